"""An engine that reads equations agrees with the solver or says that it cannot decide."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.board import load_map
from dipsat.cli import main
from dipsat.equations import Key
from dipsat.errors import ContradictionError, EngineError
from dipsat.game import PhaseKind
from dipsat.outcomes import BackupRule, EngineOutcome, MovementOutcome, find_engine
from dipsat.rules import variant_names
from dipsat.studies import run_case
from dipsat.studies.datc_runs import Case, load_cases
from dipsat.studies.engine_names import SOLVER
from dipsat.studies.order_equations import Ask, OrderEquations, evaluate
from dipsat.studies.random_boards import trial_board
from dipsat.studies.recursive_guess import on_several_cycles
from tests.exhaustive import few_of, parts_of
from tests.pages import blocks, page
from tests.phases import adjudicate, phase_of, read_sheet, troubled_orders
from tests.studies.test_algorithms import FROM_PROFILE, RULEBOOKS, decided

ALGORITHMS = page("docs/algorithms.md")


COLONIAL = load_map("colonial")


def colonial(heading: str) -> dict[str, list[str]]:
    """The first order sheet of the page after a text, on the map of Colonial Diplomacy."""
    found: dict[str, list[str]] = {}
    for line in read_sheet(blocks(ALGORITHMS.partition(heading)[2], "text")[0], COLONIAL):
        found.setdefault(line.power, []).append(line.text)
    return found


def outcome(orders: Mapping[str, Sequence[str]], name: str) -> MovementOutcome:
    """An engine's outcome for orders that name every unit, on the map of Colonial Diplomacy."""
    units = {power: [" ".join(text.split()[:2]) for text in own] for power, own in orders.items()}
    position = dipsat.Position.from_units(units, COLONIAL)
    found = dipsat.adjudicate(position, orders, "colonial", engine=name)
    assert isinstance(found, MovementOutcome)
    return found


# Every case of a variant, and random boards under every variant.


def moving_cases() -> list[Case]:
    """The cases about movement of DATC 2.4, chapters 7 to 12."""
    cases = [case for case in load_cases(variants=True) if not case.name.startswith("6")]
    return [case for case in cases if case.position.phase.kind is PhaseKind.MOVEMENT]


@pytest.mark.parametrize("name", few_of(FROM_PROFILE, 1))
@pytest.mark.parametrize("case", moving_cases(), ids=lambda case: case.name)
def test_variant_case_comes_out_as_by_the_solver_or_not_at_all(case: Case, name: str) -> None:
    solved = run_case(case)
    assert isinstance(solved.outcome, MovementOutcome)
    if solved.outcome.facts.declared:
        with pytest.raises(EngineError, match="knows no orders of the kinds"):
            run_case(case, engine=name)
        return
    found = run_case(case, engine=name)
    assert found.differences == solved.differences == ()
    assert isinstance(found.outcome, MovementOutcome)
    assert found.outcome.decisions == solved.outcome.decisions


@pytest.mark.parametrize("rules", variant_names())
@pytest.mark.parametrize("seeds", parts_of(range(40), 2))
def test_random_board_of_a_variant_is_decided_as_by_the_solver_or_not_at_all(
    seeds: range, rules: str
) -> None:
    profile = dipsat.load_profile(rules)
    board = load_map(profile.map or "standard")
    decided = 0
    for seed in seeds:
        sheet = trial_board(profile, board, seed, 14)
        position = sheet.position()
        if position.phase.extra_season:
            continue
        solved = dipsat.adjudicate(position, sheet.orders, profile)
        assert isinstance(solved, MovementOutcome)
        for name in FROM_PROFILE:
            try:
                found = dipsat.adjudicate(position, sheet.orders, profile, engine=name)
            except EngineError:
                continue
            assert isinstance(found, EngineOutcome)
            assert found.decisions == solved.decisions, (seed, name)
            decided += 1
    assert decided >= len(seeds) // 2


# The check of every answer.


def value_in(values: Mapping[Key, int]) -> Ask:
    """Return a function for the values of decisions."""
    return lambda key, _: values[key]


