"""A private folder of this user, for files that are executed later.

Nobody else can put a file there, so its contents are trusted. Anybody who can acts as this user,
and could change Python itself.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISDIR
from tempfile import NamedTemporaryFile

from dipsat.base.file_writing import unwritable
from dipsat.errors import FileError

_OTHERS_WRITE = 0o022
_PAUSE = 0.02  # seconds between two attempts to get a lock


def private_folder(path: str | Path) -> Path:
    """A folder (not a link to one) that this user owns and nobody else can write to. It is created
    if it is missing. Raises `FileError`."""
    folder = Path(path).absolute()
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or error
        raise FileError(str(path), f"cannot be used: {problem}") from None
    if not S_ISDIR(found.st_mode):
        raise FileError(str(path), "is a link; name the folder that it leads to")
    if hasattr(os, "geteuid"):  # on Windows, a user's folders are closed to others anyway
        if found.st_uid != os.geteuid():
            raise FileError(str(path), "belongs to another user")
        if found.st_mode & _OTHERS_WRITE:
            raise FileError(str(path), "other users can write to it; close it with chmod go-w")
    return folder


def save(path: Path, data: bytes) -> None:
    """Save a file in a private folder atomically, and flush it to disk. Raises `FileError`."""
    beside = ""
    try:
        with NamedTemporaryFile(dir=path.parent, suffix=path.suffix, delete=False) as stream:
            beside = stream.name
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
    except OSError as error:
        with suppress(OSError):
            os.unlink(beside)
        raise unwritable(str(path), error) from None


@contextmanager
def alone(path: Path, seconds: float) -> Iterator[None]:
    """Wait until no other process is in such a block for this file or folder, at most this many
    seconds. If there is no lock by then, the block runs without it."""
    held = -1
    with suppress(ImportError, OSError):
        import fcntl

        flags = os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT
        held = os.open(path, flags, 0o600)
        latest = time.monotonic() + seconds
        while time.monotonic() < latest:
            with suppress(BlockingIOError):
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            time.sleep(_PAUSE)
    try:
        yield
    finally:
        if held >= 0:
            with suppress(OSError):  # else a process forked meanwhile would keep it
                fcntl.flock(held, fcntl.LOCK_UN)
            os.close(held)
