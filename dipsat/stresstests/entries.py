"""Needless entries of a profile's own file: without them nothing changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from dipsat.documents import Node
from dipsat.errors import DipsatError
from dipsat.limits import ENDLESS
from dipsat.profiles.difference import difference
from dipsat.profiles.layers import Layer
from dipsat.profiles.load import composed_profile, load_profile
from dipsat.profiles.profile import Profile
from dipsat.stresstests.judging import everything_in_words
from dipsat.stresstests.trial import Trial, words_of_board

_DECLARED = ("domains", "relations", "features", "options")
_SECTIONS = ("settings", "convoys", "define", "legal", "decisions", "results", *_DECLARED)
_LISTS = ("cycles", "cycles_before")
_SILENT = ("define", "reasons", *_DECLARED)
"""Sections in which profiles may differ and still decide the same: the effect of a changed term or
a declared word is listed under the entries that use it."""

LONGER = 4
"""The effect of an entry is looked for on this many times the boards of a trial: the first
difference is enough, and mostly the first boards show one."""

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
        return composed_profile(layers, ENDLESS.reading(profile.allowed))
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


def effect_of(trial: Trial, entry: OwnEntry) -> Effect:
    """Return whether the rules decide differently without an entry on the boards of a trial.

    Movement, the retreats that follow, and builds and disbands are compared, on `LONGER` times the
    boards.
    """
    profile, reduced = trial.profile, without(trial.profile, entry)
    if reduced is None:
        return Effect(CHANGES)
    changed = {change.section for change in difference(reduced, profile).changes}
    if changed <= set(_SILENT):
        return Effect(PROVEN)
    if entry.section == "option":  # on boards of the other value, which may have more words
        return _first_difference(replace(trial, profile=reduced), profile)
    return _first_difference(trial, reduced)


def _first_difference(trial: Trial, other: Profile) -> Effect:
    """The first board of a trial on which another profile decides differently."""
    for seed in range(trial.seed, trial.seed + LONGER * trial.boards):
        try:
            words = words_of_board(trial, seed)
        except DipsatError:
            continue  # another check reports that this board cannot be judged
        try:
            if everything_in_words(other, trial.sheet(seed)) != words:
                return Effect(CHANGES, seed)
        except DipsatError:
            return Effect(CHANGES, seed)
    return Effect(NEVER)
