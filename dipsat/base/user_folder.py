"""A folder of this user alone, for what is executed later.

Nobody else can put a file there, so what is in it is trusted. Whoever can runs as this user, and
could change Python itself.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE, S_ISDIR
from tempfile import NamedTemporaryFile

from dipsat.base.file_writing import unwritable
from dipsat.errors import FileError

_OTHERS_WRITE = 0o022
_PAUSE = 0.02  # seconds between two attempts to get a lock


def private_folder(path: str | Path) -> Path:
    """A folder that this user owns, that no other can write to, and whose files can be executed; it
    is made if it is missing. Raises `FileError`."""
    folder = Path(path).absolute()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            folder.mkdir(0o700)
        found = folder.lstat()
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or error
        raise FileError(str(path), f"cannot be used: {problem}") from None
    if not S_ISDIR(found.st_mode):
        raise FileError(str(path), "is not a folder")
    if hasattr(os, "geteuid"):  # on Windows, folders of a user are closed to others anyway
        if found.st_uid != os.geteuid():
            raise FileError(str(path), f"belongs to another user ({found.st_uid})")
        if found.st_mode & _OTHERS_WRITE:
            mode = f"{S_IMODE(found.st_mode):03o}"
            raise FileError(str(path), f"can be written by other users (mode {mode}); remove it")
    with suppress(OSError, AttributeError):  # not every system says so
        if os.statvfs(folder).f_flag & os.ST_NOEXEC:
            raise FileError(str(path), "its file system executes no files (noexec)")
    return folder


def save(path: Path, data: bytes) -> None:
    """Put a file into a private folder, whole and on the disk. Raises `FileError`."""
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


def keep_newest(folder: Path, ending: str, count: int) -> None:
    """Remove all files with an ending but so many, those used last."""
    with suppress(OSError):  # another process removes them, too
        files = sorted(folder.glob(f"*{ending}"), key=lambda one: one.stat().st_mtime)
        for path in files[:-count]:
            path.unlink()


@contextmanager
def alone(path: Path, seconds: float) -> Iterator[None]:
    """Wait until no other process is in such a block of this file, but no longer than so many
    seconds. Where the lock cannot be had, the block runs without it: it only saves work."""
    held = -1
    with suppress(ImportError, OSError):
        import fcntl

        held = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
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
            with suppress(OSError):  # else a process forked meanwhile would go on holding it
                fcntl.flock(held, fcntl.LOCK_UN)
            os.close(held)
