"""Saved games: as the package `diplomacy` writes them, as dipsat does, and as lines of phases."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import Any, TypeAlias

from dipsat.base import (
    GAME_VALUES,
    ORDERS,
    PHASES,
    Node,
    allowed_files,
    check_time,
    grouped,
    is_named_file,
    is_yaml_path,
    parse_yaml,
    reading_names_in,
)
from dipsat.board import Map, load_map, map_beside, province_of
from dipsat.errors import DipsatError, FileError, InputLimitError, UnknownNameError, shortened
from dipsat.formats.json_text import FilePlace, described
from dipsat.formats.players import checked_players, note
from dipsat.formats.records import (
    RecordedGame,
    RecordedPhase,
    RecordedState,
    Unread,
    in_short,
    leaving_out,
    with_results,
)
from dipsat.formats.variant_names import variant_of, variant_on
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
from dipsat.orders import (
    NO_WORDS,
    TEXT_FAULTS,
    Order,
    OrderReader,
    Unit,
    Words,
    reader_for,
    unit_alone,
)
from dipsat.rules import Settings, load_profile

# --- boards and orders ----------------------------------------------------------------------------


def read_map(name: Any, place: FilePlace) -> Map:
    """The map that a file names, if it is allowed; a path is tried relative to the file, then as it
    is.

    Raises `FileError` for one that dipsat does not have.
    """
    text, folder = place.text(name), Path(place.shown).parent
    try:
        with reading_names_in(place.shown):
            files = [folder / one for one in text.split("+") if is_yaml_path(one)]
            is_beside = all(is_named_file(allowed_files(), file) for file in files)
            return load_map(map_beside(text, folder) if is_beside else text)
    except DipsatError as error:
        place.fail(str(error))


@dataclass(frozen=True, slots=True)
class Notation:
    """How orders are read under the rules that a file names."""

    words: Words = NO_WORDS
    settings: Settings = field(default_factory=Settings)

    def check(self, reader: OrderReader, text: str, phase: PhaseName) -> Order | None:
        """The order of a text; None if its meaning depends on the position: a unit alone in winter,
        which its power builds or disbands, or a poorly written order that the rules accept (DATC
        4.E.2). Raises what the reader raises."""
        try:
            return reader.read(text)
        except TEXT_FAULTS:
            is_winter = phase.kind is PhaseKind.ADJUSTMENT
            if is_winter and unit_alone(reader.board, text, self.words):
                return None
            if not takes_text(reader.board, text, self.words, self.settings):
                raise
            return None


@contextlib.contextmanager
def notation_of(name: Any, place: FilePlace) -> Iterator[Notation]:
    """Give a block the notation of the rules that a file names; a path is looked for as in
    `read_map`.

    If the rules are missing, it is the usual notation: much can be read without them, and judging
    reports it. Raises `FileError` for faulty rules. If they are missing and the block raises an
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
    """Like `read_phase_name`; None for the word with which the `diplomacy` package ends a game."""
    if name == "FORMING":
        place.fail("the game has not begun, so it has no board yet")
    return None if name == "COMPLETED" else read_phase_name(name, place)


_Placed: TypeAlias = dict[str, Unit]
"""Province -> the unit there."""


