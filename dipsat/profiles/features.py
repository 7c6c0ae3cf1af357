"""Whether a map marks the features that a profile declares, and has the powers that it names."""

from __future__ import annotations

import re

from dipsat.board.load import load_map, map_names
from dipsat.board.map import Map
from dipsat.documents import read_text
from dipsat.errors import FeatureError, MissingPowerError
from dipsat.kept import kept_on_first
from dipsat.profiles.declared import FEATURE_PLACES, Declared
from dipsat.profiles.profile import Profile
from dipsat.resources import data_folder

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
