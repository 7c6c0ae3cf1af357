"""Whole games with random orders, and legal orders: by compiled code, or by Python where it
stops."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, pairwise
from typing import NamedTuple

from dipsat.base import brief, checked
from dipsat.board import province_of
from dipsat.errors import ArgumentError, DipsatError
from dipsat.game import (
    PhaseKind,
    Position,
    PowerOrders,
    adjustments,
    legal_orders,
    victor,
)
from dipsat.kernel.coder import Coder, Row
from dipsat.kernel.codes import (
    DISBAND,
    BoardCodes,
    PositionCodes,
    copied,
    rows_of,
    selected,
    zeros,
)
from dipsat.kernel.library import (
    ENDED,
    GOES_ON,
    LEFT_TO_ORDER,
    LEFT_TO_SETTLE,
    WON,
    KernelLibrary,
    Limits,
    Played,
)
from dipsat.kernel.numbers import NOBODY, OPEN
from dipsat.kernel.result_arrays import work_in_pieces
from dipsat.orders import Disband, Move, Order
from dipsat.outcomes import adjudicate


@brief()
@dataclass(frozen=True)
class LegalOrders:
    """The legal orders of many boards or positions. Made by `Batch.legal_orders`.

    The subjects of the orders are units. In an adjustment phase, they are the units of the powers
    that must disband, and the provinces in which a power may build.
    """

    starts: Sequence[int]
    """For each subject, the row in `orders` where its orders begin; at the end the number of all
    rows."""
    orders: Sequence[int]
    """For each legal order, four numbers as in `BoardCodes.orders`, or as `Batch.advance` takes
    them."""
    by_python: Sequence[int]
    """The boards whose orders dipsat's Python has listed."""
    subjects: Sequence[int]
    """For each board, where its subjects begin among those of all boards; at the end the number of
    all. In a `PositionCodes` they are sorted by the numbers of their provinces. In `BoardCodes`
    they are the units of the board."""
    due: Sequence[int]
    """For each position in an adjustment phase, and each power, the number of units that it may
    build or, if negative, must disband; 0 in other phases. Empty for `BoardCodes`."""

    @checked
    def of(self, unit: int) -> list[tuple[int, int, int, int]]:
        """Return the orders of a subject, given its number among the subjects of all boards."""
        if not 0 <= unit < len(self.starts) - 1:
            wanted = f"the number of a unit, from 0 to {len(self.starts) - 2}"
            raise ArgumentError("dipsat.kernel.LegalOrders.of", "unit", unit, wanted)
        rows = self.orders[4 * self.starts[unit] : 4 * self.starts[unit + 1]]
        return [(rows[n], rows[n + 1], rows[n + 2], rows[n + 3]) for n in range(0, len(rows), 4)]