class StateReader:
    """Reads the states and the orders of one game, one after another."""

    def __init__(self, board: Map, notation: Notation | None = None) -> None:
        self.board = board
        self.notation = notation or Notation()
        self._centers: tuple[Any, Mapping[str, tuple[str, ...]]] = ({}, {})
        self._read_unit = unit_reader(board, self.notation.words)
        self._reader = reader_for(board, self.notation.words)

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
        which centres have an `unknown` owner (it may be none of them).

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
        """Power -> owned centres; usually the same as in the state before."""
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
            with section:
                power = self.board.names.power(typed)
            if type(texts) is not list:
                texts = section.at(power).sequence(texts)
            for text in texts:  # for speed, places are made only when needed
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
                    named = self._reader.read_unit(text.lstrip("*"))
                    unit = lost.get(province_of(named.location))
                    if unit is None:
                        here.fail("no such unit is dislodged")
                    # Another program may let neutral units retreat.
                    stays = unit.power in self.board.neutrals
                    found[str(unit)] = () if stays else read_retreats(self.board, unit, options)
        return found

    def orders(
        self,
        place: FilePlace,
        value: Any,
        phase: PhaseName,
        keeping: bool = False,
        is_own: bool = False,
    ) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
        """The orders by power; dipsat can read each one, or the rules say how to treat it. Null
        means no orders.

        Raises `FileError`, also for an order of another kind of phase. If it is `keeping` faults,
        such orders are left out instead, and the faults are returned, too. A game that `is_own`
        may have such orders, which dipsat has judged as illegal: they stay, with their faults.
        """
        found: dict[str, tuple[str, ...]] = {}
        of_orders: list[str] | None = [] if keeping or is_own else None
        faults = of_orders if keeping else None
        count, section = 0, place.at("orders")
        try:
            given = section.mapping(value)
        except FileError as fault:
            _leave_out(fault, faults)
            given = {}
        for typed, texts in given.items():
            if texts is None:
                continue
            try:
                with section:
                    power = self.board.names.power(typed)
                if type(texts) is not list:
                    section.at(power).sequence(texts)
                count += len(texts)
                if count > ORDERS.most:
                    with section:
                        ORDERS.check(count)
                found[power] = self._orders_of(
                    section.at(power), texts, power, phase, of_orders, is_own
                )
            except FileError as fault:
                _leave_out(fault, faults)
        return found, tuple(of_orders or ())

    def _orders_of(
        self,
        place: FilePlace,
        texts: Sequence[Any],
        power: str,
        phase: PhaseName,
        faults: list[str] | None,
        is_own: bool,
    ) -> tuple[str, ...]:
        found = list[str]()
        for text in texts:
            try:
                if type(text) is not str:
                    place.text(text)
                try:
                    order = self.notation.check(self._reader, text, phase)
                    if order is not None:
                        refuse_misplaced(order, power, text, phase)
                    found.append(text)
                except DipsatError as error:
                    if is_own:
                        found.append(text)
                    # Only the first of several faults is shown, since wording one is slow.
                    faults.append("") if faults else place.fail(str(error))
            except FileError as fault:
                _leave_out(fault, faults)
        return tuple(found)


def _by_province(placed: _Placed) -> tuple[Unit, ...]:
    return tuple([placed[province] for province in sorted(placed)])


def _leave_out(fault: FileError, faults: list[str] | None) -> None:
    """Add a fault to a list, if there is one. Otherwise, and for an `InputLimitError`, raise it."""
    if faults is None or isinstance(fault, InputLimitError):
        raise fault
    faults.append(str(fault))


# --- diplomacy ------------------------------------------------------------------------------------

# Games as the Python package `diplomacy` saves them, one JSON object per game.
#
#     {"id", "map", "rules", "phases": [{"name", "state", "orders", "results", "messages"}]}
#
# Each phase has the board at its beginning, so its result is in the next one. `rules` are that
# package's own; dipsat writes the name of its profile under `profile`.

PROGRAM = "diplomacy"
"""The package's name in the list of variants."""
_SAVED_KEYS = {"id", "map", "rules", "phases", "profile"}
_SAVED_PHASE_KEYS = {"name", "state", "orders", "results"}
_BUILD_ANY = "BUILD_ANY"
"""The package's name of the rule that powers build in all centres that they own."""


