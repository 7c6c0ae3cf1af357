"""How often rules matter: cases with results that the DATC states, and judging phase by phase."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import studies
from dipsat.cli import main
from dipsat.errors import QuestionError, UnknownNameError
from dipsat.formats import RecordedGame, read_games, recorded_position
from dipsat.rules import shipped_names
from dipsat.studies.impact_judging import Tally, count_reason
from tests.exhaustive import exhaustive
from tests.kernel.kernel_agreement import needs_compiler
from tests.made_games import made_game
from tests.recorded import FEW, needs_games, recorded_phases
from tests.studies.test_replay import retreating

CASES = {case.name: case for case in studies.load_cases(older=True)}


def line_of(position: dipsat.Position, orders: Any, source: str) -> dict[str, Any]:
    """A phase as a line of a record. Its result is wrong, since the judging must not read it."""
    board = position.to_dict()
    return {
        "source": source, "phase": str(position.phase), "units": board["units"],
        "centers": board["centers"], "dislodged": {},
        "orders": {power: list(texts) for power, texts in orders.items()},
        "next_phase": "W1999A", "next_units": {}, "next_centers": {}, "next_dislodged": {},
    }  # fmt: skip


def board_of(orders: Any) -> dipsat.Position:
    """The position of the units that the orders name, in the first spring."""
    units = {power: [text[:5] for text in texts] for power, texts in orders.items()}
    return dipsat.Position.from_units(units, "standard", "S1901M")


def file_of(folder: Path, lines: Iterable[dict[str, Any]]) -> str:
    path = folder / "games.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return str(path)


def cases_file(folder: Path, names: Sequence[str]) -> str:
    """DATC cases as games of one phase."""
    return file_of(
        folder,
        [line_of(CASES[name].position, CASES[name].orders, name) for name in names],
    )


STATED = [
    ("6.B.1", "4.B.1-b", {"POR"}),  # illegal; the fleet moves
    ("6.B.2", "4.B.2-c", {"GAS"}),  # succeeds; it does not
    ("6.B.9", "4.B.4-e", {"POR", "WES"}),  # the support is invalid, the attack succeeds; reversed
    ("6.B.10", "4.B.5-a", {"SPA"}),
    ("6.B.12", "4.B.6-a", {"GAS"}),
    ("6.B.14", "4.B.7-b", {"STP"}),  # the build is illegal; it succeeds
    ("6.G.8", "4.A.3-b", {"BEL"}),  # the unnecessary "via convoy" is invalid; the army moves
    ("6.I.1", "4.D.4-c", {"KIE", "MUN"}),  # of two builds the first counts; the last does
    ("6.I.2", "4.C.4-b", {"MOS"}),
    ("6.J.1", "4.D.6-c", {"PIC", "PAR"}),  # of two disbands the first counts; the last does
    ("6.F.14", "4.A.2-1982", set()),  # the rule of 1982 has Szykman's result here
    ("6.B.9", "rulebooks/2023", set()),
]
"""Cases for which documents state the results under DATC 3.0 and under a choice: (case, choice,
places of the units whose orders have different results)."""


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> studies.ImpactReport:
    """All these cases, each a game of one phase, under all these choices."""
    names = sorted({name for name, _, _ in STATED})
    path = cases_file(tmp_path_factory.mktemp("cases"), names)
    choices = list(dict.fromkeys(choice for _, choice, _ in STATED))
    return studies.impact(choices, path, examples=len(names))


def in_words(value: str | set[str]) -> str:
    """Part of a test's name, the same in every process."""
    return value if isinstance(value, str) else " ".join(sorted(value)) or "nothing"


@pytest.mark.parametrize(("name", "choice", "places"), STATED, ids=in_words)
def test_a_case_differs_where_a_document_says_so(
    cases: studies.ImpactReport, name: str, choice: str, places: set[str]
) -> None:
    found = [one for one in cases.of(choice.rpartition("/")[2]).first if one.source == name]
    assert [one.source for one in found] == [name] * bool(places)
    differing = {
        order.unit.rpartition(" ")[2].partition("/")[0] for one in found for order in one.changed
    }
    assert differing == places


