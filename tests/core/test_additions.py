# ruff: noqa: E501  # the rule files of these tables are easier to read on one line
"""Entries that build on those of the files below (`base`), and what `rules check` remarks on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.rules import (
    difference,
    load_profile,
    parse_profile,
    remarks,
    whole_profile,
)
from tests.checkout import ROOT
from tests.phases import adjudicate

PAGE = ROOT / "docs" / "rule-language.md"
DATC = load_profile("datc")
MOVE = ("convoy_disrupted", "own_unit_stays", "beaten_head_to_head", "too_weak", "bounced")
SUPPORT = ("supporter_dislodged", "support_cut")
FOREIGN = "foreign: s.power == s.supported.power"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def rules(*entries: str, base: str = "datc", name: str = "mine") -> str:
    """The text of a profile; each argument is a section with its entries."""
    return "\n".join((f"name: {name}", f"extends: {base}", *entries)) + "\n"


def names(profile: dipsat.Profile, decision: str) -> tuple[str, ...]:
    """The names of the conditions of a decision."""
    return tuple(name for name, _ in profile.decisions[decision].conditions)


def same(text: str, other: str) -> bool:
    """Whether two profiles say the same."""
    return not difference(parse_profile(text, "a.yaml"), parse_profile(other, "b.yaml")).changes


def run(*arguments: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of `dipsat`."""
    result = CliRunner().invoke(main, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


# --- what base means ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("short", "whole"),
    [
        ("decisions:\n  defend_strength(m): base + 1", "decisions:\n  defend_strength(m): 1 + supports_given(m) + 1"),
        ("decisions:\n  path(m): base or m.via", "decisions:\n  path(m): (not by_convoy(m) or route(m)) or m.via"),
        ("define:\n  entered(p): base and p.supply", "define:\n  entered(p): any(move(a) for a in p.attackers) and p.supply"),
        ("results:\n  retreat(u, p): base and not p.supply", "results:\n  retreat(u, p): may_retreat(u, p) and not p.supply"),
        ("define:\n  standoff(p): any(base for q in Province)", None),
    ],
)  # fmt: skip
def test_base_is_what_the_file_below_says(short: str, whole: str | None) -> None:
    found = parse_profile(rules(short), "mine.yaml")
    if whole is not None:
        assert same(rules(short), rules(whole))
        assert difference(DATC, found).changes


def test_base_is_about_the_objects_of_the_entry_whatever_their_names() -> None:
    other = rules("variables: {q: Province}", "decisions:\n  hold_strength(q): base + 1")
    assert same(other, rules("decisions:\n  hold_strength(p): base + 1"))


@pytest.mark.parametrize("order", [("foreign", "army"), ("army", "foreign")])
def test_house_rules_about_one_entry_build_on_each_other(order: tuple[str, str]) -> None:
    for name, entry in (("foreign", FOREIGN), ("army", 'army: s.unit.kind == "army"')):
        text = rules(f"decisions:\n  support(s):\n    base: kept\n    {entry}")
        Path(f"{name}.yaml").write_text(text, encoding="utf-8")
    found = load_profile(f"datc+{order[0]}.yaml+{order[1]}.yaml")
    assert names(found, "support") == (*SUPPORT, *order)
    assert remarks(found) == ()


# --- named conditions -----------------------------------------------------------------------------


def test_conditions_are_added_changed_in_place_and_removed() -> None:
    text = rules(
        "decisions:\n  move(m):\n    too_weak: base or m.via\n    base: kept\n    mine: m.by_land"
        "\n    bounced: removed"
    )
    assert names(parse_profile(text, "mine.yaml"), "move") == (*MOVE[:-1], "mine")
    whole = """decisions:
  move(m):
    convoy_disrupted: path(m)
    own_unit_stays: vacated(m) or all(u.power != m.power for u in m.target.units)
    beaten_head_to_head: >
      all(attack_strength(m) > defend_strength(o) for o in against(m) if meets(m, o))
    too_weak: head_on(m) or attack_strength(m) > hold_strength(m.target) or m.via
    mine: m.by_land"""
    assert same(text, rules(whole))


