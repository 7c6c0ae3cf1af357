"""Phases of any kind: by the compiled code, and by dipsat's Python where that code stops."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

from dipsat.board.province import province_of
from dipsat.errors import DipsatError
from dipsat.game.next_phase import victor
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.game.submissions import PowerOrders
from dipsat.kernel.arrays import zeros
from dipsat.kernel.chance import key_of, random_orders
from dipsat.kernel.game_library import (
    ENDED,
    GOES_ON,
    LEFT_TO_ORDER,
    LEFT_TO_SETTLE,
    WON,
    GameLibrary,
    Limits,
    Played,
)
from dipsat.kernel.numbers import NOBODY
from dipsat.kernel.pieces import work_in_pieces
from dipsat.kernel.position_coder import PositionCoder, Row
from dipsat.kernel.position_codes import PositionCodes
from dipsat.orders.order import Order, Waive
from dipsat.proof.adjudicate import adjudicate

_PIECE, _LARGE_PIECE = 8, 200  # games that a thread takes at once, some milliseconds each


class GamesInPlay:
    """Games that are played on phase by phase. `positions` are changed."""

    def __init__(
        self,
        coder: PositionCoder,
        library: GameLibrary | None,
        positions: PositionCodes,
        limits: Limits,
        orders: array[int] | None = None,
    ) -> None:
        self._coder = coder
        self._profile = coder.coder.profile
        self._library = library
        if library is not None and "phases" in library.tables.left_to_python:
            self._library = None
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
        """For each game, how many of its phases dipsat's Python has adjudicated."""

    def play(self, stop_at: int, threads: int = 1) -> None:
        """Play all games on until each is over or has played `stop_at` phases. Raises `CodeError`,
        and the errors of `dipsat.adjudicate`."""
        games, library = self.games, self._library
        left = True
        while left:
            if library is None:
                self._leave_all(stop_at)
            else:
                self._play_compiled(library, stop_at, threads)
            waiting = [at for at, status in enumerate(games.status) if status >= LEFT_TO_ORDER]
            for at in waiting:
                self._play_by_python(at)
            left = bool(waiting)

    def settle(self, orders: Mapping[int, Mapping[str, PowerOrders]]) -> None:
        """Adjudicate one phase of some games by Python, by the numbers of the games. Raises the
        errors of `dipsat.adjudicate`."""
        for at, given in orders.items():
            position = self._coder.decode(self.games.positions, at)
            try:
                self._settle(at, position, given)
            except DipsatError as error:
                error.add_note(f"on position {at}")
                raise

    def _play_compiled(self, library: GameLibrary, stop_at: int, threads: int) -> None:
        work_in_pieces(
            lambda first, end: library.play(self.games, self._limits, stop_at, first, end),
            len(self.games.positions), threads, _PIECE, _LARGE_PIECE,
        )  # fmt: skip

    def _leave_all(self, stop_at: int) -> None:
        """Leave all games to Python that go on."""
        games, given = self.games, self._limits.gives_orders
        for at, status in enumerate(games.status):
            if status != GOES_ON:
                continue
            goes_on = games.played[at] < stop_at
            if given:
                games.status[at] = LEFT_TO_SETTLE if goes_on else GOES_ON
            else:
                position = self._coder.decode(games.positions, at)
                self._end(at, position, LEFT_TO_ORDER if goes_on else GOES_ON)

    def _end(self, at: int, position: Position, otherwise: int) -> None:
        """Write down whether a game is over."""
        games, limits = self.games, self._limits
        winner = victor(position, self._profile.settings)
        over = position.phase.year > limits.last_year or games.played[at] >= limits.most_phases
        games.status[at] = ENDED if over else otherwise
        if winner is not None:
            games.status[at] = WON
            games.winners[at] = self._coder.numbers.number_of_power[winner]

    def _play_by_python(self, at: int) -> None:
        games, coder, rows = self.games, self._coder, 4 * self._coder.rows
        position = coder.decode(games.positions, at)
        if games.status[at] == LEFT_TO_SETTLE:
            orders = coder.orders_of(position, games.orders[rows * at : rows * (at + 1)], at)
        else:
            key = key_of(self._limits.seed, at, games.played[at])
            orders = random_orders(position, self._profile.settings, coder.numbers, key)
            coded = self._coded(position, orders)
            games.orders[rows * at : rows * at + len(coded)] = array("H", coded)
        following = self._settle(at, position, orders)
        games.status[at] = GOES_ON
        if not self._limits.gives_orders:
            self._end(at, following, GOES_ON)

    def _settle(self, at: int, position: Position, orders: Mapping[str, PowerOrders]) -> Position:
        """The position after one phase of a game, which it now has."""
        following = adjudicate(position, orders, self._profile).next
        self._coder.write(self.games.positions, at, following)
        self.games.played[at] += 1
        self.by_python[at] += 1
        return following

    def _coded(self, position: Position, orders: Mapping[str, Sequence[Order]]) -> list[int]:
        """The codes of orders, one for each unit, or in an adjustment phase all with an empty one
        after them."""
        coder = self._coder
        rows: list[tuple[int, Row]] = []
        for power, own in orders.items():
            for order in own:
                place = 0
                if position.phase.kind is not PhaseKind.ADJUSTMENT and not isinstance(order, Waive):
                    place = coder.numbers.number_of[province_of(order.unit.location)]
                rows.append((place, coder.order_row(order, power)))
        rows.sort(key=lambda row: row[0])
        flat = [number for _, row in rows for number in row]
        return flat + [0] * 4 if len(rows) < coder.rows else flat
