"""The board of a differing phase, small enough to be handed on for every one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dipsat.board.map import Map
from dipsat.game.position import Position
from dipsat.game.submissions import PowerOrders
from dipsat.limits import unlimited
from dipsat.profiles.load import load_profile, portable_map, portable_rules
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import decided
from dipsat.proof.outcome import Outcome


@dataclass(frozen=True, slots=True)
class ReplayedBoard:
    """A position and rules as plain values, with the names of a map and rules that are shipped:
    other processes have these already."""

    position: Mapping[str, Any]
    map: str | Map
    rules: str | Profile

    @staticmethod
    def of(position: Position, rules: Profile) -> ReplayedBoard:
        """The board of a position under some rules."""
        board, named = portable_map(position.map), portable_rules(rules)
        return ReplayedBoard(position.to_dict(), board, named)

    def judged(self, orders: Mapping[str, PowerOrders]) -> Outcome:
        """The outcome of orders."""
        rules = load_profile(self.rules)
        position = Position.from_dict(self.position, self.map, rules)
        with unlimited():
            return decided(position, orders, rules)
