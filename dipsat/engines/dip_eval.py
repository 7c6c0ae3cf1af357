"""The algorithm of DIP_EVAL, by Peter Jacobi, 1992: conflicts, decided in four stages.

Source: Jacobi, "Ein Algorithmus zur Auswertung von Diplomacy", chapters I to IV (German). It is
written for the rules of Avalon Hill "von 1983" (the 1982 edition) and independent of the rule
profile. `transform` turns an order set into another whose orders can all be carried out. The engine
gives it the orders of a phase and reads the verdicts from the result.

The stored page has lost its bulleted lists. Their replacements, here and in the modules of the
conflicts and of the stages, are marked RECONSTRUCTED. They follow from the text around the gaps,
the rules of 1982 and the idea of a conflict. The gaps are: when there is a conflict, both ways to
count strength, and who wins (all in II); what K1 does; which supports are effective after K2; what
K3 does.

The algorithm needs an order set without unmatched orders ("korrekter Befehlssatz", I).
RECONSTRUCTED: an army without a complete convoy holds, and so does a unit whose order does not
match.
"""

from __future__ import annotations

from dataclasses import dataclass

from dipsat.engines.carrying_out import refuse_unmatched
from dipsat.engines.dip_eval_conflicts import Note, State
from dipsat.engines.dip_eval_stages import evaluate, transformed
from dipsat.engines.standard_rules import refuse_variants
from dipsat.equations.chains import links_of
from dipsat.equations.phase import Phase
from dipsat.game.facts import ConvoyFacts, MoveFacts, SupportFacts, UnitFacts
from dipsat.profiles.profile import Profile
from dipsat.proof.engine import (
    Convoy,
    EngineReason,
    Hold,
    Move,
    Order,
    OrderedUnit,
    OrderSet,
    ReasonedVerdicts,
    Support,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformingVerdicts(ReasonedVerdicts):
    """What DIP_EVAL decides, and the order set that it decided."""

    orders: OrderSet

    @property
    def transformed(self) -> OrderSet:
        """The order set that it turns this one into."""
        return transformed(evaluate(self.orders))


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
        found = evaluate(orders)
        index = {unit.province.code: unit.index for unit in phase.units}
        notes = [found.notes.get(unit.province.code, Note("")) for unit in phase.units]
        return TransformingVerdicts(
            tuple(found.state[move.origin.code] is State.SUCCEEDS for move in phase.moves),
            tuple(found.effective[support.province.code] for support in phase.supports),
            tuple(not found.is_dislodged(convoy.province.code) for convoy in phase.convoys),
            tuple(found.is_dislodged(unit.province.code) for unit in phase.units),
            frozenset(place.code for place in phase.provinces if found.is_contested(place.code)),
            tuple(
                EngineReason(note.text, tuple(index[unit.province] for unit in note.because))
                for note in notes
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
    return transformed(evaluate(orders))


def order_set_of(phase: Phase) -> OrderSet:
    """The orders of a phase as DIP_EVAL takes them, with what it needs of the map."""
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
