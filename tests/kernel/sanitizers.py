"""Checking compiled code with AddressSanitizer and UndefinedBehaviorSanitizer, by gcc or clang."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SANITIZED = ("-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-g")
"""The flags with which a compiler adds the checks."""
_RUNTIMES = ("libasan.so", "libclang_rt.asan-x86_64.so", "libclang_rt.asan-aarch64.so")
_ELF = b"\x7fELF"


def sanitizer_environment(compiler: tuple[str, ...]) -> dict[str, str]:
    """The environment variables for a child process: a Python built without the checks, which loads
    libraries that have them. The first fault ends it with a report. Skips the test if this compiler
    has no shared AddressSanitizer for Linux."""
    for name in _RUNTIMES:
        done = subprocess.run(
            [*compiler, f"-print-file-name={name}"], capture_output=True, check=False
        )
        path = Path(os.path.realpath(done.stdout.decode("utf-8", "replace").strip()))
        if path.is_file() and path.read_bytes()[: len(_ELF)] == _ELF:  # not a linker's script
            return {
                "LD_PRELOAD": str(path),  # AddressSanitizer has to come before all other libraries
                "ASAN_OPTIONS": "detect_leaks=0",  # Python frees little memory when it ends
                "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
                "PYTHONMALLOC": "malloc",  # otherwise several arrays of Python share one block
            }
    pytest.skip("no AddressSanitizer that can be loaded beforehand")
