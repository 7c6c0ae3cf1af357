"""The errors that dipsat raises on purpose. They have one base class, and attributes with data.

A message says what is wrong, where, and what would be right. `str(error)` is for people, and you
can show it as it is. The attributes are for programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from dipsat.base.arguments import (
    ArgumentError as ArgumentError,
    DipsatError as DipsatError,
    escaped as escaped,
    readable as readable,
    shortened as shortened,
)
from dipsat.base.hints import (
    did_you_mean as did_you_mean,
    hint as hint,
    nearest_names as nearest_names,
)


class _ProblemError(Exception):
    """The base of errors whose only attribute is `problem`."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


# --- engines --------------------------------------------------------------------------------------


class EngineError(DipsatError):
    """A phase or a profile that an adjudication algorithm cannot decide.

    Attributes: `engine` (name), `problem` (text), and `trace` (the steps up to the error, a
    `dipsat.engines.Trace` if requested, else None).
    """

    instead = "use the engine 'solver' (docs/algorithms.md says when others go wrong)"
    """The advice if an algorithm fails."""

    def __init__(self, engine: str, problem: str) -> None:
        super().__init__(f"the engine {engine!r} cannot decide this: {problem}")
        self.engine = engine
        self.problem = problem
        self.trace: Any = None  # its class is in a room above this one


class ContradictionError(EngineError):
    """An answer of an adjudication algorithm that contradicts the equations from which it was
    derived.

    Attributes, besides those of `EngineError`: `decision` (its name, such as `move(A LON - BEL)`),
    `found` (its value in the answer), `expected` (its value by its equation, given the other values
    in the answer), both as a strength in units or a truth value 0 or 1, and `several_cycles` (the
    orders on several cycles, if the algorithm is not made for such orders).
    """

    def __init__(
        self,
        engine: str,
        rules: str,
        decision: str,
        values: tuple[int, int],
        words: Iterable[str],
        several_cycles: tuple[str, ...] = (),
    ) -> None:
        about, found, expected = words
        cause = f"; orders on several cycles: {', '.join(several_cycles)}" if several_cycles else ""
        problem = (
            f"it found that {about} {found}, but under the rules {rules!r} it {expected} if all "
            f"else is as found{cause}"
        )
        super().__init__(engine, f"{problem}; {EngineError.instead}")
        self.decision = decision
        self.found, self.expected = values
        self.several_cycles = several_cycles


class NotMadeForError(EngineError):
    """Orders or rules that an algorithm is not made for. This is not a failure of the algorithm.

    Attributes: those of `EngineError`.
    """


class EngineWorkError(EngineError):
    """Orders or rules for which an algorithm would take too many steps. The count is the same on
    every machine.

    Attributes, besides those of `EngineError`: `decision` (the name of the one at which it stopped,
    such as `move(A LON - BEL)`), `most` (the limit).
    """

    def __init__(self, engine: str, rules: str, decision: str, most: int) -> None:
        problem = (
            f"under the rules {rules!r} it takes more than {most:,} steps and was stopped at "
            f"{decision}"
        )
        super().__init__(engine, f"{problem}; {EngineError.instead}")
        self.decision = decision
        self.most = most


class CyclicOrdersError(EngineError):
    """Orders that depend on each other in a cycle, for an algorithm that cannot resolve cycles.

    Attributes, besides those of `EngineError`: `cycle` (the names of the decisions about these
    orders, each one depending on the next and the last on the first).
    """

    def __init__(self, engine: str, cycle: Iterable[str]) -> None:
        self.cycle = tuple(cycle)
        super().__init__(
            engine,
            f"these orders depend on each other in a cycle: {', '.join(self.cycle)}; try solver, "
            "partial_information, recursive_guess or decision_graph",
        )


class EngineOptionError(DipsatError):
    """An option that an adjudication algorithm does not have, or a value that the option does not
    take.

    Attributes: `engine` (name), `option` (as typed, "" if there is none), `problem` (text),
    `nearest` (the most similar options, best first; may be empty).
    """

    def __init__(
        self, engine: str, problem: str, option: str = "", nearest: tuple[str, ...] = ()
    ) -> None:
        super().__init__(f"the engine {shortened(engine)!r}: {problem}")
        self.engine = engine
        self.option = option
        self.problem = problem
        self.nearest = nearest

    @staticmethod
    def unknown(engine: str, option: str, known: Iterable[str]) -> EngineOptionError:
        """Return the error for an option that the engine does not have; its message names the
        nearest option, or else all options."""
        known = tuple(known)
        listed = "its options are" if known else ""
        end = hint(option, known, listed, otherwise="it has no options", quoted=False)
        problem = f"unknown option {shortened(option)!r}{end}"
        return EngineOptionError(engine, problem, option, nearest_names(option, known, 1))


