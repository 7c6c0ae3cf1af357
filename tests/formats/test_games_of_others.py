"""Games that other programs keep in their own ways; the small files are made by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat.errors import DipsatError, DocumentError, FileError
from dipsat.formats import RecordedGame, game_texts_in, parse_games
from dipsat.studies.replays import replay_game
from tests.checkout import ROOT

HONEST = ROOT / "tests/strangers/honest"
STORIES = (
    "games-backstabbr.html", "games-daide.log", "games-diplicity.json", "games-diplicity-go.json",
    "games-godip.txt", "games-rust.json",
)  # fmt: skip
"""The same season in files of each kind: France dislodges the German army in Burgundy."""


def games_of(text: str, skip_faults: bool = False) -> Sequence[RecordedGame]:
    """The games of a text."""
    found: list[RecordedGame] = []
    for one in game_texts_in(text, "file"):
        if isinstance(one, DipsatError):
            raise one
        found += [
            game for game in parse_games(one, None, skip_faults) if isinstance(game, RecordedGame)
        ]
    return found


def game_of(text: str, skip_faults: bool = False) -> RecordedGame:
    """The only game of a text."""
    (game,) = games_of(text, skip_faults)
    return game


def story(name: str) -> str:
    """The text of a file."""
    return (HONEST / name).read_text(encoding="utf-8")


def units(game: RecordedGame, at: int) -> set[str]:
    """The units of a phase with their powers, dislodged ones with `*`."""
    state = game.phases[at].before
    return {f"{unit.power[0]} {unit}" for unit in state.units} | {
        f"{unit.power[0]} *{unit}" for unit in state.dislodged
    }


def agreed(game: RecordedGame) -> tuple[int, int, int]:
    """How many phases agree with dipsat, differ, and cannot be compared."""
    report = replay_game(game)
    return report.agree, len(report.differ), len(report.skipped)


# --- one season in every kind ---------------------------------------------------------------------


@pytest.mark.parametrize("name", STORIES)
def test_the_same_season_is_read_from_every_kind(name: str) -> None:
    game = game_of(story(name))
    moves, retreats = game.phases[:2]
    assert units(game, 0) == {"F A PAR", "F A MAR", "F F MAO", "G A BUR", "R F STP/SC"}
    assert units(game, 1) == {"F A BUR", "F A MAR", "F F SPA/SC", "G *A BUR", "R F BOT"}
    texts = [text for own in moves.orders.values() for text in own]
    reader = dipsat.orders.reader_for(game.board)
    assert sorted(dipsat.write_order(reader.read(text), game.board) for text in texts) == [
        "A BUR H", "A MAR S A PAR - BUR", "A PAR - BUR", "F MAO - SPA/SC", "F STP/SC - BOT",
    ]  # fmt: skip
    (retreat,) = retreats.orders["GERMANY"]
    assert {"BUR", "MUN"} <= set(retreat.upper().split())
    agree, differ, _ = agreed(game)
    assert (agree, differ) == (2, 0)


@pytest.mark.parametrize("name", STORIES[:-1])
def test_the_board_of_the_next_season_is_the_last(name: str) -> None:
    game = game_of(story(name))
    assert [str(phase.before.phase) for phase in game.phases] == ["S1902M", "S1902R", "F1902M"]
    assert units(game, 2) == {"F A BUR", "F A MAR", "F F SPA/SC", "G A MUN", "R F BOT"}
    assert game.phases[2].orders == {"FRANCE": ("F SPA/SC S A MAR",)}
    owned = {"FRANCE": ("MAR", "PAR"), "GERMANY": ("MUN",), "RUSSIA": ("STP",)}
    assert game.phases[2].before.centers == owned


@pytest.mark.parametrize("name", STORIES[:-1])
def test_such_a_game_is_loaded_and_saved_as_any_other(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_text(story(name), encoding="utf-8")
    (game,) = dipsat.load_games(path)
    assert str(game.phase) == "F1902M"
    game.save(tmp_path / "game.json")
    assert dipsat.Game.load(tmp_path / "game.json").position == game.position


@pytest.mark.parametrize("name", STORIES)
def test_a_file_that_is_cut_off_is_read_or_refused_with_its_place(name: str) -> None:
    text = story(name)
    for end in range(0, len(text), 37):
        with suppress(FileError, DocumentError):  # any other error has no place
            games_of(text[:end], skip_faults=True)


# --- godip ----------------------------------------------------------------------------------------


def godip(*lines: str) -> str:
    """A file of godip, where a line that ends with a colon begins a section."""
    return "\n".join(lines) + "\n"


def test_the_variant_of_godip_is_the_one_that_has_the_nations_and_the_provinces() -> None:
    begin = "PHASE 0 Spring Movement", "POSITIONS", "Britons: fleet sbr", "Norse: army got"
    game = game_of(godip(*begin, "ORDERS", "sbr hold"))
    assert (game.board.name, str(game.phases[0].before.phase)) == ("northseawars", "S0M")
    with pytest.raises(DipsatError, match="these nations with their provinces: Britons, Norse"):
        game_of(godip(*begin, "Norse: army par", "ORDERS"))


def test_turns_of_the_hundred_years_war_are_half_years() -> None:
    found = []
    for year in (1425, 1430, 1435):
        start = f"PHASE {year} Year Movement", "POSITIONS", "Burgundy: army dij", "ORDERS"
        found.append(str(game_of(godip(*start)).phases[0].before.phase))
    assert found == ["S1425M", "F1425M", "S1426M"]


def test_orders_of_godip_belong_to_the_unit_or_else_to_the_power_before() -> None:
    game = game_of(
        godip(
            "PHASE 1901 Fall Movement", "POSITIONS",
            "England: army yor", "England: fleet nth", "Norway: army nwy",
        ).replace("Norway", "Russia")
        + godip("ORDERS", "yor move nwy via convoy", "nth convoy yor move nwy", "lon hold",
                "nwy support swe")
    )  # fmt: skip
    assert game.phases[0].orders == {
        "ENGLAND": ("A YOR - NWY VIA", "F NTH C A YOR - NWY", "LON H"),
        "RUSSIA": ("A NWY S SWE",),
    }


def test_builds_and_disbands_of_godip() -> None:
    game = game_of(
        godip(
            "PHASE 1901 Fall Adjustment", "POSITIONS", "Russia: supply stp", "Russia: supply mos",
            "France: army par", "France: army bur", "France: supply par", "ORDERS",
            "build Fleet stp/nc", "build anywhere Army mos", "remove bur",
        )
    )  # fmt: skip
    assert str(game.phases[0].before.phase) == "W1901A"
    assert game.phases[0].orders == {"RUSSIA": ("F STP/NC B", "A MOS B"), "FRANCE": ("A BUR D",)}


def test_an_army_that_godip_puts_on_a_coast_stands_in_the_province() -> None:
    game = game_of(
        godip("PHASE 1901 Spring Movement", "POSITIONS", "Russia: army stp/nc", "Russia: army stp")
    )
    assert units(game, 0) == {"R A STP"}


def test_a_line_of_godip_that_means_nothing_is_reported_with_its_number() -> None:
    text = godip("PHASE 1901 Spring Movement", "POSITIONS", "France: army par", "France army bur",
                 "PHASE 1901 Fall Movement", "POSITIONS", "France: army par", "ORDERS")  # fmt: skip
    with pytest.raises(DipsatError, match="file:4:1: 'France army bur' is not a position"):
        game_of(text)
    game = game_of(text, skip_faults=True)
    assert ([str(one.before.phase) for one in game.phases], len(game.unread)) == (["F1901M"], 1)


# --- diplicity ------------------------------------------------------------------------------------


def diplicity(*phases: dict[str, Any], **others: Any) -> str:
    """A game of diplicity's own tests."""
    return json.dumps({"variant": "France vs Austria", "phases": phases, **others})


