"""What `rules check` sees on a few boards, such as units that share a province."""

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
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of

COOKBOOK = ROOT / "docs" / "examples" / "cookbook"


def found(entry: str) -> tuple[str, ...]:
    """The remarks on the standard rules with this entry."""
    return glimpse(parse_profile(f"name: odd\nextends: datc\n{entry}\n", "odd.yaml"))


def calls_of(name: str, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The calls of a function that glimpses use, from now on."""
    calls, honest = list[object](), getattr(glimpses, name)

    def counted(*arguments: object, **limits: object) -> object:
        calls.append(arguments)
        return honest(*arguments, **limits)

    monkeypatch.setattr(glimpses, name, counted)
    return calls


RINGS = "cycles: [{name: Szykman, when: some(cycle.convoy), set: {convoy: false}}]"
ODD = {
    "decisions: {move(m): path(m)}": "two units can end in one province: ",
    "decisions: {hold_strength(p): '2 if p.kind == \"sea\" else base'}": (
        "hold_strength is 2 in the empty province "
    ),
    RINGS: "no rule for decision cycles settles some orders: ",
    # adjudicated, such a unit is an error
    "decisions: {dislodge(u): entered(u.province)}": (
        "a unit can move away and be dislodged all the same: "
    ),
}


@exhaustive
@pytest.mark.parametrize(("entry", "said"), ODD.items())
def test_trouble_on_boards_is_a_remark_in_one_line_with_a_witness(entry: str, said: str) -> None:
    (remark,) = (one for one in found(entry) if one.startswith(said))
    assert remark.endswith("; `dipsat rules stress` tells more")
    assert "\n" not in remark
    assert len(remark) < 300


def test_sound_rules_get_no_remark() -> None:
    assert found("decisions: {hold_strength(p): base + 1 if some(p.units) else base}") == ()


SHIPPED = [
    *dipsat.profile_names(),
    *(str(one) for one in sorted(COOKBOOK.glob("*[!sp].yaml")) if "-map" not in one.name),
]


@pytest.mark.parametrize("name", few_of(SHIPPED, 3))
def test_shipped_rules_get_no_remark_and_few_boards_are_judged(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = calls_of("movement", monkeypatch)
    assert glimpse(dipsat.load_profile(name)) == ()
    assert len(judged) <= 2 * BOARDS
    assert UNITS * BOARDS < 300


@exhaustive
def test_rules_check_prints_the_remark(tmp_path: Path) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text("name: odd\nextends: datc\ndecisions: {attack_strength(m): base + 1}\n")
    result = CliRunner().invoke(main, ["rules", "check", str(path)])
    assert result.exit_code == 1
    assert "  remark: two units can end in one province: " in result.stdout


def test_a_witness_is_made_small_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search on each board would take minutes under slow rules."""
    made = calls_of("shrunk", monkeypatch)
    assert len(found(RINGS)) == 1
    assert len(made) == 1


SLOW = "decisions:\n  support(s): base and any(any(k != j for k in Province) for j in Province)"


@exhaustive
def test_the_boards_are_limited_by_steps_and_not_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = calls_of("movement", monkeypatch)

    def boards(entry: str, steps: int) -> int:
        monkeypatch.setattr(glimpses, "STEPS", steps)
        judged.clear()
        found(entry)
        return len(judged)

    assert boards(SLOW, glimpses.STEPS) == BOARDS
    few, fewer = boards("", 60_000), boards(SLOW, 60_000)
    assert 1 <= fewer < few < BOARDS
    assert boards(RINGS, 9_000) <= 3  # boards that cannot be judged use up steps too
    assert boards(SLOW, 0) == 0
    monkeypatch.setattr(time, "monotonic", lambda: 10.0**12)
    assert boards(SLOW, 60_000) == fewer
