"""Passes over a list, with a minimum and a maximum of each decision.

Kruijswijk, The Math of Adjudication, "Decisions on partial information"; DATC 2.4, 5.B, which says
of every decision how its minimum and its maximum are calculated, and 5.C.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

import pytest

import dipsat
from dipsat.equations import Key, Phase, interval
from dipsat.game import MoveFacts, ProvinceFacts, SupportFacts, UnitFacts
from dipsat.studies import random_board, run_case
from dipsat.studies.datc_runs import load_cases
from dipsat.studies.order_equations import OrderEquations
from dipsat.studies.partial_information import MultiPass, PartialInformation
from tests.exhaustive import exhaustive, few_of
from tests.phases import phase_of, troubled_orders
from tests.studies.test_algorithms import (
    Orders,
    agrees,
    decided,
)
from tests.studies.test_simple_recursive import FIGURE_8, FIGURE_9, FIGURE_16

ORDERS = PartialInformation(multi_pass="orders")
DECISIONS = PartialInformation(multi_pass="decisions")
FORMS = [ORDERS, DECISIONS]
Ends = tuple[int, int]


def passes(orders: Orders, listed: str = "orders") -> MultiPass:
    """The administration after the last pass."""
    equations = OrderEquations(dipsat.load_profile("datc"), phase_of(orders), "test")
    found = MultiPass(equations, equations.orders if listed == "orders" else equations.keys)
    found.resolve_all()
    return found


# How many passes it takes, worked out by hand.


@pytest.mark.parametrize(
    ("orders", "count"),
    [
        (FIGURE_8, 1),  # F BRE is listed first, and when A PAR has its turn, is known to leave
        ({"TURKEY": ["A ANK - CON", "F CON - BLA"]}, 2),  # here A ANK has to wait
        (FIGURE_9, 2),  # all wait for F SKA; then F NTH goes whatever F NWY does, then the others
    ],
)
def test_what_cannot_be_resolved_waits_for_the_next_pass(orders: Orders, count: int) -> None:
    """The list has the units in the order of provinces. Kruijswijk: "When we are at the bottom of
    the list, and there are still orders unresolved, we just start a second pass"."""
    found = passes(orders)
    assert found.passes == count
    assert found.backup == []


def test_figures_with_one_resolution_need_no_backup_rule() -> None:
    """Figures 9 and 16: "there is always at least one order in the situation that can be resolved
    independently"."""
    for orders in (FIGURE_9, FIGURE_16):
        for judge in FORMS:
            assert decided(judge, orders).backup == ()
            assert agrees(judge, orders)


def test_pass_that_resolves_nothing_hands_over_to_the_backup_rule() -> None:
    """A pass that "does not resolve any of them": "then there is circular movement or a convoy
    paradox", which "must be passed to a backup rule" (Kruijswijk)."""
    ring = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]}
    found = passes(ring)
    assert [rule.name for rule in found.backup] == ["circular movement"]
    assert found.passes == 1
    assert set(found.resolution.values()) == {1}


def test_several_circles_are_settled_one_after_the_other() -> None:
    """The situation "may consist of multiple independent circular movements or convoy paradoxes";
    DATC 2.4, 5.B.9: "the smallest dependency list is a paradox core and only that list should be
    considered"."""
    (case,) = load_cases(["6.F.27"])
    for judge in FORMS:
        assert run_case(case, engine=judge).differences == ()
    apart = {
        "TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"],
        "FRANCE": ["A PAR - BUR", "A BUR - MAR", "A MAR - GAS", "A GAS - PAR"],
    }
    found = decided(ORDERS, apart)
    rings = [{key for key in rule.cycle if key[0] == "move"} for rule in found.backup]
    assert [len(ring) for ring in rings] == [3, 4]


# Against DATC 2.4, 5.B, decision by decision.

NO, UNDECIDED, YES = (0, 0), (0, 1), (1, 1)


