"""What `rules check` sees on a few boards: units that share a province, and the like."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.rules import parse_profile
from dipsat.studies import first_look as glimpses, glimpse
from dipsat.studies.first_look import BOARDS, UNITS
from dipsat.studies.judgements import movement
from dipsat.studies.sheet import shrunk
from tests.checkout import ROOT
from tests.exhaustive import few_of

COOKBOOK = ROOT / "docs" / "examples" / "cookbook"

ODD = {
    "two units enter": (
        "decisions: {attack_strength(m): base + 1}", "two units can end in one province: ",
    ),
    "everything enters": (
        "decisions: {move(m): path(m)}", "two units can end in one province: ",
    ),
    "nothing leaves room": (
        "decisions: {prevent_strength(m): 0}", "two units can end in one province: ",
    ),
    "empty provinces": (
        "decisions: {hold_strength(p): base + 1}", "hold_strength is 1 in the empty province ",
    ),
    "empty sea": (
        "decisions: {hold_strength(p): '2 if p.kind == \"sea\" else base'}",
        "hold_strength is 2 in the empty province ",
    ),
    "no rule for rings": (
        "cycles: [{name: Szykman, when: some(cycle.convoy), set: {convoy: false}}]",
        "no rule for decision cycles settles some orders: ",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("entry", "said"), ODD.values(), ids=ODD)
def test_trouble_on_boards_is_a_remark_in_one_line_with_a_witness(entry: str, said: str) -> None:
    found = glimpse(parse_profile(f"name: odd\nextends: datc\n{entry}\n", "odd.yaml"))
    (remark,) = (one for one in found if one.startswith(said))
    assert remark.endswith("; `dipsat rules stress` tells more")
    assert "\n" not in remark
    assert len(remark) < 300


@pytest.mark.parametrize(
    "entry",
    [
        "decisions: {hold_strength(p): base + 1 if some(p.units) else base}",
        "decisions: {hold_strength(p): base + 0}",
        "decisions: {attack_strength(m): base}",
    ],
)
def test_sound_rules_get_no_remark(entry: str) -> None:
    assert glimpse(parse_profile(f"name: sound\nextends: datc\n{entry}\n", "sound.yaml")) == ()


SHIPPED = [*dipsat.profile_names(), *sorted(map(str, COOKBOOK.glob("*[!sp].yaml")))]


@pytest.mark.parametrize("name", few_of(SHIPPED, 6))
def test_shipped_rules_get_no_remark_and_few_boards_are_judged(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = []

    def counted(profile: dipsat.Profile, sheet: object, **limits: object) -> object:
        judged.append(profile)
        return movement(profile, sheet, **limits)  # type: ignore[arg-type]  # passed on

    monkeypatch.setattr("dipsat.studies.first_look.movement", counted)
    if "-map" not in name and ".orders" not in name:
        assert glimpse(dipsat.load_profile(name)) == ()
        assert len(judged) <= 2 * BOARDS
    assert UNITS * BOARDS < 300


def test_rules_check_says_it(tmp_path: Path) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text("name: odd\nextends: datc\ndecisions: {attack_strength(m): base + 1}\n")
    result = CliRunner().invoke(main, ["rules", "check", str(path)])
    assert result.exit_code == 1
    assert "  remark: two units can end in one province: " in result.stdout


def test_a_witness_is_made_small_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was sought anew on each board; under slow rules, that took minutes."""
    made: list[object] = []

    def counted(*arguments: object) -> object:
        made.append(arguments)
        return shrunk(*arguments)  # type: ignore[arg-type]  # passed on

    monkeypatch.setattr(glimpses, "shrunk", counted)
    entry = ODD["no rule for rings"][0]
    assert len(glimpse(parse_profile(f"name: odd\nextends: datc\n{entry}\n", "odd.yaml"))) == 1
    assert len(made) == 1


SLOW = """\
name: slow
extends: datc
decisions:
  support(s): base and any(any(k != j for k in Province) for j in Province)
"""


def boards_judged(monkeypatch: pytest.MonkeyPatch, text: str) -> int:
    judged = 0

    def counted(*arguments: object, **limits: object) -> object:
        nonlocal judged
        judged += 1
        return movement(*arguments, **limits)  # type: ignore[arg-type]  # passed on

    with monkeypatch.context() as patch:
        patch.setattr(glimpses, "movement", counted)
        glimpse(parse_profile(text, "some.yaml"))
    return judged


def test_the_boards_end_with_the_steps_not_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = "name: quick\nextends: datc\n"
    assert boards_judged(monkeypatch, quick) == boards_judged(monkeypatch, SLOW) == BOARDS
    monkeypatch.setattr(glimpses, "STEPS", 60_000)
    few = boards_judged(monkeypatch, quick)
    fewer = boards_judged(monkeypatch, SLOW)
    assert 1 <= fewer < few < BOARDS
    monkeypatch.setattr(time, "monotonic", lambda: 10.0**12)
    assert boards_judged(monkeypatch, SLOW) == fewer
    monkeypatch.setattr(glimpses, "STEPS", 0)
    assert boards_judged(monkeypatch, SLOW) == 0


def test_boards_that_cannot_be_judged_use_up_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Making a witness small judges many of them."""
    monkeypatch.setattr(glimpses, "STEPS", 9_000)
    entry = ODD["no rule for rings"][0]
    assert boards_judged(monkeypatch, f"name: odd\nextends: datc\n{entry}\n") <= 3


@pytest.mark.parametrize("term", ["attacked by two", "always", "though it left"])
def test_a_unit_that_leaves_and_is_dislodged_is_a_remark(term: str) -> None:
    """Adjudicated, such a unit is an error."""
    equation = {
        "attacked by two": "base or sum(1 for a in u.province.attackers) >= 2",
        "always": "true",
        "though it left": "entered(u.province)",
    }[term]
    text = f"name: odd\nextends: datc\ndecisions: {{dislodge(u): {equation}}}\n"
    (said,) = (
        one
        for one in glimpse(parse_profile(text, "odd.yaml"))
        if one.startswith("a unit can move away and be dislodged all the same: ")
    )
    assert "\n" not in said
    assert len(said) < 300
