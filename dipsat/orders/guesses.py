"""Possible meanings of a text whose names are misspelt, fit several provinces, or stand for land
that is not a province (DATC 4.E.2, 4.E.1).

A known name is never read as another one. Any other name stands for the provinces whose names begin
with it, or which it misspells (`dipsat.orders.slips`).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress

from dipsat.base import READINGS, Tally
from dipsat.board import Map, province_of, words_of
from dipsat.errors import AmbiguousNameError, OrderSyntaxError, UnknownNameError
from dipsat.orders import verbs
from dipsat.orders.order import Order, UnitName
from dipsat.orders.slips import MAX_SLIPS, provinces_like
from dipsat.orders.text_parse import TEXT_FAULTS, TextFault, TextParse, plain_text
from dipsat.orders.texts import notation_of
from dipsat.orders.verbs import NO_WORDS, Words, kind_words, plain_order

_MAX_READINGS = 200  # of one text; a text with more counts as unreadable
_BEGINNING = 80  # characters in which the unit of a text is expected
_NO_TOKEN = re.compile(r"[^\w\s()/'’.-]|(?<!\w)['’]")


class GuessedReadings:
    """The orders that a text could state. The reader has refused the text with `error`.

    `orders` is empty if the text is not an order under any reading of its names, if a name
    resembles no known one, or if there are too many readings. `error` then says why the text cannot
    be read. `guesses` says in words how each order reads the names. `tally` counts the readings
    that are tried. If `tries` is false, none are, and there are no orders.
    """

    def __init__(
        self,
        board: Map,
        text: str,
        error: TextFault,
        words: Words = NO_WORDS,
        tally: Tally | None = None,
        tries: bool = True,
    ) -> None:
        self.text = text
        self.plain = plain_text(board, text, words)
        self.tally = Tally(READINGS) if tally is None else tally
        self.words = words
        self.orders: tuple[Order, ...] = ()
        self.guesses: dict[Order, str] = {}
        self.error = error
        if not tries or notation_of(text) is not None:
            return
        try:
            self._read(board)
        except (UnknownNameError, OrderSyntaxError) as fault:
            self.error = fault

    def _read(self, board: Map) -> None:
        """Read the text repeatedly, each time with different provinces for the unclear names.

        Raises `OrderSyntaxError` or `UnknownNameError` if none of them makes it an order.
        """
        open_picks: list[tuple[int, ...]] = [()]
        for _ in range(_MAX_READINGS):
            self.tally.add()
            parse = _GuessingParse(board, self.plain, open_picks.pop(), self.words)
            self.guesses.setdefault(parse.order(), parse.guesses())
            open_picks += parse.untried()
            if not open_picks:
                self.orders = tuple(self.guesses)
                break
        typed, codes = next(name for name in parse.choices if len(name[1]) > 1 or not open_picks)
        if len(codes) > 1:
            shown = [board.provinces[code].name for code in codes]
            self.error = AmbiguousNameError("province", typed, shown, self.text)


def read_with_unknown_places(board: Map, text: str, words: Words = NO_WORDS) -> Order:
    """Read an order in which a name is not a province of the map. The name itself, in capital
    letters, stands in for the province.

    Raises `OrderSyntaxError`, or what the reader raises for the name of the ordered unit.
    """
    return _TolerantParse(board, text, words).order()


def read_with_impassable_land(board: Map, text: str, words: Words = NO_WORDS) -> Order | None:
    """Read an order that names impassable land of the map, though not as the place of the ordered
    unit. The name of the land stands in for the province. Return None for any other text."""
    if not board.impassable or notation_of(text) is not None:
        return None
    names = {words_of(name) for land in board.impassable.items() for name in land}
    typed = set(words_of(text))
    if not any(typed.issuperset(name) for name in names):
        return None
    with suppress(*TEXT_FAULTS):
        return _TolerantParse(board, text, words, frozenset(names)).order()
    return None


def read_unit_of(
    board: Map, text: str, candidates: Collection[str], words: Words = NO_WORDS
) -> UnitName:
    """Find the unit that a text seems to be for, although it is not an order. It is the unit at the
    beginning, if that can be in only one of the `candidates` (provinces). Otherwise its location is
    empty."""
    found: dict[str, UnitName] = {}
    open_picks: list[tuple[int, ...]] = [()]
    with suppress(*TEXT_FAULTS):
        while open_picks and len(found) <= _MAX_READINGS:
            parse = _GuessingParse(board, _beginning(text, words), open_picks.pop(), words)
            parse.take(verbs.BUILD | verbs.DISBAND)
            unit = parse.unit()
            found[province_of(unit.location)] = unit
            open_picks += parse.untried()
    meant = [unit for province, unit in found.items() if province in candidates]
    return meant[0] if len(meant) == 1 else UnitName("")


def read_first_unit(board: Map, text: str, words: Words = NO_WORDS) -> UnitName:
    """Read the unit at the beginning of a text that is not an order. Raises the reader's errors."""
    return TextParse(board, _beginning(text, words), words).unit()


