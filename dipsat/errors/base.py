"""The base of all errors, and what their messages share."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_SHOWN = 80  # characters of a text from outside that a message repeats


class DipsatError(Exception):
    """Base of all errors that bad input, a bad rule file or a stated limit can cause."""


def shortened(text: str) -> str:
    """A text from outside, cut to what a message can show."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def nearest_names(name: str, known: Iterable[str], count: int = 2) -> tuple[str, ...]:
    """The known names most like `name`, best first; case is ignored."""
    by_folded: dict[str, str] = {}
    for candidate in known:
        by_folded.setdefault(candidate.casefold(), candidate)
    close = get_close_matches(name[:_SHOWN].casefold(), by_folded, n=count, cutoff=0.6)
    return tuple(by_folded[folded] for folded in close)


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The known name that is most like `name`, as a question; `otherwise` if none is like it."""
    close = nearest_names(name, known, 1)
    return f"did you mean {close[0]!r}?" if close else otherwise
