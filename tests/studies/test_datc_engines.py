"""The page with every engine and every DATC case about movement."""

from __future__ import annotations

from dataclasses import replace

from dipsat.studies import ENGINES
from dipsat.studies.engine_names import SOLVER
from tests.exhaustive import exhaustive
from tools.datc_engines import (
    COLUMNS,
    Column,
    cell,
    files,
    movement_cases,
    results,
)


@exhaustive
def test_the_page_is_up_to_date() -> None:
    """`python -m tools.datc_engines` writes it."""
    for path, text in files().items():
        assert path.read_text(encoding="utf-8") == text


def test_every_engine_is_in_the_table_beside_the_solver() -> None:
    assert {column.engine for column in COLUMNS} == set(ENGINES)
    assert {Column(SOLVER, column.rules) for column in COLUMNS} <= set(COLUMNS)


def test_a_wrong_result_is_shown_as_wrong() -> None:
    (case,) = [case for case in movement_cases() if case.name == "6.C.1"]
    wrong = replace(case, expected=(replace(case.expected[0], verdict="fails"), *case.expected[1:]))
    solved, found = (results(Column(SOLVER, "datc"), [c])[0] for c in (case, wrong))
    assert (cell(solved, solved), cell(found, solved)) == ("agrees", "differs")


def test_an_engine_that_differs_where_nothing_is_stated_is_shown() -> None:
    """6.G.13 is stated for 4.A.4 a and b; the rulebook of 1982 chooses neither for certain. Only
    under b does a convoyed army cut support against the province that it came from."""
    cases = [case for case in movement_cases() if case.name == "6.G.13"]
    (solved,), (found,) = (
        results(Column(name, "rulebooks/1982"), cases) for name in (SOLVER, "dpjudge")
    )
    assert (cell(solved, solved), cell(found, solved)) == ("not stated", "not as solver")
