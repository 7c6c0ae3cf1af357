"""Orders as they came in, and what became of them before the other orders are looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from dipsat.game.position import Unit
from dipsat.orders.order import Order

UNKNOWN_PLACE = "unknown_place"
"""The code of orders in the right format that name a place that is not on the map."""
IMPASSABLE = "impassable"
"""The code of orders that name land of the map that no unit can enter."""
UNREADABLE = "unreadable"
"""The code of orders that nobody can read (DATC 4.E.2)."""


class Status(StrEnum):
    """The status of an order before the other orders are looked at."""

    LEGAL = "legal"
    """It is followed as written."""
    AMENDED = "amended"
    """It was unclear, and is followed as settled."""
    ILLEGAL = "illegal"
    """It is not carried out, and its unit holds unless it has another order."""


@dataclass(frozen=True, slots=True)
class Submission:
    """An order as submitted."""

    power: str
    """The power that gave it."""
    text: str
    """The text as typed."""
    order: Order
    """The order as read."""


@dataclass(frozen=True, slots=True)
class SetSubmission(Submission):
    """An order about which more is known.

    `batch` numbers the sets of orders of a power in which it came (DATC 4.D.1), the first one 0.
    `refusal`, code and reason, is there if the order is not looked at, whatever it says. `reading`
    says what was taken for names that stand for nothing as they are typed (DATC 4.E.2).
    """

    batch: int = 0
    refusal: tuple[str, str] | None = None
    reading: str = ""


def batch_of(submission: Submission) -> int:
    """The number of the set of orders in which it came."""
    return submission.batch if isinstance(submission, SetSubmission) else 0


def refusal_of(submission: Submission) -> tuple[str, str] | None:
    """Why it is not looked at, None if it is."""
    return submission.refusal if isinstance(submission, SetSubmission) else None


def reading_of(submission: Submission) -> str:
    """What was taken for names in it that stand for nothing as they are typed, "" if there are
    none."""
    return submission.reading if isinstance(submission, SetSubmission) else ""


def with_reading(submission: Submission, reason: str) -> str:
    """A reason for what became of an order, after what had to be guessed to read it."""
    return "; ".join(filter(None, (reading_of(submission), reason)))


@dataclass(frozen=True, slots=True)
class Ruling:
    """The ruling on a submission before the other orders are looked at."""

    submission: Submission
    """The order as submitted."""
    unit: Unit | None
    """The ordered unit of the power, None if the power has no such unit."""
    order: Order
    """The order with everything unclear settled; as written if it is illegal."""
    status: Status
    """Legal, amended or illegal."""
    code: str = ""
    """The reason why it is amended or illegal, for programs; "" if it is legal."""
    reason: str = ""
    """The same reason for people."""
    naming: tuple[str, ...] = ()
    """The settings that were needed because a unit was named badly (DATC 3.0 4.C)."""
    counts: bool = False
    """Whether an illegal order still counts as an order (DATC 2.4 4.E.1 a to c): it fails, but it
    has some effect."""
    mark: str = ""
    """The mark that an algorithm with marks of its own gives to an illegal order, else ""."""

    def made_illegal(self, code: str, reason: str) -> Ruling:
        """Return the ruling with the order illegal and without any effect."""
        return replace(
            self,
            order=self.submission.order,
            status=Status.ILLEGAL,
            code=code,
            reason=reason,
            counts=False,
        )
