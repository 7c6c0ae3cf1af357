"""Proving or refuting that a line of units holds against all enemy units and orders; and the answer
as an object and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any, ClassVar

from dipsat.base import (
    UNLIMITED,
    Column,
    Drawn,
    ExhaustedError,
    Limits,
    Part,
    Shown,
    Table,
    brief,
    fields_of,
    running,
    titled,
    unlimited,
)
from dipsat.board import province_of
from dipsat.errors import CertificateError, UnresolvedError
from dipsat.game import FIRST_PHASE, Position
from dipsat.orders import Convoy
from dipsat.outcomes import Outcome, adjudicate
from dipsat.searches.checked_rules import unchecked_rules
from dipsat.searches.line import (
    PlanState,
    StalemateLine,
    limits_of,
    state_to_dict,
)
from dipsat.searches.line_certificate import (
    Defence,
    certificate_of,
    defence_of,
    enemies_beside,
)
from dipsat.searches.line_file import read_line
from dipsat.searches.plan_attack import BACK, ENTER, PlanRole, PlanSearch, Roles
from dipsat.solving import (
    INTERRUPTED,
    QUESTION,
    Budget,
    CardinalityProblem,
    Progress,
    budget_of,
    solution_by_z3,
)

HOLDS, BREAKS, UNKNOWN = "holds", "breaks", "unknown"


@brief()
@dataclass(frozen=True, slots=True)
class HoldWitness:
    """A position with orders that breaks the line, confirmed by the adjudicator."""

    units: Mapping[str, tuple[str, ...]]
    """Power -> its units, including the own units."""
    orders: Mapping[str, tuple[str, ...]]
    """Power -> its orders, including the own orders."""
    entered: tuple[str, ...]
    """The provinces that enemy units entered."""
    dislodged: tuple[str, ...]
    """The own units that were dislodged, except those that retreat as their state says."""
    outcome: Outcome
    """The orders' outcome."""
    strayed: tuple[str, ...] = ()
    """The own units after the phase, if their positions match no state of the plan."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return fields_of(self, "outcome")


@brief()
@dataclass(frozen=True, slots=True)
class HoldResult(Drawn, Shown):
    """The result of proving or refuting a line. Made by `dipsat.searches.hold_line`."""

    _drawn_by: ClassVar[str] = "line"

    line: StalemateLine
    """The line; its open units have the orders that the verdict is about."""
    verdict: str
    """`holds`, `breaks` or `unknown`."""
    orders: tuple[str, ...]
    """The orders of the own units that the verdict is about. For open units, they are the orders
    found; if no orders hold, the last ones tried."""
    reason: str = ""
    """Why the verdict is `unknown`, else ""."""
    any_orders: bool = False
    """Whether the line breaks under any orders of the open units."""
    witness: HoldWitness | None = None
    """A position with orders that breaks the line; None if none was found."""

    @property
    def builds(self) -> tuple[str, ...]:
        """The centres where a new unit may be built and hold without changing the verdict `holds`:
        those behind the line that its units do not use. They are home centres of any power, or all
        centres if the map lets a power build in any centre that it owns."""
        if self.verdict != HOLDS:
            return ()
        board = self.line.map
        sites = board.homes if board.build in ("home", "home-any") else board.centers
        return tuple(code for code in board.centers if code in sites and code in self.line.vacant)

    def certificate(self) -> dict[str, Any]:
        """Return a proof that needs no solver: for each unit, who could attack it, who supports it,
        and a cover of all cuts of those supports. It consists of plain values, ready for JSON;
        docs/holding-lines.md describes it.

        Raises `CertificateError` unless the verdict is `holds`, and for a line that moves other
        than by sorties.
        """
        if self.verdict != HOLDS:
            raise CertificateError(
                f"the verdict is {self.verdict!r}; only lines that hold have one"
            )
        return certificate_of(self.line)

    def _parts(self) -> Iterable[Part]:
        line = self.line
        region = ", ".join(sorted(line.region)) or "only the provinces of the own units"
        about = [("Line", ", ".join(self.orders)), ("Region", region)]
        if line.plan:
            each = enumerate(line.plan, 1)
            about = [(f"State {at}", _state_text(line, state)) for at, state in each]
            about.append(("Closed", ", ".join(sorted(line.closed))))
        if line.derived:
            about.append(("", f"({line.derived})"))
        if limits := line.enemy.limits:
            about.append(("Enemy", limits))
        yield Table(tuple(about), (_LABEL,))
        yield ""
        yield Table(tuple(hold_answer(self)), (_LABEL,))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `dipsat search hold --json` prints them."""
        line = self.line
        return {
            "verdict": self.verdict,
            "rules": line.rules.name,
            "map": line.map.name,
            "region": sorted(line.region),
            "derived": line.derived,
            **fields_of(self, "line", "verdict"),
            **plan_to_dict(line),
            "builds": [*self.builds],
            "enemy": limits_of(line.enemy),
        }


