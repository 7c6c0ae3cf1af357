"""The values of random and of large expressions, against a plain interpreter of their trees."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import settings, strategies as st

import dipsat
from dipsat.equations import Grounder, Key, interval
from dipsat.errors import ProblemsError, ProfileError
from dipsat.rules import Expression, Profile, Scope, parse_profile, syntax, thing
from tests.exhaustive import exhaustive, few_examples, few_of
from tests.strangers.random_rules import (
    FILE,
    MANY,
    ORDERS,
    SEEDS,
    UNITS,
    number,
    phase,
    rules,
    truth,
)


class Oracle:
    """The least and greatest values of expressions, read from the tree in the plainest way."""

    def __init__(self, grounder: Grounder, bounds: Callable[[Key], tuple[int, int]]) -> None:
        self.grounder = grounder
        self.bounds = bounds

    def range(self, node: Expression, scope: Scope) -> tuple[int, int]:
        """Least and greatest value, truth values as 0 and 1."""
        match node:
            case syntax.Constant(value=value):
                return int(value), int(value)
            case syntax.DecisionCall():
                return self.bounds(self.grounder.key(node, scope))
            case syntax.Not(part=part):
                low, high = self.range(part, scope)
                return 1 - high, 1 - low
            case syntax.Junction(op=op, parts=parts):
                lows, highs = zip(*(self.range(part, scope) for part in parts), strict=True)
                join = min if op == "and" else max
                return join(lows), join(highs)
            case syntax.Compare() if node.left.type.is_number:
                return self.compared(
                    node.op, self.range(node.left, scope), self.range(node.right, scope)
                )
            case syntax.Compare():
                same = self.thing(node.left, scope) == self.thing(node.right, scope)
                return (int(same is (node.op == "==")),) * 2
            case syntax.Arithmetic(op=op):
                (low, high), (least, most) = (
                    self.range(side, scope) for side in (node.left, node.right)
                )
                return (low + least, high + most) if op == "+" else (low - most, high - least)
            case syntax.Choice():
                return self.chosen(node, scope)
            case syntax.Quantifier():
                return self.folded(node, scope)
            case syntax.Chain():
                return self.chained(node, scope)
            case syntax.Predicate(domains=(domain,)):
                return (int(bool(self.thing(domain, scope))),) * 2
        return (int(self.thing(node, scope)),) * 2

    def thing(self, node: Expression, scope: Scope) -> Any:
        return thing(node, scope, self.grounder.phase)

    @staticmethod
    def compared(op: str, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
        """Try all pairs of values."""
        truths = {
            int(
                {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
            )
            for a in range(left[0], left[1] + 1)
            for b in range(right[0], right[1] + 1)
        }
        return min(truths), max(truths)

    def chosen(self, node: syntax.Choice, scope: Scope) -> tuple[int, int]:
        low, high = self.range(node.condition, scope)
        taken = [self.range(node.then, scope)] if high else []
        taken += [self.range(node.otherwise, scope)] if not low else []
        return min(a for a, _ in taken), max(b for _, b in taken)

    def members(
        self, node: Any, scope: Scope
    ) -> list[tuple[Any, tuple[int, int], tuple[int, int]]]:
        """Each member with the ranges of its condition and its body."""
        found = []
        for member in self.thing(node.domain, scope):
            inner = {**scope, node.variable.name: member}
            condition = (1, 1) if node.condition is None else self.range(node.condition, inner)
            found.append((member, condition, self.range(node.body, inner)))
        return found

    def folded(self, node: syntax.Quantifier, scope: Scope) -> tuple[int, int]:
        members = self.members(node, scope)
        if node.op == "all":
            ranges = [(max(1 - high, a), max(1 - low, b)) for _, (low, high), (a, b) in members]
            return min([1, *(a for a, _ in ranges)]), min([1, *(b for _, b in ranges)])
        if node.op == "any":
            ranges = [(min(low, a), min(high, b)) for _, (low, high), (a, b) in members]
            return max([0, *(a for a, _ in ranges)]), max([0, *(b for _, b in ranges)])
        least = [a if low else min(0, a) for _, (low, high), (a, _) in members if high]
        most = [b if low else max(0, b) for _, (low, high), (_, b) in members if high]
        return sum(least), sum(most)

    def chained(self, node: syntax.Chain, scope: Scope) -> tuple[int, int]:
        """Whether the certain members make a chain, and whether the possible members do."""
        water = self.grounder.phase.map.water
        start, end = (self.thing(place, scope).code for place in (node.start, node.end))
        ends = []
        for side in (0, 1):
            there = {
                member.province.code
                for member, condition, body in self.members(node, scope)
                if condition[side] and body[side]
            }
            reached = {code for code in there if code in water.get(start, ())}
            for _ in there:
                reached |= {c for c in there if any(c in water.get(r, ()) for r in reached)}
            ends.append(int(any(code in water.get(end, ()) for code in reached)))
        return ends[0], ends[1]


def random_bounds(random: Random, profile: Profile) -> dict[Key, tuple[int, int]]:
    """A range for every decision of the ring."""
    found = {}
    for name, decision in profile.decisions.items():
        highest = 1 if decision.type.is_truth else 3
        for index in range(len(phase().objects(decision.indices))):
            ends = sorted(random.randint(0, highest) for _ in range(2))
            found[name, index] = (ends[0], ends[1])
    return found


@exhaustive
@few_examples(
    10,
    settings(max_examples=30, deadline=None),
    seed=SEEDS,
    depth=st.integers(1, 5),
    of_truth=st.booleans(),
)
def test_bounds_are_those_of_a_plain_reading(seed: int, depth: int, of_truth: bool) -> None:
    """Ranges of ground terms, against an interpreter of the tree."""
    random = Random(seed)
    try:
        profile = rules(truth(random, depth) if of_truth else f"0 + {number(random, depth, 0)}")
    except (ProfileError, ProblemsError):
        return
    grounder, decision = Grounder(profile, phase()), profile.decisions["probe"]
    for _ in range(4):
        bounds = random_bounds(random, profile)
        oracle = Oracle(grounder, bounds.__getitem__)
        expected = [
            oracle.range(decision.equation, grounder.scope(("probe", move.index)))
            for move in phase().moves
        ]
        terms = [grounder.equation(("probe", move.index)) for move in phase().moves]
        assert [interval(term, bounds.__getitem__) for term in terms] == expected
        some_known = Grounder(profile, phase(), bounds.__getitem__)
        terms = [some_known.equation(("probe", move.index)) for move in phase().moves]
        assert [interval(term, bounds.__getitem__) for term in terms] == expected


@exhaustive
@pytest.mark.parametrize("presolve", [True, False])
@pytest.mark.parametrize("name", few_of(MANY, 2))
def test_large_expressions_have_their_value(name: str, presolve: bool) -> None:
    check_value(rules(MANY[name]), presolve)


@pytest.mark.parametrize("presolve", [True, False])
def test_an_equation_may_have_many_conditions(presolve: bool) -> None:
    conditions = "".join(f"    c{at}: move(m) or path(m)\n" for at in range(400))
    check_value(
        parse_profile(f"extends: datc\ndecisions:\n  probe(m):\n{conditions}", FILE), presolve
    )


def check_value(profile: Profile, presolve: bool) -> None:
    """Adjudicate the ring; `probe` must have the value that follows from the other decisions."""
    position = dipsat.Position.from_units(UNITS)
    outcome = dipsat.adjudicate(position, ORDERS, profile, presolve=presolve)
    grounder, decision = Grounder(profile, phase()), profile.decisions["probe"]
    found = outcome.decisions

    def value(key: Key) -> tuple[int, int]:
        return (int(found[grounder.name(key)] or 0),) * 2  # an unknown key has the wrong value

    oracle = Oracle(grounder, value)
    for move in phase().moves:
        key = ("probe", move.index)
        assert found[grounder.name(key)] is not None
        assert oracle.range(decision.equation, grounder.scope(key)) == value(key)
    plain = dipsat.adjudicate(position, ORDERS)
    assert [one.verdict for one in outcome.orders] == [one.verdict for one in plain.orders]
    outcome.to_dict()


@exhaustive
@pytest.mark.parametrize("order", ["{wide} + {few}", "{few} - {wide}"])
def test_a_number_may_have_many_values(order: str) -> None:
    text = order.format(wide="(1000 if move(m) else 0)", few="attack_strength(m)")
    check_value(rules(f"{text} > 1"), presolve=False)
