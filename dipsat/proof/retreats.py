"""The outcome of a retreat phase (DATC 6.H)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from dipsat.board.province import UnitKind, coast_of, province_of
from dipsat.equations.facts import Phase
from dipsat.equations.ground import Grounder
from dipsat.equations.retreat_facts import RetreatFacts, build_retreats
from dipsat.errors import OrderFaultError
from dipsat.game.following import following
from dipsat.game.legality import Submission
from dipsat.game.position import DislodgedUnit, Position, Unit
from dipsat.orders.order import Disband, Move, Order, Retreat, UnitName, Waive
from dipsat.orders.writer import write_order
from dipsat.profiles.profile import Profile
from dipsat.proof.outcome import Outcome
from dipsat.proof.phase_order import PhaseOrder
from dipsat.proof.reasons import Reason


class RetreatOutcome(Outcome):
    """What happens in a retreat phase: who retreats, who is disbanded, and what comes next.

    A unit without a legal retreat order is disbanded; so are units that retreat to one province,
    unless the profile's `retreat_succeeds` says otherwise.
    """

    def __init__(
        self, position: Position, profile: Profile, submissions: Sequence[Submission]
    ) -> None:
        super().__init__(position, profile)
        self._lost = {lost.unit.province: lost for lost in position.dislodged}
        self._retreats = self._chosen(submissions)
        self.orders = self._orders(submissions)

    @cached_property
    def units_after(self) -> tuple[Unit, ...]:
        """The units after the phase, sorted by location."""
        moved = [
            Unit(facts.power, facts.unit.unit.kind, facts.target_location)
            for facts in self._retreats.values()
            if self._succeeds(facts)
        ]
        return tuple(sorted((*self.position.units, *moved), key=lambda unit: unit.location))

    @cached_property
    def next(self) -> Position:
        """The position of the next phase."""
        return following(self.position, self.units_after, (), self.profile.settings)

    @cached_property
    def _grounder(self) -> Grounder:
        empty = Phase(self.position.map, (), (), (), (), (), {})
        return Grounder(self.profile, empty)

    def _succeeds(self, facts: RetreatFacts) -> bool:
        if "retreat_succeeds" not in self.profile.results:
            raise OrderFaultError(
                facts.power, [str(facts)], f"the profile {self.rules!r} has no `retreat_succeeds`"
            )
        return self._grounder.result("retreat_succeeds", facts) is True

    def _chosen(self, submissions: Sequence[Submission]) -> dict[str, RetreatFacts]:
        """The retreats carried out: of several legal orders for a unit, 4.D.3 decides."""
        legal: dict[str, list[str | None]] = {}
        for submission in submissions:
            lost, target, code, _ = self._rule(submission)
            if lost is not None and not code:
                legal.setdefault(lost.unit.location, []).append(target)
        rule = self.profile.settings.multiple_orders
        targets: dict[str, str] = {}
        for location, choices in legal.items():
            at = -1 if rule == "last" else 0
            if len(set(choices)) > 1 and rule == "hold":
                continue
            chosen = choices[at]
            if chosen is not None:
                targets[location] = chosen
        return build_retreats(self.position, targets)

    def _rule(self, submission: Submission) -> tuple[DislodgedUnit | None, str | None, str, str]:
        """(unit, target or None for a disband, code and reason if illegal)."""
        order = submission.order
        if isinstance(order, Waive):
            return None, None, "wrong_phase", "there is nothing to waive in a retreat phase"
        lost = self._lost.get(province_of(order.unit.location))
        if lost is None or lost.unit.power != submission.power:
            owner = f"belongs to {lost.unit.power}" if lost else "does not have to retreat"
            return None, None, "no_such_unit", f"the unit there {owner}"
        if isinstance(order, Disband):
            return lost, None, "", ""
        if (isinstance(order, Move) and not order.via) or isinstance(order, Retreat):
            target = self._target(lost, order.target)
            if target is not None:
                return lost, target, "", ""
            reason = f"it may retreat to {', '.join(lost.retreats) or 'no province'}"
            return lost, None, "unreachable", reason
        return lost, None, "wrong_phase", "a dislodged unit can only retreat or disband"

    def _target(self, lost: DislodgedUnit, written: str) -> str | None:
        """The possible retreat that is meant; a coast may be left out where one is possible."""
        if written in lost.retreats:
            return written
        province = province_of(written)
        possible = [place for place in lost.retreats if province_of(place) == province]
        matters = (
            lost.unit.kind is UnitKind.FLEET
            and coast_of(written) != ""
            and written in self.position.map.provinces[province].locations
        )
        return possible[0] if len(possible) == 1 and not matters else None

    def _orders(self, submissions: Sequence[Submission]) -> tuple[PhaseOrder, ...]:
        found = [self._outcome_of(submission) for submission in submissions]
        ordered = {
            lost.unit.location
            for submission in submissions
            if (lost := self._rule(submission)[0]) is not None
        }
        for lost in self.position.dislodged:
            if lost.unit.location not in ordered:
                reason = Reason("no_order", "without an order it is disbanded")
                found.append(self._disband(lost.unit, None, "succeeds", reason))
        return tuple(sorted(found, key=lambda order: (order.power, order.unit)))

    def _outcome_of(self, submission: Submission) -> PhaseOrder:
        lost, target, code, text = self._rule(submission)
        if lost is None:
            named = self._text(submission.order, with_verb=False)
            return PhaseOrder(
                submission.power, named, submission.text, "illegal", "",
                self._text(submission.order), Reason(code, text),
            )  # fmt: skip
        facts = self._retreats.get(lost.unit.location)
        if code:
            fate = "" if facts is not None and self._succeeds(facts) else "disbanded"
            return PhaseOrder(
                submission.power, str(lost.unit), submission.text, "illegal", fate,
                self._text(submission.order), Reason(code, text),
            )  # fmt: skip
        if target is None:
            if facts is not None:
                return self._disband(lost.unit, submission.text, "illegal", _ANOTHER)
            return self._disband(lost.unit, submission.text, "succeeds", Reason("ok", ""))
        return self._retreat(lost.unit, target, submission, facts)

    def _retreat(
        self, unit: Unit, target: str, submission: Submission, facts: RetreatFacts | None
    ) -> PhaseOrder:
        order = write_order(Retreat(UnitName(unit.location, unit.kind), target), self.position.map)
        if facts is None or facts.target_location != target:
            fate = "disbanded" if facts is None or not self._succeeds(facts) else ""
            verdict, reason = "illegal", _ANOTHER
        elif self._succeeds(facts):
            verdict, fate, reason = "succeeds", "", Reason("ok", "nobody else retreats there")
        else:
            rivals = tuple(str(rival.unit) for rival in facts.rivals)
            text = f"{', '.join(map(str, facts.rivals))} goes to the same province"
            verdict, fate, reason = "fails", "disbanded", Reason("retreats_clash", text, rivals)
        return PhaseOrder(unit.power, str(unit), submission.text, verdict, fate, order, reason)

    def _disband(
        self, unit: Unit, submitted: str | None, verdict: str, reason: Reason
    ) -> PhaseOrder:
        order = write_order(Disband(UnitName(unit.location, unit.kind)), self.position.map)
        facts = self._retreats.get(unit.location)
        fate = "" if facts is not None and self._succeeds(facts) else "disbanded"
        return PhaseOrder(unit.power, str(unit), submitted, verdict, fate, order, reason)

    def _text(self, order: Order, with_verb: bool = True) -> str:
        if with_verb or isinstance(order, Waive):
            return write_order(order, self.position.map) if with_verb else ""
        return write_order(Disband(order.unit), self.position.map).removesuffix(" D")


_ANOTHER = Reason("several_orders", "the unit has another order too")
