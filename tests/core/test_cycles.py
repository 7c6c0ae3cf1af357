"""Decision cycles, order cores and cycle rules (DATC 3.0 4.A.2, 5.B.9, 5.D)."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest

from dipsat.equations import Equations, Key, Phase, Term, Unknown, all_of, any_of, negation
from dipsat.equations.term import Sum
from dipsat.errors import SharedProvinceError, UnresolvedError
from dipsat.outcomes import Outcome, Subgraph, evidence
from dipsat.outcomes.evidence import verdict_without_rules
from dipsat.rules import Profile, load_profile, parse_profile
from dipsat.solving import PHASE, Budget, Solution, incremental_solver, models, resolution, resolve
from dipsat.solving.models import Models, find_models
from dipsat.studies import run_case
from dipsat.studies.datc_runs import load_cases
from tests.phases import adjudicate, phase_of

RING = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]}
SIMPLE_PARADOX = {
    "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
    "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
}


def troubled(outcome: Outcome) -> list[Subgraph]:
    return [subgraph for subgraph in outcome.subgraphs if subgraph.verdict != "unique"]


def only_trouble(case: str) -> Subgraph:
    (subgraph,) = troubled(run_case(load_cases([case])[0]).outcome)
    return subgraph


def rules_for_cycles(*rules: str) -> Profile:
    """`datc` with other rules for cycles."""
    text = "".join(f"  - {{{rule}}}\n" for rule in rules)
    return parse_profile(f"extends: datc\nname: other\ncycles:\n{text}", "other.yaml")


@pytest.mark.parametrize(
    ("case", "verdict", "resolutions"),
    [("6.F.14", "several", 2), ("6.F.16", "none", 0), ("6.F.17", "none", 0),
     ("6.F.18", "none", 0), ("6.F.22", "several", 2), ("6.F.23", "several", 2),
     ("6.F.24", "none", 0), ("6.C.1", "several", 2), ("6.G.1", "several", 2)],
)  # fmt: skip
def test_number_of_resolutions_is_that_of_the_document(
    case: str, verdict: str, resolutions: int
) -> None:
    """DATC says how many 6.F.22-24 have; 4.A.2 and 5.D describe the simple paradoxes."""
    subgraph = only_trouble(case)
    assert (subgraph.verdict, subgraph.resolutions) == (verdict, resolutions)


def test_a_cycle_with_one_resolution_needs_no_rule() -> None:
    """DATC 3.0 5.C: the supported ring has a single resolution once Smyrna must move on."""
    turkish = ["F ANK - CON", "A SMY - ANK", "A BUL S F ANK - CON"]
    outcome = adjudicate({"RUSSIA": ["A CON - SMY"], "TURKEY": turkish})
    assert outcome.is_proven
    assert {outcome.order(unit).verdict for unit in ("A CON", "F ANK", "A SMY")} == {"succeeds"}


def test_pandins_paradox_cycle_leaves_out_the_attack_that_can_never_win() -> None:
    """DATC 3.0 5.D: Wales cannot win against Belgium, so its move is not part of the cycle."""
    moves = {name for name in only_trouble("6.F.16").cycle if name.startswith("move(")}
    assert moves == {"move(F BEL - ENG)"}


@pytest.mark.parametrize(
    ("case", "core"),
    [("6.F.14", {"F LON", "F WAL", "A BRE", "F ENG"}),
     ("6.F.15", {"F LON", "F WAL", "A BRE", "F ENG"}),
     ("6.F.16", {"F LON", "F WAL", "A BRE", "F ENG", "F NTH", "F BEL"}),
     ("6.F.18", {"F NTH", "A LON", "F BEL", "F HEL", "F SKA"}),
     ("6.C.2", {"F ANK", "A CON", "A SMY"}),
     ("6.F.26", {"F LON", "F WAL", "A BRE", "F ENG"})],
)  # fmt: skip
def test_order_core_is_the_smallest_set_with_the_same_trouble(case: str, core: set[str]) -> None:
    """6.F.15 says that rules apply to the core only; supports that change nothing are not in it."""
    assert set(only_trouble(case).core) == core


def test_two_independent_paradoxes_are_two_subgraphs() -> None:
    outcome = run_case(load_cases(["6.F.27"])[0]).outcome
    assert [(s.verdict, s.rule) for s in troubled(outcome)] == [
        ("several", "Szykman"),
        ("none", "Szykman"),
    ]


# Under the standard rules a subgraph holds at most one cycle (each order acts on one province).
# These equations are made up: rivals go together or not at all, and a support depends on the moves
# against it, so one order ties two cycles.
TIED = """
name: tied
variables: {m: Move, s: Support, c: Convoy, u: Unit, p: Province}
decisions:
  move(m): >
    any(move(r) for r in m.rivals)
    and (not some(m.supports) or any(support(s) for s in m.supports))
  support(s): SUPPORT
  convoy(c): "true"
  dislodge(u): "false"