def plan_to_dict(line: StalemateLine) -> dict[str, Any]:
    """The plan of a line as plain values: its states, each with units, orders and retreats, and
    outposts."""
    return {
        "states": [state_to_dict(state, line.map) for state in line.plan],
        "outposts": sorted(line.outposts),
    }


_LABEL = Column(width=7)
_WHOEVER = "wherever enemy armies and fleets stand outside of"


def _state_text(line: StalemateLine, state: PlanState) -> str:
    """The orders of a state, followed by the retreats."""
    orders, retreats = (", ".join(some) for some in (
        state.texts(line.map), state.retreat_texts(line.map)
    ))  # fmt: skip
    return f"{orders}; if dislodged, {retreats}" if retreats else orders


def hold_answer(result: HoldResult) -> Iterator[tuple[str, str]]:
    """The result in sentences, each after its label or ""."""
    if result.verdict == HOLDS and result.line.plan:
        yield from _planned(result)
    elif result.verdict == HOLDS:
        yield (
            "HOLDS",
            f"Proven under the rules {result.line.rules.name}: {_WHOEVER} the region, and whatever "
            "their orders, supports and convoys included, no enemy enters the region and no "
            "unit of the line is dislodged.",
        )
        yield (
            "",
            "After the phase the line and the region are as they were, so the same orders hold for "
            "ever, as long as the enemy keeps to the limits stated and builds nothing in the "
            f"region.{_built(result)}",
        )
    elif result.witness is not None:
        yield from _broken(result, result.witness)
    else:
        yield "UNKNOWN", f"{result.reason}."


def _built(result: HoldResult) -> str:
    """A sentence about new own units, if it is proven that they change nothing."""
    if not result.builds:
        return ""
    *others, last = result.builds
    where = f"{', '.join(others)} or {last}" if others else last
    return f" An own unit that is built in {where} and holds there changes nothing."


def _planned(result: HoldResult) -> Iterator[tuple[str, str]]:
    line = result.line
    retreats = any(state.retreats for state in line.plan)
    safe = "each own unit that is dislodged can retreat as its state says"
    yield (
        "HOLDS",
        f"Proven under the rules {line.rules.name}, in each state: {_WHOEVER} the closed provinces "
        "and those of the own units, and whatever their orders, supports of own moves "
        "included, after the phase no enemy stands in a closed province, "
        f"{safe if retreats else 'no own unit is dislodged'}, "
        f"and the own units {'then ' if retreats else ''}stand as one of the states says.",
    )
    yield (
        "",
        "So the orders of the state in which the units then stand hold again, and so on for ever, "
        "as long as the enemy keeps to the limits stated and builds nothing in the closed "
        f"provinces.{_built(result)}",
    )


