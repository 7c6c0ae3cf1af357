"""A second opinion on the fewest units of a line: another statement, another solver, and a proof
that programs of others check."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dipsat.errors import QuestionError
from dipsat.limits import UNLIMITED, ExhaustedError, Limits, running
from dipsat.lines.question import Lines
from dipsat.lines.statement import Statement, statement_of
from dipsat.lines.statement_of_two import statement_of_two
from dipsat.lines.terms import second_of, terms_of
from dipsat.openorders.checked_rules import unchecked_rules
from dipsat.profiles.load import DEFAULT_RULES, load_profile
from dipsat.profiles.profile import Profile
from dipsat.solving.budget import INTERRUPTED, Progress, budget_of
from dipsat.solving.sat import refutation_of, smt_lib, solution_by_z3
from dipsat.values import brief

CONFIRMED, REFUTED, UNKNOWN = "confirmed", "refuted", "unknown"
STATEMENT, CLAUSES, PROOF = "fewer.smt2", "fewer.cnf", "fewer.drat"
FILES = re.compile(r"fewer\.(smt2|cnf|drat)")
"""The names of the files of a proof."""


@brief()
@dataclass(frozen=True, slots=True)
class Confirmation:
    """Whether no line with fewer units holds what a question asks for, or no two lines with fewer
    together. Made by `dipsat.confirm_fewest`."""

    verdict: str
    """`confirmed`; `refuted`: there is such a line; `unknown`: there was not enough time."""
    units: tuple[str, ...] = ()
    """The units of a line with fewer, or of two such as `second: A BOH`, if the verdict is
    `refuted`."""
    reason: str = ""
    """Why the verdict is `unknown`, else ""."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Name -> text of the files of a proof, if it was asked for: the statement for Z3
    (`fewer.smt2`), the same as clauses in DIMACS (`fewer.cnf`), and the proof in DRAT that these
    contradict each other (`fewer.drat`)."""


def confirm_fewest(
    question: Lines,
    below: int | None,
    *,
    rules: str | Path | Profile = DEFAULT_RULES,
    limits: Limits = UNLIMITED,
    progress: Progress | None = None,
    with_proof: bool = False,
) -> Confirmation:
    """Prove again that no line with fewer than `below` units holds what a question asks for, or no
    two lines with fewer together; None means that none does with any number of units.

    Z3 decides a statement that shares nothing with that of `dipsat.search`. `with_proof` has the
    SAT solver decide it, too, with a proof that other programs check (docs/holding-lines.md).
    `limits` bound the search; without them there is no limit. `progress` is called with a
    description of each step. An interrupt from the keyboard ends the search with the verdict
    `unknown`.

    Raises `QuestionError` for a question that contradicts itself or is about lines with sorties,
    `SolverError` if a solver is not installed, and the errors of `load_map`, `load_profile` and of
    the readers of units and orders.
    """
    if question.sorties:
        raise QuestionError("only lines whose units stay can be confirmed; leave out the sorties")
    with running(limits):
        profile = load_profile(rules)
        terms = terms_of(question, profile)
        changes = unchecked_rules(profile)
        if changes:
            return Confirmation(UNKNOWN, reason=changes)
        if below is not None and below < 1:
            return Confirmation(CONFIRMED)
        second = second_of(question, profile)
        most = None if below is None else below - 1
        if second is None:
            statement = statement_of(terms, most)
        else:
            statement = statement_of_two(terms, second, most)
        try:
            return _confirmed(statement, progress or (lambda _: None), with_proof)
        except (ExhaustedError, KeyboardInterrupt) as end:
            return Confirmation(UNKNOWN, reason=str(end) or INTERRUPTED)


def _confirmed(statement: Statement, progress: Progress, with_proof: bool) -> Confirmation:
    problem, names, budget = statement.problem, statement.names, budget_of()
    progress("does Z3 find a line with fewer units?")
    found = solution_by_z3(problem, names, budget)
    if found is not None:
        return Confirmation(REFUTED, tuple(sorted(found.intersection(statement.units))))
    if not with_proof:
        return Confirmation(CONFIRMED)
    progress("does the SAT solver prove that there is none?")
    proof = refutation_of(problem, names, budget)
    if proof is None:
        return Confirmation(UNKNOWN, reason="Z3 and the SAT solver contradict each other")
    text = f"{smt_lib(problem, names)}\n(check-sat)\n"
    files = {STATEMENT: text, CLAUSES: proof.dimacs, PROOF: proof.proof}
    return Confirmation(CONFIRMED, files=files)
