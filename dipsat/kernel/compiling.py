"""Calling a C compiler once: a source text in, the bytes of a shared library out."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from dipsat.children import run
from dipsat.errors import (
    FileError,
    KernelBuildError,
    KernelError,
    KernelTimeoutError,
    escaped,
)
from dipsat.files.reading import open_file, read_bytes
from dipsat.files.writing import write_text
from dipsat.kernel.compilers import Compiler

SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
"""The end of the name of a shared library."""
MOST_BYTES = 2**26
"""The most that a library may have."""

_SOURCE, _OUTPUT = "kernel.c", f"kernel{SUFFIX}"
_ALWAYS = ("-std=gnu11", "-shared", *(() if sys.platform == "win32" else ("-fPIC",)))
_SANITIZED = ("-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-g")
_ZIG_USUAL = "-mcpu=baseline"  # like other compilers: what every processor of the kind can do
_LINES, _WIDTH = 20, 300  # of a compiler's messages that an error keeps


def arguments(flags: tuple[str, ...], compiler: Compiler, sanitize: bool) -> tuple[str, ...]:
    """What comes after the compiler's own command, without the names of files."""
    chosen = any(flag.startswith(("-march", "-mcpu")) for flag in (*compiler.command, *flags))
    usual = (_ZIG_USUAL,) if compiler.is_zig and not chosen else ()
    return (*_ALWAYS, *usual, *flags, *(_SANITIZED if sanitize else ()))


def compiled(
    source: str, recipe: tuple[str, ...], compiler: Compiler, seconds: float, cache: Path | None
) -> bytes:
    """The bytes of a library that a compiler makes of a source text.

    `recipe` is from `arguments`. `cache` is a private folder, for what Zig keeps of its own; None
    for none. Raises `KernelBuildError`, `KernelTimeoutError` after so many seconds, and
    `KernelError` if there is no place for temporary files.
    """
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
        command = (*compiler.command, *recipe, *files)
        try:
            done = run(command, seconds, folder, _environment(folder, cache))
        except (OSError, ValueError) as error:
            said = [escaped(getattr(error, "strerror", None) or str(error))]
            raise KernelBuildError(compiler.name, None, said) from None
        if done.status is None:
            raise KernelTimeoutError(compiler.name, seconds)
        if done.status != 0:
            raise KernelBuildError(compiler.name, done.status, _lines(done.output))
        try:
            return read_bytes(open_file(Path(folder, _OUTPUT)), MOST_BYTES, _OUTPUT)
        except FileError as error:
            said = [f"no library from it: {error.problem}", *_lines(done.output)]
            raise KernelBuildError(compiler.name, done.status, said) from None


def _environment(workshop: str, cache: Path | None) -> dict[str, str]:
    """The variables for the compiler: messages in English, and folders it may fill. Zig compiles
    parts of its own library first, which it keeps."""
    zig = str(Path(cache or workshop, "zig"))
    return {
        **os.environ, "LC_ALL": "C", "PWD": workshop, "TMPDIR": workshop,
        "ZIG_GLOBAL_CACHE_DIR": zig, "ZIG_LOCAL_CACHE_DIR": zig,
    }  # fmt: skip


def _lines(output: bytes) -> list[str]:
    """The first lines of what a compiler printed, as a terminal can show them."""
    lines = output[: _LINES * _WIDTH * 4].decode("utf-8", "replace").splitlines()
    return [escaped(line)[:_WIDTH] for line in lines if line.strip()][:_LINES]
