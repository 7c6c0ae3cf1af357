"""Questions about units that may stand anywhere, against questions about each position."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import Differ, Paradox, Position, Question, searches
from dipsat.cli import main
from dipsat.errors import PositionError
from dipsat.game import standings
from dipsat.searches import AnyUnits, OpenPosition
from tests.exhaustive import exhaustive

BOARD = dipsat.load_map("standard")
REGIONS = (
    ("A LON", "A WAL", "A PIC", "A BRE", "A BEL", "F LON", "F BRE", "F WAL", "F ENG", "F NTH"),
    ("A SPA", "A POR", "A GAS", "F SPA/SC", "F SPA/NC", "F POR", "F MAO", "F WES", "F LYO"),
    ("A CON", "A SMY", "A BUL", "A ANK", "F ANK", "F CON", "F BUL/EC", "F BLA", "F AEG"),
)
QUESTIONS: tuple[Question, ...] = (
    Paradox(),
    Paradox("none"),
    Paradox("Szykman"),
    Paradox("circular movement"),
    *map(Differ, ("4.A.2-all-hold", "4.A.3-a", "4.A.3-d", "4.A.4-b", "4.A.5-a", "4.A.7-a")),
)
POWERS = ("FRANCE", "ENGLAND", "ITALY")
Slots = list[tuple[AnyUnits, str]]


def slots_at_random(random: Random, number: int) -> Slots:
    """Units with a few places each; at least one is a fleet at sea."""
    region = random.choice(REGIONS)
    found = []
    for at in range(number):
        kind = "F" if at == 0 else random.choice("AAF")
        places = [one[2:5] for one in region if one[0] == kind]
        if at == 0:
            places = places[-3:]
        chosen = random.sample(list(dict.fromkeys(places)), random.choice((1, 1, 2)))
        found.append((AnyUnits(1, kind, tuple(chosen)), random.choice(("any", "any", "FRANCE"))))
    return found


def positions(slots: Slots) -> Iterator[Position]:
    """Every position, with three powers for those that may have any."""
    places = [tuple(standings(one, BOARD)) for one, _ in slots]
    powers = [POWERS if power == "any" else (power,) for _, power in slots]
    seen = set()
    for standing in product(*places):
        if len({place[:3] for _, place in standing}) < len(standing):
            continue
        for owners in product(*powers):
            units: dict[str, list[str]] = {}
            for (kind, place), power in zip(standing, owners, strict=True):
                units.setdefault(power, []).append(f"{kind} {place}")
            # Which power is which does not matter, except for the given one.
            alike = frozenset((power == "FRANCE", frozenset(own)) for power, own in units.items())
            given = any(power == "FRANCE" for _, power in slots)
            key = alike if given else frozenset(own for _, own in alike)
            if key not in seen:
                seen.add(key)
                yield Position.from_units(units)


def agrees(seed: int, number: int) -> str:
    """Ask about all positions at once and about each; the verdict, if it is the same."""
    random = Random(seed)
    slots, question = slots_at_random(random, number), random.choice(QUESTIONS)
    units = {power: [one for one, other in slots if other == power] for _, power in slots}
    try:
        anywhere = OpenPosition.from_units(units)
    except PositionError:  # no room for all of them
        assert not any(positions(slots))
        return "refused"
    found = dipsat.search(anywhere, question)
    each = (dipsat.search(one, question, open="all").verdict for one in positions(slots))
    verdict = "found" if "found" in each else "impossible"
    assert found.verdict == verdict, (slots, question)
    return verdict


@pytest.mark.parametrize("seed", [1, 5])
def test_a_question_about_all_positions_agrees_with_one_about_each(seed: int) -> None:
    agrees(seed, 3)


@exhaustive
def test_many_questions_about_all_positions_agree_with_those_about_each() -> None:
    verdicts = [agrees(seed, 3) for seed in range(0, 40, 2)]
    assert verdicts.count("found") >= 3
    assert verdicts.count("impossible") >= 8


def test_the_smallest_convoy_paradox_has_four_units() -> None:
    found = searches.search_smallest(Paradox("Szykman"))
    assert (found.verdict, found.fewest, found.bound) == ("found", 4, 4)
    outcome = dipsat.adjudicate(Position.from_units(found.units), found.orders)
    assert "Szykman" in str(outcome.to_dict())
    assert dipsat.search(OpenPosition.from_units("any 3"), Paradox("Szykman")).verdict == (
        "impossible"
    )


def test_a_proof_that_ends_early_says_how_far_it_got() -> None:
    found = searches.search_smallest(Paradox("none"), limits=dipsat.Limits(work=30_000))
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
def test_a_file_may_leave_open_where_units_stand(units: str, fault: str, tmp_path: Path) -> None:
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
def test_units_that_cannot_stand_at_the_same_time_are_refused(units: dict[str, str]) -> None:
    with pytest.raises(dipsat.DipsatError, match="cannot stand in different provinces"):
        OpenPosition.from_units(units)


def test_answers_about_units_anywhere_can_be_sent_between_processes() -> None:
    answer = dipsat.search(OpenPosition.from_units("any 2"), Differ("4.A.3-a"))
    assert pickle.loads(pickle.dumps(answer)) == answer
