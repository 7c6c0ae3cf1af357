"""Judges compared: what is found, how it is shrunk and grouped, and what bad input gives."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

import dipsat
from dipsat.board import parse_map
from dipsat.cli import main
from dipsat.equations import Phase
from dipsat.errors import EngineError, QuestionError
from dipsat.outcomes import Verdicts, find_engine
from dipsat.rules import Profile, parse_profile
from dipsat.studies import (
    DatcCases,
    Divergence,
    Judge,
    RandomBoards,
    Sheet,
    SheetRow,
    check_judges,
    crosscheck,
    random_board,
)
from dipsat.studies.engine_names import SOLVER
from dipsat.studies.judges import (
    Shapes,
    differences,
    find,
    leading,
    shape_of,
)
from dipsat.studies.sheet import sheet_of
from tests.checkout import ROOT
from tests.core.test_architecture import run_python
from tests.exhaustive import exhaustive, few_of
from tests.made_games import made_game
from tests.pages import assert_command_prints, assert_python_prints, blocks, page
from tests.phases import position_of

PAGE = page("docs/crosscheck.md")


@dataclass(frozen=True)
class Own:
    """A user's own engine, which gives the solver's verdicts with a change."""

    name: str
    change: Callable[[Phase, Verdicts], Verdicts]

    def decide(self, phase: Phase, profile: Profile) -> Verdicts:
        found = find_engine(SOLVER).decide(phase, profile)
        plain = (getattr(found, field.name) for field in fields(Verdicts))
        return self.change(phase, Verdicts(*plain))


def no_convoys(phase: Phase, found: Verdicts) -> Verdicts:
    """Refuse phases in which anything is convoyed."""
    if phase.convoys:
        raise EngineError("no_convoys", "there is a convoy")
    return found


def interrupted(phase: Phase, found: Verdicts) -> Verdicts:
    """Act as if somebody typed Ctrl-C while the engine works on two units."""
    if len(phase.units) == 2:
        raise KeyboardInterrupt
    return replace(found, contested=frozenset({"BOH"}))


NO_CONVOYS = Own("no_convoys", no_convoys)
NO_STANDOFFS = Own("no_standoffs", lambda _, found: replace(found, contested=frozenset()))
INTERRUPTED = Own("interrupted", interrupted)

SIEGE = "name: siege\nextends: datc\n" + (
    "decisions:\n  hold_strength(p): >\n    0 if not some(p.units) else\n"
    "    (0 if any(move(d) for d in p.departures) else 1) if some(p.departures) else\n"
    "    2 + sum(sum(support(s) for s in u.supports) for u in p.units)\n"
)
"""A unit that holds is as strong as two (docs/first-steps.md)."""


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.fixture
def siege(tmp_path: Path) -> str:
    return written(tmp_path / "siege.yaml", SIEGE)


def deaf(folder: Path) -> tuple[str, str]:
    """Rules without supports, and a sheet with one."""
    rules = written(folder / "deaf.yaml", "extends: datc\ndecisions:\n  support(s): false\n")
    return rules, written(folder / "a.txt", "England:\n A Lon S A Wal\n A Wal H\n")


# What is found, shrunk and grouped.


@exhaustive
def test_a_stronger_garrison_is_shrunk_to_one_supported_attack(siege: str) -> None:
    """Strength 2 against a holding unit that is as strong as two: no fewer than three units."""
    report = crosscheck(["solver:datc", f"solver:{siege}"], [RandomBoards(3, seed=9)])
    sizes = [len(one.shown.sheet.rows) for one in report.disagreements]
    assert sizes
    assert min(sizes) == 3
    example = next(one for one in report.disagreements if len(one.shown.sheet.rows) == 3)
    (held, attack, support) = sorted(
        (row.orders[0] for row in example.shown.sheet.rows), key=lambda t: (" - " in t) + ("S" in t)
    )
    assert " - " in attack
    assert f"S {attack}" in support
    assert example.shown.differences[0].part == "moves"
    assert held.split()[1].partition("/")[0] == attack.split()[-1].partition("/")[0]


@exhaustive
def test_an_answer_of_only_one_judge_is_a_disagreement_of_its_own_kind() -> None:
    judges: list[str | Judge] = ["solver:datc", Judge(NO_CONVOYS, "datc")]
    report = crosscheck(judges, [RandomBoards(6)])
    boards = [random_board(seed) for seed in range(6)]
    convoys = [b for b in boards if any(" C " in t for texts in b.orders.values() for t in texts)]
    assert 0 < report.unanswered["no_convoys:datc"] <= len(convoys)
    for group in report.groups:
        assert group.parts == ("answer",)
        assert any(" C " in row.orders[0] for row in group.example.shown.sheet.rows)
        assert len(group.example.shown.sheet.rows) == 2


def test_two_judges_without_an_answer_agree() -> None:
    report = crosscheck(
        [Judge(NO_CONVOYS, "datc"), Judge(Own("other", no_convoys), "datc")], [RandomBoards(6)]
    )
    assert not report.differs
    assert report.unanswered


@exhaustive
def test_smallest_orders_are_part_of_the_board_and_all_are_needed(siege: str) -> None:
    report = crosscheck(["solver:datc", f"solver:{siege}"], [RandomBoards(4)])
    assert report.disagreements
    for one in report.disagreements:
        board = random_board(int(one.source.split()[-1]))
        rows = one.shown.sheet.rows
        assert one.smallest is not None
        wanted = leading(one.differences)
        assert not wanted.isdisjoint(one.shown.differences)
        for at, row in enumerate(rows):
            assert row.unit in board.units[row.power]
            assert set(row.orders) <= {*board.orders[row.power], f"{row.unit} H"}
            left = rows[:at] + rows[at + 1 :]
            for rest in (left, *(left[:k] + left[k + 1 :] for k in range(at, len(left)))):
                assert wanted.isdisjoint(differing(rest, siege))


def differing(rows: Sequence[SheetRow], siege: str) -> tuple[Divergence, ...]:
    sheet = Sheet("standard", tuple(rows))
    mine, theirs = (
        find(Judge(SOLVER, rules), sheet.position(), sheet.orders, "datc")
        for rules in ("datc", siege)
    )
    return differences(mine, theirs)


WEST = "FRANCE: A PAR - BUR, A MAR S A PAR - BUR; GERMANY: A BUR H"
EAST = "RUSSIA: A UKR S A WAR - GAL, A WAR - GAL; AUSTRIA: A GAL H"
ALLIED = "RUSSIA: A WAR - GAL; TURKEY: A UKR S A WAR - GAL; AUSTRIA: A GAL H"
HELD = "RUSSIA: A WAR - GAL, A UKR S A GAL; AUSTRIA: A GAL H"
CARRIED = "RUSSIA: A SEV - ARM VIA, F BLA C A SEV - ARM; TURKEY: A ARM H"
FERRIED = "RUSSIA: A SEV - ARM VIA; FRANCE: F BLA C A SEV - ARM; TURKEY: A ARM H"
BY_TWO = (
    "RUSSIA: A LON - NAF VIA; ENGLAND: F ENG C A LON - NAF; ITALY: F MAO C A LON - NAF;"
    " TURKEY: A NAF H"
)


@pytest.mark.parametrize(
    ("one", "about_one", "other", "about_other", "is_same"),
    [
        (WEST, "A PAR", EAST, "A WAR", True),
        (WEST, "A PAR", EAST, "A UKR", False),
        (EAST, "A WAR", ALLIED, "A WAR", False),
        (EAST, "A WAR", HELD, "A WAR", False),
        (WEST, "A PAR", CARRIED, "A SEV", False),
        (FERRIED, "A SEV", BY_TWO, "A LON", True),
    ],
    ids=["other names", "another unit", "an ally", "a support to hold", "a convoy", "a longer one"],
)
def test_shapes_are_those_of_orders_whatever_the_names(
    one: str, about_one: str, other: str, about_other: str, is_same: bool
) -> None:
    numbers, shapes = [], Shapes()
    for text, about in ((one, about_one), (other, about_other)):
        powers = (part.split(": ") for part in text.split("; "))
        orders = {power: texts.split(", ") for power, texts in powers}
        sheet = sheet_of(position_of(orders), orders)
        found = shape_of(sheet, [Divergence("moves", about, ("X", ""))])
        numbers.append(shapes.number(found))
    assert (numbers[0] == numbers[1]) is is_same


# The boards from 0 to 1999 that the DPjudge decides differently from 1982; `dipsat crosscheck
# --random 2000 -e solver:1982 -e dpjudge` names them.
DIFFERING = [
    14, 63, 122, 167, 184, 195, 221, 235, 269, 375, 384, 389, 392, 443, 497, 561, 592, 662, 663,
    692, 718, 775, 832, 868, 937, 997, 1033, 1053, 1059, 1071, 1086, 1090, 1133, 1149, 1258, 1261,
    1285, 1301, 1302, 1310, 1314, 1365, 1393, 1404, 1437, 1446, 1460, 1477, 1537, 1563, 1597, 1613,
    1688, 1714, 1721, 1722, 1855, 1872,
]  # fmt: skip
OWN_FLEETS = """\
extends: [judges/base, rulebooks/1982]
define:
  spares(a, s): by_convoy(a) and any(c.province == s.target for c in a.convoys)
