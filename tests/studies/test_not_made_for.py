"""Engines and variants: what an engine with its own rules is not made for, case by case."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.errors import NotMadeForError
from dipsat.game import PhaseKind
from dipsat.rules import load_profile, parse_profile, variant_names
from dipsat.studies import (
    ENGINES,
    DatcCases,
    Judge,
    NotMade,
    check_judges,
    crosscheck,
    run_case,
    run_cases,
)
from dipsat.studies.datc_runs import load_cases
from dipsat.studies.engine_names import SOLVER
from dipsat.studies.standard_rules import refuse_variants
from tests.exhaustive import exhaustive, few_of
from tests.phases import position_of
from tests.shipped import shipped_profiles

OWN_RULES = ("dpjudge", "dip_eval")


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, arguments)


# Which rules an engine knows.

# The variants of DATC 2.4, chapters 7 to 12, and others that change how units move.
MOVE_OTHERWISE = {
    "ancient_mediterranean": ("the condition convoys_in", "the feature convoyable_coast"),
    "arpiesse": ("the attribute color",),
    "coastal_convoys": ("the condition convoys_in", "the feature convoyable_coast"),
    "colonial": ("the order Ride", "the order Permit", "the feature suez"),
    "difficult_borders": ("the feature difficult",),
    "ice": ("the condition convoys_in", "the feature ice"),
    "loeb9": ("the feature difficult", "the feature ice"),
    "portage": ("convoys of fleets by armies",),
    "wings": ("the unit wing",),
}


@pytest.mark.parametrize("variant", MOVE_OTHERWISE)
def test_variant_in_which_units_move_differently_is_refused_with_what_is_unknown(
    variant: str,
) -> None:
    with pytest.raises(NotMadeForError) as caught:
        refuse_variants("dip_eval", load_profile(variant))
    text = str(caught.value)
    assert f"its own rules lack what {variant!r} declares: " in text
    assert all(part in text for part in MOVE_OTHERWISE[variant])


@exhaustive
def test_every_other_shipped_profile_is_played() -> None:
    """Rulebooks, choices of chapter 4, deviations of other programs, and variants with only another
    map, other builds or another goal."""
    refused = set()
    for name, rules in shipped_profiles().items():
        try:
            refuse_variants("dip_eval", rules)
        except NotMadeForError:
            refused.add(name.rpartition("/")[2])
    assert refused == MOVE_OTHERWISE.keys()
    assert set(variant_names()) - refused == {"1898", "build_anywhere", "chaos"}


PLAYED = {
    "where powers build": "features: {port: province}\nvariables: {w: Power}\n"
                          "legal:\n  builds_in(w, p): port(p)\n",
    "where units retreat": "features: {wall: border}\n"
                           "legal:\n  no_way(r): not wall(r.origin, r.target)\n",
    "which orders are legal": "legal:\n  shut(m): m.target.code != 'SWI'\n",
    "an equation": "define:\n  cuts(a, s): path(a) and a.power != s.power\n",
    "other words for convoys": "convoys:\n  fleet: {carries: [army], verbs: [ferries]}\n",
    "no convoys": "convoys:\n  fleet: {carries: []}\n",
}  # fmt: skip
REFUSED = {
    "where units move": "features: {wall: border}\n"
                        "legal:\n  no_way(m): not wall(m.origin, m.target)\n",
    "what a standoff is": "features: {haven: province}\n"
                          "results:\n  contested(p): standoff(p) and not haven(p)\n",
    "where fleets convoy": "legal:\n  convoys_in(p): p.kind != 'land'\n",
    "who convoys what": "convoys:\n  fleet: {carries: [army], in: [coast, sea]}\n",
}  # fmt: skip


@pytest.mark.parametrize("what", [*PLAYED, *REFUSED])
def test_house_rules_are_refused_for_what_the_standard_game_has_no_word_for(what: str) -> None:
    text = (PLAYED | REFUSED)[what]
    rules = parse_profile(f"name: own\nextends: datc\n{text}", "own.yaml")
    with pytest.raises(NotMadeForError) if what in REFUSED else nullcontext():
        refuse_variants("dip_eval", rules)


def test_dpjudge_with_its_rule_for_portages_knows_portages() -> None:
    """Hand, on RULE PORTAGE_CONVOY: all steps "are also executed with the roles of those two
    unit-types reversed"."""
    orders = {"FRANCE": ["F LYO - MAO", "A MAR C F LYO - MAO", "A GAS C F LYO - MAO"]}
    position = position_of(orders, "portage")
    found = dipsat.adjudicate(position, orders, "portage", engine="dpjudge(portage_convoy)")
    assert found.order("F LYO").verdict == "succeeds"
    for name in OWN_RULES:
        with pytest.raises(NotMadeForError, match="convoys of fleets by armies"):
            dipsat.adjudicate(position, orders, "portage", engine=name)


