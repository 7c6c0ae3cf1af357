"""A game from the first spring on: submitting, advancing, going back, saving, winning."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings, strategies as st

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
from dipsat.game import PhaseKind
from tests.exhaustive import exhaustive, few_examples, few_of
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


def test_undo_to_the_start_and_no_further() -> None:
    game = opening().back_to("S1901M")
    assert game.position.to_dict() == dipsat.Position.start().to_dict()
    with pytest.raises(GameError, match="nothing to undo before S1901M"):
        game.undo()


def test_back_to_a_phase_that_was_not_played_changes_nothing() -> None:
    game = opening()
    for phase in ("S1907M", "S1902R"):
        with pytest.raises(GameError, match=f"there was no {phase}"):
            game.back_to(phase)
    with pytest.raises(UnknownNameError):
        game.back_to("X1901M")
    assert str(game.phase) == "W1902A"


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
    game.submit("FRANCE", [])
    game.advance()
    assert "A PAR" in game.position.to_dict()["units"]["FRANCE"]


@pytest.mark.parametrize(
    ("order", "error"),
    [
        ("A PAR B", OrderFaultError),
        ("A PAR R BUR", OrderFaultError),
        ("WAIVE", OrderFaultError),
        ("A PAR", OrderSyntaxError),
        ("A XYZ - BUR", UnknownNameError),
    ],
)
def test_orders_that_cannot_be_meant_are_refused_and_change_nothing(
    order: str, error: type[DipsatError]
) -> None:
    game = dipsat.Game.standard().submit("FRANCE", ["A PAR H"])
    with pytest.raises(error):
        game.submit({"FRANCE": ["A MAR H"], "ITALY": [order]})
    assert game.orders == {"FRANCE": ("A PAR H",)}


def test_an_order_for_another_kind_of_phase_names_the_phase() -> None:
    game = opening()
    with pytest.raises(OrderFaultError, match="W1902A is an adjustment phase"):
        game.submit("FRANCE", ["A PAR - BUR"])


def test_a_single_text_is_no_list_of_orders() -> None:
    game = dipsat.Game.standard()
    with pytest.raises(ArgumentError, match=r"orders should be a list such as \['A PAR - BUR'\]"):
        game.submit("FRANCE", "A PAR - BUR")
    with pytest.raises(ArgumentError, match=r"power\['FRANCE'\] should be a list such as"):
        game.submit({"FRANCE": "A PAR - BUR"})


def test_a_power_without_orders_keeps_those_submitted() -> None:
    game = dipsat.Game.standard().submit("FRANCE", ["A PAR - BUR"])
    with pytest.raises(GameError, match=r"'FRANCE' alone; \[\] takes back its orders"):
        game.submit("FRANCE")
    with pytest.raises(DipsatError):
        game.submit({"FRANCE": None})  # type: ignore[dict-item]  # what is refused
    assert game.orders == {"FRANCE": ("A PAR - BUR",)}
    assert game.submit("FRANCE", []).orders == {"FRANCE": ()}


@pytest.mark.parametrize("orders", [[None], ["A PAR H", 3], [["A PAR H"]]])
def test_what_is_no_order_is_named(orders: list[Any]) -> None:
    game = dipsat.Game.standard().submit("FRANCE", ["A PAR - BUR"])
    with pytest.raises(DipsatError, match=r"should be a text or an order|is not an order"):
        game.submit("FRANCE", orders)
    assert game.orders == {"FRANCE": ("A PAR - BUR",)}


@pytest.mark.parametrize("orders", [5, {"A PAR": "H"}])
def test_what_is_no_list_of_orders_is_refused(orders: Any) -> None:
    game = dipsat.Game.standard()
    with pytest.raises(DipsatError, match="a list"):
        game.submit("FRANCE", orders)
    with pytest.raises(ArgumentError, match="power should be a text or a mapping"):
        game.submit(["A PAR H"])  # type: ignore[arg-type]  # what is refused
    with pytest.raises(ArgumentError, match="a key of power should be a text"):
        game.submit({None: ["A PAR H"]})  # type: ignore[dict-item]  # what is refused


def test_unit_on_the_board_without_orders_in_this_phase_is_not_called_unknown() -> None:
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
    retreats = opening().back_to("F1902R")
    (standing, *_) = (one for one in retreats.position.units if one.province != "MUN")
    with pytest.raises(GameError, match=f"{standing} has no orders in F1902R: it is not dislodged"):
        retreats.legal_orders(str(standing))


def test_legal_orders_are_those_of_the_phase() -> None:
    game = dipsat.Game.standard()
    assert {"A PAR H", "A PAR - BUR", "A PAR S A MAR - BUR"} <= set(game.legal_orders("Paris"))
    game = opening().back_to("F1902R")
    assert "A MUN R TYR" in game.legal_orders("A MUN")
    assert "A MUN R BUR" not in game.legal_orders("A MUN")  # the attacker came from there
    with pytest.raises(UnknownNameError):
        game.legal_orders("A PAR")


def test_eighteen_centres_win_and_end_the_game() -> None:
    start = dipsat.Position.start()
    supply = [code for code, province in start.map.provinces.items() if province.supply]
    owned = sorted(supply)[:17]
    left = [code for code in supply if code not in owned]
    target = next(code for code in left if start.map.army.get(code))
    near = sorted(code for code in start.map.army[target] if code not in owned)[0]
    position = dipsat.Position.from_units(
        {"FRANCE": [f"A {near}"]}, phase="F1905M", centers={"FRANCE": owned}
    )
    game = dipsat.Game(position)
    assert game.winner is None
    game.submit("FRANCE", [f"A {near} - {target}"])
    assert game.advance().winner == "FRANCE"
    assert game.is_over
    assert game.winner == "FRANCE"
    for action in (game.advance, lambda: game.submit("FRANCE", [])):
        with pytest.raises(GameError, match="FRANCE owns 18 centres"):
            action()
    game.undo()
    assert not game.is_over


def test_the_setting_never_lets_a_game_go_on(tmp_path: Path) -> None:
    rules = tmp_path / "endless.yaml"
    rules.write_text("extends: datc\nsettings: {victory: never}\n", encoding="utf-8")
    start = dipsat.Position.start()
    supply = [code for code, province in start.map.provinces.items() if province.supply]
    position = dipsat.Position.from_units(
        {"FRANCE": ["A PAR"]}, phase="S1905M", centers={"FRANCE": supply}
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


@few_examples(
    2,
    settings(max_examples=8, deadline=None),
    seed=st.integers(0, 10_000),
    phases=st.integers(0, 40),
)
def test_every_game_survives_a_round_trip(seed: int, phases: int) -> None:
    game = made_game(seed, phases)
    text = json.dumps(game.to_dict())
    assert dipsat.Game.from_dict(json.loads(text)).to_dict() == game.to_dict()


@exhaustive
@pytest.mark.parametrize("seed", range(4))
def test_whole_games_survive_every_format(seed: int, tmp_path: Path) -> None:
    game = made_game(seed)
    for name in ("game.json", "game.yaml", "game.jsonl", "game.txt"):
        game.save(tmp_path / name)
        assert states(dipsat.Game.load(tmp_path / name)) == states(game), name


@pytest.mark.parametrize("seed", few_of(range(8), 2))
def test_invariants_hold_in_every_prefix_of_a_game(seed: int) -> None:
    """No two units in a province, ownership changes only after fall, and after adjustments no
    power has more units than centres."""
    game = made_game(seed)
    for turn in game.history:
        before, after = turn.position, turn.outcome.next
        provinces = [unit.province for unit in after.units]
        assert len(provinces) == len(set(provinces))
        is_fall = before.phase.season == "F" and after.phase.season != "F"
        assert before.centers == after.centers or is_fall
        if before.phase.kind is PhaseKind.ADJUSTMENT:
            for power in {unit.power for unit in after.units}:
                units = sum(unit.power == power for unit in after.units)
                assert units <= len(after.centers.get(power, ()))
        for lost in after.dislodged:
            assert lost.retreats
            assert not {place.partition("/")[0] for place in lost.retreats} & set(provinces)


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
        ({"rules": "none such"}, "unknown profile"),
        ({"phases": []}, "no phases"),
        ({"phases": [{"phase": "S1901X", "units": {}}]}, "unknown phase 'S1901X'"),
        ({"phases": [{"phase": "S1901M"}]}, "no units"),
        ({"phases": [{"phase": "S1901M", "units": {"FRANCE": ["A ENG"]}}]}, "army cannot stand"),
        ({"phases": [{"phase": "S1901M", "units": {"FRANCE": "A PAR"}}]}, "should be a list"),
        ({"phases": [{"phase": "S1901M", "units": {"MARS": ["A PAR"]}}]}, "unknown power 'MARS'"),
        ({"phases": [{"phase": "S1901M", "units": {}, "oders": {}}]}, "unknown key 'oders'"),
        (
            {"phases": [{"phase": "S1901M", "units": {}, "orders": {"FRANCE": ["A PAR B"]}}]},
            "S1901M is a movement phase",
        ),
        ({"players": 7}, "unknown key 'players'"),
    ],
)
def test_faulty_files_are_one_clear_error(
    change: Mapping[str, object], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps({**dipsat.Game.standard().to_dict(), **change}), encoding="utf-8")
    with pytest.raises(DipsatError, match=message):
        dipsat.Game.load(path)


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


def test_a_game_that_cannot_be_written_or_read_is_a_file_error(tmp_path: Path) -> None:
    game = dipsat.Game.standard()
    with pytest.raises(FileError, match="cannot be written"):
        game.save(tmp_path / "none" / "game.json")
    with pytest.raises(FileError, match="cannot be read"):
        dipsat.Game.load(tmp_path / "none.json")
    with pytest.raises(UnknownNameError, match="unknown format 'pdf'"):
        game.save(tmp_path / "game.pdf", "pdf")


def test_several_games_of_a_file_are_read_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    games = [made_game(seed, 5) for seed in range(3)]
    lines = []
    for game in games:
        game.save(path)
        lines.append(path.read_text(encoding="utf-8"))
    path.write_text("".join(lines), encoding="utf-8")
    assert [states(game) for game in dipsat.load_games(path)] == [states(game) for game in games]
    with pytest.raises(FileError, match="several games"):
        dipsat.Game.load(path)


def test_the_map_of_a_game_is_kept_when_it_is_saved(tmp_path: Path) -> None:
    text = Path(dipsat.__file__).parents[1] / "rules" / "maps" / "standard.yaml"
    own = tmp_path / "mine.yaml"
    own.write_text(text.read_text(encoding="utf-8"), encoding="utf-8")
    game = dipsat.Game.new(own)
    game.advance()
    game.save(tmp_path / "game.json")
    assert dipsat.Game.load(tmp_path / "game.json").map_name == str(own)


SIEGE = """\
name: siege
extends: datc
settings: {victory: never}
"""


def test_rules_and_map_of_a_game_are_found_beside_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "siege.yaml").write_text(SIEGE, encoding="utf-8")
    text = Path(dipsat.__file__).parents[1] / "rules" / "maps" / "standard.yaml"
    (tmp_path / "mine.yaml").write_text(text.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    game = dipsat.Game.new("mine.yaml", "siege.yaml")
    game.advance()
    game.save("game.json")
    game.save("game.txt")
    dipsat.Game.new("mine.yaml", dipsat.load_profile("siege.yaml")).save("other.json")
    monkeypatch.chdir("/")
    for name in ("game.json", "game.txt", "other.json"):
        found = dipsat.Game.load(tmp_path / name)
        assert found.profile.settings.victory == "never"
        assert found.map_name == "mine.yaml"
        assert found.rules.endswith("siege.yaml")


def test_rules_that_are_not_there_are_an_error_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    value = dipsat.Game.standard().to_dict()
    path.write_text(json.dumps({**value, "rules": "nonesuch"}), encoding="utf-8")
    with pytest.raises(FileError, match="rules: unknown profile 'nonesuch'") as error:
        dipsat.Game.load(path)
    assert str(error.value).startswith(str(path))


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
    text = Path(dipsat.__file__).parents[1] / "rules" / "maps" / "standard.yaml"
    own = tmp_path / "mine.yaml"
    own.write_text(text.read_text(encoding="utf-8"), encoding="utf-8")
    for name in ("game.json", "game.jsonl", "game.txt"):
        opening().save(tmp_path / name)
        (game,) = dipsat.load_games(tmp_path / name, map=own, check=False)
        assert game.map_name == str(own)
        assert len(game.history) == len(OPENING)


def test_a_dislodged_unit_without_listed_retreats_may_go_to_every_empty_neighbour() -> None:
    phase = {
        "phase": "S1902R", "units": {"GERMANY": ["A BUR", "A PAR"]}, "centers": {},
        "dislodged": {"FRANCE": ["A BUR"]}, "orders": {},
    }  # fmt: skip
    value = {**dipsat.Game.standard().to_dict(), "phases": [phase]}
    (lost,) = dipsat.Game.from_dict(value).position.dislodged
    assert lost.retreats == ("BEL", "GAS", "MAR", "MUN", "PIC", "RUH")


@pytest.mark.parametrize("value", [[1], "game", None, {}, {"format": "dipsat game"}])
def test_what_is_no_game_is_a_file_error(value: object) -> None:
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


def won_game() -> dipsat.Game:
    start = dipsat.Position.start()
    supply = sorted(code for code, province in start.map.provinces.items() if province.supply)
    position = dipsat.Position.from_units(
        {"FRANCE": ["A DEN"]},
        phase="F1905M",
        centers={"FRANCE": [code for code in supply if code != "DEN"][:17]},
    )
    game = dipsat.Game(position)
    game.advance()
    assert game.winner == "FRANCE"
    return game


@pytest.mark.parametrize("name", ["game.json", "game.yaml", "game.jsonl"])
def test_a_game_that_is_won_is_saved_and_loaded_like_any_other(name: str, tmp_path: Path) -> None:
    game = won_game()
    game.save(tmp_path / name)
    found = dipsat.Game.load(tmp_path / name)
    assert states(found) == states(game)
    assert found.winner == "FRANCE"
    found.undo()
    assert not found.is_over


def test_a_saved_game_of_the_other_format_keeps_the_rules(tmp_path: Path) -> None:
    (tmp_path / "siege.yaml").write_text(SIEGE, encoding="utf-8")
    game = dipsat.Game.standard(tmp_path / "siege.yaml")
    game.save(tmp_path / "game.jsonl")
    assert dipsat.Game.load(tmp_path / "game.jsonl").profile.settings.victory == "never"


def test_a_text_of_a_game_that_began_elsewhere_is_not_written(tmp_path: Path) -> None:
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    with pytest.raises(GameError, match="did not start on the map's first board"):
        dipsat.Game(position).save(tmp_path / "game.txt")


def test_what_games_share_cannot_be_changed() -> None:
    game = opening()
    with pytest.raises(TypeError):
        game.history[0].orders["FRANCE"] = ()  # type: ignore[index]  # what it must refuse
    with pytest.raises(TypeError):
        game.position.centers.pop("FRANCE")  # type: ignore[attr-defined]  # likewise
    copied = copy.deepcopy(game.position.centers)
    assert pickle.loads(pickle.dumps(copied)) == copied == game.position.centers


def test_two_spellings_of_a_power_are_one_power() -> None:
    game = dipsat.Game.standard()
    game.submit({"FRANCE": ["A PAR - BUR"], "france": ["A MAR H"]})
    assert game.orders == {"FRANCE": ("A PAR - BUR", "A MAR H")}
    with pytest.raises(GameError, match="either a power and its orders"):
        game.submit({"FRANCE": []}, ["A PAR H"])


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


def test_headings_of_phases_without_anything_to_order_are_passed_over(tmp_path: Path) -> None:
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
