"""Order sheets: plain text with a heading per power and one order per line.

    England:
      F North Sea Convoys A London - Belgium
      A London - Belgium

A heading may end with a colon, be the only words of a line, or precede an order on the same line
(`ENGLAND: A Lon-Bel`); it may be shortened if only one power can be meant (`FRA:`, `F:`). `#` and
`//` begin a comment; `;` separates orders on one line. Marks of lists and of quotations before
orders are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from dipsat.board.map import Map
from dipsat.board.names import words_of
from dipsat.errors import (
    AmbiguousNameError,
    DipsatError,
    FileError,
    OrderSyntaxError,
    UnknownNameError,
)
from dipsat.limits_of_input import ORDERS, SHEET_LENGTH
from dipsat.orders.pasted import parts_of, says_nothing
from dipsat.orders.reader import reader_for
from dipsat.orders.text_parse import TEXT_FAULTS, is_plain_order
from dipsat.orders.verbs import kind_words
from dipsat.orders.words import NO_WORDS, Words

_SHORTEST = 3  # letters of a shortened heading without a colon
_LONGEST = 100  # characters of a heading with the name of a player
_KEYS_OF_YAML = ("units", "centers", "orders")
_YAML_ADVICE = "if this is YAML, give the file a name that ends in .yaml"
_NO_HEADING = "there is no power above it; write a heading such as 'England:'"
_PLAYER = re.compile(r"[(\[].*[)\]]\W*$")  # after the name of the power
_KINDS = {(word,) for word in kind_words(NO_WORDS.units)}


@dataclass(frozen=True, slots=True)
class OrderLine:
    """An order of a sheet: the power above it, its text, its line and its column (from 1). With a
    `fault`, no power can be said to have given it."""

    power: str
    text: str
    line: int
    column: int = 1
    fault: DipsatError | None = None


def read_sheet(text: str, board: Map, shown: str = "", above: int = 0) -> tuple[OrderLine, ...]:
    """The orders of a sheet, in the order written.

    Raises `UnknownNameError` or `AmbiguousNameError` for a heading that names no power,
    `OrderSyntaxError` for an order above the first heading or for a text without orders, and
    `InputLimitError` for too long a text or too many orders. If `shown` names the sheet and `above`
    is the number of lines before it, a wrong heading raises `FileError` with its place instead.
    """
    SHEET_LENGTH.check(len(text), f"{shown}:{above}" if above else shown)
    found = tuple(scan_sheet(text, board, shown, above))
    for one in found:
        if isinstance(one.fault, OrderSyntaxError) or (one.fault is not None and not shown):
            raise one.fault
        if one.fault is not None:
            raise FileError(f"{shown}:{above + one.line}", str(one.fault))
    return found


def scan_sheet(
    text: str,
    board: Map,
    shown: str = "",
    above: int = 0,
    power: str = "",
    words: Words = NO_WORDS,
) -> Iterator[OrderLine]:
    """The orders of a sheet, and as faults its headings that name no power, and the first order if
    it stands above every heading and no `power` is stated for those. The `words` of the rules say
    what is an order, with the commas in it. Raises `OrderSyntaxError` for a text without any, and
    `InputLimitError`."""
    count, is_known = 0, True
    is_order = partial(is_plain_order, board, words)
    for number, line in enumerate(text.splitlines(), start=1):
        for column, part in parts_of(line, is_order):
            heading, colon, after = part.partition(":")
            place = "" if shown else f"line {number}"
            is_unit = (
                bool(colon) and words_of(heading) in _KINDS and is_order(part)
            )  # `F: Bre - Mao`
            try:
                follows = words_of(after)[:1] in _KINDS
                named = (
                    ""
                    if is_unit
                    else power_of_heading(heading.strip(), bool(colon), board, place, follows)
                )
            except (AmbiguousNameError, UnknownNameError) as error:
                is_known, count = False, count + 1
                yield OrderLine("", part, number, column, error)
                continue
            order, at = part, column
            if named:
                power, is_known, order = named, True, after.strip()
                at += len(part) - len(after.lstrip())
            if not order or not is_known or (power and says_nothing(order)):
                continue  # the fault of its heading says enough
            count += 1
            ORDERS.check(count, f"{shown}:{above + number}" if shown else "")
            fault = None
            if not power:
                is_known = False  # one such fault is enough
                fault = OrderSyntaxError(order[:80], _NO_HEADING, number)
            yield OrderLine(power, order, number, at, fault)
    if not count:
        raise OrderSyntaxError(text[:40], "there are no orders in it")


def power_of_heading(
    heading: str, is_marked: bool, board: Map, place: str = "", before_unit: bool = False
) -> str:
    """The power that a line is headed by, "" if it has no heading. Before a colon (`is_marked`)
    stands one, unless it is a unit: `A Paris: hold`. If the word for a unit follows the colon
    (`before_unit`), no unit stands before it: `Spain: A Mad H`. Raises `UnknownNameError` or
    `AmbiguousNameError`, with the `place`, for a heading that names none."""
    powers = board.names.powers
    words = words_of(heading)
    if words not in powers and len(heading) <= _LONGEST:
        words = words_of(_PLAYER.sub("", heading)) or words
    if words in powers:
        return powers[words]
    if len(words) == 1 and (is_marked or len(words[0]) >= _SHORTEST):
        meant = {name: power for name, power in powers.items() if name[0].startswith(words[0])}
        own = {power for name, power in meant.items() if name == words_of(power)}
        begun = sorted(own) if len(own) == 1 else sorted(set(meant.values()))
        if len(begun) == 1:
            return begun[0]
        if begun and is_marked:
            raise AmbiguousNameError("power", heading, begun, place)
    if not is_marked or (_is_unit(heading, board) and not before_unit):
        return ""
    hint = _YAML_ADVICE if heading.strip() in _KEYS_OF_YAML else ""
    raise UnknownNameError("power", heading[:80], board.powers, place, hint=hint)


def _is_unit(text: str, board: Map) -> bool:
    try:
        reader_for(board).read_unit(text)
    except TEXT_FAULTS:
        return False
    return True
