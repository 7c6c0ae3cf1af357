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
    name_from,
    parse_yaml,
    reached,
    read_text,
    reading_names_in,
)
from dipsat.board import Map, UnitKind, is_shipped, load_map, map_beside, province_of
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
    limits_of,
    sides_of,
    state_to_dict,
    supports_of,
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


def named_unit(node: Node, name: UnitName, units: Mapping[str, Unit]) -> Unit:
    """Find the own unit that an order names."""
    unit = units.get(province_of(name.location))
    if unit is None:
        node.fail(f"no own unit stands in {province_of(name.location)}")
    if name.kind not in (None, unit.kind):
        node.fail(f"the own unit in {unit.province} is {unit}")
    return unit


class _StateReader:
    def __init__(self, board: Map, units: Mapping[str, Unit], orders: Sequence[Placed]) -> None:
        self.board, self.units = board, units
        self.given: dict[str, Placed] = {}
        for node, order in orders:
            unit = named_unit(node, order.unit, units)
            if unit.province in self.given:
                node.fail(f"{unit} has two orders")
            self.given[unit.province] = node, order
        for province, (node, order) in self.given.items():
            if isinstance(order, Move):  # with full names, and the coast of the target
                if order.via or order.path:
                    node.fail("leave out how the army goes; it is convoyed if it cannot walk")
                unit = units[province]
                move = Move(unit.name, _location(board, unit, order.target, node))
                self.given[province] = node, move

    def state(self) -> PlanState:
        read = {at: self._read(self.units[at], *placed) for at, placed in self.given.items()}
        units = tuple(self.units[at] for at in sorted(self.units))
        state = PlanState(units, tuple(read.get(one.province, Hold(one.name)) for one in units))
        for at, target in state.moves.items():
            self._check_way(self.units[at], target, state)
        return state

    def _read(self, unit: Unit, node: Node, order: LineOrder) -> Order:
        match order:
            case Hold():
                return Hold(unit.name)
            case Move():
                return order
            case SupportHold(supported=name):
                other, theirs = self._helped(unit, node, name)
                if isinstance(theirs, Move):
                    node.fail(f"{other} is ordered to move; support its move instead")
                self._check_reach(unit, node, other.province, f"support {other}")
                return SupportHold(unit.name, other.name)
            case SupportMove(supported=name, target=target):
                move = self._move(unit, node, name, target)
                self._check_reach(unit, node, province_of(target), "support a move there")
                return SupportMove(unit.name, move.unit, move.target)
            case Convoy(army=name, target=target):
                move = self._move(unit, node, name, target)
                if move.unit.kind is not UnitKind.ARMY or unit.kind is not UnitKind.FLEET:
                    node.fail("only a fleet can convoy, and only an army")
                return Convoy(unit.name, move.unit, move.target)

    def _helped(self, unit: Unit, node: Node, name: UnitName) -> tuple[Unit, LineOrder | None]:
        """Another own unit that an order names, and that unit's order."""
        other = named_unit(node, name, self.units)
        if other == unit:
            node.fail(f"{unit} cannot support itself")
        return other, self.given.get(other.province, (node, None))[1]

    def _move(self, unit: Unit, node: Node, name: UnitName, target: str) -> Move:
        """The move of another own unit that an order helps."""
        other, move = self._helped(unit, node, name)
        if not isinstance(move, Move) or province_of(move.target) != province_of(target):
            node.fail(f"{other} is not ordered to go to {target}")
        return move

    def _check_reach(self, unit: Unit, node: Node, province: str, what: str) -> None:
        if province not in self.board.reach_provinces(unit.kind, unit.location):
            node.fail(f"{unit} cannot {what}: it cannot go to {province}")

    def _check_way(self, unit: Unit, target: str, state: PlanState) -> None:
        """Refuse an army that reaches its target neither by land nor by own fleets, or by both."""
        node = self.given[unit.province][0]
        if target in self.board.reach_provinces(unit.kind, unit.location):
            if unit.province in state.carried:
                node.fail(f"{unit} can go to {target} over land; leave out its convoy")
            return
        fleets = {
            fleet.province
            for fleet, order in zip(state.units, state.orders, strict=True)
            if isinstance(order, Convoy) and province_of(order.army.location) == unit.province
            and self.board.provinces[fleet.province].kind == "sea"
        }  # fmt: skip
        beside = {sea: self.board.reach_provinces(UnitKind.FLEET, sea) for sea in fleets}
        first = {sea for sea in fleets if unit.province in beside[sea]}
        chain = reached(first, lambda sea: beside[sea] & fleets)
        if target == unit.province or not any(target in beside[sea] for sea in chain):
            node.fail(f"{unit} cannot go to {target}, and no own fleets convoy it there")


