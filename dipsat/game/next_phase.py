"""What comes after a phase: ownership, and the next phase's position."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from dipsat.board.map import Map
from dipsat.board.unit_kind import UnitKind
from dipsat.game.conditions import BUILDS_IN, CAPTURES
from dipsat.game.neutrals import rebuilt_garrisons
from dipsat.game.order_conditions import OrderConditions, conditions_on, counted_centers
from dipsat.game.owners import centers_by_power, refuse_unknown
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import DislodgedUnit, Position, Unit, by_location
from dipsat.game.settings import Settings
from dipsat.titles import titled


def following(
    position: Position,
    units: Iterable[Unit],
    dislodged: Iterable[DislodgedUnit],
    settings: Settings,
) -> Position:
    """The position of the next phase in which something can be ordered or the map rebuilds a unit.

    `units` stand on the board after the phase; `dislodged` are those that can still retreat.
    Ownership changes after the fall retreats, unless the settings say otherwise; an adjustment
    phase is skipped if it is known that nothing changes in it.
    """
    standing = by_location(units)
    lost = tuple(sorted(dislodged, key=lambda one: one.unit.location))
    phase = position.phase
    if lost:
        position = replace(position, units=standing, phase=phase.retreats(), dislodged=lost)
        is_fall = phase.after_moves(position.words.extra_seasons).kind is PhaseKind.ADJUSTMENT
        if settings.centers_change == "after moves" and is_fall:
            return _with_captures(position, settings)
        return position
    position = replace(position, units=standing, dislodged=())
    if phase.kind is PhaseKind.ADJUSTMENT:
        return replace(position, phase=phase.next_year())
    after = phase.after_moves(position.words.extra_seasons)
    if after.kind is not PhaseKind.ADJUSTMENT:
        return replace(position, phase=after)
    winter = replace(_with_captures(position, settings), phase=after)
    if winter.unknown_centers or any(
        adjustments(winter, power, settings) for power in powers_of(winter)
    ):
        return winter
    return winter if rebuilt_garrisons(winter) else replace(winter, phase=after.next_year())


def _with_captures(position: Position, settings: Settings) -> Position:
    """The position with the owners after fall: a unit captures the centre that it occupies; vacant
    centres keep their owners, known or unknown."""
    provinces = position.map.provinces
    units = capturing(position, settings)
    taken = {unit.province: unit.power for unit in units if provinces[unit.province].supply}
    owner = {code: power for power, owned in position.centers.items() for code in owned} | taken
    unknown = tuple(code for code in position.unknown_centers if code not in taken)
    return replace(position, centers=centers_by_power(owner), unknown_centers=unknown)


def capturing(position: Position, settings: Settings) -> tuple[Unit, ...]:
    """The units that capture the supply centres they occupy after fall: all, unless the rules'
    conditions say otherwise."""
    own = settings.conditions
    if own is None or CAPTURES not in own:
        return position.units
    around = own.facts(position)
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
    """Why a vacant province is none of a power's build sites under the setting, in words."""
    province = position.map.provinces[code]
    who = titled(power)
    rule = position.map.build if settings.build_where == "map" else settings.build_where
    if not province.supply:
        return "it is no supply centre"
    if rule == "home" and code not in _home(position.map, power):
        return f"it is no home centre of {who}"
    owner = next((one for one, owned in position.centers.items() if code in owned), "")
    if owner != power:
        return f"it belongs to {titled(owner)}" if owner else "nobody owns it"
    if rule == "home-any":
        return "it is no home centre of any power"
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
    terrain = position.map.provinces[code].kind
    return tuple(kind for kind in position.words.units if kind.stands_in(terrain))


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
    """How many units a power may build (positive) or must disband (negative); nothing is due from
    a neutral power. Raises `PositionError` if owners are unknown."""
    refuse_unknown(position.unknown_centers)
    if power in position.map.neutrals:
        return 0
    surplus = surplus_of_centers(position, power, settings)
    return min(surplus, len(build_sites(position, power, settings))) if surplus > 0 else surplus


def surplus_of_centers(position: Position, power: str, settings: Settings) -> int:
    """How many more centres that count than units a power has."""
    units = [unit.power for unit in position.units].count(power)
    return len(counted_centers(position, power, settings)) - units
