"""Asking questions about open orders, and the answers in objects and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from math import prod
from pathlib import Path
from typing import Any, ClassVar, overload

from dipsat.base import (
    UNLIMITED,
    ArgumentError,
    Column,
    Drawn,
    ExhaustedError,
    Limits,
    Part,
    Shown,
    Table,
    brief,
    counted,
    fields_of,
    grouped,
    running,
    titled,
)
from dipsat.board import Map, load_map
from dipsat.errors import NumberRangeError, PositionError, QuestionError
from dipsat.game import (
    ANY,
    MOST_UNITS,
    AnyUnits,
    OpenPosition,
    PhaseKind,
    Position,
    PowerOrders,
    by_power,
    checked_position,
    number_of,
)
from dipsat.orders import DeclaredOrder, Order, Unit, write_order
from dipsat.rules import DEFAULT_RULES, Profile
from dipsat.searches import question_kinds  # noqa: F401  # a message names every kind of question
from dipsat.searches.cegar import Found
from dipsat.searches.line_finder import LinesResult, find_lines
from dipsat.searches.line_question import Lines
from dipsat.searches.open_board import Placement
from dipsat.searches.open_orders import SearchProblem, Watch, ask_about
from dipsat.searches.open_places import ask_anywhere
from dipsat.searches.question import Question, Rules, profiles_of
from dipsat.solving import AUTO, Progress

FOUND, IMPOSSIBLE, UNKNOWN = "found", "impossible", "unknown"


@brief()
@dataclass(frozen=True, slots=True)
class SearchResult(Drawn, Shown):
    """The answer to a question. Made by `dipsat.search`."""

    _drawn_by: ClassVar[str] = "search"

    question: Question
    """The question."""
    rules: tuple[str, ...]
    """The names of the profiles that the question is about."""
    verdict: str
    """`found`, `impossible` (proven) or `unknown`."""
    orders: Mapping[str, tuple[str, ...]]
    """Power -> its orders, as found and confirmed by the adjudicator. For a guarantee, only the
    orders of its power."""
    open_units: tuple[str, ...] = ()
    """The units whose orders were open."""
    facts: tuple[str, ...] = ()
    """The special features of the orders: the kinds of the decision cycles, or how the boards
    differ."""
    reason: str = ""
    """Why the verdict is `unknown`, else ""."""
    order_sets: int = 0
    """The number of order sets that the open units can be given."""
    adjudicated: int = 0
    """The number of order sets that were adjudicated."""
    open_besides: tuple[str, ...] = ()
    """The open orders that powers can give in addition to orders for their units, such as `BRITAIN
    SC F MED - RED`."""
    anywhere: str = ""
    """The units whose places were open, such as `any 4`; "" if the position was given."""
    units: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Power -> its units, if their places were open and the question is answered."""
    given: tuple[str, ...] = ()
    """The locations of the units that kept their orders, if the places of others were open."""
    bound: int | None = None
    """For the smallest position: fewer units than this are proven not to be enough. With units that
    are there for certain, it counts only those that join them. None for other questions."""
    _asked: tuple[Position, tuple[Profile, ...]] | None = field(
        default=None, repr=False, compare=False
    )

    def _parts(self) -> Iterable[Part]:
        rows = [(self.verdict.upper(), headline_of(self))]
        if self.verdict != IMPOSSIBLE:
            rows += [("", text) for text in _orders(self)]
        if self.verdict == FOUND:
            rows += [("", text) for text in facts_of(self)]
        yield Table(tuple(rows), (_LABEL,))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `dipsat search --json` prints them."""
        leave_out = ["question", *(_IF_GIVEN if self.anywhere else _IF_ANYWHERE)]
        found = fields_of(self, *leave_out, open_units="open")
        if self.bound is not None:
            found["fewest"] = self.fewest
        return {"verdict": self.verdict, **found}

    @property
    def fewest(self) -> int | None:
        """The fewest units that answer the question, in addition to those that are there for
        certain; None if that was not asked or is not known."""
        return self.bound if self.verdict == FOUND else None


_IF_GIVEN = ("open_units", "order_sets", "open_besides")
_IF_ANYWHERE = ("anywhere", "units", "given", "bound")
_LABEL = Column(width=10)
_LARGE = 10**9  # from here on, only the order of magnitude is shown


def texts_of(
    position: Position, orders: Mapping[str, Order], only: str | None = None
) -> Mapping[str, tuple[str, ...]]:
    """Power -> its orders, from `orders` by location or key; with `only`, just that power's."""
    board = position.map
    given = [
        (unit.power, write_order(orders[unit.location], board))
        for unit in position.units
        if unit.location in orders
    ]
    for order in orders.values():
        if isinstance(order, DeclaredOrder) and order.unit.power and not order.unit.location:
            given.append((order.unit.power, order.text))
    wanted = None if only is None else board.names.power(only)
    shown = grouped(one for one in given if wanted in (None, one[0]))
    return {power: tuple(texts) for power, texts in sorted(shown.items())}


