"""The codes of the units and orders of one power, which often come again beside those of others: a
search tries the same orders of a power beside many orders of the others."""

from __future__ import annotations

from typing import TypeAlias

Key: TypeAlias = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A power, its units and its orders."""
Part: TypeAlias = tuple[bytes, bytes, int]
"""The codes of units, those of their orders, and the provinces as bits."""

_MOST = 5_000  # about 1 kilobyte each
_PATIENCE = 500  # boards in a row with something new until only a few boards are tried
_ENOUGH = 4  # more such boards for each board with nothing new
_RARELY = 32  # where little was known, one board in so many is tried


class PowerParts:
    """The parts that have been asked for twice: what never comes again is not worth the time."""

    def __init__(self) -> None:
        self.known: dict[Key, Part] = {}
        """The parts that are known."""
        self._once: set[Key] = set()
        self._boards, self._credit = 0, _PATIENCE

    def are_worth_trying(self) -> bool:
        """Whether to look for the parts of one more board."""
        self._boards += 1
        return self._credit > 0 or self._boards % _RARELY == 0

    def note(self, is_known: bool) -> None:
        """Note whether all parts of a board were known."""
        change = _ENOUGH if is_known else -1
        self._credit = min(max(self._credit + change, 0), _PATIENCE)

    def is_asked_again(self, key: Key) -> bool:
        """Whether a part that is not known has been asked for before."""
        if key in self._once:
            return True
        if len(self._once) >= _MOST:
            self._once.clear()
        self._once.add(key)
        return False

    def add(self, key: Key, part: Part) -> None:
        """Remember a part."""
        if len(self.known) >= _MOST:
            self.known.clear()
        self.known[key] = part
