"""Folders and files that belong to this user alone, for what is executed later.

A folder is opened once, and everything in it is reached through its descriptor: whoever exchanges
folders above it meanwhile exchanges nothing in it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from stat import S_IMODE, S_ISDIR, S_ISREG
from typing import IO, cast

from dipsat.errors import FileError

_BYTES = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _NO_LINK | _BYTES
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | _BYTES
_LOCK = os.O_RDWR | os.O_CREAT | _NO_LINK | _BYTES
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NO_LINK | _BYTES
_HAS_DESCRIPTORS = os.open in os.supports_dir_fd and bool(_NO_LINK)
_OTHERS_WRITE = 0o022
_BEGINNING = ".tmp-"
_PAUSE = 0.02  # seconds between two attempts to get a lock


@dataclass(frozen=True, slots=True)
class PrivateFolder:
    """An open folder that belongs to this user, and that no other can write to."""

    path: str
    at: int | None
    """Its descriptor; None where the system does not open folders (Windows)."""

    def way_to(self, name: str) -> str:
        """A path to a file in this very folder, whatever its path means by now. Where the system
        offers none, the usual path."""
        if self.at is not None and os.path.isdir(f"/proc/self/fd/{self.at}"):
            return f"/proc/self/fd/{self.at}/{name}"
        return os.path.join(self.path, name)

    def read(self, name: str, most: int) -> bytes:
        """The content of a regular file that this user owns and no other can write to.

        Raises `FileError` for any other file, and for one with more than `most` bytes.
        """
        shown = os.path.join(self.path, name)
        try:
            with _stream(os.open(self._of(name), _READ, dir_fd=self.at), "rb") as stream:
                found = os.fstat(stream.fileno())
                if not S_ISREG(found.st_mode):
                    raise FileError(shown, "is not a regular file")
                _refuse_foreign(found, shown)
                data = stream.read(most + 1)
        except OSError as error:
            raise FileError(shown, f"cannot be read: {error.strerror or error}") from None
        if len(data) > most:
            raise FileError(shown, f"has more than {most:,} bytes")
        return data

    def write(self, name: str, data: bytes) -> None:
        """Put a file in its place, whole and on the disk, readable for this user alone. Raises
        `FileError`; what was there stays then."""
        beside = f"{_BEGINNING}{os.urandom(8).hex()}"
        try:
            try:
                at = os.open(self._of(beside), _NEW, 0o600, dir_fd=self.at)
                with _stream(at, "wb") as stream:
                    stream.write(data)
                    stream.flush()
                    os.fsync(stream.fileno())
                os.replace(self._of(beside), self._of(name), src_dir_fd=self.at, dst_dir_fd=self.at)
            except BaseException:
                self.remove(beside)
                raise
        except OSError as error:
            shown = os.path.join(self.path, name)
            raise FileError(shown, f"cannot be written: {error.strerror or error}") from None
        if self.at is not None:
            with suppress(OSError):  # some file systems cannot do this for folders
                os.fsync(self.at)

    def note_use(self, name: str) -> None:
        """Note that a file was used now, if the system lets us."""
        with suppress(OSError):
            if self.at is not None and os.utime in os.supports_follow_symlinks:
                os.utime(name, dir_fd=self.at, follow_symlinks=False)
            else:
                os.utime(self._of(name))

    def remove(self, name: str) -> None:
        """Remove a file, if it is there and the system lets us."""
        with suppress(OSError):
            os.unlink(self._of(name), dir_fd=self.at)

    def sweep(self, ending: str, keep: int, seconds: float) -> None:
        """Remove all files with an ending but those used last, and what interrupted writing has
        left behind so many seconds ago."""
        with suppress(OSError):
            used = []
            for name in sorted(os.listdir(self.path if self.at is None else self.at)):
                mine = name.endswith(ending) or name.startswith(_BEGINNING)
                if mine and (stamp := self._last_use(name)) is not None:
                    used.append((name.startswith(_BEGINNING), stamp, name))
            files = sorted((stamp, name) for unfinished, stamp, name in used if not unfinished)
            oldest = time.time() - seconds
            for _, name in files[: max(0, len(files) - keep)]:
                self.remove(name)
            for name in (name for unfinished, at, name in used if unfinished and at < oldest):
                self.remove(name)

    @contextmanager
    def alone(self, name: str, seconds: float) -> Iterator[None]:
        """Wait until no other process is in such a block, but no longer than so many seconds.

        The system ends a process's hold on the file when the process ends, however it ends; the
        file itself stays. Where the lock cannot be had at all, the block runs without it: it saves
        work, and nothing depends on it.
        """
        held = None
        try:
            import fcntl

            held = os.open(self._of(name), _LOCK, 0o600, dir_fd=self.at)
            _wait_for(partial(fcntl.flock, held, fcntl.LOCK_EX | fcntl.LOCK_NB), seconds)
        except (ImportError, OSError):
            pass
        try:
            yield
        finally:
            if held is not None:
                with suppress(OSError):  # else a process forked meanwhile would go on holding it
                    fcntl.flock(held, fcntl.LOCK_UN)
                os.close(held)

    def _of(self, name: str) -> str:
        return name if self.at is not None else os.path.join(self.path, name)

    def _last_use(self, name: str) -> float | None:
        with suppress(OSError):
            return os.stat(self._of(name), dir_fd=self.at, follow_symlinks=False).st_mtime
        return None


@contextmanager
def open_private(path: str, *, create: bool = False) -> Iterator[PrivateFolder]:
    """A folder that belongs to this user and that no other can write to; it is not a link.

    With `create`, it is made if it is missing. Raises `FileError`.
    """
    home, name = os.path.split(os.path.abspath(path))
    at = None
    try:
        whole = os.path.join(os.path.realpath(home), name)
        if create:
            _create(whole)
        if _HAS_DESCRIPTORS:
            at = os.open(whole, _FOLDER)
        found = os.stat(whole, follow_symlinks=False) if at is None else os.fstat(at)
        if not S_ISDIR(found.st_mode):
            raise FileError(path, "is not a folder")
        _refuse_foreign(found, path)
        folder = PrivateFolder(whole, at)
    except (OSError, ValueError) as error:
        if at is not None:
            os.close(at)
        problem = getattr(error, "strerror", None) or error
        raise FileError(path, f"cannot be used: {problem}") from None
    except BaseException:
        if at is not None:
            os.close(at)
        raise
    try:
        yield folder
    finally:
        if at is not None:
            os.close(at)


def new_private(beside: str | None) -> str:
    """The path of a new private folder for what is needed for a while, in the system's folder for
    that, or else in `beside`. Raises `FileError`."""
    try:
        return tempfile.mkdtemp(prefix="dipsat-")
    except OSError as error:
        with suppress(OSError):
            if beside is not None:
                return tempfile.mkdtemp(prefix=_BEGINNING, dir=beside)
        problem = f"no folder for temporary files can be made: {error.strerror or error}"
        raise FileError("", problem) from None


def remove_folder(path: str, process: int) -> None:
    """Remove a folder with all that is in it, if this is the process that made it, and not one
    forked from it."""
    if os.getpid() == process:
        shutil.rmtree(path, ignore_errors=True)


def executes_nothing(path: str) -> bool:
    """Whether the file system of a folder is known not to let files in it be executed."""
    with suppress(OSError, AttributeError):  # not every system says so
        return bool(os.statvfs(path).f_flag & os.ST_NOEXEC)
    return False


def _stream(at: int, mode: str) -> IO[bytes]:
    """A descriptor as a stream; it is closed if it cannot be one, such as that of a folder."""
    try:
        return cast(IO[bytes], os.fdopen(at, mode))
    except BaseException:
        os.close(at)
        raise


def _create(path: str) -> None:
    """Make a folder and those above it. The superuser makes none for another user, who could not
    use it afterwards."""
    if os.path.lexists(path):
        return
    above = os.path.dirname(path)
    while not os.path.lexists(above):
        above = os.path.dirname(above)
    owner = os.stat(above).st_uid
    if hasattr(os, "geteuid") and os.geteuid() == 0 and owner != 0:
        raise FileError(path, f"is not made by the superuser in a folder of user {owner}")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with suppress(FileExistsError):  # by another process, a moment ago
        os.mkdir(path, 0o700)


def _refuse_foreign(found: os.stat_result, shown: str) -> None:
    """Raise `FileError` unless a file or folder is this user's, and no other can write to it. On
    Windows, where folders of a user are closed to others anyway, everything passes."""
    if not hasattr(os, "geteuid"):
        return
    if found.st_uid != os.geteuid():
        raise FileError(shown, f"belongs to another user ({found.st_uid})")
    if found.st_mode & _OTHERS_WRITE:
        mode = f"{S_IMODE(found.st_mode):03o}"
        raise FileError(shown, f"can be written by other users (mode {mode}); remove it")


def _wait_for(attempt: Callable[[], None], seconds: float) -> None:
    """Try something until it does not raise `BlockingIOError`, or the time is up. Raises
    `OSError`."""
    latest = time.monotonic() + seconds
    while True:
        try:
            return attempt()
        except BlockingIOError:
            if time.monotonic() >= latest:
                raise
        time.sleep(_PAUSE)
