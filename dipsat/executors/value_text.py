"""Values as text for a journal and back, and their fingerprints.

A journal may come from a stranger and must not run code, so only values are made from it: those of
dipsat, and Python's own plain ones. The text is a list in JSON. Each entry has the name of a class
and the parts of one value: plain ones, and in brackets the places of earlier entries, so that what
is shared is written once. No library that reads typed data does this: results hold rules and maps
whole, and those of `run_many` are of any class.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from hashlib import sha256
from importlib import import_module
from itertools import chain
from pathlib import Path, PurePath
from types import BuiltinFunctionType, FunctionType
from typing import Any

from dipsat.errors import DipsatError, WorkerError
from dipsat.values import FrozenDict

_MOST = 2**25
"""Parts of a value, those that are shared counted each time: whoever walks it meets so many."""


def text_of(value: object) -> str:
    """The text of a value. Raises `WorkerError` for one that could not be read again."""
    entries: list[list[Any]] = []

    def add(entry: list[Any]) -> int:
        try:
            _maker(entry[0])
        except ValueError as error:
            raise WorkerError(str(error)) from None
        entries.append(entry)
        return len(entries) - 1

    _walk((value,), add)
    return json.dumps(entries)


def fingerprint(value: object) -> str:
    """The same text in every process, another one for another value. Pickled bytes would not do:
    they depend on which equal values are one object, and sets have an order of their own in every
    process. Raises `WorkerError` for what is no value and cannot be pickled."""
    found: str = _walk((value,), lambda entry: sha256(json.dumps(entry).encode()).hexdigest())
    return found


def value_of(text: str) -> Any:
    """The value of a text. Raises some error for a text that has none."""
    made, sizes = list[Any](), list[int]()
    for kind, *parts in json.loads(text):
        places = [part[0] for part in parts if type(part) is list]
        sizes.append(1 + len(parts) + sum(sizes[at] for at in places))
        if sizes[-1] > _MOST:
            raise ValueError("it is too large")
        make = _maker(kind)
        made.append(make([made[part[0]] if type(part) is list else part for part in parts]))
    return made[-1][0]


def _walk(value: object, add: Callable[[list[Any]], Any]) -> Any:
    """Add an entry for a value after those for its parts. Returns what `add` does for it."""
    known: dict[int, tuple[object, Any]] = {}  # with the object, so that it stays alive

    def part(value: object) -> Any:
        if type(value) in (str, int, float, bool, type(None)):
            return value
        if id(value) not in known:
            known[id(value)] = value, None
            kind, parts = _parts(value)
            found = [part(one) for one in parts]
            if isinstance(value, set | frozenset):
                found.sort(key=json.dumps)
            known[id(value)] = value, add([kind, *found])
        if known[id(value)][1] is None:
            raise WorkerError(f"a {type(value).__name__} contains itself")
        return [known[id(value)][1]]

    try:
        return part(value)[0]
    except RecursionError:
        raise WorkerError("a value is nested too deeply") from None


def _parts(value: Any) -> tuple[str, Iterable[object]]:
    """What a value is made of: the name of a class or a function, and the parts."""
    kind = type(value)
    name = f"{kind.__module__} {kind.__qualname__}"
    if isinstance(value, type | FunctionType | BuiltinFunctionType):
        return "a function", [value.__module__, value.__qualname__]
    if isinstance(value, DipsatError):
        return name, value.__reduce__()[1][1:] + value.__reduce__()[2:]
    if isinstance(value, Enum):
        return name, [value.name]
    if isinstance(value, PurePath):
        return "path", [str(value)]
    if isinstance(value, partial):
        return name, [value.func, value.args, value.keywords]
    if kind is bytes:
        return name, [value.hex()]
    if kind is dict:
        return name, chain.from_iterable(value.items())
    if kind in (list, tuple, set, frozenset) or isinstance(value, tuple):
        return name, value
    if is_dataclass(value):
        return name, [getattr(value, field.name) for field in fields(value)]
    try:
        how = value.__reduce_ex__(2)
    except TypeError as error:
        raise WorkerError(f"{name.replace(' ', '.')} is no value: {error}") from None
    if isinstance(how, str):
        return "a name", [name, how]
    if how[1:2] == ((kind,),) and type(how[2]) is dict:
        return name, [how[2]]  # as Python makes an object: empty, then with its attributes
    more = [tuple(one) for one in how[3:5] if one]
    return f"{how[0].__module__} {how[0].__qualname__}", [*how[1], *how[2:3], *more]


def _pairs(parts: list[Any]) -> dict[Any, Any]:
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _of_dict(kind: Callable[[dict[Any, Any]], Any], parts: list[Any]) -> Any:
    """A mapping made of a dict: a counter of a range would never be complete."""
    if type(parts[0]) is not dict:
        raise ValueError("a mapping of something else")
    return kind(parts[0])


_PYTHON: dict[str, Callable[[list[Any]], Any]] = {
    "builtins list": list,
    "builtins tuple": tuple,
    "builtins set": set,
    "builtins frozenset": frozenset,
    "builtins dict": _pairs,
    "builtins bytes": lambda parts: bytes.fromhex(*parts),
    "builtins range": lambda parts: range(*parts),
    "collections Counter": partial(_of_dict, Counter),
    "dipsat.values FrozenDict": partial(_of_dict, FrozenDict),
    "path": lambda parts: Path(*parts),
}


def _maker(name: str) -> Callable[[list[Any]], Any]:
    """What makes a value of its parts. Only enumerations, kinds of units and named tuples are
    called. Raises `ValueError` for a name that is of no value."""
    if name in _PYTHON:
        return _PYTHON[name]
    module, _, inner = name.partition(" ")
    if module.startswith("dipsat.") and "__main__" not in module:
        found: Any = vars(import_module(module)).get(inner)
        if name == "dipsat.board.province unit_kind":
            return lambda parts: found(*parts)
        if isinstance(found, type) and found.__module__ == module:
            if issubclass(found, Enum):
                return lambda parts: found[parts[0]]
            if issubclass(found, DipsatError):
                return partial(_error, found)
            if issubclass(found, tuple) and hasattr(found, "_fields"):
                return lambda parts: found(*parts)
            if is_dataclass(found):
                return partial(_dataclass, found)
            return partial(_object, found)
    raise ValueError(f"{name.replace(' ', '.')} is no plain value")


def _error(kind: type[DipsatError], parts: list[Any]) -> DipsatError:
    arguments, state = parts
    if type(arguments) is not tuple or type(state) is not dict:
        raise ValueError("an error of something else")
    error = kind.__new__(kind, *arguments)
    vars(error).update(state)
    return error


def _object(kind: type, parts: list[Any]) -> Any:
    (state,) = parts
    value: Any = object.__new__(kind)
    vars(value).update(state)
    return value


def _dataclass(kind: type, parts: list[Any]) -> Any:
    value: Any = object.__new__(kind)
    for field, part in zip(fields(kind), parts, strict=True):
        object.__setattr__(value, field.name, part)
    return value
