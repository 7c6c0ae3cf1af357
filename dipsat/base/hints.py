"""Suggestions for unknown words, at the end of the messages that refuse them."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_COMPARED = 80  # characters of a word


def nearest_names(name: str, known: Iterable[str], count: int = 2) -> tuple[str, ...]:
    """Return the known names most like `name`, best first; case is ignored."""
    by_folded: dict[str, str] = {}
    for candidate in known:
        by_folded.setdefault(candidate.casefold(), candidate)
    close = get_close_matches(name[:_COMPARED].casefold(), by_folded, n=count, cutoff=0.6)
    return tuple(by_folded[folded] for folded in close)


def hint(
    word: str, known: Iterable[str], listed: str = "", *, otherwise: str = "", quoted: bool = True
) -> str:
    """The end of a message about an unknown word: `; did you mean 'move'?` with the nearest known
    one. If none is near, it has all of them after `listed` (`; known: hold, move`), or the text
    `otherwise`; "" for no end. Codes of a map are not `quoted`."""
    known = tuple(known)
    near = nearest_names(word, known, 1)
    if near:
        return f"; {did_you_mean(repr(near[0]) if quoted else near[0])}"
    if listed:
        return f"; {listed} {', '.join(known) or 'none'}"
    return f"; {otherwise}" if otherwise else ""


def did_you_mean(*names: str) -> str:
    """The question whether one of these names was meant."""
    return f"did you mean {' or '.join(names)}?"
