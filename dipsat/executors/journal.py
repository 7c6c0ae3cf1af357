"""A journal of long work: what is done stays done, whatever ends the run.

It is a SQLite database, which a crash, a full disk or a second run cannot leave half-written. For
each stage of the run it has the fingerprint of what is done with each piece, and for each piece its
fingerprint and its result as text.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from dipsat.errors import JournalError, WorkerError
from dipsat.executors.stamp import own_stamp
from dipsat.executors.value_text import fingerprint, text_of, value_of
from dipsat.files.database import database, transaction

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

        Raises `JournalError` if another piece has been there, or if the result is damaged.
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
        except Exception as error:  # whatever else is in its place
            problem = f"the result of piece {at + 1} is damaged ({error}); begin a new journal"
            raise JournalError(self.path, problem) from None

    def add(self, results: Iterable[tuple[int, object]]) -> None:
        """Keep the results of pieces that were not done, all or none of them, by their places.

        Raises `JournalError` if one could not be read again, or if the disk is full.
        """
        rows = []
        for at, result in results:
            try:
                data = text_of(result).encode()
                if len(data) > _MOST_BYTES:
                    raise WorkerError(f"it has more than {_MOST_BYTES >> 20} MB")
            except WorkerError as error:
                problem = f"a result cannot be kept ({error}); return plain values, as of `to_dict`"
                raise JournalError(self.path, problem) from None
            rows.append((self._stage, at, self._marks.pop(at), zlib.compress(data, 1)))
        with _faults_of(self.path), transaction(self._opened):
            self._opened.executemany("INSERT OR REPLACE INTO done VALUES (?, ?, ?, ?)", rows)


_MOST_BYTES = 2**24  # of a result; the largest ones have some megabytes


def _unpacked(data: bytes) -> bytes:
    unpack = zlib.decompressobj()
    found = unpack.decompress(data, _MOST_BYTES)
    if not unpack.eof:
        raise zlib.error("it is too large or cut off")
    return found


@contextmanager
def journal(path: str, stage: str, depends: object) -> Iterator[Journal]:
    """The journal at a path, begun if there is none, for a stage of the run; the results depend on
    the pieces and on `depends`.

    Raises `JournalError` if the file is no journal, if it belongs to other work or to another
    dipsat, if another run is using it, or if it cannot be written.
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
        raise JournalError(path, "is a database, but no journal of dipsat; name another file")
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
        return "is no journal; name another file"
    if code & 0xFF == sqlite3.SQLITE_CORRUPT:
        return "is damaged; begin a new journal"
    return f"cannot be read or written: {error}"
