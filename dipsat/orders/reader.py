"""One reader for all notations in which people write orders.

It reads DATC text (`F North Sea Convoys A London - Belgium`), the notation of the `diplomacy`
package (`F NTH C A LON - BEL`, `A LON - BEL VIA`) and what e-mail judges take (`A Lon-Bel`,
`lon -> bel`, `f bul(sc) s russian a rum-con`), in any case and mixed, and also retreats
(`A BEL R PIC`), disbands (`A BEL D`, `Remove F Ion`), builds (`A PAR B`, `Build A Paris`,
`B A Paris`) and `WAIVE`. Where the rules give attributes to units, their values may precede a unit
in any case (`Red A VEN`, `F Adr S red Army Venice - Tri`). Notations that begin unlike these have
readers of their own, such as `dipsat.orders.daide` for bots (`( ENG AMY LON ) HLD`).
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.brief import brief
from dipsat.errors import OrderSyntaxError, shortened
from dipsat.errors.arguments import checked
from dipsat.kept import kept_on_first
from dipsat.orders.order import Order, UnitName, Waive
from dipsat.orders.pasted import plain_order, plain_unit
from dipsat.orders.text_parse import TEXT_FAULTS, TextParse, is_plain_order
from dipsat.orders.verbs import kind_words
from dipsat.orders.words import NO_WORDS, Words
from dipsat.orders.writer import notation_of

_CACHE_SIZE = 50_000


def reader_for(map: str | Path | Map, words: Words = NO_WORDS) -> OrderReader:
    """Return the reader for a map and the words that the rules add to the notation. It remembers
    what it has read. Raises the errors of `load_map`."""
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
        """Text of an order -> how a shortened name in it was read, in words."""
        self._orders: dict[str, Order] = {}
        self._units: dict[str, UnitName] = {}

    def read(self, text: str) -> Order:
        """Return the order that `text` states. A name may be shortened to its first four letters or
        more if only one name begins with them; `guessed` then has the text.

        Raises `OrderSyntaxError`, or for a name `UnknownNameError` or `AmbiguousNameError`.
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
        """The order of a text, as it is or else without notes and prose."""
        try:
            parse = TextParse(self.board, text, self.words)
            return parse, parse.order()
        except TEXT_FAULTS:
            plain = plain_order(text, kind_words(self.words.units))
            if plain == text:
                self._refuse_remark(text)
                raise
        try:
            parse = TextParse(self.board, plain, self.words)
            return parse, parse.order()
        except TEXT_FAULTS:
            self._refuse_remark(text)
            raise

    def _refuse_remark(self, text: str) -> None:
        """Raise `OrderSyntaxError` if a text in brackets is all that keeps one from being an order.
        It may be a condition, so it is not left out."""
        order, bracket, remark = text.rstrip(" .").rpartition("(")
        if bracket and remark.endswith(")") and is_plain_order(self.board, self.words, order):
            problem = f"'({shortened(remark)}' is no part of an order; # begins a comment"
            raise OrderSyntaxError(shortened(text), problem)

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


@kept_on_first(5_000)  # asked again for the orders
def unit_alone(board: Map, text: str, words: Words) -> UnitName | None:
    """The unit that a text names, without saying what it does; None for any other text."""
    reader = reader_for(board, words)
    with suppress(*TEXT_FAULTS):
        reader.read(text)
        return None
    with suppress(*TEXT_FAULTS):
        unit = reader.read_unit(plain_unit(text, kind_words(words.units)))
        return unit if unit.kind is not None else None
    return None


def ordered_unit(reader: OrderReader, text: str) -> tuple[str, Order | None]:
    """The unit that a text names, as a text, and the order that it states for this unit, None if it
    is the unit alone. A text that is neither is returned as it is."""
    with suppress(*TEXT_FAULTS):
        reader.read_unit(text)
        return text, None
    with suppress(*TEXT_FAULTS):
        order = reader.read(text)
        if not isinstance(order, Waive) and order.unit.location:
            return f"{order.unit.kind or ''} {order.unit.location}".strip(), order
    return text, None
