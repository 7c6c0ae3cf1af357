"""Grounding that counts its steps, where a count beforehand says too little.

With open orders, a hundred candidates may attack a province, and `dipsat.equations.work`, for which
every set is as large as the largest, counts thousands of times the steps that are taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from dipsat.equations.ground import Grounder, Read, Readings
from dipsat.equations.phase import Phase
from dipsat.equations.work import MAX_STEPS
from dipsat.errors import WorkLimitError
from dipsat.language.closed import Scope
from dipsat.language.syntax import Expression
from dipsat.profiles.profile import Profile
from dipsat.terms.term import Key, Term

MAX_OPEN_STEPS = 100_000_000
"""Steps for all equations of a phase with open orders; a single one may take as many as those of a
phase without (`MAX_STEPS`). With all orders open, a full board of the biggest map takes 8,300,000.
Under the shipped rules with the longest equations, one of the standard map takes 35,000,000, and a
single equation 330,000."""

_AT_ONCE = 1000  # steps between two looks at the limits
_FEW_TIMES = 10  # that equations may be read in any case


class CountedReadings(Readings):
    """Readings that count a step for each part that is read."""

    def around(self, node: Expression, read: Read) -> Read:
        """Count, and read."""

        def counting(grounder: CountedGrounder, scope: Scope) -> Term:
            grounder.left -= 1
            if grounder.left <= 0:
                grounder.count()
            term: Term = read(grounder, scope)
            return term

        return counting


class CountedGrounder(Grounder):
    """Grounds equations, and raises `WorkLimitError` after too many steps: more than `each`
    for one equation, or `most` for all. A step is the evaluation of one part of an expression.

    `spend` is called with the number of steps after each thousand, and may raise an error to stop.
    """

    reads_by = CountedReadings

    def __init__(
        self,
        profile: Profile,
        phase: Phase,
        spend: Callable[[int], None] = lambda _: None,
        most: int = MAX_OPEN_STEPS,
        each: int = MAX_STEPS,
        bounds: Callable[[Key], tuple[int, int]] | None = None,
    ) -> None:
        super().__init__(profile, phase, bounds)
        self._spend, self._most, self._each = spend, most, each
        self._entry = ""
        self._taken: Counter[str] = Counter()  # in full thousands
        self._together = 0  # of them
        self._before = 0  # the present equation
        self.left = _AT_ONCE

    @property
    def steps(self) -> int:
        """The steps taken so far."""
        return self._together + _AT_ONCE - self.left

    def begin(self, entry: str) -> None:
        """From now on, an equation of this entry of the rules is grounded."""
        self._entry = entry
        self._before = self.steps

    def equation(self, key: Key) -> Term:
        """The right-hand side of a decision's equation."""
        self.begin(key[0])
        return super().equation(key)

    def charge(self, steps: int) -> None:
        """Count so many steps."""
        self.left -= steps
        while self.left <= 0:
            rest = self.left
            self.count()
            self.left += rest

    def repeat(self, times: int) -> None:
        """Count that all that was grounded is read once more, after so many times."""
        self._spend(0)
        if times >= _FEW_TIMES:
            self._check(times * self.steps)

    def spend_rest(self) -> None:
        """Spend the last steps, which are no thousand yet. Call it at the end."""
        self._spend(_AT_ONCE - self.left)

    def count(self) -> None:
        """Add the thousand steps that were just taken. Raises `WorkLimitError` if there are too
        many by now."""
        self._taken[self._entry] += _AT_ONCE
        self._together += _AT_ONCE
        self.left = _AT_ONCE
        self._spend(_AT_ONCE)
        own = self.steps - self._before
        if own > self._each:
            raise WorkLimitError(self.profile.name, self._entry, own, self._each)
        self._check(self.steps)

    def _check(self, steps: int) -> None:
        if steps > self._most:
            entry = max(self._taken, key=self._taken.__getitem__, default=self._entry)
            raise WorkLimitError(self.profile.name, entry, steps, self._most)
