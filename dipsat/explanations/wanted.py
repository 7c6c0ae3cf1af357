"""The aim of `--change`: that an order succeeds, or that its unit is not dislodged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dipsat.board.province import province_of
from dipsat.openorders.open_query import GOOD, Reordering
from dipsat.orders.order import Convoy, DeclaredOrder, Hold, Move, Order, SupportHold, SupportMove
from dipsat.profiles.profile import Profile
from dipsat.proof.movement import MovementOrderOutcome
from dipsat.proof.outcome import DECLARED, VERDICTS, OrderOutcome
from dipsat.terms.term import Term, negation

_FAMILIES: Mapping[type, str] = {
    Move: "move", SupportMove: "support", SupportHold: "support", Convoy: "convoy",
    Hold: "dislodge",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Aim:
    """The aim that an order succeeds or a unit is not dislodged. `family` is that of the verdict,
    "" for an order that succeeds if it is legal."""

    family: str
    text: str

    def is_reached(self, order: OrderOutcome) -> bool:
        """Whether an outcome reaches the aim."""
        return not order.fate if self.family == "dislodge" else order.verdict in GOOD

    def claim(self, open_orders: Reordering, at: int) -> Term:
        """A term over the decisions that says that the aim is reached."""
        verdict = open_orders.verdict(self.family, at)
        return negation(verdict) if self.family == "dislodge" else verdict


def aims(profile: Profile, order: MovementOrderOutcome, given: Order) -> Iterator[Aim]:
    """The aims for the order that a unit was `given`, to be tried in turn."""
    family, goes = _FAMILIES.get(type(given), ""), isinstance(given, Move)
    if isinstance(given, DeclaredOrder):
        kind = profile.declared.kinds[given.kind]
        family, goes = kind.verdict, bool(kind.legs)
        if not family and order.verdict != "illegal":
            family = "dislodge"
    if family != "dislodge":
        yield Aim(family, f"{order.order} {VERDICTS.get(family, DECLARED)[0]}")
    if family == "dislodge" or (not goes and order.fate):
        yield Aim("dislodge", f"{order.unit} {VERDICTS['dislodge'][1]}")


def is_same_aim(order: Order, given: Order) -> bool:
    """Whether two orders of a unit have the same aim, and differ at most in how they reach it."""
    match order, given:
        case Move(target=target), Move(target=other):
            return target == other
        case SupportHold(supported=unit), SupportHold(supported=other):
            return unit.location == other.location
        case SupportMove(supported=unit, target=target), SupportMove(supported=other):
            same_unit = unit.location == other.location
            return same_unit and province_of(target) == province_of(given.target)
    return False
