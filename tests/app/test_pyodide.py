"""dipsat in WebAssembly: a Python without threads and processes, and at first without Z3, gives the
answers that any Python gives. A site of the rule lab keeps the memory of this Python.

Node runs it. `.ci/run` fetches Pyodide, its PyYAML and its Z3 into a folder, and names that folder
in the variable DIPSAT_PYODIDE.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat import studies
from tests.app.lab_site import needs_pyodide, site as site
from tests.checkout import ROOT
from tests.core.test_without_z3 import FREE, REQUESTS
from tests.exhaustive import exhaustive
from tests.formats.sheets import PARADOX
from tests.phases import without_solvers

NODE = shutil.which("node")
pytestmark = [exhaustive, needs_pyodide]

OWN = """\
extends: datc
title: A unit that holds is as strong as two
decisions:
  hold_strength(p): base + (1 if some(p.units) and not some(p.departures) else 0)
"""
MALFORMED: dict[str, Any] = {
    "request": "rules",
    "what": "check",
    "rules": {"text": "extends: datc\ntitle: [a\n"},
}
MISSPELT: dict[str, Any] = {
    "request": "rules", "what": "check", "rules": {"text": OWN.replace("some(p.u", "som(p.u")},
}  # fmt: skip
BEFORE: list[dict[str, Any]] = [
    *REQUESTS,
    {"request": "adjudicate", "orders": PARADOX, "rules": {"text": OWN}},
    MISSPELT,
    MALFORMED,
    FREE,
    {"request": "cases"},
]
LINE = "units: [A CON, A ARM]\nprotect: [ANK, SMY]\nenemy: {fleets_not_in: [BLA, AEG, EAS]}\n"
OPEN: dict[str, Any] = {
    "request": "search",
    "question": "paradox",
    "position": {
        "units": {
            "ENGLAND": ["F LON", "F WAL", "F NTH"],
            "FRANCE": ["A BRE", "F ENG", "A PIC"],
            "GERMANY": ["F BEL", "F HOL", "A RUH", "A MUN"],
        }
    },
}
BETWEEN: list[dict[str, Any]] = [
    {**FREE, "solver": "sat"},
    {"request": "search", "question": "guarantee", "goal": "enters(BUR)", "power": "FRANCE",
     "position": {"units": {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A MUN"]}}},
    {"request": "search", "question": "hold", "line": LINE},
    OPEN,
]  # fmt: skip
START = dipsat.Position.start().to_dict()
AFTER: list[dict[str, Any]] = [
    {"request": "prove", "orders": PARADOX},
    {"request": "explain", "orders": PARADOX, "unit": "A BRE", "core": True},
    {**FREE, "solver": "z3", "seconds": 60},
    {"request": "search", "question": "hold", "line": LINE, "seconds": 60},
    {**OPEN, "solver": "z3"},
    {"request": "search", "question": "paradox", "position": START, "seconds": 0.05},
]


@pytest.fixture(scope="module")
def found(site: Path) -> dict[str, Any]:  # the fixture
    """What node prints."""
    command = [str(NODE), str(Path(__file__).with_name("in_pyodide.mjs")), str(site)]
    done = subprocess.run(
        command,
        input=json.dumps({"before": BEFORE, "between": BETWEEN, "after": AFTER}),
        capture_output=True,
        encoding="utf-8",
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers


def test_paradox_is_settled_before_z3_is_there(found: dict[str, Any]) -> None:
    outcome = found["before"][0]["answer"]
    verdicts = {order["unit"]: order["verdict"] for order in outcome["orders"]}
    assert verdicts == {
        "F LON": "given", "F WAL": "succeeds", "A BRE": "fails", "F ENG": "disrupted",
    }  # fmt: skip
    assert outcome["dislodged"][0]["unit"] == "F ENG"


def test_answers_are_those_of_any_python(found: dict[str, Any]) -> None:
    usual = [dipsat.answer(request) for request in (*BEFORE, *AFTER)]
    for request, here, there in zip(
        (*BEFORE, *AFTER), usual, (*found["before"], *found["after"]), strict=True
    ):
        if request not in (MALFORMED, FREE, *AFTER[-2:]):
            expected = json.loads(json.dumps(here))
            assert without_solvers(there) == without_solvers(expected), request


def test_proofs_say_whether_z3_was_there(found: dict[str, Any]) -> None:
    for answers, requests, solver, missing in (
        ("before", BEFORE, "case analysis", "z3"), ("after", AFTER, "z3", None),
    ):  # fmt: skip
        at = requests.index({"request": "prove", "orders": PARADOX})
        solved = found[answers][at]["answer"]["evidence"]["subgraphs"]
        assert {(one["solver"], one["instead_of"]) for one in solved} == {(solver, missing)}


def test_faults_have_their_places(found: dict[str, Any]) -> None:
    (misspelt,) = found["before"][BEFORE.index(MISSPELT)]["answer"]["faults"]
    assert (misspelt["line"], misspelt["hint"]) == (4, "did you mean 'some'?")
    (malformed,) = found["before"][BEFORE.index(MALFORMED)]["answer"]["faults"]
    assert malformed["message"].startswith("malformed YAML")
    assert malformed["line"] == 2  # where the list that is not closed begins


def test_search_waits_for_a_solver(found: dict[str, Any]) -> None:
    assert found["before"][BEFORE.index(FREE)]["error"]["kind"] == "SolverError"
    free, guarantee, line, paradox = found["between"]
    assert free["answer"]["verdict"] == "found"
    here = dipsat.answer(BETWEEN[1])["answer"]
    assert guarantee["answer"]["verdict"] == here["verdict"]
    assert line["answer"]["verdict"] == "holds"  # which needs no solver
    assert paradox["answer"]["verdict"] == found["after"][4]["answer"]["verdict"] == "found"
    assert found["after"][2]["answer"]["verdict"] == "found"
    assert found["after"][3]["answer"]["verdict"] == "holds"


def test_time_limit_ends_a_search(found: dict[str, Any]) -> None:
    assert found["after"][-1]["answer"]["verdict"] == "unknown"
    (seconds,) = (found["seconds"][name] for name in found["seconds"] if name == "after 5 search")
    assert seconds < 10


def test_all_cases_pass(found: dict[str, Any]) -> None:
    cases = found["before"][-1]["answer"]
    assert cases["counts"] == {"passed": len(studies.load_cases())}


def test_kept_memory_is_small_and_reveals_nothing_about_who_made_it(site: Path) -> None:
    told = json.loads((site / "engine.json").read_text(encoding="utf-8"))["memory"]
    packed = (site / told["name"]).read_bytes()
    assert told["size"] == len(packed) < 14_000_000
    memory = gzip.decompress(packed)
    assert len(memory) == told["bytes"]
    assert b"import dipsat" in memory
    for own in (site, ROOT, NODE):
        assert str(own).encode() not in memory
