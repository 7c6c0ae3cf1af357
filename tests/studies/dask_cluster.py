"""A Dask scheduler and workers as processes of their own, on this computer, for tests and
measurements."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.checkout import ROOT

_PATIENCE = 60  # seconds for a scheduler to start


class Cluster:
    """A scheduler, and workers of one thread, in a `with` statement.

    If a task ends its worker, the scheduler tries it on `failures` more. A `nanny` restarts a
    worker that has died.
    """

    def __init__(
        self, folder: Path, workers: int = 0, *, nanny: bool = False, failures: int = 3
    ) -> None:
        self.folder = folder
        self.nanny = nanny
        self.processes: list[subprocess.Popen[bytes]] = []
        self._known = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", self._known,
            DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES=str(failures),
        )  # fmt: skip
        for _ in range(workers):
            self.start_worker()

    def start_worker(self, path: Path = ROOT) -> subprocess.Popen[bytes]:
        """Start a worker that finds dipsat at a path."""
        return self._start(
            "worker", "--scheduler-file", self._known, "--host", "127.0.0.1", "--nthreads", "1",
            "--local-directory", self.folder, "--nanny" if self.nanny else "--no-nanny",
            PYTHONPATH=str(path),
        )  # fmt: skip

    def _start(self, what: str, *arguments: object, **environment: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--no-dashboard"]
        with (self.folder / f"{what}.log").open("ab") as log:
            started = subprocess.Popen(
                [*command, *map(str, arguments)], cwd=self.folder, stdout=log, stderr=log,
                env={**os.environ, **environment}, start_new_session=True,
            )  # fmt: skip
        self.processes.append(started)
        return started

    @property
    def address(self) -> str:
        """Where the scheduler listens, once it does."""
        start = time.monotonic()
        while time.monotonic() - start < _PATIENCE:
            with suppress(OSError, ValueError):  # the file is not there yet, or half-written
                return str(json.loads(self._known.read_text(encoding="utf-8"))["address"])
            time.sleep(0.05)
        raise AssertionError((self.folder / "scheduler.log").read_text(encoding="utf-8"))

    def processor_seconds(self) -> float:
        """The processor time of the scheduler and of workers without a nanny, so far (Linux)."""
        ticks = 0
        for process in self.processes:
            state = (Path("/proc") / str(process.pid) / "stat").read_text(encoding="utf-8")
            ticks += sum(map(int, state.rpartition(")")[2].split()[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: Any) -> None:
        for process in self.processes:
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and those that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