def phase_of(season: str, kind: str, orders: list[list[str]], after: Any) -> dict[str, Any]:
    """A phase of such a test: the orders of France, and the board after them."""
    given = [{"nation": "France", "selected": one} for one in orders]
    return {"season": season, "year": 1901, "type": kind, "orders": given,
            "expected_state_after": after}  # fmt: skip


FRANCE_MOVED = {
    "units": [
        {"nation": "France", "type": kind, "province": province, "dislodged": False}
        for kind, province in (("Army", "bur"), ("Army", "mar"), ("Fleet", "bre"))
    ] + [
        {"nation": "Austria", "type": kind, "province": province, "dislodged": False}
        for kind, province in (("Army", "vie"), ("Army", "bud"), ("Fleet", "tri"))
    ],
    "supply_centers": {
        "par": "France", "mar": "France", "bre": "France",
        "vie": "Austria", "bud": "Austria", "tri": "Austria",
    },
}  # fmt: skip


def test_a_test_of_diplicity_begins_with_the_start_of_its_variant() -> None:
    phase = phase_of("Spring", "Movement", [["par", "Move", "bur"]], FRANCE_MOVED)
    game = game_of(diplicity(phase, phase_of("Spring", "Retreat", [], None)))
    assert units(game, 0) == {"A A BUD", "A A VIE", "A F TRI", "F A MAR", "F A PAR", "F F BRE"}
    assert agreed(game) == (1, 0, 1)


