"""All convoys that given fleets could make from one coast, by where they end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dipsat.board.map import Map
from dipsat.game.convoys import on_minimal_route, route_exists

_MAX_PATHS = 20_000  # over the seas, from one coast; past it each fleet is judged by itself


@dataclass(frozen=True, slots=True)
class ConvoyRoute:
    """How an army gets from one coast to another: `fleets` could each be part of a convoy,
    without one of `needed` there is none, `paths` are those in which no fleet is to spare."""

    fleets: frozenset[str]
    needed: frozenset[str]
    paths: tuple[tuple[str, ...], ...]


class ConvoyRoutes:
    """The convoys that the fleets in `seas` could make, worked out once for each origin."""

    def __init__(self, board: Map, seas: frozenset[str]) -> None:
        self.board = board
        self.seas = seas
        self.known: dict[str, Mapping[str, ConvoyRoute]] = {}

    def ways(self, origin: str) -> Mapping[str, ConvoyRoute]:
        """Target -> the route there, by the target's code."""
        found = self.known.get(origin)
        if found is None:
            paths = self._paths(origin) if origin in self.board.coastal else {}
            found = self._judged(origin) if paths is None else _joined(paths)
            self.known[origin] = found
        return found

    def _paths(self, origin: str) -> dict[str, list[tuple[str, ...]]] | None:
        """Target -> the paths there in which no fleet is to spare, None if there are too many.

        Those are the paths without shortcuts of which only the first sea touches the origin and
        only the last the target, as in `on_minimal_route`; all targets are found in one walk.
        """
        water, coastal = self.board.water, self.board.coastal
        starts = water.get(origin, frozenset()) & self.seas
        found: dict[str, list[tuple[str, ...]]] = {}
        # Of each path: its seas, and the provinces that all but the last of them touch.
        walks: list[tuple[tuple[str, ...], frozenset[str]]] = [
            ((sea,), frozenset({origin})) for sea in sorted(starts, reverse=True)
        ]
        for _ in range(_MAX_PATHS):
            if not walks:
                return found
            path, touched = walks.pop()
            near = water[path[-1]]
            for target in (near & coastal) - touched:
                found.setdefault(target, []).append(path)
            onward = (near & self.seas) - touched - starts
            walks += [((*path, sea), touched | near) for sea in sorted(onward, reverse=True)]
        return None

    def _judged(self, origin: str) -> Mapping[str, ConvoyRoute]:
        """The same without paths, by asking of each fleet what the judge of orders asks."""
        board, seas = self.board, self.seas
        return {
            target: ConvoyRoute(
                frozenset(f for f in seas if on_minimal_route(board, origin, target, seas, f)),
                frozenset(f for f in seas if not route_exists(board, origin, target, seas - {f})),
                (),
            )
            for target in sorted(board.coastal)
            if route_exists(board, origin, target, seas)
        }


def _joined(paths: Mapping[str, list[tuple[str, ...]]]) -> Mapping[str, ConvoyRoute]:
    found = {}
    for target in sorted(paths):
        fleets = [frozenset(path) for path in paths[target]]
        found[target] = ConvoyRoute(
            frozenset().union(*fleets), fleets[0].intersection(*fleets), tuple(paths[target])
        )
    return found
