"""Where units and names stand on the board where the usual search would not do."""

from __future__ import annotations

from collections.abc import Mapping

from geometry.countries import sheet_line
from geometry.land import Degrees

_UNITS: Mapping[str, Degrees] = {
    # Large provinces: nearer to their neighbours, so that arrows are short.
    "STP": (39.0, 63.2),
    "MOS": (37.6, 55.9),
    "MAO": (-9.5, 45.0),
    "NAO": (-13.5, 57.5),
    # Fleets on coasts that are long.
    "STP/NC": (34.5, 67.6),
    "SPA/NC": (-4.5, 42.8),
}
"""Location -> longitude and latitude of its unit."""
_NAMES: Mapping[str, Degrees] = {
    "EDI": (-2.95, 55.72),
    "CLY": (-4.55, 56.36),  # east of the lochs
}
"""Province -> longitude and latitude of the middle of its name."""

UNITS = {place: sheet_line([point])[0] for place, point in _UNITS.items()}
"""The same on the sheet."""
NAMES = {code: sheet_line([point])[0] for code, point in _NAMES.items()}
"""The same on the sheet."""
