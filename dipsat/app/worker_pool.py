"""The server's worker processes, and the requests that wait for them."""

from __future__ import annotations

import asyncio
import os
import struct
import sys
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from dipsat.app.messages import refusal
from dipsat.app.server_logs import Log, Metrics
from dipsat.app.server_worker import ANSWERED, ASKED, BEGUN, FAULT, REFUSED, encoded
from dipsat.base import NO_MEMORY, end_session
from dipsat.errors import DipsatError, LimitError, WorkerError

# --- waiting --------------------------------------------------------------------------------------

_HALF_FORGOTTEN = 30.0  # seconds
_MUCH = 5.0  # seconds; a page that judges every keystroke for minutes uses less
_OF_NEW = 0.5  # seconds; clients who have used less come before unknown ones
_CLIENTS = 10_000  # remembered


Reply: TypeAlias = tuple[int, bytes]
"""The reply to a request: the HTTP status and the bytes of JSON."""


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A request that waits or that a worker has: its client, its kind and its body."""

    client: str
    name: str
    body: bytes
    reply: asyncio.Future[Reply]
    """Cancelled by the caller when nobody waits for the answer any more."""


class QueueFullError(Exception):
    """There is no room for another request."""


class Waiting:
    """The jobs that wait. Workers take the next job from the client who has used the least of their
    time lately; clients with equal use take turns.

    At most `share` jobs at a time are with workers for any single client, for all heavy users
    together, and, while light users are active, for all heavy users and new clients together. No
    client has more than half of the places in the queue. So light users always find room.
    """

    def __init__(
        self, places: int, share: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.places = places
        self.share = share
        self._waiting: dict[str, deque[Job]] = {}  # the next client comes first
        self._with_workers: Counter[str] = Counter()
        self._used = _Used(clock)
        self._changed = asyncio.Event()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    @property
    def busy(self) -> int:
        """The number of jobs that the workers have."""
        return self._with_workers.total()

    def add(self, job: Job) -> None:
        """Add a job. Raises `QueueFullError`."""
        own = self._waiting.get(job.client, ())
        if len(self) >= self.places or 2 * len(own) >= max(self.places, 2):
            raise QueueFullError
        self._waiting.setdefault(job.client, deque()).append(job)
        job.reply.add_done_callback(lambda _: self._leave(job))
        self._changed.set()

    def put_back(self, job: Job) -> None:
        """Put a job before the client's others: its worker died before beginning it."""
        if not job.reply.done():
            self._waiting.setdefault(job.client, deque()).appendleft(job)
            self._changed.set()

    def _leave(self, job: Job) -> None:
        """Remove a job for which nobody waits any more."""
        own = self._waiting.get(job.client)
        if own is not None and job in own:
            own.remove(job)
            if not own:
                del self._waiting[job.client]

    async def take(self) -> Job:
        """Wait for the next job that may be done, and return it."""
        while (job := self._next()) is None:
            self._changed.clear()
            await self._changed.wait()
        return job

    def _next(self) -> Job | None:
        used, jobs = self._used, self._with_workers.items()
        of_much = sum(count for client, count in jobs if used.is_much(client))
        of_others = sum(count for client, count in jobs if not used.is_little(client))
        is_room = of_others < self.share or not used.is_any_little()
        allowed = [
            client
            for client in self._waiting
            if self._with_workers[client] < self.share
            and (is_room or used.is_little(client))
            and (of_much < self.share or not used.is_much(client))
        ]
        if not allowed:
            return None
        client = min(allowed, key=used.seconds)
        own = self._waiting.pop(client)
        job = own.popleft()
        if own:
            self._waiting[client] = own  # the other clients come first
        self._with_workers[client] += 1
        return job

    def done(self, job: Job, seconds: float) -> None:
        """Note that the worker of a job is free again, or gone, after this many seconds."""
        self._used.add(job.client, seconds)
        self._with_workers -= Counter([job.client])
        self._changed.set()


