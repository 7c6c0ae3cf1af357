"""The texts of orders that the networks of MILA and Cicero know, computed by our own rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import combinations, product

from dipsat.board import province_of
from dipsat.environments.published_places import Places, published_places

_SIGNS = ("<PAD>", "<GO>", "<EOS>", "<DRAW>")
_LONGEST = 4  # fleets of a convoy
_ROUTED = "via", "support", "convoy"
_KINDS = (
    "hold", "disband", "build", "move", "retreat", "support hold", "support move",
    *(f"{what} {count}" for count in range(1, _LONGEST + 1) for what in _ROUTED),
)  # fmt: skip
"""The kinds of orders in sequence. A text of several kinds is listed with the first."""


@cache
def mila_orders() -> tuple[str, ...]:
    """Return the 13,042 entries of MILA's vocabulary by their index: signs, powers, `WAIVE`, and
    the orders. Convoys over more than four fleets, and supports of them, are left out."""
    places, found = published_places(), defaultdict[str, set[str]](set)
    for kind, text in _orders(places):
        found[kind].add(text)
    powers = (f"<{power}>" for power in places.board.powers)
    listed = dict.fromkeys((*_SIGNS, *powers, "WAIVE"))
    for kind in _KINDS:
        listed |= dict.fromkeys(sorted(found[kind], key=lambda text: (text.split()[1], text)))
    return tuple(listed)


def _orders(places: Places) -> Iterator[tuple[str, str]]:
    """Every order with its kind."""
    board, standing = places.board, defaultdict[str, list[str]](list)
    entered = defaultdict[str, list[str]](list)  # province -> units that can move there
    for unit in places.units:
        standing[province_of(unit[2:])].append(unit)
        for code in dict.fromkeys(map(province_of, places.steps(unit))):
            entered[code].append(unit)
    for unit in places.units:
        yield "hold", f"{unit} H"
        yield "disband", f"{unit} D"
        if board.provinces[province_of(unit[2:])].supply:
            yield "build", f"{unit} B"
        for target in places.steps(unit):
            yield "move", f"{unit} - {target}"
            yield "retreat", f"{unit} R {target}"
    for code, units in entered.items():
        for unit in units:
            yield from (("support hold", f"{unit} S {other}") for other in standing[code])
            yield from (
                ("support move", f"{unit} S {other} - {code}")
                for other in units
                if province_of(other[2:]) != province_of(unit[2:])
            )
    for (start, end), ways in places.routes.items():
        for way in _without_detours(ways):
            count, move = len(way), f"A {start} - {end}"
            yield f"via {count}", f"{move} VIA"
            yield from ((f"convoy {count}", f"F {sea} C {move}") for sea in way)
            yield from (
                (f"support {count}", f"{unit} S {move}")
                for unit in entered[end]
                if unit[2:] not in way and province_of(unit[2:]) != start
            )


def _without_detours(ways: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """The routes with at most `_LONGEST` fleets, all of which are needed."""
    short = {way for way in ways if len(way) <= _LONGEST}
    return [way for way in short if not any(other < way for other in short)]


@cache
def cicero_orders() -> tuple[str, ...]:
    """Return the 13,426 entries of Cicero's vocabulary by their index: the orders of each unit,
    then all builds, then all disbands. Builds of a power are joined by semicolons; those outside
    its home centres, and waived ones, are left out. If an order is listed twice, the later index
    counts: `{order: index for index, order in enumerate(cicero_orders())}`.
    """
    places = published_places()
    orders = [text for text in mila_orders()[12:] if text[-2:] != " B"]
    builds = {
        text for power in places.board.powers.values() for text in _builds(places, power.home)
    }
    by_unit = defaultdict[str, list[str]](list)
    for text in sorted((*orders, *builds)):
        by_unit[" ".join(text.split()[:2])].append(text)
    disbands = (text for text in orders if text[-2:] == " D")
    listed = (text for unit in sorted(by_unit) for text in by_unit[unit])
    return (*listed, *sorted(builds), *sorted(disbands))


def _builds(places: Places, home: Collection[str]) -> Iterator[str]:
    """Every combination of builds in some of the provinces."""
    units = [[unit for unit in places.units if province_of(unit[2:]) == code] for code in home]
    for count in range(1, len(units) + 1):
        for some in combinations(units, count):
            yield from (";".join(sorted(f"{unit} B" for unit in one)) for one in product(*some))
