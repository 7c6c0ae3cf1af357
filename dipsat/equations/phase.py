"""A movement phase as facts: every object that an equation may refer to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dipsat.board.map import Map
from dipsat.brief import brief
from dipsat.equations.instances import Combination, combinations, is_single, names_of
from dipsat.errors.arguments import RAW, ArgumentError, refuse_misuse
from dipsat.game.facts import (
    ConvoyFacts,
    DeclaredFacts,
    MoveFacts,
    ProvinceFacts,
    SupportFacts,
    UnitFacts,
)
from dipsat.game.phase_name import SEASON_WORDS, PhaseName
from dipsat.game.position import FIRST_PHASE
from dipsat.game.ruling import Ruling
from dipsat.language.syntax import Variable
from dipsat.terms.term import Term


@brief()
@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a legal order is invalid."""

    code: str
    """The reason for programs."""
    reason: str
    """The reason for people."""
    because: tuple[UnitFacts, ...] = ()
    """The units whose orders do not match."""


_DOMAINS = {
    "Province": "provinces", "Unit": "units", "Move": "moves", "Support": "supports",
    "Convoy": "convoys",
}  # fmt: skip
"""Type -> the attribute of a phase that holds its objects."""


_Routes: TypeAlias = Callable[[Any, Any, Sequence[Any], Sequence[Term]], Term]
"""From the two ends of a chain, its possible members and the condition of each: the chain."""


@brief()
@dataclass(frozen=True, slots=True)
class Phase:
    """The facts of a phase: the objects of the equations, and what an engine decides about."""

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
    _routes: _Routes | None = None  # whether members of a chain make it, where that is open
    _combined: dict[tuple[Variable, ...], tuple[Combination, ...]] = field(default_factory=dict)
    _names: dict[tuple[Variable, ...] | str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def season(self) -> str:
        """The season: "spring", "summer", "fall" or "winter"."""
        return SEASON_WORDS[self.name.season]

    def objects(self, indices: tuple[Variable, ...]) -> Sequence[Any]:
        """What the decisions of a family with these indices are about, by number."""
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
        """A name for each of `objects(indices)`, different from those of the others."""
        try:
            # The hash of a text is kept; that of a tuple is computed each time.
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
