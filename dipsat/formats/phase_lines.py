"""Recorded games as JSON Lines of phases: each line is a phase with the boards before and after.

A line has `source`, `phase`, `units`, `centers`, `dislodged`, `orders` and, for the result,
`next_phase`, `next_units`, `next_centers`, `next_dislodged`; perhaps `retreat_options`,
`next_retreat_options`, `unknown_centers`, `next_unknown_centers` and `unparsed_orders`. The lines
of a game follow each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.errors import DipsatError
from dipsat.formats.json_text import FilePlace
from dipsat.formats.records import RecordedGame, RecordedPhase, RecordedState
from dipsat.formats.states import StateReader, phase_or_end, read_map, read_phase_name
from dipsat.formats.unread import Unread, in_short


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
    lost = unread.found() if unread else ()
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
        state = _state(states, here, entry, *_BEFORE)
    after = None if entry.get("next_units") is None else _state(states, here, entry, *_AFTER)
    if expected is not None and expected != state:
        _refuse_contradiction(here, expected, state)
    faults: list[str] = []
    taken = None if unread is None else faults
    orders = states.orders(here, entry.get("orders"), phase, taken)
    is_incomplete = bool(entry.get("unparsed_orders") or faults)
    return RecordedPhase(state, orders, after, is_incomplete, fault=in_short(faults))


_BEFORE = ("phase", "units", "centers", "dislodged", "retreat_options", "unknown_centers")
_AFTER = tuple(f"next_{key}" for key in _BEFORE)


def _goes_on(last: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    """Whether a line states the very board with which the line before it ended."""
    for now, then in zip(_BEFORE, _AFTER, strict=True):
        given, ended = entry.get(now), last.get(then)
        if given != ended:
            return False
    return True


def _state(
    states: StateReader,
    place: FilePlace,
    entry: Mapping[str, Any],
    phase: str,
    units: str,
    centers: str,
    dislodged: str,
    retreats: str,
    unknown: str,
) -> RecordedState:
    """The board that a line states under these keys."""
    get = entry.get
    name = get(phase)
    return states.read(
        place,
        None if name is None else phase_or_end(name, place),
        get(units), get(centers), get(dislodged), get(retreats), get(unknown),
    )  # fmt: skip


def _refuse_contradiction(place: FilePlace, expected: RecordedState, found: RecordedState) -> None:
    """Raise `FileError` if a phase does not begin with the board that the line before ended
    with."""
    for what in ("units", "dislodged", "centers"):
        then, now = getattr(expected, what), getattr(found, what)
        if then != now and then is not None and now is not None:
            place.fail(f"its {what} contradict the line before: {_difference(then, now)}")


def _difference(then: Any, now: Any) -> str:
    if isinstance(then, dict):
        before = {f"{power} {code}" for power, owned in then.items() for code in owned}
        after = {f"{power} {code}" for power, owned in now.items() for code in owned}
    else:
        before = {f"{unit.power} {unit}" for unit in then}
        after = {f"{unit.power} {unit}" for unit in now}
    only = sorted(before ^ after)
    return f"{', '.join(only[:_SHOWN])} {'are' if len(only) > 1 else 'is'} in only one of them"


_SHOWN = 6  # units or centres that a message lists
