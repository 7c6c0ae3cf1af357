"""Rules of any kind: compiled with the same results, or declined with a reason."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

import dipsat
from dipsat.errors import KernelError
from dipsat.kernel import Batch, library
from dipsat.kernel.numbers import DeclinedError
from dipsat.kernel.source import source_of
from dipsat.rules import Profile, load_profile, parse_profile
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of
from tests.kernel.agreement.compare import Board
from tests.kernel.kernel_agreement import adjudicate_only, agreed, needs_compiler, random_boards
from tests.strangers import random_rules
from tests.strangers.fuzzing.equations import made_profile

pytestmark = needs_compiler
FILES = [
    path
    for folder in ("docs/examples/cookbook", "rules/templates")
    for path in sorted((ROOT / folder).glob("*.yaml"))
    if not path.stem.endswith((".orders", "-map"))
]


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile without optimising, and only what adjudicates movements."""
    monkeypatch.setattr(library, "_OPTIMISED", ("-O0",))
    adjudicate_only(monkeypatch)


def agree(batch: Batch, boards: Iterable[Board]) -> int:
    """Check that each board has the same results, or the same error. Returns how many results
    the compiled code found."""
    found = agreed(batch, boards)
    return found.boards - found.by_python - found.errors


def rules(*lines: str) -> Profile:
    """A profile that extends the standard rules."""
    return parse_profile("\n".join(("extends: datc", *lines, "")), "rules.yaml")


@pytest.mark.parametrize("path", few_of(FILES[::2], 0), ids=lambda path: path.stem)
def test_recipes_and_templates_come_out_as_in_python(path: Path) -> None:
    batch = Batch(load_profile(path), native=True)
    boards = random_boards(batch, range(10), 20)
    assert agree(batch, boards) == 10


def probed(seed: int) -> str:
    """Rules in which a random expression is a condition of one of several decisions."""
    random = Random(seed)
    truth = random_rules.truth(random, random.choice([1, 2, 3]), 1)
    number = random_rules.number(random, 2, 1).replace("attack_strength", "prevent_strength")
    quoted, strength = json.dumps(truth), json.dumps(number)
    dislodged = json.dumps(f"any({truth} for m in u.province.attackers)")
    condition = f"decisions:\n  move(m):\n    probe: {quoted}"
    cycles = "cycles_before:\n  - {name: mine, when: some(cycle.move), set: {move: false}}"
    return random.choice(
        [
            condition,
            f"decisions:\n  attack_strength(m): {strength}",
            f"decisions:\n  probe(m): {quoted}\n  move(m):\n    probe: probe(m)",
            f"decisions:\n  dislodge(u): {dislodged}",
            f"{cycles}\n{condition}",
        ]
    )


@exhaustive
@pytest.mark.parametrize("seed", few_of(range(6), 1))
def test_random_conditions_come_out_as_in_python(seed: int) -> None:
    batch = Batch(rules(probed(seed)), native=True)
    agree(batch, random_boards(batch, range(10 * seed, 10 * seed + 10), 12))


@exhaustive
@pytest.mark.parametrize("seed", range(5))
def test_random_profiles_come_out_as_in_python(seed: int) -> None:
    """Many have no resolution, put two units into one province, or leave the range of numbers."""
    try:
        batch = Batch(parse_profile(made_profile(Random(seed)), "made.yaml"), native=True)
    except KernelError:
        raise
    except dipsat.DipsatError:
        return
    agree(batch, random_boards(batch, range(seed, seed + 8), 12))


@exhaustive
def test_sets_and_filters_come_out_as_in_python() -> None:
    """Missing owners, `not` and open filters, in conditions that often decide."""
    batch = Batch(
        rules(
            "decisions:",
            "  move(m):",
            "    owned: not any(u.power == m.target.owner for u in Unit)",
            "    beaten: not any(not move(a) for a in m.rivals if path(a)) or some(m.supports)",
            "    led: all(prevent_strength(a) < 2 for a in m.target.attackers if move(a))",
            "    strong: sum(0 - 1 for s in m.supports if support(s)) > 0 - 2",
        ),
        native=True,
    )
    assert agree(batch, random_boards(batch, range(20), 24)) > 5


FAULTY = (
    "move(m): path(m)",
    "dislodge(u): entered(u.province)",
    "up(p): 900 + down(p), down(p): up(p) + 1",
)


@exhaustive
@pytest.mark.parametrize("faulty", FAULTY)
def test_impossible_results_of_rules_are_errors_as_in_python(faulty: str) -> None:
    """Two units in one province, a unit that is dislodged after it has moved away, and numbers
    that contradict each other."""
    batch = Batch(rules(f"decisions: {{{faulty}}}"), native=True)
    found = agreed(batch, random_boards(batch, range(5), 14))
    assert found.errors > 0


@exhaustive
def test_numbers_out_of_range_are_left_to_python() -> None:
    batch = Batch(
        rules("decisions:", "  attack_strength(m): sum(1000 for u in Unit if path(m))"), native=True
    )
    boards = random_boards(batch, range(4), 24)
    assert agree(batch, boards) == 0


