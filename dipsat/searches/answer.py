"""The answer to a question about open orders, with what people read of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dipsat.drawn import Drawn
from dipsat.game.position import Position
from dipsat.orders.order import DeclaredOrder, Order
from dipsat.orders.writer import write_order
from dipsat.pages import Column, Part, Shown, Table, titled
from dipsat.profiles.profile import Profile
from dipsat.searches.question import Question
from dipsat.values import brief, fields_of, grouped

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
    """Power -> its orders: those found, confirmed by the adjudicator; for a guarantee, only the
    orders of its power."""
    open_units: tuple[str, ...] = ()
    """The units that could be given any order."""
    facts: tuple[str, ...] = ()
    """What is special about the orders: the kinds of the decision cycles, or how the boards
    differ."""
    reason: str = ""
    """Why the verdict is `unknown`, else ""."""
    order_sets: int = 0
    """The number of order sets that the open units can be given."""
    adjudicated: int = 0
    """The number of order sets that were adjudicated."""
    open_besides: tuple[str, ...] = ()
    """The open orders that powers can give besides the orders of their units, such as `BRITAIN SC F
    MED - RED`."""
    anywhere: str = ""
    """What units were open, if it was open where they stand: `any 4`; "" if the position was
    given."""
    units: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Power -> its units, if it was open where they stand and the question is answered."""
    given: tuple[str, ...] = ()
    """The locations of the units that kept their orders, if it was open where others stand."""
    bound: int | None = None
    """For the smallest position: it is proven that no fewer units are enough, or, beside units that
    are there for certain, that no fewer units need to join them. None for other questions."""
    _asked: tuple[Position, tuple[Profile, ...]] | None = field(
        default=None, repr=False, compare=False
    )

    def _parts(self) -> Iterable[Part]:
        return parts_of_answer(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `dipsat search --json` prints them."""
        leave_out = ["question", *(_IF_GIVEN if self.anywhere else _IF_ANYWHERE)]
        found = fields_of(self, *leave_out, open_units="open")
        if self.bound is not None:
            found["fewest"] = self.fewest
        return {"verdict": self.verdict, **found}

    @property
    def fewest(self) -> int | None:
        """The fewest units with which the question is answered, beside those that are there for
        certain; None if that was not asked or is not known."""
        return self.bound if self.verdict == FOUND else None


_IF_GIVEN = ("open_units", "order_sets", "open_besides")
_IF_ANYWHERE = ("anywhere", "units", "given", "bound")
_LABEL = Column(width=10)
_LARGE = 10**9  # from here on, only the order of magnitude is shown


def texts_of(
    position: Position, orders: Mapping[str, Order], only: str | None = None
) -> Mapping[str, tuple[str, ...]]:
    """Power -> its orders, of `orders` by location or key; perhaps of one power only."""
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


def parts_of_answer(result: SearchResult) -> Iterator[Part]:
    """What people read of an answer: the verdict, what it is about, and the orders found."""
    rows = [(result.verdict.upper(), headline_of(result))]
    if result.verdict != IMPOSSIBLE:
        rows += [("", text) for text in _orders(result)]
    if result.verdict == FOUND:
        rows += [("", text) for text in facts_of(result)]
    yield Table(tuple(rows), (_LABEL,))


def headline_of(result: SearchResult) -> str:
    """What an answer says, in a sentence; a colon ends it if orders follow."""
    rules, question = " and ".join(result.rules), result.question
    if result.verdict == FOUND:
        return f"{question._in_words(question._found)} (rules {rules}):"
    if result.verdict == IMPOSSIBLE:
        return f"Proven under the rules {rules}: {_impossible(result)}."
    return f"{result.reason[:1].upper()}{result.reason[1:]}."


def facts_of(result: SearchResult) -> list[str]:
    """What is special about the orders found, in sentences."""
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
    """The orders of the open units; holds are only mentioned. Where it was open where units stand,
    all orders."""
    rows = [(power, order) for power, orders in result.orders.items() for order in orders]
    if result.anywhere:
        yield from (f"{titled(power)}: {order}" for power, order in rows)
        return
    besides = [row for row in rows if " ".join(row) in result.open_besides]
    opened = [row for row in rows if row[1].startswith(tuple(f"{u} " for u in result.open_units))]
    moving = [(power, order) for power, order in opened if not order.endswith(" H")]
    yield from (f"{titled(power)}: {order}" for power, order in (*moving, *besides))
    if holding := len(opened) - len(moving):
        which = "The other open unit" if moving else "The open unit"
        yield f"{which} holds." if holding == 1 else f"{which}s hold."


def _impossible(result: SearchResult) -> str:
    question = result.question
    if result.anywhere:
        ordered = "whatever they are ordered" if not result.given else "whatever else is ordered"
        text = question._impossible_anywhere
        return question._in_words(text, units=result.anywhere, ordered=ordered)
    number = result.order_sets
    shown = f"{number:,}" if number < _LARGE else f"about 10^{len(str(number)) - 1}"
    sets = f"the {shown} order sets of the open units"
    return question._in_words(question._impossible, sets=sets)
