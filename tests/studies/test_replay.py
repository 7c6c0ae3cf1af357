"""Replaying recorded games: agreement, causes, contradictions, many files, many processes."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.formats import (
    GameText,
    RecordedGame,
    RecordedState,
    game_texts,
    parse_games,
    read_games,
)
from dipsat.formats.saved_game import read_phase_lines, read_saved_game
from dipsat.game import PhaseKind
from dipsat.studies import (
    GameReport,
    ReplayFailure,
    deviations,
    replay_files,
    replays as run_module,
)
from dipsat.studies.judgements import agree
from dipsat.studies.replays import MAX_IN_A_ROW, replay_game
from tests.exhaustive import exhaustive, few_of, parts_of
from tests.formats.test_game_files import phase_lines, saved
from tests.formats.test_jdip_cases import DATC
from tests.recorded import GAMES, needs_games


@pytest.fixture(scope="module")
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all tests: files of one folder may name the same files, so one profile judges
    them all, and its equations are prepared once."""
    return tmp_path_factory.mktemp("games")


@cache
def recorded_reports() -> tuple[GameReport, ...]:
    """The recorded games of people and bots, replayed once."""
    found = []
    for result in replay_files([GAMES], jobs=2):
        assert isinstance(result, GameReport), result
        found.append(result)
    return tuple(found)


def test_where_units_differ_nothing_else_is_computed() -> None:
    """Most of the deviations that are tried do not give the units of the record."""
    paris, burgundy = (dipsat.Unit("FRANCE", dipsat.UnitKind.ARMY, at) for at in ("PAR", "BUR"))
    judged = Mock(spec=["units_after"], units_after=(paris,))  # it has no `next`
    assert not agree(judged, RecordedState(None, (burgundy,)))


@exhaustive
@needs_games
def test_every_recorded_phase_agrees_or_its_difference_has_a_known_cause() -> None:
    """13,978 phases of 354 games, judged by jDip, dipcc and the `diplomacy` package."""
    causes: Counter[str] = Counter()
    for report in recorded_reports():
        assert report.phases == report.agree + len(report.differ) + len(report.skipped)
        for difference in report.differ:
            assert difference.causes, (report.source, difference)
            assert difference.theirs.keys() == difference.ours.keys()
            causes.update(difference.causes)
    known = {deviation.name for deviation in deviations()}
    assert causes.keys() <= known
    assert len(recorded_reports()) == 354
    assert sum(report.phases for report in recorded_reports()) == 13_978
    assert sum(len(report.skipped) for report in recorded_reports()) == 2
    assert sum(report.agree for report in recorded_reports()) == 13_801
    assert causes == {
        "home-centre-disbands": 109,
        "vain-via-over-land": 37,
        "retreat-anywhere-after-convoy": 28,
        "only-explicit-convoys": 1,
    }


@exhaustive
@needs_games
@pytest.mark.parametrize("games", parts_of(range(354), 8))
def test_invariants_hold_in_every_prefix_of_the_recorded_games(games: range) -> None:
    """As dipsat judges each recorded phase: no two units in a province, ownership changes only
    after fall, no more units than centres after adjustments."""
    checked = 0
    for game in islice(read_games(GAMES), games.start, games.stop):
        assert isinstance(game, RecordedGame)
        for phase in game.phases[::3]:
            assert phase.before.phase is not None
            position = dipsat.Position(
                game.board, phase.before.units, phase.before.phase, phase.before.centers or {}
            )
            if phase.before.phase.kind is PhaseKind.RETREAT:
                continue
            after = dipsat.adjudicate(position, phase.orders).next
            provinces = [unit.province for unit in after.units]
            assert len(provinces) == len(set(provinces))
            if position.phase.season == "S" or after.phase.kind is PhaseKind.RETREAT:
                assert after.centers == position.centers
            if position.phase.kind is PhaseKind.ADJUSTMENT:
                count = Counter(unit.power for unit in after.units)
                assert all(count[p] <= len(after.centers.get(p, ())) for p in count)
            checked += 1
    assert checked > 5 * len(games)


def report_of(lines: list[dict[str, Any]]) -> GameReport:
    return replay_game(read_phase_lines(list(enumerate(lines, 1)), "x"))


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(6), 2))
def test_a_game_that_dipsat_judged_agrees_with_itself(seeds: range) -> None:
    for seed in seeds:
        report = replay_game(read_saved_game(saved(seed, 20), "x"))
        assert (report.phases, report.agree, report.differ) == (21, 20, ())
        assert [skipped.reason for skipped in report.skipped] == [
            "the file does not state its result"
        ]


