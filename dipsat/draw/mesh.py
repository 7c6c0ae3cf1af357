"""The cells of a picture and how they lie round each other, still without positions.

A province has one cell or several: a sea that surrounds an island needs three round it, and an
ocean that frames the board needs a ring of them. Cells that belong to no province fill the gaps
between provinces that meet without bordering. In the end each three neighbours meet in one point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dipsat.draw.planar import Near, embedding

BLANK = -1
"""The owner of a cell that belongs to no province."""

FRAME_CELLS = 6
"""The cells of an ocean that surrounds the board."""
_MOST_PARTS = 60
"""The most parts that hang on single provinces, such as islands; only one shipped map has one."""


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
        before, here = other, self.after(other, one)
        while (before, here) != (one, other):
            found.append(before)
            before, here = here, self.after(here, before)
        return found

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
                if self.owner[other] == owner
                or (self.owner[other] != BLANK and self.bordering(owner, self.owner[other]))
            ]
            touched = sorted({*touched, at - 1 if at else len(face) - 1, at, (at + 1) % len(face)})
            merit = (len(touched), int(self.is_sea(owner)), -at)
            if len(touched) > 3 and merit > best and self._beside(face, at, owner):
                best, found = merit, (owner, touched)
        return found

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


Opened = Callable[[Mesh, Mapping[int, int]], list[int]]
"""Cuts a mesh of a round world, in which provinces have cells, and returns the face that opens."""


class NoRoomError(Exception):
    """More parts of a map lie within its provinces than a picture could show."""


def components(near: Near) -> list[list[int]]:
    """The connected parts, each in order."""
    seen: set[int] = set()
    found: list[list[int]] = []
    for root in range(len(near)):
        if root in seen:
            continue
        part, ahead = {root}, [root]
        while ahead:
            for other in near[ahead.pop()]:
                if other not in part:
                    part.add(other)
                    ahead.append(other)
        seen |= part
        found.append(sorted(part))
    return found


def _blocks(near: Near, root: int) -> list[list[int]]:
    """The parts that no single node holds together, of the connected part with `root`; the largest
    come first. The page has no networkx, which would find them, too."""
    number = {root: 0}
    low = {root: 0}
    found: list[list[int]] = []
    waiting = [root]
    walk = [(root, -1, iter(near[root]))]
    while walk:
        node, above, ahead = walk[-1]
        for other in ahead:
            if other == above:
                continue
            if other in number:
                low[node] = min(low[node], number[other])
                continue
            number[other] = low[other] = len(number)
            waiting.append(other)
            walk.append((other, node, iter(near[other])))
            break
        else:
            walk.pop()
            if above < 0:
                break
            low[above] = min(low[above], low[node])
            if low[node] >= number[above]:
                cut = waiting.index(node)
                found.append(sorted([above, *waiting[cut:]]))
                del waiting[cut:]
    return sorted(found, key=lambda part: (-len(part), part))


def mesh_of(
    start: int,
    near: Near,
    bordering: Callable[[int, int], bool],
    is_sea: Callable[[int], bool],
    frame: Sequence[int] = (),
    opened: Opened | None = None,
) -> Mesh:
    """The cells of a part of a map: of the province `start` and all that hang together with it, at
    least two. `near` has the planar borders of all provinces. `frame` may name the province that
    surrounds the board, or some of those that lie along its edge. `opened` cuts a round world."""
    turns = embedding(near)
    if turns is None:
        raise ValueError("the borders are not planar")
    parts = _blocks(near, start)
    if len(parts) > _MOST_PARTS:
        raise NoRoomError("more islands than there is room for")
    root = next((part for part in parts if frame and frame[0] in part), parts[0])
    mesh = Mesh(bordering, is_sea)
    cell_of: dict[int, int] = {}
    _root(mesh, _part(turns, root), frame, opened, cell_of)
    waiting = [part for part in parts if part is not root]
    while waiting:
        part = next(part for part in waiting if any(one in cell_of for one in part))
        waiting.remove(part)
        hub = next(one for one in part if one in cell_of)
        _island(mesh, hub, _part(turns, part), cell_of)
    return mesh


def _part(turns: Sequence[Sequence[int]], part: Sequence[int]) -> dict[int, list[int]]:
    inside = set(part)
    return {one: [other for other in turns[one] if other in inside] for one in part}


def _fill(mesh: Mesh) -> None:
    for face in list(mesh.faces()):
        if len(face) > 3 and not mesh.is_outer(face):
            mesh.fill(face)


def _ocean(mesh: Mesh, outer: Sequence[int]) -> int | None:
    """The province that had better surround the board, if no face is long enough for its edge."""
    if len(outer) > 5:
        return None
    seas = [cell for cell, owner in enumerate(mesh.owner) if mesh.is_sea(owner)]
    largest = max(seas, key=lambda cell: len(mesh.around[cell]), default=0)
    if len(mesh.owner) == 2 or (seas and len(mesh.around[largest]) > 2 * len(outer)):
        return mesh.owner[largest]
    return None


def merit(mesh: Mesh, face: Sequence[int], frame: Sequence[int]) -> tuple[int, int, int]:
    """How well a face serves as the outer one, if the provinces `frame` had better lie there."""
    named = sum(mesh.owner[cell] in frame for cell in face)
    return named, len(face), sum(mesh.is_sea(mesh.owner[cell]) for cell in face)


def _island(mesh: Mesh, hub: int, part: dict[int, list[int]], cell_of: dict[int, int]) -> None:
    """Put a part of the map inside one of its provinces, three cells of which then surround it."""
    faces = [
        [cell, other, mesh.after(other, cell)]
        for cell, owner in enumerate(mesh.owner)
        if owner == hub
        for other in mesh.around[cell]
    ]
    inner = [
        face
        for face in faces
        if mesh.after(face[2], face[1]) == face[0] and not mesh.is_outer(face)
    ]
    # The oldest, so that none gets crowded, and where the sea is rather than another shore.
    face = min(inner, key=lambda face: (max(face), mesh.owner[face[2]] != hub, face))
    cell = face[0]
    second = mesh.insert(hub, face, (0, 1, 2))
    third = mesh.insert(hub, (cell, second, face[2]), (0, 1, 2))
    mesh.surround((cell, second, third), hub, part, cell_of)
    _fill(mesh)


def _root(
    mesh: Mesh,
    part: dict[int, list[int]],
    frame: Sequence[int],
    opened: Opened | None,
    cell_of: dict[int, int],
) -> None:
    """The part that the frame surrounds."""
    whole = Mesh(mesh.bordering, mesh.is_sea, list(part), [])
    cells = {province: cell for cell, province in enumerate(part)}
    whole.around = [[cells[other] for other in near] for near in part.values()]
    if opened is not None:
        whole.outer, hub = opened(whole, cells), None
    else:
        whole.outer = max(whole.faces(), key=lambda face: merit(whole, face, frame))
        hub = _ocean(whole, whole.outer) if not frame else None
        if len(frame) == 1 and frame[0] in cells:
            hub = frame[0]
    if hub is None:
        mesh.owner, mesh.around, mesh.outer = whole.owner, whole.around, whole.outer
        cell_of |= cells
    else:
        ring = [mesh.add(hub) for _ in range(FRAME_CELLS)]
        for at, cell in enumerate(ring):
            mesh.around[cell] = [ring[at - 1], ring[(at + 1) % len(ring)]]
        mesh.outer = ring[::-1]
        cell_of[hub] = ring[0]
        mesh.surround(ring, hub, part, cell_of)
    _fill(mesh)
