"""A SQLite database in a file that a user names."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from dipsat.base.file_reading import refuse_irregular
from dipsat.errors import FileError

_MOST_BYTES = 2**25
"""Bytes of a value or a row, so that a stranger's file cannot take more memory."""


@contextmanager
def database(path: str) -> Iterator[sqlite3.Connection]:
    """The database at a path, which is made if nothing is there. No other run may use it meanwhile.
    Each statement outside of `transaction` counts at once.

    Raises `FileError` for a path that cannot be one, and `sqlite3.Error` for the rest.
    """
    if not path:
        raise FileError(repr(path), "is not a file name")
    try:
        refuse_irregular(os.stat(path).st_mode, path)
    except FileNotFoundError:
        pass
    except (ValueError, OSError) as error:
        problem = error.strerror if isinstance(error, OSError) else None
        raise FileError(path, f"cannot be opened: {problem or error}") from None
    name = os.path.abspath(path)  # SQLite has names of its own for what is not a file
    with closing(sqlite3.connect(name, timeout=1, isolation_level=None)) as opened:
        opened.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
        opened.execute("PRAGMA trusted_schema = OFF")  # what a stranger's file defines is not run
        opened.execute("PRAGMA locking_mode = EXCLUSIVE")
        opened.execute("PRAGMA journal_mode = WAL")  # one write for a transaction
        opened.execute("PRAGMA synchronous = NORMAL")  # a crash of the machine costs the last ones
        opened.execute("BEGIN IMMEDIATE")  # locks it
        opened.execute("COMMIT")
        yield opened


@contextmanager
def transaction(opened: sqlite3.Connection) -> Iterator[None]:
    """All statements of a block, or none of them if it ends in an error or with the process."""
    opened.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):  # such as that the fault has ended it already
            opened.execute("ROLLBACK")
        raise
    opened.execute("COMMIT")
