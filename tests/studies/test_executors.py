"""Long work: the same results wherever it runs, whatever dies, and whenever it is stopped."""

from __future__ import annotations

import copyreg
import json
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import threading
import zlib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat import studies
from dipsat.errors import FileError, JournalError, QuestionError, UnknownNameError, WorkerError
from dipsat.rules import load_profile
from dipsat.studies import Workers, task
from dipsat.studies.crew import can_fork
from dipsat.studies.journal import fingerprint
from dipsat.studies.parallel_run import Jobs, Stage, results_of
from tests.exhaustive import exhaustive
from tests.pages import blocks, page
from tests.pieces import given_up, noise, square

ABSOLUTE: Stage[int, Any] = Stage("absolute", abs, max)
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes are spawned anyway")


def alone(code: str) -> list[str]:
    """What a fresh Python prints when it runs `code`."""
    done = subprocess.run(
        [sys.executable, "-c", f"from dipsat.studies.crew import can_fork\n{code}"],
        env={**os.environ, "PYTHONPATH": str(Path(dipsat.__file__).parents[1])},
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return done.stdout.split()


@exhaustive
@LINUX
def test_a_process_without_other_threads_is_forked() -> None:
    code = (
        "import multiprocessing\nfrom dipsat.studies.parallel_run import Stage, results_of\n"
        "honest = multiprocessing.get_context\n"
        "def context(method):\n    print(method)\n    return honest(method)\n"
        "multiprocessing.get_context = context\nprint(can_fork())\n"
        "stage = Stage('absolute', abs, max)\n"
        "print(*(found for _, found in results_of(stage, (-1, -2), 2, few=1)))"
    )
    assert alone(code) == ["True", "fork", "1", "2"]


@exhaustive
@LINUX
def test_nothing_is_forked_beside_a_thread_that_python_does_not_know() -> None:
    """Z3 starts a thread that measures the time."""
    code = (
        "import threading, z3\nsolver = z3.Solver()\nsolver.set('timeout', 100000)\n"
        "solver.add(z3.Int('x') * z3.Int('x') == 49)\nprint(solver.check())\n"
        "print(threading.active_count(), can_fork())"
    )
    assert alone(code) == ["sat", "1", "False"]


@exhaustive
def test_the_pool_works_beside_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def context(method: str) -> Any:
        asked.append(method)
        return get_context(method)

    monkeypatch.setattr("multiprocessing.get_context", context)
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    assert not can_fork()
    assert list(results_of(ABSOLUTE, (-1, -2), 2, few=1)) == [(-1, 1), (-2, 2)]
    assert asked == ["spawn"]
    stop.set()
    thread.join()


SQUARES: Stage[int, Any] = Stage("squares", square, given_up)
HARMLESS = [number for number in range(200) if number not in (13, 17, 19)]


def squares(work: list[int], jobs: Jobs) -> list[tuple[int, Any]]:
    return list(results_of(SQUARES, work, jobs, few=1))


@exhaustive
@pytest.mark.parametrize("jobs", [1, Workers(2)])
def test_results_come_in_the_order_of_the_work(jobs: Jobs) -> None:
    assert squares(HARMLESS, jobs) == [(number, number * number) for number in HARMLESS]


def test_an_executor_of_the_caller_does_the_work_and_is_left_open() -> None:
    with ThreadPoolExecutor(2) as threads:
        for jobs in (threads, Workers(executor=threads)):
            assert squares(HARMLESS, jobs) == [(number, number * number) for number in HARMLESS]


def test_work_is_read_only_when_there_is_room() -> None:
    """Otherwise a long list of work would not fit into memory."""
    read = 20

    def numbers() -> Iterator[int]:
        nonlocal read
        while True:
            yield read
            read += 1

    with ThreadPoolExecutor(2) as threads:
        results = results_of(SQUARES, numbers(), threads, few=1)
        for at, found in zip(range(20, 2020), results, strict=False):
            assert found == (at, at * at)
        assert read < 2020 + 8 * 4 * 1000


class Wide(Executor):
    """An executor that claims a thousand workers."""

    _max_workers = 1000

    def __init__(self, inner: Executor) -> None:
        self.submit = inner.submit  # type: ignore[method-assign]


@exhaustive
def test_tasks_handed_out_fit_into_memory_whatever_the_size_of_the_crew() -> None:
    read = 0

    def texts() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield "x" * 100_000

    stage: Stage[str, Any] = Stage("lengths", len, max)
    with ThreadPoolExecutor(2) as threads:
        results = results_of(stage, texts(), Wide(threads), few=1)
        assert 300 < read < 340  # 32 megabytes
        assert all(found == 100_000 for _, found in islice(results, 1000))
        assert read < 1340


@exhaustive
def test_a_piece_that_ends_its_process_is_given_up_and_the_rest_is_done(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log"
    stage: Stage[int, Any] = Stage("logged", partial(square, log=str(log)), given_up)
    work = [number for number in range(100) if number != 19]
    results = list(results_of(stage, work, Workers(2, retries=1), few=1))
    assert [number for number, _ in results] == work
    found = dict(results)
    lost = {number: found.pop(number) for number in (13, 17)}
    assert found == {number: number * number for number in work if number not in lost}
    assert lost == {
        13: "13: given up after it was tried 2 times: its worker died",
        17: "17: given up after it was tried 2 times: there was not enough memory",
    }
    done = Counter(map(int, log.read_text().split()))
    assert done.keys() == set(work)
    assert max(done[number] for number in range(60, 100)) <= 2  # again after a worker died


def test_a_piece_without_memory_is_given_up_in_this_process_too() -> None:
    reason = "given up after it was tried once: there was not enough memory"
    assert squares([16, 17, 18], Workers(1, retries=0))[1] == (17, f"17: {reason}")


@exhaustive
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fault_of_the_work_itself_is_raised(jobs: Jobs) -> None:
    with pytest.raises(ZeroDivisionError, match="of course"):
        squares([18, 19, 20], jobs)


@exhaustive
def test_an_executor_that_breaks_is_reported_with_what_is_kept(tmp_path: Path) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        stage: Stage[int, Any] = Stage("deadly", square, given_up)
        with pytest.raises(WorkerError, match=r"the executor ProcessPoolExecutor failed.* is in "):
            list(results_of(stage, [13, 14], Workers(executor=pool, resume=tmp_path / "j"), few=1))


def test_a_worker_with_another_dipsat_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task, "own_stamp", lambda: "0.0.7 (abc)")
    with (
        ThreadPoolExecutor(1) as threads,
        pytest.raises(WorkerError, match=r"has dipsat 0\.0\.7 \(abc\), this computer 1\."),
    ):
        squares([1, 2], threads)


def test_places_that_contradict_each_other_are_refused() -> None:
    with ThreadPoolExecutor(1) as threads, pytest.raises(QuestionError, match="not both"):
        Workers(executor=threads, cluster="tcp://127.0.0.1:8786")
    with pytest.raises(QuestionError, match="0 or more retries"):
        Workers(retries=-1)


# The journal


@exhaustive
def test_a_run_that_was_killed_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """SIGKILL ends a run half-way. The next run only does the rest, and gives the same results."""
    log, journal = tmp_path / "log", tmp_path / "journal"
    code = (
        "import os, sys\nfrom functools import partial\n"
        "from dipsat.studies.parallel_run import Stage, results_of\n"
        "from dipsat.studies.parallel_run import Workers\n"
        "from tests.pieces import given_up, square\n"
        "stage = Stage('logged', partial(square, log=sys.argv[1]), given_up)\n"
        "workers = Workers(int(sys.argv[3]), resume=sys.argv[2])\n"
        "for number, found in results_of(stage, range(20, 420), workers, few=1):\n"
        "    if number == 120 and sys.argv[4] == 'killed': os.kill(os.getpid(), 9)\n"
        "    print(number, found)"
    )

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        root = Path(dipsat.__file__).parents[1]
        return subprocess.run(
            [sys.executable, "-c", code, str(log), str(journal), *arguments],
            cwd=root, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip

    assert run("2", "killed").returncode == -signal.SIGKILL
    before = Counter(log.read_text().split())
    done = run("2", "whole")
    assert done.stdout.split("\n")[:-1] == [f"{n} {n * n}" for n in range(20, 420)], done.stderr
    after = Counter(log.read_text().split())
    assert set(after) == {str(number) for number in range(20, 420)}
    again = {number for number in before if after[number] > before[number]}
    assert not again & {str(number) for number in range(20, 121)}  # the caller already had these
    log.unlink()
    assert run("1", "whole").stdout == done.stdout
    assert not log.exists()


def kept(
    path: str | Path, stage: Stage[Any, Any] = SQUARES, work: Any = range(20, 40)
) -> list[Any]:
    return list(results_of(stage, work, Workers(resume=path), few=1))


def test_a_journal_of_another_question_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    kept(path)
    other: Stage[int, Any] = Stage("squares", partial(square), given_up)
    with pytest.raises(JournalError, match="other rules or options"):
        kept(path, other)
    with pytest.raises(JournalError, match="piece 1 of the work has changed"):
        kept(path, work=range(21, 40))


@exhaustive
def test_a_journal_that_another_run_uses_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    results = results_of(SQUARES, range(20, 40), Workers(resume=path), few=1)
    next(results)
    with pytest.raises(JournalError, match="another run is using this journal"):
        kept(path)


@pytest.mark.parametrize("content", [b"orders\n", b"SQLite format 3\0" + bytes(range(200)) * 9])
def test_a_file_that_is_not_a_journal_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal"
    path.write_bytes(content)
    with pytest.raises(JournalError, match="journal"):
        kept(path)
    assert path.read_bytes() == content


ENDLESS = "AS WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more) SELECT"
STRANGE = {
    "of another dipsat": (
        "UPDATE about SET value = '0.0.7 (abc)' WHERE name = 'dipsat'",
        r"was begun by dipsat 0\.0\.7 \(abc\); this is",
    ),
    "of pickles, as earlier ones were": (
        "UPDATE about SET value = 'dipsat journal 1' WHERE name = 'format'",
        r"was begun by dipsat .* begin a new journal",
    ),
    "endless view": (
        f"DROP TABLE about; CREATE VIEW about {ENDLESS} n AS name, n AS value FROM more",
        "not a dipsat journal",
    ),
    "trigger": (
        "CREATE TRIGGER undo AFTER INSERT ON done BEGIN DELETE FROM done; END",
        "not a dipsat journal",
    ),
    "column": (
        "ALTER TABLE done ADD COLUMN more BLOB AS (zeroblob(400000000))", "not a dipsat journal",
    ),
    "table": ("CREATE TABLE more (other)", "not a dipsat journal"),
    "of somebody else": (
        "DROP TABLE about; DROP TABLE stages; DROP TABLE done; CREATE TABLE games (name TEXT)",
        "not a dipsat journal",
    ),
    "of values of any size": (
        "UPDATE done SET result = zeroblob(40000000) WHERE at = 0", "too big",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "problem"), STRANGE.values(), ids=STRANGE)
def test_a_strange_journal_is_refused(changes: str, problem: str, tmp_path: Path) -> None:
    """Nothing that it could compute is computed."""
    path = tmp_path / "journal"
    kept(path)
    with closing(sqlite3.connect(path)) as opened:
        opened.executescript(changes)
    with pytest.raises(JournalError, match=problem):
        kept(path)


class Attack:
    """A value that touches a file when it is read from a pickle."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.target,)


@pytest.mark.parametrize("is_pickle", [True, False])
def test_nothing_in_a_journal_is_run(tmp_path: Path, is_pickle: bool) -> None:
    path, target = tmp_path / "journal", tmp_path / "target"
    kept(path)
    text = json.dumps([["pathlib Path.touch", str(target)]]).encode()
    sent = pickle.dumps(Attack(target)) if is_pickle else text
    with closing(sqlite3.connect(path)) as opened, opened:
        opened.execute("UPDATE done SET result = ? WHERE at = 0", (zlib.compress(sent),))
    with pytest.raises(JournalError, match="the result of piece 1 is damaged"):
        kept(path)
    assert not target.exists()


@exhaustive
def test_a_result_that_could_not_be_read_again_is_not_kept(tmp_path: Path) -> None:
    stage: Stage[int, Any] = Stage("bytes", bytes, given_up)
    with pytest.raises(JournalError, match="more than 16 MB"):
        kept(tmp_path / "journal", stage, [2**24])


@pytest.mark.parametrize("name", ["", "x" * 300, "\0"])
def test_what_is_not_a_name_of_a_file_is_refused(name: str) -> None:
    with pytest.raises(FileError, match=r"is not a file name|cannot be opened"):
        kept(name)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
@pytest.mark.parametrize("name", [":memory:", "file:journal?mode=memory"])
def test_a_name_that_means_something_to_sqlite_is_the_name_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    kept(name)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on files")
def test_a_full_disk_loses_nothing_that_is_done(tmp_path: Path) -> None:
    import resource

    path = tmp_path / "journal"
    long: Stage[int, str] = Stage("long", noise, given_up)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
    try:
        with pytest.raises(JournalError, match="journal: "):
            kept(path, long, range(100))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with closing(sqlite3.connect(path)) as opened, opened:
        (done,) = opened.execute("SELECT count(*) FROM done").fetchone()
    assert 0 < done < 100
    assert kept(path, long, range(100)) == [(number, noise(number)) for number in range(100)]


def test_a_result_that_no_journal_can_keep_is_refused_when_it_is_found(tmp_path: Path) -> None:
    target = tmp_path / "target"
    with pytest.raises(JournalError, match="a result cannot be kept"):
        list(studies.run_many(Attack, [target], Workers(resume=tmp_path / "journal")))
    assert not target.exists()


# Fingerprints


@exhaustive
def test_fingerprints_are_the_same_in_every_process_and_tell_values_apart() -> None:
    code = (
        "from functools import partial\nimport dipsat\n"
        "from dipsat.studies.journal import fingerprint\n"
        "from dipsat.rules.profile_files import load_profile\n"
        "print(fingerprint(partial(max, load_profile('datc'), {'b', 'a'}, x={'y': 1.5})))\n"
        "print(fingerprint(dipsat.load_map('standard')))"
    )
    found = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, encoding="utf-8", check=True,
            cwd=Path(dipsat.__file__).parents[1],
        )  # fmt: skip
        found.add(done.stdout)
    assert len(found) == 1
    values = [
        1, 1.0, True, "1", b"1", None, (1,), [1], {1}, {1: 1}, {1: 2}, {2: 1}, Path("1"), int,
        partial(int), partial(int, 1), load_profile("datc"), load_profile("1982"),
    ]  # fmt: skip
    assert len({fingerprint(value) for value in values}) == len(values)


def test_a_value_that_contains_itself_has_no_fingerprint() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(WorkerError, match="contains itself"):
        fingerprint(value)


# One function on many arguments


def test_each_call_has_its_result_or_its_error() -> None:
    done = list(studies.run_many(dipsat.load_map, ["standard", "nowhere", "colonial"]))
    assert [one.given for one in done] == ["standard", "nowhere", "colonial"]
    assert [one.result and one.result.name for one in done] == ["standard", None, "colonial"]
    assert isinstance(done[1].error, UnknownNameError)


@pytest.mark.parametrize("is_told", [False, True])
def test_a_journal_keeps_results_of_dipsat_and_their_errors(
    is_told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if a package tells Python another way to pickle errors, as one that Dask needs does."""
    if is_told:
        monkeypatch.setitem(
            copyreg.dispatch_table, UnknownNameError, lambda one: (len, (str(one),))
        )
    path = tmp_path / "journal"
    work = [{"ENGLAND": ["A NWY"]}, {"ENGLAND": ["F NOWHERE"]}]

    def run() -> list[Any]:
        done = studies.run_many(dipsat.Position.from_units, work, Workers(resume=path))
        return [one.result or str(one.error) for one in done]

    first = run()
    with closing(sqlite3.connect(path)) as opened:
        assert opened.execute("SELECT count(*) FROM done").fetchone() == (2,)
    assert run() == first
    assert first[0] == dipsat.Position.from_units(work[0])
    assert "NOWHERE" in first[1]


@pytest.fixture(scope="module")
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as found:
        yield found


class Unreadable:
    """A value that can be pickled, but not read again."""

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("x",)


def nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


def odd(number: int) -> Any:
    kinds = (int, lambda _: threading.Lock(), lambda _: Unreadable(), lambda _: nested(100_000))
    return kinds[number](number)


@exhaustive
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_result_that_cannot_be_sent_is_an_error_in_its_turn(
    threads: Executor, number: int
) -> None:
    done = studies.run_many(odd, [0, number, 0], threads)
    assert next(done).result == 0
    with pytest.raises(WorkerError, match=r"a result cannot be (sent back|read)"):
        next(done)


def test_a_result_that_cannot_be_kept_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="a result cannot be kept"):
        list(studies.run_many(odd, [1], Workers(resume=tmp_path / "journal")))


def test_an_argument_without_a_fingerprint_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(WorkerError, match="nested too deeply"):
        list(studies.run_many(len, [nested(20_000)], Workers(resume=tmp_path / "journal")))


class SameThread(Executor):
    """An executor that does everything at once."""

    def submit(self, do: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(do(*args, **kwargs))
        return future


def total(number: int) -> int:
    with ThreadPoolExecutor(2) as inner:
        own: list[Jobs] = [inner, SameThread()]
        return sum(
            one.result or 0 for jobs in own for one in studies.run_many(abs, [number, -1], jobs)
        )


@pytest.mark.parametrize("outer", [ThreadPoolExecutor(2), SameThread()])
def test_a_function_may_have_workers_of_its_own(outer: Executor) -> None:
    """Each thread does one piece at a time, and they must not wait for each other."""
    found: list[Any] = []
    call = threading.Thread(
        target=lambda: found.extend(studies.run_many(total, range(4), outer)), daemon=True
    )
    call.start()
    call.join(timeout=60)
    assert [one.result for one in found] == [2 * number + 2 for number in range(4)]
    outer.shutdown()


@exhaustive
def test_the_example_of_the_docs_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = [text for text in blocks(page("docs/cluster.md"), "python") if "run_many" in text]
    few = example.replace("range(100)", "range(3)").replace("jobs=4", "jobs=1")
    exec(few, {"__name__": "__main__"})  # noqa: S102  # our own page
    printed = capsys.readouterr().out.split()
    assert len(printed) == 3
    assert set(printed) <= {"found", "impossible"}
