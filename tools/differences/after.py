"""The result of a board of the page under each of the rules about which the table asks."""

from __future__ import annotations

from collections.abc import Sequence

from dipsat.base import titled
from dipsat.game import Position
from dipsat.outcomes import MovementOutcome, Outcome
from tools.differences.answers import Answer
from tools.differences.boards import Example, after, example_of

Uses = Sequence[tuple[Answer, Example]]
"""The answers that show a board, each with its own form of the board."""
Row = tuple[list[str], str]
"""Rules with the same result, and the result in words."""


def rows(uses: Uses) -> list[Row]:
    """The rules with the same result, and the text of this result. Raises `ValueError` if two
    results would look the same."""
    groups = _groups(uses)
    outcomes = [outcome for _, outcome in groups]
    centres = _disputed([outcome.next for outcome in outcomes])
    texts = [_in_words(outcome, centres) for outcome in outcomes]
    if len(set(texts)) < len(texts):
        found = zip(texts, outcomes, strict=True)
        texts = [f"{text}; next is {outcome.next.phase}" for text, outcome in found]
    if len(set(texts)) < len(texts):
        raise ValueError(f"these results look the same: {texts}")
    return [(names, text) for (names, _), text in zip(groups, texts, strict=True)]


def _groups(uses: Uses) -> list[tuple[list[str], Outcome]]:
    """The rules with the same result, and an outcome with this result."""
    found: list[tuple[list[str], Outcome]] = []
    for answer, board in uses:
        sides = answer["one"], answer["other"]
        for rules, outcome in zip(sides, example_of(board, *sides).outcomes, strict=True):
            alike = (names for names, other in found if after(other) == after(outcome))
            names = next(alike, None)
            if names is None:
                found.append(([rules], outcome))
            elif rules not in names:
                names.append(rules)
    return found


def _disputed(boards: Sequence[Position]) -> list[str]:
    """The centres whose owner is not the same on all boards."""
    owners = [_owners(board) for board in boards]
    every = sorted({code for own in owners for code in own})
    return [code for code in every if len({own.get(code) for own in owners}) > 1]


def _owners(board: Position) -> dict[str, str]:
    return {code: power for power, codes in board.to_dict()["centers"].items() for code in codes}


def _in_words(outcome: Outcome, centres: Sequence[str]) -> str:
    """The units after a phase, and who owns these centres."""
    stated, owners = outcome.next.to_dict(), _owners(outcome.next)
    parts = [f"{titled(power)} {', '.join(own)}" for power, own in stated["units"].items() if own]
    for lost in outcome.dislodged if isinstance(outcome, MovementOutcome) else ():
        ways = f", may retreat to {', '.join(lost.retreats)}" if lost.retreats else " and disbands"
        parts.append(f"{lost.unit} is dislodged{ways}")
    for code in centres:
        parts.append(f"{code} belongs to {titled(owners[code]) if code in owners else 'nobody'}")
    return "; ".join(parts) or "no unit"
