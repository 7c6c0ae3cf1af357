"""The choices of DATC 4.A as files (`rules/choices/4.A.*`), against the documents' results."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations

import pytest

import dipsat
from dipsat.equations import Grounder, Key, all_decisions, evaluate
from dipsat.formats import load_cases
from dipsat.outcomes import MovementOutcome
from dipsat.rules import difference, load_profile
from dipsat.solving import resolve
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of, parts_of
from tests.phases import adjudicate, troubled_orders, without_solvers

FOLDER = ROOT / "rules" / "choices"
CHOICES = sorted(path.name.removesuffix(".yaml") for path in FOLDER.glob("4.A.*.yaml"))
PREFERRED = ["4.A.1-b", "4.A.2-szykman", "4.A.3-2023", "4.A.4-a", "4.A.5-b", "4.A.6-a", "4.A.7-b"]
CASES = {case.name: case for case in load_cases() if case.name[:3] in ("6.C", "6.F", "6.G", "6.H")}
MIXED = random.Random(0).sample(list(CASES), len(CASES))


def issue(choice: str) -> str:
    return choice.partition("-")[0]


def by_issue() -> dict[str, list[str]]:
    return {name: [one for one in CHOICES if issue(one) == name] for name in map(issue, CHOICES)}


def outcome_of(case: str, rules: str) -> dipsat.Outcome:
    one = CASES[case]
    return dipsat.adjudicate(one.position, one.orders, rules)


def differing(outcome: dipsat.Outcome, results: str) -> list[str]:
    """The results that did not come out as stated; `stays` means that a unit is not dislodged."""
    wrong = []
    for result in results.split(", "):
        unit, _, word = result.rpartition(" ")
        order = outcome.order(unit)
        if word not in {order.verdict, "dislodged" if order.fate else "stays"}:
            wrong.append(f"{result}; {order.verdict} {order.fate}")
    return wrong


# What the documents state for a choice in a case of DATC chapter 6 is in `datc/`, and tested in
# test_datc_alternatives.py. Here, every choice is compared with the others of its issue, by orders
# on which they differ.

PATH = {
    "ENGLAND": ["A LON - NTH - BEL", "F NTH C A LON - BEL"],
    "FRANCE": ["F ENG C A LON - BEL"],
    "GERMANY": ["F HOL S F DEN - NTH", "F DEN - NTH"],
}
"""DATC 6.F.13 with the path written, so that the alternative is not wanted (4.A.6)."""

RIVAL = {
    "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG", "F IRI S F WAL - ENG"],
    "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
    "GERMANY": ["F BEL - ENG", "F NTH S F BEL - ENG"],
}
"""The simple paradox, and a rival that Wales keeps out unless its prevent strength is zero."""

NO_PATH = {**PATH, "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"]}
OWN_ORDERS = {"path": PATH, "no path": NO_PATH, "rival": RIVAL}
CHANGED = {
    "4.A.1": ["6.F.9"],
    "4.A.2": ["6.F.14", "6.F.17", "6.F.19", "6.F.20", "6.F.21", "6.F.22", "6.F.24", "rival"],
    "4.A.3": ["6.G.1", "6.G.2", "6.G.3", "6.G.4", "6.G.8", "6.G.20"],
    "4.A.4": ["6.F.30", "6.G.13"],
    "4.A.5": ["6.H.11"],
    "4.A.6": ["path", "no path"],
    "4.A.7": ["6.G.10"],
}


PAIRS_OF_ISSUES = [
    ((one, other),) for found in by_issue().values() for one, other in combinations(found, 2)
]


@cache
def judged(name: str, rules: str) -> object:
    """Everything in a case that a choice could change: verdicts, fates, retreats."""
    own = OWN_ORDERS.get(name)
    outcome = adjudicate(own, rules) if own else outcome_of(name, rules)
    return [(o.unit, o.verdict, o.fate) for o in outcome.orders], outcome.dislodged


@pytest.mark.parametrize("pair", few_of(PAIRS_OF_ISSUES, 9), ids="-".join)
def test_every_two_choices_of_an_issue_differ_and_undo_each_other(pair: tuple[str, str]) -> None:
    one, other = pair
    assert any(
        judged(name, f"datc+{one}") != judged(name, f"datc+{other}") for name in CHANGED[issue(one)]
    )
    assert difference(load_profile(f"{one}+{other}"), load_profile(other)).changes == ()
    assert difference(load_profile(f"{other}+{one}"), load_profile(one)).changes == ()


def test_preferences_of_the_author_change_nothing() -> None:
    assert {issue(choice) for choice in PREFERRED} == set(by_issue())
    for choice in PREFERRED:
        found = difference(load_profile("datc"), load_profile(f"datc+{choice}"))
        assert found.changes == (), choice


def test_every_choice_says_in_one_sentence_what_it_is() -> None:
    for choice in CHOICES:
        profile = load_profile(choice)
        text = (FOLDER / f"{choice}.yaml").read_text(encoding="utf-8")
        assert profile.name == choice
        assert profile.title
        assert "." not in profile.title.replace('"via convoy".', "")
        assert text.startswith(("# DATC ", "# Brannan's rule, which DATC 3.2"))
        assert "\nextends: datc\n" in text


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(300), 80))
def test_the_rule_of_1982_eliminates_all_paradoxes(seeds: range) -> None:
    """DATC 3.0, 4.A.2 b. What is left are rings of moves."""
    for seed in seeds:
        rules = {s.rule for s in adjudicate(troubled_orders(seed), "4.A.2-1982").subgraphs}
        assert rules <= {None, "circular movement"}, seed


# Choices without a line in the table.


def test_land_route_is_the_fallback_of_a_disrupted_convoy() -> None:
    """DATC 3.0, 4.A.3, 6.G.8, 6.G.20."""
    for case in ("6.G.8", "6.G.20"):
        army = "A BEL" if case == "6.G.8" else "A PIC"
        assert outcome_of(case, "datc+4.A.3-fallback").order(army).verdict == "succeeds"
    assert outcome_of("6.G.20", "datc+4.A.3-d").order("A PIC").verdict == "fails"


def test_with_the_land_route_as_fallback_an_army_cuts_support_either_way() -> None:
    """DATC 3.0, 6.G.11 states no result for it, only that the convoy is then available when the
    land route is taken. As a fallback, there is always a way, so the support is cut."""
    outcome = outcome_of("6.G.11", "datc+4.A.3-fallback")
    assert differing(outcome, "A SWE succeeds, F SKA available, F NWY dislodged") == []


@pytest.mark.parametrize(
    ("case", "unit", "choices", "place", "may"),
    [
        ("6.H.11", "A MAR", ["4.A.5-b"], "GAS", True),
        ("6.H.11", "A MAR", ["4.A.5-a", "4.A.3-b", "4.A.3-c"], "GAS", False),
        ("6.H.12", "A LVP", ["4.A.5-b"], "EDI", True),
        ("6.H.12", "A LVP", ["4.A.5-a"], "EDI", False),
    ],
)
def test_retreat_to_where_a_convoyed_attacker_started(
    case: str, unit: str, choices: list[str], place: str, may: bool
) -> None:
    """DATC 3.0, 4.A.5, 6.H.11, 6.H.12; 2.4 6.H.11 for 4.A.3 b and c."""
    for choice in choices:
        dislodged = outcome_of(case, f"datc+{choice}").dislodged
        assert [place in one.retreats for one in dislodged if one.unit == unit] == [may], choice


@pytest.mark.parametrize(
    ("choice", "with_path", "without"),
    [("a", "succeeds", "succeeds"), ("b", "fails", "succeeds"), ("c", "fails", "illegal")],
)
def test_convoy_paths(choice: str, with_path: str, without: str) -> None:
    """DATC 3.0, 4.A.6: ignored; followed, so that the unwanted route of 6.F.13 is not taken; the
    convoy fails if the order does not contain the path."""
    for orders, verdict in ((PATH, with_path), (NO_PATH, without)):
        assert adjudicate(orders, f"datc+4.A.6-{choice}").order("A LON").verdict == verdict


def test_brannans_rule() -> None:
    """Our reading of what DATC 3.2 does not adopt in 6.F.30: army and fleet move against each other
    with equal strength, so neither gets through."""
    outcome = outcome_of("6.F.30", "datc+4.A.4-brannan")
    assert outcome.is_proven
    assert differing(outcome, "A LON fails, F BEL fails, F ENG available, F ENG stays") == []
    for rule in ("a", "b"):
        stays = outcome_of("6.F.30", f"datc+4.A.4-{rule}")
        assert differing(stays, "A LON fails, F BEL succeeds, F ENG dislodged") == []


def test_from_the_sea_there_is_no_simple_paradox() -> None:
    """4.A.4 in both documents: were the army deemed to come from the sea, no rule would be needed
    for the simple paradox. From the sea it cuts the support of an attack on its own province."""
    outcome = outcome_of("6.F.14", "datc+4.A.4-brannan")
    assert outcome.is_proven
    assert differing(outcome, "F LON given, F WAL succeeds, F ENG dislodged") == []
    assert differing(outcome_of("6.G.13", "datc+4.A.4-brannan"), "A VEN cut, A TRI stays") == []
    assert differing(outcome_of("6.G.1", "datc+4.A.4-brannan"), "A NWY succeeds") == []


# Choices together.


def test_choices_of_different_issues_are_laid_together() -> None:
    """Each keeps its stated results."""
    for rules, case, results in (
        ("4.A.1-a+4.A.2-1982+4.A.3-c+4.A.4-b+4.A.5-a+4.A.7-a", "6.F.9", "A LON fails"),
        (
            "4.A.1-a+4.A.2-1982+4.A.3-c+4.A.4-b+4.A.5-a+4.A.7-a",
            "6.F.17",
            "F LON given, F LON dislodged, A BRE succeeds",
        ),
        ("4.A.1-a+4.A.2-1982+4.A.3-c+4.A.4-b+4.A.5-a+4.A.7-a", "6.G.4", "A PIC succeeds"),
        ("4.A.1-a+4.A.2-1982+4.A.3-c+4.A.4-b+4.A.5-a+4.A.7-a", "6.H.12", "A LVP succeeds"),
        ("4.A.2-1982+4.A.4-b+4.A.7-a", "6.F.21", "F CLY given, F NAO stays"),
        ("4.A.2-1982+4.A.4-b+4.A.7-a", "6.G.13", "A VEN cut, A TRI stays"),
        ("4.A.2-1982+4.A.4-b+4.A.7-a", "6.G.15", "A YOR succeeds"),
    ):
        assert differing(outcome_of(case, f"datc+{rules}"), results) == [], case


UNWANTED = {
    "FRANCE": ["A TUN - NAP", "F TYS C A TUN - NAP"],
    "ITALY": ["F NAP S F EAS - ION", "F ION C A TUN - NAP"],
    "TURKEY": ["F AEG S F EAS - ION", "F EAS - ION"],
}
"""DATC 6.F.20, but Italy supports the attack on its own fleet."""


@pytest.mark.parametrize("choice", ["4.A.2-1971", "4.A.2-1982"])
def test_a_support_is_not_spared_for_a_fleet_that_the_dptg_leaves_out(choice: str) -> None:
    """DATC 2.4, 6.F.20: "the Italian convoy order in the Ionian Sea is not part of the convoy,
    because it is a foreign unit (according to the DPTG). That means that the fleet in the Ionian
    Sea is not a 'convoying' fleet. In all rulings the support of Naples on the Ionian Sea is cut
    and the fleet in the Ionian Sea is dislodged"."""
    for rules in (f"dptg+{choice}", f"dptg+4.A.1-a+{choice}"):
        support_to_hold = outcome_of("6.F.20", rules)
        assert differing(support_to_hold, "F NAP cut, F ION dislodged, F EAS succeeds") == []
        assert differing(adjudicate(UNWANTED, rules), "F NAP cut, F ION dislodged") == []


