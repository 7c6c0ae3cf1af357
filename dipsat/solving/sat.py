"""Solving clauses with Z3 or a SAT solver, counting true literals, and refuting them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from struct import calcsize
from typing import Any, Protocol

from dipsat.errors import SolverError
from dipsat.solving.assignments import find_assignment, fresh_context
from dipsat.solving.budget import MOST_STEPS, TOO_MANY, Budget, ExhaustedError, Slices
from dipsat.solving.models import Z3, z3_module

AUTO, SAT = "auto", "sat"
SOLVERS = (AUTO, Z3, SAT)
"""The names of the solvers. `auto` is the SAT solver if it is installed, else Z3."""
_MOST_PROPAGATIONS = (
    2 ** (8 * calcsize("l") - 1) - 1
)  # of one question to the SAT solver: C's largest long

_NO_LIMIT = 0  # of steps, for either solver


class ClauseSolver(Protocol):
    """An incremental solver: clauses are added, assumptions change from question to question, and
    all questions have one budget."""

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses permanently."""

    def solve(self, assumptions: Sequence[int]) -> frozenset[int] | None:
        """The variables that are true in some assignment in which the assumptions hold; None if
        there is no such assignment. Ctrl-C ends the search at once."""


def clause_solver(name: str = AUTO, budget: Budget | None = None) -> ClauseSolver:
    """The solver of this name. Raises `SolverError` if it is not in `SOLVERS` or not installed."""
    if name not in SOLVERS:
        raise SolverError(name, f"is not a solver; there are {', '.join(SOLVERS)}")
    if name == Z3 or (name == AUTO and not has_sat_solver()):
        return _Z3Solver(budget or Budget())
    _refuse_without_sat()
    return _SatSolver(budget or Budget())


def has_sat_solver() -> bool:
    """Whether python-sat is installed."""
    return find_spec("pysat") is not None


def _refuse_without_sat() -> None:
    if not has_sat_solver():
        raise SolverError(SAT, "needs the package python-sat: pip install 'dipsat[sat]'")


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
        """The true variables of a model, read through Z3's own interface. The objects that z3py
        makes for each variable take ten times as long, which would be most of a search."""
        z3 = z3_module()

        context, values = self._context.ref(), model.model
        for at in range(z3.Z3_model_get_num_consts(context, values)):
            variable = z3.Z3_model_get_const_decl(context, values, at)
            value = z3.Z3_model_get_const_interp(context, values, variable)
            if z3.Z3_get_bool_value(context, value) == z3.Z3_L_TRUE:
                yield z3.Z3_get_symbol_int(context, z3.Z3_get_decl_name(context, variable))

    def _count(self) -> None:
        """Spend the steps that Z3 has taken; it counts all questions of a context together."""
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
        # A propagation counts as a step. The last question's limit must not stay in force.
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


# --- counting -------------------------------------------------------------------------------------

# Counting true literals with clauses, in the one direction that upper bounds need: for each number,
# an unknown that is true if at least this many of the literals are true.


_FEW = 32
"""Up to this many literals, a tree counts with the fewest unknowns. Longer lists are in a
meaningful order, and counting in turn keeps to it: the solver learns about its beginnings."""


