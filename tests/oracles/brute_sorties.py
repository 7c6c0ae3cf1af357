"""Lines with sorties on small maps by brute force: an oracle for their certificates.

It places enemies, gives them every legal order, and adjudicates; it knows nothing of how `hold` or
certificates judge a line.
"""

from __future__ import annotations

import random
import runpy
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice, product
from types import MappingProxyType
from typing import Any

from dipsat import Map
from dipsat.board import parse_map
from dipsat.game import DislodgedUnit, Position, legal_orders
from dipsat.kernel import Batch
from dipsat.orders import Unit, write_order
from dipsat.rules import load_profile
from dipsat.searches import LineEnemy, StalemateLine
from dipsat.searches.line import with_sorties
from tests.checkout import ROOT
from tests.oracles import brute_lines
from tests.oracles.brute_lines import Board, Limits, Line, province

Certificate = dict[str, Any]
CHECKER = runpy.run_path(str(ROOT / "docs" / "atlas" / "check_lines.py"))
why_not: Callable[[Certificate, Board], str] = CHECKER["why_not"]
RULES = load_profile("datc")
Boards = tuple[dict[str, list[str]], dict[str, list[str]]]
"""The units and the orders of each power."""


@dataclass(frozen=True)
class Brute:
    """A line, province -> location for the sorties of its units, and the most powers and units of
    the enemy."""

    board: Board
    line: Line
    sorties: Mapping[str, str]
    powers: int = 1
    most: int = 2

    def breaks(self) -> bool:
        """Whether some enemies, in some state, dislodge an own unit, or enter (or may retreat to)
        the region or the province of an own unit."""
        batch = Batch(RULES, _map_of(self.board))
        boards = self._boards(batch.map)
        while some := list(islice(boards, 20_000)):
            result = batch.adjudicate(batch.encode(some))
            for at in range(len(some)):
                if self._is_broken(result.after(at), result.lost(at)):
                    return True
        return False

    def _is_broken(self, after: Iterable[Unit], lost: Iterable[DislodgedUnit]) -> bool:
        closed = self.line.region | self.line.units.keys()
        own = sum(unit.power == "OWN" for unit in after)
        entered = {province(one.location) for one in after if one.power != "OWN"}
        fled = {province(at) for one in lost if one.unit.power != "OWN" for at in one.retreats}
        return own < len(self.line.units) or bool((entered | fled) & closed)

    def _boards(self, board: Map) -> Iterator[Boards]:
        for number in range(len(self.sorties) + 1):
            for out in combinations(self.sorties, number):
                own = dict(self._state(frozenset(out)))
                if len({province(unit.split()[1]) for unit in own}) == len(own):
                    yield from self._against(board, own)

    def _state(self, out: frozenset[str]) -> Iterator[tuple[str, str]]:
        """The own units with their orders, while some are out."""
        for where, unit in self.line.units.items():
            aim = self.line.supports.get(where)
            if where in out:
                away = f"{unit[0]} {self.sorties[where]}"
                yield away, f"{away} - {unit[2:]}"
            elif where in self.sorties:
                yield unit, f"{unit} - {self.sorties[where]}"
            else:
                yield unit, f"{unit} H" if aim is None else f"{unit} S {self.line.units[aim]}"

    def _against(self, board: Map, own: Mapping[str, str]) -> Iterator[Boards]:
        taken = {province(unit.split()[1]) for unit in own}
        free = set(self.board["kind"]) - taken - self.line.units.keys() - self.line.region
        limits = self.line.limits
        most = self.most if limits.units is None else min(self.most, limits.units)
        names = ("ENEMY", "OTHER")[: self.powers]
        for number in range(1, most + 1):
            for places in combinations(sorted(free), number):
                ways = (brute_lines.units_in(self.board, one, limits) for one in places)
                for enemies in product(*ways):
                    for owners in product(names, repeat=number):
                        if owners[0] == names[0]:
                            yield from _ordered(board, own, enemies, owners)


