"""Order sheets in e-mails: text around the orders is skipped and noted, but never an order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.errors import DipsatError, FileError
from dipsat.formats import Session, carry_out, parse_phase_text
from dipsat.formats.letter import letter_of
from dipsat.formats.phase_file import orders_for
from dipsat.orders import NO_WORDS

BOARD = dipsat.load_map("standard")
READER = dipsat.reader_for(BOARD)
MAIL = """\
From: Bob <bob@example.org>
To: The GM <gm@example.org>,
    eve@example.org
Subject: Re: [game 7] France, Spring 1901
Date: Mon, 3 Jan 2022 10:00:00 +0100

Dear GM,

here are my orders:

* A PAR - BUR
F Bre - MAO
1. A Mar S A Par - Bur

Cheers,
Bob
--\x20
Bob\x20Miller, Example Street 5

On Mon, 3 Jan 2022, The GM <gm@example.org> wrote:
> Hi all,
> The deadline is on Friday evening.
"""
KEPT = """\
A PAR - BUR
F Bre - MAO
A Mar S A Par - Bur"""


def test_a_mail_is_read_and_the_skipped_text_is_noted() -> None:
    phase = parse_phase_text(MAIL, "mail.txt")
    assert phase.orders == {"FRANCE": tuple(KEPT.split("\n"))}
    assert str(phase.position.phase) == "S1901M"
    assert phase.skipped == (
        "mail.txt:1-9: skipped 7 lines of text around the orders: 'From: Bob <bob@example.org>' to "
        "'here are my orders:'",
        "mail.txt:15-22: skipped 6 lines of text around the orders: 'Cheers,' to "
        "'The deadline is on Friday evening.'",
        "mail.txt:4: FRANCE and S1901M: taken from 'Subject: Re: [game 7] France, Spring 1901'",
    )


def test_a_command_says_what_it_skips(tmp_path: Path) -> None:
    file = tmp_path / "mail.txt"
    file.write_text(MAIL, encoding="utf-8")
    result = CliRunner().invoke(main, ["adjudicate", str(file)])
    assert result.exit_code == 0
    assert result.stderr.count("remark:") == 3
    session = Session.of(dipsat.Game.new(None, None))
    lines = carry_out(session, f"read {file}").lines
    assert "mail.txt:1-9: skipped" in lines[0]
    assert lines[-1].startswith("3 orders entered")
    refused = CliRunner().invoke(main, ["crosscheck", str(file), "-e", "dip_eval"])
    assert "mail.txt:1-9: skipped" in refused.output
    assert refused.exit_code == 2


AROUND = (
    "From: A Smith <a@b.org>", "To: f@b.org", "Cc: someone", "Subject: orders", "Sent: today",
    "Date: 3 Jan", "Message-ID: <1@b.org>", "Dear Austria and England,", "Hi Bob,", "Hello all",
    "Good morning GM", "Hey!", "All,", "-----Original Message-----", "On 3 Jan Bob wrote:",
    "Best, Bob", "Kind regards,", "Thanks a lot!", "Yours", "Sent from my phone", "--", "-- ",
    "here are my orders:", "Please find our final moves below.", "I hope you are fine.",
    "A. Smith <a.smith@b.org>", "B. Smith <b@smith.org>",
)  # fmt: skip


@pytest.mark.parametrize("line", AROUND)
@pytest.mark.parametrize("mark", ["", "> "])
def test_what_stands_around_orders_is_skipped(line: str, mark: str) -> None:
    for text, at in ((f"{mark}{line}\nFrance:\nA Par H", 1), (f"France:\nA Par H\n{line}", 3)):
        phase = parse_phase_text(text, "a.txt")
        assert phase.orders == {"FRANCE": ("A Par H",)}
        noted = [one.partition(" skipped")[0] for one in phase.skipped]
        assert noted == [f"a.txt:{at}:"] * (line.strip() != "--")


STAYS = (
    "Frence:", "France\n--\nFrence", "A Pra - Brgundy", "A Pra", "Pra - Bur",
    "A Par, bounced in Bur",
    "Subject: A Par - Bur", "Cheers, A Par - Bur", "Norht Sea - Norwegain Sea", "Map: nowhere",
    "All other units hold", "My orders for France and England:", "Spring 1901 Nothing", "Frence",
    "Wrong: A Par H", "the orders of Frence follow", "A small remark on it: nothing",
)  # fmt: skip


@pytest.mark.parametrize("line", STAYS)
def test_what_may_be_an_order_or_a_heading_is_not_skipped(line: str) -> None:
    text = f"Subject: hello\nFrance:\nA Par H\nCheers,\n{line}\n"
    with pytest.raises(DipsatError):
        parse_phase_text(text, "a.txt")
    with pytest.raises(DipsatError):
        parse_phase_text(f"France:\n{line}\nA Par H\n", "a.txt")


@pytest.mark.parametrize(
    ("line", "power", "phase"),
    [
        ("Subject: France, Spring 1901", "FRANCE", "S1901M"),
        ("Subject: Re: Fwd: [dip] French orders for F1902M", "FRANCE", "F1902M"),
        ("Re: Autumn 1905", "", "F1905M"),
        ("Subject: orders of England", "ENGLAND", ""),
        ("Subject: England's treachery", "", ""),
        ("Subject: France and England", "", ""),
        ("Subject: Winter 1901", "", "W1901A"),
        ("From: France", "", ""),
    ],
)
def test_a_subject_names_power_and_phase_if_nothing_else_can_be_meant(
    line: str, power: str, phase: str
) -> None:
    found = letter_of(f"{line}\nA Par H", "a.txt", BOARD, NO_WORDS)
    assert (found.power, str(found.phase or "")) == (power, phase)
    assert found.skipped[0].startswith("a.txt:1: skipped")
    assert len(found.skipped) == 1 + bool(power or phase)


def test_headings_in_the_sheet_count_more_than_the_subject() -> None:
    text = "Subject: France, Fall 1902\nFall 1902\nEngland:\nF Lon H\nOrders for Germany:\nA Mun H"
    phase = parse_phase_text(text, "a.txt")
    assert phase.orders == {"ENGLAND": ("F Lon H",), "GERMANY": ("A Mun H",)}
    assert str(phase.position.phase) == "F1902M"
    assert "a.txt:5: 'Orders for Germany:' is read as a heading of GERMANY" in phase.skipped


SEASONS = (
    "Fall 1901", "F1901", "F1901M", "f1901m", "F01", "Autumn 1901", "fall '01", "Fall of 1901",
    "Fall, 1901", "Fall 01", "FALL 1901", "1901 Fall", "Fall 1901 Movement", "Fall Moves 1901",
    "F 1901", "Fall turn 1901", "'01 Fall", "1901F", "Game_Fall_1901",
)  # fmt: skip
NAMING = (
    "Subject: {} orders", "Subject: Re: [game 7] {}", "Re: Diplomacy game 'Foo', {}", "{}",
    "Orders for {}", "Here are my orders for {}:", "{} orders", "{}:", "Turn: {}", "Phase: {}",
    "- {}", "*{}*", "Hi GM, my orders for {} are below.", "Dear all, this is {}",
    "I hope that these reach you in time for {}.", "Good morning! {} it is.",
)  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [*(f"Subject: {season}" for season in SEASONS), *(line.format("Fall 1901") for line in NAMING)],
)
def test_a_season_is_read_wherever_a_text_names_it(line: str) -> None:
    phase = parse_phase_text(f"{line}\n\nFrance:\nA Par H\n", "a.txt")
    assert str(phase.position.phase) == "F1901M"
    assert phase.orders == {"FRANCE": ("A Par H",)}


@pytest.mark.parametrize(
    "heading",
    ["France, Fall 1901:", "France (Fall 1901)", "Fall 1901 - France", "France: F1901",
     "My orders for France, Fall 1901:", "FRANCE F1901M", "France (Bob, F01): A Par H"],
)  # fmt: skip
def test_a_season_is_read_in_the_heading_of_a_power(heading: str) -> None:
    phase = parse_phase_text(f"{heading}\nA Mar H\n", "a.txt")
    assert str(phase.position.phase) == "F1901M"
    assert list(phase.orders["FRANCE"])[-1] == "A Mar H"


@pytest.mark.parametrize(
    ("line", "phase"),
    [
        ("Subject: Spring 1902 Retreats", "S1902R"), ("S1902R", "S1902R"),
        ("Here are Spring retreats 1902:", "S1902R"), ("my spring retreats", "S1902R"),
        ("Retreats for Spring 1902", "S1902R"), ("Retreat results for Spring of 1902.", "S1902R"),
        ("Summer 1902 retreats", "S1902R"), ("Spring 1902", "S1902R"),
        ("Dear GM, here is Winter 1901", "W1901A"),
        ("Subject: Winter 1901 adjustments", "W1901A"), ("W01", "W1901A"),
        ("Winter 1901 orders", "W1901A"), ("Fall 1901 builds", "W1901A"),
    ],
)  # fmt: skip
def test_a_sheet_for_a_position_may_name_its_phase(line: str, phase: str) -> None:
    """Without a kind of phase, a season is any of its phases; the builds after a fall are those of
    its winter."""
    lost = {"FRANCE": ["A PAR"]}
    for kind, order, position in (
        ("S1901M", "A Par H", dipsat.Position.start()),
        ("S1902R", "A Par D", dipsat.Position.from_units({}, phase="S1902R", dislodged=lost)),
        (
            "W1901A",
            "A Par B",
            dipsat.Position.from_units({}, phase="W1901A", centers={"FRANCE": ["PAR"]}),
        ),
    ):
        text = f"{line}\nFrance:\n{order}\n"
        if kind == phase:
            assert dipsat.parse_phase(text, "a.txt", position=position).orders["FRANCE"] == (order,)
            continue
        with pytest.raises(
            FileError, match=rf"^a\.txt:1: names .*, but the phase is {kind}(; write|$)"
        ):
            dipsat.parse_phase(text, "a.txt", position=position)


def test_no_text_is_judged_for_a_phase_outside_the_season_that_it_names(tmp_path: Path) -> None:
    position, sheet = tmp_path / "fall.yaml", tmp_path / "mail.txt"
    position.write_text("phase: F1901M\nunits: {FRANCE: [A PAR]}\norders: {}\n", encoding="utf-8")
    sheet.write_text("Subject: Spring 1902 orders\n\nFrance:\nA Par H\n", encoding="utf-8")
    said = "mail.txt:1: names S1902M, but the phase is F1901M\n"
    for options in (
        ("--position", str(position)),
        ("--phase", "F1901M"),
        ("--phase", "F1901M", "--lenient"),
    ):
        result = CliRunner().invoke(main, ["adjudicate", str(sheet), *options])
        assert (result.exit_code, result.stdout) == (2, "")
        assert said in result.stderr
    session = Session.of(dipsat.Game.new(None, None))
    with pytest.raises(DipsatError, match="names S1902M, but the phase is S1901M"):
        carry_out(session, f"read {sheet}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Subject: France, Spring 1901\nFall 1902\nFrance:\nA Par H",
         "a.txt:2: names F1902M, but line 1 names S1901M, too; keep one of them"),
        ("Subject: Spring 1901 and Fall 1901\nFrance:\nA Par H",
         "a.txt:1: names F1901M, but it names S1901M, too; keep one of them"),
        ("Hi, Spring 1901 was fun, thanks!\nOrders for F1901\nFrance:\nA Par H",
         "a.txt:2: names F1901M, but line 1 names S1901M, too; keep one of them"),
        ("Fall 1901\nFrance:\nA Par H\nCheers, see you in Spring 1902",
         "a.txt:4: names S1902M, but the phase is F1901M"),
        ("France:\nA Par H\nCheers, see you in Spring 1902",
         "a.txt:3: names S1902M, but the phase is S1901M"),
        ("# Fall 1901\nFrance:\nA Par H  # as in Spring 1902",
         "a.txt:1: names F1901M, but the phase is S1901M"),
        ("Subject: F1901A orders\nFrance:\nA Par H",
         "a.txt:1: unknown phase 'F1901A'; did you mean W1901A or F1901R?"),
        ("Here are my fall orders:\nFrance:\nA Par H",
         "a.txt:1: names fall without a year; write it, such as 'fall 1901'"),
        ("France:\nA Par H\nFall 1901\nFrance:\nA Par - Bur",
         "a.txt:3: 'Fall 1901' is below orders; write the phase above them"),
        ("France:\nA Par H\n\nOn Monday, the GM wrote:\n> Fall 1901 is due on Friday evening.",
         "a.txt:5: quotes F1901M, but the orders do not say what phase they are for"),
    ],
)  # fmt: skip
def test_a_text_that_names_two_seasons_is_refused(text: str, said: str) -> None:
    for lenient in (False, True):
        with pytest.raises(FileError) as caught:
            dipsat.parse_phase(text, "a.txt", lenient=lenient)
        assert str(caught.value) == said


QUOTED = """{}France:
A Bur - Bel

