"""Building phases for tests, and small crowded boards on which all assignments can be tried."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import dipsat
from dipsat.board import province_of
from dipsat.equations import Phase, build_phase
from dipsat.formats import load_cases
from dipsat.game import Submission, judge_orders
from dipsat.orders import MovementOrder, OrderLine, OrderReader, UnitName, reader_for, scan_sheet
from dipsat.rules import Profile

Texts = Mapping[str, Sequence[str]]
BY_SOLVER = dipsat.Limits(work=10**9)
"""With a limit of work, `adjudicate` does not ask compiled equations, however many boards came
before."""
RING = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]}
"""Orders with two resolutions: all move, or none."""


def unit_named(reader: OrderReader, text: str) -> UnitName:
    """The unit that a movement order is for."""
    order = reader.read(text)
    assert isinstance(order, MovementOrder)
    return order.unit


def position_of(orders: Texts, rules: str | Profile = "datc") -> dipsat.Position:
    """The position of the units that the orders name."""
    profile = dipsat.load_profile(rules)
    reader = reader_for(dipsat.load_map("standard"), profile.words)
    units = {
        power: [unit_named(reader, text).text() for text in texts]
        for power, texts in orders.items()
    }
    return dipsat.Position.from_units(units, rules=profile)


def sheet_of(orders: Texts) -> str:
    """The orders as an order sheet."""
    return "".join(
        f"{power}:\n" + "".join(f" {text}\n" for text in texts) for power, texts in orders.items()
    )


def read_sheet(text: str, board: dipsat.Map) -> list[OrderLine]:
    """The orders of a sheet. Raises its first fault."""
    found = [one for one in scan_sheet(text, board) if one.text]
    for one in found:
        if one.fault is not None:
            raise one.fault
    return found


def adjudicate(orders: Texts, rules: str | Profile = "datc", **options: Any) -> dipsat.Outcome:
    """The outcome of orders that name every unit."""
    return dipsat.adjudicate(position_of(orders, rules), orders, rules, **options)


def without_solvers(answer: Any) -> Any:
    """An answer without the parts that say who has decided."""
    if isinstance(answer, list):
        return [without_solvers(one) for one in answer]
    if isinstance(answer, dict):
        says_who = ("evidence", "solver", "instead_of")
        return {n: without_solvers(one) for n, one in answer.items() if n not in says_who}
    if isinstance(answer, str):  # a picture of a cycle names the solver in words
        return answer.replace("counted by case analysis", "counted by Z3")
    return answer


def phase_of(orders: Texts, rules: str | Profile = "datc") -> Phase:
    """The facts of a phase in which the orders name every unit."""
    profile, position = dipsat.load_profile(rules), position_of(orders, rules)
    reader = position.reader
    submissions = [
        Submission(power, text, reader.read(text)) for power, texts in orders.items()
        for text in texts
    ]  # fmt: skip
    return build_phase(
        position, judge_orders(position, submissions, profile.settings), profile.settings
    )


def crowded_orders(seed: int, most: int = 8) -> dict[str, list[str]]:
    """Orders for up to `most` units of three powers in one corner of the map, many of them at
    odds: moves into each other, supports that match, convoys that may be attacked."""
    rng = random.Random(seed)
    board = dipsat.load_map("standard")
    centre = rng.choice(sorted(board.provinces))
    corner = [centre]
    for code in corner:
        near = board.army.get(code, frozenset()) | board.water.get(code, frozenset())
        corner += [other for other in sorted(near) if other not in corner]
        if len(corner) > most + 4:
            break
    places = rng.sample(corner, min(most, len(corner)))
    units: dict[str, str] = {}
    for place in places:
        province = board.provinces[place]
        kinds = {"sea": "F", "land": "A"}.get(province.kind) or rng.choice("AF")
        units[place] = f"{kinds} {rng.choice(province.locations) if kinds == 'F' else place}"
    moves = {place: _move(rng, board, unit, units) for place, unit in units.items()}
    orders: dict[str, list[str]] = {"AUSTRIA": [], "FRANCE": [], "TURKEY": []}
    for place in units:
        orders[rng.choice(sorted(orders))].append(_order(rng, board, place, units, moves))
    return {power: texts for power, texts in orders.items() if texts}


def troubled_orders(seed: int) -> dict[str, list[str]]:
    """The orders of a DATC case about rings, convoys or swaps, with up to two random changes: a
    unit changes sides, holds, or moves elsewhere."""
    rng = random.Random(seed)
    cases = [case for section in ("6.C", "6.F", "6.G") for case in load_cases([section])]
    case = rng.choice([case for case in cases if len(case.position.units) <= 10])
    board = case.position.map
    reader = reader_for(board)
    entries = [(power, text) for power, texts in case.orders.items() for text in texts]
    entries = [(p, t) for p, t in entries if unit_named(reader, t).kind is not None]
    for _ in range(rng.choice([0, 1, 1, 2])):
        at = rng.randrange(len(entries))
        power, text = entries[at]
        unit = unit_named(reader, text)
        named = f"{unit.kind} {unit.location}"
        targets = sorted(board.reach(str(unit.kind), unit.location))
        entries[at] = rng.choice(
            [(rng.choice(sorted(board.powers)), text), (power, f"{named} H")]
            + [(power, f"{named} - {target}") for target in targets[:1]]
        )
    orders: dict[str, list[str]] = {}
    for power, text in entries:
        orders.setdefault(power, []).append(text)
    return orders


def _move(rng: random.Random, board: dipsat.Map, unit: str, units: Mapping[str, str]) -> str:
    kind, _, location = unit.partition(" ")
    targets = sorted(board.reach(kind, location))
    busy = [target for target in targets if province_of(target) in units]
    if kind == "A" and rng.random() < 0.5 and location in board.coastal:
        coasts = [p for p in units if p in board.coastal and p != location]
        return f"{unit} - {rng.choice(coasts)} VIA" if coasts else f"{unit} H"
    return f"{unit} - {rng.choice(busy if busy and rng.random() < 0.6 else targets)}"


def _order(
    rng: random.Random,
    board: dipsat.Map,
    place: str,
    units: Mapping[str, str],
    moves: Mapping[str, str],
) -> str:
    """The unit's move, or a support or convoy of another unit's move."""
    unit, kind = units[place], units[place][0]
    reach = board.reach_provinces(kind, units[place].partition(" ")[2])
    choices = [moves[place]] * 2
    for other, move in moves.items():
        if other == place:
            continue
        target = province_of(move.removesuffix(" VIA").rpartition(" ")[2])
        if target in reach:
            choices += [f"{unit} S {move.removesuffix(' VIA')}"] * 2
        if other in reach:
            choices.append(f"{unit} S {units[other]}")
        if place in board.seas and move.endswith("VIA"):
            choices += [f"{unit} C {move.removesuffix(' VIA')}"] * 3
    return rng.choice(choices)
