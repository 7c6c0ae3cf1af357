"""Solving clauses with Z3's solver for finite domains, or with a SAT solver if one is installed.

Both agree on what is satisfiable; the SAT solver (the package python-sat, which some computers
lack) is quicker on large systems. Which of several solutions is found depends on the solver, but
not on the machine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from struct import calcsize
from typing import Any, Protocol

from dipsat.errors import SolverError
from dipsat.solving.budget import MOST_STEPS, TOO_MANY, Budget, ExhaustedError, Slices
from dipsat.solving.models import fresh_context
from dipsat.solving.z3_module import Z3 as Z3, z3_module

AUTO, SAT = "auto", "sat"
SOLVERS = (AUTO, Z3, SAT)
"""The names of the solvers. `auto` takes the SAT solver if it is installed, else Z3."""
_MOST_PROPAGATIONS = (
    2 ** (8 * calcsize("l") - 1) - 1
)  # of one question to the SAT solver: a long of C

_NO_LIMIT = 0  # of steps, for either solver


class ClauseSolver(Protocol):
    """An incremental solver: clauses are added, assumptions change from question to question, and
    all questions have one budget."""

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses permanently."""

    def solve(self, assumptions: Sequence[int]) -> frozenset[int] | None:
        """The variables that are true in some assignment in which the assumptions hold, None if
        there is none. Ctrl-C ends the search at once."""


def clause_solver(name: str = AUTO, budget: Budget | None = None) -> ClauseSolver:
    """A solver of `SOLVERS`. Raises `SolverError` for any other name, or if it is not installed."""
    if name not in SOLVERS:
        raise SolverError(name, f"is not a solver; there are {', '.join(SOLVERS)}")
    if name == Z3 or (name == AUTO and not has_sat_solver()):
        return _Z3Solver(budget or Budget())
    if not has_sat_solver():
        raise SolverError(name, "needs the package python-sat: pip install 'dipsat[sat]'")
    return _SatSolver(budget or Budget())


def has_sat_solver() -> bool:
    """Whether python-sat is installed."""
    return find_spec("pysat") is not None


class _Z3Solver:
    def __init__(self, budget: Budget) -> None:
        z3 = z3_module()

        self._budget = budget
        self._context = fresh_context()
        self._spent = 0
        self._solver = z3.SolverFor("QF_FD", ctx=self._context)
        self._solver.set("ctrl_c", False)  # the waiting thread is interrupted instead

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        lines = [" ".join(map(str, (*clause, 0))) for clause in clauses]
        if lines:
            self._solver.from_string("\n".join((f"p cnf 1 {len(lines)}", *lines)))

    def solve(self, assumptions: Sequence[int]) -> frozenset[int] | None:
        z3 = z3_module()

        wanted = []
        for literal in assumptions:
            variable = z3.Bool(abs(literal), self._context)
            wanted.append(variable if literal > 0 else z3.Not(variable))
        left, interrupt = self._budget.left, self._context.interrupt
        self._allow(_NO_LIMIT if left is None else left)
        slices = Slices(self._allow, lambda answer: bool(answer == z3.unknown))
        answer = self._budget.wait(lambda: self._solver.check(*wanted), interrupt, slices)
        self._count()
        if answer == z3.unsat:
            return None
        if answer != z3.sat:
            raise ExhaustedError(TOO_MANY)
        return frozenset(self._true_in(self._solver.model()))

    def _allow(self, steps: int) -> None:
        self._solver.set("rlimit", min(steps, MOST_STEPS))

    def _true_in(self, model: Any) -> Iterator[int]:
        """The true variables of a model, through Z3's own interface. The objects that z3py makes
        for each variable take ten times as long, most of a search."""
        z3 = z3_module()

        context, values = self._context.ref(), model.model
        for at in range(z3.Z3_model_get_num_consts(context, values)):
            variable = z3.Z3_model_get_const_decl(context, values, at)
            value = z3.Z3_model_get_const_interp(context, values, variable)
            if z3.Z3_get_bool_value(context, value) == z3.Z3_L_TRUE:
                yield z3.Z3_get_symbol_int(context, z3.Z3_get_decl_name(context, variable))

    def _count(self) -> None:
        """Spend the steps that Z3 used; it counts all questions of a context together."""
        spent = int(self._solver.statistics().get_key_value("rlimit count"))
        steps, self._spent = max(0, spent - self._spent), spent
        self._budget.spend(steps)


class _SatSolver:
    def __init__(self, budget: Budget, with_proof: bool = False) -> None:
        from pysat.solvers import Glucose4  # type: ignore[import-untyped]  # it has no stubs

        self._solver = Glucose4(incr=False, with_proof=with_proof)
        self._budget, self._done = budget, 0

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        # As `append_formula` does, without a loop in Python.
        deque(map(self._solver.add_clause, clauses), maxlen=0)

    def solve(self, assumptions: Sequence[int]) -> frozenset[int] | None:
        wanted = list(assumptions)
        self._solver.clear_interrupt()
        # A propagation counts as a step. The limit of the question before must not stay.
        left = self._budget.left
        most = _NO_LIMIT if left is None else min(max(1, left), _MOST_PROPAGATIONS)
        self._solver.prop_budget(most)
        answer = self._budget.wait(
            lambda: self._solver.solve_limited(wanted, expect_interrupt=True),
            self._solver.interrupt,
            Slices(self._solver.prop_budget, lambda answer: answer is None),
        )
        self._count()
        if answer is None:
            raise ExhaustedError(TOO_MANY)
        return frozenset(one for one in self._solver.get_model() if one > 0) if answer else None

    def proof(self) -> str:
        """The proof that the clauses contradict each other, if the solver keeps one."""
        return "\n".join((*self._solver.get_proof(), ""))

    def _count(self) -> None:
        """Spend the propagations since the last question."""
        done = int(self._solver.accum_stats()["propagations"])
        steps, self._done = done - self._done, done
        self._budget.spend(steps)


def proof_of(clauses: Iterable[Sequence[int]], budget: Budget) -> str | None:
    """The SAT solver's proof in DRAT that clauses have no solution; None if they have one."""
    solver = _SatSolver(budget, with_proof=True)
    solver.add(clauses)
    return solver.proof() if solver.solve(()) is None else None
