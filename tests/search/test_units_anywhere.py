"""Questions about units that may be anywhere, also beside known units and orders, against questions
about each position."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat import Achieve, Differ, Guarantee, Paradox, Position, Question, searches
from dipsat.cli import main
from dipsat.errors import ArgumentError, QuestionError
from dipsat.game import standings
from dipsat.searches import AnyUnits, OpenPosition
from dipsat.searches.difference_goal import cycle_suspects
from tests.exhaustive import exhaustive, parts_of
from tests.legal_texts import legal_order_texts

BOARD = dipsat.load_map("standard")
RULES = dipsat.load_profile("datc")
REGIONS = (
    ("A LON", "A WAL", "A PIC", "A BRE", "A BEL", "F LON", "F BRE", "F WAL", "F ENG", "F NTH"),
    ("A SPA", "A POR", "A GAS", "F SPA/SC", "F SPA/NC", "F POR", "F MAO", "F WES", "F LYO"),
    ("A CON", "A SMY", "A BUL", "A ANK", "F ANK", "F CON", "F BUL/EC", "F BLA", "F AEG"),
)
POWERS = ("FRANCE", "ENGLAND", "GERMANY")
Units: TypeAlias = Mapping[str, Sequence[str | AnyUnits]]
Orders: TypeAlias = Mapping[str, Sequence[str]]


def units_at_random(random: Random, owners: Sequence[str], known: Sequence[str] = ()) -> Units:
    """A unit of each of these owners with one or two places; the first is a fleet at sea if its
    owner is any power. Each power in `known` has a known unit. All of them fit on the board."""
    region, taken = random.choice(REGIONS), set[str]()
    units = dict[str, list[str | AnyUnits]]()
    for at, owner in enumerate(owners):
        kind = "F" if at == 0 and owner == "any" else random.choice("AAF")
        places = [*dict.fromkeys(one[2:5] for one in region if one[0] == kind)]
        some = places[-3:] if at == 0 and kind == "F" else places
        chosen = random.sample(some, random.choice((1, 1, 2)))
        taken |= {*chosen}
        units.setdefault(owner, []).append(AnyUnits(1, kind, tuple(chosen)))
    for power in known:
        unit = random.choice([one for one in region if one[2:5] not in taken])
        taken.add(unit[2:5])
        units.setdefault(power, []).append(unit)
    return units if positions(units) else units_at_random(random, owners, known)


def positions(units: Units) -> list[Position]:
    """Every position, with three powers for units of any power. Which of the three a unit has does
    not matter, unless the units name it."""
    free = [(one, power) for power in units for one in units[power] if isinstance(one, AnyUnits)]
    known = {power: [one for one in units[power] if isinstance(one, str)] for power in units}
    found = dict[frozenset[tuple[str, frozenset[str]]], dict[str, list[str]]]()
    for standing in product(*(tuple(standings(one, BOARD)) for one, _ in free)):
        codes = [place[:3] for _, place in standing]
        codes += [unit[2:5] for own in known.values() for unit in own]
        if len({*codes}) < len(codes):
            continue
        for owners in product(*(POWERS if power == "any" else (power,) for _, power in free)):
            placed = {power: [*own] for power, own in known.items() if power != "any"}
            for (kind, place), power in zip(standing, owners, strict=True):
                placed.setdefault(power, []).append(f"{kind} {place}")
            alike = (
                (power if power in units else "", frozenset(placed[power])) for power in placed
            )
            found.setdefault(frozenset(alike), placed)
    return [*map(Position.from_units, found.values())]


def order_at_random(random: Random, units: Units, power: str, without: Sequence[str]) -> Orders:
    """An order that the last known unit of a power may be given in some position, and that every
    rulebook reads alike."""
    unit = [one for one in units[power] if isinstance(one, str)][-1]
    legal = legal_order_texts(random.choice(positions(units)), RULES.settings)[unit]
    texts = [one for one in legal if not any(part in one[6:] for part in without)]
    return {power: [random.choice(texts)]}


def places_of(units: Units) -> tuple[list[str], list[str]]:
    """The provinces where units may be, and those where known units are."""
    every = [one for own in units.values() for one in own]
    known = [one[2:5] for one in every if isinstance(one, str)]
    free = [one for one in every if isinstance(one, AnyUnits)]
    return [place[:3] for one in free for _, place in standings(one, BOARD)], known


QUESTIONS: tuple[Question, ...] = (
    *map(Paradox, (None, "none", "Szykman", "circular movement")),
    *map(Differ, ("4.A.2-all-hold", "4.A.3-a", "4.A.3-d", "4.A.4-b", "4.A.5-a", "4.A.7-a")),
)
GOALS = (
    "dislodged({})", "enters({})", "moves({})", "stays({})", "occupied({})", "stands({}, FRANCE)",
    "goes({}, {})", "any(dislodge(u) for u in units if u.power == FRANCE)",
    "sum(dislodge(u) for u in units) >= 2", "enters({}) and not dislodged({})",
    "any(move(m) for m in Move if m.target == {} and m.convoyed)",
    "any(dislodged(p) for p in provinces if p.supply) and stays({})",
)  # fmt: skip
SURE = (
    "stands({0}, FRANCE)", "stands({0}, ITALY)", "enters({0})", "not enters({0})", "stays({0})",
    "not occupied({0})", "dislodged({0})", "goes({0}, {1})", "moves({0}) and not dislodged({1})",
    "not any(dislodge(u) for u in units)",
)  # fmt: skip
"""Goals for France about the province of a known unit and another province."""


def asked(kind: str, seed: int) -> tuple[Units, Question, Orders]:
    """Units, a question about them, and the orders of some known unit."""
    random = Random(f"{kind} {seed}")
    if kind == "units alone":
        units = units_at_random(random, [random.choice(("any", "any", "FRANCE")) for _ in range(3)])
        return units, random.choice(QUESTIONS), {}
    if kind == "orders beside units":
        units = units_at_random(random, ("any", random.choice(("any", "FRANCE"))), ("ITALY",))
        free, known = places_of(units)
        goal = Achieve(random.choice(GOALS).format(*random.choices(free + known, k=2)))
        question = random.choice((goal, goal, Paradox(), Differ("4.A.3-a")))
        without = ["/", "VIA"] if isinstance(question, Differ) else ["/"]  # rules differ about VIA
        return units, question, order_at_random(random, units, "ITALY", without)
    own, others = random.choice(((1, 1), (1, 2), (2, 1), (2, 2), (1, 3)))
    third = random.choice(("ITALY", "AUSTRIA", "FRANCE")) if others > 1 else "ITALY"
    units = units_at_random(random, ["FRANCE"] * own, [*["ITALY"] * (others - 1), third])
    free, known = places_of(units)
    orders: Orders = {}
    if others > 1 and random.random() < 0.5:
        orders = order_at_random(random, units, third, ["/"])
    sure = random.choice(SURE).format(random.choice(known), random.choice(free))
    return units, Guarantee(sure, "FRANCE"), orders


def agrees(kind: str, seed: int) -> str:
    """Ask about all positions at once and about each; return the verdict, which must agree."""
    units, question, orders = asked(kind, seed)
    each = positions(units)
    found = dipsat.search(OpenPosition.from_units(units), question, orders)
    verdicts = {dipsat.search(one, question, orders).verdict for one in each}
    verdict = "found" if "found" in verdicts else "impossible"
    assert found.verdict == verdict, (seed, units, orders, question)
    if verdict == "found" and isinstance(question, Guarantee):
        there = Position.from_units(found.units)
        assert there in each
        given = {**orders, "FRANCE": list(found.orders["FRANCE"])}
        against = dipsat.search(there, Achieve(f"not ({question.goal})"), given)
        assert against.verdict == "impossible", (seed, found)
    return verdict


@exhaustive
@pytest.mark.parametrize("kind", ["units alone", "orders beside units", "guarantees"])
@pytest.mark.parametrize("seeds", parts_of(range(12), 1))
def test_a_question_about_all_positions_agrees_with_one_about_each(kind: str, seeds: range) -> None:
    verdicts = [agrees(kind, seed) for seed in seeds]
    assert len(seeds) == 1 or {*verdicts} == {"found", "impossible"}


@exhaustive
def test_the_smallest_convoy_paradox_has_four_units() -> None:
    found = searches.search_smallest(Paradox("Szykman"))
    assert (found.verdict, found.fewest, found.bound) == ("found", 4, 4)
    outcome = dipsat.adjudicate(Position.from_units(found.units), found.orders)
    assert "Szykman" in str(outcome.to_dict())


def test_a_proof_that_ends_early_says_how_far_it_got() -> None:
    found = searches.search_smallest(Paradox("none"), limits=dipsat.Limits(work=5_000))
    assert (found.verdict, found.fewest, found.units) == ("unknown", None, {})
    assert found.bound is not None
    assert f"fewer than {found.bound}" in found.reason


def test_the_command_finds_the_smallest_difference() -> None:
    rules = ["--rules", "datc", "--rules", "4.A.3-a"]
    ran = CliRunner().invoke(main, ["search", "differ", "--smallest", *rules, "--json"])
    assert ran.exit_code == 0
    found = json.loads(ran.stdout)
    assert (found["fewest"], found["bound"]) == (2, 2)
    position = Position.from_units(found["units"])
    one, other = (dipsat.adjudicate(position, found["orders"], name) for name in rules[1::2])
    verdicts = [[order.verdict for order in outcome.orders] for outcome in (one, other)]
    assert verdicts[0] != verdicts[1]


@pytest.mark.parametrize(
    ("units", "fault"),
    [
        ("any four", ":1:8: unit 'any four'"),
        (f"any {'9' * 5_000}", ":1:8: unit 'any 999"),
        ("{FRANCE: [any 2, A PARI], ITALY: any 1 fleet in VEN}", ""),
        ("{FRANCE: [any 2, A NTH]}", ":1:25: "),
        ("{FRANCE: any 1 army in NTH}", ":1:8: unit 'any 1 army in NTH'"),
        ("any 1 fleet in BER, MUN", ":1:8: unit 'any 1 fleet in BER, MUN'"),
        ("{any: A PAR}", ":1:14: unit 'A PAR'"),
        ("{FRANCE: any 5, ITALY: any 4}", ":1:8: "),
        ("{FRANCE: [A PAR], any: any 2}\norders: {FRANCE: [A PAR X]}", ":2:19: "),
        ("{FRANCE: [A PAR], any: any 2}\ncenters: {FRANCE: [PAR]}", ":2:10: "),
        ("any 2\nopen: [all]", ""),
    ],
)
def test_a_file_may_leave_open_where_units_are(units: str, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "board.yaml"
    file.write_text(f"units: {units}\n", encoding="utf-8")
    ran = CliRunner().invoke(main, ["search", "paradox", str(file), "--kind", "fallback"])
    assert ran.exit_code == (2 if fault else 1), ran.output
    assert f"{file}{fault}" in ran.output if fault else "IMPOSSIBLE" in ran.output
    other = CliRunner().invoke(main, ["adjudicate", str(file)])
    assert other.exit_code == 2


def test_the_server_searches_units_anywhere_and_refuses_them_elsewhere() -> None:
    board = {"orders": "units: any 4\n"}
    answer = dipsat.answer({"request": "adjudicate", **board})
    assert answer["error"]["kind"] == "QuestionError"
    assert "stand anywhere" in answer["error"]["message"]
    asked = {"request": "search", "question": "achieve", "goal": "dislodged(VEN)"}
    found = dipsat.answer({**asked, "orders": "units: {ITALY: [A VEN], FRANCE: any 2}\n"})["answer"]
    assert (found["verdict"], sorted(found["units"])) == ("found", ["FRANCE", "ITALY"])
    some = {"orders": "units: {ITALY: [A VEN]}\n", "open": ["ITALY"]}
    assert dipsat.answer({**asked, **some, "most": 1})["answer"]["bound"] == 2


@pytest.mark.parametrize(
    "units",
    [
        {"FRANCE": "any 2 armies in BUR"},
        {"FRANCE": ["A VEN"], "any": "any 1 army in VEN"},
        {"any": ["any 2 in ENG, NTH", "any 1 fleet in NTH"]},
    ],
)
def test_units_that_do_not_fit_together_are_refused(units: dict[str, str]) -> None:
    with pytest.raises(dipsat.DipsatError, match="cannot stand in different provinces"):
        OpenPosition.from_units(units)


def test_answers_about_units_anywhere_can_be_sent_between_processes() -> None:
    answer = dipsat.search(OpenPosition.from_units("any 2"), Differ("4.A.3-a"))
    assert pickle.loads(pickle.dumps(answer)) == answer


def ask(tmp_path: Path, text: str, *arguments: str) -> Result:
    file = tmp_path / "board.yaml"
    file.write_text(text, encoding="utf-8")
    command, *rest = arguments
    return CliRunner().invoke(main, ["search", command, str(file), *rest])


@exhaustive
def test_added_units_join_those_on_the_board(tmp_path: Path) -> None:
    text = "units: {ITALY: [A VEN, A TUS]}\norders: {ITALY: [A VEN H, A TUS S A VEN]}\n"
    goal = "dislodged(VEN)"
    ran = ask(tmp_path, text, "achieve", goal, "--smallest", "--for", "Austria", "--json")
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout)
    assert (found["fewest"], found["bound"], found["given"]) == (3, 3, ["TUS", "VEN"])
    assert found["orders"]["ITALY"] == ["A TUS S A VEN", "A VEN H"]
    assert len(found["units"]["AUSTRIA"]) == 3
    outcome = dipsat.adjudicate(Position.from_units(found["units"]), found["orders"])
    assert [one.unit for one in outcome.dislodged] == ["A VEN"]
    ran = ask(tmp_path, text, "achieve", goal, "--smallest", "--most", "2")
    assert ran.exit_code == 1
    assert "up to 2 units beside Italy A TUS, Italy A VEN" in " ".join(ran.output.split())
    ran = ask(tmp_path, text, "achieve", f"not {goal}", "--smallest")
    assert "No unit needs to join" in ran.output


@pytest.mark.parametrize(
    ("order", "fault"),
    [
        ("A VEN - MUN", "A VEN cannot move to MUN"),
        ("A ROM H", "no unit is stated to stand in ROM"),
        ("F VEN H", "the unit there is A VEN"),
        ("A VEN S A APU - NAP", "A VEN cannot move to NAP"),
        ("A VEN S A VEN", "itself"),
        ("A VEN C A TUS - NAP", "A VEN can convoy nothing"),
        ("F MAO - SPA", "F MAO can move to SPA/NC or SPA/SC"),
        ("F MAO S F WES - SPA/SC", "leave out the coast"),
        ("A VEN H, A VEN - TYR", "two orders"),
    ],
)
def test_orders_that_do_not_fit_beside_open_units_are_refused(
    order: str, fault: str, tmp_path: Path
) -> None:
    text = f"units: {{ITALY: [A VEN, F MAO], any: any 1}}\norders: {{ITALY: [{order}]}}\n"
    ran = ask(tmp_path, text, "paradox")
    assert ran.exit_code == 2
    assert fault in ran.output


@pytest.mark.parametrize(
    ("goal", "word"),
    [
        ("owner(VEN, ITALY)", "owner"),
        ("any(some(m.opponents) for m in Move)", "opponents"),
        ('any(p.code == "VEN" and dislodged(p) for p in provinces)', "code"),
    ],
)
def test_goals_with_words_about_the_map_are_refused(goal: str, word: str) -> None:
    with pytest.raises(QuestionError, match=f"uses {word};"):
        searches.search_smallest(Achieve(goal))


FAULTS = """units: {FRANCE: any 2, ITALY: [A VEN, A ROM]}
orders:
  ITALY:
    - A VEN H
    - A ROM - MUN
    - A NAP H
