"""Reading one phase from a file: YAML, JSON, or an order sheet in plain text.

YAML and JSON may hold `orders` (power -> list of orders, or of sets of orders), `units` (power ->
list of units; in a search also `any 4`), `map`, `rules`, `phase` (`F1901R`), `centers` (power ->
owned centres) and `dislodged` (power -> units, or units with their possible retreats). Without
`orders`, they state a position. Sets of orders are as in `dipsat.game.order_sets`. For searches
over open orders, `open` may list units, powers or `all`. A plain text is an order sheet with power
headings; the phase may be named above them (`Fall 1901 Movement`). If a movement phase states no
units, they are those that the orders name.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, tee
from pathlib import Path
from typing import Any

from dipsat.board.load import DEFAULT_MAP, load_map
from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.brief import brief
from dipsat.document_kinds import ORDER_FILE, refuse_other_kinds
from dipsat.documents import YAML_SUFFIXES, Node, is_yaml_path, parse_yaml
from dipsat.errors import DipsatError, DocumentError, FileError, InputLimitError, shortened
from dipsat.formats.json_text import FilePlace, GatheredFaults
from dipsat.formats.letter import letter_of
from dipsat.formats.named_units import Entry, check_readable, position_of
from dipsat.formats.open_position import leaves_open, read_open_position, refuse_beside
from dipsat.formats.order_places import OrderPlaces, places_of
from dipsat.formats.recorded_position import recorded_position
from dipsat.formats.stated_position import later_position, powers_in, stated_position
from dipsat.formats.text_sheet import (
    entries_of,
    head_of,
    orders_of,
    refuse_other_phase,
    refuse_phase_of_sheet,
)
from dipsat.game.open_position import OpenPosition
from dipsat.game.order_sets import PowerOrders, read_order_sets
from dipsat.game.owners import OWNERS
from dipsat.game.phase_name import PhaseName
from dipsat.game.position import Position
from dipsat.game.settings import Settings
from dipsat.limits import reading_names_in
from dipsat.limits_of_input import ORDERS
from dipsat.orders.order import MovementOrder
from dipsat.orders.reader import unit_alone
from dipsat.orders.text_parse import TEXT_FAULTS
from dipsat.orders.words import NO_WORDS, Words
from dipsat.profiles.load import DEFAULT_RULES, load_profile, map_for
from dipsat.profiles.profile import Profile

_KEYS = ("map", "rules", "phase", "units", *OWNERS, "dislodged", "orders", "open")
_KEYS_SHOWN = 5  # of a document that states something else
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
    lenient: bool = False,
    phase: PhaseName | None = None,
) -> PhaseFile:
    """The phase that a text states; `shown` names it in errors.

    `map` overrules the map that the file names; without either it is that of the profile `rules`,
    else that of the profile that the file names, else standard. The file may name open orders only
    if a search is `asking` for them. Without `rules`, `settings` are laid over the profile that the
    file names, else over the default one. `phase` is the phase of a text that names none; if
    it names one, it must be this.

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
            document = parse_yaml(text, shown)
            document.mapping()
        return _from_document(document, map, rules, asking, settings, lenient, phase)
    return _from_sheet(text, shown, map, rules, settings, lenient, phase)


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
    stated: PhaseName | None,
) -> PhaseFile:
    head = head_of(text, shown)
    rules = None
    if head.rules and chosen is None:
        rules = _rules_named(head.rules, f"{shown}:{head.lines['rules']}", shown)
    if laid_over and chosen is None:
        rules = load_profile(rules or DEFAULT_RULES, settings=laid_over)
    played = chosen or rules
    place = f"{shown}:{head.lines.get('map', 1)}"
    board = load_map(map) if map else _map_of(head.map, place, shown, played)
    words, settings = _reading(played)
    letter = letter_of(head.text, shown, board, words, stated)
    phase = letter.phase
    if phase is not None:
        refuse_phase_of_sheet(phase, shown if phase == stated else letter.place)
    faults = GatheredFaults(lenient)
    entries, again = tee(entries_of(letter.text, board, shown, faults, words, letter.power))
    position = position_of(board, entries, words, settings, faults, phase)
    given = [one for one in again if unit_alone(board, one[2], words) is None]
    return PhaseFile(
        position, orders_of(given), rules, faults=faults.found, skipped=letter.skipped,
        places=places_of(given),
    )  # fmt: skip


def _reading(rules: Profile | None) -> tuple[Words, Settings]:
    """How orders are read: what the rules add to the notation, and their settings."""
    return (NO_WORDS, Settings()) if rules is None else (rules.words, rules.settings)


