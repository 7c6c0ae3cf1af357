"""One function on many arguments: what cannot be sent, and runs within runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from dipsat import studies
from dipsat.errors import JournalError, WorkerError
from dipsat.studies import Workers
from dipsat.studies.parallel_run import Jobs


@pytest.fixture(scope="module")
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as found:
        yield found


class Unreadable:
    """It can be pickled, and not read again."""

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("x",)


def nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


def odd(number: int) -> Any:
    kinds = (int, lambda _: threading.Lock(), lambda _: Unreadable(), lambda _: nested(100_000))
    return kinds[number](number)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_result_that_cannot_be_sent_is_an_error_in_its_turn(
    threads: Executor, number: int
) -> None:
    done = studies.run_many(odd, [0, number, 0], threads)
    assert next(done).result == 0
    with pytest.raises(WorkerError, match=r"a result cannot be (sent back|read)"):
        next(done)


def test_a_result_that_cannot_be_kept_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="a result cannot be kept"):
        list(studies.run_many(odd, [1], Workers(resume=tmp_path / "journal")))


def test_an_argument_without_a_fingerprint_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(WorkerError, match="nested too deeply"):
        list(studies.run_many(len, [nested(100_000)], Workers(resume=tmp_path / "journal")))


class SameThread(Executor):
    """Does everything at once."""

    def submit(self, do: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(do(*args, **kwargs))
        return future


def total(number: int) -> int:
    with ThreadPoolExecutor(2) as inner:
        own: list[Jobs] = [inner, SameThread()]
        return sum(
            one.result or 0 for jobs in own for one in studies.run_many(abs, [number, -1], jobs)
        )


@pytest.mark.parametrize("outer", [ThreadPoolExecutor(2), SameThread()])
def test_a_function_may_have_workers_of_its_own(outer: Executor) -> None:
    """Threads do one piece at a time, and must not wait for each other."""
    found: list[Any] = []
    call = threading.Thread(
        target=lambda: found.extend(studies.run_many(total, range(4), outer)), daemon=True
    )
    call.start()
    call.join(timeout=60)
    assert [one.result for one in found] == [2 * number + 2 for number in range(4)]
    outer.shutdown()
