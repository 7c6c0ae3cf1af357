"""The variations of the guess algorithm that Kruijswijk weighs (The Math of Adjudication, the last
chapter): with the guards they give the same verdicts, and other counts of calls."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any
from unittest.mock import Mock

import pytest

import dipsat
from dipsat.equations import Phase, Reach, Term, Unknown
from dipsat.errors import EngineError
from dipsat.outcomes import MovementOutcome, find_engine
from dipsat.studies import random_board, recursive_guess
from dipsat.studies.datc_runs import load_cases
from dipsat.studies.order_equations import OrderEquations, every_fleet_first, with_local_marks
from dipsat.studies.recursive_guess import RecursiveGuess
from tests.engine_calls import counted
from tests.exhaustive import exhaustive, parts_of
from tests.mazes import facts, seas_beside_each_other
from tests.phases import phase_of, troubled_orders
from tests.studies.test_algorithms import Orders, agrees, decided, example
from tests.studies.test_simple_recursive import FIGURE_16

MARKS = RecursiveGuess(paths="local_marks")
RESOLVED = RecursiveGuess(paths="resolved")
ONCE = RecursiveGuess(ask_once=True)
VARIATIONS = [
    MARKS, RESOLVED, ONCE,
    RecursiveGuess(paths="local_marks", ask_once=True),
    RecursiveGuess(paths="resolved", ask_once=True),
]  # fmt: skip
TWELVE = "EDI YOR LON ENG BRE GAS SPA/NC POR MAO IRI LVP CLY EDI"
RING = {"ENGLAND": [f"F {place} - {target}" for place, target in pairwise(TWELVE.split())]}


def case_facts(name: str) -> Phase:
    (case,) = load_cases([name])
    outcome = dipsat.adjudicate(case.position, case.orders)
    assert isinstance(outcome, MovementOutcome)
    return outcome.facts


class Shuffled(OrderEquations):
    """Equations with the orders in another sequence."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        shuffled = list(self.orders)
        random.Random(len(shuffled)).shuffle(shuffled)
        self.orders = tuple(shuffled)


@pytest.mark.parametrize("judge", [RecursiveGuess(), *VARIATIONS], ids=lambda judge: judge.name)
@pytest.mark.parametrize("seeds", parts_of(range(80), 5))
def test_the_sequence_of_the_orders_does_not_matter(
    seeds: range, judge: RecursiveGuess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recursive_guess, "OrderEquations", Shuffled)
    boards: list[Orders] = [random_board(2934).orders]
    boards += [troubled_orders(seed) for seed in seeds]
    assert all(agrees(judge, orders) for orders in boards)


# Paths.


def test_path_of_a_convoyed_army_is_resolved_as_orders_are() -> None:
    """That is, "to assign the state variable UNRESOLVED, GUESSING or RESOLVED to the path equation
    also"; that of an army that walks needs none."""
    phase = phase_of({**FIGURE_16, "RUSSIA": ["A MOS - UKR"]})
    (army,) = [move for move in phase.moves if str(move.unit) == "A TUN"]
    profile = dipsat.load_profile("datc")
    usual, resolved = (
        set(OrderEquations(profile, phase, "test", paths).orders)
        for paths in ("orders_first", "resolved")
    )
    assert resolved - usual == {("path", army.index)}
    assert usual < resolved


@exhaustive
def test_resolved_paths_are_asked_and_adjudicated_too() -> None:
    """It not only "complicates the data structures", but takes more calls wherever there is a path.
    Without a path it takes no more."""
    for name in ("6.F.14", "6.F.22", "6.F.28"):
        phase = case_facts(name)
        usual, more = counted("recursive_guess", phase), counted(RESOLVED.name, phase)
        assert usual[0] < more[0]
        assert usual[1] < more[1]
    ring = phase_of(RING)
    assert counted("recursive_guess", ring) == counted(RESOLVED.name, ring)


def test_search_with_its_own_marks_may_not_come_to_the_cycle() -> None:
    """6.F.19: one of two routes is part of a cycle. A search that resolves each fleet on the way
    gets across before the cycle; resolving all fleets first makes the path part of it."""
    phase = case_facts("6.F.19")
    usual, fewer = counted("recursive_guess", phase), counted(MARKS.name, phase)
    assert len(phase.units) == fewer[1] < usual[1]
    assert fewer[0] < usual[0]


