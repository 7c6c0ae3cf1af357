"""One phase of a plan against every enemy, as a question to a solver.

The own orders are known. For every province that an enemy could be in, there are unknowns for the
effects of a unit there on the own units, and for whether each move succeeds, with the equations of
the rules for these moves. The effects of other enemy orders are covered. A unit that does nothing
to the own units may as well be absent, or stay where an own unit goes. An army that comes by convoy
can be replaced by the last fleet of its convoy. Where the equations leave a choice, they allow too
much, never too little: adjudication refutes ways that the rules do not allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dipsat.base import grouped
from dipsat.board import Map, UnitKind, province_of
from dipsat.equations import Key, Levels, Number
from dipsat.orders import Convoy, Unit
from dipsat.searches.line import PlanState, StalemateLine, enemies_outside, landing
from dipsat.solving import FALSE, TRUE, Z3, Budget, Gates, clause_solver

ENTER, BACK, HELP, PROP, STAY = "enters", "backs", "helps", "props", "stays"


@dataclass(frozen=True, slots=True)
class PlanRole:
    """The action of one enemy unit.

    It goes to the province `aim`, supports the enemy unit `other` in going there, supports the move
    of the own unit in `aim`, supports the enemy unit in `aim` to hold, or stays.
    """

    unit: Unit
    action: str
    aim: str = ""
    other: Unit | None = None

    def order_text(self, board: Map, state: PlanState) -> str:
        """The unit's order, against own units in a state."""
        if self.action == ENTER:
            return f"{self.unit} - {landing(board, self.unit, self.aim)}"
        if self.action == HELP:
            return f"{self.unit} S {state.by_province[self.aim]} - {state.moves[self.aim]}"
        if self.action == STAY:
            return f"{self.unit} H"
        return f"{self.unit} S {self.other}{f' - {self.aim}' if self.action == BACK else ''}"


