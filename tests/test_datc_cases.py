"""Every DATC case of sections 6.A to 6.G, every order, with presolve and without."""

from __future__ import annotations

import pytest

from dipsat.datc import Case, load_cases, run_case

CASES = load_cases()
NUMBERS = {"6.A": 12, "6.B": 18, "6.C": 9, "6.D": 35, "6.E": 15, "6.F": 30, "6.G": 20}


@pytest.mark.parametrize("presolve", [True, False], ids=["presolve", "z3-only"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_comes_out_as_the_document_states(case: Case, presolve: bool) -> None:
    assert run_case(case, presolve=presolve).differences == ()


def test_all_cases_of_the_movement_sections_are_there() -> None:
    """DATC 3.0 plus the new ones of 3.2; 6.B.14 is about building."""
    names = {case.name for case in CASES}
    for section, number in NUMBERS.items():
        expected = {f"{section}.{n}" for n in range(1, number + 1 + (section == "6.B"))}
        expected.discard("6.B.14")
        assert {name for name in names if name.startswith(section)} == expected


def test_every_order_of_every_case_has_an_expectation() -> None:
    for case in CASES:
        ordered = sum(len(texts) for texts in case.orders.values())
        assert sum(e.order is not None for e in case.expected) == ordered


def test_a_wrong_expectation_is_noticed() -> None:
    """The comparison can fail: with the literal words of one order exchanged."""
    from dataclasses import replace

    case = load_cases(["6.A.11"])[0]
    wrong = replace(case.expected[0], verdict="succeeds")
    result = run_case(replace(case, expected=(wrong, *case.expected[1:])))
    assert [d.expected for d in result.differences] == ["succeeds"]
