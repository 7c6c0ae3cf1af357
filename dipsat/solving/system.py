"""The equation system of a phase as grounded, and the number of resolutions of each part of it.

Every decision is an unknown of the system, with the equation that the profile states for it; only
the ranges of numbers are found, with every truth value open. The text for Z3 uses them
(`dipsat.equations.smtlib`): a number with one value has no symbol, and a comparison that ranges
decide is replaced by its result. Nothing else is propagated or pruned.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from dipsat.equations import (
    MAX_OPEN_STEPS,
    Equations,
    Grounder,
    Key,
    Phase,
    Range,
    SmtWriter,
    Term,
    all_decisions,
    symbol_text,
)
from dipsat.errors import SolverError
from dipsat.rules import Profile
from dipsat.solving.bounds import NUMBER, TRUTH, Tightening
from dipsat.solving.budget import Budget
from dipsat.solving.graph import connected_subgraphs
from dipsat.solving.models import MAX_RESOLUTIONS, TIMED_OUT, Models, Resolution, find_resolutions
from dipsat.solving.resolution import decision_graph, equations_of
from dipsat.solving.size import check_range, check_size

_JOINT_SHARE = 4  # a question about several subgraphs may take 1 / _JOINT_SHARE of the time left


@dataclass(frozen=True)
class System:
    """The equations of all decisions of a phase (decision -> right-hand side, whether it is a truth
    value), and the range of each number decision."""

    profile: Profile
    phase: Phase
    grounder: Grounder
    equations: Equations
    ranges: Mapping[Key, Range]

    @cached_property
    def subgraphs(self) -> tuple[tuple[Key, ...], ...]:
        """The connected subgraphs of the decision graph: no equation refers to another subgraph."""
        return connected_subgraphs(decision_graph(self.equations))

    def bounds(self, key: Key) -> tuple[int, int]:
        """The least and the greatest value that a decision's equation can have."""
        return self.ranges.get(key, TRUTH)

    def name(self, key: Key) -> str:
        """A decision in words."""
        return self.grounder.name(key)

    def part(self, keys: Iterable[Key]) -> Equations:
        """The equations of some decisions."""
        return {key: self.equations[key] for key in keys}


def ground_system(
    profile: Profile, phase: Phase, spend: Callable[[int], None] | None = None
) -> System:
    """The equation system of a phase. `spend` is called with counts of steps, and may raise an
    error to stop.

    Raises `NumberRangeError` for a number decision whose equation allows no value, or too many to
    search (see docs/limits.md), and `WorkLimitError` for equations that take too many steps.
    """
    grounder = Grounder(profile, phase, spend=spend, most=MAX_OPEN_STEPS, shared=True)
    equations = equations_of(grounder, all_decisions(profile.decisions, phase))
    numbers = {key: term for key, (term, is_truth) in equations.items() if not is_truth}
    ranges = number_ranges(grounder, numbers)
    return System(profile, phase, grounder, equations, ranges)


def number_ranges(
    grounder: Grounder, numbers: Mapping[Key, Term], known: Mapping[Key, Range] = {}
) -> dict[Key, Range]:
    """The range of each number's equation while every truth value is open.

    All numbers that the equations mention must be among `numbers` or `known`. Raises
    `NumberRangeError` as `ground_system` does.
    """
    ranges = dict.fromkeys(numbers, NUMBER)

    def range_of(key: Key) -> Range:
        return ranges.get(key) or known.get(key, TRUTH)

    Tightening(grounder, numbers.__getitem__, ranges, range_of).run(numbers)
    for key, (low, high) in ranges.items():
        check_range(grounder, key, low, high)
    return ranges


def count_resolutions(system: System, budget: Budget) -> tuple[Models, ...]:
    """The resolutions of each subgraph of a system, in the order of `system.subgraphs`. Subgraphs
    that the budget does not cover are unknown. Raises `NumberRangeError` if the equations would be
    too long as a text for Z3."""
    check_size(system.grounder, system.equations, system.bounds)
    found: dict[tuple[Key, ...], Models] = {}
    # Subgraphs share no decisions, so together they have a single resolution exactly if each has
    # one, and one question is quicker than many.
    pending = [list(system.subgraphs)]
    while pending:
        asked = pending.pop()
        models = _resolutions(system, asked, budget)
        if len(asked) < 2 or models.verdict == "unique":
            for keys in asked:
                alone = ({key: values[key] for key in keys} for values in models.resolutions)
                found[keys] = replace(models, resolutions=tuple(alone))
        elif models.verdict == "several":
            one, other = models.resolutions
            parted = [keys for keys in asked if any(one[key] != other[key] for key in keys)]
            pending.append([keys for keys in asked if keys not in parted])
            pending += ([keys] for keys in parted)
        elif models.verdict == "none":
            middle = len(asked) // 2
            pending += (asked[:middle], asked[middle:])
        else:  # taken from the end, so the smallest first
            pending += ([keys] for keys in sorted(asked, key=len, reverse=True))
    return tuple(found[keys] for keys in system.subgraphs)


def _resolutions(system: System, asked: Sequence[tuple[Key, ...]], budget: Budget) -> Models:
    """The resolutions of a subgraph, or at most two of several subgraphs together."""
    if budget.is_over() or not asked:
        return TIMED_OUT
    equations = system.part(chain.from_iterable(asked))
    several = len(asked) > 1
    try:
        with budget.share(_JOINT_SHARE if several else 1) as part:
            most = 2 if several else MAX_RESOLUTIONS
            return find_resolutions(equations, system.name, system.bounds, most=most, budget=part)
    except SolverError:
        if several:  # each may be easy by itself
            return TIMED_OUT
        raise


