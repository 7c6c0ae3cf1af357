"""Rows in files: the same when they are read back, whole or not at all, in bounded memory."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
from ast import literal_eval
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings, strategies as st

from dipsat import studies
from dipsat.base import BLANK_BYTES, GAME_BYTES, ROWS_RATIO
from dipsat.cli import main
from dipsat.errors import DipsatError, DocumentError, FileError, InputLimitError
from dipsat.formats import compression, game_files
from dipsat.studies import (
    CROSSCHECK,
    IMPACT,
    REPLAY,
    CrosscheckGroup,
    Disagreement,
    Divergence,
    RowKind,
    Sheet,
    SheetRow,
    crosscheck,
    row_files as files,
)
from dipsat.studies.parallel_run import Survey
from dipsat.studies.row_files import SUFFIXES
from dipsat.studies.row_kinds import KINDS, Type, kind_of
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of
from tests.formats.test_saving import ENVIRONMENT, POSIX, only
from tests.packages import needed_pyarrow, needed_zstd
from tests.pages import page
from tools.notebook import ran, text_of
from tools.site.tables import with_tables

PARQUET = pytest.param(".parquet", marks=pytest.mark.extra)
EVERY = [*SUFFIXES[:-1], PARQUET]


@pytest.fixture(autouse=True)
def _needs_packages(request: pytest.FixtureRequest) -> None:
    """Skip tests of Parquet and Zstandard where there is no package for these."""
    parameters = getattr(request.node, "callspec", None)
    suffix = str(parameters.params.get("suffix", "")) if parameters else ""
    if suffix == ".parquet" or request.node.get_closest_marker("extra"):
        needed_pyarrow()
    if suffix.endswith(".zst"):
        needed_zstd()


PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "text": st.text(max_size=12),
    "integer": st.integers(-(2**63), 2**63 - 1),
    "truth": st.booleans(),
}


def values(type: Type) -> st.SearchStrategy[Any]:
    """Any values of a type, missing ones among them."""
    if isinstance(type, list):
        found: st.SearchStrategy[Any] = st.lists(values(type[0]), max_size=3)
    elif isinstance(type, dict):
        found = st.fixed_dictionaries({name: values(of) for name, of in type.items()})
    else:
        found = PLAIN[type]
    return st.none() | found


ANY_KIND = st.sampled_from(KINDS)


@exhaustive
@pytest.mark.parametrize("suffix", EVERY)
def test_rows_are_the_same_when_they_are_read_back(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows{suffix}"

    @settings(max_examples=8, deadline=None)
    @given(st.data(), ANY_KIND)
    def check(data: st.DataObject, kind: RowKind) -> None:
        row = st.fixed_dictionaries({one.name: values(one.type) for one in kind.columns})
        rows = data.draw(st.lists(row, min_size=1, max_size=4))
        assert kind_of(rows[0]) is kind
        assert studies.write_rows(rows, path) == len(rows)
        assert list(studies.read_rows(path)) == rows

    check()
    only(tmp_path, path.name)


ROWS: list[dict[str, Any]] = [{"a": "Ä", "b": [1, None]}, {"a": None, "b": []}]
LINES = '{"a":"Ä","b":[1,null]}\n{"a":null,"b":[]}\n'.encode()


@pytest.mark.parametrize("suffix", EVERY)
def test_any_rows_are_written_as_other_programs_read_them(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows{suffix.upper()}"
    studies.write_rows(iter(ROWS), path)
    data = path.read_bytes()
    if suffix == ".parquet":
        pyarrow = needed_pyarrow()
        assert pyarrow.parquet.read_table(path).to_pylist() == ROWS
        return
    if suffix == ".jsonl.gz":
        assert data[4:8] == bytes(4)  # no time, so that equal rows give equal files
        data = gzip.decompress(data)
    elif suffix == ".jsonl.zst":
        data = needed_zstd().decompress(data)
    assert data == LINES
    assert list(studies.read_rows(path)) == ROWS


@pytest.mark.parametrize("suffix", [".jsonl", PARQUET])
def test_halves_of_letters_are_replaced(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows{suffix}"
    studies.write_rows([{"a": ["x\ud800"]}, {"a": ["\ud83d\ude00"]}], path)
    assert list(studies.read_rows(path)) == [{"a": ["x\ufffd"]}, {"a": ["\U0001f600"]}]


@pytest.mark.extra
def test_parquet_is_written_in_groups_with_the_columns_of_the_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyarrow = needed_pyarrow()
    monkeypatch.setattr(files, "BATCH_ROWS", 2)
    monkeypatch.setattr(files, "GROUP_ROWS", 4)
    path = tmp_path / "rows.parquet"
    row = dict.fromkeys(REPLAY.names)
    rows = [{**row, "number": number} for number in range(9)]
    studies.write_rows(rows, path)
    file = pyarrow.parquet.ParquetFile(path)
    assert [file.metadata.row_group(at).num_rows for at in range(3)] == [4, 4, 1]
    schema = file.schema_arrow
    assert schema.metadata[b"dipsat"] == b"replay"
    assert tuple(schema.names) == REPLAY.names
    assert str(schema.field("causes").type) == "list<element: string>"
    assert schema.field("theirs").type.field("phase").type == pyarrow.string()
    assert list(studies.read_rows(path)) == rows


@pytest.mark.extra
@pytest.mark.parametrize(
    ("later", "name"),
    [({"a": 1, "b": 2}, "b"), ({"a": 1, "c": {"x": 1, "y": 2}}, "c.y"),
     ({"a": 1, "d": [{"z": 2}]}, "d.z")],
)  # fmt: skip
def test_no_column_is_lost_on_the_way_to_parquet(
    later: dict[str, Any], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.parquet"
    first = {"a": 1, "c": {"x": 1}, "d": [{"y": 1}]}
    studies.write_rows([{"a": 1}, later], path)  # in one batch, all columns are known
    assert name[0] in dict(list(studies.read_rows(path))[1])
    monkeypatch.setattr(files, "BATCH_ROWS", 1)
    with pytest.raises(FileError, match=f"the column '{re.escape(name)}' is in no earlier row"):
        studies.write_rows([first, later], path)
    row = dict.fromkeys(REPLAY.names)
    with pytest.raises(FileError, match="the column 'more' is in no earlier row"):
        studies.write_rows([row, {**row, "more": 1}], path)


@pytest.mark.extra
def test_no_parquet_is_written_that_cannot_be_read(tmp_path: Path) -> None:
    """With the deepest ones pyarrow would end the process."""
    path = tmp_path / "rows.parquet"
    deepest: Any = 1
    for _ in range(files.LEVELS):
        deepest = [deepest]
    studies.write_rows([{"a": deepest}], path)
    assert list(studies.read_rows(path)) == [{"a": deepest}]
    endless: list[Any] = []
    endless.append(endless)
    for deep in ([deepest], {"b": deepest}, endless):
        with pytest.raises(FileError, match="more than 30 lists and records are nested"):
            studies.write_rows([{"a": deep}], path)


@pytest.mark.extra
def test_parquet_with_two_columns_of_a_name_is_refused(tmp_path: Path) -> None:
    """A row has room for only one of them."""
    pyarrow, path = needed_pyarrow(), tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(pyarrow.table([[1], [2]], names=["a", "a"]), path)
    with pytest.raises(FileError, match="two columns have the same name"):
        list(studies.read_rows(path))


def stopping(error: BaseException) -> Iterator[dict[str, Any]]:
    yield from ROWS
    raise error


@pytest.mark.parametrize(
    ("suffix", "error"),
    [*((one, KeyboardInterrupt()) for one in EVERY[:-1]), (".jsonl", OSError(5, "no input"))],
)
def test_rows_before_an_interruption_are_kept_beside_the_file(
    suffix: str, error: BaseException, tmp_path: Path
) -> None:
    path = tmp_path / f"rows{suffix}"
    path.write_bytes(b"old")
    with pytest.raises(type(error)) as caught:
        studies.write_rows(stopping(error), path)
    kept = tmp_path / f"rows.partial{suffix}"
    assert caught.value is error
    assert error.__notes__.pop() == f"{path} is not written; {kept} has the first 2 rows"
    assert path.read_bytes() == b"old"
    assert list(studies.read_rows(kept)) == ROWS
    only(tmp_path, path.name, kept.name)


SINKS: Mapping[str, Any] = {
    ".jsonl": files.JsonLinesSink, ".parquet": files.ParquetSink,
}  # fmt: skip
WRITING = {".jsonl": "write", ".parquet": "_table"}


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("suffix", [".jsonl", PARQUET])
@pytest.mark.parametrize("is_last", [False, True])
def test_ctrl_c_never_cuts_a_row_in_two(
    is_last: bool, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interrupt comes while the third of four rows is written, or the end of the file."""
    monkeypatch.setattr(files, "BATCH_ROWS", 1)
    name, when, count = "finish" if is_last else WRITING[suffix], 1 if is_last else 3, 0
    write = getattr(SINKS[suffix], name)

    def interrupted(self: Any, *rows: Any) -> Any:
        nonlocal count
        count += 1
        if count == when:
            os.kill(os.getpid(), signal.SIGINT)
        return write(self, *rows)

    monkeypatch.setattr(SINKS[suffix], name, interrupted)
    rows = [{"a": number} for number in range(4)]
    whole, partial = (tmp_path / f"rows{middle}{suffix}" for middle in ("", ".partial"))
    with pytest.raises(KeyboardInterrupt) as caught:
        studies.write_rows(rows, whole)
    notes = getattr(caught.value, "__notes__", [])
    if is_last:
        assert list(studies.read_rows(whole)) == rows
        assert notes == []
    else:
        assert list(studies.read_rows(partial)) == rows[:3]
        assert notes == [f"{whole} is not written; {partial} has the first 3 rows"]
    only(tmp_path, (whole if is_last else partial).name)


