"""Pictures in pixels: their size, their names, and the errors where they cannot be made."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from dipsat.draw import png as module
from dipsat.draw.markup import element, svg
from dipsat.draw.png import png
from dipsat.errors import ArgumentError, FileError, PictureError
from tests.packages import needs_font

pytest.importorskip("resvg_py", reason="the extra png is not installed")
Image = pytest.importorskip("PIL.Image", reason="the extra png is not installed")

RED = svg(
    60, 30, [element("rect", width=30, height=30, fill="#ff0000"), element("text", "PAR", y=20)], ""
)


def pixels(data: bytes) -> Any:
    return Image.open(io.BytesIO(data)).convert("RGBA")


@needs_font
def test_a_picture_has_its_own_size_or_the_one_asked_for() -> None:
    assert pixels(png(RED)).size == (60, 30)
    assert pixels(png(RED, 200)).size == (200, 100)
    assert pixels(RED.to_png(width=7)).size[0] == 7


@needs_font
def test_shapes_and_names_are_drawn() -> None:
    found = pixels(png(RED, 240))
    assert found.getpixel((100, 10)) == (255, 0, 0, 255)
    assert found.getpixel((200, 10)) == (0, 0, 0, 0)
    data = found.tobytes()
    parts = [data[at : at + 4] for at in range(0, len(data), 4)]
    assert parts.count(bytes((0, 0, 0, 255))) > 100


def test_without_a_font_there_is_an_error_and_no_picture_without_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_writes", lambda fonts: False)
    with pytest.raises(PictureError, match=r"no font is installed; install one, such as DejaVu"):
        png(RED)


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    module._writes.cache_clear()
    with pytest.raises(PictureError, match=r"resvg-py: pip install 'dipsat\[png\]'"):
        RED.to_png()


@pytest.mark.parametrize("width", [0, -5])
def test_a_width_that_is_not_a_width(width: int) -> None:
    with pytest.raises(ArgumentError, match=r"width should be .*at least 1"):
        RED.to_png(width)


@pytest.mark.parametrize(
    ("text", "width", "problem"),
    [
        ("", None, "does not begin with an <svg>"),
        ("<html/>", None, "does not begin with an <svg>"),
        ('<svg width="100%" height="9"/>', None, "does not begin with an <svg>"),
        (str(svg(1, 99_999, [], "")), 10_000, "10,000 by 999,990,000 pixels is too large"),
        (str(svg(99_999, 9_999, [], "")), None, "99,999 by 9,999 pixels is too large"),
        ('<svg width="9" height="9">', None, "cannot be drawn"),
    ],
)
@needs_font
def test_text_that_cannot_be_drawn(text: str, width: int | None, problem: str) -> None:
    with pytest.raises(PictureError, match=problem):
        png(text, width)


def test_font_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"nope\.ttf: no such font file"):
        png(RED, fonts=[tmp_path / "nope.ttf"])
