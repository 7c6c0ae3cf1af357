"""Games of webDiplomacy, from files made by hand after the site's `api/README.md` and its answers.
The numbers of places and powers are those of its variants."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat.errors import FileError
from dipsat.formats import RecordedGame, game_texts_in, parse_games

ENGLAND, FRANCE, ITALY, GERMANY = 1, 2, 3, 4
EDI, LON, ROM, PIE, KIE, RUH, HOL, BEL, PAR, BUR, MAR, ENG = (
    2, 6, 12, 14, 37, 42, 43, 44, 47, 48, 49, 60,
)  # fmt: skip
ARMY, FLEET = "Army", "Fleet"
EARLY = {EDI: ENGLAND, LON: ENGLAND, PAR: FRANCE, MAR: FRANCE, KIE: GERMANY}
"""Who owns which centre until the fall."""


def unit(country: int, kind: str, place: int, retreating: str = "No") -> dict[str, Any]:
    """A unit, as the site states it."""
    return {"unitType": kind, "terrID": place, "countryID": country, "retreating": retreating}


def order(country: int, type: str, place: int, to: int = 0, **other: Any) -> dict[str, Any]:
    """An order, as the site states it."""
    stated = {"countryID": country, "terrID": place, "type": type, "toTerrID": to, "fromTerrID": 0}
    return {**stated, "unitType": "", "viaConvoy": "No", "success": "Yes", **other}


def phase(
    turn: int,
    name: str,
    units: Sequence[Mapping[str, Any]],
    orders: Sequence[Mapping[str, Any]] = (),
    owners: Mapping[int, int] = EARLY,
) -> dict[str, Any]:
    """A phase. The site lists all places that may be owned, also those that nobody owns."""
    centers = [{"terrID": place, "countryID": owner} for place, owner in owners.items()]
    nobody = [{"terrID": BUR, "countryID": 2}, {"terrID": 8, "countryID": 0}]
    return {
        "turn": turn, "phase": name, "units": list(units), "orders": list(orders),
        "centers": [*centers, *nobody],
    }  # fmt: skip


SPRING = [
    unit(ENGLAND, ARMY, LON), unit(ENGLAND, FLEET, ENG), unit(FRANCE, ARMY, PAR),
    unit(FRANCE, ARMY, MAR), unit(ITALY, ARMY, PIE), unit(GERMANY, ARMY, BUR),
]  # fmt: skip
MOVED = [
    unit(ENGLAND, ARMY, BEL), unit(ENGLAND, FLEET, ENG), unit(FRANCE, ARMY, BUR),
    unit(FRANCE, ARMY, MAR), unit(ITALY, ARMY, PIE),
]  # fmt: skip
LATE = {**EARLY, BEL: ENGLAND, HOL: GERMANY}
PHASES = [
    phase(0, "Diplomacy", SPRING, [
        order(ENGLAND, "Move", LON, BEL, viaConvoy="Yes", unitType=ARMY),
        order(ENGLAND, "Convoy", ENG, BEL, fromTerrID=LON, unitType=FLEET),
        order(FRANCE, "Move", PAR, BUR, unitType=ARMY),
        order(FRANCE, "Support move", MAR, BUR, fromTerrID=PAR, unitType=ARMY),
        order(ITALY, "Support hold", PIE, MAR, unitType=ARMY),
        order(GERMANY, "Hold", BUR, unitType=ARMY, success="No", dislodged="Yes"),
    ]),
    phase(0, "Retreats", [*MOVED, unit(GERMANY, ARMY, BUR, "Yes")], [
        order(GERMANY, "Retreat", BUR, RUH, unitType=ARMY),
    ]),
    phase(1, "Diplomacy", [*MOVED, unit(GERMANY, ARMY, RUH)], [
        order(GERMANY, "Move", RUH, HOL, unitType=ARMY),
        order(FRANCE, "Hold", BUR, unitType=ARMY),
    ]),
    phase(1, "Builds", [*MOVED, unit(GERMANY, ARMY, HOL)], [
        order(ENGLAND, "Build Fleet", EDI),
        order(ITALY, "Destroy", PIE),
        order(GERMANY, "Wait", 0),
    ], LATE),
    phase(2, "Finished", [
        *MOVED[:4], unit(ENGLAND, FLEET, EDI), unit(GERMANY, ARMY, HOL),
    ], (), LATE),
]  # fmt: skip
ORDERS = [
    {
        "ENGLAND": ("A LON - BEL VIA", "F ENG C A LON - BEL"),
        "FRANCE": ("A PAR - BUR", "A MAR S A PAR - BUR"),
        "ITALY": ("A PIE S A MAR",),
        "GERMANY": ("A BUR H",),
    },
    {"GERMANY": ("A BUR R RUH",)},
    {"GERMANY": ("A RUH - HOL",), "FRANCE": ("A BUR H",)},
    {"ENGLAND": ("F EDI B",), "ITALY": ("A PIE D",), "GERMANY": ("WAIVE",)},
]


def status(*phases: Mapping[str, Any], **members: Any) -> dict[str, Any]:
    """The status of a game."""
    return {"gameID": 5, "countryID": 2, "variantID": 1, "phases": list(phases), **members}


def read(value: object, skip_faults: bool = False) -> RecordedGame:
    """The game that a value states."""
    (text,) = game_texts_in(json.dumps(value), "x.json")
    assert not isinstance(text, Exception)
    (game,) = parse_games(text, skip_faults=skip_faults)
    assert isinstance(game, RecordedGame)
    return game


def test_the_status_of_a_game_has_its_boards_and_orders() -> None:
    game = read(status(*PHASES))
    names = [str(one.before.phase) for one in game.phases]
    assert names == ["S1901M", "S1901R", "F1901M", "W1901A"]
    assert [dict(one.orders) for one in game.phases] == ORDERS
    assert game.phases[0].before.centers == {
        "ENGLAND": ("EDI", "LON"), "FRANCE": ("MAR", "PAR"), "GERMANY": ("KIE",),
    }  # fmt: skip
    assert (game.source, game.map_name, game.remarks) == ("x.json: 5", "standard", ())
    assert game.phases[-1].after is not None
    assert game.phases[-1].after.phase is None


@pytest.mark.parametrize("first", [True, False])
def test_if_a_phase_is_stated_twice_the_copy_with_orders_counts(first: bool) -> None:
    bare = phase(0, "Diplomacy", SPRING)
    game = read(status(*(PHASES[0], bare) if first else (bare, PHASES[0]), *PHASES[1:]))
    assert [dict(one.orders) for one in game.phases] == ORDERS
    number, where = (2, "above") if first else (1, "below")
    problem = f"number {number} in the list is left out, since it has this phase again {where}"
    assert game.remarks == (f"x.json: phases: S1901M: {problem}",)


def test_such_a_game_is_judged_as_the_site_judged_it(tmp_path: Path) -> None:
    (tmp_path / "game").write_text(json.dumps(status(*PHASES)), encoding="utf-8")
    game = dipsat.Game.load(tmp_path / "game")
    for before, after in pairwise((*game.history, game.turn)):
        assert before.outcome.next.to_dict() == after.position.to_dict()


def test_numbers_mean_what_they_do_in_the_variant() -> None:
    """France against Austria counts coasts among the places. Chaos begins with builds, in the year
    before the first moves."""
    fleet = order(1, "Move", 9, 67, unitType=FLEET)
    (one,) = read(status(phase(0, "Diplomacy", [unit(1, FLEET, 9)], [fleet]), variantID=15)).phases
    assert one.orders == {"FRANCE": ("F SPA/NC - MAO",)}
    chaos = read(status(phase(0, "Builds", []), phase(0, "Diplomacy", []), variantID="17"))
    assert [str(one.before.phase) for one in chaos.phases] == ["W1900A", "S1901M"]


def test_a_status_of_one_phase_is_read_without_the_orders_of_others() -> None:
    """An older interface gave the present board and all orders, and the turn as text."""
    one = phase(1, "Diplomacy", SPRING)
    orders = [order(FRANCE, "Hold", PAR, turn=turn, phase="Diplomacy") for turn in (0, 1)]
    orders[0]["terrID"] = MAR
    game = read({"gameID": 5, "variantID": 1, **one, "turn": "1", "orders": orders})
    assert [str(one.before.phase) for one in game.phases] == ["F1901M"]
    assert game.phases[0].orders == {"FRANCE": ("A PAR H",)}
    assert game.remarks == (
        "x.json: orders of other phases are left out: it has no boards of them",
    )


def test_a_last_retreat_phase_without_the_other_units_is_left_out() -> None:
    last = phase(0, "Retreats", [unit(GERMANY, ARMY, BUR, "Yes")])
    talk = {**PHASES[0], "messages": [{"message": "Hello"}]}
    game = read(status(talk, last))
    assert [str(one.before.phase) for one in game.phases] == ["S1901M"]
    assert game.phases[0].after is None
    assert game.remarks == (
        "x.json: S1901R: it is left out, since it lists only units that retreat",
        "x.json: messages and votes are left out",
    )


BROKEN: Mapping[str, tuple[dict[str, Any], str]] = {
    "variant": (status(PHASES[0], variantID=99), "variantID: variant 99 is unknown; known: 1"),
    "variant text": (status(PHASES[0], variantID="x"), "variantID: this should be a number"),
    "none": (status(), "it has no phases"),
    "list": (status(phases=7), "phases: this should be a list, not 7"),
    "entry": (status(phases=[7]), "phase 1: this should be an object, not 7"),
    "turn": (status({**PHASES[0], "turn": -1}), "phase 1, turn: this should be a number, not -1"),
    "late": (status({**PHASES[0], "turn": 999_999}), "phase 1: .*phase"),
    "kind": (status({**PHASES[0], "phase": "Tea"}), "this should be Diplomacy, Retreats, Builds"),
    "begun": (status({**PHASES[0], "phase": "Pre-game"}), "the game has not begun"),
    "unit": (status(phase(0, "Diplomacy", [unit(1, "Tank", LON)])), "S1901M, units, unitType"),
    "place": (status(phase(0, "Diplomacy", [unit(1, ARMY, 82)])), "a number from 1 to 81, not 82"),
    "power": (status(phase(0, "Diplomacy", [unit(0, ARMY, 6)])), "a number from 1 to 7, not 0"),
    "sea": (status(phase(0, "Diplomacy", [unit(1, ARMY, ENG)])), "an army cannot stand at sea"),
    "order": (
        status(phase(0, "Diplomacy", SPRING, [order(FRANCE, "Dance", PAR)])),
        "S1901M, orders, number 1, type: this should be Hold",
    ),
    "nowhere": (
        status(phase(0, "Diplomacy", SPRING, [order(FRANCE, "Move", PAR)])), "toTerrID: .*not 0",
    ),
    "misplaced": (
        status(phase(0, "Diplomacy", SPRING, [order(FRANCE, "Build Army", PAR)])),
        "S1901M is a movement phase",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("value", "message"), BROKEN.values(), ids=BROKEN)
def test_faults_name_the_phase_and_the_keys(value: dict[str, Any], message: str) -> None:
    with pytest.raises(FileError, match=message) as error:
        read(value)
    assert str(error.value).startswith("x.json: ")


def test_what_is_faulty_is_left_out_if_asked() -> None:
    bad = [order(FRANCE, "Dance", PAR), order(FRANCE, "Hold", MAR)]
    lost = phase(0, "Retreats", [unit(1, ARMY, 82)])
    game = read(status(phase(0, "Diplomacy", SPRING, bad), lost), skip_faults=True)
    assert game.phases[0].orders == {"FRANCE": ("A MAR H",)}
    assert "type: this should be" in game.phases[0].fault
    assert [one.at for one in game.unread] == [1]
