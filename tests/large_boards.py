"""Full boards on maps of every size, and seas over which fleets convoy one army."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random
from typing import TypeAlias

import dipsat
from dipsat.board import Map, parse_map, province_of
from dipsat.game import PowerOrders, legal_orders
from dipsat.kernel import Batch, BoardCodes
from dipsat.kernel.numbers import CONVOY, MOVE, SUPPORT_HOLD, SUPPORT_MOVE
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

Row: TypeAlias = tuple[int, int, int, int]


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


def placed_codes(batch: Batch, units: int, random: Random) -> BoardCodes:
    """Up to `units` units of all powers, each in its own province; they hold."""
    numbers, stands = batch.numbers, dict[str, list[Row]]()
    for kind, one in enumerate(numbers.kinds):
        for at, location in enumerate(numbers.locations):
            if numbers.stands(one, location):
                stands.setdefault(province_of(location), []).append((0, kind, at, 0))
    powers = [numbers.number_of_power[power] for power in batch.map.players]
    rows = [
        (random.choice(powers), *random.choice(stands[code])[1:])
        for code in sorted(random.sample(sorted(stands), min(units, len(stands))))
    ]
    return BoardCodes(
        [0, len(rows)], _flat(rows), [0] * 4 * len(rows), [random.choice((0, 2))], None
    )


def _flat(rows: Iterable[Row]) -> list[int]:
    return [number for row in rows for number in row]


def related_board(
    batch: Batch, units: int, seed: int
) -> tuple[dipsat.Position, Mapping[str, PowerOrders]]:
    """A board on which about half of the units move; most others support or convoy one of these, or
    support one that stays."""
    random = Random(f"large {units} {seed}")
    codes = placed_codes(batch, units, random)
    legal = batch.legal_orders(codes)
    province = [province_of(one) for one in batch.numbers.locations]
    at = [province[location] for location in codes.units[2::4]]
    listed = [legal.of(unit) for unit in range(len(at))]
    moves = {
        at[unit]: random.choice(found)
        for unit, rows in enumerate(listed)
        if (found := [row for row in rows if row[0] == MOVE]) and random.random() < 0.5
    }

    def fits(row: Row) -> bool:
        if row[0] not in (SUPPORT_HOLD, SUPPORT_MOVE, CONVOY):
            return False
        move = moves.get(province[row[2]])
        if row[0] == SUPPORT_HOLD or move is None:
            return row[0] == SUPPORT_HOLD and move is None
        return province[move[3]] == province[row[3]]

    rows = [
        moves.get(here) or random.choice([*filter(fits, listed[unit])] or listed[unit])
        for unit, here in enumerate(at)
    ]
    position, texts = batch.board(replace(codes, orders=_flat(rows)), 0)
    return replace(position, unknown_centers=()), texts


def grid_map(width: int, height: int) -> Map:
    """A map of `width` times `height` seas (from `S0000`) with coasts all around (from `C00`)."""
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
