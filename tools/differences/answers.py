"""The answers of the table of differences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import dipsat
from dipsat.rules import difference, load_profile
from tools.differences.asking import NEVER, Effort, fewest, smallest_difference
from tools.differences.boards import SEARCH, TRIAL, Example, is_in_full
from tools.differences.every_board import every_board
from tools.differences.known import known, known_cycle
from tools.differences.questions import Kind, Pair
from tools.differences.trial import trial

Answer = dict[str, Any]
SAME, FOUND, NONE, UNKNOWN = "same", "found", "none found", "unknown"
FULL, OTHERWISE = "in_full", "otherwise"
PLACES = (FULL, OTHERWISE)
"""The keys of boards in the answer about a pair: with orders in full, and with other orders."""
MOST_TRIED = 3
"""The most units with which every board is judged if no search is possible."""
_READINGS = ("settings", "reasons")


def answer_pair(asked: Pair, effort: Effort, before: Answer | None = None) -> Answer:
    """The smallest board on which two profiles differ, and what is proven about smaller boards.
    `before` is an earlier answer; the search continues from its bound."""
    head = {"section": asked.section, "one": asked.one, "other": asked.other}
    changes = difference(load_profile(asked.one), load_profile(asked.other)).changes
    if not changes:
        return {
            **head,
            "verdict": SAME,
            "bound": None,
            "refused": "",
            "tried": 0,
            FULL: None,
            OTHERWISE: None,
        }
    boards = boards_of(before)
    is_of_readings = all(change.section in _READINGS for change in changes)
    first = (before["bound"] or 1) if before else 1
    found, board = smallest_difference(asked.one, asked.other, effort, first)
    boards += [board] if board else []
    boards += known(asked.one, asked.other, is_random=not is_of_readings and board is None)
    answer = {**head, "verdict": FOUND, "bound": found.bound, "refused": found.refused}
    answer = arranged({**answer, "tried": 0}, boards)
    return _tried(answer) if found.bound is None else answer


def _tried(answer: Answer) -> Answer:
    """The answer after a trial of every board with fewer units than the one with orders in full,
    but at most `MOST_TRIED`. It has the number of boards judged."""
    rules, count = (answer["one"], answer["other"]), 0
    most = min(answer[FULL]["units"] - 1, MOST_TRIED) if answer[FULL] else MOST_TRIED
    for number in range(1, most + 1):
        found = trial(rules, number, every_board(number))
        count += found.boards
        if found.differing is not None:
            board = found.differing.example(TRIAL)
            return arranged(
                {**answer, "tried": count, "bound": number}, [board, *boards_of(answer)]
            )
    return {**answer, "tried": count, "bound": most + 1}


def arranged(answer: Answer, boards: Iterable[Example]) -> Answer:
    """The answer with the smallest of these boards for each place."""
    places: dict[str, list[Example]] = {FULL: [], OTHERWISE: []}
    for board in boards:
        places[place_of(board, answer["bound"])].append(board)
    full, otherwise = (
        min(own, key=lambda board: int(board["units"]), default=None) for own in places.values()
    )
    if full and otherwise and full["units"] <= otherwise["units"]:
        otherwise = None
    verdict = FOUND if full or otherwise else NONE
    return {**answer, "verdict": verdict, FULL: full, OTHERWISE: otherwise}


def boards_of(answer: Answer | None) -> list[Example]:
    """The boards of an answer; none without an answer."""
    return [answer[place] for place in PLACES if answer[place]] if answer else []


def place_of(board: Example, bound: int | None) -> str:
    """The place of a board in an answer. If it has fewer units than are proven to be needed with
    orders in full, its orders leave something out, such as the nationality of a unit. Raises
    `ValueError` for a board of a search, whose orders are in full, if it contradicts the proof;
    rules that differ only in how they read other orders have had no search."""
    is_found = board["source"] in (SEARCH, TRIAL)
    if is_found and board["units"] < (bound or 0) < NEVER:
        raise ValueError(f"{board['units']} units are found, but {bound} are proven to be needed")
    is_full = board["units"] >= (bound or 0) and is_in_full(board)
    return FULL if is_full else OTHERWISE


def is_proven(one: Answer) -> bool:
    """Whether it is proven that no board with fewer units and orders in full differs."""
    full = one[FULL]
    return bool(full and (full["units"] <= 1 or full["units"] == one["bound"]))


def are_equal(one: str, other: str) -> bool:
    """Whether two profiles have the same settings, equations and rules for cycles, and differ only
    in terms and reasons. A changed term also changes the entries that use it, which are listed."""
    changes = difference(load_profile(one), load_profile(other)).changes
    return all(change.section in ("define", "reasons") for change in changes)


def answer_kind(asked: Kind, effort: Effort, before: Answer | None = None) -> Answer:
    """The smallest board with a decision cycle of a kind, and proofs about smaller boards."""
    first = before["bound"] if before else 1
    found = fewest(dipsat.Paradox(asked.kind), load_profile(asked.file), effort, first)
    head = {"rules": asked.rules, "kind": asked.kind, "bound": found.bound}
    if found.result is None:
        board = known_cycle(asked.file, asked.kind)
        return {**head, "verdict": UNKNOWN if board is None else FOUND, "example": board}
    orders = {power: list(given) for power, given in found.result.orders.items()}
    units = {power: list(own) for power, own in found.result.units.items()}
    position = {"units": units}
    board = {"units": found.bound, "source": SEARCH, "position": position, "orders": orders}
    return {**head, "verdict": FOUND, "example": board}