def _beginning(text: str, words: Words) -> str:
    """The start of a text, where its unit is expected, without signs that never occur in orders."""
    return _NO_TOKEN.sub(" ", plain_order(text, kind_words(words.units)))[:_BEGINNING]


class _TolerantParse(TextParse):
    """Reads an unknown name, except the ordered unit's, as a place that is not on the map. If
    `places` (folded words) are given, only their names are read like this."""

    def __init__(
        self, board: Map, text: str, words: Words, places: Collection[tuple[str, ...]] = ()
    ) -> None:
        super().__init__(board, text, words)
        self.places = places
        self.located = 0

    def location(self) -> str:
        """Like `TextParse.location`, but count the places."""
        found = super().location()
        self.located += 1
        return found

    def _unknown_province(self, words: list[str]) -> str:
        phrase = self._phrase()
        if not self.places:
            try:
                return super()._unknown_province(words)
            except UnknownNameError:
                if "-" not in self.tokens[: self.at] or not phrase:
                    raise
        elif not self.located or tuple(phrase) not in self.places:
            return super()._unknown_province(words)
        self.at += len(phrase)
        return " ".join(phrase).upper()


class _GuessingParse(TextParse):
    """Reads a text with one choice for each unclear name. `picks[n]` is the index of the province
    among those that the nth name could mean; names beyond the picks mean their first one."""

    def __init__(self, board: Map, text: str, picks: tuple[int, ...], words: Words) -> None:
        super().__init__(board, text, words)
        self.picks = picks
        self.choices: list[tuple[str, tuple[str, ...]]] = []

    def untried(self) -> list[tuple[int, ...]]:
        """Picks that begin with these and differ in one name beyond them."""
        done = len(self.picks)
        return [
            (*self.picks, *(0,) * (at - done), other)
            for at in range(done, len(self.choices))
            for other in range(1, len(self.choices[at][1]))
        ]

    def _unknown_province(self, words: list[str]) -> str:
        try:
            return super()._unknown_province(words)
        except (AmbiguousNameError, UnknownNameError):
            phrase = self._phrase()
            longest = self.names.longest + MAX_SLIPS  # a slip may split a word
            for length in range(min(len(phrase), longest), 0, -1):
                typed = " ".join(phrase[:length])
                codes = provinces_like(self.board, typed)
                if codes:
                    return self._pick(typed, codes, length)
            raise

    def _one_of(self, typed: str, choices: tuple[str, ...]) -> str:
        return self._pick(typed, choices, 0)

    def _pick(self, typed: str, codes: tuple[str, ...], length: int) -> str:
        at = len(self.choices)
        self.choices.append((typed, codes))
        self.at += length
        code = codes[self.picks[at] if at < len(self.picks) else 0]
        self.meant[typed] = code
        return code
