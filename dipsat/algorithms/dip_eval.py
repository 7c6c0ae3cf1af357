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
from enum import Enum, auto

from dipsat.algorithms.convoy_path import path_exists
from dipsat.algorithms.engine import Verdicts
from dipsat.equations.facts import MoveFacts, Phase, ProvinceFacts, SupportFacts
from dipsat.profiles.profile import Profile


class DipEval:
    """DIP_EVAL as a judge of movement phases."""

    name = "dip_eval"

    def decide(self, phase: Phase, profile: Profile) -> Verdicts:
        """The verdicts after K4. The profile is not asked.

        A support is given if it is effective ("wirksam"); a fleet is available if K1 does not
        dislodge it.
        """
        return _Evaluation(phase).verdicts()


class _Order(Enum):
    """What has become of a move order so far."""

    OPEN = auto()  # "normaler oder per-Convoy-Bewegungsbefehl": it can still leave its field
    SUCCEEDS = auto()
    IN_VAIN = auto()  # "nicht-gelingend-aber-wirksam": it stays, and still counts where it aimed
    WITHOUT_EFFECT = auto()  # "unwirksam" (III.2.b), or an army without a convoy route: it stays


class _Evaluation:
    """The evaluation of one phase. `orders` is by index of the moves, `effective` by index of
    the supports; a support that no stage has decided is not in it."""

    def __init__(self, phase: Phase) -> None:
        self.phase = phase
        self.orders = [_Order.OPEN] * len(phase.moves)
        self.effective: dict[int, bool] = {}

    def verdicts(self) -> Verdicts:
        """Goes through the stages and reads off the verdicts."""
        self.k1()
        self.k2()
        self.k3()
        self.k4()
        phase = self.phase
        return Verdicts(
            tuple(order is _Order.SUCCEEDS for order in self.orders),
            tuple(self.effective[support.index] for support in phase.supports),
            tuple(self.winner(convoy.province) is None for convoy in phase.convoys),
            tuple(
                not self._leaves(unit.province) and self.winner(unit.province) is not None
                for unit in phase.units
            ),
            frozenset(place.code for place in phase.provinces if self._contested(place)),
        )

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
        attackers = self.attackers(place)
        is_empty = not place.units or self._leaves(place)
        strength = self.attack_strength if is_empty else self.dislodging_strength
        for move in attackers:
            against = [self.attack_strength(other) for other in attackers if other is not move]
            is_lost = self.orders[move.index] is _Order.IN_VAIN
            if not is_lost and strength(move) > max([*against, self.defence(place)]):
                return move
        return None

    def _leaves(self, place: ProvinceFacts) -> bool:
        """Whether the unit in a field leaves it, or is assumed to be able to (IV, K4)."""
        leaving = (_Order.OPEN, _Order.SUCCEEDS)
        return any(self.orders[move.index] in leaving for move in place.departures)

    def decide(self, place: ProvinceFacts) -> None:
        """Evaluates a conflict for good: all but the winner become "nicht-gelingend"."""
        winner = self.winner(place)
        for move in self.attackers(place):
            self.orders[move.index] = _Order.SUCCEEDS if move is winner else _Order.IN_VAIN

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
            attacks = self.attacks_on(support)
            self.effective[support.index] = not any(cuts(support, move) for move in attacks)

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
        places = [place for place in self.phase.provinces if _has_convoy(place)]
        concerned = [support for support in self.phase.supports if support.target in places]
        self.support_all(concerned, lambda _, move: not move.convoyed)
        for place in places:
            self.decide(place)
        lost = {unit.index for place in places for unit in place.units if self.winner(place)}
        for move in self.phase.moves:
            fleets = [c.province.code for c in move.convoys if c.unit.index not in lost]
            ends = move.origin.code, move.target.code
            if move.convoyed and not path_exists(self.phase.map, *ends, fleets):
                self.orders[move.index] = _Order.WITHOUT_EFFECT

    def k2(self) -> None:
        """K2: conflicts on which the effect of supports depends, those about fields from which a
        unit supports into a field that it is attacked from (III.1.b).

        In them supports are effective "die nicht aus den Zielfeldern von Bewegungsbefehlen kommen"
        (here, as everywhere, of another nation). RECONSTRUCTED: after them, a support is effective
        unless its unit is attacked from elsewhere than the field it supports into, or from there
        and dislodged.
        """
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
                return
        self.orders[one.index] = self.orders[other.index] = _Order.IN_VAIN

    def k4(self) -> None:
        """K4: all other attacks. Until nothing changes, conflicts are evaluated as if every unit
        whose order still is to move could leave its field, and who does not win becomes
        "nicht-gelingend". Who is left succeeds."""
        changed = True
        while changed:
            changed = False
            winners = {place.index: self.winner(place) for place in self.phase.provinces}
            for move in self.phase.moves:
                if (
                    self.orders[move.index] is _Order.OPEN
                    and winners[move.target.index] is not move
                ):
                    self.orders[move.index] = _Order.IN_VAIN
                    changed = True
        for move in self.phase.moves:
            if self.orders[move.index] is _Order.OPEN:
                self.orders[move.index] = _Order.SUCCEEDS


def _has_convoy(place: ProvinceFacts) -> bool:
    """Whether a fleet stands there whose order to convoy matches an army's move."""
    return any(unit.convoys for unit in place.units)


def _from_aim(support: SupportFacts, move: MoveFacts) -> bool:
    """Whether a support is into the field that an attack on the supporter comes from."""
    return move.origin is support.target


ENGINE = DipEval()
