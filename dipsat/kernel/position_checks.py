"""Checks of the codes of positions and of orders for them, as `dipsat/kernel/runtime/play.h` makes
them, for what Python adjudicates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dipsat.board.province import province_of
from dipsat.errors import CodeError
from dipsat.kernel.board_codes import fault_of_order, fault_of_unit
from dipsat.kernel.faults import (
    BAD_KIND,
    BAD_ORDER_TYPE,
    BAD_OWNER,
    BAD_POWER,
    BAD_RETREAT,
    BAD_TARGET,
    NO_PHASE,
    TOO_MANY,
    UNSORTED,
)
from dipsat.kernel.numbers import NOBODY, MapNumbers
from dipsat.kernel.position_codes import BUILD, DISBAND, KINDS, RETREAT, WAIVE, PositionCodes

_PHASES = {(0, 0), (0, 1), (1, 3), (2, 0), (2, 1), (3, 2)}  # season and kind


def check_positions(codes: PositionCodes, numbers: MapNumbers, which: Iterable[int]) -> None:
    """Raise `CodeError` for the first of these positions that means nothing."""
    for at in which:
        problem, unit = _fault_of(codes, numbers, at)
        if problem:
            raise CodeError(at, unit, problem)


def _fault_of(codes: PositionCodes, numbers: MapNumbers, at: int) -> tuple[str, int | None]:
    """What is wrong with a position, and with which unit."""
    standing, lost = codes.counts[2 * at : 2 * at + 2]
    for rows, count in ((codes.units, standing), (codes.dislodged, lost)):
        fault = _fault_of_units(rows, count, numbers, at)
        if fault[0]:
            return fault
    _, season, kind = codes.phases[3 * at : 3 * at + 3]
    if (season, kind) not in _PHASES or (lost and KINDS[kind] != "R"):
        return NO_PHASE, None
    width = len(numbers.provinces)
    owners = set(codes.owners[width * at : width * (at + 1)]) - {NOBODY}
    if owners and max(owners) >= len(numbers.powers):
        return BAD_OWNER, None
    return _fault_of_retreats(codes, numbers, at, standing, lost), None


def _fault_of_units(
    rows: Sequence[int], count: int, numbers: MapNumbers, at: int
) -> tuple[str, int | None]:
    if count > numbers.most_units:
        return TOO_MANY, None
    last, width, first = -1, numbers.unit_width, numbers.most_units * at
    for place in range(count):
        row = rows[width * (first + place) : width * (first + place + 1)]
        problem = fault_of_unit(row, numbers)
        if problem:
            return problem, place
        province = numbers.number_of[province_of(numbers.locations[row[2]])]
        if province <= last:
            return UNSORTED, place
        last = province
    return "", None


def _fault_of_retreats(
    codes: PositionCodes, numbers: MapNumbers, at: int, standing: int, lost: int
) -> str:
    width, first = numbers.unit_width, numbers.most_units * at
    locations = codes.units[width * first + 2 : width * (first + standing) : width]
    taken = {province_of(numbers.locations[location]) for location in locations}
    for place in range(first, first + lost):
        power, kind, location = codes.dislodged[width * place : width * place + 3]
        near = numbers.next_to(numbers.kinds[kind], numbers.locations[location])
        near = near if numbers.powers[power] not in numbers.board.neutrals else ()
        free = (1 << bit for bit, to in enumerate(near) if province_of(to) not in taken)
        if codes.retreats[place] & ~sum(free):
            return BAD_RETREAT
    return ""


def fault_of_row(row: Sequence[int], phase: str, numbers: MapNumbers) -> str:
    """What is wrong with the code of an order in a phase of a kind, "" if it means something."""
    type, kind, other, target = row
    if phase == "M":
        return fault_of_order(row, numbers)
    types = {"R": (0, RETREAT, DISBAND), "A": (0, BUILD, DISBAND, WAIVE)}
    if type not in types.get(phase, (0,)):
        return BAD_ORDER_TYPE
    names_place = type in (RETREAT, BUILD) or (type == DISBAND and phase == "A")
    if names_place and target >= len(numbers.locations):
        return BAD_TARGET
    if phase == "A" and type and other >= len(numbers.powers):
        return BAD_POWER
    if type == BUILD and kind >= len(numbers.kinds):
        return BAD_KIND
    return ""
