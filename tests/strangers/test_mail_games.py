"""Games of strangers, played from the raw texts of their mails to the end of two years.

Each folder of `mail_games` has one file per mail, as people, judges and sites write them, and
`expected.yaml` with the board of every phase. Nobody edits a text on its way into the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

import dipsat
from dipsat.cli import main

GAMES = Path(__file__).parent / "mail_games"
END = "S1903M"


def expected(name: str) -> tuple[Mapping[str, str], Mapping[str, Any]]:
    """The players of a game, and its phases."""
    text = (GAMES / name / "expected.yaml").read_text(encoding="utf-8")
    known = yaml.safe_load(text)
    return known.pop("players", {}), known


def run(*words: str | Path, status: int = 0) -> str:
    """What a command says."""
    result = CliRunner().invoke(main, [*map(str, words)])
    assert result.exit_code == status, result.output
    return " ".join(result.output.split())


def board(position: dipsat.Position) -> dict[str, Any]:
    """A position in the form of `expected.yaml`. Units without a retreat are gone in any case."""
    units: dict[str, list[str]] = {}
    for unit in position.units:
        units.setdefault(unit.power, []).append(str(unit))
    dislodged: dict[str, dict[str, list[str]]] = {}
    for one in position.dislodged:
        if one.retreats:
            dislodged.setdefault(one.unit.power, {})[str(one.unit)] = sorted(one.retreats)
    return {
        "units": {power: sorted(own) for power, own in units.items()},
        "dislodged": dislodged,
        "centers": {power: sorted(own) for power, own in position.centers.items() if own},
    }


@pytest.mark.parametrize("name", ["players", "judge", "chat"])
def test_a_game_is_played_from_the_mails_as_they_are(name: str, tmp_path: Path) -> None:
    players, phases = expected(name)
    game = tmp_path / "game.json"
    named = (f"--player={power}={player}" for power, player in players.items())
    run("game", "new", game, *named)
    for phase, known in phases.items():
        position = dipsat.Game.load(game).position
        assert str(position.phase) == phase
        assert board(position) == board_of(known)
        for mail, about in known.get("mails", {}).items():
            read(game, GAMES / name / mail, **about)
        missing = known.get("missing", ())
        if missing:
            said = run("game", "advance", game, status=2)
            assert all(one in said for one in missing), said
        if phase != END:
            run("game", "advance", game, *["--allow-missing"] * bool(missing))


def test_all_mails_of_a_judge_in_one_file_are_a_game(tmp_path: Path) -> None:
    _, phases = expected("judge")
    transcript = tmp_path / "tamarind.txt"
    mails = sorted((GAMES / "judge").glob("*.txt"))
    transcript.write_text("\n".join(one.read_text(encoding="utf-8") for one in mails))
    (game,) = dipsat.load_games(transcript)
    game.advance()  # the last phase of a text is the current one
    played = {str(turn.position.phase): board(turn.position) for turn in game.history}
    played[str(game.phase)] = board(game.position)
    assert played == {phase: board_of(known) for phase, known in phases.items()}


def board_of(known: Mapping[str, Any]) -> dict[str, Any]:
    return {key: known.get(key, {}) for key in ("units", "dislodged", "centers")}


def read(game: Path, mail: Path, says: Sequence[str] = (), refused: Sequence[str] = ()) -> None:
    """Read a mail as a game master does, who looks at a refusal before letting the rest in."""
    if refused:
        before = game.read_bytes()
        said = run("game", "read", game, mail, status=2)
        assert game.read_bytes() == before
        assert all(one in said for one in refused), said
        run("game", "read", game, mail, "--lenient")
        return
    said = run("game", "read", game, mail)
    assert all(one in said for one in says), said
