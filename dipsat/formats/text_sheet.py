"""The orders of a file with their places, and the position that they state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import NamedTuple

from dipsat.base import SHEET_LENGTH, UNITS, grouped
from dipsat.board import Map, province_of
from dipsat.errors import (
    DipsatError,
    FileError,
    OrderFaultError,
    OrderSyntaxError,
    PositionError,
    ProblemsError,
)
from dipsat.formats.json_text import GatheredFaults
from dipsat.formats.line_meaning import SETTING
from dipsat.game import (
    PhaseKind,
    PhaseName,
    Position,
    completed,
    other_power_in,
    owners_stated,
    place_unit,
    read_unclear,
)
from dipsat.orders import (
    TEXT_FAULTS,
    Build,
    DeclaredOrder,
    Disband,
    MovementOrder,
    Order,
    Unit,
    UnitName,
    Waive,
    Words,
    contradiction,
    read_first_unit,
    read_with_impassable_land,
    reader_for,
    unit_alone,
    without_comment,
)
from dipsat.rules import Settings

# --- named units ----------------------------------------------------------------------------------

# The position of a movement phase for which only orders are stated, and unreadable orders.


_UNITS_ADVICE = (
    "here the units come from the orders; to judge an order without a readable unit, state the "
    "units under `units:` in a YAML file"
)


class Entry(NamedTuple):
    """An order as someone wrote it: for which power ("" if not stated), and in which place ("" at
    the keyboard)."""

    power: str
    text: str
    place: str = ""


def position_of(
    board: Map,
    entries: Iterable[Entry],
    words: Words,
    settings: Settings,
    faults: GatheredFaults,
    phase: PhaseName | None = None,
) -> Position:
    """The position of the units that orders name in a phase. Raises the `faults`, after adding
    those of the orders; if they are only kept, units that cannot be read or placed are left out."""
    units: dict[str, Unit] = {}
    places: dict[str, str] = {}
    for power, text, place in entries:
        named = UnitName("")
        with faults, faults.at(place):
            named = _ordered(board, power, text, words, settings)
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


def _ordered(board: Map, power: str, text: str, words: Words, settings: Settings) -> UnitName:
    """The unit that an order of a power names, or a unit alone. For a poorly written order it is
    the unit that it begins with, if the settings allow such orders."""
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
        raise OrderSyntaxError(text, later_phase(order, board)).with_remedy("phase")
    if problem := other_power_in(order, power):
        raise OrderSyntaxError(text, problem)
    return order.unit


def later_phase(order: Order, board: Map) -> str:
    """What to write for an order that no movement phase takes."""
    year = PhaseName.parse(board.first_phase).year
    named, of = f"S{year}R", "a retreat phase"
    if isinstance(order, Build | Waive):
        named, of = f"W{year}A", "an adjustment phase"
    elif isinstance(order, Disband):
        named, of = f"S{year}R or W{year}A", "a retreat or adjustment phase"
    return (
        f"it is an order for {of}; write the phase ({named}) above the orders, and give the "
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
    """The position of units (by province) in a phase, by default the map's first movement phase.
    `places` says where the file names them; those with a fault are left out. Owners are not
    stated."""
    found = []
    UNITS.check(len(units))
    for province in sorted(units):
        with faults, faults.at(places[province]):
            found.append(completed(units[province], words.attributes))
    phase = phase or PhaseName.parse(board.first_phase).or_moves()
    owned, unknown = owners_stated(board, phase, None)
    return Position(board, tuple(found), phase, owned, words=words, unknown_centers=unknown)


def refuse_unreadable(position: Position, entry: Entry, settings: Settings) -> None:
    """Raise what is wrong with an unreadable order, unless the settings accept it."""
    if settings.poorly_written == "refused":
        read_unclear(position, entry.power, (entry.text,), settings)


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


# --- order places ---------------------------------------------------------------------------------

# Where a file has each order, for faults that are found only when the orders are judged.


OrderPlaces = Mapping[tuple[str, str], str]
"""Power and text of an order -> its place; equal orders have the place of the last."""


def places_of(entries: Iterable[Entry]) -> OrderPlaces:
    """The places of orders in a file."""
    return {(one.power, one.text): one.place for one in entries}


@contextmanager
def naming_orders(places: OrderPlaces) -> Iterator[None]:
    """Name the place of the order in errors about orders that do not fit the position."""
    try:
        yield
    except OrderFaultError as error:
        raise _placed(error, places) from error
    except ProblemsError as error:
        raise ProblemsError(_placed(one, places) for one in error.problems) from error


def _placed(error: DipsatError, places: OrderPlaces) -> DipsatError:
    """The error with the place of the last order that it is about, which came too late if there
    are several."""
    if not isinstance(error, OrderFaultError) or not error.orders:
        return error
    place = places.get((error.power, error.orders[-1]))
    if place is None:
        return error
    found = FileError(place, str(error))
    found.remedies = error.remedies
    return found


# --- text sheet -----------------------------------------------------------------------------------


def head_of(text: str, shown: str) -> tuple[dict[str, tuple[str, int]], str]:
    """The `map` and the `rules` that a sheet names, as games in text do (`Map: fleet_rome`), each
    with its line, and the rest of the text. Raises `FileError` if it names one of them twice, and
    `InputLimitError` for too long a sheet."""
    SHEET_LENGTH.check(len(text), shown)
    found: dict[str, tuple[str, int]] = {}
    lines = text.splitlines()
    for at, line in enumerate(lines):
        setting = SETTING.fullmatch(without_comment(line).strip())
        if setting is None:
            continue
        key = setting[1].lower()
        if key in found:
            problem = f"a second `{key}`; line {found[key][1]} has one already"
            raise FileError(f"{shown}:{at + 1}", problem)
        found[key], lines[at] = (setting[2].strip(), at + 1), ""
    return found, "\n".join(lines)


def refuse_phase_of_sheet(phase: PhaseName, place: str) -> None:
    """Raise `FileError` for a retreat or adjustment phase, which needs more than a sheet says."""
    if phase.kind not in (PhaseKind.MOVEMENT, PhaseKind.EXTRA):
        problem = f"an order sheet cannot say what {phase} needs: state it in YAML, with "
        problem += "`centers`" if phase.kind is PhaseKind.ADJUSTMENT else "`dislodged`"
        problem += ", or give the position in a file of its own"
        raise FileError(place, problem).with_remedy("position")


def orders_of(entries: Iterable[Entry]) -> dict[str, tuple[str, ...]]:
    """Power -> its orders."""
    found = grouped((one.power, one.text) for one in entries)
    return {power: tuple(texts) for power, texts in found.items()}
