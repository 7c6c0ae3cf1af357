"""Why an order had its result, on the board: `dipsat.draw.explain`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dipsat.draw.board_drawing import Drawing, Look, draw
from dipsat.draw.board_picture import scene_of
from dipsat.draw.map_picture import Point
from dipsat.draw.markup import Svg
from dipsat.draw.sheets import (
    Note,
    Panel,
    corners,
    free_place,
    light,
    points_of,
    sheet,
    strength,
    styles_of,
    window_around,
)
from dipsat.errors import QuestionError
from dipsat.outcomes import ExplanationNode, OrderOutcome, Outcome, lines_of_proof
from dipsat.rules import citations_in_words
from dipsat.searches import Explanation, change_in_words, responsible_in_words

_WIDTH = 660.0
_MEANING = "Lit: the order asked about. Numbers: strengths of attacks and of units that hold."
_HEAD = 0.8  # where on an arrow its strength is written
_LEVELS = 3  # of the tree, whose strengths are written on the board
_MOST = 40  # units that stand out; for a larger tree, nothing is faint


def explain(what: Explanation, *, dark: bool = False) -> Svg:
    """Return a picture of an explanation that `dipsat.explain` has made: the tree on the board.

    It shows the part of the board that the explanation is about. The order asked about is lit;
    orders that have nothing to do with it are faint. Numbers at arrows and units are strengths: of
    an attack, of preventing other attacks, or of holding. The rules that decided and the tree in
    words are below.

    `dark` draws a dark picture. Raises `QuestionError` for an explanation without its outcome.
    """
    drawing, units, has_numbers = _drawing(what, dark)
    window = window_around(drawing.picture, points_of(drawing, units))
    notes: list[Note] = []
    if what._outcome is not None and what.citations:
        notes.append(Note(citations_in_words(what._outcome.profile, what.citations)))
    notes += [note for child in what.tree.children for note in _notes(child, 0)]
    if has_numbers:
        notes.append(Note(_MEANING, is_faint=True))
    if what.core is not None:
        notes.append(Note(responsible_in_words(what.core)))
    if what.change is not None:
        notes.append(Note(change_in_words(what.change, what.power)))
    if what._outcome is not None:
        notes += map(Note, lines_of_proof(what._outcome))
    return sheet(
        [Panel(drawing, window)], what.tree.text, notes, width=_WIDTH, dark=dark,
        names="dipsat-explanation",
    )  # fmt: skip


def explained_board(what: Explanation, dark: bool = False) -> Svg:
    """The whole board with an explanation on it, without the tree in words. Raises `QuestionError`
    as `explain` does."""
    return _drawing(what, dark)[0].svg()


def _drawing(what: Explanation, dark: bool) -> tuple[Drawing, set[str], bool]:
    """The board with an explanation, the units that it is about, and whether it has numbers."""
    outcome = what._outcome
    if outcome is None:
        raise QuestionError("this explanation was not made by `dipsat.explain`: it has no board")
    orders = _orders_in(outcome, what)
    units = {order.unit for order in orders.values()} | {what.unit}
    focus = frozenset(units) if len(units) <= _MOST else None
    drawing = draw(scene_of(outcome), Look(dark=dark, focus=focus))
    lit = light(drawing, what.unit, "about")
    numbers = list(_strengths(drawing, outcome, what.tree, orders))
    drawing = drawing.with_layer("regions", lit, styles=styles_of(dark))
    return drawing.with_layer("badges", *numbers), units, bool(numbers)


def _nodes(node: ExplanationNode, levels: int = 10**6) -> Iterator[ExplanationNode]:
    yield node
    for child in node.children if levels else ():
        yield from _nodes(child, levels - 1)


def _orders_in(outcome: Outcome, what: Explanation) -> Mapping[str, OrderOutcome]:
    """The orders that an explanation names, by their texts, and those that caused their results."""
    by_text = {order.order: order for order in outcome.orders}
    by_unit = {order.unit: order for order in outcome.orders}
    texts = dict.fromkeys(text for node in _nodes(what.tree) for text in node.orders)
    if what.core is not None:
        texts |= dict.fromkeys(what.core.orders)
    found = {text: by_text[text] for text in texts if text in by_text}
    for order in [by_unit[what.unit], *found.values()] if what.unit in by_unit else []:
        for unit in order.reason.because:
            if unit in by_unit:
                found[by_unit[unit].order] = by_unit[unit]
    return found


def _strengths(
    drawing: Drawing, outcome: Outcome, tree: ExplanationNode, orders: Mapping[str, OrderOutcome]
) -> Iterator[str]:
    """The strengths in a tree, each at the place where its unit attacks or stands."""
    taken: list[Point] = []
    shown: set[tuple[str, str]] = set()
    for node in _nodes(tree, _LEVELS):
        family = outcome.profile.decisions.get(node.decision.partition("(")[0])
        if node.refers or node.value is None or family is None or family.type.is_truth:
            continue
        about, value = node.decision.partition("(")[2], str(node.value)
        point = _place(drawing, node, orders, taken)
        if point is not None and (about, value) not in shown:
            shown.add((about, value))
            taken.append(point)
            yield strength(value, point, drawing.scale, node.decision)


def _place(
    drawing: Drawing,
    node: ExplanationNode,
    orders: Mapping[str, OrderOutcome],
    taken: Sequence[Point],
) -> Point | None:
    """Where a strength is written: at the head of an attack, else at the unit that holds."""
    about = node.decision.partition("(")[2].removesuffix(")")
    radius = 10 * drawing.scale
    for text in node.orders:
        order = orders.get(text)
        if order is None:
            continue
        line = drawing.line(order.unit)
        is_attack = about.startswith(text) and line is not None and line.kind == "move"
        if is_attack and line is not None and line.curve is not None:
            (x, y), (ahead, down) = line.curve.at(_HEAD), line.curve.heading(_HEAD)
            sides = [
                (x + side * down, y - side * ahead) for side in (1.25 * radius, -1.25 * radius)
            ]
            return free_place(drawing, sides, taken)
        place = drawing.place(order.unit.rpartition(" ")[2])
        if place is not None:
            return free_place(drawing, corners(place, 1.5 * radius), taken)
    return None


def _notes(node: ExplanationNode, depth: int) -> Iterator[Note]:
    yield Note(node.text, depth, node.refers)
    for child in node.children:
        yield from _notes(child, depth + 1)