def headline_of(result: SearchResult) -> str:
    """An answer in one sentence, which ends with a colon if orders follow."""
    rules, question = " and ".join(result.rules), result.question
    if result.verdict == FOUND:
        return f"{question._in_words(question._found)} (rules {rules}):"
    if result.verdict == IMPOSSIBLE:
        return f"Proven under the rules {rules}: {_impossible(result)}."
    return f"{result.reason[:1].upper()}{result.reason[1:]}."


def facts_of(result: SearchResult) -> list[str]:
    """The special features of the orders found, in sentences."""
    told = result.question._told(result.facts)
    facts = [*(f"{fact}." for fact in told), result.question._confirmed]
    if result.bound == 1:
        facts.append("Proven: fewer than 1 unit is not enough.")
    elif result.bound:
        facts.append(f"Proven: fewer than {result.bound} units are not enough.")
    elif result.bound == 0:
        facts.append("No unit needs to join those that are there.")
    return facts


def _orders(result: SearchResult) -> Iterator[str]:
    """The orders of the open units; holds are only mentioned. If the places of units were open, all
    orders."""
    rows = [(power, order) for power, orders in result.orders.items() for order in orders]
    if result.anywhere:
        yield from (f"{titled(power)}: {order}" for power, order in rows)
        return
    besides = [row for row in rows if " ".join(row) in result.open_besides]
    opened = [row for row in rows if row[1].startswith(tuple(f"{u} " for u in result.open_units))]
    moving = [(power, order) for power, order in opened if not order.endswith(" H")]
    holding = [row[0] for row in opened if row not in moving]
    yield from (f"{titled(power)}: {order}" for power, order in (*moving, *besides))
    if holding:
        whose = f"{titled(holding[0])}'s" if len({*holding}) == 1 else "The"
        other = " other" if not {*holding}.isdisjoint(power for power, _ in moving) else ""
        yield f"{whose}{other} open {'unit holds' if len(holding) == 1 else 'units hold'}."


def _impossible(result: SearchResult) -> str:
    question = result.question
    if result.anywhere:
        ordered = "whatever their orders" if not result.given else "whatever the other orders"
        text = question._impossible_anywhere
        return question._in_words(text, units=result.anywhere, ordered=ordered)
    number = result.order_sets
    shown = f"{number:,}" if number < _LARGE else f"about 10^{len(str(number)) - 1}"
    sets = f"the {shown} order sets of the open units"
    return question._in_words(question._impossible, sets=sets)


# --- units whose places are open ------------------------------------------------------------------


def search_smallest(
    question: Question,
    map: str | Path | Map = "standard",
    *,
    beside: Position | OpenPosition | None = None,
    orders: Mapping[str, PowerOrders] | None = None,
    open: str | Iterable[str] | None = None,
    power: str | None = None,
    most: int = MOST_UNITS,
    rules: Rules = DEFAULT_RULES,
    limits: Limits = UNLIMITED,
    progress: Progress | None = None,
    solver: str = AUTO,
) -> SearchResult:
    """Find the fewest units, anywhere on a map and with any orders, that make a paradox or a
    difference between rules, or reach a goal.

    One unit is tried, then two, and so on up to `most`. Each number is proven not to be enough
    before the next is tried. If the verdict is `unknown`, because a limit was reached or the
    keyboard interrupted the search, `bound` of the answer says how far the proof got.

    With `beside`, the map is that position's and its units are there for certain. Only the units
    that join them are counted, starting from none. Known units in `orders` keep their orders; the
    others are open, or only those that `open` names. The units that join belong to any powers, or
    to `power`. For a `Guarantee`, they belong to its power. The other arguments are as for
    `dipsat.search`.

    Raises `QuestionError` for rules or a goal that need something that open places cannot express,
    and the errors of `search`.
    """
    if not 1 <= most <= MOST_UNITS:
        wanted = f"a number from 1 to {MOST_UNITS}"
        raise ArgumentError("dipsat.searches.search_smallest", "most", most, wanted)
    with running(limits):
        board = load_map(map) if beside is None else beside.map
        profiles = profiles_of(question, rules)
        watch = Watch(progress or (lambda _: None))
        there = _units_of(beside)
        joining = _joining(question, power, board)
        present = sum(number_of(one) for one in chain.from_iterable(there.values()))
        first, last = (0 if present else 1), min(most, MOST_UNITS - present)
        if present >= MOST_UNITS:
            problem = f"at most {MOST_UNITS - 1} can be there, so that others can join them"
            raise PositionError(counted(present, "unit"), problem)
        for number in range(first, last + 1):
            position = _with(there, board, joining, number)
            found = answered_anywhere(position, question, profiles, watch, solver, orders, open)
            found = replace(found, bound=number)
            if found.verdict != IMPOSSIBLE:
                break
        else:
            anywhere = f"up to {counted(last, 'unit')}"
            if present:
                anywhere += f" beside {_with(there, board, joining, 0)}"
            return replace(found, anywhere=anywhere, bound=last + 1)
        if found.verdict == UNKNOWN and number > first:
            reason = f"{found.reason}; it is proven that fewer than {number} are not enough"
            return replace(found, reason=reason)
        return found


