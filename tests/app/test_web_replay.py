"""The request `replay`: a saved game in slices, and where the rules and its record differ."""

from __future__ import annotations

import json
from typing import Any

import pytest

import dipsat
from dipsat import studies
from tests.app.test_web_messages import SIEGE, answered, refused
from tests.exhaustive import exhaustive
from tests.formats.sheets import PARADOX
from tests.recorded import needs_games, recorded_games

OWN = {"text": SIEGE, "name": "siege.yaml"}

# Burgundy falls to two French armies; under the siege a unit that stays is as strong as two. The
# army of Munich then retreats, and France builds.
TEXT = """\
Map: standard

Spring 1901 Movement

Germany:
  A Munich - Burgundy

Fall 1901 Movement

France:
  A Paris - Burgundy
  A Marseilles S A Paris - Burgundy
  F Brest - Mid-Atlantic Ocean

Fall 1901 Retreat

Germany:
  A Burgundy - Ruhr

Winter 1901 Adjustment

Spring 1902 Movement

Germany:
  A Ruhr - Munich
"""
UNITS = {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}
BOUNCE = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}


def saved(*phases: tuple[str, dict[str, list[str]], dict[str, list[str]]], name: str = "g") -> str:
    """A game as the `diplomacy` package saves it: the name, units and orders of each phase."""
    listed = [
        {"name": phase, "state": {"units": units, "centers": {}}, "orders": orders}
        for phase, units, orders in phases
    ]
    return json.dumps({"id": name, "map": "standard", "phases": listed})


def statuses(found: dict[str, Any]) -> list[str]:
    return [one["status"] for one in found["phases"]]


def test_text_of_orders_is_played_and_differs_where_the_rules_do() -> None:
    found = answered(request="replay", game=TEXT)
    names = ["S1901M", "F1901M", "F1901R", "S1902M"]
    assert [one["phase"] for one in found["phases"]] == names
    assert found["phases"][0]["title"] == "Spring 1901 Movement"
    assert [one["number"] for one in found["phases"]] == [1, 2, 3, 4]
    assert set(statuses(found)) == {"agrees"}
    assert (found["played"], found["games"], found["count"]) == (True, 1, 4)
    assert "A MUN" in found["phases"][-1]["after"]["units"]["GERMANY"]
    for one in found["phases"]:  # other requests take them
        again = answered(request="adjudicate", position=one["position"], orders=one["orders"])
        assert again["units"] == one["after"]["units"]
    siege = answered(request="replay", game=TEXT, rules=OWN)
    assert statuses(siege) == ["agrees", "differs", "agrees", "agrees"]
    attack = siege["phases"][1]
    assert attack["theirs"]["units"] == {"FRANCE": ["A BUR"]}
    assert attack["ours"]["units"] == {"FRANCE": ["A PAR"], "GERMANY": ["A BUR"]}
    assert attack["after"]["dislodged"] == {"GERMANY": ["A BUR"]}


@exhaustive
def test_slices_are_parts_of_the_whole() -> None:
    def part(**members: int) -> Any:
        return answered(request="replay", game=TEXT, rules=OWN, **members)

    whole = part()["phases"]
    parts = [part(offset=at, limit=1) for at in range(5)]
    assert [one for part in parts for one in part["phases"]] == whole
    assert {part["count"] for part in parts} == {len(whole)}
    assert part(limit=0)["phases"] == part(offset=10**29)["phases"] == []


@exhaustive
def test_record_that_rules_do_not_give_differs() -> None:
    # Two moves of the same strength to Burgundy bounce; the record lets the French one succeed.
    wrong = {"FRANCE": ["A BUR"], "GERMANY": ["A MUN"]}
    game = saved(("S1901M", UNITS, BOUNCE), ("F1901M", wrong, {}), name="Bounce")
    found = answered(request="replay", game=game, picture=True, causes=True)
    assert (found["name"], found["played"]) == ("Bounce", False)
    first, last = found["phases"]
    assert first["status"] == "differs"
    assert (first["theirs"], first["ours"]) == (
        {"units": {"FRANCE": ["A BUR"]}}, {"units": {"FRANCE": ["A PAR"]}},
    )  # fmt: skip
    assert first["text"] == {"theirs": "France: A BUR", "ours": "France: A PAR"}
    assert first["cause"] is None
    assert first["svg"].startswith("<svg")
    assert (last["status"], last["after"], "svg" in last) == ("skipped", None, False)
    assert last["reason"]


