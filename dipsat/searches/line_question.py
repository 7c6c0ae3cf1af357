"""The question which lines hold, and its requirements on the provinces and units of its map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from dipsat.base import NAMES, brief, checked_fields
from dipsat.board import Map, UnitKind, load_map, province_of
from dipsat.errors import QuestionError
from dipsat.game import place_unit
from dipsat.orders import Hold, OrderReader, SupportHold, reader_for
from dipsat.rules import Profile, map_for
from dipsat.searches.line import LineEnemy, sides_of


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Lines:
    """Which lines hold, with the fewest units. A line holds its centres for ever: no enemy unit
    enters its region or dislodges a unit, whatever the enemy does (docs/holding-lines.md)."""

    centres: int | tuple[str, ...] | None = None
    """The number of supply centres that it holds, or their names; it holds no others. None for at
    most one fewer than win the game, or those named by `protect` and `power` if these are more."""
    protect: tuple[str, ...] = ()
    """Provinces that no enemy may enter."""
    outside: tuple[str, ...] = ()
    """Provinces that it does not hold: the enemy may stand there."""
    power: str | None = None
    """The power of the line; None for any power."""
    units: int | None = None
    """The most units that it may have; None for any number."""
    given: tuple[str, ...] = ()
    """Units that it must have, such as `F LYO`."""
    orders: tuple[str, ...] = ()
    """Standing orders that it must have, such as `F PIE S F LYO`."""
    armies: int | None = None
    """The most armies that it may have; None for any number."""
    fleets: int | None = None
    """The most fleets that it may have; None for any number."""
    self_sufficient: bool = False
    """Whether it must hold at least one centre and have no more units than centres."""
    sorties: bool = False
    """Whether its units may make sorties: a unit that borders a single outside province may go
    there in every phase, and come back once it got in (docs/moving-lines.md)."""
    split: int | None = None
    """The number of supply centres of a second line, which holds at the same time and shares no
    province with this one. The units of both are counted, and `units`, `armies` and `fleets` limit
    both together. Statements about the enemy apply to both, all others to the first. None for no
    second line."""
    every: bool = False
    """Whether to find every line with the fewest units, not only one. With `split`, every pair; if
    both lines have the same requirements, a pair counts once, not once in each order."""
    enemies: tuple[str, ...] = ()
    """The enemy's powers; if empty, all others."""
    enemy_units: int | None = None
    """The most units that the enemy may have; None for any number."""
    fleets_not_in: tuple[str, ...] = ()
    """Provinces in which the enemy has no fleet."""
    armies_not_in: tuple[str, ...] = ()
    """Provinces in which the enemy has no army."""
    fleets_arrive: bool = False
    """Whether enemy fleets are only in waters that they can reach: those that the line does not cut
    off from every centre where the enemy could build fleets."""
    map: str | Path | Map | None = None
    """The map: its name, the path of its file, or a loaded map. None for the rules' map, or the
    standard map if they have none."""
    home: bool = True
    """Whether the line holds the home centres of `power`; False if it need not."""


# --- what it requires -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Terms:
    """The requirements on a line."""

    map: Map
    power: str = ""
    """The power of the line."""
    centres: int | None = None
    """The number of centres that it holds; None for any number up to `most_centres`, and at least
    one if nothing is protected."""
    protect: frozenset[str] = frozenset()
    """Provinces that it holds."""
    outside: frozenset[str] = frozenset()
    """Provinces that it does not hold."""
    given: frozenset[tuple[UnitKind, str]] = frozenset()
    """Kind and location of each unit that it must have."""
    supports: Mapping[str, str] = field(default_factory=dict)
    """Province of a unit with an order -> the province that it supports, "" if it holds."""
    enemy: LineEnemy = field(default_factory=lambda: LineEnemy(()))
    """What is known about the enemy."""
    fleet_sources: frozenset[str] | None = None
    """The provinces where enemy fleets come from; None if they may be anywhere."""
    asked: Lines = field(default_factory=Lines, compare=False)
    """The question, which limits the units and what they may do."""

    @property
    def most_centres(self) -> int:
        """The most centres that it may hold: one fewer than win the game, or those that it protects
        if these are more. More would leave an enemy little to hold."""
        if self.centres is not None:
            return self.centres
        winning = self.map.victory or len(self.map.centers) // 2 + 1
        named = len(self.protect & set(self.map.centers))
        return max(winning - 1, named)