@pytest.mark.parametrize("seed", few_of(range(20), 4))
def test_answer_with_any_order_turned_round_is_refused(seed: int) -> None:
    """For every order whose equation then gives another value."""
    orders = troubled_orders(seed)
    found = decided(find_engine(SOLVER), orders)
    equations = OrderEquations(dipsat.load_profile("datc"), phase_of(orders), "turned round")
    pins = {key: value for rule in found.backup for key, value in rule.pins.items()}
    for order in equations.orders:
        known = {key: found.decisions[key] for key in equations.orders} | pins
        if order in pins:
            continue
        known[order] = 1 - known[order]
        if evaluate(equations.term(order), value_in(equations.values(known))) == known[order]:
            continue  # the others in its ring would have to be turned round, too
        with pytest.raises(ContradictionError, match="use the engine 'solver'"):
            equations.verdicts(known, found.backup)


def test_what_a_rule_sets_is_exempt_and_what_it_chooses_is_not() -> None:
    phase, profile = phase_of({"FRANCE": ["A PAR - BUR"]}), dipsat.load_profile("datc")
    equations = OrderEquations(profile, phase, "mine")
    key = ("move", 0)
    rule = BackupRule("all fail", (key,), {key: 0})
    assert equations.verdicts({key: 0}, (rule,)).moves == (False,)
    chosen = BackupRule("one of the resolutions", (key,), {key: 0}, chosen=True)
    for backup in ((), (chosen,)):
        with pytest.raises(ContradictionError) as caught:
            equations.verdicts({key: 0}, backup)
        error = caught.value
        assert (error.decision, error.found, error.expected) == ("move(A PAR - BUR)", 0, 1)
        assert "it found that A PAR - BUR fails, but under the rules 'datc' it succeeds" in str(
            error
        )


@pytest.mark.parametrize("name", FROM_PROFILE)
def test_chosen_resolution_sets_nothing_that_depends_on_open_decisions(name: str) -> None:
    """The strength of F LON - NTH has a support that is resolved later and is not part of the
    cycle. It was once set to 1, and is 2."""
    orders = {
        "TURKEY": [
            "Red F ENG - LON", "Purple F LON - NTH", "Purple F NTH - ENG",
            "Purple F NWG S Purple F LON - NTH",
        ]
    }  # fmt: skip
    found, solved = adjudicate(orders, "arpiesse", engine=name), adjudicate(orders, "arpiesse")
    assert isinstance(found, MovementOutcome)
    assert isinstance(solved, MovementOutcome)
    assert found.decisions == solved.decisions
    assert found.decisions["attack_strength(Purple F LON - NTH)"] == 2


@pytest.mark.parametrize("rules", few_of(["datc+4.A.3-fallback", *RULEBOOKS], 2))
@pytest.mark.parametrize("seeds", parts_of(range(40), 4))
def test_partial_information_never_applies_a_rule_to_a_cycle_with_one_resolution(
    seeds: range, rules: str
) -> None:
    """DATC 3.0, 5.B.9: the backup rule is for cycles with no or several resolutions."""
    for seed in seeds:
        orders = troubled_orders(seed)
        try:
            found = adjudicate(orders, rules, engine="partial_information")
        except EngineError as error:
            assert "its orders have one resolution" in str(error)  # noqa: PT017
            continue
        solved = adjudicate(orders, rules)
        assert isinstance(found, MovementOutcome)
        assert isinstance(solved, MovementOutcome)
        assert found.decisions == solved.decisions


# Orders on several cycles.


def cycles_of(text: str) -> str:
    """The orders on several cycles, of arrows such as `xy yx`."""
    asked: dict[Key, set[Key]] = {}
    for arrow in text.split():
        asked.setdefault(("move", ord(arrow[0])), set()).add(("move", ord(arrow[1])))
    return "".join(chr(index) for _, index in on_several_cycles(asked))


@pytest.mark.parametrize(
    ("arrows", "expected"),
    [
        # Kruijswijk, The Math of Adjudication: "both x and y are part of a cycle with p and another
        # cycle with q" (of figure 14).
        ("yx xp xq py qy", "xy"),
        ("ab bc ca", ""),
        # "a cycle is dependent on the resolution of another cycle" (figure 15): no order is on two.
        ("xy yz zx xp pq qr rp", ""),
        ("xp px xq qx", "x"),
        ("ab ba aa", "a"),
        ("ab bc cd", ""),
    ],
)
def test_orders_on_several_cycles_are_found(arrows: str, expected: str) -> None:
    assert cycles_of(arrows) == expected


