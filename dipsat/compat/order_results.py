"""Results of orders from dipsat's outcomes, as marks of the package `diplomacy`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dipsat.board import province_of
from dipsat.game import Position, on_minimal_routes, route_exists
from dipsat.orders import Convoy, Move, SupportHold, SupportMove
from dipsat.outcomes import OrderOutcome, Outcome


class OrderResult(str):
    """The mark of an order: a text with a number."""

    code: int
    __slots__ = ("code",)

    def __new__(cls, message: str, code: int = 0) -> OrderResult:
        """Return the mark with this text and number."""
        found = super().__new__(cls, message)
        found.code = code
        return found

    def __getnewargs__(self) -> tuple[str, int]:  # type: ignore[override]  # of a text with a number
        return str(self), self.code

    def __deepcopy__(self, memo: object) -> OrderResult:
        return self

    def __repr__(self) -> str:
        return f"{self.code}:{self}"

    @property
    def message(self) -> str:
        """The text."""
        return str(self)


OK = OrderResult("")
NO_CONVOY = OrderResult("no convoy", 10001)
BOUNCE = OrderResult("bounce", 10002)
VOID = OrderResult("void", 10003)
CUT = OrderResult("cut", 10004)
DISLODGED = OrderResult("dislodged", 10005)
DISRUPTED = OrderResult("disrupted", 10006)
DISBAND = OrderResult("disband", 10007)
MAYBE = OrderResult("maybe", 10008)
MARKS = {str(one): one for one in (
    OK, NO_CONVOY, BOUNCE, VOID, CUT, DISLODGED, DISRUPTED, DISBAND, MAYBE
)}  # fmt: skip
"""Text -> mark."""

_DISRUPTED_CONVOY = "convoy_disrupted"
"""The code of dipsat's reason."""
Marks = dict[str, list[OrderResult]]
"""Unit -> the marks of its orders."""


def movement_marks(outcome: Outcome, given: Mapping[str, str]) -> Marks:
    """The marks of all units after a movement phase; none for a unit if all went well. `given` maps
    each unit to its order, without the unit."""
    read = outcome.position.reader.read
    orders: dict[str, OrderOutcome] = {}
    for one in outcome.orders:
        if one.unit in given and (one.verdict != "illegal" or one.unit not in orders):
            orders[one.unit] = one
    board = _Board(
        outcome.position, orders, {unit: read(f"{unit} {own}") for unit, own in given.items()}
    )
    return {unit: [*board.marks(unit)] for unit in orders}