def read_saved_game(
    value: Any, shown: str, map: Map | None = None, unread: Unread | None = None
) -> RecordedGame:
    """The game that a parsed JSON object states; `shown` names its place in errors.

    `map` overrides the map that the game names (default: standard). In a game that another reader
    has put into this form, an error may take the place of a faulty phase. Raises `FileError` with
    the phase and the path to the fault, unless `unread` collects the faults of single phases.
    """
    place = FilePlace(shown)
    game = place.mapping(value)
    name = game.get("id")
    variant = variant_of(PROGRAM, place.at("map").text(game.get("map", "standard")))
    board = map or read_map(variant.map, place.at("map"))
    theirs = place.at("rules").texts(game.get("rules"))
    rules = variant.rules
    if rules is None and _BUILD_ANY in theirs and board.build != "any":
        rules = variant_of(PROGRAM, _BUILD_ANY).rules
    rules = game.get("profile", rules)
    named = {power: ours for ours, power in variant.powers.items()}

    def playing(section: Any) -> Any:
        """A section by dipsat's names of powers. A game for two may list all powers of the standard
        map; the entries of those that do not play are empty."""
        if not isinstance(section, dict):
            return section
        own = {named.get(power, power): value for power, value in section.items()}
        return {power: value for power, value in own.items() if value or power in board.powers}

    stated = place.at("phases").sequence(game.get("phases"))
    found_names = (entry.get("name") if isinstance(entry, dict) else None for entry in stated)
    names = [name if isinstance(name, str) else "" for name in found_names]
    entries, skipped = each_once(stated, names, place)
    found = _game(
        place, {**game, "phases": entries}, name if isinstance(name, str) else "", rules, board,
        unread, "name", partial(_state, playing), None if map else variant.map,
    )  # fmt: skip
    if "profile" in game:
        place.at("profile").text(rules)
    return replace(found, remarks=(*skipped, *_not_kept(game, entries, place)))


def each_once(
    entries: Sequence[Any], names: Sequence[str], place: FilePlace
) -> tuple[list[Any], tuple[str, ...]]:
    """The entries for phases, each phase once, and remarks on those left out; `names` are the
    phases' names, "" if unknown. If a phase has several entries, one with orders counts. A program
    that saves a phase again has more orders by then, so the last of several in a row counts."""
    PHASES.check(len(entries), place.shown)
    found, skipped = list[Any](), list[tuple[int, str]]()
    for name, same in grouped((name or at, at) for at, name in enumerate(names)).items():
        copies = [at for at in same if _has_orders(entries[at])] or same
        rows = (number - at for number, at in enumerate(copies))
        kept = max(at for at, row in zip(copies, rows, strict=True) if row == -copies[0])
        found.append(entries[kept])
        for at in same:
            if at != kept:
                what = f"{place.shown}: phases: {shortened(str(name))}: number {at + 1} in the list"
                where = "below" if at < kept else "above"
                problem = f"{what} is left out, since it has this phase again {where}"
                skipped.append((at, problem))
    return found, tuple(problem for _, problem in sorted(skipped))


def _has_orders(entry: Any) -> bool:
    """Whether an entry for a phase has orders: a list, or lists by power."""
    orders = entry.get("orders") if isinstance(entry, dict) else None
    return any(orders.values()) if isinstance(orders, dict) else bool(orders)


def _not_kept(game: Mapping[str, Any], entries: Sequence[Any], place: FilePlace) -> Iterator[str]:
    """Remarks on keys that dipsat does not read, if there is something under them."""
    of_game = sorted(key for key in game.keys() - _SAVED_KEYS if game[key])
    of_phases = sorted({
        f"phases, {key}"
        for entry in entries if isinstance(entry, dict)
        for key in entry.keys() - _SAVED_PHASE_KEYS if entry[key]
    })  # fmt: skip
    if keys := (*of_game, *of_phases):
        more = f" (and {len(keys) - _SHOWN} more)" if len(keys) > _SHOWN else ""
        shown = "; ".join(map(shortened, keys[:_SHOWN]))
        yield f"{place.shown}: these keys are not read: {shown}{more}"


