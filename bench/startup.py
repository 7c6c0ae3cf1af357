"""The cost of short runs: processor time of the command line, memory for some boards."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec

import dipsat
from dipsat.studies import random_board
from tests.memory import megabytes_of

Figure = tuple[str, str, str]
ORDERS = "docs/examples/opening.txt"
BOARDS = 100


def startup_figures() -> Iterator[Figure]:
    """What was measured, and the value."""
    own = _seconds(_ADJUDICATE)
    remark = ""
    if find_spec("diplomacy"):
        remark = f"{own / _seconds('from diplomacy import Game'):.1f} times `import diplomacy`"
    yield "`dipsat adjudicate` on a file without a cycle", f"{own:.2f} s processor time", remark
    for how, presolve in (("", True), (", by Z3 without propagation", False)):
        code = f"from bench.startup import adjudicate_boards\nadjudicate_boards({presolve})"
        yield f"memory, {BOARDS} boards with all reasons{how}", f"{megabytes_of(code)} MB", ""


def adjudicate_boards(presolve: bool) -> None:
    """Adjudicate boards of 27 units, some with decision cycles."""
    for seed in range(BOARDS):
        board = random_board(seed)
        position = dipsat.Position.from_units(board.units)
        dipsat.adjudicate(position, board.orders, presolve=presolve).to_dict()


def _seconds(code: str) -> float:
    """The processor time of a process that runs the code and prints nothing."""
    measured = (
        f"{code}\n"
        "import resource\n"
        "use = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(use.ru_utime + use.ru_stime)\n"
    )
    command = [sys.executable, "-c", measured]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True) for _ in range(5)]
    return statistics.median(float(run.stdout) for run in runs)


_ADJUDICATE = f"""
import contextlib, io, runpy, sys
sys.argv = ["dipsat", "adjudicate", {ORDERS!r}]
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    runpy.run_module("dipsat", run_name="__main__")
"""
