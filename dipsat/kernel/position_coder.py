"""Positions of any phase, and their orders, as codes and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from dipsat.board.province import province_of
from dipsat.errors import CodeError
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.game.position import DislodgedUnit, Position, by_location
from dipsat.game.unit import Unit
from dipsat.kernel import position_codes
from dipsat.kernel.coder import Coder
from dipsat.kernel.numbers import (
    HOLD,
    MOVE,
    NO_ORDER,
    NOBODY,
    SEASONS,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
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
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
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
            near = numbers.next_to(one.unit.kind, one.unit.location)
            bits = sum(1 << near.index(to) for to in one.retreats)
            into.retreats[most * at + place] = bits
        owned = {code: power for power, codes in position.centers.items() for code in codes}
        for place, code in enumerate(numbers.provinces):
            owner = numbers.number_of_power[owned[code]] if code in owned else NOBODY
            into.owners[len(numbers.provinces) * at + place] = owner

    def decode(self, codes: PositionCodes, at: int) -> Position:
        """The position with this number."""
        numbers, most = self.numbers, self.numbers.most_units
        year, season, kind = codes.phases[3 * at : 3 * at + 3]
        standing, lost = codes.counts[2 * at : 2 * at + 2]
        centers: dict[str, list[str]] = {}
        owners = codes.owners[len(numbers.provinces) * at : len(numbers.provinces) * (at + 1)]
        for code, owner in zip(numbers.provinces, owners, strict=True):
            if owner != NOBODY:
                centers.setdefault(numbers.powers[owner], []).append(code)
        dislodged = []
        for place, unit in enumerate(self._units(codes.dislodged, at, lost)):
            near = numbers.next_to(unit.kind, unit.location)
            bits = codes.retreats[most * at + place]
            retreats = tuple(to for bit, to in enumerate(near) if bits >> bit & 1)
            dislodged.append(DislodgedUnit(unit, retreats))
        return Position(
            self.coder.board,
            by_location(self._units(codes.units, at, standing)),
            PhaseName(SEASONS[season], year, PhaseKind(KINDS[kind])),
            {power: tuple(owned) for power, owned in sorted(centers.items())},
            tuple(sorted(dislodged, key=lambda one: one.unit.location)),
            self.coder.profile.words,
        )

    def _units(self, rows: Sequence[int], at: int, count: int) -> list[Unit]:
        width, first = self.numbers.unit_width, self.numbers.most_units * at
        return [
            self.coder.unit_of_row(rows[width * (first + n) : width * (first + n + 1)])
            for n in range(count)
        ]

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
        type, kind, other, target = code
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
        if type == HOLD:
            return Hold(unit.name)
        if type == MOVE:
            return Move(unit.name, numbers.locations[target], bool(kind))
        there = position.by_province.get(province_of(numbers.locations[other]))
        named = UnitName(numbers.locations[other])
        if there is not None:
            named = there.name if there.power == unit.power else there.full_name
        if type == SUPPORT_HOLD:
            return SupportHold(unit.name, named)
        verb = SupportMove if type == SUPPORT_MOVE else Convoy
        return verb(unit.name, named, numbers.locations[target])


def _put(into: object, at: int, values: Sequence[int]) -> None:
    for place, value in enumerate(values):
        into[at + place] = value  # type: ignore[index]