def legal_in(
    coder: Coder, library: KernelLibrary | None, codes: BoardCodes | PositionCodes
) -> LegalOrders:
    """The legal orders of boards, or of positions of any phase. Raises `CodeError`."""
    count, powers = len(codes), len(coder.numbers.powers)
    own, ends, rows = zeros("I", count), array("I"), array("H")
    due, settled = array("h"), array("B", [OPEN]) * count
    if isinstance(codes, PositionCodes):
        due.frombytes(bytes(2 * powers * count))
        if library is not None:
            own, ends, rows, due, settled = library.list_choices(codes)
    elif library is not None:
        own = array("I", codes.starts[1:])
        ends, rows, settled = library.list_orders(codes)
    starts = array("I", [0]) + ends
    if OPEN not in settled:
        return LegalOrders(starts, rows, [], array("I", [0]) + own, due)
    begun, subjects = array("I", [0]), array("I", [0])
    found, left = array("H"), list[int]()
    for board, (first, end) in enumerate(pairwise((0, *own))):
        if settled[board] != OPEN:
            further = begun[-1] - starts[first]
            found.extend(rows[4 * starts[first] : 4 * starts[end]])
            begun.extend(further + one for one in starts[first + 1 : end + 1])
        elif isinstance(codes, PositionCodes) or board not in codes.uncoded:
            left.append(board)
            position, order = _position_at(coder, codes, board)
            if due:
                due[powers * board : powers * (board + 1)] = array("h", _due(coder, position))
            legal = _subjects(coder, position)
            for one in sorted(legal, key=lambda one: order.get(one.province, one.province)):
                found.extend(chain.from_iterable(one.rows))
                begun.append(len(found) // 4)
        subjects.append(len(begun) - 1)
    return LegalOrders(begun, found, left, subjects, due)


def _position_at(
    coder: Coder, codes: BoardCodes | PositionCodes, at: int
) -> tuple[Position, dict[int, int]]:
    """A board or a position, and for each province with a unit the number of the unit in the codes
    of a board."""
    if isinstance(codes, PositionCodes):
        return coder.position(codes, at), {}
    units = coder.units(codes.units, codes.starts[at], codes.starts[at + 1])
    order = {coder.numbers.number_of[unit.province]: place for place, unit in enumerate(units)}
    return coder.decode(codes, at)[0], order


class _Subject(NamedTuple):
    """A unit or a province to build in, with the codes of its legal orders."""

    province: int
    power: int
    rows: list[Row]


def _subjects(coder: Coder, position: Position) -> list[_Subject]:
    """The legal orders of a position, found by dipsat's Python, sorted by province. Moves with a
    convoy path have no codes."""
    numbers, is_retreat = coder.numbers, position.phase.kind is PhaseKind.RETREAT
    owners = {code: power for power, codes in position.centers.items() for code in codes}
    found = []
    for subject, orders in legal_orders(position, coder.settings).items():
        province = province_of(subject.rpartition(" ")[2])
        lost = [one.unit for one in position.dislodged if one.unit.province == province]
        standing = lost[0] if is_retreat else position.by_province.get(province)
        power = owners[province] if standing is None else standing.power
        rows = [
            (DISBAND, 0, 0, 0)
            if is_retreat and isinstance(order, Disband)
            else coder.order_row(order, power)
            for order in orders
            if not (isinstance(order, Move) and order.path)
        ]
        found.append(_Subject(numbers.number_of[province], numbers.number_of_power[power], rows))
    return sorted(found)


def _due(coder: Coder, position: Position) -> list[int]:
    """For each power, the number of units that it builds or, if negative, disbands."""
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return [0] * len(coder.numbers.powers)
    return [adjustments(position, power, coder.settings) for power in coder.numbers.powers]


_MASK = 2**64 - 1


def mixed(z: int) -> int:
    """splitmix64: a pseudo-random number of 64 bits from another number."""
    z = (z + 0x9E3779B97F4A7C15) & _MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
    return z ^ (z >> 31)


def drawn(key: int, subject: int, count: int) -> int:
    """A number from 0 to before `count` for a subject."""
    return (mixed(key ^ subject) >> 32) * count >> 32


def key_of(seed: int, game: int, phase: int) -> int:
    """The key of all random numbers in a phase of a game."""
    return mixed(mixed(mixed(seed & _MASK) ^ game) ^ phase)


def random_rows(coder: Coder, position: Position, key: int) -> list[Row]:
    """The code of a random legal order for every unit that needs one. All are equally likely. In an
    adjustment phase, as many builds or disbands as are due.

    What is drawn depends only on the key and the subject, not on what was drawn before.
    `dipsat/kernel/runtime/play.h` draws the same."""
    legal = _subjects(coder, position)
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        last = position.phase.kind is PhaseKind.RETREAT  # 0 means a disband, which is listed last
        return [one.rows[drawn(key, one.province, len(one.rows)) - last] for one in legal]
    found = list[Row]()
    for power, due in enumerate(_due(coder, position)):
        own = [one for one in legal if one.power == power]
        for one in _chosen(own, abs(due), power, key):
            which = drawn(key, one.province, len(one.rows)) if due > 0 else 0
            found.append(one.rows[which])
    return found


def _chosen(listed: list[_Subject], wanted: int, power: int, key: int) -> list[_Subject]:
    for at in range(wanted):
        other = at + drawn(key, (power + 1) << 16 | at, len(listed) - at)
        listed[at], listed[other] = listed[other], listed[at]
    return listed[:wanted]


@brief()
@dataclass(frozen=True)
class PlayedPhase:
    """One phase of all games that were still going on."""

    games: Sequence[int]
    """The numbers of these games."""
    positions: PositionCodes
    """The position of each game before the phase."""
    orders: Sequence[int]
    """The orders of each game, `Batch.order_rows` rows of four numbers: in a movement phase one for
    each unit, in a retreat phase one for each dislodged unit, in an adjustment phase one for each
    build or disband and then, if there is room, a row of zeros."""


@brief()
@dataclass(frozen=True)
class Games:
    """Games played with random orders, numbered from 0. Made by `Batch.play`."""

    positions: PositionCodes
    """The end of each game: the position after its last phase."""
    winners: Sequence[int]
    """For each game, the number of the power that has won, 255 if none has."""
    phases: Sequence[int]
    """For each game, the number of phases played."""
    by_python: Sequence[int]
    """For each game, the number of its phases that dipsat's Python has adjudicated because the
    compiled code cannot."""
    record: Sequence[PlayedPhase]
    """Every phase of all games if `record` was true, otherwise empty."""
    _coder: Coder = field(repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.positions)

    @checked
    def winner(self, game: int) -> str | None:
        """Return the power that has won a game, None if no power has."""
        self._check("winner", game)
        number = self.winners[game]
        return None if number == NOBODY else self._coder.numbers.powers[number]

    @checked
    def position(self, game: int) -> Position:
        """Return the position after the last phase of a game."""
        self._check("position", game)
        return self._coder.position(self.positions, game)

    @checked
    def centers(self, game: int) -> dict[str, int]:
        """Return power -> the number of its centres at the end of a game, for every power of the
        map."""
        self._check("centers", game)
        numbers = self._coder.numbers
        count = len(numbers.provinces)
        owners = bytes(self.positions.owners[count * game : count * (game + 1)])
        return {power: owners.count(at) for at, power in enumerate(numbers.powers)}

    @checked
    def history(self, game: int) -> list[tuple[Position, dict[str, list[Order]]]]:
        """Return the position and the orders of every phase of a game, as `dipsat.adjudicate` takes
        them. Raises `ArgumentError` if there is no record."""
        self._check("history", game)
        if not self.record and self.phases[game]:
            wanted = "a game of `play(..., record=True)`, which keeps every phase"
            raise ArgumentError("dipsat.kernel.Games.history", "game", game, wanted)
        found, rows = [], 4 * self._coder.rows
        for phase in self.record[: self.phases[game]]:
            at = phase.games.index(game)
            position = self._coder.position(phase.positions, at)
            orders = phase.orders[rows * at : rows * (at + 1)]
            found.append((position, self._coder.orders_of(position, orders)))
        return found

    def _check(self, method: str, game: int) -> None:
        if not 0 <= game < len(self):
            wanted = f"the number of a game, from 0 to {len(self) - 1}"
            raise ArgumentError(f"dipsat.kernel.Games.{method}", "game", game, wanted)


def play_games(
    coder: Coder,
    library: KernelLibrary | None,
    positions: PositionCodes,
    limits: Limits,
    is_recorded: bool,
    threads: int,
) -> Games:
    """Play games from positions, which change. Raises the errors of `Batch.play`."""
    playing = GamesInPlay(coder, library, positions, limits)
    games, record = playing.games, list[PlayedPhase]()
    if not is_recorded:
        playing.play(limits.most_phases, threads)
    while is_recorded:
        before, already = copied(positions), games.played[:]
        playing.play(len(record) + 1, threads)
        which = [at for at, count in enumerate(games.played) if count > already[at]]
        if not which:
            break
        orders = rows_of(games.orders, which, 4 * coder.rows)
        record.append(PlayedPhase(which, selected(before, which, coder.numbers), orders))
    return Games(positions, games.winners, games.played, playing.by_python, tuple(record), coder)


@brief()
@dataclass(frozen=True)
class Advanced:
    """The positions after one phase. Made by `Batch.advance`."""

    positions: PositionCodes
    """For each position, the position of the next phase."""
    by_python: Sequence[int]
    """The numbers of the positions that dipsat's Python has adjudicated because the compiled code
    cannot."""


_PIECE = 8  # games that a thread takes at a time, some milliseconds each


class GamesInPlay:
    """Games in progress, played phase by phase. `positions` change."""

    def __init__(
        self,
        coder: Coder,
        library: KernelLibrary | None,
        positions: PositionCodes,
        limits: Limits,
        orders: array[int] | None = None,
    ) -> None:
        self._coder = coder
        self._profile = coder.profile
        self._library = library
        self._limits = limits
        count = len(positions)
        self.games = Played(
            positions,
            zeros("H", 4 * coder.rows * count) if orders is None else orders,
            zeros("B", count),
            array("B", [NOBODY]) * count,
            zeros("I", count),
        )
        self.by_python = zeros("I", count)
        """For each game, the number of its phases that dipsat's Python has adjudicated."""
        for at in range(count) if library is None else ():
            self._end(at, coder.position(positions, at))

    def play(self, stop_at: int, threads: int = 1) -> None:
        """Continue all games until each is over or has played `stop_at` phases. Raises `CodeError`,
        and the errors of `dipsat.adjudicate`."""
        games, library = self.games, self._library
        while True:
            if library is None:
                pairs = enumerate(zip(games.status, games.played, strict=True))
                left = [at for at, (now, count) in pairs if now == GOES_ON and count < stop_at]
            else:
                work = partial(library.play, games, self._limits, stop_at)
                work_in_pieces(work, len(games.positions), threads, _PIECE)
                left = [at for at, status in enumerate(games.status) if status >= LEFT_TO_ORDER]
            if not left:
                return
            for at in left:
                self._play_by_python(at)

    def settle(self, orders: Mapping[int, Mapping[str, PowerOrders]]) -> None:
        """Adjudicate one phase of some games by Python, given orders by the game's number. Raises
        the errors of `dipsat.adjudicate`."""
        for at, given in orders.items():
            position = self._coder.position(self.games.positions, at)
            try:
                self._settle(at, position, given)
            except DipsatError as error:
                error.add_note(f"on position {at}")
                raise

    def _end(self, at: int, position: Position) -> None:
        """Record whether a game is over."""
        games, limits = self.games, self._limits
        if limits.gives_orders:
            return
        winner = victor(position, self._profile.settings)
        over = position.phase.year > limits.last_year or games.played[at] >= limits.most_phases
        games.status[at] = ENDED if over else GOES_ON
        if winner is not None:
            games.status[at] = WON
            games.winners[at] = self._coder.numbers.number_of_power[winner]

    def _play_by_python(self, at: int) -> None:
        games, coder, rows = self.games, self._coder, 4 * self._coder.rows
        position = coder.position(games.positions, at)
        if self._limits.gives_orders or games.status[at] == LEFT_TO_SETTLE:
            orders = coder.orders_of(position, games.orders[rows * at : rows * (at + 1)], at)
        else:
            key = key_of(self._limits.seed, at, games.played[at])
            chosen = [*random_rows(coder, position, key), (0, 0, 0, 0)][: coder.rows]
            coded = array("H", chain.from_iterable(chosen))
            games.orders[rows * at : rows * at + len(coded)] = coded
            orders = coder.orders_of(position, coded)
        following = self._settle(at, position, orders)
        games.status[at] = GOES_ON
        self._end(at, following)

    def _settle(self, at: int, position: Position, orders: Mapping[str, PowerOrders]) -> Position:
        """Adjudicate one phase of a game, and return its new position."""
        following = adjudicate(position, orders, self._profile).next
        self._coder.write(self.games.positions, at, following)
        self.games.played[at] += 1
        self.by_python[at] += 1
        return following
