"""An SQLite database in a file named by the user."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from dipsat.base.file_reading import refuse_irregular
from dipsat.errors import FileError

_MOST_BYTES = 2**25
"""The most bytes of a value or a row, so that an untrusted file cannot use more memory."""


@contextmanager
def database(path: str) -> Iterator[sqlite3.Connection]:
    """Open the database at a path, which is created if it is missing. No other run can use it
    meanwhile. Each statement outside `transaction` is committed at once.

    Raises `FileError` for an impossible path, and `sqlite3.Error` for other faults.
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
    name = os.path.abspath(path)  # SQLite has special names that are not files
    with closing(sqlite3.connect(name, timeout=1, isolation_level=None)) as opened:
        opened.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
        opened.execute("PRAGMA trusted_schema = OFF")  # code in an untrusted file is not run
        opened.execute("PRAGMA locking_mode = EXCLUSIVE")
        opened.execute("PRAGMA journal_mode = WAL")  # one write per transaction
        opened.execute("PRAGMA synchronous = NORMAL")  # a system crash loses only the last ones
        opened.execute("BEGIN IMMEDIATE")  # locks it
        opened.execute("COMMIT")
        yield opened


@contextmanager
def transaction(opened: sqlite3.Connection) -> Iterator[None]:
    """Execute all statements of a block, or none if it ends in an error or with the process."""
    opened.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):  # the error may have ended it already
            opened.execute("ROLLBACK")
        raise
    opened.execute("COMMIT")
