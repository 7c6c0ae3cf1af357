"""The units of a line, their supports and the region behind them, as unknowns.

An own unit in p is safe if the enemy cannot attack it, or if

    attackers(p) + cuts(p) <= supports(p) + 1,

where attackers(p) are the outside provinces from which an enemy unit could move to p: one attacks,
the others support it. cuts(p) is the most of p's supporters that units in other outside provinces
could attack, one each. These pairs are a matching of supporters and provinces. By Koenig's theorem
the largest matching is as large as the smallest set of supporters and provinces that touches every
pair. So it is enough to choose any such *cover*: instead of "for all attacks", the solver proves
"there is a cover".
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property

from dipsat.base import grouped
from dipsat.board import UnitKind, province_of
from dipsat.orders import Unit
from dipsat.searches.line import (
    LineEnemy,
    StalemateLine,
    enemies_outside,
    round_trips,
    with_sorties,
)
from dipsat.searches.line_certificate import defence_of, enemies_beside
from dipsat.searches.line_question import Terms, swept
from dipsat.solving import CardinalityProblem


class PlacementModel:
    """The unknowns of a line on a map, and the conditions for it to hold. `beside` is the model of
    another line that holds at the same time: no province is behind or in both."""

    def __init__(self, terms: Terms, beside: PlacementModel | None = None) -> None:
        self.terms = terms
        self.problem: CardinalityProblem = (
            CardinalityProblem() if beside is None else beside.problem
        )
        every = [*enemies_outside(terms.map, frozenset(), LineEnemy((terms.power,)))]
        ways = grouped((unit.province, self._reached(unit)) for unit in every)
        self.near: Mapping[str, Set[str]] = {
            one: frozenset().union(*ways.get(one, ())) - {one} for one in terms.map.provinces
        }
        self.provinces = swept(self.near)
        every.sort(key=lambda unit: self.provinces.index(unit.province))
        self.own = {unit: self.problem.unknown() for unit in every}
        self._own_at = {(place.kind, place.location): unit for place, unit in self.own.items()}
        enemies = enemies_outside(terms.map, frozenset(), terms.enemy)
        self._enemies = () if terms.enemy.units == 0 else tuple(enemies)
        self.held = {province: self.problem.unknown() for province in self.provinces}
        self.region = {province: self.problem.unknown() for province in self.provinces}
        self.outside = {province: self.problem.unknown() for province in self.provinces}
        self._threats = self._who_threatens()
        self.supports: dict[tuple[str, str], int] = {}
        self._place()
        self._close()
        self._support()
        for province in self.provinces:
            self._defend(province)
        self._demand()
        self._waste_nothing()
        self.problem.minimised += tuple(self.held.values())
        for province, elsewhere in beside.outside.items() if beside is not None else ():
            self.problem.require(elsewhere, self.outside[province])

    def _reached(self, unit: Unit) -> frozenset[str]:
        """The provinces that a unit could move to."""
        return self.terms.map.reach_provinces(unit.kind, unit.location)

    @cached_property
    def _own_in(self) -> Mapping[str, list[Unit]]:
        return grouped((place.province, place) for place in self.own)

    def _who_threatens(self) -> Mapping[str, Mapping[str, int]]:
        """Province -> each province from which an enemy unit could move there -> whether a unit may
        stand in the latter."""
        arriving = self._arriving()
        ways: dict[str, dict[str, list[int]]] = {province: {} for province in self.provinces}
        for place in self._enemies:
            there = arriving.get(place.province) if place.kind is UnitKind.FLEET else None
            for target in self._reached(place) - {place.province}:
                stands = self.outside[place.province] if there is None else there
                ways[target].setdefault(place.province, []).append(stands)
        return {
            target: {origin: self._stands(origin, listed) for origin, listed in sorted(by.items())}
            for target, by in ways.items()
        }

    def _stands(self, origin: str, ways: list[int]) -> int:
        outside = self.outside[origin]
        return outside if outside in ways else self.problem.any_of(ways)

    def _arriving(self) -> Mapping[str, int]:
        """Province -> whether an enemy fleet can be there, if fleets must come from somewhere.

        Any set of provinces that the solver chooses contains all that fleets can reach.
        """
        if self.terms.fleet_sources is None:
            return {}
        fleets = [place for place in self._enemies if place.kind is UnitKind.FLEET]
        sailed = dict.fromkeys(place.province for place in fleets)
        found = {province: self.problem.unknown() for province in sailed}
        for province, here in found.items():
            outside = self.outside[province]
            self.problem.require(-here, outside)
            if province in self.terms.fleet_sources:
                self.problem.require(-outside, here)
        for place in fleets:
            for target in sorted(self._reached(place) & found.keys() - {place.province}):
                here, there = found[place.province], found[target]
                self.problem.require(-here, -self.outside[target], there)
        return found

    def _place(self) -> None:
        """Require each province to be held by one unit, in the region, or outside."""
        problem = self.problem
        for province in self.provinces:
            units = [self.own[place] for place in self._own_in.get(province, ())]
            problem.at_most(1, units)
            problem.require(-self.held[province], *units)
            for unit in units:
                problem.require(-unit, self.held[province])
            kinds = self.held[province], self.region[province], self.outside[province]
            problem.require(*kinds)
            problem.at_most(1, kinds)

    def _close(self) -> None:
        """Require that no enemy can move into the region."""
        for province in self.provinces:
            for stands in self._threats[province].values():
                self.problem.require(-self.region[province], -stands)

    def _support(self) -> None:
        """Require a unit to support at most one other, in a province that it could move to."""
        for province, places in sorted(self._own_in.items()):
            aims = sorted({aim for place in places for aim in self._reached(place)} - {province})
            for aim in aims:
                given = self.supports[province, aim] = self.problem.unknown()
                able = [self.own[place] for place in places if aim in self._reached(place)]
                self.problem.require(-given, *able)
                self.problem.require(-given, self.held[aim])
            self.problem.at_most(1, [self.supports[province, aim] for aim in aims])

    def _defend(self, province: str) -> None:
        """Require a unit in the province to withstand every attack, as explained above."""
        problem, held = self.problem, self.held[province]
        supporters = {one: given for (one, aim), given in self.supports.items() if aim == province}
        cover, against = dict[str, int](), self._against(province)
        for supporter, given in supporters.items():
            for origin, stands in self._threats[supporter].items():
                if origin == province:
                    continue
                attacks = against.get(origin)
                if attacks == stands:
                    continue
                pair = [cover.setdefault(end, problem.unknown()) for end in (supporter, origin)]
                problem.require(-given, -stands, *pair, *(() if attacks is None else (attacks,)))
        without = [-given for given in supporters.values()]
        weak: tuple[int, ...] = (held,)
        if self.terms.enemy.units is not None:
            strong = problem.unknown()
            problem.at_least(self.terms.enemy.units - 1, supporters.values(), (strong,))
            weak = (held, -strong)
        problem.at_most(1 + len(without), [*against.values(), *cover.values(), *without], weak)

    def _against(self, province: str) -> Mapping[str, int]:
        """Whether each attacker's province counts against a unit in the province, besides cuts."""
        return self._threats[province]

    def _demand(self) -> None:
        """Require what the terms demand of the line."""
        terms, problem = self.terms, self.problem
        problem.require(*self.outside.values())
        supply = frozenset(terms.map.centers)
        centres = [-self.outside[one] for one in self.provinces if one in supply]
        problem.at_most(terms.most_centres, centres)
        if terms.centres is not None:
            problem.at_least(terms.centres, centres)
        elif not terms.protect:
            problem.require(*centres)
        for province in sorted(terms.protect):
            problem.require(-self.outside[province])
        _limit_units([self])
        if terms.asked.self_sufficient:  # units + centres outside <= all centres
            counted = [
                unknown
                for one, held in self.held.items()
                for unknown in (held, *((self.outside[one],) if one in supply else ()))
            ]
            problem.at_most(len(centres), counted)
        for province in sorted(terms.outside):
            problem.require(self.outside[province])
        for kind, location in sorted(terms.given):
            problem.require(self._own_at[kind, location])
        for (one, aim), given in self.supports.items():
            if one in terms.supports:
                problem.require(given if terms.supports[one] == aim else -given)

    def _waste_nothing(self) -> None:
        """Leave out anything that a line can do without: supports of units that nobody can attack,
        and units that nobody can attack and that support nobody and have no other errand, since
        their provinces could be in the region. The solver takes a quarter less time."""
        kept = {province_of(location) for _, location in self.terms.given}
        kept.update(aim for aim in self.terms.supports.values() if aim)
        aiding: dict[str, list[int]] = {}
        for (one, aim), given in self.supports.items():
            aiding.setdefault(one, []).append(given)
            if one not in kept:
                self.problem.require(-given, *self._threats[aim].values())
        for province in self.provinces:
            if province not in kept:
                reasons = (*self._threats[province].values(), *aiding.get(province, ()))
                self.problem.require(-self.held[province], *reasons, *self._errands(province))

    def _errands(self, province: str) -> Iterable[int]:
        """The possible tasks of a unit in the province other than holding and supporting."""
        return ()


