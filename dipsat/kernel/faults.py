"""What can be wrong with codes, in the words and by the numbers of the compiled code."""

from __future__ import annotations

from typing import Any

from dipsat.errors import CodeError

BAD_POWER = "the power has no such number on this map"
BAD_KIND = "the kind of unit has no such number"
BAD_LOCATION = "no unit of this kind can stand there"
BAD_ATTRIBUTE = "an attribute has no such value"
SHARED_PROVINCE = "another unit stands in the same province"
BAD_ORDER_TYPE = "the type of the order has no such number"
BAD_OTHER = "the location of the other unit is not on this map"
BAD_TARGET = "the target is not on this map"
NEVER_LESS = "`starts` should never become less"
BAD_SEASON = "the season has no such number"
BAD_OWNER = "a province is owned by a power that the map does not have"
NO_PHASE = "there is no such phase, or units are dislodged in it"
TOO_MANY = "there are more units than there is room for"
UNSORTED = "the units are not sorted by province, or two stand in one"
BAD_RETREAT = "a retreat leads to a province that is occupied or cannot be reached"

_FIRST = 2  # what `codes.h` returns for the first of these
_BY_NUMBER = (
    BAD_POWER, BAD_KIND, BAD_LOCATION, BAD_ATTRIBUTE, SHARED_PROVINCE, BAD_ORDER_TYPE, BAD_OTHER,
    BAD_TARGET, NEVER_LESS, BAD_SEASON, BAD_OWNER, NO_PHASE, TOO_MANY, UNSORTED, BAD_RETREAT,
)  # fmt: skip
_OF_UNITS = {*_BY_NUMBER[: _BY_NUMBER.index(NEVER_LESS)], UNSORTED}


def code_error(request: Any) -> CodeError:
    """The error for what the compiled code has written into a request: the `fault`, and the numbers
    of the `board` and of the `unit` on it."""
    problem = _BY_NUMBER[request.fault - _FIRST]
    board = None if problem == NEVER_LESS else request.board
    return CodeError(board, request.unit if problem in _OF_UNITS else None, problem)
