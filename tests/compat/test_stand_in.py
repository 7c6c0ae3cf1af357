"""Programs that import the package `diplomacy` run on dipsat, unchanged."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from dipsat.compat.diplomacy import Game, GamePhaseData, Message
from dipsat.errors import (
    GameError,
    MissingModuleNameError,
    MissingNameError,
    PositionError,
    UnknownNameError,
)
from tests.checkout import ROOT
from tests.pages import blocks, page

PROGRAM = """
from diplomacy import Game, Message
from diplomacy.engine.message import GLOBAL
from diplomacy.engine.renderer import Renderer
from diplomacy.utils.export import to_saved_game_format
import diplomacy.utils.order_results as results

game = Game(map_name="standard", rules=["NO_PRESS"])
game.phase_summaries = {}
while not game.is_game_done:
    for power, places in game.get_orderable_locations().items():
        listed = game.get_all_possible_orders()
        game.set_orders(power, [listed[place][0] for place in places if listed[place]])
    game.process()
    if game.get_current_phase() == "S1902M":
        game.is_game_done = True
assert game.get_current_phase() == "COMPLETED"
assert to_saved_game_format(game)["phases"][0]["name"] == "S1901M"
assert results.BOUNCE == "bounce"
print(Game.__module__)
"""


def run(code: str) -> str:
    """The output of code in a new Python process."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT, encoding="utf-8"
    )
    return done.stdout.strip()


def test_a_whole_program_runs_after_one_line() -> None:
    line = "import dipsat.compat; dipsat.compat.install()\n"
    assert run(line + PROGRAM).startswith("dipsat.compat.")


def test_the_examples_of_the_page_run() -> None:
    """Under the judge `diplomacy`, neither of two equal attacks on Burgundy succeeds."""
    examples = blocks(page("docs/drop-in.md"), "python")
    assert len(examples) == 3
    assert run("\n".join(examples)).startswith("bounces off A MUN")


def test_the_stand_in_does_not_replace_a_package_that_is_in_use() -> None:
    code = (
        "import sys, types, dipsat.compat, dipsat.errors\n"
        "sys.modules['diplomacy'] = types.ModuleType('diplomacy')\n"
        "try:\n    dipsat.compat.install()\n"
        "except dipsat.errors.GameError as error:\n    print(error)\n"
    )
    assert "imported already" in run(code)


@pytest.mark.parametrize(
    ("module", "why"),
    [
        ("utils.constants", "write the number"), ("utils.sorted_dict", "use `dict`"),
        ("utils.time", "datetime"), ("maps", "load_map"), ("utils.parsing", "`dir` lists"),
        ("client.channel", "no games over a network"), ("integration", "no games over a network"),
    ],
)  # fmt: skip
def test_the_error_of_a_missing_module_says_what_to_do(module: str, why: str) -> None:
    code = (
        "import dipsat.compat; dipsat.compat.install()\n"
        f"try:\n    import diplomacy.{module}\n"
        "except ModuleNotFoundError as error:\n    print(error)\n"
    )
    assert why in run(code)
    assert module.rpartition(".")[2] in run(code)


def test_names_that_need_a_network_are_refused_with_the_reason() -> None:
    with pytest.raises(MissingModuleNameError, match="no games over a network"):
        from dipsat.compat.diplomacy import connect  # type: ignore[attr-defined]  # noqa: F401
    module = import_module("dipsat.compat.diplomacy.client.connection")
    with pytest.raises(MissingModuleNameError, match="no games over a network"):
        _ = module.Connection
    with pytest.raises(MissingModuleNameError, match="no games over a network"):
        _ = import_module("dipsat.compat.diplomacy.utils.exceptions").GameIdException
    with pytest.raises(MissingNameError, match=r"game\.adjudication"):
        _ = Game().combat
    with pytest.raises(MissingNameError, match=r"get_centers\(\)"):
        _ = Game().lost
    with pytest.raises(MissingNameError, match="no games over a network"):
        _ = Game().deadline
    assert not hasattr(Game(), "does_not_exist")


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
def test_strings_have_the_values_of_the_package() -> None:
    from diplomacy.utils import strings as theirs

    ours = import_module("dipsat.compat.diplomacy.utils.strings")
    texts = {name: text for name, text in vars(theirs).items() if name.isupper()}
    texts = {name: text for name, text in texts.items() if isinstance(text, str)}
    assert len(texts) > 200
    assert {name: getattr(ours, name) for name in texts} == texts
    with pytest.raises(MissingModuleNameError, match="ALL_ROLE_TYPES"):
        _ = ours.ALL_ROLE_TYPES


