"""Positions: the units on a map, who owns which centres, and the phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple, TypeAlias

from dipsat.base import (
    UNITS,
    WIDTH,
    ArgumentError,
    Drawn,
    brief,
    checked,
    counted,
    frozen,
    grouped,
    html_of,
    kept_on_first,
    own_fields,
    titled,
)
from dipsat.board import (
    STANDARD_KINDS,
    Map,
    Province,
    UnitKind,
    coast_of,
    load_map,
    one_of,
    province_of,
)
from dipsat.errors import PositionError, hint
from dipsat.game.phase_name import FIRST_PHASE, PhaseKind, PhaseName
from dipsat.orders import (
    NO_WORDS,
    Attributes,
    Hold,
    Order,
    OrderReader,
    Unit,
    UnitName,
    Values,
    WithWords,
    Words,
    reader_for,
    unit_of,
)

# --- unit -----------------------------------------------------------------------------------------

# Units and the attributes that the rules declare for them, such as a colour.


def completed(unit: Unit, attributes: Attributes) -> Unit:
    """The unit with every attribute, in the order of the rules.

    Raises `PositionError` if it lacks a required attribute, has an unknown value, or has an
    attribute that the rules do not declare.
    """
    known = {rule.name: rule for rule in attributes}
    for name, value in unit.attributes:
        if name not in known:
            have = f"they have {', '.join(known)}" if known else "they have none"
            problem = f"units have no {name} under these rules ({value!r}); {have}"
            raise PositionError(str(unit), problem)
        if value not in known[name].values:
            listed = f"known: {_listed(attributes, name)}"
            meant = hint(value, known[name].values, otherwise=listed, quoted=False)
            raise PositionError(str(unit), f"{value!r} is not a {name}{meant}")
    values, missing = with_defaults(unit.attributes, attributes)
    if missing:
        raise PositionError(str(unit), missing)
    return unit_of(unit.power, unit.kind, unit.location, values)


def with_defaults(given: Values, attributes: Attributes) -> tuple[Values, str]:
    """A unit's given attributes with defaults for the rest, and a sentence about a missing
    attribute, or "" if none is missing."""
    by_name = dict(given)
    found = []
    for rule in attributes:
        value = by_name.get(rule.name, rule.default)
        if not value:
            return given, f"its {rule.name} is missing: {_listed(attributes, rule.name)}"
        found.append((rule.name, value))
    return tuple(found), ""


def _listed(attributes: Attributes, name: str) -> str:
    return next(" or ".join(rule.values) for rule in attributes if rule.name == name)


# --- unit reader ----------------------------------------------------------------------------------

# Reading texts such as `A PAR` as units of a power that can stand there.


class UnitReader:
    """Reads a text such as `A PAR` as a unit of a power under rules with these words, with the
    attributes that the text gives. It raises `PositionError` and name errors.

    It remembers the units, because the same few texts occur in every position."""

    def __init__(self, board: Map, words: Words) -> None:
        self.board = board
        self.words = words
        self.known: dict[str, _UnitsOf] = {}

    def __call__(self, power: str, text: str) -> Unit:
        """Return the unit that the text names."""
        return self.units_of(power)[text]

    def units_of(self, power: str) -> Mapping[str, Unit]:
        """Return the units of a power by their texts, each read when it is first asked for."""
        if power not in self.known:
            self.known[power] = _UnitsOf(self, power)
        return self.known[power]


class _UnitsOf(dict[str, Unit]):
    def __init__(self, reader: UnitReader, power: str) -> None:
        self._reader = reader
        self._power = power

    def __missing__(self, text: str) -> Unit:
        board, words = self._reader.board, self._reader.words
        named = reader_for(board, words).read_unit(text)
        found = place_unit(board, self._power, named, text, words.units)
        if len(self) >= _REMEMBERED:
            self.clear()
        self[text] = found
        return found


_REMEMBERED = 20_000
"""How many texts of a power's units are remembered; a map has a few hundred."""


@kept_on_first(16)
def unit_reader(board: Map, words: Words) -> UnitReader:
    """The reader of the units of a map under rules with these words."""
    return UnitReader(board, words)