def claim(board: Board, line: Line, sorties: Mapping[str, str]) -> Certificate:
    """The certificate that a line should have, without covers."""
    beside = _beside(board, line)
    backing = {
        one: sorted(by for by, aim in line.supports.items() if aim == one) for one in line.units
    }
    orders = {one: f"{unit} H" for one, unit in line.units.items()}
    orders |= {
        one: f"{line.units[one]} S {line.units[aim]}"
        for one, aim in line.supports.items()
        if aim is not None
    }
    orders |= {one: f"{line.units[one]} - {goal}" for one, goal in sorties.items()}
    return {
        "map": board["map"],
        "power": "OWN",
        "units": [*line.units.values()],
        "orders": [*orders.values()],
        **({"sorties": {**sorties}} if sorties else {}),
        "region": sorted(line.region),
        "centres": sorted(set(board["centres"]) & (line.units.keys() | line.region)),
        "enemy": line.limits.stated(),
        "defence": {
            one: {"attackers": sorted(beside[one]), "supporters": backing[one], "cover": []}
            for one in line.units
            if one not in sorties
        },
    }


def passes(board: Board, line: Line, sorties: Mapping[str, str]) -> bool:
    """Whether the checker of docs/atlas accepts a line with any covers. It judges each cover by
    itself."""
    found, codes = claim(board, line, sorties), [*board["kind"]]
    for where, defence in found["defence"].items():
        for cover in chain.from_iterable(combinations(codes, n) for n in range(len(codes) + 1)):
            defence["cover"] = [*cover]
            fault = why_not(found, board)
            about = fault.startswith(line.units[where])
            if not about or ("cover" not in fault and "dislodged" not in fault):
                break
        else:
            return False
    return not why_not(found, board)


def as_plan(
    board: Board, line: Line, sorties: Mapping[str, str] = MappingProxyType({})
) -> StalemateLine:
    """A line as dipsat represents it."""
    read, limits = brute_lines.as_map(board), line.limits
    units = Position.from_units({"OWN": [*line.units.values()]}, read).units
    enemy = LineEnemy(("ENEMY",), limits.fleets_not_in, limits.armies_not_in, limits.units)
    supports = {one: aim for one, aim in line.supports.items() if aim is not None}
    placed = tuple(sorted(units, key=lambda unit: unit.province))
    stays = StalemateLine(
        read, RULES, "OWN", placed, supports, frozenset(), frozenset(line.region), enemy
    )
    return with_sorties(stays, sorties) if sorties else stays


def some_line(
    dice: random.Random, board: Board, limits: Limits, any_way: bool = False
) -> tuple[Line, dict[str, str]]:
    """A random line with sorties: to anywhere outside, or only where enemies come from one province
    and no other sortie goes there."""
    codes = sorted(board["kind"])
    own = dice.sample(codes, dice.randint(2, min(4, len(codes) - 1)))
    units = {code: dice.choice(brute_lines.units_in(board, code)) for code in own}
    region = frozenset(code for code in codes if code not in own and dice.random() < 0.1)
    line, sorties = Line(units, {}, region, limits), dict[str, str]()
    beside = _beside(board, line)
    for code, unit in units.items():
        places = board["army" if unit[0] == "A" else "fleet"][unit[2:]]
        goals = sorted(at for at in places if province(at) not in {*own, *region})
        goal = dice.choice(goals) if goals and dice.random() < 0.9 else ""
        gone = map(province, sorties.values())
        if goal and (any_way or (beside[code] <= {province(goal)} and province(goal) not in gone)):
            sorties[code] = goal
    supports = dict[str, str]()
    for code, unit in units.items():
        aims = sorted((brute_lines.reached(board, unit) & units.keys()) - sorties.keys())
        if aims and code not in sorties and dice.random() < 0.8:
            supports[code] = dice.choice(aims)
    return replace(line, supports=supports), sorties


