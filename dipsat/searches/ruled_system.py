"""An equation system whose guards are literals of a solver: its rails, the decisions that they
leave open, and lemmas about its decision cycles."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from dipsat.base import check_time
from dipsat.equations import (
    ORDER,
    Disjunction,
    Grounder,
    Key,
    Phase,
    Term,
    Unknown,
    all_of,
    evaluate,
    greater,
    is_single,
    negation,
    number_of,
    objects_about,
    residual,
    unknowns,
    where_of,
)
from dipsat.game import (
    ConvoyFacts,
    DeclaredFacts,
    MoveFacts,
    ProvinceFacts,
    SupportFacts,
    UnitFacts,
)
from dipsat.outcomes import MovementOutcome
from dipsat.rules import CYCLE, CycleRule, Expression, Fact, Profile, Scope, children
from dipsat.searches.checked_rules import cycles_are_single
from dipsat.solving import (
    Bounds,
    CycleResolution,
    Gates,
    RailSystem,
    System,
    cycle_scope,
    has_cycle,
    propagate,
)

_Answer = TypeVar("_Answer")


class RuledSystem(ABC, Generic[_Answer]):
    """The equations of a profile about a phase with something open, and their rails. An `_Answer`
    is the solver's choice: an order for each unit.

    `guards` has the literal of each guard, by number. `rails` may be those of a profile that
    decides everything alike.
    """

    def __init__(
        self,
        profile: Profile,
        system: System,
        gates: Gates,
        guards: Sequence[int],
        rails: RailSystem | None = None,
    ) -> None:
        self.profile, self.system, self.gates = profile, system, gates
        # Rails refer to themselves, so objects that they keep stay until the garbage collector
        # runs. The board's solver must not be one: it takes megabytes that Python does not count.
        self.rails = rails or RailSystem(
            gates, system.equations, system.bounds, lambda key: guards[key[1]]
        )
        self._open_literals: dict[Key, int] = {}

    @abstractmethod
    def chosen(self, answer: _Answer) -> Mapping[Key, int]:
        """The guards that hold in an answer."""

    @abstractmethod
    def places(self, answer: _Answer) -> Mapping[str, ProvinceFacts]:
        """Code -> the province in the phase, for the provinces that matter in an answer."""

    @property
    def named(self) -> Sequence[ProvinceFacts]:
        """All provinces of the map, for goals."""
        return self.system.phase.provinces

    def issued(self, key: Key) -> int:
        """The literal that holds if the orders that a decision is about are given."""
        about = objects_about(self.system.grounder.object(key))
        return self.rails.surely(all_of(getattr(part, "issued", True) for part in about))

    def is_open(self, key: Key) -> int:
        """The literal that holds if the decision matters and propagation leaves it open."""
        if key not in self._open_literals:
            check_time()
            known = self.rails.is_known(key)
            self._open_literals[key] = self.gates.all_of((-known, self.issued(key)))
        return self._open_literals[key]

    @cached_property
    def any_open(self) -> int:
        """The literal that holds if some decision is open."""
        return self.gates.any_of(self.each_open.values())

    @property
    def each_open(self) -> Mapping[Key, int]:
        """The same for each decision."""
        return {key: self.is_open(key) for key in self.system.equations}

    def each_on_cycle_with(self, families: Iterable[str]) -> Mapping[Key, int]:
        """Each decision of the first of these families, with the literal that it is open and lies
        on a cycle of open decisions that depend on each other in turn, or between two such cycles,
        and that some decision of each other family does too."""
        gates, chosen = self.gates, self._on_cycle
        first, *others = sorted(families)
        rest = gates.all_of(
            gates.any_of(literal for key, literal in chosen.items() if key[0] == family)
            for family in others
        )
        return {
            key: gates.both(literal, rest) for key, literal in chosen.items() if key[0] == first
        }

    @cached_property
    def _on_cycle(self) -> dict[Key, int]:
        """Decision -> a literal that can hold only if it is open and lies on a cycle of open
        decisions, or on a path from one cycle to another: an open decision leads to it, and it
        leads to one. Choosing one edge into each decision and one out of it would exclude the
        paths, but would take as many clauses as all equations together."""
        gates, equations = self.gates, self.system.equations
        chosen = {key: gates.variable() for key in equations}
        before: dict[Key, list[int]] = {key: [] for key in equations}
        for key, (term, _) in equations.items():
            literal, after = chosen[key], []
            for other in unknowns(term):
                if other in before:
                    before[other].append(literal)
                    after.append(chosen[other])
            gates.imply(literal, (self.is_open(key),))
            gates.imply(literal, sorted(after))
        for key, literals in before.items():
            gates.imply(chosen[key], literals)
        return chosen


# --- the objects of adjudicated orders ------------------------------------------------------------


class SameParts:
    """Finds the objects of an adjudicated phase in an open one. `chosen` says which guards hold for
    the adjudicated orders; `places` maps codes to the provinces of the open phase."""

    def __init__(
        self, phase: Phase, chosen: Mapping[Key, int], places: Mapping[str, ProvinceFacts]
    ) -> None:
        self._phase, self._chosen, self._places = phase, chosen, places

    def __call__(self, one: Any) -> Any:
        """The counterpart of an object of decisions in the open phase; None if there is none."""
        match one:
            case str():  # a member of a domain
                return one
            case ProvinceFacts():
                return self._places.get(one.code)
            case UnitFacts():
                return self._places[one.province.code].units[0]
        return self._issued.get(_distinguished(one, self))

    @cached_property
    def _issued(self) -> Mapping[tuple[Any, ...], Any]:
        """The candidates of the open phase whose orders are given."""
        phase = self._phase
        declared = (order for orders in phase.declared.values() for order in orders)
        candidates: Sequence[Any] = (*phase.moves, *phase.supports, *phase.convoys, *declared)
        given = {key for key, value in self._chosen.items() if value}
        issued = (one for one in candidates if _holds(one.issued, given))
        return {_distinguished(one, lambda part: part): one for one in issued}


def _distinguished(one: Any, same: Callable[[Any], Any]) -> tuple[Any, ...]:
    """The features that distinguish a candidate from the other issued ones: its kind, and the
    counterparts in the open phase of the objects that it is about."""
    match one:
        case MoveFacts():
            about: tuple[Any, ...] = ("move", one.unit, one.target)
        case SupportFacts():
            about = ("support", one.unit, one.supported, one.target)
        case ConvoyFacts():
            about = ("convoy", one.unit, one.army, one.target)
        case DeclaredFacts():  # no power gives one twice; the text of a leg contains its ends
            return one.type, one.ruling.submission.power, str(one)
        case _:
            raise AssertionError(f"{one!r} is not a candidate")
    kind, *parts = about
    return kind, *(getattr(same(part), "index", None) for part in parts)


def _holds(issued: Term, given: Collection[Key]) -> bool:
    """Whether a condition on guards holds; most are one guard, or any of several."""
    if isinstance(issued, Unknown):
        return issued.key in given
    if isinstance(issued, Disjunction):
        return any(_holds(part, given) for part in issued.parts)
    return bool(evaluate(issued, lambda key: int(key in given)))


# --- lemmas about decision cycles -----------------------------------------------------------------

# What one adjudicated order set implies for all order sets.
#
# The rails of an `OpenRules` leave the same decisions open as propagation. A cycle that was settled
# once need not be left open again: wherever the same decisions have the same simplified equations,
# they are settled in the same way. So after an answer with orders that the adjudicator does not
# confirm, the next answer is different.
#
# For example, F ANK - CON, A CON - SMY and A SMY - ANK are ordered, and the order of F BLA is open:
# 1. With 19 of its 21 orders (all except its moves to ANK and CON), propagation leaves open 9
#    decisions that depend on each other in turn: for each mover, the move, the attack strength and
#    the hold strength of its province. They have 2 resolutions: all three units move, or none does.
# 2. F BLA H is adjudicated. The rule 'circular movement' sets the three moves to true; then every
#    attack strength is 1 and every hold strength 0.
# 3. The lemma: wherever these values satisfy the 9 equations, and nothing that they depend on is
#    open, the decisions have these values. That settles the cycle for 17 of the 19 orders.
# 4. With F BLA S F ANK - CON and F BLA S A SMY - ANK, an attack strength is 2. Each is adjudicated
#    too and adds a lemma. Three adjudications have settled the cycle for all 19 orders.


Values = dict[Key, int]


def learn(
    rules: RuledSystem[_Answer], orders: _Answer, outcome: MovementOutcome, alike: bool = False
) -> None:
    """Settle the decision cycles of an outcome wherever the same ones occur.

    `orders` (an answer of the solver) were adjudicated under the profile of `rules`. Usually this
    also settles different cycles with the same result; with `alike`, only those with the same
    simplified equations, for questions about the cycles themselves.
    """
    _Lessons(rules, orders, outcome, alike).learn()


@dataclass(frozen=True, slots=True)
class _SettledCycle:
    """A cycle as decisions of the open system: its values, and the bounds known before."""

    values: Values
    known: Bounds
    applied: CycleResolution | None


class _Lessons(Generic[_Answer]):
    def __init__(
        self,
        rules: RuledSystem[_Answer],
        orders: _Answer,
        outcome: MovementOutcome,
        alike: bool,
    ) -> None:
        self.rules, self.outcome, self.alike = rules, outcome, alike
        self.equations = rules.system.equations
        self.chosen = rules.chosen(orders)
        self.same = SameParts(rules.system.phase, self.chosen, rules.places(orders))
        self.is_single = cycles_are_single(rules.profile)

    def learn(self) -> None:
        phase, solution = self.outcome.facts, self.outcome.solution
        fixed = dict[Key, int]()
        rounds = sorted({record.round for record in solution.records})
        for number in rounds:
            known = propagate(self.rules.profile, phase, fixed)
            for record in solution.records:
                if record.round != number:
                    continue
                if record.applied is None and record.models.verdict != "unique":
                    continue
                cycle = record.applied.cycle if record.applied else record.decisions
                closed = {key: solution.bounds.interval(key)[0] for key in cycle}
                if self.is_single or set(cycle) == set(record.decisions):
                    self._lesson(closed, known, record.applied)
                fixed.update(closed)

    def _lesson(
        self, closed: Mapping[Key, int], known: Bounds, applied: CycleResolution | None
    ) -> None:
        values = {self.open_keys[key]: v for key, v in closed.items() if key in self.open_keys}
        if len(values) < len(closed):
            return
        settled = _SettledCycle(values, known, applied)
        if self.alike or not self._wherever_it_fits(settled):
            self._wherever_it_is_the_same(settled)

    # --- the same decision in the adjudicated phase and in the open one ---------------------------

    @cached_property
    def open_keys(self) -> Mapping[Key, Key]:
        """Decision of the adjudicated phase -> the same decision of the open phase."""
        phase, found = self.outcome.facts, {}
        for family, decision in self.rules.profile.decisions.items():
            objects: Sequence[Any] = phase.objects(decision.indices)
            for one in objects:
                parts = [self.same(part) for part in objects_about(one)]
                if None in parts:
                    continue
                at = parts[0].index if is_single(decision.indices) else number_of(
                    decision.indices, parts, self.rules.system.phase.domain
                )  # fmt: skip
                found[family, one.index] = (family, at)
        return found

    @cached_property
    def closed_keys(self) -> Mapping[Key, Key]:
        """Decision of the open phase -> the same decision of the adjudicated phase."""
        return {one: other for other, one in self.open_keys.items()}

    def _value(self, key: Key, known: Bounds) -> int | None:
        """The value of a decision or a guard, if it was known before the cycle was settled."""
        if key[0] == ORDER:
            return self.chosen[key]
        closed = self.closed_keys.get(key)
        if closed is None:
            return None
        low, high = known.interval(closed)
        return int(low) if low == high else None

    # --- lemmas -----------------------------------------------------------------------------------

    def _wherever_it_fits(self, settled: _SettledCycle) -> bool:
        """Settle the cycle with these values wherever they satisfy its equations and nothing that
        they depend on is open.

        This is sound if the applied rule would also apply to every smaller cycle that other values
        could leave, and if the values that it sets decide the rest.
        """
        applied = settled.applied
        if applied is None:
            return False
        rule = next(r for r in self.rules.profile.cycles if r.name == applied.rules[0])
        if rule.choose is not None or self._asked_by_rules(settled) != set():
            return False
        if rule.together and sum(other.together for other in self.rules.profile.cycles) > 1:
            return False  # fewer of them might apply to a smaller cycle
        values = self._with_all_open(settled)
        if values is None or not self._fulfilled(values, settled.known):
            return False
        if not self._is_one_cycle(values, applied, rule):
            return False
        gates, rails = self.rules.gates, self.rules.rails
        conditions, inputs = list[int](), set[Key]()
        for key in values:
            left, _ = residual(self.equations[key][0], values.get)
            conditions.append(rails.surely(_equal(left, values[key])))
            inputs |= {other for other in unknowns(self.equations[key][0]) if other[0] != ORDER}
        inputs -= values.keys()
        conditions += [-self.rules.is_open(key) for key in sorted(inputs)]
        when = gates.all_of([*conditions, *self._elsewhere(values)])
        for key, value in values.items():
            gates.require(-when, rails.equals(key, value))
        return True

    def _with_all_open(self, settled: _SettledCycle) -> Values | None:
        """The values of the cycle and of all open decisions that its equations depend on."""
        values, bounds = dict(settled.values), self.outcome.solution.bounds
        waiting = list(values)
        while waiting:
            for key in sorted(unknowns(self.equations[waiting.pop()][0])):
                closed = self.closed_keys.get(key)
                if key[0] == ORDER or key in values or closed is None:
                    continue
                if self._value(key, settled.known) is None:
                    values[key] = bounds.interval(closed)[0]
                    waiting.append(key)
        return values

    def _fulfilled(self, values: Values, known: Bounds) -> bool:
        """Whether these values are a resolution of their equations."""

        def value(key: Key) -> int | None:
            return values[key] if key in values else self._value(key, known)

        return all(
            residual(self.equations[key][0], value)[0] == expected
            for key, expected in values.items()
        )

    def _is_one_cycle(self, values: Values, applied: CycleResolution, rule: CycleRule) -> bool:
        """Whether every cycle within these decisions has everything that the rules' conditions ask
        for, and no cycle is left after the rule has set its decisions."""
        before = self.rules.profile.cycles[: self.rules.profile.cycles.index(rule) + 1]
        asked = [one.when for one in before]
        asked += [condition for one in before for _, condition in one.where.values()]
        families = {name for condition in asked for name in _families(condition)}
        if not families <= set(self.rules.profile.decisions):
            return False
        graph = {key: unknowns(self.equations[key][0]) & values.keys() for key in values}
        pinned = {self.open_keys[key] for key in applied.pins}
        if has_cycle(graph, pinned):
            return False
        return not any(has_cycle(graph, {key}) for key in values if key[0] in families)

    def _wherever_it_is_the_same(self, settled: _SettledCycle) -> None:
        """Settle the cycle with these values wherever its simplified equations are the same."""
        asked = self._asked_by_rules(settled)
        if asked is None:
            return
        conditions = {key: self.chosen[key] for key in asked}
        graph: dict[Key, set[Key]] = {}

        def before(key: Key) -> int | None:
            return None if key in settled.values else self._value(key, settled.known)

        for key in settled.values:
            left, used = residual(self.equations[key][0], before)
            graph[key] = unknowns(left)
            if graph[key] - settled.values.keys():
                return
            for other in used:
                value = self._value(other, settled.known)
                assert value is not None
                conditions[other] = value
        pinned = {self.open_keys[key] for key in settled.applied.pins} if settled.applied else set()
        if settled.applied is not None and has_cycle(graph, pinned):
            return  # another rule settled the rest of it
        rails = self.rules.rails
        same = [rails.equals(key, value) for key, value in sorted(conditions.items())]
        when = self.rules.gates.all_of([*same, *self._elsewhere(settled.values)])
        rails.settle(when, settled.values)

    def _elsewhere(self, values: Values) -> Iterator[int]:
        """Literals that say that nothing else is open: a second cycle that depends on this one
        could have a resolution with only one of its values. Empty if that is proven impossible.
        """
        if not self.is_single:
            for key in self.equations:
                if key not in values:
                    yield -self.rules.is_open(key)

    def _asked_by_rules(self, settled: _SettledCycle) -> set[Key] | None:
        """The guards that determine that these rules apply to the cycle and what they set. None if
        that depends on decisions outside the cycle.

        Most rules only ask which decisions are in the cycle; then the set is empty.
        """
        applied, profile = settled.applied, self.rules.profile
        if applied is None:
            return set()
        grounder, found = self.rules.system.grounder, set[Key]()
        scope = cycle_scope(grounder, sorted(settled.values), applied.resolutions)
        is_applied = False
        for rule in profile.cycles:
            if is_applied and not rule.together:
                continue
            terms = [grounder.term(rule.when, scope)]
            if terms[0] is not False:  # including rules that set nothing
                terms += _conditions_of(rule, grounder, settled.values, scope)
            for term in terms:
                left, used = residual(term, self.chosen.get)
                if unknowns(left) - settled.values.keys():
                    return None
                found |= used
            is_applied = is_applied or rule.name in applied.rules
            if is_applied and not rule.together:
                break
        return found


def _conditions_of(
    rule: CycleRule, grounder: Grounder, cycle: Iterable[Key], scope: Scope
) -> Iterator[Term]:
    """The terms that determine which decisions of a cycle a rule sets, or its chosen resolution."""
    for key in cycle:
        if key[0] in rule.where:
            yield where_of(rule, grounder, key, scope)
    if rule.choose is not None:
        yield grounder.term(rule.choose, scope)


def _equal(term: Term, value: int) -> Term:
    return all_of([negation(greater(term, value)), negation(greater(value, term))])


def _families(node: Expression) -> set[str]:
    """The words that follow `cycle.` in a condition."""
    found = {node.name} if isinstance(node, Fact) and node.of.type == CYCLE else set[str]()
    for part in children(node):
        found |= _families(part)
    return found
