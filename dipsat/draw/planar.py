"""Which borders can be drawn in a plane without crossing, and in what order round each province.

The test is the left-right algorithm: U. Brandes, The Left-Right Planarity Test, 2009. A depth-first
search orients the edges; each edge that leads back up is laid to the left or to the right of the
tree, and two that would cross must lie on different sides. It works through explicit stacks, so a
long chain of provinces needs no deep recursion.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dipsat.board import Map, province_of

Near = Sequence[Sequence[int]]
"""The neighbours of each node; in an embedding, in clockwise order."""


@dataclass(slots=True)
class _Interval:
    """Edges that lead back up and must lie on one side: the lowest and the highest of them."""

    low: int = -1
    high: int = -1


@dataclass(slots=True, eq=False)
class _Pair:
    """Two intervals that must lie on different sides."""

    left: _Interval
    right: _Interval

    def swap(self) -> None:
        self.left, self.right = self.right, self.left


class _Test:
    """One run. Edges are numbered as the search orients them, -1 stands for none."""

    def __init__(self, near: Near) -> None:
        self.near = near
        size = len(near)
        self.height = [-1] * size
        self.parent = [-1] * size
        self.out: list[list[int]] = [[] for _ in range(size)]
        self.roots: list[int] = []
        self.tail: list[int] = []
        self.head: list[int] = []
        self.low: list[int] = []
        self.low2: list[int] = []
        self.nesting: list[int] = []
        self._orient()
        edges = len(self.tail)
        self.ref = [-1] * edges
        self.side = [1] * edges
        self.lowest_edge = [-1] * edges
        self.bottom: list[_Pair | None] = [None] * edges
        self.stack: list[_Pair] = []

    def _orient(self) -> None:
        seen: set[tuple[int, int]] = set()
        for root in range(len(self.near)):
            if self.height[root] >= 0:
                continue
            self.height[root] = 0
            self.roots.append(root)
            walk = [(root, iter(self.near[root]))]
            while walk:
                node, ahead = walk[-1]
                for other in ahead:
                    if (node, other) in seen or (other, node) in seen:
                        continue
                    seen.add((node, other))
                    edge = self._new_edge(node, other)
                    if self.height[other] < 0:
                        self.parent[other] = edge
                        self.height[other] = self.height[node] + 1
                        walk.append((other, iter(self.near[other])))
                        break
                    self.low[edge] = self.height[other]
                    self._finish(edge)
                else:
                    walk.pop()
                    if self.parent[node] >= 0:
                        self._finish(self.parent[node])
        for node, edges in enumerate(self.out):
            self.out[node] = sorted(edges, key=self.nesting.__getitem__)

    def _new_edge(self, tail: int, head: int) -> int:
        edge = len(self.tail)
        self.tail.append(tail)
        self.head.append(head)
        self.low.append(self.height[tail])
        self.low2.append(self.height[tail])
        self.nesting.append(0)
        self.out[tail].append(edge)
        return edge

    def _finish(self, edge: int) -> None:
        """Hand what an edge reaches to the edge above it."""
        tail = self.tail[edge]
        self.nesting[edge] = 2 * self.low[edge] + (self.low2[edge] < self.height[tail])
        above = self.parent[tail]
        if above < 0:
            return
        low, low2 = self.low, self.low2
        if low[edge] < low[above]:
            low2[above] = min(low[above], low2[edge])
            low[above] = low[edge]
        elif low[edge] > low[above]:
            low2[above] = min(low2[above], low[edge])
        else:
            low2[above] = min(low2[above], low2[edge])

    def is_planar(self) -> bool:
        return all(map(self._tree_is_planar, self.roots))

    def _tree_is_planar(self, root: int) -> bool:
        walk = [(root, 0)]
        while walk:
            node, index = walk.pop()
            edges = self.out[node]
            if index and not self._integrate(edges[index - 1]):
                return False
            if index == len(edges):
                if self.parent[node] >= 0:
                    self._trim(self.parent[node])
                continue
            walk.append((node, index + 1))
            edge = edges[index]
            self.bottom[edge] = self.stack[-1] if self.stack else None
            if self.parent[self.head[edge]] == edge:
                walk.append((self.head[edge], 0))
            else:
                self.lowest_edge[edge] = edge
                self.stack.append(_Pair(_Interval(), _Interval(edge, edge)))
        return True

    def _integrate(self, edge: int) -> bool:
        """Merge what an edge brought with what its elder siblings brought."""
        node = self.tail[edge]
        if self.low[edge] >= self.height[node]:
            return True
        above = self.parent[node]
        if edge == self.out[node][0]:
            self.lowest_edge[above] = self.lowest_edge[edge]
            return True
        both = _Pair(_Interval(), _Interval())
        if not self._merge_own(edge, above, both):
            return False
        while self.stack and (
            self._conflicts(self.stack[-1].left, edge)
            or self._conflicts(self.stack[-1].right, edge)
        ):
            pair = self.stack.pop()
            if self._conflicts(pair.right, edge):
                pair.swap()
            if self._conflicts(pair.right, edge):
                return False
            if both.right.low >= 0:
                self.ref[both.right.low] = pair.right.high
            if pair.right.low >= 0:
                both.right.low = pair.right.low
            if both.left.low < 0:
                both.left.high = pair.left.high
            else:
                self.ref[both.left.low] = pair.left.high
            both.left.low = pair.left.low
        if both.left.low >= 0 or both.right.low >= 0:
            self.stack.append(both)
        return True

    def _merge_own(self, edge: int, above: int, both: _Pair) -> bool:
        """All that `edge` brought must lie on one side: the right one of `both`."""
        while True:
            pair = self.stack.pop()
            if pair.left.low >= 0:
                pair.swap()
            if pair.left.low >= 0:
                return False
            if self.low[pair.right.low] > self.low[above]:
                if both.right.low < 0:
                    both.right.high = pair.right.high
                else:
                    self.ref[both.right.low] = pair.right.high
                both.right.low = pair.right.low
            else:
                self.ref[pair.right.low] = self.lowest_edge[above]
            if (self.stack[-1] if self.stack else None) is self.bottom[edge]:
                return True

    def _conflicts(self, interval: _Interval, edge: int) -> bool:
        return interval.low >= 0 and self.low[interval.high] > self.low[edge]

    def _trim(self, edge: int) -> None:
        """Forget the edges that end where `edge` begins."""
        node = self.tail[edge]
        while self.stack:
            pair = self.stack[-1]
            ends = [self.low[one.low] for one in (pair.left, pair.right) if one.low >= 0]
            if min(ends) != self.height[node]:
                break
            self.stack.pop()
            if pair.left.low >= 0:
                self.side[pair.left.low] = -1
        if self.stack:
            pair = self.stack[-1]
            self._trim_interval(pair.left, pair.right, node)
            self._trim_interval(pair.right, pair.left, node)
        if self.low[edge] < self.height[node]:
            left, right = self.stack[-1].left.high, self.stack[-1].right.high
            leftmost = left >= 0 and (right < 0 or self.low[left] > self.low[right])
            self.ref[edge] = left if leftmost else right

    def _trim_interval(self, interval: _Interval, other: _Interval, node: int) -> None:
        while interval.high >= 0 and self.head[interval.high] == node:
            interval.high = self.ref[interval.high]
        if interval.high < 0 <= interval.low:
            self.ref[interval.low] = other.low
            self.side[interval.low] = -1
            interval.low = -1

    def rotations(self) -> list[list[int]]:
        """The neighbours of each node in clockwise order, once the test has passed."""
        self._settle_sides()
        for node, edges in enumerate(self.out):
            signed = {edge: self.nesting[edge] * self.side[edge] for edge in edges}
            self.out[node] = sorted(edges, key=signed.__getitem__)
        found = [[self.head[edge] for edge in edges] for edges in self.out]
        size = len(self.near)
        left, right = [-1] * size, [-1] * size
        walk = [(root, 0) for root in self.roots]
        while walk:
            node, index = walk.pop()
            if index == len(self.out[node]):
                continue
            walk.append((node, index + 1))
            edge = self.out[node][index]
            other = self.head[edge]
            if self.parent[other] == edge:
                found[other].insert(0, node)
                left[node] = right[node] = other
                walk.append((other, 0))
            elif self.side[edge] == 1:
                found[other].insert(found[other].index(right[other]) + 1, node)
            else:
                found[other].insert(found[other].index(left[other]), node)
                left[other] = node
        return found

    def _settle_sides(self) -> None:
        """Say the side of each edge in itself, not by another edge."""
        for first in range(len(self.ref)):
            chain = [first]
            while self.ref[chain[-1]] >= 0:
                chain.append(self.ref[chain[-1]])
            for edge, under in zip(chain[-2::-1], chain[:0:-1], strict=True):
                self.side[edge] *= self.side[under]
                self.ref[edge] = -1


def embedding(near: Near) -> list[list[int]] | None:
    """The neighbours of each node in clockwise order round it; None if the graph is not planar. No
    node is its own neighbour or has the same neighbour twice."""
    edges = sum(map(len, near)) // 2
    if len(near) > 2 and edges > 3 * len(near) - 6:
        return None
    test = _Test(near)
    return test.rotations() if test.is_planar() else None


@dataclass
class Purse:
    """How much more may be tried, in edges that tests look at."""

    left: int


def planar_part(size: int, edges: Sequence[tuple[int, int]], purse: Purse) -> list[tuple[int, int]]:
    """As many of the edges as a plane takes, no further one fitting; earlier ones first. What is
    not tried before the purse is empty is left out.

    Halves what does not fit as a whole, so it needs few tests where few edges are too many.
    """
    kept: list[tuple[int, int]] = []

    def take(some: Sequence[tuple[int, int]]) -> None:
        purse.left -= size + len(kept) + len(some)
        if purse.left < 0:
            return
        if embedding(near_of(size, [*kept, *some])) is not None:
            kept.extend(some)
        elif len(some) > 1:
            take(some[: len(some) // 2])
            take(some[len(some) // 2 :])

    if edges:
        take(edges)
    return kept


def near_of(size: int, edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The neighbours of each node, in the order of the edges."""
    near: list[list[int]] = [[] for _ in range(size)]
    for one, other in edges:
        near[one].append(other)
        near[other].append(one)
    return near


