"""Mails that could be misread: an order is read as it is meant, or refused with a hint."""

from __future__ import annotations

import pytest

import dipsat
from dipsat.errors import DipsatError, FileError
from dipsat.formats import enter_mail, status_of
from dipsat.formats.mail import Mail, read_mail

START = dipsat.Game.new(None, None).position
RULES = dipsat.load_profile("datc")
SENDERS = {"bob@example.org": ["FRANCE"], "eve miller": ["GERMANY"]}


def mail_of(text: str, position: dipsat.Position = START, lenient: bool = False) -> Mail:
    return read_mail(text, "m.txt", position, RULES, SENDERS, lenient)


def orders_of(mail: Mail) -> dict[str, list[str]]:
    return {str(of): [one.text for one in entries] for of, entries in mail.orders.items()}


FALL = dipsat.Position.from_units({"FRANCE": ["A PAR", "A MAR", "F BRE"]}, phase="F1901M")
SECOND = dipsat.Position.from_units({"FRANCE": ["A PAR", "A MAR", "F BRE"]}, phase="S1902M")

LISTS = {
    "builds in a line": ("Winter: build F Bre, A Par, A Mar", "Build A PAR", "Build A MAR"),
    "builds in order of preference": (
        "Builds (in order of preference): F Bre, A Par",
        "Build A PAR",
    ),
    "builds below each other": ("Winter: Build F Bre\nA Par", "Build A PAR"),
    "disbands in a line": ("Winter 1901: disband F Bre, A Par", "Remove A PAR"),
    "disbands among moves": ("Remove F Bre / A Par", "Remove A PAR"),
}


@pytest.mark.parametrize("said", LISTS.values(), ids=LISTS)
def test_a_list_of_builds_or_disbands_has_one_verb(said: tuple[str, ...]) -> None:
    text, *others = said
    mail = mail_of(f"France:\nA Mar H\n{text}", FALL)
    (_, *found) = orders_of(mail)["W1901A"]
    assert found == others


def test_a_unit_that_stands_alone_beside_its_order_is_reported() -> None:
    mail = mail_of("France:\nA Par - Bur, A Mar H, A Par")
    assert orders_of(mail) == {"S1901M": ["A Par - Bur", "A Mar H"]}
    said = "m.txt:2:23: 'A Par' is not an order of that unit, which has another one"
    assert mail.doubtful == (said,)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("If Paris is dislodged: Gas, Pic", ["GAS", "PIC"]),
        ("If A Par is dislodged, Pic, else Gas.", ["PIC", "GAS"]),
        ("If my A Par is dislodged: A Par R Pic", ["PIC"]),
    ],
)
def test_a_condition_may_only_name_the_places_of_a_retreat(text: str, places: list[str]) -> None:
    mail = mail_of(f"France:\nA Par H\n{text}")
    (entry,) = mail.orders[dipsat.PhaseName.parse("S1901R")]
    retreat = dipsat.reader_for(START.map).read(entry.text)
    assert isinstance(retreat, dipsat.orders.Retreat)
    assert [retreat.target, *retreat.otherwise] == places


def test_an_order_behind_the_sign_of_a_comment_is_refused() -> None:
    for line in ("A Par-Bur // A Mar-Spa // F Bre-Mao", "A Par - Bur # A Mar - Spa"):
        with pytest.raises(FileError, match=r"m\.txt:2: 'A Mar.* is a comment, since it follows"):
            mail_of(f"France:\n{line}")
    mail = mail_of("France:\nA Par - Bur # or should I go Pic?\nA Mar H // as agreed")
    assert mail.doubtful == ("m.txt:2: skipped 'or should I go Pic?'",)


def test_orders_may_be_numbered_with_a_hash() -> None:
    mail = mail_of("Subject: Game #12, France\n\n#1 A Par-Bur\n#2 A Mar-Spa")
    assert orders_of(mail) == {"S1901M": ["A Par-Bur", "A Mar-Spa"]}


REVOKING = (
    "Wait, make that Picardy.", "No wait, Picardy instead.", "Draft (do not enter yet!):",
    "Please ignore the order of Paris.", "This is only a draft, my friend.",
)  # fmt: skip


@pytest.mark.parametrize("line", REVOKING)
def test_a_sentence_that_takes_orders_back_is_refused(line: str) -> None:
    for text, at in ((f"France:\nA Par - Bur\n{line}\n", 3), (f"{line}\nFrance: A Par - Bur", 1)):
        with pytest.raises(
            FileError, match=rf"m\.txt:{at}: '.*' may change the orders; write what"
        ):
            mail_of(text)
        mail = mail_of(text, lenient=True)
        assert orders_of(mail) == {"S1901M": ["A Par - Bur"]}


