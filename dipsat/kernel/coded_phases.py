"""Phases as a few bytes each, adjudicated together, if compiled code settles them.

`MovesAtOnce` is for callers that judge the same movement phases under many profiles and only need
the differences. Phases that have no codes, or that compiled code leaves open, are left to the
caller. Nothing here asks dipsat's Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from dipsat.game import Position
from dipsat.kernel.batch import Batch
from dipsat.kernel.coder import owners_of
from dipsat.kernel.codes import BoardCodes
from dipsat.kernel.library import KernelLibrary
from dipsat.kernel.numbers import VERDICTS
from dipsat.kernel.result_arrays import BatchResult, adjudicated, left_open

_UNHEEDED = bytes.maketrans(bytes([VERDICTS.index("illegal")]), bytes([VERDICTS.index("invalid")]))
"""Merges the two verdicts that say that an order is not carried out and its unit stands."""


class CodedMoves(NamedTuple):
    """The code of a movement phase. `has_strays` says that there are orders for units that do not
    exist; these are not in the code."""

    units: bytes
    orders: bytes
    season: int
    owners: bytes
    has_strays: bool


class MovesAtOnce:
    """Codes movement phases for one batch, and adjudicates them."""

    def __init__(self, batch: Batch) -> None:
        self.numbers = batch.numbers
        self._batch = batch
        self._coder = batch._coder
        self._library: KernelLibrary | None = batch._library

    @property
    def is_ready(self) -> bool:
        """Whether the equations are compiled."""
        return self._library is not None

    @property
    def places(self) -> Hashable:
        """What decides the codes of units. Equal for two batches of one map if units have the same
        codes."""
        return self.numbers.kinds, tuple(self.numbers.attributes.items()), self._batch.rules.words

    @property
    def reading(self) -> Hashable:
        """What decides the reading of orders. If a phase has codes under two readings, they are the
        same. Under equal readings, the same phases have codes."""
        return self.places, self._coder.care

    def coded(self, position: Position, orders: Mapping[str, Sequence[str]]) -> CodedMoves | None:
        """The code of a movement phase; None if it has to be read with more care."""
        found = self._coder.phase(position, orders)
        if found is None:
            return None
        units, ordered, season = found
        return CodedMoves(
            units.tobytes(), ordered.rows.tobytes(), season,
            owners_of(self.numbers, position.centers), ordered.has_strays,
        )  # fmt: skip

    def judged(self, coded: Sequence[CodedMoves]) -> BatchResult:
        """The results; their boards have the numbers of the phases. Those in `left_open` mean
        nothing. Raises `CodeError`."""
        assert self._library is not None
        starts, width = array("I", [0]), 2 * self.numbers.unit_width
        for one in coded:
            starts.append(starts[-1] + len(one.units) // width)
        codes = BoardCodes(
            starts,
            array("H", b"".join(one.units for one in coded)),
            array("H", b"".join(one.orders for one in coded)),
            array("B", [one.season for one in coded]),
            array("B", b"".join(one.owners for one in coded)),
        )
        return adjudicated(self._library, self._coder, codes)


def differing(one: BatchResult, other: BatchResult) -> set[int]:
    """The boards whose verdicts, ends, retreats or attributes differ in two results of the same
    codes, or that either leaves open. Illegal and invalid orders count as the same."""
    found = {*left_open(one), *left_open(other)}
    units = one.codes.starts[-1]
    parts = zip(_parts(one), _parts(other), strict=True)
    pairs = [(a, b, len(a) // units) for a, b in parts if a != b]
    for at, (first, end) in enumerate(pairwise(one.codes.starts)):
        if any(
            a[size * first : size * end] != b[size * first : size * end] for a, b, size in pairs
        ):
            found.add(at)
    return found


def _parts(result: BatchResult) -> tuple[bytes, ...]:
    """The arrays to compare, unit by unit."""
    arrays = result.arrays
    parts = arrays.ends, arrays.retreats, arrays.attributes
    verdicts = bytes(arrays.verdicts).translate(_UNHEEDED)
    return verdicts, *(bytes(memoryview(part)) for part in parts)  # type: ignore[arg-type]  # views
