"""How the guess algorithm keeps orders from being on several cycles at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from dipsat.algorithms.evaluation import Ask, Scenario
from dipsat.algorithms.order_equations import OrderEquations
from dipsat.equations.facts import MoveFacts
from dipsat.equations.ground import Grounder
from dipsat.equations.terms import Key, Term, unknowns

_NOTHING: frozenset[Key] = frozenset()
_OPEN = (-1_000_000, 1_000_000)  # a number of which nothing is known


class GuardedAdjudication:
    """The `adjudicate` function of the guess algorithm. What its options mean is told where
    `dipsat.algorithms.recursive_guess.RecursiveGuess` has them."""

    def __init__(
        self, equations: OrderEquations, skip_type_e: bool, single_cycles: bool, ask_once: bool
    ) -> None:
        self.equations = equations
        self.skip_type_e = skip_type_e
        self.single_cycles = single_cycles
        self.ask_once = ask_once
        self._needless_of: dict[Key, Collection[Key]] = {}

    def __call__(self, order: Key, resolve: Ask, pins: Mapping[Key, int]) -> int:
        """What an order's equation gives. Whether a support is cut is asked before whether its unit
        is dislodged, as in DATC 5.B.2."""
        asked = once(resolve) if self.ask_once else resolve
        adjudicated: Collection[Key] = ()
        if self.single_cycles:
            adjudicated = attackers_of_fleet(self.equations, order)

        def result(skipped: Collection[Key]) -> int:
            return self.equations.adjudicate(order, asked, pins, None, adjudicated, skipped)

        needless = self._needless(order)
        found = result(needless)
        return found if self.skip_type_e or not needless or not found else result(())

    def _needless(self, order: Key) -> Collection[Key]:
        if order not in self._needless_of:
            self._needless_of[order] = needless_dislodgements(self.equations, order)
        return self._needless_of[order]


def once(resolve: Ask) -> Ask:
    """The same, but it asks once for each order, and remembers the answer."""
    answers: dict[Key, int] = {}

    def remembered(key: Key, scenario: Scenario) -> int:
        if key not in answers:
            answers[key] = resolve(key, scenario)
        return answers[key]

    return remembered


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
