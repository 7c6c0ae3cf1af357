"""A Python without threads, and one without Z3 as well: what a browser has while loading.

Each test runs in a Python of its own, in which no thread can be started, and neither Z3 nor a SAT
solver can be imported unless it says so.
"""

from __future__ import annotations

import json
import threading
import time
from itertools import pairwise
from typing import Any

import pytest

import dipsat
from dipsat.game import PhaseKind
from dipsat.solving import Budget, cases, clause_solver, find_resolutions, models
from dipsat.solving.budget import ExhaustedError, Slices, in_a_thread
from dipsat.solving.models import find_models
from dipsat.studies import rules_for
from dipsat.studies.datc_runs import load_cases
from tests.core.test_architecture import run_python
from tests.core.test_cycles import pigeonhole
from tests.exhaustive import exhaustive
from tests.formats.sheets import PARADOX
from tests.phases import without_solvers

BARE = """
import json, sys, threading
def refuse(thread):
    raise RuntimeError("can't start new thread")
threading.Thread.start = refuse
missing = sys.argv[1].split()
sys.modules.update(dict.fromkeys(missing))  # so that importing them fails
import dipsat
print(json.dumps([dipsat.answer(request) for request in json.loads(sys.argv[2])]))
"""
WITHOUT_Z3, WITH_Z3 = "z3 pysat _multiprocessing", "pysat _multiprocessing"
# A ring of three moves
RING = "Turkey:\n F ANK - CON\n A CON - SMY\n A SMY - ANK\n"
FREE = {"request": "search", "question": "achieve", "goal": "enters(BUR)",
        "position": {"units": {"FRANCE": ["A PAR"]}}}  # fmt: skip
REQUESTS: list[dict[str, Any]] = [
    {"request": "adjudicate", "orders": PARADOX},
    {"request": "adjudicate", "orders": RING},
    {"request": "explain", "orders": PARADOX, "unit": "A BRE"},
    {"request": "prove", "orders": PARADOX},
    {"request": "prove", "orders": RING},
    {"request": "compare", "orders": PARADOX, "rules": ["datc", "1971", "dptg"]},
    {"request": "rules", "what": "check", "rules": {"text": "extends: datc\ncycels: []\n"}},
    {"request": "rules", "what": "difference", "rules": "1982"},
    {"request": "cases", "names": ["6.F.14", "6.F.17"], "rules": "1982"},
    {"request": "legal-orders", "orders": PARADOX},
    {"request": "svg", "orders": PARADOX, "what": "cycle"},
]


def answers_without(missing: str, *requests: dict[str, Any]) -> list[Any]:
    found: list[Any] = json.loads(run_python(BARE, missing, json.dumps(requests)))
    return found


@exhaustive
def test_requests_have_the_same_answers_without_threads_and_z3() -> None:
    expected = without_solvers(json.loads(json.dumps([*map(dipsat.answer, REQUESTS)])))
    found = without_solvers(answers_without(WITHOUT_Z3, *REQUESTS, FREE))
    assert found[:-1] == expected
    assert not any("error" in one for one in expected)
    error = found[-1]["error"]
    assert error["kind"] == "SolverError"
    assert "'z3' is not installed" in error["message"]


