"""Test cases of the Rust crate `diplomacy`, in JSON.

    {"cases": [{"name": "6.H.13", "phase": "Retreat",
      "preceding_main_phase": {
        "orders": {"FRA: A par -> pic": "Succeeds", "ENG: A pic hold": "Fails"}},
      "orders": {"ENG: A pic -> lon": "Fails"}}]}

A case states orders and their results, from which the board after them follows. `starting_state`
lists the units; without it, the units are those with orders. For builds, `occupiers` says who is in
a province, and `civil_disorder` which units their powers lose. `edition` names a rulebook.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dipsat.base import CASES, check_time, grouped
from dipsat.board import Map, load_map, province_of
from dipsat.errors import FileError, shortened
from dipsat.formats.json_text import FilePlace
from dipsat.formats.moved_units import units_after
from dipsat.formats.records import RecordedGame, Unread
from dipsat.formats.saved_game import read_saved_game
from dipsat.orders import Build, Move, Order, Waive, reader_for

_KINDS = ("Main", "Retreat", "Build")
_SUCCEEDS = "Succeeds"


def is_rust_cases(value: Any) -> bool:
    """Whether a parsed JSON value has such cases."""
    cases = value.get("cases") if isinstance(value, dict) else None
    first = cases[0] if isinstance(cases, list) and cases else None
    return isinstance(first, dict) and first.get("phase") in _KINDS


def read_rust_cases(
    value: Any, shown: str, map: Map | None = None, skip_faults: bool = False
) -> tuple[RecordedGame, ...]:
    """The cases, each a game of one or two phases; `shown` names their place in errors. `map`
    overrides the standard map.

    Raises `FileError` with the case for a unit or an order that cannot be read. With `skip_faults`,
    such a phase is left out.
    """
    place = FilePlace(shown).at("cases")
    cases = place.sequence(value["cases"])
    with place:
        CASES.check(len(cases))
    board = map or load_map("standard")
    found = []
    for number, case in enumerate(cases, 1):
        check_time()
        reading = _Case(case, place.at(number), board)
        game = read_saved_game(reading.saved(), shown, board, Unread() if skip_faults else None)
        found.append(replace(game, remarks=tuple(reading.skipped)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Order:
    """An order of a case: its power, its text, the order parsed from it, and whether it succeeds
    (None if the case does not say)."""

    power: str
    text: str
    order: Order
    succeeds: bool | None


class _Case:
    """Reads a case as a saved game."""

    def __init__(self, case: Any, place: FilePlace, board: Map) -> None:
        self.case = place.mapping(case)
        self.name = place.at("name").text(self.case.get("name", ""))
        self.place = FilePlace(place.shown).at(self.name) if self.name else place
        self.board = board
        self.reader = reader_for(board)
        self.powers = board.codes("daide").meant["powers"]
        self.skipped: list[str] = []

    def saved(self) -> dict[str, Any]:
        """The case as a saved game."""
        try:
            phases: list[Any] = self.phases()
        except FileError as error:
            phases = [error]
        if "ignore" in self.case:
            reason = self.place.at("ignore").text(self.case["ignore"])
            said = f"to be ignored: {shortened(reason)}"
            self.skipped.append(f"{self.place.shown}: {shortened(self.name)}: {said}")
            phases = phases[:1]
        edition = self.case.get("edition")
        rules = {} if edition is None else {"profile": edition}
        return {"id": self.name or None, "phases": phases, **rules}

    def phases(self) -> list[dict[str, Any]]:
        """The phases; the board after the last one counts as another."""
        kind = self.place.at("phase").text(self.case.get("phase"))
        if kind == "Build":
            return self.builds()
        main = self.case if kind == "Main" else self.case.get("preceding_main_phase")
        stated = self.place.mapping(main)
        moves = self.orders(stated)
        units = self.units(stated, moves)
        found = [_phase(_MOVES, units, moves)]
        if any(isinstance(one.order, Move) and one.succeeds is None for one in moves):
            if kind == "Retreat":
                problem = "the results do not say which units retreat, so their orders are left out"
                self.skipped.append(f"{self.place.shown}: {shortened(self.name)}: {problem}")
            return found
        after = _pairs(units_after(units, _moved(moves)))
        if kind == "Main":
            return [*found, _phase(_END, after, ())]
        retreats = self.orders(self.case)
        lost = [(power, unit.removeprefix("*")) for power, unit in after if unit.startswith("*")]
        moved = _moved(retreats)
        saved = [one for one in lost if province_of(one[1][2:]) in moved]
        standing = [one for one in after if not one[1].startswith("*")]
        end = [*standing, *_pairs(units_after(saved, moved))]
        return [*found, _phase(_RETREATS, after, retreats), _phase(_END, end, ())]

    def builds(self) -> list[dict[str, Any]]:
        """A phase of builds, and the board after it."""
        orders = self.orders(self.case)
        units = self.units(self.case, ())
        owners = {
            center: power for power, setup in self.board.powers.items() for center in setup.centers
        }
        place = self.place.at("occupiers")
        taken = [
            (code.upper(), self.power(place.text(power)))
            for code, power in place.mapping(self.case.get("occupiers")).items()
        ]
        taken += [(province_of(unit[2:]), power) for power, unit in units]
        owners |= {code: power for code, power in taken if code in self.board.centers}
        lost = [unit for _, unit in self.stated(self.case.get("civil_disorder"), "civil_disorder")]
        built = []
        for one in orders:
            unit = self.text(one.order)
            if one.succeeds and isinstance(one.order, Build):
                built.append((one.power, unit))
            elif one.succeeds:
                lost.append(unit)
        after = [*(one for one in units if one[1] not in lost), *built]
        centers = grouped((power, code) for code, power in owners.items())
        found = [_phase(_BUILDS, units, orders, centers)]
        counts = Counter(power for power, _ in after)
        if any(count > len(centers.get(power, ())) for power, count in counts.items()):
            return found  # not all losses are stated
        return [*found, _phase(_END, after, ())]

    def orders(self, stated: Mapping[str, Any]) -> list[_Order]:
        """The orders of a phase."""
        found, place = [], self.place.at("orders")
        for line, result in place.mapping(stated.get("orders")).items():
            if result not in (_SUCCEEDS, "Fails", None):
                place.at(line).fail(f"this should be {_SUCCEEDS}, Fails or null")
            power, text = self.owned(line, place)
            with place:
                order = self.reader.read(text)
            found.append(
                _Order(power, text, order, None if result is None else result == _SUCCEEDS)
            )
        return found

    def units(self, stated: Mapping[str, Any], orders: Sequence[_Order]) -> list[tuple[str, str]]:
        """The power and the text of each unit: the listed units, or else those with orders."""
        if stated.get("starting_state") is not None:
            return self.stated(stated["starting_state"], "starting_state")
        return [(one.power, self.text(one.order)) for one in orders]

    def stated(self, value: Any, key: str) -> list[tuple[str, str]]:
        """The power and the text of each unit of a list."""
        place = self.place.at(key)
        found = []
        for line in place.texts(value):
            power, text = self.owned(line, place)
            with place:
                unit = self.reader.read_unit(text)
            found.append((power, f"{unit.kind} {unit.location}"))
        return found

    def text(self, order: Order) -> str:
        """The unit of an order."""
        assert not isinstance(order, Waive)
        return f"{order.unit.kind} {order.unit.location}"

    def owned(self, line: str, place: FilePlace) -> tuple[str, str]:
        """The power and what follows it in `FRA: A par hold`."""
        code, colon, text = line.partition(":")
        if not colon:
            place.fail(f"{shortened(line)!r} does not begin with a power, such as FRA:")
        return self.power(code), text.strip()

    def power(self, code: str) -> str:
        """The power of a code; the code itself if there is none."""
        return self.powers.get(code.strip().casefold(), code)


_MOVES, _RETREATS, _BUILDS, _END = "S1901M", "S1901R", "W1901A", "COMPLETED"


def _phase(
    name: str,
    units: Iterable[tuple[str, str]],
    orders: Iterable[_Order],
    centers: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    state = {"units": grouped(units), "centers": centers}
    return {
        "name": name,
        "state": state,
        "orders": grouped((one.power, one.text) for one in orders),
    }


def _moved(orders: Iterable[_Order]) -> dict[str, str]:
    """Province -> location, for moves that succeed."""
    return {
        province_of(one.order.unit.location): one.order.target
        for one in orders
        if isinstance(one.order, Move) and one.succeeds
    }


def _pairs(units: Mapping[str, Iterable[str]]) -> list[tuple[str, str]]:
    return [(power, unit) for power, own in units.items() for unit in own]
