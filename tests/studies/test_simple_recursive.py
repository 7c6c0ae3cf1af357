"""The simple recursive algorithm without guesses: right where it answers, and no answer to a cycle.

Kruijswijk, The Math of Adjudication, "A simple recursive algorithm that works for most cases", and
the figures of his last chapter; DATC 3.0, 5.C: "If it was only needed to adjudicate orders of
category a, the algorithm would be simple."
"""

from __future__ import annotations

import csv
import json

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.errors import CyclicOrdersError, EngineError
from dipsat.outcomes import find_engine
from dipsat.studies import Unanswered, random_board, run_cases
from dipsat.studies.datc_runs import load_cases
from dipsat.studies.engine_names import SOLVER
from dipsat.studies.order_equations import OrderEquations
from dipsat.studies.simple_recursive import SimpleRecursive
from tests.exhaustive import exhaustive, parts_of
from tests.mazes import seas_beside_each_other
from tests.pages import page
from tests.phases import phase_of, troubled_orders
from tests.studies.test_algorithms import Orders, agrees, decided, example

SIMPLE = SimpleRecursive()
FORMS = [SIMPLE, SimpleRecursive(dependencies_first=True)]

FIGURE_8 = {"FRANCE": ["A PAR - BRE", "F BRE - MAO"]}
FIGURE_9 = {
    "ENGLAND": ["F NWG - NTH"],
    "GERMANY": ["F SKA S F NTH - NWY", "F NTH - NWY"],
    "RUSSIA": ["F NWY - NWG"],
}
FIGURE_16 = {
    "TURKEY": ["F AEG - ION", "F GRE S F AEG - ION"],
    "AUSTRIA": ["F ALB S F AEG - ION"],
    "ITALY": ["A TUN - GRE", "F ION C A TUN - GRE"],
}


def refused(orders: Orders, judge: SimpleRecursive = SIMPLE) -> set[str]:
    """The decisions of the cycle that the engine names."""
    with pytest.raises(CyclicOrdersError) as caught:
        decided(judge, orders)
    assert caught.value.engine == judge.name
    return set(caught.value.cycle)


@pytest.mark.parametrize("judge", FORMS, ids=lambda judge: judge.name)
def test_orders_that_follow_each_other_are_resolved(judge: SimpleRecursive) -> None:
    """Figure 8: "In cases where there is no cyclic dependency, the algorithm behaves similarly to
    the simple recursive algorithm (without guessing)"."""
    assert decided(judge, FIGURE_8).moves == (True, True)
    assert agrees(judge, FIGURE_8)


@pytest.mark.parametrize("judge", FORMS, ids=lambda judge: judge.name)
def test_ring_with_one_resolution_is_refused_with_its_orders(judge: SimpleRecursive) -> None:
    """Figure 9: the fleet to Norway is supported, so there is one consistent resolution; but to
    see it takes guesses or partial information."""
    assert decided(find_engine(SOLVER), FIGURE_9).moves == (True, True, True)
    ring = {"move(F NWG - NTH)", "move(F NTH - NWY)", "move(F NWY - NWG)"}
    assert refused(FIGURE_9, judge) == ring


def test_convoy_paradox_with_one_resolution_is_refused_with_its_orders() -> None:
    """Figure 16: with partial information "the strength of 2 is enough to advance to the Ionian
    Sea". Figure 17 has the cycle: the fleets in AEG, GRE and ION. Type E (figure 18) adds TUN."""
    assert decided(find_engine(SOLVER), FIGURE_16).moves.count(True) == 1
    cycle = {"move(F AEG - ION)", "support(F GRE S F AEG - ION)", "convoy(F ION C A TUN - GRE)"}
    assert cycle <= refused(FIGURE_16) <= cycle | {"move(A TUN - GRE)"}


def test_error_says_where_to_go() -> None:
    with pytest.raises(EngineError) as caught:
        decided(SIMPLE, FIGURE_9)
    for word in ("simple_recursive", "in a cycle", "partial_information", "recursive_guess"):
        assert word in str(caught.value)


