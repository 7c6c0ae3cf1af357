"""Order sets of DIP_EVAL: units and orders as names, and the one fact of the map that it needs.

Jacobi, "Ein Algorithmus zur Auswertung von Diplomacy", chapter I: the algorithm turns "einen
korrekten Befehlssatz" into "einen anderen korrekten Befehlssatz [...], dessen sämtliche Befehle
ausgeführt werden können". Every unit has one order. A move is an ordinary one or one by convoy; the
resulting set can have a third kind, the "nicht-gelingende-aber-wirksame Bewegungsbefehl":
`Move.fails`. "Weder um welche Einheiten es sich handelt, noch (bis auf eine Ausnahme) die Geografie
des Spielplans muß [...] bekannt sein."

The exception is whether a convoy route exists (III.1.a): everything else that an order needs of the
map was checked when the set was made, but the fleets left for a route are known only after K1. So
names here are only compared, and `OrderSet.borders` concerns convoying fleets only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from dipsat.board.province import province_of
from dipsat.errors.arguments import checked
from dipsat.terms.reach import reach
from dipsat.values import brief, grouped


@brief()
@dataclass(frozen=True, slots=True)
class OrderedUnit:
    """A unit as names. Its kind and coast do not affect anything.

    The terms are those of Jacobi, "Ein Algorithmus zur Auswertung von Diplomacy", I.
    """

    power: str
    """The power ("Nation")."""
    kind: str
    """The letter of its kind."""
    location: str
    """Its location; the part before a slash names the province."""
    province: str = field(init=False, repr=False, compare=False)
    """The province ("Feld")."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "province", province_of(self.location))

    def __str__(self) -> str:
        return f"{self.kind} {self.location}"


@brief()
@dataclass(frozen=True, slots=True)
class Hold:
    """An order to hold."""

    unit: OrderedUnit
    """The unit that holds."""


@brief()
@dataclass(frozen=True, slots=True)
class Move:
    """An order to move. Jacobi, "Ein Algorithmus zur Auswertung von Diplomacy", I, has three kinds
    of them."""

    unit: OrderedUnit
    """The unit that moves."""
    landing: str
    """The location to move to."""
    by_convoy: bool = False
    """Whether it goes by convoy; such an attack does not cut every support (Jacobi, III.1.a)."""
    fails: bool = False
    """Whether the unit stays where it is but still counts in the conflict about its target."""
    target: str = field(init=False, repr=False, compare=False)
    """The province to move to."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", province_of(self.landing))

    def __str__(self) -> str:
        return f"{self.unit} - {self.landing}"


@brief()
@dataclass(frozen=True, slots=True)
class Support:
    """An order to support a unit, either its move or where it stands."""

    unit: OrderedUnit
    """The supporting unit."""
    origin: str
    """The province of the supported unit."""
    target: str
    """The province to which the supported unit moves; the same as `origin` if it stays."""


@brief()
@dataclass(frozen=True, slots=True)
class Convoy:
    """An order to convoy an army.

    If the army moves to its target by land all the same, the fleet's province still counts as a
    field with a convoying fleet in K1.
    """

    unit: OrderedUnit
    """The convoying fleet."""
    origin: str
    """The province of the army."""
    target: str
    """The province to which the army moves."""


Order: TypeAlias = Hold | Move | Support | Convoy
"""An order in an order set."""


@brief()
@dataclass(frozen=True, slots=True)
class OrderSet:
    """A set with one order for every unit. `OrderSet.of` makes one."""

    orders: tuple[Order, ...]
    """The orders, sorted by power and unit."""
    borders: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Province of a convoying fleet -> the provinces of its convoy that it borders: those of the
    army, the target and other fleets."""

    @staticmethod
    @checked
    def of(orders: Iterable[Order], borders: Mapping[str, Collection[str]]) -> OrderSet:
        """Return the set of these orders, with those of the `borders` that its convoys need."""
        ordered = tuple(sorted(orders, key=_power_and_unit))
        convoys = (order for order in ordered if isinstance(order, Convoy))
        together = grouped(((one.origin, one.target), one.unit.province) for one in convoys)
        needed = {
            fleet: tuple(sorted({*ends, *fleets} & set(borders.get(fleet, ()))))
            for ends, fleets in together.items()
            for fleet in fleets
        }
        return OrderSet(ordered, tuple((one, needed[one]) for one in sorted(needed) if needed[one]))


def _power_and_unit(order: Order) -> tuple[str, str]:
    return order.unit.power, str(order.unit)


def has_route(move: Move, fleets: Collection[str], borders: Mapping[str, Collection[str]]) -> bool:
    """Whether fleets in these provinces make a convoy route for a move: the only question about the
    map."""
    near = [borders.get(fleet, ()) for fleet in fleets]
    starts = [at for at, around in enumerate(near) if move.unit.province in around]
    ends = [at for at, around in enumerate(near) if move.target in around]
    links = [[at for at, fleet in enumerate(fleets) if fleet in around] for around in near]
    return reach([True] * len(near), starts, ends, links) is True
