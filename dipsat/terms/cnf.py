"""Boolean circuits as clauses: clauses define every gate, and equal gates are made once.

Literals are as in DIMACS: a number for a variable, its negative for the negation.
"""

from __future__ import annotations

from collections.abc import Iterable

from dipsat.terms.levels import Number

TRUE = 1
"""The literal that always holds."""
FALSE = -1


class Gates:
    """Makes gates. `clauses` holds the clauses made since the last `take`."""

    true, false = TRUE, FALSE

    def __init__(self) -> None:
        self.variables = TRUE
        self.clauses: list[list[int]] = [[TRUE]]
        self._made: dict[tuple[int, ...], int] = {}

    def take(self) -> list[list[int]]:
        """The clauses made since the last time."""
        taken, self.clauses = self.clauses, []
        return taken

    def variable(self) -> int:
        """A new variable."""
        self.variables += 1
        return self.variables

    def require(self, *literals: int) -> None:
        """Require at least one of these literals."""
        if TRUE not in literals:
            self.clauses.append([one for one in dict.fromkeys(literals) if one != FALSE])

    def negation(self, literal: int) -> int:
        """The opposite literal."""
        return -literal

    def share(self, literal: int) -> int:
        """The literal itself: every gate has a variable already."""
        return literal

    def reuse(self, literal: int, times: int) -> int:
        """The literal itself, as in `share`."""
        return literal

    def all_of(self, literals: Iterable[int]) -> int:
        """The literal that holds if every one of these does."""
        parts = set(literals)
        parts.discard(TRUE)
        if FALSE in parts or any(-part in parts for part in parts):
            return FALSE
        if not parts:
            return TRUE
        if len(parts) == 1:
            return parts.pop()
        key = tuple(sorted(parts))
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self.variable()
            for part in key:
                self.clauses.append([-made, part])
            self.clauses.append([made, *(-part for part in key)])
        return made

    def any_of(self, literals: Iterable[int]) -> int:
        """The literal that holds if at least one of these does."""
        return -self.all_of(-one for one in literals)

    def choose(self, condition: int, then: int, otherwise: int) -> int:
        """`then` if the condition holds, else `otherwise`."""
        ways = [self.all_of((condition, then)), self.all_of((-condition, otherwise))]
        return self.any_of([*ways, self.all_of((then, otherwise))])

    def same(self, one: int, other: int, unless: int = FALSE) -> None:
        """Require that both literals have the same value, or that `unless` holds."""
        self.require(unless, -one, other)
        self.require(unless, one, -other)

    def at_most_one(self, literals: list[int]) -> None:
        """Require at most one of these literals, by a ladder encoding."""
        before = FALSE
        for at, literal in enumerate(literals):
            self.require(-before, -literal)
            if at + 1 < len(literals):
                step = self.variable()
                self.require(-literal, step)
                self.require(-before, step)
                before = step

    def number(self, low: int, high: int) -> Number[int]:
        """A new number with any value from `low` to `high`."""
        levels = tuple(self.variable() for _ in range(high - low))
        for more, less in zip(levels[1:], levels, strict=False):
            self.require(-more, less)
        return Number(low, levels)