@pytest.mark.parametrize("judge", FORMS, ids=lambda judge: judge.name)
@pytest.mark.parametrize("seeds", parts_of(range(90), 8))
def test_answers_are_right_and_refusals_are_cycles(judge: SimpleRecursive, seeds: range) -> None:
    boards: list[Orders] = [random_board(seed).orders for seed in seeds]
    boards += [troubled_orders(seed) for seed in seeds]
    answers = 0
    for orders in boards:
        cycle = _cycle(judge, orders)
        if cycle:
            assert _is_cycle(orders, cycle), (orders, cycle)
        else:
            answers += 1
            assert agrees(judge, orders)
    assert 0 < answers < len(boards)


def _cycle(judge: SimpleRecursive, orders: Orders) -> tuple[str, ...]:
    """The decisions of the cycle for which the engine has no answer, none if it has one."""
    try:
        assert decided(judge, orders).backup == ()
    except CyclicOrdersError as error:
        return error.cycle
    return ()


def _is_cycle(orders: Orders, names: tuple[str, ...]) -> bool:
    """Whether each order's equation mentions the next, and the last one's the first."""
    equations = OrderEquations(dipsat.load_profile("datc"), phase_of(orders), "test")
    keys = {equations.name(key): key for key in equations.orders}
    cycle = [keys[name] for name in names]
    following = [*cycle[1:], cycle[0]]
    return all(other in equations.needed(key) for key, other in zip(cycle, following, strict=True))


def test_resolving_all_dependencies_first_refuses_more() -> None:
    """The list of steps has "resolve those orders first", then "adjudicate the original order"."""
    orders = example("**All dependencies first**")
    assert agrees(SIMPLE, orders)
    assert refused(orders, FORMS[1]) == {"move(A SMY - SYR)", "move(A SYR - SMY)"}


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(90), 25))
def test_resolving_all_dependencies_first_decides_nothing_that_the_usual_form_refuses(
    seeds: range,
) -> None:
    for seed in seeds:
        for orders in (random_board(seed).orders, troubled_orders(seed)):
            if _cycle(SIMPLE, orders):
                assert _cycle(FORMS[1], orders)


@pytest.mark.parametrize("judge", FORMS, ids=lambda judge: judge.name)
def test_recursion_ends_in_a_maze(judge: SimpleRecursive) -> None:
    maze = seas_beside_each_other(30)
    with pytest.raises(CyclicOrdersError):
        dipsat.adjudicate(maze.position(), maze.orders, engine=judge)


# The cases of the DATC.


@exhaustive
def test_page_lists_the_cases_of_the_datc_without_an_answer() -> None:
    """None differs from what is stated; those of docs/tables/datc-engines.csv are refused."""
    cases = load_cases(["6"])
    found = run_cases(cases, engine=SIMPLE)
    assert all(one.status in ("passed", "no answer") for one in found)
    unanswered = {one.case.name for one in found if isinstance(one, Unanswered)}
    rows = csv.DictReader(page("docs/tables/datc-engines.csv").splitlines())
    listed = [row["case"] for row in rows if row["simple_recursive, datc"] == "no answer"]
    assert sorted(listed) == sorted(unanswered)


def test_datc_command_goes_on_after_a_case_without_an_answer() -> None:
    command = ["datc", "6.C", "--engine", "simple_recursive"]
    shown = CliRunner().invoke(main, command)
    assert shown.exit_code == 1
    assert "6.C.1  NO ANSWER" in shown.output
    assert "6.C.5  passed" in shown.output
    assert shown.output.endswith(
        "1 of 9 cases as the document states. The engine has no answer to 8.\n"
    )
    rows = json.loads(CliRunner().invoke(main, [*command, "--json"]).output)
    status = {row["case"]: (row["status"], row["passed"]) for row in rows}
    assert status["6.C.1"] == ("no answer", False)
    assert status["6.C.5"] == ("passed", True)
    assert "depend on each other" in rows[0]["problem"]
    assert rows[0]["outcome"] is None
