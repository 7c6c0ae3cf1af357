"""Lines as YAML files: reading and writing them (docs/holding-lines.md describes the format)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from dipsat.base import (
    Node,
    checked,
    counted,
    is_yaml_path,
    name_from,
    parse_yaml,
    read_text,
    reading_names_in,
)
from dipsat.board import Map, UnitKind, is_shipped, load_map, province_of, reachable
from dipsat.errors import DipsatError, DocumentError, ProblemsError
from dipsat.game import add_unit, completed, place_unit
from dipsat.orders import (
    Convoy,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitName,
    reader_for,
)
from dipsat.rules import (
    DEFAULT_RULES,
    Profile,
    check_features,
    load_profile,
    map_for,
    name_in_files,
)
from dipsat.searches.line import (
    LineEnemy,
    PlanState,
    StalemateLine,
    closure,
    enemies_outside,
    holding,
    limits_of,
    sides_of,
    state_to_dict,
)

LineOrder = Hold | Move | SupportHold | SupportMove | Convoy
Placed = tuple[Node, LineOrder]
"""An order with its place in the file."""
PlacedRetreat = tuple[Node, Retreat]
"""A retreat with its place in the file."""


def state_of(board: Map, units: Mapping[str, Unit], orders: Sequence[Placed]) -> PlanState:
    """The state with these units, by province, and orders; a unit without an order holds.

    Raises `DocumentError` with the place of an order that the units cannot have together.
    """
    return _StateReader(board, units, orders).state()


def moves_among(orders: Sequence[Placed]) -> bool:
    """Whether the orders need a plan: some unit moves, or helps one that does."""
    return any(isinstance(order, Move | SupportMove | Convoy) for _, order in orders)


def named_unit(node: Node, name: UnitName, units: Mapping[str, Unit]) -> Unit:
    """The own unit that an order names."""
    unit = units.get(province_of(name.location))
    if unit is None:
        node.fail(f"no own unit stands in {province_of(name.location)}")
    if name.kind not in (None, unit.kind):
        node.fail(f"the own unit in {unit.province} is {unit}")
    return unit


class _StateReader:
    def __init__(self, board: Map, units: Mapping[str, Unit], orders: Sequence[Placed]) -> None:
        self.board = board
        self.units = units
        self.places: dict[str, Node] = {}
        self.orders: dict[str, LineOrder] = {}
        for node, order in orders:
            unit = named_unit(node, order.unit, units)
            if unit.province in self.orders:
                node.fail(f"{unit} has two orders")
            self.places[unit.province] = node
            self.orders[unit.province] = order

    def state(self) -> PlanState:
        for province in self.orders:
            if isinstance(self.orders[province], Move):
                self.orders[province] = self._move(province)
        read = {
            province: self._read(self.units[province], order)
            for province, order in self.orders.items()
        }
        placed = tuple(self.units[province] for province in sorted(self.units))
        state = PlanState(placed, tuple(read.get(unit.province, holding(unit)) for unit in placed))
        for province, target in state.moves.items():
            self._check_way(self.units[province], target, state)
        return state

    def _read(self, unit: Unit, order: LineOrder) -> Order:
        node = self.places[unit.province]
        match order:
            case Hold():
                return holding(unit)
            case Move():
                return order
            case SupportHold(supported=name):
                other = self._other(unit, name)
                if isinstance(self.orders.get(other.province), Move):
                    node.fail(f"{other} is ordered to move; support its move instead")
                self._check_reach(unit, other.province, f"support {other}")
                return SupportHold(unit.name, other.name)
            case SupportMove(supported=name, target=target):
                move = self._moving(unit, name, target)
                self._check_reach(unit, province_of(target), "support a move there")
                return SupportMove(unit.name, move.unit, move.target)
            case Convoy(army=name, target=target):
                move = self._moving(unit, name, target)
                if move.unit.kind is not UnitKind.ARMY or unit.kind is not UnitKind.FLEET:
                    node.fail("only a fleet can convoy, and only an army")
                return Convoy(unit.name, move.unit, move.target)

    def _move(self, province: str) -> Move:
        """The move with full names and the coast that it goes to."""
        unit, order = self.units[province], self.orders[province]
        assert isinstance(order, Move)
        node = self.places[province]
        if order.via or order.path:
            node.fail("leave out how the army goes; it is convoyed if it is no neighbour")
        return Move(unit.name, _location(self.board, unit, order.target, node))

    def _check_way(self, unit: Unit, target: str, state: PlanState) -> None:
        """Refuse an army that reaches its target neither over land nor by own fleets, or both."""
        node = self.places[unit.province]
        by_land = target in self.board.reach_provinces(unit.kind, unit.location)
        if by_land and unit.province in state.carried:
            node.fail(f"{unit} can go to {target} over land; leave out its convoy")
        if by_land:
            return
        fleets = {
            fleet.province
            for fleet, order in zip(state.units, state.orders, strict=True)
            if isinstance(order, Convoy) and province_of(order.army.location) == unit.province
            and self.board.provinces[fleet.province].kind == "sea"
        }  # fmt: skip
        if target not in self._shores(unit.province, fleets):
            node.fail(f"{unit} cannot go to {target}, and no own fleets convoy it there")

    def _shores(self, origin: str, fleets: set[str]) -> set[str]:
        """The provinces that fleets in these sea provinces can bring an army to."""
        beside = {sea: set(self.board.reach_provinces(UnitKind.FLEET, sea)) for sea in fleets}
        first = {sea for sea in fleets if origin in beside[sea]}
        found = reachable(first, lambda sea: beside[sea] & fleets)
        return {place for sea in found for place in beside[sea]} - {origin}

    def _other(self, unit: Unit, name: UnitName) -> Unit:
        node = self.places[unit.province]
        other = named_unit(node, name, self.units)
        if other == unit:
            node.fail(f"{unit} cannot support itself")
        return other

    def _moving(self, unit: Unit, name: UnitName, target: str) -> Move:
        """The move of another own unit that an order helps."""
        other = self._other(unit, name)
        move = self.orders.get(other.province)
        if not isinstance(move, Move) or province_of(move.target) != province_of(target):
            self.places[unit.province].fail(f"{other} is not ordered to go to {target}")
        return move if move.unit == other.name else self._move(other.province)

    def _check_reach(self, unit: Unit, province: str, what: str) -> None:
        if province not in self.board.reach_provinces(unit.kind, unit.location):
            self.places[unit.province].fail(f"{unit} cannot {what}: it cannot go to {province}")


def _location(board: Map, unit: Unit, target: str, node: Node) -> str:
    """Where a unit goes that is ordered to go to a target, with the coast for a fleet."""
    if unit.kind is UnitKind.ARMY:
        return province_of(target)
    reached = board.reach(unit.kind, unit.location)
    if target in reached:
        return target
    coasts = sorted(place for place in reached if province_of(place) == province_of(target))
    if not coasts:
        node.fail(f"{unit} cannot go to {target}")
    if len(coasts) > 1 or "/" in target:
        node.fail(f"{unit} can go to {' or '.join(coasts)}, not to {target}")
    return coasts[0]


def with_retreats(board: Map, state: PlanState, retreats: Sequence[PlacedRetreat]) -> PlanState:
    """A state whose units retreat so if they are dislodged.

    Raises `DocumentError` with the place of a retreat that is not possible.
    """
    found: dict[str, Retreat] = {}
    orders = dict(zip(state.units, state.orders, strict=True))
    for node, order in retreats:
        unit = named_unit(node, order.unit, state.by_province)
        if unit.province in found:
            node.fail(f"{unit} has two retreats")
        if isinstance(orders[unit], Convoy):
            node.fail(f"{unit} convoys, so it must not be dislodged; leave out its retreat")
        target = _location(board, unit, order.target, node)
        if province_of(target) not in board.reach_provinces(unit.kind, unit.location):
            node.fail(f"{unit} cannot retreat to {target}: it is no neighbour")
        found[unit.province] = Retreat(unit.name, target)
    return replace(state, retreats=tuple(found.values()))


_STATE_KEYS = ("units", "orders", "retreats")


def _counted(kinds: Sequence[UnitKind]) -> str:
    armies = sum(kind is UnitKind.ARMY for kind in kinds)
    fleets = counted(len(kinds) - armies, "fleet")
    return f"{armies} {'army' if armies == 1 else 'armies'} and {fleets}"


# --- lines ----------------------------------------------------------------------------------------

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
            line = self._planned(power, enemy, tuple(self._states(power)))
            self._check_refuges(line)
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

    def _states(self, power: str) -> Iterator[PlanState]:
        """The states of a plan. All have as many units of each kind."""
        first: list[UnitKind] = []
        for one in self.top["states"].sequence("states"):
            keys = one.mapping(_STATE_KEYS, "a state")
            if "units" not in keys:
                one.fail("the key 'units' is missing; it lists the own units of this state")
            units = self._units(keys["units"], power)
            kinds = sorted(unit.kind for unit in units.values())
            if first and kinds != first:
                keys["units"].fail(
                    f"has {_counted(kinds)}, but the first state has {_counted(first)}"
                )
            first = kinds
            orders = self._orders(keys["orders"]) if "orders" in keys else ()
            retreats = self._retreats(keys["retreats"]) if "retreats" in keys else ()
            state = state_of(self.board, units, orders)
            yield with_retreats(self.board, state, retreats)
        if not first:
            self.top["states"].fail("lists no state")

    def _check_refuges(self, line: StalemateLine) -> None:
        """Refuse retreats from closed provinces, which no enemy may enter, and to other ones, in
        which enemies may stand."""
        for node, state in zip(self.top["states"].sequence("states"), line.plan, strict=True):
            keys = node.mapping(_STATE_KEYS, "a state")
            places = keys["retreats"].sequence("retreats") if state.retreats else ()
            for place, (origin, refuge) in zip(places, state.refuges.items(), strict=True):
                if origin in line.closed:
                    place.fail(
                        f"{origin} is closed, so no unit may be dislodged there; units retreat "
                        "from outposts"
                    )
                if province_of(refuge) not in line.closed:
                    place.fail(
                        f"{refuge} is not closed, so an enemy may stand there; units retreat to "
                        "closed provinces"
                    )

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


# --- writing --------------------------------------------------------------------------------------


@checked
def write_line(line: StalemateLine, folder: str | Path = ".") -> str:
    """Return a line as YAML that `dipsat.searches.hold_line` and `dipsat search hold` read. Open
    units hold.

    The file states maps and rules of your own by their paths, as seen from the `folder` in which it
    is to stand.
    """
    import yaml  # needed only for saving

    return yaml.safe_dump(
        _stated(line, Path(folder)), sort_keys=False, default_flow_style=None, width=100
    )


def _stated(line: StalemateLine, folder: Path) -> dict[str, Any]:
    """What the file states, as plain values."""
    board, rules = line.map, name_in_files(line.rules.path)
    found: dict[str, Any] = {
        "map": board.name if is_shipped(board) else name_from(folder, board.path),
        "rules": "+".join(name_from(folder, one) for one in rules.split("+")),
        "power": line.power,
    }
    if found["rules"] == DEFAULT_RULES:
        del found["rules"]
    if line.plan:
        found["states"] = [_stated_of(state_to_dict(one, line.map)) for one in line.plan]
        found["outposts"] = sorted(line.outposts)
    else:
        texts = line.order_texts(line.supports)
        found["units"] = [str(unit) for unit in line.units]
        found["orders"] = [text for text in texts if not text.endswith(" H")]
    found["behind"] = sorted(line.closed if line.plan else line.region)
    powers, anybody = line.enemy.powers, sides_of(line.map, line.power, ())[1]
    named = {} if {*powers} == {*anybody} else {"powers": list(powers)}
    limits = limits_of(line.enemy)
    units = limits.pop("units")
    found["enemy"] = _stated_of({**named, **limits, "units": units})
    return {key: value for key, value in found.items() if value or key == "behind"}


def _stated_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that say something."""
    return {key: value for key, value in values.items() if value not in ([], None)}
