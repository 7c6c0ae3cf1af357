# ruff: noqa: E501  # order sheets are easier to read on one line
"""Positions that one command writes and another reads: `--next`, `--position`, and all JSON that
dipsat writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat import studies
from dipsat.cli import main
from dipsat.errors import ProblemsError
from dipsat.formats import parse_phase_text
from tests.exhaustive import exhaustive

SPRING = "France:\n  A Paris - Burgundy\nGermany:\n  A Munich - Burgundy\n  A Ruhr S A Munich - Burgundy\n"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    """Run a command in this process."""
    result = CliRunner().invoke(main, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def write(name: str, text: str) -> str:
    """Write a file."""
    Path(name).write_text(text, encoding="utf-8")
    return name


def verdicts(*arguments: str) -> dict[str, str]:
    """Order -> what `adjudicate` says of it."""
    result = run("adjudicate", *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return {row["order"]: row["verdict"] for row in json.loads(result.stdout)["orders"]}


def a_game() -> dipsat.Game:
    """A game in the winter in which France may build twice."""
    game = dipsat.Game.new()
    for orders in (["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"], ["F MAO - POR"]):
        game.submit("FRANCE", orders)
        game.advance()
    return game


def test_a_year_is_judged_from_file_to_file() -> None:
    write("spring.txt", SPRING)
    assert run("adjudicate", "spring.txt", "--next", "fall.json").exit_code == 0
    write("fall.txt", "Fall 1901 Movement\nFrance:\n  A Paris - Picardy\n")
    found = verdicts("fall.txt", "--position", "fall.json", "--next", "next.json")
    assert found == {"A PAR - PIC": "succeeds", "A BUR H": "stands", "A RUH H": "stands"}
    assert json.loads(Path("next.json").read_text("utf-8"))["units"]["FRANCE"] == ["A PIC"]


def test_retreats_and_builds_are_ordered_on_sheets() -> None:
    write("spring.txt", "Germany:\n A Ruh - Bel\n A Hol S A Ruh - Bel\nFrance:\n A Bel H\n")
    run("adjudicate", "spring.txt", "--next", "retreats.json")
    write("retreats.txt", "Spring 1901 Retreats\nFrance:\n  A Bel - Pic\n")
    found = verdicts("retreats.txt", "--position", "retreats.json")
    assert found == {"A BEL R PIC": "succeeds"}
    a_game().save("game.json")
    for heading in ("W1901A\n", "Winter 1901 Adjustments\n", ""):
        write("builds.txt", f"{heading}France:\n  Build A Paris\n  Build F Brest\n")
        found = verdicts("builds.txt", "--position", "game.json")
        assert found == {"A PAR B": "succeeds", "F BRE B": "succeeds"}


def test_what_dipsat_writes_is_read_as_a_position() -> None:
    """The position after a phase, what `--json` prints, and a saved game, each by itself."""
    write("spring.txt", SPRING)
    printed = run("adjudicate", "spring.txt", "--json").stdout
    write("all.json", printed)
    write("next.json", json.dumps(json.loads(printed)["next"]))
    a_game().save("game.json")
    expected = {"A PAR H": "stands", "A BUR H": "stands", "A RUH H": "stands"}
    assert verdicts("all.json") == verdicts("next.json") == expected
    outcome = json.loads(run("adjudicate", "game.json", "--phase", "W1901A", "--json").stdout)
    assert (outcome["phase"], outcome["next"]["phase"]) == ("W1901A", "S1902M")
    for name in ("all.json", "next.json"):
        assert dipsat.load_phase(name).position.to_dict() == json.loads(printed)["next"]
    assert dipsat.load_phase("game.json").position == dipsat.Game.load("game.json").position


def test_a_mail_with_the_retreats_after_its_moves_is_not_a_game() -> None:
    moves = "Spring 1901\nFrance:\n A Par - Bur\n"
    for text in (
        f"{moves}Spring 1901 Retreats\n A Bur R Par\n",
        f"{moves}Retreats\n A Bur R Par\n",
    ):
        assert verdicts(write("mail.txt", text)) == {"A PAR - BUR": "succeeds"}
    write("game.txt", f"{moves}Fall 1901\nFrance:\n A Bur - Bel\n")
    assert verdicts("game.txt")["A BUR - BEL"] == "succeeds"
    assert verdicts("game.txt", "--phase", "S1901M")["A PAR - BUR"] == "succeeds"


def test_rules_of_a_game_count_unless_others_are_named() -> None:
    game = dipsat.Game.new(rules="1982")
    game.save("game.json")
    write("orders.txt", "France:\n  A Paris - Burgundy\n")
    for options, rules in (((), "1982"), (("--rules", "1971"), "1971")):
        done = run("adjudicate", "orders.txt", "--position", "game.json", "--json", *options)
        assert json.loads(done.stdout)["rules"] == rules


def test_a_sheet_for_another_phase_is_refused() -> None:
    write("spring.txt", SPRING)
    run("adjudicate", "spring.txt", "--next", "fall.json")
    sheet = write("orders.txt", "France:\n Build A Paris\n")
    done = run("adjudicate", sheet, "--position", "fall.json")
    assert done.exit_code == 2
    assert "not an order of this phase; F1901M is a movement phase" in done.stderr


@exhaustive
def test_own_rules_and_maps_are_not_named_in_what_next_writes() -> None:
    write("mine.yaml", "name: datc-own\nextends: datc\n")
    write("map.yaml", "name: standard\nextends: standard\n")
    write("spring.txt", SPRING)
    for options, named in (
        (("--rules", "mine.yaml", "--map", "map.yaml"), {}),
        (("--rules", "1982"), {"rules": "rulebooks/1982", "map": "standard"}),
    ):
        run("adjudicate", "spring.txt", *options, "--next", "fall.json")
        written = json.loads(Path("fall.json").read_text("utf-8"))
        assert {key: written[key] for key in ("rules", "map") if key in written} == named


@pytest.mark.parametrize(
    "text",
    ["[\n  {}\n]\n", "", "France:\n A PAR H\n", '{"phase": "S1901M", "units": {}}\n', "\xff{"],
)
def test_next_replaces_only_what_it_has_written(text: str) -> None:
    write("spring.txt", SPRING)
    write("fall.json", text)
    done = run("adjudicate", "spring.txt", "--next", "fall.json")
    assert done.exit_code == 2
    assert "error: fall.json: already exists and is not a position that dipsat wrote" in done.stderr
    assert Path("fall.json").read_text("utf-8") == text
    assert run("adjudicate", "spring.txt", "--next", "spring.txt").exit_code == 2
    assert Path("spring.txt").read_text("utf-8") == SPRING


def test_next_says_that_it_replaces_an_earlier_position() -> None:
    write("spring.txt", SPRING)
    assert "replaces" not in run("adjudicate", "spring.txt", "--next", "fall.json").stderr
    done = run("adjudicate", "spring.txt", "--phase", "S1905M", "--next", "fall.json")
    named, replaced = done.stderr.splitlines()
    assert named.startswith("remark: the orders name 3 units, and no others are on the board")
    assert replaced == "remark: fall.json: replaced; it held F1901M, and now holds F1905M"
    assert dipsat.load_phase("fall.json").position.phase.year == 1905
    changed = Path("fall.json").read_text("utf-8").replace("F1905M", "S1906M") + " "
    write("fall.json", changed)
    assert run("adjudicate", "spring.txt", "--next", "fall.json").exit_code == 2
    assert Path("fall.json").read_text("utf-8") == changed


FAULTY = """\
phase: F1901X
foo: 3
units:
  ENGLAND: [A LONN, F ENG, F ENG, 3]
  FRANCEE: [A PAR]
  GERMANY: F KIE
