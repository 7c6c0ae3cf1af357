"""Settings for the whole run of the tests."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings
from hypothesis.internal.constants_ast import Constants

settings.register_profile("same", derandomize=True)  # the same examples in every run
settings.load_profile("same")
_LONG = 0.005  # shorter setups and teardowns (in seconds) are not reported
_folders = count()


@pytest.fixture(scope="session", autouse=True)
def _one_core() -> Iterator[None]:
    """Let commands work in the process of the test, except for `--jobs`.

    They start a process for each core, and the cores are busy with other tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _same_examples() -> Iterator[None]:
    """Keep Hypothesis from taking values from the sources of loaded modules: which are loaded
    depends on the tests that ran before, and parsing them takes 150 MB."""
    with pytest.MonkeyPatch.context() as patch:
        source = "hypothesis.internal.conjecture.providers._get_local_constants"
        patch.setattr(source, Constants, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _quickly_compiled() -> Iterator[None]:
    """Compile rules without optimising, in a fifth of the time, unless a test asks for the code
    that users have (`kernel_agreement.native`). Compiled rules judge boards only where a test asks
    for them, however many boards came before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dipsat.outcomes.answers.FIRST_BOARDS", 10**9)
        patch.setattr("dipsat.kernel.library._OPTIMISED", ("-O0",))
        yield


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder. Pytest's own fixture also renews a link to each test's last folder, which
    takes ten times as long."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    return tmp_path_factory.mktemp(f"{name}{next(_folders)}", numbered=False)


@pytest.fixture
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def interrupts() -> Iterator[None]:
    """Interrupts reach Python, even if the process that started the tests ignores them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pytest_collection(session: pytest.Session) -> None:
    """Let each process of a whole run begin to import the tests at a different place. In a fresh
    checkout, pytest takes seconds to compile them, so each process compiles a part for all."""
    own, count = (os.environ.get(f"PYTEST_XDIST_WORKER{end}", "") for end in ("", "_COUNT"))
    if own and session.config.args == session.config.getini("testpaths"):
        folder = Path(__file__).parent
        names = sorted(f"{one.parent.name}.{one.stem}" for one in folder.glob("*/test_*.py"))
        begin = len(names) * int(own.removeprefix("gw")) // int(count)
        for name in names[begin:]:
            with suppress(Exception, pytest.skip.Exception):  # pytest reports it when it imports
                import_module(f"tests.{name}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Let the processes of a whole run report only results of tests. Five messages about each, most
    of them about beginnings and ends, took a twentieth of the time."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed or report.duration > _LONG:
            item.ihook.pytest_runtest_logreport(report=report)
    return True