# --- borders --------------------------------------------------------------------------------------

# Which provinces border, and which of the borders a plane takes.


Pair = tuple[int, int]

_ROUNDS = 60
_EDGES = 1_000_000
"""Edges that tests for planarity may look at; together they take about three seconds."""


def borders_of(map: Map) -> dict[str, set[str]]:
    """Province -> those it borders, whoever may cross, in whichever direction."""
    found: dict[str, set[str]] = {code: set() for code in map.provinces}
    for ways in (map.army, map.fleet):
        for place, others in ways.items():
            for other in others:
                one, two = province_of(place), province_of(other)
                if one != two:
                    found[one].add(two)
                    found[two].add(one)
    return found


def by_worth(borders: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """The borders, first those that hold a neighbourhood together: whose two provinces have many
    neighbours in common."""
    found = [(one, other) for one, others in borders.items() for other in others if one < other]
    return sorted(found, key=lambda pair: (-len(borders[pair[0]] & borders[pair[1]]), pair))


def drawable(size: int, borders: Sequence[Pair], patience: float = 1.0) -> list[Pair]:
    """As many of the borders as can be found that a plane takes.

    What did not fit goes first in the next round, which soon brings to light the few borders that
    stand in the way of all the others. Some rounds begin from the best so far or from the start,
    shuffled a little.
    """
    purse = Purse(round(_EDGES * patience))
    best = planar_part(size, borders, purse)
    most = min(len(borders) - 1, 3 * size - 6) if size > 2 else len(borders)  # of a plane (Euler)
    chance = random.Random(0)
    order, left_out = list(borders), _without(borders, best)
    for turn in range(round(_ROUNDS * patience)):
        if purse.left <= 0 or len(best) >= most:
            break
        if turn % 4 == 2:
            left_out = _without(borders, best)
            left_out = chance.sample(left_out, -(-2 * len(left_out) // 3))
            order = _shuffled(borders, chance)
        elif turn % 4 == 3:
            left_out, order = [], _shuffled(borders, chance)
        order = [*left_out, *_without(order, left_out)]
        found = planar_part(size, order, purse)
        left_out = _without(order, found)
        if len(found) > len(best) and purse.left > 0:
            best = found
    return best


def _shuffled(borders: Sequence[Pair], chance: random.Random) -> list[Pair]:
    """The borders, none of them far from its old place."""
    jumps = [at + chance.random() * len(borders) / 3 for at in range(len(borders))]
    return [borders[at] for at in sorted(range(len(borders)), key=jumps.__getitem__)]


def _without(some: Sequence[Pair], others: Sequence[Pair]) -> list[Pair]:
    excluded = set(others)
    return [pair for pair in some if pair not in excluded]
