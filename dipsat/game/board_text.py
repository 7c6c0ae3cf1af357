"""A position in the words of players: who has which units and centres, who builds, who retreats."""

from __future__ import annotations

from collections.abc import Iterator

from dipsat.game.board_lines import folded, lines_of_units
from dipsat.game.neutrals import rebuilt_garrisons
from dipsat.game.next_phase import adjustments, build_sites, powers_of
from dipsat.game.owners import STATE_OWNERS
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.game.settings import Settings
from dipsat.grouped import grouped
from dipsat.tables import counted
from dipsat.titles import titled


def board_lines(position: Position) -> Iterator[str]:
    """The units and the owned centres of every power, then the centres without an owner and those
    whose owner is unknown, in lines of at most 80 columns."""
    return lines_of_units(position.units, position.centers, position.map, position.unknown_centers)


def adjustment_lines(position: Position, settings: Settings) -> Iterator[str]:
    """What each power builds or disbands, and what the map rebuilds, in an adjustment phase, or why
    that is unknown."""
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return
    if position.unknown_centers:
        what = "It is unknown who builds and who disbands, since owners are unknown"
        yield from folded(f"{what}: {STATE_OWNERS}.")
        return
    for power in powers_of(position):
        if power in position.map.neutrals:
            continue
        due = adjustments(position, power, settings)
        units = [unit.power for unit in position.units].count(power)
        owned = len(position.centers.get(power, ()))
        has = f"{counted(owned, 'centre')}, {counted(units, 'unit')}"
        if due > 0:
            sites = ", ".join(build_sites(position, power, settings))
            yield from folded(f"{titled(power)} builds up to {due} in {sites} ({has}).")
        elif due < 0:
            yield from folded(f"{titled(power)} disbands {-due} ({has}).")
        elif owned > units:
            yield from folded(f"{titled(power)} cannot build: no free site for it ({has}).")
    for power, rebuilt in grouped((u.power, u) for u in rebuilt_garrisons(position)).items():
        yield from folded(f"{titled(power)} rebuilds {', '.join(map(str, rebuilt))}.")


def center_lines(before: Position, after: Position) -> Iterator[str]:
    """Which centres changed hands between two positions."""
    owners = {code: power for power, owned in before.centers.items() for code in owned}
    for power, owned in after.centers.items():
        for code in owned:
            if owners.get(code) != power:
                loser = owners.get(code)
                whose = f" from {titled(loser)}" if loser else ""
                yield f"{titled(power)} takes {code}{whose}."
