"""What a map file says about the picture of its map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dipsat.board.faults import Faults
from dipsat.board.province import Province
from dipsat.brief import brief
from dipsat.documents import Node
from dipsat.files.named import ANYWHERE, Files
from dipsat.limits import allowed_files

_SHAPES = ("like", "file", "svg")
_KEYS = (*_SHAPES, "places")
_PLACE_KEYS = ("unit", "dislodged", "name", "center")
_FARTHEST = 100_000  # units of a picture


@brief()
@dataclass(frozen=True, slots=True)
class OwnPicture:
    """What a map says about its picture. At most one of `like`, `file` and `svg` is not ""; without
    any, the shapes follow from the borders."""

    like: str = ""
    """The shipped map in whose shape it is drawn."""
    places: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)
    """Province or coast -> where its `unit`, a `dislodged` one, its `name` and its `center` stand,
    to the right and down from the corner of the picture; with `svg`, in the coordinates of that
    file."""
    file: str = ""
    """The path of the file with its picture, which `dipsat maps draw` writes."""
    svg: str = ""
    """The path of the SVG file with its shapes."""
    files: Files = field(default=ANYWHERE, compare=False, repr=False)
    """Which files `file` and `svg` may stand for."""
    place: tuple[str, int, int] = field(default=("", 1, 1), compare=False, repr=False)
    """The path, the line and the column at which the map says whose shapes it has."""


def read_own_picture(
    node: Node | None, provinces: Mapping[str, Province], faults: Faults
) -> OwnPicture:
    """What the key `picture` of a map says; notes what is wrong. The files that it names are not
    read. Raises `DocumentError`."""
    if node is None:
        return OwnPicture()
    top = node.mapping(_KEYS, "picture")
    stated = [key for key in _SHAPES if key in top]
    if len(stated) > 1:
        problem = f"a picture has its shapes from {' or '.join(stated)}, not from both"
        faults.add(top[stated[-1]], f"{problem}; `{stated[0]}: ~` removes what another map says")
    lowest = -_FARTHEST if "svg" in top else 0
    places: dict[str, Mapping[str, tuple[float, float]]] = {}
    if "places" in top:
        known = {place for one in provinces.values() for place in (one.code, *one.locations)}
        for location, entry in top["places"].mapping(None, "places").items():
            if location not in known:
                problem = f"{location} is no province and no coast of the map"
                faults.add_at_key(top["places"], location, problem)
                continue
            points = entry.mapping(_PLACE_KEYS, "a place")
            places[location] = {key: _point(one, lowest, faults) for key, one in points.items()}
    shown = top[stated[0]] if stated else node
    return OwnPicture(
        top["like"].text("like") if "like" in top else "",
        places,
        _path(top.get("file"), "file"),
        _path(top.get("svg"), "svg"),
        allowed_files(),
        (shown.path, shown.line, shown.column),
    )


def _path(node: Node | None, key: str) -> str:
    """The path of a file that is named in relation to the map file; "" for none."""
    if node is None:
        return ""
    name = node.text(key)
    if not name.strip():
        node.fail(f"{key} should be the path of a file")
    return str(Path(node.path).parent / name)


def _point(node: Node, lowest: float, faults: Faults) -> tuple[float, float]:
    numbers = [one.value for one in node.sequence("a point")]
    match numbers:
        case [int() | float() as x, int() | float() as y] if all(
            not isinstance(one, bool) and lowest <= one <= _FARTHEST for one in (x, y)
        ):
            return float(x), float(y)
    faults.add(node, f"a point is [x, y], two numbers from {lowest:,} to {_FARTHEST:,}")
    return 0.0, 0.0