# --- certificate ----------------------------------------------------------------------------------

# The findings about an equation system as SMT-LIB 2.6, which any SMT solver can confirm.
#
# The text is what Z3 gets (`dipsat.equations.smtlib`), with a heading for readers.


_WIDTH = 96  # columns of a comment
_INTRODUCTION = (
    "Each decision is an unknown, and each equation of the rule profile an assertion; what "
    "satisfies all assertions is a consistent resolution of the orders. A truth value is the "
    "boolean of its name. A number is written in booleans too: |n(x) >= 2| says that it is at "
    "least 2. A number with one possible value has no boolean, and a comparison that the ranges of "
    "the numbers decide is written as its result."
)
_EXISTENCE = "is there a consistent resolution? sat: there is. unsat: there is none."
_UNIQUENESS = (
    "is there a consistent resolution that differs from the one above? unsat: there is none; if "
    "{system} is sat, the one above is the only one. sat: there is another."
)
_MEMBERSHIP = (
    "do the values above satisfy the equations? sat: they are a consistent resolution. unsat: they "
    "are not."
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A finding about some decisions, for another solver to confirm.

    `title` says which decisions they are; `about` names rules, map and phase; `orders` are those
    that the decisions are about, as lines of text. `verdict` is unique, none, several or unknown,
    and `found` says the same in words. `solver` names the solver, "" if none was asked.
    `resolution` is one that was found, None if none was.
    """

    title: str
    about: str
    orders: Sequence[str]
    keys: Sequence[Key]
    verdict: str
    found: str
    solver: str
    resolution: Resolution | None


def smt2_files(system: System, claim: Claim, name: str) -> dict[str, str]:
    """File name -> SMT-LIB 2.6 text; the names begin with `name`.

    `NAME.system.smt2` asks for a resolution. If one was found, `NAME.unique.smt2` asks for another.
    For the verdict `several`, `NAME.resolution.smt2` asks whether the one found is a resolution, so
    that the other makes two. Each file states the expected answer as `:status`.
    """
    system_file = f"{name}.system.smt2"
    smt = SmtWriter(system.name, system.bounds)
    writer = _CertificateWriter(system, claim, smt.text(system.part(claim.keys)))
    exists = "unknown" if claim.verdict == "unknown" else "unsat"
    if claim.resolution is None:
        return {system_file: writer.file(_EXISTENCE, exists)}
    another = {"unique": "unsat", "several": "sat"}.get(claim.verdict, "unknown")
    differs = smt.differs({key: claim.resolution[key] for key in claim.keys})
    uniqueness = _UNIQUENESS.format(system=system_file)
    files = {
        system_file: writer.file(_EXISTENCE, "sat"),
        f"{name}.unique.smt2": writer.file(uniqueness, another, claim.resolution, differs),
    }
    if claim.verdict == "several":
        equals = f"(assert (not {differs.removeprefix('(assert ')})"
        text = writer.file(_MEMBERSHIP, "sat", claim.resolution, equals)
        files[f"{name}.resolution.smt2"] = text
    return files


class _CertificateWriter:
    """Writes the files of one claim; `equations` are the declarations and assertions of its
    system."""

    def __init__(self, system: System, claim: Claim, equations: str) -> None:
        self.system = system
        self.claim = claim
        self.equations = equations

    def file(
        self, question: str, status: str, resolution: Resolution | None = None, extra: str = ""
    ) -> str:
        """A file that asks a question about the system, with `extra` as another assertion."""
        comments = [*self._heading(), *self._ranges()]
        if resolution is not None:
            comments += ["", "The resolution that dipsat found:", *self._values(resolution)]
        by = f" by {self.claim.solver}" if self.claim.solver else ""
        answer = f"dipsat found{by}: {self.claim.found}. Expected answer: {status}."
        comments += ["", f"Question: {question}", answer]
        lines = [
            *_commented(comments),
            "(set-info :smt-lib-version 2.6)",
            "(set-logic QF_UF)",
            f"(set-info :status {status})",
            self.equations,
            *([extra] if extra else []),
            "(check-sat)",
            "(exit)",
        ]
        return "\n".join(line for line in lines if line) + "\n"

    def _heading(self) -> Iterator[str]:
        yield f"{self.claim.title}: {self.claim.about}"
        yield ""
        yield "The orders that its decisions are about:"
        yield from (f"  {order}" for order in self.claim.orders)
        yield ""
        yield _INTRODUCTION

    def _ranges(self) -> Iterator[str]:
        """The ranges of the numbers, which the booleans alone do not show."""
        numbers = [key for key in self.claim.keys if not self.system.equations[key][1]]
        if numbers:
            yield ""
            yield "Numbers, and the values that the equation of each can have:"
        for key in numbers:
            low, high = self.system.bounds(key)
            values = f"from {low} to {high}" if low != high else f"{low}"
            yield f"  {symbol_text(self.system.name(key))}: {values}"

    def _values(self, resolution: Mapping[Key, int]) -> Iterator[str]:
        for key in self.claim.keys:
            value = resolution[key]
            is_truth = self.system.equations[key][1]
            shown = str(bool(value)).lower() if is_truth else str(value)
            yield f"  {symbol_text(self.system.name(key))} = {shown}"


def _commented(paragraphs: Iterable[str]) -> Iterator[str]:
    """Paragraphs as comment lines; no character in them can end a line and so leave the comment."""
    for paragraph in paragraphs:
        text = "".join(c if c.isprintable() else "?" for c in paragraph)
        indent = " " * (len(text) - len(text.lstrip()))
        lines = textwrap.wrap(text.strip(), _WIDTH - len(indent)) or [""]
        yield from (f"; {indent}{line}".rstrip() for line in lines)
