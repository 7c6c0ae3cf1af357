"""The search for a convoy path, in time that grows with the borders of the convoying units."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from dipsat.board.map import Map


def path_exists(board: Map, origin: str, target: str, carriers: Collection[str]) -> bool:
    """Whether a series of adjacent `carriers` leads from province `origin` to `target`.

    All are codes of provinces, `carriers` those whose units convoy; that each unit may convoy
    where it stands is for the caller to know. Two provinces are adjacent if any unit could move
    from one to the other. Every carrier is visited once, however many paths there are.
    """
    waiting = {code for code in carriers if code not in (origin, target)}
    reached = [origin]
    while reached:
        here = reached.pop()
        near = set(_adjacent(board, here))
        if target in near and here != origin:
            return True
        fresh = near & waiting
        waiting -= fresh
        reached.extend(fresh)
    return False


def _adjacent(board: Map, province: str) -> Iterator[str]:
    yield from board.army.get(province, ())
    yield from board.water.get(province, ())
