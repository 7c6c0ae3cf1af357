"""What proves how many resolutions a phase has: propagation, and the solvers that were asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dipsat.equations.ground import all_decisions
from dipsat.pages import counted
from dipsat.proof.resolved import ResolvedPhase
from dipsat.solving.models import Z3, Models
from dipsat.values import Plain, brief, fields_of, grouped

_TITLES = {Z3: "Z3"}
"""Names of solvers where people write them in another way."""


@brief()
@dataclass(frozen=True, slots=True)
class SolvedSubgraph(Plain):
    """A connected subgraph of the decisions that were given to a solver, and its answer."""

    decisions: tuple[str, ...]
    """The names of its decisions, as in `Outcome.decisions`."""
    solver: str
    """What counted its resolutions: `z3`, or `case analysis`, dipsat's own search that tries every
    value."""
    instead_of: str | None
    """The solver that is not installed, for which this one stood in; else None."""
    verdict: str
    """Its answer: `unique`, `none` or `several`."""
    resolutions: int
    """The number of resolutions found, at most 64."""


@brief()
@dataclass(frozen=True, slots=True)
class Evidence:
    """What proves how many resolutions the equations of a phase have, before any cycle rule.

    Each decision is counted once: as propagated, as a constant, in a subgraph, or as undecided.
    """

    propagation: int
    """The number of decisions that propagation decided: their value holds in every resolution."""
    constants: int
    """Where nothing was propagated, the number of strengths whose equations allow one value."""
    subgraphs: tuple[SolvedSubgraph, ...]
    """What solvers were asked about."""
    undecided: int
    """The number of decisions that a limit of time or work left open, besides those in subgraphs
    that were solved."""
    is_stopped: bool = False
    """Whether a limit kept a cycle rule from deciding a subgraph that was solved."""

    @property
    def text(self) -> str:
        """The same in words: `24 decisions by propagation, 4 decisions in 1 subgraph by Z3`."""
        found = []
        if self.propagation:
            found.append(f"{counted(self.propagation, 'decision')} by propagation")
        asked = grouped(((one.solver, one.instead_of or ""), one) for one in self.subgraphs)
        for (solver, missing), those in asked.items():
            decisions = counted(sum(len(one.decisions) for one in those), "decision")
            where = counted(len(those), "subgraph")
            found.append(f"{decisions} in {where} by {solver_in_words(solver, missing)}")
        if self.constants:
            found.append(counted(self.constants, "constant"))
        if self.undecided:
            found.append(f"{counted(self.undecided, 'decision')} left open by the limits")
        if self.is_stopped:
            found.append("with a cycle that the limits left without a rule")
        return ", ".join(found) or "no decisions"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with the text."""
        return {**fields_of(self), "text": self.text}


def evidence_of(resolved: ResolvedPhase) -> Evidence:
    """The evidence for a phase that was resolved."""
    solution, name = resolved.solution, resolved.grounder.name
    answered = [one for one in solution.before_rules if not one.models.timed_out]
    solved = tuple(solved_subgraph(tuple(map(name, one.decisions)), one.models) for one in answered)
    members = {key for one in answered for key in one.decisions}
    undecided = len(solution.unknown - members)
    everything = len(all_decisions(resolved.profile.decisions, resolved.facts))
    rest = everything - len(members) - undecided
    is_stopped = not solution.unknown.isdisjoint(members)
    by_whom = (rest, 0) if solution.propagated else (0, rest)
    return Evidence(*by_whom, solved, undecided, is_stopped)


def solved_subgraph(decisions: tuple[str, ...], models: Models) -> SolvedSubgraph:
    """The answer of a solver about some decisions."""
    count, missing = len(models.resolutions), models.instead_of or None
    return SolvedSubgraph(decisions, models.solver, missing, models.verdict, count)


def solver_in_words(solver: str, instead_of: str | None = None) -> str:
    """What has decided, for people: `Z3`, or what stood in for it and why."""
    title = _TITLES.get(solver, solver)
    if not instead_of:
        return title
    return f"{title} because {_TITLES.get(instead_of, instead_of)} is not installed"


def proof_in_words(verdicts: Iterable[str], evidence: Evidence) -> str:
    """Whether subgraphs with these verdicts have one resolution each, and what proves it."""
    found: Sequence[str] = tuple(verdicts)
    unique = found.count("unique")
    if unique == len(found):
        return f"Proven unique: {evidence.text}."
    start = "Proven not unique" if {"none", "several"}.intersection(found) else "Not decided"
    have = "has" if len(found) == 1 else "have"
    return (
        f"{start}: {evidence.text}. {unique} of {counted(len(found), 'subgraph')} {have} exactly "
        f"one consistent resolution."
    )
