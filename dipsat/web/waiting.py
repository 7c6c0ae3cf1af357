"""Requests that wait for a worker: bounded, and shared out fairly among clients."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

_HALF_FORGOTTEN = 30.0  # seconds
_MUCH = 5.0  # seconds; a page that judges every keystroke for minutes uses less
_OF_NEW = 0.5  # seconds; whoever has used less comes before those of whom nothing is known
_CLIENTS = 10_000  # that are remembered


@dataclass(frozen=True, slots=True)
class Reply:
    """What a request is answered with: the status of HTTP, and the bytes of JSON."""

    status: int
    body: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A request that waits, or that a worker has: who asks, for which kind, and the body."""

    client: str
    name: str
    body: bytes
    reply: asyncio.Future[Reply]
    """Whoever asks cancels it when nobody waits for the answer any more."""


class QueueFullError(Exception):
    """There is no room for another request."""


class Waiting:
    """The jobs that wait. Workers take the next one from the client who has used them least of
    late; of those who have used them equally, each comes in turn.

    No client has more than `share` jobs with workers at a time. Nor have all together who have used
    them much, nor those and all new ones as long as there are others; and no client has more than
    half of the places in the queue. So there is always room for those who ask for little.
    """

    def __init__(
        self, places: int, share: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.places = places
        self.share = share
        self._waiting: dict[str, deque[Job]] = {}  # the client whose turn it is comes first
        self._with_workers: Counter[str] = Counter()
        self._used = _Used(clock)
        self._changed = asyncio.Event()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    @property
    def busy(self) -> int:
        """How many jobs the workers have."""
        return self._with_workers.total()

    def add(self, job: Job) -> None:
        """Let a job wait. Raises `QueueFullError`."""
        own = self._waiting.get(job.client, deque())
        if len(self) >= self.places or 2 * len(own) >= max(self.places, 2):
            raise QueueFullError
        self._waiting.setdefault(job.client, own).append(job)
        job.reply.add_done_callback(lambda _: self._leave(job))
        self._changed.set()

    def put_back(self, job: Job) -> None:
        """Let a job wait again, before the client's others: its worker died before it began."""
        if not job.reply.done():
            self._waiting.setdefault(job.client, deque()).appendleft(job)
            self._changed.set()

    def _leave(self, job: Job) -> None:
        """Forget a job for which nobody waits any more."""
        own = self._waiting.get(job.client)
        if own is not None and job in own:
            own.remove(job)
            if not own:
                del self._waiting[job.client]

    async def take(self) -> Job:
        """The next job, as soon as there is one that may be done now."""
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
        client = min(allowed, key=self._used.seconds)
        own = self._waiting.pop(client)
        job = own.popleft()
        if own:
            self._waiting[client] = own  # the other clients come first
        self._with_workers[client] += 1
        return job

    def done(self, job: Job, seconds: float) -> None:
        """The worker of a job is free again, or gone, after so many seconds."""
        self._used.add(job.client, seconds)
        self._with_workers[job.client] -= 1
        if not self._with_workers[job.client]:
            del self._with_workers[job.client]
        self._changed.set()


class _Used:
    """How many seconds of workers each client has used of late: half of them are forgotten after
    some time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seconds: dict[str, tuple[float, float]] = {}  # with the time of the last change

    def seconds(self, client: str) -> float:
        """The seconds of a client; one that is new counts as if it had used some."""
        if client not in self._seconds:
            return _OF_NEW
        seconds, since = self._seconds[client]
        passed: float = (self._clock() - since) / _HALF_FORGOTTEN
        return float(seconds * 0.5**passed)

    def is_much(self, client: str) -> bool:
        """Whether others should come before this client."""
        return self.seconds(client) > _MUCH

    def is_little(self, client: str) -> bool:
        """Whether this client is known, and has not used much."""
        return client in self._seconds and not self.is_much(client)

    def is_any_little(self) -> bool:
        """Whether there is such a client, who has asked not long ago."""
        soon = self._clock() - 2 * _HALF_FORGOTTEN
        return any(
            since >= soon and self.is_little(client) for client, (_, since) in self._seconds.items()
        )

    def add(self, client: str, seconds: float) -> None:
        """Note what a client has used."""
        before = self.seconds(client) if client in self._seconds else 0.0
        self._seconds[client] = before + seconds, self._clock()
        if len(self._seconds) > _CLIENTS:
            least = sorted(self._seconds, key=self.seconds)[: _CLIENTS // 2]
            for one in least:
                del self._seconds[one]
