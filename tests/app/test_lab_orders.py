"""What drags mean in the rule lab, and how it writes orders and units: its modules under node."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

import dipsat
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of

SOURCES = ROOT / "lab" / "src"
needs_node = pytest.mark.skipif(not shutil.which("node"), reason="the command node is missing")
PROGRAM = """
import { meant } from "./legal.mjs";
import { lineText } from "./line_text.mjs";
import { withOrder, withoutOrder, sheetOf } from "./sheet.mjs";
import { without, withUnit, unitsFor } from "./units.mjs";
import fs from "node:fs";
const calls = { meant, lineText, withOrder, withoutOrder, sheetOf, without, withUnit, unitsFor };
const asked = JSON.parse(fs.readFileSync(0, "utf8"));
const found = asked.map(([name, ...given]) => calls[name](...given));
console.log(JSON.stringify(found));
"""


def asked(*calls: tuple[Any, ...]) -> list[Any]:
    """What these functions of the page return, each with its arguments."""
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", PROGRAM],
        cwd=SOURCES, input=json.dumps(calls), capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: list[Any] = json.loads(done.stdout)
    return found


def judged(sheet: str) -> list[dict[str, Any]]:
    """The orders of a sheet with what becomes of them."""
    answer = dipsat.answer({"request": "adjudicate", "orders": sheet})["answer"]
    return list(answer["orders"])


BOARD = """\
Italy:
 A Ven - Tri
 A Tyr H
 A Alb H
 F Adr H
 F Mao H
 A Apu H
Austria:
 F Tri - Ven
 A Vie - Bud