def _joining(question: Question, power: str | None, board: Map) -> str:
    """The power of the joining units, or `any`."""
    if question._own_power is None:
        return ANY if power is None else board.names.power(power)
    own = board.names.power(question._own_power)
    if power is not None and board.names.power(power) != own:
        wanted = f"{own}, for which the guarantee is, or left out"
        raise ArgumentError("dipsat.searches.search_smallest", "power", power, wanted)
    return own


_Units = Mapping[str, tuple[Unit | AnyUnits, ...]]


def _units_of(beside: Position | OpenPosition | None) -> _Units:
    """The units that others join. Raises `QuestionError` for a position of another phase."""
    if isinstance(beside, OpenPosition):
        return beside.units
    if beside is None:
        return {}
    if beside.phase.kind is not PhaseKind.MOVEMENT:
        raise QuestionError(
            f"{beside.phase} is not a movement phase; only in movement phases can orders be open"
        )
    found = grouped((unit.power, unit) for unit in beside.units)
    return {power: tuple(units) for power, units in found.items()}


def _with(there: _Units, board: Map, power: str, number: int) -> OpenPosition:
    """The position with this many more units of a power, or of any power."""
    units = dict(there)
    if number:
        units[power] = (*units.get(power, ()), AnyUnits(number))
    return checked_position(board, units)


def answered_anywhere(
    position: OpenPosition,
    question: Question,
    profiles: Sequence[Profile],
    watch: Watch,
    solver: str,
    orders: Mapping[str, PowerOrders] | None = None,
    opened: str | Iterable[str] | None = None,
) -> SearchResult:
    """The answer to a question about units whose places are open. `orders` and `opened` are as for
    `search`, and apply to the units whose places are known."""
    asked = ask_anywhere(position, profiles, watch, solver, orders, opened)
    found, reason, empty = None, "", Position.from_units({}, position.map)
    try:
        found = question._find_anywhere(asked)
    except (ExhaustedError, NumberRangeError, KeyboardInterrupt) as end:  # NumberRangeError: the
        # equations about this many units are too large
        reason = watch.ended(end) + (f" of {watch.about}" if watch.about else "")
    placement, facts = found or (Placement(empty, {}, (), frozenset()), ())
    there = placement.position
    return SearchResult(
        question,
        tuple(profile.name for profile in profiles),
        UNKNOWN if reason else IMPOSSIBLE if found is None else FOUND,
        texts_of(there, placement.orders),
        tuple(str(unit) for unit in there.units if unit.location not in asked.given),
        facts,
        reason,
        adjudicated=watch.adjudicated,
        anywhere=str(position),
        units={power: tuple(units) for power, units in by_power(there.units).items()},
        given=tuple(asked.given),
        _asked=(there, tuple(profiles)),
    )


# --- search ---------------------------------------------------------------------------------------


@overload
def search(
    position: Position | OpenPosition,
    question: Question,
    orders: Mapping[str, PowerOrders] | None = None,
    *,
    open: str | Iterable[str] | None = None,
    rules: Rules = DEFAULT_RULES,
    limits: Limits = UNLIMITED,
    progress: Progress | None = None,
    solver: str = AUTO,
) -> SearchResult: ...


@overload
def search(
    position: Lines,
    *,
    rules: Rules = DEFAULT_RULES,
    limits: Limits = UNLIMITED,
    progress: Progress | None = None,
    solver: str = AUTO,
) -> LinesResult: ...