"""
CAUSES: Mapping[str, str | Profile] = {
    "the support of a fleet's own power disrupts its convoy":
        "judges/base+1982+judges/own-support-disrupts",
    "a convoyed army cuts support against where it came from": "judges/base+1982+4.A.4-b",
    "an army spares supports that concern its own fleets only":
        parse_profile(OWN_FLEETS, "own-fleets.yaml"),
}  # fmt: skip
"""The causes that the page names, each with the single change of 1982 that explains it."""


@exhaustive
def test_groups_of_the_page_are_those_found_and_each_has_the_cause_named_there() -> None:
    boards = [RandomBoards(1, seed) for seed in DIFFERING]
    report = crosscheck(["solver:1982", "dpjudge"], boards)
    explained = {cause: explained_by(rules, boards) for cause, rules in CAUSES.items()}
    found: dict[str, list[int]] = {}
    for group in report.groups:
        sources = {one.source for one in group.disagreements}
        (cause,) = (cause for cause, own in explained.items() if own & sources)
        assert explained[cause] >= sources
        found.setdefault(cause, []).append(len(sources))
    assert {cause: sorted(sizes) for cause, sizes in found.items()} == table_of_the_page()
    assert sum(map(sum, found.values())) == len(boards)
    assert not crosscheck(["solver:judges/dpjudge", "dpjudge"], boards).differs


def explained_by(rules: str | Profile, boards: Sequence[RandomBoards]) -> set[str]:
    """The boards that the solver decides under these rules as the DPjudge does."""
    judges = [Judge("dpjudge", "1982"), Judge(SOLVER, rules)]
    others = crosscheck(judges, boards, smallest=0).disagreements
    return {f"random board {board.seed}" for board in boards} - {one.source for one in others}


def table_of_the_page() -> dict[str, list[int]]:
    """Cause -> the sizes of its groups, by the table that docs/crosscheck.md shows."""
    found: dict[str, list[int]] = {}
    table = page("docs/tables/crosscheck-groups.csv")
    for row in csv.DictReader(table.splitlines()):
        found.setdefault(row["cause"], []).append(int(row["boards"]))
    return {cause: sorted(sizes) for cause, sizes in found.items()}


@exhaustive
def test_no_other_boards_differ_than_those_listed() -> None:
    report = crosscheck(["solver:1982", "dpjudge"], [RandomBoards(300)], smallest=0)
    differing = [int(one.source.split()[-1]) for one in report.disagreements]
    assert sorted(differing) == [seed for seed in DIFFERING if seed < 300]


@exhaustive
def test_the_report_says_which_units_must_be_of_one_power() -> None:
    boards = [RandomBoards(1, seed) for seed in (14, 122)]
    report = crosscheck(["solver:1982", "dpjudge"], boards)
    allied = {group.example.source: group.example.shown.allies for group in report.groups}
    assert set(allied.pop("random board 14")[0]) == {"F ENG", "F IRI"}
    assert allied == {"random board 122": ()}


# What is compared.


@exhaustive
@pytest.mark.parametrize(
    ("extent", "differ"),
    [("auto", (False, True)), ("moves", (False, False)), ("all", (True, True))],
)
def test_verdict_only_engines_are_compared_in_moves_and_profiles_in_everything_unless_asked(
    extent: Any, differ: tuple[bool, bool], tmp_path: Path
) -> None:
    """6.F.30: step 5 of the DPjudge marks the support of an army whose convoy fails. 4.D.3 b:
    without a power's support order, only a verdict differs."""
    case = crosscheck(["solver:1982", "dpjudge"], [DatcCases(("6.F.30",))], compare=extent)
    rules, file = deaf(tmp_path)
    supports = crosscheck(["solver:datc", f"solver:{rules}"], [file], compare=extent)
    assert (case.differs, supports.differs) == differ
    assert all(group.parts == ("supports",) for group in case.groups)