def test_an_older_mail_may_be_taken_back() -> None:
    mail = mail_of("France:\nPlease ignore my last mail, these count:\nA Par - Bur")
    assert orders_of(mail) == {"S1901M": ["A Par - Bur"]}


# --- seasons --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("subject", "named"),
    [
        ("Fall France", "fall"), ("France Fall", "fall"), ("Winter France", "winter"),
        ("French fall orders", "fall"), ("Builds", "builds"), ("Retreats", "retreats"),
        ("Orders for 1901", "1901"),
    ],
)  # fmt: skip
def test_a_subject_names_no_season_but_that_of_the_phase(subject: str, named: str) -> None:
    text = f"From: Bob <bob@example.org>\nSubject: {subject}\n\nA Par H"
    with pytest.raises(FileError, match=rf"m\.txt:2: names {named}, but the phase is S1902M"):
        mail_of(text, SECOND)


def test_a_sentence_names_the_season_of_the_orders_above_it() -> None:
    with pytest.raises(FileError, match=r"m\.txt:3: .*fall"):
        mail_of("France:\nA Par H\nThese are for the fall.", SECOND)
    assert orders_of(mail_of("France:\nA Par H\nThese are for the fall.", FALL)) == {
        "F1901M": ["A Par H"]
    }


@pytest.mark.parametrize("subject", ["Fall France", "1901 fall", "orders", "Orders for 1901"])
def test_a_subject_may_name_the_season_of_the_phase(subject: str) -> None:
    text = f"From: Bob <bob@example.org>\nSubject: {subject}\n\nA Par H"
    assert orders_of(mail_of(text, FALL)) == {"F1901M": ["A Par H"]}


def test_builds_that_are_sent_in_fall_need_no_year() -> None:
    for subject in ("Builds", "Winter France"):
        text = f"From: Bob <bob@example.org>\nSubject: {subject}\n\nBuild A Par"
        assert orders_of(mail_of(text, FALL)) == {"W1901A": ["Build A Par"]}


# --- senders --------------------------------------------------------------------------------------


def test_orders_from_an_unknown_address_are_refused_if_the_player_has_another() -> None:
    text = "From: Max <max@example.org>\n\n{}:\nA {} H"
    with pytest.raises(FileError, match=r"not the address of FRANCE; .* delete the line 'From:'"):
        mail_of(text.format("France", "Par"))
    assert orders_of(mail_of(text.format("Germany", "Mun"))) == {"S1901M": ["A Mun H"]}


def test_the_refusal_of_another_sender_says_what_can_be_done() -> None:
    with pytest.raises(FileError, match=r"mail is from FRANCE .*; .* delete the line 'From:'"):
        mail_of("From: Bob <bob@example.org>\n\nGermany:\nA Mun H")


# --- games ----------------------------------------------------------------------------------------


WINTER = dipsat.Position.from_units(
    {"FRANCE": ["A SPA", "F POR", "A BEL"]},
    phase="W1901A",
    centers={"FRANCE": ["PAR", "MAR", "BRE", "SPA", "POR", "BEL"]},
)


def winter() -> dipsat.Game:
    game = dipsat.Game(WINTER, "datc")
    game.players = {"FRANCE": "bob@example.org"}
    return game


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("waive 2", "2 of 3"), ("Waive both", "2 of 3"), ("waive all", "3 of 3"),
        ("no builds", "3 of 3"), ("none", "3 of 3"), ("Pass.", "3 of 3"),
        ("build F Bre, A Par, waive 1", "3 of 3"),
    ],
)  # fmt: skip
def test_one_order_waives_several_builds(line: str, count: str) -> None:
    text = f"From: bob@example.org\nSubject: builds\n\n{line}\n"
    found = enter_mail(winter(), text, "m.txt").game
    (france,) = (one for one in status_of(found).powers if one.power == "FRANCE")
    assert france.count == count
    assert not france.illegal
    found.advance()
    assert len(found.position.units) == (5 if "build F" in line else 3)


def test_only_orders_that_are_entered_are_counted() -> None:
    game = dipsat.Game(FALL, "datc")
    reply = enter_mail(game, "France:\nA Par H\nA Mun H", "m.txt", lenient=True)
    assert reply.lines[0] == "m.txt: orders for F1901M of France (1)"
    with pytest.raises(DipsatError):
        enter_mail(game, "France:\nA Par H\nA Mun H", "m.txt")


