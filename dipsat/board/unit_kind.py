"""Kinds of units: armies, fleets, and those that rules declare besides."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, ClassVar

from dipsat.errors import UnknownNameError
from dipsat.errors.arguments import checked
from dipsat.errors.base import with_article

BORDERS = ("army", "fleet")
"""What a map says about two neighbouring provinces: whether armies pass, and whether fleets do."""
_TERRAIN = {"army": ("land", "coast"), "fleet": ("coast", "sea")}


class UnitKind(str):
    """A kind of unit, written as the letter in front of such a unit.

    There is one object for each kind, so compare kinds with `is`. A kind equals the plain text of
    its letter; two kinds with the same letter in different rules are not equal.
    """

    word: str
    """Its name, such as `army`."""
    borders: tuple[str, ...]
    """The borders that it crosses: those for `army`, those for `fleet`, or both."""
    ARMY: ClassVar[UnitKind]
    """The army, `A`."""
    FLEET: ClassVar[UnitKind]
    """The fleet, `F`."""

    def __new__(cls, letter: str, word: str, borders: tuple[str, ...]) -> UnitKind:
        """Called only by `unit_kind`, which gives the one object."""
        found = super().__new__(cls, letter)
        found.word = word
        found.borders = borders
        return found

    def __eq__(self, other: object) -> bool:
        return self is other if isinstance(other, UnitKind) else str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __reduce__(self) -> tuple[Any, ...]:  # copies, too, are the one object
        return unit_kind, (str(self), self.word, self.borders)

    @property
    def with_article(self) -> str:
        """Its name with an article: `an army`."""
        return with_article(self.word)

    @property
    def plural(self) -> str:
        """Its name in the plural: `armies`."""
        return f"{self.word[:-1]}ies" if self.word.endswith("y") else f"{self.word}s"

    @property
    def has_coasts(self) -> bool:
        """Whether it is on one particular coast in a province with several."""
        return self.borders == ("fleet",)

    @checked
    def stands_in(self, terrain: str) -> bool:
        """Whether it can be in a province with this terrain: "land", "coast" or "sea"."""
        return any(terrain in _TERRAIN[border] for border in self.borders)


@cache
def unit_kind(letter: str, word: str, borders: tuple[str, ...]) -> UnitKind:
    """The kind with these properties, always the same object."""
    return UnitKind(letter, word, borders)


UnitKind.ARMY = unit_kind("A", "army", ("army",))
UnitKind.FLEET = unit_kind("F", "fleet", ("fleet",))

STANDARD_KINDS: tuple[UnitKind, ...] = (UnitKind.ARMY, UnitKind.FLEET)
"""The kinds that the standard rules know."""


def one_of(kinds: Iterable[UnitKind]) -> str:
    """Like `an army (A) or a fleet (F)`."""
    *others, last = (f"{kind.with_article} ({kind})" for kind in kinds)
    return f"{', '.join(others)} or {last}" if others else last


def standard_kind(letter: str) -> UnitKind:
    """The kind of the letter "A" or "F". Raises `UnknownNameError` for anything else."""
    found = next((kind for kind in STANDARD_KINDS if kind == letter), None)
    if found is None:
        raise UnknownNameError("kind of unit", letter, STANDARD_KINDS, list_known=True)
    return found
