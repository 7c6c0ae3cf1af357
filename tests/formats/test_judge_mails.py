"""What judges and web sites send: results of all phases, whole games, and saved mails."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from quopri import encodestring

import pytest

import dipsat
from dipsat.errors import DipsatError, FileError
from dipsat.formats import parse_phase_text
from dipsat.formats.mail import read_mail
from dipsat.formats.transcript import read_transcript

RULES = dipsat.load_profile("datc")
START = dipsat.Position.start()

# --- judges ---------------------------------------------------------------------------------------

HEAD = """\
From: Judge <judge@example.org>
To: players of quince <quince@example.org>
Subject: Diplomacy results quince S1901M

:: Judge: EXMP  Game: quince  Variant: Standard
:: Deadline: S1901R Tue Mar 03 1998 23:30:00 -0500

"""
SPRING = """\
Movement results for Spring of 1901.  (quince.001)

Austria: Army Budapest -> Serbia.
Austria: Army Vienna -> Trieste.  (*bounce, dislodged*)
Austria: Fleet Trieste, No Order Processed.

Germany: Army Munich -> Tyrolia.
Italy: Army Rome SUPPORT German Army Munich -> Tyrolia.  (*void*)
Italy: Army Venice HOLD.
Russia: Fleet St. Petersburg (south coast) -> Gulf of Bothnia.


The following units were dislodged:

The Austrian Army in Vienna can retreat to Bohemia or Galicia or
Tyrolia.
The Italian Fleet in Naples can retreat to Apulia or Ionian Sea or St.
Petersburg (north coast).
The Turkish Fleet in the Black Sea with no valid retreats was
destroyed.

The next phase of 'quince' will be Retreats for Spring of 1901.
The deadline for orders will be Tue Mar 10 1998 23:30:00 -0500.
"""
OWNERS = """
Ownership of supply centers:

Austria:   Budapest, Serbia, Trieste, Vienna.
England:   Edinburgh, Liverpool, London, Norway, St.
           Petersburg.
Unowned:   Belgium, Bulgaria.

Austria:   4 Supply centers,  3 Units:  Builds   1 unit.
England:   5 Supply centers,  6 Units:  Removes  1 unit.  (* CD *)
"""
BOARD = """\
Status of the Movement phase for Spring of 1901.  (quince.001)

Austria:  Army  Budapest.
Austria:  Fleet Trieste.
Russia:   Fleet St. Petersburg (south coast).

"""
PRESS = """\
Broadcast message from Turkey in 'quince':

(Ankara) A Con - Bul would be unwise, says a friend.
Italy: you know who.

End of message.

Message from France to England in 'quince':

> F Bre - Eng, as agreed?

"""


def test_the_results_of_moves_are_read_as_orders() -> None:
    text = HEAD + PRESS + BOARD + SPRING + OWNERS
    phase = parse_phase_text(text, "results.txt")
    assert str(phase.position.phase) == "S1901M"
    assert phase.orders == {
        "AUSTRIA": ("Army Budapest -> Serbia.", "Army Vienna -> Trieste"),
        "GERMANY": ("Army Munich -> Tyrolia.",),
        "ITALY": ("Army Rome SUPPORT German Army Munich -> Tyrolia", "Army Venice HOLD."),
        "RUSSIA": ("Fleet St. Petersburg (south coast) -> Gulf of Bothnia.",),
    }
    assert "AUSTRIA F TRI" in [f"{one.power} {one}" for one in phase.position.units]
    lines = text.splitlines()
    below = lines.index("The following units were dislodged:") + 1
    said = [one.partition(" skipped")[0] for one in phase.skipped]
    assert said == [
        f"results.txt:1-{lines.index('Russia:   Fleet St. Petersburg (south coast).') + 1}:",
        f"results.txt:{below}-{len(lines)}:",
    ]


RETREATING = dipsat.Position.from_units(
    {"FRANCE": ["A BUR"]}, phase="S1901R",
    dislodged={"AUSTRIA": ["A SER"], "TURKEY": ["F BLA"], "GERMANY": ["A MUN"]},
)  # fmt: skip
RETREATS = """\
Retreat orders for Spring of 1901.  (quince.002)

