"""Fuzzing by coverage: atheris keeps inputs that reach new code of dipsat, to damage them further.

Each target runs in a process of its own, which libFuzzer ends. The inputs that reached something
new stay in a folder, and the next run begins with them.
"""

from __future__ import annotations

import gc
import mmap
import os
import random
import struct
import sys
import traceback
from collections import Counter
from functools import partial
from pathlib import Path
from types import FunctionType

from dipsat.errors import DipsatError
from tests.strangers.fuzzing.run import Tally, limit_memory, save
from tests.strangers.fuzzing.targets import Damage, Target
from tests.strangers.fuzzing.watch import cost_of
from tests.strangers.fuzzing.words import MOST

_FIGURES = struct.Struct("qqqqd")
_FIRST = 200  # seeds, and as many made inputs, to begin a new folder


def guided(target: Target, seconds: float, seed: int, folder: Path) -> Tally:
    """Fuzz a target for some seconds by the clock."""
    shared = mmap.mmap(-1, _FIGURES.size)
    child = os.fork()
    if child == 0:
        try:
            limit_memory()
            _fuzz(target, seconds, seed, folder, shared)
        except Exception:
            traceback.print_exc()
        os._exit(1)  # libFuzzer has not ended the process
    _, status, used = os.wait4(child, 0)
    count, read, faults, most, slowest = _FIGURES.unpack(shared)
    found = Counter({"guided": faults}) if faults else Counter[str]()
    if status:
        found[f"the process died ({status})"] += 1
    return Tally(count, read, used.ru_utime + used.ru_stime, slowest, most, found)


def _fuzz(target: Target, seconds: float, seed: int, folder: Path, shared: mmap.mmap) -> None:
    import atheris  # not among dipsat's dependencies

    damage, found = Damage(target), Tally()
    corpus = folder / f"{target.name}-corpus"
    _fill(corpus, damage, seed)
    _load_everything(damage)
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and str(function.__module__).startswith("dipsat"):
            atheris.instrument_func(function)

    def one(data: bytes) -> None:
        text = _text(data)
        cost = cost_of(partial(target.run, text))
        found.add(cost)
        if cost.fault:
            save(target, text, cost.fault, found.faults, folder)
        faults = found.faults.total()
        shared[:] = _FIGURES.pack(found.inputs, found.read, faults, found.megabytes, found.slowest)

    def mutated(data: bytes, most: int, chance: int) -> bytes:
        rng = random.Random(chance)
        text = damage.damaged(_text(data), rng) if rng.random() < 0.9 else damage.input(rng)
        return text.encode(errors="surrogatepass")[:most]

    options = [
        f"-max_total_time={int(seconds)}", f"-max_len={4 * MOST}", "-len_control=0",
        f"-seed={seed + 1}", "-rss_limit_mb=0", "-timeout=3600",
        "-verbosity=0",
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *options, str(corpus)], one, custom_mutator=mutated)
    atheris.Fuzz()


def _fill(corpus: Path, damage: Damage, seed: int) -> None:
    """Begin a new folder with good inputs."""
    if corpus.is_dir():
        return
    corpus.mkdir(parents=True)
    rng = random.Random(seed)
    texts = rng.sample(damage.seeds, min(_FIRST, len(damage.seeds)))
    texts += [damage.input(rng) for _ in range(_FIRST)]
    for number, text in enumerate(texts):
        data = text.encode(errors="surrogatepass")
        (corpus / f"seed-{number}").write_bytes(data)


def _load_everything(damage: Damage) -> None:
    """Run some good inputs, so that what dipsat imports late is there to be watched."""
    for text in damage.seeds[:20]:
        try:
            damage.target.run(text)
        except DipsatError:
            continue


def _text(data: bytes) -> str:
    return data.decode(errors="surrogateescape").encode(errors="replace").decode()
