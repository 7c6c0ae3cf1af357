"""C source texts become loaded libraries: compiled once, kept in the user's cache folder.

A library's name is the SHA-256 of its bytes; a record, named by what the library was made from,
leads to it. So a record and a library never belong to different builds, a damaged library gives
itself away, and no path ever leads to nothing for a moment, however many processes build at once.

The sum is against accidents. Whoever can write to the folder runs as this user and could change
Python itself; no secret that dipsat could keep there would be one to them. Other users are kept out
by owner and permissions.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import sysconfig
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from dipsat.errors import (
    FileError,
    KernelBuildError,
    KernelError,
    KernelLoadError,
    escaped,
)
from dipsat.files.private import (
    PrivateFolder,
    executes_nothing,
    new_private,
    open_private,
    remove_folder,
)
from dipsat.kernel.compilers import Compiler, compilers, this_processor
from dipsat.kernel.compiling import MOST_BYTES, SUFFIX, arguments, compiled

if TYPE_CHECKING:
    import ctypes

MOST_SECONDS = 120.0
"""The time for compiling; a compiler that takes longer hangs."""
KEPT = 64
"""Libraries that stay in the cache folder, those used last: whoever edits rules has many."""

_FORMAT = 1  # of keys and records; the source text holds everything else that dipsat decides
_MOST_RECORD = 2**16
_DAY = 86_400.0
_NO_EXECUTION = "the file system of its folder executes no files (noexec)"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Library:
    """A shared library on the disk."""

    path: Path
    sha256: str
    """The sum of its bytes, in hexadecimal digits."""
    compiler: Compiler
    problem: str = ""
    """Why it is not in the cache folder but in a temporary one, which is removed when this object
    or the process ends; "" if it is in the cache folder."""
    is_sanitized: bool = False


def cache_folder(
    environment: Mapping[str, str] | None = None, system: str = sys.platform
) -> Path | None:
    """Return the folder for libraries, whether or not it is there: `$DIPSAT_CACHE`, else `dipsat`
    in the folder that the system has for such files. None if the user has no home.

    `environment` stands for `os.environ`, `system` for `sys.platform`.
    """
    environment = os.environ if environment is None else environment
    if own := environment.get("DIPSAT_CACHE"):
        return Path(own).absolute()
    if system == "win32":
        local = Path(environment.get("LOCALAPPDATA", ""))
        return local / "dipsat" / "Cache" if local.is_absolute() else None
    above = Path(environment.get("XDG_CACHE_HOME", ""))
    if not above.is_absolute():  # the specification says to ignore others
        home = Path(environment.get("HOME", ""))
        if not home.is_absolute():
            return None
        above = home / ("Library/Caches" if system == "darwin" else ".cache")
    return above / "dipsat"


def build(
    source: str,
    flags: tuple[str, ...],
    compiler: Compiler,
    folder: str | Path | None = None,
    *,
    sanitize: bool = False,
    seconds: float = MOST_SECONDS,
) -> Library:
    """Return a shared library compiled from a C source text: the one in the cache, or a new one.

    `flags` follow `-std=gnu11 -shared -fPIC`; `folder` stands for the cache folder. `sanitize` adds
    the checks of AddressSanitizer and UndefinedBehaviorSanitizer (`sanitizer_environment`). If the
    folder cannot be used, the library is in a temporary one (`Library.problem`).

    Raises `KernelBuildError`, `KernelTimeoutError` after `seconds`, and `KernelError` if there is
    no folder to compile in.
    """
    if sanitize and compiler.is_zig:
        raise KernelError("Zig brings no AddressSanitizer; use gcc or clang")
    recipe = arguments(flags, compiler, sanitize)
    key = _key(source, recipe, compiler)
    home = cache_folder() if folder is None else folder
    problem = "no cache folder: neither HOME nor DIPSAT_CACHE is set"
    if home is not None:
        try:
            with open_private(str(home), create=True) as cache:
                if executes_nothing(cache.path):
                    raise FileError(cache.path, _NO_EXECUTION)
                return _kept(cache, key, compiler, sanitize) or _built_alone(
                    cache, key, source, recipe, compiler, sanitize, seconds
                )
        except FileError as error:
            problem = str(error)
    data = compiled(source, recipe, compiler, seconds, None)
    return _temporary(data, compiler, sanitize, problem)


def load(library: Library) -> ctypes.CDLL:
    """Return a library that `build` returned, loaded into this process.

    Raises `KernelLoadError` if its bytes are not those that were built, if other users can write to
    it, or if the system refuses it.
    """
    import ctypes

    folder, name = os.path.split(library.path)
    try:
        with open_private(folder) as opened:
            _verified(opened, name, library.sha256)
            # Reports of sanitizers look for the file by its path, long after the folder is closed.
            way = str(library.path) if library.is_sanitized else opened.way_to(name)
            try:
                return ctypes.CDLL(way)
            except OSError as error:
                problem = escaped(str(error)).replace(f"{way}: ", "")
                problem = _NO_EXECUTION if executes_nothing(folder) else problem
                problem = f"the system cannot load it: {problem}"
                raise KernelLoadError(str(library.path), problem) from None
    except FileError as error:
        raise KernelLoadError(str(library.path), error.problem) from None


def build_and_load(
    source: str, flags: tuple[str, ...], folder: str | Path | None = None
) -> tuple[Library, ctypes.CDLL]:
    """Return a library made by the first compiler of this computer that makes one which can be
    loaded, and the library loaded: a compiler without header files, or for another computer, is no
    use.

    Raises the error of the first compiler if none does, `KernelError` if there is no compiler, and
    `KernelTimeoutError` at once.
    """
    first: KernelError | None = None
    for compiler in compilers():
        try:
            library = build(source, flags, compiler, folder)
            return library, load(library)
        except (KernelBuildError, KernelLoadError) as error:
            first = first or error
    raise first or KernelError("no C compiler was found; install one, or dipsat[native]")


def _key(source: str, recipe: tuple[str, ...], compiler: Compiler) -> str:
    """What a library depends on, as a sum. Computers that share a home share a library only if all
    of them can run it."""
    native = any(part.endswith("=native") for part in (*compiler.command, *recipe))
    parts = [
        _FORMAT, source, recipe, compiler.command, compiler.version, sysconfig.get_platform(),
        getattr(sys.implementation, "_multiarch", ""), struct.calcsize("P"),
        this_processor() if native else "",
    ]  # fmt: skip
    return sha256(json.dumps(parts).encode()).hexdigest()


def _kept(cache: PrivateFolder, key: str, compiler: Compiler, sanitize: bool) -> Library | None:
    """The library in the cache, if it is whole."""
    record = f"{key}.json"
    try:
        found = json.loads(cache.read(record, _MOST_RECORD))
        digest = found["sha256"] if isinstance(found, dict) else ""
        if not isinstance(digest, str) or len(digest) != 64 or not digest.isalnum():
            return None
        name = f"{digest}{SUFFIX}"
        _verified(cache, name, digest)
    except (FileError, ValueError, KeyError, RecursionError):
        return None
    cache.note_use(record)
    cache.note_use(name)
    return Library(Path(cache.path, name), digest, compiler, is_sanitized=sanitize)


def _verified(folder: PrivateFolder, name: str, digest: str) -> None:
    """Raise `FileError` unless a file has this sum."""
    if sha256(folder.read(name, MOST_BYTES)).hexdigest() != digest:
        raise FileError(str(Path(folder.path, name)), "is not the file that was built")


def _built_alone(
    cache: PrivateFolder,
    key: str,
    source: str,
    recipe: tuple[str, ...],
    compiler: Compiler,
    sanitize: bool,
    seconds: float,
) -> Library:
    """A new library in the cache, unless another process has just made it; in a temporary folder if
    the cache cannot be written."""
    with cache.alone(f"lock-{key[0]}", seconds):  # sixteen files, for few waits and little litter
        if found := _kept(cache, key, compiler, sanitize):
            return found
        data = compiled(source, recipe, compiler, seconds, cache.path)
        digest = sha256(data).hexdigest()
        record = {
            "sha256": digest, "command": compiler.command, "version": compiler.version,
            "arguments": recipe,
        }  # fmt: skip
        try:
            cache.write(f"{digest}{SUFFIX}", data)
            cache.write(f"{key}.json", json.dumps(record, indent=1).encode())
        except FileError as error:
            return _temporary(data, compiler, sanitize, str(error))
        for ending in (SUFFIX, ".json"):
            cache.sweep(ending, KEPT, _DAY)
    path = Path(cache.path, f"{digest}{SUFFIX}")
    return Library(path, digest, compiler, is_sanitized=sanitize)


def _temporary(data: bytes, compiler: Compiler, sanitize: bool, problem: str) -> Library:
    """A library in a folder of its own, which goes when the object does."""
    digest = sha256(data).hexdigest()
    name = f"{digest}{SUFFIX}"
    try:
        path = new_private(None)
        with open_private(path) as folder:
            folder.write(name, data)
    except FileError as error:
        raise KernelError(f"the library cannot be saved: {problem}; {error}") from None
    library = Library(Path(path, name), digest, compiler, problem, sanitize)
    weakref.finalize(library, remove_folder, path, os.getpid())
    return library
