"""Running a library that was built with sanitizers, in a Python that was not."""

from __future__ import annotations

import os

from dipsat.children import run
from dipsat.errors import FileError, KernelError
from dipsat.files.reading import open_file, read_bytes
from dipsat.kernel.compilers import Compiler

_PATIENCE = 10.0  # seconds for a compiler to name a file
_RUNTIMES = ("libasan.so", "libclang_rt.asan-x86_64.so", "libclang_rt.asan-aarch64.so")
_ELF = b"\x7fELF"


def sanitizer_environment(compiler: Compiler) -> dict[str, str]:
    """Return the environment variables for a child process, a Python that loads libraries built
    with `sanitize`: the first fault that the sanitizers find ends it with a report.

    Raises `KernelError` if this compiler has no shared AddressSanitizer for Linux.
    """
    for name in _RUNTIMES:
        if path := _path_of(name, compiler):
            return {
                "LD_PRELOAD": path,  # AddressSanitizer has to come before all other libraries
                "ASAN_OPTIONS": "detect_leaks=0",  # Python frees little when it ends
                "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
                "PYTHONMALLOC": "malloc",  # else several arrays of Python share one block
            }
    raise KernelError(f"{compiler.name} has no AddressSanitizer that can be loaded beforehand")


def _path_of(name: str, compiler: Compiler) -> str | None:
    """The file of a library that comes with a compiler; None if there is none."""
    try:
        done = run((*compiler.command, f"-print-file-name={name}"), _PATIENCE)
        path = os.path.realpath(done.output.decode("utf-8", "replace").strip())
        is_library = read_bytes(open_file(path), len(_ELF), path) == _ELF  # not a linker's script
    except (OSError, ValueError, FileError):
        return None
    return path if is_library and done.status == 0 else None