On Monday, the GM wrote:
> Spring 1901 results
> France:
> A Par - Bur
> A Mar - Spa
"""


def test_an_older_mail_that_is_quoted_does_not_win() -> None:
    phase = parse_phase_text(QUOTED.format("Subject: Fall 1901\n\n"), "a.txt")
    assert phase.orders == {"FRANCE": ("A Bur - Bel",)}
    assert str(phase.position.phase) == "F1901M"
    said = "a.txt:7-10: skipped 4 lines of an older mail: 'Spring 1901 results' to "
    assert said + "'A Mar - Spa'" in phase.skipped
    below = QUOTED.format("Fall 1901\n").replace("> ", "")
    below = below.replace("On Monday, the GM wrote:", "-----Original Message-----")
    assert parse_phase_text(below, "a.txt").orders == {"FRANCE": ("A Bur - Bel",)}
    position = dipsat.Position.from_units({"FRANCE": ["A BUR"]}, phase="F1901M")
    found = orders_for(position, QUOTED.format(""), "a.txt", dipsat.load_profile("datc"))
    assert found.orders == {"FRANCE": ("A Bur - Bel",)}


def test_a_mail_that_is_quoted_as_a_whole_says_its_season() -> None:
    text = "".join(f"> {line}\n" for line in ("Fall 1901", "France:", "A Par H"))
    for sheet in (text, f"----- Forwarded message -----\n{text}", text.replace("> ", "")):
        assert str(parse_phase_text(sheet, "a.txt").position.phase) == "F1901M"


@pytest.mark.parametrize(
    "line",
    ["Sent from my Galaxy S21", "Good luck, do not fall 3 times!", "Winter is coming, they say.",
     "X-Id: F1902", "Date: Mon, 3 Jan 2022 10:00:00", "Spring is nice, and all will fall."],
)  # fmt: skip
def test_text_that_resembles_a_season_names_none(line: str) -> None:
    phase = parse_phase_text(f"France:\nA Par H\n\n--\n{line}\n", "a.txt")
    assert str(phase.position.phase) == "S1901M"


@pytest.mark.parametrize(
    ("map_name", "order", "named", "phase"),
    [
        ("colonial", "Britain: A Delhi H", "F70", "F1870M"),
        ("ancient_mediterranean", "Rome: A Arabia H", "Fall 1", "F1M"),
        ("world", "China: A Angola H", "spring '01", "S2001M"),
    ],
)
def test_a_short_year_is_of_the_century_of_the_map(
    map_name: str, order: str, named: str, phase: str
) -> None:
    found = dipsat.parse_phase(f"Subject: {named}\n{order}", "a.txt", map_name)
    assert str(found.position.phase) == phase


@pytest.mark.parametrize(
    "line", ["> Fall 1901", "Orders for Fall 1901", "# Fall 1901", "nothing to say"]
)
def test_long_letters_are_read_line_by_line(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the lines cost twice the look-ups of names, whatever a line holds."""
    calls, meant = list[str](), type(BOARD.names).meant

    def counted(names: Any, name: str) -> tuple[str, ...]:
        calls.append(name)
        return meant(names, name)

    def count(lines: int) -> int:
        calls.clear()
        text = "Fall 1901\nFrance:\nPar H\n" + f"{line}\n" * lines
        letter_of(text, "a.txt", BOARD, NO_WORDS)
        return len(calls)

    monkeypatch.setattr(type(BOARD.names), "meant", counted)
    few, many, most = (count(lines) for lines in (1, 101, 201))
    assert most - many == many - few
    assert few > 0


@pytest.mark.parametrize("season", ["", " Spring 1901"])
def test_quoted_orders_do_not_count_beside_the_senders_own(season: str) -> None:
    """Quoted orders of the same season once made both illegal."""
    text = "Orders for Spring 1901\nFrance:\nA Par - Bur\n\nOn Monday the GM wrote:\n"
    found = parse_phase_text(f"{text}> France{season}:\n> A Par - Pic\n", "mail.txt")
    assert found.orders == {"FRANCE": ("A Par - Bur",)}
    assert any("an older mail" in one for one in found.skipped)
    alone = parse_phase_text("> France:\n> A Par - Pic\n", "mail.txt")
    assert alone.orders == {"FRANCE": ("A Par - Pic",)}
    with pytest.raises(FileError, match="no orders"):
        parse_phase_text("From: a@b.org\n\nHi all,\n\nCheers,\nBob\n", "a.txt")
