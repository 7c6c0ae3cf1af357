"""A question about a board, as a command or a request poses it: which units are open, and whether
others may join them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dipsat.game.open_position import OpenPosition
from dipsat.game.order_sets import PowerOrders
from dipsat.game.position import Position
from dipsat.limits import Limits
from dipsat.searches.answer import SearchResult
from dipsat.searches.ask import search
from dipsat.searches.question import Question, Rules
from dipsat.searches.smallest import search_smallest
from dipsat.solving.budget import Progress


@dataclass(frozen=True, slots=True)
class Posed:
    """A board that a question is about. `open` names the open units and powers, and is None for all
    units without an order. Of the units that stand somewhere for certain, only those of `power` are
    open, whatever `open` names. With `most`, so many units may join, of `power` or of any."""

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
        """What is open. Units that join or may stand anywhere are open in any case, so then the
        power needs no other unit."""
        if self.power is None:
            return self.open
        power = self.position.map.names.power(self.power)
        position = self.position
        if isinstance(position, Position) and self.most is None:
            return (power,)
        known = position if isinstance(position, Position) else position.known
        return (power,) if any(unit.power == power for unit in known.units) else ()
