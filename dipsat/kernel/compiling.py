"""Calling a C compiler once: a source text in, the bytes of a shared library out."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from dipsat.children import run
from dipsat.errors import (
    FileError,
    KernelBuildError,
    KernelError,
    KernelTimeoutError,
    escaped,
)
from dipsat.files.private import PrivateFolder, new_private, open_private, remove_folder
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
    source: str, recipe: tuple[str, ...], compiler: Compiler, seconds: float, cache: str | None
) -> bytes:
    """The bytes of a library that a compiler makes of a source text.

    `recipe` is from `arguments`. `cache` is a private folder, for what Zig keeps of its own, and
    for temporary files if there is no other place; None for none. Raises `KernelBuildError`,
    `KernelTimeoutError` after so many seconds, and `KernelError` if there is no place.
    """
    with _workshop(cache) as folder:
        try:
            folder.write(_SOURCE, source.encode())
        except (FileError, UnicodeEncodeError) as error:
            raise KernelError(f"the source cannot be saved: {error}") from None
        # Debug information would name the folder, and differ from build to build.
        files = (f"-fdebug-prefix-map={folder.path}=.", _SOURCE, "-o", _OUTPUT)
        command = (*compiler.command, *recipe, *files)
        try:
            done = run(command, seconds, folder.path, _environment(folder.path, cache))
        except (OSError, ValueError) as error:
            said = [escaped(getattr(error, "strerror", None) or str(error))]
            raise KernelBuildError(compiler.name, None, said) from None
        if done.status is None:
            raise KernelTimeoutError(compiler.name, seconds)
        if done.status != 0:
            raise KernelBuildError(compiler.name, done.status, _lines(done.output))
        try:
            return folder.read(_OUTPUT, MOST_BYTES)
        except FileError as error:
            said = [f"no library from it: {error.problem}", *_lines(done.output)]
            raise KernelBuildError(compiler.name, done.status, said) from None


@contextmanager
def _workshop(cache: str | None) -> Iterator[PrivateFolder]:
    """A private folder to compile in. It is where the compiler has its own temporary files too."""
    with ExitStack() as stack:
        try:
            path = new_private(cache)
            stack.callback(remove_folder, path, os.getpid())
            folder = stack.enter_context(open_private(path))
        except FileError as error:
            raise KernelError(str(error)) from None
        yield folder


def _environment(workshop: str, cache: str | None) -> dict[str, str]:
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
