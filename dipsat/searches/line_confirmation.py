"""A second opinion on the fewest units of a line: another statement, another solver, and a proof
that other people's programs check.

`line_placement` makes the same statement for the search. The statement here takes nothing from it,
so that a mistake in either is found and a result that follows from both is confirmed. It uses the
borders that the checker of certificates reads, and every unknown has a readable name.

For an own unit in p, let N be the outside provinces from which an enemy could move to it. The unit
is safe if N and a cover together have at most as many members as its supports + 1. A cover consists
of supporters and outside provinces. It touches every pair of a supporter and a province outside of
N from which an enemy could move to that supporter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from dipsat.base import UNLIMITED, ExhaustedError, Limits, brief, running
from dipsat.board import province_of
from dipsat.errors import QuestionError
from dipsat.rules import DEFAULT_RULES, Profile, load_profile
from dipsat.searches.checked_rules import unchecked_rules
from dipsat.searches.line_certificate import borders_of
from dipsat.searches.line_placement import are_alike
from dipsat.searches.line_question import Lines, Terms, second_of, swept, terms_of
from dipsat.solving import (
    INTERRUPTED,
    CardinalityProblem,
    Progress,
    budget_of,
    refutation_of,
    smt_lib,
    solution_by_z3,
)


@dataclass(slots=True)
class Statement:
    """The requirements on unknowns, which have names."""

    problem: CardinalityProblem = field(default_factory=CardinalityProblem)
    names: list[str] = field(default_factory=list)
    """The names of the unknowns, from 1 on."""
    units: tuple[str, ...] = ()
    """The names of own units among them, such as `A BOH`."""


def statement_of(terms: Terms, most: int | None, second: Terms | None = None) -> Statement:
    """The statement that a line with at most `most` units (None for any number) holds what the
    terms require; or that two lines with at most `most` together do, and share no province."""
    found, asked = Statement(), terms.asked
    lines = [_Writer(terms, found, "")]
    if second is not None:
        lines.append(_Writer(second, found, "second: "))
        _side_by_side(*lines)
    units = [(name[0], unit) for line in lines for name, unit in line.unit.items()]
    for limit, kinds in (
        (most, "AF"), (asked.units, "AF"), (asked.armies, "A"), (asked.fleets, "F"),
    ):  # fmt: skip
        if limit is not None:
            found.problem.at_most(limit, [unit for kind, unit in units if kind in kinds])
    found.units = tuple(found.names[unit - 1] for _, unit in units)
    return found


def _side_by_side(first: _Writer, second: _Writer) -> None:
    """Require that no province is behind or in both lines. If both have the same terms, the first
    line holds the first of all held centres."""
    for province in first.provinces:
        first.require(first.outside[province], second.outside[province])
    before = list[int]()
    for centre in sorted(first.terms.map.centers) if are_alike(first.terms, second.terms) else ():
        first.require(second.outside[centre], *before)
        before.append(-first.outside[centre])


class _Writer:
    """States the requirements on one line. All names of unknowns begin with `whose`."""

    def __init__(self, terms: Terms, statement: Statement, whose: str) -> None:
        self.terms, self.whose, self.all = terms, whose, statement
        self.borders: Mapping[str, Any] = borders_of(terms.map)
        self.require, self.at_most = statement.problem.require, statement.problem.at_most
        new = self.unknown
        self.provinces = self._swept()
        self.unit = {name: new(name) for one in self.provinces for name in self._in[one]}
        self.own = {one: new(f"own unit in {one}") for one in self.provinces}
        self.inside = {one: new(f"{one} in the region") for one in self.provinces}
        self.outside = {one: new(f"{one} outside") for one in self.provinces}
        self.threats = self._threats()
        self.support = {
            (one, aim): new(f"{one} supports {aim}")
            for one in self.provinces
            for aim in sorted({aim for unit in self._in[one] for aim in self.reached[unit]})
        }
        for province in self.provinces:
            self._place(province)
            self._support(province)
            self._defend(province)
        self._require_terms()

    def unknown(self, name: str) -> int:
        """A new unknown."""
        self.all.names.append(self.whose + name)
        return self.all.problem.unknown()

    @cached_property
    def reached(self) -> Mapping[str, frozenset[str]]:
        """Unit -> the provinces that it can move to."""
        ways = (("A", self.borders["army"]), ("F", self.borders["fleet"]))
        return {
            f"{kind} {place}": frozenset(map(province_of, near))
            for kind, borders in ways
            for place, near in borders.items()
        }

    @cached_property
    def _in(self) -> Mapping[str, list[str]]:
        """Province -> the units that could stand in it."""
        return {
            one: [unit for unit in self.reached if province_of(unit[2:]) == one]
            for one in self.borders["kind"]
        }

    def _swept(self) -> tuple[str, ...]:
        near: dict[str, set[str]] = {one: set() for one in self.borders["kind"]}
        for unit, reached in self.reached.items():
            near[province_of(unit[2:])] |= reached
        return swept(near)

    def _threats(self) -> Mapping[str, Mapping[str, tuple[int, ...]]]:
        """Province -> each province from which an enemy could move there -> the unknowns of which
        one must be true for that."""
        enemy, sources = self.terms.enemy, self.terms.fleet_sources
        sailed = {}
        if sources is not None:
            sailed = {one: self.unknown(f"enemy fleets come to {one}") for one in self.provinces}
        found: dict[str, dict[str, set[int]]] = {one: {} for one in self.provinces}
        for unit, reached in self.reached.items():
            origin = province_of(unit[2:])
            fleet = unit[0] == "F"
            if enemy.units == 0 or origin in (
                enemy.fleets_not_in if fleet else enemy.armies_not_in
            ):
                continue
            stands = sailed.get(origin, self.outside[origin]) if fleet else self.outside[origin]
            for aim in sorted(reached):  # gives a proof the same bytes in every run
                found[aim].setdefault(origin, set()).add(stands)
                if fleet and sailed:
                    self.require(-stands, -self.outside[aim], sailed[aim])
        for one, there in sailed.items():
            if sources is not None and one in sources:
                self.require(-self.outside[one], there)
        return {
            aim: {origin: tuple(sorted(by)) for origin, by in sorted(origins.items())}
            for aim, origins in found.items()
        }

    def _place(self, province: str) -> None:
        """Require a province to be held by one unit, in the unthreatened region, or outside."""
        units = [self.unit[name] for name in self._in[province]]
        states = (self.own[province], self.inside[province], self.outside[province])
        self.require(*states)
        self.at_most(1, states)
        self.at_most(1, units)
        self.require(-self.own[province], *units)
        for unit in units:
            self.require(-unit, self.own[province])
        for ways in self.threats[province].values():
            for way in ways:
                self.require(-self.inside[province], -way)

    def _support(self, province: str) -> None:
        """Require a unit to support at most one own unit, in a province that it could go to."""
        given = {aim: there for (one, aim), there in self.support.items() if one == province}
        self.at_most(1, given.values())
        for aim, there in given.items():
            self.require(-there, self.own[aim])
            able = [self.unit[name] for name in self._in[province] if aim in self.reached[name]]
            self.require(-there, *able)

    def _defend(self, province: str) -> None:
        """Require an own unit in a province to be safe."""
        supports = {one: there for (one, aim), there in self.support.items() if aim == province}
        attacked = self.threats[province]
        cover: dict[str, int] = {}
        for supporter, there in supports.items():
            for origin, ways in self.threats[supporter].items():
                others = set(ways) - set(attacked.get(origin, ()))
                if origin == province or not others:
                    continue
                for end in (supporter, origin):
                    if end not in cover:
                        cover[end] = self.unknown(f"{end} covers supports of {province}")
                for way in sorted(others):
                    pair = (cover[supporter], cover[origin], *attacked.get(origin, ()))
                    self.require(-there, -way, *pair)
        against = [self._any(province, origin, ways) for origin, ways in attacked.items()]
        missing = [-there for there in supports.values()]
        given = [self.own[province]]
        if self.terms.enemy.units is not None:
            enough = self.unknown(f"{province} has as many supports as enemies could overcome")
            self.at_most(len(supports) - self.terms.enemy.units + 1, missing, [enough])
            given.append(-enough)
        self.at_most(len(supports) + 1, [*against, *cover.values(), *missing], given)

    def _any(self, province: str, origin: str, ways: tuple[int, ...]) -> int:
        """A literal that is true if one of these is."""
        if len(ways) == 1:
            return ways[0]
        found = self.unknown(f"an enemy can go from {origin} to {province}")
        for way in ways:
            self.require(-way, found)
        return found

    def _require_terms(self) -> None:
        """Require the rest of the terms."""
        terms = self.terms
        centres = frozenset(self.borders["centres"])
        lost = [self.outside[one] for one in self.provinces if one in centres]
        self.require(*self.outside.values())
        self.all.problem.at_least(len(lost) - terms.most_centres, lost)
        if terms.centres is not None:
            self.at_most(len(lost) - terms.centres, lost)
        elif not terms.protect:
            self.require(*(-one for one in lost))
        if terms.asked.self_sufficient:  # units <= centres - lost centres
            self.at_most(len(lost), [*self.own.values(), *lost])
        for province in sorted(terms.protect):
            self.require(-self.outside[province])
        for province in sorted(terms.outside):
            self.require(self.outside[province])
        for kind, location in sorted(terms.given):
            self.require(self.unit[f"{kind} {location}"])
        for one, aim in sorted(terms.supports.items()):
            for (by, other), there in self.support.items():
                if by == one:
                    self.require(there if other == aim else -there)


# --- the second opinion ---------------------------------------------------------------------------

CONFIRMED, REFUTED, UNKNOWN = "confirmed", "refuted", "unknown"
STATEMENT, CLAUSES, PROOF = "fewer.smt2", "fewer.cnf", "fewer.drat"
FILES = re.compile(r"fewer\.(smt2|cnf|drat)")
"""The names of a proof's files."""


