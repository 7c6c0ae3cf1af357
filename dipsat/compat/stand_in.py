"""The modules that stand in for the package `diplomacy`."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from dipsat.compat.missing_names import missing_in_module
from dipsat.compat.order_results import (
    BOUNCE,
    CUT,
    DISBAND,
    DISLODGED,
    DISRUPTED,
    MAYBE,
    NO_CONVOY,
    OK,
    VOID,
    OrderResult,
)
from dipsat.compat.package_game import Game
from dipsat.compat.package_map import Map
from dipsat.compat.package_power import Power
from dipsat.compat.package_renderer import Renderer
from dipsat.compat.phase_data import GLOBAL, OBSERVER, OMNISCIENT, SYSTEM, GamePhaseData, Message
from dipsat.compat.saved_exchange import (
    from_saved_game_format,
    is_valid_saved_game,
    load_saved_games_from_disk,
    to_saved_game_format,
)
from dipsat.errors import DipsatError, UnknownNameError

PACKAGE = "diplomacy"
_RESULTS = {
    "OK": OK, "NO_CONVOY": NO_CONVOY, "BOUNCE": BOUNCE, "VOID": VOID, "CUT": CUT,
    "DISLODGED": DISLODGED, "DISRUPTED": DISRUPTED, "DISBAND": DISBAND, "MAYBE": MAYBE,
}  # fmt: skip
_EVERYBODY = {
    "GLOBAL": GLOBAL, "SYSTEM": SYSTEM, "OBSERVER": OBSERVER, "OMNISCIENT": OMNISCIENT
}  # fmt: skip
_EXPORT = {
    "to_saved_game_format": to_saved_game_format,
    "from_saved_game_format": from_saved_game_format,
    "load_saved_games_from_disk": load_saved_games_from_disk,
    "is_valid_saved_game": is_valid_saved_game,
}
_EXCEPTIONS = {"DiplomacyException": DipsatError, "MapPowerException": UnknownNameError}
_STRINGS = "utils.strings"
_SETS = (
    "ALL_COMM_LEVELS", "ALL_GAME_STATUSES", "ALL_GRADES", "ALL_GRADE_UPDATES", "ALL_ROLE_TYPES",
    "ALL_STATE_TYPES", "ALL_VOTE_DECISIONS",
)  # fmt: skip
"""Names in the package that are not a text."""
MODULES: dict[str, dict[str, Any]] = {
    "": {},
    "engine": {},
    "engine.game": {"Game": Game},
    "engine.map": {"Map": Map},
    "engine.message": {"Message": Message, **_EVERYBODY},
    "engine.power": {"Power": Power},
    "engine.renderer": {"Renderer": Renderer},
    "utils": {},
    "utils.exceptions": _EXCEPTIONS,
    "utils.export": _EXPORT,
    "utils.game_phase_data": {"GamePhaseData": GamePhaseData},
    "utils.order_results": {**_RESULTS, "OrderResult": OrderResult},
    _STRINGS: {},
    # For the network: these raise errors that say that dipsat has none.
    "client": {}, "client.connection": {}, "client.network_game": {}, "communication": {},
    "daide": {}, "server": {}, "server.server": {}, "server.server_game": {},
}  # fmt: skip
"""Module in the package -> its names. The names of the package itself are in diplomacy.py."""


def fill(top: ModuleType) -> None:
    """Turn a module into the package, with all modules in it."""
    made = {"": top}
    for name, names in MODULES.items():
        full = f"{top.__name__}.{name}" if name else top.__name__
        module = made.setdefault(name, ModuleType(full))
        vars(module).update(names, __path__=[], __getattr__=_refusal(name or PACKAGE))
        if name:
            above, _, last = name.rpartition(".")
            setattr(made[above], last, module)
            sys.modules[full] = module


def _refusal(module: str) -> Any:
    def refuse(name: str) -> Any:
        if module == _STRINGS and name.isupper() and name not in _SETS:
            return name.lower()
        raise missing_in_module(module, name)

    return refuse
