"""Refuting a problem of clauses and counts, so that others can check it: as DIMACS with a proof in
DRAT, which checkers of proofs read, or by Z3, which counts without clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dipsat.errors import SolverError
from dipsat.solving.budget import Budget
from dipsat.solving.cardinality import AtMost, CardinalityProblem
from dipsat.solving.models import find_assignment
from dipsat.solving.sat import SAT, has_sat_solver, proof_of


@dataclass(frozen=True, slots=True)
class Refutation:
    """A problem as clauses, and the proof that it has no solution."""

    dimacs: str
    """The clauses in DIMACS, with the names of the unknowns as comments."""
    proof: str
    """The proof in DRAT."""


def refutation_of(
    problem: CardinalityProblem, names: Sequence[str], budget: Budget
) -> Refutation | None:
    """The proof that a problem has no solution, by the SAT solver; None if it has one.

    Raises `ExhaustedError` if the budget is not enough, and `SolverError` if the solver is not
    installed.
    """
    if not has_sat_solver():
        raise SolverError(SAT, "needs the package python-sat: pip install 'dipsat[sat]'")
    clauses = list(clauses_of(problem))
    proof = proof_of(clauses, budget)
    return None if proof is None else Refutation(_dimacs(clauses, names), proof)


def solution_by_z3(
    problem: CardinalityProblem, names: Sequence[str], budget: Budget
) -> frozenset[str] | None:
    """The names of the unknowns that are true in a solution, by Z3 and its own counts; None if
    there is none.

    Raises `ExhaustedError` if the budget is not enough, and `SolverError` if Z3 is not installed.
    """
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


def clauses_of(problem: CardinalityProblem) -> Iterator[Sequence[int]]:
    """The clauses of a problem, with further unknowns that count (totalizers: Bailleux and
    Boufkhad, Efficient CNF Encoding of Boolean Cardinality Constraints)."""
    yield from problem.clauses
    last = problem.unknowns
    for count in problem.counts:
        counter = _Totalizer(count, last)
        yield from counter.clauses
        last = counter.last


class _Totalizer:
    """The clauses of one count. `last` is the greatest unknown."""

    def __init__(self, count: AtMost, last: int) -> None:
        self.last = last
        self.clauses: list[Sequence[int]] = []
        self._limit = count.number + 1
        reached = self._sums(count.literals)
        self.clauses.append([*(-one for one in count.given), -reached[count.number]])

    def _sums(self, literals: Sequence[int]) -> Sequence[int]:
        """For each number from 1 to the limit, an unknown that is true if so many literals are."""
        if len(literals) == 1:
            return literals
        half = len(literals) // 2
        left, right = self._sums(literals[:half]), self._sums(literals[half:])
        size = min(len(literals), self._limit)
        sums = range(self.last + 1, self.last + 1 + size)
        self.last += size
        for one in range(len(left) + 1):
            for other in range(len(right) + 1):
                if one + other:
                    clause = [-left[one - 1]] if one else []
                    clause += [-right[other - 1]] if other else []
                    self.clauses.append([*clause, sums[min(one + other, size) - 1]])
        return sums


def _dimacs(clauses: Sequence[Sequence[int]], names: Sequence[str]) -> str:
    last = max((abs(one) for clause in clauses for one in clause), default=0)
    heads = [f"c {number} {name}" for number, name in enumerate(names, 1)]
    heads.append(f"p cnf {max(last, len(names))} {len(clauses)}")
    return "\n".join([*heads, *(" ".join(map(str, (*clause, 0))) for clause in clauses), ""])
