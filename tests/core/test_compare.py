"""`dipsat.compare` and `dipsat compare`: the same orders under several profiles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat.cli import main
from dipsat.errors import ArgumentError, CompositionError, UnknownNameError
from dipsat.formats import parse_phase_text

SHEET = """\
England:
  F North Sea Supports A Ruhr - Belgium
Germany:
  A Ruhr - Belgium
France:
  A Belgium Holds
  A Paris - Picardy
"""
STRONG = "extends: datc\ndecisions:\n  hold_strength(p): 9 if some(p.units) else 0\n"
FIRST_COAST = "extends: datc\nsettings: {coast_of_two_omitted: first}\n"


BOARD = parse_phase_text(SHEET, "orders.txt")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("strong.yaml").write_text(STRONG, encoding="utf-8")
    Path("first.yaml").write_text(FIRST_COAST, encoding="utf-8")
    Path("orders.txt").write_text(SHEET, encoding="utf-8")


def run(*arguments: str, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(main, ["compare", *arguments], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def compared(*rules: str | dipsat.Profile) -> dipsat.Comparison:
    return dipsat.compare(BOARD.position, BOARD.orders, rules)


def test_every_order_has_its_result_under_every_profile() -> None:
    found = compared("datc", "strong.yaml")
    rows = {row.unit: row for row in found.orders}
    assert list(rows) == ["F NTH", "A BEL", "A PAR", "A RUH"]
    results = rows["A RUH"].results
    assert [(one.rules, one.verdict) for one in results if one] == [
        ("datc", "succeeds"), ("strong.yaml", "fails"),
    ]  # fmt: skip
    assert [one.fate for one in rows["A BEL"].results if one] == ["dislodged", ""]
    assert [unit for unit, row in rows.items() if row.differs] == ["A BEL", "A RUH"]
    assert found.differs
    assert found.next_differs
    for outcome, name in zip(found.outcomes, found.rules, strict=True):
        alone = dipsat.adjudicate(BOARD.position, BOARD.orders, name)
        assert outcome.to_dict() == alone.to_dict()


def test_retreats_are_compared() -> None:
    (row,) = compared("datc", "strong.yaml").dislodged
    assert (row.power, row.unit, row.differs) == ("FRANCE", "A BEL", True)
    assert [one and one.by for one in row.results] == ["A RUH", None]


def test_equal_rules_show_no_differences() -> None:
    found = compared("datc", "datc+first.yaml", "judges/base")
    assert not found.differs
    assert not found.next_differs
    assert not any(row.differs for row in found.orders)
    assert not any(row.differs for row in found.dislodged)
    assert all(len(row.results) == 3 for row in found.orders)
    printed = run("orders.txt", "--rules", "judges/base").stdout
    assert "F NTH S A RUH - BEL  given" in printed
    assert printed.splitlines()[-1].startswith("No difference: 4 orders")


def test_an_order_that_is_read_differently_differs() -> None:
    position = dipsat.Position.from_units({"ITALY": ["F POR"]})
    found = dipsat.compare(position, {"ITALY": ["F POR - SPA"]}, ["datc", "first.yaml"])
    (row,) = found.orders
    assert row.differs
    assert [one.order for one in row.results if one] == ["F POR - SPA", "F POR - SPA/SC"]
    assert [one.verdict for one in row.results if one] == ["illegal", "succeeds"]


def test_several_orders_for_one_unit_are_matched_by_their_texts() -> None:
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    orders = {"FRANCE": ["A PAR - PIC", "A PAR - BUR"]}
    last = "extends: datc\nsettings: {multiple_orders: last}\n"
    Path("last.yaml").write_text(last, encoding="utf-8")
    found = dipsat.compare(position, orders, ["datc", "last.yaml"])
    assert [row.order for row in found.orders][:2] == ["A PAR - PIC", "A PAR - BUR"]
    assert found.orders[1].differs
    text = "France:\n A Par - Pic\n A Par - Bur\n"
    assert run("-", "--rules", "last.yaml", stdin=text).exit_code == 1  # the rules decide


def test_a_retreat_phase_is_compared_too() -> None:
    position = dipsat.Position.from_units(
        {"GERMANY": ["A BEL"]}, phase="F1901R", dislodged={"FRANCE": {"A BEL": ["PIC", "BUR"]}}
    )
    found = dipsat.compare(position, {"FRANCE": ["A BEL - PIC"]}, ["datc", "strong.yaml"])
    assert not found.differs
    assert found.orders[0].results[0] is not None
    assert found.orders[0].results[0].verdict == "succeeds"


def test_a_comparison_needs_two_known_profiles() -> None:
    for rules in ([], ["datc"]):
        with pytest.raises(CompositionError, match="two or more"):
            compared(*rules)
    with pytest.raises(ArgumentError, match=r"rules should be a list such as \['datc'\]"):
        dipsat.compare(BOARD.position, BOARD.orders, "datc")
    with pytest.raises(UnknownNameError):
        compared("datc", "dact")


def test_loaded_profiles_are_listed_by_their_names() -> None:
    assert compared(dipsat.load_profile("strong.yaml"), "datc").rules == ("strong", "datc")


# The command.


def test_json_is_what_python_gives() -> None:
    result = run("orders.txt", "--rules", "datc", "--rules", "strong.yaml", "--json")
    value = json.loads(result.stdout)
    assert result.exit_code == 1
    assert value == compared("datc", "strong.yaml").to_dict()
    assert value["profiles"] == ["datc", "strong.yaml"]
    assert value["differs"] is True
    assert {"power", "unit", "order", "results", "differs"} == value["orders"][0].keys()
    assert {"rules", "order", "verdict", "fate", "reason"} == value["orders"][0]["results"][
        0
    ].keys()
    assert [entry["phase"] for entry in value["next"]] == ["S1901R", "F1901M"]


def test_exit_status_says_whether_anything_differs() -> None:
    assert run("orders.txt", "--rules", "judges/base").exit_code == 0
    assert run("orders.txt", "--rules", "strong.yaml").exit_code == 1
    for bad in ("dact", "no.yaml", "datc+datc"):
        result = run("orders.txt", "--rules", bad)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("error: ")
    assert run("nowhere.txt", "--rules", "datc").exit_code == 2
    assert run("orders.txt").exit_code == 2


def test_one_profile_is_compared_with_the_one_of_the_file() -> None:
    text = "rules: strong.yaml\norders: {FRANCE: [A PAR H]}\n"
    Path("orders.yaml").write_text(text, encoding="utf-8")
    result = run("orders.yaml", "--rules", "datc", "--json")
    assert json.loads(result.stdout)["profiles"] == ["strong", "datc"]


@pytest.mark.parametrize("count", [2, 3, 5])
def test_what_is_printed_fits_80_columns_and_marks_what_differs(count: int) -> None:
    names = ["datc", "strong.yaml", "judges/base", "datc+strong.yaml", "datc+first.yaml"][:count]
    printed = run("orders.txt", *(part for name in names for part in ("--rules", name))).stdout
    lines = printed.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in printed
    marked = [line[2:].split(" (")[0].strip() for line in lines if line.startswith("* ")]
    assert any(line.startswith("A RUH - BEL") for line in marked)
    assert any(line.startswith("Retreat of A BEL") for line in marked)
    assert not any(line.startswith("F NTH") for line in marked)
    words = " ".join(printed.split())
    assert "nothing stops it" in words
    assert "held off by" in words or count == 3  # there each word has its own line
    assert "of 4 orders differ; the next position differs." in lines[-1]


def test_files_with_the_same_name_keep_their_paths() -> None:
    Path("folder").mkdir()
    Path("folder/strong.yaml").write_text(STRONG, encoding="utf-8")
    head = run("orders.txt", "--rules", "strong.yaml", "--rules", "folder/strong.yaml").stdout
    assert "folder/strong.yaml" in head.splitlines()[0]


def test_an_order_read_differently_says_how() -> None:
    result = run("-", "--rules", "datc", "--rules", "first.yaml", stdin="Italy:\n F Por - Spa\n")
    assert "read as F POR - SPA/SC" in " ".join(result.stdout.split())
