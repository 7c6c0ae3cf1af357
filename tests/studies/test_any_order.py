"""Whatever workers do, and in whatever order, the results are those of a plain loop."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Future
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from dipsat.studies import Workers, parallel_run as run
from dipsat.studies.parallel_run import Stage, results_of
from dipsat.studies.task import Answers, answers
from tests.exhaustive import exhaustive

RETRIES = 3
DEADLY, HUNGRY = 7, 8  # last digits
FAULTY = 99
computed = Counter[int]()


def cube(number: int) -> int:
    """The cube of a number. For some there is not enough memory, and one raises an error."""
    if number == FAULTY:
        raise ZeroDivisionError("of course")
    if number % 10 == HUNGRY:
        raise MemoryError
    computed[number] += 1
    return number**3


def given_up(number: int, _: str) -> str:
    return f"{number} is given up"


CUBES: Stage[int, Any] = Stage("cubes", cube, given_up)


def expected(work: Sequence[int]) -> list[tuple[int, Any]]:
    return [
        (number, given_up(number, "") if number % 10 in (DEADLY, HUNGRY) else number**3)
        for number in work
    ]


class Unreliable:
    """Workers that do tasks in any order. Some pieces end every worker, and up to `RETRIES` times a
    worker ends by accident. Then its task is lost, or all are, and the cause is not always
    known."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._tasks: dict[Future[Answers], tuple[bytes, Sequence[bytes]]] = {}
        self._accidents = RETRIES
        self.seconds = self._random.choice((0, 1e-6, 1e-4, 1))
        self.is_closed = False

    def room(self) -> int:
        """A caller that asks may be waiting for a task to end."""
        if self._tasks:
            self._end_one()
        return self._random.randint(1, 6)

    def submit(self, do: bytes, pieces: Sequence[bytes]) -> Future[Answers]:
        future: Future[Answers] = Future()
        self._tasks[future] = do, pieces
        while self._tasks and self._random.random() < 0.3:
            self._end_one()
        return future

    def _end_one(self) -> None:
        """End one of the tasks."""
        future = self._random.choice([*self._tasks])
        do, pieces = self._tasks[future]
        is_accident = self._accidents > 0 and self._random.random() < 0.2
        if is_accident or any(pickle.loads(one) % 10 == DEADLY for one in pieces):
            self._accidents -= is_accident
            self._lose(future)
        else:
            del self._tasks[future]
            future.set_result(answers(do, pieces))

    def _lose(self, future: Future[Answers]) -> None:
        deaths = self._random.choice((0, 1, None))
        error = self._random.choice((CancelledError, RuntimeError))
        del self._tasks[future]
        future.set_exception(error(deaths))
        if self._random.random() < 0.3:  # the others are lost through no fault of theirs
            for one in [*self._tasks]:
                del self._tasks[one]
                one.set_exception(error(0))

    def deaths(self, error: BaseException, is_alone: bool) -> int | None:
        found: int | None = error.args[0]
        return 1 if is_alone and found is None else found

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture(autouse=True)
def crews(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Unreliable]]:
    """The crews of all runs."""
    made: list[Unreliable] = []

    def crew(workers: Workers) -> Unreliable:
        made.append(Unreliable(workers.jobs))
        return made[-1]

    monkeypatch.setattr(run, "_crew", crew)
    monkeypatch.setattr(run, "_GLANCE", 0)  # in seconds; tasks end only when somebody looks
    yield made
    assert all(one.is_closed for one in made)


SEEDS = st.integers(2, 2**32)  # also the number of processes
COUNTS = st.integers(1, 60)
STOPS = st.lists(st.tuples(st.integers(0, 60), SEEDS), max_size=3)


def work_of(count: int, seed: int, most: int = FAULTY) -> list[int]:
    return Random(seed).choices(range(most), k=count)


def read(work: list[int]) -> Iterator[int]:
    """Work whose source fails at its end."""
    yield from work
    raise OSError("cut off")


@settings(max_examples=100, deadline=None)
@given(COUNTS, SEEDS)
def test_results_are_those_of_a_plain_loop(count: int, seed: int) -> None:
    """And so are the errors, each in its turn."""
    work = work_of(count, seed, FAULTY + 3)
    error: type[Exception] = OSError
    good = work
    if FAULTY in work:
        error, good = ZeroDivisionError, work[: work.index(FAULTY)]
    results = results_of(CUBES, read(work), Workers(seed, retries=RETRIES), few=0)
    assert list(islice(results, len(good))) == expected(good)
    with pytest.raises(error):
        next(results)


@exhaustive
@settings(max_examples=20, deadline=None)
@given(COUNTS, STOPS, SEEDS)
def test_a_journal_loses_nothing_and_counts_nothing_twice(
    count: int, stops: list[tuple[int, int]], seed: int
) -> None:
    work = work_of(count, seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal"
        for taken, one in stops:
            workers = Workers(one, resume=path, retries=RETRIES)
            results = results_of(CUBES, work, workers, few=0)
            assert list(islice(results, taken)) == expected(work)[:taken]
            results.close()  # type: ignore[attr-defined]  # it is a generator
        workers = Workers(seed, resume=path, retries=RETRIES)
        assert list(results_of(CUBES, work, workers, few=0)) == expected(work)
        computed.clear()
        assert list(results_of(CUBES, work, workers, few=0)) == expected(work)
        assert not computed