FULL = """
import random, resource, sys
import dipsat
draw = random.Random(1)
rows = ({"a": str(draw.random())} for _ in range(30_000))
resource.setrlimit(resource.RLIMIT_FSIZE, (90_000, 90_000))
try:
    dipsat.studies.write_rows(rows, sys.argv[1])
except dipsat.errors.FileError as error:
    print(error)
"""


@exhaustive
@POSIX
@pytest.mark.parametrize("suffix", few_of([".jsonl.gz", ".parquet"], 1))
def test_a_full_disk_leaves_nothing_half_written(suffix: str, tmp_path: Path) -> None:
    name = f"rows{suffix}"
    done = subprocess.run(
        [sys.executable, "-c", FULL, name], cwd=tmp_path, env=ENVIRONMENT,
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert done.stdout == f"{name}: cannot be written: File too large\n"
    assert done.stderr == ""
    only(tmp_path)


@pytest.mark.parametrize("name", ["rows", "rows.json", "rows.parquet.gz", "jsonl"])
def test_other_names_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"it should end in \.jsonl, .* or \.parquet"):
        studies.write_rows(ROWS, tmp_path / name)
    only(tmp_path)


@pytest.mark.parametrize(
    ("suffix", "module", "extra"),
    [("jsonl.zst", "backports", "zstd"), ("parquet", "pyarrow", "parquet")],
)
def test_without_the_package_a_message_says_how_to_install_it(
    suffix: str, module: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if module == "backports" and sys.version_info >= (3, 14):
        pytest.skip("Python has Zstandard")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(FileError, match=re.escape(f"pip install 'dipsat[{extra}]'")):
        studies.write_rows(ROWS, tmp_path / f"rows.{suffix}")
    only(tmp_path)
    done = replay("games.jsonl", "--rows", str(tmp_path / f"rows.{suffix}"))
    assert f"pip install 'dipsat[{extra}]'" in done.stderr
    path = tmp_path / "rows"
    path.write_bytes(b"PAR1" if extra == "parquet" else b"\x28\xb5\x2f\xfd")
    with pytest.raises(FileError, match=re.escape(f"pip install 'dipsat[{extra}]'")):
        next(studies.read_rows(path))


@pytest.mark.parametrize("suffix", [".jsonl", PARQUET])
@pytest.mark.parametrize("row", [{"a": 1, "b": object()}, {"a": float("nan"), "b": {"c": {}}}])
def test_what_is_not_a_plain_value_is_refused(
    suffix: str, row: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / f"rows{suffix}"
    with pytest.raises(FileError, match="a row cannot be written"):
        studies.write_rows([row], path)
    only(tmp_path)


@pytest.mark.parametrize("suffix", [".jsonl", PARQUET])
def test_no_rows_at_all(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows{suffix}"
    if suffix == ".jsonl":
        assert studies.write_rows([], path) == 0
        assert list(studies.read_rows(path)) == []
        return
    with pytest.raises(FileError, match="without a row its columns are unknown"):
        studies.write_rows([], path)
    only(tmp_path)


@pytest.mark.parametrize("suffix", EVERY[1:])
def test_damaged_files_give_an_error_with_the_name(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows{suffix}"
    studies.write_rows([{"a": number} for number in range(300)], path)
    data = path.read_bytes()
    for end in range(4, len(data) - 1, len(data) // 9):
        path.write_bytes(data[:end])
        with pytest.raises(DipsatError, match=re.escape(str(path))):
            list(studies.read_rows(path))
    for at in range(6, len(data), len(data) // 23):
        path.write_bytes(data[:at] + bytes([data[at] ^ 85]) + data[at + 1 :])
        with suppress(DipsatError):  # no other error; some bytes carry no information
            list(studies.read_rows(path))


@pytest.mark.parametrize(
    ("text", "error", "where"),
    [("[1]\n", DocumentError, ":1:1: a row is an object"), ('{"a": 1}\n{', DocumentError, ":2:"),
     ("{}\n\udcff\n", FileError, ":2: ")],
)  # fmt: skip
def test_lines_that_are_not_rows(
    text: str, error: type[Exception], where: str, tmp_path: Path
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(error, match=re.escape(f"{path}{where}")):
        list(studies.read_rows(path))


@pytest.mark.parametrize("suffix", [".jsonl.gz", ".jsonl.zst"])
@pytest.mark.parametrize(
    ("data", "what"),
    [(b"\n" * 50_000, "blank bytes"), (b"{}\n" * 50_000, "bytes for each byte of packed rows")],
    ids=["blank", "rows"],
)  # fmt: skip
def test_packed_rows_that_never_end_are_refused(
    suffix: str, data: bytes, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With the limits as they are, this would take gigabytes.
    monkeypatch.setattr(compression, "GAME_BYTES", replace(GAME_BYTES, most=50_000))
    monkeypatch.setattr(files, "ROWS_RATIO", replace(ROWS_RATIO, most=300))
    monkeypatch.setattr(game_files, "BLANK_BYTES", replace(BLANK_BYTES, most=10_000))
    path = tmp_path / f"rows{suffix}"
    path.write_bytes(gzip.compress(data) if suffix == ".jsonl.gz" else needed_zstd().compress(data))
    with pytest.raises(InputLimitError, match=what):
        list(studies.read_rows(path))


# --- Rows of a replay -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game whose second phase ends differently from dipsat's, whose third cannot be read, and
    whose last has no result; then a line that is not a game."""
    board = {"units": {"FRANCE": ["A PAR", "F BRE"]}, "centers": {"FRANCE": ["PAR"]}}
    hold = {"source": "g", **board, "orders": {"FRANCE": ["A PAR H", "F BRE H"]}}
    phases = ["S1901M", "F1901M", "W1901A", "S1902M"]
    lines: list[dict[str, Any]] = [{**hold, "phase": phase} for phase in phases]
    for line, following in zip(lines, phases[1:], strict=False):
        line |= {"next_phase": following, "next_units": board["units"]}
    lines[1]["orders"] = {"FRANCE": ["A PAR - BUR"]}  # which nothing prevents
    lines[2]["units"] = {"FRANCE": ["A NOWHERE"]}
    lines[3] |= {"next_phase": None}
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    path.write_text("\n".join([*map(json.dumps, lines), "{"]), encoding="utf-8")
    return path


def replayed(path: Path) -> list[dict[str, Any]]:
    return list(studies.replay_rows(studies.replay_files([path])))


@exhaustive
def test_every_phase_has_a_row(games: Path) -> None:
    rows = replayed(games)
    assert [set(row) == set(REPLAY.names) for row in rows] == [True] * 5
    names = ("number", "phase", "season", "kind", "units", "verdict", "fault")
    assert [tuple(row[name] for name in names) for row in rows] == [
        (1, "S1901M", "spring", "movement", 2, "agree", False),
        (2, "F1901M", "fall", "movement", 2, "differ", False),
        (3, "W1901A", "winter", "adjustment", None, "skipped", True),
        (4, "S1902M", "spring", "movement", 2, "skipped", False),
        (None, None, None, None, None, "skipped", True),
    ]
    assert {(row["file"], row["map"], row["rules"]) for row in rows[:4]} == {
        (str(games), "standard", "datc")
    }
    nothing: dict[str, Any] = {"dislodged": [], "retreats": [], "centers": [], "phase": None}
    assert rows[1]["theirs"] == {"units": [{"power": "FRANCE", "unit": "A PAR"}], **nothing}
    assert rows[1]["ours"] == {"units": [{"power": "FRANCE", "unit": "A BUR"}], **nothing}
    assert (rows[1]["powers"], rows[1]["causes"]) == (["FRANCE"], [])
    assert rows[1]["orders"] == [{"power": "FRANCE", "order": "A PAR - BUR"}]
    assert rows[0]["theirs"] is rows[0]["ours"] is rows[0]["reason"] is None
    assert "unknown province 'NOWHERE'" in rows[2]["reason"]
    assert "malformed JSON" in rows[4]["reason"]


def replay(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["replay", "--summary", "-j", "1", *arguments])


@pytest.mark.parametrize("suffix", [".jsonl", PARQUET])
def test_the_command_writes_the_rows(suffix: str, games: Path, tmp_path: Path) -> None:
    path = tmp_path / f"rows{suffix}"
    for _ in range(2):  # the second file takes the place of the first
        done = replay(str(games), "--rows", str(path))
        assert done.exit_code == 2  # for the line that is not a game
        assert list(studies.read_rows(path)) == replayed(games)
    only(tmp_path, path.name)


def test_a_resumed_run_writes_all_rows(games: Path, tmp_path: Path) -> None:
    files = [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
    for file in files:  # the second time from the journal
        replay(str(games), "--resume", str(tmp_path / "journal"), "--rows", str(file))
        assert list(studies.read_rows(file)) == replayed(games)


def test_the_command_replaces_no_file_but_rows(games: Path) -> None:
    before = games.read_bytes()
    done = replay(str(games), "--rows", str(games))
    assert done.exit_code == 2
    assert "already exists, and has no rows of `dipsat replay`; name another" in done.stderr
    assert games.read_bytes() == before


# --- Rows of a crosscheck -------------------------------------------------------------------


CASE = studies.DatcCases(("6.F.9",))


COMPARED = ["crosscheck", "--datc", "6.F.9", "-e", "solver:1971", "-e", "solver:1982", "-j", "1"]


@exhaustive
def test_every_disagreement_has_a_row(tmp_path: Path) -> None:
    """DATC 6.F.9: by the rules of 1971 a convoy fails as soon as one of its fleets is dislodged, by
    those of 1982 the other fleet is enough."""
    path = tmp_path / "rows.jsonl"
    assert CliRunner().invoke(main, [*COMPARED, "--rows", str(path)]).exit_code == 1
    (row,) = studies.read_rows(path)
    assert tuple(row) == CROSSCHECK.names
    stated = {
        "source": "DATC 6.F.9", "map": "standard", "phase": None, "first": "solver:1971",
        "second": "solver:1982", "group": 1, "units": 5, "shrunk": True, "one_power": [],
        "parts": ["moves", "retreats"],
    }  # fmt: skip
    assert {key: row[key] for key in stated} == stated
    assert row["differences"][0] == {
        "part": "moves", "about": "A LON", "first": "", "second": "BEL"
    }  # fmt: skip
    assert {(one["power"], one["unit"]) for one in row["orders"]} == {
        ("ENGLAND", "F ENG"), ("ENGLAND", "A LON"), ("ENGLAND", "F NTH"), ("FRANCE", "F BRE"),
        ("FRANCE", "F MAO"),
    }  # fmt: skip
    assert "A London - Belgium" in {one["order"] for one in row["orders"]}
    done = replay(str(tmp_path / "no.jsonl"), "--rows", str(path))
    assert done.exit_code == 2
    assert "has no rows of `dipsat replay`" in done.stderr  # but of another command


def test_a_unit_without_an_order_is_in_the_row() -> None:
    rows = (SheetRow("FRANCE", "A PAR"), SheetRow("FRANCE", "", ("A NOWHERE H",)))
    sheet = Sheet("standard", rows, "S1901M")
    one = Disagreement("x", ("a", "b"), "datc", sheet, (Divergence("answer", "", ("", "none")),))
    group = CrosscheckGroup(("a", "b"), False, (one,))
    report = replace(studies.crosscheck(["solver", "dip_eval"], [CASE]), groups=(group,))
    (row,) = studies.crosscheck_rows(report)
    assert row["orders"] == [
        {"power": "FRANCE", "unit": "A PAR", "order": None},
        {"power": "FRANCE", "unit": None, "order": "A NOWHERE H"},
    ]
    assert (row["units"], row["shrunk"], row["phase"]) == (1, False, "S1901M")


@exhaustive
def test_an_interrupted_crosscheck_does_not_pass_for_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: Any, **options: Any) -> studies.CrosscheckReport:
        found = crosscheck(*arguments, **options)
        return replace(found, is_interrupted=True, ungrouped=7)

    monkeypatch.setattr("dipsat.studies.crosscheck", interrupted)
    done = CliRunner().invoke(main, [*COMPARED, "--rows", str(tmp_path / "rows.jsonl")])
    assert "rows.partial.jsonl has the first 1 row" in done.stderr
    assert "7 more disagreements have no row" in done.stderr
    only(tmp_path, "rows.partial.jsonl")


# --- Rows of an impact ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def attacks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game whose second phase has an attack with a support, and whose first cannot be read."""
    units = {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR"]}
    hold = {"source": "g", "units": units, "orders": {}}
    attack = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"]}
    lines: list[dict[str, Any]] = [
        {**hold, "phase": "S1901M", "units": {"FRANCE": ["A NOWHERE"]}, "next_phase": "F1901M"},
        {**hold, "phase": "F1901M", "orders": attack, "next_phase": "F1901R"},
        {**hold, "phase": "S1902M", "next_phase": "F1902M"},
    ]
    for line in lines:
        line["next_units"] = units
    path = tmp_path_factory.mktemp("attacks") / "games.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def deaf(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Rules without supports."""
    path = tmp_path_factory.mktemp("rules") / "deaf.yaml"
    path.write_text("extends: datc\ndecisions:\n  support(s): false\n", encoding="utf-8")
    return str(path)


def test_every_phase_that_is_judged_or_differs_has_a_row(
    attacks: Path, deaf: str, tmp_path: Path
) -> None:
    path = tmp_path / "rows.jsonl"
    boards = studies.RandomBoards(2, units=3)
    report = studies.impact(["datc", deaf], attacks, boards=boards, rows=path)
    rows = list(studies.read_rows(path))
    assert [set(row) == set(IMPACT.names) for row in rows] == [True] * len(rows)
    shown = [
        (row["file"], row["number"], row["phase"], row["rules"], row["verdict"]) for row in rows
    ]
    file = str(attacks)
    assert shown[:3] == [
        (file, 2, "F1901M", None, "judged"), (file, 2, "F1901M", "deaf", "differ"),
        (file, 3, "S1902M", None, "judged"),
    ]  # fmt: skip
    assert [row["game"] for row in rows if row["file"] is None and row["rules"] is None] == [
        "random board 0", "random board 1"
    ]  # fmt: skip
    assert sum(row["verdict"] == "judged" for row in rows) == report.compared
    assert sum(row["rules"] == "deaf" for row in rows) == report.of("deaf").differ
    assert sum(row["orders_changed"] for row in rows) == report.of("deaf").orders
    assert rows[1]["causes"] == ["decision support"]
    assert (rows[1]["units"], rows[1]["season"], rows[1]["against"]) == (3, "fall", "datc")


def test_rules_that_cannot_judge_a_phase_have_a_row(attacks: Path, tmp_path: Path) -> None:
    """The rules of a variant whose map has other provinces."""
    path = tmp_path / "rows.jsonl"
    studies.impact("variants/ice", attacks, rows=path)
    found = [row for row in studies.read_rows(path) if row["rules"]]
    assert [(row["phase"], row["verdict"], row["causes"]) for row in found] == [
        ("F1901M", "unjudged", []), ("S1902M", "unjudged", [])
    ]  # fmt: skip
    assert all(row["reason"] for row in found)


def test_impact_writes_the_rows(
    attacks: Path, deaf: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.jsonl"
    command = ["rules", "impact", deaf, "--games", str(attacks), "-j", "1", "--rows", str(path)]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 2  # for the phase that cannot be read
    assert len(list(studies.read_rows(path))) == 3
    path.unlink()

    honest = Survey.results

    def interrupted(*arguments: Any, **options: Any) -> Iterator[Any]:
        yield from honest(*arguments, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(Survey, "results", interrupted)
    done = CliRunner().invoke(main, command)
    assert "rows.partial.jsonl has the first 3 rows" in done.stderr
    only(tmp_path, "rows.partial.jsonl")


# --- The page -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_site_lists_the_columns_of_every_kind(kind: RowKind) -> None:
    shown = with_tables(page("docs/data.md")).partition(f"\n### Rows of `dipsat {kind.name}`\n")[2]
    for one in kind.columns:
        assert re.search(rf"^\| `{one.name}` \| .* \| {re.escape(one.meaning)} \|$", shown, re.M)


@pytest.mark.extra
@exhaustive
def test_the_notebook_prints_what_it_shows() -> None:
    pytest.importorskip("duckdb", reason="the extra parquet-test is not installed")
    path = ROOT / "docs" / "examples" / "replays.ipynb"
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    assert text_of(ran(notebook)) == text  # else `python -m tools.notebook` runs it again


# --- The questions of the page, asked of DuckDB ---------------------------------------------


def replayed_as(number: int, verdict: str, *powers: str) -> dict[str, Any]:
    return {"game": "g", "number": number, "verdict": verdict, "powers": list(powers)}


def answers(question: str) -> Any:
    """DuckDB's answers, from a process of its own: it complains when pytest's process ends."""
    code = "import duckdb, sys; print(duckdb.sql(sys.argv[1]).fetchall())"
    asked = [sys.executable, "-c", code, question]
    return literal_eval(subprocess.run(asked, capture_output=True, check=True, text=True).stdout)


@exhaustive
@pytest.mark.extra
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
    base = [replayed_as(1, "agree"), replayed_as(2, "differ", "ITALY"), replayed_as(3, "agree")]
    mine = [replayed_as(1, "differ", "ITALY", "FRANCE"), replayed_as(2, "differ", "ITALY")]
    mine += [replayed_as(3, "differ", "ITALY"), replayed_as(4, "agree"), replayed_as(5, "skipped")]
    studies.write_rows(base, "datc.parquet")
    studies.write_rows(mine, "mine.parquet")
    assert answers(by_power) == [("ITALY", 0.5), ("FRANCE", 0.25)]
