"""A phase before and after its decisions are made, and what is proven about its subgraphs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from math import prod
from typing import Any

from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.equations.build_facts import phase_of
from dipsat.equations.ground import Grounder, all_decisions
from dipsat.equations.phase import Phase, units_about
from dipsat.errors import (
    ImpossibleBoardError,
    PositionError,
    SharedProvinceError,
    UnitTwiceError,
    UnresolvedError,
)
from dipsat.game.facts import Ruling, RulingStatus, UnitFacts
from dipsat.game.position import Position, Unit, unit_of
from dipsat.limits import check_time
from dipsat.orders.writer import write_order
from dipsat.pages import counted
from dipsat.profiles.profile import Profile
from dipsat.profiles.settings import Settings
from dipsat.solving.budget import Budget, ExhaustedError
from dipsat.solving.graph import connected_subgraphs
from dipsat.solving.models import MAX_RESOLUTIONS, MAX_STEPS, Z3, Models
from dipsat.solving.resolve import (
    CoreRecord,
    Solution,
    decision_graph,
    equations_of,
    resolve,
    verdict_without_rules,
)
from dipsat.terms.term import Key
from dipsat.values import Plain, brief, fields_of, grouped


@dataclass(frozen=True)
class GivenPhase:
    """A phase and its orders. `rulings` say how each order is understood, `facts` are the facts
    that the equations read."""

    profile: Profile
    position: Position
    rulings: tuple[Ruling, ...]
    facts: Phase

    @staticmethod
    def of(
        profile: Profile,
        position: Position,
        rulings: Iterable[Ruling],
        settings: Settings | None = None,
    ) -> GivenPhase:
        """The phase with the facts that follow; `settings` are as for `phase_of`."""
        given = tuple(rulings)
        return GivenPhase(profile, position, given, phase_of(profile, position, given, settings))

    @cached_property
    def grounder(self) -> Grounder:
        """Puts the facts into equations; every decision is open."""
        return Grounder(self.profile, self.facts)

    def with_orders(self, rulings: Iterable[Ruling]) -> GivenPhase:
        """The same position with other orders."""
        return GivenPhase.of(self.profile, self.position, rulings)

    def with_solution(self, solution: Solution) -> ResolvedPhase:
        """The phase with its decisions made."""
        return ResolvedPhase(self.profile, self.position, self.rulings, self.facts, solution)

    def resolved(
        self,
        budget: Budget | None = None,
        presolve: bool = True,
    ) -> ResolvedPhase:
        """The phase as the solver decides it (`dipsat.solving.resolve.resolve`)."""
        solution = resolve(self.profile, self.facts, presolve, budget)
        return self.with_solution(solution)


@dataclass(frozen=True)
class ResolvedPhase(GivenPhase):
    """A phase, and the value of every decision."""

    solution: Solution

    def value(self, family: str, index: int) -> int | None:
        """The value of a decision, None if a time limit left it open."""
        return self.solution.bounds.value((family, index))

    def values(self, family: str) -> Sequence[int | None]:
        """The values of a family's decisions by index."""
        return self.solution.bounds.values(family)

    def result(self, name: str, *objects: object) -> bool:
        """Whether a result of the profile, such as `contested`, holds for some objects."""
        return self.decided.result(name, *objects) is True

    @cached_property
    def decided(self) -> Grounder:
        """Puts the facts and the values of all decisions into equations."""
        return Grounder(self.profile, self.facts, self.solution.bounds.interval)

    @cached_property
    def landed(self) -> Mapping[int, str]:
        """Index of a unit that moves along a line -> where it ends."""
        return {
            leg.attribute("unit").index: leg.target.code
            for kind in self.profile.declared.kinds.values()
            if kind.lands
            for leg in self.facts.domain(kind.legs)
            if self.value(kind.lands, leg.index)
        }

    @cached_property
    def ends(self) -> Mapping[int, str]:
        """Index of a unit that is not dislodged -> the location where it ends."""
        moves, dislodged, found = self.values("move"), self.values("dislodge"), dict(self.landed)
        for unit in self.facts.units:
            if unit.index in found:
                continue
            if unit.moves and moves[unit.moves[0].index]:
                found[unit.index] = unit.moves[0].target_location
            elif not dislodged[unit.index]:
                found[unit.index] = unit.unit.location
        return found

    @property
    def shared_province(self) -> tuple[str, list[UnitFacts]] | None:
        """The first province in which several units end, and these units."""
        there = (unit for unit in self.facts.units if unit.index in self.ends)
        ending = grouped((province_of(self.ends[unit.index]), unit) for unit in there)
        return next((found for found in sorted(ending.items()) if len(found[1]) > 1), None)

    @property
    def unit_twice(self) -> UnitFacts | None:
        """The first unit that moves away and is dislodged all the same."""
        dislodged = self.values("dislodge")
        moved = (unit for unit in self.facts.units if unit.index in self.ends)
        return next((unit for unit in moved if dislodged[unit.index]), None)

    @property
    def is_impossible(self) -> bool:
        """Whether the rules lead to a board that none should lead to."""
        return self.shared_province is not None or self.unit_twice is not None

    def unit_after(self, unit: UnitFacts, location: str) -> Unit:
        """The unit in the location where it ends, with its attributes then. An attribute keeps its
        value if the result that it names holds for that value; otherwise it takes the value for
        which it holds.

        Raises `PositionError` if the result holds for no other value or for several.
        """
        found = []
        for name, value in unit.unit.attributes:
            attribute = self.profile.declared.attributes[name]
            result = attribute.becomes
            if result and not self.result(result, unit, value):
                new = [one for one in attribute.values if self.result(result, unit, one)]
                if len(new) != 1:
                    problem = f"by {result} of {self.profile.name!r} its {name} becomes "
                    raise PositionError(str(unit), problem + (" and ".join(new) or "nothing"))
                value = new[0]
            found.append((name, value))
        return unit_of(unit.power, unit.unit.kind, location, tuple(found))


