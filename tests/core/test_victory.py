"""Who has won: the rule for each value of the setting, and recorded games that end in a win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

import dipsat
from dipsat.board import parse_map
from dipsat.errors import ProblemsError
from dipsat.game import centers_to_win, victor
from dipsat.rules import Settings, setting_values
from tests.exhaustive import exhaustive
from tests.recorded import each_part, needs_games, recorded_games

STANDARD = dipsat.load_map("standard")
CENTERS = sorted(code for code, province in STANDARD.provinces.items() if province.supply)
ISLAND = """
name: island
victory: 2
powers:
  NORTH: {home: [AAA], start: [A AAA]}
  SOUTH: {home: [BBB], start: [A BBB]}
provinces:
  AAA: {name: Alpha, type: land, supply: true, army: [BBB]}
  BBB: {name: Beta, type: land, supply: true, army: [AAA, CCC]}
  CCC: {name: Gamma, type: land, supply: true, army: [BBB]}
"""


def owning(**numbers: int) -> dipsat.Position:
    """A position in which each power owns the given number of centres of the standard map."""
    left = iter(CENTERS)
    centers = {power: [next(left) for _ in range(count)] for power, count in numbers.items()}
    return dipsat.Position.from_units({}, centers=centers)


@pytest.mark.parametrize(
    ("numbers", "winner"),
    [({"FRANCE": 17, "TURKEY": 16}, None), ({"FRANCE": 18, "TURKEY": 16}, "FRANCE"), ({}, None)],
)
def test_eighteen_centres_win_on_the_standard_map(
    numbers: Mapping[str, int], winner: str | None
) -> None:
    assert victor(owning(**numbers), Settings()) == winner


def test_how_many_centres_win() -> None:
    """A majority of 34 is 18."""
    needed = {
        (value, victory): centers_to_win(
            replace(STANDARD, victory=victory),
            Settings(victory=value),  # type: ignore[arg-type]
        )
        for value in setting_values()["victory"]
        for victory in (12, None)
    }
    assert needed == {
        ("map", 12): 12, ("map", None): 18, ("majority", 12): 18, ("majority", None): 18,
        ("never", 12): None, ("never", None): None,
    }  # fmt: skip


def test_nobody_has_won_with_as_many_centres_as_another() -> None:
    board = replace(STANDARD, victory=12)
    for others, winner in ((11, "FRANCE"), (12, None), (13, "TURKEY")):
        position = replace(owning(FRANCE=12, TURKEY=others), map=board)
        assert victor(position, Settings()) == winner


def test_a_majority_is_more_than_half() -> None:
    for supply, needed in ((3, 2), (2, 2), (1, 1)):
        text = ISLAND.replace("victory: 2\n", "").replace("supply: true, ", "", 3 - supply)
        text = text.replace("home: [AAA], ", "").replace("home: [BBB], ", "")
        assert centers_to_win(parse_map(text, "island.yaml"), Settings()) == needed


@pytest.mark.parametrize("victory", [0, 4])
def test_a_map_that_nobody_can_win_is_an_error(victory: int) -> None:
    assert parse_map(ISLAND, "island.yaml").victory == 2
    with pytest.raises(ProblemsError) as error:
        parse_map(ISLAND.replace("victory: 2", f"victory: {victory}"), "island.yaml")
    assert str(error.value) == (
        f"island.yaml:3:10: victory takes 1 to 3 centres, the number on the map; not {victory}"
    )


def test_a_power_wins_when_fall_gives_it_the_centre_and_not_before() -> None:
    owned = [code for code in CENTERS if code != "BEL"][:17]
    for phase, winner in (("S1907M", None), ("F1907M", "FRANCE")):
        position = dipsat.Position.from_units(
            {"FRANCE": ["A PIC"]}, phase=phase, centers={"FRANCE": owned}
        )
        outcome = dipsat.adjudicate(position, {"FRANCE": ["A PIC - BEL"]})
        assert outcome.winner == outcome.to_dict()["winner"] == winner
        datc = outcome.profile
        never = replace(datc, settings=replace(datc.settings, victory="never"))
        assert dipsat.adjudicate(position, {"FRANCE": ["A PIC - BEL"]}, never).winner is None


# --- recorded games -------------------------------------------------------------------------------

Entries = Sequence[dict[str, Any]]


def largest(centers: Mapping[str, Sequence[str]]) -> int:
    return max(map(len, centers.values()), default=0)


@exhaustive
@needs_games
@each_part
def test_recorded_games_end_with_the_first_position_that_has_a_victor(
    games: Collection[int],
) -> None:
    """Games that end in a draw, and records that break off, have none."""
    ends: Counter[bool] = Counter()
    for game in recorded_games(games):
        for entry in game:
            after = dipsat.Position.from_units({}, centers=entry["next_centers"])
            winner = victor(after, Settings())
            assert (winner is not None) == (largest(entry["next_centers"]) >= 18)
            assert winner is None or entry is game[-1]
        ends[winner is not None] += 1
    assert ends[True] > len(games) // 5
    assert ends[False] > len(games) // 5


@needs_games
@each_part
def test_the_outcome_of_the_last_phase_names_the_winner(games: Collection[int]) -> None:
    found: Counter[bool] = Counter()
    for game in recorded_games(games):
        entry = game[-1]
        if largest(entry["next_centers"]) < 18:
            continue
        outcome = dipsat.adjudicate(position_of(entry), entry["orders"])
        same = as_sets(outcome.next.centers) == as_sets(entry["next_centers"])
        found[same] += 1
        if same:
            assert outcome.winner is not None
            assert len(entry["next_centers"][outcome.winner]) >= 18
    assert found[True] > len(games) // 5
    assert not found[False]


def as_sets(centers: Mapping[str, Sequence[str]]) -> dict[str, set[str]]:
    return {power: set(owned) for power, owned in centers.items() if owned}


def position_of(entry: dict[str, Any]) -> dipsat.Position:
    """The position before a phase. Without recorded retreats, every empty neighbour is possible."""
    dislodged = entry["dislodged"]
    if "retreat_options" in entry:
        options = entry["retreat_options"]
        dislodged = {
            power: {unit: options.get(unit, ()) for unit in units}
            for power, units in dislodged.items()
        }
    return dipsat.Position.from_units(
        entry["units"], phase=entry["phase"], centers=entry["centers"], dislodged=dislodged
    )