def line(phase: str, units: Any, orders: Any, after: str, left: Any, **more: Any) -> dict[str, Any]:
    """A recorded phase and its result."""
    return {
        "source": "g", "phase": phase, "units": units, "orders": orders, "centers": {},
        "dislodged": {}, "next_phase": after, "next_units": left, "next_centers": {},
        "next_dislodged": {}, **more,
    }  # fmt: skip


VIA = line(
    "S1901M", {"GERMANY": ["A BER"], "ITALY": ["A ROM"]}, {"GERMANY": ["A BER - KIE VIA"]},
    "F1901M", {"GERMANY": ["A KIE"], "ITALY": ["A ROM"]},
)  # fmt: skip
"""An army that goes over land although it was ordered to go by convoy."""


def test_a_known_deviation_is_named_and_both_sides_are_shown() -> None:
    (difference,) = report_of([VIA]).differ
    assert difference.to_dict() == {
        "phase": "S1901M",
        "orders": {"GERMANY": ["A BER - KIE VIA"]},
        "theirs": {"units": {"GERMANY": ["A KIE"]}},
        "ours": {"units": {"GERMANY": ["A BER"]}},
        "cause": "vain-via-over-land",
    }


def test_each_phase_starts_from_the_recorded_board() -> None:
    """One difference does not make the next phase differ."""
    moves = {"GERMANY": ["A KIE - RUH"]}
    units = VIA["next_units"]
    following = line("F1901M", units, moves, "S1902M", units | {"GERMANY": ["A RUH"]})
    report = report_of([VIA, following])
    assert [difference.phase for difference in report.differ] == ["S1901M"]
    assert report.agree == 1


CONTRADICTIONS: Mapping[str, tuple[dict[str, Any], str]] = {
    "unit from nowhere": (
        {"next_units": {"FRANCE": ["A MOS"]}}, "FRANCE A MOS is there afterwards",
    ),
    "unit changes sides": (
        {"next_units": {"ITALY": ["A PAR"]}}, "ITALY A PAR is there afterwards",
    ),
    "dislodged unit from nowhere": (
        {"next_phase": "S1901R", "next_dislodged": {"FRANCE": ["A MOS"]}},
        "FRANCE A MOS is there afterwards",
    ),
    "owners change in spring": (
        {"centers": {"FRANCE": ["PAR"]}, "next_centers": {"FRANCE": ["PAR", "MAR"]}},
        "centres change owners only after fall",
    ),
    "phase out of turn": ({"next_phase": "S1907M"}, "S1907M cannot come next"),
    "phase going back": ({"next_phase": "S1900M"}, "S1900M cannot come next"),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "message"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_phase_that_no_judge_could_have_made_is_skipped(
    changes: dict[str, Any], message: str
) -> None:
    line = phase_lines(1)[0] | {"units": {"FRANCE": ["A PAR"]}, "orders": {}, "source": "g"}
    after = {"next_units": {"FRANCE": ["A PAR"]}, "next_dislodged": {}, "next_centers": None}
    report = report_of([line | after | changes])
    (skipped,) = report.skipped
    assert (report.phases, skipped.phase, skipped.is_fault) == (1, "S1901M", True)
    assert message in skipped.reason


def test_conventions_of_records_are_not_differences() -> None:
    """Some judges list dislodged units that cannot retreat, and have a phase for them alone."""
    italy = ["A TYR", "A VIE", "A BUD", "A SER", "F ALB"]
    units = {"AUSTRIA": ["A TRI"], "ITALY": ["A VEN", *italy]}
    orders = {"ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI"]}
    left, lost = {"ITALY": ["A TRI", *italy]}, {"AUSTRIA": ["A TRI"]}
    silent = line("S1901M", units, orders, "F1901M", left)
    listing = line("S1901M", units, orders, "S1901R", left, next_dislodged=lost)
    dead = line("S1901R", left, {}, "F1901M", left, dislodged=lost)
    assert report_of([silent]).agree == 1
    assert report_of([listing, dead]).agree == 2


