"""Judges: engines with their rules, what they decide about a phase, and how two differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from operator import eq
from typing import Any, TypeAlias

from dipsat.base import Plain, brief, checked, checked_fields, counted
from dipsat.board import Map, UnitKind, province_of
from dipsat.errors import (
    DipsatError,
    EngineError,
    ImpossibleBoardError,
    NotMadeForError,
    QuestionError,
    UndecidedError,
    UnresolvedError,
    shortened,
)
from dipsat.game import Position, PowerOrders
from dipsat.orders import (
    Convoy,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
    UnitName,
    reader_for,
    write_order,
)
from dipsat.outcomes import (
    Engine,
    EngineOutcome,
    MovementOutcome,
    adjudicate,
    find_engine,
)
from dipsat.rules import Profile, load_profile, with_variant
from dipsat.studies.engine_names import SOLVER
from dipsat.studies.options import Extent
from dipsat.studies.sheet import Sheet, SheetRow, movement_order, shrunk
from dipsat.studies.sources import Rules


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Judge:
    """An engine with its rules, as `dipsat.adjudicate` takes both."""

    engine: str | Engine
    """The name of an engine, perhaps with options, or an engine of your own."""
    rules: Rules | None = None
    """Its rules; None to take those that each phase names."""
    name: str = ""
    """Its name in reports; "" for `ENGINE:PROFILE`, or only the engine."""

    @property
    def label(self) -> str:
        """The name of the judge in reports."""
        engine = self.engine if isinstance(self.engine, str) else self.engine.name
        rules = self.rules.name if isinstance(self.rules, Profile) else self.rules
        return self.name or (engine if rules is None else f"{engine}:{rules}")

    @checked
    def options(self, default: Rules, variant: str = "") -> str:
        """Return the options that make `dipsat adjudicate` this judge, for a phase of a
        variant."""
        rules = named_rules(self.rules or default, variant)
        engine = self.engine if isinstance(self.engine, str) else self.engine.name
        return f"--rules {rules}" + ("" if engine == SOLVER else f" --engine {engine}")


def named_rules(rules: Rules, variant: str = "") -> str:
    """The name of rules with a variant laid over them, as for `--rules`."""
    name = rules.name if isinstance(rules, Profile) else str(rules)
    if not variant or with_variant(rules, variant) is load_profile(rules):
        return name
    return f"{name}+{variant}"


def read_judge(text: str) -> Judge:
    """The judge that `ENGINE` or `ENGINE:PROFILE` names. `check_judges` checks whether these
    exist."""
    engine, _, rules = text.partition(":")
    return Judge(engine, rules or None)


def check_judges(judges: Iterable[str | Judge], rules: Rules | None = None) -> tuple[Judge, ...]:
    """Return the judges, at least two: a single one is compared with the solver under the same
    rules. Those without rules get `rules`, or else those of the first judge that has some.

    Raises `UnknownNameError` for an unknown engine, what `load_profile` raises for rules, and
    `QuestionError` if there is no judge or one is given twice.
    """
    found = tuple(read_judge(one) if isinstance(one, str) else one for one in judges)
    if rules is not None:
        load_profile(rules)  # reports faulty rules even if no judge needs them
    rules = rules or next((judge.rules for judge in found if judge.rules is not None), None)
    found = tuple(judge if judge.rules else replace(judge, rules=rules) for judge in found)
    if not found:
        raise QuestionError("no judge is given; name an engine, such as recursive_guess")
    for judge in found:
        if isinstance(judge.engine, str):
            find_engine(judge.engine)
        if judge.rules is not None:
            load_profile(judge.rules)
    if len(found) == 1:
        if found[0].engine == SOLVER:
            raise QuestionError("the solver alone has nothing to compare with; name a second judge")
        found = (replace(found[0], engine=SOLVER, name=""), *found)
    labels = [judge.label for judge in found]
    for label in labels:
        if labels.count(label) > 1:
            raise QuestionError(f"the judge {shortened(label)!r} is given twice; keep one")
    return found


# --- What a judge decides -------------------------------------------------------------------------


PARTS = (
    "answer", "moves", "dislodged", "contested", "retreats", "supports", "convoys", "legality",
)  # fmt: skip
"""The parts of a decision that may differ, the most important first."""

_PARTS = {
    "illegal": "legality", "invalid": "legality", "succeeds": "moves", "given": "supports",
    "cut": "supports", "available": "convoys", "disrupted": "convoys",
}  # fmt: skip
_OF_UNITS = ("answer", "moves", "dislodged", "contested")
_NO_ANSWER = ("answer", "")


@brief()
@dataclass(frozen=True, slots=True)
class Divergence(Plain):
    """One part of the decision that two judges decide differently."""

    part: str
    """`answer`, `moves`, `dislodged`, `contested`, `retreats`, `supports`, `convoys` or `legality`.
    """
    about: str
    """The unit (`A LON`) or the province."""
    values: tuple[str, str]
    """What each judge decides: the location to which a unit moves, a verdict, or `dislodged`; ""
    where it decides nothing."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge decides about a phase: (part, about) -> a word. `problem` says why it has no
    answer, "" if it has one. `by_equations` says whether it reads the equations of the profile. A
    judge that is not made for the phase (`is_made`) is not compared with others, and `problem` says
    why."""

    values: Mapping[tuple[str, str], str]
    by_equations: bool = True
    problem: str = ""
    is_made: bool = True


def find(
    judge: Judge,
    position: Position,
    orders: Mapping[str, PowerOrders],
    default: Rules,
    variant: str = "",
) -> Judgement:
    """Return what a judge decides about a movement phase. `default` are the rules of a judge that
    has none. Those of a `variant` are laid over its rules.

    Raises what `dipsat.adjudicate` raises, except `UnresolvedError`, `EngineError`,
    `UndecidedError` and `ImpossibleBoardError`: having no answer is a result.
    """
    try:
        rules = judge.rules or default
        rules = with_variant(rules, variant) if variant else rules
        outcome = adjudicate(position, orders, rules, engine=judge.engine)
        assert isinstance(outcome, MovementOutcome)
        by_equations = not isinstance(outcome, EngineOutcome) or outcome.reads_equations
        return Judgement(_values(outcome), by_equations)
    except NotMadeForError as error:
        return Judgement({}, problem=error.problem, is_made=False)
    except (EngineError, ImpossibleBoardError, UndecidedError, UnresolvedError) as error:
        return Judgement({_NO_ANSWER: "none"}, problem=str(error).partition("\n")[0])


def _values(outcome: MovementOutcome) -> dict[tuple[str, str], str]:
    """The parts that an outcome decides."""
    values: dict[tuple[str, str], str] = {}
    for order in outcome.orders:
        key = _PARTS.get(order.verdict, ""), order.unit
        if order.verdict == "succeeds":
            values[key] = outcome.ends.get(order.unit) or ""  # not every order is of a unit
        elif key in values:  # several orders for one unit
            values[key] += f", {order.verdict}"
        elif key[0]:
            values[key] = order.verdict
    for lost in outcome.dislodged:
        values["dislodged", lost.unit] = "dislodged"
        values["retreats", lost.unit] = ", ".join(lost.retreats) or "nowhere"
    return values | {("contested", place): "contested" for place in outcome.contested}


def differences(
    one: Judgement, other: Judgement, extent: Extent = "auto"
) -> tuple[Divergence, ...]:
    """Where two judges differ, the most important first; empty if they agree or if one is not made
    for the phase."""
    if not (one.is_made and other.is_made):
        return ()
    if bool(one.problem) != bool(other.problem):
        return (
            Divergence(*_NO_ANSWER, ("none" * bool(one.problem), "none" * bool(other.problem))),
        )
    everything = one.by_equations and other.by_equations if extent == "auto" else extent == "all"
    parts = PARTS if everything else _OF_UNITS
    if one.values == other.values:
        return ()
    found = {
        key: (one.values.get(key, ""), other.values.get(key, ""))
        for key in one.values.keys() | other.values.keys()
        if key[0] in parts and one.values.get(key) != other.values.get(key)
    }
    shown = [key for key in found if not _follows(key, found)]
    shown.sort(key=lambda key: (PARTS.index(key[0]), key[1]))
    return tuple(Divergence(*key, found[key]) for key in shown)


def _follows(key: tuple[str, str], found: Iterable[tuple[str, str]]) -> bool:
    """Whether a difference only repeats another one."""
    part, about = key
    if part == "retreats":
        return ("dislodged", about) in found
    return part in ("supports", "convoys") and ("legality", about) in found


def leading(found: Iterable[Divergence]) -> frozenset[Divergence]:
    """The differences of the most important kind."""
    listed = tuple(found)
    return frozenset(one for one in listed if one.part == listed[0].part)


# --- shapes of disagreements ----------------------------------------------------------------------

# Disagreements of one kind: the same parts differ, and the smallest orders have the same shape.
# That is what remains of orders without the names of provinces and powers: the kinds of orders, how
# they refer to one another, which of them differ, and which units belong to one power. It does not
# distinguish armies from fleets, nor count the fleets of a convoy that no other order refers to.


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of orders: province -> its marks, and (from, to, what) for every reference."""

    nodes: Mapping[str, tuple[str, ...]]
    edges: tuple[tuple[str, str, str], ...]