def search(
    position: Position | OpenPosition | Lines,
    question: Question | None = None,
    orders: Mapping[str, PowerOrders] | None = None,
    *,
    open: str | Iterable[str] | None = None,
    rules: Rules = DEFAULT_RULES,
    limits: Limits = UNLIMITED,
    progress: Progress | None = None,
    solver: str = AUTO,
) -> SearchResult | LinesResult:
    """Ask a question about all orders that open units can be given. With `Lines` alone, find the
    lines with the fewest units.

    In an `OpenPosition` the places of units are open, and these units may have any orders. Then the
    question is whether some position and orders have a paradox or a difference, or reach a goal.
    For a `Guarantee`, only units of its power may stand anywhere.

    Units in `orders` (as in `adjudicate`) keep their orders. All other units are open, or only
    those that `open` names: units, powers with all their units, or `"all"`. `limits` bound the
    search; without them there is no limit. `progress` is called with a description of each step. An
    interrupt from the keyboard ends the search with the verdict `unknown`. `solver` is one of
    `dipsat.searches.SOLVERS`; solvers may find different orders, but agree on what is possible.

    Raises `QuestionError` for a question that cannot be asked, `OrderFaultError` for an order that
    cannot be given beside units that may stand anywhere (`ProblemsError` for several),
    `ProfileError` for a fault in a goal, `SolverError` for a solver that does not exist or is not
    installed, and the errors of `adjudicate`; for lines, also those of `load_map` and of the
    readers of units and orders.
    """
    if isinstance(position, Lines):
        if question is not None or orders is not None or open is not None:
            raise QuestionError("lines have no position: pass only `Lines`, without orders")
        return find_lines(position, rules=rules, limits=limits, progress=progress, solver=solver)
    if question is None:
        raise QuestionError("pass a question besides the position, such as `dipsat.Paradox()`")
    with running(limits):
        profiles = profiles_of(question, rules)
        watch = Watch(progress or (lambda _: None))
        if isinstance(position, OpenPosition):
            return answered_anywhere(position, question, profiles, watch, solver, orders, open)
        return _answered(ask_about(position, profiles, orders or {}, open, watch, solver), question)


def _answered(asked: SearchProblem, question: Question) -> SearchResult:
    reason = ""
    try:
        found = question._find(asked)
    except (ExhaustedError, KeyboardInterrupt) as end:
        reason = asked.watch.ended(end)
        found = Found(asked.watch.candidate or {}, ())
    verdict = UNKNOWN if reason else IMPOSSIBLE if found is None else FOUND
    return SearchResult(
        question,
        tuple(profile.name for profile in asked.profiles),
        verdict,
        {} if found is None else texts_of(asked.position, found.orders, question._own_power),
        tuple(str(unit) for unit in asked.open_units),
        () if found is None else found.wanted,
        reason,
        prod(len(listed) for listed in asked.choices.values()),
        asked.watch.adjudicated,
        tuple(asked.besides),
        _asked=(asked.position, asked.profiles),
    )


@dataclass(frozen=True, slots=True)
class Posed:
    """The board of a question, as a command or a request poses it. `open` names the open units and
    powers; None means all units without an order. With `power`, only its units are open among those
    whose places are known, regardless of `open`. With `most`, up to this many units may join, of
    `power` or of any power."""

    position: Position | OpenPosition
    orders: Mapping[str, PowerOrders]
    rules: Rules
    open: tuple[str, ...] | None = None
    power: str | None = None
    most: int | None = None

    def answer(
        self,
        question: Question,
        limits: Limits,
        solver: str,
        progress: Progress | None = None,
    ) -> SearchResult:
        """The answer to a question. Raises the errors of `search` and `search_smallest`."""
        if self.most is None:
            return search(
                self.position, question, self.orders, open=self._open(), rules=self.rules,
                limits=limits, progress=progress, solver=solver,
            )  # fmt: skip
        return search_smallest(
            question, beside=self.position, orders=self.orders, open=self._open(),
            power=self.power, most=self.most, rules=self.rules, limits=limits, progress=progress,
            solver=solver,
        )  # fmt: skip

    def _open(self) -> tuple[str, ...] | None:
        """The open units and powers. Units that join or may stand anywhere are always open, so then
        the power needs no other unit."""
        if self.power is None:
            return self.open
        power = self.position.map.names.power(self.power)
        position = self.position
        if isinstance(position, Position) and self.most is None:
            return (power,)
        known = position if isinstance(position, Position) else position.known
        return (power,) if any(unit.power == power for unit in known.units) else ()
