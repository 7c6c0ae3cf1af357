"""`search differ` for house rules of the cookbook: against all order sets, and without long work
where the difference is impossible."""

from __future__ import annotations

from pathlib import Path

import pytest

import dipsat
from dipsat.errors import UnresolvedError
from dipsat.searches import Differ
from dipsat.searches.difference_goal import differences
from dipsat.searches.encoding import OpenOrders
from tests.checkout import ROOT
from tests.exhaustive import few_of
from tests.oracles.test_search_exhaustively import CASES, Case

COOKBOOK = ROOT / "docs" / "examples" / "cookbook"
RULES = (
    "alliance", "convoy-first", "cut-with-support", "exposed-convoys", "home-support",
    "no-naval-guns", "no-carousel", "own-convoys", "steady-support", "swap-places", "target-cuts",
    "garrison-falls",
)  # fmt: skip


PAIRS = [(name, RULES[at % len(RULES)]) for at, name in enumerate([*CASES][::2])]
"""Cases, each with one of the rules."""


@pytest.mark.parametrize(("name", "rules"), few_of(PAIRS, 3), scope="module")
def test_differences_are_those_of_all_order_sets(name: str, rules: str) -> None:
    asked, other = Case(name), dipsat.load_profile(COOKBOOK / f"{rules}.yaml")
    try:
        both = zip(asked.outcomes("datc"), asked.outcomes(other), strict=True)
    except UnresolvedError:
        pytest.skip("no cycle rule settles some of the orders")
    exists = any(differences(one, two) is not None for one, two in both)
    assert asked.ask(Differ(other)).verdict == ("found" if exists else "impossible")


@pytest.mark.parametrize("first", ["datc", "railways"])
def test_rules_under_which_other_units_carry_are_compared(first: str) -> None:
    """It ended in a KeyError: each profile has its own carriages."""
    both = [dipsat.load_profile("datc"), dipsat.load_profile(COOKBOOK / "railways.yaml")]
    rules, other = both if first == "datc" else reversed(both)
    position = dipsat.Position.from_units({"FRANCE": ["A PAR", "A BUR", "A GAS"]})
    assert dipsat.search(position, Differ(other), rules=rules).verdict == "found"
    orders = {"FRANCE": ["A PAR H", "A BUR H"]}
    assert dipsat.search(position, Differ(other), orders, rules=rules).verdict == "impossible"


def test_rules_that_change_nothing_on_a_board_take_no_order_set() -> None:
    """An alliance of other powers, on boards with too many order sets to try."""
    asked: list[str] = []
    for units in (
        {"AUSTRIA": ["A BUD", "A SER", "F GRE"], "TURKEY": ["A BUL", "F AEG", "F CON"]},
        {"ITALY": ["A VEN", "A ROM", "F NAP"], "AUSTRIA": ["F TRI", "A TYR", "A VIE"]},
    ):
        position = dipsat.Position.from_units(units)
        rules = dipsat.load_profile(COOKBOOK / "alliance.yaml")
        result = dipsat.search(position, Differ(rules), progress=asked.append)
        assert (result.verdict, result.adjudicated) == ("impossible", 0)
    assert len(asked) == 2  # no question to a solver


def test_a_difference_that_no_order_can_bring_about_takes_few_questions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At the start, no army can be convoyed so that fleets matter; it took hundreds of questions,
    and no answer came."""
    count = 0
    find = OpenOrders.find

    def counted(*arguments: object) -> object:
        nonlocal count
        count += 1
        return find(*arguments)  # type: ignore[arg-type]  # passed on

    monkeypatch.setattr(OpenOrders, "find", counted)
    rules = dipsat.load_profile(COOKBOOK / "exposed-convoys.yaml")
    result = dipsat.search(dipsat.Position.start(), Differ(rules), open="all")
    assert result.verdict == "impossible"
    assert count <= 4


RING = "  - {name: circle, when: ring(cycle.move) and not some(cycle.convoy), set: {move: true}}\n"
REST = "  - {name: rest, when: true, set: {move: false, support: false, convoy: false}}\n"


@pytest.mark.parametrize("longer_is_first", [True, False])
def test_a_cycle_rule_after_all_that_two_profiles_share_makes_a_difference(
    longer_is_first: bool, tmp_path: Path
) -> None:
    """Only one of them settles Pandin's paradox."""
    names = "short", "long"
    for name, cycles in zip(names, (RING, RING + REST), strict=True):
        text = f"name: {name}\ntitle: {name}\nextends: datc\ncycles:\n{cycles}"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    rules, other = (
        tmp_path / f"{name}.yaml" for name in sorted(names, reverse=not longer_is_first)
    )
    position = dipsat.Position.from_units(
        {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}
    )
    assert dipsat.search(position, Differ(other), rules=rules).verdict == "found"
    assert dipsat.search(position, Differ(rules), rules=rules).verdict == "impossible"