def test_a_judge_without_a_profile_takes_that_of_the_first_with_one() -> None:
    labels = [judge.label for judge in check_judges(["dip_eval", "solver:1982", "dpjudge:2000"])]
    assert labels == ["dip_eval:1982", "solver:1982", "dpjudge:2000"]
    labels = [judge.label for judge in check_judges(["dip_eval", "solver:1982"], "2000")]
    assert labels == ["dip_eval:2000", "solver:1982"]
    assert [judge.label for judge in check_judges(["dip_eval"])] == ["solver", "dip_eval"]


# Files.


@exhaustive
def test_retreats_and_adjustments_of_a_game_are_counted_and_skipped(tmp_path: Path) -> None:
    game = made_game(3)
    path = tmp_path / "game.json"
    game.save(path)
    report = crosscheck(["solver:datc", "recursive_guess"], [path])
    kinds = [turn.position.phase.kind.name.lower() for turn in game.history]
    assert report.failures == ()
    assert report.compared == kinds.count("movement") + (game.phase.kind.name == "MOVEMENT")
    assert sum(report.skipped.values()) == len(kinds) + 1 - report.compared
    assert all("phase, the same whatever the engine" in reason for reason in report.skipped)


ORDERS = {
    "a.txt": "France:\n A Mar - Bur\nGermany:\n A Mun - Bur\n",
    "a.yaml": "orders:\n  FRANCE: [A MAR - BUR]\n  GERMANY: [A MUN - BUR]\n",
    "a.json": '{"orders": {"FRANCE": ["A MAR - BUR"], "GERMANY": ["A MUN - BUR"]}}',
    "b.json": '{\n "orders": {"FRANCE": ["A MAR - BUR"],\n "GERMANY": ["A MUN - BUR"]}}',
    "sets.yaml": "orders:\n  FRANCE: [[A MAR H], [A MAR - BUR]]\n  GERMANY: [A MUN - BUR]\n",
}