"""


BESIDE = "ITALY: '{}': cannot be given beside units that may stand anywhere"


def test_each_fault_of_orders_beside_open_units_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(FAULTS)
    first, second = f"{path}:5:7: {BESIDE}", f"{path}:6:7: {BESIDE}"
    said = CliRunner().invoke(main, ["search", "paradox", str(path)])
    assert said.exit_code == 2
    assert said.stderr.splitlines() == [
        f"error: {first.format('A ROM - MUN')}: A ROM cannot move to MUN",
        f"error: {second.format('A NAP H')}: no unit is stated to stand in NAP; the orders of "
        "units anywhere are open",
    ]
    request = {"request": "search", "question": "paradox", "orders": FAULTS, "most": 2}
    error = dipsat.answer(request)["error"]
    assert (error["document"], error["line"], error["column"]) == ("orders", 5, 7)
    assert [one["line"] for one in error["problems"]] == [5, 6]


@exhaustive
def test_one_more_unit_makes_rules_for_paradoxes_differ() -> None:
    """DATC 6.F.17 without the second support for the army to London."""
    orders = {
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
        "GERMANY": ["F BEL - ENG", "F NTH S F BEL - ENG"],
    }
    units = {power: [order[:5] for order in own] for power, own in orders.items()}
    units["any"] = ["any 1 in EDI YOR WAL"]
    found = dipsat.search(OpenPosition.from_units(units), Differ("4.A.2-2000"), orders)
    assert found.verdict == "found"
    assert found.orders["FRANCE"][:2] == ("A BRE - LON", "F ENG C A BRE - LON")
    assert "fallback" not in [
        rule.name for rule in cycle_suspects(*map(dipsat.load_profile, ("datc", "4.A.2-2000")))
    ]


@exhaustive
def test_two_units_take_venice_whatever_its_defender_does() -> None:
    """Every order of Italy is adjudicated."""
    units = {"AUSTRIA": "any 2", "ITALY": ["A VEN"]}
    question = Guarantee("stands(VEN, AUSTRIA)", "AUSTRIA")
    found = dipsat.search(OpenPosition.from_units(units), question)
    assert list(found.orders) == ["AUSTRIA"]
    there = Position.from_units(found.units)
    for answer in legal_order_texts(there, RULES.settings)["A VEN"]:
        after = dipsat.adjudicate(there, {**found.orders, "ITALY": [answer]}).next
        assert any(unit.province == "VEN" and unit.power == "AUSTRIA" for unit in after.units)


def test_one_unit_keeps_an_army_out_of_one_province_but_not_of_two() -> None:
    """Italy keeps Austria out of one province by moving there, but not out of two."""
    units = {"ITALY": "any 1 army in TYR", "AUSTRIA": ["A VIE"]}
    position = OpenPosition.from_units(units)
    both = Guarantee("not stands(BOH, AUSTRIA) and not stands(GAL, AUSTRIA)", "ITALY")
    assert dipsat.search(position, both).verdict == "impossible"
    one = dipsat.search(position, Guarantee("not stands(BOH, AUSTRIA)", "ITALY"))
    assert one.orders == {"ITALY": ("A TYR - BOH",)}


def test_only_units_of_the_power_of_a_guarantee_may_be_anywhere() -> None:
    question = Guarantee("enters(VEN)", "ITALY")
    for units, whose in (
        ({"ITALY": "any 1", "AUSTRIA": "any 1"}, "units of Austria"),
        ({"ITALY": "any 1", "any": "any 1"}, "units of any power"),
        ({"AUSTRIA": "any 1"}, "units of Austria"),
    ):
        with pytest.raises(QuestionError, match=f"{whose} may stand anywhere.*search hold"):
            dipsat.search(OpenPosition.from_units(units), question)
    with pytest.raises(QuestionError, match=r"4\.B\.4"):
        dipsat.search(OpenPosition.from_units({"ITALY": "any 1"}), question, rules="4.B.4-a")
    with pytest.raises(ArgumentError, match="ITALY, for which the guarantee is"):
        searches.search_smallest(question, power="Austria")


def test_a_guarantee_that_takes_too_long_says_what_was_tried() -> None:
    units = {"ENGLAND": "any 3", "FRANCE": ["A BRE", "A PAR"]}
    question = Guarantee("stands(BRE, ENGLAND)", "ENGLAND")
    limits = dipsat.Limits(work=3_000)
    found = dipsat.search(OpenPosition.from_units(units), question, limits=limits)
    assert found.verdict == "unknown"
    assert "of 5 units" in found.reason


@exhaustive
def test_progress_says_whose_units_are_counted() -> None:
    beside = Position.from_units({"ITALY": ["A ROM"]})
    for goal, power, expected in (
        ("stands(VEN, ITALY)", "ITALY", "1 unit of Italy: trying"),
        ("dislodged(ROM)", None, "2 units: trying"),
    ):
        said = list[str]()
        searches.search_smallest(
            Achieve(goal), beside=beside, power=power, most=2, progress=said.append
        )
        assert any(one.startswith(expected) for one in said)
