"""What is judged under a base and other rules, and which changed entries make a phase differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import combinations
from math import comb
from typing import TypeAlias

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.errors import DipsatError
from dipsat.game.phase_name import PhaseKind
from dipsat.game.settings import Settings
from dipsat.limits import UNLIMITED, Limits
from dipsat.profiles.difference import Change
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.proof.comparison import SILENT, changes_for
from dipsat.surveys.results import Result
from dipsat.values import own_fields

SETTINGS = frozenset(field.name for field in fields(Settings))
"""The names of all settings."""


# --- causes ---------------------------------------------------------------------------------------


CYCLES = "rules for decision cycles"
"""The cause if these are all that it takes; whoever knows which of them settled the phase names
these instead."""
DECLARED = "what the rules declare"

_MOST_PAIRS = 150  # of entries that are tried; with more, one set from which none can be left out
_EQUATIONS = ("decisions", "results")
Judging: TypeAlias = Callable[[Profile], Result]
"""The result of a phase under a profile. Raises the errors of `adjudicate`."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A changed entry, or the entries of a section that change together."""

    section: str
    name: str
    label: str


class Causes:
    """The causes of differences between a base and rules that have changed these entries.

    An entry is laid over the base as the rules mean it: an equation with the terms that it uses
    there. What the rules declare (kinds of units, orders of their own, new decisions) is there in
    any case, since other entries need it; if it is enough by itself, it is the cause.
    """

    def __init__(self, base: Profile, rules: Profile, changes: Iterable[Change]) -> None:
        self._base = base
        self._rules = rules
        listed = [change for change in changes if change.section not in SILENT]
        legal = ", ".join(_name(change) for change in listed if change.section == "legal")
        found = [_entry(rules, change, legal) for change in listed]
        self._declares = None in found
        self._entries = tuple(dict.fromkeys(entry for entry in found if entry is not None))
        self.changed_rules = frozenset(c.name for c in listed if c.section == "cycles")
        """The rules for decision cycles that differ."""
        self._laid: dict[tuple[_Entry, ...], Profile] = {}

    @property
    def only(self) -> tuple[str, ...] | None:
        """The only possible cause, as far as it is known without judging anything."""
        is_single = len(self._entries) == 1 and not self._declares
        return (self._entries[0].label,) if is_single and not self.changed_rules else None

    def of(self, judge: Judging, wanted: Result) -> tuple[str, ...]:
        """The smallest set of entries with this result, the first of several in the order of the
        rules; or, of many entries, a set from which none can be left out."""
        chosen = self._chosen(judge, wanted)
        return tuple(entry.label for entry in chosen) or (DECLARED,)

    def _chosen(self, judge: Judging, wanted: Result) -> Sequence[_Entry]:
        entries = self._entries
        if len(entries) <= 1 and not self._declares:
            return entries

        def is_enough(some: Sequence[_Entry]) -> bool:
            try:
                return judge(self._with(tuple(some))) == wanted
            except DipsatError:  # a mixture of two rule sets need not settle everything
                return False

        if self._declares and is_enough(()):
            return ()
        for size in (1, 2):
            if comb(len(entries), size) <= _MOST_PAIRS:
                for some in combinations(entries, size):
                    if is_enough(some):
                        return some
        kept = list(entries)
        for entry in entries:
            fewer = [one for one in kept if one is not entry]
            if is_enough(fewer):
                kept = fewer
        return kept

    def _with(self, entries: tuple[_Entry, ...]) -> Profile:
        """The base with these entries of the rules."""
        known = self._laid.get(entries)
        if known is None:
            known = self._laid[entries] = self._composed(entries)
        return known

    def _composed(self, entries: tuple[_Entry, ...]) -> Profile:
        base, rules = self._base, self._rules
        if entries == self._entries:
            return rules
        named = {section: [e.name for e in entries if e.section == section]
                 for section in ("settings", *_EQUATIONS)}  # fmt: skip
        has_legality = any(entry.section == "legal" for entry in entries)
        legal = rules if has_legality else base
        settings = {name: getattr(rules.settings, name) for name in named["settings"]}
        decisions = {**rules.decisions, **base.decisions}
        decisions |= {name: rules.decisions[name] for name in named["decisions"]}
        results = {**rules.results, **base.results}
        results |= {name: rules.results[name] for name in named["results"]}
        return replace(
            base,
            name=f"{base.name} with entries of {rules.name}",
            settings=replace(base.settings, **settings, conditions=legal.settings.conditions),
            decisions=decisions,
            results=results,
            cycles=(rules if any(e.section == "cycles" for e in entries) else base).cycles,
            reasons={**base.reasons, **rules.reasons},
            declared=rules.declared,
            lawful=rules.lawful,
            legal=legal.legal,
        )


def _name(change: Change) -> str:
    return change.name.partition("(")[0].strip()


def _entry(rules: Profile, change: Change, legal: str) -> _Entry | None:
    """The entry of a change; None for one of what the rules declare, and for one that others
    show. `legal` names all conditions on single orders that differ, which change together."""
    name = _name(change)
    if change.section == "settings" and name in SETTINGS:
        return _Entry("settings", name, f"setting {name}")
    if change.section == "legal":
        return _Entry("legal", "", f"legality {legal}")
    if change.section == "cycles":
        return _Entry("cycles", "", CYCLES)
    if change.section == "decisions" and change.after is not None:
        is_strength = not rules.decisions[name].type.is_truth
        return _Entry("decisions", name, f"{'strength' if is_strength else 'decision'} {name}")
    if change.section == "results" and change.after is not None:
        return _Entry("results", name, f"result {name}")
    return None


# --- the plan -------------------------------------------------------------------------------------


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
class Changed:
    """A rule set in phases of a kind that it may judge in another way than the base: its place in
    the list, and the entries that may matter."""

    profile: Profile
    place: int
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


class Plan:
    """The base, the rule sets, and which of these may judge a kind of phase in another way."""

    def __init__(self, base: Profile, rules: tuple[Profile, ...]) -> None:
        self.base = base
        self.rules = rules
        self.changed: dict[PhaseKind, list[Changed]] = {kind: [] for kind in PhaseKind}
        for place, profile in enumerate(rules):
            for kind, listed in self.changed.items():
                changes = changes_for(base, profile, kind)
                if changes:
                    causes = Causes(base, profile, changes)
                    listed.append(Changed(profile, place, changes, causes))