def _location(board: Map, unit: Unit, target: str, node: Node) -> str:
    """The location that a unit ordered to a target goes to, with the coast for a fleet."""
    if unit.kind is UnitKind.ARMY:
        return province_of(target)
    places = board.reach(unit.kind, unit.location)
    if target in places:
        return target
    coasts = sorted(place for place in places if province_of(place) == province_of(target))
    if not coasts:
        node.fail(f"{unit} cannot go to {target}")
    if len(coasts) > 1 or "/" in target:
        node.fail(f"{unit} can go to {' or '.join(coasts)}, not to {target}")
    return coasts[0]


def with_retreats(board: Map, state: PlanState, retreats: Sequence[PlacedRetreat]) -> PlanState:
    """A state whose units make these retreats if they are dislodged.

    Raises `DocumentError` with the place of an impossible retreat.
    """
    found: dict[str, Retreat] = {}
    orders = dict(zip(state.units, state.orders, strict=True))
    for node, order in retreats:
        unit = named_unit(node, order.unit, state.by_province)
        if unit.province in found:
            node.fail(f"{unit} has two retreats")
        if isinstance(orders[unit], Convoy):
            node.fail(f"{unit} convoys, so it must not be dislodged; leave out its retreat")
        if order.otherwise:
            node.fail(f"{unit} retreats to one place of a line, not to one of several")
        target = _location(board, unit, order.target, node)
        if province_of(target) not in board.reach_provinces(unit.kind, unit.location):
            node.fail(f"{unit} cannot retreat to {target}: it is not a neighbour")
        found[unit.province] = Retreat(unit.name, target)
    return replace(state, retreats=tuple(found.values()))


# --- lines ----------------------------------------------------------------------------------------

_KEYS = (
    "map", "rules", "power", "units", "orders", "open", "states", "outposts", "protect", "behind",
    "enemy",
)  # fmt: skip
_OF_STATES = ("units", "orders", "open")
_STATE_KEYS = ("units", "orders", "retreats")
_ENEMY_KEYS = ("fleets_not_in", "armies_not_in", "units", "powers")
_STATED = ""
_CLOSED = "every province with a way to the protected ones that passes no own unit"
_LEAKS = (
    "only the protected provinces, because ways that pass no own unit lead to them from more than "
    "half of the board"
)


def read_line(source: str | Path, rules: Profile | None = None) -> StalemateLine:
    """Read the line in a file. `rules` override those that the file names (default: datc).

    Raises `FileError` or `DocumentError` with the place of the error, and the errors of loading the
    map and the rules.
    """
    return parse_line(read_text(source), str(source), rules)


