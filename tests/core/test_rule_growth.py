"""What is made from a rule's expression grows no faster than its length, and means the same.

Growth is counted (lines, characters, calls), never timed: a shape of expression is nested two, four
and six times as deep, and each step must add about as much as the one before.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

import dipsat
from dipsat.equations import Grounder, Key, SmtWriter, interval, size_of
from dipsat.errors import NumberRangeError, ProfileError
from dipsat.rules import parts_of_all
from dipsat.solving import System, ground_system
from dipsat.studies.order_equations import Scenario, evaluate
from tests.exhaustive import exhaustive
from tests.strangers.random_rules import LOOPS, MANY, ORDERS, TRUTHS, UNITS, nested, phase, rules

# Ground terms, and the text for Z3.


def system_of(expression: str) -> System:
    """The equations of the ring."""
    return ground_system(rules(expression), phase())


def written(system: System) -> str:
    """The equations as a text for Z3."""
    return SmtWriter(system.name, system.bounds).text(system.equations)


@pytest.mark.parametrize("shape", [name for name in TRUTHS if name not in LOOPS])
def test_each_level_of_an_expression_adds_the_same_to_terms_and_texts(shape: str) -> None:
    systems = [system_of(nested(TRUTHS[shape], depth)) for depth in (3, 6, 9, 12)]
    sizes = [size_of(system.equations["probe", 0][0]) for system in systems]
    growth = [more - less for less, more in pairwise(sizes)]
    assert max(growth) <= min(growth) + 2, sizes
    # A text grows faster at first, until the first part of it gets a name.
    assert len(written(systems[3])) <= 60_000


@exhaustive
def test_a_text_has_no_macros() -> None:
    """Z3 writes every macro, expanded, into every model of its context."""
    few = " + ".join(["attack_strength(m)"] * 5) + " > 3"
    for expression in (few, MANY["36 differences"], MANY["35 strengths"]):
        text = written(system_of(expression))
        assert "shared" in text
        assert "define-fun" not in text


WIDE = " + ".join(f"({1000 - at} if move(m) else 0)" for at in range(35)) + " > 500"


@pytest.mark.parametrize("presolve", [True, False])
def test_numbers_with_too_many_values_are_one_error(presolve: bool) -> None:
    with pytest.raises(NumberRangeError, match=r"probe\(.*too many values.*at most 200,000"):
        dipsat.adjudicate(dipsat.Position.from_units(UNITS), ORDERS, rules(WIDE), presolve=presolve)
    with pytest.raises(NumberRangeError, match="too many values"):
        dipsat.prove(dipsat.Position.from_units(UNITS), ORDERS, rules(WIDE))
    position, open_unit = dipsat.Position.from_units(UNITS), ["F BLA"]
    with pytest.raises(NumberRangeError, match="too many values"):
        dipsat.search(position, dipsat.Paradox(), ORDERS, open=open_unit, rules=rules(WIDE))


# Loading.


def test_the_middle_of_a_comparison_counts_for_both_sides() -> None:
    """`a < b < c` is two comparisons with `b`."""
    fine = rules(nested("(0 < (1 if {} else 2) < 3)", 6)).decisions["probe"].equation
    assert sum(1 for _ in parts_of_all([fine])) < 5000
    with pytest.raises(ProfileError, match=r"rules\.yaml:4:\d+: .*more than 5000 parts"):
        rules(nested("(0 < (1 if {} else 2) < 3)", 12))


# Readers of rules.


@exhaustive
@pytest.mark.parametrize("shape", ["if", "equal", "equal numbers", "choice between strengths"])
def test_engines_ask_about_each_decision_a_few_times(shape: str) -> None:
    asked: list[Key] = []

    def ask(key: Key, scenario: Scenario) -> int:
        asked.append(key)
        return int(scenario is not False)

    for depth in (5, 11):
        profile = rules(nested(TRUTHS[shape], depth))
        term = Grounder(profile, phase()).equation(("probe", 0))
        bounds = interval(term, lambda key: (0, 1))
        asked.clear()
        assert evaluate(term, ask, False) == bounds[0]
        assert evaluate(term, ask, True) == bounds[1]
        assert len(asked) <= 30 * (depth + 1)