class Document:
    """The minima and maxima of DATC 2.4, 5.B, with the statuses of MOVE and SUPPORT orders and of
    convoying fleets (DISLODGE "sustains") given."""

    def __init__(self, phase: Phase, status: Mapping[Key, Ends]) -> None:
        self.phase = phase
        self.status = status

    def ends(self, key: Key) -> Ends:
        """The ends of a decision, truth values as 0 and 1."""
        family, index = key
        phase = self.phase
        if family == "dislodge":
            return self.dislodged(phase.units[index])
        if family == "support":
            return self.support(phase.supports[index])
        if family == "hold_strength":
            return self.hold_strength(phase.provinces[index])
        return {
            "move": self.move, "path": self.path, "attack_strength": self.attack_strength,
            "prevent_strength": self.prevent_strength, "defend_strength": self.defend_strength,
        }[family](phase.moves[index])  # fmt: skip

    def moves(self, move: MoveFacts) -> Ends:
        return self.status["move", move.index]

    def given(self, supports: Iterable[SupportFacts], against: ProvinceFacts | None = None) -> Ends:
        """One plus the supports that are given, and those that are given or undecided; against an
        attacked unit "only the support orders of units of different nationality"."""
        attacked = {unit.power for unit in against.units} if against else set()
        found = [self.status["support", s.index] for s in supports if s.power not in attacked]
        return 1 + found.count(YES), 1 + found.count(YES) + found.count(UNDECIDED)

    def opposing(self, move: MoveFacts) -> MoveFacts | None:
        """The opposing unit in a head to head battle: both go over land."""
        if move.convoyed:
            return None
        return next((other for other in move.facing if not other.convoyed), None)

    def path(self, move: MoveFacts) -> Ends:
        """DATC 2.4, 5.B.8."""
        if not move.convoyed:
            return YES
        sustains = [c for c in move.convoys if self.status["convoy", c.index] == YES]
        undecided = [c for c in move.convoys if self.status["convoy", c.index] == UNDECIDED]
        return (
            int(self._leads_across(move, [c.province.code for c in sustains])),
            int(self._leads_across(move, [c.province.code for c in (*sustains, *undecided)])),
        )

    def _leads_across(self, move: MoveFacts, fleets: list[str]) -> bool:
        water = dipsat.load_map("standard").water
        reached, stack = set[str](), [f for f in fleets if move.origin.code in water[f]]
        while stack:
            fleet = stack.pop()
            if fleet not in reached:
                reached.add(fleet)
                stack += [other for other in fleets if other in water[fleet]]
        return any(move.target.code in water[fleet] for fleet in reached)

    def attack_strength(self, move: MoveFacts) -> Ends:
        """DATC 2.4, 5.B.4."""
        path, target = self.path(move), move.target
        is_own = any(unit.power == move.power for unit in target.units)
        against_it = (0, 0) if is_own else self.given(move.supports, target)
        leaving = [self.moves(other) for other in target.departures]
        if self.opposing(move) or (target.units and not leaving):
            least, greatest = against_it
        elif not target.units or leaving == [YES]:
            least, greatest = self.given(move.supports)
        elif leaving == [NO]:
            least, greatest = against_it
        else:
            least, greatest = against_it[0], self.given(move.supports)[1]
        return (least if path == YES else 0, greatest if path != NO else 0)

    def hold_strength(self, province: ProvinceFacts) -> Ends:
        """DATC 2.4, 5.B.5."""
        if not province.units:
            return NO
        if not province.departures:
            return self.given(s for unit in province.units for s in unit.supports)
        return {YES: (0, 0), UNDECIDED: (0, 1), NO: (1, 1)}[self.moves(province.departures[0])]

    def prevent_strength(self, move: MoveFacts) -> Ends:
        """DATC 2.4, 5.B.6."""
        least, greatest = self.given(move.supports)
        opposing, path = self.opposing(move), self.path(move)
        beaten = self.moves(opposing) if opposing else NO
        return (
            0 if path != YES or beaten != NO else least,
            0 if path == NO or beaten == YES else greatest,
        )

    def defend_strength(self, move: MoveFacts) -> Ends:
        """DATC 2.4, 5.B.7."""
        return self.given(move.supports)

    def move(self, move: MoveFacts) -> Ends:
        """DATC 2.4, 5.B.1."""
        attack, opposing = self.attack_strength(move), self.opposing(move)
        others = [self.prevent_strength(rival) for rival in move.rivals]
        others.append(
            self.defend_strength(opposing) if opposing else self.hold_strength(move.target)
        )
        if all(attack[0] > greatest for _, greatest in others):
            return YES
        return NO if any(attack[1] <= least for least, _ in others) else UNDECIDED

    def support(self, support: SupportFacts) -> Ends:
        """DATC 2.4, 5.B.2."""
        attacks = [
            self.attack_strength(attack)
            for attack in support.province.attackers
            if attack.origin is not support.target
        ]
        dislodged = self.dislodged(support.unit)
        if any(least >= 1 for least, _ in attacks) or dislodged == YES:
            return NO
        return YES if all(most == 0 for _, most in attacks) and dislodged == NO else UNDECIDED

    def dislodged(self, unit: UnitFacts) -> Ends:
        """DATC 2.4, 5.B.3; YES is 'dislodged', NO 'sustains'."""
        attacks = [self.moves(attack) for attack in unit.province.attackers]
        own = [self.moves(move) for move in unit.moves]
        if own == [YES] or all(attack == NO for attack in attacks):
            return NO
        return YES if YES in attacks and own in ([], [NO]) else UNDECIDED


@exhaustive
@pytest.mark.parametrize("seeds", few_of([range(0, 60), range(60, 120)], 1))
def test_minimum_and_maximum_of_every_decision_are_those_of_the_document(seeds: range) -> None:
    """With any statuses of the orders, every other decision has the minimum and the maximum that
    DATC 2.4, 5.B says, and every order would be decided as it says."""
    seen = set[tuple[str, Ends]]()
    for seed in seeds:
        rng = random.Random(seed)
        orders = troubled_orders(seed) if seed % 2 else random_board(seed).orders
        equations = OrderEquations(dipsat.load_profile("datc"), phase_of(orders), "test")
        known = MultiPass(equations, equations.orders)
        status = {key: rng.choice((NO, UNDECIDED, YES)) for key in equations.orders}
        known.ends_of.update(status)
        document = Document(equations.phase, status)
        for key in equations.keys:
            if key[0] != "convoy":
                found = interval(equations.term(key), known.ends)
                assert found == document.ends(key), (seed, equations.name(key))
                seen.add((key[0], found))
    for family in ("move", "support", "dislodge", "path"):
        assert {ends for name, ends in seen if name == family} == {NO, UNDECIDED, YES}
