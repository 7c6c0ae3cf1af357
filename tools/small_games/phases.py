"""The possible results of one phase, for all orders of a few own armies and of the enemy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

from tools.small_games.armies import Support, adjudicate, retreats
from tools.small_games.graphs import Borders, members, subsets

Orders = tuple[Mapping[int, int], Mapping[int, Support]]
"""The moves (origin -> target) and the supports (supporter -> supported)."""
Lost = tuple[tuple[int, int], ...]
"""The provinces of dislodged own armies, each with the provinces to which it may retreat."""


@dataclass(frozen=True)
class Phases:
    """All phases on a map with a number of own armies. A *board* is the own and the enemy
    provinces; a set of boards is a number with a bit for each."""

    borders: Borders
    armies: int

    @cached_property
    def everywhere(self) -> int:
        """All provinces."""
        return (1 << len(self.borders)) - 1

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The sets of provinces where the own armies can stand."""
        return tuple(
            sum(1 << at for at in some)
            for some in combinations(range(len(self.borders)), self.armies)
        )

    @cached_property
    def boards(self) -> Mapping[tuple[int, int], int]:
        """Own and enemy provinces -> their bit."""
        pairs = [(own, enemy) for own in self.places for enemy in subsets(self.everywhere & ~own)]
        return {pair: 1 << at for at, pair in enumerate(pairs)}

    @cached_property
    def results(self) -> Mapping[int, list[tuple[bool, Mapping[int, int | None]]]]:
        """Own provinces -> for each choice of own orders: whether all armies stay, and for each set
        of enemy provinces the boards that can result, or None if an own army can be lost."""
        return {
            own: [
                (not moves, {
                    enemy: self._after(own, enemy, moves, supports)
                    for enemy in subsets(self.everywhere & ~own)
                })
                for moves, supports in self.orders(own, {})
            ]
            for own in self.places
        }  # fmt: skip

    def orders(self, side: int, others: Mapping[int, int]) -> Iterator[Orders]:
        """The orders of a side's armies: to move, to hold, to support each other, or to support the
        other side's moves `others`."""
        armies = members(side)
        ways = [[at, *members(self.borders[at])] for at in armies]
        for targets in product(*ways):
            moves = {at: to for at, to in zip(armies, targets, strict=True) if at != to}
            helped = [*moves.items(), *others.items()]
            staying = [at for at in armies if at not in moves]
            helped += [(at, at) for at in staying]
            options = [
                [None, *((a, b) for a, b in helped if at != a and self.borders[at] >> b & 1)]
                for at in staying
            ]
            for chosen in product(*options):
                pairs = zip(staying, chosen, strict=True)
                yield moves, {at: aim for at, aim in pairs if aim is not None}

    def _after(
        self, own: int, enemy: int, moves: Mapping[int, int], supports: Mapping[int, Support]
    ) -> int | None:
        """The boards that can result from own orders; None if an own army can be lost."""
        found = 0
        for lost, owned, foes in self.ends(own, enemy, moves, supports):
            if lost:
                return None
            found |= self.boards[owned, foes]
        return found

    def ends(
        self, own: int, enemy: int, moves: Mapping[int, int], supports: Mapping[int, Support]
    ) -> Iterator[tuple[Lost, int, int]]:
        """The possible results of own orders: the dislodged own armies, the provinces of the
        others, and the enemy's provinces after its retreats."""
        for others, helps in self.orders(enemy, moves):
            ended = adjudicate(own, enemy, {**moves, **others}, {**supports, **helps})
            fled = list(retreats(ended, own | enemy, self.borders)) if ended.dislodged else []
            left = sum(1 << at for at in (*ended.succeeded, *ended.dislodged))
            owned, foes = own & ~left, enemy & ~left
            for at, to in ended.succeeded.items():
                if own >> at & 1:
                    owned |= 1 << to
                else:
                    foes |= 1 << to
            lost = tuple(one for one in fled if own >> one[0] & 1)
            for gone in _retreated([one for one in fled if one not in lost]):
                yield lost, owned, foes | gone


def _retreated(dislodged: list[tuple[int, int]]) -> Iterator[int]:
    """Every set of provinces to which dislodged armies can retreat, each to a different one. Any
    army may be disbanded."""
    if not dislodged:
        yield 0
        return
    (_, ways), *rest = dislodged
    for others in _retreated(rest):
        yield others
        for to in members(ways & ~others):
            yield others | 1 << to
