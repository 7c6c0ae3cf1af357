"""The common part of the algorithms that resolve orders by the equations of a profile.

It decides phases, provides the stack space for that, records what the algorithms do, and applies
the backup rule: the values that the profile sets for a decision cycle (DATC 3.0 5.B.9; Kruijswijk,
The Math of Adjudication).
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from types import SimpleNamespace
from typing import ClassVar, TypeVar

from dipsat.base import grouped, reached
from dipsat.equations import (
    Grounder,
    Key,
    Phase,
    Ranges,
    interval,
    objects_of_cycle,
    pins_set,
    rules_that_apply,
    unknowns,
)
from dipsat.errors import EngineError, EngineOptionError, UnresolvedError
from dipsat.outcomes import (
    RESOLVED,
    UNRESOLVED,
    BackupRule,
    Call,
    EquationVerdicts,
    Function,
    Note,
    Return,
    Row,
    Rule,
    Step,
    Table,
    Trace,
    written,
)
from dipsat.rules import CycleRule, Expression, Profile, Scope
from dipsat.studies.order_equations import OrderEquations, Scenario

Values = Mapping[Key, int]
_ONE_RESOLUTION = "it would settle a cycle by a rule, though its orders have one resolution"
_SCENARIOS = {True: "optimistic", False: "pessimistic", None: ""}
_MOST = 64  # the most resolutions of a cycle that are counted (docs/limits.md)


def backup_rule(equations: OrderEquations, known: Values, orders: Collection[Key]) -> BackupRule:
    """Apply the first rule of the profile that fits a cycle.

    `orders` are the orders that an algorithm found to depend on each other, `known` the values that
    it has resolved or that other rules have set. Decisions between two orders of the cycle (paths,
    strengths, dislodgements) belong to the cycle. Raises `UnresolvedError` if no rule applies.
    Raises `EngineError` if a rule also sets decisions outside the cycle, or if the cycle has one
    resolution and needs no rule (DATC 3.0 5.B.9: the backup rule is for situations with none or
    several).
    """
    cycle = _Cycle(equations, known, orders)
    if cycle.is_decided:
        about = ", ".join(equations.order_name(key) for key in cycle.orders)
        raise EngineError(equations.engine, f"{_ONE_RESOLUTION}: {about}; {EngineError.instead}")
    grounder = Grounder(equations.profile, equations.phase)
    scope = {"cycle": cycle}

    def pins_of(rule: CycleRule) -> Values:
        if rule.choose is None:
            return pins_set(rule, grounder, cycle.decisions, scope)
        return _chosen(rule.choose, cycle, scope)

    applied, pins, idle = rules_that_apply(equations.profile.cycles, grounder, scope, pins_of)
    for rule in applied:
        if rule.along:
            problem = f"what it has resolved is final, but the cycle rule {rule.name!r} sets"
            raise EngineError(equations.engine, f"{problem} decisions outside its cycle (`along`)")
    if applied:
        name = ", ".join(rule.name for rule in applied)
        return BackupRule(name, cycle.decisions, pins, applied[0].choose is not None)
    names = map(equations.name, cycle.decisions)
    raise UnresolvedError(equations.profile.name, names, cycle.resolutions, idle)


def refuse_one_of_several(equations: OrderEquations, found: EquationVerdicts) -> None:
    """Raise `EngineError` if the orders have another resolution besides the one found, given what
    backup rules have set. A misled algorithm mistakes one of several for the only one."""
    pins = {key: value for rule in found.backup for key, value in rule.pins.items()}
    free = [order for order in equations.orders if order not in pins]
    for other in resolutions(equations, pins, free, free):
        if differing := [key for key in free if other[key] != found.decisions[key]]:
            about = ", ".join(map(equations.order_name, differing))
            problem = f"it took one resolution for the only one, but {about} have another"
            raise EngineError(equations.engine, f"{problem}; {EngineError.instead}")


class _Cycle(SimpleNamespace):
    """The value of `cycle` in the expressions of a rule: for each family the objects whose
    decisions are on the cycle. `decisions` are all these, sorted: the orders of the cycle, and
    every undecided decision through which one depends on another."""

    def __init__(self, equations: OrderEquations, known: Values, orders: Collection[Key]) -> None:
        grounder = Grounder(equations.profile, equations.phase, _ranges(equations, known))
        graph: dict[Key, list[Key]] = {}  # all undecided decisions that the orders depend on

        def mentioned(key: Key) -> list[Key]:
            graph[key] = sorted(unknowns(grounder.equation(key)))
            return graph[key]

        reached(orders, mentioned)
        users = grouped((other, key) for key, others in graph.items() for other in others)
        self.decisions = tuple(sorted(reached(orders, lambda key: users.get(key, ()))))
        about = objects_of_cycle(Grounder(equations.profile, equations.phase), self.decisions)
        super().__init__(**about)
        self._equations = equations
        self._known = known
        self.orders = [key for key in self.decisions if equations.is_order(key)]
        needed = [key for key in sorted(graph) if equations.is_order(key)]
        self._found = partial(resolutions, equations, known, self.orders, needed)

    @cached_property
    def listed(self) -> list[Values]:
        """The resolutions of the cycle, up to one more than are counted. Few rules need them."""
        found: list[Values] = []
        for resolution in self._found():
            if resolution not in found:
                found.append(resolution)
            if len(found) > _MOST:
                break
        return found

    @property
    def is_decided(self) -> bool:
        """Whether the first `_MOST` resolutions found for the cycle are all the same."""
        found = islice(self._found(), _MOST)
        first = next(found, None)
        return first is not None and all(other == first for other in found)

    @property
    def resolutions(self) -> int:
        """How many resolutions the cycle has, `_MOST` at most."""
        return min(len(self.listed), _MOST)


def _chosen(condition: Expression, cycle: _Cycle, scope: Scope) -> Values:
    """The only resolution of the cycle for which the condition holds; empty if there is none,
    several, or too many to count. A decision that also depends on open orders is not set: it is
    computed once they are known."""
    equations = cycle._equations
    fitting = []
    for resolution in cycle.listed:
        within = _ranges(equations, {**cycle._known, **resolution})
        grounder = Grounder(equations.profile, equations.phase, within)
        if grounder.term(condition, scope) is True:
            ranges = {key: within(key) for key in cycle.decisions}
            fitting.append({key: low for key, (low, high) in ranges.items() if low == high})
    return fitting[0] if len(fitting) == 1 and len(cycle.listed) <= _MOST else {}


def _ranges(equations: OrderEquations, known: Values) -> Ranges:
    """The least and the greatest value that a decision can have while orders are open."""
    found: dict[Key, tuple[int, int]] = {}

    def range_of(key: Key) -> tuple[int, int]:
        if key in known:
            return known[key], known[key]
        if equations.is_order(key):
            return 0, 1
        if key not in found:
            found[key] = interval(equations.evaluated(key), range_of)
        return found[key]

    return range_of


def resolutions(
    equations: OrderEquations,
    known: Values,
    orders: Collection[Key],
    needed: Collection[Key],
) -> Iterator[Values]:
    """The consistent resolutions of orders that depend on each other. Each has a value for every
    order, and the same one may come several times. `needed` are these orders and all undecided ones
    that they depend on. Guesses are made one at a time, and what follows from a guess is set before
    the next one."""

    def search(values: dict[Key, int]) -> Iterator[Values]:
        if not _settle(equations, values, needed):
            return
        left = [key for key in needed if key not in values]
        if not left:
            yield {key: values[key] for key in orders}
            return
        for guess in (0, 1):
            yield from search({**values, left[0]: guess})

    yield from search(dict(known))


def _settle(equations: OrderEquations, values: dict[Key, int], orders: Collection[Key]) -> bool:
    """Add the orders whose values follow from `values`; return whether none contradicts another."""
    changed = True
    while changed:
        changed = False
        for key in orders:
            least, most = interval(equations.evaluated(key), _ranges(equations, values))
            if key in values and not least <= values[key] <= most:
                return False
            if key not in values and least == most:
                values[key] = least
                changed = True
    return True


_T = TypeVar("_T")

_FRAMES = 35  # Python frames that one order can take: resolve, adjudicate, and the nested terms


def in_one_piece(engine: str, orders: int, action: Callable[[], _T]) -> _T:
    """Run the action of an engine so that a recursion can visit this many orders, with enough stack
    space that its frames lie in one chunk. Return its result. Raises `EngineError` for a recursion
    that is too deep.

    Python stops at 1,000 nested calls, and a chain of seventy units that follow each other takes
    about as many. CPython (3.11 and later) keeps the frames of Python functions in chunks of 16 kB.
    A recursion that keeps crossing the end of a chunk has the next one allocated and freed each
    time: that made the engines which read equations three to seven times slower, depending on how
    deep their caller was. This function's own frame is so large that it gets a large chunk, and
    leaves half of it to the functions that it calls.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + orders * _FRAMES)
    try:
        return action()
    except RecursionError:
        problem = "too many decisions depend on each other in a row, with no order in between"
        raise EngineError(engine, f"{problem}; {EngineError.instead}") from None
    finally:
        sys.setrecursionlimit(before)


