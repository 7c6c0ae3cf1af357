"""Reading one phase from a file: YAML, JSON, or an order sheet in plain text.

YAML and JSON may hold `orders` (power -> list of orders, or of sets of orders), `units` (power ->
list of units; in a search also `any 4`), `map`, `rules`, `phase` (`F1901R`), `centers` (power ->
owned centres) and `dislodged` (power -> units, or units with their possible retreats). Without
`orders`, they state a position. Sets of orders are as in `dipsat.game.submissions`. For searches
over open orders, `open` may list units, powers or `all`. A plain text is an order sheet with power
headings; the phase may be named above them (`Fall 1901 Movement`). If a movement phase states no
units, the units are those that the orders name.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice, tee
from pathlib import Path
from typing import Any

from dipsat.base import (
    ANYWHERE,
    MAP_FILE,
    MAX_BYTES,
    ORDER_FILE,
    ORDERS,
    UNLIMITED,
    YAML_SUFFIXES,
    Limits,
    Node,
    allowed_files,
    brief,
    by_caller,
    counted,
    is_yaml_path,
    kind_of,
    parse_yaml,
    read_named,
    read_text,
    reading_names_in,
    refuse_other_kinds,
    running,
)
from dipsat.board import (
    DEFAULT_MAP,
    Map,
    is_shipped_map,
    load_map,
    map_beside,
    parse_map,
    province_of,
)
from dipsat.errors import (
    DipsatError,
    DocumentError,
    FileError,
    InputLimitError,
    OrderFaultError,
    OrderSyntaxError,
    shortened,
)
from dipsat.formats.json_text import FilePlace, GatheredFaults
from dipsat.formats.letter import Letter, letter_of
from dipsat.formats.mail import Mail, entries_of, letter_and_mail, mail_of, refuse_later
from dipsat.formats.mail_text import decoded_mail, plain_text
from dipsat.formats.season import other_phase, phase_named
from dipsat.formats.stated_position import (
    is_nested,
    later_position,
    leaves_of,
    leaves_open,
    powers_in,
    read_open_position,
    recorded_position,
    refuse_beside,
    stated_position,
)
from dipsat.formats.text_sheet import (
    Entry,
    OrderPlaces,
    head_of,
    later_phase,
    naming_orders,
    orders_of,
    places_of,
    position_of,
    refuse_phase_of_sheet,
    refuse_unreadable,
)
from dipsat.game import (
    OWNERS,
    OpenPosition,
    PhaseName,
    Position,
    PowerOrders,
    Ruling,
    read_order_sets,
    refusal_of,
    refuse_misplaced,
)
from dipsat.orders import (
    NO_WORDS,
    TEXT_FAULTS,
    DeclaredOrder,
    MovementOrder,
    Order,
    Words,
    reader_for,
    unit_alone,
)
from dipsat.rules import DEFAULT_RULES, Profile, Settings, load_profile, map_for

# --- phase file -----------------------------------------------------------------------------------


_KEYS = ("map", "rules", "phase", "units", *OWNERS, "dislodged", "orders", "open")
_KEYS_SHOWN = 5  # for a document that states something else
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
    """The faults of a file that was read leniently, each with its place: orders that cannot be
    read, and units that they cannot have."""
    anywhere: OpenPosition | None = None
    """The position of a search if the file leaves open where units stand; then `position` is empty.
    """
    skipped: tuple[str, ...] = ()
    """What was skipped of an e-mail around the orders (its head, greetings, signatures), and what
    its subject says about them, each a text with its place."""
    is_record: bool = False
    """Whether dipsat wrote the file as the record of a game or of an outcome."""
    places: OrderPlaces = field(default_factory=dict, repr=False, compare=False)
    """(Power, text) of each order -> its place, such as `orders.yaml:7:5`. Equal orders have the
    place of the last."""


_TEXT_ADVICE = (
    "if this is an order sheet in plain text, give the file a name that ends in .txt; in YAML, "
    "orders belong under 'orders:'"
)


def is_document(shown: str) -> bool:
    """Whether a file of this name is YAML or JSON."""
    return Path(shown).suffix.lower() in (*YAML_SUFFIXES, ".json")


def _seems_document(text: str) -> bool:
    return text.lstrip().startswith("{") or _DOCUMENT.search(text) is not None


def parse_phase_text(
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

    `map` overrides the map that the file names. Without either, it is the map of the profile
    `rules`, or of the profile that the file names, or else the standard map. The file may name open
    orders only if a search is `asking` for them. Without `rules`, `settings` are laid over the
    profile that the file names, or else over the default one. `phase` is the phase of a text that
    names none; if it names one, it must be the same.

    An unreadable order is an error, unless the profile (`rules`, or else the one that the file
    names) accepts poorly written orders. If no units are stated, the name of the ordered unit must
    still be readable. A `lenient` reader keeps these faults for the result instead.

    Raises `FileError`, `DocumentError`, or what the reader raises for units and orders.
    """
    if not text.strip():
        raise FileError(shown, "is empty; write orders such as 'England:' and 'A Lon - Wal'")
    is_text = Path(shown).suffix.lower() in (".txt", ".eml")
    if is_document(shown) or (not is_text and _seems_document(text)):
        with _advising(text, shown):
            document = parse_yaml(text, shown)
            document.mapping()
        return _from_document(document, map, rules, asking, settings, lenient, phase)
    return _from_sheet(text, shown, map, rules, settings, lenient, phase)


