"""The fewest armies for every question about a map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bench.small_games.games import Games, games_of
from bench.small_games.graphs import Borders, subsets

MOST_ARMIES = MOST_PROTECTED = 3
MOST_SOURCES = 2
NONE_SUFFICE = MOST_ARMIES + 1


@dataclass(frozen=True, slots=True)
class Answer:
    """The fewest armies that keep the enemy out of provinces; `NONE_SUFFICE` if three cannot."""

    protected: int
    sources: int
    """Where the enemy starts and builds."""
    lines: int
    """With lines that hold."""
    inside: int
    """With plans whose armies stay in the closed provinces."""
    plans: int
    """With plans."""
    seeing: int
    """With orders that depend on where the enemy is."""


def answers(borders: Borders) -> Iterator[Answer]:
    """The answers about a map: for each set of provinces to protect, and each of sources."""
    games = [games_of(borders, armies) for armies in range(1, min(MOST_ARMIES, len(borders)) + 1)]
    everywhere = (1 << len(borders)) - 1
    for sources in subsets(everywhere):
        if not 1 <= sources.bit_count() <= MOST_SOURCES:
            continue
        for protected in subsets(everywhere & ~sources):
            if 1 <= protected.bit_count() <= MOST_PROTECTED:
                yield _answer(games, protected, sources)


def _answer(games: list[Games], protected: int, sources: int) -> Answer:
    rest = games[0].phases.everywhere & ~protected & ~sources
    closed = [protected | more for more in subsets(rest)]
    lines = _fewest(any(one in game.lines for one in closed) for game in games)
    inside = _fewest(any(game.plans_inside[one] for one in closed) for game in games)
    plans = _fewest(
        any(not own & sources for one in closed for own in game.plans[one]) for game in games
    )
    fewer = games[: plans - 1]  # who sees the enemy can follow a plan
    seeing = min(plans, _fewest(game.sees(protected, sources) for game in fewer))
    return Answer(protected, sources, lines, inside, plans, seeing)


def _fewest(suffices: Iterator[bool]) -> int:
    """The fewest armies that suffice, given whether one does, two do and so on."""
    return next((armies for armies, enough in enumerate(suffices, 1) if enough), NONE_SUFFICE)
