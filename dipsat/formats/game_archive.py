"""Games in files: writing them, and making games from what a file records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from dipsat.base import (
    ANYWHERE,
    FrozenDict,
    Limits,
    check_time,
    is_named_file,
    is_yaml_path,
    path_from,
    plain,
    reading_names_in,
    running,
    write_text,
)
from dipsat.board import Map, load_map, province_of, words_of
from dipsat.errors import (
    DipsatError,
    FileError,
    GameError,
    OrderFaultError,
    UnknownNameError,
)
from dipsat.formats.game_files import read_games
from dipsat.formats.judge_report import Results
from dipsat.formats.records import (
    RecordedGame,
    RecordedPhase,
    RecordedState,
    recorded_position,
    state_of,
)
from dipsat.formats.saved_game import FORMAT, RECORDED, VERSION, read_game_document, saved_game
from dipsat.formats.transcript import Transcript, write_transcript
from dipsat.formats.turn import Turn, judged
from dipsat.game import (
    OWNERS,
    PhaseKind,
    PhaseName,
    Position,
    read_submissions,
)
from dipsat.orders import (
    NOTATIONS,
    TEXT_FAULTS,
    Convoy,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
    Unit,
    UnitName,
    Waive,
    write_order,
)
from dipsat.outcomes import Outcome
from dipsat.rules import DEFAULT_RULES, Profile, check_features, load_profile

# --- files ----------------------------------------------------------------------------------------


_BY_SUFFIX = {
    ".json": "dipsat", ".yaml": "dipsat", ".yml": "dipsat", ".jsonl": "diplomacy", ".txt": "datc",
    "": "dipsat",
}  # fmt: skip
_FORMATS = tuple(dict.fromkeys(("dipsat", "diplomacy", *NOTATIONS)))


@dataclass(frozen=True)
class GameTurns:
    """A game as in a file: its name, those of its map and its rules, and its phases, the last of
    which is the one to be played."""

    name: str
    map_name: str
    rules: str
    turns: tuple[Turn, ...]
    players: Mapping[str, str] = field(default_factory=FrozenDict)
    is_own: bool = True
    """Whether dipsat wrote the file, or there is none yet; saving over another program's loses what
    dipsat does not keep."""


def game_to_dict(game: GameTurns) -> dict[str, Any]:
    """The game as plain values."""
    phases: list[dict[str, Any]] = []
    for last, turn in zip((None, *game.turns), game.turns, strict=False):
        phase = {**turn.position.to_dict(), "orders": plain(turn.orders)}
        phase |= {"later": plain(turn.later)} if turn.later else {}
        phase |= {"deadline": turn.deadline} if turn.deadline else {}
        phase |= {"corrected": [*turn.corrected]} if turn.corrected else {}
        if last is not None and not _follows(last, turn.position):
            phase[RECORDED] = True
        phases.append(phase)
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": game.name,
        "map": game.map_name,
        "rules": game.rules,
        **({"players": plain(game.players)} if game.players else {}),
        "phases": phases,
    }


def game_from_dict(value: object) -> GameTurns:
    """The game that `game_to_dict` gave. Raises `FileError`."""
    found = read_game_document(value, "game")
    return _game(found, "", "", True)


def save_game(game: GameTurns, path: str | Path, format: str | None) -> None:
    """Write a game to a file; see `Game.save`."""
    chosen, suffix = format or format_of(path), Path(path).suffix.lower()
    if chosen not in _FORMATS:
        raise UnknownNameError("format", chosen, _FORMATS)
    folder, now = Path(path).parent, game.turns[-1]  # names must lead to their files from there
    rules = [_path_from(folder, part, now.rules.files) for part in game.rules.split("+")]
    paths = now.position.map.path.split("+")
    board = [_path_from(folder, part, paths) for part in game.map_name.split("+")]
    game = replace(game, rules="+".join(rules), map_name="+".join(board))
    write_text(path, _written(game, chosen, suffix in (".yaml", ".yml")))


def format_of(path: str | Path) -> str:
    """The format of a game that the ending of a file's name means. Raises `FileError` for one that
    means no game, such as a picture's."""
    found = _BY_SUFFIX.get(Path(path).suffix.lower())
    if found is None:
        *others, last = filter(None, _BY_SUFFIX)
        known = f"{', '.join(others)} or {last}"
        raise FileError(str(path), f"is not a file for a game; its name should end in {known}")
    return found


