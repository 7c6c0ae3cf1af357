"""A rule profile after loading: checked equations, settings and cycle rules; and the names that
every profile must define."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from dipsat.base import ANYWHERE, Files, brief, own_fields
from dipsat.orders import Words
from dipsat.rules.closed_values import Formula
from dipsat.rules.declarations import Declared
from dipsat.rules.layers import Layer
from dipsat.rules.settings import Settings
from dipsat.rules.syntax import Expression, Type, Variable


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision family: one unknown for each object of its index type or, if it has several
    indices, for each combination of objects.

    `conditions` are the named requirements whose conjunction is the equation (a single one with an
    empty name if the equation is one expression); `origin` is the file that states it.
    """

    name: str
    indices: tuple[Variable, ...]
    type: Type
    equation: Expression
    conditions: tuple[tuple[str, Expression], ...]
    origin: str


NamedConditions: TypeAlias = tuple[tuple[str, Expression], ...]
"""Named requirements, each with its name."""


@dataclass(frozen=True, slots=True)
class CycleRule:
    """What to do with a decision cycle that has no resolution, or several.

    If `when` holds for the cycle, each decision of the cycle whose family is in `pins` is set to
    the value given there. If the family is also in `where`, only the decisions are set for whose
    objects (the variables) the condition holds. `along` gives values to decisions of other families
    about the same objects that are still open in the cycle's subgraph, on the cycle or not. With
    `choose`, nothing is set. Instead the rule takes the only resolution of the cycle for which the
    condition holds. A rule that sets and chooses nothing does not apply. Rules marked `together`
    are applied at the same time, unless an unmarked rule before them applies.
    """

    name: str
    when: Expression
    pins: Mapping[str, int | bool]
    origin: str
    where: Mapping[str, tuple[tuple[Variable, ...], Expression]] = field(default_factory=dict)
    choose: Expression | None = None
    together: bool = False
    along: Mapping[str, int | bool] = field(default_factory=dict)


@brief()
@dataclass(frozen=True, eq=False)
class Profile:
    """A loaded rule profile: settings, equations and cycle rules, all checked.

    Two profiles are equal if all their attributes are, so a copy equals its original.
    """

    name: str
    """Its name, such as `datc`."""
    title: str
    """Its title, for display."""
    path: str
    """The path of its file."""
    settings: Settings
    """One value for each issue of DATC chapter 4 that no equation decides."""
    decisions: Mapping[str, Decision]
    """Family -> its equation."""
    results: Mapping[str, Formula]
    """Name -> what is read off when everything is decided."""
    cycles: tuple[CycleRule, ...]
    """The rules for decision cycles, in the order in which they are tried."""
    reasons: Mapping[str, str]
    """Name of a condition -> the text that is shown where it is decisive."""
    declared: Declared = field(default_factory=Declared)
    """The words that it declares itself and that its equations use."""
    lawful: Mapping[str, tuple[Variable, NamedConditions]] = field(default_factory=dict)
    """Declared kind of orders -> its conditions."""
    legal: Mapping[str, Formula] = field(default_factory=dict)
    """Type of other orders -> the conditions on a single order."""
    map: str = ""
    """The name or path of its map, "" if it is for any map."""
    allowed: Files = field(default=ANYWHERE, repr=False)
    """The files that it may name; its map must be one of them."""
    layers: tuple[Layer, ...] = field(default=(), repr=False)
    """The files of which it is composed, its own file last."""

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            own_fields(self) == own_fields(other) if isinstance(other, Profile) else NotImplemented
        )

    def __hash__(self) -> int:
        return hash((self.name, self.path))

    __getstate__ = own_fields

    @property
    def words(self) -> Words:
        """What it adds to the notation of orders: attributes of units, and kinds of orders."""
        return self.declared.words

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of its files."""
        return tuple(layer.root.path for layer in self.layers)


DECISIONS_NEEDED = {"move": "Move", "support": "Support", "convoy": "Convoy", "dislodge": "Unit"}
"""The families whose values are verdicts: true if the move succeeds, the support is given, the
convoy is available, or the unit is dislodged (DATC 5.A). A profile must define them."""

RESULTS_NEEDED = {"contested": ("Province",), "retreat": ("Unit", "Province")}
"""The results that are read off afterwards: whether a province was left vacant by a standoff, and
whether a dislodged unit may retreat to a neighbouring province."""