"""
OWN = {"power": "ITALY", "isLost": False}
VEN = {**OWN, "unit": "A VEN", "order": "A VEN - TRI"}
TRI = {"unit": "F TRI", "power": "AUSTRIA", "isLost": False, "order": "F TRI - VEN"}
APU = {**OWN, "unit": "A APU", "order": "A APU H"}
ALB = {**OWN, "unit": "A ALB", "order": "A ALB H"}
DRAGS = [
    # the unit, where it is dragged, who is there, who comes, the key, what a player means
    ("A TYR", "MUN", None, [], "", "A TYR - MUN"),
    ("A TYR", "TRI", TRI, ["A VEN"], "", "A TYR - TRI"),
    ("A TYR", "TRI", TRI, ["A VEN"], "support", "A TYR S A VEN - TRI"),
    ("A TYR", "TRI", TRI, [], "support", "A TYR S F TRI - VEN"),
    ("A TYR", "VEN", VEN, ["F TRI"], "", "A TYR S A VEN - TRI"),
    ("A TYR", "BOH", None, [], "support", "A TYR S A VIE - BOH"),  # nobody else can go there
    ("F ADR", "APU", APU, [], "", "F ADR S A APU"),
    ("F ADR", "ALB", ALB, [], "", "F ADR S A ALB"),
    ("F ADR", "VEN", VEN, [], "", "F ADR S A VEN - TRI"),
    ("F ADR", "VEN", VEN, [], "convoy", "F ADR C A VEN - TRI"),
    ("F ADR", "ION", None, [], "", "F ADR - ION"),
    ("F MAO", "SPA", None, [], "", None),  # to which coast?
    ("A APU", "TRI", TRI, [], "", "A APU - TRI VIA"),
]


@needs_node
def test_a_drag_means_what_a_player_means() -> None:
    legal = dipsat.answer({"request": "legal-orders", "orders": BOARD})["answer"]["units"]
    found = asked(*(
        ("meant", legal[unit], {**OWN, "unit": unit}, province,
         {"there": there, "coming": coming, "wish": wish})
        for unit, province, there, coming, wish, _ in DRAGS
    ))  # fmt: skip
    assert [one["order"] for one in found] == [order for *_, order in DRAGS]
    for (unit, province, *_), one in zip(DRAGS, found, strict=True):
        assert set(one["others"]) <= set(legal[unit])
        assert all(province in order for order in one["others"])
    assert found[-2]["others"] == ["F MAO - SPA/NC", "F MAO - SPA/SC"]


@exhaustive
@needs_node
def test_a_sheet_says_what_was_ordered() -> None:
    legal = dipsat.answer({"request": "legal-orders", "orders": BOARD})["answer"]["units"]
    old = {one["unit"]: one for one in judged(BOARD)}
    powers = {name: {"name": name, "title": name.title()} for name in ("AUSTRIA", "ITALY")}
    ordered = [(unit, order) for unit, own in legal.items() for order in own[:4]]
    sheets = asked(*(
        ("withOrder", BOARD, powers[old[unit]["power"]], old[unit]["submitted"], order)
        for unit, order in ordered
    ))  # fmt: skip
    for (unit, order), sheet in zip(ordered, sheets, strict=True):
        now = {one["unit"]: one["order"] for one in judged(sheet)}
        assert now == {**{name: one["order"] for name, one in old.items()}, unit: order}


@exhaustive
@needs_node
def test_units_come_and_go_in_orders_and_in_positions() -> None:
    russia = {"name": "USSR", "title": "USSR", "aliases": ["Soviet"]}
    state: dict[str, Any] = {"orders": "Soviet:\n A Mos H\n\nItaly:\n A Ven H\n", "position": None}
    lost = {"USSR": {"F SEV": ["ARM"]}}
    position = {"units": {"USSR": ["A SEV"]}, "dislodged": {"USSR": ["F SEV"]}, "retreats": lost}
    sevastopol = {"unit": "F SEV", "power": "USSR", "isLost": True}
    found = asked(
        ("withUnit", state, "A WAR", russia),
        ("withUnit", state, "F SMY", {"name": "TURKEY", "title": "Turkey"}),
        ("without", state, {"unit": "A VEN", "power": "ITALY"}, "A Ven H"),
        ("withUnit", {"orders": "", "position": position}, "F SEV", {"name": "TURKEY"}),
        ("without", {"orders": "", "position": position}, sevastopol, None),
    )
    assert found[0]["orders"] == "Soviet:\n A Mos H\n A WAR H\n\nItaly:\n A Ven H\n"
    assert found[1]["orders"] == state["orders"] + "Turkey:\n F SMY H\n"
    assert found[2]["orders"] == "Soviet:\n A Mos H\n\n"
    assert found[3]["position"]["units"] == {"USSR": [], "TURKEY": ["F SEV"]}
    assert found[4]["position"] == {
        "units": {"USSR": ["A SEV"]}, "dislodged": {"USSR": []}, "retreats": {"USSR": {}},
    }  # fmt: skip


@exhaustive
@needs_node
def test_fleets_stand_on_coasts_and_armies_on_land() -> None:
    provinces = dipsat.answer({"request": "maps", "map": "standard"})["answer"]["provinces"]
    found = asked(*(("unitsFor", provinces[code]) for code in ("MUN", "NTH", "ROM", "STP")))
    assert [[unit for unit, _ in one] for one in found] == [
        ["A MUN"], ["F NTH"], ["A ROM", "F ROM"], ["A STP", "F STP/NC", "F STP/SC"],
    ]  # fmt: skip


ODD_MAP = """\
name: "a: b"
powers: {%s: {}, ENEMY: {}}
provinces:
  NO: {name: Norway, type: land, supply: true, army: [ON]}
  ON: {name: Onway, type: land, army: [NO, "NULL"]}
  "NULL": {name: Nowhere, type: land, army: [ON, 1E3]}
  1E3: {name: Thousand, type: land, army: ["NULL"]}
"""


@exhaustive
@needs_node
@pytest.mark.parametrize(
    "power", few_of(["X: Y", "null", "#x", "[x", 'x"', "x, ", "- x", "é\t"], 3)
)
def test_a_line_that_is_found_is_loaded_whatever_its_names_are(power: str) -> None:
    search = {"request": "search", "map": {"text": ODD_MAP % json.dumps(power)}}
    wanted = {"protect": ["NO", "ON"], "outside": ["NULL"], "armies_not_in": ["1E3"]}
    found = dipsat.answer({**search, "question": "lines", "lines": wanted})["answer"]
    assert (found["verdict"], found["fewest"], found["power"]) == ("found", 1, power)
    alone, named = asked(*(("lineText", {**found, "map": one}) for one in (None, found["map"])))
    held = dipsat.answer({**search, "question": "hold", "line": alone})["answer"]
    assert (held["verdict"], held["orders"]) == ("holds", found["orders"])
    error = dipsat.answer({**search, "question": "hold", "line": named})["error"]
    assert "unknown map 'a: b'" in error["message"]
