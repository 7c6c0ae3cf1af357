"""How boards look: the rules of their style sheet, with plain colours, since not every renderer
knows variables.

The rules of a board begin with a class of their own, so that several boards in one page do not
disturb each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

from dipsat.svg.boards.colors import is_light, mixed

Rules = tuple[tuple[str, str], ...]
"""Selectors, separated by commas -> what they set."""

_TINT = 0.46  # of the owner's colour in its provinces
_INK = 0.72  # of a light colour in lines on a light board; the rest is black


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a board besides those of powers."""

    sea: str
    shore: str
    """Borders at sea."""
    land: str
    border: str
    blank: str
    """Land that belongs to no province."""
    name: str
    """Names of provinces."""
    sea_name: str
    halo: str
    """The light around lines and names."""
    edge: str
    """Outlines of units."""
    bad: str
    cut: str
    broken: str
    good: str
    void: str
    accent: str
    """What is highlighted."""
    paper: str
    """Supply centres."""
    cross: str
    """The cross over a unit that leaves the board."""


LIGHT = Palette(
    "#cfe2ee", "#8fb3c8", "#f4ecd8", "#7a6f5d", "#ddd6c6", "#3d3629", "#41718f", "#ffffff",
    "#1c1c1c", "#d3121e", "#c76a00", "#7a1fa2", "#0b7d6d", "#6a6a6a", "#ff8a00", "#ffffff",
    "#1c1c1c",
)  # fmt: skip
DARK = Palette(
    "#152636", "#37566e", "#3b3a35", "#8f897c", "#2a2a29", "#ddd6c6", "#8ab4d2", "#0d1216",
    "#050505", "#ff4d57", "#ff9d2e", "#c873f0", "#2cc4ae", "#a9a9a9", "#ffb347", "#d9d2c2",
    "#ffffff",
)  # fmt: skip


@lru_cache(maxsize=64)
def style_of(colors: tuple[str, ...], dark: bool | None, scale: float) -> tuple[str, str]:
    """The style sheet of boards with these colours of powers, in their order, and the class that
    all its rules begin with. `dark` is as for `board`."""
    both = [_rules(colors, LIGHT, False, scale), _rules(colors, DARK, True, scale)]
    first, other = both if not dark else both[::-1]
    scope = f"b{crc32(repr((first, dark)).encode()):08x}"
    text = scoped(scope, first)
    if dark is None:
        changed = tuple(rule for rule in other if rule not in first)
        text += f"@media (prefers-color-scheme:dark){{{scoped(scope, changed)}}}"
    return text, scope


def scoped(scope: str, rules: Iterable[tuple[str, str]]) -> str:
    """The text of rules for what is in an element of a class, or for that element itself where a
    selector is empty."""
    return "".join(
        ",".join(f".{scope} {one}" if one else f".{scope}" for one in selectors.split(","))
        + f"{{{body}}}"
        for selectors, body in rules
    )


def _rules(colors: Sequence[str], look: Palette, is_dark: bool, scale: float) -> Rules:
    return (
        *_ground(look, scale),
        *_powers(colors, look, is_dark),
        *_lines(look, scale),
        *_things(look),
    )


def _powers(colors: Sequence[str], look: Palette, is_dark: bool) -> Iterable[tuple[str, str]]:
    for at, color in enumerate(colors):
        shown = mixed(color, "#ffffff", 0.82) if is_dark else color
        yield f".p{at}", f"color:{shown}"
        yield f".p{at} .glyph,.p{at} .letter", f"fill:{'#111' if is_light(shown) else '#fff'}"
        yield f".o{at}", f"fill:{mixed(color, look.land, _TINT)}"
        if not is_dark and is_light(shown):  # a yellow line is hard to see on yellow land
            yield f".order.p{at}", f"color:{mixed(shown, '#000000', _INK)}"


def _ground(look: Palette, scale: float) -> Rules:
    n = _sizes(scale)
    return (
        (".open-sea", f"fill:{look.sea}"),
        (".sea", f"fill:{look.sea};stroke:{look.shore};stroke-width:{n(0.9)}"),
        (".land", f"fill:{look.land};stroke:{look.border};stroke-width:{n(0.9)}"),
        (".sea,.land,.blank", "stroke-linejoin:round;fill-rule:evenodd"),
        (".blank", f"fill:{look.blank};stroke:{look.border};stroke-width:{n(0.7)}"),
        (".name", f"fill:{look.name};font-weight:600"),
        (".name.at-sea", f"fill:{look.sea_name};font-style:italic;font-weight:400"),
        (
            ".name",
            f"text-anchor:middle;stroke:{look.halo};stroke-width:{n(2.2)};stroke-opacity:.6;"
            "paint-order:stroke;stroke-linejoin:round",
        ),
        (".leader", f"fill:none;stroke:{look.border};stroke-width:{n(0.8)}"),
        (
            ".link",
            f"fill:none;stroke:{look.border};stroke-width:{n(1.4)};"
            f"stroke-dasharray:{n(1)} {n(3.5)};stroke-linecap:round",
        ),
        (".feature,.rail,.ties", "fill:none;stroke-linejoin:round"),
        (".feature", f"stroke:{look.broken};stroke-width:{n(4)};stroke-opacity:.6"),
        (".f0", f"stroke-dasharray:{n(2)} {n(2)}"),
        (".f1", f"stroke-dasharray:{n(7)} {n(3)}"),
        (".apart", f"stroke-width:{n(2)}"),
        (".rail", f"stroke:{look.name};stroke-width:{n(4)}"),
        (".ties", f"stroke:{look.land};stroke-width:{n(2.4)};stroke-dasharray:{n(6)} {n(6)}"),
        (".mark", f"fill:{look.paper};stroke:{look.broken};stroke-width:1.4"),
        (".caption", f"fill:{look.name};font-weight:600"),
        ("[data-legend] .body", f"stroke:{look.border}"),
        (".center", f"fill:{look.paper};stroke:{look.edge}"),
        (".center.owned .dot", "fill:currentColor"),
        (".dot", "fill:none;stroke:none"),
        (
            ".lit",
            f"fill:{look.accent};fill-opacity:.22;stroke:{look.accent};stroke-width:{n(3)};"
            "stroke-linejoin:round;fill-rule:evenodd",
        ),
        (".glow", f"fill:none;stroke:{look.accent}"),
    )


