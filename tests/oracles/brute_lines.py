"""Stalemate lines on small maps by brute force, without dipsat: an oracle for `hold`, the checker
of certificates and for `find_lines`.

A board is as in the files of borders of the atlas. A line is own units with the province that each
supports, and a region. `breaks` tries all placements and all orders of the enemy. `fewest` tries
all lines; it asks `falls`, which tries all roles of the enemies in one attack.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any

from dipsat.board import Map, parse_map

Board = Mapping[str, Any]
Supports = Mapping[str, str | None]
"""Own province -> the province whose unit its unit supports, None if it holds."""


@dataclass(frozen=True)
class Limits:
    """What the enemy does not have."""

    units: int | None = None
    fleets_not_in: frozenset[str] = frozenset()
    armies_not_in: frozenset[str] = frozenset()

    def stated(self) -> dict[str, Any]:
        """What a certificate says about the enemy."""
        banned = {"fleets_not_in": self.fleets_not_in, "armies_not_in": self.armies_not_in}
        return {"units": self.units, **{key: sorted(codes) for key, codes in banned.items()}}


NO_LIMITS = Limits()


@dataclass(frozen=True)
class Line:
    """Own units with their supports, and the region."""

    units: Mapping[str, str]
    """Own province -> its unit, such as `F DDD/NC`."""
    supports: Supports
    region: frozenset[str]
    limits: Limits = NO_LIMITS


def province(location: str) -> str:
    """The province of a location."""
    return location.split("/")[0]


def reached(board: Board, unit: str) -> frozenset[str]:
    """The provinces that a unit can go to."""
    kind, location = unit.split()
    return frozenset(map(province, board["army" if kind == "A" else "fleet"][location]))


def units_in(board: Board, where: str, limits: Limits = NO_LIMITS) -> list[str]:
    """The units that can stand in a province; with limits, those that an enemy can have there."""
    armies = [f"A {where}" for _ in range(where in board["army"])]
    fleets = [f"F {place}" for place in sorted(board["fleet"]) if province(place) == where]
    return armies * (where not in limits.armies_not_in) + fleets * (
        where not in limits.fleets_not_in
    )


def breaks(board: Board, line: Line) -> bool:
    """Whether any enemy, with any orders to move or to support a move, breaks a line."""
    outside = sorted(set(board["kind"]) - set(line.units) - line.region)
    most = len(outside) if line.limits.units is None else line.limits.units
    for units in product(*([None, *units_in(board, one, line.limits)] for one in outside)):
        enemies = [unit for unit in units if unit is not None]
        if 0 < len(enemies) <= most and _overcome(board, line, enemies):
            return True
    return False


def _overcome(board: Board, line: Line, enemies: list[str]) -> bool:
    """Whether some orders of these enemies break a line."""
    reach = {unit: reached(board, unit) for unit in enemies}
    if any(places & line.region for places in reach.values()):
        return True
    options: list[list[tuple[str, ...]]] = []
    for unit in enemies:
        moves = [(unit, aim) for aim in sorted(reach[unit] & line.units.keys())]
        helps = [
            (unit, aim, other)
            for aim in sorted(reach[unit] & line.units.keys())
            for other in enemies
            if other != unit and aim in reach[other]
        ]
        options.append([(unit,), *moves, *helps])
    return any(_dislodged(line, orders) for orders in product(*options))


def _dislodged(line: Line, orders: tuple[tuple[str, ...], ...]) -> bool:
    """Whether an own unit is dislodged. Only the enemy moves, and it is one power, so all its
    supports of an ordered move count."""
    attacked = {order[1] for order in orders if len(order) == 2}
    for target in attacked:
        strength = sorted(
            1 + sum(one[1:] == (target, order[0]) for one in orders)
            for order in orders
            if len(order) == 2 and order[1] == target
        )
        backing = [one for one, aim in line.supports.items() if aim == target]
        hold = 1 + sum(one not in attacked for one in backing)
        if strength[-1] > hold and strength[-1] not in strength[:-1]:
            return True
    return False


def falls(
    links: Mapping[str, frozenset[str]], target: str, supporters: Iterable[str], most: int | None
) -> bool:
    """Whether an own unit can be dislodged. `links`: outside province -> where a unit goes from
    there."""
    helpers = sorted(supporters)

    def best(places: list[str], cut: frozenset[str], left: int) -> int:
        """The most that units in these places add to the attack, or take from the defence."""
        if not places or not left:
            return 0
        first, *rest = places
        found = best(rest, cut, left)
        if target in links[first]:
            found = max(found, 1 + best(rest, cut, left - 1))
        for helper in helpers:
            if helper in links[first] and helper not in cut:
                found = max(found, 1 + best(rest, cut | {helper}, left - 1))
        return found

    everywhere = sorted(links)
    left = len(everywhere) if most is None else most
    return any(
        left and target in links[first]
        and 1 + best([one for one in everywhere if one != first], frozenset(), left - 1)
        > 1 + len(helpers)
        for first in everywhere
    )  # fmt: skip


def lines(board: Board, limits: Limits, number: int) -> Iterator[Line]:
    """Every line of `number` units, without orders, with every region that no enemy can enter. At
    least one province is outside."""
    everywhere = sorted(board["kind"])
    for places in combinations(everywhere, number):
        rest = [one for one in everywhere if one not in places]
        for inside in product((False, True), repeat=len(rest)):
            region = frozenset(one for one, is_in in zip(rest, inside, strict=True) if is_in)
            links = _links(board, places, region, limits)
            entered = limits.units != 0 and any(to & region for to in links.values())
            if entered or len(region) == len(rest):
                continue
            for units in product(*(units_in(board, one) for one in places)):
                yield Line(dict(zip(places, units, strict=True)), {}, region, limits)


def _links(
    board: Board, own: Iterable[str], region: frozenset[str], limits: Limits
) -> dict[str, frozenset[str]]:
    """Where an enemy can be -> where it can go from there."""
    found = {}
    for outside in sorted(set(board["kind"]) - set(own) - region):
        units = units_in(board, outside, limits)
        if units:
            found[outside] = frozenset().union(*(reached(board, unit) for unit in units))
    return found


def held(board: Board, line: Line) -> int:
    """The number of centres that a line holds."""
    return len(set(board["centres"]) & (line.units.keys() | line.region))


def safe_orders(board: Board, line: Line) -> Iterator[Supports]:
    """All orders with which a line holds."""
    links = _links(board, line.units, line.region, line.limits)

    @cache
    def is_safe(target: str, supporters: frozenset[str]) -> bool:
        return not falls(links, target, supporters, line.limits.units)

    options = [
        [None, *sorted(reached(board, unit) & line.units.keys())] for unit in line.units.values()
    ]
    for aims in product(*options):
        supports = dict(zip(line.units, aims, strict=True))
        backing = {one: {by for by, aim in supports.items() if aim == one} for one in supports}
        if all(is_safe(one, frozenset(backing[one])) for one in supports):
            yield supports


def fewest(board: Board, limits: Limits = NO_LIMITS) -> dict[int, int]:
    """Number of centres -> the fewest units that hold exactly this many, if any units can."""
    found: dict[int, int] = {}
    for number in range(len(board["kind"])):
        for line in lines(board, limits, number):
            centres = held(board, line)
            if centres not in found and next(safe_orders(board, line), None) is not None:
                found[centres] = number
    return found


def every_line(board: Board, most: int) -> dict[int, set[tuple[frozenset[str], frozenset[str]]]]:
    """Number of centres -> the lines of the fewest units that hold exactly this many, as their
    units and centres. Only numbers that up to `most` units can hold are included."""
    found: dict[int, set[tuple[frozenset[str], frozenset[str]]]] = {}
    for number in range(1, most + 1):
        shorter = set(found)
        for line in lines(board, NO_LIMITS, number):
            centres = frozenset(board["centres"]) & (line.units.keys() | line.region)
            if not centres or len(centres) in shorter:
                continue
            of_size = found.get(len(centres), set())
            one = (frozenset(line.units.values()), centres)
            if one not in of_size and next(safe_orders(board, line), None) is not None:
                found[len(centres)] = of_size | {one}
    return found


def random_board(seed: int, size: int) -> dict[str, Any]:
    """A connected board of `size` provinces, half of them centres. One may have two coasts."""
    dice = random.Random(seed)
    codes = [letter * 3 for letter in "ABCDEFGH"[:size]]
    kind = {code: dice.choice(["land", "coast", "coast", "sea"]) for code in codes}
    if "sea" not in kind.values():
        kind[codes[-1]] = "sea"
    pairs = {(codes[dice.randrange(at)], codes[at]) for at in range(1, size)}
    pairs |= {pair for pair in combinations(codes, 2) if dice.random() < 0.25}
    borders = borders_of(dice, kind, sorted(pairs), by_sea=0.5)
    return {
        "map": f"random{seed}",
        "kind": kind,
        "centres": sorted(dice.sample(codes, (size + 1) // 2)),
        **borders,
    }


def borders_of(
    dice: random.Random, kind: dict[str, str], pairs: Iterable[Iterable[str]], by_sea: float
) -> dict[str, dict[str, list[str]]]:
    """The borders for armies and fleets between pairs of provinces, those of coasts only sometimes
    by sea. An inland province beside a sea becomes a coast, and a coast may be split into two."""
    joined = [tuple(pair) for pair in pairs]
    for one, other in joined:
        if {kind[one], kind[other]} == {"land", "sea"}:
            kind[one if kind[one] == "land" else other] = "coast"
    army: dict[str, set[str]] = {code: set() for code in kind if kind[code] != "sea"}
    fleet: dict[str, set[str]] = {code: set() for code in kind if kind[code] != "land"}
    for one, other in joined:
        if one in army and other in army:
            army[one].add(other)
            army[other].add(one)
        at_sea = "sea" in (kind[one], kind[other])
        if one in fleet and other in fleet and (at_sea or dice.random() < by_sea):
            fleet[one].add(other)
            fleet[other].add(one)
    _split_a_coast(dice, kind, fleet)
    return {
        way: {place: sorted(near) for place, near in by.items()}
        for way, by in (("army", army), ("fleet", fleet))
    }


def _split_a_coast(
    dice: random.Random, kind: Mapping[str, str], fleet: dict[str, set[str]]
) -> None:
    """Give two coasts to a province with two or more sea borders."""
    wide = [code for code in sorted(fleet) if kind[code] == "coast" and len(fleet[code]) > 1]
    if not wide or dice.random() < 0.5:
        return
    code = dice.choice(wide)
    for at, near in enumerate(sorted(fleet.pop(code))):
        coasts = [f"{code}/NC", f"{code}/SC"] if at > 1 and dice.random() < 0.5 else []
        for coast in coasts or [f"{code}/{('NC', 'SC')[at % 2]}"]:
            fleet.setdefault(coast, set()).add(near)
            fleet[near].add(coast)
        fleet[near].discard(code)


def as_map(board: Board) -> Map:
    """The board as a map of dipsat."""
    return parse_map(map_text(board), f"{board['map']}.yaml")


def map_text(board: Board) -> str:
    """The board as a file that dipsat reads; the powers are OWN and ENEMY."""
    rows = []
    for code, kind in board["kind"].items():
        row = [f"name: Name{code}", f"type: {kind}"]
        row += ["supply: true"] * (code in board["centres"])
        for way in ("army", "fleet"):
            near = board[way].get(code)
            row += [f"{way}: {_listed(near)}"] if near else []
        coasts = [place for place in sorted(board["fleet"]) if place.startswith(f"{code}/")]
        shores = [f"{place[4:]}: {_listed(board['fleet'][place])}" for place in coasts]
        row += [f"fleet: {{{', '.join(shores)}}}"] * bool(shores)
        rows.append(f"  {code}: {{{', '.join(row)}}}")
    heads = [f"name: {board['map']}", "powers:", "  OWN: {}", "  ENEMY: {}"]
    heads += ["coasts:", "  NC: [north coast]", "  SC: [south coast]", "provinces:"]
    return "\n".join([*heads, *rows, ""])


def _listed(places: Iterable[str]) -> str:
    return f"[{', '.join(places)}]"
