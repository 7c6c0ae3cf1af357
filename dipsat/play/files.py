"""Games in files: writing them, and making a game of what a file records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.errors import (
    AmbiguousNameError,
    DipsatError,
    FileError,
    GameError,
    OrderFaultError,
    OrderSyntaxError,
    UnknownNameError,
)
from dipsat.formats.game_document import FORMAT, VERSION, read_game_document
from dipsat.formats.games import read_games
from dipsat.formats.records import RecordedGame, RecordedState, recorded_position
from dipsat.formats.saved_game import saved_game
from dipsat.formats.transcript import Transcript, write_transcript
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.game.ruling import refusal_of
from dipsat.game.submissions import read_submissions
from dipsat.orders.order import Convoy, Hold, Order, SupportHold, SupportMove, UnitName, Waive
from dipsat.orders.writer import NOTATIONS, write_order
from dipsat.play.game import Game, Turn
from dipsat.profiles.load import DEFAULT_RULES, load_profile
from dipsat.profiles.profile import Profile

_BY_SUFFIX = {".jsonl": "diplomacy", ".txt": "datc"}
_FORMATS = tuple(dict.fromkeys(("dipsat", "diplomacy", *NOTATIONS)))


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
    return _game(read_game_document(value, "game"), "", "", check=True)


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
        orders = [_plain(turn.orders, turn.position, turn.rules) for turn in game.history]
        orders.append(_plain(game.orders, game.position, game.profile))
        board = game.position.map
        saved = saved_game(states, orders, board, game.name or "dipsat", game.map_name, game.rules)
        return json.dumps(saved) + "\n"
    first = game.history[0].position if game.history else game.position
    start = Position.start(first.map).with_words(first.words)
    if first.to_dict() != start.to_dict():
        raise GameError(
            "a text holds only orders, and this game did not start on the map's first board; save "
            "it as .json, .yaml or .jsonl"
        )
    done = [
        (turn.position.phase, _named(turn.orders, turn.position, turn.rules))
        for turn in game.history
    ]
    done.append((game.phase, _named(game.orders, game.position, game.profile)))
    words = game.position.words
    return write_transcript(game.position.map, game.map_name, game.rules, done, format, words)


def _plain(
    orders: Mapping[str, tuple[str, ...]], position: Position, rules: Profile
) -> dict[str, list[str]]:
    """The orders in the notation of the `diplomacy` package."""
    meant = _meant(orders, position, rules)
    return {
        power: [write_order(order, position.map) for order in own] for power, own in meant.items()
    }


def _meant(
    orders: Mapping[str, tuple[str, ...]], position: Position, rules: Profile
) -> dict[str, list[Order]]:
    """The orders as the rules read them. No notation has one that nobody can read, or that names
    no province: its unit holds; without a unit, or in other phases, it is left out."""
    is_movement = position.phase.kind is PhaseKind.MOVEMENT
    found: dict[str, list[Order]] = {power: [] for power in orders}
    for one in read_submissions(position, orders, rules.settings):
        order = one.order
        if refusal_of(one) is None:
            found[one.power].append(order)
        elif is_movement and not isinstance(order, Waive) and order.unit.location:
            found[one.power].append(Hold(order.unit))
    return found


def _named(
    orders: Mapping[str, tuple[str, ...]], position: Position, rules: Profile
) -> dict[str, list[Order]]:
    """The orders with power and kind of every unit on the board; some notations need them."""

    def full(named: UnitName) -> UnitName:
        unit = position.by_province.get(province_of(named.location))
        known = unit is not None and named.kind in (None, unit.kind) and named.power is None
        return replace(named, kind=unit.kind, power=unit.power) if unit and known else named

    found: dict[str, list[Order]] = {}
    for power, own in _meant(orders, position, rules).items():
        found[power] = []
        for order in own:
            if isinstance(order, SupportHold | SupportMove):
                order = replace(order, supported=full(order.supported))
            elif isinstance(order, Convoy):
                order = replace(order, army=full(order.army))
            found[power].append(order)
    return found


def load_game(path: str | Path, map: str | Path | Map | None, check: bool) -> Game:
    """The one game of a file; see `Game.load`."""
    games = load_games(path, map, check=check)
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
    board = map if isinstance(map, Map) or map is None else load_map(map)
    name = map.name if isinstance(map, Map) else str(map) if map is not None else ""
    for found in read_games(path, board):
        if isinstance(found, Transcript):
            yield _played(found, str(path), name)
        else:
            yield _game(found, str(path), name, check)


def _played(found: Transcript, shown: str, map_name: str) -> Game:
    """The game of a text that holds only orders; its last phase is the one to come."""
    rules = _rules(found.rules, shown, shown)
    position, map_name = Position.start(found.board), map_name or found.map_name
    game = Game(position, rules, rules_name=found.rules or "", map_name=map_name)
    waiting = False
    for number, (phase, orders) in enumerate(found.phases):
        if number and not game.is_over and not waiting:
            game.advance()
        waiting = False
        while game.phase != phase and game.phase.kind is not PhaseKind.MOVEMENT:
            game.advance()  # the text leaves out a phase in which nobody ordered anything
        if game.phase != phase and not orders and phase.kind is not PhaseKind.MOVEMENT:
            waiting = True  # a heading for a phase in which nobody has anything to order
            continue
        if game.phase != phase:
            raise FileError(shown, f"{phase} does not come next; the game is in {game.phase}")
        _submit(game, orders, shown)
    return game


def _submit(game: Game, orders: Mapping[str, tuple[str, ...]], source: str) -> None:
    if any(orders.values()):
        try:
            game.submit(orders, keep_unreadable=True)
        except (
            GameError,
            OrderFaultError,
            AmbiguousNameError,
            OrderSyntaxError,
            UnknownNameError,
        ) as error:
            raise FileError(source, f"{game.phase}: {error}") from None


def _rules(name: str | None, source: str, path: str) -> Profile:
    """The profile that a file names; a path is looked for beside the file, then as it stands."""
    found = name or DEFAULT_RULES
    try:
        try:
            return load_profile(found, Path(path).parent)
        except FileError:
            return load_profile(found)
    except DipsatError as error:
        raise FileError(source, f"rules: {error}") from None


def _game(found: RecordedGame, path: str, map_name: str, check: bool) -> Game:
    """The game that a record states, going on from its last board."""
    profile = _rules(found.rules, found.source, path)
    history: list[Turn] = []
    for record in found.phases:
        last = history[-1] if history else None
        position = _position(found.board, record.before, last).with_words(profile.words)
        if found.is_own and check and last is not None:
            _check(found.source, last, position)
        history.append(Turn(position, record.orders, profile))
    final = found.phases[-1]
    orders: Mapping[str, tuple[str, ...]] = {}
    if final.after is None:  # the phase to come, with what was submitted so far
        last = history.pop()
        position, orders = last.position, last.orders
    else:
        position = _position(found.board, final.after, history[-1])
        position = position.with_words(profile.words)
    name = map_name or found.map_name or ""
    game = Game(
        position, profile,
        name=found.name, rules_name=found.rules or "", map_name=name, history=history,
    )  # fmt: skip
    _submit(game, orders, found.source)
    return game


def _position(board: Map, state: RecordedState, last: Turn | None) -> Position:
    """A recorded board; `last` is the phase before."""
    phase = state.phase
    if phase is None:  # the game is over; had it gone on, this would come next
        assert last is not None
        phase = last.outcome.next.phase
    known = {lost.unit: lost.retreats for lost in last.outcome.dislodged} if last else {}
    return recorded_position(board, state, phase, known)


def _check(source: str, last: Turn, position: Position) -> None:
    """Refuse a position that does not follow from the turn before."""
    expected, found = last.outcome.next.to_dict(), position.to_dict()
    for key, value in expected.items():
        if found[key] != value:
            raise FileError(
                source,
                f"{position.phase}: its {key} contradict the history: after {last.position.phase} "
                f"the {key} should be {value}, not {found[key]}",
            )
