"""What a child process with sanitizers runs: boards and garbage under one profile on one map.

    python -m tests.kernel.sanitized_batch RULES MAP BOARDS

A fault that a sanitizer finds ends it with a report.
"""

from __future__ import annotations

import random
import sys
from array import array
from typing import Any

from dipsat.errors import CodeError
from dipsat.kernel import Batch, BoardCodes, library
from dipsat.kernel.library_cache import build, compilers, load
from tests.kernel.kernel_agreement import random_boards
from tests.kernel.sanitizers import SANITIZED

FIELDS = {"starts": "I", "units": "H", "orders": "H", "seasons": "B", "owners": "B"}


def sanitized(source: str, flags: tuple[str, ...]) -> Any:
    """In place of `build_and_load`."""
    compiler = next(compilers(), None)
    assert compiler is not None
    library = build(source, ("-O0", *flags[1:], *SANITIZED), compiler)
    return library, load(library)


def garbled(codes: BoardCodes, choose: random.Random, changes: int) -> BoardCodes:
    """Codes of which some numbers are changed, most into ones that are nearly right."""
    found = {name: array(kind, getattr(codes, name) or []) for name, kind in FIELDS.items()}
    for _ in range(changes):
        numbers = found[choose.choice([name for name in FIELDS if len(found[name])])]
        top = 2 ** (8 * numbers.itemsize) - 1
        near = choose.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 50, 64, 75, 80, 81, 82, 254, 255, top])
        numbers[choose.randrange(len(numbers))] = (
            choose.choice([near, choose.randint(0, top)]) & top
        )
    return BoardCodes(**{name: one if len(one) else None for name, one in found.items()})  # type: ignore[arg-type]


def main(rules: str, map: str, count: int) -> None:
    """Adjudicate boards, and garbage."""
    vars(library)["build_and_load"] = sanitized
    batch = Batch(rules, map, native=True)
    choose, refused, most = random.Random(1), 0, len(batch.map.centers) + 70
    for units in (1, 15, 30, most):
        codes = batch.encode(random_boards(batch, range(count), units))
        batch.adjudicate(codes, threads=2)
        for changes in [1] * count + [2, 5, 50, 500] * 5:
            try:
                batch.adjudicate(garbled(codes, choose, changes))
            except CodeError:
                refused += 1
    print(refused, "refused")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
