"""What a recursive algorithm did, step by step: its calls, and the table of its administration.

Kruijswijk, The Math of Adjudication, teaches the guess algorithm by the recursion (resolve,
adjudicate, return) and a table with the state of every order and the dependency list. A trace is
just that, recorded while an engine decides a phase.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from dipsat.engines.engine import BackupRule, EquationVerdicts
from dipsat.engines.order_equations import OrderEquations
from dipsat.errors import EngineError
from dipsat.terms.term import Key

Function: TypeAlias = Literal["resolve", "adjudicate"]
Row: TypeAlias = tuple[str, ...]
Note: TypeAlias = tuple[str, ...] | int | bool
"""A list of orders, a number, or whether something is so."""

SUCCEEDS, FAILS, NOTHING = "SUCCEEDS", "FAILS", "-"
RESOLVED, UNRESOLVED = "RESOLVED", "UNRESOLVED"
"""States of an order; an algorithm has others besides, for orders that it is about to resolve."""


def in_words(value: int | None) -> str:
    """A resolution in the words of the article; of an order without one, a dash."""
    return NOTHING if value is None else SUCCEEDS if value else FAILS


@dataclass(frozen=True, slots=True)
class Call:
    """A function is called for an order."""

    function: Function
    """`resolve` or `adjudicate`."""
    order: str
    """The name of the order."""
    depth: int
    """How many calls it is within, from 0."""
    state: str = ""
    """The state of an order to resolve before the call."""
    scenario: str = ""
    """`optimistic` or `pessimistic` where there are two, else ""."""

    @property
    def is_resolved(self) -> bool:
        """Whether the order is resolved already."""
        return self.state == RESOLVED

    @property
    def is_open(self) -> bool:
        """Whether the order is being resolved already: the recursion has come back to it."""
        return self.state not in ("", RESOLVED, UNRESOLVED)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        found = {"step": "call", "function": self.function, "order": self.order}
        found |= {"state": self.state} if self.state else {}
        found |= {"scenario": self.scenario} if self.scenario else {}
        return {**found, "depth": self.depth}


@dataclass(frozen=True, slots=True)
class Return:
    """A function returns whether an order succeeds."""

    function: Function
    """`resolve` or `adjudicate`."""
    order: str
    """The name of the order."""
    depth: int
    """How many calls it is within, from 0."""
    value: bool
    """Whether the order succeeds."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        found = {"step": "return", "function": self.function, "order": self.order}
        return {**found, "succeeds": self.value, "depth": self.depth}


@dataclass(frozen=True, slots=True)
class Table:
    """The administration at a moment."""

    moment: str
    """The moment, in a sentence."""
    columns: Row
    """The heads of the columns."""
    rows: tuple[Row, ...]
    """A row for each order."""
    notes: Mapping[str, Note]
    """What else there is, such as the dependency list, by name."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        notes = {
            name: list(note) if isinstance(note, tuple) else note
            for name, note in self.notes.items()
        }
        return {"step": "table", "moment": self.moment, "rows": rows, **notes}


@dataclass(frozen=True, slots=True)
class Rule:
    """A backup rule is applied."""

    name: str
    """The name of the rule."""
    cycle: tuple[str, ...]
    """The orders that the algorithm found on the cycle."""
    sets: Mapping[str, int]
    """Decision -> what the rule sets: a truth value, or a strength as a number."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        cycle, sets = list(self.cycle), dict(self.sets)
        return {"step": "rule", "name": self.name, "cycle": cycle, "sets": sets}


Step: TypeAlias = Call | Return | Table | Rule
"""A step of an engine."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What an engine did, step by step (docs/trace.md)."""

    engine: str
    """The engine, with its options."""
    orders: Mapping[str, str]
    """Name of an order in the steps -> its text."""
    steps: tuple[Step, ...]
    """The steps, in order."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values, with nothing cut (docs/trace.md)."""
        steps = [step.to_dict() for step in self.steps]
        return {"engine": self.engine, "orders": dict(self.orders), "steps": steps}

    def text(self, whole: bool = False) -> str:
        """For people. With more than a few orders, those that no cycle concerns have a line each,
        unless the `whole` is wanted."""
        from dipsat.engines.trace_text import text_of

        return text_of(self, whole)

    def __str__(self) -> str:
        return self.text()


Traced: TypeAlias = tuple[EquationVerdicts, Trace]
"""What an engine decides, and how it came to that."""


class Recorder:
    """Takes down the steps while an engine decides a phase; handed to a resolver."""

    def __init__(self, equations: OrderEquations) -> None:
        self._equations = equations
        self._steps: list[Step] = []
        self._depth = 0

    def name(self, order: Key) -> str:
        """What the steps call an order: by the province of its unit, as the article does."""
        return self._equations.short_name(order)

    def calls(self, function: Function, order: Key, state: str = "", scenario: str = "") -> None:
        """A function is called."""
        self._steps.append(Call(function, self.name(order), self._depth, state, scenario))
        self._depth += 1

    def returns(self, function: Function, order: Key, value: int) -> None:
        """It returns."""
        self._depth -= 1
        self._steps.append(Return(function, self.name(order), self._depth, bool(value)))

    def shows(
        self, moment: str, columns: Row, rows: Mapping[Key, Row], notes: Mapping[str, Note]
    ) -> None:
        """The table at a moment, of the orders in `rows`."""
        named = tuple((self._equations.order_name(key), *row) for key, row in rows.items())
        self._steps.append(Table(moment, ("order", *columns), named, notes))

    def applies(self, rule: BackupRule) -> None:
        """A backup rule is applied."""
        equations = self._equations
        cycle = tuple(self.name(key) for key in rule.cycle if equations.is_order(key))
        decisions = equations.profile.decisions
        sets = {
            equations.name(key): bool(value) if decisions[key[0]].type.is_truth else value
            for key, value in sorted(rule.pins.items())
        }
        self._steps.append(Rule(rule.name, cycle, sets))

    def listed(self, orders: list[Key]) -> tuple[str, ...]:
        """A list of orders as a note."""
        return tuple(map(self.name, orders))

    def trace(self) -> Trace:
        """All that was taken down."""
        equations = self._equations
        orders = {self.name(key): equations.order_name(key) for key in equations.orders}
        return Trace(equations.engine, orders, tuple(self._steps))

    def watched(self, decide: Callable[[], EquationVerdicts]) -> Traced:
        """The verdicts and the trace; an `EngineError` has the trace up to it."""
        try:
            return decide(), self.trace()
        except EngineError as error:
            error.trace = self.trace()
            raise
