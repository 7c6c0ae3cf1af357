"""JSON objects, one after another, that repeat most of each other word for word.

A line of a recorded game begins with the board with which the line before it ended, and both say
the same about the game. A member with the same text at the same place is not parsed again: a JSON
value ends where its text ends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from dipsat.formats.json_text import value_at
from dipsat.limits_of_input import JSON_VALUES

_LONGEST = 20_000  # characters of a remembered value with a partner; units have up to 2,000
_SHORT = 200  # of a remembered value without one: long values, such as orders, do not come again
_MOST = 100  # remembered keys; a line has some 13
_SPACE = r"[ \t\n\r]{0,100}"
_KEY = rf'{_SPACE}"([^"\\\x00-\x1f]{{0,100}})"{_SPACE}:{_SPACE}'
_FIRST, _NEXT = re.compile(rf"\{{{_KEY}"), re.compile(rf"{_SPACE},{_KEY}")

_Member: TypeAlias = tuple[str, str, Any]
"""What stands before a value, with or without its text; the key; the value."""
_NO_MEMBER: _Member = ("\0", "", None)  # no JSON object has it


class RepeatedMembers:
    """Reads objects that repeat most members of earlier ones. `partners` maps a key to the key
    under which the next object may have the same value.

    Members with equal texts share one value; do not change it.
    """

    def __init__(self, partners: Mapping[str, str]) -> None:
        self._partners = partners
        self._known: dict[str | None, _Member] = {}  # the key before -> a member with its value
        self._steps: dict[str | None, _Member] = {}  # the key before -> the same without the value
        self._befores: dict[str, str | None] = {}  # key -> the key before

    def read(self, text: str) -> dict[str, Any] | None:
        """The object that a text states; None if it takes more care to read, or is none."""
        if len(text) > JSON_VALUES.most or not (text.startswith("{") and text.endswith("}")):
            return None
        if _NO_MEMBER[0] in text:
            return None
        found: dict[str, Any] = {}
        known, stands = self._known.get, text.startswith
        key, at, last = None, 0, len(text) - 1
        try:
            while at != last:
                said, following, value = known(key, _NO_MEMBER)
                if stands(said, at):
                    at += len(said)
                    key = following
                else:
                    key, value, at = self._read(text, at, key)
                if key in found:
                    return None
                found[key] = value
        except (ValueError, RecursionError):
            return None
        return found

    def _read(self, text: str, at: int, before: str | None) -> tuple[str, Any, int]:
        """The key and the value of the member after the one with the key `before`, and where it
        ends. Raises what `value_at` does, and `ValueError` if there is none."""
        step = self._steps.get(before, _NO_MEMBER)
        if not text.startswith(step[0], at):
            step = self._step(text, at, before)
        between, key, _ = step
        start = at + len(between)
        value, end = value_at(text, start)
        partner = self._partners.get(key)
        if end - start > (_LONGEST if partner else _SHORT) or key not in self._befores:
            return key, value, end
        said = text[start:end]
        self._known[before] = between + said, key, value
        if partner:
            other = self._befores.get(partner)
            between, after_other, _ = self._steps.get(other, _NO_MEMBER)
            if after_other == partner:
                self._known[other] = between + said, partner, value
        return key, value, end

    def _step(self, text: str, at: int, before: str | None) -> _Member:
        match = (_FIRST if before is None else _NEXT).match(text, at)
        if match is None:
            raise ValueError
        if len(self._befores) >= _MOST:
            for remembered in (self._known, self._steps, self._befores):
                remembered.clear()
        step = self._steps[before] = match[0], match[1], None
        self._befores[match[1]] = before
        return step
