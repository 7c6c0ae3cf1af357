"""Questions about all orders under rules with declared words and conditions: every answer agrees
with the adjudicator on each order set."""

from __future__ import annotations

import pytest

import dipsat
from dipsat import Achieve, Differ, Paradox
from dipsat.errors import ProfileError, QuestionError
from dipsat.rules import Profile, load_profile, parse_profile
from tests.exhaustive import exhaustive
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
def test_equations_look_at_the_same_provinces_whatever_is_ordered(places: str) -> None:
    own = rules(
        "define:\n  near(m): sum(1 for p in m.unit.near if p.supply)\n"
        f"decisions:\n  path(m): (not by_convoy(m) or route(m)) and {places} > 0\n"
    )
    # Paris has no supply centre beside it but Brest, where nobody is.
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


def test_army_is_convoyed_without_saying_so_where_rules_forbid_to_say_so() -> None:
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
def test_cycles_that_two_rules_settle_together_teach_no_more_than_is_so() -> None:
    own = rules(TOGETHER)
    goal = "enters(LON) and sum(1 for u in units if dislodge(u)) >= 2"
    assert dipsat.search(board(CHANNEL), Achieve(goal), rules=own).verdict == "impossible"


def test_rules_with_and_without_attributes_cannot_be_compared() -> None:
    rules = load_profile("arpiesse")
    position = dipsat.Position.from_units({"ITALY": ["Silver A VEN"]}, rules=rules)
    with pytest.raises(QuestionError, match="arpiesse and datc cannot be compared"):
        dipsat.search(position, Differ("datc"), rules=rules)
