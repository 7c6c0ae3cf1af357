"""Games of the package `diplomacy`, and of programs that save games as it does, on all maps."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat.errors import FileError
from dipsat.formats import RecordedGame, read_games
from tests.exhaustive import few_of

pytestmark = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")

MAPS = [
    "ancmed", "known_world_901", "standard_france_austria", "standard_age_of_empires", "modern",
    "ancmed_age_of_empires", "colonial", "empire", "pure", "standard", "standard_fleet_rome",
    "standard_age_of_empires_2", "standard_germany_italy", "world",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _no_lists_of_convoys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package finds all convoys of a map when the map is first used, which may take an hour.
    Without them no army is convoyed in the package."""
    engine = pytest.importorskip("diplomacy.engine.map")
    monkeypatch.setattr(engine, "add_to_cache", lambda name: defaultdict(list))


def played(name: str, phases: int = 7, seed: int = 4) -> dict[str, Any]:
    """A saved game of the package with random orders, in which its dummy powers do nothing."""
    from diplomacy import Game
    from diplomacy.utils.export import to_saved_game_format

    rng, game = random.Random(seed), Game(map_name=name)
    for _ in range(phases):
        possible = game.get_all_possible_orders()
        for power in set(game.powers) - set(game.map.dummies):
            places = sorted(game.get_orderable_locations(power))
            game.set_orders(power, [rng.choice(possible[at]) for at in places if possible[at]])
        game.process()
    found: dict[str, Any] = to_saved_game_format(game)
    return found


def written(saved: object, path: Path) -> Path:
    """A file that holds this value."""
    path.write_text(json.dumps(saved), encoding="utf-8")
    return path


def boards(saved: dict[str, Any], key: str) -> list[dict[str, list[str]]]:
    """What the phases of a saved game state under a key, without the powers that have nothing."""
    return [
        {power: sorted(own) for power, own in phase["state"][key].items() if own}
        for phase in saved["phases"]
    ]


@pytest.mark.parametrize("name", few_of(MAPS, 4))
def test_a_game_of_the_package_is_read_and_the_package_reads_what_is_written(
    name: str, tmp_path: Path
) -> None:
    from diplomacy.utils.export import from_saved_game_format

    saved = played(name)
    game = dipsat.Game.load(written(saved, tmp_path / "game.json"))
    game.save(tmp_path / "back.jsonl")
    back = json.loads((tmp_path / "back.jsonl").read_text(encoding="utf-8"))
    assert [phase["name"] for phase in back["phases"]] == [one["name"] for one in saved["phases"]]
    assert boards(back, "units") == boards(saved, "units")
    assert boards(back, "centers") == boards(saved, "centers")
    theirs = from_saved_game_format(back)
    assert theirs.get_current_phase() == saved["phases"][-1]["name"]
    assert ("BUILD_ANY" in theirs.rules) == ("BUILD_ANY" in saved["rules"])
    assert theirs.map.name == name.partition("_age_of")[0]


YEAR: tuple[tuple[str, list[str]], ...] = (
    ("GERMANY", ["A MUN - BUR"]),
    ("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"]),
    ("GERMANY", ["A BUR R BEL"]),
    ("GERMANY", ["A MUN B"]),
    ("RUSSIA", ["A WAR H"]),
)
"""The orders of a power in each phase of a year, and in the spring after it."""


@pytest.mark.parametrize("phases", range(len(YEAR)))
def test_a_game_that_the_server_of_the_package_keeps_is_read(phases: int, tmp_path: Path) -> None:
    """Such a game states the present board apart from the history, with the orders so far."""
    from diplomacy import Game

    game = Game()
    for power, texts in YEAR[:phases]:
        game.set_orders(power, texts)
        game.process()
    game.set_orders(*YEAR[phases])
    found = dipsat.Game.load(written(game.to_dict(), tmp_path / "game.json"))
    assert str(found.phase) == game.get_current_phase()
    assert len(found.history) == phases
    given = {power: sorted(own) for power, own in game.get_orders().items() if own}
    assert {power: sorted(own) for power, own in found.orders.items() if own} == given
    saved = found.position.to_dict()
    standing = {power: list(own) for power, own in saved["units"].items()}
    for power, own in saved["dislodged"].items():
        standing.setdefault(power, []).extend(f"*{one}" for one in own)
    units = {power: sorted(own) for power, own in game.get_units().items() if own}
    assert {power: sorted(own) for power, own in standing.items()} == units


