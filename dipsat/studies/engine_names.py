"""The names of the engines. This file loads nothing else, so that commands start quickly."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from dipsat.base import SOLVER as SOLVER

MODULES = {
    SOLVER: "solver_engine",
    "partial_information": "partial_information",
    "recursive_guess": "recursive_guess",
    "decision_graph": "decision_graph",
    "simple_recursive": "simple_recursive",
    "dpjudge": "dpjudge",
    "dip_eval": "dip_eval",
}
"""Engine -> the module of this package that has it as `ENGINE`."""

TRACED = ("recursive_guess", "partial_information")
"""The names of the engines that can write a trace."""

ENGINES: tuple[str, ...] = tuple(MODULES)
"""The names of all engines, the solver first."""


def engine_named(name: str) -> Any:
    """Return the engine with one of these names, and load its module."""
    return import_module(f"dipsat.studies.{MODULES[name]}").ENGINE