# --- kernel ---------------------------------------------------------------------------------------


_SHOWN_LINES = 5  # of a compiler's messages


class KernelError(_ProblemError, DipsatError):
    """Rules that could not be compiled to machine code, or could not be loaded. Attribute:
    `problem` (text)."""


class KernelBuildError(KernelError):
    """A C compiler that cannot be started or that fails.

    Attributes, besides that of `KernelError`: `compiler` (its command), `status` (its exit status;
    None if it could not be started), `messages` (the first lines that it printed).
    """

    def __init__(self, compiler: str, status: int | None, messages: Iterable[str]) -> None:
        self.compiler = compiler
        self.status = status
        self.messages = tuple(messages)
        ended = "could not be started" if status is None else f"ended with status {status}"
        shown = "\n".join(("", *self.messages[:_SHOWN_LINES]))
        super().__init__(
            f"the C compiler {compiler!r} {ended}{':' if self.messages else ''}{shown}"
        )


class KernelTimeoutError(KernelError):
    """A C compiler that took too long and was stopped.

    Attributes, besides that of `KernelError`: `compiler` (its command), `seconds` (the limit).
    """

    def __init__(self, compiler: str, seconds: float) -> None:
        self.compiler = compiler
        self.seconds = seconds
        super().__init__(f"the C compiler {compiler!r} was stopped after {seconds} seconds")


