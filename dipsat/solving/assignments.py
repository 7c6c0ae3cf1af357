"""Questions to Z3 in a context of their own, so that earlier questions make no difference."""

from __future__ import annotations

from typing import Any

from dipsat.solving.budget import Budget, ExhaustedError, Slices, in_a_thread
from dipsat.solving.models import VALUE, z3_module


def find_assignment(text: str, budget: Budget) -> frozenset[str] | None:
    """An assignment that satisfies an SMT-LIB text over booleans, as the set of true symbols, each
    written `|name|`; None if there is none.

    Meant for many booleans and `at-most` constraints. The same text gives the same assignment.
    Raises `ExhaustedError` if the budget is too small.
    """
    z3 = z3_module()

    context = fresh_context()
    solver = z3.SolverFor("QF_FD", ctx=context)
    solver.set("ctrl_c", False)  # Z3's own handler can deadlock
    solver.from_string(text)
    slices = Slices(lambda steps: solver.set("rlimit", steps), lambda one: bool(one == z3.unknown))
    answer = budget.wait(solver.check, context.interrupt, slices)
    if answer == z3.unsat:
        return None
    if answer == z3.unknown:
        raise ExhaustedError("the solver cannot decide it")
    values = VALUE.findall(solver.model().sexpr())
    return frozenset(symbol for symbol, value in values if value == "true")


def can_hold(text: str, effort: int) -> bool | None:
    """Whether an SMT-LIB text is satisfiable; None if Z3 cannot decide it within `effort`.

    Meant for small texts with quantifiers. `effort` counts Z3's own steps (`rlimit`), so the answer
    is the same on every machine. A million steps take about a second.
    """
    z3 = z3_module()

    context, limit = fresh_context(), Budget()
    solver = z3.Solver(ctx=context)
    solver.set(ctrl_c=False, rlimit=effort)
    solver.from_string(text)
    with limit.uninterrupted():
        answer = limit.wait(solver.check, context.interrupt)
    return None if answer == z3.unknown else bool(answer == z3.sat)


def fresh_context() -> Any:
    """A new context, in which the same question always gets the same answer, as earlier questions
    play no part. It is made in another thread, so that Ctrl-C cannot leave it half made."""
    z3 = z3_module()
    started = in_a_thread(z3.Context)
    if started is None:
        return z3.Context()
    maker, made = started
    maker.join()
    return made.result()
