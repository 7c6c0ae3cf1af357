"""The command line: what it prints, and how it takes bad input."""

from __future__ import annotations

import dataclasses
import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete
from hypothesis import HealthCheck, settings, strategies as st

import dipsat
import dipsat.studies.datc_runs
from dipsat import studies
from dipsat.base import data_folder
from dipsat.cli import main
from tests.app.commands import printed, refused, run, write
from tests.checkout import ROOT
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
pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


def message(*arguments: str, stdin: bytes | str | None = None) -> str:
    """The one line on standard error of a command that refuses its input."""
    (line,) = refused(*arguments, stdin=stdin).splitlines()
    assert line.startswith("error: ")
    assert "Traceback" not in line
    return line.removeprefix("error: ")


def in_a_process(
    *arguments: str, stdin: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """Run `python -m dipsat` in its own process, from a folder other than the checkout."""
    command = [sys.executable, "-m", "dipsat", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **variables}
    return subprocess.run(command, input=stdin, capture_output=True, env=environment, check=False)


def expected(rules: str = "datc") -> dict[str, Any]:
    """The library's result for the orders above."""
    position = dipsat.Position.from_units(UNITS)
    return dipsat.adjudicate(position, ORDERS, rules).to_dict()


SOURCES = {
    "sheet": ("orders.txt", SHEET),
    "YAML": ("orders.yaml", YAML),
    "YAML, short suffix": ("orders.yml", YAML),
    "YAML in a file without suffix": ("orders", YAML),
    "YAML without units": ("orders.yaml", YAML[YAML.index("orders:") :]),
    "JSON": ("orders.json", json.dumps({"orders": ORDERS, "units": UNITS}, indent=1)),
    "sheet of Windows without suffix": ("orders", "\ufeff" + SHEET.replace("\n", "\r\n")),
    "YAML of Windows": ("orders.yaml", "\ufeff" + YAML.replace("\n", "\r\n")),
}


@pytest.mark.parametrize(("name", "text"), SOURCES.values(), ids=SOURCES.keys())
def test_every_format_gives_the_same_from_a_file_and_from_standard_input(
    name: str, text: str
) -> None:
    outcomes = [
        json.loads(printed("adjudicate", "--json", write(name, text))),
        json.loads(printed("adjudicate", "--json", "-", stdin=text.encode())),
        expected(),
    ]
    for outcome in outcomes:
        for order in outcome["orders"]:
            order.pop("submitted")
    assert outcomes[0] == outcomes[1] == outcomes[2]


FIRST_COAST = "extends: datc\nsettings: {coast_of_two_omitted: first}\n"


def verdicts(*arguments: str) -> list[str]:
    """The verdict of each order."""
    outcome = json.loads(printed("adjudicate", "--json", *arguments))
    return [order["verdict"] for order in outcome["orders"]]


def test_rules_are_chosen_by_name_or_path_or_in_the_file_and_the_option_wins() -> None:
    orders = write("orders.txt", "Italy:\n F Portugal - Spain\n")
    named = write("orders.yaml", "rules: first.yaml\norders: {Italy: [F Portugal - Spain]}\n")
    Path("folder").mkdir()
    for file in ("first.yaml", "folder/first.yml"):
        assert verdicts(orders, "--rules", write(file, FIRST_COAST)) == ["succeeds"]
    assert verdicts(orders) == ["illegal"]
    assert verdicts(named) == ["succeeds"]
    assert verdicts(named, "--rules", "datc") == ["illegal"]
    outcome = json.loads(printed("adjudicate", "--json", "--rules", "first.yaml", orders))
    assert outcome["rules"] == "first"


def test_map_is_chosen_by_name_or_path() -> None:
    text = (data_folder("rules") / "maps" / "standard.yaml").read_text(encoding="utf-8")
    write("mine.yaml", text.replace("name: standard", "name: mine").replace("London", "Londinium"))
    by_name = json.loads(printed("adjudicate", "--json", "--map", "standard", "-", stdin=SHEET))
    assert by_name["map"] == "standard"
    orders = "England:\n A Londinium H\n"
    by_path = json.loads(printed("adjudicate", "--json", "--map", "mine.yaml", "-", stdin=orders))
    assert (by_path["map"], by_path["orders"][0]["unit"]) == ("mine", "A LON")
    assert "Londinium" in message("adjudicate", "-", stdin=orders)


def test_lenient_judges_what_is_otherwise_refused() -> None:
    nobody = write("nobody.yaml", "units: {England: [A LON]}\norders: {England: [A WAL H]}\n")
    message("adjudicate", nobody)
    assert verdicts("--lenient", nobody) == ["stands", "illegal"]


def test_the_same_order_twice_is_not_a_fault() -> None:
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


@exhaustive
def test_piped_table_fits_80_columns_and_has_no_escape_codes() -> None:
    for text in (SHEET, RING, PARADOX, LONG):
        lines = printed("adjudicate", "-", stdin=text).splitlines()
        assert max(map(len, lines)) <= 80
        assert all(line.isprintable() for line in lines)
    done = in_a_process(
        "adjudicate", "-", stdin=LONG.encode(), COLUMNS="200", TERM="xterm-256color"
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert lines == done.stdout.decode().splitlines()


CLASH = """\
France:
 A Par S A Bur - Mun
 A Bur - Mun
 A Ruh S A Bur - Mun
Germany: A Mun H
Italy: A Tyr - Boh; A Vie - Boh
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SHEET, ["Order Result Why England A LON - BEL fails held off by A BEL (1 against 1)",
                 "F NTH C A LON - BEL available", "France A BEL H stands", "Proven unique: "]),
        (RING, ["has 2 resolutions (several)", "Rule applied circular movement"]),
        (PARADOX, ["Order core A BRE, F ENG, F LON, F WAL", "Rule applied Szykman"]),
        (CLASH, ["Dislodged: A MUN (Germany) by A BUR; may retreat to",
                 "Standoff, no retreat to: BOH."]),
    ],
    ids=["reasons", "ring", "paradox", "dislodged"],
)  # fmt: skip
def test_table_says_for_every_order_what_is_proven_and_what_follows(
    text: str, said: list[str]
) -> None:
    shown = " ".join(printed("adjudicate", "-", stdin=text).split())
    assert [words for words in said if words not in shown] == []


def test_datc_runs_a_single_case_and_shows_it() -> None:
    shown = printed("datc", "6.F.14")
    assert shown.startswith("6.F.14: The attacked fleet supports the move")
    assert "Rule applied" in shown
    assert shown.endswith("\nAs the document states.\n")
    assert printed("datc", "6.f.14") == shown


@exhaustive
def test_datc_runs_all_cases_and_every_one_passes() -> None:
    shown = printed("datc")
    passed, count = map(int, re.findall(r"(\d+) of (\d+) cases as the document", shown)[0])
    assert passed == count == len(studies.load_cases(variants=True)) > 200
    assert "DIFFERS" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_datc_takes_cases_and_sections_and_runs_each_case_once() -> None:
    rows = json.loads(printed("datc", "--json", "6.A.2", "6.A.1", "6.A.2", "6.A"))
    numbers = [2, 1, *range(3, len(rows) + 1)]
    assert [row["case"] for row in rows] == [f"6.A.{at}" for at in numbers]
    assert len(rows) > 7
    assert all(row["passed"] and row["differences"] == [] for row in rows)
    assert set(rows[0]["outcome"]) == set(expected())


@pytest.mark.parametrize(
    ("name", "near"), [("6.F.99", "6.F.9"), ("6.Z.1", "6.J.1"), ("6A1", "6.A.1"), ("", "")]
)
def test_datc_refuses_an_unknown_case_and_names_the_nearest(name: str, near: str) -> None:
    found = message("datc", name)
    assert repr(name.upper()) in found
    assert near in found


@pytest.mark.parametrize(
    ("words", "cases"),
    [
        ("beleaguered", {"6.E.7", "6.E.13"}),
        ("head to head", {"6.E.1", "6.E.15"}),
        ("self-dislodge", {"6.D.10", "6.E.2", "6.C.8"}),
        ("kidnapping", {"6.G.2"}),
        ("unwanted convoy", {"6.G.2", "6.F.13"}),
        ("swapping", {"6.G.1", "6.C.7"}),
        ("Pandin's", {"6.F.16", "6.F.17"}),
        ("civil disorder", {"6.J.1", "6.J.10"}),
        ("coastal crawl", {"6.B.13", "6.H.15"}),
        ("6.C swap", {"6.C.6", "6.C.7"}),
    ],
)
def test_datc_finds_cases_by_the_words_of_players(words: str, cases: set[str]) -> None:
    found = {row["case"] for row in json.loads(printed("datc", *words.split(), "--json"))}
    assert cases <= found
    assert len(found) < 25


def test_datc_lists_what_it_finds_and_shows_a_single_find() -> None:
    listed = printed("datc", "beleaguered")
    assert listed.startswith("6.E.7   A beleaguered fleet cannot be dislodged with its own power's")
    assert listed.endswith("`dipsat datc 6.E.7` shows the first with its results.\n")
    assert printed("datc", "kidnapping") == printed("datc", "6.G.2")
    assert "did you mean beleaguered?" in message("datc", "beleagured")


def test_datc_shows_each_difference_and_ends_with_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    (case,) = studies.load_cases(["6.C.1"])
    wrong = dataclasses.replace(case.expected[0], verdict="fails")
    changed = dataclasses.replace(case, expected=(wrong, *case.expected[1:]))
    monkeypatch.setattr("dipsat.formats.load_cases", lambda names, **_: (changed,))
    result = run("datc", "6.C.1")
    assert result.exit_code == 1
    assert "The document states another result.\n" in result.stdout
    assert f"{wrong.order}: expected fails, found succeeds" in " ".join(result.stdout.split())
    as_json = run("datc", "--json", "6.C.1")
    (row,) = json.loads(as_json.stdout)
    assert (as_json.exit_code, row["passed"], len(row["differences"])) == (1, False, 1)


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
    "missing coast": ("Russia:\n F Stp - Bot\n", r"orders.txt:2", "coast", "F STP/NC or F STP/SC"),
    "orders above any heading": ("A Lon H\n", r"orders.txt.*\b1\b", "'A Lon H'", "'England:'"),
    "no orders": ("England:\n# none\n", r"orders.txt", "no orders"),
    "empty": ("", r"orders.txt", "is empty", "'England:'"),
    "not UTF-8": (b"England:\n A Gr\xfcn H\n", r"orders.txt", "not UTF-8 (byte 14)", "save it"),
    "very long line": ("England:\n A " + "Lon " * 500, r"orders.txt:2", "300 characters"),
    "null character": ("England:\n A L\0n H\n", r"orders.txt:2", r"'\x00'"),
}
BAD_DOCUMENTS = {
    "unknown province": ("orders:\n  England: [A Lonndon H]\n", r":2:13", "'Lonndon'", "London"),
    "unknown power": ("orders:\n  Englnd: [A Lon H]\n", r":2:3", "'Englnd'", "ENGLAND"),
    "unknown unit": ("units:\n  England: [A Lonn]\norders: {}\n", r":2:13", "'Lonn'", "LON"),
    "unit for an order": ("units:\n  England: [A Lon H]\norders: {}\n", r":2:13", "'h'"),
    "unknown map": ("map: standrd\norders: {}\n", r":1:6", "'standrd'", "standard"),
    "unknown profile": ("rules: dact\norders: {}\n", r":1:8", "'dact'", "datc"),
    "missing map": ("map: no.yaml\norders: {}\n", r"no\.yaml", "cannot be read"),
    "two units in a province": (
        "units:\n  England: [A Lon]\n  France: [F Lon]\norders: {}\n", r":3", "F Lon", "A LON",
    ),
    "unit twice": ("units:\n  England: [A Lon, A Lon]\norders: {}\n", r":2", "already stands"),
    "army at sea": ("units: {England: [A NTH]}\norders: {}\n", r":1:19", "army", "North Sea"),
    "missing coast": ("units: {Russia: [F STP]}\norders: {}\n", r":1:18", "F STP/NC or F STP/SC"),
    "missing coast, no units": ("orders: {Russia: [F STP H]}\n", r":1:19", "F STP/NC or F STP/SC"),
    "kind missing": ("units: {England: [LON]}\norders: {}\n", r":1:19", "army (A) or a fleet (F)"),
    "order for nobody": (
        "units: {England: [A LON]}\norders: {England: [A WAL H]}\n",
        "ENGLAND", "'A WAL H'", "no unit", "A LON",
    ),
    "malformed": ("orders: {England: [A Lon H\n", r":1:19", "the list that begins here has no ]"),
    "unknown key": ("order:\n  England: [A LON H]\n", r":1:1", "'order'", "'orders'"),
    "other keys": (
        "{type: Feature, crs: 3, bbox: [], id: 1}\n", r":1:1", "not an order file", "`units`",
        "type, crs, bbox, id",
    ),
    "neither orders nor units": ("map: standard\n", r":1:1", "no units", "`orders`", "`units`"),
    "orders as list": ("orders:\n  - A LON H\n", r":2:3", ": orders should be a mapping", "a list"),
    "orders of a power as text": ("orders:\n  England: A LON H\n", r":2:12", "list", "'A LON H'"),
    "number as order": ("orders:\n  England: [3]\n", r":2:13", "3"),
    "order as set": ("orders:\n  England: [[A LON H], F EDI H]\n", r":2:12", "set", "F EDI H"),
    "list": ("- A LON H\n", r":1:1", "mapping", "a list"),
}
# fmt: on


def check_refused(arguments: Sequence[str], stdin: bytes | str | None, *words: str) -> None:
    """Check that the command refuses its input with one message. The first of the words is a
    pattern for the place."""
    where, *others = words
    found = message(*arguments, stdin=stdin)
    assert re.search(where, found), found
    assert [word for word in others if word not in found] == [], found
    assert len(re.findall(r":\d+:\d+:", found)) <= 1


@pytest.mark.parametrize("case", BAD_SHEETS.values(), ids=BAD_SHEETS.keys())
def test_bad_sheet_gets_status_2_and_one_message(case: tuple[Any, ...]) -> None:
    text, where, *words = case
    check_refused(["adjudicate", write("orders.txt", text)], None, where, *words)
    where = where.replace("orders.txt", "standard input")
    check_refused(["adjudicate", "-"], text, where, *words)


@pytest.mark.parametrize("case", BAD_DOCUMENTS.values(), ids=BAD_DOCUMENTS.keys())
def test_bad_document_gets_status_2_and_one_message(case: tuple[str, ...]) -> None:
    text, *words = case
    check_refused(["adjudicate", write("orders.yaml", text)], None, *words)


@pytest.mark.parametrize(
    ("file", "words"),
    [("folder", "folder"), ("missing.txt", "No such file"), ("large.txt", "larger than 4 MB")],
)
def test_unreadable_file_gets_status_2_and_one_message(file: str, words: str) -> None:
    Path("folder").mkdir()
    with Path("large.txt").open("wb") as stream:
        stream.truncate(50 * 2**20)
    for command in (["adjudicate", file], ["rules", "check", file]):
        check_refused(command, None, f"{file}: ", words)
    check_refused(["adjudicate", "-", "--map", f"{file}/a.yaml"], SHEET, "a.yaml")


def test_too_much_on_standard_input_gets_status_2_and_one_message() -> None:
    check_refused(["adjudicate", "-"], b"#" * 5 * 2**20, "standard input", "4 MB")


@pytest.mark.parametrize(
    ("option", "value", "where", "near"),
    [
        ("--map", "standrd", "'standrd'", "standard"),
        ("--rules", "dact", "'dact'", "datc"),
        ("--rules", "bad.yaml", r"bad\.yaml:3:12.*'mov'", "'move'"),
    ],
)
def test_bad_value_of_an_option_names_the_nearest(
    option: str, value: str, where: str, near: str
) -> None:
    write("bad.yaml", "extends: datc\ndecisions:\n  path(m): mov(m)\n")
    check_refused(["adjudicate", "-", option, value], SHEET, where, near)


@pytest.mark.parametrize(
    "arguments", ["adjudcate -", "adjudicate - --jsn", "rules lst", "adjudicate"]
)
def test_mistyped_command_gets_status_2_and_a_hint(arguments: str) -> None:
    said = refused(*arguments.split(), stdin=SHEET)
    assert said.startswith("Usage: ")
    assert "--help' for help" in said
    assert said.splitlines()[-1].startswith("error: ")


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("adj",), ["adjudicate"]),
        (("adjudicate", "--rules", "19"), ["1971", "1982"]),
        (("adjudicate", "--rules", "datc+4.A.7"), ["datc+4.A.7-a", "datc+4.A.7-b"]),
        (("compare", "--rules", "DATC-"), ["datc-2.4", "datc-3"]),
        (("rules", "diff", "datc", "arp"), ["arpiesse"]),
        (("maps", "show", "col"), ["coldwar", "colonial"]),
    ],
)
def test_names_are_completed_after_tab(words: tuple[str, ...], names: list[str]) -> None:
    complete = ShellComplete(main, {}, "dipsat", "_DIPSAT_COMPLETE")
    found = complete.get_completions(list(words[:-1]), words[-1])
    assert [item.value for item in found if item.type == "plain"] == names


@exhaustive
def test_process_reads_standard_input_and_prints_the_outcome_as_plain_values() -> None:
    done = in_a_process("adjudicate", "--json", "-", stdin=YAML.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == expected()


@exhaustive
def test_process_refuses_bad_input_without_a_traceback() -> None:
    done = in_a_process("adjudicate", "-", stdin=b"Englnd:\n A Lon H\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"error: standard input")
    assert len(done.stderr.splitlines()) == 1


@exhaustive
@pytest.mark.parametrize("encoding", few_of(["ascii", "cp1252"], 1))
def test_process_prints_any_letters_in_any_encoding(encoding: str) -> None:
    sheet = "England:\n A Lon → Wal\n A Yor – Edi\n".encode()
    variables = {"PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}
    done = in_a_process("adjudicate", "-", stdin=sheet, **variables)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"A LON - WAL" in done.stdout


def test_version_is_printed() -> None:
    assert dipsat.__version__ in printed("--version")


@exhaustive
@pytest.mark.parametrize(
    "equation", ["1if m.convoyed else 0", "1 if m.target.code == 'B\\d' else 0"]
)
def test_process_shows_no_warning_of_python_about_a_rule_file(equation: str) -> None:
    file = write("mine.yaml", f"extends: datc\ndecisions:\n  defend_strength(m): {equation}\n")
    always, error = (
        in_a_process("rules", "check", file, PYTHONWARNINGS=shown) for shown in ("always", "error")
    )
    assert b"Warning" not in always.stderr
    assert (always.returncode, always.stderr) == (error.returncode, error.stderr)


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


@exhaustive
@few_examples(
    100,
    settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]),
    data=_ANYTHING,
)
def test_any_bytes_on_standard_input_end_in_status_0_or_2(data: bytes) -> None:
    result = run("adjudicate", "-", stdin=data)
    if result.exit_code == 0:
        assert result.stderr == ""
        assert result.stdout.startswith("Order ")
    else:  # a sheet may have several faults
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr
        assert all(line.startswith("error: ") for line in result.stderr.splitlines())


@pytest.mark.parametrize("command", ["adjudicate", "datc", "crosscheck"])
def test_help_names_the_page_with_the_options_of_engines(command: str) -> None:
    shown = " ".join(printed(command, "--help").split())
    assert "docs/algorithms.md describes the engines and lists the options of each" in shown


@pytest.mark.parametrize(
    "command",
    [
        ("compare", "--rules", "datc"),
        ("compare", "--rules", "1982", "--rules", "rulebooks/1982"),
        ("search", "differ", "--rules", "datc"),
        ("search", "differ", "--rules", "datc", "--rules", "datc"),
    ],
)
def test_rules_are_not_compared_with_themselves(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dipsat.rules.profile_files._kept", {})  # as in a process of its own
    assert "would be compared with itself" in refused(*command, write("orders.yaml", YAML))


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
    that keeps them apart. The mark works only alone on the line above them."""
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


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("Show.\n\n\b\nExample:\n  dipsat maps", 0), ("Show.\n\n\b Example:\n dipsat", 1),
        ("Show.\n\nSo:\n  dipsat", 1), ("Show.\nSo:\n\b\n  x", 1),
    ],
)  # fmt: skip
def test_faults_of_help_texts_are_found(text: str, faults: int) -> None:
    assert len(help_faults(text)) == faults


@pytest.mark.parametrize("group", [["rules"], ["maps"], ["search"]])
def test_the_help_of_a_group_without_a_command_is_not_an_error(group: list[str]) -> None:
    result = run(*group)
    assert "error" not in result.stderr
    assert result.output.count("Usage: ") == 1
    assert result.output == run(*group, "--help").output
