"""Finding a C compiler, and what the processor of this computer can do.

Nothing is remembered: asking a compiler for its version takes a few milliseconds.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from dipsat.children import run
from dipsat.errors import FileError, escaped
from dipsat.files.reading import open_file, read_bytes

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


def find_compiler(environment: Mapping[str, str] | None = None) -> Compiler | None:
    """Return the best C compiler of this computer, None if there is none: the first of
    `compilers`."""
    return next(compilers(environment), None)


def compilers(environment: Mapping[str, str] | None = None) -> Iterator[Compiler]:
    """The C compilers of this computer, best first; each is looked for when it is asked for.

    First comes `$CC`, then `cc`, `gcc` and `clang`, and the package `ziglang` last. A compiler that
    cannot say its version is passed over. `environment` stands for `os.environ`.
    """
    environment = os.environ if environment is None else environment
    for command in _candidates(environment):
        if compiler := _asked(command, environment):
            yield compiler


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
    if sys.platform == "linux":
        try:
            text = read_bytes(open_file(_CPU), _CPU_BYTES, _CPU).decode("utf-8", "replace")
        except FileError:
            text = ""
        first = text.split("\n\n", 1)[0].splitlines()
        if entries := [entry for entry in first if _CPU_ENTRIES.match(entry)]:
            return "\n".join(entries)
    import platform

    return f"{platform.machine()} {platform.processor()} {platform.node()}"


def _candidates(environment: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """The commands that may be compilers."""
    if chosen := environment.get("CC", "").strip():
        with suppress(ValueError):  # a quotation that does not end
            yield tuple(shlex.split(chosen))
    for name in _NAMES:
        yield (name,)
    if sys.executable and _has_zig():
        yield (sys.executable, "-P", "-m", "ziglang", "cc")


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


def _has_zig() -> bool:
    """Whether the package `ziglang` is installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return bool(version("ziglang"))
    except PackageNotFoundError:
        return False
