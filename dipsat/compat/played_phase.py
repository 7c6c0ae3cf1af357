"""The outcome of a phase; the marks of the package `diplomacy` are computed when they are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from time import time_ns
from typing import Any

from dipsat.board import province_of
from dipsat.compat.order_results import (
    DISBAND,
    Marks,
    adjustment_marks,
    movement_marks,
    retreat_marks,
)
from dipsat.compat.package_board import Board, Given
from dipsat.compat.package_power import VOID, WAIVE, Power
from dipsat.game import PhaseKind
from dipsat.outcomes import MovementOutcome, Outcome


def now() -> int:
    """Microseconds since 1970, by which the package orders states and messages."""
    return time_ns() // 1_000


class PlayedPhase:
    """The outcome of a phase on a board, with all orders. With `is_unchecked`, the orders are as
    typed. `before` is the phase before a retreat or adjustment phase."""

    def __init__(
        self,
        outcome: Outcome,
        board: Board,
        note: str,
        powers: Iterable[Power],
        before: PlayedPhase | None,
        is_unchecked: bool,
    ) -> None:
        self.outcome = outcome
        self.given: Given = {p.name: (p.orders, p.adjust, p.civil_disorder) for p in powers}
        self._board = board
        self._about = now(), note
        self._before = before
        self._is_unchecked = is_unchecked

    @cached_property
    def state(self) -> dict[str, Any]:
        """The board before the phase, as plain values."""
        return self._board.state(*self._about, {name: own[2] for name, own in self.given.items()})

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
        held = self._board.holdings.values()
        listed = [unit for one in held for unit in (*one.units, *one.retreats)]
        return {unit: found[unit] for unit in (*listed, *found) if unit in found}

    @property
    def command(self) -> dict[str, str]:
        """Each unit with its order, without the unit, in a movement phase."""
        return {
            unit: self._orders[power].get(unit, "H")
            for power, own in self._board.holdings.items()
            for unit in own.units
        }

    @property
    def ordered_units(self) -> dict[str, list[str]]:
        """Power -> its units that had an order in a movement phase."""
        return {
            power: [unit for unit in own.units if unit in self._orders[power]]
            for power, own in self._board.holdings.items()
        }

    @cached_property
    def _orders(self) -> Mapping[str, Mapping[str, str]]:
        """The orders of each power in a movement phase by unit, as they were read."""
        orders = {power: own[0] for power, own in self.given.items()}
        if not self._is_unchecked:
            return orders
        read = {
            one.unit: one.order.removeprefix(f"{one.unit} ")
            for one in self.outcome.orders
            if one.submitted is not None and one.verdict != "illegal"
        }
        return dict.fromkeys(orders, read) if read else orders

    @property
    def _refused(self) -> list[str]:
        """The units and builds of impossible orders, and waived builds."""
        texts = [text for _, adjust, _ in self.given.values() for text in adjust]
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
