"""A journal of long work: what is done stays done, whatever ends the run.

It is a SQLite database, which a crash, a full disk or a second run cannot leave half-written. For
each stage of the run it has the fingerprint of what is done with each piece, and for each piece its
fingerprint and its result as text.

A journal may come from a stranger and must not run code, so only values are made from its texts:
those of dipsat, and Python's own plain ones. A text is a list in JSON. Each entry has the name of a
class and the parts of one value: plain ones, and in brackets the places of earlier entries, so that
what is shared is written once. No library that reads typed data does this: results hold rules and
maps whole, and those of `run_many` are of any class.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from hashlib import sha256
from importlib import import_module
from itertools import chain
from pathlib import Path, PurePath
from types import BuiltinFunctionType, FunctionType
from typing import Any

from dipsat.base import FrozenDict, database, transaction
from dipsat.errors import DipsatError, JournalError, WorkerError
from dipsat.studies.task import own_stamp

# --- values as text -------------------------------------------------------------------------------

_MOST = 2**25
"""The most parts of a value, counting shared ones each time, as a walk meets them."""


def text_of(value: object) -> str:
    """The text of a value. Raises `WorkerError` for one that could not be read back."""
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
    """A text that is the same in every process, and for equal values only. Pickled bytes would not
    do: they depend on which equal values are one object, and sets have an order of their own in
    every process. Raises `WorkerError` for what is not a value and cannot be pickled."""
    found: str = _walk((value,), lambda entry: sha256(json.dumps(entry).encode()).hexdigest())
    return found


def value_of(text: str) -> Any:
    """The value of a text. Raises some error if the text has none."""
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
    """Add an entry for a value after those for its parts. Returns what `add` returns for it."""
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
        raise WorkerError(f"{name.replace(' ', '.')} is not a value: {error}") from None
    if isinstance(how, str):
        return "a name", [name, how]
    if how[1:2] == ((kind,),) and type(how[2]) is dict:
        return name, [how[2]]  # as Python makes an object: empty, then with its attributes
    more = [tuple(one) for one in how[3:5] if one]
    return f"{how[0].__module__} {how[0].__qualname__}", [*how[1], *how[2:3], *more]


def _pairs(parts: list[Any]) -> dict[Any, Any]:
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _of_dict(kind: Callable[[dict[Any, Any]], Any], parts: list[Any]) -> Any:
    """A mapping made from a dict: a counter made from a range would never be complete."""
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
    "dipsat.base.values FrozenDict": partial(_of_dict, FrozenDict),
    "path": lambda parts: Path(*parts),
}


def _maker(name: str) -> Callable[[list[Any]], Any]:
    """The function that makes a value from its parts. Only enumerations, kinds of units and named
    tuples are called. Raises `ValueError` for a name that no value has."""
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
    raise ValueError(f"{name.replace(' ', '.')} is not a plain value")


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


# --- the journal ----------------------------------------------------------------------------------

_FORMAT = "dipsat journal 2"
_TABLES = {
    "about": "(name TEXT PRIMARY KEY, value TEXT)",
    "stages": "(name TEXT PRIMARY KEY, work TEXT)",
    "done": "(stage TEXT, at INTEGER, piece TEXT, result BLOB, PRIMARY KEY (stage, at))",
}
_SCHEMA = {
    ("table", name, f"CREATE TABLE {name} {columns} WITHOUT ROWID")
    for name, columns in _TABLES.items()
}


class Journal:
    """One stage of the run in an open journal."""

    def __init__(self, path: str, opened: sqlite3.Connection, stage: str) -> None:
        self.path = path
        self._opened = opened
        self._stage = stage
        self._marks: dict[int, str] = {}  # the fingerprints of pieces that are not done

    def result(self, at: int, piece: object) -> tuple[Any] | None:
        """The result of the piece at a place in the order of the work, None if it is not done.

        Raises `JournalError` if a different piece was there, or if the result is damaged.
        """
        mark = fingerprint(piece)
        with _faults_of(self.path):
            found = self._opened.execute(
                "SELECT piece, result FROM done WHERE stage = ? AND at = ?", (self._stage, at)
            ).fetchone()
        if found is None:
            self._marks[at] = mark
            return None
        if found[0] != mark:
            raise JournalError(
                self.path, f"piece {at + 1} of the work has changed since; begin a new journal"
            )
        try:
            return (value_of(_unpacked(found[1]).decode()),)
        except Exception as error:  # whatever else is there instead
            problem = f"the result of piece {at + 1} is damaged ({error}); begin a new journal"
            raise JournalError(self.path, problem) from None

    def add(self, results: Iterable[tuple[int, object]]) -> None:
        """Keep the results of pieces that were not done, by their places: all or none of them.

        Raises `JournalError` if one could not be read back, or if the disk is full.
        """
        rows = []
        for at, result in results:
            try:
                data = text_of(result).encode()
                if len(data) > _MOST_BYTES:
                    raise WorkerError(f"it has more than {_MOST_BYTES >> 20} MB")
            except WorkerError as error:
                problem = f"a result cannot be kept ({error}); return plain values (`to_dict`)"
                raise JournalError(self.path, problem) from None
            rows.append((self._stage, at, self._marks.pop(at), zlib.compress(data, 1)))
        with _faults_of(self.path), transaction(self._opened):
            self._opened.executemany("INSERT OR REPLACE INTO done VALUES (?, ?, ?, ?)", rows)


_MOST_BYTES = 2**24  # for a result; the largest ones have some megabytes


def _unpacked(data: bytes) -> bytes:
    unpack = zlib.decompressobj()
    found = unpack.decompress(data, _MOST_BYTES)
    if not unpack.eof:
        raise zlib.error("it is too large or cut off")
    return found


@contextmanager
def journal(path: str, stage: str, depends: object) -> Iterator[Journal]:
    """Open the journal at a path for a stage of the run, or begin one. The results depend on the
    pieces and on `depends`.

    Raises `JournalError` if the file is not a journal, if it belongs to other work or to another
    version of dipsat, if another run is using it, or if it cannot be written.
    """
    work = fingerprint(depends)
    with _faults_of(path), database(path) as opened:
        _begin(path, opened)
        known = opened.execute("SELECT work FROM stages WHERE name = ?", (stage,)).fetchone()
        if known is None:
            opened.execute("INSERT INTO stages VALUES (?, ?)", (stage, work))
        elif known[0] != work:
            problem = "belongs to a run with other rules or options; name another journal"
            raise JournalError(path, problem)
        yield Journal(path, opened, stage)


def _begin(path: str, opened: sqlite3.Connection) -> None:
    """Make the tables of a new journal, or check an old one."""
    found = opened.execute("SELECT type, name, sql FROM sqlite_master").fetchmany(len(_SCHEMA) + 1)
    if not found:
        with transaction(opened):
            for _, _, statement in _SCHEMA:
                opened.execute(statement)
            stated = [("format", _FORMAT), ("dipsat", own_stamp())]
            opened.executemany("INSERT INTO about VALUES (?, ?)", stated)
        return
    if set(found) != _SCHEMA:  # a view, which may have no end, could be named like a table
        raise JournalError(path, "is a database, but not a dipsat journal; name another file")
    about = dict(opened.execute("SELECT * FROM about WHERE name IN ('format', 'dipsat')"))
    if about.get("format") != _FORMAT or about.get("dipsat") != own_stamp():
        other = about.get("dipsat") or "another one"
        problem = f"was begun by dipsat {other}; this is {own_stamp()}, whose results may differ"
        raise JournalError(path, f"{problem}: begin a new journal")


@contextmanager
def _faults_of(path: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise JournalError(path, _in_words(error)) from None


def _in_words(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", None) or 0
    if code & 0xFF == sqlite3.SQLITE_FULL:
        return "the disk is full; make room and run the command again: what is done is kept"
    if code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "another run is using this journal; wait for it, or name another one"
    if code & 0xFF == sqlite3.SQLITE_NOTADB:
        return "is not a journal; name another file"
    if code & 0xFF == sqlite3.SQLITE_CORRUPT:
        return "is damaged; begin a new journal"
    return f"cannot be read or written: {error}"
