"""How the guess algorithm keeps orders off several cycles, and which orders are on several."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping

from dipsat.engines.evaluation import Ask, Scenario
from dipsat.engines.order_equations import OrderEquations
from dipsat.game.facts import MoveFacts
from dipsat.terms.fold import interval
from dipsat.terms.term import Key, unknowns

_NOTHING: frozenset[Key] = frozenset()
_OPEN = (-1_000_000, 1_000_000)  # a number about which nothing is known


class GuardedAdjudication:
    """The `adjudicate` function of the guess algorithm.
    `dipsat.engines.recursive_guess.RecursiveGuess` explains its options. `asked` notes which orders
    each adjudication resolves."""

    def __init__(
        self, equations: OrderEquations, skip_type_e: bool, single_cycles: bool, ask_once: bool
    ) -> None:
        self.equations = equations
        self.skip_type_e = skip_type_e
        self.single_cycles = single_cycles
        self.ask_once = ask_once
        self.asked = AskedOrders()
        self._needless_of: dict[Key, Collection[Key]] = {}

    def __call__(self, order: Key, resolve: Ask, pins: Mapping[Key, int]) -> int:
        """Evaluate an order's equation. Whether a support is cut is resolved before whether its
        unit is dislodged, as in DATC 5.B.2."""
        asked = self.asked.by(order, resolve, pins)
        if self.ask_once:
            asked = once(asked)
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
    """The same, but it resolves each order once and remembers the answer."""
    answers: dict[Key, int] = {}

    def remembered(key: Key, scenario: Scenario) -> int:
        if key not in answers:
            answers[key] = resolve(key, scenario)
        return answers[key]

    return remembered


def attackers_of_fleet(equations: OrderEquations, order: Key) -> frozenset[Key]:
    """The attacks on the fleet of a convoy order, none for any other order (DATC 3.0 5.D)."""
    if order[0] != "convoy":
        return _NOTHING
    province = equations.phase.convoys[order[1]].province
    return frozenset(("move", attack.index) for attack in province.attackers)


def needless_dislodgements(equations: OrderEquations, order: Key) -> frozenset[Key]:
    """The attacks on a supporting unit whose success cannot matter to the support (Kruijswijk, The
    Math of Adjudication: the dislodge rule for supports of type E).

    An attack that succeeds has all that it needs for that, such as a path. If this alone cuts the
    support, it does not matter whether the attack succeeds.
    """
    if order[0] != "support":
        return _NOTHING
    support = equations.phase.supports[order[1]]
    found = set[Key]()
    for attack in support.province.attackers:
        needed = dict.fromkeys(_needed(equations, attack), 1)
        if _fails(equations, order, needed):
            found.add(("move", attack.index))
    return frozenset(found)


def _needed(equations: OrderEquations, attack: MoveFacts) -> list[Key]:
    """The decisions without which a move fails, whatever the others are."""
    move = ("move", attack.index)
    mentioned = sorted(unknowns(equations.term(move)))
    return [key for key in mentioned if _fails(equations, move, {key: 0})]


def _fails(equations: OrderEquations, order: Key, assumed: Mapping[Key, int]) -> bool:
    """Whether an order certainly fails, given some values."""
    decisions = equations.profile.decisions

    def bounds(key: Key) -> tuple[int, int]:
        if key in assumed:
            return assumed[key], assumed[key]
        return (0, 1) if decisions[key[0]].type.is_truth else _OPEN

    return interval(equations.term(order), bounds) == (0, 0)


class AskedOrders:
    """Notes in `orders`, for each order, the unresolved orders that its adjudication resolves."""

    def __init__(self) -> None:
        self.orders: dict[Key, set[Key]] = {}

    def by(self, asking: Key, resolve: Ask, known: Container[Key]) -> Ask:
        """The resolve function for the adjudication of an order."""
        found = self.orders.setdefault(asking, set())

        def ask(order: Key, scenario: Scenario) -> int:
            if order not in known:
                found.add(order)
            return resolve(order, scenario)

        return ask


def on_several_cycles(asked: Mapping[Key, Collection[Key]]) -> tuple[Key, ...]:
    """The orders that are part of more than one cycle, sorted (Kruijswijk, The Math of
    Adjudication: the guess algorithm is not made for such orders).

    `asked` has for each order those that its adjudication resolved.
    """
    graph = _on_ways_round(asked)
    return tuple(key for key in sorted(graph) if _is_on_several(graph, key))


def _on_ways_round(asked: Mapping[Key, Collection[Key]]) -> dict[Key, frozenset[Key]]:
    """The graph without orders that no arrow enters or none leaves: these are on no cycle."""
    graph = {key: frozenset(others) for key, others in asked.items()}
    while True:
        entered = frozenset[Key]().union(*graph.values())
        kept = {key: others & graph.keys() for key, others in graph.items() if key in entered}
        kept = {key: others for key, others in kept.items() if others}
        if kept == graph:
            return graph
        graph = kept


def _is_on_several(graph: Mapping[Key, frozenset[Key]], key: Key) -> bool:
    """Whether there is a cycle through an order, and another one that lacks one of its arrows."""
    cycle = _way_back(graph, key, None)
    arrows = zip(cycle, (*cycle[1:], key), strict=True)
    return bool(cycle) and any(_way_back(graph, key, arrow) for arrow in arrows)


def _way_back(
    graph: Mapping[Key, frozenset[Key]], start: Key, without: tuple[Key, Key] | None
) -> tuple[Key, ...]:
    """The orders on a shortest path from an order back to itself that does not use the arrow
    `without`; empty if there is none."""
    before: dict[Key, Key] = {}
    reached = [start]
    for key in reached:  # it grows during the loop
        for other in sorted(graph.get(key, _NOTHING)):
            if (key, other) == without:
                continue
            if other == start:
                return tuple(_back(before, key))[::-1]
            if other not in before:
                before[other] = key
                reached.append(other)
    return ()


def _back(before: Mapping[Key, Key], key: Key) -> Iterator[Key]:
    yield key
    while key in before:
        key = before[key]
        yield key
