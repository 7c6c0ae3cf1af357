"""Orders that are submitted before their phase begins, and playing a past phase again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import dipsat
from dipsat.errors import DipsatError, FileError, GameError, OrderFaultError, UnknownNameError
from dipsat.formats import addresses_in, name_in

# In fall, Germany is driven out of Munich, and can only go to three places.
BOARD = dipsat.Position.from_units(
    {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN", "F KIE"]},
    phase="F1901M",
    centers={"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["MUN", "KIE", "BER"]},
)
ATTACK = {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"]}


def fall() -> dipsat.Game:
    return dipsat.Game(BOARD)


def test_an_order_for_a_later_phase_is_submitted_when_that_begins() -> None:
    game = fall().submit(ATTACK)
    game.submit("Germany", ["A MUN R TYR"], phase="F1901R")
    game.submit({"FRANCE": ["Build F BRE"], "GERMANY": ["Build A BER"]}, phase="Winter 1901")
    assert game.orders.get("GERMANY", ()) == ()
    assert game.later["F1901R"] == {"GERMANY": ("A MUN R TYR",)}
    game.advance()
    assert game.orders == {"GERMANY": ("A MUN R TYR",)}
    assert list(game.missing) == []
    assert game.advance().order("A MUN").verdict == "succeeds"
    assert game.orders == {"FRANCE": ("Build F BRE",), "GERMANY": ("Build A BER",)}
    assert (game.later, game.turn.left_out) == ({}, ())


def test_an_order_without_a_unit_is_left_out_and_so_is_one_of_a_skipped_phase() -> None:
    game = fall().submit(ATTACK)
    game.submit({"GERMANY": ["F KIE R HOL", "A MUN R TYR"]}, phase="F1901R")
    game.advance()
    assert game.orders == {"GERMANY": ("A MUN R TYR",)}
    (left,) = game.turn.left_out
    assert left == "Germany: F KIE R HOL is left out of F1901R: no dislodged unit is in KIE"
    calm = fall().submit("GERMANY", ["A MUN R TYR"], phase="F1901R")
    calm.submit("GERMANY", ["A RUH - BEL"], phase="S1902M")
    calm.advance()
    (left,) = calm.turn.left_out
    assert left.endswith("is left out of F1901R: no unit was dislodged")
    assert calm.later == {"S1902M": {"GERMANY": ("A RUH - BEL",)}}
    calm.advance()
    assert calm.turn.left_out == (
        "Germany: A RUH - BEL is left out of S1902M: "
        "the unit in RUH belongs to France, not Germany",
    )


@pytest.mark.parametrize("order", ["A MUN R BER, TYR, BOH", "A Mun - Ber or Tyr or Boh"])
def test_the_first_possible_one_of_several_retreats_sent_with_moves_is_made(
    order: str, tmp_path: Path
) -> None:
    game = fall().submit({"FRANCE": ATTACK["FRANCE"], "GERMANY": ["F KIE - BER"]})
    game.submit("GERMANY", [order], phase="F1901R")
    game.save(tmp_path / "game.json")
    for one in (game, dipsat.Game.load(tmp_path / "game.json")):
        one.advance()
        one.save(tmp_path / "again.json")
        assert dipsat.Game.load(tmp_path / "again.json").orders == one.orders
        assert one.advance().order("A MUN").order == "A MUN R TYR"


def test_orders_of_a_later_phase_replace_those_of_their_power_and_an_empty_list_takes_back() -> (
    None
):
    game = fall().submit("GERMANY", ["A MUN R TYR"], phase="F1901R")
    game.submit("GERMANY", ["A MUN R BOH"], phase="F1901R")
    assert game.later == {"F1901R": {"GERMANY": ("A MUN R BOH",)}}
    game.submit("GERMANY", [], phase="F1901R")
    assert game.later == {}


@pytest.mark.parametrize(
    ("power", "order", "phase", "error", "said"),
    [
        ("GERMANY", "A MUN - BUR", "S1901M", GameError, "S1901M is not a later phase"),
        ("GERMANY", "A MUN S F KIE", "F1901R", OrderFaultError, "F1901R is a retreat phase"),
        ("GERMANY", "A MUN R TYR", "W1901A", OrderFaultError, "W1901A is an adjustment phase"),
        ("GERMANY", "A MNU R TYR", "F1901R", UnknownNameError, "MNU"),
        ("GERMNY", "A MUN R TYR", "F1901R", UnknownNameError, "did you mean GERMANY"),
        ("GERMANY", "A MUN R TYR", "F1901Q", UnknownNameError, "unknown phase 'F1901Q'"),
    ],
)
def test_a_faulty_order_for_a_later_phase_is_refused_and_changes_nothing(
    power: str, order: str, phase: str, error: type[DipsatError], said: str
) -> None:
    game = fall().submit("GERMANY", ["A MUN R BOH"], phase="F1901R")
    before = game.to_dict()
    with pytest.raises(error, match=said):
        game.submit(power, [order], phase=phase)
    assert game.to_dict() == before


def test_nothing_is_submitted_in_a_game_that_is_over() -> None:
    """A game that is over takes no orders, so a file that had some could not be loaded."""
    centers = sorted(dipsat.load_map("standard").centers)
    board = dipsat.Position.from_units(
        {"FRANCE": ["A MUN"], "ITALY": ["A ROM"]},
        phase="F1901M",
        centers={"FRANCE": sorted({*centers[:18]} - {"MUN"}), "ITALY": centers[20:]},
    )
    game = dipsat.Game(board).submit("ITALY", ["Build A NAP"], phase="W1901A")
    while game.winner is None:
        game.advance()
    assert game.orders == {}
    assert game.turn.left_out[0].endswith("the game is over")


@pytest.mark.parametrize("file", ["game.json", "game.yaml"])
def test_a_file_keeps_players_deadlines_and_orders_of_later_phases(
    file: str, tmp_path: Path
) -> None:
    game = fall().submit(ATTACK)
    game.players = {"Germany": " Anna <anna@example.org> ", "FRANCE": "Bob", "ITALY": ""}
    game.deadline = "Friday, 20:00"
    game.submit("GERMANY", ["A MUN R TYR"], phase="F1901R")
    game.submit("GERMANY", ["Build A BER"], phase="W1901A")
    game.save(tmp_path / file)
    again = dipsat.Game.load(tmp_path / file)
    assert again.players == {"FRANCE": "Bob", "GERMANY": "Anna <anna@example.org>"}
    assert again.to_dict() == game.to_dict()
    again.advance()
    again.save(tmp_path / file)
    assert dipsat.Game.load(tmp_path / file).to_dict() == again.to_dict()
    assert again.copy().players == game.players
    assert (again.deadline, again.undo().deadline) == ("", "Friday, 20:00")
    assert again.to_dict() == game.to_dict()


def test_other_formats_have_no_players_and_a_game_without_them_is_written_as_before(
    tmp_path: Path,
) -> None:
    game = dipsat.Game.standard()
    plain = json.dumps(game.to_dict())
    assert not {"players", "later", "deadline"} & {part.strip('"') for part in plain.split()}
    game.players = {"FRANCE": "Bob"}
    game.save(tmp_path / "game.jsonl")
    game.save(tmp_path / "game.txt")
    for name in ("game.jsonl", "game.txt"):
        assert dipsat.Game.load(tmp_path / name).players == {}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda game: game | {"players": []}, "players: this should be an object"),
        (lambda game: game | {"players": {"FRANCE": 7}}, "players: this should be a text"),
        (lambda game: game | {"players": {"FRNCE": "Bob"}}, "players: unknown power 'FRNCE'"),
        (
            lambda game: game | {"players": {"FRANCE": "Bob\r\nBcc: all@example.org"}},
            r"players: the player of France should be one line of printable text, not 'Bob\\r",
        ),
        (lambda game: game | {"players": {"FRANCE": "\u202eBob"}}, "should be one line"),
        (lambda game: phase_with(game, deadline="a\nb"), "deadline: it should be one line"),
        (lambda game: phase_with(game, later=[]), "later: this should be an object"),
        (lambda game: phase_with(game, later={"X": {}}), "later: unknown phase 'X'"),
        (
            lambda game: phase_with(game, later={"F1901R": {"FRANCE": ["A PAR B"]}}),
            "later, F1901R, orders, FRANCE: .*F1901R is a retreat phase",
        ),
    ],
)
def test_faults_of_a_file_are_one_clear_error(
    change: Callable[[dict[str, object]], object], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(change(fall().to_dict())), encoding="utf-8")
    with pytest.raises(FileError, match=said):
        dipsat.Game.load(path)


def phase_with(game: dict[str, object], **keys: object) -> dict[str, object]:
    """A game whose only phase has other keys."""
    phases = game["phases"]
    assert isinstance(phases, list)
    return {**game, "phases": [{**phases[0], **keys}]}


@pytest.mark.parametrize("text", ["Bob\nTo: all", "Bob\x00", "Bob\u2028Carl"])
def test_a_player_is_one_line(text: str) -> None:
    game = dipsat.Game.standard()
    with pytest.raises(GameError, match="should be one line of printable text"):
        game.players = {"FRANCE": text}
    with pytest.raises(GameError, match="should be one line of printable text"):
        game.deadline = text
    assert (game.players, game.deadline) == ({}, "")


@pytest.mark.parametrize(
    ("text", "name", "addresses"),
    [
        ("Anna Smith <anna@example.org>", "Anna Smith", ["anna@example.org"]),
        ("anna.smith+dip@mail.example.org", "", ["anna.smith+dip@mail.example.org"]),
        (
            "Smith, Anna <a@example.org>, b@example.org",
            "Smith, Anna",
            ["a@example.org", "b@example.org"],
        ),
        ("o'brien@example.org", "", ["o'brien@example.org"]),
        ("müller@bücher.example.org", "", ["müller@bücher.example.org"]),
        ("a..b@example.org", "a..b@example.org", []),  # and not b@example.org
        ("a@b@example.org", "a@b@example.org", []),
        ("Anna at example.org", "Anna at example.org", []),
    ],
)
def test_addresses_are_read_as_a_whole_or_not_at_all(
    text: str, name: str, addresses: list[str]
) -> None:
    assert (name_in(text), list(addresses_in(text))) == (name, addresses)


# --- missing orders -------------------------------------------------------------------------------


def test_powers_that_have_sent_nothing_are_missing() -> None:
    game = fall()
    assert list(game.missing) == ["FRANCE", "GERMANY"]
    game.submit(ATTACK)
    assert list(game.missing) == ["GERMANY"]
    game.advance()
    assert (str(game.phase), *game.missing) == ("F1901R", "GERMANY")
    game.submit("GERMANY", ["A MUN D"])
    assert list(game.missing) == []
    game.advance()
    assert (str(game.phase), *game.missing) == ("W1901A", "FRANCE", "GERMANY")
    game.submit("FRANCE", ["WAIVE"])
    assert list(game.missing) == ["GERMANY"]


def test_a_dislodged_unit_without_an_order_is_missing_beside_one_that_has_one() -> None:
    board = dipsat.Position.from_units(
        {"FRANCE": ["A MUN", "A KIE"]}, phase="F1901R", dislodged={"GERMANY": ["A BOH", "A BER"]}
    )
    game = dipsat.Game(board).submit("GERMANY", ["A BOH R TYR"])
    assert list(game.missing) == ["GERMANY"]
    assert game.submit("GERMANY", ["A BOH R TYR", "A BER D"]).missing == ()
