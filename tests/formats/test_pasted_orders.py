"""Orders and sheets as people paste them: from web sites, results, e-mails and postal games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import errors
from dipsat.cli import main
from dipsat.errors import LISTED_FAULTS, DipsatError, FileError, ProblemsError
from dipsat.formats import Session, carry_out, parse_phase_text
from dipsat.formats.phase_file import orders_for
from dipsat.formats.text_sheet import Entry
from dipsat.orders import verbs
from tests.exhaustive import exhaustive
from tests.phases import read_sheet

BOARD = dipsat.load_map("standard")
READER = dipsat.reader_for(BOARD)

PASTED = {
    # webDiplomacy
    "The army at Paris move to Burgundy.": "A PAR - BUR",
    "The army at Paris move to Burgundy.  (fail)": "A PAR - BUR",
    "The army at Vienna support move to Galicia from Budapest.": "A VIE S BUD - GAL",
    "The army at Berlin support hold to Kiel.": "A BER S KIE",
    "The fleet at North Sea convoy to Norway from London.": "F NTH C LON - NWY",
    "The army at London move to Norway via convoy.": "A LON - NWY VIA",
    "The fleet at St. Petersburg (South Coast) move to Gulf of Bothnia.": "F STP/SC - BOT",
    "The fleet at Gulf of Bothnia hold.": "F BOT H",
    # e-mail judges and Backstabbr
    "Army Budapest -> Serbia.   (*bounce*)": "A BUD - SER",
    "Army Vienna SUPPORT Army Budapest -> Galicia.  (*cut, dislodged*)": "A VIE S A BUD - GAL",
    "Army Paris -> Burgundy (bounced)": "A PAR - BUR",
    "A PAR - BUR [no convoy]": "A PAR - BUR",
    "A PAR -> BUR ✓": "A PAR - BUR",
    "A Par-Bur *bounce*": "A PAR - BUR",
    "A Mar supports A Par to Bur (void)": "A MAR S A PAR - BUR",
    # results, as people sum them up
    "A PAR - BUR FAILS": "A PAR - BUR",
    "A PAR - BUR, bounced with Germany": "A PAR - BUR",
    "A Par -> Bur - bounced": "A PAR - BUR",
    "A Mun H (dislodged by A Bur - Mun)": "A MUN H",
    "A Bul S A Con – Gre (succeeds)": "A BUL S A CON - GRE",
    "A Gal disbanded": "A GAL D",
    # postal games
    "A(Par) - Bur": "A PAR - BUR",
    "A(Mun) stands": "A MUN H",
    "F(Nth) C A(Lon)-Bel": "F NTH C A LON - BEL",
    "A Mar S (A Par - Bur)": "A MAR S A PAR - BUR",
    "A Ven supports (Aus F Tri holds)": "A VEN S F TRI",
    # prose
    "The fleet at London moves to the North Sea": "F LON - NTH",
    "Move A Par to Bur": "A PAR - BUR",
    "Fleet from London to the North Sea": "F LON - NTH",
    "A Mar supports Paris into Burgundy": "A MAR S PAR - BUR",
    "F ENG convoys army from London to Brest": "F ENG C A LON - BRE",
    "A Par holds its position": "A PAR H",
    "A Par: hold": "A PAR H",
    "A Paris attacks Burgundy": "A PAR - BUR",
    "A Paris supports move from Marseilles to Burgundy": "A PAR S MAR - BUR",
    "the army in Paris supports the army in Marseilles moving to Burgundy": "A PAR S A MAR - BUR",
    "army paris, move to burgundy": "A PAR - BUR",
    # nothing to leave out
    "A Spa - Por (via convoy)": "A SPA - POR VIA",
    "F Spa(sc) - Mid": "F SPA/SC - MAO",
}


@pytest.mark.parametrize(("text", "order"), PASTED.items())
def test_a_pasted_order_is_read(text: str, order: str) -> None:
    assert dipsat.write_order(READER.read(text), BOARD) == order


MARKS = ("", "- ", "* ", "• ", "1. ", "2) ", "> ", "> - ", "\ufeff", "\t")
NOTES = (
    "",
    ",",
    " (bounced)",
    " [fail]",
    " // why not",
    " # to Brest; fast",
    " (*cut*)",
    "  FAILS",
)


@pytest.mark.parametrize(("mark", "note"), list(product(MARKS, NOTES)))
def test_marks_and_notes_around_an_order_are_left_out(mark: str, note: str) -> None:
    for order in ("A PAR - BUR", "F SPA/SC S A MAR - BUR", "A LON - BEL VIA"):
        (line,) = read_sheet(f"France\n{mark}{order}{note}", BOARD)
        assert dipsat.write_order(READER.read(line.text), BOARD) == order
        assert (line.line, line.column) == (2, len(mark) + 1)


REFUSED = {
    "A Par - Burgandy (bounced)": "'Burgandy' in 'A Par - Burgandy'; did you mean Burgundy?",
    "A Mun hold (retreats to Ber)": r"'\(retreats to Ber\)' is not part of an order; # begins a",
    "A Par - Bur (to cover Mar)": r"order 'A Par - Bur \(to cover Mar\)': '\(to cover Mar\)' is no",
    "A Par - Bur A Mar H": "'a mar h' is left over at the end; each order needs a line of its own",
    "A Stp (noth coast) - Bar": "unknown coast 'noth'",
    "The army at Paris dances": "'dances' is not an action; use H, -",
    "The army at Paris": "it does not say what the unit does; write H",
}


@pytest.mark.parametrize(("text", "problem"), REFUSED.items())
def test_what_means_nothing_is_refused_with_the_reason(text: str, problem: str) -> None:
    with pytest.raises(DipsatError, match=problem):
        READER.read(text)


def test_no_word_of_a_map_is_taken_for_prose() -> None:
    """What can be read as it is stays as it is, whatever the names of a map are made of."""
    for name in ("standard", "colonial", "youngstown"):
        board = dipsat.load_map(name)
        reader = dipsat.reader_for(board)
        for code, province in board.provinces.items():
            for typed in (code, province.name):
                order = reader.read(f"{typed} H")
                assert dipsat.write_order(order, board) == f"{code} H"


def test_an_unreadable_order_is_made_plain_and_cut_up_few_times() -> None:
    """A lenient reader once took ten seconds for 2,600 orders."""
    before = verbs._plain.cache_info().misses, verbs._tokens.cache_info().misses
    text = "France:\nA Par H\n" + "\n".join(f"A Mar supports to {n} x x x" for n in range(100))
    found = parse_phase_text(text, "sheet.txt", lenient=True)
    assert len(found.faults) == 100
    assert verbs._plain.cache_info().misses - before[0] <= 300
    assert verbs._tokens.cache_info().misses - before[1] <= 600


KEPT = (
    "A Swe S A Fin - No",  # short for Norway; it was read as a support to hold
    "A Swe S A Fin - Ok",
    "A Par - Mar, no, Bur",
    "A Par - Mar (not Bur)",
    "A Par H, ok A Mar - Bur",
    "A Par - Bur, moved to Mar",
    "A Mar supports hold to Par - Bur",
)


@pytest.mark.parametrize("text", KEPT)
def test_what_belongs_to_an_order_is_not_a_note(text: str) -> None:
    with pytest.raises(DipsatError):
        READER.read(text)


@pytest.mark.parametrize(
    "text", ["A Par, bounced in Bur", "A Par (moved to Bur)", "A Par: failed", "A Par, not to Bur"]
)
def test_a_unit_with_words_about_its_order_does_not_stand_alone(text: str) -> None:
    """It was once taken for a unit without an order."""
    with pytest.raises(FileError, match="A Par"):
        parse_phase_text(f"France:\nA Mar H\n{text}\n", "sheet.txt")


WITH_COMMAS = {
    "F Nth C, A Lon - Nwy": "F NTH C A LON - NWY",
    "A Mar supports, A Par - Bur": "A MAR S A PAR - BUR",
    "A Mar S, A Bur": "A MAR S A BUR",
    "Build, A Paris": "A PAR B",
    "WAIVE, a build": "WAIVE",
    "- A Mar S, A Par - Bur; A Gas H": "A MAR S A PAR - BUR",
}


@pytest.mark.parametrize(("text", "order"), WITH_COMMAS.items())
def test_a_comma_within_an_order_splits_nothing(text: str, order: str) -> None:
    """A lenient reader once made two orders of the two halves."""
    found = read_sheet(f"Germany:\n{text}", BOARD)
    assert dipsat.write_order(READER.read(found[0].text), BOARD) == order
    assert len(found) == 1 + text.count(";")


def test_a_long_heading_is_not_searched_for_a_player() -> None:
    for line in ("(" * 200_000 + ":", "England (" * 40_000):  # took hours
        with pytest.raises(DipsatError):
            read_sheet(line, BOARD)


SHEETS = {
    "headings with players": "England (Bob):\nF Lon H\n**France**\nA Par H\nGermany [CD]:\nA Ber H",
    "short headings": "ENG:\nF Lon H\nFRA\nA Par H\nG: A Ber H",
    "one line each": "England: F Lon H\nFrance: A Par H\nGermany: A Ber H",
    "quoted": "> England:\n> > F Lon H\n> France:\n> A Par H\n> Germany\n> A Ber H\n",
    "numbered": "England\n1. F Lon H\nFrance\n1) A Par H\nGermany\n(1) A Ber H",
    "comments": "// all\nEngland: // Bob\nF Lon H // safe\nFrance # Eve\nA Par H\nGermany\nA Ber H",
    "named": "Map: standard\nRules: datc\nSpring 1901\nEng:\nF Lon H\nFra:\nA Par H\nGer:\nA Ber H",
    "trailing commas": "England,\nF Lon H,\nFrance,\nA Par H,\nGermany,\nA Ber H,",
    "no orders": "England\nF London\nFrance\nA Paris\nGermany\nArmy Berlin (no order)",
}


@pytest.mark.parametrize("text", SHEETS.values(), ids=SHEETS)
def test_a_pasted_sheet_is_read(text: str) -> None:
    phase = parse_phase_text(text, "sheet.txt")
    outcome = dipsat.adjudicate(phase.position, phase.orders)
    assert [(one.power, one.order) for one in outcome.orders] == [
        ("ENGLAND", "F LON H"), ("FRANCE", "A PAR H"), ("GERMANY", "A BER H"),
    ]  # fmt: skip


def test_several_orders_stand_in_a_line_between_commas() -> None:
    found = read_sheet("Austria: A BUD -> SER, F TRI -> ALB, A VIE -> GAL", BOARD)
    assert [(line.text, line.column) for line in found] == [
        ("A BUD -> SER", 10), ("F TRI -> ALB", 24), ("A VIE -> GAL", 38),
    ]  # fmt: skip


def test_the_letter_of_a_kind_before_a_colon_heads_no_order_of_a_unit() -> None:
    """`F: Bre - Mao` below Germany was once an order of France, and so was everything below it."""
    text = "Germany:\nF: Kie - Hol\na: Ber - Kie\nF: A Par - Bur\nA:\nVie - Gal"
    assert [(line.power, line.text) for line in read_sheet(text, BOARD)] == [
        ("GERMANY", "F: Kie - Hol"), ("GERMANY", "a: Ber - Kie"),
        ("FRANCE", "A Par - Bur"), ("AUSTRIA", "Vie - Gal"),
    ]  # fmt: skip


def test_a_heading_that_could_mean_two_powers_is_refused() -> None:
    board = dipsat.load_map("youngstown")
    with pytest.raises(DipsatError, match=r"ambiguous power 'I'.*INDIA, ITALY"):
        read_sheet("I:\nA X H", board)
    assert read_sheet("It:\nA X H", board)[0].power == "ITALY"


def test_a_sheet_names_its_map_and_its_rules() -> None:
    phase = parse_phase_text("Rules: rulebooks/1971\nMap: fleet_rome\nItaly:\nF Rom H", "sheet.txt")
    assert phase.position.map.name == "fleet_rome"
    assert phase.rules is not None
    assert phase.rules.name == "1971"
    with pytest.raises(FileError, match=r"sheet.txt:2: unknown map 'Narnia'"):
        parse_phase_text("Rules: datc\nMap: Narnia\nItaly:\nF Rom H", "sheet.txt")
    with pytest.raises(FileError, match=r"^sheet\.txt:1: .*Narnia"):
        parse_phase_text("Rules: Narnia\nItaly:\nF Rom H", "sheet.txt")
    with pytest.raises(FileError, match=r"sheet.txt:2: a second `map`; line 1 has"):
        parse_phase_text("Map: standard\nMap: standard\nItaly:\nF Rom H", "sheet.txt")


FAULTY = """\
Englnd:
  A Lon - Wales
