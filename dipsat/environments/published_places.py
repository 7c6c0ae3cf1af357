"""The standard map as numbered by published programs, and the routes of convoys on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from dipsat.board import Map, load_map, province_of

_OTHER_CODES = {"BOT": "GOB", "ENG": "ECH", "LYO": "GOL"}
"""DeepMind's codes for some seas, by which its program sorts."""
_TERRAINS = "land", "sea", "coast"


@dataclass(frozen=True)
class Places:
    """The places of the standard map."""

    board: Map

    @cached_property
    def provinces(self) -> tuple[str, ...]:
        """The 75 provinces in the order of DeepMind's numbers: inland, seas, coasts, and provinces
        with two coasts. Within each kind, those without a centre come first."""
        return tuple(sorted(self.board.provinces, key=self._rank))

    def _rank(self, code: str) -> tuple[int, bool, str]:
        province = self.board.provinces[code]
        kind = _TERRAINS.index(province.kind) + bool(province.coasts)
        return kind, province.supply, _OTHER_CODES.get(code, code)

    @cached_property
    def areas(self) -> tuple[str, ...]:
        """The 81 locations in the order of DeepMind's numbers; two coasts follow their province."""
        coasts = {code: self.board.provinces[code].coasts for code in self.provinces}
        return tuple(
            place
            for code in self.provinces
            for place in (code, *(f"{code}/{coast}" for coast in sorted(coasts[code])))
        )

    @cached_property
    def numbers(self) -> dict[str, tuple[int, int]]:
        """Location -> the number of its province, and 1 on its second coast, else 0."""
        found = dict[str, tuple[int, int]]()
        for number, code in enumerate(self.provinces):
            coasts = sorted(self.board.provinces[code].locations)
            found |= {
                place: (number, int(place == coasts[-1] != code)) for place in (code, *coasts)
            }
        return found

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Every possible unit in its place, such as `F STP/SC`: armies, then fleets, sorted."""
        inland = (code for code, one in self.board.provinces.items() if one.kind != "sea")
        return (
            *(f"A {code}" for code in sorted(inland)),
            *(f"F {place}" for place in sorted(self.board.steps("F"))),
        )

    def steps(self, unit: str) -> list[str]:
        """The locations that a unit can move to without a convoy, sorted."""
        return sorted(self.board.reach(unit[0], unit[2:]))

    @cached_property
    def steps_of_provinces(self) -> dict[str, set[str]]:
        """Province -> the provinces that some unit can move to from there."""
        found = defaultdict[str, set[str]](set)
        for unit in self.units:
            found[province_of(unit[2:])].update(map(province_of, self.steps(unit)))
        return found

    @cached_property
    def routes(self) -> dict[tuple[str, str], list[frozenset[str]]]:
        """Start and end of a convoy -> the seas of each route between them, none visited twice."""
        found = defaultdict[tuple[str, str], list[frozenset[str]]](list)
        board = self.board
        ashore = {sea: sorted(board.water[sea] & board.coastal) for sea in board.seas}
        for way in (one for sea in sorted(board.seas) for one in self._ways((sea,))):
            for start in ashore[way[0]]:
                for end in ashore[way[-1]]:
                    if start != end:
                        found[start, end].append(frozenset(way))
        return found

    def _ways(self, way: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        yield way
        for sea in sorted(self.board.water[way[-1]] & self.board.seas - {*way}):
            yield from self._ways((*way, sea))


@cache
def published_places() -> Places:
    """The places of the standard map."""
    return Places(load_map("standard"))
