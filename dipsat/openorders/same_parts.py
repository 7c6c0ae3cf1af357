"""What the decisions of adjudicated orders are about, among the candidates of the open phase."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any as AnyObject

from dipsat.equations.phase import Phase
from dipsat.game.facts import (
    ConvoyFacts,
    DeclaredFacts,
    MoveFacts,
    ProvinceFacts,
    SupportFacts,
    UnitFacts,
)
from dipsat.terms.fold import evaluate
from dipsat.terms.term import Any, Key, Term, Unknown


class SameParts:
    """Finds the objects of an adjudicated phase in an open one. `chosen` says which guards hold for
    the orders that were adjudicated."""

    def __init__(self, phase: Phase, chosen: Mapping[Key, int]) -> None:
        self._phase, self._chosen = phase, chosen

    def __call__(self, one: AnyObject) -> AnyObject:
        """An object that a decision is about, as it is in the open phase; None if it is not there.
        Members of domains are the same, and units have the same indices."""
        match one:
            case str() | UnitFacts():
                return one
            case ProvinceFacts():
                return self._places[one.code]
        return self._issued.get(_text(one))

    @cached_property
    def _places(self) -> Mapping[str, ProvinceFacts]:
        return {place.code: place for place in self._phase.provinces}

    @cached_property
    def _issued(self) -> Mapping[tuple[str, ...], AnyObject]:
        """The candidates of the open phase whose orders are given, by distinguishing text."""
        phase = self._phase
        declared = (order for orders in phase.declared.values() for order in orders)
        candidates: Sequence[AnyObject] = (*phase.moves, *phase.supports, *phase.convoys, *declared)
        given = {key for key, value in self._chosen.items() if value}
        return {_text(one): one for one in candidates if is_issued(one, given)}


def is_issued(one: AnyObject, given: Collection[Key]) -> bool:
    """Whether a candidate is issued if exactly the guards in `given` hold."""
    return _holds(one.issued, given)


def _text(one: AnyObject) -> tuple[str, ...]:
    """What distinguishes a candidate from the others that are issued: its kind, unit and target."""
    match one:
        case MoveFacts():
            return "move", str(one.unit), one.target_location, str(one.convoyed), str(one.via)
        case SupportFacts():
            return "support", str(one.unit), str(one.supported), one.target.code
        case ConvoyFacts():
            return "convoy", str(one.unit), str(one.army), one.landing
        case DeclaredFacts():  # no power gives one twice; the text of a leg contains its ends
            return one.type, one.ruling.submission.power, str(one)
    raise AssertionError(f"{one!r} is no candidate")


def _holds(issued: Term, given: Collection[Key]) -> bool:
    """Whether a condition on guards holds; most are one guard, or any of several."""
    if isinstance(issued, Unknown):
        return issued.key in given
    if isinstance(issued, Any):
        return any(_holds(part, given) for part in issued.parts)
    return bool(evaluate(issued, lambda key: int(key in given)))
