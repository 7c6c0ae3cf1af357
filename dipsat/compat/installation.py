"""Replacing the package by the stand-in."""

from __future__ import annotations

import sys

import dipsat.compat.diplomacy as diplomacy
from dipsat.compat.missing_names import missing_in_module
from dipsat.compat.stand_in import MODULES, PACKAGE
from dipsat.errors import GameError


class _Missing:
    """The last module finder, asked for modules that no other finder has found."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Raise `MissingModuleNameError` for a module of the package."""
        above, dot, last = name.rpartition(".")
        if name.partition(".")[0] == PACKAGE and dot:
            raise missing_in_module(above, last)


def install() -> None:
    """Replace the package `diplomacy` by `dipsat.compat.diplomacy`, so that a program which imports
    the package runs on dipsat. Call this before the program imports the package.

    Raises `GameError` if the package itself was imported before.
    """
    if sys.modules.get(PACKAGE, diplomacy) is not diplomacy:
        raise GameError("the package diplomacy is imported already; call install() before that")
    for name in MODULES:
        below = f".{name}" if name else ""
        sys.modules[f"{PACKAGE}{below}"] = sys.modules[f"{diplomacy.__name__}{below}"]
    if _Missing not in sys.meta_path:
        sys.meta_path.append(_Missing)
