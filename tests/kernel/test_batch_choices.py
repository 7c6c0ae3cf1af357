"""Legal orders of positions of any phase as codes: those of `Game.legal_orders`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import dipsat
from dipsat.board import province_of
from dipsat.errors import CodeError
from dipsat.game import PhaseKind, Position, adjustments, legal_orders
from dipsat.kernel import Batch, PositionCodes
from dipsat.orders import Build, Disband, Order, Retreat, Waive
from tests.exhaustive import exhaustive, few_of
from tests.kernel.kernel_agreement import native, needs_compiler, quick

RULES = [
    ("datc", "standard", 4),
    ("judges/dpjudge", "standard", 5),  # other places to build in
    ("variants/portage", "standard", 5),  # conditions that leave phases to Python
    ("variants/wings", "standard", 5),
    ("datc", "colonial", 3),
    ("variants/colonial", "colonial", 2),  # a phase for declared orders
    ("datc", "world", 2),
]


def played(batch: Batch, games: int) -> Iterator[PositionCodes]:
    """The positions of all phases of some games, those of a phase together."""
    record = batch.play(games, seed=5, phases=16, record=True).record
    return (phase.positions for phase in record)


def meaning(row: tuple[int, ...], batch: Batch) -> str:
    """A row of a retreat or adjustment phase in words."""
    kind, unit, _, place = row
    numbers = batch.numbers
    if kind == 6:
        return f"retreat to {numbers.locations[place]}"
    if kind == 8:
        return f"build {numbers.kinds[unit]} {numbers.locations[place]}"
    return {7: "disband", 9: "waive"}[kind]


def words(order: Order) -> str:
    """The same for an order."""
    match order:
        case Retreat():
            return f"retreat to {order.target}"
        case Build():
            assert order.unit.kind is not None
            return f"build {order.unit.kind} {order.unit.location}"
        case Disband():
            return "disband"
    assert isinstance(order, Waive)
    return "waive"


def expected(batch: Batch, position: Position) -> list[list[str]]:
    """The orders of a retreat or adjustment phase by Python, sorted by the numbers of provinces."""
    legal = legal_orders(position, batch.rules.settings)

    def number(subject: str) -> int:
        return batch.numbers.number_of[province_of(subject.rpartition(" ")[2])]

    return [list(map(words, legal[one])) for one in sorted(legal, key=number)]


def compared(batch: Batch, codes: PositionCodes, kinds: set[str]) -> int:
    """Compare every position; how many were listed by Python. Adds the kinds of phases."""
    found = batch.legal_orders(codes)
    assert len(found.subjects) == len(codes) + 1
    powers = batch.numbers.powers
    for at in range(len(codes)):
        position = batch.position(codes, at)
        kinds.add(position.phase.kind.value)
        subjects = range(found.subjects[at], found.subjects[at + 1])
        listed = [found.of(one) for one in subjects]
        due = list(found.due[len(powers) * at : len(powers) * (at + 1)])
        if position.phase.kind is PhaseKind.ADJUSTMENT:
            assert due == [adjustments(position, one, batch.rules.settings) for one in powers]
        else:
            assert not any(due)
        if position.phase.kind is PhaseKind.MOVEMENT:
            board = batch.encode([(position, {})])
            alone = batch.legal_orders(board)
            rows = [alone.of(one) for one in range(len(listed))]
            places = [batch.numbers.number_of[unit.province] for unit in position.units]
            order = sorted(range(len(rows)), key=lambda unit: places[unit])
            assert listed == [rows[unit] for unit in order]
        elif position.phase.extra_season:
            assert listed == [[]] * len(position.units)
        else:
            shown = [[meaning(row, batch) for row in rows] for rows in listed]
            assert shown == expected(batch, position)
    return len(found.by_python)


@needs_compiler
@pytest.mark.parametrize(("rules", "map", "games"), few_of(RULES, 1))
def test_orders_of_every_phase_are_those_of_python(rules: str, map: str, games: int) -> None:
    batch, kinds = native() if (rules, map) == RULES[0][:2] else quick(rules, map), set[str]()
    left = sum(compared(batch, codes, kinds) for codes in played(batch, games))
    assert bool(left) == bool(batch.left_to_python)
    assert {"M", "R", "A"} <= kinds


def test_python_lists_the_same_without_compiled_code() -> None:
    batch, kinds = Batch(native=False), set[str]()
    codes = batch.positions(positions())
    assert compared(batch, codes, kinds) == len(codes) == 3
    assert kinds == {"M", "R", "A"}


@needs_compiler
def test_compiled_code_lists_every_phase_of_the_standard_rules() -> None:
    batch, kinds = native(), set[str]()
    assert compared(batch, batch.positions(positions()), kinds) == 0


@needs_compiler
def test_orders_of_many_positions_are_those_of_each() -> None:
    """More orders, and more subjects, than there is room for in one call."""
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


@exhaustive
@needs_compiler
def test_many_subjects_fit() -> None:
    """Games in which each power builds often have more provinces to build in than units."""
    batch = native()
    winter = positions()[2]
    whole = batch.legal_orders(batch.positions([winter] * 5000))
    assert whole.subjects[-1] == 5000 * whole.subjects[1]


@pytest.mark.parametrize("is_native", [pytest.param(True, marks=needs_compiler), False])
def test_a_wrong_code_of_a_position_is_reported(is_native: bool) -> None:
    batch = native() if is_native else Batch(native=False)
    codes = batch.positions(positions())
    codes.units[2] = 4000
    with pytest.raises(CodeError, match="no unit of this kind can stand there"):
        batch.legal_orders(codes)


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
