"""A child process with sanitizers runs this: boards, games and garbage under one profile.

    python -m tests.kernel.sanitized RULES MAP

A fault that a sanitizer finds ends it with a report.
"""

from __future__ import annotations

import random
import sys
from array import array
from collections.abc import Callable
from tempfile import TemporaryDirectory

from dipsat.errors import DipsatError
from dipsat.kernel import Batch, BoardCodes, PositionCodes, library
from dipsat.kernel.codes import copied
from dipsat.kernel.library_cache import Library, compiled, compilers, load
from tests.kernel.kernel_agreement import random_boards
from tests.kernel.sanitizers import SANITIZED

FIELDS = {"starts": "I", "units": "H", "orders": "H", "seasons": "B", "owners": "B"}
_OF_POSITIONS = ("phases", "counts", "units", "dislodged", "retreats", "owners")


def sanitized(source: str, flags: tuple[str, ...]) -> Library:
    """Replaces `build_and_load`."""
    with TemporaryDirectory() as folder:
        own = ("-O0", *flags[1:], *SANITIZED)
        return Library(load(compiled(source, own, next(compilers()), folder)), "")


def spoil(numbers: array[int], choose: random.Random) -> None:
    """Change one number, mostly to one that is nearly right."""
    top = 2 ** (8 * numbers.itemsize) - 1
    near = [*range(10), 50, 63, 64, 65, 75, 80, 81, 82, 254, 255, top, choose.randint(0, top)]
    numbers[choose.randrange(len(numbers))] = choose.choice(near) & top


def garbled(codes: BoardCodes, choose: random.Random, changes: int) -> BoardCodes:
    """Codes of boards with some numbers changed."""
    found = {name: array(kind, getattr(codes, name) or []) for name, kind in FIELDS.items()}
    for _ in range(changes):
        spoil(found[choose.choice([name for name in FIELDS if len(found[name])])], choose)
    return BoardCodes(**{name: one if len(one) else None for name, one in found.items()})  # type: ignore[arg-type]


def spoilt(codes: PositionCodes, choose: random.Random, changes: int) -> PositionCodes:
    """Codes of positions with some numbers changed."""
    found = copied(codes)
    for _ in range(changes):
        spoil(getattr(found, choose.choice(_OF_POSITIONS)), choose)
    return found


def strange(batch: Batch, choose: random.Random) -> dict[str, list[str]]:
    """Texts for every power that are nearly orders of any phase."""
    tokens = [*map(str, batch.numbers.kinds), *"-HSCRDB", "VIA", "WAIVE", "", "\n", "\u00e9" * 9]
    tokens += choose.choices(batch.numbers.locations, k=6)
    return {
        power: [" ".join(choose.choices(tokens, k=choose.randrange(9))) for _ in range(3)]
        for power in batch.numbers.powers
    }


def is_refused(call: Callable[..., object], *given: object) -> bool:
    """Whether a call finds the codes or texts faulty."""
    try:
        call(*given)
    except DipsatError:
        return True
    return False


def main(rules: str, map: str) -> None:
    """Read texts, adjudicate boards, play games, list legal orders, and try garbage."""
    vars(library)["build_and_load"] = sanitized
    batch = Batch(rules, map, native=True)
    choose, refused = random.Random(1), 0
    assert batch._library is not None
    for position, _ in random_boards(batch, range(60), 30):
        texts = strange(batch, choose)
        refused += is_refused(batch.encode, [(position, texts)])
        refused += is_refused(batch.encode, [(texts, texts)])
    # On a small map, the largest board would be left to Python, which is slow.
    for units, boards in ((1, 8), (15, 8), (30, 8), (len(batch.map.centers) + 70, 1)):
        codes = batch.encode(random_boards(batch, range(boards), units))
        batch.adjudicate(codes, threads=2)
        batch.legal_orders(codes)
        batch._library.decided(codes)
        for changes in [1] * 20 + [2, 5, 50, 500] * 4:
            garbage = garbled(codes, choose, changes)
            refused += is_refused(batch.adjudicate, garbage)
            refused += is_refused(batch.legal_orders, garbage)
    for phase in batch.play(2, seed=1, phases=10, record=True, threads=2).record:
        for changes in (0, 1, 1, 2, 5, 50):
            positions = spoilt(phase.positions, choose, changes)
            orders = array("H", phase.orders)
            for _ in range(changes):
                spoil(orders, choose)
            refused += is_refused(batch.legal_orders, positions)
            refused += is_refused(batch.advance, positions, orders)
            refused += is_refused(lambda found: batch.play(found, phases=3), positions)
            given = [strange(batch, choose) for _ in range(len(positions))]
            refused += is_refused(batch.advance, positions, given)
    print(refused, "refused")


if __name__ == "__main__":
    main(*sys.argv[1:])
