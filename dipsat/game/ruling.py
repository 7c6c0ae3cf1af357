"""Orders as submitted, and the rulings on them before other orders are considered."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from dipsat.base import brief, checked, titled
from dipsat.errors import escaped
from dipsat.orders import Order, Unit

UNKNOWN_PLACE = "unknown_place"
"""The code of well-formed orders that name a place not on the map."""

IMPASSABLE = "impassable"
"""The code of orders that name land of the map that no unit can enter."""

UNREADABLE = "unreadable"
"""The code of orders that cannot be read (DATC 4.E.2)."""


class RulingStatus(StrEnum):
    """The status of an order before the other orders are looked at."""

    LEGAL = "legal"
    """The order is followed as written."""
    AMENDED = "amended"
    """The order was unclear, and is followed as settled."""
    ILLEGAL = "illegal"
    """The order is not carried out, and its unit holds unless it has another order."""


@brief()
class Submission(NamedTuple):  # every order is one; a frozen dataclass takes three times as long
    """An order as submitted.

    `batch` is the number of the set of its power's orders in which it came, from 0 (DATC 3.0
    4.D.1). `refusal` (code and reason) is given if the order is refused whatever it says. `reading`
    says how a unit without an action was read, or names that mean nothing as typed (DATC 4.E.2).
    """

    power: str
    """The power that gave it."""
    text: str
    """The text as typed."""
    order: Order
    """The order as read."""
    batch: int = 0
    refusal: tuple[str, str] | None = None
    reading: str = ""

    @property
    def shown(self) -> str:
        """The text as typed, in one line that a terminal can show."""
        return self.text if self.text.isprintable() else escaped(self.text)


def with_reading(submission: Submission, reason: str) -> str:
    """The reason for a ruling, preceded by what had to be guessed to read the order."""
    return "; ".join(filter(None, (submission.reading, reason)))


@brief()
class Ruling(NamedTuple):  # as many of these as submissions
    """The ruling on a submission before the other orders are looked at."""

    submission: Submission
    """The order as submitted."""
    unit: Unit | None
    """The unit ordered, or None if the power has no such unit."""
    order: Order
    """The order with anything unclear settled; as written if it is illegal."""
    status: RulingStatus
    """Legal, amended or illegal."""
    code: str = ""
    """The reason why it is amended or illegal, as a code for programs; "" if it is legal."""
    reason: str = ""
    """The same reason for people."""
    naming: tuple[str, ...] = ()
    """The settings that were needed because a unit was named badly (DATC 3.0 4.C)."""
    counts: bool = False
    """Whether an illegal order still counts as an order (DATC 2.4 4.E.1 a to c): it fails, but it
    has some effect."""
    mark: str = ""
    """The mark of an illegal order in an algorithm that has its own marks, else ""."""

    @checked
    def made_illegal(self, code: str, reason: str) -> Ruling:
        """Return the ruling with the order illegal and without any effect."""
        return self._replace(
            order=self.submission.order,
            status=RulingStatus.ILLEGAL,
            code=code,
            reason=reason,
            counts=False,
        )


def foreign_unit(unit: Unit, power: str, where: str = "in") -> str:
    """What is wrong with an order of a power for a unit of another power, which stands `in` its
    province or is `dislodged from` it."""
    owner = titled(unit.power)
    return f"the unit {where} {unit.province} belongs to {owner}, not {titled(power)}"
