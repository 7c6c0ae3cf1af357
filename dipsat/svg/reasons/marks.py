"""What pictures of reasons lay over a board: numbers, and light around what is meant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import dist

from dipsat.proof.outcome import Outcome
from dipsat.svg.boards.drawing import Drawing, Look
from dipsat.svg.markup import number, quoted, width_of, words
from dipsat.svg.pictures.picture import Point


def styles_of(dark: bool) -> tuple[tuple[str, str], ...]:
    """How they look."""
    threat = "#e6e6e6" if dark else "#2b2b2b"
    return (
        (".about", "fill:none;stroke:#ffb000;stroke-opacity:.65;stroke-linecap:round"),
        (".differing", "fill:#ffb000;fill-opacity:.4;stroke:#ffb000;stroke-width:2.5"),
        (".strength rect", "fill:#fff;stroke:#1c2430;stroke-width:1.2"),
        (".strength text", "fill:#1c2430;font-weight:700;text-anchor:middle"),
        (".region", "fill:#2e9e5b;fill-opacity:.38;stroke:#1b7a42;stroke-width:1.5"),
        (".held", "fill:#2e9e5b;fill-opacity:.16;stroke:none"),
        (".broken", "fill:#d3121e;fill-opacity:.34;stroke:#d3121e;stroke-width:2.5"),
        (".threat", f"fill:none;stroke:{threat};stroke-width:1.5;stroke-dasharray:4 3"),
        (".threat-head", f"fill:{threat}"),
    )


def light(drawing: Drawing, unit: str, name: str) -> str:
    """Light around the order of a unit, and around the unit, of a class; "" if it is not there."""
    scale = drawing.scale
    line, place = drawing.line(unit), drawing.place(unit.rpartition(" ")[2])
    parts = ""
    if line is not None and line.curve is not None:
        width = number(10 * scale)
        parts += f'<path class="{name}" stroke-width="{width}" d="{line.curve.path}"/>'
    if place is not None and (line is None or not line.order.is_lost):
        x, y = place
        parts += (
            f'<circle class="{name}" stroke-width="{number(5 * scale)}" cx="{number(x)}" '
            f'cy="{number(y)}" r="{number(12.5 * scale)}"/>'
        )
    return parts


def strength(text: str, at: Point, scale: float, told: str) -> str:
    """A number in a frame, with what it is where one points at it."""
    size = 11 * scale
    width = max(width_of(text, size) * 1.08 + 7 * scale, 15 * scale)
    height = 15 * scale
    x, y = at
    return (
        f'<g class="strength" data-decision="{quoted(told)}"><title>{words(told)}</title>'
        f'<rect x="{number(x - width / 2)}" y="{number(y - height / 2)}" width="{number(width)}" '
        f'height="{number(height)}" rx="{number(height / 2)}"/>'
        f'<text x="{number(x)}" y="{number(y + 0.36 * size)}" font-size="{number(size)}">'
        f"{words(text)}</text></g>"
    )


def corners(middle: Point, away: float) -> list[Point]:
    """The points above and below a point, to the left and to the right."""
    x, y = middle
    return [(x + across * away, y + down * away) for down in (-1, 1) for across in (-1, 1)]


def free_place(drawing: Drawing, places: Iterable[Point], taken: Iterable[Point]) -> Point:
    """The place that is farthest from units, lines and what has been laid over the board."""
    lines = [line for line in drawing.lines if line.curve is not None]
    others = [line.curve.at(part / 10) for line in lines if line.curve for part in range(11)]
    others += [line.at for line in lines]
    position = drawing.scene.position
    units = () if position is None else position.units
    others += [place for unit in units if (place := drawing.place(unit.location)) is not None]
    shapes = drawing.picture.shapes.values()
    labels = [shape.place.label for shape in shapes if shape.place.label is not None]
    others += [(x + side * 9 * drawing.scale, y) for x, y in labels for side in (-1, 0, 1)]
    others += taken
    return max(places, key=lambda place: min((dist(place, one) for one in others), default=0.0))


def points_of(drawing: Drawing, units: set[str]) -> list[Point]:
    """Where some units stand, and where their orders lead."""
    found = []
    for unit in units:
        place = drawing.place(unit.rpartition(" ")[2])
        found += [place] if place is not None else []
    for line in drawing.lines:
        if line.order.unit in units and line.curve is not None:
            found += (line.curve.start, line.curve.at(0.5), line.curve.end)
    return found


def look_of(dark: bool, focus: frozenset[str] | None = None) -> Look:
    """How the boards of these pictures look."""
    return Look(dark=dark, focus=focus)


def is_number(outcome: Outcome, decision: str) -> bool:
    """Whether a decision is a strength rather than a truth value."""
    family = outcome.profile.decisions.get(decision.partition("(")[0])
    return family is not None and not family.type.is_truth


# --- inks -----------------------------------------------------------------------------------------

# The colours of pictures that show reasons rather than a board.


@dataclass(frozen=True, slots=True)
class Inks:
    """Colours by what they say; no meaning rests on a colour alone."""

    paper: str
    text: str
    faint: str
    """What is not the point."""
    line: str
    box: str
    bad: str
    """What fails, hinders or turns values around."""
    true: str
    """The ground of a truth value that is true."""
    false: str
    number: str


_LIGHT = Inks(
    paper="#ffffff", text="#1c2430", faint="#67717f", line="#4a5563", box="#f7f8fa",
    bad="#b3261e", true="#cfe8d2", false="#f3d3cf", number="#dbe4f3",
)  # fmt: skip
_DARK = Inks(
    paper="#15191f", text="#e8ecf1", faint="#98a3b1", line="#a9b4c2", box="#222934",
    bad="#ff8a7d", true="#23512f", false="#5f2a27", number="#2b3c59",
)  # fmt: skip


def inks_of(dark: bool) -> Inks:
    """The colours for a light or a dark page."""
    return _DARK if dark else _LIGHT
