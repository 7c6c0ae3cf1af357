"""`dipsat prove`: what it prints, its exit status, its files, and how it takes bad input."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat.cli import main
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
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plain.txt").write_text(PLAIN, encoding="utf-8")
    Path("paradox.txt").write_text(PARADOX, encoding="utf-8")


def run(*arguments: str, stdin: bytes | str | None = None) -> Result:
    result = CliRunner().invoke(main, ["prove", *arguments], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def refused(*arguments: str, stdin: bytes | str | None = None) -> str:
    """The message of a command that refused its input."""
    result = run(*arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr
    return result.stderr


def test_unique_is_status_0() -> None:
    result = run("plain.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    verdict, _, head, first = result.stdout.splitlines()[:4]
    assert re.fullmatch(r"Proven unique: \d+ decisions in \d+ subgraphs? by Z3, .*", verdict)
    assert head.split() == ["Subgraph", "Decisions", "Verdict", "Resolutions", "Orders"]
    assert first.split()[2:4] == ["unique", "1"]


def test_not_unique_is_status_1_with_the_cycle_and_the_core() -> None:
    result = run("paradox.txt")
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout.startswith("Proven not unique: ")
    assert "2 resolutions." in result.stdout
    words = " ".join(result.stdout.split())
    assert " subgraphs by Z3, " in words
    assert "3 of 4 subgraphs have exactly one consistent resolution." in words
    assert "Decision cycle attack_strength(F WAL - ENG), convoy(F ENG C A BRE - LON)," in words
    assert words.endswith("Order core A BRE, F ENG, F LON, F WAL")


def test_too_little_time_is_status_3() -> None:
    read = run("plain.txt", "--timeout", "0.0000001")
    assert (read.exit_code, read.stderr.count("\n")) == (3, 1)
    assert read.stderr.endswith("seconds: the limit of 1e-07 was not enough\n")
    for point in range(1, readings_of(lambda: run("plain.txt", "--timeout", "60"))):
        with late_after(point):
            late = run("plain.txt", "--timeout", "60")
        assert late.exit_code == 3
        if not late.stderr:
            assert "Not decided: " in late.stdout
            assert "the time limit was not enough" in late.stdout
    assert run("plain.txt", "--timeout", "60").exit_code == 0


def test_json_is_the_proof() -> None:
    result = run("paradox.txt", "--json")
    assert result.exit_code == 1
    value = json.loads(result.stdout)
    orders = {
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
    }
    units = {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}
    assert value == dipsat.prove(dipsat.Position.from_units(units), orders).to_dict()


def test_standard_input_rules_and_map() -> None:
    assert run("-", stdin=PLAIN).exit_code == 0
    Path("stuck.yaml").write_text(
        "extends: datc\nname: stuck\ndecisions:\n  move(m): move(m)\n", encoding="utf-8"
    )
    result = run("plain.txt", "--rules", "stuck.yaml", "--json", "--map", "standard")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["rules"] == "stuck"


def test_files_alone_confirm_the_verdicts() -> None:
    for name, status in (("plain", 0), ("paradox", 1)):
        result = run(f"{name}.txt", "--smt2", f"out/{name}")
        assert result.exit_code == status
        folder = Path("out", name)
        files = {p.name: p.read_text(encoding="utf-8") for p in sorted(folder.iterdir())}
        assert f"{len(files)} files in out/{name}" in result.stdout
        found = {part: confirmed(files, part) for part in names_of(files)}
        assert found.pop("whole") == ("several" if status else "unique")
        assert ("several" in found.values()) == bool(status)


def test_a_folder_with_files_is_refused_without_force() -> None:
    assert run("plain.txt", "--smt2", "out").exit_code == 0
    message = refused("paradox.txt", "--smt2", "out")
    assert message.startswith("error: out: is not empty")
    assert "use `force`" in message
    assert run("paradox.txt", "--smt2", "out", "--force").exit_code == 1
    text = Path("out", "whole.system.smt2").read_text(encoding="utf-8")
    assert "F ENG C A BRE - LON" in text
    assert "plain.txt: is not a folder" in refused("plain.txt", "--smt2", "plain.txt")


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon"])
def test_a_timeout_is_a_positive_number(seconds: str) -> None:
    assert "not a positive number of seconds" in refused("plain.txt", "--timeout", seconds)


def test_bad_input_is_status_2_as_for_adjudicate() -> None:
    absent = "phase: S1901M\nunits: {ENGLAND: [A LON]}\norders: {ENGLAND: [A WAL H]}\n"
    cases = {
        ("missing.txt",): None, ("-",): "", ("plain.txt", "--rules", "nosuch"): None,
        ("plain.txt", "--map", "nosuch"): None,
    }  # fmt: skip
    for arguments, stdin in cases.items():
        own = refused(*arguments, stdin=stdin)
        other = CliRunner().invoke(main, ["adjudicate", *arguments], input=stdin)
        assert own == other.stderr
    assert "no unit stands in WAL" in refused("-", stdin=absent)
    assert run("-", "--lenient", stdin=absent).exit_code == 0
    assert "cannot read the order" in refused("-", stdin="England:\n  A Lon frobs\n")


def test_other_phases_have_nothing_to_prove() -> None:
    Path("retreats.yaml").write_text(RETREATS, encoding="utf-8")
    assert "phase F1901R: only movement phases" in refused("retreats.yaml")


@exhaustive
def test_files_do_not_depend_on_the_hash_seed() -> None:
    found = set()
    for seed in ("1", "2"):
        code = "from dipsat.cli import main; main()"
        path = os.pathsep.join([str(Path(dipsat.__file__).parent.parent)])
        subprocess.run(
            [sys.executable, "-c", code, "prove", "paradox.txt", "--smt2", seed],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            check=False, capture_output=True,
        )  # fmt: skip
        texts = [p.read_text(encoding="utf-8") for p in sorted(Path(seed).iterdir())]
        found.add("".join(texts))
    assert len(found) == 1
