"""What the algorithms that resolve orders by the equations of a profile have in common: how a
phase is decided, the stack space that this takes, and the recording of what they do."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar, TypeVar

from dipsat.engines.backup import backup_rule
from dipsat.engines.order_equations import OrderEquations, Scenario
from dipsat.equations.phase import Phase
from dipsat.errors import EngineError, EngineOptionError
from dipsat.profiles.profile import Profile
from dipsat.proof.engine import BackupRule, EquationVerdicts, written
from dipsat.proof.trace import Call, Function, Note, Return, Row, Rule, Step, Table, Trace
from dipsat.terms.term import Key

_T = TypeVar("_T")

_FRAMES = 30  # Python frames that one order can take: resolve, adjudicate, and the nested terms
_SHALLOW = 10  # orders that fit without a higher limit


@contextmanager
def deep_recursion(orders: int) -> Iterator[None]:
    """Raise the recursion limit so that a recursion can visit this many orders.

    Python stops at 1,000 nested calls, and a chain of seventy units that follow each other takes
    about as many.
    """
    before = sys.getrecursionlimit()
    if orders <= _SHALLOW:
        yield
        return
    sys.setrecursionlimit(before + orders * _FRAMES)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def in_one_piece(engine: str, action: Callable[[], _T]) -> _T:
    """Run the action of an engine with enough stack space that its frames lie in one chunk; return
    its result. Raises `EngineError` for a recursion that is too deep.

    CPython (3.11 and later) keeps the frames of Python functions in chunks of 16 kB. A recursion
    that keeps crossing the end of a chunk has the next one allocated and freed each time: that made
    the engines which read equations three to seven times slower, depending on how deep their caller
    was. This function's own frame is so large that it gets a large chunk, and leaves half of it to
    what it calls.
    """
    try:
        return action()
    except RecursionError:
        problem = "too many decisions depend on each other in a row, with no order in between"
        raise EngineError(engine, f"{problem}; {EngineError.instead}") from None


_SLOTS = 2**15 + 1  # of 8 bytes: just over 256 kB, so that the chunk has 512 kB
in_one_piece.__code__ = in_one_piece.__code__.replace(co_stacksize=_SLOTS)


class Recorder:
    """Records the steps of a resolver while an engine decides a phase."""

    def __init__(self, equations: OrderEquations) -> None:
        self._equations = equations
        self._steps: list[Step] = []
        self._depth = 0

    def name(self, order: Key) -> str:
        """The name of an order in the steps: the province of its unit, as in the article."""
        return self._equations.short_name(order)

    def calls(self, function: Function, order: Key, state: str = "", scenario: str = "") -> None:
        """Record the call of a function."""
        self._steps.append(Call(function, self.name(order), self._depth, state, scenario))
        self._depth += 1

    def returns(self, function: Function, order: Key, value: int) -> None:
        """Record its return."""
        self._depth -= 1
        self._steps.append(Return(function, self.name(order), self._depth, bool(value)))

    def shows(
        self, moment: str, columns: Row, rows: Mapping[Key, Row], notes: Mapping[str, Note]
    ) -> None:
        """Record the table at a moment, with the orders in `rows`."""
        named = tuple((self._equations.order_name(key), *row) for key, row in rows.items())
        self._steps.append(Table(moment, ("order", *columns), named, notes))

    def applies(self, rule: BackupRule) -> None:
        """Record the application of a backup rule."""
        equations = self._equations
        cycle = tuple(self.name(key) for key in rule.cycle if equations.is_order(key))
        decisions = equations.profile.decisions
        sets = {
            equations.name(key): bool(value) if decisions[key[0]].type.is_truth else value
            for key, value in sorted(rule.pins.items())
        }
        self._steps.append(Rule(rule.name, cycle, sets))

    def listed(self, orders: list[Key]) -> tuple[str, ...]:
        """A list of orders as a note."""
        return tuple(map(self.name, orders))

    def trace(self) -> Trace:
        """All that was recorded."""
        equations = self._equations
        orders = {self.name(key): equations.order_name(key) for key in equations.orders}
        return Trace(equations.engine, orders, tuple(self._steps))


class Runner:
    """An engine that decides phases by the equations of their profile. Its options are the fields
    of the dataclass that it is."""

    __slots__ = ()
    title: ClassVar[str]
    """The name without options."""

    @property
    def name(self) -> str:
        """The name, with the options that differ from the default."""
        return written(self.title, self)

    def decide(self, phase: Phase, profile: Profile) -> EquationVerdicts:
        """Decide a phase; see `dipsat.proof.engine.Engine`."""
        return in_one_piece(self.name, lambda: self._decided(self._equations(phase, profile), None))

    def _equations(self, phase: Phase, profile: Profile) -> OrderEquations:
        return OrderEquations(profile, phase, self.name)

    @abstractmethod
    def _decided(self, equations: OrderEquations, recorder: Recorder | None) -> EquationVerdicts:
        """The verdicts; steps are recorded if there is a recorder."""


class TracedRunner(Runner):
    """A runner that can record its steps, unless it is `untraced` for a reason."""

    __slots__ = ()

    @property
    @abstractmethod
    def untraced(self) -> str:
        """Why there is no trace with these options, "" if there is one."""

    def traced(self, phase: Phase, profile: Profile) -> tuple[EquationVerdicts, Trace]:
        """Decide a phase with a trace; see `dipsat.proof.engine.TracedEngine`."""
        if self.untraced:
            raise EngineOptionError(self.name, self.untraced, "trace")
        equations = self._equations(phase, profile)
        recorder = Recorder(equations)
        try:
            found = in_one_piece(self.name, lambda: self._decided(equations, recorder))
        except EngineError as error:
            error.trace = recorder.trace()
            raise
        return found, recorder.trace()


class Resolver:
    """What the resolvers of several algorithms share: `resolution` has what is resolved, and what
    backup rules have set for decisions other than orders; `backup` has these rules."""

    def __init__(self, equations: OrderEquations) -> None:
        self.equations = equations
        self.resolution: dict[Key, int] = {}
        self.backup: list[BackupRule] = []

    def resolve(self, order: Key, scenario: Scenario = None) -> int:
        """The resolution of an order, or what stands for it so far."""
        raise NotImplementedError

    def resolve_all(self) -> None:
        """Resolve every order, one after the other."""
        with deep_recursion(len(self.equations.orders)):
            for order in self.equations.orders:
                self.resolve(order)

    def _apply_backup_rule(self, cycle: Collection[Key]) -> None:
        applied = backup_rule(self.equations, self.resolution, cycle)
        self.resolution.update(applied.pins)
        self.backup.append(applied)
