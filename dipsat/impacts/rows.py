"""Phases under rule sets as rows, see `dipsat.datasets.kinds.IMPACT`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dipsat.datasets.kinds import phase_columns
from dipsat.impacts.phases import Posed


@dataclass(slots=True)
class ImpactRows:
    """The rows of the phases of a game, or of some boards; phases are called by their numbers in
    it, from 0, and rule sets by their numbers among all."""

    against: str
    rules: tuple[str, ...]
    is_wanted: bool
    _found: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)

    def judged(self, at: int) -> None:
        """Add the row of the base."""
        self._add(at, -1, "judged")

    def differ(
        self, at: int, member: int, orders: int, causes: tuple[str, ...], *, board: bool
    ) -> None:
        """Add the row of a rule set with another result, and perhaps another board."""
        self._add(at, member, "differ", list(causes), orders, board=board)

    def unjudged(self, at: int, member: int, reason: str) -> None:
        """Add the row of a rule set that has no result."""
        self._add(at, member, "unjudged", reason=reason)

    def rows(self, phases: dict[int, Posed], places: dict[int, int]) -> list[dict[str, Any]]:
        """The rows, by phase; `places` has the places of phases in their game (from 1)."""
        return [
            {**_of_phase(phases[at], places.get(at)), **found}
            for (at, _), found in sorted(self._found.items())
        ]

    def _add(
        self, at: int, member: int, verdict: str,
        causes: list[str] | None = None, orders: int = 0, reason: str | None = None, *,
        board: bool | None = None,
    ) -> None:  # fmt: skip
        if self.is_wanted:
            self._found[at, member] = {
                "against": self.against,
                "rules": None if member < 0 else self.rules[member],
                "verdict": verdict,
                "causes": causes or [],
                "orders_changed": orders,
                "board": board,
                "reason": reason,
            }


def _of_phase(one: Posed, place: int | None) -> dict[str, Any]:
    position = one.position
    return {
        "game": one.source,
        "map": position.map.name,
        "number": place,
        **phase_columns(str(position.phase)),
        "units": len(position.units),
    }
