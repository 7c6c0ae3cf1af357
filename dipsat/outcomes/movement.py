"""The outcome of a movement phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from dipsat.board import province_of
from dipsat.equations import Grounder, Key, Mismatch, Phase, all_decisions
from dipsat.errors import UndecidedError
from dipsat.game import (
    Candidate,
    ConvoyFacts,
    DeclaredFacts,
    DislodgedUnit,
    MoveFacts,
    Position,
    ProvinceFacts,
    Ruling,
    RulingStatus,
    SupportFacts,
    UnitFacts,
    allowed_retreats,
    by_location,
    following,
    no_retreat,
)
from dipsat.orders import Unit, Waive
from dipsat.outcomes.evidence import evidence_of, subgraphs_of
from dipsat.outcomes.impossible_board import refuse_impossible_board
from dipsat.outcomes.movement_order import MovementOrderOutcome
from dipsat.outcomes.outcome import (
    DECLARED,
    NOBODY_ENTERS,
    VERDICTS,
    Dislodgement,
    Evidence,
    Outcome,
    Reason,
    Subgraph,
    Told,
)
from dipsat.outcomes.reasons import Explainer
from dipsat.outcomes.resolved_phase import ResolvedPhase, units_of
from dipsat.outcomes.sentences import Settled
from dipsat.solving import CycleResolution, Solution

_FAMILIES: Mapping[type, str] = {
    MoveFacts: "move", SupportFacts: "support", ConvoyFacts: "convoy",
}  # fmt: skip
"""Kind of candidate -> the decision that gives its verdict."""

_NONE = [None]
"""The orders of a unit that has none."""

_OPEN = Reason("time_limit", "the limits were too low to decide this")
_OK, _NOT_DISLODGED = Reason("ok", ""), Reason("ok", "it is not dislodged")


class MovementOutcome(Outcome):
    """The results of a movement phase, the reasons, and what is proven. Made by
    `dipsat.adjudicate`.

    Texts and lists are made when they are first read.
    """

    is_compiled: bool = False
    """Whether compiled equations (`dipsat.kernel.build`) gave the verdicts, the position and the
    decisions."""

    def __init__(self, resolved: ResolvedPhase) -> None:
        super().__init__(resolved.position, resolved.profile)
        self.resolved = resolved
        self.rulings = resolved.rulings

    @property
    def orders(self) -> tuple[MovementOrderOutcome, ...]:
        """The result of every order, and of every unit without one, by power and unit."""
        return tuple([MovementOrderOutcome(self, number) for number in self._by_unit])

    @cached_property
    def _by_unit(self) -> Sequence[int]:
        """The indices of the results, by power and unit. The results are not kept: they refer to
        the outcome, so only the garbage collector could free it."""
        whose = [told[:2] for told in self._told]
        return sorted(range(len(whose)), key=whose.__getitem__)

    @cached_property
    def _told(self) -> Sequence[Told]:
        """The facts of each result, in the order of `_given`."""
        return [self._order(*given) for given in self._given]

    @cached_property
    def _given(self) -> tuple[tuple[UnitFacts | None, Ruling | None], ...]:
        """Each unit with each of its orders, and the orders for units that do not exist."""
        by_unit: dict[str, list[Ruling | None]] = {}
        strays = []
        for ruling in self.rulings:
            if ruling.unit is None:
                strays.append((None, ruling))
            else:
                by_unit.setdefault(ruling.unit.location, []).append(ruling)
        units = self.facts.units
        own = ((unit, given) for unit in units for given in by_unit.get(unit.unit.location, _NONE))
        return (*own, *strays)

    def _order(self, facts: UnitFacts | None, ruling: Ruling | None) -> Told:
        if facts is None:
            assert ruling is not None
            return self._stray(ruling)
        is_safe = self.is_decided and facts.index not in self._retreats  # as most are
        fate, verdict, submitted = "" if is_safe else self._fate(facts), "stands", None
        if ruling is not None:
            verdict = "illegal" if self._is_illegal(ruling) else self._verdict(facts)
            submitted = ruling.submission.text
        return facts.power, str(facts.unit), submitted, verdict, fate

    @property
    def is_proven(self) -> bool:
        """Whether the resolution is proven to be the only consistent one: no cycle rule was
        needed."""
        records = self.solution.records
        return self.is_decided and all(one.models.verdict == "unique" for one in records)

    @property
    def is_decided(self) -> bool:
        """Whether no decision is open. A limit of time or work can leave some open."""
        return not self.solution.unknown

    @cached_property
    def decisions(self) -> Mapping[str, int | None]:
        """Name of a decision, such as `attack_strength(A LON - BEL)` -> its value: a strength in
        units, or a truth value as 0 or 1. None only where the limits were too low."""
        name = self.resolved.grounder.name
        return {
            name(key): self.solution.bounds.value(key)
            for key in all_decisions(self.profile.decisions, self.facts)
        }

    @cached_property
    def ends(self) -> Mapping[str, str | None]:
        """Unit -> its location after the phase, None if it is dislodged or undecided."""
        found = self.resolved.ends
        return {str(unit.unit): found.get(unit.index) for unit in self.facts.units}

    @cached_property
    def dislodged(self) -> tuple[Dislodgement, ...]:
        """The dislodged units, each with its attacker and its possible retreats. Raises
        `UndecidedError` if not everything is decided."""
        self._refuse_undecided()
        return tuple(
            Dislodgement(
                unit.power,
                str(unit),
                next((str(a.unit) for a in unit.province.attackers if self._moves(a)), None),
                self._retreats[unit.index],
            )
            for unit in self._lost
        )

    @cached_property
    def contested(self) -> tuple[str, ...]:
        """The provinces left vacant by a standoff, to which no unit may retreat. Raises
        `UndecidedError` if not everything is decided."""
        self._refuse_undecided()
        return tuple(
            sorted(
                place.code
                for place in self.facts.provinces
                if place.attackers and self.resolved.result("contested", place)
            )
        )

    @cached_property
    def units_after(self) -> tuple[Unit, ...]:
        """The units after the phase, sorted by location, without the dislodged ones.

        Raises `UndecidedError` if not everything is decided, `SharedProvinceError` if the rules let
        two units end in one province, and `UnitTwiceError` if they dislodge a unit that moves away,
        as does `next`.
        """
        self._refuse_undecided()
        ends, after = self.resolved.ends, self.resolved.unit_after
        found = [after(unit, ends[unit.index]) for unit in self.facts.units if unit.index in ends]
        shared = len({unit.province for unit in found}) < len(found)
        if shared or any(unit.index in ends for unit in self._lost):
            self._refuse_impossible_board()
        return by_location(found)

    def _refuse_undecided(self) -> None:
        if not self.is_decided:
            raise UndecidedError(str(self.position.phase))

    def _refuse_impossible_board(self) -> None:
        refuse_impossible_board(self.resolved)

    @cached_property
    def next(self) -> Position:
        """The position of the next phase: the retreat phase if any unit can retreat.

        Raises the errors of `units_after`.
        """
        self._refuse_undecided()
        lost = [
            DislodgedUnit(
                self.resolved.unit_after(unit, unit.unit.location), self._retreats[unit.index]
            )
            for unit in self._lost
        ]
        able = [one for one in lost if one.retreats]
        return following(self.position, self.units_after, able, self.profile.settings)

    @cached_property
    def subgraphs(self) -> tuple[Subgraph, ...]:
        """The connected subgraphs of the decision graph, with what is proven about each."""
        return subgraphs_of(self.resolved)

    @cached_property
    def evidence(self) -> Evidence | None:
        """What proves how many resolutions there are."""
        return evidence_of(self.resolved)

    @cached_property
    def _lost(self) -> tuple[UnitFacts, ...]:
        dislodged = self.resolved.values("dislodge")
        return tuple(unit for unit in self.facts.units if dislodged[unit.index])

    def _moves(self, move: MoveFacts) -> bool:
        return bool(self.resolved.value("move", move.index))

    def _may_retreat(self, unit: UnitFacts, place: ProvinceFacts) -> bool:
        return self.resolved.result("retreat", unit, place)

    @cached_property
    def _retreats(self) -> Mapping[int, tuple[str, ...]]:
        """Index of a dislodged unit -> the locations it may retreat to."""
        board = self.position.map
        places = {place.code: place for place in self.facts.provinces} if self._lost else {}
        found = {}
        for unit in self._lost:
            possible = []
            for location in sorted(board.reach(unit.unit.kind, unit.unit.location)):
                code = province_of(location)
                place = places.get(code) or ProvinceFacts(-1, code, unit.around)
                if self._may_retreat(unit, place):
                    possible.append(location)
            settings = self.profile.settings
            found[unit.index] = allowed_retreats(self.position, unit.unit, possible, settings)
        return found

    def _stray(self, ruling: Ruling) -> Told:
        """The outcome of an order for a unit that its power does not have there."""
        is_illegal, order = self._is_illegal(ruling), ruling.order
        named = order.unit.text() if is_illegal and not isinstance(order, Waive) else ""
        verdict = "illegal" if is_illegal else DECLARED[0]
        return ruling.submission.power, named, ruling.submission.text, verdict, ""

    def _is_illegal(self, ruling: Ruling) -> bool:
        if ruling.status is RulingStatus.ILLEGAL:
            return True
        return bool(self.resolved.facts.refused) and self._refusal(ruling) is not None

    def _verdict(self, facts: UnitFacts) -> str:
        if facts.index in self.resolved.facts.invalid:
            return "invalid"
        candidate = facts.candidate
        if candidate is None:
            return "stands"
        family = self._family(candidate)
        good, bad = VERDICTS.get(family, DECLARED)
        if not family:
            return good
        value = self.resolved.value(family, candidate.index)
        return "unknown" if value is None else good if value else bad

    def _refusal(self, ruling: Ruling) -> Mismatch | None:
        """Why the rules forbid an order of a declared kind, None if they do not."""
        return next((why for one, why in self.facts.refused if one is ruling), None)

    def _family(self, candidate: Candidate) -> str:
        """The decision that is the verdict on an order, "" if it always succeeds."""
        family = _FAMILIES.get(type(candidate))
        if family is None:
            assert isinstance(candidate, DeclaredFacts)
            family = self.profile.declared.kinds[candidate.type].verdict
        return family

    def _decision(self, facts: UnitFacts) -> Key:
        """The decision that gives the verdict on the order of a unit."""
        candidate = facts.candidate
        if candidate is not None and (family := self._family(candidate)):
            return family, candidate.index
        return "dislodge", facts.index

    def _fate(self, facts: UnitFacts) -> str:
        if not self.is_decided and self.resolved.value("dislodge", facts.index) != 0:
            return "unknown"
        if facts.index not in self._retreats:
            return ""
        if facts.power in self.position.map.neutrals:
            return "disbanded"
        return "dislodged" if self._retreats[facts.index] else "destroyed"

    @property
    def facts(self) -> Phase:
        """The facts of the phase: its units and orders as the equations read them."""
        return self.resolved.facts

    @property
    def solution(self) -> Solution:
        """The value of every decision, and how the decision cycles were settled."""
        return self.resolved.solution

    @cached_property
    def explainer(self) -> Explainer:
        """The source of the reasons for decisions."""
        return Explainer(self.resolved, self._settled)

    @cached_property
    def _settled(self) -> Mapping[Key, Settled]:
        """Decision -> how a cycle rule settled it."""
        found = {}
        for record in self.solution.records:
            if record.applied is not None:
                settled = _settled(self.resolved.grounder, record.applied)
                found.update(dict.fromkeys(record.applied.pins, settled))
        return found

    def _reason(self, outcome: MovementOrderOutcome) -> Reason:
        """Why an order came out as it did; for a dislodged unit also the attacker."""
        facts, ruling = self._given[outcome._number]
        *_, verdict, fate = self._told[outcome._number]
        reason = self._order_reason(facts, ruling, verdict)
        if not fate or facts is None or verdict == "stands":
            return reason
        attacker = self._hold_reason(facts)
        if set(attacker.because) <= set(reason.because):
            return reason
        text = f"{reason.text}; {attacker.text}"
        because = tuple(dict.fromkeys((*reason.because, *attacker.because)))
        return Reason(reason.code, text, because)

    def _marks(self, facts: UnitFacts | None, ruling: Ruling | None) -> tuple[str, ...]:
        """The marks of an order and of its unit; the equations set none."""
        return ()

    def _order_reason(self, facts: UnitFacts | None, ruling: Ruling | None, verdict: str) -> Reason:
        if verdict == "illegal":
            assert ruling is not None
            why = self._refusal(ruling) or ruling
            return Reason(why.code, why.reason)
        if facts is None:
            return _OK
        if verdict == "invalid":
            mismatch = self.facts.invalid[facts.index]
            because = tuple([str(unit) for unit in mismatch.because])
            return Reason(mismatch.code, mismatch.reason, because)
        if verdict == "stands":
            return self._hold_reason(facts)
        if verdict == "unknown":
            return _OPEN
        reason = self._decision_reason(self._decision(facts))
        if isinstance(facts.candidate, DeclaredFacts) and facts.candidate.legs:
            end = self.resolved.landed.get(facts.index)
            text = f"{reason.text}; it ends in {end}" if end else f"{reason.text}; it stays"
            return replace(reason, text=text)
        return reason

    def _decision_reason(self, key: Key) -> Reason:
        return self.explainer.decision(key)

    def _hold_reason(self, facts: UnitFacts) -> Reason:
        dislodged = self.resolved.value("dislodge", facts.index)
        if dislodged is None:
            return _OPEN
        if not dislodged:
            return _NOT_DISLODGED if facts.province.attackers else _OK
        attackers = [move for move in facts.province.attackers if self._moves(move)]
        text = f"dislodged by {', '.join(str(move.unit) for move in attackers)}"
        if not attackers:
            attackers = list(facts.province.attackers)
            listed = ", ".join(str(move.unit) for move in attackers)
            text = f"dislodged, {NOBODY_ENTERS}" + (f"; attacked by {listed}" if listed else "")
        if facts.power in self.position.map.neutrals:
            text = f"{text}; {no_retreat(facts.power)}"
        return Reason("dislodged", text, tuple(str(move.unit) for move in attackers))


def _settled(grounder: Grounder, applied: CycleResolution) -> Settled:
    """What a cycle rule did, in words."""
    count = applied.resolutions or "no"
    what = f"a decision cycle that has {count} resolutions"
    if applied.chosen:
        what = f"one of the {count} resolutions of a decision cycle"
    verb = "chooses" if applied.chosen else "settles"
    units = tuple(units_of(grounder, applied.cycle))
    return Settled(applied.rule, f"the rule '{applied.rule}' {verb} {what}", units)
