"""Reading the codes that other notations have for the things of a map."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from dipsat.board.faults import Faults, hint
from dipsat.board.map import Codes
from dipsat.documents import Node

_NOTATIONS = ("daide",)  # the notations with codes of their own
_KEYS = ("provinces", "powers", "coasts")
_CODE = re.compile(r"[^\W_]+")


def read_codes(
    section: Node | None, things: Mapping[str, Collection[str]], faults: Faults
) -> dict[str, Codes]:
    """The codes by notation; `things` are the map's provinces, powers and coasts."""
    entries = section.mapping(_NOTATIONS, "notations") if section is not None else {}
    found = {}
    for name, node in entries.items():
        fields = node.mapping(_KEYS, f"notation {name}")
        found[name] = Codes(
            **{what: _codes(name, what, fields.get(what), things[what], faults) for what in _KEYS}
        )
    return found


def _codes(
    notation: str, what: str, node: Node | None, things: Collection[str], faults: Faults
) -> dict[str, str]:
    """Each thing's code: the one given, or its own. No code may stand for two things."""
    codes = {thing: thing for thing in things}
    if node is None:
        return codes
    given = node.mapping(None, f"{what} of notation {notation}")
    for thing, item in given.items():
        code = item.text(f"the {notation} code of {thing}")
        if not _CODE.fullmatch(code):
            problem = f"the {notation} code {code!r} of {thing} is not all letters and digits"
            faults.add(item, problem)
        if thing in codes:
            codes[thing] = code
        else:
            problem = f"{thing!r} is not under `{what}` of this map{hint(thing, things)}"
            faults.add_at_key(node, thing, problem)
    owner: dict[str, str] = {}
    for thing, code in codes.items():
        first = owner.setdefault(code.casefold(), thing)
        if first != thing:
            problem = f"the {notation} code {code!r} stands for {first} and {thing}"
            faults.add(given.get(thing) or given.get(first) or node, problem)
    return codes
