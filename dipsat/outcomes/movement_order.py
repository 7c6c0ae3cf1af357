"""The result of one order of a movement phase."""

from __future__ import annotations

from typing import Any

from dipsat.equations import Key
from dipsat.game import Ruling, RulingStatus, UnitFacts
from dipsat.orders import write_order
from dipsat.outcomes.outcome import OrderOutcome, Reason, Told


class MovementOrderOutcome(OrderOutcome):
    """The result of one order of a movement phase; texts and reasons are made when they are
    read."""

    __slots__ = ("_number", "_outcome", "_told")

    def __init__(self, outcome: Any, number: int) -> None:
        self._outcome = outcome  # the `MovementOutcome` that makes it
        self._number = number
        self._told: Told = outcome._told[number]

    @property
    def facts(self) -> UnitFacts | None:
        """The unit in the facts of the phase, None if the ordered unit does not exist."""
        facts: UnitFacts | None = self._outcome._given[self._number][0]
        return facts

    @property
    def _ruling(self) -> Ruling | None:
        ruling: Ruling | None = self._outcome._given[self._number][1]
        return ruling

    @property
    def order(self) -> str:
        """The order in the `diplomacy` notation, with everything unclear settled."""
        if self._ruling is None:
            return f"{self.unit} H"
        return write_order(self._ruling.order, self._outcome.position.map)

    @property
    def amended(self) -> str:
        """What was unclear in the order and how it is read, "" if nothing was unclear."""
        ruling = self._ruling
        return ruling.reason if ruling and ruling.status is RulingStatus.AMENDED else ""

    @property
    def reason(self) -> Reason:
        """Why, with the units whose orders caused it."""
        found: Reason = self._outcome._reason(self)
        return found

    @property
    def marks(self) -> tuple[str, ...]:
        """The words with which an algorithm marks the order, and its unit."""
        found: tuple[str, ...] = self._outcome._marks(self.facts, self._ruling)
        return found

    @property
    def decision(self) -> Key | None:
        """The decision that gives the verdict, None for an illegal or invalid order."""
        facts, found = self.facts, None
        if facts is not None and self.verdict not in ("illegal", "invalid"):
            found = self._outcome._decision(facts)
        return found
