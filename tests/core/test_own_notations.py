"""A notation is one entry in the register of notations: readers, order sheets, files, letters and
writers take it from there, and forget it with it."""

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
from dipsat.orders import Hold, Move, Order, UnitName, read_sheet, texts
from dipsat.orders.notation import Notation

SHEET = "Germany:\n @MUN/BUR\n @RUH/RUH\nFrance:\n A Paris - Burgundy\n"
PLAIN = {"GERMANY": ["A MUN - BUR", "A RUH H"], "FRANCE": ["A PAR - BUR"]}


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
    """A map of the test's own, which keeps what was read and ends with it."""
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
    units = {"GERMANY": ["A MUN", "A RUH"], "FRANCE": ["A PAR"]}
    orders = {"GERMANY": ["@MUN/BUR", "@RUH/RUH"], "FRANCE": ["( FRA AMY PAR ) MTO BUR"]}
    found = dipsat.adjudicate(dipsat.Position.from_units(units, board), orders)
    plain = dipsat.adjudicate(dipsat.Position.from_units(units), PLAIN)
    assert {one.order: one.verdict for one in found.orders} == {
        one.order: one.verdict for one in plain.orders
    }


@pytest.mark.usefixtures("listed")
def test_sheets_and_files_are_read(board: Map, tmp_path: Path) -> None:
    assert [one.text for one in read_sheet(SHEET, board)][:2] == ["@MUN/BUR", "@RUH/RUH"]
    position = tmp_path / "position.yaml"
    position.write_text("units: {GERMANY: [A MUN, A RUH], FRANCE: [A PAR]}\n", encoding="utf-8")
    file = tmp_path / "orders.txt"
    file.write_text(SHEET, encoding="utf-8")
    own = tmp_path / "own.yaml"
    own.write_text("extends: standard\nname: own\n", encoding="utf-8")
    arguments = ("adjudicate", str(file), "--position", str(position), "--map", str(own), "--json")
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.stderr
    verdicts = {one["order"]: one["verdict"] for one in json.loads(done.stdout)["orders"]}
    assert verdicts == {"A MUN - BUR": "fails", "A RUH H": "stands", "A PAR - BUR": "fails"}


def test_a_notation_that_is_not_listed_is_not_known(board: Map) -> None:
    with pytest.raises(OrderSyntaxError):
        dipsat.reader_for(board).read("@MUN/BUR")
    with pytest.raises(UnknownNameError, match="squares"):
        dipsat.write_order(Hold(UnitName("MUN")), board, "squares")


def test_public_names_are_those_of_the_register() -> None:
    assert dipsat.NOTATIONS == ("diplomacy", "datc", "judge", "daide")
