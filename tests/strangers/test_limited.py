"""Calls in a process of their own end when they outstay their limits, and so do commands."""

from __future__ import annotations

import inspect
import math
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import searches, studies
from dipsat.cli import main
from dipsat.errors import ArgumentError, FileError, LimitError, UnknownNameError, WorkerError
from tests.checkout import ROOT
from tests.exhaustive import exhaustive
from tests.phases import RING, position_of

START = dipsat.Position.start("standard")
ORDERS = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"]}


@exhaustive
def test_the_result_is_that_of_the_call() -> None:
    limits = dipsat.Limits(seconds=600, megabytes=2000)
    found = dipsat.run_limited(limits, dipsat.adjudicate, START, ORDERS)
    assert found.to_dict() == dipsat.adjudicate(START, ORDERS).to_dict()


@exhaustive
@pytest.mark.parametrize(
    ("function", "argument", "limits", "limit"),
    [
        (time.sleep, 600, dipsat.Limits(seconds=0.3), "seconds"),
        (bytearray, 10**9, dipsat.Limits(megabytes=300), "megabytes"),
    ],
)
def test_a_process_that_outstays_its_limits_is_ended(
    function: Any, argument: Any, limits: dipsat.Limits, limit: str
) -> None:
    with pytest.raises(LimitError) as caught:
        dipsat.run_limited(limits, function, argument)
    assert caught.value.limit == limit


@pytest.mark.parametrize("value", [0, -1, math.nan])
@pytest.mark.parametrize("name", ["seconds", "work", "megabytes"])
def test_a_limit_is_above_zero(name: str, value: float) -> None:
    with pytest.raises((LimitError, ArgumentError), match=name):
        dipsat.Limits(**{name: value})  # type: ignore[arg-type]  # a number of the wrong kind too


FUNCTIONS: dict[str, Any] = {
    name: getattr(face, name)
    for face in (dipsat, dipsat.searches, dipsat.studies)
    for name in face.__all__
    if inspect.isroutine(getattr(face, name)) and name != "run_limited"
} | {f"Game.{name}": getattr(dipsat.Game, name) for name in ("load", "from_dict", "new", "advance")}
LIMITED = {name for name, one in FUNCTIONS.items() if "limits" in inspect.signature(one).parameters}


def test_whatever_reads_judges_or_searches_takes_limits() -> None:
    """The exceptions read only names and orders, or make many judgements of boards of their own."""
    assert sorted(FUNCTIONS.keys() - LIMITED) == [
        "crosscheck_rows", "deviations", "explaining_deviations", "load_cases", "map_names",
        "profile_names", "profile_with", "random_board", "read_rows", "reader_for",
        "replay_rows", "run_case", "run_cases", "run_many", "stress", "structure_of",
        "variant_names", "write_line", "write_order", "write_phase", "write_rows",
    ]  # fmt: skip


@pytest.mark.parametrize("name", sorted(LIMITED))
def test_memory_is_limited_only_in_a_process_of_its_own(name: str, tmp_path: Path) -> None:
    outcome = dipsat.adjudicate(START, ORDERS)
    game = dipsat.Game.standard()
    path = tmp_path / "game.json"
    game.save(path)
    arguments: dict[str, tuple[Any, ...]] = {
        "Game.advance": (game,), "Game.from_dict": (game.to_dict(),), "Game.load": (path,),
        "Game.new": (), "adjudicate": (START, ORDERS), "check_map": ("standard",),
        "answer": ({"request": "rules"},),
        "check_profile": ("datc",),
        "compare": (START, ORDERS, ["datc", "1971"]), "impact": ("1971", [path]),
        "explain": (outcome, "A PAR"),
        "confirm_fewest": (searches.Lines(centres=3), 1),
        "crosscheck": (["solver", "dip_eval"], [path]), "hold_line": (path,),
        "import_maps": (path,), "load_games": (path,), "load_map": (path,), "load_phase": (path,),
        "load_profile": ("datc",), "parse_map": ("{}", ""), "parse_profile": ("{}", ""),
        "parse_phase": ("England:\n A Lon H", "a.txt"),
        "prove": (START, ORDERS), "replay_files": ([path],),
        "search": (START, dipsat.Paradox()), "search_smallest": (dipsat.Paradox(),),
    }  # fmt: skip
    call, limits = FUNCTIONS[name], dipsat.Limits(megabytes=500)
    with pytest.raises(LimitError, match="run_limited"):
        list(call(*arguments[name], limits=limits))  # some read when asked for the first result


def test_what_is_not_decided_within_the_work_is_unknown() -> None:
    paradox = {
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
    }
    position = position_of(paradox)
    limits = dipsat.Limits(work=1)
    outcome = dipsat.adjudicate(position, paradox, limits=limits)
    assert {order.verdict for order in outcome.orders} >= {"unknown"}
    assert dipsat.prove(position, paradox, limits=limits).verdict == "unknown"
    assert dipsat.prove(position, paradox, limits=dipsat.Limits(work=100_000)).verdict != "unknown"


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dipsat", *arguments],
        check=False, capture_output=True, text=True, input="", cwd=ROOT,
    )  # fmt: skip


