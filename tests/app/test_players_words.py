"""What players read: results, boards, and what to type next."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat import studies
from dipsat.app import parameters
from dipsat.app.parameters import print_error
from dipsat.cli import main
from dipsat.errors import DipsatError, ProblemsError
from tests.checkout import ROOT
from tests.exhaustive import parts_of
from tests.pages import blocks, page
from tests.sources import FILES, text_of

NAMED = r"(?:[AF] [A-Z]{3}(?:/[A-Z]{2})?)"
WHO = rf"{NAMED}(?: supported by {NAMED}(?:, {NAMED})*)? \(\d against \d\)"
SEVERAL = rf"{WHO}(?: and {WHO})*"
OF_MOVES = {
    "bounced": rf"bounces off {SEVERAL}",
    "too_weak": rf"held off by {SEVERAL}",
    "beaten_head_to_head": rf"does not win head-to-head against {SEVERAL}",
    "support_cut": rf"cut by {NAMED}(?:, {NAMED})*",
    "supporter_dislodged": rf"the supporting unit is dislodged by {NAMED}",
    "fleet_dislodged": rf"the convoying fleet is dislodged by {NAMED}",
    "own_unit_stays": rf"a unit of the same power stays there: {NAMED}",
    "ok": rf"(?:nothing stops it(?:: stronger than {SEVERAL})?|nothing cuts it|it is not dislodged"
    r"|the fleet is not dislodged|)",
    "dislodged": rf"dislodged by {NAMED}",
}


def run(folder: Path, *arguments: str, stdin: str | None = None) -> Result:
    paths = [str(folder / one) if (folder / one).is_file() else one for one in arguments]
    return CliRunner().invoke(main, paths, input=stdin)


@pytest.mark.parametrize("seeds", parts_of(range(12), 2))
def test_every_reason_of_a_movement_phase_names_units_and_numbers(seeds: range) -> None:
    seen = set()
    for seed in seeds:
        board = studies.random_board(seed)
        outcome = dipsat.adjudicate(dipsat.Position.from_units(board.units), board.orders)
        for order in outcome.orders:
            code, text = order.reason.code, order.reason.text
            if code in OF_MOVES and order.verdict not in ("illegal", "invalid"):
                seen.add(code)
                own = text.partition("; dislodged by ")[0]
                assert re.fullmatch(OF_MOVES[code], own), (seed, order.order, text)
                named = set(re.findall(NAMED, own))
                assert named >= set(order.reason.because[: len(named)])
    assert {"bounced", "too_weak", "support_cut", "ok"} <= seen


def test_a_verdict_is_not_said_twice() -> None:
    orders = {"ITALY": ["A PIE - MAR"], "FRANCE": ["A MAR S A PAR - BUR", "A PAR - BUR"]}
    position = dipsat.Position.from_units({"ITALY": ["A PIE"], "FRANCE": ["A MAR", "A PAR"]})
    outcome = dipsat.adjudicate(position, orders)
    assert dipsat.explain(outcome, "A MAR").tree.text == "A MAR S A PAR - BUR cut by A PIE"
    assert dipsat.explain(outcome, "A PIE").tree.text == (
        "A PIE - MAR fails: held off by A MAR (1 against 1)"
    )


def test_a_text_of_the_rules_joins_the_units_or_stands_before_a_colon() -> None:
    position = dipsat.Position.from_units({"ITALY": ["A PIE"], "FRANCE": ["A MAR"]})
    for text, said in [
        ("blocked by", "blocked by A MAR (1 against 1)"),
        ("no way in", "no way in: not stronger than A MAR (1 against 1)"),
    ]:
        rules = dipsat.parse_profile(f"extends: datc\nreasons: {{too_weak: {text}}}\n", "r.yaml")
        outcome = dipsat.adjudicate(position, {"ITALY": ["A PIE - MAR"]}, rules)
        assert outcome.order("A PIE").reason.text == said


WINTER = """
phase: W1901A
units: {AUSTRIA: [A BUD, F TRI], TURKEY: [F ANK, A SMY, A GRE, A RUM], ITALY: [A ROM]}
centers: {AUSTRIA: [BUD, VIE, TRI, SER], TURKEY: [ANK, CON, SMY, BUL, GRE, RUM], ITALY: [ROM],
          RUSSIA: [MOS]}