def _lines(look: Palette, scale: float) -> Rules:
    n = _sizes(scale)
    return (
        (".ink,.halo,.tip,.ring", "fill:none;stroke-linecap:round;stroke-linejoin:round"),
        (".ink,.ring", f"stroke:currentColor;stroke-width:{n(2.6)}"),
        (".halo", f"stroke:{look.halo};stroke-width:{n(5)};stroke-opacity:.8"),
        (".tip", f"fill:currentColor;stroke:{look.halo};stroke-width:{n(0.9)}"),
        (
            ".fails>.tip,.illegal>.tip",
            f"fill:{look.halo};stroke:currentColor;stroke-width:{n(1.6)}",
        ),
        (".support>.ink,.guard>.ink", f"stroke-width:{n(2.2)};stroke-dasharray:{n(5)} {n(4)}"),
        (".support>.halo,.guard>.halo,.convoy>.halo", f"stroke-width:{n(4)};stroke-opacity:.55"),
        (".ring", f"stroke-width:{n(2)};stroke-dasharray:{n(5)} {n(4)}"),
        (".convoy>.ink", f"stroke-width:{n(2.2)};stroke-dasharray:{n(0.5)} {n(4.5)}"),
        (".retreat>.ink", f"stroke-width:{n(2.2)};stroke-dasharray:{n(7)} {n(3)} {n(1)} {n(3)}"),
        (".other>.ink", f"stroke-width:{n(2.2)};stroke-dasharray:{n(2)} {n(3)}"),
        (
            ".illegal>.ink,.invalid>.ink,.illegal>.ring,.invalid>.ring",
            f"stroke-width:{n(1.5)};stroke-dasharray:{n(1.5)} {n(3)}",
        ),
        (".illegal>.halo,.invalid>.halo", "stroke-opacity:.35"),
        (".cut>.ink,.disrupted>.ink,.illegal,.invalid", "opacity:.75"),
        (".last", "opacity:.5"),
        (".others", "opacity:.3"),
    )


def _things(look: Palette) -> Rules:
    signs = {
        "fails": look.bad, "cut": look.cut, "disrupted": look.broken, "unknown": look.shore,
        "available": look.good, "build": look.good, "standoff": look.edge,
    }  # fmt: skip
    line = "stroke-width:1.9;stroke-linecap:round;stroke-linejoin:round"
    return (
        (".body", f"fill:currentColor;stroke:{look.edge};stroke-width:1.2;stroke-linejoin:round"),
        (".glyph", "stroke:none"),
        (".letter", "font-size:10px;font-weight:700;text-anchor:middle"),
        (".tag", f"fill:{look.name};stroke:{look.halo};stroke-width:2;paint-order:stroke;"
         "font-size:8px;font-weight:700"),
        (".burst", f"fill:{look.bad};stroke:{look.halo};stroke-width:1;opacity:.9"),
        (".crossed,.crossed-halo", "fill:none;stroke-linecap:round"),
        (".crossed", f"stroke:{look.cross};stroke-width:2.2"),
        (".crossed-halo", f"stroke:{look.halo};stroke-width:3.8"),
        (".brace", f"fill:{look.halo};fill-opacity:.7;stroke:currentColor;stroke-width:1.8"),
        (".frame", f"fill:none;stroke:{look.good};stroke-width:1.8;stroke-dasharray:3 2.2"),
        (".sign", f"fill:none;stroke:#fff;{line}"),
        (".sign circle,.plate", f"stroke:{look.halo};stroke-width:1"),
        *((f".sign-{name} circle,.sign-{name} .plate", f"fill:{color}")
          for name, color in signs.items()),
        (".sign .open", f"fill:{look.halo};stroke:{look.void};stroke-width:1.5"),
        (".sign .dark", f"stroke:{look.void}"),
    )  # fmt: skip


def _sizes(scale: float) -> Callable[[float], str]:
    """A function that gives lengths in a picture of a scale, as texts."""
    return lambda length: f"{round(length * scale, 2):g}"
