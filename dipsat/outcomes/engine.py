"""The interface of every algorithm: facts of a movement phase in, verdicts out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast, get_args, get_type_hints

from dipsat.base import ENGINES, brief, checked, extension, grouped
from dipsat.board import province_of
from dipsat.equations import Key, Phase, reach
from dipsat.errors import EngineOptionError, UnknownNameError
from dipsat.game import Position, Ruling
from dipsat.outcomes.trace import Trace
from dipsat.rules import Profile, Settings

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


# --- options --------------------------------------------------------------------------------------

# The options of an algorithm, as written after its name: `dpjudge(safe_convoys)`. They are the
# fields of its dataclass except `name`. Each is a truth value or one of several words.


_YES, _NO = "yes", "no"
_TRUTHS = {_YES: True, "true": True, _NO: False, "false": False}


def read_name(text: str) -> tuple[str, dict[str, str]]:
    """Split the name of an engine from its options as typed: `name(option=value, option)`.

    An option without a value is `yes`. Raises `EngineOptionError` for any other form, and for an
    option that is given twice.
    """
    name, opening, rest = text.strip().partition("(")
    name = name.strip()
    if not opening:
        return name, {}
    if not rest.endswith(")"):
        problem = f"write options as in {name}(option=value, option); {text!r} does not end in ')'"
        raise EngineOptionError(name, problem)
    found: dict[str, str] = {}
    for part in filter(None, map(str.strip, rest[:-1].split(","))):
        option, equals, value = (piece.strip() for piece in part.partition("="))
        if option in found:
            raise EngineOptionError(name, f"the option {option!r} is given twice", option)
        found[option] = value if equals else _YES
    return name, found


def with_options(name: str, engine: DataclassInstance, typed: Mapping[str, str]) -> Any:
    """Return an engine with some of its options set. Raises `EngineOptionError` for an option that
    it does not have, and for a value that the option cannot take."""
    known = [option for option, _, _ in _options(engine)]
    for option in typed:
        if option not in known:
            raise EngineOptionError.unknown(name, option, known)
    kinds = get_type_hints(type(engine))
    read = {one: _read(name, one, kinds[one], typed[one]) for one in known if one in typed}
    return replace(engine, **read)


def written(name: str, engine: DataclassInstance) -> str:
    """The name of an engine with those of its options that differ from the default."""
    unusual = [
        f"{option}={value if isinstance(value, str) else _YES if value else _NO}"
        for option, value, usual in _options(engine)
        if value != usual
    ]
    return f"{name}({','.join(unusual)})" if unusual else name


def _options(engine: DataclassInstance) -> Iterator[tuple[str, Any, Any]]:
    """Each option with its value and its default."""
    for one in fields(engine):
        if one.name != "name":
            yield one.name, getattr(engine, one.name), one.default


def _read(name: str, option: str, kind: Any, value: str) -> Any:
    values: dict[str, Any] = _TRUTHS if kind is bool else {word: word for word in get_args(kind)}
    if value.casefold() not in values:
        allowed = " or ".join((_YES, _NO) if kind is bool else values)
        raise EngineOptionError(name, f"{option!r} is {allowed}, not {value!r}", option)
    return values[value.casefold()]


@brief()
@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts of an algorithm. Indices are those of the phase's tuples."""

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
    the algorithm does not list retreats."""


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
        """Decide as `decide` does, and return the trace too. An `EngineError` carries the trace up
        to that point."""


def traceable(judge: Engine) -> TracedEngine:
    """Return the engine as a `TracedEngine`. Raises `EngineOptionError` if it has no trace."""
    if not hasattr(judge, "traced"):
        raise EngineOptionError(
            judge.name,
            f"only {' and '.join(extension(ENGINES).TRACED)} have a trace",
            "trace",
        )
    return cast("TracedEngine", judge)


def order_settings(judge: Engine, settings: Settings) -> Settings:
    """The settings by which orders are judged for an engine. They are the profile's, unless the
    engine changes them by a method `order_settings(settings)`, which few engines have."""
    # An isinstance check of the protocol would take a tenth of the time of a whole phase.
    own: Callable[[Settings], Settings] | None = getattr(judge, "order_settings", None)
    return settings if own is None else own(settings)


def own_rulings(
    judge: Engine, position: Position, rulings: tuple[Ruling, ...], settings: Settings
) -> tuple[Ruling, ...]:
    """The rulings on orders as an engine takes them. They are unchanged unless it has a method
    `own_rulings(position, rulings, settings)`, because its published text says how to treat
    impossible orders."""
    own: Callable[[Position, tuple[Ruling, ...], Settings], tuple[Ruling, ...]] | None
    own = getattr(judge, "own_rulings", None)
    return rulings if own is None else own(position, rulings, settings)


def find_engine(name: str) -> Engine:
    """Return the engine with this name, which may have options:
    `dpjudge(safe_convoys, missing_fleet=mark)`.

    An option that is not given has its default; one without a value means `yes`. Raises
    `UnknownNameError` for an unknown name and `EngineOptionError` for invalid options.
    """
    title, typed = read_name(name)
    engines = extension(ENGINES)
    if title not in engines.ENGINES:
        raise UnknownNameError("engine", title, engines.ENGINES, list_known=True)
    engine = engines.engine_named(title)
    found: Engine = with_options(title, engine, typed) if typed else engine
    return found


@brief()
@dataclass(frozen=True, slots=True)
class OrderedUnit:
    """A unit given by names. Its kind and coast have no effect.

    The terms are those of Jacobi, "Ein Algorithmus zur Auswertung von Diplomacy", I.
    """

    power: str
    """The power ("Nation")."""
    kind: str
    """The letter of its kind."""
    location: str
    """Its location; the part before a slash names the province."""
    province: str = field(init=False, repr=False, compare=False)
    """The province ("Feld")."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "province", province_of(self.location))

    def __str__(self) -> str:
        return f"{self.kind} {self.location}"


