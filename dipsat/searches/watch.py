"""How long a search may take, and what it reports on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dipsat.orders.order import Order
from dipsat.solving.budget import INTERRUPTED, Budget, Progress, budget_of


@dataclass
class Watch:
    """The budget of a search, its progress report, the number of order sets adjudicated, what it is
    about and what it is doing, and the orders that may prove to be the answer."""

    progress: Progress = lambda _: None
    budget: Budget = field(default_factory=budget_of)
    adjudicated: int = field(default=0, init=False)
    about: str = field(default="", init=False)
    doing: str = field(default="", init=False)
    candidate: Mapping[str, Order] | None = field(default=None, init=False)

    def tell(self, what: str, left: str = "") -> None:
        """Report what is being tried, and what is `left` to try after it."""
        self.doing = what
        about = f"{self.about}: " if self.about else ""
        sets = "order set" if self.adjudicated == 1 else "order sets"
        done = f"{self.adjudicated:,} {sets} adjudicated, none is an answer"
        self.progress(f"{about}trying {what}; {done}" + (f"; then {left}" if left else ""))

    def ended(self, by: BaseException) -> str:
        """A reason why a search ended, with what it was doing."""
        interrupted = isinstance(by, KeyboardInterrupt)
        reason = INTERRUPTED if interrupted else str(by)
        if self.candidate is not None:
            return f"{reason}; no answer to these orders was found so far"
        if not self.doing:
            return reason
        return f"{reason} {'while trying' if interrupted else 'for'} {self.doing}"