def test_phases_that_no_engine_decides_are_played_by_the_rules_of_any_variant() -> None:
    """DATC 2.4, 10.K is about a retreat phase; its movement phase is for no engine."""
    (case,) = load_cases(["10.K"])
    retreat = run_case(case).retreat
    assert retreat is not None
    rules, orders = retreat.profile, case.retreat_orders or {}
    found = dipsat.adjudicate(retreat.position, orders, rules, engine="dip_eval")
    assert found.to_dict() == retreat.to_dict()


# `dipsat datc`.


@exhaustive
@pytest.mark.parametrize("name", few_of([*ENGINES[1:], SOLVER], 1))
def test_every_case_of_the_datc_runs_by_every_engine_or_is_not_made_for_it(name: str) -> None:
    cases = load_cases(variants=True)
    results = list(run_cases(cases, engine=name))
    assert [result.case.name for result in results] == [case.name for case in cases]
    chapters = Counter(r.case.name.split(".")[0] for r in results if isinstance(r, NotMade))
    if name == SOLVER:
        assert not chapters
    elif name in OWN_RULES:
        movement = [c for c in cases if c.position.phase.kind is PhaseKind.MOVEMENT and c.rules]
        assert chapters == Counter(case.name.split(".")[0] for case in movement)
        assert set(chapters) == {"7", "8", "9", "10"}
    else:
        assert chapters == {"7": 34}
        assert all("knows no orders of the kinds" in r.problem for r in results
                   if isinstance(r, NotMade))  # fmt: skip


@exhaustive
def test_datc_command_counts_cases_that_an_engine_is_not_made_for() -> None:
    shown = run("datc", "--engine", "partial_information")
    assert shown.exit_code == 0
    assert "partial_information is not made for 34 cases:" in shown.output
    assert "34 cases: it knows no orders of the kinds that 'datc+colonial' declares." in " ".join(
        shown.output.split()
    )
    assert shown.output.endswith("238 of 238 cases as the document states.\n")


@pytest.mark.parametrize(("section", "count"), [("7.C", 14), ("8", 5), ("9", 14), ("10", 16)])
def test_chapters_of_variants_are_not_answered_by_the_standard_rules(
    section: str, count: int
) -> None:
    listed = run("datc", section, "--engine", "dip_eval", "--json")
    assert listed.exit_code == 0
    rows = [row for row in json.loads(listed.output) if row["status"] != "passed"]
    assert {row["status"] for row in rows} == {"not made for this engine"}
    assert {(row["passed"], row["source"], row["outcome"]) for row in rows} == {(False, None, None)}
    assert all("declares" in row["problem"] for row in rows)
    assert len(rows) == count


def test_one_case_that_an_engine_is_not_made_for_is_shown_with_the_reason() -> None:
    shown = run("datc", "10.A", "--engine", "dip_eval")
    assert shown.exit_code == 0
    assert "dip_eval is not made for 1 case:" in shown.output
    assert "the feature difficult" in " ".join(shown.output.split())
    assert shown.output.endswith("No case could be compared with the document.\n")


def test_a_case_that_differs_still_counts_beside_those_not_made_for() -> None:
    shown = run("datc", "6.F.24", "10.A", "--rules", "datc", "--engine", "dpjudge")
    assert shown.exit_code == 1
    assert "not made for" in shown.output


# `dipsat crosscheck`.


