"""Running targets, each in a process of its own, so that a crash or a hang is a fault as well."""

from __future__ import annotations

import mmap
import os
import pickle
import random
import resource
import select
import signal
import struct
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.strangers.fuzzing.targets import Damage, Target
from tests.strangers.fuzzing.watch import WAITING, Cost, cost_of

_MOST_MEMORY = 4 * 2**30  # of address space; far more than an input may use
_DEAD = 2 * WAITING  # seconds after which one input hangs where no signal is let in


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
        self.inputs += 1
        self.read += cost.is_read
        self.slowest = max(self.slowest, cost.seconds)
        self.megabytes = max(self.megabytes, cost.megabytes)

    def join(self, other: Tally) -> None:
        """Count the inputs of another process."""
        self.inputs += other.inputs
        self.read += other.read
        self.seconds += other.seconds
        self.slowest = max(self.slowest, other.slowest)
        self.megabytes = max(self.megabytes, other.megabytes)
        self.faults += other.faults

    def row(self, name: str) -> str:
        """A row of the table in docs/security.md."""
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
    while seconds > total.seconds:
        number = mmap.mmap(-1, 8)
        found, died = _in_process(target, seconds - total.seconds, seed, first, folder, number)
        total.join(found)
        if not died:
            break
        last: int = struct.unpack("q", number)[0]
        text = Damage(target).input(random.Random(f"{seed} {last}"))
        save(target, text, died, total.faults, folder)
        total.seconds += WAITING  # not known; as much as it may have taken at most
        first = last + 1
    return total


def _in_process(
    target: Target, seconds: float, seed: int, first: int, folder: Path, number: mmap.mmap
) -> tuple[Tally, str]:
    """The inputs from number `first` on, and how their process died, "" if it did not."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            limit_memory()
            found = inputs(target, seconds, seed, first, folder, number)
            os.write(writing, pickle.dumps(found))
            status = 0
        finally:
            sys.stderr.flush()
            os._exit(status)
    os.close(writing)
    hangs = _waits(reading, number)
    if hangs:
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reading, "rb") as stream:
        data = stream.read()
    _, status = os.waitpid(child, 0)
    if data:
        return pickle.loads(data), ""  # from our own process
    return Tally(), f"no answer in {_DEAD} seconds" if hangs else f"the process died ({status})"


def _waits(reading: int, number: mmap.mmap) -> bool:
    """Wait for the end of a process, and say whether it hangs at one input."""
    last, since = bytes(number[:8]), time.monotonic()
    while not select.select([reading], [], [], 1.0)[0]:
        if bytes(number[:8]) != last:
            last, since = bytes(number[:8]), time.monotonic()
        elif time.monotonic() - since > _DEAD:
            return True
    return False


def limit_memory() -> None:
    """Let this process have so much memory that only a fault can need it."""
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


def inputs(
    target: Target, seconds: float, seed: int, first: int, folder: Path, number: mmap.mmap | None
) -> Tally:
    """Feed inputs to a target in this process, whose current one is written into `number`."""
    found, start, damage = Tally(), time.process_time(), Damage(target)
    at = first
    while (spent := time.process_time() - start) < seconds:
        if number is not None:
            number[:8] = struct.pack("q", at)
        text = damage.input(random.Random(f"{seed} {at}"))
        cost = cost_of(target.run, text)
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
