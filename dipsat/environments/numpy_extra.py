"""The packages of the extra `environments`, which dipsat does without until somebody uses them."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from dipsat.errors import ExtraError

numpy: Any = import_module("numpy") if find_spec("numpy") else None
"""The package; None without it, as `need` says."""


def need(*packages: str) -> None:
    """Raise `ExtraError` if one of the packages is not installed."""
    lacking = [name for name in packages if find_spec(name) is None]
    if lacking:
        raise ExtraError("environments", lacking)
