"""What comes after a phase: ownership, and the next phase's position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dipsat.board.map import Map
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import DislodgedUnit, Position, Unit
from dipsat.game.settings import Settings


def following(
    position: Position,
    units: Iterable[Unit],
    dislodged: Iterable[DislodgedUnit],
    settings: Settings,
) -> Position:
    """The position of the next phase in which something can be ordered.

    `units` stand on the board after the phase; `dislodged` are those that can still retreat.
    Ownership changes after the retreats of fall; an adjustment phase without anything to adjust
    is passed over.
    """
    standing = tuple(sorted(units, key=lambda unit: unit.location))
    lost = tuple(sorted(dislodged, key=lambda one: one.unit.location))
    board, phase = position.map, position.phase
    if lost:
        return Position(board, standing, phase.retreats(), position.centers, lost)
    if phase.kind is PhaseKind.ADJUSTMENT:
        return Position(board, standing, phase.next_year(), position.centers)
    after = phase.after_moves()
    if after.kind is PhaseKind.MOVEMENT:
        return Position(board, standing, after, position.centers)
    owned = ownership(board, position.centers, standing)
    winter = Position(board, standing, after, owned)
    if any(adjustments(winter, power, settings) for power in powers_of(winter)):
        return winter
    return Position(board, standing, after.next_year(), owned)


def ownership(
    board: Map, centers: Mapping[str, Iterable[str]], units: Iterable[Unit]
) -> dict[str, tuple[str, ...]]:
    """Who owns which centre after fall: whoever stands in it, else who owned it before."""
    owner = {code: power for power, owned in centers.items() for code in owned}
    owner.update({u.province: u.power for u in units if board.provinces[u.province].supply})
    found: dict[str, list[str]] = {}
    for code in sorted(owner):
        found.setdefault(owner[code], []).append(code)
    return {power: tuple(owned) for power, owned in sorted(found.items())}


def powers_of(position: Position) -> tuple[str, ...]:
    """The powers with units or centres, in alphabetical order."""
    return tuple(sorted({unit.power for unit in position.units} | set(position.centers)))


def build_sites(position: Position, power: str, settings: Settings) -> tuple[str, ...]:
    """The provinces in which a power may build: owned, vacant centres, by the rule in force."""
    board = position.map
    rule = board.build if settings.build_where == "map" else settings.build_where
    home = board.powers[power].home if power in board.powers else ()
    owned = position.centers.get(power, ())
    vacant = [code for code in owned if code not in position.by_province]
    return tuple(code for code in vacant if rule == "any" or code in home)


def adjustments(position: Position, power: str, settings: Settings) -> int:
    """How many units a power may build (positive) or must disband (negative)."""
    units = sum(unit.power == power for unit in position.units)
    surplus = len(position.centers.get(power, ())) - units
    return min(surplus, len(build_sites(position, power, settings)))
