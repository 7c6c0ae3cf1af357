"""Boards as tests hand them to judges: to dipsat under some rules, and to a person who looks."""

from __future__ import annotations

from collections.abc import Callable

import dipsat
from dipsat.studies import Deviation, RandomBoard, deviations

DEVIATIONS = {deviation.name: deviation for deviation in deviations()}


def judge_of(board: RandomBoard) -> Callable[[dipsat.Profile], dipsat.Outcome]:
    """A function from rules to dipsat's outcome of a board."""
    position = dipsat.Position.from_units(board.units)
    return lambda rules: dipsat.adjudicate(position, board.orders, rules)


def named(*names: str) -> tuple[Deviation, ...]:
    """The deviations with these names."""
    return tuple(DEVIATIONS[name] for name in names)


def written(board: RandomBoard) -> str:
    """A board as text, for a person who looks into a failure."""
    return "\n".join(f"  {power}: {'; '.join(board.orders[power])}" for power in board.orders)
