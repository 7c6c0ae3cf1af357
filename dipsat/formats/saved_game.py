"""Games as the Python package `diplomacy` saves them, one JSON object per game.

    {"id", "map", "rules", "phases": [{"name", "state", "orders", "results", "messages"}]}

Each phase has the board at its beginning, so its result is in the next one. `rules` are that
package's own; dipsat writes the name of its profile under `profile`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dipsat.board.map import Map
from dipsat.formats.json_text import FilePlace
from dipsat.formats.records import RecordedGame, RecordedPhase, RecordedState
from dipsat.formats.states import (
    Notation,
    StateReader,
    notation_of,
    phase_or_end,
    read_map,
    read_orders,
)
from dipsat.formats.unread import PhaseRead, Unread, leaving_out, with_results
from dipsat.limits import PHASES


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
    source = f"{shown}: {name}" if isinstance(name, str) and name else shown
    map_name = None if map else game.get("map", "standard")
    board = map or read_map(map_name, place.at("map"))
    entries = place.at("phases").sequence(game.get("phases"))
    if not entries:
        place.fail("it has no phases")
    PHASES.check(len(entries), shown)
    with notation_of(game.get("profile"), place) as notation:
        phases = _phases(entries, place, board, notation, unread)
    own_name = name if isinstance(name, str) else ""
    rules = place.at("profile").text(game["profile"]) if "profile" in game else None
    lost = unread.found() if unread else ()
    return RecordedGame(
        source, board, phases, rules, own_name, map_name, words=notation.words, unread=lost
    )


def _phases(
    entries: Sequence[Any], place: FilePlace, board: Map, notation: Notation, unread: Unread | None
) -> tuple[RecordedPhase, ...]:
    found: list[PhaseRead | None] = []
    reader = StateReader(board, notation.words)
    has_ended, count = False, 0
    for entry in entries:
        read = None
        with leaving_out(unread, count, _name(entry)):
            state = _state(reader, place, entry)
            if has_ended:
                place.at(_name(entry)).fail("a phase after the end of the game")
            read = PhaseRead(state, {})
            has_ended = state.phase is None
        if read is not None and read.state.phase is not None:
            faults: list[str] = []
            here, taken = place.at(read.state.phase), None if unread is None else faults
            stated = entry.get("orders")
            orders = read_orders(board, here, stated, read.state.phase, notation, taken)
            read = PhaseRead(read.state, orders, tuple(faults))
            count += 1
        found.append(read)
    return with_results(found)


def _name(entry: Any) -> str:
    return str(entry.get("name", "?")) if isinstance(entry, dict) else "?"


def _state(reader: StateReader, place: FilePlace, entry: Any) -> RecordedState:
    phase = place.at("phases").mapping(entry)
    name = place.at("phases").at("name").text(phase.get("name"))
    here = place.at(name)
    read = phase_or_end(name, here)
    state = here.at("state").mapping(phase.get("state"))
    if "units" not in state:
        here.at("state").fail("it has no units")
    return reader.read(
        here, read, state["units"], state.get("centers"), None, state.get("retreats")
    )


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
    phases = []
    for number, state in enumerate(states):
        done = orders[number] if number < len(orders) else {}
        phases.append(
            {
                "name": state["phase"],
                "state": _written_state(state, board, name),
                "orders": {
                    power: list(done[power]) if power in done else None for power in board.powers
                },
                "results": {},
                "messages": [],
            }
        )
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
