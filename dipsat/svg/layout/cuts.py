"""The edge of a board: the face that becomes its outside, and round worlds that are cut open."""

from __future__ import annotations

from collections.abc import Sequence

from dipsat.svg.layout.mesh import BLANK, Mesh


def merit(mesh: Mesh, face: Sequence[int], frame: Sequence[int]) -> tuple[int, int, int]:
    """How well a face serves as the outer one, if the provinces `frame` had better lie there."""
    named = sum(mesh.owner[cell] in frame for cell in face)
    return named, len(face), sum(mesh.is_sea(mesh.owner[cell]) for cell in face)


def cut_open(mesh: Mesh, path: Sequence[int], frame: Sequence[int]) -> list[int]:
    """Cut a mesh along a path of cells, and return the face that opens. Each of them but the first
    and the last becomes two. If there is a frame, the last one lies along it and becomes two, too,
    and the cut opens the frame's face."""
    if not frame:
        return _cut(mesh, path)
    face = max(mesh.faces(), key=lambda face: merit(mesh, face, frame))
    bottom = mesh.insert(BLANK, face, range(len(face)))
    opened = _cut(mesh, [*path, bottom])
    place = opened.index(bottom)
    near = mesh.around[bottom]
    start = near.index(opened[place + 1]) + 1
    near = near[start:] + near[:start]
    return _without(mesh, bottom, [*opened[:place], *near[-3::-1], *opened[place + 1 :]])


def _without(mesh: Mesh, gone: int, face: Sequence[int]) -> list[int]:
    """Take a cell out of a mesh; the face with its cells numbered anew."""

    def kept(cells: Sequence[int]) -> list[int]:
        return [cell - (cell > gone) for cell in cells if cell != gone]

    del mesh.around[gone], mesh.owner[gone]
    mesh.around = [kept(near) for near in mesh.around]
    return kept(face)


def _cut(mesh: Mesh, path: Sequence[int]) -> list[int]:
    """Cut a mesh along a path of cells: each but the first and the last becomes two. Return the
    face that opens."""
    first, *inner, last = path
    twins = {cell: mesh.add(mesh.owner[cell]) for cell in inner}
    left: dict[int, list[int]] = {}
    right: dict[int, list[int]] = {}
    for before, cell, after in zip(path, inner, path[2:], strict=False):
        near = mesh.around[cell]
        if before not in near or after not in near:
            raise ValueError("each province of a cut must border the next in the picture")
        start = near.index(before)
        near = near[start:] + near[:start]
        end = near.index(after)
        left[cell], right[cell] = near[1:end], near[end + 1 :]

    def seen(from_cell: int, cell: int) -> list[int]:
        if cell not in twins:
            return [cell]
        if from_cell in left[cell]:
            return [cell]
        if from_cell in right[cell]:
            return [twins[cell]]
        return [cell, twins[cell]] if from_cell == first else [twins[cell], cell]

    around = [
        [one for other in near for one in seen(cell, other)]
        for cell, near in enumerate(mesh.around)
    ]
    for before, cell, after in zip(path, inner, path[2:], strict=False):
        lefts = [one for other in left[cell] for one in seen(cell, other)]
        rights = [one for other in right[cell] for one in seen(cell, other)]
        around[cell] = [before, *lefts, after]
        around[twins[cell]] = [twins.get(after, after), *rights, twins.get(before, before)]
    mesh.around = around
    return [first, *twins.values(), last, *reversed(inner)]
