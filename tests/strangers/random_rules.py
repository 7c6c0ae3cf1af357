"""Large and random expressions of the rule language, and a phase in which they matter."""

from __future__ import annotations

from functools import cache
from random import Random

from hypothesis import strategies as st

import dipsat
from dipsat.equations import Phase
from dipsat.outcomes import MovementOutcome
from dipsat.rules import Profile, parse_profile
from tests.strangers.fuzzing.equations import Writer

FILE = "rules.yaml"
UNITS = {"TURKEY": ["F ANK", "A CON", "A SMY"], "RUSSIA": ["F BLA", "A ARM"]}
ORDERS = {
    "TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"],
    "RUSSIA": ["F BLA S A SMY - ANK", "A ARM - ANK"],
}
"""A ring of three moves, one of them supported against a fourth."""

# What is nested. `{}` is the part that is nested again; the last line says what is innermost.
TRUTHS = {
    "if": "(path(m) if {} else not path(m))",
    "equal": "({} == path(m))",
    "unequal": "(path(m) != {})",
    "equal numbers": "(attack_strength(m) == (1 if {} else 2))",
    "choice between strengths": "((attack_strength(m) if {} else prevent_strength(m)) > 1)",
    "not and or": "not (path(m) and ({} or move(m)))",
    "filter of a sum": "(sum(2 for s in m.supports if {}) > 1)",
    "filter of all": "all(path(m) for s in m.supports if {})",
    "body of any": "any({} for s in m.supports if support(s))",
    "chain": "chain(m.origin, m.target, ({} for u in m.origin.units if path(m)))",
    "sum": "(attack_strength(m) - (1 if {} else 0) > 0)",
}
INNERMOST = "move(m)"
LOOPS = "filter of a sum", "filter of all", "body of any", "chain"  # at most five may be nested


def nested(of: str, depth: int) -> str:
    """An expression nested this many times, with a variable of its own at each level."""
    text = INNERMOST
    for level in range(depth):
        mine = of.replace(" s in", f" s{level} in").replace("(s)", f"(s{level})")
        text = mine.replace(" u in", f" u{level} in").format(text)
    return text


def rules(expression: str, before: str = "") -> Profile:
    """The standard rules with one more decision, `probe`."""
    return parse_profile(
        f"extends: datc\n{before}decisions:\n  probe(m): |\n    {expression}\n", FILE
    )


@cache
def phase() -> Phase:
    """The facts of the ring."""
    outcome = dipsat.adjudicate(dipsat.Position.from_units(UNITS), ORDERS)
    assert isinstance(outcome, MovementOutcome)
    return outcome.facts


MANY = {
    "12 choices": nested("({} if move(m) else path(m))", 12),
    "12 conditions": nested(TRUTHS["if"], 12),
    "38 conditions": nested("(path(m) if {} else move(m))", 38),
    "9 equalities": nested(TRUTHS["equal"], 9),
    "38 equalities": nested("({} == move(m))", 38),
    "two equal parts": " or ".join([nested("({} == move(m))", 30)] * 2),
    "350 alternatives": " or ".join(["move(m)"] * 350),
    "36 differences": "(" + nested("(attack_strength(m) - {})", 35) + ") > 0",
    "35 strengths": " + ".join(["attack_strength(m)"] * 35) + " > 40",
}


def truth(random: Random, depth: int, loops: int = 0) -> str:
    """A random truth value over the move `m`, nested at most this deep."""
    return Writer(random).truth({"m": "Move"}, depth)


def number(random: Random, depth: int, loops: int = 0) -> str:
    """A random number over the move `m`, nested at most this deep."""
    return Writer(random).number({"m": "Move"}, depth)


SEEDS = st.integers(0, 10**9)
