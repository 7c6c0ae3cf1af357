"""How boards look: the colours of powers, and the rules of style sheets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import cos, dist, pi, sin
from string import Template
from typing import Any
from zlib import crc32

from dipsat.base import data_folder, kept_on_first, read_text
from dipsat.board import Map
from dipsat.draw.markup import page_text
from dipsat.errors import ArgumentError

# The colours of powers: the ones that players know, and as many others as a map needs.
#
# Colours of powers are compared in Oklab, in which equal distances look equal.


Rgb = tuple[int, int, int]
Lab = tuple[float, float, float]

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_FEW = 12
_SOME = (0.62, 0.5, 0.76), (0.16, 0.09), 24
"""Lightness, chroma and hues of colours for a few powers; for more, also very dark and light."""
_MANY = (0.62, 0.5, 0.76, 0.36, 0.88, 0.28), (0.22, 0.15, 0.08), 36
_SPREAD = (0.7, 1.0, 1.0)  # lightness counts less, since tints and dark mode change it


def colors_of(board: Map, chosen: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """Power -> its colour such as `#2f86c9`: the one `chosen`, otherwise the usual one.

    Raises `UnknownNameError` for an unknown power, `ArgumentError` for anything but such a colour.
    """
    found = usual_colors(board)
    if not chosen:
        return found
    own = {
        board.names.power(name): checked_color(f"colors[{name!r}]", color)
        for name, color in chosen.items()
    }
    return {**found, **own}


@kept_on_first()
def usual_colors(board: Map) -> Mapping[str, str]:
    """Power -> its colour on a map: the one in `rules/colors.json`, grey if nobody plays it,
    otherwise one that differs from all others."""
    known = stated_colors()
    found: dict[str, str] = {}
    for name, power in board.powers.items():
        color = known["neutral"] if power.neutral else known["powers"].get(name)
        if color and (power.neutral or color not in found.values()):
            found[name] = color
    others = [name for name in board.powers if name not in found]
    made = _distinct(len(others), tuple(found.values()))
    found |= dict(zip(others, made, strict=True))
    return {name: found[name] for name in board.powers}


def checked_color(where: str, color: object) -> str:
    """A colour in lower case. Raises `ArgumentError` if it is not a colour; `where` is its place in
    the arguments of `dipsat.draw.board`."""
    if not isinstance(color, str) or not _HEX.fullmatch(color):
        raise ArgumentError("dipsat.draw.board", where, color, "a colour such as '#2f86c9'")
    return color.lower()


def mixed(color: str, other: str, share: float) -> str:
    """A mixture of two colours: `share` of `color`, the rest of `other`."""
    return _hex(blend(rgb(color), rgb(other), share))


def blend(one: Rgb, other: Rgb, share: float) -> Rgb:
    """The same as `mixed` with numbers."""
    red, green, blue = (round(a * share + b * (1 - share)) for a, b in zip(one, other, strict=True))
    return red, green, blue


def is_light(color: str) -> bool:
    """Whether black is easier to see on a colour than white."""
    return _lab(rgb(color))[0] > 0.72


def rgb(color: str) -> Rgb:
    """The red, green and blue of `#rgb` or `#rrggbb`, each up to 255."""
    digits = color[1:] if len(color) == 7 else "".join(digit * 2 for digit in color[1:])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


@lru_cache(maxsize=1)
def stated_colors() -> Any:
    """The contents of `rules/colors.json`: colours of powers, boards and pictures of reasons."""
    return json.loads(read_text(data_folder("rules") / "colors.json"))


@lru_cache(maxsize=64)
def _distinct(count: int, taken: tuple[str, ...]) -> tuple[str, ...]:
    """Colours that differ as much as possible from those taken and from each other, the most
    different first."""
    left = {color: _lab(rgb(color)) for color in _candidates(count > _FEW)}
    nearest = dict.fromkeys(left, 9.0)
    found: list[str] = []
    for color in (*taken, *[""] * count):
        if not color:
            color = max(nearest, key=nearest.__getitem__)
            found.append(color)
        lab = _lab(rgb(color))
        for other in nearest:
            parts = zip(lab, left[other], _SPREAD, strict=True)
            distance = sum(((a - b) * weight) ** 2 for a, b, weight in parts)
            nearest[other] = min(nearest[other], distance)
    return tuple(found)


@lru_cache(maxsize=2)
def _candidates(are_many: bool) -> tuple[str, ...]:
    found: dict[str, None] = {}
    lights, chromas, hues = _MANY if are_many else _SOME
    for lightness, chroma, at in product(lights, chromas, range(hues)):
        angle = 2 * pi * at / hues
        color = _rgb_of((lightness, chroma * cos(angle), chroma * sin(angle)))
        if color is not None:
            found[_hex(color)] = None
    return tuple(found)


def _lab(color: Rgb) -> Lab:
    """A colour in Oklab: lightness up to 1, and two axes of hue."""
    red, green, blue = (_linear(part / 255) for part in color)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _cielab(color: str) -> Lab:
    """A colour in CIELAB of 1976, in which 2 is the least difference that people see."""
    red, green, blue = (_linear(part / 255) for part in rgb(color))
    x, y, z = (
        part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116
        for part in (
            0.4339499 * red + 0.3762098 * green + 0.1898438 * blue,
            0.2126729 * red + 0.7151522 * green + 0.0721750 * blue,
            0.0177566 * red + 0.1094680 * green + 0.8727755 * blue,
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _contrast(one: str, other: str) -> float:
    """The ratio of the luminances of two colours, as accessibility guidelines define it."""
    dark, light = sorted(
        0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
        for red, green, blue in (map(_linear, (p / 255 for p in rgb(c))) for c in (one, other))
    )
    return light / dark


def _rgb_of(lab: Lab) -> Rgb | None:
    """A colour from Oklab, or None if screens cannot show it."""
    light, a, b = lab
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    parts = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    if not all(-0.001 <= part <= 1.001 for part in parts):
        return None
    red, green, blue = (round(255 * _gamma(min(max(part, 0.0), 1.0))) for part in parts)
    return red, green, blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _gamma(part: float) -> float:
    return part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def _hex(parts: Iterable[int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in parts)


# --- styles ---------------------------------------------------------------------------------------

# The rules of a board begin with the board's own class, so that boards in one page do not affect
# each other.


Rules = tuple[tuple[str, str], ...]
"""Selectors, separated by commas -> their declarations."""

_TINTS = tuple(share / 100 for share in range(46, 101, 9))  # of the owner's colour in its land
_SHADES = ("#000000", 1.0), ("#000000", 0.6), ("#ffffff", 0.6)
"""What is tried for land that would be hard to tell from the sea or from other land: more of the
owner's colour, and darker or lighter shades of it."""
_APART = 15.0  # how far owned land is from the sea and from other land in CIELAB
_DIFFERENT = 9.0  # how far it is from the land of other powers, if possible
_CLEAR = 2.5  # the contrast with dark land and sea below which a line has a light outline
_INK = 0.72  # of a light colour in lines on a light board; the rest is black
_POWERS = "/* The rules of the powers' colours stand here. */"
_RULE = re.compile(r"^([^/\s][^{\n]*)\{(.*)\}$", re.MULTILINE)


