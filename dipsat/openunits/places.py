"""The provinces that a goal names, in a phase in which it is open where units stand.

The equations know a province by what it is to the units. A goal names provinces of the map: there
the units that may stand there are candidates, each guarded by the literal that it does, and so are
the moves out of it and into it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dipsat.equations.phase import Phase
from dipsat.game.facts import MoveFacts, PositionFacts, ProvinceFacts, UnitFacts
from dipsat.game.position import Position
from dipsat.openunits.facts import Guards, OpenProvince
from dipsat.openunits.slots import Slots
from dipsat.solving.dual_rail import FALSE
from dipsat.terms.term import Term, all_of


class _Candidate:
    """A unit or a move that counts only where a guard holds. All facts about it are its own, and
    it is equal to itself under other guards."""

    def __init__(self, about: UnitFacts | MoveFacts, issued: Term) -> None:
        self._about, self.issued = about, issued

    def __getattr__(self, name: str) -> Any:
        return getattr(self._about, name)

    def __eq__(self, other: object) -> bool:
        about = other._about if isinstance(other, _Candidate) else other
        return self._about is about

    def __hash__(self) -> int:
        return hash(self._about)


class NamedProvince(ProvinceFacts):
    """A province of the map. Compared with one that is known only by what it is to the units, it
    gives the term that they are the same."""

    __slots__ = ("_guards", "_phase", "_slots")

    def __init__(self, code: str, phase: Phase, slots: Slots, guards: Guards) -> None:
        super().__init__(-1, code, PositionFacts(Position(slots.board, ())))
        self._phase, self._slots, self._guards = phase, slots, guards

    def __getattribute__(self, name: str) -> Any:
        # Made when they are read: most goals name few of the provinces.
        if name in ("units", "attackers", "departures"):
            return getattr(self, f"_{name}")()
        return super().__getattribute__(name)

    def __eq__(self, other: object) -> Any:
        """Whether a province is this one, as a term."""
        if isinstance(other, OpenProvince):
            return self._guards.term(other.where.get(self.code, FALSE))
        return self is other

    __hash__ = object.__hash__

    def _there(self, unit: UnitFacts) -> Term:
        return self._guards.term(self._slots.stands_in(unit.index, self.code))

    def _units(self) -> Sequence[Any]:
        found = ((unit, self._there(unit)) for unit in self._phase.units)
        return [_Candidate(unit, there) for unit, there in found if there is not False]

    def _departures(self) -> Sequence[Any]:
        found = ((move, self._there(move.unit)) for move in self._phase.moves)
        return [_both(move, there) for move, there in found if there is not False]

    def _attackers(self) -> Sequence[Any]:
        targets, term = self._slots.target, self._guards.term
        found = (
            (move, term(targets[move.unit.index].get(self.code, FALSE)))
            for move in self._phase.moves
        )
        return [_both(move, here) for move, here in found if here is not False]


def _both(move: MoveFacts, condition: Term) -> _Candidate:
    return _Candidate(move, all_of([move.issued, condition]))


def named_provinces(phase: Phase, slots: Slots, guards: Guards) -> Mapping[str, NamedProvince]:
    """Every province of the map, by its code."""
    return {code: NamedProvince(code, phase, slots, guards) for code in slots.board.provinces}