def test_the_last_board_of_a_game_of_diplicity_that_has_ended_is_compared() -> None:
    phase = phase_of("Spring", "Movement", [["par", "Move", "bur"]], FRANCE_MOVED)
    assert agreed(game_of(diplicity(phase, outcome={"type": "draw"}))) == (1, 0, 0)
    assert agreed(game_of(diplicity(phase))) == (0, 0, 1)


def test_an_army_of_diplicity_goes_by_convoy_only_where_the_game_says_so() -> None:
    orders = [["mar", "MoveViaConvoy", "tun"], ["bre", "Convoy", "mar", "tun"],
              ["par", "Support", "bre", "bre"], ["bre", "Build", "Fleet"]]  # fmt: skip
    game = game_of(diplicity(phase_of("Spring", "Movement", orders[:3], None)))
    texts = ("A MAR - TUN VIA", "F BRE C A MAR - TUN", "A PAR S F BRE")
    assert game.phases[0].orders == {"FRANCE": texts}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"variant": "Clasical", "phases": [{"season": "Fall", "year": 1, "type": ""}]},
            "Clasical",
        ),
        ({"phases": [{"season": "Winter", "year": 1901, "type": "Movement"}]}, "unknown season"),
        ({"phases": [{"season": "Fall", "year": "x", "type": "Movement"}]}, "should be a number"),
        ({"phases": [{"season": "Fall", "year": 1, "type": "Move"}]}, "one of Movement"),
    ],
)
def test_faults_in_a_game_of_diplicity(change: dict[str, Any], said: str) -> None:
    with pytest.raises(DipsatError, match=said):
        game_of(json.dumps({"variant": "Classical", "phases": [], **change}))


# --- DAIDE ----------------------------------------------------------------------------------------

NOW = "NOW ( SPR #1901 ) ( ENG AMY YOR ) ( ENG FLT NTH )"


def test_messages_of_daide_that_repeat_count_once() -> None:
    order = "ORD ( SPR #1901 ) ( ( ENG FLT NTH ) HLD ) ( SUC )"
    game = game_of("\n".join((f"13,{NOW}", f"14,{NOW}", f"13,{order}", f"14,{order}")))
    assert [phase.orders for phase in game.phases] == [{"ENGLAND": ("F NTH H",)}]


def test_another_board_for_a_turn_of_daide_begins_another_game() -> None:
    games = games_of(f"{NOW}\nNOW ( SPR 1901 ) ( FRA AMY PAR )")
    assert [units(game, 0) for game in games] == [{"E A YOR", "E F NTH"}, {"F A PAR"}]
    assert [game.source for game in games] == ["file: game 1", "file: game 2"]


def test_an_army_whose_target_a_server_of_daide_leaves_out_goes_where_a_fleet_convoys_it() -> None:
    army, fleet = "( ENG AMY YOR )", "( ENG FLT NTH )"
    orders = f"( {army} MTO VIA )", f"( {fleet} CVY {army} CTO NWY )"
    lines = [f"ORD ( SPR #1901 ) {order} ( SUC )" for order in orders]
    game = game_of("\n".join((NOW, *lines)))
    assert game.phases[0].orders["ENGLAND"] == ("A YOR - NWY VIA", "F NTH C A YOR - NWY")
    assert "S1901M: ( ENG AMY YOR ) MTO VIA has no target" in game.remarks[0]
    with pytest.raises(DipsatError, match="unknown province 'VIA'"):
        game_of("\n".join((NOW, lines[0])))


def test_the_seasons_of_daide_and_what_is_ordered_in_winter() -> None:
    game = game_of(
        "SCO ( ENG EDI LON LVP ) ( FRA PAR )\n"
        "NOW ( WIN 1901 ) ( ENG FLT NTH ) ( FRA AMY PAR ) ( FRA AMY BUR )\n"
        "ORD ( WIN 1901 ) ( ENG WVE ) ( SUC )\n"
        "ORD ( WIN 1901 ) ( ( ENG FLT EDI ) BLD ) ( SUC )\n"
        "ORD ( WIN 1901 ) ( ( FRA AMY BUR ) REM ) ( SUC )\n"
    )
    assert str(game.phases[0].before.phase) == "W1901A"
    assert game.phases[0].orders == {"ENGLAND": ("WAIVE", "F EDI B"), "FRANCE": ("A BUR D",)}
    seasons = (("SPR", "S1901M"), ("SUM", "S1901R"), ("FAL", "F1901M"), ("AUT", "F1901R"))
    for word, name in seasons:
        assert str(game_of(f"NOW ( {word} 1901 ) ( FRA AMY PAR )").phases[0].before.phase) == name


