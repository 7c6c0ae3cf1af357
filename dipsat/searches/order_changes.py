"""Searches for other orders: which orders force a verdict, and which change leads to another."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from dipsat.base import ExhaustedError, Plain, brief, titled
from dipsat.board import province_of
from dipsat.equations import Key, Term, any_of, negation
from dipsat.orders import (
    Convoy,
    DeclaredOrder,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
)
from dipsat.outcomes import DECLARED, VERDICTS, MovementOrderOutcome, MovementOutcome, OrderOutcome
from dipsat.rules import Profile
from dipsat.searches.encoding import candidates
from dipsat.searches.open_order_facts import OrderChoice
from dipsat.searches.open_query import (
    GOOD,
    Cone,
    OrderQuery,
    Reordering,
    given_orders,
    why_not_open,
)
from dipsat.solving import Budget, budget_of

# --- responsible orders ---------------------------------------------------------------------------

# The responsible orders: the fewest that force a verdict whatever all other units do.
#
# Z3 is asked whether, with some orders fixed and all others open, the verdict can be different or
# be left undecided by propagation. If not, the fixed orders force it, whatever decision cycles
# there are elsewhere. Otherwise the answer is a counterexample, which is adjudicated to confirm it.
# For each counterexample, a set of orders that forces the verdict must contain an order that the
# counterexample changes.


_CORE_STEPS = 1_000_000
"""The budget of the search; a step is about a microsecond."""

_CORE_DEPTHS = (3, 4, 5, 6, 8)
"""The depths, in decisions, to which the equations are examined in turn. Deeper decisions may have
any value, so a verdict that is forced without their equations is forced."""

_CORE_MAX_DECISIONS = 400  # in one question
_MAX_SETS = 20_000  # tried when looking for the fewest orders that meet all counterexamples
_SETS = 2  # tried per step


@brief()
@dataclass(frozen=True, slots=True)
class Responsible(Plain):
    """The orders that force a verdict."""

    verdict: str
    """`forced` (proven: with these orders, the unit's order succeeds or fails as it did, whatever
    all other units do) or `unknown`."""
    orders: tuple[str, ...] = ()
    """The orders, the unit's own first."""
    is_smallest: bool = False
    """Whether no fewer orders force it: every smaller set is refuted by adjudicated orders of the
    other units that lead to another verdict."""
    why: str = ""
    """Why the verdict is `unknown`, or why fewer orders might be enough."""


def responsible_orders(outcome: MovementOutcome, order: MovementOrderOutcome) -> Responsible:
    """The fewest orders that force the verdict of an order, or the best found when the limits of
    the call or Ctrl-C ended the search."""
    key, facts = order.decision, order.facts
    value = None if key is None else outcome.solution.bounds.value(key)
    if key is None or facts is None or value is None:
        return Responsible(
            "unknown", why=f"no decision is made about an order that is {order.verdict}"
        )
    if why := why_not_open(outcome):
        return Responsible("unknown", why=why)
    return _CoreSearch(outcome, facts.index, key[0], bool(value)).run()


