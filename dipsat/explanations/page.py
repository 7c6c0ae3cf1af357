"""What people read of the answers about a unit's order: its tree, the orders responsible, and the
smallest change."""

from __future__ import annotations

from dipsat.explanations.responsible import Responsible
from dipsat.explanations.smallest_change import SmallestChange
from dipsat.pages import titled


def responsible_in_words(core: Responsible) -> str:
    """Which orders force the verdict."""
    if core.verdict != "forced":
        return f"Responsible orders: unknown; {core.why}."
    number = "No fewer force it." if core.is_smallest else "Fewer may be enough."
    orders = "; ".join(core.orders)
    return f"Forced by these orders, whatever all other units are ordered: {orders}. {number}"


def change_in_words(change: SmallestChange, power: str) -> str:
    """Which orders of a power would have led to another verdict."""
    owner = titled(power)
    if change.verdict == "unknown":
        return f"Smallest change of {owner}'s orders: unknown; {change.why}."
    if change.verdict == "impossible":
        return f"No orders of {owner}'s own lead to: {change.aim}. That is proven."
    if not change.orders:
        return f"No change of {owner}'s orders is needed: {change.aim}."
    pairs = zip(change.orders, change.instead_of, strict=True)
    new = "; ".join(f"{order} instead of {old}" for order, old in pairs)
    number = "No smaller change is enough."
    if not change.is_smallest:
        number = f"A smaller change may be enough: {change.why}."
    return f"With these orders of {owner}'s own, {change.aim}: {new}. {number}"
