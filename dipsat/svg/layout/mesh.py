"""The cells of a picture and how they lie round each other, still without positions.

A province has one cell or several: a sea that surrounds an island needs three round it, and an
ocean that frames the board needs a ring of them. Cells that belong to no province fill the gaps
between provinces that meet without bordering. In the end each three neighbours meet in one point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

BLANK = -1
"""The owner of a cell that belongs to no province."""


@dataclass
class Mesh:
    """Cells in the making. A FACE is the list of cells round a gap or a point."""

    bordering: Callable[[int, int], bool]
    """Whether two provinces border, and so may touch once more."""
    is_sea: Callable[[int], bool]
    """Whether a province is a sea."""
    owner: list[int] = field(default_factory=list)
    """The province of each cell, or `BLANK`."""
    around: list[list[int]] = field(default_factory=list)
    """The cells round each cell, clockwise."""
    outer: list[int] = field(default_factory=list)
    """The cells along the frame."""

    def add(self, owner: int) -> int:
        """A new cell, without neighbours as yet."""
        self.owner.append(owner)
        self.around.append([])
        return len(self.owner) - 1

    def after(self, cell: int, other: int) -> int:
        """The neighbour of a cell that follows another neighbour of it."""
        near = self.around[cell]
        return near[(near.index(other) + 1) % len(near)]

    def face(self, one: int, other: int) -> list[int]:
        """The face along the side from one cell to the other."""
        found = [one]
        before, here = one, other
        while (before, here) != (one, other) or len(found) == 1:
            found.append(here)
            before, here = here, self.after(here, before)
            if (before, here) == (one, other):
                break
        return found[:-1]

    def faces(self) -> Iterator[list[int]]:
        """All faces, the outer one among them."""
        seen: set[tuple[int, int]] = set()
        for one, near in enumerate(self.around):
            for other in near:
                if (one, other) in seen:
                    continue
                found = self.face(one, other)
                seen.update(zip(found, [*found[1:], found[0]], strict=True))
                yield found

    def is_outer(self, face: Sequence[int]) -> bool:
        """Whether a face is the outer one. The inside of a ring has the same cells, the other way
        round."""
        if face[0] not in self.outer:
            return False
        start = self.outer.index(face[0])
        return [*self.outer[start:], *self.outer[:start]] == list(face)

    def insert(self, owner: int, face: Sequence[int], touched: Sequence[int]) -> int:
        """Put a new cell into a face, beside the corners at the given places of it."""
        cell = self.add(owner)
        for at in touched:
            near = self.around[face[at]]
            near.insert(near.index(face[at - 1]) + 1, cell)
        self.around[cell] = [face[at] for at in reversed(touched)]
        return cell

    def fill(self, face: Sequence[int]) -> None:
        """Put cells into a face until only three meet in a point."""
        waiting = [list(face)]
        while waiting:
            face = waiting.pop()
            if len(face) < 4:
                continue
            owner, touched = self._filling(face)
            cell = self.insert(owner, face, touched)
            for here, there in zip(touched, [*touched[1:], touched[0] + len(face)], strict=True):
                waiting.append([cell, *(face[at % len(face)] for at in range(here, there + 1))])

    def _filling(self, face: Sequence[int]) -> tuple[int, list[int]]:
        """What fills a face best: one more cell of a province there that borders others there, a
        sea before land, or else a blank."""
        best: tuple[int, int, int] = (0, 0, 0)
        found = BLANK, list(range(len(face)))
        for at, cell in enumerate(face):
            owner = self.owner[cell]
            if owner == BLANK:
                continue
            touched = [
                there
                for there, other in enumerate(face)
                if self.owner[other] == owner or self._may_touch(owner, self.owner[other])
            ]
            touched = sorted({*touched, at - 1 if at else len(face) - 1, at, (at + 1) % len(face)})
            merit = (len(touched), int(self.is_sea(owner)), -at)
            if len(touched) > 3 and merit > best and self._beside(face, at, owner):
                best, found = merit, (owner, touched)
        return found

    def _may_touch(self, one: int, other: int) -> bool:
        return other != BLANK and self.bordering(one, other)

    def _beside(self, face: Sequence[int], at: int, owner: int) -> bool:
        """Whether both neighbours of a corner may touch its province: blanks and itself may."""
        return all(
            self.owner[other] in (BLANK, owner) or self.bordering(owner, self.owner[other])
            for other in (face[at - 1], face[(at + 1) % len(face)])
        )

    def surround(
        self, ring: Sequence[int], hub: int, part: dict[int, list[int]], cell_of: dict[int, int]
    ) -> None:
        """Put the cells of a part of the map inside a ring of cells of the province `hub`. `part`
        has the neighbours of each province of that part, clockwise, `hub` among them."""
        near = part[hub]
        inside = {province: self.add(province) for province in part if province != hub}
        cell_of |= inside
        for province, cell in inside.items():
            self.around[cell] = [inside.get(other, -1 - other) for other in part[province]]
        cuts = [at * len(near) // len(ring) for at in range(len(ring) + 1)]
        beside: dict[int, list[int]] = {}
        for at, cell in enumerate(ring):
            places = range(cuts[at], cuts[at + 1] + 1)
            for place in places:
                beside.setdefault(place, []).append(cell)
            cells = list(dict.fromkeys(inside[near[place % len(near)]] for place in places))
            start = self.around[cell].index(ring[at - 1]) + 1
            self.around[cell][start:start] = cells
        beside[0] = list(dict.fromkeys(beside.pop(len(near)) + beside[0]))
        for place, ring_cells in beside.items():
            around = self.around[inside[near[place]]]
            at = around.index(-1 - hub)
            around[at : at + 1] = ring_cells[::-1]
