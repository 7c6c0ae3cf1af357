"""The algorithm of the DPjudge, step by step.

Source: Hand, the DPjudge's adjudication algorithm, "Step 1" to "Step 10" and the procedures after
them. The text is a procedure on lists and marks; a decision is never reconsidered unless a step
says so. It uses no equation of the rule profile. The profile says how orders are read (DATC 4.B to
4.D, and which way an army takes that could move over land, 4.A.3), and rules later phases.

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
  step 10. here it is the order of the phase.
"""

from __future__ import annotations

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


class Records:
    """The data of one phase.

    Units are known by index. `marks` has the marked ones; `count` is each unit's support count,
    `no_help` its no-help list. `combat` maps a province to its combat list: unit -> whether it
    counts there with its support count (else with zero). `standing` maps a province to the unit in
    it, `dislodged` has the units with that mark, `moved` those that have moved; `retreats` has the
    "possible retreats" of dislodged units. `step` is the current step.
    """

    def __init__(self, phase: Phase) -> None:
        self.phase = phase
        self.step = ""
        self.marks: dict[int, Mark] = {}
        self.count = [0] * len(phase.units)
        self.no_help: list[set[int]] = [set() for _ in phase.units]
        self.combat: dict[str, dict[int, bool]] = {p.code: {} for p in phase.provinces}
        self.standing = {unit.province.code: unit for unit in phase.units}
        self.dislodged: set[int] = set()
        self.moved: set[int] = set()
        self.retreats: dict[int, tuple[str, ...]] = {}
        self._notes: dict[int, list[EngineReason]] = {}

    # Marks and their notes.

    def mark(self, unit: int, mark: Mark, why: str, *because: UnitFacts) -> None:
        """Mark a unit's order. The notes on an earlier mark are dropped."""
        self.marks[unit] = mark
        self._notes.pop(unit, None)
        self.note(unit, f'marks it "{mark}": {why}', *because)

    def unmark(self, unit: int, why: str) -> None:
        """Remove the mark from a unit's order."""
        mark = self.marks.pop(unit)
        self.note(unit, f'removes the mark "{mark}": {why}')

    def note(self, unit: int, what: str, *because: UnitFacts) -> None:
        """Note what the current step does with a unit's order."""
        culprits = tuple(other.index for other in because)
        self._notes.setdefault(unit, []).append(EngineReason(f"{self.step} {what}", culprits))

    def note_only(self, unit: int, what: str, *because: UnitFacts) -> None:
        """Note it, and drop the earlier notes on the unit."""
        self._notes.pop(unit, None)
        self.note(unit, what, *because)

    def reason(self, unit: int) -> EngineReason:
        """The notes on a unit's order since it was last marked."""
        notes = self._notes.get(unit, [EngineReason("no step marks it")])
        because = dict.fromkeys(other for note in notes for other in note.because)
        return EngineReason("; ".join(note.text for note in notes), tuple(because))

    def unmarked_moves(self) -> list[MoveFacts]:
        """The moves, by convoy or not, whose orders have no mark."""
        return [move for move in self.phase.moves if move.unit.index not in self.marks]

    # Combat lists and strengths.

    def enter(self, move: MoveFacts) -> None:
        """Put a moving unit into the combat list of its target instead of its own space."""
        self.combat[move.origin.code].pop(move.unit.index, None)
        self.combat[move.target.code][move.unit.index] = True

    def stay(self, move: MoveFacts) -> None:
        """Put a moving unit into the combat list of its own space, with zero, instead of its
        target."""
        self.combat[move.target.code].pop(move.unit.index, None)
        self.combat[move.origin.code][move.unit.index] = False

    def strength(self, code: str, unit: int) -> int:
        """The support count with which a unit is in the combat list of a space."""
        return self.count[unit] if self.combat[code][unit] else 0

    def helped(self, unit: int) -> int:
        """The support count reduced by the number of supports in the no-help list."""
        return self.count[unit] - len(self.no_help[unit])

    def strongest(self, code: str) -> int | None:
        """The unit with a greater support count than every other one in the combat list, if any."""
        units = self.by_strength(code)
        if not units:
            return None
        if len(units) > 1 and self.strength(code, units[0]) == self.strength(code, units[1]):
            return None
        return units[0]

    def by_strength(self, code: str) -> list[int]:
        """The units in the combat list of a space, those with the greatest support counts first."""
        return sorted(self.combat[code], key=lambda unit: -self.strength(code, unit))

    def equals(self, code: str, unit: int) -> list[UnitFacts]:
        """The other units in the combat list of a space with at least a unit's support count."""
        least = self.strength(code, unit)
        return [
            self.phase.units[other]
            for other in self.by_strength(code)
            if other != unit and self.strength(code, other) >= least
        ]

    def victim(self, move: MoveFacts) -> UnitFacts | None:
        """The unit in the target of a move, if its order is not a move or is marked."""
        for unit in move.target.units:
            if not unit.moves or unit.index in self.marks:
                return unit
        return None


