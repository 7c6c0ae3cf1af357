"""Questions about units whose places are open: a paradox or a difference with so many units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from dipsat.board.map import Map
from dipsat.errors import UnresolvedError
from dipsat.game.facts import ProvinceFacts
from dipsat.game.open_position import ANY, OpenPosition, standings
from dipsat.game.position import Position, Unit
from dipsat.openunits.board import OpenUnits, Placement, UnitRules
from dipsat.openunits.expressible import refuse_rules
from dipsat.openunits.facts import rest_of_map
from dipsat.openunits.slots import Slot
from dipsat.orders.order import Hold, Order
from dipsat.profiles.features import check_features
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.movement import MovementOutcome
from dipsat.searches.alike import breaks, judge_alike
from dipsat.searches.cegar import Accept, Judged, find_accepted
from dipsat.searches.differ import differences, may_differ, settled_by, suspects_among
from dipsat.searches.paradox import claims_of, cycles_in
from dipsat.searches.watch import Watch
from dipsat.solving.sat import AUTO
from dipsat.tables import counted
from dipsat.terms.term import Term, Unknown, all_of

Facts = tuple[str, ...]


@dataclass(frozen=True)
class UnitsAnywhere:
    """An open position, the profiles that the question is about, and how to answer it."""

    position: OpenPosition
    profiles: tuple[Profile, ...]
    watch: Watch = field(default_factory=Watch)
    solver: str = AUTO

    @property
    def map(self) -> Map:
        """The map."""
        return self.position.map

    def board(self) -> OpenUnits:
        """The units as clauses."""
        slots = list(_slots(self.position))
        named = {slot.power: None for slot in slots if slot.power}
        free = [power for power in self.map.players if power not in named]
        powers = [*named, *free[: sum(not slot.power for slot in slots)]]
        self.watch.about = counted(len(slots), "unit")
        self.watch.tell("all positions")
        spend = self.watch.budget.spend
        return OpenUnits(self.map, self.profiles[0], slots, powers, self.solver, spend)


def ask_anywhere(
    position: OpenPosition, profiles: Sequence[Profile], watch: Watch, solver: str = AUTO
) -> UnitsAnywhere:
    """The subject of a question, checked. Raises `QuestionError` for rules that need something that
    open places cannot express."""
    empty = Position.from_units({}, position.map)
    for profile in profiles:
        check_features(profile, position.map)
    refuse_rules(profiles, empty)
    return UnitsAnywhere(position, tuple(profiles), watch, solver)


def _slots(position: OpenPosition) -> Iterator[Slot]:
    for power, units in position.units.items():
        for one in units:
            slot = Slot(tuple(standings(one, position.map)), "" if power == ANY else power)
            yield from (slot,) * (1 if isinstance(one, Unit) else one.number)


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


def difference_anywhere(asked: UnitsAnywhere) -> tuple[Placement, Facts] | None:
    """Units and orders after which the board differs under two profiles; None if it is proven that
    there are none."""
    board, (first, second) = asked.board(), asked.profiles

    def accept(judged: Sequence[Judged]) -> Facts | None:
        return differences(*judged)

    one = board.under(first)
    before = board.under(first)  # gets no lemmas
    other = board.under(second)
    if judge_alike(one.system, other.system):
        other = board.under(second, one.rails)
    mine, theirs = _results(one), _results(other)
    same_results = mine == theirs
    if same_results and one.rails is other.rails:
        return None
    claims = [may_differ(one, mine, other, theirs)]
    suspects = suspects_among(first, second)
    if suspects is not None:
        claims += [*before.rails.assumptions, settled_by(before, suspects)]
    broken = [breaks(one, other), breaks(other, one)]
    if same_results and None not in broken:
        claims.append(board.gates.any_of(literal for literal in broken if literal is not None))
    found = find_accepted(
        board, [one, other], judge_placement, claims, accept, asked.watch, ("differences", "")
    )
    return found and _simplest(asked, *found, accept)


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
        orders = {**answer.orders, unit.location: Hold(unit.name)}
        tried = replace(answer, orders=orders)
        accepted = accept([judge_placement(tried, profile) for profile in asked.profiles])
        if accepted is not None:
            answer, wanted = tried, accepted
    return answer, wanted
