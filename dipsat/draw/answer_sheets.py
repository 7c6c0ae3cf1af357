"""Answers on boards: `dipsat.draw.search` for questions about all orders, `dipsat.draw.line` for
stalemate lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dipsat.base import grouped, unlimited
from dipsat.board import province_of
from dipsat.draw.board_drawing import Drawing, Look, draw, tip_of
from dipsat.draw.board_picture import scene_of
from dipsat.draw.comparison_sheets import differing_units, side_by_side
from dipsat.draw.cycle_graph import drawn_cycles
from dipsat.draw.map_picture import Point
from dipsat.draw.markup import Svg, element
from dipsat.draw.order_lines import Scene, bent
from dipsat.draw.sheets import (
    Block,
    Note,
    Panel,
    corners,
    free_place,
    inks_of,
    points_of,
    sheet,
    strength,
    styles_of,
    window_around,
)
from dipsat.errors import PictureError, QuestionError, UnresolvedError
from dipsat.game import Position
from dipsat.orders import SupportHold
from dipsat.outcomes import Comparison, Outcome, adjudicate, labels_of
from dipsat.searches import (
    FOUND,
    HOLDS,
    HoldResult,
    LinesResult,
    SearchResult,
    StalemateLine,
    facts_of,
    headline_of,
)

_ONE = 640.0


def search(what: SearchResult, *, dark: bool = False) -> Svg:
    """Return a picture of the answer to a question that `dipsat.search` was asked.

    Orders that were found are on the board with their results: for a paradox above its decision
    cycle, for a difference under both rules side by side. The orders of a guarantee have no
    results, since the other units may have any orders. If no orders were found, the board is the
    position.

    `dark` draws a dark picture. Raises `QuestionError` for an answer that is not from
    `dipsat.search`.
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
    except UnresolvedError as error:  # the rules have no entry for the cycle
        return _one(scene_of(position, what.orders), headline, (*facts_of(what), str(error)), dark)
    if what.question._other_rules:
        found = Comparison(what.rules, tuple(outcomes))
        notes, units = [Note(fact) for fact in facts_of(what)], differing_units(found)
        return side_by_side(outcomes, labels_of(found), units, headline, notes, dark)
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
    drawing = draw(scene, Look(dark=dark))
    units = () if scene.position is None else scene.position.units
    window = window_around(drawing.picture, points_of(drawing, map(str, units)))
    notes = [Note(fact) for fact in facts]
    return sheet(
        [Panel(drawing, window)], headline, notes, width=_ONE, dark=dark, below=below,
        names="dipsat-search",
    )  # fmt: skip


# --- stalemate lines ------------------------------------------------------------------------------

_WIDTH = 860.0
_HEAD = 6.0
_ROOM = 22.0, 8.0  # half the width and height of a strength such as 10 : 10
_MEANING = (
    "At a unit, 2 : 3 means that at most two can attack it, and three hold it if no support is cut."
)
_SORTIES = " Units that go out keep attackers busy; the numbers ignore this."


def line(what: HoldResult | LinesResult, *, dark: bool = False) -> Svg:
    """Return a picture of a stalemate line that `dipsat.searches.hold_line` has judged, or of the
    first of the lines found.

    The region that no enemy may enter is green; the line is shown with its orders. For a line that
    holds, dashed arrows come from wherever an enemy could attack one of its units, and numbers such
    as `2 : 3` compare the most units that can attack with the strength that holds. For a line that
    breaks, the board is the position that breaks it, with orders and results; what falls is red.

    `dark` draws a dark picture. Raises `PictureError` if no line was found.
    """
    if isinstance(what, LinesResult):
        if not what.held:
            raise PictureError("no line was found, so there is nothing to draw")
        what = what.held[0]
    line = what.line
    if what.witness is not None:
        scene = scene_of(what.witness.outcome)
    else:
        units_held = {line.power: [str(unit) for unit in line.units]}
        position = Position.from_units(units_held, line.map, unknown_centers=line.map.centers)
        scene = scene_of(position, {line.power: what.orders})
    drawing = draw(scene, Look(dark=dark))
    drawing = drawing.with_provinces(sorted(line.region), "region")
    drawing = drawing.with_provinces(sorted(line.by_province), "held")
    seen, strengths = [*line.region, *line.by_province], dict[str, Point]()
    notes = [Note(f"Line: {', '.join(what.orders)}")]
    notes.append(Note(f"Region: {', '.join(sorted(line.region)) or 'the line alone'}"))
    if what.witness is not None:
        fallen = [*what.witness.entered]
        fallen += [province_of(unit.rpartition(" ")[2]) for unit in what.witness.dislodged]
        drawing = drawing.with_provinces(dict.fromkeys(fallen), "broken")
        units = (unit for units in what.witness.units.values() for unit in units)
        seen += [unit.rpartition(" ")[2] for unit in units]
        powers = (power for power in what.witness.orders if power != line.power)
        orders = [order for power in powers for order in what.witness.orders[power]]
        notes.insert(0, Note(f"Against it: {'; '.join(orders) or 'nothing'}"))
    elif what.verdict == HOLDS:
        threats = _threats(line)
        strengths = _places_of_strengths(drawing, line, threats)
        drawing = _with_threats(drawing, line, threats, strengths, what)
        seen += [code for codes in threats.values() for code in codes]
        notes.insert(0, Note(_MEANING + _SORTIES * bool(line.outposts)))
    points = [*points_of(drawing, (), seen), *strengths.values()]
    window = window_around(drawing.picture, points)
    drawing = drawing.with_layer("badges", styles=styles_of(dark))
    return sheet(
        [Panel(drawing, window)], _headline(what), notes, width=_WIDTH, dark=dark,
        names="dipsat-line",
    )  # fmt: skip


