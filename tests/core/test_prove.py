"""`dipsat.prove`: what is proven about each subgraph."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import dipsat
from dipsat.equations import Key, Term, Unknown, all_of, any_of, negation
from dipsat.errors import FileError, NoEquationsError, NumberRangeError, UnresolvedError
from dipsat.rules import parse_profile
from dipsat.solving import MAX_RESOLUTIONS, Budget, System, count_resolutions, models
from dipsat.studies import random_board
from dipsat.studies.datc_runs import load_cases
from tests.core.test_cycles import RING, SIMPLE_PARADOX, TIED, TWO_PAIRS, pigeonhole
from tests.exhaustive import exhaustive, few_of, parts_of
from tests.oracles.datc_equations import consistent_guesses
from tests.oracles.test_resolutions import FAMILIES, small_phases
from tests.phases import crowded_orders, position_of, troubled_orders

PLAIN = {"ENGLAND": ["A LON - WAL"], "FRANCE": ["A PAR H"]}


def proof_of(orders: dict[str, list[str]], rules: str | dipsat.Profile = "datc") -> dipsat.Proof:
    return dipsat.prove(position_of(orders), orders, rules)


def troubled(proof: dipsat.Proof) -> list[dipsat.SubgraphProof]:
    return [subgraph for subgraph in proof.subgraphs if subgraph.verdict != "unique"]


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
    (loaded,) = load_cases([case])
    proof = dipsat.prove(loaded.position, loaded.orders)
    (subgraph,) = troubled(proof)
    assert (subgraph.verdict, subgraph.resolutions, subgraph.is_complete) == (
        verdict, resolutions, True,
    )  # fmt: skip
    assert proof.verdict == "not unique"


@pytest.mark.parametrize("case", ["6.C.3", "6.E.4", "6.F.6", "6.G.7"])
def test_cases_without_a_cycle_are_unique(case: str) -> None:
    (loaded,) = load_cases([case])
    proof = dipsat.prove(loaded.position, loaded.orders)
    assert proof.verdict == "unique"
    assert {subgraph.resolutions for subgraph in proof.subgraphs} == {1}
    assert {subgraph.cycle + subgraph.core for subgraph in proof.subgraphs} == {()}


@exhaustive
@pytest.mark.parametrize("block", few_of(range(4), 1))
def test_resolutions_are_those_of_brute_force(block: int) -> None:
    """Against DATC 3.0 chapter 5.B written down a second time, over all assignments."""
    kinds = set()
    for orders, phase in small_phases(5000 + block * 40, 5040 + block * 40):
        proof = proof_of(orders)
        guesses = list(consistent_guesses(phase))
        assert prod(subgraph.resolutions for subgraph in proof.subgraphs) == len(guesses), orders
        assert (proof.verdict == "unique") == (len(guesses) == 1)
        kinds |= {subgraph.verdict for subgraph in proof.subgraphs}
        if len(guesses) == 1:
            values: dict[str, int] = {}
            for subgraph in proof.subgraphs:
                values.update(subgraph.values[0])
            expected = {f"{FAMILIES[type(o)]}({o})": v for o, v in guesses[0].items()}
            assert {name: values[name] for name in expected} == expected
    assert {"unique", "several"} <= kinds


def some_boards(seeds: range) -> list[tuple[dipsat.Position, Mapping[str, Sequence[str]]]]:
    """Crowded boards, boards with paradoxes, and full ones."""
    full = [random_board(seed, 34) for seed in seeds[::3]]
    small = [troubled_orders(seed) if seed % 2 else crowded_orders(seed) for seed in seeds]
    return [
        *((dipsat.Position.from_units(board.units), board.orders) for board in full),
        *((position_of(orders), orders) for orders in small),
    ]


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(40), 12))
def test_subgraphs_are_those_that_adjudicate_returns(seeds: range) -> None:
    for position, orders in some_boards(seeds):
        proof = dipsat.prove(position, orders)
        outcome = dipsat.adjudicate(position, orders)
        assert [
            (s.decisions, s.verdict, s.resolutions, s.cycle, s.core) for s in proof.subgraphs
        ] == [(s.decisions, s.verdict, s.resolutions, s.cycle, s.core) for s in outcome.subgraphs]
        for subgraph in proof.subgraphs:
            if subgraph.verdict == "unique":
                (values,) = subgraph.values
                assert all(outcome.decisions[name] == value for name, value in values.items())


def test_the_orders_of_a_subgraph_are_those_of_its_decisions() -> None:
    proof = proof_of({"ENGLAND": ["F LON - NTH", "A BUR - Ber"], "FRANCE": ["A SPA - POR"]})
    by_decision = {name: s.orders for s in proof.subgraphs for name in s.decisions}
    assert by_decision["move(F LON - NTH)"] == (("ENGLAND", "F LON - NTH"),)
    assert by_decision["dislodge(A BUR)"] == (("ENGLAND", "A BUR H"),)  # an illegal order


def test_values_of_a_ring_are_its_two_resolutions() -> None:
    (subgraph,) = troubled(proof_of(RING))
    moves = [{v for name, v in values.items() if name[:4] == "move"} for values in subgraph.values]
    assert sorted(moves, key=str) == [{0}, {1}]
    assert subgraph.core == ("F ANK", "A CON", "A SMY")


def test_two_cycles_of_one_subgraph_have_four_resolutions() -> None:
    text = TIED.replace("and (not some(m.supports) or any(support(s) for s in m.supports))", "")
    link = "any(move(a) for a in s.province.attackers) or any(move(x) for x in s.supported.moves)"
    profile = parse_profile(text.replace("SUPPORT", link).replace("WAY", "true"), "tied.yaml")
    (subgraph,) = troubled(proof_of(TWO_PAIRS, profile))
    assert (subgraph.verdict, subgraph.resolutions, subgraph.is_complete) == ("several", 4, True)


def made_system(equations: dict[Key, tuple[Term, bool]]) -> System:
    """A system of made-up equations, which belong to no phase."""
    grounder = SimpleNamespace(name=lambda key: f"{key[0]}({key[1]})")
    return System(cast(Any, None), cast(Any, None), cast(Any, grounder), equations, {})


def test_many_resolutions_are_counted_up_to_the_stated_bound() -> None:
    """Eight decisions that are free, though each mentions the first, have 256 resolutions."""
    free = [Unknown(("free", n), True) for n in range(8)]
    never = all_of([free[0], negation(free[0])])
    system = made_system({one.key: (any_of([one, never]), True) for one in free})
    (models,) = count_resolutions(system, Budget())
    assert (models.verdict, len(models.resolutions)) == ("several", MAX_RESOLUTIONS)
    assert not models.complete


def test_proofs_need_no_rule_for_cycles() -> None:
    profile = parse_profile("extends: datc\nname: helpless\ncycles: []\n", "helpless.yaml")
    with pytest.raises(UnresolvedError):
        dipsat.adjudicate(position_of(RING), RING, profile)
    (subgraph,) = troubled(proof_of(RING, profile))
    (expected,) = troubled(proof_of(RING))
    assert subgraph == expected
    assert (subgraph.cycle, subgraph.core) == (expected.cycle, expected.core)


def test_rules_of_a_cycle_are_not_applied() -> None:
    still = parse_profile(
        "extends: datc\ncycles: [{name: stand, when: 'true', set: {move: false}}]\n", "still.yaml"
    )
    assert [s.resolutions for s in troubled(proof_of(SIMPLE_PARADOX, still))] == [2]


@pytest.mark.parametrize(
    ("equation", "problem"),
    [("hold_strength(p) + 1", "too many values|depends on itself|has no value"),
     ("0 - hold_strength(p)", "too many values")],
)  # fmt: skip
def test_numbers_that_cannot_be_searched_are_an_error(equation: str, problem: str) -> None:
    text = f"extends: datc\nname: endless\ndecisions:\n  hold_strength(p): {equation}\n"
    with pytest.raises(NumberRangeError, match=problem) as caught:
        proof_of(RING, parse_profile(text, "endless.yaml"))
    assert caught.value.profile == "endless"


def test_numbers_may_depend_on_numbers() -> None:
    text = """