_WORDS = {Move: "move", SupportHold: "support", SupportMove: "support", Convoy: "convoy"}


def shape_of(sheet: Sheet, found: Iterable[Divergence]) -> Shape:
    """The shape of a sheet on which judges differ."""
    marks: dict[str, list[str]] = {}
    edges: set[tuple[str, str, str]] = set()
    for row in sheet.rows:
        own = province_of(row.unit.rpartition(" ")[2]) if row.unit else ""
        marks.setdefault(own, []).append("unit" if row.unit else "stray")
        for text in row.orders:
            order = movement_order(sheet.board, text)
            if order is not None:
                _add_order(order, own, marks, edges)
    for one in found:
        place = province_of(one.about.rpartition(" ")[2])
        sides = "".join("first " * bool(one.values[0]) + "second" * bool(one.values[1]))
        words = " ".join(one.values) if one.part in ("supports", "convoys", "legality") else sides
        marks.setdefault(place, []).append(f"{one.part} {words}")
    for number, rows in enumerate(sheet.allies):
        for at in rows:
            place = province_of(sheet.rows[at].unit.rpartition(" ")[2])
            edges.add((place, f"power {number}", "of"))
    return _folded(marks, edges)


def _add_order(
    order: MovementOrder, own: str, marks: dict[str, list[str]], edges: set[tuple[str, str, str]]
) -> None:
    marks[own].append(_WORDS.get(type(order), "hold"))
    if isinstance(order, Move):
        marks[own] += ["via"] * order.via
        edges.add((own, province_of(order.target), "enters"))
    elif isinstance(order, SupportHold):
        edges.add((own, province_of(order.supported.location), "supports"))
    elif isinstance(order, SupportMove):
        edges.add((own, province_of(order.supported.location), "supports"))
        edges.add((own, province_of(order.target), "supports into"))
    elif isinstance(order, Convoy):
        edges.add((own, province_of(order.army.location), "carries"))
        edges.add((own, province_of(order.target), "carries to"))


