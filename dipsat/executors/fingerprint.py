"""A fingerprint of a value: the same in every process, other for another value.

Pickled bytes would not do: they depend on which equal texts are one object, and sets have an order
of their own in every process.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from hashlib import sha256
from pathlib import PurePath
from types import BuiltinFunctionType, FunctionType
from typing import Any

from dipsat.errors import WorkerError

_PLAIN = (bool, int, float, str, bytes, type(None))


def fingerprint(value: object) -> str:
    """The fingerprint of plain values, dataclasses, functions by name, and what can be pickled of
    these. Raises `WorkerError` for anything else."""
    try:
        return _Fingerprints().of(value)
    except RecursionError:
        raise WorkerError("a value is nested too deeply for a fingerprint") from None


class _Fingerprints:
    """The fingerprints of one value's parts, each computed once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[str, object]] = {}  # with the object, so that it stays alive

    def of(self, value: object) -> str:
        if type(value) in _PLAIN:
            return _digest(type(value).__name__, [repr(value)])
        known = self._known.get(id(value))
        if known is None:
            self._known[id(value)] = "", value
            known = self._known[id(value)] = self._new(value), value
        if not known[0]:
            raise WorkerError(f"a {type(value).__name__} contains itself; it has no fingerprint")
        return known[0]

    def _new(self, value: Any) -> str:
        name = f"{type(value).__module__}.{type(value).__qualname__}"
        if isinstance(value, type | FunctionType | BuiltinFunctionType):
            return _digest("named", [value.__module__ or "", value.__qualname__])
        if isinstance(value, partial):
            return self._all(name, [value.func, value.args, value.keywords])
        if isinstance(value, Enum):
            return _digest(name, [value.name])
        if isinstance(value, PurePath):
            return _digest("path", [str(value)])
        if is_dataclass(value):
            return self._all(name, [getattr(value, one.name) for one in fields(value)])
        if isinstance(value, set | frozenset):
            return _digest("set", sorted(map(self.of, value)))
        if isinstance(value, Mapping):
            return self._all("mapping", [part for item in value.items() for part in item])
        if isinstance(value, tuple | list):
            return self._all(name, value)
        try:
            how = value.__reduce_ex__(2)
        except TypeError as error:
            raise WorkerError(f"a {name} cannot be sent to a worker: {error}") from None
        if isinstance(how, str):
            return _digest("named", [name, how])
        return self._all(name, [*how[:3], *(tuple(more) for more in how[3:5] if more)])

    def _all(self, name: str, parts: Iterable[object]) -> str:
        return _digest(name, [self.of(part) for part in parts])


def _digest(name: str, parts: Iterable[str]) -> str:
    return sha256("\0".join([name, *parts]).encode("utf-8", "surrogatepass")).hexdigest()
