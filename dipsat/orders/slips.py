"""Misspelt names of provinces: an extra, missing or wrong letter, or two swapped letters. A name of
eight or more letters may have two such slips."""

from __future__ import annotations

from dipsat.base import kept_on_first
from dipsat.board import Map

_LONG = 8  # letters of the shortest name in which two slips are tolerated
_SHORT = 3  # letters of the shortest name in which one slip is
MAX_SLIPS = 2
_LETTER_BITS = 61


@kept_on_first(5_000)
def provinces_like(board: Map, typed: str) -> tuple[str, ...]:
    """The codes of the provinces that may be meant by `typed`, which is in lower case."""
    letters = _letters(typed)
    found = {
        code
        for name, code, others in _spelled(board)
        if name.startswith(typed)
        or ((letters ^ others).bit_count() <= 2 * MAX_SLIPS and _alike(typed, name))
    }
    return tuple(sorted(found))


@kept_on_first(1)
def _spelled(board: Map) -> tuple[tuple[str, str, int], ...]:
    """(name, province, its letters) for every name of a province."""
    names = ((" ".join(words), code) for words, code in board.names.provinces.items())
    return tuple((name, code, _letters(name)) for name, code in names)


def _letters(name: str) -> int:
    """The letters of a name as bits. A slip adds a letter to them, removes one, or does both."""
    found = 0
    for letter in name:
        found |= 1 << ord(letter) % _LETTER_BITS
    return found


def _alike(typed: str, name: str) -> bool:
    shorter = min(len(typed), len(name))
    allowed = 0 if shorter < _SHORT else 1 if shorter < _LONG else MAX_SLIPS
    return abs(len(typed) - len(name)) <= allowed and _slips(typed, name) <= allowed


def _slips(one: str, other: str) -> int:
    """The number of slips: letters inserted, left out, wrong or swapped."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        last, row = row, [i]
        for j, wanted in enumerate(other, start=1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before = last
    return row[-1]
