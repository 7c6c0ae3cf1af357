"""The speed on maps of every size: loading, a full board, all legal orders, convoys over many seas.

A full board has as many units as the map has supply centres. All figures come from one run, so rows
can be compared; the standard map comes first.
"""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

import dipsat
from dipsat import kernel
from dipsat.game import legal_orders
from dipsat.rules import Settings
from tests.large_boards import (
    full_orders,
    full_position,
    grid_map,
    grid_phase,
    related_board,
)
from tests.memory import megabytes_of

MAPS = ("standard", "colonial", "youngstown", "world", "known_world_901")
GRID = (10, 6)  # seas of the map with one army and 60 fleets that convoy it
BOARDS = 15  # per map
ROUNDS = 9

Figure = tuple[str, str, str]
"""What was measured, the value, and a remark."""


def map_figures() -> list[Figure]:
    """All rows."""
    figures = [figure for name in MAPS for figure in _map_rows(name)]
    return [*figures, *_convoy_rows(), *_memory_rows()]


def _map_rows(name: str) -> list[Figure]:
    code = (
        "import time, dipsat\nstart = time.process_time()\n"
        f"dipsat.load_map({name!r})\nprint(time.process_time() - start)"
    )
    loads = [float(_run(code)) for _ in range(3)]
    board = dipsat.load_map(name)
    positions = [full_position(board, seed) for seed in range(BOARDS)]
    wet = [full_position(board, seed, at_sea=True) for seed in range(BOARDS)]
    orders = [full_orders(position, seed) for seed, position in enumerate(positions)]
    phases = zip(positions, orders, strict=True)
    judged = _median([partial(dipsat.adjudicate, *phase) for phase in phases])
    listed = _median([partial(legal_orders, position, Settings()) for position in positions])
    slowest = _median([partial(legal_orders, position, Settings()) for position in wet])
    size = f"{len(board.provinces)} provinces, {len(positions[0].units)} units"
    count = sum(map(len, legal_orders(wet[0], Settings()).values()))
    return [
        (f"{name}: load", f"{statistics.median(loads) * 1e3:.0f} ms", size),
        (f"{name}: adjudicate a full board", f"{judged * 1e3:.1f} ms", ""),
        (f"{name}: all legal orders of all units", f"{listed * 1e3:.0f} ms", ""),
        (f"{name}: the same, units in all seas", f"{slowest * 1e3:.0f} ms", f"{count} orders"),
        *_compiled_rows(name),
    ]


def _compiled_rows(name: str) -> Iterator[Figure]:
    """Boards with few units, and with as many as fit."""
    batch = kernel.Batch(map=name, native=True)
    for units in (34, batch.numbers.most_units):
        boards = [related_board(batch, units, seed) for seed in range(BOARDS)]
        few, many = batch.encode(boards), batch.encode(boards * ROUNDS)
        listed = _median([partial(batch.legal_orders, few)] * ROUNDS) / BOARDS
        judged = _median([partial(batch.adjudicate, many)] * ROUNDS) / many.starts[-1]
        what = f"{name}: compiled, {few.starts[-1] // BOARDS} units"
        yield what, f"{judged * 1e9:.0f} ns a unit", f"all legal orders {listed * 1e3:.2f} ms"


def _median(actions: list[Callable[[], object]]) -> float:
    """The median time of the actions in seconds, after a warm-up."""
    for action in actions:
        action()
    gc.collect()
    times = []
    for action in actions:
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return statistics.median(times)


def _convoy_rows() -> list[Figure]:
    board = grid_map(*GRID)
    times = []
    for target in sorted(board.coastal - {"C00"}):
        position, orders = grid_phase(board, target)
        start = time.process_time()
        dipsat.adjudicate(position, orders)
        times.append(time.process_time() - start)
    start = time.process_time()
    count = sum(map(len, legal_orders(position, Settings()).values()))
    listed = time.process_time() - start
    what = f"{len(board.seas)} fleets convoy one army"
    slowest = f"slowest {max(times) * 1e3:.1f} ms"
    return [
        (f"{what}, each target once", f"{statistics.median(times) * 1e3:.1f} ms", slowest),
        (f"{what}: all legal orders", f"{listed * 1e3:.0f} ms", f"{count} orders"),
    ]


def _memory_rows() -> list[Figure]:
    most = megabytes_of("import bench.maps as b\nb.biggest_boards()")
    return [("memory, full boards and legal orders of the last two maps", f"{most} MB", "")]


def biggest_boards() -> None:
    """Adjudicate full boards of the biggest maps, and list their legal orders."""
    for name in MAPS[-2:]:
        for at_sea in (False, True):
            position = full_position(dipsat.load_map(name), 0, at_sea)
            dipsat.adjudicate(position, full_orders(position, 0)).to_dict()
            legal_orders(position, Settings())


def _run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.strip()
