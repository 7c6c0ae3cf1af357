"""Which way provinces lie from each other, as far as that is known."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bearing:
    """The direction (x, y), of length 1, from one province to another."""

    start: int
    end: int
    x: float
    y: float
    weight: float = 1.0