@brief()
@dataclass(frozen=True, slots=True)
class Confirmation:
    """Whether no line with fewer units holds what a question asks for, or no two lines with fewer
    units together. Made by `dipsat.searches.confirm_fewest`."""

    verdict: str
    """`confirmed`; `refuted`: there is such a line; `unknown`: there was not enough time."""
    units: tuple[str, ...] = ()
    """The units of a line with fewer, or of two lines (`second: A BOH`), if the verdict is
    `refuted`."""
    reason: str = ""
    """Why the verdict is `unknown`, else ""."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Name -> text of the files of a proof, if one was asked for: the statement for Z3
    (`fewer.smt2`), the same as clauses in DIMACS (`fewer.cnf`), and the proof in DRAT that the
    clauses contradict each other (`fewer.drat`)."""


def confirm_fewest(
    question: Lines,
    below: int | None,
    *,
    rules: str | Path | Profile = DEFAULT_RULES,
    limits: Limits = UNLIMITED,
    progress: Progress | None = None,
    with_proof: bool = False,
) -> Confirmation:
    """Prove again that no line with fewer than `below` units holds what a question asks for, or no
    two lines with fewer together; with None, that no line does, with any number of units.

    Z3 decides a statement that shares nothing with that of `dipsat.search`. With `with_proof`, the
    SAT solver decides it too, with a proof that other programs can check (docs/holding-lines.md).
    `limits` bound the search; without them there is no limit. `progress` is called with a
    description of each step. An interrupt from the keyboard ends the search with the verdict
    `unknown`.

    Raises `QuestionError` for a question that contradicts itself or is about lines with sorties,
    `SolverError` if a solver is not installed, and the errors of `load_map`, `load_profile` and of
    the readers of units and orders.
    """
    if question.sorties:
        raise QuestionError("only lines whose units stay can be confirmed; leave out the sorties")
    with running(limits):
        profile = load_profile(rules)
        terms = terms_of(question, profile)
        changes = unchecked_rules(profile)
        if changes:
            return Confirmation(UNKNOWN, reason=changes)
        if below is not None and below < 1:
            return Confirmation(CONFIRMED)
        most = None if below is None else below - 1
        statement = statement_of(terms, most, second_of(question, profile))
        try:
            return _confirmed(statement, progress or (lambda _: None), with_proof)
        except (ExhaustedError, KeyboardInterrupt) as end:
            return Confirmation(UNKNOWN, reason=str(end) or INTERRUPTED)


def _confirmed(statement: Statement, progress: Progress, with_proof: bool) -> Confirmation:
    problem, names, budget = statement.problem, statement.names, budget_of()
    progress("does Z3 find a line with fewer units?")
    found = solution_by_z3(problem, names, budget)
    if found is not None:
        return Confirmation(REFUTED, tuple(sorted(found.intersection(statement.units))))
    if not with_proof:
        return Confirmation(CONFIRMED)
    progress("does the SAT solver prove that there is none?")
    proof = refutation_of(problem, names, budget)
    if proof is None:
        return Confirmation(UNKNOWN, reason="Z3 and the SAT solver contradict each other")
    text = f"{smt_lib(problem, names)}\n(check-sat)\n"
    files = {STATEMENT: text, CLAUSES: proof[0], PROOF: proof[1]}
    return Confirmation(CONFIRMED, files=files)
