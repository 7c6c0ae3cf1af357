"""Work on many boards in several threads."""

from __future__ import annotations

import threading
from collections.abc import Callable

from dipsat.errors import CodeError

_PIECE = 500  # boards that a thread takes at once: about a millisecond


def work_in_pieces(
    work: Callable[[int, int], object], count: int, threads: int, piece: int = _PIECE
) -> None:
    """Call `work` with ranges of `count` boards, in several threads; each takes the next range.

    Raises the `CodeError` of the first board that has one, and `MemoryError`.
    """
    if threads == 1:
        work(0, count)
        return
    pieces = iter(range(0, count, piece))
    faults: list[CodeError | MemoryError] = []

    def work_on() -> None:
        try:
            for first in pieces:
                work(first, min(first + piece, count))
                if faults:
                    return
        except (CodeError, MemoryError) as error:
            faults.append(error)

    workers = [threading.Thread(target=work_on) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if faults:
        raise min(faults, key=_first_board)


def _first_board(fault: CodeError | MemoryError) -> int:
    return fault.board or 0 if isinstance(fault, CodeError) else 0
