"""Units whose places, powers and orders are open, as variables of a solver.

Each unit has a number, its slot. The equations of a phase ask how units relate to each other:
whether one moves to the place of another, whether two go to the same province, belong to the same
power, or can support or convoy each other. Each such question has a literal over the variables for
the place and the target of each unit. So the number of equations depends on the number of units,
not on the size of the map.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise, permutations
from typing import Any, TypeVar

from dipsat.base import check_time
from dipsat.board import Map, UnitKind, province_of
from dipsat.equations import ORDER, Term, Unknown
from dipsat.game import Convoying, Position, PositionFacts
from dipsat.orders import Convoy, Hold, Move, MovementOrder, Order, SupportHold, SupportMove
from dipsat.solving import FALSE, TRUE, Gates

HOLD, MOVE, SUPPORT, CONVOY = "hold", "move", "support", "convoy"


@dataclass(frozen=True, slots=True)
class Given:
    """An order that could be followed with units in the right places.

    `act` is one of `HOLD`, `MOVE`, `SUPPORT` and `CONVOY`. `of` is the province of the supported or
    convoyed unit. `target` is the province that it or the unit itself is to move to, and `location`
    the same with a coast, for a move. Each is "" if there is none. `via` is whether a move that is
    possible by land is to go by convoy. `order` is the original order.
    """

    act: str
    order: MovementOrder
    of: str = ""
    target: str = ""
    location: str = ""
    via: bool = False


def given_by(order: Order, location: str = "") -> Given:
    """The action of an order that could be followed; `location` is where a move ends, if its target
    leaves that open."""
    match order:
        case Hold():
            return Given(HOLD, order)
        case Move(target=target, via=via):
            return Given(MOVE, order, "", province_of(target), location or target, via)
        case SupportHold(supported=other):
            return Given(SUPPORT, order, province_of(other.location))
        case SupportMove(supported=other, target=target):
            return Given(SUPPORT, order, province_of(other.location), province_of(target))
        case Convoy(army=other, target=target):
            return Given(CONVOY, order, province_of(other.location), province_of(target))
    raise AssertionError(f"{order!r} is not an order of a movement phase")


# --- slots ----------------------------------------------------------------------------------------

_T = TypeVar("_T")
Standing = tuple[UnitKind, str]
"""The kind of a unit and its location."""
ORIGIN, TARGET = "origin", "target"
Ends = tuple[str, str]
"""The two ends of a route: each is at the army's place or at its target."""
Act = tuple[str, int]
"""The action that a unit is ordered to take, and the slot of the other unit in it, or its own."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A unit: where it may stand, its power ("" if open), and its order (None if open)."""

    standings: tuple[Standing, ...]
    power: str = ""
    given: Given | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A slot in one answer: the unit's place, its power and its order. `target` is the province
    that it goes to, "" if it does not move; `via` is whether the order says "via convoy"."""

    standing: Standing
    power: str
    act: Act
    target: str
    via: bool


def _made_once(make: Callable[..., _T]) -> Callable[..., _T]:
    """A method that makes literals, and keeps them for each set of arguments."""

    def made(self: Slots, *about: object) -> _T:
        key = (make, *about)
        if key not in self._known:
            check_time()
            self._known[key] = make(self, *about)
        found: _T = self._known[key]
        return found

    return made


class Slots:
    """The variables for some units on a map, and literals for how the units relate to each other.

    `powers` are all powers that may be on the board; those in `apart` are not exchangeable.
    """

    def __init__(
        self,
        board: Map,
        convoying: Convoying,
        slots: Sequence[Slot],
        powers: Sequence[str],
        gates: Gates,
        apart: Collection[str] = (),
    ) -> None:
        self.board, self.convoying, self.slots, self.gates = board, convoying, slots, gates
        self.powers, self.apart = powers, apart
        self.numbers = range(len(slots))
        self.codes = tuple(sorted(board.provinces))
        self._known: dict[tuple[object, ...], Any] = {}
        self.guards: list[int] = []
        """The literals that the equations use, by the number of their guard."""
        self._open()

    @_made_once
    def _guard(self, literal: int) -> Term:
        self.guards.append(literal)
        return Unknown((ORDER, len(self.guards) - 1), True)

    def term(self, literal: int) -> Term:
        """The term that holds if a literal does: a guard of the equations."""
        return literal == TRUE if literal in (TRUE, FALSE) else self._guard(literal)

    @cached_property
    def around(self) -> PositionFacts:
        """The known facts about the position."""
        return PositionFacts(Position(self.board, ()))

    # --- what is open -----------------------------------------------------------------------------

    def _open(self) -> None:
        """Make the variables and their constraints."""
        powers = [power for power in self.powers if power not in self.board.neutrals]
        self.place = [self._one_of(slot.standings) for slot in self.slots]
        self.power = [self._one_of((one.power,) if one.power else powers) for one in self.slots]
        self.act = [self._one_of(self._acts(at)) for at in self.numbers]
        self.target = [self._targets(at) for at in self.numbers]
        self.via = [self._via(at) for at in self.numbers]
        self._stand_apart()
        self._go_where_they_can()
        self._obey()

    def _one_of(self, choices: Iterable[_T]) -> dict[_T, int]:
        """A variable for each choice; exactly one is true."""
        listed = list(choices)
        if len(listed) == 1:
            return {listed[0]: TRUE}
        found = {one: self.gates.variable() for one in listed}
        self.gates.require(*found.values())
        self.gates.at_most_one(list(found.values()))
        return found

    def _acts(self, at: int) -> Iterator[Act]:
        given = self.slots[at].given
        if given is not None:
            if not self._moves_by_land(at, given):
                yield HOLD, at
            if given.act == MOVE:
                yield MOVE, at
            elif given.act != HOLD:
                yield from ((given.act, other) for other in self.numbers if other != at)
            return
        yield HOLD, at
        yield MOVE, at
        for other in self.numbers:
            if other != at:
                yield SUPPORT, other
        if any(self._carries(kind, place) for kind, place in self.slots[at].standings):
            for other in self.numbers:
                if other != at:
                    yield CONVOY, other

    def _carries(self, kind: UnitKind, place: str) -> bool:
        return kind is self.convoying.carriage.carrier and place in self.convoying.places

    def _moves_by_land(self, at: int, given: Given) -> bool:
        reach = self.board.reach_provinces
        near = any(given.target in reach(*one) for one in self.slots[at].standings)
        return given.act == MOVE and near and not given.via

    def _via(self, at: int) -> int:
        """The literal that holds if an order to move says "via convoy"."""
        given = self.slots[at].given
        if given is None:
            return self.gates.variable()
        return self.moves(at) if given.via else FALSE

    def _targets(self, at: int) -> dict[str, int]:
        """The province that a unit goes to; none if it does not move."""
        given = self.slots[at].given
        if given is not None:
            return {given.target: self.moves(at)} if given.act == MOVE else {}
        reached: set[str] = set()
        for kind, place in self.slots[at].standings:
            reached |= self.board.reach_provinces(kind, place)
            if kind is self.convoying.carriage.cargo and place in self.convoying.net.shores:
                reached |= {province_of(shore) for shore in self.convoying.net.shores}
        found = {code: self.gates.variable() for code in sorted(reached)}
        self.gates.at_most_one(list(found.values()))
        moves = self.moves(at)
        self.gates.require(-moves, *found.values())
        for literal in found.values():
            self.gates.require(-literal, moves)
        return found

    def does(self, at: int, act: str, other: int) -> int:
        """The literal that holds if a unit is ordered to do something for another one."""
        return self.act[at].get((act, other), FALSE)

    def moves(self, at: int) -> int:
        """The literal that holds if a unit moves."""
        return self.act[at].get((MOVE, at), FALSE)

    # --- where units stand and go -----------------------------------------------------------------

    def _stands(self, at: int, fits: Callable[[Standing], bool]) -> int:
        return self.gates.any_of(lit for one, lit in self.place[at].items() if fits(one))

    @_made_once
    def stands_in(self, at: int, code: str) -> int:
        """The literal that holds if a unit stands in a province."""
        return self._stands(at, lambda one: province_of(one[1]) == code)

    @_made_once
    def is_kind(self, at: int, kind: UnitKind) -> int:
        """The literal that holds if a unit is of this kind."""
        return self._stands(at, lambda one: one[0] is kind)

    @_made_once
    def reaches(self, at: int, code: str) -> int:
        """The literal that holds if a unit could go to a province without a convoy."""
        return self._stands(at, lambda one: code in self.board.reach_provinces(*one))

    def _goes_among(self, at: int, codes: Collection[str]) -> int:
        """The literal that holds if a unit, when it moves, goes to one of these provinces."""
        given = self.slots[at].given
        if given is not None:
            return TRUE if given.act == MOVE and given.target in codes else FALSE
        return self.gates.any_of(lit for code, lit in self.target[at].items() if code in codes)

    def _goes(self, at: int, there: Callable[[str], int]) -> int:
        """The literal that holds if a unit moves to a province for which `there` holds."""
        both = self.gates.both
        return self.gates.any_of(both(lit, there(code)) for code, lit in self.target[at].items())

    @_made_once
    def goes_to(self, at: int, other: int) -> int:
        """The literal that holds if a unit moves to the place of another."""
        return self._goes(at, lambda code: self.stands_in(other, code))

    @_made_once
    def meet(self, at: int, other: int) -> int:
        """The literal that holds if two units move to the same province."""
        return self._goes(at, lambda code: self.target[other].get(code, FALSE))

    @_made_once
    def goes_to_empty(self, at: int, first: int) -> int:
        """The literal that holds if a unit moves to an empty province, and `first` is the first of
        the units that move there."""
        if at < first:
            return FALSE
        if at > first:
            return self.gates.both(self.goes_to_empty(first, first), self.meet(at, first))
        occupied = [-self.goes_to(at, other) for other in self.numbers if other != at]
        earlier = [-self.meet(at, other) for other in range(first)]
        return self.gates.all_of([self.moves(at), *occupied, *earlier])

    def by_land(self, at: int) -> int:
        """The literal that holds if a unit moves to a province in reach without a convoy."""
        return self.reaches_target(at, at)

    @_made_once
    def reaches_target(self, at: int, other: int) -> int:
        """The literal that holds if a unit could go by land to another one's target."""
        return self._goes(other, lambda code: self.reaches(at, code))

    @_made_once
    def reaches_place(self, at: int, other: int) -> int:
        """The literal that holds if a unit could go by land to another one's place."""
        both = self.gates.both
        return self.gates.any_of(
            both(self.reaches(at, code), self.stands_in(other, code)) for code in self.codes
        )

    @_made_once
    def allied(self, at: int, other: int) -> int:
        """The literal that holds if two units belong to the same power."""
        both, theirs = self.gates.both, self.power[other]
        return self.gates.any_of(
            both(lit, theirs[name]) for name, lit in self.power[at].items() if name in theirs
        )

    @cached_property
    def rest(self) -> Mapping[str, int]:
        """A province where no unit stands or goes, by code. There may be none: units can stand in
        every province of a small map, or go there."""
        found = {code: self.gates.variable() for code in self.codes}
        self.gates.at_most_one(list(found.values()))
        for code, literal in found.items():
            for at in self.numbers:
                self.gates.require(-literal, -self.stands_in(at, code))
                self.gates.require(-literal, -self.target[at].get(code, FALSE))
        return found

    def reaches_rest(self, at: int) -> int:
        """The literal that holds if a unit could go by land to the province of `rest`."""
        both = self.gates.both
        return self.gates.any_of(
            both(lit, self.reaches(at, code)) for code, lit in self.rest.items()
        )

    # --- convoys ----------------------------------------------------------------------------------

    def _ships(self, at: int) -> Iterator[tuple[str, int]]:
        """The provinces where a unit could carry others, with the literal that it stands there."""
        for (kind, place), literal in self.place[at].items():
            if self._carries(kind, place):
                yield province_of(place), literal

    @_made_once
    def is_carrier(self, at: int) -> int:
        """The literal that holds if a unit could carry others where it stands."""
        return self._stands(at, lambda one: self._carries(*one))

    @_made_once
    def _boards(self, fleet: int, army: int) -> int:
        """The literal that holds if an army can board a fleet at its place."""
        cargo, shores = self.convoying.carriage.cargo, self.convoying.net.shores

        def on_shore(sea: str) -> int:
            return self._stands(army, lambda one: one[0] is cargo and sea in shores.get(one[1], ()))

        return self.gates.any_of(
            self.gates.both(lit, on_shore(sea)) for sea, lit in self._ships(fleet)
        )

    @_made_once
    def _lands(self, fleet: int, army: int) -> int:
        """The literal that holds if an army can go ashore from a fleet at its target."""
        found = []
        for sea, literal in self._ships(fleet):
            shores = self.convoying.net.shores.items()
            codes = {province_of(place) for place, near in shores if sea in near}
            found.append(self.gates.both(literal, self._goes_among(army, codes)))
        return self.gates.any_of(found)

    @_made_once
    def _linked(self, one: int, other: int) -> int:
        links, theirs = self.convoying.net.links, dict(self._ships(other))
        return self.gates.any_of(
            self.gates.both(lit, theirs[near])
            for sea, lit in self._ships(one)
            for near in sorted(links.get(sea, ()))
            if near in theirs
        )

    @_made_once
    def routes(self, army: int, ends: Ends = (ORIGIN, TARGET)) -> Mapping[tuple[int, ...], int]:
        """The fleets of a route, in order -> the literal that holds if their places let them carry
        the army to its target, and none of them can be left out. Other `ends` of the route are for
        rules that ask for them."""
        fleets = [at for at in self.numbers if at != army and any(self._ships(at))]
        lengths = range(1, len(fleets) + 1)
        found = {
            route: self.gates.all_of(self._route(army, route, ends))
            for route in chain.from_iterable(permutations(fleets, length) for length in lengths)
        }
        return {route: literal for route, literal in found.items() if literal != FALSE}

    def _route(self, army: int, route: Sequence[int], ends: Ends) -> Iterator[int]:
        last, beside = len(route) - 1, {ORIGIN: self._boards, TARGET: self._lands}
        for at, fleet in enumerate(route):
            first_end, last_end = (beside[end](fleet, army) for end in ends)
            yield first_end if at == 0 else -first_end
            yield last_end if at == last else -last_end
            for further, other in enumerate(route[at + 1 :]):
                linked = self._linked(fleet, other)
                yield linked if further == 0 else -linked

    @_made_once
    def could_go_by_convoy(self, army: int, without: int | None = None) -> int:
        """The literal that holds if the fleets, except `without`, could carry an army to its
        target if they had such orders."""
        return self.gates.any_of(
            lit for route, lit in self.routes(army).items() if without not in route
        )

    @_made_once
    def could_carry(self, fleet: int, army: int) -> int:
        """The literal that holds if a fleet is on a route to the target of an army."""
        return self.gates.any_of(lit for route, lit in self.routes(army).items() if fleet in route)

    @_made_once
    def is_route_ordered(self, army: int, fleet: int | None = None) -> int:
        """The literal that holds if fleets are ordered to convoy an army along a whole route (one
        that needs `fleet`, if given)."""
        return self.gates.any_of(
            self.gates.all_of([lit, *(self.does(one, CONVOY, army) for one in route)])
            for route, lit in self.routes(army).items()
            if fleet is None or fleet in route
        )

    # --- what must hold ---------------------------------------------------------------------------

    def _stand_apart(self) -> None:
        for code in self.codes:
            self.gates.at_most_one([self.stands_in(at, code) for at in self.numbers])

    def _go_where_they_can(self) -> None:
        """Require moving units to leave their province for one in reach by land or by convoy."""
        require, cargo = self.gates.require, self.convoying.carriage.cargo
        for at in self.numbers:
            for code, literal in self.target[at].items():
                require(-literal, -self.stands_in(at, code))
            by_land = self.by_land(at)
            require(-self.moves(at), by_land, self.is_kind(at, cargo))
            require(-self.moves(at), by_land, self.could_go_by_convoy(at))
            require(-self.via[at], by_land)  # elsewhere it has no meaning
            require(-self.via[at], self.is_kind(at, cargo))
            require(-self.via[at], self.could_go_by_convoy(at))

    def _obey(self) -> None:
        """Require supports and convoys to match an order that makes them possible. An unmatched one
        has no other effect than a hold."""
        require = self.gates.require
        for at in self.numbers:
            for (act, other), literal in self.act[at].items():
                moves = self.moves(other)
                if act == SUPPORT:
                    require(-literal, moves, self.reaches_place(at, other))
                    require(-literal, -moves, self.reaches_target(at, other))
                    could = self.could_go_by_convoy(other, at)
                    require(-literal, -moves, self.by_land(other), could)
                elif act == CONVOY:
                    require(-literal, moves)
                    require(-literal, self.could_carry(at, other))

    # --- answers ----------------------------------------------------------------------------------

    def placed(self, true: Collection[int]) -> tuple[Placed, ...]:
        """The units in an answer in which these variables are true."""
        found = []
        for at in self.numbers:
            standing = _first(self.place[at], true)
            power, act = _first(self.power[at], true), _first(self.act[at], true)
            target = next((code for code, lit in self.target[at].items() if holds(lit, true)), "")
            found.append(Placed(standing, power, act, target, holds(self.via[at], true)))
        return tuple(found)


