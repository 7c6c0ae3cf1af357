"""Arrays of numbers as the compiled code reads them."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Literal, TypeAlias

from dipsat.errors import CodeError

ArrayType: TypeAlias = Literal["B", "H", "I", "Q"]
"""The types of numbers: of one, two, four and eight bytes, without a sign."""

_NO_NUMBERS = (NotImplementedError, OverflowError, TypeError, ValueError)
"""The errors of what cannot be made an array of numbers of a type."""


def zeros(kind: ArrayType, count: int) -> array[int]:
    """So many zeros in an array of this type."""
    return array(kind, bytes(array(kind).itemsize * count))


def as_array(numbers: Any, kind: ArrayType, name: str) -> Any:
    """The numbers as a one-dimensional array of a type that can be written, the same memory where
    it fits. Raises `CodeError`, with the name of the array, for anything else than such numbers."""
    try:
        return _as_array(numbers, kind)
    except _NO_NUMBERS as error:
        most = 256 ** array(kind).itemsize - 1
        problem = f"`{name}` should hold whole numbers from 0 to {most}: {error}"
        raise CodeError(None, None, problem) from None


def _as_array(numbers: Any, kind: ArrayType) -> Any:
    if isinstance(numbers, array) and numbers.typecode == kind:
        return numbers
    try:
        view = memoryview(numbers)
    except TypeError:
        return array(kind, _flat(numbers))
    if view.format not in _formats(kind):
        return array(kind, _flat(view.tolist()))
    if view.format == kind and view.ndim == 1 and view.contiguous and not view.readonly:
        return view
    return array(kind, view.tobytes())


def _flat(listed: Any) -> Any:
    """The numbers of a list of rows, or of a list of lists of rows, one after the other."""
    while isinstance(listed, list | tuple) and listed and isinstance(listed[0], list | tuple):
        listed = [one for row in listed for one in row]
    return listed


def new_array(numbers: Any, kind: ArrayType, name: str) -> array[int]:
    """The numbers in an array of their own. Raises `CodeError`, as `as_array` does."""
    return array(kind, memoryview(as_array(numbers, kind, name)).tobytes())


def check_count(name: str, found: int, width: int, things: int, thing: str) -> None:
    """Raise `CodeError` if an array does not have so many numbers for each of so many things."""
    if found != width * things:
        each = "one number" if width == 1 else f"{width} numbers"
        problem = f"`{name}` should have {each} for each {thing}: {width * things}, not {found}"
        raise CodeError(None, None, problem)


def made_again(holder: Any) -> tuple[Any, tuple[Any, ...]]:
    """How a dataclass of arrays is copied and pickled: views of memory, which cannot be, become
    arrays."""
    values = (getattr(holder, one.name) for one in fields(holder))
    return type(holder), tuple(
        array(value.format, value.tobytes()) if isinstance(value, memoryview) else value
        for value in values
    )


def rows_of(values: Sequence[int], which: Sequence[int], width: int, kind: ArrayType) -> array[int]:
    """The rows with these numbers, of so many numbers each."""
    found = array(kind)
    for at in which:
        found.extend(values[width * at : width * (at + 1)])
    return found


def _formats(kind: str) -> tuple[str, ...]:
    """How buffers describe numbers of a type of this computer."""
    return kind, f"@{kind}", f"={kind}", f"{'<' if sys.byteorder == 'little' else '>'}{kind}"
