"""Judges: engines with their rules, what they decide about a phase, and where two differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from dipsat.board.map import Map
from dipsat.engines.names import SOLVER
from dipsat.errors import (
    DipsatError,
    EngineError,
    ImpossibleBoardError,
    NotMadeForError,
    QuestionError,
    UndecidedError,
    UnresolvedError,
    shortened,
)
from dipsat.errors.arguments import checked, checked_fields
from dipsat.game.facts import MoveFacts
from dipsat.game.position import Position
from dipsat.game.submissions import PowerOrders
from dipsat.kernel.ends import ends_of
from dipsat.profiles.load import load_profile, with_variant
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import EngineOutcome, adjudicate
from dipsat.proof.engine import Engine, find_engine
from dipsat.proof.movement import MovementOrderOutcome, MovementOutcome
from dipsat.proof.outcome import Dislodgement
from dipsat.surveys import Extent
from dipsat.surveys.at_once import coded_by, moves_at_once, settled
from dipsat.surveys.sources import Posed, Rules
from dipsat.values import Plain, brief, grouped


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Judge:
    """An engine with its rules, as `dipsat.adjudicate` takes both."""

    engine: str | Engine
    """The name of an engine, perhaps with options, or an engine of your own."""
    rules: Rules | None = None
    """Its rules; None to take those that each phase names."""
    name: str = ""
    """Its name in reports; "" for `ENGINE:PROFILE`, or only the engine."""

    @property
    def label(self) -> str:
        """The name of the judge in reports."""
        engine = self.engine if isinstance(self.engine, str) else self.engine.name
        rules = self.rules.name if isinstance(self.rules, Profile) else self.rules
        return self.name or (engine if rules is None else f"{engine}:{rules}")

    @checked
    def options(self, default: Rules, variant: str = "") -> str:
        """Return the options of `dipsat adjudicate` that make it this judge, for a phase of a
        variant."""
        rules = named_rules(self.rules or default, variant)
        engine = self.engine if isinstance(self.engine, str) else self.engine.name
        return f"--rules {rules}" + ("" if engine == SOLVER else f" --engine {engine}")


def named_rules(rules: Rules, variant: str = "") -> str:
    """The name of rules with a variant laid over them, as for `--rules`."""
    name = rules.name if isinstance(rules, Profile) else str(rules)
    if not variant or with_variant(rules, variant) is load_profile(rules):
        return name
    return f"{name}+{variant}"


def read_judge(text: str) -> Judge:
    """The judge that `ENGINE` or `ENGINE:PROFILE` names. Whether these exist is checked by
    `check_judges`."""
    engine, _, rules = text.partition(":")
    return Judge(engine, rules or None)


def check_judges(judges: Iterable[str | Judge], rules: Rules | None = None) -> tuple[Judge, ...]:
    """Return the judges, at least two: a single one is compared with the solver under the same
    rules. Those without rules get `rules`, else those of the first judge that has some.

    Raises `UnknownNameError` for an unknown engine, what `load_profile` raises for rules, and
    `QuestionError` if there is no judge or one is given twice.
    """
    found = tuple(read_judge(one) if isinstance(one, str) else one for one in judges)
    if rules is not None:
        load_profile(rules)  # it may be wrong even if no judge needs it
    rules = rules or next((judge.rules for judge in found if judge.rules is not None), None)
    found = tuple(judge if judge.rules else replace(judge, rules=rules) for judge in found)
    if not found:
        raise QuestionError("no judge is given; name an engine, such as recursive_guess")
    for judge in found:
        if isinstance(judge.engine, str):
            find_engine(judge.engine)
        if judge.rules is not None:
            load_profile(judge.rules)
    if len(found) == 1:
        if found[0].engine == SOLVER:
            raise QuestionError("the solver alone has nothing to compare with; name a second judge")
        found = (replace(found[0], engine=SOLVER, name=""), *found)
    labels = [judge.label for judge in found]
    for label in labels:
        if labels.count(label) > 1:
            raise QuestionError(f"the judge {shortened(label)!r} is given twice; keep one")
    return found


# --- What a judge decides -------------------------------------------------------------------------


PARTS = (
    "answer", "moves", "dislodged", "contested", "retreats", "supports", "convoys", "legality",
)  # fmt: skip
"""What may differ, the most important first."""

_PARTS = {
    "illegal": "legality", "invalid": "legality", "succeeds": "moves", "given": "supports",
    "cut": "supports", "available": "convoys", "disrupted": "convoys",
}  # fmt: skip
_OF_UNITS = ("answer", "moves", "dislodged", "contested")
_NO_ANSWER = ("answer", "")


@brief()
@dataclass(frozen=True, slots=True)
class Divergence(Plain):
    """One part of the decision that two judges decide differently."""

    part: str
    """`answer`, `moves`, `dislodged`, `contested`, `retreats`, `supports`, `convoys` or `legality`.
    """
    about: str
    """The unit (`A LON`) or the province."""
    values: tuple[str, str]
    """What each judge decides: the location to which a unit moves, a verdict, or `dislodged`; ""
    where it decides nothing."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge decides about a phase: (part, about) -> a word. `problem` says why it has no
    answer, "" if it has one; `by_equations` says whether it reads the equations of the profile. A
    judge that is not made for the phase (`is_made`) is compared with no other; `problem` says why
    it is not."""

    values: Mapping[tuple[str, str], str]
    by_equations: bool = True
    problem: str = ""
    is_made: bool = True


def find(
    judge: Judge,
    position: Position,
    orders: Mapping[str, PowerOrders],
    default: Rules,
    variant: str = "",
) -> Judgement:
    """Return what a judge decides about a movement phase; `default` are the rules of one that has
    none. Those of a `variant` are laid over them.

    Raises what `dipsat.adjudicate` raises, except `UnresolvedError`, `EngineError`,
    `UndecidedError` and `ImpossibleBoardError`: having no answer is a result.
    """
    try:
        rules = judge.rules or default
        rules = with_variant(rules, variant) if variant else rules
        outcome = adjudicate(position, orders, rules, engine=judge.engine)
        assert isinstance(outcome, MovementOutcome)
        by_equations = not isinstance(outcome, EngineOutcome) or outcome.reads_equations
        ends = ((one.unit, one.verdict, _target(one)) for one in outcome.orders)
        return Judgement(_values(ends, outcome.dislodged, outcome.contested), by_equations)
    except NotMadeForError as error:
        return Judgement({}, problem=error.problem, is_made=False)
    except (EngineError, ImpossibleBoardError, UndecidedError, UnresolvedError) as error:
        return Judgement({_NO_ANSWER: "none"}, problem=str(error).partition("\n")[0])


def _target(order: MovementOrderOutcome) -> str:
    candidate = order.facts.candidate if order.facts is not None else None
    return candidate.target_location if isinstance(candidate, MoveFacts) else ""


def _values(
    orders: Iterable[tuple[str, str, str]], dislodged: Iterable[Dislodgement],
    contested: Iterable[str],
) -> dict[tuple[str, str], str]:  # fmt: skip
    """What is decided, from the unit of each order, the verdict, and where it goes if it
    succeeds."""
    values: dict[tuple[str, str], str] = {}
    for unit, verdict, target in orders:
        key = _PARTS.get(verdict, ""), unit
        if verdict == "succeeds":
            values[key] = target
        elif key in values:  # several orders for one unit
            values[key] += f", {verdict}"
        elif key[0]:
            values[key] = verdict
    for lost in dislodged:
        values["dislodged", lost.unit] = "dislodged"
        values["retreats", lost.unit] = ", ".join(lost.retreats) or "nowhere"
    return values | {("contested", place): "contested" for place in contested}


def differences(
    one: Judgement, other: Judgement, extent: Extent = "auto"
) -> tuple[Divergence, ...]:
    """Where two judges differ, the most important first; empty if they agree or if one is not made
    for the phase."""
    if not (one.is_made and other.is_made):
        return ()
    if bool(one.problem) != bool(other.problem):
        return (
            Divergence(*_NO_ANSWER, ("none" * bool(one.problem), "none" * bool(other.problem))),
        )
    everything = one.by_equations and other.by_equations if extent == "auto" else extent == "all"
    parts = PARTS if everything else _OF_UNITS
    if one.values == other.values:
        return ()
    found = {
        key: (one.values.get(key, ""), other.values.get(key, ""))
        for key in one.values.keys() | other.values.keys()
        if key[0] in parts and one.values.get(key) != other.values.get(key)
    }
    shown = [key for key in found if not _follows(key, found)]
    shown.sort(key=lambda key: (PARTS.index(key[0]), key[1]))
    return tuple(Divergence(*key, found[key]) for key in shown)


def _follows(key: tuple[str, str], found: Iterable[tuple[str, str]]) -> bool:
    """Whether a difference only repeats another one."""
    part, about = key
    if part == "retreats":
        return ("dislodged", about) in found
    return part in ("supports", "convoys") and ("legality", about) in found


def leading(found: Iterable[Divergence]) -> frozenset[Divergence]:
    """The differences of the most important kind."""
    listed = tuple(found)
    return frozenset(one for one in listed if one.part == listed[0].part)


# --- many phases at once --------------------------------------------------------------------------


MANY = 2_000
"""Phases from which on compiling pays: it takes some seconds the first time."""


def judged_at_once(
    judge: Judge, phases: Sequence[Posed], default: Rules
) -> Mapping[int, Judgement]:
    """Identity of a phase -> what a judge decides of it, as `find` returns it. Phases are missing
    if the equations are not compiled, or if something is said of them that codes cannot say."""
    if judge.engine != SOLVER:
        return {}
    found: dict[int, Judgement] = {}
    by_rules = grouped(((_profile(judge, one, default), one.position.map), one) for one in phases)
    for (profile, board), some in by_rules.items():
        if profile is not None:
            found |= _judged(profile, board, list(some))
    return found


def _profile(judge: Judge, phase: Posed, default: Rules) -> Profile | None:
    rules = judge.rules or phase.rules or default
    try:
        return load_profile(with_variant(rules, phase.variant) if phase.variant else rules)
    except DipsatError:
        return None  # it is raised again phase by phase


def _judged(profile: Profile, board: Map, phases: list[Posed]) -> dict[int, Judgement]:
    coder = moves_at_once(profile, board)
    if coder is None:
        return {}
    posed = {id(one): (one.position.with_words(profile.words), one.orders) for one in phases}
    try:
        coded = coded_by(coder, posed)
        result, boards = settled(coder, coded)
    except DipsatError:
        return {}
    found = {}
    for key, at in boards.items():
        if not coded[key].has_strays:  # of these orders, codes say nothing
            ends = ends_of(result, at)
            orders = ((unit, word, ends[unit] or "") for unit, word in result.verdicts(at).items())
            found[key] = Judgement(_values(orders, result.dislodged(at), result.contested(at)))
    return found