def _rules_named(name: str, place: str, path: str) -> Profile:
    """The rules that a file names; a path is relative to the file."""
    with FilePlace(place), _naming(place), reading_names_in(path):
        return load_profile(name, Path(path).parent)


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
    stated: PhaseName | None,
) -> PhaseFile:
    refuse_other_kinds(root, ORDER_FILE)
    recorded = recorded_position(root)
    is_record = recorded is not None
    faults = GatheredFaults(lenient)
    firm = GatheredFaults() if lenient else faults  # those that no lenient reader forgives
    top = _checked_keys(root, firm) if recorded is None else recorded
    if "open" in top and not asking:
        top["open"].fail("only `dipsat search` takes open orders")
    if "units" in top and leaves_open(top["units"]):
        refuse_beside(top, asking)
    rules = None
    if "rules" in top and not (is_record and chosen is not None):
        rules = _rules_named(top["rules"].text("a name"), top["rules"].place, root.path)
    if laid_over and chosen is None:
        rules = load_profile(rules or DEFAULT_RULES, settings=laid_over)
    played = chosen or rules
    node = top.get("map")
    place, named = (node.place, node.text("a name")) if node is not None else (root.path, "")
    if map:
        with FilePlace(place):
            board = load_map(map)
    else:
        board = _map_of(named, place, root.path, played)
    anywhere = read_open_position(top["units"], board) if "units" in top else None
    words, settings = _reading(played)
    if stated is not None:
        top = {**top, "phase": _same_phase(top.get("phase"), stated, words, root)}
    position = None
    if anywhere is not None:
        position = anywhere.known
    elif "units" in top:
        position = stated_position(top["units"], board, words, firm)
    if anywhere is None and top.keys() & {"phase", *OWNERS, "dislodged"}:
        position = later_position(top, board, position, words, firm)
    orders, entries = document_orders(top.get("orders"), board, firm)
    ORDERS.check(len(entries), root.path)
    places = places_of(entries)
    if position is None:
        position = position_of(board, entries, words, settings, faults)
        firm.raise_all()
        position = later_position(top, board, position, words, firm) or position
    else:
        check_readable(position, entries, settings, faults)
    firm.raise_all()
    opened = _open(top["open"], position, entries) if "open" in top else None
    if anywhere is not None:
        position = Position.from_units({}, board)
    return PhaseFile(
        position, orders, rules, opened, faults.found, anywhere, is_record=is_record, places=places
    )


def _checked_keys(root: Node, faults: GatheredFaults) -> dict[str, Node]:
    """The keys of a document that people write. Raises the faults if it states no units."""
    top = root.mapping(None, "a phase")
    if len(top) > 1 and not top.keys() & set(_KEYS):
        keys = ", ".join(map(shortened, islice(top, _KEYS_SHOWN)))
        others = " and others" if len(top) > _KEYS_SHOWN else ""
        problem = f"this is not {ORDER_FILE}, which has keys such as `units` and `orders`"
        root.fail(f"{problem}; here are {keys}{others}")
    for key in top:
        with faults:
            root.check_key(key, _KEYS)
    if not top.keys() & {"orders", "units", *OWNERS, "dislodged"}:
        faults.raise_all()  # a key may be misspelt
        root.fail("there are no units: state `orders`, or where units stand under `units`")
    return top


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


def document_orders(
    section: Node | None, board: Map, faults: GatheredFaults
) -> tuple[dict[str, PowerOrders], list[Entry]]:
    """The submission of each power, a list of orders or sets of them (DATC 4.D.1), and all orders
    with their places."""
    found: dict[str, PowerOrders] = {}
    entries: list[Entry] = []
    for power, node in () if section is None else powers_in(section, board, faults):
        with faults:
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
            texts = ((one, one.text("an order")) for one in _leaves(node))
            entries += [(one.place, power, text) for one, text in texts if text.strip()]
    return found, entries


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


def _same_phase(named: Node | None, stated: PhaseName, words: Words, root: Node) -> Node:
    """The node of a phase that was stated elsewhere. Raises `FileError` if the file names another
    one."""
    if named is not None:
        with FilePlace(named.place):
            found = PhaseName.parse(named.text("phase"), words)
            refuse_other_phase(found, stated, named.place)
    return Node(root.path, root.line, root.column, str(stated), str(stated))


def _map_of(name: str, place: str, path: str, rules: Profile | None) -> Map:
    """The map that a file names at this place, else that of the rules, else the standard one. A
    path is relative to the file."""
    if name:
        beside = str(Path(path).parent / name) if is_yaml_path(name) else name
        with FilePlace(place), _naming(place), reading_names_in(path):
            return load_map(beside)
    if rules is None:
        return load_map(DEFAULT_MAP)
    return map_for(rules)
