"""Opening files for reading. Only regular files are opened, so that nothing waits for ever.

The checks are about the opened file, not what its path named a moment before.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from io import BufferedReader
from pathlib import Path
from stat import S_ISBLK, S_ISCHR, S_ISDIR, S_ISFIFO, S_ISREG, S_ISSOCK
from typing import Literal

from dipsat.base.arguments import checked
from dipsat.base.values import brief
from dipsat.errors import (
    ArgumentError,
    DipsatError,
    DocumentError,
    FileError,
    MapError,
    ProblemsError,
    ProfileError,
)

# With O_NONBLOCK, opening a pipe that nobody writes to does not block.
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
        refuse_irregular(os.stat(path).st_mode, shown)  # opening a device may have effects
        return _regular(os.open(path, _READ), shown)
    except OSError as error:
        raise unreadable(shown, error) from None
    except ValueError as error:  # a null character in the path, or half a surrogate pair
        raise FileError(shown, f"cannot be read: {error}") from None


def open_below(folder: str, way: tuple[str, ...], shown: str) -> BufferedReader:
    """The regular file that `way` leads to from a folder, opened for reading bytes. Links on the
    way are never followed, even if files are exchanged meanwhile. Raises `FileError`."""
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
    """Read up to `count` bytes of an opened file, and close it. Raises `FileError`."""
    with stream:
        try:
            data = stream.read(count)
        except OSError as error:
            raise unreadable(shown, error) from None
    if data is None:  # the system's own files, such as those in /proc, may have no data yet
        raise FileError(shown, "cannot be read: it has no data yet")
    return data


def unreadable(shown: str, error: OSError) -> FileError:
    """The error for a file that the system does not let us read."""
    return FileError(shown, f"cannot be read: {error.strerror or error}")


def refuse_irregular(mode: int, shown: str, done: str = "read") -> None:
    """Raise `FileError` unless these mode bits are those of a regular file. `done` says in the
    message what cannot be done with it."""
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


# --- named ----------------------------------------------------------------------------------------

# The files that a document may name, and reading them.
#
# A rule file, a map or a game can name other files. So a document from a stranger could make dipsat
# read and quote private files. `Files` says what is allowed; the reader of a document applies it to
# every file that the document names.


@brief()
@dataclass(frozen=True, slots=True)
class Files:
    """Which files the names in a document (a rule file, a map, a game) may refer to.

    Create one with `none`, `within` or `anywhere`. Shipped names, such as `datc` and `standard`,
    are always allowed. Only regular files are read, never folders, pipes or devices.
    """

    allowed: Literal["none", "within", "anywhere"] = "anywhere"
    """Which files may be named: none, those in `folder`, or all."""
    folder: str = ""
    """The folder of the allowed files, as an absolute path without links; otherwise ""."""
    _home: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if self.allowed not in _ALLOWED:
            wanted = " or ".join(map(repr, _ALLOWED))
            raise ArgumentError("dipsat.Files", "allowed", self.allowed, wanted)
        if (self.allowed == "within") != bool(self.folder):
            wanted = "a folder" if self.allowed == "within" else "''"
            raise ArgumentError("dipsat.Files", "folder", self.folder, wanted)
        if self.folder and not self._home:
            object.__setattr__(self, "folder", _resolved(self.folder))

    @staticmethod
    def none() -> Files:
        """Allow a document to use shipped names only."""
        return _NONE

    @staticmethod
    @checked
    def within(folder: str | Path) -> Files:
        """Allow a document also to name files in this folder and in folders below it.

        Links are resolved before a path is compared with the folder. Raises `FileError` for an
        impossible path.
        """
        return Files("within", str(folder))

    @staticmethod
    def anywhere() -> Files:
        """Allow a document to name any regular file, as on the command line.

        Errors in a file outside the folder of the document do not quote that file.
        """
        return ANYWHERE


_ALLOWED = ("none", "within", "anywhere")


def _resolved(folder: str) -> str:
    try:
        return os.path.realpath(folder)
    except (OSError, ValueError) as error:
        raise FileError(str(folder), f"is not a folder: {error}") from None


ANYWHERE = Files()
_NONE = Files("none")


def by_caller(files: Files) -> Files:
    """The files allowed for a `Path`: always any file if the caller passed it, but not if a
    document names it."""
    return files if files._home else ANYWHERE


def named_by(files: Files, document: str | Path) -> Files:
    """The files allowed for the names in a document, and in all documents that these lead to. Files
    outside the folder of the first document are foreign."""
    if files._home:
        return files
    return replace(files, _home=str(Path(document).parent))


def narrower(one: Files, other: Files) -> Files:
    """The files that both allow."""
    if other.allowed == "anywhere" or one == other:
        return one
    if one.allowed == "anywhere":
        return other
    if "none" not in (one.allowed, other.allowed):
        for inner, outer in ((one, other), (other, one)):
            if _way(inner.folder, outer.folder) is not None or inner.folder == outer.folder:
                return inner
    return _NONE


def read_named(files: Files, path: str | Path, max_bytes: int) -> bytes:
    """Read the first `max_bytes` bytes of a named file, and one more if it has more.

    Raises `FileError` for a file that is not allowed, missing, or not regular.
    """
    return read_bytes(open_named(files, path), max_bytes + 1, str(path))


def open_named(files: Files, path: str | Path) -> BufferedReader:
    """A named file, opened for reading bytes. Raises `FileError`."""
    shown = str(path)
    if files._home or files.allowed != "anywhere":
        _refuse_odd(path, shown)
    if files.allowed == "anywhere":
        return open_file(path, shown)
    if files.allowed == "none":
        raise FileError(shown, "cannot be read: only shipped names are allowed here, no files")
    way = _way(path, files.folder)
    if not way:
        raise FileError(
            shown, "cannot be read: it is outside the folder whose files are allowed here"
        )
    return open_below(files.folder, way, shown)


def is_named_file(files: Files, path: str | Path) -> bool:
    """Whether a name refers to an allowed regular file."""
    try:
        open_named(files, path).close()
    except FileError:
        return False
    return True


def path_from(folder: str | Path, path: str | Path) -> str:
    """The path of a file relative to a folder, with slashes; on another drive, the path itself."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return str(path)