class KernelLoadError(KernelError):
    """A compiled library that cannot be loaded: it has changed, was made for another kind of
    computer, or the system does not execute files in its folder.

    Attributes, besides that of `KernelError`: `path` (the library).
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


class CodeError(DipsatError):
    """A meaningless number in the codes of a board, or arrays that do not fit together.

    Attributes: `board` (its number), `unit` (its number on the board; both None if it is not about
    one), `problem` (text).
    """

    def __init__(self, board: int | None, unit: int | None, problem: str) -> None:
        place = [
            f"{what} {at}" for what, at in (("board", board), ("unit", unit)) if at is not None
        ]
        super().__init__(f"{', '.join(place)}: {problem}" if place else problem)
        self.board = board
        self.unit = unit
        self.problem = problem


# --- limits ---------------------------------------------------------------------------------------


class TooManyDecisionsError(DipsatError):
    """A family with too many decisions in a phase.

    Attributes: `kinds` (the types of its indices), `count` (the number of decisions), `most` (the
    limit).
    """

    def __init__(self, kinds: Iterable[str], count: int, most: int) -> None:
        self.kinds = tuple(kinds)
        self.count = count
        self.most = most
        over = ", ".join(self.kinds)
        super().__init__(
            f"the rules have a decision over {over}, which gives {count} decisions in this phase; "
            f"at most {most} can be decided: give it fewer indices"
        )


class WorkLimitError(DipsatError):
    """Rules that would take too many steps in a phase. The count is the same on every machine.

    Attributes: `profile` (its name, or the file of a condition on orders), `entry` (the decision,
    result or condition that takes the most steps), `steps` (those of this entry), `most` (the limit
    for all decisions and results together, or for one condition).
    """

    def __init__(self, profile: str, entry: str, steps: int, most: int) -> None:
        self.profile = profile
        self.entry = entry
        self.steps = steps
        self.most = most
        super().__init__(
            f"{profile}: {entry} would take {steps:,} steps in this phase, more than the limit of "
            f"{most:,}: nest fewer quantifiers, or let them range over facts such as p.attackers"
        )


class LimitError(DipsatError):
    """A limit that was not enough, or that cannot be enforced.

    Attributes: `limit` (`seconds`, `work`, `megabytes` or `files`), `value`, `problem` (text; "" if
    the limit was not enough).
    """

    def __init__(self, limit: str, value: float | None, problem: str = "") -> None:
        self.limit = limit
        self.value = value
        self.problem = problem
        most = "" if value is None else f"{value:,.15g} "
        what = "steps" if limit == "work" else limit
        wrong = f"{limit}: the limit {most and f'of {most}'}{problem}"
        late = f"this takes {f'more than {most}' if most else 'too many '}{what}"
        super().__init__(wrong if problem else late)


class UndecidedError(DipsatError):
    """A question about the consequences of a phase that is not fully decided, because a limit on
    time or work left orders `unknown`.

    Attributes: `phase` (its name).
    """

    def __init__(self, phase: str) -> None:
        self.phase = phase
        super().__init__(
            f"{phase}: not everything is decided, so what follows is not known; allow more time or "
            f"work (dipsat.Limits)"
        )


# --- names ----------------------------------------------------------------------------------------


class UnknownNameError(DipsatError):
    """An unknown name.

    Attributes: `kind` ("province", "power", "map", ...), `name` (as typed), `nearest` (the most
    similar known names, best first; may be empty).

    The message ends with a hint: `hint` if given; else the nearest of the names `meant`, or else of
    all `known`; else all known names if `list_known` is set; else the command `listed_by` that
    lists them. `problem` is said instead of `unknown KIND NAME`. Finding the nearest names is slow,
    and most of these errors are caught and never shown, so `known` is read only when the message is
    first needed.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        known: Iterable[str],
        where: str = "",
        *,
        list_known: bool = False,
        hint: str = "",
        listed_by: str = "",
        problem: str = "",
        meant: Iterable[str] = (),
    ) -> None:
        super().__init__()
        self._problem = problem
        self.kind = kind
        self.name = name
        self._known = known
        self._meant = meant
        self._where = where
        self._hint = hint
        self._list_known = list_known
        self._listed_by = listed_by

    def __str__(self) -> str:
        self._complete()
        return super().__str__()

    def __reduce__(self) -> Any:
        self._complete()
        return super().__reduce__()

    def _complete(self) -> None:
        """Make the message, which Python keeps in `args`."""
        self._known = self._all_known
        self.args = (self._message,)

    def without_nearest(self) -> None:
        """Do not look for similar names: the message is one of many that nobody reads."""
        self._known = self._meant = ()

    @cached_property
    def nearest(self) -> tuple[str, ...]:
        """The most similar known names, best first."""
        meant = tuple(self._meant)
        return nearest_names(self.name, meant or self._all_known) or meant[:2]

    @cached_property
    def _all_known(self) -> tuple[str, ...]:
        return tuple(self._known)

    @cached_property
    def _message(self) -> str:
        end = self._hint
        if not end and self.nearest:
            end = did_you_mean(*self.nearest)
        elif not end and self._list_known:
            end = f"known: {', '.join(self._all_known)}"
        elif not end and self._listed_by:
            end = f"`{self._listed_by}` lists them"
        place = f" in {self._where!r}" if self._where else ""
        said = self._problem or f"unknown {self.kind} {shortened(self.name)!r}{place}"
        return f"{said}{end and f'; {end}'}"


class AmbiguousNameError(DipsatError):
    """A name with several possible meanings.

    Attributes: `kind`, `name` (as typed), `choices` (the possible names). If `choices` is a
    mapping, its values are remarks for the message, or "".
    """

    def __init__(
        self, kind: str, name: str, choices: Iterable[str] | Mapping[str, str], where: str = ""
    ) -> None:
        self.kind = kind
        self.name = name
        self.choices = tuple(choices)
        remarks = choices if isinstance(choices, Mapping) else {}
        shown = (f"{one} ({remarks[one]})" if remarks.get(one) else one for one in self.choices)
        place = f" in {where!r}" if where else ""
        super().__init__(f"ambiguous {kind} {name!r}{place}: it could be {', '.join(shown)}")


# --- errors ---------------------------------------------------------------------------------------