def test_where_units_may_retreat_is_read_from_daide() -> None:
    lost = "( RUS FLT NWY MRT ( BAR ( STP NCS ) ) )"
    game = game_of(f"NOW ( AUT 1901 ) ( ENG FLT NWY ) {lost}")
    assert game.phases[0].before.retreats == {"F NWY": ("BAR", "STP/NC")}


def test_a_text_game_above_messages_of_daide_is_left_out_with_a_remark() -> None:
    game = game_of(f"Spring 1901 Movement\nFrance:\n A Par - Bur\nFall 1901 Movement\n{NOW}\n")
    what = "S1901M: this heading and the orders below it are left out"
    assert game.remarks == (f"file:1: {what}, since the file has messages of DAIDE",)


def test_orders_of_daide_without_a_board_are_left_out_with_a_remark() -> None:
    game = game_of(f"ORD ( WIN 1900 ) ( ( ENG AMY YOR ) BLD ) ( SUC )\n{NOW}")
    assert game.remarks == ("file: W1900A: its orders are left out: it has no board",)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "SCO ( ENG LON ) ( FR\nNOW ( FAL 1901 ) ( FRA AMY PAR )",
            "owners before it .SCO. are cut",
        ),
        ("ORD ( SPR 1901 ) ( ( ) ) ( SUC )", "S1901M, orders: unknown power"),
        ("NOW ( FAL 1901 ) ( FRA AMY PA", "file:2:1: F1901M: NOW is not complete"),
        ("NOW ( FAL 1901 ) ( FRA AMY XYZ )", "file:2:1: F1901M: unknown province 'XYZ'"),
        ("ORD ( SPR 1901 ) ( ( ENG AMY YOR ) FLY ) ( SUC )", "FLY is not an action"),
        ("MAP ( 'nowhere' )", "unknown map 'nowhere'"),
    ],
)
def test_faults_in_a_log_of_daide(line: str, said: str) -> None:
    with pytest.raises(DipsatError, match=said):
        game_of(f"{NOW}\n{line}")


# --- Backstabbr -----------------------------------------------------------------------------------


def page(season: str, unit: dict[str, Any], orders: dict[str, Any], **others: Any) -> str:
    """A page of a season."""
    stated = {"orders": orders, "unitsByPlayer": unit, "territories": {}, **others}
    title = f'<meta property="og:title" content="Six or Seven (all welcome) ({season})">\n'
    return title + "".join(f"  var {name} = {json.dumps(of)};\n" for name, of in stated.items())


def test_builds_and_disbands_on_a_page_of_backstabbr() -> None:
    orders = {
        "Russia": {"Stp": {"type": "BUILD", "unit_type": "F", "coast": "nc", "result": "SUCCEEDS"}},
        "France": {"Bur": {"type": "DISBAND"}},
    }
    owned = {"Stp": "Russia", "Par": "France", "Mar": None}
    game = game_of(page("Winter 1901", {"France": {"Bur": "A"}}, orders, territories=owned))
    assert str(game.phases[0].before.phase) == "W1901A"
    assert game.phases[0].orders == {"RUSSIA": ("F STP/NC B",), "FRANCE": ("A BUR D",)}
    assert game.phases[0].before.centers == {"FRANCE": ("PAR",), "RUSSIA": ("STP",)}


def test_pages_of_backstabbr_may_be_in_any_order() -> None:
    pages = [page(f"{name} 1901", {"France": {"Par": "A"}}, {}) for name in ("Fall", "Spring")]
    game = game_of("".join(pages))
    assert [str(phase.before.phase) for phase in game.phases] == ["S1901M", "F1901M"]


