"""Enumerating the resolutions of equations with Z3, or by cases where Z3 is not installed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dipsat.equations import Equations, Key, Ranges, SmtWriter
from dipsat.errors import SolverError
from dipsat.solving.budget import Budget, ExhaustedError, Slices, budget_of
from dipsat.solving.cases import CASE_ANALYSIS, resolutions_by_cases
from dipsat.solving.incremental_solver import incremental_solver

Z3 = "z3"
"""This solver's name in results and errors."""


def z3_module() -> Any:
    """Import and return the package z3. The import takes long, and most phases never need it.

    Raises `SolverError` if it is not installed.
    """
    try:
        import z3
    except ImportError:
        raise SolverError(
            Z3, "is not installed, and this needs it: pip install z3-solver"
        ) from None
    return z3


MAX_RESOLUTIONS = 64
"""The most resolutions of one subgraph that are listed; if there are more, the number is a lower
bound."""

Resolution = Mapping[Key, int]
"""A value for every decision of a subgraph (truth values as 0 and 1)."""


MAX_STEPS = 1_000_000
"""Z3's own steps (`rlimit`) for all questions about the equations of a phase, about two seconds. A
full board of the biggest map takes 42,000."""

_FEW_STEPS = 30_000  # over too soon for anybody waiting to notice


@dataclass(frozen=True, slots=True)
class Models:
    """The resolutions found. `complete` is false if the search stopped at a limit of time or steps
    or at `MAX_RESOLUTIONS`; `timed_out` says which. `solver` is the name of the solver that found
    them, "" if none was asked. `instead_of` is the name of a solver that is not installed and that
    it replaced."""

    resolutions: tuple[Resolution, ...]
    complete: bool = True
    timed_out: bool = False
    solver: str = ""
    instead_of: str = ""

    @property
    def verdict(self) -> str:
        """`unique`, `none`, `several`, or `unknown` if the time limit was not enough."""
        if len(self.resolutions) > 1:
            return "several"
        if not self.complete:
            return "unknown"
        return "unique" if self.resolutions else "none"


TIMED_OUT = Models((), complete=False, timed_out=True)
"""The result if there was no time to ask."""


def find_models(
    equations: Equations,
    name: Callable[[Key], str],
    bounds: Ranges,
    most: int = MAX_RESOLUTIONS,
    budget: Budget | None = None,
) -> Models:
    """All resolutions of `equations` (decision -> (right-hand side, whether it is a truth value)).

    `budget` limits all questions to Z3 together, by default to `MAX_STEPS` steps. The search stops
    after `most` resolutions. Ctrl-C raises `KeyboardInterrupt`. Raises `SolverError` if Z3 is not
    installed.
    """
    z3_module()  # without Z3, there is no need to write
    limit = budget_of(MAX_STEPS) if budget is None else budget
    writer = SmtWriter(name, bounds)
    text = writer.text(equations)
    with limit.uninterrupted():
        return _Enumeration(writer, text, limit).models(equations, most)


class _Enumeration:
    """Questions about one text."""

    def __init__(self, writer: SmtWriter, text: str, limit: Budget) -> None:
        self.writer, self.limit = writer, limit
        self.asked = incremental_solver(z3_module())
        self.solver, self.takes_long = self.asked.solver, False
        self.few = _FEW_STEPS if limit.left is None else max(1, min(_FEW_STEPS, limit.left))
        self.asked.allow(self.few)
        self.asked.begin(text)

    def models(self, equations: Equations, most: int) -> Models:
        """All models, or the first `most`. The steps are charged."""
        found = self._models(equations, most)
        self._charge()
        if not self.takes_long:  # such a solver may have been interrupted or have learned much
            self.asked.end()
        return found

    def _models(self, equations: Equations, most: int) -> Models:
        z3 = z3_module()

        found: list[Resolution] = []
        while len(found) < most:
            answer = self.answer()
            if answer == z3.unsat:
                return Models(tuple(found), solver=Z3)
            if answer != z3.sat:
                return Models(tuple(found), complete=False, timed_out=True, solver=Z3)
            resolution = _read(self.solver.model().sexpr(), self.writer, equations)
            found.append(resolution)
            self.solver.from_string(self.writer.differs(resolution))  # declarations remain
        return Models(tuple(found), complete=False, solver=Z3)

    def answer(self) -> Any:
        """Z3's answer; None when the steps or the time are up.

        Z3's own `timeout` is not used: if its timer fires before the search has begun, which
        happens with short limits on a busy machine, the signal is lost and the search never ends.
        """
        z3 = z3_module()

        if self.limit.is_over():
            return None
        answer = self.solver.check()
        if answer == z3.unknown and not self.limit.is_over():
            answer = self._long_answer()
        return answer

    def _long_answer(self) -> Any:
        """The answer to a question that takes many steps, in a thread that can be stopped."""
        self.takes_long = True
        self._charge()
        self.asked.allow(MAX_STEPS if self.limit.left is None else max(1, self.limit.left))
        try:
            slices = Slices(self.asked.allow, lambda answer: bool(answer == z3_module().unknown))
            return self.limit.wait(self.solver.check, self.asked.context.interrupt, slices)
        except ExhaustedError:
            return None
        finally:
            self._charge()
            self.asked.allow(self.few)

    def _charge(self) -> None:
        """Charge the steps since the last call, as counted by Z3."""
        found = _STEPS.search(repr(self.solver.statistics()))
        spent = int(found[1]) if found else 0  # before the first answer
        self.limit.charge(spent - self.asked.spent)
        self.asked.spent = spent


_STEPS = re.compile(r":rlimit-count +(\d+)")
VALUE = re.compile(r"\(define-fun (\|[^|]*\|) \(\) Bool\s+(true|false)\)")


def _read(model: str, writer: SmtWriter, equations: Equations) -> Resolution:
    """The values of all decisions in a model that Z3 has written as definitions. Writing all at
    once is much quicker than asking for each. Symbols that are left out may have either value."""
    values = {
        key: 0 if is_truth else writer.bounds(key)[0] for key, (_, is_truth) in equations.items()
    }
    for symbol, value in VALUE.findall(model):
        key, k = writer.symbols[symbol]
        if value == "true" and values[key] < k:
            values[key] = k
    return values


def find_resolutions(
    equations: Equations,
    name: Callable[[Key], str],
    bounds: Ranges,
    most: int = MAX_RESOLUTIONS,
    budget: Budget | None = None,
) -> Models:
    """The same as `find_models`, the resolutions sorted by their values; by case analysis if Z3 is
    not installed. If there are more than `most`, the two may return different ones.

    Raises `SolverError` if Z3 is not installed and case analysis takes too many steps.
    """
    limit = budget_of(MAX_STEPS) if budget is None else budget
    try:
        found = find_models(equations, name, bounds, most, limit)
    except SolverError as missing:
        ranges = {key: bounds(key) for key in equations}
        tried = resolutions_by_cases(equations, ranges, most, limit)
        if tried is None:
            why = "the decisions of this board depend on each other too much"
            raise SolverError(missing.name, f"{missing.problem}; {why}") from None
        listed, in_time = tried
        is_complete = in_time and len(listed) < most
        found = Models(tuple(listed), is_complete, not in_time, CASE_ANALYSIS, missing.name)
    # Z3 finds them in an order that depends on earlier questions.
    keys = sorted(equations)
    in_order = sorted(found.resolutions, key=lambda one: [one[key] for key in keys])
    return replace(found, resolutions=tuple(in_order))
