"""Every single choice of DATC chapter 4: no case differs from what a document states.

A result that presupposes a choice says so in `datc/`. `python -m tools.datc_choices` runs all cases
under every choice; here are those of the variants, and those of chapter 6 under the choices on
which its results depend most.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dipsat.formats import Case, choices_of
from dipsat.outcomes import AdjustmentOutcome
from dipsat.rules import load_profile
from dipsat.studies import run_case
from dipsat.studies.datc_runs import load_cases, stated
from tests.exhaustive import exhaustive, first_of_each
from tools.datc_choices import choices, main, stated_results

ALL = load_cases(older=True, variants=True)
VARIANTS = tuple(case for case in ALL if case.rules)


def case_of(name: str) -> Case:
    """The case with this name."""
    return load_cases([name])[0]


def status(name: str, rules: str) -> str:
    """The status of a case."""
    return run_case(case_of(name), rules).status


@exhaustive
@pytest.mark.parametrize(
    ("choice", "every"),
    [(choices()[0], 9), *(pytest.param(choice, 1, marks=exhaustive) for choice in choices())],
)
def test_no_case_differs_under_a_single_choice(choice: str, every: int) -> None:
    cases = (ALL if "/4.A." in choice or "/4.C.5" in choice else VARIANTS)[::every]
    results = list(stated_results(choice, cases))
    assert [result.case.name for result in results if result.differences] == []
    assert len(results) > len(cases) // 3


def test_the_sweep_reports_what_differs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """10.M without its condition on 4.A.5."""
    case = case_of("10.M")
    wrong = replace(case, unless=case.unless[1:], alternatives=())
    monkeypatch.setattr("tools.datc_choices.load_cases", lambda *_, **__: (wrong,))
    monkeypatch.setattr("tools.datc_choices.choices", lambda: ["4.A.5-a", "4.A.5-b", "4.A.6-c"])
    assert main([]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "datc+4.A.5-a  10.M  TURKEY: A Sicily Hold: stands, destroyed, not stands, dislodged",
        "1 of 2 stated results of 1 cases differ.",
    ]


# The conditions, and the sentences from which they follow.


PATHLESS = [
    *(f"9.{letter}{form}" for form in ("", "-portage") for letter in "CDEFG"),
    "7.C.13", "7.C.14", "7.D.1", "10.M", "10.N",
]  # fmt: skip


@exhaustive
@pytest.mark.parametrize(
    "case",
    first_of_each(PATHLESS, lambda name: name[:2]),
)
def test_a_case_without_paths_says_nothing_of_the_choice_that_requires_them(case: str) -> None:
    """DATC 2.4, 4.A.6: "Some popular automated judges require that a path is specified for the army
    that convoys." No order of these variants has one."""
    assert status(case, "datc") == "passed"
    assert status(case, "4.A.6-c") == "not stated"


@pytest.mark.parametrize("case", ["7.D.1", "10.O"])
def test_a_case_without_nationalities_says_nothing_where_they_are_required(case: str) -> None:
    """DATC 2.4, 4.C.5, a, about a foreign unit without its nationality: "The order is invalid." In
    7.D.1 five powers convoy a British army, in 10.O Spain supports an Italian fleet."""
    assert status(case, "4.C.5-b") == "passed"
    assert status(case, "4.C.5-a") == "not stated"


def test_whether_the_army_of_10m_can_retreat_depends_on_choice_4a5() -> None:
    """DATC 2.4, 10.M: "the Turkish army in Sicily is dislodged"; 4.A.5, a: "The unit may not
    retreat to the starting place of the attacker".
    """
    fates = {}
    for choice in ("4.A.5-a", "4.A.5-b"):
        result = run_case(case_of("10.M"), choice)
        assert result.passed
        fates[choice] = next(o.fate for o in result.outcome.orders if o.power == "TURKEY")
    assert fates == {"4.A.5-a": "destroyed", "4.A.5-b": "dislodged"}


@exhaustive
def test_the_army_of_10n_is_convoyed_where_the_route_counts() -> None:
    """DATC 2.4, 10.N: "Since the army in Naples is using a convoy"; 4.A.3, a: "choose always the
    convoy route above the land route", b: "The land route is taken except when the unit in the
    target area moves in opposite direction"."""
    assert {status("10.N", f"4.A.3-{one}") for one in ("a", "d", "2023")} == {"passed"}
    assert {status("10.N", f"4.A.3-{one}") for one in "bc"} == {"not stated"}


