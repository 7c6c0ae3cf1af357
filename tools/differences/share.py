"""Use the same board for as many pairs as possible, so that readers have fewer boards to study."""

from __future__ import annotations

import json
from dataclasses import replace

from dipsat.errors import DipsatError
from dipsat.rules import load_profile
from dipsat.searches.open_unit_facts import decide_alike_in_full
from tools.differences.answers import (
    FOUND,
    FULL,
    PLACES,
    SAME,
    Answer,
    arranged,
    boards_of,
    is_proven,
    place_of,
)
from tools.differences.asking import NEVER
from tools.differences.boards import Example, example_of
from tools.differences.known import known as known_boards
from tools.differences.questions import Pair
from tools.differences.record import Record


def shared(known: Record) -> Record:
    """The record with boards replaced by ones that serve more pairs, so that a greedy choice leaves
    few boards. No board has more units than before, and some have fewer."""
    boards = _boards(known)
    serving = [_serving(one, boards) for one in known.pairs]
    answers = [
        dict(one if one["verdict"] == SAME else arranged(one, own.values()))
        for one, own in zip(known.pairs, serving, strict=True)
    ]
    uses = [(at, place) for at, one in enumerate(answers) for place in PLACES if one[place]]
    fit = {use: _fitting(answers[use[0]], use[1], serving[use[0]]) for use in uses}
    left = list(uses)
    while left:
        best = max(boards, key=lambda key: sum(key in fit[use] for use in left))
        for at, place in [use for use in left if best in fit[use]]:
            answers[at][place] = fit[at, place][best]
        left = [use for use in left if best not in fit[use]]
    return replace(known, pairs=tuple(answers))


def bounds_shared(known: Record) -> Record:
    """The record in which proofs about a pair apply to all pairs that decide alike after orders in
    full."""
    begun = [one for one in known.pairs if _has_begun(one)]
    found = []
    for one in known.pairs:
        is_waiting = one in begun and not is_proven(one)
        further = [two for two in begun if is_waiting and two["bound"] > one["bound"]]
        bounds = [two["bound"] for two in further if _decide_alike(one, two)]
        found.append({**one, "bound": max(bounds)} if bounds else one)
    return replace(known, pairs=tuple(found))


def _has_begun(one: Answer) -> bool:
    """Whether a search has proven something, but not for every number of units. Rules that a search
    refuses may read even orders in full differently, and then decide like no other rules."""
    return one["verdict"] != SAME and not one["refused"] and one["bound"] not in (None, NEVER)


def answered_alike(asked: Pair, known: Record, before: Answer | None) -> Answer | None:
    """The answer about a pair of rules, taken from a pair that decides alike after orders in full,
    if the search about that pair is complete."""
    for one in known.pairs:
        if one["bound"] is None or one["refused"] or not is_proven(one):
            continue
        if _decide_alike(one, {"one": asked.one, "other": asked.other}):
            found = example_of(one[FULL], asked.one, asked.other)
            if found.differs:
                head = {"section": asked.section, "one": asked.one, "other": asked.other}
                answer = {
                    **head,
                    "verdict": FOUND,
                    "bound": one["bound"],
                    "refused": "",
                    "tried": 0,
                }
                others = [
                    *boards_of(before),
                    *known_boards(asked.one, asked.other, is_random=False),
                ]
                return arranged(answer, [found.example(one[FULL]["source"]), *others])
    return None


def _decide_alike(one: Answer, other: Answer) -> bool:
    mine, theirs = [
        [load_profile(answer[side]) for side in ("one", "other")] for answer in (one, other)
    ]
    return any(
        all(decide_alike_in_full(*two) for two in zip(mine, order, strict=True))
        for order in (theirs, theirs[::-1])
    )


def key_of(board: Example) -> str:
    """A key of a board and its orders, without its results."""
    return json.dumps([board["position"], board["orders"]], sort_keys=True)


def _boards(known: Record) -> dict[str, Example]:
    found = (board for one in known.pairs for board in boards_of(one))
    return {key_of(board): board for board in found}


def _serving(answer: Answer, boards: dict[str, Example]) -> dict[str, Example]:
    """The boards on which the rules of an answer differ."""
    own = {key_of(board): board for board in boards_of(answer)}
    if answer["verdict"] == SAME:
        return own
    for key, board in boards.items():
        if key in own:
            continue
        try:
            tried = example_of(board, answer["one"], answer["other"])
        except DipsatError:
            continue
        if tried.differs:
            own[key] = tried.example(board["source"])
    return own


def _fitting(answer: Answer, place: str, serving: dict[str, Example]) -> dict[str, Example]:
    """The boards that can replace the board in an answer."""
    units = answer[place]["units"]
    return {
        key: board
        for key, board in serving.items()
        if board["units"] == units and place_of(board, answer["bound"]) == place
    }
