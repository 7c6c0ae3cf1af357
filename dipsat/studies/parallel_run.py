"""The same work on many pieces, wherever there are workers; the results come in order.

Little is in memory at a time, however much work there is: pieces are read when there is room for
them, and a result is forgotten once the caller has it. Small pieces share a task.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from dipsat.base import brief, checked_fields
from dipsat.errors import DipsatError, QuestionError, WorkerError
from dipsat.studies.crew import Crew, LocalCrew
from dipsat.studies.options import RETRIES
from dipsat.studies.task import DONE, NO_MEMORY, Answers, letting_others_work, sent

if TYPE_CHECKING:
    from dipsat.studies.journal import Journal


_T = TypeVar("_T")
_R = TypeVar("_R")
_Q = TypeVar("_Q")


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Workers:
    """Where long work runs, and what happens if it is stopped (docs/cluster.md). The results are
    the same wherever it runs."""

    jobs: int = 1
    """The number of processes on this computer."""
    executor: Executor | None = None
    """An executor to use instead, of `concurrent.futures` or with its interface (Dask, MPI). It is
    not shut down at the end."""
    cluster: str = ""
    """The address of a Dask scheduler to use instead, such as `tcp://HOST:8786`; "" for none."""
    resume: str | Path | None = None
    """The path of a journal of what is done. If there is one already, the work in it is not done
    again. None: no journal."""
    retries: int = RETRIES
    """How often a piece of work that ended its worker is tried again before it is reported."""

    def __post_init__(self) -> None:
        """Refuse numbers and places that make no sense."""
        if self.jobs < 1 or self.retries < 0:
            raise QuestionError("ask for at least one process, and for 0 or more retries")
        if self.executor is not None and self.cluster:
            raise QuestionError("name an executor or a cluster, not both")

    @property
    def is_local(self) -> bool:
        """Whether the work runs in processes that dipsat starts itself."""
        return self.executor is None and not self.cluster


Jobs: TypeAlias = int | Executor | Workers
"""A number of processes, an executor of `concurrent.futures`, or `Workers` to say more."""


Progress: TypeAlias = Callable[[str, float, float], None]
"""Called with the name of the current work, how much of it is done, and the total."""

_TASK_BYTES = 2**20  # for the pieces in a task; a larger piece has a task of its own
_GROWTH = 2  # how much longer the next task may be than the last
_MOST_PIECES = 1000  # pieces in a task
_MOST_BYTES = 2**25  # for pieces that are handed out and results that wait, pickled
_ENTRY_BYTES = 1000  # added for each piece
_WAITING = 4  # results that may wait for an earlier one, in tasks per task handed out
_GLANCE = 1.0  # seconds between two checks that workers are left


@dataclass(frozen=True, slots=True)
class Stage(Generic[_T, _R]):
    """One kind of work of a run."""

    name: str
    """Its name in the journal."""
    do: Callable[[_T], _R]
    """What is done with each piece. It is sent to workers, so it must hold no local paths."""
    lost: Callable[[_T, str], _R]
    """The result for a piece that kept ending its worker, and for the reason."""
    depends: object = None
    """What the results depend on besides the pieces, for the journal; None if `do` has all of
    it."""


def results_of(
    stage: Stage[_T, _R], work: Iterable[_T], jobs: Jobs, few: int
) -> Iterator[tuple[_T, _R]]:
    """Return each piece of work with its result, in the order given.

    For up to `few` pieces, no other process of this computer is started. Processes start at once,
    not when the first result is needed, because a progress bar may have a thread by then; if there
    are other threads, processes are spawned, not forked. Raises `WorkerError` if no workers are
    left, and `JournalError` for a journal that cannot be used.
    """
    if isinstance(jobs, Executor):
        jobs = Workers(executor=jobs)
    workers = jobs if isinstance(jobs, Workers) else Workers(jobs)
    pieces = iter(work)
    first: list[_T] = []
    if workers.is_local:
        first = list(islice(pieces, few + 1))
    with ExitStack() as stack:
        journal = None if workers.resume is None else stack.enter_context(_journal(stage, workers))
        crew = None
        if not workers.is_local or (workers.jobs > 1 and len(first) > few):
            crew = _crew(workers)
            stack.callback(crew.close)
        run = _Run(stage, chain(first, pieces), workers.retries, journal)
        if crew is not None:
            run.hand_out(crew)
        found = run.results(crew, stack.pop_all())
        next(found)
    return found


@dataclass(slots=True)
class Survey(Generic[_Q]):
    """A question about many pieces of work, in stages one after the other. `depends` is as for a
    `Stage`. As a context manager it ends at Ctrl-C without an error, and keeps what was found so
    far."""

    asked: _Q
    jobs: Jobs
    show: Progress | None
    depends: object = None
    is_interrupted: bool = False

    def __enter__(self) -> Survey[_Q]:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        self.is_interrupted = kind is KeyboardInterrupt
        return self.is_interrupted

    def results(
        self, name: str, do: Callable[[_Q, _T], _R], lost: Callable[[_T, str], _R],
        work: Iterable[_T], few: int, share: Callable[[_T], float] = lambda _: 1,
        total: float | None = None,
    ) -> Iterator[tuple[_T, _R]]:  # fmt: skip
        """Return each piece of a stage's work with its result, as `results_of` does. After the
        caller has used a result, the progress is shown: the shares of the pieces so far, out of
        `total`. The `total` is needed unless the work is a list."""
        total = (sum(map(share, work)) if total is None else total) or 1
        stage = Stage(name, partial(do, self.asked), lost, self.depends)
        results, done = results_of(stage, work, self.jobs, few), 0.0
        show = self.show or (lambda *_: None)
        show(name, 0, total)
        for piece, result in results:
            yield piece, result
            done += share(piece)
            show(name, done, total)


def _crew(workers: Workers) -> Crew:
    if workers.executor is not None:
        from dipsat.studies.cluster import crew_of

        return crew_of(workers.executor) or Crew(workers.executor)
    if workers.cluster:
        from dipsat.studies.cluster import cluster_crew

        return cluster_crew(workers.cluster)
    return LocalCrew(workers.jobs)


def _journal(stage: Stage[Any, Any], workers: Workers) -> AbstractContextManager[Journal]:
    from dipsat.studies.journal import journal  # some Pythons lack SQLite

    depends = stage.do if stage.depends is None else stage.depends
    return journal(str(workers.resume), stage.name, depends)


@dataclass(slots=True, eq=False)
class _Entry:
    """A piece of work: its place in the order, its bytes if it has to be sent, how many bytes are
    counted for it, how often it has ended its worker, and its result, or the error that it ended
    in."""

    at: int
    piece: Any
    data: bytes = b""
    weight: int = 0
    deaths: int = 0
    is_done: bool = False
    result: Any = None
    fault: Exception | None = None

    def settle(self, result: Any, fault: Exception | None = None) -> None:
        self.is_done, self.result, self.fault, self.data = True, result, fault, b""


class _Run(Generic[_T, _R]):
    """The pieces that are being worked on.

    `_order` has those whose result the caller does not have yet, in the order of the work. `_again`
    has the tasks that are handed out again after a failure. `_suspects` has those that may have
    ended their worker; they are tried while nothing else runs.
    """

    def __init__(
        self, stage: Stage[_T, _R], work: Iterable[_T], retries: int, journal: Journal | None
    ) -> None:
        self._stage = stage
        self._work = enumerate(work)
        self._retries = retries
        self._journal = journal
        self._do = b""
        self._order: deque[_Entry] = deque()
        self._again: deque[list[_Entry]] = deque()
        self._suspects: deque[list[_Entry]] = deque()
        self._alone: Future[Answers] | None = None  # the last suspect that was handed out
        self._running: dict[Future[Answers], list[_Entry]] = {}
        self._ended: SimpleQueue[Future[Answers]] = SimpleQueue()
        self._held = 0  # bytes
        self._size = 1  # pieces in the next task
        self._is_read = False  # whether all work has been read

    def results(self, crew: Crew | None, opened: ExitStack) -> Iterator[Any]:
        """Yield None, then all results in the order of the work. Once the None is taken, `opened`
        is closed even if nobody asks for the results."""
        with opened:
            yield None
            try:
                yield from self._here() if crew is None else self._by(crew)
            except WorkerError as error:
                if self._journal is None:
                    raise
                kept = f"what is done is in {self._journal.path}, and the same run goes on there"
                raise WorkerError(f"{error.problem}; {kept}") from None

    def _here(self) -> Iterator[tuple[_T, _R]]:
        """The results of work in this process, one by one."""
        for at, piece in self._work:
            entry = _Entry(at, piece)
            self._look_up(entry)
            while not entry.is_done:
                try:
                    result = self._stage.do(piece)
                except MemoryError:
                    self._died(entry, _MEMORY)
                    continue
                if self._journal is not None:
                    self._journal.add([(at, result)])
                entry.settle(result)
            yield piece, entry.result

    def _by(self, crew: Crew) -> Iterator[tuple[_T, _R]]:
        """The results of work by a crew."""
        while True:
            self.hand_out(crew)
            if self._order and self._order[0].is_done:
                first = self._order.popleft()
                self._weigh(first, 0)
                if first.fault is not None:
                    raise first.fault
                yield first.piece, first.result
            elif self._running:
                self._wait(crew)
            elif self._is_read and not self._order:
                return

    def _look_up(self, entry: _Entry) -> None:
        """Give a piece the result that is in the journal."""
        if self._journal is not None:
            found = self._journal.result(entry.at, entry.piece)
            if found is not None:
                entry.settle(found[0])

    def hand_out(self, crew: Crew) -> None:
        """Give the crew tasks as long as it has room."""
        room = crew.room()
        while len(self._running) < room and self._alone not in self._running:
            is_suspect = bool(self._suspects)
            if is_suspect and self._running:
                return
            waiting = self._suspects or self._again
            task = waiting.popleft() if waiting else self._next(_WAITING * room)
            if not task:
                return
            self._do = self._do or sent(
                self._stage.do, "what is done with it cannot be sent to a worker"
            )
            future = crew.submit(self._do, [entry.data for entry in task])
            self._alone = future if is_suspect else None
            self._running[future] = task
            future.add_done_callback(self._ended.put)

    def _next(self, tasks: int) -> list[_Entry]:
        """The pieces of a new task; none if the work has been read, or if too many results already
        wait for an earlier one."""
        task: list[_Entry] = []
        bytes_left = _TASK_BYTES
        while len(task) < self._size and bytes_left > 0 and not self._is_read:
            if len(self._order) >= tasks * self._size or self._held >= _MOST_BYTES:
                break
            entry = _Entry(0, None)
            try:
                entry.at, entry.piece = next(self._work)
                self._look_up(entry)
                if not entry.is_done:
                    entry.data = sent(entry.piece, "a piece of the work cannot be sent to a worker")
            except StopIteration:
                self._is_read = True
                break
            except Exception as error:  # raised in its turn; the caller's work can raise anything
                self._is_read = True
                entry.settle(None, error)
            self._order.append(entry)
            self._weigh(entry, _ENTRY_BYTES + len(entry.data))
            if not entry.is_done:
                bytes_left -= len(entry.data)
                task.append(entry)
        return task

    def _weigh(self, entry: _Entry, size: int) -> None:
        """Count the bytes of a piece that is being worked on or waits for an earlier one."""
        self._held += size - entry.weight
        entry.weight = size

    def _wait(self, crew: Crew) -> None:
        """Wait until a task ends, but not for ever, and take its answers."""
        try:
            with letting_others_work():
                future = self._ended.get(timeout=_GLANCE)
        except Empty:
            return  # look at whether the crew is still there
        task = self._running.pop(future)
        try:
            found = future.result()
        except (CancelledError, Exception) as error:
            is_alone = future is self._alone
            self._failed(task, crew.deaths(error, is_alone), is_alone)
            return
        self._settle(task, found)
        if len(task) == len(found.given) and not self._again:
            each = max(found.seconds, 1e-6) / len(task)
            wanted = min(int(crew.seconds / each), len(task) * _GROWTH, _MOST_PIECES)
            self._size = max(1, wanted)

    def _settle(self, task: list[_Entry], found: Answers) -> None:
        """Give pieces their results, or the error that one of them ended in."""
        done = []
        for entry, (word, data) in zip(task, found.given, strict=False):
            if word == NO_MEMORY:
                self._died(entry, _MEMORY)
                if not entry.is_done:
                    self._again.append([entry])
            elif word != DONE:
                entry.settle(None, pickle.loads(data))
            else:
                try:
                    entry.settle(pickle.loads(data))  # our own worker made it
                    done.append((entry.at, entry.result))
                except Exception as error:  # its class can raise anything
                    problem = f"a result cannot be read: {type(error).__name__}: {error}"
                    entry.settle(None, WorkerError(problem))
                self._weigh(entry, entry.weight + len(data))  # the caller gets the piece too
        if self._journal is not None:
            self._journal.add(done)

    def _failed(self, task: list[_Entry], deaths: int | None, is_alone: bool) -> None:
        """Hand out again, in halves, a task whose worker has died, to find what ended it."""
        again = self._suspects if is_alone else self._again
        if deaths is None:
            self._suspects.append(task)
        elif deaths == 0:
            again.append(task)
        elif len(task) > 1:
            half = len(task) // 2
            again.extend([task[:half], task[half:]])
        else:
            self._died(task[0], "its worker died", deaths)
            if not task[0].is_done:
                again.append(task)

    def _died(self, entry: _Entry, how: str, deaths: int = 1) -> None:
        """Count that a piece has ended its worker; after too many times it is lost."""
        entry.deaths += deaths
        if entry.deaths > self._retries:
            times = "once" if entry.deaths == 1 else f"{entry.deaths} times"
            reason = f"given up after it was tried {times}: {how}"
            entry.settle(self._stage.lost(entry.piece, reason))


_MEMORY = "there was not enough memory"


@brief()
@dataclass(frozen=True, slots=True)
class Done(Generic[_T, _R]):
    """The outcome of one argument of `dipsat.studies.run_many`."""

    given: _T
    """The argument."""
    result: _R | None
    """What the function returned, None if there is an error."""
    error: DipsatError | None = None
    """The error that it raised, or a `WorkerError` if it kept ending its process."""


def run_many(
    function: Callable[[_T], _R], work: Iterable[_T], jobs: Jobs = 1
) -> Iterator[Done[_T, _R]]:
    """Call a function with each of many arguments, and return the outcome of each, in their order.

    `function` is one of dipsat, or one of your own in a module that workers can import (not in the
    program itself). Use `functools.partial` for further arguments. `work` is read, and results are
    computed, only as they are needed. `jobs` is the number of processes, an executor of
    `concurrent.futures`, or `Workers`, whose journal keeps results that consist of plain values and
    of values of dipsat.

    An error of dipsat is part of the result, and the work goes on; any other error is raised.
    Raises `WorkerError` if something cannot be sent to workers, or if none are left, and
    `JournalError` for a journal that cannot be used.
    """
    stage: Stage[_T, tuple[_R | None, DipsatError | None]] = Stage(
        "calls", partial(_called, function), _lost, depends=function
    )
    return (Done(given, *found) for given, found in results_of(stage, work, jobs, few=1))


def _called(function: Callable[[_T], _R], given: _T) -> tuple[_R | None, DipsatError | None]:
    try:
        return function(given), None
    except DipsatError as error:
        return None, error


def _lost(_: Any, reason: str) -> tuple[None, DipsatError]:
    return None, WorkerError(reason)