def holds(literal: int, true: Collection[int]) -> bool:
    """Whether a literal holds if exactly these variables are true."""
    if literal in (TRUE, FALSE):
        return literal == TRUE
    return literal in true if literal > 0 else -literal not in true


def _first(choices: Mapping[_T, int], true: Collection[int]) -> _T:
    return next(one for one, literal in choices.items() if holds(literal, true))


# --- orders that are given ------------------------------------------------------------------------


def follow_orders(slots: Slots) -> None:
    """Require that units follow the orders given to them if these can be followed, and hold
    otherwise."""
    for at, slot in enumerate(slots.slots):
        if slot.given is not None:
            for literal, followed in _followed(slots, at, slot.given):
                slots.gates.require(-literal, followed)
                slots.gates.require(literal, -followed)


def _followed(slots: Slots, at: int, given: Given) -> Iterator[tuple[int, int]]:
    """Each action that a unit can take by its order, with the literal that says when it does."""
    if given.act == MOVE and (given.via or slots.reaches(at, given.target) == FALSE):
        yield slots.moves(at), slots.could_go_by_convoy(at)
    elif given.act in (SUPPORT, CONVOY):
        can_follow = can_support if given.act == SUPPORT else can_convoy
        for other in slots.numbers:
            if other != at:
                yield slots.does(at, given.act, other), can_follow(slots, at, other, given)


