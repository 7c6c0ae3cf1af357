"""An adjudicator of two powers' armies, written for small maps and without dipsat.

Provinces are numbers; a set of them is also a number, with a bit for each. Bounds decide moves:
those that fail even at best, and those that succeed even at worst. Without convoys, the only moves
that remain are armies that go round in a ring, and these succeed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Support = tuple[int, int]
"""The origin and the target of a supported army; the same province twice if it stays."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The results of the orders."""

    succeeded: Mapping[int, int]
    """Province -> the province to which its army went."""
    dislodged: Mapping[int, int]
    """Province of a dislodged army -> the province from which it was attacked."""
    standoffs: int
    """The empty provinces in which armies bounced."""


def adjudicate(
    own: int, enemy: int, moves: Mapping[int, int], supports: Mapping[int, Support]
) -> Ended:
    """Adjudicate the orders of two powers with armies in `own` and `enemy`. Armies without an order
    hold."""
    return _Phase(own, enemy, moves, supports).ended()


class _Phase:
    def __init__(
        self, own: int, enemy: int, moves: Mapping[int, int], supports: Mapping[int, Support]
    ) -> None:
        self.own, self.units, self.moves = own, own | enemy, moves
        self.supporters: dict[Support, list[int]] = {}
        for at, aim in supports.items():
            self.supporters.setdefault(aim, []).append(at)
        self.attackers: dict[int, list[int]] = {}
        for at, to in moves.items():
            self.attackers.setdefault(to, []).append(at)
        self.known: dict[int, bool] = {}
        """Province -> whether the move from there succeeds."""

    def ended(self) -> Ended:
        while len(self.known) < len(self.moves):
            before = len(self.known)
            for at in self.moves:
                if at not in self.known:
                    if not self._succeeds(at, True):
                        self.known[at] = False
                    elif self._succeeds(at, False):
                        self.known[at] = True
            if len(self.known) == before:
                self.known.update(dict.fromkeys(self._ring(), True))
        succeeded = {at: to for at, to in self.moves.items() if self.known[at]}
        dislodged = {
            to: at
            for at, to in succeeded.items()
            if self.units >> to & 1 and not self.known.get(to, False)
        }
        empty = ~self.units | sum(1 << at for at in succeeded)
        standoffs = 0
        for at, to in self.moves.items():
            if empty >> to & 1 and to not in succeeded.values() and not self._beaten(at, False):
                standoffs |= 1 << to
        return Ended(succeeded, dislodged, standoffs)

    def _ring(self) -> list[int]:
        """Undecided moves, each to the province where the next one starts."""
        at = next(one for one in self.moves if one not in self.known)
        way = [at]
        while (at := self.moves[at]) not in way:
            assert at not in self.known, "undecided moves lead into a ring"
            way.append(at)
        return way[way.index(at) :]

    def _succeeds(self, at: int, best: bool) -> bool:
        """Whether a move succeeds, at best or at worst, given the moves known so far."""
        to = self.moves[at]
        strength = 1 + self._helped(at, to, best)
        if self.units >> to & 1:
            opposed = self.moves.get(to) == at
            if opposed:
                against = 1 + self._helped(to, at, not best)
            elif to not in self.moves:
                against = 1 + self._helped(to, to, not best)
            else:
                against = 0 if self.known.get(to, best) else 1
            if against:
                if self._same(at, to):
                    return False
                strength = 1 + self._helped(at, to, best, self._side(to))
                if strength <= against:
                    return False
        return all(
            strength > 1 + self._helped(other, to, not best)
            for other in self.attackers[to]
            if other != at and not self._beaten(other, best)
        )

    def _beaten(self, at: int, best: bool) -> bool:
        """Whether an army from this move's target takes its origin; it then prevents nothing."""
        to = self.moves[at]
        return self.moves.get(to) == at and self.known.get(to, best)

    def _helped(self, at: int, to: int, most: bool, but: int | None = None) -> int:
        """The greatest or the least number of supports of a move, or of an army that stays, without
        the supports of a side."""
        return sum(
            (but is None or self._side(one) != but) and self._counts(one, to, most)
            for one in self.supporters.get((at, to), ())
        )

    def _counts(self, supporter: int, target: int, most: bool) -> bool:
        """Whether a support is not cut."""
        for attacker in self.attackers.get(supporter, ()):
            if not self._same(attacker, supporter) and (
                attacker != target or self.known.get(attacker, not most)
            ):
                return False
        return True

    def _side(self, at: int) -> int:
        return self.own >> at & 1

    def _same(self, one: int, other: int) -> bool:
        return self.own >> one & 1 == self.own >> other & 1


def retreats(ended: Ended, units: int, borders: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """The province of each dislodged army, and the provinces to which it may retreat."""
    stand = units
    for at in ended.succeeded:
        stand &= ~(1 << at)
    for to in ended.succeeded.values():
        stand |= 1 << to
    for at, attacker in ended.dislodged.items():
        yield at, borders[at] & ~stand & ~ended.standoffs & ~(1 << attacker)