@contextlib.contextmanager
def _advising(text: str, shown: str) -> Iterator[None]:
    """Add advice to a fault in a document, in case it is an order sheet in plain text."""
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
    text, said, unread = plain_text(text, shown)
    head, text = head_of(text, shown)
    rules = None
    if "rules" in head and chosen is None:
        rules = _rules_named(head["rules"][0], f"{shown}:{head['rules'][1]}", shown)
    if laid_over and chosen is None:
        rules = load_profile(rules or DEFAULT_RULES, settings=laid_over)
    played = chosen or rules
    named, line = head.get("map", ("", 1))
    board = load_map(map) if map else _map_of(named, f"{shown}:{line}", shown, played)
    words, settings = _reading(played)
    letter = letter_of(text, shown, board, words, stated)
    asked = stated or letter.phase or PhaseName.parse(board.first_phase).or_moves()
    if stated or letter.phase:
        refuse_phase_of_sheet(asked, shown if asked == stated else letter.place)
    faults, reader = GatheredFaults(lenient), reader_for(board, words)

    def check(phase: PhaseName, entry: Entry, order: Order | None) -> None:
        if order is None and phase != asked:
            refuse_later(reader, phase, entry, settings)

    entries = entries_of(letter, board, words, faults, letter.phase or asked, check)
    entries, again = tee(entries)
    own = (one for phase, one in entries if phase == asked and one.text)
    position = position_of(board, own, words, settings, faults, asked)
    mail = mail_of(letter, again, faults)
    if not mail.orders.get(asked):
        _refuse_others(letter, mail, asked, lambda one: _refuse_later(board, one, words))
    given = [
        one for one in mail.orders.get(asked, ()) if unit_alone(board, one.text, words) is None
    ]
    return PhaseFile(
        position, orders_of(given), rules, faults=mail.faults,
        skipped=(*said, *unread, *mail.remarks, *not_judged(mail, asked)), places=places_of(given),
    )  # fmt: skip


def _refuse_others(
    letter: Letter, mail: Mail, asked: PhaseName, refuse: Callable[[Entry], None]
) -> None:
    """Raise `FileError` for a text without orders for the phase that is asked for. `refuse` raises
    what is wrong with an order for another phase, unless it could be for this one."""
    if letter.phase not in (None, asked):
        raise other_phase(letter.phase, asked, letter.place)
    for phase, entries in mail.orders.items():
        with FilePlace(entries[0].place):
            refuse(entries[0])
        raise other_phase(phase, asked, entries[0].place)
    if not mail.silent and not mail.faults:
        raise FileError(letter.shown, "there are no orders in it")