class _CoreSearch:
    """The search for the unit with the index `at`, whose verdict is a decision of `family`."""

    def __init__(self, outcome: MovementOutcome, at: int, family: str, value: bool) -> None:
        self.outcome, self.at, self.family, self.value = outcome, at, family, value
        self.budget = budget_of(_CORE_STEPS)
        self.best: Responsible | None = None

    def run(self) -> Responsible:
        """Examine the equations deeper and deeper, until no fewer orders can force the verdict."""
        why = "propagation alone does not decide it"
        with self.budget.interruptible():
            try:
                if not self._look():
                    why = "the equations that were examined do not decide it by propagation alone"
            except ExhaustedError as spent:
                why = str(spent)
        return self.best or Responsible("unknown", why=why)

    def _look(self) -> bool:
        """Whether all the equations were examined, or enough of them."""
        legal = candidates(self.outcome.profile, self.outcome.position).of_units
        units = self.outcome.position.units
        others = [() if at == self.at else legal[unit.location] for at, unit in enumerate(units)]
        self.open = Reordering(self.outcome, others, None, self.budget)
        self.target = self.open.verdict(self.family, self.at)
        for depth in _CORE_DEPTHS:
            cone = self.open.cone(self.target, depth, _CORE_MAX_DECISIONS)
            if cone.size > _CORE_MAX_DECISIONS:
                return False
            guards = self.open.guards(self.target, cone)
            claim = negation(self.target) if self.value else self.target
            question = OrderQuery(self.open, [claim], cone, guards)
            others_open = sorted({self.open.choices[key].unit for key in guards} - {self.at})
            _Fewest(self, question, guards, others_open).find()
            if not cone.edge or (self.best is not None and self.best.is_smallest):
                return True
        return False

    def keep(self, units: Iterable[int], is_smallest: bool) -> None:
        """Record that the orders of these units and the unit's own force the verdict, if they are
        the best so far."""
        keys = [self.open.given[self.at], *(self.open.given[unit] for unit in units)]
        orders = tuple(self.open.write(self.open.choices[key]) for key in keys)
        if self.best is None or is_smallest or len(orders) < len(self.best.orders):
            self.best = Responsible("forced", orders, is_smallest)

    def is_refuted_by(self, chosen: Mapping[int, OrderChoice]) -> bool:
        """Whether these orders give the unit's order a different outcome."""
        self.budget.spend(self.outcome.solution.steps)
        found = self.open.adjudicated(chosen, self.at)
        if found is None:
            return False
        is_so = bool(found.fate) if self.family == "dislodge" else found.verdict in GOOD
        return is_so != self.value