"""


@pytest.mark.parametrize(
    ("power", "order", "why"),
    [
        ("TURKEY", "A BUL B", "Turkey cannot build in Bulgaria: it is no home centre of Turkey"),
        ("TURKEY", "A GAL B", "Turkey cannot build in Galicia: it is no supply centre"),
        ("TURKEY", "A ANK B", "F ANK stands there"),
        ("TURKEY", "F ANK D", "Turkey need not disband: 6 centres, 4 units"),
        ("ITALY", "A VEN B", "Italy cannot build in Venice: nobody owns it"),
        ("ITALY", "A ROM D", "Italy need not disband: 1 centre, 1 unit"),
        ("ITALY", "WAIVE", "Italy has no build: 1 centre, 1 unit"),
        ("AUSTRIA", "F VIE B", "a fleet cannot be built in Vienna: it is inland"),
        ("AUSTRIA", "A ROM D", "the unit there belongs to Italy"),
        ("AUSTRIA", "A BOH D", "no unit stands in BOH"),
    ],
)
def test_why_an_adjustment_is_illegal(power: str, order: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "w.yaml").write_text(WINTER, encoding="utf-8")
    phase = dipsat.load_phase(tmp_path / "w.yaml")
    (found,) = dipsat.adjudicate(phase.position, {power: [order]}).orders
    assert (found.verdict, found.reason.text) == ("illegal", why)


FALL = """
phase: F1901M
units: {AUSTRIA: [A SER, A BUD, F TRI], TURKEY: [A BUL, F SMY, F ANK]}
centers: {AUSTRIA: [BUD, VIE, TRI], TURKEY: [ANK, CON, SMY], ITALY: [SER]}
orders: {AUSTRIA: [A SER - GRE], TURKEY: [A BUL H]}
"""


def test_after_fall_the_board_is_shown_with_who_takes_and_builds_what(tmp_path: Path) -> None:
    (tmp_path / "f.yaml").write_text(FALL, encoding="utf-8")
    printed = run(tmp_path, "adjudicate", "f.yaml").stdout
    after = printed[printed.index("Next phase: ") :].split("\n\n")[1].splitlines()
    assert after == [
        "Austria  3 units: A BUD, A GRE, F TRI",
        "         4 centres: BUD, GRE, TRI, VIE",
        "Italy    0 units",
        "         1 centre: SER",
        "Turkey   3 units: F ANK, A BUL, F SMY",
        "         4 centres: ANK, BUL, CON, SMY",
        "Nobody   25 centres: BEL, BER, BRE, DEN, EDI, HOL, KIE, LON, LVP, MAR, MOS, MUN,",
        "           NAP, NWY, PAR, POR, ROM, RUM, SEV, SPA, STP, SWE, TUN, VEN, WAR",
        "Austria takes GRE.",
        "Turkey takes BUL.",
        "Austria builds up to 1 in VIE (4 centres, 3 units).",
        "Italy cannot build: no free site for it (1 centre, 0 units).",
        "Turkey builds up to 1 in CON (4 centres, 3 units).",
    ]
    spring = FALL.replace("F1901M", "S1901M")
    assert " takes " not in run(tmp_path, "adjudicate", "-", stdin=spring).stdout
    sheet = "Fall 1901\nAustria: A Ser H\n"
    words = " ".join(run(tmp_path, "adjudicate", "-", stdin=sheet).stdout.split())
    assert "Austria 1 unit: A SER 1 centre: SER Unknown 33 centres: ANK, BEL," in words
    assert "It is unknown who builds and who disbands, since owners are unknown: state" in words


def test_proof_begins_with_the_verdict_and_sums_up_single_decisions() -> None:
    opening = str(ROOT / "docs" / "examples" / "opening.txt")
    short = run(ROOT, "prove", opening).stdout
    assert short.startswith("Proven unique: 129 decisions in 31 subgraphs by Z3, 35 constants.\n")
    assert short.rstrip().endswith("38 subgraphs of one decision: unique.")
    every = run(ROOT, "prove", opening, "--all").stdout
    rows = [len(re.findall(r"^ +\d+ +\d+  unique", text, re.MULTILINE)) for text in (short, every)]
    assert rows == [14, 52]


@pytest.fixture
def winter(tmp_path: Path) -> Path:
    (tmp_path / "f.yaml").write_text(FALL, encoding="utf-8")
    run(tmp_path, "adjudicate", "f.yaml", "--next", str(tmp_path / "w.json"))
    (tmp_path / "w.txt").write_text("Austria: Build A Vie\n", encoding="utf-8")
    (tmp_path / "s.txt").write_text("Austria: A Gre - Bul\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "heading",
    ["W1901A", "w1901a:", "Winter 1901", "Winter 1901 Adjustments", "Winter of 1901 (Builds)",
     "Phase: W1901A", "phase : Winter 1901", "PHASE: Winter 1901 Adjustments:"],
)  # fmt: skip
def test_headings_that_name_a_phase(heading: str, winter: Path) -> None:
    sheet = f"{heading}\nAustria: Build A Vie\n"
    done = run(winter, "adjudicate", "-", "--position", "w.json", stdin=sheet)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "A VIE B  succeeds" in done.stdout
    alone = run(winter, "adjudicate", "-", stdin=sheet)
    assert "or give the position in a file of its own\nhint: --position" in alone.stderr


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("W1902A", ":1: names W1902A, but the phase is W1901A"),
        ("Winter", ":1: the year is missing; write it, such as 'Winter 1901'"),
        ("Phase: Winter", ":1: the year is missing; write it, such as 'Winter 1901'"),
        ("Phase: F1901A", ":1: unknown phase 'F1901A'; did you mean W1901A or F1901R?"),
        ("Phase: now", ":1: unknown phase 'now'; known: S1901M, S1901R, F1901M, F1901R, W1901A"),
    ],
)
def test_headings_that_name_no_phase_or_another(heading: str, said: str, winter: Path) -> None:
    sheet = f"{heading}\nAustria: Build A Vie\n"
    done = run(winter, "adjudicate", "-", "--position", "w.json", stdin=sheet)
    assert (done.exit_code, done.stderr) == (2, f"error: standard input{said}\n")


@pytest.mark.parametrize(
    ("order", "phases"),
    [
        ("Build A Vie", "an adjustment phase; write the phase (W1901A)"),
        ("A Vie R Boh", "a retreat phase; write the phase (S1901R)"),
        ("A Vie D", "a retreat or adjustment phase; write the phase (S1901R or W1901A)"),
    ],
)
def test_an_order_of_another_phase_says_what_to_type(order: str, phases: str, winter: Path) -> None:
    done = run(winter, "adjudicate", "-", stdin=f"Austria: {order}\n")
    assert done.stderr == (
        f"error: standard input:1:10: cannot read the order '{order}': it is an order of {phases} "
        f"above the orders, and give the position in a file of its own\n"
        f"hint: --phase NAME states the phase, too; --position FILE names the file of the "
        f"position\n"
    )


@pytest.mark.parametrize(
    "command",
    [
        ["adjudicate", "w.txt"],
        ["explain", "w.txt", "A VIE"],
        ["compare", "w.txt", "--rules", "datc", "--rules", "rulebooks/1982"],
    ],
)
def test_position_and_phase_are_options_of_every_command(command: list[str], winter: Path) -> None:
    done = run(winter, *command, "--position", "w.json", "--phase", "Winter 1901")
    assert (done.exit_code, done.stderr) == (0, "")
    assert re.search(r"A VIE B +succeeds", done.stdout)
    other = run(winter, *command, "--position", "w.json", "--phase", "S1902M")
    assert "names W1901A, but the phase is S1902M" in other.stderr


def test_phase_of_a_proof_and_of_a_search(winter: Path) -> None:
    proof = run(winter, "prove", "s.txt", "--phase", "F1902M", "--json").stdout
    assert '"phase": "F1902M"' in proof
    (winter / "p.yaml").write_text("units: {AUSTRIA: [A GRE, A SER]}\n", encoding="utf-8")
    asked = ["enters(BUL)", "--position", "p.yaml", "--open", "SER", "--phase", "F1902M", "--json"]
    found = run(winter, "search", "achieve", "s.txt", *asked)
    assert (found.exit_code, found.stderr) == (0, "")
    for command in ("prove", "explain", "compare", "adjudicate"):
        assert "--position FILE" in run(winter, command, "--help").stdout


def test_the_page_of_play_shows_what_is_printed() -> None:
    text = page("docs/play.md")
    (shown,) = blocks(text, "console")
    script = (ROOT / "docs" / "examples" / "first-year.txt").read_text(encoding="utf-8")
    assert blocks(text, "text") == [script]
    printed = CliRunner().invoke(main, ["play"], input=script).stdout
    assert shown.rstrip().splitlines()[1:] == [line.rstrip() for line in printed.splitlines()]


def test_phase_and_position_of_a_crosscheck(winter: Path) -> None:
    (winter / "p.yaml").write_text("units: {AUSTRIA: [A GRE, A SER]}\n", encoding="utf-8")
    asked = ["crosscheck", "s.txt", "-e", "dip_eval", "--phase", "F1902M"]
    for more in ([], ["--position", "p.yaml"]):
        done = run(winter, *asked, *more, "--json")
        assert (done.exit_code, done.stderr) == (0, "")
        assert '"compared": 1' in done.stdout
    other = run(winter, *asked, "--position", "w.json")
    assert (other.exit_code, "names W1901A, but the phase is F1902M" in other.stderr) == (2, True)


def test_hints_follow_the_data_of_an_error_not_its_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An error that only quoted the advice was followed by a hint at an option."""
    advice = "or give the position in a file of its own, or use `force`"
    print_error(DipsatError(f"{advice} is no order"))
    assert "hint" not in capsys.readouterr().err
    faults = [DipsatError("a").with_remedy("force"), DipsatError("b").with_remedy("position")]
    print_error(copy.copy(ProblemsError(faults)))
    assert capsys.readouterr().err.count("hint: --") == 2


def test_every_remedy_has_its_option() -> None:
    """Errors name remedies; the command line knows an option for each of them."""
    named = {
        found for path in FILES for found in re.findall(r'with_remedy\(\s*"(\w+)"', text_of(path))
    }
    assert named == set(parameters._OPTIONS)


def test_profiles_have_one_name_in_all_commands(tmp_path: Path) -> None:
    """`compare` headed a column by the name of the file, `search differ` by that of the profile."""
    rules, sheet = tmp_path / "file.yaml", tmp_path / "a.txt"
    rules.write_text("name: siege-of-paris\nextends: datc\n", encoding="utf-8")
    sheet.write_text("France:\n A Par H\n", encoding="utf-8")
    given = ["--rules", "datc", "--rules", str(rules)]
    compared = CliRunner().invoke(main, ["compare", str(sheet), *given]).stdout
    searched = CliRunner().invoke(main, ["search", "differ", str(sheet), "--open", "all", *given])
    assert "siege-of-paris" in compared
    assert "siege-of-paris" in searched.stdout
    assert "file" not in compared
