"""Reasons by generated code: the values and the ends of the walk that grounding gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import dipsat
from dipsat.equations.ground import Grounder, all_decisions
from dipsat.language.syntax import DecisionCall, Expression, Junction, parts_of_all
from dipsat.language.types import TRUTH
from dipsat.profiles.names import shipped_names
from dipsat.proof.decisive import DecisiveWalk, Part, Role
from dipsat.proof.movement import MovementOutcome
from dipsat.scenarios.board_of_rules import trial_board
from dipsat.scenarios.sheet import kept_map
from dipsat.solving import decided
from dipsat.solving.bounds import propagator_for
from dipsat.solving.decided import DecidedReader, DecidedValues, free_variables
from dipsat.solving.ends_text import is_walkable
from tests.exhaustive import few_of, spread_parts_of
from tests.phases import adjudicate, troubled_orders
from tests.shipped import shipped_profile


def fresh_values(profile: dipsat.Profile) -> DecidedValues:
    """Readings of a profile that nobody has asked for before."""
    return DecidedValues(propagator_for(profile).families)


def is_operand(part: Part) -> bool:
    return part.role is Role.OPERAND


@pytest.mark.parametrize("name", few_of(shipped_names(), 6))
def test_values_and_ends_are_those_of_grounding(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
            ends = plain.ends(part, is_operand)
            for _ in range(2):  # the second time by generated code
                assert quick.operand_ends(part) == ends


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
