"""Recorded phases judged at once, as codes: the same reports as phase by phase."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import dipsat
from dipsat.formats import RecordedGame
from dipsat.formats.records import Unread
from dipsat.formats.saved_game import read_phase_lines
from dipsat.game import PhaseKind
from dipsat.studies import (
    GameReport,
    compiled_phases as module,
    random_board,
    replays as game_module,
)
from dipsat.studies.compiled_phases import moves_of_game
from dipsat.studies.replays import replay_game
from tests.exhaustive import parts_of
from tests.kernel.kernel_agreement import needs_compiler
from tests.recorded import FEW, needs_games, recorded_games
from tests.studies.test_replay import retreating

pytestmark = needs_compiler


def game_of(lines: list[dict[str, Any]]) -> RecordedGame:
    """The game of these lines, without those that cannot be read."""
    return read_phase_lines(list(enumerate(lines, 1)), "x", unread=Unread())


def with_care(game: RecordedGame, monkeypatch: pytest.MonkeyPatch) -> GameReport:
    with monkeypatch.context() as patch:
        patch.setattr(module, "moves_of_game", lambda *_: {})
        return replay_game(game)


UNITS = ["A RUH", "A UKR", "F TYS", "F STP/NC"]
ORDERS = ["WAIVE", "A PAR D", "F STP B", "A STP B", "F BRE - XYZ", "F STP/SC B", "PAR H"]
OTHERS = {
    "next_units": UNITS, "next_dislodged": UNITS, "orders": ORDERS, "next_centers": ["PAR", "KIE"],
}  # fmt: skip


def other_entry(rng: random.Random, line: dict[str, Any]) -> None:
    """A unit, centre or order of some power is missing, another one, or there are more."""
    key = rng.choice(sorted(OTHERS))
    power = rng.choice(sorted(line["units"]))
    entries = (line[key] or {}).setdefault(power, [])
    more = [*OTHERS[key], *line["units"][power], *(text.replace(" - ", " R ") for text in entries)]
    if entries and rng.random() < 0.7:
        entries.pop(rng.randrange(len(entries)))
    if rng.random() < 0.7:
        entries.append(rng.choice(more))
    if key == "next_dislodged":
        line.pop("next_retreat_options", None)
        if rng.random() < 0.5:
            line["next_phase"] = line["phase"][:5] + "R"


def other_phase(rng: random.Random, line: dict[str, Any]) -> None:
    year = int(line["next_phase"][1:5])
    phases = [f"S{year}M", f"F{year}M", f"F{year}R", f"W{year}A", f"S{year + 1}M", "COMPLETED"]
    line["next_phase"] = rng.choice(phases)


def other_options(rng: random.Random, line: dict[str, Any]) -> None:
    line["next_retreat_options"] = {
        power: {text: rng.sample(["BUR", "PIC", "BEL"], rng.randint(0, 2)) for text in texts}
        for power, texts in line["next_dislodged"].items()
    }


def no_centers(rng: random.Random, line: dict[str, Any]) -> None:
    line["next_centers"] = None


CHANGES: tuple[Callable[[random.Random, dict[str, Any]], None], ...] = (
    other_entry, other_entry, other_entry, other_entry, other_phase, other_options, no_centers,
)  # fmt: skip


@cache
def tense_game(seed: int) -> list[dict[str, Any]]:
    """Moves of fall in which units are dislodged, with the retreats and adjustments after them."""
    rng = random.Random(seed)
    board = random_board(seed, 30)
    homes = {name: power.centers for name, power in dipsat.load_map("standard").powers.items()}
    position = dipsat.Position.from_units(board.units, "standard", "F1901M", homes)
    orders: dict[str, list[str]] = {power: list(texts) for power, texts in board.orders.items()}
    lines = []
    for _ in range(3):
        after = dipsat.adjudicate(position, orders).next
        line = {"source": "g", **position.to_dict(), "orders": orders}
        del line["retreats"]
        for key, value in after.to_dict().items():
            line[{"retreats": "next_retreat_options"}.get(key, f"next_{key}")] = value
        lines.append(line)
        position, orders = after, {}
        for lost in position.dislodged:
            retreats = [f"{lost.unit} R {place}" for place in lost.retreats]
            order = rng.choice([*retreats, f"{lost.unit} D"])
            orders.setdefault(lost.unit.power, []).append(order)
        if position.phase.kind is PhaseKind.ADJUSTMENT:
            for unit in rng.sample(position.units, 12):
                orders.setdefault(unit.power, []).append(f"{unit} D")
            orders.setdefault("FRANCE", []).extend(["A PAR B", "F BRE B"])
    return lines


def changed(lines: list[dict[str, Any]], seed: int) -> list[dict[str, Any]]:
    """A game with a phase that is recorded otherwise; every other time one after which units are
    dislodged, if there is one."""
    rng = random.Random(seed)
    found: list[dict[str, Any]] = json.loads(json.dumps(lines))
    dislodging = [line for line in found if line["next_dislodged"]]
    line = rng.choice((seed % 2 and dislodging) or found)
    change = rng.choice(CHANGES)
    change(rng, line)
    return found


@pytest.mark.parametrize("seeds", parts_of(range(300), 12))
def test_reports_are_those_of_careful_judging(
    seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_module, "causes_of_difference", lambda *_: None)  # takes long
    at_once = judged = 0
    for seed in seeds:
        game = game_of(changed(tense_game(seed % 20), seed))
        judge = moves_of_game(game, dipsat.load_profile("datc"))
        at_once += sum((id(record) in judge) for record in game.phases)
        judged += len(game.phases)
        assert replay_game(game).to_dict() == with_care(game, monkeypatch).to_dict(), seed
    assert at_once > judged // 5


@pytest.mark.parametrize("order", ["A POR D", "A POR R SPA"])
def test_a_recorded_retreat_phase_in_which_nobody_can_retreat_is_judged_alike(
    order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {"FRANCE": ["A SPA", "F MAO"], "ENGLAND": ["A POR"]}
    after = {"FRANCE": ["A POR", "F MAO"]}
    moves = {"FRANCE": ["A SPA - POR", "F MAO S A SPA - POR"]}
    lost = {"ENGLAND": ["A POR"]}
    game = game_of([
        {"source": "g", "phase": "S1901M", "units": before, "dislodged": {}, "orders": moves,
         "next_phase": "S1901R", "next_units": after, "next_dislodged": lost},
        {"source": "g", "phase": "S1901R", "units": after, "dislodged": lost,
         "orders": {"ENGLAND": [order]},
         "next_phase": "F1901M", "next_units": after, "next_dislodged": {}},
    ])  # fmt: skip
    judge = moves_of_game(game, dipsat.load_profile("datc"))
    assert [(id(record) in judge) for record in game.phases] == [True, False]
    assert replay_game(game).to_dict() == with_care(game, monkeypatch).to_dict()


def test_moves_are_not_those_of_retreats_after_a_phase_that_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The retreats fit the moves before the unreadable phase, but nobody knows what it was."""
    moves, retreats = retreating(["F ADR - ALB"], "A SER D")
    game = game_of([moves, retreats | {"phase": "Q1901M"}, retreats])
    report = replay_game(game)
    assert (report.agree, [one.phase for one in report.skipped]) == (1, ["Q1901M", "S1901R"])
    assert report.to_dict() == with_care(game, monkeypatch).to_dict()


@needs_games
def test_nearly_all_moves_of_games_of_people_are_judged_at_once() -> None:
    found: list[bool] = []
    for lines in recorded_games(FEW[:2]):
        game = game_of(lines)
        judge = moves_of_game(game, dipsat.load_profile("datc"))
        for record in game.phases:
            assert record.before.phase is not None
            if record.before.phase.kind is PhaseKind.MOVEMENT:
                found.append(id(record) in judge)
    assert sum(found) >= 0.8 * len(found) > 0
