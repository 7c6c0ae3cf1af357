"""Results of orders as the package `diplomacy` marks them, from dipsat's outcomes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dipsat.board import province_of
from dipsat.game import Position, route_exists
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
_ORDERED = ("available", "disrupted")
"""The verdicts on convoys that are matched."""
Marks = dict[str, list[OrderResult]]
"""Unit -> the marks of its orders."""


def movement_marks(outcome: Outcome, given: Mapping[str, str]) -> Marks:
    """The marks of all units after moves, none if all went well. `given` maps each unit to its
    order, without the unit."""
    position = outcome.position
    read = position.reader.read
    orders = {one.unit: one for one in outcome.orders}
    board = _Board(position, orders, {unit: read(f"{unit} {own}") for unit, own in given.items()})
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
            if one.verdict == "invalid" or self._is_void(one.power, order):
                yield VOID
            elif one.verdict == "cut":
                yield CUT
        elif isinstance(order, Convoy):
            yield from self._marks_of_convoy(one, order)
        if one.fate:
            yield DISLODGED

    def _has_path(self, unit: str, order: Move) -> bool:
        """Whether a move that failed was possible over land, or over the fleets that convoy it."""
        if self.orders[unit].verdict == "invalid":
            return False
        if not self._goes_by_convoy(unit, order) or self._has_route(unit, order, ("available",)):
            return True
        # Whether it went over land is for the rules to say.
        return self._is_beside(unit, order) and self.orders[unit].reason.code != _DISRUPTED_CONVOY

    def _is_beside(self, unit: str, order: Move) -> bool:
        near = self.position.map.reach_provinces(unit[0], unit[2:])
        return province_of(order.target) in near

    def _goes_by_convoy(self, unit: str, order: Move) -> bool:
        """Whether a move is one by convoy: it must be, it is ordered so, or a fleet of the own
        power convoys it (DATC 4.A.3)."""
        own = self.orders[unit].power
        return order.via or not self._is_beside(unit, order) or any(
            self.orders[fleet].power == own for fleet in self._convoys(unit, order)
        )  # fmt: skip

    def _convoys(self, unit: str, order: Move) -> list[str]:
        """The fleets that are ordered to convoy a move."""
        origin, target = province_of(unit[2:]), province_of(order.target)
        return [
            fleet
            for fleet, convoy in self.given.items()
            if isinstance(convoy, Convoy)
            and province_of(convoy.army.location) == origin
            and province_of(convoy.target) == target
        ]

    def _has_route(self, unit: str, order: Move, verdicts: Sequence[str]) -> bool:
        """Whether fleets with these verdicts convoy a move."""
        fleets = [
            province_of(fleet[2:])
            for fleet in self._convoys(unit, order)
            if self.orders[fleet].verdict in verdicts
        ]
        origin, target = province_of(unit[2:]), province_of(order.target)
        return route_exists(self.position.map.convoys, origin, target, fleets)

    def _marks_of_convoy(self, one: OrderOutcome, order: Convoy) -> Iterable[OrderResult]:
        unit = self.at.get(province_of(order.army.location), "")
        move = self.given.get(unit)
        if not isinstance(move, Move) or province_of(move.target) != province_of(order.target):
            yield VOID
        elif not self._goes_by_convoy(unit, move) or not self._has_route(unit, move, _ORDERED):
            yield NO_CONVOY
            yield VOID
        elif one.verdict == "disrupted" and not one.fate:
            yield DISRUPTED

    def _is_void(self, power: str, order: SupportHold | SupportMove) -> bool:
        """Whether a support is for a move without a path, or for an attack that would dislodge a
        unit of the own power if supports against it counted."""
        unit = self.at.get(province_of(order.supported.location), "")
        move = self.given.get(unit)
        if not isinstance(order, SupportMove) or not isinstance(move, Move):
            return False
        if not self._leaves(unit) and not self._has_path(unit, move):
            return True
        target = province_of(order.target)
        victim = self.at.get(target, "")
        if not victim or self.orders[victim].power != power or self._leaves(victim):
            return False
        rivals = [
            self._strength(other, target)
            for other, its in self.given.items()
            if other != unit and isinstance(its, Move) and province_of(its.target) == target
        ]
        holds = 1 if isinstance(self.given[victim], Move) else self._strength(victim, "")
        return self._strength(unit, target) > max(holds, *rivals, 1)

    def _strength(self, unit: str, target: str) -> int:
        """A unit with the supports given to its move, or to it if it has none."""
        place = province_of(unit[2:])
        return 1 + sum(
            self.orders[other].verdict == "given"
            and province_of(order.supported.location) == place
            and province_of(getattr(order, "target", "")) == target
            for other, order in self.given.items()
            if isinstance(order, (SupportHold, SupportMove))
        )

    def _leaves(self, unit: str) -> bool:
        is_move = isinstance(self.given[unit], Move)
        return is_move and self.orders[unit].verdict == "succeeds"


def retreat_marks(outcome: Outcome, refused: Iterable[str]) -> Marks:
    """The marks of the dislodged units: none for a retreat. `refused` are units with an order that
    cannot be."""
    marks: Marks = {}
    for one in outcome.orders:
        if one.fate or one.verdict != "succeeds":
            is_lost = one.verdict != "succeeds"
            marks[one.unit] = [BOUNCE, DISBAND] if is_lost else [DISBAND]
        else:
            marks[one.unit] = []
    for unit in dict.fromkeys(refused):
        if DISBAND in marks.get(unit, ()):
            marks[unit] = [VOID, DISBAND]
    return marks


def adjustment_marks(outcome: Outcome, refused: Iterable[str]) -> Marks:
    """The marks of the units that were built or removed, and of `refused` orders and waived
    builds, by their first two words."""
    marks: Marks = {}
    for unit in refused:
        marks.setdefault(unit, []).append(VOID)
    for one in outcome.orders:
        if one.unit:
            mark = OK if one.verdict == "succeeds" else VOID
            marks.setdefault(one.unit, []).append(mark)
    return marks


def named(marks: Mapping[str, Sequence[str]]) -> Marks:
    """Marks from texts."""
    return {
        unit: [MARKS.get(str(mark), OrderResult(str(mark))) for mark in own]
        for unit, own in marks.items()
    }
