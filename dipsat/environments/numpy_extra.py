"""The packages of the extra `environments`, which dipsat does without until somebody uses them."""

from __future__ import annotations

from importlib.util import find_spec

from dipsat.errors import ExtraError

try:
    import numpy as numpy
except ImportError:  # `need` says so
    numpy = None


def need(*packages: str) -> None:
    """Raise `ExtraError` if one of the packages is not installed."""
    lacking = [name for name in packages if find_spec(name) is None]
    if lacking:
        raise ExtraError("environments", lacking)