def _matches(slots: Slots, other: int, given: Given) -> Iterator[int]:
    yield slots.stands_in(other, given.of)
    if given.target:
        yield slots.target[other].get(given.target, FALSE)
    else:
        yield -slots.moves(other)


def can_support(slots: Slots, at: int, other: int, given: Given) -> int:
    """The literal that holds if another unit does as a unit is ordered to support."""
    found = list(_matches(slots, other, given))
    if given.target:
        without = slots.could_go_by_convoy(other, at)
        found.append(slots.gates.either(slots.by_land(other), without))
    return slots.gates.all_of(found)


def can_convoy(slots: Slots, at: int, other: int, given: Given) -> int:
    """The literal that holds if another unit makes the move that a fleet is to convoy."""
    return slots.gates.all_of([*_matches(slots, other, given), slots.could_carry(at, other)])


# --- one answer of several that are equal ---------------------------------------------------------

# Units that may stand in the same places are interchangeable until they are placed, and so are
# powers that nobody names. Without an order among them, a proof would be repeated for each order.


def put_in_order(slots: Slots, cast: int = 0) -> None:
    """Put units that differ only in open facts in order: by the first of `_parts_played` that they
    play, then by province. Powers that nobody names appear in their own order."""
    last: dict[Slot, int] = {}
    for at, slot in list(enumerate(slots.slots))[cast:]:
        before = last.get(slot)
        if before is not None:
            _put_one_first(slots, before, at)
        last[slot] = at
    free = [power for power in slots.powers if power not in slots.apart]
    for earlier_power, power in pairwise(free):
        for at in slots.numbers:
            if power in slots.power[at]:
                earlier = [slots.power[one].get(earlier_power, FALSE) for one in range(at)]
                slots.gates.require(-slots.power[at][power], *earlier)


