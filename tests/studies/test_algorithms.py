"""The published algorithms against the solver, with their guards on and off."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise, product

import pytest

import dipsat
from dipsat.errors import ContradictionError, EngineError, UnresolvedError
from dipsat.outcomes import Engine, EquationVerdicts, find_engine
from dipsat.rules import Profile, parse_profile
from dipsat.studies import ENGINES, random_board, run_case
from dipsat.studies.datc_runs import Case, load_cases
from dipsat.studies.decision_graph import DecisionGraph
from dipsat.studies.engine_names import SOLVER
from dipsat.studies.engine_runner import in_one_piece
from dipsat.studies.partial_information import PartialInformation
from dipsat.studies.recursive_guess import RecursiveGuess
from tests.agreement import WHAT
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of, first_of_each, parts_of
from tests.phases import phase_of, read_sheet, troubled_orders

OTHERS = [name for name in ENGINES if name != SOLVER]
FROM_PROFILE = ["partial_information", "recursive_guess", "decision_graph"]
FORMS = [
    *FROM_PROFILE,
    "partial_information(multi_pass=orders)",
    "partial_information(multi_pass=decisions)",
    "recursive_guess(paths=local_marks)",
    "recursive_guess(paths=resolved)",
    "recursive_guess(ask_once)",
    "recursive_guess(paths=local_marks,ask_once)",
    "recursive_guess(paths=resolved,ask_once)",
]
"""The algorithms that read a profile, with options that change no result."""

RULEBOOKS = ("1971", "1982", "2000", "2023", "datc-2.4", "datc-3", "dptg")
SIMPLE = ["simple_recursive", "simple_recursive(dependencies_first)"]
PAGE = ROOT / "docs" / "algorithms.md"

# The support of rules/datc.yaml with its conditions in the order of DATC 5.B.2.
CUT_FIRST = """
name: cut first
extends: datc
decisions:
  support(s):
    support_cut: not any(cuts(a, s) for a in s.province.attackers)
    supporter_dislodged: not overrun(s)
"""

Orders = Mapping[str, Sequence[str]]


def example(heading: str) -> dict[str, list[str]]:
    """The first order sheet of the page after a text."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(heading)
    found = re.search(r"^```text\n(.*?)^```", rest, re.MULTILINE | re.DOTALL)
    assert found is not None
    orders: dict[str, list[str]] = {}
    for line in read_sheet(found[1], dipsat.load_map("standard")):
        orders.setdefault(line.power, []).append(line.text)
    return orders


def decided(judge: Engine, orders: Orders, rules: str | Profile = "datc") -> EquationVerdicts:
    """What an engine decides of orders that name every unit."""
    verdicts = judge.decide(phase_of(orders, rules), dipsat.load_profile(rules))
    assert isinstance(verdicts, EquationVerdicts)
    return verdicts


def agrees(judge: Engine, orders: Orders, rules: str | Profile = "datc") -> bool:
    """Whether an engine gives every decision and every order the value that the solver gives it,
    and applies the same backup rules."""
    return compared(judge, orders, rules) == compared(find_engine(SOLVER), orders, rules)


def compared(judge: Engine, orders: Orders, rules: str | Profile) -> list[object]:
    """What `agrees` compares."""
    found = decided(judge, orders, rules)
    values = [getattr(found, what) for what in (*WHAT, "decisions")]
    return [*values, sorted(rule.name for rule in found.backup)]


@cache
def by_solver(board: Callable[[int], Orders], seed: int, rules: str) -> list[object]:
    """What the solver decides of a board, with which each algorithm is compared."""
    return compared(find_engine(SOLVER), board(seed), ruled(rules))


def random_orders(seed: int) -> Orders:
    """The orders of a random board."""
    return random_board(seed).orders


def ruled(rules: str) -> Profile:
    """The profile with this name, or of this text."""
    return parse_profile(rules, "own.yaml") if "\n" in rules else dipsat.load_profile(rules)


