"""C source texts become loaded libraries: a compiler is found and called once, and what it makes is
kept in the user's cache folder.

The name of a library has two sums (SHA-256): of what it was made from, by which it is found, and of
its bytes, so that a damaged one gives itself away.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import struct
import sys
import sysconfig
import weakref
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from dipsat.base import (
    alone,
    keep_newest,
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

_NAMES = ("cc", "gcc", "clang")
_PATIENCE = 10.0  # seconds for a compiler to say its version
_LONGEST_VERSION = 200  # characters
_CPU = "/proc/cpuinfo"
_CPU_BYTES = 2**16  # the first processor is within the first few kilobytes
_CPU_ENTRIES = re.compile(
    r"(?:flags|Features|isa|vendor_id|cpu family|model|model name|CPU \w+)\s*:"
)

# What Linux calls the abilities of an x86 processor, and the flags that let a compiler use them:
# the levels x86-64-v2 and v3, written as all compilers since 2014 understand them. A level is used
# as a whole, so that computers that share a home build few different libraries. Nearly all that it
# gives is counting bits without a table: on a small loop over sets, gcc's code took 97 ns for the
# oldest processors, 39 with v2, 32 with v3, and 33 with `-march=native` on one with AVX-512.
_LEVELS = (
    {
        "cx16": "-mcx16", "lahf_lm": "-msahf", "popcnt": "-mpopcnt", "pni": "-msse3",
        "ssse3": "-mssse3", "sse4_1": "-msse4.1", "sse4_2": "-msse4.2",
    },
    {
        "avx": "-mavx", "avx2": "-mavx2", "bmi1": "-mbmi", "bmi2": "-mbmi2", "f16c": "-mf16c",
        "fma": "-mfma", "abm": "-mlzcnt", "movbe": "-mmovbe", "xsave": "-mxsave",
    },
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler that says its version."""

    command: tuple[str, ...]
    """How it is called: the full path of a program, and arguments that always come first."""
    version: str
    """The first line of what `--version` prints, cut to 200 characters."""

    @property
    def name(self) -> str:
        """The command as a person would type it."""
        return shlex.join(self.command)

    @property
    def is_zig(self) -> bool:
        """Whether it is Zig, which without other orders compiles for the very processor that it
        runs on."""
        return len(self.command) > 1 and PurePath(self.command[-2]).stem in {"zig", "ziglang"}


def compilers(environment: Mapping[str, str] | None = None) -> Iterator[Compiler]:
    """The C compilers of this computer, best first; each is looked for when it is asked for.

    First comes `$CC`, then `cc`, `gcc` and `clang`, and the package `ziglang` last. A compiler that
    cannot say its version is passed over. `environment` stands for `os.environ`.
    """
    environment = os.environ if environment is None else environment
    commands: list[tuple[str, ...]] = [(name,) for name in _NAMES]
    if chosen := environment.get("CC", "").strip():
        with suppress(ValueError):  # a quotation that does not end
            commands.insert(0, tuple(shlex.split(chosen)))
    if sys.executable and _has_zig():
        commands.append((sys.executable, "-P", "-m", "ziglang", "cc"))
    for command in commands:
        if compiler := _asked(command, environment):
            yield compiler


def _has_zig() -> bool:
    """Whether the package `ziglang` is installed."""
    return find_spec("ziglang") is not None


def _asked(command: tuple[str, ...], environment: Mapping[str, str]) -> Compiler | None:
    """The compiler with its version, None if it cannot be used."""
    program = shutil.which(command[0], path=environment.get("PATH", os.defpath))
    if program is None:
        return None
    compiler = Compiler((str(Path(program).absolute()), *command[1:]), "")
    # `zig cc --version` ends in an error where the user has no home.
    ask = (
        (*compiler.command[:-1], "version") if compiler.is_zig else (*compiler.command, "--version")
    )
    try:
        done = run(ask, _PATIENCE, environment={**environment, "LC_ALL": "C"})
    except (OSError, ValueError):
        return None
    if done.status != 0:
        return None
    lines = done.output.decode("utf-8", "replace").strip().splitlines()
    return replace(compiler, version=escaped(lines[0] if lines else "")[:_LONGEST_VERSION])


def cpu_flags(processor: str | None = None) -> tuple[str, ...]:
    """The flags that let any compiler here use what the processor of this computer can do, as one
    of the levels that x86 processors have; () for other processors and systems.

    Unlike `-march=native` they are names, so a library built with them has another key than one
    for a lesser processor, and never runs there. `processor` stands for `this_processor()`.
    """
    entries = (this_processor() if processor is None else processor).splitlines()
    words = {word for entry in entries if entry.startswith("flags") for word in entry.split()}
    flags: tuple[str, ...] = ()
    for level in _LEVELS:
        if not level.keys() <= words:
            break
        flags += tuple(level.values())
    return flags


