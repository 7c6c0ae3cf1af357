"""Phases in the format of godip's web service: JSON that programs for that service send and read.

From a state with orders it computes the next state. As in godip, every movement phase is followed
by a retreat phase and every fall by an adjustment phase, even if there is nothing to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dipsat.base import grouped
from dipsat.board import province_of
from dipsat.errors import ArgumentError, OrderSyntaxError
from dipsat.formats import (
    GODIP_KINDS,
    GODIP_TYPES,
    Game,
    GodipVariant,
    godip_table,
    godip_variant,
)
from dipsat.game import PhaseKind, PhaseName, Position
from dipsat.outcomes import adjudicate

# --- states ---------------------------------------------------------------------------------------

_TYPE_OF = {kind: name for name, kind in GODIP_TYPES.items()}
_UNIT_OF = {letter: name for name, letter in GODIP_KINDS.items()}
_OK, _NO_UNIT = "OK", "ErrMissingUnit"
_STATE = "the state"


def variants() -> dict[str, Any]:
    """The variants by name, as godip lists them."""
    return {name: _listed(godip_variant(name)) for name in godip_table().variants}


def _listed(variant: GodipVariant) -> dict[str, Any]:
    return {
        "Name": variant.name,
        "Nations": [variant.nations[power] for power in variant.map.players],
        "PhaseTypes": list(GODIP_TYPES),
        "Seasons": list(variant.seasons),
        "UnitTypes": list(GODIP_KINDS),
        "SVGVersion": "",
        "CreatedBy": "",
        "Version": "",
        "Description": variant.map.title,
        "Rules": "\n".join(variant.map.notes),
    }


def started(name: str) -> dict[str, Any]:
    """The state at the start of a variant's games. Raises `UnknownNameError`."""
    variant = godip_variant(name)
    position = Position.start(variant.map)
    return _state(variant, position.phase, position, _centers(variant, position))


