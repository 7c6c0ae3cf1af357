"""What extends the core: other judges, and pictures for notebooks.

Extensions lie above the core, which imports none of them: they register here by name, and are
loaded when the core first asks for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

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
    """A thing that a function of `dipsat.svg` draws."""

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
