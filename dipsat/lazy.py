"""The public names of a package, each imported from its module when it is first used.

Public functions check their arguments (`dipsat.errors.arguments`). Functions that dipsat's own
modules import from each other do not.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import FunctionType
from typing import Any

from dipsat.errors.arguments import checked

Face = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]


def public(package: str, places: Mapping[str, str], *modules: str) -> Face:
    """Return the `__getattr__`, `__dir__` and `__all__` of a package.

    `places` maps a module (without `dipsat.`) to its public names, separated by blanks. Once used,
    a name is an attribute of the package. `modules` are public modules in it.
    """
    found = {name: f"dipsat.{place}" for place, names in places.items() for name in names.split()}
    space = vars(sys.modules[package])

    def get(name: str) -> Any:
        if name not in found:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(found[name]), name)
        if isinstance(value, FunctionType) or hasattr(value, "cache_info"):
            value = checked(value, f"{package}.{name}")
            value.__module__, value.__qualname__ = package, name  # it is pickled by these
        space[name] = value
        return value

    names = sorted({*found, *modules})
    return get, lambda: sorted({*names, *(name for name in space if name[:2] == "__")}), names
