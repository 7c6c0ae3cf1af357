"""What is known of every phase of a replayed game, also of those that agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["agree", "differ", "skipped"]
JudgedPhase: TypeAlias = tuple[str, int | None, Verdict]
"""A phase: its name ("" if it is unknown), how many units are on the board (None if that cannot be
read), and how the replay went. There are many, so they are no objects of their own."""


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A game: its file, the names of its map and of the rules, and its phases in their order."""

    file: str = ""
    map: str = ""
    rules: str = ""
    phases: tuple[JudgedPhase, ...] = ()
