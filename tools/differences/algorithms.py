"""The smallest known boards on which a published algorithm and the solver decide differently."""

from __future__ import annotations

from dipsat import studies
from tools.differences.answers import Answer
from tools.differences.known import short_orders

BOARDS, SEED = 200, 0
JUDGES = (
    ("solver:datc", "partial_information"),
    ("solver:datc", "recursive_guess"),
    ("solver:datc", "simple_recursive"),
    ("solver:datc", "decision_graph"),
    ("solver:rulebooks/1982", "dip_eval"),
    ("solver:judges/dpjudge", "dpjudge"),
)
"""The solver with rules, and the algorithm under the same rules or those closest to its own."""


def answer_algorithm(one: str, other: str) -> Answer:
    """Among the DATC cases and random boards, the board with the fewest units on which an algorithm
    moves other units than the solver does, or has no answer."""
    sources = (studies.DatcCases(), studies.RandomBoards(BOARDS, SEED, 27))
    report = studies.crosscheck([one, other], sources, compare="moves", smallest=30)
    examples = [group.example for group in report.groups if group.is_shrunk]
    examples = [example for example in examples if example.shown.sheet.map == "standard"]
    (pair,) = report.pairs
    head = {"one": one, "other": other, "compared": pair.compared, "agree": pair.agree}
    if not examples:
        return {**head, "example": None}
    least = min(examples, key=lambda example: len(example.shown.sheet.rows))
    sheet = least.shown.sheet
    board = {
        "units": len(sheet.rows),
        "source": least.source,
        "position": {"units": sheet.units},
        "orders": short_orders(sheet.board, sheet.orders),
        "differs": least.to_dict()["differences"],
    }
    return {**head, "example": board}