@pytest.mark.parametrize("name", ORDERS)
def test_order_files_of_all_kinds_are_read_and_shrunk(name: str, tmp_path: Path) -> None:
    file = written(tmp_path / name, ORDERS[name])
    report = crosscheck(["solver", Judge(NO_STANDOFFS)], [file])
    (one,) = report.disagreements
    assert one.source == file
    assert one.shown.differences == (Divergence("contested", "BUR", ("contested", "")),)
    assert len(one.shown.sheet.position().units) == 2


@exhaustive
def test_saved_orders_are_read_by_adjudicate_and_still_differ(siege: str, tmp_path: Path) -> None:
    folder = tmp_path / "found"
    arguments = ["crosscheck", "--random", "4", "--seed", "8", "-e", "solver:datc"]
    arguments += ["-e", f"solver:{siege}"]
    done = CliRunner().invoke(main, [*arguments, "--save", str(folder)])
    assert done.exit_code == 1
    files = sorted(folder.iterdir())
    assert len(files) > 1
    for file in files:
        outcomes = []
        for rules in ("datc", siege):
            shown = CliRunner().invoke(main, ["adjudicate", str(file), "--rules", rules, "--json"])
            assert shown.exit_code == 0
            outcomes.append([row["verdict"] for row in json.loads(shown.output)["orders"]])
        assert outcomes[0] != outcomes[1]
        assert set(yaml.safe_load(file.read_text("utf-8"))) == {"map", "units", "orders"}
    again = CliRunner().invoke(main, [*arguments, "--save", str(folder)])
    assert again.exit_code == 2
    assert "is not empty" in again.output


def test_a_bad_file_is_an_error_and_the_others_are_compared(tmp_path: Path) -> None:
    good = written(tmp_path / "good.txt", ORDERS["a.txt"])
    missing = str(tmp_path / "missing.txt")
    done = CliRunner().invoke(main, ["crosscheck", missing, good, "-e", "recursive_guess"])
    assert done.exit_code == 2
    assert done.stderr == f"error: {missing}: cannot be read: No such file or directory\n"
    assert "They agree on this many of 1 phase." in done.stdout


FAULTS = {
    "England:\n A Londin - Wal\n": "unknown province 'Londin'",
    "units: {England: [A Lon]}\norders: {England: [A Wal H]}\n": "no unit stands in WAL",
    "": "is empty",
    "orders:\n  ENGLAND: 3\n": "should be a list",
    "\x00\x01": "cannot read",
    "S1901M\nItaly:\n A Rom H\nF1901M\nItaly:\n A Rom H\n": "holds only orders, no positions",
}