class FileError(DipsatError):
    """A file that cannot be read or written: for example missing, too large, empty or not UTF-8.

    Attributes: `path` (as given by the user), `problem` (one sentence).
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.path = path
        self.problem = problem


class InputLimitError(FileError):
    """Input with more of something than dipsat reads. The limits exceed what any real game, map or
    rule file needs.

    Attributes: `path` (the file, perhaps with a line; "" for input that is not from a file),
    `problem` (one sentence), `what` (the thing counted, such as "orders in a phase"), `found` (the
    number found when counting stopped), `most` (the limit).
    """

    def __init__(self, path: str, what: str, found: int, most: int, problem: str = "") -> None:
        super().__init__(path, problem or f"more than {most:,} {what}; dipsat reads no more")
        self.what = what
        self.found = found
        self.most = most

    def at(self, path: str) -> InputLimitError:
        """Return the same error with another place."""
        return InputLimitError(path, self.what, self.found, self.most, self.problem)


class DocumentError(DipsatError):
    """A fault in a YAML, JSON or SVG document, with its place.

    Attributes: `path`, `line` and `column` (both from 1), `problem` (text).
    """

    def __init__(self, path: str, line: int, column: int, problem: str) -> None:
        super().__init__(f"{path}:{line}:{column}: {problem}")
        self.path = path
        self.line = line
        self.column = column
        self.problem = problem


class ProfileError(DocumentError):
    """A rule profile with something that the rule language does not allow.

    Attributes: those of `DocumentError`.
    """


class UnknownMemberError(ProfileError):
    """A member that a domain of the rule language does not have.

    Attributes, besides those of `DocumentError`: `domain` (name), `member` (as typed).
    """

    def __init__(
        self, path: str, line: int, column: int, problem: str, *, domain: str, member: str
    ) -> None:
        super().__init__(path, line, column, problem)
        self.domain = domain
        self.member = member


class CompositionError(DipsatError):
    """Profiles that cannot be laid over one another as named.

    Attributes: `name` (as typed, such as "datc+datc"), `problem` (text).
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"profile {shortened(name)!r}: {problem}")
        self.name = name
        self.problem = problem


class SettingError(DipsatError):
    """A setting or an option that cannot be chosen for a profile.

    Attributes: `name` (of the setting), `problem` (text).
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"setting {shortened(name)!r}: {problem}")
        self.name = name
        self.problem = problem


class FeatureError(DipsatError):
    """A map that lacks a feature that the rules need.

    Attributes: `feature`, `rules` and `map` (names), `maps` (the shipped maps that have the
    feature).
    """

    def __init__(
        self, feature: str, place: str, rules: str, board: str, maps: Iterable[str]
    ) -> None:
        self.feature = feature
        self.rules = rules
        self.map = board
        self.maps = tuple(maps)
        known = f"maps with it: {', '.join(self.maps)}" if self.maps else "no shipped map has it"
        super().__init__(
            f"the rules {rules!r} need the feature {feature!r} of a {place}, which the map "
            f"{board!r} does not have; {known}"
        )


class MissingPowerError(DipsatError):
    """A map without a power that the rules name.

    Attributes: `power`, `rules` and `map` (names).
    """

    def __init__(self, power: str, rules: str, board: str, powers: Iterable[str]) -> None:
        self.power = power
        self.rules = rules
        self.map = board
        super().__init__(
            f"the rules {rules!r} name the power {power}, which the map {board!r} does not have; "
            f"its powers: {', '.join(powers)}"
        )


class QuestionError(_ProblemError, DipsatError):
    """A question about open orders that cannot be asked because of the open units, the goal or the
    rules.

    Attribute: `problem` (one sentence).
    """


class SolverError(DipsatError):
    """A solver that does not exist or is not installed.

    Attributes: `name` (as typed), `problem` (text).
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{shortened(name)!r} {problem}")
        self.name = name
        self.problem = problem


class MapError(DocumentError):
    """A map file whose facts contradict each other.

    Attributes: those of `DocumentError`.
    """


class ProblemsError(DipsatError):
    """Several faults found together. Attribute: `problems` (the errors, in file order).

    The message has a line for each of the first 50 faults, and the number of further faults.
    """

    def __init__(self, problems: Iterable[DipsatError]) -> None:
        self.problems = tuple(problems)
        shown = [str(problem) for problem in self.problems[:LISTED_FAULTS]]
        more = len(self.problems) - len(shown)
        super().__init__("\n".join([*shown, *([f"... and {more} more faults"] if more else [])]))
        for remedy in (one for problem in self.problems for one in problem.remedies):
            self.with_remedy(remedy)


