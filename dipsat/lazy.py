"""The public names of a package, each imported from its module when it is first used.

Public functions check their arguments (`dipsat.errors.base`). Functions that dipsat's own
modules import from each other do not.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from types import FunctionType
from typing import Any

from dipsat.errors.base import checked

Face = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]


def public(package: str) -> Face:
    """Return the `__getattr__`, `__dir__` and `__all__` of a package that is being imported. It has
    a stub, in which type checkers read what is public, and so does Python.

    Once used, a name is an attribute of the package.
    """
    here = sys.modules[package]
    space = vars(here)
    stub = ast.parse(space["__loader__"].get_data(f"{space['__file__']}i"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    found = {name.name: str(node.module) for node in imports for name in node.names}

    def get(name: str) -> Any:
        if name not in found:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        place = import_module(found[name])
        value: Any = import_module(f"{package}.{name}") if place is here else getattr(place, name)
        if isinstance(value, FunctionType) or hasattr(value, "cache_info"):
            value = checked(value, f"{package}.{name}")
            value.__module__, value.__qualname__ = package, name  # it is pickled by these
        space[name] = value
        return value

    names = sorted({name for name in found if name[:2] != "__"})
    return get, lambda: sorted({*names, *(name for name in space if name[:2] == "__")}), names