def _folded(marks: dict[str, list[str]], edges: set[tuple[str, str, str]]) -> Shape:
    """Fold fleets of a convoy that nothing else refers to into a mark of the army, including those
    that only keep a route open."""
    for army in sorted({army for _, army, what in edges if what == "carries"}):
        marks.setdefault(army, []).append("convoyed")
    for own in sorted(marks):
        is_plain = marks[own] in (["unit", "convoy"], ["unit", "hold"])
        if is_plain and not any(b == own or (a == own and w == "of") for a, b, w in edges):
            edges = {edge for edge in edges if edge[0] != own}
            del marks[own]
    for a, b, _ in edges:
        marks.setdefault(a, [])
        marks.setdefault(b, [])
    nodes = {name: tuple(sorted(marks[name])) for name in sorted(marks)}
    return Shape(nodes, tuple(sorted(edges)))


class Shapes:
    """Numbers shapes so that isomorphic ones, whatever the names, have the same number."""

    def __init__(self) -> None:
        self._graphs: dict[Hashable, list[tuple[int, Any]]] = {}
        self._count = 0

    def number(self, shape: Shape) -> int:
        """The number of a shape, from 0."""
        import networkx  # slow to import, and needed only where judges differ

        graph = networkx.DiGraph()
        for name, marks in shape.nodes.items():
            graph.add_node(name, marks=" ".join(marks))
        for a, b, what in shape.edges:
            before = graph.edges[a, b]["what"] if graph.has_edge(a, b) else ""
            graph.add_edge(a, b, what=f"{before} {what}")
        key = _key(shape)
        for number, other in self._graphs.setdefault(key, []):
            if networkx.is_isomorphic(graph, other, eq, eq):
                return number
        self._graphs[key].append((self._count, graph))
        self._count += 1
        return self._count - 1


def _key(shape: Shape) -> Hashable:
    """A key that isomorphic shapes share, and others mostly do not."""
    edges = sorted((shape.nodes[a], what, shape.nodes[b]) for a, b, what in shape.edges)
    return tuple(sorted(shape.nodes.values())), tuple(edges)


