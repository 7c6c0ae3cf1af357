"""What differs between the results of the same orders, on boards side by side:
`dipsat.svg.compare`, and the answers of searches: `dipsat.svg.search`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dipsat.errors import QuestionError, UnresolvedError
from dipsat.limits import unlimited
from dipsat.pages import plain_text
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.comparison import (
    Comparison,
    OrderResult,
    labels_of,
    proofs_of,
    retreat_in_words,
)
from dipsat.proof.outcome import Outcome
from dipsat.proof.report import result_of
from dipsat.searches.answer import FOUND, SearchResult, facts_of, headline_of
from dipsat.svg.boards.drawing import Drawing, draw
from dipsat.svg.boards.scene import Scene, scene_of
from dipsat.svg.markup import Svg
from dipsat.svg.reasons.apart import MEANING, boards_apart, differing_units, stands_out
from dipsat.svg.reasons.cycles import drawn_cycles
from dipsat.svg.reasons.inks import inks_of
from dipsat.svg.reasons.marks import look_of, points_of
from dipsat.svg.reasons.sheets import Block, Note, Panel, sheet, window_around
from dipsat.tables import counted
from dipsat.titles import titled

_WIDTH = 980.0
_ONE = 640.0
_MOST_BOARDS = 4


def compare(what: Comparison, *, dark: bool = False) -> Svg:
    """Return a picture of what differs between the results of the same orders.

    The boards stand side by side, each with the name of its rules above: at most four. They show
    the part where something differs; orders with different results are lit, all others are faint.
    Below stands how they differ. `dipsat.Comparison(names, outcomes)` compares any outcomes of one
    position.

    `dark` draws a dark picture.
    """
    rows = [row for row in what.orders if row.differs]
    lost = [row for row in what.dislodged if row.differs]
    labels = labels_of(what)
    notes: list[Note] = []
    for row in rows:
        notes.append(Note(f"{row.order} ({titled(row.power)})"))
        notes += [
            Note(f"{label}: {_result(row.order, one)}", 1)
            for label, one in zip(labels, row.results, strict=True)
        ]
    for retreat in lost:
        notes.append(Note(f"Retreat of {retreat.unit} ({titled(retreat.power)})"))
        notes += [
            Note(f"{label}: {retreat_in_words(one)}", 1)
            for label, one in zip(labels, retreat.results, strict=True)
        ]
    proofs = proofs_of(what)
    if len(proofs) == 1:
        notes.append(Note(proofs[0]))
    else:
        notes.append(Note("Proof"))
        notes += [Note(f"{label}: {one}", 1) for label, one in zip(labels, proofs, strict=True)]
    shown = what.outcomes if what.differs else what.outcomes[:1]
    headline = _headline(what, len(rows))
    units = differing_units(what)
    return _side_by_side(shown, labels if what.differs else [""], units, headline, notes, dark)


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


def _side_by_side(
    outcomes: Sequence[Outcome],
    labels: Sequence[str],
    units: set[str],
    headline: str,
    notes: Sequence[Note],
    dark: bool,
) -> Svg:
    """The boards of outcomes of one position, in which some units stand out."""
    drawings, window = boards_apart(outcomes[:_MOST_BOARDS], units, look_of(dark))
    panels = [Panel(one, window, label) for one, label in zip(drawings, labels, strict=False)]
    if stands_out(units):
        notes = [*notes, Note(MEANING, is_faint=True)]
    if (more := len(outcomes) - len(panels)) > 0:
        notes = [*notes, Note(f"and {counted(more, 'more result')} without a board")]
    return sheet(panels, headline, notes, width=_WIDTH, dark=dark, names="dipsat-comparison")


# --- Searches -------------------------------------------------------------------------------------


def search(what: SearchResult, *, dark: bool = False) -> Svg:
    """Return a picture of the answer to a question that `dipsat.search` was asked.

    Where orders were found, they stand on the board with their results: for a paradox above its
    decision cycle, for a difference under both rules side by side. The orders of a guarantee have
    no results, since the other units may be ordered anything. If there are none, the board is the
    position.

    `dark` draws a dark picture. Raises `QuestionError` for an answer that `dipsat.search` did not
    give.
    """
    if what._asked is None:
        raise QuestionError("this answer was not given by `dipsat.search`: it has no board")
    position, profiles = what._asked
    headline = headline_of(what).removesuffix(":")
    if what.verdict != FOUND or what.question._own_power is not None:
        scene = scene_of(position, what.orders)
        return _one(scene, headline, facts_of(what) if what.verdict == FOUND else (), dark)
    outcomes: list[Outcome] = []
    try:
        with unlimited():
            outcomes += (adjudicate(position, what.orders, profile) for profile in profiles)
    except UnresolvedError as error:  # rules that lack an entry for the cycle
        return _one(scene_of(position, what.orders), headline, (*facts_of(what), str(error)), dark)
    if what.question._other_rules:
        found = Comparison(what.rules, tuple(outcomes))
        notes, units = [Note(fact) for fact in facts_of(what)], differing_units(found)
        return _side_by_side(outcomes, labels_of(found), units, headline, notes, dark)
    below = None
    if what.question._has_cycle:
        markup, width, height, title = drawn_cycles(outcomes[0], inks_of(dark))
        below = (markup, width, height) if title else None
    return _one(scene_of(outcomes[0]), headline, facts_of(what), dark, below)


def _one(
    scene: Scene,
    headline: str,
    facts: Iterable[str],
    dark: bool,
    below: Block | None = None,
) -> Svg:
    """A board around its units."""
    drawing = draw(scene, look_of(dark))
    window = window_around(drawing.picture, points_of(drawing, set(_units(drawing))))
    notes = [Note(fact) for fact in facts]
    return sheet(
        [Panel(drawing, window)], headline, notes, width=_ONE, dark=dark, below=below,
        names="dipsat-search",
    )  # fmt: skip


def _units(drawing: Drawing) -> Iterator[str]:
    position = drawing.scene.position
    return (str(unit) for unit in (() if position is None else position.units))
