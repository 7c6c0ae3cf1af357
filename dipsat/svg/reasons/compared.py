"""What differs between the results of the same orders, on boards side by side:
`dipsat.svg.compare`, and the answers of searches: `dipsat.svg.search`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dipsat.errors import QuestionError, UnresolvedError
from dipsat.limits import unlimited
from dipsat.pages import counted, plain_text, titled
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.comparison import Comparison, OrderResult, labels_of, proofs_of, retreat_in_words
from dipsat.proof.outcome import Outcome, result_of
from dipsat.searches.ask import FOUND, SearchResult, facts_of, headline_of
from dipsat.svg.boards.drawing import Drawing, Look, codes_within, draw, province_paths
from dipsat.svg.boards.scene import Scene, scene_of
from dipsat.svg.markup import Svg, element, svg, width_of, words
from dipsat.svg.pictures.picture import Picture, Point, Window
from dipsat.svg.reasons.cycles import drawn_cycles
from dipsat.svg.reasons.marks import Inks, inks_of, light, look_of, points_of, styles_of

# --- sheets ---------------------------------------------------------------------------------------

# Sheets: parts of boards side by side, with a headline above and lines of text below.


Block = tuple[str, float, float]
"""Markup with its top left corner at (0, 0), and its width and height."""

_AROUND = 70.0  # what a window shows around the things in it, where the scale is 1
_LEAST = (330.0, 250.0)  # the size of a window
_BROADEST, _HIGHEST = 1.75, 0.9  # the width of a window by its height, and the reverse
_MOST_HEIGHT = 560.0  # of a board on a sheet
_MARGIN, _GAP = 18.0, 16.0
_HEAD, _TEXT = 15.0, 13.0
_LINE = 18.5
_INDENT = 18.0
_LEAST_WIDTH = 420.0  # of a sheet
_IN_A_ROW = 2
MOST_ZOOM = 2.0
"""How much larger than on a whole board things are at most."""
MOST_LINES = 30
"""The most lines of text below the boards."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a board with a title."""

    drawing: Drawing
    window: Window
    title: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A line below the boards."""

    text: str
    depth: int = 0
    """How far it is indented: below a line that it explains."""
    is_faint: bool = False


def window_around(picture: Picture, points: Iterable[Point]) -> Window:
    """The part of a picture around some points, all of it if there are none."""
    found = list(points)
    if not found:
        return 0.0, 0.0, picture.width, picture.height
    around = _AROUND * picture.scale
    ends = [(min(values) - around, max(values) + around) for values in zip(*found, strict=True)]
    wide, high = (
        max(end - start, least * picture.scale)
        for (start, end), least in zip(ends, _LEAST, strict=True)
    )
    wide, high = max(wide, high / _HIGHEST), max(high, wide / _BROADEST)
    (left, width), (top, height) = (
        _within((start + end) / 2, size, most)
        for (start, end), size, most in zip(
            ends, (wide, high), (picture.width, picture.height), strict=True
        )
    )
    return left, top, width, height


def _within(middle: float, size: float, most: float) -> tuple[float, float]:
    """The start and the length of a part of a line that is as long as `most`."""
    length = min(size, most)
    return min(max(middle - length / 2, 0.0), most - length), length


def sheet(
    panels: Sequence[Panel],
    headline: str,
    notes: Sequence[Note],
    *,
    width: float,
    dark: bool,
    below: Block | None = None,
    names: str,
) -> Svg:
    """A sheet about as wide as `width`, with up to two boards in a row. `below` is more markup
    under the boards. `names` are the classes of the picture."""
    inks = inks_of(dark)
    rows = [panels[at : at + _IN_A_ROW] for at in range(0, len(panels), _IN_A_ROW)]
    columns = min(len(panels), _IN_A_ROW)
    each = (width - _GAP * (columns - 1)) / columns
    boards = [_boards(row, each, inks) for row in rows]
    full = max(_LEAST_WIDTH, *(wide for _, wide, _ in (*boards, *([below] if below else []))))
    blocks = [_sheet_headline(headline, full, inks), *boards]
    blocks += [*([below] if below else []), _text_block(notes, full, inks)]
    parts, top = [], _MARGIN
    for markup, _, high in blocks:
        parts.append(element("g", markup, transform=f"translate({_MARGIN:g} {top:.1f})"))
        top += high + 8
    wide, high = full + 2 * _MARGIN, top + _MARGIN - 12
    paper = element("rect", width=wide, height=high, fill=inks.paper)
    return svg(wide, high, [paper, *parts], headline, class_=names)


def _sheet_headline(text: str, width: float, inks: Inks) -> Block:
    lines = wrapped(text, _HEAD * 1.09, width)
    parts = [
        _text(line, 0.0, at * 20 + _HEAD, _HEAD, inks.text, bold=True)
        for at, line in enumerate(lines)
    ]
    return "".join(parts), width, 20.0 * len(lines)


def _boards(panels: Sequence[Panel], each: float, inks: Inks) -> Block:
    """A row of boards with their titles."""
    top = 20.0 if any(panel.title for panel in panels) else 0.0
    parts, left, highest = [], 0.0, 0.0
    for panel in panels:
        wide, high = _size(panel, each)
        if panel.title:
            title = _text(panel.title, left, 12.0, _TEXT, inks.text, bold=True)
            parts.append(element("g", title, class_="board-title"))
        parts.append(_board(panel, (left, top, wide, high), inks))
        left, highest = left + wide + _GAP, max(highest, high)
    return "".join(parts), left - _GAP, top + highest


def _text_block(notes: Iterable[Note], width: float, inks: Inks) -> Block:
    """The lines below the boards."""
    lines = list(_lines(notes, width))
    if len(lines) > MOST_LINES:
        left_out = len(lines) - MOST_LINES
        lines = [*lines[:MOST_LINES], (Note(f"and {left_out} more lines", 0, True), True)]
    parts = []
    for at, (note, is_first) in enumerate(lines):
        x, y = note.depth * _INDENT, at * _LINE + _TEXT
        colour = inks.faint if note.is_faint else inks.text
        parts.append(_text(note.text, x, y, _TEXT, colour))
        if note.depth and is_first:
            path = f"M{x - 12:g} {y - 14:g}V{y - 4.5:g}H{x - 4:g}"
            parts.append(element("path", d=path, fill="none", stroke=inks.faint, stroke_width=1))
    return "".join(parts), width, _LINE * len(lines)


def _size(panel: Panel, width: float) -> tuple[float, float]:
    """The width and the height of a panel, at most `width` wide and not too much enlarged."""
    _, _, wide, high = panel.window
    zoom = min(width / wide, MOST_ZOOM / panel.drawing.scale, _MOST_HEIGHT / high)
    return wide * zoom, high * zoom


def _board(panel: Panel, place: Window, inks: Inks) -> str:
    """The part of a board that a panel shows."""
    left, top, wide, high = panel.window
    drawing, picture = _without_far(panel.drawing, panel.window), panel.drawing.picture
    markup = drawing.markup(width=picture.width, height=picture.height)
    x, y, width, height = place
    seen = element(
        "svg", markup, x=x, y=y, width=width, height=height,
        viewBox=f"{left:.1f} {top:.1f} {wide:.1f} {high:.1f}",
    )  # fmt: skip
    frame = element("rect", x=x, y=y, width=width, height=height, fill="none", stroke=inks.faint)
    return seen + frame


def _without_far(drawing: Drawing, window: Window) -> Drawing:
    """A board without the provinces that a window does not show: they are most of its length."""
    seen = codes_within(drawing.picture, window)
    codes = province_paths(drawing.picture)
    paths = zip(codes, drawing.layers["provinces"], strict=True)
    kept = tuple(path for code, path in paths if code in seen)
    return replace(drawing, layers={**drawing.layers, "provinces": kept})


def _lines(notes: Iterable[Note], width: float) -> Iterator[tuple[Note, bool]]:
    """The notes in lines of a width, each with whether it begins a note."""
    for note in notes:
        for at, text in enumerate(wrapped(note.text, _TEXT, width - note.depth * _INDENT)):
            yield replace(note, text=text), not at


def wrapped(text: str, size: float, width: float) -> list[str]:
    """A text in lines of a width; only words that are longer make a line longer."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines or [""]


def _text(text: str, x: float, y: float, size: float, colour: str, *, bold: bool = False) -> str:
    weight: Mapping[str, object] = {"font_weight": "bold"} if bold else {}
    return element("text", words(text), x=x, y=y, font_size=size, fill=colour, **weight)


# --- apart ----------------------------------------------------------------------------------------

# Boards of several results of one phase, with what differs between them standing out.


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


# --- compared -------------------------------------------------------------------------------------


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