results:
  contested(p): "false"
  retreat(u, p): "false"
cycles:
  - {name: all go, when: some(cycle.move), set: {move: WAY}}
"""
TWO_PAIRS = {
    "GERMANY": ["A BER - MUN", "A BOH - MUN", "A MUN S A PAR - BUR"],
    "FRANCE": ["A PAR - BUR", "A MAR - BUR"],
}


def test_two_cycles_of_one_subgraph_are_resolved_one_after_the_other() -> None:
    """The support mentions both pairs but decides neither: four resolutions, two rules applied."""
    text = TIED.replace("and (not some(m.supports) or any(support(s) for s in m.supports))", "")
    link = "any(move(a) for a in s.province.attackers) or any(move(x) for x in s.supported.moves)"
    profile = parse_profile(text.replace("SUPPORT", link).replace("WAY", "true"), "tied.yaml")
    (subgraph,) = troubled(adjudicate(TWO_PAIRS, profile))
    assert subgraph.resolutions == 4
    assert {cycle for _, cycle in subgraph.applications} == {
        ("move(A MAR - BUR)", "move(A PAR - BUR)"),
        ("move(A BER - MUN)", "move(A BOH - MUN)"),
    }


@pytest.mark.parametrize("presolve", [True, False])
@pytest.mark.parametrize(("way", "applications"), [("true", 2), ("false", 1)])
def test_a_cycle_that_depends_on_another_is_settled_only_if_it_remains(
    way: str, applications: int, presolve: bool
) -> None:
    """The second pair needs the support, which needs the first pair to move: of the three
    resolutions, two are left if it moves and one if it stays."""
    link = "any(move(a) for a in s.province.attackers)"
    text = TIED.replace("SUPPORT", link).replace("WAY", way)
    outcome = adjudicate(TWO_PAIRS, parse_profile(text, "tied.yaml"), presolve=presolve)
    (subgraph,) = troubled(outcome)
    assert (subgraph.resolutions, len(subgraph.applications)) == (3, applications)
    assert subgraph.cycle == ("move(A BER - MUN)", "move(A BOH - MUN)")
    moves = {order.verdict for order in outcome.orders if order.verdict != "cut"}
    assert moves == ({"succeeds", "given"} if way == "true" else {"fails"})


def test_decisions_that_depend_on_a_ring_are_resolved_after_it() -> None:
    """DATC 3.0, 5.B.9. A Turkish support counts against Smyrna only if the Turkish army leaves."""
    helped = ["F AEG S A CON - SMY", "F EAS S A CON - SMY", "A SYR S A ARM - SMY"]
    orders = {"TURKEY": [*RING["TURKEY"], *helped], "RUSSIA": ["A ARM - SMY"]}
    outcome = adjudicate(orders)
    (subgraph,) = troubled(outcome)
    assert subgraph.rule == "circular movement"
    hanging = "attack_strength(A ARM - SMY)"
    assert hanging in {*subgraph.decisions} - {*subgraph.cycle}
    assert outcome.decisions[hanging] == 2
    assert outcome.order("A SMY").verdict == "succeeds"
    assert outcome.order("A ARM").verdict == "fails"


def test_rules_are_tried_in_order_and_the_first_that_applies_is_taken() -> None:
    rules = rules_for_cycles(
        "name: only convoys, when: some(cycle.convoy), set: {convoy: false}",
        "name: rings stand still, when: ring(cycle.move), set: {move: false}",
        'name: never reached, when: "true", set: {move: true}',
    )
    outcome = adjudicate(RING, rules)
    assert {order.verdict for order in outcome.orders} == {"fails"}
    assert [subgraph.rule for subgraph in troubled(outcome)] == ["rings stand still"]


def test_a_profile_without_a_rule_for_a_cycle_says_so() -> None:
    with pytest.raises(UnresolvedError, match="no rule for a decision cycle with 2") as caught:
        adjudicate(RING, parse_profile("extends: datc\nname: bare\ncycles: []\n", "bare.yaml"))
    assert "move(F ANK - CON)" in caught.value.cycle


def test_the_error_names_the_rules_that_settle_nothing() -> None:
    rules = rules_for_cycles(
        "name: elsewhere, when: some(cycle.convoy), set: {move: true}",
        'name: no convoys, when: "true", set: {convoy: false}',
        'name: nowhere, when: "true", where: {move(m): m.convoyed}, set: {move: true}',
        'name: undecided, when: "true", choose: "true"',
        'name: impossible, when: "true", choose: some(cycle.convoy)',
    )
    with pytest.raises(UnresolvedError, match="'no convoys', 'nowhere', 'undecided'") as caught:
        adjudicate(RING, rules)
    assert caught.value.idle == ("no convoys", "nowhere", "undecided", "impossible")
    assert caught.value.resolutions == 2


@pytest.mark.parametrize("presolve", [True, False])
def test_where_sets_only_the_decisions_for_whose_object_it_holds(presolve: bool) -> None:
    """Of the ring only one move is set; the others follow from their equations."""
    rules = rules_for_cycles(
        'name: one stays, when: "true", where: {move(m): m.unit.kind == "fleet"}, '
        "set: {move: false}"
    )
    outcome = adjudicate(RING, rules, presolve=presolve)
    (subgraph,) = troubled(outcome)
    assert [rule for rule, _ in subgraph.applications] == ["one stays"]
    assert outcome.order("F ANK").reason.code == "cycle_rule"
    assert outcome.order("A SMY").reason.code == "own_unit_stays"
    assert {order.verdict for order in outcome.orders} == {"fails"}


@pytest.mark.parametrize("presolve", [True, False])
@pytest.mark.parametrize(("way", "verdict"), [("", "succeeds"), ("not ", "fails")])
def test_choose_takes_the_resolution_for_which_it_holds(
    way: str, verdict: str, presolve: bool
) -> None:
    rules = rules_for_cycles(
        f'name: a, when: cycle.resolutions == 2, choose: "{way}any(move(m) for m in cycle.move)"'
    )
    outcome = adjudicate(RING, rules, presolve=presolve)
    assert {order.verdict for order in outcome.orders} == {verdict}
    reason = outcome.order("F ANK").reason
    assert reason.text == "the rule 'a' chooses one of the 2 resolutions of a decision cycle"
    assert set(reason.because) == {"A CON", "A SMY"}


def test_a_rule_that_cannot_choose_leaves_the_cycle_to_the_next() -> None:
    """Pandin's paradox has no resolution, the simple one two; neither without the convoy both."""
    paradox = {**SIMPLE_PARADOX, "GERMANY": ["F NTH S F BEL - ENG", "F BEL - ENG"]}
    rules = rules_for_cycles(
        'name: kept, when: "true", choose: all(convoy(c) for c in cycle.convoy)',
        'name: lost, when: "true", set: {convoy: false}',
    )
    assert [s.rule for s in troubled(adjudicate(SIMPLE_PARADOX, rules))] == ["kept"]
    assert [s.rule for s in troubled(adjudicate(paradox, rules))] == ["lost"]


