"""`dipsat prove`: what it prints, its exit status, its files, and how it takes bad input."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dipsat
from tests.app.commands import printed, refused, run, write
from tests.checkout import ROOT
from tests.exhaustive import exhaustive
from tests.formats.sheets import PARADOX
from tests.oracles.second_solver import confirmed, names_of
from tests.strangers.clock import late_after, readings_of

PLAIN = "England:\n  A Lon - Wal\nFrance:\n  A Par S A Mar - Bur\n  A Mar - Bur\n"
RETREATS = """\
phase: F1901R
units: {FRANCE: [A BUR]}
dislodged: {GERMANY: [A RUH]}
orders: {GERMANY: [A RUH R HOL]}
"""


@pytest.fixture(autouse=True)
def _files(in_an_empty_folder: None) -> None:
    write("plain.txt", PLAIN)
    write("paradox.txt", PARADOX)


def test_unique_is_status_0() -> None:
    lines = printed("prove", "plain.txt").splitlines()
    assert all(len(line) <= 80 for line in lines)
    verdict, _, head, first = lines[:4]
    assert re.fullmatch(r"Proven unique: \d+ decisions in \d+ subgraphs? by Z3, .*", verdict)
    assert head.split() == ["Subgraph", "Decisions", "Verdict", "Resolutions", "Orders"]
    assert first.split()[2:4] == ["unique", "1"]


def test_not_unique_is_status_1_with_the_cycle_and_the_core() -> None:
    words = " ".join(printed("prove", "paradox.txt", status=1).split())
    assert words.startswith("Proven not unique: ")
    assert "2 resolutions." in words
    assert " subgraphs by Z3, " in words
    assert "3 of 4 subgraphs have exactly one consistent resolution." in words
    assert "Decision cycle attack_strength(F WAL - ENG), convoy(F ENG C A BRE - LON)," in words
    assert words.endswith("Order core A BRE, F ENG, F LON, F WAL")


def test_too_little_time_is_status_3() -> None:
    read = run("prove", "plain.txt", "--timeout", "0.0000001")
    assert (read.exit_code, read.stderr.count("\n")) == (3, 1)
    assert read.stderr.endswith("this takes more than 1e-07 seconds\n")
    command = ("prove", "plain.txt", "--timeout", "60")
    for point in range(1, readings_of(lambda: run(*command))):
        with late_after(point):
            late = run(*command)
        assert late.exit_code == 3
        if not late.stderr:
            assert "Not decided: " in late.stdout
            assert "the time limit was not enough" in late.stdout
    assert run(*command).exit_code == 0


def test_json_is_the_proof() -> None:
    orders = {
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
    }
    units = {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}
    proof = dipsat.prove(dipsat.Position.from_units(units), orders)
    assert json.loads(printed("prove", "paradox.txt", "--json", status=1)) == proof.to_dict()


def test_standard_input_rules_and_map() -> None:
    write("stuck.yaml", "extends: datc\nname: stuck\ndecisions:\n  move(m): move(m)\n")
    given = ("-", "--rules", "stuck.yaml", "--json", "--map", "standard")
    result = run("prove", *given, stdin=PLAIN)
    assert (result.exit_code, json.loads(result.stdout)["rules"]) == (1, "stuck")


@pytest.mark.parametrize(("name", "status"), [("plain", 0), ("paradox", 1)])
def test_files_alone_confirm_the_verdicts(name: str, status: int) -> None:
    said = printed("prove", f"{name}.txt", "--smt2", "out/new", status=status)
    files = {file.name: file.read_text("utf-8") for file in sorted(Path("out/new").iterdir())}
    assert f"{len(files)} files in out/new" in said
    found = {part: confirmed(files, part) for part in names_of(files)}
    assert found.pop("whole") == ("several" if status else "unique")
    assert ("several" in found.values()) == bool(status)


def test_a_folder_with_files_is_refused_without_force() -> None:
    assert run("prove", "plain.txt", "--smt2", "out").exit_code == 0
    said = refused("prove", "paradox.txt", "--smt2", "out")
    assert said.startswith("error: out: is not empty")
    assert "use `force`" in said
    assert run("prove", "paradox.txt", "--smt2", "out", "--force").exit_code == 1
    assert "F ENG C A BRE - LON" in Path("out/whole.system.smt2").read_text("utf-8")
    assert "is not a folder" in refused("prove", "plain.txt", "--smt2", "plain.txt")


@pytest.mark.parametrize("seconds", ["0", "nan", "inf", "soon"])
def test_a_timeout_is_a_positive_number(seconds: str) -> None:
    said = refused("prove", "plain.txt", "--timeout", seconds)
    assert "not a positive number of seconds" in said


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (("missing.txt",), None),
        (("-",), ""),
        (("plain.txt", "--rules", "nosuch"), None),
        (("-",), "England:\n  A Lon frobs\n"),
    ],
)
def test_bad_input_is_refused_as_by_adjudicate(
    arguments: tuple[str, ...], stdin: str | None
) -> None:
    own, other = (refused(name, *arguments, stdin=stdin) for name in ("prove", "adjudicate"))
    assert own == other


def test_orders_for_nobody_are_judged_when_lenient_and_other_phases_are_refused() -> None:
    absent = "phase: S1901M\nunits: {ENGLAND: [A LON]}\norders: {ENGLAND: [A WAL H]}\n"
    assert "no unit stands in WAL" in refused("prove", "-", stdin=absent)
    assert run("prove", "-", "--lenient", stdin=absent).exit_code == 0
    assert "phase F1901R: only movement phases" in refused("prove", "-", stdin=RETREATS)


@exhaustive
def test_files_do_not_depend_on_the_hash_seed() -> None:
    for seed in ("1", "2"):
        subprocess.run(
            [sys.executable, "-m", "dipsat", "prove", "paradox.txt", "--smt2", seed],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            check=False, capture_output=True,
        )  # fmt: skip
    one, other = ([file.read_bytes() for file in sorted(Path(s).iterdir())] for s in "12")
    assert one == other != []
