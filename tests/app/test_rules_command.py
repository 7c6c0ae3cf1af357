"""`dipsat rules`: list, show, diff, check and new."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat.base import parse_yaml
from dipsat.cli import main
from dipsat.rules import (
    Profile,
    difference,
    load_profile,
    parse_profile,
    shipped_names,
    whole_profile,
)
from dipsat.rules.profile_difference import normal_form
from tests.checkout import ROOT
from tests.exhaustive import few_of

DATC = "extends: datc\n"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str, status: int = 0) -> str:
    """What `dipsat rules` prints on standard output, or on standard error if it refuses."""
    result: Result = CliRunner().invoke(main, ["rules", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == status, result.output
    assert status != 0 or result.stderr == ""
    return result.stderr if status == 2 else result.stdout


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


# list


def test_list_groups_the_profiles_and_fits_80_columns() -> None:
    printed = run("list")
    assert max(map(len, printed.splitlines())) <= 80
    lines = [line.rstrip() for line in printed.splitlines()]
    assert lines[0] == "Profiles"
    assert lines[1].startswith("datc ")
    assert "Judges: what other programs do" in lines


@pytest.mark.parametrize(
    ("prefix", "begins"),
    [("4.A.2", "4.A.2-"), ("4.a.2", "4.A.2-"), ("4.B", "4.B."), ("choices/4.A.1-", "4.A.1-")],
)
def test_list_with_a_prefix_has_the_profiles_that_begin_with_it(prefix: str, begins: str) -> None:
    rows = json.loads(run("list", prefix, "--json"))
    names = {row["short"] for row in rows}
    every = {row["short"] for row in json.loads(run("list", "--json"))}
    assert names == {name for name in every if name.startswith(begins)} != set()
    printed = run("list", prefix)
    assert all(name in printed for name in names)
    assert "Variants" not in printed


def test_list_with_a_prefix_of_none_says_what_was_meant() -> None:
    assert "unknown profile '4.A.22'; did you mean 4.A.2" in run("list", "4.A.22", status=2)
    assert "unknown profile 'datcc'; did you mean datc" in run("list", "datcc", status=2)
    assert "`dipsat rules list` lists them" in run("list", "nonesuch", status=2)


@pytest.mark.parametrize("name", ["foo", "nonesuch"])
def test_unknown_profile_without_near_names_points_to_the_list(name: str) -> None:
    shown = run("show", name, status=2)
    assert shown == f"error: unknown profile '{name}'; `dipsat rules list` lists them\n"


def test_list_as_json_has_every_shipped_profile_once() -> None:
    rows = json.loads(run("list", "--json"))
    assert sorted(row["name"] for row in rows) == list(shipped_names())
    assert all(row["title"] for row in rows)
    for row in rows:
        assert row["group"] == row["name"].rpartition("/")[0]
        assert (row["issue"] != "") == bool(re.match(r"choices/\d", row["name"]))


# show


def equal(first: Profile, second: Profile) -> None:
    """Two profiles say the same, though perhaps in different files."""
    for what in ("name", "title", "settings", "reasons"):
        assert getattr(first, what) == getattr(second, what)
    assert list(first.decisions) == list(second.decisions)
    for name, decision in first.decisions.items():
        other = second.decisions[name]
        assert (decision.indices, decision.type) == (other.indices, other.type)
        assert (decision.equation, decision.conditions) == (other.equation, other.conditions)
    assert {n: r.expression for n, r in first.results.items()} == {
        n: r.expression for n, r in second.results.items()
    }
    assert [(r.name, r.when, r.pins) for r in first.cycles] == [
        (r.name, r.when, r.pins) for r in second.cycles
    ]


@pytest.mark.parametrize(
    "name", few_of([*shipped_names(), "datc+judges/base+own-support-disrupts"], 8)
)
def test_show_prints_yaml_that_loads_to_an_equal_profile(name: str) -> None:
    write("copy.yaml", run("show", name))
    equal(load_profile(name), load_profile("copy.yaml"))
    assert difference(load_profile(name), load_profile("copy.yaml")).changes == ()


HARD = """\
name: "hard: to write"
title: |
  # one line and no comment
