"""`python -m bench scale`: the same work in this process, in others, and on a local Dask cluster.

The work is `dipsat.studies.impact`: random boards under two rulebooks. Each figure comes from a
separate process, and the ways of working take turns, so that other load on the computer affects all
of them. Processor time, and tasks that only sleep, show what a busy computer would hide. From these
figures the time and cost of a billion boards on a thousand cores are predicted (docs/cluster.md has
the arithmetic)."""

from __future__ import annotations

import argparse
import json
import pickle
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import dipsat
from dipsat import studies
from dipsat.studies import Workers
from dipsat.studies.cluster import cluster_crew
from dipsat.studies.crew import Crew, LocalCrew
from dipsat.studies.impact_judging import BOARDS_AT_ONCE, Tally
from dipsat.studies.parallel_run import Jobs, Stage, results_of
from tests.memory import peak_megabytes
from tests.studies.dask_cluster import Cluster
from tools.cluster_cost import Inputs, predicted

RULES = "rulebooks/1982"
_EMPTY_TASKS = 400
_SLEEPING_TASKS = 20
_WIDE = 1000  # workers of a large cluster
_PIECES = 40_000  # for the driver of a large cluster


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the work: its seconds, the seconds until there were workers, the processor time in
    all processes and in the one that hands out the work (its driver), the peak megabytes of the
    driver, and a digest of the report."""

    seconds: float
    start: float
    whole: float
    driver: float
    megabytes: int
    digest: str


@dataclass(frozen=True, slots=True)
class Task:
    """The cost of tasks in seconds: from the end of one empty task to the end of the next, and
    processor time of the driver. Also the share of their time that two workers sleep if each task
    is to sleep for a second."""

    seconds: float
    processor: float
    asleep: float


@dataclass(frozen=True, slots=True)
class Driver:
    """The needs of the process that hands out the work of a large cluster: seconds of processor
    time for a piece of work, and peak megabytes."""

    processor: float
    megabytes: int


def run_once(where: str, boards: int) -> dict[str, Any]:
    """Do the work from this process; `where` is a number of processes, "executor", or the address
    of a scheduler."""
    start = time.perf_counter()
    jobs: Jobs = Workers(cluster=where) if ":" in where else 1
    if where == "executor":
        jobs = ProcessPoolExecutor(1)
    elif where.isdigit():
        jobs = int(where)
    elif isinstance(jobs, Workers):
        cluster_crew(where).close()
    begin, driver = time.perf_counter(), time.process_time()
    report = studies.impact([RULES], boards=studies.RandomBoards(boards), jobs=jobs)
    seconds, driver = time.perf_counter() - begin, time.process_time() - driver
    if isinstance(jobs, Executor):
        jobs.shutdown()
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = json.dumps(report.to_dict(), sort_keys=True)
    return {
        "seconds": seconds,
        "start": begin - start,
        "whole": driver + others.ru_utime + others.ru_stime,
        "driver": driver,
        "megabytes": peak_megabytes(),
        "digest": sha256(text.encode()).hexdigest(),
    }


def tasks(where: str) -> dict[str, Any]:
    """Hand out empty tasks, and tasks that sleep, to two processes or to a cluster of two
    workers."""
    crew: Crew = LocalCrew(int(where)) if where.isdigit() else cluster_crew(where)
    _hand_out(crew, 2 * crew.room(), 0)
    driver = time.process_time()
    seconds = _hand_out(crew, _EMPTY_TASKS, 0)
    driver = time.process_time() - driver
    slept = _hand_out(crew, _SLEEPING_TASKS, 1)
    crew.close()
    return {
        "seconds": seconds / _EMPTY_TASKS,
        "processor": driver / _EMPTY_TASKS,
        "asleep": _SLEEPING_TASKS / 2 / slept,
    }


def _hand_out(crew: Crew, left: int, seconds: float) -> float:
    """How many seconds a number of tasks take that each sleep for `seconds`."""
    do, piece = pickle.dumps(time.sleep), [pickle.dumps(seconds)]
    start, running = time.perf_counter(), set[Future[Any]]()
    while left or running:
        while left and len(running) < crew.room():
            running.add(crew.submit(do, piece))
            left -= 1
        running = wait(running, return_when=FIRST_COMPLETED).not_done
    return time.perf_counter() - start


class _WideExecutor(Executor):
    """Claims to have many workers, whose work is already done."""

    _max_workers = _WIDE

    def __init__(self, inner: Executor) -> None:
        self.submit = inner.submit  # type: ignore[method-assign]  # the same signature


def _known(tally: Tally, _: Any) -> Tally:
    return tally


def wide_driver() -> dict[str, Any]:
    """Hand out the pieces of a large run, whose results are known, as if to a thousand workers."""
    from dipsat.rules import portable_rules
    from dipsat.studies.impact_judging import Asked, tally_of
    from dipsat.studies.sources import Workload

    boards = studies.RandomBoards(BOARDS_AT_ONCE)
    asked = Asked(portable_rules("datc"), (portable_rules(RULES),), None, 3, dipsat.Limits())
    tally = tally_of(asked, Workload(boards, boards.count))
    pieces = (studies.RandomBoards(BOARDS_AT_ONCE, at * BOARDS_AT_ONCE) for at in range(_PIECES))
    total = Tally.of(1)
    with ProcessPoolExecutor(2) as pool:
        processor = time.process_time()
        stage = Stage("known", partial(_known, tally), lambda _, __: tally)
        for _, found in results_of(stage, pieces, _WideExecutor(pool), few=0):
            total.add(found, 3)
        processor = time.process_time() - processor
    return {"processor": processor / _PIECES, "megabytes": peak_megabytes()}


def _alone(*arguments: object) -> Any:
    """The result of a part of this module in a separate process."""
    command = [sys.executable, "-m", "bench.scale", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def measured(boards: int, rounds: int, cluster: Cluster) -> dict[str, Run]:
    """The best run of each way of working."""
    ways = {THIS: "1", POOL_1: "executor", POOL_2: "2", DASK: cluster.address}
    best: dict[str, Run] = {}
    for _ in range(rounds):
        for name, where in ways.items():
            before = cluster.processor_seconds()
            run = Run(**_alone("run", where, boards))
            if name == DASK:
                run = replace(run, whole=run.whole + cluster.processor_seconds() - before)
            if name not in best or run.seconds < best[name].seconds:
                best[name] = run
    if len({run.digest for run in best.values()}) > 1:
        raise SystemExit("the reports differ")
    return best


THIS, POOL_1, POOL_2 = "this process", "a pool of one process", "a pool of two processes"
DASK = "Dask, two workers"
_PROCESSES = {THIS: 1, POOL_1: 1, POOL_2: 2, DASK: 2}


def rows_of(runs: dict[str, Run], boards: int) -> Iterator[tuple[str, ...]]:
    """The table of the runs."""
    alone = runs[THIS].seconds
    for name, run in runs.items():
        processes = _PROCESSES[name]
        yield (
            name, f"{boards / run.seconds:.0f}", f"{100 * alone / run.seconds / processes:.0f} %",
            f"{run.start:.1f} s", f"{run.whole:.1f} s", f"{run.driver:.2f} s",
            f"{run.megabytes} MB",
        )  # fmt: skip


HEADS = (
    "where", "boards a second", "efficiency", "start", "processor time", "of the driver",
    "driver's memory",
)  # fmt: skip


def main(arguments: list[str], show: Callable[..., None]) -> None:
    """Measure, and print two tables with `show(heads, rows, markdown)`."""
    parser = argparse.ArgumentParser(prog="python -m bench scale", description=__doc__)
    parser.add_argument("--boards", type=int, default=8000, help="random boards of a run (8000)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each kind; the best counts")
    parser.add_argument("--goal", type=int, default=10**9, help="boards to predict for")
    parser.add_argument("--cores", type=int, default=1000, help="cores to predict for")
    parser.add_argument("--price", type=float, default=0.04, help="price of a core hour (0.04)")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, Cluster(Path(folder), workers=2) as cluster:
        _alone("run", cluster.address, 2 * BOARDS_AT_ONCE)  # a worker is warm once it has worked
        runs = measured(asked.boards, asked.rounds, cluster)
        pool, dask = (Task(**_alone("tasks", where)) for where in ("2", cluster.address))
    driver = Driver(**_alone("wide"))
    show(HEADS, rows_of(runs, asked.boards), asked.markdown)
    costs = runs[POOL_2].whole / runs[DASK].whole
    given = Inputs(
        asked.goal, asked.cores, asked.price, runs[THIS].whole / asked.boards,
        min(1.0, costs) * dask.asleep, driver.processor, dask.processor,
    )  # fmt: skip
    found = predicted(given)
    rows = [
        ("tasks that sleep for a second sleep, pool", f"{100 * pool.asleep:.1f} % of the time"),
        ("the same, Dask", f"{100 * dask.asleep:.1f} % of the time"),
        ("the pool's processor time, of Dask's", f"{100 * costs:.1f} %"),
        ("an empty task, pool", f"{1000 * pool.seconds:.1f} ms"),
        ("an empty task, Dask", f"{1000 * dask.seconds:.1f} ms"),
        ("the driver's part of it", f"{1000 * dask.processor:.1f} ms"),
        (f"the driver's part of {BOARDS_AT_ONCE} boards", f"{1000 * driver.processor:.2f} ms"),
        (f"memory of the driver of {_WIDE:,} workers", f"{driver.megabytes} MB"),
        ("a core's time for a board", f"{1000 * given.board:.2f} ms"),
        (f"{asked.goal:,} boards", f"{found.core_hours:.0f} core hours"),
        (f"on {asked.cores:,} cores", f"{60 * found.hours:.0f} minutes"),
        (f"at {asked.price} a core hour", f"{found.cost:.0f}"),
        ("the driver is busy", f"{100 * found.driver:.0f} % of the time"),
    ]
    show(("measured, and predicted", ""), rows, asked.markdown)


def _part(name: str, *arguments: str) -> dict[str, Any]:
    """Measure one thing in this process."""
    if name == "run":
        return run_once(arguments[0], int(arguments[1]))
    return wide_driver() if name == "wide" else tasks(arguments[0])


if __name__ == "__main__":
    print(json.dumps(_part(*sys.argv[1:])))
