"""`dipsat rules`: list, show, diff, check and new."""

from __future__ import annotations

import json
import re

import pytest

from dipsat.rules import (
    Profile,
    difference,
    load_profile,
    parse_profile,
    profile_title,
    shipped_names,
    whole_profile,
)
from tests.app.commands import printed, refused, run as run_command, write
from tests.exhaustive import exhaustive, few_of
from tests.pages import page

DATC = "extends: datc\n"
pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


def run(*arguments: str, status: int = 0) -> str:
    """What `dipsat rules` prints, or how it refuses with status 2."""
    if status == 2:
        return refused("rules", *arguments)
    return printed("rules", *arguments, status=status)


@exhaustive
@pytest.mark.parametrize(
    ("prefix", "begins"),
    [("4.A.2", "4.A.2-"), ("4.a.2", "4.A.2-"), ("4.B", "4.B."), ("choices/4.A.1-", "4.A.1-")],
)
def test_list_with_a_prefix_has_the_profiles_that_begin_with_it(prefix: str, begins: str) -> None:
    rows = json.loads(run("list", prefix, "--json"))
    names = {row["short"] for row in rows}
    every = {row["short"] for row in json.loads(run("list", "--json"))}
    assert names == {name for name in every if name.startswith(begins)} != set()
    text = run("list", prefix)
    assert all(name in text for name in names)
    assert "Variants" not in text


def test_list_groups_the_profiles_in_80_columns_without_spaces_at_their_ends() -> None:
    lines = run("list").splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line != line.rstrip()] == []
    assert lines[0] == "Profiles"
    assert lines[1].startswith("datc ")
    assert "Judges: what other programs do" in lines


@pytest.mark.parametrize(
    ("command", "name", "said"),
    [
        ("list", "4.A.22", "no profile or DATC issue begins with '4.A.22'; did you mean 4.A.2"),
        ("list", "datcc", "begins with 'datcc'; did you mean datc"),
        ("list", "nonesuch", "`dipsat rules list` lists them"),
        ("show", "nonesuch", "unknown profile 'nonesuch'; `dipsat rules list` lists them\n"),
        ("show", "dact", "did you mean datc"),
        ("diff datc", "dact", "did you mean datc"),
        ("diff datc", "no.yaml", "no.yaml"),
    ],
)
def test_unknown_profile_says_what_was_meant_or_points_to_the_list(
    command: str, name: str, said: str
) -> None:
    assert said in run(*command.split(), name, status=2)


@exhaustive
def test_list_has_every_shipped_profile_once_with_its_title() -> None:
    text, rows = run("list"), json.loads(run("list", "--json"))
    assert sorted(row["name"] for row in rows) == list(shipped_names())
    for row in rows:
        assert row["group"] == row["name"].rpartition("/")[0]
        assert (row["issue"] != "") == bool(re.match(r"choices/\d", row["name"]))
        assert row["title"] == " ".join(profile_title(row["name"]).split()) != ""
        line = rf"^ *{re.escape(row['short'])} +{re.escape(row['title'][:10])}"
        assert re.search(line, text, re.MULTILINE)


def equal(first: Profile, second: Profile) -> None:
    """Check that two profiles say the same, though perhaps in different files."""
    for what in ("name", "title", "settings", "reasons"):
        assert getattr(first, what) == getattr(second, what)
    said = [
        (
            [(n, d.indices, d.type, d.equation, d.conditions) for n, d in one.decisions.items()],
            {n: r.expression for n, r in one.results.items()},
            [(r.name, r.when, r.pins) for r in one.cycles],
        )
        for one in (first, second)
    ]
    assert said[0] == said[1]


