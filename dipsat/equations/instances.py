"""Combinations of objects: what a decision is about if its family has several indices.

The combinations of a family are numbered like the digits of a number, the last index running
fastest, so the number of a combination can be computed without a table.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import prod
from typing import Any

from dipsat.errors import TooManyDecisionsError
from dipsat.language.syntax import Variable
from dipsat.language.types import Type

MAX_COMBINATIONS = 200_000
"""Combinations in a family; a full board has a few thousand at most."""

Domain = Callable[[str], Sequence[Any]]
"""Returns all objects of a type of the vocabulary, given its name."""


class Combination:
    """One object for each index of a family; `index` is its number in the family."""

    __slots__ = ("index", "parts")

    def __init__(self, index: int, parts: tuple[Any, ...]) -> None:
        self.index = index
        self.parts = parts

    def __str__(self) -> str:
        """The parts, separated by commas; a member of a domain that could be read as two parts is
        quoted, so no two combinations of members have the same text."""
        return _SEPARATOR.join(
            quoted(part, _SEPARATOR) if isinstance(part, str) else str(part) for part in self.parts
        )


_SEPARATOR = ", "


def quoted(text: str, separator: str) -> str:
    """A text whose end is clear in a joined text.

    Most texts stay as they are. One that contains the separator, or that begins with a quotation
    mark, is written as in JSON. So a joined text can be read in one way only: what begins with a
    quotation mark ends where its JSON text ends, anything else at the first separator. (No
    separator begins inside a text and ends after it, because the first character of a separator
    occurs in it once.)
    """
    return json.dumps(text) if separator in text or text.startswith('"') else text


def names_of(objects: Iterable[Any]) -> tuple[str, ...]:
    """A name in parentheses for each object, different from all others: `(A LON - BEL)`.

    Objects with the same text are numbered: `(x)[1]`, `(x)[2]`. So no two names are the same: one
    without a number ends with a parenthesis, one with a number with a bracket; what comes before
    the number is the text, and objects with the same text have different numbers.
    """
    texts = [str(one) for one in objects]
    if len(set(texts)) == len(texts):
        return tuple([f"({text})" for text in texts])
    count = Counter(texts)
    seen: Counter[str] = Counter()
    found = []
    for text in texts:
        seen[text] += 1
        found.append(f"({text})[{seen[text]}]" if count[text] > 1 else f"({text})")
    return tuple(found)


def is_single(indices: tuple[Variable, ...]) -> bool:
    """Whether a family with these indices is about objects that have an index themselves."""
    return len(indices) == 1 and not indices[0].type.members


def objects_of(kind: Type, domain: Domain) -> Sequence[Any]:
    """All objects of a type, or the members of a declared domain."""
    return kind.members or domain(kind.name)


def combinations(indices: tuple[Variable, ...], domain: Domain) -> tuple[Combination, ...]:
    """All combinations of objects for these indices.

    Raises `TooManyDecisionsError` if there are more than can be decided.
    """
    ranges = [objects_of(index.type, domain) for index in indices]
    count = prod(map(len, ranges))
    if count > MAX_COMBINATIONS:
        kinds = [str(index.type) for index in indices]
        raise TooManyDecisionsError(kinds, count, MAX_COMBINATIONS)
    return tuple(Combination(at, parts) for at, parts in enumerate(product(*ranges)))


def number_of(indices: tuple[Variable, ...], objects: Sequence[Any], domain: Domain) -> int:
    """The number of a combination of objects."""
    number = 0
    for index, one in zip(indices, objects, strict=True):
        members = index.type.members
        place = members.index(one) if members else one.index
        number = number * len(objects_of(index.type, domain)) + place
    return number


def parts_of(about: Any) -> tuple[Any, ...]:
    """The objects that a decision is about: those of a combination, or the one object."""
    return about.parts if isinstance(about, Combination) else (about,)
