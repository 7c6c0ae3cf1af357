# ruff: noqa: E501  # order sheets are easier to read on one line
"""`dipsat draw` draws every file that dipsat reads. With `-o`, other commands draw, too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat import searches
from dipsat.cli import main
from tests.checkout import ROOT
from tests.draw.svg_reading import Element, data, orders, read, units
from tests.draw.test_svg_why import PANDIN, assert_two_boards
from tests.exhaustive import exhaustive

SPRING = "France:\n  A Paris - Burgundy\nGermany:\n  A Munich - Burgundy\n  A Ruhr S A Munich - Burgundy\n"
YEAR = "Spring 1901 Movement\n\nFrance:\n  A Par - Bur\n\nFall 1901 Movement\n\nFrance:\n  A Bur - Bel\n"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str, stdin: str | None = None, command: str = "draw") -> Result:
    """Run a command in this process."""
    result = CliRunner().invoke(main, [command, *arguments], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def drawn(*arguments: str, stdin: str | None = None) -> Element:
    """The picture that a command prints."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return read(result.stdout)


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def test_an_order_sheet_is_judged() -> None:
    for found in (drawn(write("s.txt", SPRING)), drawn("-", stdin=SPRING)):
        assert "fails" in orders(found)["A PAR - BUR"]
        assert "succeeds" in orders(found)["A MUN - BUR"]


def test_the_rules_asked_for_judge() -> None:
    sheet = write("s.txt", "England:\n F Edi - Nth\n F Edi - Nwg\n")
    for setting, counts in (("first", "F EDI - NTH"), ("last", "F EDI - NWG")):
        found = orders(drawn(sheet, "--set", f"multiple_orders={setting}"))
        assert [one for one, drawn_as in found.items() if "illegal" not in drawn_as] == [counts]


def test_a_position_is_drawn_without_orders() -> None:
    start = dipsat.Position.start()
    found = drawn(write("p.json", json.dumps(start.to_dict())))
    assert orders(found) == {}
    assert units(found) == set(map(str, start.units))
    assert units(drawn(write("p.yaml", "units:\n  FRANCE: [A PAR]\n"))) == {"A PAR"}


def test_orders_for_a_position_elsewhere() -> None:
    board = write("p.json", json.dumps(dipsat.Position.start().to_dict()))
    found = drawn(write("s.txt", "France:\n A Par - Bur\n"), "--position", board)
    assert len(units(found)) == 22
    assert "succeeds" in orders(found)["A PAR - BUR"]


def test_a_game_is_drawn_as_it_stands_or_by_phase() -> None:
    game = dipsat.Game.standard()
    game.submit("FRANCE", ["A PAR - BUR"])
    game.advance()
    game.submit("FRANCE", ["A BUR - BEL"])
    for name in ("g.json", "g.yaml", "g.jsonl"):
        game.save(name)
        now = drawn(name)
        assert orders(now) == {"A BUR - BEL": {"order", "move", "p2"}}
        assert "A BUR" in units(now)
        before = drawn(name, "--phase", "Spring 1901")
        assert "succeeds" in orders(before)["A PAR - BUR"]
        assert "A PAR" in units(before)
    assert "A BUR - BEL" in orders(drawn(write("year.txt", YEAR)))
    wrong = run("g.json", "--phase", "S1907M")
    assert (wrong.exit_code, "S1901M" in wrong.stderr) == (2, True)


def test_a_file_of_several_games() -> None:
    one, two = dipsat.Game.standard(), dipsat.Game.standard()
    one.submit("FRANCE", ["A PAR - BUR"])
    two.submit("ITALY", ["A ROM - TUS"])
    for number, game in enumerate((one, two)):
        game.save(f"{number}.jsonl")
    both = Path("0.jsonl").read_text(encoding="utf-8") + Path("1.jsonl").read_text(encoding="utf-8")
    first = run(write("both.jsonl", both))
    assert "A PAR - BUR" in first.stdout
    assert "several games" in first.stderr
    assert "A ROM - TUS" in orders(drawn("both.jsonl", "--game", "2"))
    assert "only 2 games" in run("both.jsonl", "--game", "3").stderr


