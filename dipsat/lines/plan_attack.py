"""One phase of a plan against every enemy, as a question to a solver.

The own orders are known. For every province that an enemy could be in there are unknowns for what a
unit there does to the own units, and for each move whether it succeeds, with the equations of the
rules for these moves. What other enemy orders do is included: a unit that does nothing to the own
units may as well be absent, or stay where an own unit goes; and an army that comes by convoy can be
replaced by the last fleet of its convoy. Where the equations leave a choice, they allow too much,
never too little: ways that the rules do not allow are refuted by adjudicating them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dipsat.board.province import UnitKind, province_of
from dipsat.game.position import Unit
from dipsat.lines.line import PlanState, StalemateLine, enemies_outside, landing
from dipsat.orders.order import Convoy
from dipsat.solving.budget import Budget
from dipsat.solving.models import find_assignment
from dipsat.values import grouped

ENTER, BACK, HELP, PROP, STAY = "enters", "backs", "helps", "props", "stays"


@dataclass(frozen=True, slots=True)
class PlanRole:
    """What one enemy unit does.

    It goes to the province `aim`, supports the enemy unit `other` in going there, supports the own
    unit in `aim` in its move, supports the enemy unit in `aim` to hold, or stays.
    """

    unit: Unit
    action: str
    aim: str = ""
    other: Unit | None = None

    @property
    def symbol(self) -> str:
        """The name of the unknown that says whether the unit is there and does this."""
        return f"|{self.unit} {self.action} {self.aim} {self.other or ''}|"

    @property
    def success(self) -> str:
        """The name of the unknown that says whether the unit enters `aim`."""
        return f"|{self.unit} is in {self.aim}|"


class Roles:
    """The roles of enemy units in one phase of a plan.

    `closed` are the provinces without enemies at its start: those that the plan holds, and those of
    own units. `taps` maps each other province to the provinces of the own units that go there.
    """

    def __init__(self, line: StalemateLine, state: PlanState) -> None:
        self.line = line
        self.state = state
        self.closed = line.closed | state.by_province.keys()
        outward = ((to, at) for at, to in state.moves.items() if to not in self.closed)
        self.taps: Mapping[str, list[str]] = grouped(sorted(outward))
        self.enemies = tuple(enemies_outside(line.map, self.closed, line.enemy))
        self.reached = {
            unit: line.map.reach_provinces(unit.kind, unit.location) for unit in self.enemies
        }

    @cached_property
    def all(self) -> tuple[PlanRole, ...]:
        """Every role of every unit."""
        return tuple(self._all())

    @cached_property
    def entering(self) -> Mapping[str, list[PlanRole]]:
        """Province -> the roles of units that go there."""
        return grouped((role.aim, role) for role in self.all if role.action == ENTER)

    @cached_property
    def standing(self) -> Mapping[str, list[PlanRole]]:
        """Province -> the roles of a unit that is there."""
        return grouped((role.unit.province, role) for role in self.all)

    @cached_property
    def backing(self) -> Mapping[tuple[Unit, str], list[PlanRole]]:
        """A unit and where it goes -> the supports of that by other enemies."""
        return grouped(((r.other, r.aim), r) for r in self.all if r.action == BACK and r.other)

    def of(self, action: str, aim: str) -> tuple[PlanRole, ...]:
        """The roles with one action and aim."""
        return tuple(role for role in self.all if (role.action, role.aim) == (action, aim))

    def is_cut(self, unit: Unit, target: str) -> bool:
        """Whether own moves surely cut a support of a unit for something in `target`: they come
        from elsewhere."""
        return any(origin != target for origin in self.taps.get(unit.province, ()))

    def order_text(self, role: PlanRole) -> str:
        """The order of the unit."""
        if role.action == ENTER:
            return f"{role.unit} - {landing(self.line.map, role.unit, role.aim)}"
        if role.action == BACK:
            return f"{role.unit} S {role.other} - {role.aim}"
        if role.action == HELP:
            own = self.state.by_province[role.aim]
            return f"{role.unit} S {own} - {self.state.moves[role.aim]}"
        if role.action == PROP:
            return f"{role.unit} S {role.other}"
        return f"{role.unit} H"

    @property
    def armies_could_block(self) -> tuple[str, str] | None:
        """A sea and a coast beside it that own units both go to: a fleet in that sea could convoy
        an army to that coast, and no role stands for both."""
        for sea in self.taps:
            if self.line.map.provinces[sea].kind == "sea":
                beside = self.line.map.reach_provinces(UnitKind.FLEET, sea)
                for coast in self.taps:
                    if coast in beside and self.line.map.provinces[coast].kind == "coast":
                        return sea, coast
        return None

    def _all(self) -> Iterator[PlanRole]:
        goals = (*sorted(self.closed), *self.taps)
        near = {
            goal: [unit for unit in self.enemies if goal in self.reached[unit]] for goal in goals
        }
        for goal, units in near.items():
            for unit in units:
                yield PlanRole(unit, ENTER, goal)
                if self._matters(goal) and not self.is_cut(unit, goal):
                    others = (one for one in units if one.province != unit.province)
                    yield from (PlanRole(unit, BACK, goal, other) for other in others)
        for origin, target in self.state.moves.items():
            helpers = (unit for unit in near[target] if not self.is_cut(unit, target))
            yield from (PlanRole(unit, HELP, origin) for unit in helpers)
        for province in self.taps:
            yield from self._at_home(province)

    def _at_home(self, province: str) -> Iterator[PlanRole]:
        """Staying where an own unit goes, and supporting who stays there."""
        there = [unit for unit in self.enemies if unit.province == province]
        yield from (PlanRole(unit, STAY) for unit in there)
        for unit in self.enemies:
            if province in self.reached[unit] and unit.province not in self.taps:
                yield from (PlanRole(unit, PROP, province, other) for other in there)

    def _matters(self, goal: str) -> bool:
        """Whether the strength of a move there can matter: there is somebody to overcome."""
        return goal in self.state.by_province or goal in self.state.moves.values()


# --- the question ---------------------------------------------------------------------------------

_BITS = 7  # of a strength: a province has fewer than 100 neighbours
TRUE, FALSE = "true", "false"


@dataclass(frozen=True, slots=True)
class PlanAttack:
    """What the enemy units do in a way to break a plan."""

    roles: tuple[PlanRole, ...]


class PlanSearch:
    """Looks for ways to break a plan in one of its states."""

    def __init__(self, line: StalemateLine, state: PlanState) -> None:
        self.line = line
        self.state = state
        self.roles = Roles(line, state)
        self._text = "\n".join(self._equations())

    def goals(self) -> Iterator[tuple[str, str]]:
        """Every way in which the plan can break: in words, and as a formula."""
        state, roles = self.state, self.roles
        for province in sorted(self.roles.closed):
            entries = [role.success for role in roles.entering.get(province, ())]
            entered = any_of(entries)
            what = f"who could enter {province}?"
            if province not in self.line.closed:  # its unit may leave it to the enemy
                entered = self._dislodged(province)
                if province in state.refuges:
                    what = f"could the unit in {province} be dislodged without its retreat?"
                    entered = all_of((entered, self._barred(province)))
            if entries:
                yield what, entered
        if state.moves or state.retreats:
            yield "could the own units stand otherwise?", self._elsewhere()
        for province in sorted(self.line.closed - set(state.moves.values())):
            if province in state.moves or province not in state.by_province:
                retreat = self._retreat(province)
                if retreat != FALSE:
                    yield f"could a dislodged enemy retreat to {province}?", retreat

    def find(
        self,
        goal: str,
        budget: Budget,
        most: int | None = None,
        without: Sequence[PlanAttack] = (),
    ) -> PlanAttack | None:
        """What the enemy can do to reach a goal with at most `most` units, other than `without`;
        None if it cannot."""
        lines = [self._text, f"(assert {goal})"]
        if most is not None:
            lines.append(at_most(most, [role.symbol for role in self.roles.all]))
        for attack in without:
            lines.append(f"(assert {any_of(negated(role.symbol) for role in attack.roles)})")
        found = find_assignment("\n".join(lines), budget)
        if found is None:
            return None
        return PlanAttack(tuple(role for role in self.roles.all if role.symbol in found))

    def _elsewhere(self) -> str:
        """After the phase, the own units stand as in no state."""
        return all_of(negated(self._arranged(other)) for other in self.line.plan)

    def _arranged(self, other: PlanState) -> str:
        places = {(unit.kind, unit.location) for unit in other.units}
        each = []
        for unit in self.state.units:
            goal = self.state.goals.get(unit.province)
            refuge = self.state.refuges.get(unit.province)
            move = moved(unit.province, self.state)
            fell = FALSE if refuge is None else self._dislodged(unit.province)
            stayed = all_of((negated(move), negated(fell)))
            ways = ((unit.location, stayed), (goal, move), (refuge, fell))
            each.append(any_of(how for to, how in ways if (unit.kind, to) in places))
        return all_of(each)

    def _dislodged(self, province: str) -> str:
        """An enemy enters an own unit's province, and the unit does not leave it."""
        entries = any_of(role.success for role in self.roles.entering.get(province, ()))
        return all_of((entries, negated(moved(province, self.state))))

    def _barred(self, origin: str) -> str:
        """The unit dislodged from a province cannot retreat as the state says: an own unit stays
        in its refuge, goes there or retreats there, too, or an enemy's move there bounces.

        No enemy is in the refuge at the start, so no attack comes from there. An own move there
        either succeeds or bounces.
        """
        state, refuge = self.state, province_of(self.state.refuges[origin])
        convoys = isinstance(state.orders[state.units.index(state.by_province[origin])], Convoy)
        if convoys or refuge in state.moves.values() or refuge not in self.line.closed:
            return TRUE  # files state no retreat of a fleet that convoys, nor to where enemies are
        others = (at for at in state.refuges if at != origin)
        return any_of((
            negated(moved(refuge, state)) if refuge in state.by_province else FALSE,
            *(all_of((role.symbol, negated(self._harmless(role))))
              for role in self.roles.entering.get(refuge, ())),
            *(self._dislodged(at) for at in others if province_of(state.refuges[at]) == refuge),
        ))  # fmt: skip

    def _retreat(self, province: str) -> str:
        """A province that the plan holds is empty, nobody goes there, and an enemy beside it is
        dislodged, by an own unit from elsewhere or by another enemy power.

        An enemy that another dislodges supports nobody; and if it did not move, it could go to the
        empty province instead.
        """
        each = []
        for unit in self.roles.enemies:
            if province not in self.roles.reached[unit]:
                continue
            here = [role for role in self.roles.standing[unit.province] if role.unit == unit]
            own = self.roles.taps.get(unit.province, ())
            gone = any_of(role.success for role in here if role.action == ENTER)
            came = [moved(at, self.state) for at in own if at != province]
            each.append(all_of((any_of(role.symbol for role in here), negated(gone), any_of(came))))
            if len(self.line.enemy.powers) > 1:
                beaten = any_of(moved(at, self.state) for at in own)
                going = any_of(role.symbol for role in here if role.action == ENTER)
                each.append(all_of((going, negated(gone), negated(beaten))))
        quiet = any_of(role.symbol for role in self.roles.entering.get(province, ()))
        return all_of((moved(province, self.state) if province in self.state.by_province else TRUE,
                       negated(quiet), any_of(each)))  # fmt: skip

    def _equations(self) -> Iterator[str]:
        every, state = self.roles.all, self.state
        yield from (f"(declare-const {role.symbol} Bool)" for role in every)
        for role in every:
            if role.action == ENTER:
                yield f"(declare-const {role.success} Bool)"
                yield f"(assert (=> {role.success} {role.symbol}))"
            elif role.other is not None and role.action != PROP:
                yield f"(assert (=> {role.symbol} {PlanRole(role.other, ENTER, role.aim).symbol}))"
            elif role.other is not None:
                there = [r.symbol for r in self.roles.standing[role.aim] if r.unit == role.other]
                yield f"(assert (=> {role.symbol} {any_of(there)}))"
        for group in self.roles.standing.values():
            yield at_most(1, [role.symbol for role in group])
        if self.line.enemy.units is not None:
            yield at_most(self.line.enemy.units, [role.symbol for role in every])
        yield from (f"(declare-const {moved(at, state)} Bool)" for at in state.moves)
        for origin in state.moves:
            yield f"(assert (= {moved(origin, state)} {self._succeeds(origin)}))"
        for ring in state.rings():
            together = all_of(moved(at, state) for at in ring)
            yield f"(assert (=> {all_of(self._outdoes_rivals(at) for at in ring)} {together}))"
        for role in every:
            if role.action == ENTER and role.aim in self.roles.closed:
                enters = all_of((role.symbol, self._overcomes(role)))
                yield f"(assert (= {role.success} {enters}))"

    # Own moves

    def _push(self, origin: str, helped: bool = True) -> str:
        """The strength of the own move from a province, with the enemies' supports or without."""
        target = self.state.moves[origin]
        own = [self._uncut(at, target) for at in self.state.pushers.get(origin, ())]
        enemies = [role.symbol for role in self.roles.of(HELP, origin)] if helped else []
        return strength((*own, *enemies))

    def _uncut(self, supporter: str, target: str = "") -> str:
        """Nobody goes to the province of an own supporter, except from where the supported move
        goes, without dislodging it."""
        coming = self.roles.entering.get(supporter, ())
        return negated(any_of(
            role.success if role.unit.province == target else role.symbol for role in coming
        ))  # fmt: skip

    def _rivals(self, origin: str, push: str) -> str:
        """A push from a province is stronger than every other move to where it goes."""
        target = self.state.moves[origin]
        others = [at for at, to in self.state.moves.items() if to == target and at != origin]
        foes = self.roles.entering.get(target, ())
        return all_of((
            *(any_of((self._beaten(at), stronger(push, self._push(at)))) for at in others),
            *(any_of((negated(role.symbol), self._harmless(role), stronger(push, self._back(role))))
              for role in foes),
        ))  # fmt: skip

    def _beaten(self, origin: str) -> str:
        """An enemy beats an own move head-to-head, which then has no effect where it goes."""
        target = self.state.moves[origin]
        meeting = self.roles.entering.get(origin, ()) if self._by_land(origin) else ()
        return any_of(role.success for role in meeting if role.unit.province == target)

    def _outdoes_rivals(self, origin: str) -> str:
        return self._rivals(origin, self._push(origin))

    def _succeeds(self, origin: str) -> str:
        state, target = self.state, self.state.moves[origin]
        if target in self.roles.taps:
            return self._taps(origin)
        if target not in state.by_province:
            return self._outdoes_rivals(origin)
        swap = state.moves.get(target) == origin and not {origin, target} & state.carried
        if target not in state.moves or swap:
            return FALSE
        return all_of((moved(target, state), self._outdoes_rivals(origin)))

    def _taps(self, origin: str) -> str:
        """An own unit enters a province in which an enemy may be."""
        target = self.state.moves[origin]
        there = self.roles.standing.get(target, ())
        going = [role for role in there if role.action == ENTER]
        meeting = [role for role in going if role.aim == origin]
        left = any_of(role.success for role in going if role.aim != origin)
        empty = negated(any_of(role.symbol for role in there))
        full, push = self._push(origin), self._push(origin, len(self.line.enemy.powers) > 1)
        leaving = any_of(role.symbol for role in going)
        props = [role.symbol for role in self.roles.of(PROP, target)]
        overcomes = all_of((
            *(any_of((negated(role.symbol), stronger(push, self._back(role)))) for role in meeting),
            any_of((any_of(role.symbol for role in meeting), stronger(push, ite(
                leaving, strength(()), strength(props))))),
            self._rivals(origin, push),
        ))  # fmt: skip
        return any_of((
            all_of((any_of((empty, left)), self._rivals(origin, full))),
            all_of((negated(empty), negated(left), overcomes)),
        ))  # fmt: skip

    # Enemy moves

    def _back(self, role: PlanRole) -> str:
        """The strength of an enemy's move. An own move cuts a support for a move to where it comes
        from only if it succeeds."""
        given = []
        for support in self.roles.backing.get((role.unit, role.aim), ()):
            tapped = role.aim in self.roles.taps.get(support.unit.province, ())
            dislodged = moved(role.aim, self.state) if tapped else FALSE
            given.append(all_of((support.symbol, negated(dislodged))))
        return strength(given)

    def _harmless(self, role: PlanRole) -> str:
        """An own unit beats the enemy head-to-head, which then has no effect where it goes."""
        meets = self.state.moves.get(role.aim) == role.unit.province
        return moved(role.aim, self.state) if meets and self._by_land(role.aim) else FALSE

    def _by_land(self, origin: str) -> bool:
        return origin not in self.state.carried

    def _overcomes(self, role: PlanRole) -> str:
        """An enemy's move to a province without enemies succeeds."""
        state, aim, back = self.state, role.aim, self._back(role)
        rivals = [at for at, to in state.moves.items() if to == aim]
        others = [
            one for one in self.roles.entering[aim] if one.unit.province != role.unit.province
        ]
        needs = [stronger(back, self._push(at)) for at in rivals]
        needs += [
            any_of((negated(one.symbol), self._harmless(one), stronger(back, self._back(one))))
            for one in others
        ]
        if state.moves.get(aim) == role.unit.province and self._by_land(aim):
            needs.append(stronger(back, self._push(aim)))
        elif aim in state.moves:
            needs.append(any_of((moved(aim, state), stronger(back, strength(())))))
        elif aim in state.by_province:
            held = [self._uncut(at) for at in state.holders.get(aim, ())]
            needs.append(stronger(back, strength(held)))
        return all_of(needs)