def size_of(path: str | Path) -> int:
    """The size of a regular file in bytes; 0 if there is none."""
    return Path(path).stat().st_size if is_named_file(ANYWHERE, path) else 0


def is_foreign(files: Files, path: str | Path) -> bool:
    """Whether a file lies outside the folder of the document that named it, directly or not."""
    return bool(files._home) and not _way(path, files._home)


def without_foreign(error: DipsatError, foreign: Mapping[str, str], what: str) -> DipsatError:
    """The error, or the errors in it, without quotations of foreign files. If a foreign file has a
    fault, the faults of all other files are left out, because they may repeat it.

    `foreign` maps the path of each foreign file to the path that one of our own files names. A path
    that only a foreign file names would be a quotation, too.
    """
    faults = error.problems if isinstance(error, ProblemsError) else (error,)
    found = {}
    for fault in faults:
        if isinstance(fault, DocumentError) and fault.path in foreign:
            veiled = _veil(fault, what, foreign[fault.path])
            found[str(veiled)] = veiled
    if not found:
        return error
    return ProblemsError(found.values()) if len(found) > 1 else next(iter(found.values()))


def note_foreign(foreign: dict[str, str], path: str, namer: str) -> None:
    """Add a file to the foreign ones; `namer` is the path of the file that names it."""
    foreign.setdefault(path, foreign.get(namer, path))


def _veil(error: DocumentError, what: str, path: str) -> DocumentError:
    kinds = (kind for kind in (MapError, ProfileError) if isinstance(error, kind))
    place = (error.line, error.column) if path == error.path else (1, 1)
    problem = f"cannot be read as {what}; it is in another folder, so nothing of it is quoted"
    return next(kinds, DocumentError)(path, *place, problem)


def _refuse_odd(path: str | Path, shown: str) -> None:
    """Refuse a path that some systems treat as another."""
    for part in Path(path).parts:
        if part not in (".", "..") and part != part.rstrip(". "):
            raise FileError(shown, "cannot be read: a name in it ends with a dot or a space")


def _way(path: str | Path, folder: str) -> tuple[str, ...] | None:
    """The names that lead from a folder to a file below it, after resolving links. Empty if the
    path is the folder itself, None if it is elsewhere.

    The system compares the folders, so case matters only where it does for the system.
    """
    try:
        whole = Path(os.path.realpath(path))
        top = os.stat(os.path.realpath(folder))
        for parent in (whole, *whole.parents):
            try:
                same = os.path.samestat(os.stat(parent), top)
            except (FileNotFoundError, NotADirectoryError):
                continue
            if same:
                return whole.relative_to(parent).parts
    except (OSError, ValueError):
        return None
    return None


_PACKAGE = Path(__file__).resolve().parents[1]


def data_folder(name: str) -> Path:
    """The shipped folder `name` ("rules" or "datc").

    A wheel has these folders inside the package, a checkout beside it. Raises `FileError` if
    neither exists.
    """
    for parent in (_PACKAGE / "data", _PACKAGE.parent):
        folder = parent / name
        if folder.is_dir():
            return folder
    raise FileError(name, "the shipped folder is missing; install dipsat again")