@pytest.mark.parametrize(
    "name", few_of([*shipped_names(), "datc+judges/base+own-support-disrupts"], 5)
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


def test_show_writes_texts_that_are_hard_to_quote() -> None:
    profile = load_profile(write("hard.yaml", HARD))
    shown = run("show", "hard.yaml")
    equal(profile, parse_profile(shown, "copy.yaml"))
    assert shown == whole_profile(profile)


def test_show_names_the_file_of_every_entry() -> None:
    write("mine.yaml", f"{DATC}settings: {{victory: never}}\ndecisions:\n  defend_strength(m): 1\n")
    shown = run("show", "mine.yaml")
    assert "  # mine.yaml\n  defend_strength(m): 1\n" in shown
    assert "# Entries without a file name are from rules/datc.yaml.\n" in shown
    assert "  # mine.yaml\n  victory: never\n" in shown
    assert "  path: DATC 3.0 5.B.4\n" in shown
    assert "  waive: allowed                   # 4.D.7 a\n" in shown


def test_show_keeps_the_comments_of_a_single_file() -> None:
    assert run("show", "datc") == page("rules/datc.yaml")


ENTRIES = """\
decisions:
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

sources:
  convoy: DATC 3.0 5.B.3
"""


def test_show_prints_single_entries_with_their_reasons() -> None:
    assert run("show", "1982", "convoy", "Szykman") == ENTRIES
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


def test_diff_says_plainly_that_nothing_differs_or_all_is_judged_alike() -> None:
    write("same.yaml", DATC)
    assert run("diff", "datc", "same.yaml") == "No difference: datc and same say the same.\n"
    assert json.loads(run("diff", "datc", "same.yaml", "--json")) == {
        "profiles": ["datc", "same"], "differs": False, "changes": [],
    }  # fmt: skip
    write("mine.yaml", f"{DATC}define:\n  spare(m): path(m)\n")
    assert "They judge alike" in run("diff", "datc", "mine.yaml", status=1)


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
    text = run("diff", "datc", "mine.yaml", status=1)
    assert max(map(len, text.splitlines())) <= 80
    for part in (
        "Settings", "Terms", "Decisions", "Results", "Rules for decision cycles", "Reasons",
        "- map                            rules/datc.yaml",
        "reads the same, but differs by left",
        "-   1 + supports_given(m)", "+   2 + supports_given(m)",
        "datc and mine differ in 11 entries.",
    ):  # fmt: skip
        assert part in text


def test_diff_tells_the_order_of_cycle_rules() -> None:
    rules = [f"  - {{name: {name}, when: true, set: {{move: false}}}}\n" for name in "ab"]
    write("one.yaml", f"{DATC}cycles:\n{rules[0]}{rules[1]}")
    write("two.yaml", f"{DATC}cycles:\n{rules[1]}{rules[0]}")
    (change,) = json.loads(run("diff", "one.yaml", "two.yaml", "--json", status=1))["changes"]
    assert (change["section"], change["name"]) == ("cycles", "the order of the rules")
    assert (change["before"]["text"], change["after"]["text"]) == ("a, b", "b, a")


# Equations are compared by what they say.

SAME = [
    ("all(move(r) for r in m.rivals)", "all(move(x) for x in m.rivals)"),
    ("path(m) and move(m)", "(move(m) and path(m)) and path(m)"),
    ("not (path(m) and move(m))", "not move(m) or not path(m)"),
    ("all(move(r) for r in m.rivals if path(r))", "all(not path(r) or move(r) for r in m.rivals)"),
    ("any(move(r) for r in m.rivals if path(r))", "any(path(r) and move(r) for r in m.rivals)"),
    ("attack_strength(m) > 1", "1 < attack_strength(m)"),
    ("m.power == m.unit.power", "m.unit.power == m.power"),
    ("path(m) if move(m) else false", "false if not move(m) else path(m)"),
    ("1 + 1 + attack_strength(m) > 2", "attack_strength(m) + 2 > 3 - 1"),
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
    ("attack_strength(m) > 1", "attack_strength(m) >= 1"),
    ("attack_strength(m) - 1 > hold_strength(m.target)",
     "1 - attack_strength(m) > hold_strength(m.target)"),
    ("move(m) if path(m) else true", "path(m) if move(m) else true"),
    ("sum(move(r) for r in m.rivals) > 1", "sum(move(r) for r in m.opponents) > 1"),
    ("all(any(move(a) for a in r.target.attackers) for r in m.rivals)",
     "all(any(move(r) for a in r.target.attackers) for r in m.rivals)"),
    ("some(m.rivals)", "some(m.opponents)"),
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


# check


BAD = """\
extends: datc
settings:
  adjacent_convoys: intent
  convoy_path: none
decisions:
  dislodge(u): enterd(u.province)
  path(m): m.origin == m.power
"""


@exhaustive
def test_check_takes_several_files_and_reports_all_problems_of_all() -> None:
    write("good.yaml", f"{DATC}title: Good\n")
    write("bad.yaml", BAD)
    write("worse.yaml", f"{DATC}settings: {{victry: map}}\n")
    result = run_command("rules", "check", "bad.yaml", "good.yaml", "worse.yaml")
    assert result.exit_code == 2
    assert result.stdout.startswith("good: 9 decisions, 3 cycle rules")
    lines = result.stderr.splitlines()
    assert [line.split(": ")[:2] for line in lines] == [
        ["error", "bad.yaml:3:3"], ["error", "bad.yaml:4:16"], ["error", "bad.yaml:6:16"],
        ["error", "bad.yaml:7:24"], ["error", "worse.yaml:2:12"],
    ]  # fmt: skip
    nearest = ["adjacent_convoy", "required", "entered", "Power", "victory"]
    assert all(name in line for name, line in zip(nearest, lines, strict=True))
    write("rules.txt", DATC)
    names = ("good.yaml", "datc", "datc+good.yaml", "rules.txt")
    assert run("check", *names).count("no problems") == 4


# --- numbers of the DATC --------------------------------------------------------------------------


def test_a_number_shows_the_title_the_entries_and_their_places() -> None:
    shown = run("show", "5.B.4")
    assert shown.startswith("5.B.4 Path (DATC 3.0)\n")
    line = page("rules/datc.yaml").splitlines().index("  path(m): not by_convoy(m) or route(m)") + 1
    place = f"rules/datc.yaml:{line}, under `decisions`"
    assert f"{place}\n  path(m): not by_convoy(m) or route(m)\n" in shown
    assert run("show", "5.b.4") == run("show", "datc", "5.B.4") == shown


def test_an_issue_of_chapter_4_has_its_choices_with_files_and_preferences() -> None:
    shown = " ".join(run("show", "4.A.3").split())
    assert "adjacent_convoy: intent" in shown
    assert "rules/choices/4.A.3-2023.yaml; in force; preferred by DATC 3.0" in shown
    assert "rules/choices/4.A.3-d.yaml; preferred by DATC 2.4" in shown
    assert "rules/choices/4.A.2-1982.yaml; in force" in run("show", "1982", "4.A.2")


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("4.E.4", "No order lasts longer than its phase"),
        ("5.F", "--engine recursive_guess"),
        ("5.B", "5.B.9   Circular movement and paradoxes"),
        ("6.F", "`dipsat datc 6.F` runs its cases."),
        ("6.F.14", "`dipsat datc 6.F.14` runs it."),
        ("5.B.11", "may_retreat(u, p)"),
    ],
)
def test_numbers_without_equations_say_where_to_look(number: str, said: str) -> None:
    assert said in run("show", number)


@pytest.mark.parametrize(("number", "near"), [("5.B.99", "5.B.9"), ("6.F.99", "6.F.9")])
def test_unknown_numbers_are_errors_with_the_nearest(number: str, near: str) -> None:
    assert f"did you mean {near}" in run("show", number, status=2)


def test_numbers_as_json() -> None:
    one, two = json.loads(run("show", "5.B.4", "4.A.1", "--json"))
    assert [one["section"]["title"], two["section"]["number"]] == ["Path", "4.A.1"]
    assert {"section", "entry", "text", "file", "line"} == one["passages"][0].keys()
    assert [choice["name"] for choice in two["choices"]] == ["4.A.1-a", "4.A.1-b"]
    assert [choice["in_force"] for choice in two["choices"]] == [False, True]


def test_words_that_are_not_a_profile_are_looked_for_in_the_test_cases() -> None:
    said = " ".join(refused("rules", "show", "head to head").split())
    assert "'head to head' is not the name of a profile; `dipsat datc head to head` looks" in said
