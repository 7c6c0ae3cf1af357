"""What kind of document a YAML file is, by its keys, so that a file in the wrong place is called by
its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dipsat.documents import Node
from dipsat.errors import ProfileError

RULE_FILE, MAP_FILE, ORDER_FILE = "a rule file", "a map", "an order file"
LINE_FILE = "a holding line"

_USE = {
    RULE_FILE: "give it as the rules, or check it with `dipsat rules check`",
    MAP_FILE: "give it as the map, or check it with `dipsat maps check`",
    ORDER_FILE: "judge it with `dipsat adjudicate`",
    LINE_FILE: "prove it with `dipsat search hold`, and draw it with the option --svg of that",
}


def refuse_other_kinds(root: Node, own: str) -> None:
    """Raise `ProfileError` for a document that is of another kind than `own`. One of no known kind
    passes: its keys are refused one by one."""
    top = root.value if isinstance(root.value, Mapping) else {}
    found = kind_of(top)
    if found not in (own, ""):
        root.fail(f"this is {found}, not {own}; {_USE[found]}", ProfileError)


def kind_of(top: Mapping[str, Any]) -> str:
    """The kind of a document with these keys, "" if they do not show it."""
    if top.keys() & {"decisions", "define", "cycles", "legal", "settings", "results"}:
        return RULE_FILE
    if top.keys() & {"provinces", "powers", "coasts", "border_features", "picture"}:
        return MAP_FILE
    if top.keys() & {"protect", "behind"}:
        return LINE_FILE
    orders = top["orders"].value if "orders" in top else None
    by_power = isinstance(orders, Mapping) and any(
        isinstance(one.value, tuple) for one in orders.values()
    )
    if by_power or (top.keys() & {"phase", "centers", "dislodged"} and "name" not in top):
        return ORDER_FILE
    return ""
