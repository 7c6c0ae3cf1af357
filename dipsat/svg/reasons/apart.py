"""Boards of several results of one phase, with what differs between them standing out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dipsat.proof.comparison import Comparison
from dipsat.proof.outcome import Outcome
from dipsat.svg.boards.drawing import Drawing, Look, draw
from dipsat.svg.boards.scene import scene_of
from dipsat.svg.pictures.picture import Window
from dipsat.svg.reasons.marks import light, points_of, styles_of
from dipsat.svg.reasons.sheets import window_around

_MOST = 40  # units that stand out; if more differ, everything does

MEANING = "Lit: orders with different results. Faint: orders that play no part in that."


def differing_units(what: Comparison) -> set[str]:
    """The units whose orders or retreats differ."""
    orders = {row.unit for row in what.orders if row.differs}
    return orders | {row.unit for row in what.dislodged if row.differs}


def stands_out(units: set[str]) -> bool:
    """Whether these units stand out: there are some, and not too many."""
    return 0 < len(units) <= _MOST


def boards_apart(
    outcomes: Sequence[Outcome], units: set[str], look: Look
) -> tuple[list[Drawing], Window]:
    """The boards of outcomes of one position in a look, in which some units stand out, and the part
    of them that shows these."""
    causes = {
        cause
        for outcome in outcomes
        for order in outcome.orders
        if order.unit in units
        for cause in order.reason.because
    }
    focus = frozenset(units | causes) if stands_out(units) else None
    drawings = []
    for outcome in outcomes:
        drawing = draw(scene_of(outcome), replace(look, focus=focus))
        lit = [light(drawing, unit, "about") for unit in sorted(units)]
        drawings.append(drawing.with_layer("regions", *lit, styles=styles_of(bool(look.dark))))
    seen = [point for drawing in drawings for point in points_of(drawing, set(focus or ()))]
    return drawings, window_around(drawings[0].picture, seen)