def _refuse_later(board: Map, entry: Entry, words: Words) -> None:
    order = reader_for(board, words).read(entry.text)
    if not isinstance(order, DeclaredOrder | MovementOrder):
        raise OrderSyntaxError(entry.text, later_phase(order, board)).with_remedy("phase")


def not_judged(mail: Mail, asked: PhaseName) -> Iterator[str]:
    """Remarks on the orders for other phases."""
    for phase, entries in mail.orders.items():
        if phase != asked:
            first = f"{entries[0].power}: {shortened(entries[0].text)}"
            more = f" and {counted(len(entries) - 1, 'more order')} are" if entries[1:] else " is"
            what = f"{first!r}{more} for {phase}; only orders for {asked} are judged"
            yield f"{entries[0].place}: {what}"


def _reading(rules: Profile | None) -> tuple[Words, Settings]:
    """How orders are read: what the rules add to the notation, and their settings."""
    return (NO_WORDS, Settings()) if rules is None else (rules.words, rules.settings)


def _rules_named(name: str, place: str, path: str) -> Profile:
    """The rules that a file names; a path is relative to the file."""
    with FilePlace(place), _naming(place), reading_names_in(path):
        return load_profile(name, Path(path).parent)


@contextlib.contextmanager
def _naming(place: str) -> Iterator[None]:
    """If a file cannot be read, or must not be, report the place that names it."""
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
    firm = GatheredFaults() if lenient else faults  # faults that no lenient reader forgives
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
        for one in entries:
            with faults, faults.at(one.place):
                refuse_unreadable(position, one, settings)
        faults.raise_all()
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
        root.fail("there are no units: state `orders`, or the places of units under `units`")
    return top


def _open(section: Node, position: Position, entries: Iterable[Entry]) -> tuple[str, ...]:
    """The units, powers or `all` whose orders are open. None of them may have an order."""
    board, reader = position.map, position.reader
    # ("at", province), or ("power", power), "" for any -> its first order
    ordered: dict[tuple[str, str], str] = {}
    for power, text, _ in entries:
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
    for power, node in () if section is None else powers_in(section, "orders", board, faults):
        with faults:
            if isinstance(node.value, tuple) and not any(map(is_nested, node.value[:1])):
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
            texts = ((one, one.text("an order")) for one in leaves_of(node))
            entries += [Entry(power, text, one.place) for one, text in texts if text.strip()]
    return found, entries


def _handed_in(node: Node) -> Any:
    """The texts of a node, in lists and mappings as written."""
    if isinstance(node.value, dict):
        return {key: _handed_in(value) for key, value in node.value.items()}
    if isinstance(node.value, tuple):
        items = (_handed_in(item) for item in node.value)
        return tuple(item for item in items if not (isinstance(item, str) and not item.strip()))
    return node.text("an order")


def _same_phase(named: Node | None, stated: PhaseName, words: Words, root: Node) -> Node:
    """The node of a phase that was stated elsewhere. Raises `FileError` if the file names another
    one."""
    if named is not None:
        with FilePlace(named.place):
            found = PhaseName.parse(named.text("phase"), words)
            if found != stated:
                raise FileError(named.place, f"names {found}, but the phase is {stated}")
    return Node(root.path, root.line, root.column, str(stated), str(stated))


def _map_of(name: str, place: str, path: str, rules: Profile | None) -> Map:
    """The map that a file names at this place, or else that of the rules, or else the standard one.
    A path is relative to the file."""
    if name:
        with FilePlace(place), _naming(place), reading_names_in(path):
            return load_map(map_beside(name, Path(path).parent))
    if rules is None:
        return load_map(DEFAULT_MAP)
    return map_for(rules)


# --- sheet for position ---------------------------------------------------------------------------

# Orders for a position that is stated elsewhere, and slips: orders that do not fit their position.


