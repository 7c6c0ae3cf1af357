"""jDip's test case files: what is read, what is refused, and whether dipsat agrees.

The cases are written for these tests; those named after the DATC state its results (2.4 and 3.0).
"""

from __future__ import annotations

import re

import pytest

import dipsat
from dipsat.errors import DipsatError, DocumentError, FileError, UnknownNameError
from dipsat.formats import RecordedGame, RecordedPhase, RecordedState
from dipsat.formats.jdip import read_jdip
from dipsat.game import DislodgedUnit

DATC = """\
# Results as in the DATC: names, coasts and spacing as people write them.
VARIANT_ALL Standard
CASE 6.A.5 (own sector)
PRESTATE_SETPHASE Spring 1901, Movement
PRESTATE; England: F nth; England: A Yorkshire; England: A lvp; Germany: F London
  Germany: A wal
ORDERS; England: F nth convoys A yor - yor; England: A Yorkshire-Yorkshire
  England: A Liverpool supports A yor-yor; Germany: F london-yorkshire
  Germnay: A Wales SUPPORTS F lon-yor   # a slip in the public files
POSTSTATE; England: F nth; England: A lvp; Germany: F yor; Germany: A wal
POSTSTATE_DISLODGED; England: A yor
END
CASE 6.A.11
PRESTATE; Austria: A vie; Italy: A ven
ORDERS; Austria: A vie-tyr; Italy: A ven-tyr
POSTSTATE_SAME
END
CASE 6.B.6
PRESTATE_SETPHASE Fall, 1901 (Movement)
PRESTATE; England: Fleet Irish Sea; England: F nat; France: Fleet Spain (north coast)
  France: Fleet Mid-Atlantic Ocean.; Italy: F gol
ORDERS; England: F iri S F nat-mid; England: Fleet North Atlantic Ocean => Mid-Atlantic Ocean.
  France: F spa-nc s mao; France: F mid hold; Italy: F gol -> spa(sc)
POSTSTATE; Italy F gol; France: F spain/nc; England: F iri; England: F mid
POSTSTATE_DISLODGED; France f mid
END
CASE 6.D.2
PRESTATE_SETPHASE S1901M
PRESTATE; Austria: F adr; Austria: A tri; Austria: A vie; Italy: A ven; Italy: A tyr
ORDERS; Austria: F adr S tri-ven; Austria: A tri-ven; Austria: A vie-tyr; Italy: A ven H
  Italy: A tyr S A ven
POSTSTATE; Austria: F adr; Austria: A ven; Austria: A vie; Italy: A tyr
POSTSTATE_DISLODGED; Italy: A ven
END
CASE 6.H.6
PRESTATE_SETPHASE Spring 1901, Retreat
PRESTATE; Austria: A bud; Austria: A vie; Germany: A mun; Germany: A sil
PRESTATE_DISLODGED; Italy: A vie
PRESTATE_RESULTS; SUCCESS: Austria: A bud S A tri-vie; SUCCESS: Austria: A tri-vie
  FAILURE: Germany: A mun-boh; FAILURE: Germany: A sil-boh; FAILURE: Italy: A vie H
ORDERS; Italy: A vie-boh
POSTSTATE; Austria: A bud; Austria: A vie; Germany: A mun; Germany: A sil
END
CASE 6.H.9
PRESTATE_SETPHASE  Spring 1901, Retreat
PRESTATE; England: F kie; England: F den; Germany: A pru; Germany: A sil
PRESTATE_DISLODGED; Germany: F kie; Russia: A pru
PRESTATE_RESULTS; SUCCESS: England: F hel-kie; SUCCESS: England: F den S F hel-kie
  SUCCESS: Germany: A ber-pru; FAILURE: Germany: F kie H; SUCCESS: Germany: A sil S A ber-pru
  FAILURE: Russia: A pru-ber
ORDERS; Germany: F kie R ber; Russia: A pru retreats to war
POSTSTATE; England: F kie; England: F den; G: A pru; G: A sil; G: F ber; Russia: A war
END
CASE 6.H.11
PRESTATE_SETPHASE Spring 1901, Retreat
PRESTATE; France: A mar; France: A bur; France: F mid; France: F wes; France: F gol
PRESTATE_DISLODGED; Italy: A mar
PRESTATE_RESULTS; SUCCESS: France: A gas-mar by convoy; SUCCESS: France: A bur S A gas-mar
  SUCCESS: France: F mid C A gas-mar; SUCCESS: France: F wes C A gas-mar
  SUCCESS: France: F gol C A gas-mar; FAILURE: Italy: A mar H
ORDERS; Italy: A mar-gas
POSTSTATE; Italy: A gas; France: A mar; France: A bur; France: F mid; France: F wes; France: F gol
END
CASE 6.H.12
PRESTATE_SETPHASE Spring 1901, Retreat
PRESTATE; England: F iri; England: F nth; France: F ech; France: F mao; Russia: A lvp
  Russia: F nwg; Russia: F nao; Russia: A cly
PRESTATE_DISLODGED; England: A lvp; England: F ech
PRESTATE_RESULTS; FAILURE: England: A lvp-edi via convoy; FAILURE: England: F ech C A lvp-edi
  SUCCESS: England: F iri C A lvp-edi; SUCCESS: England: F nth C A lvp-edi
  SUCCESS: France: F bre-ech; SUCCESS: France: F mao S F bre-ech
  SUCCESS: Russia: A edi-lvp via convoy; SUCCESS: Russia: F nwg C A edi-lvp
  SUCCESS: Russia: F nao C A edi-lvp; SUCCESS: Russia: A cly S A edi-lvp
ORDERS; England: F ech D; England: A lvp-edi
POSTSTATE; England: F iri; England: F nth; England: A edi; France: F ech; France: F mao
  Russia: A lvp; Russia: F nwg; Russia: F nao; Russia: A cly
END
CASE 6.I.7
PRESTATE_SETPHASE Fall 1901, Adjustment
PRESTATE_SUPPLYCENTER_OWNERS; Russia: A mos; Russia: A stp   # no unit: the letter means nothing
  Russia: A war
PRESTATE; Russia: A war
ORDERS; Russia: Build A mos; Russia: Build A Moscow
POSTSTATE; Russia: A war; Russia: A mos
END
CASE builds in centres of the start
PRESTATE_SETPHASE Fall 1901, Adjustment
PRESTATE; Russia: A war; Russia: F swe; Russia: A ukr; France: A ber
ORDERS; Russia: Build A mos; Russia: Build A sev; France: Build A par
POSTSTATE; Russia: A war; Russia: F swe; Russia: A ukr; Russia: A mos; France: A ber
  France: A par
END
CASE 6.J.3
PRESTATE_SETPHASE Winter 1901, Adjustment
PRESTATE_SUPPLYCENTER_OWNERS; Russia: A stp
PRESTATE; Russia: A lvn; Russia: A swe
ORDERS
POSTSTATE; Russia: A lvn
END
""".replace("; ", "\n\t")


