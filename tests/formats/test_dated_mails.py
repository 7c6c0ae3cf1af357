"""The season in a mail to a game: headings, the subject and sentences about orders date them."""

from __future__ import annotations

import pytest

import dipsat
from dipsat.errors import FileError
from dipsat.formats.mail import read_mail

START = dipsat.Position.start()
RULES = dipsat.load_profile("datc")
SENDERS = {"anna@example.org": ["ENGLAND"]}
ORDERS = "F Lon - Nth\nF Edi - Nrg\n"
HEADS = {
    "known sender": "From: Anna <anna@example.org>\nSubject: {}\n\n",
    "unknown sender": "To: GM\nSubject: {}\n\nEngland:\n",
}


def counts(text: str) -> dict[str, int]:
    """Phase -> the number of its orders."""
    mail = read_mail(text, "m.txt", START, RULES, SENDERS)
    return {str(phase): len(entries) for phase, entries in mail.orders.items()}


def error_of(text: str) -> str:
    with pytest.raises(FileError) as caught:
        counts(text)
    return str(caught.value)


@pytest.fixture(params=[*HEADS.values()], ids=[*HEADS])
def head(request: pytest.FixtureRequest) -> str:
    return str(request.param)


PROSE = (
    "I will send my fall 1901 orders tomorrow.", "What is the deadline for fall 1901?",
    "Sorry, I was on holiday in spring 2026.", "See you at the convention in fall 2027!",
    "I have been playing since fall '26.", "Diplomacy World Cup S24 game 3",
    "Hope you had a nice summer 2026.", "In fall 1901 I will be away", "Good luck in 1901!",
    "I cannot answer before winter 1901.", "Sorry about my fall 1900 NMR.",
    "Here are my orders, see you in fall 1901!", "My fall 1901 orders depend on you.",
    "I was on holiday in spring 2026. My orders:",
    "Thanks, will not be able to answer before winter 1901.",
)  # fmt: skip


@pytest.mark.parametrize("line", PROSE)
def test_a_sentence_dates_no_orders(line: str, head: str) -> None:
    for text in (f"{line}\n{ORDERS}", f"{ORDERS}{line}\n", f"{ORDERS}Cheers,\n{line}\n"):
        assert counts(head.format("orders") + text) == {"S1901M": 2}
        assert counts(head.format("Spring 1901") + text) == {"S1901M": 2}


@pytest.mark.parametrize(
    "line",
    ["Here are my orders for Fall 1901:", "Dear GM, my Fall 1901 moves:", "Fall 1901",
     "Dear all, this is Fall 1901", "Hi GM, my orders for Fall 1901 are below."],
)  # fmt: skip
def test_a_sentence_that_says_where_the_orders_are_dates_them(line: str, head: str) -> None:
    assert counts(f"{head.format('orders')}{line}\n{ORDERS}") == {"F1901M": 2}


@pytest.mark.parametrize(
    "line", ["I hope that my orders for fall 1901 are fine.", "Is this for fall 1901?", "Bob F1901"]
)
def test_a_sentence_about_orders_of_another_season_is_refused(line: str, head: str) -> None:
    said = "names F1901M, but the phase is S1901M"
    for text in (f"{line}\n{ORDERS}", f"{ORDERS}{line}\n"):
        assert said in error_of(head.format("orders") + text)


def test_what_an_older_mail_says_of_orders_dates_none(head: str) -> None:
    quoted = "\nOn Monday, the GM wrote:\n> Your orders for fall 1900 are late.\n"
    assert counts(head.format("Re: orders") + ORDERS + quoted) == {"S1901M": 2}
    assert counts(head.format("orders") + ORDERS + "Cheers,\nAnna\n" + quoted) == {"S1901M": 2}