def terms_of(question: Lines, rules: Profile) -> Terms:
    """Read a question. Raises `QuestionError` for a contradiction, and the errors of `load_map` and
    of the readers of units and orders."""
    board = map_for(rules) if question.map is None else load_map(question.map)
    return _Reader(question, board, reader_for(board, rules.words), rules).terms()


def second_of(question: Lines, rules: Profile) -> Terms | None:
    """A question's terms for the second line; None if it asks for only one line."""
    if question.split is None:
        return None
    alone = replace(
        question, centres=question.split, split=None, protect=(), outside=(), power=None,
        home=True, given=(), orders=(),
    )  # fmt: skip
    return terms_of(alone, rules)


class _Reader:
    def __init__(self, question: Lines, board: Map, reader: OrderReader, rules: Profile) -> None:
        self.question, self.board, self.reader, self.rules = question, board, reader, rules

    def terms(self) -> Terms:
        asked = self.question
        for one in fields(asked):
            value = getattr(asked, one.name)
            if isinstance(value, tuple):
                NAMES.of(f"`{one.name}`").check(len(value))
        if asked.split is not None:
            self._check_split()
        power, enemies = self._powers()
        centres, protect, outside = self._centres()
        protect |= self._provinces(asked.protect)
        if asked.power is not None and asked.home:
            protect |= frozenset(self.board.powers[power].home)
        if centres is None and not protect and not asked.self_sufficient:
            raise QuestionError(
                "say how many centres the line holds, what it protects, whose home centres it "
                "holds, or that it is self-sufficient"
            )
        given, supports = self._units(power)
        outside |= self._provinces(asked.outside)
        both = sorted(outside & (protect | {province_of(location) for _, location in given}))
        if both:
            raise QuestionError(f"{', '.join(both)} would be held and outside of the line")
        number = centres if isinstance(centres, int) else None
        if number is not None:
            self._check_centres(number, protect, outside)
        enemy = LineEnemy(
            enemies,
            self._provinces(asked.fleets_not_in),
            self._provinces(asked.armies_not_in),
            asked.enemy_units,
        )
        sources = self._fleet_sources(enemies) if asked.fleets_arrive else None
        return Terms(
            self.board, power, number, protect, outside, given, supports, enemy, sources, asked
        )

    def _check_split(self) -> None:
        """Refuse requirements that two lines cannot have."""
        asked = self.question
        if not isinstance(asked.centres, int):
            raise QuestionError("with `split`, say how many centres the first holds")
        for name in ("self_sufficient", "sorties"):
            if getattr(asked, name):
                raise QuestionError(f"`{name}` is about one line; leave it out with `split`")
        number, every = asked.centres + (asked.split or 0), len(self.board.centers)
        if number > every:
            raise QuestionError(
                f"two lines cannot hold {number} centres: the map {self.board.name} has {every}"
            )

    def _powers(self) -> tuple[str, tuple[str, ...]]:
        """The power of the line, and the enemy's powers."""
        asked, names = self.question, self.board.names
        enemies = tuple(dict.fromkeys(names.power(name) for name in asked.enemies))
        own = "" if asked.power is None else names.power(asked.power)
        if not own and not asked.home:
            raise QuestionError("say which power's home centres the line need not hold")
        return sides_of(self.board, own, enemies)

    def _centres(self) -> tuple[int | None, frozenset[str], frozenset[str]]:
        """The number of held centres, and if they are named, those held and those not."""
        centres = self.question.centres
        if centres is None or isinstance(centres, int):
            return centres, frozenset(), frozenset()
        named = self._provinces(centres)
        for province in sorted(named):
            if not self.board.provinces[province].supply:
                raise QuestionError(f"{province} is not a supply centre; `protect` takes provinces")
        return None, named, frozenset(self.board.centers) - named

    def _check_centres(self, number: int, protect: frozenset[str], outside: frozenset[str]) -> None:
        centres = frozenset(self.board.centers)
        for where, least, most in (
            (f"on the map {self.board.name}", 1, len(centres)),
            ("with the provinces named", len(centres & protect), len(centres - outside)),
        ):
            if not least <= number <= most:
                raise QuestionError(
                    f"a line cannot hold {number} centres: {where} it holds from {least} to {most}"
                )

    def _provinces(self, names: Iterable[str]) -> frozenset[str]:
        return frozenset(self.board.names.province(name) for name in names)

    def _units(self, power: str) -> tuple[frozenset[tuple[UnitKind, str]], Mapping[str, str]]:
        """The given units and the given orders."""
        given: dict[str, tuple[UnitKind, str]] = {}
        for text in self.question.given:
            self._place(given, power, text)
        supports: dict[str, str] = {}
        for text in self.question.orders:
            order = self.reader.read(text)
            if not isinstance(order, Hold | SupportHold):
                raise QuestionError(
                    f"{text!r} is not a standing order: a unit holds, or supports another to hold"
                )
            named = f"{order.unit.kind or ''} {order.unit.location}".strip()
            province = self._place(given, power, named)
            aim = ""
            if isinstance(order, SupportHold):
                aim = province_of(order.supported.location)
                if order.supported.kind is not None:
                    self._place(given, power, f"{order.supported.kind} {order.supported.location}")
            if supports.setdefault(province, aim) != aim:
                raise QuestionError(f"the unit in {province} has two orders")
            if aim and aim not in self.board.reach_provinces(*given[province]):
                raise QuestionError(f"{text!r}: the unit cannot go to {aim}, so it cannot support")
        return frozenset(given.values()), supports

    def _place(self, given: dict[str, tuple[UnitKind, str]], power: str, text: str) -> str:
        """Note a unit that the line must have, and return its province."""
        unit = place_unit(self.board, power, self.reader.read_unit(text), text)
        named = unit.kind, unit.location
        if given.setdefault(unit.province, named) != named:
            raise QuestionError(f"two units are given in {unit.province}")
        return unit.province

    def _fleet_sources(self, enemies: Iterable[str]) -> frozenset[str]:
        """The coastal provinces where the enemy could build fleets."""
        builds = self.rules.settings.build_where
        if (self.board.build if builds == "map" else builds) == "home":
            centres = {code for name in enemies for code in self.board.powers[name].home}
        else:
            centres = set(self.board.centers)
        return frozenset(code for code in centres if self.board.provinces[code].kind != "land")


