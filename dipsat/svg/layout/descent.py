"""The least value of a smooth function, by the limited-memory method of Broyden, Fletcher, Goldfarb
and Shanno (J. Nocedal, Updating Quasi-Newton Matrices with Limited Storage, 1980)."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from operator import mul

Numbers = list[float]
Function = Callable[[Numbers], tuple[float, Numbers]]
"""Value and slope at a place; the value is infinite where the function is not defined."""

_MEMORY = 12
_HALVINGS = 40


def _dot(one: Numbers, other: Numbers) -> float:
    products: map[float] = map(mul, one, other)
    return sum(products)


def least(function: Function, start: Numbers, steps: int, enough: float = 2e-4) -> Numbers:
    """A place where the function is small, after at most `steps` steps from `start`, each to a
    smaller value. The search ends early when ten steps gain less than the part `enough`."""
    here = start
    value, slope = function(here)
    memory: deque[tuple[Numbers, Numbers, float]] = deque(maxlen=_MEMORY)
    values = [value]
    for _ in range(steps):
        way = _way(slope, memory)
        fall = _dot(way, slope)
        if not fall < 0:
            memory.clear()
            way = [-each for each in slope]
            fall = -_dot(slope, slope)
            if not fall < 0:
                break
        length = 1.0 if memory else min(1.0, 1e-2 / max(map(abs, slope)))
        for _ in range(_HALVINGS):
            there = [a + length * b for a, b in zip(here, way, strict=True)]
            new_value, new_slope = function(there)
            if new_value <= value + 1e-4 * length * fall:
                break
            length *= 0.5
        else:
            if not memory:
                break
            memory.clear()
            continue
        step = [a - b for a, b in zip(there, here, strict=True)]
        bend = [a - b for a, b in zip(new_slope, slope, strict=True)]
        turn = _dot(step, bend)
        if turn > 1e-12 * math.sqrt(_dot(step, step) * _dot(bend, bend)):
            memory.append((step, bend, 1.0 / turn))
        here, value, slope = there, new_value, new_slope
        values.append(value)
        if len(values) > 10 and values[-11] - value < enough * abs(value):
            break
    return here


def _way(slope: Numbers, memory: deque[tuple[Numbers, Numbers, float]]) -> Numbers:
    """The direction of the next step."""
    way = [-each for each in slope]
    shares: list[float] = []
    for step, bend, scale in reversed(memory):
        share = scale * _dot(step, way)
        shares.append(share)
        way = [a - share * b for a, b in zip(way, bend, strict=True)]
    if memory:
        step, bend, scale = memory[-1]
        size = 1.0 / (scale * _dot(bend, bend))
        way = [size * each for each in way]
    for (step, bend, scale), share in zip(memory, reversed(shares), strict=True):
        rest = share - scale * _dot(bend, way)
        way = [a + rest * b for a, b in zip(way, step, strict=True)]
    return way
