"""The value of a ground term where its decisions are resolved when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dipsat.terms.fold import Dual, fold
from dipsat.terms.reach import reach
from dipsat.terms.term import Key, Reach, Term, Unknown

Scenario: TypeAlias = bool | None
"""Which value uncertain information gets: true for the greatest, false for the least; None where
every decision has one value (DATC 3.0 5.E, the parameter `optimistic`)."""

Ask: TypeAlias = Callable[[Key, Scenario], int]
"""Returns the value of a decision in a scenario, truth values as 0 and 1."""

Value: TypeAlias = Callable[[], int]
"""Finds a value; whatever it asks for is resolved then."""

Search: TypeAlias = Callable[[Reach, Sequence[Value]], bool]
"""Searches for a convoy path; the functions find whether each fleet is available."""


def every_fleet_first(term: Reach, fleets: Sequence[Value]) -> bool:
    """Whether a chain of available fleets leads across. Every fleet is resolved before the search
    for a path begins, so that no other search can begin within it."""
    available: list[Term] = [bool(is_available()) for is_available in fleets]
    borders = [list(around) for around in term.borders]
    return reach(available, list(term.starts), list(term.ends), borders) is True


def with_local_marks(term: Reach, fleets: Sequence[Value]) -> bool:
    """The same by a depth-first search that resolves each fleet when it reaches it, and stops once
    it is across. Its visited marks are its own, not shared with searches that begin within it."""
    marks = set[int]()
    stack = list(reversed(term.starts))
    while stack:
        fleet = stack.pop()
        if fleet in marks:
            continue
        marks.add(fleet)
        if fleets[fleet]():
            if fleet in term.ends:
                return True
            stack += reversed(term.borders[fleet])
    return False


def evaluate(
    term: Term, ask: Ask, scenario: Scenario = None, search: Search = every_fleet_first
) -> int:
    """The value of a term in a scenario.

    Only the unknowns that matter are resolved, from left to right; `search` defines how convoy
    paths are found (Kruijswijk, The Math of Adjudication, the final note).
    """
    values = _WhenNeeded(lambda key: lambda: ask(key, None), search)
    if scenario is None:
        return fold(term, values)()
    ends = fold(term, Dual(values, lambda key: (lambda: ask(key, False), lambda: ask(key, True))))
    return ends[scenario]()


@dataclass(frozen=True, slots=True)
class _WhenNeeded:
    """The algebra of functions that find values. Loops instead of `all`, `any` and `sum` keep deep
    recursions on Python's own stack."""

    value: Callable[[Key], Value]
    search: Search

    def unknown(self, term: Unknown) -> Value:
        """The value of a decision."""
        return self.value(term.key)

    def constant(self, value: bool | int) -> Value:
        """The number."""
        return lambda: int(value)

    def negation(self, part: Value) -> Value:
        """0 becomes 1, and 1 becomes 0."""
        return lambda: 1 - part()

    def all_of(self, parts: Sequence[Value]) -> Value:
        """Up to the first part that fails."""
        return lambda: _junction(parts, 0)

    def any_of(self, parts: Sequence[Value]) -> Value:
        """Up to the first part that holds."""
        return lambda: _junction(parts, 1)

    def greater(self, left: Value, right: Value) -> Value:
        """As a truth value."""
        return _once(lambda: int(left() > right()))

    def unequal(self, left: Value, right: Value) -> Value:
        """As a truth value."""
        return lambda: int(left() != right())

    def sum(self, constant: int, added: Sequence[Value], taken: Sequence[Value]) -> Value:
        """The total."""

        def total() -> int:
            found = constant
            for part in added:
                found += part()
            for part in taken:
                found -= part()
            return found

        return total

    def choice(self, condition: Value, then: Value, otherwise: Value) -> Value:
        """One of the two."""
        return lambda: then() if condition() else otherwise()

    def worse(self, surely: Value, maybe: Value, then: Value, otherwise: Value) -> Value:
        """The lesser, where the condition is not known."""
        lesser = self.choice(maybe, lambda: min(then(), otherwise()), otherwise)
        return _once(self.choice(surely, then, lesser))

    def better(self, surely: Value, maybe: Value, then: Value, otherwise: Value) -> Value:
        """The greater, where the condition is not known."""
        greater = self.choice(maybe, lambda: max(then(), otherwise()), otherwise)
        return _once(self.choice(surely, then, greater))

    def reach(self, term: Reach, conditions: Sequence[Value]) -> Value:
        """As the search finds."""
        return lambda: int(self.search(term, conditions))


def _junction(parts: Sequence[Value], ending: int) -> int:
    for part in parts:
        if part() == ending:
            return ending
    return 1 - ending


def _once(find: Value) -> Value:
    """The same, found once at most. Each level of choices and inequalities asks for its parts in
    both scenarios, which would double with each level of them."""
    found: list[int] = []

    def value() -> int:
        if not found:
            found.append(find())
        return found[0]

    return value