CYCLES = {
    "chosen of two": (
        "{name: a, when: cycle.resolutions == 2, choose: all(move(m) for m in cycle.move)}"
    ),
    "nothing chosen": '{name: a, when: "true", choose: "true"}',
    "several together": (
        "{name: a, when: some(cycle.move), set: {move: false}, together: true}\n"
        "  - {name: b, when: some(cycle.support), set: {support: true}, together: true}"
    ),
    "the first of several together": (
        "{name: a, when: some(cycle.move), set: {move: false}, together: true}\n"
        "  - {name: b, when: some(cycle.move), set: {move: true}, together: true}"
    ),
    "where about kinds": (
        '{name: a, when: "true", where: {move(m): m.unit.kind == "fleet"}, set: {move: true}}'
    ),
    "along": "{name: a, when: some(cycle.move), set: {move: false}, along: {path: false}}",
    "along strengths": (
        '{name: a, when: "true", set: {move: false}, along: {prevent_strength: 0}, together: true}'
    ),
    "rings with convoys": (
        "{name: a, when: ring(cycle.move) and some(cycle.convoy), set: {convoy: false}}"
    ),
    "truth": '{name: a, when: "true", set: {move: true, dislodge: true}}',
    "numbers": '{name: a, when: "true", set: {attack_strength: 7, prevent_strength: 0}}',
}


def cycling() -> Iterable[Board]:
    """Boards on which decisions depend on each other."""
    from dipsat.formats import load_cases

    for case in load_cases(["6.F", "6.G", "6.C"]):
        if case.position.map.name == "standard" and "-" not in case.name:
            yield case.position, case.orders


ONE_AFTER_THE_OTHER = (
    '{name: two fit, when: cycle.resolutions == 2, choose: "true"}',
    "{name: all go, when: ring(cycle.move) and not any(m.unit.kind == 'fleet' for m in cycle.move),"
    " choose: all(move(m) for m in cycle.move)}",
    "{name: fleets go, when: ring(cycle.move), where: {move(m): m.unit.kind == 'fleet'},"
    " set: {move: true}}",
    "{name: no convoy, when: cycle.resolutions == 0, set: {convoy: false}, together: true}",
    "{name: no support, when: cycle.resolutions == 0, set: {support: false}, together: true}",
    "{name: nobody moves, when: some(cycle.move), set: {move: false}, along: {path: false}}",
)


@exhaustive
def test_a_sequence_of_rules_for_cycles_comes_out_as_in_python() -> None:
    lines = (f"  - {rule}" for rule in ONE_AFTER_THE_OTHER)
    batch = Batch(rules("cycles_before:", *lines), native=True)
    found = agreed(batch, [*cycling(), *random_boards(batch, range(12), 14)])
    settled = {name for names in found.settled for name in names.split(", ")}
    assert settled >= {"unique", "no convoy", "no support", "nobody moves", "fleets go", "all go"}
    assert found.by_python < 3


@pytest.mark.parametrize("name", few_of(CYCLES, 0))
def test_rules_for_cycles_come_out_as_in_python(name: str) -> None:
    """Each is the only rule, so some cycles are left unresolved."""
    batch = Batch(rules("cycles:", f"  - {CYCLES[name]}"), native=True)
    agree(batch, [*cycling(), *random_boards(batch, range(10), 14)])


MANY = random_rules.MANY
TOO_DEEP = {"12 conditions", "38 conditions", "9 equalities", "38 equalities", "two equal parts"}


@pytest.mark.parametrize("name", MANY)
def test_source_grows_little_or_is_declined(name: str) -> None:
    """Either reading of some parts needs both readings of their own parts."""
    profile = random_rules.rules(MANY[name])
    if name in TOO_DEEP:
        with pytest.raises(DeclinedError, match="nested too deep"):
            source_of(profile, 1, 2)
        return
    shortest = len(source_of(dipsat.load_profile("datc"), 1, 2).text)
    assert len(source_of(profile, 1, 2).text) < shortest + 60 * len(MANY[name]) + 10_000


@exhaustive
@pytest.mark.parametrize("name", sorted(MANY.keys() - TOO_DEEP)[::3])
def test_large_expressions_come_out_as_in_python(name: str) -> None:
    probe = MANY[name].replace("move(m)", "path(m)")
    batch = Batch(rules(f"decisions:\n  move(m):\n    probe: >\n      not ({probe})"), native=True)
    agree(batch, random_boards(batch, range(20), 12))


# Names.

