"""Reasons by generated code: values as grounding gives them, and what a walk step by step finds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

import dipsat
from dipsat.equations.ground import Grounder, all_decisions
from dipsat.errors import ProblemsError, ProfileError
from dipsat.language.syntax import DecisionCall, Expression, Junction, parts_of_all
from dipsat.language.types import TRUTH
from dipsat.language.vocabulary import FACTS
from dipsat.profiles.load import parse_profile
from dipsat.profiles.names import shipped_names
from dipsat.proof.decisive import DecisiveWalk, Part, Role
from dipsat.proof.movement import MovementOutcome
from dipsat.proof.reasons import Explainer
from dipsat.scenarios.board_of_rules import trial_board
from dipsat.scenarios.sheet import kept_map
from dipsat.solving import decided
from dipsat.solving.bounds import propagator_for
from dipsat.solving.decided import DecidedReader, DecidedValues, free_variables
from dipsat.solving.reasons_text import findings_code
from dipsat.solving.walk_text import is_walkable
from tests.exhaustive import few_of, parts_of, spread_parts_of
from tests.phases import adjudicate, troubled_orders
from tests.random_rules import ORDERS, UNITS, rules, truth
from tests.shipped import shipped_profile


def fresh_values(profile: dipsat.Profile) -> DecidedValues:
    """Readings of a profile that nobody has asked for before."""
    return DecidedValues(propagator_for(profile).families)


def is_operand(part: Part) -> bool:
    return part.role is Role.OPERAND


@pytest.mark.parametrize("name", few_of(shipped_names(), 6))
def test_values_and_reasons_are_those_of_grounding(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every equation and condition is compiled at its first reading."""
    monkeypatch.setattr(decided, "_OFTEN", 0)
    monkeypatch.setattr(decided, "decided_values", fresh_values)
    profile = shipped_profile(name)
    sheet = trial_board(profile, kept_map(profile.map or "standard"), 1, 16)
    outcome = dipsat.adjudicate(sheet.position(), sheet.orders, profile)
    assert isinstance(outcome, MovementOutcome)
    bounds = outcome.solution.bounds
    grounder = Grounder(profile, outcome.facts, bounds.interval)
    value = DecidedReader(grounder, bounds)
    plain, quick = DecisiveWalk(grounder), DecisiveWalk(grounder, value)
    for key in all_decisions(profile.decisions, outcome.facts):
        family, scope = profile.decisions[key[0]], grounder.scope(key)
        for node in (family.equation, *(condition for _, condition in family.conditions)):
            expected = grounder.term(node, scope)
            assert value(node, scope) == expected == value(node, scope)
            part = Part(node, scope, bool(expected) if node.type.is_truth else None)
            assert quick.operand_ends(part) == plain.ends(part, is_operand)
    assert_same_reasons(outcome, monkeypatch)


def assert_same_reasons(
    outcome: MovementOutcome, monkeypatch: pytest.MonkeyPatch, of: str = ""
) -> int:
    """Explain every truth value of a family, or of all, step by step and by generated code; return
    how many reasons name units."""
    families = outcome.profile.decisions.items()
    truths = {name: one for name, one in families if one.type.is_truth and of in (name, "")}
    keys = all_decisions(truths, outcome.facts)
    monkeypatch.setattr(decided, "decided_values", fresh_values)
    found = []
    for often in (10**9, 0):
        monkeypatch.setattr(decided, "_OFTEN", often)
        explainer = Explainer(outcome.resolved, outcome._settled)
        for name in truths:  # asked once before, so that a function is there
            decided_by(explainer, name)
        found.append([explainer.decision(key) for key in keys])
    assert found[0] == found[1]
    return sum(bool(reason.because) for reason in found[1])


def decided_by(explainer: Explainer, family: str) -> None:
    """Ask for the function that finds the reasons of a family."""
    assert isinstance(explainer.finder.reader, DecidedReader)
    explainer.finder.reader._values.findings(explainer.profile.decisions[family])


