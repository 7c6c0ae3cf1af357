"""The position of a movement phase that only orders state, and orders that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.errors import DipsatError, OrderSyntaxError, PositionError
from dipsat.formats.json_text import GatheredFaults
from dipsat.game.owners import owners_stated
from dipsat.game.phase_name import PhaseName
from dipsat.game.poorly_written import read_unclear
from dipsat.game.position import Position, Unit, place_unit
from dipsat.game.settings import Settings
from dipsat.game.unit import completed
from dipsat.limits_of_input import UNITS
from dipsat.orders.attributes import contradiction
from dipsat.orders.guesses import read_first_unit, read_with_impassable_land
from dipsat.orders.order import (
    Build,
    DeclaredOrder,
    Disband,
    MovementOrder,
    Order,
    UnitName,
    Waive,
)
from dipsat.orders.reader import reader_for, unit_alone
from dipsat.orders.text_parse import TEXT_FAULTS
from dipsat.orders.words import Words

_UNITS_ADVICE = (
    "here the units come from the orders; to judge an order without a readable unit, state the "
    "units under `units:` in a YAML file"
)

Entry: TypeAlias = tuple[str, str, str]
"""An order in a file: its place, its power, its text."""


def position_of(
    board: Map,
    entries: Iterable[Entry],
    words: Words,
    settings: Settings,
    faults: GatheredFaults,
    phase: PhaseName | None = None,
) -> Position:
    """The position of the units that orders name in a phase. Raises the `faults`, those of the
    orders added to them; if they are only kept, there is no unit that cannot be read or placed."""
    units: dict[str, Unit] = {}
    places: dict[str, str] = {}
    for place, power, text in entries:
        named = UnitName("")
        with faults, faults.at(place):
            named = _ordered(board, text, words, settings)
        if faults.lenient and not named.location:
            with suppress(*TEXT_FAULTS):  # the fault itself is kept already
                named = read_first_unit(board, text, words)
        if not named.location:
            continue  # an order without a unit
        with faults, faults.at(place):
            _add_named(units, board, power, named, text)
            places.setdefault(province_of(named.location), place)
    faults.raise_all()
    found = placed(board, units, places, words, firm := GatheredFaults(), phase)
    firm.raise_all()
    return found


def _ordered(board: Map, text: str, words: Words, settings: Settings) -> UnitName:
    """The unit that an order names, or that stands alone; for a poorly written order, the one that
    it begins with, if the settings allow such orders."""
    alone = unit_alone(board, text, words)
    if alone is not None:
        return alone
    try:
        order = reader_for(board, words).read(text)
    except TEXT_FAULTS:
        is_impassable = read_with_impassable_land(board, text, words) is not None
        if settings.poorly_written == "refused" and not is_impassable:
            raise
        try:
            return read_first_unit(board, text, words)
        except TEXT_FAULTS as error:
            raise DipsatError(f"{error}; {_UNITS_ADVICE}") from None
    if not isinstance(order, DeclaredOrder | MovementOrder):
        raise OrderSyntaxError(text, _later_phase(order, board)).with_remedy("phase")
    return order.unit


def _later_phase(order: Order, board: Map) -> str:
    """What to write for an order that no movement phase takes."""
    year = PhaseName.parse(board.first_phase).year
    named, of = f"S{year}R", "a retreat phase"
    if isinstance(order, Build | Waive):
        named, of = f"W{year}A", "an adjustment phase"
    elif isinstance(order, Disband):
        named, of = f"S{year}R or W{year}A", "a retreat or adjustment phase"
    return (
        f"it is an order of {of}; write the phase ({named}) above the orders, and give the "
        f"position in a file of its own"
    )


def placed(
    board: Map,
    units: Mapping[str, Unit],
    places: Mapping[str, str],
    words: Words,
    faults: GatheredFaults,
    phase: PhaseName | None = None,
) -> Position:
    """The position of units by province, which the file names in these `places`, in a phase,
    without one in the map's first movement phase; those with a fault are left out. Nothing is
    stated about owners."""
    found = []
    UNITS.check(len(units))
    for province in sorted(units):
        with faults, faults.at(places[province]):
            found.append(completed(units[province], words.attributes))
    phase = phase or PhaseName.parse(board.first_phase).or_moves()
    owned, unknown = owners_stated(board, phase, None)
    return Position(board, tuple(found), phase, owned, words=words, unknown_centers=unknown)


def check_readable(
    position: Position, entries: Iterable[Entry], settings: Settings, faults: GatheredFaults
) -> None:
    """Raise the `faults`, with one, with its place, for each order that cannot be read under the
    settings."""
    for place, power, text in entries:
        if settings.poorly_written != "refused":
            continue
        with faults, faults.at(place):
            try:
                position.reader.read(text)
            except TEXT_FAULTS:
                read_unclear(position, power, (text,), settings)
    faults.raise_all()


_STATE_UNITS = "state which units there are, in YAML under `units`"


def _add_named(units: dict[str, Unit], board: Map, power: str, named: UnitName, text: str) -> None:
    """Add the unit that an order names; several orders may name the same one."""
    province = province_of(named.location)
    before = units.get(province)
    if before is not None and before.power == power:
        both = {**dict(named.attributes), **dict(before.attributes)}
        wrong = contradiction(named.attributes, tuple(both.items()))
        if wrong:
            raise PositionError(text, f"{wrong}; {_STATE_UNITS}")
        named = replace(named, kind=named.kind or before.kind, attributes=tuple(both.items()))
    unit = place_unit(board, power, named, text)
    if before is not None and (before.power, before.kind) != (power, unit.kind):
        problem = f"{before.power} orders {before}, too; {_STATE_UNITS}"
        raise PositionError(f"{power} {unit}", problem)
    units[province] = unit