HOSTILE = """\
name: "zzz*/ #include <zzz>"
title: 'zzz"; } int main(void) { return 1; } /*'
extends: datc
features: {zzzice: province, zzzgate: border, zzzrich: power}
domains:
  Zzzcolor: {Zzzred: zzzred, Zzzblue: zzzblue}
variables: {zzzc: Zzzcolor, zzzk: Zzzcolor, zzzl: Zzzcolor, zzzm: Move, zzzu: Unit}
attributes:
  zzzhue: {domain: Zzzcolor, default: Zzzred, becomes: zzzafter}
relations:
  zzzbeats(zzzk, zzzl): {rows: [[Zzzred, Zzzblue]]}
define:
  zzzterm(zzzm): zzzice(zzzm.target) or zzzm.unit.zzzhue == "Zzzred"
decisions:
  zzzlucky(zzzm, zzzc): zzzm.unit.zzzhue == zzzc and path(zzzm)
  move(zzzm):
    zzzreason: zzzterm(zzzm) or zzzm.target.code != "PAR" or zzzlucky(zzzm, zzzm.unit.zzzhue)
results:
  zzzafter(zzzu, zzzc): zzzu.zzzhue == zzzc
cycles_before:
  - {name: 'zzz"*/', when: some(cycle.zzzlucky), set: {zzzlucky: false}}
reasons: {zzzreason: "zzz ??/ %s"}
"""


def test_no_text_of_a_rule_file_gets_into_the_source() -> None:
    text = source_of(parse_profile(HOSTILE, "zzz.yaml"), 1, 2).text
    assert "zzz" not in text.lower()
    assert "PAR" not in text
    assert not set(text) - set(map(chr, range(32, 127))) - {"\n"}


@exhaustive
def test_the_source_does_not_depend_on_names() -> None:
    """Other names with the same alphabetical order make exactly the same source."""
    made = [
        source_of(parse_profile(text, "x.yaml"), 1, 2).text
        for word in ("zzz", "zmain_", "z_case_")
        for text in [HOSTILE.replace("zzz", word).replace("Zzz", word.title())]
    ]
    assert len(set(made)) == 1


def test_the_length_of_the_source_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dipsat.kernel.expression_text._MAX_SOURCE", 10_000)
    with pytest.raises(DeclinedError, match="the equations are too long"):
        source_of(dipsat.load_profile("datc"), 1, 2)


def test_too_many_combinations_are_declined() -> None:
    colors = ", ".join(f"C{number}: c{number}" for number in range(12))
    profile = rules(
        f"domains: {{Color: {{{colors}}}}}",
        "variables: {n: Color}",
        "decisions:",
        '  probe(m, o, n): move(m) and n == "C1"',
    )
    with pytest.raises(DeclinedError, match="too many combinations"):
        source_of(profile, 8, 8)


@exhaustive
def test_too_many_rules_for_cycles_are_declined() -> None:
    many = [f"  - {{name: r{n}, when: 'true', set: {{move: false}}}}" for n in range(33)]
    with pytest.raises(DeclinedError, match="more than 32 rules for dec"):
        source_of(rules("cycles:", *many), 1, 2)
    assert len(source_of(rules("cycles:", *many[:32]), 1, 2).rules) == 32


@exhaustive
@pytest.mark.parametrize(
    ("fits", "settled"),
    [("true", "fallback"), ("all(move(m) for m in cycle.move)", "mine"), ("false", "fallback")],
)
def test_a_resolution_is_chosen_only_if_no_other_fits(fits: str, settled: str) -> None:
    """A ring of moves has two: all succeed, or none."""
    batch = Batch(
        rules(
            "cycles:",
            f"  - {{name: mine, when: true, choose: {fits}}}",
            "  - {name: fallback, when: true, set: {move: false, support: false, convoy: false}}",
        ),
        native=True,
    )
    ring = {"TURKEY": ["A CON - SMY", "A SMY - ANK", "A ANK - CON"]}
    board = dipsat.Position.from_units({"TURKEY": ["A CON", "A SMY", "A ANK"]}), ring
    assert agree(batch, [board]) == 1
    assert batch.adjudicate(batch.encode([board])).settled == [settled]


def test_only_what_a_rule_sets_outside_a_cycle_undoes_earlier_conclusions() -> None:
    """However the cycle of `said` and `heard` is resolved, these two and `told` are equal, so each
    unit moves. Then rules set unequal values: `told` is outside the cycle, `heard` is in it."""
    batch = Batch(
        rules(
            "decisions:",
            "  said(m): not not heard(m)",
            "  heard(m): not not said(m)",
            "  told(m): not not said(m)",
            "  alike(m): said(m) == (heard(m) if m.unit.kind == 'army' else told(m))",
            "  move(m):",
            "    same: alike(m)",
            "cycles_before:",
            "  - {name: inside, when: some(cycle.said), where: {said(m): m.unit.kind == 'army'},"
            " set: {said: true}, along: {heard: false}}",
            "  - {name: outside, when: some(cycle.said), set: {said: true}, along: {told: false}}",
        ),
        native=True,
    )
    units, orders = {"FRANCE": ["A PAR", "F BRE"]}, {"FRANCE": ["A PAR - BUR", "F BRE - MAO"]}
    board = dipsat.Position.from_units(units), orders
    assert agree(batch, [board]) == 1
    found = batch.adjudicate(batch.encode([board]))
    assert found.verdicts(0) == {"A PAR": "succeeds", "F BRE": "fails"}
    assert found.settled == ["inside, outside"]
