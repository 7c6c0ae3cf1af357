"""Noting faults and going on, so that a profile's problems are reported all at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

_T = TypeVar("_T")


class Try(Protocol):
    """Calls a function, and gives None after noting its fault."""

    def __call__(self, action: Callable[..., _T], *args: object) -> _T | None:
        """The result of `action(*args)`."""
