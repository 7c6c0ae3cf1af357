"""Packages that only some extras install, and skipping the tests that need them."""

from __future__ import annotations

from typing import Any

import pytest

from dipsat.errors import FileError
from dipsat.formats import zstd


def needed_pyarrow() -> Any:
    """Pyarrow with its Parquet; without it, the test is skipped."""
    pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
    return pytest.importorskip("pyarrow")


def needed_zstd() -> Any:
    """Python's module of Zstandard; without it, the test is skipped."""
    try:
        return zstd("")
    except FileError:
        pytest.skip("the extra zstd is not installed")
