"""The questions about open orders, and the answer to one, with what people read of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from dipsat.brief import brief
from dipsat.drawn import Drawn
from dipsat.errors.arguments import checked_fields
from dipsat.game.position import Position
from dipsat.pages import Column, Part, Shown, Table
from dipsat.plain import fields_of
from dipsat.profiles.profile import Profile
from dipsat.titles import titled

FOUND, IMPOSSIBLE, UNKNOWN = "found", "impossible", "unknown"

Rules: TypeAlias = str | Path | Profile


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Paradox:
    """Whether orders cause a decision cycle: decisions with no or several resolutions."""

    kind: str | None = None
    """`none` or `several` for a cycle with no or several resolutions, or the name of the cycle rule
    that settles it; None for any cycle."""


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Differ:
    """Whether the same orders can lead to different boards under two rule profiles."""

    other: Rules
    """The second profile: a name, a path or a loaded profile."""


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Achieve:
    """Whether orders reach a goal."""

    goal: str
    """The goal, in the words of docs/search.md."""


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Guarantee:
    """Whether a power has orders that reach a goal, whatever the other open units are ordered."""

    goal: str
    """The goal, in the words of docs/search.md."""
    power: str
    """The power."""


Question: TypeAlias = Paradox | Differ | Achieve | Guarantee
"""A question about all orders that open units can be given."""


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
    rules = " and ".join(result.rules)
    if result.verdict == FOUND:
        return f"{_found(result.question)} (rules {rules}):"
    if result.verdict == IMPOSSIBLE:
        return f"Proven under the rules {rules}: {_impossible(result)}."
    return f"{result.reason[:1].upper()}{result.reason[1:]}."


def facts_of(result: SearchResult) -> list[str]:
    """What is special about the orders found, in sentences."""
    facts = [*(f"{fact}." for fact in _facts(result)), _confirmed(result.question)]
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


def _found(question: Question) -> str:
    match question:
        case Paradox(kind=None):
            return "Orders with a decision cycle"
        case Paradox(kind=kind):
            return f"Orders with a decision cycle of the kind '{kind}'"
        case Differ():
            return "Orders after which the board differs"
        case Achieve(goal=goal):
            return f"Orders that reach {goal}"
        case Guarantee(goal=goal):
            return f"Orders that reach {goal} whatever the other open units are ordered"


def _facts(result: SearchResult) -> tuple[str, ...]:
    if isinstance(result.question, Paradox):
        return (f"Kinds of the decision cycles met: {', '.join(result.facts)}",)
    return result.facts


def _impossible(result: SearchResult) -> str:
    if result.anywhere:
        return _impossible_anywhere(result)
    number = result.order_sets
    shown = f"{number:,}" if number < _LARGE else f"about 10^{len(str(number)) - 1}"
    sets = f"the {shown} order sets of the open units"
    match result.question:
        case Paradox(kind=None):
            return f"for each of {sets} the decisions have exactly one resolution"
        case Paradox(kind=kind):
            return f"none of {sets} has a decision cycle of the kind '{kind}'"
        case Differ():
            return f"after each of {sets} the board is the same under both"
        case Achieve(goal=goal):
            return f"none of {sets} reaches {goal}"
        case Guarantee(goal=goal, power=power):
            return f"to all orders of {titled(power)} there is an answer that prevents {goal}"


def _impossible_anywhere(result: SearchResult) -> str:
    ordered = "whatever they are ordered" if not result.given else "whatever else is ordered"
    units = f"{result.anywhere} on this map, {ordered}"
    match result.question:
        case Achieve(goal=goal):
            return f"no position of {units}, reaches {goal}"
        case Guarantee(goal=goal, power=power):
            return (
                f"wherever {result.anywhere} stand on this map, to all orders of {titled(power)} "
                f"there is an answer that prevents {goal}"
            )
        case Paradox(kind=kind) if kind is not None:
            return f"no position of {units}, has a decision cycle of the kind '{kind}'"
        case Paradox():
            return f"the decisions have exactly one resolution for every position of {units}"
    return f"the board is the same under both for every position of {units}"


def _confirmed(question: Question) -> str:
    if isinstance(question, Guarantee):
        return "Proven: the solver finds no answer to these orders."
    return "Confirmed by adjudicating these orders."
