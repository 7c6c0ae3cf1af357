"""The base of all errors, and the functions that their messages share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Self

SHOWN = 80
"""Characters of a text from outside that a message repeats."""
_LINE = 1900  # characters of a line; the longest honest ones list a hundred names
_EXAMINED = 400_000  # characters of a line that are searched for quotations, at its two ends
_LINES = 60  # of a message; rule files are read until they have 50 faults
_LONG_WORD = re.compile(r"\S{251,}")  # longer than the path of a file
_QUOTATION = re.compile(r"""(?<![^\W_])(?<!\\)(?:"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+')""")
"""A quotation begins with a mark that follows no letter, as an apostrophe does, and no backslash;
the next such mark that is not escaped ends it."""
_CUT_ESCAPE = re.compile(r"\\[^\\]{0,9}$")


class DipsatError(Exception):
    """The base of all errors for bad input, a bad rule file or a stated limit.

    `str(error)` can be shown as it is, whatever the input was: it is short, and has no character
    that a terminal would take for a command (`readable`). The attributes of errors are complete.
    Errors can be copied, and pickled to be sent to another process, if their attributes can. Like
    all exceptions of Python, an error is equal only to itself; a copy says the same.
    """

    remedies: tuple[str, ...] = ()
    """What would help, for the program that shows the error and knows how to ask for it: `phase`
    (state it), `position` (state it), `force` (write nevertheless), `open`
    (name units whose orders are open)."""

    def with_remedy(self, remedy: str) -> Self:
        """Return the error itself, with something that would help."""
        self.remedies = tuple(dict.fromkeys((*self.remedies, remedy)))
        return self

    def __str__(self) -> str:
        return readable(super().__str__())

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
        # Python would call the class with the message, in place of what the message is made from.
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[DipsatError], args: tuple[Any, ...]) -> DipsatError:
    """Return an error with its message, made without its `__init__`; the attributes follow."""
    return kind.__new__(kind, *args)


def shortened(text: str) -> str:
    """Return a text from outside, cut to a length that a message can show."""
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


def readable(message: str) -> str:
    """Return a message that repeats texts from outside as a terminal can show it.

    Of each quotation only the beginning is left, so that the advice after it is seen; of a long
    word, and of a line that is still too long, both ends; of too many lines, the first ones.
    Unprintable characters are written as escapes.
    """
    if len(message) <= SHOWN and message.isprintable():
        return message
    lines = message.split("\n", _LINES + 2)
    if len(lines) > _LINES + 1:
        more = message.count("\n") + 1 - _LINES
        lines = [*lines[:_LINES], f"... and {more} more lines"]
    return "\n".join(_readable_line(line) for line in lines)


def escaped(text: str) -> str:
    """Return a text with an escape, as Python writes it, for each character that is not printable,
    line breaks too."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _readable_line(line: str) -> str:
    cut = _without_middle(line, _EXAMINED)
    cut = _QUOTATION.sub(_short_quotation, cut) if len(cut) > SHOWN else cut
    cut = _without_middle(cut, 10 * _LINE)
    if not cut.isprintable():
        cut = escaped(cut)
        cut = _QUOTATION.sub(_short_quotation, cut)
    return _without_middle(
        _LONG_WORD.sub(lambda word: _without_middle(word[0], 2 * SHOWN, "..."), cut), _LINE
    )


def _without_middle(text: str, most: int, mark: str = " ... ") -> str:
    half = most // 2
    return text if len(text) <= most else f"{text[: half - 5]}{mark}{text[-half:]}"


def _short_quotation(found: re.Match[str]) -> str:
    """A quotation, cut to a length that a message can show."""
    mark, text = found[0][0], found[0][1:-1]
    if len(text) <= SHOWN + 3:
        return found[0]
    return f"{mark}{_CUT_ESCAPE.sub('', text[:SHOWN])}...{mark}"


def with_article(noun: str) -> str:
    """Return a noun or the name of a class with `a` or `an`: `a UnitName`, `an Unreadable`."""
    vowel = noun[0] in "AEIOUaeiou" and not noun.lower().startswith(("uni", "use", "eu"))
    return f"{'an' if vowel else 'a'} {noun}"
