"""What rules change: the phases that differ from the base, by what they share, and examples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dipsat.base import (
    GAP,
    INTERRUPTED,
    Column,
    Part,
    Plain,
    Shown,
    Styled,
    Table,
    Words,
    brief,
    checked,
    counted,
    indented,
    titled,
)
from dipsat.board import Map
from dipsat.errors import UnknownNameError
from dipsat.game import Position
from dipsat.outcomes import ComparedOrder, Comparison, compare, result_of
from dipsat.rules import Profile, load_profile
from dipsat.studies.judgements import side_in_words
from dipsat.studies.sheet import order_file, stated_phase


@brief()
@dataclass(frozen=True, slots=True)
class ImpactShare(Plain):
    """The number of phases of one sort whose result differs."""

    differ: int
    """The number of those that differ."""
    compared: int
    """The number of all that were compared."""


@brief()
@dataclass(frozen=True, slots=True)
class ImpactCause(Plain):
    """What makes phases differ: the smallest set of entries of the rules that, laid over the base,
    has the same result."""

    entries: tuple[str, ...]
    """The entries, such as `setting waive` or `decision support`; for the rules for cycles, those
    that settled the phase, such as `cycle rule Szykman`."""
    phases: int
    """The number of phases that differ for this reason."""


@brief()
@dataclass(frozen=True, slots=True)
class ImpactExample(Plain):
    """A phase whose result differs."""

    source: str
    """Its game, or the random board."""
    phase: str
    """Its name."""
    position: Mapping[str, Any]
    """The position, as `Position.to_dict` gives it."""
    orders: Mapping[str, tuple[str, ...]]
    """Power -> its orders."""
    cause: tuple[str, ...]
    """What makes it differ, as in `ImpactCause.entries`."""
    changed: tuple[ComparedOrder, ...]
    """The orders whose result differs, each under the base and under the rules; empty if only what
    comes next differs."""
    next: tuple[Mapping[str, Any], Mapping[str, Any]]
    """What only the next position under the base has, and what only the one under the rules has:
    `units`, `retreats` and `centers` by power, `phase`."""
    board_differs: bool
    """Whether the next position or the winner differs."""
    is_shrunk: bool = False
    """Whether it is a recorded phase reduced until nothing more can be left out."""
    _map: str | Map = field(default="standard", repr=False)
    _rules: tuple[str | Profile, str | Profile] = field(default=("datc", "datc"), repr=False)

    @property
    def units(self) -> int:
        """The number of units, with the dislodged ones."""
        placed = (self.position["units"], self.position["dislodged"])
        return sum(len(units) for part in placed for units in part.values())

    def comparison(self) -> Comparison:
        """Return the results under the base and under the rules, with the reasons."""
        base, rules = map(load_profile, self._rules)
        position = Position.from_dict(self.position, self._map, base)
        return compare(position, self.orders, (base, rules))


@brief()
@dataclass(frozen=True, slots=True)
class NotJudged(Plain):
    """Phases that the base can judge and the rules cannot."""

    reason: str
    """Why not."""
    phases: int
    """How many there are."""
    first: tuple[str, ...]
    """The first of them."""


@brief("rules", "compared", "differ")
@dataclass(frozen=True, slots=True)
class RulesImpact(Plain):
    """What one rule set changes. Phases are counted by the base's number of units before them, with
    the dislodged ones."""

    rules: str
    """The name of the rules."""
    title: str
    """Their title."""
    compared: int
    """The number of phases that both the base and the rules judge."""
    differ: int
    """The number of phases whose result differs: that of an order, the next position, or the
    winner."""
    board_differs: int
    """The number of phases after which the board differs: the next position with its units,
    retreats and centres, or the winner. In the others, only verdicts on orders differ."""
    games: int
    """The number of games, or random boards, with a phase whose result differs."""
    board_games: int
    """The number of those with a phase after which the board differs."""
    orders: int
    """The number of orders with another verdict, or whose unit has another fate, in all phases."""
    causes: tuple[ImpactCause, ...]
    """What makes them differ, the most frequent cause first."""
    by_kind: Mapping[str, ImpactShare]
    """Kind of phase -> how many of these differ."""
    by_season: Mapping[str, ImpactShare]
    """Season -> how many of its phases differ."""
    by_map: Mapping[str, ImpactShare]
    """Map -> how many of its phases differ."""
    by_units: Mapping[str, ImpactShare]
    """Number of units (`1 to 10`) -> how many such phases differ."""
    first: tuple[ImpactExample, ...]
    """The first phases that differ; those after which the board differs come before others."""
    smallest: tuple[ImpactExample, ...]
    """Those with the fewest units; those after which the board differs come before others."""
    not_judged: tuple[NotJudged, ...]
    """Phases that only the base can judge, by reason."""
    declares_orders: bool = False
    """Whether the rules declare units, convoys or orders of their own, which random boards lack."""


# --- what people read -----------------------------------------------------------------------------


def gaps(one: RulesImpact, boards: int) -> str:
    """How many phases the rules cannot judge, and what the random boards lack, "" if they can judge
    all and nothing is lacking."""
    count = sum(gap.phases for gap in one.not_judged)
    found = [f"{number(count)} cannot be judged"] if count else []
    if boards and one.declares_orders:
        found.append("random boards lack the orders that these rules declare")
    return "; ".join(found)


def in_full(one: RulesImpact, base: str) -> Iterator[Part]:
    """Everything about a rule set."""
    yield from ("", Styled(f"{one.rules}: {one.title}", "bold"))
    if one.differ:
        for heading, shares in (
            ("Kind of phase", one.by_kind), ("Season", one.by_season), ("Map", one.by_map),
            ("Units", one.by_units),
        ):  # fmt: skip
            if len(shares) > 1:
                yield _shares(heading, shares)
        rows = [(number(cause.phases), joined(cause.entries)) for cause in one.causes]
        yield from ("", Table(tuple(rows), (Column("Phases", is_right=True), Column("Why"))))
        yield from _examples("First", one.first, base, one.rules)
        yield from _examples("Smallest", one.smallest, base, one.rules)
    for gap in one.not_judged:
        phases = f"{number(gap.phases)} cannot be judged"
        yield f"{phases}, such as {', '.join(gap.first)}: {gap.reason}"


def _shares(heading: str, shares: Mapping[str, ImpactShare]) -> Table:
    rows = [
        (name, number(share.differ), f"of {number(share.compared)}",
         percent(share.differ, share.compared))
        for name, share in shares.items()
    ]  # fmt: skip
    columns = (Column(heading, 20), *(Column(is_right=True) for _ in range(3)))
    return Table(tuple(rows), columns, edge=GAP)


def _examples(
    heading: str, examples: Iterable[ImpactExample], base: str, rules: str
) -> Iterator[Part]:
    for example in examples:
        what = "shrunk from " if example.is_shrunk else ""
        units = counted(example.units, "unit")
        same = "" if example.board_differs else "; the board stays the same"
        yield from ("", f"{heading}: {what}{example.source}, {example.phase}, {units}{same}")
        if example.is_shrunk:
            rows = [(f"{titled(p)}:", "; ".join(texts)) for p, texts in example.orders.items()]
            yield Table(tuple(rows), indent=2, gap=1)
        if not example.changed:
            yield indented("All orders have the same results. Next:", 2)
            rows = [
                (f"{n}:", side_in_words(s))
                for n, s in zip((base, rules), example.next, strict=True)
            ]
            yield Table(tuple(rows), indent=4, gap=1)
            continue
        changed = [_changed(order) for order in example.changed]
        columns = (Column("Order"), Column(base, wraps=True), Column(rules, wraps=True))
        yield Table(tuple(changed), columns, indent=2, edge=GAP)


def _changed(order: ComparedOrder) -> tuple[Words, ...]:
    results = (
        "no such order" if one is None else result_of(one.verdict, one.fate)
        for one in order.results
    )
    return (f"{titled(order.power)}: {order.order}", *results)


def joined(entries: Iterable[str]) -> str:
    """The entries of a cause."""
    return " and ".join(entries) or "not found"


def number(count: int) -> str:
    """A number with its thousands separated."""
    return f"{count:,}"


def percent(part: int, whole: int) -> str:
    """A share in percent; a small one is never shown as none, nor a large one as all."""
    if not whole:
        return ""
    share = 100 * part / whole
    if 0 < share < 0.01:
        return "< 0.01 %"
    if 99.9 < share < 100:
        return "> 99.9 %"
    return f"{share:.2f} %" if share < 1 else f"{share:.1f} %"


_MOST_IN_FULL = 4
"""The most rule sets that are shown in full."""
_MOST_CAUSES = 2
"""The most causes in the row of a rule set."""


@brief("against", "compared", "rules")
@dataclass(frozen=True, slots=True)
class ImpactReport(Plain, Shown):
    """How often, and where, the results of rule sets differ from those of a base. Made by
    `dipsat.studies.impact`."""

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
    """Whether the work ended early and the report holds only what had been found by then."""
    boards: int = 0
    """The number of random boards."""

    def _parts(self) -> Iterator[Part]:
        yield f"Against {self.against}, on {origin(self)}:"
        yield ""
        yield _table(self)
        for reason, count in self.skipped.items():
            yield f"Not compared: {number(count)} ({reason})."
        changing = [one for one in self.rules if one.differ or one.not_judged]
        if len(changing) <= _MOST_IN_FULL:
            for one in changing:
                yield from in_full(one, self.against)
        else:
            most = f"up to {_MOST_IN_FULL} rule sets that differ"
            yield f"For {most}, the report also shows where and how."
        if self.is_interrupted:
            yield from INTERRUPTED

    @property
    def differs(self) -> bool:
        """Whether the result of any rule set differs in any phase."""
        return any(one.differ for one in self.rules)

    @checked
    def of(self, rules: str) -> RulesImpact:
        """Return what a rule set changes, by its name. Raises `UnknownNameError` if it was not
        compared."""
        for one in self.rules:
            if one.rules == rules:
                return one
        raise UnknownNameError("profile", rules, [one.rules for one in self.rules])


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
    rows = [_row(one, report) for one in report.rules]
    heads = ("Phases", "", "Board", *(["Games"] if report.games else []), "Orders")
    numbers = (Column(head, is_right=True) for head in heads)
    return Table(tuple(rows), (Column("Rules", wraps=True), *numbers, Column("Why")), edge=GAP)


def _row(one: RulesImpact, report: ImpactReport) -> tuple[Words, ...]:
    games, lacking = [number(one.games)] if report.games else [], gaps(one, report.boards)
    if not one.differ:
        return (one.rules, "0", "", "", *[""] * len(games), "", lacking)
    shown = [f"{joined(c.entries)}: {number(c.phases)}" for c in one.causes[:_MOST_CAUSES]]
    if len(one.causes) > _MOST_CAUSES:
        shown.append(f"{len(one.causes) - _MOST_CAUSES} more")
    share = percent(one.differ, one.compared)
    boards = number(one.board_differs)
    numbers = (number(one.differ), share, boards, *games, number(one.orders))
    return (Styled(one.rules, "yellow"), *numbers, "; ".join(filter(None, [*shown, lacking])))


def impact_files(report: ImpactReport, against: str, rules: Sequence[str]) -> dict[str, str]:
    """Name -> text of an order file, one for each example: `mine-first-1.yaml`. `against` and
    `rules` are what `load_profile` takes, in the order of the report."""
    found: dict[str, str] = {}
    for number, (one, typed) in enumerate(zip(report.rules, rules, strict=True), 1):
        begin = re.sub(r"[^\w.+-]+", "-", one.rules)
        if f"{begin}-first-1.yaml" in found:  # other rules of the same name
            begin = f"{begin}-{number}"
        for kind, examples in (("first", one.first), ("smallest", one.smallest)):
            for at, example in enumerate(examples, 1):
                found[f"{begin}-{kind}-{at}.yaml"] = _file(example, against, typed)
    return found


def _file(example: ImpactExample, against: str, rules: str) -> str:
    what = "shrunk from " if example.is_shrunk else ""
    remarks = (
        f"{what}{example.source}, {example.phase}: {', '.join(example.cause)}",
        f"dipsat compare FILE --rules {against} --rules {rules}",
        f"dipsat explain FILE --rules {rules}",
    )
    orders = {power: list(texts) for power, texts in example.orders.items()}
    position = {"retreats": {}, **example.position, "phase": example.phase}
    return order_file(stated_phase(example._map, position, orders), remarks)
