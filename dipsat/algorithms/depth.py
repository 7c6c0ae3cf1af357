"""Room for recursions as deep as a chain of orders is long."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_FRAMES = 30  # of Python that one order can take: resolve, adjudicate, and the nested terms
_SHALLOW = 10  # orders that always fit


@contextmanager
def deep_recursion(orders: int) -> Iterator[None]:
    """Let a recursion visit so many orders one inside another.

    Python stops at 1,000 calls inside one another, and a chain of seventy units that follow each
    other takes about as many.
    """
    before = sys.getrecursionlimit()
    if orders <= _SHALLOW:
        yield
        return
    sys.setrecursionlimit(before + orders * _FRAMES)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
