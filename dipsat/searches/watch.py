"""How long a search may take, and what it tells while it works."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dipsat.orders.order import Order
from dipsat.solving.budget import Budget

Progress = Callable[[str], None]
"""Called with what is being tried."""


@dataclass
class Watch:
    """What a search may cost, whom to tell, how many order sets it has adjudicated, what it is
    doing, and orders that may turn out to be the answer."""

    budget: Budget = field(default_factory=Budget)
    progress: Progress = lambda _: None
    adjudicated: int = field(default=0, init=False)
    doing: str = field(default="", init=False)
    candidate: Mapping[str, Order] | None = field(default=None, init=False)

    def tell(self, what: str) -> None:
        """Say what is being tried."""
        self.doing = what
        self.progress(f"{what}; {self.adjudicated} order sets adjudicated")

    def check(self) -> None:
        """Raise `ExhaustedError` if the time is over."""
        self.budget.spend()
