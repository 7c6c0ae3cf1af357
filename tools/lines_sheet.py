"""The lines with the fewest units of a map in one picture: a small board for each number of
centres. All boards share their outlines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dipsat.draw import Svg, picture_for
from dipsat.draw.markup import FONT, element, quoted, words
from dipsat.searches import StalemateLine
from tools.contact_sheet import GRAIN, LINKS, Thin
from tools.line_board import held_by, style_of, units_of

_COLUMNS, _WIDTH, _TITLE, _MARGIN = 3, 330, 24, 8
_UNIT, _CENTER = 6, 1.25  # pixels
_SEA, _LAND, _UNITS = "#a3cfa6", "#c4e0a6", "#24692c"  # of a line
_STYLE = (
    f"{style_of(_UNIT)}.title{{font-size:13px;font-weight:600;fill:#1c2430}}.sea{{fill-opacity:1}}"
    f"{LINKS}"
    f".held .sea{{fill:{_SEA}}}.held .land{{fill:{_LAND}}}"
    ".sea,.land,.blank,.center{stroke-width:2}.support{stroke-width:7}"
)


def lines_sheet(lines: Mapping[str, StalemateLine]) -> Svg:
    """The sheet of these lines of one map, each with its title."""
    first = next(iter(lines.values()))
    picture = picture_for(first.map)
    across = _WIDTH - 2 * _MARGIN
    high = round(across * picture.height / picture.width) + _TITLE + 2 * _MARGIN
    thin = Thin(picture, 0, (_WIDTH, high), title=_TITLE)
    width, height = _COLUMNS * _WIDTH, -(-len(lines) // _COLUMNS) * high
    cells = []
    for at, (title, line) in enumerate(lines.items()):
        x, y = _WIDTH * (at % _COLUMNS), high * (at // _COLUMNS)
        cells.append(element("g", *_cell(title, line, thin), transform=f"translate({x} {y})"))
    said = f"The lines with the fewest units on the map {first.map.title or first.map.name}"
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="{quoted(FONT)}" role="img"><title>{words(said)}</title>'
        f'<style>{_STYLE}</style><rect class="paper" width="{width}" height="{height}"/>\n'
        + element("defs", *thin.outlines(), *_shared(first, thin))
        + "\n"
        + "\n".join(cells)
        + "\n</svg>\n"
    )


def _shared(line: StalemateLine, thin: Thin) -> Iterator[str]:
    """The parts that all boards share: their provinces and their centres."""
    right, bottom = thin.at((thin.picture.width, thin.picture.height))
    parts = [element("rect", class_="back", width=right, height=bottom)]
    parts += _provinces(line, line.map.provinces, thin)
    if thin.picture.blank:
        parts.append(element("g", _use(thin.name("")), class_="blank"))
    parts += thin.links()
    yield element("g", *parts, id="board")
    yield element("g", *thin.centers(line.map, _CENTER), id="centers", class_="center")


def _cell(title: str, line: StalemateLine, thin: Thin) -> Iterator[str]:
    """A line with its title."""
    yield element("text", words(title), class_="title", x=_MARGIN, y=17)
    held = element("g", *_provinces(line, sorted(held_by(line)), thin), class_="held")
    units = units_of(line, thin, _UNITS, _UNIT)
    place = f"translate({thin.left:.1f} {_TITLE}) scale({1 / GRAIN:g})"
    yield element("g", _use("board"), held, _use("centers"), *units, transform=place)


def _provinces(line: StalemateLine, codes: Iterable[str], thin: Thin) -> Iterator[str]:
    """These provinces: the seas, then land over them."""
    found: dict[str, list[str]] = {"sea": [], "land": []}
    for code in codes:
        if code in thin.picture.shapes:
            kind = "sea" if line.map.provinces[code].kind == "sea" else "land"
            found[kind].append(_use(thin.name(code)))
    for kind, shapes in found.items():
        yield element("g", *shapes, class_=kind)


def _use(name: str) -> str:
    return element("use", href=f"#{name}")
