"""The questions to rows on the page about data, asked of DuckDB."""

from __future__ import annotations

import subprocess
import sys
from ast import literal_eval
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from dipsat import studies
from tests.pages import page

pytestmark = pytest.mark.extra


def replayed(number: int, verdict: str, *powers: str) -> dict[str, Any]:
    return {"game": "g", "number": number, "verdict": verdict, "powers": list(powers)}


def answers(question: str) -> Any:
    """What DuckDB answers, in a process of its own: it complains when pytest's one ends."""
    code = "import duckdb, sys; print(duckdb.sql(sys.argv[1]).fetchall())"
    asked = [sys.executable, "-c", code, question]
    return literal_eval(subprocess.run(asked, capture_output=True, check=True, text=True).stdout)


def test_rates_are_as_counted_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("duckdb", "pyarrow"):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    by_season, by_power = (
        part.partition("```")[0] for part in page("docs/data.md").split("```sql\n")[1:]
    )
    monkeypatch.chdir(tmp_path)
    impact = [
        {"rules": rules, "season": season, "verdict": verdict}
        for rules, season, verdict in (
            (None, "fall", "judged"), (None, "fall", "judged"), (None, "spring", "judged"),
            ("mine", "fall", "differ"),
        )
    ]  # fmt: skip
    studies.write_rows(impact, "impact.parquet")
    assert answers(by_season) == [("mine", "fall", 0.5)]
    base = [replayed(1, "agree"), replayed(2, "differ", "ITALY"), replayed(3, "agree")]
    mine = [replayed(1, "differ", "ITALY", "FRANCE"), replayed(2, "differ", "ITALY")]
    mine += [replayed(3, "differ", "ITALY"), replayed(4, "agree"), replayed(5, "skipped")]
    studies.write_rows(base, "datc.parquet")
    studies.write_rows(mine, "mine.parquet")
    assert answers(by_power) == [("ITALY", 0.5), ("FRANCE", 0.25)]
