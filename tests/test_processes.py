"""Worker processes: forked only where no other thread could hold a lock."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat.processes import can_fork, results_of

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes are spawned anyway")


def alone(code: str) -> list[str]:
    """What a fresh Python prints that runs `code`."""
    done = subprocess.run(
        [sys.executable, "-c", f"from dipsat.processes import can_fork\n{code}"],
        env={**os.environ, "PYTHONPATH": str(Path(dipsat.__file__).parents[1])},
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return done.stdout.split()


@LINUX
def test_a_process_without_other_threads_is_forked() -> None:
    code = (
        "import multiprocessing\nfrom dipsat import processes\n"
        "honest = multiprocessing.get_context\n"
        "def context(method):\n    print(method)\n    return honest(method)\n"
        "multiprocessing.get_context = context\nprint(can_fork())\n"
        "print(*(found for _, found in processes.results_of(abs, (-1, -2), 2, few=1)))"
    )
    assert alone(code) == ["True", "fork", "1", "2"]


@LINUX
def test_nothing_is_forked_beside_a_thread() -> None:
    code = (
        "import threading\nstop = threading.Event()\nthread = threading.Thread(target=stop.wait)\n"
        "thread.start()\nprint(can_fork())\nstop.set()\nthread.join()\nprint(can_fork())"
    )
    assert alone(code) == ["False", "True"]


@LINUX
def test_nothing_is_forked_beside_a_thread_that_python_does_not_know() -> None:
    """Z3 starts a thread that measures the time."""
    code = (
        "import threading, z3\nsolver = z3.Solver()\nsolver.set('timeout', 100000)\n"
        "solver.add(z3.Int('x') * z3.Int('x') == 49)\nprint(solver.check())\n"
        "print(threading.active_count(), can_fork())"
    )
    assert alone(code) == ["sat", "1", "False"]


@pytest.fixture
def busy() -> Iterator[None]:
    """A thread that adjudicates with Z3 all the time."""
    stop = threading.Event()
    position = dipsat.Position.from_units({"TURKEY": ["F ANK", "A CON", "A SMY"]})
    orders = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]}

    def run() -> None:
        while not stop.is_set():
            dipsat.adjudicate(position, orders, presolve=False)

    thread = threading.Thread(target=run)
    thread.start()
    yield
    stop.set()
    thread.join()


def test_the_pool_works_beside_a_thread_in_the_solver(
    busy: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def context(method: str) -> Any:
        asked.append(method)
        return get_context(method)

    monkeypatch.setattr("multiprocessing.get_context", context)
    assert not can_fork()
    assert list(results_of(abs, (-1, -2), 2, few=1)) == [(-1, 1), (-2, 2)]
    assert asked == ["spawn"]