def board(**sections: Any) -> dict[str, Any]:
    """A phase of a game for two, as Cicero saves it: with all powers of the standard map."""
    absent: dict[str, list[str]] = {"ENGLAND": [], "GERMANY": [], "ITALY": [], "RUSSIA": []}
    phase = {
        "name": "S1901M",
        "orders": {"FRANCE": ["A PAR - BUR"], "AUSTRIA": [], **absent},
        "state": {
            "name": "S1901M",
            "units": {"FRANCE": ["A PAR"], "AUSTRIA": ["A VIE"], **absent},
            "centers": {"FRANCE": ["PAR"], "AUSTRIA": ["VIE"], **absent},
            "retreats": {"ENGLAND": {}},
        },
    }
    return {**phase, **sections}


def test_powers_that_do_not_play_are_passed_over(tmp_path: Path) -> None:
    game = dipsat.Game.load(written({"map": "fva", "phases": [board()]}, tmp_path / "a.json"))
    assert (game.map_name, game.remarks) == ("france_austria", ())
    assert game.orders == {"FRANCE": ("A PAR - BUR",), "AUSTRIA": ()}
    faulty = board()
    faulty["state"]["units"] = {"ENGLAND": ["F LON"]}
    with pytest.raises(FileError, match="unknown power 'ENGLAND'"):
        dipsat.Game.load(written({"map": "fva", "phases": [faulty]}, tmp_path / "b.json"))


def test_what_is_left_out_of_a_saved_game_is_reported(tmp_path: Path) -> None:
    """If a phase is saved twice in a row, the copy with more orders counts, here the later one."""
    early = board(orders={"FRANCE": None})
    whole = board(messages=[{"message": "Hello"}], logs=[])
    later = board(name="F1901M", orders={})
    again = board()
    path = written(
        {"map": "fva", "phases": [early, whole, later, again], "version": "1.0"},
        tmp_path / "game.json",
    )
    (game,) = read_games(path)
    assert isinstance(game, RecordedGame)
    assert [str(phase.before.phase) for phase in game.phases] == ["S1901M", "F1901M"]
    assert game.phases[0].orders["FRANCE"] == ("A PAR - BUR",)
    assert [line.removeprefix(f"{path}: ") for line in game.remarks] == [
        "phases: S1901M: number 1 in the list is left out, since it has this phase again below",
        "phases: S1901M: number 4 in the list is left out, since it has this phase again above",
        "these keys are not read: version; phases, messages",
    ]


def test_if_a_phase_is_saved_twice_the_copy_with_orders_counts(tmp_path: Path) -> None:
    """It takes the place of the first copy."""
    phases = [board(orders={}), board(name="F1901M", orders={}), board(), board(orders={})]
    (game,) = read_games(written({"map": "fva", "phases": phases}, tmp_path / "game.json"))
    assert isinstance(game, RecordedGame)
    assert [str(phase.before.phase) for phase in game.phases] == ["S1901M", "F1901M"]
    assert game.phases[0].orders["FRANCE"] == ("A PAR - BUR",)
    found = [line.partition("S1901M: ")[2].split()[:2] + line.split()[-1:] for line in game.remarks]
    assert found == [["number", "1", "below"], ["number", "4", "above"]]


def test_a_game_with_builds_anywhere_is_judged_with_them(tmp_path: Path) -> None:
    """The modern map itself lets powers build anywhere."""
    for name, rules, judged in (
        ("standard", ["BUILD_ANY"], "any"),
        ("standard", ["NO_PRESS"], "map"),
        ("ancmed_age_of_empires", [], "any"),
    ):
        phase = {"name": "S1901M", "state": {"units": {}}}
        saved = {"map": name, "rules": rules, "phases": [phase]}
        game = dipsat.Game.load(written(saved, tmp_path / "game.json"))
        assert game.profile.settings.build_where == judged