CHOICES = (
    "4.B.4-a", "4.C.5-a", "4.D.3-b", "4.D.8-a", "4.E.1-c", "rulebooks/1971", "rulebooks/1982",
)  # fmt: skip


def results(outcome: dipsat.Outcome) -> tuple[Any, ...]:
    """What counts as the result, read from the values that the command line prints."""
    found = outcome.to_dict()
    orders = {
        (one["power"], one["submitted"] or one["unit"]): (
            one["verdict"].replace("illegal", "invalid"), one["fate"]
        )
        for one in found["orders"]
    }  # fmt: skip
    return orders, found["next"], found["winner"]


Differing: TypeAlias = dict[tuple[str, str], tuple[int, bool]]
"""(game, phase) -> the number of orders whose results differ, and whether the board does."""


def by_hand(path: str, rules: Sequence[str]) -> dict[str, Differing]:
    """Rules -> the phases whose results differ from those under `datc`, judged one by one."""
    found: dict[str, Differing] = {name: {} for name in rules}
    for game in read_games(path):
        assert isinstance(game, RecordedGame)
        for record in game.phases:
            if not record.orders and record.after is None:
                continue  # this phase was not played
            phase = record.before.phase
            assert phase is not None
            position = recorded_position(game.board, record.before, phase, {})
            plain = results(dipsat.adjudicate(position, record.orders))
            for name in rules:
                other = results(dipsat.adjudicate(position, record.orders, name))
                if other != plain:
                    keys = plain[0].keys() | other[0].keys()
                    changed = sum(plain[0].get(key) != other[0].get(key) for key in keys)
                    found[name][game.source, str(phase)] = changed, plain[1:] != other[1:]
    return found


def at_once(
    rules: Sequence[str], path: str, folder: Path
) -> tuple[studies.ImpactReport, dict[str, Differing]]:
    """The report, and the differences in its rows."""
    rows = folder / "rows.jsonl"
    report = studies.impact(rules, path, examples=0, rows=rows)
    found: dict[str, Differing] = {}
    for row in studies.read_rows(rows):
        if row["verdict"] == "differ":
            what = row["orders_changed"], row["board"]
            found.setdefault(row["rules"], {})[row["game"], row["phase"]] = what
        else:
            assert row["board"] is None
    return report, found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Games of random orders; every dislodged unit and every build is in the file."""
    path = tmp_path_factory.mktemp("made") / "games.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for seed in range(2):
            part = path.with_name("one.jsonl")
            made_game(seed, 10).save(part)
            file.write(part.read_text(encoding="utf-8"))
    return str(path)


@exhaustive
@needs_compiler
def test_judging_at_once_finds_what_judging_phase_by_phase_does(made: str, tmp_path: Path) -> None:
    report, found = at_once(CHOICES, made, tmp_path)
    expected = by_hand(made, CHOICES)
    for name, own in zip(CHOICES, report.rules, strict=True):
        assert found.get(own.rules, {}) == expected[name], name
        assert_adds_up(own, expected[name])
    assert any(expected.values())


def assert_adds_up(own: studies.RulesImpact, expected: Differing) -> None:
    """Check the sums of the findings about a rule set."""
    moved = [at for at, (_, board) in expected.items() if board]
    assert (own.differ, own.board_differs) == (len(expected), len(moved))
    assert own.orders == sum(orders for orders, _ in expected.values())
    assert own.games == len({source for source, _ in expected})
    assert own.board_games == len({source for source, _ in moved})


AT_HOME = """
name: at-home
extends: datc
legal:
  no_foreign_help(s): s.power == s.supported.power
reasons:
  no_foreign_help: nobody supports the units of others
"""
CLOSED = """
name: closed
extends: datc
decisions:
  move(m):
    base: kept
    closed: m.target.code != "BUR"
