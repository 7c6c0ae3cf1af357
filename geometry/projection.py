"""From longitude and latitude to the sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Points: TypeAlias = NDArray[np.float64]
"""One point a row."""

WIDTH, HEIGHT = 1500.0, 1400.0
"""Of the sheet, in units of the picture."""

_MIDDLE = 11.5, 50.0
"""The longitude and latitude of the point from which all distances are measured."""
_AT = 690.0, 818.0
"""Where that point is on the sheet."""
_UNITS = 2230.0
"""Units of the picture in a radian of the globe, at that point."""
_SHRINKING = 1.9
"""How much distances shrink towards the edges, where provinces are large: 0 not at all. The middle
of Europe, where they are small, gets more room that way."""
_DECIMALS = 4
"""Of points on the sheet; the rest would differ between processors."""


@dataclass(frozen=True)
class Lens:
    """Enlarges what lies around a point, and pushes the rest away, less and less with distance."""

    longitude: float
    latitude: float
    radius: float
    """In units of the picture; the effect is gone at about twice this distance."""
    strength: float
    """The part by which what lies at the point itself grows."""


LENSES = (
    Lens(5.0, 51.3, 62, 0.34),  # Belgium and Holland
    Lens(-2.8, 54.3, 90, 0.42),  # Liverpool, Yorkshire and Wales
    Lens(10.6, 55.9, 55, 0.25),  # Denmark
    Lens(12.7, 42.6, 70, 0.25),  # Rome and Tuscany
    Lens(20.2, 42.0, 70, 0.28),  # Albania and Serbia
    Lens(12.0, 47.0, 55, 0.25),  # Tyrolia
    Lens(15.6, 40.4, 50, 0.25),  # Naples and Apulia
    Lens(28.2, 40.6, 55, 0.22),  # Constantinople
)


def project(degrees: Points) -> Points:
    """Longitudes and latitudes -> points of the sheet, x to the right and y down."""
    flat = _azimuthal(degrees)
    sheet: Points = flat + sum(_push(lens, flat) for lens in LENSES)
    return sheet.round(_DECIMALS)


def _azimuthal(degrees: Points) -> Points:
    """An azimuthal projection: directions from the middle are true, and a place at the angle c from
    it is drawn sin(s c) / s away, s being the shrinking."""
    longitude, latitude = np.radians(degrees[:, 0] - _MIDDLE[0]), np.radians(degrees[:, 1])
    origin = np.radians(_MIDDLE[1])
    x = np.cos(latitude) * np.sin(longitude)
    y = np.cos(origin) * np.sin(latitude)
    y -= np.sin(origin) * np.cos(latitude) * np.cos(longitude)
    z = np.sin(origin) * np.sin(latitude)
    z += np.cos(origin) * np.cos(latitude) * np.cos(longitude)
    angle = np.arccos(np.clip(z, -1, 1))
    # Beyond the quarter where the sine grows, all lies far outside the sheet: keep it there.
    bent = np.minimum(angle * _SHRINKING, np.pi / 2)
    away = np.sin(bent) / _SHRINKING + (angle - bent / _SHRINKING)
    flat = np.hypot(x, y)
    ratio = np.divide(away, flat, out=np.ones_like(away), where=flat > 1e-12) * _UNITS
    return np.column_stack((_AT[0] + x * ratio, _AT[1] - y * ratio))


def _push(lens: Lens, flat: Points) -> Points:
    """How far a lens moves each point."""
    offset = flat - _azimuthal(np.array([[lens.longitude, lens.latitude]]))
    near = np.exp(-(offset**2).sum(axis=1) / (2 * lens.radius**2))
    pushed: Points = offset * (lens.strength * near)[:, None]
    return pushed