@pytest.mark.parametrize("text", FAULTS, ids=FAULTS.values())
def test_an_order_file_with_a_fault_is_one_clear_error(text: str, tmp_path: Path) -> None:
    file = written(tmp_path / "orders", text)
    report = crosscheck(["solver", "recursive_guess"], [file])
    assert report.compared == 0
    (failure,) = report.failures
    assert FAULTS[text] in failure
    assert file in failure


def test_a_sheet_under_the_heading_of_its_phase_is_an_order_file(tmp_path: Path) -> None:
    headed = written(tmp_path / "fall.txt", f"Fall 1902\n{ORDERS['a.txt']}")
    report = crosscheck(["solver", "recursive_guess"], [headed])
    assert report.failures == ()
    assert report.compared == 1


BAD = [
    (["--random", "3"], "Missing option '--engine'"),
    (["--random", "0", "-e", "dip_eval"], "0 is not in the range x>=1"),
    (["--random", "3", "--units", "0", "-e", "dip_eval"], "0 is not in the range x>=1"),
    (["-e", "dip_eval"], "name files, or give --datc or --random N"),
    (["--random", "3", "-e", "dip_evil"], "unknown engine 'dip_evil'; did you mean dip_eval?"),
    (["--random", "3", "-e", "foo"], "unknown engine 'foo'; known: solver, partial_information,"),
    (["--random", "3", "-e", "dip_eval:1983"], "unknown profile '1983'"),
    (["--random", "3", "-e", "dip_eval", "--rules", "1983"], "unknown profile '1983'"),
    (["--random", "3", "-e", "dip_eval", "--map", "nowhere"], "unknown map 'nowhere'"),
    (["--random", "3", "-e", "solver"], "the solver alone has nothing to compare with"),
    (["--random", "3", "-e", "dpjudge", "-e", "dpjudge"], "the judge 'dpjudge' is given twice"),
    (["--datc", "6.Q", "-e", "dip_eval"], "unknown DATC case or section '6.Q'"),
]


@pytest.mark.parametrize(("arguments", "problem"), BAD, ids=[problem for _, problem in BAD])
def test_bad_arguments_are_one_clear_error(arguments: list[str], problem: str) -> None:
    done = CliRunner().invoke(main, ["crosscheck", *arguments])
    assert done.exit_code == 2
    assert problem in done.stderr
    assert done.stderr.count("rror:") == 1
    assert done.stdout == ""


def test_nothing_to_compare_is_refused_in_python() -> None:
    for judges, sources in (([], [DatcCases()]), (["dip_eval"], [])):
        with pytest.raises(QuestionError):
            crosscheck(judges, sources)
    for boards in (RandomBoards(0), RandomBoards(3, units=0)):
        with pytest.raises(QuestionError, match="at least one"):
            crosscheck(["dip_eval"], [boards])


# The command and the work behind it.


def test_an_interrupt_leaves_what_was_found(tmp_path: Path) -> None:
    three = written(tmp_path / "3.txt", "France:\n A Mar H\n A Par H\n A Gas H\n")
    two = written(tmp_path / "2.txt", "France:\n A Mar H\n A Par H\n")
    report = crosscheck(["solver", Judge(INTERRUPTED)], [three, two])
    assert report.is_interrupted
    assert report.compared == 1
    (one,) = report.disagreements
    assert (one.source, one.smallest) == (three, None)


def test_judges_that_agree_throughout_count_in_no_group_twice() -> None:
    report = crosscheck(["solver:1982", "dip_eval", "dpjudge"], [RandomBoards(1, 14)], smallest=0)
    assert report.alike == {"dip_eval:1982": "solver:1982"}
    assert [pair.agree for pair in report.pairs] == [1, 0, 0]
    assert [group.judges for group in report.groups] == [("solver:1982", "dpjudge:1982")]


def test_judges_that_agree_only_in_moves_do_not_hide_others(tmp_path: Path) -> None:
    """The third differs from the first in a verdict, which is not compared with the second."""
    rules, file = deaf(tmp_path)
    judges: list[str | Judge] = ["solver:datc", Judge(NO_STANDOFFS, "datc"), f"solver:{rules}"]
    report = crosscheck(judges, [file])
    assert [pair.agree for pair in report.pairs] == [1, 0, 1]
    assert [group.judges for group in report.groups] == [("solver:datc", f"solver:{rules}")]