class _Board:
    """Orders of a movement phase with their results."""

    def __init__(
        self,
        position: Position,
        orders: Mapping[str, OrderOutcome],
        given: Mapping[str, object],
    ) -> None:
        self.position = position
        self.orders = orders
        self.given = given
        self.at = {province_of(unit[2:]): unit for unit in orders}

    def marks(self, unit: str) -> Iterable[OrderResult]:
        """The marks of a unit."""
        one, order = self.orders[unit], self.given[unit]
        if one.verdict == "illegal":
            yield VOID
        elif isinstance(order, Move):
            if one.verdict != "succeeds":
                yield BOUNCE if self._has_path(unit, order) else NO_CONVOY
        elif isinstance(order, (SupportHold, SupportMove)):
            yield from self._marks_of_support(one, order)
        elif isinstance(order, Convoy):
            yield from self._marks_of_convoy(one, order)
        if one.fate:
            yield DISLODGED

    def _has_path(self, unit: str, order: Move) -> bool:
        """Whether a failed move had a path over land or over the fleets that convoy it."""
        if self.orders[unit].verdict == "invalid":
            return False
        if not self._goes_by_convoy(unit, order) or self._has_route(unit, order):
            return True
        # The rules decide whether it went over land.
        return self._is_beside(unit, order) and self.orders[unit].reason.code != _DISRUPTED_CONVOY

    def _is_beside(self, unit: str, order: Move) -> bool:
        near = self.position.map.reach_provinces(unit[0], unit[2:])
        return province_of(order.target) in near

    def _goes_by_convoy(self, unit: str, order: Move) -> bool:
        """Whether a move goes by convoy: it must, it is ordered so, or a fleet of the same power
        convoys it (DATC 4.A.3)."""
        own = self.orders[unit].power
        return order.via or not self._is_beside(unit, order) or any(
            self.orders[fleet].power == own for fleet in self._convoys(unit, order)
        )  # fmt: skip

    def _convoys(self, unit: str, order: Move) -> list[str]:
        """The fleets ordered to convoy a move."""
        origin, target = province_of(unit[2:]), province_of(order.target)
        return [
            fleet
            for fleet, convoy in self.given.items()
            if isinstance(convoy, Convoy)
            and province_of(convoy.army.location) == origin
            and province_of(convoy.target) == target
        ]

    def _has_route(self, unit: str, order: Move) -> bool:
        """Whether the fleets that can convoy a move form a route."""
        fleets = [
            province_of(fleet[2:])
            for fleet in self._convoys(unit, order)
            if self.orders[fleet].verdict == "available"
        ]
        origin, target = province_of(unit[2:]), province_of(order.target)
        return route_exists(self.position.map.convoys, origin, target, fleets)

    def _needed(self, unit: str, order: Move, without: str = "") -> frozenset[str]:
        """The provinces of convoying fleets that some route of a move needs. The province `without`
        is not used."""
        fleets = {province_of(fleet[2:]) for fleet in self._convoys(unit, order)} - {without}
        ends = province_of(unit[2:]), province_of(order.target)
        return on_minimal_routes(self.position.map.convoys, *ends, frozenset(fleets))

    def _marks_of_convoy(self, one: OrderOutcome, order: Convoy) -> Iterable[OrderResult]:
        unit = self.at.get(province_of(order.army.location), "")
        move = self.given.get(unit)
        if not isinstance(move, Move) or province_of(move.target) != province_of(order.target):
            yield VOID
        elif not self._goes_by_convoy(unit, move) or province_of(one.unit[2:]) not in self._needed(
            unit, move
        ):
            yield NO_CONVOY
            yield VOID
        elif one.fate:
            return
        elif one.verdict == "disrupted":
            yield DISRUPTED
        elif not self._leaves(unit) and not self._has_path(unit, move):
            yield NO_CONVOY

    def _marks_of_support(
        self, one: OrderOutcome, order: SupportHold | SupportMove
    ) -> Iterable[OrderResult]:
        unit = self.at.get(province_of(order.supported.location), "")
        move = self.given.get(unit) if isinstance(order, SupportMove) else None
        its_move = move if isinstance(move, Move) else None
        aim = _aim(order)
        if one.verdict == "invalid" or (its_move and self.orders[unit].verdict == "invalid"):
            yield VOID
            return
        attacks = self._attacks_on(one) if one.verdict == "cut" else {}
        spares = self._sparing(attacks, aim)
        if any(province_of(other[2:]) != aim for other in attacks.keys() - spares):
            yield CUT
        elif its_move and not self._leaves(unit) and not self._has_path(unit, its_move):
            yield NO_CONVOY
        elif its_move and self._is_against_own(one, unit, its_move):
            yield VOID
        elif one.verdict == "cut" and not any(attacks[other].via for other in spares):
            yield CUT

    def _sparing(self, attacks: Mapping[str, Move], aim: str) -> set[str]:
        """The armies that dislodge a supporting unit without cutting its support first, since their
        convoy needs the fleet that it supports or attacks."""
        return {
            unit
            for unit, move in attacks.items()
            if self._leaves(unit) and aim in self._needed(unit, move)
            and not self._needed(unit, move, without=aim)
        }  # fmt: skip

    def _attacks_on(self, one: OrderOutcome) -> dict[str, Move]:
        """The moves of other powers that reach a supporting unit."""
        place = province_of(one.unit[2:])
        return {
            unit: move
            for unit, move in self.given.items()
            if isinstance(move, Move)
            and province_of(move.target) == place
            and self.orders[unit].power != one.power
            and (self._leaves(unit) or self._has_path(unit, move))
        }

    def _is_against_own(self, one: OrderOutcome, unit: str, move: Move) -> bool:
        """Whether a support is for a move that would dislodge a unit of its own power if such
        supports counted. The package counts them if the move has a route and is ordered by convoy.
        """
        victim = self.at.get(province_of(move.target), "")
        if not victim or self.orders[victim].power != one.power:
            return False
        if move.via and self._needed(unit, move):
            return False
        target, order = province_of(move.target), self.given[victim]
        if isinstance(order, Move) and province_of(order.target) == province_of(unit[2:]):
            ends = (unit, move), (victim, order)
            if not any(self._goes_by_convoy(*end) and self._needed(*end) for end in ends):
                return True  # a head-to-head battle
        if self._leaves(victim):
            return False
        rivals = [
            self._strength(other, target)
            for other, its in self.given.items()
            if other != unit and isinstance(its, Move) and province_of(its.target) == target
            and (self._leaves(other) or self._has_path(other, its))
        ]  # fmt: skip
        holds = 1 if isinstance(order, Move) else self._strength(victim, "")
        return self._strength(unit, target) > max(holds, *rivals, 1)

    def _strength(self, unit: str, target: str) -> int:
        """The strength of a unit with the supports for its move to `target`, or its hold ("")."""
        place = province_of(unit[2:])
        return 1 + sum(
            self._counts(self.orders[other], order)
            and province_of(order.supported.location) == place
            and province_of(getattr(order, "target", "")) == target
            for other, order in self.given.items()
            if isinstance(order, (SupportHold, SupportMove))
        )

    def _counts(self, one: OrderOutcome, order: SupportHold | SupportMove) -> bool:
        """Whether a support is given, or cut only by armies that spare it."""
        if one.verdict != "cut":
            return one.verdict == "given"
        attacks = self._attacks_on(one)
        return bool(attacks) and self._sparing(attacks, _aim(order)) == attacks.keys()

    def _leaves(self, unit: str) -> bool:
        is_move = isinstance(self.given[unit], Move)
        return is_move and self.orders[unit].verdict == "succeeds"


