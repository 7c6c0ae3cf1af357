"""Many boards at once: compiled equations beside the `diplomacy` package, in one run."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence

import dipsat
from dipsat.scenarios.random_board import RandomBoard, random_board

Figure = tuple[str, str, str]
ROUNDS = 7
MANY = 40  # the boards are repeated so often, so that threads have something to do


def batch_figures(boards: Sequence[RandomBoard], process_us: float | None) -> Iterator[Figure]:
    """What was measured, the value, and the ratio to the peer's `process()` in microseconds."""
    batch = dipsat.Batch()
    if not batch.native:
        yield "equations compiled", "no", batch.why_not_native
        return
    pairs = [(board.units, board.orders) for board in boards]
    codes = batch.encode(pairs)
    many = batch.encode(pairs * MANY)
    ratio = _ratio(process_us)
    alone = _least(lambda: batch.adjudicate(many), len(many))
    yield "compiled, codes to results, one thread", f"{alone:.1f} us a board", ratio(alone)
    per_second = f"{1e6 / alone:,.0f} boards a second"
    yield "the same", per_second, f"{_left(batch, codes)} of {len(codes)} left to Python"
    texts = _least(lambda: batch.adjudicate(batch.encode(pairs)), len(pairs))
    yield "compiled, strings to results, one thread", f"{texts:.1f} us a board", ratio(texts)
    unseen = _unseen(batch, len(pairs))
    yield "the same, boards never seen before", f"{unseen:.1f} us a board", ratio(unseen)
    one = _least(lambda: [batch.adjudicate(batch.encode([pair])) for pair in pairs], len(pairs))
    yield "compiled, one board at a time from strings", f"{one:.0f} us", ratio(one)
    yield "two threads, as often as one", f"{_scaling(batch, many):.2f} times", ""


def unseen_us(boards: Sequence[RandomBoard]) -> float:
    """The median time of boards that have not been seen before, from strings to outcome."""
    times = []
    for board in boards:
        start = time.perf_counter()
        position = dipsat.Position.from_units(board.units)
        dipsat.adjudicate(position, board.orders)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def _unseen(batch: dipsat.Batch, count: int) -> float:
    """The time for one board that has not been seen before, in microseconds; the least of several
    rounds, each with boards of its own."""
    times = []
    for number in range(1, ROUNDS + 1):
        boards = [random_board(seed) for seed in range(20_000 * number, 20_000 * number + count)]
        pairs = [(board.units, board.orders) for board in boards]
        start = time.thread_time()
        batch.adjudicate(batch.encode(pairs))
        times.append(time.thread_time() - start)
    return min(times) / count * 1e6


def _ratio(process_us: float | None) -> Callable[[float], str]:
    def text(own: float) -> str:
        return f"`process()` takes {process_us / own:.0f} times as long" if process_us else ""

    return text


def _left(batch: dipsat.Batch, codes: dipsat.BoardCodes) -> int:
    return len(batch.adjudicate(codes).outcomes)


def _least(action: Callable[[], object], boards: int) -> float:
    """The least time of an action for one of its boards, in microseconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        action()
        times.append(time.thread_time() - start)
    return min(times) / boards * 1e6


def _scaling(batch: dipsat.Batch, codes: dipsat.BoardCodes) -> float:
    """How many times as many boards two threads adjudicate in the same time."""

    def wall(threads: int) -> float:
        workers = [threading.Thread(target=batch.adjudicate, args=(codes,)) for _ in range(threads)]
        start = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return time.perf_counter() - start

    both = [(wall(1), wall(2)) for _ in range(ROUNDS)]
    return 2 * min(one for one, _ in both) / min(two for _, two in both)
