"""Games as the server of the package `diplomacy` keeps them, and its `Game.to_dict` returns them.

    {"game_id", "map_name", "rules", "phase", "powers", "state_history", "order_history"}

The histories have the earlier phases; the current board is under `powers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dipsat.board import Map
from dipsat.formats.json_text import FilePlace
from dipsat.formats.records import RecordedGame, Unread
from dipsat.formats.saved_game import read_saved_game

SERVED = "state_history"
"""The key that shows that an object is such a game."""
_SECTIONS = ("centers", "retreats")


def read_served_game(
    value: Any, shown: str, map: Map | None = None, unread: Unread | None = None
) -> RecordedGame:
    """The game that a parsed JSON object states; see `read_saved_game`."""
    place = FilePlace(shown)
    game = place.mapping(value)
    saved = {
        "id": game.get("game_id"), "map": game.get("map_name", "standard"),
        "rules": game.get("rules"), "phases": [*_phases(game, place)],
    }  # fmt: skip
    return read_saved_game(saved, shown, map, unread)


def _phases(game: Mapping[str, Any], place: FilePlace) -> Iterator[dict[str, Any]]:
    """The phases as in a saved game."""
    orders, messages = (
        place.at(key).mapping(game.get(key)) for key in ("order_history", "message_history")
    )
    for name, state in place.at(SERVED).mapping(game[SERVED]).items():
        phase = {"name": name, "state": state, "orders": orders.get(name)}
        yield phase | {"messages": messages.get(name)}
    here = place.at("powers")
    powers = {name: here.mapping(own) for name, own in here.mapping(game.get("powers")).items()}
    state = {key: {name: own.get(key) for name, own in powers.items()} for key in _SECTIONS}
    state["units"] = {name: [*_units(own, here.at(name))] for name, own in powers.items()}
    given = {name: [*_orders(own, here.at(name))] for name, own in powers.items()}
    phase = {"name": game.get("phase"), "state": state, "orders": given}
    yield phase | {"messages": game.get("messages")}


def _units(power: Mapping[str, Any], place: FilePlace) -> Iterator[str]:
    """The units of a power, the dislodged ones with a star."""
    yield from place.at("units").texts(power.get("units"))
    for unit in place.at("retreats").mapping(power.get("retreats")):
        yield f"*{unit}"


def _orders(power: Mapping[str, Any], place: FilePlace) -> Iterator[str]:
    """The orders of a power for this phase: those of units (under the rule NO_CHECK, these have a
    number instead of a unit), and those in winter."""
    for unit, order in place.at("orders").mapping(power.get("orders")).items():
        yield str(order) if unit.startswith("ORDER") else f"{unit} {order}"
    yield from place.at("adjust").texts(power.get("adjust"))