def test_order_asked_by_two_ways_misleads_the_guess_under_colonial() -> None:
    """Kruijswijk, The Math of Adjudication: "When back in the resolve(q) function, no increase in
    the dependency list is observed (while still dependent on a guess)." q is A SUD - EGY here."""
    orders = colonial("**By its own nature**")
    with pytest.raises(ContradictionError, match="A SUD - EGY fails, but") as caught:
        outcome(orders, "recursive_guess")
    assert caught.value.several_cycles == ("A EGY - ERI", "F RED C A EGY - ERI")
    assert outcome(orders, SOLVER).order("A SUD").verdict == "succeeds"
    for name in ("partial_information", "decision_graph"):
        assert outcome(orders, name).decisions == outcome(orders, SOLVER).decisions
    for power, texts in orders.items():
        for text in texts:
            fewer = {**orders, power: [other for other in texts if other != text]}
            found = outcome(fewer, "recursive_guess")
            assert found.decisions == outcome(fewer, SOLVER).decisions


def test_one_of_two_resolutions_is_not_taken_for_the_only_one() -> None:
    """DATC 3.0, 5.B.9: cycles with several resolutions are for the backup rule."""
    orders = colonial("Or it takes one of several resolutions")
    also = "F EGY S F MED - RED, F MED - RED, F RED C A MEC - EGY"
    with pytest.raises(EngineError, match=f"one resolution for the only one, but {also} have"):
        outcome(orders, "recursive_guess")
    solved = outcome(orders, SOLVER)
    assert [one.verdict for one in solved.subgraphs if one.verdict != "unique"] == ["several"]
    for name in ("partial_information", "decision_graph"):
        assert outcome(orders, name).decisions == solved.decisions


def test_order_that_both_helps_and_hinders_misleads_partial_information() -> None:
    orders = colonial("It also fails where an order both")
    with pytest.raises(EngineError, match=r"its orders have one resolution: .*F RED - MED"):
        outcome(orders, "partial_information")
    for name in ("recursive_guess", "decision_graph"):
        assert outcome(orders, name).decisions == outcome(orders, SOLVER).decisions


@pytest.mark.parametrize(("name", "order"), [("7.C.10", "F RED S A SUD - EGY"), ("6.C.1", "")])
def test_guess_names_orders_on_several_cycles(name: str, order: str) -> None:
    (case,) = load_cases([name], variants=True)
    found = run_case(case, engine="recursive_guess").outcome
    assert isinstance(found, EngineOutcome)
    expected = [order] if order else []
    assert found.several_cycles == tuple(expected)
    assert found.to_dict()["several_cycles"] == expected
    shown = CliRunner().invoke(main, ["datc", name, "--engine", "recursive_guess"]).output
    warning = (
        "Warning: the verdicts may be wrong. recursive_guess is not made for orders that are part "
        f"of several decision cycles, as these are: {order}."
    )
    assert (warning in " ".join(shown.split())) == bool(order)
    assert ("Warning" in shown) == bool(order)
    printed = CliRunner().invoke(main, ["datc", name, "--engine", "recursive_guess", "--json"])
    assert json.loads(printed.stdout)[0]["outcome"]["several_cycles"] == expected


@pytest.mark.parametrize("name", ["partial_information", "dpjudge"])
def test_engines_that_do_not_rest_on_single_cycles_name_none(name: str) -> None:
    found = adjudicate({"FRANCE": ["A PAR - BUR"]}, engine=name)
    assert isinstance(found, EngineOutcome)
    assert found.several_cycles is None
    assert "several_cycles" not in found.to_dict()


@pytest.mark.parametrize("seeds", parts_of(range(120), 20))
def test_no_order_is_on_several_cycles_under_the_standard_rules(seeds: range) -> None:
    """Kruijswijk, The Math of Adjudication: "orders can not be part of multiple cycles with the
    standard rules" (theorem I)."""
    for seed in seeds:
        found = adjudicate(troubled_orders(seed), engine="recursive_guess")
        assert isinstance(found, EngineOutcome)
        assert found.several_cycles == ()