reasons:
  closed: nobody enters Burgundy
"""
HELPED = {"FRANCE": ["A BUR S A RUH - MUN"], "GERMANY": ["A RUH - MUN"], "AUSTRIA": ["A MUN H"]}
SEVERAL = {
    "cut": {**HELPED, "ITALY": ["A MAR - BUR"]},
    "needed": {**HELPED, "ITALY": ["A MAR H"]},
    "unmatched": {**HELPED, "GERMANY": ["A RUH H"]},
    "ring": {"ITALY": ["A PAR - BUR", "A BUR - GAS", "A GAS - PAR"]},
    "own swap": {"FRANCE": ["A NWY - SWE", "F SKA C A NWY - SWE", "A SWE - NWY"]},
    "swap": {"FRANCE": ["A NWY - SWE", "F SKA C A NWY - SWE"], "RUSSIA": ["A SWE - NWY"]},
}
"""A foreign support of an attack: cut in any case, needed, and for a move that was not ordered,
which is invalid under `datc` and illegal under the rules here. Then three armies in a circle, and
two that change places by convoy."""


@exhaustive
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (AT_HOME, {"cut": (1, False), "needed": (3, True)}),
        (CLOSED, {"ring": (3, False)}),
        ("4.C.5-a", {"cut": (1, False), "needed": (3, True)}),  # names no nationality
        ("4.A.3-e", {"own swap": (2, False), "swap": (2, True)}),  # compiled; all go by land
    ],
    ids=["at home", "closed", "nameless", "by land"],
)
def test_a_board_that_stays_the_same_is_told_from_one_that_differs(
    given: str, expected: dict[str, tuple[int, bool]], tmp_path: Path
) -> None:
    """Nobody can see whether equal armies stay or change places."""
    rules = given
    if "\n" in given:
        rules = str(tmp_path / "rules.yaml")
        Path(rules).write_text(given, encoding="utf-8")
    lines = []
    for name, orders in SEVERAL.items():
        lines.append(line_of(board_of(orders), orders, name))
    path = file_of(tmp_path, lines)
    report, found = at_once([rules], path, tmp_path)
    (own,) = report.rules
    named = {(name, "S1901M"): what for name, what in expected.items()}
    assert found == {own.rules: named}
    assert_adds_up(own, named)
    (own,) = studies.impact(rules, path).rules
    shown = [(one.source, one.board_differs) for one in own.first]
    moved_first = sorted(expected, key=lambda name: not expected[name][1])
    assert shown == [(name, expected[name][1]) for name in moved_first]
    assert [one.source for one in own.smallest] == moved_first
    same = (
        f"First: {moved_first[-1]}, S1901M, {own.first[-1].units} units; the board stays the same"
    )
    assert same in str(studies.impact(rules, path))


def test_a_report_stays_small_whatever_a_file_holds() -> None:
    tally, more = Tally.of(1), Tally.of(1)
    for number in range(60):
        for one in (tally, more):
            count_reason(one.skipped, f"reason {number}")
            one.sets[0].miss(f"reason {number}", ["x S1901M"])
    for number in range(2000):
        more.fail(f"line {number}")
    tally.add(more, 3)
    assert tally.skipped.total() == tally.sets[0].not_judged.total() == 120
    assert len(tally.skipped) == len(tally.sets[0].gaps) < 60
    assert (tally.failed, len(tally.failures)) == (2000, 1000)


@exhaustive
def test_other_retreats_are_another_board(tmp_path: Path) -> None:
    """6.H.11: by 4.A.5-a, the dislodged army may not go where its attacker came from by convoy."""
    (own,) = studies.impact("4.A.5-a", cases_file(tmp_path, ["6.H.11"])).rules
    assert (own.differ, own.board_differs, own.orders) == (1, 1, 0)


@exhaustive
@needs_games
@needs_compiler
def test_all_choices_on_recorded_games_are_as_phase_by_phase(tmp_path: Path) -> None:
    """Every eighth phase of a game, without retreats, whose places the file does not state."""
    lines = [one for one in recorded_phases(FEW[1:2]) if not one["dislodged"]][::8]
    rules = [name for name in shipped_names() if name.startswith(("choices/", "rulebooks/"))]
    path = file_of(tmp_path, lines)
    expected = by_hand(path, rules)
    report, found = at_once(rules, path, tmp_path)
    for name, own in zip(rules, report.rules, strict=True):
        assert found.get(own.rules, {}) == expected[name], name
        assert_adds_up(own, expected[name])


def test_what_cannot_be_read_or_judged_is_counted(tmp_path: Path) -> None:
    orders = {"FRANCE": ["A PAR - BUR"]}
    good = line_of(board_of(orders), orders, "good")
    bad = {**good, "source": "bad order", "orders": {"FRANCE": ["A ATLANTIS - BUR"]}}
    worse = {**good, "source": "bad unit", "units": {"FRANCE": ["A ATLANTIS"]}}
    path = file_of(tmp_path, [good, bad, worse])
    report = studies.impact("variants/ice", [path, str(tmp_path / "nothing.jsonl")])
    assert report.compared == 1
    (own,) = report.rules
    assert (own.compared, own.differ) == (0, 0)
    (gap,) = own.not_judged
    assert (gap.phases, gap.first) == (1, ("good S1901M",))
    assert sum(report.skipped.values()) + len(report.failures) >= 3
    assert "nothing.jsonl" in report.failures[-1]


def test_retreats_are_those_that_the_base_finds(tmp_path: Path) -> None:
    """Two orders for a unit: one to a province left vacant by a standoff, where it may not go. So
    only the other counts, whatever 4.D.3 says of several orders. If the moves before cannot be
    read, nobody knows; if there are none, both may be possible."""
    first, second = retreating(["F ADR - ALB"], "")
    second["orders"] = {"FRANCE": ["A SER R BUD", "A SER R ALB"]}
    unreadable, _ = retreating(["F ADR sails off"], "")
    found = {}
    for name, lines in (("read", [first, second]), ("unread", [unreadable, second]),
                        ("alone", [second])):  # fmt: skip
        report = studies.impact("4.D.3-b", file_of(tmp_path, lines))
        found[name] = (report.compared, report.rules[0].differ, sum(report.skipped.values()))
    assert found == {"read": (2, 0, 0), "unread": (0, 0, 2), "alone": (1, 1, 0)}


def test_phases_that_lack_the_same_are_counted_together(tmp_path: Path) -> None:
    """Two circular movements, and rules that have no rule for them."""
    rules = tmp_path / "bare.yaml"
    rules.write_text("name: bare\nextends: datc\ncycles: []\n", encoding="utf-8")
    rings = (
        {"TURKEY": ["A CON - SMY", "A SMY - ANK", "A ANK - CON"]},
        {"ITALY": ["A ROM - VEN", "A VEN - TUS", "A TUS - ROM"]},
    )
    lines = [line_of(board_of(ring), ring, min(ring).lower()) for ring in rings]
    path = file_of(tmp_path, lines)
    (own,) = studies.impact(rules, path).rules
    (gap,) = own.not_judged
    assert gap.to_dict() == {
        "reason": "no rule settles a decision cycle",
        "phases": 2,
        "first": ["turkey S1901M", "italy S1901M"],
    }
    assert (own.compared, own.differ) == (0, 0)
    back = studies.impact("datc", path, rules)
    assert back.compared == 0
    assert list(back.skipped.values()) == [2]


def test_there_must_be_something_to_compare(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match="nothing to compare"):
        studies.impact("1971")
    with pytest.raises(UnknownNameError):
        studies.impact("1970", str(tmp_path / "x.jsonl"))


def test_a_report_says_that_random_boards_lack_the_orders_that_rules_declare() -> None:
    report = studies.impact(["portage", "1971"], boards=studies.RandomBoards(2), jobs=1)
    assert [one.declares_orders for one in report.rules] == [True, False]
    portage, other = str(report).split("\n1971 ")
    assert "random boards lack the orders" in portage
    assert "lack" not in other


def test_the_command_shows_the_orders_that_change(tmp_path: Path) -> None:
    path = cases_file(tmp_path, ["6.G.8", "6.I.2"])
    run = CliRunner().invoke(main, ["rules", "impact", "4.A.3-b", "4.A.7-b", "--games", path])
    assert run.exit_code == 1, run.output
    assert "Against datc, on 2 phases of 2 games:" in run.output
    assert "France: A BEL - HOL VIA  invalid  succeeds" in run.output
    printed = CliRunner().invoke(main, ["rules", "impact", "4.A.7-b", "--games", path, "--json"])
    assert printed.exit_code == 0
    assert json.loads(printed.output)["rules"][0]["differ"] == 0
    assert CliRunner().invoke(main, ["rules", "impact", "1971"]).exit_code == 2


CAUSES = [
    ("6.G.8", "rulebooks/1982", ("setting via_without_convoy",)),  # 4.A.3 d
    ("6.J.12", "rulebooks/1982", ("setting civil_disorder",)),  # 4.D.8 d
    ("6.F.17", "rulebooks/1982", ("decision support",)),  # 4.A.2 b: the support is not cut
    ("6.F.14", "4.A.2-all-hold", ("cycle rule all hold",)),
    ("6.E.7", "rulebooks/dptg", ("decision move",)),  # whose supports count against other attackers
]
"""Cases, rules, and the part of these that DATC names as the reason."""


@exhaustive
@pytest.mark.parametrize(("name", "rules", "cause"), CAUSES)
def test_the_cause_is_the_entry_that_the_issue_is_about(
    tmp_path: Path, name: str, rules: str, cause: tuple[str, ...]
) -> None:
    (own,) = studies.impact(rules, cases_file(tmp_path, [name])).rules
    assert [(one.entries, one.phases) for one in own.causes] == [(cause, 1)]
    assert [one.cause for one in own.first] == [cause]


def test_several_entries_together_are_a_cause(tmp_path: Path) -> None:
    """6.B.1, and a case like 6.B.12 in another corner: each choice changes one order."""
    orders = {"FRANCE": ["F POR - SPA"], "RUSSIA": ["A MOS - STP/NC"]}
    path = file_of(tmp_path, [line_of(board_of(orders), orders, "both")])
    (own,) = studies.impact("4.B.1-b+4.B.6-a+4.D.7-b", path).rules
    ((entries, phases),) = [(one.entries, one.phases) for one in own.causes]
    assert set(entries) == {"setting coast_of_two_omitted", "setting coast_irrelevant"}
    assert (phases, own.orders) == (1, 2)


def test_a_smallest_example_differs_and_nothing_in_it_is_idle(tmp_path: Path) -> None:
    orders = {**CASES["6.B.9"].orders, "TURKEY": ["A ANK - CON", "F SMY H"]}
    units = {**CASES["6.B.9"].position.to_dict()["units"], "TURKEY": ["A ANK", "F SMY"]}
    position = dipsat.Position.from_units(units, "standard", "S1901M")
    path = file_of(tmp_path, [line_of(position, orders, "with Turks")])
    (example,) = studies.impact("4.B.4-e", path).rules[0].smallest
    assert example.is_shrunk
    assert example.comparison().differs
    assert (example.units, example.source) == (4, "with Turks")
    was = verdicts_of(example.changed)
    for power, placed in example.position["units"].items():
        for gone in placed:
            left = {**example.position["units"], power: [one for one in placed if one != gone]}
            texts = {
                who: [text for text in listed if not text.startswith(gone)]
                for who, listed in example.orders.items()
            }
            less = dipsat.Position.from_units(left, "standard", example.phase)
            assert not was <= verdicts_of(dipsat.compare(less, texts, ["datc", "4.B.4-e"]).orders)


def verdicts_of(rows: Iterable[Any]) -> set[tuple[Any, ...]]:
    """Units with what becomes of their orders under each of the rules."""
    return {(row.unit, *(one and (one.verdict, one.fate) for one in row.results)) for row in rows}


@exhaustive
def test_ctrl_c_leaves_what_was_found(made: str) -> None:
    def stop(what: str, done: float, total: float) -> None:
        if done:
            raise KeyboardInterrupt

    report = studies.impact("4.C.5-a", [made], progress=stop)
    assert report.is_interrupted
    assert 0 < report.compared < 20
    assert report.rules[0].differ > 0
    assert "Interrupted" in str(report)


def test_a_folder_of_games_is_read_file_by_file(tmp_path: Path) -> None:
    games = tmp_path / "games"
    for name, case in (("one", "6.B.1"), ("two", "6.B.2")):
        (games / name).mkdir(parents=True)  # folders in it are left alone
        Path(cases_file(games / name, [case])).rename(games / f"{name}.jsonl")
    (games / "notes.txt").write_text("no game", encoding="utf-8")
    told = CliRunner().invoke(main, ["rules", "impact", "4.A.7-b", "--games", str(games)])
    assert "on 2 phases of 2 games" in told.stdout, told.output
    again = CliRunner().invoke(main, ["replay", "--summary", str(games)])
    assert "2 games, 2 phases." in again.stdout
    files = map(str, sorted(games.glob("*.jsonl")))
    refused = CliRunner().invoke(main, ["rules", "impact", "4.A.7-b", "--games", *files])
    assert refused.exit_code == 2
    assert f"write --games before each file of games, or name their folder: --games {games}" in (
        " ".join(refused.stderr.split())
    )


FLEETS_FLEE_FIRST = "docs/examples/cookbook/fleets-flee-first.yaml"
RETREATS = {
    "source": "game", "phase": "S1902R", "units": {"FRANCE": ["F HEL"]}, "centers": {},
    "dislodged": {"ENGLAND": ["F NTH"], "GERMANY": ["A RUH"]},
    "retreat_options": {"F NTH": ["HOL", "YOR"], "A RUH": ["HOL", "KIE"]},
    "orders": {"ENGLAND": ["F NTH R HOL"], "GERMANY": ["A RUH R HOL"]},
    "next_phase": "F1902M", "next_units": {}, "next_centers": {}, "next_dislodged": {},
}  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("4.B.4-e", line_of(CASES["6.B.9"].position, CASES["6.B.9"].orders, "6.B.9")),
        (FLEETS_FLEE_FIRST, RETREATS),
    ],
    ids=["moves", "retreats"],
)
def test_examples_are_saved_as_files_that_other_commands_read(
    rules: str, line: dict[str, Any], tmp_path: Path
) -> None:
    path = file_of(tmp_path, [line])
    asked = ["rules", "impact", rules, "--games", path, "--save", str(tmp_path / "found"), "--json"]
    told = CliRunner().invoke(main, asked)
    stated = json.loads(told.stdout)["rules"][0]
    saved = sorted((tmp_path / "found").iterdir())
    name = stated["rules"]
    assert [file.name for file in saved] == [f"{name}-first-1.yaml", f"{name}-smallest-1.yaml"]
    for file, kind in zip(saved, ("first", "smallest"), strict=True):
        assert f"dipsat explain FILE --rules {rules}" in file.read_text(encoding="utf-8")
        options = ["--rules", "datc", "--rules", rules, "--json"]
        compared = json.loads(CliRunner().invoke(main, ["compare", str(file), *options]).stdout)
        changed = [one["order"] for one in stated[kind][0]["changed"]]
        assert [one["order"] for one in compared["orders"] if one["differs"]] == changed
    assert CliRunner().invoke(main, asked).exit_code == 2  # the folder is not empty
