"""`python -m tests fuzz [TARGET] [SECONDS]`: feed damaged inputs to every reader of dipsat.

Whatever a reader gets, it must return a result or raise one `DipsatError`, within 5 seconds of
processor time and 500 megabytes; what it accepts is then adjudicated, proven, explained, searched
and saved. Inputs are good ones, damaged by words, by lines or as documents, or made at random. With
the package `atheris`, `--guided` lets the coverage of dipsat's code choose what to damage further.
A fault is saved, and ends the run with status 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from tests.strangers.fuzzing.run import HEAD, Tally, fuzz
from tests.strangers.fuzzing.targets import TARGETS


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests fuzz", description=__doc__)
    parser.add_argument("target", nargs="?", choices=["all", *TARGETS], default="all")
    parser.add_argument("seconds", nargs="?", type=float, default=60, help="for each target (60)")
    parser.add_argument("--seed", type=int, default=0, help="other seeds, other inputs (0)")
    parser.add_argument("--guided", action="store_true", help="by coverage, with atheris")
    parser.add_argument("--save", type=Path, default=Path("fuzz-faults"), metavar="FOLDER")
    given = parser.parse_args(arguments)
    chosen = [*TARGETS.values()] if given.target == "all" else [TARGETS[given.target]]
    run = fuzz
    if given.guided:
        if find_spec("atheris") is None:
            parser.error("--guided needs a package that is not installed: pip install atheris")
        from tests.strangers.fuzzing.guided import guided as run
    total = Tally()
    print(HEAD, flush=True)
    for target in chosen:
        found = run(target, given.seconds, given.seed, given.save)
        print(found.row(target.name), flush=True)
        total.join(found)
    print(total.row("all"))
    sys.exit(1 if total.faults else 0)
