"""The cells of a picture and how they lie round each other, still without positions.

A province has one cell or several: a sea that surrounds an island needs three round it, and an
ocean that frames the board needs a ring of them. Cells that belong to no province fill the gaps
between provinces that meet without bordering. In the end, only three neighbours meet in each point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from dipsat.draw.planar import blocks_of, embedding

BLANK = -1
"""The owner of a cell that belongs to no province."""

_FRAME_CELLS = 6
"""How many cells an ocean that surrounds the board has."""
_MOST_PARTS = 60
"""The most parts that hang on single provinces, such as islands; only one shipped map has any."""


@dataclass
class Mesh:
    """Cells while they are made. A FACE is the list of cells round a gap or a point."""

    bordering: Callable[[int, int], bool]
    """Whether two provinces border, so that they may touch in more places."""
    is_sea: Callable[[int], bool]
    """Whether a province is a sea."""
    owner: list[int] = field(default_factory=list)
    """The province of each cell, or `BLANK`."""
    around: list[list[int]] = field(default_factory=list)
    """The cells round each cell, clockwise."""
    outer: list[int] = field(default_factory=list)
    """The face along the frame."""

    def add(self, owner: int) -> int:
        """Add a cell that has no neighbours yet."""
        self.owner.append(owner)
        self.around.append([])
        return len(self.owner) - 1

    def faces(self) -> Iterator[list[int]]:
        """All faces, including the outer one."""
        seen: set[tuple[int, int]] = set()
        for side in [(one, other) for one, near in enumerate(self.around) for other in near]:
            face: list[int] = []
            while side not in seen:
                seen.add(side)
                face.append(side[0])
                near = self.around[side[1]]
                side = side[1], near[(near.index(side[0]) + 1) % len(near)]
            if face:
                yield face

    def inner(self) -> list[list[int]]:
        """All faces but the outer one."""
        outer = {*pairwise([*self.outer, *self.outer[:1]])}
        return [face for face in self.faces() if (face[0], face[1]) not in outer]

    def insert(self, owner: int, face: Sequence[int], touched: Sequence[int]) -> int:
        """Put a new cell into a face, beside the corners at these indices."""
        cell = self.add(owner)
        for at in touched:
            near = self.around[face[at]]
            near.insert(near.index(face[at - 1]) + 1, cell)
        self.around[cell] = [face[at] for at in reversed(touched)]
        return cell

    def fill_all(self) -> None:
        """Fill all faces but the outer one."""
        for face in self.inner():
            self.fill(face)

    def fill(self, face: Sequence[int]) -> None:
        """Put cells into a face until only three meet in a point: one more cell of the province
        that borders the most others there, a sea before land, or else a blank."""
        size = len(face)
        if size < 4:
            return
        owners = [self.owner[cell] for cell in face]
        best, owner, touched = (0, False), BLANK, list(range(size))
        for at, one in enumerate(owners):
            beside = (at - 1) % size, at, (at + 1) % size
            met = {
                there for there, other in enumerate(owners)
                if other == one or self.bordering(one, other)
            }  # fmt: skip
            worth = len(met.union(beside)), self.is_sea(one)
            is_fit = one != BLANK and all(owners[there] == BLANK for there in {*beside} - met)
            if is_fit and worth[0] > 3 and worth > best:
                best, owner, touched = worth, one, sorted(met.union(beside))
        cell = self.insert(owner, face, touched)
        for here, there in pairwise([*touched, touched[0] + size]):
            self.fill([cell, *(face[at % size] for at in range(here, there + 1))])

    def surround(self, ring: Sequence[int], hub: int, part: Mapping[int, Sequence[int]]) -> None:
        """Put the cells of a part of the map inside a ring of cells of the province `hub`. `part`
        has the neighbours of each province of that part, clockwise, including `hub`."""
        near = part[hub]
        inside = {province: self.add(province) for province in part if province != hub}
        for province, cell in inside.items():
            self.around[cell] = [inside.get(other, -1) for other in part[province]]
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
            at = around.index(-1)
            around[at : at + 1] = ring_cells[::-1]


Opened = Callable[[Mesh, Mapping[int, int]], list[int]]
"""Cuts the mesh of a round world, given province -> cell, and returns the face that opens."""


class NoRoomError(Exception):
    """A part of a map is a single province, or too crowded to be shown."""


def mesh_of(
    graph: Any,
    is_sea: Callable[[int], bool],
    frame: Sequence[int] = (),
    opened: Opened | None = None,
) -> Mesh:
    """The cells of a connected part of a map, which is a planar graph of networkx.

    `frame` may name the province that surrounds the board, or some of those along its edge.
    `opened` cuts a round world. Raises `NoRoomError`.
    """
    blocks = blocks_of(graph)
    if not 0 < len(blocks) <= _MOST_PARTS:
        raise NoRoomError
    root = next((block for block in blocks if {*frame[:1]} & {*block}), blocks[0])
    part = embedding(root)
    cells = {province: cell for cell, province in enumerate(part)}
    around = [[cells[other] for other in near] for near in part.values()]
    mesh = Mesh(graph.has_edge, is_sea, list(part), around)
    if opened is not None:
        mesh.outer = opened(mesh, cells)
    else:
        mesh.outer = max(mesh.faces(), key=lambda face: merit(mesh, face, frame))
        hub = frame[0] if len(frame) == 1 and frame[0] in part else None
        hub = _ocean(mesh) if not frame else hub
        if hub is not None:
            mesh = _surrounded(mesh, hub, part)
    mesh.fill_all()
    blocks.remove(root)
    while blocks:
        block = next(block for block in blocks if {*mesh.owner} & {*block})
        blocks.remove(block)
        (hub,) = {*mesh.owner} & {*block}
        _put_island(mesh, hub, embedding(block))
    return mesh


def _surrounded(mesh: Mesh, hub: int, part: Mapping[int, Sequence[int]]) -> Mesh:
    """The provinces of a part of the map inside a ring of cells of one of them."""
    cells = list(range(_FRAME_CELLS))
    around = [[cells[at - 1], (at + 1) % len(cells)] for at in cells]
    found = Mesh(mesh.bordering, mesh.is_sea, [hub] * len(cells), around, cells[::-1])
    found.surround(cells, hub, part)
    return found


def _ocean(mesh: Mesh) -> int | None:
    """The province that should surround the board if no face is long enough for its edge."""
    if len(mesh.outer) > 5:
        return None
    seas = [cell for cell, owner in enumerate(mesh.owner) if mesh.is_sea(owner)]
    largest = max(seas, key=lambda cell: len(mesh.around[cell]), default=0)
    if len(mesh.owner) == 2 or (seas and len(mesh.around[largest]) > 2 * len(mesh.outer)):
        return mesh.owner[largest]
    return None


def merit(mesh: Mesh, face: Sequence[int], frame: Sequence[int]) -> tuple[int, int, int]:
    """How well a face serves as the outer one if the provinces `frame` should lie there."""
    named = sum(mesh.owner[cell] in frame for cell in face)
    return named, len(face), sum(mesh.is_sea(mesh.owner[cell]) for cell in face)


def _put_island(mesh: Mesh, hub: int, part: Mapping[int, Sequence[int]]) -> None:
    """Put a part of the map inside one of its provinces, which surrounds it with three cells."""
    turned = (
        face[at:] + face[:at] for face in mesh.inner() for at, cell in enumerate(face)
        if mesh.owner[cell] == hub
    )  # fmt: skip
    # The oldest face, so that none becomes crowded, and the sea rather than another shore.
    face = min(turned, key=lambda face: (max(face), mesh.owner[face[2]] != hub, face))
    second = mesh.insert(hub, face, (0, 1, 2))
    third = mesh.insert(hub, (face[0], second, face[2]), (0, 1, 2))
    mesh.surround((face[0], second, third), hub, part)
    mesh.fill_all()