@pytest.mark.parametrize("choice", ["4.A.2-1971", "4.A.2-1982"])
def test_where_any_route_will_do_foreign_fleets_convoy_under_the_dptg_too(choice: str) -> None:
    """DATC 2.4, 6.F.10: "If the 1982 or 2000 rulebook is used, it makes no difference that the
    convoying fleet in the English Channel is German." The DPTG's exception is one to 4.A.1 a."""
    for rules in (f"dptg+4.A.1-b+{choice}", choice, f"4.A.1-a+{choice}"):
        assert adjudicate(UNWANTED, rules).order("F NAP").verdict == "given"
    assert load_profile("dptg+4.A.1-a").decisions == load_profile("dptg").decisions


PAIRS = [pair for pair in combinations(CHOICES, 2) if issue(pair[0]) != issue(pair[1])]


@exhaustive
@pytest.mark.parametrize("pairs", parts_of(random.Random(0).sample(PAIRS, len(PAIRS)), 8, shares=2))
def test_every_two_choices_load_and_do_not_depend_on_their_order(
    pairs: list[tuple[str, str]],
) -> None:
    for first, second in pairs:
        one, other = load_profile(f"{first}+{second}"), load_profile(f"{second}+{first}")
        assert difference(one, other).changes == (), (first, second)


