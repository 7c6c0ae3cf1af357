"""The blocks of a graph: its largest parts that no single node holds together."""

from __future__ import annotations

from dipsat.svg.layout.planar import Near


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


def blocks(near: Near, root: int) -> list[list[int]]:
    """The blocks of the connected part with `root`, each in order."""
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
    return found or [[root]]
