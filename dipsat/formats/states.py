"""Reading boards from JSON files of several programs: units, centres, retreats."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from dipsat.base import (
    ORDERS,
    allowed_files,
    check_time,
    is_named_file,
    is_yaml_path,
    reading_names_in,
)
from dipsat.board import Map, load_map, province_of
from dipsat.errors import DipsatError, FileError, InputLimitError, UnknownNameError
from dipsat.formats.json_text import FilePlace
from dipsat.formats.records import RecordedState
from dipsat.game import (
    PhaseKind,
    PhaseName,
    add_unit,
    owners_listed,
    read_retreats,
    refuse_misplaced,
    takes_text,
    unit_reader,
)
from dipsat.orders import NO_WORDS, TEXT_FAULTS, Order, OrderReader, Unit, Words, reader_for
from dipsat.rules import Settings, load_profile


def read_map(name: Any, place: FilePlace) -> Map:
    """The map that a file names, one of those allowed; a path is tried relative to the
    file, then as it is.

    Raises `FileError` for one that dipsat does not have.
    """
    text = place.text(name)
    beside = Path(place.shown).parent / text
    try:
        with reading_names_in(place.shown):
            is_beside = is_yaml_path(text) and is_named_file(allowed_files(), beside)
            return load_map(beside if is_beside else text)
    except DipsatError as error:
        place.fail(str(error))


@dataclass(frozen=True, slots=True)
class Notation:
    """How orders are read under the rules that a file names."""

    words: Words = NO_WORDS
    settings: Settings = field(default_factory=Settings)

    def check(self, reader: OrderReader, text: str) -> Order | None:
        """The order of a text; None if it is poorly written but the rules say how to treat such
        orders once the position is known (DATC 4.E.2). Raises what the reader raises."""
        try:
            return reader.read(text)
        except TEXT_FAULTS:
            if not takes_text(reader.board, text, self.words, self.settings):
                raise
            return None


@contextlib.contextmanager
def notation_of(name: Any, place: FilePlace) -> Iterator[Notation]:
    """Give a block the notation of the rules that a file names; a path is looked for as in
    `read_map`.

    If the rules are missing, it is the usual notation: much can be read without them, and judging
    reports them. Raises `FileError` for faulty rules. If they are missing and the block raises an
    error, a `FileError` names the missing rules first, since they may be its only cause.
    """
    missing: DipsatError | None = None
    notation = Notation()
    for folder in (Path(place.shown).parent, Path()) if name is not None else ():
        with place, reading_names_in(place.shown):
            try:
                profile, missing = load_profile(str(name), folder), None
                notation = Notation(profile.words, profile.settings)
                break
            except (FileError, UnknownNameError) as error:
                missing = missing or error
    try:
        yield notation
    except FileError as fault:
        if missing is None:
            raise
        where = fault.problem if fault.path == place.shown else str(fault)
        problem = f"rules: {missing}; without them reading fails: {where}"
        raise FileError(place.shown, problem) from fault


def read_phase_name(name: Any, place: FilePlace) -> PhaseName:
    """A phase such as `S1901M`. Raises `FileError`."""
    text = place.text(name)
    with place:
        return PhaseName.parse(text)


def phase_or_end(name: Any, place: FilePlace) -> PhaseName | None:
    """As `read_phase_name`; None for the word with which the `diplomacy` package ends a game."""
    if name == "FORMING":
        place.fail("the game has not begun, so it has no board yet")
    return None if name == "COMPLETED" else read_phase_name(name, place)


_Placed: TypeAlias = dict[str, Unit]
"""Province -> the unit there."""


class StateReader:
    """Reads the states of one game, one after another."""

    def __init__(self, board: Map, words: Words = NO_WORDS) -> None:
        self.board = board
        self.words = words
        self._centers: tuple[Any, Mapping[str, tuple[str, ...]]] = ({}, {})
        self._read_unit = unit_reader(board, words)

    def read(
        self,
        place: FilePlace,
        phase: PhaseName | None,
        units: Any,
        centers: Any,
        dislodged: Any = None,
        retreats: Any = None,
        unknown: Any = None,
    ) -> RecordedState:
        """The state that a file gives by power. Empty `centers` state nothing, unless the file says
        of which centres the owner is `unknown`, if only that there are none.

        A unit with `*` before it is dislodged; `dislodged` has more of them; `retreats` maps units
        to locations, perhaps by power. Raises `FileError`.
        """
        check_time()  # a game of faulty orders takes seconds
        standing: _Placed = {}
        lost: _Placed = {}
        self._place_units(place, "units", units, standing, lost)
        if dislodged:
            self._place_units(place, "dislodged", dislodged, lost, lost)
        if lost and phase is not None and phase.kind is not PhaseKind.RETREAT:
            place.fail(f"{phase} has dislodged units ({next(iter(lost.values()))}, ...)")
        owned = self._owned(place, centers) if centers else {}
        return RecordedState(
            phase,
            _by_province(standing),
            owned if owned or unknown is not None else None,
            _by_province(lost),
            self._retreats(place.at("retreats"), lost, retreats) if retreats else {},
            self._unknown(place.at("unknown_centers"), centers, unknown) if unknown else (),
        )

    def _owned(self, place: FilePlace, centers: Any) -> Mapping[str, tuple[str, ...]]:
        """Power -> owned centres; mostly the same as in the state before."""
        if centers != self._centers[0]:
            here = place.at("centers")
            given = {
                power: here.at(power).texts(owned) for power, owned in here.mapping(centers).items()
            }
            with here:
                self._centers = centers, owners_listed(self.board, given).centers
        return self._centers[1]

    def _unknown(self, place: FilePlace, centers: Any, unknown: Any) -> tuple[str, ...]:
        with place:
            return owners_listed(self.board, centers or {}, place.texts(unknown)).unknown

    def _place_units(
        self,
        place: FilePlace,
        key: str,
        value: Any,
        standing: dict[str, Unit],
        lost: dict[str, Unit],
    ) -> None:
        """Add the units of one section; those with `*` to `lost`."""
        section = place.at(key)
        for typed, texts in section.mapping(value).items():
            power = _power(self.board, section, typed)
            if type(texts) is not list:
                texts = section.at(power).sequence(texts)
            for text in texts:  # for speed, no place is made before it is needed
                placed, named = standing, text
                if type(text) is not str:
                    section.at(power).text(text)
                elif text.startswith("*"):
                    placed, named = lost, text[1:]
                try:
                    unit = self._read_unit(power, named)
                    add_unit(placed, unit, text)
                except DipsatError as error:
                    section.at(power).fail(str(error))

    def _retreats(
        self, place: FilePlace, lost: Mapping[str, Unit], value: Any
    ) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for key, entry in place.mapping(value).items():
            by_power = not isinstance(entry, list)
            section = place.at(key) if by_power else place
            units = section.mapping(entry) if by_power else {key: entry}
            for text, places in units.items():
                here = section.at(text)
                options = here.texts(places)
                with here:
                    named = reader_for(self.board, self.words).read_unit(text.lstrip("*"))
                    unit = lost.get(province_of(named.location))
                    if unit is None:
                        here.fail("no such unit is dislodged")
                    found[str(unit)] = read_retreats(self.board, unit, options)
        return found


def _by_province(placed: _Placed) -> tuple[Unit, ...]:
    return tuple([placed[province] for province in sorted(placed)])


def _power(board: Map, place: FilePlace, typed: str) -> str:
    try:
        return board.names.power(typed)
    except DipsatError as error:
        place.fail(str(error))


_USUAL = Notation()


def read_orders(
    board: Map,
    place: FilePlace,
    value: Any,
    phase: PhaseName,
    notation: Notation = _USUAL,
    keeping: bool = False,
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """The orders by power; dipsat can read each one, or the rules say how to treat it. Null means
    no orders.

    Raises `FileError`, also for an order of another kind of phase. If the faults are to be kept,
    such orders are left out, and the faults are given, too.
    """
    found: dict[str, tuple[str, ...]] = {}
    faults: list[str] | None = [] if keeping else None
    reader, count = reader_for(board, notation.words), 0
    section = place.at("orders")
    try:
        given = section.mapping(value)
    except FileError as fault:
        _leave_out(fault, faults)
        given = {}
    for typed, texts in given.items():
        if texts is None:
            continue
        try:
            power = _power(board, section, typed)
            if type(texts) is not list:
                section.at(power).sequence(texts)
            count += len(texts)
            if count > ORDERS.most:
                with section:
                    ORDERS.check(count)
            here = section.at(power)
            found[power] = _read_orders(reader, here, texts, power, phase, notation, faults)
        except FileError as fault:
            _leave_out(fault, faults)
    return found, tuple(faults or ())


def _read_orders(
    reader: OrderReader,
    place: FilePlace,
    texts: Sequence[Any],
    power: str,
    phase: PhaseName,
    notation: Notation,
    faults: list[str] | None,
) -> tuple[str, ...]:
    """The orders of one power."""
    found = list[str]()
    for text in texts:
        try:
            if type(text) is not str:
                place.text(text)
            try:
                order = notation.check(reader, text)
                if order is not None:
                    refuse_misplaced(order, power, text, phase)
                found.append(text)
            except DipsatError as error:
                # Only the first of several faults is shown, and to word it takes long.
                faults.append("") if faults else place.fail(str(error))
        except FileError as fault:
            _leave_out(fault, faults)
    return tuple(found)


def _leave_out(fault: FileError, faults: list[str] | None) -> None:
    """Add a fault to a list, if there is one. Too much of something is raised."""
    if faults is None or isinstance(fault, InputLimitError):
        raise fault
    faults.append(str(fault))
