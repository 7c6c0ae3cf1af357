"""Refuting a problem of clauses and counts, so that others can check it: as DIMACS with a proof in
DRAT, which checkers of proofs read, or by Z3, which counts without clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dipsat.errors import SolverError
from dipsat.solving.budget import Budget
from dipsat.solving.cardinality import CardinalityProblem
from dipsat.solving.counting import Counters
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
    """The proof that a problem has no solution, by the SAT solver; None if it has one. Raises
    `SolverError` if the solver is not installed."""
    if not has_sat_solver():
        raise SolverError(SAT, "needs the package python-sat: pip install 'dipsat[sat]'")
    clauses = list(clauses_of(problem))
    proof = proof_of(clauses, budget)
    return None if proof is None else Refutation(_dimacs(clauses, names), proof)


def solution_by_z3(
    problem: CardinalityProblem, names: Sequence[str], budget: Budget
) -> frozenset[str] | None:
    """The names of the unknowns that are true in a solution, by Z3 and its own counts; None if
    there is none. Raises `SolverError` if Z3 is not installed."""
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
    """The clauses of a problem, with further unknowns that count."""
    yield from problem.clauses
    counters = Counters(problem.unknowns)
    for count in problem.counts:
        reached = counters.as_tree(count.literals, count.number + 1)
        counters.clauses.append((*(-one for one in count.given), -reached[count.number]))
    yield from counters.clauses


def _dimacs(clauses: Sequence[Sequence[int]], names: Sequence[str]) -> str:
    last = max((abs(one) for clause in clauses for one in clause), default=0)
    heads = [f"c {number} {name}" for number, name in enumerate(names, 1)]
    heads.append(f"p cnf {max(last, len(names))} {len(clauses)}")
    return "\n".join([*heads, *(" ".join(map(str, (*clause, 0))) for clause in clauses), ""])
