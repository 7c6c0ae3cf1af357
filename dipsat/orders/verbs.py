"""The tokens of an order's text, and the words for actions and for kinds of units, all folded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from dipsat.board.unit_kind import UnitKind
from dipsat.errors import OrderSyntaxError
from dipsat.orders.forms import Word
from dipsat.orders.words import Words

_DASHES = "-–—\u2010\u2011\u2212"  # hyphens, dashes and the minus sign, all typed for -
_TOKEN = re.compile(rf"[^\W_]+(?:['’][^\W_]+)?['’]?|[{_DASHES}=]*>|[→⇒]|[{_DASHES}]+|[()/]")
_NOISE = re.compile(r"[\s.,;:!_*]+")
_ARROW = re.compile(rf"[{_DASHES}=>→⇒]+")

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
"""All words for actions; rules cannot give any of them another meaning."""


@cache  # few rules have kinds of their own
def kind_words(kinds: tuple[UnitKind, ...]) -> Mapping[str, UnitKind]:
    """Letter or word -> the kind of unit."""
    return {word.casefold(): kind for kind in kinds for word in (kind, kind.word)}


def meaning_of(word: str, words: Words) -> str:
    """What a folded word means in orders under the rules, "" if nothing: no declaration can give it
    another meaning."""
    if word in ACTIONS:
        return "an action"
    kind = kind_words(words.units).get(word)
    if kind is not None:
        return f"the unit kind {kind.word}"
    if word in of_convoys(words):
        return "a convoy"
    for declared in words.kinds:
        parts = (part for form in declared.forms for part in form)
        if any(word in part.words for part in parts if isinstance(part, Word)):
            return f"an order of the kind {declared.name}"
    return ""


@cache
def of_convoys(words: Words) -> set[str]:
    """The words for a convoy under the rules."""
    own = (verb.casefold() for carriage in words.carriages for verb in carriage.verbs)
    return {*CONVOY, *own}


def tokens_of(text: str) -> list[str]:
    """The tokens of a text; every arrow and dash is "-". Raises `OrderSyntaxError`."""
    return list(_tokens(text))


@lru_cache(16)  # a text that cannot be read is tried in several ways in a row
def _tokens(text: str) -> tuple[str, ...]:
    tokens: list[str] = []
    at = 0
    while at < len(text):
        noise = _NOISE.match(text, at)
        if noise:
            at = noise.end()
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            raise OrderSyntaxError(text, f"unexpected {text[at]!r}")
        token = match.group().casefold().replace("’", "'").rstrip("'")  # Cecrops' Channel
        tokens.append("-" if _ARROW.fullmatch(token) else token)
        at = match.end()
    return tuple(tokens)


def is_hyphenated(text: str, before: str, after: str) -> bool:
    """Whether the text joins two tokens with a hyphen and no spaces."""
    folded = text.casefold()
    return any(f"{before}{dash}{after}" in folded for dash in _DASHES)
