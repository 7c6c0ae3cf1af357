"""The shapes of units, centres and signs, drawn around (0, 0) for a unit 20 wide.

Units and signs differ in shape as well as in colour, so that a board can be read without colours.
"""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.board.unit_kind import UnitKind
from dipsat.svg.markup import number, words
from dipsat.svg.pictures.picture import Point

_ARMY = (
    '<circle class="body" r="9.4"/>'
    '<path class="glyph" d="M-6.4 .3L4.6-5.5l1.5 2.7L-2.2 2z"/>'
    '<circle class="glyph" cx="-2.2" cy="2.7" r="3.4"/><circle class="body" cx="-2.2" cy="2.7" '
    'r="1.1"/><path class="glyph" d="M-1 4.8l6.4 1.1v1.3H-2z"/>'
)
_FLEET = (
    '<path class="body" d="M-11.4 2.6H11.4C10.4 6.4 8.2 8.8 5.6 8.8H-5.6C-8.2 8.8-10.4 6.4-11.4 '
    '2.6z"/><path class="body" d="M-.9 1.2V-10.2L8.4 1.2z"/><path class="body" '
    'd="M-2.8 1.2V-7.4L-8.8 1.2z"/><path class="glyph" d="M-7.8 4.4H7.8l-.9 1.5H-6.9z"/>'
)
_OTHER = '<path class="body" d="M0-10.6L10.6 0 0 10.6-10.6 0z"/>'
_LETTER = '<text class="letter" y="3.6">{}</text>'

BURST = (
    '<path class="burst" d="M0 -19.5L3.4 -12.8L9.7 -16.9L9.3 -9.3L16.9 -9.8L12.8 -3.4L19'
    ".5 -0L12.8 3.4L16.9 9.7L9.3 9.3L9.7 16.9L3.4 12.8L0 19.5L-3.4 12.8L-9.7 16.9L-9."
    "3 9.3L-16.9 9.8L-12.8 3.4L-19.5 0L-12.8 -3.4L-16.9 -9.8L-9.3 -9.3L-9.8 -16.9L-3."
    '4 -12.8z"/>'
)
"""A dislodged unit stands on it."""
CROSS = (
    '<path class="crossed-halo" d="M-11.5-11.5L11.5 11.5M11.5-11.5L-11.5 11.5"/>'
    '<path class="crossed" d="M-11.5-11.5L11.5 11.5M11.5-11.5L-11.5 11.5"/>'
)
"""Lies over a unit that leaves the board, wide and thin, so that its kind can still be seen."""
HOLD = '<path class="brace" d="M-5.4-13H5.4L13-5.4V5.4L5.4 13H-5.4L-13 5.4V-5.4z"/>'
"""Surrounds a unit that is ordered to hold."""
FRAME = '<circle class="frame" r="13.2"/>'
"""Surrounds a unit that is built."""

SIGNS: Mapping[str, str] = {
    "fails": '<circle r="6"/><path d="M-2.7-2.7L2.7 2.7M2.7-2.7L-2.7 2.7"/>',
    "cut": '<path class="plate" d="M-5.6-5.6H5.6V5.6H-5.6z"/><path d="M-3.4 3.2L-.4-3.2M.4 3.2'
    'L3.4-3.2"/>',
    "disrupted": '<path class="plate" d="M0 7.2L-7.4-5.4H7.4z"/><path d="M0-3.2V1.6M0 3.6v.2"/>',
    "illegal": '<circle class="open" r="5.6"/><path class="dark" d="M-4-4L4 4"/>',
    "invalid": '<path class="open" d="M-6-5H6V5H-6z"/><path class="dark" d="M-3.2-1.6H3.2M-3.2 1.6'
    'H3.2M-1.7 3.7L1.7-3.7"/>',
    "unknown": '<path class="plate" d="M-3.4-5.9H3.4L6.8 0 3.4 5.9H-3.4L-6.8 0z"/><path '
    'd="M-1.9-1.5C-1.9-4 1.9-4 1.9-1.6 1.9 0 0 0 0 1.6M0 3.5v.2"/>',
    "available": '<path class="plate" d="M-4.6-4.2H4.6A4.2 4.2 0 0 1 4.6 4.2H-4.6A4.2 4.2 0 0 1'
    '-4.6-4.2z"/><path d="M-5 .9C-3.4-2-1.7-2 0 0S3.4 2 5-.9"/>',
    "build": '<circle r="5.6"/><path d="M-3 0H3M0-3V3"/>',
    "standoff": '<path class="plate" d="M0-8.4L8.4 0 0 8.4-8.4 0z"/><path d="M-3.6-3.6L3.6 3.6M3.6'
    '-3.6L-3.6 3.6"/>',
}
"""What a sign stands for -> its shape. A verdict that went as ordered has none, but for convoys,
whose line may end in a bounce all the same."""


def placed(markup: str, at: Point, scale: float, names: str = "", data: str = "") -> str:
    """A group with a shape at a point."""
    named = f' class="{names}"' if names else ""
    size = "" if scale == 1 else f" scale({scale:g})"
    where = f"translate({number(at[0])} {number(at[1])}){size}"
    return f'<g{named}{data} transform="{where}">{markup}</g>'


def unit_shape(kind: UnitKind | str) -> str:
    """The shape of a unit: a gun for armies, a ship for fleets, else a letter."""
    if kind is UnitKind.ARMY:
        return _ARMY
    if kind is UnitKind.FLEET:
        return _FLEET
    return _OTHER + _LETTER.format(words(str(kind)))