def moved(origin: str, state: PlanState) -> str:
    """The unknown that says whether the own unit in a province goes where it is ordered to; false
    for a unit that is not ordered to go."""
    return f"|{origin} goes|" if origin in state.moves else FALSE


def at_most(number: int, symbols: Sequence[str]) -> str:
    """The assertion that at most `number` of these hold, "" if there are no more."""
    return f"(assert ((_ at-most {number}) {' '.join(symbols)}))" if number < len(symbols) else ""


def strength(supports: Iterable[str]) -> str:
    """1 and the number of supports that are given."""
    total = [_number(1), *(ite(one, _number(1), _number(0)) for one in supports)]
    while len(total) > 1:  # a balanced sum
        pairs = [total[at : at + 2] for at in range(0, len(total), 2)]
        total = [f"(bvadd {' '.join(pair)})" if len(pair) == 2 else pair[0] for pair in pairs]
    return total[0]


def stronger(one: str, other: str) -> str:
    """One strength is above the other."""
    return f"(bvugt {one} {other})"


def ite(test: str, one: str, other: str) -> str:
    """One value or another."""
    return f"(ite {test} {one} {other})"


def negated(formula: str) -> str:
    """Not this."""
    return {TRUE: FALSE, FALSE: TRUE}.get(formula, f"(not {formula})")


def any_of(formulas: Iterable[str]) -> str:
    """Some of these hold."""
    left = [one for one in formulas if one != FALSE]
    return TRUE if TRUE in left else f"(or {' '.join(left)})" if left else FALSE


def all_of(formulas: Iterable[str]) -> str:
    """All of these hold."""
    left = [one for one in formulas if one != TRUE]
    return FALSE if FALSE in left else f"(and {' '.join(left)})" if left else TRUE


def _number(value: int) -> str:
    return f"(_ bv{value} {_BITS})"
