"""Two armies that hold three provinces, as unknowns of tools/moving_lines.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat import searches
from dipsat.board import Map, parse_map
from dipsat.rules import load_profile
from dipsat.searches.line_question import terms_of
from dipsat.solving import Fewest
from tools.moving_lines import TriangleModel, triangles

# An army is convoyed between Elm and Oak; the inlet is closed. Bay borders Oak in the second map.
INLET = """
name: inlet
powers: {OWN: {}, ENEMY: {}}
provinces:
  ASH: {name: Ashford, type: land, army: [ELM, OAK, SEA]}
  ELM: {name: Elmhurst, type: coast, army: [ASH, SEA], fleet: [INS]}
  OAK: {name: Oakham, type: coast, army: [ASH, SEA], fleet: [INS]}
  INS: {name: Inlet, type: sea, fleet: [ELM, OAK]}
  SEA: {name: Seaford, type: land, army: [ASH, ELM, OAK]}
"""
BAY = INLET.replace("Oakham, type: coast, army: [", "Oakham, type: coast, army: [BAY, ")
BAY += "  BAY: {name: Bayview, type: land, army: [OAK]}\n"
PLAN = """
map: inlet.yaml
power: OWN
protect: [ASH, ELM, OAK, INS]
states:
  - {units: [A ASH, A ELM, F INS], orders: [A ASH - OAK, A ELM - OAK, F INS C A ELM - OAK]}
  - {units: [A ASH, A OAK, F INS], orders: [A ASH - ELM, A OAK - ELM, F INS C A OAK - ELM]}
  - {units: [A ELM, A OAK, F INS], orders: [A ELM - ASH, A OAK - ASH]}
"""


def asked(board: Map, **more: Any) -> searches.Lines:
    outside = ("SEA", "BAY") if "BAY" in board.provinces else ("SEA",)
    return searches.Lines(
        protect=("ASH", "ELM", "OAK"), outside=outside, power="OWN", map=board, **more
    )


def with_triangles(question: searches.Lines) -> int | None:
    search = Fewest(TriangleModel(terms_of(question, load_profile("datc"))).problem)
    search.search()
    return None if search.best is None else search.count


@pytest.mark.parametrize(("text", "stay", "move"), [(INLET, 4, 3), (BAY, 4, 4)])
def test_a_triangle_with_a_convoy_saves_a_unit_if_all_enemies_come_from_one_province(
    text: str, stay: int, move: int
) -> None:
    question = asked(parse_map(text, "inlet.yaml"), given=("F INS",))
    assert dipsat.search(question).fewest == stay
    assert with_triangles(question) == move


def test_hold_proves_the_triangle_with_a_convoy(tmp_path: Path) -> None:
    found = [one for one in triangles(parse_map(INLET, "inlet.yaml")) if one.beside == "SEA"]
    assert {one.empty for one in found} == {"ELM", "OAK"}
    (tmp_path / "inlet.yaml").write_text(INLET, encoding="utf-8")
    (tmp_path / "line.yaml").write_text(PLAN, encoding="utf-8")
    assert searches.hold_line(tmp_path / "line.yaml").verdict == "holds"