@pytest.mark.parametrize(
    ("subject", "named"),
    [("Re: Game 2026 S England", "S2026M"), ("F2026", "F2026M"), ("Spring 19011", "S19011M"),
     ("Diplomacy World Cup S24 game 3", "S1924M"), ("Fall 1900", "F1900M")],
)  # fmt: skip
def test_no_orders_are_for_a_season_that_is_far_away(subject: str, named: str, head: str) -> None:
    said = f"names {named}, but the phase is S1901M"
    assert said in error_of(head.format(subject) + ORDERS)


@pytest.mark.parametrize("line", ["Spring 19011", "Fall 2026", "Fall 1900", "Fall 2026:"])
def test_no_heading_is_of_a_season_that_is_far_away(line: str, head: str) -> None:
    for text in (f"{line}\n{ORDERS}", f"{ORDERS}{line}\nF Nth H\n"):
        assert "but the phase is S1901M" in error_of(head.format("orders") + text)


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Spring 1901", f"Fall 1901\n{ORDERS}"), ("orders", f"Spring 1901\nFall 1901\n{ORDERS}"),
        ("orders", f"Spring 1901/Fall 1901\n{ORDERS}"), ("Fall 1901", f"Spring 1901\n{ORDERS}"),
    ],
)  # fmt: skip
def test_two_seasons_above_the_same_orders_are_refused(subject: str, text: str, head: str) -> None:
    assert "names S1901M, too; keep one of them" in error_of(head.format(subject) + text) or (
        "names F1901M, too; keep one of them" in error_of(head.format(subject) + text)
    )


@pytest.mark.parametrize("subject", ["orders", "Spring 1901"])
def test_a_subject_among_orders_dates_no_others(subject: str, head: str) -> None:
    text = f"{head.format(subject)}F Lon - Nth\nSubject: Fall 1901\nF Edi - Nrg\n"
    assert "names F1901M, but the phase is S1901M" in error_of(text)


@pytest.mark.parametrize("subject", ["orders", "Spring 1901"])
def test_orders_of_two_phases_are_read_below_their_headings(subject: str, head: str) -> None:
    text = f"Spring 1901\n{ORDERS}\nFall 1901\nF Nth - Nwy\n"
    assert counts(head.format(subject) + text) == {"S1901M": 2, "F1901M": 1}


@pytest.mark.parametrize(
    "line", ["my fall orders", "Fall:", "These are my orders for the fall.", "Fall"]
)
def test_a_season_without_a_year_is_that_of_the_phase(line: str, head: str) -> None:
    said = "names fall, but the phase is S1901M; write the season and the year"
    assert said in error_of(f"{head.format('orders')}{line}\n{ORDERS}")
    own = line.replace("fall", "spring").replace("Fall", "Spring")
    assert counts(f"{head.format('orders')}{own}\n{ORDERS}") == {"S1901M": 2}


@pytest.mark.parametrize(
    "line",
    ["F1901D", "Su1901", "Year: 1901, Season: Fall", "Herbst 1901", "Automne 1901",
     "Primavera 1901", "F1901MOVE", "Spring 19O1"],
)  # fmt: skip
def test_a_heading_that_is_like_a_phase_is_refused(line: str, head: str) -> None:
    hint = "write its season and year, as in 'S1901M'"
    said = f"'{line}' looks like a phase, but does not name one; {hint}"
    assert said in error_of(f"{head.format('orders')}{line}\n{ORDERS}")


def test_a_misspelt_season_is_refused_with_what_is_meant(head: str) -> None:
    said = "unknown phase 'Fal 1901'; did you mean 'Fall 1901'?"
    assert said in error_of(f"{head.format('orders')}Fal 1901\n{ORDERS}")


@pytest.mark.parametrize("line", ["Game 42", "Anna 2026", "Happy Spring!", "Turn 1901"])
def test_what_names_no_phase_is_skipped(line: str, head: str) -> None:
    assert counts(f"{head.format('orders')}{line}\n{ORDERS}") == {"S1901M": 2}
