"""The result of one order, in the words of DATC 3.2."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dipsat.brief import brief
from dipsat.proof.reasons import Reason

VERDICTS: Mapping[str, tuple[str, str]] = {
    "move": ("succeeds", "fails"),
    "support": ("given", "cut"),
    "convoy": ("available", "disrupted"),
    "dislodge": ("is dislodged", "is not dislodged"),
}
"""Decision that is a verdict -> the word if it is true, the word if it is false."""
DECLARED = ("succeeds", "fails")
"""The words for orders of kinds that rules declare."""


@brief()
@dataclass(frozen=True)
class OrderOutcome(ABC):
    """The result of one order, or of a unit without an order (it holds or is disbanded)."""

    power: str
    """The power that gave the order."""
    unit: str
    """The ordered unit, such as `A LON`."""
    submitted: str | None
    """The order as submitted, None if there was none."""
    verdict: str
    """The result in the words of DATC 3.2: `succeeds` or `fails` (move, retreat), `given` or `cut`
    (support), `available` or `disrupted` (convoy), `stands` (hold), `illegal`, `invalid`; `unknown`
    if the limits were too low to decide it. A hold order cannot fail: it `stands` also if the
    unit is dislodged, which its `fate` says."""
    fate: str
    """The unit's fate: "", `dislodged`, `destroyed` (dislodged without a retreat), `disbanded`
    (in a retreat or adjustment phase; in a movement phase, the dislodged unit of a neutral power),
    or `unknown` if the limits were too low to decide it."""

    @property
    @abstractmethod
    def order(self) -> str:
        """The order in the `diplomacy` notation, with everything unclear settled."""

    @property
    @abstractmethod
    def amended(self) -> str:
        """What was unclear in the order and how it is read, "" if nothing was unclear."""

    @property
    @abstractmethod
    def reason(self) -> Reason:
        """Why, with the units whose orders caused it."""

    @property
    def marks(self) -> tuple[str, ...]:
        """The words with which an algorithm marks the order, such as the DPjudge's `bounce`, and
        `dislodged` for its unit; empty without a mark, or if the algorithm has no marks."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "power": self.power,
            "unit": self.unit,
            "order": self.order,
            "submitted": self.submitted,
            "amended": self.amended,
            "verdict": self.verdict,
            "fate": self.fate,
            "reason": self.reason.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class PhaseOrder(OrderOutcome):
    """An order of a retreat or adjustment phase, with its text and reason."""

    order: str
    reason: Reason
    amended: str = ""
