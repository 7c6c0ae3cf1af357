"""Orders as they came in, and what became of them before the other orders are looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from dipsat.game.position import Unit
from dipsat.orders.order import Order

UNKNOWN_PLACE = "unknown_place"
"""The code of orders in the right format that name a place that is not on the map."""
IMPASSABLE = "impassable"
"""The code of orders that name land of the map that no unit can enter."""
UNREADABLE = "unreadable"
"""The code of orders that nobody can read (DATC 4.E.2)."""


class Status(StrEnum):
    """How an order stands before the other orders are looked at."""

    LEGAL = "legal"
    AMENDED = "amended"
    ILLEGAL = "illegal"


class Submission(NamedTuple):  # every order is one; a frozen dataclass takes three times as long
    """An order as it came in: the power that gave it, its text, and what was read.

    `batch` numbers the sets of orders of a power in which it came (DATC 4.D.1), the first one 0.
    `refusal`, code and reason, is there if the order is not looked at, whatever it says. `reading`
    says what was taken for names that stand for nothing as they are typed (DATC 4.E.2).
    """

    power: str
    text: str
    order: Order
    batch: int = 0
    refusal: tuple[str, str] | None = None
    reading: str = ""


def with_reading(submission: Submission, reason: str) -> str:
    """A reason for what became of an order, after what had to be guessed to read it."""
    return "; ".join(filter(None, (submission.reading, reason)))


@dataclass(frozen=True, slots=True)
class Ruling:
    """What became of a submission.

    `unit` is the power's own unit that it is for (None if there is none), `order` the order with
    everything unclear settled (as written if illegal), `code` and `reason` say why it is amended
    or illegal (empty if legal). `naming` lists the settings that were needed because a unit was
    named badly (DATC 4.C). `counts` tells whether an illegal order is an order all the same
    (DATC 2.4 4.E.1 a to c): it fails, but it has some effect. `mark` is how an algorithm marks an
    illegal order that has marks of its own for orders.
    """

    submission: Submission
    unit: Unit | None
    order: Order
    status: Status
    code: str = ""
    reason: str = ""
    naming: tuple[str, ...] = ()
    counts: bool = False
    mark: str = ""

    def made_illegal(self, code: str, reason: str) -> Ruling:
        """The same ruling with the order illegal, and no order at all."""
        return replace(
            self,
            order=self.submission.order,
            status=Status.ILLEGAL,
            code=code,
            reason=reason,
            counts=False,
        )
