"""C source texts become loaded libraries: compiled once, kept in the user's cache folder.

The name of a library has two sums (SHA-256): of what it was made from, by which it is found, and of
its bytes, so that a damaged one gives itself away.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import sysconfig
import weakref
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from dipsat.errors import FileError, KernelBuildError, KernelError, KernelLoadError, escaped
from dipsat.files.private import alone, keep_newest, private_folder, save
from dipsat.files.reading import open_file, read_bytes
from dipsat.kernel.compilers import (
    MOST_BYTES,
    SUFFIX,
    Compiler,
    arguments,
    compiled,
    compilers,
    this_processor,
)

if TYPE_CHECKING:
    import ctypes

MOST_SECONDS = 120.0
"""The time for compiling; a compiler that takes longer hangs."""
KEPT = 64
"""Libraries that stay in the cache folder, those used last: whoever edits rules has many."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Library:
    """A shared library on the disk."""

    path: Path
    compiler: Compiler
    problem: str = ""
    """Why it is not in the cache folder but in a temporary one, which is removed when this object
    or the process ends; "" if it is in the cache folder."""


def cache_folder() -> Path:
    """The folder for libraries: `$DIPSAT_CACHE`, else `dipsat` in the folder that the system has
    for such files. Raises `FileError` if the user has no home."""
    from platformdirs import user_cache_path

    found = Path(os.environ.get("DIPSAT_CACHE") or user_cache_path("dipsat", appauthor=False))
    if str(found).startswith("~"):
        raise FileError(str(found), "this user has no home; set DIPSAT_CACHE")
    return found


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
    key, data = _key(source, recipe, compiler), b""
    try:
        cache = private_folder(folder or cache_folder())
        if found := _kept(cache, key, compiler):
            return found
        with alone(cache / f"lock-{key[0]}", seconds):  # sixteen files: few waits, little litter
            if found := _kept(cache, key, compiler):
                return found
            data = compiled(source, recipe, compiler, seconds, cache)
            library = _saved(cache, key, data, compiler)
        keep_newest(cache, SUFFIX, KEPT)
        return library
    except FileError as error:
        problem = str(error)
    data = data or compiled(source, recipe, compiler, seconds, None)
    try:
        beside = TemporaryDirectory(prefix="dipsat-", ignore_cleanup_errors=True)
        library = replace(_saved(Path(beside.name), key, data, compiler), problem=problem)
    except (FileError, OSError) as error:
        raise KernelError(f"the library cannot be saved: {problem}; {error}") from None
    weakref.finalize(library, beside.cleanup)
    return library


def load(library: Library) -> ctypes.CDLL:
    """Return a library that `build` returned, loaded into this process.

    Raises `KernelLoadError` if its bytes are not those that were built, if other users can write to
    its folder, or if the system refuses it.
    """
    import ctypes

    path = str(library.path)
    try:
        private_folder(library.path.parent)
        if not _is_whole(library.path):
            raise KernelLoadError(path, "is not the file that was built")
        return ctypes.CDLL(path)
    except FileError as error:
        raise KernelLoadError(path, error.problem) from None
    except OSError as error:
        problem = escaped(str(error)).replace(f"{path}: ", "")
        raise KernelLoadError(path, f"the system cannot load it: {problem}") from None


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
        source, recipe, compiler.command, compiler.version, sysconfig.get_platform(),
        getattr(sys.implementation, "_multiarch", ""), struct.calcsize("P"),
        this_processor() if native else "",
    ]  # fmt: skip
    return sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _kept(cache: Path, key: str, compiler: Compiler) -> Library | None:
    """The library in the cache, if it is whole."""
    for path in sorted(cache.glob(f"{key}-*{SUFFIX}")):
        with suppress(FileError):
            if _is_whole(path):
                with suppress(OSError):  # the folder may be for reading only
                    os.utime(path)
                return Library(path, compiler)
    return None


def _is_whole(path: Path) -> bool:
    """Whether a library has the bytes that its name says. Raises `FileError`."""
    data = read_bytes(open_file(path), MOST_BYTES, str(path))
    return path.stem.endswith(f"-{sha256(data).hexdigest()}")


def _saved(folder: Path, key: str, data: bytes, compiler: Compiler) -> Library:
    path = folder / f"{key}-{sha256(data).hexdigest()}{SUFFIX}"
    save(path, data)
    return Library(path, compiler)