extends: datc
decisions:
  "defend_strength(m)": "1 + supports_given(m)   # a comment"
  prevent_strength(m): |
    0 if not path(m) else   # another

    1 +
        supports_given(m)
  path(m): 'm.origin.code == "no" or not m.convoyed'
  dislodge(u):
    "entered": entered(u.province)
    'it: stays': not left(u)
cycles: []
reasons: {entered: 'yes', 'it: stays': "- [x]: 'y'"}
"""


def test_show_writes_what_is_hard_to_write() -> None:
    profile = load_profile(write("hard.yaml", HARD))
    printed = run("show", "hard.yaml")
    equal(profile, parse_profile(printed, "copy.yaml"))
    assert printed == whole_profile(profile)


def test_show_names_the_file_of_every_entry() -> None:
    write("mine.yaml", f"{DATC}settings: {{victory: never}}\ndecisions:\n  defend_strength(m): 1\n")
    printed = run("show", "mine.yaml")
    assert "  # mine.yaml\n  defend_strength(m): 1\n" in printed
    assert "# Where no file is named, an entry is that of rules/datc.yaml.\n" in printed
    assert "  # 5.B.4\n  path(m): " in printed
    assert "  # mine.yaml\n  victory: never\n" in printed
    assert "  waive: allowed                   # 4.D.7 a\n" in printed


def test_show_keeps_the_comments_of_a_single_file() -> None:
    text = (ROOT / "rules" / "datc.yaml").read_text("utf-8")
    assert run("show", "datc") == text


def test_show_prints_single_entries_with_their_reasons() -> None:
    assert (
        run("show", "1982", "convoy", "Szykman")
        == """\
decisions:
  # 5.B.3
  convoy(c):
    fleet_dislodged: not dislodge(c.unit)

cycles:
  # rules/choices/4.A.2-1982.yaml
  - name: Szykman
    when: some(cycle.convoy)
    set: {convoy: false}

reasons:
  fleet_dislodged: the convoying fleet is dislodged by
  convoy: the fleet is not dislodged
"""
    )
    assert "did you mean hold_strength" in run("show", "datc", "hold_strenght", status=2)


def test_show_as_json_has_every_entry_with_its_file() -> None:
    write("mine.yaml", f"{DATC}decisions:\n  defend_strength(m): 1\n")
    value = json.loads(run("show", "datc+mine.yaml", "--json"))
    assert value["name"] == "datc+mine.yaml"
    assert value["files"] == ["rules/datc.yaml", "mine.yaml"]
    assert value["decisions"]["defend_strength(m)"] == {"text": "1", "file": "mine.yaml"}
    assert "support_cut" in value["decisions"]["support(s)"]["conditions"]
    assert value["settings"]["waive"] == {"text": "allowed", "file": "rules/datc.yaml"}
    assert {"name", "when", "set", "file"} == value["cycles"][0].keys()


def test_show_refuses_what_does_not_load() -> None:
    assert "did you mean datc" in run("show", "dact", status=2)


# diff


def test_diff_says_plainly_that_nothing_differs() -> None:
    write("same.yaml", DATC)
    printed = run("diff", "datc", "same.yaml")
    assert printed == "No difference: datc and same say the same.\n"
    assert json.loads(run("diff", "datc", "same.yaml", "--json")) == {
        "profiles": ["datc", "same"], "differs": False, "changes": [],
    }  # fmt: skip


CHANGED = """\
extends: datc
settings: {victory: never}
define:
  left(u): false
decisions:
  defend_strength(m): 2 + supports_given(m)
results:
  retreat_succeeds(r): true
cycles:
  - {name: fallback, when: true, set: {move: false}}
