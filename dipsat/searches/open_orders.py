"""The subject of a question about open orders: the position, the given orders, the open ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from dipsat.base import counted, titled
from dipsat.board import Map, province_of
from dipsat.equations import build_phase
from dipsat.errors import QuestionError, UnknownNameError, nearest_names
from dipsat.game import (
    NO_ORDER,
    PhaseKind,
    Position,
    PowerOrders,
    RulingStatus,
    judge_orders,
    read_submissions,
)
from dipsat.orders import Convoy, DeclaredOrder, Hold, Move, Order, SupportHold, SupportMove, Unit
from dipsat.rules import Profile, check_features, open_kinds
from dipsat.searches.encoding import (
    Choices,
    OpenOrders,
    ProfileReadings,
    candidates,
    key_of,
    order_of_power,
    refuse_effect,
    refuse_limits,
)
from dipsat.solving import AUTO, INTERRUPTED, Budget, Progress, System, budget_of


@dataclass
class Watch:
    """The budget of a search, its progress report, the number of order sets adjudicated, its
    subject and current task, and the orders that may turn out to be the answer."""

    progress: Progress = lambda _: None
    budget: Budget = field(default_factory=budget_of)
    adjudicated: int = field(default=0, init=False)
    about: str = field(default="", init=False)
    doing: str = field(default="", init=False)
    candidate: Mapping[str, Order] | None = field(default=None, init=False)

    def tell(self, what: str, left: str = "") -> None:
        """Report the current attempt, and what is `left` to try after it."""
        self.doing = what
        about = f"{self.about}: " if self.about else ""
        sets = "order set" if self.adjudicated == 1 else "order sets"
        done = f"{self.adjudicated:,} {sets} adjudicated, none is an answer"
        self.progress(f"{about}trying {what}; {done}" + (f"; then {left}" if left else ""))

    def ended(self, by: BaseException) -> str:
        """The reason why a search ended, with what it was doing."""
        interrupted = isinstance(by, KeyboardInterrupt)
        reason = INTERRUPTED if interrupted else str(by)
        if self.candidate is not None:
            return f"{reason}; no answer to these orders was found so far"
        if not self.doing:
            return reason
        return f"{reason} {'while trying' if interrupted else 'for'} {self.doing}"


# --- the subject ----------------------------------------------------------------------------------

_LARGE = 10**12  # order sets, of which only the power of ten is shown
ALL = "all"
"""Stands for every unit and every order of a power."""


@dataclass(frozen=True)
class SearchProblem:
    """A position whose open units may be given any order. The others have the orders in `fixed`
    (for each profile, by location), or hold. `besides` has the orders of powers, by key, that may
    be given or not; those that are certainly given are in `fixed`. `opened` has the locations of
    the open units and the keys of `besides`."""

    position: Position
    profiles: tuple[Profile, ...]
    fixed: Mapping[Profile, Mapping[str, Order]]
    opened: frozenset[str]
    besides: Mapping[str, DeclaredOrder] = field(default_factory=dict)
    watch: Watch = field(default_factory=Watch)
    solver: str = AUTO
    _known: dict[Profile, System] = field(default_factory=dict, repr=False, compare=False)

    @property
    def open_units(self) -> tuple[Unit, ...]:
        """The units that may be given any order."""
        return tuple(unit for unit in self.position.units if unit.location in self.opened)

    def idle(self, power: str | None = None) -> Mapping[str, Order]:
        """A hold for each open unit, by location, and `NO_ORDER` for each open order of a power, by
        key; if `power` is given, only for that power."""
        units = (unit for unit in self.open_units if power in (None, unit.power))
        besides = (k for k, order in self.besides.items() if power in (None, order.unit.power))
        return {u.location: Hold(u.name) for u in units} | dict.fromkeys(besides, NO_ORDER)

    @property
    def given(self) -> Mapping[str, Order]:
        """The orders of the units with orders, by location, as the first profile reads them."""
        return self.fixed[self.profiles[0]]

    @cached_property
    def readings(self) -> ProfileReadings:
        """How each profile reads orders."""
        fixed = {
            profile: {at: order for at, order in orders.items() if at not in self.opened}
            for profile, orders in self.fixed.items()
        }
        return ProfileReadings(self.position, fixed)

    @cached_property
    def choices(self) -> Choices:
        """The orders that each unit may be given. For an open unit, every order that is legal under
        some profile; for any other, its order or a hold. For powers, the orders that they give;
        those in `besides` are open."""
        legal: dict[str, dict[Order, None]] = {}
        for profile in self.profiles:
            listed = candidates(profile, self.position.with_words(profile.words))
            for location, orders in listed.of_units.items():
                legal.setdefault(location, {}).update(dict.fromkeys(orders))
        found: dict[str, tuple[Order, ...]] = {}
        for unit in self.position.units:
            stated = (self.given.get(unit.location, Hold(unit.name)),)
            is_open = unit.location in self.opened
            found[unit.location] = tuple(legal[unit.location]) if is_open else stated
        listed_powers = {*found, *self.besides}
        found |= {key: (order,) for key, order in self.given.items() if key not in listed_powers}
        return found | {key: (NO_ORDER, order) for key, order in self.besides.items()}

    def _size(self) -> str:
        """The numbers of open units and of order sets."""
        units, sets = len(self.open_units), prod(map(len, self.choices.values()))
        shown = f"{sets:,}" if sets < _LARGE else f"about 10^{len(str(sets)) - 1}"
        return f"{counted(units, 'open unit')}, {shown} order sets"

    def board(self, choices: Choices | None = None) -> OpenOrders:
        """All choices, or those given, as clauses."""
        self.watch.about = self._size()
        self.watch.tell("all possible orders")
        chosen, known = (self.choices, self._known) if choices is None else (choices, None)
        return OpenOrders(self.readings, chosen, self.solver, self.watch.budget, known)


def ask_about(
    position: Position,
    profiles: Iterable[Profile],
    orders: Mapping[str, PowerOrders],
    opened: str | Iterable[str] | None,
    watch: Watch,
    solver: str = AUTO,
) -> SearchProblem:
    """The subject of a question, checked.

    `orders` are as for `adjudicate`. `opened` names the units whose orders are open, each in any
    notation, or powers with all their units, or is `all`; entries for these in `orders` do not
    count. With None, every unit without an order is open. The orders of powers are open for each
    power with an open unit, except given orders; for a power named in `opened`, those too.

    Raises `QuestionError` for a phase other than a movement phase, if no unit is open, for an open
    unit that is not there, and for rules that need something open orders cannot express; and what
    `adjudicate` raises for the orders.
    """
    profiles = tuple(profiles)
    if position.phase.kind is not PhaseKind.MOVEMENT:
        raise QuestionError(
            f"{position.phase} is not a movement phase; only in movement phases can orders be open"
        )
    for profile in profiles:
        check_features(profile, position.map)
        refuse_limits(profile, position)
    first = profiles[0]
    for profile in profiles:
        _refuse_other_words(first, profile)
    position = position.with_words(first.words)
    fixed = {profile: _ordered(position, orders, profile) for profile in profiles}
    neutrals = position.map.neutrals
    free = {unit.location for unit in position.units if unit.power not in neutrals}
    free -= fixed[first].keys()
    named, powers = (free, set[str]()) if opened is None else named_units(position, opened)
    if not named:
        why = "all have orders" if opened is None else "none is named"
        why = why if position.units else "there is none on the board"
        problem = f"no unit is open: {why}; name the units whose orders are open"
        raise QuestionError(problem).with_remedy("open")
    fixed = {
        profile: {key: one for key, one in given.items() if not _is_told_by(powers, one)}
        for profile, given in fixed.items()
    }
    besides = _besides(position, profiles, fixed[first].keys(), named)
    return SearchProblem(
        position, profiles, fixed, frozenset(named | besides.keys()), besides, watch, solver
    )


def _refuse_other_words(first: Profile, profile: Profile) -> None:
    """Raise `QuestionError` if one of the profiles cannot read all open orders."""
    problem = ""
    own, others = profile.words, first.words
    if (own.attributes, own.units) != (others.attributes, others.units):
        problem = "their units or attributes differ"
    for one, other in ((first, profile), (profile, first)):
        for kind in open_kinds(one):
            if kind not in other.words.kinds:
                problem = f"{other.name} does not know the orders that {one.name} calls {kind.name}"
    if problem:
        raise QuestionError(f"{first.name} and {profile.name} cannot be compared: {problem}")


def _is_told_by(powers: Collection[str], order: Order) -> bool:
    """Whether an order belongs to one of these powers, not to a unit."""
    return isinstance(order, DeclaredOrder) and order.unit.power in powers


def _besides(
    position: Position, profiles: Iterable[Profile], given: Collection[str], named: Collection[str]
) -> Mapping[str, DeclaredOrder]:
    """The orders of powers with open units that are not for a unit, by key."""
    powers = {unit.power for unit in position.units if unit.location in named}
    return {
        key: order
        for profile in profiles
        for key, order in candidates(profile, position.with_words(profile.words)).of_powers.items()
        if order.unit.power in powers and key not in given
    }


def _ordered(
    position: Position, orders: Mapping[str, PowerOrders], profile: Profile
) -> Mapping[str, Order]:
    """The order of each unit that has one under a profile, by location, with a hold for an illegal
    one; and the orders of powers, by key."""
    settings, position = profile.settings, position.with_words(profile.words)
    rulings = judge_orders(position, read_submissions(position, orders, settings), settings)
    facts = {unit.unit.location: unit for unit in build_phase(position, rulings, settings).units}
    given: dict[str, Order] = {}
    for ruling in rulings:
        refuse_effect(ruling.counts, ruling.submission.text)
        if ruling.unit is not None:
            order, unit = facts[ruling.unit.location].order, ruling.unit
            given[unit.location] = Hold(unit.name) if isinstance(order, Hold) else order
        elif isinstance(ruling.order, DeclaredOrder) and ruling.status is not RulingStatus.ILLEGAL:
            besides = order_of_power(position, ruling.submission.power, ruling.order)
            if key_of(besides) in given:
                raise QuestionError(f"{key_of(besides)!r} is given twice; leave one out")
            given[key_of(besides)] = besides
    return given


def named_units(position: Position, opened: str | Iterable[str]) -> tuple[set[str], set[str]]:
    """The locations of the named units, and the powers named with all their orders. Raises
    `QuestionError` for units of a neutral power."""
    board, found, powers = position.map, set[str](), set[str]()
    for text in (opened,) if isinstance(opened, str) else opened:
        if text.strip().lower() == ALL:
            played = [unit for unit in position.units if unit.power not in board.neutrals]
            found |= {unit.location for unit in played}
            powers |= {unit.power for unit in played}
            continue
        try:
            power = board.names.power(text)
        except UnknownNameError:
            unit = _unit(position, text)
            refuse_neutral(board, unit.power)
            found.add(unit.location)
        else:
            refuse_neutral(board, power)
            own = {unit.location for unit in position.units if unit.power == power}
            if not own:
                raise QuestionError(f"{power} has no unit whose orders could be open")
            found |= own
            powers.add(power)
    return found, powers


def refuse_neutral(board: Map, power: str) -> None:
    """Raise `QuestionError` for a neutral power, whose units only hold."""
    if power in board.neutrals:
        raise QuestionError(f"nobody plays {titled(power)}: its units hold, and none can be open")


def _unit(position: Position, text: str) -> Unit:
    try:
        named = position.reader.read_unit(text)
    except UnknownNameError:
        if " " in text or not nearest_names(text.upper(), position.map.powers, 1):
            raise
        raise UnknownNameError("power", text, position.map.powers) from None
    for unit in position.units:
        same_place = unit.province == province_of(named.location)
        if same_place and named.kind in (None, unit.kind) and named.power in (None, unit.power):
            return unit
    raise QuestionError(f"{text!r} is neither a power nor a unit on the board")


# --- regions --------------------------------------------------------------------------------------

# Parts of a large board, where a search looks first: most things that can happen on a board can
# happen among a few neighbouring units while all others hold.


FEW = 12
"""Order sets tried in a region before the search goes on: finding nothing there proves nothing."""
_UNITS = 10  # open in a region; a paradox of the handbooks has four to eight
_WORTHWHILE = 2  # times as many units must be open
_SHARE = 2, 3
"""The share of the open units that all regions together may have, if there are several. Searching
more of them takes longer on average than searching the whole board."""


def regions(asked: SearchProblem) -> Iterator[Choices]:
    """The choices of a question in which only the units of a region are open; none for a question
    about few units. Each surrounds the unit with the most convoys, then the most orders."""
    open_units = {unit.location for unit in asked.open_units}
    if len(open_units) < _WORTHWHILE * _UNITS:
        return
    choices, idle = asked.choices, asked.idle()
    near = _neighbours(asked, open_units)
    left = sorted(near, key=lambda at: _weight(choices[at]), reverse=True)
    part, whole = _SHARE
    for _ in range(max(1, part * len(open_units) // (whole * _UNITS))):
        if not left:
            return
        region = _around(left[0], near)
        left = [at for at in left if at not in region]
        yield {
            at: orders if at in region or at not in idle else (idle[at],)
            for at, orders in choices.items()
        }


def _weight(orders: tuple[Order, ...]) -> tuple[int, int]:
    return sum(isinstance(order, Convoy) for order in orders), len(orders)


def _around(center: str, near: Mapping[str, dict[str, None]]) -> set[str]:
    """The units that are nearest to a unit."""
    found = [center]
    for at in found:
        found += [other for other in near[at] if other not in found]
        if len(found) >= _UNITS:
            break
    return set(found[:_UNITS])


def _neighbours(asked: SearchProblem, open_units: set[str]) -> Mapping[str, dict[str, None]]:
    """Location -> the open units that an order there concerns, or whose orders concern it."""
    standing = {province_of(at): at for at in open_units}
    near: dict[str, dict[str, None]] = {unit.location: {} for unit in asked.open_units}
    for at in near:
        for order in asked.choices[at]:
            for place in _named(order):
                other = standing.get(province_of(place))
                if other is not None and other != at:
                    near[at][other] = near[other][at] = None
    return near


def _named(order: Order) -> tuple[str, ...]:
    match order:
        case Move(target=target):
            return (target,)
        case SupportHold(supported=other) | SupportMove(supported=other) | Convoy(army=other):
            return (other.location,)
    return ()