def test_base_and_something_keeps_the_names() -> None:
    lower = rules("decisions:\n  support(s): base and s.unit.province.supply", name="lower")
    Path("lower.yaml").write_text(lower, encoding="utf-8")
    twice = rules(
        "decisions:\n  support(s): s.power == s.supported.power and base", base="lower.yaml"
    )
    for text in (lower, twice):
        assert names(parse_profile(text, "a.yaml"), "support") == (*SUPPORT, "")


def test_a_condition_without_a_name_is_not_given_the_text_of_success() -> None:
    found = parse_profile(
        rules('decisions:\n  support(s): base and s.unit.kind == "army"'), "a.yaml"
    )
    orders = {"ENGLAND": ["F NTH S A RUH - BEL"], "GERMANY": ["A RUH - BEL"]}
    reason = adjudicate(orders, found).order("F NTH").reason
    assert str(reason.text) == "a condition of mine that has no name does not hold"


@pytest.mark.parametrize(
    "entries",
    [
        "decisions:\n  hold_strength(p): base + 1\n  support(s): base and s.unit.province.supply",
        "decisions:\n  move(m):\n    base: kept\n    bounced: base or\n      m.via\n  path(m): base\nlegal:\n  mine(m): m.via",
        # a quantifier over p in the file below, which is renamed where it is written out
        "variables: {q: Province}\ndecisions:\n  hold_strength(q): sum(1 for p in Province if p == q)",
    ],
    ids=["short", "mixed", "bound variable"],
)  # fmt: skip
def test_what_rules_show_prints_loads_as_the_same_rules(entries: str) -> None:
    Path("below.yaml").write_text(rules(entries), encoding="utf-8")
    text = rules(
        "variables: {p: Province}\ndecisions:\n  hold_strength(p): base + 1", base="below.yaml"
    )
    for found in (load_profile("below.yaml"), parse_profile(text, "mine.yaml")):
        shown = parse_profile(whole_profile(found), "shown.yaml")
        assert not difference(found, shown).changes
        assert names(shown, "move") == names(found, "move")


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("results:\n  retreats(u, p): base", "under the name 'retreats'; did you mean 'retreat'?"),
        ("decisions:\n  mine(m): base", "4:12: `base` is what the files below say here, but none of them has it"),
        ("decisions:\n  mine(m):\n    base: kept", "5:11: no file below says anything about mine(m)"),
        ("decisions:\n  move(m):\n    base: keep", "5:11: write `base: kept`, which keeps the conditions of the files below"),
        ("decisions:\n  move(m):\n    base: kept\n    to_weak: removed", "6:5: there is no condition 'to_weak' to remove; did you mean 'too_weak'?"),
        ("decisions:\n  move(u): base", "4:3: move(u) replaces move(m), where m is a Move; here u is a Unit"),
        ("decisions:\n  move(u):\n    base: kept", "4:3: move(u) replaces move(m), where m is a Move; here u is a Unit"),
        ("decisions:\n  hold_strength(p): {base: kept, q: true}", "4:3: hold_strength(p) keeps what rules/datc.yaml says, but that is a number, not a condition"),
        ("decisions:\n  support(s):\n    bse: kept", "5:10: write `base: kept` to keep the conditions of the files below"),
        ("define:\n  base(m): true", "4:3: 'base' already means something else"),
        ("decisions:\n  hold_strength(p): base and true", "expected true or false, found a number"),
        ("decisions:\n  move(m):\n    base: kept\n    convoy_disrupted: removed\n    own_unit_stays: removed\n    beaten_head_to_head: removed\n    too_weak: removed\n    bounced: removed", "an equation needs at least one condition"),
    ],
)  # fmt: skip
def test_faults_say_what_is_wrong_and_where(entry: str, problem: str) -> None:
    with pytest.raises(dipsat.errors.DipsatError) as caught:
        parse_profile(rules(entry), "mine.yaml")
    assert problem in str(caught.value)


