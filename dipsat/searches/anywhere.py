"""The subject of a question about units whose places are open, and how answers are found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dipsat.board.map import Map
from dipsat.game.open_position import ANY, OpenPosition, number_of, standings
from dipsat.game.position import Position, Unit
from dipsat.game.submissions import PowerOrders
from dipsat.openunits.board import OpenUnits, Placement, UnitRules
from dipsat.openunits.expressible import refuse_rules
from dipsat.openunits.given import Given
from dipsat.openunits.slots import Slot
from dipsat.orders.order import Hold
from dipsat.pages import counted, titled
from dipsat.profiles.demands import check_features
from dipsat.profiles.profile import Profile
from dipsat.searches.cast import Part, cast, numbers_of_parts
from dipsat.searches.cegar import Accept, Facts, Judged, find_accepted, judge_read
from dipsat.searches.given_orders import given_orders
from dipsat.searches.watch import Watch
from dipsat.solving.sat import AUTO

QUIET, CYCLIC = "orders without a decision cycle", "orders with a decision cycle"


@dataclass(frozen=True)
class UnitsAnywhere:
    """An open position, the profiles that the question is about, and how to answer it."""

    position: OpenPosition
    profiles: tuple[Profile, ...]
    watch: Watch = field(default_factory=Watch)
    solver: str = AUTO
    given: Mapping[str, Given] = field(default_factory=dict)
    """Location of a known unit -> its order, for those with one."""

    @property
    def map(self) -> Map:
        """The map."""
        return self.position.map

    def board(self, powers: Iterable[str] = ()) -> OpenUnits:
        """The units as clauses. The question names these `powers`; of the others, those that no
        unit must have are exchangeable."""
        slots = list(_slots(self.position, self.given))
        named = dict.fromkeys((*(slot.power for slot in slots if slot.power), *powers))
        free = [power for power in self.map.players if power not in named]
        all_powers = [*named, *free[: sum(not slot.power for slot in slots)]]
        owners = {slot.power for slot in slots}
        whose = f" of {titled(*owners)}" if len(owners) == 1 and "" not in owners else ""
        self.watch.about = f"{counted(len(slots), 'unit')}{whose}"
        self.watch.tell("all positions")
        return OpenUnits(
            self.map, self.profiles[0], slots, all_powers, self.solver, self.watch.budget,
            named.keys(),
        )  # fmt: skip


def ask_anywhere(
    position: OpenPosition,
    profiles: Sequence[Profile],
    watch: Watch,
    solver: str = AUTO,
    orders: Mapping[str, PowerOrders] | None = None,
    opened: str | Iterable[str] | None = None,
) -> UnitsAnywhere:
    """The subject of a question, checked. `orders` and `opened` are as for `search`, about the
    units whose places are known. Raises `QuestionError` for rules that need something that open
    places cannot express and if nothing is open, and `OrderFaultError` for orders that cannot be
    given beside them."""
    known = position.known
    for profile in profiles:
        check_features(profile, position.map)
    refuse_rules(profiles, Position.from_units({}, position.map))
    given = given_orders(known, orders or {}, profiles, _of_known(position, known, opened))
    return UnitsAnywhere(position, tuple(profiles), watch, solver, given)


def _of_known(
    position: OpenPosition, known: Position, opened: str | Iterable[str] | None
) -> Sequence[str] | None:
    """What `opened` names, without the powers whose units may all stand anywhere."""
    if opened is None:
        return None
    placed = {unit.power for unit in known.units}
    anywhere = {power.lower() for power in position.units if power not in placed}
    listed = (opened,) if isinstance(opened, str) else tuple(opened)
    return [one for one in listed if one.strip().lower() not in anywhere]


def _slots(position: OpenPosition, given: Mapping[str, Given]) -> Iterator[Slot]:
    for power, units in position.units.items():
        for one in units:
            order = given.get(one.location) if isinstance(one, Unit) else None
            standing = tuple(standings(one, position.map))
            slot = Slot(standing, "" if power == ANY else power, order)
            yield from (slot,) * number_of(one)


def judge_placement(answer: Placement, profile: Profile) -> Judged:
    """Adjudicate the orders of an answer."""
    return judge_read(answer.position, answer.orders, profile)


@dataclass(frozen=True)
class Wanted:
    """What the solver is asked about some units: the equations, what must hold, and the parts of
    which an answer has one; `what` has the attempt and what follows it."""

    systems: Sequence[UnitRules]
    claims: Sequence[int]
    parts: Sequence[Part]
    what: tuple[str, str]


def answered(
    asked: UnitsAnywhere, ask: Callable[[OpenUnits], Wanted], accept: Accept[Facts]
) -> tuple[Placement, Facts] | None:
    """Units and orders that meet what is asked of a board and that `accept` confirms. Parts about
    more or fewer units are asked about one after the other, each time of a new board."""
    board = asked.board()
    question = ask(board)
    numbers = numbers_of_parts(question.parts)
    for at, number in enumerate(numbers):
        if at:
            board = asked.board()
            question = ask(board)
        claims = [*question.claims, cast(board, question.parts, number)]
        found = find_accepted(
            board, question.systems, judge_placement, claims, accept, asked.watch, question.what
        )
        if found is not None:
            return simplest_placement(asked, *found, accept)
    return None


def simplest_placement(
    asked: UnitsAnywhere, answer: Placement, wanted: Facts, accept: Accept[Facts]
) -> tuple[Placement, Facts]:
    """The same answer with as many units that hold as possible, tried one by one."""
    for unit in answer.position.units:
        if unit.location in asked.given:
            continue
        orders = {**answer.orders, unit.location: Hold(unit.name)}
        tried = replace(answer, orders=orders)
        accepted = accept([judge_placement(tried, profile) for profile in asked.profiles])
        if accepted is not None:
            answer, wanted = tried, accepted
    return answer, wanted
