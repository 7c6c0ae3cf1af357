"""Running the DATC cases and comparing every order with what the document states."""

from __future__ import annotations

from dataclasses import dataclass

from dipsat.formats.datc import Case, Expectation, load_cases
from dipsat.orders.reader import reader_for
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.outcome import OrderOutcome, Outcome

__all__ = ["Case", "CaseResult", "Difference", "load_cases", "run_case"]


@dataclass(frozen=True, slots=True)
class Difference:
    """An order (or `retreats` of a unit) that came out otherwise than the document states."""

    about: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case after running. It passes if nothing differs."""

    case: Case
    outcome: Outcome
    differences: tuple[Difference, ...]

    @property
    def passed(self) -> bool:
        """Whether every order came out as the document states."""
        return not self.differences


def run_case(case: Case, rules: str | Profile = "datc", presolve: bool = True) -> CaseResult:
    """Adjudicate a case and compare every order, unordered unit and stated retreat."""
    outcome = adjudicate(case.position, case.orders, rules, presolve=presolve)
    left = list(outcome.orders)
    differences = []
    for expectation in case.expected:
        found = _match(expectation, left, outcome)
        if found is None:
            differences.append(Difference(_about(expectation), _words(expectation), "missing"))
        elif (found.verdict, found.fate) != (expectation.verdict, expectation.fate):
            differences.append(Difference(_about(expectation), _words(expectation), _words(found)))
    differences += _retreat_differences(case, outcome)
    return CaseResult(case, outcome, tuple(differences))


def _match(
    expectation: Expectation, left: list[OrderOutcome], outcome: Outcome
) -> OrderOutcome | None:
    """The outcome that an expectation is about; each outcome is used once."""
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


def _about(expectation: Expectation) -> str:
    return f"{expectation.power}: {expectation.order or expectation.unit}"


def _words(result: Expectation | OrderOutcome) -> str:
    return f"{result.verdict}, {result.fate}" if result.fate else result.verdict


def _retreat_differences(case: Case, outcome: Outcome) -> list[Difference]:
    reader = reader_for(case.position.map)
    found = []
    for unit, places in case.retreats.items():
        location = reader.read_unit(unit).location
        expected = sorted(reader.read_unit(place).location for place in places)
        listed = [d.retreats for d in outcome.dislodged if d.unit.split()[1] == location]
        actual = sorted(listed[0]) if listed else ["not dislodged"]
        if expected != actual:
            found.append(Difference(f"retreats of {unit}", ", ".join(expected), ", ".join(actual)))
    return found
