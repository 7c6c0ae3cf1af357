"""A movement phase as facts: every object that an equation may refer to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dipsat.board.map import Map
from dipsat.equations.instances import Combination, combinations, is_single
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


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a legal order is invalid: code, sentence, and the unit whose order does not match."""

    code: str
    reason: str
    because: tuple[UnitFacts, ...] = ()


_DOMAINS = {
    "Province": "provinces", "Unit": "units", "Move": "moves", "Support": "supports",
    "Convoy": "convoys",
}  # fmt: skip
"""Type -> the attribute of a phase that holds its objects."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase in facts. `invalid` maps a unit's index to why its order is invalid. `declared`
    maps a declared type to its objects; `refused` are the orders of declared kinds that are
    illegal, each with the reason."""

    map: Map
    provinces: tuple[ProvinceFacts, ...]
    units: tuple[UnitFacts, ...]
    moves: tuple[MoveFacts, ...]
    supports: tuple[SupportFacts, ...]
    convoys: tuple[ConvoyFacts, ...]
    invalid: dict[int, Mismatch]
    name: PhaseName = FIRST_PHASE
    declared: Mapping[str, tuple[DeclaredFacts, ...]] = field(default_factory=dict)
    refused: tuple[tuple[Ruling, Mismatch], ...] = ()
    _combined: dict[tuple[Variable, ...], tuple[Combination, ...]] = field(default_factory=dict)

    @property
    def season(self) -> str:
        """Its season: "spring", "summer", "fall" or "winter"."""
        return SEASON_WORDS[self.name.season]

    def objects(self, indices: tuple[Variable, ...]) -> Sequence[Any]:
        """What the decisions of a family with these indices are about, by number."""
        if is_single(indices):
            return self.domain(indices[0].type.name)
        found = self._combined.get(indices)
        if found is None:
            found = self._combined[indices] = combinations(indices, self.domain)
        return found

    def domain(self, kind: str) -> Sequence[Any]:
        """All objects of a type of the vocabulary ("Move", "Unit", ...), or of a declared one."""
        attribute = _DOMAINS.get(kind)
        if attribute is not None:
            found: Sequence[Any] = getattr(self, attribute)
            return found
        return (self,) if kind == "Phase" else self.declared.get(kind, ())