def _path_from(folder: Path, name: str, paths: Iterable[str]) -> str:
    """A name as a file in `folder` must write it: the same name if it leads to the file that was
    loaded by it, which is one of the `paths`, else a path to that file."""
    if not is_yaml_path(name):
        return name
    parts = Path(name).parts
    loaded = (Path(path) for path in paths if Path(path).parts[-len(parts) :] == parts)
    found = next((path for path in loaded if is_named_file(ANYWHERE, path)), None)
    tried = (at / name for at in (folder, Path()))  # in the order of loading
    there = next((path for path in tried if is_named_file(ANYWHERE, path)), None)
    if found is None or (there is not None and there.samefile(found)):
        return name
    return path_from(folder, found)


def _written(game: GameTurns, format: str, as_yaml: bool) -> str:
    if format == "dipsat":
        if as_yaml:
            import yaml

            return yaml.safe_dump(game_to_dict(game), sort_keys=False, allow_unicode=True)
        return json.dumps(game_to_dict(game), indent=1, ensure_ascii=False) + "\n"
    first, words = game.turns[0].position, game.turns[-1].position.words
    board = first.map
    if format == "diplomacy":
        if unsure := [turn for turn in game.turns if turn.position.unknown_centers]:
            raise GameError(
                "this format cannot say that owners are unknown, as they are in "
                f"{unsure[0].position.phase}; save the game as .json or .yaml"
            )
        states = [turn.position.to_dict() for turn in game.turns]
        texts = [
            {power: [write_order(one, board) for one in own] for power, own in orders.items()}
            for orders in map(_meant, game.turns)
        ]
        saved = saved_game(states, texts, board, game.name or "dipsat", game.map_name, game.rules)
        return json.dumps(saved) + "\n"
    for last, turn in pairwise(game.turns):
        if last.winner is not None or not _follows(_before(last, turn), turn.position):
            raise GameError(
                f"a text holds only orders, and the board of {turn.position.phase} does not follow "
                f"from those of {last.position.phase}; save the game as .json, .yaml or .jsonl"
            )
    if first.to_dict() != Position.start(board).with_words(first.words).to_dict():
        raise GameError(
            "a text holds only orders, and this game did not start on the map's first board; save "
            "it as .json, .yaml or .jsonl"
        )
    phases = [(turn.position.phase, _named(turn)) for turn in game.turns]
    return write_transcript(board, game.map_name, game.rules, phases, format, words)


def _meant(turn: Turn) -> dict[str, list[Order]]:
    """The orders as the rules read them. An order that is unreadable or names no province cannot be
    written in any notation: its unit holds; without a unit, or in other phases, it is left out."""
    is_movement = _is_movement(turn)
    found: dict[str, list[Order]] = {power: [] for power in turn.orders}
    for one in read_submissions(turn.position, turn.orders, turn.rules.settings):
        order = one.order
        if one.refusal is None:
            found[one.power].append(order)
        elif is_movement and not isinstance(order, Waive) and order.unit.location:
            found[one.power].append(Hold(order.unit))
    return found


def _named(turn: Turn) -> dict[str, list[Order]]:
    """The orders, naming every unit on the board with its power and kind, as some notations
    need."""

    def full(named: UnitName) -> UnitName:
        unit = turn.position.by_province.get(province_of(named.location))
        known = unit is not None and named.kind in (None, unit.kind) and named.power is None
        return replace(named, kind=unit.kind, power=unit.power) if unit and known else named

    def whole(order: Order) -> Order:
        if isinstance(order, SupportHold | SupportMove):
            return replace(order, supported=full(order.supported))
        return replace(order, army=full(order.army)) if isinstance(order, Convoy) else order

    return {power: list(map(whole, own)) for power, own in _meant(turn).items()}