@exhaustive
def test_searches_go_on_without_threads() -> None:
    line = {"request": "search", "question": "hold",
            "line": "units: [A CON, A ARM]\nprotect: [ANK, SMY]\n"
                    "enemy: {fleets_not_in: [BLA, AEG, EAS]}\n"}  # fmt: skip
    core = {"request": "explain", "orders": PARADOX, "unit": "A BRE", "core": True}
    limited = [{**FREE, "seconds": 60}, {**line, "seconds": 60}, core]
    found = answers_without(WITH_Z3, *limited)
    assert [one["answer"]["verdict"] for one in found] == ["found", "holds", "fails"]
    assert found[2]["answer"]["core"]["verdict"] != "unknown"


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread can be started."""

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)


def truth(_: Any) -> tuple[int, int]:
    return 0, 1


@exhaustive
@pytest.mark.usefixtures("no_threads")
def test_time_limit_ends_a_question_without_threads() -> None:
    assert in_a_thread(int) is None
    start = time.monotonic()
    found = find_models(pigeonhole(12), str, truth, budget=Budget(None, time.monotonic() + 0.2))
    assert (found.verdict, found.timed_out) == ("unknown", True)
    assert time.monotonic() - start < 10  # it would take minutes
    easy = find_models(pigeonhole(2), str, truth, budget=Budget(None, time.monotonic() + 60))
    assert easy.verdict == "none"


def pigeons(count: int, holes: int) -> list[list[int]]:
    """Clauses: each pigeon sits in a hole, and no two sit in the same hole."""
    sits = [[1 + pigeon * holes + hole for hole in range(holes)] for pigeon in range(count)]
    return sits + [
        [-sits[one][hole], -sits[other][hole]]
        for hole in range(holes)
        for one in range(count)
        for other in range(one)
    ]


@exhaustive
@pytest.mark.usefixtures("no_threads")
@pytest.mark.parametrize("name", ["z3", "sat"])
def test_time_limit_ends_a_search_without_threads(name: str) -> None:
    if name == "sat":
        pytest.importorskip("pysat")
    easy = clause_solver(name, Budget(None, time.monotonic() + 60))
    easy.add(pigeons(3, 3))
    found = easy.solve([1])
    assert found is not None
    assert 1 in found
    assert easy.solve([1, 4]) is None
    start = time.monotonic()
    hard = clause_solver(name, Budget(None, start + 0.2))
    hard.add(pigeons(13, 12))
    with pytest.raises(ExhaustedError, match="time"):
        hard.solve([])
    assert time.monotonic() - start < 10


def missing(*_: Any) -> None:
    raise dipsat.errors.SolverError("z3", "is not installed")


def test_case_analysis_says_when_it_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "find_models", missing)
    monkeypatch.setattr(cases, "_MOST_PARTS", 20_000)
    assert find_resolutions(pigeonhole(2), str, truth).verdict == "none"
    hard = pigeonhole(12)
    with pytest.raises(dipsat.errors.SolverError, match="depend on each other too much"):
        find_resolutions(hard, str, truth)
    for budget in (Budget(None, time.monotonic() + 1e-9), Budget(1)):
        found = find_resolutions(hard, str, truth, budget=budget)
        assert (found.verdict, found.timed_out) == ("unknown", True)


@exhaustive
def test_proofs_of_all_cases_are_the_same_without_z3(monkeypatch: pytest.MonkeyPatch) -> None:
    for case in load_cases(variants=True)[::4]:
        if case.position.phase.kind is not PhaseKind.MOVEMENT:
            continue
        given = case.position, case.orders, rules_for(case, "datc")
        monkeypatch.setattr(models, "find_models", find_models)
        by_z3 = dipsat.prove(*given)
        monkeypatch.setattr(models, "find_models", missing)
        alone = dipsat.prove(*given)
        assert without_solvers(alone.to_dict()) == without_solvers(by_z3.to_dict()), case.name
        asked = {one.solver for one in (*by_z3.evidence.subgraphs, *alone.evidence.subgraphs)}
        assert asked <= {"z3", "case analysis"}


@pytest.mark.usefixtures("no_threads")
def test_slices_grow_until_the_answer_comes_or_the_steps_are_used_up() -> None:
    allowed: list[int] = []

    def check() -> str:
        time.sleep(0.001)
        return "done" if sum(allowed) > 1_000_000 else "open"

    slices = Slices(allowed.append, lambda answer: answer == "open")
    assert Budget(None, time.monotonic() + 60).wait(check, lambda: None, slices) == "done"
    assert [later / one for one, later in pairwise(allowed)] == ([2.0] * (len(allowed) - 1))
    allowed.clear()
    assert Budget(120_000, time.monotonic() + 60).wait(check, lambda: None, slices) == "open"
    assert sum(allowed) == 120_000
    allowed.clear()
    Budget(120_000).wait(check, lambda: None, slices)
    assert not allowed  # the caller has set the limit
