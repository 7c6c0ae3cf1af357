"""Movement phases judged at once by compiled equations.

What is found is compared as codes, or read from them, where that is enough. What needs more care is
judged phase by phase.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, TypeAlias, TypeVar

from dipsat.base import kept_on_first
from dipsat.board import Map
from dipsat.errors import DipsatError
from dipsat.game import Position
from dipsat.kernel import BatchResult, CodedMoves, MovesAtOnce, kept_batch, left_open
from dipsat.rules import Profile

_Key = TypeVar("_Key", bound=Hashable)


@kept_on_first(4)
def moves_at_once(profile: Profile, board: Map) -> MovesAtOnce | None:
    """The compiled equations of a profile; None if they cannot be compiled."""
    try:
        found = MovesAtOnce(kept_batch(profile, board))
    except DipsatError:
        return None  # it is found again phase by phase
    return found if found.is_ready else None


Phases: TypeAlias = Mapping[_Key, tuple[Position, Mapping[str, Any]]]
"""Movement phases by some key, each with its orders by power."""


def coded_by(coder: MovesAtOnce, phases: Phases[_Key]) -> dict[_Key, CodedMoves]:
    """The codes of the phases that have some: whose orders are texts, one set for each power."""
    every = {
        key: coder.coded(position, orders)
        for key, (position, orders) in phases.items()
        if all(_are_texts(given) for given in orders.values())
    }
    return {key: coded for key, coded in every.items() if coded is not None}


def _are_texts(given: object) -> bool:
    return isinstance(given, list | tuple) and all(isinstance(one, str) for one in given)


def settled(
    coder: MovesAtOnce, coded: Mapping[_Key, CodedMoves]
) -> tuple[BatchResult, dict[_Key, int]]:
    """The results of phases, and the numbers of the boards that compiled equations settle. Raises
    `CodeError`."""
    result = coder.judged([*coded.values()])
    open_boards = set(left_open(result))
    return result, {key: n for n, key in enumerate(coded) if n not in open_boards}
