"""Boards as arrays of numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dipsat.board.province import province_of
from dipsat.errors import CodeError
from dipsat.game.position import Position
from dipsat.game.submissions import PowerOrders
from dipsat.kernel.arrays import as_array, check_count, made_again
from dipsat.kernel.faults import (
    BAD_ATTRIBUTE,
    BAD_KIND,
    BAD_LOCATION,
    BAD_ORDER_TYPE,
    BAD_OTHER,
    BAD_OWNER,
    BAD_POWER,
    BAD_SEASON,
    BAD_TARGET,
    NEVER_LESS,
    SHARED_PROVINCE,
)
from dipsat.kernel.numbers import CONVOY, MOVE, SEASONS, SUPPORT_MOVE, UNKNOWN, MapNumbers
from dipsat.values import FrozenDict, brief

Units: TypeAlias = Position | Mapping[str, Iterable[str]]
"""The units of a board: power -> units, as for `Position.from_units`, or a position."""
Orders: TypeAlias = Mapping[str, PowerOrders]
"""The orders of a board: power -> orders, as for `adjudicate`."""


@brief()
@dataclass(frozen=True)
class BoardCodes:
    """Boards as arrays of numbers. Made by `Batch.encode`, or from arrays of one's own.

    The numbers of provinces, powers and kinds are those of `Batch.numbers`.
    """

    starts: Sequence[int]
    """Where the units of each board begin in `units`, and at the end the number of all units."""
    units: Sequence[int]
    """For each unit: power, kind, location, and a number for each attribute that the rules declare,
    or 0 if they declare none."""
    orders: Sequence[int]
    """For each unit: the type of its order (0 none, 1 hold, 2 move, 3 support to hold, 4 support of
    a move, 5 convoy), 1 if it is to move "via convoy", the location of the other unit, and the
    target."""
    seasons: Sequence[int]
    """For each board: 0 spring, 1 summer, 2 fall, 3 winter."""
    owners: Sequence[int] | None = None
    """For each board and each province of the map: the power that owns it as a centre, 255 for
    nobody, 254 if that is unknown. None: nothing is stated. Where rules ask for an owner that is
    unknown here, nobody is taken to be it; `Batch.encode` leaves such boards without codes."""
    uncoded: Mapping[int, tuple[Position, Orders]] = field(default_factory=FrozenDict, repr=False)
    """The boards that have no codes, such as those with several orders for a unit; dipsat's Python
    adjudicates these."""
    lenient: bool = False
    """Whether orders of these that cannot be read are illegal, as for `adjudicate`."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return made_again(self)


def numbers_as_arrays(codes: BoardCodes, numbers: MapNumbers) -> BoardCodes:
    """The codes with every sequence as an array of the type that the compiled code reads. Raises
    `CodeError` for arrays that do not fit together."""
    if _are_arrays(codes, numbers):
        return codes
    starts = as_array(codes.starts, "I", "starts")
    units, orders = as_array(codes.units, "H", "units"), as_array(codes.orders, "H", "orders")
    seasons = as_array(codes.seasons, "B", "seasons")
    owners = None if codes.owners is None else as_array(codes.owners, "B", "owners")
    if not len(starts) or starts[0] != 0:
        raise CodeError(None, None, "`starts` should begin with 0")
    boards, places = len(starts) - 1, len(numbers.provinces)
    counted = f"unit; `starts` counts {starts[-1]}"
    check_count("units", len(units), numbers.unit_width, starts[-1], counted)
    check_count("orders", len(orders), 4, starts[-1], counted)
    check_count("seasons", len(seasons), 1, boards, "board")
    if owners is not None:
        check_count("owners", len(owners), places, boards, "board, one for each province")
    for at in codes.uncoded:
        if not isinstance(at, int) or not 0 <= at < boards or starts[at] != starts[at + 1]:
            raise CodeError(
                None, None, "`uncoded` should number boards that have no units in codes"
            )
    return BoardCodes(starts, units, orders, seasons, owners, codes.uncoded, codes.lenient)


