"""Questions to Z3 about a movement phase with some open orders, in the terms of propagation.

The least and the greatest value of every decision are unknowns (`dipsat.solving.dual_rail`), so if
Z3 finds no answer, no order set gives one, whatever decision cycles there are. A question includes
only equations that its claim can depend on, to a chosen depth. Deeper decisions may have any value,
so anything that is impossible without their equations is impossible.
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
from dipsat.searches.encoding import candidates, key_of, limits, order_of_power
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
_CLAUSE = 5  # steps charged for making a clause and adding it to a solver


def why_not_open(outcome: MovementOutcome) -> str:
    """Why the orders of a phase cannot be treated as open; "" if they can."""
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


def _by_powers(outcome: MovementOutcome) -> list[DeclaredOrder]:
    """The orders of powers, as opposed to their units."""
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


class Reordering:
    """The phase of an outcome with open orders.

    `others` has, by a unit's index, the orders that it may have instead of the one that it was
    given. The orders of powers, whose indices follow those of the units, are open for this `power`,
    or for all powers if it is None. `choices` maps each guard to its choice, `given` maps an index
    to the guard of the given order, and `powers` lists the powers by index.
    """

    def __init__(
        self,
        outcome: MovementOutcome,
        others: Sequence[Iterable[Order]],
        power: str | None,
        budget: Budget,
    ) -> None:
        self.profile, self.position, self.budget = outcome.profile, outcome.position, budget
        orders: dict[str, Sequence[Order]] = {}
        for unit, order, more in zip(
            self.position.units, given_orders(outcome), others, strict=True
        ):
            mine = self._text(order)
            orders[unit.location] = [order, *(one for one in more if self._text(one) != mine)]
        given = {key_of(told): told for told in _by_powers(outcome)}
        known = candidates(self.profile, self.position).of_powers
        self._besides: list[DeclaredOrder] = []
        for key, told in (given | {k: one for k, one in known.items() if k not in given}).items():
            is_open = power in (None, told.unit.power)
            if is_open or key in given:
                choices = (told, NO_ORDER) if key in given else (NO_ORDER, told)
                orders[key] = choices if is_open else (told,)
                self._besides.append(told)
        budget.spend(_GROUNDED * sum(map(len, orders.values())))
        self.open = open_phase_of(self.profile, self.position, orders, every_province=False)
        self.powers = [unit.power for unit in self.position.units]
        self.powers += [order.unit.power or "" for order in self._besides]
        self.choices = {c.key: c for group in self.open.choices for c in group}
        self.given = {group[0].unit: group[0].key for group in self.open.choices}
        self.grounder = Grounder(
            self.profile, self.open.phase, spend=budget.spend, most=MAX_OPEN_STEPS
        )
        self._terms: dict[Key, Term] = {}
        self._ranges: dict[Key, tuple[int, int]] = {}

    def _text(self, order: Order) -> str:
        return write_order(order, self.position.map)

    def write(self, choice: OrderChoice) -> str:
        """The text of an order; `no ...` for an order of a power that is not given."""
        if choice.order == NO_ORDER:
            return f"no {self._besides[choice.unit - len(self.position.units)].text}"
        return self._text(choice.order)

    def verdict(self, family: str, at: int) -> Term:
        """Whether the order of the unit with this index succeeds, or the unit is dislodged: one of
        its issued candidates has this value. Without a family, whether it has a lawful order of a
        declared kind."""
        phase, unit = self.open.phase, self.open.phase.units[at]
        if not family:
            return any_of(o.issued for o in self.open.declared.values() if o.unit is unit)
        objects: list[Any] = list(phase.objects(self.profile.decisions[family].indices))
        mine = [t for t in objects if t is unit or getattr(t, "unit", None) is unit]
        return any_of(
            all_of([getattr(t, "issued", True), Unknown((family, t.index), True)]) for t in mine
        )

    def cone(self, claim: Term, depth: int, most: int) -> Cone:
        """The equations that a claim depends on, to this depth, or less deep if there are more than
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
        """The guards that a claim depends on, and those of the orders given to their units."""
        found = {key for term in (claim, *cone.equations.values()) for key in unknowns(term)}
        found = {key for key in found if key[0] == ORDER}
        return found | {self.given[self.choices[key].unit] for key in found}

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

    def bounds(self, key: Key) -> tuple[int, int]:
        """The range of a decision, with every truth value open. A number's range needs the ranges
        of all numbers that its equation mentions, which may lead back to it."""
        if not self._is_number(key):
            return 0, 1
        numbers: dict[Key, Term] = {}
        waiting = [] if key in self._ranges else [key]
        while waiting:
            one = waiting.pop()
            if one not in numbers and one not in self._ranges:
                numbers[one] = self._term(one)
                waiting += sorted(filter(self._is_number, unknowns(numbers[one])))
        if numbers:
            inner_first = dict(reversed(numbers.items()))
            self._ranges |= number_ranges(self.grounder, inner_first, self._ranges)
        return self._ranges[key]

    def _is_number(self, key: Key) -> bool:
        return key[0] != ORDER and not self.profile.decisions[key[0]].type.is_truth


class OrderQuery:
    """The question which open orders leave some claims possible under propagation, asked several
    times under different assumptions.

    Each unit with guards in `guards` makes one of these choices, or possibly another if not all of
    its choices are among them. `literals` has the literals of the guards; `gates` and `levels` make
    further literals to assume. The same question has the same answers on every machine: it always
    goes to Z3, and steps are counted.
    """

    def __init__(
        self, orders: Reordering, claims: Iterable[Term], cone: Cone, guards: Collection[Key]
    ) -> None:
        self.gates, self._budget = Gates(), orders.budget
        self.literals = {
            key: TRUE if orders.choices[key].guard is True else self.gates.variable()
            for key in sorted(guards)
        }
        decisions = orders.profile.decisions
        equations = {
            key: (term, decisions[key[0]].type.is_truth) for key, term in cone.equations.items()
        }
        check_size(orders.grounder, equations, orders.bounds, each=True)
        self._rails = RailSystem(
            self.gates,
            equations,
            orders.bounds,
            self.literals.__getitem__,
            lambda _: self._budget.spend_later(_CLAUSE * len(self.gates.clauses)),
            sorted(cone.edge),
        )
        self.levels = self._rails.levels
        for claim in claims:
            self.gates.require(self._rails.possibly(claim))
        for group in orders.open.choices:
            mine = [self.literals[choice.key] for choice in group if choice.key in self.literals]
            self.gates.at_most_one(mine)
            if mine and len(mine) == len(group):
                self.gates.require(*mine)
        self._solver = clause_solver(Z3, self._budget)

    def ask(self, assumed: Iterable[int]) -> frozenset[Key] | None:
        """The guards that hold in an answer in which these literals hold; None if there is none."""
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
