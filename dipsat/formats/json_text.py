"""Reading untrusted JSON: strictly, and with errors that name the place.

Python's own reader accepts NaN and repeated keys, and raises several kinds of errors; here every
fault is a `DocumentError` or `FileError`.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from dipsat.base import GAME_BYTES, JSON_VALUES
from dipsat.errors import (
    LISTED_FAULTS,
    DipsatError,
    DocumentError,
    FileError,
    InputLimitError,
    ProblemsError,
    UnknownNameError,
    shortened,
)

MAX_GAME_BYTES = GAME_BYTES.most


def parse_json(text: str, shown: str, line: int = 1) -> Any:
    """The value that a JSON text states; it begins in `line` of the file `shown`.

    Raises `DocumentError` with line and column for malformed text, repeated keys, NaN or infinite
    numbers, numbers of thousands of digits and nesting of hundreds of levels, and
    `InputLimitError` for a text that may hold too many values.
    """
    refuse_many_values(text, shown, line)
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = line + error.lineno - 1
        raise DocumentError(shown, where, error.colno, f"malformed JSON: {error.msg}") from None
    except RecursionError:
        raise DocumentError(shown, line, 1, "nested too deeply") from None
    except ValueError as error:
        raise DocumentError(shown, line, 1, str(error)) from None


def refuse_many_values(text: str, shown: str, line: int = 1) -> None:
    """Raise `InputLimitError` for a JSON text that may hold too many values, before any of them
    takes memory. Every value but the first follows one of these signs, which may also be in
    strings."""
    if len(text) > JSON_VALUES.most:
        JSON_VALUES.check(sum(map(text.count, ",[{:")), f"{shown}:{line}")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key in counts if counts[key] > 1)
        raise ValueError(f"the key {shortened(twice)!r} occurs twice in one object")
    return found


def _not_finite(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number in JSON")


def _integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError(f"a number has {len(text)} digits, more than any file needs")
    return int(text)


def _number(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"the number {shortened(text)} is too large")
    return value


_MAX_DIGITS = 30
_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_not_finite, parse_int=_integer, parse_float=_number
)

_PLACED = (FileError, DocumentError, ProblemsError)


class GatheredFaults:
    """Collects the faults of a file, so that all are reported at once. It catches the errors of a
    `with` block, except an `InputLimitError`. If it is `lenient`, it only keeps them."""

    def __init__(self, lenient: bool = False) -> None:
        self.lenient = lenient
        self._found: list[DipsatError] = []

    @property
    def found(self) -> tuple[DipsatError, ...]:
        """The faults so far."""
        return tuple(self._found)

    def at(self, shown: str) -> FilePlace:
        """A place for the next fault. Similar names are only looked for as long as faults are
        listed, since that takes most of the time."""
        return FilePlace(shown, hints=len(self._found) < LISTED_FAULTS)

    def __enter__(self) -> None:
        """Begin a block whose error is collected."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, DipsatError) or isinstance(error, InputLimitError):
            return False
        self._found += error.problems if isinstance(error, ProblemsError) else (error,)
        if len(self._found) >= LISTED_FAULTS:
            self.raise_all()
        return True

    def raise_all(self) -> None:
        """Raise the fault, or `ProblemsError` if there are several; nothing if this is lenient."""
        if self.lenient:
            return
        if len(self._found) == 1:
            raise self._found[0]
        if self._found:
            raise ProblemsError(self._found)


class FilePlace:
    """The place of a value in a file, for errors: the file (with a line), and the keys that lead to
    it."""

    __slots__ = ("hints", "shown", "way")

    def __init__(self, shown: str, way: tuple[object, ...] = (), hints: bool = True) -> None:
        self.shown = shown
        self.way = way
        self.hints = hints

    def at(self, key: object) -> FilePlace:
        """The place of an entry."""
        return FilePlace(self.shown, (*self.way, key))

    def fail(self, problem: str) -> NoReturn:
        """Raise a `FileError` that names the place."""
        raise FileError(self.shown, ": ".join((*self._way(), problem)))

    def _way(self) -> tuple[str, ...]:
        """The keys as one text, if there are any."""
        return (", ".join(shortened(str(key)) for key in self.way),) if self.way else ()

    def __enter__(self) -> None:
        """Begin a block whose errors name the place, except those that already name one."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InputLimitError) and not error.path:
            raise error.at(": ".join((self.shown, *self._way()))) from None
        if isinstance(error, UnknownNameError) and not self.hints:
            error.without_nearest()
        if isinstance(error, DipsatError) and not isinstance(error, _PLACED):
            found = FileError(self.shown, ": ".join((*self._way(), str(error))))
            found.remedies = error.remedies
            raise found from error

    def mapping(self, value: Any) -> Mapping[str, Any]:
        """`value` as an object; null counts as empty."""
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.fail(f"this should be an object, not {described(value)}")
        return value

    def sequence(self, value: Any) -> Sequence[Any]:
        """`value` as a list; null counts as empty."""
        if value is None:
            return ()
        if not isinstance(value, list):
            self.fail(f"this should be a list, not {described(value)}")
        return value

    def text(self, value: Any) -> str:
        """`value` as a text."""
        if not isinstance(value, str):
            self.fail(f"this should be a text, not {described(value)}")
        return value

    def texts(self, value: Any) -> tuple[str, ...]:
        """`value` as a list of texts."""
        found = tuple(self.sequence(value))
        for text in found:
            if not isinstance(text, str):
                self.fail(f"this should be a list of texts, not of {described(text)}")
        return found


def described(value: Any) -> str:
    """A value in words for a message."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "null"
    return shortened(json.dumps(value))