extends: datc
decisions:
  defend_strength(m): 1 + supports_given(m) + (1 if hold_strength(m.origin) > 0 else 0)
"""
    profile = parse_profile(text, "numbers.yaml")
    orders = {"ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI"], "AUSTRIA": ["F TRI - VEN"]}
    proof = proof_of(orders, profile)
    outcome = dipsat.adjudicate(position_of(orders), orders, profile)
    assert [s.verdict for s in proof.subgraphs] == [s.verdict for s in outcome.subgraphs]


@pytest.mark.parametrize("phase", ["F1901R", "W1901A"])
def test_only_movement_phases_have_equations(phase: str) -> None:
    position = dipsat.Position.from_units({}, phase=phase)
    with pytest.raises(NoEquationsError, match=f"phase {phase}: only movement phases"):
        dipsat.prove(position, {})


# In a summer phase, and with orders of powers.

PACT = """\
extends: datc
name: pact
orders:
  Pact(t):
    form: "{unit} P {other: Unit}"
    phase: summer
    verdict: agreed
  Doubt(d):
    form: "doubt {place: Province}"
    phase: summer
variables: {t: Pact, x: Pact, d: Doubt}
decisions:
  # Once somebody doubts, one keeps to a pact if the other does; else everybody does.
  agreed(t): not some(Doubt) or any(agreed(x) for x in Pact if x.unit == t.other)
