"""Recorded games of which most texts were read before: read as if every text were new."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

import dipsat
from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.formats import states
from dipsat.formats.game_files import GameText
from dipsat.formats.games import parse_games
from dipsat.formats.phase_lines import read_phase_lines
from dipsat.formats.records import RecordedGame
from dipsat.formats.states import StateReader
from dipsat.formats.texts_seen import TextsSeen
from dipsat.formats.unread import Unread
from dipsat.kept import own_fields
from tests.exhaustive import parts_of
from tests.test_game_files import phase_lines

UGLY: tuple[Any, ...] = (
    None, 1, True, "", "A PAR", "a par", "A  PAR", "*A PAR", "F STP", "A XYZ", "PAR", "bur", [],
    ["A PAR", "A PAR"], ["A PAR", 3], [["A PAR"]], ["F PAR"], {}, {"A PAR": ["BUR"]}, "W1901A",
    "A PAR - BUR", "A PAR R BUR", "A PAR B", ["A PAR - BUR", None], {"FRANCE": ["A PAR"]},
    {"France": ["A PAR"], "FRANCE": ["A BRE"]}, {"FRANCE": "A PAR"}, {"FRANCE": None}, "COMPLETED",
)  # fmt: skip


def places_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every object and list within a value, with each of its keys."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places_in(value[key])


def garbled(lines: list[dict[str, Any]], seed: int) -> list[dict[str, Any]]:
    """The lines with something ugly in one or two places."""
    rng = random.Random(seed)
    found: list[dict[str, Any]] = json.loads(json.dumps(lines))
    for _ in range(rng.randint(1, 2)):
        holder, key = rng.choice(list(places_in(rng.choice(found))))
        holder[key] = rng.choice(UGLY)
        if isinstance(holder, list) and rng.random() < 0.3:
            holder.append(holder[0])
    return found


def read(lines: list[dict[str, Any]], lenient: bool) -> RecordedGame | str:
    try:
        found = read_phase_lines(enumerate(lines, 1), "x", unread=Unread() if lenient else None)
    except dipsat.errors.DipsatError as error:
        return f"{type(error).__name__}: {error}"
    return found


@pytest.mark.parametrize("seeds", parts_of(range(1_000), 60))
def test_ugly_values_are_read_as_if_nothing_had_been_seen(
    seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = phase_lines(1, 3)
    read(lines, lenient=False)
    faults = 0
    for seed in seeds:
        ugly = garbled(lines, seed)
        quick = [read(ugly, lenient) for lenient in (False, True)]
        with monkeypatch.context() as patch:
            for name in ("units", "centers", "orders", "phase"):
                patch.setattr(TextsSeen, name, lambda *_: None)
            patch.setattr(TextsSeen, "is_order", lambda *_: False)
            assert quick == [read(ugly, lenient) for lenient in (False, True)], seed
        faults += isinstance(quick[0], str)
    assert 0 < faults < len(seeds)


def test_most_of_a_game_is_read_without_care(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = phase_lines(2, 4)
    first = read(lines, lenient=False)
    seen = TextsSeen.units
    answers = []

    def noted(self: TextsSeen, value: Any) -> Any:
        answers.append(seen(self, value))
        return answers[-1]

    monkeypatch.setattr(TextsSeen, "units", noted)
    assert read(lines, lenient=False) == first
    assert answers
    assert None not in answers
    assert len(answers) <= len(lines) + 1  # the end of a phase is the beginning of the next


def test_new_texts_take_no_care_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else each new text would have the whole section read with care in which it stands."""
    lines = phase_lines(4, 4)
    expected = read(lines, lenient=False)
    assert isinstance(expected, RecordedGame)
    board = load_map("standard")
    new = Map(**own_fields(board))
    monkeypatch.setattr(StateReader, "_place_units", lambda *_: pytest.fail("units with care"))
    monkeypatch.setattr(states, "_read_orders", lambda *_: pytest.fail("orders with care"))
    found = read_phase_lines(enumerate(lines, 1), "x", new)
    assert found.board is new
    assert found.phases == expected.phases


def test_faults_of_json_come_first_and_lines_are_read_one_by_one() -> None:
    lines = [json.dumps(line) for line in phase_lines(3, 4)]
    broken = lines[0].replace("1901M", "1901Q", 1)
    content = "\n".join([broken, lines[1], '{"a": 1', lines[2], "", "[1"]).encode()
    text = GameText("x", 7, "phase lines", content)
    (game,) = parse_games(text, skip_faults=True)
    assert isinstance(game, RecordedGame)
    assert [(one.at, one.fault.partition(": ")[0]) for one in game.unread] == [
        (2, "x:9:8"), (3, "x:12:3"), (0, "x:7"),
    ]  # fmt: skip
    assert len(game.phases) == 2
