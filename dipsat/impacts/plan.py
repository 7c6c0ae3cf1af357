"""What is judged: the base once, and rule sets that judge a kind of phase alike together."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.errors import DipsatError
from dipsat.game.phase_name import PhaseKind
from dipsat.impacts.causes import Causes
from dipsat.impacts.settings_read import SETTINGS, RecordingRules
from dipsat.kernel.at_once import MovesAtOnce
from dipsat.kernel.batch import kept_batch
from dipsat.limits import UNLIMITED, Limits
from dipsat.profiles.difference import Change
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.proof.comparison import SILENT, changes_for
from dipsat.values import kept_on_first, own_fields

Rules: TypeAlias = str | Path | Profile

_NEXT = {"centers_change", "build_where", "victory"}
"""Settings that change the next position where all orders have the same results."""


@dataclass(frozen=True)
class Asked:
    """The question, as it is handed to other processes."""

    base: str | Profile
    rules: tuple[str | Profile, ...]
    map: str | Map | None
    examples: int
    limits: Limits = UNLIMITED
    rows: bool = False
    """Whether a row is asked for each phase."""

    __getstate__ = own_fields

    @cached_property
    def plan(self) -> Plan:
        """What is judged."""
        return Plan(load_profile(self.base), tuple(map(load_profile, self.rules)))

    @cached_property
    def board(self) -> Map | None:
        """The map that overrules those that games name, if there is one."""
        return None if self.map is None else load_map(self.map)

    @property
    def random_board(self) -> Map:
        """The map of random boards."""
        return self.board or load_map(self.plan.base.map or "standard")


@dataclass(frozen=True, slots=True)
class Group:
    """Rule sets that judge a kind of phase alike: the first one, and the places of all in the
    list; `changes` are the entries that may matter."""

    profile: Profile
    members: tuple[int, ...]
    changes: tuple[Change, ...]
    causes: Causes

    @property
    def changes_reading(self) -> bool:
        """Whether orders may mean something else, or be legal for other reasons."""
        return any(change.section in ("settings", "legal") for change in self.changes)

    @property
    def changes_next(self) -> bool:
        """Whether the next position may differ where all orders have the same results."""
        return any(
            change.section == "legal" or (change.section == "settings" and change.name in _NEXT)
            for change in self.changes
        )

    def is_idle(self, read: Collection[str]) -> bool:
        """Whether the rules surely judge a phase as the base does, which has read these settings on
        the way: they differ in nothing but other ones."""
        return all(
            change.section in SILENT
            or (
                change.section == "settings" and change.name in SETTINGS and change.name not in read
            )
            for change in self.changes
        )


class Plan:
    """The base, the rule sets, and which of these judge alike."""

    def __init__(self, base: Profile, rules: tuple[Profile, ...]) -> None:
        self.base = base
        self.recording = RecordingRules(base)
        self.rules = rules
        # Profile by profile: the next one's difference replaces the last one's.
        changes = [{kind: changes_for(base, one, kind) for kind in PhaseKind} for one in rules]
        self.groups: Mapping[PhaseKind, tuple[Group, ...]] = {
            kind: tuple(self._groups([of[kind] for of in changes])) for kind in PhaseKind
        }
        """Kind of phase -> the rule sets that may judge it in another way than the base."""

    def _groups(self, changes: Sequence[tuple[Change, ...]]) -> list[Group]:
        """The rule sets that have such changes each, those with the same ones together."""
        found: dict[Hashable, list[int]] = {}
        for at, own in enumerate(changes):
            if own:
                found.setdefault(_key(self.rules[at], own), []).append(at)
        return [
            Group(profile, tuple(members), own, Causes(self.base, profile, own))
            for members in found.values()
            for profile, own in [(self.rules[members[0]], changes[members[0]])]
        ]


def _key(profile: Profile, changes: tuple[Change, ...]) -> Hashable:
    """Equal for profiles that differ from the base in the same way."""
    key: list[Hashable] = []
    for change in changes:
        before, after = (side and side.text for side in (change.before, change.after))
        is_hidden = before == after and not change.through  # it was changed in Python
        key.append((change.section, change.name, after, change.through, is_hidden and id(profile)))
    return tuple(key)


@kept_on_first(4)
def moves_at_once(profile: Profile, board: Map) -> MovesAtOnce | None:
    """The compiled equations of a profile; None if they cannot be compiled."""
    try:
        found = MovesAtOnce(kept_batch(profile, board))
    except DipsatError:
        return None  # it is found again phase by phase
    return found if found.is_ready else None
