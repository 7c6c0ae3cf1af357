"""The two shapes that the rule language can ask about: rings and chains."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from dipsat.board import ConvoyNet, UnitKind, province_of
from dipsat.equations.reachability import reach
from dipsat.equations.term import Term, any_of
from dipsat.game import UnitFacts, route_over


def is_ring(moves: Collection[Any]) -> bool:
    """Whether the moves, and steps along lines, form one closed ring, in which each enters the
    province that another's unit leaves."""
    after = {move.unit.province: move.target for move in moves}
    if not after or len(after) != len(moves):
        return False
    start = next(iter(after))
    place, steps = after[start], 1
    while place is not start and place in after and steps < len(after):
        place, steps = after[place], steps + 1
    return place is start and steps == len(after)


@dataclass(frozen=True, slots=True)
class Links:
    """The nodes of a possible chain, by number. `starts` and `ends` are the nodes next to its two
    ends; `near` lists each node's neighbours."""

    starts: list[int]
    ends: list[int]
    near: list[list[int]]


def links_of(
    water: Mapping[str, Collection[str]], start: Any, end: Any, members: Sequence[Any]
) -> Links:
    """How objects in provinces could make a chain from province `start` to `end`.

    The network of their kind links convoys; neighbouring `water` links other objects. The two ends
    are not nodes of the chain.
    """
    numbered = list(enumerate(members))
    return Links(
        [at for at, one in numbered if _is_beside(water, one, start)],
        [at for at, one in numbered if _is_beside(water, one, end)],
        [[at for at, other in numbered if _are_linked(water, one, other)] for one in members],
    )


def convoy_path_exists(move: Any, convoys: Sequence[Any]) -> bool:
    """Whether convoys that match a move make a path for it."""
    links = links_of({}, move.origin, move.target, convoys)
    return reach([True] * len(convoys), links.starts, links.ends, links.near) is True


def _is_beside(water: Mapping[str, Collection[str]], one: Any, place: Any) -> bool:
    if hasattr(one, "net"):
        borders: bool = one.borders(place)
        return borders
    return one.province.code in water.get(place.code, ())


def _are_linked(water: Mapping[str, Collection[str]], one: Any, other: Any) -> bool:
    """Whether one object can follow another in a chain; convoys of different kinds cannot."""
    net = getattr(one, "net", None)
    if net is not getattr(other, "net", None):
        return False
    links = water if net is None else net.links
    return other.province.code in links.get(one.province.code, ())


Carrier: TypeAlias = tuple[UnitFacts, Term]
"""A unit that may be ordered to convoy, and the guard that says whether it is."""


def route_of(
    nets: Mapping[tuple[UnitKind, UnitKind], ConvoyNet],
    unit: UnitFacts,
    target: str,
    carriers: Sequence[Carrier],
) -> Term:
    """Whether the carriers ordered to convoy a unit make a route to a location. `nets` maps the
    kinds of carrier and cargo to their convoy network."""
    location, cargo = unit.unit.location, unit.unit.kind
    found: list[Term] = []
    for (kind, carried), net in nets.items():
        if carried is not cargo:
            continue
        sure, is_open = 0, False  # never open if all orders are known
        for one, guard in carriers:
            if one.unit.kind is not kind:
                continue
            if guard is True:
                sure |= net.bits.get(one.province.code, 0)
            else:
                is_open = True
        if route_over(net, location, target, sure):
            return True
        if is_open:
            fitting = [(one, guard) for one, guard in carriers if one.unit.kind is kind]
            found.append(_open_route(net, location, target, fitting))
    return any_of(found)


def _open_route(net: ConvoyNet, location: str, target: str, carriers: Sequence[Carrier]) -> Term:
    ends = (province_of(location), province_of(target))
    named = [(one.province.code, guard) for one, guard in carriers]
    named = [(sea, guard) for sea, guard in named if sea not in ends]
    starts, goals = (net.shores.get(place, ()) for place in (location, target))
    near = [net.links.get(sea, ()) for sea, _ in named]
    return reach(
        [guard for _, guard in named],
        [at for at, (sea, _) in enumerate(named) if sea in starts],
        [at for at, (sea, _) in enumerate(named) if sea in goals],
        [[n for n, (sea, _) in enumerate(named) if sea in links] for links in near],
    )