@exhaustive
def test_datc_cases_are_compared_by_the_rules_and_on_the_map_of_their_variant() -> None:
    """With orders of Colonial (`A Moscow - TSR - Omsk`), which the standard rules cannot read."""
    report = crosscheck(["solver:datc", "solver:1982"], [DatcCases(("7.C",))], smallest=0)
    cases = load_cases(["7.C"])
    movement = [case for case in cases if case.position.phase.kind is PhaseKind.MOVEMENT]
    assert report.failures == ()
    assert report.compared == len(movement) > 10
    assert not report.not_made_for


@exhaustive
def test_a_judge_that_is_not_made_for_a_case_agrees_with_nobody_there() -> None:
    sources = [DatcCases(("6.A", "9", "10"))]
    report = crosscheck(["solver:1982", "dip_eval", "dpjudge", "decision_graph"], sources)
    ours, variants = len(load_cases(["6.A"])), len(load_cases(["9", "10"]))
    assert report.compared == report.judged["solver:1982"] == ours + variants
    assert {p.judges: p.compared for p in report.pairs} == {
        ("solver:1982", "dip_eval:1982"): ours,
        ("solver:1982", "dpjudge:1982"): ours,
        ("solver:1982", "decision_graph:1982"): ours + variants,
        ("dip_eval:1982", "dpjudge:1982"): ours,
        ("dip_eval:1982", "decision_graph:1982"): ours,
        ("dpjudge:1982", "decision_graph:1982"): ours,
    }
    assert {judge: sum(why.values()) for judge, why in report.not_made_for.items()} == {
        "dip_eval:1982": variants, "dpjudge:1982": variants,
    }  # fmt: skip
    assert not report.unanswered
    assert report.to_dict()["not_made_for"]["dip_eval:1982"] == report.not_made_for["dip_eval:1982"]


@exhaustive
def test_a_judge_is_not_hidden_by_one_that_is_not_made_for_all_of_its_phases() -> None:
    """DIP_EVAL, the first, agrees with 1982 on chapter 6; the two profiles differ in chapter 9."""
    judges = ["dip_eval:1982", "solver:1982", "solver:dptg"]
    report = crosscheck(judges, [DatcCases(("6.A", "9"))], smallest=0)
    assert report.pair("dip_eval:1982", "solver:1982").agree == len(load_cases(["6.A"]))
    assert "solver:1982" not in report.alike
    assert ("solver:1982", "solver:dptg") in {group.judges for group in report.groups}


def test_nothing_is_compared_where_one_of_two_judges_is_not_made_for_it() -> None:
    shown = run("crosscheck", "--datc", "10.A", "-e", "dip_eval")
    assert shown.exit_code == 0
    assert "agree" not in shown.output
    assert "No phase." in shown.output
    assert "Not made for 1 phase: dip_eval." in shown.output


@exhaustive
def test_matrix_says_on_how_many_phases_a_pair_was_compared() -> None:
    shown = run("crosscheck", "--datc", "10", "--datc", "6.A", "-e", "solver:datc",
                "-e", "decision_graph", "-e", "dip_eval")  # fmt: skip
    assert "12 of 12" in shown.output
    assert "28" in shown.output
    assert "They agree on this many of 28 phases." in shown.output


@exhaustive
def test_saved_orders_of_a_variant_name_its_rules_and_still_differ(tmp_path: Path) -> None:
    arguments = ("--datc", "10.N", "-e", "solver:datc", "-e", "solver:dptg")
    assert run("crosscheck", *arguments, "--save", str(tmp_path / "found")).exit_code == 1
    (file,) = (tmp_path / "found").iterdir()
    text = file.read_text(encoding="utf-8")
    assert yaml.safe_load(text)["map"] == "loeb9"
    outcomes = []
    for rules in ("datc+difficult_borders", "dptg+difficult_borders"):
        assert f"# dipsat adjudicate FILE --rules {rules}\n" in text
        shown = run("adjudicate", str(file), "--rules", rules, "--json")
        outcomes.append([row["verdict"] for row in json.loads(shown.output)["orders"]])
    assert outcomes[0] != outcomes[1]


def test_rules_that_have_the_variant_already_are_named_once() -> None:
    (judge,) = check_judges([Judge("dip_eval", "difficult_borders")])[1:]
    assert judge.options("datc", "difficult_borders") == (
        "--rules difficult_borders --engine dip_eval"
    )