Austria:   Army  Serbia -> Albania.
Germany:   Army  Munich -> Ruhr.  (*bounce, destroyed*)
Turkey:    Fleet Black Sea, No Order Processed (DISBAND).
"""
WINTER = dipsat.Position.from_units(
    {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "F NTH"]}, phase="W1901A",
    centers={"FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR"], "GERMANY": ["MUN"]},
)  # fmt: skip
ADJUSTMENTS = """\
Adjustment results for Winter of 1901.  (quince.003)

Austria:   No adjustments.
England:   1 unusable build pending.
France:    Builds an army in Paris.
France:    Builds a fleet in Brest.
France:    2 builds waived.
Germany:   Removes the fleet in the North Sea.
Italy:     Build waived.
Russia:    Builds a fleet in St. Petersburg (south coast).
Turkey:    2 unusable builds waived.

The next phase of 'quince' will be Movement for Spring of 1902.
"""


@pytest.mark.parametrize(
    ("text", "position", "orders"),
    [
        (RETREATS, RETREATING, {
            "AUSTRIA": ("A SER - ALB",), "GERMANY": ("A MUN - RUH",), "TURKEY": ("F BLA D",),
        }),
        (ADJUSTMENTS, WINTER, {
            "FRANCE": ("A PAR B", "F BRE B", "WAIVE 2"), "GERMANY": ("F NTH D",),
            "ITALY": ("WAIVE",), "RUSSIA": ("F STP/SC B",),
        }),
        (ADJUSTMENTS.replace("results", "orders"), WINTER, {
            "FRANCE": ("A PAR B", "F BRE B", "WAIVE 2"), "GERMANY": ("F NTH D",),
            "ITALY": ("WAIVE",), "RUSSIA": ("F STP/SC B",),
        }),
    ],
)  # fmt: skip
def test_the_results_of_other_phases_are_read_as_orders(
    text: str, position: dipsat.Position, orders: dict[str, tuple[str, ...]]
) -> None:
    found = dipsat.parse_phase(text, "results.txt", position=position).orders
    assert orders == {
        power: tuple(
            dipsat.write_order(position.reader.read(str(one)), position.map) for one in own
        )
        for power, own in found.items()
    }


def test_powers_that_have_sent_nothing_for_a_winter_are_listed() -> None:
    mail = read_mail(ADJUSTMENTS, "results.txt", WINTER, RULES)
    assert list(mail.silent.values()) == [("AUSTRIA",)]


@pytest.mark.parametrize(
    "line",
    [
        "A Ser - Alb", "Serbia: Albania", "Austria: A Bud H, A Vie H", "The Army in Serbia moves",
        "Deadline: A Ser - Alb", "Austria", "Vienna - Galicia",
    ],
)  # fmt: skip
def test_a_line_that_may_be_an_order_is_not_part_of_a_report(line: str) -> None:
    """A report continues only with lines that have its form."""
    for above in ("The following units were dislodged:", "Ownership of supply centers:", ""):
        text = f"Austria:\nA Vie H\n{above}\n{line}\nA Bud H\n"
        try:
            phase = parse_phase_text(text, "a.txt")
        except DipsatError:
            continue
        assert not any("a.txt:4" in one or "-4" in one for one in phase.skipped)


GAME = (HEAD + BOARD + SPRING).partition("The following")[0]
RESULTS_OF_A_YEAR = f"""{GAME}
{HEAD}Movement results for Fall of 1901.  (quince.002)

Austria: Army Serbia -> Greece.
Austria: Army Vienna -> Budapest.
Germany: Army Tyrolia -> Vienna.
{OWNERS}
The next phase of 'quince' will be Adjustments for Winter of 1901.

{HEAD}Adjustment orders for Winter of 1901.  (quince.003)

Austria:   Build waived.
Germany:   Builds an army in Munich.
Italy:     No adjustment.

