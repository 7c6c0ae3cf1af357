"""Plans whose armies may be dislodged outside the closed provinces and retreat into them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from tools.small_games.graphs import members, subsets
from tools.small_games.phases import Lost, Phases

Refuges = tuple[tuple[int, int], ...]
"""The province of each own army that would retreat if it is dislodged, and its retreat."""
Choice = tuple[int, Refuges]
"""The index of the orders in `Phases.orders`, and the retreats."""
_End = tuple[Lost, int, int]


@dataclass(frozen=True)
class Falls:
    """The plans with retreats on a map with a number of own armies."""

    phases: Phases

    @cached_property
    def _ends(self) -> Mapping[int, list[Mapping[int, frozenset[_End]]]]:
        """Own provinces -> for each choice of orders: enemy provinces -> the possible results."""
        phases = self.phases
        return {
            own: [
                {
                    enemy: frozenset(phases.ends(own, enemy, *orders))
                    for enemy in subsets(phases.everywhere & ~own)
                }
                for orders in phases.orders(own, {})
            ]
            for own in phases.places
        }

    def plan(self, closed: int) -> Mapping[int, Choice]:
        """The largest plan that keeps provinces closed: own provinces -> orders and retreats there.
        It is empty if there is no plan."""
        options = {
            own: [
                ((number, refuges), after)
                for number, refuges in self.choices(own, closed)
                if (after := self._after(own, closed, number, refuges)) is not None
            ]
            for own in self.phases.places
        }
        while True:
            kept = {
                own: ways[0] for own, found in options.items()
                if (ways := [choice for choice, after in found if after <= options.keys()])
            }  # fmt: skip
            if len(kept) == len(options):
                return kept
            options = {own: options[own] for own in kept}

    def holds(self, closed: int, plan: Mapping[int, Choice]) -> bool:
        """Whether a plan keeps provinces closed."""
        return all(
            (after := self._after(own, closed, *choice)) is not None and after <= plan.keys()
            for own, choice in plan.items()
        )

    def choices(self, own: int, closed: int) -> Iterator[Choice]:
        """Every choice of orders and retreats, for armies in these provinces."""
        outside = members(own & ~closed)
        ways = [[None, *members(self.phases.borders[at] & closed)] for at in outside]
        for number in range(len(self._ends[own])):
            for chosen in product(*ways):
                pairs = zip(outside, chosen, strict=True)
                yield number, tuple((at, to) for at, to in pairs if to is not None)

    def _after(self, own: int, closed: int, number: int, refuges: Refuges) -> frozenset[int] | None:
        """The own provinces that are possible after the phase, wherever enemies are outside; None
        if an enemy can be in a closed province, or an own army can be lost."""
        found, ways = set[int](), dict(refuges)
        ends = self._ends[own][number]
        for enemy in subsets(self.phases.everywhere & ~own & ~closed):
            for lost, owned, foes in ends[enemy]:
                if foes & closed:
                    return None
                for at, free in lost:
                    refuge = 1 << ways[at] if at in ways else 0
                    if not refuge & free & ~owned:
                        return None
                    owned |= refuge
                found.add(owned)
        return frozenset(found)
