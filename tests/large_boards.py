"""Full boards on maps of every size, and seas over which fleets convoy one army."""

from __future__ import annotations

from random import Random

import dipsat
from dipsat.board import Map, parse_map
from dipsat.game import legal_orders
from dipsat.orders import (
    Convoy,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
    UnitName,
    write_order,
)
from dipsat.rules import Settings


def full_position(board: Map, seed: int, at_sea: bool = False) -> dipsat.Position:
    """As many units as the map has supply centres, of all powers, in a movement phase; with
    `at_sea`, as many of them at sea as possible."""
    random = Random(seed)
    provinces = sorted(board.provinces)
    random.shuffle(provinces)
    if at_sea:
        provinces.sort(key=lambda code: code not in board.seas)
    units: dict[str, list[str]] = {}
    for at, code in enumerate(provinces[: max(2, len(board.centers))]):
        province = board.provinces[code]
        places = [f"F {place}" for place in province.locations if place in board.fleet]
        if province.kind != "sea":
            places.append(f"A {code}")
        units.setdefault(board.players[at % len(board.players)], []).append(random.choice(places))
    year = board.first_phase[1:-1]
    return dipsat.Position.from_units(units, board, phase=f"S{year}M")


def full_orders(position: dipsat.Position, seed: int) -> dict[str, list[str]]:
    """An order for every unit: moves, and supports and convoys that match."""
    random = Random(seed)
    legal = legal_orders(position, Settings())
    moves: dict[UnitName, Move] = {}
    chosen: dict[str, list[str]] = {}
    for unit in position.units:
        listed = [order for order in legal.get(str(unit), ()) if isinstance(order, Move)]
        if listed and random.random() < 0.5:
            moves[unit.name] = random.choice(listed)
    for unit in position.units:
        orders = legal.get(str(unit), ())
        fitting = [order for order in orders if _fits(order, moves)]
        order = moves.get(unit.name) or random.choice(fitting or list(orders) or [None])
        if order is not None:
            chosen.setdefault(unit.power, []).append(write_order(order, position.map))
    return chosen


def _fits(order: object, moves: dict[UnitName, Move]) -> bool:
    """Whether a support or convoy matches the order of the other unit."""
    if isinstance(order, SupportHold):
        return _plain(order.supported) not in moves
    if isinstance(order, SupportMove):
        move = moves.get(_plain(order.supported))
        return move is not None and move.target == order.target
    if isinstance(order, Convoy):
        move = moves.get(_plain(order.army))
        return move is not None and move.via and move.target == order.target
    return not isinstance(order, MovementOrder)


def _plain(named: UnitName) -> UnitName:
    return UnitName(named.location, named.kind)


def grid_map(width: int, height: int) -> Map:
    """A map of `width` times `height` seas with coasts all around: `S0000` and on, `C00` and on."""
    seas = {(x, y): f"S{x:02}{y:02}" for x in range(width) for y in range(height)}
    ring = [
        *((x, -1) for x in range(width)), *((width, y) for y in range(height)),
        *((x, height) for x in reversed(range(width))), *((-1, y) for y in reversed(range(height))),
    ]  # fmt: skip
    coasts = {place: f"C{at:02}" for at, place in enumerate(ring)}
    fleet: dict[str, list[str]] = {}
    for (x, y), code in {**seas, **coasts}.items():
        around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
        fleet[code] = sorted(seas[near] for near in around if near in seas)
        if code[0] == "S":
            fleet[code] += sorted(coasts[near] for near in around if near in coasts)
    names = list(coasts.values())
    army = {code: [names[at - 1], names[(at + 1) % len(names)]] for at, code in enumerate(names)}
    lines = ["name: grid", "powers: {RED: {home: [C00]}}", "provinces:"]
    for code in names:
        kind = f"type: coast, supply: true, army: [{', '.join(army[code])}]"
        lines.append(f"  {code}: {{name: {code}, {kind}, fleet: [{', '.join(fleet[code])}]}}")
    for code in seas.values():
        lines.append(f"  {code}: {{name: {code}, type: sea, fleet: [{', '.join(fleet[code])}]}}")
    return parse_map("\n".join(lines), "grid.yaml")


def grid_phase(board: Map, target: str) -> tuple[dipsat.Position, dict[str, list[str]]]:
    """A position and orders: fleets in every sea of a grid convoy the army in C00 to `target`."""
    fleets = [f"F {sea} C A C00 - {target}" for sea in sorted(board.seas)]
    orders = {"RED": [f"A C00 - {target} VIA", *fleets]}
    units = {"RED": ["A C00", *(f"F {sea}" for sea in board.seas)]}
    return dipsat.Position.from_units(units, board), orders
