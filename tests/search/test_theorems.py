"""docs/theorems.md: claims are proven or refuted as it says, and the theory fits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

import pytest

import dipsat
from dipsat.equations import Grounder, Key, unknowns
from dipsat.outcomes import MovementOutcome
from dipsat.rules import FACTS, parse_profile
from dipsat.searches import Lemma, Structure, structure_of
from dipsat.searches.structure import (
    AXIOMS,
    HOLDS,
    SORTS,
    UNDECIDED,
    _Asker,
    declarations,
    definition_of,
)
from dipsat.solving import Budget, connected_subgraphs, count_resolutions, ground_system, on_cycles
from dipsat.studies import random_board
from dipsat.studies.datc_runs import load_cases
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of
from tests.legal_texts import legal_order_texts
from tests.oracles.second_solver import answer
from tests.pages import assert_command_prints, assert_python_prints, blocks
from tools.theorems import (
    BATTLES,
    COUNTEREXAMPLES,
    EXAMPLES,
    KINDS,
    NO_PARADOX,
    ORDER,
    PARTIAL,
    SINGLE,
    all_orders,
    claims_of,
    counterexample,
    most_cycles,
    order_cycles,
    paradoxes,
    refutation,
    refuted,
)


@cache
def structure(rules: str) -> Structure:
    return structure_of(dipsat.load_profile(rules))


@cache
def phases() -> tuple[MovementOutcome, ...]:
    """DATC cases about circular movement and convoys, and full boards."""
    found = [
        dipsat.adjudicate(case.position, case.orders)
        for case in load_cases(["6.C", "6.F", "6.G"])
        if case.position.phase.kind.name == "MOVEMENT"
    ]
    for seed in range(6):
        board = random_board(seed, 34)
        position = dipsat.Position.from_units(board.units)
        found.append(dipsat.adjudicate(position, board.orders))
    return tuple(outcome for outcome in found if isinstance(outcome, MovementOutcome))


# --- the theory of any board ----------------------------------------------------------------------


def parsed(text: str) -> Any:
    """A sentence of SMT-LIB as nested lists."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r'"[^"]*"|[()]|[^\s()]+', text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0][0]


def value(node: Any, phase: Any, scope: Mapping[str, Any]) -> Any:
    """The value of a sentence in a phase: facts are attributes, sets contain, sorts are domains."""
    if isinstance(node, str):
        return node.strip('"') if node.startswith('"') else scope[node]
    head, *rest = node
    if head in ("forall", "exists"):
        bound, body = rest
        join = all if head == "forall" else any
        ranges = [phase.domain(sort) for _, sort in bound]
        return join(
            value(body, phase, {**scope, **dict(zip((n for n, _ in bound), objects, strict=True))})
            for objects in product(*ranges)
        )
    if head == "=>":
        return not value(rest[0], phase, scope) or value(rest[1], phase, scope)
    if head in ("and", "or"):
        return (all if head == "and" else any)(value(part, phase, scope) for part in rest)
    found = [value(part, phase, scope) for part in rest]
    if head == "not":
        return not found[0]
    if head == "=":
        return found[0] is found[1] or found[0] == found[1]
    attribute = getattr(found[0], head.partition(".")[2])
    return found[1] in attribute if len(found) == 2 else attribute


def test_the_theory_knows_every_fact_of_the_vocabulary() -> None:
    told = {line.split()[1] for line in declarations()}
    facts = {f"{kind}.{name}" for kind, names in FACTS.items() for name in names}
    assert {fact for fact in facts if not fact.startswith(("Retreat.", "Build.", "Phase."))} == told


def test_no_theorem_is_claimed_about_words_that_the_theory_does_not_know() -> None:
    rules = parse_profile(
        "extends: datc\nfeatures: {ice: province}\ndecisions: {path(m): not ice(m.target)}\n", "f"
    )
    lemmas = structure_of(rules).lemmas.values()
    assert {lemma.verdict for lemma in lemmas} == {UNDECIDED}


@exhaustive
@pytest.mark.parametrize("name", AXIOMS)
def test_axioms_hold_in_every_phase(name: str) -> None:
    sentence = parsed(AXIOMS[name])
    assert all(value(sentence, outcome.facts, {}) for outcome in phases())


DEFINED = [
    (kind, name)
    for kind in SORTS
    for name, word in FACTS.get(kind, {}).items()
    if definition_of(word, kind)
]


@pytest.mark.parametrize(("kind", "name"), DEFINED)
def test_definitions_hold_in_every_phase(kind: str, name: str) -> None:
    word = FACTS[kind][name]
    text = definition_of(word, kind)
    for outcome in phases():
        phase = outcome.facts
        if word.type.item is None:
            sentence = parsed(f"(= ({kind}.{name} x) {text})")
            assert all(value(sentence, phase, {"x": x}) for x in phase.domain(kind))
            continue
        sentence = parsed(text)
        for x, y in product(phase.domain(kind), phase.domain(word.type.item.name)):
            assert value(sentence, phase, {"x": x, "y": y}) == (y in getattr(x, name))


# --- what is proven for every board ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "proven"),
    [
        pytest.param("datc", {SINGLE, BATTLES, KINDS}, marks=exhaustive),
        pytest.param("rulebooks/1982", {SINGLE, BATTLES, KINDS, NO_PARADOX}, marks=exhaustive),
        pytest.param("choices/4.A.4-brannan", set(), marks=exhaustive),
        pytest.param(str(EXAMPLES / "mutual-support.yaml"), {SINGLE, BATTLES}, marks=exhaustive),
        pytest.param(str(EXAMPLES / "winners-bounce.yaml"), set(), marks=exhaustive),
    ],
)
def test_claims_are_proven_where_the_page_says_so(rules: str, proven: set[str]) -> None:
    assert {claim for claim, holds in claims_of(structure(rules)).items() if holds} == proven


