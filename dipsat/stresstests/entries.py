"""Needless entries of a profile's own file: without them nothing changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from dipsat.documents import Node
from dipsat.errors import DipsatError
from dipsat.profiles.difference import difference
from dipsat.profiles.layers import Layer
from dipsat.profiles.load import composed_profile, load_profile
from dipsat.profiles.profile import Profile
from dipsat.searches.differ import read_alike
from dipsat.stresstests.judging import Words, everything_in_words, phase_in_words
from dipsat.stresstests.trial import Trial, moves_of_board, words_of_board

_DECLARED = ("domains", "relations", "features", "options")
_SECTIONS = ("settings", "convoys", "define", "legal", "decisions", "results", *_DECLARED)
_LISTS = ("cycles", "cycles_before")
_SILENT = ("define", "reasons", *_DECLARED)
"""Sections in which profiles may differ and still decide the same: the effect of a changed term or
a declared word is listed under the entries that use it."""

LONGER = 4
"""The effect of an entry is looked for on this many times the boards of a trial: the first
difference is enough, and mostly the first boards show one."""

_OF_CYCLES = {*_SILENT, "cycles"}
_OF_MOVES = {*_OF_CYCLES, "decisions", "results"}
_OF_RETREATS = "retreat_succeeds"  # the only equation that a later phase asks

PROVEN, NEVER, CHANGES = "proven", "never", "changes"


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """An entry that can be left out or, in the section `option`, a value that an option can
    have."""

    section: str
    name: str

    def __str__(self) -> str:
        return f"{self.section}: {self.name}"


@dataclass(frozen=True, slots=True)
class Effect:
    """Whether the rules decide differently without an entry: `proven` that they never do, `never`
    on any board tried, or `changes` the board of the `seed`."""

    verdict: str
    seed: int = -1
    problem: str = ""
    """Why nothing is known of it."""


def own_layer(profile: Profile) -> Layer | None:
    """The file of a profile that changes the others; None if there is only one."""
    files = [layer for layer in profile.layers if layer.source[0]]
    return files[-1] if len(files) > 1 else None


def own_entries(profile: Profile) -> Iterator[OwnEntry]:
    """The entries of the own file, and the values of options that are not in force."""
    layer = own_layer(profile)
    top = layer.root.mapping() if layer is not None else {}
    for section in _SECTIONS:
        if section in top:
            for key in top[section].mapping():
                yield OwnEntry(section, key.partition("(")[0].strip())
    for section in _LISTS:
        for node in top[section].sequence() if section in top else ():
            yield OwnEntry(section, node.mapping()["name"].raw)
    for name, values in profile.declared.options.items():
        for value in values:
            if value != profile.declared.chosen[name]:
                yield OwnEntry("option", f"{name}={value}")


def without(profile: Profile, entry: OwnEntry) -> Profile | None:
    """The profile without an entry, or with another value of an option; None if that is not a
    profile, because something else needs the entry."""
    try:
        if entry.section == "option":
            name, _, value = entry.name.partition("=")
            return load_profile(profile, settings={name: value})
        layer = own_layer(profile)
        assert layer is not None
        root = _without(layer.root, entry)
        text = f"{layer.source[1]}\n# without {entry}"
        reduced = Layer(root, (layer.source[0], text), layer.is_foreign)
        layers = (reduced if one is layer else one for one in profile.layers)
        return composed_profile(layers, profile.allowed)
    except DipsatError:
        return None


def _without(root: Node, entry: OwnEntry) -> Node:
    top: Mapping[str, Node] = root.value
    section = top[entry.section]
    kept: dict[str, Node] | tuple[Node, ...]
    if entry.section in _LISTS:
        kept = tuple(
            node for node in section.sequence() if node.mapping()["name"].raw != entry.name
        )
    else:
        kept = {
            key: node
            for key, node in section.value.items()
            if key.partition("(")[0].strip() != entry.name
        }
    entries = {key: node for key, node in top.items() if key != entry.section}
    if kept:
        entries[entry.section] = replace(section, value=kept)
    return replace(root, value=entries)


class Reach(Enum):
    """The boards and phases on which two profiles can decide differently."""

    CYCLES = "boards on which a rule for decision cycles is applied, or none applies"
    MOVES = "every movement phase, and what follows only if that differs"
    EVERYTHING = "every phase"


def reach_of(one: Profile, other: Profile) -> Reach | None:
    """Where two profiles can decide differently; None if that is nowhere."""
    changes = difference(one, other).changes
    changed = {change.section for change in changes}
    if changed <= set(_SILENT):
        return None
    if changed <= _OF_CYCLES:
        return Reach.CYCLES
    names = {change.name.partition("(")[0] for change in changes if change.section == "results"}
    is_of_moves = (
        changed <= _OF_MOVES
        and _OF_RETREATS not in names
        and _OF_RETREATS in one.results
        and read_alike(one, other)
        and not any(attribute.becomes for attribute in one.declared.attributes.values())
    )
    return Reach.MOVES if is_of_moves else Reach.EVERYTHING


def lost(_: OwnEntry, reason: str) -> Effect:
    """The effect of an entry that no worker could find."""
    return Effect("", problem=reason)


def effect_of(trial: Trial, entry: OwnEntry) -> Effect:
    """Return whether the rules decide differently without an entry on the boards of a trial.

    Movement, the retreats that follow, and builds and disbands are compared, on `LONGER` times the
    boards.
    """
    profile, reduced = trial.profile, without(trial.profile, entry)
    if reduced is None:
        return Effect(CHANGES)
    reach = reach_of(reduced, profile)
    if reach is None:
        return Effect(PROVEN)
    if entry.section == "option":  # on boards of the other value, which may have more words
        return first_difference(replace(trial, profile=reduced), profile, reach)
    return first_difference(trial, reduced, reach)


def first_difference(trial: Trial, other: Profile, reach: Reach = Reach.EVERYTHING) -> Effect:
    """The first board of a trial on which another profile decides differently; it can do so only
    within this reach."""
    for seed in range(trial.seed, trial.seed + LONGER * trial.boards):
        try:
            words = _words(trial, seed, reach)
        except DipsatError:
            continue  # another check reports that this board cannot be judged
        if words is None:
            continue
        try:
            if _words_under(other, trial, seed, reach) != words:
                return Effect(CHANGES, seed)
        except DipsatError:
            return Effect(CHANGES, seed)
    return Effect(NEVER)


def _words(trial: Trial, seed: int, reach: Reach) -> Words | None:
    """The results of a board that can differ within a reach; None if none can."""
    if reach is Reach.MOVES:
        return moves_of_board(trial, seed)[0]
    if reach is Reach.CYCLES and not moves_of_board(trial, seed)[1]:
        return None
    return words_of_board(trial, seed)


def _words_under(other: Profile, trial: Trial, seed: int, reach: Reach) -> Words:
    sheet = trial.sheet(seed)
    return (
        phase_in_words(other, sheet)[0]
        if reach is Reach.MOVES
        else everything_in_words(other, sheet)
    )
