"""Opening files to read them. Only regular files are opened, so that nothing waits for ever.

What counts is the file that was opened, not what its path meant a moment before.
"""

from __future__ import annotations

import os
from io import BufferedReader
from pathlib import Path
from stat import S_ISBLK, S_ISCHR, S_ISDIR, S_ISFIFO, S_ISREG, S_ISSOCK

from dipsat.errors import FileError

# A pipe that nobody writes to does not hold up an opening with O_NONBLOCK.
_QUICKLY = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_BYTES = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_READ = os.O_RDONLY | _QUICKLY | _BYTES
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _BYTES
_CAN_WALK = os.open in os.supports_dir_fd and bool(_NO_LINK)
_KINDS = (
    (S_ISDIR, "a folder"),
    (S_ISFIFO, "a pipe"),
    (S_ISCHR, "a device"),
    (S_ISBLK, "a device"),
    (S_ISSOCK, "a socket"),
)


def open_file(path: str | Path, shown: str = "") -> BufferedReader:
    """A regular file, opened for reading bytes; `shown` names it in errors.

    Raises `FileError` if there is none, if it must not be read, or if it is a folder, a pipe or a
    device.
    """
    shown = shown or str(path)
    try:
        refuse_irregular(os.stat(path).st_mode, shown)  # opening a device may act
        return _regular(os.open(path, _READ), shown)
    except OSError as error:
        raise unreadable(shown, error) from None
    except ValueError as error:  # a null character in the path, or half a surrogate pair
        raise FileError(shown, f"cannot be read: {error}") from None


def open_below(folder: str, way: tuple[str, ...], shown: str) -> BufferedReader:
    """The regular file that `way` leads to from a folder, opened for reading bytes. No part of the
    way is followed if it is a link, whoever exchanges what meanwhile. Raises `FileError`."""
    if not _CAN_WALK:
        return open_file(os.path.join(folder, *way), shown)
    at = -1
    try:
        at = os.open(folder, _FOLDER)
        for part in way[:-1]:
            inner = os.open(part, _FOLDER | _NO_LINK, dir_fd=at)
            os.close(at)
            at = inner
        found = os.stat(way[-1], dir_fd=at, follow_symlinks=False)
        refuse_irregular(found.st_mode, shown)
        return _regular(os.open(way[-1], _READ | _NO_LINK, dir_fd=at), shown)
    except OSError as error:
        raise unreadable(shown, error) from None
    finally:
        if at >= 0:
            os.close(at)


def read_bytes(stream: BufferedReader, count: int, shown: str) -> bytes:
    """Up to `count` bytes of an opened file, which is closed. Raises `FileError`."""
    with stream:
        try:
            data = stream.read(count)
        except OSError as error:
            raise unreadable(shown, error) from None
    if data is None:  # the system's own files, such as those in /proc, may make a reader wait
        raise FileError(shown, "cannot be read: nothing is in it yet")
    return data


def unreadable(shown: str, error: OSError) -> FileError:
    """The error for a file that the system does not let us read."""
    return FileError(shown, f"cannot be read: {error.strerror or error}")


def refuse_irregular(mode: int, shown: str, done: str = "read") -> None:
    """Raise `FileError` unless these mode bits are a regular file's; `done` is what cannot be done
    with it."""
    if not S_ISREG(mode):
        kind = next((kind for is_one, kind in _KINDS if is_one(mode)), "something else")
        raise FileError(shown, f"cannot be {done}: it is {kind}, not a regular file")


def _regular(descriptor: int, shown: str) -> BufferedReader:
    try:
        refuse_irregular(os.fstat(descriptor).st_mode, shown)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise
