"""The algorithm of DIP_EVAL, by Peter Jacobi, 1992: conflicts, decided in four stages.

Source: Jacobi, "Ein Algorithmus zur Auswertung von Diplomacy", chapters I to IV (German): the
conflicts in II, which supports are effective in III, the stages K1 to K4 in IV. It is
written for the rules of Avalon Hill "von 1983" (the 1982 edition) and independent of the rule
profile. `transform` turns an order set into another whose orders can all be carried out. The engine
gives it the orders of a phase and reads the verdicts from the result.

The stored page has lost its bulleted lists. Their replacements are marked RECONSTRUCTED. They
follow from the text around the gaps, the rules of 1982 and the idea of a conflict. The gaps are:
when there is a conflict, both ways to count strength, and who wins (all in II); what K1 does; which
supports are effective after K2; what K3 does.

The algorithm needs an order set without unmatched orders ("korrekter Befehlssatz", I).
RECONSTRUCTED: an army without a complete convoy holds, and so does a unit whose order does not
match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto

from dipsat.base import grouped
from dipsat.equations import Phase, links_of
from dipsat.game import ConvoyFacts, MoveFacts, SupportFacts, UnitFacts
from dipsat.outcomes import (
    Convoy,
    EngineReason,
    Hold,
    Move,
    Order,
    OrderedUnit,
    OrderSet,
    ReasonedVerdicts,
    Support,
    has_route,
)
from dipsat.rules import Profile
from dipsat.studies.order_sets import refuse_unmatched
from dipsat.studies.standard_rules import refuse_variants


class State(Enum):
    """The state of a move order."""

    OPEN = auto()  # "normaler oder per-Convoy-Bewegungsbefehl": it can still leave its field
    SUCCEEDS = auto()
    IN_VAIN = auto()  # "nicht-gelingend-aber-wirksam": it stays, and still counts where it aimed
    WITHOUT_EFFECT = auto()  # "unwirksam" (III.2.b), or an army without a convoy route: it stays


class Conflicts:
    """Decides the orders of a set, which must match each other. A unit is known by its province. A
    move that already `fails` was decided by an earlier stage: its unit stays, and the move counts.

    `state` maps the province of each moving unit, `effective` that of each supporter; a support
    that no stage has decided is missing from it. `stage` is the current stage, `notes` the last
    note on each unit's order, with the units whose orders caused it.
    """

    def __init__(self, orders: OrderSet) -> None:
        self.stage = ""
        self.notes: dict[str, tuple[str, tuple[OrderedUnit, ...]]] = {}
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
        for stage in (self._k1, self._k2, self._k3, self._k4):
            self.stage = stage.__name__.upper().removeprefix("_")
            stage()

    def note(self, unit: OrderedUnit, text: str, *because: OrderedUnit) -> None:
        """Note what the current stage finds about a unit's order."""
        self.notes[unit.province] = f"{self.stage}: {text}", because

    def state_of(self, move: Move) -> State:
        """The state of a move order."""
        return self.state[move.unit.province]

    def set_state(self, move: Move, state: State) -> None:
        """Decide a move order, or assume a decision."""
        self.state[move.unit.province] = state

    def _open_moves(self) -> list[Move]:
        return [move for move in self.moves if self.state_of(move) is State.OPEN]

    def supports(self, origin: str, target: str) -> list[Support]:
        """The supports for the unit in one field to move into another, or to stay."""
        return self._backing.get((origin, target), [])

    def attackers(self, place: str) -> list[Move]:
        """The effective move orders into a field.

        RECONSTRUCTED: there is a conflict over a field if units are ordered to move into it.
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
        """The attack that wins the conflict over a field, apart from opposing attacks.

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
        self.note(move.unit, f"wins the conflict over {move.target}")

    def note_failure(self, move: Move) -> None:
        """Note what was too strong for a move."""
        most, whose = max(self._opposition(move), key=lambda one: one[0])
        strength = self._strength(move)
        text = f"fails, its strength {strength} is not greater than {most} of {whose}"
        self.note(move.unit, text, whose)

    def _strength(self, move: Move) -> int:
        """The strength that counts for a move in the conflict over its target."""
        is_empty = self.is_empty(move.target)
        return self.attack_strength(move) if is_empty else self.dislodging_strength(move)

    def _opposition(self, move: Move) -> list[tuple[int, OrderedUnit]]:
        """The strengths against a move in the conflict over its target, each with its unit."""
        place = move.target
        others = [other for other in self.attackers(place) if other is not move]
        found = [(self.attack_strength(other), other.unit) for other in others]
        there = self.at.get(place)
        return found if there is None else [*found, (self.defence(place), there.unit)]

    def transformed(self) -> OrderSet:
        """The resulting order set, "dessen sämtliche Befehle ausgeführt werden können" (I).

        A futile move becomes a failed one. Orders that cannot be carried out at all become
        holds: a move or a support without effect, the convoy of a dislodged fleet, the convoy of an
        army that does not move by convoy, and a support or convoy for a move that itself becomes a
        hold.
        """
        kept = (self._kept(order) for order in self.at.values())
        return OrderSet.of(kept, self.borders)

    def _kept(self, order: Order) -> Order:
        place = order.unit.province
        if isinstance(order, Move):
            is_in_vain = self.state[place] is State.IN_VAIN
            is_kept = self.state[place] is not State.WITHOUT_EFFECT
            order = replace(order, fails=True) if is_in_vain and not order.fails else order
        elif isinstance(order, Support):
            is_kept = self.effective[place] and self._has_object(order)
        elif isinstance(order, Convoy):
            is_kept = not self.is_dislodged(place) and self._has_object(order)
        else:
            return order
        return order if is_kept else Hold(order.unit)

    def _has_object(self, order: Support | Convoy) -> bool:
        """Whether the order that a unit supports or convoys is still there."""
        move = self.at[order.origin]
        if not isinstance(move, Move):
            return True
        is_carried = move.by_convoy or isinstance(order, Support)
        return is_carried and self.state_of(move) is not State.WITHOUT_EFFECT

    # III. Which supports are effective.

    def _attacks_on(self, support: Support) -> list[Move]:
        """The move orders that may cut a support: effective ones of another nation.

        RECONSTRUCTED: a nation does not cut its own supports.
        """
        attackers = self.attackers(support.unit.province)
        return [move for move in attackers if move.unit.power != support.unit.power]

    def _support_all(self, supports: Iterable[Support], cuts: Cuts) -> None:
        """Decide that supports are effective unless an attack on the supporter cuts them."""
        for support in supports:
            cutting = [move for move in self._attacks_on(support) if cuts(support, move)]
            self.effective[support.unit.province] = not cutting
            if cutting:
                is_beaten = self.state_of(cutting[0]) is State.SUCCEEDS
                text = f"without effect, {cutting[0]} {'dislodges' if is_beaten else 'attacks'} it"
                self.note(support.unit, text, cutting[0].unit)
            else:
                self.note(support.unit, "effective")

    # IV. The order of evaluation.

    def _k1(self) -> None:
        """K1: conflicts over fields in which convoying fleets stand, "nicht vom Ausgang anderer
        Konflikte abhängig".

        By III.1.a the supports in them do not depend on convoys: an attack by convoy does not cut
        them. RECONSTRUCTED: every other attack does. A support into the field from which the
        supporter is attacked (III.1.b) cannot occur here, since a convoying fleet attacks nothing.
        RECONSTRUCTED: it is then known whether an army has a route left; if not, it has no effect
        on its target.
        """
        places = {convoy.unit.province for convoy in self.convoys}
        concerned = [support for support in self.all_supports if support.target in places]
        self._support_all(concerned, lambda _, move: not move.by_convoy)
        for convoy in self.convoys:
            self.decide(convoy.unit.province)
        lost = {}
        for convoy in self.convoys:
            winner = self.entering(convoy.unit.province)
            if winner is None:
                self.note(convoy.unit, "not dislodged")
            else:
                self.note(convoy.unit, f"dislodged by {winner}", winner.unit)
                lost[convoy.unit.province] = convoy.unit
        for move in self.moves:
            if move.by_convoy:
                self._ask_for_route(move, lost)

    def _ask_for_route(self, move: Move, lost: Mapping[str, OrderedUnit]) -> None:
        """Decide that a move by convoy has no effect if it has no route without the lost fleets."""
        fleets = [
            convoy.unit.province for convoy in self.convoys
            if (convoy.origin, convoy.target) == (move.unit.province, move.target)
        ]  # fmt: skip
        left = [fleet for fleet in fleets if fleet not in lost]
        if not has_route(move, left, self.borders):
            self.set_state(move, State.WITHOUT_EFFECT)
            units = [lost[fleet] for fleet in fleets if fleet in lost]
            names = "".join(f", {unit} is dislodged" for unit in units)
            text = f"without effect, its convoy is disrupted{names}"
            self.note(move.unit, text, *units)

    def _k2(self) -> None:
        """K2: conflicts on which the effect of supports depends. They are about fields from which a
        unit supports into a field that it is attacked from (III.1.b).

        In them, supports are effective "die nicht aus den Zielfeldern von Bewegungsbefehlen kommen"
        (here, as everywhere, of another nation). RECONSTRUCTED: afterwards, a support is effective
        unless its unit is attacked from a field other than the one it supports into, or dislodged
        from that field.
        """
        left = [s for s in self.all_supports if s.unit.province not in self.effective]
        doubtful = [s for s in left if any(_from_aim(s, m) for m in self._attacks_on(s))]
        self._support_all(left, lambda _, __: True)
        for support in doubtful:
            self.decide(support.unit.province)
        self._support_all(
            left, lambda s, move: not _from_aim(s, move) or self.state_of(move) is State.SUCCEEDS
        )

    def _k3(self) -> None:
        """K3: opposing attacks.

        RECONSTRUCTED from III.2: of two units that move against each other, neither by convoy, one
        succeeds if it wins the conflict over its target while the other stays there, and is
        stronger than the other, whose attack is then without effect. If neither does, both are
        "nicht-gelingend".
        """
        for move in self.moves:
            other = self.at.get(move.target)
            if isinstance(other, Move) and other.target == move.unit.province:
                is_by_convoy = move.by_convoy or other.by_convoy
                states = {self.state_of(move), self.state_of(other)}
                if not is_by_convoy and states == {State.OPEN}:
                    self._oppose(move, other)

    def _oppose(self, one: Move, other: Move) -> None:
        for move, against in ((one, other), (other, one)):
            self.set_state(move, State.OPEN)
            self.set_state(against, State.IN_VAIN)
            is_stronger = self.dislodging_strength(move) > self.attack_strength(against)
            if is_stronger and self.winner(move.target) is move:
                self.decide(move.target)
                self.set_state(against, State.WITHOUT_EFFECT)
                self.note(against.unit, f"without effect, beaten by {move}", move.unit)
                return
        self.note(one.unit, f"fails, neither it nor {other} wins", other.unit)
        self.note(other.unit, f"fails, neither it nor {one} wins", one.unit)
        self.set_state(one, State.IN_VAIN)
        self.set_state(other, State.IN_VAIN)

    def _k4(self) -> None:
        """K4: all other attacks. Until nothing changes, conflicts are evaluated as if every unit
        still ordered to move could leave its field, and attacks that do not win become
        "nicht-gelingend". Those that are left succeed."""
        while failing := [m for m in self._open_moves() if self.winner(m.target) is not m]:
            for move in failing:
                self.note_failure(move)
            for move in failing:
                self.set_state(move, State.IN_VAIN)
        for move in self._open_moves():
            self.succeed(move)


Cuts = Callable[[Support, Move], bool]


def _from_aim(support: Support, move: Move) -> bool:
    """Whether a support is into the field that an attack on the supporter comes from."""
    return move.unit.province == support.target


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformingVerdicts(ReasonedVerdicts):
    """The verdicts of DIP_EVAL, and the order set that they are about."""

    orders: OrderSet

    @property
    def transformed(self) -> OrderSet:
        """The order set into which DIP_EVAL turns this one."""
        return Conflicts(self.orders).transformed()


@dataclass(frozen=True, slots=True)
class DipEval:
    """DIP_EVAL as a judge of movement phases."""

    name: str = "dip_eval"

    def decide(self, phase: Phase, profile: Profile) -> TransformingVerdicts:
        """Return the verdicts after K4. The profile matters only if it declares a variant that the
        algorithm is not made for (`NotMadeForError`).

        A support is given if it is effective ("wirksam"); a fleet is available if K1 does not
        dislodge it. The reasons name the stage that decided, and the conflict.
        """
        refuse_variants(self.name, profile)
        orders = order_set_of(phase)
        found = Conflicts(orders)
        index = {unit.province.code: unit.index for unit in phase.units}
        notes = [found.notes.get(unit.province.code, ("", ())) for unit in phase.units]
        return TransformingVerdicts(
            tuple(found.state[move.origin.code] is State.SUCCEEDS for move in phase.moves),
            tuple(found.effective[support.province.code] for support in phase.supports),
            tuple(not found.is_dislodged(convoy.province.code) for convoy in phase.convoys),
            tuple(found.is_dislodged(unit.province.code) for unit in phase.units),
            frozenset(place.code for place in phase.provinces if found.is_contested(place.code)),
            tuple(
                EngineReason(text, tuple(index[unit.province] for unit in because))
                for text, because in notes
            ),
            orders=orders,
        )


def transform(orders: OrderSet) -> OrderSet:
    """Return the order set into which DIP_EVAL turns this one, all of whose orders can be carried
    out.

    In Jacobi, "Ein Algorithmus zur Auswertung von Diplomacy", I, only the resulting set can have a
    move that `fails`. Here the given set can have one too, as it does between the stages: that move
    is already decided.

    Raises `OrderFaultError` if an order does not match the others, `ProblemsError` if several do
    not.
    """
    refuse_unmatched(orders)
    return Conflicts(orders).transformed()


def order_set_of(phase: Phase) -> OrderSet:
    """The orders of a phase in the form that DIP_EVAL takes, with what it needs from the map."""
    borders: dict[str, tuple[str, ...]] = {}
    for move in phase.moves:
        if move.convoys:
            borders |= _borders(move)
    return OrderSet.of((_order(unit) for unit in phase.units), borders)


def _order(unit: UnitFacts) -> Order:
    piece = OrderedUnit(unit.power, str(unit.unit.kind), unit.unit.location)
    match unit.candidate:
        case MoveFacts() as move:
            return Move(piece, move.target_location, move.convoyed)
        case SupportFacts() as support:
            return Support(piece, support.origin.code, support.target.code)
        case ConvoyFacts() as convoy:
            return Convoy(piece, convoy.origin.code, convoy.target.code)
        case _:
            return Hold(piece)


def _borders(move: MoveFacts) -> dict[str, tuple[str, ...]]:
    """The fleets that may carry an army -> the parts of its route that each borders."""
    fleets = [convoy.province.code for convoy in move.convoys]
    links = links_of({}, move.origin, move.target, move.convoys)
    return {
        fleet: (
            *([move.origin.code] if at in links.starts else []),
            *([move.target.code] if at in links.ends else []),
            *(fleets[other] for other in links.near[at]),
        )
        for at, fleet in enumerate(fleets)
    }


ENGINE = DipEval()
