"""What a child process with sanitizers runs: games, legal orders and garbage under one profile.

    python -m tests.kernel.sanitized_games RULES MAP GAMES

A fault that a sanitizer finds ends it with a report.
"""

from __future__ import annotations

import random
import sys
from array import array
from collections.abc import Callable

from dipsat.errors import CodeError
from dipsat.kernel import Batch, PositionCodes, library
from dipsat.kernel.codes import positions_as_arrays
from tests.kernel.kernel_agreement import random_boards
from tests.kernel.sanitized_batch import garbled, sanitized

FIELDS = ("phases", "counts", "units", "dislodged", "retreats", "owners")


def spoilt(
    batch: Batch, codes: PositionCodes, choose: random.Random, changes: int
) -> PositionCodes:
    """Positions in which some numbers are changed."""
    found = positions_as_arrays(codes, batch.numbers)
    for _ in range(changes):
        numbers = getattr(found, choose.choice(FIELDS))
        spoil(numbers, choose, 8 * numbers.itemsize)
    return found


def spoil(numbers: array[int], choose: random.Random, bits: int) -> None:
    """Change one number, most into one that is nearly right."""
    near = choose.choice([*range(10), 50, 63, 64, 65, 75, 80, 82, 254, 255, 2**bits - 1])
    numbers[choose.randrange(len(numbers))] = near & (2**bits - 1)


def is_refused(call: Callable[..., object], *given: object) -> bool:
    """Whether a call finds the codes faulty."""
    try:
        call(*given)
    except CodeError:
        return True
    return False


def main(rules: str, map: str, count: int) -> None:
    """Play games, list legal orders, and try garbage."""
    library.build_and_load = sanitized  # type: ignore[assignment, attr-defined]
    batch = Batch(rules, map, native=True)
    choose, refused = random.Random(1), 0
    played = batch.play(count, seed=1, record=True, threads=2)
    for units in (1, 15, 30, len(batch.map.centers) + 70):
        codes = batch.encode(random_boards(batch, range(count), units))
        batch.legal_orders(codes)
        for changes in [1] * 20 + [5, 50]:
            refused += is_refused(batch.legal_orders, garbled(codes, choose, changes))
    for phase in played.record:
        for changes in (0, 1, 1, 2, 5, 50):
            positions = spoilt(batch, phase.positions, choose, changes)
            orders = array("H", phase.orders)
            for _ in range(changes):
                spoil(orders, choose, 16)
            refused += is_refused(batch.legal_orders, positions)
            refused += is_refused(batch.advance, positions, orders)
            refused += is_refused(lambda found: batch.play(found, phases=3), positions)
    print(refused, "refused")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
