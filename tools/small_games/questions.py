"""The fewest armies that suffice for every question about a map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tools.small_games.falls import Falls
from tools.small_games.games import Games, games_of
from tools.small_games.graphs import Borders, subsets

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
    """The answers about a map, for each set of provinces to protect and each set of sources."""
    games = _all_games(borders)
    for protected, sources in _questions(len(borders)):
        yield _answer(games, protected, sources)


def gains_of_retreats(borders: Borders) -> tuple[int, int]:
    """The number of questions about a map, and the number of those in which plans with retreats of
    dislodged armies need fewer armies than other plans."""
    games, questions = _all_games(borders), [*_questions(len(borders))]
    everywhere = [*subsets((1 << len(borders)) - 1)]
    falls = [Falls(game.phases) for game in games]
    plans = [{closed: fall.plan(closed) for closed in everywhere} for fall in falls]
    gains = 0
    for protected, sources in questions:
        closed = _closed(len(borders), protected, sources)
        kept = _fewest(_is_kept(game.plans, closed, sources) for game in games)
        gains += _fewest(_is_kept(plan, closed, sources) for plan in plans) < kept
    return len(questions), gains


def _all_games(borders: Borders) -> list[Games]:
    return [games_of(borders, armies) for armies in range(1, min(MOST_ARMIES, len(borders)) + 1)]


def _questions(size: int) -> Iterator[tuple[int, int]]:
    """The sets of provinces to protect, each with the sources where the enemy starts and builds."""
    everywhere = (1 << size) - 1
    for sources in subsets(everywhere):
        if 1 <= sources.bit_count() <= MOST_SOURCES:
            for protected in subsets(everywhere & ~sources):
                if 1 <= protected.bit_count() <= MOST_PROTECTED:
                    yield protected, sources


def _closed(size: int, protected: int, sources: int) -> list[int]:
    """The sets of provinces that armies may keep closed to answer a question."""
    return [protected | more for more in subsets((1 << size) - 1 & ~protected & ~sources)]


def _is_kept(plans: Mapping[int, Mapping[int, object]], closed: list[int], sources: int) -> bool:
    """Whether a plan keeps one of these sets closed, and begins with no army in a source."""
    return any(not own & sources for one in closed for own in plans[one])


def _answer(games: list[Games], protected: int, sources: int) -> Answer:
    closed = _closed(len(games[0].phases.borders), protected, sources)
    lines = _fewest(any(one in game.lines for one in closed) for game in games)
    inside = _fewest(any(game.plans_inside[one] for one in closed) for game in games)
    plans = _fewest(_is_kept(game.plans, closed, sources) for game in games)
    fewer = games[: plans - 1]  # armies that see the enemy can also follow a plan
    seeing = min(plans, _fewest(game.sees(protected, sources) for game in fewer))
    return Answer(protected, sources, lines, inside, plans, seeing)


def _fewest(suffices: Iterator[bool]) -> int:
    """The fewest armies that suffice, given whether one army suffices, two armies, and so on."""
    return next((armies for armies, enough in enumerate(suffices, 1) if enough), NONE_SUFFICE)
