"""Every error dipsat raises on purpose: one base class, each with the data it was raised for.

A message says what is wrong, where, and what would be right. `str(error)` is meant to be shown
to a person as it stands; the attributes are meant for programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dipsat.errors.arguments import ArgumentError as ArgumentError
from dipsat.errors.base import (
    DipsatError as DipsatError,
    did_you_mean as did_you_mean,
    nearest_names as nearest_names,
    shortened as shortened,
)
from dipsat.errors.engines import (
    ContradictionError as ContradictionError,
    CyclicOrdersError as CyclicOrdersError,
    EngineError as EngineError,
    EngineOptionError as EngineOptionError,
    NotMadeForError as NotMadeForError,
)


class FileError(DipsatError):
    """A file that cannot be read: missing, too large, empty or not UTF-8.

    Attributes: `path` (as given by the user), `problem` (one sentence).
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


class DocumentError(DipsatError):
    """A fault in a YAML or JSON document, with its place.

    Attributes: `path`, `line` and `column` (both from 1), `problem`.
    """

    def __init__(self, path: str, line: int, column: int, problem: str) -> None:
        super().__init__(f"{path}:{line}:{column}: {problem}")
        self.path = path
        self.line = line
        self.column = column
        self.problem = problem


class ProfileError(DocumentError):
    """A rule profile that says something the rule language does not allow."""


class UnknownMemberError(ProfileError):
    """A member that a domain lacks. Also has the attributes `domain` (name), `member` (typed)."""

    def __init__(
        self, path: str, line: int, column: int, problem: str, *, domain: str, member: str
    ) -> None:
        super().__init__(path, line, column, problem)
        self.domain = domain
        self.member = member


class CompositionError(DipsatError):
    """Profiles that are named together but cannot be laid over one another as named.

    Attributes: `name` (as typed, such as "datc+datc"), `problem`.
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"profile {shortened(name)!r}: {problem}")
        self.name = name
        self.problem = problem


class SettingError(DipsatError):
    """A setting or an option that is chosen for a profile, but cannot be.

    Attributes: `name` (of the setting), `problem`.
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"setting {shortened(name)!r}: {problem}")
        self.name = name
        self.problem = problem


class FeatureError(DipsatError):
    """A map that lacks a feature which the rules need.

    Attributes: `feature`, `rules` and `map` (names), `maps` (those that have it).
    """

    def __init__(
        self, feature: str, place: str, rules: str, board: str, maps: Iterable[str]
    ) -> None:
        self.feature = feature
        self.rules = rules
        self.map = board
        self.maps = tuple(maps)
        known = f"maps that do: {', '.join(self.maps)}" if self.maps else "no shipped map does"
        super().__init__(
            f"the rules {rules!r} need the feature {feature!r} of a {place}, which the map "
            f"{board!r} does not mark; {known}"
        )


class QuestionError(DipsatError):
    """A question about open orders that cannot be asked: what is open, the goal, or the rules.
    Attribute: `problem` (one sentence)."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class SolverError(DipsatError):
    """A solver that does not exist or is not installed.

    Attributes: `name` (as typed), `problem`.
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{shortened(name)!r} {problem}")
        self.name = name
        self.problem = problem


class MapError(DocumentError):
    """A map file whose facts contradict each other."""


