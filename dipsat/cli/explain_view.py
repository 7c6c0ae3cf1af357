"""The output of `dipsat explain`: a tree for each unit."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from rich.tree import Tree

from dipsat.cli.view import STYLES, terminal
from dipsat.explanations.explain import Explanation
from dipsat.explanations.responsible import Responsible
from dipsat.explanations.smallest_change import SmallestChange
from dipsat.explanations.tree import ExplanationNode


def show_explanations(explanations: Sequence[Explanation]) -> None:
    """Print the trees, with the powers as headings if there are several."""
    console = terminal()
    power = None
    for at, found in enumerate(explanations):
        if at:
            console.print()
        if len(explanations) > 1 and found.power != power:
            power = found.power
            console.print(power.title(), style="bold")
        tree = Tree(Text(found.tree.text, style=STYLES.get(found.verdict, "")), guide_style="dim")
        _grow(tree, found.tree)
        console.print(tree)
        if found.core is not None:
            console.print()
            console.print(_in_words(found.core))
        if found.change is not None:
            console.print()
            console.print(_change_in_words(found.change, found.power.title()))


def _in_words(core: Responsible) -> str:
    if core.verdict != "forced":
        return f"Responsible orders: unknown; {core.why}."
    number = "No fewer force it." if core.is_smallest else "Fewer may be enough."
    orders = "; ".join(core.orders)
    return f"Forced by these orders, whatever all other units are ordered: {orders}. {number}"


def _change_in_words(change: SmallestChange, power: str) -> str:
    if change.verdict == "unknown":
        return f"Smallest change of {power}'s orders: unknown; {change.why}."
    if change.verdict == "impossible":
        return f"No orders of {power}'s own lead to: {change.aim}. That is proven."
    if not change.orders:
        return f"No change of {power}'s orders is needed: {change.aim}."
    pairs = zip(change.orders, change.instead_of, strict=True)
    new = "; ".join(f"{order} instead of {old}" for order, old in pairs)
    number = "No smaller change is enough."
    if not change.is_smallest:
        number = f"A smaller change may be enough: {change.why}."
    return f"With these orders of {power}'s own, {change.aim}: {new}. {number}"


def _grow(tree: Tree, node: ExplanationNode) -> None:
    for child in node.children:
        _grow(tree.add(Text(child.text, style="dim" if child.refers else "")), child)
