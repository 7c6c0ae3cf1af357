"""Requests that wait for a worker: bounded, and shared out fairly among clients."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from dataclasses import dataclass


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
    """The jobs that wait. Workers take them from each client in turn.

    No client has more than `share` jobs with workers at a time, or more than half of the places in
    the queue, so that there is always room for others.
    """

    def __init__(self, places: int, share: int) -> None:
        self.places = places
        self.share = share
        self._waiting: dict[str, deque[Job]] = {}  # the client whose turn it is comes first
        self._with_workers: Counter[str] = Counter()
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
        for client, own in self._waiting.items():
            if self._with_workers[client] < self.share:
                job = own.popleft()
                del self._waiting[client]
                if own:
                    self._waiting[client] = own  # the other clients come first
                self._with_workers[client] += 1
                return job
        return None

    def done(self, job: Job) -> None:
        """The worker of a job is free again, or gone."""
        self._with_workers[job.client] -= 1
        if not self._with_workers[job.client]:
            del self._with_workers[job.client]
        self._changed.set()