def cut_support(records: Records, move: MoveFacts, is_dislodging: bool = False) -> None:
    """Procedure cutSupport for a moving unit.

    It does not cut a support "for or against" an attack space: its own space, or for a convoyed
    army those of its fleets "and only those". When dislodging (step 9), it cuts that too.
    """
    spaces = [c.province for c in move.convoys] if move.convoyed else [move.origin]
    for unit in move.target.units:
        support = unit.candidate
        if (
            not isinstance(support, SupportFacts)
            or records.marks.get(unit.index) in (Mark.CUT, Mark.VOID)
            or unit.power == move.power
            or (support.target in spaces and not is_dislodging)
        ):
            continue
        verb = "dislodges" if is_dislodging else "attacks"
        records.mark(unit.index, Mark.CUT, f"{move} {verb} it", move.unit)
        records.count[support.supported.index] -= 1
        records.no_help[support.supported.index].discard(unit.index)


def makes_path(move: MoveFacts, convoys: Sequence[ConvoyFacts]) -> bool:
    """Whether some convoys of an army make its convoy path: all fleets of the path that its order
    names; if it names none, any chain of fleets."""
    named = move.unit.order.path if isinstance(move.unit.order, Move) else ()
    if named:
        return {convoy.province.code for convoy in convoys}.issuperset(named)
    return convoy_path_exists(move, convoys)


def check_disruptions(
    records: Records, move: MoveFacts, in_danger: set[int], is_safe: bool
) -> None:
    """Procedure checkDisruptions for a convoying army: mark it "convoy endangered", or do nothing.

    `in_danger` is kept up to date: it has the convoys whose fleet is in danger. `is_safe` says
    whether RULE SAFE_CONVOYS is in use.
    """
    carriers, lost = [], []
    for convoy in move.convoys:
        if find_danger(records, convoy, is_safe):
            in_danger.add(convoy.index)
            lost.append(convoy.unit)
        else:
            in_danger.discard(convoy.index)
            carriers.append(convoy)
    if not makes_path(move, carriers):
        fleets = ", ".join(map(str, lost))
        why = f"{fleets} in danger" if lost else "no fleets make a path"
        records.mark(move.unit.index, Mark.ENDANGERED, why, *lost)


def find_danger(records: Records, convoy: ConvoyFacts, is_safe: bool) -> bool:
    """Note and return whether the combat list of a fleet's space endangers the convoy."""
    culprits = _endangering(records, convoy, is_safe)
    if culprits:
        names = ", ".join(_order(unit) for unit in culprits)
        how = "has" if len(culprits) == 1 else "have"
        text = f"finds the fleet in danger: {names} {how} the greatest support count"
        records.note_only(convoy.unit.index, text, *culprits)
    else:
        records.note_only(convoy.unit.index, "finds the fleet in no danger")
    return bool(culprits)


