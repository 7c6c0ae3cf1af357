"""The package `pydip` (MIT; pure Python) on the boards of `python -m bench`, if it is installed.

pydip has no notation: units and orders are objects, which are made here from texts. An order that
pydip refuses becomes a hold.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import dipsat
from dipsat.board import Map, province_of
from dipsat.studies import RandomBoard

Figure = tuple[str, str, str]
NAMES = {"EAS": "Eastern Mediterranean Sea", "WES": "Western Mediterranean Sea",
         "STP": "St. Petersburg"}  # fmt: skip
SIDES = {"NC": "North Coast", "SC": "South Coast", "EC": "South Coast"}
"""pydip calls the east coast of Bulgaria the north coast."""


class Peer:
    """Pydip's map, and dipsat's names for its places."""

    def __init__(self) -> None:
        from pydip.map.predefined import vanilla_dip
        from pydip.player import command, player, unit
        from pydip.turn import resolve

        self.command, self.player, self.unit, self.resolve = command.command, player, unit, resolve
        self.map = vanilla_dip.generate_map()
        self.places = dict(self._places(dipsat.load_map("standard")))
        self.codes = {name: key for key, name in self.places.items()}

    def _places(self, board: Map) -> Iterator[tuple[tuple[str, str], str]]:
        """Kind of unit and location -> pydip's name for the place."""
        for code, province in board.provinces.items():
            name = NAMES.get(code, province.name)
            coasts = getattr(self.map.name_map[name], "coasts", None)
            yield ("F" if coasts is None else "A", code), name
            if coasts and not province.coasts:
                yield ("F", code), coasts[0].name
            for side in province.coasts:
                north = code == "BUL" and side == "EC"
                yield ("F", f"{code}/{side}"), f"{name} {'North Coast' if north else SIDES[side]}"

    def commands(self, board: RandomBoard) -> list[Any]:
        """Pydip's orders for a board, from texts."""
        kinds = {"A": self.unit.UnitTypes.TROOP, "F": self.unit.UnitTypes.FLEET}
        units: dict[str, Any] = {}
        owners: dict[str, Any] = {}
        goals: dict[str, str] = {}
        for power, texts in board.units.items():
            placed = [text.split() for text in texts]
            player = self.player.Player(power, self.map, [
                {"territory_name": self.places[kind, where], "unit_type": kinds[kind]}
                for kind, where in placed
            ])  # fmt: skip
            for (_, where), unit in zip(placed, player.units, strict=True):
                units[province_of(where)], owners[province_of(where)] = unit, player
        orders = [text.split() for texts in board.orders.values() for text in texts]
        for kind, where, *rest in orders:
            if rest[0] == "-":
                goals[province_of(where)] = self.places[kind, rest[1]]
        return [self._command(words, units, owners[province_of(words[1])], goals)
                for words in orders]  # fmt: skip

    def _command(
        self, words: Sequence[str], units: dict[str, Any], player: Any, goals: dict[str, str]
    ) -> Any:
        kind, where, what, *rest = words
        make, unit = self.command, units[province_of(where)]
        try:
            if what == "-":
                goal = self.places[kind, rest[0]]
                by_sea = rest[-1] == "VIA" or (
                    kind == "A" and goal not in self.map.adjacency[unit.position]
                )
                return (make.ConvoyMoveCommand if by_sea else make.MoveCommand)(player, unit, goal)
            if what == "H":
                return make.HoldCommand(player, unit)
            helped = units[province_of(rest[1])]
            if what == "C":
                goal = self.places["A", rest[-1]]
                return make.ConvoyTransportCommand(player, unit, helped, goal)
            goal = helped.position
            if len(rest) > 2:
                ordered = goals.get(province_of(rest[1]), "")
                goal, *coasts = self._inside(rest[-1])
                goal = ordered if ordered in coasts else goal
            return make.SupportCommand(player, unit, helped, goal)
        except (AssertionError, KeyError):
            return make.HoldCommand(player, unit)

    def _inside(self, location: str) -> Iterator[str]:
        """Pydip's names for a province and its coasts."""
        code = province_of(location)
        land = self.map.name_map[self.places.get(("A", code)) or self.places["F", code]]
        yield land.name
        yield from (coast.name for coast in getattr(land, "coasts", ()))

    def judge(self, commands: list[Any]) -> Any:
        """Pydip's results: power -> unit -> its retreats; None if it need not retreat."""
        return self.resolve.resolve_turn(self.map, commands)

    def agrees(self, board: RandomBoard) -> bool:
        """Whether the same units stand in the same places as in dipsat, and the same retreat."""
        found = self.judge(self.commands(board))
        stand = {
            (power, *self.codes[unit.position], retreats is not None)
            for power, own in found.items()
            for unit, retreats in own.items()
        }
        position = dipsat.Position.from_units(board.units)
        outcome = dipsat.adjudicate(position, board.orders)
        ours = {
            (power, *text.split(), False) for power, own in outcome.units.items() for text in own
        }
        ours |= {(one.power, *one.unit.split(), True) for one in outcome.dislodged}
        return stand == ours


def pydip_figures(boards: Sequence[RandomBoard], process_us: float | None) -> Iterator[Figure]:
    """What was measured, the value, and its ratio to `process()` (in microseconds)."""
    try:
        peer = Peer()
    except ImportError:
        yield "pydip", "not installed", "pip install pydip==0.1.8"
        return
    same = sum(map(peer.agrees, boards))
    made = [peer.commands(board) for board in boards]
    for name, action, given in (
        ("pydip 0.1.8, strings to results", lambda one: peer.judge(peer.commands(one)), boards),
        ("`resolve_turn` alone", peer.judge, made),
    ):
        own = _median_us(action, given)
        ratio = f"`process()` takes {process_us / own:.1f} times as long" if process_us else ""
        yield name, f"{own:.0f} us", ratio
    yield "the same results as dipsat's", f"{same} of {len(boards)} boards", ""


def _median_us(action: Callable[[Any], object], given: Sequence[Any]) -> float:
    times = []
    for one in given:
        start = time.thread_time()
        action(one)
        times.append(time.thread_time() - start)
    return statistics.median(times) * 1e6