_StateRead: TypeAlias = tuple[FilePlace, RecordedState, Any, dict[str, Any]]
"""The place of a phase, its board, its orders as stated, and other fields of its
`RecordedPhase`."""
_ReadState: TypeAlias = Callable[[StateReader, FilePlace, int, Any], _StateRead]
"""Reads the board of an entry for a phase, which is given with its number (from 0)."""


def _game(
    place: FilePlace,
    game: Mapping[str, Any],
    name: Any,
    rules: Any,
    board: Map,
    unread: Unread | None,
    key: str,
    read_state: _ReadState,
    map_name: str | None,
) -> RecordedGame:
    """The game that an object states, with the names of the game, of its rules and of its map. A
    phase has its own name under `key`."""
    entries = place.at("phases").sequence(game.get("phases"))
    if not entries:
        place.fail("it has no phases")
    PHASES.check(len(entries), place.shown)
    with notation_of(rules, place) as notation:
        read = _phases(place, entries, board, notation, unread, key, read_state)
        phases = with_results(read)
    return RecordedGame(
        f"{place.shown}: {place.at('name').text(name)}" if name else place.shown,
        board, phases, rules, name, map_name, words=notation.words,
        unread=tuple(unread.phases) if unread else (),
    )  # fmt: skip


def _phases(
    place: FilePlace,
    entries: Sequence[Any],
    board: Map,
    notation: Notation,
    unread: Unread | None,
    key: str,
    read_state: _ReadState,
) -> list[RecordedPhase | None]:
    """The phases without their results; None for one that cannot be read."""
    found: list[RecordedPhase | None] = []
    reader = StateReader(board, notation)
    has_ended, count, unnamed = False, 0, "?" if key == "name" else ""
    for number, entry in enumerate(entries):
        read, name = None, str(entry.get(key, unnamed)) if isinstance(entry, dict) else unnamed
        with leaving_out(unread, count, name):
            if isinstance(entry, DipsatError):
                raise entry
            here, state, stated, others = read_state(reader, place, number, entry)
            if has_ended:
                place.at(name).fail("a phase after the end of the game")
            has_ended = state.phase is None
            orders: Mapping[str, tuple[str, ...]] = {}
            faults: tuple[str, ...] = ()
            if state.phase is not None:
                keeping, is_own = unread is not None, key == "phase"
                orders, faults = reader.orders(here, stated, state.phase, keeping, is_own)
                count += 1
            fault = in_short(faults)
            read = RecordedPhase(state, orders, None, bool(faults), fault=fault, **others)
        found.append(read)
    return found


def _state(
    playing: Callable[[Any], Any], reader: StateReader, place: FilePlace, _: int, entry: Any
) -> _StateRead:
    """The state of a phase; `playing` returns what a section states about the powers of the map."""
    phase = place.at("phases").mapping(entry)
    name = place.at("phases").at("name").text(phase.get("name"))
    here = place.at(name)
    read = phase_or_end(name, here)
    state = here.at("state").mapping(phase.get("state"))
    if "units" not in state:
        here.at("state").fail("it has no units")
    found = reader.read(
        here, read, playing(state["units"]), playing(state.get("centers")), None,
        state.get("retreats"),
    )  # fmt: skip
    return place.at(read), found, playing(phase.get("orders")), {}


