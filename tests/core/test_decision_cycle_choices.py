"""The choices of how a decision cycle is settled (DATC 4.A.2, 5.B.9), each distinct from others
(docs/decision-cycles.md), and the rule language for them (`along`, rules of one name)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

import dipsat
from dipsat.errors import DipsatError, EngineError, QuestionError
from dipsat.formats import parse_phase_text
from dipsat.outcomes import MovementOutcome
from dipsat.rules import (
    Profile,
    difference,
    load_profile,
    parse_profile,
    shipped_names,
    whole_profile,
)
from dipsat.studies import run_case
from dipsat.studies.datc_runs import load_cases
from tests.exhaustive import exhaustive, parts_of
from tests.pages import page
from tests.phases import adjudicate, troubled_orders, without_solvers

PAGE = page("docs/decision-cycles.md")
SIMPLE_PARADOX = {
    "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
    "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
}
LITERAL = "4.A.2-szykman-literal"


def result(outcome: dipsat.Outcome, unit: str) -> str:
    """What became of a unit: its verdict, and its fate if it is dislodged."""
    order = outcome.order(unit)
    return ", ".join(filter(None, [order.verdict, order.fate]))


# --- the page -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Section:
    """Two neighbours, orders as text, and both results of each unit on which they differ."""

    neighbours: tuple[str, str]
    orders: str
    differing: Mapping[str, tuple[str, str]]

    def outcomes(self, orders: str) -> list[dipsat.Outcome]:
        """These orders under both."""
        found = []
        for rules in map(load_profile, self.neighbours):
            phase = parse_phase_text(orders, "docs/decision-cycles.md", rules=rules)
            found.append(dipsat.adjudicate(phase.position, phase.orders, rules))
        return found


def sections() -> Iterator[Section]:
    for first, second, body in re.findall(r"^## `(.+)` and `(.+)`$([^#]*)", PAGE, re.MULTILINE):
        orders = body.partition("```text\n")[2].partition("```")[0]
        rows = re.findall(r"^- ([AF] \w{3}): (.+) → (.+)$", body, re.MULTILINE)
        yield Section((first, second), orders, {unit: (one, two) for unit, one, two in rows})


SECTIONS = tuple(sections())


def sheets_without_an_order(orders: str) -> Iterator[str]:
    """The text without one of its orders (and so without its unit), for each order."""
    lines = orders.splitlines()
    for number, line in enumerate(lines):
        if line.startswith(" "):
            left = [*lines[:number], *lines[number + 1 :], ""]
            kept = [a for a, b in pairwise(left) if a[0] == " " or b[:1] == " "]
            yield "\n".join(kept) + "\n"


@pytest.mark.parametrize("section", SECTIONS, ids=lambda one: " ".join(one.neighbours))
def test_the_neighbours_differ_as_the_page_says_and_no_order_can_be_left_out(
    section: Section,
) -> None:
    first, second = section.outcomes(section.orders)
    units = [order.unit for order in first.orders]
    both = {unit: (result(first, unit), result(second, unit)) for unit in units}
    assert {unit: one for unit, one in both.items() if one[0] != one[1]} == section.differing != {}
    smaller = list(sheets_without_an_order(section.orders))
    assert len(smaller) == section.orders.count("\n  ") > 1
    for orders in smaller:
        first, second = section.outcomes(orders)
        assert first.units_after == second.units_after, orders


def test_every_choice_is_named_on_the_page() -> None:
    names = {name.rpartition("/")[2] for name in shipped_names()}
    choices = {name for name in names if name.startswith(("4.A.2-", "5.B.9-"))}
    assert len(choices) == 10
    assert choices <= set(re.findall(r"`([\w.-]+)`", PAGE))


# --- Szykman's rule by the letter -----------------------------------------------------------------


@pytest.mark.parametrize("presolve", [True, False])
def test_by_the_letter_szykmans_rule_gets_6f14_wrong(presolve: bool) -> None:
    """DATC 2.4, 5.B.9: "all ATTACK STRENGTH decisions in the dependency list are set to zero". That
    stops the attack on the fleet too. DATC 2.4, 6.F.14, about all rules but 'All Hold': "the
    support of London is not cut. That means that the fleet in the English Channel is dislodged"."""
    as_meant = adjudicate(SIMPLE_PARADOX, "4.A.2-szykman", presolve=presolve)
    as_worded = adjudicate(SIMPLE_PARADOX, LITERAL, presolve=presolve)
    assert result(as_meant, "F ENG") == "disrupted, dislodged"
    assert result(as_worded, "F WAL") == "fails"
    assert result(as_worded, "F LON") == "given"
    assert as_worded.order("F ENG").fate == ""
    assert as_worded.decisions["attack_strength(F WAL - ENG)"] == 0
    assert as_worded.decisions["prevent_strength(F WAL - ENG)"] == 0
    reason = as_worded.order("F WAL").reason
    assert (reason.code, "'Szykman by the letter'" in reason.text) == ("cycle_rule", True)


