"""The names of powers as people write them."""

from __future__ import annotations

import re
from functools import cache

_SHORT = frozenset({"DDR", "EEC", "EU", "FRG", "GDR", "NATO", "PRC", "UAE", "UAR", "UK", "UN", "US",
                    "USA", "USSR"})  # fmt: skip
"""Abbreviations of powers, which no rule tells from short names such as EIRE and ODA."""
_SMALL = frozenset({"AND", "DE", "OF", "THE"})
"""Words that are small within a name."""


@cache
def titled(power: str) -> str:
    """Return the name of a power for display: `France`, `Kingdom of Denmark`, `USSR`."""
    return re.sub(r"[^\W_]+(?:'[^\W_]+)?", _word, power)


def _word(found: re.Match[str]) -> str:
    word = found[0].upper()
    if word in _SHORT:
        return word
    return word.lower() if word in _SMALL and found.start() else word.capitalize()