def saved_game(
    states: Sequence[Mapping[str, Any]],
    orders: Sequence[Mapping[str, Sequence[str]]],
    board: Map,
    name: str,
    map_name: str,
    rules: str,
    builds_anywhere: bool = False,
) -> dict[str, Any]:
    """A game in this format. `states` are as `Position.to_dict` returns them, the last one that of
    the phase to be played; `orders` are those of each phase so far.

    `name`, `map_name` and `rules` are the names of the game, its map and dipsat's profile;
    `builds_anywhere` says whether powers build in all centres that they own.
    """
    there = variant_on(PROGRAM, map_name.partition("+")[0] if "+" in board.name else map_name)
    named = {power: there.powers.get(power, power) for power in board.powers}
    their_rules = ["NO_PRESS", *([_BUILD_ANY] if builds_anywhere else [])]
    about = {"game_id": name, "map": there.name, "rules": their_rules}
    phases = [
        {
            "name": short_name(state["phase"]),
            "state": {**_written_state(state, board, named), **about},
            "orders": {
                shown: list(done[power]) if power in done else None
                for power, shown in named.items()
            },
            "results": {},
            "messages": [],
        }
        for state, done in zip(states, chain(orders, repeat({})), strict=False)
    ]
    return {
        "id": name,
        "map": there.name,
        "rules": their_rules,
        "phases": phases,
        "profile": rules,
    }


def short_name(phase: str) -> str:
    """A phase such as `S1M` as the package writes it: with four digits, `S0001M`."""
    return f"{phase[0]}{phase[1:-1]:0>4}{phase[-1]}"


def _written_state(
    state: Mapping[str, Any], board: Map, named: Mapping[str, str]
) -> dict[str, Any]:
    """A state, with the names that powers have in the package."""
    units = {power: list(state["units"].get(power, ())) for power in named}
    for power, lost in state["dislodged"].items():
        units[power] += [f"*{unit}" for unit in lost]
    by_power: dict[str, Callable[[str], Any]] = {
        "units": units.__getitem__,
        "retreats": lambda power: state["retreats"].get(power, {}),
        "centers": lambda power: list(state["centers"].get(power, ())),
        "homes": lambda power: list(board.powers[power].home),
        "influence": lambda _: [],
        "civil_disorder": lambda _: 0,
        "builds": lambda _: {"count": 0, "homes": []},
    }
    sections = {
        key: {shown: value(power) for power, shown in named.items()}
        for key, value in by_power.items()
    }
    return {"name": short_name(state["phase"]), **sections, "zobrist_hash": "0"}


# --- dipsat ---------------------------------------------------------------------------------------

# dipsat's own game files, in JSON or YAML.
#
#     {"format": "dipsat game", "version": 1, "name", "map", "rules", "players", "phases": [...]}
#
# Each phase has `phase`, `units`, `centers`, `unknown_centers`, `dislodged`, `retreats` (as in
# `Position.to_dict`) and `orders`; the last one is the phase to be played, with the orders
# submitted so far. A phase is `recorded: true` if its board is as another judge recorded it, not as
# dipsat judges the phase before. It may have orders for phases after it under `later` (phase ->
# power -> orders), a `deadline`, and sentences under `corrected`. `players` (power -> text) may be
# missing.


FORMAT = "dipsat game"
VERSION = 1
_GAME_KEYS = {"format", "version", "name", "map", "rules", "players", "phases"}
RECORDED = "recorded"
_PHASE_KEYS = {
    "phase", "units", "centers", "unknown_centers", "dislodged", "retreats", "orders", RECORDED,
    "later", "deadline", "corrected",
}  # fmt: skip


def is_game_document(value: Any) -> bool:
    """Whether a parsed document is a game in this format, of any version."""
    return isinstance(value, dict) and value.get("format") == FORMAT


def read_yaml_game(
    text: str, shown: str, map: Map | None = None, unread: Unread | None = None
) -> RecordedGame:
    """Like `read_game_document`, from YAML text; an error in a phase names the phase's line."""
    root = parse_yaml(text, shown, GAME_VALUES)
    phases = root.value.get("phases") if isinstance(root.value, dict) else None
    listed = phases.value if phases is not None and isinstance(phases.value, tuple) else ()
    return read_game_document(_raw(root), shown, map, [node.line for node in listed], unread)


def _raw(node: Node) -> Any:
    """The values with every scalar as written, so that no province is read as `false`."""
    if isinstance(node.value, dict):
        return {key: _raw(entry) for key, entry in node.value.items()}
    if isinstance(node.value, tuple):
        return [_raw(entry) for entry in node.value]
    return None if node.value is None else node.raw


