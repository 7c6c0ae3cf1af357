"""C compilers that are little shell scripts, and what they do."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from dipsat.kernel.library_cache import Compiler, Library, build

SOURCE = "a source text"
COPIES = "cp kernel.c kernel.so"
"""The library is the source text."""


def script(folder: Path, name: str, does: str = COPIES, says: str = 'echo "fake 1.0"') -> Path:
    """A program that answers `--version`, and otherwise writes a line to `calls` and does
    something."""
    path = folder / name
    text = f'#!/bin/sh\ncase "$*" in *--version) {says}; exit $?;; esac\necho x >> {folder}/calls\n'
    path.write_text(f"{text}{does}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def fake(folder: Path, does: str = COPIES, version: str = "fake 1.0") -> Compiler:
    """A compiler that does something in place of compiling."""
    return Compiler((str(script(folder, "fakecc", does)),), version)


def calls(folder: Path) -> int:
    """How often the compilers of a folder have compiled."""
    path = folder / "calls"
    return len(path.read_text(encoding="utf-8").split()) if path.exists() else 0


def build_here(folder: Path, source: str = SOURCE) -> Library:
    return build(source, (), fake(folder), folder / "cache")


def content(library: Library) -> str:
    """The content of a library that is what it should be."""
    data = library.path.read_bytes()
    assert library.path.stem.endswith(f"-{sha256(data).hexdigest()}")
    return data.decode()
