"""Boards drawn on the terminal: which pixel is which province, where texts stand, and when."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from dipsat import Position, load_map
from dipsat.app import board_view
from dipsat.app.board_view import show_board
from dipsat.board import Map
from dipsat.cli import main
from dipsat.draw import HALF, Cell, Picture, cells_of, columns_for, inks_of
from dipsat.draw.map_picture import Place, Shape
from dipsat.draw.raster import spans
from dipsat.draw.terminal import BLANK, codes_under
from dipsat.errors import PictureError

ISLAND = """
name: island
title: Three in a row
victory: 2
powers:
  NORTH: {home: [AAA], start: [A AAA]}
  SOUTH: {home: [BBB], start: [F BBB/SC]}
provinces:
  AAA: {name: Alpha, type: coast, supply: true, army: [BBB], fleet: [SEA, BBB/NC]}
  BBB:
    name: Beta
    type: coast
    supply: true
    army: [AAA]
    fleet: {NC: [AAA, SEA], SC: [SEA]}
  SEA: {name: The Sea, type: sea, fleet: [AAA, BBB/NC, BBB/SC]}
coasts: {NC: [nc], SC: [sc]}
"""


def box(left: float, top: float, right: float, bottom: float) -> tuple[tuple[float, float], ...]:
    """An arc around a rectangle."""
    return ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))


def place(x: float, y: float, label: float | None = 12) -> Place:
    return Place((x, y), (x + 6, y + 4), None if label is None else (x, y + label))


# Two squares of 100 above a sea that is as wide as both, in which a rectangle is not a province.
PICTURE = Picture(
    name="island",
    width=200,
    height=200,
    scale=1,
    arcs=(box(0, 0, 100, 100), box(100, 0, 200, 100), box(0, 100, 200, 200), box(20, 160, 60, 190)),
    shapes={
        "AAA": Shape(((0,),), place(50, 50), (20, 20)),
        "BBB": Shape(
            ((1,),), place(150, 50), (120, 20),
            {"NC": place(150, 8, None), "SC": place(150, 92, None)},
        ),
        "SEA": Shape(((2,), (3,)), place(150, 150), (10, 110)),
    },
    blank=((3,),),
)  # fmt: skip
NO_HALF = " "


@pytest.fixture
def island(tmp_path: Path) -> Map:
    file = tmp_path / "island.yaml"
    file.write_text(ISLAND, encoding="utf-8")
    return load_map(str(file))


def texts(rows: list[list[Cell]]) -> list[str]:
    """The rows of a board as texts, the half blocks being spaces."""
    return ["".join(cell.text for cell in row).replace(HALF, NO_HALF).rstrip() for row in rows]


def test_each_cell_has_the_province_under_its_middle() -> None:
    assert codes_under(PICTURE, 10, 10) == [
        *[["AAA"] * 5 + ["BBB"] * 5] * 5,
        *[["SEA"] * 10] * 3,
        ["SEA"] + [BLANK] * 2 + ["SEA"] * 7,
        ["SEA"] * 10,
    ]


@pytest.mark.parametrize(
    ("outlines", "found"),
    [
        ([[(0.2, 0), (4, 0), (4, 3.8)]], [(0, 1, 4), (1, 2, 4), (2, 3, 4)]),
        ([[(4, 3.8), (4, 0), (0.2, 0)]], [(0, 1, 4), (1, 2, 4), (2, 3, 4)]),  # the other way round
        ([[(0.6, 0.6), (1.4, 0.6), (1.4, 1.4)]], []),  # no middle of a cell
        ([[(-9, -9), (9, -9), (9, 9), (-9, 9)]], [(row, 0, 4) for row in range(4)]),
        (
            [[(0, 1), (4, 1), (4, 2), (0, 2)], [(1, 1), (3, 1), (3, 2), (1, 2)]],  # a hole
            [(1, 0, 1), (1, 3, 4)],
        ),
    ],
)
def test_cells_inside_of_lines(
    outlines: list[list[tuple[float, float]]], found: list[tuple[int, int, int]]
) -> None:
    assert [one for one in spans(outlines, 4, 4) if one[0] < 3 or len(found) == 4] == found


def test_neighbours_share_no_cell_and_leave_no_gap() -> None:
    """Whatever the grid, a cell on a shared line belongs to one side."""
    for columns in range(1, 40):
        for row in codes_under(PICTURE, columns, columns):
            assert "" not in row


def test_units_and_names_stand_where_the_picture_puts_them(island: Map) -> None:
    rows = texts(cells_of(Position.start(island), PICTURE, 40))
    assert len(rows) == 20
    assert rows[5][7:11] == "  A"  # a space on either side, in the colour of its power
    assert rows[6].split() == ["AAA*", "BBB*"]  # centres have an asterisk
    assert rows[9].split() == ["F"]  # the fleet on the south coast
    assert rows[9].index("F") == 29
    assert rows[16].split() == ["SEA"]


def test_colours_tell_whose_a_unit_and_a_centre_are(island: Map) -> None:
    cells = cells_of(Position.start(island), PICTURE, 40)
    (north, on_north), (south, on_south) = (inks_of(island, name) for name in island.powers)
    assert north != south
    assert cells[5][9] == Cell("A", on_north, north, bold=True)
    assert cells[9][29] == Cell("F", on_south, south, bold=True)
    left, right, sea = (cells[row][column].front for row, column in ((2, 3), (2, 33), (12, 20)))
    assert len({left, right, sea}) == 3
    nobodys = cells_of(Position.from_units({}, island, unknown_centers=()), PICTURE, 40)
    assert nobodys[2][3].front == nobodys[2][33].front != sea


def test_a_border_on_land_is_darker_and_a_coast_is_not(island: Map) -> None:
    cells = cells_of(Position.from_units({}, island), PICTURE, 40)
    inside, edge = cells[2][22].front, cells[2][20].front
    assert sum(edge) < sum(inside)
    assert cells[10][5].front == cells[12][5].front


def test_a_dislodged_unit_stands_beside_the_other(island: Map) -> None:
    position = Position.from_units(
        {"NORTH": ["A AAA"]}, island, "S1901R", dislodged={"SOUTH": ["A AAA"]}
    )
    rows = texts(cells_of(position, PICTURE, 40))
    assert " A" in rows[5]
    assert "A!" in "".join(rows)


def test_no_text_hides_another(island: Map) -> None:
    """All three texts of a province that is three columns wide find room, or are left out."""
    narrow = Picture(
        "narrow", 40, 20, 1, (box(0, 0, 20, 20), box(20, 0, 40, 20)),
        {
            "AAA": Shape(((0,),), place(10, 10, 0), (5, 5)),
            "BBB": Shape(((1,),), place(30, 10, 0), (25, 5)),
        },
    )  # fmt: skip
    position = Position.from_units({"NORTH": ["A AAA", "A BBB"]}, island)
    assert "".join(texts(cells_of(position, narrow, 8))).split() == ["AAA*BBB*", "A", "A"]
    assert "".join(texts(cells_of(position, narrow, 6))).split() == ["AAA*", "A", "A"]


def test_provinces_that_the_map_lacks_show_no_texts(island: Map) -> None:
    other = Picture(
        "other", 20, 20, 1, (box(0, 0, 20, 20),), {"XXX": Shape(((0,),), place(10, 10), (5, 5))}
    )
    (row, *_) = cells_of(Position.start(island), other, 10)
    assert {cell.text for cell in row} == {HALF}


@pytest.mark.parametrize(
    ("columns", "rows", "found"),
    [
        (16, 50, None),  # a unit is 20 of 200 wide, and takes 1.7 columns
        (17, 50, 17),
        (25, 50, 25),
        (300, 50, 32),  # 3.2 columns a unit are enough
        (300, 10, 20),  # as high as the terminal
        (300, 5, 17),  # but not too small
    ],
)
def test_a_board_is_as_wide_as_the_terminal_and_its_texts_need(
    columns: int, rows: int, found: int | None
) -> None:
    assert columns_for(PICTURE, columns, rows) == found


@pytest.fixture
def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[..., io.StringIO]:
    """A function that replaces standard output by a terminal, and returns what it shows."""

    def put(width: int = 80, **options: object) -> io.StringIO:
        shown = io.StringIO()
        options = {"color_system": "truecolor", "force_terminal": True, **options}
        console = Console(file=shown, width=width, height=40, highlight=False, **options)  # type: ignore[arg-type]  # a mapping of options
        monkeypatch.setattr(board_view, "terminal", lambda: console)
        monkeypatch.setattr(board_view, "_picture", lambda position, drawn: PICTURE)
        return shown

    return put


def test_a_board_is_drawn_on_a_terminal_with_colours(
    on_terminal: Callable[..., io.StringIO], island: Map
) -> None:
    shown = on_terminal()
    show_board(Position.start(island), None)
    assert HALF in shown.getvalue()
    assert "\x1b[" in shown.getvalue()
    assert shown.getvalue().splitlines()[-1].rstrip().endswith(" South")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"width": 10}, "the terminal has only 10 columns"),
        ({"force_terminal": False}, "standard output is not a terminal"),
        ({"color_system": "standard"}, "the terminal does not show 256 colours"),
        ({"no_color": True}, "the terminal does not show 256 colours"),
    ],
)
def test_elsewhere_nothing_is_drawn_and_the_reason_is_given_if_asked(
    on_terminal: Callable[..., io.StringIO],
    island: Map,
    capsys: pytest.CaptureFixture[str],
    options: dict[str, object],
    why: str,
) -> None:
    shown = on_terminal(**options)
    for drawn in (None, False):
        show_board(Position.start(island), drawn)
    assert capsys.readouterr().err == ""
    show_board(Position.start(island), True)
    assert shown.getvalue() == ""
    assert capsys.readouterr().err == f"remark: the board is not drawn: {why}\n"


def test_a_map_that_cannot_be_drawn_is_not_an_error(
    on_terminal: Callable[..., io.StringIO],
    island: Map,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(position: Position, drawn: bool | None) -> Picture:
        raise PictureError("too crowded")

    shown = on_terminal()
    monkeypatch.setattr(board_view, "_picture", failing)
    show_board(Position.start(island), True)
    assert shown.getvalue() == ""
    assert capsys.readouterr().err == "remark: the board is not drawn: too crowded\n"


def test_the_board_stands_above_the_text_of_both_commands(
    on_terminal: Callable[..., io.StringIO], tmp_path: Path
) -> None:
    file = tmp_path / "island.yaml"
    file.write_text(ISLAND, encoding="utf-8")
    for arguments, typed in ((["maps", "show"], ""), (["play", "--map"], "board\nundo")):
        shown = on_terminal()
        done = CliRunner().invoke(main, [*arguments, str(file)], input=typed)
        assert "Three in a row" in done.output or "S1901M" in done.output
        assert HALF in shown.getvalue()
        shown = on_terminal()
        CliRunner().invoke(main, [*arguments, str(file), "--no-board"], input=typed)
        assert shown.getvalue() == ""


def test_piped_output_is_text() -> None:
    for arguments in (["maps", "show", "standard"], ["play"]):
        done = CliRunner().invoke(main, arguments, input="board\n")
        assert done.exit_code == 0
        assert HALF not in done.output
        assert "\x1b" not in done.output