def orders_for(
    position: Position, text: str, shown: str, rules: Profile, lenient: bool = False
) -> PhaseFile:
    """The orders of a sheet, or of a YAML or JSON document, for a position that it does not state.
    If the reading is `lenient`, the faults of a sheet are kept. A unit of the position without
    anything after it has no order.

    Raises `FileError` for another phase or an unreadable order, and `ProblemsError` for several
    unreadable orders.
    """
    words = rules.words
    if not is_document(shown):
        given, mail = orders_in(position, text, shown, rules, lenient)
        return PhaseFile(
            position, orders_of(given), None, faults=mail.faults,
            skipped=(*mail.remarks, *not_judged(mail, position.phase)), places=places_of(given),
        )  # fmt: skip
    document = parse_yaml(text, shown)
    if isinstance(document.value, dict) and "phases" in document.value:
        raise FileError(shown, "has a whole game, not orders; `dipsat play` continues it")
    top = document.mapping(("orders", "phase"), "orders for a position")
    _same_phase(top.get("phase"), position.phase, words, document)
    if "orders" not in top:
        raise FileError(shown, "the key 'orders' is missing; it maps each power to its orders")
    wrong = GatheredFaults()
    orders, written = document_orders(top["orders"], position.map, wrong)
    wrong.raise_all()
    return PhaseFile(position, orders, None, places=places_of(written))


def orders_in(
    position: Position,
    text: str,
    shown: str,
    rules: Profile,
    lenient: bool = False,
    takes_all: bool = False,
) -> tuple[tuple[Entry, ...], Mail]:
    """The orders in a sheet for the phase of a position, and all that the sheet says. Raises what
    `orders_for` does, except for unreadable orders if it `takes_all`."""
    letter, mail = letter_and_mail(
        position, text, shown, rules, lenient=lenient, takes_all=takes_all
    )

    def refuse(one: Entry) -> None:
        refuse_misplaced(position.reader.read(one.text), one.power, one.text, position.phase)

    if not mail.orders.get(position.phase):
        _refuse_others(letter, mail, position.phase, refuse)
    return mail.orders.get(position.phase, ()), mail


def shipped_start(name: str | Path) -> Position | None:
    """The start of a game on the shipped map `name`; None if there is a file or no map of that
    name."""
    if not is_shipped_map(str(name)) or Path(name).exists():
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
    """The phase of orders whose position, or phase name, is stated elsewhere.

    `sheet` has the orders and `board` the position: each is a text with the name that errors show.
    `board` may also be a position, or state a map whose start it is; if it is None, the sheet
    states the position. `phase` is None if the texts name it. The rest is as for
    `parse_phase_text`. Raises what that raises, and `FileError` for a position of another phase or
    on another map.
    """
    named = None
    if phase is not None:
        played = rules or load_profile(DEFAULT_RULES)
        on = load_map(map or played.map or DEFAULT_MAP)
        named = phase if isinstance(phase, PhaseName) else phase_named(phase, on, played.words)
    if board is None:
        return parse_phase_text(*sheet, map, rules, asking, settings, lenient, named)
    if isinstance(board, tuple):
        board = _start_on(*board) or board
    if isinstance(board, Position):
        _refuse_other(board, sheet[1], named, load_map(map) if map else None)
        found = PhaseFile(board, {}, None)
    else:
        found = parse_phase_text(*board, map, rules, True, settings, phase=named)
        if found.open is not None and not asking:
            raise FileError(board[1], "has `open`, but only `dipsat search` takes open orders")
        if found.anywhere is not None:
            raise FileError(board[1], "leaves open where units are, so it cannot have orders")
    read_by = rules or found.rules or load_profile(DEFAULT_RULES)
    given = orders_for(found.position, *sheet, read_by, lenient)
    return replace(
        found, orders=given.orders, faults=given.faults, skipped=given.skipped,
        places=given.places,
    )  # fmt: skip


def _refuse_other(
    position: Position, shown: str, phase: PhaseName | None, board: Map | None
) -> None:
    """Refuse a phase or a map for a sheet that differs from its position's."""
    own = f"the position is for {position.phase} on the map {position.map.name}"
    if phase not in (None, position.phase):
        raise FileError(shown, f"{own}, so its orders cannot be for {phase}")
    if board not in (None, position.map):
        raise FileError(shown, f"{own}, so its orders cannot be for the map {board.name}")