def chosen(seed: int) -> str:
    """Rules with a random choice of every issue."""
    rng = random.Random(seed)
    return "+".join(["datc", *(rng.choice(choices) for choices in by_issue().values())])


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(90), 10, shares=2))
def test_presolve_changes_nothing_under_any_choices(seeds: range) -> None:
    for seed in seeds:
        rules, orders = chosen(seed), troubled_orders(seed)
        assert without_solvers(adjudicate(orders, rules).to_dict()) == without_solvers(
            adjudicate(orders, rules, presolve=False).to_dict()
        ), (rules, orders)


@pytest.mark.parametrize("choice", few_of(CHOICES, 6))
@pytest.mark.parametrize("names", parts_of(MIXED, 2))
def test_values_fulfil_every_equation_unless_a_rule_set_them(names: list[str], choice: str) -> None:
    """What `choose` takes fulfils them too."""
    profile = load_profile(choice)
    for name in names:
        position, orders = CASES[name].position, CASES[name].orders
        outcome = dipsat.adjudicate(position, orders, profile)
        assert isinstance(outcome, MovementOutcome)
        phase = outcome.facts
        solution = resolve(profile, phase)
        set_there = {
            key for r in solution.records if r.applied and not r.applied.chosen
            for key in r.applied.pins
        }  # fmt: skip
        grounder = Grounder(profile, phase)

        def value(key: Key, bounds: object = solution.bounds) -> int:
            return bounds.value(key)  # type: ignore[attr-defined, no-any-return]

        for key in all_decisions(profile.decisions, phase):
            if key not in set_there:
                assert evaluate(grounder.equation(key), value) == value(key), grounder.name(key)


@pytest.mark.parametrize("order", ["A Par - Gas - Bur", "A Par - Gas - - Bur"])
def test_places_in_which_nobody_can_convoy_are_not_a_convoy_path(order: str) -> None:
    """DATC 2.4, 4.E.2: "some orders are just ambiguous", and the unit holds; 4.A.6 a is about "the
    convoy path", which leads over sea."""
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    (found,) = dipsat.adjudicate(position, {"FRANCE": [order]}, "datc").orders
    assert (found.verdict, found.reason.code) == ("illegal", "several_targets")
