"""Questions about units whose places are open: a paradox, a difference, a goal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dipsat.board.map import Map
from dipsat.errors import UnresolvedError
from dipsat.game.facts import ProvinceFacts
from dipsat.game.open_position import ANY, OpenPosition, number_of, standings
from dipsat.game.order_sets import PowerOrders
from dipsat.game.position import Position, Unit
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
from dipsat.searches.alike import breaks_equations, judge_alike
from dipsat.searches.cegar import Accept, Judged, find_accepted
from dipsat.searches.differ import cycle_suspects, differences, may_differ, settled_by
from dipsat.searches.given_orders import given_orders
from dipsat.searches.goal import Goal
from dipsat.searches.paradox import claims_of, cycles_in
from dipsat.searches.watch import Watch
from dipsat.solving.sat import AUTO
from dipsat.tables import counted
from dipsat.terms.term import Term, Unknown, all_of

Facts = tuple[str, ...]
_Key = tuple[int, str, str]
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
        self.watch.about = counted(len(slots), "unit")
        self.watch.tell("all positions")
        spend = self.watch.budget.spend
        return OpenUnits(
            self.map, self.profiles[0], slots, all_powers, self.solver, spend, named.keys()
        )


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
        outcome = adjudicate(answer.position, given, profile)
    except UnresolvedError as error:
        return error
    assert isinstance(outcome, MovementOutcome)
    return outcome


def paradox_anywhere(asked: UnitsAnywhere, kind: str | None) -> tuple[Placement, Facts] | None:
    """Units and orders with a decision cycle (of this kind); None if it is proven that there are
    none."""
    (profile,) = asked.profiles

    def accept(judged: Sequence[Judged]) -> Facts | None:
        kinds = cycles_in(judged[0])
        return kinds if kinds and kind in (None, *kinds) else None

    board = asked.board()
    rules = board.under(profile)
    for what, claim in claims_of(rules, kind, False):
        found = find_accepted(
            board, [rules], judge_placement, [claim], accept, asked.watch, (f"cycles of {what}", "")
        )
        if found is not None:
            return _simplest(asked, *found, accept)
    return None


def achievement_anywhere(asked: UnitsAnywhere, goal: Goal) -> tuple[Placement, Facts] | None:
    """Units and orders that reach a goal; None if it is proven that there are none."""
    (profile,) = asked.profiles
    refuse_goal(goal.text, goal.expression, profile)
    board = asked.board(goal.powers)
    rules = board.under(profile)
    places = named_provinces(rules.system.phase, board.slots, board.guards)
    reached = rules.rails.possibly(goal.term(rules.system.phase, places))

    def accept(judged: Sequence[Judged]) -> Facts | None:
        (outcome,) = judged
        return () if isinstance(outcome, MovementOutcome) and goal.holds(outcome) else None

    return _with_few_cycles(asked, board, [rules], [reached], accept)


def difference_anywhere(asked: UnitsAnywhere) -> tuple[Placement, Facts] | None:
    """Units and orders after which the board differs under two profiles; None if it is proven that
    there are none."""
    first, second = asked.profiles
    if decide_alike_in_full(first, second):
        return None
    board = asked.board()

    def accept(judged: Sequence[Judged]) -> Facts | None:
        return differences(*judged)

    one, other = board.under(first), board.under(second)
    if judge_alike(one.system, other.system):
        other = board.under(second, one.rails)
    mine, theirs = _results(one), _results(other)
    if mine == theirs and one.rails is other.rails:
        return None
    claims = [may_differ(one, mine, other, theirs), *_reasons(board, one, mine, other, theirs)]
    return _with_few_cycles(asked, board, [one, other], claims, accept)


def _with_few_cycles(
    asked: UnitsAnywhere,
    board: OpenUnits,
    systems: Sequence[UnitRules],
    claims: Sequence[int],
    accept: Accept[Facts],
) -> tuple[Placement, Facts] | None:
    """Units and orders that meet the claims and that `accept` confirms: without a decision cycle if
    possible, since a proof about cycles takes longer."""
    quiet = [-rules.any_open for rules in systems]
    cyclic = [board.gates.any_of(rules.any_open for rules in systems)]
    for also, what in ((quiet, (_QUIET, _CYCLIC)), (cyclic, (_CYCLIC, ""))):
        wanted = [*claims, *also]
        found = find_accepted(board, systems, judge_placement, wanted, accept, asked.watch, what)
        if found is not None:
            return _simplest(asked, *found, accept)
    return None


def _reasons(
    board: OpenUnits,
    one: UnitRules,
    mine: Mapping[_Key, Term],
    other: UnitRules,
    theirs: Mapping[_Key, Term],
) -> Iterator[int]:
    """Literals that hold where the board differs under two profiles.

    Suppose that what propagation decides under each keeps the equations of the other. Then it
    decides the same, and what it leaves open has the same equations. If no cycle rule can settle
    them differently and the results are the same terms, the boards are the same. So the literal is
    that one of these fails. What cycle rules settle is looked for before any lemma, since a
    settled cycle has no open decisions.
    """
    if one.system.equations.keys() != other.system.equations.keys():
        return
    found = [breaks_equations(one, other), breaks_equations(other, one)]
    suspects = cycle_suspects(one.profile, other.profile)
    before = board.under(one.profile)  # gets no lemmas
    if suspects:
        yield from before.rails.assumptions
        found.append(settled_by(before, suspects))
    changed = [key for key in mine if mine[key] != theirs[key]]
    if changed:
        found.append(
            may_differ(one, {k: mine[k] for k in changed}, other, {k: theirs[k] for k in changed})
        )
    yield board.gates.any_of(found)


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