centers:
  ENGLAND: [LONX, BUR]
  FRANSE: [PAR]
dislodged:
  ENGLAND: [A YRK]
  GERMANY: {A MUNX: [BER], A RUH: [BERX]}
orders:
  ENGLAND: [A LON - YORKK, A WAL H]
  TURKY: [A LON H]
"""


@pytest.mark.parametrize("lenient", [False, True])
def test_all_faults_of_a_position_and_its_orders_are_reported_at_once(lenient: bool) -> None:
    """A lenient reader forgives only the order that cannot be read."""
    with pytest.raises(ProblemsError) as caught:
        parse_phase_text(FAULTY, "x.yaml", lenient=lenient)
    lines = str(caught.value).splitlines()
    places = {line.removeprefix("x.yaml:").partition(": ")[0] for line in lines}
    assert len(places) == len(lines)
    assert places | {"14:13"} == {
        "1:8", "2:1", "4:13", "4:28", "4:35", "5:3", "6:12", "8:13", "8:19", "9:3", "11:13",
        "12:13", "12:28", "14:13", "15:3",
    }  # fmt: skip
    assert ("14:13" in places) is not lenient


def test_units_without_orders_hold() -> None:
    text = "units: {ENGLAND: [A LON, F ENG]}\n"
    found = parse_phase_text(text, "x.yaml")
    assert found.orders == {}
    outcome = dipsat.adjudicate(found.position, found.orders)
    assert sorted(str(one.order) for one in outcome.orders) == ["A LON H", "F ENG H"]
    for later in (
        "phase: S1901R\nunits: {}\ndislodged: {ENGLAND: [A LON]}\n",
        "phase: W1901A\nunits: {}\ncenters: {ENGLAND: [LON]}\n",
    ):
        assert parse_phase_text(later, "x.yaml").orders == {}


def test_line_breaks_within_an_order_are_not_written_into_a_file() -> None:
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    orders = {"FRANCE": ["A PAR\n-\u2028BUR"]}
    read = dipsat.parse_phase(studies.write_phase(position, orders), "orders.yaml")
    outcome = dipsat.adjudicate(read.position, read.orders)
    assert outcome.next.to_dict() == dipsat.adjudicate(position, orders).next.to_dict()
    assert "FRANCE A BUR" in [f"{unit.power} {unit}" for unit in outcome.next.units]
