"""Every DATC case of chapter 6, every order, with presolve and without."""

from __future__ import annotations

import pytest

from dipsat.studies import run_case
from dipsat.studies.datc_runs import Case, load_cases

CASES = load_cases()
NUMBERS = {
    "6.A": 12, "6.B": 19, "6.C": 9, "6.D": 35, "6.E": 15, "6.F": 30, "6.G": 20, "6.H": 17,
    "6.I": 7, "6.J": 12,
}  # fmt: skip


@pytest.mark.parametrize("presolve", [True, False], ids=["presolve", "z3-only"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_comes_out_as_the_document_states(case: Case, presolve: bool) -> None:
    assert run_case(case, presolve=presolve).differences == ()


def test_all_176_cases_are_there() -> None:
    """DATC 3.0 plus the new ones of 3.2, which has 176; further forms are extra."""
    assert sum(NUMBERS.values()) == 176
    names = {case.name for case in CASES}
    for section, number in NUMBERS.items():
        found = {name for name in names if name.startswith(section) and "-" not in name}
        assert found == {f"{section}.{n}" for n in range(1, number + 1)}
    assert {name for name in names if "-" in name} == {
        "6.D.31-second", "6.J.2-v3.0", "6.J.3-v3.0", "6.J.5-v3.0", "6.J.9-v3.0a", "6.J.9-v3.0b",
        "6.J.10-v3.0",
    }  # fmt: skip


def test_every_order_of_every_case_has_an_expectation() -> None:
    for case in CASES:
        ordered = sum(len(texts) for texts in case.orders.values())
        assert sum(e.order is not None for e in case.expected) == ordered
        retreats = (case.retreat_orders or {}).values()
        assert len(case.retreat_expected) == sum(len(texts) for texts in retreats)


def test_a_wrong_expectation_is_noticed() -> None:
    """The comparison fails if the expected verdict of one order is changed."""
    from dataclasses import replace

    case = load_cases(["6.A.11"])[0]
    wrong = replace(case.expected[0], verdict="succeeds")
    result = run_case(replace(case, expected=(wrong, *case.expected[1:])))
    assert [d.expected for d in result.differences] == ["succeeds"]
