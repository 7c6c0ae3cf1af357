"""Orders of the kinds that rules declare, while orders are open.

Like every other order that a unit may be given, one of a declared kind is a candidate with a guard,
and so are its legs. An order that a power gives besides those of its units is a choice of its own:
it is given, or it is not. Whether one is lawful can depend on all others, so it is issued if it is
given and, as a condition on their guards, lawful.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dipsat.equations.declared_facts import DeclaredFacts, Fault, Referents, count_in, order_facts
from dipsat.equations.facts import UnitFacts
from dipsat.equations.terms import Key, Term, all_of
from dipsat.game.ruling import Ruling, Status, Submission
from dipsat.orders.order import DeclaredOrder, Hold, UnitName
from dipsat.profiles.order_kinds import DeclaredKind

if TYPE_CHECKING:
    from dipsat.equations.open_facts import OrderChoice

NO_ORDER = Hold(UnitName(""))
"""The choice that an order of a power is not given."""


@dataclass(frozen=True)
class Declaring:
    """The kinds of orders that the rules declare, and by the guard of an order on what condition it
    is lawful if it is given; without an entry it is in any case."""

    kinds: Mapping[str, DeclaredKind] = field(default_factory=dict)
    lawful: Mapping[Key, Term] = field(default_factory=dict)


def declare(
    choices: Iterable[tuple[UnitFacts | None, OrderChoice]],
    declaring: Declaring,
    where: Referents,
) -> Mapping[Key, DeclaredFacts]:
    """The facts of the orders of declared kinds among some choices: guard -> order.

    With each choice comes the ordered unit, None for an order of a power, whose `unit` names the
    power. Left out is what names a unit that is not there, or a place off the line, and what cannot
    be lawful.
    """
    found: dict[Key, DeclaredFacts] = {}
    numbers: dict[str, int] = {}
    for unit, choice in choices:
        order = choice.order
        if not isinstance(order, DeclaredOrder):
            continue
        issued = all_of([choice.guard, declaring.lawful.get(choice.key, True)])
        power = unit.power if unit is not None else order.unit.power or ""
        ordered = unit.unit if unit is not None else None
        ruling = Ruling(Submission(power, order.text, order), ordered, order, Status.LEGAL)
        declared = declaring.kinds[order.kind]
        facts = order_facts(declared.kind, declared.legs, ruling, where, numbers)
        if isinstance(facts, Fault) or issued is False:
            continue
        found[choice.key] = facts
        for one in (facts, *facts.legs):
            one.issued = issued
        count_in(numbers, facts)
    return found
