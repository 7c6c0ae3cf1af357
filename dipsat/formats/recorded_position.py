"""Documents that dipsat has written, read as a phase."""

from __future__ import annotations

from dipsat.documents import Node
from dipsat.game.owners import OWNERS

_POSITION = ("phase", "units", *OWNERS, "dislodged")


def recorded_position(root: Node) -> dict[str, Node] | None:
    """What a document that dipsat has written says about a phase: a position, a saved game, which
    says it of its last phase, with the orders entered so far, or what `adjudicate --json` prints,
    which says it of the next one. None for a document that people write."""
    top = root.mapping()
    about: dict[str, Node] = {key: top[key] for key in ("map", "rules") if key in top}
    phases = top["phases"].value if "phases" in top else ()
    if isinstance(phases, tuple) and phases:
        last = phases[-1].mapping()
        entered = {"orders": last["orders"]} if "orders" in last else {}
        return {**about, **_position_in(phases[-1]), **entered}
    if "next" in top and "units" in top:
        return {**about, **_position_in(top["next"])}
    return {**about, **_position_in(root)} if "retreats" in top else None


def _position_in(node: Node) -> dict[str, Node]:
    """The keys of a position as dipsat writes it, as those of a phase."""
    found = {key: value for key, value in node.mapping().items() if key in _POSITION}
    if "retreats" in node.mapping():
        found["dislodged"] = node.mapping()["retreats"]
    return found
