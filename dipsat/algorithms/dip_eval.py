"""The algorithm of DIP_EVAL, by Peter Jacobi, 1992: conflicts, decided in four stages.

Source: seed 004, chapters I to IV (German). "K1" to "K4" are its stages. It is written for the
rules of Avalon Hill "von 1983" (the 1982 edition) and independent of the rule profile.

The stored page has lost its bulleted lists. What stands here in their place is marked
RECONSTRUCTED; it follows from the text around the gap, the rules of 1982 and the idea of a
conflict. The gaps are: when there is a conflict, both ways to count strength, and who wins (all in
II); what K1 does; which supports are effective after K2; what K3 does.

An order set without unmatched orders is asked for ("korrekter Befehlssatz", I): RECONSTRUCTED, an
army that no whole convoy is ordered for holds, and so does a unit whose order does not match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto

from dipsat.algorithms.engine import EngineReason, ReasonedVerdicts
from dipsat.algorithms.standard_rules import refuse_variants
from dipsat.equations.chains import convoy_path_exists
from dipsat.equations.facts import MoveFacts, Phase, ProvinceFacts, SupportFacts, UnitFacts
from dipsat.profiles.profile import Profile


@dataclass(frozen=True, slots=True)
class DipEval:
    """DIP_EVAL as a judge of movement phases."""

    name: str = "dip_eval"

    def decide(self, phase: Phase, profile: Profile) -> ReasonedVerdicts:
        """The verdicts after K4. The profile is not asked, but for whether it is of a variant
        that the algorithm knows nothing of (`NotMadeForError`).

        A support is given if it is effective ("wirksam"); a fleet is available if K1 does not
        dislodge it. The reasons tell which stage decided, and by which conflict.
        """
        refuse_variants(self.name, profile)
        return _Evaluation(phase).verdicts()


class _Order(Enum):
    """What has become of a move order so far."""

    OPEN = auto()  # "normaler oder per-Convoy-Bewegungsbefehl": it can still leave its field
    SUCCEEDS = auto()
    IN_VAIN = auto()  # "nicht-gelingend-aber-wirksam": it stays, and still counts where it aimed
    WITHOUT_EFFECT = auto()  # "unwirksam" (III.2.b), or an army without a convoy route: it stays


class _Evaluation:
    """The evaluation of one phase. `orders` is by index of the moves, `effective` by index of
    the supports; a support that no stage has decided is not in it. `stage` is the one at work,
    `reasons` what one said last of a unit's order."""

    def __init__(self, phase: Phase) -> None:
        self.phase = phase
        self.stage = ""
        self.reasons = [EngineReason("")] * len(phase.units)
        self.orders = [_Order.OPEN] * len(phase.moves)
        self.effective: dict[int, bool] = {}

    def verdicts(self) -> ReasonedVerdicts:
        """Goes through the stages and reads off the verdicts."""
        self.k1()
        self.k2()
        self.k3()
        self.k4()
        phase = self.phase
        return ReasonedVerdicts(
            tuple(order is _Order.SUCCEEDS for order in self.orders),
            tuple(self.effective[support.index] for support in phase.supports),
            tuple(self.winner(convoy.province) is None for convoy in phase.convoys),
            tuple(
                not self._leaves(unit.province) and self.winner(unit.province) is not None
                for unit in phase.units
            ),
            frozenset(place.code for place in phase.provinces if self._contested(place)),
            tuple(self.reasons),
        )

    def _note(self, unit: UnitFacts, text: str, *because: UnitFacts) -> None:
        """Note what the stage at work finds about a unit's order."""
        culprits = tuple(other.index for other in because)
        self.reasons[unit.index] = EngineReason(f"{self.stage}: {text}", culprits)

    def _contested(self, place: ProvinceFacts) -> bool:
        """Whether a field is empty because those who wanted to enter it were in each other's
        way."""
        is_empty = not place.units or self._leaves(place)
        return is_empty and bool(self.attackers(place)) and self.winner(place) is None

    # II. The evaluation of a single conflict.

    def attackers(self, place: ProvinceFacts) -> list[MoveFacts]:
        """The effective move orders into a field.

        RECONSTRUCTED: there is a conflict about a field if units are ordered to move into it.
        """
        return [m for m in place.attackers if self.orders[m.index] is not _Order.WITHOUT_EFFECT]

    def attack_strength(self, move: MoveFacts) -> int:
        """RECONSTRUCTED: one, and one for each effective support."""
        return 1 + sum(self.effective[support.index] for support in move.supports)

    def dislodging_strength(self, move: MoveFacts) -> int:
        """The strength of an attack on a unit that stays in the field, counted once more "um dem
        Verbot, sich selbst zu vertreiben, Rechnung zu tragen".

        RECONSTRUCTED: with X the nation of that unit, it is zero for an attack by X, and the
        supports by X do not count for another.
        """
        own = {unit.power for unit in move.target.units}
        if move.power in own:
            return 0
        return 1 + sum(self.effective[s.index] for s in move.supports if s.power not in own)

    def defence(self, place: ProvinceFacts) -> int:
        """The strength of the unit that stays in a field.

        RECONSTRUCTED: zero if there is none; one if it was to move ("nicht-gelingend"); else one
        and one for each effective support to hold.
        """
        if not place.units or self._leaves(place):
            return 0
        supports = [support for unit in place.units for support in unit.supports]
        return 1 + sum(self.effective[support.index] for support in supports)

    def winner(self, place: ProvinceFacts) -> MoveFacts | None:
        """The attack that wins the conflict about a field, apart from opposing attacks.

        RECONSTRUCTED: it must be stronger than every other attack, and where a unit stays in the
        field, stronger also with the strength that is counted for dislodging, and stronger than
        that unit's. A move order that is "nicht-gelingend" already does not win, it only counts
        against the others.
        """
        for move in self.attackers(place):
            is_lost = self.orders[move.index] is _Order.IN_VAIN
            most = max((strength for strength, _ in self._opposition(move)), default=0)
            if not is_lost and self._strength(move) > most:
                return move
        return None

    def _strength(self, move: MoveFacts) -> int:
        """The strength with which a move has to win the conflict about its target."""
        is_empty = not move.target.units or self._leaves(move.target)
        return self.attack_strength(move) if is_empty else self.dislodging_strength(move)

    def _opposition(self, move: MoveFacts) -> list[tuple[int, UnitFacts]]:
        """The strengths against a move in the conflict about its target, and whose they are."""
        place = move.target
        others = [other for other in self.attackers(place) if other is not move]
        found = [(self.attack_strength(other), other.unit) for other in others]
        return found + [(self.defence(place), unit) for unit in place.units]

    def _note_failure(self, move: MoveFacts) -> None:
        """Note what is too strong for a move."""
        most, whose = max(self._opposition(move), key=lambda one: one[0])
        strength = self._strength(move)
        text = f"in vain, its strength {strength} is not greater than {most} of {whose}"
        self._note(move.unit, text, whose)

    def _leaves(self, place: ProvinceFacts) -> bool:
        """Whether the unit in a field leaves it, or is assumed to be able to (IV, K4)."""
        leaving = (_Order.OPEN, _Order.SUCCEEDS)
        return any(self.orders[move.index] in leaving for move in place.departures)

    def decide(self, place: ProvinceFacts) -> None:
        """Evaluates a conflict for good: all but the winner become "nicht-gelingend"."""
        winner = self.winner(place)
        for move in self.attackers(place):
            if move is winner:
                self._succeed(move)
            elif self.orders[move.index] is not _Order.IN_VAIN:
                self._note_failure(move)
                self.orders[move.index] = _Order.IN_VAIN

    def _succeed(self, move: MoveFacts) -> None:
        self.orders[move.index] = _Order.SUCCEEDS
        self._note(move.unit, f"wins the conflict about {move.target}")

    # III. What the effect of supports depends on.

    def attacks_on(self, support: SupportFacts) -> list[MoveFacts]:
        """The move orders that may cut a support: effective ones of another nation.

        RECONSTRUCTED: that a nation does not cut its own supports.
        """
        attackers = self.attackers(support.province)
        return [move for move in attackers if move.power != support.power]

    def support_all(
        self, supports: Iterable[SupportFacts], cuts: Callable[[SupportFacts, MoveFacts], bool]
    ) -> None:
        """Decides that supports are effective but where an attack on the supporter cuts them."""
        for support in supports:
            cutting = [move for move in self.attacks_on(support) if cuts(support, move)]
            self.effective[support.index] = not cutting
            if cutting:
                is_beaten = self.orders[cutting[0].index] is _Order.SUCCEEDS
                text = f"without effect, {cutting[0]} {'dislodges' if is_beaten else 'attacks'} it"
                self._note(support.unit, text, cutting[0].unit)
            else:
                self._note(support.unit, "effective")

    # IV. The order of evaluation.

    def k1(self) -> None:
        """K1: conflicts about fields in which convoying fleets stand, "nicht vom Ausgang anderer
        Konflikte abhängig".

        By III.1.a the supports in them do not depend on convoys: an attack by convoy does not cut
        them. RECONSTRUCTED: every other attack does; a support into the field from which the
        supporter is attacked (III.1.b) cannot occur here, as a convoying fleet attacks nothing.
        RECONSTRUCTED: whether an army has a route left is then known, and if not it has no effect
        on the field it was to go to.
        """
        self.stage = "K1"
        places = [place for place in self.phase.provinces if _has_convoy(place)]
        concerned = [support for support in self.phase.supports if support.target in places]
        self.support_all(concerned, lambda _, move: not move.convoyed)
        for place in places:
            self.decide(place)
        winners = {place.index: self.winner(place) for place in places}
        lost = [convoy for convoy in self.phase.convoys if winners[convoy.province.index]]
        for move in self.phase.moves:
            fleets = [convoy for convoy in move.convoys if convoy not in lost]
            if move.convoyed and not convoy_path_exists(move, fleets):
                self.orders[move.index] = _Order.WITHOUT_EFFECT
                units = [convoy.unit for convoy in move.convoys if convoy in lost]
                names = "".join(f", {unit} is dislodged" for unit in units)
                self._note(move.unit, f"without effect, no convoy route is left{names}", *units)
        for convoy in self.phase.convoys:
            winner = winners[convoy.province.index]
            if winner is None:
                self._note(convoy.unit, "not dislodged")
            else:
                self._note(convoy.unit, f"dislodged by {winner}", winner.unit)

    def k2(self) -> None:
        """K2: conflicts on which the effect of supports depends, those about fields from which a
        unit supports into a field that it is attacked from (III.1.b).

        In them supports are effective "die nicht aus den Zielfeldern von Bewegungsbefehlen kommen"
        (here, as everywhere, of another nation). RECONSTRUCTED: after them, a support is effective
        unless its unit is attacked from elsewhere than the field it supports into, or from there
        and dislodged.
        """
        self.stage = "K2"
        left = [s for s in self.phase.supports if s.index not in self.effective]
        doubtful = [s for s in left if any(_from_aim(s, move) for move in self.attacks_on(s))]
        places = list({s.province.index: s.province for s in doubtful}.values())
        self.support_all(left, lambda _, __: True)
        for place in places:
            self.decide(place)
        self.support_all(
            left,
            lambda s, move: not _from_aim(s, move) or self.orders[move.index] is _Order.SUCCEEDS,
        )

    def k3(self) -> None:
        """K3: opposing attacks.

        RECONSTRUCTED from III.2: of two units that move against each other, neither by convoy, one
        succeeds if it wins the conflict about its target while the other stays there, and is
        stronger than the other; that other one's attack then is without effect. If neither does,
        both are "nicht-gelingend".
        """
        self.stage = "K3"
        for move in self.phase.moves:
            for other in move.opponents:
                if self.orders[move.index] is _Order.OPEN and move.index < other.index:
                    self._oppose(move, other)

    def _oppose(self, one: MoveFacts, other: MoveFacts) -> None:
        for move, against in ((one, other), (other, one)):
            self.orders[move.index], self.orders[against.index] = _Order.OPEN, _Order.IN_VAIN
            is_stronger = self.dislodging_strength(move) > self.attack_strength(against)
            if is_stronger and self.winner(move.target) is move:
                self.decide(move.target)
                self.orders[against.index] = _Order.WITHOUT_EFFECT
                self._note(against.unit, f"without effect, beaten by {move}", move.unit)
                return
        self._note(one.unit, f"in vain, neither it nor {other} wins", other.unit)
        self._note(other.unit, f"in vain, neither it nor {one} wins", one.unit)
        self.orders[one.index] = self.orders[other.index] = _Order.IN_VAIN

    def k4(self) -> None:
        """K4: all other attacks. Until nothing changes, conflicts are evaluated as if every unit
        whose order still is to move could leave its field, and who does not win becomes
        "nicht-gelingend". Who is left succeeds."""
        self.stage = "K4"
        changed = True
        while changed:
            winners = {place.index: self.winner(place) for place in self.phase.provinces}
            failing = [m for m in self._open_moves() if winners[m.target.index] is not m]
            for move in failing:
                self._note_failure(move)
            for move in failing:
                self.orders[move.index] = _Order.IN_VAIN
            changed = bool(failing)
        for move in self._open_moves():
            self._succeed(move)

    def _open_moves(self) -> list[MoveFacts]:
        return [move for move in self.phase.moves if self.orders[move.index] is _Order.OPEN]


def _has_convoy(place: ProvinceFacts) -> bool:
    """Whether a fleet stands there whose order to convoy matches an army's move."""
    return any(unit.convoys for unit in place.units)


def _from_aim(support: SupportFacts, move: MoveFacts) -> bool:
    """Whether a support is into the field that an attack on the supporter comes from."""
    return move.origin is support.target


ENGINE = DipEval()