@brief()
@dataclass(frozen=True, slots=True)
class Hold:
    """An order to hold."""

    unit: OrderedUnit
    """The unit that holds."""


@brief()
@dataclass(frozen=True, slots=True)
class Move:
    """An order to move. Jacobi, "Ein Algorithmus zur Auswertung von Diplomacy", I, has three kinds
    of it."""

    unit: OrderedUnit
    """The unit that moves."""
    landing: str
    """The location to move to."""
    by_convoy: bool = False
    """Whether it goes by convoy; such an attack does not cut every support (Jacobi, III.1.a)."""
    fails: bool = False
    """Whether the unit stays where it is but still counts in the conflict over its target."""
    target: str = field(init=False, repr=False, compare=False)
    """The province to move to."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", province_of(self.landing))

    def __str__(self) -> str:
        return f"{self.unit} - {self.landing}"


@brief()
@dataclass(frozen=True, slots=True)
class Support:
    """An order to support a unit, either in its move or in staying where it is."""

    unit: OrderedUnit
    """The supporting unit."""
    origin: str
    """The province of the supported unit."""
    target: str
    """The province to which the supported unit moves; the same as `origin` if it stays."""


@brief()
@dataclass(frozen=True, slots=True)
class Convoy:
    """An order to convoy an army.

    Even if the army moves to its target by land, the fleet's province counts as a field with a
    convoying fleet in K1.
    """

    unit: OrderedUnit
    """The convoying fleet."""
    origin: str
    """The province of the army."""
    target: str
    """The province to which the army moves."""


Order: TypeAlias = Hold | Move | Support | Convoy
"""An order in an order set."""


@brief()
@dataclass(frozen=True, slots=True)
class OrderSet:
    """A set with one order for every unit. `OrderSet.of` makes one."""

    orders: tuple[Order, ...]
    """The orders, sorted by power and unit."""
    borders: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Province of a convoying fleet -> the provinces of its convoy that it borders: those of the
    army, the target and other fleets."""

    @staticmethod
    @checked
    def of(orders: Iterable[Order], borders: Mapping[str, Collection[str]]) -> OrderSet:
        """Return the set of these orders, with those entries of `borders` that its convoys need."""
        ordered = tuple(sorted(orders, key=_power_and_unit))
        convoys = (order for order in ordered if isinstance(order, Convoy))
        together = grouped(((one.origin, one.target), one.unit.province) for one in convoys)
        needed = {
            fleet: tuple(sorted({*ends, *fleets} & set(borders.get(fleet, ()))))
            for ends, fleets in together.items()
            for fleet in fleets
        }
        return OrderSet(ordered, tuple((one, needed[one]) for one in sorted(needed) if needed[one]))


def _power_and_unit(order: Order) -> tuple[str, str]:
    return order.unit.power, str(order.unit)


def has_route(move: Move, fleets: Collection[str], borders: Mapping[str, Collection[str]]) -> bool:
    """Whether fleets in these provinces make a convoy route for a move: the only question asked
    about the map."""
    near = [borders.get(fleet, ()) for fleet in fleets]
    starts = [at for at, around in enumerate(near) if move.unit.province in around]
    ends = [at for at, around in enumerate(near) if move.target in around]
    links = [[at for at, fleet in enumerate(fleets) if fleet in around] for around in near]
    return reach([True] * len(near), starts, ends, links) is True
