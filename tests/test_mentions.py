"""The decisions that equations mention, by generated code: as grounding them finds."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import dipsat
from dipsat.equations.ground import Grounder, all_decisions
from dipsat.equations.phase import Phase
from dipsat.errors import ProblemsError, ProfileError
from dipsat.profiles.names import shipped_names
from dipsat.profiles.profile import Profile
from dipsat.proof.movement import MovementOutcome
from dipsat.scenarios.board_of_rules import trial_board
from dipsat.scenarios.random_board import random_board
from dipsat.scenarios.sheet import kept_map
from dipsat.solving.mentions import mentions
from dipsat.terms.term import unknowns
from tests.exhaustive import few_of, parts_of
from tests.phases import phase_of, troubled_orders
from tests.random_rules import LOOPS, MANY, TRUTHS, nested, phase, rules, truth
from tests.shipped import shipped_profile


def grounded(profile: Profile, phase: Phase) -> list[set[int]]:
    """The same from the terms of all equations."""
    keys = sorted(all_decisions(profile.decisions, phase))
    number = {key: at for at, key in enumerate(keys)}
    grounder = Grounder(profile, phase)
    return [{number[one] for one in unknowns(grounder.equation(key))} for key in keys]


def check(profile: Profile, phase: Phase) -> None:
    assert [set(one) for one in mentions(profile, phase)] == grounded(profile, phase)


@pytest.mark.parametrize("seeds", parts_of(range(100), 4))
def test_standard_boards_mention_what_their_ground_terms_do(seeds: range) -> None:
    profile = dipsat.load_profile("datc")
    for seed in seeds:
        board = random_board(seed)
        outcome = dipsat.adjudicate(dipsat.Position.from_units(board.units), board.orders)
        assert isinstance(outcome, MovementOutcome)
        check(profile, outcome.facts)
        check(profile, phase_of(troubled_orders(seed)))


@pytest.mark.parametrize("name", few_of(shipped_names(), 6))
def test_shipped_rules_mention_what_their_ground_terms_do(name: str) -> None:
    profile = shipped_profile(name)
    for seed in range(3):
        sheet = trial_board(profile, kept_map(profile.map or "standard"), seed, 16)
        outcome = dipsat.adjudicate(sheet.position(), sheet.orders, profile)
        assert isinstance(outcome, MovementOutcome)
        check(profile, outcome.facts)


@pytest.mark.parametrize("seeds", parts_of(range(200), 15))
def test_random_rules_mention_what_their_ground_terms_do(seeds: range) -> None:
    count = 0
    for seed in seeds:
        try:
            profile = rules(truth(Random(seed), seed % 6))
        except (ProfileError, ProblemsError):  # longer than a rule may be
            continue
        check(profile, phase())
        count += 1
    assert count > len(seeds) // 2


@pytest.mark.parametrize(
    "expression",
    [
        # Equal branches, and branches that differ though they mention the same.
        "(path(m) if move(m) else path(m))",
        "((attack_strength(m) + 1 if move(m) else 1 + attack_strength(m)) > 1)",
        "((attack_strength(m) if move(m) else attack_strength(m) + 1) > 1)",
        "(1 if move(m) else 1) > 0",
        "(1 if move(m) else path(m)) > 0",
        "(path(m) or not path(m)) if move(m) else (not path(m) or path(m))",
        "all((path(a) if move(m) else path(a)) for a in m.target.attackers)",
        # What is added to a junction or a set, and then does not matter.
        "(move(m) and (path(m) or some(m.target.attackers)) and some(m.supports) and move(m))",
        "any(move(a) for a in m.target.attackers if path(a) and a.power == m.power)",
        "all(a.convoyed for a in m.target.attackers if move(a))",
        "all(a.convoyed or move(m) for a in m.target.attackers if move(a) or a.convoyed)",
        "sum((0 if a.convoyed else 1) for a in m.target.attackers if move(a)) > 0",
        "sum((1 if a.convoyed else 0) for a in m.target.attackers if move(a)) > 0",
        # Chains.
        "chain(m.origin, m.target, (move(m) for u in Unit if u.kind == 'fleet'))",
        "chain(m.origin, m.target, (u.kind == 'fleet' or move(m) for u in Unit if path(m)))",
        "chain(m.origin, m.target, (u.kind == 'fleet' for u in Unit))",
    ],
)
def test_only_what_is_left_of_a_term_is_mentioned(expression: str) -> None:
    check(rules(expression), phase())


@pytest.mark.parametrize("name", few_of(MANY, 3))
def test_large_equations_mention_what_their_ground_terms_do(name: str) -> None:
    check(rules(MANY[name]), phase())


@pytest.mark.parametrize("shape", TRUTHS)
def test_each_level_of_an_expression_adds_as_much_code(shape: str, compiled: list[str]) -> None:
    step = 1 if shape in LOOPS else 2
    lengths = []
    for depth in (2 * step, 3 * step, 4 * step, 5 * step):
        profile = rules(nested(TRUTHS[shape], depth))
        compiled.clear()
        mentions(profile, phase())
        lengths.append(sum(len(line.strip()) for line in compiled[0].split("\n")))
    growth = [more - less for less, more in pairwise(lengths)]
    assert max(growth) <= 1.4 * min(growth) + 20, lengths
