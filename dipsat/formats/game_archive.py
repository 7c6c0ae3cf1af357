"""Games in files: writing them, and making games from what a file records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from dipsat.base import (
    ANYWHERE,
    Limits,
    check_time,
    is_named_file,
    is_yaml_path,
    path_from,
    reading_names_in,
    running,
    write_text,
)
from dipsat.board import Map, load_map, words_of
from dipsat.errors import (
    DipsatError,
    FileError,
    GameError,
    OrderFaultError,
    UnknownNameError,
)
from dipsat.formats.game_files import game_texts, parse_games, read_games
from dipsat.formats.game_kinds import FORMATS
from dipsat.formats.judge_report import Results
from dipsat.formats.records import (
    RecordedGame,
    RecordedPhase,
    RecordedState,
    recorded_position,
    state_of,
)
from dipsat.formats.saved_game import read_game_document
from dipsat.formats.transcript import Transcript
from dipsat.formats.turn import GameTurns, Turn, judged
from dipsat.formats.written_game import is_movement
from dipsat.game import (
    OWNERS,
    PhaseKind,
    PhaseName,
    Position,
)
from dipsat.orders import (
    TEXT_FAULTS,
    Move,
    Unit,
)
from dipsat.outcomes import Outcome
from dipsat.rules import DEFAULT_RULES, Profile, check_features, load_profile

# --- files ----------------------------------------------------------------------------------------


_BY_SUFFIX = {
    ".json": "dipsat", ".yaml": "dipsat", ".yml": "dipsat", ".jsonl": "diplomacy", ".txt": "datc",
    "": "dipsat",
}  # fmt: skip


def game_from_dict(value: object) -> GameTurns:
    """The game that `game_to_dict` returned. Raises `FileError`."""
    found = read_game_document(value, "game")
    return _game(found, "", "", True)


def save_games(games: Sequence[GameTurns], path: str | Path, format: str | None) -> None:
    """Write games to a file; see `Game.save`. Raises what `written_games` raises."""
    write_text(path, written_games(games, path, format))


def written_games(games: Sequence[GameTurns], path: str | Path, format: str | None) -> str:
    """The text of a file at a path with these games; see `Game.save`. Raises `FileError` for
    several games in a format that holds one."""
    chosen = format or format_of(path)
    if chosen == "dipsat" and Path(path).suffix.lower() in (".yaml", ".yml"):
        chosen = "yaml"
    if chosen not in FORMATS:
        raise UnknownNameError("format", chosen, FORMATS, list_known=True)
    kind, folder = FORMATS[chosen], Path(path).parent
    if len(games) > 1 and not kind.holds_several:
        several = ", ".join(name for name, one in FORMATS.items() if one.holds_several)
        problem = f"{kind.name} holds one game, and there are {len(games)}"
        raise FileError(str(path), f"{problem}; formats for several: {several}")
    return "".join(kind.writers[chosen](_from_there(game, folder)) for game in games)


def _from_there(game: GameTurns, folder: Path) -> GameTurns:
    """The game with its map and rules named so that the names lead to their files from a folder."""
    now = game.turns[-1]
    rules = [_path_from(folder, part, now.rules.files) for part in game.rules.split("+")]
    paths = now.position.map.path.split("+")
    board = [_path_from(folder, part, paths) for part in game.map_name.split("+")]
    return replace(game, rules="+".join(rules), map_name="+".join(board))


def format_of(path: str | Path) -> str:
    """The game format that the ending of a file's name stands for. Raises `FileError` for an ending
    that stands for none, such as a picture's."""
    found = _BY_SUFFIX.get(Path(path).suffix.lower())
    if found is None:
        *others, last = filter(None, _BY_SUFFIX)
        known = f"{', '.join(others)} or {last}"
        raise FileError(str(path), f"is not a file for a game; its name should end in {known}")
    return found


def _path_from(folder: Path, name: str, paths: Iterable[str]) -> str:
    """What a file in `folder` must call the file that was loaded by `name`: the same name if it
    leads there too, else a path to it. The loaded file is one of the `paths`."""
    if not is_yaml_path(name):
        return name
    parts = Path(name).parts
    loaded = (Path(path) for path in paths if Path(path).parts[-len(parts) :] == parts)
    found = next((path for path in loaded if is_named_file(ANYWHERE, path)), None)
    there = folder / name
    if found is None or (is_named_file(ANYWHERE, there) and there.samefile(found)):
        return name
    return path_from(folder, found)


def read_turns(
    path: str | Path, map: str | Path | Map | None, check: bool, limits: Limits
) -> Iterator[GameTurns]:
    """The games of a file; see `Game.load`. The time limit is for each game."""
    board = map if isinstance(map, Map) or map is None else load_map(map, limits=limits)
    name = map.name if isinstance(map, Map) else str(map) if map is not None else ""
    for found in read_games(path, board, limits):
        with running(limits):
            turns = _turns(found, str(path), name, check)
        yield turns


