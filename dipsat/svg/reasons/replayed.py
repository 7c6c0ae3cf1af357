"""A phase that another judge decided differently, on two boards: `dipsat.svg.replay`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dipsat.board.province import province_of
from dipsat.errors import QuestionError
from dipsat.game.position import Position, Unit
from dipsat.proof.outcome import Outcome
from dipsat.surveys.replay import DifferingPhase
from dipsat.surveys.results import side_in_words
from dipsat.svg.boards.drawing import draw
from dipsat.svg.boards.scene import scene_of
from dipsat.svg.markup import Svg
from dipsat.svg.reasons.compared import Note, Panel, sheet, window_around
from dipsat.svg.reasons.marks import look_of, points_of, styles_of

_WIDTH = 980.0


def replay(what: DifferingPhase, *, dark: bool = False) -> Svg:
    """Return a picture of a phase that the judge of a record decided differently.

    The left board has the orders as dipsat judges them, the right one the units as the record has
    them after the phase. The provinces in which they differ are lit. Below stand the cause, if it
    is known, and both results.

    `dark` draws a dark picture. Raises `QuestionError` for a phase that `dipsat.replay_files` did
    not find.
    """
    if what._board is None:
        raise QuestionError("this phase was not found by `dipsat.replay_files`: it has no board")
    outcome = what._board.judged(what.orders)
    codes = sorted({*_provinces(what.theirs), *_provinces(what.ours)})
    ours = draw(scene_of(outcome), look_of(dark))
    theirs = draw(scene_of(_recorded(what, outcome)), look_of(dark))
    boards = [
        board.with_provinces(codes, "differing").with_layer("badges", styles=styles_of(dark))
        for board in (ours, theirs)
    ]
    places = (ours.place(code) for code in codes)
    points = [place for place in places if place is not None]
    causes = {str(unit) for unit in outcome.position.units if unit.province in codes}
    window = window_around(ours.picture, [*points, *points_of(ours, causes)])
    titles = f"as {outcome.rules} has it", "as the record has it"
    panels = [Panel(*one) for one in zip(boards, (window, window), titles, strict=True)]
    notes = [Note(f"Cause: {what.cause}")] if what.cause else []
    notes += [Note(f"Theirs: {side_in_words(what.theirs)}")]
    notes += [Note(f"Ours: {side_in_words(what.ours)}")]
    headline = f"{what.phase} differs"
    return sheet(panels, headline, notes, width=_WIDTH, dark=dark, names="dipsat-replay")


def _provinces(side: Mapping[str, Any]) -> Iterator[str]:
    """The provinces that a side speaks of."""
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
