"""Load libraries for C source texts: libraries that came with dipsat, and libraries made by a
compiler of this computer, which are kept in the user's cache folder.

A library is found by its name: a digest (SHA-256) of everything from which it was made.
"""

from __future__ import annotations

import ctypes
import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from dipsat.base import (
    alone,
    open_file,
    private_folder,
    read_bytes,
    run,
    save,
    write_text,
)
from dipsat.errors import (
    FileError,
    KernelBuildError,
    KernelError,
    KernelLoadError,
    KernelTimeoutError,
    escaped,
)

SHIPPED = Path(__file__).with_name("compiled")
"""The folder of the libraries that came with dipsat. Only wheels for a specific platform have
it."""
SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
"""The end of the name of a shared library."""
MOST_SECONDS = 120.0
"""The time for compiling; a compiler that takes longer hangs."""

_ALWAYS = ("-std=gnu11", "-shared", *(() if sys.platform == "win32" else ("-fPIC",)))
_LINES = 20  # lines of a compiler's messages that an error keeps

# Linux's names for abilities of x86 processors, and the name by which all compilers since 2014 know
# the first processor that had them. Nearly all the gain is from counting bits without a table.
_CPU, _CPU_BYTES = "/proc/cpuinfo", 2**14  # the first processor is within that
_LEVELS = {
    "-march=haswell": {"avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "aes", "rdrand"},
    "-march=nehalem": {"cx16", "lahf_lm", "popcnt", "sse4_2"},
}


@dataclass(frozen=True)
class Library:
    """A library loaded into this process."""

    loaded: ctypes.CDLL
    compiler: str
    """The command of the compiler that made it here, "" if it came with dipsat."""
    why_not_kept: str = ""
    """Why it is not in the cache folder; "" if it is there, or came with dipsat."""
    is_new: bool = False
    """Whether it was compiled for this call."""

    @property
    def origin(self) -> str:
        """Its origin in words."""
        path = self.loaded._name
        if not self.compiler:
            return f"came with dipsat, as {path}"
        if self.why_not_kept:
            return f"compiled by {self.compiler}, and not kept"
        if self.is_new:
            return f"compiled by {self.compiler}, and kept as {path}"
        return f"found as {path}, compiled by {self.compiler}"


def compilers() -> Iterator[tuple[str, ...]]:
    """The commands of the C compilers of this computer, best first: `$CC` alone if it is set, else
    `cc`, `gcc` and `clang`, and the package `ziglang` last."""
    if chosen := os.environ.get("CC", "").split():
        found = shutil.which(chosen[0])
        yield (str(Path(found).absolute()) if found else chosen[0], *chosen[1:])
        return
    for program in ("cc", "gcc", "clang"):
        if path := shutil.which(program):
            yield (str(Path(path).absolute()),)
    if find_spec("ziglang") is not None:
        # By default, Zig compiles for exactly the processor on which it runs.
        yield (sys.executable, "-P", "-m", "ziglang", "cc", "-mcpu=baseline")


def cpu_flags() -> tuple[str, ...]:
    """The flag that lets a compiler use the abilities of this computer's processor, as one of two
    levels of x86 processors; () for other processors.

    Unlike `-march=native` it names the level, so computers that share a home share a library only
    if all of them can run it.
    """
    with suppress(FileError):
        words = {*read_bytes(open_file(_CPU), _CPU_BYTES, _CPU).decode("utf-8", "replace").split()}
        return tuple(flag for flag, needed in _LEVELS.items() if needed <= words)[:1]
    return ()


def cache_folder() -> Path:
    """The folder for libraries, to which no other user can write: `$DIPSAT_CACHE`, or `dipsat` in
    the system's folder for caches. Raises `FileError` if there cannot be one."""
    from platformdirs import user_cache_path

    found = Path(os.environ.get("DIPSAT_CACHE") or user_cache_path("dipsat", appauthor=False))
    try:
        return private_folder(found.expanduser())
    except RuntimeError:
        problem = "there is no such home; set DIPSAT_CACHE to the path of a folder"
        raise FileError(str(found), problem) from None


def library_name(source: str, *made_by: tuple[str, ...]) -> str:
    """The name of a library made from a C source text by a compiler with some flags. Without these,
    the name of the library that came with dipsat."""
    return sha256(json.dumps([source, *made_by]).encode()).hexdigest()[:32] + SUFFIX


def compiled(source: str, flags: tuple[str, ...], compiler: tuple[str, ...], folder: str) -> Path:
    """Compile a C source text to a shared library in a folder.

    Raises `KernelBuildError`, `KernelTimeoutError` after two minutes, and `FileError` if the text
    cannot be saved.
    """
    name, found = shlex.join(compiler), Path(folder, f"kernel{SUFFIX}")
    write_text(Path(folder, "kernel.c"), source)
    command = (*compiler, *_ALWAYS, *flags, "kernel.c", "-o", found.name)
    # Otherwise Zig would need a home, and a stopped compiler would leave files behind.
    variables = {"ZIG_GLOBAL_CACHE_DIR": folder, **os.environ, "TMPDIR": folder}
    try:
        done = run(command, MOST_SECONDS, folder, variables)
    except OSError as error:
        raise KernelBuildError(name, None, [escaped(str(error))]) from None
    if done.status is None:
        raise KernelTimeoutError(name, MOST_SECONDS)
    if done.status != 0:
        said = done.output.decode("utf-8", "replace").splitlines()
        raise KernelBuildError(name, done.status, map(escaped, said[:_LINES]))
    return found


def load(path: Path) -> ctypes.CDLL:
    """Load a library into this process. Raises `KernelLoadError` if it does not exist, or if the
    system refuses it."""
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        problem = escaped(str(error)).replace(f"{path}: ", "")
        raise KernelLoadError(str(path), f"the system cannot load it: {problem}") from None


def load_kept(source: str, flags: tuple[str, ...]) -> Library | None:
    """Return a library for a C source text without compiling: one that a compiler of this computer
    made earlier for its processor, or the one that came with dipsat. None if no such library can be
    loaded."""
    with suppress(FileError, KernelError):
        folder = cache_folder()
        for compiler in compilers():
            with suppress(KernelLoadError):
                kept = folder / library_name(source, flags, compiler)
                return Library(load(kept), shlex.join(compiler))
    with suppress(KernelLoadError):
        return Library(load(SHIPPED / library_name(source)), "")
    return None


def build_and_load(source: str, flags: tuple[str, ...]) -> Library:
    """Return a library for a C source text: a compiled one, or a new one from the first compiler of
    this computer whose library can be loaded. Compilers without header files or for another
    computer are skipped. A new library that cannot be kept lasts as long as the process.

    Raises the error of the first compiler if none succeeds, `KernelTimeoutError` at once, and
    `KernelError` without a compiler or a folder to compile in.
    """
    if found := load_kept(source, flags):
        return found
    try:
        folder = cache_folder()
    except FileError as error:
        return _built(source, flags, None, str(error))
    with alone(folder / f"lock-{library_name(source)[0]}", MOST_SECONDS):  # 16 locks: few waits
        return load_kept(source, flags) or _built(source, flags, folder)


def _built(source: str, flags: tuple[str, ...], folder: Path | None, why: str = "") -> Library:
    """A new library, kept in a folder if there is one. `why` says why there is none."""
    first: KernelError | None = None
    for compiler in compilers():
        name = shlex.join(compiler)
        try:
            with TemporaryDirectory(prefix="dipsat-", ignore_cleanup_errors=True) as workshop:
                made = compiled(source, flags, compiler, workshop)
                if folder:
                    try:
                        path = folder / library_name(source, flags, compiler)
                        save(path, read_bytes(open_file(made), -1, made.name))
                        return Library(load(path), name, is_new=True)
                    except (FileError, KernelLoadError) as error:  # as on a noexec disk
                        why = str(error)
                return Library(load(made), name, why, is_new=True)
        except (KernelBuildError, KernelLoadError) as error:
            first = first or error
        except (FileError, OSError) as error:
            raise KernelError(f"there is no folder to compile in: {error}") from None
    raise first or KernelError("no C compiler was found; install one, or the package ziglang")
