"""Whether any orders make the board differ under two profiles."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Generic

from dipsat.base import brief, check_time, checked_fields
from dipsat.board import province_of
from dipsat.equations import Key, Phase, Term, Unknown, all_of, any_of, unequal
from dipsat.errors import UnresolvedError
from dipsat.game import ProvinceFacts, UnitFacts, allowed_retreats
from dipsat.outcomes import MovementOutcome
from dipsat.rules import CycleRule, Profile, difference
from dipsat.searches.cegar import (
    CYCLIC,
    QUIET,
    Confirmed,
    Facts,
    Judged,
    find_by_chance,
    find_confirmed,
    find_quiet_first,
    simplest,
)
from dipsat.searches.checked_rules import settles_every_cycle
from dipsat.searches.encoding import Choices, OpenBoard, OpenRules, RulesOf
from dipsat.searches.open_board import OpenUnits, Placement, UnitRules
from dipsat.searches.open_orders import FEW, SearchProblem, regions
from dipsat.searches.open_places import Part, UnitsAnywhere, Wanted, answered, parts_in
from dipsat.searches.open_unit_facts import decide_alike_in_full, rest_of_map
from dipsat.searches.paradox_goal import needed_families
from dipsat.searches.question import Question, Rules
from dipsat.searches.ruled_system import RuledSystem
from dipsat.solving import TRUE, System

# --- positions that two profiles judge alike ------------------------------------------------------

# Whether two profiles judge one position alike for all orders, because their equations are the same
# there: an alliance without a power on the board changes nothing.


def breaks(one: RuledSystem[Any], other: RuledSystem[Any]) -> int | None:
    """The literal that holds if the values that propagation decides under `one` might break an
    equation that `other` has in its place; None if the profiles have different decisions.

    Suppose that neither profile breaks the other. Then each fixpoint of propagation is also a
    fixpoint of the other profile, so the least fixpoints are equal. Open decisions have the same
    equation under both, and the same cycle rules settle them. So the boards are the same. Without
    decision cycles each profile has one resolution, and either direction alone is enough.
    """
    mine, theirs = one.system.equations, other.system.equations
    if not (_ruled_alike(one.profile, other.profile) and theirs.keys() <= mine.keys()):
        return None
    return one.gates.any_of(broken_equations(one, other).values())


def broken_equations(one: RuledSystem[Any], other: RuledSystem[Any]) -> Mapping[Key, int]:
    """The same for each equation of `other` that `one` does not have."""
    mine, theirs = one.system.equations, other.system.equations
    found = {}
    for key, (term, is_truth) in theirs.items():
        if mine[key] != (term, is_truth):
            check_time()
            broken = one.rails.possibly(unequal(term, Unknown(key, is_truth)))
            found[key] = one.gates.all_of((broken, one.issued(key)))
    return found


def judge_alike(one: System, other: System) -> bool:
    """Whether two profiles, given by their systems for the same open orders, read the orders alike
    and have the same equations.

    False proves nothing. The caller has to compare whatever else decides the board (the results
    that `differ` looks at).
    """
    if not _ruled_alike(one.profile, other.profile):
        return False
    return one.equations == other.equations


def _ruled_alike(one: Profile, other: Profile) -> bool:
    """Whether orders mean the same under two profiles and the same rules settle their decision
    cycles."""
    changes = difference(one, other).changes
    return read_alike(one, other) and all(change.section != "cycles" for change in changes)


def read_alike(one: Profile, other: Profile) -> bool:
    """Whether orders mean the same under two profiles."""
    mine, theirs = one.declared, other.declared
    return (
        one.settings == other.settings
        and one.legal == other.legal
        and one.lawful == other.lawful
        and one.words == other.words
        and (mine.kinds, mine.units, mine.carriages)
        == (theirs.kinds, theirs.units, theirs.carriages)
    )


# --- the question ---------------------------------------------------------------------------------

_Key = tuple[int, str, str]
Results = Mapping[_Key, Term]
"""Whether a unit (by index) is dislodged, goes to a location, or may retreat to one."""
_FEW = 3  # order sets tried in a region if the question covers all that can differ
_FIRST = 40  # order sets tried before the question covers all that can differ
_CYCLES_ONLY = {"cycles", "reasons", "define"}
"""Sections in which profiles with the same equations may differ. The effect of a changed term is
listed under the sections that use it."""


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Differ(Question):
    """Whether the same orders can lead to different boards under two rule profiles."""

    _command = "differ"
    _in_short = "after which orders do other rules give another board?"
    _found = "Orders after which the board differs"
    _impossible = "after each of {sets} the board is the same under both"
    _impossible_anywhere = (
        "the board is the same under both for every position of {units} on this map, {ordered}"
    )

    other: Rules = field(metadata={"meaning": "the other rules.", "wanted": "the other rules"})
    """The second profile: a name, a path or a loaded profile."""

    @property
    def _other_rules(self) -> tuple[Rules, ...]:
        """The second profile."""
        return (self.other,)

    def _find(self, asked: SearchProblem) -> Confirmed[Facts] | None:
        """Find orders after which the board differs under two rule profiles.

        \b
        Examples:
          dipsat search differ board.yaml --rules datc --rules rulebooks/1982
          dipsat search differ --smallest --rules datc --rules 4.A.2-all-hold
        """
        suspects = suspects_among(*asked.profiles)
        found = _soon(asked, suspects) if suspects else None
        if suspects is None:
            nearby = (_ever(asked, None, choices) for choices in regions(asked))
            found = next((one for one in nearby if one is not None), None)
        found = found or _ever(asked, suspects)
        return found and simplest(asked, found, _accept)

    def _find_anywhere(self, asked: UnitsAnywhere) -> tuple[Placement, Facts] | None:
        """Units and orders after which the board differs."""
        if decide_alike_in_full(*asked.profiles):
            return None
        # Without a decision cycle if possible, since a proof about cycles takes longer.
        for attempt in (_quiet_difference, _cyclic_difference):
            found = answered(asked, partial(attempt, asked), _accept)
            if found is not None:
                return found
        return None


def _accept(judged: Sequence[Judged]) -> Facts | None:
    return differences(*judged)


def _soon(asked: SearchProblem, suspects: Sequence[CycleRule]) -> Confirmed[Facts] | None:
    """For profiles with the same equations. One of the first order sets with a cycle settled
    differently usually suffices, and finding it takes one copy of the equations, not three.
    """
    first, second = asked.profiles

    def search(choices: Choices | None, most: int) -> Confirmed[Facts] | None:
        board = asked.board(choices)
        rules = board.under(first)
        return find_confirmed(
            board, [rules], [settled_by(rules, suspects)], _accept, asked.watch,
            "cycles that are settled differently", also=[second], most=most,
        )  # fmt: skip

    nearby = (search(choices, FEW) for choices in regions(asked))
    return next((found for found in nearby if found is not None), None) or search(None, _FIRST)


def _ever(
    asked: SearchProblem, suspects: Sequence[CycleRule] | None, choices: Choices | None = None
) -> Confirmed[Facts] | None:
    """Look for any difference; if the equations are the same, only where a suspect could apply.
    With the `choices` of a region, only a few order sets are tried."""
    board = asked.board(choices)
    compared = _Compared(asked.profiles, board, _results)
    one, other = compared.systems
    same_results = compared.results[0] == compared.results[1]
    if same_results and one.rails is other.rails:
        return None
    claims = [compared.may_differ]
    if suspects is not None:
        before = board.under(asked.profiles[0])  # learns no lemmas
        claims += [*before.rails.assumptions, settled_by(before, suspects)]
    broken = [breaks(one, other), breaks(other, one)]
    if same_results and None not in broken:
        claims.append(board.gates.any_of(literal for literal in broken if literal is not None))
    by_chance = cache(partial(find_by_chance, asked, _accept))  # a second call would draw the same
    return find_quiet_first(
        board, compared.systems, claims, _accept, asked.watch,
        aside=by_chance, most=None if choices is None else _FEW,
        if_quiet=[literal for literal in broken if same_results and literal is not None],
    )  # fmt: skip


def suspects_among(one: Profile, other: Profile) -> list[CycleRule] | None:
    """The cycle rules that make a difference if the equations are the same; else None.

    Rules at the same place with the same condition apply to the same cycles, so they make no
    difference to the rules after them.
    """
    changes = difference(one, other).changes
    if any(change.section not in _CYCLES_ONLY for change in changes):
        return None
    return cycle_suspects(one, other)


def cycle_suspects(one: Profile, other: Profile) -> list[CycleRule]:
    """The cycle rules that settle cycles with the same equations differently, or might.

    Last rules that are the same are left out. If a cycle reaches them under only one profile, an
    earlier rule that is among these settles it under the other.
    """
    changes = difference(one, other).changes
    changed = {change.name for change in changes if change.section == "cycles"}
    mine, theirs = list(one.cycles), list(other.cycles)
    while mine and theirs and _is_same(mine[-1], theirs[-1], changed):
        del mine[-1], theirs[-1]
    found: list[CycleRule] = []
    for at, (own, their) in enumerate(zip(mine, theirs, strict=False)):
        if own.when != their.when:
            return [*found, *mine[at:], *theirs[at:]]
        if own.name != their.name or own.name in changed:
            found += [own, their]
    length = min(len(mine), len(theirs))
    return [*found, *mine[length:], *theirs[length:]]


def _is_same(one: CycleRule, other: CycleRule, changed: Collection[str]) -> bool:
    return one.name == other.name and one.when == other.when and one.name not in changed


def settled_by(rules: RuledSystem[Any], suspects: Sequence[CycleRule]) -> int:
    """The literal that holds if one of the suspects might settle a decision cycle."""
    ways = each_settled_by(rules, suspects)
    return rules.gates.any_of(literal for way in ways for literal in way.values())


def each_settled_by(
    rules: RuledSystem[Any], suspects: Sequence[CycleRule]
) -> list[Mapping[Key, int]]:
    """The same for each decision that may be on that cycle; each mapping has one that is."""
    families = [needed_families(rule) for rule in suspects]
    if not all(families):
        return [rules.each_open]
    return [rules.each_on_cycle_with(needed) for needed in families]


def each_may_differ(
    one: RuledSystem[Any], mine: Results, other: RuledSystem[Any], theirs: Results
) -> Mapping[_Key, int]:
    """For each result, the literal that holds if it is not known to be the same under both
    profiles."""
    found = {}
    for key in sorted(mine.keys() | theirs.keys()):
        first, second = (one, mine.get(key, False)), (other, theirs.get(key, False))
        ways = []
        for (rules, term), (others, same) in ((first, second), (second, first)):
            possibly, surely = rules.rails.possibly(term), others.rails.surely(same)
            ways.append(one.gates.all_of((possibly, -surely)))
        found[key] = one.gates.any_of(ways)
    return found


def _results(rules: OpenRules) -> dict[_Key, Term]:
    """Everything that determines the board after the phase: whether a unit (by index) is dislodged,
    goes to a location, or may retreat to one."""
    phase, grounder, position = rules.system.phase, rules.system.grounder, rules.board.position
    places: Mapping[str, Any] = {place.code: place for place in phase.provinces}
    found: dict[_Key, Term] = {}
    for unit in phase.units:
        lost = Unknown(("dislodge", unit.index), True)
        found[unit.index, "is dislodged", ""] = lost
        for move in unit.moves:
            key = unit.index, "goes to", move.target_location
            issued = all_of([move.issued, Unknown(("move", move.index), True)])
            found[key] = any_of([found.get(key, False), issued])
        for target, landing in _along_lines(rules.profile, phase, unit):
            key = unit.index, "goes to", target
            found[key] = any_of([found.get(key, False), landing])
        reached = sorted(phase.map.reach(unit.unit.kind, unit.unit.location))
        for location in allowed_retreats(position, unit.unit, reached, rules.profile.settings):
            retreat = grounder.result("retreat", unit, places[province_of(location)])
            found[unit.index, "may retreat to", location] = all_of([lost, retreat])
    return found


def _along_lines(profile: Profile, phase: Phase, unit: UnitFacts) -> Iterator[tuple[str, Term]]:
    """The provinces where a unit that goes along a line may end up, each with the condition."""
    for kind in profile.declared.kinds.values():
        for leg in phase.domain(kind.legs) if kind.lands else ():
            if leg.unit is unit:
                ends = Unknown((kind.lands, leg.index), True)
                yield leg.target.code, all_of([leg.issued, ends])


def differences(one: Judged, other: Judged) -> Facts | None:
    """The differences after the same orders, in sentences; None if there are none."""
    if isinstance(one, UnresolvedError) or isinstance(other, UnresolvedError):
        if isinstance(one, UnresolvedError) and isinstance(other, UnresolvedError):
            return None
        return ("only one of the profiles has a rule for the decision cycle",)
    first, second = _fates(one), _fates(other)
    return (
        tuple(
            f"{unit} {first[unit]} under {one.rules}, but {second[unit]} under {other.rules}"
            for unit in first
            if first[unit] != second[unit]
        )
        or None
    )


def _fates(outcome: MovementOutcome) -> Mapping[str, str]:
    """Unit -> its fate in words."""
    lost = {one.unit: one for one in outcome.dislodged}
    landed = outcome.resolved.landed
    found = {}
    for facts in outcome.facts.units:
        unit = str(facts.unit)
        moves = [m for m in facts.moves if outcome.solution.bounds.value(("move", m.index))]
        found[unit] = f"goes to {moves[0].target_location}" if moves else "stays"
        if facts.index in landed:
            found[unit] = f"goes to {landed[facts.index]}"
        if unit in lost:
            places = ", ".join(lost[unit].retreats) or "nowhere"
            found[unit] = f"is {lost[unit].cause} and may retreat to {places}"
    return found


class _Compared(Generic[RulesOf]):
    """The equations of both profiles about the same orders, and all results. They share rails if
    the profiles decide everything alike; then only the results can differ."""

    def __init__(
        self,
        profiles: Sequence[Profile],
        board: OpenBoard[RulesOf],
        results: Callable[[RulesOf], Results],
    ) -> None:
        first, second = profiles
        one = board.under(first)
        are_alike = judge_alike(one.system, board.grounded(second))
        other = board.under(second, rails=one.rails if are_alike else None)
        self.systems, self.results = (one, other), (results(one), results(other))

    @property
    def may_differ(self) -> int:
        """The literal that holds if the fate of some unit is not known to be the same."""
        (one, other), (mine, theirs) = self.systems, self.results
        found = [rules.any_open for rules in self.systems if not settles_every_cycle(rules.profile)]
        return one.gates.any_of((*found, *each_may_differ(one, mine, other, theirs).values()))


class _ComparedAnywhere(_Compared[UnitRules]):
    """The same about units anywhere, with the parts; every answer has one of them."""

    def __init__(self, asked: UnitsAnywhere, board: OpenUnits) -> None:
        super().__init__(asked.profiles, board, _results_anywhere)
        self.is_uniform = board.is_uniform

    def broken(self, one: UnitRules, other: UnitRules) -> Iterator[Part]:
        """A part for each equation that differs, with the literal that holds if the values that
        propagation decides under one profile may break it."""
        yield from parts_in(other, broken_equations(one, other))
        yield from parts_in(one, broken_equations(other, one))

    @property
    def changed(self) -> Iterator[Part]:
        """A part for each result whose terms differ."""
        (one, other), (mine, theirs) = self.systems, self.results
        keys = [key for key in mine if mine[key] != theirs[key]]
        before, after = {key: mine[key] for key in keys}, {key: theirs[key] for key in keys}
        for (unit, _, _), literal in each_may_differ(one, before, other, after).items():
            yield ((unit,) if self.is_uniform else ()), literal

    @property
    def has_same_decisions(self) -> bool:
        """Whether both profiles have the same decisions."""
        one, other = self.systems
        return one.system.equations.keys() == other.system.equations.keys()


def _quiet_difference(asked: UnitsAnywhere, board: OpenUnits) -> Wanted:
    """A difference without decision cycles. If the values that propagation decides under each
    profile satisfy the other's equations, they are the same. So the parts are the equations that
    one profile breaks, and the results whose terms differ."""
    compared = _ComparedAnywhere(asked, board)
    parts: list[Part] = [((), TRUE)]
    if compared.has_same_decisions:
        parts = [*compared.broken(*compared.systems), *compared.changed]
    quiet = [-rules.any_open for rules in compared.systems]
    return Wanted(compared.systems, [compared.may_differ, *quiet], parts, QUIET, CYCLIC)


def _cyclic_difference(asked: UnitsAnywhere, board: OpenUnits) -> Wanted:
    """Any difference; those without decision cycles have been tried already.

    Suppose that the values that propagation decides under each profile satisfy the other's
    equations. Then they are the same, and the open decisions have the same equations. If no cycle
    rule can settle these differently and the results have the same terms, the boards are the same.
    So each part says that one of these conditions fails. The literals about propagation and cycle
    rules are made before any lemma, since a settled cycle has no open decisions.
    """
    compared = _ComparedAnywhere(asked, board)
    claims, parts = [compared.may_differ], list[Part]([((), TRUE)])
    if compared.has_same_decisions:
        parts = list(compared.changed)
        one, other = compared.systems
        suspects = cycle_suspects(one.profile, other.profile)
        are_equal = one.system.equations == other.system.equations
        if suspects or not are_equal:
            before = board.under(one.profile)  # learns no lemmas
            claims += before.rails.assumptions
            for way in each_settled_by(before, suspects):
                parts += parts_in(before, way)
        if not are_equal:
            after = board.under(other.profile)  # nor does this one
            claims += after.rails.assumptions
            parts += compared.broken(before, after)
    return Wanted(compared.systems, claims, parts, CYCLIC)


def _results_anywhere(rules: UnitRules) -> dict[_Key, Term]:
    """Everything that determines the board after the phase: whether a unit is dislodged, goes to a
    province, or may retreat to one."""
    board, phase, grounder = rules.board, rules.system.phase, rules.system.grounder
    slots, term = board.slots, board.slots.term
    rest = rest_of_map(slots)
    found: dict[_Key, Term] = {}
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