@cache
def differing(rules: str) -> list[object]:
    """The differences of the solver from what the documents state, case by case."""
    return [run_case(case, rules).differences for case in ruled_cases()]


@cache
def ruled_cases() -> Sequence[Case]:
    """The cases for which documents state what rulebooks say."""
    return load_cases(["6.C", "6.E", "6.F", "6.G"], older=True)


@exhaustive
@pytest.mark.parametrize("name", few_of(FORMS, 2))
def test_datc_cases_come_out_as_the_document_states(name: str) -> None:
    for case in load_cases():
        assert run_case(case, engine=name).differences == (), case.name


@exhaustive
@pytest.mark.parametrize(("rules", "name"), few_of(product(RULEBOOKS, FORMS), 3))
def test_rulebooks_come_out_as_the_documents_state(rules: str, name: str) -> None:
    for case, expected in zip(ruled_cases(), differing(rules), strict=True):
        assert run_case(case, rules, engine=name).differences == expected, case.name


DECIDED_UNDER = [
    (rules, name)
    for rules in ("datc", "datc+4.A.2-all-hold", "dptg", "datc+4.A.3-fallback")
    for name in FORMS
    if not (rules.endswith("fallback") and name.startswith("partial_information"))
]


@pytest.mark.parametrize(("rules", "name"), first_of_each(DECIDED_UNDER, lambda _, name: name))
@pytest.mark.parametrize("seeds", parts_of(range(36), 3))
def test_random_boards_have_the_same_decisions_and_rules(
    seeds: range, rules: str, name: str
) -> None:
    for board, seed in product((random_orders, troubled_orders), seeds):
        found = compared(find_engine(name), board(seed), rules)
        assert found == by_solver(board, seed, rules), board(seed)


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("seeds", parts_of(range(60), 4))
def test_order_of_the_conditions_of_a_support_does_not_matter(seeds: range, name: str) -> None:
    rules = parse_profile(CUT_FIRST, "cut-first.yaml")
    assert agrees(find_engine(name), example("**Where dipsat's differs.** DATC takes"), rules)
    for seed in seeds:
        found = compared(find_engine(name), troubled_orders(seed), rules)
        assert found == by_solver(troubled_orders, seed, CUT_FIRST)


# Around the west of the map, so that each fleet asks the next.
COAST = "EDI YOR LON ENG BRE GAS SPA/NC POR MAO IRI LVP CLY NWG BAR STP/NC NWY SKA DEN HEL HOL"


@pytest.mark.parametrize("name", [*FROM_PROFILE, *SIMPLE])
def test_long_chain_of_fleets_is_followed_to_its_end(name: str) -> None:
    moves = [f"F {place} - {target}" for place, target in pairwise(COAST.split())]
    assert agrees(find_engine(name), {"ENGLAND": moves})
    assert all(decided(find_engine(name), {"ENGLAND": moves}).moves)


def test_room_for_deep_recursions_is_given_back() -> None:
    before = sys.getrecursionlimit()
    assert in_one_piece("engine", 70, sys.getrecursionlimit) > before
    assert sys.getrecursionlimit() == before


