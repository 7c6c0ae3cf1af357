"""A Dask cluster: the workers of a scheduler, on this computer or on many.

Dask runs a task elsewhere if its worker dies, computes a result again if it was lost with its
worker, and gives us each result once. Two things are left to do here: notice that no workers are
left, which Dask's futures do not show, and find the piece of work that ends its workers.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import socket
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from weakref import WeakSet

from dipsat.errors import WorkerError
from dipsat.studies.crew import Crew, refuse_other_dipsat
from dipsat.studies.task import Answers, Task, own_stamp

if TYPE_CHECKING:
    from distributed import Client

EXTRA = "pip install 'dipsat[cluster]'"
_PATIENCE = 30.0  # seconds to wait for a connection, an answer or a first worker
_REACH = 5.0  # seconds to wait for a scheduler's port to open
_ANSWER = 3.0  # seconds for one question to a scheduler
_GLANCE = 2.0  # seconds for which an answer stays valid
_AHEAD = 2  # tasks per worker that are handed out before they are needed
_PAUSE = 0.1  # seconds between two attempts
_SECONDS = 1.0  # the least for a task; handing one out takes some milliseconds
_TASKS_A_SECOND = 50
_SILENT = "no longer answers"


def cluster_crew(address: str) -> ClusterCrew:
    """The workers of a Dask scheduler. Raises `WorkerError` if nothing listens there, if no worker
    comes, or if Dask is not installed."""
    crew = ClusterCrew(_connected(address), is_ours=True, asked={})
    try:
        crew.wait_until(crew.has_workers)
    except WorkerError:
        crew.close()
        raise
    return crew


def crew_of(executor: Executor) -> ClusterCrew | None:
    """The workers behind an executor made by `Client.get_executor`; None for any other executor."""
    if not type(executor).__module__.startswith("distributed."):
        return None
    client = getattr(executor, "_client", None)
    if client is None:
        return None
    if client.asynchronous:
        raise WorkerError("the Dask client is asynchronous; make a synchronous one")
    asked = dict(getattr(executor, "_kwargs", {}))  # such as the workers to use
    return ClusterCrew(client, is_ours=False, asked=asked)


class ClusterCrew(Crew):
    """The workers of a Dask scheduler."""

    def __init__(self, client: Client, is_ours: bool, asked: Mapping[str, Any]) -> None:
        self._client = client
        self._is_ours = is_ours
        self._asked = {**asked, "pure": False}  # equal tasks each have their own result
        self._tasks = WeakSet[Any]()
        self._scheduler: str = getattr(client.scheduler, "address", "the scheduler")
        self._workers, self._looked, self._seen = 0, -_GLANCE, time.monotonic()
        self._trouble = _SILENT

    def room(self) -> int:
        """How many tasks may be handed out at a time. Raises `WorkerError` if the scheduler has
        been silent or without workers for too long."""
        if time.monotonic() - self._looked >= _GLANCE:
            self.has_workers()
        if time.monotonic() - self._seen > _PATIENCE:
            raise self._gone()
        return max(1, _AHEAD * self._workers)

    @property
    def seconds(self) -> float:
        """How long a task should take: not so short that workers finish more tasks than this
        process and the scheduler can keep up with."""
        return max(_SECONDS, self._workers / _TASKS_A_SECOND)

    def submit(self, do: bytes, pieces: Sequence[bytes]) -> Future[Answers]:
        """Hand out a task."""
        if self._client.status != "running":
            self.wait_until(self._is_connected)
        task = pickle.dumps(Task(do, pieces, own_stamp()))
        sent = self._client.submit(pickle.loads, task, **self._asked)
        self._tasks.add(sent)
        future: Future[Answers] = Future()
        self._client.loop.add_callback(self._pass_on, sent, future)
        return future

    async def _pass_on(self, sent: Any, future: Future[Answers]) -> None:
        """Give a future the result or the error of a task. Runs in Dask's thread.

        Dask's own executor mistakes a result for an error if the worker dies at the same moment.
        """
        try:
            result = await self._client.gather(sent, asynchronous=True)
        except (CancelledError, asyncio.CancelledError):
            future.set_exception(CancelledError())
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(result)

    def deaths(self, error: BaseException, is_alone: bool) -> int | None:
        """How many workers died of a task. Dask suspects all tasks on a worker that dies, so the
        cause is known only if a task ran alone."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, KilledWorker):
            return int(error.allowed_failures) + 1 if is_alone else None
        if isinstance(error, CancelledError):  # Dask cancels all tasks if the connection is lost
            self.wait_until(self._is_connected)
            self._looked = -_GLANCE
            return 0
        refuse_other_dipsat(error, f"{self._scheduler}: ")
        raise WorkerError(f"{self._scheduler}: {type(error).__name__}: {error}") from None

    def close(self) -> None:
        """Cancel what is not done. A client that we did not make stays connected."""
        if self._client.status == "running":
            with suppress(Exception):
                self._client.cancel(list(self._tasks))
        if self._is_ours:
            self._client.close(timeout=_ANSWER)

    def has_workers(self) -> bool:
        """Count the workers, and return whether there are any. Each is a process that does one
        piece of work at a time, however many threads it has."""
        found, self._trouble = 0, _SILENT
        with suppress(Exception):  # whatever a broken connection raises
            asked = self._client.sync(self._client.scheduler.ncores, callback_timeout=_ANSWER)
            found = len(asked)
            command = f"`dask worker {self._scheduler} --nworkers -1 --nthreads 1`"
            self._trouble = _SILENT if found else f"has no workers; start some with {command}"
        self._looked = time.monotonic()
        if found:
            self._workers, self._seen = found, self._looked
        return found > 0

    def _is_connected(self) -> bool:
        if self._client.status in ("closing", "closed"):
            self._trouble = "has ended, or the connection to it is lost"
            raise self._gone()
        return bool(self._client.status == "running")

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Wait for something. Raises `WorkerError` if it does not come."""
        start = time.monotonic()
        while not holds():
            if time.monotonic() - start > _PATIENCE:
                raise self._gone()
            time.sleep(_PAUSE)

    def _gone(self) -> WorkerError:
        return WorkerError(f"{self._scheduler} {self._trouble}")


def _connected(address: str) -> Client:
    """A client of the scheduler at an address."""
    _reach(address)
    was_loaded = "distributed" in sys.modules
    try:
        from distributed import Client, Security
    except ImportError as error:
        raise WorkerError(f"a cluster needs Dask: {EXTRA} ({error})") from None
    if not was_loaded:
        _silence()
    try:
        if (
            address.startswith("tls:")
            and not Security().get_connection_args("client")["ssl_context"]
        ):
            problem = "the certificates are missing in the configuration of Dask (docs/cluster.md)"
            raise WorkerError(f"{address}: {problem}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about versions; we compare those that matter
            return Client(address, timeout=_PATIENCE, name="dipsat", set_as_default=False)
    except (OSError, ValueError, RuntimeError) as error:
        problem = f"no Dask scheduler answers there ({error})"
        raise WorkerError(f"{address}: {problem}") from None


def _reach(address: str) -> None:
    """Raise `WorkerError` if an address is invalid or nothing listens there. Dask would try for a
    long time, and not say why."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not (host and port and parts.scheme):
        raise WorkerError(f"{address!r} is not an address like tcp://HOST:8786")
    if parts.scheme in ("http", "https"):
        problem = "this is a scheduler's page; the scheduler's own address is like"
        raise WorkerError(f"{address}: {problem} tcp://{host}:8786")
    if parts.scheme not in ("tcp", "tls"):
        return  # Dask may know it
    start = time.monotonic()
    while True:
        try:
            with socket.create_connection((host, port), timeout=_REACH) as line:
                if parts.scheme == "tcp":
                    line.recv(1)  # a scheduler speaks first; a web server waits
            return
        except TimeoutError:
            why = "no answer; a scheduler's page is not on the scheduler's own port"
        except OSError as error:
            why = error.strerror or str(error)
            is_refused = isinstance(error, ConnectionRefusedError)
            if is_refused and time.monotonic() - start <= _REACH:
                time.sleep(_PAUSE)  # a scheduler may be starting
                continue
        problem = f"no scheduler listens there ({why}); start `dask scheduler`"
        raise WorkerError(f"{address}: {problem}, or name its address")


def _silence() -> None:
    """Keep Dask from writing to standard error, unless our caller uses it too. We notice lost
    connections and dead workers ourselves, and report them."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