def test_maps_by_name_and_by_file() -> None:
    assert len(data(drawn("colonial"), "province")) == 119
    text = "name: mine\nextends: standard\nprovinces:\n  ALB: {supply: true}\n"
    found = drawn(write("mine.yaml", text))
    assert "ALB" in data(found, "center")
    only = "name: mine\nextends: standard\npicture: {like: standard}\n"
    assert units(drawn(write("only.yaml", only))) == set()
    broken = run(write("broken.yaml", text + "  XXX: 5\n"))
    assert (broken.exit_code, "broken.yaml:5" in broken.stderr) == (2, True)


def test_a_map_is_drawn_with_or_without_the_units_at_the_start() -> None:
    assert units(drawn("fleet_rome")) == set()
    found = units(drawn("fleet_rome", "--start"))
    assert {"F ROM", "A VEN", "F STP/SC"} <= found
    assert len(found) == 22
    refused = run(write("s.txt", SPRING), "--start")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "'s.txt' is not a map" in refused.stderr


def test_options_reach_the_picture() -> None:
    sheet = write("s.txt", SPRING)
    wide = drawn(sheet, "--size", "300", "--no-labels", "--caption", "--highlight", "BUR")
    assert wide.attrib["width"] == "300"
    names = [one.attrib.get("class", "") for one in wide.iter()]
    assert not any(name.startswith("name") for name in names)
    assert "caption" in names
    assert "lit" in names
    assert run(sheet, "--dark").stdout != run(sheet).stdout
    assert "prefers-color-scheme" in run(sheet, "--auto-dark").stdout
    faint = orders(drawn(sheet, "--power", "France"))
    assert ("others" in faint["A MUN - BUR"], "others" in faint["A PAR - BUR"]) == (True, False)