def test_frames_in_one_piece_change_no_result() -> None:
    def depth(of: int) -> int:
        return 0 if of == 0 else 1 + depth(of - 1)

    assert in_one_piece("engine", 0, lambda: depth(300)) == depth(300)
    with pytest.raises(ZeroDivisionError):
        in_one_piece("engine", 0, lambda: 1 // 0)


# Guards of the published algorithms, on and off.


def test_dislodge_check_for_supports_of_type_e_misleads_the_guess() -> None:
    orders = example("**Supports of type E**")
    assert agrees(RecursiveGuess(), orders)
    assert sum(decided(find_engine(SOLVER), orders).moves) == 1
    with pytest.raises(ContradictionError, match="A NWY - STP fails, but") as caught:
        decided(RecursiveGuess(skip_type_e=False), orders)
    assert (caught.value.decision, caught.value.found) == ("move(A NWY - STP)", 0)
    for power, texts in orders.items():
        for text in texts:
            fewer = {**orders, power: [other for other in texts if other != text]}
            assert agrees(RecursiveGuess(skip_type_e=False), fewer)


def test_orders_on_several_cycles_mislead_the_guess() -> None:
    orders = example("**Orders on several cycles**")
    assert agrees(RecursiveGuess(), orders)
    with pytest.raises(
        ContradictionError, match=r"orders on several cycles: .*F BLA C A RUM - SEV"
    ):
        decided(RecursiveGuess(single_cycles=False), orders)
    assert decided(find_engine(SOLVER), orders).convoys == (False,)


def test_partial_information_without_full_retreat_applies_a_rule_to_nothing() -> None:
    rules = parse_profile(CUT_FIRST, "cut-first.yaml")
    orders = example("**Where dipsat's differs.** DATC takes")
    assert agrees(PartialInformation(), orders, rules)
    with pytest.raises(EngineError, match="cycle without orders"):
        decided(PartialInformation(retreat_fully=False), orders, rules)
    assert agrees(PartialInformation(retreat_fully=False), orders)


def test_partial_information_does_not_see_that_one_of_two_always_holds() -> None:
    """Neither in a recursion nor in passes over a list."""
    rules, orders = "datc+4.A.3-fallback", example("### One resolution")
    for listed in ("no", "orders", "decisions"):
        judge = PartialInformation(multi_pass=listed)
        with pytest.raises(EngineError, match=r"its orders have one resolution: .*F ADR C A VEN"):
            decided(judge, orders, rules)
    assert decided(find_engine(SOLVER), orders, rules).convoys == (True,)
    assert agrees(RecursiveGuess(), orders, rules)
    assert agrees(DecisionGraph(), orders, rules)


# Users' own rules.

HOUSE = """
name: house
extends: datc
cycles:
  - name: the resolution that keeps most convoys
    when: some(cycle.convoy) and cycle.resolutions > 1
    choose: all(convoy(c) for c in cycle.convoy)
  - {name: fallback, when: true, set: {move: false, support: false, convoy: false}}
"""


@pytest.mark.parametrize("name", FROM_PROFILE)
@pytest.mark.parametrize("section", few_of(["6.C", "6.F"], 1))
def test_rules_that_choose_a_resolution_choose_the_same(section: str, name: str) -> None:
    rules = parse_profile(HOUSE, "house.yaml")
    cases = load_cases([section])
    assert all(agrees(find_engine(name), case.orders, rules) for case in cases if _names_all(case))


def _names_all(case: Case) -> bool:
    units = sum(len(texts) for texts in case.orders.values())
    return units == len(case.position.units) and not case.name.startswith("6.F.29")


@pytest.mark.parametrize("name", [SOLVER, *FROM_PROFILE])
def test_cycle_without_a_rule_is_refused_by_every_engine_that_reads_rules(name: str) -> None:
    rules = parse_profile("name: none\nextends: datc\ncycles: []\n", "none.yaml")
    ring = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]}
    with pytest.raises(UnresolvedError, match="2 resolutions") as caught:
        decided(find_engine(name), ring, rules)
    assert "move(F ANK - CON)" in caught.value.cycle


@pytest.mark.parametrize("name", FROM_PROFILE)
def test_numbers_that_depend_on_themselves_are_refused(name: str) -> None:
    text = "decisions:\n  defend_strength(m): 1 + sum(defend_strength(r) for r in m.rivals)\n"
    rules = parse_profile(f"name: endless\nextends: datc\n{text}", "endless.yaml")
    with pytest.raises(EngineError, match="'defend_strength' depend on themselves"):
        decided(find_engine(name), {"ITALY": ["A ROM - VEN"]}, rules)
