"""Games as texts: how dipsat writes them for itself, for people and for other programs."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

from dipsat.base import plain
from dipsat.board import province_of
from dipsat.errors import GameError
from dipsat.formats.saved_game import FORMAT, RECORDED, VERSION, saved_game
from dipsat.formats.transcript import write_transcript
from dipsat.formats.turn import GameTurns, Turn
from dipsat.game import PhaseKind, Position, is_misplaced, read_submissions
from dipsat.orders import (
    Convoy,
    Hold,
    Order,
    SupportHold,
    SupportMove,
    UnitName,
    Waive,
    write_order,
)


def game_to_dict(game: GameTurns) -> dict[str, Any]:
    """The game as plain values."""
    phases: list[dict[str, Any]] = []
    for last, turn in zip((None, *game.turns), game.turns, strict=False):
        phase = {**turn.position.to_dict(), "orders": plain(turn.orders)}
        phase |= {"later": plain(turn.later)} if turn.later else {}
        phase |= {"deadline": turn.deadline} if turn.deadline else {}
        phase |= {"corrected": [*turn.corrected]} if turn.corrected else {}
        if last is not None and not follows(last, turn.position):
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


def write_json(game: GameTurns) -> str:
    """A game of dipsat in JSON."""
    return json.dumps(game_to_dict(game), indent=1, ensure_ascii=False) + "\n"


def write_yaml(game: GameTurns) -> str:
    """A game of dipsat in YAML."""
    import yaml

    return yaml.safe_dump(game_to_dict(game), sort_keys=False, allow_unicode=True)


def write_saved_game(game: GameTurns) -> str:
    """A saved game of the package `diplomacy`, one line of JSON. Raises `GameError` for a game
    whose owners are unknown."""
    board = game.turns[0].position.map
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
    where = game.turns[-1].rules.settings.build_where
    saved = saved_game(
        states, texts, board, game.name or "dipsat", game.map_name, game.rules,
        (board.build if where == "map" else where) == "any",
    )  # fmt: skip
    return json.dumps(saved) + "\n"


def write_text(game: GameTurns, notation: str) -> str:
    """The orders of a game below headings of phases. Raises `GameError` for a game whose boards do
    not follow from its orders."""
    first, words = game.turns[0].position, game.turns[-1].position.words
    board = first.map
    for last, turn in pairwise(game.turns):
        if last.winner is not None or not follows(turn_before(last, turn), turn.position):
            raise GameError(
                f"a text holds only orders, and the board of {turn.position.phase} does not follow "
                f"from those of {last.position.phase}; save the game as .json, .yaml or .jsonl"
            )
    if first.to_dict() != Position.start(board).with_words(first.words).to_dict():
        raise GameError(
            "a text holds only orders, and this game did not start on the map's first board; save "
            "it as .json, .yaml or .jsonl"
        )
    phases = [(turn.position.phase, named(turn)) for turn in game.turns]
    return write_transcript(board, game.map_name, game.rules, phases, notation, words)


def _meant(turn: Turn) -> dict[str, list[Order]]:
    """The orders as the rules read them. An order that is unreadable, names no province or belongs
    in another phase cannot be written in every notation: its unit holds; without a unit, or in
    other phases, it is left out."""
    found: dict[str, list[Order]] = {power: [] for power in turn.orders}
    for one in read_submissions(turn.position, turn.orders, turn.rules.settings, lenient=True):
        order = one.order
        if one.refusal is None and not is_misplaced(order, turn.position.phase):
            found[one.power].append(order)
        elif is_movement(turn) and not isinstance(order, Waive) and order.unit.location:
            found[one.power].append(Hold(order.unit))
    return found


def named(turn: Turn) -> dict[str, list[Order]]:
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


def turn_before(last: Turn, turn: Turn) -> Turn:
    """The phase just before a turn, if all that a record leaves out after `last` are retreats and
    adjustments without orders."""
    now = last.following()
    while now.position.phase != turn.position.phase and not is_movement(now):
        last, now = now, now.following()
    return last


def follows(last: Turn, position: Position) -> bool:
    """Whether a position is the result of the turn before in dipsat."""
    return last.outcome.next.to_dict() == position.to_dict()


def is_movement(turn: Turn) -> bool:
    """Whether units move in a phase."""
    return turn.position.phase.kind is PhaseKind.MOVEMENT
