"""The boards of many games as the flags that DeepMind's observations have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dipsat.environments.legal_choices import BUILD_PHASE, Choices, Numbering
from dipsat.environments.numpy_extra import numpy as np
from dipsat.kernel import BUILD

AREAS, FLAGS = 81, 35
_UNIT, _BUILDABLE, _REMOVABLE, _DISLODGED, _TERRAIN, _OWNER = 0, 11, 12, 13, 24, 27
"""Where the flags of an area begin. Those of a unit are army, fleet, none, and its power or none;
those of the terrain are land, sea, and a coast of a province with two."""
_NO_UNIT, _POWER, _NO_POWER = 2, 3, 10
"""Where the flags of a unit begin among these."""


def units_in(now: Mapping[str, Any], name: str) -> tuple[Any, Any]:
    """The units of positions that stand ("units") or are dislodged: the game of each, and its codes
    (power, kind, location, attribute)."""
    units, counts = now[name], now["counts"][:, int(name == "dislodged"), None]
    games, rows = np.nonzero(np.arange(units.shape[1]) < counts)
    return games, units[games, rows]


def board_arrays(numbering: Numbering, now: Mapping[str, Any], choices: Choices, due: Any) -> Any:
    """The boards of positions, as the codes of the kernel have them, with what can be ordered in
    them and how many units each power builds or disbands."""
    found = np.zeros((len(due), AREAS, FLAGS), np.uint8)
    in_builds = now["phases"][:, 2] == BUILD_PHASE
    for name, begin in (("units", _UNIT), ("dislodged", _DISLODGED)):
        games, units = units_in(now, name)
        power, kind, location = units[:, :3].astype(np.int64).T
        for area in (numbering.areas[location], numbering.main_areas[location]):
            found[games, area, begin + kind] = 1
            found[games, area, begin + _POWER + power] = 1
            if name == "units":
                found[games, area, _REMOVABLE] = in_builds[games] & (due[games, power] < 0)
        empty = found[:, :, begin : begin + 2].max(2) == 0
        found[:, :, begin + _NO_UNIT] = found[:, :, begin + _NO_POWER] = empty
    builds = np.flatnonzero(choices.rows[:, 0] == BUILD)
    sites = numbering.main_areas[choices.rows[builds, 3]]
    found[choices.games[choices.choice_of_action[builds]], sites, _BUILDABLE] = 1
    owners = now["owners"].astype(np.int64)[:, numbering.centers]
    games, column = np.indices(owners.shape)
    nobody = FLAGS - 1 - _OWNER
    centers = numbering.main_areas[numbering.centers]
    found[games, centers[column], _OWNER + np.minimum(owners, nobody)] = 1
    for main in numbering.main_areas_with_coasts:
        for flag in (_BUILDABLE, *range(_OWNER, FLAGS)):
            found[:, main + 1 : main + 3, flag] = found[:, main, None, flag]
    found[:, numbering.areas, _TERRAIN + numbering.terrains] = 1
    return found
