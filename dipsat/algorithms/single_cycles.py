"""How the guess algorithm keeps orders from being on several cycles at once."""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.algorithms.order_equations import OrderEquations
from dipsat.equations.facts import MoveFacts
from dipsat.equations.ground import Grounder
from dipsat.terms.term import Key, Term, unknowns

_NOTHING: frozenset[Key] = frozenset()
_OPEN = (-1_000_000, 1_000_000)  # a number of which nothing is known


def attackers_of_fleet(equations: OrderEquations, order: Key) -> frozenset[Key]:
    """The attacks on the fleet of a convoy order, none for another order (DATC 3.0 5.D)."""
    if order[0] != "convoy":
        return _NOTHING
    province = equations.phase.convoys[order[1]].province
    return frozenset(("move", attack.index) for attack in province.attackers)


def needless_dislodgements(equations: OrderEquations, order: Key) -> frozenset[Key]:
    """The attacks on a supporting unit whose success cannot matter to the support (seed 003: the
    dislodge rule for supports of type E).

    An attack that succeeds has all that it cannot succeed without, such as a path. If this alone
    cuts the support, it need not be asked whether the attack succeeds.
    """
    if order[0] != "support":
        return _NOTHING
    support = equations.phase.supports[order[1]]
    found = set[Key]()
    for attack in support.province.attackers:
        needed = dict.fromkeys(_needed(equations, attack), 1)
        if _folded(equations, order, needed) is False:
            found.add(("move", attack.index))
    return frozenset(found)


def _needed(equations: OrderEquations, attack: MoveFacts) -> list[Key]:
    """The decisions without which a move fails, whatever else there is."""
    move = ("move", attack.index)
    mentioned = sorted(unknowns(equations.term(move)))
    return [key for key in mentioned if _folded(equations, move, {key: 0}) is False]


def _folded(equations: OrderEquations, order: Key, assumed: Mapping[Key, int]) -> Term:
    """An order's equation with some values put in."""
    decisions = equations.profile.decisions

    def bounds(key: Key) -> tuple[int, int]:
        if key in assumed:
            return assumed[key], assumed[key]
        return (0, 1) if decisions[key[0]].type.is_truth else _OPEN

    return Grounder(equations.profile, equations.phase, bounds).equation(order)
