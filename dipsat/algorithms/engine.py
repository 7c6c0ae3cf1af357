"""What every published algorithm is called by, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from dipsat.equations.facts import Phase
from dipsat.profiles.profile import Profile


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What an algorithm decides of a movement phase.

    Per index of the phase's moves whether it succeeds, of its supports whether it is given, of its
    convoys whether the fleet is available, of its units whether it is dislodged; and the codes of
    the provinces left vacant by a standoff.
    """

    moves: tuple[bool, ...]
    supports: tuple[bool, ...]
    convoys: tuple[bool, ...]
    dislodged: tuple[bool, ...]
    contested: frozenset[str]


class Engine(Protocol):
    """A published algorithm as a judge of movement phases. `name` is such as `dpjudge`."""

    name: str

    def decide(self, phase: Phase, profile: Profile) -> Verdicts:
        """The verdicts on the phase; an algorithm that has its own rules ignores the profile."""
        ...
