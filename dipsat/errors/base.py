"""The base of all errors, and the functions that their messages share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

_SHOWN = 80  # characters of a text from outside that a message repeats


class DipsatError(Exception):
    """The base of all errors for bad input, a bad rule file or a stated limit.

    Errors can be copied, and pickled to be sent to another process, if their attributes can.
    """

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
        # Python would call the class with the message, in place of what the message is made from.
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[DipsatError], args: tuple[Any, ...]) -> DipsatError:
    """Return an error with its message, made without its `__init__`; the attributes follow."""
    return kind.__new__(kind, *args)


def shortened(text: str) -> str:
    """Return a text from outside, cut to a length that a message can show."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def nearest_names(name: str, known: Iterable[str], count: int = 2) -> tuple[str, ...]:
    """Return the known names most like `name`, best first; case is ignored."""
    by_folded: dict[str, str] = {}
    for candidate in known:
        by_folded.setdefault(candidate.casefold(), candidate)
    close = get_close_matches(name[:_SHOWN].casefold(), by_folded, n=count, cutoff=0.6)
    return tuple(by_folded[folded] for folded in close)


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Ask whether the known name most like `name` was meant; `otherwise` if none is like it."""
    close = nearest_names(name, known, 1)
    return f"did you mean {close[0]!r}?" if close else otherwise