class ProblemsError(DipsatError):
    """Several faults found in one reading. Attribute: `problems`, the errors in file order."""

    def __init__(self, problems: Iterable[DipsatError]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class UnknownNameError(DipsatError):
    """A name that stands for nothing here.

    Attributes: `kind` ("province", "power", "map", ...), `name` (as typed), `nearest` (the
    known names most like it, best first, possibly none). If it belongs to a `family` of which all
    members are known, the message lists these. A `hint` says what would be right in place of all;
    `listed_by` is the command that lists all names, for a name that is like none.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        known: Iterable[str],
        where: str = "",
        *,
        list_known: bool = False,
        family: str = "",
        hint: str = "",
        listed_by: str = "",
    ) -> None:
        self.kind = kind
        self.name = name
        known = tuple(known)
        self.nearest = nearest_names(name, known)
        name = shortened(name)
        if hint:
            hint = f"; {hint}"
        elif family:
            hint = f"; {family} has {', '.join(known)}"
        elif self.nearest:
            hint = f"; did you mean {' or '.join(self.nearest)}?"
        elif list_known:
            hint = f"; known: {', '.join(known)}"
        elif listed_by:
            hint = f"; `{listed_by}` lists them"
        place = f" in {where!r}" if where else ""
        super().__init__(f"unknown {kind} {name!r}{place}{hint}")


class AmbiguousNameError(DipsatError):
    """A name that could stand for several things. Attributes: `kind`, `name`, `choices`.

    Of `choices` given as a mapping, the values are remarks on each, "" for none.
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


class OrderSyntaxError(DipsatError):
    """An order that cannot be read. Attributes: `text`, `problem`, `line` (from 1, or None)."""

    def __init__(self, text: str, problem: str, line: int | None = None) -> None:
        self.text = text
        self.problem = problem
        self.line = line
        place = f"line {line}: " if line is not None else ""
        super().__init__(f"{place}cannot read the order {text!r}: {problem}")


class OrderWriteError(DipsatError):
    """An order that leaves open what a notation has to say.

    Attributes: `order` (the typed order), `notation`, `problem`.
    """

    def __init__(self, order: object, notation: str, problem: str) -> None:
        super().__init__(f"cannot write the order in {notation}: {problem}")
        self.order = order
        self.notation = notation
        self.problem = problem


class PositionError(DipsatError):
    """Units that cannot stand as stated. Attributes: `unit` (as typed), `problem`."""

    def __init__(self, unit: str, problem: str) -> None:
        self.unit = unit
        self.problem = problem
        super().__init__(f"unit {unit!r}: {problem}")


class OrderFaultError(DipsatError):
    """Orders that do not fit the position. Attributes: `power`, `orders` (texts), `problem`."""

    def __init__(self, power: str, orders: Iterable[str], problem: str) -> None:
        self.power = power
        self.orders = tuple(orders)
        self.problem = problem
        shown = [repr(shortened(order)) for order in self.orders[:_LISTED]]
        more = len(self.orders) - len(shown)
        shown += [f"{more} more"] if more else []
        super().__init__(f"{power}: {' and '.join(shown)}: {problem}")


class TooManyDecisionsError(DipsatError):
    """A family of decisions has too many of them in a phase. Attributes: `kinds` (the types of its
    indices), `count`, `most`."""

    def __init__(self, kinds: Iterable[str], count: int, most: int) -> None:
        self.kinds = tuple(kinds)
        self.count = count
        self.most = most
        over = ", ".join(self.kinds)
        super().__init__(
            f"the rules have a decision over {over}, which makes {count} decisions in this phase; "
            f"at most {most} can be decided: give it fewer indices"
        )


class GameError(DipsatError):
    """A step that a game does not allow now, such as one after its end. Attribute: `problem`."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class NoEquationsError(DipsatError):
    """A question about the equations of a phase that has none. Attribute: `phase` (its name)."""

    def __init__(self, phase: str) -> None:
        super().__init__(
            f"phase {phase}: only movement phases (such as S1901M), and phases that rules have for "
            f"orders of their own, have equations to prove something about; `dipsat adjudicate` "
            f"decides retreats and adjustments"
        )
        self.phase = phase


class WorkerError(DipsatError):
    """A process that worked for this one came to an end. Attribute: `problem`."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class UnresolvedError(DipsatError):
    """A decision cycle for which the profile has no rule.

    Attributes: `profile` (name), `cycle` (names of the decisions), `resolutions` (their number),
    `idle` (names of the rules whose `when` holds, but which set or choose nothing of the cycle).
    """

    def __init__(
        self, profile: str, cycle: Iterable[str], resolutions: int, idle: Iterable[str] = ()
    ) -> None:
        self.profile = profile
        self.cycle = tuple(cycle)
        self.resolutions = resolutions
        self.idle = tuple(idle)
        rules = ", ".join(map(repr, self.idle))
        hint = f" (there {rules} would apply, but settles nothing)" if rules else ""
        super().__init__(
            f"the profile {profile!r} has no rule for a decision cycle with {resolutions} "
            f"resolutions: {', '.join(self.cycle)}{hint}; add an entry under `cycles`"
        )


class EndlessRuleError(UnresolvedError):
    """A cycle rule that was applied again and again, and there still is a cycle.

    Attributes: those of `UnresolvedError`, `rule` (name), `rounds` (how often rules were applied).
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


class SharedProvinceError(DipsatError):
    """Rules by which two units end in one province: their equations are at fault, no order is.

    Attributes: `profile` (name), `province`, `units` (those that end there), `orders` (by power:
    a set of orders that shows it, as small as could be found; all other units hold).
    """

    def __init__(
        self,
        profile: str,
        province: str,
        units: Iterable[str],
        orders: Mapping[str, Iterable[str]],
    ) -> None:
        self.profile = profile
        self.province = province
        self.units = tuple(units)
        self.orders = {power: tuple(texts) for power, texts in orders.items()}
        shown = "; ".join(f"{power}: {', '.join(texts)}" for power, texts in self.orders.items())
        super().__init__(
            f"a defect of the rules {profile!r}: {' and '.join(self.units)} both end in "
            f"{province}; the orders that show it: {shown}"
        )


class NumberRangeError(UnresolvedError):
    """A number decision without a value that dipsat can give it.

    Attributes: those of `UnresolvedError`, and `problem`.
    """

    def __init__(self, profile: str, decision: str, problem: str) -> None:
        super().__init__(profile, [decision], 0)
        self.problem = problem
        self.args = (f"the profile {profile!r}: {decision} {problem}",)


_LISTED = 4  # orders that a message repeats
