"""The results of `dipsat.kernel.Batch` and `dipsat.adjudicate` for the same boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

import dipsat
from dipsat.game import PowerOrders, following
from dipsat.kernel import Batch, BatchResult, Games
from dipsat.outcomes import MovementOutcome
from dipsat.rules import Profile
from tests.phases import BY_SOLVER

Board: TypeAlias = tuple[dipsat.Position, Mapping[str, PowerOrders]]
"""A position of a movement phase, and its orders."""


@dataclass
class Tally:
    """What a comparison has counted."""

    boards: int = 0
    """The boards or phases compared."""
    by_python: int = 0
    """Those that compiled code has left to Python."""
    errors: int = 0
    """Boards for which both report the same error."""
    settled: Counter[str] = field(default_factory=Counter)
    """What settled the boards: `unique`, or the names of rules for decision cycles."""
    differing: list[str] = field(default_factory=list)
    """How they differ, for each board on which they do."""

    def add(self, other: Tally) -> None:
        """Add what another comparison has counted."""
        self.boards += other.boards
        self.by_python += other.by_python
        self.errors += other.errors
        self.settled += other.settled
        self.differing += other.differing


def compare_boards(batch: Batch, boards: Sequence[Board], threads: int = 1) -> Tally:
    """Compare all results of movement phases."""
    found = Tally()
    try:
        result = batch.adjudicate(batch.encode(boards), threads=threads)
    except dipsat.DipsatError as error:
        if len(boards) > 1:  # one of them
            for board in boards:
                found.add(compare_boards(batch, [board]))
            return found
        found.boards = 1
        other = _error(batch.rules, boards[0])
        if other == f"{type(error).__name__}: {error}":
            found.errors = 1
        else:
            found.differing.append(f"error: {error}, not {other}{written(boards[0])}")
        return found
    found.boards, found.by_python = len(boards), len(result.outcomes)
    found.settled.update(result.settled)
    for at, board in enumerate(boards):
        outcome = in_python(batch.rules, board)
        pairs = _pairs(batch.rules, result, at, outcome)
        if unlike := [f"{name}: {one}, not {two}" for name, one, two in pairs if one != two]:
            found.differing.append("\n".join(unlike) + written(board))
    return found


def in_python(rules: Profile, board: Board) -> MovementOutcome:
    """The outcome of a board by `adjudicate`. Raises any error that the board can cause."""
    outcome = dipsat.adjudicate(*board, rules, limits=BY_SOLVER)
    assert isinstance(outcome, MovementOutcome)
    outcome.units_after  # noqa: B018  # raises the error of rules that let units share a province
    return outcome


def _pairs(
    rules: Profile, result: BatchResult, at: int, outcome: MovementOutcome
) -> Iterator[tuple[str, Any, Any]]:
    """All results of a board, as (name, by the batch, by `adjudicate`)."""
    yield "verdicts", result.verdicts(at), verdicts_of(outcome)
    yield "units after", result.after(at), outcome.units_after
    if at not in result.codes.uncoded:
        yield "ends", _ends(result, at), outcome.ends
    gone, lost = (sorted(one, key=str) for one in (result.dislodged(at), outcome.dislodged))
    yield "dislodged", gone, lost
    yield "contested", result.contested(at), outcome.contested
    applied = {
        name
        for record in outcome.solution.records
        if record.applied is not None
        for name in record.applied.rules
    }
    named = ", ".join(rule.name for rule in rules.cycles if rule.name in applied)
    yield "settled", result.settled[at], named or "unique"
    yield "proven", result.settled[at] == "unique", outcome.is_proven
    after = following(outcome.position, result.after(at), result.lost(at), rules.settings)
    yield "next position", after, outcome.next


def verdicts_of(outcome: MovementOutcome) -> dict[str, str]:
    """For each unit on the board, the verdict on the order that counts."""
    found: dict[str, str] = {}
    for order in outcome.orders:
        if order.unit not in found or found[order.unit] == "illegal":
            found[order.unit] = order.verdict
    units = {str(unit) for unit in outcome.position.units}
    return {unit: verdict for unit, verdict in found.items() if unit in units}


def compare_games(batch: Batch, games: Games) -> Tally:
    """Compare every phase of recorded games."""
    found = Tally(by_python=sum(games.by_python))
    for game in range(len(games)):
        history = games.history(game)
        positions = [*(position for position, _ in history), games.position(game)]
        winner = None
        for (_, after), (position, orders) in zip(pairwise(positions), history, strict=True):
            outcome = dipsat.adjudicate(position, orders, batch.rules, limits=BY_SOLVER)
            found.boards += 1
            illegal = [one.order for one in outcome.orders if one.verdict == "illegal"]
            pairs: list[tuple[str, Any, Any]] = [
                ("next position", after, outcome.next),
                ("winner before", winner, None),
                ("illegal orders", illegal, []),
            ]
            if unlike := [f"{name}: {one}, not {two}" for name, one, two in pairs if one != two]:
                found.differing.append("\n".join(unlike) + written((position, orders)))
            winner = outcome.winner
        if games.winner(game) != winner:
            found.differing.append(f"winner of game {game}: {games.winner(game)}, not {winner}")
    return found


def written(board: Board) -> str:
    """A board as text, for a person who looks into a difference."""
    position, orders = board
    lines = [f"{position.map.name} {position.phase}", str(position.to_dict())]
    lines += [f"{power}: {'; '.join(map(str, texts))}" for power, texts in orders.items()]
    return "".join(f"\n    {line}" for line in lines)


def _error(rules: Profile, board: Board) -> str:
    """Python's error for a board, "" if there is none."""
    try:
        in_python(rules, board)
    except dipsat.DipsatError as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _ends(result: BatchResult, board: int) -> dict[str, str | None]:
    """Unit -> where it is after the phase, None if it is dislodged."""
    locations = result._coder.numbers.locations
    first, end = result.codes.starts[board], result.codes.starts[board + 1]
    pairs = zip(result.units(board), result.arrays.ends[first:end], strict=True)
    return {str(unit): locations[to] if to < len(locations) else None for unit, to in pairs}