@pytest.mark.parametrize("presolve", [True, False])
def test_by_the_letter_a_move_of_the_cycle_keeps_nobody_out(presolve: bool) -> None:
    """DATC 2.4, 5.B.9: "the corresponding PREVENT STRENGTH is also to zero". Belgium, which Wales
    keeps out in every resolution, then dislodges the fleet in the English Channel."""
    orders = {
        **SIMPLE_PARADOX,
        "ENGLAND": [*SIMPLE_PARADOX["ENGLAND"], "F IRI S F WAL - ENG"],
        "GERMANY": ["F BEL - ENG", "F NTH S F BEL - ENG"],
    }
    found = adjudicate(orders, LITERAL, presolve=presolve)
    assert (result(found, "F BEL"), found.order("F WAL").verdict) == ("succeeds", "fails")
    assert result(adjudicate(orders, "4.A.2-all-hold", presolve=presolve), "F BEL") == "fails"


@pytest.mark.parametrize("seeds", parts_of(range(90), 4))
def test_presolve_changes_nothing_by_the_letter(seeds: range) -> None:
    for seed in seeds:
        orders = troubled_orders(seed)
        assert without_solvers(adjudicate(orders, LITERAL).to_dict()) == without_solvers(
            adjudicate(orders, LITERAL, presolve=False).to_dict()
        ), orders


# --- the rule of 2000 with 'All Hold' behind it ---------------------------------------------------


def test_all_hold_as_fallback_of_the_rule_of_2000() -> None:
    """DATC 2.4, 5.B.9: "If no such decision could be found, then the 2000 rulebook has no
    resolution and a fallback rule must be used such as the Szykman rule or the 'All Hold' rule."
    6.F.22, about 'All Hold': "the movement of the armies in Brest and Norway as the fleets in
    Edinburgh and Picardy will fail"."""
    (case,) = load_cases(["6.F.22"])
    outcome = dipsat.adjudicate(case.position, case.orders, "2000+4.A.2-2000-all-hold")
    assert {result(outcome, u) for u in ("A BRE", "A NWY", "F EDI", "F PIC")} == {"fails"}
    for name in ("6.F.14", "6.F.17"):
        (case,) = load_cases([name])
        both = ("4.A.2-2000", "4.A.2-2000-all-hold")
        one, other = (dipsat.adjudicate(case.position, case.orders, rules) for rules in both)
        assert [result(one, o.unit) for o in one.orders] == [
            result(other, o.unit) for o in other.orders
        ]


# --- circular movement or paradox -----------------------------------------------------------------


def applied(outcome: dipsat.Outcome) -> list[str]:
    return [subgraph.rule for subgraph in outcome.subgraphs if subgraph.rule]


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(120), 40))
def test_under_the_standard_rules_the_plain_test_finds_what_the_ring_test_finds(
    seeds: range,
) -> None:
    """docs/theorems.md, claim 3: a cycle without a convoy is a ring."""
    rules = set[str]()
    for seed in seeds:
        orders = troubled_orders(seed)
        ring, plain = adjudicate(orders), adjudicate(orders, "datc+5.B.9-plain")
        assert ring.decisions == plain.decisions
        rules |= set(applied(plain))
    assert {"circular movement", "Szykman"} <= rules


def test_the_plain_test_lets_both_fleets_through_a_canal_that_one_closes() -> None:
    """DATC 2.4, 7.C.8: "In case of a paradox the Suez Canal move fails. So, both units hold." By
    the plain test of 5.B.9 the cycle is a circular movement, for "there is no such decision" as a
    MOVE "that targets a fleet with a convoy order"."""
    (case,) = load_cases(["7.C.8"])
    ring = dipsat.adjudicate(case.position, case.orders, "colonial+5.B.9-ring")
    plain = dipsat.adjudicate(case.position, case.orders, "colonial+5.B.9-plain")
    assert {order.verdict for order in ring.orders} == {"fails"}
    assert {order.verdict for order in plain.orders} == {"succeeds"}
    assert applied(plain) == ["circular movement"]
    assert run_case(case, "colonial+5.B.9-plain").status == "not stated"


