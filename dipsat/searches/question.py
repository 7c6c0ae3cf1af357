"""The questions about open orders."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from dipsat.brief import brief
from dipsat.errors.arguments import checked_fields
from dipsat.profiles.profile import Profile

Rules: TypeAlias = str | Path | Profile


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Paradox:
    """Whether orders cause a decision cycle: decisions with no or several resolutions."""

    kind: str | None = None
    """`none` or `several` for a cycle with no or several resolutions, or the name of the cycle rule
    that settles it; None for any cycle."""


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Differ:
    """Whether the same orders can lead to different boards under two rule profiles."""

    other: Rules
    """The second profile: a name, a path or a loaded profile."""


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Achieve:
    """Whether orders reach a goal."""

    goal: str
    """The goal, in the words of docs/search.md."""


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Guarantee:
    """Whether a power has orders that reach a goal, whatever the other open units are ordered."""

    goal: str
    """The goal, in the words of docs/search.md."""
    power: str
    """The power."""


Question: TypeAlias = Paradox | Differ | Achieve | Guarantee
"""A question about all orders that open units can be given."""
