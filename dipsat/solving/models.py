"""Enumerating the resolutions of a set of equations with Z3. The only module that imports z3."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dipsat.equations.terms import Key, Term
from dipsat.solving.lowering import Bounds, Lowering

MAX_RESOLUTIONS = 64
"""How many resolutions of one subgraph are listed; beyond it the number is a lower bound."""

_DEFINITION = re.compile(r"\(define-fun (\|[^|]*\|) \(\) Bool\s+(true|false)\)")

Resolution = Mapping[Key, int]
"""A value for every decision of a subgraph (truth values as 0 and 1)."""


@dataclass(frozen=True, slots=True)
class Models:
    """The resolutions found. `complete` is false where the search stopped at the time limit or at
    `MAX_RESOLUTIONS`; `timed_out` tells which."""

    resolutions: tuple[Resolution, ...]
    complete: bool = True
    timed_out: bool = False

    @property
    def verdict(self) -> str:
        """`unique`, `none`, `several`, or `unknown` if the time did not suffice to tell."""
        if len(self.resolutions) > 1:
            return "several"
        if not self.complete:
            return "unknown"
        return "unique" if self.resolutions else "none"


def find_models(
    equations: Mapping[Key, tuple[Term, bool]],
    name: Callable[[Key], str],
    bounds: Bounds,
    time_limit_ms: int | None = None,
    most: int = MAX_RESOLUTIONS,
) -> Models:
    """All resolutions of `equations` (decision -> (right-hand side, whether a truth value)).

    `time_limit_ms` bounds each question to Z3, in milliseconds; the search stops at `most`.
    """
    import z3  # slow to import, and most phases never need it

    lowering = Lowering(name, bounds)
    text = lowering.text(equations)
    context = z3.Context()
    solver = z3.SimpleSolver(ctx=context)
    if time_limit_ms is not None:
        solver.set("timeout", time_limit_ms)
    declarations = {
        symbol.strip("|"): z3.Bool(symbol.strip("|"), context) for symbol in lowering.symbols
    }
    solver.from_string(text)
    found: list[Resolution] = []
    while len(found) < most:
        answer = solver.check()
        if answer == z3.unsat:
            return Models(tuple(found))
        if answer == z3.unknown:
            return Models(tuple(found), complete=False, timed_out=True)
        resolution = _read(solver.model(), lowering, equations, bounds)
        found.append(resolution)
        literals = [
            z3.Not(declarations[symbol.strip("|")])
            if resolution[key] >= k
            else declarations[symbol.strip("|")]
            for symbol, (key, k) in lowering.symbols.items()
        ]
        solver.add(z3.Or(literals) if literals else z3.BoolVal(False, context))
    return Models(tuple(found), complete=False)


def _read(
    model: object,
    lowering: Lowering,
    equations: Mapping[Key, tuple[Term, bool]],
    bounds: Bounds,
) -> Resolution:
    """The values in a model; one text for all is far quicker than asking literal by literal."""
    values = {key: 0 if is_truth else bounds(key)[0] for key, (_, is_truth) in equations.items()}
    for symbol, value in _DEFINITION.findall(model.sexpr()):  # type: ignore[attr-defined]  # z3
        if symbol in lowering.symbols and value == "true":
            key, k = lowering.symbols[symbol]
            values[key] = max(values[key], k)
    return values
