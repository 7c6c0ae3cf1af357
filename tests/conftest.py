"""What holds for the whole run of the tests."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import CodeType

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True)  # the same examples in every run
settings.load_profile("same")
gc.disable()  # until all tests are collected, which took a fifth longer


@pytest.fixture(scope="session", autouse=True)
def _one_core() -> Iterator[None]:
    """Let commands work in the process of the test, except for `--jobs`.

    They start a process for each core, and the cores are busy with other tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _quickly_compiled() -> Iterator[None]:
    """Compile rules without optimising, which takes a fifth of the time, wherever a test does not
    ask for the code that users have (`kernel_agreement.native`)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dipsat.kernel.compiled._OPTIMISED", ("-O0",))
        yield


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that dipsat generates and compiles to Python from now on."""
    sources: list[str] = []

    def spy(text: str, name: str) -> CodeType:
        sources.append(text)
        return compile(text, name, "exec")

    monkeypatch.setattr("dipsat.solving.bounds_code._code", spy)
    return sources


@pytest.fixture
def interrupts() -> Iterator[None]:
    """Interrupts reach Python, even where whoever started the tests has them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pytest_collection(session: pytest.Session) -> None:
    """Let each process of a whole run begin to import the tests at another place. In a fresh
    checkout, pytest takes seconds to compile them; so each compiles a part of them for all."""
    own, count = (os.environ.get(f"PYTEST_XDIST_WORKER{end}", "") for end in ("", "_COUNT"))
    if own and session.config.args == session.config.getini("testpaths"):
        names = sorted(path.stem for path in Path(__file__).parent.glob("test_*.py"))
        begin = len(names) * int(own.removeprefix("gw")) // int(count)
        for name in names[begin:]:
            with suppress(Exception, pytest.skip.Exception):  # pytest imports it again, and says so
                import_module(f"tests.{name}")


def pytest_collection_finish() -> None:
    """Keep the collected tests out of garbage collection, and collect more rarely: walking them
    and what their modules hold took a sixth of the time of a run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)
    gc.enable()


def pytest_sessionfinish() -> None:
    """Collect garbage once: pytest does so ten times, in case that objects come back to life."""
    gc.collect()
    gc.freeze()
