"""Passes over a list until everything on it is decided, with a minimum and a maximum of each.

Kruijswijk, The Math of Adjudication, "Decisions on partial information", goes through the list of
orders; DATC 2.4, 5.C, through all decisions. What cannot be decided yet waits for the next pass. A
pass that decides nothing leaves circular movements and paradoxes to the backup rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dipsat.engines.backup import backup_rule
from dipsat.engines.order_equations import OrderEquations
from dipsat.proof.engine import BackupRule
from dipsat.terms.fold import interval
from dipsat.terms.term import Key

_ENDLESS = 1_000_000  # the maximum of a number about which nothing is known
_UPDATE = 8  # steps charged for updating the ends of a decision, besides its equation


class MultiPass:
    """The administration of the decisions on a list, from the first pass to the last.

    `ends_of` has the minimum and the maximum that each can still have, `passes` counts the passes,
    and `backup` has the rules that were applied. Decisions not on the list are computed when needed
    (DATC 2.4, 5.D).
    """

    def __init__(self, equations: OrderEquations, listed: Iterable[Key]) -> None:
        decisions = equations.profile.decisions
        self.equations = equations
        self.listed = tuple(listed)
        self.ends_of = {
            key: (0, 1) if decisions[key[0]].type.is_truth else (-_ENDLESS, _ENDLESS)
            for key in self.listed
        }
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
        return {key: least for key, (least, greatest) in self.ends_of.items() if least == greatest}

    def ends(self, key: Key) -> tuple[int, int]:
        """The current minimum and maximum of a decision (DATC 2.4, 5.C: the functions
        `current_...`)."""
        return self.ends_of.get(key) or interval(self.equations.evaluated(key), self.ends)

    def _is_decided(self, key: Key) -> bool:
        least, greatest = self.ends(key)
        return least == greatest

    def _update(self, key: Key) -> bool:
        """Update the ends of a decision; return whether one has changed."""
        self.equations.count(_UPDATE, key)
        before = self.ends_of[key]
        self.ends_of[key] = interval(self.equations.evaluated(key), self.ends)
        return before != self.ends_of[key]

    def _apply_backup_rule(self, left: list[Key]) -> None:
        cycle = [key for key in self._smallest_list(left) if self.equations.is_order(key)]
        applied = backup_rule(self.equations, self.decided, cycle)
        self.ends_of.update((key, (value, value)) for key, value in applied.pins.items())
        self.backup.append(applied)

    def _smallest_list(self, left: list[Key]) -> list[Key]:
        """The core of a paradox: the smallest list of all that a decision depends on, directly or
        not (DATC 2.4, 5.B.9)."""
        is_listed = self.ends_of.__contains__
        direct = {key: self.equations.needed(key, self._is_decided, is_listed) for key in left}
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