@exhaustive
def test_the_rules_of_a_replay_can_be_chosen() -> None:
    home = dipsat.load_profile("datc")
    home = replace(home, settings=replace(home.settings, civil_disorder="home"))
    owned = {"centers": {"AUSTRIA": ["GRE"]}, "next_centers": {"AUSTRIA": ["GRE"]}}
    units = {"AUSTRIA": ["A GRE", "A BOH"]}
    stays_home, stays_away = (
        read_phase_lines(
            [(1, line("W1903A", units, {}, "S1904M", {"AUSTRIA": [unit]}, **owned))], "x"
        )
        for unit in ("A BOH", "A GRE")
    )
    assert replay_game(stays_home).differ[0].causes == ("home-centre-disbands",)
    assert replay_game(stays_home, home).agree == 1
    (difference,) = replay_game(stays_away, home).differ
    assert difference.causes == ()  # no known program does so; the changed setting still counts


def write_games(path: Path, count: int, phases: int = 3) -> None:
    path.write_text(
        "\n".join(json.dumps(saved(seed, phases)) for seed in range(count)), encoding="utf-8"
    )


def run(*arguments: object) -> Any:
    return CliRunner().invoke(main, ["replay", *map(str, arguments)])


def test_json_has_one_object_per_game_in_the_same_order_from_any_processes(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    write_games(first, 3)
    write_games(second, 2)
    second.write_text(second.read_text(encoding="utf-8") + "\n{", encoding="utf-8")
    alone, shared = (
        run(first, tmp_path / "none", second, "--json", "-j", jobs).stdout for jobs in (1, 2)
    )
    assert alone == shared
    rows = [json.loads(line) for line in alone.splitlines()]
    assert [set(row) for row in rows] == [{"source", "phases", "agree", "differ", "skipped"}] * 7
    assert [row["source"] for row in rows[:3]] == [
        f"{first}: g0", f"{first}:2: g1", f"{first}:3: g2",
    ]  # fmt: skip
    found = [(row["phases"], row["agree"], row["differ"]) for row in rows]
    assert found == [*[(4, 3, [])] * 3, (0, 0, []), *[(4, 3, [])] * 2, (0, 0, [])]


def test_lines_of_a_text_that_may_be_about_orders_are_reported(tmp_path: Path) -> None:
    """A judge's mail with results is replayed; what is left out of it is reported."""
    mails = Path(__file__).parents[1] / "strangers" / "mail_games" / "judge"
    text = "\n".join(one.read_text(encoding="utf-8") for one in sorted(mails.glob("*.txt")))
    file = tmp_path / "judge.txt"
    file.write_text(text, encoding="utf-8")
    assert "remark" not in run(file).stderr
    sentence = "The judge lost a mail and some orders are from the telephone."
    file.write_text(text.replace("\nGermany:", f"\n{sentence}\n\nGermany:", 1), encoding="utf-8")
    assert run(file).stderr.endswith(f": skipped {sentence!r}\n")


MARKED = """\
Movement results for Spring of 1901.  (quince.001)

Austria: Army Vienna -> Galicia.  (*bounce*)
France: Army Paris -> Burgundy.{}
Germany: Army Munich -> Burgundy.{}
Italy: Fleet Naples -> Ionian Sea.{}
Russia: Army Warsaw -> Galicia.  (*bounce*)
"""


def test_what_a_judge_notes_on_orders_is_compared(tmp_path: Path) -> None:
    """Two armies bounce in Burgundy: a judge that does not note the bounce moves them there."""
    path, bounce = tmp_path / "mail.txt", "  (*bounce*)"
    for marks, same in (
        ((bounce, bounce, ""), True), (("", "", ""), False), ((bounce, bounce, bounce), False),
        ((bounce, bounce, "  (*dislodged*)"), False),
    ):  # fmt: skip
        path.write_text(MARKED.format(*marks), encoding="utf-8")
        (report,) = replay_files([path])
        assert isinstance(report, GameReport)
        assert (report.agree, len(report.differ)) == ((1, 0) if same else (0, 1))


@pytest.mark.parametrize("done", [0, 2])
def test_after_an_interruption_the_sums_so_far_are_shown(
    done: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, rows = tmp_path / "games.jsonl", tmp_path / "rows.jsonl"
    write_games(path, 3)
    honest = run_module.replay_files

    def interrupted(*arguments: Any) -> Any:
        yield from islice(honest(*arguments), done)
        raise KeyboardInterrupt

    monkeypatch.setattr("dipsat.studies.replay_files", interrupted)
    result = run(path, "--rows", rows)
    assert result.exit_code == 3
    assert ("2 games, 8 phases." in result.stdout) is bool(done)
    words = "this is what was found until then" if done else "before there was anything to show"
    assert f"error: interrupted{';' if done else ''} {words}" in result.stderr
    assert not rows.exists()
    assert (tmp_path / "rows.partial.jsonl").exists() is bool(done)


def test_a_bad_file_is_reported_and_the_others_go_on(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.json"
    write_games(good, 2)
    bad.write_text('{"phases": [{"name": "S1901X"}]}', encoding="utf-8")
    result = run(bad, tmp_path / "none.json", good, "--json")
    assert result.exit_code == 2
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    found = [(row["phases"], len(row["skipped"])) for row in rows]
    assert found == [(1, 1), (0, 1), (4, 1), (4, 1)]
    errors = result.stderr.splitlines()
    assert len(errors) == 2
    assert errors[0].startswith(f"error: {bad}: S1901X: unknown phase 'S1901X'")
    assert errors[1].startswith(f"error: {tmp_path / 'none.json'}: cannot be read")
    reasons = [row["skipped"][0]["reason"] for row in rows[:2]]
    assert [f"error: {reason}" for reason in reasons] == errors


def test_the_terminal_shows_each_difference_and_a_table_of_causes(tmp_path: Path) -> None:
    path = tmp_path / "phases.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(VIA).encode()))
    result = run(path)
    assert result.exit_code == 0
    assert "g: S1901M\n  vain-via-over-land\n  theirs: Germany: A KIE" in result.stdout
    assert "1  differ: vain-via-over-land" in result.stdout
    assert "1 game, 1 phase." in result.stdout
    assert "theirs" not in run(path, "--summary").stdout


@exhaustive
def test_a_difference_without_known_cause_is_exit_status_one(tmp_path: Path) -> None:
    path, units = tmp_path / "phases.jsonl", {"GERMANY": ["A BER"]}
    stays = line("S1901M", units, {"GERMANY": ["A BER - KIE"]}, "F1901M", units)
    path.write_text(json.dumps(stays), encoding="utf-8")
    result = run(path)
    assert result.exit_code == 1
    assert "no known cause" in result.stdout
    assert json.loads(run(path, "--json").stdout)["differ"][0]["cause"] is None


def test_a_text_with_orders_only_has_nothing_to_compare(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    dipsat.Game.standard().submit("FRANCE", ["A PAR - BUR"]).save(path)
    result = run(path)
    assert result.exit_code == 2
    assert "holds only orders" in result.stderr


def test_unknown_rules_and_maps_are_refused_before_anything_is_read(tmp_path: Path) -> None:
    for option, name in (("--rules", "nonesuch"), ("--map", "moon")):
        result = run(tmp_path / "none", option, name)
        assert result.exit_code == 2
        assert f"'{name}'" in result.stderr


@pytest.mark.parametrize("game", ['{"a": 1}', '{"phases": [7]}'])
@pytest.mark.parametrize(
    ("jobs", "most"), few_of([(1, 50), (1, MAX_IN_A_ROW), (2, MAX_IN_A_ROW)], 1)
)
def test_a_file_is_abandoned_after_a_thousand_bad_games_in_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int, most: int, game: str
) -> None:
    monkeypatch.setattr(run_module, "MAX_IN_A_ROW", most)
    bad, good = tmp_path / "bad.jsonl", tmp_path / "good.jsonl"
    bad.write_text(f"{game}\n" * (20 * most), encoding="utf-8")
    write_games(good, 1)
    read = Counter[str]()

    def counted(path: str | Path) -> Any:
        for text in game_texts(path):
            read[str(path)] += 1
            yield text

    monkeypatch.setattr("dipsat.studies.sources.game_texts", counted)
    found = list(replay_files([bad, good], jobs=jobs))
    assert len(found) == most + 2
    assert isinstance(found[-1], GameReport)
    left = found[-2]
    assert isinstance(left, ReplayFailure)
    assert left.problem.endswith("in a row cannot be replayed; the rest of the file is left out")
    # Other processes receive up to four tasks of a thousand games each in advance.
    assert read[str(bad)] <= most + (100 if jobs == 1 else 8_000)


@pytest.mark.parametrize(("seed", "phases"), [(0, 2), (7, 6), (0, 3), (0, 6)])
def test_a_record_that_ends_within_a_phase_does_not_say_what_follows(
    tmp_path: Path, seed: int, phases: int
) -> None:
    """Moves, retreats, and winters with something and with nothing to do."""
    *judged, last = phase_lines(seed, 8)[:phases]
    last |= {f"next_{key}": value for key, value in last.items() if f"next_{key}" in last}
    path = tmp_path / "ends.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in [*judged, last | {"orders": {}}]))
    (report,) = replay_files([path])
    assert isinstance(report, GameReport)
    (skipped,) = report.skipped
    assert skipped.reason == "the record ends before the phase is judged"
    assert (report.agree, report.differ) == (phases - 1, ())


def test_a_game_between_bad_ones_keeps_its_file_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.jsonl"
    write_games(path, 1)
    game = path.read_text(encoding="utf-8").splitlines()[0] + "\n"
    monkeypatch.setattr(run_module, "MAX_IN_A_ROW", 50)
    bad = '{"a": 1}\n' * 49
    path.write_text(f"{bad}{game}{bad}{game}", encoding="utf-8")
    found = list(replay_files([path]))
    assert [isinstance(one, GameReport) for one in found].count(True) == 2
    assert len(found) == 2 * 50


def test_the_first_failures_are_listed_and_all_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text("".join(f'{{"a{at}": 1}}\n' for at in range(300)), encoding="utf-8")
    result = run(path)
    lines = result.stderr.splitlines()
    assert len(lines) == 101
    assert lines[-1] == "error: there are more errors"
    assert "300 files or games could not be replayed." in result.stdout


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        (json.dumps([{"user": "Ann", "n": at} for at in range(33)]), ", number 1", ", number 33"),
        ('{"user": "Ann"}\n' * 33, "", ":33"),
        (json.dumps([{"user": "Ann"}] * 33, indent=1), ":2", ":98"),
    ],
    ids=["list", "lines", "list over lines"],
)
def test_values_that_are_not_games_are_reported_once_with_their_number(
    text: str, first: str, last: str, tmp_path: Path
) -> None:
    path = tmp_path / "users.json"
    path.write_text(text)
    result = run(path)
    assert result.exit_code == 2
    one, more = result.stderr.splitlines()
    assert one.startswith(f"error: {path}{first}: contains no game, but an object without `phases`")
    assert more == f"error: and 32 more like it, the last at {path}{last}"
    assert "33 files or games could not be replayed" in result.stdout


# Records with faults: a bad phase or case loses nothing else, and nothing is invented.


def report_of_file(path: Path, text: str) -> GameReport:
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
def test_a_bad_phase_of_a_saved_game_loses_no_other_than_the_phase_before_it(
    tmp_path: Path, spoil: Callable[[dict[str, Any]], object], at: int
) -> None:
    game = saved(1, PHASES)
    spoil(game["phases"][at])
    report = report_of_file(tmp_path / "game.json", json.dumps(game))
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
    report = report_of_file(path, "\n".join(map(json.dumps, lines)))
    assert report.phases == PHASES
    assert report.agree >= PHASES - 2
    assert report.differ == ()
    (fault,) = (skipped for skipped in report.skipped if skipped.is_fault)
    assert fault.reason.startswith(f"{path}:{at + 1}: ")


def test_a_malformed_line_loses_no_other(tmp_path: Path) -> None:
    lines = [json.dumps(line) for line in phase_lines(1, PHASES)]
    lines[3] = lines[3][:-1]
    report = report_of_file(tmp_path / "lines.jsonl", "\n".join(lines))
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
    assert report_of_file(path, "\n".join(map(json.dumps, readable))).agree == 2
    unreadable = retreating(["F ADR sails off"], "A SER R ALB")
    report = report_of_file(path, "\n".join(map(json.dumps, unreadable)))
    assert (report.agree, report.differ) == (0, ())
    assert [skipped.phase for skipped in report.skipped] == ["S1901M", "S1901R"]
    assert "where its units may retreat is unknown" in report.skipped[1].reason
    flagged = [readable[0] | {"unparsed_orders": ["?"], "orders": {}}, readable[1]]
    assert report_of_file(path, "\n".join(map(json.dumps, flagged))).agree == 0


def test_readable_orders_that_give_the_recorded_board_show_the_retreats(tmp_path: Path) -> None:
    lines = retreating(["F ADR - ALB"], "A SER R ALB")
    lines[0]["orders"]["RUSSIA"] = ["what?"]
    report = report_of_file(tmp_path / "lines.jsonl", "\n".join(map(json.dumps, lines)))
    assert report.agree == 1
    assert [skipped.phase for skipped in report.skipped] == ["S1901M"]


def test_a_game_without_a_spring_phase_keeps_its_other_phases(tmp_path: Path) -> None:
    game = saved(2, 12)
    names = [entry["name"] for entry in game["phases"]]
    gone = names.index("F1901M")
    del game["phases"][gone]
    report = report_of_file(tmp_path / "game.json", json.dumps(game))
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
    report = report_of_file(tmp_path / "cases.txt", VARIANTS.format(variant, phase, body))
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
    report = report_of_file(tmp_path / "lines.jsonl", json.dumps(HABITS[cause]))
    (difference,) = report.differ
    assert difference.cause == cause


def test_units_that_retreated_in_a_phase_left_out_are_explained_too(tmp_path: Path) -> None:
    """The record shows where the dislodged army went, but not the phase in which it did."""
    stated = HABITS["retreats-left-out"]
    stated = stated | {"next_units": stated["next_units"] | {"GERMANY": ["A HOL"]}}
    stated["next_centers"] = {"FRANCE": ["BEL"], "GERMANY": ["HOL"]}
    path = tmp_path / "lines.jsonl"
    (difference,) = report_of_file(path, json.dumps(stated)).differ
    assert difference.cause == "retreats-left-out"
    far = stated | {"next_units": stated["next_units"] | {"GERMANY": ["A TUN"]}}
    (skipped,) = report_of_file(path, json.dumps(far)).skipped
    assert "contradict the history" in skipped.reason


def test_many_faulty_orders_are_counted_but_only_the_first_is_worded(tmp_path: Path) -> None:
    lines = phase_lines(1, 2)
    lines[0]["orders"] = {"FRANCE": [f"A NOWHERE{n} H" for n in range(200)]}
    report = report_of_file(tmp_path / "lines.jsonl", "\n".join(map(json.dumps, lines)))
    (fault,) = report.skipped
    assert fault.reason.endswith("(and 199 more)")
    assert len(fault.reason) - len(str(tmp_path)) < 250


def test_retreats_do_not_belong_to_moves_before_an_unreadable_phase(tmp_path: Path) -> None:
    """They fit these moves, but nobody knows what happened in between."""
    moves, retreats = retreating(["F ADR - ALB"], "A SER D")
    lines = [moves, retreats | {"phase": "Q1901M"}, retreats]
    report = report_of_file(tmp_path / "lines.jsonl", "\n".join(map(json.dumps, lines)))
    assert (report.agree, [one.phase for one in report.skipped]) == (1, ["Q1901M", "S1901R"])


JUDGED = """\
Movement results for Spring of 1901.

Germany: Army Munich -> Bohemia.
Russia: Army Warsaw -> Galicia.

Movement results for Fall of 1901.

Germany: Army Bohemia -> Vienna.
Russia: Army Galicia SUPPORT German Army Bohemia -> Vienna.

The following units were dislodged:

The Austrian Army in Vienna can retreat to Tyrolia or
Bohemia.
"""


def test_what_an_e_mail_judge_reports_is_compared(tmp_path: Path) -> None:
    """Nobody retreats to where the attack came from."""
    path = tmp_path / "results.txt"
    for theirs, differ in (("Tyrolia or\nBohemia", 1), ("Tyrolia", 0)):
        path.write_text(JUDGED.replace("Tyrolia or\nBohemia", theirs), encoding="utf-8")
        (report,) = replay_files([path])
        assert isinstance(report, GameReport)
        assert (report.agree, len(report.differ)) == (1 - differ, differ)
        assert [one.reason for one in report.skipped] == ["the file does not state its result"]
    path.write_text(JUDGED, encoding="utf-8")
    (found,) = json.loads(run(path, "--json").stdout)["differ"]
    assert (found["theirs"], found["ours"]) == (
        {"retreats": {"AUSTRIA": {"A VIE": ["TYR", "BOH"]}}},
        {"retreats": {"AUSTRIA": {"A VIE": ["TYR"]}}},
    )
