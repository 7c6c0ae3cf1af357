"""Orders that are given beside units that may stand anywhere, and goals about both, against
questions about each position."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat import Achieve, Differ, Paradox, Position, Question, searches
from dipsat.cli import main
from dipsat.errors import QuestionError
from dipsat.game import legal_order_texts, standings
from dipsat.searches import AnyUnits, OpenPosition
from dipsat.searches.difference_goal import cycle_suspects
from tests.exhaustive import exhaustive
from tests.search.test_units_anywhere import BOARD, REGIONS, Slots, slots_at_random

SETTINGS = dipsat.load_profile("datc").settings
POWERS = ("FRANCE", "ITALY", "ENGLAND", "GERMANY")
WORDS = (
    "dislodged({})", "enters({})", "moves({})", "stays({})", "occupied({})", "stands({}, FRANCE)",
    "goes({}, {})", "any(dislodge(u) for u in units if u.power == FRANCE)",
    "sum(dislodge(u) for u in units) >= 2", "enters({}) and not dislodged({})",
    "any(move(m) for m in Move if m.target == {} and m.convoyed)",
    "any(dislodged(p) for p in provinces if p.supply) and stays({})",
)  # fmt: skip


def positions(slots: Slots, known: str) -> Iterator[Position]:
    """Every position with the known unit of Italy; England comes before Germany."""
    places = [tuple(standings(one, BOARD)) for one, _ in slots]
    powers = [POWERS if power == "any" else (power,) for _, power in slots]
    for standing in product(*places):
        codes = {place[:3] for _, place in standing} - {known[2:5]}
        if len(codes) < len(standing):
            continue
        for owners in product(*powers):
            if "GERMANY" in owners and "ENGLAND" not in owners[: owners.index("GERMANY")]:
                continue
            units = {"ITALY": [known]}
            for (kind, place), power in zip(standing, owners, strict=True):
                units.setdefault(power, []).append(f"{kind} {place}")
            yield Position.from_units(units)


def agrees(seed: int, number: int) -> str:
    """Ask about all positions at once and about each; the verdict, if it is the same."""
    random = Random(seed)
    slots = slots_at_random(random, number)
    region = next(one for one in REGIONS if slots[0][0].places[0] in str(one))
    taken = {place for one, _ in slots for place in one.places}
    known = random.choice([unit for unit in region if unit[2:5] not in taken])
    each = list(positions(slots, known))
    if not each:
        return "refused"
    codes = [*(place[:3] for one, _ in slots for _, place in standings(one, BOARD)), known[2:5]]
    goal = random.choice(WORDS).format(*random.choices(codes, k=2))
    questions: list[Question] = [Achieve(goal), Achieve(goal), Paradox(), Differ("4.A.3-a")]
    question = random.choice(questions)
    legal = legal_order_texts(random.choice(each), SETTINGS)[known]
    unclear = ["/", "VIA"] if isinstance(question, Differ) else ["/"]  # rules differ about VIA
    order = random.choice([one for one in legal if not any(part in one[6:] for part in unclear)])
    units: dict[str, list[str | AnyUnits]] = {"ITALY": [known]}
    for one, power in slots:
        units.setdefault(power, []).append(one)
    orders = {"ITALY": [order]}
    found = dipsat.search(OpenPosition.from_units(units), question, orders)
    verdicts = {dipsat.search(one, question, orders).verdict for one in each}
    verdict = "found" if "found" in verdicts else "impossible"
    assert found.verdict == verdict, (seed, slots, orders, question)
    return verdict


@pytest.mark.parametrize("seed", [1])
def test_orders_beside_open_units_agree_with_questions_about_each_position(seed: int) -> None:
    agrees(seed, 2)


@exhaustive
def test_many_orders_beside_open_units_agree_with_questions_about_each_position() -> None:
    verdicts = [agrees(seed, 2) for seed in range(30)]
    assert verdicts.count("found") >= 5
    assert verdicts.count("impossible") >= 5


def ask(tmp_path: Path, text: str, *arguments: str) -> Result:
    file = tmp_path / "board.yaml"
    file.write_text(text, encoding="utf-8")
    command, *rest = arguments
    return CliRunner().invoke(main, ["search", command, str(file), *rest])


def test_units_join_those_that_are_there(tmp_path: Path) -> None:
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
def test_orders_that_cannot_stand_beside_open_units_are_refused(
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


def test_one_more_unit_makes_rules_for_paradoxes_differ() -> None:
    """DATC 6.F.17, in which the second support for the army to London is missing."""
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
