"""Orders for a position that is stated elsewhere, and slips in orders that do not fit theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import tee
from pathlib import Path

from dipsat.board.load import load_map, map_names, parse_map
from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.document_kinds import MAP_FILE, kind_of
from dipsat.documents import is_yaml_path, parse_yaml
from dipsat.errors import DipsatError, FileError, OrderFaultError
from dipsat.formats.json_text import FilePlace, GatheredFaults
from dipsat.formats.letter import Letter, letter_of
from dipsat.formats.named_units import Entry, check_readable
from dipsat.formats.order_places import OrderPlaces, naming_orders, places_of
from dipsat.formats.phase_file import (
    PhaseFile,
    document_orders,
    is_document,
    parse_phase,
)
from dipsat.formats.text_sheet import (
    entries_of,
    head_of,
    orders_of,
    refuse_other_phase,
)
from dipsat.game.neutrals import refusal_of
from dipsat.game.order_sets import PowerOrders, read_order_sets
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.game.phase_orders import refuse_misplaced
from dipsat.game.position import Position
from dipsat.game.ruling import Ruling
from dipsat.orders.reader import unit_alone
from dipsat.orders.text_parse import TEXT_FAULTS
from dipsat.orders.words import Words
from dipsat.profiles.load import DEFAULT_RULES, load_profile
from dipsat.profiles.profile import Profile


@dataclass(frozen=True, slots=True)
class GivenOrders:
    """Orders without a position, the faults that a lenient reader keeps, what was skipped, and
    where each order is."""

    orders: Mapping[str, PowerOrders]
    faults: tuple[DipsatError, ...] = ()
    skipped: tuple[str, ...] = ()
    places: OrderPlaces = field(default_factory=dict)


def orders_for(
    position: Position, text: str, shown: str, rules: Profile, lenient: bool = False
) -> GivenOrders:
    """The orders of a sheet, or of a YAML or JSON document, for a position that it does not state,
    with the faults of a sheet that a `lenient` reader keeps. A unit of the position that stands
    alone has no order.

    Raises `FileError` if it names another phase, or an order that cannot be read, and
    `ProblemsError` for several.
    """
    words = rules.words
    if not is_document(shown):
        faults = GatheredFaults(lenient)
        letter = sheet_of(position, text, shown, words)
        entries, again = tee(entries_for(position, letter, shown, words, faults))
        position = position.with_words(words)
        check_readable(position, entries, rules.settings, faults)
        given = list(again)
        return GivenOrders(orders_of(given), faults.found, letter.skipped, places_of(given))
    document = parse_yaml(text, shown)
    if isinstance(document.value, dict) and "phases" in document.value:
        raise FileError(shown, "has a whole game, which `dipsat play` goes on with, not orders")
    top = document.mapping(("orders", "phase"), "orders for a position")
    if "phase" in top:
        with FilePlace(top["phase"].place):
            phase = PhaseName.parse(top["phase"].text("phase"), words)
        refuse_other_phase(phase, position.phase, top["phase"].place)
    if "orders" not in top:
        raise FileError(shown, "the key 'orders' is missing; it maps each power to its orders")
    wrong = GatheredFaults()
    orders, written = document_orders(top["orders"], position.map, wrong)
    wrong.raise_all()
    return GivenOrders(orders, places=places_of(written))


def sheet_of(position: Position, text: str, shown: str, words: Words) -> Letter:
    """An order sheet for a position that it does not state, without the names of its map, rules and
    phase. Raises as `orders_for` does."""
    return letter_of(head_of(text, shown).text, shown, position.map, words, position.phase)


def entries_for(
    position: Position, letter: Letter, shown: str, words: Words, faults: GatheredFaults
) -> Iterator[Entry]:
    """The orders of a sheet that `sheet_of` has made, with their places, without the units that
    stand alone. Raises as `orders_for` does."""
    board = position.map
    is_movement = position.phase.kind is PhaseKind.MOVEMENT
    there = {(unit.power, unit.province) for unit in position.units if is_movement}
    for place, power, order in entries_of(letter.text, board, shown, faults, words, letter.power):
        unit = unit_alone(board, order, words)
        if unit is None or (power, province_of(unit.location)) not in there:
            yield place, power, order


def shipped_start(name: str | Path) -> Position | None:
    """The start of a game on the shipped map `name`; None if there is a file or no map of that
    name."""
    if str(name) not in map_names() or Path(name).exists():
        return None
    return Position.start(str(name))


def _start_on(text: str, shown: str) -> Position | None:
    """The start of a game on the map that a file holds; None if it holds something else."""
    if not is_yaml_path(shown):
        return None
    top = parse_yaml(text, shown).value
    is_map = isinstance(top, Mapping) and kind_of(top) == MAP_FILE
    return Position.start(parse_map(text, shown)) if is_map else None


def parse_apart(
    sheet: tuple[str, str],
    board: tuple[str, str] | Position | None,
    phase: str | PhaseName | None,
    map: str | Path | Map | None = None,
    rules: Profile | None = None,
    asking: bool = False,
    settings: Mapping[str, str] | None = None,
    lenient: bool = False,
) -> PhaseFile:
    """The phase of orders whose position, or the name of whose phase, is stated elsewhere.

    `sheet` and `board` are texts with the names that errors show: the orders, and the position
    (or the position itself, or a map, whose start it is), which is that of the sheet if there is
    none. `phase` is a name, None
    if the texts say it. The others are as for `dipsat.formats.phase_file.parse_phase`. Raises what
    that raises, and `FileError` for a position of another phase or on another map.
    """
    named = None
    if phase is not None:
        words = (rules or load_profile(DEFAULT_RULES)).words
        named = phase if isinstance(phase, PhaseName) else PhaseName.parse(phase, words)
    if board is None:
        return parse_phase(*sheet, map, rules, asking, settings, lenient, named)
    if isinstance(board, tuple):
        board = _start_on(*board) or board
    if isinstance(board, Position):
        _refuse_other(board, sheet[1], named, load_map(map) if map else None)
        found = PhaseFile(board, {}, None)
    else:
        found = parse_phase(*board, map, rules, True, settings, phase=named)
        if found.open is not None and not asking:
            raise FileError(board[1], "has `open`, but only `dipsat search` takes open orders")
        if found.anywhere is not None:
            raise FileError(board[1], "leaves open where units stand, so no orders can be for it")
    read_by = rules or found.rules or load_profile(DEFAULT_RULES)
    given = orders_for(found.position, *sheet, read_by, lenient)
    return replace(
        found, orders=given.orders, faults=given.faults, skipped=given.skipped,
        places=given.places,
    )  # fmt: skip


def _refuse_other(
    position: Position, shown: str, phase: PhaseName | None, board: Map | None
) -> None:
    """Refuse a phase and a map for a sheet that are not those of its position."""
    own = f"the position is of {position.phase} on the map {position.map.name}"
    if phase not in (None, position.phase):
        raise FileError(shown, f"{own}, so its orders cannot be of {phase}")
    if board not in (None, position.map):
        raise FileError(shown, f"{own}, so its orders cannot be for the map {board.name}")


def check_faults(phase: PhaseFile, rulings: Iterable[Ruling]) -> None:
    """Refuse orders that do not fit the position, which are most likely slips in a file.

    Raises `FileError` with the place of an order of another kind of phase, an order of a neutral
    power except to hold, and an order to a unit that is not there. (Without this check, DATC 4.E.1
    applies to them.) Which of several orders to one unit counts is for the rules to say (DATC
    4.D.3).
    """
    with naming_orders(phase.places):
        _check_faults(phase, tuple(rulings))


def _check_faults(phase: PhaseFile, rulings: Sequence[Ruling]) -> None:
    position = phase.position
    for power, given in phase.orders.items():
        for text in (text for one in read_order_sets(power, given).sets for text in one.orders):
            try:
                order = position.reader.read(str(text))
            except TEXT_FAULTS:
                continue  # poorly written, and judged nevertheless
            refuse_misplaced(order, power, str(text), position.phase)
            refused = refusal_of(position.map, power, order)
            if refused is not None:
                raise OrderFaultError(power, [str(text)], refused[1])
    for ruling in rulings:
        power = ruling.submission.power
        if ruling.code == "no_unit":
            own = ", ".join(str(unit) for unit in position.units if unit.power == power) or "none"
            raise OrderFaultError(
                power, [ruling.submission.text], f"{ruling.reason}; units of {power}: {own}"
            )