The next phase of 'quince' will be Movement for Spring of 1902.
{PRESS}"""


def test_the_mails_of_a_game_are_a_game(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(RESULTS_OF_A_YEAR, encoding="utf-8")
    (game,) = dipsat.load_games(path)
    phases = [str(one.position.phase) for one in game.history]
    assert [*phases, str(game.phase)] == ["S1901M", "F1901M", "W1901A"]
    assert game.orders["GERMANY"] == ("Builds an army in Munich.",)
    units = game.position.to_dict()["units"]
    assert (units["AUSTRIA"], units["GERMANY"][-1]) == (["A BUD", "A GRE", "F TRI"], "A VIE")


def test_only_omitted_text_that_may_be_about_orders_is_reported() -> None:
    """Reports and press say nothing of orders; a sentence in between may."""
    assert read_transcript(RESULTS_OF_A_YEAR, "game.txt").skipped == ()
    sentence = "The judge lost a mail and some orders are from the telephone."
    text = RESULTS_OF_A_YEAR.replace("Ownership", f"{sentence}\n\nOwnership", 1)
    (said,) = read_transcript(text, "game.txt").skipped
    assert said.endswith(f": skipped {sentence!r}")


def test_pages_may_have_the_last_phase_first_and_kinds_below_each_power() -> None:
    text = (
        "Order history\n\nAutumn, 1901 Large map:\nFrance:\n• Diplomacy\n"
        "The army at Burgundy hold.\n"
        "• Unit-placement\nBuild army at Paris.\nDo not use build order.\n"
        "Germany:\n• Diplomacy\nThe army at Munich move to Burgundy. (fail)\n"
        "• Unit-placement\nDestroy the unit at Munich.\n\n"
        "Spring, 1901:\nFrance:\n• Diplomacy\nThe army at Paris move to Burgundy.\n"
        "• Retreats\nThe army at Paris retreat to Gascony.\n"
    )
    found = read_transcript(text, "page.txt").phases
    assert {str(phase): dict(orders) for phase, orders in found} == {
        "S1901M": {"FRANCE": ("The army at Paris move to Burgundy.",)},
        "S1901R": {"FRANCE": ("The army at Paris retreat to Gascony.",)},
        "F1901M": {
            "FRANCE": ("The army at Burgundy hold.",),
            "GERMANY": ("The army at Munich move to Burgundy. (fail)",),
        },
        "W1901A": {
            "FRANCE": ("Build army at Paris.", "Waive."), "GERMANY": ("Remove Munich.",),
        },
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A Par H\nSpring 1901\nFrance: A Par H", "g.txt:1: text above the first phase"),
        ("Spring 1901\nFrance: A Par H\nFall 1901\nSpring 1901\nFrance: A Par - Bur",
         "g.txt:4: S1901M has a heading already, in line 1; put its orders together"),
        ("Spring 1901\nFrance:\nA Pra H", "g.txt:3:1: unknown province 'Pra'"),
        ("Spring 1901\nFrance: A Par H\nFrance\nRetreats: A Par - Pra", "g.txt:4:11: "),
    ],
)  # fmt: skip
def test_a_game_is_refused_where_it_is_wrong(text: str, said: str) -> None:
    with pytest.raises(FileError) as caught:
        read_transcript(text, "g.txt")
    assert said in str(caught.value)


# --- web sites ------------------------------------------------------------------------------------

PAGES = {
    "results behind the orders": (
        "Lantern Street Diplomacy\nSpring 1901 · adjudicated 4 hours ago\n\nFRANCE (3)\n"
        "A PAR → BUR  bounced\nA MAR supports A PAR → BUR  cut\nF BRE holds\n\n"
        "GERMANY (3)\nA Mun - Bur: Bounced\nRETREATS\nFRANCE\nA PAR → GAS\n"
    ),
    "code in a chat": (
        "Eve — Today at 18:58\n@everyone Spring 1901 orders are in :lock:\n\n**France** (eve)\n"
        "```\nA Par - Bur\nA Mar S A Par - Bur\n```\n`F Bre H`\n**Germany** (bob)\n"
        "`A Mun - Bur` `A Ber H`\n\nbob — Today at 19:03\nnoooo\n"
    ),
}


@pytest.mark.parametrize("text", PAGES.values(), ids=PAGES)
def test_a_pasted_page_is_read(text: str) -> None:
    phase = parse_phase_text(text, "page.txt")
    assert str(phase.position.phase) == "S1901M"
    outcome = dipsat.adjudicate(phase.position, phase.orders)
    assert [one.order for one in outcome.orders if one.power == "FRANCE"] == [
        "A MAR S A PAR - BUR", "A PAR - BUR", "F BRE H",
    ]  # fmt: skip


# --- saved mails ----------------------------------------------------------------------------------

BODY = "Hi,\r\n\r\nA Par - Bur\r\nA\u00a0Mar S A\u00a0Par - Bur\r\n\r\nEve \u2013 see you\r\n"
PAGE = (
    "<!DOCTYPE html><html><head><title>A Par H</title><style>p {color: red}</style></head><body>"
    "<p>Hi,</p><!-- A Mar H --><div>A Par&nbsp;-&gt; Bur<br>A Mar S A Par - Bur</div>"
    "<p>On Monday the GM wrote:</p><blockquote><p>A Mar - Spa</p></blockquote></body></html>"
)
TOP = (
    "From: =?utf-8?q?=C3=88ve?= <eve@example.org>\n"
    "Received: from a.example.org\n\tby b; Mon, 3 Jan\n"
    "Subject: =?utf-8?b?{}?=\nMIME-Version: 1.0\n"
).format(b64encode(b"French orders for Spring 1901").decode())


def part(kind: str, text: str, encoding: str) -> str:
    data = text.encode()
    body = encodestring(data) if encoding == "quoted-printable" else b64encode(data)
    if encoding == "8bit":
        body = data
    head = f"Content-Type: text/{kind}; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n"
    return head + body.decode()


def several(*parts: str, kind: str = "mixed") -> str:
    begun = "".join(f"--sep\n{one}\n" for one in parts)
    return f"Content-Type: multipart/{kind}; boundary=sep\n\nIn parts.\n{begun}--sep--\n"


PICTURE = (
    "Content-Type: image/gif\nContent-Disposition: attachment; filename=map.gif\n"
    "Content-Transfer-Encoding: base64\n\nR0lGODlh"
)
SAVED = {
    "quoted-printable": TOP + part("plain", BODY, "quoted-printable"),
    "base64": TOP + part("plain", BODY, "base64"),
    "as it is": TOP.replace("=?utf-8?q?=C3=88ve?=", "Eve") + part("plain", BODY, "8bit"),
    "a page": TOP + part("html", PAGE, "base64"),
    "text and page": TOP
    + several(part("plain", "In HTML.", "8bit"), part("html", PAGE, "base64"), kind="alternative"),
    "a page without words": TOP
    + several(part("plain", BODY, "8bit"), part("html", "<br>", "8bit"), kind="alternative"),
    "in two parts": TOP
    + several(part("plain", "A Par - Bur\n", "8bit"), PICTURE, part("plain", BODY[19:], "8bit")),
    "an attachment without a name first": TOP
    + several("Content-Disposition: attachment\n\nA Mar H\n", part("plain", BODY, "8bit")),
    "a mail within": TOP
    + several(part("plain", BODY, "8bit"), "Content-Type: message/rfc822\n\nA: b\n\nA Mar H\n"),
    "from a mailbox": f"From eve@example.org Mon Jan 3\n{TOP}{part('plain', BODY, 'base64')}",
    "with a long head": TOP + f"X-A: {'a' * 20_000}\n" + part("plain", BODY, "base64"),
    "with a folded field": TOP + part("plain", BODY, "base64").replace(": text", ":\n text"),
    "a picture, too": TOP + several(part("plain", BODY, "base64"), PICTURE),
}


@pytest.mark.parametrize("text", SAVED.values(), ids=SAVED)
def test_a_saved_mail_is_read(text: str) -> None:
    mail = read_mail(text, "m.eml", START, RULES, {"eve@example.org": ["FRANCE"]})
    (entries,) = mail.orders.values()
    found = [dipsat.write_order(START.reader.read(one.text), START.map) for one in entries]
    assert found == ["A PAR - BUR", "A MAR S A PAR - BUR"]
    assert {one.power for one in entries} == {"FRANCE"}
    assert parse_phase_text(text, "m.eml").orders["FRANCE"]
    assert mail.remarks[0] == "m.eml: the text of an e-mail is read; lines are counted in that text"
    assert ("m.eml: an attachment is not read: 'map.gif'" in mail.remarks) == ("gif" in text)


def test_a_page_is_read_without_its_tags() -> None:
    mail = read_mail(f"{PAGE.replace('<body>', '<body><h4>France:</h4>')}", "p.html", START, RULES)
    (entries,) = mail.orders.values()
    assert [(one.power, one.place) for one in entries] == [
        ("FRANCE", "p.html:3:1"), ("FRANCE", "p.html:4:1"),
    ]  # fmt: skip
    assert "p.html: the text of a page is read; lines are counted in that text" in mail.remarks


STRUCK = {
    "a line": "<p><s>A Par H</s></p>",
    "lines": "<del><p>A Par H</p><p>F Bre H</p></del>",
    "twice": "<p><s>A <del>Par</del> H</s></p>",
    "in a style": "<p>A Mar <span style='Text-Decoration: Line-Through'>- Spa</span> H</p>",
    "what is not shown": "<div style='display: none'>A Par H<br>F Bre H</div>",
}


@pytest.mark.parametrize("struck", STRUCK.values(), ids=STRUCK)
def test_what_a_page_strikes_out_is_left_out_with_a_remark(struck: str) -> None:
    own = "" if "Mar" in struck else "<p>A Mar H</p>"
    mail = read_mail(f"<p>France:</p>{struck}{own}", "p", START, RULES)
    found = [" ".join(one.text.split()) for entries in mail.orders.values() for one in entries]
    assert found == ["A Mar H"]
    said = [one for one in mail.remarks if "struck out" in one]
    assert bool(said) == ("none" not in struck)


def test_lines_between_lines_of_marks_are_struck_out() -> None:
    text = "France:\n~~\nA Par - Bur\nF Bre H\n~~\nA Mar H\n~~~~~\nA Par H"
    mail = read_mail(text, "m.txt", START, RULES)
    assert [one.text for entries in mail.orders.values() for one in entries] == [
        "A Mar H",
        "A Par H",
    ]
    assert "m.txt:3: skipped what is struck out: 'A Par - Bur\\nF Bre H'" in mail.remarks


LINES = {
    "as typed": "<pre>A Par H\nA Mar H</pre>",
    "not as typed": "<p>A Par\nH</p><p>A\nMar H</p>",
    "elements": "<section>A Par H</section><address>A Mar H</address>",
    "cells": "<table><tr><td>A</td><td>Par</td><td>H</td></tr><tr><td>A Mar</td><td>H</td></tr>",
}


@pytest.mark.parametrize("lines", LINES.values(), ids=LINES)
def test_lines_of_a_page_are_those_that_people_see(lines: str) -> None:
    mail = read_mail(f"<h1>France</h1>{lines}", "p", START, RULES)
    (entries,) = mail.orders.values()
    assert [one.text for one in entries] == ["A Par H", "A Mar H"]


@pytest.mark.parametrize("charset", ["idna", "undefined", "punycode", "rot13", "a\0b", "utf-99"])
def test_a_mail_whose_charset_is_not_for_texts_is_read_as_utf_8(charset: str) -> None:
    top = f'Subject: =?{charset}\xff?q?a?=\nContent-Type: text/html; charset="{charset}"\n\n'
    mail = read_mail(f"{top}<p>France:</p><p>A Mar H</p>", "m.eml", START, RULES)
    assert [one.text for entries in mail.orders.values() for one in entries] == ["A Mar H"]


def test_no_page_grows_when_it_is_read() -> None:
    deep = "<html>" + "<blockquote>x" * 8_000
    with pytest.raises(DipsatError, match="characters in an order sheet"):
        read_mail(deep, "p.html", START, RULES)
    with pytest.raises(DipsatError, match="cannot read the order"):
        read_mail(f"<html>&#{'9' * 5_000};", "p.html", START, RULES)


def test_lines_of_a_mail_program_are_joined_and_keep_their_numbers() -> None:
    text = "\ufeffFrance:\r\nA Par - Bur=20\r\nF Bre - Mid-Atlantic =\r\nOcean\r\nA=C2=A0Mar H\r\n"
    mail = read_mail(text, "m.txt", START, RULES)
    assert [(one.text, one.place) for entries in mail.orders.values() for one in entries] == [
        ("A Par - Bur", "m.txt:2:1"), ("F Bre - Mid-Atlantic Ocean", "m.txt:3:1"),
        ("A Mar H", "m.txt:5:1"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        TOP + several(PICTURE),
        "Content-Type: multipart/mixed; boundary=a\n\n" + "--a\n\n" * 1_000,
        "Content-Type: multipart/mixed; boundary=a;" + "b=c;" * 1_000 + "\n\n--a\n",
    ],
    ids=["no text", "very many parts", "a very long field"],
)  # fmt: skip
def test_a_mail_without_a_text_is_refused(text: str) -> None:
    with pytest.raises(FileError, match="save what it says as text"):
        read_mail(text, "m.eml", START, RULES)


# --- what a game must not lose --------------------------------------------------------------------


WINTERS = {
    "a list of builds": ("England:\nBuilds:\nF Lon", ("Build F LON",)),
    "a list of removals": ("England:\nRemovals:\nF Nth", ("Remove F NTH",)),
    "units in a line": ("England: F Lon, A Lvp", ("F Lon", "A Lvp")),
    "a unit above a build": ("England:\nF Lon\nBuild A Lvp", ("F Lon", "Build A Lvp")),
}


@pytest.mark.parametrize(("text", "orders"), WINTERS.values(), ids=WINTERS)
def test_a_unit_alone_in_a_winter_is_an_order(text: str, orders: tuple[str, ...]) -> None:
    """Only in other phases is it a unit without an order."""
    moves = "Spring 1901\nEngland:\nF Lon - Nth\n"
    (_, moved), (_, built) = read_transcript(f"{moves}A Lvp\n\nWinter 1901\n{text}", "g.txt").phases
    assert (dict(moved), dict(built)) == ({"ENGLAND": ("F Lon - Nth",)}, {"ENGLAND": orders})


@pytest.mark.parametrize("line", ["And now the fall 1901 moves", "Then came Fall 1901."])
def test_a_sentence_that_begins_a_later_phase_is_refused(line: str) -> None:
    text = f"Spring 1901\nEngland:\nF Lon - Nth\n{line}\n"
    with pytest.raises(FileError, match=r"g\.txt:4: names F1901M, but .* 'Fall 1901 Movement'"):
        read_transcript(f"{text}England:\nF Nth - Nwy", "g.txt")
    assert len(read_transcript(text, "g.txt").phases) == 1


def test_a_year_of_two_digits_is_of_the_century_of_the_map() -> None:
    text = "Spring 01\nEngland:\nF Lon - Nth\n\nAutumn 01\nEngland:\nF Nth - Nwy"
    assert [str(phase) for phase, _ in read_transcript(text, "g.txt").phases] == [
        "S1901M", "F1901M",
    ]  # fmt: skip


TOO_LONG_PRESS = {
    "broken off": "Press to France:\nhi\nFrance:\nF Bre - Mao\nEnd of press\nItaly:\nA Ven - Tyr",
    "for two powers": (
        "Message from France to Italy:\nhi\n\nFrance: F Bre - Mao\nItaly:\nA Ven - Tyr\n"
        "End of message."
    ),
}


@pytest.mark.parametrize("press", TOO_LONG_PRESS.values(), ids=TOO_LONG_PRESS)
def test_orders_of_a_power_in_press_are_refused(press: str) -> None:
    with pytest.raises(FileError, match=r"orders of France are in press, which ends further"):
        read_transcript(f"Spring 1901\nEngland:\nF Lon - Nth\n{press}", "g.txt")


def test_only_a_line_of_its_own_ends_press() -> None:
    text = (
        "Spring 1901\nEngland:\nF Lon - Nth\nPress to France from England:\nhi\n\nFrance:\n"
        "F Bre - Mao\n\nend of press deadline\nItaly:\nA Ven - Tyr"
    )
    ((_, orders),) = read_transcript(text, "g.txt").phases
    assert list(orders) == ["ENGLAND", "FRANCE", "ITALY"]


@pytest.mark.parametrize("line", ["Press: A Lvp - Yor", "The next phase A Lvp - Yor"])
def test_an_order_in_press_is_reported(line: str) -> None:
    text = f"Spring 1901\nEngland:\nF Lon - Nth\n{line}"
    assert read_transcript(text, "g.txt").skipped == (f"g.txt:4: skipped {line!r}",)
    text = "Spring 1901\nEngland:\nF Lon - Nth\nPress to all:\nA Par - Bur\nEnd of press."
    assert read_transcript(text, "g.txt").skipped == ("g.txt:5: skipped 'A Par - Bur'",)
