"""The facts of a movement phase: every object that an equation may speak of.

The attributes of these classes are the words of `dipsat.profiles.vocabulary`; `index` is an
object's place in the phase's list of its kind, and `issued` the guard of a candidate order (here
true: the orders are known). Sets of candidates are tuples or lists. Objects are filled in while
the phase is built and not changed afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dipsat.board.convoy_net import ConvoyNet
from dipsat.board.map import Map
from dipsat.board.province import Province
from dipsat.equations.instances import Combination, combinations
from dipsat.game.convoys import on_minimal_route
from dipsat.game.legality import Ruling
from dipsat.game.phase_name import SEASON_WORDS, PhaseName
from dipsat.game.position import FIRST_PHASE, Position, Unit
from dipsat.orders.order import (
    Move,
    Order,
)
from dipsat.profiles.syntax import Variable
from dipsat.terms.term import Term


class ProvinceFacts:
    """A province in play: a unit stands in it or moves to it."""

    __slots__ = (
        "_position", "attackers", "code", "departures", "index", "kind", "supply", "units",
    )  # fmt: skip

    def __init__(self, index: int, province: Province, position: Position | None = None) -> None:
        self._position = position
        self.index = index
        self.code = province.code
        self.kind = province.kind
        self.supply = province.supply
        self.units: Sequence[UnitFacts] = ()
        self.attackers: list[MoveFacts] = []
        self.departures: Sequence[MoveFacts] = ()

    @property
    def owner(self) -> str:
        """The power that owns it, "" for none. Looked up when asked for: few rules do."""
        return "" if self._position is None else self._position.owner(self.code)

    @property
    def homes(self) -> tuple[str, ...]:
        """The powers whose home centre it is."""
        return () if self._position is None else self._position.map.homes.get(self.code, ())

    def __str__(self) -> str:
        return self.code


class UnitFacts:
    """A unit with what it was ordered. `candidate` is its move, matching support, matching convoy
    or order of a declared kind, None if it has none."""

    __slots__ = (
        "around", "candidate", "convoys", "index", "kind", "moves", "order", "power", "province",
        "supports", "unit",
    )  # fmt: skip

    def __init__(self, index: int, unit: Unit, province: ProvinceFacts, order: Order) -> None:
        self.index = index
        self.unit = unit
        self.power = unit.power
        self.kind = unit.kind.word
        self.province = province
        self.order = order
        self.candidate: Candidate | None = None
        self.moves: Sequence[MoveFacts] = ()
        self.supports: Sequence[SupportFacts] = ()
        self.convoys: Sequence[ConvoyFacts] = ()
        self.around: tuple[Map, Mapping[str, ProvinceFacts]] | None = None

    @property
    def near(self) -> tuple[ProvinceFacts, ...]:
        """The provinces in play that it could move to without a convoy; few rules ask, and for
        those all provinces are in play."""
        if self.around is None:
            return ()
        board, places = self.around
        reached = board.reach_provinces(self.unit.kind, self.unit.location)
        return tuple(places[code] for code in sorted(reached) if code in places)

    def attribute(self, name: str) -> str:
        """An attribute that the rules declare."""
        return dict(self.unit.attributes)[name]

    def __str__(self) -> str:
        return str(self.unit)


class MoveFacts:
    """A legal move order. `target_location` is where it ends, with a fleet's coast."""

    __slots__ = (
        "by_land", "convoyed", "convoys", "facing", "index", "issued", "opponents", "origin",
        "path", "power", "rivals", "supports", "target", "target_location", "unit", "via",
    )  # fmt: skip

    def __init__(
        self,
        index: int,
        unit: UnitFacts,
        target: ProvinceFacts,
        order: Move,
        by_land: bool,
        convoyed: bool,
    ) -> None:
        self.index = index
        self.issued: Term = True
        self.unit = unit
        self.power = unit.power
        self.origin = unit.province
        self.target = target
        self.target_location = order.target
        self.via = order.via
        self.path = order.path
        self.by_land = by_land
        self.convoyed = convoyed
        self.rivals: Sequence[MoveFacts] = ()
        self.facing: Sequence[MoveFacts] = ()
        self.opponents: Sequence[MoveFacts] = ()
        self.supports: Sequence[SupportFacts] = ()
        self.convoys: Sequence[ConvoyFacts] = ()

    @property
    def meeting(self) -> Sequence[MoveFacts]:
        """The moves out of its target or into its origin; few rules ask for them."""
        return tuple(dict.fromkeys((*self.target.departures, *self.origin.attackers)))

    def __str__(self) -> str:
        return f"{self.unit} - {self.target_location}"


class SupportFacts:
    """A support order that matches what the supported unit does."""

    __slots__ = (
        "index", "issued", "origin", "power", "province", "supported", "target", "unit",
    )  # fmt: skip

    def __init__(
        self, index: int, unit: UnitFacts, supported: UnitFacts, target: ProvinceFacts
    ) -> None:
        self.index = index
        self.issued: Term = True
        self.unit = unit
        self.power = unit.power
        self.province = unit.province
        self.supported = supported
        self.origin = supported.province
        self.target = target

    def __str__(self) -> str:
        move = f" - {self.target}" if self.target is not self.origin else ""
        return f"{self.unit} S {self.supported}{move}"


