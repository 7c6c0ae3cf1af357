"""From longitude and latitude to the sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Points: TypeAlias = NDArray[np.float64]
"""One point per row."""

_DECIMALS = 4
"""The decimals kept of points on the sheet; more would differ between processors."""


@dataclass(frozen=True)
class Lens:
    """Enlarges the surroundings of a point and pushes the rest away, less with distance."""

    longitude: float
    latitude: float
    radius: float
    """In units of the picture; the effect ends at about twice this distance."""
    strength: float
    """The fraction by which things at the point itself grow."""


@dataclass(frozen=True)
class Projection:
    """An azimuthal projection: directions from the middle are true, and a place at the angle c from
    it is drawn sin(s c) / s away, where s is the shrinking. A whole world is instead a rectangle
    with straight meridians (`parallel`)."""

    middle: Sequence[float]
    """The longitude and latitude of the point from which all distances are measured."""
    at: Sequence[float]
    """Where that point is on the sheet."""
    units: float
    """Units of the picture per radian of the globe, at that point."""
    shrinking: float = 1.0
    """How much distances shrink towards the edges, where provinces are large; near 0, hardly at
    all. This gives more room to the middle, where provinces are small."""
    window: Sequence[float] = (-75, 10, 120, 88)
    """The longitudes and latitudes (west, south, east, north) that may be partly on the sheet.
    Anything farther away is cut off before it is projected, because the projection turns over
    there."""
    parallel: float | None = None
    """The latitude at which a rectangle has the same scale in all directions."""
    lenses: tuple[Lens, ...] = ()
    """The areas that are enlarged."""

    def sheet(self, degrees: Points) -> Points:
        """Longitudes and latitudes -> points of the sheet, x to the right and y down."""
        flat = self._laid(degrees)
        sheet: Points = flat + sum(self._push(lens, flat) for lens in self.lenses)
        return sheet.round(_DECIMALS)

    def line(self, degrees: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
        """The same for the points of a line."""
        return [(float(x), float(y)) for x, y in self.sheet(np.array(degrees, dtype=float))]

    def _laid(self, degrees: Points) -> Points:
        longitude, latitude = np.radians(degrees[:, 0] - self.middle[0]), np.radians(degrees[:, 1])
        origin = np.radians(self.middle[1])
        if self.parallel is not None:
            x, y = longitude * np.cos(np.radians(self.parallel)), latitude - origin
            return np.column_stack((self.at[0] + x * self.units, self.at[1] - y * self.units))
        x = np.cos(latitude) * np.sin(longitude)
        y = np.cos(origin) * np.sin(latitude)
        y -= np.sin(origin) * np.cos(latitude) * np.cos(longitude)
        z = np.sin(origin) * np.sin(latitude)
        z += np.cos(origin) * np.cos(latitude) * np.cos(longitude)
        angle = np.arccos(np.clip(z, -1, 1))
        # Beyond the quarter where the sine grows, everything is far off the sheet: keep it there.
        bent = np.minimum(angle * self.shrinking, np.pi / 2)
        away = np.sin(bent) / self.shrinking + (angle - bent / self.shrinking)
        flat = np.hypot(x, y)
        ratio = np.divide(away, flat, out=np.ones_like(away), where=flat > 1e-12) * self.units
        return np.column_stack((self.at[0] + x * ratio, self.at[1] - y * ratio))

    def _push(self, lens: Lens, flat: Points) -> Points:
        """How far a lens moves each point."""
        offset = flat - self._laid(np.array([[lens.longitude, lens.latitude]]))
        near = np.exp(-(offset**2).sum(axis=1) / (2 * lens.radius**2))
        pushed: Points = offset * (lens.strength * near)[:, None]
        return pushed
