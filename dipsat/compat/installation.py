"""Putting the stand-in in place of the package."""

from __future__ import annotations

import sys

import dipsat.compat.diplomacy as diplomacy
from dipsat.compat.stand_in import MODULES, PACKAGE
from dipsat.errors import GameError


def install() -> None:
    """Put `dipsat.compat.diplomacy` in place of the package `diplomacy`, so that a program which
    imports the package runs on dipsat. Call it before the program imports the package.

    Raises `GameError` if the package itself is imported already.
    """
    if sys.modules.get(PACKAGE, diplomacy) is not diplomacy:
        raise GameError("the package diplomacy is imported already; call install() before that")
    for name in MODULES:
        below = f".{name}" if name else ""
        sys.modules[f"{PACKAGE}{below}"] = sys.modules[f"{diplomacy.__name__}{below}"]
