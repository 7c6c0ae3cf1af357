"""The DATC cases: reading them from `datc/`, running them, comparing order by order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

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
_CASE_KEYS = ("case", "title", "source", "units", "orders", "unordered", "retreats", "note")
_ORDER_KEYS = ("order", "verdict", "fate")
_UNIT_KEYS = ("unit", "verdict", "fate")


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
    """A case: units, orders, what is expected of each, and (where stated) possible retreats."""

    name: str
    title: str
    position: Position
    orders: Mapping[str, tuple[str, ...]]
    expected: tuple[Expectation, ...]
    retreats: Mapping[str, tuple[str, ...]]
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


def _sort_key(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (0, part) for part in name.split(".")]


def _read_section(path: Path) -> list[Case]:
    root = parse_yaml(read_text(path), f"datc/{path.name}").mapping(_TOP_KEYS, "a section")
    board = load_map("standard")
    return [_case(node, board) for node in root["cases"].sequence("cases")]


def _case(node: Node, board: Map) -> Case:
    fields = node.mapping(_CASE_KEYS, "a case")
    reader = reader_for(board)
    units: dict[str, list[str]] = {}
    for typed, texts in fields["units"].mapping().items() if "units" in fields else ():
        units.setdefault(board.names.power(typed), []).extend(texts.texts("units"))
    placed = {
        province_of(reader.read_unit(text).location) for texts in units.values() for text in texts
    }
    orders: dict[str, list[str]] = {}
    expected: list[Expectation] = []
    for typed, entries in fields["orders"].mapping().items():
        power = board.names.power(typed)
        for entry in entries.sequence():
            expectation = _expectation(power, entry, _ORDER_KEYS)
            assert expectation.order is not None
            orders.setdefault(power, []).append(expectation.order)
            expected.append(expectation)
            order = reader.read(expectation.order)
            assert isinstance(order, MovementOrder)
            named = order.unit
            if province_of(named.location) not in placed:
                placed.add(province_of(named.location))
                kind = f"{named.kind.value} " if named.kind else ""
                units.setdefault(power, []).append(f"{kind}{named.location}")
    for typed, entries in fields["unordered"].mapping().items() if "unordered" in fields else ():
        power = board.names.power(typed)
        expected += [_expectation(power, entry, _UNIT_KEYS) for entry in entries.sequence()]
    retreats = fields["retreats"].mapping() if "retreats" in fields else {}
    return Case(
        fields["case"].text("case"),
        fields["title"].text("title"),
        Position.from_units(units, board),
        {power: tuple(texts) for power, texts in orders.items()},
        tuple(expected),
        {unit: places.texts("retreats") for unit, places in retreats.items()},
        fields["note"].text("note") if "note" in fields else "",
    )


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
