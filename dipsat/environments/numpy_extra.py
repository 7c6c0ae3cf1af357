"""The packages of the extra `environments`, which dipsat loads only when they are used."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from dipsat.errors import ArgumentError, ExtraError

numpy: Any = import_module("numpy") if find_spec("numpy") else None
"""The package, or None if it is not installed, for which `need` raises an error."""


def need(*packages: str) -> None:
    """Raise `ExtraError` if one of the packages is not installed."""
    lacking = [name for name in packages if find_spec(name) is None]
    if lacking:
        raise ExtraError("environments", lacking)


def array_of(given: object) -> Any:
    """An argument as an array; one without numbers if it cannot be converted."""
    try:
        return numpy.asarray(given)
    except (TypeError, ValueError):  # such as lists of different lengths
        return numpy.empty((1, 1), object)


def numbers_below(most: int, function: str, argument: str, given: object) -> Any:
    """An argument as an array of numbers from 0, all below `most`. It may also be a list of `most`
    truths, which gives the numbers of the true ones. Raises `ArgumentError`."""
    found = array_of(given)
    if found.dtype == bool and found.shape == (most,):
        found = numpy.flatnonzero(found)
    found = found if found.size else found.astype(numpy.int64)
    if found.ndim != 1 or found.dtype.kind not in "iu" or ((found < 0) | (found >= most)).any():
        wanted = f"numbers from 0 to {most - 1}"
        raise ArgumentError(f"dipsat.environments.{function}", argument, given, wanted)
    return found
