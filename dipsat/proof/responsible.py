"""The responsible orders: as few as force a verdict, whatever all other units are ordered.

Z3 is asked whether, with some orders fixed and all others open, the verdict can stay undecided by
propagation or be another one. If not, the fixed orders force it, whatever decision cycles there are
elsewhere. Otherwise the answer is a counterexample, which is adjudicated to confirm it; a set of
orders that forces the verdict must have an order in common with those left out in each of them.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from dipsat.equations.facts import UnitFacts
from dipsat.equations.ground import Grounder
from dipsat.equations.open_facts import ORDER, OrderChoice, limits_of, open_phase
from dipsat.equations.terms import (
    Key,
    Term,
    Unknown,
    all_of,
    any_of,
    greater,
    interval,
    negation,
    sum_of,
    unknowns,
)
from dipsat.errors import UnresolvedError
from dipsat.game.legal_orders import legal_orders
from dipsat.orders.order import Hold, Order, UnitName
from dipsat.orders.writer import write_order
from dipsat.profiles.profile import Profile
from dipsat.profiles.syntax import Expression, Fact, Predicate, children
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.movement import MovementOrderOutcome, MovementOutcome
from dipsat.proof.tree import VERDICTS
from dipsat.solving.models import Question
from dipsat.solving.partial import LEAST, MOST, partial, rail

_DEPTHS = (3, 4, 5, 6, 8)
"""How many decisions deep the equations are looked at, one after the other. What lies deeper may be
anything, so what is forced without it is forced."""

_MAX_DECISIONS = 120  # of one question
_MAX_SETS = 20_000  # tried in search of the fewest orders that meet all counterexamples
_GOOD = frozenset(good for good, _ in VERDICTS.values())


@dataclass(frozen=True, slots=True)
class Responsible:
    """The orders that force a verdict.

    `verdict` is `forced` (proven: with these orders, the unit's order succeeds, or does not, as it
    did, whatever all other units are ordered) or `unknown`, and `why` then says why. `orders` has
    the unit's own order first. `is_smallest` tells that no fewer orders force it: every other set
    has been refuted by orders of the other units, adjudicated, that lead to another verdict.
    """

    verdict: str
    orders: tuple[str, ...] = ()
    is_smallest: bool = False
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "verdict": self.verdict,
            "orders": list(self.orders),
            "smallest": self.is_smallest,
            "why": self.why,
        }


def responsible_orders(
    outcome: MovementOutcome, order: MovementOrderOutcome, time_limit_ms: int = 1000
) -> Responsible:
    """The fewest orders that force the verdict of an order. `time_limit_ms` bounds the search."""
    key, facts = order.decision, order.facts
    if key is None or facts is None or outcome.explainer.bounds.value(key) is None:
        return Responsible(
            "unknown", why=f"no decision is made about an order that is {order.verdict}"
        )
    limits = [*limits_of(outcome.profile.settings), *_words_without_reading(outcome.profile)]
    if any(ruling.counts for ruling in outcome.rulings):
        limits.append("impossible orders that have an effect (4.E.1)")
    if limits:
        return Responsible("unknown", why=f"cannot be asked: {', '.join(limits)}")
    return _Search(outcome, facts, key, time.monotonic() + time_limit_ms / 1000).run()


def _words_without_reading(profile: Profile) -> Iterator[str]:
    """Words in the equations that cannot be read while orders are open."""
    stack: list[Expression] = [decision.equation for decision in profile.decisions.values()]
    while stack:
        node = stack.pop()
        if isinstance(node, Fact) and node.name == "on_route":
            yield node.name
        elif isinstance(node, Predicate) and node.op == "ring":
            yield node.op
        stack += children(node)


class _Search:
    """The search for one order. `issued` maps each unit's index to the guard of its order."""

    def __init__(
        self, outcome: MovementOutcome, facts: UnitFacts, key: Key, deadline: float
    ) -> None:
        self.outcome, self.facts, self.family, self.deadline = outcome, facts, key[0], deadline
        self.profile, self.position = outcome.profile, outcome.position
        self.value = bool(outcome.explainer.bounds.value(key))
        self.open = open_phase(self.position, self._orders(), self.profile.settings)
        self.choices = {c.key: c for group in self.open.choices for c in group}
        self.issued = {group[0].unit: group[0].key for group in self.open.choices}
        self.grounder = Grounder(self.profile, self.open.phase)
        self.target = self._target()
        self.terms: dict[Key, Term] = {}
        self.ranges: dict[Key, tuple[int, int]] = {}

    def run(self) -> Responsible:
        """Look deeper and deeper, until no fewer orders can force it."""
        best: Responsible | None = None
        for depth in _DEPTHS:
            if time.monotonic() > self.deadline:
                break
            found = self._at_depth(depth)
            if found is None:
                continue
            if best is None or len(found.orders) < len(best.orders) or found.is_smallest:
                best = found
            if best.is_smallest:
                break
        why = "propagation alone does not decide it, or the time was not enough"
        return best or Responsible("unknown", why=why)

    def _orders(self) -> dict[str, list[Order]]:
        """The order of every unit first, then, but for the unit itself, its other legal ones."""
        legal = legal_orders(self.position, self.profile.settings)
        found: dict[str, list[Order]] = {}
        for unit in self.outcome.facts.units:
            order, place = unit.order, unit.unit.location
            if isinstance(order, Hold):
                order = Hold(UnitName(place, unit.unit.kind))
            found[place] = [order]
            if unit is not self.facts:
                mine = self._write(order)
                found[place] += [o for o in legal[str(unit)] if self._write(o) != mine]
        return found

    def _write(self, order: Order) -> str:
        return write_order(order, self.position.map)

    def _target(self) -> Term:
        """Whether the order succeeds, or its unit is dislodged: of its candidates, one that is
        issued does."""
        phase, unit = self.open.phase, self.open.phase.units[self.facts.index]
        kind = self.profile.decisions[self.family].index.type.name
        objects: list[Any] = list(phase.domain(kind))
        mine = [t for t in objects if t is unit or getattr(t, "unit", None) is unit]
        return any_of(
            all_of([getattr(t, "issued", True), Unknown((self.family, t.index), True)])
            for t in mine
        )

    # --- the question -----------------------------------------------------------------------------

    def _at_depth(self, depth: int) -> Responsible | None:
        """The fewest orders as far as equations of this depth tell; None if they tell nothing."""
        cone, edge = self._cone(depth)
        if len(cone) + len(edge) > _MAX_DECISIONS:
            return None
        guards = self._guards(cone)
        question = self._question(cone, edge, guards)
        units = sorted({self.choices[key].unit for key in guards} - {self.facts.index})
        return _Fewest(self, question, guards, units).find()

    def _term(self, key: Key) -> Term:
        if key not in self.terms:
            self.terms[key] = self.grounder.equation(key)
        return self.terms[key]

    def _cone(self, depth: int) -> tuple[dict[Key, Term], set[Key]]:
        """The equations up to a depth, and the decisions beyond that they mention."""
        cone: dict[Key, Term] = {}
        edge = {key for key in unknowns(self.target) if key[0] != ORDER}
        for _ in range(depth):
            cone |= {key: self._term(key) for key in sorted(edge)}
            needed = {other for key in edge for other in unknowns(cone[key])}
            edge = {key for key in needed if key not in cone and key[0] != ORDER}
            if not edge or len(cone) > _MAX_DECISIONS:
                break
        return cone, edge

    def _guards(self, cone: Mapping[Key, Term]) -> set[Key]:
        """The guards that matter, and of each of their units that of its own order."""
        found = {key for term in (self.target, *cone.values()) for key in unknowns(term)}
        found = {key for key in found if key[0] == ORDER}
        return found | {self.issued[self.choices[key].unit] for key in found}

    def _question(
        self, cone: Mapping[Key, Term], edge: Collection[Key], guards: Collection[Key]
    ) -> Question:
        equations: dict[Key, tuple[Term, bool]] = {
            key: (Unknown(key, True), True) for key in sorted(guards)
        }
        claims: list[Term] = []
        for key in (*cone, *sorted(edge)):
            is_truth = self.profile.decisions[key[0]].type.is_truth
            low, high = (Unknown(rail(key, mode), is_truth) for mode in (LEAST, MOST))
            for mode, unknown in ((LEAST, low), (MOST, high)):
                term = partial(cone[key], mode) if key in cone else unknown
                equations[unknown.key] = term, is_truth
            claims.append(negation(greater(low, high)))
        for group in self.open.choices:
            mine = [choice.guard for choice in group if choice.key in guards]
            if mine:
                claims.append(negation(greater(sum_of(mine), 1)))
            if len(mine) == len(group):
                claims.append(any_of(mine))
        wanted = partial(self.target, LEAST if self.value else MOST)
        claims.append(negation(wanted) if self.value else wanted)
        return Question(equations, claims, guards, self._name, self._bounds)

    def _name(self, key: Key) -> str:
        return f"{key[0]} {key[1]}"

    def _bounds(self, key: Key) -> tuple[int, int]:
        """The range of a number, with every truth value open."""
        family = key[0].removeprefix(f"{LEAST} ").removeprefix(f"{MOST} ")
        if family == ORDER or self.profile.decisions[family].type.is_truth:
            return 0, 1
        plain = family, key[1]
        if plain not in self.ranges:
            self.ranges[plain] = interval(self._term(plain), self._bounds)
        return self.ranges[plain]

    # --- counterexamples --------------------------------------------------------------------------

    def is_refuted_by(self, chosen: Mapping[int, OrderChoice]) -> bool:
        """Whether the unit's order comes out otherwise if these orders are given."""
        orders: dict[str, list[Order]] = {}
        for at, unit in enumerate(self.position.units):
            choice = chosen.get(at) or self.choices[self.issued[at]]
            orders.setdefault(unit.power, []).append(choice.order)
        try:
            found = adjudicate(self.position, orders, self.profile).order(str(self.facts))
        except UnresolvedError:
            return False
        if self.family == "dislodge":
            return bool(found.fate) != self.value
        return (found.verdict in _GOOD) != self.value

    def other_choice(self, unit: int, guards: Collection[Key]) -> OrderChoice:
        """A choice of a unit that does not matter."""
        return next(choice for choice in self.open.choices[unit] if choice.key not in guards)

    def answer(self, units: Iterable[int], is_smallest: bool) -> Responsible:
        """That the orders of these units, and the unit's own, force it."""
        keys = [self.issued[self.facts.index], *(self.issued[unit] for unit in units)]
        orders = tuple(self._write(self.choices[key].order) for key in keys)
        return Responsible("forced", orders, is_smallest)