def test_search_with_its_own_marks_asks_fewer_fleets_in_a_maze() -> None:
    maze = facts(seas_beside_each_other(20))
    assert counted(MARKS.name, maze)[0] < counted("recursive_guess", maze)[0]


@exhaustive
@pytest.mark.parametrize("search", [every_fleet_first, with_local_marks])
def test_searches_find_a_path_where_there_is_one(
    search: Callable[[Reach, Sequence[Callable[[], int]]], bool],
) -> None:
    """Against a closure over the borders, on graphs of eight fleets."""
    rng = random.Random(3)
    conditions: tuple[Term, ...] = tuple(Unknown(("convoy", at), True) for at in range(8))
    found = Counter[bool]()
    for _ in range(300):
        pairs = [(rng.randrange(8), rng.randrange(8)) for _ in range(9)]
        pairs += [(other, one) for one, other in pairs]
        borders = tuple(tuple({to for start, to in pairs if start == at}) for at in range(8))
        starts, ends = (tuple(rng.sample(range(8), 2)) for _ in range(2))
        fleets = [Mock(return_value=rng.random() < 0.6) for _ in range(8)]
        available = {at for at, fleet in enumerate(fleets) if fleet.return_value}
        reached = available.intersection(starts)
        for _ in range(8):
            reached |= available.intersection(to for at in reached for to in borders[at])
        across = bool(reached.intersection(ends))
        assert search(Reach(conditions, starts, ends, borders), fleets) is across
        assert max(fleet.call_count for fleet in fleets) <= 1
        found[across] += 1
    assert len(found) == 2


# Asking once.


def test_adjudicate_asks_for_no_order_twice() -> None:
    """Figure 19: to know two strengths, adjudicate asks for the order before it twice, "We get a
    double dependency". A ring of three is adjudicated twice, and each order is resolved once each
    time."""
    ring = case_facts("6.C.1")
    assert counted(ONCE.name, ring) == (3 + 6, 6)
    assert counted("recursive_guess", ring)[0] > 3 + 6


@pytest.mark.parametrize("judge", [RecursiveGuess(), *VARIATIONS], ids=lambda judge: judge.name)
def test_long_ring_does_not_explode(judge: RecursiveGuess) -> None:
    """DATC 3.0, 5.E, of calls for the same order: "If the cyclic movement consists of 10 moves,
    they may lead to 2 to the power of 10 (1024) adjudications"."""
    asked, adjudicated = counted(judge.name, phase_of(RING))
    assert adjudicated <= 3 * 12
    assert asked <= 6 * 12
    assert all(decided(judge, RING).moves)


@pytest.mark.parametrize("heading", ["**Supports of type E**", "**Orders on several cycles**"])
def test_simplified_resolve_sees_what_the_original_misses_without_guards(heading: str) -> None:
    """It always adds to the dependency list, so growth is also seen where an order comes to a guess
    that is already noted."""
    orders = example(heading)
    with pytest.raises(EngineError):
        decided(RecursiveGuess(False, False), orders)
    assert agrees(RecursiveGuess(False, False, ask_once=True), orders)


def test_simplified_resolve_needs_orders_on_one_cycle_too() -> None:
    """F LON is tried with both guesses while F MAO has only one: "the algorithm is not designed to
    handle orders that are part of multiple cycles". The result violates the equations, and dipsat
    refuses it; with any one unit fewer it is right."""
    orders = example("**The simplified `resolve`**")
    unguarded = RecursiveGuess(single_cycles=False, ask_once=True)
    assert agrees(ONCE, orders)
    expected = decided(find_engine("solver"), orders)
    assert (sum(expected.moves), expected.convoys) == (2, (False,))
    with pytest.raises(EngineError, match="one resolution for the only one"):
        decided(unguarded, orders)
    for power, texts in orders.items():
        for text in texts:
            fewer = {**orders, power: [other for other in texts if other != text]}
            assert agrees(unguarded, fewer)
