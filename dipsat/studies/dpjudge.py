"""The algorithm of the DPjudge, step by step.

Source: Hand, the DPjudge's adjudication algorithm, "Step 1" to "Step 10" and the procedures after
them. The text is a procedure on lists and marks; a decision is never reconsidered unless a step
says so. It uses no equation of the rule profile. The profile says how orders are read (DATC 4.B to
4.D, and which way an army that could move over land takes, 4.A.3), and decides later phases.

Where the text leaves something open, dipsat reads it like this:

- *Which spaces a unit attempts.* A combat list has "all units attempting to enter (or remain in)
  the space". A unit whose move is marked before the lists are made attempts to remain, and an army
  whose mark becomes "no convoy" in step 5 is moved from one list to the other. (In the list of its
  destination it would keep others out, and in the list of its own space it would be missing.)
- *The strength of a unit that remains although it was ordered to move* is zero, as procedure bounce
  and step 5 say. Step 1 does not say so for an army that it marks "no convoy".
- *The cut of step 9.* Procedure cutSupport spares a support against the space that the attack comes
  from. Every move has been through it before step 9, so step 9 could never cut anything, but its
  heading says that it does. Step 9 therefore ignores that condition.
- *The convoy path.* Each army should name its path, and one that does takes it. For an army that
  names none, every chain of the fleets ordered to convoy it counts as a path: the army is
  endangered if each chain has a fleet in danger, and its attack spaces are those of all these
  fleets.
- *The order* of units in a "for each" matters in steps 4 and 5, and for the lists of retreats in
  step 10. Here it is the order of the phase.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dipsat.board import Carriage, UnitKind
from dipsat.equations import Phase, convoy_path_exists
from dipsat.game import ConvoyFacts, MoveFacts, Position, Ruling, SupportFacts, UnitFacts
from dipsat.orders import Convoy, Move
from dipsat.outcomes import EngineReason, ReasonedVerdicts, written
from dipsat.rules import Profile, Settings
from dipsat.studies.dpjudge_orders import GameOptions, Mark, own_rulings, own_settings
from dipsat.studies.standard_rules import refuse_variants

_PORTAGE = Carriage(UnitKind.ARMY, UnitKind.FLEET, "land", "water", ("land", "coast"))
"""The convoys of RULE PORTAGE_CONVOY, "with the roles of those two unit-types reversed"."""


@dataclass(frozen=True, slots=True)
class DPjudge(GameOptions):
    """The DPjudge as a judge of movement phases."""

    @property
    def name(self) -> str:
        """The name, with the options that differ from the default."""
        return written("dpjudge", self)

    def order_settings(self, settings: Settings) -> Settings:
        """The settings to judge orders by; see `dipsat.studies.dpjudge_orders`."""
        return own_settings(settings)

    def own_rulings(
        self, position: Position, rulings: tuple[Ruling, ...], settings: Settings
    ) -> tuple[Ruling, ...]:
        """The rulings of steps 1 and 2 (see `dipsat.studies.dpjudge_orders`)."""
        return own_rulings(position, rulings, settings, self)

    def decide(self, phase: Phase, profile: Profile) -> ReasonedVerdicts:
        """Return the verdicts after step 10. The profile matters only if it declares a variant that
        the algorithm is not made for (`NotMadeForError`).

        A support is given if its order has no mark. A fleet without a mark is available unless it
        is dislodged or was in danger when the convoy of its army was last checked. The reasons name
        the steps that set or removed a mark; the retreats are those that step 10 lists.
        """
        refuse_variants(self.name, profile, *([_PORTAGE] if self.portage_convoy else []))
        return _Steps(phase, self).verdicts()


class Records:
    """The data of one phase.

    `marks` has the marked units; `count` is each unit's support count, `no_help` its no-help list.
    `combat` maps a province to its combat list: unit -> whether it counts there with its support
    count (else with zero). `standing` maps a province to the unit in it, `dislodged` has the units
    with that mark, `moved` those that have moved; `retreats` has the "possible retreats" of
    dislodged units. `convoying` is the "convoying armies list", `succeeded` the "convoy succeeded
    list", and `in_danger` has the fleets that were in danger at the last check. `step` is the
    current step.
    """

    def __init__(self, phase: Phase, options: GameOptions) -> None:
        self.phase = phase
        self.options = options
        self.step = ""
        self.marks: dict[UnitFacts, Mark] = {}
        self.count = dict.fromkeys(phase.units, 0)
        self.no_help = defaultdict[UnitFacts, set[UnitFacts]](set)
        self.combat: dict[str, dict[UnitFacts, bool]] = {p.code: {} for p in phase.provinces}
        self.standing = {unit.province.code: unit for unit in phase.units}
        self.dislodged: set[UnitFacts] = set()
        self.moved: set[UnitFacts] = set()
        self.retreats: dict[UnitFacts, tuple[str, ...]] = {}
        self.convoying: list[MoveFacts] = []
        self.succeeded: set[UnitFacts] = set()
        self.in_danger: set[UnitFacts] = set()
        self._notes: dict[UnitFacts, list[EngineReason]] = {}

    # Marks and their notes.

    def mark(self, unit: UnitFacts, mark: Mark, why: str, *because: UnitFacts) -> None:
        """Mark a unit's order. The notes on an earlier mark are dropped."""
        self.marks[unit] = mark
        self.note_only(unit, f'marks it "{mark}": {why}', *because)

    def unmark(self, unit: UnitFacts, why: str) -> None:
        """Remove the mark from a unit's order."""
        mark = self.marks.pop(unit)
        self.note(unit, f'removes the mark "{mark}": {why}')

    def note(self, unit: UnitFacts, what: str, *because: UnitFacts) -> None:
        """Note what the current step does with a unit's order."""
        culprits = tuple(other.index for other in because)
        self._notes.setdefault(unit, []).append(EngineReason(f"{self.step} {what}", culprits))

    def note_only(self, unit: UnitFacts, what: str, *because: UnitFacts) -> None:
        """Note it, and drop the earlier notes on the unit."""
        self._notes.pop(unit, None)
        self.note(unit, what, *because)

    def reason(self, unit: UnitFacts) -> EngineReason:
        """The notes on a unit's order since it was last marked."""
        notes = self._notes.get(unit, [EngineReason("no step marks it")])
        because = dict.fromkeys(other for note in notes for other in note.because)
        return EngineReason("; ".join(note.text for note in notes), tuple(because))

    def unmarked_moves(self) -> list[MoveFacts]:
        """The moves, by convoy or not, whose orders have no mark."""
        return [move for move in self.phase.moves if move.unit not in self.marks]

    # Combat lists and strengths.

    def enter(self, move: MoveFacts) -> None:
        """Put a moving unit into the combat list of its target instead of its own space."""
        self.combat[move.origin.code].pop(move.unit, None)
        self.combat[move.target.code][move.unit] = True

    def stay(self, move: MoveFacts) -> None:
        """Put a moving unit into the combat list of its own space, with zero, instead of its
        target."""
        self.combat[move.target.code].pop(move.unit, None)
        self.combat[move.origin.code][move.unit] = False

    def strength(self, code: str, unit: UnitFacts) -> int:
        """The support count with which a unit is in the combat list of a space."""
        return self.count[unit] if self.combat[code][unit] else 0

    def helped(self, unit: UnitFacts) -> int:
        """The support count reduced by the number of supports in the no-help list."""
        return self.count[unit] - len(self.no_help[unit])

    def strongest(self, code: str) -> list[UnitFacts]:
        """The units with the greatest support count in the combat list of a space."""
        most = max((self.strength(code, unit) for unit in self.combat[code]), default=0)
        return [unit for unit in self.combat[code] if self.strength(code, unit) == most]

    def rival(self, code: str, unit: UnitFacts) -> UnitFacts | None:
        """The strongest other unit in the combat list of a space, None if a unit has a greater
        support count than all others."""
        others = (other for other in self.combat[code] if other is not unit)
        found = max(others, key=lambda other: self.strength(code, other), default=None)
        if found is None or self.strength(code, found) < self.strength(code, unit):
            return None
        return found

    def victim(self, move: MoveFacts) -> UnitFacts | None:
        """The unit in the target of a move, if its order is not a move or is marked."""
        there = (unit for unit in move.target.units if not unit.moves or unit in self.marks)
        return next(there, None)


