"""Large and random expressions of the rule language, and a phase in which they matter."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

from hypothesis import strategies as st

import dipsat
from dipsat.equations import Phase
from dipsat.outcomes import MovementOutcome
from dipsat.rules import Profile, parse_profile

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
    """An expression nested so many times, with a variable of its own at each level."""
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


# Random expressions.

LEAVES = "path(m)", "move(m)", "m.convoyed", "some(m.supports)", "attack_strength(m) > 1"
NUMBERS = (
    "attack_strength(m)",
    "defend_strength(m)",
    "2",
    "path(m)",
    "sum(support(s) for s in m.supports)",
)


def truth(random: Random, depth: int, loops: int = 0) -> str:
    """A random truth value over the move `m`, nested at most so deep."""
    if depth == 0:
        return random.choice(LEAVES)

    def part(more: int = 0) -> str:
        return truth(random, depth - random.randint(1, 2) if depth > 1 else 0, loops + more)

    def amount() -> str:
        return number(random, depth - 1, loops)

    shapes: list[Callable[[], str]] = [
        lambda: f"not ({part()})",
        lambda: f"({part()}) and ({part()})",
        lambda: f"({part()}) or ({part()}) or ({part()})",
        lambda: f"(({part()}) if ({part()}) else ({part()}))",
        lambda: f"(({part()}) == ({part()}))",
        lambda: f"({amount()} != {amount()})",
        lambda: f"({amount()} >= {amount()})",
        lambda: f"({amount()} < {amount()} <= 3)",
    ]
    if loops < 2:
        shapes += [
            lambda: f"all(({part(1)}) for a{depth} in m.target.attackers if ({part(1)}))",
            lambda: f"any(({part(1)}) for a{depth} in m.rivals if move(a{depth}))",
            lambda: (
                f"chain(m.origin, m.target, (({part(1)}) for u{depth} in Unit "
                f"if u{depth}.kind == 'fleet'))"
            ),
        ]
    return random.choice(shapes)()


def number(random: Random, depth: int, loops: int) -> str:
    """A random number over the move `m`, nested at most so deep."""
    if depth <= 0:
        return random.choice(NUMBERS)

    def part(more: int = 0) -> str:
        return number(random, depth - random.randint(1, 2), loops + more)

    def condition(more: int = 0) -> str:
        return truth(random, depth - 1, loops + more)

    shapes: list[Callable[[], str]] = [
        lambda: f"({part()} + {part()})",
        lambda: f"({part()} - {part()})",
        lambda: f"({part()} if ({condition()}) else {part()})",
    ]
    if loops < 2:
        shapes.append(
            lambda: f"sum({part(1)} for a{depth} in m.target.attackers if ({condition(1)}))"
        )
    return random.choice(shapes)()


SEEDS = st.integers(0, 10**9)