def test_a_kept_order_is_not_given_to_a_unit_of_another_kind() -> None:
    game = dipsat.Game.new(None, None)
    game.submit("GERMANY", ["F Kie - Hol", "A Ber - Kie"])
    game.submit("GERMANY", ["F Kie - Den", "Kie - Den"], phase="F1901M")
    game.advance()
    assert game.turn.left_out == ("Germany: F Kie - Den is left out of F1901M: A KIE stands there",)
    assert game.orders == {"GERMANY": ("Kie - Den",)}


def test_a_second_order_for_a_unit_in_the_same_mail_is_refused() -> None:
    said = r"m\.txt:3:1: 'A Par - Pic' is a second order for a unit: m\.txt:2:1 has one"
    game = dipsat.Game(FALL, "datc")
    with pytest.raises(FileError, match=said):
        enter_mail(game, "France:\nA Par H\nA Par - Pic", "m.txt")
    assert enter_mail(game, "France:\nA Par H\nA Par H", "m.txt").game.orders["FRANCE"]
    later = "France:\nA Par H\nRetreats:\nA Par R Pic\nA Par R Gas"
    with pytest.raises(FileError, match=r"second order .* or name several places in one"):
        enter_mail(game, later, "m.txt")


# --- lines around orders --------------------------------------------------------------------------


def test_a_greeting_may_stand_before_the_orders_in_their_line() -> None:
    mail = mail_of("From: bob@example.org\n\nHi GM, my orders are: A Par - Bur, A Mar H")
    assert orders_of(mail) == {"S1901M": ["A Par - Bur", "A Mar H"]}
    for line in ("Option B: A Par - Bur", "If he attacks, my orders are: A Par - Bur"):
        with pytest.raises(DipsatError):
            mail_of(f"From: bob@example.org\n\n{line}")


def test_a_sentence_may_name_the_power_that_has_sent_it() -> None:
    text = "From: bob@example.org\n\nBonjour, voilà my orders for {}, Spring 1901:\nA Par - Bur"
    assert orders_of(mail_of(text.format("France"))) == {"S1901M": ["A Par - Bur"]}
    with pytest.raises(DipsatError):
        mail_of(text.format("England"))


def test_a_signature_is_skipped_if_no_orders_stand_below_it() -> None:
    text = 'France:\nA Par - Bur\n{}\nBob: the best\n"A War is never won" - Clausewitz\n'
    for rule in ("--", "-- "):
        mail = mail_of(text.format(rule) + "On Monday GM wrote:\n> A Mar H")
        assert orders_of(mail) == {"S1901M": ["A Par - Bur"]}
        assert "m.txt:5: skipped '\"A War is never won\" - Clausewitz'" in mail.doubtful
        with pytest.raises(DipsatError):
            mail_of(text.format(rule) + "A Mar H")
        mail = mail_of(f"France:\nA Par - Bur\n{rule}\nMar - Spa, Bre H")
        assert orders_of(mail) == {"S1901M": ["A Par - Bur", "Mar - Spa", "Bre H"]}
    with pytest.raises(DipsatError, match="Frence"):
        mail_of("France:\nA Par - Bur\n--\nFrence\nA Mar H")


def test_a_sentence_may_lead_over_to_another_season() -> None:
    text = "SPRING 1901\nFrance:\nA Par H\n\nFor the fall I already know:\n{}A Par - Bur"
    for below in ("", "FALL 1901\n"):
        found = orders_of(mail_of(text.format(below)))
        assert found == {"S1901M": ["A Par H"], "F1901M": ["A Par - Bur"]}


def test_a_subject_may_list_the_seasons_of_the_headings() -> None:
    text = "Subject: France S01 + F01\n\n{}\nA Par H\n\n{}\nA Par - Bur"
    found = orders_of(mail_of(text.format("SPRING 1901", "FALL 1901")))
    assert found == {"S1901M": ["A Par H"], "F1901M": ["A Par - Bur"]}
    with pytest.raises(FileError, match=r"m\.txt:1: names F1901M, but it names S1901M, too"):
        mail_of(text.format("", ""))


# --- builds and disbands --------------------------------------------------------------------------

ENGLAND = {"ENGLAND": ["A YOR", "F NTH"]}
AUTUMN = dipsat.Position.from_units(ENGLAND, phase="F1901M")
BUILDING = dipsat.Position.from_units(
    ENGLAND, phase="W1901A", centers={"ENGLAND": ["LON", "EDI", "LVP"]}
)