class _Used:
    """The seconds of workers' time that each client has used lately. They decay: after each
    `_HALF_FORGOTTEN` seconds half are left."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seconds: dict[str, tuple[float, float]] = {}  # with the time of the last change

    def seconds(self, client: str) -> float:
        """The seconds of a client. A new client counts as if it had used some."""
        if client not in self._seconds:
            return _OF_NEW
        seconds, since = self._seconds[client]
        return float(seconds * 0.5 ** ((self._clock() - since) / _HALF_FORGOTTEN))

    def is_much(self, client: str) -> bool:
        """Whether this client is a heavy user, so that others come first."""
        return self.seconds(client) > _MUCH

    def is_little(self, client: str) -> bool:
        """Whether this client is a light user: known, and not a heavy user."""
        return client in self._seconds and not self.is_much(client)

    def is_any_little(self) -> bool:
        """Whether a light user has asked recently."""
        soon = self._clock() - 2 * _HALF_FORGOTTEN
        return any(
            since >= soon and self.is_little(client) for client, (_, since) in self._seconds.items()
        )

    def add(self, client: str, seconds: float) -> None:
        """Add seconds that a client has used."""
        before = self.seconds(client) if client in self._seconds else 0.0
        self._seconds[client] = before + seconds, self._clock()
        if len(self._seconds) > _CLIENTS:
            for one in sorted(self._seconds, key=self.seconds)[: _CLIENTS // 2]:
                del self._seconds[one]


# --- workers --------------------------------------------------------------------------------------

_CALL = "from dipsat.app.server_worker import work; work()"
_STARTING = 60.0  # seconds that a worker may take to start on a busy machine
_PAUSE = 1.0  # seconds before another try if a worker could not start
_PRINTED = 2**16  # bytes of a line that a worker prints
_GRACE = 3.0  # seconds; most stages check the clock more often (docs/security.md)
_LOST = (asyncio.IncompleteReadError, ConnectionError, struct.error)


async def first_of(*futures: asyncio.Future[Any], seconds: float | None = None) -> None:
    """Wait until one of the futures is done or the time is over."""
    await asyncio.wait(futures, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)


@dataclass(frozen=True, slots=True)
class Terms:
    """The server's limits, as in the options of `dipsat serve`. 0 means no limit for memory, and
    dipsat's own bound for work."""

    workers: int
    seconds: float
    megabytes: int
    work: int
    places: int
    body: int

    @property
    def latest(self) -> float:
        """The seconds after which a worker is ended."""
        return self.seconds + _GRACE


class _NotBegunError(Exception):
    """The worker died before it saw the request."""


class _Worker:
    """One process, and the pipes to it."""

    def __init__(self, process: asyncio.subprocess.Process, log: Log) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.process, self.requests, self.answers = process, process.stdin, process.stdout
        self._telling = asyncio.create_task(_tell(process.stderr, log))

    @classmethod
    async def started(cls, terms: Terms, log: Log) -> _Worker:
        """Start a worker and wait until it is ready. Raises `WorkerError` if that fails."""
        numbers = (str(terms.megabytes), str(terms.seconds), str(terms.work))
        paths = os.pathsep.join(path for path in sys.path if path)
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _CALL, *numbers, stdin=pipe, stdout=pipe, stderr=pipe,
            env={**os.environ, "PYTHONPATH": paths},
            limit=_PRINTED,
            start_new_session=True,  # so that it can be ended with its own processes
        )  # fmt: skip
        worker = cls(process, log)
        try:
            async with asyncio.timeout(_STARTING):
                await worker.read()
        except BaseException as error:
            await worker.end()
            if isinstance(error, (TimeoutError, *_LOST)):
                problem = f"a worker cannot start (status {process.returncode})"
                raise WorkerError(problem) from None
            raise
        return worker

    async def ask(self, job: Job) -> tuple[Reply, bool]:
        """Have a job done: its reply, and whether the worker ends now. Raises `_NotBegunError`."""
        name = job.name.encode()
        self.requests.write(ASKED.pack(len(name), len(job.body)) + name + job.body)
        try:
            await self.answers.readexactly(len(BEGUN))
        except (asyncio.IncompleteReadError, ConnectionError):
            raise _NotBegunError from None
        await self.requests.drain()
        return await self.read()

    async def read(self) -> tuple[Reply, bool]:
        status, ends, size = ANSWERED.unpack(await self.answers.readexactly(ANSWERED.size))
        return (status, await self.answers.readexactly(size)), bool(ends)

    async def end(self) -> None:
        """End the process and all that it has started, in any state."""
        if hasattr(os, "killpg"):
            end_session(self.process.pid)
        else:
            with suppress(ProcessLookupError):
                self.process.kill()
        self.requests.close()
        await self.process.wait()
        await asyncio.wait([self._telling], timeout=_PAUSE)
        self._telling.cancel()


