"""What players read: results, boards, and what to type next."""

from __future__ import annotations

import copy
import re

import pytest

import dipsat
from dipsat.app import parameters
from dipsat.app.parameters import print_error
from dipsat.errors import DipsatError, ProblemsError
from tests.app.commands import printed, refused, run, write
from tests.checkout import ROOT
from tests.exhaustive import exhaustive
from tests.pages import assert_shows, blocks, page
from tests.sources import FILES, text_of

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


def test_a_verdict_is_not_repeated() -> None:
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
        ("TURKEY", "A BUL B", "Turkey cannot build in Bulgaria: it is not a home centre of Turkey"),
        ("TURKEY", "A GAL B", "Turkey cannot build in Galicia: it is not a supply centre"),
        ("TURKEY", "F ANK D", "Turkey need not disband: 6 centres, 4 units"),
        ("ITALY", "A VEN B", "Italy cannot build in Venice: nobody owns it"),
        ("ITALY", "A ROM D", "Italy need not disband: 1 centre, 1 unit"),
        ("ITALY", "WAIVE", "Italy has no build: 1 centre, 1 unit"),
        ("AUSTRIA", "F VIE B", "a fleet cannot be built in Vienna: it is inland"),
        ("AUSTRIA", "A ROM D", "the unit in ROM belongs to Italy, not Austria"),
    ],
)
def test_why_an_adjustment_is_illegal(power: str, order: str, why: str) -> None:
    phase = dipsat.load_phase(write("w.yaml", WINTER))
    (found,) = dipsat.adjudicate(phase.position, {power: [order]}).orders
    assert (found.verdict, found.reason.text) == ("illegal", why)


FALL = """
phase: F1901M
units: {AUSTRIA: [A SER, A BUD, F TRI], TURKEY: [A BUL, F SMY, F ANK]}
centers: {AUSTRIA: [BUD, VIE, TRI], TURKEY: [ANK, CON, SMY], ITALY: [SER]}
orders: {AUSTRIA: [A SER - GRE], TURKEY: [A BUL H]}
"""


AFTER_FALL = """\
Austria  3 units: A BUD, A GRE, F TRI
         4 centres: BUD, GRE, TRI, VIE
Italy    0 units
         1 centre: SER
Turkey   3 units: F ANK, A BUL, F SMY
         4 centres: ANK, BUL, CON, SMY
Nobody   25 centres: BEL, BER, BRE, DEN, EDI, HOL, KIE, LON, LVP, MAR, MOS, MUN,
           NAP, NWY, PAR, POR, ROM, RUM, SEV, SPA, STP, SWE, TUN, VEN, WAR
Austria takes GRE.
Turkey takes BUL.
Austria may build 1 unit in VIE (4 centres, 3 units).
Italy cannot build: it has no free site (1 centre, 0 units).
Turkey may build 1 unit in CON (4 centres, 3 units)."""


def test_after_fall_the_board_is_shown_with_who_takes_and_builds_what() -> None:
    shown = printed("adjudicate", "-", stdin=FALL)
    assert shown[shown.index("Next phase: ") :].split("\n\n")[1].rstrip() == AFTER_FALL
    assert " takes " not in printed("adjudicate", "-", stdin=FALL.replace("F1901M", "S1901M"))
    words = " ".join(printed("adjudicate", "-", stdin="Fall 1901\nAustria: A Ser H\n").split())
    assert "Austria 1 unit: A SER 1 centre: SER Unknown 33 centres: ANK, BEL," in words
    assert "It is unknown who builds and who disbands, since owners are unknown: state" in words


def test_proof_begins_with_the_verdict_and_sums_up_single_decisions() -> None:
    opening = str(ROOT / "docs" / "examples" / "opening.txt")
    short, every = printed("prove", opening), printed("prove", opening, "--all")
    assert short.startswith("Proven unique: 129 decisions in 31 subgraphs by Z3, 35 constants.\n")
    assert short.rstrip().endswith("38 subgraphs of one decision: unique.")
    rows = [len(re.findall(r"^ +\d+ +\d+  unique", text, re.MULTILINE)) for text in (short, every)]
    assert rows == [14, 52]


@pytest.fixture
def winter(in_an_empty_folder: None) -> None:
    run("adjudicate", write("f.yaml", FALL), "--next", "w.json")
    write("w.txt", "Austria: Build A Vie\n")
    write("s.txt", "Austria: A Gre - Bul\n")
    write("p.yaml", "units: {AUSTRIA: [A GRE, A SER]}\n")


in_winter = pytest.mark.usefixtures("winter")


@in_winter
@pytest.mark.parametrize(
    "heading",
    ["W1901A", "w1901a:", "Winter 1901", "Winter 1901 Adjustments", "Winter of 1901 (Builds)",
     "Phase: W1901A", "phase : Winter 1901", "PHASE: Winter 1901 Adjustments:"],
)  # fmt: skip
def test_headings_that_name_a_phase(heading: str) -> None:
    sheet = f"{heading}\nAustria: Build A Vie\n"
    assert "A VIE B  succeeds" in printed("adjudicate", "-", "--position", "w.json", stdin=sheet)
    said = refused("adjudicate", "-", stdin=sheet)
    assert "or give the position in a file of its own\nhint: --position" in said


