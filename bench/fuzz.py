"""`python -m bench fuzz [TARGET] [SECONDS]`: feed damaged inputs to every reader of dipsat.

Whatever a reader gets, it must return a result or raise one `DipsatError`, within 5 seconds of
processor time and 500 megabytes. Inputs are good ones, damaged by words: left out, doubled, many
times over, nested, or taken from another. With the package `atheris`, `--guided` lets the coverage
of dipsat's code choose what to damage further. A fault is saved, and ends the run with status 1.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.fuzz_targets import TARGETS, Target
from dipsat.errors import DipsatError

SECONDS = 5  # of processor time for one input
MEGABYTES = 500  # more than at the start
_MOST = 200_000  # characters of an input
_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_ODD = (
    "", " ", "\n", "\t", "\r", "\0", "\x85", "\u2028", "\ud800", "\U0001f6a2", "'", '"', "|", "#",
    "{", "}", "[", "]", "(", ")", ":", "-", "- ", ": ", "&a", "*a", "!!x", "<<", "~", "null",
    "true", "0", "-1", "1e999", "99999999999999999999", "or", "and", "not", "in", "for", "if",
    "else", "==", "Province", "Unit", "any(", "sum(", "all(", "../../etc/passwd", "/dev/zero",
    "extends",
)  # fmt: skip


class _TooSlowError(BaseException):
    """The processor time for one input is over; no reader catches it."""


def damaged(text: str, others: Sequence[str], rng: random.Random) -> str:
    """The text with some of its words changed."""
    words = _WORD.findall(text)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        words = _CHANGES[rng.randrange(len(_CHANGES))](words, others, rng)[:_MOST] or [""]
    return "".join(words)[:_MOST]


def _part(words: list[str], rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(words) + 1)
    return start, min(len(words), start + rng.choice((1, 1, 2, 5, 20, 100)))


def _left_out(words: list[str], _: Sequence[str], rng: random.Random) -> list[str]:
    start, end = _part(words, rng)
    return words[:start] + words[end:]


def _repeated(words: list[str], _: Sequence[str], rng: random.Random) -> list[str]:
    start, end = _part(words, rng)
    times = rng.choice((2, 3, 10, 100, 3000))
    part = words[start:end]
    return words[:end] + part * min(times, _MOST // max(1, len(part))) + words[end:]


def _moved(words: list[str], _: Sequence[str], rng: random.Random) -> list[str]:
    start, end = _part(words, rng)
    rest = words[:start] + words[end:]
    at = rng.randrange(len(rest) + 1)
    return rest[:at] + words[start:end] + rest[at:]


def _odd(words: list[str], _: Sequence[str], rng: random.Random) -> list[str]:
    start, end = _part(words, rng)
    return [*words[:start], rng.choice(_ODD), *words[end if rng.random() < 0.5 else start :]]


def _replaced(words: list[str], _: Sequence[str], rng: random.Random) -> list[str]:
    start, _end = _part(words, rng)
    return [*words[:start], rng.choice(words or [""]), *words[start + 1 :]]


def _spliced(words: list[str], others: Sequence[str], rng: random.Random) -> list[str]:
    start, end = _part(words, rng)
    other = _WORD.findall(rng.choice(others))
    first, last = _part(other, rng)
    return words[:start] + other[first:last] + words[end if rng.random() < 0.5 else start :]


def _nested(words: list[str], _: Sequence[str], rng: random.Random) -> list[str]:
    start, end = _part(words, rng)
    depth = rng.choice((1, 2, 5, 30, 300))
    opening, closing = rng.choice((("(", ")"), ("[", "]"), ("{", "}"), ("not ", ""), ("- ", "")))
    return [*words[:start], opening * depth, *words[start:end], closing * depth, *words[end:]]


_CHANGES: tuple[Callable[[list[str], Sequence[str], random.Random], list[str]], ...] = (
    _left_out, _repeated, _moved, _odd, _replaced, _spliced, _nested,
)  # fmt: skip


def fault_of(target: Target, text: str) -> str:
    """What goes wrong with an input, "" if nothing does."""
    before = _megabytes()
    signal.signal(signal.SIGPROF, _too_slow)  # which would end the process otherwise
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        target.run(text)
    except DipsatError:
        pass
    except _TooSlowError:
        return f"more than {SECONDS} seconds"
    except Exception:
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    more = _megabytes() - before
    return f"{more} megabytes" if more > MEGABYTES else ""


def _megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _too_slow(*_: object) -> None:
    raise _TooSlowError


def fuzz(target: Target, seconds: float, seed: int, folder: Path) -> tuple[int, int]:
    """Feed damaged inputs to a target; return how many there were, and how many faults."""
    end, faults = time.process_time() + seconds, Counter[str]()
    for count, text in enumerate(inputs_of(target, seed)):
        if time.process_time() >= end:
            return count, faults.total()
        fault = fault_of(target, text)
        if fault:
            _save(target, text, fault, faults, folder)
    raise AssertionError("the inputs never end")


def inputs_of(target: Target, seed: int) -> Iterator[str]:
    """Damaged inputs without end, the same for the same seed."""
    rng, seeds = random.Random(seed), target.seeds()
    while True:
        yield damaged(rng.choice(seeds), seeds, rng)


def _save(target: Target, text: str, fault: str, faults: Counter[str], folder: Path) -> None:
    """Show a fault of a new kind, and save its input."""
    kind = fault.strip().splitlines()[-1]
    faults[kind] += 1
    if faults[kind] > 1:
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{target.name}-{len(faults)}.txt"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    print(f"{target.name}: {fault.strip()}\nsaved as {path}", file=sys.stderr)


def guided(target: Target, seconds: float, folder: Path) -> None:
    """The same, with inputs that atheris chooses by what they reach; it ends the process."""
    import atheris  # not among dipsat's dependencies

    seeds = target.seeds()

    def one(data: bytes) -> None:
        fault = fault_of(target, data.decode("utf-8", errors="replace"))
        if fault:
            raise RuntimeError(fault)

    def mutated(data: bytes, most: int, seed: int) -> bytes:
        text = data.decode("utf-8", errors="replace")
        found: bytes = damaged(text, seeds, random.Random(seed)).encode(errors="replace")[:most]
        return found

    corpus = folder / f"{target.name}-corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(seeds):
        (corpus / f"seed-{number}").write_text(text, encoding="utf-8")
    options = [f"-max_total_time={int(seconds)}", f"-max_len={_MOST}", "-timeout=60"]
    atheris.instrument_all()
    atheris.Setup([sys.argv[0], *options, str(corpus)], one, custom_mutator=mutated)
    atheris.Fuzz()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m bench fuzz", description=__doc__)
    parser.add_argument("target", nargs="?", choices=["all", *TARGETS], default="all")
    parser.add_argument("seconds", nargs="?", type=float, default=60, help="for each target (60)")
    parser.add_argument("--seed", type=int, default=0, help="other seeds, other inputs (0)")
    parser.add_argument("--guided", action="store_true", help="by coverage, with atheris")
    parser.add_argument("--save", type=Path, default=Path("fuzz-faults"), metavar="FOLDER")
    given = parser.parse_args(arguments)
    chosen: list[Any] = [*TARGETS.values()] if given.target == "all" else [TARGETS[given.target]]
    faults = 0
    for target in chosen:
        if given.guided:
            guided(target, given.seconds, given.save)
        count, found = fuzz(target, given.seconds, given.seed, given.save)
        print(f"{target.name:12} {count:8} inputs  {found:4} faults")
        faults += found
    sys.exit(1 if faults else 0)
