"""What is odd about a profile that loads: files without effect, conditions left out without a
word, entries that nothing uses, and slips of the pen."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

from dipsat.documents import Node
from dipsat.errors import LISTED_FAULTS, DocumentError, did_you_mean
from dipsat.limits import UNLIMITED, Limits, running
from dipsat.profiles.additions import BASE, BUILDING, KEPT, builds_on_base, parts_of, still_stated
from dipsat.profiles.layers import Layers
from dipsat.profiles.load import load_profile
from dipsat.profiles.named_map import NamedMap, map_or_none
from dipsat.profiles.profile import DECISIONS_NEEDED, RESULTS_NEEDED, Profile
from dipsat.profiles.slips import slips
from dipsat.profiles.standing import idle_files, listed, standings

RESULTS_READ = (*RESULTS_NEEDED, "retreat_succeeds")
"""The results that dipsat reads, besides those that attributes name under `becomes`."""

_WORD = re.compile(r"\w+")
_MAX_HINTS = 10  # at names that nothing uses; each takes a look at all names
_TERMS = ("define", "decisions", "results")  # what may be of no use


def check_profile(
    rules: str | Path | Profile, *, limits: Limits = UNLIMITED
) -> tuple[Profile, tuple[str, ...]]:
    """Return a profile as `load_profile` does, and remarks on what is odd about it though it loads:
    files without effect, conditions of the base that an entry leaves out without saying so, and
    entries that nothing uses, these with file, line and column.

    `limits` and the errors are those of `load_profile`.
    """
    with running(limits):
        profile = load_profile(rules)
        return profile, remarks(profile)


def remarks(profile: Profile) -> tuple[str, ...]:
    """Sentences about what is odd, those about an entry with its place, at most fifty of a kind."""
    layers = Layers(profile.layers)
    files = [layer.root.path for layer in profile.layers]
    kinds = (
        _left_out(layers), _idle(layers, profile), _unused(layers, profile),
        _only_shown(layers), _slips(layers, profile),
    )  # fmt: skip
    found = [one for kind in kinds for one in islice(kind, LISTED_FAULTS)]
    odd = sorted(found, key=lambda one: one.order(files))
    return (*idle_files(standings(profile.layers)), *map(str, odd))


@dataclass(frozen=True, slots=True)
class _Odd:
    """Something odd about an entry, at a place."""

    place: tuple[str, int, int]
    what: str

    def __str__(self) -> str:
        return f"{':'.join(map(str, self.place))}: {self.what}"

    def order(self, files: Sequence[str]) -> tuple[int, int, int]:
        """Where it comes among others."""
        path, line, column = self.place
        return files.index(path), line, column


def _left_out(layers: Layers) -> Iterator[_Odd]:
    """Decisions whose entry drops conditions of the files below."""
    for stated in layers.entries("decisions").values():
        first = len(stated) - len(still_stated(stated))
        for at in range(max(first, 1), len(stated)):
            key, section, value = stated[at]
            below = stated[:at]
            own = value.value if isinstance(value.value, Mapping) else {}
            if BASE in own or (not own and builds_on_base(value)):
                continue
            try:
                parts = parts_of(below)
            except DocumentError:  # of entries that do not count any more
                continue
            lost = [part.name for part in parts if part.name and part.name not in own]
            if lost:
                conditions = f"{'conditions' if lost[1:] else 'condition'} {listed(lost)}"
                what = f"{key} leaves out the {conditions} of {below[-1][1].path}; write "
                yield _Odd(section.place_of(key), f"{what}`{BASE}: {KEPT}` to keep them")


def _idle(layers: Layers, profile: Profile) -> Iterator[_Odd]:
    """Entries of files that are not shipped that only repeat what the files below say, and new
    conditions that are always true."""
    own = {layer.root.path for layer in profile.layers if not layer.is_shipped}
    for section in BUILDING:
        for stated in layers.entries(section).values():
            for at, (key, place, value) in enumerate(stated):
                if place.path not in own:
                    continue
                if _only_base(value):
                    what = f"{key} changes nothing: it says what the files below say"
                    yield _Odd(place.place_of(key), what)
                elif section == "decisions" and isinstance(value.value, Mapping):
                    yield from _always_true(
                        value, {name for *_, v in stated[:at] for name in _keys(v)}
                    )
    for stated in layers.entries("settings").values():
        for (*_, below), (key, place, value) in pairwise(stated):
            if place.path in own and below.value == value.value:
                what = f"{key} changes nothing: the files below choose {value.value}, too"
                yield _Odd(place.place_of(key), what)


def _keys(node: Node) -> tuple[str, ...]:
    return tuple(node.value) if isinstance(node.value, Mapping) else ()


def _only_base(value: Node) -> bool:
    if isinstance(value.value, Mapping):
        return set(value.value) == {BASE}
    return value.value is not None and value.raw.strip() == BASE


def _always_true(value: Node, below: set[str]) -> Iterator[_Odd]:
    """The conditions of an entry, not among those below, that are `true`."""
    for name, condition in value.mapping().items():
        if name not in below and condition.value is not None and condition.raw.strip() == "true":
            what = f"the condition {name} changes nothing: it is always true"
            yield _Odd(value.place_of(name), what)


def _unused(layers: Layers, profile: Profile) -> Iterator[_Odd]:
    """Entries of files that are not shipped that nothing uses."""
    own = {layer.root.path for layer in profile.layers if not layer.is_shipped}
    used = _used(layers, profile)
    hints = 0
    for section in _TERMS:
        for name, stated in layers.entries(section).items():
            key, place, _ = stated[0] if stated[0][1].path in own else stated[-1]
            if place.path in own and (section, name) not in used:
                known = RESULTS_READ if section == "results" else _names(layers)
                known = tuple(other for other in known if other != name)
                hints += 1
                is_new = place is stated[0][1]
                hint = did_you_mean(name, known) if is_new and hints <= _MAX_HINTS else ""
                what = f"nothing uses {key}{hint and f'; {hint}'}"
                yield _Odd(place.place_of(key), what)


def _only_shown(layers: Layers) -> Iterator[_Odd]:
    """Entries for `contested`, if retreats go by the terms that it went by in the files below."""
    first, *above = layers.entries("results")["contested"]
    terms = layers.entries("define")
    retreats = _reached(layers, [("results", "retreat")])
    for key, place, _ in above:
        went_by = [
            word for word in dict.fromkeys(_words(first[2]))
            if ("define", word) in retreats and terms[word][-1][1].path != place.path
        ]  # fmt: skip
        if went_by:
            what = f"{key} changes only what is shown; where units may retreat goes by "
            yield _Odd(place.place_of(key), f"{what}{listed(went_by)} under `define`: change that")


def _slips(layers: Layers, profile: Profile) -> Iterator[_Odd]:
    """What is probably a slip of the pen in files that are not shipped."""
    own = [layer for layer in profile.layers if not layer.is_shipped]
    board = map_or_none(NamedMap(profile.map, profile.allowed)) if own else None
    for layer in own:
        for place, what in slips(layer, layers, board, bool(profile.map)):
            yield _Odd(place, what)


def _names(layers: Layers) -> tuple[str, ...]:
    """The names of all terms and decisions."""
    return (*layers.entries("define"), *layers.entries("decisions"))


def _used(layers: Layers, profile: Profile) -> set[tuple[str, str]]:
    """The entries that others use, directly or indirectly: section and name."""
    read = {*RESULTS_READ, *(one.becomes for one in profile.declared.attributes.values())}
    waiting = [("decisions", name) for name in DECISIONS_NEEDED]
    waiting += [("results", name) for name in read]
    words = {word for kind in ("legal", "orders") for word in _words_of(layers, kind)}
    for _, rules in layers.cycles:
        words |= set(_words(rules))
    for kind in profile.declared.kinds.values():
        words |= {kind.verdict, kind.lands}
    return _reached(layers, waiting, words)


def _reached(
    layers: Layers, waiting: list[tuple[str, str]], words: Collection[str] = ()
) -> set[tuple[str, str]]:
    """The entries `waiting`, those that are called by these words, and all that they use."""
    words = set(words)
    found: set[tuple[str, str]] = set()
    while waiting or words:
        waiting += [(section, word) for section in ("define", "decisions") for word in words]
        words = set()
        section, name = waiting.pop()
        if (section, name) in found or name not in layers.entries(section):
            continue
        found.add((section, name))
        for _, _, value in still_stated(layers.entries(section)[name]):
            words |= set(_words(value))
    return found


def _words_of(layers: Layers, section: str) -> Iterator[str]:
    for stated in layers.entries(section).values():
        for _, _, value in still_stated(stated):
            yield from _words(value)


def _words(node: Node) -> Iterator[str]:
    """Every word in the texts of a node, and in its keys."""
    if isinstance(node.value, Mapping):
        for key, part in node.value.items():
            yield from _WORD.findall(key)
            yield from _words(part)
    elif isinstance(node.value, tuple):
        for part in node.value:
            yield from _words(part)
    elif node.value is not None:
        yield from _WORD.findall(node.raw)
