"""Running the DATC cases and comparing every order with the result that the document states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dipsat.base import Plain, brief, plain
from dipsat.errors import EngineError, NotMadeForError
from dipsat.formats import (
    Case as Case,
    CaseAlternative,
    CaseExpectation,
    ChoiceCondition,
    Orders,
    books_of,
    choices_of,
    combinations,
    load_cases as load_cases,
)
from dipsat.game import PhaseKind
from dipsat.orders import reader_for
from dipsat.outcomes import AdjustmentOutcome, Engine, OrderOutcome, Outcome, adjudicate
from dipsat.rules import DEFAULT_RULES, Profile, load_profile, with_variant
from dipsat.studies.engine_names import SOLVER


@brief()
@dataclass(frozen=True, slots=True)
class CaseMismatch(Plain):
    """A result that differs from the one in the document."""

    about: str
    """What it is about: an order, the retreats of a unit, or units of a power."""
    expected: str
    """The stated result."""
    found: str
    """The result found."""


@brief()
@dataclass(frozen=True, slots=True)
class Statement:
    """What a document states about a case for a profile."""

    source: str
    """The document, with the place in it."""
    case: Case | None
    """The case with these results; None if the document says that the rules give no (certain)
    answer."""


def _head(case: Case, status: str) -> dict[str, str]:
    return {"case": case.name, "title": case.title, "status": status}


@brief()
@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of running a case. Made by `dipsat.studies.run_case`."""

    case: Case
    """The case."""
    outcome: Outcome
    """The outcome of its first phase."""
    retreat: Outcome | None
    """The outcome of its retreat phase, None if it has none."""
    differences: tuple[CaseMismatch, ...]
    """The differences from the stated results."""
    statement: Statement | None
    """The statement that the results are compared with; None if no document states any for these
    rules."""

    @property
    def is_stated(self) -> bool:
        """Whether a document states a result for the rules."""
        return self.statement is not None and self.statement.case is not None

    @property
    def passed(self) -> bool:
        """Whether a result is stated and everything came out as stated."""
        return self.is_stated and not self.differences

    @property
    def status(self) -> str:
        """The result in words: `passed`, `differs` or `not stated`."""
        if not self.is_stated:
            return "not stated"
        return "differs" if self.differences else "passed"

    def results(self) -> list[dict[str, Any]]:
        """Each stated result of the first phase with the actual one, as plain values: `power`,
        `order`, `expected`, `actual` and whether it `agrees`."""
        case = self.statement.case if self.statement else None
        return [
            {
                "power": one.power,
                "order": one.order or one.unit,
                "expected": _words(one),
                "actual": "" if found is None else _words(found),
                "agrees": found is not None and _as_expected(one, found),
            }
            for one, found in _matched(case.expected if case else (), self.outcome)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `dipsat datc --json` prints them."""
        return {
            **_head(self.case, self.status),
            "passed": self.passed,
            "source": self.statement.source if self.statement else None,
            "differences": plain(self.differences),
            "outcome": self.outcome.to_dict(),
        }


@brief()
@dataclass(frozen=True, slots=True)
class Unanswered:
    """A case that an engine cannot decide."""

    case: Case
    """The case."""
    problem: str
    """Why not."""

    @property
    def status(self) -> str:
        """`no answer`, in place of `CaseResult.status`."""
        return "no answer"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, those of `CaseResult` without an outcome and with the `problem`."""
        nothing = dict[str, Any](passed=False, source=None, differences=[], outcome=None)
        return {**_head(self.case, self.status), **nothing, "problem": self.problem}


@brief()
@dataclass(frozen=True, slots=True)
class NotMade(Unanswered):
    """A case that an engine is not made for, and why, in the words of `NotMadeForError`. It says
    nothing against the engine."""

    @property
    def status(self) -> str:
        """`not made for this engine`."""
        return "not made for this engine"


def run_case(
    case: Case,
    rules: str | Path | Profile | None = None,
    presolve: bool = True,
    engine: str | Engine = SOLVER,
) -> CaseResult:
    """Adjudicate a case and compare the results with all that its document states for the rules.

    Without `rules`, the standard rules are compared with the main result of the case. A case of a
    variant is adjudicated with the rules of the variant laid over `rules`. `presolve` and `engine`
    are as for `dipsat.adjudicate`. Raises `NotMadeForError` if the engine is not made for the case.
    """
    profile = rules_for(case, DEFAULT_RULES if rules is None else rules)
    is_main = rules is None and not case.older
    statement = Statement(case.source, case) if is_main else stated(case, profile)

    def judge(stated: Case) -> Outcome:
        return adjudicate(stated.position, stated.orders, profile, presolve=presolve, engine=engine)

    if statement is None or statement.case is None:
        outcome = judge(case)
        return CaseResult(case, outcome, None, (), statement)
    outcome = judge(statement.case)
    retreat, differences = _compare(statement.case, profile, outcome)
    return CaseResult(case, outcome, retreat, tuple(differences), statement)


def run_cases(
    cases: Iterable[Case],
    rules: str | Path | Profile | None = None,
    presolve: bool = True,
    engine: str | Engine = SOLVER,
) -> list[CaseResult | Unanswered]:
    """Return the result of `run_case` for each case, or why the engine has no answer or is not made
    for it.

    Raises the errors of `load_profile` for the rules.
    """
    found: list[CaseResult | Unanswered] = []
    for case in cases:
        try:
            found.append(run_case(case, rules, presolve, engine))
        except NotMadeForError as error:
            found.append(NotMade(case, error.problem))
        except EngineError as error:
            found.append(Unanswered(case, error.problem))
    return found


def rules_for(case: Case, rules: str | Path | Profile) -> Profile:
    """The rules by which a case is judged: those named, with the variant of the case laid over them
    if they do not include it."""
    return with_variant(rules, case.rules)


def stated(case: Case, profile: Profile) -> Statement | None:
    """The statement about a case for a profile, None if there is none.

    A statement holds for a profile whose choices meet all its conditions and none of those that
    exclude it. If several hold, the one with the most conditions counts. Where a profile without a
    rulebook makes no choice, the choice of the profile that the main result is stated for applies.
    If the statement that counts is about a rulebook, and something else is laid over that rulebook,
    there is none.
    """
    standard = load_profile(case.stated_for)
    chosen = choices_of(profile, standard)
    perhaps = chosen | books_of(profile, standard)

    def holds(wanted: Iterable[ChoiceCondition], excluded: Iterable[ChoiceCondition]) -> bool:
        return all(one.is_met(perhaps) for one in wanted) and not any(
            one.is_met(perhaps) for one in excluded
        )

    found = [
        (entry.when, Statement(entry.source, entry.case))
        for entry in case.alternatives
        if not entry.superseded and holds(entry.when, entry.unless)
    ]
    if holds(case.depends, case.unless):
        found.append((case.depends, Statement(case.source, case)))
    conditions, statement = max(found, key=lambda one: len(one[0]), default=((), None))
    return statement if all(one.is_met(chosen) for one in conditions) else None


def run_alternative(case: Case, entry: CaseAlternative) -> dict[str, str]:
    """The profiles that an alternative is stated for (the standard rules with only its choices),
    each with its result there.

    The result is `passed` or `differs`. For an entry without an answer it is `no answer` if the
    equations have none or several resolutions, otherwise `one answer`; `not checked` if the
    document's answer varies.
    """
    found = {}
    for names in combinations(entry.when):
        rules = "+".join((DEFAULT_RULES, *names))
        result = run_case(entry.case or case, rules)
        found[rules] = result.status if entry.case else _answer(entry, result.outcome)
    return found


def _answer(entry: CaseAlternative, outcome: Outcome) -> str:
    if entry.answer == "varies":
        return "not checked"
    unique = all(subgraph.verdict == "unique" for subgraph in outcome.subgraphs)
    return "one answer" if unique else "no answer"


def _compare(
    case: Case, profile: Profile, outcome: Outcome
) -> tuple[Outcome | None, list[CaseMismatch]]:
    """The outcome of the retreat phase, and the differences from the results of the case."""
    differences = _order_differences(case.expected, outcome)
    differences += _retreat_differences(case, outcome)
    retreat: Outcome | None = None
    orders = case.retreat_orders
    if orders is not None and outcome.next.phase.kind is PhaseKind.RETREAT:
        retreat = adjudicate(outcome.next, orders, profile)
        differences += _order_differences(case.retreat_expected, retreat)
    elif orders is not None and case.retreat_expected:
        differences.append(CaseMismatch("the next phase", "retreats", str(outcome.next.phase)))
    last = retreat or outcome
    differences += _unit_differences("disbanded", case.disbanded, last.disbanded, last)
    differences += _unit_differences("after", case.after, last.units, last)
    if isinstance(outcome, AdjustmentOutcome):
        automatic = outcome.automatic
        differences += _unit_differences("automatic", case.automatic or {}, automatic, outcome)
    return retreat, differences


def _order_differences(expected: Iterable[CaseExpectation], outcome: Outcome) -> list[CaseMismatch]:
    differences = []
    for expectation, found in _matched(expected, outcome):
        if found is None or not _as_expected(expectation, found):
            about = f"{expectation.power}: {expectation.order or expectation.unit}"
            words = "missing" if found is None else _words(found)
            differences.append(CaseMismatch(about, _words(expectation), words))
    return differences


def _matched(
    expected: Iterable[CaseExpectation], outcome: Outcome
) -> Iterator[tuple[CaseExpectation, OrderOutcome | None]]:
    """Each expectation with the outcome of the order that it is about, None if that is missing."""
    left = list(outcome.orders)
    return ((one, _match(one, left, outcome)) for one in expected)


def _as_expected(expectation: CaseExpectation, found: OrderOutcome) -> bool:
    """Whether a result is as expected. In later phases the documents list disbanded units
    separately from the orders."""
    fate = "" if found.fate == "disbanded" else found.fate
    word = expectation.verdict.removeprefix("not ")
    is_word = word in ("any", found.verdict)
    is_fate = expectation.fate in ("any", fate)
    return is_fate and is_word == (word == expectation.verdict)


def _unit_differences(
    about: str, expected: Orders | None, found: Orders, outcome: Outcome
) -> list[CaseMismatch]:
    """The differences between the units by power that a document states and those found."""
    if expected is None:
        return []
    reader = reader_for(outcome.position.map)

    def named(units: Iterable[str]) -> str:
        texts = (reader.read_unit(unit) for unit in units)
        return ", ".join(sorted(f"{unit.kind} {unit.location}" for unit in texts)) or "none"

    powers = sorted(set(expected) | ({power for power, units in found.items() if units}))
    rows = (
        (power, named(expected.get(power, ())), named(found.get(power, ()))) for power in powers
    )
    return [CaseMismatch(f"{about}: {power}", e, f) for power, e, f in rows if e != f]


def _match(
    expectation: CaseExpectation, left: list[OrderOutcome], outcome: Outcome
) -> OrderOutcome | None:
    """The outcome that an expectation is about. Each outcome is used only once."""
    for found in left:
        if expectation.order is None:
            named = reader_for(outcome.position.map).read_unit(expectation.unit)
            is_it = found.submitted is None and found.unit.split()[1] == named.location
        else:
            is_it = found.submitted == expectation.order
        if is_it and found.power == expectation.power:
            left.remove(found)
            return found
    return None


def _words(result: CaseExpectation | OrderOutcome) -> str:
    return f"{result.verdict}, {result.fate}" if result.fate else result.verdict


def _retreat_differences(case: Case, outcome: Outcome) -> list[CaseMismatch]:
    reader = reader_for(case.position.map)
    found = []
    for unit, places in case.retreats.items():
        location = reader.read_unit(unit).location
        expected = sorted(reader.read_unit(place).location for place in places)
        listed = [d.retreats for d in outcome.dislodged if d.unit.split()[1] == location]
        actual = sorted(listed[0]) if listed else ["not dislodged"]
        if expected != actual:
            both = ", ".join(expected), ", ".join(actual)
            found.append(CaseMismatch(f"retreats of {unit}", *both))
    return found
