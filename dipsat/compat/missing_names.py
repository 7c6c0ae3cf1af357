"""Errors for names of the package `diplomacy` that dipsat does not have."""

from __future__ import annotations

from dipsat.errors import MissingModuleNameError, MissingNameError

_NETWORK = "dipsat plays no games over a network; use the package itself for that"
_INSTEAD = {
    **dict.fromkeys(("compact", "vet", "alias", "rearrange"), "`aliases` has the names"),
    "convoy_paths": "ask dipsat: `game.adjudication` says why a convoy fails",
    "svg_path": "use `Renderer` or dipsat.draw",
    "combat": "use `game.adjudication`, whose reasons name the strengths",
}
_OF_NETWORK = (
    "connect", "NetworkGame", "Server", "Connection", "connection", "client", "server", "daide",
    "communication", "registration_password", "observer_level", "n_controls", "daide_port",
)  # fmt: skip


def _why(name: str) -> str:
    return _NETWORK if name in _OF_NETWORK else _INSTEAD.get(name, "docs/drop-in.md has a list")


def missing(owner: str, name: str) -> MissingNameError:
    """The error for an attribute of a class."""
    return MissingNameError(owner, name, "" if name[:2] == "__" else _why(name))


def missing_in_module(module: str, name: str) -> Exception:
    """The error for a name of a module, in a form that `from ... import` shows."""
    if name[:2] == "__":
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    is_of_network = any(part in _OF_NETWORK for part in module.split("."))
    return MissingModuleNameError(module, name, _NETWORK if is_of_network else _why(name))