def _broken(result: HoldResult, witness: HoldWitness) -> Iterator[tuple[str, str]]:
    line = result.line
    inside = {province_of(unit.split()[1]) for p, u in witness.outcome.units.items()
              if p != line.power for unit in u}  # fmt: skip
    refuges = _refuges(line, witness)
    what = [
        f"{unit} is dislodged" + (f" and cannot retreat to {refuges[at]}" if at in refuges else "")
        for unit in witness.dislodged
        for at in [province_of(unit.split()[1])]
    ]
    what += [
        f"an enemy {'stands in' if province in inside else 'may retreat to'} {province}"
        for province in witness.entered
    ]
    if witness.strayed:
        what.append(f"the own units' positions match no state: {', '.join(witness.strayed)}")
    start = "No orders of the open units hold; against these: " if result.any_orders else ""
    yield "BREAKS", f"{start}{'; '.join(what)}. Adjudicated with these orders:"
    shown = [line.power] if line.plan else []
    for power in (*shown, *(name for name in witness.orders if name != line.power)):
        yield from (("", f"{titled(power)}: {order}") for order in witness.orders[power])


def _refuges(line: StalemateLine, witness: HoldWitness) -> Mapping[str, str]:
    """Province -> the place where its own unit should retreat to, in the state that the witness
    breaks."""
    orders = witness.orders[line.power]
    found = (state.refuges for state in line.plan if state.texts(line.map) == orders)
    return next(found, {})


_MAX_REFUTED = 20
"""After this many attacks that the adjudicator does not confirm, a goal or target is given up."""


