"""When units that may be ordered to convoy make a route."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from dipsat.board.convoy_net import ConvoyNet
from dipsat.board.province import province_of
from dipsat.board.unit_kind import UnitKind
from dipsat.game.convoys import route_over
from dipsat.game.facts import UnitFacts
from dipsat.terms.term import Term, any_of, reach

Carrier: TypeAlias = tuple[UnitFacts, Term]
"""A unit that may be ordered to convoy, and the guard that says whether it is."""


def route_of(
    nets: Mapping[tuple[UnitKind, UnitKind], ConvoyNet],
    unit: UnitFacts,
    target: str,
    carriers: Sequence[Carrier],
) -> Term:
    """Whether the carriers ordered to convoy a unit make a route to a location. `nets` are the
    networks of convoys by the kinds of the carrier and of its cargo."""
    location, cargo = unit.unit.location, unit.unit.kind
    found: list[Term] = []
    for (kind, carried), net in nets.items():
        if carried is not cargo:
            continue
        sure, is_open = 0, False  # none is open if all orders are known
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
