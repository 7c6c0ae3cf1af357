"""Zstandard, which Python has from 3.14 on; the extra `zstd` brings it to older ones."""

from __future__ import annotations

import sys
from typing import Any

from dipsat.errors import FileError

EXTRA = "pip install 'dipsat[zstd]'"


def zstd(shown: str) -> Any:
    """The module of Python's library, or the same by its other name. Raises `FileError` about the
    file `shown` if there is neither."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd as found
        else:
            from backports import zstd as found
    except ImportError:
        raise FileError(shown, f"Zstandard needs the package backports.zstd: {EXTRA}") from None
    return found