def adjudicated(game: RecordedGame) -> dipsat.Outcome:
    """The outcome of a recorded phase under the rules of the DATC."""
    phase = game.phases[0]
    before = phase.before
    lost = tuple(DislodgedUnit(unit, before.retreats[str(unit)]) for unit in before.dislodged)
    assert before.phase is not None
    position = dipsat.Position(game.board, before.units, before.phase, before.centers or {}, lost)
    return dipsat.adjudicate(position, phase.orders)


@pytest.mark.parametrize("game", read_jdip(DATC, "datc.txt"), ids=lambda game: game.source)
def test_datc_results_are_dipsats(game: RecordedGame) -> None:
    after = game.phases[0].after
    outcome = adjudicated(game)
    assert after is not None
    assert outcome.units_after == after.units
    escaping = {(lost.power, lost.unit) for lost in outcome.dislodged if lost.retreats}
    assert escaping == {(unit.power, str(unit)) for unit in after.dislodged}


def case_of(body: str, head: str = "VARIANT_ALL Standard\nCASE a case\n") -> str:
    """A file with one case; its body begins in line 3."""
    return f"{head}{body}\nEND\n"


def phase_of(body: str) -> RecordedPhase:
    """The phase of a case with this body."""
    (game,) = read_jdip(case_of(body), "one.txt")
    return game.phases[0]


def units_of(state: RecordedState | None) -> list[str]:
    assert state
    return [f"{unit.power} {unit}" for unit in state.units]


def test_a_case_is_a_game_of_one_phase() -> None:
    games = read_jdip(DATC, "dir/datc.txt")
    assert [game.source for game in games[:2]] == [
        "dir/datc.txt: 6.A.5 (own sector)", "dir/datc.txt: 6.A.11"
    ]  # fmt: skip
    assert {len(game.phases) for game in games} == {1}
    assert {game.board for game in games} == {dipsat.load_map("standard")}
    assert {game.rules for game in games} == {None}
    orders = games[2].phases[0].orders
    assert orders["FRANCE"] == ("F spa/nc s mao", "F mid hold")  # the file has spa-nc