class _Fewest:
    """Finds the fewest of `units` whose orders, when fixed, leave the question without an answer.

    Every counterexample changes the orders of some units; a set that forces the verdict has one of
    these units. The fewest units that meet all counterexamples so far are tried next.
    """

    def __init__(
        self, search: _CoreSearch, question: OrderQuery, guards: set[Key], units: Sequence[int]
    ) -> None:
        self.search, self.question, self.guards, self.units = search, question, guards, units
        self.left_out: list[frozenset[int]] = []
        self.is_confirmed = True

    def find(self) -> None:
        """Search. Nothing is recorded if all orders together do not force the verdict."""
        if self._ask(self.units) is not None:
            return
        kept = list(self.units)
        for unit in self.units:  # leave out one by one while the others force the verdict
            fewer = [other for other in kept if other != unit]
            if self._ask(fewer) is None:
                kept = fewer
        self.search.keep(kept, False)
        while (tried := self._meeting_all()) is not None:
            chosen = self._ask(tried)
            if chosen is None:
                self.search.keep(tried, self.is_confirmed)
                return
            self._learn(tried, chosen)

    def _ask(self, fixed: Iterable[int]) -> Mapping[int, OrderChoice] | None:
        """Orders of all units with these `fixed` that may avoid the verdict; None if there are no
        such orders."""
        opened = self.search.open
        literals = self.question.literals
        given = self.question.ask([literals[opened.given[unit]] for unit in fixed])
        if given is None:
            return None
        issued = [opened.choices[key] for key in sorted(given)]
        found = {choice.unit: choice for choice in issued}
        for unit in self.units:
            if unit not in found:  # a choice that no equation in the question mentions
                group = opened.open.choices[unit]
                found[unit] = next(one for one in group if one.key not in self.guards)
        return found

    def _learn(self, tried: Collection[int], chosen: Mapping[int, OrderChoice]) -> None:
        """Make a counterexample change as few orders as possible, and record their units."""
        out = self._out(chosen)
        kept = [unit for unit in self.units if unit not in out]
        for unit in sorted(out):
            if unit not in self._out(chosen):
                continue
            more = self._ask([*kept, unit])
            if more is not None:
                chosen = more
                kept.append(unit)
        self.is_confirmed = self.search.is_refuted_by(chosen) and self.is_confirmed
        self.left_out.append(frozenset(self._out(chosen)) - set(tried))

    def _out(self, chosen: Mapping[int, OrderChoice]) -> set[int]:
        """The units whose orders differ from the given ones."""
        given = self.search.open.given
        return {unit for unit in self.units if chosen[unit].key != given[unit]}

    def _meeting_all(self) -> tuple[int, ...] | None:
        """The fewest units that include one from each counterexample; None if there are too many
        sets to try."""
        pool = sorted(frozenset().union(*self.left_out))
        sets = (some for size in range(len(pool) + 1) for some in combinations(pool, size))
        for number, some in enumerate(sets):
            if number % 1000 == 0:
                self.search.budget.spend(1000 // _SETS)
            if number > _MAX_SETS:
                return None
            if all(not out.isdisjoint(some) for out in self.left_out):
                return some
        return None


def responsible_in_words(core: Responsible) -> str:
    """The orders that force the verdict, in words."""
    if core.verdict != "forced":
        return f"Responsible orders: unknown; {core.why}."
    number = "No fewer force it." if core.is_smallest else "Fewer may be enough."
    orders = "; ".join(core.orders)
    return f"Forced by these orders, whatever all other units do: {orders}. {number}"


# --- the smallest change --------------------------------------------------------------------------

# The smallest change of a power's own orders that makes an order succeed.
#
# The power's orders are open, all others as given. Z3 is asked for changes of one order, of two,
# and so on, after which propagation does not rule out the aim. Each change is adjudicated before it
# counts. If Z3 finds none, propagation rules the aim out whatever the power orders, and no cycle
# rule can change a decision that propagation has made.
#
# For example, France orders A BUR - MUN, A RUH H and A TYR - BOH, Germany A MUN H, A KIE S A MUN
# and A BER - KIE. The attack on MUN fails, 1 against 2. What makes A BUR - MUN succeed?
# 1. A RUH may have 18 orders, A TYR 13. The claim `move(A BUR - MUN)` depends on 27 equations,
#    which distinguish 13 changes. No change of one order suffices.
# 2. Of the changes of two orders, A RUH S A BUR - MUN and A TYR S A BUR - MUN come first. The
#    adjudicator confirms them, 3 against 2, so they are the fewest.


_CHANGE_STEPS = 2_800_000
"""The budget of the search for a change; a step is about a microsecond."""

_CHANGE_DEPTH, _CHANGE_DECISIONS = 60, 1000
"""The depth, in decisions, to which the equations are examined, and the limit on decisions."""

_HELPS, _HOLDS, _HELPS_OTHERS, _MOVES = range(4)  # the order in which changes are preferred


@brief()
@dataclass(frozen=True, slots=True)
class SmallestChange(Plain):
    """The fewest orders of its power that must change for an order to succeed, or for its unit not
    to be dislodged."""

    verdict: str
    """`found`, `impossible` (proven: with all other powers' orders as given, no orders of this
    power lead to it) or `unknown`."""
    aim: str = ""
    """The result that was wanted."""
    orders: tuple[str, ...] = ()
    """The new orders, with which the adjudicator confirms the wanted result; empty if the given
    orders already lead to it."""
    instead_of: tuple[str, ...] = ()
    """For each new order, the order that it replaces."""
    is_smallest: bool = False
    """Whether it is known that no fewer orders are enough."""
    why: str = ""
    """Why the verdict is `unknown`, or why fewer orders might be enough."""


def smallest_change(outcome: MovementOutcome, order: MovementOrderOutcome) -> SmallestChange:
    """The fewest orders of its power that must be changed for an order to succeed.

    The order keeps its aim: the same move, support or convoy; for a unit that holds, that it is not
    dislodged. The way to reach it may change (by convoy, say), which counts as a change. If the
    support or convoy of a dislodged unit cannot succeed, the aim is that the unit is not dislodged.
    """
    facts = order.facts
    given = None if facts is None else given_orders(outcome)[facts.index]
    is_illegal = order.verdict == "illegal" and not isinstance(given, DeclaredOrder)
    if facts is None or given is None or (is_illegal and not order.fate):
        return SmallestChange("unknown", why="an illegal order cannot succeed")
    if order.verdict == "unknown":
        return SmallestChange("unknown", why="the outcome of the order is not known")
    budget = budget_of(_CHANGE_STEPS)
    first: SmallestChange | None = None
    for aim in aims(outcome.profile, order, given):
        if aim.is_reached(order):
            return SmallestChange("found", aim.text, is_smallest=True)
        if why := _why_not(outcome, order.power):
            return SmallestChange("unknown", aim.text, why=why)
        found = _ChangeSearch(outcome, facts.index, aim, budget).run()
        if found.verdict == "found":
            return found
        first = first or found
        if found.verdict == "unknown":
            break
    assert first is not None  # every order has an aim
    return first


def _why_not(outcome: MovementOutcome, power: str) -> str:
    """Why the power's orders cannot be treated as open; "" if they can."""
    if outcome.profile.settings.implicit_orders == "deduced":
        ordered = {r.unit for r in outcome.rulings if r.unit is not None and r.code != "implicit"}
        if any(unit.power == power and unit not in ordered for unit in outcome.position.units):
            return "cannot be asked: orders that are deduced from others (4.E.3)"
    return why_not_open(outcome)


class _ChangeSearch:
    """The search for one aim of the unit with the index `at`."""

    def __init__(self, outcome: MovementOutcome, at: int, aim: Aim, budget: Budget) -> None:
        self.outcome, self.at, self.aim, self.budget = outcome, at, aim, budget
        self.given = given_orders(outcome)
        self.seen: Sequence[OrderChoice] = ()
        """A change that may suffice; empty until one is found."""

    def run(self) -> SmallestChange:
        """The answer, or the best known when the budget is spent."""
        with self.budget.interruptible():
            try:
                self.open = self._reordered()
                again = self.open.adjudicated({}, self.at)
                if again is None or self.aim.is_reached(again):  # not the original outcome
                    return self._unknown("the orders cannot be given again as they were read")
                return self._found()
            except ExhaustedError as spent:
                return self._so_far(str(spent))

    def _so_far(self, why: str) -> SmallestChange:
        """The best known change: the last one seen, without the orders that it does not need."""
        if not self.seen or not self.is_confirmed(self.seen):
            return self._unknown(why)
        kept = list(self.seen)
        for choice in self.seen:
            fewer = [other for other in kept if other is not choice]
            if self.is_confirmed(fewer):
                kept = fewer
        return replace(self._answer(kept, False), why=why)

    def _unknown(self, why: str) -> SmallestChange:
        return SmallestChange("unknown", self.aim.text, why=why)

    def _reordered(self) -> Reordering:
        """The phase with the orders of the unit's power open."""
        position = self.outcome.position
        mine = position.units[self.at].power
        legal = candidates(self.outcome.profile, position).of_units
        others = [
            self._others(at, legal[unit.location] if unit.power == mine else ())
            for at, unit in enumerate(position.units)
        ]
        return Reordering(self.outcome, others, mine, self.budget)

    def _others(self, at: int, orders: Iterable[Order]) -> Iterator[Order]:
        """The orders that a unit may have instead of the one that it was given."""
        given, unit = self.given[at], self.outcome.facts.units[at]
        by_sea = next((m.target_location for m in unit.moves if not m.by_land), "")
        for order in orders:
            match order, given:
                case Move(target=target, path=path), Move(path=same) if path == same:
                    if target == by_sea:
                        continue  # it goes by sea whether or not the order says so
            if at != self.at or is_same_aim(order, given):
                yield order

    def _found(self) -> SmallestChange:
        """Try the changes that the equations allow, and those that resemble refuted ones."""
        claim = self.aim.claim(self.open, self.at)
        changes = _Changes(self, claim, self.open.cone(claim, _CHANGE_DEPTH, _CHANGE_DECISIONS))
        refuted: list[tuple[OrderChoice, ...]] = []
        confirmed: Sequence[OrderChoice] | None = None
        for changed in changes.in_order():
            if self._try(changed):
                confirmed = self.seen = changed
                break
            refuted.append(changed)
        smaller = range(len(self.given) + 1 if confirmed is None else len(confirmed))
        alike = (one for size in smaller for other in refuted for one in changes.alike(other, size))
        try:
            confirmed = next(filter(self._try, alike), confirmed)
        except ExhaustedError as spent:
            if confirmed is not None:
                raise
            why = "rules for decision cycles settle changes that could not all be tried"
            return self._unknown(f"{why}: {spent}")
        if confirmed is None:
            return SmallestChange("impossible", self.aim.text)
        return self._answer(confirmed, True)

    def _try(self, changed: Sequence[OrderChoice]) -> bool:
        self.budget.spend(self.outcome.solution.steps)
        return self.is_confirmed(changed)

    def is_confirmed(self, changed: Sequence[OrderChoice]) -> bool:
        """Whether the adjudicator confirms that a change reaches the aim."""
        found = self.open.adjudicated({choice.unit: choice for choice in changed}, self.at)
        return found is not None and self.aim.is_reached(found)

    def _answer(self, changed: Sequence[OrderChoice], is_smallest: bool) -> SmallestChange:
        """The answer with a confirmed change, by unit."""
        by_unit = sorted(changed, key=lambda choice: choice.unit)
        new = tuple(self.open.write(choice) for choice in by_unit)
        kept = (self.open.choices[self.open.given[choice.unit]] for choice in by_unit)
        old = tuple(self.open.write(choice) for choice in kept)
        return SmallestChange("found", self.aim.text, new, old, is_smallest)

    def place(self, choice: OrderChoice) -> tuple[int, int, Key]:
        """The sort key of a changed order: the plainest first, then by unit."""
        return self._rank(choice), choice.unit, choice.key

    def _rank(self, choice: OrderChoice) -> int:
        if choice.unit == self.at or self._helps(choice.order):
            return _HELPS
        if isinstance(choice.order, Hold):
            return _HOLDS
        return _MOVES if isinstance(choice.order, Move | DeclaredOrder) else _HELPS_OTHERS

    def _helps(self, order: Order) -> bool:
        """Whether an order supports or convoys the unit's own action."""
        mine, given = self.outcome.position.units[self.at].province, self.given[self.at]
        match order:
            case SupportHold(supported=unit):
                return province_of(unit.location) == mine and not isinstance(given, Move)
            case SupportMove(supported=unit, target=target) | Convoy(army=unit, target=target):
                if province_of(unit.location) == mine and isinstance(given, Move):
                    return province_of(target) == province_of(given.target)
        return False


class _Changes:
    """The changes that the equations of a cone allow, the smallest first.

    Orders that no equation of the cone mentions are equivalent; the plainest stands for them.
    """

    def __init__(self, search: _ChangeSearch, claim: Term, cone: Cone) -> None:
        self.search, opened = search, search.open
        guards = opened.guards(claim, cone)
        units = sorted({opened.choices[key].unit for key in guards})
        self.given = {unit: opened.given[unit] for unit in units}
        self.plain: dict[Key, list[OrderChoice]] = {}
        exactly_one: list[Term] = []
        for unit in units:
            others = [c for c in opened.open.choices[unit] if c.key not in guards]
            for first, *rest in [sorted(others, key=search.place)] if others else ():
                guards.add(first.key)
                self.plain[first.key] = rest
            group = [c.guard for c in opened.open.choices[unit] if c.key in guards]
            exactly_one.append(any_of(group))
        changes = (opened.choices[key] for key in guards - set(self.given.values()))
        self.choices = sorted(changes, key=search.place)
        self.ranks = sorted({search.place(choice)[0] for choice in self.choices})
        self.question = OrderQuery(opened, [claim, *exactly_one], cone, guards)
        levels, literals = self.question.levels, self.question.literals
        kept = [levels.truth(literals[key]) for key in self.given.values()]
        self.unchanged = levels.sum(0, kept, [])
        """The number of orders that stay as given."""

    def in_order(self) -> Iterator[tuple[OrderChoice, ...]]:
        """Every change once, sorted by size, then by the worst rank, then by sort keys. The empty
        change comes first, if only a cycle rule rules it out."""
        given = self.question.ask(())
        if given is None:
            return
        if not self.search.seen:
            self.search.seen = self._changed(given)
        for assumed in self._stages():
            while (given := self.question.ask(assumed)) is not None:
                found = self._first(assumed, self._changed(given))
                yield found
                kept = self.given.keys() - {choice.unit for choice in found}
                keys = [choice.key for choice in found]
                self.question.exclude([*keys, *(self.given[unit] for unit in sorted(kept))])

    def _stages(self) -> Iterator[list[int]]:
        """The assumptions to make in turn: at most this many changes, none worse than a rank."""
        at_least, literals = self.question.levels.at_least, self.question.literals
        yield [at_least(self.unchanged, len(self.given))]
        for size in range(1, len(self.given) + 1):
            for rank in self.ranks:
                worse = [c for c in self.choices if self.search.place(c)[0] > rank]
                no_more = at_least(self.unchanged, len(self.given) - size)
                yield [no_more, *(-literals[choice.key] for choice in worse)]

    def alike(self, changed: Sequence[OrderChoice], size: int) -> Iterator[tuple[OrderChoice, ...]]:
        """The other changes of this size that the equations cannot distinguish from this one.

        Propagation has the same result for all of them. But the way a cycle is settled may depend
        on decisions that depend on it, and those can be about any unit.
        """
        opened = self.search.open
        mine = opened.position.units[self.search.at].power
        beyond = [
            group[1:]
            for group in opened.open.choices
            if group[0].unit not in self.given and opened.powers[group[0].unit] == mine
        ]
        here = [(choice, *self.plain.get(choice.key, ())) for choice in changed]
        for others in combinations(beyond, max(0, size - len(changed))):
            for found in product(*here, *others):
                if len(found) == size and found != tuple(changed):
                    yield found

    def _changed(self, given: Collection[Key]) -> tuple[OrderChoice, ...]:
        return tuple(choice for choice in self.choices if choice.key in given)

    def _first(
        self, assumed: Sequence[int], found: tuple[OrderChoice, ...]
    ) -> tuple[OrderChoice, ...]:
        """The change whose orders sort first; `found` is some change."""
        literals = self.question.literals
        for at in range(len(found)):
            before = [literals[choice.key] for choice in found[:at]]
            for choice in self.choices[self.choices.index(found[at - 1]) + 1 if at else 0 :]:
                if choice is found[at]:
                    break
                given = self.question.ask([*assumed, *before, literals[choice.key]])
                if given is not None:
                    found = self._changed(given)
                    break
        return found


# --- aims -----------------------------------------------------------------------------------------

# The aim of `--change`: that an order succeeds, or that its unit is not dislodged.


_FAMILIES: Mapping[type, str] = {
    Move: "move", SupportMove: "support", SupportHold: "support", Convoy: "convoy",
    Hold: "dislodge",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Aim:
    """The aim that an order succeeds or a unit is not dislodged. `family` is the verdict's, "" for
    an order that succeeds if it is legal."""

    family: str
    text: str

    def is_reached(self, order: OrderOutcome) -> bool:
        """Whether an outcome reaches the aim."""
        return not order.fate if self.family == "dislodge" else order.verdict in GOOD

    def claim(self, open_orders: Reordering, at: int) -> Term:
        """A term over the decisions that holds if the aim is reached."""
        verdict = open_orders.verdict(self.family, at)
        return negation(verdict) if self.family == "dislodge" else verdict


def aims(profile: Profile, order: MovementOrderOutcome, given: Order) -> Iterator[Aim]:
    """The aims for the order that a unit was `given`, to be tried in turn."""
    family, goes = _FAMILIES.get(type(given), ""), isinstance(given, Move)
    if isinstance(given, DeclaredOrder):
        kind = profile.declared.kinds[given.kind]
        family, goes = kind.verdict, bool(kind.legs)
        if not family and order.verdict != "illegal":
            family = "dislodge"
    if family != "dislodge":
        yield Aim(family, f"{order.order} {VERDICTS.get(family, DECLARED)[0]}")
    if family == "dislodge" or (not goes and order.fate):
        yield Aim("dislodge", f"{order.unit} {VERDICTS['dislodge'][1]}")


def is_same_aim(order: Order, given: Order) -> bool:
    """Whether two orders of a unit have the same aim, and differ at most in how they reach it."""
    match order, given:
        case Move(target=target), Move(target=other):
            return target == other
        case SupportHold(supported=unit), SupportHold(supported=other):
            return unit.location == other.location
        case SupportMove(supported=unit, target=target), SupportMove(supported=other):
            same_unit = unit.location == other.location
            return same_unit and province_of(target) == province_of(given.target)
    return False


def change_in_words(change: SmallestChange, power: str) -> str:
    """The orders of a power that would have led to another verdict, in words."""
    owner = titled(power)
    if change.verdict == "unknown":
        return f"No change of {owner}'s orders was found: {change.why}."
    if change.verdict == "impossible":
        return f"{owner} has no orders with which {change.aim}. That is proven."
    if not change.orders:
        return f"No change of {owner}'s orders is needed: {change.aim}."
    pairs = zip(change.orders, change.instead_of, strict=True)
    new = "; ".join(f"{order} instead of {old}" for order, old in pairs)
    number = "No smaller change is enough."
    if not change.is_smallest:
        number = f"A smaller change may be enough: {change.why}."
    return f"With these orders of {owner}'s own, {change.aim}: {new}. {number}"