def read_game_document(
    value: Any,
    shown: str,
    map: Map | None = None,
    lines: Sequence[int] = (),
    unread: Unread | None = None,
) -> RecordedGame:
    """The game that a parsed document states; `shown` names its place in errors, `lines` are those
    in which its phases begin, where known.

    Raises `FileError` with the phase and the path to the fault, unless `unread` collects the faults
    of single phases.
    """
    place = FilePlace(shown)
    game = place.mapping(value)
    version = str(game.get("version"))
    if version != str(VERSION):
        place.at("version").fail(f"this dipsat reads version {VERSION}, not {version}")
    _refuse_unknown(place, game, _GAME_KEYS)
    rules = game.get("rules")
    name = game.get("name") or ""
    map_name = game.get("map", "standard")
    board = map or read_map(map_name, place.at("map"))
    found = _game(
        place, game, name, rules, board, unread, "phase", partial(_own_state, lines),
        None if map else map_name,
    )  # fmt: skip
    if rules is not None:
        place.at("rules").text(rules)
    with place.at("players"):
        given = place.at("players").mapping(game.get("players"))
        texts = {power: place.at("players").text(text) for power, text in given.items()}
        players = checked_players(found.board, texts)
    return replace(found, is_own=True, players=players)


def _own_state(
    lines: Sequence[int], reader: StateReader, place: FilePlace, number: int, entry: Any
) -> _StateRead:
    """Like `_state`; `lines` are those in which the phases begin, where known."""
    top = FilePlace(f"{place.shown}:{lines[number]}") if lines else place
    unnamed = top.at(f"phase {number + 1}")
    phase = read_phase_name(unnamed.mapping(entry).get("phase"), unnamed)
    here = top.at(phase)
    _refuse_unknown(here, entry, _PHASE_KEYS)
    if "units" not in entry:
        here.fail("it has no units")
    state = reader.read(
        here, phase, entry["units"], entry.get("centers"),
        entry.get("dislodged"), entry.get("retreats"), entry.get("unknown_centers"),
    )  # fmt: skip
    later = here.at("later")
    named = {
        str(read_phase_name(name, later)): (later.at(name), orders)
        for name, orders in later.mapping(entry.get("later")).items()
    }
    others = {
        "is_recorded": _mark(here, entry.get(RECORDED, False)),
        "later": {
            name: reader.orders(at, orders, PhaseName.parse(name))[0]
            for name, (at, orders) in named.items()
        },
    }
    with here.at("deadline"):
        others["deadline"] = note(here.at("deadline").text(entry.get("deadline", "")), "it")
    with here.at("corrected"):
        changes = here.at("corrected").texts(entry.get("corrected"))
        ORDERS.check(len(changes))
        others["corrected"] = tuple(note(one, "each of them") for one in changes)
    return here, state, entry.get("orders"), others


def _mark(place: FilePlace, value: Any) -> bool:
    """A truth value, in YAML as written."""
    if value not in (True, False, "true", "false"):
        place.at(RECORDED).fail(f"this should be true or false, not {described(value)}")
    return value in (True, "true")


def _refuse_unknown(place: FilePlace, entry: Any, known: set[str]) -> None:
    for key in entry:
        if key not in known:
            place.fail(f"unknown key {key!r}; known: {', '.join(sorted(known))}")


# --- phase lines ----------------------------------------------------------------------------------

# Recorded games as JSON Lines of phases: each line is a phase with the boards before and after.
#
# A line has `source`, `phase`, `units`, `centers`, `dislodged`, `orders` and, for the result,
# `next_phase`, `next_units`, `next_centers`, `next_dislodged`; perhaps `retreat_options`,
# `next_retreat_options`, `unknown_centers`, `next_unknown_centers` and `unparsed_orders`. The lines
# of a game follow each other.


