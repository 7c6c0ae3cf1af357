"""The facts of a phase whose orders are known or open, without those that its rules forbid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dipsat.board.province import province_of
from dipsat.equations.declared_facts import Fault, Referents, by_type, order_facts
from dipsat.equations.ground import Grounder
from dipsat.equations.matching import NOTHING_DECLARED, DeclaredInput, Effects, match_orders
from dipsat.equations.phase import Mismatch, Phase
from dipsat.game.facts import NO_ORDER, DeclaredFacts, PositionFacts, RetreatFacts
from dipsat.game.legality import is_possible_on_map
from dipsat.game.position import Position
from dipsat.game.ruling import Ruling, RulingStatus
from dipsat.orders.order import Convoy, DeclaredOrder, Move, Order
from dipsat.profiles.declared import DeclaredKind
from dipsat.profiles.demands import asks_for_places
from dipsat.profiles.profile import Profile
from dipsat.profiles.settings import Settings
from dipsat.terms.term import Term

NO_KINDS: Mapping[str, DeclaredKind] = {}


def build_phase(
    position: Position,
    rulings: Sequence[Ruling],
    settings: Settings,
    kinds: Mapping[str, DeclaredKind] = NO_KINDS,
    refused: Sequence[tuple[Ruling, Mismatch]] = (),
    every_province: bool = False,
) -> Phase:
    """The facts of a phase: legal orders matched with each other; a unit without one holds.

    `kinds` are the kinds of orders that the rules declare; orders in `refused` do not count. The
    phase has the provinces with units and those that orders lead to, or with `every_province` all
    provinces of the map.
    """
    admitted, declared = rulings, NOTHING_DECLARED
    if kinds:
        illegal = {id(ruling) for ruling, _ in refused}
        admitted = [ruling for ruling in rulings if id(ruling) not in illegal]
        special = [
            (ruling, True)
            for ruling in admitted
            if isinstance(ruling.order, DeclaredOrder) and ruling.status is not RulingStatus.ILLEGAL
        ]
        declared = DeclaredInput(kinds, special, tuple(refused))
    ordered: dict[str, Order] = {}
    effects = Effects()
    illegal_status = RulingStatus.ILLEGAL
    for ruling in admitted:
        unit = ruling.unit
        if unit is None:
            continue
        if ruling.status is not illegal_status:
            ordered[unit.location] = ruling.order
        elif ruling.counts:
            _note_impossible(effects, position, settings, ruling)
    if settings.disorder_support == "refused":
        _note_disorder(effects, position, rulings)
    given = [ordered.get(unit.location, NO_ORDER) for unit in position.units]
    return match_orders(position, settings, given, effects, declared, every_province).phase


def _note_impossible(
    effects: Effects, position: Position, settings: Settings, ruling: Ruling
) -> None:
    """DATC 2.4 4.E.1 a to c: record the effects of an impossible order.

    A convoy order shows intent only if the fleet could be part of a route (2.4 4.A.3 d, 6.G.7).
    """
    unit, order = ruling.unit, ruling.order
    assert unit is not None
    if isinstance(order, Move):
        effects.refusing[unit.location] = "was ordered an impossible move"
    elif isinstance(order, Convoy) and is_possible_on_map(position, settings, unit, order):
        army, target = province_of(order.army.location), province_of(order.target)
        effects.intents.setdefault((unit.power, army, target), str(unit))


def _note_disorder(effects: Effects, position: Position, rulings: Sequence[Ruling]) -> None:
    """DATC 4.D.9 a: a power without any orders is in civil disorder."""
    ordering = {ruling.submission.power for ruling in rulings}
    for unit in position.units:
        if unit.power not in ordering:
            effects.refusing[unit.location] = "belongs to a power in civil disorder"


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
        retreat.rivals = [
            other
            for other in found.values()
            if other is not retreat and other.target is retreat.target
        ]
    return found


# The facts of a movement phase under a profile, without the orders that its rules forbid.


def phase_of(
    profile: Profile,
    position: Position,
    rulings: Sequence[Ruling],
    settings: Settings | None = None,
) -> Phase:
    """The facts of a phase. Unlawful orders of declared kinds do not count; each is judged with all
    of them present. `settings` are those that the orders were judged by, if not the profile's."""
    settings, kinds = settings or profile.settings, profile.declared.kinds
    every = asks_for_places(profile)
    phase = build_phase(position, rulings, settings, kinds, every_province=every)
    if not phase.declared:
        return phase
    seen = phase if every else build_phase(position, rulings, settings, kinds, every_province=True)
    refused = _unlawful(profile, seen)
    return build_phase(position, rulings, settings, kinds, refused, every) if refused else phase


class AloneJudge:
    """Judges whether orders of declared kinds in a position are lawful if given alone.

    The facts of the position are made once, not once per order.
    """

    def __init__(self, profile: Profile, position: Position) -> None:
        self.profile = profile
        kinds = profile.declared.kinds
        self.phase = build_phase(position, (), profile.settings, kinds, every_province=True)
        places = {place.code: place for place in self.phase.provinces}
        units = {unit.province.code: unit for unit in self.phase.units}
        self._where = Referents(position.map, units, places.__getitem__)

    def is_lawful(self, ruling: Ruling) -> bool:
        """Whether the order of a declared kind meets all conditions of its kind."""
        facts = order_facts(self.profile.declared.kinds, ruling, self._where, {})
        if isinstance(facts, Fault):
            return False
        phase = replace(self.phase, declared=by_type([facts]))
        return _broken(self.profile, Grounder(self.profile, phase), facts) == ""


def _unlawful(profile: Profile, phase: Phase) -> list[tuple[Ruling, Mismatch]]:
    grounder = Grounder(profile, phase)
    found = []
    for name in profile.lawful:
        for order in phase.domain(name):
            code = _broken(profile, grounder, order)
            if code:
                reason = profile.reasons.get(code, code.replace("_", " "))
                found.append((order.ruling, Mismatch(code, reason)))
    return found


def _broken(profile: Profile, grounder: Grounder, order: DeclaredFacts) -> str:
    """The first condition of its kind that an order breaks, "" if it meets all."""
    conditions = _conditions(profile, grounder, order)
    return next((code for code, term in conditions if term is not True), "")


def _conditions(
    profile: Profile, grounder: Grounder, order: DeclaredFacts
) -> Iterator[tuple[str, Term]]:
    """The conditions that its kind places on an order, by code."""
    if order.type in profile.lawful:
        variable, conditions = profile.lawful[order.type]
        grounder.entry = order.type
        for code, condition in conditions:
            yield code, grounder.term(condition, {variable.name: order})
