"""What a map says besides its borders: lines such as railways, and features of borders and
provinces."""

from __future__ import annotations

from collections.abc import Iterator

from dipsat.board.map import Map
from dipsat.kept import kept_on_first
from dipsat.svg.boards.glyphs import placed
from dipsat.svg.boards.ground import line_path
from dipsat.svg.boards.order_lines import Places
from dipsat.svg.markup import quoted, words
from dipsat.svg.pictures.picture import Picture, Point

_MARK = '<path d="M0-6.4L6.4 0 0 6.4-6.4 0z"/>'
_PATTERNS = 3  # of features of borders, which differ in their dashes


@kept_on_first()
def features(picture: Picture, board: Map) -> str:
    """The lines and features of a map, each with its name where one points at it."""
    return "\n".join((*_lines(picture, board), *_borders(picture, board), *_marks(picture, board)))


def _lines(picture: Picture, board: Map) -> Iterator[str]:
    """Railways and the like: a dark line with light ties, through the middles of provinces."""
    for line in board.lines.values():
        points = [
            picture.shapes[code].place.unit for code in line.provinces if code in picture.shapes
        ]
        path = f'd="{line_path(points)}"'
        yield _named(
            f'<path class="rail" {path}/><path class="ties" {path}/>',
            line.name,
            f' data-line="{quoted(line.name)}"',
        )


def _borders(picture: Picture, board: Map) -> Iterator[str]:
    """Features of borders, along what the provinces share, else between their middles."""
    shared = _shared(picture)
    links = {frozenset((one, other)): line for one, other, line in picture.links}
    for at, (name, pairs) in enumerate(board.border_features.items()):
        for pair in sorted(map(sorted, pairs)):
            if len(pair) != 2 or not picture.shapes.keys() >= set(pair):
                continue
            arcs = shared.get(frozenset(pair), [])
            middles = [picture.shapes[code].place.unit for code in pair]
            lines = arcs or picture.strokes(links.get(frozenset(pair), middles))
            path = "".join(map(line_path, lines))
            names = f"feature f{at % _PATTERNS}" + ("" if arcs else " apart")
            title = f"{name}: {'-'.join(pair)}"
            data = f' data-feature="{quoted(name)}"'
            yield _named(f'<path class="{names}" d="{path}"/>', title, data)


def _marks(picture: Picture, board: Map) -> Iterator[str]:
    """A diamond in provinces with features, around the place of the centre."""
    for code, province in board.provinces.items():
        if province.features and code in picture.shapes:
            names = sorted(province.features)
            title = words(f"{code}: {', '.join(names)}")
            data = f' data-features="{quoted(" ".join(names))}"'
            centre = Places(picture).centre(code)
            if centre is not None:
                markup = f"<title>{title}</title>{_MARK}"
                yield placed(markup, centre, picture.scale, "mark", data)


@kept_on_first()
def _shared(picture: Picture) -> dict[frozenset[str], list[tuple[Point, ...]]]:
    """Two provinces -> the arcs that they share."""
    beside: dict[int, list[str]] = {}
    for code, shape in picture.shapes.items():
        for ring in shape.rings:
            for index in ring:
                beside.setdefault(max(index, ~index), []).append(code)
    found: dict[frozenset[str], list[tuple[Point, ...]]] = {}
    for index, codes in beside.items():
        if len(set(codes)) == 2:
            found.setdefault(frozenset(codes), []).append(picture.arcs[index])
    return found


def _named(markup: str, title: str, data: str) -> str:
    return f"<g{data}><title>{words(title)}</title>{markup}</g>"