def read_turns(
    path: str | Path, map: str | Path | Map | None, check: bool, limits: Limits
) -> Iterator[GameTurns]:
    """The games of a file; see `Game.load`. The time of the limits is for each."""
    board = map if isinstance(map, Map) or map is None else load_map(map, limits=limits)
    name = map.name if isinstance(map, Map) else str(map) if map is not None else ""
    for found in read_games(path, board, limits):
        with running(limits):
            if isinstance(found, Transcript):
                turns = _played(found, str(path), name)
            else:
                turns = _game(found, str(path), name, check)
        yield turns


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
        while turns[-1].position.phase != phase and not _is_movement(turns[-1]):
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
    return GameTurns("", name, found.rules or "", tuple(turns), is_own=False)


def played(found: Transcript, shown: str) -> RecordedGame:
    """The game of a text that holds only orders, with the boards that its own rules give; `shown`
    names it in errors. Raises `FileError`."""
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
    """The game of a text with the results that a judge states in it, None if it states none. What
    it does not say of a board is as `played` has it. Raises `FileError`."""
    if not found.results:
        return None
    game, turns = _recorded(found, shown)
    phases = tuple(map(partial(_as_reported, found.results), game.phases, turns))
    return replace(game, phases=phases)


def _as_reported(
    results: Mapping[PhaseName, Results], record: RecordedPhase, turn: Turn
) -> RecordedPhase:
    """A phase with the result that a judge states, None if it states none."""
    said = None if record.before.phase is None else results.get(record.before.phase)
    if said is None or record.after is None:
        return record._replace(after=None)
    after = record.after
    if said.marks and _is_movement(turn):
        after = _as_marked(after, turn.outcome, said.marks)
    if said.dislodged is not None:
        lost = sorted(said.dislodged, key=lambda unit: unit.location)
        retreats = {str(unit): places for unit, places in said.dislodged.items()}
        after = after._replace(dislodged=tuple(lost), retreats=retreats)
    return record._replace(after=after._replace(centers=said.centers or after.centers))


_FAILED = {"bounce", "bounced", "fail", "failed", "fails", "invalid", "void", "no"}
_LOST = {"dislodged", "destroyed"}
"""Words of a judge's note on a move, and on a unit."""


def _as_marked(
    after: RecordedState, outcome: Outcome, marks: Mapping[tuple[str, str], str]
) -> RecordedState:
    """The board after a movement phase as the marks of a judge have it: the units of which they say
    something else than the outcome are elsewhere, or dislodged."""
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


def _is_movement(turn: Turn) -> bool:
    return turn.position.phase.kind is PhaseKind.MOVEMENT


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
    name = map_name or found.map_name or ""
    return GameTurns(found.name, name, found.rules or "", tuple(turns), found.players, found.is_own)


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


def _before(last: Turn, turn: Turn) -> Turn:
    """The phase just before a turn, if all that a record leaves out after `last` are retreats and
    adjustments without orders."""
    now = last.following()
    while now.position.phase != turn.position.phase and not _is_movement(now):
        last, now = now, now.following()
    return last


def _follows(last: Turn, position: Position) -> bool:
    """Whether a position is what dipsat makes of the turn before."""
    return last.outcome.next.to_dict() == position.to_dict()


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
    """Two values, without the powers for which they are alike."""
    if not isinstance(right, dict) or not isinstance(wrong, dict):
        return right, wrong
    powers = [power for power in {**right, **wrong} if right.get(power) != wrong.get(power)]
    first, second = (
        {power: one[power] for power in powers if power in one} for one in (right, wrong)
    )
    return first, second
