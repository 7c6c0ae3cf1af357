"""Recorded games as JSON Lines of phases: each line a phase with the boards before and after.

A line has `source`, `phase`, `units`, `centers`, `dislodged`, `orders` and, for what came of them,
`next_phase`, `next_units`, `next_centers`, `next_dislodged`; perhaps `retreat_options`,
`next_retreat_options` and `unparsed_orders`. The lines of a game follow each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.formats.json_text import Place
from dipsat.formats.records import RecordedGame, RecordedPhase, RecordedState
from dipsat.formats.states import StateReader, read_map, read_orders, read_phase_name

_READ = {
    "source", "phase", "units", "centers", "dislodged", "orders", "retreat_options",
    "next_phase", "next_units", "next_centers", "next_dislodged", "next_retreat_options",
}  # fmt: skip
_CARRIED = ("phase", "units", "centers", "dislodged")


def read_phase_lines(
    lines: Sequence[tuple[int, Any]], shown: str, map: Map | None = None
) -> RecordedGame:
    """The game of consecutive lines, given as (line number, parsed object).

    Raises `FileError`: for a faulty line, and for a line that contradicts the one before.
    """
    phases: list[RecordedPhase] = []
    before: Mapping[str, Any] | None = None
    states = StateReader(map or load_map("standard"))
    for number, value in lines:
        place = Place(f"{shown}:{number}")
        entry = place.mapping(value)
        if map is None and "map" in entry:
            board = read_map(entry["map"], place.at("map"))
            states = states if board is states.board else StateReader(board)
        phase = read_phase_name(entry.get("phase"), place.at("phase"))
        here = place.at(phase)
        follows = before is not None and before.get("next_phase") == entry["phase"]
        if before is not None and follows:
            _refuse_contradiction(here, before, entry)
        known = phases[-1].after if phases and follows else None
        state = known or _state(states, here, entry, "")
        over = entry.get("next_units") is None
        after = None if over else _state(states, here, entry, "next_")
        orders = read_orders(states.board, here, entry.get("orders"), phase)
        extras = {key: entry[key] for key in entry if key not in _READ}
        phases.append(RecordedPhase(state, orders, after, extras))
        before = entry
    source = str(lines[0][1].get("source") or shown)
    return RecordedGame(source, states.board, tuple(phases))


def _state(
    states: StateReader, place: Place, entry: Mapping[str, Any], prefix: str
) -> RecordedState:
    name = entry.get(f"{prefix}phase")
    phase = None if name in (None, "COMPLETED") else read_phase_name(name, place)
    return states.read(
        place,
        phase,
        entry.get(f"{prefix}units"),
        entry.get(f"{prefix}centers"),
        entry.get(f"{prefix}dislodged"),
        entry.get(f"{prefix}retreat_options"),
    )


def _refuse_contradiction(
    place: Place, before: Mapping[str, Any], entry: Mapping[str, Any]
) -> None:
    for key in _CARRIED:
        then, now = before.get(f"next_{key}"), entry.get(key)
        if then != now and then is not None:
            place.fail(f"its {key} contradict the line before: there {then!r}, here {now!r}"[:400])
