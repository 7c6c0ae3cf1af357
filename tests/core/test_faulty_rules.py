"""Rules that load but cannot be played by: adjudication finds that, with a clear error."""

from __future__ import annotations

from itertools import pairwise

import pytest

import dipsat
from dipsat.errors import EndlessRuleError, SharedProvinceError, UnitTwiceError
from dipsat.formats import load_cases
from dipsat.rules import parse_profile
from dipsat.solving.resolution import MAX_ROUNDS
from tests.exhaustive import exhaustive
from tests.phases import adjudicate

# Each unit of a chain of supports may be ready or not, provided the one before it is ready.
CHAIN = """
name: one by one
extends: datc
decisions:
  ready(u): ready(u) and all(ready(s.unit) for s in u.supports)
cycles:
  - {name: next in line, when: some(cycle.ready), set: {ready: true}}
"""
LINE = (  # of neighbours
    "BRE GAS SPA MAR PIE TUS ROM NAP APU VEN TYR MUN BUR PAR PIC BEL HOL KIE BER PRU WAR GAL BUD "
    "RUM BUL CON SMY ARM SEV MOS"
)


def line_of(units: int) -> dict[str, list[str]]:
    """A line of armies, each of which supports the next."""
    places = LINE.split()[:units]
    supports = [f"A {unit} S A {after}" for unit, after in pairwise(places)]
    return {"TURKEY": [*supports, f"A {places[-1]} H"]}


@exhaustive
def test_rules_are_applied_up_to_the_stated_bound_one_after_the_other() -> None:
    outcome = adjudicate(line_of(MAX_ROUNDS), parse_profile(CHAIN, "chain.yaml"))
    (subgraph,) = [subgraph for subgraph in outcome.subgraphs if subgraph.rule]
    assert len(subgraph.applications) == MAX_ROUNDS


@exhaustive
@pytest.mark.parametrize("presolve", [True, False])
def test_a_rule_that_never_ends_the_loop_is_named(presolve: bool) -> None:
    profile = parse_profile(CHAIN, "chain.yaml")
    with pytest.raises(EndlessRuleError, match="25 rounds, the last with the rule 'next in line'"):
        adjudicate(line_of(30), profile, presolve=presolve)


# DATC 5.B.6: "If the condition that the unit is engaged in a head-to-head battle, is left out,
# then this may lead to a situation where two units end in the same area (6.G.16 to 6.G.18)."
BUG = """
name: two in one
extends: datc
define:
  without_effect(m): any(move(o) for o in m.facing)
"""


@pytest.mark.parametrize(
    ("case", "province", "units", "spared"),
    [
        ("6.G.16", "NWY", {"F NTH", "A SWE"}, "F BAL"),
        ("6.G.17", "NWY", {"F NTH", "A SWE"}, "F BAL"),
        ("6.G.18", "LON", {"A YOR", "A BEL"}, "A RUH"),
    ],
)
def test_rules_that_put_two_units_into_one_province_are_refused(
    case: str, province: str, units: set[str], spared: str
) -> None:
    """Raised when the next position is asked for; the error shows only the orders that matter."""
    (found,) = load_cases([case])
    rules = parse_profile(BUG, "bug.yaml")
    outcome = dipsat.adjudicate(found.position, found.orders, rules)
    for ask in (lambda: outcome.next, lambda: outcome.units_after, outcome.to_dict):
        with pytest.raises(SharedProvinceError, match=f"'two in one': .* end in {province}") as it:
            ask()
    error = it.value
    assert (error.province, set(error.units)) == (province, units)
    texts = [text for orders in error.orders.values() for text in orders]
    assert not any(text.startswith(spared) for text in texts)
    again = dipsat.adjudicate(found.position, error.orders, rules)
    with pytest.raises(SharedProvinceError):
        _ = again.next


def test_the_error_does_not_depend_on_the_order_of_orders() -> None:
    """So compiled code, which does not know that order, has the same error."""
    rules = dipsat.parse_profile("extends: datc\ndecisions: {move(m): path(m)}\n", "all.yaml")
    orders = {"ITALY": ["A TYR - VIE", "A VEN - TRI"], "AUSTRIA": ["A BOH - VIE", "F ALB - TRI"]}
    units = {power: [text[:5] for text in texts] for power, texts in orders.items()}
    backwards = {power: texts[::-1] for power, texts in [*orders.items()][::-1]}
    found = set()
    for given in (orders, backwards):
        outcome = dipsat.adjudicate(dipsat.Position.from_units(units), given, rules)
        with pytest.raises(SharedProvinceError) as error:
            _ = outcome.units_after
        found.add(str(error.value))
    assert len(found) == 1


def test_a_unit_that_moves_away_and_is_dislodged_is_an_error() -> None:
    """It would be there twice: where it goes, and as a dislodged unit."""
    text = "name: odd\nextends: datc\ndecisions: {dislodge(u): entered(u.province)}\n"
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"], "GERMANY": ["A BUR", "A RUH"]})
    orders = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A BUR - MUN", "A RUH H"]}
    outcome = dipsat.adjudicate(position, orders, dipsat.parse_profile(text, "odd.yaml"))
    for read in ("units_after", "next"):
        with pytest.raises(UnitTwiceError, match="A BUR moves to MUN and is dislodged") as it:
            getattr(outcome, read)
        assert it.value.units == ("A BUR",)
        assert it.value.orders == {"FRANCE": ("A PAR - BUR",), "GERMANY": ("A BUR - MUN",)}
