"""Compiled code against brute force: facts made by hand from the orders, the equations of DATC
chapter 5.B by hand, and every assignment tried. dipsat's Python path is not used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import dipsat
from dipsat.board import province_of
from dipsat.kernel import BatchResult
from tests.exhaustive import few_of
from tests.kernel.kernel_agreement import native, needs_compiler, quick
from tests.oracles import datc_equations
from tests.oracles.orders_by_hand import PhaseByHand, TooHardError, phase_by_hand
from tests.oracles.test_choices_brute_force import by_hand
from tests.phases import crowded_orders, position_of, troubled_orders

pytestmark = needs_compiler
GOOD = {"succeeds": True, "given": True, "available": True,
        "fails": False, "cut": False, "disrupted": False}  # fmt: skip
Guess = Mapping[Any, bool]
equations: Any = datc_equations  # they read these facts like those of dipsat
MOST_ORDERS = 8  # brute force tries 2 to this power assignments


def small_phases(
    seeds: range,
) -> Iterator[tuple[dipsat.Position, dict[str, list[str]], PhaseByHand]]:
    """Phases of few orders, every second one close to a paradox or ring."""
    for seed in seeds:
        orders = troubled_orders(seed) if seed % 2 else crowded_orders(seed, 3 + seed % 5)
        position = position_of(orders)
        try:
            phase = phase_by_hand(position, orders)
        except TooHardError:
            continue
        if len(phase.moves) + len(phase.supports) + len(phase.convoys) <= MOST_ORDERS:
            yield position, orders, phase


def outcome_by_hand(phase: PhaseByHand, guess: Guess) -> tuple[dict[str, str], dict[str, Any]]:
    """Where units end, and each dislodged unit's attacker and the places it can retreat to."""
    entered = {m.target.code: m for m in phase.moves if guess[m]}
    moved = {m.unit: m for m in phase.moves if guess[m]}
    ends: dict[str, str] = {}
    gone: dict[str, Any] = {}
    for unit in phase.units:
        if unit in moved:
            ends[str(unit.unit)] = moved[unit].order.target
        elif unit.province.code not in entered:
            ends[str(unit.unit)] = unit.unit.location
    taken = {province_of(end) for end in ends.values()} | entered.keys()
    empty = contested_by_hand(phase, guess, taken)
    for unit in phase.units:
        if str(unit.unit) in ends:
            continue
        attack = entered[unit.province.code]
        barred = set() if attack.convoyed else {attack.origin.code}
        reached = phase.map.reach(unit.unit.kind, unit.unit.location)
        free = {one for one in reached if province_of(one) not in taken | empty | barred}
        gone[str(unit.unit)] = str(attack.unit.unit), free
    return ends, gone


def contested_by_hand(phase: PhaseByHand, guess: Guess, taken: set[str]) -> set[str]:
    """Provinces that are empty after a standoff."""
    return {
        move.target.code
        for move in phase.moves
        if not guess[move]
        and move.target.code not in taken
        and equations._prevent(phase, guess, move) > 0
    }


def check(result: BatchResult, at: int, phase: PhaseByHand) -> str:
    """Compare a board. Returns what settled it."""
    guesses: list[Guess] = list(equations.consistent_guesses(phase))
    verdicts = result.verdicts(at)
    for unit in phase.units:
        assert (verdicts[str(unit.unit)] == "illegal") == (not unit.is_legal), str(unit.unit)
    assert (result.settled[at] == "unique") == (len(guesses) == 1)
    if len(guesses) != 1:
        return result.settled[at]
    (guess,) = guesses
    for order, value in guess.items():
        verdict = verdicts[str(order.unit.unit)]
        assert GOOD[verdict] == value if verdict != "invalid" else not value
    ends, gone = outcome_by_hand(phase, guess)
    after = {str(unit) for unit in result.after(at)}
    assert after == {f"{unit.split()[0]} {end}" for unit, end in ends.items()}
    found = {one.unit: (one.by, set(one.retreats)) for one in result.dislodged(at)}
    assert found == gone
    taken = {province_of(end) for end in ends.values()}
    assert set(result.contested(at)) == contested_by_hand(phase, guess, taken)
    return "unique"


@pytest.mark.parametrize("seeds", few_of([range(at, at + 100) for at in range(0, 2000, 100)], 1))
def test_compiled_code_finds_what_brute_force_finds(seeds: range) -> None:
    batch = native()
    phases = list(small_phases(seeds))
    result = batch.adjudicate(batch.encode((position, orders) for position, orders, _ in phases))
    assert not result.outcomes
    found = Counter(check(result, at, phase) for at, (_, _, phase) in enumerate(phases))
    assert len(found) > 1
    assert found.total() > 60


@pytest.mark.parametrize(
    "choice", few_of(["4.A.1-a", "4.A.2-1971", "4.A.2-1982", "4.A.4-b", "4.A.7-a"], 0)
)
def test_choices_come_out_as_brute_force_finds(
    choice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_hand(choice, monkeypatch)
    phases = list(small_phases(range(10_000, 10_300)))
    boards = [(position, orders) for position, orders, _ in phases]
    batch = quick(f"datc+{choice}")
    result = batch.adjudicate(batch.encode(boards))
    for at, (_, _, phase) in enumerate(phases):
        check(result, at, phase)
    usual = native().adjudicate(native().encode(boards))
    assert list(result.arrays.ends) != list(usual.arrays.ends)
