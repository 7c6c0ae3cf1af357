"""Arrays of numbers as the compiled code reads them."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

ArrayType: TypeAlias = Literal["B", "H", "I", "Q"]
"""The types of numbers: of one, two, four and eight bytes, without a sign."""

NO_NUMBERS = (NotImplementedError, OverflowError, TypeError, ValueError)
"""The errors of what cannot be made an array of numbers of a type."""


def zeros(kind: ArrayType, count: int) -> array[int]:
    """So many zeros in an array of this type."""
    return array(kind, bytes(array(kind).itemsize * count))


def as_array(numbers: Any, kind: ArrayType) -> Any:
    """The numbers as a one-dimensional array of a type that can be written, the same memory where
    it fits. Raises one of `NO_NUMBERS`."""
    if isinstance(numbers, array) and numbers.typecode == kind:
        return numbers
    try:
        view = memoryview(numbers)
    except TypeError:
        return array(kind, numbers)
    if view.format not in _formats(kind):
        listed = view.tolist()
        while listed and isinstance(listed[0], list):
            listed = [one for row in listed for one in row]
        return array(kind, listed)
    if view.format == kind and view.ndim == 1 and view.contiguous and not view.readonly:
        return view
    return array(kind, view.tobytes())


def new_array(numbers: Any, kind: ArrayType) -> array[int]:
    """The numbers in an array of their own. Raises one of `NO_NUMBERS`."""
    return array(kind, memoryview(as_array(numbers, kind)).tobytes())


def rows_of(values: Sequence[int], which: Sequence[int], width: int, kind: ArrayType) -> array[int]:
    """The rows with these numbers, of so many numbers each."""
    found = array(kind)
    for at in which:
        found.extend(values[width * at : width * (at + 1)])
    return found


def _formats(kind: str) -> tuple[str, ...]:
    """How buffers describe numbers of a type of this computer."""
    return kind, f"@{kind}", f"={kind}", f"{'<' if sys.byteorder == 'little' else '>'}{kind}"