class _Steps(Records):
    """The steps for one phase, and the procedures that they execute."""

    def verdicts(self) -> ReasonedVerdicts:
        """Execute the steps and return the verdicts."""
        self.step_1()
        self.step_2()
        self.step_3()
        while True:
            self.step_4()
            if not self.step_5():
                break
        self.check_others()
        while True:
            self.step_6()
            if not (self.step_7() or self.step_8() or self.step_9()):
                break
        self.step_10()
        phase, lost = self.phase, self.dislodged | self.in_danger | self.marks.keys()
        return ReasonedVerdicts(
            tuple(move.unit in self.moved for move in phase.moves),
            tuple(support.unit not in self.marks for support in phase.supports),
            tuple(convoy.unit not in lost for convoy in phase.convoys),
            tuple(unit in self.dislodged for unit in phase.units),
            frozenset(  # the spaces that are empty after the phase though their combat list is not
                code for code, units in self.combat.items() if units and code not in self.standing
            ),
            tuple(map(self.reason, phase.units)),
            tuple(str(self.marks.get(unit, "")) for unit in phase.units),
            tuple(self.retreats.get(unit, ()) for unit in phase.units),
        )

    def step_1(self) -> None:
        """Mark all invalid convoy orders.

        Orders that the map does not allow, or that need a unit that does not exist, are dealt with
        when orders are judged (`own_rulings`). An army through "a fleet that was not issued a
        matching convoy order" is "no convoy".
        """
        self.step = "step 1"
        kinds = {"army", "fleet"} if self.options.portage_convoy else {"army"}
        for move in self.phase.moves:
            if move.convoyed and move.unit.kind in kinds and makes_path(move, move.convoys):
                self.convoying.append(move)
            elif move.convoyed:
                self.mark(move.unit, Mark.NO_CONVOY, "no matching convoy orders make a path")
        self._mark_unmatched(lambda unit: isinstance(unit.order, Convoy))
        for convoy in self.phase.convoys:
            if not any(move.convoyed for move in convoy.army.moves):
                why = f"{convoy.army} is not ordered to go by convoy"
                self.mark(convoy.unit, Mark.VOID, why, convoy.army)

    def _mark_unmatched(self, concerned: Callable[[UnitFacts], bool]) -> None:
        """Mark unmatched orders of the units concerned as "void"."""
        for unit in self.phase.units:
            mismatch = self.phase.invalid.get(unit.index)
            if mismatch is not None and not unit.moves and concerned(unit):
                self.mark(unit, Mark.VOID, mismatch.reason, *mismatch.because)

    def step_2(self) -> None:
        """Mark all invalid move and support orders, and count the supports. The moves of a phase
        are valid."""
        self.step = "step 2"
        self._mark_unmatched(lambda unit: not isinstance(unit.order, Convoy))
        for support in self.phase.supports:
            self.count[support.supported] += 1
            attacked = () if support.target is support.origin else support.target.units
            if any(unit.power == support.power for unit in attacked):
                self.no_help[support.supported].add(support.unit)

    def step_3(self) -> None:
        """Calculate initial combat strengths: supports cut by moves, then the combat lists."""
        self.step = "step 3"
        for move in self.phase.moves:
            if not move.convoyed:
                self.cut_support(move)
        for unit in self.phase.units:
            if not unit.moves:
                self.combat[unit.province.code][unit] = True
            elif unit in self.marks:
                self.stay(unit.moves[0])
            else:
                self.enter(unit.moves[0])

    def step_4(self) -> None:
        """Mark supports cut by convoyers, and endangered convoys, until no more convoys succeed."""
        self.step = "step 4"
        before = -1
        while len(self.succeeded) > before:
            before = len(self.succeeded)
            for move in self.convoying:
                self.check_disruptions(move)
                mark = self.marks.get(move.unit)
                if mark is None:
                    self._arrive(move)
                elif mark is Mark.ENDANGERED:
                    self.marks[move.unit] = Mark.UNDER_ATTACK

    def step_5(self) -> bool:
        """Mark convoy disruptions, and supports cut by successful convoys.

        True if the convoy succeeded list grew.
        """
        self.step = "step 5"
        before = len(self.succeeded)
        for move in self.convoying:
            self.check_disruptions(move)
            mark = self.marks.get(move.unit)
            if mark is Mark.ENDANGERED:
                self._disrupt(move)
            elif mark is Mark.UNDER_ATTACK:
                self.unmark(move.unit, "a path is out of danger")
                self._arrive(move)
        return len(self.succeeded) > before

    def _disrupt(self, move: MoveFacts) -> None:
        """What step 5 does with an army whose convoy is endangered."""
        lost = [convoy.unit for convoy in move.convoys if convoy.unit in self.in_danger]
        self.mark(move.unit, Mark.NO_CONVOY, f"{', '.join(map(str, lost))} in danger", *lost)
        self.count[move.unit] = 0
        self.stay(move)
        for support in move.supports:
            if support.unit not in self.marks:
                why = f"the convoy of {move} fails"
                self.mark(support.unit, Mark.NO_CONVOY, why, move.unit)

    def _arrive(self, move: MoveFacts) -> None:
        """What steps 4 and 5 do with an army whose convoy succeeds, even if it was "no convoy"."""
        self.enter(move)
        self.cut_support(move)
        self.succeeded.add(move.unit)

    def check_others(self) -> None:
        """Find the fleets in danger whose army step 1 has marked "no convoy"; no step checks
        them."""
        checked = {move.unit for move in self.convoying}
        for convoy in self.phase.convoys:
            if convoy.unit not in self.marks and convoy.army not in checked:
                self._find_danger(convoy)

    def step_6(self) -> None:
        """Mark bounces caused by inability to swap places, until no more are marked."""
        self.step = "step 6"
        before = -1
        while len(self.marks) > before:
            before = len(self.marks)
            for move in self.unmarked_moves():
                swapper = self._swapper(move)
                if swapper is None or move.unit in self.marks:
                    continue
                unit, other, own = move.unit, swapper.unit, move.power == swapper.power
                beaten = self.helped(unit) <= self.count[other]
                beating = self.helped(other) <= self.count[unit]
                if own or beaten:
                    self.bounce(move, f"it cannot swap places with {swapper}", other)
                if own or beating:
                    self.bounce(swapper, f"it cannot swap places with {move}", unit)

    def _swapper(self, move: MoveFacts) -> MoveFacts | None:
        """The unmarked move that attempts to swap places with this one, neither convoyed."""
        facing = () if move.convoyed else move.facing
        unmarked = (m for m in facing if not m.convoyed and m.unit not in self.marks)
        return next(unmarked, None)

    def step_7(self) -> bool:
        """Mark bounces suffered by understrength attackers. True if one was marked."""
        self.step = "step 7"
        before = len(self.marks)
        for move in self._attacks():
            code, unit = move.target.code, move.unit
            rival = None if unit in self.marks else self.rival(code, unit)
            if rival is not None:
                counts = f"{self.count[unit]} is not greater than {self.strength(code, rival)}"
                self.bounce(move, f"its support count {counts} of {rival}", rival)
        return len(self.marks) > before

    def _attacks(self) -> list[MoveFacts]:
        """All moves, by the spaces that they attempt to enter."""
        return [move for place in self.phase.provinces for move in place.attackers]

    def step_8(self) -> bool:
        """Mark bounces caused by inability to self-dislodge. True if one was marked."""
        self.step = "step 8"
        before = len(self.marks)
        for move in self._attacks():
            code, unit, victim = move.target.code, move.unit, self.victim(move)
            if victim is None or unit in self.marks or self.rival(code, unit) is not None:
                continue
            others = [self.strength(code, one) for one in self.combat[code] if one is not unit]
            if victim.power == move.power:
                self.bounce(move, f"{victim} is of its own power", victim)
            elif any(self.helped(unit) <= other for other in others):
                helpers = sorted(self.no_help[unit], key=lambda one: one.index)
                why = f"the power of {victim} helps it: {', '.join(map(str, helpers))}"
                self.bounce(move, why, victim, *helpers)
        return len(self.marks) > before

    def step_9(self) -> bool:
        """Mark supports cut by dislodgements. True if one was marked."""
        self.step = "step 9"
        before = list(self.marks.values()).count(Mark.CUT)
        for move in self.unmarked_moves():
            self.cut_support(move, is_dislodging=True)
        return list(self.marks.values()).count(Mark.CUT) > before

    def step_10(self) -> None:
        """Move the units that did not bounce, then those that this has freed to move."""
        self.step = "step 10"
        while ready := [move for move in self.unmarked_moves() if move.unit not in self.moved]:
            for move in ready:
                self._move(move)

    def _move(self, move: MoveFacts) -> None:
        other = self.victim(move)
        if other is not None:
            self.dislodged.add(other)
            fought = any(not m.convoyed and m.target is move.origin for m in other.moves)
            if fought and not move.convoyed:
                self.combat[move.origin.code].pop(other, None)
            self.retreats[other] = self.possible_retreats(other, move)
        self.unbounce(move.origin.code)
        if self.standing.get(move.origin.code) is move.unit:
            del self.standing[move.origin.code]
        self.standing[move.target.code] = move.unit
        self.moved.add(move.unit)
        self.note(move.unit, "moves it: it has no mark")

    # The procedures.

    def cut_support(self, move: MoveFacts, is_dislodging: bool = False) -> None:
        """Procedure cutSupport for a moving unit.

        It does not cut a support "for or against" an attack space: its own space, or for a convoyed
        army those of its fleets "and only those". When dislodging (step 9), it cuts that too.
        """
        spaces = [c.province for c in move.convoys] if move.convoyed else [move.origin]
        for unit in move.target.units:
            support = unit.candidate
            if (
                not isinstance(support, SupportFacts)
                or self.marks.get(unit) in (Mark.CUT, Mark.VOID)
                or unit.power == move.power
                or (support.target in spaces and not is_dislodging)
            ):
                continue
            verb = "dislodges" if is_dislodging else "attacks"
            self.mark(unit, Mark.CUT, f"{move} {verb} it", move.unit)
            self.count[support.supported] -= 1
            self.no_help[support.supported].discard(unit)

    def check_disruptions(self, move: MoveFacts) -> None:
        """Procedure checkDisruptions for a convoying army: mark it "convoy endangered", or do
        nothing."""
        lost = [convoy.unit for convoy in move.convoys if self._find_danger(convoy)]
        if not makes_path(move, [one for one in move.convoys if one.unit not in lost]):
            fleets = ", ".join(map(str, lost))
            why = f"{fleets} in danger" if lost else "no fleets make a path"
            self.mark(move.unit, Mark.ENDANGERED, why, *lost)

    def _find_danger(self, convoy: ConvoyFacts) -> bool:
        """Note and return whether the combat list of a fleet's space endangers the convoy."""
        culprits = self._endangering(convoy)
        if not culprits:
            self.in_danger.discard(convoy.unit)
            self.note_only(convoy.unit, "finds the fleet in no danger")
            return False
        self.in_danger.add(convoy.unit)
        names = ", ".join(str(unit.moves[0] if unit.moves else unit) for unit in culprits)
        how = "has" if len(culprits) == 1 else "have"
        text = f"finds the fleet in danger: {names} {how} the greatest support count"
        self.note_only(convoy.unit, text, *culprits)
        return True

    def _endangering(self, convoy: ConvoyFacts) -> list[UnitFacts]:
        """The units with the greatest support count in the combat list of a fleet's space, if they
        endanger the convoy."""
        strongest = self.strongest(convoy.province.code)
        may_be_several = self.options.safe_convoys and convoy.unit not in strongest
        if len(strongest) > 1 and not may_be_several:
            return []
        return strongest if any(unit.power != convoy.power for unit in strongest) else []

    def bounce(self, move: MoveFacts, why: str, *because: UnitFacts) -> None:
        """Procedure bounce for a moving unit, which also stays in the combat list of its target."""
        self.mark(move.unit, Mark.BOUNCE, why, *because)
        self.combat[move.origin.code][move.unit] = False

    def unbounce(self, code: str) -> None:
        """Procedure unbounce for a space, and for those that become vacant in turn."""
        while True:
            strongest = self.strongest(code)
            if len(strongest) != 1 or self.marks.get(strongest[0]) is not Mark.BOUNCE:
                return
            unit = strongest[0]
            self.unmark(unit, f"{code} becomes free")
            if unit in self.dislodged:
                self.dislodged.discard(unit)
                return
            code = unit.province.code
            self.combat[code].pop(unit, None)

    def possible_retreats(self, unit: UnitFacts, attack: MoveFacts) -> tuple[str, ...]:
        """The "possible retreats" of step 10 for a unit that an attack dislodges: all spaces to
        which it could move without a convoy, except those with "a non-empty combat list" and the
        one from which the attacker came, "unless the attacker was convoyed"."""
        near = self.phase.map.reach_provinces(unit.unit.kind, unit.unit.location)
        barred = set() if attack.convoyed else {attack.origin.code}
        return tuple(code for code in sorted(near - barred) if not self.combat.get(code))


def makes_path(move: MoveFacts, convoys: Sequence[ConvoyFacts]) -> bool:
    """Whether some convoys of an army make its convoy path: all fleets of the path that its order
    names; if it names none, any chain of fleets."""
    named = move.unit.order.path if isinstance(move.unit.order, Move) else ()
    if named:
        return {convoy.province.code for convoy in convoys}.issuperset(named)
    return convoy_path_exists(move, convoys)


ENGINE = DPjudge()
