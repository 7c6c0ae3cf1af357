"""Questions about all orders under own rules with declared words and conditions, or under house
rules: every answer agrees with the adjudicator on each order set."""

from __future__ import annotations

from pathlib import Path

import pytest

import dipsat
from dipsat import Achieve, Differ, Paradox
from dipsat.errors import ProfileError, QuestionError, UnresolvedError
from dipsat.rules import Profile, load_profile, parse_profile
from dipsat.searches.difference_goal import differences
from dipsat.searches.encoding import OpenOrders
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of
from tests.oracles.test_search_exhaustively import CASES, Case
from tests.phases import adjudicate


def rules(text: str) -> Profile:
    """The profile of a text that extends `datc`."""
    return parse_profile(f"name: own\nextends: datc\n{text}", "own.yaml")


def board(units: dict[str, list[str]]) -> dipsat.Position:
    """The units on the standard map."""
    return dipsat.Position.from_units(units)


def test_retreat_that_only_a_condition_forbids_is_a_difference() -> None:
    own = rules('legal:\n  no_gas(r): r.target.code != "GAS"\n')
    position = board({"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]})
    found = dipsat.search(position, Differ(own), {"FRANCE": ["A BUR H"]})
    assert found.verdict == "found"
    assert "may retreat to BEL, GAS, MAR, PAR, PIC under datc" in found.facts[0]


@pytest.mark.parametrize("places", ["sum(1 for p in Province if p.supply)", "near(m)"])
def test_equations_look_at_the_same_provinces_whatever_the_orders(places: str) -> None:
    own = rules(
        "define:\n  near(m): sum(1 for p in m.unit.near if p.supply)\n"
        f"decisions:\n  path(m): (not by_convoy(m) or route(m)) and {places} > 0\n"
    )
    # The only supply centre beside Paris is Brest, where there is no unit.
    orders = {"FRANCE": ["A PAR - BUR"]}
    verdict = adjudicate(orders, own).order("A PAR").verdict
    asked = dipsat.search(board({"FRANCE": ["A PAR"]}), Achieve("enters(BUR)"), rules=own)
    assert (verdict, asked.verdict) == ("succeeds", "found")


def test_goal_asks_for_families_with_a_province_and_a_member() -> None:
    own = rules(
        "domains: {K: [a, b]}\nvariables: {k: K}\n"
        'decisions:\n  mark(k, p): k == "b" and entered(p)\n  kram(p, k): mark(k, p)\n'
    )
    for goal in ('any(mark("a", p) for p in provinces)', 'any(kram(p, "a") for p in provinces)'):
        position = board({"FRANCE": ["A PAR"]})
        found = dipsat.search(position, Achieve(f"enters(BUR) and not {goal}"), rules=own)
        assert found.verdict == "found"


@pytest.mark.parametrize("goal", ["some(Province)", "any(some(u.near) for u in units)"])
def test_goal_that_asks_for_places_in_words_of_equations_is_refused(goal: str) -> None:
    with pytest.raises(ProfileError, match=r"a goal cannot use (Province|near)"):
        dipsat.search(board({"FRANCE": ["A PAR"]}), Achieve(goal))


CONVOY = {"ENGLAND": ["F ENG", "A BRE"]}


def test_army_is_convoyed_without_via_where_rules_forbid_via() -> None:
    own = rules("legal:\n  plain(m): not m.via\n")
    orders = {"ENGLAND": ["A BRE - LON", "F ENG C A BRE - LON"]}
    outcome = adjudicate(orders, own)
    assert [one.verdict for one in outcome.orders] == ["succeeds", "available"]
    assert dipsat.search(board(CONVOY), Achieve("goes(BRE, LON)"), rules=own).orders == {
        "ENGLAND": ("A BRE - LON", "F ENG C A BRE - LON")
    }


@exhaustive
@pytest.mark.parametrize(
    "text",
    [
        "decisions:\n  path(m): not m.via and (not by_convoy(m) or route(m))\n",
        "results:\n  retreat(u, p): may_retreat(u, p) and not any(m.via for m in Move)\n",
    ],
)
def test_rules_that_look_at_how_a_convoy_is_ordered_are_refused(text: str) -> None:
    with pytest.raises(QuestionError, match=r"because of equations that use 'via'"):
        dipsat.search(board(CONVOY), Achieve("goes(BRE, LON)"), rules=rules(text))


TOGETHER = """\
cycles_before:
  - name: extra
    when: some(cycle.support)
    set: {support: false}
    together: true
"""
CHANNEL = {
    "ENGLAND": ["F LON", "F WAL"],
    "FRANCE": ["A BRE", "F ENG"],
    "GERMANY": ["F BEL", "F NTH"],
}


@pytest.mark.parametrize("kind", ["extra", "Szykman"])
def test_cycles_that_two_rules_settle_together_are_of_both_kinds(kind: str) -> None:
    found = dipsat.search(board(CHANNEL), Paradox(kind), rules=rules(TOGETHER))
    assert found.verdict == "found"
    assert {"extra", "Szykman"} <= {name for fact in found.facts for name in fact.split(", ")}


@exhaustive
def test_lemmas_of_cycles_that_two_rules_settle_together_are_true() -> None:
    own = rules(TOGETHER)
    goal = "enters(LON) and sum(1 for u in units if dislodge(u)) >= 2"
    assert dipsat.search(board(CHANNEL), Achieve(goal), rules=own).verdict == "impossible"


def test_rules_with_and_without_attributes_cannot_be_compared() -> None:
    rules = load_profile("arpiesse")
    position = dipsat.Position.from_units({"ITALY": ["Silver A VEN"]}, rules=rules)
    with pytest.raises(QuestionError, match="arpiesse and datc cannot be compared"):
        dipsat.search(position, Differ("datc"), rules=rules)


COOKBOOK = ROOT / "docs" / "examples" / "cookbook"
COOKBOOK_RULES = (
    "alliance", "convoy-first", "cut-with-support", "exposed-convoys", "home-support",
    "no-naval-guns", "no-carousel", "own-convoys", "steady-support", "swap-places", "target-cuts",
    "garrison-falls",
)  # fmt: skip


PAIRS = [(name, COOKBOOK_RULES[at % len(COOKBOOK_RULES)]) for at, name in enumerate([*CASES][::2])]
"""Cases, each with one of the rules."""


@exhaustive
@pytest.mark.parametrize(("name", "rules"), few_of(PAIRS, 3), scope="module")
def test_differences_are_those_of_all_order_sets(name: str, rules: str) -> None:
    asked, other = Case(name), dipsat.load_profile(COOKBOOK / f"{rules}.yaml")
    try:
        both = zip(asked.outcomes("datc"), asked.outcomes(other), strict=True)
    except UnresolvedError:
        pytest.skip("no cycle rule settles some of the orders")
    exists = any(differences(one, two) is not None for one, two in both)
    assert asked.ask(Differ(other)).verdict == ("found" if exists else "impossible")


@exhaustive
@pytest.mark.parametrize("first", ["datc", "railways"])
def test_rules_with_different_carriers_are_compared(first: str) -> None:
    """Each profile has its own carriages; mixing them would be a KeyError."""
    both = [dipsat.load_profile("datc"), dipsat.load_profile(COOKBOOK / "railways.yaml")]
    rules, other = both if first == "datc" else reversed(both)
    position = dipsat.Position.from_units({"FRANCE": ["A PAR", "A BUR", "A GAS"]})
    assert dipsat.search(position, Differ(other), rules=rules).verdict == "found"
    orders = {"FRANCE": ["A PAR H", "A BUR H"]}
    assert dipsat.search(position, Differ(other), orders, rules=rules).verdict == "impossible"


@exhaustive
def test_rules_that_change_nothing_on_a_board_need_no_order_set() -> None:
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


@exhaustive
def test_a_difference_that_no_order_can_cause_takes_few_questions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At the start, no army can be convoyed so that fleets matter; hundreds of questions would not
    find that."""
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


@exhaustive
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
