"""Whether a chain leads over nodes whose conditions may be open."""

from __future__ import annotations

from collections.abc import Sequence

from dipsat.equations.term import Reach, Term


def reach(
    conditions: list[Term], starts: list[int], ends: list[int], borders: list[list[int]]
) -> Term:
    """A `Reach`, without the nodes that cannot matter; a constant if none is unknown."""
    nodes = nodes_that_matter(conditions, starts, ends, borders)
    if isinstance(nodes, bool):
        return nodes
    number = {at: n for n, at in enumerate(nodes)}
    return Reach(
        tuple(conditions[at] for at in nodes),
        tuple(number[at] for at in starts if at in number),
        tuple(number[at] for at in ends if at in number),
        tuple(tuple(number[n] for n in borders[at] if n in number) for at in nodes),
    )


def nodes_that_matter(
    conditions: Sequence[object], starts: list[int], ends: list[int], borders: list[list[int]]
) -> list[int] | bool:
    """The nodes of a `Reach` that decide whether there is a way, sorted; or the answer, if it is
    known already. A condition that is neither true nor false is unknown."""
    possible = {at for at, condition in enumerate(conditions) if condition is not False}
    useful = _reached(starts, possible, borders) & _reached(ends, possible, borders)
    if not useful:
        return False
    sure = {at for at in useful if conditions[at] is True}
    if sure and not sure.isdisjoint(ends) and not _reached(starts, sure, borders).isdisjoint(ends):
        return True
    return sorted(useful)


def _reached(sources: list[int], allowed: set[int], borders: list[list[int]]) -> set[int]:
    """The allowed nodes that can be reached from the sources."""
    found = allowed.intersection(sources)
    stack = list(found)
    while stack:
        fresh = [n for n in borders[stack.pop()] if n in allowed and n not in found]
        found.update(fresh)
        stack.extend(fresh)
    return found
