"""Variants: rule files with a map, playable by name, judged as DATC 2.4 chapters 8 to 12 say."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.errors import CompositionError, DipsatError, FeatureError, ProblemsError, SettingError
from dipsat.formats import CaseAlternative, names_of_cases
from dipsat.rules import load_profile, parse_profile
from dipsat.studies import rules_for, run_case
from dipsat.studies.datc_runs import Case, load_cases, run_alternative
from tests.exhaustive import exhaustive, few_of

NUMBERS = {"8": "ABCDE", "9": "ABCDEFG", "10": "ABCDEFGHIJKLMNO", "11": "A", "12": "ABCD"}
"""The cases of each chapter of the document."""
CASES = tuple(case for case in load_cases(NUMBERS, older=True))
STATED = [(case, entry) for case in CASES for entry in case.alternatives]
RULEBOOKS = ("1971", "1982", "2000", "2023", "dptg", "datc-2.4", "datc-3")
VARIANTS = dipsat.variant_names()
HOLDING = "4.A.2-all-hold/2000-all-hold"
"""The rule that all moves of a paradox fail, alone and as the fallback of the rule of 2000."""


# --- the cases of the document --------------------------------------------------------------------


@pytest.mark.parametrize("presolve", [True, pytest.param(False, id="z3-only", marks=exhaustive)])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_comes_out_as_the_document_states(case: Case, presolve: bool) -> None:
    assert run_case(case, presolve=presolve).differences == ()


def test_all_cases_of_the_chapters_exist() -> None:
    names = {f"{chapter}.{letter}" for chapter, letters in NUMBERS.items() for letter in letters}
    reversed_roles = {f"9.{letter}-portage" for letter in NUMBERS["9"]}
    assert {case.name for case in CASES} == {*names, "10.G-b"} | reversed_roles


def test_cases_of_variants_are_separate_from_those_of_the_standard_rules() -> None:
    assert not {case.name for case in load_cases()} & {case.name for case in CASES}
    assert {case.name for case in load_cases(variants=True)} >= {case.name for case in CASES}
    every = load_cases(older=True, variants=True)
    assert [case.name for case in every] == list(names_of_cases())  # read without the cases
    assert [case.name for case in load_cases(["12"])] == ["12.A", "12.B", "12.C", "12.D"]
    assert all(
        sum(e.order is not None for e in case.expected) == sum(map(len, case.orders.values()))
        for case in CASES
    )


@exhaustive
@pytest.mark.parametrize(
    ("case", "entry"), STATED,
    ids=[f"{case.name} {' '.join(c.text for c in entry.when)}" for case, entry in STATED],
)  # fmt: skip
def test_paradox_rules_give_what_the_document_states(case: Case, entry: CaseAlternative) -> None:
    wanted = {"none": "no answer"}.get(entry.answer, "passed")
    found = run_alternative(case, entry)
    assert found
    assert found == dict.fromkeys(found, wanted)


def test_the_document_states_results_for_several_paradox_rules() -> None:
    chapter = [(case, entry) for case, entry in STATED if case.name.startswith("9.")]
    told = {(case.name, c.text) for case, entry in chapter for c in entry.when}
    assert told == {
        (f"{name}{form}", choice)
        for name, choices in {
            "9.E": ("4.A.2-1971/1982/2000", HOLDING),
            "9.F": ("4.A.2-1971/2000", "4.A.2-1982", HOLDING),
            "9.G": ("4.A.2-1971/2000", "4.A.2-1982", HOLDING),
        }.items()
        for form in ("", "-portage")
        for choice in choices
    }


@exhaustive
@pytest.mark.parametrize("rules", few_of(RULEBOOKS, 1))
def test_no_case_differs_under_a_rulebook(rules: str) -> None:
    results = [run_case(case, rules) for case in CASES]
    assert [r.case.name for r in results if r.status == "differs"] == []
    assert sum(r.passed for r in results) > len(CASES) * 3 // 4


def test_a_case_is_judged_by_the_variant_laid_over_the_rules() -> None:
    (case,) = load_cases(["9.E"])
    assert rules_for(case, "1982").name == "1982+coastal_convoys"
    assert rules_for(case, "1982").legal.keys() == {"convoys_in"}
    named = load_profile("coastal_convoys+4.A.2-1982")
    assert rules_for(case, named) is named
    (standard,) = load_cases(["6.A.1"])
    assert rules_for(standard, "1982") is load_profile("1982")


def test_a_wrong_fate_is_a_difference_and_any_fate_is_not() -> None:
    (case,) = load_cases(["9.C"])
    at = next(n for n, e in enumerate(case.expected) if e.fate)
    for fate, differences in (("", 1), ("any", 0)):
        changed = list(case.expected)
        changed[at] = replace(changed[at], fate=fate)
        assert len(run_case(replace(case, expected=tuple(changed))).differences) == differences


# --- playing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", few_of(VARIANTS, 4))
def test_variant_is_played_on_its_map_by_its_rules(name: str, tmp_path: Path) -> None:
    game, rng = dipsat.Game.new(name), random.Random(0)
    profile = load_profile(name)
    assert game.profile.layers == profile.layers
    assert profile.map in dipsat.map_names()
    assert game.map_name == game.position.map.name == profile.map
    for _ in range(5):
        orders = {
            power: [rng.choice(texts) for texts in units.values()]
            for power, units in game.all_legal_orders().items()
        }
        outcome = game.submit(orders).advance()
        refused = {"illegal"} if str(outcome.position.phase).endswith("A") else set()
        assert {o.verdict for o in outcome.orders if o.submitted} & {"illegal"} <= refused
    game.save(tmp_path / "game.json")
    again = dipsat.Game.load(tmp_path / "game.json")
    assert again.to_dict() == game.to_dict()
    assert again.profile.layers == game.profile.layers


def test_a_name_of_a_map_and_a_variant_means_the_variant_unless_rules_are_named() -> None:
    assert dipsat.Game.new("chaos").rules == "chaos"
    assert dipsat.Game.new("chaos", "datc").rules == "datc"
    assert dipsat.Game.new("variants/chaos").profile.layers == load_profile("chaos").layers
    assert dipsat.Game.new("standard").rules == "datc"
    assert dipsat.Game.new().map_name == "standard"


def test_rules_with_a_map_are_played_on_it() -> None:
    game = dipsat.Game.new(rules="1982+ice")
    assert (game.map_name, game.rules) == ("loeb9", "1982+ice")
    assert dipsat.Game.new("1982+ice").profile.layers == game.profile.layers
    named = dipsat.Game.new("imperium", "difficult_borders")
    assert named.map_name == "imperium"


def test_builds_and_centres_at_the_start_of_1898_and_chaos() -> None:
    """DATC 2.4 chapter 12: starting units, owned centres and homes are three things."""
    germany = dipsat.load_map("1898").powers["GERMANY"]
    assert germany.home == ("BER", "KIE", "MUN")
    assert (germany.start, germany.centers) == (("A KIE",), ("KIE",))
    chaos = dipsat.Position.start("chaos")
    assert str(chaos.phase) == "W1900A"
    assert {len(owned) for owned in chaos.centers.values()} == {1}


# --- rules and options by name --------------------------------------------------------------------


def test_options_are_chosen_in_the_name_or_beside_it() -> None:
    named = load_profile("chaos+waive=illegal+victory=never")
    assert (named.settings.waive, named.settings.victory) == ("illegal", "never")
    assert load_profile("chaos", settings={"waive": "illegal", "victory": "never"}) is named
    chosen = {"waive": "illegal", "victory": "never"}
    assert load_profile(load_profile("chaos"), settings=chosen) is named
    assert named.map == "chaos"
    assert named.name == "chaos+waive=illegal+victory=never"
    assert load_profile(named.name) is named


OWN = """\
name: own
extends: datc
options: {snow: [in fall, all the year]}
define: {closed(m): snow == "all the year"}
legal: {no_way(m): not closed(m)}
"""


def test_declared_options_are_chosen_by_whoever_names_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(OWN, encoding="utf-8")
    chosen = {"snow": "all the year"}
    assert load_profile(path, settings=chosen).declared.chosen == chosen
    position = dipsat.Position.start()
    for name, verdict in ((str(path), "succeeds"), (f"{path}+snow=all the year", "illegal")):
        outcome = dipsat.adjudicate(position, {"FRANCE": ["A PAR - BUR"]}, name)
        assert outcome.order("A PAR").verdict == verdict


def test_both_files_that_give_one_variable_two_types_are_named() -> None:
    """Each file is right by itself, so no line of an equation is reported."""
    with pytest.raises(ProblemsError) as caught:
        load_profile("arpiesse+colonial")
    found = [str(problem) for problem in caught.value.problems if "'red'" not in str(problem)]
    assert found == [
        "rules/variants/colonial.yaml:43:6: variable 'x' has type Ride here and Exchange at "
        "rules/variants/arpiesse.yaml:73:6; rename one of the two",
        "rules/variants/colonial.yaml:46:6: variable 'k' has type Leg here and Color at "
        "rules/variants/arpiesse.yaml:71:6; rename one of the two",
    ]


@pytest.mark.parametrize(
    ("name", "error", "problem"),
    [
        ("chaos+wave=illegal", SettingError,
         "'wave': there is no such setting; did you mean 'waive'?"),
        ("chaos+waive=no", SettingError,
         "'waive': 'no' is not one of its values; choose from allowed"),
        ("chaos+zzz=1", SettingError, "'zzz': there is no such setting; known: adjacent_convoy"),
        ("chaos+waive=illegal+1982", CompositionError, "1982 comes after a setting"),
        ("waive=illegal+waive=allowed", CompositionError, "no profile before them"),
    ],
)  # fmt: skip
def test_wrong_setting_in_a_name_is_one_error(
    name: str, error: type[DipsatError], problem: str
) -> None:
    with pytest.raises(error) as caught:
        load_profile(name)
    assert problem in str(caught.value)


# --- features of the map --------------------------------------------------------------------------


def test_rules_are_refused_on_a_map_without_their_feature() -> None:
    position = dipsat.Position.start()
    with pytest.raises(FeatureError) as caught:
        dipsat.adjudicate(position, {}, "ice")
    found = caught.value
    assert (found.feature, found.rules, found.map) == ("ice", "ice", "standard")
    assert "loeb9" in found.maps
    assert "standard" not in found.maps
    assert str(found).startswith("the rules 'ice' need the feature 'ice' of a province, which the ")
    for ask in (
        lambda: dipsat.prove(position, {}, "ice"),
        lambda: dipsat.Game(position, "ice"),
        lambda: dipsat.Game.new("standard", "difficult_borders"),
        lambda: dipsat.search(position, dipsat.Paradox(), rules="ice"),
        lambda: dipsat.compare(position, {}, ["datc", "ice"]),
    ):
        with pytest.raises(FeatureError):
            ask()


def test_a_feature_of_borders_is_not_one_of_provinces() -> None:
    rules = parse_profile("extends: datc\nfeatures: {difficult: province}\n", "own.yaml")
    with pytest.raises(FeatureError, match="the map 'loeb9' does not have; no shipped map has it"):
        dipsat.adjudicate(dipsat.Position.start("loeb9"), {}, rules)


# --- the command line -----------------------------------------------------------------------------


def run(*arguments: str, status: int = 0, text: str | None = None) -> str:
    """What a command prints, on both streams."""
    result = CliRunner().invoke(main, arguments, input=text)
    assert result.exit_code == status, result.output
    return result.output


NORWAY = "Norway:\n F Norwegian Sea - Arctic Ocean\n"


def test_rules_bring_their_map_unless_another_is_named(tmp_path: Path) -> None:
    assert "F NWG - ARC  succeeds" in run("adjudicate", "-", "--rules", "ice", text=NORWAY)
    assert "F NWG - NAO" in run(
        "adjudicate", "-", "--rules", "ice", "--map", "loeb9_naf_tun",
        text="Norway:\n F NWG - NAO\n",
    )  # fmt: skip
    refused = run("adjudicate", "-", "--rules", "ice", "--map", "standard", status=2,
                  text="France:\n A Par H\n")  # fmt: skip
    assert "need the feature 'ice'" in refused
    file = tmp_path / "fall.yaml"
    text = "phase: F1901M\nrules: ice\norders: {Norway: [F NWG - ARC]}\n"
    file.write_text(text, encoding="utf-8")
    assert "nobody enters the ice before spring" in run("adjudicate", str(file))
    file.write_text(f"{text}map: standard\n", encoding="utf-8")
    assert "unknown power" in run("adjudicate", str(file), status=2)


def test_set_chooses_a_setting_of_the_rules_that_are_named_or_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    orders = "orders: {France: [A PAR - BUR]}\n"
    (tmp_path / "own.yaml").write_text(OWN, encoding="utf-8")
    file.write_text(f"rules: own.yaml\n{orders}", encoding="utf-8")
    snow = ("--set", "snow=all the year")
    assert "succeeds" in run("adjudicate", str(file))
    assert "no way" in run("adjudicate", str(file), *snow)
    file.write_text(orders, encoding="utf-8")
    assert "no way" in run("adjudicate", str(file), "--rules", str(tmp_path / "own.yaml"), *snow)
    assert "'snow': there is no such setting" in run("adjudicate", str(file), *snow, status=2)
    assert "NAME=VALUE" in run("adjudicate", str(file), "--set", "snow", status=2)
    assert "--set goes with --rules" in run("replay", str(file), *snow, status=2)


@pytest.mark.parametrize("command", ["adjudicate", "prove", "explain"])
def test_commands_take_set(command: str) -> None:
    typed, text = (command, "-", "--set"), "France:\n A PAR - BUR\n"
    assert "'no' is not one of its values" in run(*typed, "waive=no", status=2, text=text)
    assert run(*typed, "waive=illegal", text=text)


@exhaustive
def test_datc_runs_chapters_of_variants_under_other_rules() -> None:
    rows = json.loads(run("datc", "9", "--rules", "1982", "--json"))
    status = {row["case"]: row["status"] for row in rows}
    assert status["9.F"] == status["9.G"] == "passed"
    assert status["9.E"] == "not stated"