@exhaustive
def test_a_move_against_a_convoying_fleet_is_a_paradox_by_both_tests() -> None:
    """DATC 2.4, 5.B.9: "If the list of decisions contains an undecided MOVE decision of a unit that
    targets a fleet with a convoy order, then there is a convoy disruption paradox."."""
    for case in load_cases(["9.E", "9.F", "9.G"]):
        found = run_case(case, "coastal_convoys+5.B.9-plain")
        assert found.passed
        assert applied(found.outcome) == ["Szykman"]


@exhaustive
def test_the_tests_for_circular_movement_undo_each_other_and_leave_paradoxes_alone() -> None:
    same = [
        ("datc", "datc+5.B.9-ring"), ("datc", "datc+5.B.9-plain+5.B.9-ring"),
        ("datc+5.B.9-plain", "datc+5.B.9-ring+5.B.9-plain"),
        ("4.A.2-all-hold+5.B.9-plain", "5.B.9-plain+4.A.2-all-hold"),
    ]  # fmt: skip
    for one, other in same:
        assert difference(load_profile(one), load_profile(other)).changes == (), (one, other)
    (change,) = difference(load_profile("datc"), load_profile("datc+5.B.9-plain")).changes
    assert (change.section, change.name) == ("cycles", "circular movement")


# --- the rule language ----------------------------------------------------------------------------


def rules(text: str, base: str = "datc") -> Profile:
    return parse_profile(f"extends: {base}\nname: own\n{text}", "own.yaml")


def test_a_rule_before_others_takes_the_place_of_those_of_its_name() -> None:
    own = "cycles_before: [{name: Szykman, when: some(cycle.convoy), set: {move: false}}]"
    names = [rule.name for rule in rules(own).cycles]
    assert names == ["Szykman", "circular movement", "fallback"]
    entry = "{name: a, when: true, set: {move: true}}"
    with pytest.raises(DipsatError, match="there already is a cycle rule called 'a'"):
        rules(f"cycles: [{entry}, {entry}]")


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("set: {move: true}, along: {moved: true}", "no decision is called 'moved'"),
        ("set: {move: true}, along: {move: false}", "'move' is already under `set`"),
        ("set: {move: true}, along: {support: false}",
         "support is about a Support, and no decision under `set` is"),
        ("set: {move: true}, along: {}", "`along` names no decision, leave it out"),
        ("choose: 'true', along: {move: true}", "`along` goes with `set`, not with `choose`"),
        ("set: {move: true}, along: {path: 2}", "path"),
    ],
)  # fmt: skip
def test_a_faulty_along_is_refused(entry: str, problem: str) -> None:
    with pytest.raises(DipsatError, match=re.escape(problem)):
        rules(f"cycles: [{{name: a, when: 'true', {entry}}}]")


def test_along_is_part_of_what_a_profile_says(tmp_path: Path) -> None:
    """A shown profile loads again with `along`; without it, the rules differ."""
    profile = load_profile(LITERAL)
    path = tmp_path / "shown.yaml"
    path.write_text(whole_profile(profile), encoding="utf-8")
    assert "along: {move: false, prevent_strength: 0}" in path.read_text(encoding="utf-8")
    assert difference(profile, load_profile(path)).changes == ()
    less = path.read_text(encoding="utf-8").replace(
        "    along: {move: false, prevent_strength: 0}\n", ""
    )
    path.write_text(less, encoding="utf-8")
    assert len(difference(profile, load_profile(path)).changes) == 1


@pytest.mark.parametrize("name", ["partial_information", "recursive_guess", "decision_graph"])
def test_engines_refuse_a_rule_that_sets_more_than_the_cycle(name: str) -> None:
    """DATC 2.4, 5.C: "when a decision is made, then that decision is final"."""
    with pytest.raises(EngineError, match=r"'Szykman by the letter' sets decisions outside its"):
        adjudicate(SIMPLE_PARADOX, LITERAL, engine=name)
    ring = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]}
    assert adjudicate(ring, LITERAL, engine=name).order("F ANK").verdict == "succeeds"


def test_questions_about_open_orders_refuse_a_rule_that_sets_more_than_the_cycle() -> None:
    outcome = adjudicate(SIMPLE_PARADOX)
    assert isinstance(outcome, MovementOutcome)
    position = outcome.position
    entry = "name: all, when: 'true', set: {move: false, convoy: false}, along: {path: false}"
    own = rules(f"cycles: [{{{entry}}}]")
    with pytest.raises(QuestionError, match=r"the cycle rule 'all', which sets path along"):
        dipsat.search(position, dipsat.Paradox(), rules=own)
    with pytest.raises(QuestionError, match="which sets attack_strength"):
        dipsat.search(position, dipsat.Paradox(), rules=LITERAL)
