"""The data for the picture of a map with real outlines: `geometry/maps/NAME.yaml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

MAPS = Path(__file__).with_name("maps")

Degrees = Sequence[float]
"""Longitude and latitude."""


@dataclass(frozen=True)
class Source:
    """The keys of such a file. All points are [longitude, latitude], except those of `places`."""

    size: Sequence[float]
    """Width and height of the sheet, in units of the picture."""
    projection: Mapping[str, Any]
    """How the globe is laid on the sheet, see `geometry.projection.Projection`."""
    seeds: Mapping[str, Sequence[Degrees]]
    """Province -> points in its parts. A part of a country without a point belongs to the nearest
    point in this country. Points of several provinces without a border between them are separated
    half way."""
    scale: float = 1.0
    """The size of units and names."""
    lenses: Sequence[Sequence[float]] = ()
    """Longitude, latitude, radius and strength of enlarged areas, see `geometry.projection`."""
    countries: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Province -> today's countries that belong wholly to it."""
    joined: Sequence[Sequence[str]] | str = ()
    """Countries whose borders with each other are ignored; `all` ignores all borders of today."""
    nobody: Sequence[Degrees] = ()
    """Points in land or water that belongs to no province. A country that is not named elsewhere
    also belongs to none. The water is drawn as open sea."""
    borders: Mapping[str, Sequence[Degrees]] = field(default_factory=dict)
    """The borders on land that no country has today. Where several meet, they end in the same
    point; a border that ends at a shore or another country's border goes a little beyond it."""
    sea_borders: Mapping[str, Sequence[Degrees]] = field(default_factory=dict)
    """The same at sea, from shore to shore."""
    left_out: Sequence[str] = ()
    """Countries that are not drawn."""
    erased: Sequence[Sequence[float]] = ()
    """Longitude, latitude and radius (in units of the picture) of islands that are not drawn."""
    closed: Sequence[Mapping[str, Any]] = ()
    """Straits that become land. Each has `countries`, of which the first receives the land, and its
    middle `at`, half its greatest width (`reach`) and its radius (`around`), or else its `area`."""
    channels: Sequence[Mapping[str, Any]] = ()
    """Water that must not be land: a `line`, and `half` its width."""
    islands: float = 14.0
    """The area of the smallest island that is drawn, in square units of the picture."""
    detail: float = 0.7
    """The simplification of outlines: about the size of the smallest bend that is drawn."""
    near: Mapping[str, Degrees] = field(default_factory=dict)
    """Location -> the approximate place of its unit."""
    again: Mapping[str, Sequence[Degrees]] = field(default_factory=dict)
    """Province -> the places of its names in additional pieces."""
    around: Sequence[Sequence[str]] = ()
    """Borders around a round world, shown by links that leave at one edge and return at the other
    although the provinces may touch."""
    places: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The places of units, names and centres, in units of the picture, if not where the usual
    search puts them."""


def read_source(name: str) -> Source:
    """The data for the picture of a map."""
    return Source(**yaml.safe_load((MAPS / f"{name}.yaml").read_text("utf-8")))


def source_names() -> list[str]:
    """The maps whose pictures have real outlines, the standard one first."""
    found = sorted(path.stem for path in MAPS.glob("*.yaml"))
    return sorted(found, key=lambda name: name != "standard")