def _aim(order: SupportHold | SupportMove) -> str:
    """The province to which a support applies."""
    return province_of(order.target if isinstance(order, SupportMove) else order.supported.location)


def retreat_marks(outcome: Outcome, refused: Iterable[str]) -> Marks:
    """The marks of the dislodged units; none for one that retreats. `refused` are units with an
    impossible order, dislodged or not."""
    marks: Marks = {}
    for one in outcome.orders:
        if one.fate or one.verdict != "succeeds":
            is_lost = one.verdict != "succeeds"
            marks[one.unit] = [BOUNCE, DISBAND] if is_lost else [DISBAND]
        else:
            marks[one.unit] = []
    for unit in dict.fromkeys(refused):
        if marks.get(unit, []) in ([], [DISBAND]):
            marks[unit] = [VOID, *marks.get(unit, [])]
    return marks


def adjustment_marks(outcome: Outcome, refused: Iterable[str]) -> Marks:
    """The marks of units that were built or removed, and of `refused` orders and waived builds,
    which their first two words name."""
    marks: Marks = {}
    for unit in refused:
        marks.setdefault(unit, []).append(VOID)
    for one in outcome.orders:
        if one.unit:
            mark = OK if one.verdict == "succeeds" else VOID
            marks.setdefault(one.unit, []).append(mark)
    return marks


def named(marks: Mapping[str, Sequence[str]]) -> Marks:
    """Convert texts to marks."""
    return {
        unit: [MARKS.get(str(mark), OrderResult(str(mark))) for mark in own]
        for unit, own in marks.items()
    }
