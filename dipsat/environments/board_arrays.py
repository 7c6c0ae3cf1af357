"""The boards of many games as the flags of DeepMind's observations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dipsat.environments.legal_choices import BUILD_PHASE, Choices, Numbering
from dipsat.environments.numpy_extra import numpy as np
from dipsat.kernel import BUILD

AREAS, FLAGS = 81, 35
_UNIT, _BUILDABLE, _REMOVABLE, _DISLODGED, _TERRAIN, _OWNER = 0, 11, 12, 13, 24, 27
"""Where groups of flags begin in an area. A unit has army, fleet, none, and its power or none. The
terrain has land, sea, and a coast of a province with two."""
_NO_UNIT, _POWER, _NO_POWER = 2, 3, 10
"""Where the groups begin among the flags of a unit."""


def units_in(now: Mapping[str, Any], name: str) -> tuple[Any, Any]:
    """The units of positions ("units") or the dislodged ones: the game of each, and its codes
    (power, kind, location, attribute)."""
    units, counts = now[name], now["counts"][:, int(name == "dislodged"), None]
    games, rows = np.nonzero(np.arange(units.shape[1]) < counts)
    return games, units[games, rows]


def board_arrays(numbering: Numbering, now: Mapping[str, Any], choices: Choices, due: Any) -> Any:
    """The boards of positions, given as codes of the kernel, with their legal orders and the number
    of units that each power builds or disbands."""
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