class Roles:
    """The roles of enemy units in one phase of a plan.

    `closed` are the provinces without enemies at the start: those that the plan holds, and those of
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
    def standing(self) -> Mapping[str, list[PlanRole]]:
        """Province -> the roles of a unit that is there."""
        return grouped((role.unit.province, role) for role in self.all)

    @cached_property
    def _by_aim(self) -> Mapping[tuple[str, str], list[PlanRole]]:
        return grouped(((role.action, role.aim), role) for role in self.all)

    def of(self, action: str, aim: str) -> Sequence[PlanRole]:
        """The roles with one action and aim."""
        return self._by_aim.get((action, aim), ())

    def is_cut(self, unit: Unit, target: str) -> bool:
        """Whether own moves certainly cut a unit's support for something in `target`: they come
        from elsewhere."""
        return any(origin != target for origin in self.taps.get(unit.province, ()))

    @property
    def armies_could_block(self) -> tuple[str, str] | None:
        """A sea and a coast next to it that own units both go to: a fleet in the sea could convoy
        an army to the coast, and no role covers both."""
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
        """The roles of staying where an own unit goes, and of supporting units that stay."""
        there = [unit for unit in self.enemies if unit.province == province]
        yield from (PlanRole(unit, STAY) for unit in there)
        for unit in self.enemies:
            if province in self.reached[unit] and unit.province not in self.taps:
                yield from (PlanRole(unit, PROP, province, other) for other in there)

    def _matters(self, goal: str) -> bool:
        """Whether the strength of a move there can matter, as there is somebody to overcome."""
        return goal in self.state.by_province or goal in self.state.moves.values()


# --- the question ---------------------------------------------------------------------------------


class PlanSearch:
    """Looks for ways to break a plan in one of its states."""

    def __init__(self, line: StalemateLine, state: PlanState, budget: Budget) -> None:
        self.line, self.state, self.roles = line, state, Roles(line, state)
        self.gates = Gates()
        self.levels: Levels[int] = Levels(self.gates, dict[Key, Number[int]]().__getitem__)
        self.any_of, self.all_of = self.gates.any_of, self.gates.all_of
        self.there = {role: self.gates.variable() for role in self.roles.all}
        """Whether a unit is there and does this."""
        entering = [role for role in self.roles.all if role.action == ENTER]
        self.success = {role: self.gates.variable() for role in entering}
        """Whether a unit enters its target."""
        self._moves = {at: self.gates.variable() for at in state.moves}
        self._require()
        self._solver = clause_solver(Z3, budget)

    def goals(self) -> Iterator[tuple[str, int]]:
        """Every way in which the plan can break, in words and as a formula."""
        state, roles = self.state, self.roles
        for province in sorted(roles.closed):
            if not roles.of(ENTER, province):
                continue
            what, entered = f"who could enter {province}?", self._entered(province)
            if province not in self.line.closed:  # its unit may give it up to the enemy
                entered = self._dislodged(province)
                if province in state.refuges:
                    what = f"could the unit in {province} be dislodged without its retreat?"
                    entered = self.all_of((entered, self._barred(province)))
            yield what, entered
        if state.moves or state.retreats:
            yield "could the own units stand otherwise?", self._elsewhere()
        for province in sorted(self.line.closed - set(state.moves.values())):
            if province in state.moves or province not in state.by_province:
                retreat = self._retreat(province)
                if retreat != FALSE:
                    yield f"could a dislodged enemy retreat to {province}?", retreat

    def find(self, goal: int, most: int | None = None) -> tuple[PlanRole, ...] | None:
        """The roles by which the enemy can reach a goal with at most `most` units, except excluded
        attacks; None if it cannot."""
        few = () if most is None else (-self._more_than(most),)
        self._solver.add(self.gates.take())
        true = self._solver.solve((goal, *few))
        if true is None:
            return None
        return tuple(role for role in self.roles.all if self.there[role] in true)

    def exclude(self, goal: int, attack: Iterable[PlanRole]) -> None:
        """From now on, exclude for this goal everything that has all roles of an attack."""
        self.gates.require(-goal, *(-self.there[role] for role in attack))

    @cached_property
    def _units(self) -> Number[int]:
        """The number of enemy units."""
        groups = self.roles.standing.values()
        each = (self.any_of(self.there[role] for role in group) for group in groups)
        return self.levels.sum(0, [self.levels.truth(one) for one in each], ())

    def _more_than(self, most: int) -> int:
        return self.levels.at_least(self._units, most + 1)

    def _elsewhere(self) -> int:
        """The positions of the own units after the phase match no state."""
        return self.all_of(-self._arranged(other) for other in self.line.plan)

    def _arranged(self, other: PlanState) -> int:
        places = {(unit.kind, unit.location) for unit in other.units}
        each = []
        for unit in self.state.units:
            goal = self.state.goals.get(unit.province)
            refuge = self.state.refuges.get(unit.province)
            move = self._moved(unit.province)
            fell = FALSE if refuge is None else self._dislodged(unit.province)
            stayed = self.all_of((-move, -fell))
            ways = ((unit.location, stayed), (goal, move), (refuge, fell))
            each.append(self.any_of(how for to, how in ways if (unit.kind, to) in places))
        return self.all_of(each)

    def _dislodged(self, province: str) -> int:
        """An enemy enters an own unit's province, and the unit does not leave it."""
        return self.all_of((self._entered(province), -self._moved(province)))

    def _entered(self, province: str) -> int:
        """An enemy enters a province."""
        return self.any_of(self.success[role] for role in self.roles.of(ENTER, province))

    def _barred(self, origin: str) -> int:
        """The unit dislodged from a province cannot retreat as the state says: another own unit
        stays in its refuge, goes there or retreats there, or an enemy's move there bounces.

        No enemy is in the refuge at the start, so no attack comes from there. An own move there
        either succeeds or bounces.
        """
        state, refuge = self.state, province_of(self.state.refuges[origin])
        convoys = isinstance(state.orders[state.units.index(state.by_province[origin])], Convoy)
        if convoys or refuge in state.moves.values() or refuge not in self.line.closed:
            return TRUE  # files state no retreat of a convoying fleet, nor any to where enemies are
        others = (at for at in state.refuges if at != origin)
        return self.any_of((
            -self._moved(refuge) if refuge in state.by_province else FALSE,
            *(self.all_of((self.there[role], -self._harmless(role)))
              for role in self.roles.of(ENTER, refuge)),
            *(self._dislodged(at) for at in others if province_of(state.refuges[at]) == refuge),
        ))  # fmt: skip

    def _retreat(self, province: str) -> int:
        """A province that the plan holds is empty, nobody goes there, and an enemy beside it is
        dislodged, by an own unit from elsewhere or by another enemy power.

        An enemy that another one dislodges supports nobody. If it did not move, it could go to the
        empty province instead.
        """
        each = []
        for unit in self.roles.enemies:
            if province not in self.roles.reached[unit]:
                continue
            here = [role for role in self.roles.standing[unit.province] if role.unit == unit]
            own = self.roles.taps.get(unit.province, ())
            gone = self.any_of(self.success[role] for role in here if role.action == ENTER)
            came = [self._moved(at) for at in own if at != province]
            each.append(
                self.all_of(
                    (self.any_of(self.there[role] for role in here), -gone, self.any_of(came))
                )
            )
            if len(self.line.enemy.powers) > 1:
                beaten = self.any_of(self._moved(at) for at in own)
                going = self.any_of(self.there[role] for role in here if role.action == ENTER)
                each.append(self.all_of((going, -gone, -beaten)))
        quiet = self.any_of(self.there[role] for role in self.roles.of(ENTER, province))
        return self.all_of((self._moved(province) if province in self.state.by_province else TRUE,
                       -quiet, self.any_of(each)))  # fmt: skip

    def _require(self) -> None:
        """Require the equations, and the conditions for roles."""
        require, there, standing = self.gates.require, self.there, self.roles.standing
        for role in self.roles.all:
            if role.action == ENTER:
                require(-self.success[role], there[role])
            elif role.other is not None and role.action != PROP:
                require(-there[role], there[PlanRole(role.other, ENTER, role.aim)])
            elif role.other is not None:
                others = (one for one in standing[role.aim] if one.unit == role.other)
                require(-there[role], *(there[one] for one in others))
        for group in standing.values():
            self.gates.at_most_one([there[role] for role in group])
        if self.line.enemy.units is not None:
            require(-self._more_than(self.line.enemy.units))
        for origin, literal in self._moves.items():
            self.gates.same(literal, self._succeeds(origin))
        for ring in self.state.rings():
            outdone = self.all_of(self._rivals(at) for at in ring)
            require(-outdone, self.all_of(self._moved(at) for at in ring))
        for role, literal in self.success.items():
            if role.aim in self.roles.closed:
                self.gates.same(literal, self.all_of((there[role], self._overcomes(role))))

    def _moved(self, origin: str) -> int:
        """The own unit in a province reaches its target; false for a unit that is not ordered to
        move."""
        return self._moves.get(origin, FALSE)

    def _strength(self, supports: Iterable[int]) -> Number[int]:
        """1 plus the number of given supports."""
        return self.levels.sum(1, [self.levels.truth(one) for one in supports], ())

    def _stronger(self, one: Number[int], other: Number[int]) -> int:
        """The first strength is greater than the second."""
        return self.levels.at_least(self.levels.greater(one, other), 1)

    # Own moves

    def _push(self, origin: str, helped: bool = True) -> Number[int]:
        """The strength of the own move from a province, with or without the enemies' supports."""
        target = self.state.moves[origin]
        own = [self._uncut(at, target) for at in self.state.pushers.get(origin, ())]
        enemies = [self.there[role] for role in self.roles.of(HELP, origin)] if helped else []
        return self._strength((*own, *enemies))

    def _uncut(self, supporter: str, target: str = "") -> int:
        """Nobody goes to the province of an own supporter, except from the supported move's target
        without dislodging it."""
        coming = self.roles.of(ENTER, supporter)
        return -self.any_of(
            (self.success if role.unit.province == target else self.there)[role] for role in coming
        )

    def _rivals(self, origin: str, push: Number[int] | None = None) -> int:
        """A push from a province (by default, the own move's) is stronger than every other move to
        the same target."""
        push = self._push(origin) if push is None else push
        target = self.state.moves[origin]
        others = [at for at, to in self.state.moves.items() if to == target and at != origin]
        foes = self.roles.of(ENTER, target)
        return self.all_of((
            *(self.any_of((self._beaten(at), self._stronger(push, self._push(at))))
              for at in others),
            *(self._outdone(role, push) for role in foes),
        ))  # fmt: skip

    def _outdone(self, role: PlanRole, strength: Number[int]) -> int:
        """An enemy's move is not made, has no effect on its target, or is weaker."""
        weaker = self._stronger(strength, self._back(role))
        return self.any_of((-self.there[role], self._harmless(role), weaker))

    def _beaten(self, origin: str) -> int:
        """An enemy beats an own move head-to-head, which then has no effect on its target."""
        target = self.state.moves[origin]
        meeting = self.roles.of(ENTER, origin) if self._by_land(origin) else ()
        return self.any_of(self.success[role] for role in meeting if role.unit.province == target)

    def _succeeds(self, origin: str) -> int:
        state, target = self.state, self.state.moves[origin]
        if target in self.roles.taps:
            return self._taps(origin)
        if target not in state.by_province:
            return self._rivals(origin)
        swap = state.moves.get(target) == origin and not {origin, target} & state.carried
        if target not in state.moves or swap:
            return FALSE
        return self.all_of((self._moved(target), self._rivals(origin)))

    def _taps(self, origin: str) -> int:
        """An own unit enters a province in which an enemy may be."""
        target = self.state.moves[origin]
        there = self.roles.standing.get(target, ())
        going = [role for role in there if role.action == ENTER]
        meeting = [role for role in going if role.aim == origin]
        left = self.any_of(self.success[role] for role in going if role.aim != origin)
        empty = -self.any_of(self.there[role] for role in there)
        full, push = self._push(origin), self._push(origin, len(self.line.enemy.powers) > 1)
        leaving = self.any_of(self.there[role] for role in going)
        props = [self.there[role] for role in self.roles.of(PROP, target)]
        is_leaving = self.levels.truth(leaving)
        held = self.levels.choice(is_leaving, self._strength(()), self._strength(props))
        meets = self.any_of(self.there[role] for role in meeting)
        overcomes = self.all_of((
            *(self.any_of((-self.there[role], self._stronger(push, self._back(role))))
              for role in meeting),
            self.any_of((meets, self._stronger(push, held))),
            self._rivals(origin, push),
        ))  # fmt: skip
        return self.any_of((
            self.all_of((self.any_of((empty, left)), self._rivals(origin, full))),
            self.all_of((-empty, -left, overcomes)),
        ))  # fmt: skip

    # Enemy moves

    def _back(self, role: PlanRole) -> Number[int]:
        """The strength of an enemy's move. An own move cuts a support for a move to its own origin
        only if it succeeds."""
        given = []
        for support in self.roles.of(BACK, role.aim):
            if support.other == role.unit:
                tapped = role.aim in self.roles.taps.get(support.unit.province, ())
                dislodged = self._moved(role.aim) if tapped else FALSE
                given.append(self.all_of((self.there[support], -dislodged)))
        return self._strength(given)

    def _harmless(self, role: PlanRole) -> int:
        """An own unit beats the enemy head-to-head, so the enemy does not affect its target."""
        meets = self.state.moves.get(role.aim) == role.unit.province
        return self._moved(role.aim) if meets and self._by_land(role.aim) else FALSE

    def _by_land(self, origin: str) -> bool:
        return origin not in self.state.carried

    def _overcomes(self, role: PlanRole) -> int:
        """An enemy's move to a province without enemies succeeds."""
        state, aim, back = self.state, role.aim, self._back(role)
        rivals = [at for at, to in state.moves.items() if to == aim]
        others = [
            one for one in self.roles.of(ENTER, aim) if one.unit.province != role.unit.province
        ]
        needs = [self._stronger(back, self._push(at)) for at in rivals]
        needs += [self._outdone(one, back) for one in others]
        if state.moves.get(aim) == role.unit.province and self._by_land(aim):
            needs.append(self._stronger(back, self._push(aim)))
        elif aim in state.moves:
            needs.append(self.any_of((self._moved(aim), self._stronger(back, self._strength(())))))
        elif aim in state.by_province:
            held = [self._uncut(at) for at in state.holders.get(aim, ())]
            needs.append(self._stronger(back, self._strength(held)))
        return self.all_of(needs)
