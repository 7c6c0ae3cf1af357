"""Questions to Z3 about a movement phase with some open orders, in the terms of propagation.

The least and the greatest value of every decision are unknowns (`dipsat.solving.dual_rail`), so if
Z3 finds no answer, no order set gives one, whatever decision cycles there are. A question includes
only equations that its claim can depend on, to a chosen depth. Deeper decisions may have any value,
so what is impossible without their equations is impossible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dipsat.base import unlimited
from dipsat.equations import (
    MAX_OPEN_STEPS,
    ORDER,
    Grounder,
    Key,
    Term,
    Unknown,
    all_of,
    any_of,
    unknowns,
)
from dipsat.errors import UnresolvedError
from dipsat.game import NO_ORDER, RulingStatus
from dipsat.orders import DeclaredOrder, Hold, Order, write_order
from dipsat.outcomes import VERDICTS, MovementOutcome, OrderOutcome, adjudicate
from dipsat.searches.encoding import key_of, limits, order_of_power
from dipsat.searches.open_order_facts import OrderChoice, open_phase_of
from dipsat.solving import (
    QUESTION,
    TRUE,
    Z3,
    Budget,
    Gates,
    RailSystem,
    check_size,
    clause_solver,
    number_ranges,
)

GOOD = frozenset(good for good, _ in VERDICTS.values())
"""The verdicts of orders that succeed."""

_GROUNDED = 100  # steps charged for grounding an equation
_CLAUSE = 5  # steps charged for making a clause and adding it to the solver


def why_not_open(outcome: MovementOutcome) -> str:
    """Why the orders of a phase cannot be taken as open, "" if they can."""
    found = list(limits(outcome.profile, outcome.position))
    if outcome.position.phase.extra_season:
        found.append("orders of an extra phase")
    if any(ruling.counts for ruling in outcome.rulings):
        found.append("impossible orders that have an effect (4.E.1)")
    ordered = [key_of(order) for order in _by_powers(outcome)]
    found += [f"an order that a power gives twice: {key}" for key in sorted(set(ordered))
              if ordered.count(key) > 1]  # fmt: skip
    return f"cannot be asked: {', '.join(found)}" if found else ""


def given_orders(outcome: MovementOutcome) -> tuple[Order, ...]:
    """The order of each unit, by index, in full; a unit without a legal order holds. An order that
    the rules forbid only because of the other orders is kept: with others it may be legal."""
    forbidden = {
        ruling.unit: ruling.order for ruling, _ in outcome.facts.refused if ruling.unit is not None
    }
    found: list[Order] = []
    for unit in outcome.facts.units:
        order = unit.order
        if isinstance(order, Hold):
            order = forbidden.get(unit.unit, Hold(unit.unit.name))
        found.append(order)
    return tuple(found)


def given_by_powers(outcome: MovementOutcome) -> Mapping[str, DeclaredOrder]:
    """The orders of powers, as opposed to their units, by key."""
    return {key_of(order): order for order in _by_powers(outcome)}


def _by_powers(outcome: MovementOutcome) -> list[DeclaredOrder]:
    return [
        order_of_power(outcome.position, ruling.submission.power, ruling.order)
        for ruling in outcome.rulings
        if ruling.unit is None
        and isinstance(ruling.order, DeclaredOrder)
        and ruling.status is not RulingStatus.ILLEGAL
    ]


@dataclass(frozen=True, slots=True)
class Cone:
    """The equations that a claim depends on, and its `edge`: further decisions that they mention.
    It is complete if the edge is empty."""

    equations: Mapping[Key, Term]
    edge: frozenset[Key]

    @property
    def size(self) -> int:
        """The number of decisions."""
        return len(self.equations) + len(self.edge)


def _told(group: Sequence[Order]) -> DeclaredOrder:
    """The order of a power in a choice to give it or not."""
    return next(order for order in group if isinstance(order, DeclaredOrder))


class Reordering:
    """The phase of an outcome with open orders.

    `orders` has, by a unit's index, the orders that it may have; the first is the one it was given.
    `besides` has the same for orders of powers, by key; their indices follow those of the units.
    `choices` maps each guard to its choice, `given` an index to the guard of the order that was
    given, and `powers` lists the powers by index.
    """

    def __init__(
        self,
        outcome: MovementOutcome,
        orders: Sequence[Sequence[Order]],
        besides: Mapping[str, Sequence[Order]],
        budget: Budget,
    ) -> None:
        self.profile, self.position, self.budget = outcome.profile, outcome.position, budget
        units = self.position.units
        by_location = {unit.location: orders[at] for at, unit in enumerate(units)} | dict(besides)
        budget.spend(_GROUNDED * sum(map(len, by_location.values())))
        self.open = open_phase_of(self.profile, self.position, by_location, every_province=False)
        self._besides = [_told(group) for group in besides.values()]
        self.powers = [unit.power for unit in units]
        self.powers += [order.unit.power or "" for order in self._besides]
        self.choices = {c.key: c for group in self.open.choices for c in group}
        self.given = {group[0].unit: group[0].key for group in self.open.choices}
        self.grounder = Grounder(
            self.profile, self.open.phase, spend=budget.spend, most=MAX_OPEN_STEPS
        )
        self._terms: dict[Key, Term] = {}
        self._ranges: dict[Key, tuple[int, int]] = {}

    def write(self, choice: OrderChoice) -> str:
        """The text of an order; `no ...` for an order of a power that is not given."""
        if choice.order == NO_ORDER:
            return f"no {self._besides[choice.unit - len(self.position.units)].text}"
        return write_order(choice.order, self.position.map)

    def verdict(self, family: str, at: int) -> Term:
        """Whether the order of the unit with this index succeeds, or the unit is dislodged: this
        holds for one of its candidates that is issued. Without a family, whether it has a lawful
        order of a declared kind."""
        phase, unit = self.open.phase, self.open.phase.units[at]
        if not family:
            return any_of(o.issued for o in self.open.declared.values() if o.unit is unit)
        objects: list[Any] = list(phase.objects(self.profile.decisions[family].indices))
        mine = [t for t in objects if t is unit or getattr(t, "unit", None) is unit]
        return any_of(
            all_of([getattr(t, "issued", True), Unknown((family, t.index), True)]) for t in mine
        )

    def cone(self, claim: Term, depth: int, most: int) -> Cone:
        """The equations that a claim depends on, to this depth, or less deep if those are more than
        `most` decisions."""
        found: dict[Key, Term] = {}
        edge = {key for key in unknowns(claim) if key[0] != ORDER}
        for _ in range(depth):
            found |= {key: self._term(key) for key in sorted(edge)}
            needed = {other for key in edge for other in unknowns(found[key])}
            edge = {key for key in needed if key not in found and key[0] != ORDER}
            if not edge or len(found) > most:
                break
        return Cone(found, frozenset(edge))

    def guards(self, claim: Term, cone: Cone) -> set[Key]:
        """The guards that a claim depends on, and those of the orders their units were given."""
        found = {key for term in (claim, *cone.equations.values()) for key in unknowns(term)}
        found = {key for key in found if key[0] == ORDER}
        return found | {self.given[self.choices[key].unit] for key in found}

    def question(self, claims: Iterable[Term], cone: Cone, guards: Collection[Key]) -> OrderQuery:
        """The question for which orders propagation does not rule out the claims.

        Each unit with guards in `guards` makes one of these choices, or, if not all of its choices
        are among them, possibly another one.
        """
        gates = Gates()
        literals = {
            key: TRUE if self.choices[key].guard is True else gates.variable()
            for key in sorted(guards)
        }
        decisions = self.profile.decisions
        equations = {
            key: (term, decisions[key[0]].type.is_truth) for key, term in cone.equations.items()
        }
        check_size(self.grounder, equations, self._bounds, each=True)
        rails = RailSystem(
            gates,
            equations,
            self._bounds,
            literals.__getitem__,
            lambda _: self.budget.spend_later(_CLAUSE * len(gates.clauses)),
            sorted(cone.edge),
        )
        for claim in claims:
            gates.require(rails.possibly(claim))
        for group in self.open.choices:
            mine = [literals[choice.key] for choice in group if choice.key in literals]
            gates.at_most_one(mine)
            if mine and len(mine) == len(group):
                gates.require(*mine)
        return OrderQuery(gates, rails, literals, self.budget)

    def adjudicated(self, chosen: Mapping[int, OrderChoice], at: int) -> OrderOutcome | None:
        """The adjudicator's outcome for the order of the unit with index `at` if those with the
        indices in `chosen` have these orders. None if no cycle rule settles them."""
        orders: dict[str, list[Order]] = {}
        for index, power in enumerate(self.powers):
            choice = chosen.get(index) or self.choices[self.given[index]]
            if choice.order != NO_ORDER:
                orders.setdefault(power, []).append(choice.order)
        try:
            with unlimited():
                outcome = adjudicate(self.position, orders, self.profile)
        except UnresolvedError:
            return None
        return outcome.order(str(self.position.units[at]))

    def _term(self, key: Key) -> Term:
        if key not in self._terms:
            self.budget.spend(_GROUNDED)
            self._terms[key] = self.grounder.equation(key)
        return self._terms[key]

    def _bounds(self, key: Key) -> tuple[int, int]:
        """The range of a decision, with every truth value open."""
        if not self._is_number(key):
            return 0, 1
        if key not in self._ranges:
            self._find_ranges(key)
        return self._ranges[key]

    def _find_ranges(self, key: Key) -> None:
        """Find the ranges of a number and of all numbers that its equation mentions, which may lead
        back to it."""
        numbers: dict[Key, Term] = {}
        waiting = [key]
        while waiting:
            one = waiting.pop()
            if one in numbers:
                continue
            numbers[one] = self._term(one)
            mentioned = sorted(other for other in unknowns(numbers[one]) if self._is_number(other))
            waiting += (other for other in mentioned if other not in self._ranges)
        inner_first = dict(reversed(numbers.items()))
        self._ranges |= number_ranges(self.grounder, inner_first, self._ranges)

    def _is_number(self, key: Key) -> bool:
        return key[0] != ORDER and not self.profile.decisions[key[0]].type.is_truth


class OrderQuery:
    """A question about orders and claims, asked several times under different assumptions.

    `literals` has the literals of the guards; `gates` and `levels` make further literals to assume.
    The same question has the same answers on every machine: it always goes to Z3, and the steps are
    counted.
    """

    def __init__(
        self, gates: Gates, rails: RailSystem, literals: Mapping[Key, int], budget: Budget
    ) -> None:
        self.gates, self.levels, self.literals = gates, rails.levels, literals
        self._rails = rails
        self._budget = budget
        self._solver = clause_solver(Z3, budget)

    def ask(self, assumed: Iterable[int]) -> frozenset[Key] | None:
        """The guards that hold in an answer in which these literals hold, None if there is none."""
        clauses = self.gates.take()
        self._budget.spend(QUESTION + _CLAUSE * len(clauses))
        self._solver.add(clauses)
        true = self._solver.solve([*self._rails.assumptions, *assumed])
        if true is None:
            return None
        return frozenset(key for key, one in self.literals.items() if one == TRUE or one in true)

    def exclude(self, together: Iterable[Key]) -> None:
        """From now on, exclude answers in which all of these guards hold."""
        self.gates.require(*(-self.literals[key] for key in together))