class OrderSyntaxError(DipsatError):
    """An order that cannot be read.

    Attributes: `text`, `problem` (text), `line` (from 1, or None).
    """

    def __init__(self, text: str, problem: str, line: int | None = None) -> None:
        self.text = text
        self.problem = problem
        self.line = line
        place = f"line {line}: " if line is not None else ""
        super().__init__(f"{place}cannot read the order {text!r}: {problem}")


class OrderWriteError(DipsatError):
    """An order without something that a notation requires.

    Attributes: `order` (the typed order), `notation` (name), `problem` (text).
    """

    def __init__(self, order: object, notation: str, problem: str) -> None:
        super().__init__(f"cannot write the order in {notation}: {problem}")
        self.order = order
        self.notation = notation
        self.problem = problem


class PositionError(DipsatError):
    """A unit or supply centre that cannot be placed as stated, or a key that a position does not
    have.

    Attributes: `unit` (the unit, centre or key as typed), `problem` (text).
    """

    def __init__(self, unit: str, problem: str, what: str = "unit") -> None:
        self.unit = unit
        self.problem = problem
        super().__init__(f"{what} {unit!r}: {problem}")


class OrderFaultError(DipsatError):
    """Orders that do not fit the position.

    Attributes: `power`, `orders` (texts), `problem` (text).
    """

    def __init__(self, power: str, orders: Iterable[str], problem: str) -> None:
        self.power = power
        self.orders = tuple(orders)
        self.problem = problem
        shown = [repr(shortened(order)) for order in self.orders[:_LISTED]]
        more = len(self.orders) - len(shown)
        shown += [f"{more} more"] if more else []
        super().__init__(f"{power}: {' and '.join(shown)}: {problem}")


class GameError(_ProblemError, DipsatError):
    """A step that a game does not allow now, such as one after its end. Attribute: `problem`
    (text)."""


class NoEquationsError(DipsatError):
    """A question about the equations of a phase that has none. Attribute: `phase` (its name)."""

    def __init__(self, phase: str) -> None:
        super().__init__(
            f"phase {phase}: only movement phases (such as S1901M), and extra phases for orders "
            f"that rules declare, have equations; `adjudicate` decides retreats and "
            f"adjustments"
        )
        self.phase = phase


class PictureError(_ProblemError, DipsatError):
    """A picture that cannot be drawn, or not in the requested format. Attribute: `problem`
    (text)."""


class JournalError(FileError):
    """A journal of long work that cannot be used: from another run, damaged, or on a full disk.

    Attributes: `path`, `problem` (one sentence).
    """


class WorkerError(_ProblemError, DipsatError):
    """Workers that cannot do the work: they died, cannot be reached, or have another version of
    dipsat. Attribute: `problem` (text)."""


class CertificateError(_ProblemError, DipsatError):
    """A line of units without a certificate, because it was not proven to hold.

    Attributes: `problem` (one sentence), `province` (the code of the province that an enemy can
    enter, or of the unit that can be dislodged; "" if unknown).
    """

    def __init__(self, problem: str, province: str = "") -> None:
        super().__init__(problem)
        self.province = province


class UnresolvedError(DipsatError):
    """A decision cycle for which the profile has no rule.

    Attributes: `profile` (name), `cycle` (names of the decisions), `resolutions` (their number),
    `idle` (names of the rules whose `when` holds but which settle nothing in the cycle).
    """

    def __init__(
        self, profile: str, cycle: Iterable[str], resolutions: int, idle: Iterable[str] = ()
    ) -> None:
        self.profile = profile
        self.cycle = tuple(cycle)
        self.resolutions = resolutions
        self.idle = tuple(idle)
        rules = ", ".join(map(repr, self.idle))
        hint = f" ({rules} would apply, but would settle nothing)" if rules else ""
        super().__init__(
            f"the profile {profile!r} has no rule for a decision cycle with {resolutions} "
            f"resolutions: {', '.join(self.cycle)}{hint}; add an entry under `cycles`"
        )