def readable_turns(path: str | Path, map: str | None) -> Iterator[GameTurns | DipsatError]:
    """Yield the games of a file as far as they can be read; their `remarks` say what is left out.
    For one that cannot be read at all, yield the error, and go on with those after it."""
    board = None if map is None else load_map(map)
    for text in game_texts(path):
        if isinstance(text, DipsatError):
            yield text
            continue
        try:
            for found in parse_games(text, board, skip_faults=True):
                yield _turns(found, str(path), map or "", check=False)
        except DipsatError as error:
            yield error


def _turns(found: RecordedGame | Transcript, path: str, map_name: str, check: bool) -> GameTurns:
    if isinstance(found, Transcript):
        return _played(found, path, map_name)
    return _game(found, path, map_name, check)


def _played(found: Transcript, shown: str, map_name: str) -> GameTurns:
    """The game of a text that holds only orders; its last phase is the one to be played."""
    rules = _rules(found.rules, shown, shown)
    check_features(rules, found.board)
    turns = [Turn(Position.start(found.board).with_words(rules.words), {}, rules)]
    waiting = False
    for number, (phase, orders) in enumerate(found.phases):
        if number and not turns[-1].winner and not waiting:
            turns.append(turns[-1].following())
        waiting = False
        while turns[-1].position.phase != phase and not is_movement(turns[-1]):
            turns[-1].refuse_if_over()
            turns.append(turns[-1].following())  # the text leaves out a phase without orders
        now = turns[-1].position.phase
        if now != phase and not orders and phase.kind is not PhaseKind.MOVEMENT:
            waiting = True  # a heading for a phase in which nothing can be ordered
            continue
        if now != phase:
            raise FileError(shown, f"{phase} does not come next; the game is in {now}")
        turns[-1] = _submitted(turns[-1], orders, shown)
    name = map_name or found.map_name
    rules_name, remarks = found.rules or DEFAULT_RULES, found.skipped
    return GameTurns("", name, rules_name, tuple(turns), is_own=False, remarks=remarks)


def played(found: Transcript, shown: str) -> RecordedGame:
    """The game of a text that holds only orders, with the boards that follow from its own rules;
    `shown` names it in errors. Raises `FileError`."""
    return _recorded(found, shown)[0]


def _recorded(found: Transcript, shown: str) -> tuple[RecordedGame, tuple[Turn, ...]]:
    """The game of a text that holds only orders, and its turns."""
    turns = _played(found, shown, "").turns
    if turns[-1].orders and turns[-1].winner is None:
        turns = (*turns, turns[-1].following())
    states = [state_of(turn.position) for turn in turns]
    phases = tuple(
        RecordedPhase(before, turn.orders, after)
        for turn, (before, after) in zip(turns, pairwise(states), strict=False)
    )
    if not phases:  # the first phase has no orders yet
        phases = (RecordedPhase(states[0], {}, None),)
    words = turns[-1].rules.words
    game = RecordedGame(
        shown, found.board, phases, found.rules, "", found.map_name, words=words,
        remarks=found.skipped,
    )  # fmt: skip
    return game, turns


def reported(found: Transcript, shown: str) -> RecordedGame | None:
    """The game of a text with the results that a judge states in it; None if it states none. Where
    the judge says nothing about a board, it is as in `played`. Raises `FileError`."""
    if not found.results:
        return None
    game, turns = _recorded(found, shown)
    phases = tuple(map(partial(_as_reported, found.results), game.phases, turns))
    return replace(game, phases=phases)


def _as_reported(
    results: Mapping[PhaseName, Results], record: RecordedPhase, turn: Turn
) -> RecordedPhase:
    """A phase whose `after` is the result that a judge states; None if it states none."""
    said = None if record.before.phase is None else results.get(record.before.phase)
    if said is None or record.after is None:
        return record._replace(after=None)
    after = record.after
    if said.marks and turn.position.phase.kind is PhaseKind.MOVEMENT:
        after = _as_marked(after, turn.outcome, said.marks)
    if said.dislodged is not None:
        lost = sorted(said.dislodged, key=lambda unit: unit.location)
        retreats = {str(unit): places for unit, places in said.dislodged.items()}
        after = after._replace(dislodged=tuple(lost), retreats=retreats)
    return record._replace(after=after._replace(centers=said.centers or after.centers))


_FAILED = {"bounce", "bounced", "fail", "failed", "fails", "invalid", "void", "no"}
_LOST = {"dislodged", "destroyed"}
"""Words in a judge's note: on a failed move, and on a lost unit."""


