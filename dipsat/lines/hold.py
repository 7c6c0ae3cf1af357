"""Proving or refuting that a line of units holds, whatever units the enemy has and orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dipsat.board.province import province_of
from dipsat.errors import UnresolvedError
from dipsat.game.position import FIRST_PHASE, Position
from dipsat.limits import UNLIMITED, ExhaustedError, Limits, running, unlimited
from dipsat.lines.attack import Attack, AttackSearch, at_least, at_most
from dipsat.lines.hold_result import BREAKS, HOLDS, UNKNOWN, HoldResult, HoldWitness
from dipsat.lines.line import PlanState, StalemateLine
from dipsat.lines.line_file import read_line
from dipsat.lines.plan_attack import PlanAttack, PlanSearch
from dipsat.openorders.checked_rules import unchecked_rules
from dipsat.orders.order import Convoy
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.outcome import Outcome
from dipsat.solving.budget import INTERRUPTED, Budget, Progress, budget_of
from dipsat.solving.models import find_assignment

MAX_REFUTED = 20
"""After how many attacks that the adjudicator does not confirm a goal or target is given up."""


class HoldPlanSearch:
    """Judges a line with a plan."""

    def __init__(self, line: StalemateLine, progress: Progress) -> None:
        self.line = line
        self.budget = budget_of()
        self.progress = progress
        self.refuted: list[str] = []

    def run(self) -> HoldResult:
        """The verdict."""
        for number, state in enumerate(self.line.plan, 1):
            search = PlanSearch(self.line, state)
            for what, goal in search.goals():
                self.progress(f"state {number} of {len(self.line.plan)}: {what}")
                witness = self._confirmed(search, what, goal)
                if witness is not None:
                    return self._result(BREAKS, witness=witness)
        reason = self._doubt()
        return self.unknown(reason) if reason else self._result(HOLDS)

    def unknown(self, reason: str) -> HoldResult:
        """The result if the search ends without a verdict."""
        return self._result(UNKNOWN, reason)

    def _result(
        self, verdict: str, reason: str = "", witness: HoldWitness | None = None
    ) -> HoldResult:
        orders = self.line.plan[0].texts(self.line.map)
        return HoldResult(self.line, verdict, orders, reason, witness=witness)

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
            reason = self._unproven(state)
            if reason:
                return reason
            for one in _replay(line, state, {}, {}).orders:
                if one.verdict in ("illegal", "invalid"):
                    return f"the rules do not accept the order {one.order}"
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
                if len(tried) == MAX_REFUTED:
                    break
        except (ExhaustedError, KeyboardInterrupt):
            if found is None:
                raise
        if found is None and tried:
            self.refuted.append(what)
        return found

    def _witness(self, search: PlanSearch, attack: PlanAttack) -> HoldWitness | None:
        line, state = self.line, search.state
        units: dict[str, list[str]] = {}
        orders: dict[str, list[str]] = {}
        for role in attack.roles:
            # Another power's support counts against a unit where an own unit goes.
            second = role.unit.province in search.roles.taps and len(line.enemy.powers) > 1
            power = line.enemy.powers[1 if second else 0]
            units.setdefault(power, []).append(str(role.unit))
            orders.setdefault(power, []).append(search.roles.order_text(role))
        units.setdefault(line.enemy.powers[0], [])
        orders.setdefault(line.enemy.powers[0], [])
        try:
            outcome = _replay(line, state, units, orders)
        except UnresolvedError:
            return None
        entered = tuple(sorted(_entered(line, outcome)))
        own, dislodged = _after_retreats(line.power, state, outcome)
        known = any(set(own) == {str(unit) for unit in other.units} for other in line.plan)
        if not entered and not dislodged and known:
            return None
        return HoldWitness(
            {line.power: tuple(str(unit) for unit in state.units), **_tuples(units)},
            {line.power: state.texts(line.map), **_tuples(orders)},
            entered,
            dislodged,
            outcome,
            () if known or dislodged else tuple(own),
        )


def _tuples(lists: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(value) for key, value in sorted(lists.items())}


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
    units: dict[str, list[str]],
    orders: dict[str, list[str]],
) -> Outcome:
    own = [str(unit) for unit in state.units]
    position = Position.from_units({line.power: own, **units}, line.map, FIRST_PHASE)
    given: dict[str, Sequence[str]] = {line.power: state.texts(line.map), **orders}
    with unlimited():
        return adjudicate(position, given, line.rules)


# --- lines that stand -----------------------------------------------------------------------------


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
        judge = HoldPlanSearch if line.plan else _HoldSearch
        search = judge(line, progress or (lambda _: None))
        try:
            return search.run()
        except (ExhaustedError, KeyboardInterrupt) as end:
            return search.unknown(str(end) or INTERRUPTED)


@dataclass(frozen=True, slots=True)
class _Found:
    attack: Attack
    witness: HoldWitness


class _HoldSearch:
    def __init__(self, line: StalemateLine, progress: Progress) -> None:
        self.line = line
        self.budget = budget_of()
        self.progress = progress
        self.supports: Mapping[str, str] = line.supports
        self.refuted: list[str] = []

    def run(self) -> HoldResult:
        found = next(self._entries(), None)
        if found is not None:
            return self._breaks(found)
        standing = _StandingOrders(self.line)
        while True:
            proposed = standing.propose(self.budget)
            if proposed is None:  # only after an attack has been found
                assert found is not None
                return self._none_left(found)
            self.supports = proposed
            self.refuted.clear()
            found = self._first_dislodgement()
            if found is None:
                return self._holds()
            standing.learn(found.attack)

    def unknown(self, reason: str) -> HoldResult:
        return HoldResult(self.line, UNKNOWN, self.line.order_texts(self.supports), reason=reason)

    def _holds(self) -> HoldResult:
        if self.refuted:
            return self.unknown(
                f"attacks on {', '.join(self.refuted)} should break the line, but under the rules "
                f"{self.line.rules.name!r} the attacks that were tried do not"
            )
        changes = unchecked_rules(self.line.rules)
        if changes:
            return self.unknown(f"no attack was found that breaks the line, but {changes}")
        quiet = self._replay((), ())
        refused = [one.order for one in quiet.orders if one.verdict in ("illegal", "invalid")]
        if refused:
            return self.unknown(f"the rules do not accept the order {refused[0]}")
        return HoldResult(self.line, HOLDS, self.line.order_texts(self.supports))

    def _none_left(self, found: _Found) -> HoldResult:
        """The result if no orders withstand the attacks found. What those attacks imply for other
        orders is proven only for checked rules."""
        if self.line.open and unchecked_rules(self.line.rules):
            return self.unknown(
                f"the orders that were tried do not hold; whether that rules out all others was "
                f"not checked for the rules {self.line.rules.name!r}"
            )
        return self._breaks(found)

    def _breaks(self, found: _Found) -> HoldResult:
        orders = self.line.order_texts(self.supports)
        return HoldResult(self.line, BREAKS, orders, "", bool(self.line.open), self._smaller(found))

    def _entries(self) -> Iterator[_Found]:
        """Ways into the provinces of the region."""
        for target in sorted(self.line.region):
            attack = AttackSearch(self.line, target, ())
            if attack.is_possible:
                self.progress(f"who could enter {target}?")
                found = self._confirmed(attack)
                if found is not None:
                    yield found

    def _first_dislodgement(self) -> _Found | None:
        for at, unit in enumerate(self.line.units, 1):
            self.progress(f"who could dislodge {unit}? ({at} of {len(self.line.units)})")
            attack = AttackSearch(self.line, unit.province, self._supporters(unit.province))
            found = self._confirmed(attack) if attack.is_possible else None
            if found is not None:
                return found
        return None

    def _supporters(self, province: str) -> list[str]:
        return [supporter for supporter, aim in self.supports.items() if aim == province]

    def _confirmed(self, search: AttackSearch, most: int | None = None) -> _Found | None:
        """An attack for which the adjudicator confirms that it breaks the line."""
        tried: list[Attack] = []
        while (attack := search.find(self.budget, most, tried)) is not None:
            witness = self._witness(attack)
            if witness is not None:
                return _Found(attack, witness)
            tried.append(attack)
            if len(tried) == MAX_REFUTED:
                break
        if tried and most is None:
            self.refuted.append(search.target)
        return None

    def _smaller(self, found: _Found) -> HoldWitness:
        """A witness with the same target and as few enemy units as can be found in time."""
        target = found.attack.target
        search = AttackSearch(self.line, target, self._supporters(target))
        try:
            while len(found.attack.roles) > 1:
                fewer = self._confirmed(search, len(found.attack.roles) - 1)
                if fewer is None:
                    break
                found = fewer
        except (ExhaustedError, KeyboardInterrupt):
            pass
        return found.witness

    def _witness(self, attack: Attack) -> HoldWitness | None:
        units = tuple(str(role.unit) for role in attack.roles)
        orders = attack.orders(self.line.map)
        try:
            outcome = self._replay(units, orders)
        except UnresolvedError:
            return None
        line, enemy = self.line, self.line.enemy.powers[0]
        standing = {province_of(unit.split()[1]) for unit in outcome.units.get(enemy, ())}
        entered = sorted(standing & (line.region | line.by_province.keys()))
        dislodged = [one.unit for one in outcome.dislodged if one.power == line.power]
        if not entered and not dislodged:
            return None
        own = tuple(str(unit) for unit in line.units)
        return HoldWitness(
            {line.power: own, enemy: units},
            {line.power: line.order_texts(self.supports), enemy: orders},
            tuple(entered),
            tuple(dislodged),
            outcome,
        )

    def _replay(self, units: tuple[str, ...], orders: tuple[str, ...]) -> Outcome:
        line, enemy = self.line, self.line.enemy.powers[0]
        own = [str(unit) for unit in line.units]
        position = Position.from_units({line.power: own, enemy: units}, line.map, FIRST_PHASE)
        given = {line.power: line.order_texts(self.supports), enemy: orders}
        with unlimited():
            return adjudicate(position, given, line.rules)


class _StandingOrders:
    """Proposes who supports whom. An open unit holds, or supports a neighbour to hold.

    An attack with k supports that cuts the units in C breaks every line in which fewer than k units
    outside C support its target; so `learn` requires k of them from then on.
    """

    def __init__(self, line: StalemateLine) -> None:
        self.line = line
        self._options = {
            (unit.province, aim): f"|{unit.province} S {aim}|"
            for unit in line.units
            if unit.province in line.open
            for aim in line.can_support(unit)
        }
        self._text = [f"(declare-const {name} Bool)" for name in self._options.values()]
        for supporter in sorted(line.open):
            names = [name for (one, _), name in self._options.items() if one == supporter]
            self._text.append(at_most(1, names))

    def propose(self, budget: Budget) -> Mapping[str, str] | None:
        """Supporting province -> supported province; None if no orders are left."""
        found = find_assignment("\n".join(self._text), budget)
        if found is None:
            return None
        chosen = {one: aim for (one, aim), name in self._options.items() if name in found}
        return {**self.line.supports, **chosen}

    def learn(self, attack: Attack) -> None:
        """From now on, propose only orders that withstand this attack."""
        stated = [s for s, aim in self.line.supports.items() if aim == attack.target]
        needed = attack.supports - len(set(stated) - attack.cut)
        names = [
            name
            for (supporter, aim), name in self._options.items()
            if aim == attack.target and supporter not in attack.cut
        ]
        self._text.append(at_least(needed, names))
