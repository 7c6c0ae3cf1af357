"""Writing SVG and HTML: elements with everything escaped, widths of texts, single-file pages."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from string import Template

from dipsat.base import checked, read_text
from dipsat.errors import escaped

_XMLNS = "http://www.w3.org/2000/svg"

FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
"""The fonts of all texts; the last one is the viewer's own."""

_WIDTHS = {
    "ijl'|.,:;!": 0.33, " ()[]{}ftrI-/\"": 0.4, "mwMW@%": 0.95, "ABCDEGHKNOPQRSTUVXYZ&": 0.72,
}  # fmt: skip
_BY_LETTER = {letter: width for letters, width in _WIDTHS.items() for letter in letters}
_USUAL = 0.61  # the width of other letters, in font sizes


class Svg(str):
    """A picture as the text of an SVG file. Notebooks show it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Svg(<{len(self)} characters>)"

    def _repr_svg_(self) -> str:
        return str(self)

    @checked
    def to_png(self, width: int | None = None, fonts: Sequence[str | Path] = ()) -> bytes:
        """Return the picture as the bytes of a PNG file.

        `width` is in pixels (default: the width of the picture); the height follows. `fonts` are
        files of fonts to use besides those of the system. Raises `PictureError` if the extra `png`
        is missing, if there is no font for the names, or if there would be more than a hundred
        million pixels, or more than 65,535 on a side.
        """
        from dipsat.draw.png import png

        return png(self, width, fonts)


def element(tag: str, *content: str, **attributes: object) -> str:
    """An element with its attributes escaped; the contents are already markup. In the names of
    attributes `_` stands for `-`, and a trailing `_` is dropped (`class_`). Attributes with the
    value None are left out."""
    inside, given = "".join(content), attributes_of(attributes)
    return f"<{tag}{given}>{inside}</{tag}>" if inside else f"<{tag}{given}/>"


def attributes_of(given: Mapping[str, object]) -> str:
    """The attributes of an element, named as for `element`, each after a space."""
    return "".join(
        f" {name.rstrip('_').replace('_', '-')}="
        f'"{quoted(number(value) if isinstance(value, float) else str(value))}"'
        for name, value in given.items()
        if value is not None
    )


def words(text: str) -> str:
    """A text as the content of an element; letters that XML does not allow become escapes."""
    return escape(text if text.isprintable() else escaped(text), quote=False)


def told(text: str) -> str:
    """The tooltip of an element."""
    return f"<title>{words(text)}</title>"


def quoted(text: str) -> str:
    """A text as the value of an attribute; letters that XML does not allow become escapes."""
    return escape(text if text.isprintable() else escaped(text))


def svg(
    width: float, height: float, content: Iterable[str], title: str, **attributes: object
) -> Svg:
    """A whole picture; screen readers read its title."""
    return Svg(
        element(
            "svg",
            told(title),
            *content,
            xmlns=_XMLNS,
            viewBox=f"0 0 {number(width)} {number(height)}",
            width=number(width),
            height=number(height),
            role="img",
            font_family=FONT,
            **attributes,
        )
    )


def number(value: float) -> str:
    """A number with at most one decimal, as all coordinates are written."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def width_of(text: str, size: float) -> float:
    """The approximate width of a text in a font of this size; the widest font was measured."""
    return size * sum(_BY_LETTER.get(letter, _USUAL) for letter in text)


# --- pages ----------------------------------------------------------------------------------------

# Single-file HTML pages: their colours, and a policy that lets them load nothing.


def page_text(name: str) -> str:
    """The text of a style sheet, script or page that comes with dipsat."""
    return read_text(Path(__file__).parent / "page" / name)


def head_of(title: str, dark: bool | None, script: str, style: str) -> str:
    """The beginning of a page, up to its body, with its colours and this style sheet. The page
    loads nothing, and may run no script but `script`."""
    light, black = page_text("light.css"), page_text("dark.css")
    colors = black if dark else light
    if dark is None:  # as the reader prefers
        colors += f"@media (prefers-color-scheme:dark){{{black.strip()}}}\n"
    return Template(page_text("head.html")).substitute(
        scheme="light dark" if dark is None else "dark" if dark else "light",
        digest=b64encode(sha256(script.encode()).digest()).decode(),
        title=quoted(title),
        style=colors + style,
    )


def tag(name: str, *content: str, **attributes: object) -> str:
    """An HTML element, which has an end tag even if it is empty; otherwise as `element`."""
    return f"<{name}{attributes_of(attributes)}>{''.join(content)}</{name}>"
