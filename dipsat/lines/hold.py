"""Proving or refuting that a line of units holds, whatever units the enemy has and orders."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path

from dipsat.board.province import province_of
from dipsat.errors import UnresolvedError
from dipsat.game.position import FIRST_PHASE, Position, Unit
from dipsat.limits import UNLIMITED, ExhaustedError, Limits, running, unlimited
from dipsat.lines.certificate import Defence, defence_of, enemies_beside
from dipsat.lines.hold_result import BREAKS, HOLDS, UNKNOWN, HoldResult, HoldWitness
from dipsat.lines.line import PlanState, StalemateLine, landing, standing_state
from dipsat.lines.line_file import read_line
from dipsat.lines.plan_attack import PlanAttack, PlanSearch
from dipsat.openorders.checked_rules import unchecked_rules
from dipsat.orders.order import Convoy
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.outcome import Outcome
from dipsat.solving.budget import INTERRUPTED, QUESTION, Budget, Progress, budget_of
from dipsat.solving.sat import CardinalityProblem, solution_by_z3

_MAX_REFUTED = 20
"""After how many attacks that the adjudicator does not confirm a goal or target is given up."""


def hold_line(
    line: StalemateLine | str | Path,
    *,
    progress: Progress | None = None,
    limits: Limits = UNLIMITED,
) -> HoldResult:
    """Prove that a line holds, or find a position and orders that break it.

    `line` may be the path of a file (docs/holding-lines.md); `limits.files` says which files that
    may name. The line holds if after the phase no enemy unit is in its region or in the province of
    an own unit, and no own unit is dislodged, wherever the enemy units were outside the region and
    whatever they were ordered. `limits` bound the search; without them there is no limit.
    `progress` is called with a description of each step. An interrupt from the keyboard ends the
    search with the verdict `unknown`.

    Raises `FileError` or `DocumentError` with the place of a fault in the file, and the errors of
    `load_map` and `load_profile` for the map and the rules that it names.
    """
    with running(limits):
        if not isinstance(line, StalemateLine):
            line = read_line(line)
        judge = _PlanSearch if line.plan else _StandingSearch
        search = judge(line, progress or (lambda _: None))
        try:
            return search.run()
        except (ExhaustedError, KeyboardInterrupt) as end:
            return search.unknown(str(end) or INTERRUPTED)


class _Search(ABC):
    """Judges a line."""

    def __init__(self, line: StalemateLine, progress: Progress) -> None:
        self.line = line
        self.budget = budget_of()
        self.progress = progress
        self.refuted: list[str] = []
        """What should break the line, but under the rules did not."""

    @abstractmethod
    def run(self) -> HoldResult:
        """The verdict."""

    @property
    @abstractmethod
    def orders(self) -> tuple[str, ...]:
        """The own orders that the verdict is about."""

    def unknown(self, reason: str) -> HoldResult:
        """The result if the search ends without a verdict."""
        return HoldResult(self.line, UNKNOWN, self.orders, reason)

    def result(self, doubt: str) -> HoldResult:
        """The result if nothing breaks the line, with a reason why that is no proof, or ""."""
        return self.unknown(doubt) if doubt else HoldResult(self.line, HOLDS, self.orders)

    def broken(self, witness: HoldWitness) -> HoldResult:
        """The result if something breaks the line."""
        is_open = bool(self.line.open)
        return HoldResult(self.line, BREAKS, self.orders, "", is_open, witness)


# --- lines that stand -----------------------------------------------------------------------------


class _StandingSearch(_Search):
    """Judges a line whose units stay. The most that enemies can do against a unit is a matching, so
    no solver is needed (`dipsat.lines.certificate`)."""

    def __init__(self, line: StalemateLine, progress: Progress) -> None:
        super().__init__(line, progress)
        self.supports: Mapping[str, str] = line.supports
        self.beside = enemies_beside(line)

    @property
    def orders(self) -> tuple[str, ...]:
        return self.line.order_texts(self.supports)

    def run(self) -> HoldResult:
        for target in sorted(self.line.region & self.beside.keys()):
            self.progress(f"who could enter {target}?")
            entries = (((near, target),) for near in sorted(self.beside[target]))
            witness = self._confirmed(target, entries)
            if witness is not None:
                return self.broken(witness)
        standing = _StandingOrders(self.line)
        while (proposed := standing.propose(self.budget)) is not None:
            self.supports = proposed
            self.refuted.clear()
            found = self._first_dislodgement()
            if found is None:
                return self.result(self._doubt())
            target, defence, witness = found
            standing.learn(target, defence)
        if self.line.open and unchecked_rules(self.line.rules):
            # What the attacks found imply for other orders is proven only for checked rules.
            return self.unknown(
                f"the orders that were tried do not hold; whether that rules out all others was "
                f"not checked for the rules {self.line.rules.name!r}"
            )
        assert witness is not None  # orders are left until some attack breaks the last ones
        return self.broken(witness)

    def _doubt(self) -> str:
        """Why finding nothing is no proof, "" if it is."""
        line = self.line
        if self.refuted:
            return (
                f"attacks on {', '.join(self.refuted)} should break the line, but under the rules "
                f"{line.rules.name!r} the attacks that were tried do not"
            )
        changes = unchecked_rules(line.rules)
        if changes:
            return f"no attack was found that breaks the line, but {changes}"
        return _not_accepted(line, self._state)

    @property
    def _state(self) -> PlanState:
        return standing_state(replace(self.line, supports=self.supports))

    def _first_dislodgement(self) -> tuple[str, Defence, HoldWitness] | None:
        line = replace(self.line, supports=self.supports)
        for at, unit in enumerate(line.units, 1):
            self.progress(f"who could dislodge {unit}? ({at} of {len(line.units)})")
            self.budget.spend(QUESTION)
            defence = defence_of(line, unit.province, self.beside)
            if not defence.holds(line.enemy.units):
                witness = self._confirmed(unit.province, _attacks(unit.province, defence))
                if witness is not None:
                    return unit.province, defence, witness
        return None

    def _confirmed(self, target: str, attacks: Iterable[_Attack]) -> HoldWitness | None:
        """A witness that an attack on the target breaks the line, confirmed by the adjudicator."""
        for attack in islice(attacks, _MAX_REFUTED):
            self.budget.spend()
            witness = _witness(self.line, self._state, self._ordered(target, attack))
            if witness is not None:
                return witness
        self.refuted.append(target)
        return None

    def _ordered(self, target: str, attack: _Attack) -> Mapping[str, Mapping[str, str]]:
        """Power -> its units in an attack, with their orders."""
        line, found = self.line, dict[str, str]()
        units = {step: self._unit(*step) for step in attack}
        leader = units[attack[0]]
        for step in sorted(attack):
            unit, aim = units[step], step[1]
            helps = aim == target and unit != leader
            order = f"S {leader} - {target}" if helps else f"- {landing(line.map, unit, aim)}"
            found[str(unit)] = f"{unit} {order}"
        return {line.enemy.powers[0]: found}

    def _unit(self, origin: str, aim: str) -> Unit:
        """The first unit in a province that could move to another."""
        there = (unit for unit in self.line.enemies if unit.province == origin)
        reach = self.line.map.reach_provinces
        return next(unit for unit in there if aim in reach(unit.kind, unit.location))


_Attack = tuple[tuple[str, str], ...]
"""Where units are, and where they go, or support the first in going."""


def _attacks(target: str, defence: Defence) -> Iterator[_Attack]:
    """The attacks on a unit that have as few units as are needed. Each beside the first supports it
    or cuts a support."""
    cuts = [(origin, supporter) for supporter, origin in defence.cuts.items()]
    for lead in reversed(defence.attackers):
        supports = [(origin, target) for origin in defence.attackers if origin != lead]
        for helping in combinations([*supports, *cuts], len(defence.supporters) + 1):
            yield ((lead, target), *helping)


class _StandingOrders:
    """Proposes who supports whom. An open unit holds, or supports a neighbour to hold.

    An attack with k supports that cuts the units in C breaks every line in which fewer than k units
    outside C support its target; so `learn` requires k of them from then on.
    """

    def __init__(self, line: StalemateLine) -> None:
        self.line = line
        self.problem = CardinalityProblem()
        self.options = {
            (unit.province, aim): self.problem.unknown()
            for unit in line.units
            if unit.province in line.open
            for aim in line.can_support(unit)
        }
        for supporter in sorted(line.open):
            ways = [way for (one, _), way in self.options.items() if one == supporter]
            self.problem.at_most(1, ways)

    def propose(self, budget: Budget) -> Mapping[str, str] | None:
        """Supporting province -> supported province; None if no orders are left."""
        if not self.options:  # either the orders that are stated, or none
            return None if self.problem.clauses else self.line.supports
        names = [f"{supporter} S {aim}" for supporter, aim in self.options]
        found = solution_by_z3(self.problem, names, budget)
        if found is None:
            return None
        chosen = {
            one: aim for (one, aim), name in zip(self.options, names, strict=True) if name in found
        }
        return {**self.line.supports, **chosen}

    def learn(self, target: str, defence: Defence) -> None:
        """From now on, propose only orders that withstand the strongest attack of this kind."""
        most = self.line.enemy.units
        helping = len(defence.attackers) - 1
        helping = helping if most is None else min(helping, most - 1)
        cut = list(defence.cuts)[: None if most is None else most - 1 - helping]
        stated = [s for s, aim in self.line.supports.items() if aim == target and s not in cut]
        ways = [way for (one, aim), way in self.options.items() if aim == target and one not in cut]
        self.problem.at_least(helping - len(stated), ways)


# --- lines that move ------------------------------------------------------------------------------


class _PlanSearch(_Search):
    """Judges a line with a plan."""

    @property
    def orders(self) -> tuple[str, ...]:
        return self.line.plan[0].texts(self.line.map)

    def run(self) -> HoldResult:
        for number, state in enumerate(self.line.plan, 1):
            search = PlanSearch(self.line, state)
            for what, goal in search.goals():
                self.progress(f"state {number} of {len(self.line.plan)}: {what}")
                witness = self._confirmed(search, what, goal)
                if witness is not None:
                    return self.broken(witness)
        return self.result(self._doubt())

    def _doubt(self) -> str:
        """Why finding nothing is no proof, "" if it is."""
        line = self.line
        if self.refuted:
            return (
                f"the question {self.refuted[0]!r} has answers that should break the plan, but "
                f"under the rules {line.rules.name!r} those that were tried do not"
            )
        changes = unchecked_rules(line.rules, "moving-lines")
        if not changes and any(state.retreats for state in line.plan):
            changes = unchecked_rules(line.rules, "sure-retreats")
        if changes:
            return f"nothing was found that breaks the plan, but {changes}"
        for state in line.plan:
            reason = self._unproven(state) or _not_accepted(line, state)
            if reason:
                return reason
        return ""

    def _unproven(self, state: PlanState) -> str:
        """What of a state the equations do not cover, "" if they cover everything."""
        roles = PlanSearch(self.line, state).roles
        outward = {at for origins in roles.taps.values() for at in origins}
        kinds = self.line.map.provinces
        for unit, order in zip(state.units, state.orders, strict=True):
            at = unit.province
            if at in state.pushers and at in outward and kinds[state.moves[at]].kind == "sea":
                return f"a supported move to a sea where a convoy may be, such as that of {unit}"
            if isinstance(order, Convoy) and province_of(order.army.location) in outward:
                return f"a convoy to where enemies may stand, such as that of {unit}"
        seas = [at for at in roles.taps if kinds[at].kind == "sea"]
        if state.retreats and seas:
            return f"retreats beside a move to a sea where a convoy may be, such as {seas[0]}"
        both = roles.armies_could_block
        if both is not None:
            return f"moves to {both[0]} and to {both[1]}, to which a fleet there could convoy"
        return ""

    def _confirmed(self, search: PlanSearch, what: str, goal: str) -> HoldWitness | None:
        """A way to reach the goal that the adjudicator confirms, with few units."""
        tried: list[PlanAttack] = []
        found = None
        most = None
        try:
            while (attack := search.find(goal, self.budget, most, tried)) is not None:
                witness = self._witness(search, attack)
                if witness is not None:
                    found, most = witness, len(attack.roles) - 1
                    tried.clear()
                    if most < 0:
                        break
                    continue
                tried.append(attack)
                if len(tried) == _MAX_REFUTED:
                    break
        except (ExhaustedError, KeyboardInterrupt):
            if found is None:
                raise
        if found is None and tried:
            self.refuted.append(what)
        return found

    def _witness(self, search: PlanSearch, attack: PlanAttack) -> HoldWitness | None:
        powers = self.line.enemy.powers
        ordered: dict[str, dict[str, str]] = {powers[0]: {}}
        for role in attack.roles:
            # Another power's support counts against a unit where an own unit goes.
            second = role.unit.province in search.roles.taps and len(powers) > 1
            given = ordered.setdefault(powers[1 if second else 0], {})
            given[str(role.unit)] = search.roles.order_text(role)
        return _witness(self.line, search.state, ordered)


# --- witnesses ------------------------------------------------------------------------------------


def _witness(
    line: StalemateLine, state: PlanState, ordered: Mapping[str, Mapping[str, str]]
) -> HoldWitness | None:
    """The witness that enemies break a line in a state, given the powers with their units and the
    order of each; None if the adjudicator does not confirm it."""
    units = {power: tuple(orders) for power, orders in sorted(ordered.items())}
    orders = {power: tuple(given.values()) for power, given in sorted(ordered.items())}
    try:
        outcome = _replay(line, state, units, orders)
    except UnresolvedError:
        return None
    entered = tuple(sorted(_entered(line, outcome)))
    own, dislodged = _after_retreats(line.power, state, outcome)
    plan = line.plan or (state,)
    known = any(set(own) == {str(unit) for unit in other.units} for other in plan)
    if not entered and not dislodged and known:
        return None
    return HoldWitness(
        {line.power: tuple(str(unit) for unit in state.units), **units},
        {line.power: state.texts(line.map), **orders},
        entered,
        dislodged,
        outcome,
        () if known or dislodged else tuple(own),
    )


def _not_accepted(line: StalemateLine, state: PlanState) -> str:
    """That the rules refuse an own order, "" if they accept all."""
    for one in _replay(line, state, {}, {}).orders:
        if one.verdict in ("illegal", "invalid"):
            return f"the rules do not accept the order {one.order}"
    return ""


def _after_retreats(
    power: str, state: PlanState, outcome: Outcome
) -> tuple[list[str], tuple[str, ...]]:
    """The own units after their retreats, and those that cannot retreat as the state says."""
    aims = {
        one.unit: refuge
        for one in outcome.dislodged
        if one.power == power
        and (refuge := state.refuges.get(province_of(one.unit.split()[1]))) in one.retreats
    }
    goals = [province_of(refuge) for refuge in aims.values()]
    safe = {unit: to for unit, to in aims.items() if goals.count(province_of(to)) == 1}
    lost = (one.unit for one in outcome.dislodged if one.power == power and one.unit not in safe)
    retreated = (f"{unit.split()[0]} {refuge}" for unit, refuge in safe.items())
    return [*outcome.units.get(power, ()), *retreated], tuple(lost)


def _entered(line: StalemateLine, outcome: Outcome) -> Iterator[str]:
    """The provinces of the plan in which an enemy stands, or to which it may retreat."""
    for power, units in outcome.units.items():
        if power != line.power:
            yield from {province_of(unit.split()[1]) for unit in units} & line.closed
    for one in outcome.dislodged:
        if one.power != line.power:
            yield from {province_of(place) for place in one.retreats} & line.closed


def _replay(
    line: StalemateLine,
    state: PlanState,
    units: Mapping[str, Sequence[str]],
    orders: Mapping[str, Sequence[str]],
) -> Outcome:
    own = [str(unit) for unit in state.units]
    position = Position.from_units({line.power: own, **units}, line.map, FIRST_PHASE)
    given: dict[str, Sequence[str]] = {line.power: state.texts(line.map), **orders}
    with unlimited():
        return adjudicate(position, given, line.rules)