def test_what_excludes_a_result_excludes_its_alternatives_too() -> None:
    """6.F.9 writes no path, whatever 4.A.1 says."""
    assert status("6.F.9", "4.A.1-a") == "passed"
    assert status("6.F.9", "4.A.1-a+4.A.6-c") == "not stated"
    (entry,) = case_of("10.M").alternatives
    assert [condition.text for condition in entry.unless] == ["4.A.6-c"]  # not 4.A.5-a, its own


# A rulebook over which another choice is laid.


@pytest.mark.parametrize(
    ("rules", "is_named"),
    [
        ("dptg", True), ("dptg+4.C.5-b", True), ("dptg+4.A.2-dptg", True),
        ("dptg+4.A.2-1982", False), ("dptg+4.E.1-d", False), ("dptg+foreign.yaml", False),
    ],
)  # fmt: skip
def test_a_rulebook_with_another_choice_is_not_that_rulebook(
    rules: str, is_named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`foreign.yaml` lets foreign fleets convoy, which the DPTG leaves out (DATC 2.4, 4.A.1)."""
    monkeypatch.chdir(tmp_path)
    Path("foreign.yaml").write_text(
        "extends: datc\ndefine:\n  carries(c, m): c.on_route\n", encoding="utf-8"
    )
    profile = load_profile(rules)
    assert ("dptg" in choices_of(profile, load_profile("datc-3"))) is is_named
    statement = stated(case_of("6.F.10"), profile)
    assert (statement and statement.source) == ("DATC 2.4 6.F.10" if is_named else None)


def test_results_stated_apart_from_rulebooks_hold_for_changed_rulebooks_too() -> None:
    """6.F.9 depends on 4.A.1 only."""
    assert status("6.F.9", "dptg+4.E.1-d") == "passed"
    assert status("6.E.7", "dptg+4.E.1-d") == "not stated"  # the DPTG has a rule of its own for it


# A second order for the fleet of 6.D.31, and distances in civil disorder.


@pytest.mark.parametrize(
    ("rules", "verdict"),
    [
        ("4.E.1-d", "succeeds"), ("4.E.1-c", "succeeds"), ("4.E.1-c+4.D.3-a", "succeeds"),
        ("4.E.1-b+4.D.3-c", "illegal"), ("4.E.1-a+4.D.3-a", "illegal"),
        ("4.E.1-b+4.D.3-b", "succeeds"), ("4.E.1-a+4.D.3-b", "succeeds"),
    ],
)  # fmt: skip
def test_a_second_order_beside_an_impossible_support(rules: str, verdict: str) -> None:
    """DATC 2.4, 6.D.31: "if the fleet in the Black Sea gets a second order, then this may fail,
    because of double orders (although it can also be ruled differently, see issue 4.D.3). However,
    when the support order is considered "illegal" (see issue 4.E.1), then this impossible support
    must be ignored and the second order must be carried out".
    """
    result = run_case(case_of("6.D.31-second"), rules)
    assert result.passed
    assert result.outcome.orders[2].verdict == verdict


@pytest.mark.parametrize(
    ("choice", "removed"),
    [("a", "A SIL"), ("b", "A GRE"), ("c", "A GRE"), ("d", "A SIL"), ("e", "A SIL")],
)
def test_without_a_fleet_the_way_to_count_decides(choice: str, removed: str) -> None:
    """DATC 2.4, 6.J.11: the distance of Greece "is one, two or three (depending how you count, see
    issue 4.D.8)"; 4.D.8: "If two distances are the same, then the alphabetical order of the areas
    becomes significant." Silesia is three away. 6.J.10, about a convoy: "Anyway, the army in
    Silesia has to be removed"."""
    for case, expected in (("6.J.11-v2.4", removed), ("6.J.10-v2.4", "A SIL")):
        result = run_case(case_of(case), f"4.D.8-{choice}")
        assert result.passed
        assert isinstance(result.outcome, AdjustmentOutcome)
        assert result.outcome.automatic == {"ITALY": (expected,)}
