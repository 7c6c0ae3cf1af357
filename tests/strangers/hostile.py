"""`python -m tests hostile [CLASS]`: hostile inputs of every class, each in a process of its own.

Each ends in a result or in one `DipsatError`, within 5 seconds of CPU time and 500 megabytes. The
table shows what each answers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from tests.strangers.fuzzing.watch import SECONDS, Cost, cost_of, in_child
from tests.strangers.hostile_readers import (
    beyond_limits,
    gzip_bombs,
    quadratic_readers,
    replayed_files,
)
from tests.strangers.hostile_rules import chained_rules, doubling_rules, endless_rules, judged

CLASSES: Mapping[str, Callable[[], Iterator[tuple[str, Callable[[], object]]]]] = {
    "rules that never end": endless_rules,
    "chains for engines": chained_rules,
    "rules that double": doubling_rules,
    "readers": quadratic_readers,
    "limits": beyond_limits,
    "gzip": gzip_bombs,
    "replays": replayed_files,
}
"""Class of hostile inputs -> its inputs: the name of each, and what reads it."""


def costs(kind: str, step: int = 1, seconds: float = SECONDS) -> Iterator[tuple[str, Cost]]:
    """The names of the inputs of a class, or of every `step`-th of them, and what they cost."""
    judged("")  # so that no child need load rules and map
    for name, act in islice(CLASSES[kind](), 0, None, step):
        found = in_child(partial(cost_of, act, seconds))
        yield f"{kind}: {name}", found if isinstance(found, Cost) else Cost("none", found)


def main(arguments: Sequence[str]) -> None:
    """Print the table of all classes, or of those named."""
    faults = 0
    print(f"{'CPU s':>6}  {'MB':>4}  answer                    input")
    for kind in arguments or CLASSES:
        found = dict(costs(kind))
        for name, one in found.items():
            faults += bool(one.fault)
            fault = one.fault and f"  <- {one.fault}"
            print(f"{one.seconds:6.2f}  {one.megabytes:4}  {one.answer[:40]:24}  {name}{fault}")
        slowest = max(found, key=lambda name: found[name].seconds)
        largest = max(found, key=lambda name: found[name].megabytes)
        print(
            f"== {kind}: {len(found)} inputs; {found[slowest].seconds:.1f} s at most ({slowest}), "
            f"{found[largest].megabytes} MB at most ({largest})"
        )
    print(f"{faults} faults")
    sys.exit(bool(faults))