@in_winter
@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("W1902A", ":1: names W1902A, but the phase is W1901A"),
        ("Phase: F1901A", ":1: unknown phase 'F1901A'; did you mean W1901A or F1901R?"),
        ("Phase: now", ":1: unknown phase 'now'; known: S1901M, S1901R, F1901M, F1901R, W1901A"),
    ],
)
def test_headings_that_name_no_phase_or_another(heading: str, said: str) -> None:
    sheet = f"{heading}\nAustria: Build A Vie\n"
    found = refused("adjudicate", "-", "--position", "w.json", stdin=sheet)
    assert found == f"error: standard input{said}\n"


@pytest.mark.parametrize(
    ("order", "phases"),
    [
        ("Build A Vie", "an adjustment phase; write the phase (W1901A)"),
        ("A Vie R Boh", "a retreat phase; write the phase (S1901R)"),
        ("A Vie D", "a retreat or adjustment phase; write the phase (S1901R or W1901A)"),
    ],
)
def test_an_order_of_another_phase_says_what_to_type(order: str, phases: str) -> None:
    assert refused("adjudicate", "-", stdin=f"Austria: {order}\n") == (
        f"error: standard input:1:10: cannot read the order '{order}': it is an order for {phases} "
        f"above the orders, and give the position in a file of its own\n"
        f"hint: --phase NAME states the phase, too; --position FILE names the file of the "
        f"position\n"
    )


@exhaustive
@in_winter
@pytest.mark.parametrize(
    "command",
    ["adjudicate w.txt", "explain w.txt A_VIE", "compare w.txt --rules datc --rules 1982"],
)
def test_position_and_phase_are_options_of_every_command(command: str) -> None:
    words = [word.replace("_", " ") for word in command.split()]
    done = run(*words, "--position", "w.json", "--phase", "Winter 1901")
    assert (done.exit_code, done.stderr) == (0, "")
    assert re.search(r"A VIE B +succeeds", done.stdout)
    said = refused(*words, "--position", "w.json", "--phase", "S1902M")
    assert "names W1901A, but the phase is S1902M" in said
    assert "--position FILE" in printed(words[0], "--help")


@in_winter
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("prove s.txt", '"phase": "F1902M"'),
        ("search achieve s.txt enters(BUL) --position p.yaml --open SER", '"verdict": "found"'),
        ("crosscheck s.txt -e dip_eval", '"compared": 1'),
        ("crosscheck s.txt -e dip_eval --position p.yaml", '"compared": 1'),
    ],
)
def test_phase_and_position_of_a_proof_a_search_and_a_crosscheck(command: str, said: str) -> None:
    assert said in printed(*command.split(), "--phase", "F1902M", "--json")


@in_winter
def test_phase_of_a_crosscheck_is_that_of_its_position() -> None:
    asked = ("-e", "dip_eval", "--position", "w.json", "--phase", "F1902M")
    said = run("crosscheck", "s.txt", *asked)
    assert (said.exit_code, "names W1901A, but the phase is F1902M" in said.stderr) == (2, True)


def test_the_page_of_play_shows_what_is_printed() -> None:
    (shown,) = blocks(page("docs/play.md"), "console")
    script = page("docs/examples/first-year.txt")
    assert blocks(page("docs/play.md"), "text") == [script]
    assert_shows(run("play", stdin=script).stdout, shown.partition("\n")[2])


def test_hints_follow_the_data_of_an_error_not_its_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An error that only quoted the advice was followed by a hint at an option."""
    advice = "or give the position in a file of its own, or use `force`"
    print_error(DipsatError(f"{advice} is not an order"))
    assert "hint" not in capsys.readouterr().err
    faults = [DipsatError("a").with_remedy("force"), DipsatError("b").with_remedy("position")]
    print_error(copy.copy(ProblemsError(faults)))
    assert capsys.readouterr().err.count("hint: --") == 2


def test_every_remedy_of_an_error_has_its_option() -> None:
    texts = "".join(map(text_of, FILES))
    assert {*re.findall(r'with_remedy\(\s*"(\w+)"', texts)} == {*parameters._OPTIONS}


def test_profiles_have_one_name_in_all_commands() -> None:
    """`compare` headed a column by the name of the file, `search differ` by that of the profile."""
    rules = write("file.yaml", "name: siege-of-paris\nextends: datc\n")
    given = [write("a.txt", "France:\n A Par H\n"), "--rules", "datc", "--rules", rules]
    compared = run("compare", *given).stdout
    assert "siege-of-paris" in compared
    assert "file" not in compared
    assert "siege-of-paris" in run("search", "differ", *given, "--open", "all").stdout
