"""What a map file says about the picture of its map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dipsat.board.faults import Faults
from dipsat.board.province import Province
from dipsat.brief import brief
from dipsat.documents import Node

_KEYS = ("like", "places")
_PLACE_KEYS = ("unit", "dislodged", "name", "center")
_FARTHEST = 100_000  # units of a picture


@brief()
@dataclass(frozen=True, slots=True)
class OwnPicture:
    """What a map says about its picture."""

    like: str = ""
    """The shipped map in whose shape it is drawn, "" for the shape that follows from its
    borders."""
    places: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)
    """Province or coast -> where its `unit`, a `dislodged` one, its `name` and its `center` stand,
    to the right and down from the corner of the picture."""


def read_own_picture(
    node: Node | None, provinces: Mapping[str, Province], faults: Faults
) -> OwnPicture:
    """What the key `picture` of a map says; notes what is wrong. Raises `DocumentError`."""
    if node is None:
        return OwnPicture()
    top = node.mapping(_KEYS, "picture")
    places: dict[str, Mapping[str, tuple[float, float]]] = {}
    if "places" in top:
        known = {place for one in provinces.values() for place in (one.code, *one.locations)}
        for location, entry in top["places"].mapping(None, "places").items():
            if location not in known:
                problem = f"{location} is no province and no coast of the map"
                faults.add_at_key(top["places"], location, problem)
                continue
            points = entry.mapping(_PLACE_KEYS, "a place")
            places[location] = {key: _point(one, faults) for key, one in points.items()}
    return OwnPicture(top["like"].text("like") if "like" in top else "", places)


def _point(node: Node, faults: Faults) -> tuple[float, float]:
    numbers = [one.value for one in node.sequence("a point")]
    match numbers:
        case [int() | float() as x, int() | float() as y] if _is_near(x) and _is_near(y):
            return float(x), float(y)
    faults.add(node, f"a point is [x, y], two numbers from 0 to {_FARTHEST:,}")
    return 0.0, 0.0


def _is_near(number: float) -> bool:
    return not isinstance(number, bool) and 0 <= number <= _FARTHEST
