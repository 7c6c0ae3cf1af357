"""Z3 for many small questions. A thread keeps its solver, because making one takes longer."""

from __future__ import annotations

import threading
from typing import Any

from dipsat.solving.budget import MOST_STEPS

_MOST_QUESTIONS = 400  # per solver, which keeps all names and about a kilobyte a question
_THREAD = threading.local()


class IncrementalSolver:
    """A solver of pure booleans, with its context. `solver` is Z3's object. `spent` counts the
    steps charged so far, because Z3 counts those of all questions together."""

    def __init__(self, z3: Any) -> None:
        self.context: Any = z3.Context()
        self.solver: Any = z3.SolverFor("QF_FD", ctx=self.context)
        self.solver.set("ctrl_c", False)  # Z3's own handler can deadlock
        self.spent = 0
        self._allowed = 0
        self._asked = 0
        self._declared = set[str]()  # lines, which outlast their question

    def begin(self, text: str) -> None:
        """Begin a question about an SMT-LIB text with one declaration or assertion a line."""
        lines = [line for line in text.splitlines() if line not in self._declared]
        self._declared.update(line for line in lines if line.startswith("(declare-"))
        self._asked += 1
        self.solver.push()
        self.solver.from_string("\n".join(lines))

    def end(self) -> None:
        """End the question, and keep the solver for the next one in this thread."""
        self.solver.pop()
        if self._asked < _MOST_QUESTIONS:
            _THREAD.solver = self

    def allow(self, steps: int) -> None:
        """Allow each answer this many steps."""
        if steps != self._allowed:
            self._allowed = steps
            self.solver.set("rlimit", min(steps, MOST_STEPS))


def incremental_solver(z3: Any) -> IncrementalSolver:
    """The solver of this thread, or a new one, for which `z3` is the package. While it is in use,
    the thread has none, so a solver stopped by an error or an interrupt is not used again."""
    kept: IncrementalSolver | None = _THREAD.__dict__.pop("solver", None)
    return kept or IncrementalSolver(z3)