def test_exit_status_and_matrix() -> None:
    done = CliRunner().invoke(main, ["crosscheck", "--datc", "6.A", "-e", "decision_graph"])
    assert done.exit_code == 0
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[:3] == [["Judge", "1", "2"], ["1", "solver", "12"], ["2", "decision_graph", "12"]]
    arguments = ["crosscheck", "--random", "1", "--seed", "14", "-e", "dpjudge:1982"]
    done = CliRunner().invoke(main, [*arguments, "--smallest", "0"])
    assert done.exit_code == 1
    assert "moves (not shrunk)" in done.stdout


@exhaustive
def test_disagreements_that_are_too_many_to_keep_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judges, boards = ["solver:1982", "solver:2000"], [RandomBoards(60)]
    whole = crosscheck(judges, boards, smallest=0)
    assert whole.ungrouped == 0
    monkeypatch.setattr("dipsat.studies.crosschecks._MOST_GROUPED", 3)
    few = crosscheck(judges, boards, smallest=0)
    assert few.pairs == whole.pairs
    boards_of = [int(one.source.split()[-1]) for one in whole.disagreements]
    assert sorted(int(one.source.split()[-1]) for one in few.disagreements) == sorted(boards_of)[:3]
    assert few.ungrouped == len(whole.disagreements) - 3 > 0


@exhaustive
def test_report_does_not_depend_on_the_command_the_hash_seed_or_the_processes() -> None:
    code = "import sys; from dipsat.cli import main; main(sys.argv[1:], standalone_mode=False)"
    judges = ["-e", "solver:1982", "-e", "solver:2000"]
    command = ["crosscheck", "--random", "5", "--datc", "6.F", *judges, "--json"]
    printed = {
        run_python(code, *command, "--jobs", jobs, PYTHONHASHSEED=seed)
        for seed, jobs in (("0", "1"), ("1", "2"))
    }
    report = crosscheck(["solver:1982", "solver:2000"], [DatcCases(("6.F",)), RandomBoards(5)])
    assert report.groups
    assert list(map(json.loads, printed)) == [json.loads(json.dumps(report.to_dict()))]


# Random boards.


def test_boards_of_a_seed_never_change() -> None:
    """Documents name boards by their seeds; this is what `bench` made of them before."""
    digest = sha256()
    for units in (5, 27):
        for seed in range(50):
            board = random_board(seed, units)
            digest.update(repr((board.units, board.orders)).encode())
    assert digest.hexdigest() == "c24bae7f70b2015711184ba9c5e91dc9ab5e365926e2551a0a4d4392b06e360d"


def test_boards_are_made_on_any_map_with_powers() -> None:
    text = blocks(page("docs/maps.md"), "yaml")[0]
    island = parse_map(text, "island.yaml")
    for seed in range(20):
        board = random_board(seed, 3, island)
        position = dipsat.Position.from_units(board.units, island)
        assert len(position.units) == min(3, len(island.provinces))
        dipsat.adjudicate(position, board.orders)
    with pytest.raises(QuestionError, match="no powers"):
        random_board(0, 3, replace(island, powers={}))


def test_random_boards_are_movement_phases_where_a_game_starts_with_builds() -> None:
    # A game on the map chaos starts with builds, in W1900A.
    for chosen in (["--rules", "chaos"], ["--map", "chaos"]):
        arguments = ["crosscheck", "--random", "3", "-e", "solver", "-e", "recursive_guess", "-j1"]
        shown = CliRunner().invoke(main, [*arguments, *chosen])
        assert shown.exit_code == 0, shown.output
        assert "3 phases" in shown.output


@pytest.mark.parametrize(("boards", "said"), [("1", "on 1 phase."), ("2", "on 2 phases.")])
def test_phases_without_an_answer_are_counted_in_words(boards: str, said: str) -> None:
    # Boards 1 and 2 have a cycle, for which simple_recursive has no way out.
    arguments = [
        "--random",
        boards,
        "--seed",
        "1",
        "-e",
        "simple_recursive",
        "--smallest",
        "0",
        "-j1",
    ]
    shown = CliRunner().invoke(main, ["crosscheck", *arguments])
    assert f"simple_recursive has no answer {said}" in shown.output


# The page.


@exhaustive
@pytest.mark.parametrize("block", few_of(blocks(PAGE, "console")[::-1], 1))
def test_commands_print_what_the_page_shows(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert_command_prints(block)


@exhaustive
@pytest.mark.parametrize("code", few_of(blocks(PAGE, "python")[::-1], 1))
def test_python_of_the_page_prints_what_it_says(code: str) -> None:
    assert_python_prints(code)
