"""Where the units of one board of a batch end."""

from __future__ import annotations

from dipsat.kernel.results import BatchResult


def ends_of(result: BatchResult, board: int) -> dict[str, str | None]:
    """For each unit of a board with codes its location after the phase, None if it is
    dislodged."""
    locations = result._coder.numbers.locations
    first, end = result.codes.starts[board], result.codes.starts[board + 1]
    pairs = zip(result.units(board), result.arrays.ends[first:end], strict=True)
    return {str(unit): locations[to] if to < len(locations) else None for unit, to in pairs}
