"""Positions for a triangulated graph in which no two edges cross.

Each node lies in the middle of its neighbours, and the outer ones on a convex frame: W. T. Tutte,
How to Draw a Graph, 1963.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dipsat.svg.pictures.picture import Point


def tutte(near: Sequence[Sequence[int]], fixed: Mapping[int, Point]) -> list[Point]:
    """The position of each node, `fixed` having those on the frame.

    Solves the equations by elimination, the node with the fewest neighbours first, so that a
    planar graph keeps its matrix sparse.
    """
    rows: dict[int, dict[int, float]] = {}
    right: dict[int, list[float]] = {}
    for node, others in enumerate(near):
        if node in fixed:
            continue
        rows[node] = {other: 1.0 for other in others if other not in fixed}
        sides = [fixed[other] for other in others if other in fixed]
        right[node] = [float(len(others)), sum(p[0] for p in sides), sum(p[1] for p in sides)]
    order: list[tuple[int, dict[int, float], list[float]]] = []
    waiting = set(rows)
    while waiting:
        node = min(waiting, key=lambda one: (len(rows[one]), one))
        waiting.remove(node)
        row, (weight, x, y) = rows.pop(node), right[node]
        order.append((node, row, right[node]))
        for other, share in row.items():
            part = share / weight
            theirs = rows[other]
            del theirs[node]
            sums = right[other]
            sums[1] += part * x
            sums[2] += part * y
            for third, weight_there in row.items():
                if third == other:
                    sums[0] -= part * share
                else:
                    theirs[third] = theirs.get(third, 0.0) + part * weight_there
    found = dict(fixed)
    for node, row, (weight, x, y) in reversed(order):
        for other, share in row.items():
            x += share * found[other][0]
            y += share * found[other][1]
        found[node] = (x / weight, y / weight)
    return [found[node] for node in range(len(near))]
