"""The data that the algorithm of the DPjudge keeps on units and spaces (Hand, the DPjudge's
adjudication algorithm, before step 1).

Besides the data that the text lists, the records note which step set a mark and why.
"""

from __future__ import annotations

from enum import StrEnum

from dipsat.equations.phase import Phase
from dipsat.game.facts import MoveFacts, UnitFacts
from dipsat.proof.engine import EngineReason


class Mark(StrEnum):
    """The status of an order; without a mark it succeeds."""

    VOID = "void"
    NO_CONVOY = "no convoy"
    ENDANGERED = "convoy endangered"
    UNDER_ATTACK = "convoy under attack"
    CUT = "cut"
    BOUNCE = "bounce"


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
