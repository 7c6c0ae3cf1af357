"""Loading on first use: public names, and extensions of the core.

Extensions, such as other judges and pictures for notebooks, are above the core, which never imports
them. They register here by name. A public name is imported from its module when it is first used.
Public functions check their arguments (`dipsat.base.arguments`); functions that dipsat's modules
import from each other do not.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from types import FunctionType
from typing import Any, ClassVar

from dipsat.base.arguments import checked
from dipsat.errors import DipsatError

ANSWERS, ENGINES, PICTURES = "answers", "engines", "pictures"
SOLVER = "solver"
"""The name of the core's own engine, which proves its answers."""

_REGISTERED: dict[str, Callable[[], Any]] = {}


def register(name: str, load: Callable[[], Any]) -> None:
    """Register `load`, which returns the extension with this name."""
    _REGISTERED[name] = load


def extension(name: str) -> Any:
    """The extension with this name. Raises `KeyError` if none is registered."""
    return _REGISTERED[name]()


class Drawn:
    """An object that a function of `dipsat.draw` draws."""

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
        """The output for notebooks: the picture, with the table below it if there is one. Both are
        then one HTML text, because notebooks prefer HTML to SVG."""
        picture, table = self._repr_svg_(), getattr(self, "_repr_html_", None)
        if picture is None:
            return {}
        if table is None:
            return {"image/svg+xml": picture}
        return {"image/svg+xml": picture, "text/html": f"<div>{picture}</div>{table()}"}


# --- faces ----------------------------------------------------------------------------------------


Face = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]

_IMPORT = re.compile(r"^from (\S+) import (\([^)]*\)|.*)$", re.MULTILINE)
_NAME = re.compile(r" as (\w+)")


def face(package: str, prepared: Callable[[str, Any], Any] | None = None) -> Face:
    """Return the `__getattr__`, `__dir__` and `__all__` of a package that is being imported. Its
    stub lists the names of its face, for type checkers and for Python. Names above `__all__` in the
    stub are for users, the rest for other rooms. If there are none above, all are listed.

    After its first use, a name is an attribute of the package: the imported object, or for users
    the one that `prepared` makes from it.
    """
    space = vars(sys.modules[package])
    stub = space["__loader__"].get_data(f"{space['__file__']}i").decode()
    above, _, below = stub.partition("__all__: list[str]\n")
    listed, others = _names_in(above), _names_in(below)
    found = {**others, **listed}

    def get(name: str) -> Any:
        if name not in found:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        place = found[name]
        own = f"{package}.{name}"  # if it is a module beside the face
        value = import_module(own) if place == package else getattr(import_module(place), name)
        space[name] = prepared(name, value) if prepared and name in listed else value
        return space[name]

    names = sorted(name for name in listed or others if name[:2] != "__")
    return get, lambda: sorted({*names, *(name for name in space if name[:2] == "__")}), names


def _names_in(stub: str) -> dict[str, str]:
    """Name that a part of a stub imports -> its module."""
    return {
        name: module for module, names in _IMPORT.findall(stub) for name in _NAME.findall(names)
    }


def public(package: str) -> Face:
    """The face of a public package: its functions check their arguments."""

    def prepared(name: str, value: Any) -> Any:
        if isinstance(value, FunctionType) or hasattr(value, "cache_info"):
            value = checked(value, f"{package}.{name}")
            value.__module__, value.__qualname__ = package, name  # pickle needs these names
        return value

    return face(package, prepared)
