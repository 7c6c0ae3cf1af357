"""Running the DATC cases and comparing every order with what the document states."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dipsat.formats.datc import Case, Expectation, Orders, load_cases
from dipsat.game.phase_name import PhaseKind
from dipsat.orders.reader import reader_for
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.adjustments import AdjustmentOutcome
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
    """A case after running; it passes if nothing differs. `outcome` is that of the first phase,
    `retreat` that of the retreat phase, if the case has one."""

    case: Case
    outcome: Outcome
    retreat: Outcome | None
    differences: tuple[Difference, ...]

    @property
    def passed(self) -> bool:
        """Whether everything came out as the document states."""
        return not self.differences


def run_case(case: Case, rules: str | Profile = "datc", presolve: bool = True) -> CaseResult:
    """Adjudicate a case and compare all that its document states."""
    profile = load_profile(rules)
    outcome = adjudicate(case.position, case.orders, profile, presolve=presolve)
    differences = _order_differences(case.expected, outcome)
    differences += _retreat_differences(case, outcome)
    retreat = None
    if case.retreat_orders is not None:
        retreat = _retreat_phase(case, outcome, profile)
        if retreat is not None:
            differences += _order_differences(case.retreat_expected, retreat)
        elif case.retreat_expected:
            differences.append(Difference("the next phase", "retreats", str(outcome.next.phase)))
    last = retreat or outcome
    differences += _unit_differences("disbanded", case.disbanded, last.disbanded, last)
    differences += _unit_differences("after", case.after, last.units, last)
    if isinstance(outcome, AdjustmentOutcome):
        automatic = outcome.automatic
        differences += _unit_differences("automatic", case.automatic or {}, automatic, outcome)
        differences += _home_differences(case, profile)
    return CaseResult(case, outcome, retreat, tuple(differences))


def _retreat_phase(case: Case, outcome: Outcome, profile: Profile) -> Outcome | None:
    """The retreat phase of a case, None if nobody can retreat."""
    assert case.retreat_orders is not None
    if outcome.next.phase.kind is not PhaseKind.RETREAT:
        return None
    return adjudicate(outcome.next, case.retreat_orders, profile)


def _home_differences(case: Case, profile: Profile) -> list[Difference]:
    """The same case under the older civil disorder rule, where its document tells."""
    if case.automatic_home is None:
        return []
    settings = replace(profile.settings, civil_disorder="home by kind")
    outcome = adjudicate(case.position, case.orders, replace(profile, settings=settings))
    assert isinstance(outcome, AdjustmentOutcome)
    return _unit_differences(
        "automatic by home centres", case.automatic_home, outcome.automatic, outcome
    )


def _order_differences(expected: Iterable[Expectation], outcome: Outcome) -> list[Difference]:
    left = list(outcome.orders)
    differences = []
    for expectation in expected:
        found = _match(expectation, left, outcome)
        if found is None:
            differences.append(Difference(_about(expectation), _words(expectation), "missing"))
        elif not _as_expected(expectation, found):
            differences.append(Difference(_about(expectation), _words(expectation), _words(found)))
    return differences


def _as_expected(expectation: Expectation, found: OrderOutcome) -> bool:
    """In later phases the documents tell of disbanded units apart from the orders."""
    fate = "" if found.fate == "disbanded" else found.fate
    return (found.verdict, fate) == (expectation.verdict, expectation.fate)


def _unit_differences(
    about: str, expected: Orders | None, found: Orders, outcome: Outcome
) -> list[Difference]:
    """Units by power: those the document states, in any notation, against those found."""
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
    return [Difference(f"{about}: {power}", e, f) for power, e, f in rows if e != f]


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
