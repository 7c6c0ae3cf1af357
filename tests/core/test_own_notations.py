"""A notation is one entry in the register of notations: readers, order sheets, files, letters and
writers take it from there, and lose it with the entry."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.board import Map
from dipsat.cli import main
from dipsat.errors import OrderSyntaxError, UnknownNameError
from dipsat.orders import Hold, Move, Order, UnitName, texts
from dipsat.orders.notation import Notation
from tests.phases import read_sheet

SHEET = "Germany:\n @MUN/BUR\n @RUH/RUH\nFrance:\n A Paris - Burgundy\n"
UNITS = {"GERMANY": ["A MUN", "A RUH"], "FRANCE": ["A PAR"]}
VERDICTS = {"A MUN - BUR": "fails", "A RUH H": "stands", "A PAR - BUR": "fails"}


def read_squares(text: str, board: Map) -> Order:
    start, _, end = text.strip().removeprefix("@").partition("/")
    for place in (start, end):
        if place not in board.provinces:
            raise UnknownNameError("province", place, board.provinces, text)
    return Hold(UnitName(start)) if start == end else Move(UnitName(start), end)


def write_squares(order: Order, board: Map, power: str | None, adjustment: bool) -> str:
    match order:
        case Hold(unit):
            return f"@{unit.location}/{unit.location}"
        case Move(unit, target):
            return f"@{unit.location}/{target}"
    raise AssertionError(order)


SQUARES = Notation("squares", write_squares, re.compile(r"\s*@"), read_squares)


@pytest.fixture
def board() -> Map:
    """A map of the test's own: what it remembers of texts ends with it."""
    return replace(dipsat.load_map("standard"))


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "REGISTER", (*texts.REGISTER, SQUARES))


@pytest.mark.usefixtures("listed")
def test_orders_are_read_and_written(board: Map) -> None:
    reader = dipsat.reader_for(board)
    order = reader.read("@MUN/BUR")
    assert order == Move(UnitName("MUN"), "BUR")
    assert dipsat.write_order(order, board, "squares") == "@MUN/BUR"
    assert dipsat.write_order(order, board) == "MUN - BUR"
    with pytest.raises(UnknownNameError, match="XYZ"):
        reader.read("@XYZ/BUR")


@pytest.mark.usefixtures("listed")
def test_orders_are_adjudicated_beside_those_of_other_notations(board: Map) -> None:
    orders = {"GERMANY": ["@MUN/BUR", "@RUH/RUH"], "FRANCE": ["( FRA AMY PAR ) MTO BUR"]}
    found = dipsat.adjudicate(dipsat.Position.from_units(UNITS, board), orders)
    assert {one.order: one.verdict for one in found.orders} == VERDICTS


@pytest.mark.usefixtures("listed")
def test_sheets_and_files_are_read(board: Map, tmp_path: Path) -> None:
    assert [one.text for one in read_sheet(SHEET, board)][:2] == ["@MUN/BUR", "@RUH/RUH"]
    texts = {
        "position.yaml": f"units: {json.dumps(UNITS)}\n",
        "orders.txt": SHEET,
        "own.yaml": "extends: standard\nname: own\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    position, orders, own = (str(tmp_path / name) for name in texts)
    arguments = ("adjudicate", orders, "--position", position, "--map", own, "--json")
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.stderr
    assert {one["order"]: one["verdict"] for one in json.loads(done.stdout)["orders"]} == VERDICTS


def test_a_notation_that_is_not_listed_is_not_known(board: Map) -> None:
    with pytest.raises(OrderSyntaxError):
        dipsat.reader_for(board).read("@MUN/BUR")
    with pytest.raises(UnknownNameError, match="squares"):
        dipsat.write_order(Hold(UnitName("MUN")), board, "squares")


def test_public_names_are_those_of_the_register() -> None:
    assert dipsat.NOTATIONS == ("diplomacy", "datc", "judge", "daide")
