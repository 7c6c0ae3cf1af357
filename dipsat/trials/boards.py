"""Random boards for one profile: its map, waters, attributes of units, and kinds of orders.

They are tense as those of `dipsat.agreement.boards`; besides, units stand at what the map marks
with features, moves cross marked borders, and orders of declared kinds name what is near. The same
seed gives the same board on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from dipsat.agreement.boards import Maker, Piece
from dipsat.agreement.sheet import Row, Sheet, name_of
from dipsat.board.map import Map
from dipsat.errors import QuestionError
from dipsat.game.conditions import convoy_waters
from dipsat.game.phase_name import PhaseName
from dipsat.orders.attributes import value_texts
from dipsat.orders.forms import OrderKind, Slot, Word
from dipsat.profiles.profile import Profile

_SEASONS = ("S", "F")  # of a movement phase


def trial_board(profile: Profile, board: Map, seed: int, units: int, crowded: float = 0.5) -> Sheet:
    """The board of this seed with about so many units (at most one for each province); `crowded`
    is how likely they all stand in one region.

    Raises `QuestionError` for a map without powers.
    """
    powers = sorted(board.powers)
    if not powers:
        raise QuestionError(f"the map {board.name!r} has no powers to own units of a random board")
    random = Random(seed)
    phase = str(PhaseName.parse(board.first_phase))
    phase = random.choice(_SEASONS) + phase[1:]
    playing = random.sample(powers, min(len(powers), random.randint(3, 7)))
    maker = _Maker(random, board, profile, playing)
    maker.waters = convoy_waters(board, PhaseName.parse(phase), profile.settings)
    maker.give_orders(units, crowded)
    owned = _owned(random, board, [*playing, ""])
    return Sheet(name_of(board), tuple(maker.rows()), phase, owned, profile.words)


def _owned(
    random: Random, board: Map, powers: list[str]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Power -> the centres that it owns: some of its own, some of others."""
    found: dict[str, list[str]] = {power: [] for power in powers}
    for code in sorted(board.centers):
        homes = [power for power in board.homes.get(code, ()) if power in found]
        owner = homes[0] if homes and random.random() < 0.5 else random.choice(powers)
        found[owner].append(code)
    return tuple((power, tuple(found[power])) for power in sorted(found) if power and found[power])


