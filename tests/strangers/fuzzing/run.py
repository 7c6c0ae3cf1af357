"""Running targets, each in a process of its own, so that a crash or a hang is a fault as well."""

from __future__ import annotations

import mmap
import random
import resource
import struct
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.strangers.fuzzing.targets import Damage, Target
from tests.strangers.fuzzing.watch import WAITING, Cost, cost_of, in_child, stay_alive

_MOST_MEMORY = 4 * 2**30  # of address space; far more than an input may use


@dataclass(slots=True)
class Tally:
    """What the inputs of a target cost so far."""

    inputs: int = 0
    read: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    megabytes: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    def add(self, cost: Cost) -> None:
        """Count an input."""
        is_read = cost.answer == "result" and not cost.fault
        self.join(Tally(1, is_read, 0.0, cost.seconds, cost.megabytes))

    def join(self, other: Tally) -> None:
        """Count the inputs of another process."""
        self.inputs += other.inputs
        self.read += other.read
        self.seconds += other.seconds
        self.slowest = max(self.slowest, other.slowest)
        self.megabytes = max(self.megabytes, other.megabytes)
        self.faults += other.faults

    def row(self, name: str) -> str:
        """A row of the table that the fuzzer prints."""
        share = 100 * self.read // max(1, self.inputs)
        return (
            f"| {name:11} | {self.inputs:>9,} | {share:>3} % | {self.seconds:>7,.0f} "
            f"| {self.slowest:>5.1f} | {self.megabytes:>4} | {self.faults.total():>3} |"
        )


HEAD = (
    "| target      | inputs    | read  | CPU s   | slowest s | MB | faults |\n"
    "| ---         | ---       | ---   | ---     | ---   | ---  | --- |"
)


def fuzz(target: Target, seconds: float, seed: int, folder: Path) -> Tally:
    """Feed damaged inputs to a target for some seconds of processor time."""
    total, first = Tally(), 0
    number = mmap.mmap(-1, 8)  # of the input that is read now
    while (left := seconds - total.seconds) > 0:
        found = in_child(partial(_inputs, target, left, seed, first, folder, number))
        if isinstance(found, Tally):
            total.join(found)
            break
        last: int = struct.unpack("q", number)[0]
        text = Damage(target).input(random.Random(f"{seed} {last}"))
        save(target, text, found, total.faults, folder)
        total.seconds += WAITING  # not known; as much as it may have taken at most
        first = last + 1
    return total


def limit_memory() -> None:
    """Limit the memory of this process to more than anything but a fault needs."""
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


def _inputs(
    target: Target, seconds: float, seed: int, at: int, folder: Path, number: mmap.mmap
) -> Tally:
    """Feed inputs to a target, from one on; the current one is written into `number`."""
    limit_memory()
    found, start, damage = Tally(), time.process_time(), Damage(target)
    while (spent := time.process_time() - start) < seconds:
        stay_alive()
        number[:8] = struct.pack("q", at)
        text = damage.input(random.Random(f"{seed} {at}"))
        cost = cost_of(partial(target.run, text))
        found.add(cost)
        if cost.fault:
            save(target, text, cost.fault, found.faults, folder)
        at += 1
    found.seconds = spent
    return found


def save(target: Target, text: str, fault: str, faults: Counter[str], folder: Path) -> None:
    """Show a fault of a new kind, and save its input."""
    kind = fault.strip().splitlines()[-1][:80]
    faults[kind] += 1
    if faults[kind] > 1:
        return
    folder.mkdir(parents=True, exist_ok=True)
    used = sum(1 for _ in folder.glob(f"{target.name}-*.txt"))
    path = folder / f"{target.name}-{used + 1}.txt"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    print(f"{target.name}: {fault.strip()}\nsaved as {path}", file=sys.stderr, flush=True)
