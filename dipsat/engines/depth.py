"""Stack space for recursions as deep as the longest chain of orders."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from dipsat.errors import EngineError

_T = TypeVar("_T")

_FRAMES = 30  # Python frames that one order can take: resolve, adjudicate, and the nested terms
_SHALLOW = 10  # orders that fit without a higher limit


@contextmanager
def deep_recursion(orders: int) -> Iterator[None]:
    """Raise the recursion limit so that a recursion can visit this many orders.

    Python stops at 1,000 nested calls, and a chain of seventy units that follow each other takes
    about as many.
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


def in_one_piece(engine: str, action: Callable[[], _T]) -> _T:
    """Run the action of an engine with enough stack space that its frames lie in one chunk; return
    its result. Raises `EngineError` for a recursion that is too deep.

    CPython (3.11 and later) keeps the frames of Python functions in chunks of 16 kB. A recursion
    that keeps crossing the end of a chunk has the next one allocated and freed each time: that made
    the engines which read equations three to seven times slower, depending on how deep their caller
    was. This function's own frame is so large that it gets a large chunk, and leaves half of it to
    what it calls.
    """
    try:
        return action()
    except RecursionError:
        problem = "too many decisions depend on each other in a row, with no order in between"
        raise EngineError(engine, f"{problem}; {EngineError.instead}") from None


_SLOTS = 2**15 + 1  # of 8 bytes: just over 256 kB, so that the chunk has 512 kB
in_one_piece.__code__ = in_one_piece.__code__.replace(co_stacksize=_SLOTS)
