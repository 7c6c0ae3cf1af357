"""The outcome of a retreat phase (DATC 6.H)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dipsat.base import grouped
from dipsat.board import province_of
from dipsat.equations import Grounder, Phase
from dipsat.errors import OrderFaultError
from dipsat.game import (
    NAMED_BETTER,
    DislodgedUnit,
    IllegalError,
    Note,
    Position,
    PositionFacts,
    RetreatFacts,
    Submission,
    by_location,
    foreign_unit,
    gives_way,
    refusal_of,
    settle_name,
    settle_retreat,
    with_reading,
)
from dipsat.orders import Disband, Move, Order, Retreat, Unit, Waive, unit_of, write_order
from dipsat.outcomes.outcome import Outcome, PhaseOrder, Reason
from dipsat.outcomes.sentences import reason_of
from dipsat.rules import Profile


class RetreatOutcome(Outcome):
    """The results of a retreat phase: which units retreat, which are disbanded, and what comes
    next.

    A unit without a legal retreat order is disbanded. Units that retreat to the same province are
    disbanded too, unless the profile's `retreat_succeeds` says otherwise.
    """

    def __init__(
        self, position: Position, profile: Profile, submissions: Sequence[Submission]
    ) -> None:
        super().__init__(position, profile)
        self._lost = {lost.unit.province: lost for lost in position.dislodged}
        self._ruled = self._best_named([self._rule(submission) for submission in submissions])
        self._retreats = self._chosen()
        self._carried_out = self._succeeding()

    @cached_property
    def orders(self) -> tuple[PhaseOrder, ...]:
        """The outcome of every order, and of every dislodged unit without one, by power."""
        found = [self._outcome_of(one) for one in self._ruled]
        ordered = {one.lost.unit.location for one in self._ruled if one.lost is not None}
        for lost in self.position.dislodged:
            if lost.unit.location not in ordered:
                reason = Reason("no_order", "without an order it is disbanded")
                disband = Disband(lost.unit.name)
                found.append(self._outcome(lost.unit, None, "succeeds", disband, reason))
        return tuple(sorted(found, key=lambda order: (order.power, order.unit)))

    @cached_property
    def units_after(self) -> tuple[Unit, ...]:
        """The units after the phase, sorted by location."""
        moved = [
            unit_of(
                facts.power, facts.unit.unit.kind, facts.target_location, facts.unit.unit.attributes
            )
            for location, facts in self._retreats.items()
            if location in self._carried_out
        ]
        return by_location((*self.position.units, *moved))

    def _succeeding(self) -> frozenset[str]:
        """The locations of the units whose retreats are carried out."""
        if not self._retreats:
            return frozenset()
        if "retreat_succeeds" not in self.profile.results:
            facts = next(iter(self._retreats.values()))
            raise OrderFaultError(
                facts.power, [str(facts)], f"the profile {self.rules!r} has no `retreat_succeeds`"
            )
        nothing = Phase(self.position.map, (), (), (), (), (), {}, self.position.phase)
        grounder = Grounder(self.profile, nothing)
        return frozenset(
            location
            for location, facts in self._retreats.items()
            if grounder.result("retreat_succeeds", facts) is True
        )

    def _chosen(self) -> dict[str, RetreatFacts]:
        """The retreats that count: 4.D.3 chooses among several legal orders for a unit."""
        legal = grouped(
            (one.lost.unit.location, one)
            for one in self._ruled
            if one.lost is not None and not one.code
        )
        targets: dict[str, str] = {}
        for location, ruled in legal.items():
            last = max(one.submission.batch for one in ruled)  # 4.D.1
            choices = [one.target for one in ruled if one.submission.batch == last]
            rule = self.profile.settings.multiple_orders
            if rule == "hold" and len(set(choices)) > 1:
                continue
            chosen = choices[-1 if rule == "last" else 0]
            if chosen is not None:
                targets[location] = chosen
        return build_retreats(self.position, targets)

    def _rule(self, submission: Submission) -> _Ruled:
        order = submission.order
        if isinstance(order, Waive):
            reason = "there is nothing to waive in a retreat phase"
            return _Ruled(submission, code="wrong_phase", reason=reason)
        lost = self._lost.get(province_of(order.unit.location))
        refusal = submission.refusal
        if refusal is not None:
            own = lost is not None and lost.unit.power == submission.power
            return _Ruled(submission, lost if own else None, None, *refusal)
        if lost is None or lost.unit.power != submission.power:
            reason = f"no dislodged unit is in {province_of(order.unit.location)}"
            if lost is not None:
                reason = foreign_unit(lost.unit, submission.power, "dislodged from")
            return _Ruled(submission, code="no_such_unit", reason=reason)
        try:
            return self._settled(submission, lost)
        except IllegalError as fault:
            return _Ruled(submission, lost, None, fault.code, fault.reason)

    def _settled(self, submission: Submission, lost: DislodgedUnit) -> _Ruled:
        """How an order for a dislodged unit is understood. Raises `IllegalError`."""
        order, settings = submission.order, self.profile.settings
        assert not isinstance(order, Waive)
        noted = settle_name(self.position.map, settings, order.unit, lost.unit)
        naming = () if noted is None else (noted[0],)
        if isinstance(order, Disband):
            return _Ruled(submission, lost, noted=noted, naming=naming)
        refused = refusal_of(self.position.map, lost.unit.power, order)
        if refused is not None:
            raise IllegalError(*refused)
        if isinstance(order, Retreat) or (isinstance(order, Move) and not order.via):
            target, amended = settle_retreat(self.position, settings, lost, order.target)
            return _Ruled(submission, lost, target, noted=noted or amended, naming=naming)
        raise IllegalError("wrong_phase", "a dislodged unit can only retreat or disband")

    def _best_named(self, ruled: list[_Ruled]) -> list[_Ruled]:
        """Refuse orders that give way to one that names the unit properly (4.C.1 c, 4.C.2 c)."""
        settings = self.profile.settings
        legal = [one for one in ruled if one.lost is not None and not one.code]
        named = {one.key for one in legal if not gives_way(settings, one.naming)}
        vague = {id(one) for one in legal if gives_way(settings, one.naming) and one.key in named}
        code, reason = NAMED_BETTER
        return [
            replace(one, target=None, code=code, reason=reason) if id(one) in vague else one
            for one in ruled
        ]

    def _outcome_of(self, one: _Ruled) -> PhaseOrder:
        submission, order = one.submission, one.submission.order
        if one.lost is None:
            named = "" if isinstance(order, Waive) else order.unit.text()
            text = write_order(order, self.position.map)
            return PhaseOrder(
                submission.power, named, submission.text, "illegal", "", text, one.why
            )
        unit, verdict, reason = one.lost.unit, "illegal", one.why
        if one.target is not None:
            order = Retreat(unit.name, one.target)
            verdict, reason = self._retreated(unit, one.target)
        elif not one.code:
            order, reason = Disband(unit.name), _ANOTHER
            if unit.location not in self._retreats:
                verdict, reason = "succeeds", Reason("ok", "")
        return self._outcome(unit, submission.text, verdict, order, reason, one.amended)

    def _retreated(self, unit: Unit, target: str) -> tuple[str, Reason]:
        """The verdict on a legal retreat, and why."""
        facts = self._retreats.get(unit.location)
        if facts is None or facts.target_location != target:
            return "illegal", _ANOTHER
        if unit.location in self._carried_out:
            return "succeeds", self._won(facts)
        rivals = tuple(str(rival.unit) for rival in facts.rivals)
        winner = next((r for r in facts.rivals if r.unit.unit.location in self._carried_out), None)
        more = "s there too, so both" if len(rivals) == 1 else " there too, so all"
        text = f"{' and '.join(rivals)} retreat{more} are disbanded"
        if winner is not None:
            text = f"{winner.unit} goes there: {self._won(winner).text}"
        elif not rivals:
            text = "the rules do not let it go there"
        return "fails", Reason("retreats_clash", text, rivals)

    def _won(self, retreat: RetreatFacts) -> Reason:
        """Why a retreat is carried out."""
        if not retreat.rivals:
            return Reason("ok", "no other unit retreats there")
        rivals = [str(rival.unit) for rival in retreat.rivals]
        return reason_of(self.profile, "retreat_succeeds", rivals)

    def _outcome(
        self,
        unit: Unit,
        submitted: str | None,
        verdict: str,
        order: Order,
        reason: Reason,
        amended: str = "",
    ) -> PhaseOrder:
        """The outcome of an order for a unit that exists."""
        fate = "" if unit.location in self._carried_out else "disbanded"
        text = write_order(order, self.position.map)
        return PhaseOrder(unit.power, str(unit), submitted, verdict, fate, text, reason, amended)


@dataclass(frozen=True, slots=True)
class _Ruled:
    """How an order is understood: its unit, where that goes (None: it disbands), or a code and a
    reason if the order is illegal."""

    submission: Submission
    lost: DislodgedUnit | None = None
    target: str | None = None
    code: str = ""
    reason: str = ""
    noted: Note = None
    naming: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, int]:
        """The unit that it is for, and the set of orders that it belongs to."""
        assert self.lost is not None
        return self.lost.unit.location, self.submission.batch

    @property
    def why(self) -> Reason:
        """Why it is illegal."""
        return Reason(self.code, with_reading(self.submission, self.reason))

    @property
    def amended(self) -> str:
        """What was unclear in it and how it is read, "" if nothing was unclear."""
        noted = self.noted[1] if self.noted else ""
        return "" if self.code else with_reading(self.submission, noted)


_ANOTHER = Reason("several_orders", "the unit has another order, too")


def build_retreats(position: Position, targets: Mapping[str, str]) -> dict[str, RetreatFacts]:
    """The retreats of a phase by the retreating unit's location; `targets` maps that location to
    the one that the unit goes to."""
    around = PositionFacts(position)
    found: dict[str, RetreatFacts] = {}
    for at, lost in enumerate(position.dislodged):
        location = lost.unit.location
        if location in targets:
            target = targets[location]
            place = around.place(province_of(target))
            found[location] = RetreatFacts(at, around.unit(lost.unit), place, target)
    for retreat in found.values():
        others = [other for other in found.values() if other is not retreat]
        retreat.rivals = [other for other in others if other.target is retreat.target]
    return found
