"""Decision cycles as pictures: the decisions, what depends on what, and what each resolution says.

The picture does not need a board: a cycle is about decisions, and several may be about one unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dipsat.errors import QuestionError
from dipsat.errors.arguments import checked
from dipsat.proof.decision_cycles import (
    CycleDecision,
    DecisionCycle,
    decision_cycles_of,
)
from dipsat.proof.evidence import solver_in_words
from dipsat.proof.order_outcome import VERDICTS
from dipsat.proof.outcome import Outcome
from dipsat.proof.proof import Proof
from dipsat.svg.markup import Svg, element, svg, width_of, words
from dipsat.svg.reasons.inks import Inks, inks_of
from dipsat.svg.reasons.ring import Ring, arrow, ring_of
from dipsat.tables import counted

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
    """Values of all decisions: in a resolution, under an assumption, or in the end."""

    mark: str
    values: Sequence[int | None]
    meaning: str
    framed: frozenset[int] = frozenset()
    """The decisions whose value stands out."""


@checked
def cycle(what: Outcome | Proof, *, dark: bool = False) -> Svg:
    """Return a picture of the decision cycles that `dipsat.adjudicate` or `dipsat.prove` has met.

    Each decision of a cycle is a box, and arrows lead to what depends on it. An arrow with a bar
    speaks against it: with an odd number of them around a ring there is no resolution, with an even
    number there are several. In the boxes are the values in each resolution; if there is none, what
    follows from two assumptions that each contradict themselves; and in the end, what the cycle
    rule made of it. More than twelve decisions are a table.

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
    """The decision cycles below each other: the markup, its width and height, and a title, which is
    "" if there are none."""
    found = decision_cycles_of(what)
    cores = {frozenset(one.cycle): one.core for one in what.subgraphs if one.cycle} if found else {}
    parts: list[str] = []
    width = top = 0.0
    for one in found:
        top += _MARGIN if parts else 0.0
        core = cores.get(frozenset(decision.name for decision in one.decisions), ())
        part, wide, high = _drawn(one, core, inks)
        parts.append(element("g", *part, transform=f"translate(0 {top:g})"))
        width, top = max(width, wide), top + high
    return "".join(parts), width, top, _title(found[0]) if found else ""


def _drawn(one: DecisionCycle, core: Sequence[str], inks: Inks) -> tuple[list[str], float, float]:
    """The parts of a cycle's picture, and their width and height."""
    columns = list(_columns(one))
    title = element(
        "text", words(_title(one)), y=_TITLE, font_size=_TITLE, font_weight="bold", fill=inks.text
    )
    is_graph = len(one.decisions) <= MOST_BOXES
    has_chips = is_graph and len(columns) <= _MOST_CHIPS
    parts, width, top = [title], width_of(_title(one), _TITLE) * 1.1, _TITLE + 14
    if is_graph:
        box = (_box_width(one, columns if has_chips else ()), _BOX)
        links = [(link.source, link.target) for link in one.dependences]
        ring = ring_of(len(one.decisions), box, links)
        graph = _graph(one, ring, columns if has_chips else (), inks)
        parts.append(element("g", *graph, transform=f"translate(0 {top:g})"))
        width, top = max(width, ring.size[0]), top + ring.size[1] + 10
    if not has_chips:
        rows, wide, high = _table(one, columns, inks)
        parts.append(element("g", *rows, transform=f"translate(0 {top:g})"))
        width, top = max(width, wide), top + high + 6
    notes = list(_notes(one, core, columns, is_graph))
    for mark, text, tone in notes:
        top += _LINE
        parts += _note(mark, text, tone, top, inks)
    width = max(width, *(width_of(text, _TEXT) + 34 for _, text, _ in notes))
    return parts, width, top + 6


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
    """A value in a word."""
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


# --- the graph ------------------------------------------------------------------------------------


def _box_width(one: DecisionCycle, columns: Sequence[_Column]) -> float:
    """Wide enough for the texts and values of every decision."""
    texts = [width_of(decision.about, _TEXT) * 1.08 for decision in one.decisions]
    texts += [width_of(decision.family, _SMALL) for decision in one.decisions]
    chips = sum(_chip_width(one, column) + 4 for column in columns)
    return max(110.0, *texts, chips) + 16


def _chip_width(one: DecisionCycle, column: _Column) -> float:
    shown = (
        _value(decision, value)
        for decision, value in zip(one.decisions, column.values, strict=True)
    )
    return max(width_of(text, _SMALL) for text in shown) + 24


def _graph(one: DecisionCycle, ring: Ring, columns: Sequence[_Column], inks: Inks) -> Iterator[str]:
    for link in one.dependences:
        bar = link.sign < 0
        yield arrow(
            ring.curves[link.source, link.target],
            inks.bad if bar else inks.line,
            bar=bar,
            class_="turns" if bar else "depends",
            data_from=one.decisions[link.source].name,
            data_to=one.decisions[link.target].name,
        )
    for at, decision in enumerate(one.decisions):
        yield _box(one, at, decision, ring, columns, inks)


