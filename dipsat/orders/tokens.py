"""The tokens of the text of an order: folded words, arrows, brackets."""

from __future__ import annotations

import re

from dipsat.errors import OrderSyntaxError

_DASHES = "-–—\u2010\u2011\u2212"  # hyphens, dashes and the minus sign, all typed for -
_TOKEN = re.compile(rf"[^\W_]+(?:['’][^\W_]+)?['’]?|[{_DASHES}=]*>|[→⇒]|[{_DASHES}]+|[()/]")
_NOISE = re.compile(r"[\s.,;:!_*]+")
_ARROW = re.compile(rf"[{_DASHES}=>→⇒]+")


def tokens_of(text: str) -> list[str]:
    """The tokens of a text; every arrow and dash is "-". Raises `OrderSyntaxError`."""
    tokens, at = [], 0
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
    return tokens


def is_hyphenated(text: str, before: str, after: str) -> bool:
    """Whether two tokens stand in the text with a hyphen between them and no spaces."""
    pattern = rf"{re.escape(before)}[{_DASHES}]{re.escape(after)}"
    return re.search(pattern, text.casefold()) is not None