def this_processor() -> str:
    """What is known of this computer's processor: on Linux, its model and abilities; elsewhere the
    name of the computer, since two of them may differ."""
    with suppress(FileError):
        text = read_bytes(open_file(_CPU), _CPU_BYTES, _CPU).decode("utf-8", "replace")
        entries = filter(_CPU_ENTRIES.match, text.partition("\n\n")[0].splitlines())
        if found := "\n".join(entries):
            return found
    import platform

    return f"{platform.machine()} {platform.processor()} {platform.node()}"


SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
"""The end of the name of a shared library."""
MOST_BYTES = 2**26
"""The most that a library may have."""

_SOURCE, _OUTPUT = "kernel.c", f"kernel{SUFFIX}"
_ALWAYS = ("-std=gnu11", "-shared", *(() if sys.platform == "win32" else ("-fPIC",)))
_ZIG_USUAL = "-mcpu=baseline"  # like other compilers: what every processor of the kind can do
_LINES, _WIDTH = 20, 300  # of a compiler's messages that an error keeps


def _compiled(
    source: str, recipe: tuple[str, ...], compiler: Compiler, seconds: float, cache: Path | None
) -> bytes:
    """The bytes of a library. `cache` is a private folder, for what Zig keeps of its own."""
    try:
        workshop = TemporaryDirectory(prefix="dipsat-", ignore_cleanup_errors=True)
    except OSError as error:
        problem = f"no folder for temporary files can be made: {error.strerror or error}"
        raise KernelError(problem) from None
    with workshop as folder:
        try:
            write_text(Path(folder, _SOURCE), source)
        except FileError as error:
            raise KernelError(f"the source cannot be saved: {error}") from None
        # Debug information would name the folder, and differ from build to build.
        files = (f"-fdebug-prefix-map={folder}=.", _SOURCE, "-o", _OUTPUT)
        zig = str(Path(cache or folder, "zig"))  # it compiles parts of its own library first
        variables = {
            **os.environ, "LC_ALL": "C", "PWD": folder, "TMPDIR": folder,
            "ZIG_GLOBAL_CACHE_DIR": zig, "ZIG_LOCAL_CACHE_DIR": zig,
        }  # fmt: skip
        try:
            done = run((*compiler.command, *recipe, *files), seconds, folder, variables)
        except (OSError, ValueError) as error:
            said = [escaped(getattr(error, "strerror", None) or str(error))]
            raise KernelBuildError(compiler.name, None, said) from None
        if done.status is None:
            raise KernelTimeoutError(compiler.name, seconds)
        text = done.output[: _LINES * _WIDTH * 4].decode("utf-8", "replace")
        said = [escaped(line)[:_WIDTH] for line in text.splitlines() if line.strip()][:_LINES]
        if done.status != 0:
            raise KernelBuildError(compiler.name, done.status, said)
        try:
            return read_bytes(open_file(Path(folder, _OUTPUT)), MOST_BYTES, _OUTPUT)
        except FileError as error:
            said.insert(0, f"no library from it: {error.problem}")
            raise KernelBuildError(compiler.name, done.status, said) from None


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
    seconds: float = MOST_SECONDS,
) -> Library:
    """Return a shared library compiled from a C source text: the one in the cache, or a new one.

    `flags` follow `-std=gnu11 -shared -fPIC`; `folder` stands for the cache folder. If that cannot
    be used, the library is in a temporary one (`Library.problem`).

    Raises `KernelBuildError`, `KernelTimeoutError` after `seconds`, and `KernelError` if there is
    no folder to compile in.
    """
    recipe = _recipe(flags, compiler)
    key, data = _key(source, recipe, compiler), b""
    try:
        cache = private_folder(folder or cache_folder())
        if found := _kept(cache, key, compiler):
            return found
        with alone(cache / f"lock-{key[0]}", seconds):  # sixteen files: few waits, little litter
            if found := _kept(cache, key, compiler):
                return found
            data = _compiled(source, recipe, compiler, seconds, cache)
            library = _saved(cache, key, data, compiler)
        keep_newest(cache, SUFFIX, KEPT)
        return library
    except FileError as error:
        problem = str(error)
    data = data or _compiled(source, recipe, compiler, seconds, None)
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


def load_kept(source: str, flags: tuple[str, ...]) -> tuple[Library, ctypes.CDLL] | None:
    """Return a library that a compiler of this computer has made of a source text before, from the
    cache, and the library loaded; None if there is none that can be loaded. Raises `FileError`
    without a cache."""
    cache = private_folder(cache_folder())
    for compiler in compilers():
        key = _key(source, _recipe(flags, compiler), compiler)
        if found := _kept(cache, key, compiler):
            with suppress(KernelLoadError):  # as from a compiler for another computer
                return found, load(found)
    return None


def _recipe(flags: tuple[str, ...], compiler: Compiler) -> tuple[str, ...]:
    chosen = any(flag.startswith(("-march", "-mcpu")) for flag in (*compiler.command, *flags))
    usual = (_ZIG_USUAL,) if compiler.is_zig and not chosen else ()
    return (*_ALWAYS, *usual, *flags)


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