def _endangering(records: Records, convoy: ConvoyFacts, is_safe: bool) -> list[UnitFacts]:
    """The units with the greatest support count in the combat list of a fleet's space, if they
    endanger the convoy."""
    code, units = convoy.province.code, records.phase.units
    strongest = records.strongest(code)
    if strongest is not None:
        return [units[strongest]] if units[strongest].power != convoy.power else []
    most = records.strength(code, records.by_strength(code)[0])
    tied = [units[unit] for unit in records.combat[code] if records.strength(code, unit) == most]
    is_endangered = (
        is_safe and convoy.unit not in tied and any(unit.power != convoy.power for unit in tied)
    )
    return tied if is_endangered else []


def bounce(records: Records, move: MoveFacts, why: str, *because: UnitFacts) -> None:
    """Procedure bounce for a moving unit, which also stays in the combat list of its target."""
    records.mark(move.unit.index, Mark.BOUNCE, why, *because)
    records.combat[move.origin.code][move.unit.index] = False


def unbounce(records: Records, code: str) -> None:
    """Procedure unbounce for a space, and for those that become vacant in turn."""
    while True:
        unit = records.strongest(code)
        if unit is None or records.marks.get(unit) is not Mark.BOUNCE:
            return
        records.unmark(unit, f"{code} becomes free")
        if unit in records.dislodged:
            records.dislodged.discard(unit)
            return
        code = records.phase.units[unit].province.code
        records.combat[code].pop(unit, None)


def possible_retreats(records: Records, unit: UnitFacts, attack: MoveFacts) -> tuple[str, ...]:
    """The "possible retreats" of step 10 for a unit that an attack dislodges: all spaces to which
    it could move without a convoy, except those with "a non-empty combat list" and the one from
    which the attacker came, "unless the attacker was convoyed"."""
    reached = records.phase.map.reach_provinces(unit.unit.kind, unit.unit.location)
    barred = set() if attack.convoyed else {attack.origin.code}
    return tuple(code for code in sorted(reached - barred) if not records.combat.get(code))


def _order(unit: UnitFacts) -> str:
    return str(unit.moves[0]) if unit.moves else str(unit)


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
        return _Judge(phase, self).verdicts()


