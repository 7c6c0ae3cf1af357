"""Counting true literals with clauses, in the one direction that upper bounds need: for each number
an unknown that is true if so many of the literals are."""

from __future__ import annotations

from collections.abc import Sequence

_FEW = 32
"""A tree counts so many literals with the fewest unknowns. Longer lists are in an order that means
something, and counting in turn keeps to it: what is learned is about a beginning of the list."""


class Counters:
    """Makes counters. `last` is the greatest unknown so far."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.clauses: list[tuple[int, ...]] = []
        """What is required of the new unknowns."""

    def counted(self, literals: Sequence[int], most: int) -> Sequence[int]:
        """For each number from 1 to `most`, an unknown that is true if so many of the literals
        are."""
        return (self.as_tree if len(literals) <= _FEW else self.in_turn)(literals, most)

    def as_tree(self, literals: Sequence[int], most: int) -> Sequence[int]:
        """The same with sums of two halves (a totalizer: Bailleux and Boufkhad, Efficient CNF
        Encoding of Boolean Cardinality Constraints)."""
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
        """The same with sums of the first, the first two, and so on (a sequential counter: Sinz,
        Towards an Optimal CNF Encoding of Boolean Cardinality Constraints). `before` is what was
        counted before them."""
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
