"""Games in Parquet: a column of texts, or the members of games as columns."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import studies
from dipsat.base import GAME_BYTES
from dipsat.cli import main
from dipsat.errors import DipsatError, FileError, InputLimitError
from dipsat.formats import GameText, RecordedGame, game_files, game_texts, parquet_games, read_games
from tests.exhaustive import exhaustive
from tests.formats.test_game_files import phase_lines, saved
from tests.packages import needed_pyarrow

pytestmark = pytest.mark.extra

SAVED = [saved(1), saved(2)]
PHASES = [phase_lines(1, 3), phase_lines(2, 2)]


@pytest.fixture
def arrow() -> Any:
    return needed_pyarrow()


def written(arrow: Any, path: Path, table: Any) -> Path:
    """A Parquet file with a table, given as its columns or as its rows."""
    made = arrow.table if isinstance(table, dict) else arrow.Table.from_pylist
    arrow.parquet.write_table(table if isinstance(table, arrow.Table) else made(table), path)
    return path


def lines_of(games: list[Any]) -> list[Any]:
    return [json.dumps(game) for game in games]


def without_empty(value: Any) -> Any:
    """A plain value without objects that have no members: Parquet cannot have these."""
    if isinstance(value, dict):
        kept = {key: without_empty(one) for key, one in value.items()}
        return {key: one for key, one in kept.items() if one != {}}
    return [without_empty(one) for one in value] if isinstance(value, list) else value


def same(path: Path, tmp_path: Path, games: list[Any]) -> None:
    """Check that a file has the same games as these in JSON Lines."""
    plain = tmp_path / "plain.jsonl"
    plain.write_text("\n".join(lines_of(games)), encoding="utf-8")
    found, expected = (
        [replace(one, source="") for one in read_games(file) if isinstance(one, RecordedGame)]
        for file in (path, plain)
    )
    assert found == expected
    assert found


TYPES = ["string", "large_string", "binary", "large_binary"]


@pytest.mark.parametrize("type", [*TYPES, "dictionary"])
def test_each_text_of_a_column_is_a_game(type: str, arrow: Any, tmp_path: Path) -> None:
    column = arrow.array([None, *lines_of(SAVED), ""])
    column = column.dictionary_encode() if type == "dictionary" else column.cast(type)
    table = {"id": [1, 2, 3, 4], "game": column, "note": ["a", "b", "c", "d"]}
    path = written(arrow, tmp_path / "games.parquet", table)
    same(path, tmp_path, SAVED)
    texts = [text for text in game_texts(path) if isinstance(text, GameText)]
    assert [(text.shown, text.line) for text in texts] == [(str(path), 2), (str(path), 3)]


def test_the_only_column_of_texts_has_any_name_and_games_any_format(
    arrow: Any, tmp_path: Path
) -> None:
    phases = ["\n".join(lines_of(lines)) for lines in PHASES]
    path = written(arrow, tmp_path / "games", {"moves": phases})
    same(path, tmp_path, [line for lines in PHASES for line in lines])
    pretty = written(arrow, tmp_path / "games", {"x": [json.dumps(SAVED, indent=1)], "y": [1]})
    same(pretty, tmp_path, SAVED)


@pytest.mark.parametrize("games", [SAVED, [line for lines in PHASES for line in lines]])
def test_the_members_of_games_are_columns(games: Any, arrow: Any, tmp_path: Path) -> None:
    """As programs make them from JSON Lines, with empty members where a row has none."""
    path = written(arrow, tmp_path / "games.parquet", without_empty(games))
    same(path, tmp_path, games)


def test_mappings_are_objects(arrow: Any, tmp_path: Path) -> None:
    """As DuckDB makes them where the members of objects differ widely."""
    lines = PHASES[0]
    texts = arrow.map_(arrow.string(), arrow.list_(arrow.string()))
    columns: dict[str, Any] = {}
    for name in {name for line in lines for name in line}:
        values = [line.get(name) for line in lines]
        if any(isinstance(value, dict) for value in values):
            columns[name] = arrow.array([list((value or {}).items()) for value in values], texts)
        else:
            columns[name] = values
    same(written(arrow, tmp_path / "games.parquet", columns), tmp_path, lines)


def test_every_command_reads_them(arrow: Any, tmp_path: Path) -> None:
    path = str(written(arrow, tmp_path / "games.parquet", {"game": lines_of(SAVED)}))
    assert len(list(dipsat.load_games(path))) == 2
    done = CliRunner().invoke(main, ["replay", path, "-j", "1"])
    assert (done.exit_code, done.stdout.splitlines()[-1][:8]) == (0, "2 games,")
    done = CliRunner().invoke(main, ["crosscheck", path, "-e", "dip_eval", "-j", "1"])
    assert "They agree on" in done.stdout


def test_a_bad_game_is_named_by_its_row_and_the_others_follow(
    arrow: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, other = lines_of(SAVED)
    monkeypatch.setattr(game_files, "MAX_GAME_BYTES", len(good) + len(other))
    texts = [good, "[" + good[:-9], "[" + " " * 99_999 + good + other, b"\xff\xfe[\xff", other]
    column = arrow.array([text.encode() if isinstance(text, str) else text for text in texts])
    path = written(arrow, tmp_path / "games.parquet", {"game": column})
    results = list(studies.replay_files([path]))
    kinds = [type(one).__name__ for one in results]
    assert kinds == ["GameReport", *["ReplayFailure"] * 3, "GameReport"]
    for row, one in enumerate(results[1:4], 2):
        assert isinstance(one, studies.ReplayFailure)
        assert f"games.parquet, row {row}" in one.problem or f"games.parquet:{row}" in one.problem


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"a": ["x"], "b": ["y"]}, r"no column of games; call it `game`.*\(now a, b\)"),
        ({"a": [1]}, r"no column of games.*\(now a\)"),
        ({"game": ["hello"]}, "contains no game"),
        ({"game": [None, ""]}, "is empty; there is no game in it"),
        ({"phases": [1, 2]}, "phases"),
    ],
)
def test_files_without_games_are_refused(
    table: dict[str, Any], message: str, arrow: Any, tmp_path: Path
) -> None:
    path = written(arrow, tmp_path / "games.parquet", table)
    with pytest.raises(DipsatError, match=message) as caught:
        list(read_games(path))
    assert str(path) in str(caught.value)


def test_a_pipe_is_refused(arrow: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(arrow, tmp_path / "games.parquet", {"game": lines_of(SAVED)})

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    stdin = io.TextIOWrapper(io.BufferedReader(Pipe(path.read_bytes())))
    monkeypatch.setattr("sys.stdin", stdin)
    with pytest.raises(FileError, match="Parquet cannot be read from a pipe; save it in a file"):
        list(game_texts("-"))


def repeated(arrow: Any) -> Any:
    """A text that is stored once and is in many rows."""
    text = json.dumps({"phases": [], "x": " " * 20_000})
    numbers = arrow.array([0] * 3_000, arrow.int32())
    return {"game": arrow.DictionaryArray.from_arrays(numbers, [text])}


def nothing(arrow: Any) -> Any:
    """Rows with nothing in them."""
    return {"game": arrow.nulls(60_000, arrow.string())}


def members(arrow: Any) -> Any:
    """Games that are stored once, as columns."""
    text = arrow.DictionaryArray.from_arrays(arrow.array([0] * 3_000, arrow.int32()), ["x" * 9_999])
    return {"phases": arrow.array([[]] * 3_000), "a": text, "b": text}


@pytest.mark.parametrize("table", [repeated, nothing, members])
def test_small_files_that_stand_for_much_are_refused(
    table: Callable[[Any], Any], arrow: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_games, "GAME_BYTES", replace(GAME_BYTES, most=1_000_000))
    path = written(arrow, tmp_path / "games.parquet", table(arrow))
    with pytest.raises(InputLimitError, match="bytes for each byte of packed data"):
        list(game_texts(path))


@exhaustive
@pytest.mark.parametrize(
    "games", [{"game": lines_of(SAVED)}, without_empty(SAVED)], ids=["texts", "members"]
)
def test_damaged_files_are_file_errors(games: Any, arrow: Any, tmp_path: Path) -> None:
    path = written(arrow, tmp_path / "games.parquet", games)
    data = path.read_bytes()
    draw = random.Random(1)
    for cut in (5, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:cut])
        with pytest.raises(FileError, match="the Parquet data cannot be read"):
            list(game_texts(path))
    for _ in range(60):
        changed = bytearray(data)
        for _ in range(draw.choice((1, 5, 50))):
            changed[draw.randrange(4, len(data))] = draw.randrange(256)
        path.write_bytes(changed)
        with suppress(DipsatError):  # nothing else
            list(game_texts(path))