@exhaustive
def test_the_worked_example_of_the_structure_is_what_the_solver_is_asked() -> None:
    """The example at the top of `dipsat.searches.structure`."""
    near = structure("datc").lemmas["near"]
    (question,) = (q for q in near.asked if q.about == "convoy depends on dislodge")
    (convoy,) = re.findall(r"\(declare-const (\S+) Convoy\)", question.text)
    claim = f"(assert (not (= (Convoy.province {convoy}) (Unit.province (Convoy.unit {convoy})))))"
    assert claim in question.text.splitlines()
    assert (question.answer, len(near.asked), near.verdict) == (False, 24, HOLDS)


def confirmed(lemmas: Iterable[Lemma]) -> set[str]:
    """Another solver's answers to the questions that Z3 has refuted, of the lemmas that hold."""
    holding = [lemma for lemma in lemmas if lemma.verdict == HOLDS]
    assert len(holding) == 5
    return {answer(q.text) for lemma in holding for q in lemma.asked if q.answer is False}


@exhaustive
def test_another_solver_confirms_the_lemmas_about_supports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The lemmas about convoys too; other equations are left out of the questions."""

    class Few(_Asker):
        def __init__(self, profile: dipsat.Profile, effort: int) -> None:
            super().__init__(profile, effort)
            self.mentions = [one for one in self.mentions if one[0] in ("support", "convoy")]

    monkeypatch.setattr("dipsat.searches.structure._Asker", Few)
    rules = parse_profile("name: as always\nextends: datc\n", "always.yaml")
    assert confirmed(structure_of(rules).lemmas.values()) == {"unsat"}


@exhaustive
def test_another_solver_confirms_the_lemmas() -> None:
    lemmas = structure("datc").lemmas.values()
    assert sum(q.answer is False for lemma in lemmas for q in lemma.asked) > 90
    assert confirmed(lemmas) == {"unsat"}


# --- the same, counted on boards ------------------------------------------------------------------


def province(key: Key, grounder: Grounder) -> str:
    one = grounder.object(key)
    if hasattr(one, "code"):
        return str(one.code)
    where = one.target if hasattr(one, "via") else one.province
    return str(where.code)


def arrows_between_provinces(outcome: MovementOutcome) -> set[tuple[str, str]]:
    profile = dipsat.load_profile("datc")
    system = ground_system(profile, outcome.facts)
    found = set()
    for key, (term, _) in system.equations.items():
        for other in unknowns(term):
            ends = province(key, system.grounder), province(other, system.grounder)
            if ends[0] != ends[1]:
                found.add(ends)
    return found


def test_provinces_lie_on_one_cycle_of_one_kind_and_subgraphs_have_one() -> None:
    for outcome in phases():
        arrows = arrows_between_provinces(outcome)
        moving = {move.origin.code for move in outcome.facts.moves}
        circle = on_cycles(arrows)
        for place in circle:
            ways = [other for one, other in arrows if one == place and other in circle]
            assert {other in moving for other in ways} == {place in moving}
            # A moving unit's place depends on its target alone; another unit matters to one place.
            back = [one for one, other in arrows if other == place and one in circle]
            assert len(ways if place in moving else back) == 1
        graph: dict[Key, list[Key]] = {}
        numbers = {place: at for at, place in enumerate(sorted({p for a in arrows for p in a}))}
        for place, at in numbers.items():
            graph["p", at] = [("p", numbers[other]) for one, other in arrows if one == place]
        for group in connected_subgraphs(graph):
            inside = [k for k in group if sorted(numbers)[k[1]] in circle]
            rings = connected_subgraphs(
                {key: [other for other in graph[key] if other in inside] for key in inside}
            )
            assert len(rings) <= 1


@pytest.mark.parametrize("every", [pytest.param(4, id="few"), pytest.param(1, marks=exhaustive)])
def test_subgraphs_have_at_most_two_resolutions(every: int) -> None:
    profile = dipsat.load_profile("datc")
    for outcome in phases()[::every]:
        models = count_resolutions(ground_system(profile, outcome.facts), Budget())
        assert all(len(found.resolutions) <= 2 for found in models)


# --- all orders of a position ---------------------------------------------------------------------


@exhaustive
@pytest.mark.parametrize("rules", ["datc", str(EXAMPLES / "cut-first.yaml")])
def test_no_orders_of_small_positions_refute_the_claims(rules: str) -> None:
    claims = [SINGLE, KINDS, PARTIAL, *([] if rules == "datc" else [ORDER])]
    answers = [verdict.answer for verdict in all_orders(rules, claims, 4, 600)]
    assert len(answers) > 15
    assert set(answers) == {"proven"}


TINY = {
    "three armies": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"], "ITALY": ["A MAR"]},
    "a convoy": {"FRANCE": ["A BRE", "F ENG"], "ENGLAND": ["F LON"]},
}


@exhaustive
@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize(
    "rules",
    few_of(
        ["datc", *(str(EXAMPLES / f"{n}.yaml") for n in ("winners-bounce", "mutual-support"))], 1
    ),
)
def test_orders_refute_exactly_the_claims_that_adjudicating_all_of_them_refutes(
    name: str, rules: str
) -> None:
    profile = dipsat.load_profile(rules)
    position = dipsat.Position.from_units(TINY[name])
    found = {claim for outcome in every_outcome(position, rules) for claim in
             refuted(outcome, profile)}  # fmt: skip
    for claim in (SINGLE, KINDS, PARTIAL, ORDER):
        says = refutation(position, profile, [claim])
        assert says == (f"refuted: {claim}" if claim in found else "proven")


def every_outcome(position: dipsat.Position, rules: str) -> Iterator[MovementOutcome]:
    profile = dipsat.load_profile(rules)
    legal = legal_order_texts(position, profile.settings)
    powers = {str(unit): unit.power for unit in position.units}
    for orders in product(*legal.values()):
        given: dict[str, list[str]] = {}
        for unit, order in zip(legal, orders, strict=True):
            given.setdefault(powers[unit], []).append(order)
        outcome = dipsat.adjudicate(position, given, profile)
        assert isinstance(outcome, MovementOutcome)
        yield outcome


# --- counterexamples ------------------------------------------------------------------------------

REFUTED = {
    "mutual-support": {KINDS},
    "winners-bounce": {SINGLE, KINDS, ORDER},
    "convoys-cut-nothing": {KINDS},
    "by-sea-or-land": {PARTIAL},
    "figure-18": set[str](),
    "dislodged-twice": {ORDER},
}


@pytest.mark.parametrize("name", COUNTEREXAMPLES)
def test_counterexamples_refute_what_the_page_says(name: str) -> None:
    assert set(refuted(*counterexample(name))) == REFUTED[name]


def test_the_dislodge_rule_makes_the_second_cycle_of_figure_18() -> None:
    outcome, datc = counterexample("figure-18")
    short = ["F AEG - ION", "F GRE S F AEG - ION", "F ION C A TUN - GRE"]
    longer = ["A TUN - GRE", *short]
    assert order_cycles(outcome, datc, pruned=False) == [short, longer]
    assert order_cycles(outcome, datc, pruned=True) == [short]
    without = dipsat.load_profile(EXAMPLES / "cut-first.yaml")
    assert order_cycles(outcome, without, pruned=False) == [short]


def test_pandins_paradox_has_two_cycles_until_it_is_propagated() -> None:
    without = dipsat.load_profile(EXAMPLES / "cut-first.yaml")
    (case,) = load_cases(["6.F.16"])
    outcome = dipsat.adjudicate(case.position, case.orders, without)
    assert isinstance(outcome, MovementOutcome)
    assert most_cycles(order_cycles(outcome, without, pruned=False)) == 2
    assert len(order_cycles(outcome, without, pruned=True)) == 1


# --- the page -------------------------------------------------------------------------------------


PAGE = (ROOT / "docs" / "theorems.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", blocks(PAGE, "console"))
def test_commands_of_the_page_print_what_it_shows(
    block: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert_command_prints(block)


@exhaustive
@pytest.mark.parametrize("code", blocks(PAGE, "python"))
def test_python_of_the_page_prints_what_it_says(code: str) -> None:
    assert_python_prints(code)


def test_the_rules_of_1982_have_no_paradox_among_the_cases_and_others_have() -> None:
    found = {verdict.rules: verdict.answer for verdict in paradoxes(["datc", "rulebooks/1982"])}
    assert found == {"datc": "refuted by 6.F.14"}