# --- sorties --------------------------------------------------------------------------------------

# A unit in y whose only neighbour outside is q can go to q in every phase, and come back once it
# got in: while it is in q, nobody can enter y, and nobody else is in q. As long as it bounces, it
# cuts any support by a unit in q. So among the enemies that could attack a province p, those in
# targets of sorties can lead an attack or cut a support, but not support. Each of them does one
# thing in a matching that has the lead as one more vertex, linked to all of them. By Koenig's
# theorem a cover of this larger graph proves that no attack on p is strong enough.


_LEAD = ""


class SortieModel(PlacementModel):
    """The unknowns of a line whose units may make sorties, and the conditions for it to hold."""

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
        """As in the base class, but enemies in sorties' targets need not count if the lead does."""
        against = dict[str, int]()
        lead = self.problem.unknown()
        for origin, attacks in self._threats[province].items():
            met = [goes for (one, to), goes in self.sorties.items() if to == origin]
            counted = against[origin] = self.problem.unknown()
            self.problem.require(-attacks, counted, *met)
            self.problem.require(-attacks, counted, lead)
        return {**against, _LEAD: lead}


def moving_line(line: StalemateLine, model: SortieModel, true: Container[int]) -> StalemateLine:
    """The line of a solution, given the unknowns that are true, with the sorties that it needs:
    those to provinces beside a unit that is not safe without them."""
    beside = enemies_beside(line)
    weak = (
        unit.province
        for unit in line.units
        if not defence_of(line, unit.province, beside).holds(line.enemy.units)
    )
    met = {near for province in weak for near in beside.get(province, ())}
    ways = (way for way, goes in model.sorties.items() if goes in true)
    return with_sorties(line, {origin: target for origin, target in ways if target in met})


# --- two lines ------------------------------------------------------------------------------------


def are_alike(first: Terms, second: Terms) -> bool:
    """Whether both lines have the same terms, so that they could be exchanged."""
    return replace(second, map=first.map) == first


def require_of_both(models: Sequence[PlacementModel]) -> None:
    """Limit the units of two lines together, and fix which of two equal sides is the first."""
    _limit_units(models)
    first, second = models
    before = list[int]()
    for centre in sorted(first.terms.map.centers) if are_alike(first.terms, second.terms) else ():
        # The first line holds the first of all held centres. So each pair is found in only one
        # order, and the solver need not refute the other.
        first.problem.require(second.outside[centre], *before)
        before.append(-first.outside[centre])


def _limit_units(models: Sequence[PlacementModel]) -> None:
    """Limit the units of some lines together, by the limits of the first."""
    asked, problem = models[0].terms.asked, models[0].problem
    if asked.units is not None:
        problem.at_most(asked.units, [held for one in models for held in one.held.values()])
    for kind, most in ((UnitKind.ARMY, asked.armies), (UnitKind.FLEET, asked.fleets)):
        if most is not None:
            own = [pair for one in models for pair in one.own.items()]
            problem.at_most(most, [unit for place, unit in own if place.kind is kind])
