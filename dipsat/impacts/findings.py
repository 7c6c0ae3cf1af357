"""What is found about one rule set: the phases that differ from the base, by what they have in
common, and examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dipsat.board.map import Map
from dipsat.game.position import Position
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.proof.comparison import ComparedOrder, Comparison, compare
from dipsat.values import Plain, brief, fields_of


@brief()
@dataclass(frozen=True, slots=True)
class ImpactShare(Plain):
    """In how many of the phases of one sort the result differs."""

    differ: int
    """The number of those that differ."""
    compared: int
    """The number of all that were compared."""


@brief()
@dataclass(frozen=True, slots=True)
class ImpactCause(Plain):
    """What makes phases differ: the smallest set of entries of the rules that, laid over the base,
    has the same result."""

    entries: tuple[str, ...]
    """The entries, such as `setting waive` or `decision support`; for the rules for cycles, those
    that settled the phase, such as `cycle rule Szykman`."""
    phases: int
    """The number of phases that differ for this reason."""


@brief()
@dataclass(frozen=True, slots=True)
class ImpactExample:
    """A phase whose result differs."""

    source: str
    """Its game, or the random board."""
    phase: str
    """Its name."""
    position: Mapping[str, Any]
    """The position, as `Position.to_dict` gives it."""
    orders: Mapping[str, tuple[str, ...]]
    """Power -> its orders."""
    cause: tuple[str, ...]
    """What makes it differ, as in `ImpactCause.entries`."""
    changed: tuple[ComparedOrder, ...]
    """The orders whose result differs, each under the base and under the rules; empty if only what
    comes next differs."""
    next: tuple[Mapping[str, Any], Mapping[str, Any]]
    """What only the next position under the base has, and what only that under the rules: `units`,
    `retreats` and `centers` by power, `phase`."""
    board_differs: bool
    """Whether the next position differs, or who has won."""
    is_shrunk: bool = False
    """Whether it is what is left of a recorded phase when nothing more can be left out."""
    _map: str | Map = field(default="standard", repr=False)
    _rules: tuple[str | Profile, str | Profile] = field(default=("datc", "datc"), repr=False)

    @property
    def units(self) -> int:
        """The number of units, with the dislodged ones."""
        placed = (self.position["units"], self.position["dislodged"])
        return sum(len(units) for part in placed for units in part.values())

    def comparison(self) -> Comparison:
        """Return the results under the base and under the rules, with the reasons."""
        base, rules = map(load_profile, self._rules)
        position = Position.from_dict(self.position, self._map, base)
        return compare(position, self.orders, (base, rules))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return fields_of(self)


@brief()
@dataclass(frozen=True, slots=True)
class NotJudged(Plain):
    """Phases that the base can judge and the rules cannot."""

    reason: str
    """Why not."""
    phases: int
    """How many there are."""
    first: tuple[str, ...]
    """The first of them."""


@brief("rules", "compared", "differ")
@dataclass(frozen=True, slots=True)
class RulesImpact(Plain):
    """What one rule set changes. Phases are counted by the base's number of units before them, with
    the dislodged ones."""

    rules: str
    """The name of the rules."""
    title: str
    """Their title."""
    compared: int
    """The number of phases that both the base and the rules judge."""
    differ: int
    """The number of phases whose result differs: that of an order, the next position, or the
    winner."""
    board_differs: int
    """The number of phases after which the board differs: the next position with its units,
    retreats and centres, or who has won. In the others, only verdicts on orders differ."""
    games: int
    """The number of games, or random boards, with a phase whose result differs."""
    board_games: int
    """The number of those with a phase after which the board differs."""
    orders: int
    """The number of orders with another verdict, or whose unit has another fate, in all phases."""
    causes: tuple[ImpactCause, ...]
    """What makes them differ, the most frequent cause first."""
    by_kind: Mapping[str, ImpactShare]
    """Kind of phase -> how many of these differ."""
    by_season: Mapping[str, ImpactShare]
    """Season -> how many of its phases differ."""
    by_map: Mapping[str, ImpactShare]
    """Map -> how many of its phases differ."""
    by_units: Mapping[str, ImpactShare]
    """Number of units (`1 to 10`) -> how many such phases differ."""
    first: tuple[ImpactExample, ...]
    """The first phases that differ; those after which the board differs come before others."""
    smallest: tuple[ImpactExample, ...]
    """Those with the fewest units; those after which the board differs come before others."""
    not_judged: tuple[NotJudged, ...]
    """Phases that only the base can judge, by reason."""