def test_exceptions_of_the_package_catch_errors_of_dipsat() -> None:
    exceptions = import_module("dipsat.compat.diplomacy.utils.exceptions")
    for kind in (exceptions.MapPowerException, exceptions.DiplomacyException):
        with pytest.raises(kind, match="unknown power 'SPAIN'; known: AUSTRIA, ENGLAND"):
            Game().set_orders("SPAIN", ["A MAD H"])


def test_powers_are_named_and_wait() -> None:
    game = Game()
    assert (game.has_power("FRANCE"), game.has_power("SPAIN")) == (True, False)
    assert game.get_random_power_name() in game.powers
    game.set_wait("FRANCE", False)
    assert [name for name, power in game.powers.items() if not power.wait] == ["FRANCE"]


def game_of_two_phases() -> Game:
    """A game with a message, an attribute that the program set, and a dislodged unit."""
    game = Game("two", judge="diplomacy")
    hello = Message(sender="FRANCE", recipient="GERMANY", message="hello", phase="S1901M")
    game.add_message(hello)
    game.set_units("GERMANY", ["A BUR"])
    game.set_orders("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR"])
    game.process()
    vars(game)["phase_summaries"] = {"S1901M": "Burgundy falls"}
    return game


def test_a_copied_game_is_independent() -> None:
    game = game_of_two_phases()
    for copied in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):  # our own
        assert copied.to_dict() == game.to_dict()
        copied.set_orders("GERMANY", ["A BUR R RUH"])
        copied.process()
        copied.phase_summaries["S1901R"] = "it flees"
        assert game.get_current_phase() == "S1901R"
        assert game.powers["GERMANY"].orders == {}
        assert list(game.phase_summaries) == ["S1901M"]
        assert list(game.state_history) == ["S1901M"]
        assert copied.powers["GERMANY"].game is copied


def test_changes_of_a_program_to_the_lists_of_a_power_count() -> None:
    """France's army in Marseilles, and Marseilles, are given to England."""
    game = Game()
    for _ in range(2):  # lists of later phases are made when they are read
        game.process()
    assert game.get_current_phase() == "S1902M"
    france, england = game.powers["FRANCE"], game.powers["ENGLAND"]
    france.units.remove("A MAR")
    england.units.append("A MAR")
    england.centers += [france.centers.pop(france.centers.index("MAR"))]
    assert game.position.by_province["MAR"].power == game.position.owner("MAR") == "ENGLAND"
    france.units.append("A GAS")
    game.set_orders("FRANCE", ["A PAR - BUR", "A GAS - MAR"])
    game.set_orders("ENGLAND", ["A MAR - SPA"])
    game.process()
    assert france.units == ["F BRE", "A BUR", "A MAR"]
    assert england.units[-1] == "A SPA"
    assert (france.influence[-2:], england.influence[-1]) == (["BUR", "MAR"], "SPA")
    assert "A MAR" in game.state_history["S1902M"]["units"]["ENGLAND"]
    france.units = ["A PAR"]
    assert game.get_units("FRANCE") == game.get_state()["units"]["FRANCE"] == ["A PAR"]
    other = Game()
    other.powers["FRANCE"] = france
    assert other.get_units("FRANCE") == ["A PAR"]
    other.process()
    assert other.powers["FRANCE"].units == ["A PAR"]


def test_a_power_that_is_no_longer_in_a_game_keeps_its_units() -> None:
    """France is replaced by a copy, and Italy is removed for a phase."""
    game = Game()
    for _ in range(2):
        game.process()
    france, italy = game.powers["FRANCE"], game.powers.pop("ITALY")
    copied = copy.copy(game.powers["TURKEY"])
    game.powers["FRANCE"] = copy.copy(france)
    game.set_orders("FRANCE", ["A PAR - BUR"])
    game.set_orders("TURKEY", ["A CON - BUL"])
    game.process()
    assert game.get_units("FRANCE") == ["F BRE", "A MAR", "A BUR"]
    assert "ITALY" not in game.get_state()["units"]
    assert france.units == ["F BRE", "A MAR", "A PAR"]
    assert italy.units == ["F NAP", "A ROM", "A VEN"]
    assert [*Game.from_dict(game.to_dict()).powers] == [*game.powers]
    assert copied.units == ["F ANK", "A CON", "A SMY"]
    game.powers["ITALY"] = italy
    game.process()
    assert game.get_units("ITALY") == italy.units == ["F NAP", "A ROM", "A VEN"]


def test_threads_read_the_same_lists_and_results() -> None:
    """Programs ask a language model for each power in a thread."""
    switches = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(20):
            game = Game()
            game.process()
            played, together = game.process(), Barrier(4)
            with ThreadPoolExecutor(4) as pool:
                for one in [pool.submit(read_all, game, played, together) for _ in range(4)]:
                    one.result()
            assert game.powers["FRANCE"].units[3:] == ["A PIC"] * 4
    finally:
        sys.setswitchinterval(switches)


