"""An order sheet in plain text: what stands above the orders, and the orders with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from dipsat.base import PHASES, SHEET_LENGTH, UNITS, check_time, grouped, titled
from dipsat.board import Map, province_of
from dipsat.errors import (
    DipsatError,
    FileError,
    OrderFaultError,
    OrderSyntaxError,
    PositionError,
    ProblemsError,
    did_you_mean,
    nearest_names,
)
from dipsat.formats.json_text import FilePlace, GatheredFaults
from dipsat.formats.saved_game import Notation, notation_of, read_map
from dipsat.game import (
    SEASON_WORDS,
    PhaseKind,
    PhaseName,
    Position,
    completed,
    other_power_in,
    owners_stated,
    phase_letters,
    place_unit,
    read_unclear,
)
from dipsat.orders import (
    NO_WORDS,
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
    read_sheet,
    read_with_impassable_land,
    reader_for,
    scan_sheet,
    unit_alone,
    without_comment,
    write_order,
)
from dipsat.rules import Settings

# --- named units ----------------------------------------------------------------------------------

# The position of a movement phase that only orders state, and orders that cannot be read.


_UNITS_ADVICE = (
    "here the units come from the orders; to judge an order without a readable unit, state the "
    "units under `units:` in a YAML file"
)


class Entry(NamedTuple):
    """An order as someone wrote it: for which power ("" if nobody said), and in which place ("" at
    the keyboard). `otherwise` has the orders to try in turn if it is a retreat that is not
    possible."""

    power: str
    text: str
    place: str = ""
    otherwise: tuple[str, ...] = ()


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
    for power, text, place, _ in entries:
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
    """The unit that an order of a power names, or that stands alone; for a poorly written order,
    the one that it begins with, if the settings allow such orders."""
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
    if problem := other_power_in(order, power):
        raise OrderSyntaxError(text, problem)
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
    for power, text, place, _ in entries:
        if settings.poorly_written != "refused":
            continue
        with faults, faults.at(place):
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


# --- order places ---------------------------------------------------------------------------------

# Where a file has each order, for faults that are found only when the orders are judged.


OrderPlaces = Mapping[tuple[str, str], str]
"""Power and text of an order -> its place; of equal orders, that of the last."""


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


# --- transcript -----------------------------------------------------------------------------------

# Games as people write them down: phase headings, power headings, orders.
#
#     Map: standard
#
#     Spring 1901 Movement
#
#     England:
#       F London - North Sea
#
# The headings of e-mail judges (`Movement results for Spring of 1901`) are read, too, with a power
# before every order. Such a text holds only orders; judging them phase by phase gives the boards.


SETTING = re.compile(r"(map|rules)\s*:\s*(\S.*)", re.IGNORECASE)
"""The setting in a line, without comments and spaces at its ends."""
_RESULTS = re.compile(
    r"(movement|retreat|adjustment)s? results for (\w+) of (\d{1,5})\b.*", re.IGNORECASE
)
PHASE = re.compile(r"^phase\s*:\s*", re.IGNORECASE)  # before the name of the phase
_NOTE = "(*", "*)"  # around an e-mail judge's note on an order, such as (*bounce*)
_LEAST, _MAX_HEADING = 3, 200  # characters: S1M is the shortest heading
_DIGIT = re.compile(r"\d")  # of the year that every heading has


@dataclass(frozen=True, slots=True)
class Transcript:
    """The orders of a game, phase by phase. `rules` is None where the text names none."""

    board: Map
    map_name: str
    rules: str | None
    phases: tuple[tuple[PhaseName, Mapping[str, tuple[str, ...]]], ...]


def names_phases(text: str, least: int, shown: str, map: Map | None = None) -> bool:
    """Whether a text has so many phase headings; with one, it may be an order sheet. They may be in
    the language of the map, which the text may name; `shown` names the text."""
    named = _settings(text).get("map", "")
    if map is None and "+" in named:
        with suppress(DipsatError):
            map = read_map(named, FilePlace(shown))
    text = text if map is None else map.language.in_english(text)
    found = (line for line in text.splitlines() if heading(line) is not None)
    return len(list(islice(found, least))) == least


def read_transcript(text: str, shown: str, map: Map | None = None) -> Transcript:
    """The game that a text states; `shown` names it in errors.

    Raises `FileError` for an unknown map and, with the line, for text above the first phase and for
    an order that cannot be read under the rules that the text names.
    """
    named = _settings(text)
    board = map or read_map(named.get("map", "standard"), FilePlace(shown).at("map"))
    with notation_of(named.get("rules"), FilePlace(shown)) as notation:
        phases = tuple(
            (phase, _orders(board, notation, "\n".join(lines), shown, line))
            for phase, line, lines in _sections(text, shown, board, notation.words)
        )
    return Transcript(board, named.get("map", "standard"), named.get("rules"), phases)


def _settings(text: str) -> dict[str, str]:
    """The settings above the first phase: the map and the rules."""
    found = {}
    for line in text.splitlines():
        setting = SETTING.fullmatch(without_comment(line).strip())
        if setting is not None:
            found[setting[1].lower()] = setting[2]
        elif heading(line) is not None:
            break
    return found


def _sections(
    text: str, shown: str, board: Map, words: Words
) -> list[tuple[PhaseName, int, list[str]]]:
    """The phases with the line number of their headings, and the lines below these.

    Raises `FileError` for text above the first phase.
    """
    found: list[tuple[PhaseName, int, list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        phase = heading(board.language.in_english(line), words)
        written = without_comment(line).strip()
        if phase is not None:
            found.append((phase, number, []))
            PHASES.check(len(found), f"{shown}:{number}")
        elif found:
            found[-1][2].append(_without_notes(line))
        elif written and SETTING.fullmatch(written) is None:
            problem = "text above the first phase; write 'Spring 1901 Movement' above it"
            raise FileError(f"{shown}:{number}", problem)
    return found


def _without_notes(line: str) -> str:
    """A line without what stands between (* and *)."""
    opening, closing = _NOTE
    kept, at = [], 0
    while (start := line.find(opening, at)) >= 0:
        end = line.find(closing, start + len(opening))
        if end < 0:
            break
        kept.append(line[at:start])
        at = end + len(closing)
    return "".join((*kept, line[at:]))


def heading(line: str, words: Words = NO_WORDS) -> PhaseName | None:
    """The phase that a line names as a heading, under rules with these words; None for other
    lines."""
    written = without_comment(line).strip()
    if not _LEAST <= len(written) <= _MAX_HEADING or _DIGIT.search(written) is None:
        return None
    written = PHASE.sub("", written, count=1)
    results = _RESULTS.fullmatch(written)
    if results is not None:
        written = f"{results[2]} {results[3]} {results[1]}"
    return PhaseName.find(written.rstrip(":"), words)


def _orders(
    board: Map, notation: Notation, text: str, path: str, line: int
) -> dict[str, tuple[str, ...]]:
    """The orders below a phase heading in `line`."""
    check_time()
    if not any(without_comment(one).strip() for one in text.splitlines()):
        return {}
    try:
        entries = read_sheet(text, board, path, line)
    except OrderSyntaxError as error:
        raise FileError(f"{path}:{line + (error.line or 0)}", error.problem) from None
    for entry in entries:
        try:
            notation.check(reader_for(board, notation.words), entry.text)
        except DipsatError as error:
            raise FileError(f"{path}:{line + entry.line}", str(error)) from None
    return orders_of(Entry(entry.power, entry.text) for entry in entries)


def write_transcript(
    board: Map,
    map_name: str,
    rules: str,
    phases: Sequence[tuple[PhaseName, Mapping[str, Sequence[Order]]]],
    notation: str = "datc",
    words: Words = NO_WORDS,
) -> str:
    """The text of a game in a notation of `dipsat.orders.NOTATIONS`; `read_transcript` reads it.
    `words` are those of the rules."""
    lines = [f"Map: {map_name}", f"Rules: {rules}"]
    for phase, orders in phases:
        lines += ["", phase.title(words)]
        for power, own in orders.items():
            if own:
                is_winter = phase.kind is PhaseKind.ADJUSTMENT
                written = [
                    write_order(order, board, notation, power=power, adjustment=is_winter)
                    for order in own
                ]
                lines += ["", f"{_title(board, power)}:", *(f"  {text}" for text in written)]
    return "\n".join(lines) + "\n"


def _title(board: Map, power: str) -> str:
    title = titled(power)
    return title if board.names.powers.get(tuple(title.casefold().split())) == power else power


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
            problem = f"the {key} stand in line {found[key][1]} already"
            raise FileError(f"{shown}:{at + 1}", problem)
        found[key], lines[at] = (setting[2].strip(), at + 1), ""
    return found, "\n".join(lines)


def refuse_phase_of_sheet(phase: PhaseName, place: str) -> None:
    """Raise `FileError` for a phase of retreats or adjustments, which need more than a sheet
    says."""
    if phase.kind not in (PhaseKind.MOVEMENT, PhaseKind.EXTRA):
        problem = f"an order sheet cannot say what {phase} needs: state it in YAML, with "
        problem += "`centers`" if phase.kind is PhaseKind.ADJUSTMENT else "`dislodged`"
        problem += ", or give the position in a file of its own"
        raise FileError(place, problem).with_remedy("position")


def refuse_unknown_phase(line: str, place: str, words: Words) -> None:
    """Raise `FileError` if a line has the season and year of a phase that does not exist, is the
    name of a season alone, or says `Phase:` and none."""
    line = without_comment(line).strip()
    written = PHASE.sub("", line, count=1).rstrip(":")
    season, year, _ = phase_letters(written, words)
    if written.casefold() in SEASON_WORDS.values():
        raise FileError(place, f"the year is missing; write it, such as '{written} 1901'")
    word, _, rest = written.partition(" ")
    if not season and rest.strip()[:4].isdigit():
        for close in nearest_names(word.casefold(), SEASON_WORDS.values(), 1):
            meant = f"{close.capitalize()} {rest.strip()}"
            raise FileError(place, f"unknown phase {written!r}; {did_you_mean(repr(meant))}")
    if (season and year) or PHASE.match(line):
        with FilePlace(place):
            PhaseName.parse(written, words)


def entries_of(
    text: str, board: Map, shown: str, faults: GatheredFaults, words: Words, power: str = ""
) -> Iterator[Entry]:
    """The orders of a sheet with their places; those above all headings are those of `power`.
    Headings that name no power, and orders above all
    headings, become `faults`. A lenient reader keeps only the latter: who wrote the orders below a
    misspelt heading must be known. Raises `FileError` for a sheet without orders."""
    found = 0
    headings = GatheredFaults()
    with FilePlace(shown):
        for line in scan_sheet(text, board, shown, power=power, words=words):
            place = f"{shown}:{line.line}:{line.column}"
            fault = line.fault
            if fault is None:
                found += 1
                yield Entry(line.power, line.text, place)
            elif isinstance(fault, OrderSyntaxError):
                with faults, FilePlace(place):
                    raise OrderSyntaxError(fault.text, fault.problem)
            elif faults.lenient:
                with headings:
                    raise FileError(place, str(fault))
            else:
                with faults, FilePlace(place):
                    raise fault
    headings.raise_all()
    if faults.lenient and not found:
        raise faults.found[0]


def orders_of(entries: Iterable[Entry]) -> dict[str, tuple[str, ...]]:
    """Power -> its orders."""
    found = grouped((one.power, one.text) for one in entries)
    return {power: tuple(texts) for power, texts in found.items()}
