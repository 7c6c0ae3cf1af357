"""The cache of compiled libraries when things go wrong around it: full disks, crowds, kills."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dipsat.base import alone, user_folder as private
from dipsat.errors import KernelError, KernelLoadError
from dipsat.kernel import library_cache
from dipsat.kernel.library_cache import build, load
from tests.exhaustive import exhaustive
from tests.kernel.fake_compilers import COPIES, SOURCE, build_here, calls, content, fake

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners and permissions of POSIX")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


class Failing:
    """The module `os`, of which the call with a number fails, counted from 0."""

    def __init__(self, number: int) -> None:
        self.left = number

    def __getattr__(self, name: str) -> Any:
        thing = getattr(os, name)
        if not callable(thing) or name in {"geteuid", "getpid", "close", "urandom", "fspath"}:
            return thing

        def call(*arguments: Any, **named: Any) -> Any:
            self.left -= 1
            if self.left == -1:
                raise OSError(28, "No space left on device")
            return thing(*arguments, **named)

        return call


def test_a_disk_may_be_full_at_any_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One step after the other fails: there is a library, or one error, and no open file."""
    kept, number, ended = 0, 0, set()
    while True:
        folder = tmp_path / str(number)
        folder.mkdir()
        before = len(list(Path("/dev/fd").iterdir()))
        failing = Failing(number)
        with monkeypatch.context() as patch:
            patch.setattr(private, "os", failing)
            try:
                library = build_here(folder)
            except KernelError as error:
                ended.add(type(error).__name__)
            else:
                assert content(library) == SOURCE
                kept += library.problem == ""
                ended.add(library.problem.partition(": ")[2])
        assert len(list(Path("/dev/fd").iterdir())) == before
        assert content(build_here(folder)) == SOURCE
        if failing.left >= 0:
            break
        number += 1
    assert number > 3
    assert kept > 1
    assert "cannot be written: No space left on device" in ended


def test_a_folder_that_cannot_be_written_is_still_read(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = build_here(tmp_path)
    usual = os.open

    def read_only(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if flags & os.O_CREAT and Path(path).is_relative_to(cache):
            raise OSError(30, "Read-only file system")
        return usual(path, flags, *rest, **named)

    def untouched(*_: Any) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "utime", untouched)
    monkeypatch.setattr(os, "open", read_only)
    assert build_here(tmp_path) == library
    other = build_here(tmp_path, "another text")
    assert other.problem.endswith("cannot be written: Read-only file system")
    assert content(other) == "another text"


def crowd(do: Callable[[int], object], size: int = 20) -> list[int]:
    """The exit statuses of so many processes that do something at once."""
    children, ready = [], os.pipe()
    for number in range(size):
        if (child := os.fork()) == 0:
            status = 1
            try:
                os.close(ready[1])
                os.read(ready[0], 1)  # until all are there
                do(number)
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
    """With the lock, one of them compiles. Without it, all may; their libraries differ, and each is
    whole."""
    if not locks:
        monkeypatch.setattr("fcntl.flock", no_lock)
    compiler = fake(tmp_path, COPIES if locks else "echo $$ > kernel.so")

    def work(number: int) -> None:
        library = build(SOURCE, (), compiler, cache)
        assert content(library)
        assert library.problem == ""
        with pytest.raises(KernelLoadError, match="the system cannot load it"):
            load(library)  # its bytes are those that were built

    assert crowd(work) == [0] * 20
    made = calls(tmp_path)
    assert (made == 1) == locks
    assert content(build(SOURCE, (), compiler, cache))
    assert calls(tmp_path) == made
    assert not list(cache.glob("tmp*"))


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A process that holds the lock, because its compiler waits."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # what a killed process leaves behind
    compiler = fake(tmp_path, f"until [ -e {tmp_path}/go ]; do sleep 0.01; done; {COPIES}")
    if (child := os.fork()) == 0:
        try:
            build(SOURCE, (), compiler, tmp_path / "cache")
        finally:
            os._exit(0)
    while not calls(tmp_path):
        time.sleep(0.005)
    yield child
    (tmp_path / "go").touch()


class Clock:
    """The clock of the room that waits for the lock; others, such as `subprocess`, may wait."""

    monotonic, time = staticmethod(time.monotonic), staticmethod(time.time)

    @staticmethod
    def sleep(_: float) -> None:
        """Nobody should wait."""
        raise AssertionError("the lock is held")


def test_a_killed_process_holds_up_nobody(
    held: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.kill(held, signal.SIGKILL)
    os.waitpid(held, 0)
    (tmp_path / "go").touch()
    monkeypatch.setattr(private, "time", Clock)
    compiler = library_cache.Compiler((f"{tmp_path}/fakecc",), "fake 1.0")
    assert content(build(SOURCE, (), compiler, tmp_path / "cache")) == SOURCE


def test_a_process_forked_meanwhile_holds_up_nobody(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It inherits the open file, and with it the lock."""
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


def test_a_process_that_does_not_go_on_is_not_waited_for_for_ever(
    held: int, tmp_path: Path, cache: Path
) -> None:
    (lock,) = cache.glob("lock-*")
    with alone(lock, 0.03):
        (tmp_path / "go").touch()
    os.waitpid(held, 0)
    assert content(build_here(tmp_path)) == SOURCE
    assert calls(tmp_path) == 1


def test_leavings_and_the_oldest_libraries_are_removed(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_cache, "KEPT", 2)
    built = [build_here(tmp_path, text) for text in ("one", "two")]
    now = time.time()
    for age, library in zip((50, 60), built, strict=True):
        os.utime(library.path, (now - age, now - age))
    for name, age in (("tmpold.so", 90), ("another", 90)):
        (cache / name).touch()
        os.utime(cache / name, (now - age, now - age))
    build_here(tmp_path, "two")  # it is used
    built.append(build_here(tmp_path, "three"))
    assert [library.path.exists() for library in built] == [False, True, True]
    assert not (cache / "tmpold.so").exists()
    assert (cache / "another").exists()
    assert content(build_here(tmp_path, "one")) == "one"
