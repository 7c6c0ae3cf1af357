"""Questions about units whose places are open: a paradox, a difference, a goal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dipsat.board.map import Map
from dipsat.errors import UnresolvedError
from dipsat.game.facts import ProvinceFacts
from dipsat.game.open_position import ANY, OpenPosition, number_of, standings
from dipsat.game.order_sets import PowerOrders
from dipsat.game.position import Position, Unit
from dipsat.limits import unlimited
from dipsat.openunits.board import OpenUnits, Placement, UnitRules
from dipsat.openunits.expressible import decide_alike_in_full, refuse_goal, refuse_rules
from dipsat.openunits.facts import rest_of_map
from dipsat.openunits.given import Given
from dipsat.openunits.places import named_provinces
from dipsat.openunits.slots import Slot
from dipsat.orders.order import Hold, Order
from dipsat.profiles.features import check_features
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.movement import MovementOutcome
from dipsat.searches.alike import broken_equations, judge_alike
from dipsat.searches.cast import Part, cast, numbers_of_parts, parts_in, parts_of_units
from dipsat.searches.cegar import Accept, Judged, find_accepted
from dipsat.searches.differ import (
    cycle_suspects,
    differences,
    each_may_differ,
    each_settled_by,
    may_differ,
)
from dipsat.searches.given_orders import given_orders
from dipsat.searches.goal import Goal
from dipsat.searches.paradox import Claim, claims_of, cycles_in
from dipsat.searches.watch import Watch
from dipsat.solving.sat import AUTO
from dipsat.tables import counted
from dipsat.terms.cnf import TRUE
from dipsat.terms.term import Term, Unknown, all_of
from dipsat.titles import titled

Facts = tuple[str, ...]
_QUIET, _CYCLIC = "orders without a decision cycle", "orders with a decision cycle"


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
    given: dict[str, list[Order]] = {}
    for unit in answer.position.units:
        given.setdefault(unit.power, []).append(answer.orders[unit.location])
    try:
        with unlimited():
            outcome = adjudicate(answer.position, given, profile)
    except UnresolvedError as error:
        return error
    assert isinstance(outcome, MovementOutcome)
    return outcome


@dataclass(frozen=True)
class _Asked:
    """What the solver is asked about some units: the equations, what must hold, and the parts of
    which an answer has one; `what` has the attempt and what follows it."""

    systems: Sequence[UnitRules]
    claims: Sequence[int]
    parts: Sequence[Part]
    what: tuple[str, str]


def paradox_anywhere(asked: UnitsAnywhere, kind: str | None) -> tuple[Placement, Facts] | None:
    """Units and orders with a decision cycle (of this kind); None if it is proven that there are
    none."""
    (profile,) = asked.profiles

    def accept(judged: Sequence[Judged]) -> Facts | None:
        kinds = cycles_in(judged[0])
        return kinds if kinds and kind in (None, *kinds) else None

    for claim in claims_of(profile, kind, False):

        def with_cycle(board: OpenUnits, claim: Claim = claim) -> _Asked:
            rules = board.under(profile)
            parts = tuple(parts_in(rules, claim.decisions(rules)))
            return _Asked([rules], (), parts, (f"cycles of {claim.what}", ""))

        found = _answered(asked, with_cycle, accept)
        if found is not None:
            return found
    return None


def achievement_anywhere(asked: UnitsAnywhere, goal: Goal) -> tuple[Placement, Facts] | None:
    """Units and orders that reach a goal; None if it is proven that there are none."""
    (profile,) = asked.profiles
    refuse_goal(goal.text, goal.expression, profile)
    board = asked.board(goal.powers)
    board.put_in_order()
    rules = board.under(profile)
    places = named_provinces(rules.system.phase, board.slots, board.guards)
    reached = rules.rails.possibly(goal.term(rules.system.phase, places))

    def accept(judged: Sequence[Judged]) -> Facts | None:
        (outcome,) = judged
        return () if goal.holds(outcome) else None

    # Cycles that a lemma settles are not open, so the second question is about all orders.
    for also, what in (((-rules.any_open,), (_QUIET, _CYCLIC)), ((), (_CYCLIC, ""))):
        wanted = [reached, *also]
        found = find_accepted(board, [rules], judge_placement, wanted, accept, asked.watch, what)
        if found is not None:
            return _simplest(asked, *found, accept)
    return None


def difference_anywhere(asked: UnitsAnywhere) -> tuple[Placement, Facts] | None:
    """Units and orders after which the board differs under two profiles; None if it is proven that
    there are none."""
    if decide_alike_in_full(*asked.profiles):
        return None

    def accept(judged: Sequence[Judged]) -> Facts | None:
        return differences(*judged)

    def quiet(board: OpenUnits) -> _Asked:
        return _quiet_difference(asked, board)

    def cyclic(board: OpenUnits) -> _Asked:
        return _cyclic_difference(asked, board)

    # Without a decision cycle if possible, since a proof about cycles takes longer.
    return _answered(asked, quiet, accept) or _answered(asked, cyclic, accept)


def _answered(
    asked: UnitsAnywhere, ask: Callable[[OpenUnits], _Asked], accept: Accept[Facts]
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
            return _simplest(asked, *found, accept)
    return None


class _Compared:
    """The equations of both profiles about the same units, and the results that may differ."""

    def __init__(self, asked: UnitsAnywhere, board: OpenUnits) -> None:
        self.board = board
        first, second = asked.profiles
        one, other = board.under(first), board.under(second)
        if judge_alike(one.system, other.system):
            other = board.under(second, one.rails)
        self.systems = one, other
        self.results = _results(one), _results(other)

    @property
    def may_differ(self) -> int:
        """The literal that says that some result may differ."""
        (one, other), (mine, theirs) = self.systems, self.results
        return may_differ(one, mine, other, theirs)

    def broken(self, one: UnitRules, other: UnitRules) -> Iterator[Part]:
        """A part for each equation that is not the same, with the literal that says that what
        propagation decides under one profile may not keep it."""
        yield from parts_in(other, broken_equations(one, other))
        yield from parts_in(one, broken_equations(other, one))

    @property
    def changed(self) -> Iterator[Part]:
        """A part for each result that is not the same term."""
        (one, other), (mine, theirs) = self.systems, self.results
        keys = [key for key in mine if mine[key] != theirs[key]]
        before, after = {key: mine[key] for key in keys}, {key: theirs[key] for key in keys}
        yield from parts_of_units(self.board, each_may_differ(one, before, other, after))

    @property
    def has_same_decisions(self) -> bool:
        """Whether both profiles are about the same decisions."""
        one, other = self.systems
        return one.system.equations.keys() == other.system.equations.keys()


def _quiet_difference(asked: UnitsAnywhere, board: OpenUnits) -> _Asked:
    """A difference without decision cycles. If what propagation decides under each profile keeps
    the equations of the other, it decides the same. So the parts are the equations that one of them
    breaks, and the results that are other terms."""
    compared = _Compared(asked, board)
    parts: list[Part] = [((), TRUE)]
    if compared.has_same_decisions:
        parts = [*compared.broken(*compared.systems), *compared.changed]
    quiet = [-rules.any_open for rules in compared.systems]
    return _Asked(compared.systems, [compared.may_differ, *quiet], parts, (_QUIET, _CYCLIC))


def _cyclic_difference(asked: UnitsAnywhere, board: OpenUnits) -> _Asked:
    """Any difference; those without decision cycles have been looked for.

    Suppose that what propagation decides under each profile keeps the equations of the other. Then
    it decides the same, and what it leaves open has the same equations. If no cycle rule can settle
    them differently and the results are the same terms, the boards are the same. So a part is that
    one of these fails. What propagation decides and what cycle rules settle is looked for before
    any lemma, since a settled cycle has no open decisions.
    """
    compared = _Compared(asked, board)
    claims, parts = [compared.may_differ], list[Part]([((), TRUE)])
    if compared.has_same_decisions:
        parts = list(compared.changed)
        one, other = compared.systems
        suspects = cycle_suspects(one.profile, other.profile)
        are_equal = one.system.equations == other.system.equations
        if suspects or not are_equal:
            before = board.under(one.profile)  # gets no lemmas
            claims += before.rails.assumptions
            for way in each_settled_by(before, suspects):
                parts += parts_in(before, way)
        if not are_equal:
            after = board.under(other.profile)  # nor does this
            claims += after.rails.assumptions
            parts += compared.broken(before, after)
    return _Asked(compared.systems, claims, parts, (_CYCLIC, ""))


def _results(rules: UnitRules) -> dict[tuple[int, str, str], Term]:
    """Everything that determines the board after the phase: whether a unit is dislodged, goes to a
    province, or may retreat to one."""
    board, phase, grounder = rules.board, rules.system.phase, rules.system.grounder
    slots, term = board.slots, board.guards.term
    rest = rest_of_map(slots, board.guards)
    found: dict[tuple[int, str, str], Term] = {}
    count = len(phase.units)
    for unit in phase.units:
        at = unit.index
        lost = Unknown(("dislodge", at), True)
        found[at, "is dislodged", ""] = lost
        for move in unit.moves:
            goes = all_of([move.issued, Unknown(("move", move.index), True)])
            found[at, "goes to", move.target.code] = goes
        reached: dict[ProvinceFacts, int] = {rest: slots.reaches_rest(at)}
        for one in slots.numbers:
            if one != at:
                reached[phase.provinces[one]] = slots.reaches_place(at, one)
            first = slots.goes_to_empty(one, one)
            there = slots.gates.both(first, slots.reaches_target(at, one))
            reached[phase.provinces[count + one]] = there
        for place, literal in reached.items():
            retreat = grounder.result("retreat", unit, place)
            found[at, "may retreat to", place.code] = all_of([term(literal), lost, retreat])
    return found


def _simplest(
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
