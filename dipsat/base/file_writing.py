"""Saving files atomically: readers see the old or the new file, and a full disk damages neither.

The text goes to a new file beside the old one. It is flushed to disk and then replaces the old.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE
from typing import BinaryIO

from dipsat.base.file_reading import refuse_irregular
from dipsat.errors import FileError

_NEW = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL
    | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
)  # fmt: skip


def write_text(path: str | Path, text: str, *, new: bool = False) -> None:
    """Save a text as UTF-8 under a path; the old file is replaced only when the new one is whole.

    The new file has the permissions of the old one. A link to a file in the same folder or below is
    followed; any other link is refused. With `new`, a path that exists already is refused, too
    (commands that use this have an option `--force`).

    Raises `FileError` and leaves the old file unchanged.
    """
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        problem = "cannot be written: a text in it has an invalid character"
        raise FileError(str(path), problem) from None
    write_bytes(path, data, new=new)


def write_bytes(path: str | Path, data: bytes, *, new: bool = False) -> None:
    """Save bytes as `write_text` saves a text. Raises `FileError`."""
    try:
        growing = GrowingFile(path, new=new)
        try:
            growing.stream.write(data)
            growing.put_in_place(new=new)
        except BaseException:
            growing.remove()
            raise
    except FileExistsError:
        raise FileError(str(path), "already exists").with_remedy("force") from None
    except OSError as error:
        raise unwritable(str(path), error) from None


class GrowingFile:
    """A file that grows beside the one that it replaces when it is complete. Errors of the system
    are `OSError` here, so that writers to `stream` see the errors of Python's own files."""

    def __init__(self, path: str | Path, *, new: bool = False) -> None:
        """Open a new file in the folder of `path`. Raises `FileError` if it cannot be created, and
        `FileExistsError` if the path should be `new` but exists."""
        self.shown, self._beside = str(path), ""
        try:
            self._target = _target(path, self.shown)
            if new and os.path.lexists(self._target):
                raise FileExistsError
            self._old = _replaceable(self._target, self.shown)
            name = f".dipsat-{os.urandom(8).hex()}.tmp"
            self._beside = os.path.join(os.path.dirname(self._target) or os.curdir, name)
            mode = 0o666 if self._old is None else 0o600
            self.stream: BinaryIO = os.fdopen(os.open(self._beside, _NEW, mode), "wb")
        except FileExistsError:
            raise
        except OSError as error:
            with suppress(OSError):
                os.unlink(self._beside)
            raise unwritable(self.shown, error) from None
        except ValueError as error:  # a null character in the path
            raise FileError(self.shown, f"cannot be written: {error}") from None

    def put_in_place(self, name: str = "", *, new: bool = False) -> str:
        """Flush the file to disk and move it to its place, or to `name` in the same folder,
        replacing an older one. Return its path. Raises `OSError`, such as `FileExistsError` if a
        `new` place is taken."""
        _settle(self.stream, None if name else self._old)
        self.stream.close()
        folder = os.path.dirname(self._target)
        place = os.path.join(folder, name) if name else self._target
        if new:
            _name_new(self._beside, place)
        else:
            os.replace(self._beside, place)
        _flush_folder(folder or os.curdir)
        return place

    def remove(self) -> None:
        """Remove the file if it is not in its place."""
        with suppress(OSError):
            self.stream.close()
        with suppress(OSError):
            os.unlink(self._beside)


def unwritable(shown: str, error: OSError) -> FileError:
    """The error for a file that the system does not let us write."""
    return FileError(shown, f"cannot be written: {error.strerror or error}")


def write_folder(
    folder: str | Path, files: Mapping[str, str | bytes], ours: re.Pattern[str], force: bool = False
) -> None:
    """Save files (name -> content) in a folder, which is created if it is missing.

    A folder that is not empty is refused. With `force`, its files whose names match `ours` are
    deleted first, and all others stay. Raises `FileError`.
    """
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        there = sorted(child.name for child in path.iterdir())
        if there and not force:
            problem = f"is not empty (it has {there[0]!r}); name another folder, or use `force`"
            raise FileError(str(folder), problem).with_remedy("force")
        for name in there:
            if ours.fullmatch(name):
                (path / name).unlink()
    except FileExistsError:
        raise FileError(str(folder), "is not a folder; name a folder for the files") from None
    except OSError as error:
        problem = f"cannot be written: {error.strerror or error}"
        raise FileError(str(error.filename or folder), problem) from None
    except ValueError as error:  # a null character in the path
        raise FileError(str(folder), f"cannot be written: {error}") from None
    for name, content in files.items():
        if isinstance(content, bytes):
            write_bytes(path / name, content)
        else:
            write_text(path / name, content)


def _target(path: str | Path, shown: str) -> str:
    """The file to replace: the target of a link within the folder, else the path itself."""
    if not os.path.islink(path):
        return os.fspath(path)
    home, target = (os.path.realpath(one) for one in (Path(path).parent, path))
    if os.path.commonpath((home, target)) != home:
        raise FileError(
            shown, "cannot be written: it is a link out of its folder; name the file itself"
        )
    return target


def _replaceable(target: str, shown: str) -> os.stat_result | None:
    """The status of the file to replace; None if there is none. Raises `OSError` or `FileError` if
    it must not be replaced."""
    try:
        old = os.stat(target, follow_symlinks=False)
    except FileNotFoundError:
        return None
    refuse_irregular(old.st_mode, shown, "written")
    if not os.access(target, os.W_OK):  # replacing works even without this permission
        raise PermissionError(0, "Permission denied")
    return old


def _settle(stream: BinaryIO, old: os.stat_result | None) -> None:
    """Flush a file to disk, with the owner and the permissions of the old one."""
    stream.flush()
    if old is not None and hasattr(os, "fchown"):
        with suppress(OSError):  # only the superuser can change owners
            os.fchown(stream.fileno(), old.st_uid, old.st_gid)
        os.fchmod(stream.fileno(), S_IMODE(old.st_mode))
    os.fsync(stream.fileno())


def _name_new(beside: str, target: str) -> None:
    """Name a file `target`. Raises `FileExistsError` if there is one."""
    try:
        os.link(beside, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(target):
            raise FileExistsError from None
        os.replace(beside, target)
        return
    os.unlink(beside)


def _flush_folder(folder: str) -> None:
    """Flush the new name to disk, where the system can."""
    with suppress(OSError):
        at = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(at)
        finally:
            os.close(at)