_SLOTS = 2**15 + 1  # of 8 bytes: just over 256 kB, so that the chunk has 512 kB
in_one_piece.__code__ = in_one_piece.__code__.replace(co_stacksize=_SLOTS)


class Resolver:
    """The bookkeeping of an algorithm in one phase. `resolution` has the resolved orders, and
    decisions other than orders that backup rules have set; `backup` has these rules. What happens
    is appended to `steps`, unless that is None."""

    def __init__(self, equations: OrderEquations, steps: list[Step] | None = None) -> None:
        self.equations = equations
        self.steps = steps
        self.resolution: dict[Key, int] = {}
        self.backup: list[BackupRule] = []

    @abstractmethod
    def resolve_all(self) -> None:
        """Resolve every order."""

    def verdicts(self) -> EquationVerdicts:
        """The verdicts when every order is resolved."""
        return self.equations.verdicts(self.resolution, tuple(self.backup))

    def _apply_backup_rule(self, cycle: Collection[Key]) -> None:
        equations, applied = self.equations, backup_rule(self.equations, self.resolution, cycle)
        self.resolution.update(applied.pins)
        self.backup.append(applied)
        if self.steps is not None:
            decisions = equations.profile.decisions
            sets = {
                equations.name(key): bool(value) if decisions[key[0]].type.is_truth else value
                for key, value in sorted(applied.pins.items())
            }
            named = self._named(filter(equations.is_order, applied.cycle))
            self.steps.append(Rule(applied.name, named, sets))

    def _named(self, orders: Iterable[Key]) -> tuple[str, ...]:
        """The names of orders in traces: the provinces of their units, as in the article."""
        return tuple(map(self.equations.short_name, orders))


