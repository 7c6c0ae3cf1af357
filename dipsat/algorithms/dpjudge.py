"""The algorithm of the DPjudge, step by step.

Source: seed 001, "Step 1" to "Step 10" and the procedures after them. The text is a procedure on
lists and marks; what is decided is never looked at again but where a step says so. It is
independent of the rule profile.

Where the text leaves something open, it is read like this:

- *Which spaces a unit attempts.* A combat list has "all units attempting to enter (or remain in)
  the space". A unit whose move is marked before the lists are made attempts to remain, and an army
  whose mark becomes "no convoy" in step 5 is taken over from one list to the other. (Left in the
  list of its destination it would keep others out of it, and be missing where it stands.)
- *The strength of a unit that remains although it was to move* is zero, as procedure bounce and
  step 5 say. Step 1 does not say it of an army that it marks "no convoy".
- *The cut of step 9.* Procedure cutSupport spares a support against the space that the attack
  comes from. Every move has been through it when step 9 comes, so step 9 could never cut anything;
  by its heading it does. There that condition is left out.
- *The convoy path.* Each army is to name its path. Of an army that names none, every chain of the
  fleets ordered to convoy it counts as a path: it is in danger if each chain has a fleet in danger,
  and its attack spaces are those of all these fleets.
- *The order* in which the text takes units "for each" matters in steps 4 and 5 only; here it is
  the order of the phase.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from dipsat.algorithms.convoy_path import path_exists
from dipsat.algorithms.engine import Verdicts
from dipsat.equations.facts import ConvoyFacts, MoveFacts, Phase, SupportFacts, UnitFacts
from dipsat.game.settings import Settings
from dipsat.profiles.profile import Profile


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The options of a game that the algorithm knows (seed 001, steps 1 and 2, checkDisruptions).

    `unmatched` is what becomes of an order that needs a unit which does not exist: `hold`, it is
    turned into a HOLD, or `marked`, it stays what it was and fails. It has effect when orders are
    judged: see `order_settings`. With `portage_convoy` armies also convoy fleets; no notation that
    dipsat reads has such orders, so it matters only for facts made by hand. With `safe_convoys` a
    fleet that is weaker than several equal attackers is in danger too.
    """

    unmatched: Literal["hold", "marked"] = "hold"
    portage_convoy: bool = False
    safe_convoys: bool = False

    def order_settings(self, settings: Settings) -> Settings:
        """The settings to judge orders by, so that unmatched ones become what the option says."""
        return replace(settings, legal="position" if self.unmatched == "hold" else "map")


class DPjudge:
    """The DPjudge as a judge of movement phases."""

    name = "dpjudge"

    def __init__(self, options: GameOptions | None = None) -> None:
        self.options = GameOptions() if options is None else options

    def decide(self, phase: Phase, profile: Profile) -> Verdicts:
        """The verdicts after step 10. The profile is not asked.

        A support is given if its order has no mark; a fleet is available unless it was found in
        danger when the convoy of its army was last checked, or is dislodged.
        """
        return _Judge(phase, self.options).verdicts()


class _Mark(StrEnum):
    """The status of an order; without a mark it succeeds."""

    VOID = "void"
    NO_CONVOY = "no convoy"
    ENDANGERED = "convoy endangered"
    UNDER_ATTACK = "convoy under attack"
    CUT = "cut"
    BOUNCE = "bounce"