def test_what_the_format_does_not_state_is_none() -> None:
    phase = read_jdip(DATC, "datc.txt")[0].phases[0]
    assert phase.after is not None
    assert (phase.after.phase, phase.after.centers) == (None, None)
    assert phase.before.retreats == {}
    assert phase_of("PRESTATE\nItaly: A ven\nORDERS\nItaly: A ven H").after is None
    assert phase_of("PRESTATE\nORDERS\n***\n*** not resolved yet").after is None
    sections = "PRESTATE_SUPPLYCENTER_OWNERS PRESTATE PRESTATE_DISLODGED PRESTATE_RESULTS ORDERS "
    blank = phase_of((sections + "POSTSTATE POSTSTATE_DISLODGED").replace(" ", "\n"))
    assert (blank.orders, blank.before.units) == ({}, ())
    assert blank.after == RecordedState(None, ())


def test_keywords_may_be_indented_lower_case_and_end_with_a_colon() -> None:
    text = "variant_all: STANDARD\r\n  case: x\r\n\tPrestate:\r\nItaly: A ven\r\n\r\n end \t\r\n"
    (game,) = read_jdip("\ufeff" + text, "x.txt")
    assert units_of(game.phases[0].before) == ["ITALY A VEN"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Spring 1901, Movement", "S1901M"),
        ("Spring, 1910 (Movement)", "S1910M"),
        ("fall 1902 [retreats]", "F1902R"),
        ("Fall 1901, Retreat", "F1901R"),
        ("Fall 1901, Adjustment", "W1901A"),
        ("Winter 1901, Builds", "W1901A"),
        ("F1901B", "W1901A"),
        ("s1999r", "S1999R"),
    ],
)
def test_phases(written: str, read: str) -> None:
    assert str(phase_of(f"PRESTATE_SETPHASE {written}").before.phase) == read
    assert str(phase_of("PRESTATE").before.phase) == "S1901M"  # unstated: the map's first


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Russia: F stp/sc", "RUSSIA F STP/SC"),
        ("Russia: F stp-sc", "RUSSIA F STP/SC"),
        ("Russia: F stp\\nc", "RUSSIA F STP/NC"),
        ("Russia: Fleet St. Petersburg (south coast).", "RUSSIA F STP/SC"),
        ("russia:f bul(ec)", "RUSSIA F BUL/EC"),
        ("R: A war", "RUSSIA A WAR"),
        ("Ger: Army Munich", "GERMANY A MUN"),
        ("g: A mun", "GERMANY A MUN"),
        ("b: Fleet London", "ENGLAND F LON"),
        ("Austro-Hungarian: A vie", "AUSTRIA A VIE"),
        ("Austira: A vie", "AUSTRIA A VIE"),
        ("Great Britain F ech", "ENGLAND F ENG"),
        ("Italy: Fleet Tyrhennian Sea", "ITALY F TYS"),
        ("Italy: Fleet Portuga", "ITALY F POR"),
        ("Italy: eme", "ITALY F EAS"),
    ],
)
def test_notations_of_units(written: str, read: str) -> None:
    assert units_of(phase_of(f"PRESTATE\n  {written}  # comment").before) == [read]


def test_same_means_the_units_before_without_the_dislodged_ones() -> None:
    body = "PRESTATE\nItaly: A ven\nAustria: A tri\nPOSTSTATE_SAME\n# all stay\n"
    assert units_of(phase_of(body).after) == ["AUSTRIA A TRI", "ITALY A VEN"]
    after = phase_of(body + "POSTSTATE_DISLODGED\nItaly: A ven").after
    assert units_of(after) == ["AUSTRIA A TRI"]
    assert after
    assert [str(unit) for unit in after.dislodged] == ["A VEN"]


def test_without_owners_the_centres_are_those_of_the_start() -> None:
    owners = "PRESTATE_SUPPLYCENTER_OWNERS\n"
    for stated in ("", f"{owners}# none\n"):
        phase = phase_of(f"{stated}PRESTATE\nFrance: A ber")
        assert phase.before.centers == dipsat.Position.start().centers
    phase = phase_of(
        f"{owners}Turkey: smy\nTurkey: F con\nItaly: A rom\nPRESTATE\nTurkey: F con\nItaly: A apu"
    )
    assert units_of(phase.before) == ["ITALY A APU", "TURKEY F CON"]
    assert phase.before.centers == {"ITALY": ("ROM",), "TURKEY": ("CON", "SMY")}