def place_unit(
    board: Map,
    power: str,
    named: UnitName,
    text: str,
    kinds: tuple[UnitKind, ...] = STANDARD_KINDS,
) -> Unit:
    """The unit that `named` describes, of one of these kinds. A missing A or F is filled in where
    only one is possible.

    Raises `PositionError` if no such unit can stand there.
    """
    if named.power not in (None, power):
        raise PositionError(text, f"it is listed under {power}, not {named.power}")
    province = board.provinces[province_of(named.location)]
    coast = coast_of(named.location)
    kind = named.kind or only_kind(kinds, province, coast)
    if kind is None:
        raise PositionError(text, f"say whether it is {one_of(kinds)}")
    if not kind.stands_in(province.kind):
        where = {"land": "inland", "sea": "at sea"}.get(province.kind, "on the coast")
        raise PositionError(text, f"{kind.with_article} cannot stand {where} ({province.name})")
    if not kind.has_coasts:
        if coast:
            problem = f"{kind.with_article} stands on no coast; write {kind} {province.code}"
            raise PositionError(text, problem)
        return unit_of(power, kind, province.code, named.attributes)
    if named.location not in province.locations:
        known = " or ".join(f"{kind} {location}" for location in province.locations)
        problem = "the coast is missing" if not coast else "there is no such coast"
        raise PositionError(text, f"{problem}; write {known}")
    return unit_of(power, kind, named.location, named.attributes)


def only_kind(kinds: Iterable[UnitKind], province: Province, coast: str) -> UnitKind | None:
    """The only kind of unit that can stand in a province (on a coast if one is named), or None if
    there are several kinds or none."""
    possible = [kind for kind in kinds if kind.stands_in(province.kind)]
    if coast and province.kind == "coast":
        possible = [kind for kind in possible if kind.has_coasts]
    return possible[0] if len(possible) == 1 else None


# --- owners ---------------------------------------------------------------------------------------

# Who owns the supply centres, and which have an unknown owner.


Listed: TypeAlias = Mapping[str, Iterable[str]]
OWNERS = ("centers", "unknown_centers")
"""The keys of documents about who owns which supply centre."""
STATE_OWNERS = "state the centres of every power under `centers`, or begin at the start of the map"
"""What to do where owners are unknown."""


class Owners(NamedTuple):
    """Power -> the centres that it owns, and the centres whose owner is unknown, all sorted. Nobody
    owns the others."""

    centers: Mapping[str, tuple[str, ...]]
    unknown: tuple[str, ...] = ()


def owners_stated(
    board: Map, phase: PhaseName, centers: Listed | None, unknown: Iterable[str] | None = None
) -> Owners:
    """The owners in a phase, from names in any notation.

    `centers` without any centre counts as not stated unless `unknown` is given, even if `unknown`
    is empty. Owners that are not stated are the map's in its first phase, and unknown later.

    Raises `PositionError` for a province without a supply centre or with two owners, and name
    errors.
    """
    if centers or unknown is not None:
        found = owners_listed(board, centers or {}, unknown or ())
        if found.centers or unknown is not None:
            return found
    return _unstated(board, phase)


def are_assumed(owners: Owners, board: Map, phase: PhaseName) -> bool:
    """Whether these are the owners in a phase for which none are stated."""
    return owners == _unstated(board, phase)


def owners_listed(board: Map, centers: Listed, unknown: Iterable[str] = ()) -> Owners:
    """The owners from names in any notation: power -> its centres, and those whose owner is
    `unknown`. Raises as `owners_stated` does."""
    owner: dict[str, str] = {}
    for typed, texts in centers.items():
        power = board.names.power(typed)
        for text in texts:
            add_center(owner, board, power, _code(board, text), text)
    codes = set()
    for text in unknown:
        code = _code(board, text)
        if code in owner:
            problem = f"it is owned by {owner[code]}, so its owner is not unknown"
            raise PositionError(text, problem, "centre")
        _refuse_other(board, code, text)
        codes.add(code)
    return Owners(centers_by_power(owner), tuple(sorted(codes)))


def _code(board: Map, text: str) -> str:
    return text if text in board.provinces else board.names.province(text)


@kept_on_first(64)
def _unstated(board: Map, phase: PhaseName) -> Owners:
    first = PhaseName.parse(board.first_phase)
    if phase not in (first, first.or_moves()):
        return Owners(frozen({}), tuple(sorted(board.centers)))
    owner = {code: power.name for power in board.powers.values() for code in power.centers}
    return Owners(frozen(centers_by_power(owner)))


