"""The maps that rules name, and whether a map marks the features that rules declare."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dipsat.board.load import DEFAULT_MAP, load_map, map_names
from dipsat.board.map import Map
from dipsat.documents import Node, is_yaml_path, of_wrong_ending, read_text
from dipsat.errors import (
    DipsatError,
    FeatureError,
    MissingPowerError,
    ProfileError,
    did_you_mean,
    shortened,
)
from dipsat.files.reading import Files, is_named_file, named_by
from dipsat.limits import reading
from dipsat.profiles.declared import FEATURE_PLACES, Declared
from dipsat.profiles.layers import Layers
from dipsat.profiles.profile import Profile
from dipsat.resources import data_folder
from dipsat.values import kept_on_first

_EXTENDS = re.compile(r"^extends:\s*(\S+)", re.MULTILINE)


def marks_all(board: Map | None, declared: Declared) -> bool:
    """Whether the map marks every declared feature; false for a map that cannot be read."""
    return board is not None and all(
        _marks(board, feature, places) for feature, places in declared.features.items()
    )


def check_features(profile: Profile, board: Map) -> None:
    """Raise `FeatureError` for a feature of the profile that the map marks nowhere, and
    `MissingPowerError` for a power that the profile names and the map does not have."""
    if profile.declared.features or profile.declared.powers:
        _check(board, profile)


@kept_on_first(16)
def _check(board: Map, profile: Profile) -> None:
    for name, places in profile.declared.features.items():
        if not _marks(board, name, places):
            place = FEATURE_PLACES[places]
            raise FeatureError(name, place, profile.name, board.name, _maps_with(name, places))
    for power in profile.declared.powers:
        if power not in board.powers:
            raise MissingPowerError(power, profile.name, board.name, board.powers)


def _marks(board: Map, name: str, places: int) -> bool:
    if places == 0:
        return bool(board.power_features.get(name))
    if places > 1:
        return bool(board.border_features.get(name))
    return any(name in province.features for province in board.provinces.values())


def _maps_with(name: str, places: int) -> tuple[str, ...]:
    """The shipped maps that mark a feature. A map is loaded only if its file, or that of a map that
    it extends, mentions the feature."""
    folder = data_folder("rules") / "maps"
    texts = {board: read_text(folder / f"{board}.yaml") for board in map_names()}
    extends = {board: "".join(_EXTENDS.findall(text)) for board, text in texts.items()}
    word = re.compile(rf"\b{re.escape(name)}\b")

    def may_mark(board: str) -> bool:
        base = extends[board]
        return bool(word.search(texts[board])) or (base in texts and may_mark(base))

    return tuple(b for b in texts if may_mark(b) and _marks(load_map(b), name, places))


@dataclass(frozen=True, slots=True)
class NamedMap:
    """The name or path of a map, "" for none, and which files it may be and name."""

    name: str
    files: Files


def map_named(node: Node, layers: Layers, allowed: Files) -> NamedMap:
    """The map that a node names: a shipped one, or a path beside the node's file. Raises
    `ProfileError`."""
    name = node.text("map")
    if name in map_names() or not name:
        return NamedMap(name, allowed)
    path = Path(node.path).parent / name
    files = named_by(allowed, layers.own_path(node.path))
    if not is_yaml_path(name) or not is_named_file(files, path):
        hint = of_wrong_ending(str(path), files) or did_you_mean(
            name, map_names(), "`dipsat maps list` lists the shipped ones"
        )
        node.fail(f"there is no map {shortened(name)!r}; {hint}", ProfileError)
    return NamedMap(str(path), files)


def best_map(named: Sequence[NamedMap], declared: Declared) -> NamedMap:
    """Among the maps of several files, one that marks all needed features, preferably not the
    standard map, and preferably a later one."""
    fitting = [one for one in named if marks_all(map_or_none(one), declared)] or named
    return next((one for one in reversed(fitting) if one.name != DEFAULT_MAP), fitting[-1])


def map_or_none(named: NamedMap) -> Map | None:
    """The map, by default the standard one; None if it has a fault, which dipsat reports when the
    map is used."""
    try:
        with reading(named.files):
            return load_map(named.name or DEFAULT_MAP)
    except DipsatError:
        return None