def resolved(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The state that follows a state with orders. Raises the errors of `Position`, and
    `UnknownNameError`, `ArgumentError` and `OrderSyntaxError` for a state that godip could not
    return."""
    variant = godip_variant(name)
    state = _read(given)
    season, year, kind = state.turn
    phase = variant.phase(season, year, kind)
    position = _position(variant, state, phase)
    sheet = _Sheet(variant, state, position)
    outcome = adjudicate(position, sheet.orders, variant.rules)
    after, found = outcome.next, outcome.to_dict()
    resolutions = {**dict(sheet.results(found["orders"])), **sheet.refused}
    then = _next_phase(phase)
    centers = state.centers if kind is PhaseKind.MOVEMENT else _centers(variant, after)
    if kind is not PhaseKind.MOVEMENT:
        return _state(variant, then, after, centers, Resolutions=resolutions)
    lost = [one for one in found["dislodged"] if one["retreats"]]
    return _state(
        variant, then, after, centers, Resolutions=resolutions,
        Dislodgeds={
            variant.code(one["unit"][2:]): _unit(variant, one["power"], one["unit"]) for one in lost
        },
        Dislodgers=_dislodgers(variant, lost),
        Bounces=_bounces(variant, found),
    )  # fmt: skip


def with_options(name: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """A state made by this module, with its legal orders."""
    variant, given = godip_variant(name), _read(state)
    position = _position(variant, given, variant.phase(*given.turn))
    return {"phase": dict(state), "options": options(variant, position)}


def _state(
    variant: GodipVariant,
    phase: PhaseName,
    position: Position,
    centers: Mapping[str, str],
    **others: Mapping[str, Any],
) -> dict[str, Any]:
    season, year = variant.turn(phase)
    return {
        "Season": season,
        "Year": year,
        "Type": _TYPE_OF[phase.kind],
        "Units": {
            variant.code(unit.location): _unit(variant, unit.power, str(unit))
            for unit in position.units
        },
        "Orders": {},
        "SupplyCenters": dict(centers),
        "Dislodgeds": {},
        "Dislodgers": {},
        "Bounces": {},
        "Resolutions": {},
        **others,
    }


def _unit(variant: GodipVariant, power: str, named: str) -> dict[str, str]:
    return {"Type": _UNIT_OF[named[0]], "Nation": variant.nations[power]}


def _centers(variant: GodipVariant, position: Position) -> dict[str, str]:
    return {
        variant.code(center): variant.nations[power]
        for power, owned in position.centers.items()
        for center in owned
    }


_TURNS = "S M", "S R", "F M", "F R", "W A"
"""The phases of a year, each a season and a kind."""


def _next_phase(phase: PhaseName) -> PhaseName:
    at = _TURNS.index(f"{phase.season} {phase.kind.value}") + 1
    season, kind = _TURNS[at % len(_TURNS)].split()
    return PhaseName(season, phase.year + at // len(_TURNS), PhaseKind(kind))


def _dislodgers(variant: GodipVariant, lost: list[dict[str, Any]]) -> dict[str, str]:
    """Origin of each attacker -> the province it attacked. Attackers by convoy are left out, since
    the dislodged unit may retreat to where they came from."""
    return {
        variant.code(province_of(one["by"][2:])): variant.code(province_of(one["unit"][2:]))
        for one in lost
        if province_of(one["by"][2:]) not in map(province_of, one["retreats"])
    }


def _bounces(variant: GodipVariant, found: Mapping[str, Any]) -> dict[str, dict[str, bool]]:
    """Province -> the origins of the units that failed to enter it because others tried, too."""
    taken = {province_of(unit[2:]) for units in found["next"]["units"].values() for unit in units}
    bounces: dict[str, dict[str, bool]] = {}
    for order in found["orders"]:
        unit, _, target = order["order"].partition(" - ")
        if not target or order["verdict"] != "fails" or " S " in unit or " C " in unit:
            continue
        province = province_of(target.partition(" ")[0])
        clashed = order["reason"]["code"] == "bounced" and province in taken
        if clashed or province in found["contested"]:
            source = variant.code(province_of(order["unit"][2:]))
            bounces.setdefault(variant.code(province), {})[source] = True
    return bounces


@dataclass(frozen=True, slots=True)
class _Given:
    """A state as received, with godip's codes and nations."""

    turn: tuple[str, int, PhaseKind]
    units: Mapping[str, tuple[str, str]]
    dislodged: Mapping[str, tuple[str, str]]
    orders: Mapping[str, Mapping[str, tuple[str, ...]]]
    centers: Mapping[str, str]
    dislodgers: Mapping[str, str]
    bounces: Mapping[str, frozenset[str]]


def _read(given: Mapping[str, Any]) -> _Given:
    """A state, checked member by member. Unknown members are ignored, as in godip."""
    season, year, kind = (given.get(name) for name in ("Season", "Year", "Type"))
    if not isinstance(season, str):
        raise ArgumentError(_STATE, "Season", season, "a text, such as 'Spring'")
    if not isinstance(year, int) or isinstance(year, bool):
        raise ArgumentError(_STATE, "Year", year, "a whole number")
    if not isinstance(kind, str) or kind not in GODIP_TYPES:
        raise ArgumentError(_STATE, "Type", kind, f"one of {', '.join(GODIP_TYPES)}")
    return _Given(
        (season, year, GODIP_TYPES[kind]),
        dict(_read_units(given, "Units")),
        dict(_read_units(given, "Dislodgeds")),
        {
            nation: {code: _bits(bits, code) for code, bits in _object(own, nation).items()}
            for nation, own in _object(given.get("Orders"), "Orders").items()
        },
        _texts(given, "SupplyCenters"),
        _texts(given, "Dislodgers"),
        {
            place: frozenset(source for source, is_one in _object(of, place).items() if is_one)
            for place, of in _object(given.get("Bounces"), "Bounces").items()
        },
    )


def _object(value: Any, name: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ArgumentError(_STATE, name, value, "an object")
    return value


def _texts(given: Mapping[str, Any], name: str) -> dict[str, str]:
    found = _object(given.get(name), name)
    for key, value in found.items():
        if not isinstance(value, str):
            raise ArgumentError(_STATE, f"{name}[{key!r}]", value, "a text")
    return dict(found)


def _read_units(given: Mapping[str, Any], name: str) -> Iterator[tuple[str, tuple[str, str]]]:
    for code, unit in _object(given.get(name), name).items():
        stated = _object(unit, f"{name}[{code!r}]")
        kind, nation = stated.get("Type"), stated.get("Nation")
        if not isinstance(kind, str) or kind not in GODIP_KINDS or not isinstance(nation, str):
            wanted = f"an object with Type, one of {', '.join(GODIP_KINDS)}, and Nation"
            raise ArgumentError(_STATE, f"{name}[{code!r}]", unit, wanted)
        yield code, (GODIP_KINDS[kind], nation)


def _bits(value: Any, code: str) -> tuple[str, ...]:
    """The words of an order: its type, then its arguments."""
    if not isinstance(value, list) or not all(isinstance(bit, str) for bit in value):
        raise ArgumentError(_STATE, f"Orders: {code}", value, "a list of texts")
    kind, *places = value or [""]
    if _TAKES.get(kind) != len(places) or (kind == "Build" and places[0] not in GODIP_KINDS):
        wanted = "; ".join(f"{name} {words}".strip() for name, words in _WORDS.items())
        raise OrderSyntaxError(" ".join((code, *value)), f"godip's orders are: {wanted}")
    return tuple(value)


_WORDS = {
    "Hold": "", "Move": "TO", "MoveViaConvoy": "TO", "Support": "UNIT TO", "Convoy": "UNIT TO",
    "Disband": "", "Build": "Army or Fleet",
}  # fmt: skip
_TAKES = {"Hold": 0, "Move": 1, "MoveViaConvoy": 1, "Support": 2, "Convoy": 2, "Disband": 0,
          "Build": 1}  # fmt: skip


def _units_given(
    variant: GodipVariant, units: Mapping[str, tuple[str, str]], where: str
) -> dict[str, list[str]]:
    return grouped(
        (variant.power(nation, f"{where}: {code}"), f"{kind} {_located(variant, code)}")
        for code, (kind, nation) in units.items()
    )


def _position(variant: GodipVariant, state: _Given, phase: PhaseName) -> Position:
    units = _units_given(variant, state.units, "Units")
    centers = grouped(
        (variant.power(nation, f"SupplyCenters: {code}"), _located(variant, code))
        for code, nation in state.centers.items()
        if nation
    )
    if phase.kind is not PhaseKind.RETREAT:
        return Position.from_units(units, variant.map, phase, centers, unknown_centers=())
    lost = _units_given(variant, state.dislodged, "Dislodgeds")
    position = Position.from_units(units, variant.map, phase, centers, lost, unknown_centers=())
    retreats: dict[str, dict[str, list[str]]] = {}
    for one in position.dislodged:
        own = retreats.setdefault(one.unit.power, {})
        own[str(one.unit)] = list(_open_retreats(variant, state, one.unit.province, one.retreats))
    return Position.from_units(units, variant.map, phase, centers, retreats, unknown_centers=())


def _located(variant: GodipVariant, code: str) -> str:
    location = variant.location(code)
    if location is None:
        raise ArgumentError(_STATE, "province", code, f"a province of {variant.map.name}, or coast")
    return location


def _open_retreats(
    variant: GodipVariant, state: _Given, province: str, empty: tuple[str, ...]
) -> Iterator[str]:
    """The empty locations to which the unit dislodged in a province may retreat: all but those of a
    standoff and the one from which its attacker came."""
    for location in empty:
        code = variant.code(province_of(location))
        victim = state.dislodgers.get(code)
        sources = state.bounces.get(code, frozenset())
        # A dislodged unit has no effect on the province from which its attacker came.
        contested = bool(sources) and sources != {victim}
        if victim != variant.code(province) and not contested:
            yield location


class _Sheet:
    """The orders of a state as texts: `orders` by power, and `refused`, godip's errors for orders
    that name no unit or no province."""

    def __init__(self, variant: GodipVariant, state: _Given, position: Position) -> None:
        self.variant = variant
        self.state = state
        self.position = position
        self.orders: dict[str, list[str]] = {}
        self.refused: dict[str, str] = {}
        self._given: dict[str, tuple[str, tuple[str, ...]]] = {}  # province -> code and words
        is_retreat = position.phase.kind is PhaseKind.RETREAT
        ordered = state.dislodged if is_retreat else state.units
        self._units = {province_of(_located(variant, code)): code for code in ordered}
        self._owners = {code: nation for code, (_, nation) in ordered.items()}
        for nation, own in state.orders.items():
            power = variant.power(nation, "Orders")
            for code, bits in own.items():
                self._add(power, nation, code, bits)

    def _add(self, power: str, nation: str, code: str, bits: tuple[str, ...]) -> None:
        location = self.variant.location(code)
        if location is None:
            self.refused[code] = "ErrInvalidSource"
            return
        kind, *places = bits
        unit = self._units.get(province_of(location))
        if kind != "Build":
            if unit is None:
                self.refused[code] = _NO_UNIT
                return
            if self._owners[unit] != nation:
                wanted = f"an order for a unit of {nation}; it is of {self._owners[unit]}"
                raise ArgumentError(_STATE, f"Orders: {nation}: {code}", list(bits), wanted)
        text = self._text(kind, places, unit, location)
        if text.startswith("Err"):
            self.refused[code] = text
            return
        self._given[province_of(location)] = code, bits
        self.orders.setdefault(power, []).append(text)

    def _text(self, kind: str, places: list[str], unit: str | None, location: str) -> str:
        """An order in dipsat's notation, or godip's error for it."""
        if kind == "Build":
            return f"{GODIP_KINDS[places[0]]} {location} B"
        assert unit is not None
        subject = self._named(unit)
        match kind:
            case "Hold" | "Disband":
                return f"{subject} {kind[0]}"
            case "Move" | "MoveViaConvoy":
                target = self.variant.location(places[0])
                via = " VIA" if kind == "MoveViaConvoy" else ""
                return f"{subject} - {target}{via}" if target else "ErrInvalidDestination"
        aided, target = (self.variant.location(place) for place in places)
        if not aided or not target:
            return "ErrInvalidTarget"
        other = self._units.get(province_of(aided))
        if other is None:
            return "ErrMissingSupportUnit" if kind == "Support" else "ErrMissingConvoyee"
        text = f"{subject} {kind[0]} {self._named(other)}"
        return text if kind == "Support" and places[0] == places[1] else f"{text} - {target}"

    def _named(self, code: str) -> str:
        """The unit that has a code, such as `F STP/SC`."""
        units = {**self.state.units, **self.state.dislodged}
        if self.position.phase.kind is not PhaseKind.RETREAT:
            units = dict(self.state.units)
        return f"{units[code][0]} {_located(self.variant, code)}"

    def results(self, orders: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
        """Code -> godip's result for its order, for the orders of an outcome."""
        for order in orders:
            location = order["unit"][2:]
            code = self._units.get(province_of(location), self.variant.code(location))
            given, bits = self._given.get(province_of(location), (code, (self._without_order,)))
            if given not in self.refused:
                yield given, self._said(bits, order)

    @property
    def _without_order(self) -> str:
        """The default order of a unit."""
        return "Hold" if self.position.phase.kind is PhaseKind.MOVEMENT else "Disband"

    def _said(self, bits: tuple[str, ...], order: Mapping[str, Any]) -> str:
        code, because = order["reason"]["code"], order["reason"]["because"]
        if code == "ok":
            return _OK
        said = godip_table().results["Move" if bits[0] == "MoveViaConvoy" else bits[0]]
        culprit = self.variant.code(because[0][2:]) if because else bits[-1]
        return said.get(code, said["else"]).replace("{by}", culprit)


# --- options --------------------------------------------------------------------------------------

# The legal orders of a state, as a tree: nation -> province -> type of order -> its words, one by
# one.


_Tree = dict[str, dict[str, Any]]
_Step = tuple[str, str]
"""A word of an order, and godip's name for words of that sort."""
_TYPES = {"H": "Hold", "S": "Support", "C": "Convoy", "D": "Disband"}


def options(variant: GodipVariant, position: Position) -> dict[str, _Tree]:
    """The orders of each nation."""
    found: dict[str, _Tree] = {variant.nations[power]: {} for power in variant.map.players}
    due = _due(position)
    for power, units in Game(position, variant.rules).all_legal_orders().items():
        if power in variant.map.neutrals:
            continue
        tree = found[variant.nations[power]]
        orders = (order for own in units.values() for order in own)
        for steps in (steps for order in orders for steps in _steps(variant, order.split())):
            at: _Tree = tree
            for word, sort in steps:
                at = at.setdefault(word, {"Type": sort, "Next": {}})["Next"]
            if position.phase.kind is PhaseKind.ADJUSTMENT:
                tree[steps[0][0]]["Filter"] = f"MAX:{steps[1][0]}:{abs(due[power])}"
    return found


def _due(position: Position) -> Counter[str]:
    """Power -> the number of its builds, or of its disbands as a negative number."""
    due = Counter({power: len(own) for power, own in position.centers.items()})
    due.subtract(unit.power for unit in position.units)
    return due


def _steps(variant: GodipVariant, words: Sequence[str]) -> Iterator[tuple[_Step, ...]]:
    """The paths through the tree for an order; none for an order that godip does not know."""
    if len(words) < 3:
        return
    kind, location, verb, *rest = words
    code, places = variant.code(location), [word for word in rest if word not in ("-", "VIA")]
    at = (variant.code(province_of(location)), "Province")
    source = (code, "SrcProvince")
    match verb:
        case "H" | "D":
            yield at, (_TYPES[verb], "OrderType"), source
        case "-" | "R":
            target = (variant.code(places[0]), "Province")
            yield at, ("Move", "OrderType"), source, target
            if "VIA" in rest:
                yield at, ("MoveViaConvoy", "OrderType"), source, target
        case "S" | "C":
            _, aided, target_place = (*places, places[-1])[:3]
            aims = [(variant.code(province_of(one)), "Province") for one in (aided, target_place)]
            yield at, (_TYPES[verb], "OrderType"), source, *aims
        case "B":
            where = variant.code(province_of(location)) if kind == "A" else code
            built = (_UNIT_OF[kind], "UnitType"), (where, "SrcProvince")
            coasts = variant.map.provinces[province_of(location)].coasts
            tops = [f"{code}/{coast.lower()}" for coast in coasts] if kind == "A" else []
            for top in tops or [code]:
                yield (top, "Province"), ("Build", "OrderType"), *built
