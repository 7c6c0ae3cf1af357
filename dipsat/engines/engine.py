"""The interface of every algorithm: facts of a movement phase in, verdicts out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from dipsat.brief import brief
from dipsat.engines.names import ENGINES, MODULES, TRACED
from dipsat.engines.options import read_name, with_options
from dipsat.engines.trace import Trace
from dipsat.equations.phase import Phase
from dipsat.errors import EngineOptionError, UnknownNameError
from dipsat.game.position import Position
from dipsat.game.ruling import Ruling
from dipsat.game.settings import Settings
from dipsat.profiles.profile import Profile
from dipsat.terms.term import Key


@brief()
@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts of an algorithm. Indices are those of the tuples of the phase."""

    moves: tuple[bool, ...]
    """Move -> whether it succeeds."""
    supports: tuple[bool, ...]
    """Support -> whether it is given."""
    convoys: tuple[bool, ...]
    """Convoy -> whether the fleet is available."""
    dislodged: tuple[bool, ...]
    """Unit -> whether it is dislodged."""
    contested: frozenset[str]
    """The provinces left vacant by a standoff."""


@brief()
@dataclass(frozen=True, slots=True)
class EngineReason:
    """Why an order had its result, in the words of the algorithm."""

    text: str
    """A sentence."""
    because: tuple[int, ...] = ()
    """The indices of the units whose orders caused it."""


@brief()
@dataclass(frozen=True, slots=True)
class ReasonedVerdicts(Verdicts):
    """The verdicts of an algorithm that reads no equations, with its own reasons."""

    reasons: tuple[EngineReason, ...]
    """Unit -> why its order had its result."""
    marks: tuple[str, ...] | None = None
    """Unit -> the word that marks its order, "" without one; None if the algorithm has no marks."""
    retreats: tuple[tuple[str, ...], ...] | None = None
    """Unit -> the provinces that the algorithm lists as its retreats, if it is dislodged; None if
    the algorithm lists none."""


@brief()
@dataclass(frozen=True, slots=True)
class BackupRule:
    """An application of a rule for decision cycles (DATC 3.0 5.B.9)."""

    name: str
    """The name of the rule in the profile."""
    cycle: tuple[Key, ...]
    """The decisions of the cycle, as (family, index)."""
    pins: Mapping[Key, int]
    """Decision -> the value that the rule set: a strength in units, or a truth value as 0 or 1."""
    chosen: bool = False
    """Whether these values are one of the resolutions of the cycle."""


@brief()
@dataclass(frozen=True, slots=True)
class EquationVerdicts(Verdicts):
    """The verdicts of an algorithm that reads the equations of the profile."""

    decisions: Mapping[Key, int]
    """Decision, as (family, index) -> its value: a strength in units, or a truth value as 0 or
    1."""
    backup: tuple[BackupRule, ...]
    """The cycle rules that it applied."""
    several_cycles: tuple[str, ...] | None = None
    """The orders on several cycles, if the algorithm is not made for such orders (Kruijswijk, The
    Math of Adjudication); None if it is."""


class Engine(Protocol):
    """A published algorithm as a judge of movement phases."""

    @property
    def name(self) -> str:
        """The name of the algorithm, as in `ENGINES`, with the options that differ from their
        defaults."""

    def decide(self, phase: Phase, profile: Profile) -> Verdicts:
        """Decide a phase whose orders have been judged for legality and matched.

        Raises `UnresolvedError` if the profile has no rule for a decision cycle, `NotMadeForError`
        for a phase or a profile that the algorithm is not made for, and `EngineError` if the
        algorithm gives no answer.
        """


class TracedEngine(Engine, Protocol):
    """An engine that can also give a trace of how it decided."""

    def traced(self, phase: Phase, profile: Profile) -> tuple[Verdicts, Trace]:
        """Decide as `decide` does, and return the trace too. An `EngineError` has the trace up to
        it."""


def traceable(judge: Engine) -> TracedEngine:
    """Return the engine as one with a trace. Raises `EngineOptionError` if it has none."""
    if not hasattr(judge, "traced"):
        raise EngineOptionError(
            judge.name, f"it has no trace; {' and '.join(TRACED)} have one", "trace"
        )
    return cast("TracedEngine", judge)


def order_settings(judge: Engine, settings: Settings) -> Settings:
    """The settings that orders are judged by for an engine: those of the profile, except what the
    engine changes by a method `order_settings(settings)`, which few have."""
    # An isinstance check of the protocol would take a tenth of the time of a whole phase.
    own: Callable[[Settings], Settings] | None = getattr(judge, "order_settings", None)
    return settings if own is None else own(settings)


def own_rulings(
    judge: Engine, position: Position, rulings: tuple[Ruling, ...], settings: Settings
) -> tuple[Ruling, ...]:
    """The rulings on orders as an engine takes them: unchanged, unless it has a method
    `own_rulings(position, rulings, settings)`, because its text says how to treat impossible
    orders."""
    own: Callable[[Position, tuple[Ruling, ...], Settings], tuple[Ruling, ...]] | None
    own = getattr(judge, "own_rulings", None)
    return rulings if own is None else own(position, rulings, settings)


def find_engine(name: str) -> Engine:
    """Return the engine with this name, perhaps with options: `dpjudge(safe_convoys,
    missing_fleet=mark)`.

    An option that is not given has its default; one without a value means `yes`. Raises
    `UnknownNameError` for the name and `EngineOptionError` for the options.
    """
    title, typed = read_name(name)
    if title not in MODULES:
        raise UnknownNameError("engine", title, ENGINES)
    module = import_module(f"dipsat.engines.{MODULES[title]}")
    found: Engine = module.ENGINE
    return with_options(title, found, typed) if typed else found
