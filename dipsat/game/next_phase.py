"""What comes after a phase: ownership, the next position, victory, and positions in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from dipsat.base import counted, grouped, titled
from dipsat.board import Map, UnitKind
from dipsat.game.conditions import OrderConditions, conditions_on, counted_centers, facts_for
from dipsat.game.phase_name import FIRST_PHASE, PhaseKind
from dipsat.game.position import (
    STATE_OWNERS,
    DislodgedUnit,
    Owners,
    Position,
    by_location,
    centers_by_power,
    folded,
    rebuilt_garrisons,
    refuse_unknown,
)
from dipsat.orders import Unit
from dipsat.rules import BUILDS_IN, CAPTURES, Settings


def following(
    position: Position,
    units: Iterable[Unit],
    dislodged: Iterable[DislodgedUnit],
    settings: Settings,
) -> Position:
    """The position of the next phase in which something can be ordered or the map rebuilds a unit.

    `units` stand on the board after the phase; `dislodged` are those that can still retreat.
    Ownership changes after the fall retreats, unless the settings say otherwise; an adjustment
    phase is skipped if it is certain that nothing changes in it.
    """
    standing = by_location(units)
    lost = tuple(sorted(dislodged, key=lambda one: one.unit.location))
    phase = position.phase
    if lost:
        position = replace(position, units=standing, phase=phase.retreats(), dislodged=lost)
        is_fall = phase.after_moves(position.words.extra_seasons).kind is PhaseKind.ADJUSTMENT
        if settings.centers_change == "after moves" and is_fall:
            centers, unknown = _owners_after(position, settings)
            return replace(position, centers=centers, unknown_centers=unknown)
        return position
    is_winter = phase.kind is PhaseKind.ADJUSTMENT
    after = phase.next_year() if is_winter else phase.after_moves(position.words.extra_seasons)
    owners = position.centers, (), position.words, position.unknown_centers
    if after.kind is not PhaseKind.ADJUSTMENT:
        return Position(position.map, standing, after, *owners)  # as `replace`, in half the time
    centers, unknown = _owners_after(Position(position.map, standing, phase, *owners), settings)
    winter = Position(position.map, standing, after, centers, (), position.words, unknown)
    powers = {*winter.unit_counts, *centers}
    if unknown or any(adjustments(winter, power, settings) for power in powers):
        return winter
    return winter if rebuilt_garrisons(winter) else replace(winter, phase=after.next_year())


def _owners_after(position: Position, settings: Settings) -> Owners:
    """The owners after fall: a unit captures the centre that it occupies; vacant centres keep their
    owners, known or unknown."""
    provinces, unknown = position.map.provinces, position.unknown_centers
    owner = {code: power for power, owned in position.centers.items() for code in owned}
    taken = {
        unit.province: unit.power
        for unit in capturing(position, settings)
        if owner.get(unit.province) != unit.power and provinces[unit.province].supply
    }
    if not taken:
        return Owners(position.centers, unknown)
    unknown = tuple(code for code in unknown if code not in taken)
    return Owners(centers_by_power(owner | taken), unknown)


def capturing(position: Position, settings: Settings) -> tuple[Unit, ...]:
    """The units that capture the supply centres they occupy after fall: all, unless the rules'
    conditions say otherwise."""
    own = settings.conditions
    if own is None or CAPTURES not in own:
        return position.units
    around = facts_for(own, position)
    units = around.by_province.values()
    return tuple(u.unit for u in units if own.hold(CAPTURES, around, u, u.province))


def powers_of(position: Position) -> tuple[str, ...]:
    """The powers with units or centres, in alphabetical order."""
    return tuple(sorted({unit.power for unit in position.units} | set(position.centers)))


def build_sites(position: Position, power: str, settings: Settings) -> tuple[str, ...]:
    """The provinces in which a power may build: the vacant ones that the rules' conditions name,
    else the owned, vacant centres that the setting allows. Some unit must be legal there.

    Raises `PositionError` if owners are unknown."""
    refuse_unknown(position.unknown_centers)
    conditions = conditions_on(position, settings)
    if conditions is not None and BUILDS_IN in conditions.conditions:
        allowed: Collection[str] = conditions.build_sites(power)
    else:
        rule = position.map.build if settings.build_where == "map" else settings.build_where
        owned = position.centers.get(power, ())
        centers = _build_centers(position.map, power, owned, rule)
        allowed = tuple(code for code in owned if code in centers)
    vacant = tuple(code for code in allowed if code not in position.by_province)
    if conditions is None:
        return vacant
    return tuple(code for code in vacant if _kinds(position, power, code, conditions))


def why_no_build_site(position: Position, power: str, code: str, settings: Settings) -> str:
    """Why a vacant province is not one of a power's build sites under the setting, in words."""
    province = position.map.provinces[code]
    who = titled(power)
    rule = position.map.build if settings.build_where == "map" else settings.build_where
    if not province.supply:
        return "it is not a supply centre"
    if rule == "home" and code not in _home(position.map, power):
        return f"it is not a home centre of {who}"
    owner = next((one for one, owned in position.centers.items() if code in owned), "")
    if owner != power:
        return f"it belongs to {titled(owner)}" if owner else "nobody owns it"
    if rule == "home-any":
        return "it is not a home centre of any power"
    return f"{who} owns none of its home centres"


