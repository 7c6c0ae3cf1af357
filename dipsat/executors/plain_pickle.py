"""Reading pickled results from a file. A file from a stranger must not run code, so only values are
made: those of dipsat, and Python's own plain ones."""

from __future__ import annotations

import pickle
from collections import Counter, OrderedDict, deque
from enum import Enum
from io import BytesIO
from pathlib import Path, PosixPath, PurePosixPath, PureWindowsPath, WindowsPath
from typing import Any

_PYTHON: dict[str, Any] = {
    **{f"builtins.{kind.__name__}": kind for kind in (set, frozenset, range, complex, slice)},
    "builtins.bytearray": bytearray,
    "collections.Counter": Counter,
    "collections.OrderedDict": OrderedDict,
    "collections.deque": deque,
}
_PATHS = {kind.__name__: kind for kind in (
    Path, PosixPath, PurePosixPath, PureWindowsPath, WindowsPath
)}  # fmt: skip
_RESTORING = {
    ("dipsat.board.unit_kind", "unit_kind"),
    ("dipsat.errors.base", "_restored"),
    ("dipsat.files.named", "Files"),
}
"""What else restores a value."""
_ROOMS = {
    "board", "crosschecks", "documents", "equations", "errors", "explanations", "formats",
    "frozen", "game", "impacts", "language", "limits", "orders", "profiles", "proof", "replays",
    "scenarios", "searches", "solving", "stresstests", "terms", "theorems",
}  # fmt: skip
"""The rooms whose classes are values: to make one writes nothing and starts nothing."""


class PlainUnpickler(pickle.Unpickler):
    """An unpickler that makes values and does nothing else. Raises `UnpicklingError` for what is
    none."""

    def find_class(self, module: str, name: str) -> Any:
        """The class of a value."""
        if f"{module}.{name}" in _PYTHON:
            return _PYTHON[f"{module}.{name}"]
        if module.startswith("pathlib") and name in _PATHS:
            return _PATHS[name]
        if (module, name) == ("builtins", "getattr"):  # how Python 3.11 pickles an enumeration
            return _member
        if module.startswith("dipsat.") and "." not in name:
            found = super().find_class(module, name)
            if (module, name) in _RESTORING or _is_value(found, module):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no plain value")


def _is_value(found: object, module: str) -> bool:
    """Whether something is a class of values that a module defines, not one that it imports."""
    is_own = isinstance(found, type) and found.__module__ == module
    return is_own and module.split(".")[1] in _ROOMS


def _member(kind: object, name: object) -> Enum:
    if isinstance(kind, type) and issubclass(kind, Enum) and isinstance(name, str):
        return kind[name]
    raise pickle.UnpicklingError("an attribute of something that is no enumeration")


def plain_value(data: bytes) -> Any:
    """The value that bytes of a file stand for. Raises `UnpicklingError` if they stand for none."""
    try:
        return PlainUnpickler(BytesIO(data)).load()
    except pickle.UnpicklingError:
        raise
    except Exception as error:
        raise pickle.UnpicklingError(f"{type(error).__name__}: {error}") from None
