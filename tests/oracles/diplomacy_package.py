"""The Python package `diplomacy` as a judge of boards, in the words of dipsat's outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import dipsat
from dipsat.board import province_of
from dipsat.studies import RandomBoard


@dataclass(frozen=True)
class Fate:
    """The fate of a unit and of its order. `support` is "given", "cut" or "void" (not matched or
    impossible) if its order is a support, None if it is not or if the judge does not say."""

    moves: bool
    dislodged: bool
    support: str | None = None

    def agrees(self, other: Fate) -> bool:
        """Whether the judges agree about everything that both say."""
        same = (self.moves, self.dislodged) == (other.moves, other.dislodged)
        unsaid = self.support is None or other.support is None
        return same and (unsaid or self.support == other.support)


Fates = Mapping[str, Fate]


def agree(fates: Fates, others: Fates) -> bool:
    """Whether two judges agree about every unit."""
    return fates.keys() == others.keys() and all(
        fate.agrees(others[unit]) for unit, fate in fates.items()
    )


def dipsat_fates(outcome: dipsat.Outcome) -> Fates:
    """Unit -> its fate, as dipsat decides."""
    supports = {"given": "given", "cut": "cut", "invalid": "void", "illegal": "void"}
    return {
        order.unit: Fate(
            moves=order.verdict == "succeeds",
            dislodged=bool(order.fate),
            support=supports[order.verdict] if " S " in order.order else None,
        )
        for order in outcome.orders
    }


def package_fates(board: RandomBoard) -> Fates:
    """Unit -> its fate, as the package decides. It must take every order of the board."""
    results = _results(board)
    orders = {" ".join(o.split()[:2]): o for orders in board.orders.values() for o in orders}
    owners = {province_of(u[2:]): p for p, units in board.units.items() for u in units}
    return {
        unit: Fate(
            moves=orders[unit].split()[2] == "-" and not words,
            dislodged="dislodged" in words,
            support=_support(orders[unit], words, results, owners),
        )
        for unit, words in results.items()
    }


def _results(board: RandomBoard) -> Mapping[str, frozenset[str]]:
    """Unit -> the package's words for its order; there are none if it is carried out."""
    from diplomacy import Game

    game = Game()
    game.clear_units()
    for power, units in board.units.items():
        game.set_units(power, list(units))
    for power, orders in board.orders.items():
        game.set_orders(power, list(orders))
    assert not game.error, f"the package refuses orders: {[str(error) for error in game.error]}"
    results = game.process().results
    return {unit: frozenset(str(word) for word in words) for unit, words in results.items()}


def _support(
    order: str,
    words: frozenset[str],
    results: Mapping[str, frozenset[str]],
    owners: Mapping[str, str],
) -> str | None:
    """Given, cut or void. Two kinds of void do not say whether a support was cut: that of a support
    against a unit of its own power, and that of a support for an army without a convoy."""
    parts = order.split()
    if parts[2] != "S":
        return None
    if not words & {"void", "no convoy"}:
        return "cut" if words & {"cut", "dislodged"} else "given"
    if len(parts) > 5:
        against = owners.get(province_of(parts[6]))
        helped = next(words for unit, words in results.items() if unit[2:5] == parts[4][:3])
        if against == owners[province_of(parts[1])] or "no convoy" in helped:
            return None
    return "void"