def _box(
    one: DecisionCycle,
    at: int,
    decision: CycleDecision,
    ring: Ring,
    columns: Sequence[_Column],
    inks: Inks,
) -> str:
    x, y = ring.middles[at]
    width, height = ring.box
    height -= 0 if columns else 20
    left, top = x - width / 2, y - height / 2
    frame = element(
        "rect", x=left, y=top, width=width, height=height, rx=7,
        fill=inks.box, stroke=inks.line, stroke_width=1.2,
    )  # fmt: skip
    family = element(
        "text", words(decision.family.replace("_", " ")), x=left + 9, y=top + 15,
        font_size=_SMALL, fill=inks.faint,
    )  # fmt: skip
    about = element(
        "text", words(decision.about), x=left + 9, y=top + 32,
        font_size=_TEXT, font_weight="bold", fill=inks.text,
    )  # fmt: skip
    chips = []
    spare = (width - 16 - sum(_chip_width(one, column) + 4 for column in columns)) / (
        len(columns) or 1
    )
    beside = left + 8
    for column in columns:
        wide = _chip_width(one, column) + spare
        chips.append(_chip(decision, at, column, (beside, top + 40), wide, inks))
        beside += wide + 4
    return element("g", frame, family, about, *chips, class_="decision", data_name=decision.name)


def _chip(
    decision: CycleDecision,
    at: int,
    column: _Column,
    corner: tuple[float, float],
    width: float,
    inks: Inks,
) -> str:
    """The value of a decision in a column."""
    value = column.values[at]
    tone = inks.number
    if decision.is_truth and value is not None:
        tone = inks.true if value else inks.false
    is_framed = at in column.framed
    x, y = corner
    frame = element(
        "rect", x=x, y=y, width=width, height=19, rx=4, fill=tone,
        stroke=inks.text if is_framed else None, stroke_width=2 if is_framed else None,
    )  # fmt: skip
    mark = element(
        "text", words(column.mark), x=x + 6, y=y + 13.5, font_size=_SMALL, fill=inks.faint
    )
    shown = element(
        "text", words(_value(decision, value)), x=x + 18, y=y + 13.5, font_size=_SMALL,
        fill=inks.text,
    )  # fmt: skip
    return element(
        "g", frame, mark, shown, class_=f"value{' framed' * is_framed}", data_column=column.mark
    )


# --- the table, and what stands below -------------------------------------------------------------


def _table(
    one: DecisionCycle, columns: Sequence[_Column], inks: Inks
) -> tuple[list[str], float, float]:
    """All decisions in rows, with the numbers of those that each depends on."""
    needed: dict[int, list[str]] = {}
    for link in one.dependences:
        sign = "-" if link.sign < 0 else ""
        needed.setdefault(link.target, []).append(f"{sign}{link.source + 1}")
    head = ["", "decision", "depends on", *(column.mark for column in columns)]
    rows = [
        [str(at + 1), decision.name, ", ".join(needed.get(at, ())),
         *(_value(decision, column.values[at]) for column in columns)]
        for at, decision in enumerate(one.decisions)
    ]  # fmt: skip
    widths = [
        max(width_of(row[at], _SMALL) for row in [head, *rows]) + 14 for at in range(len(head))
    ]
    lefts = [sum(widths[:at]) for at in range(len(head))]
    found = []
    for line, row in enumerate([head, *rows]):
        cells = [
            element(
                "text", words(text), x=left, y=line * 17 + 12, font_size=_SMALL,
                fill=inks.text if line else inks.faint,
                font_weight="bold" if line and _is_framed(columns, at - 3, line - 1) else None,
            )
            for at, (text, left) in enumerate(zip(row, lefts, strict=True))
            if text
        ]  # fmt: skip
        name = one.decisions[line - 1].name if line else None
        found.append(element("g", *cells, class_="decision" if line else None, data_name=name))
    return found, sum(widths), 17.0 * (len(rows) + 1)


def _is_framed(columns: Sequence[_Column], column: int, decision: int) -> bool:
    return column >= 0 and decision in columns[column].framed


def _notes(
    one: DecisionCycle, core: Sequence[str], columns: Sequence[_Column], is_graph: bool
) -> Iterator[tuple[str, str, str]]:
    """What stands below: (mark, text, tone) of each line."""
    for column in columns:
        if len(one.resolutions) <= _MOST_CHIPS or column.mark == "=":
            yield column.mark, column.meaning, ""
    more = len(one.resolutions) - _MOST_COLUMNS
    if more > 0:
        yield "", f"and {counted(more, 'more resolution')} that this picture leaves out", ""
    if not one.resolutions and not one.attempts:
        yield "", "No values of all decisions satisfy all equations.", ""
    if one.rule is None:
        yield "", "The profile has no rule for this cycle.", ""
    yield "", f"The resolutions are counted by {solver_in_words(one.solver)}.", ""
    turns = sum(link.sign < 0 for link in one.dependences)
    if is_graph:
        yield "arrow", "speaks for what it leads to", "line"
        if turns:
            yield "bar", "speaks against what it leads to", "bad"
    else:
        yield "", "a number with a minus: that decision speaks against this one", ""
    if core:
        yield "", f"The orders of these units cause it: {', '.join(core)}", ""


def _note(mark: str, text: str, tone: str, y: float, inks: Inks) -> list[str]:
    """A line of text, after its mark or a small arrow."""
    shown = element("text", words(text), x=34 if mark else 0, y=y, font_size=_TEXT, fill=inks.text)
    if not mark:
        return [shown]
    if not tone:
        label = words(mark)
        bold = element("text", label, x=8, y=y, font_size=_TEXT, font_weight="bold", fill=inks.text)
        return [bold, shown]
    colour, middle = inks.bad if mark == "bar" else inks.line, y - 4.5
    line = element("path", d=f"M2 {middle:g}H20", stroke=colour, stroke_width=1.8)
    if mark == "bar":
        path = f"M22 {middle - 7:g}V{middle + 7:g}"
        return [line, element("path", d=path, stroke=colour, stroke_width=3.2), shown]
    path = f"M18 {middle - 4.5:g}L27 {middle:g}L18 {middle + 4.5:g}Z"
    return [line, element("path", d=path, fill=colour), shown]
