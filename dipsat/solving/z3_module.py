"""Z3, which some computers lack: it is loaded when a question is put to it, and only then."""

from __future__ import annotations

from typing import Any

from dipsat.errors import SolverError

Z3 = "z3"
"""The name of this solver in results and errors."""


def z3_module() -> Any:
    """The package z3. It takes long to import, and most phases never need it.

    Raises `SolverError` if it is not installed.
    """
    try:
        import z3
    except ImportError:
        raise SolverError(
            Z3, "is not installed, and this takes it: pip install z3-solver"
        ) from None
    return z3
