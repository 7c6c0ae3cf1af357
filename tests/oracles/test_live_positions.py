"""Positions that live services judged wrongly, and the convoy maze that makes engines hang."""

from __future__ import annotations

from typing import Any

import pytest
import z3

import dipsat
from tests.phases import adjudicate

PRESOLVE = pytest.mark.parametrize("presolve", [True, False], ids=["presolve", "z3-only"])


@PRESOLVE
def test_unique_although_another_engine_left_seven_decisions_open(presolve: bool) -> None:
    outcome = adjudicate(
        {
            "ENGLAND": ["F MAO C A WAL - SPA", "F POR S A WAL - SPA", "A WAL - SPA VIA"],
            "GERMANY": ["F ENG C A WAL - SPA", "A BUR S A GAS - MAR", "A GAS - MAR"],
            "ITALY": ["A MAR - SPA", "F WES S A MAR - SPA", "A SPA - GAS"],
        },
        presolve=presolve,
    )
    verdicts = {order.unit: (order.verdict, order.fate) for order in outcome.orders}
    assert verdicts == {
        "F MAO": ("available", ""),
        "F POR": ("given", ""),
        "A WAL": ("fails", ""),
        "F ENG": ("available", ""),
        "A BUR": ("given", ""),
        "A GAS": ("succeeds", ""),
        "A MAR": ("fails", "dislodged"),
        "F WES": ("given", ""),
        "A SPA": ("succeeds", ""),
    }
    assert outcome.is_proven
    assert {subgraph.verdict for subgraph in outcome.subgraphs} == {"unique"}


@PRESOLVE
def test_no_paradox_although_the_convoy_could_lose_its_support(presolve: bool) -> None:
    outcome = adjudicate(
        {
            "FRANCE": ["A HOL - LON", "F NTH C A HOL - LON", "F ENG S A HOL - LON"],
            "ENGLAND": ["F NWG - NTH", "F LON S F NWG - NTH"],
            "GERMANY": ["F HEL S F NTH"],
        },
        presolve=presolve,
    )
    assert outcome.order("F NWG").verdict == "fails"
    assert outcome.order("F NTH").verdict == "available"
    assert outcome.order("A HOL").verdict == "succeeds"
    assert outcome.order("F LON").fate == "dislodged"
    assert outcome.is_proven


def maze() -> dict[str, list[str]]:
    """All 19 seas of the map convoy one army from St Petersburg to Syria."""
    board = dipsat.load_map("standard")
    fleets = [f"F {sea} C A STP - SYR" for sea in sorted(board.seas)]
    return {"RUSSIA": ["A STP - SYR", *fleets], "TURKEY": ["A ARM - SYR"]}


@PRESOLVE
def test_a_convoy_of_nineteen_fleets_with_countless_routes_is_solved(presolve: bool) -> None:
    outcome = adjudicate(maze(), presolve=presolve)
    assert outcome.order("A STP").verdict == "fails"
    assert outcome.order("A STP").reason.code == "bounced"
    assert outcome.contested == ("SYR",)


def test_a_maze_is_not_written_into_the_models_of_later_questions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Z3 writes every definition of a context into each of its models: 250,000 characters here."""
    written: list[str] = []
    write = z3.ModelRef.sexpr

    def noted(model: Any) -> str:
        text: str = write(model)
        written.append(text)
        return text

    adjudicate(maze(), presolve=False)
    monkeypatch.setattr(z3.ModelRef, "sexpr", noted)
    ring = {"FRANCE": ["A PAR - BUR", "A BUR - GAS", "A GAS - PAR"]}
    adjudicate(ring, presolve=False)
    assert written
    assert all("shared" not in text for text in written)


@PRESOLVE
def test_a_maze_with_attacked_fleets_is_solved_too(presolve: bool) -> None:
    """The fates of many fleets are open at once, so the routes are unknowns for Z3."""
    orders = maze()
    orders["ITALY"] = ["F NAP - ION", "F APU S F NAP - ION", "F ALB - ADR", "F TUN - WES"]
    orders["FRANCE"] = ["F BRE - ENG", "F PIC S F BRE - ENG", "F SPA/SC - LYO", "F ROM - TYS"]
    orders["TURKEY"] = ["F SMY - EAS", "F SYR S F SMY - EAS"]
    outcome = adjudicate(orders, presolve=presolve)
    assert outcome.order("F ION").fate == "dislodged"
    assert outcome.order("F EAS").fate == "destroyed"  # AEG, ION, SYR taken, SMY the origin
    assert outcome.order("A STP").reason.code == "convoy_disrupted"
