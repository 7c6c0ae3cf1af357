"""Boards and positions as arrays of numbers, and the faults that they can have.

Before dipsat's Python adjudicates codes, it makes the checks of `dipsat/kernel/runtime` here."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from dipsat.base import FrozenDict, brief
from dipsat.board import province_of
from dipsat.errors import CodeError
from dipsat.game import Position, PowerOrders
from dipsat.kernel.numbers import CONVOY, MOVE, NOBODY, SEASONS, SUPPORT_MOVE, UNKNOWN, MapNumbers

ArrayType: TypeAlias = Literal["B", "H", "I", "Q", "i"]
"""The types of numbers: one, two, four or eight bytes without a sign, or four with a sign."""

_BYTES = {"B": 1, "H": 2, "I": 4, "Q": 8, "i": 4}
_NO_NUMBERS = (NotImplementedError, OverflowError, TypeError, ValueError)
"""The errors of values that cannot become an array of numbers of a type."""


def zeros(kind: ArrayType, count: int) -> array[int]:
    """An array of this type with `count` zeros."""
    return array(kind, bytes(_BYTES[kind] * count))


def as_array(numbers: Any, kind: ArrayType, name: str) -> array[int]:
    """The numbers as an array of a type; an array of that type is returned unchanged. Raises
    `CodeError`, with the name of the array, for anything but such numbers."""
    if isinstance(numbers, array) and numbers.typecode == kind:
        return numbers
    try:
        try:
            view = memoryview(numbers)
        except TypeError:
            return array(kind, _flat(numbers))
        is_alike = view.format in _formats(kind)
        return array(kind, view.tobytes() if is_alike else _flat(view.tolist()))
    except _NO_NUMBERS as error:
        most = 256 ** _BYTES[kind] - 1
        problem = f"`{name}` should hold whole numbers from 0 to {most}: {error}"
        raise CodeError(None, None, problem) from None


def _flat(listed: Any) -> Any:
    """The numbers of a list of rows, or of a list of lists of rows, one after the other."""
    while isinstance(listed, list | tuple) and listed and isinstance(listed[0], list | tuple):
        listed = [one for row in listed for one in row]
    return listed


def _formats(kind: str) -> tuple[str, ...]:
    """The formats by which buffers describe numbers of a type on this computer."""
    return kind, f"@{kind}", f"={kind}", f"{'<' if sys.byteorder == 'little' else '>'}{kind}"


def _keep_arrays(codes: BoardCodes | PositionCodes, kinds: Mapping[str, ArrayType]) -> None:
    """Replace the given values by arrays of these types. Raises `CodeError`."""
    for name, kind in kinds.items():
        given = getattr(codes, name)
        if type(given) is not array or given.typecode != kind:
            object.__setattr__(codes, name, as_array(given, kind, name))


def _check_maker(codes: BoardCodes | PositionCodes, numbers: MapNumbers) -> None:
    """Raise `CodeError` for codes that were made for other numbers."""
    if codes.made_for not in ("", numbers.name):
        problem = f"these codes were made for {codes.made_for}, and this Batch is for "
        raise CodeError(None, None, f"{problem}{numbers.name}: encode the boards with this one")


def check_count(name: str, found: int, width: int, things: int, thing: str) -> None:
    """Raise `CodeError` if an array does not have `width` numbers for each of `things` things."""
    if found != width * things:
        each = "one number" if width == 1 else f"{width} numbers"
        problem = f"`{name}` should have {each} for each {thing}: {width * things}, not {found}"
        raise CodeError(None, None, problem)


def rows_of(values: array[int], which: Iterable[int], width: int) -> array[int]:
    """The rows with these numbers; each has `width` values."""
    found = values[:0]
    for at in which:
        found.extend(values[width * at : width * (at + 1)])
    return found


BAD_POWER = "no power on this map has that number"
BAD_KIND = "no kind of unit has that number"
BAD_LOCATION = "no unit of this kind can stand there"
BAD_ATTRIBUTE = "the attribute has no value with that number"
SHARED_PROVINCE = "another unit stands in the same province"
BAD_ORDER_TYPE = "no type of order has that number"
BAD_OTHER = "the location of the other unit is not on this map"
BAD_TARGET = "the target is not on this map"
NEVER_LESS = "`starts` should never decrease"
BAD_SEASON = "no season has that number"
BAD_OWNER = "a province is owned by a power that is not on the map"
NO_PHASE = "there is no such phase, or units are dislodged in it"
TOO_MANY = "there are more units than there is room for"
UNSORTED = "the units are not sorted by province, or two stand in one"
BAD_RETREAT = "a retreat leads to a province that is occupied or cannot be reached"

_FIRST = 2  # the number that `codes.h` returns for the first of these
_BY_NUMBER = (
    BAD_POWER, BAD_KIND, BAD_LOCATION, BAD_ATTRIBUTE, SHARED_PROVINCE, BAD_ORDER_TYPE, BAD_OTHER,
    BAD_TARGET, NEVER_LESS, BAD_SEASON, BAD_OWNER, NO_PHASE, TOO_MANY, UNSORTED, BAD_RETREAT,
)  # fmt: skip
_OF_UNITS = {*_BY_NUMBER[: _BY_NUMBER.index(NEVER_LESS)], UNSORTED}


def code_error(request: Any) -> CodeError:
    """The error that compiled code has written into a request: the `fault`, and the numbers of the
    `board` and of the `unit` on it."""
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
    """Boards as arrays of numbers. Made by `Batch.encode`, or from arrays of your own.

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
    nobody, 254 if that is unknown. None: nothing is known. If rules ask for an owner that is
    unknown here, nobody counts as the owner; `Batch.encode` leaves such boards without codes."""
    uncoded: Mapping[int, tuple[Position, Orders]] = field(default_factory=FrozenDict, repr=False)
    """The boards that have no codes, such as those with several orders for a unit; dipsat's Python
    adjudicates these."""
    lenient: bool = False
    """Whether unreadable orders on these boards are illegal, as for `adjudicate`."""
    made_for: str = field(default="", repr=False, compare=False)
    """`MapNumbers.name` of the batch that made the codes; "" if the numbers are your own."""

    def __post_init__(self) -> None:
        _keep_arrays(self, _STATED if self.owners is None else BOARDS)
        starts = self.starts
        for at in self.uncoded:
            if not isinstance(at, int) or not 0 <= at < len(self) or starts[at] != starts[at + 1]:
                problem = "`uncoded` should number boards that have no units in codes"
                raise CodeError(None, None, problem)

    def __len__(self) -> int:
        return len(self.starts) - 1


BOARDS: Mapping[str, ArrayType] = {
    "starts": "I", "units": "H", "orders": "H", "seasons": "B", "owners": "B",
}  # fmt: skip
"""The arrays of `BoardCodes`, each with the type of its numbers."""
_STATED = {name: kind for name, kind in BOARDS.items() if name != "owners"}


def check_sizes(codes: BoardCodes, numbers: MapNumbers) -> None:
    """Raise `CodeError` for arrays that do not fit together, or that were made for other numbers.
    The meaning of the numbers is checked where they are read."""
    _check_maker(codes, numbers)
    if not codes.starts or codes.starts[0] != 0:
        raise CodeError(None, None, "`starts` should begin with 0")
    units, boards = codes.starts[-1], len(codes.starts) - 1
    if len(codes.units) != numbers.unit_width * units or len(codes.orders) != 4 * units:
        counted = f"unit; `starts` counts {units}"
        check_count("units", len(codes.units), numbers.unit_width, units, counted)
        check_count("orders", len(codes.orders), 4, units, counted)
    check_count("seasons", len(codes.seasons), 1, boards, "board")
    if codes.owners is not None:
        places, each = len(numbers.provinces), "board, one for each province"
        check_count("owners", len(codes.owners), places, boards, each)


def check_board(codes: BoardCodes, board: int, numbers: MapNumbers) -> None:
    """Raise `CodeError` for the first code of a board that means nothing, apart from its orders.
    The compiled code checks the same while it loads a board."""
    first, end = codes.starts[board], codes.starts[board + 1]
    if not first <= end <= codes.starts[-1]:
        raise CodeError(None, None, NEVER_LESS)
    if codes.seasons[board] >= len(SEASONS):
        raise CodeError(board, None, BAD_SEASON)
    count, width = len(numbers.provinces), numbers.unit_width
    if codes.owners is not None:
        _check_owners(codes.owners[count * board : count * (board + 1)], numbers, board, {UNKNOWN})
    provinces = set[int]()
    units = codes.units[width * first : width * end]
    for at, province in enumerate(_provinces_of(units, numbers, board)):
        if province in provinces:
            raise CodeError(board, at, SHARED_PROVINCE)
        provinces.add(province)


def _check_owners(
    owners: Sequence[int], numbers: MapNumbers, board: int, others: Collection[int] = ()
) -> None:
    if max({*owners} - {NOBODY, *others}, default=0) >= len(numbers.powers):
        raise CodeError(board, None, BAD_OWNER)


def _provinces_of(units: Sequence[int], numbers: MapNumbers, board: int) -> Iterator[int]:
    """The province of each coded unit. Raises `CodeError` for the first that means nothing."""
    width = numbers.unit_width
    for at in range(len(units) // width):
        power, kind, location, *values = units[width * at : width * (at + 1)]
        pairs = zip(values, numbers.attributes.values(), strict=False)
        if power >= len(numbers.powers):
            raise CodeError(board, at, BAD_POWER)
        if kind >= len(numbers.kinds):
            raise CodeError(board, at, BAD_KIND)
        if location >= len(numbers.locations) or not numbers.stands(
            numbers.kinds[kind], numbers.locations[location]
        ):
            raise CodeError(board, at, BAD_LOCATION)
        if any(value >= len(known) for value, known in pairs):
            raise CodeError(board, at, BAD_ATTRIBUTE)
        yield numbers.number_of[province_of(numbers.locations[location])]


RETREAT, DISBAND, BUILD, WAIVE = range(6, 10)
"""The types of orders that follow those of movement phases."""

PHASE_KINDS = "MRAX"
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
    made_for: str = field(default="", repr=False, compare=False)
    """`MapNumbers.name` of the batch that made the codes; "" if the numbers are your own."""

    def __post_init__(self) -> None:
        _keep_arrays(self, POSITIONS)

    def __len__(self) -> int:
        return len(self.counts) // 2


POSITIONS: Mapping[str, ArrayType] = {
    "phases": "H", "counts": "H", "units": "H", "dislodged": "H", "retreats": "Q", "owners": "B",
}  # fmt: skip
"""The arrays of `PositionCodes`, each with the type of its numbers."""


def _widths(numbers: MapNumbers) -> tuple[int, ...]:
    """The count of numbers in each array for one position."""
    units = numbers.most_units * numbers.unit_width
    return 3, 2, units, units, numbers.most_units, len(numbers.provinces)


def check_positions(codes: PositionCodes, numbers: MapNumbers) -> None:
    """Raise `CodeError` as `check_sizes` does."""
    _check_maker(codes, numbers)
    for name, width in zip(POSITIONS, _widths(numbers), strict=True):
        check_count(name, len(getattr(codes, name)), width, len(codes.phases) // 3, "position")


def _made(arrays: Iterable[array[int]], made_for: str) -> PositionCodes:
    phases, counts, units, dislodged, retreats, owners = arrays
    return PositionCodes(phases, counts, units, dislodged, retreats, owners, made_for)


def copied(codes: PositionCodes, times: int = 1) -> PositionCodes:
    """Copies of the positions, in new arrays, repeated `times` times."""
    return _made((times * getattr(codes, name) for name in POSITIONS), codes.made_for)


def selected(codes: PositionCodes, which: Sequence[int], numbers: MapNumbers) -> PositionCodes:
    """Copies of the positions with these numbers."""
    pairs = zip(POSITIONS, _widths(numbers), strict=True)
    rows = (rows_of(getattr(codes, name), which, width) for name, width in pairs)
    return _made(rows, codes.made_for)


def empty_positions(count: int, numbers: MapNumbers) -> PositionCodes:
    """Room for `count` positions, with nothing on the boards."""
    pairs = zip(POSITIONS.values(), _widths(numbers), strict=True)
    return _made((zeros(kind, count * width) for kind, width in pairs), numbers.name)


_PHASES = {(0, 0), (0, 1), (1, 3), (2, 0), (2, 1), (3, 2)}  # season and kind


def check_position(codes: PositionCodes, at: int, numbers: MapNumbers) -> None:
    """Raise `CodeError` for the first code of a position that means nothing."""
    width, first = numbers.unit_width, numbers.most_units * at
    counts, provinces = codes.counts[2 * at : 2 * at + 2], list[list[int]]()
    for rows, count in zip((codes.units, codes.dislodged), counts, strict=True):
        if count > numbers.most_units:
            raise CodeError(at, None, TOO_MANY)
        found = list[int]()
        for province in _provinces_of(rows[width * first : width * (first + count)], numbers, at):
            if found and province <= found[-1]:
                raise CodeError(at, len(found), UNSORTED)
            found.append(province)
        provinces.append(found)
    _, season, kind = codes.phases[3 * at : 3 * at + 3]
    if (season, kind) not in _PHASES or (counts[1] and PHASE_KINDS[kind] != "R"):
        raise CodeError(at, None, NO_PHASE)
    count = len(numbers.provinces)
    _check_owners(codes.owners[count * at : count * (at + 1)], numbers, at)
    for place in range(first, first + counts[1]):
        power, kind, location = codes.dislodged[width * place : width * place + 3]
        near = numbers.next_to(numbers.kinds[kind], numbers.locations[location])
        near = near if numbers.powers[power] not in numbers.board.neutrals else ()
        free = (
            1 << bit
            for bit, to in enumerate(near)
            if numbers.number_of[province_of(to)] not in provinces[0]
        )
        if codes.retreats[place] & ~sum(free):
            raise CodeError(at, None, BAD_RETREAT)


def fault_of_row(row: Sequence[int], phase: str, numbers: MapNumbers) -> str:
    """The fault of an order's code in a phase of this kind, "" if the code means something."""
    type, kind, other, target = row
    places = len(numbers.locations)
    types = {"M": range(CONVOY + 1), "R": (0, RETREAT, DISBAND), "A": (0, BUILD, DISBAND, WAIVE)}
    if type not in types.get(phase, (0,)):
        return BAD_ORDER_TYPE
    if MOVE < type <= CONVOY and other >= places:
        return BAD_OTHER
    names_place = type in (MOVE, SUPPORT_MOVE, CONVOY, RETREAT, BUILD)
    if (names_place or (type == DISBAND and phase == "A")) and target >= places:
        return BAD_TARGET
    if phase == "A" and type and other >= len(numbers.powers):
        return BAD_POWER
    if type == BUILD and kind >= len(numbers.kinds):
        return BAD_KIND
    return ""
