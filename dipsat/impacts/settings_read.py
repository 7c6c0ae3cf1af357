"""Which settings are read while a phase is judged.

Judging is a function of the position, the orders and the rules. So rules that differ from the base
in nothing but settings which judging the phase under the base has not read give the same outcome.
"""

from __future__ import annotations

import threading
from dataclasses import fields, replace
from typing import Any

from dipsat.profiles.profile import Profile
from dipsat.profiles.settings import Settings

SETTINGS = frozenset(field.name for field in fields(Settings))
"""The names of all settings."""


class _Reads(threading.local):
    """The names of the settings that a thread has read."""

    def __init__(self) -> None:
        self.names: set[str] = set()


class _Recording(Settings):
    """Settings that note the names of those that are read. Whatever compares or copies them reads
    all."""

    __slots__ = ("reads",)
    reads: _Reads

    def __getattribute__(self, name: str) -> Any:
        if name in SETTINGS:
            object.__getattribute__(self, "reads").names.add(name)
        return object.__getattribute__(self, name)


class RecordingRules:
    """Rules that know which of their settings are read, in each thread."""

    def __init__(self, rules: Profile) -> None:
        settings = object.__new__(_Recording)
        for name in SETTINGS:
            object.__setattr__(settings, name, getattr(rules.settings, name))
        self._reads = _Reads()
        object.__setattr__(settings, "reads", self._reads)
        self.profile = replace(rules, settings=settings)
        """The rules, as they are to be given to whoever judges."""

    def take(self) -> frozenset[str]:
        """The settings that this thread has read since the last time."""
        found = frozenset(self._reads.names)
        self._reads.names.clear()
        return found
