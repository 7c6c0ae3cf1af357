"""Retreats and adjustments of recorded games: who stays, who owns what, what comes next.

Each retreat phase starts from the position that dipsat's own movement outcome leads to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

import dipsat
from dipsat.game import PhaseKind
from tests.exhaustive import exhaustive
from tests.recorded import FEW, REST, each_part, needs_games, recorded_phases

pytestmark = needs_games
Units = Mapping[str, Any]


def phases(games: Collection[int]) -> Iterator[dict[str, Any]]:
    return (entry for entry in recorded_phases(games) if not entry.get("unparsed_orders"))


def by_power(units: Units) -> dict[str, list[str]]:
    return {power: sorted(texts) for power, texts in units.items() if texts}


def position_of(entry: dict[str, Any]) -> dipsat.Position:
    return dipsat.Position.from_units(
        entry["units"], phase=entry["phase"], centers=entry["centers"]
    )


def offers_an_occupied_province(entry: dict[str, Any]) -> bool:
    """The `diplomacy` package lets a unit that a convoyed army dislodged retreat anywhere."""
    occupied = {unit.split()[1].partition("/")[0] for u in entry["units"].values() for unit in u}
    offered = [place for places in entry["retreat_options"].values() for place in places]
    return any(place.partition("/")[0] in occupied for place in offered)


@exhaustive
@each_part
def test_every_adjustment_is_as_recorded_under_the_rule_that_was_played(
    games: Collection[int],
) -> None:
    """The judges of these games disband by the distance to HOME centres, over land and sea for
    both kinds; the rule of 2023 (owned centres) differs only where civil disorder decides."""
    datc = dipsat.load_profile("datc")
    home = replace(datc, settings=replace(datc.settings, civil_disorder="home"))
    found: Counter[str] = Counter()
    for entry in phases(games):
        if entry["phase"][-1] != PhaseKind.ADJUSTMENT:
            continue
        position, recorded = position_of(entry), by_power(entry["next_units"])
        played = dipsat.adjudicate(position, entry["orders"], home)
        assert by_power(played.units) == recorded, (entry["source"], entry["phase"])
        assert by_power(played.next.centers) == by_power(entry["next_centers"])
        found["adjustments"] += 1
        if by_power(dipsat.adjudicate(position, entry["orders"]).units) != recorded:
            assert "civil_disorder_disband" in entry["flags"]
            found["owned centres decide otherwise"] += 1
    assert found["adjustments"] > 5 * len(games)
    assert found["owned centres decide otherwise"] > len(games) // 6


@exhaustive
@pytest.mark.parametrize("games", [[*FEW, *REST[::6]]])
def test_every_retreat_is_as_recorded_where_the_movement_was(games: Collection[int]) -> None:
    """A retreat phase follows its movement phase; where the judge moved otherwise (such phases
    are classified with the movement phases), or has a retreat phase for units that cannot
    retreat, there is nothing to compare."""
    found: Counter[str] = Counter()
    before: dict[str, Any] | None = None  # the movement phase
    for entry in phases(games):
        kind = entry["phase"][-1]
        if kind == PhaseKind.MOVEMENT:
            before = entry
        elif kind == PhaseKind.RETREAT:
            found["retreat phases"] += 1
            if before is None or before["source"] != entry["source"]:
                found["movement judged otherwise"] += 1
                continue
            position = dipsat.adjudicate(position_of(before), before["orders"]).next
            if str(position.phase) != entry["phase"]:
                found["movement judged otherwise"] += 1
                continue
            units: dict[str, list[str]] = {}
            for unit in position.units:
                units.setdefault(unit.power, []).append(str(unit))
            if by_power(units) != by_power(entry["units"]):
                found["movement judged otherwise"] += 1
                continue
            outcome = dipsat.adjudicate(position, entry["orders"])
            if by_power(outcome.units) == by_power(entry["next_units"]):
                found["equal"] += 1
            else:
                assert offers_an_occupied_province(entry), (entry["source"], entry["phase"])
                found["retreat to an occupied or contested province offered"] += 1
    assert found["equal"] > 5 * len(games)
    assert found["retreat to an occupied or contested province offered"] <= 1
    assert found["movement judged otherwise"] < 100, found


@each_part
def test_ownership_after_fall_is_as_recorded(games: Collection[int]) -> None:
    found: Counter[bool] = Counter()
    for entry in phases(games):
        if entry["phase"][0] != "F" or entry["next_phase"][0] not in "WS":
            continue
        if entry["phase"][-1] == PhaseKind.RETREAT:
            continue
        following = dipsat.adjudicate(position_of(entry), entry["orders"]).next
        if by_power({"": map(str, following.units)}) == by_power(
            {"": [unit for units in entry["next_units"].values() for unit in units]}
        ):
            found[by_power(following.centers) == by_power(entry["next_centers"])] += 1
    assert found[False] == 0
    assert found[True] > len(games)
