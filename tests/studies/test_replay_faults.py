"""Replaying records with faults: a bad phase or case loses nothing else; nothing is invented."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dipsat.cli import main
from dipsat.formats import GameText, RecordedGame, game_texts, parse_games
from dipsat.studies import GameReport
from dipsat.studies.replays import replay_game
from tests.exhaustive import few_of
from tests.formats.test_game_files import phase_lines, saved
from tests.formats.test_jdip_cases import DATC


@pytest.fixture(scope="module")
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all tests: files of one folder may name the same files, so that the same
    profile judges them, whose equations are prepared once."""
    return tmp_path_factory.mktemp("games")


def report_of(path: Path, text: str) -> GameReport:
    """The report of the only game of a file with this text."""
    path.write_text(text, encoding="utf-8")
    (found,) = (text for text in game_texts(path) if isinstance(text, GameText))
    (game,) = parse_games(found, skip_faults=True)
    assert isinstance(game, RecordedGame)
    return replay_game(game)


PHASES = 8
FAULTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "order": lambda entry: entry["orders"].update(FRANCE=["A PAR flies to the moon"]),
    "orders": lambda entry: entry.update(orders=7),
    "power of orders": lambda entry: entry["orders"].update(MOON=["A PAR H"]),
    "phase": lambda entry: entry.update(phase="Q1901M", name="Q1901M"),
}
SAVED: dict[str, Callable[[dict[str, Any]], object]] = {
    **FAULTS,
    "units": lambda entry: entry["state"].update(units={"FRANCE": ["A MOON"]}),
    "no units": lambda entry: entry["state"].pop("units"),
    "state": lambda entry: entry.update(state=None),
}
LINES: dict[str, Callable[[dict[str, Any]], object]] = {
    **FAULTS,
    "units": lambda entry: entry.update(units={"FRANCE": ["A MOON"]}),
    "result": lambda entry: entry.update(next_units={"FRANCE": ["A MOON"]}),
}


@pytest.mark.parametrize("at", few_of([0, 3, PHASES - 1], 1))
@pytest.mark.parametrize("spoil", SAVED.values(), ids=SAVED)
def test_a_bad_phase_of_a_saved_game_loses_no_other_but_the_one_it_is_the_result_of(
    tmp_path: Path, spoil: Callable[[dict[str, Any]], object], at: int
) -> None:
    game = saved(1, PHASES)
    spoil(game["phases"][at])
    report = report_of(tmp_path / "game.json", json.dumps(game))
    assert report.phases == PHASES + 1
    assert report.agree >= PHASES - 3  # a retreat phase after it may not be judged, either
    assert report.differ == ()
    faults = [skipped for skipped in report.skipped if skipped.is_fault]
    assert any(str(tmp_path / "game.json") in fault.reason for fault in faults)
    assert 1 <= len(faults) <= 2


@pytest.mark.parametrize("at", few_of([3, 0], 1))
@pytest.mark.parametrize("spoil", LINES.values(), ids=LINES)
def test_a_bad_line_of_phases_loses_no_other(
    tmp_path: Path, spoil: Callable[[dict[str, Any]], object], at: int
) -> None:
    lines = phase_lines(1, PHASES)
    spoil(lines[at])
    path = tmp_path / "lines.jsonl"
    report = report_of(path, "\n".join(map(json.dumps, lines)))
    assert report.phases == PHASES
    assert report.agree >= PHASES - 2
    assert report.differ == ()
    (fault,) = (skipped for skipped in report.skipped if skipped.is_fault)
    assert fault.reason.startswith(f"{path}:{at + 1}: ")


def test_a_malformed_line_loses_no_other(tmp_path: Path) -> None:
    lines = [json.dumps(line) for line in phase_lines(1, PHASES)]
    lines[3] = lines[3][:-1]
    report = report_of(tmp_path / "lines.jsonl", "\n".join(lines))
    assert (report.phases, report.agree) == (PHASES, PHASES - 1)
    assert report.skipped[0].reason.startswith(f"{tmp_path / 'lines.jsonl'}:4:")


SPOILT = {
    "unit": ("Germany: F London", "Germany: F Atlantis"),
    "order": ("England: F nth convoys A yor - yor", "England: F nth dances"),
    "power": ("Germany: A wal", "Moon: A wal"),
    "section": ("POSTSTATE\n", "POSTSTTE\n"),
    "phase": ("Spring 1901, Movement", "Midsummer"),
    "end": ("END", ""),
    "long line": ("England: F nth convoys A yor - yor", "England: F nth " + 400 * "x"),
}


@pytest.mark.parametrize(("old", "new"), SPOILT.values(), ids=SPOILT)
@pytest.mark.parametrize("at", few_of([0, 1], 1))
def test_a_bad_case_loses_no_other(tmp_path: Path, old: str, new: str, at: int) -> None:
    good = DATC[DATC.index("CASE 6.A.5") : DATC.index("CASE 6.A.11")]
    bad = good.replace(old, new, 1)
    assert bad != good
    cases = [good, good, good]
    cases[at] = bad
    path = tmp_path / "cases.txt"
    path.write_text("VARIANT_ALL Standard\n" + "".join(cases), encoding="utf-8")
    result = CliRunner().invoke(main, ["replay", str(path), "--json"])
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(row["phases"], row["agree"]) for row in rows] == [(1, int(n != at)) for n in range(3)]
    (skipped,) = rows[at]["skipped"]
    assert skipped["reason"].startswith(f"{path}:")
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [f"error: {skipped['reason']}"]


