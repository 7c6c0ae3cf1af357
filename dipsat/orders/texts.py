"""Order texts: one reader for all notations that people write, and one writer.

The reader takes DATC text (`F North Sea Convoys A London - Belgium`), the notation of the
`diplomacy` package (`F NTH C A LON - BEL`, `A LON - BEL VIA`) and that of e-mail judges
(`A Lon-Bel`, `lon -> bel`, `f bul(sc) s russian a rum-con`), in any case and mixture. It also reads
retreats (`A BEL R PIC`), disbands (`A BEL D`, `Remove F Ion`), builds (`A PAR B`, `Build A Paris`,
`B A Paris`) and `WAIVE`. If the rules give attributes to units, their values may precede a unit in
any case (`Red A VEN`, `F Adr S red Army Venice - Tri`). Notations that begin differently have their
own readers, such as `dipsat.orders.daide` for bots (`( ENG AMY LON ) HLD`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from dipsat.base import ORDERS, brief, checked, kept_on_first
from dipsat.board import Map, coast_of, language_hint, load_map, province_of, words_of
from dipsat.errors import (
    AmbiguousNameError,
    DipsatError,
    OrderSyntaxError,
    UnknownNameError,
    escaped,
    shortened,
)
from dipsat.orders.daide import DAIDE
from dipsat.orders.notation import Notation
from dipsat.orders.order import (
    ALL_BUILDS,
    Build,
    Convoy,
    DeclaredOrder,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Unreadable,
    Waive,
    value_texts,
)
from dipsat.orders.text_parse import (
    TEXT_FAULTS,
    TextFault,
    TextParse,
    is_plain_order,
    plain_text,
)
from dipsat.orders.verbs import (
    ACTIONS,
    ARROW,
    CONDITION,
    EVERYBODY,
    HOLD,
    NO_WORDS,
    TAKING_BACK,
    Words,
    kind_words,
    parts_of,
    plain_unit,
    remark_in,
    says_nothing,
)

_CACHE_SIZE = 50_000


def reader_for(map: str | Path | Map, words: Words = NO_WORDS) -> OrderReader:
    """Return the reader for a map and the words that the rules add to the notation. It remembers
    the texts that it has read. Raises the errors of `load_map`."""
    return _reader(map if isinstance(map, Map) else load_map(map), words)


@kept_on_first(16)
def _reader(board: Map, words: Words) -> OrderReader:
    return OrderReader(board, words)


@brief("board")
class OrderReader:
    """Reads orders and units on one map, with the words that the rules add to the notation.

    It remembers a bounded number of texts that it has read. Two readers are equal only if they are
    the same object.
    """

    @checked
    def __init__(self, board: Map, words: Words = NO_WORDS) -> None:
        self.board = board
        """The map."""
        self.words = words
        """What the rules add to the notation."""
        self.guessed: dict[str, str] = {}
        """Text of an order -> a sentence that says how a shortened name in it was read."""
        self._orders: dict[str, Order] = {}
        self._units: dict[str, UnitName] = {}

    def read(self, text: str) -> Order:
        """Return the order that `text` states. A name may be shortened to its first four or more
        letters if no other name begins with them; `guessed` then has the text.

        Raises `OrderSyntaxError`, or `UnknownNameError` or `AmbiguousNameError` for a name.
        """
        order = self._orders.get(text) if isinstance(text, str) else None
        return self._read(text) if order is None else order

    @checked
    def _read(self, text: str) -> Order:
        """The order of a text that has not been read before."""
        own = notation_of(text)
        if own is not None and own.read is not None:
            return self._kept(text, own.read(text, self.board))
        parse, order = self._parsed(text)
        self._kept(text, order)
        guesses = parse.guesses()
        if guesses:
            self.guessed[text] = guesses
        return order

    def _kept(self, text: str, order: Order) -> Order:
        if len(self._orders) >= _CACHE_SIZE:
            self._orders.clear()
            self.guessed.clear()
        self._orders[text] = order
        return order

    def _parsed(self, text: str) -> tuple[TextParse, Order]:
        """The order in a text, read as it stands or else without notes and prose."""
        fault: TextFault
        for power, one in self._ways(text):
            try:
                parse = TextParse(self.board, one, self.words)
                return parse, _of_power(parse.order(), power, text)
            except TEXT_FAULTS as error:
                fault = error
        self._refuse_remark(text)
        if isinstance(fault, OrderSyntaxError):
            fault = OrderSyntaxError(shortened(text), fault.problem)
        raise fault

    def _ways(self, text: str) -> Iterator[tuple[str, str]]:
        """A text as typed, then made plain, then its part after a colon, with the power before
        it."""
        yield "", text
        plain = plain_text(self.board, text, self.words)
        if plain != text:
            yield "", plain
        if ":" in plain:
            with suppress(AmbiguousNameError, UnknownNameError):
                power, order = below_heading(plain, self.board, lambda _: False)
                if power and order:
                    yield power, order

    def _refuse_remark(self, text: str) -> None:
        """Raise `OrderSyntaxError` for a text that is struck out or taken back, has a condition or
        is for all units, or that would be an order without its text in brackets."""
        problem, words = "", words_of(text)
        bare = text.strip(" .")
        at = remark_in(bare)
        if "~~" in text:
            problem = "what ~~ strikes out is not an order; leave it out"
        elif CONDITION.search(text):
            problem = _CONDITIONAL
        elif at and is_plain_order(self.board, self.words, bare[:at]):
            problem = f"{shortened(bare[at:])!r} is not part of an order; # begins a comment"
        elif words[:1] == ("nmr",):
            problem = "NMR says that there are no orders; write either that or the orders"
        elif words[:1] and words[0] in TAKING_BACK and self._has_action(text, words[1:]):
            problem = f"{words[0]!r} may take an order back; write only what the unit is to do"
        elif not HOLD.isdisjoint(words) and (EVERYBODY | HOLD).issuperset(words):
            problem = "say which units hold, each on a line of its own, such as 'A Par H'"
        elif bare.startswith("(") and bare.endswith(")"):
            problem = "it is in brackets; write orders without them, or put # before a remark"
        if problem:
            raise OrderSyntaxError(shortened(text), problem)

    def _has_action(self, text: str, words: tuple[str, ...]) -> bool:
        """Whether the words of a text may be an order."""
        known = ACTIONS | kind_words(self.words.units).keys()
        return not known.isdisjoint(words) or ARROW.search(text) is not None

    def read_unit(self, text: str) -> UnitName:
        """Return the unit that `text` names, such as `F STP/SC`, `Fleet Spain (south coast)` or
        `lon`.

        Raises the errors of `read`.
        """
        unit = self._units.get(text) if isinstance(text, str) else None
        return self._read_unit(text) if unit is None else unit

    @checked
    def _read_unit(self, text: str) -> UnitName:
        parse = TextParse(self.board, text, self.words)
        unit = parse.unit()
        parse.end()
        if len(self._units) >= _CACHE_SIZE:
            self._units.clear()
        self._units[text] = unit
        return unit


_CONDITIONAL = (
    "no condition can be judged, except that a retreat may say 'if dislodged'; write only what the "
    "unit is to do"
)


def _of_power(order: Order, power: str, text: str) -> Order:
    """The order with its unit assigned to the power that is written before it, if any."""
    if not power or isinstance(order, Waive) or not order.unit.location:
        return order
    if order.unit.power not in (None, power):
        raise OrderSyntaxError(text, f"it names {power} and {order.unit.power}; keep one of them")
    return replace(order, unit=replace(order.unit, power=power))


@kept_on_first(5_000)  # asked again for the orders
def unit_alone(board: Map, text: str, words: Words) -> UnitName | None:
    """The unit in a text that names a unit but not what it does; None for any other text."""
    reader = reader_for(board, words)
    with suppress(*TEXT_FAULTS):
        reader.read(text)
        return None
    with suppress(*TEXT_FAULTS):
        unit = reader.read_unit(plain_unit(text, kind_words(words.units)))
        return unit if unit.kind is not None else None
    return None


def ordered_unit(reader: OrderReader, text: str) -> tuple[str, Order | None]:
    """The unit that a text names, as text, and the order that it states for this unit, or None if
    it only names the unit. A text that does neither is returned unchanged."""
    with suppress(*TEXT_FAULTS):
        reader.read_unit(text)
        return text, None
    with suppress(*TEXT_FAULTS):
        order = reader.read(text)
        if not isinstance(order, Waive) and order.unit.location:
            return f"{order.unit.kind or ''} {order.unit.location}".strip(), order
    return text, None


# --- sheet ----------------------------------------------------------------------------------------

# Order sheets: plain text with a heading per power and one order per line.
#
#     England:
#       F North Sea Convoys A London - Belgium
#       A London - Belgium
#
# A heading may end with a colon, be the only words of a line, or precede an order on the same line
# (`ENGLAND: A Lon-Bel`); it may be shortened if only one power can be meant (`FRA:`, `F:`). `#` and
# `//` begin a comment; `;` separates orders on one line. List and quote markers are skipped.


_SHORTEST = 3  # letters of a shortened heading without a colon
_LONGEST = 100  # characters of a heading with the name of a player
_KEYS_OF_YAML = ("units", "centers", "orders")
_YAML_ADVICE = "if this is YAML, give the file a name that ends in .yaml"
_NO_HEADING = "there is no power above it; write a heading such as 'England:'"
_PLAYER = re.compile(r"[(\[].*[)\]]\W*$")  # after the name of the power
_KINDS = {(word,) for word in kind_words(NO_WORDS.units)}


@dataclass(frozen=True, slots=True)
class OrderLine:
    """An order of a sheet: the power above it, its text, its line and its column (from 1), and the
    line of its heading (0 without one). A `fault` means that nobody knows which power gave it. An
    empty text means that the power sent nothing: `No orders received`, `NMR`."""

    power: str
    text: str
    line: int
    column: int = 1
    fault: DipsatError | None = None
    headed: int = 0


def scan_sheet(
    text: str,
    board: Map,
    shown: str = "",
    above: int = 0,
    power: str = "",
    words: Words = NO_WORDS,
) -> Iterator[OrderLine]:
    """The orders of a sheet. Faults are headings that name no power, and the first order if it
    comes before every heading and no `power` is given for such orders. The `words` of the rules
    decide what is an order, including the commas in it. Raises `OrderSyntaxError` for a text
    without orders, and `InputLimitError`."""
    count, is_known, headed = 0, True, 0
    is_order = partial(is_plain_order, board, words)
    for number, line in enumerate(text.splitlines(), start=1):
        for column, part in parts_of(line, is_order):
            place = "" if shown else f"line {number}"
            try:
                named, order = below_heading(part, board, is_order, place)
            except (AmbiguousNameError, UnknownNameError) as error:
                is_known, count = False, count + 1
                yield OrderLine("", part, number, column, error)
                continue
            if named:
                power, is_known, headed = named, True, number
            at = column + part.rindex(order)
            if not order or not is_known:
                continue  # the fault of its heading says enough
            count += 1
            if power and says_nothing(order):
                yield OrderLine(power, "", number, at, headed=headed)
                continue
            ORDERS.check(count, f"{shown}:{above + number}" if shown else "")
            fault, owner = None, power or _power_in(order, board, words)
            if not owner:
                is_known = False  # one such fault is enough
                fault = OrderSyntaxError(order[:80], _NO_HEADING, number)
            yield OrderLine(
                owner, order, number, at, fault, number if owner and not power else headed
            )
    if not count:
        raise OrderSyntaxError(text[:40], "there are no orders in it")


def _power_in(text: str, board: Map, words: Words) -> str:
    """The power that an order names for its unit, as in `Austria A Vie - Gal`; "" if none."""
    with suppress(*TEXT_FAULTS):
        order = reader_for(board, words).read(text)
        return "" if isinstance(order, Waive) else order.unit.power or ""
    return ""


def below_heading(
    text: str, board: Map, is_order: Callable[[str], bool], place: str = ""
) -> tuple[str, str]:
    """The power in the heading of a text, "" if there is no heading, and what follows it. Raises
    the errors of `power_of_heading`."""
    heading, colon, after = text.partition(":")
    words = words_of(heading) if colon else ()
    if words in board.names.powers:
        return board.names.powers[words], after.strip()
    is_open = heading.count("(") + heading.count("[") > heading.count(")") + heading.count("]")
    if colon and (is_open or EVERYBODY.issuperset(words) or CONDITION.search(heading)):
        return "", text  # `A Par - Bur (was: A Par - Pic)`, `All others: hold`, `If it fails: ...`
    if colon and (is_order(heading) or (words in _KINDS and is_order(text))):
        return "", text  # `F: Bre - Mao`, `A Par - Bur: bounced`
    before_unit = words_of(after)[:1] in _KINDS
    power = power_of_heading(heading.strip(), bool(colon), board, place, before_unit)
    return (power, after.strip()) if power else ("", text)


def power_of_heading(
    heading: str, is_marked: bool, board: Map, place: str = "", before_unit: bool = False
) -> str:
    """The power in the heading of a line, "" without a heading. Text before a colon (`is_marked`)
    is a heading unless it is a unit: `A Paris: hold`. If a word for a unit follows (`before_unit`),
    it is not a unit: `Spain: A Mad H`. Raises `UnknownNameError` or `AmbiguousNameError`, with the
    `place`, for a heading that names no power."""
    powers = board.names.powers
    words = words_of(heading)
    if words not in powers and len(heading) <= _LONGEST:
        words = words_of(_PLAYER.sub("", heading)) or words
    if words in powers:
        return powers[words]
    if len(words) == 1 and (is_marked or len(words[0]) >= _SHORTEST):
        begun = board.names.powers_begun(words[0])
        if len(begun) == 1:
            return begun[0]
        if begun and is_marked:
            raise AmbiguousNameError("power", heading, begun, place)
    if not is_marked or (_is_unit(heading, board) and not before_unit):
        return ""
    hint = language_hint(board, words)
    if heading.strip() in _KEYS_OF_YAML:
        hint = _YAML_ADVICE
    raise board.names.unknown_power(heading[:80], place, hint)


def _is_unit(text: str, board: Map) -> bool:
    try:
        reader_for(board).read_unit(text)
    except TEXT_FAULTS:
        return False
    return True


DEFAULT_NOTATION = "diplomacy"


@dataclass(frozen=True, slots=True)
class _Style:
    """The words and signs of a notation that people type."""

    place: Callable[[Map, str], str]
    nationality: bool
    hold: str
    support: str
    convoy: str
    arrow: str
    via: str
    retreat: str
    disband: str
    build: str
    waive: str = "WAIVE"

    def write(self, order: Order, board: Map, *_: object) -> str:
        """The order in this style."""
        if isinstance(order, Waive):
            many = "all" if order.builds == ALL_BUILDS else order.builds
            return f"{self.waive} {many}" if order.builds > 1 else self.waive
        if isinstance(order, DeclaredOrder | Unreadable):
            return order.text if order.text.isprintable() else escaped(order.text)
        first = self.unit(order.unit, board)
        match order:
            case Convoy(army=other, target=target):
                named = self.unit(other, board)
                return f"{first} {self.convoy} {named}{self.arrow}{self.place(board, target)}"
            case SupportMove(supported=other, target=target):
                named = self.unit(other, board)
                return f"{first} {self.support} {named}{self.arrow}{self.place(board, target)}"
            case Move():
                places = [self.place(board, place) for place in (*order.path, order.target)]
                via = f" {self.via}" if order.via else ""
                return self.arrow.join([first, *places]) + via
            case SupportHold(supported=other):
                return f"{first} {self.support} {self.unit(other, board)}"
            case Retreat(target=target, otherwise=others):
                places = [self.place(board, place) for place in (target, *others)]
                return f"{first} {self.retreat} {' or '.join(places)}"
            case Hold():
                return f"{first} {self.hold}"
            case Disband():
                return f"{first} {self.disband}"
            case Build():
                return f"{first} {self.build}"

    def unit(self, named: UnitName, board: Map) -> str:
        """The name of a unit in this style."""
        place = self.place(board, named.location)
        text = f"{named.kind} {place}" if named.kind else place
        if named.attributes:
            text = " ".join((*value_texts(named.attributes), text))
        if named.power and self.nationality:
            aliases = board.powers[named.power].aliases if named.power in board.powers else ()
            text = f"{(*aliases, named.power)[0]} {text}"
        return text


def _code(board: Map, location: str) -> str:
    return location


def _full_name(board: Map, location: str) -> str:
    coast, code = coast_of(location), province_of(location)
    if code not in board.provinces:
        raise UnknownNameError("province", code, board.provinces)
    name = board.provinces[code].name
    return f"{name}({coast.lower()})" if coast else name


def _judge_name(board: Map, location: str) -> str:
    coast = coast_of(location)
    name = province_of(location).capitalize()
    return f"{name}({coast.lower()})" if coast else name


# fmt: off
_DIPLOMACY = _Style(_code, False, "H", "S", "C", " - ", "VIA", "R", "D", "B")

_DATC = _Style(
    _full_name, True, "Holds", "Supports", "Convoys", " - ", "via convoy",
    "Retreats to", "Disbands", "Builds", "Waive",
)

_JUDGE = _Style(_judge_name, True, "H", "S", "C", "-", "via convoy", "R", "D", "B")

# fmt: on
REGISTER: tuple[Notation, ...] = (
    Notation(DEFAULT_NOTATION, _DIPLOMACY.write),
    Notation("datc", _DATC.write),
    Notation("judge", _JUDGE.write),
    DAIDE,
)
"""Every notation. All code that reads, recognises or writes orders takes them from here."""

NOTATIONS: tuple[str, ...] = tuple(one.name for one in REGISTER if one.write is not None)
"""The names of the notations in which orders can be written."""

_BEGINNING = 300  # characters by which a notation is recognised


def notation_of(text: str) -> Notation | None:
    """The notation of a text, if it is one with its own reader; None for a text in the words and
    letters that people type."""
    start = text[:_BEGINNING]
    return next((one for one in REGISTER if one.begins and one.begins.match(start)), None)


def write_order(
    order: Order,
    map: str | Path | Map,
    notation: str = DEFAULT_NOTATION,
    *,
    power: str | None = None,
    adjustment: bool = False,
) -> str:
    """Return the order as text in a notation of `NOTATIONS`, with the names of a map.

    Two arguments matter only to `daide`. `power` is the power that gives the order; it is needed
    for a waived build and for a unit that is named without its power. `adjustment` says that a
    disband order is for an adjustment phase, in which it removes the unit.

    Raises `UnknownNameError` for any other notation, and for a name that is not on the map if the
    notation has names besides the map's codes (`datc`, `daide`); `OrderWriteError` for an order
    without something that the notation requires; and the errors of `load_map`.
    """
    board = map if isinstance(map, Map) else load_map(map)
    for one in REGISTER:
        if one.name == notation and one.write is not None:
            return one.write(order, board, power, adjustment)
    raise UnknownNameError("notation", notation, NOTATIONS)