# --- an order of provinces ------------------------------------------------------------------------

# An order of places in which neighbours are close to each other, as in a sweep over the map.
#
# A solver counts units and centres in this order, so its lemmas are about one side of the map: if
# the front runs here, at least this many units stand behind it. If it counted in the order of
# names, the proof that no line has fewer units would take five to twenty times as long.


_ROUNDS = 2  # for each place


def swept(near: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Places from one end of the map to the other, given the neighbours of each.

    The distances from a place at one end are smoothed: again and again, each becomes the mean of
    itself and its neighbours' mean. The difference between the two ends lasts longest.
    """
    links: dict[str, set[str]] = {place: set() for place in sorted(near)}
    for place, others in near.items():
        for one in others:
            links.setdefault(one, set()).add(place)
            links[place].add(one)
    ends = _steps(links, min(near))
    found = _steps(links, max(ends, key=lambda place: (ends[place], place)))
    at = {place: float(found.get(place, len(near))) for place in links}
    beside = {place: sorted(others) or [place] for place, others in links.items()}
    for _ in range(_ROUNDS * len(near)):
        at = {
            place: (at[place] + sum(at[one] for one in others) / len(others)) / 2
            for place, others in beside.items()
        }
    return tuple(sorted(near, key=lambda place: (at[place], place)))


def _steps(links: Mapping[str, Iterable[str]], start: str) -> dict[str, int]:
    """The number of steps to each place that can be reached."""
    found, edge = {start: 0}, [start]
    while edge:
        reached = {one for place in edge for one in links[place]} - found.keys()
        found |= dict.fromkeys(reached, found[edge[0]] + 1)
        edge = sorted(reached)
    return found