async def _tell(printed: asyncio.StreamReader, log: Log) -> None:
    """Log what a worker prints, so that it never waits for a reader."""
    while True:
        try:
            line = await printed.readline()
        except ValueError:  # too long a line; the part received is skipped
            continue
        if not line:
            return
        log.pass_on(line)


class Pool:
    """The workers and the jobs that wait for them."""

    def __init__(self, terms: Terms, metrics: Metrics, log: Log) -> None:
        self.terms = terms
        self.log = log
        self.metrics = metrics
        # One client leaves at least one worker to the others, but a single worker is shared by all.
        self.waiting = Waiting(terms.places, max(1, terms.workers - 1))
        self.ready = 0
        self._first = asyncio.Event()
        self._keepers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start the workers: the others after the first, which is then ready sooner."""
        self._keepers = [asyncio.create_task(self._keep(at)) for at in range(self.terms.workers)]

    async def stop(self) -> None:
        """End the workers."""
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)

    def submit(self, client: str, name: str, body: bytes) -> Job:
        """Queue a job, which will have the reply. Raises `QueueFullError`."""
        job = Job(client, name, body, asyncio.get_running_loop().create_future())
        self.waiting.add(job)
        return job

    async def _keep(self, number: int) -> None:
        """Keep a worker running in one place of the pool."""
        if number:
            await self._first.wait()
        while True:
            try:
                worker = await _Worker.started(self.terms, self.log)
            except (WorkerError, OSError) as error:
                self.log.write("worker failed", "error", message=str(error))
                await asyncio.sleep(_PAUSE)
                continue
            self.ready += 1
            self._first.set()
            try:
                reason = await self._serve(worker)
            finally:
                self.ready -= 1
                await worker.end()
            self.metrics.restarted(reason)
            self.log.write("worker replaced", "warning", reason=reason)

    async def _serve(self, worker: _Worker) -> str:
        """Give a worker jobs until it must be replaced. Returns the reason."""
        ending = asyncio.create_task(worker.process.wait())
        reason = ""
        while not reason:
            taking = asyncio.create_task(self.waiting.take())
            try:
                await first_of(taking, ending)
            finally:
                taking.cancel()  # no effect once it is done
            if not taking.done():
                return "died"
            job, begun = taking.result(), time.monotonic()
            try:
                reason = await self._do(worker, job)
            except _NotBegunError:  # nothing was done, so another worker can do it
                self.waiting.put_back(job)
                reason = "died"
            except BaseException:
                job.reply.cancel()
                raise
            finally:
                self.waiting.done(job, time.monotonic() - begun)
        ending.cancel()
        return reason

    async def _do(self, worker: _Worker, job: Job) -> str:
        """Have a worker do a job. Returns the reason if the worker must be replaced, else ""."""
        asking = asyncio.create_task(worker.ask(job))
        error: DipsatError
        try:
            await first_of(asking, job.reply, seconds=self.terms.latest)
            if job.reply.cancelled():
                return "client left"
            if asking.done():
                reply, ends = asking.result()
                job.reply.set_result(reply)
                return "memory or fault" if ends else ""
            reason, status = "seconds", REFUSED
            error = LimitError("seconds", self.terms.seconds)
        except _LOST:
            await worker.end()
            if worker.process.returncode == NO_MEMORY:
                reason, status = "megabytes", REFUSED
                error = LimitError("megabytes", self.terms.megabytes)
            else:
                reason, status = "died", FAULT
                error = WorkerError(f"the worker died (status {worker.process.returncode})")
        finally:
            asking.cancel()
        if not job.reply.done():
            job.reply.set_result((status, encoded(refusal(job.name, error))))
        return reason