def refuse_impossible_board(resolved: ResolvedPhase) -> None:
    """Refuse an outcome in which two units end in one province, or a unit that moves away is
    dislodged: a defect of the rules.

    Raises `SharedProvinceError` or `UnitTwiceError` with as few orders as show it, as far as
    `MAX_STEPS` steps go. Nothing is refused if a limit has left decisions open.
    """
    if resolved.solution.unknown or not resolved.is_impossible:
        return
    # Not in the order in which they were handed in: the same board has the same error.
    given: GivenPhase = resolved.with_orders(sorted(resolved.rulings, key=_place))
    budget = Budget(MAX_STEPS)
    for ruling in given.rulings:
        budget.charge(resolved.solution.steps)
        if budget.is_over():
            break
        fewer = resolved.with_orders(other for other in given.rulings if other is not ruling)
        if _is_shown(fewer, budget):
            given = fewer
    board = resolved.position.map
    orders = grouped((one.submission.power, _text(one, board)) for one in given.rulings)
    shown = resolved.with_orders(given.rulings).resolved(Budget(MAX_STEPS))
    check_time()
    raise impossible_board(shown, orders)


def impossible_board(
    resolved: ResolvedPhase, orders: Mapping[str, Iterable[str]]
) -> ImpossibleBoardError:
    """The error for a phase that `is_impossible`; `orders` are those that show it."""
    shared = resolved.shared_province
    if shared is not None:
        return SharedProvinceError(resolved.profile.name, shared[0], map(str, shared[1]), orders)
    unit = resolved.unit_twice
    assert unit is not None
    return UnitTwiceError(resolved.profile.name, str(unit), resolved.ends[unit.index], orders)


def _place(ruling: Ruling) -> tuple[str, str]:
    return ruling.submission.power, ruling.unit.province if ruling.unit else ""


def _text(ruling: Ruling, board: Map) -> str:
    is_illegal = ruling.status is RulingStatus.ILLEGAL
    return ruling.submission.shown if is_illegal else write_order(ruling.order, board)


def _is_shown(given: GivenPhase, budget: Budget) -> bool:
    try:
        resolved = given.resolved(budget)
    except UnresolvedError:
        return False
    return not resolved.solution.unknown and resolved.is_impossible


# --- evidence -------------------------------------------------------------------------------------

# What proves how many resolutions a phase has: propagation, and the solvers that were asked.


_TITLES = {Z3: "Z3"}
"""Names of solvers where people write them in another way."""


@brief()
@dataclass(frozen=True, slots=True)
class SolvedSubgraph(Plain):
    """A connected subgraph of the decisions that were given to a solver, and its answer."""

    decisions: tuple[str, ...]
    """The names of its decisions, as in `Outcome.decisions`."""
    solver: str
    """What counted its resolutions: `z3`, or `case analysis`, dipsat's own search that tries every
    value."""
    instead_of: str | None
    """The solver that is not installed, for which this one stood in; else None."""
    verdict: str
    """Its answer: `unique`, `none` or `several`."""
    resolutions: int
    """The number of resolutions found, at most 64."""


