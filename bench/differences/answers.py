"""The answers of the table of differences, each found once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dipsat
from bench.differences.boards import SEARCH, example_of, judged
from bench.differences.known import known, known_cycle
from bench.differences.questions import Kind, Pair
from dipsat.errors import NumberRangeError, QuestionError
from dipsat.game.position import Position
from dipsat.profiles.difference import difference
from dipsat.profiles.load import load_profile

Answer = dict[str, Any]
SAME, FOUND, NONE, UNKNOWN = "same", "found", "none found", "unknown"
MOST = 6
"""The most units that are tried."""
MOST_OF_READINGS = 4
"""The same for rules that differ only in settings: most of these are about how orders are read."""
_READINGS = ("settings", "reasons")


def answer_pair(asked: Pair, work: int) -> Answer:
    """The smallest board on which two profiles differ, and what is proven about smaller ones."""
    head = {"section": asked.section, "one": asked.one, "other": asked.other}
    changes = difference(load_profile(asked.one), load_profile(asked.other)).changes
    if not changes:
        return {**head, "verdict": SAME, "bound": None, "refused": "", "example": None}
    is_of_readings = all(change.section in _READINGS for change in changes)
    bound, refused, example = None, "", None
    try:
        most = MOST_OF_READINGS if is_of_readings else MOST
        bound, found = fewest(dipsat.Differ(asked.other), asked.one, most, work)
    except QuestionError as error:
        refused = str(error)
    else:
        if found is not None:
            position = Position.from_units(found.units, "standard")
            board = judged(position, found.orders, asked.one, asked.other)
            example = board.example(SEARCH)
    other = known(asked.one, asked.other, is_random=not is_of_readings and example is None)
    answer = {**head, "verdict": FOUND, "bound": bound, "refused": refused, "example": example}
    if example is None:
        answer["example"] = other
        answer["verdict"] = NONE if other is None else FOUND
    elif other is not None and other["units"] < example["units"]:
        answer["otherwise"] = other
    return answer


def fewest(
    question: dipsat.Differ | dipsat.Paradox, rules: str | Path, most: int, work: int
) -> tuple[int, dipsat.SearchResult | None]:
    """The number of units proven to be needed, and an answer with so many; None if the search has
    not got to one, with so many steps for each number."""
    for number in range(1, most + 1):
        position = dipsat.OpenPosition.from_units(f"any {number}", "standard")
        try:
            found = dipsat.search(position, question, rules=rules, limits=dipsat.Limits(work=work))
        except NumberRangeError:
            return number, None  # too many units for the encoding
        if found.verdict == "unknown":
            return number, None
        if found.verdict == "found":
            return number, found
    return most + 1, None


def answer_kind(asked: Kind, work: int) -> Answer:
    """The smallest board with a decision cycle of a kind, and what is proven about smaller ones."""
    bound, found = fewest(dipsat.Paradox(asked.kind), asked.file, MOST, work)
    head = {"rules": asked.rules, "kind": asked.kind, "bound": bound}
    if found is None:
        board = known_cycle(asked.file, asked.kind)
        return {**head, "verdict": UNKNOWN if board is None else FOUND, "example": board}
    orders = {power: list(given) for power, given in found.orders.items()}
    units = {power: list(own) for power, own in found.units.items()}
    example = {"units": bound, "source": SEARCH, "position": {"units": units}, "orders": orders}
    return {**head, "verdict": FOUND, "example": example}


def still_differs(answer: Answer) -> bool:
    """Whether the board of an answer differs when it is judged again."""
    return example_of(answer["example"], answer["one"], answer["other"]).differs
