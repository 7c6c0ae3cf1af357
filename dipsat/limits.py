"""What a call may cost, for input from strangers."""

from __future__ import annotations

from dataclasses import dataclass

from dipsat.brief import brief
from dipsat.errors import LimitError

MAX_SECONDS = 10**9
"""Longer than anybody waits; a longer limit is no limit."""


@brief()
@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the cost of a call. Rules, maps and orders that exceed dipsat's own bounds on their
    size are refused in any case (docs/security.md)."""

    seconds: float | None = None
    """The seconds for the whole call. What is not decided by then is `unknown`. None: no limit."""
    work: int | None = None
    """Steps of the solver, about a million a second, the same on every machine. What is not decided
    with them is `unknown`. None: dipsat's own bound, which no game comes near."""
    megabytes: int | None = None
    """Megabytes of memory. Only a process of its own can keep to it: `dipsat.run_limited`."""

    def __post_init__(self) -> None:
        """Refuse limits that are no numbers above zero."""
        for name in ("seconds", "work", "megabytes"):
            value = getattr(self, name)
            if value is not None and not value > 0:  # not a number is not above zero either
                raise LimitError(name, value, "should be more than 0")

    def check_inside(self) -> None:
        """Refuse `megabytes`, for a call inside the caller's own process."""
        if self.megabytes is not None:
            problem = "needs a process of its own: call dipsat.run_limited"
            raise LimitError("megabytes", self.megabytes, problem)


UNLIMITED = Limits()
"""Nothing but dipsat's own bounds."""
