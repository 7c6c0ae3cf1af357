"""Errors for what would cost too much."""

from __future__ import annotations

from collections.abc import Iterable

from dipsat.errors.base import DipsatError


class TooManyDecisionsError(DipsatError):
    """A family with too many decisions in a phase.

    Attributes: `kinds` (the types of its indices), `count` (the number of decisions), `most` (the
    limit).
    """

    def __init__(self, kinds: Iterable[str], count: int, most: int) -> None:
        self.kinds = tuple(kinds)
        self.count = count
        self.most = most
        over = ", ".join(self.kinds)
        super().__init__(
            f"the rules have a decision over {over}, which gives {count} decisions in this phase; "
            f"at most {most} can be decided: give it fewer indices"
        )


class WorkLimitError(DipsatError):
    """Rules that would take too many steps in a phase. The count is the same on every machine.

    Attributes: `profile` (its name, or the file of a condition on orders), `entry` (the decision,
    result or condition that takes most), `steps` (those of this entry), `most` (the limit for all
    decisions and results together, or for one condition).
    """

    def __init__(self, profile: str, entry: str, steps: int, most: int) -> None:
        self.profile = profile
        self.entry = entry
        self.steps = steps
        self.most = most
        super().__init__(
            f"{profile}: {entry} would take {steps:,} steps in this phase, more than the limit of "
            f"{most:,}: nest fewer quantifiers, or let them range over facts such as p.attackers"
        )


class LimitError(DipsatError):
    """A limit that was not enough, or that cannot be kept.

    Attributes: `limit` (`seconds`, `work`, `megabytes` or `files`), `value` (what it was),
    `problem` (text).
    """

    def __init__(self, limit: str, value: float | None, problem: str) -> None:
        self.limit = limit
        self.value = value
        self.problem = problem
        super().__init__(f"{limit}: the limit {'' if value is None else f'of {value} '}{problem}")


class UndecidedError(DipsatError):
    """What follows from a phase that is not decided, because a limit of time or work left orders
    `unknown`.

    Attributes: `phase` (its name).
    """

    def __init__(self, phase: str) -> None:
        self.phase = phase
        super().__init__(
            f"{phase}: not everything is decided, so what follows is not known; allow more time or "
            f"work (dipsat.Limits)"
        )