def line(phase: str, units: Any, orders: Any, after: str, left: Any, **more: Any) -> dict[str, Any]:
    """A recorded phase and its result."""
    return {
        "source": "g", "phase": phase, "units": units, "orders": orders, "centers": {},
        "dislodged": {}, "next_phase": after, "next_units": left, "next_centers": {},
        "next_dislodged": {}, **more,
    }  # fmt: skip


def retreating(orders: list[str], retreat: str) -> list[dict[str, Any]]:
    """A French army is dislodged in SER; ALB, where Italians bounced, is no way out."""
    others = {"ITALY": ["A TRI"], "AUSTRIA": ["F ADR"]}
    units = {"FRANCE": ["A SER"], "TURKEY": ["A BUL", "A GRE"], **others}
    after = {"FRANCE": [], "TURKEY": ["A SER", "A GRE"], **others}
    lost = {"FRANCE": ["A SER"]}
    moves = {
        "TURKEY": ["A BUL - SER", "A GRE S A BUL - SER"], "ITALY": ["A TRI - ALB"],
        "AUSTRIA": orders,
    }  # fmt: skip
    return [
        line("S1901M", units, moves, "S1901R", after, next_dislodged=lost),
        line("S1901R", after, {"FRANCE": [retreat]}, "F1901M", after, dislodged=lost),
    ]


def test_retreats_after_unreadable_orders_are_not_invented(tmp_path: Path) -> None:
    """The Italian move to ALB bounces only because of the order that cannot be read. Judged without
    the order, ALB would not be contested; with any neighbour open, the retreat would succeed."""
    path = tmp_path / "lines.jsonl"
    readable = retreating(["F ADR - ALB"], "A SER R ALB")
    assert report_of(path, "\n".join(map(json.dumps, readable))).agree == 2
    unreadable = retreating(["F ADR sails off"], "A SER R ALB")
    report = report_of(path, "\n".join(map(json.dumps, unreadable)))
    assert (report.agree, report.differ) == (0, ())
    assert [skipped.phase for skipped in report.skipped] == ["S1901M", "S1901R"]
    assert "where its units may retreat is unknown" in report.skipped[1].reason
    flagged = [readable[0] | {"unparsed_orders": ["?"], "orders": {}}, readable[1]]
    assert report_of(path, "\n".join(map(json.dumps, flagged))).agree == 0


def test_readable_orders_that_give_the_recorded_board_show_the_retreats(tmp_path: Path) -> None:
    lines = retreating(["F ADR - ALB"], "A SER R ALB")
    lines[0]["orders"]["RUSSIA"] = ["what?"]
    report = report_of(tmp_path / "lines.jsonl", "\n".join(map(json.dumps, lines)))
    assert report.agree == 1
    assert [skipped.phase for skipped in report.skipped] == ["S1901M"]


def test_a_game_without_a_spring_phase_keeps_its_other_phases(tmp_path: Path) -> None:
    game = saved(2, 12)
    names = [entry["name"] for entry in game["phases"]]
    gone = names.index("F1901M")
    del game["phases"][gone]
    report = report_of(tmp_path / "game.json", json.dumps(game))
    (fault,) = (skipped for skipped in report.skipped if skipped.is_fault)
    assert fault.phase == names[gone - 1]
    assert "cannot come next" in fault.reason
    assert report.agree >= 9


VARIANTS = """\
VARIANT_ALL {}
CASE a case
PRESTATE_SETPHASE Fall 1901, {}
{}
END
"""


@pytest.mark.parametrize(
    ("variant", "phase", "body"),
    [
        (
            "DATC_Standard", "Movement",
            "PRESTATE\nRussia: W Black Sea\nORDERS\nRussia: W Black Sea - Rumania\n"
            "POSTSTATE\nRussia: W Rumania",
        ),
        (
            "DATC_Loeb9", "Movement",
            "PRESTATE\nNorway: F Norwegian Sea\nORDERS\nNorway: F Norwegian Sea - Arctic Ocean\n"
            "POSTSTATE\nNorway: F Norwegian Sea",
        ),
        (
            "datc_chaos", "Adjustment",
            "PRESTATE_SUPPLYCENTER_OWNERS\nC-Ber: A Naples\nPRESTATE\nC-Ber: A Apulia\n"
            "C-Ber: A Prussia\nORDERS\nPOSTSTATE\nC-Ber: A Apulia",
        ),
        (
            "DATC_ConvoyingCoastal", "Movement",
            "PRESTATE\nEngland: F Denmark\nRussia: A Kiel\nORDERS\n"
            "England: F Denmark C Kiel - Sweden\nRussia: A Kiel - Sweden\n"
            "POSTSTATE\nEngland: F Denmark\nRussia: A Sweden",
        ),
        (
            "DATC_1898", "Adjustment",
            "PRESTATE_SUPPLYCENTER_OWNERS\nRussia: A stp\nPRESTATE\nRussia: F Black Sea\n"
            "Russia: F Norwegian Sea\nORDERS\nPOSTSTATE\nRussia: F Black Sea",
        ),
    ],
)  # fmt: skip
def test_variants_of_jdip_are_judged_by_their_rules_on_their_maps(
    tmp_path: Path, variant: str, phase: str, body: str
) -> None:
    report = report_of(tmp_path / "cases.txt", VARIANTS.format(variant, phase, body))
    assert (report.agree, report.differ, report.skipped) == (1, (), ())


