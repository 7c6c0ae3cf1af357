"""Pages of games on Backstabbr, as a browser saves them.

A page covers one season. Its script states the board at the beginning and the orders, in JSON:

    var stage = 'NEEDS_RETREATS';
    var orders = {"France": {"Par": {"type": "MOVE", "to": "Bur", "result": "SUCCEEDS"}},
      "Germany": {"Bur": {"type": "HOLD", "result": "FAILS", "retreat": {"type": "DISBAND"}}}};
    var unitsByPlayer = {"France": {"Par": "A"}, "Russia": {"Stp": {"type": "F", "coast": "sc"}}};
    var territories = {"Par": "France"};
    var retreatOptions = {"Germany": {"Bur": ["Mun", "Spanc"]}};

The year and the season are in the title. Several pages in one file are one game. Which units are
dislodged follows from the results of the moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dipsat.base import PHASES, check_time, grouped
from dipsat.board import Map
from dipsat.errors import DipsatError, DocumentError
from dipsat.formats.json_text import FilePlace, parse_json
from dipsat.formats.moved_units import units_after
from dipsat.formats.records import RecordedGame, Unread
from dipsat.formats.saved_game import read_saved_game

BACKSTABBR_UNITS = re.compile(r"^[^\S\n]*var unitsByPlayer\b", re.MULTILINE)
"""The statement that every page of a game has."""

_STATED = re.compile(r"\s*var (orders|unitsByPlayer|territories|retreatOptions)\s?=(.*)")
_TITLE = re.compile(r"\((Spring|Fall|Winter) (\d{1,4})\)")


@dataclass(slots=True)
class _Page:
    """A season, and what its page states: name -> line and JSON."""

    season: str
    year: int
    stated: dict[str, tuple[int, str]] = field(default_factory=dict)


def read_backstabbr_pages(
    text: str, shown: str, map: Map | None = None, unread: Unread | None = None
) -> RecordedGame:
    """The game of one or several pages; `shown` names the file in errors. `map` overrides the
    standard map.

    Raises `FileError` for a page without a season, `DocumentError` with the line for what is not
    JSON, and `FileError` with the phase for a board or an order that is impossible, unless `unread`
    collects the faults of single phases.
    """
    phases: list[dict[str, Any] | DipsatError] = []
    for page in sorted(_pages(text, shown), key=lambda page: (page.year, _ORDER[page.season])):
        try:
            phases += _Season(page, shown).phases()
        except DipsatError as error:
            phases.append(error)
    return read_saved_game({"map": "standard", "phases": phases}, shown, map, unread)


_ORDER = {"Spring": 0, "Fall": 1, "Winter": 2}


def _pages(text: str, shown: str) -> list[_Page]:
    """The pages in a text. If two are for the same season, the later one counts."""
    found: dict[tuple[str, int], _Page] = {}
    page: _Page | None = None
    for number, line in enumerate(text.splitlines(), 1):
        check_time()
        if "og:title" in line and (title := _TITLE.search(line)) is not None:
            page = _Page(title[1], int(title[2]))
            found[page.season, page.year] = page
            PHASES.check(len(found), f"{shown}:{number}")
        elif (stated := _STATED.match(line)) is not None:
            if page is None:
                problem = "no season above this; its page has a title such as 'Game (Spring 1901)'"
                raise DocumentError(shown, number, 1, problem)
            page.stated.setdefault(stated[1], (number, stated[2].strip().removesuffix(";")))
    return list(found.values())


class _Season:
    """What the page of a season states, as phases of a saved game."""

    def __init__(self, page: _Page, shown: str) -> None:
        self.page = page
        self.place = FilePlace(shown).at(f"{page.season} {page.year}")
        self.json = {
            name: parse_json(text, shown, line) for name, (line, text) in page.stated.items()
        }
        self.units: dict[str, str] = {}  # province -> unit
        self.owners: list[tuple[str, str]] = []  # (power, unit)
        place = self.place.at("unitsByPlayer")
        for power, own in place.mapping(self.json.get("unitsByPlayer")).items():
            for code, unit in place.at(power).mapping(own).items():
                coast = unit.get("coast") if isinstance(unit, dict) else None
                kind = unit.get("type") if isinstance(unit, dict) else unit
                text = f"{kind} {_location(code, coast)}"
                self.units[code.upper()] = text
                self.owners.append((power, text))

    def phases(self) -> Iterator[dict[str, Any]]:
        """The phases of the season: the moves or builds, and the retreats after them."""
        letter, year = self.page.season[0], self.page.year
        orders = self.orders()
        owned = self.place.at("territories").mapping(self.json.get("territories")).items()
        centers = grouped((str(power), code.upper()) for code, power in owned if power)
        state = {"units": grouped(self.owners), "centers": centers}
        texts = grouped((power, self.text(code, order)) for power, code, order in orders)
        kind = "A" if letter == "W" else "M"
        yield {"name": f"{letter}{year}{kind}", "state": state, "orders": texts}
        options = self.retreat_options()
        if options or any("retreat" in order for _, _, order in orders):
            moves = {
                code.upper(): _location(order.get("to"), order.get("to_coast"))
                for _, code, order in orders
                if order.get("type") == "MOVE" and order.get("result") == "SUCCEEDS"
            }
            after = {
                "units": units_after(self.owners, moves),
                "centers": centers,
                "retreats": options,
            }
            texts = grouped(
                (power, self.retreat(code, order["retreat"]))
                for power, code, order in orders
                if "retreat" in order and (order["retreat"] or not options)
            )
            yield {"name": f"{letter}{year}R", "state": after, "orders": texts}

    def orders(self) -> list[tuple[str, str, Mapping[str, Any]]]:
        """The power, the province and the object of each order."""
        place = self.place.at("orders")
        return [
            (power, code, place.at(code).mapping(order))
            for power, own in place.mapping(self.json.get("orders")).items()
            for code, order in place.at(power).mapping(own).items()
        ]

    def retreat_options(self) -> dict[str, list[str]]:
        """Unit -> where it may retreat; `Spanc` is a coast."""
        place = self.place.at("retreatOptions")
        return {
            self.unit(code): [_location(one[:3], one[3:]) for one in place.at(code).texts(places)]
            for power, own in place.mapping(self.json.get("retreatOptions")).items()
            for code, places in place.at(power).mapping(own).items()
        }

    def unit(self, code: Any) -> str:
        """The unit in a province, or the province's code if there is none."""
        return self.units.get(str(code).upper(), str(code).upper())

    def text(self, code: str, order: Mapping[str, Any]) -> str:
        """An order in dipsat's notation; an unknown type is written as it is."""
        unit, target = self.unit(code), _location(order.get("to"), order.get("to_coast"))
        match order.get("type"):
            case "HOLD":
                return f"{unit} H"
            case "MOVE":
                return f"{unit} - {target}"
            case "SUPPORT" if order.get("to"):
                return f"{unit} S {self.unit(order.get('from'))} - {target}"
            case "SUPPORT":
                return f"{unit} S {self.unit(order.get('from'))}"
            case "CONVOY":
                return f"{unit} C {self.unit(order.get('from'))} - {target}"
            case "BUILD":
                return f"{order.get('unit_type')} {_location(code, order.get('coast'))} B"
            case "DISBAND":
                return f"{unit} D"
        return f"{unit} {order.get('type')}"

    def retreat(self, code: str, order: Any) -> str:
        """A unit's retreat order; null disbands the unit."""
        stated = self.place.at(code).mapping(order)
        if stated.get("type") != "MOVE":
            return f"{self.unit(code)} D"
        return f"{self.unit(code)} R {_location(stated.get('to'), stated.get('to_coast'))}"


def _location(code: Any, coast: Any) -> str:
    """A location as dipsat names it."""
    return f"{code}/{coast}".upper() if coast else str(code).upper()
