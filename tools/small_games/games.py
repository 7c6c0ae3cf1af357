"""Whether armies keep the enemy out: with lines, with plans, or with orders for each board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tools.small_games.graphs import Borders, subsets
from tools.small_games.phases import Phases


@dataclass(frozen=True)
class Games:
    """The games on a map with a number of own armies."""

    phases: Phases

    @cached_property
    def _whole(self) -> int:
        return (1 << len(self.phases.boards)) - 1

    @cached_property
    def _boards_without(self) -> Mapping[int, Mapping[int, int]]:
        """Closed provinces -> own provinces -> the boards with these and no enemy inside."""
        found: dict[int, dict[int, int]] = {}
        for closed in subsets(self.phases.everywhere):
            by = found[closed] = dict.fromkeys(self.phases.places, 0)
            for (own, enemy), bit in self.phases.boards.items():
                if not enemy & closed:
                    by[own] |= bit
        return found

    @cached_property
    def lines(self) -> frozenset[int]:
        """The sets of closed provinces that armies hold without ever moving."""
        return frozenset(
            closed
            for closed in subsets(self.phases.everywhere)
            for own in self.phases.places
            if not own & ~closed
            and any(
                stay and after is not None and not after & ~self._boards_without[closed][own]
                for stay, after in self._whoever(own, closed)
            )
        )

    @cached_property
    def plans(self) -> Mapping[int, Mapping[int, int]]:
        """Closed provinces -> the largest plan that keeps them closed: own provinces -> the index
        of the orders there. It is empty if there is no plan."""
        return {
            closed: self._plan(closed, self.phases.everywhere)
            for closed in subsets(self.phases.everywhere)
        }

    @cached_property
    def plans_inside(self) -> Mapping[int, Mapping[int, int]]:
        """The same for plans whose armies stay in the closed provinces."""
        return {closed: self._plan(closed, closed) for closed in subsets(self.phases.everywhere)}

    def _plan(self, closed: int, inside: int) -> Mapping[int, int]:
        states = {own: 0 for own in self.phases.places if not own & ~inside}
        options = {own: [after for _, after in self._whoever(own, closed)] for own in states}
        while True:
            allowed = sum(self._boards_without[closed][own] for own in states)
            kept = {own: numbers[0] for own in states if (numbers := [
                at for at, after in enumerate(options[own])
                if after is not None and not after & ~allowed
            ])}  # fmt: skip
            if len(kept) == len(states):
                return kept
            states = kept

    def plan_holds(self, closed: int, plan: Mapping[int, int]) -> bool:
        """Whether a plan, given as in `plans`, keeps provinces closed."""
        allowed = sum(self._boards_without[closed][own] for own in plan)
        for own, number in plan.items():
            outside = subsets(self.phases.everywhere & ~own & ~closed)
            after = _union(self.phases.results[own][number][1], outside)
            if after is None or after & ~allowed:
                return False
        return True

    def _whoever(self, own: int, closed: int) -> Iterator[tuple[bool, int | None]]:
        """For each choice of orders: whether all armies stay, and the boards that can result,
        wherever enemies are outside; None if an own army can be lost."""
        outside = list(subsets(self.phases.everywhere & ~own & ~closed))
        for stay, after in self.phases.results[own]:
            yield stay, _union(after, outside)

    @cached_property
    def _options(self) -> Mapping[tuple[int, int], list[int]]:
        """Board -> the possible results of each choice of orders that no other choice improves."""
        found = {}
        for own, choices in self.phases.results.items():
            for enemy in subsets(self.phases.everywhere & ~own):
                some = {after[enemy] for _, after in choices} - {None}
                least = list[int]()
                for one in sorted((one for one in some if one is not None), key=int.bit_count):
                    if all(other & ~one for other in least):
                        least.append(one)
                found[own, enemy] = least
        return found

    def sees(self, protected: int, sources: int) -> bool:
        """Whether armies that know where the enemy is keep it out of provinces for ever, if it
        starts in `sources` and builds there."""
        boards, won = self.phases.boards, 0
        for (_, enemy), bit in boards.items():
            won |= 0 if enemy & protected else bit
        before = -1
        while won != before:
            before, lost = won, self._whole & ~won
            spoiled = lost  # the boards on which the enemy can win by building
            for (own, enemy), bit in boards.items():
                if not bit & lost:
                    free = sources & ~own & ~enemy
                    if free and any(boards[own, enemy | new] & lost for new in subsets(free)):
                        spoiled |= bit
            for board, bit in boards.items():
                if bit & won and all(after & spoiled for after in self._options[board]):
                    won &= ~bit
        return any(boards[own, sources] & won for own in self.phases.places if not own & sources)


def _union(after: Mapping[int, int | None], enemies: Iterable[int]) -> int | None:
    """The boards that can result from orders if enemies are in one of these sets of provinces."""
    found = 0
    for enemy in enemies:
        one = after[enemy]
        if one is None:
            return None
        found |= one
    return found


def games_of(borders: Borders, armies: int) -> Games:
    """The games on a map."""
    return Games(Phases(borders, armies))
