"""Reading a line of units from a YAML file; docs/holding-lines.md describes the format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.documents import Node, is_yaml_path, parse_yaml, read_text
from dipsat.errors import DipsatError, DocumentError, ProblemsError
from dipsat.game.position import Unit, add_unit, completed, place_unit
from dipsat.limits import reading_names_in
from dipsat.lines.line import LineEnemy, StalemateLine, closure, enemies_outside, sides_of
from dipsat.lines.plan import PlanState
from dipsat.lines.plan_file import (
    Placed,
    PlacedRetreat,
    check_refuges,
    moves_among,
    named_unit,
    read_states,
    state_of,
)
from dipsat.orders.order import Convoy, Hold, Move, Retreat, SupportHold, SupportMove
from dipsat.orders.reader import reader_for
from dipsat.profiles.demands import check_features
from dipsat.profiles.load import DEFAULT_RULES, load_profile, map_for
from dipsat.profiles.profile import Profile

_KEYS = (
    "map", "rules", "power", "units", "orders", "open", "states", "outposts", "protect", "behind",
    "enemy",
)  # fmt: skip
_OF_STATES = ("units", "orders", "open")
_ENEMY_KEYS = ("fleets_not_in", "armies_not_in", "units", "powers")
_STATED = ""
_CLOSED = "every province with a way to the protected ones that passes no own unit"
_LEAKS = (
    "only the protected provinces, because ways that pass no own unit lead to them from more than "
    "half of the board"
)


def read_line(source: str | Path, rules: Profile | None = None) -> StalemateLine:
    """Read the line in a file. `rules` overrule those that the file names (default: datc).

    Raises `FileError` or `DocumentError` with the place of the error, and what loading the map and
    the rules raises.
    """
    return parse_line(read_text(source), str(source), rules)


def parse_line(
    text: str, shown: str, rules: Profile | None = None, board: Map | None = None
) -> StalemateLine:
    """The line that a text states; `shown` names it in errors. It is on the map `board` if it names
    none."""
    return _Reader(parse_yaml(text, shown), rules, board).line()


@contextmanager
def _at(node: Node) -> Iterator[None]:
    """Add the place in the file to an error raised in the block."""
    try:
        yield
    except (DocumentError, ProblemsError):
        raise
    except DipsatError as error:
        node.fail(str(error))


class _Reader:
    def __init__(self, root: Node, rules: Profile | None, board: Map | None) -> None:
        self.root = root
        if isinstance(root.value, tuple):
            root.fail(
                "a line should be a mapping (key: value), not a list; a list of certificates is "
                "for docs/atlas/check_lines.py"
            )
        self.top = root.mapping(_KEYS, "a line")
        if "states" in self.top:
            for key in _OF_STATES:
                if key in self.top:
                    self.top[key].fail(f"'states' says this; leave out {key!r} here")
        elif "units" not in self.top:
            root.fail("the key 'units' is missing; it lists the own units, such as [A SEV]")
        elif "outposts" in self.top:
            self.top["outposts"].fail("only a line with 'states' has outposts")
        if not self.top.keys() & {"protect", "behind"}:
            root.fail("'protect' or 'behind' must say which provinces no enemy may enter")
        self.rules = rules or self._rules()
        self.board = self._map(board)
        check_features(self.rules, self.board)
        self.reader = reader_for(self.board, self.rules.words)

    def line(self) -> StalemateLine:
        power, enemy = self._powers()
        if "states" in self.top:
            units_of = partial(self._units, power=power)
            states = read_states(
                self.top["states"], units_of, self._orders, self._retreats, self.board
            )
            line = self._planned(power, enemy, tuple(states))
            check_refuges(self.top["states"], line.plan, line.closed)
            return line
        units = self._units(self.top["units"], power)
        orders = self._orders(self.top["orders"]) if "orders" in self.top else ()
        if moves_among(orders):
            if "open" in self.top:
                self.top["open"].fail("units cannot be open beside units that move")
            return self._planned(power, enemy, (state_of(self.board, units, orders),))
        supports = self._supports(units, orders)
        open_units = self._open(units)
        region, derived = self._region(frozenset(units), enemy)
        placed = tuple(units[province] for province in sorted(units))
        return StalemateLine(
            self.board, self.rules, power, placed, supports, open_units, region, enemy, derived
        )

    def _planned(
        self, power: str, enemy: LineEnemy, states: tuple[PlanState, ...]
    ) -> StalemateLine:
        """A line that moves."""
        outposts = self._provinces(self.top.get("outposts"))
        entered = {province for state in states for province in state.by_province}
        for node in self.top["outposts"].sequence("outposts") if outposts else ():
            if self.board.names.province(node.text()) not in entered:
                node.fail("no own unit stands there in any state")
        first = states[0]
        closed = frozenset(entered - outposts)
        region, derived = self._region(closed, enemy)
        region |= closed - first.by_province.keys()
        return StalemateLine(
            self.board, self.rules, power, first.units, {}, frozenset(), region, enemy, derived,
            states, outposts,
        )  # fmt: skip

    def _map(self, board: Map | None) -> Map:
        if "map" not in self.top:
            return board or map_for(self.rules)
        node = self.top["map"]
        name = node.text("a map")
        beside = Path(self.root.path).parent / name
        with _at(node), reading_names_in(self.root.path):
            return load_map(beside if is_yaml_path(name) else name)

    def _rules(self) -> Profile:
        if "rules" not in self.top:
            return load_profile(DEFAULT_RULES)
        node = self.top["rules"]
        with _at(node), reading_names_in(self.root.path):
            return load_profile(node.text("rules"), Path(self.root.path).parent)

    def _powers(self) -> tuple[str, LineEnemy]:
        node = self.top.get("enemy")
        given = {} if node is None else node.mapping(_ENEMY_KEYS, "the enemy")
        listed = given["powers"].sequence("powers") if "powers" in given else ()
        named = [self._power(one) for one in listed]
        own = self._power(self.top["power"]) if "power" in self.top else ""
        if "powers" in given and not named:
            given["powers"].fail("lists no power; leave it out to mean all")
        place = listed[named.index(own)] if own in named else given.get("powers", self.root)
        with _at(place):
            own, powers = sides_of(self.board, own, named)
        number = given["units"].integer("units") if "units" in given else None
        if number is not None and number < 0:
            given["units"].fail("is less than 0")
        fleets, armies = (self._provinces(given.get(key)) for key in _ENEMY_KEYS[:2])
        return own, LineEnemy(powers, fleets, armies, number)

    def _power(self, node: Node) -> str:
        with _at(node):
            return self.board.names.power(node.text("a power"))

    def _provinces(self, node: Node | None) -> frozenset[str]:
        found = set()
        for one in node.sequence("provinces") if node is not None else ():
            with _at(one):
                found.add(self.board.names.province(one.text("a province")))
        return frozenset(found)

    def _units(self, listed: Node, power: str) -> dict[str, Unit]:
        units: dict[str, Unit] = {}
        for node in listed.sequence("units"):
            text = node.text("a unit")
            with _at(node):
                unit = place_unit(self.board, power, self.reader.read_unit(text), text)
                if (other := units.get(unit.province)) is not None:
                    node.fail(f"{other} already stands in {unit.province}")
                add_unit(units, completed(unit, self.rules.words.attributes), text)
        if not units:
            listed.fail("lists no unit")
        return units

    def _orders(self, listed: Node) -> tuple[Placed, ...]:
        """The orders in a list, with their places."""
        found = []
        for node in listed.sequence("orders"):
            with _at(node):
                order = self.reader.read(node.text("an order"))
            if not isinstance(order, Hold | SupportHold | Move | SupportMove | Convoy):
                node.fail("a unit of a line holds, moves, supports or convoys")
            found.append((node, order))
        return tuple(found)

    def _retreats(self, listed: Node) -> tuple[PlacedRetreat, ...]:
        """The retreats in a list, with their places."""
        found = []
        for node in listed.sequence("retreats"):
            text = node.text("a retreat")
            with _at(node):
                order = self.reader.read(text)
            if not isinstance(order, Retreat):
                node.fail(f"a retreat is written like A NOR R UPP, not {text!r}")
            found.append((node, order))
        return tuple(found)

    def _supports(self, units: Mapping[str, Unit], orders: Sequence[Placed]) -> dict[str, str]:
        """Who supports whom, by provinces; nobody moves."""
        self.ordered = frozenset(province_of(order.unit.location) for _, order in orders)
        holders = state_of(self.board, units, orders).holders
        return {supporter: aim for aim, found in holders.items() for supporter in found}

    def _open(self, units: Mapping[str, Unit]) -> frozenset[str]:
        found = set()
        for node in self.top["open"].sequence("open") if "open" in self.top else ():
            with _at(node):
                named = self.reader.read_unit(node.text("a unit"))
            unit = named_unit(node, named, units)
            if unit.province in self.ordered:
                node.fail(f"{unit} has an order and is open")
            found.add(unit.province)
        return frozenset(found)

    def _region(self, own: frozenset[str], enemy: LineEnemy) -> tuple[frozenset[str], str]:
        inner = self._provinces(self.top.get("protect")) - own
        if "behind" in self.top:
            region, derived = inner | (self._provinces(self.top["behind"]) - own), _STATED
        else:
            region, derived = closure(self.board, own, enemy, inner), _CLOSED
            if 2 * len(region) > len(self.board.provinces.keys() - own):
                region, derived = inner, _LEAKS
        if not any(enemies_outside(self.board, own | region, enemy)):
            place = self.top.get("enemy") or self.top.get("behind") or self.root
            place.fail("with these limits the enemy can have no units, so there is no question")
        return region, derived
