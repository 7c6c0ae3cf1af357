"""Games in files: writing them, and making a game of what a file records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dipsat.board.map import Map
from dipsat.errors import FileError, GameError, OrderFaultError, UnknownNameError
from dipsat.formats.game_document import FORMAT, VERSION, read_game_document
from dipsat.formats.games import read_games
from dipsat.formats.records import RecordedGame, RecordedState
from dipsat.formats.saved_game import saved_game
from dipsat.formats.transcript import Transcript, write_transcript
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.game.position import DislodgedUnit, Position, Unit
from dipsat.orders.writer import NOTATIONS
from dipsat.play.game import Game, Turn
from dipsat.profiles.load import load_profile

_BY_SUFFIX = {".jsonl": "diplomacy", ".txt": "datc"}
_FORMATS = ("dipsat", "diplomacy", *NOTATIONS)


def game_to_dict(game: Game) -> dict[str, Any]:
    """The game as plain values."""
    phases = [{**turn.position.to_dict(), "orders": _listed(turn.orders)} for turn in game.history]
    phases.append({**game.position.to_dict(), "orders": _listed(game.orders)})
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": game.name,
        "map": game.map_name,
        "rules": game.rules,
        "phases": phases,
    }


def _listed(orders: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    return {power: list(texts) for power, texts in orders.items()}


def game_from_dict(value: Mapping[str, Any]) -> Game:
    """The game that `game_to_dict` gave. Raises `FileError`."""
    return _game(read_game_document(dict(value), "game"), check=True)


def save_game(game: Game, path: str | Path, format: str | None) -> None:
    """Write a game to a file; see `Game.save`."""
    suffix = Path(path).suffix.lower()
    chosen = format or _BY_SUFFIX.get(suffix, "dipsat")
    if chosen not in _FORMATS:
        raise UnknownNameError("format", chosen, _FORMATS)
    text = _written(game, chosen, suffix in (".yaml", ".yml"))
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise FileError(str(path), f"cannot be written: {error.strerror or error}") from None


def _written(game: Game, format: str, as_yaml: bool) -> str:
    if format == "dipsat":
        if as_yaml:
            import yaml

            return yaml.safe_dump(game_to_dict(game), sort_keys=False, allow_unicode=True)
        return json.dumps(game_to_dict(game), indent=1, ensure_ascii=False) + "\n"
    if format == "diplomacy":
        states = [*(turn.position.to_dict() for turn in game.history), game.position.to_dict()]
        orders = [*(_listed(turn.orders) for turn in game.history), _listed(game.orders)]
        board = game.position.map
        return json.dumps(saved_game(states, orders, board, game.name or "dipsat")) + "\n"
    done = [(turn.position.phase, turn.orders) for turn in game.history]
    done.append((game.phase, game.orders))
    return write_transcript(game.position.map, game.map_name, game.rules, done, format)


def load_game(path: str | Path, check: bool) -> Game:
    """The one game of a file; see `Game.load`."""
    games = load_games(path, check=check)
    game = next(games)
    if next(games, None) is not None:
        raise FileError(str(path), "holds several games; read them with dipsat.load_games")
    return game


def load_games(
    path: str | Path, map: str | Path | Map | None = None, *, check: bool = True
) -> Iterator[Game]:
    """The games of a file, one after the other; each as `Game.load` gives it.

    `map` overrules the maps that the file names. Raises as `Game.load` does at the first bad game.
    """
    from dipsat.board.load import load_map

    board = map if isinstance(map, Map) or map is None else load_map(map)
    for found in read_games(path, board):
        if isinstance(found, Transcript):
            yield _played(found, str(path))
        else:
            yield _game(found, check)


def _played(found: Transcript, shown: str) -> Game:
    """The game of a text that holds only orders; its last phase is the one to come."""
    game = Game(Position.start(found.board), found.rules or "datc")
    game.map_name = found.map_name
    for number, (phase, orders) in enumerate(found.phases):
        if number:
            game.advance()
        while game.phase != phase and game.phase.kind is not PhaseKind.MOVEMENT:
            game.advance()  # the text leaves out a phase in which nobody ordered anything
        if game.phase != phase:
            raise FileError(shown, f"{phase} does not come next; the game is in {game.phase}")
        try:
            game.submit(orders)
        except (GameError, OrderFaultError) as error:
            raise FileError(shown, f"{phase}: {error}") from None
    return game


def _game(found: RecordedGame, check: bool) -> Game:
    """The game that a record states, going on from its last board."""
    own = found.extras.get("format") == FORMAT
    rules = load_profile(found.rules or "datc")
    history: list[Turn] = []
    position: Position | None = None
    for record in found.phases:
        last = history[-1] if history else None
        position = _position(found.board, record.before, last)
        if own and check and last is not None:
            _check(found.source, last, position)
        history.append(Turn(position, record.orders, rules))
    assert position is not None
    final = found.phases[-1]
    if final.after is None:  # the phase to come, with what was submitted so far
        last = history.pop()
        game = Game(last.position, rules, history=history)
        game.submit(last.orders)
    else:
        game = Game(_position(found.board, final.after, history[-1]), rules, history=history)
    game.rules = found.rules or "datc"
    game.map_name = str(found.extras.get("map", found.board.name))
    game.name = str(found.extras.get("name") or found.extras.get("id") or "")
    return game


def _position(board: Map, state: RecordedState, last: Turn | None) -> Position:
    """A recorded board; where it does not say where dislodged units may go, the phase before
    does."""
    phase = state.phase or (last.outcome.next.phase if last else PhaseName.parse(board.first_phase))
    lost = tuple(DislodgedUnit(unit, _retreats(state, unit, last)) for unit in state.dislodged)
    return Position(board, state.units, phase, state.centers or {}, lost)


def _retreats(state: RecordedState, unit: Unit, last: Turn | None) -> tuple[str, ...]:
    recorded = state.retreats.get(str(unit))
    if recorded is not None or last is None:
        return recorded or ()
    found = [one.retreats for one in last.outcome.dislodged if one.unit == str(unit)]
    return found[0] if found else ()


def _check(source: str, last: Turn, position: Position) -> None:
    """Refuse a position that does not follow from the turn before."""
    expected, found = last.outcome.next.to_dict(), position.to_dict()
    for key, value in expected.items():
        if found[key] != value:
            raise FileError(
                source,
                f"{position.phase}: its {key} contradict the history: after {last.position.phase} "
                f"they are {value}, here {found[key]}",
            )