class RecursiveResolver(Resolver):
    """A resolver that, while it resolves an order, asks for the orders on which it depends."""

    columns: ClassVar[Row] = ()
    """The headings of the tables in traces."""
    _depth = 0

    def resolve(self, order: Key, scenario: Scenario = None) -> int:
        """The resolution of an order, or its value so far."""
        if self.steps is None:
            return self._resolve(order, scenario)
        return self._recorded("resolve", self._state(order), order, scenario)

    def resolve_all(self) -> None:
        """Resolve every order, one after the other."""
        for order in self.equations.orders:
            self.resolve(order)

    @abstractmethod
    def _resolve(self, order: Key, scenario: Scenario) -> int:
        """Like `resolve`, but not recorded."""

    def _adjudicated(self, order: Key, scenario: Scenario = None) -> int:
        """The result of adjudicating an order."""
        if self.steps is None:
            return self._adjudicate(order, scenario)
        return self._recorded("adjudicate", "", order, scenario)

    def _adjudicate(self, order: Key, scenario: Scenario) -> int:
        return self.equations.adjudicate(order, self.resolve, self.resolution, scenario)

    def _recorded(self, function: Function, state: str, order: Key, scenario: Scenario) -> int:
        assert self.steps is not None
        (name,), depth = self._named([order]), self._depth
        self.steps.append(Call(function, name, depth, state, _SCENARIOS[scenario]))
        self._depth += 1
        find = self._resolve if function == "resolve" else self._adjudicate
        found = find(order, scenario)
        self._depth = depth
        self.steps.append(Return(function, name, depth, bool(found)))
        return found

    def _show(self, moment: str, order: Key) -> None:
        """Record the bookkeeping table at a moment, whose text names an order at `{}`."""
        if self.steps is not None:
            orders = self.equations.orders
            rows = tuple((self.equations.order_name(key), *self._row(key)) for key in orders)
            text = moment.format(*self._named([order]))
            self.steps.append(Table(text, ("order", *self.columns), rows, self._notes()))

    def _state(self, order: Key) -> str:
        """The state of an order in traces."""
        return RESOLVED if order in self.resolution else UNRESOLVED

    def _row(self, order: Key) -> Row:
        """The row of an order in the tables of traces."""
        return ()

    def _notes(self) -> Mapping[str, Note]:
        """The notes below these tables."""
        return {}


