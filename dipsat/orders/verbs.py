"""The words for what units do, and for kinds of units, in the texts of orders; all are folded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from dipsat.board.unit_kind import UnitKind
from dipsat.orders.words import Words

HOLD = {"h", "hold", "holds", "stand", "stands"}
SUPPORT = {"s", "sup", "support", "supports"}
CONVOY = {"c", "convoy", "convoys"}
MOVE = {"move", "moves", "to"}
VIA = {"via", "by"}
RETREAT = {"r", "retreat", "retreats"}
DISBAND = {"d", "disband", "disbands", "remove", "removes"}
BUILD = {"b", "build", "builds"}
WAIVE = {"waive", "waives", "waived", "decline", "declines"}
ACTIONS = frozenset(HOLD | SUPPORT | CONVOY | MOVE | VIA | RETREAT | DISBAND | BUILD | WAIVE)
"""All words for what units do; rules can give none of them another meaning."""


@cache  # rules with kinds of their own are few
def kind_words(kinds: tuple[UnitKind, ...]) -> Mapping[str, UnitKind]:
    """Letter or word -> the kind of unit."""
    return {word.casefold(): kind for kind in kinds for word in (kind, kind.word)}


@cache
def of_convoys(words: Words) -> set[str]:
    """What may stand for a convoy under the rules."""
    own = (verb.casefold() for carriage in words.carriages for verb in carriage.verbs)
    return {*CONVOY, *own}
