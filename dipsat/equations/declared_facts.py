"""The facts of orders of declared kinds, and of the legs of such orders along a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from dipsat.base import grouped
from dipsat.board import Map, MapLine, province_of
from dipsat.game import DeclaredFacts, ProvinceFacts, Ruling, UnitFacts
from dipsat.orders import UNIT_FIELD, DeclaredOrder, UnitName
from dipsat.rules import DeclaredKind


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an order cannot have facts: a code and a sentence."""

    code: str
    reason: str


@dataclass(frozen=True)
class Referents:
    """The things that orders refer to: the map, and the units and places of the phase."""

    map: Map
    units: Mapping[str, UnitFacts]
    place: Callable[[str], ProvinceFacts]


def order_facts(
    kinds: Mapping[str, DeclaredKind], ruling: Ruling, where: Referents, numbers: Mapping[str, int]
) -> DeclaredFacts | Fault:
    """The facts of one order of these kinds; `numbers` counts the objects of each type so far."""
    order = ruling.order
    assert isinstance(order, DeclaredOrder)
    kind, legs = kinds[order.kind].kind, kinds[order.kind].legs
    facts: dict[str, Any] = {"power": ruling.submission.power}
    unit = None
    for name, named in ((UNIT_FIELD, order.unit), *order.fields):
        if name == UNIT_FIELD and not kind.is_of_unit:
            continue
        if isinstance(named, UnitName):
            code = province_of(named.location)
            if code not in where.units:
                return Fault("no_such_unit", f"no unit stands in {code}")
            facts[name] = where.units[code]
        else:
            facts[name] = where.place(named)
    if kind.is_of_unit:
        unit = facts[UNIT_FIELD]
        facts["origin"] = unit.province
    found = DeclaredFacts(kind.name, numbers.get(kind.name, 0), ruling, unit, facts, order.text)
    if kind.line:
        line = where.map.lines.get(kind.line)
        if line is None:
            return Fault("no_line", f"the map has no line {kind.line}")
        places = _along(line, facts["origin"].code, facts["target"].code)
        if len(places) < 2:
            ends = f"{facts['origin']} to {facts['target']}"
            return Fault("off_the_line", f"the {line.name} does not lead from {ends}")
        facts |= {"operator": line.power, "supports": ()}
        facts["legs"] = _legs(legs, found, [where.place(c) for c in places], numbers.get(legs, 0))
    return found


def _along(line: MapLine, start: str, end: str) -> tuple[str, ...]:
    """The provinces of a line from start to end; empty if either is not on it."""
    places = line.provinces
    if start not in places or end not in places:
        return ()
    first, last = places.index(start), places.index(end)
    return places[first : last + 1] if first <= last else places[last : first + 1][::-1]


def _legs(
    type: str, order: DeclaredFacts, places: list[ProvinceFacts], number: int
) -> tuple[DeclaredFacts, ...]:
    """The steps of an order along these places; `number` is the first step's index."""
    unit = order.unit
    assert unit is not None
    legs = []
    for at, (origin, target) in enumerate(pairwise(places)):
        facts = {
            "order": order, "unit": unit, "power": unit.power, "origin": origin, "target": target,
            "number": at + 1, "first": at == 0, "last": at == len(places) - 2,
        }  # fmt: skip
        text = f"{order}, {origin} to {target}"
        legs.append(DeclaredFacts(type, number + at, order.ruling, unit, facts, text))
    for at, leg in enumerate(legs):
        leg.facts |= {"earlier": tuple(legs[:at]), "later": tuple(legs[at + 1 :])}
    return tuple(legs)


def count_in(numbers: dict[str, int], order: DeclaredFacts) -> None:
    """Count an order and its legs in `numbers`, by type."""
    for one in (order, *order.legs):
        numbers[one.type] = numbers.get(one.type, 0) + 1


def by_type(orders: Iterable[DeclaredFacts]) -> dict[str, tuple[DeclaredFacts, ...]]:
    """Type -> its objects by index, from all orders and their legs."""
    found = grouped((one.type, one) for order in orders for one in (order, *order.legs))
    return {name: tuple(objects) for name, objects in found.items()}
