"""How each profile reads the same orders."""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.errors import QuestionError
from dipsat.game.legality import judge_orders
from dipsat.game.position import Position
from dipsat.game.ruling import RulingStatus, Submission
from dipsat.orders.order import Hold, Order
from dipsat.orders.writer import write_order
from dipsat.profiles.profile import Profile


class ProfileReadings:
    """Reads orders as each profile does: some amend an order that others accept or refuse.

    `fixed` has, for each profile, the orders of the units whose orders are not open, by location.
    """

    def __init__(
        self, position: Position, fixed: Mapping[Profile, Mapping[str, Order]] | None = None
    ) -> None:
        self.position = position
        self._fixed = fixed or {}
        self._units = {unit.location: unit for unit in position.units}
        self._positions: dict[Profile, Position] = {}
        self._read: dict[tuple[Profile, str, Order], Order] = {}

    def read(self, profile: Profile, location: str, order: Order) -> Order:
        """The order that the unit there follows under a profile if it is given `order`; with an
        illegal one it holds.

        Raises `QuestionError` for an impossible order that still has an effect.
        """
        fixed = self._fixed.get(profile, {}).get(location)
        if fixed is not None:
            return fixed
        key = profile, location, order
        if key not in self._read:
            is_of_unit = location in self._units  # an order of a power is always read as it is
            self._read[key] = self._judged(profile, location, order) if is_of_unit else order
        return self._read[key]

    def all(self, profile: Profile, orders: Mapping[str, Order]) -> Mapping[str, Order]:
        """The same for all orders, by location, or by key for orders of powers."""
        return {at: self.read(profile, at, order) for at, order in orders.items()}

    def _judged(self, profile: Profile, location: str, order: Order) -> Order:
        unit = self._units[location]
        text = write_order(order, self.position.map)
        submission = Submission(unit.power, text, order)
        position = self._positions.get(profile)
        if position is None:
            position = self._positions[profile] = self.position.with_words(profile.words)
        ruling = judge_orders(position, [submission], profile.settings)[0]
        refuse_effect(ruling.counts, text)
        if ruling.status is RulingStatus.ILLEGAL or isinstance(ruling.order, Hold):
            return Hold(unit.name)
        return ruling.order


def refuse_effect(counts: bool, text: str) -> None:
    """Raise `QuestionError` for an impossible order that counts."""
    if counts:
        raise QuestionError(
            f"{text!r} is an impossible order that has an effect (4.E.1); such orders cannot be "
            "part of a question about open orders"
        )
