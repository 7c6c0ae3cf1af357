"""Clauses and counts over Boolean unknowns, and a count to minimise, solved as clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from dipsat.solving.budget import Budget, ExhaustedError
from dipsat.solving.counting import Counters
from dipsat.solving.sat import AUTO, clause_solver

_SLICE = 100_000_000
"""Steps for a count at first: some seconds, enough for most."""
_GLIMPSE = 5_000_000
"""Steps for a count under assumptions that only guide the search, less than a second."""
_PART = 8  # of a count is to be saved by the next solution, as long as that works


@dataclass(frozen=True, slots=True)
class AtMost:
    """At most `number` of the literals are true if all literals of `given` are."""

    number: int
    literals: tuple[int, ...]
    given: tuple[int, ...] = ()


@dataclass(slots=True)
class CardinalityProblem:
    """What is required of unknowns. They are numbered from 1; the literal -n says that the unknown
    n is false."""

    unknowns: int = 0
    clauses: list[tuple[int, ...]] = field(default_factory=list)
    counts: list[AtMost] = field(default_factory=list)
    minimised: tuple[int, ...] = ()
    """The literals; as few of them as possible are to be true."""

    def unknown(self) -> int:
        """A new unknown."""
        self.unknowns += 1
        return self.unknowns

    def require(self, *literals: int) -> None:
        """Require that one of the literals is true."""
        self.clauses.append(literals)

    def at_most(self, number: int, literals: Iterable[int], given: Sequence[int] = ()) -> None:
        """Require that at most so many of the literals are true, if all of `given` are."""
        listed = tuple(literals)
        if number < 0:
            self.require(*(-literal for literal in given))
        elif number < len(listed):
            self.counts.append(AtMost(number, listed, tuple(given)))

    def at_least(self, number: int, literals: Iterable[int], given: Sequence[int] = ()) -> None:
        """Require that at least so many of the literals are true, if all of `given` are."""
        listed = tuple(literals)
        self.at_most(len(listed) - number, (-literal for literal in listed), given)

    def add(self, other: CardinalityProblem) -> None:
        """Require of further unknowns what another problem requires of its own."""
        last = self.unknowns

        def moved(literals: Iterable[int]) -> tuple[int, ...]:
            return tuple(one + last if one > 0 else one - last for one in literals)

        self.unknowns += other.unknowns
        self.clauses += map(moved, other.clauses)
        for count in other.counts:
            self.counts.append(AtMost(count.number, moved(count.literals), moved(count.given)))

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
    """Looks for solutions of a problem with few of `minimised`, with one solver that learns."""

    def __init__(
        self, problem: CardinalityProblem, solver: str = AUTO, budget: Budget | None = None
    ) -> None:
        self._minimised = frozenset(problem.minimised)
        self._of_problem = problem.unknowns
        counters = Counters(problem.unknowns)
        for count in problem.counts:
            reached = counters.counted(count.literals, count.number + 1)
            counters.clauses.append((*(-one for one in count.given), -reached[count.number]))
        self._reached = counters.in_turn(problem.minimised, len(problem.minimised))
        self._budget = budget or Budget()
        self._solver = clause_solver(solver, self._budget)
        self._solver.add([*problem.clauses, *counters.clauses])
        self.bound = 0
        """Proven: no solution has fewer."""
        self.best: frozenset[int] | None = None
        """The true unknowns of the best solution so far."""

    @property
    def count(self) -> int:
        """How many of `minimised` are true in the best solution so far."""
        return len((self.best or frozenset()) & self._minimised)

    def search(
        self, report: Callable[[], None] = lambda: None, guides: Iterable[Sequence[int]] = ()
    ) -> None:
        """Find a solution with the fewest. Afterwards `best` is None if there is no solution, else
        its count is `bound`. `report` is called after each step. `guides` are assumptions under
        which good solutions may be found soon; these are looked for first.

        Raises `ExhaustedError` if the budget is not enough; `best` and `bound` say what was found.
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
        """Look for better solutions under assumptions, first for much better ones, with few
        steps for each question."""
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
        """Counts to ask for, and steps for each: the middle; where that is hard, lower ones, which
        are refuted soon if at all, and a higher one, of which solutions are found more easily."""
        low, high = self.bound, self.count
        middle = (low + high) // 2
        lower, lowest = (low + middle) // 2, (3 * low + middle) // 4
        higher = (middle + high) // 2
        return (middle, steps), (lower, steps // 4), (lowest, steps // 4), (higher, steps)

    def _settled(self, aim: int, steps: int) -> bool:
        """Whether so many steps tell if a solution has at most `aim`; `best` or `bound` says it."""
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
        """All solutions with at most `count`, one for each set of the true ones among the unknowns
        `of`. No solution is left afterwards."""
        distinct = tuple(of)
        wanted = (-self._reached[count],) if count < len(self._reached) else ()
        while (found := self._solve(wanted)) is not None:
            yield found
            self._solver.add([tuple(-one for one in distinct if one in found)])

    def _solve(self, assumptions: Sequence[int]) -> frozenset[int] | None:
        found = self._solver.solve(assumptions)
        return None if found is None else frozenset(n for n in found if n <= self._of_problem)