def _as_marked(
    after: RecordedState, outcome: Outcome, marks: Mapping[tuple[str, str], str]
) -> RecordedState:
    """The board after a movement phase according to a judge's marks: a unit whose mark contradicts
    the outcome is moved, dislodged or put back."""
    own = {(unit.power, str(unit)): unit for unit in outcome.position.units}
    gone, come = set[tuple[str, str]](), set[Unit]()
    lost = {*after.dislodged}
    for one in outcome.orders:
        unit = own.get((one.power, one.unit))
        if unit is None or one.submitted is None:
            continue
        order = outcome.position.reader.read(one.order)
        is_move = isinstance(order, Move) and one.verdict in ("succeeds", "fails")
        target = order.target if isinstance(order, Move) and is_move else unit.location
        said = {*words_of(marks.get((one.power, one.submitted), ""))}
        place = target if said.isdisjoint(_FAILED) else unit.location
        theirs = place if said.isdisjoint(_LOST) else ""
        place = target if one.verdict == "succeeds" else unit.location
        ours = place if unit not in lost else ""
        if theirs != ours:
            gone.add((unit.power, ours))
            come |= {replace(unit, location=theirs)} if theirs else set()
            lost = lost - {unit} if theirs else lost | {unit}
    kept = {unit for unit in after.units if (unit.power, unit.location) not in gone}
    units, dislodged = (tuple(sorted(one, key=_location)) for one in (kept | come, lost))
    return after._replace(units=units, dislodged=dislodged)


def _location(unit: Unit) -> str:
    return unit.location


def _submitted(turn: Turn, orders: Mapping[str, tuple[str, ...]], source: str) -> Turn:
    """The turn with orders from a file."""
    if not any(orders.values()):
        return turn
    try:
        turn.refuse_if_over()
        return turn.with_orders(orders, keep_unreadable=True)
    except (GameError, OrderFaultError, *TEXT_FAULTS) as error:
        raise FileError(source, f"{turn.position.phase}: {error}") from None


def _rules(name: str | None, source: str, path: str) -> Profile:
    """The profile that a file names; a path is tried relative to the file, then as it is."""
    found = name or DEFAULT_RULES
    with reading_names_in(path):
        try:
            try:
                return load_profile(found, Path(path).parent)
            except FileError:
                return load_profile(found)
        except DipsatError as error:
            raise FileError(source, f"rules: {error}") from None


def _game(found: RecordedGame, path: str, map_name: str, check: bool) -> GameTurns:
    """The game of a record; it continues from the last board."""
    profile = _rules(found.rules, found.source, path)
    lost = (*(one.fault for one in found.unread), *(one.fault for one in found.phases if one.fault))
    remarks = (*found.remarks, *lost)
    if not found.phases:
        raise FileError(found.source, f"no phase of it can be read: {remarks[0]}")
    turns: list[Turn] = []
    for record in found.phases:
        last = turns[-1] if turns else None
        check_time()
        position = _position(found.board, record.before, last).with_words(profile.words)
        if found.is_own and check and last is not None and not record.is_recorded:
            _check(found.source, last, position, record.before.centers is None)
        own = record.later, record.deadline, record.corrected
        turns.append(Turn(position, record.orders, profile, *own))
    final = found.phases[-1].after
    if final is not None:
        position = _position(found.board, final, turns[-1]).with_words(profile.words)
        turns.append(Turn(position, {}, profile))
    check_features(profile, found.board)
    if final is None:  # the phase to be played, with the orders submitted so far
        turns[-1] = _submitted(replace(turns[-1], orders={}), turns[-1].orders, found.source)
    name = map_name or found.map_name or found.board.name
    return GameTurns(
        found.name, name, found.rules or DEFAULT_RULES, tuple(turns), found.players, found.is_own,
        remarks,
    )  # fmt: skip


def _position(board: Map, state: RecordedState, last: Turn | None) -> Position:
    """A recorded board; `last` is the phase before."""
    phase = state.phase
    if phase is None:  # the game is over; otherwise this would come next
        assert last is not None
        phase = judged(last).next.phase
    known: dict[str, tuple[str, ...]] = {}
    if last is not None and any(str(unit) not in state.retreats for unit in state.dislodged):
        # Judging every phase would take most of the time of reading a game.
        known = {lost.unit: lost.retreats for lost in judged(last).dislodged}
    return recorded_position(board, state, phase, known)


def _check(source: str, last: Turn, position: Position, without_owners: bool) -> None:
    """Raise `FileError` for a position that does not follow from the turn before, as far as the
    file states it."""
    expected, found = judged(last).next.to_dict(), position.to_dict()
    for key in dict.fromkeys((*expected, *found)):
        if without_owners and key in OWNERS:
            continue
        value = expected.get(key, [])
        if found.get(key, []) != value:
            right, wrong = _apart(value, found.get(key, []))
            raise FileError(
                source,
                f"{position.phase}: its {key} contradict the history: after {last.position.phase} "
                f"the {key} should be {right}, not {wrong}",
            )


def _apart(right: object, wrong: object) -> tuple[object, object]:
    """Two values, without the powers for which they agree."""
    if not isinstance(right, dict) or not isinstance(wrong, dict):
        return right, wrong
    powers = [power for power in {**right, **wrong} if right.get(power) != wrong.get(power)]
    first, second = (
        {power: one[power] for power in powers if power in one} for one in (right, wrong)
    )
    return first, second