def test_an_open_retreat_of_backstabbr_has_its_choices() -> None:
    attack = {
        "Tri": {"type": "MOVE", "to": "Vie", "result": "SUCCEEDS"},
        "Bud": {"type": "SUPPORT", "from": "Tri", "to": "Vie", "result": "SUCCEEDS"},
    }
    defence: dict[str, Any] = {"type": "HOLD", "result": "FAILS"}
    orders = {"Austria": attack, "Italy": {"Vie": defence}}
    stood = {"Austria": {"Tri": "A", "Bud": "A"}, "Italy": {"Vie": "A"}}
    options = {"Italy": {"Vie": ["Boh", "Gal", "Tyr"]}}
    game = game_of(page("Spring 1901", stood, orders, retreatOptions=options))
    assert units(game, 1) == {"A A VIE", "A A BUD", "I *A VIE"}
    assert game.phases[1].before.retreats == {"A VIE": ("BOH", "GAL", "TYR")}
    assert game.phases[1].orders == {}
    defence["retreat"] = None  # it has been disbanded
    game = game_of(page("Spring 1901", stood, orders))
    assert game.phases[1].orders == {"ITALY": ("A VIE D",)}


def test_a_page_of_backstabbr_without_a_season_is_refused() -> None:
    text = page("Spring 1901", {"France": {"Par": "A"}}, {}).replace("(Spring 1901)", "")
    with pytest.raises(DipsatError, match="file:2:1: no season above this"):
        game_of(text)


# --- the Rust crate -------------------------------------------------------------------------------


def case(**stated: Any) -> RecordedGame:
    """The game of a case."""
    return game_of(json.dumps({"cases": [{"name": "one", "phase": "Main", **stated}]}))


def test_units_of_a_case_that_lists_none_are_those_that_are_ordered() -> None:
    orders = {"ENG: F nth -> nwy": "Fails", "RUS: A swe -> nwy": "Fails"}
    assert agreed(case(orders=orders)) == (1, 0, 0)
    game = case(orders=orders, starting_state=["ENG: F nth", "RUS: A swe", "GER: A ber"])
    assert units(game, 0) == {"E F NTH", "R A SWE", "G A BER"}


def test_a_case_that_does_not_say_whether_units_move_is_not_compared() -> None:
    orders = {"ENG: F nth -> nwy": None, "RUS: A swe -> nwy": "Fails"}
    assert agreed(case(orders=orders)) == (0, 0, 1)
    game = case(phase="Retreat", preceding_main_phase={"orders": orders}, orders={})
    assert game.remarks == (
        "file: one: the results do not say which units retreat, so their orders are left out",
    )


def test_the_edition_of_a_case_names_its_rules() -> None:
    assert case(orders={"ENG: F nth hold": "Succeeds"}, edition="1982").rules == "1982"


def test_owners_in_builds_are_those_at_the_start_except_for_occupied_centres() -> None:
    # The DATC's 6.I.5: a power cannot build in a home centre that it does not own.
    refused = {"GER: A ber build": "Fails"}
    game = case(phase="Build", occupiers={"ber": "RUS"}, orders=refused)
    assert (game.phases[0].before.centers or {})["GERMANY"] == ("KIE", "MUN")
    assert agreed(game) == (1, 0, 0)
    built = {"GER: A ber build": "Succeeds", "GER: A war build": "Fails"}
    assert agreed(case(phase="Build", orders=built)) == (1, 0, 0)


def test_a_case_that_does_not_list_all_disorder_is_not_compared() -> None:
    stood = ["RUS: A lvn", "RUS: A pru", "RUS: A sil"]
    taken = {"war": "GER", "mos": "GER", "sev": "TUR"}  # one centre is left
    one = case(phase="Build", starting_state=stood, occupiers=taken, orders={},
               civil_disorder=["RUS: A sil"])  # fmt: skip
    assert agreed(one) == (0, 0, 1)
    two = case(phase="Build", starting_state=stood, occupiers=taken, orders={},
               civil_disorder=["RUS: A sil", "RUS: A pru"])  # fmt: skip
    assert agreed(two) == (1, 0, 0)


def test_a_case_that_its_authors_ignore_says_why() -> None:
    game = case(orders={"ENG: F nth hold": "Fails"}, ignore="an odd reading")
    assert game.remarks == ("file: one: to be ignored: an odd reading",)


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"orders": {"F nth hold": None}}, "does not begin with a power"),
        ({"orders": {"ENG: F xyz hold": None}}, "one, orders: unknown province"),
        ({"orders": {"ENG: F nth hold": "Perhaps"}}, "should be Succeeds, Fails or null"),
    ],
)
def test_faults_in_a_case(stated: dict[str, Any], said: str) -> None:
    with pytest.raises(DipsatError, match=said):
        case(**stated)


# --- jDip's cases ---------------------------------------------------------------------------------


