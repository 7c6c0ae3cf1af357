"""Readable orders for `Batch.advance`: the same next positions as by `dipsat.adjudicate`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

import dipsat
from dipsat.errors import ArgumentError, UnknownNameError
from dipsat.kernel import Batch
from dipsat.orders import write_order
from tests.exhaustive import exhaustive
from tests.kernel.kernel_agreement import needs_compiler, quick

Phase = tuple[dipsat.Position, dict[str, Any]]


def phases_of(batch: Batch, seed: int, games: int, phases: int) -> list[Phase]:
    """Every phase of some games, with the orders as texts."""
    played = batch.play(games, seed=seed, phases=phases, record=True)
    return [
        (position, {
            power: [write_order(order, position.map) for order in own]
            for power, own in orders.items()
        })
        for game in range(games)
        for position, orders in played.history(game)
    ]  # fmt: skip


def troubled(orders: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The orders, changed in a way in which people write but programs do not."""
    if not orders:
        return {"FRANCE": ["A PAR H", "A PAR D", "WAIVE"]}
    power = rng.choice(sorted(orders))
    own = list(orders[power])
    text = rng.choice(own)
    change = rng.randrange(4 if text == "WAIVE" else 0, 9)
    if change == 0:
        own.append(text)  # twice
    elif change == 1:
        own.append(" ".join(text.split()[:2]) + rng.choice([" H", " D", " - BUR"]))
    elif change == 2:
        own[own.index(text)] = ("army " if text[0] == "A" else "fleet ") + text[2:].lower()
    elif change == 3:
        own[own.index(text)] = text[2:]  # without the kind
    elif change == 4:
        other = rng.choice(["AUSTRIA", "FRANCE", "TURKEY"])  # another power's unit
        return {**orders, other: [*orders.get(other, ()), text]}
    elif change == 5:
        own.append(rng.choice(["WAIVE", "A PAR D", "F BRE B", "A MUN B", "F STP/SC B", "F TRI H"]))
    elif change == 6:
        return {**orders, power: [own[:1], {"adds": own[1:]}]}
    elif change == 7:
        return {**orders, power: tuple(own)}
    else:
        return {name.title(): texts for name, texts in orders.items()}
    return {**orders, power: own}


def again(orders: dict[str, Any]) -> dict[str, Any]:
    """The orders as lists, which can be read repeatedly."""
    return {power: list(own) for power, own in orders.items()}


def check(batch: Batch, phases: Sequence[Phase]) -> Sequence[int]:
    """Compare the next positions. Returns the phases that were adjudicated by Python."""
    positions = [position for position, _ in phases]
    given = [again(orders) for _, orders in phases]
    found = batch.advance(batch.positions(positions), [again(orders) for orders in given])
    for at, (position, orders) in enumerate(zip(positions, given, strict=True)):
        wanted = dipsat.adjudicate(position, orders, batch.rules).next
        assert batch.position(found.positions, at) == wanted, (str(position.phase), orders)
    return found.by_python


@exhaustive
@needs_compiler
def test_orders_as_programs_write_them_are_adjudicated_by_compiled_code() -> None:
    batch = quick("datc", "standard")
    phases = phases_of(batch, seed=5, games=6, phases=12)
    assert {position.phase.kind.value for position, _ in phases} == set("MRA")
    assert not check(batch, phases)


@exhaustive
@needs_compiler
def test_troubled_orders_have_the_same_results() -> None:
    batch, rng = quick("datc", "standard"), random.Random(1)
    phases = phases_of(batch, seed=6, games=6, phases=12)
    by_python = check(batch, [(position, troubled(orders, rng)) for position, orders in phases])
    assert 0 < len(by_python) < len(phases)


@exhaustive
@needs_compiler
@pytest.mark.parametrize(
    "rules", ["datc", "dpjudge", "jdip", "4.C.1-b", "4.D.9-b", "centres-taken-before-retreats"]
)
def test_many_troubled_orders_have_the_same_results(rules: str) -> None:
    batch, rng = quick(rules, "standard"), random.Random(2)
    phases = phases_of(batch, seed=7, games=18, phases=20)
    check(batch, [(position, troubled(orders, rng)) for position, orders in phases])


def test_without_compiled_code_readable_orders_have_the_same_results() -> None:
    batch = Batch(native=False)
    spring = dipsat.Position.start()
    orders = {"FRANCE": ["A PAR - BUR", "F BRE - MAO"], "GERMANY": ["A MUN - BUR"]}
    winter = dipsat.Position.from_units(
        {"FRANCE": ["A GAS"]}, phase="W1901A", centers={"FRANCE": ["PAR", "MAR"]}
    )
    assert list(check(batch, [(spring, orders), (winter, {"FRANCE": ["A PAR B"]})])) == [0, 1]


def test_an_unreadable_order_is_an_error_with_its_position() -> None:
    batch = Batch()
    codes = batch.positions([dipsat.Position.start()] * 2)
    faulty: tuple[dict[str, list[str]], ...] = (
        {"FRANCE": ["A PAR - XYZ"]},
        {"NARNIA": []},
        {"FRANCE": ["A PAR - BRUGUNDY"]},
    )
    for orders in faulty:
        with pytest.raises(UnknownNameError) as found:
            batch.advance(codes, [{}, orders])
        assert found.value.__notes__ == ["on position 1"]


@pytest.mark.parametrize("orders", [[{}], [{}, {}, {}], {"FRANCE": ["A PAR H"]}])
def test_there_must_be_orders_for_each_position(orders: Any) -> None:
    batch = Batch()
    codes = batch.positions([dipsat.Position.start()] * 2)
    with pytest.raises(ArgumentError, match="orders"):
        batch.advance(codes, orders)