def parse_line(
    text: str, shown: str, rules: Profile | None = None, board: Map | None = None
) -> StalemateLine:
    """The line that a text states; `shown` names it in errors. `board` is its map if it names
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
            root.fail("the key 'units' is missing; it lists the units of the line, such as [A SEV]")
        elif "outposts" in self.top:
            self.top["outposts"].fail("only a line with 'states' has outposts")
        if not self.top.keys() & {"protect", "behind"}:
            root.fail("'protect' or 'behind' must say which provinces no enemy may enter")
        self.rules = rules or self._rules()
        self.board = self._map(board)
        check_features(self.rules, self.board)
        self.reader = reader_for(self.board, self.rules.words)
        self.refuges: list[tuple[Node, str, str]] = []
        """The place of each retreat, the province that it leaves, and its target."""

    def line(self) -> StalemateLine:
        power, enemy = self._powers()
        moves, is_open = "states" in self.top, frozenset[str]()
        if moves:
            states = tuple(self._states(power))
        else:
            units, orders = self._units(self.top["units"], power), self._orders(self.top)
            moves = any(isinstance(order, Move | SupportMove | Convoy) for _, order in orders)
            if moves and "open" in self.top:
                self.top["open"].fail("units cannot be open beside units that move")
            states = (state_of(self.board, units, orders),)
            is_open = self._open(units, orders)
        first, outposts = states[0], self._provinces(self.top.get("outposts"))
        entered = frozenset(at for state in states for at in state.by_province)
        for node in self.top["outposts"].sequence("outposts") if outposts else ():
            if self.board.names.province(node.text()) not in entered:
                node.fail("no own unit stands there in any state")
        region, derived = self._region(entered - outposts, enemy)
        region |= entered - outposts - first.by_province.keys()
        line = StalemateLine(
            self.board, self.rules, power, first.units, {} if moves else supports_of(first),
            is_open, region, enemy, derived, states if moves else (), outposts,
        )  # fmt: skip
        for node, origin, refuge in self.refuges:
            if origin in line.closed:
                node.fail(
                    f"{origin} is closed, so no unit may be dislodged there; units retreat from "
                    "outposts"
                )
            if province_of(refuge) not in line.closed:
                node.fail(
                    f"{refuge} is not closed, so an enemy may stand there; units retreat to closed "
                    "provinces"
                )
        return line

    def _states(self, power: str) -> Iterator[PlanState]:
        """The states of a plan. All have the same number of units of each kind."""
        first: list[UnitKind] = []
        for one in self.top["states"].sequence("states"):
            keys = one.mapping(_STATE_KEYS, "a state")
            if "units" not in keys:
                one.fail("the key 'units' is missing; it lists the units of the line in this state")
            units = self._units(keys["units"], power)
            kinds = sorted(unit.kind for unit in units.values())
            if first and kinds != first:
                keys["units"].fail(
                    f"has {_counted(kinds)}, but the first state has {_counted(first)}"
                )
            first = kinds
            orders, retreats = self._orders(keys), self._retreats(keys)
            state = with_retreats(self.board, state_of(self.board, units, orders), retreats)
            pairs = zip(retreats, state.refuges.items(), strict=True)
            self.refuges += [(node, *way) for (node, _), way in pairs]
            yield state
        if not first:
            self.top["states"].fail("lists no state")

    def _map(self, board: Map | None) -> Map:
        if "map" not in self.top:
            return board or map_for(self.rules)
        node = self.top["map"]
        with _at(node), reading_names_in(self.root.path):
            return load_map(map_beside(node.text("a map"), Path(self.root.path).parent))

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

    def _orders(self, keys: Mapping[str, Node]) -> tuple[Placed, ...]:
        """The stated orders, with their places."""
        wanted = "a unit of a line holds, moves, supports or convoys"
        return tuple(self._read(keys.get("orders"), "orders", "an order", LineOrder, wanted))

    def _retreats(self, keys: Mapping[str, Node]) -> tuple[PlacedRetreat, ...]:
        """The stated retreats, with their places."""
        wanted = "a retreat is written like A NOR R UPP, not {!r}"
        return tuple(self._read(keys.get("retreats"), "retreats", "a retreat", Retreat, wanted))

    def _read(
        self, listed: Node | None, key: str, what: str, kind: Any, wanted: str
    ) -> Iterator[tuple[Node, Any]]:
        for node in listed.sequence(key) if listed is not None else ():
            text = node.text(what)
            with _at(node):
                order = self.reader.read(text)
            if not isinstance(order, kind):
                node.fail(wanted.format(text))
            yield node, order

    def _open(self, units: Mapping[str, Unit], orders: Sequence[Placed]) -> frozenset[str]:
        ordered = {province_of(order.unit.location) for _, order in orders}
        found = set()
        for node in self.top["open"].sequence("open") if "open" in self.top else ():
            with _at(node):
                named = self.reader.read_unit(node.text("a unit"))
            unit = named_unit(node, named, units)
            if unit.province in ordered:
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


def _counted(kinds: Sequence[UnitKind]) -> str:
    armies = kinds.count(UnitKind.ARMY)
    return f"{counted(armies, 'army', 'armies')} and {counted(len(kinds) - armies, 'fleet')}"


# --- writing --------------------------------------------------------------------------------------


@checked
def write_line(line: StalemateLine, folder: str | Path = ".") -> str:
    """Return a line as YAML that `dipsat.searches.hold_line` and `dipsat search hold` read. Open
    units hold.

    The file names your own maps and rules by their paths, relative to `folder`, where it is to be
    saved.
    """
    import yaml  # needed only for saving

    return yaml.safe_dump(
        _stated(line, Path(folder)), sort_keys=False, default_flow_style=None, width=100
    )


def _stated(line: StalemateLine, folder: Path) -> dict[str, Any]:
    """The contents of the file, as plain values."""
    board, rules = line.map, name_in_files(line.rules.path)
    found: dict[str, Any] = {
        "map": board.name if is_shipped(board) else name_from(folder, board.path),
        "rules": name_from(folder, rules),
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
    """The values that are not empty."""
    return {key: value for key, value in values.items() if value not in ([], None)}
