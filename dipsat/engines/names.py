"""The names of the engines. Loading nothing else keeps the start of commands quick."""

from __future__ import annotations

SOLVER = "solver"
"""The engine that proves its answers; the others are for comparison with it."""

MODULES = {
    SOLVER: "solver",
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
