"""Standing orders for open units, proposed so that no attack that was found breaks them."""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.searches.attack import Attack
from dipsat.searches.line import Line
from dipsat.solving.budget import Budget
from dipsat.solving.models import find_assignment


class StandingOrders:
    """Proposes who supports whom. An open unit holds or supports a neighbour where it stands.

    An attack with k supports that cuts the units in C breaks every line in which fewer than k
    units outside of C support its target; so `learn` asks for k of them from then on.
    """

    def __init__(self, line: Line) -> None:
        self.line = line
        self._options = {
            (unit.province, aim): f"|{unit.province} S {aim}|"
            for unit in line.units
            if unit.province in line.open
            for aim in line.can_support(unit)
        }
        self._text = [f"(declare-const {name} Bool)" for name in self._options.values()]
        for supporter in sorted(line.open):
            names = [name for (one, _), name in self._options.items() if one == supporter]
            if names:
                self._text.append(f"(assert ((_ at-most 1) {' '.join(names)}))")

    def propose(self, budget: Budget) -> Mapping[str, str] | None:
        """Supporting province -> supported province; None if no orders are left.

        Raises `ExhaustedError` if the budget is not enough.
        """
        found = find_assignment("\n".join(self._text), budget)
        if found is None:
            return None
        chosen = {one: aim for (one, aim), name in self._options.items() if name in found}
        return {**self.line.supports, **chosen}

    def learn(self, attack: Attack) -> None:
        """Propose only orders that withstand an attack."""
        stated = [s for s, aim in self.line.supports.items() if aim == attack.target]
        needed = attack.supports - len(set(stated) - attack.cut)
        names = [
            name
            for (supporter, aim), name in self._options.items()
            if aim == attack.target and supporter not in attack.cut
        ]
        if needed > len(names):
            self._text.append("(assert false)")
        else:
            self._text.append(f"(assert ((_ at-least {needed}) {' '.join(names)}))")
