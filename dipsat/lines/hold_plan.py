"""Proving or refuting that a plan holds: by induction over its states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dipsat.board.province import province_of
from dipsat.errors import UnresolvedError
from dipsat.game.position import FIRST_PHASE, Position
from dipsat.limits import ExhaustedError, unlimited
from dipsat.lines.hold_result import BREAKS, HOLDS, UNKNOWN, HoldResult, HoldWitness
from dipsat.lines.line import StalemateLine
from dipsat.lines.plan import PlanState
from dipsat.lines.plan_attack import PlanAttack, PlanSearch
from dipsat.openorders.checked_rules import unchecked_rules
from dipsat.orders.order import Convoy
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.outcome import Outcome
from dipsat.solving.budget import Progress, budget_of

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
