"""The question which lines hold."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dipsat.board.map import Map
from dipsat.errors.arguments import checked_fields
from dipsat.values import brief


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Lines:
    """Which lines hold, with the fewest units. A line holds its centres for ever: no enemy unit
    enters its region or dislodges a unit, whatever the enemy orders (docs/holding-lines.md)."""

    centres: int | tuple[str, ...] | None = None
    """The number of supply centres that it holds, or which; no others. None for at most one fewer
    than win the game, or as many as `protect` and `power` name if these are more."""
    protect: tuple[str, ...] = ()
    """Provinces that no enemy may enter."""
    outside: tuple[str, ...] = ()
    """Provinces that it does not hold: the enemy may stand there."""
    power: str | None = None
    """The power of the line; None for any power."""
    units: int | None = None
    """The most units that it may have, None for any number."""
    given: tuple[str, ...] = ()
    """Units that it has, such as `F LYO`."""
    orders: tuple[str, ...] = ()
    """Standing orders that it has, such as `F PIE S F LYO`."""
    armies: int | None = None
    """The most armies that it may have, None for any number."""
    fleets: int | None = None
    """The most fleets that it may have, None for any number."""
    self_sufficient: bool = False
    """Whether it must have no more units than it holds centres, and hold at least one centre."""
    sorties: bool = False
    """Whether its units may make sorties: one with a single province outside beside it may go there
    in every phase, and come back when it got in (docs/moving-lines.md)."""
    split: int | None = None
    """The number of supply centres of a second line, which holds at the same time and shares no
    province with this one; the units of both are counted. `units`, `armies` and `fleets` limit both
    together; what is said of the enemy is true of both, all else of the first. None for no second
    line."""
    every: bool = False
    """Whether to find every line with the fewest units, not just one. With `split`, every pair; if
    the same is asked of both lines, a pair counts once, not in either order."""
    enemies: tuple[str, ...] = ()
    """The enemy's powers; none for all others."""
    enemy_units: int | None = None
    """The most units that the enemy may have, None for any number."""
    fleets_not_in: tuple[str, ...] = ()
    """Provinces in which the enemy has no fleet."""
    armies_not_in: tuple[str, ...] = ()
    """Provinces in which the enemy has no army."""
    fleets_arrive: bool = False
    """Whether enemy fleets are only where one can come from: on waters that the line does not cut
    off from every centre where the enemy could build one."""
    map: str | Path | Map | None = None
    """The map: its name, the path of its file, or a loaded map. None: that of the rules, else the
    standard map."""
    home: bool = True
    """Whether the line holds the home centres of `power`; False if it need not."""
