"""Room for recursions as deep as a chain of orders is long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

_T = TypeVar("_T")

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


def in_one_piece(action: Callable[[], _T]) -> _T:
    """What the action returns, run with so much room for its frames that they lie in one piece.

    CPython (3.11 and later) keeps the frames of Python functions in pieces of 16 kB. A recursion
    that goes to and fro over the end of a piece has it made and thrown away each time: that cost
    the engines which read equations three to seven times their time, depending on how deep their
    caller was. This function's own frame is so large that it gets a large piece, and leaves half of
    it to what it calls.
    """
    return action()


_SLOTS = 2**15 + 1  # of 8 bytes: just more than 256 kB, so that the piece has 512
in_one_piece.__code__ = in_one_piece.__code__.replace(co_stacksize=_SLOTS)