class Counters:
    """Makes counters. `last` is the greatest unknown so far."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.clauses: list[tuple[int, ...]] = []
        """The requirements on the new unknowns."""

    def counted(self, literals: Sequence[int], most: int) -> Sequence[int]:
        """For each number from 1 to `most`, an unknown that is true if at least this many of the
        literals are."""
        return (self.as_tree if len(literals) <= _FEW else self.in_turn)(literals, most)

    def limit(
        self,
        counts: Iterable[AtMost],
        counted: Callable[[Sequence[int], int], Sequence[int]],
    ) -> None:
        """Require these counts; `counted` is one of the ways to count."""
        for count in counts:
            reached = counted(count.literals, count.number + 1)
            self.clauses.append((*(-one for one in count.given), -reached[count.number]))

    def as_tree(self, literals: Sequence[int], most: int) -> Sequence[int]:
        """The same as `counted`, from sums of two halves (a totalizer: Bailleux and Boufkhad,
        Efficient CNF Encoding of Boolean Cardinality Constraints)."""
        if len(literals) <= 1:
            return literals[:most]
        half = len(literals) // 2
        left, right = self.as_tree(literals[:half], most), self.as_tree(literals[half:], most)
        size = min(len(literals), most)
        sums = range(self.last + 1, self.last + 1 + size)
        self.last += size
        for one in range(len(left) + 1):
            for other in range(len(right) + 1):
                if one + other:
                    parts = [-left[one - 1]] if one else []
                    parts += [-right[other - 1]] if other else []
                    self.clauses.append((*parts, sums[min(one + other, size) - 1]))
        return sums

    def in_turn(
        self, literals: Sequence[int], most: int, before: Sequence[int] = ()
    ) -> Sequence[int]:
        """The same as `counted`, from sums of the first, the first two, and so on (a sequential
        counter: Sinz, Towards an Optimal CNF Encoding of Boolean Cardinality Constraints). `before`
        is the count of the literals before these."""
        for literal in literals:
            size = min(len(before) + 1, most)
            after = range(self.last + 1, self.last + 1 + size)
            self.last += size
            for level, reached in enumerate(after):
                if level < len(before):
                    self.clauses.append((-before[level], reached))
                lower = (-before[level - 1],) if level else ()
                self.clauses.append((-literal, *lower, reached))
            before = after
        return before


# --- cardinality ----------------------------------------------------------------------------------

# Clauses and counts over Boolean unknowns and a count to minimise, solved as clauses.


_SLICE = 100_000_000
"""The first steps for a count: some seconds, enough for most counts."""
_GLIMPSE = 5_000_000
"""Steps for a count under assumptions that only guide the search, less than a second."""
_PART = 8  # the next solution is to save 1 / _PART of a count, as long as that works


@dataclass(frozen=True, slots=True)
class AtMost:
    """At most `number` of the literals are true if all literals of `given` are."""

    number: int
    literals: tuple[int, ...]
    given: tuple[int, ...] = ()


@dataclass(slots=True)
class CardinalityProblem:
    """The requirements on unknowns. Unknowns are numbered from 1; the literal -n says that the
    unknown n is false."""

    unknowns: int = 0
    clauses: list[tuple[int, ...]] = field(default_factory=list)
    counts: list[AtMost] = field(default_factory=list)
    minimised: tuple[int, ...] = ()
    """Literals of which as few as possible are to be true."""

    def unknown(self) -> int:
        """A new unknown."""
        self.unknowns += 1
        return self.unknowns

    def require(self, *literals: int) -> None:
        """Require that one of the literals is true."""
        self.clauses.append(literals)

    def at_most(self, number: int, literals: Iterable[int], given: Sequence[int] = ()) -> None:
        """Require that at most `number` of the literals are true if all of `given` are."""
        listed = tuple(literals)
        if number < 0:
            self.require(*(-literal for literal in given))
        elif number < len(listed):
            self.counts.append(AtMost(number, listed, tuple(given)))

    def at_least(self, number: int, literals: Iterable[int], given: Sequence[int] = ()) -> None:
        """Require that at least `number` of the literals are true if all of `given` are."""
        listed = tuple(literals)
        self.at_most(len(listed) - number, (-literal for literal in listed), given)

    def any_of(self, literals: Iterable[int]) -> int:
        """A literal that is true exactly if one of these is."""
        listed = tuple(dict.fromkeys(literals))
        if len(listed) == 1:
            return listed[0]
        found = self.unknown()
        self.require(-found, *listed)
        for literal in listed:
            self.require(-literal, found)
        return found


class Fewest:
    """Looks for solutions of a problem with few of `minimised` true, with one learning solver."""

    def __init__(
        self, problem: CardinalityProblem, solver: str = AUTO, budget: Budget | None = None
    ) -> None:
        self._minimised = frozenset(problem.minimised)
        self._of_problem = problem.unknowns
        counters = Counters(problem.unknowns)
        counters.limit(problem.counts, counters.counted)
        self._reached = counters.in_turn(problem.minimised, len(problem.minimised))
        self._budget = budget or Budget()
        self._solver = clause_solver(solver, self._budget)
        self._solver.add([*problem.clauses, *counters.clauses])
        self.bound = 0
        """It is proven that no solution has fewer."""
        self.best: frozenset[int] | None = None
        """The true unknowns of the best solution so far."""

    @property
    def count(self) -> int:
        """The number of `minimised` literals that are true in the best solution so far."""
        return len((self.best or frozenset()) & self._minimised)

    def search(
        self, report: Callable[[], None] = lambda: None, guides: Iterable[Sequence[int]] = ()
    ) -> None:
        """Find a solution with the fewest. Afterwards `best` is None if there is no solution; else
        its count is `bound`. `report` is called after each step. `guides` are assumptions under
        which good solutions may be found soon; such solutions are tried first.

        Raises `ExhaustedError` if the budget is too small; `best` and `bound` hold what was found.
        """
        self.best = self._solve(())
        for guide in guides if self.best is not None else ():
            self._improve(guide, report)
        slice_ = _SLICE
        while self.best is not None and self.bound < self.count:
            report()
            if not any(self._settled(aim, steps) for aim, steps in self._aims(slice_)):
                slice_ *= 2

    def _improve(self, guide: Sequence[int], report: Callable[[], None]) -> None:
        """Look for better solutions under assumptions, much better ones first, with few steps for
        each question."""
        saved = max(1, self.count // _PART)
        while saved and self.count > self.bound:
            better = None
            try:
                with self._budget.no_more_than(_GLIMPSE):
                    better = self._solve((-self._reached[self.count - saved], *guide))
            except ExhaustedError:
                if self._budget.is_over():
                    raise
            if better is None:
                saved = 0 if saved == 1 else 1
            else:
                self.best = better
                report()

    def _aims(self, steps: int) -> tuple[tuple[int, int], ...]:
        """The counts to ask for, with the steps for each: the middle; if that is hard, lower ones,
        which are refuted soon if at all, and a higher one with easier solutions."""
        low, high = self.bound, self.count
        middle = (low + high) // 2
        lower, lowest = (low + middle) // 2, (3 * low + middle) // 4
        higher = (middle + high) // 2
        return (middle, steps), (lower, steps // 4), (lowest, steps // 4), (higher, steps)

    def _settled(self, aim: int, steps: int) -> bool:
        """Whether these steps decide if a solution has at most `aim`; sets `best` or `bound`."""
        try:
            with self._budget.no_more_than(steps):
                better = self._solve((-self._reached[aim],))
        except ExhaustedError:
            if self._budget.is_over():
                raise
            return False
        if better is None:
            self.bound = aim + 1
        else:
            self.best = better
        return True

    def each(self, count: int, of: Iterable[int]) -> Iterator[frozenset[int]]:
        """All solutions with at most `count`, one for each set of true unknowns among `of`.
        Afterwards the solver has no solution left."""
        distinct = tuple(of)
        wanted = (-self._reached[count],) if count < len(self._reached) else ()
        while (found := self._solve(wanted)) is not None:
            yield found
            self._solver.add([tuple(-one for one in distinct if one in found)])

    def _solve(self, assumptions: Sequence[int]) -> frozenset[int] | None:
        found = self._solver.solve(assumptions)
        return None if found is None else frozenset(n for n in found if n <= self._of_problem)


# --- refutation -----------------------------------------------------------------------------------

# Refuting a problem of clauses and counts so that others can check it: as DIMACS with a proof in
# DRAT, for proof checkers, or by Z3, which counts without clauses.


def refutation_of(
    problem: CardinalityProblem, names: Sequence[str], budget: Budget
) -> tuple[str, str] | None:
    """A problem as clauses in DIMACS, with the names of the unknowns as comments, and the SAT
    solver's DRAT proof that there is no solution; None if there is one. Raises `SolverError` if the
    solver is not installed."""
    _refuse_without_sat()
    clauses, solver = clauses_of(problem), _SatSolver(budget, with_proof=True)
    solver.add(clauses)
    if solver.solve(()) is not None:
        return None
    return _dimacs(clauses, names), solver.proof()


def solution_by_z3(
    problem: CardinalityProblem, names: Sequence[str], budget: Budget
) -> frozenset[str] | None:
    """The names of the unknowns that are true in a solution, found by Z3 with its own counts; None
    if there is no solution. Raises `SolverError` if Z3 is not installed."""
    found = find_assignment(smt_lib(problem, names), budget)
    return None if found is None else frozenset(name.strip("|") for name in found)


def smt_lib(problem: CardinalityProblem, names: Sequence[str]) -> str:
    """A problem in SMT-LIB 2, with Z3's `at-most`."""

    def literal(one: int) -> str:
        return f"|{names[one - 1]}|" if one > 0 else f"(not |{names[-one - 1]}|)"

    lines = [f"(declare-const |{name}| Bool)" for name in names]
    for clause in problem.clauses:
        lines.append(f"(assert (or false {' '.join(map(literal, clause))}))")
    for count in problem.counts:
        most = f"((_ at-most {count.number}) {' '.join(map(literal, count.literals))})"
        given = " ".join(literal(-one) for one in count.given)
        lines.append(f"(assert (or {given} {most}))")
    return "\n".join(lines)


def clauses_of(problem: CardinalityProblem) -> list[Sequence[int]]:
    """The clauses of a problem, with extra unknowns for its counts."""
    counters = Counters(problem.unknowns)
    counters.limit(problem.counts, counters.as_tree)
    return [*problem.clauses, *counters.clauses]


def _dimacs(clauses: Sequence[Sequence[int]], names: Sequence[str]) -> str:
    last = max((abs(one) for clause in clauses for one in clause), default=0)
    heads = [f"c {number} {name}" for number, name in enumerate(names, 1)]
    heads.append(f"p cnf {max(last, len(names))} {len(clauses)}")
    return "\n".join([*heads, *(" ".join(map(str, (*clause, 0))) for clause in clauses), ""])