class _Judge:
    """The data that the algorithm maintains for one phase, and its steps.

    Units are known by index. `marks` has the marked ones; `count` is each unit's support count,
    `no_help` its no-help list. `combat` maps a province to its combat list: unit -> whether it
    counts there with its support count (else with zero). `standing` maps a province to the unit
    in it, `dislodged` has the units with that mark, `moved` those that have moved.
    """

    def __init__(self, phase: Phase, options: GameOptions) -> None:
        self.phase = phase
        self.options = options
        self.marks: dict[int, _Mark] = {}
        self.count = [0] * len(phase.units)
        self.no_help: list[set[int]] = [set() for _ in phase.units]
        self.combat: dict[str, dict[int, bool]] = {p.code: {} for p in phase.provinces}
        self.convoying: list[MoveFacts] = []  # the "convoying armies list"
        self.succeeded: set[int] = set()  # the "convoy succeeded list"
        self.in_danger: set[int] = set()  # convoys whose fleet was in danger at the last check
        self.standing = {unit.province.code: unit for unit in phase.units}
        self.dislodged: set[int] = set()
        self.moved: set[int] = set()

    def verdicts(self) -> Verdicts:
        """Executes the steps and reads off the verdicts."""
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
        return Verdicts(
            tuple(move.unit.index in self.moved for move in phase.moves),
            tuple(support.unit.index not in self.marks for support in phase.supports),
            tuple(self._available(convoy) for convoy in phase.convoys),
            tuple(unit.index in self.dislodged for unit in phase.units),
            frozenset(
                code for code, units in self.combat.items() if self._left_vacant(code, units)
            ),
        )

    def _available(self, convoy: ConvoyFacts) -> bool:
        return convoy.index not in self.in_danger and convoy.unit.index not in self.dislodged

    def _left_vacant(self, code: str, units: dict[int, bool]) -> bool:
        """Whether nobody is in a space after the phase though its combat list is not empty."""
        return bool(units) and code not in self.standing

    # What the steps ask.

    def strength(self, code: str, unit: int) -> int:
        """The support count with which a unit is in the combat list of a space."""
        return self.count[unit] if self.combat[code][unit] else 0

    def strongest(self, code: str) -> int | None:
        """The unit with a greater support count than every other in the combat list, if any."""
        units = sorted(self.combat[code], key=lambda unit: -self.strength(code, unit))
        if not units:
            return None
        if len(units) > 1 and self.strength(code, units[0]) == self.strength(code, units[1]):
            return None
        return units[0]

    def unmarked_moves(self) -> list[MoveFacts]:
        """The moves, by convoy or not, whose orders have no mark."""
        return [move for move in self.phase.moves if move.unit.index not in self.marks]

    # The steps.

    def step_1(self) -> None:
        """Mark all invalid convoy orders.

        What "void" and HOLD are for is settled when orders are judged: such orders are no moves
        and convoys of the phase. An army through "a fleet that was not issued a matching convoy
        order" is "no convoy".
        """
        for move in self.phase.moves:
            if not move.convoyed:
                continue
            kinds = {"army", "fleet"} if self.options.portage_convoy else {"army"}
            carriers = {convoy.province.code for convoy in move.convoys}
            ends = move.origin.code, move.target.code
            if move.unit.kind in kinds and path_exists(self.phase.map, *ends, carriers):
                self.convoying.append(move)
            else:
                self.marks[move.unit.index] = _Mark.NO_CONVOY

    def step_2(self) -> None:
        """Mark all invalid move and support orders, and count the supports.

        The moves and supports of a phase are valid and match; other orders of units are "void".
        """
        for unit in self.phase.units:
            if unit.index in self.phase.invalid and not unit.moves:
                self.marks[unit.index] = _Mark.VOID
        for support in self.phase.supports:
            supported = support.supported.index
            self.count[supported] += 1
            if any(unit.power == support.power for unit in self._attacked(support)):
                self.no_help[supported].add(support.unit.index)

    @staticmethod
    def _attacked(support: SupportFacts) -> list[UnitFacts]:
        """The unit in the space that a supported attack is on."""
        return [] if support.target is support.origin else list(support.target.units)

    def step_3(self) -> None:
        """Calculate initial combat strengths: supports cut by moves, then the combat lists."""
        for move in self.phase.moves:
            if not move.convoyed:
                self.cut_support(move)
        for unit in self.phase.units:
            moves = [move for move in unit.moves if unit.index not in self.marks]
            if moves:
                self.combat[moves[0].target.code][unit.index] = True
            else:
                self.combat[unit.province.code][unit.index] = not unit.moves

    def step_4(self) -> None:
        """Mark supports cut by convoyers, and endangered convoys, until no more convoys succeed."""
        grew = True
        while grew:
            before = len(self.succeeded)
            for move in self.convoying:
                self.check_disruptions(move)
                if move.unit.index not in self.marks:
                    self._arrive(move)
                elif self.marks[move.unit.index] is _Mark.ENDANGERED:
                    self.marks[move.unit.index] = _Mark.UNDER_ATTACK
            grew = len(self.succeeded) > before

    def step_5(self) -> bool:
        """Mark convoy disruptions, and supports cut by successful convoys.

        True if the convoy succeeded list grew.
        """
        before = len(self.succeeded)
        for move in self.convoying:
            unit = move.unit.index
            self.check_disruptions(move)
            mark = self.marks.get(unit)
            if mark is _Mark.ENDANGERED:
                self.marks[unit] = _Mark.NO_CONVOY
                self.count[unit] = 0
                self.combat[move.target.code].pop(unit, None)
                self.combat[move.origin.code][unit] = False
                for support in move.supports:
                    self.marks.setdefault(support.unit.index, _Mark.NO_CONVOY)
            elif mark is _Mark.UNDER_ATTACK:
                del self.marks[unit]
                self._arrive(move)
        return len(self.succeeded) > before

    def _arrive(self, move: MoveFacts) -> None:
        """What steps 4 and 5 do for an army whose convoy succeeds, even if it was "no convoy"."""
        self.combat[move.origin.code].pop(move.unit.index, None)
        self.combat[move.target.code][move.unit.index] = True
        self.cut_support(move)
        self.succeeded.add(move.unit.index)

    def step_6(self) -> None:
        """Mark bounces caused by inability to swap places, until no more are marked."""
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
                beaten = self._helped(unit) <= self.count[other]
                beating = self._helped(other) <= self.count[unit]
                if own or beaten:
                    self.bounce(move)
                if own or beating:
                    self.bounce(swapper)
            grew = len(self.marks) > before

    def _swapper(self, move: MoveFacts) -> MoveFacts | None:
        """The move of the unit that attempts to swap places with a unit, neither convoyed."""
        for other in () if move.convoyed else move.facing:
            if not other.convoyed and other.unit.index not in self.marks:
                return other
        return None

    def _helped(self, unit: int) -> int:
        """The support count reduced by the number of supports in the no-help list."""
        return self.count[unit] - len(self.no_help[unit])

    def step_7(self) -> bool:
        """Mark bounces suffered by understrength attackers. True if one was marked."""
        before = len(self.marks)
        for place in self.phase.provinces:
            strongest = self.strongest(place.code)
            for move in place.attackers:
                unit = move.unit.index
                if unit not in self.marks and unit != strongest:
                    self.bounce(move)
        return len(self.marks) > before

    def step_8(self) -> bool:
        """Mark bounces caused by inability to self-dislodge. True if one was marked."""
        before = len(self.marks)
        for place in self.phase.provinces:
            strongest = self.strongest(place.code)
            for move in place.attackers:
                unit = move.unit.index
                if unit != strongest or unit in self.marks:
                    continue
                victim = self._victim(move)
                if victim is None:
                    continue
                others = [
                    self.strength(place.code, o) for o in self.combat[place.code] if o != unit
                ]
                is_too_weak = any(self._helped(unit) <= other for other in others)
                if victim.power == move.power or is_too_weak:
                    self.bounce(move)
        return len(self.marks) > before

    def _victim(self, move: MoveFacts) -> UnitFacts | None:
        """The unit in the space of a move, if its order is no move or is marked."""
        for unit in move.target.units:
            if not unit.moves or unit.index in self.marks:
                return unit
        return None

    def step_9(self) -> bool:
        """Mark supports cut by dislodgements. True if one was marked."""
        before = list(self.marks.values()).count(_Mark.CUT)
        for move in self.unmarked_moves():
            self.cut_support(move, is_dislodging=True)
        return list(self.marks.values()).count(_Mark.CUT) > before

    def step_10(self) -> None:
        """Move units that did not bounce; who becomes free to move by that, moves after them."""
        while True:
            ready = [m for m in self.unmarked_moves() if m.unit.index not in self.moved]
            if not ready:
                return
            for move in ready:
                self._move(move)

    def _move(self, move: MoveFacts) -> None:
        other = self._victim(move)
        if other is not None:
            self.dislodged.add(other.index)
            fought = any(not m.convoyed and m.target is move.origin for m in other.moves)
            if fought and not move.convoyed:
                self.combat[move.origin.code].pop(other.index, None)
        self.unbounce(move.origin.code)
        if self.standing.get(move.origin.code) is move.unit:
            del self.standing[move.origin.code]
        self.standing[move.target.code] = move.unit
        self.moved.add(move.unit.index)

    # The procedures.

    def cut_support(self, move: MoveFacts, is_dislodging: bool = False) -> None:
        """Procedure cutSupport for a moving unit.

        It does not cut a support "for or against" an attack space: its own space, or for a
        convoyed army those of its fleets "and only those". When dislodging it does (step 9).
        """
        spaces = [c.province for c in move.convoys] if move.convoyed else [move.origin]
        for unit in move.target.units:
            support = unit.candidate
            if (
                not isinstance(support, SupportFacts)
                or self.marks.get(unit.index) in (_Mark.CUT, _Mark.VOID)
                or unit.power == move.power
                or (support.target in spaces and not is_dislodging)
            ):
                continue
            self.marks[unit.index] = _Mark.CUT
            self.count[support.supported.index] -= 1
            self.no_help[support.supported.index].discard(unit.index)

    def check_disruptions(self, move: MoveFacts) -> None:
        """Procedure checkDisruptions for a convoying army: "convoy endangered", or nothing."""
        safe = set()
        for convoy in move.convoys:
            if self._is_in_danger(convoy):
                self.in_danger.add(convoy.index)
            else:
                self.in_danger.discard(convoy.index)
                safe.add(convoy.province.code)
        if not path_exists(self.phase.map, move.origin.code, move.target.code, safe):
            self.marks[move.unit.index] = _Mark.ENDANGERED

    def check_others(self) -> None:
        """Finds which fleets are in danger whose army step 1 has marked; no step asks for them."""
        listed = {move.unit.index for move in self.convoying}
        for convoy in self.phase.convoys:
            if convoy.army.index not in listed and self._is_in_danger(convoy):
                self.in_danger.add(convoy.index)

    def _is_in_danger(self, convoy: ConvoyFacts) -> bool:
        """Whether the combat list of a fleet's space endangers the convoy."""
        code = convoy.province.code
        strongest = self.strongest(code)
        if strongest is not None:
            return self.phase.units[strongest].power != convoy.power
        most = max(self.strength(code, unit) for unit in self.combat[code])
        tied = [unit for unit in self.combat[code] if self.strength(code, unit) == most]
        return (
            self.options.safe_convoys
            and convoy.unit.index not in tied
            and any(self.phase.units[unit].power != convoy.power for unit in tied)
        )

    def bounce(self, move: MoveFacts) -> None:
        """Procedure bounce for a moving unit."""
        self.marks[move.unit.index] = _Mark.BOUNCE
        self.combat[move.origin.code][move.unit.index] = False

    def unbounce(self, code: str) -> None:
        """Procedure unbounce for a space, and for those that become vacant in turn."""
        while True:
            unit = self.strongest(code)
            if unit is None or self.marks.get(unit) is not _Mark.BOUNCE:
                return
            del self.marks[unit]
            if unit in self.dislodged:
                self.dislodged.discard(unit)
                return
            code = self.phase.units[unit].province.code
            self.combat[code].pop(unit, None)


ENGINE = DPjudge()