@pytest.mark.parametrize(
    "list_of_units",
    [
        "Builds:\n+F Edi\n-A Yor", "Builds: -A Yor", "Removals:\n+F Edi", "Winter builds:\n-F Edi",
        "Builds:\n-F Edi\n-A Lvp", "Build F Edi, -A Yor",
    ],
)  # fmt: skip
def test_a_sign_that_contradicts_the_list_that_it_stands_in_is_refused(list_of_units: str) -> None:
    for text, position in ((f"England:\nF Nth H\n{list_of_units}", AUTUMN),
                           (f"England:\n{list_of_units}", BUILDING)):  # fmt: skip
        with pytest.raises(DipsatError, match=r"listed under .*; write 'Build .* or 'Remove"):
            mail_of(text, position)
    with pytest.raises(FileError, match="'-' disbands the unit, but it is listed under builds"):
        mail_of("Winter 1901 builds\nEngland:\n-F Lon", AUTUMN)


def test_a_sign_says_what_to_do_where_the_heading_does_not_and_list_marks_are_not_signs() -> None:
    mail = mail_of("England:\nF Nth H\nWinter 1901:\n-A Yor", AUTUMN)
    assert orders_of(mail)["W1901A"] == ["-A Yor"]
    mail = mail_of("England:\n- F Nth H\nBuilds:\n- F Edi\n- A Lvp", AUTUMN)
    assert orders_of(mail)["W1901A"] == ["Build F EDI", "Build A LVP"]
    mail = mail_of("England:\nF Nth H\nBuilds:\n+F Edi", AUTUMN)
    assert orders_of(mail)["W1901A"] == ["Build F EDI"]


def test_no_power_both_builds_and_disbands_in_a_winter() -> None:
    for line in ("Build F Lon\nRemove A Yor", "Winter:\n+F Lon\n-A Yor"):
        mail = mail_of(f"England:\nF Nth H\n{line}", AUTUMN)
        (said,) = mail.doubtful
        assert said.endswith("but no power both builds and disbands")


@pytest.mark.parametrize("said", ["no builds", "Builds: none", "Builds:\nnone", "Build nothing"])
def test_a_power_that_builds_nothing_waives_all_in_the_winter_and_before(said: str) -> None:
    waived = {"W1901A": ["Waive all"]}
    assert orders_of(mail_of(f"England:\n{said}", BUILDING)) == waived
    assert orders_of(mail_of("England: none", BUILDING)) == waived
    mail = mail_of(f"England:\nF Nth H\n{said}", AUTUMN)
    assert orders_of(mail) == {"F1901M": ["F Nth H"], **waived}
    assert mail.silent == {}


def test_nmr_in_a_winter_is_not_an_order() -> None:
    for text in ("England: NMR", "England: none received"):
        mail = mail_of(text, BUILDING)
        assert [orders_of(mail), *mail.silent.values()] == [{}, ("ENGLAND",)]


def test_disbands_may_be_of_retreats_or_of_builds() -> None:
    assert orders_of(mail_of("England:\nDisbands:\nA Yor", BUILDING)) == {
        "W1901A": ["Remove A YOR"]
    }
    with pytest.raises(FileError, match=r"m\.txt:3: 'Disbands:' may be .* 'Retreats:' or 'Rem"):
        mail_of("England:\nF Nth H\nDisbands:\nA Yor", AUTUMN)


# --- signatures -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "end",
    [
        "https://example.org/games/12", "<https://example.org>", "www.example.org",
        "-- \nAnna\nParis, France", "--\nhttps://example.org",
    ],
)  # fmt: skip
def test_links_and_text_below_two_dashes_are_skipped(end: str) -> None:
    assert orders_of(mail_of(f"France:\nA Par - Bur\n{end}")) == {"S1901M": ["A Par - Bur"]}


def test_orders_below_two_dashes_and_links_still_count() -> None:
    mail = mail_of("France:\nA Par - Bur\nhttps://example.org\n-- \nGermany:\nA Mun H")
    assert orders_of(mail) == {"S1901M": ["A Par - Bur", "A Mun H"]}


def test_an_afterword_that_may_be_an_order_is_refused() -> None:
    for line in ("PS: I think A Lvp - Wal would have been better", "PS: A Mar - Spa"):
        with pytest.raises(FileError, match=r"m\.txt:3: the text after 'PS:' may be an order"):
            mail_of(f"France:\nA Par - Bur\n{line}")
