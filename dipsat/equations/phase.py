"""A movement phase as facts: every object that an equation may refer to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any, TypeAlias

from dipsat.base import RAW, ArgumentError, brief, names_of, quoted, refuse_misuse
from dipsat.board import Map
from dipsat.equations.term import Term
from dipsat.errors import TooManyDecisionsError
from dipsat.game import (
    FIRST_PHASE,
    SEASON_WORDS,
    ConvoyFacts,
    DeclaredFacts,
    MoveFacts,
    PhaseName,
    ProvinceFacts,
    Ruling,
    SupportFacts,
    UnitFacts,
)
from dipsat.rules import Type, Variable

# --- combinations ---------------------------------------------------------------------------------

# Combinations of objects: the subject of a decision whose family has several indices.
#
# The indices of a family work like the digits of a number, with the last index running fastest. So
# the number of a combination can be computed without a table.


MAX_COMBINATIONS = 200_000
"""The combinations allowed in a family; a full board has a few thousand at most."""

Domain = Callable[[str], Sequence[Any]]
"""Returns all objects of a type of the vocabulary, given its name."""


class Combination:
    """One object for each index of a family; `index` is its number in the family."""

    __slots__ = ("index", "parts")

    def __init__(self, index: int, parts: tuple[Any, ...]) -> None:
        self.index = index
        self.parts = parts

    def __str__(self) -> str:
        """The parts, separated by commas. Members that could be read as two parts are quoted, so no
        two combinations of members have the same text."""
        return _SEPARATOR.join(
            quoted(part, _SEPARATOR) if isinstance(part, str) else str(part) for part in self.parts
        )


_SEPARATOR = ", "


def is_single(indices: tuple[Variable, ...]) -> bool:
    """Whether a family with these indices is about single objects with an index of their own."""
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


def objects_about(about: Any) -> tuple[Any, ...]:
    """The objects that a decision is about: those of a combination, or the one object."""
    return about.parts if isinstance(about, Combination) else (about,)


# --- phase ----------------------------------------------------------------------------------------


@brief()
@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a legal order is invalid."""

    code: str
    """The reason as a code, for programs."""
    reason: str
    """The reason as a sentence, for people."""
    because: tuple[UnitFacts, ...] = ()
    """The units whose orders do not match."""


_DOMAINS = {
    "Province": "provinces", "Unit": "units", "Move": "moves", "Support": "supports",
    "Convoy": "convoys",
}  # fmt: skip
"""Type -> the attribute of a phase that holds its objects."""


_Routes: TypeAlias = Callable[[Any, Any, Sequence[Any], Sequence[Term]], Term]
"""Whether there is a chain, given its ends, its possible members and their conditions."""


@brief()
@dataclass(frozen=True, slots=True)
class Phase:
    """The facts of a phase: the objects that the equations are about and an engine decides on."""

    map: Map
    """The map."""
    provinces: tuple[ProvinceFacts, ...]
    """The provinces in play."""
    units: tuple[UnitFacts, ...]
    """The units, by index."""
    moves: tuple[MoveFacts, ...]
    """The legal moves, by index."""
    supports: tuple[SupportFacts, ...]
    """The supports that match the order of the supported unit, by index."""
    convoys: tuple[ConvoyFacts, ...]
    """The convoys that match the army's move, by index."""
    invalid: dict[int, Mismatch]
    """Index of a unit -> why its order is invalid."""
    name: PhaseName = FIRST_PHASE
    """The phase."""
    declared: Mapping[str, tuple[DeclaredFacts, ...]] = field(default_factory=dict)
    """Declared type -> its objects."""
    refused: tuple[tuple[Ruling, Mismatch], ...] = ()
    """The illegal orders of declared kinds, each with the reason."""
    _routes: _Routes | None = None  # whether its members make a chain, if that is open
    _combined: dict[tuple[Variable, ...], tuple[Combination, ...]] = field(default_factory=dict)
    _names: dict[tuple[Variable, ...] | str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def season(self) -> str:
        """The season: "spring", "summer", "fall" or "winter"."""
        return SEASON_WORDS[self.name.season]

    def objects(self, indices: tuple[Variable, ...]) -> Sequence[Any]:
        """The subjects of the decisions of a family with these indices, by number."""
        try:
            if is_single(indices):
                return self.domain(indices[0].type.name)
            found = self._combined.get(indices)
            if found is None:
                found = self._combined[indices] = combinations(indices, self.domain)
        except RAW:
            refuse_misuse(Phase.objects, self, indices, name="dipsat.engines.Phase.objects")
            raise
        return found

    def names(self, indices: tuple[Variable, ...]) -> tuple[str, ...]:
        """A unique name for each of `objects(indices)`."""
        try:
            # Python keeps the hash of a text but computes the hash of a tuple each time.
            kind = indices[0].type.name if is_single(indices) else indices
            found = self._names.get(kind)
            if found is None:
                found = self._names[kind] = names_of(self.objects(indices))
        except (*RAW, ArgumentError):
            refuse_misuse(Phase.names, self, indices, name="dipsat.engines.Phase.names")
            raise
        return found

    def domain(self, kind: str) -> Sequence[Any]:
        """Return all objects of a type of the vocabulary ("Move", "Unit", ...) or of a declared
        type."""
        try:
            attribute = _DOMAINS.get(kind)
        except TypeError:
            refuse_misuse(Phase.domain, self, kind, name="dipsat.engines.Phase.domain")
            raise
        if attribute is not None:
            found: Sequence[Any] = getattr(self, attribute)
            return found
        return (self,) if kind == "Phase" else self.declared.get(kind, ())


# --- units ----------------------------------------------------------------------------------------

# Which units an object of the equations is about.


def unit_of(thing: Any) -> Any:
    """The unit of an order or of a combination's first object, or the unit itself; None if there is
    none."""
    if isinstance(thing, Combination):
        thing = thing.parts[0]
    return thing if isinstance(thing, UnitFacts) else getattr(thing, "unit", None)


def units_about(thing: Any) -> tuple[UnitFacts, ...]:
    """The units that a decision about this object is about."""
    if isinstance(thing, ProvinceFacts):
        return tuple(thing.units)
    if isinstance(thing, Combination):
        return tuple(dict.fromkeys(unit for part in thing.parts for unit in units_about(part)))
    unit = thing if isinstance(thing, UnitFacts) else getattr(thing, "unit", None)
    return () if unit is None else (unit,)
