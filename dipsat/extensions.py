"""What extends the core: other judges, and pictures for notebooks.

Extensions lie above the core, which imports none of them: they register here by name, and are
loaded when the core first asks for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

ENGINES, PICTURES = "engines", "pictures"
SOLVER = "solver"
"""The name of the core's own engine, which proves its answers."""

_REGISTERED: dict[str, Callable[[], Any]] = {}


def register(name: str, load: Callable[[], Any]) -> None:
    """Let `load` give the extension with this name."""
    _REGISTERED[name] = load


def extension(name: str) -> Any:
    """The extension with this name. Raises `KeyError` if none has registered."""
    return _REGISTERED[name]()
