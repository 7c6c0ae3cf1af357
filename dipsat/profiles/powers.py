"""The powers that rules name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NoReturn

from dipsat.board.map import Map
from dipsat.errors import UnknownNameError, did_you_mean, shortened

Fail = Callable[[str], NoReturn]
"""Reports a problem at the place of what is being read."""


@dataclass
class NamedPowers:
    """Finds the powers that rules name on their map, or else on the standard map. `load` loads it;
    None if it has a fault. `used` collects the powers."""

    load: Callable[[], Map | None]
    is_own_map: bool
    used: dict[str, None] = field(default_factory=dict)

    @cached_property
    def board(self) -> Map | None:
        """The map."""
        return self.load()

    def code(self, text: str, fail: Fail) -> str:
        """The power that a text names in any spelling that the map knows, "" for none at all;
        `fail` reports that there is no such power."""
        if not text:
            return ""
        board = self.board
        if board is None:
            fail("the map of these rules has a fault, so its powers are not known")
        try:
            found = board.names.power(text)
        except UnknownNameError as error:
            hint = did_you_mean(text, error.nearest, f"known: {', '.join(board.powers)}")
            if not self.is_own_map:
                hint += " (for the powers of another map, write map: NAME in this file)"
            fail(f"the map {board.name} has no power {shortened(text)!r}; {hint}")
        self.used[found] = None
        return found

    def all(self) -> tuple[str, ...]:
        """All powers of the map."""
        return () if self.board is None else tuple(self.board.powers)