def check_faults(phase: PhaseFile, rulings: Iterable[Ruling]) -> None:
    """Refuse orders that do not fit the position, which are most likely slips in a file.

    Raises `FileError` with the place of an order of another kind of phase, an order of a neutral
    power except to hold, and an order to a unit that is not there. (Without this check, DATC 4.E.1
    applies to them.) If a unit has several orders, the rules say which one counts (DATC 4.D.3).
    """
    position = phase.position
    listed = (
        (power, str(text))
        for power, given in phase.orders.items()
        for one in read_order_sets(power, given).sets
        for text in one.orders
    )
    with naming_orders(phase.places):
        for power, text in listed:
            try:
                order = position.reader.read(text)
            except TEXT_FAULTS:
                continue  # poorly written, and judged nevertheless
            refuse_misplaced(order, power, text, position.phase)
            refused = refusal_of(position.map, power, order)
            if refused is not None:
                raise OrderFaultError(power, [text], refused[1])
        for ruling in rulings:
            power = ruling.submission.power
            if ruling.code == "no_unit":
                own = [str(unit) for unit in position.units if unit.power == power] or ["none"]
                problem = f"{ruling.reason}; units of {power}: {', '.join(own)}"
                raise OrderFaultError(power, [ruling.submission.text], problem)


# --- public functions -----------------------------------------------------------------------------


def load_phase(
    path: str | Path,
    map: str | Path | Map | None = None,
    rules: str | Path | Profile | None = None,
    *,
    phase: str | PhaseName | None = None,
    position: str | Path | Position | None = None,
    lenient: bool = False,
    limits: Limits = UNLIMITED,
) -> PhaseFile:
    """Return the phase in an order file, as `dipsat adjudicate FILE` reads it: YAML, JSON, or plain
    text with a heading for each power.

    `map` overrides the map that the file names. `rules` say how orders are read; by default they
    are the profile that the file names, or else `datc`. `phase` is the phase, such as `F1901M`, if
    the file does not name it. `position` is the position that the orders are for: a position such
    as `outcome.next`, a file with one (a saved game, what `--next` or `--json` wrote, or YAML with
    `units`), or a map such as `standard`, whose start it is. The file at `path` then has only
    orders. `limits.files` says which files `map`, `rules`, `position` and the names in the file may
    refer to.

    Raises `LimitError` if `limits.seconds` are not enough, `FileError`, `DocumentError`, the errors
    of `load_map`, `load_profile` and `Position.from_units`, `FileError` with the line and column of
    an order that cannot be read, or `ProblemsError` for several, unless the rules accept poorly
    written orders, and `FileError` if `phase` or `map` is not that of the `position`.

    If the reading is `lenient`, an order that cannot be read, or whose unit cannot be where it
    says, does not raise: `PhaseFile.faults` has the fault, and `dipsat.adjudicate` with `lenient`
    judges the other orders. Without stated units, a unit that no order names readably is not on
    the board.
    """
    text = decoded_mail(read_named(ANYWHERE, path, MAX_BYTES), str(path))
    return parse_phase(
        text, str(path), map, rules, phase=phase, position=position, lenient=lenient, limits=limits
    )


def parse_phase(
    text: str,
    path: str,
    map: str | Path | Map | None = None,
    rules: str | Path | Profile | None = None,
    *,
    phase: str | PhaseName | None = None,
    position: str | Path | Position | None = None,
    lenient: bool = False,
    limits: Limits = UNLIMITED,
) -> PhaseFile:
    """Parse a phase from text; `load_phase` reads one from a file. `path` names the text in errors,
    and its ending says what it is: YAML or JSON (`.yaml`, `.json`), or plain text.

    Raises the errors of `load_phase`.
    """
    with running(limits):
        profile = None if rules is None else load_profile(rules)
        board = _board(position) if isinstance(position, str | Path) else position
        return parse_apart((text, path), board, phase, map, profile, True, lenient=lenient)


def _board(path: str | Path) -> tuple[str, str] | Position:
    """The text of a position's file and its name in errors, or the start of a shipped map."""
    start = shipped_start(path)
    if start is not None:
        return start
    allowed = by_caller(allowed_files()) if isinstance(path, Path) else allowed_files()
    return read_text(path, files=allowed), str(path)
