"""What is loaded when it is first asked for: public names, and what extends the core.

Extensions, such as other judges and pictures for notebooks, lie above the core, which imports none
of them: they register here by name. A public name is imported from its module when it is first
used. Public functions check their arguments (`dipsat.base.arguments`); functions that dipsat's own
modules import from each other do not.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from types import FunctionType
from typing import Any, ClassVar

from dipsat.base.arguments import checked
from dipsat.errors import DipsatError

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


class Drawn:
    """A thing that a function of `dipsat.draw` draws."""

    __slots__ = ()
    _drawn_by: ClassVar[str] = "board"
    """The name of the function."""

    def _repr_svg_(self) -> str | None:
        try:
            found: str = getattr(extension(PICTURES), self._drawn_by)(self)
        except DipsatError:  # a map without a picture, or no cycle; notebooks show the text
            return None
        return found

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What notebooks show: the picture, and below it the table of a thing that has one, since
        they prefer HTML to SVG."""
        picture, table = self._repr_svg_(), getattr(self, "_repr_html_", None)
        if picture is None:
            return {}
        if table is None:
            return {"image/svg+xml": picture}
        return {"image/svg+xml": picture, "text/html": f"<div>{picture}</div>{table()}"}


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
