"""How long proofs take: `python -m bench proof`."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import dipsat
from bench.boards import Board, random_board

_T = TypeVar("_T")

UNITS = 34
"""A full board: as many units as there are supply centres."""

_WARM_UP = 20


def proof_figures(boards: int = 300) -> Iterator[tuple[str, str, str]]:
    """(what, value, remark) of each figure, over seeded full boards, warm, on one core.

    `boards` is their number; each is made from strings anew.
    """
    full = [random_board(seed, UNITS) for seed in range(boards)]
    times, proofs = timed(prove, full)
    yield f"`prove` of a full board ({UNITS} units), warm", shown(times), _spread(times)
    parted = {
        verdict: [t for t, proof in zip(times, proofs, strict=True) if proof.verdict == verdict]
        for verdict in ("unique", "not unique")
    }
    for verdict, found in parted.items():
        if found:
            share = f"{100 * len(found) / len(times):.0f} % of the boards"
            yield f"of which boards that are {verdict}", shown(found), share
    decisions = [sum(len(s.decisions) for s in proof.subgraphs) for proof in proofs]
    yield "decisions of a full board", f"{statistics.median(decisions):.0f}", "all given to Z3"
    written, texts = timed(lambda board: prove(board).smt2(), full[: boards // 3 or 1])
    size = statistics.median(sum(map(len, files.values())) for files in texts)
    yield "the same with all its SMT-LIB texts", shown(written), f"{size / 1000:.0f} kB"


def prove(board: Board) -> dipsat.Proof:
    """From strings to the verdict of every subgraph."""
    position = dipsat.Position.from_units(board.units)
    proof = dipsat.prove(position, board.orders)
    assert proof.subgraphs
    return proof


def timed(action: Callable[[Board], _T], boards: Sequence[Board]) -> tuple[list[float], list[_T]]:
    """The seconds that `action` takes for each board, after a warm-up, and its results."""
    for board in boards[:_WARM_UP]:
        action(board)
    gc.collect()
    times, results = [], []
    for board in boards:
        start = time.perf_counter()
        results.append(action(board))
        times.append(time.perf_counter() - start)
    return times, results


def shown(times: Sequence[float]) -> str:
    """The median in milliseconds."""
    return f"{statistics.median(times) * 1000:.1f} ms"


def _spread(times: Sequence[float]) -> str:
    ordered = sorted(times)
    return f"90 % below {ordered[int(0.9 * (len(ordered) - 1))] * 1000:.1f} ms"
