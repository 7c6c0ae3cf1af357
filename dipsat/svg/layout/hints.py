"""What somebody who knows a map may say about its picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Hints:
    """How to lay out a map; each part may be empty."""

    frame: tuple[str, ...] = ()
    """The province that surrounds the board, or several that lie along its edge."""
    cut: tuple[str, ...] = ()
    """Provinces along which a round world is cut, each bordering the next, from the top to the
    bottom. All but the first and the last lie at both the left and the right edge."""
    at: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Province -> latitude and longitude, where the gazetteer has none or those of another place
    with the same name. A map of no place on Earth may use numbers of its own."""
    unseen: tuple[tuple[str, str], ...] = ()
    """Borders that had better be links."""


NO_HINTS = Hints()
