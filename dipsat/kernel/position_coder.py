"""Positions of any phase, and their orders, as codes and back."""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence, Sequence
from typing import TypeAlias

from dipsat.board.province import province_of
from dipsat.errors import CodeError
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.game.position import STATE_OWNERS, DislodgedUnit, Position, Unit, by_location
from dipsat.kernel import position_codes
from dipsat.kernel.coded_parts import centers_of, owners_of, retreat_bits, retreats_of
from dipsat.kernel.coder import Coder
from dipsat.kernel.numbers import (
    NO_ORDER,
    SEASONS,
)
from dipsat.kernel.position_checks import fault_of_row
from dipsat.kernel.position_codes import (
    BUILD,
    DISBAND,
    KINDS,
    RETREAT,
    WAIVE,
    PositionCodes,
    empty_positions,
)
from dipsat.orders.order import (
    Build,
    Disband,
    Order,
    Retreat,
    UnitName,
    Waive,
)

Row: TypeAlias = tuple[int, int, int, int]
"""The code of an order."""


class PositionCoder:
    """Codes positions of one map under one profile."""

    def __init__(self, coder: Coder) -> None:
        self.coder = coder
        self.numbers = coder.numbers

    @property
    def rows(self) -> int:
        """The room for orders of one position."""
        return 2 * self.numbers.most_units

    def encode(self, positions: Iterable[Position]) -> PositionCodes:
        """The codes of positions. Raises `CodeError` for a position that has no codes."""
        listed = list(positions)
        found = empty_positions(len(listed), self.numbers)
        for at, position in enumerate(listed):
            self.write(found, at, position)
        return found

    def write(self, into: PositionCodes, at: int, position: Position) -> None:
        """Write one position. Raises `CodeError` if it has no codes."""
        numbers = self.numbers
        position = position.with_words(self.coder.profile.words)
        most, phase = numbers.most_units, position.phase
        lost = [one.unit for one in position.dislodged]
        if max(len(position.units), len(lost)) > most:
            raise CodeError(at, None, f"a position with more than {most} units has no codes")
        if position.unknown_centers:
            why = f"since the owner of {position.unknown_centers[0]} is unknown"
            raise CodeError(at, None, f"a position has no codes {why}; {STATE_OWNERS}")
        season = SEASONS.index(phase.season)
        _put(into.phases, 3 * at, (phase.year, season, KINDS.index(phase.kind.value)))
        _put(into.counts, 2 * at, (len(position.units), len(lost)))
        width = numbers.unit_width
        for rows, units in ((into.units, position.units), (into.dislodged, lost)):
            coded = sorted(map(self.coder.row, units), key=lambda one: one[0])
            for place, (_, row) in enumerate(coded):
                _put(rows, width * (most * at + place), row)
        by_province = sorted(
            position.dislodged, key=lambda one: numbers.number_of[one.unit.province]
        )
        for place, one in enumerate(by_province):
            into.retreats[most * at + place] = retreat_bits(numbers, one.unit, one.retreats)
        _put(into.owners, len(numbers.provinces) * at, owners_of(numbers, position.centers))

    def decode(self, codes: PositionCodes, at: int) -> Position:
        """The position with this number."""
        numbers, most = self.numbers, self.numbers.most_units
        year, season, kind = codes.phases[3 * at : 3 * at + 3]
        standing, lost = codes.counts[2 * at : 2 * at + 2]
        owners = codes.owners[len(numbers.provinces) * at : len(numbers.provinces) * (at + 1)]
        dislodged = [
            DislodgedUnit(unit, retreats_of(numbers, unit, codes.retreats[most * at + place]))
            for place, unit in enumerate(self._units(codes.dislodged, at, lost))
        ]
        return Position(
            self.coder.board,
            by_location(self._units(codes.units, at, standing)),
            PhaseName(SEASONS[season], year, PhaseKind(KINDS[kind])),
            centers_of(numbers, owners),
            tuple(sorted(dislodged, key=lambda one: one.unit.location)),
            self.coder.profile.words,
        )

    def _units(self, rows: Sequence[int], at: int, count: int) -> tuple[Unit, ...]:
        first = self.numbers.most_units * at
        return self.coder.units(rows, first, first + count)

    # --- orders -----------------------------------------------------------------------------------

    def order_row(self, order: Order, power: str) -> Row:
        """The code of an order of a power. Raises `DeclinedError` if it has none."""
        number = self.numbers.number_of
        match order:
            case Waive():
                return WAIVE, 0, self.numbers.number_of_power[power], 0
            case Build():
                assert order.unit.kind is not None
                kind = self.numbers.kinds.index(order.unit.kind)
                owner = self.numbers.number_of_power[power]
                return BUILD, kind, owner, number[order.unit.location]
            case Disband():
                owner = self.numbers.number_of_power[power]
                return DISBAND, 0, owner, number[order.unit.location]
            case Retreat():
                return RETREAT, 0, 0, number[order.target]
        return self.coder.movement_row(order)

    def orders_of(
        self, position: Position, rows: Sequence[int], board: int | None = None
    ) -> dict[str, list[Order]]:
        """The orders that rows of four numbers give in a position, by power; in a movement or
        retreat phase, one row for each unit concerned. Raises `CodeError`, with the number of the
        board, for a row that means nothing."""
        found: dict[str, list[Order]] = {}
        for at, unit in enumerate(self._subjects(position, len(rows) // 4)):
            code = tuple(rows[4 * at : 4 * at + 4])
            problem = fault_of_row(code, position.phase.kind.value, self.numbers)
            if problem:
                raise CodeError(board, None if unit is None else at, problem)
            if code[0] == NO_ORDER:
                if unit is None:
                    break
                continue
            power = self.numbers.powers[code[2]] if unit is None else unit.power
            found.setdefault(power, []).append(self._order(code, unit, position))
        return found

    def _subjects(self, position: Position, rows: int) -> Sequence[Unit | None]:
        """The units that rows of orders are for, None for rows that say it themselves."""
        number = self.numbers.number_of
        units: Iterable[Unit]
        if position.phase.kind is PhaseKind.MOVEMENT:
            units = position.units
        elif position.phase.kind is PhaseKind.RETREAT:
            units = (one.unit for one in position.dislodged)
        elif position.phase.kind is PhaseKind.ADJUSTMENT:
            return [None] * rows
        else:
            return ()
        return sorted(units, key=lambda unit: number[unit.province])

    def _order(self, code: Sequence[int], unit: Unit | None, position: Position) -> Order:
        numbers = self.numbers
        type, kind, _, target = code
        match type:
            case position_codes.RETREAT if unit is not None:
                return Retreat(unit.name, numbers.locations[target])
            case position_codes.DISBAND if unit is not None:
                return Disband(unit.name)
            case position_codes.DISBAND:
                there = position.by_province.get(province_of(numbers.locations[target]))
                location = numbers.locations[target]
                return Disband(UnitName(location) if there is None else there.name)
            case position_codes.BUILD:
                return Build(UnitName(numbers.locations[target], numbers.kinds[kind]))
            case position_codes.WAIVE:
                return Waive()
        assert unit is not None
        order = self.coder.order(unit, code, position.by_province)
        assert order is not None
        return order


def _put(into: MutableSequence[int], at: int, values: Sequence[int]) -> None:
    for place, value in enumerate(values):
        into[at + place] = value
