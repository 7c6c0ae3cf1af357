"""Random boards for one profile: its map, waters, attributes of units, and kinds of orders.

They are as tense as those of `dipsat.scenarios.random_board`; in addition, units stand where the
map has features, moves cross marked borders, and orders of declared kinds name nearby units and
provinces. The same seed gives the same board on every machine.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random

from dipsat.board.map import Map
from dipsat.game.conditions import convoy_places
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.orders.verbs import OrderKind, Slot, Word
from dipsat.profiles.profile import Profile
from dipsat.scenarios.random_board import Maker, PlacedUnit, powers_of
from dipsat.scenarios.sheet import Sheet, name_of

_SEASONS = ("S", "F")  # of a movement phase
_MOST_POWERS = 7
_MOST_EXTRA = 12  # orders of a kind in a phase that has only such orders


def trial_board(profile: Profile, board: Map, seed: int, units: int, crowd: bool = False) -> Sheet:
    """Return the board of this seed with between half of `units` and all of them (at most one for
    each province), and some more where the map has marks. A `crowd` has exactly `units` units, in
    one region.

    Raises `QuestionError` for a map without powers.
    """
    powers = powers_of(board)
    random = Random(seed)
    phase = _phase(random, board, () if crowd else profile.words.extra_seasons)
    most = max(2, min(len(powers), _MOST_POWERS, units // 2))
    playing = random.sample(powers, min(len(powers), random.randint(2, most)))
    words, features = profile.words, profile.declared.features
    places = {one: convoy_places(board, phase, profile.settings, one) for one in words.carriages}
    maker = Maker(random, board, words, places, features)
    declared = _Declared(maker, features, playing, phase.extra_season)
    if crowd:
        maker.place(playing, units, regional=1)
    else:
        declared.place_around(random.randint(max(2, units // 2), units))
    declared.give_orders()
    if not phase.extra_season:
        maker.give_orders()
    owned = _owned(random, board, [*playing, ""])
    return Sheet(name_of(board), tuple(maker.rows()), str(phase), owned, profile.words)


def _phase(random: Random, board: Map, extra: Collection[str]) -> PhaseName:
    """A movement phase of the first year, or the phase of an extra season."""
    year = PhaseName.parse(board.first_phase).year
    season = random.choice((*_SEASONS, *sorted(extra)))
    kind = PhaseKind.MOVEMENT if season in _SEASONS else PhaseKind.EXTRA
    return PhaseName(season, year, kind)


def _owned(
    random: Random, board: Map, powers: list[str]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Power -> the centres that it owns: some of its home centres, some of others."""
    found: dict[str, list[str]] = {power: [] for power in powers}
    for code in sorted(board.centers):
        homes = [power for power in board.homes.get(code, ()) if power in found]
        owner = homes[0] if homes and random.random() < 0.5 else random.choice(powers)
        found[owner].append(code)
    return tuple((power, tuple(found[power])) for power in sorted(found) if power and found[power])


