"""What the rules name and the kernel numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

_T = TypeVar("_T")


@dataclass
class Numbered:
    """`attributes` and `kinds` are those of the profile; codes of provinces, names of powers and
    features are numbered as the equations use them, and each map has a table for them. A feature
    comes with the number of provinces that it is about."""

    attributes: Mapping[str, int]
    kinds: Mapping[str, int]
    codes: list[str] = field(default_factory=list)
    powers: list[str] = field(default_factory=list)
    features: list[tuple[str, int]] = field(default_factory=list)

    def attribute(self, name: str) -> int:
        """The number of an attribute of units."""
        return self.attributes[name]

    def code(self, code: str) -> int:
        """The place of a province's code in the table."""
        return _number(self.codes, code)

    def power(self, name: str) -> int:
        """The place of a power's name in the table."""
        return _number(self.powers, name)

    def feature(self, name: str, about: int) -> int:
        """The number of a feature of maps."""
        return _number(self.features, (name, about))


def _number(known: list[_T], one: _T) -> int:
    if one not in known:
        known.append(one)
    return known.index(one)