def orders_in_words(sheet: Sheet) -> str:
    """The kinds of orders on a sheet, such as `3 moves, 1 convoy, 1 support`."""
    count: Counter[str] = Counter()
    for row in sheet.rows:
        for text in row.orders:
            count[_WORDS.get(type(movement_order(sheet.board, text)), "hold")] += 1
        count["hold"] += bool(row.unit and not row.orders and row.sets is None)
    words = ("move", "convoy", "support", "hold")
    return ", ".join(counted(count[w], w) for w in words if count[w])


# --- without coincidences -------------------------------------------------------------------------

# On a random board two units may belong to one power, two moves may have one target, or a unit may
# stand where another goes. None of this need matter to the disagreement. Every such coincidence
# that can be undone is undone here. The result is no longer part of the board, but a disagreement
# of the same kind.


Differing: TypeAlias = Callable[[Sheet], tuple[Divergence, ...]]


@dataclass(frozen=True, slots=True)
class _Line:
    """A unit with its only order."""

    power: str
    unit: UnitName
    order: MovementOrder

    @property
    def place(self) -> str:
        return province_of(self.unit.location)

    @property
    def target(self) -> str:
        """The province of a move's target, "" for other orders."""
        return province_of(self.order.target) if isinstance(self.order, Move) else ""


_Lines: TypeAlias = tuple[_Line, ...]


def loosened(sheet: Sheet, differing: Differing) -> Sheet:
    """Return a sheet on which the judges still differ about one of the same units, with different
    powers, targets and places wherever possible. Units that are no longer needed without the
    coincidences are left out.

    A sheet on which some unit does not have exactly one order is returned unchanged.
    """
    smaller: Sheet | None = sheet
    while smaller is not None:
        sheet = _apart(smaller, differing, (_ways, _powers, _targets, _places))
        wanted = leading(differing(sheet))
        fewer = shrunk(sheet, partial(still_differ, differing, wanted))
        smaller = fewer if fewer and len(fewer.rows) < len(sheet.rows) else None
    return sheet


def still_differ(differing: Differing, wanted: frozenset[Divergence], sheet: Sheet) -> bool:
    """Whether the judges still have one of the differences `wanted` on a sheet."""
    return not wanted.isdisjoint(differing(sheet))


def allies(sheet: Sheet, differing: Differing) -> tuple[tuple[str, ...], ...]:
    """The units that must belong to one power for the judges to differ."""
    apart = _apart(sheet, differing, (_powers,))
    return tuple(tuple(sheet.rows[at].unit for at in rows) for rows in apart.allies)


_Step: TypeAlias = Callable[[Map, "_Lines", int], Iterator["_Lines"]]


def _apart(sheet: Sheet, differing: Differing, steps: Iterable[_Step]) -> Sheet:
    """The sheet after every step, for every row, that keeps the judges differing."""
    lines = _read(sheet)
    if lines is None:
        return sheet
    wanted = _kinds(sheet, leading(differing(sheet)))

    def still(other: _Lines) -> bool:
        try:
            written = _written(sheet, other)
            return not wanted.isdisjoint(_kinds(written, differing(written)))
        except DipsatError:
            return False

    for step in steps:
        for at in range(len(lines)):
            lines = next((other for other in step(sheet.board, lines, at) if still(other)), lines)
    return _written(sheet, lines)


def _read(sheet: Sheet) -> _Lines | None:
    read, found = reader_for(sheet.board, sheet.words), []
    for row in sheet.rows:
        if not row.unit or len(row.orders) != 1 or row.sets is not None:
            return None
        order = movement_order(sheet.board, row.orders[0])
        if order is None:
            return None
        found.append(_Line(row.power, read.read_unit(row.unit), order))
    return tuple(found)


def _written(sheet: Sheet, lines: _Lines) -> Sheet:
    rows = (
        SheetRow(line.power, line.unit.text(), (write_order(line.order, sheet.board),))
        for line in lines
    )
    return replace(sheet, rows=tuple(rows))


def _kinds(sheet: Sheet, found: Iterable[Divergence]) -> set[tuple[str, int, bool, bool]]:
    """Which part differs, in which row, and which of the judges has a word for it; -1 stands for a
    province."""
    rows = {row.unit: at for at, row in enumerate(sheet.rows)}
    return {
        (one.part, rows.get(one.about, -1), bool(one.values[0]), bool(one.values[1]))
        for one in found
    }