@brief()
@dataclass(frozen=True, slots=True)
class Evidence:
    """What proves how many resolutions the equations of a phase have, before any cycle rule.

    Each decision is counted once: as propagated, as a constant, in a subgraph, or as undecided.
    """

    propagation: int
    """The number of decisions that propagation decided: their value holds in every resolution."""
    constants: int
    """Where nothing was propagated, the number of strengths whose equations allow one value."""
    subgraphs: tuple[SolvedSubgraph, ...]
    """What solvers were asked about."""
    undecided: int
    """The number of decisions that a limit of time or work left open, besides those in subgraphs
    that were solved."""
    is_stopped: bool = False
    """Whether a limit kept a cycle rule from deciding a subgraph that was solved."""

    @property
    def text(self) -> str:
        """The same in words: `24 decisions by propagation, 4 decisions in 1 subgraph by Z3`."""
        found = []
        if self.propagation:
            found.append(f"{counted(self.propagation, 'decision')} by propagation")
        asked = grouped(((one.solver, one.instead_of or ""), one) for one in self.subgraphs)
        for (solver, missing), those in asked.items():
            decisions = counted(sum(len(one.decisions) for one in those), "decision")
            where = counted(len(those), "subgraph")
            found.append(f"{decisions} in {where} by {solver_in_words(solver, missing)}")
        if self.constants:
            found.append(counted(self.constants, "constant"))
        if self.undecided:
            found.append(f"{counted(self.undecided, 'decision')} left open by the limits")
        if self.is_stopped:
            found.append("with a cycle that the limits left without a rule")
        return ", ".join(found) or "no decisions"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with the text."""
        return {**fields_of(self), "text": self.text}


def evidence_of(resolved: ResolvedPhase) -> Evidence:
    """The evidence for a phase that was resolved."""
    solution, name = resolved.solution, resolved.grounder.name
    answered = [one for one in solution.before_rules if not one.models.timed_out]
    solved = tuple(solved_subgraph(tuple(map(name, one.decisions)), one.models) for one in answered)
    members = {key for one in answered for key in one.decisions}
    undecided = len(solution.unknown - members)
    everything = len(all_decisions(resolved.profile.decisions, resolved.facts))
    rest = everything - len(members) - undecided
    is_stopped = not solution.unknown.isdisjoint(members)
    by_whom = (rest, 0) if solution.propagated else (0, rest)
    return Evidence(*by_whom, solved, undecided, is_stopped)


def solved_subgraph(decisions: tuple[str, ...], models: Models) -> SolvedSubgraph:
    """The answer of a solver about some decisions."""
    count, missing = len(models.resolutions), models.instead_of or None
    return SolvedSubgraph(decisions, models.solver, missing, models.verdict, count)


def solver_in_words(solver: str, instead_of: str | None = None) -> str:
    """What has decided, for people: `Z3`, or what stood in for it and why."""
    title = _TITLES.get(solver, solver)
    if not instead_of:
        return title
    return f"{title} because {_TITLES.get(instead_of, instead_of)} is not installed"


def proof_in_words(verdicts: Iterable[str], evidence: Evidence) -> str:
    """Whether subgraphs with these verdicts have one resolution each, and what proves it."""
    found: Sequence[str] = tuple(verdicts)
    unique = found.count("unique")
    if unique == len(found):
        return f"Proven unique: {evidence.text}."
    start = "Proven not unique" if {"none", "several"}.intersection(found) else "Not decided"
    have = "has" if len(found) == 1 else "have"
    return (
        f"{start}: {evidence.text}. {unique} of {counted(len(found), 'subgraph')} {have} exactly "
        f"one consistent resolution."
    )


# --- subgraphs ------------------------------------------------------------------------------------

# What is proven about each connected subgraph of the decision graph, and the core of its orders.


_MAX_SUBSETS = 400  # tried to find a core smaller than that found by leaving out orders
CORE_STEPS = 2_000_000
"""Steps of a solver, or as long, for the order cores of all subgraphs of a phase: two seconds."""


@brief()
@dataclass(frozen=True)
class Subgraph:
    """A connected subgraph of the decision graph: decisions that depend on one another."""

    decisions: tuple[str, ...]
    """The names of the decisions, such as `move(A LON - BEL)`."""
    resolutions: int
    """The number of consistent resolutions of its equations, counted up to 64."""
    verdict: str
    """What is proven: `unique`, `none`, `several`, or `unknown` if the time limit was too short."""
    cycle: tuple[str, ...] = ()
    """The decisions of the cycle, if there is not exactly one resolution."""
    core: tuple[str, ...] = ()
    """The units of the smallest set of orders found that still lacks a single resolution (DATC 3.0
    4.A.2). The search has a bound, which rules with long equations can reach."""
    rule: str | None = None
    """The first cycle rule applied, None if there was none."""
    applications: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Every application of a rule, as (rule, cycle), in order."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        applied = [{"rule": rule, "cycle": [*cycle]} for rule, cycle in self.applications]
        return {**fields_of(self), "applications": applied}


def subgraphs_of(resolved: ResolvedPhase) -> tuple[Subgraph, ...]:
    """All subgraphs with the findings of resolving them, in order of their first decision."""
    name, solution = resolved.grounder.name, resolved.solution
    everything = all_decisions(resolved.profile.decisions, resolved.facts)
    groups = connected_subgraphs(decision_graph(equations_of(resolved.grounder, everything)))
    if not solution.records and not solution.unknown:  # as for most phases
        return tuple([Subgraph(tuple(map(name, group)), 1, "unique") for group in groups])
    found, budget, first = [], Budget(CORE_STEPS), solution.before_rules
    for group in groups:
        members = set(group)
        inside = [one for one in solution.records if members.issuperset(one.decisions)]
        counts = [len(one.models.resolutions) for one in first if members.issuperset(one.decisions)]
        is_open = not solution.unknown.isdisjoint(members)
        named = tuple(map(name, group))
        found.append(_subgraph(resolved, named, is_open, prod(counts), inside, budget))
    return tuple(found)


def _subgraph(
    resolved: ResolvedPhase,
    decisions: tuple[str, ...],
    is_open: bool,
    count: int,
    records: Sequence[CoreRecord],
    budget: Budget,
) -> Subgraph:
    """The report on a subgraph, in which a limit of time may have left decisions open. Its `count`
    of resolutions is the product of those of its cores, because the decisions that connect the
    cores are made."""

    def names(keys: Sequence[Key]) -> tuple[str, ...]:
        return tuple(resolved.grounder.name(key) for key in keys)

    resolutions = min(count, MAX_RESOLUTIONS)
    verdict = "unique"
    if is_open or any(record.models.verdict == "unknown" for record in records):
        verdict = "unknown"
    elif resolutions != 1:
        verdict = "several" if resolutions else "none"
    applied = [(record, record.applied) for record in records if record.applied is not None]
    if not applied:
        return Subgraph(decisions, resolutions, verdict)
    record, first = applied[0]
    units = _with_helpers(resolved.facts, units_of(resolved.grounder, record.decisions))
    return Subgraph(
        decisions,
        resolutions,
        verdict,
        names(first.cycle),
        order_core(resolved, units, "several" if first.resolutions else "none", budget),
        first.rule,
        tuple((resolution.rule, names(resolution.cycle)) for _, resolution in applied),
    )


def _with_helpers(phase: Phase, units: Sequence[UnitFacts]) -> list[UnitFacts]:
    """The units, and those whose orders support or convoy them."""
    found = dict.fromkeys(units)
    pairs = [(support.unit, support.supported) for support in phase.supports]
    pairs += [(convoy.unit, convoy.army) for convoy in phase.convoys]
    for helper, helped in pairs:
        if helped in found:
            found[helper] = None
    return list(found)


def order_core(
    given: GivenPhase, units: Sequence[UnitFacts], verdict: str, budget: Budget
) -> tuple[str, ...]:
    """Return the order core of a paradox: the units of the smallest set of orders with the same
    verdict (DATC 4.A.2), in order of their provinces. All other units hold.

    `units` are those that may belong to it, `verdict` is "none" or "several" resolutions. (The
    orders of Pandin's paradox, which has none, contain a simple paradox, which has two; that is
    another paradox.) Orders that a power gives besides those of its units stay. Orders of units are
    left out one by one as long as the verdict stays the same; then, unless there are too many,
    every smaller set of the same orders is tried, so that the result is the smallest and not just
    minimal. If the budget is used up before, it is the smallest set found by then.
    """
    lawful = [ruling for ruling in given.rulings if ruling.status is not RulingStatus.ILLEGAL]
    lasting = [ruling for ruling in lawful if ruling.unit is None]
    by_location = {one.unit.location: one for one in lawful if one.unit is not None}
    pool = sorted(unit.unit.location for unit in units if unit.unit.location in by_location)

    def is_trouble(kept: Sequence[str]) -> bool:
        fewer = given.with_orders([*lasting, *(by_location[at] for at in kept)])
        return verdict_without_rules(given.profile, fewer.facts, budget) == verdict

    core = list(pool)
    with suppress(ExhaustedError):
        for location in pool:
            fewer = [other for other in core if other != location]
            if is_trouble(fewer):
                core = fewer
        smaller = (kept for size in range(1, len(core)) for kept in combinations(pool, size))
        tried = islice(smaller, _MAX_SUBSETS)
        core = next((list(kept) for kept in tried if is_trouble(kept)), core)
    return tuple(str(by_location[location].unit) for location in core)


def units_of(grounder: Grounder, keys: Sequence[Key]) -> list[UnitFacts]:
    """The units whose orders some decisions are about."""
    return list(dict.fromkeys(unit for key in keys for unit in units_about(grounder.object(key))))
