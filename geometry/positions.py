"""Where units and names stand on the board where the usual search would not do."""

from __future__ import annotations

from collections.abc import Mapping

from geometry.countries import sheet_line
from geometry.land import Degrees

_UNITS: Mapping[str, Degrees] = {
    "STP/NC": (34.5, 67.6),
    "SPA/NC": (-4.5, 42.8),
}
"""Location -> longitude and latitude of its unit."""
_NAMES: Mapping[str, Degrees] = {}
"""Province -> longitude and latitude of the middle of its name."""

UNITS = {place: sheet_line([point])[0] for place, point in _UNITS.items()}
"""The same on the sheet."""
NAMES = {code: sheet_line([point])[0] for code, point in _NAMES.items()}
"""The same on the sheet."""