def some_limits(dice: random.Random, board: Board, units: int | None) -> Limits:
    """Random limits of an enemy with `units` units."""
    codes = sorted(board["kind"])
    some = (frozenset(dice.sample(codes, dice.choice((0, 0, 1)))) for _ in range(2))
    return Limits(units, *some)


def meeting_board(seed: int) -> Board:
    """A random board on which units in YYY and ZZZ can go to QQQ and RRR, from where enemies can
    attack PPP, and a unit in XXX can support the one there."""
    dice = random.Random(seed)
    kind = {code: dice.choice(_KINDS) for code in (*_OWN, *_OUTSIDE)}
    pairs = [pair.split() for pair in _ALWAYS]
    pairs += [pair.split() for pair in _PERHAPS if dice.random() < 0.6]
    borders = brute_lines.borders_of(dice, kind, pairs, by_sea=0.7)
    return {"map": f"meeting{seed}", "kind": kind, "centres": ["PPP"], **borders}


_OWN, _OUTSIDE = ("PPP", "XXX", "YYY", "ZZZ"), ("QQQ", "RRR", "SSS")
_KINDS = ("land", "coast", "coast", "coast", "sea")
_ALWAYS = ("YYY QQQ", "ZZZ RRR", "PPP QQQ", "PPP RRR", "PPP SSS", "XXX PPP")
_PERHAPS = (
    "XXX QQQ", "XXX RRR", "XXX SSS", "XXX YYY", "PPP YYY", "QQQ SSS", "QQQ RRR", "RRR SSS",
)  # fmt: skip


def some_meeting(
    dice: random.Random, board: Board, limits: Limits
) -> tuple[Line, dict[str, str]] | None:
    """Units on a meeting board that make every sortie they can, and support each other; None
    without a sortie."""
    units = {code: dice.choice(brute_lines.units_in(board, code)) for code in _OWN}
    line, sorties = Line(units, {}, frozenset(), limits), dict[str, str]()
    beside = _beside(board, line)
    for code in _OWN[1:]:
        places = board["army" if units[code][0] == "A" else "fleet"][units[code][2:]]
        goals = sorted(at for at in places if province(at) in _OUTSIDE)
        gone = map(province, sorties.values())
        near = set(map(province, goals))
        if len(near) == 1 and beside[code] <= near and near.isdisjoint(gone):
            sorties[code] = dice.choice(goals)
    supports = dict[str, str]()
    for code in units.keys() - sorties.keys():
        aims = sorted((brute_lines.reached(board, units[code]) & units.keys()) - sorties.keys())
        if aims:
            supports[code] = "PPP" if "PPP" in aims else dice.choice(aims)
    return (replace(line, supports=supports), sorties) if sorties else None


def _beside(board: Board, line: Line) -> Mapping[str, set[str]]:
    """Province -> the provinces from which an enemy can move there."""
    beside: dict[str, set[str]] = {code: set() for code in board["kind"]}
    for place in set(board["kind"]) - line.units.keys() - line.region:
        for unit in brute_lines.units_in(board, place, line.limits):
            for aim in brute_lines.reached(board, unit):
                beside[aim] |= {place} if line.limits.units != 0 else set()
    return beside


def _ordered(
    board: Map, own: Mapping[str, str], enemies: tuple[str, ...], owners: tuple[str, ...]
) -> Iterator[Boards]:
    units = {"OWN": [*own]}
    for unit, owner in zip(enemies, owners, strict=True):
        units.setdefault(owner, []).append(unit)
    legal = legal_orders(Position.from_units(units, board), RULES.settings)
    ways = [[write_order(one, board) for one in legal[unit]] for unit in enemies]
    for chosen in product(*ways):
        orders = {"OWN": [*own.values()]}
        for order, owner in zip(chosen, owners, strict=True):
            orders.setdefault(owner, []).append(order)
        yield units, orders


def _map_of(board: Board) -> Map:
    text = brute_lines.map_text(board).replace("  ENEMY: {}\n", "  ENEMY: {}\n  OTHER: {}\n")
    return parse_map(text, f"{board['map']}.yaml")
