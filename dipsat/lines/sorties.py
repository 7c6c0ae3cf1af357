"""Lines whose units make sorties, as unknowns.

A unit in y whose only neighbour outside is q can go to q in every phase, and come back when it got
in: while it is in q, nobody can enter y, and nobody is in q. As long as it bounces, it cuts what a
unit in q supports. So of the enemies that could attack a province p, those in the provinces that
sorties go to can lead an attack or cut a support, but not support: each of them does one thing of
a matching, in which the lead is one more vertex, beside them all. By Koenig's theorem a cover of
this larger graph says that no attack on p is strong enough.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from dipsat.lines.certificate import defence_of, enemies_beside
from dipsat.lines.line import StalemateLine
from dipsat.lines.placement import PlacementModel
from dipsat.lines.sortie_plan import round_trips, with_sorties

_LEAD = ""


class SortieModel(PlacementModel):
    """The unknowns of a line whose units may make sorties, and what makes it hold."""

    sorties: dict[tuple[str, str], int]
    """Own province and province outside -> whether the unit goes there in every phase."""

    def _support(self) -> None:
        super()._support()
        self.sorties = {}
        problem = self.problem
        for province, places in sorted(self._own_in.items()):
            if province in self.terms.supports:
                continue
            ways = {
                place: round_trips(self.terms.map, place.kind, place.location) for place in places
            }
            for target in sorted({goal for goals in ways.values() for goal in goals}):
                goes = self.sorties[province, target] = problem.unknown()
                able = [self.own[place] for place, goals in ways.items() if target in goals]
                problem.require(-goes, *able)
                problem.require(-goes, self.outside[target])
                for origin, stands in self._threats[province].items():
                    if origin != target:
                        problem.require(-goes, -stands)
        for province in self.provinces:
            leaving = [goes for (one, _), goes in self.sorties.items() if one == province]
            aiding = [given for (one, _), given in self.supports.items() if one == province]
            problem.at_most(1, leaving + aiding)
            problem.at_most(1, [goes for (_, to), goes in self.sorties.items() if to == province])

    def _errands(self, province: str) -> Iterable[int]:
        return [goes for (one, _), goes in self.sorties.items() if one == province]

    def _against(self, province: str) -> Mapping[str, int]:
        """As in the base class, but enemies where sorties go need not count if the lead does."""
        against = dict[str, int]()
        lead = self.problem.unknown()
        for origin, attacks in self._threats[province].items():
            met = [goes for (one, to), goes in self.sorties.items() if to == origin]
            counted = against[origin] = self.problem.unknown()
            self.problem.require(-attacks, counted, *met)
            self.problem.require(-attacks, counted, lead)
        return {**against, _LEAD: lead}


def moving_line(line: StalemateLine, model: SortieModel, true: Container[int]) -> StalemateLine:
    """The line of a solution with those of its sorties that it needs, given the unknowns that are
    true."""
    ordered = {origin: target for (origin, target), goes in model.sorties.items() if goes in true}
    return with_sorties(line, _needed(line, ordered))


def _needed(line: StalemateLine, sorties: Mapping[str, str]) -> Mapping[str, str]:
    """The sorties without those to provinces beside no unit that needs one to be safe."""
    beside = enemies_beside(line)
    weak = [
        unit.province
        for unit in line.units
        if not defence_of(line, unit.province, beside).holds(line.enemy.units)
    ]
    met = {near for province in weak for near in beside.get(province, ())}
    return {origin: target for origin, target in sorties.items() if target in met}
