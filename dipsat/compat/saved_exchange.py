"""Games in the format of files that the package `diplomacy` saves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any
from warnings import warn

from dipsat.base import open_file, write_bytes
from dipsat.compat.package_game import Game
from dipsat.compat.phase_data import GamePhaseData
from dipsat.errors import DipsatError, FileError
from dipsat.formats import parse_json, value_lines

_KEYS = ("id", "map", "rules", "phases")
_JUDGE = "profile"
"""The key for the name of dipsat's rules, as in games that dipsat saves."""


def to_saved_game_format(
    game: Game, output_path: str | Path | None = None, output_mode: str = "a"
) -> dict[str, Any]:
    """Return a game in the format of the package. With `output_path`, also append it as a line to
    that file (`a`) or replace the file (`w`).

    Unknown keys that `from_saved_game_format` found are kept. Raises `FileError`.
    """
    about = {"game_id": game.game_id, "map": game.map_name, "rules": list(game.rules)}
    phases = [one.to_dict() for one in (*game.get_phase_history(), game.get_phase_data())]
    for one in phases:
        one["state"] = {**one["state"], **about}
    found = {
        **game.saved_with, "id": game.game_id, "map": game.map_name, "rules": list(game.rules),
        "phases": phases, _JUDGE: game.judge,
    }  # fmt: skip
    if output_path is not None:
        old = b""
        if output_mode == "a" and Path(output_path).exists():
            with open_file(output_path) as stream:
                old = stream.read()
        line = json.dumps(found, separators=(",", ":")).encode()
        write_bytes(output_path, old + line + b"\n")
    return found


def from_saved_game_format(saved_game: Mapping[str, Any]) -> Game:
    """Return the game written by `to_saved_game_format` or by the package."""
    judge = {"judge": saved_game[_JUDGE]} if _JUDGE in saved_game else {}
    game = Game(
        saved_game["id"], map_name=saved_game["map"], rules=list(saved_game["rules"]), **judge
    )
    game.saved_with = {k: v for k, v in saved_game.items() if k not in (*_KEYS, _JUDGE)}
    *history, last = map(GamePhaseData.from_dict, saved_game["phases"])
    game.set_phase_data([*history, last])
    return game


def load_saved_games_from_disk(input_path: str | Path, on_error: str = "raise") -> list[Game]:
    """Return the games of a file with one game per line. `on_error` is what to do with a faulty
    game: `raise`, `warn` or `ignore`.

    Raises `FileError`.
    """
    found, shown = [], str(input_path)
    with open_file(input_path) as stream:
        for line in value_lines(stream, shown):
            try:
                if isinstance(line, FileError):
                    raise line
                number, data = line
                value = parse_json(data.decode(), shown, number)
                found.append(read_saved_game(value, f"{shown}:{number}"))
            except (DipsatError, UnicodeDecodeError) as error:
                if on_error == "raise":
                    raise
                if on_error == "warn":
                    warn(str(error), stacklevel=2)
    return found


def read_saved_game(value: Any, shown: str) -> Game:
    """The game in a value. Raises `FileError` about `shown` if it is not a game."""
    try:
        return from_saved_game_format(value)
    except (KeyError, TypeError, AttributeError, ValueError) as fault:
        if isinstance(fault, DipsatError):
            raise
        raise FileError(
            shown, f"is not a saved game of the package diplomacy ({fault!r})"
        ) from None


def is_valid_saved_game(saved_game: Mapping[str, Any]) -> bool:
    """Return whether `from_saved_game_format` can read a game and each of its phases follows from
    the one before under its judge."""
    try:
        game = from_saved_game_format(saved_game)
    except (DipsatError, KeyError, TypeError, AttributeError, ValueError):
        return False
    phases = [*game.get_phase_history(), game.get_phase_data()]
    replayed = Game(map_name=game.map_name, rules=list(game.rules), judge=game.judge)
    for one, then in pairwise(phases):
        replayed.set_state(one.state)
        for power, orders in one.orders.items():
            replayed.set_orders(power, orders or ())
        replayed.process()
        state = replayed.get_state()
        if state["name"] != then.name or _sorted(state["units"]) != _sorted(then.state["units"]):
            return False
    return True


def _sorted(units: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {power: sorted(own) for power, own in units.items()}
