"""The results of comparing rule sets with a base on the phases of games and boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dipsat.errors import UnknownNameError
from dipsat.errors.arguments import checked
from dipsat.impacts.findings import RulesImpact
from dipsat.impacts.shown import gaps, in_full, joined, number, percent
from dipsat.pages import GAP, INTERRUPTED, Column, Part, Shown, Styled, Table, Words
from dipsat.values import brief, fields_of

_MOST_IN_FULL = 4
"""The most rule sets that are shown in full."""
_MOST_CAUSES = 2
"""Causes in the row of a rule set."""


@brief("against", "compared", "rules")
@dataclass(frozen=True, slots=True)
class ImpactReport(Shown):
    """How often rule sets have another result than a base, and where. Made by `dipsat.impact`."""

    against: str
    """The name of the base."""
    games: int
    """The number of games."""
    compared: int
    """The number of phases that the base judges."""
    skipped: Mapping[str, int]
    """Why phases are left out -> how many."""
    failures: tuple[str, ...]
    """What cannot be read, each with its place."""
    rules: tuple[RulesImpact, ...]
    """What each rule set changes, in the order given."""
    is_interrupted: bool = False
    """Whether the work ended early and the report holds only what was found until then."""
    boards: int = 0
    """The number of random boards."""

    def _parts(self) -> Iterable[Part]:
        return parts_of_impact(self)

    @property
    def differs(self) -> bool:
        """Whether any rule set has another result in any phase."""
        return any(one.differ for one in self.rules)

    @checked
    def of(self, rules: str) -> RulesImpact:
        """Return what a rule set changes, by its name. Raises `UnknownNameError` if it is none of
        those compared."""
        for one in self.rules:
            if one.rules == rules:
                return one
        raise UnknownNameError("profile", rules, [one.rules for one in self.rules])

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `dipsat rules impact --json` prints them."""
        return fields_of(self)


def parts_of_impact(report: ImpactReport) -> Iterator[Part]:
    """What people read of a report."""
    yield f"Against {report.against}, on {origin(report)}:"
    yield ""
    yield _table(report)
    for reason, count in report.skipped.items():
        yield f"Not compared: {number(count)} ({reason})."
    changing = [one for one in report.rules if one.differ or one.not_judged]
    if len(changing) <= _MOST_IN_FULL:
        for one in changing:
            yield from in_full(one, report.against)
    else:
        most = f"up to {_MOST_IN_FULL} rule sets that differ"
        yield f"For {most}, the report also shows where and how."
    if report.is_interrupted:
        yield from INTERRUPTED


def origin(report: ImpactReport) -> str:
    """What is compared: `90 phases of 2 games and 10 random boards`."""
    parts = ((report.games, "game"), (report.boards, "random board"))
    sources = " and ".join(f"{number(n)} {what}{'s' * (n != 1)}" for n, what in parts if n)
    if sources and not report.games and report.boards == report.compared:  # each is a phase
        return sources
    phases = f"{number(report.compared)} phase{'s' * (report.compared != 1)}"
    return f"{phases} of {sources}" if sources else phases


def _table(report: ImpactReport) -> Table:
    """A row for each rule set. Games are counted if there are any: each random board is one
    phase."""
    rows = [_row(one, bool(report.games)) for one in report.rules]
    heads = ("Phases", "", "Board", *(["Games"] if report.games else []), "Orders")
    numbers = (Column(head, is_right=True) for head in heads)
    return Table(tuple(rows), (Column("Rules", wraps=True), *numbers, Column("Why")), edge=GAP)


def _row(one: RulesImpact, counts_games: bool) -> tuple[Words, ...]:
    games = [number(one.games)] if counts_games else []
    if not one.differ:
        return (one.rules, "0", "", "", *[""] * len(games), "", gaps(one))
    shown = [f"{joined(c.entries)}: {number(c.phases)}" for c in one.causes[:_MOST_CAUSES]]
    if len(one.causes) > _MOST_CAUSES:
        shown.append(f"{len(one.causes) - _MOST_CAUSES} more")
    share = percent(one.differ, one.compared)
    boards = number(one.board_differs)
    numbers = (number(one.differ), share, boards, *games, number(one.orders))
    return (Styled(one.rules, "yellow"), *numbers, "; ".join(filter(None, [*shown, gaps(one)])))
