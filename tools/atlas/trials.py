"""The atlas's tests of its lines: random attacks, and leaving out a unit."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Any

from dipsat import kernel, searches
from dipsat.searches import parse_line
from dipsat.searches.line_certificate import certificate_of
from tools.atlas import checker
from tools.atlas.answers import count_of, lines_in, units_of
from tools.atlas.attacks import Around, Attack, batch_of

MOST_LINES = 100
"""The most lines that an answer about the standard map lists. Other maps have one of each form."""
_AT_ONCE = 2000  # boards in one call


def line_text(name: str, power: str | None, form: Mapping[str, Any], orders: str) -> str:
    """A line as a file that `dipsat search hold` reads."""
    told = [f"map: {name}"]
    told += [f"power: {power}"] if power else []
    told += [f"units: [{', '.join(units_of(orders))}]", "orders:"]
    told += [f"  - {order}" for order in orders.split(", ") if not order.endswith(" H")]
    told = told if told[-1] != "orders:" else told[:-1]
    told.append(f"behind: [{', '.join(form['region'])}]")
    if form["fleets_not_in"]:
        told.append(f"enemy: {{fleets_not_in: [{', '.join(form['fleets_not_in'])}]}}")
    return "\n".join(told) + "\n"


def line_of(
    name: str, power: str | None, form: Mapping[str, Any], orders: str
) -> searches.StalemateLine:
    """A line of an answer."""
    return parse_line(line_text(name, power, form, orders), f"a line of {name}")


def breaks_without(line: searches.StalemateLine) -> dict[str, list[str]]:
    """Unit -> orders of the enemy, adjudicated, that break the line without that unit. The
    province of the unit is protected. Raises `AssertionError` if the line holds without one."""
    found = {}
    for unit in line.units:
        supports = {
            one: aim for one, aim in line.supports.items() if unit.province not in (one, aim)
        }
        short = replace(
            line,
            units=tuple(one for one in line.units if one != unit),
            supports=supports,
            region=line.region | {unit.province},
        )
        held = searches.hold_line(short)
        assert held.witness is not None, f"{unit} is not needed in {line}"
        found[str(unit)] = list(held.witness.orders[line.enemy.powers[0]])
    return found


def attacked(line: searches.StalemateLine, count: int, seed: int = 0) -> int:
    """How many of `count` random attacks break a line."""
    batch = batch_of(line.map)
    orders = {line.power: list(line.order_texts(line.supports))}
    own = batch.encode([({line.power: [str(unit) for unit in line.units]}, orders)])
    stay = [own.units[at] for at in range(2, len(own.units), batch.numbers.unit_width)]
    around = Around(
        line.map.name, line.enemy, line.region, tuple(sorted(line.by_province)),
        tuple(sorted(line.supports.items())),
    )  # fmt: skip
    inside, broken = around.inside, 0
    for attacks in _attacks(around, count, seed):
        starts, units, ordered = [0], array("H"), array("H")
        for attack in attacks:
            units.extend(own.units)
            units.extend(attack.units)
            ordered.extend(own.orders)
            ordered.extend(attack.orders)
            starts.append(len(ordered) // 4)
        codes = kernel.BoardCodes(starts, units, ordered, [0] * len(attacks))
        ends = batch.adjudicate(codes, threads=1).arrays.ends
        broken += sum(
            list(ends[begin : begin + len(stay)]) != stay
            or not inside.isdisjoint(ends[begin + len(stay) : end])
            for begin, end in pairwise(starts)
        )
    return broken


@lru_cache(8)
def _attacks(around: Around, count: int, seed: int) -> list[list[Attack]]:
    """Random attacks, in groups that are adjudicated in one call."""
    random = Random(seed)
    sizes = [min(_AT_ONCE, count - first) for first in range(0, count, _AT_ONCE)]
    return [[around.attack(random) for _ in range(size)] for size in sizes]


def try_lines(name: str, answered: dict[str, Any], attacks: int) -> None:
    """Check each line of an answer. An answer with many lines, or about another map than the
    standard one, keeps the first line of each form. The kept lines are confirmed by
    `dipsat.searches.hold_line`, attacked at random, and broken without each of their units; for the
    first line of each form, the answer keeps the orders that break it."""
    power, borders = answered["asked"].get("power"), checker.borders(name)
    for form, orders in lines_in(answered):
        certificate = certificate_of(line_of(name, power, form, orders))
        assert checker.why_not(certificate, borders) == "", (name, answered["asked"], orders)
    if name != "standard" or count_of(answered) > MOST_LINES:
        for form in answered["forms"]:
            del form["lines"][1:]
    for form, orders in lines_in(answered):
        line = line_of(name, power, form, orders)
        assert searches.hold_line(line).verdict == "holds", (name, answered["asked"], orders)
        assert not attacked(line, attacks), (name, answered["asked"], orders)
        if answered["verdict"] == "found":  # others may have units that they do not need
            breaking = breaks_without(line)
            form.setdefault("without", breaking)
    answered["attacks"] = attacks
