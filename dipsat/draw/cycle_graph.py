"""Decision cycles as pictures: decisions, their dependences, and their values in each resolution.

The picture needs no board: a cycle is about decisions, and several of these may be about one unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import dist, hypot

from dipsat.base import checked, counted, grouped
from dipsat.draw.map_picture import Point
from dipsat.draw.markup import Svg, element, svg, width_of, words
from dipsat.draw.order_lines import spot
from dipsat.draw.sheets import Inks, inks_of
from dipsat.errors import QuestionError
from dipsat.outcomes import (
    VERDICTS,
    CycleDecision,
    DecisionCycle,
    Outcome,
    Proof,
    decision_cycles_of,
    solver_in_words,
)

# --- ring -----------------------------------------------------------------------------------------

# Where the boxes of a graph with cycles are placed, and the arrows between them.
#
# The boxes go clockwise along the arrows, and boxes equally far along are side by side. So a
# circular movement, in which each move depends on the next in several ways, is still a ring.


_GAP = (30.0, 46.0)  # between boxes side by side, and between rows
_BETWEEN = 64.0  # columns
_BENDS = (0.0, 0.14, -0.14, 0.3, -0.3, 0.5, -0.5, 0.8, -0.8, 1.15, -1.15, 1.5, -1.5)
"""How far an arrow may bend aside, as fractions of its length."""
_MOST_IN_TWO_COLUMNS = 8
_CLEAR = 4.0  # between an arrow and a box that it leads to
_APART = 8.0  # between an arrow and a box that it passes, or the opposite arrow
_HEAD = 9.0
_SAMPLES = 48
_RING_MARGIN = 12.0
_COST = 60.0  # of a sample in a box: how far an arrow may bend aside to avoid it

Link = tuple[int, int]
"""An arrow, as the numbers of two boxes."""
Curve = tuple[Point, Point, Point]
"""Where an arrow starts, the control point, and where it ends."""


@dataclass(frozen=True, slots=True)
class Ring:
    """The middles of boxes of one size, and the arrows between them."""

    middles: tuple[Point, ...]
    box: tuple[float, float]
    """The width and the height of a box."""
    curves: Mapping[Link, Curve]
    """The arrows."""
    size: tuple[float, float]
    """The width and the height of all boxes and arrows together."""


def ring_of(count: int, box: tuple[float, float], links: Iterable[Link]) -> Ring:
    """Place boxes of one size along their links. A link is the numbers of two boxes."""
    known = frozenset(links)
    groups = _along(count, known)
    places = _around([len(group) for group in groups], box)
    found: dict[int, Point] = {}
    for group, (x, y) in zip(groups, places, strict=True):
        step = box[0] + _GAP[0]
        for at, member in enumerate(group):
            found[member] = x + (at - (len(group) - 1) / 2) * step, y
    ways: dict[Link, Point] = {}
    for link in sorted(known):
        ways[link] = _way(found, box, link, ways)
    curves = {link: _between(found, box, link, way) for link, way in ways.items()}
    ends = [(x + side * box[0] / 2, y + side * box[1] / 2)
            for x, y in found.values() for side in (-1, 1)]  # fmt: skip
    ends += [_on(curve, 0.5) for curve in curves.values()]
    left, top = (min(end[at] for end in ends) - _RING_MARGIN for at in (0, 1))
    right, bottom = (max(end[at] for end in ends) + _RING_MARGIN for at in (0, 1))

    def moved(point: Point) -> Point:
        return point[0] - left, point[1] - top

    return Ring(
        tuple(moved(found[at]) for at in range(count)),
        box,
        {link: (moved(a), moved(b), moved(c)) for link, (a, b, c) in curves.items()},
        (right - left, bottom - top),
    )


def _way(
    middles: Mapping[int, Point], box: tuple[float, float], link: Link, ways: Mapping[Link, Point]
) -> Point:
    """The control point of an arrow: on the straight line, unless a box or the opposite arrow is in
    the way. `ways` has the control points of earlier arrows."""
    source, target = link
    start, end = middles[source], middles[target]
    if source == target:
        return start[0], start[1] + box[1] / 2 + 56
    others = [middle for at, middle in middles.items() if at not in link]
    length, back = dist(start, end), ways.get((target, source))
    costs: list[tuple[float, Point]] = []
    for bend in _BENDS:
        across, down = end[0] - start[0], end[1] - start[1]
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        way = middle[0] + bend * down, middle[1] - bend * across
        is_apart = back is None or dist(way, back) > 2 * _APART
        met = _met((start, way, end), others, box)
        costs.append((abs(bend) * length + _COST * met + (0 if is_apart else length), way))
    return min(costs, key=lambda one: one[0])[1]


def _between(
    middles: Mapping[int, Point], box: tuple[float, float], link: Link, way: Point
) -> Curve:
    """The arrow between two boxes, or from a box to itself."""
    start, end = (middles[at] for at in link)
    if link[0] == link[1]:
        bottom = end[1] + box[1] / 2
        return (end[0] - 26, bottom), way, (end[0] + 26, bottom + _CLEAR)
    return _at_box(start, way, box, 0.0), way, _at_box(end, way, box, _CLEAR)


def _on(curve: Curve, part: float) -> Point:
    """A point of a curve."""
    one, two, three = (1 - part) ** 2, 2 * part * (1 - part), part**2
    x, y = (one * a + two * b + three * c for a, b, c in zip(*curve, strict=True))
    return x, y


def _along(count: int, links: frozenset[Link]) -> list[list[int]]:
    """The boxes, grouped by distance from the first along the longest path without a circle."""
    after: Mapping[int, list[int]] = grouped(sorted(links))
    degree = [sum(at in link for link in links) for at in range(count)]
    order: list[int] = []  # each after the boxes that it leads to, unless a link closes a circle
    state = dict.fromkeys(range(count), 0)
    forward: dict[int, list[int]] = {at: [] for at in range(count)}

    def visit(at: int) -> None:
        state[at] = 1
        for other in after.get(at, ()):
            if state[other] != 1:
                forward[at].append(other)
            if not state[other]:
                visit(other)
        state[at] = 2
        order.append(at)

    for at in sorted(range(count), key=lambda at: (-degree[at], at)):
        if not state[at]:
            visit(at)
    far = dict.fromkeys(range(count), 0)
    for at in reversed(order):
        for other in forward[at]:
            far[other] = max(far[other], far[at] + 1)
    by_distance = grouped((far[at], at) for at in range(count))
    return [by_distance[distance] for distance in sorted(by_distance)]


def _around(members: Sequence[int], box: tuple[float, float]) -> list[Point]:
    """The middles of groups with these numbers of members, clockwise from the top left."""
    count = len(members)
    is_broad = count > _MOST_IN_TWO_COLUMNS
    top = 1 if is_broad and count > 2 else 0  # groups between the two columns
    low = top - (count % 2) if top else 0
    right = (count - top - low) // 2
    columns = [
        [0, *range(count - 1, top + right + low, -1)],
        list(range(1, 1 + top)) + list(range(top + right + 1, top + right + low + 1)),
        list(range(top + 1, top + right + 1)),
    ]
    has_groups = max(members) > 1 and not is_broad
    rows = max(map(len, columns)) + 2 * has_groups
    left, found = 0.0, {}
    for at, column in enumerate(columns):
        if not column:
            continue
        widest = max(members[one] for one in column)
        width = widest * box[0] + (widest - 1) * _GAP[0]
        # The groups between the columns are at the top and the bottom. The left column reaches
        # further up and down than the right one if arrows lead past one member to another.
        is_spread = at == 1 or (at == 0 and has_groups and len(column) > 1)
        for nth, one in enumerate(column):
            row = nth + (rows - len(column)) / 2
            if is_spread:
                row = nth * (rows - 1) / max(len(column) - 1, 1)
            found[one] = left + width / 2, row * (box[1] + _GAP[1])
        left += width + _BETWEEN
    return [found[at] for at in range(count)]


def arrow(curve: Curve, colour: str, *, bar: bool, **more: object) -> str:
    """An arrow that ends in a head or in a bar."""
    first, way, last = curve
    along = (last[0] - way[0], last[1] - way[1])
    length = hypot(*along) or 1.0
    ahead = (along[0] / length, along[1] / length)
    aside = (-ahead[1], ahead[0])
    neck = last if bar else _moved(last, ahead, -_HEAD)
    path = f"M{spot(first)}Q{spot(way)} {spot(neck)}"
    line = element("path", d=path, fill="none", stroke=colour, stroke_width=1.8)
    if bar:
        ends = [spot(_moved(last, aside, side * 7.5)) for side in (-1, 1)]
        tip = element("path", d=f"M{ends[0]}L{ends[1]}", stroke=colour, stroke_width=3.2)
    else:
        ends = [spot(_moved(neck, aside, side * 4.5)) for side in (-1, 1)]
        tip = element("path", d=f"M{ends[0]}L{spot(last)}L{ends[1]}Z", fill=colour)
    return element("g", line, tip, **more)


def _met(curve: Curve, others: Sequence[Point], box: tuple[float, float]) -> int:
    """How many samples of a curve are in boxes or close to them."""
    found = 0
    for at in range(1, _SAMPLES):
        x, y = _on(curve, at / _SAMPLES)
        for middle in others:
            beside, above = abs(x - middle[0]) - box[0] / 2, abs(y - middle[1]) - box[1] / 2
            found += beside < _APART and above < _APART
    return found


def _moved(point: Point, way: Point, by: float) -> Point:
    return point[0] + way[0] * by, point[1] + way[1] * by


def _at_box(middle: Point, towards: Point, box: tuple[float, float], clear: float) -> Point:
    """Where the line from the middle of a box to a point leaves the box."""
    across, down = towards[0] - middle[0], towards[1] - middle[1]
    ways = zip(box, (across, down), strict=True)
    parts = ((size / 2 + clear) / abs(way) for size, way in ways if abs(way) > 1e-9)
    part = min(parts, default=0.0)
    return middle[0] + across * part, middle[1] + down * part


# --- cycles ---------------------------------------------------------------------------------------


MOST_BOXES = 12
"""The most decisions of a cycle that are drawn as boxes; more are listed in a table."""
_MOST_CHIPS = 4  # values in a box
_MOST_COLUMNS = 12  # of resolutions in a table
_MARGIN = 20.0
_LINE = 19.0
_TITLE, _TEXT, _SMALL = 16.0, 13.0, 11.0
_BOX = 66.0  # the height of a box
_WORDS = {**VERDICTS, "dislodge": ("dislodged", "stays")}


@dataclass(frozen=True, slots=True)
class _Column:
    """Values of all decisions: in a resolution, under an assumption, or in the outcome."""

    mark: str
    values: Sequence[int | None]
    meaning: str
    framed: frozenset[int] = frozenset()
    """The decisions whose values are framed."""


@checked
def cycle(what: Outcome | Proof, *, dark: bool = False) -> Svg:
    """Return a picture of the decision cycles that `dipsat.adjudicate` or `dipsat.prove` has found.

    Each decision of a cycle is a box, and arrows lead to the decisions that depend on it. An arrow
    with a bar counts against the decision to which it leads: with an odd number of bars around a
    ring there is no resolution, with an even number there are several. The boxes contain the values
    in each resolution, or, if there is none, what follows from two assumptions that each contradict
    themselves; and last the values that the cycle rule set. More than twelve decisions are a table.

    `dark` draws a dark picture. Raises `QuestionError` if there is no decision cycle, or if none is
    known because limits were too low.
    """
    markup, width, height, title = drawn_cycles(what, inks_of(dark))
    if not title:
        is_open = what.verdict == "unknown" if isinstance(what, Proof) else not what.is_decided
        why = "the limits were too low to decide everything" if is_open else "none was met"
        raise QuestionError(f"there is no decision cycle to draw: {why}")
    wide, high = width + 2 * _MARGIN, height + 2 * _MARGIN
    paper = element("rect", width=wide, height=high, fill=inks_of(dark).paper)
    inner = element("g", markup, transform=f"translate({_MARGIN:g} {_MARGIN:g})")
    return svg(wide, high, [paper, inner], title, class_="dipsat-cycle")


def drawn_cycles(what: Outcome | Proof, inks: Inks) -> tuple[str, float, float, str]:
    """The decision cycles, one below the other: the markup, its width and height, and a title,
    which is "" if there are none."""
    found = decision_cycles_of(what)
    cores = {frozenset(one.cycle): one.core for one in what.subgraphs if one.cycle} if found else {}
    parts: list[str] = []
    width = top = 0.0
    for one in found:
        top += _MARGIN if parts else 0.0
        core = cores.get(frozenset(decision.name for decision in one.decisions), ())
        part, wide, high = _Cycle(one, inks).drawn(core)
        parts.append(_below(top, part))
        width, top = max(width, wide), top + high
    return "".join(parts), width, top, _title(found[0]) if found else ""


def _below(top: float, parts: Iterable[str]) -> str:
    return element("g", *parts, transform=f"translate(0 {top:g})")


def _title(one: DecisionCycle) -> str:
    count = len(one.resolutions)
    if not count:
        return "A decision cycle without a resolution"
    more = "" if one.is_complete else " or more"
    return f"A decision cycle with {count}{more} resolutions"


def _columns(one: DecisionCycle) -> Iterator[_Column]:
    for at, values in enumerate(one.resolutions[:_MOST_COLUMNS], 1):
        yield _Column(str(at), values, f"resolution {at}")
    for mark, tried in zip("ab", one.attempts, strict=False):
        about = one.decisions[tried.assumed]
        assumed, then = (_stated(about, v) for v in (tried.values[tried.assumed], tried.found))
        meaning = f"suppose that {_subject(about)} {assumed}: it follows that it {then}"
        yield _Column(mark, tried.values, meaning, frozenset({tried.assumed}))
    if one.rule is not None:
        how = "framed" if len(one.decisions) <= MOST_BOXES else "bold"
        meaning = f"the outcome: the rule '{one.rule}' sets what is {how}"
        yield _Column("=", one.outcome, meaning, one.settled)


def _subject(decision: CycleDecision) -> str:
    if decision.family in VERDICTS:
        return decision.about
    return f"{decision.family.replace('_', ' ')} of {decision.about}"


def _value(decision: CycleDecision, value: int | None) -> str:
    """A value as one word."""
    if value is None:
        return "unknown"
    if not decision.is_truth:
        return str(value)
    good, bad = _WORDS.get(decision.family, ("yes", "no"))
    return good if value else bad


def _stated(decision: CycleDecision, value: int) -> str:
    """The value of a truth decision as the end of a sentence about it."""
    said = _value(decision, value)
    return said if decision.family == "move" or said == "stays" else f"is {said}"


def _written(
    text: str, x: float | None, y: float, size: float, colour: str, is_bold: bool = False
) -> str:
    weight = "bold" if is_bold else None
    return element("text", words(text), x=x, y=y, font_size=size, font_weight=weight, fill=colour)


class _Cycle:
    """The picture of a decision cycle."""

    def __init__(self, one: DecisionCycle, inks: Inks) -> None:
        self.one, self.inks = one, inks
        self.columns = list(_columns(one))
        self.is_graph = len(one.decisions) <= MOST_BOXES
        has_chips = self.is_graph and len(self.columns) <= _MOST_CHIPS
        self.chips = self.columns if has_chips else []
        self.wide = [self._chip_width(column) for column in self.chips]
        """The minimum widths of the values in a box."""

    def drawn(self, core: Sequence[str]) -> tuple[list[str], float, float]:
        """Its parts, and their width and height. `core` has the units whose orders cause it."""
        title, inks = _title(self.one), self.inks
        parts = [_written(title, None, _TITLE, _TITLE, inks.text, is_bold=True)]
        width, top = width_of(title, _TITLE) * 1.1, _TITLE + 14
        if self.is_graph:
            links = [(link.source, link.target) for link in self.one.dependences]
            ring = ring_of(len(self.one.decisions), (self._box_width(), _BOX), links)
            parts.append(_below(top, self._graph(ring)))
            width, top = max(width, ring.size[0]), top + ring.size[1] + 10
        if not self.chips:
            rows, wide, high = self._table()
            parts.append(_below(top, rows))
            width, top = max(width, wide), top + high + 6
        notes = list(self._notes(core))
        for mark, text in notes:
            top += _LINE
            parts += self._note(mark, text, top)
        width = max(width, *(width_of(text, _TEXT) + 34 for _, text in notes))
        return parts, width, top + 6

    # --- the graph --------------------------------------------------------------------------------

    def _box_width(self) -> float:
        """Wide enough for the texts and values of every decision."""
        texts = [width_of(decision.about, _TEXT) * 1.08 for decision in self.one.decisions]
        texts += [width_of(decision.family, _SMALL) for decision in self.one.decisions]
        return max(110.0, *texts, sum(wide + 4 for wide in self.wide)) + 16

    def _chip_width(self, column: _Column) -> float:
        pairs = zip(self.one.decisions, column.values, strict=True)
        return max(width_of(_value(*pair), _SMALL) for pair in pairs) + 24

    def _graph(self, ring: Ring) -> Iterator[str]:
        decisions, inks = self.one.decisions, self.inks
        for link in self.one.dependences:
            bar = link.sign < 0
            yield arrow(
                ring.curves[link.source, link.target],
                inks.bad if bar else inks.line,
                bar=bar,
                class_="turns" if bar else "depends",
                data_from=decisions[link.source].name,
                data_to=decisions[link.target].name,
            )
        for at in range(len(decisions)):
            yield self._box(at, ring)

    def _box(self, at: int, ring: Ring) -> str:
        decision, inks, (x, y), (width, height) = (
            self.one.decisions[at], self.inks, ring.middles[at], ring.box,
        )  # fmt: skip
        height -= 0 if self.chips else 20
        left, top = x - width / 2, y - height / 2
        frame = element(
            "rect", x=left, y=top, width=width, height=height, rx=7,
            fill=inks.box, stroke=inks.line, stroke_width=1.2,
        )  # fmt: skip
        family, about = decision.family.replace("_", " "), decision.about
        texts = (
            _written(family, left + 9, top + 15, _SMALL, inks.faint),
            _written(about, left + 9, top + 32, _TEXT, inks.text, is_bold=True),
        )
        spare = (width - 16 - sum(wide + 4 for wide in self.wide)) / (len(self.wide) or 1)
        chips, beside = [], left + 8
        for column, wide in zip(self.chips, self.wide, strict=True):
            chips.append(self._chip(at, column, beside, top + 40, wide + spare))
            beside += wide + spare + 4
        return element("g", frame, *texts, *chips, class_="decision", data_name=decision.name)

    def _chip(self, at: int, column: _Column, x: float, y: float, width: float) -> str:
        """The value of a decision in a column."""
        decision, value, inks = self.one.decisions[at], column.values[at], self.inks
        tone = inks.number
        if decision.is_truth and value is not None:
            tone = inks.true if value else inks.false
        is_framed = at in column.framed
        frame = element(
            "rect", x=x, y=y, width=width, height=19, rx=4, fill=tone,
            stroke=inks.text if is_framed else None, stroke_width=2 if is_framed else None,
        )  # fmt: skip
        mark = _written(column.mark, x + 6, y + 13.5, _SMALL, inks.faint)
        shown = _written(_value(decision, value), x + 18, y + 13.5, _SMALL, inks.text)
        names = f"value{' framed' * is_framed}"
        return element("g", frame, mark, shown, class_=names, data_column=column.mark)

    # --- the table, and what stands below ---------------------------------------------------------

    def _table(self) -> tuple[list[str], float, float]:
        """All decisions in rows, each with the numbers of the decisions on which it depends."""
        needed = grouped(
            (link.target, f"{'-' if link.sign < 0 else ''}{link.source + 1}")
            for link in self.one.dependences
        )
        head = ["", "decision", "depends on", *(column.mark for column in self.columns)]
        rows = [
            [str(at + 1), decision.name, ", ".join(needed.get(at, ())),
             *(_value(decision, column.values[at]) for column in self.columns)]
            for at, decision in enumerate(self.one.decisions)
        ]  # fmt: skip
        widths = [max(width_of(text, _SMALL) for text in texts) + 14
                  for texts in zip(head, *rows, strict=True)]  # fmt: skip
        lefts = [sum(widths[:at]) for at in range(len(head))]
        found = []
        framed = [frozenset[int]()] * 3 + [column.framed for column in self.columns]
        for line, row in enumerate([head, *rows]):
            colour = self.inks.text if line else self.inks.faint
            cells = [
                element(
                    "text", words(text), x=left, y=line * 17 + 12, font_size=_SMALL, fill=colour,
                    font_weight="bold" if line - 1 in framed[at] else None,
                )
                for at, (text, left) in enumerate(zip(row, lefts, strict=True))
                if text
            ]  # fmt: skip
            name = self.one.decisions[line - 1].name if line else None
            found.append(element("g", *cells, class_="decision" if line else None, data_name=name))
        return found, sum(widths), 17.0 * (len(rows) + 1)

    def _notes(self, core: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The lines of text below: the mark and the text of each."""
        one = self.one
        for column in self.columns:
            if len(one.resolutions) <= _MOST_CHIPS or column.mark == "=":
                yield column.mark, column.meaning
        more = len(one.resolutions) - _MOST_COLUMNS
        if more > 0:
            yield "", f"and {counted(more, 'more resolution')} that this picture leaves out"
        if not one.resolutions and not one.attempts:
            yield "", "No values of all decisions satisfy all equations."
        if one.rule is None:
            yield "", "The profile has no rule for this cycle."
        yield "", f"The resolutions are counted by {solver_in_words(one.solver)}."
        if self.is_graph:
            yield "arrow", "supports what it leads to"
            if any(link.sign < 0 for link in one.dependences):
                yield "bar", "opposes what it leads to"
        else:
            yield "", "a number with a minus: that decision opposes this one"
        if core:
            yield "", f"The orders of these units cause it: {', '.join(core)}"

    def _note(self, mark: str, text: str, y: float) -> list[str]:
        """A line of text, after its mark or a small arrow."""
        inks, middle = self.inks, y - 4.5
        shown = _written(text, 34 if mark else 0, y, _TEXT, inks.text)
        if mark not in ("arrow", "bar"):
            return [_written(mark, 8, y, _TEXT, inks.text, is_bold=True)] * bool(mark) + [shown]
        colour = inks.bad if mark == "bar" else inks.line
        line = element("path", d=f"M2 {middle:g}H20", stroke=colour, stroke_width=1.8)
        if mark == "bar":
            path = f"M22 {middle - 7:g}V{middle + 7:g}"
            return [line, element("path", d=path, stroke=colour, stroke_width=3.2), shown]
        path = f"M18 {middle - 4.5:g}L27 {middle:g}L18 {middle + 4.5:g}Z"
        return [line, element("path", d=path, fill=colour), shown]
