"""A game from the first spring on: submitting, advancing, going back, saving, winning."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat.errors import (
    ArgumentError,
    DipsatError,
    FileError,
    GameError,
    OrderFaultError,
    OrderSyntaxError,
    UnknownNameError,
)
from tests.exhaustive import few_of
from tests.made_games import made_game

Orders = Mapping[str, list[str]]
# The French attack on Munich: Germany's army has to retreat in spring 1902.
OPENING: tuple[tuple[str, Orders], ...] = (
    ("S1901M", {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BER - SIL"]}),
    ("F1901M", {"FRANCE": ["A MAR - SPA", "F BRE - MAO"], "GERMANY": ["F KIE - DEN"]}),
    ("W1901A", {"FRANCE": ["A MAR B"], "GERMANY": ["A BER B"]}),
    ("S1902M", {"FRANCE": ["A BUR - RUH", "A MAR - BUR"]}),
    ("F1902M", {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"]}),
    ("F1902R", {"GERMANY": ["A MUN R TYR"]}),
)


def opening() -> dipsat.Game:
    game = dipsat.Game.standard()
    for phase, orders in OPENING:
        assert str(game.phase) == phase
        game.submit(orders)
        game.advance()
    return game


def states(game: dipsat.Game) -> list[object]:
    return [turn.position.to_dict() for turn in game.history] + [game.position.to_dict()]


def test_a_game_goes_through_moves_retreats_and_adjustments() -> None:
    game = opening()
    assert str(game.phase) == "W1902A"
    assert [str(turn.position.phase) for turn in game.history] == [p for p, _ in OPENING]
    assert game.history[4].outcome.dislodged[0].unit == "A MUN"
    position = game.position.to_dict()
    assert position["units"]["GERMANY"] == ["A BER", "F DEN", "A SIL", "A TYR"]
    assert position["centers"]["FRANCE"] == ["BRE", "MAR", "MUN", "PAR", "SPA"]
    assert position["centers"]["GERMANY"] == ["BER", "DEN", "KIE"]
    game.submit({"FRANCE": ["F MAR B"], "GERMANY": ["A TYR D"]})
    outcome = game.advance()
    assert outcome.order("F MAR").verdict == "succeeds"
    assert str(game.phase) == "S1903M"


def test_undo_goes_back_with_the_orders_that_were_submitted() -> None:
    game = opening()
    before = states(game)
    turn = game.undo()
    assert str(game.phase) == "F1902R" == str(turn.position.phase)
    assert game.orders == {"GERMANY": ("A MUN R TYR",)}
    game.submit("GERMANY", ["A MUN R BOH"])
    game.advance()
    assert "A BOH" in game.position.to_dict()["units"]["GERMANY"]
    game.back_to("F1902R")
    game.submit("GERMANY", ["A MUN R TYR"]).advance()
    assert states(game) == before


def test_nobody_goes_back_to_a_phase_that_was_not_played() -> None:
    game = opening()
    for phase in ("S1907M", "S1902R"):
        with pytest.raises(GameError, match=f"{phase} was not played; the last phases"):
            game.back_to(phase)
    with pytest.raises(UnknownNameError):
        game.back_to("X1901M")
    assert str(game.phase) == "W1902A"
    assert game.back_to("S1901M").position.to_dict() == dipsat.Position.start().to_dict()
    with pytest.raises(GameError, match="nothing to undo before S1901M"):
        game.undo()


def test_a_copy_goes_its_own_way() -> None:
    game = opening()
    other = game.copy()
    other.advance()
    other.advance()
    assert len(game.history) == len(OPENING)
    assert str(game.phase) == "W1902A"


def test_submitting_again_replaces_the_orders_of_that_power_only() -> None:
    game = dipsat.Game.standard()
    game.submit({"France": ["A PAR - BUR"], "Turkey": ["A Con-Bul"]})
    game.submit("FRANCE", ["A PAR - PIC"])
    assert game.orders == {"FRANCE": ("A PAR - PIC",), "TURKEY": ("A Con-Bul",)}
    assert game.submit("FRANCE", []).orders["FRANCE"] == ()
    game.advance()
    assert "A PAR" in game.position.to_dict()["units"]["FRANCE"]


NO_ORDER = "should be a text or an order|is not an order"


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ([{"FRANCE": ["A MAR H"], "ITALY": ["A PAR B"]}], OrderFaultError, "a movement phase"),
        ([{"FRANCE": ["A MAR H"], "ITALY": ["A PAR R BUR"]}], OrderFaultError, "S1901M"),
        ([{"FRANCE": ["A MAR H"], "ITALY": ["WAIVE"]}], OrderFaultError, "S1901M"),
        (["FRANCE", ["A PAR"]], OrderSyntaxError, "A PAR"),
        (["FRANCE", ["A XYZ - BUR"]], UnknownNameError, "XYZ"),
        (["FRANCE", "A PAR H"], ArgumentError, r"orders should be a list such as \['A PAR H'\]"),
        ([{"FRANCE": "A PAR H"}], ArgumentError, r"power\['FRANCE'\] should be a list such as"),
        (["FRANCE"], GameError, r"'FRANCE' alone; \[\] takes back its orders"),
        ([{"FRANCE": None}], DipsatError, "list"),
        (["FRANCE", [None]], DipsatError, NO_ORDER),
        (["FRANCE", ["A PAR H", 3]], DipsatError, NO_ORDER),
        (["FRANCE", [["A PAR H"]]], DipsatError, NO_ORDER),
        (["FRANCE", 5], DipsatError, "a list"),
        (["FRANCE", {"A PAR": "H"}], DipsatError, "a list"),
        ([["A PAR H"]], ArgumentError, "power should be a text or a mapping"),
        ([{None: ["A PAR H"]}], ArgumentError, "a key of power should be a text"),
        ([{"FRANCE": []}, ["A PAR H"]], GameError, "either a power and its orders"),
    ],
)
def test_orders_that_cannot_be_meant_are_refused_and_change_nothing(
    given: list[Any], error: type[DipsatError], said: str
) -> None:
    game = dipsat.Game.standard().submit("FRANCE", ["A PAR - BUR"])
    with pytest.raises(error, match=said):
        game.submit(*given)
    assert game.orders == {"FRANCE": ("A PAR - BUR",)}


@pytest.mark.parametrize("rules", ["datc", "1982"])
def test_a_move_to_impassable_land_is_refused_for_the_reason_that_check_gives(rules: str) -> None:
    game = dipsat.Game.standard(rules)
    (ruling,) = game.check("GERMANY", ["A MUN - SWI"])
    assert ruling.reason == "it names land that no unit can enter"
    with pytest.raises(OrderSyntaxError, match=ruling.reason):
        game.submit("GERMANY", ["A MUN - SWI"])


# What language models send: prose, marks, two orders in a line, orders of other phases and powers.
SENT = (
    "I think:", "```", "", "A BUR - GAS, A MAR H", "Marseilles supports that", "A BUR - SWI",
    "WAIVE", "A BUR R GAS", "A BUR B", "A BUR D", "A BUR H", "A BUR S A MAR", "GERMANY A MUN H",
)  # fmt: skip


@pytest.mark.parametrize("rules", ["datc", "1982"])
@pytest.mark.parametrize("phase", ["S1901M", "S1901R", "W1901A"])
def test_whatever_is_checked_can_be_kept_and_is_judged_alike(
    phase: str, rules: str, tmp_path: Path
) -> None:
    board = {"FRANCE": ["A BUR", "A MAR"], "GERMANY": ["A MUN", "A RUH"]}
    start = dipsat.Position.from_units(board, centers={"FRANCE": ["PAR", "MAR", "BRE"]})
    if phase == "S1901R":
        attack = {"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]}
        start = dipsat.adjudicate(start, attack).next
    elif phase == "W1901A":
        start = dipsat.Position.from_units(
            board, phase=phase, centers={"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["MUN", "BER"]}
        )
    for order in SENT:
        game = dipsat.Game(start, rules)
        (ruling,) = game.check("FRANCE", [order])
        game.submit("FRANCE", [order], keep_unreadable=True).save(tmp_path / "game.json")
        assert game.orders["FRANCE"] == (order,)
        for played in (game, dipsat.Game.load(tmp_path / "game.json")):
            sent = [one for one in played.advance().orders if one.submitted == order]
            assert len(sent) == 1
            is_illegal = sent[0].verdict in ("illegal", "invalid")
            assert is_illegal is (ruling.status == "illegal")
            assert not is_illegal or sent[0].reason.text == ruling.reason


@pytest.mark.parametrize("format", ["diplomacy", "datc", "yaml"])
def test_units_hold_in_every_format_if_their_orders_were_kept_unread(
    format: str, tmp_path: Path
) -> None:
    game = dipsat.Game.standard()
    game.submit("FRANCE", ["A PAR R BUR", "I think:", "A MAR - SWI"], keep_unreadable=True)
    game.advance()
    game.save(tmp_path / "game", format)
    loaded = dipsat.Game.load(tmp_path / "game")
    assert loaded.position.to_dict() == game.position.to_dict()
    said = " ".join(loaded.remarks)
    assert ("'A PAR R BUR': not an order of this phase" in said) is (format == "yaml")


def test_legal_orders_are_those_of_the_phase() -> None:
    game = dipsat.Game.standard()
    assert {"A PAR H", "A PAR - BUR", "A PAR S A MAR - BUR"} <= set(game.legal_orders("Paris"))
    game = opening().back_to("F1902R")
    assert "A MUN R TYR" in game.legal_orders("A MUN")
    assert "A MUN R BUR" not in game.legal_orders("A MUN")  # the attacker came from there
    with pytest.raises(UnknownNameError):
        game.legal_orders("A PAR")
    standing = next(one for one in game.position.units if one.province != "MUN")
    with pytest.raises(GameError, match=f"{standing} has no orders in F1902R: it is not dislodged"):
        game.legal_orders(str(standing))


def test_all_legal_orders_are_listed_by_power_in_every_phase() -> None:
    game = opening()
    phases = set()
    while len(game.history):
        game.undo()
        phases.add(game.phase.kind.value)
        legal = game.all_legal_orders()
        assert {*legal} == {*game.position.map.powers}
        for power, own in legal.items():
            listed = tuple(text for texts in own.values() for text in texts)
            assert game.legal_orders_of_power(power) == listed
            for subject, texts in own.items():
                assert texts == game.legal_orders(subject)
                assert all(one.status == "legal" for one in game.check(power, texts[:1]))
    assert phases == {"M", "R", "A"}


def test_what_a_power_builds_or_disbands_is_a_number() -> None:
    units = {"ITALY": ["F ADR"], "FRANCE": ["A GAS", "A BUR"], "TURKEY": ["F BLA"]}
    centers = {"ITALY": ["ROM", "NAP", "TUN"], "FRANCE": ["PAR"], "TURKEY": ["CON"]}
    winter = dipsat.Game(dipsat.Position.from_units(units, phase="W1901A", centers=centers))
    due = {"Italy": 2, "FRANCE": -1, "TURKEY": 0, "Austria": 0}
    assert {power: winter.builds_due(power) for power in due} == due
    assert [*winter.all_legal_orders()["FRANCE"]] == ["A BUR", "A GAS"]
    assert [*winter.all_legal_orders()["ITALY"]] == ["NAP", "ROM"]
    spring = dipsat.Game(dipsat.Position.from_units(units, phase="S1901M", centers=centers))
    assert spring.builds_due("FRANCE") == 0
    with pytest.raises(UnknownNameError, match="power"):
        winter.builds_due("A GAS")


def test_a_phase_equals_its_name_and_is_compared_with_no_other_text() -> None:
    phase = dipsat.Game.standard().phase
    assert phase == "S1901M"
    assert phase != "F1901M"
    assert phase in ("S1900M", "S1901M")
    assert hash(phase) == hash("S1901M")
    assert phase == dipsat.PhaseName.parse("Spring 1901")
    assert phase != 1901
    for text, told in (("Spring 1901", "write"), ("s1901m", "write"), ("x", "names are like")):
        with pytest.raises(UnknownNameError, match=f"{told} 'S1901M'"):
            _ = phase == text
    with pytest.raises(UnknownNameError):
        _ = phase != "COMPLETED"


def test_a_game_shows_how_many_orders_replaced_those_before() -> None:
    game = dipsat.Game.standard()
    shown = repr(game.submit("FRANCE", ["A PAR - BUR", "F BRE - MAO"]))
    assert shown.endswith("orders={'FRANCE': 2})")
    assert repr(game.submit("FRANCE", ["A MAR H"])).endswith("orders={'FRANCE': 1})")
    assert repr(game.submit("FRANCE", [])).endswith("rules='datc')")


def test_a_unit_without_orders_in_a_winter_is_not_called_unknown() -> None:
    units = {"ITALY": ["F ADR"], "FRANCE": ["A PAR", "A BUR"], "TURKEY": ["F BLA"]}
    centers = {"ITALY": ["ROM"], "FRANCE": ["PAR"]}
    winter = dipsat.Game(dipsat.Position.from_units(units, phase="W1901A", centers=centers))
    for name in ("F ADR", "ADR", "Italian F Adr"):
        with pytest.raises(GameError) as error:
            winter.legal_orders(name)
        assert str(error.value) == "F ADR has no orders in W1901A: ITALY disbands no unit"
    assert winter.legal_orders("A BUR") == ("A BUR D",)
    for name in ("A ADR", "F ION"):
        with pytest.raises(UnknownNameError):
            winter.legal_orders(name)


SIEGE = """\
name: siege
extends: datc
settings: {victory: never}
"""
SUPPLY = sorted(code for code, one in dipsat.load_map("standard").provinces.items() if one.supply)


def test_eighteen_centres_win_and_end_the_game(tmp_path: Path) -> None:
    owned = [code for code in SUPPLY if code != "DEN"][:17]
    position = dipsat.Position.from_units(
        {"FRANCE": ["A KIE"]}, phase="F1905M", centers={"FRANCE": owned}
    )
    game = dipsat.Game(position).submit("FRANCE", ["A KIE - DEN"])
    assert game.winner is None
    assert game.advance().winner == "FRANCE"
    assert game.is_over
    for action in (game.advance, lambda: game.submit("FRANCE", [])):
        with pytest.raises(GameError, match="FRANCE owns 18 centres"):
            action()
    for name in ("game.json", "game.yaml", "game.jsonl"):
        game.save(tmp_path / name)
        found = dipsat.Game.load(tmp_path / name)
        assert states(found) == states(game)
        assert found.winner == "FRANCE"
        found.undo()
        assert not found.is_over


def test_the_setting_never_lets_a_game_go_on(tmp_path: Path) -> None:
    rules = tmp_path / "siege.yaml"
    rules.write_text(SIEGE, encoding="utf-8")
    position = dipsat.Position.from_units(
        {"FRANCE": ["A PAR"]}, phase="S1905M", centers={"FRANCE": SUPPLY}
    )
    assert dipsat.Game(position).is_over
    game = dipsat.Game(position, rules)
    game.advance()
    assert str(game.phase) == "F1905M"


@pytest.mark.parametrize("name", ["game.json", "game.yaml", "game.yml"])
def test_saving_and_loading_loses_nothing(name: str, tmp_path: Path) -> None:
    game = opening().submit("FRANCE", ["A MAR B"])
    game.name = "Übung: 1 # 'a'"
    game.save(tmp_path / name)
    found = dipsat.Game.load(tmp_path / name)
    assert found.to_dict() == game.to_dict()
    assert found.name == game.name
    assert found.orders == {"FRANCE": ("A MAR B",)}
    assert found.history[0].outcome.to_dict() == game.history[0].outcome.to_dict()


@pytest.mark.parametrize("format", ["diplomacy", "datc", "judge", "daide"])
def test_other_formats_keep_the_positions_and_what_was_ordered(format: str, tmp_path: Path) -> None:
    game = opening().submit("FRANCE", ["A MAR B"])
    game.save(tmp_path / "game.x", format)
    found = dipsat.Game.load(tmp_path / "game.x")
    assert states(found) == states(game)
    assert set(found.orders) == {"FRANCE"}
    assert str(found.advance().next.phase) == "S1903M"


def test_a_file_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    value = opening().to_dict()
    value["phases"][3]["units"]["FRANCE"].append("A PIC")
    path = tmp_path / "game.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(FileError, match=r"S1902M: its units contradict the history") as error:
        dipsat.Game.load(path)
    assert str(path) in str(error.value)
    assert "FRANCE" in str(error.value)
    assert "GERMANY" not in str(error.value)  # only what differs
    assert "A PIC" in str(dipsat.Game.load(path, check=False).history[3].position.to_dict())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "this dipsat reads version 1, not 2"),
        ({"map": "moon"}, "unknown map 'moon'"),
        ({"rules": "nonesuch"}, "rules: unknown profile 'nonesuch'"),
        ({"phases": []}, "no phases"),
        ({"phases": [{"phase": "S1901X", "units": {}}]}, "unknown phase 'S1901X'"),
        ({"phases": [{"phase": "S1901M"}]}, "no units"),
        ({"phases": [{"phase": "S1901M", "units": {"FRANCE": ["A ENG"]}}]}, "army cannot stand"),
        ({"phases": [{"phase": "S1901M", "units": {"FRANCE": "A PAR"}}]}, "should be a list"),
        ({"phases": [{"phase": "S1901M", "units": {"MARS": ["A PAR"]}}]}, "unknown power 'MARS'"),
        ({"phases": [{"phase": "S1901M", "units": {}, "oders": {}}]}, "unknown key 'oders'"),
        ({"winner": 7}, "unknown key 'winner'"),
    ],
)
def test_faulty_files_are_one_clear_error(
    change: Mapping[str, object], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps({**dipsat.Game.standard().to_dict(), **change}), encoding="utf-8")
    with pytest.raises(DipsatError, match=message) as error:
        dipsat.Game.load(path)
    assert str(error.value).startswith(str(path))


def test_a_fault_in_a_yaml_file_is_named_with_the_line_of_its_phase(tmp_path: Path) -> None:
    game = dipsat.Game.standard()
    game.advance()
    path = tmp_path / "game.yaml"
    game.save(path)
    text = path.read_text(encoding="utf-8")
    line = [at for at, line in enumerate(text.splitlines(), 1) if line.startswith("- phase:")][1]
    path.write_text(text[: text.rindex("A PAR")] + "A ENG" + text[text.rindex("A PAR") + 5 :])
    with pytest.raises(FileError) as error:
        dipsat.Game.load(path)
    assert str(error.value).startswith(f"{path}:{line}: F1901M, units, FRANCE: ")


def test_several_games_of_a_file_are_read_one_by_one(tmp_path: Path) -> None:
    path, lines = tmp_path / "games.jsonl", list[str]()
    games = [made_game(seed, 2) for seed in range(3)]
    for game in games:
        game.save(path)
        lines.append(path.read_text(encoding="utf-8"))
    path.write_text("".join(lines), encoding="utf-8")
    assert [states(game) for game in dipsat.load_games(path)] == [states(game) for game in games]
    with pytest.raises(FileError, match="several games"):
        dipsat.Game.load(path)


OWN_MAP = "extends: standard\nname: mine\n"


def test_rules_and_map_of_a_game_are_found_beside_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "siege.yaml").write_text(SIEGE, encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(OWN_MAP, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    game = dipsat.Game.new("mine.yaml", "siege.yaml")
    game.advance()
    for name in ("game.json", "game.jsonl", "game.txt"):
        game.save(name)
    dipsat.Game.new("mine.yaml", dipsat.load_profile("siege.yaml")).save("other.json")
    monkeypatch.chdir("/")
    for name in ("game.json", "game.jsonl", "game.txt", "other.json"):
        found = dipsat.Game.load(tmp_path / name)
        assert found.profile.settings.victory == "never"
        assert found.map_name == "mine.yaml"
        assert found.rules.endswith("siege.yaml")


@pytest.mark.parametrize("file", few_of(["game.json", "game.yaml", "game.txt", "game.jsonl"], 2))
def test_rules_file_that_is_gone_is_named_before_the_units_that_need_it(
    tmp_path: Path, file: str
) -> None:
    rules, path = tmp_path / "own.yaml", tmp_path / file
    rules.write_text("extends: arpiesse\n", encoding="utf-8")
    profile = dipsat.load_profile(rules)
    position = dipsat.Position.from_units({"FRANCE": ["Red A PAR"]}, rules=profile)
    if file.endswith(".txt"):
        text = "Rules: own.yaml\n\nSpring 1901 Movement\n\nFrance:\n  Red A PAR - BUR\n"
        path.write_text(text, encoding="utf-8")
        assert dipsat.Game.load(path).orders == {"FRANCE": ("Red A PAR - BUR",)}
    else:
        dipsat.Game(position, profile, rules_name="own.yaml").save(path)
        assert dipsat.Game.load(path).position.units == position.units
    rules.unlink()
    with pytest.raises(FileError) as error:
        dipsat.Game.load(path)
    assert str(error.value).startswith(f"{path}: rules: {rules}: cannot be read")
    assert "Red A PAR" in str(error.value)


def test_a_map_that_overrules_the_file_is_the_map_of_the_game(tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text(OWN_MAP, encoding="utf-8")
    for name in ("game.json", "game.jsonl", "game.txt"):
        opening().save(tmp_path / name)
        (game,) = dipsat.load_games(tmp_path / name, map=own, check=False)
        assert game.map_name == str(own)
        assert len(game.history) == len(OPENING)
    game.save(tmp_path / "again.json")
    assert dipsat.Game.load(tmp_path / "again.json").map_name == str(own)


def test_a_dislodged_unit_without_listed_retreats_may_go_to_every_empty_neighbour() -> None:
    phase = {
        "phase": "S1902R", "units": {"GERMANY": ["A BUR", "A PAR"]}, "centers": {},
        "dislodged": {"FRANCE": ["A BUR"]}, "orders": {},
    }  # fmt: skip
    value = {**dipsat.Game.standard().to_dict(), "phases": [phase]}
    (lost,) = dipsat.Game.from_dict(value).position.dislodged
    assert lost.retreats == ("BEL", "GAS", "MAR", "MUN", "PIC", "RUH")


@pytest.mark.parametrize("value", [[1], "game", None, {}, {"format": "dipsat game"}])
def test_a_file_that_is_not_a_game_is_a_file_error(value: object) -> None:
    with pytest.raises(FileError):
        dipsat.Game.from_dict(value)


def test_results_of_an_e_mail_judge_are_read_as_orders(tmp_path: Path) -> None:
    path = tmp_path / "results.txt"
    path.write_text(
        "Movement results for Spring of 1901.  (game.001)\n\n"
        "Austria: Army Vienna -> Galicia.  (*bounce*)\nAustria: Fleet Trieste -> Albania.\n\n"
        "Russia: Army Warsaw -> Galicia.  (*bounce*)\n"
        "Turkey: Army Constantinople SUPPORT Army Smyrna -> Ankara. (*void*)\n\n"
        "Movement results for Fall of 1901.  (game.002)\n",
        encoding="utf-8",
    )
    game = dipsat.Game.load(path)
    assert str(game.phase) == "F1901M"
    units = game.position.to_dict()["units"]
    assert units["AUSTRIA"] == ["F ALB", "A BUD", "A VIE"]
    assert "A WAR" in units["RUSSIA"]


def test_a_text_of_a_game_that_began_elsewhere_is_not_written(tmp_path: Path) -> None:
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    with pytest.raises(GameError, match="did not start on the map's first board"):
        dipsat.Game(position).save(tmp_path / "game.txt")


def test_what_games_share_cannot_be_changed() -> None:
    game = opening()
    with pytest.raises(TypeError):
        game.history[0].orders["FRANCE"] = ()  # type: ignore[index]  # what it must refuse
    with pytest.raises(TypeError):
        game.position.centers.pop("FRANCE")  # type: ignore[attr-defined] # this, too
    copied = copy.deepcopy(game.position.centers)
    assert pickle.loads(pickle.dumps(copied)) == copied == game.position.centers


def test_two_spellings_of_a_power_are_one_power() -> None:
    game = dipsat.Game.standard()
    game.submit({"FRANCE": ["A PAR - BUR"], "france": ["A MAR H"]})
    assert game.orders == {"FRANCE": ("A PAR - BUR", "A MAR H")}


@pytest.mark.parametrize(
    "heading",
    [
        "S1901M", "Spring 1901", "spring 1901 movement", "Spring, 1901 Movement",
        "Spring 1901 Moves", "Spring of 1901", "Spring 1901 (Movement)", "Spring 1901 - Movement",
    ],
)  # fmt: skip
def test_headings_of_phases_are_read_as_people_write_them(heading: str, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(f"{heading}\nFrance:\n A Par - Bur\n", encoding="utf-8")
    game = dipsat.Game.load(path)
    assert str(game.phase) == "S1901M"
    assert game.orders == {"FRANCE": ("A Par - Bur",)}


def test_headings_of_phases_without_anything_to_order_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(
        "Spring 1901 Movement\nFrance:\n A Par - Bur\nSpring 1901 Retreats\n"
        "Fall 1901 Movement\nFrance:\n A Bur - Mun\n",
        encoding="utf-8",
    )
    assert str(dipsat.Game.load(path).phase) == "F1901M"


@pytest.mark.parametrize("rules", ["datc", "colonial"])
def test_a_game_without_a_position_begins_with_the_first_phase(rules: str) -> None:
    assert dipsat.Game(rules=rules).to_dict() == dipsat.Game.new(rules=rules).to_dict()