def _are_arrays(codes: BoardCodes, numbers: MapNumbers) -> bool:
    """Whether nothing has to be changed or looked at more closely, as in most codes from texts."""
    starts, units, orders, seasons = codes.starts, codes.units, codes.orders, codes.seasons
    return (
        codes.owners is None
        and not codes.uncoded
        and type(starts) is type(units) is type(orders) is type(seasons) is array
        and starts.typecode == "I"
        and units.typecode == orders.typecode == "H"
        and seasons.typecode == "B"
        and len(starts) == len(seasons) + 1
        and starts[0] == 0
        and len(units) == numbers.unit_width * starts[-1]
        and len(orders) == 4 * starts[-1]
    )


def check_codes(codes: BoardCodes, numbers: MapNumbers) -> None:
    """Raise `CodeError` for the first code that means nothing. The compiled code checks the same
    while it loads a board."""
    count = len(numbers.provinces)
    for board in range(len(codes)):
        first, end = codes.starts[board], codes.starts[board + 1]
        if not first <= end <= len(codes.orders) // 4:
            raise CodeError(None, None, NEVER_LESS)
        if not 0 <= codes.seasons[board] < len(SEASONS):
            raise CodeError(board, None, BAD_SEASON)
        for owner in codes.owners[count * board : count * (board + 1)] if codes.owners else ():
            if owner < UNKNOWN and owner >= len(numbers.powers):
                raise CodeError(board, None, BAD_OWNER)
        seen = set[str]()
        problems = [
            *(_fault_of_unit(codes, numbers, at, seen) for at in range(first, end)),
            *(
                fault_of_order(codes.orders[4 * at : 4 * at + 4], numbers)
                for at in range(first, end)
            ),
        ]
        for at, problem in enumerate(problems):
            if problem:
                raise CodeError(board, at % (end - first), problem)


def one_board(codes: BoardCodes, at: int, numbers: MapNumbers) -> BoardCodes:
    """The codes of a single board that has codes. Raises `CodeError` for one that means nothing."""
    first, end, width = codes.starts[at], codes.starts[at + 1], numbers.unit_width
    places, owners = len(numbers.provinces), codes.owners
    found = BoardCodes(
        (0, end - first),
        codes.units[width * first : width * end],
        codes.orders[4 * first : 4 * end],
        codes.seasons[at : at + 1],
        None if owners is None else owners[places * at : places * (at + 1)],
    )
    try:
        check_codes(found, numbers)
    except CodeError as error:
        raise CodeError(at, error.unit, error.problem) from None
    return found


def _fault_of_unit(codes: BoardCodes, numbers: MapNumbers, at: int, seen: set[str]) -> str:
    width = numbers.unit_width
    row = codes.units[width * at : width * (at + 1)]
    problem = fault_of_unit(row, numbers)
    if problem:
        return problem
    province = province_of(numbers.locations[row[2]])
    if province in seen:
        return SHARED_PROVINCE
    seen.add(province)
    return ""


def fault_of_unit(row: Sequence[int], numbers: MapNumbers) -> str:
    """What is wrong with the code of a unit, "" if it means something."""
    power, kind, location, *values = row
    if power >= len(numbers.powers):
        return BAD_POWER
    if kind >= len(numbers.kinds):
        return BAD_KIND
    if location >= len(numbers.locations) or not numbers.stands(
        numbers.kinds[kind], numbers.locations[location]
    ):
        return BAD_LOCATION
    pairs = zip(values, numbers.attributes.values(), strict=False)
    if any(value >= len(known) for value, known in pairs):
        return BAD_ATTRIBUTE
    return ""


def fault_of_order(row: Sequence[int], numbers: MapNumbers) -> str:
    """What is wrong with the code of an order in a movement phase, "" if it means something."""
    type, _, other, target = row
    most = len(numbers.locations)
    if type > CONVOY:
        return BAD_ORDER_TYPE
    if type > MOVE and other >= most:
        return BAD_OTHER
    if type in (MOVE, SUPPORT_MOVE, CONVOY) and target >= most:
        return BAD_TARGET
    return ""
