"""What came of a phase, with the marks of the package `diplomacy` when somebody reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from dipsat.board import province_of
from dipsat.compat.order_results import (
    DISBAND,
    Marks,
    adjustment_marks,
    movement_marks,
    retreat_marks,
)
from dipsat.compat.package_power import VOID, WAIVE
from dipsat.game import PhaseKind
from dipsat.outcomes import MovementOutcome, Outcome


class Ordered(NamedTuple):
    """What a power had in a phase, and what it ordered: attributes of `Power`, which has others in
    the next phase."""

    power: str
    units: Sequence[str]
    retreats: Mapping[str, Sequence[str]]
    orders: Mapping[str, str]
    adjust: Sequence[str]


class PlayedPhase:
    """The outcome of a phase with all orders, which are as typed if they are `is_unchecked`.
    `before` is the phase before one that is not of movement."""

    def __init__(
        self,
        outcome: Outcome,
        given: Sequence[Ordered],
        before: PlayedPhase | None,
        is_unchecked: bool,
    ) -> None:
        self.outcome = outcome
        self._given = given
        self._before = before
        self._is_unchecked = is_unchecked

    @cached_property
    def marks(self) -> Marks:
        """The marks of all units."""
        match self.outcome.position.phase.kind:
            case PhaseKind.ADJUSTMENT:
                found = adjustment_marks(self.outcome, self._refused)
            case PhaseKind.RETREAT:
                found = retreat_marks(self.outcome, self._refused)
            case _:
                found = movement_marks(self.outcome, self.command)
        for unit in [] if self._before is None else self._before._destroyed:
            found.setdefault(unit, []).append(DISBAND)
        listed = [unit for one in self._given for unit in (*one.units, *one.retreats)]
        return {unit: found[unit] for unit in (*listed, *found) if unit in found}

    @property
    def command(self) -> dict[str, str]:
        """Each unit with its order, without the unit, in a movement phase."""
        return {
            unit: orders.get(unit, "H")
            for one, orders in zip(self._given, self._orders, strict=True)
            for unit in one.units
        }

    @property
    def ordered_units(self) -> dict[str, list[str]]:
        """Power -> its units that had an order in a movement phase."""
        return {
            one.power: [unit for unit in one.units if unit in orders]
            for one, orders in zip(self._given, self._orders, strict=True)
        }

    @cached_property
    def _orders(self) -> Sequence[Mapping[str, str]]:
        """The orders of each power in a movement phase by unit, as they were read."""
        if not self._is_unchecked:
            return [one.orders for one in self._given]
        read = {
            one.unit: one.order.removeprefix(f"{one.unit} ")
            for one in self.outcome.orders
            if one.submitted is not None and one.verdict != "illegal"
        }
        return [read or one.orders for one in self._given]

    @property
    def _refused(self) -> list[str]:
        """The units and builds in orders that cannot be, and waived builds."""
        texts = [text for one in self._given for text in one.adjust]
        words = [
            text.removeprefix(VOID).split()
            for text in texts
            if text == WAIVE or text.startswith(VOID)
        ]
        return [one[0] if one[0] == WAIVE else " ".join(one[:2]) for one in words]

    @property
    def dislodged(self) -> dict[str, str]:
        """Each unit that was dislodged, with the province of its attacker."""
        if not isinstance(self.outcome, MovementOutcome):
            return {}
        return {one.unit: province_of((one.by or "")[2:]) for one in self.outcome.dislodged}

    @property
    def popped(self) -> list[str]:
        """The units that were dislodged and could not retreat."""
        if isinstance(self.outcome, MovementOutcome):
            return self._destroyed
        if self.outcome.position.phase.kind is PhaseKind.RETREAT:
            return [unit for unit, marks in self.marks.items() if DISBAND in marks]
        return [] if self._before is None else self._before.popped

    @property
    def _destroyed(self) -> list[str]:
        """The units that were dislodged in this phase and have no retreat."""
        if not isinstance(self.outcome, MovementOutcome):
            return []
        return [one.unit for one in self.outcome.dislodged if not one.retreats]
