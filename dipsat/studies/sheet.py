"""A movement phase as in an order file: texts that can be taken apart and put together, and a
smallest part of them on which two judges still differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from dipsat.base import ANYWHERE, Files, brief, checked, grouped, plain, reading, titled
from dipsat.board import Map, is_shipped_map, load_map, province_of
from dipsat.errors import DipsatError
from dipsat.game import OWNERS, Owners, Position, PowerOrders, are_assumed
from dipsat.orders import NO_WORDS, Hold, MovementOrder, Order, Words, reader_for, write_order
from dipsat.rules import Profile, name_in_files


@brief()
@dataclass(frozen=True, slots=True)
class SheetRow:
    """A unit of a power with the orders handed in for it, usually one."""

    power: str
    """The power."""
    unit: str
    """The unit, "" for an order to a unit that does not exist."""
    orders: tuple[str, ...] = ()
    """Its orders."""
    sets: Any = None
    """The sets of orders of a power that handed in several (DATC 3.0 4.D.1), which stay together,
    else None."""


@brief()
@dataclass(frozen=True, slots=True)
class Sheet:
    """The units and orders of a movement phase."""

    map: str
    """The name or path of the map, as `dipsat.load_map` takes it."""
    rows: tuple[SheetRow, ...]
    """The units, each with its orders."""
    phase: str = ""
    """The name of the phase, "" for the first phase of the map."""
    owned: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The supply centres that powers own, as (power, centres)."""
    words: Words = NO_WORDS
    """What the rules add to the notation of orders."""
    unknown: tuple[str, ...] | None = None
    """The supply centres whose owner is unknown. None: nothing is stated besides `owned`."""

    @property
    def units(self) -> dict[str, list[str]]:
        """Power -> its units."""
        found: dict[str, list[str]] = {}
        for row in self.rows:
            found.setdefault(row.power, []).extend([row.unit] if row.unit else [])
        return {power: units for power, units in found.items() if units}

    @property
    def orders(self) -> dict[str, Any]:
        """Power -> its orders, as `dipsat.adjudicate` takes them."""
        found: dict[str, Any] = {}
        for row in self.rows:
            if row.sets is not None:
                found[row.power] = row.sets
            elif row.orders:
                found.setdefault(row.power, []).extend(row.orders)
        return found

    @property
    def board(self) -> Map:
        """The map."""
        return kept_map(self.map)

    @property
    def allies(self) -> tuple[tuple[int, ...], ...]:
        """For each power with several units, the numbers of their rows."""
        found = grouped((row.power, at) for at, row in enumerate(self.rows) if row.unit)
        return tuple(tuple(rows) for rows in found.values() if len(rows) > 1)

    def position(self) -> Position:
        """Return the position of the units."""
        return Position.from_units(
            self.units, self.board, self.phase or None, dict(self.owned), rules=self.words,
            unknown_centers=self.unknown,
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, in the form of a file that `dipsat adjudicate` reads."""
        stated = {"map": self.map, "phase": self.phase, "centers": dict(self.owned)}
        named = {key: value for key, value in stated.items() if value}
        if self.unknown or (self.unknown is not None and not self.owned):
            named["unknown_centers"] = self.unknown
        return {**plain(named), "units": self.units, "orders": plain(self.orders)}

    @checked
    def to_file(self, remarks: Iterable[str]) -> str:
        """Return the text of an order file, with these remarks above it."""
        return order_file(self.to_dict(), remarks)


def order_file(stated: Mapping[str, Any], remarks: Iterable[str]) -> str:
    """The text of an order file that states these plain values, below remarks."""
    import yaml  # needed only for saving

    head = "".join(f"# {line}\n" for remark in remarks for line in remark.splitlines())
    return head + yaml.safe_dump(dict(stated), sort_keys=False)


def rows_in_words(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """The orders of each unit, after its power: ("France:", "A PAR - BUR")."""
    for row in sheet.rows:
        texts = "; ".join(row.orders) or f"{row.unit} without an order"
        if row.orders and row.unit.count(" ") > 1:  # orders do not state attributes of units
            texts = f"{row.unit.rpartition(' ')[0].rpartition(' ')[0]} {texts}"
        yield f"{titled(row.power)}:", texts if row.sets is None else "several sets of orders"


@lru_cache(maxsize=4)  # a path would be read again for every phase
def kept_map(name: str, files: Files = ANYWHERE) -> Map:
    """The map, loaded once. Raises what `load_map` raises."""
    with reading(files):
        return load_map(name)


def name_of(board: str | Path | Map) -> str:
    """What `load_map` takes for a map: its name or its path, which other processes know too."""
    if not isinstance(board, Map):
        return str(board)
    is_own = is_shipped_map(board.name) and load_map(board.name) == board
    return board.name if is_own else board.path


def sheet_of(position: Position, orders: Mapping[str, PowerOrders]) -> Sheet:
    """The sheet of a position with orders, by power and unit."""
    given: dict[tuple[str, str], list[str]] = {}
    sets: list[SheetRow] = []
    for typed, handed_in in orders.items():
        power = position.map.names.power(typed)
        listed = None if isinstance(handed_in, Mapping) else tuple(handed_in)
        if listed is None or not all(isinstance(text, str) for text in listed):
            sets.append(SheetRow(power, "", sets=handed_in if listed is None else listed))
            continue
        for text in listed:
            given.setdefault((power, _place(position, str(text))), []).append(str(text))
    rows = []
    for unit in position.units:
        own = given.pop((unit.power, unit.province), [])
        rows.append(SheetRow(unit.power, str(unit), tuple(own)))
    rows += [SheetRow(power, "", (text,)) for (power, _), texts in given.items() for text in texts]
    in_order = tuple(sorted([*rows, *sets], key=_order))
    is_first = str(position.phase) == position.map.first_phase
    owners = Owners(position.centers, position.unknown_centers)
    is_assumed = are_assumed(owners, position.map, position.phase)
    return Sheet(
        name_of(position.map), in_order, "" if is_first else str(position.phase),
        () if is_assumed else tuple(owners.centers.items()), position.words,
        None if is_assumed else owners.unknown,
    )  # fmt: skip


def _place(position: Position, text: str) -> str:
    """The province of the unit that an order is for, "" for orders of other kinds."""
    order = movement_order(position.map, text)
    return province_of(order.unit.location) if order is not None else ""


def movement_order(board: Map, text: object) -> MovementOrder | None:
    """The order that a text states; None for orders of declared kinds and anything else that is not
    an order of a movement phase."""
    try:
        order = reader_for(board).read(text) if isinstance(text, str) else None
    except DipsatError:
        return None
    return order if isinstance(order, MovementOrder) else None


def _order(row: SheetRow) -> tuple[str, bool]:
    return row.power, not row.unit


def without(sheet: Sheet, gone: Iterable[SheetRow]) -> Sheet:
    """The sheet without some of its rows."""
    left_out = set(map(id, gone))
    return replace(sheet, rows=tuple(row for row in sheet.rows if id(row) not in left_out))


@checked
def write_phase(
    position: Position,
    orders: Mapping[str, PowerOrders] | None = None,
    rules: str | Path | Profile | None = None,
    remarks: Iterable[str] = (),
) -> str:
    """Return the text of an order file (YAML) that `parse_phase` reads back, and that all commands
    on order files take. Give the file a name that ends in `.yaml`.

    `orders` are as for `adjudicate`. The file states the `rules` if they are given, and `remarks`
    become comments above it. It states maps and rules of your own by their paths.

    Raises `OrderWriteError` for an order object that cannot be written.
    """
    board = position.map
    given = {power: _plain(listed, board) for power, listed in (orders or {}).items()}
    stated = stated_phase(board, position.to_dict(), given)
    named = name_in_files(rules.path) if isinstance(rules, Profile) else rules and str(rules)
    head = {"map": stated.pop("map"), **({"rules": named} if named else {})}
    return order_file({**head, **stated}, remarks)


def stated_phase(
    board: str | Path | Map, position: Mapping[str, Any], orders: Mapping[str, Any]
) -> dict[str, Any]:
    """What an order file states, from a position as `Position.to_dict` gives it."""
    return {
        "map": name_of(board),
        "phase": position["phase"],
        "units": position["units"],
        **{key: position[key] for key in OWNERS if key in position},
        **({"dislodged": position["retreats"]} if position["dislodged"] else {}),
        "orders": dict(orders),
    }


def _plain(given: Any, board: Map) -> Any:
    """Orders, or sets of them, as texts in lists and mappings."""
    if isinstance(given, str):  # a file has no line breaks within an order
        return given if given.isprintable() else " ".join(given.split())
    if isinstance(given, Order):
        return write_order(given, board)
    if isinstance(given, Mapping):
        return {key: _plain(value, board) for key, value in given.items()}
    return [_plain(one, board) for one in given]


Differs: TypeAlias = Callable[[Sheet], bool]
_Found = TypeVar("_Found")

_PAIRS_UP_TO = 14  # rows; with more, no pairs are taken away


def shrunk(sheet: Sheet, differs: Differs) -> Sheet | None:
    """Return a smallest part of a sheet for which `differs` still holds; None if it does not even
    hold for the sheet. It never holds for a sheet that cannot be judged.

    No unit and (where few are left) no two units can be removed from it, no order can be left out,
    and none can be replaced by HOLD. This is delta debugging: ddmin over the units with their
    orders (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002); then
    single units, orders and pairs of units, until nothing more can go.
    """
    holds = careful(differs)
    if not holds(sheet):
        return None
    sheet = replace(sheet, rows=_fewest(sheet, holds))
    smaller: Sheet | None = sheet
    while smaller is not None:
        sheet = smaller
        smaller = next((simpler for simpler in _simpler(sheet) if holds(simpler)), None)
    return sheet


def _fewest(sheet: Sheet, differs: Differs) -> tuple[SheetRow, ...]:
    """ddmin: rows without a removable part of the size last tried."""
    rows, parts = sheet.rows, 2
    while len(rows) > 1:
        found = _part(sheet, rows, min(parts, len(rows)), differs)
        if found is not None:
            rows, parts = found, max(2, parts - 1 if len(found) * 2 > len(rows) else 2)
        elif parts >= len(rows):
            break
        else:
            parts *= 2
    return rows


def _part(
    sheet: Sheet, rows: tuple[SheetRow, ...], parts: int, differs: Differs
) -> tuple[SheetRow, ...] | None:
    """One of `parts` parts of the rows, or all but one of them, that still differs."""
    cuts = [len(rows) * at // parts for at in range(parts + 1)]
    slices = [(cuts[at], cuts[at + 1]) for at in range(parts)]
    tried = [rows[start:end] for start, end in slices]
    if parts > 2:
        tried += [rows[:start] + rows[end:] for start, end in slices]
    return next((part for part in tried if differs(replace(sheet, rows=part))), None)


def _simpler(sheet: Sheet) -> Iterator[Sheet]:
    """The sheets that are one step simpler."""
    for row in sheet.rows:
        yield without(sheet, [row])
    for at, row in enumerate(sheet.rows):
        for other in _simpler_rows(sheet.board, row):
            yield replace(sheet, rows=(*sheet.rows[:at], other, *sheet.rows[at + 1 :]))
    if len(sheet.rows) <= _PAIRS_UP_TO:
        for pair in combinations(sheet.rows, 2):
            yield without(sheet, pair)


def _simpler_rows(board: Map, row: SheetRow) -> Iterator[SheetRow]:
    """A row with fewer orders, or with a HOLD."""
    if len(row.orders) > 1:
        for at in range(len(row.orders)):
            yield replace(row, orders=row.orders[:at] + row.orders[at + 1 :])
    elif row.orders and row.unit and not isinstance(movement_order(board, row.orders[0]), Hold):
        yield replace(row, orders=(f"{row.unit} H",))


def careful(differs: Differs) -> Differs:
    """`differs`, but false for a sheet that cannot be judged."""

    def judged(sheet: Sheet) -> bool:
        try:
            return differs(sheet)
        except DipsatError:
            return False

    return judged


def remembered(judge: Callable[[Sheet], _Found]) -> Callable[[Sheet], _Found]:
    """`judge`, but asked only once about each sheet of a phase: of the sheets tried in a search for
    a smallest one, two in five have been tried before."""
    known: dict[tuple[SheetRow, ...], _Found] = {}

    def judged(sheet: Sheet) -> _Found:
        if any(row.sets is not None for row in sheet.rows):
            return judge(sheet)  # such rows may have no hash
        if sheet.rows not in known:
            known[sheet.rows] = judge(sheet)
        return known[sheet.rows]

    return judged
