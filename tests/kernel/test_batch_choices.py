"""Legal orders of positions of any phase as codes: those of `Game.legal_orders`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import dipsat
from dipsat.board import province_of
from dipsat.game import PhaseKind, Position, adjustments, legal_orders
from dipsat.kernel import Batch, PositionCodes
from dipsat.orders import Build, Disband, Move, Order, Retreat, Waive
from tests.exhaustive import exhaustive
from tests.kernel.kernel_agreement import ELSEWHERE, native, needs_compiler, quick, random_boards


def played(batch: Batch, games: int) -> Iterator[PositionCodes]:
    """Random boards, and the positions of some games, grouped by phase."""
    boards = random_boards(batch, range(15))
    yield batch.positions([replace(one, unknown_centers=()) for one, _ in boards])
    record = batch.play(games, seed=5, phases=16, record=True).record
    yield from (phase.positions for phase in record)


def meaning(row: tuple[int, ...], batch: Batch) -> str:
    """A row of a retreat or adjustment phase in words."""
    kind, unit, _, place = row
    numbers = batch.numbers
    if kind == 6:
        return f"retreat to {numbers.locations[place]}"
    if kind == 8:
        return f"build {numbers.kinds[unit]} {numbers.locations[place]}"
    return {7: "disband", 9: "waive"}[kind]


def words(order: Order, batch: Batch) -> object:
    """The same for an order, but a row for an order of a movement phase."""
    match order:
        case Retreat():
            return f"retreat to {order.target}"
        case Build():
            assert order.unit.kind is not None
            return f"build {order.unit.kind} {order.unit.location}"
        case Disband():
            return "disband"
        case Waive():
            return "waive"
    return batch._coder.movement_row(order)


def expected(batch: Batch, position: Position) -> list[list[object]]:
    """Python's orders, sorted by the numbers of provinces. Codes have no written paths."""
    legal = legal_orders(position, batch.rules.settings)

    def number(subject: str) -> int:
        return batch.numbers.number_of[province_of(subject.rpartition(" ")[2])]

    return [
        [words(one, batch) for one in legal[unit] if not (isinstance(one, Move) and one.path)]
        for unit in sorted(legal, key=number)
    ]


def compared(batch: Batch, codes: PositionCodes, kinds: set[str]) -> int:
    """Compare every position; return how many were listed by Python. Fills `kinds` of phases."""
    found = batch.legal_orders(codes)
    assert len(found.subjects) == len(codes) + 1
    powers = batch.numbers.powers
    for at in range(len(codes)):
        position = batch.position(codes, at)
        kinds.add(position.phase.kind.value)
        listed = [found.of(one) for one in range(found.subjects[at], found.subjects[at + 1])]
        due = list(found.due[len(powers) * at : len(powers) * (at + 1)])
        if position.phase.kind is PhaseKind.ADJUSTMENT:
            assert due == [adjustments(position, one, batch.rules.settings) for one in powers]
        else:
            assert not any(due)
        if position.phase.extra_season:
            assert listed == [[]] * len(position.units)
        elif position.phase.kind is PhaseKind.MOVEMENT:
            assert listed == expected(batch, position)
        else:
            shown = [[meaning(row, batch) for row in rows] for rows in listed]
            assert shown == expected(batch, position)
    return len(found.by_python)


@exhaustive
@needs_compiler
def test_orders_of_every_phase_are_those_of_python() -> None:
    batch, kinds = native(), set[str]()
    assert sum(compared(batch, codes, kinds) for codes in played(batch, 4)) == 0
    assert kinds == {"M", "R", "A"}


@exhaustive
@needs_compiler
@pytest.mark.parametrize(("rules", "map"), ELSEWHERE)
def test_orders_on_other_maps_are_those_of_python(rules: str, map: str) -> None:
    batch, kinds = quick(rules, map), set[str]()
    left = sum(compared(batch, codes, kinds) for codes in played(batch, 4))
    causes = {"orders", "phases", *(["retreats"] if "R" in kinds else [])}
    assert bool(left) == bool(causes & {*batch.left_to_python})
    assert {"M", "A"} <= kinds


def test_without_compiled_code_python_lists_the_same_orders() -> None:
    batch, kinds = Batch(native=False), set[str]()
    codes = batch.positions(positions())
    assert compared(batch, codes, kinds) == len(codes) == 3
    assert kinds == {"M", "R", "A"}


@needs_compiler
def test_orders_of_many_positions_are_those_of_each_by_itself() -> None:
    """There are more orders and subjects than one call has room for."""
    batch = native()
    codes = batch.positions(positions() * 250)
    whole = batch.legal_orders(codes)
    single = batch.legal_orders(batch.positions(positions()))
    size = len(single.starts) - 1
    for number in (0, 100, 249):
        for at in range(size):
            assert whole.of(number * size + at) == single.of(at)
    assert len(whole.starts) == 250 * size + 1
    assert list(whole.due) == list(single.due) * 250


def positions() -> list[Position]:
    """A position of a movement, a retreat and an adjustment phase."""
    spring = Position.from_units(
        {"FRANCE": ["A PAR", "F BRE"], "GERMANY": ["A BUR"]}, centers={"FRANCE": ["PAR"]}
    )
    fall = Position.from_units(
        {"FRANCE": ["A GAS", "A MAR"], "GERMANY": ["A BUR"]},
        phase="F1901M",
        centers={"FRANCE": ["MAR"]},
    )
    orders = {"FRANCE": ["A GAS - BUR", "A MAR S A GAS - BUR"]}
    winter = Position.from_units(
        {"FRANCE": ["A GAS", "A PAR"], "RUSSIA": ["A MOS"], "ITALY": ["F NAP"]},
        phase="W1901A",
        centers={
            "FRANCE": ["PAR"],
            "RUSSIA": ["MOS", "STP", "SEV", "WAR"],
            "ITALY": ["ROM", "NAP"],
        },
    )
    return [spring, dipsat.adjudicate(fall, orders).next, winter]


@needs_compiler
def test_lists_of_python_and_of_compiled_code_are_combined() -> None:
    """More units than there is room for are left to Python."""
    batch = native()
    kinds = {"sea": "F", "land": "A", "coast": "A"}
    places = sorted(batch.map.provinces.values(), key=lambda one: one.code)
    crowded = {"ITALY": [f"{kinds[one.kind]} {one.code}" for one in places if one.kind in kinds]}
    plain = {"ITALY": ["A ROM"]}
    codes = batch.encode([(plain, {}), (crowded, {}), (plain, {})])
    found = batch.legal_orders(codes)
    assert found.by_python == [1]
    assert found.of(0) == found.of(codes.starts[2])
    assert len(found.of(1)) > len(found.of(0))


@needs_compiler
def test_orders_of_boards_are_those_that_python_lists() -> None:
    batch = native()
    codes = batch.encode(random_boards(batch, range(6)))
    whole, found = batch.legal_orders(codes), Batch(native=False).legal_orders(codes)
    assert (list(found.starts), list(found.orders)) == (list(whole.starts), list(whole.orders))
