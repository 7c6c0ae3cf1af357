"""Algorithms that take exponential time under some rules are stopped after a number of steps."""

from __future__ import annotations

import pytest

import dipsat
from dipsat.engines import ENGINES
from dipsat.errors import EngineError, EngineWorkError
from dipsat.rules import parse_profile
from dipsat.studies import order_equations
from tests.exhaustive import exhaustive, few_of
from tests.studies.test_engine_mazes import NAMES

START = dipsat.Position.start("standard")
ORDERS = {
    "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"],
    "GERMANY": ["A MUN - BUR", "A BER S A MUN - BUR", "F KIE - DEN"],
    "ITALY": ["A VEN - PIE", "F NAP - ION", "A ROM S A VEN - PIE"],
}
LINKS = {
    "sum": "{0}(p) + {0}(p) - {0}(p)",
    "choice": "{0}(p) if {0}(p) > 0 else 1 - {0}(p)",
    "comparison": "{0}(p) if {0}(p) == {0}(p) else 0",
    "once": "{0}(p) + 1",
}
"""Equations of numbers that are not orders, each naming the next; all but the last, twice."""

READING = [name for name in NAMES if name not in (*ENGINES[-2:], "solver")]
"""The algorithms that read equations."""

MEMORISING = ["partial_information(multi_pass=decisions)"]
"""Those that do not compute a number again each time that it is named."""


def chain(link: str, length: int) -> dipsat.Profile:
    """Rules in which a support depends on a chain of this many numbers, and the last of these
    depends on moves."""
    families = [f"  n{at}(p): {LINKS[link].format(f'n{at + 1}')}\n" for at in range(length - 1)]
    text = (
        f"name: chain\nextends: datc\ndecisions:\n{''.join(families)}"
        f"  n{length - 1}(p): sum(1 for a in p.attackers if move(a))\n"
        "  support(s): n0(s.unit.province) == 0\n"
    )
    return parse_profile(text, "chain.yaml")


def judged(link: str, length: int, engine: str) -> list[str]:
    outcome = dipsat.adjudicate(START, ORDERS, chain(link, length), engine=engine)
    return [order.verdict for order in outcome.orders]


@pytest.mark.parametrize("engine", READING)
@pytest.mark.parametrize("link", few_of(LINKS, 2))
def test_short_chains_are_decided_as_by_the_solver(link: str, engine: str) -> None:
    assert judged(link, 3, engine) == judged(link, 3, "solver")


@exhaustive
@pytest.mark.parametrize("engine", [name for name in READING if name not in MEMORISING])
@pytest.mark.parametrize("link", few_of([one for one in LINKS if one != "once"], 1))
def test_chains_that_double_are_stopped(
    link: str, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order_equations, "MAX_STEPS", 50_000)
    with pytest.raises(EngineWorkError, match="takes more than 50,000 steps") as caught:
        judged(link, 40, engine)
    assert caught.value.engine.partition("(")[0] == engine.partition("(")[0]
    assert caught.value.most == 50_000
    assert caught.value.decision.startswith("n")


def test_passes_over_a_long_list_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_equations, "MAX_STEPS", 50_000)
    with pytest.raises(EngineWorkError):
        judged("once", 40, *MEMORISING)


@exhaustive
@pytest.mark.parametrize("engine", [name for name in READING if name not in MEMORISING])
def test_a_chain_that_is_too_long_for_a_recursion_is_one_error(engine: str) -> None:
    with pytest.raises(EngineError, match="too many decisions depend on each other in a row"):
        judged("once", 400, engine)
