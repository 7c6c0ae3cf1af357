"""Journals of strangers, and names that are none of a file."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dipsat.errors import FileError, JournalError
from dipsat.studies import Workers
from dipsat.studies.parallel_run import Stage, results_of
from tests.exhaustive import exhaustive
from tests.pieces import given_up, square

SQUARES: Stage[int, Any] = Stage("squares", square, given_up)
ENDLESS = "AS WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more) SELECT"


def kept(path: str | Path) -> list[Any]:
    return list(results_of(SQUARES, [1, 2], Workers(resume=path), few=1))


@pytest.mark.parametrize(
    "changes",
    [
        f"DROP TABLE about; CREATE VIEW about {ENDLESS} n AS name, n AS value FROM more",
        f"DROP TABLE stages; CREATE VIEW stages {ENDLESS} n AS name, n AS work FROM more",
        "CREATE TRIGGER undo AFTER INSERT ON done BEGIN DELETE FROM done; END",
        "ALTER TABLE done ADD COLUMN more BLOB AS (zeroblob(400000000))",
        "CREATE TABLE more (other)",
    ],
    ids=["endless view", "view", "trigger", "column", "table"],
)
def test_a_journal_has_its_tables_and_nothing_else(tmp_path: Path, changes: str) -> None:
    """Nothing that it could compute is computed."""
    path = tmp_path / "journal"
    kept(path)
    with closing(sqlite3.connect(path)) as opened:
        opened.executescript(changes)
    with pytest.raises(JournalError, match="no journal of dipsat"):
        kept(path)


@exhaustive
def test_a_value_of_any_size_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    kept(path)
    with closing(sqlite3.connect(path)) as opened, opened:
        opened.execute("UPDATE done SET result = zeroblob(40000000)")
    with pytest.raises(JournalError, match="too big"):
        kept(path)


def test_a_result_that_could_not_be_read_again_is_not_kept(tmp_path: Path) -> None:
    stage: Stage[int, Any] = Stage("bytes", bytes, given_up)
    work = Workers(resume=tmp_path / "journal")
    with pytest.raises(JournalError, match="more than 16 MB"):
        list(results_of(stage, [2**24], work, few=1))


@pytest.mark.parametrize("name", ["", "x" * 300, "\0"])
def test_what_is_no_name_of_a_file_is_refused(name: str) -> None:
    with pytest.raises(FileError, match=r"is no name of a file|cannot be opened"):
        kept(name)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
@pytest.mark.parametrize("name", [":memory:", "file:journal?mode=memory"])
def test_a_name_that_means_something_to_sqlite_is_one_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    kept(name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