class _Judge(Records):
    """The steps for one phase. `convoying` is the "convoying armies list", `succeeded` the "convoy
    succeeded list", and `in_danger` has the convoys whose fleet was in danger at the last check."""

    def __init__(self, phase: Phase, options: GameOptions) -> None:
        super().__init__(phase)
        self.options = options
        self.convoying: list[MoveFacts] = []
        self.succeeded: set[int] = set()
        self.in_danger: set[int] = set()

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
        phase = self.phase
        return ReasonedVerdicts(
            tuple(move.unit.index in self.moved for move in phase.moves),
            tuple(support.unit.index not in self.marks for support in phase.supports),
            tuple(self._available(convoy) for convoy in phase.convoys),
            tuple(unit.index in self.dislodged for unit in phase.units),
            frozenset(  # the spaces that are empty after the phase though their combat list is not
                code for code, units in self.combat.items() if units and code not in self.standing
            ),
            tuple(self.reason(unit.index) for unit in phase.units),
            tuple(str(self.marks.get(unit.index, "")) for unit in phase.units),
            tuple(self.retreats.get(unit.index, ()) for unit in phase.units),
        )

    def _available(self, convoy: ConvoyFacts) -> bool:
        unit = convoy.unit.index
        is_lost = unit in self.dislodged or convoy.index in self.in_danger
        return not is_lost and unit not in self.marks

    # The steps.

    def step_1(self) -> None:
        """Mark all invalid convoy orders.

        Orders that the map does not allow, or that need a unit that does not exist, are dealt with
        when orders are judged (`own_rulings`). An army through "a fleet that was not issued a
        matching convoy order" is "no convoy".
        """
        self.step = "step 1"
        for move in self.phase.moves:
            if not move.convoyed:
                continue
            kinds = {"army", "fleet"} if self.options.portage_convoy else {"army"}
            if move.unit.kind in kinds and makes_path(move, move.convoys):
                self.convoying.append(move)
            else:
                why = "no matching convoy orders make a path"
                self.mark(move.unit.index, Mark.NO_CONVOY, why)
        self._mark_unmatched(lambda unit: isinstance(unit.order, Convoy))
        for convoy in self.phase.convoys:
            if not any(move.convoyed for move in convoy.army.moves):
                why = f"{convoy.army} is not ordered to go by convoy"
                self.mark(convoy.unit.index, Mark.VOID, why, convoy.army)

    def _mark_unmatched(self, concerned: Callable[[UnitFacts], bool]) -> None:
        """Mark unmatched orders of the units concerned as "void"."""
        for unit in self.phase.units:
            mismatch = self.phase.invalid.get(unit.index)
            if mismatch is not None and not unit.moves and concerned(unit):
                self.mark(unit.index, Mark.VOID, mismatch.reason, *mismatch.because)

    def step_2(self) -> None:
        """Mark all invalid move and support orders, and count the supports. The moves of a phase
        are valid."""
        self.step = "step 2"
        self._mark_unmatched(lambda unit: not isinstance(unit.order, Convoy))
        for support in self.phase.supports:
            supported = support.supported.index
            self.count[supported] += 1
            attacked = () if support.target is support.origin else support.target.units
            if any(unit.power == support.power for unit in attacked):
                self.no_help[supported].add(support.unit.index)

    def step_3(self) -> None:
        """Calculate initial combat strengths: supports cut by moves, then the combat lists."""
        self.step = "step 3"
        for move in self.phase.moves:
            if not move.convoyed:
                cut_support(self, move)
        for unit in self.phase.units:
            if not unit.moves:
                self.combat[unit.province.code][unit.index] = True
            elif unit.index in self.marks:
                self.stay(unit.moves[0])
            else:
                self.enter(unit.moves[0])

    def step_4(self) -> None:
        """Mark supports cut by convoyers, and endangered convoys, until no more convoys succeed."""
        grew = True
        while grew:
            before = len(self.succeeded)
            for move in self.convoying:
                self.step = "step 4"
                self._check(move)
                mark = self.marks.get(move.unit.index)
                if mark is None:
                    self._arrive(move)
                elif mark is Mark.ENDANGERED:
                    self.marks[move.unit.index] = Mark.UNDER_ATTACK
            grew = len(self.succeeded) > before

    def step_5(self) -> bool:
        """Mark convoy disruptions, and supports cut by successful convoys.

        True if the convoy succeeded list grew.
        """
        self.step = "step 5"
        before = len(self.succeeded)
        for move in self.convoying:
            unit = move.unit.index
            self._check(move)
            mark = self.marks.get(unit)
            if mark is Mark.ENDANGERED:
                self._disrupt(move)
            elif mark is Mark.UNDER_ATTACK:
                self.unmark(unit, "a path is out of danger")
                self._arrive(move)
        return len(self.succeeded) > before

    def _check(self, move: MoveFacts) -> None:
        check_disruptions(self, move, self.in_danger, self.options.safe_convoys)

    def _disrupt(self, move: MoveFacts) -> None:
        """What step 5 does with an army whose convoy is endangered."""
        unit = move.unit.index
        lost = [convoy.unit for convoy in move.convoys if convoy.index in self.in_danger]
        why = f"{', '.join(map(str, lost))} in danger"
        self.mark(unit, Mark.NO_CONVOY, why, *lost)
        self.count[unit] = 0
        self.stay(move)
        for support in move.supports:
            if support.unit.index not in self.marks:
                why = f"the convoy of {move} fails"
                self.mark(support.unit.index, Mark.NO_CONVOY, why, move.unit)

    def _arrive(self, move: MoveFacts) -> None:
        """What steps 4 and 5 do with an army whose convoy succeeds, even if it was "no convoy"."""
        self.enter(move)
        cut_support(self, move)
        self.succeeded.add(move.unit.index)

    def check_others(self) -> None:
        """Find the fleets in danger whose army step 1 has marked "no convoy"; no step checks
        them."""
        listed = {move.unit.index for move in self.convoying}
        for convoy in self.phase.convoys:
            is_void = convoy.unit.index in self.marks
            is_checked = is_void or convoy.army.index in listed
            if not is_checked and find_danger(self, convoy, self.options.safe_convoys):
                self.in_danger.add(convoy.index)

    def step_6(self) -> None:
        """Mark bounces caused by inability to swap places, until no more are marked."""
        self.step = "step 6"
        grew = True
        while grew:
            before = len(self.marks)
            for move in self.unmarked_moves():
                unit = move.unit.index
                swapper = self._swapper(move)
                if swapper is None or unit in self.marks:
                    continue
                other = swapper.unit.index
                own = move.power == swapper.power
                beaten = self.helped(unit) <= self.count[other]
                beating = self.helped(other) <= self.count[unit]
                if own or beaten:
                    bounce(self, move, f"it cannot swap places with {swapper}", swapper.unit)
                if own or beating:
                    bounce(self, swapper, f"it cannot swap places with {move}", move.unit)
            grew = len(self.marks) > before

    def _swapper(self, move: MoveFacts) -> MoveFacts | None:
        """The unmarked move that attempts to swap places with this one, neither convoyed."""
        for other in () if move.convoyed else move.facing:
            if not other.convoyed and other.unit.index not in self.marks:
                return other
        return None

    def step_7(self) -> bool:
        """Mark bounces suffered by understrength attackers. True if one was marked."""
        self.step = "step 7"
        before = len(self.marks)
        for place in self.phase.provinces:
            strongest = self.strongest(place.code)
            for move in place.attackers:
                unit = move.unit.index
                if unit not in self.marks and unit != strongest:
                    equals = self.equals(place.code, unit)
                    other = self.strength(place.code, equals[0].index)
                    why = f"its support count {self.count[unit]} is not greater than {other} of "
                    bounce(self, move, why + str(equals[0]), equals[0])
        return len(self.marks) > before

    def step_8(self) -> bool:
        """Mark bounces caused by inability to self-dislodge. True if one was marked."""
        self.step = "step 8"
        before = len(self.marks)
        for place in self.phase.provinces:
            strongest = self.strongest(place.code)
            for move in place.attackers:
                unit = move.unit.index
                if unit != strongest or unit in self.marks:
                    continue
                victim = self.victim(move)
                if victim is None:
                    continue
                others = [
                    self.strength(place.code, o) for o in self.combat[place.code] if o != unit
                ]
                if victim.power == move.power:
                    bounce(self, move, f"{victim} is of its own power", victim)
                elif any(self.helped(unit) <= other for other in others):
                    helpers = [self.phase.units[index] for index in sorted(self.no_help[unit])]
                    why = f"the power of {victim} helps it: {', '.join(map(str, helpers))}"
                    bounce(self, move, why, victim, *helpers)
        return len(self.marks) > before

    def step_9(self) -> bool:
        """Mark supports cut by dislodgements. True if one was marked."""
        self.step = "step 9"
        before = list(self.marks.values()).count(Mark.CUT)
        for move in self.unmarked_moves():
            cut_support(self, move, is_dislodging=True)
        return list(self.marks.values()).count(Mark.CUT) > before

    def step_10(self) -> None:
        """Move the units that did not bounce, then those that this has freed to move."""
        self.step = "step 10"
        while True:
            ready = [m for m in self.unmarked_moves() if m.unit.index not in self.moved]
            if not ready:
                return
            for move in ready:
                self._move(move)

    def _move(self, move: MoveFacts) -> None:
        other = self.victim(move)
        if other is not None:
            self.dislodged.add(other.index)
            fought = any(not m.convoyed and m.target is move.origin for m in other.moves)
            if fought and not move.convoyed:
                self.combat[move.origin.code].pop(other.index, None)
            self.retreats[other.index] = possible_retreats(self, other, move)
        unbounce(self, move.origin.code)
        if self.standing.get(move.origin.code) is move.unit:
            del self.standing[move.origin.code]
        self.standing[move.target.code] = move.unit
        self.moved.add(move.unit.index)
        self.note(move.unit.index, "moves it: it has no mark")


ENGINE = DPjudge()