def _headline(what: HoldResult) -> str:
    rules = what.line.rules.name
    if what.witness is not None:
        found = [f"{unit} is dislodged" for unit in what.witness.dislodged]
        found += [f"an enemy stands in {code}" for code in what.witness.entered]
        found += [f"{unit} is astray" for unit in what.witness.strayed[:1]]
        return f"The line breaks: {', '.join(found)}"
    if what.verdict == HOLDS:
        return f"The line holds whatever the enemy does: proven under the rules {rules}"
    return f"Whether the line holds is unknown: {what.reason}"


def _threats(line: StalemateLine) -> Mapping[str, list[str]]:
    """Province of the line -> the provinces from which an enemy could attack it."""
    found = {
        (target, enemy.province): None
        for enemy in line.enemies
        for target in sorted(line.map.reach_provinces(enemy.kind, enemy.location))
        if target in line.by_province
    }
    return grouped(sorted(found))


def _places_of_strengths(
    drawing: Drawing, line: StalemateLine, threats: Iterable[str]
) -> dict[str, Point]:
    """Province of the line -> where its strength is written, if possible inside the picture."""
    found, picture = dict[str, Point](), drawing.picture
    wide, high = _ROOM[0] * drawing.scale, _ROOM[1] * drawing.scale

    def is_inside(point: Point) -> bool:
        x, y = point
        return wide <= x <= picture.width - wide and high <= y <= picture.height - high

    for target in threats:
        place = drawing.place(line.by_province[target].location)
        if place is None:
            continue
        around = corners(place, 16 * drawing.scale)
        inside = list(filter(is_inside, around))
        found[target] = free_place(drawing, inside or around, found.values())
    return found


def _with_threats(
    drawing: Drawing, line: StalemateLine, threats: Mapping[str, list[str]],
    places: Mapping[str, Point], what: HoldResult,
) -> Drawing:  # fmt: skip
    """The board with an arrow for every possible attack, and the strengths."""
    arrows = [
        _threat(drawing, origin, target)
        for target, origins in threats.items()
        for origin in origins
    ]
    held = _strengths(what)
    badges = []
    for target, point in places.items():
        origins = threats[target]
        most = len(origins) if line.enemy.units is None else min(len(origins), line.enemy.units)
        text, told = f"{most} : {held[target]}", f"attacks on {line.by_province[target]}"
        badges.append(strength(text, point, drawing.scale, told))
    return drawing.with_layer("orders", *filter(None, arrows)).with_layer("badges", *badges)


def _strengths(what: HoldResult) -> Mapping[str, int]:
    """Province of the line -> the strength with which its unit holds if no support is cut."""
    found = dict.fromkeys(what.line.by_province, 1)
    reader = Position.from_units({}, what.line.map).reader
    for text in what.orders:
        order = reader.read(text)
        if isinstance(order, SupportHold):
            found[province_of(order.supported.location)] += 1
    return found


def _threat(drawing: Drawing, origin: str, target: str) -> str:
    start, end = drawing.place(origin), drawing.place(target)
    if start is None or end is None:
        return ""
    scale, size = drawing.scale, _HEAD * drawing.scale
    curve = bent(start, end, 0.0).trimmed(4 * scale, 15 * scale)
    return element(
        "g",
        element("path", class_="threat", d=curve.path),
        element("path", class_="threat-head", d=tip_of(curve, size, 0.5 * size)),
        data_from=origin,
        data_to=target,
    )