@dataclass(frozen=True, slots=True)
class Runner:
    """An engine that decides phases by the equations of their profile. Its options are its
    fields."""

    title: ClassVar[str]
    """The name without options."""

    @property
    def name(self) -> str:
        """The name, with the options that differ from the default."""
        return written(self.title, self)

    def decide(self, phase: Phase, profile: Profile) -> EquationVerdicts:
        """Decide a phase; see `dipsat.outcomes.engine.Engine`."""
        return self._decided(self._equations(phase, profile))

    def _equations(self, phase: Phase, profile: Profile) -> OrderEquations:
        return OrderEquations(profile, phase, self.name)

    def _decided(
        self, equations: OrderEquations, steps: list[Step] | None = None
    ) -> EquationVerdicts:
        """The verdicts; what the algorithm does is appended to the steps."""

        def found() -> EquationVerdicts:
            resolver = self._resolver(equations, steps)
            resolver.resolve_all()
            return resolver.verdicts()

        return in_one_piece(self.name, len(equations.orders), found)

    @abstractmethod
    def _resolver(self, equations: OrderEquations, steps: list[Step] | None) -> Resolver:
        """The bookkeeping that the algorithm begins with."""


@dataclass(frozen=True, slots=True)
class TracedRunner(Runner):
    """A runner that can record its steps, unless it is `untraced` for a reason."""

    @property
    @abstractmethod
    def untraced(self) -> str:
        """Why there is no trace with these options, "" if there is one."""

    def traced(self, phase: Phase, profile: Profile) -> tuple[EquationVerdicts, Trace]:
        """Decide a phase with a trace; see `dipsat.outcomes.engine.TracedEngine`."""
        if self.untraced:
            raise EngineOptionError(self.name, self.untraced, "trace")
        equations = self._equations(phase, profile)
        steps: list[Step] = []
        try:
            return self._decided(equations, steps), _trace(equations, steps)
        except EngineError as error:
            error.trace = _trace(equations, steps)
            raise


def _trace(equations: OrderEquations, steps: Iterable[Step]) -> Trace:
    orders = {equations.short_name(key): equations.order_name(key) for key in equations.orders}
    return Trace(equations.engine, orders, tuple(steps))
