"""Saved games: as the package `diplomacy` writes them, as dipsat does, and as lines of phases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from typing import Any, TypeAlias

from dipsat.base import GAME_VALUES, PHASES, Node, parse_yaml
from dipsat.board import Map, load_map
from dipsat.errors import DipsatError
from dipsat.formats.json_text import FilePlace, described
from dipsat.formats.records import (
    RecordedGame,
    RecordedPhase,
    RecordedState,
    Unread,
    in_short,
    leaving_out,
    with_results,
)
from dipsat.formats.states import (
    Notation,
    StateReader,
    notation_of,
    phase_or_end,
    read_map,
    read_orders,
    read_phase_name,
)

# --- diplomacy ------------------------------------------------------------------------------------

# Games as the Python package `diplomacy` saves them, one JSON object per game.
#
#     {"id", "map", "rules", "phases": [{"name", "state", "orders", "results", "messages"}]}
#
# Each phase has the board at its beginning, so its result is in the next one. `rules` are that
# package's own; dipsat writes the name of its profile under `profile`.


def read_saved_game(
    value: Any, shown: str, map: Map | None = None, unread: Unread | None = None
) -> RecordedGame:
    """The game that a parsed JSON object states; `shown` names its place in errors.

    `map` overrules the map that the game names (default: standard). Raises `FileError` with the
    phase and the path to the fault, unless `unread` takes the faults of single phases.
    """
    place = FilePlace(shown)
    game = place.mapping(value)
    name = game.get("id")
    rules = game.get("profile")
    found = _game(
        place, game, name if isinstance(name, str) else "", rules, map, unread, "name", _state
    )  # fmt: skip
    if "profile" in game:
        place.at("profile").text(rules)
    return found


_StateRead: TypeAlias = tuple[FilePlace, RecordedState, bool]
"""The place of a phase, its board, and whether that is as another judge recorded it."""
_ReadState: TypeAlias = Callable[[StateReader, FilePlace, int, Any], _StateRead]
"""Reads the board of an entry for a phase, which is given with its number (from 0)."""


def _game(
    place: FilePlace,
    game: Mapping[str, Any],
    name: Any,
    rules: Any,
    map: Map | None,
    unread: Unread | None,
    key: str,
    read_state: _ReadState,
) -> RecordedGame:
    """The game that an object states, with its name and the name of its rules. A phase has its own
    name under `key`."""
    map_name = game.get("map", "standard")
    board = map or read_map(map_name, place.at("map"))
    entries = place.at("phases").sequence(game.get("phases"))
    if not entries:
        place.fail("it has no phases")
    PHASES.check(len(entries), place.shown)
    with notation_of(rules, place) as notation:
        read = _phases(place, entries, board, notation, unread, key, read_state)
        phases = with_results(read)
    return RecordedGame(
        f"{place.shown}: {place.at('name').text(name)}" if name else place.shown,
        board, phases, rules, name, None if map else str(map_name), words=notation.words,
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
    reader = StateReader(board, notation.words)
    has_ended, count, unnamed = False, 0, "?" if key == "name" else ""
    for number, entry in enumerate(entries):
        read, name = None, str(entry.get(key, unnamed)) if isinstance(entry, dict) else unnamed
        with leaving_out(unread, count, name):
            here, state, is_recorded = read_state(reader, place, number, entry)
            if has_ended:
                place.at(name).fail("a phase after the end of the game")
            has_ended = state.phase is None
            orders: Mapping[str, tuple[str, ...]] = {}
            faults: tuple[str, ...] = ()
            if state.phase is not None:
                stated, keeping = entry.get("orders"), unread is not None
                orders, faults = read_orders(board, here, stated, state.phase, notation, keeping)
                count += 1
            fault = in_short(faults)
            read = RecordedPhase(state, orders, None, bool(faults), is_recorded, fault)
        found.append(read)
    return found


def _state(reader: StateReader, place: FilePlace, _: int, entry: Any) -> _StateRead:
    phase = place.at("phases").mapping(entry)
    name = place.at("phases").at("name").text(phase.get("name"))
    here = place.at(name)
    read = phase_or_end(name, here)
    state = here.at("state").mapping(phase.get("state"))
    if "units" not in state:
        here.at("state").fail("it has no units")
    found = reader.read(
        here, read, state["units"], state.get("centers"), None, state.get("retreats")
    )
    return place.at(read), found, False


def saved_game(
    states: Sequence[Mapping[str, Any]],
    orders: Sequence[Mapping[str, Sequence[str]]],
    board: Map,
    name: str,
    map_name: str,
    rules: str,
) -> dict[str, Any]:
    """A game in this format: `states` as `Position.to_dict` gives them, the last one that of the
    phase to be played, with the orders of each phase so far.

    `name`, `map_name` and `rules` are the names of the game, its map and dipsat's profile in the
    file.
    """
    phases = [
        {
            "name": state["phase"],
            "state": _written_state(state, board, name),
            "orders": {
                power: list(done[power]) if power in done else None for power in board.powers
            },
            "results": {},
            "messages": [],
        }
        for state, done in zip(states, chain(orders, repeat({})), strict=False)
    ]
    return {
        "id": name,
        "map": map_name,
        "rules": ["NO_PRESS"],
        "phases": phases,
        "profile": rules,
    }


def _written_state(state: Mapping[str, Any], board: Map, name: str) -> dict[str, Any]:
    units = {power: list(state["units"].get(power, ())) for power in board.powers}
    for power, lost in state["dislodged"].items():
        units[power] += [f"*{unit}" for unit in lost]
    retreats = state["retreats"]
    return {
        "name": state["phase"],
        "units": units,
        "retreats": {power: retreats.get(power, {}) for power in board.powers},
        "centers": {power: list(state["centers"].get(power, ())) for power in board.powers},
        "homes": {power.name: list(power.home) for power in board.powers.values()},
        "influence": {power: [] for power in board.powers},
        "civil_disorder": dict.fromkeys(board.powers, 0),
        "builds": {power: {"count": 0, "homes": []} for power in board.powers},
        "zobrist_hash": "0",
        "game_id": name,
        "map": board.name,
        "rules": ["NO_PRESS"],
    }


# --- dipsat ---------------------------------------------------------------------------------------

# dipsat's own game files, in JSON or YAML.
#
#     {"format": "dipsat game", "version": 1, "name", "map", "rules", "phases": [...]}
#
# Each phase has `phase`, `units`, `centers`, `unknown_centers`, `dislodged`, `retreats` (as in
# `Position.to_dict`) and `orders`; the last one is the phase to be played, with the orders
# submitted so far. A phase is `recorded: true` if its board is as another judge recorded it, not as
# dipsat judges the phase before.


FORMAT = "dipsat game"
VERSION = 1
_GAME_KEYS = {"format", "version", "name", "map", "rules", "phases"}
RECORDED = "recorded"
_PHASE_KEYS = {
    "phase", "units", "centers", "unknown_centers", "dislodged", "retreats", "orders", RECORDED,
}  # fmt: skip


def is_game_document(value: Any) -> bool:
    """Whether a parsed document is a game in this format, of any version."""
    return isinstance(value, dict) and value.get("format") == FORMAT


def read_yaml_game(
    text: str, shown: str, map: Map | None = None, unread: Unread | None = None
) -> RecordedGame:
    """As `read_game_document`, from YAML text; an error in a phase names the phase's line."""
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

    Raises `FileError` with the phase and the path to the fault, unless `unread` takes the faults of
    single phases.
    """
    place = FilePlace(shown)
    game = place.mapping(value)
    version = str(game.get("version"))
    if version != str(VERSION):
        place.at("version").fail(f"this dipsat reads version {VERSION}, not {version}")
    _refuse_unknown(place, game, _GAME_KEYS)
    rules = game.get("rules")
    name = game.get("name") or ""
    found = _game(place, game, name, rules, map, unread, "phase", partial(_own_state, lines))
    if rules is not None:
        place.at("rules").text(rules)
    return replace(found, is_own=True)


def _own_state(
    lines: Sequence[int], reader: StateReader, place: FilePlace, number: int, entry: Any
) -> _StateRead:
    """As `_state`; `lines` are those in which the phases begin, where known."""
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
    return here, state, _mark(here, entry.get(RECORDED, False))


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
    `unread` takes the faults of single lines.
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
    orders, faults = read_orders(states.board, here, stated, phase, keeping=unread is not None)
    is_incomplete = bool(entry.get("unparsed_orders") or faults)
    return RecordedPhase(state, orders, after, is_incomplete, fault=in_short(faults))


_BEFORE = ("phase", "units", "centers", "dislodged", "retreat_options", "unknown_centers")
_AFTER = tuple(f"next_{key}" for key in _BEFORE)


def _goes_on(last: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    """Whether a line states the very board with which the line before it ended."""
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


_SHOWN = 6  # units or centres that a message lists
