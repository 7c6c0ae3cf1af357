"""What became of an order of a retreat or adjustment phase."""

from __future__ import annotations

from dataclasses import dataclass

from dipsat.proof.outcome import OrderOutcome
from dipsat.proof.reasons import Reason


@dataclass(frozen=True, slots=True)
class PhaseOrder(OrderOutcome):
    """An order of a retreat or adjustment phase, with its text and reason."""

    _text: str
    _why: Reason
    _amended: str = ""

    @property
    def order(self) -> str:
        """The order in the `diplomacy` notation, with everything unclear settled."""
        return self._text

    @property
    def amended(self) -> str:
        """What was settled in the order, "" if nothing was unclear."""
        return self._amended

    @property
    def reason(self) -> Reason:
        """Why, with the units whose orders caused it."""
        return self._why
