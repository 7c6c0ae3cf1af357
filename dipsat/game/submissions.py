"""The orders of all powers, read from what they submitted, however poorly it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from math import prod
from typing import TypeAlias, cast, get_args

from dipsat.base import COMPARED_ORDERS, HINTED, ORDERS, READINGS, Tally, titled
from dipsat.board import Map, coast_of, province_of
from dipsat.errors import (
    AmbiguousNameError,
    OrderFaultError,
    OrderSyntaxError,
    UnknownNameError,
    did_you_mean,
    shortened,
)
from dipsat.game.legality import IllegalError, judge_orders, settle_retreat
from dipsat.game.next_phase import adjustments, build_sites
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import DislodgedUnit, Position, provinces_to_order
from dipsat.game.ruling import IMPASSABLE, UNKNOWN_PLACE, UNREADABLE, RulingStatus, Submission
from dipsat.orders import (
    ALL_BUILDS,
    TEXT_FAULTS,
    Build,
    Convoy,
    DeclaredOrder,
    Disband,
    GuessedReadings,
    Hold,
    Move,
    MovementOrder,
    Order,
    OrderKind,
    Retreat,
    SupportHold,
    SupportMove,
    TextFault,
    UnitName,
    Unreadable,
    Waive,
    Words,
    read_first_unit,
    read_unit_of,
    read_with_impassable_land,
    read_with_unknown_places,
    sign_of,
    unit_alone,
    write_order,
)
from dipsat.rules import Settings

# --- typed orders ---------------------------------------------------------------------------------

# Checking that typed orders name only what the map and the rules have, as texts must.


def checked_order(order: Order, power: str, position: Position) -> Order:
    """Return a checked order that a program made; an order of a declared kind receives its text.

    Raises `UnknownNameError` for a province, coast, power or kind of orders that the map or the
    rules do not have, and `OrderFaultError` for fields that are not those of the kind.
    """
    if isinstance(order, DeclaredOrder):
        return _declared(order, power, position)
    if not isinstance(order, Unreadable):
        for named in _named(order):
            _check(named, position.map)
    return order


def _declared(order: DeclaredOrder, power: str, position: Position) -> DeclaredOrder:
    kinds = {kind.name: kind for kind in position.words.kinds}
    kind = kinds.get(order.kind)
    if kind is None:
        raise UnknownNameError("kind of orders", order.kind, kinds, list_known=bool(kinds))
    problem = _misfit(order, kind)
    if problem:
        raise OrderFaultError(power, [order.text or order.kind], problem)
    for _, named in order.fields:
        _check(named, position.map)
    if kind.is_of_unit:
        _check(order.unit, position.map)
    return order if order.text else kind.written(order)


def _misfit(order: DeclaredOrder, kind: OrderKind) -> str:
    """How the fields of an order differ from those of its kind, or "" if they do not."""
    types = {slot.name: slot.type for slot in kind.fields}
    given = {name: "Province" if isinstance(it, str) else "Unit" for name, it in order.fields}
    if order.season != kind.season:
        return f"orders of the kind {kind.name} have the season {kind.season!r}"
    if given != types or len(given) != len(order.fields):
        fields = ", ".join(f"{name} ({type})" for name, type in types.items()) or "no fields"
        return f"orders of the kind {kind.name} have the fields: {fields}"
    return ""


def _named(order: Order) -> Iterator[UnitName | str]:
    """The units and locations that an order names."""
    if isinstance(order, Waive):
        return
    yield order.unit
    if isinstance(order, SupportHold | SupportMove):
        yield order.supported
    if isinstance(order, Convoy):
        yield order.army
    if isinstance(order, Move):
        yield from order.path
    if isinstance(order, Move | SupportMove | Convoy | Retreat):
        yield order.target


def _check(named: UnitName | str, board: Map) -> None:
    location = named.location if isinstance(named, UnitName) else named
    code, coast = province_of(location), coast_of(location)
    if code not in board.provinces:
        raise UnknownNameError("province", code, board.provinces)
    if coast and coast not in board.coast_names and location not in board.locations:
        raise UnknownNameError("coast", coast, board.coast_names, list_known=True)
    if isinstance(named, UnitName) and named.power and named.power not in board.powers:
        raise UnknownNameError("power", named.power, board.powers, list_known=True)


# --- poorly written -------------------------------------------------------------------------------

# The meaning of poorly written orders, given the position (DATC 4.E.2, 4.E.1 a).


_MAX_SETS = 5_000  # ways to read a set of orders; beyond this limit, orders are read one by one
_SHOWN = 4  # possible readings listed in a message


class Tallies:
    """Counts the work done for all poorly written orders of a phase."""

    def __init__(self) -> None:
        self.readings = Tally(READINGS)
        self.compared = Tally(COMPARED_ORDERS)


def read_unclear(
    position: Position,
    power: str,
    orders: Sequence[str | Order],
    settings: Settings,
    tallies: Tallies | None = None,
) -> list[Submission]:
    """The submissions of one set of a power's orders, in the order given. `tallies` continues the
    counts of the other sets of the phase.

    Raises `OrderSyntaxError`, `UnknownNameError` or `AmbiguousNameError` for a poorly written order
    if the settings refuse those, and `InputLimitError` for too many ways to read such orders.
    """
    return _Set(position, power, settings, tallies or Tallies()).submissions(orders)


def read_in(position: Position, text: str) -> Order:
    """The order that a text gives in a position. In a retreat phase its unit is taken as dislodged,
    so a move may have several targets (`A Gal - War or Ukr`). Raises what the reader raises."""
    try:
        return position.reader.read(text)
    except TEXT_FAULTS:
        if position.phase.kind is PhaseKind.RETREAT:
            with suppress(*TEXT_FAULTS):
                return position.reader.read(f"if dislodged {text}")
        raise


def other_power_in(order: Order, power: str) -> str:
    """What is wrong with a power's order if it names another power for its unit (`Austria A Vie -
    Gal` below Italy), else ""."""
    if isinstance(order, Waive) or order.unit.power in (None, power):
        return ""
    return f"it names {titled(order.unit.power)}, but it is an order of {titled(power)}"


def takes_text(board: Map, text: str, words: Words, settings: Settings) -> bool:
    """Whether `read_unclear` accepts a text that the reader refuses."""
    if settings.poorly_written != "refused":
        return True
    if read_with_impassable_land(board, text, words) is not None:
        return True
    with suppress(*TEXT_FAULTS):
        return settings.legal == "format" and bool(read_with_unknown_places(board, text, words))
    return False


class _Set:
    """Reads the orders that a power submitted together."""

    def __init__(
        self, position: Position, power: str, settings: Settings, tallies: Tallies
    ) -> None:
        self.tallies = tallies
        self.position = position
        self.board = position.map
        self.power = power
        self.settings = settings
        self.reader = position.reader

    @cached_property
    def own(self) -> set[str]:
        """The provinces of the power's units."""
        return {unit.province for unit in self.position.units if unit.power == self.power}

    def submissions(self, orders: Sequence[str | Order]) -> list[Submission]:
        """The orders as read, each with its only meaning."""
        found = self._read_all(orders)
        if self.position.phase.kind is PhaseKind.RETREAT:
            return [
                self._chosen(one, one.order) if isinstance(one.order, Retreat) else one
                for one in found
            ]
        if self.position.phase.kind is PhaseKind.ADJUSTMENT:
            return [single for one in found for single in self._waived(one)]
        return found

    def _waived(self, one: Submission) -> Sequence[Submission]:
        """Split an order to waive several builds into orders for one, at most one not due."""
        if not isinstance(one.order, Waive) or one.order.builds == 1:
            return (one,)
        due = max(adjustments(self.position, self.power, self.settings), 0)
        most = max(due, 1) if one.order.builds == ALL_BUILDS else due + 1
        return (one._replace(order=Waive()),) * min(one.order.builds, most)

    def _chosen(self, one: Submission, order: Retreat) -> Submission:
        """Choose the first of several retreats that the unit may make, or else the first."""
        if not order.otherwise:
            return one
        places, province = (order.target, *order.otherwise), province_of(order.unit.location)
        own = (lost for lost in self.position.dislodged if lost.unit.power == self.power)
        lost = next((lost for lost in own if lost.unit.province == province), None)
        if lost is None:
            return one._replace(order=Retreat(order.unit, order.target))
        may = [place for place in places if self._may_retreat(lost, place)]
        why = f"it may retreat to none of {', '.join(places)}"
        if may:
            why = f"{may[0]} is the first of {', '.join(places)} to which it may retreat"
        reading = "; ".join(filter(None, (one.reading, why)))
        return one._replace(order=Retreat(order.unit, (may or places)[0]), reading=reading)

    def _may_retreat(self, lost: DislodgedUnit, place: str) -> bool:
        try:
            settle_retreat(self.position, self.settings, lost, place)
        except IllegalError:
            return False
        return True

    def _read_all(self, orders: Sequence[str | Order]) -> list[Submission]:
        read: list[Submission | GuessedReadings] = [self._read(order) for order in orders]
        if not any(isinstance(one, GuessedReadings) for one in read):
            return cast("list[Submission]", read)
        options = [
            (one.order,) if isinstance(one, Submission) else self._options(one) for one in read
        ]
        if self.settings.poorly_written in ("order set", "matching"):
            options = self._narrowed(options)
        unclear = [at for at, one in enumerate(read) if isinstance(one, GuessedReadings)]
        hinted = set(unclear[:HINTED])
        return [
            one if isinstance(one, Submission) else self._settled(one, options[at], at in hinted)
            for at, one in enumerate(read)
        ]

    def _read(self, order: str | Order) -> Submission | GuessedReadings:
        if not isinstance(order, str):
            order = checked_order(order, self.power, self.position)
            return Submission(self.power, write_order(order, self.board), order)
        try:
            found = read_in(self.position, order)
        except TEXT_FAULTS as error:
            words = self.position.words
            refused = self.settings.poorly_written == "refused"
            adjusted = self._adjusted(order)
            if adjusted is not None:
                return adjusted
            aside = read_with_impassable_land(self.board, order, words)
            if aside is not None:
                return self._aside(order, aside, IMPASSABLE, "it names land that no unit can enter")
            is_format = self.settings.legal == "format" and isinstance(error, UnknownNameError)
            if refused and is_format:
                return self._with_unknown_place(order)
            if refused:
                raise
            tally, guesses = self.tallies.readings, self.settings.poorly_written != "held"
            readings = GuessedReadings(self.board, order, error, words, tally, guesses)
            if is_format and not readings.orders:
                with suppress(*TEXT_FAULTS):
                    return self._with_unknown_place(order)
            return readings
        problem = other_power_in(found, self.power)
        if problem and self.settings.poorly_written == "refused":
            raise OrderSyntaxError(shortened(order), problem)
        if problem:
            return self._unreadable(order, problem)
        return Submission(self.power, order, found, 0, None, self.reader.guessed.get(order, ""))

    def _adjusted(self, text: str) -> Submission | None:
        """Read a unit without an action, perhaps with a sign (`+A Ber`), as what the power must do
        with it in an adjustment phase. None if the power can do nothing with it, and for any other
        text."""
        position = self.position
        if position.phase.kind is not PhaseKind.ADJUSTMENT:
            return None
        unit = unit_alone(self.board, text, position.words)
        if unit is None or unit.power not in (None, self.power):
            return None
        due, there = adjustments(position, self.power, self.settings), province_of(unit.location)
        who, sign = titled(self.power), sign_of(text)
        if due > 0 and there not in position.by_province and sign != "-":
            why = f"read as a build, since {who} may build {due}"
            return Submission(self.power, text, Build(unit), reading=why)
        if due < 0 and there in self.own and sign != "+":
            why = f"read as a disband, since {who} must disband {-due}"
            return Submission(self.power, text, Disband(unit), reading=why)
        return None

    def _with_unknown_place(self, text: str) -> Submission:
        """4.E.1 a: an order in the right format "even when the areas are not places"."""
        order = read_with_unknown_places(self.board, text, self.position.words)
        return self._aside(text, order, UNKNOWN_PLACE, "it names a place that is not on the map")

    def _aside(self, text: str, order: Order, code: str, reason: str) -> Submission:
        """An order that needs no further judgement."""
        return Submission(self.power, text, order, refusal=(code, reason))

    def _options(self, readings: GuessedReadings) -> tuple[Order, ...]:
        """What an order can mean on its own."""
        if self.settings.poorly_written == "spelling":
            return readings.orders
        possible = tuple(order for order in readings.orders if self._is_possible(order))
        return possible or readings.orders

    def _settled(
        self, readings: GuessedReadings, options: Sequence[Order], is_hinted: bool
    ) -> Submission:
        """The order that a text must mean. A text without a single meaning is unreadable, and its
        unit holds (4.E.2, example 1)."""
        text = readings.text
        if len(options) == 1:
            (order,) = options
            if problem := other_power_in(order, self.power):
                return self._unreadable(text, problem)
            return Submission(self.power, text, order, reading=readings.guesses[order])
        shown = " or ".join(write_order(one, self.board) for one in options[:_SHOWN])
        problem = f"it could be {shown}" if shown else _why(readings.error, is_hinted)
        return self._unreadable(text, problem)

    def _unreadable(self, text: str, problem: str) -> Submission:
        order = Unreadable(self._unit_of(text), text, problem)
        return self._aside(text, order, UNREADABLE, f"it cannot be read: {problem}")

    def _unit_of(self, text: str) -> UnitName:
        """The unit that an unreadable text is for; its location is empty if it is unknown."""
        words = self.position.words
        if self.settings.poorly_written == "held":  # no name is guessed
            with suppress(*TEXT_FAULTS):
                return read_first_unit(self.board, text, words)
            return UnitName("")
        ordered_from = provinces_to_order(self.position, self.power)
        return read_unit_of(self.board, text, ordered_from, words)

    def _is_possible(self, order: Order) -> bool:
        """Whether the order could be carried out, judged without any other order."""
        position = self.position
        if position.phase.kind is PhaseKind.MOVEMENT:
            rulings = judge_orders(position, [Submission(self.power, "", order)], self.settings)
            return rulings[0].status is not RulingStatus.ILLEGAL  # an implicit order may follow
        if isinstance(order, Waive):
            return position.phase.kind is PhaseKind.ADJUSTMENT
        province = province_of(order.unit.location)
        if position.phase.kind is PhaseKind.RETREAT:
            lost = [one for one in position.dislodged if one.unit.province == province]
            reached = {province_of(place) for one in lost for place in one.retreats}
            own = any(one.unit.power == self.power for one in lost)
            moves = isinstance(order, Retreat | Move) and province_of(order.target) in reached
            return own and (moves or isinstance(order, Disband))
        if isinstance(order, Build):
            return province in build_sites(position, self.power, self.settings)
        unit = position.by_province.get(province)
        return isinstance(order, Disband) and unit is not None and unit.power == self.power

    def _narrowed(self, options: list[tuple[Order, ...]]) -> list[tuple[Order, ...]]:
        """What the orders can mean as a set: each unit ordered once, and matching if the setting
        says so."""
        ways = prod(map(len, options))
        if ways > _MAX_SETS:
            return options
        self.tallies.compared.add(ways * len(options))
        open_at = [at for at, orders in enumerate(options) if len(orders) != 1]
        ordered = {_province(orders[0]) for orders in options if len(orders) == 1}
        picks = [
            orders
            for orders in product(*(options[at] for at in open_at))
            if len(ordered | set(map(_province, orders))) == len(ordered) + len(orders)
        ]
        if self.settings.poorly_written == "matching":
            clear = [orders[0] for orders in options if len(orders) == 1]
            picks = _least(picks, lambda orders: self._mismatches([*clear, *orders]))
        if not picks:
            return options
        meant = {
            at: tuple(dict.fromkeys(orders[n] for orders in picks)) for n, at in enumerate(open_at)
        }
        return [meant.get(at, orders) for at, orders in enumerate(options)]

    def _mismatches(self, orders: Sequence[Order]) -> int:
        """How many supports and convoys of own units do not match those units' orders."""
        moving = (order for order in orders if isinstance(order, MovementOrder))
        by_unit = {province_of(order.unit.location): order for order in moving}
        return sum(_is_mismatch(order, by_unit, self.own) for order in by_unit.values())


def _why(error: TextFault, is_hinted: bool) -> str:
    """Why a text cannot be read, without repeating the text; if `is_hinted`, with the names that
    may be meant."""
    if isinstance(error, OrderSyntaxError):
        return error.problem
    if isinstance(error, AmbiguousNameError):
        return f"{shortened(error.name)!r} could be {', '.join(error.choices)}"
    hint = f"; {did_you_mean(*error.nearest)}" if is_hinted and error.nearest else ""
    return f"unknown {error.kind} {shortened(error.name)!r}{hint}"


def _province(order: Order) -> str:
    return "" if isinstance(order, Waive) else province_of(order.unit.location)


def _is_mismatch(order: MovementOrder, by_unit: Mapping[str, MovementOrder], own: set[str]) -> bool:
    """Whether it supports or convoys a unit in the provinces `own` whose order does not match."""
    if isinstance(order, Hold | Move):
        return False
    named = order.army if isinstance(order, Convoy) else order.supported
    if province_of(named.location) not in own:
        return False
    other = by_unit.get(province_of(named.location))
    if isinstance(order, SupportHold):
        return isinstance(other, Move)
    assert isinstance(order, SupportMove | Convoy)
    return not isinstance(other, Move) or province_of(other.target) != province_of(order.target)


def _least(
    sets: list[tuple[Order, ...]], measure: Callable[[Sequence[Order]], int]
) -> list[tuple[Order, ...]]:
    counts = [measure(orders) for orders in sets]
    least = min(counts, default=0)
    return [orders for orders, count in zip(sets, counts, strict=True) if count == least]


# --- order sets -----------------------------------------------------------------------------------

# Which of a power's sets of orders count, if there are several (DATC 4.D.1, 4.D.2).


OneOrder: TypeAlias = str | Order
SetOfOrders: TypeAlias = Iterable[OneOrder] | Mapping[str, Iterable[OneOrder]]
PowerOrders: TypeAlias = Iterable[OneOrder | SetOfOrders] | Mapping[str, Iterable[SetOfOrders]]
"""The orders that a power hands in: a list of orders; a list of sets of orders, the earliest first;
or `{"undated": sets}` if it is not known which set came first. A set is a list of orders, or
`{"adds": list}` or `{"replaces": list}` if it says that it adds to the sets before it or replaces
them (DATC 3.0 4.D.1, 4.D.2)."""

ADDS, REPLACES, UNDATED = "adds", "replaces", "undated"
_NESTED = (list, tuple, Mapping)
_ONE_ORDER = (str, *get_args(Order))  # `isinstance` is twice as fast on a tuple


@dataclass(frozen=True, slots=True)
class OrderSet:
    """A set of orders, and whether it says that it adds to earlier sets or replaces them."""

    orders: tuple[OneOrder, ...]
    says: str = ""


@dataclass(frozen=True, slots=True)
class OrderSets:
    """The sets of a power, the earliest first if they are `dated`."""

    sets: tuple[OrderSet, ...]
    dated: bool = True


def read_order_sets(power: str, given: PowerOrders) -> OrderSets:
    """The sets of orders that a power submitted; orders outside any set make one set.

    Raises `OrderFaultError` for any other structure.
    """
    if isinstance(given, Mapping):
        if set(given) != {UNDATED}:
            raise OrderFaultError(power, map(str, given), f"its key should be {UNDATED!r}")
        return OrderSets(tuple(_read_set(power, one) for one in given[UNDATED]), dated=False)
    listed = tuple(given)
    if not listed or not isinstance(listed[0], _NESTED):
        return OrderSets((OrderSet(_orders(power, listed)),))
    return OrderSets(tuple(_read_set(power, one) for one in listed))


def _read_set(power: str, given: object) -> OrderSet:
    says, orders = "", given
    if isinstance(given, Mapping):
        if len(given) != 1 or not given.keys() <= {ADDS, REPLACES}:
            problem = f"a set of orders is a list, or a mapping with the key {ADDS} or {REPLACES}"
            raise OrderFaultError(power, map(str, given), problem)
        ((says, orders),) = given.items()
    if isinstance(orders, str) or not isinstance(orders, Iterable):
        raise OrderFaultError(power, [str(orders)], "it is not in any of the sets of orders")
    return OrderSet(_orders(power, orders), says)


def _orders(power: str, given: Iterable[object]) -> tuple[OneOrder, ...]:
    """The orders of one set. Raises `OrderFaultError` for anything else among them."""
    found: list[OneOrder] = []
    for order in given:
        if not isinstance(order, _ONE_ORDER):
            raise OrderFaultError(
                power, [str(order)], "this is not an order; give a text such as 'A PAR - BUR'"
            )
        found.append(order)
    return tuple(found)


def first_that_counts(
    sets: OrderSets, read: Sequence[Sequence[Submission]], position: Position, settings: Settings
) -> int:
    """The index of the first set that counts, or the number of sets if none counts. All later sets
    count too. `read` holds the orders of each set."""
    last = len(sets.sets) - 1
    if not sets.dated:
        return last + 1 if settings.undated_order_sets == "none" and last > 0 else 0
    rule, first = settings.order_sets, last
    while first > 0 and not _is_complete(read[first], position, settings):
        says = sets.sets[first].says
        if rule == "last" or (rule == "last unless it adds" and says != ADDS):
            break
        if rule == "all unless replaced" and says == REPLACES:
            break
        first -= 1
    return first


def _is_complete(orders: Sequence[Submission], position: Position, settings: Settings) -> bool:
    """Whether these are all the orders that a power needs. If they are, no earlier set matters."""
    if not orders:
        return False
    power = orders[0].power
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return len(orders) >= abs(adjustments(position, power, settings))
    ordered = {province_of(s.order.unit.location) for s in orders if not isinstance(s.order, Waive)}
    return ordered >= provinces_to_order(position, power)


# --- submissions ----------------------------------------------------------------------------------


_COUNTABLE = (list, tuple, Mapping)
_NOT_DATED = ("undated", "it is not known which of the power's sets of orders came last")
_REPLACED = ("replaced", "a later set of orders replaces this one")


def read_submissions(
    position: Position, orders: Mapping[str, PowerOrders], settings: Settings, lenient: bool = False
) -> list[Submission]:
    """Read orders by power, given as texts or `Order` values, into submissions in the order given.

    If the reading is `lenient`, the settings refuse no text. Raises what the reader raises for a
    text that cannot be read, `OrderFaultError` for sets of orders in a form other than
    `PowerOrders`, and `InputLimitError` for too many orders.
    """
    settings = settings.lenient if lenient else settings
    tallies = Tallies()
    found: list[Submission] = []
    for typed, given in orders.items():
        power = position.map.names.power(typed)
        if not isinstance(given, _COUNTABLE):
            given = list(islice(given, ORDERS.most + 1))  # an iterator may never end
        ORDERS.check(len(found) + len(given))
        sets = read_order_sets(power, given)
        ORDERS.check(len(found) + sum(len(one.orders) for one in sets.sets))
        if not given:
            continue
        if len(sets.sets) == 1:
            found += read_unclear(position, power, sets.sets[0].orders, settings, tallies)
        else:
            found += _read_sets(position, power, sets, settings, tallies)
    return found


def _read_sets(
    position: Position, power: str, sets: OrderSets, settings: Settings, tallies: Tallies
) -> list[Submission]:
    """4.D.1, 4.D.2: the orders of several sets; orders that do not count are refused."""
    read = [read_unclear(position, power, one.orders, settings, tallies) for one in sets.sets]
    first = first_that_counts(sets, read, position, settings)
    refusal = _REPLACED if sets.dated else _NOT_DATED
    return [
        one._replace(
            batch=at - first if sets.dated else 0,
            refusal=refusal if at < first else one.refusal,
        )
        for at, orders in enumerate(read)
        for one in orders
    ]
