"""Whether lines with sorties and triangles need fewer units than lines that hold, on the standard
map: `python -m tools.moving_lines [CENTRES ...]` (docs/moving-lines.md).

A *triangle* is three coasts that two own armies hold: both go to the empty one and bounce. If an
enemy helps one of them, the province that it left is empty next. Every arrangement can arise, so
each army must be able to go from each of the three to each other, over land or by own fleets. The
three share a single neighbour outside, because an enemy in a second one could enter the province
that was left. A moving army supports nobody, nor does a fleet that convoys it. The model requires
this of one arrangement only, the best for the line, and lets one fleet convoy both armies. So if it
has no solution, no line with such triangles exists.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from dipsat.board import Map, UnitKind
from dipsat.rules import DEFAULT_RULES, load_profile
from dipsat.searches import Lines
from dipsat.searches.line_placement import SortieModel
from dipsat.searches.line_question import terms_of
from dipsat.solving import Fewest

ATLAS = Path(__file__).parents[1] / "docs/atlas/standard.json"
Chain = frozenset[str]
"""Seas whose fleets convoy an army together, none of them to spare; empty for a way over land."""
LAND: Chain = frozenset()


@dataclass(frozen=True, slots=True)
class Triangle:
    """Three coasts that two armies hold, in one arrangement."""

    empty: str
    movers: tuple[str, str]
    beside: str
    """The neighbouring province outside."""
    chains: Mapping[frozenset[str], tuple[Chain, ...]]
    """Two of the coasts -> the chains that connect them."""

    @property
    def used(self) -> frozenset[frozenset[str]]:
        """The pairs of coasts between which an army moves in this arrangement."""
        return frozenset(frozenset((one, self.empty)) for one in self.movers)

    @property
    def convoyed(self) -> bool:
        """Whether an army is convoyed in this arrangement."""
        return any(LAND not in self.chains[pair] for pair in self.used)


def triangles(board: Map) -> Iterator[Triangle]:
    """The triangles of a map; if any arrangement of three coasts needs convoys, only such ones."""
    fleets = _reached(board, UnitKind.FLEET, "land")
    armies = _reached(board, UnitKind.ARMY, "sea")
    for beside in sorted(board.provinces):
        near = armies.get(beside, frozenset()) | fleets.get(beside, frozenset())
        seas = board.seas - {beside}
        for three in combinations(sorted(near & armies.keys()), 3):
            chains = {
                frozenset(pair): (LAND,) if pair[1] in armies[pair[0]]
                else tuple(_chains(*pair, seas, fleets))
                for pair in combinations(three, 2)
            }  # fmt: skip
            if all(chains.values()):
                found = [
                    Triangle(empty, (one, other), beside, chains)
                    for empty in three
                    for one, other in [[place for place in three if place != empty]]
                ]
                carried = [one for one in found if one.convoyed]
                yield from carried or found


def _reached(board: Map, kind: UnitKind, never: str) -> Mapping[str, frozenset[str]]:
    """Province where a unit of the kind can stand -> the provinces to which it can go."""
    return {
        code: frozenset().union(*(board.reach_provinces(kind, at) for at in one.locations))
        for code, one in board.provinces.items()
        if one.kind != never
    }


def _chains(
    one: str, other: str, seas: Set[str], fleets: Mapping[str, frozenset[str]]
) -> Iterator[Chain]:
    """The chains of seas between two coasts. Each sea of a chain borders no earlier sea but the one
    before it, and only the first borders the first coast."""
    waiting: list[tuple[str, ...]] = [(sea,) for sea in sorted(seas) if one in fleets[sea]]
    while waiting:
        chain = waiting.pop()
        if other in fleets[chain[-1]]:
            yield frozenset(chain)
            continue
        for sea in sorted(fleets[chain[-1]] & seas):
            if one not in fleets[sea] and not fleets[sea] & set(chain[:-1]) and sea not in chain:
                waiting.append((*chain, sea))


class TriangleModel(SortieModel):
    """The unknowns of a line that may have sorties and triangles."""

    def _close(self) -> None:
        """Require that no enemy can move into the region, except to where two armies bounce."""
        self.triangles = [(one, self.problem.unknown()) for one in triangles(self.terms.map)]
        self._busy: dict[str, list[int]] = {}
        self._convoys: dict[tuple[Chain, bool], int] = {}
        for there, chosen in self.triangles:
            self._arrange(there, chosen)
        for province in self.provinces:
            for origin, stands in self._threats[province].items():
                bounced = [
                    chosen
                    for there, chosen in self.triangles
                    if (there.empty, there.beside) == (province, origin)
                ]
                self.problem.require(-self.region[province], -stands, *bounced)

    def _arrange(self, there: Triangle, chosen: int) -> None:
        """Require what a triangle needs."""
        require = self.problem.require
        require(-chosen, self.region[there.empty])
        require(-chosen, self.outside[there.beside])
        for mover in there.movers:
            require(-chosen, self._own_at[UnitKind.ARMY, mover])
            self._busy.setdefault(mover, []).append(chosen)
        for province in (there.empty, *there.movers):
            for origin, stands in self._threats[province].items():
                if origin != there.beside:
                    require(-chosen, -stands)
        for pair, chains in there.chains.items():
            if LAND not in chains:
                convoys = [self._convoy(chain, pair in there.used) for chain in chains]
                require(-chosen, *convoys)

    def _convoy(self, chain: Chain, used: bool) -> int:
        """Whether a chain has its fleets, and they convoy if it is used in this arrangement."""
        if (chain, used) not in self._convoys:
            convoy = self._convoys[chain, used] = self.problem.unknown()
            for sea in sorted(chain):
                self.problem.require(-convoy, self._own_at[UnitKind.FLEET, sea])
                if used:
                    self._busy.setdefault(sea, []).append(convoy)
        return self._convoys[chain, used]

    def _support(self) -> None:
        super()._support()
        orders = (*self.supports.items(), *self.sorties.items())
        for province, tasks in self._busy.items():
            for (one, _), ordered in orders:
                for task in tasks if one == province else ():
                    self.problem.require(-task, -ordered)

    def _waste_nothing(self) -> None:
        """Leave nothing out, since convoys are not waste."""


def main(arguments: list[str]) -> None:
    """Print the answer for each number of centres."""
    sizes = json.loads(ATLAS.read_text(encoding="utf-8"))["sizes"]
    fewest = {one["asked"]["centres"]: one["fewest"] for one in sizes}
    rules = load_profile(DEFAULT_RULES)
    for centres in map(int, arguments) if arguments else fewest:
        units = None if fewest[centres] is None else fewest[centres] - 1
        terms = terms_of(Lines(centres=centres, units=units, sorties=True), rules)
        search = Fewest(TriangleModel(terms).problem)
        search.search()
        limit = "any number of units" if units is None else f"at most {units} units"
        print(
            f"{centres:2} centres, {limit}: {'no line' if search.best is None else 'perhaps'}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
