"""What differs between the results of the same orders, on boards side by side:
`dipsat.draw.compare`, and `dipsat.draw.replay` for a phase that another judge decided differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dipsat.base import counted, plain_text, titled
from dipsat.board import province_of
from dipsat.draw.board_drawing import Drawing, Look, draw
from dipsat.draw.board_picture import scene_of
from dipsat.draw.map_picture import Window
from dipsat.draw.markup import Svg
from dipsat.draw.sheets import Note, Panel, light, points_of, sheet, styles_of, window_around
from dipsat.errors import QuestionError
from dipsat.game import Position
from dipsat.orders import Unit
from dipsat.outcomes import (
    Comparison,
    OrderResult,
    Outcome,
    labels_of,
    proofs_of,
    result_of,
    retreat_in_words,
)
from dipsat.studies import DifferingPhase, side_in_words

_MOST = 40  # units that stand out; if more differ, nothing is faint

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
    """The boards of outcomes of one position, in which some units stand out, and the window that
    shows these units."""
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
    seen = [point for drawing in drawings for point in points_of(drawing, focus or ())]
    return drawings, window_around(drawings[0].picture, seen)


_WIDTH = 980.0
_MOST_BOARDS = 4


def compare(what: Comparison, *, dark: bool = False) -> Svg:
    """Return a picture of what differs between the results of the same orders.

    At most four boards are side by side, each below the name of its rules. They show the part where
    something differs; orders with different results are lit, all others are faint. The text below
    says how they differ. `dipsat.Comparison(names, outcomes)` compares any outcomes of one
    position.

    `dark` draws a dark picture.
    """
    rows = [row for row in what.orders if row.differs]
    lost = [row for row in what.dislodged if row.differs]
    labels = labels_of(what)
    notes: list[Note] = []

    def add(title: str, texts: Iterable[str]) -> None:
        pairs = zip(labels, texts, strict=True)
        notes.extend((Note(title), *(Note(f"{label}: {text}", 1) for label, text in pairs)))

    for row in rows:
        results = (_result(row.order, one) for one in row.results)
        add(f"{row.order} ({titled(row.power)})", results)
    for retreat in lost:
        title = f"Retreat of {retreat.unit} ({titled(retreat.power)})"
        add(title, map(retreat_in_words, retreat.results))
    proofs = proofs_of(what)
    if len(proofs) == 1:
        notes.append(Note(proofs[0]))
    else:
        add("Proof", proofs)
    shown = what.outcomes if what.differs else what.outcomes[:1]
    headline = _headline(what, len(rows))
    units = differing_units(what)
    return side_by_side(shown, labels if what.differs else [""], units, headline, notes, dark)


def _headline(what: Comparison, count: int) -> str:
    if not what.differs:
        return "No difference"
    if not count:
        return "The results differ, but not those of the orders"
    differ = "differs" if count == 1 else "differ"
    return f"{count} of {counted(len(what.orders), 'order')} {differ}"


def _result(order: str, one: OrderResult | None) -> str:
    if one is None:
        return "no such order"
    read = "" if one.order == order else f"read as {one.order}: "
    shown = plain_text(result_of(one.verdict, one.fate))
    return f"{read}{shown}, {one.reason}" if one.reason else f"{read}{shown}"


def side_by_side(
    outcomes: Sequence[Outcome],
    labels: Sequence[str],
    units: set[str],
    headline: str,
    notes: Sequence[Note],
    dark: bool,
) -> Svg:
    """The boards of outcomes of one position, in which some units stand out."""
    drawings, window = boards_apart(outcomes[:_MOST_BOARDS], units, Look(dark=dark))
    panels = [Panel(one, window, label) for one, label in zip(drawings, labels, strict=False)]
    if stands_out(units):
        notes = [*notes, Note(MEANING, is_faint=True)]
    if (more := len(outcomes) - len(panels)) > 0:
        notes = [*notes, Note(f"and {counted(more, 'more result')} without a board")]
    return sheet(panels, headline, notes, width=_WIDTH, dark=dark, names="dipsat-comparison")


# --- replays --------------------------------------------------------------------------------------


def replay(what: DifferingPhase, *, dark: bool = False) -> Svg:
    """Return a picture of a phase that a record's judge decided differently.

    The left board has the orders as dipsat judges them, the right one the units as the record has
    them after the phase. The provinces in which they differ are lit. The cause, if known, and both
    results are below.

    `dark` draws a dark picture. Raises `QuestionError` for a phase that
    `dipsat.studies.replay_files` did not find."""
    if what._board is None:
        raise QuestionError(
            "this phase was not found by `dipsat.studies.replay_files`: it has no board"
        )
    outcome = what._board.judged(what.orders)
    codes = sorted({*_provinces(what.theirs), *_provinces(what.ours)})
    ours = draw(scene_of(outcome), Look(dark=dark))
    theirs = draw(scene_of(_recorded(what, outcome)), Look(dark=dark))
    boards = [
        board.with_provinces(codes, "differing").with_layer("badges", styles=styles_of(dark))
        for board in (ours, theirs)
    ]
    causes = {str(unit) for unit in outcome.position.units if unit.province in codes}
    window = window_around(ours.picture, points_of(ours, causes, codes))
    titles = f"as {outcome.rules} has it", "as the record has it"
    panels = [Panel(*one) for one in zip(boards, (window, window), titles, strict=True)]
    notes = [Note(f"Cause: {what.cause}")] if what.cause else []
    notes += [Note(f"Theirs: {side_in_words(what.theirs)}")]
    notes += [Note(f"Ours: {side_in_words(what.ours)}")]
    headline = f"{what.phase} differs"
    return sheet(panels, headline, notes, width=_WIDTH, dark=dark, names="dipsat-replay")


def _provinces(side: Mapping[str, Any]) -> Iterator[str]:
    """The provinces that a side of the difference mentions."""
    for value in side.values():
        for listed in value.values() if isinstance(value, Mapping) else ():
            for text in listed:
                yield province_of(text.rpartition(" ")[2])


def _recorded(what: DifferingPhase, outcome: Outcome) -> Position:
    """The units after the phase as the record has them."""
    after: dict[str, list[str]] = {}
    ours, theirs = (side.get("units", {}) for side in (what.ours, what.theirs))
    units: tuple[Unit, ...] = outcome.units_after
    for unit in units:
        if str(unit) not in ours.get(unit.power, ()):
            after.setdefault(unit.power, []).append(str(unit))
    for power, listed in theirs.items():
        after.setdefault(power, []).extend(listed)
    board, phase = outcome.position.map, outcome.next.phase
    return Position.from_units(after, board, phase, rules=outcome.profile)
