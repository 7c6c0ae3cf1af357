"""The time that proofs take: `python -m bench proof`."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import dipsat
from dipsat.studies import RandomBoard, random_board
from tests.phases import BY_SOLVER

_A = TypeVar("_A")
_T = TypeVar("_T")

UNITS = 34
"""A full board: as many units as there are supply centres."""

_WARM_UP = 20


def proof_figures(boards: int = 300) -> Iterator[tuple[str, str, str]]:
    """(what, value, remark) of each figure, over `boards` seeded full boards, warm.

    Times are processor times. Each position is made from strings again.
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
    constants = statistics.median(proof.evidence.constants for proof in proofs)
    share = f"{constants:.0f} of them constants"
    yield "decisions of a full board", f"{statistics.median(decisions):.0f}", share
    written, texts = timed(lambda board: prove(board).smt2(), full[: boards // 3 or 1])
    size = statistics.median(sum(map(len, files.values())) for files in texts)
    yield "the same with all its SMT-LIB texts", shown(written), f"{size / 1000:.0f} kB"
    yield from explanation_figures(full[: boards // 15 or 1])


def explanation_figures(boards: Sequence[RandomBoard]) -> Iterator[tuple[str, str, str]]:
    """The same figures for explaining every order of some boards, with and without Z3."""
    outcomes = [
        dipsat.adjudicate(dipsat.Position.from_units(board.units), board.orders, limits=BY_SOLVER)
        for board in boards
    ]
    orders = [(outcome, order.unit) for outcome in outcomes for order in outcome.orders]
    times, _ = timed(lambda one: dipsat.explain(*one), orders)
    yield f"`explain` an order of {len(boards)} of them", shown(times), _slowest(times)
    times, found = timed(lambda one: dipsat.explain(*one, core=True).core, orders)
    smallest = sum(core is not None and core.is_smallest for core in found)
    forced = sum(core is not None and core.verdict == "forced" for core in found)
    told = f"forced {_share(forced, found)}, proven smallest {_share(smallest, found)}"
    yield "the same with responsible orders (`core`)", shown(times), f"{_slowest(times)}; {told}"
    failed = [(o, unit) for o, unit in orders if not _came_about(o.order(unit))]
    times, changes = timed(lambda one: dipsat.explain(*one, change=True).change, failed)
    verdicts = [change.verdict for change in changes if change is not None]
    told = ", ".join(
        f"{verdict} {_share(verdicts.count(verdict), verdicts)}"
        for verdict in ("found", "impossible", "unknown")
    )
    what = "an order that fails, with the smallest change (`change`)"
    yield what, shown(times), f"{_slowest(times)}; {told}"


def _came_about(order: dipsat.OrderOutcome) -> bool:
    return order.verdict in ("succeeds", "given", "available", "stands") and not order.fate


def _share(some: int, every: Sequence[object]) -> str:
    return f"{100 * some / max(1, len(every)):.0f} %"


def _slowest(times: Sequence[float]) -> str:
    return f"the slowest of {len(times)}: {max(times) * 1000:.0f} ms"


def prove(board: RandomBoard) -> dipsat.Proof:
    """From strings to the verdict of every subgraph."""
    position = dipsat.Position.from_units(board.units)
    proof = dipsat.prove(position, board.orders)
    assert proof.subgraphs
    return proof


def timed(action: Callable[[_A], _T], things: Sequence[_A]) -> tuple[list[float], list[_T]]:
    """The processor time in seconds that `action` takes for each thing after a warm-up, and its
    results."""
    for thing in things[:_WARM_UP]:
        action(thing)
    gc.collect()
    times, results = [], []
    for thing in things:
        start = time.process_time()
        results.append(action(thing))
        times.append(time.process_time() - start)
    return times, results


def shown(times: Sequence[float]) -> str:
    """The median in milliseconds."""
    return f"{statistics.median(times) * 1000:.1f} ms"


def _spread(times: Sequence[float]) -> str:
    ordered = sorted(times)
    return f"90 % below {ordered[int(0.9 * (len(ordered) - 1))] * 1000:.1f} ms"