def test_the_reason_names_the_rule_that_settled_the_cause_or_a_strength() -> None:
    rules = rules_for_cycles('name: no way, when: "true", set: {path: false}')
    reason = adjudicate(SIMPLE_PARADOX, rules).order("A BRE").reason
    assert reason.code == "convoy_disrupted"
    assert reason.text == "the rule 'no way' settles a decision cycle that has 2 resolutions"
    assert set(reason.because) == {"F WAL", "F ENG", "F LON"}
    rules = rules_for_cycles('name: faint, when: "true", set: {attack_strength: 0}')
    reason = adjudicate(SIMPLE_PARADOX, rules).order("F WAL").reason
    assert reason.text == "held off by F ENG (0 by the rule 'faint' against 1)"


def pigeonhole(holes: int) -> dict[Key, tuple[Term, bool]]:
    """One decision that is false if holes+1 pigeons fit: hard for any resolution prover."""
    sits = {
        (pigeon, hole): Unknown(("sits", pigeon * holes + hole), True)
        for pigeon, hole in product(range(holes + 1), range(holes))
    }
    housed = [any_of(sits[pigeon, hole] for hole in range(holes)) for pigeon in range(holes + 1)]
    alone = [
        negation(all_of([sits[one, hole], sits[other, hole]]))
        for one, other in combinations(range(holes + 1), 2)
        for hole in range(holes)
    ]
    equations: dict[Key, tuple[Term, bool]] = {one.key: (one, True) for one in sits.values()}
    odd = Unknown(("odd", 0), True)
    equations[odd.key] = (any_of([all_of(housed + alone), negation(odd)]), True)
    return equations


def test_verdict_is_unknown_only_on_a_time_limit() -> None:
    assert find_models(pigeonhole(2), str, lambda _: (0, 1)).verdict == "none"
    budget = Budget(None, time.monotonic() + 0.001)
    hard = find_models(pigeonhole(12), str, lambda _: (0, 1), budget=budget)
    assert (hard.verdict, hard.complete, hard.timed_out) == ("unknown", False, True)