def _home(board: Map, power: str) -> Collection[str]:
    return board.powers[power].home if power in board.powers else ()


def kinds_to_build(
    position: Position, power: str, code: str, settings: Settings
) -> tuple[UnitKind, ...]:
    """The kinds of units a power may build in a province, if it may build there at all."""
    return _kinds(position, power, code, conditions_on(position, settings))


def _kinds(
    position: Position, power: str, code: str, conditions: OrderConditions | None
) -> tuple[UnitKind, ...]:
    kinds = kinds_built_in(position, code)
    if conditions is None:
        return kinds
    return tuple(k for k in kinds if conditions.build_refusal(power, k, code) is None)


def kinds_built_in(position: Position, code: str) -> tuple[UnitKind, ...]:
    """The kinds of units that can stand in a province."""
    return _kinds_on(position.words.units, position.map.provinces[code].kind)


@lru_cache(maxsize=64)
def _kinds_on(kinds: tuple[UnitKind, ...], terrain: str) -> tuple[UnitKind, ...]:
    return tuple(kind for kind in kinds if kind.stands_in(terrain))


def _build_centers(board: Map, power: str, owned: Collection[str], rule: str) -> Collection[str]:
    """The centres in which a power may build if it owns them; `rule` is one of `BUILD_RULES`."""
    home = _home(board, power)
    if rule == "home":
        return home
    if rule == "home-any":
        return {code for setup in board.powers.values() for code in setup.home}
    if rule == "any-if-home-owned" and not any(code in owned for code in home):
        return ()
    return owned


def adjustments(position: Position, power: str, settings: Settings) -> int:
    """How many units a power may build (positive) or must disband (negative); always 0 for a
    neutral power. Raises `PositionError` if owners are unknown."""
    refuse_unknown(position.unknown_centers)
    if power in position.map.neutrals:
        return 0
    surplus = surplus_of_centers(position, power, settings)
    return min(surplus, len(build_sites(position, power, settings))) if surplus > 0 else surplus


def surplus_of_centers(position: Position, power: str, settings: Settings) -> int:
    """How many centres that count a power has beyond its number of units."""
    return len(counted_centers(position, power, settings)) - position.unit_counts[power]


# --- victory --------------------------------------------------------------------------------------

# Victory: the centres a power needs, and who has won.


def centers_to_win(board: Map, settings: Settings) -> int | None:
    """How many centres a power must own to win, or None if no power can win."""
    if settings.victory == "never":
        return None
    if settings.victory == "map" and board.victory is not None:
        return board.victory
    return len(board.centers) // 2 + 1


def victor(position: Position, settings: Settings) -> str | None:
    """The power that has won: it owns enough centres, and more than any other played power.

    None if there is no such power; if two powers lead with the same number, neither has won. A
    centre whose owner is unknown counts only as one that another power may own. Centres change
    hands only after fall, so the position may be of any phase. Where units on the board determine
    whether a centre counts, they do so only at the end of a year, so no power wins after the spring
    moves and before the winter.
    """
    own, phase = settings.conditions, position.phase
    begins = phase.season == FIRST_PHASE.season and phase.kind is PhaseKind.MOVEMENT
    is_within_year = not begins and phase.kind is not PhaseKind.ADJUSTMENT
    if own is not None and not own.count_whatever_stands and is_within_year:
        return None
    needed = centers_to_win(position.map, settings)
    if needed is None or max(map(len, position.centers.values()), default=0) < needed:
        return None
    players = position.centers.keys() - position.map.neutrals
    owned = {power: len(counted_centers(position, power, settings)) for power in players}
    most = max(owned.values(), default=0)
    if most < needed:
        return None
    leading = [power for power, count in owned.items() if count == most]
    rival = max((count for power, count in owned.items() if power != leading[0]), default=0)
    return leading[0] if rival + len(position.unknown_centers) < most else None


# --- board text -----------------------------------------------------------------------------------

# A position as players describe it: who has which units and centres, who builds, who retreats.


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
        units = position.unit_counts[power]
        owned = len(position.centers.get(power, ()))
        has = f"{counted(owned, 'centre')}, {counted(units, 'unit')}"
        if due > 0:
            *others, last = build_sites(position, power, settings)
            sites = f"{', '.join(others)} or {last}" if others else last
            what = counted(due, "unit")
            yield from folded(f"{titled(power)} may build {what} in {sites} ({has}).")
        elif due < 0:
            yield from folded(f"{titled(power)} must disband {counted(-due, 'unit')} ({has}).")
        elif owned > units:
            yield from folded(f"{titled(power)} cannot build: it has no free site ({has}).")
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
