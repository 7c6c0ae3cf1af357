"""Disagreements of one kind: the same parts differ, and the smallest orders have the same shape.

A shape is what remains of orders without the names of provinces and powers: the kinds of orders,
how they refer to one another, which of them differ, and which units belong to one power. It does
not distinguish armies from fleets, nor count the fleets of a convoy that no other order refers to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dipsat.board.province import province_of
from dipsat.crosschecks.finding import Divergence
from dipsat.orders.order import Convoy, Move, MovementOrder, SupportHold, SupportMove
from dipsat.pages import counted
from dipsat.scenarios.sheet import Sheet, movement_order


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of orders: province -> its marks, and (from, to, what) for every reference."""

    nodes: Mapping[str, tuple[str, ...]]
    edges: tuple[tuple[str, str, str], ...]


_WORDS = {Move: "move", SupportHold: "support", SupportMove: "support", Convoy: "convoy"}


def shape_of(sheet: Sheet, found: Iterable[Divergence]) -> Shape:
    """The shape of a sheet on which judges differ."""
    marks: dict[str, list[str]] = {}
    edges: set[tuple[str, str, str]] = set()
    for row in sheet.rows:
        own = province_of(row.unit.rpartition(" ")[2]) if row.unit else ""
        marks.setdefault(own, []).append("unit" if row.unit else "stray")
        for text in row.orders:
            order = movement_order(sheet.board, text)
            if order is not None:
                _add_order(order, own, marks, edges)
    for one in found:
        place = province_of(one.about.rpartition(" ")[2])
        sides = "".join("first " * bool(one.values[0]) + "second" * bool(one.values[1]))
        words = " ".join(one.values) if one.part in ("supports", "convoys", "legality") else sides
        marks.setdefault(place, []).append(f"{one.part} {words}")
    for number, rows in enumerate(sheet.allies):
        for at in rows:
            place = province_of(sheet.rows[at].unit.rpartition(" ")[2])
            edges.add((place, f"power {number}", "of"))
    return _folded(marks, edges)


def _add_order(
    order: MovementOrder, own: str, marks: dict[str, list[str]], edges: set[tuple[str, str, str]]
) -> None:
    marks[own].append(_WORDS.get(type(order), "hold"))
    if isinstance(order, Move):
        marks[own] += ["via"] * order.via
        edges.add((own, province_of(order.target), "enters"))
    elif isinstance(order, SupportHold):
        edges.add((own, province_of(order.supported.location), "supports"))
    elif isinstance(order, SupportMove):
        edges.add((own, province_of(order.supported.location), "supports"))
        edges.add((own, province_of(order.target), "supports into"))
    elif isinstance(order, Convoy):
        edges.add((own, province_of(order.army.location), "carries"))
        edges.add((own, province_of(order.target), "carries to"))


def _folded(marks: dict[str, list[str]], edges: set[tuple[str, str, str]]) -> Shape:
    """Fold fleets of a convoy that nothing else refers to, also those that only keep a route open,
    into a mark of the army."""
    for army in sorted({army for _, army, what in edges if what == "carries"}):
        marks.setdefault(army, []).append("convoyed")
    for own in sorted(marks):
        is_plain = marks[own] in (["unit", "convoy"], ["unit", "hold"])
        if is_plain and not any(b == own or (a == own and w == "of") for a, b, w in edges):
            edges = {edge for edge in edges if edge[0] != own}
            del marks[own]
    for a, b, _ in edges:
        marks.setdefault(a, [])
        marks.setdefault(b, [])
    nodes = {name: tuple(sorted(marks[name])) for name in sorted(marks)}
    return Shape(nodes, tuple(sorted(edges)))


class Shapes:
    """Numbers shapes so that isomorphic ones, whatever the names, have the same number."""

    def __init__(self) -> None:
        self._graphs: dict[Hashable, list[tuple[int, Any]]] = {}
        self._count = 0

    def number(self, shape: Shape) -> int:
        """The number of a shape, from 0."""
        import networkx  # slow to import, and needed only where judges differ

        graph = networkx.DiGraph()
        for name, marks in shape.nodes.items():
            graph.add_node(name, marks=" ".join(marks))
        for a, b, what in shape.edges:
            before = graph.edges[a, b]["what"] if graph.has_edge(a, b) else ""
            graph.add_edge(a, b, what=f"{before} {what}")
        key = _key(shape)
        for number, other in self._graphs.setdefault(key, []):
            if networkx.is_isomorphic(graph, other, _same("marks"), _same("what")):
                return number
        self._graphs[key].append((self._count, graph))
        self._count += 1
        return self._count - 1


def _key(shape: Shape) -> Hashable:
    """A key that isomorphic shapes share, and others mostly do not."""
    edges = sorted((shape.nodes[a], what, shape.nodes[b]) for a, b, what in shape.edges)
    return tuple(sorted(shape.nodes.values())), tuple(edges)


def _same(attribute: str) -> Any:
    return lambda one, other: one[attribute] == other[attribute]


def orders_in_words(sheet: Sheet) -> str:
    """The kinds of orders on a sheet, such as `3 moves, 1 convoy, 1 support`."""
    count: Counter[str] = Counter()
    for row in sheet.rows:
        for text in row.orders:
            count[_WORDS.get(type(movement_order(sheet.board, text)), "hold")] += 1
        count["hold"] += bool(row.unit and not row.orders and row.sets is None)
    words = ("move", "convoy", "support", "hold")
    return ", ".join(counted(count[w], w) for w in words if count[w])
