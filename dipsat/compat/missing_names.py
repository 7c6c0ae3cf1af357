"""Errors for names of the package `diplomacy` that dipsat does not have."""

from __future__ import annotations

from dipsat.errors import MissingModuleNameError, MissingNameError

_NETWORK = "dipsat plays no games over a network; use the package itself for that"
_INSTEAD = {
    **dict.fromkeys(("compact", "vet", "alias", "rearrange"), "`aliases` has the names"),
    "convoy_paths": "ask dipsat: `game.adjudication` says why a convoy fails",
    "svg_path": "use `Renderer` or dipsat.draw",
    "combat": "use `game.adjudication`, whose reasons name the strengths",
    "supports": "use `game.adjudication`, whose reasons name the supports",
    "lost": "compare `get_centers()` before and after `process()`",
    "is_fixed_state_unchanged": "compare `game.position` before and after",
    "constants": "write the number into the program; `Game().rules` has the rules of a game",
    "common": "use Python's library: `time.time_ns() // 1000` is a timestamp",
    "time": "use Python's `datetime`",
    "sorted_dict": "use `dict`: histories are dictionaries in chronological order",
    "maps": "dipsat.load_map reads the maps",
}
_OF_NETWORK = (
    "client", "communication", "connect", "control", "daide", "deadline", "dummy", "exception",
    "integration", "network", "observ", "password", "server", "token", "vote",
)  # fmt: skip
"""Parts of names that are about a network."""


def _why(name: str, module: str = "") -> str:
    if any(part in f"{module} {name}".lower() for part in _OF_NETWORK):
        return _NETWORK
    return _INSTEAD.get(name, "`dir` lists its names")


def missing(owner: str, name: str) -> MissingNameError:
    """The error for an attribute of a class."""
    return MissingNameError(owner, name, "" if name[:2] == "__" else _why(name))


def missing_in_module(module: str, name: str) -> Exception:
    """The error for a name of a module, in a form that `from ... import` shows."""
    if name[:2] == "__":
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    return MissingModuleNameError(module, name, _why(name, module))
