"""Attributes of units that the rules declare, such as a colour, as words in an order's text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol, TypeAlias

from dipsat.board.names import words_of
from dipsat.grouped import grouped


class AttributeRule(Protocol):
    """What the rules say about an attribute: its name, its values, and the default where no value
    is given ("" if one is required)."""

    @property
    def name(self) -> str:
        """Its name, such as "color"."""

    @property
    def values(self) -> tuple[str, ...]:
        """Its possible values."""

    @property
    def default(self) -> str:
        """The value where none is given."""


Attributes: TypeAlias = tuple[AttributeRule, ...]
"""The attributes of units, in the order in which their values are written before a unit."""
Values: TypeAlias = tuple[tuple[str, str], ...]
"""(attribute, value) of one unit, in that order."""


class AttributeWords:
    """The words that stand for values: folded words -> the attributes and values they may mean."""

    def __init__(self, attributes: Attributes) -> None:
        self.known = grouped(
            (words_of(value), (rule.name, value)) for rule in attributes for value in rule.values
        )
        self.longest = max(map(len, self.known), default=0)
        self.names = tuple(rule.name for rule in attributes)
        self.values = tuple(value for rule in attributes for value in rule.values)

    def in_order(self, found: Mapping[str, str]) -> Values:
        """Values by attribute, in the order in which they are written."""
        return tuple((name, found[name]) for name in self.names if name in found)


@lru_cache(maxsize=64)
def attribute_words(attributes: Attributes) -> AttributeWords:
    """The words of attributes, computed once."""
    return AttributeWords(attributes)


def value_texts(values: Values) -> tuple[str, ...]:
    """The values as they are written before a unit: `Red`."""
    return tuple(value.capitalize() for _, value in values)


def contradiction(named: Values, values: Values) -> str:
    """What a text gets wrong about the attributes of a unit, "" if nothing."""
    if named and named != values:
        own = dict(values)
        for name, value in named:
            if own.get(name) != value:
                return f"its {name} is {own.get(name, 'unknown')}, not {value}"
    return ""
