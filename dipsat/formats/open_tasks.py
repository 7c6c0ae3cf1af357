"""What a phase still waits for: units without an order, builds and disbands that are due."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dipsat.base import Plain
from dipsat.formats.order_rulings import about, rulings_by_text
from dipsat.game import PhaseKind, Position, adjustments
from dipsat.rules import Profile


@dataclass(frozen=True, slots=True)
class Task(Plain):
    """What a power has to do in a phase."""

    units: tuple[str, ...] = ()
    """The units to be ordered: all of them, or the dislodged ones."""
    unordered: tuple[str, ...] = ()
    """Those of them that have no order, or no possible retreat; they hold, or are disbanded."""
    due: int = 0
    """How many units it may build, or as a negative number must disband."""
    is_missing: bool = False
    """Whether the phase waits for this power: it has sent nothing, or has not said where one of its
    dislodged units goes."""


def tasks_of(
    position: Position, orders: Mapping[str, Sequence[str]], rules: Profile
) -> Mapping[str, Task]:
    """Power -> what it has to do, for all that have something to do, in the order of the map."""
    kind, settings = position.phase.kind, rules.settings
    lost = [one.unit for one in position.dislodged]
    waiting = lost if kind is PhaseKind.RETREAT else position.units
    given = {(power, text) for power, own in orders.items() for text in own}
    if kind is PhaseKind.RETREAT:  # in other phases an illegal order is enough
        rulings = rulings_by_text(position, orders, rules)
        given = {key for key in given if any(is_legal for _, is_legal, _ in rulings[key])}
    ordered = {about(position, text) for _, text in given}
    found = {}
    for power in (one for one in position.map.powers if one not in position.map.neutrals):
        units = [] if kind is PhaseKind.ADJUSTMENT else [u for u in waiting if u.power == power]
        due = adjustments(position, power, settings) if kind is PhaseKind.ADJUSTMENT else 0
        if units or due:
            unordered = tuple(str(unit) for unit in units if unit.province not in ordered)
            is_missing = not orders.get(power) or bool(kind is PhaseKind.RETREAT and unordered)
            found[power] = Task(tuple(map(str, units)), unordered, due, is_missing)
    return found
