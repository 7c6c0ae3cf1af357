"""Order sheets: headings, comments, several orders on a line, and faults of a sheet."""

from __future__ import annotations

import pytest

from dipsat import load_map
from dipsat.errors import DocumentError, FileError, OrderSyntaxError, UnknownNameError
from dipsat.formats import parse_phase_text
from tests.phases import read_sheet

BOARD = load_map("standard")


def read(text: str) -> list[tuple[str, str, int]]:
    return [(line.power, line.text, line.line) for line in read_sheet(text, BOARD)]


@pytest.mark.parametrize(
    ("heading", "power"),
    [
        ("England:", "ENGLAND"), ("England", "ENGLAND"), ("ENGLAND :", "ENGLAND"),
        ("  english:  ", "ENGLAND"), ("England.", "ENGLAND"), ("Great Britain:", "ENGLAND"),
        ("Austria-Hungary:", "AUSTRIA"), ("Austro-Hungarian", "AUSTRIA"),
    ],
)  # fmt: skip
def test_a_heading_is_any_name_of_a_power_with_and_without_a_colon(
    heading: str, power: str
) -> None:
    assert read(f"{heading}\nA PAR H") == [(power, "A PAR H", 2)]


BLOCKS = """\
England:
  F North Sea Convoys A London - Belgium
  A London - Belgium

France
F Eng S A Lon-Bel
Germany: A Ruh - Bel
England:
F Edi H
"""
LINES = ["", "England", "   ", "A Lon-Bel", "\t", "", "F Nth H", ""]
COUNTED = [("ENGLAND", "A Lon-Bel", 4), ("ENGLAND", "F Nth H", 7)]
SHEETS: dict[str, tuple[str, list[tuple[str, str, int]]]] = {
    "a heading and an order on a line": ("ENGLAND:A Lon-Bel", [("ENGLAND", "A Lon-Bel", 1)]),
    "and with spaces": (" english :  A Lon-Bel ", [("ENGLAND", "A Lon-Bel", 1)]),
    "orders under the heading above them": (BLOCKS, [
        ("ENGLAND", "F North Sea Convoys A London - Belgium", 2),
        ("ENGLAND", "A London - Belgium", 3),
        ("FRANCE", "F Eng S A Lon-Bel", 6),
        ("GERMANY", "A Ruh - Bel", 7),
        ("ENGLAND", "F Edi H", 9),
    ]),
    "several orders on a line": ("England: A Lon-Bel; F Nth C A Lon-Bel ;\n;F Edi H;;", [
        ("ENGLAND", "A Lon-Bel", 1), ("ENGLAND", "F Nth C A Lon-Bel", 1), ("ENGLAND", "F Edi H", 2),
    ]),
    "comments, wherever they stand": (
        "# Spring 1901: first try\nEngland: # the best: one\nA Lon-Bel # to Brussels; fast\n#",
        [("ENGLAND", "A Lon-Bel", 3)],
    ),
    "blank lines": ("\n".join(LINES), COUNTED),
    "blank lines of Windows": ("\r\n".join(LINES), COUNTED),
    "blank lines of an old Macintosh": ("\r".join(LINES), COUNTED),
    "a name that begins as a power": (
        "England\nEnglish Channel - North Sea", [("ENGLAND", "English Channel - North Sea", 2)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "orders"), SHEETS.values(), ids=SHEETS)
def test_a_sheet_is_read_as_orders_of_powers_with_their_lines(
    text: str, orders: list[tuple[str, str, int]]
) -> None:
    assert read(text) == orders


@pytest.mark.parametrize("heading", ["Englnd:", "Englnd: A Lon H"])
def test_an_unknown_heading_is_an_error_with_the_nearest_power_and_its_line(heading: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        read(f"France:\nA Par H\n{heading}\nA Lon H")
    assert (caught.value.kind, caught.value.name) == ("power", "Englnd")
    assert caught.value.nearest[0] == "ENGLAND"
    assert "line 3" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line"), [("\n\nA Lon-Bel\nEngland:\nF Nth H", 3), ("Spain\nA Lon-Bel", 1)]
)
def test_an_order_above_every_heading_is_an_error_with_its_line(text: str, line: int) -> None:
    with pytest.raises(OrderSyntaxError) as caught:
        read(text)
    assert caught.value.line == line
    assert f"line {line}: " in str(caught.value)
    assert text.splitlines()[line - 1] in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "   \n\n", "# nothing", "England:", "England\nFrance", "England: ;;"]
)
def test_a_text_without_orders_is_an_error(text: str) -> None:
    with pytest.raises(OrderSyntaxError, match="no orders"):
        read(text)


@pytest.mark.parametrize(
    "heading", ["Fall 1903", "F1903M", "Fall of 1903 (Movement):", "# x\n\nFall 1903"]
)
def test_the_phase_may_be_written_above_the_powers(heading: str) -> None:
    phase = parse_phase_text(f"{heading}\nEngland:\n A Lon - Wal\n", "sheet.txt")
    assert str(phase.position.phase) == "F1903M"
    assert phase.orders == {"ENGLAND": ("A Lon - Wal",)}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Fall 1903\nEngland:\n A Lon H\nSpring 1904\n", "sheet.txt:4: 'Spring 1904' is a second"),
        ("Winter 1903\nEngland:\n A Lon B\n", "sheet.txt:1: .* W1903A needs.*`centers`"),
        ("F1903R\nEngland:\n A Lon D\n", "sheet.txt:1: .* F1903R needs.*`dislodged`"),
        ("Fall 1903 Banana\nEngland:\n A Lon H\n", "sheet.txt:1: unknown phase 'Fall 1903 Banana'"),
        ("Fall 1903\nEngland:\n A Xyz H\n", "sheet.txt:3:2: unknown province 'Xyz'"),
    ],
)
def test_a_phase_that_a_sheet_cannot_have_is_refused(text: str, problem: str) -> None:
    with pytest.raises(FileError, match=problem):
        parse_phase_text(text, "sheet.txt")


@pytest.mark.parametrize("text", ["England:\nF LON H\n", "A PAR - BUR\nF LON H\n", "F LON H"])
def test_a_sheet_named_like_a_document_gets_advice(text: str) -> None:
    with pytest.raises(DocumentError, match=r"ends in \.txt; in YAML, orders belong under"):
        parse_phase_text(text, "sheet.yaml")
    with pytest.raises(DocumentError) as caught:
        parse_phase_text("units: {England: [F LON]", "phase.yaml")
    assert "plain text" not in str(caught.value)