class EndlessRuleError(UnresolvedError):
    """A cycle that remains after cycle rules have been applied many times.

    Attributes, besides those of `UnresolvedError`: `rule` (name of the last rule applied), `rounds`
    (the number of rounds of rules).
    """

    def __init__(
        self, profile: str, cycle: Iterable[str], resolutions: int, rule: str, rounds: int
    ) -> None:
        super().__init__(profile, cycle, resolutions)
        self.rule = rule
        self.rounds = rounds
        self.args = (
            f"the profile {profile!r}: after {rounds} rounds, the last with the rule {rule!r}, "
            f"there is still a decision cycle: {', '.join(self.cycle)}; let the rule settle more "
            f"of a cycle at once",
        )


class ImpossibleBoardError(DipsatError):
    """A board to which no rules should lead. The equations are at fault, not the orders.

    Attributes: `profile` (name), `units` (the units in the wrong place), `orders` (power -> orders
    that show the fault, as few as could be found; all other units hold), `problem` (text).
    """

    def __init__(
        self,
        profile: str,
        units: Iterable[str],
        problem: str,
        orders: Mapping[str, Iterable[str]],
    ) -> None:
        self.profile = profile
        self.units = tuple(units)
        self.problem = problem
        self.orders = {power: tuple(texts) for power, texts in orders.items()}
        shown = "; ".join(f"{power}: {', '.join(texts)}" for power, texts in self.orders.items())
        super().__init__(
            f"a fault of the rules {profile!r}: {problem}; orders that show it: {shown}"
        )


class SharedProvinceError(ImpossibleBoardError):
    """Two units that end in one province.

    Attributes, besides those of `ImpossibleBoardError`: `province` (code).
    """

    def __init__(
        self,
        profile: str,
        province: str,
        units: Iterable[str],
        orders: Mapping[str, Iterable[str]],
    ) -> None:
        self.province = province
        ending = tuple(units)
        problem = f"{' and '.join(ending)} both end in {province}"
        super().__init__(profile, ending, problem, orders)


class UnitTwiceError(ImpossibleBoardError):
    """A unit that moves away and is dislodged all the same, so that it would be on the board twice.

    Attributes, besides those of `ImpossibleBoardError`: `unit`, `location` (where it ends).
    """

    def __init__(
        self, profile: str, unit: str, location: str, orders: Mapping[str, Iterable[str]]
    ) -> None:
        self.unit = unit
        self.location = location
        problem = f"{unit} moves to {location} and is dislodged all the same"
        super().__init__(profile, (unit,), problem, orders)


class NumberRangeError(UnresolvedError):
    """A number decision for which dipsat cannot compute a value.

    Attributes, besides those of `UnresolvedError`: `problem` (text).
    """

    def __init__(self, profile: str, decision: str, problem: str) -> None:
        super().__init__(profile, [decision], 0)
        self.problem = problem
        self.args = (f"the profile {profile!r}: {decision} {problem}",)


class ExtraError(DipsatError, ImportError):
    """Packages of an extra that are not installed.

    Attributes: `extra` (its name), `packages` (the names).
    """

    def __init__(self, extra: str, packages: Iterable[str]) -> None:
        self.extra, self.packages = extra, tuple(packages)
        lacking = ", ".join(self.packages)
        super().__init__(f"this needs {lacking}: pip install 'dipsat[{extra}]'")


# --- names of other packages ----------------------------------------------------------------------


class MissingNameError(DipsatError, AttributeError):
    """A name that a class of another package has, but the class in its place does not.

    Attributes: `owner` (name of the class or module), `missing` (the name), `instead` (what to do,
    perhaps "").
    """

    def __init__(self, owner: str, missing: str, instead: str = "") -> None:
        super().__init__(f"dipsat's {owner} has no {missing!r}{instead and '; '}{instead}")
        self.owner, self.missing, self.instead = owner, missing, instead


class MissingModuleNameError(DipsatError, ModuleNotFoundError):
    """A name that a module of another package has, but the module in its place does not.

    Attributes: those of `MissingNameError`.
    """

    def __init__(self, owner: str, missing: str, instead: str = "") -> None:
        super().__init__(f"dipsat's {owner} has no {missing!r}{instead and '; '}{instead}")
        self.owner, self.missing, self.instead = owner, missing, instead


_LISTED = 4  # orders that a message quotes
LISTED_FAULTS = 50
"""The most faults of one file that a message lists; reading a rule file stops there."""

__all__ = sorted(  # so that `import *` imports only the errors
    name
    for name, thing in globals().items()
    if isinstance(thing, type) and issubclass(thing, DipsatError)
)


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