def _parts_played(slots: Slots, at: int) -> list[int]:
    """The actions of a unit as literals, of which exactly one holds. None depends on the numbers of
    units, so that units can be sorted by them."""
    gates, others = slots.gates, [one for one in slots.numbers if one != at]
    land, both = slots.by_land(at), gates.both
    chasing = gates.any_of(both(slots.goes_to(at, one), slots.moves(one)) for one in others)
    attacking = gates.any_of(both(slots.goes_to(at, one), -slots.moves(one)) for one in others)
    moves, supports, convoys = slots.moves(at), list[int](), list[int]()
    for (act, _), literal in slots.act[at].items():
        if act == SUPPORT:
            supports.append(literal)
        elif act == CONVOY:
            convoys.append(literal)
    found = [gates.all_of((moves, -land))]
    found += [
        gates.all_of((moves, land, *where))
        for where in ((chasing,), (attacking,), (-chasing, -attacking))
    ]
    helping = gates.any_of(both(slots.does(at, SUPPORT, one), slots.moves(one)) for one in others)
    support = gates.any_of(supports)
    found += [gates.any_of(convoys), both(support, helping), both(support, -helping)]
    return [*found, slots.does(at, HOLD, at)]


def _put_one_first(slots: Slots, one: int, other: int) -> None:
    """Require that the second of two units plays a later part, or the same part in a later
    province."""
    require, either = slots.gates.require, slots.gates.either
    same, after = list[int](), FALSE
    mine, theirs = _parts_played(slots, one), _parts_played(slots, other)
    for own, their in zip(reversed(mine), reversed(theirs), strict=True):
        same.append(slots.gates.both(own, their))
        require(-own, their, after)
        after = either(after, their)
    are_same, after = slots.gates.any_of(same), FALSE
    for code in reversed(slots.codes):
        require(-are_same, -slots.stands_in(one, code), after)
        after = either(after, slots.stands_in(other, code))