RETREAT = (
    "PRESTATE_SETPHASE Fall 1901, Retreat\nPRESTATE\nGermany: F hel\nGermany: F nth\n"
    "England: A lon\nPRESTATE_DISLODGED\nEngland: F nth\n"
)


def test_retreats_follow_from_the_results() -> None:
    phase = phase_of(RETREAT + "PRESTATE_RESULTS\nSUCCESS: Germany: F ska-nth")
    free = ("BEL", "DEN", "EDI", "ENG", "HOL", "NWG", "NWY", "YOR")
    assert phase.before.retreats == {"F NTH": free}
    assert phase_of(RETREAT).before.retreats == {}
    unexplained = phase_of(RETREAT + "PRESTATE_RESULTS\nSUCCESS: Germany: F hel H")
    assert unexplained.before.retreats == {}


@pytest.mark.parametrize(
    ("failures", "is_contested"),
    [
        (("A bel-hol",), False),  # alone it cannot have been a standoff
        (("A bel-hol", "A ruh-hol"), True),
        (("A lon-hol", "A par-hol", "F nth C A lon-hol"), False),  # disrupted, unreachable
        (("A yor-hol", "bel-hol", "F hel C A yor-hol"), False),  # no route
        (("A den-hol", "bel-hol", "F hel C A den-hol"), True),
    ],
)
def test_only_moves_that_could_arrive_make_a_standoff(
    failures: tuple[str, ...], is_contested: bool
) -> None:
    results = "".join(f"FAILURE: France: {order}\n" for order in failures)
    phase = phase_of(f"{RETREAT}PRESTATE_RESULTS\nSUCCESS: Germany: F ska-nth\n{results}")
    assert ("HOL" not in phase.before.retreats["F NTH"]) == is_contested


def test_the_caller_may_name_the_map() -> None:
    other = case_of("PRESTATE\nItaly: A ven", "VARIANT_ALL Loeb10\nCASE x\n")
    with pytest.raises(
        UnknownNameError, match=re.escape("unknown map 'Loeb10' in 'l.txt:1:13'")
    ) as e:
        read_jdip(other, "l.txt")
    assert (e.value.kind, e.value.name) == ("map", "Loeb10")
    board = dipsat.load_map("standard")
    assert read_jdip(other, "l.txt", map=board)[0].board is board
    assert len(read_jdip("CASE x\nEND", "x.txt", map=board)) == 1
    for path in ("/etc/passwd", "../rules/maps/standard.yaml", "standard.yaml"):
        with pytest.raises(UnknownNameError, match="unknown map"):  # the file never names a path
            read_jdip(f"VARIANT_ALL {path}\n", "x.txt")