@pytest.mark.parametrize("orders", [RING, SIMPLE_PARADOX], ids=["ring", "paradox"])
def test_a_subgraph_with_a_single_cycle_is_asked_about_once(
    orders: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, honest = [], models.find_resolutions

    def counted(equations: Equations, *rest: Any) -> Models:
        asked.append(equations)
        return honest(equations, *rest)

    monkeypatch.setattr(resolution, "find_resolutions", counted)
    assert adjudicate(orders).is_decided
    assert len(asked) == 1


def test_questions_do_not_see_earlier_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Free booleans have all resolutions, although equations of the same names have none."""
    monkeypatch.setattr(incremental_solver, "_MOST_QUESTIONS", 3)
    free = {key: (Unknown(key, True), True) for key in pigeonhole(1)}
    for _ in range(5):
        assert find_models(pigeonhole(1), str, lambda _: (0, 1)).verdict == "none"
        assert len(find_models(free, str, lambda _: (0, 1)).resolutions) == 2 ** len(free)


def test_number_decisions_are_enumerated_like_truth_values() -> None:
    """Within 0 to 3, x = 3 - y and y = 3 - x have four resolutions."""
    x, y = Unknown(("n", 0), False), Unknown(("n", 1), False)
    equations: dict[Key, tuple[Term, bool]] = {
        x.key: (Sum(3, (), (y,)), False),
        y.key: (Sum(3, (), (x,)), False),
    }
    models = find_models(equations, lambda key: f"n({key[1]})", lambda _: (0, 3))
    found = sorted(tuple(resolution.values()) for resolution in models.resolutions)
    assert found == [(0, 3), (1, 2), (2, 1), (3, 0)]


def test_finding_order_cores_costs_no_more_than_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under rules with long equations a single question takes half a second. The core is then the
    smallest set found so far, which has the same trouble."""
    asked = []

    def counted(profile: Profile, phase: Phase, budget: Budget) -> str:
        asked.append(phase)
        return verdict_without_rules(profile, phase, budget)

    monkeypatch.setattr(evidence, "verdict_without_rules", counted)
    smallest = set(only_trouble("6.F.16").core)
    in_full, asked[:] = len(asked), []
    monkeypatch.setattr(evidence, "CORE_STEPS", 1)
    assert set(only_trouble("6.F.16").core) >= smallest
    assert len(asked) == 1 < in_full
    budget = Budget(10**6)
    assert verdict_without_rules(load_profile("datc"), asked[0], budget) != "unknown"
    assert budget.left is not None
    assert 10 < 10**6 - budget.left < 5000


def test_grounding_for_order_cores_is_charged() -> None:
    """Long quantifiers take time even where nearly all of their parts fold away."""
    rules = parse_profile(
        "extends: datc\ndecisions:\n  convoy(c):\n    fleet_dislodged: not dislodge(c.unit)\n"
        "    far: all(all(all(u == v or v == w or u == w or not dislodge(c.unit)\n"
        "        for u in Unit) for v in Unit) for w in Unit)\n",
        "rules.yaml",
    )
    spent = []
    for profile in (load_profile("datc"), rules):
        budget = Budget(10**6)
        assert verdict_without_rules(profile, phase_of(SIMPLE_PARADOX), budget) == "several"
        spent.append(10**6 - (budget.left or 0))
    assert spent[1] > 2 * spent[0]


def test_searches_for_fewer_orders_keep_to_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two units in one province, under rules that take long: each attempt with fewer orders is
    charged what the phase took."""
    rules = parse_profile("extends: datc\ndecisions:\n  move(m): path(m)\n", "rules.yaml")
    orders = {"FRANCE": ["A PAR - BUR", "F BRE - MAO"], "GERMANY": ["A MUN - BUR", "F KIE - HOL"]}
    with pytest.raises(SharedProvinceError) as few:
        _ = adjudicate(orders, rules).next
    monkeypatch.setattr(Solution, "steps", 10**9)
    with pytest.raises(SharedProvinceError) as all_of_them:
        _ = adjudicate(orders, rules).next
    assert "F BRE" not in str(few.value)
    assert "F BRE" in str(all_of_them.value)


def test_grounding_is_charged_to_searches() -> None:
    decided = resolve(load_profile("datc"), phase_of({"FRANCE": ["A PAR - BUR"]}))
    cyclic = resolve(load_profile("datc"), phase_of(SIMPLE_PARADOX))
    assert decided.grounded == 0 < cyclic.grounded < 1000
    assert decided.steps == cyclic.steps == PHASE
    assert replace(cyclic, grounded=10**6).steps == 2 * 10**6