def add_center(owner: dict[str, str], board: Map, power: str, code: str, text: str) -> None:
    """Add the province `code` to the owned centres in `owner` (centre -> power); `text` names it
    in errors.

    Raises `PositionError` for a province without a supply centre or with another owner.
    """
    _refuse_other(board, code, text)
    if owner.setdefault(code, power) != power:
        raise PositionError(text, f"it is owned by {owner[code]} and by {power}", "centre")


def _refuse_other(board: Map, code: str, text: str) -> None:
    if not board.provinces[code].supply:
        raise PositionError(text, f"{board.provinces[code].name} is not a supply centre", "centre")


def centers_by_power(owner: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Convert centre -> power to power -> its centres, both sorted."""
    found = grouped((owner[code], code) for code in sorted(owner))
    return {power: tuple(owned) for power, owned in sorted(found.items())}


def refuse_unknown(unknown: Sequence[str]) -> None:
    """Raise `PositionError` if there are centres whose owner is unknown."""
    if unknown:
        rest = len(unknown) - 1
        whose = f"its owner and those of {rest} more are" if rest else "its owner is"
        problem = f"{whose} unknown; {STATE_OWNERS}"
        raise PositionError(unknown[0], problem, "centre").with_remedy("start")


# --- board lines ----------------------------------------------------------------------------------

# Units, centres and retreats as players describe them, power by power.


def board_lines(position: Position) -> Iterator[str]:
    """The units and the owned centres of every power, then the centres without an owner and those
    whose owner is unknown, in lines of at most 80 columns."""
    placed, centers = by_power(position.units), position.centers
    names = {power: titled(power) for power in sorted({*placed, *centers})}
    owned = {code for codes in centers.values() for code in codes}
    nobodys = sorted({*position.map.centers} - owned - {*position.unknown_centers})
    others = {"Nobody": nobodys, "Unknown": position.unknown_centers}
    others = {name: codes for name, codes in others.items() if codes and centers}
    width = max(map(len, [*names.values(), *others]), default=0) + 2
    for power, name in names.items():
        rows = [_listed_parts("unit", placed.get(power, ()))]
        if centers:
            rows.append(_listed_parts("centre", centers.get(power, ())))
        yield from _entry(name, width, rows)
    for name, codes in others.items():
        yield from _entry(name, width, [_listed_parts("centre", codes)])


def retreat_lines(position: Position) -> Iterator[str]:
    """What each dislodged unit may do, in a retreat phase."""
    for one in position.dislodged:
        where = ", ".join(one.retreats)
        may = f"may retreat to {where}, or disband" if where else "has no retreat and disbands"
        yield from folded(f"{titled(one.unit.power)}: {one.unit} {may}.")


def _listed_parts(what: str, things: Iterable[str]) -> str:
    listed = list(things)
    count = counted(len(listed), what)
    return f"{count}: {', '.join(listed)}" if listed else count


def _entry(name: str, width: int, rows: Iterable[str]) -> Iterator[str]:
    """Rows of text to the right of a name."""
    begin = name.ljust(width)
    for row in rows:
        yield from wrap(row, WIDTH, initial_indent=begin, subsequent_indent=" " * (width + 2))
        begin = " " * width


def folded(text: str) -> list[str]:
    """A sentence in lines of at most 80 columns, all but the first indented."""
    return wrap(text, WIDTH, subsequent_indent="  ")


# --- position -------------------------------------------------------------------------------------


@brief()
@dataclass(frozen=True, slots=True)
class DislodgedUnit:
    """A unit that must retreat or disband."""

    unit: Unit
    """The unit, with the location from which it was dislodged."""
    retreats: tuple[str, ...]
    """The locations to which it may retreat, sorted."""


def retreats_in_words(retreats: Sequence[str]) -> str:
    """Where a dislodged unit may go."""
    return f"may retreat to {', '.join(retreats)}" if retreats else "has no retreat"


Dislodged: TypeAlias = Mapping[str, Iterable[str] | Mapping[str, Iterable[str]]]


@brief()
@dataclass(frozen=True)
class Position(Drawn):
    """A map, the units on it, and the phase.

    Make one with `from_units` or `start`. Both check that every unit can stand where it is placed.
    """

    map: Map
    """The map."""
    units: tuple[Unit, ...]
    """The units, sorted by location, at most one in a province."""
    phase: PhaseName = FIRST_PHASE
    """The phase to be played."""
    centers: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """Power -> the supply centres that it is known to own, sorted."""
    dislodged: tuple[DislodgedUnit, ...] = ()
    """In a retreat phase, the dislodged units, sorted by province."""
    words: Words = NO_WORDS
    """What the rules add to the notation of orders; every unit has the attributes that they
    declare."""
    unknown_centers: tuple[str, ...] = field(default=(), hash=False)
    """The supply centres whose owner is not known, sorted. Nobody owns those that are neither here
    nor in `centers`."""

    def __post_init__(self) -> None:  # positions share their mappings of centres
        object.__setattr__(self, "centers", frozen(self.centers))

    __getstate__ = own_fields

    @staticmethod
    @checked
    def from_units(
        units: Listed,
        map: str | Path | Map = "standard",
        phase: str | PhaseName | None = None,
        centers: Listed | None = None,
        dislodged: Dislodged | None = None,
        rules: WithWords = NO_WORDS,
        unknown_centers: Iterable[str] | None = None,
    ) -> Position:
        """Return the position with these units: power -> units, in any notation and case that the
        reader knows.

        `phase` is a name such as `S1901M` (default: the map's first). `centers` maps powers to the
        centres that they own; nobody owns the others, except the `unknown_centers`. Without both,
        the owners are the map's in its first phase, and unknown later. `dislodged` maps powers to
        dislodged units, or to dislodged units with their possible retreats (default: every empty
        neighbour). `rules` is the profile, if it gives attributes to units.

        Raises `PositionError` (two units in a province, an army at sea, a fleet inland, a missing
        coast or attribute, a centre that is not a supply centre), `UnknownNameError`,
        `AmbiguousNameError` or `OrderSyntaxError`.
        """
        if isinstance(rules, (str, Path)):  # much faster than a union
            wanted = f"the profile itself: dipsat.load_profile({str(rules)!r})"
            raise ArgumentError("dipsat.Position.from_units", "rules", rules, wanted)
        board = load_map(map)
        placed: dict[str, Unit] = {}
        words = rules.words
        read = unit_reader(board, words)
        for typed, texts in units.items():
            known = read.units_of(board.names.power(typed))
            for text in texts:
                add_unit(placed, known[text], text)
        if not isinstance(phase, PhaseName):
            phase = PhaseName.parse(phase or board.first_phase, words)
        if dislodged and any(dislodged.values()) and phase.kind is not PhaseKind.RETREAT:
            (text, *_) = next(texts for texts in dislodged.values() if texts)
            raise PositionError(text, f"{phase} has no dislodged units; only retreat phases do")
        by_province = {province: placed[province] for province in sorted(placed)}
        owned, unknown = owners_stated(board, phase, centers, unknown_centers)
        found = Position(
            board,
            tuple(by_province.values()),
            phase,
            owned,
            _read_dislodged(board, dislodged, placed, words) if dislodged else (),
            unknown_centers=unknown,
        )
        vars(found)["by_province"] = by_province  # most functions need it
        return found if words is NO_WORDS else found.with_words(words)

    @staticmethod
    @checked
    def from_dict(
        value: Mapping[str, Any],
        map: str | Path | Map = "standard",
        rules: WithWords = NO_WORDS,
    ) -> Position:
        """Return the position that `to_dict` wrote. The map and the rules, which it does not
        write, are as for `from_units`.

        Raises `PositionError` for a key that is missing or unknown, and the errors of `from_units`.
        """
        _check_keys(value)
        retreats = value.get("retreats") or value.get("dislodged")
        centers, unknown = value.get("centers"), value.get("unknown_centers")
        return Position.from_units(
            value["units"], map, value["phase"], centers, retreats, rules, unknown
        )

    @staticmethod
    @checked
    def start(map: str | Path | Map = "standard") -> Position:
        """Return the position in which a game on the map begins."""
        board = load_map(map)
        return Position.from_units(
            {power.name: power.start for power in board.powers.values()}, board
        )

    @cached_property
    def reader(self) -> OrderReader:
        """The reader for the orders and units of this position."""
        return reader_for(self.map, self.words)

    @checked
    def with_words(self, words: Words) -> Position:
        """Return the position under rules with these words; attributes that are not given get their
        defaults.

        Raises `PositionError` for a unit of an unknown kind, without a required attribute, with an
        unknown attribute, or with an unknown value of one.
        """
        if words is self.words:
            return self
        known = words.attributes
        units = (*self.units, *(one.unit for one in self.dislodged))
        for unit in units:
            if unit.kind not in words.units:
                if str(unit.kind) in words.units:
                    problem = f"it is a {unit.kind.word} of other rules, where it plays differently"
                else:
                    problem = f"there is no {unit.kind.word} under these rules; units are "
                    problem += one_of(words.units)
                raise PositionError(str(unit), problem)
        count = len(known)
        if words == self.words and all(len(unit.attributes) == count for unit in units):
            return self
        return replace(
            self,
            units=tuple(completed(unit, known) for unit in self.units),
            dislodged=tuple(
                DislodgedUnit(completed(one.unit, known), one.retreats) for one in self.dislodged
            ),
            words=words,
        )

    def __str__(self) -> str:
        """Return the phase and the board as `dipsat play` shows them, in lines of at most 80
        columns."""
        title = f"{self.phase.title(self.words)} ({self.phase}; map {self.map.name})"
        return "\n".join((title, *board_lines(self), *retreat_lines(self)))

    def _repr_html_(self) -> str:
        lost = grouped((one.unit.power, str(one.unit)) for one in self.dislodged)
        units = by_power(self.units)
        rows = [
            (titled(power), *(", ".join(one.get(power, ())) for one in (units, lost, self.centers)))
            for power in sorted({*units, *lost, *self.centers})
        ]
        head = ("Power", "Units", "Dislodged", "Centres")
        return html_of(head, rows, f"{self.phase}, {self.map.name}")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: phase, units, centers, and dislodged units with their retreats, by
        power, and `unknown_centers` if there are any or if nobody owns a centre. `from_dict` reads
        them."""
        retreats: dict[str, dict[str, list[str]]] = {}
        for lost in self.dislodged:
            retreats.setdefault(lost.unit.power, {})[str(lost.unit)] = list(lost.retreats)
        return {
            "phase": str(self.phase),
            "units": by_power(self.units),
            "dislodged": {power: list(lost) for power, lost in sorted(retreats.items())},
            "centers": {power: list(owned) for power, owned in sorted(self.centers.items())},
            **self._unknown(),
            "retreats": dict(sorted(retreats.items())),
        }

    def _unknown(self) -> dict[str, list[str]]:
        """The centres whose owner is unknown. Without owned centres, an empty list says that nobody
        owns one."""
        if self.centers and not self.unknown_centers:
            return {}
        return {"unknown_centers": list(self.unknown_centers)}

    @cached_property
    def by_province(self) -> Mapping[str, Unit]:
        """Province -> the unit in it."""
        return {unit.province: unit for unit in self.units}

    @cached_property
    def unit_counts(self) -> Counter[str]:
        """Power -> how many units it has."""
        return Counter([unit.power for unit in self.units])

    @checked
    def owner(self, province: str) -> str:
        """Return the power that owns a supply centre, "" if none does. Raises `PositionError` if
        the owner is unknown."""
        found = self._owners.get(province, "")
        if not found and province in self.unknown_centers:
            refuse_unknown((province,))
        return found

    @cached_property
    def _owners(self) -> Mapping[str, str]:
        return {center: power for power, owned in self.centers.items() for center in owned}

    @cached_property
    def fleets_at_sea(self) -> frozenset[str]:
        """The provinces with a fleet that could convoy."""
        return frozenset(
            unit.location
            for unit in self.units
            if unit.kind is UnitKind.FLEET and unit.location in self.map.seas
        )


_KEYS = ("phase", "units", "dislodged", "centers", "unknown_centers", "retreats")
_OTHERS = {
    "next": "this is an outcome; the position after it is under 'next'",
    "phases": "this is a game; `dipsat.Game.from_dict` reads it",
    "orders": "this is a phase with its orders; `dipsat.load_phase` reads it from a file",
}
"""A key of other documents -> what to do with a document that has it."""


def _check_keys(value: Mapping[str, Any]) -> None:
    """Raise `PositionError` unless the keys are those of a position."""
    hint = next((told for key, told in _OTHERS.items() if key in value), "")
    hint = hint or f"a position has {', '.join(_KEYS)}"
    for key in (*_KEYS[:2], *value):
        if key not in value or key not in _KEYS:
            problem = "is missing" if key not in value else "is unknown"
            raise PositionError(str(key), f"it {problem}; {hint}", "key")


def by_location(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """The units, sorted by where they stand."""
    return tuple(sorted(units, key=attrgetter("location")))


def by_power(units: Iterable[Unit]) -> dict[str, list[str]]:
    """Power -> the texts of its units in the order given, sorted by power."""
    return dict(sorted(grouped((unit.power, str(unit)) for unit in units).items()))


def add_unit(placed: dict[str, Unit], unit: Unit, text: str) -> None:
    """Add a unit to those in `placed` (province -> unit); `text` names it in errors.

    Raises `PositionError` if there is a unit in its province already, and `InputLimitError` for too
    many units.
    """
    if len(placed) >= UNITS.most:
        UNITS.check(len(placed) + 1)
    province = unit.province
    if province in placed:
        other = placed[province]
        raise PositionError(text, f"{other.power} {other} already stands in {province}")
    placed[province] = unit


def _read_dislodged(
    board: Map, dislodged: Dislodged, placed: Mapping[str, Unit], words: Words
) -> tuple[DislodgedUnit, ...]:
    found: dict[str, DislodgedUnit] = {}
    lost: dict[str, Unit] = {}
    for typed, texts in dislodged.items():
        power = board.names.power(typed)
        for text in texts:
            unit = unit_reader(board, words)(power, text)
            add_unit(lost, unit, text)
            there = placed.get(unit.province)
            if there is not None and there.power == power:
                raise PositionError(text, f"{power} {there} stands in {unit.province}")
            if not isinstance(texts, Mapping):
                found[unit.province] = DislodgedUnit(unit, possible_retreats(board, unit, placed))
                continue
            retreats = read_retreats(board, unit, texts[text])
            for place in retreats:
                if province_of(place) in placed:
                    there = placed[province_of(place)]
                    problem = f"it cannot retreat to {place}, where {there.power} {there} stands"
                    raise PositionError(text, problem)
            found[unit.province] = DislodgedUnit(unit, retreats)
    return tuple(found[province] for province in sorted(found))


def possible_retreats(board: Map, unit: Unit, occupied: Container[str]) -> tuple[str, ...]:
    """The locations to which a dislodged unit could retreat, as far as can be told without the
    orders: every neighbour whose province is not in `occupied`, sorted. A neutral power's unit
    cannot retreat."""
    reach = () if unit.power in board.neutrals else board.reach(unit.kind, unit.location)
    return tuple(sorted(place for place in reach if province_of(place) not in occupied))


def provinces_to_order(position: Position, power: str) -> frozenset[str]:
    """The provinces of the units that a power can order now: on the board, or dislodged."""
    units = position.units
    if position.phase.kind is PhaseKind.RETREAT:
        units = tuple(lost.unit for lost in position.dislodged)
    is_played = power not in position.map.neutrals
    return frozenset(unit.province for unit in units if is_played and unit.power == power)


def read_retreats(board: Map, unit: Unit, texts: Iterable[str]) -> tuple[str, ...]:
    """The sorted locations that texts name as retreats of a unit.

    Raises `PositionError` for one that it cannot reach, and name errors.
    """
    reader = reader_for(board)
    retreats = {reader.read_unit(text).location for text in texts}
    for place in sorted(retreats - {*possible_retreats(board, unit, ())}):
        raise PositionError(str(unit), f"it cannot retreat to {place}")
    return tuple(sorted(retreats))


# --- neutrals -------------------------------------------------------------------------------------

# What the units of neutral powers do; nobody plays these powers.
#
# The map says which powers are neutral, and which of their units it rebuilds. A neutral power's
# unit holds. If it is dislodged, it does not retreat, so it is disbanded at once. Its power neither
# builds nor disbands in winter, and cannot win.


def refusal_of(board: Map, power: str, order: Order) -> tuple[str, str] | None:
    """The code and the reason for refusing an order of a neutral power. None for its holds, and for
    every order of other powers."""
    if power not in board.neutrals or isinstance(order, Hold):
        return None
    return "neutral", f"{titled(power)}'s units hold: the map gives them no orders"


def no_retreat(power: str) -> str:
    """What happens to a dislodged unit of a neutral power, in words."""
    return f"{titled(power)}'s units do not retreat, so it is disbanded"


def rebuilt_garrisons(position: Position) -> tuple[Unit, ...]:
    """The garrisons that are rebuilt in a position's winter: those whose centre is vacant and not
    owned by another power."""
    found = []
    for power, text in position.map.garrisons:
        unit = unit_reader(position.map, position.words)(power, text)
        is_vacant = unit.province not in position.by_province
        if is_vacant and position.owner(unit.province) in ("", power):
            found.append(completed(unit, position.words.attributes))
    return tuple(found)