@pytest.mark.parametrize("seeds", parts_of(range(120), 15))
def test_reasons_under_random_rules_are_those_found_step_by_step(
    seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = 0
    for seed in seeds:
        try:
            profile = rules(truth(Random(seed), seed % 6))
        except (ProfileError, ProblemsError):  # longer than a rule may be
            continue
        named += assert_same_reasons(ring(profile), monkeypatch, "probe")
    assert named >= len(seeds) // 3


ODD = [
    # Who is responsible: the outermost member with a unit, and not a power, or a province that
    # is empty. (The units of several provinces are to blame together.)
    "all(any(move(a) for a in p.attackers) for p in Province)",
    "not any(any(move(a) for a in p.attackers) for p in Province)",
    "all(all(all(not move(d) and support(s) for s in m.supports) for d in p.departures) "
    "for p in Province)",
    "not any(any(any(move(a) for a in p.attackers) for h in m.target.homes) for p in Province)",
    "all(move(m) for h in m.target.homes)",
    "not any(any(move(a) for a in Move if a.power == h) for h in m.target.homes)",
    "all(all(dislodge(u) for u in p.units if move(m)) for p in Province)",
    "all(some(p.units) for p in Province)",
    "any(u.power != m.power for u in m.target.units)",
    # What it rests on, with and without members on the way.
    "path(m) and not move(m) and path(m)",
    "all(path(m) and not move(m) for h in m.target.homes)",
    "all(entered(p) or path(m) for p in Province)",
    # Which units add to a number: sums within sums, numbers that add up each other.
    "attack_strength(m) > 1 + sum(sum(support(s) for s in u.supports) for u in Unit)",
    "attack_strength(m) > attack_strength(m) + 1",
    "attack_strength(m) < (prevent_strength(m) + defend_strength(m) if move(m) else 2)",
    "all(attack_strength(m) >= sum(sum(1 for u in p.units if move(a)) for p in Province) "
    "for a in m.target.attackers)",
    "move(m) == path(m)",
    "sum(1 for h in m.target.homes if move(m)) > attack_strength(m)",
    "not attack_strength(m) > sum(sum(support(s) for s in a.supports) for a in Move if move(a))",
]


def test_reasons_of_odd_conditions_are_those_found_step_by_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = [text for one in ODD for text in (one, f"not ({one})")]
    probes = "".join(f"  probe{at}(m): |\n    {text}\n" for at, text in enumerate(both))
    profile = parse_profile(f"extends: datc\ndecisions:\n{probes}", "rules.yaml")
    assert assert_same_reasons(ring(profile), monkeypatch) > len(both)


def test_a_number_that_is_added_many_times_is_followed_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each level adds the next one twice; the last has a helper."""
    levels = "".join(f"  n{at}(m): n{at + 1}(m) + n{at + 1}(m)\n" for at in range(10))
    levels += "  n10(m): sum(support(s) for s in m.supports)\n"
    profile = parse_profile(
        f"extends: datc\ndecisions:\n{levels}  probe(m): n0(m) > n0(m)\n", "rules.yaml"
    )
    outcome = ring(profile)
    assert assert_same_reasons(outcome, monkeypatch, "probe")
    helpers: list[int] = []
    honest = Explainer._comparison

    def noted(self: Explainer, *compared: Any) -> Any:
        helpers.append(len(compared[-1]))
        return honest(self, *compared)

    monkeypatch.setattr(Explainer, "_comparison", noted)
    for at, _ in enumerate(outcome.facts.moves):
        outcome.explainer.decision(("probe", at))
    assert sorted(helpers)[-1] in (1, 2)


def test_a_reason_by_generated_code_looks_at_no_value_step_by_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps: list[Expression] = []
    honest = DecisiveWalk.holds

    def noted(self: DecisiveWalk, node: Expression, scope: Any) -> bool:
        steps.append(node)
        return honest(self, node, scope)

    monkeypatch.setattr(DecisiveWalk, "holds", noted)
    monkeypatch.setattr(decided, "_OFTEN", 0)
    board = dipsat.random_board(5)
    position = dipsat.Position.from_units(board.units)
    assert dipsat.adjudicate(position, board.orders).to_dict()["orders"]
    steps.clear()
    reasons = [order.reason for order in dipsat.adjudicate(position, board.orders).orders]
    assert sum(bool(reason.because) for reason in reasons) > 5
    assert len(steps) <= 10  # a few conditions rest on other decisions


WORDS = {
    *("def", "findings", "phase", "low", "objects", "about", "who", "call", "compared", "return"),
    *("map", "water", "unit", "index", "None", "True", "False", "if", "not", "else", "for", "in"),
    *("is", "and", "or", "continue", "break", "append", "extend", "found", "seen", "set", "add"),
    *("parts", "attribute", "domain", "has_feature", "has_power_feature", "len", "chain_exists"),
    *("dict", "fromkeys", "update", "is_ring", "code"),
}
"""What the source of a function that finds reasons may consist of, besides facts."""


@pytest.mark.parametrize("name", few_of(shipped_names(), 6))
def test_nothing_of_a_rule_file_gets_into_the_source(name: str, compiled: list[str]) -> None:
    profile = shipped_profile(name)
    for decision in profile.decisions.values():
        findings_code(decision, profile.decisions)
    facts = {fact for about in FACTS.values() for fact in about}
    words = {word for text in compiled for word in re.findall(r"[^\W\d]\w*", text)}
    made = {word for word in words if re.fullmatch("(v|t|k|low|high|helpers)[0-9]+", word)}
    assert compiled
    assert words - made - facts <= WORDS


def ring(profile: dipsat.Profile) -> MovementOutcome:
    """The outcome of a ring of moves, one of them supported against a fourth."""
    outcome = dipsat.adjudicate(dipsat.Position.from_units(UNITS, rules=profile), ORDERS, profile)
    assert isinstance(outcome, MovementOutcome)
    return outcome


@pytest.mark.parametrize("rules", spread_parts_of(shipped_names(), 6))
def test_hardly_a_shipped_walk_is_too_long_to_be_generated(rules: Sequence[str]) -> None:
    equations = [
        decision.equation for name in rules for decision in shipped_profile(name).decisions.values()
    ]
    assert sum(not is_walkable(equation) for equation in equations) <= 3


def test_long_walks_are_not_generated() -> None:
    """Python allows a hundred levels of indentation, and each level repeats what is below it."""
    leaf = DecisionCall("move", (), TRUTH)
    deep: Expression = leaf
    for _ in range(40):
        deep = Junction("and", (deep, leaf), TRUTH, True)
    wide = Junction("or", (leaf,) * 400, TRUTH, True)
    usual = Junction("or", (leaf,) * 40, TRUTH, True)
    assert [is_walkable(node) for node in (leaf, usual, wide, deep)] == [True, True, False, False]


def test_reasons_are_the_same_before_and_after_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [troubled_orders(seed) for seed in range(20)]
    monkeypatch.setattr(decided, "_OFTEN", 10**9)
    before = [adjudicate(orders).to_dict() for orders in boards]
    monkeypatch.setattr(decided, "_OFTEN", 0)
    assert before == [adjudicate(orders).to_dict() for orders in boards]


def test_a_part_is_compiled_once_and_only_when_it_is_read_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled: list[Expression] = []
    honest = DecidedValues._reading

    def noted(self: DecidedValues, node: Expression) -> Any:
        compiled.append(node)
        return honest(self, node)

    monkeypatch.setattr(DecidedValues, "_reading", noted)
    monkeypatch.setattr(decided, "decided_values", fresh_values)
    outcome = adjudicate(troubled_orders(3))
    assert isinstance(outcome, MovementOutcome)
    bounds = outcome.solution.bounds
    grounder = Grounder(outcome.profile, outcome.facts, bounds.interval)
    value = DecidedReader(grounder, bounds)
    for times in range(3 * decided._OFTEN):
        for unit in outcome.facts.units[:1]:
            value(outcome.profile.decisions["dislodge"].equation, {"u": unit})
        assert len(compiled) == (times >= decided._OFTEN)


@pytest.mark.parametrize("rules", spread_parts_of(shipped_names(), 6))
def test_free_variables_are_those_that_an_expression_needs_from_outside(
    rules: Sequence[str],
) -> None:
    for name in rules:
        for decision in shipped_profile(name).decisions.values():
            names = {one.name for one in free_variables(decision.equation)}
            assert names <= {index.name for index in decision.indices}
            for part in parts_of_all([decision.equation]):
                assert free_variables(part) is not None