def read_all(game: Game, played: GamePhaseData, together: Barrier) -> None:
    """Read a game and its last phase, and give France an army."""
    together.wait()
    assert (played.state["name"], played.results["A PAR"]) == ("F1901M", [])
    game.get_units()
    game.powers["FRANCE"].units.append("A PIC")


def test_two_units_in_a_province_are_refused_before_anything_is_played() -> None:
    game = Game()
    game.powers["ENGLAND"].units.append("A PAR")
    with pytest.raises(PositionError, match="'A PAR': ENGLAND A PAR already stands in PAR"):
        game.process()
    assert not game.state_history
    game.powers["FRANCE"].units.remove("A PAR")
    game.process()
    assert "A PAR" in game.get_units("ENGLAND")


def test_a_phase_that_is_played_again_is_kept_once() -> None:
    game = Game()
    sizes = []
    for _ in range(2):
        for _ in range(10):
            game.set_current_phase("S1901M")
            game.process()
        sizes.append(len(pickle.dumps(game)))
    assert max(sizes) - min(sizes) < 1000
    assert [*game.state_history] == ["S1901M"]


def test_attributes_made_on_demand_are_listed_by_dir() -> None:
    """Notebooks complete names by `dir`, and mocks allow names by it."""
    game = Game()
    played = game.process()
    assert {"state_history", "result_history"} <= {*dir(game)}
    assert {"units", "retreats"} <= {*dir(game.powers["FRANCE"])}
    assert {"name", "state", "results"} <= {*dir(played)}


def test_a_history_that_was_read_grows_with_the_game() -> None:
    game = Game()
    game.process()
    states, results = game.state_history, game.result_history
    game.process()
    assert [*states] == [*results] == [*game.order_history] == ["S1901M", "F1901M"]
    assert states["F1901M"]["name"] == "F1901M"
    assert {*results["F1901M"]} == {unit for own in game.get_units().values() for unit in own}


def test_a_listed_order_is_read_like_a_typed_one() -> None:
    """The package leaves the coast out of a fleet's support for a fleet that can reach several."""
    listed, typed = Game(), Game()
    orders = ["F MAO - SPA/SC", "F POR S F MAO - SPA/SC", "A GAS S F MAO - SPA/SC", "A PAR H"]
    for game in (listed, typed):
        game.clear_units("FRANCE")
        game.set_units("FRANCE", ["F MAO", "F POR", "A GAS", "A PAR"])
        if game is listed:
            possible = [text for own in game.get_all_possible_orders().values() for text in own]
            assert {*orders} <= {*possible}
        for text in orders:
            game.set_orders("FRANCE", [text])
        game.set_orders("FRANCE", ["A PAR - BUR"], replace=False)
    assert listed.powers["FRANCE"].orders == typed.powers["FRANCE"].orders
    assert listed.powers["FRANCE"].orders["F POR"] == "S F MAO - SPA"
    assert listed.powers["FRANCE"].orders["A PAR"] == "H"


def test_the_outcome_of_dipsat_says_why() -> None:
    game = game_of_two_phases()
    assert game.adjudication is not None
    assert game.adjudication.order("A PAR").verdict == "succeeds"
    assert game.dislodged == {"A BUR": "PAR"}
    assert game.get_units("GERMANY")[-1] == "*A BUR"


def test_the_judge_is_the_datc_unless_stated() -> None:
    """Under DATC 6.G.8 an army ordered via convoy stays without one; the package moves it."""
    ends = {}
    for judge in ("datc", "diplomacy"):
        game = Game(judge=judge)
        game.clear_units()
        game.set_units("FRANCE", ["A MAR", "F LYO"])
        game.set_orders("FRANCE", ["A MAR - PIE VIA"])
        game.process()
        ends[judge] = game.get_units("FRANCE")
    assert ends == {"datc": ["A MAR", "F LYO"], "diplomacy": ["F LYO", "A PIE"]}
    assert Game().judge == "datc"


def test_messages_are_filtered_by_who_may_read_them() -> None:
    game = Game()
    sent = [("FRANCE", "GERMANY"), ("FRANCE", "GLOBAL"), ("ITALY", "TURKEY")]
    times = [
        game.add_message(Message(sender=one, recipient=other, message="?", phase="S1901M"))
        for one, other in sent
    ]
    assert times == sorted(set(times)) == list(game.messages)
    assert list(Game.filter_messages(game.messages, "GERMANY")) == times[:2]
    assert list(Game.filter_messages(game.messages, ["RUSSIA", "TURKEY"])) == times[1:]
    assert list(Game.filter_messages(game.messages, "ITALY", timestamp_from=times[2])) == times[2:]
    with pytest.raises(GameError, match="F1901M"):
        game.add_message(
            Message(sender="FRANCE", recipient="ITALY", message="late", phase="F1901M")
        )


