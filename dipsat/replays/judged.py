"""What is known of every phase of a replayed game, also of those that agree."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Verdict: TypeAlias = Literal["agree", "differ", "skipped"]


class JudgedPhase(NamedTuple):
    """A phase: its name ("" if it is unknown), how many units are on the board (None if that
    cannot be read), and how the replay went."""

    name: str
    units: int | None
    verdict: Verdict


class JudgedGame(NamedTuple):
    """A game: its file, the names of its map and of the rules, and its phases in their order."""

    file: str
    map: str
    rules: str
    phases: tuple[JudgedPhase, ...]