def palette(dark: bool) -> Mapping[str, str]:
    """The colours of a light or a dark board other than those of powers: name -> colour."""
    found: Mapping[str, str] = stated_colors()["dark" if dark else "light"]
    return found


@lru_cache(maxsize=64)
def style_of(colors: tuple[str, ...], dark: bool | None, scale: float) -> tuple[str, str]:
    """The style sheet of boards whose powers have these colours, in order, and the class with which
    all its rules begin. `dark` is as for `board`."""
    first, other = (_rules(colors, is_dark, scale) for is_dark in (bool(dark), not dark))
    scope = f"b{crc32(repr((first, dark)).encode()):08x}"
    text = scoped(scope, first)
    if dark is None:
        changed = tuple(rule for rule in other if rule not in first)
        text += f"@media (prefers-color-scheme:dark){{{scoped(scope, changed)}}}"
    return text, scope


def scoped(scope: str, rules: Iterable[tuple[str, str]]) -> str:
    """The text of rules for the contents of an element with a class, or for the element itself
    where a selector is empty."""
    return "".join(
        ",".join(f".{scope} {one}" if one else f".{scope}" for one in selectors.split(","))
        + f"{{{body}}}"
        for selectors, body in rules
    )


def rules_in(text: str, dark: bool, scale: float = 1.0) -> Rules:
    """The rules in the text of a style sheet, with colours and lengths filled in."""
    filled = Template(text).substitute(palette(dark))
    sized = re.sub(r"@([\d.]+)", lambda found: f"{round(float(found[1]) * scale, 2):g}", filled)
    return tuple(_RULE.findall(sized))


def _rules(colors: Sequence[str], is_dark: bool, scale: float) -> Rules:
    text = page_text("board.css")
    of_ground, of_things = (rules_in(part, is_dark, scale) for part in text.split(_POWERS))
    return (*of_ground, *_powers(colors, is_dark), *of_things)


def lands_of(colors: Sequence[str], is_dark: bool) -> list[str]:
    """The colours of the powers' land: tints of their own colours that differ from the sea and from
    land of nobody."""
    known = palette(is_dark)
    ground = [_cielab(known[name]) for name in ("sea", "land", "blank")]

    def tint(color: str, share: float = _TINTS[0]) -> str:
        return mixed(color, known["land"], share)

    def gap(color: str, others: Iterable[Lab]) -> float:
        return min((dist(_cielab(color), other) for other in others), default=_DIFFERENT)

    found = [tint(color) for color in colors]
    near = {at for at, color in enumerate(found) if gap(color, ground) < _APART}
    for at in sorted(near):
        shades = [mixed(colors[at], end, share) for end, share in _SHADES]
        tints = [tint(shade, share) for shade in shades for share in _TINTS]
        others = [_cielab(color) for other, color in enumerate(found) if other not in near]
        found[at] = max(
            (color for color in tints if gap(color, ground) >= _APART),
            key=lambda color: min(gap(color, others), _DIFFERENT),  # the first that will do
        )
        near.remove(at)
    return found


def _powers(colors: Sequence[str], is_dark: bool) -> Iterable[tuple[str, str]]:
    known = palette(is_dark)
    for at, (color, land) in enumerate(zip(colors, lands_of(colors, is_dark), strict=True)):
        shown = mixed(color, "#ffffff", 0.82) if is_dark else color
        yield f".p{at}", f"color:{shown}"
        yield f".p{at} .glyph,.p{at} .letter", f"fill:{'#111' if is_light(shown) else '#fff'}"
        yield f".o{at}", f"fill:{land}"
        if not is_dark and is_light(shown):  # a yellow line is hard to see on yellow land
            yield f".order.p{at}", f"color:{mixed(shown, '#000000', _INK)}"
        if is_dark and min(_contrast(shown, known[name]) for name in ("sea", "land")) < _CLEAR:
            parts = (f".order.p{at} {part}" for part in (".halo", ".tip", ".ring"))
            outlined = ",".join((*parts, f".p{at} .body", f".p{at} .brace"))
            yield outlined, f"stroke:{known['cross']}"
