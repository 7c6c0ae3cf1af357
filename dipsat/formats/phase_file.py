"""Reading one phase from a file: YAML, JSON, or an order sheet in plain text.

YAML and JSON hold `orders` (power -> list of orders, or of sets of orders) and may hold `units`
(power -> list of units; in a search also `any 4`), `map`, `rules`, `phase` (`F1901R`), `centers`
(power -> owned centres) and `dislodged` (power -> units, or units with their possible retreats).
Sets of orders are as in `dipsat.game.order_sets`. For searches over open orders, `orders` may be
left out, and `open` may list units, powers or `all`. A plain text is an order sheet with power
headings; the phase may be named above them (`Fall 1901 Movement`). If a movement phase states no
units, they are those that the orders name.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import tee
from pathlib import Path
from typing import Any

from dipsat.board.load import DEFAULT_MAP, load_map
from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.brief import brief
from dipsat.document_kinds import ORDER_FILE, refuse_other_kinds
from dipsat.documents import YAML_SUFFIXES, Node, is_yaml_path, parse_yaml
from dipsat.errors import DipsatError, DocumentError, FileError, InputLimitError
from dipsat.formats.json_text import FilePlace, GatheredFaults
from dipsat.formats.letter import letter_of
from dipsat.formats.named_units import Entry, check_readable, placed, position_of
from dipsat.formats.open_position import leaves_open, read_open_position, refuse_beside
from dipsat.formats.order_places import OrderPlaces, places_of
from dipsat.formats.recorded_position import recorded_position
from dipsat.formats.text_sheet import (
    entries_of,
    head_of,
    headed_sheet,
    orders_of,
    refuse_other_phase,
)
from dipsat.game.open_position import OpenPosition
from dipsat.game.order_sets import UNDATED, PowerOrders, read_order_sets
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.game.position import Dislodged, Position, Unit, add_unit, by_power, place_unit
from dipsat.game.settings import Settings
from dipsat.limits import ENDLESS, Running
from dipsat.limits_of_input import ORDERS
from dipsat.orders.order import MovementOrder
from dipsat.orders.reader import reader_for, unit_alone
from dipsat.orders.text_parse import TEXT_FAULTS
from dipsat.orders.words import NO_WORDS, Words
from dipsat.profiles.load import DEFAULT_RULES, load_profile, map_for
from dipsat.profiles.profile import Profile

_KEYS = ("map", "rules", "phase", "units", "centers", "dislodged", "orders", "open")
_DOCUMENT = re.compile(
    r"^[\"']?(?:orders|units)[\"']?[ \t]*:[ \t\r]*(?:$|[#{]|any\b)", re.MULTILINE
)


@brief()
@dataclass(frozen=True, slots=True)
class PhaseFile:
    """A phase from a file. Made by `dipsat.load_phase`."""

    position: Position
    """The position."""
    orders: Mapping[str, PowerOrders]
    """Power -> its orders, as `dipsat.adjudicate` takes them."""
    rules: Profile | None
    """The rules that the file names, with the chosen settings laid over them; None if there are
    neither."""
    open: tuple[str, ...] | None = None
    """The units and powers whose orders are open in a search; None if the file does not say."""
    faults: tuple[DipsatError, ...] = ()
    """What is wrong with the file, each fault with its place, if it was read leniently: orders that
    cannot be read, and units that they cannot have."""
    anywhere: OpenPosition | None = None
    """The position of a search if the file leaves open where units stand; then `position` is empty.
    """
    skipped: tuple[str, ...] = ()
    """What is not read of an e-mail around the orders (its head, greetings, signatures), and what
    its subject says of them, each a text with its place."""
    is_record: bool = False
    """Whether dipsat has written the file as the record of a game or of an outcome."""
    places: OrderPlaces = field(default_factory=dict, repr=False, compare=False)
    """(Power, text) of each order -> its place, such as `orders.yaml:7:5`; of equal orders, that of
    the last."""


_TEXT_ADVICE = (
    "if this is an order sheet in plain text, give the file a name that ends in .txt; in YAML, "
    "orders stand under 'orders:'"
)


def is_document(shown: str) -> bool:
    """Whether a file of this name is YAML or JSON."""
    return Path(shown).suffix.lower() in (*YAML_SUFFIXES, ".json")


def _seems_document(text: str) -> bool:
    return text.lstrip().startswith("{") or _DOCUMENT.search(text) is not None


def parse_phase(
    text: str,
    shown: str,
    map: str | Path | Map | None = None,
    rules: Profile | None = None,
    asking: bool = False,
    settings: Mapping[str, str] | None = None,
    limits: Running = ENDLESS,
    lenient: bool = False,
    phase: PhaseName | None = None,
) -> PhaseFile:
    """The phase that a text states; `shown` names it in errors.

    `map` overrules the map that the file names; without either it is that of the profile `rules`,
    else that of the profile that the file names, else standard. The file may name open orders only
    if a search is `asking` for them. Without `rules`, `settings` are laid over the profile that the
    file names, else over the default one. `limits` are those of a running call. `phase` is the
    phase of a text that names none; if it names one, it must be this.

    An unreadable order is an error, unless the profile `rules`, or without it the profile that the
    file names, reads poorly written orders; without stated units, the name of the ordered unit must
    be readable. A `lenient` reader keeps these faults for the result instead.

    Raises `FileError`, `DocumentError`, or what the reader raises for units and orders.
    """
    if not text.strip():
        raise FileError(shown, "is empty; write orders such as 'England:' and 'A Lon - Wal'")
    is_text = Path(shown).suffix.lower() == ".txt"
    if is_document(shown) or (not is_text and _seems_document(text)):
        with _advising(text, shown):
            document = parse_yaml(text, shown, limits=limits)
            document.mapping()
        return _from_document(document, map, rules, asking, settings, lenient, limits, phase)
    return _from_sheet(text, shown, map, rules, settings, lenient, limits, phase)


@contextlib.contextmanager
def _advising(text: str, shown: str) -> Iterator[None]:
    """Add to a fault in a document what helps if it is an order sheet in plain text."""
    try:
        yield
    except DocumentError as error:
        if _seems_document(text) or not is_yaml_path(shown):
            raise
        problem = f"{error.problem}; {_TEXT_ADVICE}"
        raise DocumentError(shown, error.line, error.column, problem) from None


def _from_sheet(
    text: str,
    shown: str,
    map: str | Path | Map | None,
    chosen: Profile | None,
    laid_over: Mapping[str, str] | None,
    lenient: bool,
    limits: Running,
    stated: PhaseName | None,
) -> PhaseFile:
    head = head_of(text, shown)
    rules = None
    if head.rules and chosen is None:
        rules = _rules_named(head.rules, f"{shown}:{head.lines['rules']}", shown, limits)
    if laid_over and chosen is None:
        rules = load_profile(rules or DEFAULT_RULES, settings=laid_over)
    played = chosen or rules
    place = f"{shown}:{head.lines.get('map', 1)}"
    board = load_map(map, limits=limits) if map else _map_of(head.map, place, shown, played, limits)
    words, settings = _reading(played)
    letter = letter_of(head.text, shown, board, words, limits)
    phase, text = headed_sheet(letter.text, shown, words, stated=stated)
    phase = phase or letter.phase
    faults = GatheredFaults(lenient)
    entries, again = tee(entries_of(text, board, shown, faults, words, letter.power))
    position = position_of(board, entries, words, settings, faults, limits)
    given = [one for one in again if unit_alone(board, one[2], words) is None]
    position = position if phase is None else replace(position, phase=phase)
    return PhaseFile(
        position, orders_of(given), rules, faults=faults.found, skipped=letter.skipped,
        places=places_of(given),
    )  # fmt: skip


def _reading(rules: Profile | None) -> tuple[Words, Settings]:
    """How orders are read: what the rules add to the notation, and their settings."""
    return (NO_WORDS, Settings()) if rules is None else (rules.words, rules.settings)


def _rules_named(name: str, place: str, path: str, limits: Running) -> Profile:
    """The rules that a file names; a path is relative to the file."""
    with FilePlace(place), _naming(place):
        return load_profile(name, Path(path).parent, limits=limits.named_by(path))


@contextlib.contextmanager
def _naming(place: str) -> Iterator[None]:
    """Name the place that names a file if this cannot be read, or must not be."""
    try:
        yield
    except InputLimitError:
        raise
    except FileError as error:
        raise FileError(place, str(error)) from None


def _from_document(
    root: Node,
    map: str | Path | Map | None,
    chosen: Profile | None,
    asking: bool,
    laid_over: Mapping[str, str] | None,
    lenient: bool,
    limits: Running,
    stated: PhaseName | None,
) -> PhaseFile:
    refuse_other_kinds(root, ORDER_FILE)
    recorded = recorded_position(root)
    is_record = recorded is not None
    top = root.mapping(_KEYS, "a phase") if recorded is None else recorded
    if "open" in top and not asking:
        top["open"].fail("only `dipsat search` takes open orders")
    if "units" in top and leaves_open(top["units"]):
        refuse_beside(top, asking)
    if "orders" not in top and not is_record and not (asking and "units" in top):
        root.fail("the key 'orders' is missing; it maps each power to a list of orders")
    rules = None
    if "rules" in top and not (is_record and chosen is not None):
        chosen_there = top["rules"]
        name = chosen_there.text("a name")
        rules = _rules_named(name, chosen_there.place, root.path, limits)
    if laid_over and chosen is None:
        rules = load_profile(rules or DEFAULT_RULES, settings=laid_over)
    played = chosen or rules
    node = top.get("map")
    place, named = (node.place, node.text("a name")) if node is not None else (root.path, "")
    if map:
        with FilePlace(place):
            board = load_map(map, limits=limits)
    else:
        board = _map_of(named, place, root.path, played, limits)
    anywhere = read_open_position(top["units"], board) if "units" in top else None
    orders = document_orders(top["orders"], board) if "orders" in top else {}
    entries = document_entries(top["orders"], board) if "orders" in top else []
    ORDERS.check(len(entries), root.path)
    places = places_of(entries)
    words, settings = _reading(played)
    if stated is not None:
        top = {**top, "phase": _same_phase(top.get("phase"), stated, words, root)}
    faults = GatheredFaults(lenient)
    if anywhere is not None:
        known = anywhere.known
        check_readable(known, entries, settings, faults, limits)
        opened = _open(top["open"], known, entries) if "open" in top else None
        empty = Position.from_units({}, board)
        return PhaseFile(empty, orders, rules, opened, faults.found, anywhere, places=places)
    position = None
    if "units" in top:
        position = _position(top["units"], board, words)
    if top.keys() & {"phase", "centers", "dislodged"}:
        position = _later_position(top, board, position, words)
    if position is None:
        position = position_of(board, entries, words, settings, faults, limits)
        position = _later_position(top, board, position, words) or position
    else:
        check_readable(position, entries, settings, faults, limits)
    opened = _open(top["open"], position, entries) if "open" in top else None
    return PhaseFile(
        position, orders, rules, opened, faults.found, is_record=is_record, places=places
    )


def _open(section: Node, position: Position, entries: Iterable[Entry]) -> tuple[str, ...]:
    """The owners of open orders: units, powers or `all`. None of them may have an order."""
    board, reader = position.map, position.reader
    # ("at", province), or ("power", power), "" for any -> its first order
    ordered: dict[tuple[str, str], str] = {}
    for _, power, text in entries:
        with contextlib.suppress(*TEXT_FAULTS):
            order = reader.read(text)
            if isinstance(order, MovementOrder):
                at = province_of(order.unit.location)
                for key in (("at", at), ("power", power), ("power", "")):
                    ordered.setdefault(key, text)
    for node in section.sequence("open"):
        typed = node.text("a unit or a power")
        place = ""
        with contextlib.suppress(DipsatError):
            place = province_of(reader.read_unit(typed).location)
        with FilePlace(node.place):
            power = "" if place or typed.strip().lower() == "all" else board.names.power(typed)
        text = ordered.get(("at", place) if place else ("power", power), "")
        if text:
            node.fail(f"{typed} is open, but has the order {text!r}; keep one of the two")
    return section.texts("a unit or a power")


def document_orders(section: Node, board: Map) -> dict[str, PowerOrders]:
    """The submission of each power: a list of orders, or sets of them (DATC 4.D.1)."""
    found: dict[str, PowerOrders] = {}
    for power, node in _powers(section, board):
        if isinstance(node.value, tuple) and not any(map(_is_nested, node.value[:1])):
            node.texts("an order")
        with FilePlace(node.place):
            read_order_sets(power, _handed_in(node))
        before = found.get(power)
        if before is None:
            found[power] = _handed_in(node)
        elif isinstance(before, Mapping) or isinstance(node.value, dict):
            node.fail(f"{power} is named twice; put its sets of orders together")
        else:
            found[power] = (*before, *_handed_in(node))
    return found


def document_entries(section: Node, board: Map) -> list[Entry]:
    """The orders of all powers, with their places."""
    return [
        (node.place, power, node.text("an order"))
        for power, listed in _powers(section, board)
        for node in _leaves(listed)
        if node.text("an order").strip()
    ]


def _handed_in(node: Node) -> Any:
    """The texts of a node, in lists and mappings as written."""
    if isinstance(node.value, dict):
        return {key: _handed_in(value) for key, value in node.value.items()}
    if isinstance(node.value, tuple):
        items = (_handed_in(item) for item in node.value)
        return tuple(item for item in items if not (isinstance(item, str) and not item.strip()))
    return node.text("an order")


def _is_nested(node: Node) -> bool:
    return isinstance(node.value, tuple | dict)


def _leaves(node: Node) -> Iterator[Node]:
    """The orders in the sets that a node lists."""
    if _is_nested(node):
        items = node.value.values() if isinstance(node.value, dict) else node.value
        for item in items:
            yield from _leaves(item)
    else:
        yield node


def _later_position(
    top: Mapping[str, Node], board: Map, position: Position | None, words: Words
) -> Position | None:
    """The position with its phase, owned centres and dislodged units; None for a movement phase
    without units."""
    phase = PhaseName.parse(board.first_phase) if position is None else position.phase
    if "phase" in top:
        with FilePlace(top["phase"].place):
            phase = PhaseName.parse(top["phase"].text("phase"), words)
    if position is None and phase.kind in (PhaseKind.MOVEMENT, PhaseKind.EXTRA):
        return None
    if phase.kind is PhaseKind.ADJUSTMENT and "centers" not in top:
        top["phase"].fail("an adjustment phase needs `centers` (power -> owned centres)")
    centers = _lists(top["centers"]) if "centers" in top else {}
    with FilePlace(top["centers"].place if "centers" in top else ""):
        owned = Position.from_units({}, board, phase, centers).centers
    lost: Dislodged = {}
    if "dislodged" in top:
        lost = {
            power: _lists(node) if isinstance(node.value, dict) else node.texts("dislodged units")
            for power, node in top["dislodged"].mapping(None, "dislodged").items()
        }
    standing = by_power(position.units) if position else {}
    with FilePlace(top["dislodged"].place if "dislodged" in top else ""):
        return Position.from_units(standing, board, phase, owned, lost, words)


def _same_phase(named: Node | None, stated: PhaseName, words: Words, root: Node) -> Node:
    """The node of a phase that was stated elsewhere. Raises `FileError` if the file names another
    one."""
    if named is not None:
        with FilePlace(named.place):
            found = PhaseName.parse(named.text("phase"), words)
            refuse_other_phase(found, stated, named.place)
    return Node(root.path, root.line, root.column, str(stated), str(stated))


def _lists(section: Node) -> dict[str, tuple[str, ...]]:
    return {key: node.texts(key) for key, node in section.mapping(None, "this").items()}


def _map_of(name: str, place: str, path: str, rules: Profile | None, limits: Running) -> Map:
    """The map that a file names at this place, else that of the rules, else the standard one. A
    path is relative to the file."""
    if name:
        beside = str(Path(path).parent / name) if is_yaml_path(name) else name
        with FilePlace(place), _naming(place):
            return load_map(beside, limits=limits.named_by(path))
    if rules is None:
        return load_map(DEFAULT_MAP)
    return map_for(rules, limits)


def _powers(section: Node, board: Map) -> Iterator[tuple[str, Node]]:
    for name, node in section.mapping(None, "orders and units").items():
        path, line, column = section.place_of(name)
        with FilePlace(f"{path}:{line}:{column}"):
            power = board.names.power(name)
        if not (isinstance(node.value, dict) and node.value.keys() == {UNDATED}):
            node.sequence(f"the entry of {power}")
        yield power, node


def _position(section: Node, board: Map, words: Words) -> Position:
    """The position of the units listed in a document."""
    units: dict[str, Unit] = {}
    places: dict[str, str] = {}
    reader = reader_for(board, words)
    listed = ((power, one) for power, node in _powers(section, board) for one in node.sequence())
    for power, node in listed:
        text = node.text("a unit")
        with FilePlace(node.place):
            unit = place_unit(board, power, reader.read_unit(text), text)
            add_unit(units, unit, text)
            places[unit.province] = node.place
    return placed(board, units, places, words)
