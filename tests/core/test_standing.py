"""Which files of a composition have an effect, as `dipsat rules show` and `check` report it."""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path

import pytest
from click.testing import CliRunner

from dipsat.cli import main
from dipsat.rules import difference, load_profile, remarks, shipped_file, shipped_names
from tests.exhaustive import exhaustive, few_of

SEVERAL = "1982+4.A.2-2000+4.A.2-1971"
REMARK = (
    "for 4.A.2, rules/choices/4.A.2-1971.yaml is in force; rules/choices/4.A.2-1982.yaml and "
    "rules/choices/4.A.2-2000.yaml have no effect"
)
CHOICES = [name.rpartition("/")[2] for name in shipped_names() if name.startswith("choices/")]
ISSUES = [list(choices) for _, choices in groupby(CHOICES, lambda name: name.split("-")[0])]
PAIRS = [
    (choice, choices[at - 1])
    for choices in ISSUES
    for at, choice in enumerate(choices)
    if len(choices) > 1
]
"""Every choice, with another of its issue."""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str, status: int = 0) -> str:
    """What `dipsat rules` prints."""
    result = CliRunner().invoke(main, ["rules", *arguments])
    assert result.exit_code == status, result.output
    return result.stdout


def write(name: str, text: str) -> str:
    """Write a rule file."""
    Path(name).write_text(text, encoding="utf-8")
    return name


def told(name: str) -> tuple[str, ...]:
    """The remarks on a profile."""
    return remarks(load_profile(name))


def test_show_says_which_of_several_choices_is_in_force() -> None:
    lines = run("show", SEVERAL).splitlines()
    assert [line for line in lines if "no effect" in line] == [
        f"#   rules/choices/4.A.2-{name}.yaml (no effect, replaced by "
        "rules/choices/4.A.2-1971.yaml)"
        for name in ("1982", "2000")
    ]
    assert "#   rules/choices/4.A.2-1971.yaml" in lines


def test_show_as_json_says_what_replaces_each_entry() -> None:
    value = json.loads(run("show", SEVERAL, "--json"))
    assert value["remarks"] == [REMARK]
    layers = {layer["file"]: layer for layer in value["layers"]}
    assert list(layers) == value["files"]
    assert layers["rules/choices/4.A.2-2000.yaml"] == {
        "file": "rules/choices/4.A.2-2000.yaml",
        "issue": "4.A.2",
        "has_effect": False,
        "in_force": [],
        "replaced": dict.fromkeys(
            ["define: spares", "define: overrun", "cycles"], "rules/choices/4.A.2-1971.yaml"
        ),
    }
    assert layers["rules/choices/4.A.2-1971.yaml"]["replaced"] == {}
    assert layers["rules/rulebooks/1982.yaml"]["has_effect"]  # by what it extends


def test_the_title_of_a_composition_leaves_out_what_has_no_effect() -> None:
    assert load_profile(SEVERAL).title == "; ".join(
        load_profile(name).title for name in ("1982", "4.A.2-1971")
    )


@exhaustive
def test_check_remarks_on_what_has_no_effect() -> None:
    first, second = run("check", SEVERAL, status=1).splitlines()
    assert first.endswith("no problems")
    assert second == f"  remark: {REMARK}"
    assert "remark" not in run("check", "1982", "datc-3", "datc+4.A.4-a")


def test_check_as_json_has_problems_and_remarks() -> None:
    bad = write("bad.yaml", "extends: datc\nsettings: {victry: map}\n")
    result = CliRunner().invoke(main, ["rules", "check", "--json", SEVERAL, bad])
    assert result.exit_code == 2
    good, faulty = json.loads(result.stdout)
    assert (good["name"], good["problems"], good["remarks"]) == (SEVERAL, [], [REMARK])
    assert (good["decisions"], good["cycle_rules"]) == (9, 3)
    assert (faulty["name"], faulty["remarks"]) == (None, [])
    (problem,) = faulty["problems"]
    assert problem.startswith("bad.yaml:2:12: unknown setting 'victry'")


@pytest.mark.parametrize(("first", "second"), few_of(PAIRS, 5))
def test_a_choice_replaces_any_other_of_its_issue(first: str, second: str) -> None:
    """docs/rule-language.md: on top of another choice of the same issue, it undoes that one."""
    issue = first.split("-")[0]
    both = f"datc+{first}+{second}"
    assert told(both) == (
        f"for {issue}, rules/choices/{second}.yaml is in force; "
        f"rules/choices/{first}.yaml has no effect",
    )
    assert not difference(load_profile(f"datc+{second}"), load_profile(both)).changes


def test_a_file_that_others_replace_together_is_reported_with_all_of_them() -> None:
    write("mine.yaml", "extends: datc\nsettings: {waive: illegal, victory: never}\n")
    write("one.yaml", "extends: datc\nsettings: {waive: allowed}\n")
    write("two.yaml", "extends: datc\nsettings: {victory: map}\n")
    assert told("mine.yaml+one.yaml") == ()
    assert told("mine.yaml+one.yaml+two.yaml") == (
        "mine.yaml has no effect: one.yaml and two.yaml replace what it states",
    )


def test_an_entry_that_repeats_what_holds_anyway_has_no_effect() -> None:
    """Otherwise a choice that repeats a term of `datc` would seem in force below another choice."""
    same = "extends: datc\nsettings: {waive: illegal}\ndefine:\n  comes_from(a, p): a.origin "
    write("mine.yaml", f"{same}== p\n")
    write("other.yaml", f"{same}!= p\n")
    write("over.yaml", "extends: datc\nsettings: {waive: allowed}\n")
    assert told("mine.yaml") == ()
    assert told("mine.yaml+over.yaml") == (
        "mine.yaml has no effect: over.yaml replaces what it states",
    )
    assert told("other.yaml+over.yaml") == ()


def test_reasons_and_variables_are_not_an_effect() -> None:
    text = "variables: {x: Move}\ndecisions:\n  path(x): x.via\nreasons: {path: by sea}\n"
    write("mine.yaml", f"extends: datc\n{text}")
    write("over.yaml", "extends: datc\ndecisions:\n  path(m): m.convoyed\n")
    assert told("mine.yaml+over.yaml") == (
        "mine.yaml has no effect: over.yaml replaces what it states",
    )


def test_rules_for_cycles_that_come_first_stay() -> None:
    assert told("arpiesse+4.A.2-1971") == ()


def test_datc_3_names_the_issues_in_which_it_differs_from_datc() -> None:
    """Its comment says that these are the choices of `datc` except those that it lists."""
    found = difference(load_profile("datc"), load_profile("datc-3"))
    files = [change.after.file for change in found.changes if change.after is not None]
    assert len(files) == len(found.changes)
    issues = {re.findall(r"\d\.[A-E]\.\d", file)[0] for file in files}
    comment = shipped_file("rulebooks/datc-3").read_text(encoding="utf-8").partition("name:")[0]
    named = re.findall(r"except ([\d.A-E, ]+\d)", " ".join(comment.replace("#", " ").split()))
    assert issues == {issue for text in named for issue in text.split(", ")}
