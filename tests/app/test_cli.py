"""The command line: what it prints, and how it takes bad input."""

from __future__ import annotations

import dataclasses
import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, settings, strategies as st

import dipsat
import dipsat.studies.datc_runs
from dipsat import studies
from dipsat.base import data_folder
from dipsat.cli import main
from dipsat.rules import profile_title
from tests.exhaustive import exhaustive, few_examples, few_of
from tests.formats.sheets import PARADOX

SHEET = """\
England:
  F North Sea Convoys A London - Belgium
  A London - Belgium
France: A Bel H
"""
ORDERS = {"ENGLAND": ["F NTH C A LON - BEL", "A LON - BEL"], "FRANCE": ["A BEL H"]}
UNITS = {"ENGLAND": ["F NTH", "A LON"], "FRANCE": ["A BEL"]}
YAML = """\
units:
  England: [F NTH, A LON]
  France: [A BEL]
orders:
  England:
    - F NTH C A LON - BEL
    - A LON - BEL
  France: [A BEL H]
"""
RING = "Turkey:\n  F ANK - CON\n  A CON - SMY\n  A SMY - ANK\n"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str, stdin: bytes | str | None = None) -> Result:
    """Run a command in this process."""
    result = CliRunner().invoke(main, arguments, input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def output(*arguments: str, stdin: bytes | str | None = None) -> str:
    """The output of a command that succeeds."""
    result = run(*arguments, stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def write(name: str, content: str | bytes) -> str:
    """Write a file in the current folder."""
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def message(result: Result) -> str:
    """The one line on standard error of a command that refused its input."""
    assert (result.exit_code, result.stdout) == (2, "")
    lines = result.stderr.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("error: ")
    assert "Traceback" not in lines[0]
    return lines[0].removeprefix("error: ")


def in_a_process(
    *arguments: str, stdin: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """Run `python -m dipsat` in its own process, from a folder other than the checkout."""
    checkout = str(Path(dipsat.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": checkout, "PYTHONUTF8": "1", **variables}
    return subprocess.run(
        [sys.executable, "-m", "dipsat", *arguments],
        input=stdin,
        capture_output=True,
        env=environment,
        check=False,
    )


# adjudicate


def expected(rules: str = "datc") -> dict[str, Any]:
    """The library's result for the orders above."""
    position = dipsat.Position.from_units(UNITS)
    return dipsat.adjudicate(position, ORDERS, rules).to_dict()


JSON = json.dumps({"orders": ORDERS, "units": UNITS}, indent=1)
SOURCES = {
    "sheet": ("orders.txt", SHEET),
    "sheet in a file without suffix": ("orders", SHEET),
    "YAML": ("orders.yaml", YAML),
    "YAML, short suffix": ("orders.yml", YAML),
    "YAML in a file without suffix": ("orders", YAML),
    "YAML without units": ("orders.yaml", YAML[YAML.index("orders:") :]),
    "JSON": ("orders.json", JSON),
    "JSON in a file without suffix": ("orders", JSON),
    "sheet of Windows": ("orders.txt", "\ufeff" + SHEET.replace("\n", "\r\n")),
    "YAML of Windows": ("orders.yaml", "\ufeff" + YAML.replace("\n", "\r\n")),
}


def without_submitted(outcome: dict[str, Any]) -> dict[str, Any]:
    """An outcome without what was typed."""
    orders = [{**order, "submitted": None} for order in outcome["orders"]]
    return {**outcome, "orders": orders}


@pytest.mark.parametrize(("name", "text"), SOURCES.values(), ids=SOURCES.keys())
def test_every_format_of_a_file_gives_the_same(name: str, text: str) -> None:
    outcome = json.loads(output("adjudicate", "--json", write(name, text)))
    assert without_submitted(outcome) == without_submitted(expected())


@pytest.mark.parametrize(("name", "text"), SOURCES.values(), ids=SOURCES.keys())
def test_every_format_on_standard_input_gives_the_same(name: str, text: str) -> None:
    outcome = json.loads(output("adjudicate", "-", "--json", stdin=text.encode()))
    assert without_submitted(outcome) == without_submitted(expected())


def test_json_is_the_outcome_as_plain_values() -> None:
    assert json.loads(output("adjudicate", "--json", "-", stdin=JSON)) == expected()


@pytest.mark.parametrize("text", [SHEET, RING, PARADOX])
def test_without_presolve_the_same_is_printed(text: str) -> None:
    plain = json.loads(output("adjudicate", "--json", "-", stdin=text))
    solved = json.loads(output("adjudicate", "--json", "--no-presolve", "-", stdin=text))
    assert solved["orders"] == plain["orders"]
    assert solved["units"] == plain["units"]


FIRST_COAST = "extends: datc\nsettings: {coast_of_two_omitted: first}\n"


def verdicts(*arguments: str) -> list[str]:
    """The verdict of each order."""
    outcome = json.loads(output("adjudicate", "--json", *arguments))
    return [order["verdict"] for order in outcome["orders"]]


def test_rules_are_chosen_by_name_or_path() -> None:
    orders = write("orders.txt", "Italy:\n F Portugal - Spain\n")
    write("first.yaml", FIRST_COAST)
    Path("folder").mkdir()
    write("folder/first.yml", FIRST_COAST)
    assert verdicts(orders) == ["illegal"]
    assert verdicts(orders, "--rules", "datc") == ["illegal"]
    assert verdicts(orders, "--rules", "first.yaml") == ["succeeds"]
    assert verdicts(orders, "--rules", "folder/first.yml") == ["succeeds"]
    outcome = json.loads(output("adjudicate", "--json", "--rules", "first.yaml", orders))
    assert outcome["rules"] == "first"


def test_rules_may_be_named_in_the_file_and_the_option_overrules_them() -> None:
    write("first.yaml", FIRST_COAST)
    orders = write("orders.yaml", "rules: first.yaml\norders: {Italy: [F Portugal - Spain]}\n")
    assert verdicts(orders) == ["succeeds"]
    assert verdicts(orders, "--rules", "datc") == ["illegal"]


def test_map_is_chosen_by_name_or_path() -> None:
    text = (data_folder("rules") / "maps" / "standard.yaml").read_text(encoding="utf-8")
    write("mine.yaml", text.replace("name: standard", "name: mine").replace("London", "Londinium"))
    by_name = json.loads(output("adjudicate", "--json", "--map", "standard", "-", stdin=SHEET))
    assert by_name["map"] == "standard"
    orders = "England:\n A Londinium H\n"
    by_path = json.loads(output("adjudicate", "--json", "--map", "mine.yaml", "-", stdin=orders))
    assert (by_path["map"], by_path["orders"][0]["unit"]) == ("mine", "A LON")
    assert "Londinium" in message(run("adjudicate", "-", stdin=orders))


def test_lenient_judges_what_is_refused_otherwise() -> None:
    nobody = write("nobody.yaml", "units: {England: [A LON]}\norders: {England: [A WAL H]}\n")
    message(run("adjudicate", nobody))
    assert verdicts("--lenient", nobody) == ["stands", "illegal"]


def test_the_same_order_twice_is_no_fault() -> None:
    orders = write("orders.txt", "England:\n A Lon - Wal\n A LON - WAL\n")
    assert verdicts(orders) == ["succeeds", "succeeds"]


LONG = """\
England:
  A London - North Sea - Norwegian Sea - Barents Sea - St Petersburg via convoy
  F Nth C A Lon - Stp
Russia:
  F St Petersburg (south coast) Supports Russian A Moscow - Livonia
  A Moscow - Livonia
  A Warsaw Supports Russian F St Petersburg (south coast) - Livonia
  F Gulf of Bothnia H
"""


TABLES = {"plain": SHEET, "ring": RING, "paradox": PARADOX, "long orders": LONG}


@pytest.mark.parametrize("text", few_of(TABLES.values(), 1), ids=TABLES.keys())
def test_piped_table_fits_80_columns_and_has_no_escape_codes(text: str) -> None:
    done = in_a_process(
        "adjudicate", "-", stdin=text.encode(), COLUMNS="200", TERM="xterm-256color"
    )
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode().splitlines()
    assert max(map(len, lines)) <= 80
    assert all(line.isprintable() for line in lines)
    assert lines == output("adjudicate", "-", stdin=text).splitlines()


def test_table_tells_every_order_with_verdict_and_reason() -> None:
    printed = " ".join(output("adjudicate", "-", stdin=SHEET).split())
    assert printed.startswith("Order Result Why England A LON - BEL fails held off by A BEL")
    assert "held off by A BEL (1 against 1)" in printed
    assert "F NTH C A LON - BEL available" in printed
    assert "France A BEL H stands" in printed


def test_table_tells_what_is_proven() -> None:
    assert "Proven unique: " in output("adjudicate", "-", stdin=SHEET)
    ring = " ".join(output("adjudicate", "-", stdin=RING).split())
    assert "has 2 resolutions (several)" in ring
    assert "Rule applied circular movement" in ring
    paradox = " ".join(output("adjudicate", "-", stdin=PARADOX).split())
    assert "Order core A BRE, F ENG, F LON, F WAL" in paradox
    assert "Rule applied Szykman" in paradox


def test_table_tells_dislodgements_and_standoffs() -> None:
    text = "France:\n A Par S A Bur - Mun\n A Bur - Mun\n A Ruh S A Bur - Mun\nGermany:\n A Mun H\n"
    printed = output("adjudicate", "-", stdin=text + "Italy: A Tyr - Boh; A Vie - Boh\n")
    assert "Dislodged: A MUN (Germany) by A BUR; may retreat to" in printed
    assert "Standoff, no retreat to: BOH." in printed


# datc


def test_datc_runs_a_single_case_and_shows_it() -> None:
    printed = output("datc", "6.F.14")
    assert "6.F.14" in printed
    assert "passed" in printed
    assert "Rule applied" in printed
    assert printed.endswith("1 of 1 case as the document states.\n")
    assert output("datc", "6.f.14") == printed


def test_datc_runs_a_section() -> None:
    printed = output("datc", "6.C")
    names = re.findall(r"^6\.\w\.\d+", printed, re.MULTILINE)
    assert names == [f"6.C.{at}" for at in range(1, len(names) + 1)]
    assert len(names) >= 7
    assert printed.endswith(f"{len(names)} of {len(names)} cases as the document states.\n")


def test_datc_runs_all_cases_and_every_one_passes() -> None:
    printed = output("datc")
    passed, count = map(int, re.findall(r"(\d+) of (\d+) cases as the document", printed)[0])
    assert passed == count == len(studies.load_cases(variants=True)) > 200
    assert "DIFFERS" not in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_datc_takes_several_names_and_runs_each_case_once() -> None:
    rows = json.loads(output("datc", "--json", "6.A.2", "6.A.1", "6.A.2", "6.A"))
    names = [row["case"] for row in rows]
    assert names[:2] == ["6.A.2", "6.A.1"]
    assert len(set(names)) == len(names) > 2
    assert all(row["passed"] and row["differences"] == [] for row in rows)
    assert set(rows[0]["outcome"]) == set(expected())


@pytest.mark.parametrize(
    ("name", "near"), [("6.F.99", "6.F.9"), ("6.Z.1", "6.J.1"), ("6A1", "6.A.1"), ("", "")]
)
def test_datc_refuses_an_unknown_case_and_names_the_nearest(name: str, near: str) -> None:
    found = message(run("datc", name))
    assert repr(name.upper()) in found
    assert near in found


def test_datc_tells_each_difference_and_ends_with_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    (case,) = studies.load_cases(["6.C.1"])
    wrong = dataclasses.replace(case.expected[0], verdict="fails")
    changed = dataclasses.replace(case, expected=(wrong, *case.expected[1:]))
    monkeypatch.setattr("dipsat.formats.load_cases", lambda names, **_: (changed,))
    result = run("datc", "6.C.1")
    assert result.exit_code == 1
    assert "DIFFERS" in result.stdout
    assert f"{wrong.order}: expected fails, found succeeds" in " ".join(result.stdout.split())
    assert "0 of 1 case as the document states." in result.stdout
    as_json = run("datc", "--json", "6.C.1")
    (row,) = json.loads(as_json.stdout)
    assert (as_json.exit_code, row["passed"], len(row["differences"])) == (1, False, 1)


# rules


def test_rules_list_names_every_profile_with_its_title() -> None:
    printed = output("rules", "list")
    rows = json.loads(output("rules", "list", "--json"))
    assert [row["name"] for row in rows if row["name"] in dipsat.profile_names()]
    for row in rows:
        title = profile_title(row["name"])
        assert row["title"] == " ".join(title.split())
        line = rf"^ *{re.escape(row['short'])} +{re.escape(row['title'][:10])}"
        assert re.search(line, printed, re.MULTILINE)
    assert "maps" not in printed


def test_rules_check_takes_a_name_or_a_path() -> None:
    assert "no problems" in output("rules", "check", "datc")
    file = write("mine.yaml", "extends: datc\nname: mine\ntitle: Mine\n")
    assert "no problems" in output("rules", "check", file)
    assert output("rules", "check", file).startswith("mine: 9 decisions, 3 cycle rules")


def test_rules_check_lists_every_problem() -> None:
    text = """\
extends: datc
settings:
  adjacent_convoys: intent
  convoy_path: none
decisions:
  dislodge(u): enterd(u.province)
  path(m): m.origin == m.power
"""
    result = run("rules", "check", write("bad.yaml", text))
    assert (result.exit_code, result.stdout) == (2, "")
    lines = result.stderr.splitlines()
    places = ["bad.yaml:3:3:", "bad.yaml:4:16:", "bad.yaml:6:16:", "bad.yaml:7:24:"]
    assert [line.split()[1] for line in lines] == places
    for line, nearest in zip(
        lines, ["adjacent_convoy", "required", "entered", "Power"], strict=True
    ):
        assert line.startswith("error: ")
        assert nearest in line


# Bad input: file name, content, where the fault is (a regular expression), words of the message.

# fmt: off
BAD_SHEETS: dict[str, tuple[Any, ...]] = {
    "unknown province": ("England:\n A Lonndon H\n", r"orders.txt:2", "'Lonndon'", "London"),
    "unknown target": ("England:\n A Lon - Wails\n", r"orders.txt:2", "'Wails'", "Wales"),
    "ambiguous province": ("Italy:\n A Tyro H\nItaly:\n A Nort H\n", r"orders.txt:4", "Nort"),
    "unknown power": ("Englnd:\n A Lon H\n", r"orders.txt.*\b1\b", "'Englnd'", "ENGLAND"),
    "unknown kind of unit": ("England:\n X Lon H\n", r"orders.txt:2", "X Lon H"),
    "unknown action": ("England:\n A Lon jumps\n", r"orders.txt:2", "'jumps'", "use H, -, S"),
    "unknown coast": ("Russia:\n F Stp(xc) H\n", r"orders.txt:2", "'xc'", "nc"),
    "no action": ("England:\n Lon\n", r"orders.txt:2", "write H to hold"),
    "two units in a province": (
        "England:\n A Lon H\nFrance:\n F Lon H\n", r"orders.txt:4", "F LON", "A LON", "units",
    ),
    "army at sea": ("England:\n A North Sea H\n", r"orders.txt:2", "army", "sea (North Sea)"),
    "fleet inland": ("Germany:\n F Munich H\n", r"orders.txt:2", "fleet", "inland (Munich)"),
    "missing coast": ("Russia:\n F Stp - Bot\n", r"orders.txt:2", "coast", "F STP/NC or F STP/SC"),
    "orders above any heading": ("A Lon H\n", r"orders.txt.*\b1\b", "'A Lon H'", "'England:'"),
    "no orders": ("England:\n# none\n", r"orders.txt", "no orders"),
    "empty": ("", r"orders.txt", "is empty", "'England:'"),
    "blank": (" \n\n\t\n", r"orders.txt", "is empty", "'England:'"),
    "not UTF-8": (b"England:\n A Gr\xfcn H\n", r"orders.txt", "not UTF-8 (byte 14)", "save it"),
    "UTF-16": (SHEET.encode("utf-16"), r"orders.txt", "not UTF-8", "save it"),
    "very long line": ("England:\n A " + "Lon " * 500, r"orders.txt:2", "300 characters"),
    "null character": ("England:\n A L\0n H\n", r"orders.txt:2", r"'\x00'"),
    "escape code": ("England:\n A \x1b[31mLon H\n", r"orders.txt:2", r"'\x1b'"),
}
BAD_DOCUMENTS = {
    "unknown province": ("orders:\n  England: [A Lonndon H]\n", r":2:13", "'Lonndon'", "London"),
    "unknown power": ("orders:\n  Englnd: [A Lon H]\n", r":2:3", "'Englnd'", "ENGLAND"),
    "unknown unit": ("units:\n  England: [A Lonn]\norders: {}\n", r":2:13", "'Lonn'", "LON"),
    "unit for an order": ("units:\n  England: [A Lon H]\norders: {}\n", r":2:13", "'h'"),
    "unknown map": ("map: standrd\norders: {}\n", r":1:6", "'standrd'", "standard"),
    "unknown profile": ("rules: dact\norders: {}\n", r":1:8", "'dact'", "datc"),
    "missing map": ("map: no.yaml\norders: {}\n", r"no\.yaml", "cannot be read"),
    "missing profile": ("rules: no.yaml\norders: {}\n", r"no\.yaml", "cannot be read"),
    "null character in a path": ('rules: "\\0.yaml"\norders: {}\n', r"\.yaml", ""),
    "two units in a province": (
        "units:\n  England: [A Lon]\n  France: [F Lon]\norders: {}\n", r":3", "F Lon", "A LON",
    ),
    "unit twice": ("units:\n  England: [A Lon, A Lon]\norders: {}\n", r":2", "already stands"),
    "army at sea": ("units: {England: [A NTH]}\norders: {}\n", r":1:19", "army", "North Sea"),
    "fleet inland": ("units: {Germany: [F MUN]}\norders: {}\n", r":1:19", "fleet", "Munich"),
    "missing coast": ("units: {Russia: [F STP]}\norders: {}\n", r":1:18", "F STP/NC or F STP/SC"),
    "missing coast, no units": ("orders: {Russia: [F STP H]}\n", r":1:19", "F STP/NC or F STP/SC"),
    "impossible coast": ("units: {Russia: [F STP/EC]}\norders: {}\n", r":1:18", "F STP/NC"),
    "kind missing": ("units: {England: [LON]}\norders: {}\n", r":1:19", "army (A) or a fleet (F)"),
    "order for nobody": (
        "units: {England: [A LON]}\norders: {England: [A WAL H]}\n",
        "ENGLAND", "'A WAL H'", "no unit", "A LON",
    ),
    "malformed": ("orders: {England: [A Lon H\n", r":1:19", "the list that begins here has no ]"),
    "tab": ("orders:\n\tEngland: [A Lon H]\n", r":2:1", "malformed YAML"),
    "unknown key": ("order:\n  England: [A LON H]\n", r":1:1", "'order'", "'orders'"),
    "key twice": ("orders: {}\norders: {}\n", r":2:1", "duplicate key 'orders'"),
    "other keys": (
        "{type: Feature, crs: 3, bbox: [], id: 1}\n", r":1:1", "not an order file", "`units`",
        "type, crs, bbox, id",
    ),
    "neither orders nor units": ("map: standard\n", r":1:1", "no units", "`orders`", "`units`"),
    "comment only": ("# nothing\n", r"orders\.yaml", "is empty"),
    "orders as list": ("orders:\n  - A LON H\n", r":2:3", "mapping", "a list"),
    "orders as text": ("orders: A LON H\n", r":1:9", "mapping", "'A LON H'"),
    "orders of a power as text": ("orders:\n  England: A LON H\n", r":2:12", "list", "'A LON H'"),
    "orders of a power left out": ("orders:\n  England:\n", r":2:11", "list", "empty"),
    "number as order": ("orders:\n  England: [3]\n", r":2:13", "3"),
    "nothing as order": ("orders:\n  England: [~]\n", r":2:13", "text", "empty"),
    "list as order": ("orders:\n  England: [F EDI H, [A LON H]]\n", r":2:22", "text", "a list"),
    "order as set": ("orders:\n  England: [[A LON H], F EDI H]\n", r":2:12", "set", "F EDI H"),
    "units as list": ("units: [A LON]\norders: {}\n", r":1:8", "mapping", "a list"),
    "nothing as unit": ("units: {England: [~]}\norders: {}\n", r":1:19", "text", "empty"),
    "map as list": ("map: [standard]\norders: {}\n", r":1:6", "text", "a list"),
    "list": ("- A LON H\n", r":1:1", "mapping", "a list"),
    "tag": ("orders: !!python/object/apply:os.getcwd []\n", r":1:9", "tags"),
    "alias": ("orders: &a {England: *a}\n", r":1:9", "anchors"),
    "deep": ("orders: " + "[" * 5000, r":1:58", "nested deeper"),
}
# fmt: on


def check_refused(result: Result, where: str, *words: str) -> None:
    """The command refused its input with one message that has the place and the words."""
    found = message(result)
    assert re.search(where, found), found
    for word in words:
        assert word in found
    assert len(re.findall(r":\d+:\d+:", found)) <= 1


@pytest.mark.parametrize("case", BAD_SHEETS.values(), ids=BAD_SHEETS.keys())
def test_bad_sheet_gets_status_2_and_one_message(case: tuple[Any, ...]) -> None:
    text, where, *words = case
    check_refused(run("adjudicate", write("orders.txt", text)), where, *words)


@pytest.mark.parametrize("case", BAD_SHEETS.values(), ids=BAD_SHEETS.keys())
def test_bad_sheet_on_standard_input_gets_the_same(case: tuple[Any, ...]) -> None:
    text, where, *words = case
    where = where.replace("orders.txt", "standard input")
    check_refused(run("adjudicate", "-", stdin=text), where, *words)


@pytest.mark.parametrize("case", BAD_DOCUMENTS.values(), ids=BAD_DOCUMENTS.keys())
def test_bad_document_gets_status_2_and_one_message(case: tuple[str, ...]) -> None:
    text, where, *words = case
    check_refused(run("adjudicate", write("orders.yaml", text)), where, *words)


def test_unreadable_file_gets_status_2_and_one_message() -> None:
    Path("folder").mkdir()
    with Path("large.txt").open("wb") as stream:
        stream.truncate(50 * 2**20)
    for file, words in (
        ("folder", ("folder: ", "folder")),
        ("missing.txt", ("missing.txt: ", "No such file")),
        ("large.txt", ("large.txt: ", "larger than 4 MB")),
    ):
        check_refused(run("adjudicate", file), file, *words)
        check_refused(run("rules", "check", file), file, *words)
        check_refused(run("adjudicate", "-", "--map", f"{file}/a.yaml", stdin=SHEET), "a.yaml")
    check_refused(run("adjudicate", "-", stdin=b"#" * 5 * 2**20), "standard input", "4 MB")


def test_unknown_option_values_name_the_nearest() -> None:
    check_refused(run("adjudicate", "-", "--map", "standrd", stdin=SHEET), "'standrd'", "standard")
    check_refused(run("adjudicate", "-", "--rules", "dact", stdin=SHEET), "'dact'", "datc")
    check_refused(run("rules", "check", "dact"), "dact", "datc")


@pytest.mark.parametrize(
    "arguments", ["adjudcate -", "adjudicate - --jsn", "rules lst", "adjudicate"]
)
def test_mistyped_command_gets_status_2_and_a_hint(arguments: str) -> None:
    result = run(*arguments.split(), stdin=SHEET)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: ")
    assert "--help' for help" in result.stderr
    assert "error: " in result.stderr


def test_bad_rules_of_an_order_file_are_told_with_their_places() -> None:
    write("bad.yaml", "extends: datc\ndecisions:\n  path(m): mov(m)\n")
    result = run("adjudicate", "-", "--rules", "bad.yaml", stdin=SHEET)
    check_refused(result, r"bad\.yaml:3:12", "'mov'", "'move'")


# A process of its own


def test_process_reads_standard_input_and_prints_json() -> None:
    done = in_a_process("adjudicate", "--json", "-", stdin=YAML.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == expected()


def test_process_refuses_bad_input_without_a_traceback() -> None:
    done = in_a_process("adjudicate", "-", stdin=b"Englnd:\n A Lon H\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"error: standard input")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("encoding", few_of(["ascii", "cp1252", "utf-8"], 1))
@pytest.mark.parametrize("options", few_of([((),), (("--json",),)], 1))
def test_process_prints_any_letters_to_any_encoding(
    options: tuple[str, ...], encoding: str
) -> None:
    sheet = "England:\n A Lon → Wal\n A Yor – Edi\n".encode()
    variables = {"PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}
    done = in_a_process("adjudicate", *options, "-", stdin=sheet, **variables)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"A LON - WAL" in done.stdout


@exhaustive
@pytest.mark.parametrize(
    "equation", ["1if m.convoyed else 0", "1 if m.target.code == 'B\\d' else 0"]
)
def test_process_shows_no_warning_of_python_about_a_rule_file(equation: str) -> None:
    file = write("mine.yaml", f"extends: datc\ndecisions:\n  defend_strength(m): {equation}\n")
    found = [
        in_a_process("rules", "check", file, PYTHONWARNINGS=warnings)
        for warnings in ("always", "ignore", "error")
    ]
    assert b"Warning" not in found[0].stderr
    assert {(done.returncode, done.stderr) for done in found} == {
        (found[1].returncode, found[1].stderr)
    }


def test_process_tells_its_version() -> None:
    assert dipsat.__version__.encode() in in_a_process("--version").stdout


def test_help_lists_the_commands() -> None:
    assert "adjudicate" in output("--help")


# Any input at all

_PIECES = [
    "England", "France:", "A Lon", "F Nth", "Stp/sc", "- Bel", "S A Par - Bur", "C A Lon - Bel",
    "H", "via convoy", "(via", ")", "\n", "\n  ", "orders:", "units:", "map: standard",
    "rules: datc", "[", "]", "{", "}", ", ", ": ", "- ", "#", ";", "'", '"', "&a", "*a", "!!",
    "|\n  ", ">", "~", "1", "\0", "é", "\u2028", "\ufeff", "\x1b[0m", "→", "%", "@", "\\", "\t",
    "---\n", "1:1:1.5",
]  # fmt: skip
_ANYTHING = st.binary(max_size=200) | st.lists(st.sampled_from(_PIECES), max_size=25).map(
    lambda pieces: " ".join(pieces).encode()
)


@few_examples(
    100,
    settings(
        max_examples=300,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    ),
    data=_ANYTHING,
)
def test_any_bytes_on_standard_input_end_in_status_0_or_2(data: bytes) -> None:
    result = run("adjudicate", "-", stdin=data)
    if result.exit_code == 0:
        assert result.stderr == ""
        assert result.stdout.startswith("Order ")
    else:  # a sheet may have several faults
        lines = result.stderr.splitlines()
        assert (result.exit_code, result.stdout) == (2, "")
        assert lines
        assert all(line.startswith("error: ") for line in lines)


@pytest.mark.parametrize("command", ["adjudicate", "datc", "crosscheck"])
def test_help_names_the_page_with_the_options_of_engines(command: str) -> None:
    printed = " ".join(run(command, "--help").stdout.split())
    assert "docs/algorithms.md describes the engines and lists the options of each" in printed


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (("compare", "--rules", "datc"), "'datc' would be compared with itself"),
        (("compare", "--rules", "1982", "--rules", "rulebooks/1982"), "compared with itself"),
        (("search", "differ", "--rules", "datc"), "'datc' would be compared with itself"),
        (("search", "differ", "--rules", "datc", "--rules", "datc"), "compared with itself"),
    ],
)
def test_rules_are_not_compared_with_themselves(
    command: tuple[str, ...], problem: str, tmp_path: Path
) -> None:
    file = tmp_path / "orders.yaml"
    file.write_text(YAML, encoding="utf-8")
    result = run(*command, str(file))
    assert (result.exit_code, result.stdout) == (2, "")
    assert problem in result.stderr


def commands(command: click.Command, path: str = "dipsat") -> Iterator[tuple[str, click.Command]]:
    """Every command with its path."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from commands(inner, f"{path} {name}")


def help_faults(text: str) -> list[str]:
    """The paragraphs of a help text whose lines would be run together, or that show the mark `\\b`
    that keeps them apart. It works only if it stands alone above them."""
    paragraphs = [part.splitlines() for part in inspect.cleandoc(text).split("\n\n")]
    return [
        "\n".join(lines)
        for lines in paragraphs
        if any("\b" in line and line != "\b" for line in lines)
        or "\b" in lines[1:]
        or (lines[0] != "\b" and any(line.startswith(" ") for line in lines))
    ]


@pytest.mark.parametrize(("path", "command"), list(commands(main)))
def test_help_is_laid_out_as_written(path: str, command: click.Command) -> None:
    assert command.help, path
    assert help_faults(command.help) == []
    for parameter in command.params:
        assert "\b" not in (getattr(parameter, "help", None) or ""), path


def test_faults_of_help_texts_are_found() -> None:
    assert help_faults("Show.\n\n\b\nExample:\n  dipsat maps") == []
    for wrong in ("Show.\n\n\b Example:\n dipsat", "Show.\n\nSo:\n  dipsat", "Show.\nSo:\n\b\n  x"):
        assert len(help_faults(wrong)) == 1


@pytest.mark.parametrize("group", [[], ["rules"], ["maps"], ["search"]])
def test_the_help_of_a_group_without_a_command_is_no_error(group: list[str]) -> None:
    result = CliRunner().invoke(main, group)
    assert "error" not in result.stderr
    assert result.output.count("Usage: ") == 1
    assert result.output == CliRunner().invoke(main, [*group, "--help"]).output
