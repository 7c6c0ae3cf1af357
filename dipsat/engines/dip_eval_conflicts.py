"""Conflicts of DIP_EVAL: the state of the orders so far, and who wins a field.

Source: Jacobi, "Ein Algorithmus zur Auswertung von Diplomacy", chapter II. What replaces its lost
lists is marked RECONSTRUCTED (`dipsat.engines.dip_eval`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from dipsat.proof.engine import Convoy, Move, Order, OrderedUnit, OrderSet, Support
from dipsat.values import grouped


class State(Enum):
    """The state of a move order."""

    OPEN = auto()  # "normaler oder per-Convoy-Bewegungsbefehl": it can still leave its field
    SUCCEEDS = auto()
    IN_VAIN = auto()  # "nicht-gelingend-aber-wirksam": it stays, and still counts where it aimed
    WITHOUT_EFFECT = auto()  # "unwirksam" (III.2.b), or an army without a convoy route: it stays


@dataclass(frozen=True, slots=True)
class Note:
    """What a stage has found about a unit's order, and the units whose orders caused it."""

    text: str
    because: tuple[OrderedUnit, ...] = ()


class Conflicts:
    """The orders of a set and their states. A unit is known by its province.

    `state` maps the province of each moving unit, `effective` that of each supporter; a support
    that no stage has decided is missing from it. `stage` is the stage at work, `notes` the last
    note on each unit's order.
    """

    def __init__(self, orders: OrderSet) -> None:
        self.stage = ""
        self.notes: dict[str, Note] = {}
        self.at: dict[str, Order] = {order.unit.province: order for order in orders.orders}
        self.moves = [order for order in orders.orders if isinstance(order, Move)]
        self.all_supports = [order for order in orders.orders if isinstance(order, Support)]
        self.convoys = [order for order in orders.orders if isinstance(order, Convoy)]
        self.borders = dict(orders.borders)
        self.effective: dict[str, bool] = {}
        self.state = {
            move.unit.province: State.IN_VAIN if move.fails else State.OPEN for move in self.moves
        }
        self._into = grouped((move.target, move) for move in self.moves)
        self._backing = grouped(((one.origin, one.target), one) for one in self.all_supports)

    def note(self, unit: OrderedUnit, text: str, *because: OrderedUnit) -> None:
        """Note what the current stage finds about a unit's order."""
        self.notes[unit.province] = Note(f"{self.stage}: {text}", because)

    def state_of(self, move: Move) -> State:
        """The state of a move order."""
        return self.state[move.unit.province]

    def set_state(self, move: Move, state: State) -> None:
        """Decide a move order, or assume a decision."""
        self.state[move.unit.province] = state

    def open_moves(self) -> list[Move]:
        """The undecided move orders."""
        return [move for move in self.moves if self.state_of(move) is State.OPEN]

    def targets(self) -> list[str]:
        """The fields that units are ordered to enter."""
        return list(self._into)

    def supports(self, origin: str, target: str) -> list[Support]:
        """The supports for the unit in one field to move into another, or to stay."""
        return self._backing.get((origin, target), [])

    def attackers(self, place: str) -> list[Move]:
        """The effective move orders into a field.

        RECONSTRUCTED: there is a conflict about a field if units are ordered to move into it.
        """
        state, none = self.state, State.WITHOUT_EFFECT
        into = self._into.get(place, ())
        return [move for move in into if state[move.unit.province] is not none]

    def leaves(self, place: str) -> bool:
        """Whether the unit in a field leaves it, or is assumed to be able to (IV, K4)."""
        return self.state.get(place) in (State.OPEN, State.SUCCEEDS)

    def is_empty(self, place: str) -> bool:
        """Whether no unit stays in a field."""
        return place not in self.at or self.leaves(place)

    def attack_strength(self, move: Move) -> int:
        """RECONSTRUCTED: one, plus one for each effective support."""
        backing = self.supports(move.unit.province, move.target)
        return 1 + sum(self.effective[support.unit.province] for support in backing)

    def dislodging_strength(self, move: Move) -> int:
        """The strength of an attack on a unit that stays in the field, counted separately "um dem
        Verbot, sich selbst zu vertreiben, Rechnung zu tragen".

        RECONSTRUCTED: if X is the nation of that unit, an attack by X has strength zero, and
        supports by X do not count for other attacks.
        """
        own = self.at[move.target].unit.power
        if move.unit.power == own:
            return 0
        backing = self.supports(move.unit.province, move.target)
        return 1 + sum(self.effective[s.unit.province] for s in backing if s.unit.power != own)

    def defence(self, place: str) -> int:
        """The strength of the unit that stays in a field.

        RECONSTRUCTED: zero if there is none; one if it was ordered to move ("nicht-gelingend");
        otherwise one, plus one for each effective support to hold.
        """
        if self.is_empty(place):
            return 0
        backing = self.supports(place, place)
        return 1 + sum(self.effective[support.unit.province] for support in backing)

    def winner(self, place: str) -> Move | None:
        """The attack that wins the conflict about a field, apart from opposing attacks.

        RECONSTRUCTED: it must be stronger than every other attack. Where a unit stays in the field,
        the attack's dislodging strength must also be greater than the other attacks and than that
        unit's strength. A move order that is already "nicht-gelingend" cannot win; it only counts
        against the others.
        """
        for move in self.attackers(place):
            is_lost = self.state_of(move) is State.IN_VAIN
            most = max((strength for strength, _ in self._opposition(move)), default=0)
            if not is_lost and self._strength(move) > most:
                return move
        return None

    def entering(self, place: str) -> Move | None:
        """The move into a field that has succeeded."""
        into = self._into.get(place, ())
        return next((move for move in into if self.state_of(move) is State.SUCCEEDS), None)

    def is_dislodged(self, place: str) -> bool:
        """Whether the unit in a field stays and another enters."""
        return self.entering(place) is not None and not self.is_empty(place)

    def is_contested(self, place: str) -> bool:
        """Whether a standoff has left a field empty."""
        is_wanted = bool(self.attackers(place)) and self.is_empty(place)
        return is_wanted and self.entering(place) is None

    def decide(self, place: str) -> None:
        """Decide a conflict: all but the winner become "nicht-gelingend"."""
        winner = self.winner(place)
        for move in self.attackers(place):
            if move is winner:
                self.succeed(move)
            elif self.state_of(move) is not State.IN_VAIN:
                self.note_failure(move)
                self.set_state(move, State.IN_VAIN)

    def succeed(self, move: Move) -> None:
        """Let a move succeed."""
        self.set_state(move, State.SUCCEEDS)
        self.note(move.unit, f"wins the conflict about {move.target}")

    def note_failure(self, move: Move) -> None:
        """Note what was too strong for a move."""
        most, whose = max(self._opposition(move), key=lambda one: one[0])
        strength = self._strength(move)
        text = f"in vain, its strength {strength} is not greater than {most} of {whose}"
        self.note(move.unit, text, whose)

    def _strength(self, move: Move) -> int:
        """The strength that counts for a move in the conflict about its target."""
        is_empty = self.is_empty(move.target)
        return self.attack_strength(move) if is_empty else self.dislodging_strength(move)

    def _opposition(self, move: Move) -> list[tuple[int, OrderedUnit]]:
        """The strengths against a move in the conflict about its target, each with its unit."""
        place = move.target
        others = [other for other in self.attackers(place) if other is not move]
        found = [(self.attack_strength(other), other.unit) for other in others]
        there = self.at.get(place)
        return found if there is None else [*found, (self.defence(place), there.unit)]
