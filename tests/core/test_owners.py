"""A centre's owner is known or unknown; unknown never means that nobody owns the centre."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat import kernel, studies
from dipsat.cli import main
from dipsat.errors import CodeError, DipsatError, GameError, PositionError
from dipsat.studies.sheet import order_file, sheet_of
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of
from tests.pages import blocks, page

YEAR = page("docs/order-files.md").partition("## A year from sheets")[2]
SHEETS = ROOT / "docs" / "examples" / "year"
UNITS = {"FRANCE": ["A PAR", "A SPA"], "GERMANY": ["A MUN"]}
UNKNOWN = dipsat.Position.from_units(UNITS, phase="F1901M")
NOBODY = dipsat.Position.from_units(UNITS, phase="F1901M", unknown_centers=())
OWNER_RULES = """
extends: datc
name: homes
legal:
  no_foreign_centre(m): not m.target.supply or m.target.owner == m.power
"""


def run(folder: Path, *arguments: str, stdin: str | None = None) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return CliRunner().invoke(main, [str(one) for one in arguments], input=stdin)


@pytest.fixture
def year(tmp_path: Path) -> Path:
    """A folder with the sheets of a year."""
    shutil.copytree(SHEETS, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_a_year_from_sheets_is_judged_by_the_commands_of_its_page(year: Path) -> None:
    (commands,) = blocks(YEAR, "sh")
    for command in commands.splitlines():
        done = run(year, *command.removeprefix("dipsat ").split())
        assert (done.exit_code, done.stderr) == (0, "")
        assert "illegal" not in done.stdout
    after = json.loads((year / "next-year.json").read_text(encoding="utf-8"))
    assert after["phase"] == "S1902M"
    assert sum(map(len, after["units"].values())) == 29
    assert "unknown_centers" not in after


def test_a_winter_after_a_sheet_without_owners_is_refused(year: Path) -> None:
    fall = run(year, "adjudicate", "fall.txt", "--next", "unknown.json")
    assert fall.exit_code == 0
    assert "the orders name 15 units, and no others are on the board" in fall.stderr
    refused = run(year, "adjudicate", "winter.txt", "--position", "unknown.json")
    assert refused.exit_code == 2
    (shown,) = blocks(YEAR, "text")
    assert refused.stderr.split() == shown.split()


@exhaustive
def test_a_sheet_of_the_first_phase_alone_leads_to_a_right_winter(year: Path) -> None:
    """Every power would lose its vacant home centres, and England its units."""
    begin = run(year, "adjudicate", "spring.txt", "--next", "fall.json")
    assert "the orders name 21 of the map's 22 starting units" in begin.stderr
    assert "--position standard" in begin.stderr
    phases = ["fall", "retreats", "winter", "end"]
    for sheet, after in pairwise(phases):
        found = run(
            year, "adjudicate", f"{sheet}.txt", "--position", f"{sheet}.json", "--next",
            f"{after}.json",
        )  # fmt: skip
        assert found.exit_code == 0, found.output
    assert "illegal" not in found.stdout
    assert "England  4 units" in found.stdout
    whole = run(year, "adjudicate", "spring.txt", "--position", "standard", "--next", "x.json")
    assert not whole.stderr


@pytest.mark.parametrize("name", few_of(dipsat.map_names(), 3))
def test_the_position_of_a_map_is_its_start(name: str, tmp_path: Path) -> None:
    start = dipsat.Position.start(name)
    power = next(iter(start.units)).power if start.units else next(iter(start.map.powers))
    (tmp_path / "orders.yaml").write_text(f"orders: {{{power}: []}}\n", encoding="utf-8")
    found = run(tmp_path, "adjudicate", "orders.yaml", "--position", name, "--json")
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["phase"] == str(start.phase)


def test_the_position_of_a_map_file_is_its_start(tmp_path: Path) -> None:
    own = "extends: standard\nname: mine\npowers: {FRANCE: {start: [A PAR, A MAR]}}\n"
    (tmp_path / "mine.yaml").write_text(own, encoding="utf-8")
    sheet = "France:\n A Par - Bur\n"
    found = run(tmp_path, "adjudicate", "-", "--position", "mine.yaml", "--json", stdin=sheet)
    assert found.exit_code == 0, found.output
    assert sum(map(len, json.loads(found.stdout)["next"]["units"].values())) == 21


def test_a_file_takes_precedence_over_a_map_of_its_name(tmp_path: Path) -> None:
    stated = {"phase": "S1905M", "units": UNITS, "centers": {"FRANCE": ["PAR"]}, "retreats": {}}
    (tmp_path / "standard").write_text(json.dumps(stated), encoding="utf-8")
    sheet = "France:\n A Par - Bur\n"
    found = run(tmp_path, "adjudicate", "-", "--position", "standard", "--json", stdin=sheet)
    assert json.loads(found.stdout)["phase"] == "S1905M"


@pytest.mark.parametrize("name", few_of(dipsat.map_names(), 4))
def test_owners_of_the_first_phase_are_those_of_the_map(name: str) -> None:
    board = dipsat.load_map(name)
    found = dipsat.Position.from_units({}, name)
    stated = {power.name: tuple(sorted(power.centers)) for power in board.powers.values()}
    assert found.centers == {power: owned for power, owned in stated.items() if owned}
    assert found.unknown_centers == ()
    assert found.centers == dipsat.Position.start(name).centers


@pytest.mark.parametrize("phase", ["F1901M", "S1902M", "F1905R", "W1901A"])
def test_owners_of_later_phases_are_unknown_unless_they_are_stated(phase: str) -> None:
    board = dipsat.load_map("standard")
    bare = dipsat.Position.from_units(UNITS, phase=phase)
    assert (dict(bare.centers), bare.unknown_centers) == ({}, tuple(sorted(board.centers)))
    stated = dipsat.Position.from_units(UNITS, phase=phase, centers={"FRANCE": ["PAR"]})
    assert stated.unknown_centers == ()
    assert stated.owner("PAR") == "FRANCE"
    assert stated.owner("BER") == ""
    nobody = dipsat.Position.from_units(UNITS, phase=phase, unknown_centers=())
    assert (dict(nobody.centers), nobody.unknown_centers) == ({}, ())
    with pytest.raises(PositionError, match="'BER': its owner is unknown"):
        bare.owner("BER")


def test_a_capture_makes_an_owner_known_and_no_other() -> None:
    winter = dipsat.adjudicate(UNKNOWN, {"FRANCE": ["A PAR - BRE"]}).next
    assert str(winter.phase) == "W1901A"
    assert winter.centers == {"FRANCE": ("BRE", "SPA"), "GERMANY": ("MUN",)}
    assert set(winter.unknown_centers) == set(winter.map.centers) - {"BRE", "MUN", "SPA"}


def test_unknown_owners_travel_through_values_and_files(tmp_path: Path) -> None:
    winter = dipsat.adjudicate(UNKNOWN, {}).next
    assert dipsat.Position.from_dict(winter.to_dict()) == winter
    for position in (UNKNOWN, NOBODY, winter):
        text = studies.write_phase(position, {})
        assert dipsat.parse_phase(text, "phase.yaml").position == position
    game = dipsat.Game(UNKNOWN)
    game.advance()
    assert game.position == winter
    with pytest.raises(GameError, match="owners are unknown, as they are in F1901M"):
        game.save(tmp_path / "package.json", format="diplomacy")
    for name in ("game.json", "game.yaml"):
        game.save(tmp_path / name)
        assert dipsat.Game.load(tmp_path / name).position == winter


def test_nobody_owns_a_centre_at_the_start_of_a_map_and_that_is_known(tmp_path: Path) -> None:
    start = dipsat.Position.start("imperium")
    assert (dict(start.centers), start.unknown_centers) == ({}, ())
    after = dipsat.adjudicate(start, {}).next
    assert dipsat.Position.from_dict(after.to_dict(), "imperium") == after
    game = dipsat.Game.new("imperium")
    game.advance()
    game.save(tmp_path / "game.json")
    assert dipsat.Game.load(tmp_path / "game.json").position == after


def test_a_saved_game_that_states_no_owners_is_not_disbanded(tmp_path: Path) -> None:
    """Earlier versions wrote empty `centers` for owners that were not known."""
    game = dipsat.Game(dipsat.Position.from_units(UNITS))
    game.advance()
    value = game.to_dict()
    for phase in value["phases"]:
        phase["centers"] = {}
    game = dipsat.Game.from_dict(value)
    game.advance()
    assert str(game.phase) == "W1901A"
    with pytest.raises(PositionError, match="unknown"):
        game.advance()


@pytest.mark.parametrize(
    "ask",
    [
        lambda position: dipsat.adjudicate(position, {}),
        lambda position: dipsat.Game(position).all_legal_orders(),
        lambda position: dipsat.Game(position).advance(),
    ],
    ids=["adjudicate", "legal orders", "advance"],
)
def test_a_winter_that_needs_an_unknown_owner_is_refused(
    ask: Callable[[dipsat.Position], object],
) -> None:
    winter = dipsat.Position.from_units(
        UNITS, phase="W1901A", centers={"FRANCE": ["PAR"]}, unknown_centers=["SPA"]
    )
    with pytest.raises(PositionError, match=r"^centre 'SPA': its owner is unknown; state the"):
        ask(winter)


def test_nobody_wins_while_an_unknown_owner_might_have_as_many_centres() -> None:
    codes = sorted(dipsat.load_map("standard").centers)
    for owned, winner in ((18, "FRANCE"), (17, None)):
        centers = {"FRANCE": codes[:owned]}
        position = dipsat.Position.from_units({}, centers=centers, unknown_centers=codes[owned:])
        assert dipsat.Game(position).winner == winner


@exhaustive
def test_a_question_about_an_unknown_owner_is_refused(tmp_path: Path) -> None:
    """Whether Russia owns Sweden without entering it depends on who owned it before."""
    file = tmp_path / "board.yaml"
    text = "units: {RUSSIA: [F FIN], TURKEY: [A SMY]}\n"
    file.write_text(text, encoding="utf-8")
    ask = ("search", "achieve", "board.yaml")
    found = run(tmp_path, *ask, "owner(STP, RUSSIA)", "--for", "Turkey")
    assert found.stdout.startswith("FOUND")
    file.write_text("phase: F1903M\n" + text, encoding="utf-8")
    refused = run(tmp_path, *ask, "owner(STP, RUSSIA)")
    assert refused.exit_code == 2
    assert "'STP': its owner is unknown" in refused.stderr
    assert run(tmp_path, *ask, "stands(STP, RUSSIA)").stdout.startswith("FOUND")


@pytest.mark.parametrize("by", ["adjudicate", "compiled", "Python"])
def test_rules_that_ask_for_an_unknown_owner_get_no_verdict(by: str) -> None:
    rules, orders = dipsat.parse_profile(OWNER_RULES, "homes.yaml"), {"GERMANY": ["A MUN - BER"]}

    def units_after(position: dipsat.Position) -> Any:
        if by == "adjudicate":
            return dipsat.adjudicate(position, orders, rules).next.to_dict()["units"]
        batch = kernel.Batch(rules, native=None if by == "compiled" else False)
        return batch.adjudicate(batch.encode([(position, orders)])).units_after(0)

    known = units_after(dipsat.Position.from_units(UNITS))
    assert known == {"FRANCE": ["A PAR", "A SPA"], "GERMANY": ["A BER"]}
    assert units_after(NOBODY) == {"FRANCE": ["A PAR", "A SPA"], "GERMANY": ["A MUN"]}
    with pytest.raises(PositionError, match="'BER'"):
        units_after(UNKNOWN)


def test_codes_of_positions_do_not_turn_unknown_owners_into_none() -> None:
    batch = kernel.Batch(native=False)
    with pytest.raises(CodeError, match="the owner of ANK is unknown"):
        batch.positions([UNKNOWN])
    codes = batch.encode([(UNKNOWN, {})])
    assert batch.board(codes, 0)[0].unknown_centers == UNKNOWN.unknown_centers


@pytest.mark.parametrize(
    ("centers", "unknown", "fault"),
    [
        ({"FRANCE": ["PAR"]}, ["PAR"], "it is owned by FRANCE, so its owner is not unknown"),
        ({}, ["BUR"], "Burgundy is not a supply centre"),
        ({}, ["Pariss"], "did you mean"),
    ],
)
def test_a_wrong_statement_about_unknown_owners_is_an_error(
    centers: dict[str, list[str]], unknown: list[str], fault: str
) -> None:
    with pytest.raises(DipsatError, match=fault):
        dipsat.Position.from_units({}, phase="F1901M", centers=centers, unknown_centers=unknown)


def test_codes_and_sheets_tell_centres_without_owner_from_centres_of_unknown_owners() -> None:
    partly = dipsat.Position.from_units(
        UNITS, phase="F1901M", centers={"FRANCE": ["PAR"]}, unknown_centers=["SPA"]
    )
    batch = kernel.Batch(native=False)
    codes = batch.encode([(NOBODY, {}), (partly, {}), (UNITS, {})])
    kept = [batch.board(codes, at)[0] for at in range(2)]
    assert [one.unknown_centers for one in kept] == [(), ("SPA",)]
    assert [dict(one.centers) for one in kept] == [{}, {"FRANCE": ("PAR",)}]
    for position in (NOBODY, partly):
        sheet = sheet_of(position, {})
        assert sheet.position() == position
        assert dipsat.parse_phase(order_file(sheet.to_dict(), ()), "x.yaml").position == position


@exhaustive
def test_a_replay_compares_the_owners_that_both_sides_know(tmp_path: Path) -> None:
    board = {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}
    centers = {"FRANCE": ["PAR"], "GERMANY": ["MUN"]}
    line: dict[str, Any] = {
        "source": "g", "phase": "F1902M", "units": board, "dislodged": {}, "orders": {},
        "centers": centers, "unknown_centers": ["BER"],
        "next_phase": "W1902A", "next_units": board, "next_dislodged": {},
        "next_centers": centers, "next_unknown_centers": ["BER"],
    }  # fmt: skip
    wrong = {**line, "next_centers": {"GERMANY": ["MUN", "PAR"]}}
    more = {**line, "next_centers": {"FRANCE": ["PAR"]}, "next_unknown_centers": ["BER", "MUN"]}
    for stated, agrees in ((line, True), (wrong, False), (more, True)):
        file = tmp_path / "game.jsonl"
        file.write_text(json.dumps(stated) + "\n", encoding="utf-8")
        (report,) = studies.replay_files([file])
        assert isinstance(report, studies.GameReport)
        assert (report.agree, len(report.differ)) == (int(agrees), int(not agrees))


def test_orders_entered_in_a_saved_game_are_judged(tmp_path: Path) -> None:
    """`adjudicate` keeps the builds of a saved winter."""
    winter = dipsat.Position.from_units(
        {"FRANCE": ["A GAS"]}, phase="W1901A", centers={"FRANCE": ["PAR", "MAR"]}
    )
    game = dipsat.Game(winter)
    game.submit({"FRANCE": ["A PAR B"]})
    for name in ("game.json", "game.yaml"):
        game.save(tmp_path / name)
        found = run(tmp_path, "adjudicate", name, "--json")
        assert json.loads(found.stdout)["next"]["units"] == {"FRANCE": ["A GAS", "A PAR"]}
    elsewhere = run(
        tmp_path, "adjudicate", "-", "--position", "game.json", "--json", stdin="France: A Mar B"
    )
    assert json.loads(elsewhere.stdout)["next"]["units"] == {"FRANCE": ["A GAS", "A MAR"]}