reasons: {bounced: somebody else comes}
"""


def test_diff_tells_every_section_with_both_texts_and_files() -> None:
    write("mine.yaml", CHANGED)
    value = json.loads(run("diff", "datc", "mine.yaml", "--json", status=1))
    changes = {(change["section"], change["name"]): change for change in value["changes"]}
    assert list(changes) == [
        ("settings", "victory"), ("define", "left(u)"),
        ("decisions", "dislodge(u)"), ("decisions", "defend_strength(m)"),
        ("results", "contested(p)"), ("results", "retreat(u, p)"),
        ("results", "retreat_succeeds(r)"),
        ("cycles", "circular movement"), ("cycles", "Szykman"), ("cycles", "fallback"),
        ("reasons", "bounced"),
    ]  # fmt: skip
    assert changes["settings", "victory"]["before"] == {"text": "map", "file": "rules/datc.yaml"}
    assert changes["settings", "victory"]["after"] == {"text": "never", "file": "mine.yaml"}
    assert changes["decisions", "dislodge(u)"]["through"] == ["left"]
    assert changes["results", "contested(p)"]["through"] == ["left"]
    assert changes["decisions", "defend_strength(m)"]["through"] == []
    assert changes["cycles", "Szykman"]["after"] is None
    printed = run("diff", "datc", "mine.yaml", status=1)
    assert max(map(len, printed.splitlines())) <= 80
    for part in (
        "Settings", "Terms", "Decisions", "Results", "Rules for decision cycles", "Reasons",
        "- map                            rules/datc.yaml",
        "reads the same, but differs by left",
        "-   1 + supports_given(m)", "+   2 + supports_given(m)",
        "datc and mine differ in 11 entries.",
    ):  # fmt: skip
        assert part in printed


def test_diff_of_terms_alone_says_that_they_judge_alike() -> None:
    write("mine.yaml", f"{DATC}define:\n  spare(m): path(m)\n")
    assert "They judge alike" in run("diff", "datc", "mine.yaml", status=1)


def test_diff_tells_the_order_of_cycle_rules() -> None:
    rules = [f"  - {{name: {name}, when: true, set: {{move: false}}}}\n" for name in "ab"]
    write("one.yaml", f"{DATC}cycles:\n{''.join(rules)}")
    write("two.yaml", f"{DATC}cycles:\n{''.join(reversed(rules))}")
    value = json.loads(run("diff", "one.yaml", "two.yaml", "--json", status=1))
    (change,) = value["changes"]
    assert (change["section"], change["name"]) == ("cycles", "the order of the rules")
    assert (change["before"]["text"], change["after"]["text"]) == ("a, b", "b, a")


def test_diff_refuses_what_does_not_load() -> None:
    assert "dact" in run("diff", "datc", "dact", status=2)
    assert "no.yaml" in run("diff", "no.yaml", "datc", status=2)


# Equations are compared by what they say.

SAME = [
    ("all(move(r) for r in m.rivals)", "all(move(x) for x in m.rivals)"),
    ("path(m) and move(m)", "(move(m) and path(m)) and path(m)"),
    ("not (path(m) and move(m))", "not move(m) or not path(m)"),
    ("not any(move(r) for r in m.rivals)", "all(not move(r) for r in m.rivals)"),
    ("all(move(r) for r in m.rivals if path(r))", "all(not path(r) or move(r) for r in m.rivals)"),
    ("any(move(r) for r in m.rivals if path(r))", "any(path(r) and move(r) for r in m.rivals)"),
    ("attack_strength(m) > 1", "1 < attack_strength(m)"),
    ("not attack_strength(m) > 1", "attack_strength(m) <= 1"),
    ("m.power == m.unit.power", "m.unit.power == m.power"),
    ("path(m) if move(m) else false", "false if not move(m) else path(m)"),
    ("1 + 1 + attack_strength(m) > 2", "attack_strength(m) + 2 > 3 - 1"),
    ("path(m) and true", "path(m) or false"),
    ("path(m) if 1 > 0 else move(m)", "path(m)"),
    ("all(true for r in m.rivals)", "2 > 1"),
    ("all(any(move(a) for a in r.target.attackers) for r in m.rivals)",
     "all(any(move(b) for b in s.target.attackers) for s in m.rivals)"),
    ("0 == sum(0 for r in m.rivals)", "true"),
    ("0 < attack_strength(m) < 3", "attack_strength(m) < 3 and attack_strength(m) > 0"),
    ('"army" == m.unit.kind', "m.unit.kind == 'army'"),
    ("entered(m.target)", "any(move(a) for a in m.target.attackers)"),
]  # fmt: skip
OTHER = [
    ("all(move(r) for r in m.rivals)", "any(move(r) for r in m.rivals)"),
    ("path(m) and move(m)", "path(m) or move(m)"),
    ("not path(m)", "path(m)"),
    ("attack_strength(m) > 1", "attack_strength(m) < 1"),
    ("attack_strength(m) > 1", "attack_strength(m) >= 1"),
    ("attack_strength(m) - 1 > hold_strength(m.target)",
     "1 - attack_strength(m) > hold_strength(m.target)"),
    ("move(m) if path(m) else true", "path(m) if move(m) else true"),
    ("sum(move(r) for r in m.rivals) > 1", "sum(move(r) for r in m.opponents) > 1"),
    ("all(any(move(a) for a in r.target.attackers) for r in m.rivals)",
     "all(any(move(r) for a in r.target.attackers) for r in m.rivals)"),
    ("some(m.rivals)", "some(m.opponents)"),
    ("true", "1 == 2"),
]  # fmt: skip


def changes(first: str, second: str) -> list[str]:
    """The names of what differs between two equations for the same decision."""
    profiles = [
        parse_profile(f"{DATC}decisions:\n  path(m): {{on: {text!r}}}\n", f"{at}.yaml")
        for at, text in enumerate((first, second))
    ]
    return [change.name for change in difference(*profiles).changes]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_the_same_in_other_words_does_not_differ(first: str, second: str) -> None:
    assert changes(first, second) == []


@pytest.mark.parametrize(("first", "second"), OTHER)
def test_what_says_something_else_differs(first: str, second: str) -> None:
    assert changes(first, second) == ["path(m)"]


def test_index_letters_do_not_count_but_their_types_do() -> None:
    one = parse_profile(f"{DATC}variables: {{x: Move}}\ndecisions: {{path(x): x.via}}\n", "1.yaml")
    two = parse_profile(f"{DATC}decisions: {{path(m): m.via}}\n", "2.yaml")
    assert difference(one, two).changes == ()
    fleets = f"{DATC}variables: {{x: Convoy}}\ndecisions: {{mark(x): some(x.unit.moves)}}\n"
    moves = f"{DATC}variables: {{x: Move}}\ndecisions: {{mark(x): some(x.unit.moves)}}\n"
    found = difference(parse_profile(fleets, "1.yaml"), parse_profile(moves, "2.yaml"))
    assert [change.name for change in found.changes] == ["mark(x)"]


def test_normal_forms_can_be_hashed() -> None:
    for decision in load_profile("datc").decisions.values():
        assert isinstance(hash(normal_form(decision.equation, decision.indices)), int)


# check


def test_check_takes_several_files_and_tells_the_problems_of_all() -> None:
    write("good.yaml", DATC)
    write("bad.yaml", f"{DATC}decisions:\n  path(m): mov(m)\n")
    write("worse.yaml", f"{DATC}settings: {{victry: map}}\n")
    result = CliRunner().invoke(main, ["rules", "check", "bad.yaml", "good.yaml", "worse.yaml"])
    assert result.exit_code == 2
    assert result.stdout.startswith("good: ")
    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == [
        "bad.yaml:3:12", "worse.yaml:2:12",
    ]  # fmt: skip
    assert run("check", "good.yaml", "datc", "datc+good.yaml").count("no problems") == 3


def test_check_reads_a_file_whatever_its_suffix() -> None:
    write("rules.txt", DATC)
    assert "no problems" in run("check", "rules.txt")


# new

ORDERS = {"ENGLAND": ["F NTH S A RUH - BEL"], "GERMANY": ["A RUH - BEL"], "FRANCE": ["A BEL H"]}


def verdict(rules: str) -> str:
    units = {"ENGLAND": ["F NTH"], "GERMANY": ["A RUH"], "FRANCE": ["A BEL"]}
    outcome = dipsat.adjudicate(dipsat.Position.from_units(units), ORDERS, rules)
    return outcome.order("A RUH").verdict


@pytest.mark.parametrize("base", ["datc", "judges/base", "datc+vain-via-over-land"])
def test_new_writes_a_house_rule_that_loads_and_changes_something(base: str) -> None:
    assert "mine.yaml is written" in run("new", "mine.yaml", "--extends", base)
    assert "no problems" in run("check", "mine.yaml")
    found = difference(load_profile(base), load_profile("mine.yaml"))
    assert [change.name for change in found.changes] == ["support(s)", "foreign_support"]
    assert (verdict(base), verdict("mine.yaml")) == ("succeeds", "fails")
    text = Path("mine.yaml").read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 100
    for step in ("compare", "check", "diff", "datc", "show"):
        assert f"dipsat rules {step}" in text or f"dipsat {step}" in text


def test_new_can_be_tried_as_its_comments_say() -> None:
    run("new", "mine.yaml")
    text = Path("mine.yaml").read_text(encoding="utf-8")
    sheet = [line[4:] for line in text.splitlines() if re.match(r"#   (  )?\w+( [A-Z]|:$)", line)]
    write("orders.txt", "\n".join(sheet))
    (command,) = re.findall(r"^#   dipsat (compare .*)$", text, re.MULTILINE)
    result = CliRunner().invoke(main, command.split())
    assert result.exit_code == 1
    assert "a unit may only support" in result.stdout


def test_new_extends_a_file_beside_it_or_elsewhere() -> None:
    Path("folder").mkdir()
    write("base.yaml", f"{DATC}decisions:\n  support(s): not dislodge(s.unit)\n")
    run("new", "folder/mine.yaml", "--extends", "base.yaml")
    assert "extends: ../base.yaml" in Path("folder/mine.yaml").read_text(encoding="utf-8")
    assert verdict("folder/mine.yaml") == "fails"


def test_new_does_not_overwrite_unless_forced() -> None:
    write("mine.yaml", "precious\n")
    assert "use `force`" in run("new", "mine.yaml", status=2)
    assert Path("mine.yaml").read_text(encoding="utf-8") == "precious\n"
    run("new", "mine.yaml", "--force")
    assert "no problems" in run("check", "mine.yaml")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mine"], "call it mine.yaml"),
        (["nowhere/mine.yaml"], "nowhere/mine.yaml: cannot be written"),
        (["mine.yaml", "--extends", "dact"], "did you mean datc"),
        (["mine.yaml", "--extends", "no.yaml"], "no.yaml: cannot be read"),
    ],
)
def test_new_refuses_what_it_cannot_write(arguments: list[str], words: str) -> None:
    assert words in run("new", *arguments, status=2)
    assert not Path("mine.yaml").exists()


@pytest.mark.parametrize("name", ["no", "1982", "a: b", "[x", "ä", "'q'"])
def test_new_takes_any_file_name(name: str) -> None:
    run("new", f"{name}.yaml")
    assert load_profile(Path(f"{name}.yaml")).name == name
    top: Any = parse_yaml(Path(f"{name}.yaml").read_text(encoding="utf-8"), "x").value
    assert top["name"].raw == name
