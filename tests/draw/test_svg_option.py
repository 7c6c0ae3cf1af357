"""`--svg FILE`: commands write the pictures that the functions of `dipsat.draw` give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat import searches
from dipsat.cli import main
from tests.checkout import ROOT
from tests.draw.test_svg_why import PANDIN, UNITS
from tests.exhaustive import exhaustive

EXAMPLES = ROOT / "docs" / "examples"
BOUNCE, PARADOX = EXAMPLES / "bounce.txt", EXAMPLES / "convoy-paradox.txt"


def run(*arguments: str | Path) -> Result:
    """A command, as a user runs it."""
    return CliRunner().invoke(main, [str(one) for one in arguments])


def judged(path: Path) -> dipsat.Outcome:
    """The outcome of an order sheet."""
    phase = dipsat.load_phase(path)
    return dipsat.adjudicate(phase.position, phase.orders)


def test_adjudicate_draws_the_board(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    plain, drawn = run("adjudicate", BOUNCE), run("adjudicate", BOUNCE, "--svg", file)
    assert (drawn.exit_code, drawn.stdout) == (0, plain.stdout)
    expected = dipsat.draw.board(judged(BOUNCE), caption=True)
    assert file.read_text(encoding="utf-8") == f"{expected}\n"


def test_explain_draws_the_tree_on_the_board(tmp_path: Path) -> None:
    file = tmp_path / "why.svg"
    assert run("explain", BOUNCE, "A Par", "--svg", file).exit_code == 0
    expected = dipsat.draw.explain(dipsat.explain(judged(BOUNCE), "A PAR"))
    assert file.read_text(encoding="utf-8") == f"{expected}\n"


def test_prove_draws_the_cycles_or_the_board(tmp_path: Path) -> None:
    file = tmp_path / "cycle.svg"
    assert run("prove", PARADOX, "--svg", file).exit_code == 1
    assert file.read_text(encoding="utf-8") == f"{dipsat.draw.cycle(judged(PARADOX))}\n"
    assert run("prove", BOUNCE, "--svg", file).exit_code == 0
    assert "dipsat-board" in file.read_text(encoding="utf-8")


def test_compare_draws_the_boards_side_by_side(tmp_path: Path) -> None:
    file = tmp_path / "two.svg"
    asked = ("--rules", "datc", "--rules", "4.A.2-1971")
    assert run("compare", PARADOX, *asked, "--svg", file).exit_code == 1
    phase = dipsat.load_phase(PARADOX)
    found = dipsat.compare(phase.position, phase.orders, ["datc", "4.A.2-1971"])
    assert file.read_text(encoding="utf-8") == f"{dipsat.draw.compare(found)}\n"


def test_searches_draw_their_answers(tmp_path: Path) -> None:
    file, line = tmp_path / "answer.svg", EXAMPLES / "line-turkey.yaml"
    goal = "dislodged(RUM)"
    done = run("search", "achieve", EXAMPLES / "balkans.yaml", goal, "--svg", file)
    assert done.exit_code == 0
    assert "dipsat-search" in file.read_text(encoding="utf-8")
    assert run("search", "hold", line, "--svg", file).exit_code == 0
    expected = dipsat.draw.line(searches.hold_line(line))
    assert file.read_text(encoding="utf-8") == f"{expected}\n"


@exhaustive
def test_replay_draws_the_first_difference(tmp_path: Path) -> None:
    file, games = tmp_path / "difference.svg", tmp_path / "games.jsonl"
    line = {
        "source": "g", "phase": "S1901M", "units": UNITS, "centers": {}, "dislodged": {},
        "orders": {
            power: list(listed)
            for power, listed in dipsat.parse_phase(PANDIN, "x.txt").orders.items()
        },
        "next_phase": "F1901M", "next_centers": {}, "next_dislodged": {},
        "next_units": {**UNITS, "FRANCE": ["A BRE"], "GERMANY": ["F ENG", "F NTH"]},
    }  # fmt: skip
    games.write_text(json.dumps(line) + "\n")
    assert run("replay", games, "--jobs", "1", "--svg", file).exit_code == 1
    assert "as the record has it" in file.read_text(encoding="utf-8")


def test_a_replay_without_a_difference_says_that_nothing_is_drawn(tmp_path: Path) -> None:
    file, games = tmp_path / "difference.svg", tmp_path / "game.json"
    game = dipsat.Game.standard()
    game.submit("FRANCE", ["A PAR - BUR"])
    game.advance()
    game.save(games)
    done = run("replay", games, "--jobs", "1", "--svg", file)
    assert done.stderr == f"remark: {file} is not written: nothing differs\n"
    assert not file.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("adjudicate", BOUNCE, "--svg", "orders.txt"), "should end in .svg or .png"),
        (("explain", BOUNCE, "--svg", "why.svg"), "--svg needs a UNIT"),
        (("adjudicate", BOUNCE, "--svg", "nowhere/x.svg"), "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_written_is_said(
    arguments: tuple[str | Path, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not list(tmp_path.iterdir())