class _Maker(Maker):
    """Makes a board with what the profile declares. `whole` has orders that are written in forms
    of their own, by province; `of_powers` those that are of no unit."""

    def __init__(self, random: Random, board: Map, profile: Profile, powers: list[str]) -> None:
        super().__init__(random, board)
        self.powers = powers
        self.attributes = profile.words.attributes
        self.kinds = profile.words.kinds
        features = profile.declared.features
        self.borders = [
            tuple(sorted(pair))
            for name in sorted(features)
            for pair in sorted(board.border_features.get(name, ()), key=sorted)
            if len(pair) == 2
        ]
        self.marked = sorted(
            {code for pair in self.borders for code in pair}
            | {
                code
                for code, province in board.provinces.items()
                if any(name in province.features for name in features)
            }
        )
        self.whole: dict[str, str] = {}
        self.of_powers: list[tuple[str, str]] = []

    def give_orders(self, count: int, crowded: float) -> None:
        """Place units, then give out orders from the rarest kind to the commonest."""
        self.place(self.powers, count, crowded)
        self._mark()
        self._declared()
        self.convoys()
        self.raids()
        self._crossings()
        self.rings()
        self.moves()
        self.stray_orders()
        self.supports()

    def rows(self) -> Iterator[Row]:
        """Every unit with its order, then the orders of powers."""
        made = [self.units[place] for place in sorted(self.units)]
        for unit in sorted(made, key=lambda one: one.power):
            place = unit.province
            values = tuple(
                (attribute.name, self.random.choice(attribute.values))
                for attribute in self.attributes
            )
            order = self.whole.get(place) or f"{unit} {self.orders[place]}"
            yield Row(unit.power, " ".join((*value_texts(values), str(unit))), (order,))
        for power, text in sorted(self.of_powers):
            yield Row(power, "", (text,))

    # What the map marks.

    def _mark(self) -> None:
        """More units where the map has something special, and along its lines those of the power
        that a line belongs to."""
        if self.marked and self.chance(0.7):
            for place in self.shuffled(self.marked)[:6]:
                self.add_unit(place, self.powers)
        for kind in self.kinds:
            line = self.map.lines.get(kind.line)
            if line is not None and self.chance(0.7):
                owners = [line.power] if line.power else self.powers
                for place in self.shuffled(line.provinces)[: self.random.randint(1, 3)]:
                    self.add_unit(place, owners if self.chance(0.8) else self.powers)

    def _crossings(self) -> None:
        """Moves over marked borders."""
        for pair in self.shuffled(self.borders):
            origin, target = self.shuffled(pair)
            unit = self.units.get(origin)
            if unit and origin not in self.orders and self.reaches(unit, target):
                if self.chance(0.6):
                    self.move(unit, self.landing(unit, target))

    # Orders of declared kinds.

    def _declared(self) -> None:
        for kind in self.kinds:
            for _ in range(self.random.choice((0, 1, 1, 1, 2, 3))):
                if kind.is_of_unit:
                    self._order_of_unit(kind)
                else:
                    unit = self.random.choice([self.units[place] for place in sorted(self.units)])
                    fields = self._fields(kind, unit)
                    near = [self.units[code] for code in self.marked if code in self.units]
                    owner = self.random.choice(near) if near and self.chance(0.6) else unit
                    self.of_powers.append((owner.power, _written(kind, unit, fields)))

    def _order_of_unit(self, kind: OrderKind) -> None:
        line = self.map.lines.get(kind.line)
        free = self.free()
        if line is not None and self.chance(0.9):
            free = [unit for unit in free if unit.province in line.provinces]
            if line.power and self.chance(0.8):
                free = [unit for unit in free if unit.power == line.power]
        if not free:
            return
        unit = free[0]
        fields = self._fields(kind, unit)
        if line is not None:
            ends = [code for code in line.provinces if code != unit.province]
            fields["target"] = self.random.choice(ends)
        self.orders[unit.province] = ""
        self.whole[unit.province] = _written(kind, unit, fields)
        if "target" in fields and any(slot.name == "target" for slot in kind.fields):
            self.aims[unit.province] = fields["target"]

    def _fields(self, kind: OrderKind, unit: Piece) -> dict[str, str]:
        """What the fields of an order name: units near the unit, provinces that such a unit or
        this one reaches, rather over a marked border."""
        found: dict[str, str] = {}
        subject = unit
        for slot in sorted(kind.fields, key=lambda one: one.type != "Unit"):
            if slot.type == "Unit":
                subject = self._near(unit)
                found[slot.name] = str(subject)
            else:
                found[slot.name] = self._place_near(subject)
        return found

    def _near(self, unit: Piece) -> Piece:
        """Some other unit: at a marked border, near, or any."""
        others = [self.units[place] for place in sorted(self.units) if place != unit.province]
        ends = {code for pair in self.borders for code in pair}
        near = [other for other in others if self.reaches(unit, other.province)]
        marked = [other for other in others if other.province in ends]
        for chosen in (marked, near, others):
            if chosen and self.chance(0.7):
                return self.random.choice(chosen)
        return self.random.choice(others or [unit])

    def _place_near(self, unit: Piece) -> str:
        over = [
            code
            for pair in self.borders
            for code in pair
            if unit.province in pair and code != unit.province
        ]
        reached = sorted(self.map.reach_provinces(unit.kind, unit.location))
        for chosen in (over, reached):
            if chosen and self.chance(0.8):
                return self.random.choice(chosen)
        return self.random.choice(sorted(self.map.provinces))


def _written(kind: OrderKind, unit: Piece, fields: Mapping[str, str]) -> str:
    """The text of an order in the first form of its kind."""
    parts = []
    for part in kind.forms[0]:
        if isinstance(part, Word):
            parts.append(part.shown)
        else:
            assert isinstance(part, Slot)
            parts.append(fields.get(part.name, str(unit)))
    return " ".join(parts)
