"""`dipsat convert`: games of one kind as another, known by their content."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dipsat
from tests.app.commands import refused, run

TEXT = """\
Spring 1901 Movement
France:
  A Par - Bur
Fall 1901 Movement
"""


@pytest.mark.parametrize("ending", ["json", "yaml", "jsonl", "txt"])
def test_the_kind_read_is_known_by_content_and_the_kind_written_by_name(
    ending: str, tmp_path: Path
) -> None:
    """The name of the file that is read does not matter."""
    (tmp_path / "game.png").write_text(TEXT, encoding="utf-8")
    done = run("convert", str(tmp_path / "game.png"), str(tmp_path / f"game.{ending}"))
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == f"{tmp_path / f'game.{ending}'}: 1 game, 2 phases\n"
    game = dipsat.Game.load(tmp_path / f"game.{ending}")
    assert str(game.phase) == "F1901M"
    assert game.history[0].outcome.order("A PAR").verdict == "succeeds"


def test_several_games_are_written_in_formats_that_hold_several(tmp_path: Path) -> None:
    source = tmp_path / "games.jsonl"
    for number in range(2):
        dipsat.Game.new("pure").save(tmp_path / f"{number}.jsonl")
    source.write_bytes(b"".join((tmp_path / f"{n}.jsonl").read_bytes() for n in range(2)))
    assert run("convert", str(source), str(tmp_path / "games.json")).exit_code == 0
    assert len(list(dipsat.load_games(tmp_path / "games.json"))) == 2
    assert run("convert", str(source), str(tmp_path / "a"), "--to", "diplomacy").exit_code == 0
    lines = (tmp_path / "a").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["map"] for line in lines] == ["pure"] * 2
    said = refused("convert", str(source), str(tmp_path / "game.txt"))
    assert "text with phase headings holds one game, and there are 2" in said


def test_the_file_that_is_read_is_not_replaced(tmp_path: Path) -> None:
    """Its press and its players would be lost."""
    (tmp_path / "game.txt").write_text(TEXT, encoding="utf-8")
    said = refused("convert", str(tmp_path / "game.txt"), f"{tmp_path}/./game.txt")
    assert "is the input file; name another file for the output" in said
    assert (tmp_path / "game.txt").read_text(encoding="utf-8") == TEXT


@pytest.mark.usefixtures("in_an_empty_folder")
def test_a_map_by_path_is_named_as_seen_from_what_is_written() -> None:
    """Standard output counts as a file in the current folder."""
    Path("maps").mkdir()
    Path("maps/own.yaml").write_text("extends: standard\nname: own\n", encoding="utf-8")
    Path("game.txt").write_text(f"Map: maps/own.yaml\n{TEXT}", encoding="utf-8")
    done = run("convert", "game.txt", "-", "--to", "yaml")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "map: maps/own.yaml\n" in done.stdout
    assert run("convert", "game.txt", "maps/game.json").exit_code == 0
    assert json.loads(Path("maps/game.json").read_text(encoding="utf-8"))["map"] == "own.yaml"
    assert not Path("-").exists()


def test_a_game_is_read_as_far_as_possible_and_the_rest_is_reported(tmp_path: Path) -> None:
    """The other games of the file are written, and exit status 2 says that one is not."""
    good = json.loads(dipsat_game(tmp_path))
    faulty = json.loads(dipsat_game(tmp_path))
    faulty["phases"][0]["orders"]["FRANCE"] = ["A PAR dances"]
    bad = {**good, "map": "moon"}
    lines = (good, faulty, bad)
    source = tmp_path / "games"
    source.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = run("convert", str(source), str(tmp_path / "games.jsonl"))
    assert done.exit_code == 2
    assert "2 games" in done.stdout
    first, second = done.stderr.splitlines()
    assert first.startswith(f"remark: {source}:2: S1901M, orders, FRANCE: cannot read")
    assert second.startswith(f"remark: {source}:3: map: unknown map 'moon'")


def dipsat_game(tmp_path: Path) -> str:
    """A saved game of two phases."""
    game = dipsat.Game.standard()
    game.submit("FRANCE", ["A PAR - BUR"])
    game.advance()
    game.save(tmp_path / "made.jsonl")
    return (tmp_path / "made.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        (b'{"units": {}, "orders": {}}', "an object without `phases`, with the keys units, orders"),
        (b"France:\n  A Par - Bur\n", "orders of one phase; write a heading above them"),
        (b"units: {FRANCE: [A PAR]}\n", "one phase; `dipsat adjudicate` reads it"),
        (b"extends: datc\n", "rules, or a map"),
        (b"name: x\nprovinces: {}\n", "a map"),
        (b"<!doctype html><p>Spring</p>", "a web page"),
        (b"PK\x03\x04\xff", "a zip archive; unpack it first"),
        (b"\x89PNG\r\n\xff", "a picture"),
    ],
)
def test_an_error_says_once_what_a_file_that_is_not_a_game_looks_like(
    content: bytes, seen: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(content)
    said = refused("convert", str(tmp_path / "file"), str(tmp_path / "game.json"))
    assert said.startswith(f"error: {tmp_path / 'file'}: contains no game")
    assert seen in said
    assert said.count("contains no game") == 1
    assert not (tmp_path / "game.json").exists()


def test_no_name_in_a_file_can_begin_a_line_of_remarks(tmp_path: Path) -> None:
    """Only dipsat begins lines of remarks."""
    name = "x\nerror: all is lost\x1b[31m"
    entry = {"name": name, name: 1}
    saved = {name: 1, "phases": [entry, entry, {"name": "S1901M", "state": {"units": {}}}]}
    (tmp_path / "game").write_text(json.dumps(saved), encoding="utf-8")
    done = run("convert", str(tmp_path / "game"), str(tmp_path / "a.json"))
    assert done.exit_code == 0
    assert all(line.startswith("remark: ") for line in done.stderr.splitlines())
    assert "\x1b" not in done.stderr
