"""What mails quote never counts beside the sender's own orders, however programs write it."""

from __future__ import annotations

from base64 import b64encode

import pytest

import dipsat
from dipsat.errors import FileError
from dipsat.formats.mail import Mail, read_mail

START = dipsat.Game.new(None, None).position
RULES = dipsat.load_profile("datc")
SENDERS = {"bob@example.org": ["FRANCE"], "eve@example.org": ["GERMANY"]}
HEAD = "From: Bob <bob@example.org>\nSubject: Spring 1901\n\n"
BLOCK = "From: {}\nSent: Tuesday, March 3, 2026 8:00 PM\nTo: Bob\nSubject: Spring\n\n"
OWN = "A Par - Bur\n\n"


def mail_of(text: str) -> Mail:
    return read_mail(text, "m.txt", START, RULES, SENDERS)


def orders_of(mail: Mail) -> list[str]:
    return [f"{one.power}: {one.text}" for entries in mail.orders.values() for one in entries]


QUOTED = {
    "Outlook": "_" * 32 + "\n" + BLOCK.format("GM <gm@example.org>") + "A Par H\nF Bre H",
    "Outlook without a line": BLOCK.format("GM") + "France: A Par H\nGermany: A Mun H",
    "Outlook, in bold": "*From:* GM\n*Sent:* Tuesday\n*To:* Bob\n\nA Mar H",
    "Outlook in German": (
        "-----Ursprüngliche Nachricht-----\nVon: GM\nGesendet: Dienstag\nAn: Bob\n"
        "Betreff: France\nA Mar H"
    ),
    "Outlook in French": "De : GM\nEnvoyé : mardi\nÀ : Bob\nObjet : France\n\nA Mar H",
    "French": "Le 3 mars 2026, GM a écrit :\n> A Mar - Spa\n> F Bre - Eng",
    "Spanish": "El mar, 3 mar 2026 a las 20:00, GM escribió:\n\n> A Mar H",
    "Italian": "Il giorno mar 3 mar 2026 alle ore 20:00 GM ha scritto:\n> A Mar H",
    "Dutch": "Op di 3 mrt. 2026 om 20:00 schreef GM <gm@example.org>:\n\n> A Mar H",
    "German": "Am 3. März 2026 um 20:00 schrieb GM <gm@example.org>:\n\n> A Mar H",
    "a language that nobody expects": "GM 2026-03-03 20:00 írta:\n> A Mar H",
    "strokes": "| A Mar H\n| F Bre H",
    "only marks": "> A Mar H\n> Fall 1901",
    "Apple Mail": "Begin forwarded message:\n\nFrom: GM\nDate: today\n\nA Mar H",
    "no marks": "On Tuesday GM wrote:\n\nFrance: A Mar H",
}


@pytest.mark.parametrize("quoted", QUOTED.values(), ids=QUOTED)
def test_quoted_text_does_not_count_beside_the_senders_own_orders(quoted: str) -> None:
    mail = mail_of(HEAD + OWN + quoted)
    assert orders_of(mail) == ["FRANCE: A Par - Bur"]
    assert any("of an older mail" in one for one in mail.doubtful)


def test_a_page_quotes_as_its_program_does() -> None:
    head = "From: Bob <bob@example.org>\nContent-Type: text/html\n\n<html><body><p>A Par - Bur</p>"
    for quoted in (
        "<hr><div><b>From:</b> GM<br><b>Sent:</b> Tuesday<br><b>To:</b> Bob</div><p>A Mar H</p>",
        '<blockquote type="cite"><p>Le 3 mars 2026, GM a &eacute;crit:</p>A Mar H</blockquote>',
    ):
        assert orders_of(mail_of(f"{head}{quoted}</body></html>")) == ["FRANCE: A Par - Bur"]


@pytest.mark.parametrize("quoted", ["> A Par - Bur", "-----Original Message-----\nA Par - Bur"])
def test_a_mail_that_only_quotes_orders_gives_them_and_says_so(quoted: str) -> None:
    mail = mail_of(f"{HEAD}Use the same again.\n\n{quoted}\n")
    assert orders_of(mail) == ["FRANCE: A Par - Bur"]
    assert any("the orders are in a quoted mail" in one for one in mail.doubtful)


def test_the_mail_of_another_player_in_a_mail_is_refused() -> None:
    other = BLOCK.format("Eve <eve@example.org>") + "A Mun H"
    with pytest.raises(FileError, match=r"m\.txt:6: a mail from GERMANY is inside one from FRANCE"):
        mail_of(HEAD + OWN + other)


def test_mails_of_a_file_of_mails_have_their_own_senders() -> None:
    parts = ("bob@example.org", "A Par - Bur"), ("eve@example.org", "A Mun - Ruh")
    text = "".join(
        f"From {one} Tue Mar  3 20:00:00 2026\nFrom: {one}\nDate: Tue\nTo: GM\n\n{order}\n\n"
        for one, order in parts
    )
    assert orders_of(mail_of(text)) == ["FRANCE: A Par - Bur", "GERMANY: A Mun - Ruh"]


def test_a_head_may_have_lines_that_nobody_knows() -> None:
    head = f"Return-Path: <x@example.org>\nDKIM-Signature: v=1;\n b=To\nDate: today\n{HEAD}"
    assert orders_of(mail_of(head + OWN)) == ["FRANCE: A Par - Bur"]


def test_a_sentence_may_speak_of_the_original_message() -> None:
    text = f"{HEAD}{OWN}The rest of my original message stays.\n\nA Mar H"
    assert orders_of(mail_of(text)) == ["FRANCE: A Par - Bur", "FRANCE: A Mar H"]


def test_the_time_in_a_quotation_is_not_a_season() -> None:
    text = f"{HEAD}{OWN}Am Di., 3. März 2026 um 20:00 Uhr schrieb GM:\n"
    assert orders_of(mail_of(text)) == ["FRANCE: A Par - Bur"]


@pytest.mark.parametrize(
    "head",
    [
        "MIME-Version: 1.0\n", "Message-ID: <12@example.org>\n",
        "MIME-Version: 1.0\nContent-Transfer-Encoding: base64\n",
    ],
)  # fmt: skip
def test_a_short_head_in_a_mail_as_it_was_sent_begins_a_quotation(head: str) -> None:
    """Without the lines of mail programs, a game master may have put two mails together."""
    inner = "A Par - Bur\n\nFrom: {} <{}@example.org>\nSubject: orders\n\nA Mun - Ruh\n"
    for name, is_player in (("Eve", True), ("Jean-Luc", False)):
        said = text = inner.format(name, name.lower())
        if "base64" in head:
            text = b64encode(said.encode()).decode()
        mail = f"From: Bob <bob@example.org>\n{head}Subject: orders\n\n{text}"
        if is_player:
            with pytest.raises(FileError, match="a mail from GERMANY is inside one from FRANCE"):
                mail_of(mail)
        else:
            assert orders_of(mail_of(mail)) == ["FRANCE: A Par - Bur"]
    below = HEAD + inner.format("Eve", "eve")
    assert orders_of(mail_of(below)) == ["FRANCE: A Par - Bur", "GERMANY: A Mun - Ruh"]