def test_a_state_and_a_phase_can_be_copied_from_another_game() -> None:
    game = game_of_two_phases()
    other = Game(judge="diplomacy")
    other.set_state(game.get_state())
    left, right = game.get_state(), other.get_state()
    assert left.pop("timestamp") <= right.pop("timestamp")
    assert left == right
    before = game.get_phase_from_history("S1901M")
    other.set_phase_data(before)
    assert other.get_orders("FRANCE") == ["A PAR - BUR", "A MAR S A PAR - BUR"]
    assert [one.message for one in other.messages.values()] == ["hello"]
    assert {*map(type, game.get_phase_history())} == {GamePhaseData}


def test_a_power_is_found_in_any_case_and_with_a_space_in_its_name() -> None:
    assert Game().get_units("france") == ["F BRE", "A MAR", "A PAR"]
    game = Game(map_name="vietnamwar")
    assert [game.get_units(power) for power in game.powers] == [*game.get_units().values()]


def test_an_unknown_power_is_refused() -> None:
    game = Game()
    assert game.get_power("ATLANTIS") is None
    with pytest.raises(UnknownNameError, match="ATLANTIS"):
        game.set_orders("ATLANTIS", ["A PAR H"])
    del game.powers["FRANCE"]
    with pytest.raises(
        UnknownNameError, match="unknown power 'FRANCE'; known: AUSTRIA, ENGLAND, GERM"
    ):
        game.get_units("FRANCE")


# --- pictures -------------------------------------------------------------------------------------


def test_a_game_is_drawn(tmp_path: Path) -> None:
    game = Game()
    game.set_orders("FRANCE", ["A PAR - BUR"])
    with_orders = game.render(output_path=tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text("utf-8") == with_orders
    assert with_orders.startswith("<svg")
    assert with_orders != game.render(incl_orders=False) != game.render(False, incl_abbrev=True)


# --- saved games ----------------------------------------------------------------------------------


def export() -> Any:
    """The module of the stand-in for saved games."""
    return import_module("dipsat.compat.diplomacy.utils.export")


def test_a_saved_game_is_read_as_it_was(tmp_path: Path) -> None:
    game = game_of_two_phases()
    saved = export().to_saved_game_format(game, tmp_path / "games.jsonl")
    export().to_saved_game_format(game, tmp_path / "games.jsonl")
    first, second = export().load_saved_games_from_disk(tmp_path / "games.jsonl")
    assert first.get_current_phase() == second.get_current_phase() == "S1901R"
    again = export().to_saved_game_format(first)
    assert again["phases"][0] == json.loads(json.dumps(saved))["phases"][0]
    assert first.result_history["S1901M"]["A BUR"] == ["dislodged"]
    assert export().is_valid_saved_game(saved)
    saved["phases"][1]["state"]["units"]["FRANCE"] = ["F BRE"]
    assert not export().is_valid_saved_game(saved)


def test_unknown_keys_of_a_saved_game_are_kept() -> None:
    saved = export().to_saved_game_format(game_of_two_phases())
    saved["season"] = "first"
    for phase in saved["phases"]:
        phase["summary"] = f"about {phase['name']}"
    again = export().to_saved_game_format(export().from_saved_game_format(saved))
    assert again["season"] == "first"
    assert [one["summary"] for one in again["phases"]] == ["about S1901M", "about S1901R"]


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
def test_saved_games_of_both_are_read_by_both() -> None:
    import diplomacy
    from diplomacy.utils.export import from_saved_game_format, to_saved_game_format

    theirs = diplomacy.Game()
    for game in (theirs, ours := game_of_two_phases()):
        game.set_orders("ITALY", ["A VEN - TRI"])
        game.process()
    read = from_saved_game_format(json.loads(json.dumps(export().to_saved_game_format(ours))))
    assert read.get_current_phase() == ours.get_current_phase()
    assert read.get_units() == ours.get_units()
    own = export().from_saved_game_format(json.loads(json.dumps(to_saved_game_format(theirs))))
    assert own.get_current_phase() == theirs.get_current_phase()
    assert own.get_units() == theirs.get_units()
    assert own.order_history == dict(theirs.order_history.items())
    assert Game.from_dict(theirs.to_dict()).get_units() == theirs.get_units()
    plain = {key: value for key, value in ours.to_dict().items() if key != "judge"}
    assert diplomacy.Game.from_dict(plain).get_units() == ours.get_units()


def test_a_faulty_saved_game_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    good = json.dumps(export().to_saved_game_format(Game()))
    path.write_text(f'{good}\n{{"id": "x"}}\n', "utf-8")
    with pytest.raises(Exception, match=r"games.jsonl:2: "):
        export().load_saved_games_from_disk(path)
    assert len(export().load_saved_games_from_disk(path, on_error="ignore")) == 1