def played() -> dipsat.Game:
    """A game with a convoy, a dislodged army that retreats, and winter."""
    units = {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR"]}
    centers = {"ENGLAND": ["LON", "EDI"], "FRANCE": ["PAR"], "GERMANY": ["MUN", "KIE"]}
    position = dipsat.Position.from_units(units, "standard", "F1902M", centers, unknown_centers=())
    game = dipsat.Game(position)
    game.submit("ENGLAND", ["A LON - NWY VIA", "F NTH C LON - NWY"])
    game.submit("FRANCE", ["A PAR - BUR", "A MAR S PAR - BUR"])
    game.submit("GERMANY", ["A BUR H"])
    game.advance()
    game.submit("GERMANY", ["A BUR - RUH"])
    game.advance()
    game.submit("ENGLAND", ["F LON B"])
    game.submit("FRANCE", ["A MAR D"])
    game.advance()
    return game


def test_a_game_is_written_as_cases_that_are_read_back(tmp_path: Path) -> None:
    game = played()
    game.save(tmp_path / "cases.txt", "jdip")
    cases = games_of((tmp_path / "cases.txt").read_text(encoding="utf-8"))
    assert [agreed(case) for case in cases] == [(1, 0, 0)] * 3
    for case, turn in zip(cases, game.history, strict=True):
        before = case.phases[0].before
        assert before.phase == turn.position.phase
        assert set(before.units) == set(turn.position.units)
        assert before.retreats == {str(one.unit): one.retreats for one in turn.position.dislodged}


def test_cases_have_the_words_that_test_suites_read(tmp_path: Path) -> None:
    played().save(tmp_path / "cases.txt", "jdip")
    lines = (tmp_path / "cases.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "VARIANT_ALL Standard"
    assert "PRESTATE_SETPHASE Fall 1902, Movement" in lines
    for line in (
        "  England: A lon - nwy via convoy", "  England: F nth C A lon - nwy",
        "  SUCCESS: England: A lon - nwy via convoy",
        "  SUCCESS: France: A mar S A par - bur", "  FAILURE: Germany: A bur H",
        "  Germany: A bur - ruh", "  England: Build F lon", "  France: Remove A mar",
    ):  # fmt: skip
        assert line in lines
    sea = dipsat.Position.from_units({"ITALY": ["F LYO"], "RUSSIA": ["F STP/NC"]})
    game = dipsat.Game(sea)
    game.submit("ITALY", ["F LYO H"])
    game.save(tmp_path / "sea.txt", "jdip")
    text = (tmp_path / "sea.txt").read_text(encoding="utf-8")
    assert "Italy: F gol H" in text
    assert "Russia: F stp/nc" in text


def test_an_order_without_a_kind_has_that_of_its_unit_in_cases(tmp_path: Path) -> None:
    """If there is no unit, the order is a comment."""
    before = played().history[0]
    game = dipsat.Game(before.position)
    game.submit(before.orders)
    game.advance()
    game.submit("GERMANY", ["BUR D", "KIE D"])
    game.advance()
    game.save(tmp_path / "cases.txt", "jdip")
    text = (tmp_path / "cases.txt").read_text(encoding="utf-8")
    assert "ORDERS\n  Germany: A bur Disband\n" in text
    assert "  # left out, since no unit is there: Germany: kie D\n" in text
    assert [agreed(case) for case in games_of(text)] == [(1, 0, 0)] * 2


def test_a_game_on_a_map_of_ones_own_is_not_written_as_cases(tmp_path: Path) -> None:
    """A case names its map, so it would be read on the shipped one of that name."""
    (tmp_path / "own.yaml").write_text("extends: standard\nname: standard\n", encoding="utf-8")
    game = dipsat.Game.new(tmp_path / "own.yaml")
    game.submit("FRANCE", ["A PAR - BUR"])
    with pytest.raises(DipsatError, match="cases name a shipped map, and standard is not; save"):
        game.save(tmp_path / "cases.txt", "jdip")


def test_a_game_that_begins_with_retreats_is_not_written_as_cases(tmp_path: Path) -> None:
    lost = {"GERMANY": {"A BUR": ["RUH"]}}
    game = dipsat.Game(
        dipsat.Position.from_units({"FRANCE": ["A BUR"]}, "standard", "S1901R", {}, lost)
    )
    game.submit("GERMANY", ["A BUR - RUH"])
    with pytest.raises(DipsatError, match="states the moves before retreats, which S1901R lacks"):
        game.save(tmp_path / "cases.txt", "jdip")
