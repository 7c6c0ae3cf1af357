"""What lies under the units of a board: provinces as paths, blank land, links and names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dipsat.board.map import Map
from dipsat.kept import kept_on_first
from dipsat.svg.boards.curves import spot
from dipsat.svg.markup import element, number, quoted, width_of, words
from dipsat.svg.pictures.picture import Picture, Point, Ring, Window

_BEYOND = 8.0
"""The size of the names of provinces beyond an edge."""


@kept_on_first()
def province_paths(picture: Picture) -> Mapping[str, str]:
    """Code -> the `d` of the path around a province."""
    return {code: path_of(picture, shape.rings) for code, shape in picture.shapes.items()}


@kept_on_first()
def province_parts(picture: Picture, board: Map) -> tuple[tuple[str, str, str], ...]:
    """For each province: its code, the classes of its path, and the path after these."""
    return tuple(
        (
            code,
            "sea" if board.provinces[code].kind == "sea" else "land",
            f' data-province="{quoted(code)}" d="{path}">'
            f"<title>{words(board.provinces[code].name)}</title></path>",
        )
        for code, path in province_paths(picture).items()
    )


def codes_within(picture: Picture, window: Window) -> frozenset[str]:
    """The provinces that a window may show, whole or in part."""
    left, top, wide, high = window
    return frozenset(
        code
        for code, (start, end) in _boxes(picture).items()
        if start[0] < left + wide and end[0] > left and start[1] < top + high and end[1] > top
    )


@kept_on_first()
def _boxes(picture: Picture) -> Mapping[str, tuple[Point, Point]]:
    """The corners of each province."""
    found = {}
    for code, shape in picture.shapes.items():
        points = [one for ring in shape.rings for one in picture.outline(ring)]
        across, down = zip(*points, strict=True)
        found[code] = (min(across), min(down)), (max(across), max(down))
    return found


def path_of(picture: Picture, rings: Iterable[Ring]) -> str:
    """The `d` of the path along outlines, in short steps from point to point."""
    return "".join(_outline(picture.outline(ring)) for ring in rings)


def line_path(points: Sequence[Point]) -> str:
    """The `d` of the path along a line."""
    return "M" + "L".join(map(spot, points)) if points else ""


def _outline(points: Sequence[Point]) -> str:
    grain = [(round(x * 10), round(y * 10)) for x, y in points]
    parts = [f"M{grain[0][0] / 10:g} {grain[0][1] / 10:g}l"]
    x, y = grain[0]
    for one, two in grain[1:]:
        parts.append(f"{_step(one - x)} {_step(two - y)} ")
        x, y = one, two
    return "".join(parts).rstrip() + "z"


def _step(tenths: int) -> str:
    """Tenths as a short number."""
    return f"{tenths / 10:g}".replace("0.", ".", 1) if -10 < tenths < 10 else f"{tenths / 10:g}"


@kept_on_first()
def ground(picture: Picture) -> str:
    """What lies on the provinces whatever happens: blank land, links and lines to names."""
    parts = []
    if picture.blank:
        parts.append(element("path", class_="blank", d=path_of(picture, picture.blank)))
    for one, other, line in picture.links:
        path = "".join(map(line_path, picture.strokes(line)))
        name = f"{one}-{other}"
        parts.append(
            f'<path class="link" data-link="{quoted(name)}" d="{path}">'
            f"<title>{words(name)}</title></path>"
        )
    for shape in picture.shapes.values():
        if shape.leader:
            points = " ".join(map(spot, shape.leader))
            parts.append(element("polyline", class_="leader", points=points))
    return "\n".join(parts)


@kept_on_first()
def names(picture: Picture, board: Map) -> str:
    """The codes of the provinces, and of their coasts where these have places of their own."""
    parts = []
    for code, shape in picture.shapes.items():
        size = 10 * picture.scale * shape.size
        kind = " at-sea" if board.provinces[code].kind == "sea" else ""
        texts = [(code, label) for label in (shape.place.label, *shape.again)]
        texts += [(f"{code}/{coast}", place.label) for coast, place in shape.coasts.items()]
        parts += [_name(text, at, size, kind) for text, at in texts if at is not None]
    parts += [_name(text, at, _BEYOND * picture.scale) for text, at in _beyond(picture)]
    return "\n".join(parts)


def _name(text: str, at: Point, size: float, kind: str = "") -> str:
    return (
        f'<text class="name{kind}" x="{number(at[0])}" y="{number(at[1] + 0.35 * size)}" '
        f'font-size="{number(size)}">{words(text)}</text>'
    )


def _beyond(picture: Picture) -> Iterator[tuple[str, Point]]:
    """Where links leave at an edge: the code of the province that they lead to, and the middle of
    its name."""
    size = _BEYOND * picture.scale
    for one, other, line in picture.links:
        strokes = picture.strokes(line)
        if len(strokes) == 2:
            for code, (x, y) in ((other, strokes[0][-1]), (one, strokes[1][0])):
                inwards = 0.6 * width_of(code, size) * (1 if x < picture.width / 2 else -1)
                yield code, (x + inwards, y - 0.8 * size)
