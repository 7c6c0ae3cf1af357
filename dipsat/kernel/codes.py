"""Boards and positions as arrays of numbers, and what can be wrong with them.

For what dipsat's Python adjudicates, it makes the checks of `dipsat/kernel/runtime` here."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from dipsat.base import FrozenDict, brief
from dipsat.board import province_of
from dipsat.errors import CodeError
from dipsat.game import Position, PowerOrders
from dipsat.kernel.numbers import CONVOY, MOVE, NOBODY, SEASONS, SUPPORT_MOVE, UNKNOWN, MapNumbers

ArrayType: TypeAlias = Literal["B", "H", "I", "Q"]
"""The types of numbers: of one, two, four and eight bytes, without a sign."""

_NO_NUMBERS = (NotImplementedError, OverflowError, TypeError, ValueError)
"""The errors of what cannot be made an array of numbers of a type."""


def zeros(kind: ArrayType, count: int) -> array[int]:
    """So many zeros in an array of this type."""
    return array(kind, bytes(array(kind).itemsize * count))


def as_array(numbers: Any, kind: ArrayType, name: str) -> Any:
    """The numbers as a one-dimensional array of a type that can be written, the same memory where
    it fits. Raises `CodeError`, with the name of the array, for anything else than such numbers."""
    try:
        return _as_array(numbers, kind)
    except _NO_NUMBERS as error:
        most = 256 ** array(kind).itemsize - 1
        problem = f"`{name}` should hold whole numbers from 0 to {most}: {error}"
        raise CodeError(None, None, problem) from None


def _as_array(numbers: Any, kind: ArrayType) -> Any:
    if isinstance(numbers, array) and numbers.typecode == kind:
        return numbers
    try:
        view = memoryview(numbers)
    except TypeError:
        return array(kind, _flat(numbers))
    if view.format not in _formats(kind):
        return array(kind, _flat(view.tolist()))
    if view.format == kind and view.ndim == 1 and view.contiguous and not view.readonly:
        return view
    return array(kind, view.tobytes())


def _flat(listed: Any) -> Any:
    """The numbers of a list of rows, or of a list of lists of rows, one after the other."""
    while isinstance(listed, list | tuple) and listed and isinstance(listed[0], list | tuple):
        listed = [one for row in listed for one in row]
    return listed


def new_array(numbers: Any, kind: ArrayType, name: str) -> array[int]:
    """The numbers in an array of their own. Raises `CodeError`, as `as_array` does."""
    return array(kind, memoryview(as_array(numbers, kind, name)).tobytes())


def check_count(name: str, found: int, width: int, things: int, thing: str) -> None:
    """Raise `CodeError` if an array does not have so many numbers for each of so many things."""
    if found != width * things:
        each = "one number" if width == 1 else f"{width} numbers"
        problem = f"`{name}` should have {each} for each {thing}: {width * things}, not {found}"
        raise CodeError(None, None, problem)


def made_again(holder: Any) -> tuple[Any, tuple[Any, ...]]:
    """How a dataclass of arrays is copied and pickled: views of memory, which cannot be, become
    arrays."""
    values = (getattr(holder, one.name) for one in fields(holder))
    return type(holder), tuple(
        array(value.format, value.tobytes()) if isinstance(value, memoryview) else value
        for value in values
    )


def rows_of(values: Sequence[int], which: Sequence[int], width: int, kind: ArrayType) -> array[int]:
    """The rows with these numbers, of so many numbers each."""
    found = array(kind)
    for at in which:
        found.extend(values[width * at : width * (at + 1)])
    return found


def _formats(kind: str) -> tuple[str, ...]:
    """How buffers describe numbers of a type of this computer."""
    return kind, f"@{kind}", f"={kind}", f"{'<' if sys.byteorder == 'little' else '>'}{kind}"


BAD_POWER = "the power has no such number on this map"
BAD_KIND = "the kind of unit has no such number"
BAD_LOCATION = "no unit of this kind can stand there"
BAD_ATTRIBUTE = "an attribute has no such value"
SHARED_PROVINCE = "another unit stands in the same province"
BAD_ORDER_TYPE = "the type of the order has no such number"
BAD_OTHER = "the location of the other unit is not on this map"
BAD_TARGET = "the target is not on this map"
NEVER_LESS = "`starts` should never become less"
BAD_SEASON = "the season has no such number"
BAD_OWNER = "a province is owned by a power that the map does not have"
NO_PHASE = "there is no such phase, or units are dislodged in it"
TOO_MANY = "there are more units than there is room for"
UNSORTED = "the units are not sorted by province, or two stand in one"
BAD_RETREAT = "a retreat leads to a province that is occupied or cannot be reached"

_FIRST = 2  # what `codes.h` returns for the first of these
_BY_NUMBER = (
    BAD_POWER, BAD_KIND, BAD_LOCATION, BAD_ATTRIBUTE, SHARED_PROVINCE, BAD_ORDER_TYPE, BAD_OTHER,
    BAD_TARGET, NEVER_LESS, BAD_SEASON, BAD_OWNER, NO_PHASE, TOO_MANY, UNSORTED, BAD_RETREAT,
)  # fmt: skip
_OF_UNITS = {*_BY_NUMBER[: _BY_NUMBER.index(NEVER_LESS)], UNSORTED}


def code_error(request: Any) -> CodeError:
    """The error for what the compiled code has written into a request: the `fault`, and the numbers
    of the `board` and of the `unit` on it."""
    problem = _BY_NUMBER[request.fault - _FIRST]
    board = None if problem == NEVER_LESS else request.board
    return CodeError(board, request.unit if problem in _OF_UNITS else None, problem)


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


RETREAT, DISBAND, BUILD, WAIVE = range(6, 10)
"""The types of orders after those of movement phases."""

KINDS = "MRAX"
"""The kinds of phases, by number."""


@brief()
@dataclass(frozen=True)
class PositionCodes:
    """Positions as arrays of numbers, each with the same room for its units
    (`MapNumbers.most_units`). Made by `Batch.positions`.

    The numbers of provinces, powers and kinds are those of `Batch.numbers`. Units are sorted by the
    numbers of their provinces.
    """

    phases: MutableSequence[int]
    """For each position: the year, the season (0 spring, 1 summer, 2 fall, 3 winter), and the kind
    of phase (0 movement, 1 retreats, 2 adjustments, 3 a phase for orders that rules declare)."""
    counts: MutableSequence[int]
    """For each position: how many units are on the board, and how many are dislodged."""
    units: MutableSequence[int]
    """For each unit: power, kind, location, and a number for each attribute that the rules declare,
    or 0 if they declare none."""
    dislodged: MutableSequence[int]
    """The same for each dislodged unit, with the location from which it was dislodged."""
    retreats: MutableSequence[int]
    """For each dislodged unit, where it may retreat: a bit for each location that it could reach
    without a convoy, in alphabetical order."""
    owners: MutableSequence[int]
    """For each position and each province of the map: the power that owns it as a centre, 255 for
    nobody."""

    def __len__(self) -> int:
        return len(self.counts) // 2


def widths(numbers: MapNumbers) -> dict[str, tuple[ArrayType, int]]:
    """For each array, the type of its numbers, and how many it has for each position."""
    most = numbers.most_units
    return {
        "phases": ("H", 3),
        "counts": ("H", 2),
        "units": ("H", most * numbers.unit_width),
        "dislodged": ("H", most * numbers.unit_width),
        "retreats": ("Q", most),
        "owners": ("B", len(numbers.provinces)),
    }


def positions_as_arrays(codes: PositionCodes, numbers: MapNumbers) -> PositionCodes:
    """The same positions in arrays of their own. Raises `CodeError` for arrays that do not fit
    together."""
    found = {}
    for name, (kind, width) in widths(numbers).items():
        found[name] = new_array(getattr(codes, name), kind, name)
        check_count(name, len(found[name]), width, len(found["phases"]) // 3, "position")
    return PositionCodes(**found)


def one_position(codes: PositionCodes, at: int, numbers: MapNumbers) -> PositionCodes:
    """The position with a number alone. Raises `CodeError` for one that means nothing."""
    found = {}
    for name, (kind, width) in widths(numbers).items():
        row = as_array(getattr(codes, name), kind, name)[width * at : width * (at + 1)]
        found[name] = new_array(row, kind, name)
        check_count(name, len(found[name]), width, 1, "position")
    one = PositionCodes(**found)
    try:
        check_positions(one, numbers, [0])
    except CodeError as error:
        raise CodeError(at, error.unit, error.problem) from None
    return one


def repeated(codes: PositionCodes, count: int) -> PositionCodes:
    """The positions so many times."""
    return PositionCodes(*(getattr(codes, one.name) * count for one in fields(codes)))


def selected(codes: PositionCodes, which: Sequence[int], numbers: MapNumbers) -> PositionCodes:
    """Copies of the positions with these numbers."""
    return PositionCodes(
        *(
            rows_of(getattr(codes, name), which, width, kind)
            for name, (kind, width) in widths(numbers).items()
        )
    )


def empty_positions(count: int, numbers: MapNumbers) -> PositionCodes:
    """Room for so many positions, with nothing on the boards."""
    sizes = widths(numbers).values()
    return PositionCodes(*(zeros(kind, count * width) for kind, width in sizes))


_PHASES = {(0, 0), (0, 1), (1, 3), (2, 0), (2, 1), (3, 2)}  # season and kind


def check_positions(codes: PositionCodes, numbers: MapNumbers, which: Iterable[int]) -> None:
    """Raise `CodeError` for the first of these positions that means nothing."""
    for at in which:
        problem, unit = _fault_of(codes, numbers, at)
        if problem:
            raise CodeError(at, unit, problem)


def _fault_of(codes: PositionCodes, numbers: MapNumbers, at: int) -> tuple[str, int | None]:
    """What is wrong with a position, and with which unit."""
    standing, lost = codes.counts[2 * at : 2 * at + 2]
    for rows, count in ((codes.units, standing), (codes.dislodged, lost)):
        fault = _fault_of_units(rows, count, numbers, at)
        if fault[0]:
            return fault
    _, season, kind = codes.phases[3 * at : 3 * at + 3]
    if (season, kind) not in _PHASES or (lost and KINDS[kind] != "R"):
        return NO_PHASE, None
    width = len(numbers.provinces)
    owners = set(codes.owners[width * at : width * (at + 1)]) - {NOBODY}
    if owners and max(owners) >= len(numbers.powers):
        return BAD_OWNER, None
    return _fault_of_retreats(codes, numbers, at, standing, lost), None


def _fault_of_units(
    rows: Sequence[int], count: int, numbers: MapNumbers, at: int
) -> tuple[str, int | None]:
    if count > numbers.most_units:
        return TOO_MANY, None
    last, width, first = -1, numbers.unit_width, numbers.most_units * at
    for place in range(count):
        row = rows[width * (first + place) : width * (first + place + 1)]
        problem = fault_of_unit(row, numbers)
        if problem:
            return problem, place
        province = numbers.number_of[province_of(numbers.locations[row[2]])]
        if province <= last:
            return UNSORTED, place
        last = province
    return "", None


def _fault_of_retreats(
    codes: PositionCodes, numbers: MapNumbers, at: int, standing: int, lost: int
) -> str:
    width, first = numbers.unit_width, numbers.most_units * at
    locations = codes.units[width * first + 2 : width * (first + standing) : width]
    taken = {province_of(numbers.locations[location]) for location in locations}
    for place in range(first, first + lost):
        power, kind, location = codes.dislodged[width * place : width * place + 3]
        near = numbers.next_to(numbers.kinds[kind], numbers.locations[location])
        near = near if numbers.powers[power] not in numbers.board.neutrals else ()
        free = (1 << bit for bit, to in enumerate(near) if province_of(to) not in taken)
        if codes.retreats[place] & ~sum(free):
            return BAD_RETREAT
    return ""


def fault_of_row(row: Sequence[int], phase: str, numbers: MapNumbers) -> str:
    """What is wrong with the code of an order in a phase of a kind, "" if it means something."""
    type, kind, other, target = row
    if phase == "M":
        return fault_of_order(row, numbers)
    types = {"R": (0, RETREAT, DISBAND), "A": (0, BUILD, DISBAND, WAIVE)}
    if type not in types.get(phase, (0,)):
        return BAD_ORDER_TYPE
    names_place = type in (RETREAT, BUILD) or (type == DISBAND and phase == "A")
    if names_place and target >= len(numbers.locations):
        return BAD_TARGET
    if phase == "A" and type and other >= len(numbers.powers):
        return BAD_POWER
    if type == BUILD and kind >= len(numbers.kinds):
        return BAD_KIND
    return ""