def read_phase_lines(
    lines: Iterable[tuple[int, Any]],
    shown: str,
    map: Map | None = None,
    unread: Unread | None = None,
) -> RecordedGame:
    """The game of consecutive lines, given as (line number, parsed object).

    Raises `FileError` for a faulty line and for a line that contradicts the one before, unless
    `unread` collects the faults of single lines.
    """
    phases: list[RecordedPhase] = []
    before: Any = None
    source = ""
    states = StateReader(map or load_map("standard"))
    for number, value in lines:
        last, before = before, None
        known = value if isinstance(value, dict) else {}
        source = source or str(known.get("source") or "")
        try:
            place = FilePlace(f"{shown}:{number}")
            entry = place.mapping(value)
            if map is None and "map" in entry:
                board = read_map(entry["map"], place.at("map"))
                states = states if board is states.board else StateReader(board)
            phase = _phase(states, place, entry, last, phases, unread)
            phases.append(phase)
            before = entry
        except DipsatError as error:
            if unread is None or not unread.take(error, len(phases), str(known.get("phase", ""))):
                raise
    lost = tuple(unread.phases) if unread else ()
    return RecordedGame(source or shown, states.board, tuple(phases), unread=lost)


def _phase(
    states: StateReader,
    place: FilePlace,
    entry: Mapping[str, Any],
    last: Any,
    phases: Sequence[RecordedPhase],
    unread: Unread | None,
) -> RecordedPhase:
    """The phase of one line; `last` is the line before, None if it could not be read."""
    phase = read_phase_name(entry.get("phase"), place.at("phase"))
    here = place.at(phase)
    follows = last is not None and last.get("next_phase") == entry["phase"]
    expected = phases[-1].after if follows else None
    if expected is not None and _goes_on(last, entry):
        state = expected
    else:
        state = _line_state(states, here, entry, _BEFORE)
    after = None if entry.get("next_units") is None else _line_state(states, here, entry, _AFTER)
    if expected is not None and expected != state:
        _refuse_contradiction(here, expected, state)
    stated = entry.get("orders")
    orders, faults = states.orders(here, stated, phase, unread is not None)
    is_incomplete = bool(entry.get("unparsed_orders") or faults)
    return RecordedPhase(state, orders, after, is_incomplete, fault=in_short(faults))


_BEFORE = ("phase", "units", "centers", "dislodged", "retreat_options", "unknown_centers")
_AFTER = tuple(f"next_{key}" for key in _BEFORE)


def _goes_on(last: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    """Whether a line begins with the board with which the line before it ended."""
    both = zip(_BEFORE, _AFTER, strict=True)
    return all(entry.get(now) == last.get(then) for now, then in both)


def _line_state(
    states: StateReader, place: FilePlace, entry: Mapping[str, Any], keys: tuple[str, ...]
) -> RecordedState:
    """The board that a line states under these keys."""
    name, *stated = map(entry.get, keys)
    return states.read(place, None if name is None else phase_or_end(name, place), *stated)


def _refuse_contradiction(place: FilePlace, expected: RecordedState, found: RecordedState) -> None:
    """Raise `FileError` if a phase does not begin with the board that the line before ended
    with."""
    for what in ("units", "dislodged", "centers"):
        then, now = getattr(expected, what), getattr(found, what)
        if then != now and then is not None and now is not None:
            place.fail(f"its {what} contradict the line before: {_difference(then, now)}")


def _difference(then: Any, now: Any) -> str:
    before, after = (
        {f"{power} {code}" for power, owned in one.items() for code in owned}
        if isinstance(one, dict)
        else {f"{unit.power} {unit}" for unit in one}
        for one in (then, now)
    )
    only = sorted(before ^ after)
    return f"{', '.join(only[:_SHOWN])} {'are' if len(only) > 1 else 'is'} in only one of them"


_SHOWN = 6  # most units, centres or keys that a message lists