@pytest.mark.parametrize(("asked", "cause"), [(True, "vain-via-over-land"), (False, None)])
def test_known_deviation_is_the_cause_if_asked(asked: bool, cause: str | None) -> None:
    """DATC 4.A.3: VIA without a convoy is a plain move for some judges, and none for others."""
    moved = saved(
        ("S1901M", {"GERMANY": ["A BER"]}, {"GERMANY": ["A BER - KIE VIA"]}),
        ("F1901M", {"GERMANY": ["A KIE"]}, {}),
    )
    found = answered(request="replay", game=moved, causes=asked)
    assert found["phases"][0]["cause"] == cause


def test_each_game_of_a_text_is_found() -> None:
    games = [saved(("S1901M", UNITS, BOUNCE), name=name) for name in ("one", "two")]
    for text in ("\n".join(games), f"[{', '.join(games)}]"):
        found = answered(request="replay", game=text, number=2)
        assert (found["name"], found["games"]) == ("two", 2)
    assert "1 to 2" in refused(request="replay", game="\n".join(games), number=3)["message"]


def test_own_games_and_phases_that_cannot_be_read() -> None:
    game = dipsat.Game.standard()
    for order in ("A PAR - BUR", "A BUR - BEL"):
        game.submit("FRANCE", [order])
        game.advance()
    value = game.to_dict()
    found = answered(request="replay", game=json.dumps(value))
    assert statuses(found) == ["agrees", "agrees", "skipped"]
    value["phases"][1]["units"] = {"FRANCE": ["A BXR"]}
    lost = answered(request="replay", game=json.dumps(value))["phases"][1]
    assert (lost["status"], lost["phase"], lost["position"]) == ("skipped", "F1901M", None)
    assert "BXR" in lost["reason"]


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"game": ""}, "empty"),
        ({"game": PARADOX}, "no game"),
        ({"game": "{"}, "JSON"),
        ({"game": TEXT, "limit": 201}, "0 to 200"),
        ({"game": TEXT, "offset": -1}, "from 0"),
        ({"game": TEXT, "number": 2}, "1 to 1"),
        ({"game": "\ud800"}, "UTF-8"),
        ({"game": TEXT.replace("standard", "house.yaml")}, "house.yaml"),
        ({"game": TEXT.replace("Map: standard", "Rules: house.yaml")}, "house.yaml"),
        ({"game": TEXT, "rules": "colonial"}, "standard"),
    ],
)
def test_faults_say_what_would_be_right(members: dict[str, Any], said: str) -> None:
    assert said in refused(request="replay", **members)["message"]


def test_fault_has_the_line_of_the_game() -> None:
    broken = TEXT.replace("Brest - Mid", "Brest - Mud")
    error = refused(request="replay", game=broken, name="mine.txt")
    assert (error["document"], error["line"]) == ("mine.txt", 13)


@exhaustive
@needs_games
def test_game_of_people_is_judged_as_when_it_is_replayed_at_once(tmp_path: Any) -> None:
    (lines,) = recorded_games((30,))
    text = "\n".join(map(json.dumps, lines))
    (tmp_path / "game.jsonl").write_text(text, encoding="utf-8")
    (report,) = studies.replay_files([tmp_path / "game.jsonl"])
    assert isinstance(report, studies.GameReport)
    phases = answered(request="replay", game=text, limit=200, causes=True)["phases"]
    assert len(phases) == report.phases
    differing = [(one["phase"], one["cause"]) for one in phases if one["status"] == "differs"]
    assert differing == [(one.phase, one.cause or None) for one in report.differ]
    skipped = [one["phase"] for one in phases if one["status"] == "skipped"]
    assert skipped == [one.phase for one in report.skipped]