def hold_line(
    line: StalemateLine | str | Path,
    *,
    progress: Progress | None = None,
    limits: Limits = UNLIMITED,
) -> HoldResult:
    """Prove that a line holds, or find a position and orders that break it.

    `line` may be the path of a file (docs/holding-lines.md); `limits.files` says which files it may
    name. The line holds if after the phase no enemy unit is in its region or in the province of an
    own unit, and no own unit is dislodged, for all positions of enemy units outside the region and
    all their orders. `limits` bound the search; without them there is no limit. `progress` is
    called with a description of each step. An interrupt from the keyboard ends the search with the
    verdict `unknown`.

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
            return search.result(UNKNOWN, str(end) or INTERRUPTED)


class _Search:
    """Judges a line: `run` asks about one case after another whether an attack breaks it."""

    def __init__(self, line: StalemateLine, progress: Progress) -> None:
        self.line = line
        self.budget = budget_of()
        self.progress = progress
        self.refuted: list[str] = []
        """Attacks, by target or goal, that should break the line but did not under the rules."""

    def result(
        self, verdict: str, reason: str = "", broken: HoldWitness | None = None
    ) -> HoldResult:
        """The result; with a witness, orders of open units were tried if there are any."""
        is_any = broken is not None and bool(self.line.open)
        return HoldResult(self.line, verdict, self.line.first_orders, reason, is_any, broken)

    def proven(self) -> HoldResult:
        """The result if nothing breaks the line."""
        doubt = self._doubt()
        return self.result(UNKNOWN if doubt else HOLDS, doubt)

    def _doubt(self) -> str:
        """Why finding nothing is not a proof; "" if it is."""
        line, rules = self.line, f"under the rules {self.line.rules.name!r}"
        proofs, found = ["holding-lines"], "no attack was found that breaks the line"
        if line.plan:
            proofs, found = ["moving-lines"], "nothing was found that breaks the plan"
            proofs += ["sure-retreats"] if any(state.retreats for state in line.plan) else []
        if self.refuted and line.plan:
            return (
                f"the question {self.refuted[0]!r} has answers that should break the plan, but "
                f"{rules} those that were tried do not"
            )
        if self.refuted:
            return (
                f"attacks on {', '.join(self.refuted)} should break the line, but {rules} the "
                "attacks that were tried do not"
            )
        for proof in proofs:
            if changes := unchecked_rules(line.rules, proof):
                return f"{found}, but {changes}"
        reasons = (_unproven(line, one) or _not_accepted(line, one) for one in line.states)
        return next(filter(None, reasons), "")


# --- lines that stand -----------------------------------------------------------------------------


class _StandingSearch(_Search):
    """Judges a line whose units stay. The strongest attack on a unit is a matching, so no solver is
    needed (`dipsat.searches.line_certificate`)."""

    def run(self) -> HoldResult:
        beside = enemies_beside(self.line)
        for target in sorted(self.line.region & beside.keys()):
            self.progress(f"who could enter {target}?")
            entries = (_entry(self.line, near, target) for near in sorted(beside[target]))
            witness = self._confirmed(target, ((one,) for one in entries))
            if witness is not None:
                return self.result(BREAKS, "", witness)
        standing = _StandingOrders(self.line)
        while (proposed := standing.propose(self.budget)) is not None:
            self.line = replace(self.line, supports=proposed)
            self.refuted.clear()
            found = self._first_dislodgement(beside)
            if found is None:
                return self.proven()
            target, defence, witness = found
            standing.learn(target, defence)
        if self.line.open and unchecked_rules(self.line.rules):
            # That the attacks found rule out other orders is proven only for checked rules.
            return self.result(
                UNKNOWN,
                f"the orders that were tried do not hold; whether that rules out all others was "
                f"not checked for the rules {self.line.rules.name!r}",
            )
        # Orders only run out after some attack broke the last ones.
        return self.result(BREAKS, "", witness)

    def _first_dislodgement(
        self, beside: Mapping[str, frozenset[str]]
    ) -> tuple[str, Defence, HoldWitness] | None:
        line = self.line
        for at, unit in enumerate(line.units, 1):
            self.progress(f"who could dislodge {unit}? ({at} of {len(line.units)})")
            self.budget.spend(QUESTION)
            defence = defence_of(line, unit.province, beside)
            if not defence.holds(line.enemy.units):
                witness = self._confirmed(unit.province, _attacks(line, unit.province, defence))
                if witness is not None:
                    return unit.province, defence, witness
        return None

    def _confirmed(self, target: str, attacks: Iterable[Sequence[PlanRole]]) -> HoldWitness | None:
        """A witness, confirmed by the adjudicator, that an attack on the target breaks the line."""
        (state,) = self.line.states
        for attack in islice(attacks, _MAX_REFUTED):
            self.budget.spend()
            witness = _witness(self.line, state, attack)
            if witness is not None:
                return witness
        self.refuted.append(target)
        return None


def _attacks(line: StalemateLine, target: str, defence: Defence) -> Iterator[Sequence[PlanRole]]:
    """The attacks on a unit with no more units than needed. Each unit after the first supports it
    or cuts a support."""
    entries = [_entry(line, origin, target) for origin in defence.attackers]
    cuts = [_entry(line, origin, supporter) for supporter, origin in defence.cuts.items()]
    for lead in reversed(entries):
        supports = [PlanRole(one.unit, BACK, target, lead.unit) for one in entries if one != lead]
        for helping in combinations([*supports, *cuts], len(defence.supporters) + 1):
            yield sorted((lead, *helping), key=lambda role: role.unit.province)


def _entry(line: StalemateLine, origin: str, aim: str) -> PlanRole:
    """The move of the first enemy unit in a province that could go to another."""
    reach = line.map.reach_provinces
    return next(
        PlanRole(unit, ENTER, aim)
        for unit in line.enemies
        if unit.province == origin and aim in reach(unit.kind, unit.location)
    )


class _StandingOrders:
    """Proposes who supports whom. An open unit holds, or supports a neighbour to hold.

    An attack with k supports that cuts the units in C breaks every line in which fewer than k units
    outside C support its target; so `learn` requires k of them from then on.
    """

    def __init__(self, line: StalemateLine) -> None:
        self.most = line.enemy.units
        self.stated = {one: aim for one, aim in line.supports.items() if one not in line.open}
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
        """Propose supporting province -> supported province; None if no orders are left."""
        if not self.options:  # either the stated orders, or none
            return None if self.problem.clauses else self.stated
        names = [f"{supporter} S {aim}" for supporter, aim in self.options]
        found = solution_by_z3(self.problem, names, budget)
        if found is None:
            return None
        chosen = {
            one: aim for (one, aim), name in zip(self.options, names, strict=True) if name in found
        }
        return {**self.stated, **chosen}

    def learn(self, target: str, defence: Defence) -> None:
        """From now on, propose only orders that withstand the strongest attack of this kind."""
        most, helping = self.most, len(defence.attackers) - 1
        helping = helping if most is None else min(helping, most - 1)
        cut = list(defence.cuts)[: None if most is None else most - 1 - helping]
        stated = [one for one, aim in self.stated.items() if aim == target and one not in cut]
        ways = [way for (one, aim), way in self.options.items() if aim == target and one not in cut]
        self.problem.at_least(helping - len(stated), ways)


# --- lines that move ------------------------------------------------------------------------------


class _PlanSearch(_Search):
    """Judges a line with a plan."""

    def run(self) -> HoldResult:
        for number, state in enumerate(self.line.plan, 1):
            search = PlanSearch(self.line, state, self.budget)
            for what, goal in search.goals():
                self.progress(f"state {number} of {len(self.line.plan)}: {what}")
                witness = self._confirmed(search, what, goal)
                if witness is not None:
                    return self.result(BREAKS, "", witness)
        return self.proven()

    def _confirmed(self, search: PlanSearch, what: str, goal: int) -> HoldWitness | None:
        """A way to reach the goal that the adjudicator confirms, with few units."""
        refuted, found, most = 0, None, None
        try:
            while refuted < _MAX_REFUTED and (attack := search.find(goal, most)) is not None:
                witness = _witness(self.line, search.state, attack)
                if witness is None:
                    refuted += 1
                    search.exclude(goal, attack)
                    continue
                refuted, found, most = 0, witness, len(attack) - 1
                if most < 0:
                    break
        except (ExhaustedError, KeyboardInterrupt):
            if found is None:
                raise
        if found is None and refuted:
            self.refuted.append(what)
        return found


def _unproven(line: StalemateLine, state: PlanState) -> str:
    """The part of a state that the equations do not cover; "" if they cover everything."""
    roles, kinds = Roles(line, state), line.map.provinces
    outward = {at for origins in roles.taps.values() for at in origins}
    for unit, order in zip(state.units, state.orders, strict=True):
        at = unit.province
        if at in state.pushers and at in outward and kinds[state.moves[at]].kind == "sea":
            return f"a supported move to a sea where a convoy may be, such as that of {unit}"
        if isinstance(order, Convoy) and province_of(order.army.location) in outward:
            return f"a convoy to where enemies may stand, such as that of {unit}"
    seas = [at for at in roles.taps if kinds[at].kind == "sea"]
    if state.retreats and seas:
        return f"retreats beside a move to a sea where a convoy may be, such as {seas[0]}"
    if (both := roles.armies_could_block) is not None:
        return f"moves to {both[0]} and to {both[1]}, to which a fleet there could convoy"
    return ""


# --- witnesses ------------------------------------------------------------------------------------


def _witness(
    line: StalemateLine, state: PlanState, attack: Iterable[PlanRole]
) -> HoldWitness | None:
    """The witness that an attack breaks a line in a state; None if the adjudicator does not confirm
    it."""
    powers, entered_by_own = line.enemy.powers, {*state.moves.values()}
    units: dict[str, tuple[str, ...]] = {powers[0]: ()}
    orders = dict(units)
    for role in attack:
        # Against a unit in an own unit's target, only another power's support counts.
        power = powers[role.unit.province in entered_by_own and len(powers) > 1]
        units[power] = (*units.get(power, ()), str(role.unit))
        orders[power] = (*orders.get(power, ()), role.order_text(line.map, state))
    units, orders = dict(sorted(units.items())), dict(sorted(orders.items()))
    try:
        outcome = _replay(line, state, units, orders)
    except UnresolvedError:
        return None
    entered = tuple(sorted(_entered(line, outcome)))
    own, dislodged = _after_retreats(line.power, state, outcome)
    known = any(set(own) == {str(unit) for unit in other.units} for other in line.states)
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
    """A sentence about an own order that the rules refuse; "" if they accept all."""
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
    """The provinces of the plan where an enemy stands or which it may retreat to."""
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
