"""The facts that expressions refer to: the objects of a position, and orders with their rulings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from dipsat.base import brief
from dipsat.board import ConvoyNet
from dipsat.errors import ArgumentError, UnknownNameError
from dipsat.game.convoys import on_minimal_route
from dipsat.game.phase_name import SEASON_WORDS
from dipsat.orders import Hold, Move, Order, UnitName
from dipsat.rules import FACTS, PROVINCE, Word

if TYPE_CHECKING:  # facts are made from these, and these do not import facts
    from dipsat.game.position import Position
    from dipsat.game.ruling import Ruling
    from dipsat.orders import Unit

NO_ORDER: Order = Hold(UnitName(""))
"""Stands for an order that is not given, or not known."""
_Class = TypeVar("_Class")


def with_words(words: Mapping[str, Word]) -> Callable[[type[_Class]], type[_Class]]:
    """Add to a class an attribute for each of its words that the vocabulary computes; its value is
    computed when it is read. The class may annotate their types, for use from Python."""

    def decorate(kind: type[_Class]) -> type[_Class]:
        for name, word in words.items():
            if word.value is not None or word.on_map is not None:
                setattr(kind, name, property(word.value or word.of, doc=word.meaning))
        return kind

    return decorate


class PositionFacts:
    """A position as facts: its units, each with its entry in `orders` if any are given, and the
    provinces in play: those with units, and those asked for by `place`."""

    def __init__(self, position: Position, orders: Sequence[Order] = ()) -> None:
        self.position = position
        self.map = position.map
        self.places: dict[str, ProvinceFacts] = {}
        self.by_province: dict[str, UnitFacts] = {}
        places, by_province = self.places, self.by_province
        for at, unit in enumerate(position.units):
            code = unit.province
            place = places[code] = ProvinceFacts(at, code, self)
            facts = UnitFacts(at, unit, place, orders[at] if orders else NO_ORDER, self)
            place.units = (facts,)
            by_province[code] = facts

    @property
    def season(self) -> str:
        """The season: "spring", "summer", "fall" or "winter"."""
        return SEASON_WORDS[self.position.phase.season]

    def place(self, code: str) -> ProvinceFacts:
        """The facts of a province, one object each."""
        found = self.places.get(code)
        if found is None:
            found = self.places[code] = ProvinceFacts(len(self.places), code, self)
        return found

    def unit(self, unit: Unit) -> UnitFacts:
        """A unit on the board, or one that has been dislodged."""
        found = self.by_province.get(unit.province)
        if found is None or found.unit != unit:
            return UnitFacts(-1, unit, self.place(unit.province), NO_ORDER, self)
        return found

    def domain(self, kind: str) -> Sequence[ProvinceFacts | UnitFacts]:
        """All provinces of the map ("Province"), or all units on the board ("Unit")."""
        if kind == "Unit":
            return tuple(self.by_province.values())
        return tuple(map(self.place, self.map.provinces))


@with_words(FACTS["Province"])
@brief("code")
class ProvinceFacts:
    """A province in play."""

    __slots__ = ("around", "attackers", "code", "departures", "index", "units")
    kind: str
    supply: bool
    owner: str
    homes: tuple[str, ...]

    def __init__(self, index: int, code: str, around: PositionFacts) -> None:
        self.around = around
        self.index = index
        self.code = code
        self.units: Sequence[UnitFacts] = ()
        self.attackers: Sequence[MoveFacts] = ()
        self.departures: Sequence[MoveFacts] = ()

    def _on_map(self, word: Word) -> Any:
        """The value of a word that depends only on the map."""
        assert word.on_map is not None
        found = word.on_map(self.around.map, self.code)
        return tuple(map(self.around.place, found)) if word.type.item == PROVINCE else found

    def __str__(self) -> str:
        return self.code


@with_words(FACTS["Unit"])
@brief("unit", "order")
class UnitFacts:
    """A unit with its order. `candidate` is its move, matching support, matching convoy or order of
    a declared kind, or None if it has none."""

    __slots__ = (
        "around", "candidate", "convoys", "index", "moves", "order", "power", "province",
        "supports", "unit",
    )  # fmt: skip
    kind: str
    near: tuple[ProvinceFacts, ...]

    def __init__(
        self, index: int, unit: Unit, province: ProvinceFacts, order: Order, around: PositionFacts
    ) -> None:
        self.index = index
        self.unit = unit
        self.power = unit.power
        self.province = province
        self.order = order
        self.candidate: Candidate | None = None
        self.moves: Sequence[MoveFacts] = ()
        self.supports: Sequence[SupportFacts] = ()
        self.convoys: Sequence[ConvoyFacts] = ()
        self.around = around

    def attribute(self, name: str) -> str:
        """Return the value of an attribute that the rules declare. Raises `UnknownNameError` for
        another attribute."""
        found = dict(self.unit.attributes)
        if not isinstance(name, str) or name not in found:
            raise UnknownNameError("attribute", str(name), found)
        return found[name]

    def __str__(self) -> str:
        return str(self.unit)


@with_words(FACTS["Move"])
@brief("unit", "target")
class MoveFacts:
    """A legal move order. `target_location` is its location after the move, with a fleet's
    coast."""

    __slots__ = (
        "by_land", "convoyed", "convoys", "index", "issued", "origin", "path", "power",
        "supports", "target", "target_location", "unit", "via",
    )  # fmt: skip
    rivals: Sequence[MoveFacts]
    facing: Sequence[MoveFacts]
    opponents: Sequence[MoveFacts]
    meeting: Sequence[MoveFacts]

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
        self.issued: Any = True
        self.unit = unit
        self.power = unit.power
        self.origin = unit.province
        self.target = target
        self.target_location = order.target
        self.via = order.via
        self.path = order.path
        self.by_land = by_land
        self.convoyed = convoyed
        self.supports: Sequence[SupportFacts] = ()
        self.convoys: Sequence[ConvoyFacts] = ()

    def __str__(self) -> str:
        return f"{self.unit.unit} - {self.target_location}"


@with_words(FACTS["Support"])
@brief("unit", "supported", "target")
class SupportFacts:
    """A support order that matches the order of the supported unit."""

    __slots__ = (
        "index", "issued", "origin", "power", "province", "supported", "target", "unit",
    )  # fmt: skip

    def __init__(
        self, index: int, unit: UnitFacts, supported: UnitFacts, target: ProvinceFacts
    ) -> None:
        self.index = index
        self.issued: Any = True
        self.unit = unit
        self.power = unit.power
        self.province = unit.province
        self.supported = supported
        self.origin = supported.province
        self.target = target

    def __str__(self) -> str:
        move = f" - {self.target.code}" if self.target is not self.origin else ""
        return f"{self.unit.unit} S {self.supported.unit}{move}"


@with_words(FACTS["Convoy"])
@brief("unit", "army", "target")
class ConvoyFacts:
    """A convoy order that matches the army's move. `net` holds the routes of such convoys;
    `landing` is the location where the army goes ashore."""

    __slots__ = (
        "_aboard", "_ashore", "_on_route", "army", "index", "issued", "landing", "net", "origin",
        "power", "province", "target", "unit",
    )  # fmt: skip

    def __init__(
        self,
        index: int,
        unit: UnitFacts,
        army: UnitFacts,
        target: ProvinceFacts,
        landing: str,
        net: ConvoyNet,
    ) -> None:
        self._on_route: bool | None = None
        self.net = net
        self.landing = landing
        self._aboard = net.shores.get(army.unit.location, ())
        self._ashore = net.shores.get(landing, ())
        self.index = index
        self.issued: Any = True
        self.unit = unit
        self.power = unit.power
        self.province = unit.province
        self.army = army
        self.origin = army.province
        self.target = target

    def borders(self, place: ProvinceFacts) -> bool:
        """Whether the cargo can board this convoy in a province or land there. At its origin and
        target, only the coast on which it stands or lands counts."""
        code = self.province.code
        if place is self.target:
            return code in self._ashore
        if place is self.origin:
            return code in self._aboard
        if not isinstance(place, ProvinceFacts):
            name, wanted = "dipsat.engines.ConvoyFacts.borders", "a ProvinceFacts"
            raise ArgumentError(name, "place", place, wanted)
        return code in self.net.shores.get(place.code, ())

    @property
    def on_route(self) -> bool:
        """Whether any route through the convoy orders that may carry the army needs this one.
        Computed when read, since few rules use it."""
        if self._on_route is None:
            convoys = [c for move in self.army.moves for c in move.convoys]
            seas = {c.province.code for c in convoys if c.net is self.net}
            sea = self.province.code
            ends = self.army.unit.location, self.landing
            self._on_route = sea in seas and on_minimal_route(self.net, *ends, seas, sea)
        return self._on_route

    def __str__(self) -> str:
        return f"{self.unit.unit} C {self.army.unit} - {self.target}"


@brief("type", "text")
class DeclaredFacts:
    """An order of a declared kind, or one of its legs: `type` is the type's name, `ruling` the
    order as it was ruled on, `unit` the ordered unit (None for an order of a power). `attribute`
    reads its facts."""

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
        self.issued: Any = True
        self.ruling = ruling
        self.unit = unit
        self.facts = facts
        self.text = text

    def attribute(self, name: str) -> Any:
        """Return one of its facts. Raises `UnknownNameError` for another name."""
        if not isinstance(name, str) or name not in self.facts:
            raise UnknownNameError("attribute", str(name), self.facts)
        return self.facts[name]

    @property
    def target(self) -> Any:
        """Where it goes, if its kind declares a target."""
        return self.facts["target"]

    @property
    def legs(self) -> tuple[DeclaredFacts, ...]:
        """Its steps along a line, empty if it follows none."""
        found: tuple[DeclaredFacts, ...] = self.facts.get("legs", ())
        return found

    def __str__(self) -> str:
        return self.text


Candidate: TypeAlias = MoveFacts | SupportFacts | ConvoyFacts | DeclaredFacts
"""An order that can succeed."""
