"""The options of long work: what is compared, how many examples, on how many processes."""

from __future__ import annotations

from typing import Literal, TypeAlias

Extent: TypeAlias = Literal["auto", "moves", "all"]
"""What is compared: `moves` are the results of the units (moves, dislodged, contested), `all` adds
retreats and the verdict of every order; `auto` is `all` between two judges that read the equations
of a profile, otherwise `moves`, because the other verdicts are then only derived from those."""

EXTENTS: tuple[Extent, ...] = ("auto", "moves", "all")

DEFAULT_SMALLEST = 100
"""The number of disagreements of two judges for which the smallest orders are looked for."""
DEFAULT_EXAMPLES = 3
"""The number of examples of each kind that an impact shows."""
RETRIES = 2
"""How often a piece of work that ended its worker is tried again."""
MOST_JOBS = 1024
"""The most processes that are started; a computer with as many cores is rare."""