France:
  A Mar - Burgandy
  A Par - Bur; A Pariss - Gas
Germany: A Mun jumps
"""


def test_all_faults_of_a_sheet_have_their_line_and_column() -> None:
    with pytest.raises(ProblemsError) as caught:
        parse_phase_text(FAULTY, "a.txt")
    places = [str(problem).partition(": ")[0] for problem in caught.value.problems]
    assert places == ["a.txt:1:1", "a.txt:4:3", "a.txt:5:16", "a.txt:6:10"]


TYPOS = FAULTY.partition("France")[1] + FAULTY.partition("France")[2]
RESULTS = [
    ("A Mar - Burgandy", "illegal", "unknown province 'Burgandy'; did you mean Burgundy?"),
    ("A PAR - BUR", "succeeds", ""),
    ("A Pariss - Gas", "illegal", "unknown province 'Pariss'"),
    ("A Mun jumps", "illegal", "'jumps' is not an action"),
]


def test_a_typo_affects_only_its_own_order() -> None:
    phase = dipsat.parse_phase(TYPOS, "a.txt", lenient=True)
    assert [str(fault).partition(": ")[0] for fault in phase.faults] == [
        "a.txt:2:3", "a.txt:3:16", "a.txt:4:10",
    ]  # fmt: skip
    outcome = dipsat.adjudicate(phase.position, phase.orders, lenient=True)
    found = {one.order: (one.verdict, one.reason.text) for one in outcome.orders}
    assert len(found) == len(RESULTS)
    for order, verdict, reason in RESULTS:
        assert found[order][0] == verdict
        assert reason in found[order][1]
    assert outcome.units == {"FRANCE": ("A BUR", "A MAR"), "GERMANY": ("A MUN",)}
    units = {one.submission.text: one.unit for one in outcome.rulings}
    assert units["A Pariss - Gas"] is None  # no unit is guessed
    assert str(units["A Mun jumps"]) == "A MUN"


def test_proofs_and_comparisons_judge_the_rest_too() -> None:
    phase = dipsat.parse_phase(TYPOS, "a.txt", lenient=True)
    assert dipsat.prove(phase.position, phase.orders, lenient=True).verdict == "unique"
    found = dipsat.compare(phase.position, phase.orders, ["datc", "datc+4.A.2-1982"], lenient=True)
    assert [one.units["FRANCE"] for one in found.outcomes] == [("A BUR", "A MAR")] * 2


@pytest.mark.parametrize("text", [FAULTY, "A Lon - Wal\nA Par - Bur"])
def test_who_gave_the_orders_must_be_known(text: str) -> None:
    with pytest.raises(FileError, match=r"a.txt:1:1: .*power"):
        parse_phase_text(text, "a.txt", lenient=True)


def test_text_above_the_first_heading_only_causes_a_remark() -> None:
    phase = parse_phase_text("Hi all,\nhere they are\nFrance:\nA Par - Bur", "a.txt", lenient=True)
    assert phase.orders == {"FRANCE": ("A Par - Bur",)}
    assert phase.faults == ()
    said = "a.txt:1-2: skipped 2 lines of text around the orders: 'Hi all,' and 'here they are'"
    assert phase.skipped == (said,)


def test_an_order_of_a_unit_that_cannot_be_there_affects_no_other() -> None:
    phase = parse_phase_text("France:\nF Par - Bur\nA Mar H", "a.txt", lenient=True)
    outcome = dipsat.adjudicate(phase.position, phase.orders, lenient=True)
    assert outcome.units == {"FRANCE": ("A MAR",)}
    assert [one.verdict for one in outcome.orders if "PAR" in one.order] == ["illegal"]


def test_units_stated_in_a_document_hold() -> None:
    text = "units: {France: [A PAR, A MAR]}\norders:\n  France: [A PAR - Burgandy, A MAR - BUR]\n"
    phase = dipsat.parse_phase(text, "a.yaml", lenient=True)
    assert [str(fault).partition(": ")[0] for fault in phase.faults] == ["a.yaml:3:12"]
    outcome = dipsat.adjudicate(phase.position, phase.orders, lenient=True)
    assert outcome.units == {"FRANCE": ("A BUR", "A PAR")}


def test_rules_that_read_poorly_written_orders_read_them_leniently_too() -> None:
    rules = dipsat.load_profile("1971")
    phase = parse_phase_text(TYPOS, "a.txt", rules=rules, lenient=True)
    strict = dipsat.adjudicate(phase.position, phase.orders, rules)
    lenient = dipsat.adjudicate(phase.position, phase.orders, rules, lenient=True)
    assert strict.to_dict() == lenient.to_dict()


@pytest.mark.parametrize("ruler", ["---", "=====", "-- ", "* * *", "_____", "————", "~~~"])
def test_rulers_are_not_orders(ruler: str) -> None:
    phase = parse_phase_text(f"{ruler}\nFrance:\n{ruler}\nA Par - Bur\n{ruler}\nA Mar H", "a.txt")
    assert phase.orders == {"FRANCE": ("A Par - Bur", "A Mar H")}


def test_all_headings_without_a_power_are_one_report() -> None:
    text = "Engl:\nF Lon H\nForm: Bob\nTwo: Eve\nF Edi H\nFrnce:\nA Mar H"
    with pytest.raises(ProblemsError) as error:
        parse_phase_text(text, "a.txt", lenient=True)
    places = [line.partition(": ")[0] for line in str(error.value).splitlines()]
    assert places == ["a.txt:3:1", "a.txt:4:1", "a.txt:6:1"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("France:\nA Pariss - Gas\nA Mar H", "no unit can be read in 'A Pariss - Gas'; it is on"),
        ("France:\nA Pariss H\nA Marr H\nA Bur H", "in 'A Pariss H' (and in 1 more); it is on"),
        ("France:\nA Par - Burgandy\nA Mar H", ""),
    ],
)
def test_a_unit_that_is_missing_on_the_board_causes_a_remark(text: str, said: str) -> None:
    done = CliRunner().invoke(main, ["adjudicate", "-", "--lenient"], input=text)
    assert done.exit_code == 0
    assert ("no unit can be read" in done.stderr) == bool(said)
    assert said in done.stderr


@exhaustive
def test_names_that_may_be_meant_are_only_looked_up_for_the_faults_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They were once looked up for each of thousands of orders, which took half of the time."""
    sought: list[str] = []

    def nearest(name: str, known: Iterable[str], count: int = 2) -> tuple[str, ...]:
        names = tuple(known)
        sought.extend([name] * bool(names))
        return names[:count]

    monkeypatch.setattr(errors, "nearest_names", nearest)
    count = 3 * LISTED_FAULTS
    text = "France:\nA Mar H\n" + "A Pariss - Bur (bounced)\n" * count
    position = dipsat.Position.from_units({"FRANCE": ["A MAR"]})
    for apart in (True, False):
        if apart:
            found = orders_for(position, text, "a.txt", dipsat.load_profile("datc"), True).faults
        else:
            found = parse_phase_text(text, "a.txt", lenient=True).faults
        meant = ["did you mean Paris" in str(one) for one in found]
        assert meant == [at < LISTED_FAULTS for at in range(count)]
        assert len(sought) == LISTED_FAULTS
        sought.clear()


