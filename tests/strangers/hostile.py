"""`python -m tests hostile`: hostile inputs of every class, each in a process of its own.

Each ends in a result or in one `DipsatError`, within `MAX_SECONDS` of CPU time and `MAX_MEGABYTES`
of memory. The table shows what each answers; `--worst N` shows those that take most.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from dipsat.cli import main as cli
from dipsat.errors import DipsatError
from dipsat.studies import order_equations
from tests.checkout import ROOT
from tests.memory import peak_megabytes
from tests.strangers.hostile_readers import (
    beyond_limits,
    broken_files,
    gzip_bombs,
    named_files,
    quadratic_readers,
    replayed_files,
    strange_names,
)
from tests.strangers.hostile_rules import chained_rules, doubling_rules, endless_rules

MAX_SECONDS = 5.0
MAX_MEGABYTES = 500
WATCHDOG = 120
"""Seconds after which a process is ended: many times what is allowed, for a busy machine."""

Act = Callable[[], object]

CLASSES: Mapping[str, Callable[[], Iterator[tuple[str, Act]]]] = {
    "rules that never end": endless_rules,
    "chains for engines": chained_rules,
    "rules that double": doubling_rules,
    "readers": quadratic_readers,
    "limits": beyond_limits,
    "gzip": gzip_bombs,
    "replays": replayed_files,
    "files": named_files,
    "names": strange_names,
    "broken": broken_files,
}
"""Class of hostile inputs -> its inputs: the name of each, and what reads it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an input ended in: `result`, the name of a `DipsatError`, or `FAULT` and why; the CPU
    seconds that it took, and the megabytes of memory that its process had at most, 0 if these are
    no more than before."""

    name: str
    answer: str
    seconds: float
    megabytes: int

    @property
    def fault(self) -> str:
        """What is wrong with it, "" if nothing is."""
        if self.answer.startswith("FAULT"):
            return self.answer
        if self.seconds > MAX_SECONDS:
            return f"{self.seconds:.1f} seconds"
        return f"{self.megabytes} MB" if self.megabytes > MAX_MEGABYTES else ""


def answer_of(name: str, act: Act) -> Answer:
    """Run an input here. What it prints is thrown away."""
    before, start = _seconds(), peak_megabytes()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            act()
            answer = "result"
        except DipsatError as error:
            short = len(str(error)) < 10_000
            answer = type(error).__name__ if short else "FAULT: a long message"
        except SystemExit as end:
            answer = f"exit {end.code}"
        except BaseException as error:
            answer = f"FAULT: {error!r}"[:300]
    most = peak_megabytes()
    more = most if most > start else 0  # else all of it is what the process has had before
    return Answer(name, answer, round(_seconds() - before, 2), more)


def _seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def run_usual() -> None:
    """Adjudicate usual orders, so that each child need not load commands, rules and map again."""
    orders = str(ROOT / "docs" / "examples" / "bounce.txt")
    done = answer_of("usual", lambda: cli(["adjudicate", orders], standalone_mode=False))
    assert not done.fault, done


def run_class(kind: str, first: int = 0, step: int = 1) -> Iterator[Answer]:
    """The answers of a class, or of every so many inputs of it. Each input is run in a child of
    this process, which has made it."""
    for name, act in islice(CLASSES[kind](), first, None, step):
        yield in_child(f"{kind}: {name}", act)


def in_child(name: str, act: Act) -> Answer:
    """Run an input in a fork of this process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            _limit_seconds()
            found = answer_of(name, act)
            text = json.dumps([found.name, found.answer, found.seconds, found.megabytes])
            os.write(writing, text.encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read().decode()
    _, status, used = os.wait4(child, 0)
    if not text:
        return Answer(name, f"FAULT: ended with status {status}", used.ru_utime, 0)
    return Answer(*json.loads(text))


def _limit_seconds() -> None:
    """The watchdog: the system ends this process."""
    resource.setrlimit(resource.RLIMIT_CPU, (WATCHDOG, WATCHDOG))


def answers(kind: str, first: int = 0, step: int = 1, sooner: int = 1) -> list[Answer]:
    """The answers of a class, or of every so many inputs of it, from a fresh process. Engines give
    up so many times `sooner`."""
    command = [
        sys.executable,
        "-m",
        "tests.strangers.hostile",
        kind,
        *map(str, (first, step, sooner)),
    ]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    return [Answer(*json.loads(line)) for line in done.stdout.splitlines()]


def main(arguments: Sequence[str]) -> None:
    """Print the table of all classes, or of those named."""
    faults = 0
    print(f"{'CPU s':>6}  {'MB':>4}  answer                    input")
    for kind in arguments or CLASSES:
        found = answers(kind)
        for one in found:
            faults += bool(one.fault)
            mark = "  <- " + one.fault if one.fault else ""
            print(f"{one.seconds:6.2f}  {one.megabytes:4}  {one.answer[:40]:24}  {one.name}{mark}")
        slowest, largest = (
            max(found, key=lambda one: one.seconds), max(found, key=lambda one: one.megabytes),
        )  # fmt: skip
        print(
            f"== {kind}: {len(found)} inputs; {slowest.seconds:.1f} s at most ({slowest.name}), "
            f"{largest.megabytes} MB at most ({largest.name})"
        )
    print(f"{faults} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    _kind, _first, _step, _sooner = sys.argv[1], *map(int, sys.argv[2:])
    order_equations.MAX_STEPS //= _sooner
    run_usual()
    for one in run_class(_kind, _first, _step):
        print(json.dumps([one.name, one.answer, one.seconds, one.megabytes]), flush=True)