class ConvoyFacts:
    """A convoy order that matches the army's move; `net` has the ways of such convoys, `landing` is
    the location where the army goes ashore."""

    __slots__ = (
        "_aboard", "_ashore", "_on_route", "army", "index", "issued", "landing", "net", "origin",
        "power", "province", "target", "unit",
    )  # fmt: skip

    def __init__(self, index: int, unit: UnitFacts, move: MoveFacts, net: ConvoyNet) -> None:
        self._on_route: bool | None = None
        self.net = net
        self.landing = move.target_location
        self._aboard = net.shores.get(move.unit.unit.location, ())
        self._ashore = net.shores.get(move.target_location, ())
        self.index = index
        self.issued: Term = True
        self.unit = unit
        self.power = unit.power
        self.province = unit.province
        self.army = move.unit
        self.origin = move.origin
        self.target = move.target

    def borders(self, place: ProvinceFacts) -> bool:
        """Whether the cargo can go aboard from a province, or ashore there: of its origin and its
        target, at the coast where it stands or where it goes."""
        code = self.province.code
        if place is self.target:
            return code in self._ashore
        return code in (
            self._aboard if place is self.origin else self.net.shores.get(place.code, ())
        )

    @property
    def on_route(self) -> bool:
        """Whether a route of the orders that may carry the army needs it. Found when asked for:
        few rules do."""
        if self._on_route is None:
            convoys = [c for move in self.army.moves for c in move.convoys]
            seas = {c.province.code for c in convoys if c.net is self.net}
            sea = self.province.code
            ends = self.army.unit.location, self.landing
            self._on_route = sea in seas and on_minimal_route(self.net, *ends, seas, sea)
        return self._on_route

    def __str__(self) -> str:
        return f"{self.unit} C {self.army} - {self.target}"


class DeclaredFacts:
    """An order of a declared kind, or one of its legs: `type` is the type's name, `ruling` what
    was ordered, `unit` the ordered unit (None for an order of a power). Its facts are read with
    `attribute`."""

    __slots__ = ("facts", "index", "issued", "ruling", "text", "type", "unit")

    def __init__(
        self,
        type: str,
        index: int,
        ruling: Ruling,
        unit: UnitFacts | None,
        facts: dict[str, Any],
        text: str,
    ) -> None:
        self.type = type
        self.index = index
        self.issued: Term = True
        self.ruling = ruling
        self.unit = unit
        self.facts = facts
        self.text = text

    def attribute(self, name: str) -> Any:
        """A fact of it."""
        return self.facts[name]

    @property
    def target(self) -> Any:
        """Where it goes, if that is a fact of it."""
        return self.facts["target"]

    @property
    def legs(self) -> tuple[DeclaredFacts, ...]:
        """Its steps along a line, none if it leads along none."""
        found: tuple[DeclaredFacts, ...] = self.facts.get("legs", ())
        return found

    def __str__(self) -> str:
        return self.text


Candidate: TypeAlias = MoveFacts | SupportFacts | ConvoyFacts | DeclaredFacts
"""An order that can come about."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a legal order is invalid."""

    code: str
    """For programs."""
    reason: str
    """For people."""
    because: tuple[UnitFacts, ...] = ()
    """The units whose orders do not match."""


_DOMAINS = {
    "Province": "provinces", "Unit": "units", "Move": "moves", "Support": "supports",
    "Convoy": "convoys",
}  # fmt: skip
"""Type -> the attribute of a phase that holds its objects."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase in facts: what equations speak of, and what an engine decides."""

    map: Map
    """The map."""
    provinces: tuple[ProvinceFacts, ...]
    """The provinces in play."""
    units: tuple[UnitFacts, ...]
    """The units, by index."""
    moves: tuple[MoveFacts, ...]
    """The legal moves, by index."""
    supports: tuple[SupportFacts, ...]
    """The supports that match what the supported unit does, by index."""
    convoys: tuple[ConvoyFacts, ...]
    """The convoys that match the army's move, by index."""
    invalid: dict[int, Mismatch]
    """Index of a unit -> why its order is invalid."""
    name: PhaseName = FIRST_PHASE
    """The phase."""
    declared: Mapping[str, tuple[DeclaredFacts, ...]] = field(default_factory=dict)
    """Declared type -> its objects."""
    refused: tuple[tuple[Ruling, Mismatch], ...] = ()
    """The orders of declared kinds that are illegal, each with the reason."""
    _combined: dict[tuple[Variable, ...], tuple[Combination, ...]] = field(default_factory=dict)

    @property
    def season(self) -> str:
        """Its season: "spring", "summer", "fall" or "winter"."""
        return SEASON_WORDS[self.name.season]

    def objects(self, indices: tuple[Variable, ...]) -> Sequence[Any]:
        """What the decisions of a family with these indices are about, by number."""
        if len(indices) == 1 and not indices[0].type.members:
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
