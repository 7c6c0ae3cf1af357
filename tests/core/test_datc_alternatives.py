"""What the DATC documents state for other choices of chapter 4, and for rulebooks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from click.testing import CliRunner

from dipsat.base import parse_yaml
from dipsat.cli import main
from dipsat.errors import DocumentError
from dipsat.formats import CaseAlternative, choices_of, datc_cases as reading
from dipsat.formats.datc_cases import read_conditions
from dipsat.rules import load_profile, shipped_names
from dipsat.studies import run_case
from dipsat.studies.datc_runs import Case, load_cases, run_alternative, stated
from tests.exhaustive import exhaustive, first_of_each, spread_parts_of
from tools.datc_table import files, rulebooks

CASES = load_cases(older=True)
STATED = [(case, entry) for case in CASES for entry in case.alternatives]
RULEBOOKS = rulebooks()
MAIN = "that of the case"
NUMBERS = {"6.B": 11, "6.D": 9, "6.E": 4, "6.F": 28, "6.G": 22, "6.H": 4, "6.I": 3, "6.J": 11}


def case_of(name: str) -> Case:
    """The case with this name."""
    return load_cases([name])[0]


def source_of(name: str, rules: str) -> str | None:
    """Where the result of a case for these rules is stated; None if nowhere."""
    statement = stated(case_of(name), load_profile(rules))
    return None if statement is None else statement.source


@pytest.mark.parametrize(
    ("case", "entry"), first_of_each(STATED, lambda _, entry: entry.when),
    ids=[f"{case.name} {' '.join(c.text for c in entry.when)}" for case, entry in STATED],
)  # fmt: skip
def test_alternative_comes_out_as_stated(case: Case, entry: CaseAlternative) -> None:
    """With the standard rules and only the choices that it is stated for. A statement that a later
    document contradicts must fail, so that none is called superseded needlessly."""
    wanted = {"none": "no answer", "varies": "not checked"}.get(entry.answer, "passed")
    if entry.superseded:
        wanted = "differs"
    found = run_alternative(case, entry)
    assert found == dict.fromkeys(found, wanted)


@pytest.mark.parametrize("rules", RULEBOOKS)
@pytest.mark.parametrize("cases", spread_parts_of(CASES, 20))
def test_no_case_differs_under_a_rulebook(cases: Sequence[Case], rules: str) -> None:
    profile = load_profile(rules)
    results = [run_case(case, profile) for case in cases]
    assert [r.case.name for r in results if r.status == "differs"] == []
    assert sum(r.passed for r in results) > len(cases) // 2


@exhaustive
@pytest.mark.parametrize("rules", [rules for rules in RULEBOOKS if rules != "datc"])
def test_no_convoy_case_differs_under_a_rulebook_with_a_paradox_rule_laid_over_it(
    rules: str,
) -> None:
    """What a rulebook says about convoying fleets also counts for the paradox rules (DATC 2.4
    6.F.20: a fleet that the DPTG leaves out of the convoy "is not a 'convoying' fleet")."""
    choices = [name.rpartition("/")[2] for name in shipped_names() if "/4.A.2-" in name]
    assert len(choices) > 5
    for choice in (*choices, "4.A.1-a", "4.A.1-a+4.A.2-1982", "4.A.1-b+4.A.2-1982"):
        profile = load_profile(f"{rules}+{choice}")
        for case in load_cases(["6.F", "6.G"]):
            result = run_case(case, profile)
            assert result.status != "differs", (choice, case.name)


def test_all_alternatives_are_stated() -> None:
    found = dict.fromkeys(NUMBERS, 0)
    for case, _ in STATED:
        found[case.name[:3]] += 1
    assert found == NUMBERS


def test_every_condition_names_a_shipped_choice_or_rulebook() -> None:
    known = {name.rpartition("/")[2] for name in shipped_names()}
    conditions = [c for case in CASES for c in (*case.depends, *case.unless)]
    conditions += [c for _, entry in STATED for c in entry.when]
    named = {name for condition in conditions for name in condition.names}
    assert named - known == set()
    assert len(named) > 50


def test_main_results_are_stated_for_the_standard_rules() -> None:
    """Under the profile that the case names, and under `datc` itself; not if it is older."""
    for case in CASES:
        for rules in (case.stated_for, "datc"):
            statement = stated(case, load_profile(rules))
            assert (statement is None) == case.older, (case.name, rules)
            assert statement is None or statement.case is case, (case.name, rules)


@pytest.mark.parametrize("rules", RULEBOOKS)
def test_statements_for_a_rulebook_do_not_contradict_each_other(rules: str) -> None:
    """Statements with as many conditions as the one that counts say the same."""
    profile = load_profile(rules)
    for case in CASES:
        chosen = choices_of(profile, load_profile(case.stated_for))
        holding = [
            (len(entry.when), entry.case)
            for entry in case.alternatives
            if not entry.superseded and all(c.is_met(chosen) for c in entry.when)
        ]
        most = max((number for number, _ in holding), default=0)
        results = [other and other.expected for number, other in holding if number == most]
        assert all(result == results[0] for result in results), case.name


@pytest.mark.parametrize(
    ("case", "rules", "source"),
    [
        ("6.F.17", "datc", MAIN), ("6.F.17", "datc+4.A.2-1982", "DATC 3.0 6.F.17"),
        ("6.F.17", "1982", "DATC 3.0 6.F.17"),
        ("6.F.17", "datc+4.A.2-1982+4.A.2-szykman", MAIN),
        ("6.F.19", "datc+4.A.2-1982", "DATC 2.4 6.F.19; the same in 3.0 for 1982"),
        # A rulebook says nothing of issues that it does not list.
        ("6.B.7", "1982", None), ("6.B.7", "datc+4.A.2-1982", MAIN),
        ("6.B.7", "1982+4.B.4-d", MAIN), ("6.A.1", "1982", MAIN),
        # More conditions count more.
        ("6.F.10", "datc+4.A.1-a", "DATC 3.0 6.F.10"), ("6.F.10", "dptg", "DATC 2.4 6.F.10"),
        # The main result is not stated where a choice excludes it.
        ("6.F.25", "datc+4.C.1-a", None), ("6.F.25", "1971", MAIN),
    ],
)  # fmt: skip
def test_choices_decide_which_statement_counts(case: str, rules: str, source: str | None) -> None:
    assert source_of(case, rules) == (case_of(case).source if source == MAIN else source)


def test_superseded_statements_are_not_used() -> None:
    (superseded,) = [(case, entry) for case, entry in STATED if entry.superseded]
    assert superseded[0].name == "6.F.20"
    assert source_of("6.F.20", "datc+4.A.2-1971") is None


def test_a_case_without_an_answer_is_not_stated() -> None:
    result = run_case(case_of("6.F.18"), "2000")
    assert (result.status, result.passed, result.is_stated) == ("not stated", False, False)
    assert result.statement is not None
    assert (result.statement.source, result.statement.case) == ("DATC 3.0 6.F.18", None)


def test_a_wrong_alternative_and_one_without_an_answer_are_noticed() -> None:
    case = case_of("6.F.9")
    (entry,) = case.alternatives
    assert entry.case is not None
    wrong = replace(entry, case=replace(entry.case, expected=case.expected))
    assert run_alternative(case, wrong) == {"datc+4.A.1-a": "differs"}
    none = replace(entry, case=None, answer="none")
    assert run_alternative(case, none) == {"datc+4.A.1-a": "one answer"}


@pytest.mark.parametrize(
    ("verdict", "fate", "passes"),
    [("illegal", "", True), ("not succeeds", "", True), ("any", "", True), ("fails", "", False),
     ("not illegal", "", False), ("any", "dislodged", False), ("not succeeds", "destroyed", False)],
)  # fmt: skip
def test_a_verdict_may_be_open(verdict: str, fate: str, passes: bool) -> None:
    case = case_of("6.A.1")
    open_case = replace(case, expected=(replace(case.expected[0], verdict=verdict, fate=fate),))
    assert run_case(open_case).passed is passes


# The command


def test_datc_judges_by_a_rulebook() -> None:
    result = CliRunner().invoke(main, ["datc", "--rules", "1982", "6.F"])
    assert result.exit_code == 0
    rows = dict(line.split(None, 1) for line in result.output.splitlines() if line[:2] == "6.")
    assert rows["6.F.17"].startswith("passed")
    assert rows["6.F.28"].startswith("not stated")
    assert "no document states a result" in " ".join(result.output.split())


def test_datc_names_the_source_of_a_result() -> None:
    arguments = ["datc", "--rules", "1982", "--json", "6.F.17", "6.F.28"]
    first, second = json.loads(CliRunner().invoke(main, arguments).output)
    assert (first["status"], first["source"]) == ("passed", "DATC 3.0 6.F.17")
    assert (second["status"], second["passed"], second["source"]) == ("not stated", False, None)


def test_older_forms_are_run_only_when_asked_for() -> None:
    older = {case.name for case in CASES if case.older}
    assert older == {f"6.J.{n}" for n in ("6-v2.4", "9-v2.4a", "9-v2.4b", "10-v2.4", "11-v2.4")}
    assert older.isdisjoint(case.name for case in (*load_cases(), *load_cases(["6.J"])))
    (row,) = json.loads(CliRunner().invoke(main, ["datc", "--json", "6.j.6-v2.4"]).output)
    assert row["status"] == "not stated"
    listed = json.loads(
        CliRunner().invoke(main, ["datc", "--json", "--rules", "1971", "6.J"]).output
    )
    assert {r["status"] for r in listed if r["case"] in older} == {"passed"}


@exhaustive
def test_the_page_is_up_to_date() -> None:
    """`python -m tools.datc_table` writes it."""
    for path, text in files().items():
        assert path.read_text(encoding="utf-8") == text


# Faults in the data


SECTION = """\
section: 9.Z
source: here
stated_for: rulebooks/datc-3
cases:
  - case: 9.Z.1
    title: a case
    orders:
      France:
        - {{order: A PAR - BUR, verdict: succeeds}}
    alternatives:
      - when: [4.A.1-a]
        source: there
        {}
"""


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("orders: {France: [{order: A PAR - PIC, verdict: fails}]}", "no order 'A PAR - PIC' of"),
        ("orders: {Italy: [{order: A PAR - BUR, verdict: fails}]}", "no order 'A PAR - BUR' of"),
        ("answer: perhaps", "an answer is none or varies, not 'perhaps'"),
        ("result: fails", "unknown key 'result'"),
        ("", "'source' is missing"),
    ],
)
def test_faulty_alternatives_are_refused(entry: str, problem: str) -> None:
    text = SECTION.format(entry) if entry else SECTION.format("").replace("source: there", "")
    root = parse_yaml(text, "9.Z.yaml").mapping()
    with pytest.raises(DocumentError, match=problem):
        reading._case(root["cases"].sequence()[0], root)


def test_conditions_are_read() -> None:
    first, second = read_conditions(parse_yaml("[4.A.2-1971/all-hold, dptg]", "x.yaml"))
    assert first.names == ("4.A.2-1971", "4.A.2-all-hold")
    assert second.names == ("dptg",)
    with pytest.raises(DocumentError, match="names no choice"):
        read_conditions(parse_yaml("[4.A.2 or so]", "x.yaml"))
