"""What holds for the whole run of the tests."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator

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


@pytest.fixture
def interrupts() -> Iterator[None]:
    """Interrupts reach Python, even where whoever started the tests has them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pytest_collection_finish() -> None:
    """Keep the collected tests out of garbage collection, and collect more rarely: walking them
    and what their modules hold took a sixth of the time of a run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)
    gc.enable()