@exhaustive
@pytest.mark.parametrize(("limit", "value"), [("--timeout", "0.05"), ("--memory", "30")])
def test_a_command_that_outstays_its_limits_ends_with_one_message(limit: str, value: str) -> None:
    done = command(limit, value, "rules", "stress", "datc", "-j", "1")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: the command ")


@exhaustive
def test_limits_that_are_enough_change_nothing() -> None:
    arguments = ("adjudicate", "docs/examples/bounce.txt")
    free = CliRunner().invoke(main, [arguments[0], str(ROOT / arguments[1])])
    assert free.exit_code == 0
    assert command("--timeout", "600", "--memory", "4000", *arguments).stdout == free.stdout


@exhaustive
def test_work_and_files_are_kept_by_the_function_itself(tmp_path: Path) -> None:
    rules = tmp_path / "own.yaml"
    rules.write_text("name: own\nextends: datc\n", encoding="utf-8")
    closed = dipsat.Limits(seconds=600, files=dipsat.Files.none(), work=1)
    found = dipsat.run_limited(closed, dipsat.adjudicate, position_of(RING), RING)
    assert {order.verdict for order in found.orders} == {"unknown"}
    with pytest.raises(FileError):
        dipsat.run_limited(closed, dipsat.load_profile, str(rules))


def test_limits_that_nobody_would_keep_are_refused() -> None:
    closed = dipsat.Limits(files=dipsat.Files.none())
    for call in (studies.random_board, bytearray):
        with pytest.raises(LimitError, match="takes no `limits`"):
            dipsat.run_limited(closed, call, 1)
    with pytest.raises(LimitError, match="given twice"):
        dipsat.run_limited(dipsat.Limits(work=1), dipsat.load_map, "standard", limits=closed)


@pytest.mark.parametrize(
    ("function", "arguments", "error", "said"),
    [
        (divmod, (1, 0), ZeroDivisionError, "by zero"),
        (dipsat.load_profile, ("1972",), UnknownNameError, "unknown profile '1972'"),
        (sys.exit, (3,), WorkerError, "ended with status 3"),
        (lambda: 1, (), WorkerError, "cannot be sent to another process"),
        (threading.Lock, (), WorkerError, "the result cannot be sent"),
    ],
)
def test_errors_of_any_function_arrive_as_they_are(
    function: Any, arguments: tuple[Any, ...], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said) as caught:
        dipsat.run_limited(dipsat.Limits(seconds=600), function, *arguments)
    assert getattr(caught.value, "name", "1972") == "1972"


@exhaustive
def test_an_iterator_is_returned_as_a_list(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    dipsat.Game.standard().save(path)
    (game,) = dipsat.run_limited(dipsat.Limits(seconds=600), dipsat.load_games, path)
    assert str(game.phase) == "S1901M"


WORKERS = """
import os, sys, time
from multiprocessing import get_context
def wait():
    print(os.getpid(), file=open(sys.argv[1], "a")); time.sleep(600)
def start():
    one = get_context("fork").Process(target=wait)
    one.start()
    one.join()
def started(path):
    sys.argv[1:] = [path]
    start()
"""


def is_over(pid: int) -> bool:
    """Whether a process has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().split()[2] == "Z"


@exhaustive
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked only where they can be")
def test_workers_end_with_the_process_that_is_ended(tmp_path: Path) -> None:
    """Those of a call, and those of a command."""
    seen = tmp_path / "pids"
    call = (
        "import sys, dipsat, workers\n"
        "dipsat.run_limited(dipsat.Limits(seconds=2), workers.started, sys.argv[1])"
    )
    (tmp_path / "workers.py").write_text(WORKERS, encoding="utf-8")
    command = (
        "import workers\nfrom dipsat.base.child_process import end_after\n"
        "end_after(2, 'late')\nworkers.start()"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(seen)], cwd=tmp_path,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        )
        for code in (call, command)
    ]  # fmt: skip
    assert 0 not in [process.wait(timeout=60) for process in started]
    workers = list(map(int, seen.read_text().split()))
    assert len(workers) == len(started)
    for pid in workers:
        for _ in range(100):
            if is_over(pid):
                break
            time.sleep(0.05)
        else:
            pytest.fail("the worker is still there")


@pytest.mark.parametrize("seconds", ["nan", "0", "soon"])
def test_a_time_limit_is_a_number_above_zero(seconds: str) -> None:
    arguments = ["--timeout", seconds, "adjudicate", str(ROOT / "docs/examples/bounce.txt")]
    done = CliRunner().invoke(main, arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "error: Invalid value for '--timeout'" in done.stderr
