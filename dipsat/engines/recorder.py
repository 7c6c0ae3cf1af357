"""Recording what a recursive algorithm does while it decides a phase."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from dipsat.engines.order_equations import OrderEquations
from dipsat.errors import EngineError
from dipsat.proof.engine import BackupRule, EquationVerdicts
from dipsat.proof.trace import Call, Function, Note, Return, Row, Rule, Step, Table, Trace
from dipsat.terms.term import Key

Traced: TypeAlias = tuple[EquationVerdicts, Trace]
"""What an engine decides, and how it got there."""


class Recorder:
    """Records the steps of a resolver while an engine decides a phase."""

    def __init__(self, equations: OrderEquations) -> None:
        self._equations = equations
        self._steps: list[Step] = []
        self._depth = 0

    def name(self, order: Key) -> str:
        """The name of an order in the steps: the province of its unit, as in the article."""
        return self._equations.short_name(order)

    def calls(self, function: Function, order: Key, state: str = "", scenario: str = "") -> None:
        """Record the call of a function."""
        self._steps.append(Call(function, self.name(order), self._depth, state, scenario))
        self._depth += 1

    def returns(self, function: Function, order: Key, value: int) -> None:
        """Record its return."""
        self._depth -= 1
        self._steps.append(Return(function, self.name(order), self._depth, bool(value)))

    def shows(
        self, moment: str, columns: Row, rows: Mapping[Key, Row], notes: Mapping[str, Note]
    ) -> None:
        """Record the table at a moment, with the orders in `rows`."""
        named = tuple((self._equations.order_name(key), *row) for key, row in rows.items())
        self._steps.append(Table(moment, ("order", *columns), named, notes))

    def applies(self, rule: BackupRule) -> None:
        """Record the application of a backup rule."""
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
        """All that was recorded."""
        equations = self._equations
        orders = {self.name(key): equations.order_name(key) for key in equations.orders}
        return Trace(equations.engine, orders, tuple(self._steps))

    def watched(self, decide: Callable[[], EquationVerdicts]) -> Traced:
        """The verdicts and the trace; an `EngineError` carries the trace up to the error."""
        try:
            return decide(), self.trace()
        except EngineError as error:
            error.trace = self.trace()
            raise