LISTS = {
    "Par - Bur, Mar S Par - Bur": ["Par - Bur", "Mar S Par - Bur"],
    "A Par - Bur, Mar H, F Bre - Mao,": ["A Par - Bur", "Mar H", "F Bre - Mao"],
    "F Bre C, A Pic - Gas, A Mar H": ["F Bre C", "A Pic - Gas", "A Mar H"],  # as it was
    "A Mar S, A Par - Bur; A Pic H": ["A Mar S, A Par - Bur", "A Pic H"],
    "A Par - Bur, bounced with A Mun": ["A Par - Bur, bounced with A Mun"],
    "A Par, Bur": ["A Par, Bur"],
}


@pytest.mark.parametrize(("line", "orders"), LISTS.items())
def test_sheets_and_play_split_a_line_in_the_same_way(
    line: str, orders: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [one.text for one in read_sheet(f"France: {line}", BOARD)] == orders
    session = Session.of(dipsat.Game.new())
    with_power = replace(session, power="FRANCE")
    seen: list[str] = []

    def enter(game: dipsat.Game, typed: list[Entry]) -> tuple[dipsat.Game, tuple[()]]:
        seen.extend(one.text for one in typed)
        return game, ()

    monkeypatch.setattr("dipsat.formats.session.enter", enter)
    carry_out(with_power, line)
    carry_out(session, f"FRANCE: {line}")
    assert seen == orders * 2


def test_a_comma_within_an_order_of_the_rules_splits_nothing() -> None:
    """The code that splits lines once did not know the words of the rules."""
    form = "{unit} swaps {other: Unit}"
    rules = dipsat.parse_profile(
        f"name: x\nextends: datc\norders:\n  Swap: {{form: '{form}'}}\n", "x"
    )
    found = parse_phase_text("France:\nA Par swaps, A Mar\nA Mar H", "a.txt", rules=rules)
    assert found.orders == {"FRANCE": ("A Par swaps, A Mar", "A Mar H")}
