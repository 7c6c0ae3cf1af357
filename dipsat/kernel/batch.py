"""Many boards at once, by the compiled equations of a profile if possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from operator import index
from pathlib import Path
from typing import Any

from dipsat.base import brief, checked, kept_on_first
from dipsat.board import Map, load_map
from dipsat.errors import ArgumentError, DipsatError, KernelError
from dipsat.game import PhaseKind, PhaseName, Position
from dipsat.kernel.coder import Coder
from dipsat.kernel.codes import (
    BoardCodes,
    Orders,
    PositionCodes,
    Units,
    as_array,
    check_count,
    check_positions,
    check_sizes,
    copied,
)
from dipsat.kernel.game_arrays import (
    Advanced,
    Games,
    GamesInPlay,
    LegalOrders,
    legal_in,
    play_games,
)
from dipsat.kernel.library import (
    KernelLibrary,
    Limits,
    compiled_library,
    kept_library,
)
from dipsat.kernel.numbers import DeclinedError, MapNumbers
from dipsat.kernel.result_arrays import BatchResult, adjudicated, answer, left_open
from dipsat.kernel.tables import what_python_does
from dipsat.rules import DEFAULT_RULES, Profile, check_features, load_profile

_NOT_KEPT = "your own rules are compiled by `dipsat kernel build`, or with native=True"
_LAST_YEAR, _MOST_PHASES = 65_000, 2**31 - 1  # that codes can hold


@brief("rules", "map", "native")
class Batch:
    """Adjudicates the movement phases of many boards of one map under one profile.

    Two batches are equal only if they are the same object. A copy, perhaps in another process, is
    made from the same rules and map.

    The profile's equations are compiled to machine code, which adjudicates hundreds of times as
    many boards a second as `dipsat.adjudicate`. Whatever it cannot express, and boards that it
    leaves open, are adjudicated by `dipsat.adjudicate`, so the results are the same.

    `rules` and `map` are as for `adjudicate` and `Position.from_units`; `map` defaults to the
    rules' map, or the standard map. With `native=None`, shipped rules are compiled if there is a C
    compiler and they can be; your own rules use compiled code only if `build` has made it. `True`
    requires compiled code, also for your own rules, and `False` uses Python alone.

    Raises `KernelError` if `native` is true and the equations cannot be compiled, and the errors of
    `load_profile` and `load_map`.
    """

    def __init__(
        self,
        rules: str | Path | Profile = DEFAULT_RULES,
        map: str | Path | Map | None = None,
        *,
        native: bool | None = None,
    ) -> None:
        if native not in (None, True, False):
            raise ArgumentError("dipsat.kernel.Batch", "native", native, "True, False or None")
        self.rules: Profile = rules if isinstance(rules, Profile) else load_profile(rules)
        """The rule profile."""
        self.map: Map = load_map(map or self.rules.map or "standard")
        """The map."""
        check_features(self.rules, self.map)
        self.numbers: MapNumbers = MapNumbers(self.map, self.rules)
        """The numbers of locations, powers, kinds of units and attributes in codes."""
        self.why_not_native: str = "native=False asks for Python alone"
        """Why the equations are not compiled, "" if they are."""
        self._asked = native
        self._library: KernelLibrary | None = None
        if native is not False:
            self._load(required=bool(native))
        self._games = None if "phases" in self.left_to_python else self._library
        self._coder = Coder(self.numbers, self.rules, self._library)

    def __reduce__(self) -> tuple[Any, tuple[Profile, Map]]:
        return partial(Batch, native=self._asked), (self.rules, self.map)

    def _load(self, required: bool) -> None:
        load = compiled_library if required or is_shipped(self.rules) else kept_library
        try:
            self._library = load(self.rules, self.numbers)
            self.why_not_native = "" if self._library else _NOT_KEPT
        except (DeclinedError, KernelError) as error:
            self.why_not_native = str(error)
            if required:
                problem = f"the rules {self.rules.name!r} are not compiled: {error}"
                raise (error if isinstance(error, KernelError) else KernelError(problem)) from None

    @cached_property
    def _first_phase(self) -> PhaseName:
        """The first movement phase of the map."""
        first = PhaseName.parse(self.map.first_phase, self.rules.words)
        is_movement = first.kind is PhaseKind.MOVEMENT
        return first if is_movement else PhaseName("S", first.year, PhaseKind.MOVEMENT)

    @property
    def native(self) -> bool:
        """Whether the equations are compiled."""
        return self._library is not None

    @property
    def compiler(self) -> str:
        """The command of the C compiler that compiled the equations, "" if they came with dipsat or
        are not compiled."""
        return "" if self._library is None else self._library.compiler

    @property
    def origin(self) -> str:
        """A description of the compiled code: whether it was compiled now or found, the file, and
        the compiler; "" if the equations are not compiled."""
        return "" if self._library is None else self._library.origin

    @property
    def why_not_kept(self) -> str:
        """Why the compiled code is not in the cache folder, so the next process must compile again.
        "" if it is there, or if the equations are not compiled."""
        return "" if self._library is None else self._library.why_not_kept

    @property
    def left_to_python(self) -> Mapping[str, str]:
        """Work that the compiled code leaves to dipsat's Python under these rules -> why: "orders"
        (listing them), "retreats", "adjustments" (and fall phases), or "phases" (all phases of
        whole games). Python takes much longer, but the results are the same."""
        return what_python_does(self.rules)

    @property
    def order_rows(self) -> int:
        """The number of rows, of four numbers each, for the orders of a position."""
        return self._coder.rows

    @checked
    def encode(
        self,
        boards: Iterable[tuple[Units, Orders]],
        *,
        phase: str | PhaseName | None = None,
        lenient: bool = False,
    ) -> BoardCodes:
        """Return the codes of boards. Each board is a pair of units and orders, as
        `Position.from_units` and `adjudicate` take them; a `Position` can replace the units.

        `phase` is the movement phase of boards that are not a `Position` (default: the first of the
        map). If `lenient` is true, an order that cannot be read is illegal and its unit holds, as
        with `adjudicate`. Raises the errors of `from_units` and `adjudicate` for boards that cannot
        be read, with a note (`__notes__`) that says which board it is.
        """
        if phase is None:
            phase = self._first_phase
        elif not isinstance(phase, PhaseName):
            phase = PhaseName.parse(phase, self.rules.words)
        if phase.kind is not PhaseKind.MOVEMENT:
            raise ArgumentError(
                "dipsat.kernel.Batch.encode", "phase", str(phase), "a movement phase"
            )
        return self._coder.encode(boards, phase, lenient)

    @checked
    def board(self, codes: BoardCodes, at: int) -> tuple[Position, Orders]:
        """Return the position and the orders of the board with this number, as `dipsat.adjudicate`
        takes them. It gives reasons, unlike arrays. Codes hold the season, but not the year.

        Raises `CodeError` for a code that means nothing.
        """
        check_sizes(codes, self.numbers)
        if not 0 <= at < len(codes):
            wanted = f"the number of a board, from 0 to {len(codes) - 1}"
            raise ArgumentError("dipsat.kernel.Batch.board", "at", at, wanted)
        return codes.uncoded[at] if at in codes.uncoded else self._coder.decode(codes, at)

    def adjudicate(self, codes: BoardCodes, *, threads: int = 1) -> BatchResult:
        """Adjudicate all boards of `codes`, with this many threads.

        Raises `CodeError` for a code that means nothing, and the errors of `dipsat.adjudicate`.
        """
        if not isinstance(codes, BoardCodes):
            wanted = "codes, such as dipsat.kernel.Batch.encode returns"
            raise ArgumentError("dipsat.kernel.Batch.adjudicate", "codes", codes, wanted)
        threads = _threads("adjudicate", threads)
        check_sizes(codes, self.numbers)
        result = adjudicated(self._library, self._coder, codes, threads)
        for at in left_open(result):
            try:
                answer(result, at)
            except DipsatError as error:
                error.add_note(f"on board {at}")
                raise
        return result

    @checked
    def legal_orders(self, codes: BoardCodes | PositionCodes) -> LegalOrders:
        """List every legal order of every unit, in the order of `Game.legal_orders`.

        Boards are in a movement phase, positions in any phase. Units and provinces to build in are
        in the order of the codes. Moves with a convoy path, which only some rules require, have no
        codes and are left out. A board without codes (`BoardCodes.uncoded`) has no units. Raises
        `CodeError` for a code that means nothing.
        """
        if isinstance(codes, PositionCodes):
            check_positions(codes, self.numbers)
            return legal_in(self._coder, self._games, codes)
        check_sizes(codes, self.numbers)
        return legal_in(self._coder, self._library, codes)

    @checked
    def positions(self, positions: Iterable[Position]) -> PositionCodes:
        """Return the codes of positions of any phase.

        Raises `CodeError` for a position with more units than `MapNumbers.most_units`.
        """
        listed = list(positions)
        for position in listed:
            if position.map is not self.map and position.map != self.map:
                wanted = f"positions on the map {self.map.name}"
                raise ArgumentError(
                    "dipsat.kernel.Batch.positions", "positions", position.map.name, wanted
                )
        return self._coder.encode_positions(listed)

    @checked
    def position(self, codes: PositionCodes, at: int) -> Position:
        """Return the position with this number.

        Raises `CodeError` for a code that means nothing.
        """
        check_positions(codes, self.numbers)
        if not 0 <= at < len(codes):
            wanted = f"the number of a position, from 0 to {len(codes) - 1}"
            raise ArgumentError("dipsat.kernel.Batch.position", "at", at, wanted)
        return self._coder.position(codes, at)

    def advance(
        self,
        positions: PositionCodes,
        orders: Iterable[int] | Iterable[Orders],
        *,
        threads: int = 1,
    ) -> Advanced:
        """Adjudicate one phase, of any kind, of each position, and return the positions of the next
        phases.

        `orders` is a list with the orders of each position, as `dipsat.adjudicate` takes them, or
        an array, which is quicker. An array has `order_rows` rows of four numbers for each
        position. In a movement phase, there is a row for each unit (`BoardCodes.orders`). In a
        retreat phase, there is a row for each dislodged unit: 6 to retreat, 0, 0 and the target; or
        7 to disband. In an adjustment phase, each row is 8 to build, the kind of the unit, the
        power and the location; 7 to disband, 0, the power and the location; or 9 to waive a build,
        0 and the power. A row that begins with 0 is not an order. In an adjustment phase it ends
        the orders.

        Raises `CodeError` for a code that means nothing, and the errors of `dipsat.adjudicate`,
        with a note (`__notes__`) that says which position it is.
        """
        if not isinstance(positions, PositionCodes):
            wanted = "codes, such as dipsat.kernel.Batch.positions returns"
            raise ArgumentError("dipsat.kernel.Batch.advance", "positions", positions, wanted)
        if not isinstance(orders, Iterable) or isinstance(orders, str | Mapping):
            wanted = "an array of numbers, or a list with the orders of each position"
            raise ArgumentError("dipsat.kernel.Batch.advance", "orders", orders, wanted)
        threads = _threads("advance", threads)
        check_positions(positions, self.numbers)
        boards, left = copied(positions), dict[int, Orders]()
        given: Any = list(orders) if isinstance(orders, Iterator) else orders
        is_list = isinstance(given, list | tuple) and bool(given)
        if is_list and all(isinstance(one, Mapping) for one in given):
            own, left = self._coder.read_all(boards, given)
        else:
            own = as_array(given, "H", "orders")[:]
            check_count("orders", len(own), 4 * self.order_rows, len(boards), "position")
        limits = Limits(0, _LAST_YEAR, 1, gives_orders=True)
        games = GamesInPlay(self._coder, self._games, boards, limits, own)
        games.settle(left)
        games.play(1, threads)
        return Advanced(boards, tuple(at for at, count in enumerate(games.by_python) if count))

    @checked
    def play(
        self,
        games: int | PositionCodes = 1,
        *,
        seed: int = 0,
        until: int | None = None,
        phases: int | None = None,
        record: bool = False,
        threads: int = 1,
    ) -> Games:
        """Play games with a random legal order for every unit.

        `games` is the number of games to play from the first position of the map, or the codes of
        the positions from which to play. A game ends when a power has won, after the year `until`,
        or after `phases` phases; by default after ten years. In every movement or retreat phase,
        all legal orders of a unit are equally likely. Units to disband, and provinces to build in,
        are chosen in the same way, as many as are due.

        Choices depend only on the seed, the number of the game, the number of its phase, and the
        province. So the same games are played on any computer and with any number of threads,
        compiled or not. With `record`, every phase can be read afterwards.

        Raises `CodeError` for a code that means nothing, and the errors of `dipsat.adjudicate`.
        """
        _check_number("phases", phases, 0)
        _threads("play", threads)
        if isinstance(games, PositionCodes):
            check_positions(games, self.numbers)
            starts = copied(games)
        else:
            _check_number("games", games, 0)
            starts = copied(self._coder.encode_positions([Position.start(self.map)]), games)
        if until is None:
            first = min(starts.phases[::3], default=1)
            until = _LAST_YEAR if phases is not None else first + 9
        limits = Limits(
            seed % 2**64, min(until, _LAST_YEAR), min(_MOST_PHASES, phases or 0)
            if phases is not None else _MOST_PHASES,
        )  # fmt: skip
        return play_games(self._coder, self._games, starts, limits, record, threads)


def is_shipped(profile: Profile) -> bool:
    """Whether all files of the rules came with dipsat."""
    return all(layer.is_shipped for layer in profile.layers)


def _check_number(name: str, value: int | None, least: int) -> None:
    if value is not None and value < least:
        raise ArgumentError("dipsat.kernel.Batch.play", name, value, f"a number from {least}")


def _threads(method: str, threads: Any) -> int:
    """The number of threads as an `int`; NumPy's integers are allowed. Raises `ArgumentError`."""
    try:
        count = 0 if isinstance(threads, bool) else index(threads)
    except TypeError:
        count = 0
    if count < 1:
        raise ArgumentError(f"dipsat.kernel.Batch.{method}", "threads", threads, "a number from 1")
    return count


@kept_on_first(4)
def kept_batch(profile: Profile, board: Map) -> Batch:
    """The batch of a profile, which keeps it. Raises the errors of `Batch`."""
    return Batch(profile, board)
