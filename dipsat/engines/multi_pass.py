"""Passes over a list until everything on it is decided, with minimum and maximum coded separately.

Kruijswijk, The Math of Adjudication, "Decisions on partial information", goes through the list of
orders; DATC 2.4, 5.C, through all decisions. What cannot be decided yet waits for the next pass. A
pass that decides nothing leaves circular movements and paradoxes to the backup rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dipsat.engines.backup import backup_rule
from dipsat.engines.engine import BackupRule
from dipsat.engines.minimum_maximum import maximum, minimum
from dipsat.engines.order_equations import OrderEquations
from dipsat.terms.term import Key, unknowns

_ENDLESS = 1_000_000  # the maximum of a number about which nothing is known
_UPDATE = 8  # steps charged for updating the bounds of a decision, besides its equation


class MultiPass:
    """The administration of the decisions on a list, from the first pass to the last.

    `least_of` and `greatest_of` bound what each can still be, `passes` counts the passes, and
    `backup` has the rules that were applied. Decisions not on the list are computed when needed
    (DATC 2.4, 5.D).
    """

    def __init__(self, equations: OrderEquations, listed: Iterable[Key]) -> None:
        decisions = equations.profile.decisions
        self.equations = equations
        self.listed = tuple(listed)
        is_truth = {key: decisions[key[0]].type.is_truth for key in self.listed}
        self.least_of = {key: 0 if is_truth[key] else -_ENDLESS for key in self.listed}
        self.greatest_of = {key: 1 if is_truth[key] else _ENDLESS for key in self.listed}
        self.passes = 0
        self.backup: list[BackupRule] = []

    def run(self) -> None:
        """Decide everything on the list."""
        while left := [key for key in self.listed if not self._is_decided(key)]:
            self.passes += 1
            changes = [self._update(key) for key in left]
            if not any(changes):
                self._apply_backup_rule(left)

    @property
    def decided(self) -> Mapping[Key, int]:
        """The decided values, including those that backup rules have set outside the list."""
        return {
            key: least for key, least in self.least_of.items() if self.greatest_of[key] == least
        }

    def least(self, key: Key) -> int:
        """The current minimum of a decision."""
        if key in self.least_of:
            return self.least_of[key]
        return minimum(self.equations.evaluated(key), self)

    def greatest(self, key: Key) -> int:
        """The current maximum of a decision."""
        if key in self.greatest_of:
            return self.greatest_of[key]
        return maximum(self.equations.evaluated(key), self)

    def _is_decided(self, key: Key) -> bool:
        return self.least(key) == self.greatest(key)

    def _update(self, key: Key) -> bool:
        """Update the bounds of a decision; return whether one has changed."""
        term = self.equations.evaluated(key)
        self.equations.count(_UPDATE, key)
        before = self.least_of[key], self.greatest_of[key]
        self.least_of[key], self.greatest_of[key] = minimum(term, self), maximum(term, self)
        return before != (self.least_of[key], self.greatest_of[key])

    def _apply_backup_rule(self, left: list[Key]) -> None:
        cycle = [key for key in self._smallest_list(left) if self.equations.is_order(key)]
        applied = backup_rule(self.equations, self.decided, cycle)
        self.least_of.update(applied.pins)
        self.greatest_of.update(applied.pins)
        self.backup.append(applied)

    def _smallest_list(self, left: list[Key]) -> list[Key]:
        """The core of a paradox: the smallest list of all that a decision depends on, directly or
        not (DATC 2.4, 5.B.9)."""
        direct = {key: self._dependencies(key) for key in left}
        lists = []
        for key in left:
            found, stack = {key: None}, [key]
            while stack:
                fresh = [other for other in direct[stack.pop()] if other not in found]
                found.update(dict.fromkeys(fresh))
                stack += fresh
            self.equations.count(len(found), key)
            lists.append(list(found))
        return min(lists, key=len)

    def _dependencies(self, key: Key) -> list[Key]:
        """The undecided decisions on the list that a decision's equation mentions, itself or
        through undecided ones that are computed for it."""
        found, seen, stack = list[Key](), set[Key](), [key]
        while stack:
            for other in sorted(unknowns(self.equations.term(stack.pop())) - seen):
                seen.add(other)
                if not self._is_decided(other):
                    (found if other in self.least_of else stack).append(other)
        return found
