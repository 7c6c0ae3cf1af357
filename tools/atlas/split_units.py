"""The fewest units of two lines that share no province, for every two numbers of centres. One
solver answers all, and learns from each question for the next.

This takes a quarter of the time of a search for each. The fewest units of a single line with each
number of centres are already proven (the section `sizes`), and are stated too.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import dipsat
from dipsat import searches
from dipsat.base import ExhaustedError
from dipsat.rules import DEFAULT_RULES, load_profile
from dipsat.searches.line_placement import PlacementModel
from dipsat.searches.line_question import terms_of
from dipsat.solving import Budget, clause_solver
from dipsat.solving.sat import Counters
from tools.atlas.answers import Answer

_MOST = 40
"""The most units counted; an answer with more would have no bound."""


def pairs(sizes: Iterable[Answer]) -> Iterator[tuple[int, int]]:
    """The splits of a board, given what single lines hold: the most even ones come first."""
    held = sorted((one["asked"]["centres"] for one in sizes if one["forms"]), reverse=True)
    yield from ((less, more) for less in held for more in held if less <= more)


def most_even(answers: Iterable[Answer]) -> list[Answer]:
    """The splits that need fewer units than every more even one. A split is more even if its
    smaller side holds more centres, or the same number and the other side more."""
    found, least = list[Answer](), _MOST
    for one in sorted(answers, key=lambda one: tuple(one["asked"]["split"]), reverse=True):
        if one["verdict"] == "found" and one["fewest"] < least:
            found.append(one)
        least = min(least, one["bound"] or _MOST)
    return found


class SplitUnits:
    """The unknowns of two lines with any numbers of centres, and a solver that learns."""

    def __init__(self, board: dipsat.Map, sizes: Iterable[Answer]) -> None:
        """`sizes` are the answers for one line."""
        self._alone = {one["asked"]["centres"]: one["bound"] for one in sizes if one["forms"]}
        asked = searches.Lines(protect=tuple(board.centers)[:1], map=board)
        terms = terms_of(asked, load_profile(DEFAULT_RULES))
        terms = replace(terms, protect=frozenset())
        one = PlacementModel(terms)
        self._sides = one, PlacementModel(terms, one)
        self._count(one.problem.counts)
        self._budget = Budget()
        self._solver = clause_solver(budget=self._budget)
        self._solver.add([*one.problem.clauses, *self._counters.clauses, *self._lemmas()])

    def _count(self, counts: Iterable[Any]) -> None:
        """Count the sides' requirements, their centres, and their units, with either side first."""
        board, counters = self._sides[0].terms.map, Counters(self._sides[0].problem.unknowns)
        self._counters, self._centres = counters, sorted(board.centers)
        for count in counts:
            reached = counters.counted(count.literals, count.number + 1)
            counters.clauses.append((*(-one for one in count.given), -reached[count.number]))
        self._inside, self._outside, self._units = [], [], []
        for side in self._sides:
            outside = [side.outside[at] for at in side.provinces if at in board.centers]
            self._outside.append(counters.in_turn(outside, len(outside)))
            self._inside.append(counters.in_turn([-one for one in outside], len(outside)))
            self._units.append(counters.in_turn([*side.held.values()], _MOST))
        self._together = [
            counters.in_turn([*side.held.values()], _MOST, units)
            for side, units in zip(self._sides[::-1], self._units, strict=True)
        ]
        counters.last += 1
        self._in_order = counters.last

    def _holding(self, side: int, number: int) -> list[int]:
        """Literals that say that a side holds exactly this number of centres."""
        counts = (self._inside[side], number), (self._outside[side], len(self._centres) - number)
        return [-reached[most] for reached, most in counts if most < len(reached)]

    def _lemmas(self) -> Iterator[tuple[int, ...]]:
        """Clauses that follow from the answers for one line, and clauses that order the sides."""
        for number, fewest in self._alone.items():
            for side in (0, 1) if fewest else ():
                holding = (-one for one in self._holding(side, number))
                yield *holding, self._units[side][fewest - 1]
        one, other = self._sides
        before = list[int]()
        for centre in self._centres:  # the first side holds the first centre, if they are in order
            yield -self._in_order, other.outside[centre], *before
            before.append(-one.outside[centre])

    def answer(self, both: tuple[int, int], seconds: float) -> Answer:
        """The fewest units for a split with these numbers of centres, without lines."""
        less, more = both
        holding = [*self._holding(0, less), *self._holding(1, more)]
        holding += [self._in_order] if less == more else []
        bound, fewest, step = self._alone[less] + self._alone[more], None, 0
        verdict = "found"
        self._budget.deadline = time.monotonic() + seconds
        try:
            while verdict == "found" and (fewest is None or bound < fewest):
                aim = bound + step if fewest is None else (bound + fewest) // 2
                units = self._solved(holding, aim)
                if units is not None:
                    fewest = units
                elif aim < _MOST:
                    bound, step = aim + 1, 2 * step + 1
                else:
                    verdict = "impossible"
        except ExhaustedError:
            verdict = "unknown"
        return {
            "asked": {"split": [less, more]},
            "verdict": verdict,
            "fewest": fewest,
            "bound": None if verdict == "impossible" else bound,
            "all": False,
            "forms": [],
        }

    def _solved(self, holding: Sequence[int], most: int) -> int | None:
        """The number of units of a solution with at most `most` units, or None if there is none."""
        fewer = [-units[most] for units in self._together if most < len(units)]
        true = self._solver.solve([*holding, *fewer])
        if true is None:
            return None
        return sum(held in true for side in self._sides for held in side.held.values())