class _Fewest:
    """The fewest of `units` whose orders, when fixed, leave the question no answer.

    Every counterexample leaves out some units; a set that forces the verdict has one of each. The
    fewest units that meet all counterexamples so far are tried next.
    """

    def __init__(
        self, search: _Search, question: Question, guards: set[Key], units: Sequence[int]
    ) -> None:
        self.search, self.question, self.guards, self.units = search, question, guards, units
        self.left_out: list[frozenset[int]] = []
        self.is_confirmed = True

    def find(self) -> Responsible | None:
        """None if all orders together do not force it, or the time was not enough."""
        every = self._ask(self.units)
        if every is None or every:
            return None
        while (tried := self._meeting_all()) is not None:
            chosen = self._ask(tried)
            if chosen is None:
                break
            if not chosen:
                return self.search.answer(tried, self.is_confirmed)
            self._learn(tried, chosen)
        return self._by_deletion()

    def _ask(self, fixed: Iterable[int]) -> Mapping[int, OrderChoice] | None:
        """Orders of all units with which the verdict is not forced: empty if there are none, None
        if the time was not enough."""
        assumed = [self.search.issued[unit] for unit in fixed]
        models = self.question.ask(assumed, self.search.deadline)
        if models.verdict == "none":
            return {}
        if not models.resolutions:
            return None
        values, found = models.resolutions[0], {}
        for key in sorted(self.guards):
            if values[key]:
                found[self.search.choices[key].unit] = self.search.choices[key]
        for unit in self.units:
            if unit not in found:
                found[unit] = self.search.other_choice(unit, self.guards)
        return found or {self.search.facts.index: self.search.choices[self.search.issued[0]]}

    def _learn(self, tried: Collection[int], chosen: Mapping[int, OrderChoice]) -> None:
        """Make a counterexample leave out as few units as it can, and remember those."""
        out = self._out(chosen)
        kept = [unit for unit in self.units if unit not in out]
        for unit in sorted(out):
            if unit in self._out(chosen) and (more := self._ask([*kept, unit])):
                chosen = more
                kept.append(unit)
        self.is_confirmed = self.search.is_refuted_by(chosen) and self.is_confirmed
        self.left_out.append(frozenset(self._out(chosen)) - set(tried))

    def _out(self, chosen: Mapping[int, OrderChoice]) -> set[int]:
        """The units that are not ordered what they were."""
        issued = self.search.issued
        return {unit for unit in self.units if chosen[unit].key != issued[unit]}

    def _meeting_all(self) -> tuple[int, ...] | None:
        """The fewest units with one of each set left out; None if there are too many to try."""
        pool = sorted(frozenset().union(*self.left_out))
        sets = (some for size in range(len(pool) + 1) for some in combinations(pool, size))
        for number, some in enumerate(sets):
            if number > _MAX_SETS:
                return None
            if all(not out.isdisjoint(some) for out in self.left_out):
                return some
        return None

    def _by_deletion(self) -> Responsible:
        """Leave out orders one by one as long as the others force it."""
        kept = list(self.units)
        for unit in self.units:
            fewer = [other for other in kept if other != unit]
            if self._ask(fewer) == {}:
                kept = fewer
        return self.search.answer(kept, False)
