"""The DATC cases: reading them from `datc/`, running them, comparing order by order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.documents import Node, parse_yaml, read_text
from dipsat.errors import UnknownNameError
from dipsat.game.position import Position
from dipsat.orders.order import MovementOrder
from dipsat.orders.reader import reader_for
from dipsat.resources import data_folder

_TOP_KEYS = ("section", "title", "source", "cases")
_CASE_KEYS = (
    "case", "title", "source", "phase", "centers", "units", "orders", "unordered", "retreats",
    "retreat_orders", "disbanded", "automatic", "automatic_home", "after", "note",
)  # fmt: skip
_NAME = re.compile(r"(\d+\.\w+)\.(\d+)(.*)")
_PHASES = {"movement": "S1901M", "adjustment": "W1901A"}
_ORDER_KEYS = ("order", "verdict", "fate")
_UNIT_KEYS = ("unit", "verdict", "fate")


Orders: TypeAlias = Mapping[str, tuple[str, ...]]
"""Power (or unit) -> texts."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the document says of one order, or of a unit without one (`order` is None then)."""

    power: str
    unit: str
    order: str | None
    verdict: str
    fate: str


@dataclass(frozen=True, slots=True)
class Case:
    """A case: a position with orders and what is expected of each.

    Of what the document states of the rest: `retreats` possible retreats by unit; `retreat_orders`
    and `retreat_expected` the retreat phase that follows (None if the case has none); by power
    the units `disbanded` in it or by an adjustment, those disbanded for want of orders under the
    rule of 2023 (`automatic`) and under the older one (`automatic_home`), and all units `after`
    the last phase.
    """

    name: str
    title: str
    position: Position
    orders: Orders
    expected: tuple[Expectation, ...]
    retreats: Orders
    retreat_orders: Orders | None
    retreat_expected: tuple[Expectation, ...]
    disbanded: Orders | None
    automatic: Orders | None
    automatic_home: Orders | None
    after: Orders | None
    note: str


def load_cases(names: Iterable[str] = ()) -> tuple[Case, ...]:
    """The cases called `names` (`6.F.14`; `6.F` means the whole section), or all of them.

    Raises `UnknownNameError` for a name without a case.
    """
    wanted = [name.upper() for name in names]
    cases = _all_cases()
    if not wanted:
        return cases
    found = []
    for name in wanted:
        chosen = [case for case in cases if case.name == name or case.name.startswith(name + ".")]
        if not chosen:
            raise UnknownNameError("DATC case", name, (case.name for case in cases))
        found += [case for case in chosen if case not in found]
    return tuple(found)


@lru_cache(maxsize=1)
def _all_cases() -> tuple[Case, ...]:
    paths = sorted(data_folder("datc").glob("*.yaml"))
    cases = [case for path in paths for case in _read_section(path)]
    return tuple(sorted(cases, key=lambda case: _sort_key(case.name)))


def _sort_key(name: str) -> tuple[str, int, str]:
    """By section, then number; a further form of a case (`6.J.3-v3.0`) stands behind it."""
    match = _NAME.match(name)
    assert match is not None, name
    return match[1], int(match[2]), match[3]


def _read_section(path: Path) -> list[Case]:
    root = parse_yaml(read_text(path), f"datc/{path.name}").mapping(_TOP_KEYS, "a section")
    board = load_map("standard")
    return [_case(node, board) for node in root["cases"].sequence("cases")]


def _case(node: Node, board: Map) -> Case:
    fields = node.mapping(_CASE_KEYS, "a case")
    orders, expected = _ordered(fields["orders"], board)
    units = {power: list(texts) for power, texts in (_texts(fields, "units", board) or {}).items()}
    phase = fields["phase"].text("phase") if "phase" in fields else "movement"
    if phase == "movement":
        _add_units_of_orders(units, orders, board)
    for typed, entries in fields["unordered"].mapping().items() if "unordered" in fields else ():
        power = board.names.power(typed)
        expected += [_expectation(power, entry, _UNIT_KEYS) for entry in entries.sequence()]
    retreat_orders: Orders | None = None
    retreat_expected: list[Expectation] = []
    if "retreat_orders" in fields:
        retreat_orders, retreat_expected = _ordered(fields["retreat_orders"], board)
    retreats = fields["retreats"].mapping() if "retreats" in fields else {}
    return Case(
        name=fields["case"].text("case"),
        title=fields["title"].text("title"),
        position=Position.from_units(
            units, board, _PHASES[phase], _texts(fields, "centers", board)
        ),
        orders=orders,
        expected=tuple(expected),
        retreats={unit: places.texts("retreats") for unit, places in retreats.items()},
        retreat_orders=retreat_orders,
        retreat_expected=tuple(retreat_expected),
        disbanded=_texts(fields, "disbanded", board),
        automatic=_texts(fields, "automatic", board),
        automatic_home=_texts(fields, "automatic_home", board),
        after=_texts(fields, "after", board),
        note=fields["note"].text("note") if "note" in fields else "",
    )


def _texts(fields: Mapping[str, Node], key: str, board: Map) -> Orders | None:
    """The texts by power under `key`, None if it is not there."""
    if key not in fields:
        return None
    return {
        board.names.power(typed): node.texts(key) for typed, node in fields[key].mapping().items()
    }


def _ordered(section: Node, board: Map) -> tuple[Orders, list[Expectation]]:
    """The orders by power, and what is expected of each."""
    orders: dict[str, tuple[str, ...]] = {}
    expected: list[Expectation] = []
    for typed, entries in section.mapping().items():
        power = board.names.power(typed)
        own = [_expectation(power, entry, _ORDER_KEYS) for entry in entries.sequence()]
        orders[power] = tuple(one.order for one in own if one.order is not None)
        expected += own
    return orders, expected


def _add_units_of_orders(units: dict[str, list[str]], orders: Orders, board: Map) -> None:
    """The units that orders name stand on the board, unless the case places them itself."""
    reader = reader_for(board)
    placed = {
        province_of(reader.read_unit(text).location) for texts in units.values() for text in texts
    }
    for power, texts in orders.items():
        for text in texts:
            order = reader.read(text)
            assert isinstance(order, MovementOrder)
            if province_of(order.unit.location) not in placed:
                placed.add(province_of(order.unit.location))
                kind = f"{order.unit.kind.value} " if order.unit.kind else ""
                units.setdefault(power, []).append(f"{kind}{order.unit.location}")


def _expectation(power: str, node: Node, keys: tuple[str, ...]) -> Expectation:
    fields = node.mapping(keys, "an order")
    for key in (keys[0], "verdict"):
        if key not in fields:
            node.fail(f"{key!r} is missing")
    text = fields[keys[0]].text(keys[0])
    fate = fields["fate"].text("fate") if "fate" in fields else ""
    is_order = keys is _ORDER_KEYS
    return Expectation(
        power, "" if is_order else text, text if is_order else None,
        fields["verdict"].text("verdict"), fate,
    )  # fmt: skip
