"""Many boards at once: compiled equations and the `diplomacy` package, in one run."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec

import dipsat
from dipsat import kernel
from dipsat.studies import RandomBoard, random_board
from tests.phases import BY_SOLVER

Figure = tuple[str, str, str]
Board = tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]
ROUNDS = 7
GAMES = 10  # for which Python lists legal orders
MANY = 40  # repetitions of the boards, so that threads have enough work


def batch_figures(boards: Sequence[RandomBoard], process_us: float | None) -> Iterator[Figure]:
    """What was measured, the value, and its ratio to the peer's `process()` (in microseconds)."""
    batch = kernel.Batch()
    if not batch.native:
        yield "equations compiled", "no", batch.why_not_native
        return
    pairs = [(board.units, board.orders) for board in boards]
    codes = batch.encode(pairs)
    many = batch.encode(pairs * MANY)
    ratio = _ratio(process_us)
    alone = _median(lambda: batch.adjudicate(many), len(many))
    yield "compiled, codes to results, one thread", f"{alone:.1f} us a board", ratio(alone)
    per_second = f"{1e6 / alone:,.0f} boards a second"
    yield "the same", per_second, f"{_left(batch, codes)} of {len(codes)} left to Python"
    texts = _unseen(len(pairs), lambda pairs: batch.adjudicate(batch.encode(pairs)))
    yield "strings to results, boards never seen before", f"{texts:.1f} us a board", ratio(texts)

    def one_by_one(pairs: Sequence[Board]) -> None:
        for pair in pairs:
            batch.adjudicate(batch.encode([pair])).units_after(0)

    one = _unseen(len(pairs), one_by_one)
    yield "the same, one at a time, strings to next units", f"{one:.1f} us", ratio(one)
    legal = _median(lambda: batch.legal_orders(codes), len(codes))
    yield "compiled, every legal order of every unit", f"{legal:.0f} us a board", ""
    games = [dipsat.Game(dipsat.Position.from_units(units)) for units, _ in pairs[:GAMES]]
    listed = _median(lambda: [game.all_legal_orders() for game in games], len(games))
    yield (
        "the same, `Game.all_legal_orders`",
        f"{listed:.0f} us a board",
        f"{listed / legal:.0f} times that",
    )
    if find_spec("numpy"):  # of the extra `environments`
        yield "1,000 games together, legal actions and a step", _phases_a_second(), ""
    yield "two threads, as often as one", f"{_scaling(batch, many):.2f} times", ""


def unseen_us(boards: Sequence[RandomBoard]) -> float:
    """The median time of boards that have not been seen before, from strings to outcome."""
    times = []
    for board in boards:
        start = time.thread_time()
        position = dipsat.Position.from_units(board.units)
        dipsat.adjudicate(position, board.orders, limits=BY_SOLVER)
        times.append(time.thread_time() - start)
    return statistics.median(times) * 1e6


def _unseen(count: int, action: Callable[[Sequence[Board]], object]) -> float:
    """The median time of an action for one of its boards, in microseconds. Each round has different
    boards."""
    rounds = []
    for first in range(100_000, 100_000 + ROUNDS * count, count):
        boards = [random_board(seed) for seed in range(first, first + count)]
        pairs = [(board.units, board.orders) for board in boards]
        rounds.append(_seconds(partial(action, pairs)))
    return statistics.median(rounds) / count * 1e6


def _ratio(process_us: float | None) -> Callable[[float], str]:
    def text(own: float) -> str:
        return f"`process()` takes {process_us / own:.0f} times as long" if process_us else ""

    return text


def _left(batch: kernel.Batch, codes: kernel.BoardCodes) -> int:
    return len(batch.adjudicate(codes).outcomes)


def _seconds(action: Callable[[], object]) -> float:
    """The processor time of an action."""
    start = time.thread_time()
    action()
    return time.thread_time() - start


def _median(action: Callable[[], object], boards: int) -> float:
    """The median time of an action for one of its boards, in microseconds."""
    return statistics.median(_seconds(action) for _ in range(ROUNDS)) / boards * 1e6


def _phases_a_second() -> str:
    """How many phases a second `GameBatch` plays with random orders."""
    from numpy.random import default_rng

    played, generator = 0, default_rng(1)
    games = dipsat.environments.GameBatch(1000, until=1905)
    start = time.thread_time()
    while not games.done.all():
        played += int((~games.done).sum())
        games.step(games.choices.drawn(generator))
    return f"{played / (time.thread_time() - start):,.0f} phases a second"


def _scaling(batch: kernel.Batch, codes: kernel.BoardCodes) -> float:
    """How many times as many boards two threads adjudicate as one in the same time."""

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