def _ways(board: Map, lines: _Lines, at: int) -> Iterator[_Lines]:
    """Order a move that could go by convoy to do so; then it does not matter whose fleets they
    are."""
    order = lines[at].order
    if isinstance(order, Move) and not order.via and _landings(board, lines, at):
        said = replace(lines[at], order=replace(order, via=True))
        yield (*lines[:at], said, *lines[at + 1 :])


def _powers(board: Map, lines: _Lines, at: int) -> Iterator[_Lines]:
    """Give a unit that shares its power with another a power of its own."""
    used = [line.power for line in lines]
    free = [power for power in sorted(board.players) if power not in used]
    if used.count(lines[at].power) > 1 and free:
        yield (*lines[:at], replace(lines[at], power=free[0]), *lines[at + 1 :])


def _free(board: Map, lines: _Lines) -> list[str]:
    """The provinces that no order concerns."""
    taken = {line.place for line in lines} | {line.target for line in lines}
    return [place for place in sorted(board.provinces) if place not in taken]


def _targets(board: Map, lines: _Lines, at: int) -> Iterator[_Lines]:
    """Redirect a move to a free province if a unit stands at its target or another goes there."""
    line, order = lines[at], lines[at].order
    others = [other for other in lines if other is not line]
    if not isinstance(order, Move) or line.target not in {
        place for other in others for place in (other.place, other.target)
    }:
        return
    reach = _reach(board, line.unit) | _landings(board, lines, at)
    for place in _free(board, lines):
        if place in reach:
            for target in _locations(board, line.unit, place):
                yield tuple(
                    replace(other, order=_retargeted(other.order, order, target)) for other in lines
                )


def _retargeted(order: MovementOrder, moved: Move, target: str) -> MovementOrder:
    """The order that fits once a move has a new target; it may be the move, or refer to it."""
    if order is moved:
        return replace(moved, target=target)
    if isinstance(order, SupportMove | Convoy):
        named = order.supported if isinstance(order, SupportMove) else order.army
        same = province_of(named.location) == province_of(moved.unit.location)
        if same and province_of(order.target) == province_of(moved.target):
            return replace(order, target=target)
    return order


def _kind(unit: UnitName) -> UnitKind:
    return unit.kind or UnitKind.ARMY


def _locations(board: Map, unit: UnitName, place: str) -> tuple[str, ...]:
    """The locations in a province where a unit of this kind can stand."""
    return board.provinces[place].locations if _kind(unit).has_coasts else (place,)


def _reach(board: Map, unit: UnitName) -> frozenset[str]:
    return board.reach_provinces(_kind(unit), unit.location)


def _landings(board: Map, lines: _Lines, at: int) -> frozenset[str]:
    """The coastal provinces to which a unit's convoying fleets could bring it."""
    found: set[str] = set()
    for line in lines:
        order = line.order
        if isinstance(order, Convoy) and province_of(order.army.location) == lines[at].place:
            found |= board.water.get(line.place, frozenset()) & board.coastal
    return frozenset(found)


def _places(board: Map, lines: _Lines, at: int) -> Iterator[_Lines]:
    """Move a unit that stands where another goes to a free province."""
    line = lines[at]
    if all(other.target != line.place for other in lines):
        return
    landings = _landings(board, lines, at)
    for place in _free(board, lines):
        if not _kind(line.unit).stands_in(board.provinces[place].kind):
            continue
        for location in _locations(board, line.unit, place):
            unit = replace(line.unit, location=location)
            if place in landings or _can_do(board, unit, line.order):
                yield tuple(_relocated(other, line.place, location) for other in lines)


def _can_do(board: Map, unit: UnitName, order: MovementOrder) -> bool:
    """Whether a unit can carry out its order without a convoy."""
    if isinstance(order, Move | SupportMove):
        return province_of(order.target) in _reach(board, unit)
    if isinstance(order, SupportHold):
        return province_of(order.supported.location) in _reach(board, unit)
    return not isinstance(order, Convoy) or province_of(unit.location) in board.seas


def _relocated(line: _Line, place: str, location: str) -> _Line:
    """A line that fits once the unit in a province stands elsewhere."""

    def renamed(unit: UnitName) -> UnitName:
        same = province_of(unit.location) == place
        return replace(unit, location=location) if same else unit

    order = replace(line.order, unit=renamed(line.order.unit))
    if isinstance(order, SupportHold | SupportMove):
        order = replace(order, supported=renamed(order.supported))
    elif isinstance(order, Convoy):
        order = replace(order, army=renamed(order.army))
    return replace(line, unit=renamed(line.unit), order=order)