class _Declared:
    """Puts what a profile declares on a board that is being made. `season` is that of an extra
    phase ("" for a movement phase)."""

    def __init__(
        self, made: Maker, features: Collection[str], powers: list[str], season: str
    ) -> None:
        self.made = made
        self.map = made.map
        self.random = made.random
        self.powers = powers
        self.season = season
        self.kinds = made.words.kinds
        self.marked = sorted(
            {code for pair in made.borders for code in pair}
            | {
                code
                for code, province in made.map.provinces.items()
                if any(name in province.features for name in features)
            }
        )

    def place_around(self, count: int) -> None:
        """Place units, often around the marks of the map, and some more there."""
        lines = (self.map.lines[kind.line] for kind in self.kinds if kind.line in self.map.lines)
        centres = sorted({*self.marked, *(code for line in lines for code in line.provinces)})
        self.made.place(self.powers, count, centres=centres if self.made.chance(0.6) else ())
        self._mark()

    # The marks of the map.

    def _mark(self) -> None:
        """Add units at the marks of the map and along its lines, there mostly those of the power
        that a line belongs to."""
        if self.marked and self.made.chance(0.7):
            for place in self.made.shuffled(self.marked)[: self.random.randint(1, 6)]:
                self.made.add_unit(place, self.powers)
        for kind in self.kinds:
            line = self.map.lines.get(kind.line)
            if line is not None and self.made.chance(0.7):
                owners = [line.power] if line.power else self.powers
                for place in self.made.shuffled(line.provinces)[: self.random.randint(1, 3)]:
                    self.made.add_unit(place, owners if self.made.chance(0.8) else self.powers)

    # Orders of declared kinds.

    def give_orders(self) -> None:
        """Give up to three orders of a kind, many in a phase without other orders."""
        for kind in self.kinds:
            if kind.season != self.season:
                continue
            few = self.random.choice((0, 1, 1, 1, 2, 3)) or (1 if kind.line else 0)
            for _ in range(self.random.randint(1, _MOST_EXTRA) if self.season else few):
                if kind.is_of_unit:
                    self._order_of_unit(kind)
                else:
                    self._order_of_power(kind)

    def _order_of_power(self, kind: OrderKind) -> None:
        unit = self.random.choice(self.made.all_units())
        fields = self._fields(kind, unit)
        near = [self.made.units[code] for code in self.marked if code in self.made.units]
        owner = self.random.choice(near) if near and self.made.chance(0.6) else unit
        self.made.of_powers.append((owner.power, _written(kind, unit, fields)))

    def _order_of_unit(self, kind: OrderKind) -> None:
        line = self.map.lines.get(kind.line)
        free = self.made.free()
        if line is not None and self.made.chance(0.9):
            free = [unit for unit in free if unit.province in line.provinces]
            if line.power and self.made.chance(0.8):
                free = [unit for unit in free if unit.power == line.power]
        if not free:
            return
        unit = free[0]
        fields = self._fields(kind, unit)
        if line is not None:
            ends = [code for code in line.provinces if code != unit.province]
            fields["target"] = self.random.choice(ends)
            self._pass_along(line.provinces, unit.province, fields["target"])
        self._give(kind, unit, fields)
        named = [slot.name for slot in kind.fields if slot.type == "Unit"]
        if len(named) == len(kind.fields) == 1 and self.made.chance(
            0.6
        ):  # two that name each other
            other = next(one for one in self.made.units.values() if str(one) == fields[named[0]])
            if other.province not in self.made.orders:
                self._give(kind, other, {named[0]: str(unit)})

    def _pass_along(self, line: Sequence[str], start: str, end: str) -> None:
        if start in line:
            first, last = sorted((line.index(start), line.index(end)))
            self.made.passed |= set(line[first : last + 1])

    def _give(self, kind: OrderKind, unit: PlacedUnit, fields: Mapping[str, str]) -> None:
        self.made.orders[unit.province] = ""
        self.made.whole[unit.province] = _written(kind, unit, fields)
        if Slot("target", "Province") in kind.fields:
            self.made.aims[unit.province] = fields["target"]

    def _fields(self, kind: OrderKind, unit: PlacedUnit) -> dict[str, str]:
        """The values for the fields of an order: units near the unit, and provinces that it or such
        a unit reaches, preferably over a marked border."""
        found: dict[str, str] = {}
        subject = unit
        for slot in sorted(kind.fields, key=lambda one: one.type != "Unit"):
            if slot.type == "Unit":
                subject = self._near(unit)
                found[slot.name] = str(subject)
            else:
                found[slot.name] = self._place_near(subject)
        return found

    def _near(self, unit: PlacedUnit) -> PlacedUnit:
        """Another unit: at a marked border, near, or any."""
        others = [one for one in self.made.all_units() if one is not unit]
        ends = {code for pair in self.made.borders for code in pair}
        near = [other for other in others if self.made.reaches(unit, other.province)]
        marked = [other for other in others if other.province in ends]
        for chosen in (marked, near, others):
            if chosen and self.made.chance(0.7):
                return self.random.choice(chosen)
        return self.random.choice(others or [unit])

    def _place_near(self, unit: PlacedUnit) -> str:
        over = [
            code
            for pair in self.made.borders
            for code in pair
            if unit.province in pair and code != unit.province
        ]
        reached = sorted(self.map.reach_provinces(unit.kind, unit.location))
        for chosen in (over, reached):
            if chosen and self.made.chance(0.8):
                return self.random.choice(chosen)
        return self.random.choice(sorted(self.map.provinces))


def _written(kind: OrderKind, unit: PlacedUnit, fields: Mapping[str, str]) -> str:
    """The text of an order in the first form of its kind."""
    parts = []
    for part in kind.forms[0]:
        if isinstance(part, Word):
            parts.append(part.shown)
        else:
            assert isinstance(part, Slot)
            parts.append(fields.get(part.name, str(unit)))
    return " ".join(parts)