ATTACK = {"FRANCE": ["A BUR - BEL", "A PIC S A BUR - BEL"]}
FIVE = {
    "AUSTRIA": ["A TRI", "A TYR"], "ITALY": ["A VEN"], "TURKEY": ["A GRE", "A BUL"],
    "FRANCE": ["A SER"],
}  # fmt: skip
FIVE_LEFT = {"AUSTRIA": ["A VEN", "A TYR"], "TURKEY": ["A SER", "A BUL"]}
HABITS = {
    "centres-taken-before-retreats": line(
        "F1901M", {"FRANCE": ["A BUR", "A PIC"], "GERMANY": ["A BEL"]}, ATTACK,
        "F1901R", {"FRANCE": ["A BEL", "A PIC"]}, centers={"GERMANY": ["BEL"]},
        next_centers={"FRANCE": ["BEL"]}, next_dislodged={"GERMANY": ["A BEL"]},
    ),
    "retreats-left-out": line(
        "F1901M", {"FRANCE": ["A BUR", "A PIC"], "GERMANY": ["A BEL"]}, ATTACK,
        "W1901A", {"FRANCE": ["A BEL", "A PIC"]}, centers={"GERMANY": ["BEL"]},
        next_centers={"FRANCE": ["BEL"]},
    ),
    "vain-via-swaps": line(
        "S1901M", {"AUSTRIA": ["F TRI"], "ITALY": ["A VEN"]},
        {"AUSTRIA": ["F TRI - VEN"], "ITALY": ["A VEN - TRI VIA"]},
        "F1901M", {"AUSTRIA": ["F VEN"], "ITALY": ["A TRI"]},
    ),
    "beaten-move-contests": line(
        "S1901M", FIVE,
        {
            "AUSTRIA": ["A TRI - VEN", "A TYR S A TRI - VEN"], "ITALY": ["A VEN - TRI"],
            "TURKEY": ["A GRE - SER", "A BUL S A GRE - SER"],
        },
        "S1901R", FIVE_LEFT, next_dislodged={"ITALY": ["A VEN"], "FRANCE": ["A SER"]},
        next_retreat_options={"FRANCE": {"A SER": ["ALB", "BUD", "RUM"]}},
    ),
    "supported-army-bounces-without-convoy": line(
        "S1901M", {"ENGLAND": ["A LON", "A HOL", "F NTH"], "FRANCE": ["A PIC"]},
        {"ENGLAND": ["A LON - BEL", "A HOL S A LON - BEL"], "FRANCE": ["A PIC - BEL"]},
        "F1901M", {"ENGLAND": ["A LON", "A HOL", "F NTH"], "FRANCE": ["A PIC"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("cause", HABITS)
def test_habits_of_records_are_named_as_causes(tmp_path: Path, cause: str) -> None:
    report = report_of(tmp_path / "lines.jsonl", json.dumps(HABITS[cause]))
    (difference,) = report.differ
    assert difference.cause == cause


def test_units_that_retreated_in_a_phase_left_out_are_explained_too(tmp_path: Path) -> None:
    """The record shows where the dislodged army went, but not the phase in which it did."""
    stated = HABITS["retreats-left-out"]
    stated = stated | {"next_units": stated["next_units"] | {"GERMANY": ["A HOL"]}}
    stated["next_centers"] = {"FRANCE": ["BEL"], "GERMANY": ["HOL"]}
    path = tmp_path / "lines.jsonl"
    (difference,) = report_of(path, json.dumps(stated)).differ
    assert difference.cause == "retreats-left-out"
    far = stated | {"next_units": stated["next_units"] | {"GERMANY": ["A TUN"]}}
    (skipped,) = report_of(path, json.dumps(far)).skipped
    assert "contradict the history" in skipped.reason


def test_many_faulty_orders_are_counted_but_only_the_first_is_worded(tmp_path: Path) -> None:
    lines = phase_lines(1, 2)
    lines[0]["orders"] = {"FRANCE": [f"A NOWHERE{n} H" for n in range(200)]}
    report = report_of(tmp_path / "lines.jsonl", "\n".join(map(json.dumps, lines)))
    (fault,) = report.skipped
    assert fault.reason.endswith("(and 199 more)")
    assert len(fault.reason) - len(str(tmp_path)) < 250