FAULTS = [
    ("ORDER\nItaly: A ven H", 3, "unknown keyword 'ORDER'; did you mean ORDERS?"),
    ("PRESTATE_DISLOGED", 3, "did you mean PRESTATE_DISLODGED?"),
    ("PRE_THING", 3, "unknown keyword 'PRE_THING'"),
    ("Italy: A ven", 3, "is in no section; known: PRESTATE, "),
    ("POSTSTATE_SAME\nItaly: A ven", 4, "is in no section"),
    ("PRESTATE Italy: A ven", 3, "PRESTATE needs a line of its own; 'Italy: A ven'"),
    ("PRESTATE_SETPHASE", 3, "write the text of PRESTATE_SETPHASE after it"),
    ("PRESTATE_SETPHASE Spring 1901", 3, "unknown phase 'Spring 1901'; write it like"),
    ("PRESTATE_SETPHASE Spring 1901, Adjustment", 3, "unknown phase"),
    ("PRESTATE_SETPHASE Spring 190111, Movement", 3, "unknown phase"),
    ("PRESTATE\nPRESTATE", 4, "PRESTATE is already in line 3 of this case"),
    ("POSTSTATE\nPOSTSTATE_SAME", 4, "POSTSTATE is already in line 3"),
    ("VARIANT_ALL Standard", 3, "VARIANT_ALL belongs once, above the first case"),
    ("CASE another", 3, "the case 'a case' of line 2 has no END; write END above this line"),
    ("PRESTATE\nItaly: A atlantis", 4, "unknown province 'atlantis'"),
    ("PRESTATE\nItaly: A ion", 4, "an army cannot stand at sea"),
    ("PRESTATE\nItaly: F spa", 4, "the coast is missing; write F SPA/NC or F SPA/SC"),
    ("PRESTATE\nItaly: A ven - tri", 4, "is left over at the end"),
    ("PRESTATE\nAtlantis: A ven", 4, "unknown power 'Atlantis'"),
    ("PRESTATE\nItaly:", 4, "nothing follows ITALY; write a unit or an order after it"),
    ("PRESTATE\nItaly: A ven\nAustria: A ven", 5, "ITALY A VEN already stands in VEN"),
    ("POSTSTATE\nItaly: F stp/nc\n\nItaly: A stp", 6, "already stands in STP"),
    ("PRESTATE_DISLODGED\nItaly: A ven\nItaly: A ven", 5, "already stands in VEN"),
    ("PRESTATE_SUPPLYCENTER_OWNERS\nItaly: A tyr", 4, "Tyrolia is not a supply centre"),
    ("PRESTATE_SUPPLYCENTER_OWNERS\nItaly: rom\nFrance: rom", 5, "owned by ITALY and by FRANCE"),
    ("ORDERS\nA ven H", 4, "no power is named before 'A ven H'; write it as in 'Russia: F con'"),
    ("ORDERS\n  eng - nth", 4, "no power is named before 'eng - nth'"),
    ("ORDERS\n   Italy: A ven jumps", 4, "'jumps' is not an action"),
    ("ORDERS\nItaly: A swi-tyr", 4, "unknown province 'swi'"),
    ("PRESTATE_RESULTS\nItaly: A ven H", 4, "write SUCCESS: or FAILURE: before power and order"),
    ("PRESTATE_RESULTS\nSUCCESS: A ven H", 4, "no power is named before 'A ven H'"),
    ("END\nPRESTATE", 4, "'PRESTATE' is outside a case; write CASE and a name above it"),
    ("END\nItaly: A ven", 4, "'Italy: A ven' is outside a case"),
]


@pytest.mark.parametrize(("body", "line", "words"), FAULTS, ids=[f[2][:40] for f in FAULTS])
def test_a_fault_is_reported_with_its_line(body: str, line: int, words: str) -> None:
    with pytest.raises(DocumentError, match=re.escape(words)) as caught:
        read_jdip(case_of(body), "dir/x.txt")
    assert (caught.value.path, caught.value.line) == ("dir/x.txt", line)
    stated = body.split("\n")[line - 3]
    assert caught.value.column == len(stated) - len(stated.lstrip()) + 1


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("VARIANT_ALL Standard\n\nCASE x\nORDERS\n", 3, "the case 'x' has no END"),
        ("CASE x\nEND\n", 1, "no map is named; write VARIANT_ALL Standard above the first case"),
        ("VARIANT_ALL\n", 1, "write the text of VARIANT_ALL after it"),
        ("VARIANT_ALL Standard\nVARIANT_ALL Standard\n", 2, "belongs once"),
        ("VARIANT_ALL Standard\nCASE\nEND", 2, "write the text of CASE after it"),
        ("VARIANT Standard\n", 1, "unknown keyword 'VARIANT'; did you mean VARIANT_ALL?"),
        ("\x00\x01\x02\n", 1, "'\\x00\\x01\\x02' is outside a case"),
        ('{"orders": {}}', 1, "is outside a case"),
        ("# c\r\n\rEND\n", 3, "'END' is outside a case"),
    ],
)
def test_faults_around_the_cases(text: str, line: int, words: str) -> None:
    with pytest.raises(DocumentError, match=re.escape(words)) as caught:
        read_jdip(text, "x.txt")
    assert caught.value.line == line


@pytest.mark.parametrize("text", ["", " \n\t", "\ufeff", "# nothing\n", "VARIANT_ALL Standard\n"])
def test_a_file_without_cases_is_refused(text: str) -> None:
    with pytest.raises(FileError, match=r"x\.txt: has no cases"):
        read_jdip(text, "x.txt")


@pytest.mark.parametrize("junk", ["x", "#", "PRE_", " "])
def test_huge_lines_are_refused_or_read(junk: str) -> None:
    """Two million characters: a reader that looked at each pair of them would never finish."""
    told = ""
    try:
        read_jdip(case_of("ORDERS\n" + junk * (2_000_000 // len(junk))), "x.txt")
    except DipsatError as error:
        told = str(error)
    assert len(told) < 500