"""
PACTS = {
    "FRANCE": ["A BUR P A MUN", "doubt PAR"], "GERMANY": ["A MUN P A BUR", "A RUH P A MUN"],
}  # fmt: skip


def pacts(orders: dict[str, list[str]]) -> dipsat.Proof:
    rules = parse_profile(PACT, "pact.yaml")
    units = {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]}
    position = dipsat.Position.from_units(units, phase="U1901X", rules=rules)
    return dipsat.prove(position, orders, rules)


def test_orders_of_a_summer_phase_are_equations_like_others() -> None:
    """Two keep to a pact if the other does: both do or neither does. A third unit looks on."""
    (subgraph,) = troubled(pacts(PACTS))
    assert (subgraph.verdict, subgraph.resolutions) == ("several", 2)
    assert {frozenset(values.values()) for values in subgraph.values} == {
        frozenset({0}), frozenset({1}),
    }  # fmt: skip
    assert set(subgraph.orders) == {
        ("FRANCE", "A BUR P A MUN"), ("GERMANY", "A MUN P A BUR"), ("GERMANY", "A RUH P A MUN"),
    }  # fmt: skip
    assert set(subgraph.cycle) == {"agreed(A BUR P A MUN)", "agreed(A MUN P A BUR)"}
    # The order of a power, "doubt PAR", stays while the core is looked for.
    assert subgraph.core == ("A BUR", "A MUN")
    assert pacts({**PACTS, "FRANCE": ["A BUR P A MUN"]}).verdict == "unique"


def test_exchanges_of_colors_are_proven_and_come_out_as_adjudicated() -> None:
    """Arpiesse XII: both must order it."""
    rules = dipsat.load_profile("arpiesse+color_exchange=on")
    units = {"ITALY": ["Purple F ADR"], "AUSTRIA": ["Silver A TRI"], "TURKEY": ["Red A SER"]}
    position = dipsat.Position.from_units(units, phase="U1901X", rules=rules)
    orders = {"ITALY": ["F ADR X A TRI"], "AUSTRIA": ["A TRI X F ADR"], "TURKEY": ["A SER X A TRI"]}
    proof = dipsat.prove(position, orders, rules)
    values = {k: v for subgraph in proof.subgraphs for k, v in subgraph.values[0].items()}
    assert proof.verdict == "unique"
    assert {name.partition("(")[2][:-1]: v for name, v in values.items() if "exch" in name} == {
        "Purple F ADR X Silver A TRI": 1,
        "Silver A TRI X Purple F ADR": 1,
        "Red A SER X Silver A TRI": 0,
    }
    assert values == dipsat.adjudicate(position, orders, rules).decisions


def test_an_empty_board_is_unique() -> None:
    proof = dipsat.prove(dipsat.Position.from_units({}), {})
    assert (proof.verdict, proof.subgraphs) == ("unique", ())
    assert set(proof.smt2()) == {"whole.system.smt2", "whole.unique.smt2"}


# Time limits.


@exhaustive
def test_verdict_is_unknown_only_on_a_limit() -> None:
    orders = {**PLAIN, **RING}
    proof = dipsat.prove(position_of(orders), orders, limits=dipsat.Limits(work=1))
    assert proof.verdict == "unknown"
    assert {(s.verdict, s.resolutions, s.is_complete) for s in proof.subgraphs} == {
        ("unknown", 0, False)
    }
    assert {s.cycle + s.core for s in proof.subgraphs} == {()}
    enough = dipsat.prove(position_of(orders), orders, limits=dipsat.Limits(seconds=600))
    unlimited = proof_of(orders)
    assert {**enough.to_dict(), "seconds": None} == unlimited.to_dict()


@exhaustive
def test_one_hard_subgraph_leaves_the_others_proven_and_the_limit_kept() -> None:
    """Thirteen pigeons in twelve holes: hard for any prover by resolution, so it could not be
    settled even long after the limit."""
    easy: dict[Key, tuple[Term, bool]] = {("easy", n): (n == 0, True) for n in range(3)}
    system = made_system({**easy, **pigeonhole(12)})
    models = count_resolutions(system, Budget(None, time.monotonic() + 3))
    found = {group[0][0]: m.verdict for group, m in zip(system.subgraphs, models, strict=True)}
    assert found == {"easy": "unique", "odd": "unknown"}


# As plain values, and files.


def test_plain_values_say_everything() -> None:
    proof = proof_of(SIMPLE_PARADOX)
    value = json.loads(json.dumps(proof.to_dict()))
    assert (value["rules"], value["map"], value["phase"]) == ("datc", "standard", "S1901M")
    assert (value["verdict"], value["seconds"], value["work"]) == ("not unique", None, None)
    (part,) = [part for part in value["subgraphs"] if part["verdict"] != "unique"]
    assert part["resolutions"] == 2
    assert part["complete"] is True
    assert part["core"] == ["A BRE", "F ENG", "F LON", "F WAL"]
    assert {"power": "FRANCE", "order": "A BRE - LON"} in part["orders"]
    assert "move(F WAL - ENG)" in part["decisions"]
    assert set(part["cycle"]) <= set(part["decisions"])


@exhaustive
def test_files_are_written_once_and_replaced_only_by_force(tmp_path: Path) -> None:
    folder, plain = tmp_path / "new" / "proof", proof_of(PLAIN)
    many = proof_of({**PLAIN, **RING}).write_smt2(folder)
    assert sorted(many) == sorted(path.name for path in folder.iterdir())
    with pytest.raises(FileError, match=r"is not empty .*`force`"):
        plain.write_smt2(folder)
    notes = folder / "notes.txt"
    notes.write_text("mine", encoding="utf-8")
    few = plain.write_smt2(folder, force=True)
    assert sorted([*few, "notes.txt"]) == sorted(path.name for path in folder.iterdir())
    assert len(few) < len(many)
    assert (folder / few[0]).read_text(encoding="utf-8") == plain.smt2()[few[0]]
    for path in (notes, notes / "below"):
        with pytest.raises(FileError):
            plain.write_smt2(path)


@exhaustive
def test_all_subgraphs_share_the_same_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board without a cycle takes two questions: for a resolution, and for another one. One with
    a subgraph of two resolutions takes two more for the rest, and three for that subgraph."""
    check, asked = models._Enumeration.answer, list[object]()

    def counted(asking: models._Enumeration) -> Any:
        asked.append(asking)
        return check(asking)

    monkeypatch.setattr(models._Enumeration, "answer", counted)
    for seed in range(4):
        board = random_board(seed, 34)
        asked.clear()
        proof = dipsat.prove(dipsat.Position.from_units(board.units), board.orders)
        assert {subgraph.resolutions for subgraph in proof.subgraphs} <= {1, 2}
        assert len(proof.subgraphs) > 40
        assert 2 <= len(asked) <= 2 + 5 * len(troubled(proof))


def test_the_error_of_a_number_beyond_the_bound_names_the_bound() -> None:
    """Numbers in rules end at 1000, but sums of sums may be larger."""
    twice = "sum(sum(1000 for q in Province) for p in Province)"
    further = f"sum(sum({twice.replace('1000', 'defend_strength(m)')} for v in Unit) for w in Unit)"
    rules = dipsat.parse_profile(
        "name: large\nextends: datc\nvariables: {q: Province, v: Unit, w: Unit}\ndecisions:\n"
        f"  defend_strength(m): {twice}\n  attack_strength(m): {further}\n",
        "large",
    )
    position = dipsat.Position.from_units({"ENGLAND": ["A LON"], "FRANCE": ["A YOR"]})
    for judge in (dipsat.adjudicate, dipsat.prove):
        with pytest.raises(NumberRangeError) as caught:
            judge(position, {"ENGLAND": ["A LON - YOR"]}, rules)
        assert str(caught.value).endswith("numbers range from -1,000,000,000 to 1,000,000,000")
