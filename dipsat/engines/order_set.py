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


@dataclass(frozen=True, slots=True)
class OrderedUnit:
    """A unit as names: the power ("Nation"), a letter for its kind, and its location, which before
    a slash names the province ("Feld"). Nothing depends on the kind and the coast."""

    power: str
    kind: str
    location: str
    province: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "province", province_of(self.location))

    def __str__(self) -> str:
        return f"{self.kind} {self.location}"


@dataclass(frozen=True, slots=True)
class Hold:
    """Stay, and do nothing."""

    unit: OrderedUnit


@dataclass(frozen=True, slots=True)
class Move:
    """Move to a location; `target` is its province.

    One that `fails` stays where it is, and still counts in the conflict about its target. Whether
    it is `by_convoy` matters then, too: such an attack does not cut every support (III.1.a).
    """

    unit: OrderedUnit
    landing: str
    by_convoy: bool = False
    fails: bool = False
    target: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", province_of(self.landing))

    def __str__(self) -> str:
        return f"{self.unit} - {self.landing}"


@dataclass(frozen=True, slots=True)
class Support:
    """Support the unit in province `origin`: its move to the province `target`, or its staying if
    that is the same."""

    unit: OrderedUnit
    origin: str
    target: str


@dataclass(frozen=True, slots=True)
class Convoy:
    """Convoy the army in province `origin` to the province `target`. Where it moves there by
    itself all the same, the fleet still stands in a field that counts for K1."""

    unit: OrderedUnit
    origin: str
    target: str


Order: TypeAlias = Hold | Move | Support | Convoy


@dataclass(frozen=True, slots=True)
class OrderSet:
    """An order for every unit, by power and unit.

    `borders` has for the provinces of fleets that convoy which provinces of the same convoy they
    are beside: the army's own, its target, and those of other fleets. `OrderSet.of` makes one.
    """

    orders: tuple[Order, ...]
    borders: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @staticmethod
    def of(orders: Iterable[Order], borders: Mapping[str, Collection[str]]) -> OrderSet:
        """Make a set of these orders, with the part of `borders` that its convoys need."""
        ordered = tuple(sorted(orders, key=_power_and_unit))
        together: dict[tuple[str, str], list[str]] = {}
        for order in ordered:
            if isinstance(order, Convoy):
                together.setdefault((order.origin, order.target), []).append(order.unit.province)
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
    map. The search visits each fleet once."""
    waiting = set(fleets)
    reached = [fleet for fleet in fleets if move.unit.province in borders.get(fleet, ())]
    waiting.difference_update(reached)
    while reached:
        near = borders.get(reached.pop(), ())
        if move.target in near:
            return True
        fresh = waiting.intersection(near)
        waiting -= fresh
        reached.extend(fresh)
    return False
