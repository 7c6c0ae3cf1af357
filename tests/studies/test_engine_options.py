"""Options of engines, in names and on the command line, and what they change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dipsat.cli import main
from dipsat.errors import EngineOptionError
from dipsat.outcomes import Engine, find_engine
from dipsat.studies import ENGINES
from dipsat.studies.dpjudge import DPjudge
from dipsat.studies.partial_information import PartialInformation
from dipsat.studies.recursive_guess import RecursiveGuess
from dipsat.studies.simple_recursive import SimpleRecursive
from tests.phases import sheet_of
from tests.studies.test_published_judges import SAFE_CONVOY

NAMED: dict[str, Engine] = {
    "dpjudge(safe_convoys)": DPjudge(safe_convoys=True),
    "dpjudge( safe_convoys = true , missing_army=Mark )": DPjudge(
        missing_army="mark", safe_convoys=True
    ),
    "dpjudge(portage_convoy,safe_convoys=no)": DPjudge(portage_convoy=True),
    "dpjudge(safe_convoys) ": DPjudge(safe_convoys=True),
    "dpjudge()": DPjudge(),
    "recursive_guess(skip_type_e=no)": RecursiveGuess(skip_type_e=False),
    "recursive_guess(skip_type_e=false,single_cycles=no)": RecursiveGuess(False, False),
    "recursive_guess(paths=Resolved,ask_once)": RecursiveGuess(paths="resolved", ask_once=True),
    "recursive_guess(paths=local_marks)": RecursiveGuess(paths="local_marks"),
    "partial_information(retreat_fully=no)": PartialInformation(retreat_fully=False),
    "partial_information(multi_pass=orders)": PartialInformation(multi_pass="orders"),
    "partial_information(multi_pass=decisions)": PartialInformation(multi_pass="decisions"),
    "simple_recursive(dependencies_first)": SimpleRecursive(dependencies_first=True),
}


@pytest.mark.parametrize(("name", "expected"), NAMED.items())
def test_options_stand_in_parentheses_after_the_name(name: str, expected: Engine) -> None:
    assert find_engine(name) == find_engine(expected.name) == expected


@pytest.mark.parametrize("name", ENGINES)
def test_name_of_an_engine_as_usual_has_no_options(name: str) -> None:
    assert find_engine(name).name == name
    assert find_engine(f"{name}()") == find_engine(name)


FAULTS = {
    "dpjudge(safe_convoy)": "unknown option 'safe_convoy'; did you mean safe_convoys?",
    "dpjudge(x)": "unknown option 'x'; its options are missing_fleet, missing_army",
    "recursive_guess(retreat_fully=no)": "its options are skip_type_e, single_cycles",
    "recursive_guess(name=x)": "unknown option 'name'; its options are",
    "dip_eval(k1)": "unknown option 'k1'; it has no options",
    "solver(presolve=no)": "unknown option 'presolve'; it has no options",
    "dpjudge(missing_unit=lost)": "'missing_unit' is hold or mark, not 'lost'",
    "dpjudge(safe_convoys=2)": "'safe_convoys' is yes or no, not '2'",
    "dpjudge(safe_convoys,safe_convoys=no)": "'safe_convoys' is given twice",
    "partial_information(multi_pass)": "'multi_pass' is no or orders or decisions, not 'yes'",
    "recursive_guess(paths=marks)": "'paths' is orders_first or local_marks or resolved, not",
    "dpjudge(safe_convoys": "write options as in dpjudge(option=value, option); "
    "'dpjudge(safe_convoys' does not end in ')'",
}


@pytest.mark.parametrize(("name", "problem"), FAULTS.items())
def test_faulty_options_are_refused_with_what_would_be_right(name: str, problem: str) -> None:
    with pytest.raises(EngineOptionError) as caught:
        find_engine(name)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


# On the command line.


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, arguments)


def test_adjudicate_command_takes_options(tmp_path: Path) -> None:
    file = tmp_path / "safe.txt"
    file.write_text(sheet_of(SAFE_CONVOY), encoding="utf-8")
    shown = run("adjudicate", str(file), "--engine", "dpjudge(safe_convoys)")
    assert shown.output.endswith("nothing is proven.\n")
    assert "Decided by dpjudge(safe_convoys=yes) by rules of its own" in shown.output
    printed = json.loads(run("adjudicate", str(file), "--engine", "dpjudge", "--json").output)
    assert printed["engine"] == "dpjudge"


def test_datc_command_takes_options() -> None:
    shown = run("datc", "6.F", "--engine", "recursive_guess(skip_type_e=no,single_cycles=no)")
    assert shown.output.endswith("30 of 30 cases as the document states.\n")


@pytest.mark.parametrize("command", [("adjudicate", "-"), ("datc",)])
@pytest.mark.parametrize("name", ["dpjudge(safe)", "recursive_gues", "oracle", "", "dpjudge("])
def test_commands_refuse_bad_engines_with_one_error(command: tuple[str, ...], name: str) -> None:
    shown = run(*command, "--engine", name)
    assert shown.exit_code == 2
    assert shown.stdout == ""
    assert shown.stderr.lower().count("error:") == 1
    assert run(*command, "--engine", "dpjudge(safe_convoys)", "--no-presolve").exit_code == 2