# --- remarks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "remark"),
    [
        ("decisions:\n  hold_strenght(p): 5", "4:3: nothing uses hold_strenght(p); did you mean 'hold_strength'?"),
        ("define:\n  cut(a, s): false", "4:3: nothing uses cut(a, s); did you mean 'cuts'?"),
        ("decisions:\n  one(m): not two(m)\n  two(m): not one(m)", "4:3: nothing uses one(m)"),
        ("decisions:\n  move(m): m.via", f"4:3: move(m) leaves out the conditions {', '.join(MOVE[:-1])} and {MOVE[-1]} of rules/datc.yaml; write `base: kept` to keep them"),
        ("decisions:\n  support(s):\n    support_cut: base", "4:3: support(s) leaves out the condition supporter_dislodged of rules/datc.yaml; write `base: kept` to keep them"),
        ("decisions:\n  support(s):\n    support_cut: true", "4:3: support(s) leaves out the condition supporter_dislodged of rules/datc.yaml; write `base: kept` to keep them"),
    ],
)  # fmt: skip
def test_slips_that_load_are_remarked_on(entry: str, remark: str) -> None:
    assert f"mine.yaml:{remark}" in remarks(parse_profile(rules(entry), "mine.yaml"))


@pytest.mark.parametrize(
    "entry",
    [
        "decisions:\n  move(m):\n    base: kept\n    bounced: removed",
        "define:\n  helps(s): s.unit.province.supply\ndecisions:\n  support(s): base and helps(s)",
        "decisions:\n  extra(m): m.via\n  attack_strength(m): base + (1 if extra(m) else 0)",
        "define:\n  both(m): m.via\ncycles_before:\n  - name: x\n    when: any(both(m) for m in cycle.move)\n    set: {move: true}",
    ],
)  # fmt: skip
def test_intended_uses_of_a_base_are_not_remarked_on(entry: str) -> None:
    assert remarks(parse_profile(rules(entry), "mine.yaml")) == ()


def test_commands_print_remarks_about_own_rules_on_standard_error() -> None:
    Path("mine.yaml").write_text(rules("define:\n  cut(a, s): false"), encoding="utf-8")
    Path("orders.txt").write_text("France:\n  A Paris Holds\n", encoding="utf-8")
    remark = "remark: mine.yaml:4:3: nothing uses cut(a, s); did you mean 'cuts'?\n"
    for command in (["adjudicate"], ["explain"], ["prove"], ["compare"]):
        status, _, said = run(*command, "orders.txt", "--rules", "mine.yaml")
        assert (status, said) == (0, remark)
    assert run("rules", "check", "mine.yaml")[0] == 1
    Path("rules").mkdir()
    Path("mine.yaml").rename("rules/mine.yaml")
    assert (
        "nothing uses cut(a, s)" in run("adjudicate", "orders.txt", "--rules", "rules/mine.yaml")[2]
    )
    assert run("adjudicate", "orders.txt", "--rules", "1982")[2] == ""


# --- the page -------------------------------------------------------------------------------------


def test_the_examples_of_the_page_load_and_print_what_it_shows() -> None:
    """The examples of docs/rule-language.md load, and its command prints what it shows."""
    page = PAGE.read_text(encoding="utf-8")
    section = page.partition("## Add to an entry")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    (_, strong), (_, slips), (_, console) = blocks
    found = parse_profile(strong, "strongholds.yaml")
    assert names(found, "move") == MOVE[1:]
    assert names(found, "support") == (*SUPPORT, "foreign_support")
    assert remarks(found) == ()
    Path("slips.yaml").write_text(slips, encoding="utf-8")
    command, _, printed = console.partition("\n")
    status, out, _ = run(*command.removeprefix("$ dipsat ").split())
    assert (status, out) == (1, printed)


# --- strange entries ------------------------------------------------------------------------------


@pytest.mark.parametrize("section", ["legal", "define", "results"])
def test_an_entry_without_conditions_cannot_build_on_one_with_them(section: str) -> None:
    below = f"{section}:\n  foo(m): {{a: m.via, b: m.by_land}}"
    Path("below.yaml").write_text(rules(below), encoding="utf-8")
    text = rules(f"{section}:\n  foo(m): base and m.via", base="below.yaml")
    with pytest.raises(dipsat.errors.DipsatError, match=r"below\.yaml:4:11: only a decision has"):
        parse_profile(text, "mine.yaml")


