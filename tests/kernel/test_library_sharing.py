"""The cache of compiled libraries when several processes use it: crowds, kills, forks."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dipsat.base import alone, user_folder as private
from dipsat.kernel import library_cache
from dipsat.kernel.library_cache import build_and_load
from tests.core.test_architecture import run_python
from tests.exhaustive import exhaustive
from tests.kernel.fake_compilers import COMPILES, SOURCE, calls, ends, fake
from tests.kernel.kernel_agreement import needs_compiler

pytestmark = [
    needs_compiler,
    pytest.mark.skipif(os.name != "posix", reason="owners and permissions of POSIX"),
]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder; the only compiler is a script that compiles."""
    folder, compiler = tmp_path / "cache", fake(tmp_path)
    monkeypatch.setenv("DIPSAT_CACHE", str(folder))
    monkeypatch.setattr(library_cache, "compilers", lambda: iter([compiler]))
    return folder


def crowd(do: Callable[[], object], size: int = 20) -> list[int]:
    """The exit statuses of `size` processes that do something at the same time."""
    children, ready = [], os.pipe()
    for _ in range(size):
        if (child := os.fork()) == 0:
            status = 1
            try:
                os.close(ready[1])
                os.read(ready[0], 1)  # until all have started
                do()
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    for end in ready:
        os.close(end)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def no_lock(*_: Any) -> None:
    raise OSError(95, "Operation not supported")


@exhaustive
@pytest.mark.parametrize("locks", [True, False])
def test_twenty_processes_may_start_at_once(
    locks: bool, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the lock, one of them compiles. Without it, all may, and each has a complete library."""
    if not locks:
        monkeypatch.setattr("fcntl.flock", no_lock)

    def work() -> None:
        found = build_and_load(SOURCE, ())
        assert (found.loaded.number(), found.why_not_kept) == (3, "")

    assert crowd(work) == [0] * 20
    made = calls(tmp_path)
    assert (made == 1) == locks
    work()
    assert calls(tmp_path) == made
    assert not list(cache.glob("tmp*"))


@pytest.fixture
def held(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A process that holds the lock, because its compiler waits."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # what a killed process leaves behind
    fake(tmp_path, f"until [ -e {tmp_path}/go ]; do sleep 0.01; done; {COMPILES}")
    if (child := os.fork()) == 0:
        try:
            build_and_load(SOURCE, ())
        finally:
            os._exit(0)
    while not calls(tmp_path):
        time.sleep(0.005)
    yield child
    (tmp_path / "go").touch()


class Clock:
    """The clock of the module that waits for the lock; others, such as `subprocess`, may wait."""

    monotonic = staticmethod(time.monotonic)

    @staticmethod
    def sleep(_: float) -> None:
        """Fail: nothing should wait."""
        raise AssertionError("the lock is held")


@exhaustive
def test_a_killed_process_delays_nobody(
    held: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.kill(held, signal.SIGKILL)
    os.waitpid(held, 0)
    (tmp_path / "go").touch()
    monkeypatch.setattr(private, "time", Clock)
    assert build_and_load(SOURCE, ()).loaded.number() == 3


def test_a_process_forked_meanwhile_delays_nobody(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process inherits the open file, and with it the lock."""
    cache.mkdir(mode=0o700)
    waiting, end = os.pipe()
    with alone(cache / "lock", 60):
        if (child := os.fork()) == 0:
            os.close(end)
            os.read(waiting, 1)
            os._exit(0)
    monkeypatch.setattr(private, "time", Clock)
    with alone(cache / "lock", 60):
        pass
    os.close(end)
    os.close(waiting)
    os.waitpid(child, 0)


@exhaustive
def test_waiting_for_a_process_that_hangs_is_limited(
    held: int, tmp_path: Path, cache: Path
) -> None:
    (lock,) = cache.glob("lock-*")
    with alone(lock, 0.03):
        (tmp_path / "go").touch()
    os.waitpid(held, 0)
    assert build_and_load(SOURCE, ()).loaded.number() == 3
    assert calls(tmp_path) == 1


ENDS = """
import sys, threading, time
from pathlib import Path
from dipsat.base import run
threading.Thread(target=run, args=(["sh", "-c", sys.argv[1]], 60), daemon=True).start()
while not Path(sys.argv[2]).exists():
    time.sleep(0.005)
time.sleep(0.3)  # the thread waits for it by now
"""


@exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_compiler_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    path = tmp_path / "began"
    run_python(ENDS, f"echo $$ > {path}0; mv {path}0 {path}; exec sleep 600", str(path))
    assert ends(int(path.read_text(encoding="utf-8")))
