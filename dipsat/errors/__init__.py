"""The errors that dipsat raises on purpose: one base class, and attributes with the data of each.

A message says what is wrong, where, and what would be right. `str(error)` is for people and can be
shown as it is; the attributes are for programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dipsat.errors.arguments import ArgumentError as ArgumentError
from dipsat.errors.base import (
    DipsatError as DipsatError,
    did_you_mean as did_you_mean,
    escaped as escaped,
    nearest_names as nearest_names,
    readable as readable,
    shortened as shortened,
)
from dipsat.errors.engines import (
    ContradictionError as ContradictionError,
    CyclicOrdersError as CyclicOrdersError,
    EngineError as EngineError,
    EngineOptionError as EngineOptionError,
    EngineWorkError as EngineWorkError,
    NotMadeForError as NotMadeForError,
)
from dipsat.errors.kernel import (
    CodeError as CodeError,
    KernelBuildError as KernelBuildError,
    KernelError as KernelError,
    KernelLoadError as KernelLoadError,
    KernelTimeoutError as KernelTimeoutError,
)
from dipsat.errors.limits import (
    LimitError as LimitError,
    TooManyDecisionsError as TooManyDecisionsError,
    UndecidedError as UndecidedError,
    WorkLimitError as WorkLimitError,
)
from dipsat.errors.names import (
    AmbiguousNameError as AmbiguousNameError,
    UnknownNameError as UnknownNameError,
)


class FileError(DipsatError):
    """A file that cannot be read or written: missing, too large, empty or not UTF-8, for example.

    Attributes: `path` (as given by the user), `problem` (one sentence).
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.path = path
        self.problem = problem


class InputLimitError(FileError):
    """Input with more of something than dipsat reads: more than any real game, map or rule file
    needs.

    Attributes: `path` (the file, perhaps with a line; "" for input that is not from a file),
    `problem` (one sentence), `what` (what there is too much of, such as "orders in a phase"),
    `found` (how much there is, as far as it was counted), `most` (the limit).
    """

    def __init__(self, path: str, what: str, found: int, most: int, problem: str = "") -> None:
        super().__init__(path, problem or f"{found:,} {what}; dipsat reads at most {most:,}")
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
    """A rule profile that says something that the rule language does not allow.

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


class QuestionError(DipsatError):
    """A question about open orders that cannot be asked because of the open units, the goal or the
    rules.

    Attribute: `problem` (one sentence).
    """

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


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
    """Several faults found at once. Attribute: `problems` (the errors, in file order).

    The message has a line for each of the first 50, and says how many more there are.
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
    """A unit or supply centre that cannot be placed as stated, or a key that states no part of a
    position.

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


class GameError(DipsatError):
    """A step that a game does not allow now, such as one after its end. Attribute: `problem`
    (text)."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class NoEquationsError(DipsatError):
    """A question about the equations of a phase that has none. Attribute: `phase` (its name)."""

    def __init__(self, phase: str) -> None:
        super().__init__(
            f"phase {phase}: only movement phases (such as S1901M), and extra phases for orders "
            f"that rules declare, have equations; `adjudicate` decides retreats and "
            f"adjustments"
        )
        self.phase = phase


class PictureError(DipsatError):
    """A picture that cannot be drawn, or not in the format asked for. Attribute: `problem`
    (text)."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class JournalError(FileError):
    """A journal of long work that cannot be used: of another run, damaged, or on a full disk.

    Attributes: `path`, `problem` (one sentence).
    """


class WorkerError(DipsatError):
    """Workers that cannot do the work: they died, cannot be reached, or have another dipsat.
    Attribute: `problem` (text)."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class CertificateError(DipsatError):
    """A line of units without a certificate, because it was not proven to hold.

    Attributes: `problem` (one sentence), `province` (the code of the province that an enemy can
    enter, or of the unit that can be dislodged; "" if that is not known).
    """

    def __init__(self, problem: str, province: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
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
    """A cycle that remains although cycle rules have been applied again and again.

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
    """A board that no rules should lead to. The equations are at fault, not the orders.

    Attributes: `profile` (name), `units` (those that are in the wrong place), `orders` (power ->
    orders that show it, as few as could be found; all other units hold), `problem` (text).
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
    """A unit that moves away and is dislodged all the same, so that it would be there twice.

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


_LISTED = 4  # orders that a message repeats
LISTED_FAULTS = 50
"""The faults of one file that a message lists; rule files are read no further."""

__all__ = sorted(  # so that `import *` brings the errors and nothing else
    name
    for name, thing in globals().items()
    if isinstance(thing, type) and issubclass(thing, DipsatError)
)


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