@pytest.mark.parametrize(
    "entries",
    [
        ("|\n    true # a comment", "|\n    base and false\n    or false"),
        ("base", "|\n    base # and base\n    and s.unit.province.supply"),
        ("base", "all(base for a in s.province.attackers)"),
        ("base", "base and (base or s.unit.province.supply)"),
        ("base", "not base or s.unit.province.supply"),
        ("(" * 20 + "base" + ")" * 20,) * 12,
    ],
)
def test_strange_entries_are_shown_as_what_they_mean(entries: tuple[str, ...]) -> None:
    base = "datc"
    for at, entry in enumerate(entries):
        text = rules(f"decisions:\n  support(s): {entry}", base=base, name="same")
        base = f"{at}.yaml"
        Path(base).write_text(text, encoding="utf-8")
    found = load_profile(base)
    shown = parse_profile(whole_profile(found), "shown.yaml")
    assert not difference(found, shown).changes


@pytest.mark.parametrize("end", ["\r", "\x85", "\u2028", "\r\n"])
def test_rules_with_any_line_endings_are_shown(end: str) -> None:
    text = rules("define:", "  foo(m): true", "  bar(m): foo(m)").replace("\n", end)
    Path("mine.yaml").write_bytes(text.encode())
    assert "foo(m): true" in run("rules", "show", "mine.yaml")[1]
    assert run("rules", "show", "mine.yaml", "bar")[0] == 0


def test_entries_that_no_longer_count_are_not_remarked_on() -> None:
    below = rules('decisions:\n  support(s): {base: foo, x: "true"}')
    Path("below.yaml").write_text(below, encoding="utf-8")
    text = rules("decisions:\n  support(s):\n    supporter_dislodged: m.via", base="below.yaml")
    found = parse_profile(text.replace("m.via", "true"), "mine.yaml")
    assert [one for one in remarks(found) if "leaves out" in one] == []


def test_only_the_first_remarks_look_for_similar_names(monkeypatch: pytest.MonkeyPatch) -> None:
    from dipsat.rules import profile_remarks as module

    asked: list[str] = []

    def counting(name: str, known: object, *_: object) -> str:
        asked.append(name)
        return ""

    monkeypatch.setattr(module, "hint", counting)
    unused = "\n".join(f"  unused{at}(m): true" for at in range(200))
    found = remarks(parse_profile(rules(f"define:\n{unused}"), "mine.yaml"))
    assert (len(found), len(asked)) == (50, 10)


# --- a unit dislodged by no unit ------------------------------------------------------------------


def test_a_dislodgement_without_a_dislodger_is_reported() -> None:
    """A house rule: two equal attacks dislodge the garrison, though neither attacker enters."""
    twice = """decisions:
  dislodge(u): >
    base or not left(u) and 2 <= sum(
      prevent_strength(a) > hold_strength(u.province) for a in u.province.attackers)"""
    Path("mine.yaml").write_text(rules(twice), encoding="utf-8")
    Path("orders.txt").write_text(
        "Germany:\n  A Munich Holds\nFrance:\n  A Burgundy - Munich\n"
        "  A Ruhr Supports A Burgundy - Munich\nAustria:\n  A Tyrolia - Munich\n"
        "  A Bohemia Supports A Tyrolia - Munich\n",
        encoding="utf-8",
    )

    def words(command: str, *arguments: str) -> str:
        return " ".join(run(command, "orders.txt", *arguments, "--rules", "mine.yaml")[1].split())

    told = words("adjudicate")
    assert "Dislodged: A MUN (Germany) though no unit enters; may retreat to BER, KIE, SIL." in told
    assert "dislodged dislodged, though no unit enters; attacked by A BUR, A TYR" in told
    assert '"by": null' in words("adjudicate", "--json")
    compared = words("compare", "--rules", "datc")
    assert "dislodged, though no unit enters, may retreat to BER, KIE, SIL" in compared
    assert "dislodged by \n" not in run("explain", "orders.txt", "A MUN", "--rules", "mine.yaml")[1]
