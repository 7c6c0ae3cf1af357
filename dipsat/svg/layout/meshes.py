"""The cells of a map: of its largest part, of the islands inside its provinces, and what surrounds
it all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dipsat.svg.layout.blocks import blocks
from dipsat.svg.layout.cuts import cut_open, merit
from dipsat.svg.layout.mesh import Mesh
from dipsat.svg.layout.planar import Near, embedding

FRAME_CELLS = 6
"""The cells of an ocean that surrounds the board."""
_MOST_PARTS = 60
"""The most parts that hang on single provinces, such as islands; only one shipped map has one."""


class NoRoomError(Exception):
    """More parts of a map lie within its provinces than a picture could show."""


def mesh_of(
    start: int,
    near: Near,
    bordering: Callable[[int, int], bool],
    is_sea: Callable[[int], bool],
    frame: Sequence[int] = (),
    cut: Sequence[int] = (),
) -> Mesh:
    """The cells of a part of a map: of the province `start` and all that hang together with it, at
    least two. `near` has the planar borders of all provinces. `frame` may name the province that
    surrounds the board, or some of those that lie along its edge; `cut` a path of provinces along
    which a round world is cut."""
    turns = embedding(near)
    if turns is None:
        raise ValueError("the borders are not planar")
    parts = sorted(blocks(near, start), key=len, reverse=True)
    if len(parts) > _MOST_PARTS:
        raise NoRoomError("more islands than there is room for")
    root = next((part for part in parts if frame and frame[0] in part), parts[0])
    mesh = Mesh(bordering, is_sea)
    cell_of: dict[int, int] = {}
    _root(mesh, _part(turns, root), (frame, cut), cell_of)
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


def _fill_all(mesh: Mesh) -> None:
    _fill(mesh, list(mesh.faces()))


def _fill_around(mesh: Mesh, cells: Iterable[int]) -> None:
    """Fill the faces beside some cells, in the order in which `_fill_all` would. A hub has many
    islands, and filling the whole map for each would be too much work."""
    faces = set()
    for cell in cells:
        for other in mesh.around[cell]:
            face = mesh.face(cell, other)
            start = face.index(min(face))
            faces.add((*face[start:], *face[:start]))
    _fill(mesh, sorted(faces, key=lambda face: (face[0], mesh.around[face[0]].index(face[1]))))


def _fill(mesh: Mesh, faces: Iterable[Sequence[int]]) -> None:
    for face in faces:
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
    _fill_around(mesh, [cell_of[one] for one in part if one != hub])


def _root(
    mesh: Mesh,
    part: dict[int, list[int]],
    hints: tuple[Sequence[int], Sequence[int]],
    cell_of: dict[int, int],
) -> None:
    """The part that the frame surrounds."""
    frame, cut = hints
    whole = Mesh(mesh.bordering, mesh.is_sea, list(part), [])
    cells = {province: cell for cell, province in enumerate(part)}
    whole.around = [[cells[other] for other in near] for near in part.values()]
    if len(cut) > 2 and all(one in cells for one in cut):
        whole.outer = cut_open(whole, [cells[one] for one in cut], frame)
        hub = None
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
    _fill_all(mesh)
