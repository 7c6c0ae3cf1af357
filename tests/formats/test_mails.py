"""Mails and pasted texts with orders of several phases: each order is kept for its phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.errors import DipsatError, FileError
from dipsat.formats import parse_phase_text
from dipsat.formats.mail import Mail, read_mail
from dipsat.orders import reader_for

START = dipsat.Position.start()
RULES = dipsat.load_profile("datc")
READER = reader_for(START.map)
UNITS = {"FRANCE": ["A BUR", "A MAR"], "GERMANY": ["A MUN"]}
OWNED = {"FRANCE": ["BRE", "MAR", "PAR", "SPA"], "GERMANY": ["MUN"]}
FALL = dipsat.Position.from_units(UNITS, phase="F1901M")
RETREATS = dipsat.Position.from_units(
    UNITS, phase="S1901R", dislodged={"AUSTRIA": {"A GAL": ["UKR", "SIL"]}}
)
WINTER = dipsat.Position.from_units(UNITS, phase="W1901A", centers=OWNED)


def mail_of(
    text: str, position: dipsat.Position = START, senders: Mapping[str, Sequence[str]] | None = None
) -> Mail:
    return read_mail(text, "m.txt", position, RULES, senders or {})


def orders_of(mail: Mail) -> dict[str, list[str]]:
    """Phase -> the orders, each with its power."""
    return {
        str(phase): [f"{one.power}: {' '.join(one.text.split())}" for one in entries]
        for phase, entries in mail.orders.items()
    }


IN_SPRING = {
    "retreats below the moves": (
        "France:\nA Par - Bur\nRetreats:\nA Par - Gas",
        {"S1901M": ["FRANCE: A Par - Bur"], "S1901R": ["FRANCE: A Par - Gas"]},
    ),
    "a whole turn, with the kinds below each power": (
        "Spring, 1901\nFrance:\nThe army at Paris move to Burgundy.\nRetreats:\n"
        "The army at Paris retreat to Gascony.\nUnit-placement:\nBuild army at Paris.\n"
        "Germany:\nThe army at Munich hold.",
        {
            "S1901M": [
                "FRANCE: The army at Paris move to Burgundy.", "GERMANY: The army at Munich hold.",
            ],
            "S1901R": ["FRANCE: The army at Paris retreat to Gascony."],
            "W1901A": ["FRANCE: Build army at Paris."],
        },
    ),
    "a whole turn, with the powers below each kind": (
        "Moves:\nFrance: A Par - Bur\nGermany: A Mun - Bur\n"
        "Retreats:\nFrance: A Par - Gas\nGermany: A Mun - Sil",
        {
            "S1901M": ["FRANCE: A Par - Bur", "GERMANY: A Mun - Bur"],
            "S1901R": ["FRANCE: A Par - Gas", "GERMANY: A Mun - Sil"],
        },
    ),
    "orders whose kind says their phase": (
        "France:\nA Par - Bur\nBuild A Par\nIf dislodged, A Bur R Gas, Pic\nA Mar D",
        {
            "S1901M": ["FRANCE: A Par - Bur"],
            "S1901R": ["FRANCE: If dislodged, A Bur R Gas, Pic", "FRANCE: A Mar D"],
            "W1901A": ["FRANCE: Build A Par"],
        },
    ),
    "phases below one another": (
        "France\nA Par - Bur\nWinter 1901:\nBuild A Par\nSpring 1902 Movement\nA Bur - Mun",
        {
            "S1901M": ["FRANCE: A Par - Bur"], "W1901A": ["FRANCE: Build A Par"],
            "S1902M": ["FRANCE: A Bur - Mun"],
        },
    ),
    "a phase and its order in one line": (
        "France\nA Par - Bur\nFall: A Bur - Mun\nWinter 1901: Build A Par",
        {
            "S1901M": ["FRANCE: A Par - Bur"], "F1901M": ["FRANCE: A Bur - Mun"],
            "W1901A": ["FRANCE: Build A Par"],
        },
    ),
    "headings that say more": (
        "France, Spring 1901, as agreed:\nA Par - Bur\nRetreats, just in case:\nA Par - Gas, Pic\n"
        "My builds for winter:\nWAIVE",
        {
            "S1901M": ["FRANCE: A Par - Bur"], "S1901R": ["FRANCE: A Par - Gas, Pic"],
            "W1901A": ["FRANCE: WAIVE"],
        },
    ),
    "the power beside the kind": (
        "France: A Par - Bur\nFrench retreats:\nA Par - Gas\nGermany - Builds\nA Mun",
        {
            "S1901M": ["FRANCE: A Par - Bur"], "S1901R": ["FRANCE: A Par - Gas"],
            "W1901A": ["GERMANY: Build A MUN"],
        },
    ),
    "units alone": (
        "France: A Par - Bur\nWinter 1901\nGermany\nA Mun\nItaly\nRemovals:\nA Ven\nTurkey\n"
        "F Ank\nAustria\nBuilds and removals:\nA Vie",
        {
            "S1901M": ["FRANCE: A Par - Bur"],
            "W1901A": ["GERMANY: A Mun", "ITALY: Remove A VEN", "TURKEY: F Ank", "AUSTRIA: A Vie"],
        },
    ),
    "a unit named twice in a condition": (
        "France: A Par - Bur\nIf A Par is dislodged: A Par - Gas",
        {"S1901M": ["FRANCE: A Par - Bur"], "S1901R": ["FRANCE: if dislodged A Par - Gas"]},
    ),
    "a quoted text": (
        "> France:\n> A Par - Bur\n> Retreats:\n> A Par - Gas",
        {"S1901M": ["FRANCE: A Par - Bur"], "S1901R": ["FRANCE: A Par - Gas"]},
    ),
    "kinds without orders": (
        "France:\nA Par - Bur\nBuilds: none\nRetreats: none needed, I hope\nAdjustments:",
        {"S1901M": ["FRANCE: A Par - Bur"], "W1901A": ["FRANCE: Waive all"]},
    ),
    "only later phases": (
        "Fall 1901\nFrance: A Par - Bur", {"F1901M": ["FRANCE: A Par - Bur"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "orders"), IN_SPRING.values(), ids=IN_SPRING)
def test_each_order_is_kept_for_its_phase(text: str, orders: dict[str, list[str]]) -> None:
    assert orders_of(mail_of(text)) == orders


def test_later_phases_follow_the_phase_of_the_position() -> None:
    assert orders_of(mail_of("France: A Bur H\nRemove A Mar\nRetreats:\nA Bur - Gas", FALL)) == {
        "F1901M": ["FRANCE: A Bur H"], "F1901R": ["FRANCE: A Bur - Gas"],
        "W1901A": ["FRANCE: Remove A Mar"],
    }  # fmt: skip
    assert orders_of(mail_of("Austria:\nA Gal - Ukr\nBuilds:\nA Vie", RETREATS)) == {
        "S1901R": ["AUSTRIA: A Gal - Ukr"], "W1901A": ["AUSTRIA: Build A VIE"],
    }  # fmt: skip
    for text in ("Winter\nFrance: Build A Par", "France:\nBuilds\nA Par", "France: A Par B"):
        (phase,) = mail_of(text, WINTER).orders
        assert str(phase) == "W1901A"


def test_orders_have_their_places() -> None:
    mail = mail_of("France: A Par - Bur; A Mar H\n  Retreats: A Par - Gas")
    places = [one.place for entries in mail.orders.values() for one in entries]
    assert places == ["m.txt:1:9", "m.txt:1:22", "m.txt:2:13"]


UNCLEAR = {
    "a power below retreats that belong to the power above them": (
        "France:\nA Par - Bur\nGermany:\nA Mun - Bur\nRetreats:\nA Mun - Sil\nFrance:\nA Par - Gas",
        "m.txt:7: it is not clear whether these orders are of S1901M or of S1901R",
    ),
    "a power below moves that belong to the power above them": (
        "France\nA Par - Bur\nFall 1901\nA Bur - Mun\nGermany\nA Mun - Ruh",
        "m.txt:5: it is not clear whether these orders are of S1901M or of F1901M",
    ),
    "no orders below a phase": (
        "France\nA Par - Bur\nFall 1901\n",
        "m.txt:3: 'Fall 1901' is a second phase, and no orders are below it",
    ),
    "a heading that is a comment": (
        "# France\nA Par - Bur", "m.txt:1: '# France' is a comment, but orders are below it",
    ),
    "an earlier phase": (
        "Winter 1900\nFrance: Build A Par", "m.txt:1: names W1900A, but the phase is S1901M",
    ),
    "an earlier phase below orders": (
        "France: A Par - Bur\nWinter 1900\nBuild A Par",
        "m.txt:2: names W1900A, but the phase is S1901M",
    ),
    "a season that could be of two years": (
        "Fall 1901\nFrance: A Par - Bur\nSpring: A Bur - Mun",
        "m.txt:3: 'Spring' does not say its phase beside F1901M; write the season and the year",
    ),
    "a wrong order for later": (
        "France: A Par - Bur\nBuilds:\nA Pra B", "m.txt:3:1: unknown province 'Pra'",
    ),
    "a condition": ("France: If Mun - Bur, A Par - Pic", "no condition can be judged"),
    "the condition of another unit": (
        "France: A Par - Bur\nIf A Mar is dislodged: A Par - Gas", "If A Mar is dislodged",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), UNCLEAR.values(), ids=UNCLEAR)
def test_what_could_be_of_two_phases_is_refused(text: str, said: str) -> None:
    with pytest.raises(DipsatError) as caught:
        mail_of(text)
    assert said in str(caught.value)


def test_a_disband_in_fall_could_be_of_two_phases() -> None:
    with pytest.raises(FileError, match=r"write 'Retreats:' or 'Builds:' above it"):
        mail_of("France: A Bur H\nA Mar D", FALL)
    for above in ("Retreats:", "Builds:"):
        assert len(mail_of(f"France: A Bur H\n{above}\nA Mar D", FALL).orders) == 2


@pytest.mark.parametrize(
    "line",
    [
        "Turkey: none received", "Turkey: NMR", "Turkey NMR", "Turkey (NMR)", "Turkey - NMR",
        "NMR: Turkey", "Turkey: no move received", "Turkey: No orders received.", "Turkey: none",
        "No moves received from Turkey", "Turkey:\n  not received yet", "Turkey\nnone",
        "Turkey: NMR (all units hold)", "Turkey: NMR - all hold", "Turkey: -", "Turkey: CD",
        "Turkey: no orders received, units hold", "Turkey: NMR. Units in civil disorder.",
        "Turkey - no orders", "Turkey: no orders received; all units hold.", "Turkey NMRed.",
        "Turkey:\nNMR - all units hold", "Turkey:\nno orders. Civil disorder",
        "Turkey: NMR, again!",
        "Turkey (NMR) all units hold", "Turkey: missed the deadline", "Turkey: (no orders)",
        "Turkey: NMR (no move received)", "Turkey did not submit orders.",
        "Turkey - no orders received (second time!)", "Turkey: no orders (vacation)",
        "Turkey: eliminated", "Turkey: late", "Missing: Turkey", "NMRs: Turkey",
        "Turkey has not sent orders.", "Still waiting for Turkey.", "I have no orders from Turkey.",
    ],
)  # fmt: skip
def test_powers_that_have_sent_nothing_are_listed(line: str) -> None:
    mail = mail_of(f"France: A Par H\n{line}\nItaly: A Ven H\n")
    assert {str(phase): powers for phase, powers in mail.silent.items()} == {"S1901M": ("TURKEY",)}
    assert orders_of(mail) == {"S1901M": ["FRANCE: A Par H", "ITALY: A Ven H"]}


def test_orders_beside_nmr_are_not_lost() -> None:
    with pytest.raises(DipsatError, match="NMR says that there are no orders"):
        mail_of("Italy: NMR (A Ven H)")
    assert orders_of(mail_of("Italy: NMR, A Ven H")) == {"S1901M": ["ITALY: A Ven H"]}


def test_a_power_with_orders_has_not_sent_nothing() -> None:
    mail = mail_of("France: NMR\nFrance: A Par H")
    assert (mail.silent, orders_of(mail)) == ({}, {"S1901M": ["FRANCE: A Par H"]})
    assert mail.remarks == ("m.txt:1:9: says that FRANCE has sent nothing, but it has orders",)
    several = mail_of("No orders received from France and Turkey\nGermany: A Mun H").silent
    assert list(several.values()) == [("FRANCE", "TURKEY")]


@pytest.mark.parametrize("line", ["All units hold", "everyone holds", "The rest: hold"])
def test_a_player_who_orders_all_units_to_hold_is_asked_to_name_them(line: str) -> None:
    """A mail does not say how many units are meant; `All` is not ALB."""
    with pytest.raises(DipsatError, match="say which units hold, each on a line of its own"):
        mail_of(f"France:\nA Par - Bur\n{line}")


# --- senders --------------------------------------------------------------------------------------

SENDERS = {"bob@example.org": ["FRANCE"], "eve miller": ["GERMANY"]}
FROM = "From: Bob <bob@example.org>\nSubject: {}\n\n"


def test_the_sender_says_whose_orders_follow() -> None:
    moves = "A Par - Bur\nA Mar S A Par - Bur\n\nBob"
    for subject in ("moves", "French moves", "France, Spring 1901"):
        mail = mail_of(FROM.format(subject) + moves, senders=SENDERS)
        found = ["FRANCE: A Par - Bur", "FRANCE: A Mar S A Par - Bur"]
        assert orders_of(mail) == {"S1901M": found}
        assert "m.txt:1: FRANCE: taken from 'From: Bob <bob@example.org>'" in mail.remarks
    assert orders_of(mail_of("From: EVE MILLER\n\nA Mun H", senders=SENDERS)) == {
        "S1901M": ["GERMANY: A Mun H"]
    }


def test_mails_one_after_another_have_their_own_senders() -> None:
    text = FROM.format("moves") + "A Par - Bur\n-- \nBob\n\nFrom: Eve Miller\n\nA Mun - Ruh\n"
    found = ["FRANCE: A Par - Bur", "GERMANY: A Mun - Ruh"]
    assert orders_of(mail_of(text, senders=SENDERS)) == {"S1901M": found}


BOTH = {"anna@example.org": ["FRANCE", "ITALY"], "anna": ["FRANCE", "ITALY"]}


def test_a_player_of_two_powers_says_whose_orders_follow() -> None:
    text = "From: Anna <anna@example.org>\n\n{}"
    mail = mail_of(text.format("France: A Par H\nItaly: A Ven H"), senders=BOTH)
    assert orders_of(mail) == {"S1901M": ["FRANCE: A Par H", "ITALY: A Ven H"]}
    with pytest.raises(DipsatError, match="plays FRANCE and ITALY; write a heading"):
        mail_of(text.format("A Par H"), senders=BOTH)
    with pytest.raises(DipsatError, match="names GERMANY, but the mail is from FRANCE and ITALY"):
        mail_of(text.format("Germany: A Mun H"), senders=BOTH)


def test_the_name_of_a_player_counts_only_without_another_address() -> None:
    found = {"S1901M": ["FRANCE: A Par H"]}
    assert orders_of(mail_of("From: Anna\n\nFrance: A Par H", senders=BOTH)) == found
    for sender in ("Anna <else@example.org>", '"anna@example.org" <else@example.org>'):
        with pytest.raises(DipsatError, match="which is not the address of FRANCE"):
            mail_of(f"From: {sender}\n\nFrance: A Par H", senders=BOTH)


NOT_FROM = {
    "a heading of another power": (
        FROM.format("hi") + "Germany:\nA Mun H",
        "m.txt:4: names GERMANY, but the mail is from FRANCE (Bob <bob@example.org>)",
    ),
    "a subject of another power": (
        FROM.format("Germany, Spring 1901") + "A Mun H", "m.txt:2: names GERMANY, but the mail is",
    ),
    "a power before the order": (
        FROM.format("hi") + "Germany A Mun H", "it names Germany, but it is an order of France",
    ),
    "nobody known": (
        "From: Max <max@example.org>\n\nA Mun H",
        "m.txt:1: no player is known as 'Max <max@example.org>'; write a heading such as",
    ),
    "nobody known, below another mail": (
        FROM.format("hi") + "A Par H\n\nFrom: Max <max@example.org>\n\nA Mar H",
        "m.txt:6: no player is known as 'Max <max@example.org>'",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), NOT_FROM.values(), ids=NOT_FROM)
def test_orders_of_another_power_than_the_sender_are_refused(text: str, said: str) -> None:
    with pytest.raises(DipsatError) as caught:
        mail_of(text, senders=SENDERS)
    assert said in str(caught.value)


def test_a_text_may_say_its_power_if_nobody_knows_the_sender() -> None:
    for text in ("\n\nGermany:\nA Mun H", "\nSubject: German orders\n\nA Mun H"):
        mail = mail_of(f"From: Max <max@example.org>{text}", senders=SENDERS)
        assert orders_of(mail) == {"S1901M": ["GERMANY: A Mun H"]}


HEADS = {
    "German": "Von: Bob <bob@example.org>\nGesendet: Sonntag, 2. November\nAn: gm@example.org\n"
    "Betreff: AW: Fr\u00fchjahr\n\n{}\n\nAm 2. Nov. um 20:00 schrieb Max <gm@example.org>:\n"
    "> A Par - Pic\n",
    "French": "De : Bob <bob@example.org>\nEnvoy\u00e9 : dimanche\n\u00c0 : gm@example.org\n"
    "Objet : ordres\n\n{}\n\nLe 2 nov., Max a \u00e9crit :\n> A Par - Pic\n",
}


@pytest.mark.parametrize("text", HEADS.values(), ids=HEADS)
def test_the_head_of_a_mail_may_be_in_the_language_of_the_mail_program(text: str) -> None:
    mail = mail_of(text.format("A Par - Bur"), senders=SENDERS)
    assert orders_of(mail) == {"S1901M": ["FRANCE: A Par - Bur"]}
    with pytest.raises(FileError, match="names GERMANY, but the mail is from FRANCE"):
        mail_of(text.format("Germany:\nA Mun - Bur"), senders=SENDERS)


def test_a_shortened_power_before_an_order_is_not_a_sender() -> None:
    with pytest.raises(FileError, match=r"m\.txt:1:1: unknown power 'De'"):
        mail_of("De: A Mun - Bur", senders=SENDERS)


# --- what somebody should look at -----------------------------------------------------------------


def test_nothing_is_reported_of_a_mail_that_says_nothing_but_orders() -> None:
    text = FROM.format("Re: France, Spring 1901") + (
        "Hi Max,\nhere are my moves:\n\nA Par - Bur ;-)\nA Mar S A Par - Bur\n\nCheers,\nBob\n"
        "On Monday Max wrote:\n> Send me your orders, please.\n"
    )
    mail = mail_of(text, senders=SENDERS)
    assert orders_of(mail) == {"S1901M": ["FRANCE: A Par - Bur", "FRANCE: A Mar S A Par - Bur"]}
    assert mail.doubtful == ()
    assert mail.remarks  # they are kept for anyone who wants to know


DOUBTFUL = {
    "a sentence": "The other two stay as they are.",
    "a condition": "Ask me again if England is in ENG.",
    "a request": "Please change my order for A Mun:",
    "a remark in brackets": "(please don't tell anyone)",
    "a remark after the signature": "PS: only if Italy agrees",
    "orders that are not final": "Here are my preliminary orders, final ones tomorrow.",
}


@pytest.mark.parametrize("line", DOUBTFUL.values(), ids=DOUBTFUL)
def test_a_sentence_that_may_be_about_orders_is_reported(line: str) -> None:
    mail = mail_of(f"France:\nA Par - Bur\n{line}\n\nCheers, Bob")
    assert mail.doubtful == (f"m.txt:3: skipped {line.removeprefix('PS: ')!r}",) or (
        mail.doubtful == (f"m.txt:3: skipped {line!r}",)
    )


def test_what_else_a_heading_says_is_reported() -> None:
    text = "Fall 1901: just hold everything.\nSpring 1902, tentative:\nA Bur - Mun"
    assert mail_of(f"France: A Par - Bur\n{text}").doubtful == (
        "m.txt:2: 'Fall 1901: just hold everything.' is read as a heading of F1901M",
        "m.txt:3: 'Spring 1902, tentative:' is read as a heading of S1902M",
    )


def test_an_older_mail_with_orders_that_are_left_out_is_reported() -> None:
    (said,) = mail_of("France:\nA Par - Bur\n\nOn Monday Max wrote:\n> A Par - Pic\n").doubtful
    assert said == "m.txt:5: skipped a line of an older mail: 'A Par - Pic'"


def test_the_name_of_the_player_below_orders_is_not_a_province() -> None:
    """Bud is short for Budapest, too; another province, or orders below it, would be refused."""
    text = "From: Bud Miller <bob@example.org>\n\nA Par - Bur\n\nBud"
    assert orders_of(mail_of(text, senders=SENDERS)) == {"S1901M": ["FRANCE: A Par - Bur"]}
    for line in ("\nVie", "\nBud\nA Mar - Spa"):
        with pytest.raises(DipsatError, match="it does not say what the unit does"):
            mail_of(text.removesuffix("\nBud") + line, senders=SENDERS)


def test_a_mail_of_a_player_without_orders_has_none() -> None:
    mail = mail_of(FROM.format("hi") + "I am away till Monday. Can you extend?", senders=SENDERS)
    assert (mail.orders, mail.silent) == ({}, {})
    assert mail.doubtful == ("m.txt:4: skipped 'I am away till Monday. Can you extend?'",)


# --- one phase of a text --------------------------------------------------------------------------

TURN = "France:\nA Par - Bur\nRetreats:\nA Bur R Par, Gas\nBuilds:\nBuild A Par\n"


def test_the_phase_that_is_asked_for_is_judged(tmp_path: Path) -> None:
    sheet, position = tmp_path / "turn.txt", tmp_path / "r.yaml"
    sheet.write_text(TURN, encoding="utf-8")
    done = CliRunner().invoke(main, ["adjudicate", str(sheet)])
    assert (done.exit_code, "A PAR - BUR  succeeds" in done.stdout) == (0, True)
    assert "turn.txt:4:1: 'FRANCE: A Bur R Par, Gas' is for S1901R; only" in done.stderr
    assert "turn.txt:6:1: 'FRANCE: Build A Par' is for W1901A; only" in done.stderr
    position.write_text(
        "phase: S1901R\nunits: {GERMANY: [A BUR]}\ndislodged: {FRANCE: {A BUR: [GAS]}}\n",
        encoding="utf-8",
    )
    retreat = tmp_path / "retreat.txt"
    retreat.write_text(TURN.partition("Retreats:\n")[0][:8] + "A Bur R Par, Gas\n", "utf-8")
    done = CliRunner().invoke(main, ["adjudicate", str(retreat), "--position", str(position)])
    assert "A BUR R GAS  succeeds" in done.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Fall 1901\nFrance: A Par - Bur", "m.txt:1: names F1901M, but the phase is S1901M"),
        ("France: Build A Par", "m.txt:1:9: .*not an order of this phase"),
        ("Retreats:\nFrance: A Par - Bur", "m.txt:2:9: names S1901R, but the phase is S1901M"),
        ("Dear all,\nnothing new.\nCheers, Bob", "m.txt: there are no orders in it"),
    ],
)
def test_a_text_without_orders_of_the_phase_is_not_judged(text: str, said: str) -> None:
    with pytest.raises(DipsatError, match=said):
        dipsat.parse_phase(text, "m.txt", position=START)


def test_a_sheet_may_have_only_powers_that_have_sent_nothing() -> None:
    assert dipsat.parse_phase("France: NMR", "m.txt", position=START).orders == {}


# --- lines of players -----------------------------------------------------------------------------

AS_WRITTEN = {
    "a smiley": "A Par - Bur :)\nA Mar - Spa ;-)",
    "a remark in brackets": "A Par - Bur (please!)\n(yes, a bounce on purpose)\nA Mar - Spa",
    "a note in brackets": "A Par - Bur\n[note: bounce with Germany]\nA Mar - Spa",
    "a power below the name": "A Par - Bur\nA Mar - Spa\n\nBob (France)",
    "a power alone below the name": "A Par - Bur\nA Mar - Spa\n\nBob\nFrance",
    "marks of lists": "(a) A Par - Bur\n(b) A Mar - Spa",
    "helpers": "A Par - Bur (S by Mun)\nA Mar - Spa",
    "one sentence": "Army Paris to Burgundy and army Marseilles to Spain.",
    "verbs behind others": "Move A Par to Bur\nArmy Marseilles is going to Spain",
    "courtesy": "A Par - Bur, please\nA Mar - Spa, thx!",
}


@pytest.mark.parametrize("text", AS_WRITTEN.values(), ids=AS_WRITTEN)
def test_lines_are_read_as_players_write_them(text: str) -> None:
    (own,) = mail_of(f"Bob (France)\n\n{text}\n").orders.values()
    read = [(one.power, READER.read(one.text)) for one in own]
    assert read == [("FRANCE", READER.read(one)) for one in ("A Par - Bur", "A Mar - Spa")]


REFUSED = {
    "If you do not hear from me before fall: A Par H": "no condition can be judged",
    "A Par will not go to Bur": "cannot read the order",
    "A Par - Bur (if not possible: Pic)": "no condition can be judged",
    "A Par - Bur [was: A Par - Pic]": "'[was: A Par - Pic]' is not part of an order",
    "(F Bre was in Brest, right?)": "it is in brackets",
    "(A Par - Pic)": "it is in brackets",
    "not A Par - Pic but A Par - Bur": "'not' may take an order back",
    "don't move A Par": '"don\'t" may take an order back',
    "Cancel A Par - Pic": "'cancel' may take an order back",
}


@pytest.mark.parametrize(("line", "said"), REFUSED.items())
def test_words_that_may_change_or_take_back_an_order_are_refused(line: str, said: str) -> None:
    with pytest.raises(DipsatError) as caught:
        parse_phase_text(f"France:\nA Mar - Spa\n{line}\n", "a.txt")
    assert said in str(caught.value)
    assert "did you mean" not in str(caught.value)


# --- lines around orders --------------------------------------------------------------------------

SKIPPED = (
    "Deadline: Tue Mar 3 - 20:00", "The deadline for Fall 1901 is Friday.", "PS: thanks!",
    "P.S. good luck, and see you", "To: GM", "Press: England to all: I will move A Lon - Nth.",
    "England to all: I support A Mun - Bur.", "Bob", "Bob Miller", "B.", ":-) Bob", "ok?",
    "Marek — Today at 18:58", "Everything else stands.",
)  # fmt: skip


@pytest.mark.parametrize("line", SKIPPED)
def test_a_line_that_is_not_an_order_is_skipped_with_a_remark(line: str) -> None:
    phase = parse_phase_text(f"France:\nA Par H\n{line}\n", "a.txt")
    assert phase.orders == {"FRANCE": ("A Par H",)}
    assert phase.skipped == (
        f"a.txt:3: skipped a line of text around the orders: {line.removeprefix('> ')!r}",
    )


@pytest.mark.parametrize(
    "line",
    [
        "ENGLAND - Bob", "England – Bob Miller", "England (Bob)", "England [3 SC]", "England (4)",
        "=== ENGLAND ===", "**England**", "England:", "Orders for England, Spring 1901",
        "here come the English orders for Spring 1901.", "Bob - England for Spring 1901",
        "England S01, sorry about the spelling. Here is the lot again:", "Here they are. England:",
        "Spring 1901 (England)", "England Spring 1901 (on time!!)", "Spring 1901 -- England.",
        "Right, Con is mine already. England S1901 moves:", "Spring 1901, England: sorry, Bob",
        "My orders for England this Spring are as follows:", "English orders, this spring:",
    ],
)  # fmt: skip
def test_a_heading_is_read_as_players_write_it(line: str) -> None:
    phase = parse_phase_text(f"{line}\nF Lon - Nth\n", "a.txt")
    assert phase.orders == {"ENGLAND": ("F Lon - Nth",)}
    assert str(phase.position.phase) == "S1901M"


MIDDLE = ("Bob", "ok?", "England – Bob", "Press: A Lon H", "All other units hold", "Brest")


@pytest.mark.parametrize("line", ["Bob", "ok?", "All other units hold", "Lndon", "Engalnd"])
def test_a_line_between_orders_that_may_be_one_is_refused(line: str) -> None:
    with pytest.raises(DipsatError, match=r"a\.txt:3:1: "):
        parse_phase_text(f"France:\nA Par H\n{line}\nA Mar H\n", "a.txt")


def test_no_sentence_about_another_power_changes_whose_orders_follow() -> None:
    for line in ("Thanks, Italy.", "I like Italy, really.", "As agreed with Italy and others:"):
        with pytest.raises(DipsatError):
            parse_phase_text(f"France:\nA Par H\nFrence, {line}\nA Mar H\n", "a.txt")
    text = "France:\nA Par H\nI hope that you like what Italy will do this year.\nA Mar H\n"
    with pytest.raises(DipsatError):
        parse_phase_text(text, "a.txt")
