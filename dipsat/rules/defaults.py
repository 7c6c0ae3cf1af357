"""The default rules, and the kinds of rules with which a new file may begin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

DEFAULT_RULES = "datc"
"""The profile that is used if none is named."""


# --- rule kinds -----------------------------------------------------------------------------------

# The kinds of rules with which a new rule file may begin.


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of rule: what it changes, in words, the file for the orders that show it, and whether
    the profile below can judge these orders, too (not if it lacks a kind of unit)."""

    changes: str
    orders_file: str = "orders.txt"
    is_compared: bool = True


DEFAULT_KIND = "support"
KINDS: Mapping[str, Kind] = {
    DEFAULT_KIND: Kind("how {base} gives support"),
    "strength": Kind("how strong {base} makes a defence"),
    "cutting": Kind("which attacks cut supports under {base}"),
    "legality": Kind("which orders are legal under {base}"),
    "unit-kind": Kind("the units of {base}", is_compared=False),
    "retreat": Kind("where units retreat under {base}"),
    "builds": Kind("where powers build under {base}", "orders.yaml"),
    "cycle-rule": Kind("how {base} settles a decision cycle"),
    "setting": Kind("how {base} reads orders"),
}
"""The kinds of rules, each by the name of its template."""