def test_the_picture_is_written_into_a_file_for_pictures_only() -> None:
    sheet = write("s.txt", SPRING)
    assert run(sheet, "-o", "board.svg").stdout == ""
    assert Path("board.svg").read_text(encoding="utf-8").startswith("<svg")
    wrong = run(sheet, "-o", sheet)
    assert wrong.exit_code == 2
    assert "should end in .svg" in wrong.stderr
    assert Path(sheet).read_text(encoding="utf-8") == SPRING


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("standart",), "did you mean standard?"),
        (("none.txt",), "none.txt: cannot be read"),
        (("standard", "--rules", "datc"), "is a map"),
        (("standard", "--dark", "--auto-dark"), "--dark and --auto-dark exclude each other"),
        (("standard", "--game", "2"), "is a map"),
        (("standard", "--size", "200000"), "'--size'"),
        (("line.yaml",), "line.yaml:1:1: this is a holding line, not an order file; prove it with"),
        ((".",), "it is a folder"),
        (("x" * 5000,), "unknown map"),
        (("s.txt", "--game", "1"), "holds no game"),
        (("s.txt", "--power", "Narnia"), "Narnia"),
        (("s.txt", "--highlight", "Nowhere"), "Nowhere"),
        (("g.json", "--rules", "datc"), "its own rules"),
        (("a\x00b",), "error"),
        (("empty.json",), "empty"),
    ],
)
def test_what_cannot_be_drawn_is_reported(arguments: tuple[str, ...], told: str) -> None:
    write("s.txt", SPRING)
    write("empty.json", "")
    write("line.yaml", "orders: {TURKEY: [A CON H]}\nprotect: [ANK]\n")
    dipsat.Game.standard().save("g.json")
    result = run(*arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stdout == ""


# --- `-o` -------------------------------------------------------------------------------------

EXAMPLES = ROOT / "docs" / "examples"
BOUNCE, PARADOX, LINE = (
    str(EXAMPLES / name) for name in ("bounce.txt", "convoy-paradox.txt", "line-turkey.yaml")
)
OTHER_RULES = ["datc", "4.A.2-1971"]


def judged(path: str) -> dipsat.Outcome:
    """The outcome of an order sheet."""
    phase = dipsat.load_phase(path)
    return dipsat.adjudicate(phase.position, phase.orders)


def compared() -> dipsat.Comparison:
    phase = dipsat.load_phase(PARADOX)
    return dipsat.compare(phase.position, phase.orders, OTHER_RULES)


@pytest.mark.parametrize(
    ("arguments", "status", "expected"),
    [
        (("adjudicate", BOUNCE), 0, lambda: dipsat.draw.board(judged(BOUNCE), caption=True)),
        (
            ("explain", BOUNCE, "A Par"), 0,
            lambda: dipsat.draw.explain(dipsat.explain(judged(BOUNCE), "A PAR")),
        ),
        (("prove", PARADOX), 1, lambda: dipsat.draw.cycle(judged(PARADOX))),
        (("prove", BOUNCE), 0, lambda: dipsat.draw.board(judged(BOUNCE), caption=True)),
        (
            ("compare", PARADOX, "--rules", "datc", "--rules", "4.A.2-1971"), 1,
            lambda: dipsat.draw.compare(compared()),
        ),
        (("search", "hold", LINE), 0, lambda: dipsat.draw.line(searches.hold_line(LINE))),
    ],
)  # fmt: skip
def test_other_commands_draw_what_they_found(
    arguments: tuple[str, ...], status: int, expected: Callable[[], str]
) -> None:
    command, *rest = arguments
    done = run(*rest, "-o", "x.svg", command=command)
    assert (done.exit_code, done.stdout) == (status, run(*rest, command=command).stdout)
    assert Path("x.svg").read_text(encoding="utf-8") == f"{expected()}\n"


def test_a_search_draws_its_answer() -> None:
    balkans = str(EXAMPLES / "balkans.yaml")
    assert not run("achieve", balkans, "dislodged(RUM)", "-o", "x.svg", command="search").exit_code
    assert "dipsat-search" in Path("x.svg").read_text(encoding="utf-8")


@exhaustive
def test_replay_draws_the_first_difference() -> None:
    units = {
        "ENGLAND": ["F LON", "F WAL"],
        "FRANCE": ["A BRE", "F ENG"],
        "GERMANY": ["F BEL", "F NTH"],
    }
    line = {
        "source": "g", "phase": "S1901M", "units": units, "centers": {}, "dislodged": {},
        "orders": {
            power: list(listed)
            for power, listed in dipsat.parse_phase(PANDIN, "x.txt").orders.items()
        },
        "next_phase": "F1901M", "next_centers": {}, "next_dislodged": {},
        "next_units": {**units, "FRANCE": ["A BRE"], "GERMANY": ["F ENG", "F NTH"]},
    }  # fmt: skip
    games = write("games.jsonl", json.dumps(line) + "\n")
    assert run(games, "--jobs", "1", "-o", "x.svg", command="replay").exit_code == 1
    assert_two_boards(Path("x.svg").read_text(encoding="utf-8"))


def test_a_replay_without_a_difference_says_that_nothing_is_drawn() -> None:
    game = dipsat.Game.standard()
    game.submit("FRANCE", ["A PAR - BUR"]).advance()
    game.save("game.json")
    done = run("game.json", "--jobs", "1", "-o", "x.svg", command="replay")
    assert done.stderr == "remark: x.svg is not written: nothing differs\n"
    assert not Path("x.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("adjudicate", BOUNCE, "-o", "orders.txt"), "should end in .svg or .png"),
        (("explain", BOUNCE, "-o", "why.svg"), "--output needs a UNIT"),
        (("adjudicate", BOUNCE, "-o", "nowhere/x.svg"), "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_written_is_reported(arguments: tuple[str, ...], message: str) -> None:
    command, *rest = arguments
    done = run(*rest, command=command)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not list(Path().iterdir())
