"""Packages of extras, and fonts: tests that need them are skipped on machines without them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

from dipsat.draw.png import _writes
from dipsat.errors import FileError
from dipsat.formats import zstd


def needed_pyarrow() -> Any:
    """Pyarrow with Parquet; without it, the test is skipped."""
    pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
    return pytest.importorskip("pyarrow")


def needed_zstd() -> Any:
    """Python's module of Zstandard; without it, the test is skipped."""
    try:
        return zstd("")
    except FileError:
        pytest.skip("the extra zstd is not installed")


needs_font = pytest.mark.skipif(
    find_spec("resvg_py") is not None and not _writes(()),
    reason="no font is installed, so resvg draws no names",
)
