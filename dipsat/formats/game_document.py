"""dipsat's own game files, in JSON or YAML.

    {"format": "dipsat game", "version": 1, "name", "map", "rules", "phases": [...]}

Each phase has `phase`, `units`, `centers`, `unknown_centers`, `dislodged`, `retreats` (as in
`Position.to_dict`) and `orders`; the last one is the phase to be played, with the orders submitted
so far. A phase is `recorded: true` if its board is as another judge recorded it, not as dipsat
judges the phase before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dipsat.board.map import Map
from dipsat.documents import Node, parse_yaml
from dipsat.formats.json_text import FilePlace, described
from dipsat.formats.records import RecordedGame, RecordedPhase
from dipsat.formats.states import (
    Notation,
    StateReader,
    notation_of,
    read_map,
    read_orders,
    read_phase_name,
)
from dipsat.formats.unread import PhaseRead, Unread, leaving_out, with_results
from dipsat.limits import GAME_VALUES, PHASES

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
    board = map or read_map(game.get("map", "standard"), place.at("map"))
    rules = game.get("rules")
    name = game.get("name") or ""
    entries = place.at("phases").sequence(game.get("phases"))
    if not entries:
        place.fail("it has no phases")
    PHASES.check(len(entries), shown)
    tops = [FilePlace(f"{shown}:{line}") for line in lines] or [place] * len(entries)
    with notation_of(rules, place) as notation:
        phases = _phases(entries, tops, board, notation, unread)
    return RecordedGame(
        f"{shown}: {place.at('name').text(name)}" if name else shown,
        board,
        phases,
        place.at("rules").text(rules) if rules is not None else None,
        place.at("name").text(name),
        None if map else str(game.get("map", "standard")),
        is_own=True,
        words=notation.words,
        unread=unread.found() if unread else (),
    )


def _phases(
    entries: Sequence[Any],
    tops: Sequence[FilePlace],
    board: Map,
    notation: Notation,
    unread: Unread | None,
) -> tuple[RecordedPhase, ...]:
    """The phases that entries state; `tops` are the places of the entries."""
    found: list[PhaseRead | None] = []
    reader = StateReader(board, notation.words)
    count = 0
    for number, (entry, top) in enumerate(zip(entries, tops, strict=True), 1):
        unnamed = top.at(f"phase {number}")
        read, name = None, str(entry.get("phase", "")) if isinstance(entry, dict) else ""
        with leaving_out(unread, count, name):
            phase = read_phase_name(unnamed.mapping(entry).get("phase"), unnamed)
            here = top.at(phase)
            _refuse_unknown(here, entry, _PHASE_KEYS)
            if "units" not in entry:
                here.fail("it has no units")
            state = reader.read(
                here, phase, entry["units"], entry.get("centers"),
                entry.get("dislodged"), entry.get("retreats"), entry.get("unknown_centers"),
            )  # fmt: skip
            faults: list[str] = []
            taken = None if unread is None else faults
            orders = read_orders(board, here, entry.get("orders"), phase, notation, taken)
            read = PhaseRead(state, orders, tuple(faults), _mark(here, entry.get(RECORDED, False)))
            count += 1
        found.append(read)
    return with_results(found)


def _mark(place: FilePlace, value: Any) -> bool:
    """A truth value, in YAML as written."""
    if value not in (True, False, "true", "false"):
        place.at(RECORDED).fail(f"this should be true or false, not {described(value)}")
    return value in (True, "true")


def _refuse_unknown(place: FilePlace, entry: Any, known: set[str]) -> None:
    for key in entry:
        if key not in known:
            place.fail(f"unknown key {key!r}; known: {', '.join(sorted(known))}")
