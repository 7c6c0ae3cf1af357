"""Pictures in pixels for programs that cannot show SVG, by resvg, which the extra `png` installs.

resvg is one wheel, needs no other library on the system, and draws everything that the pictures
use: halos around names, markers in the colour of their line, patterns. CairoSVG, the other
well-maintained choice, draws the halo over the name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from dipsat.errors import FileError, PictureError

MOST_PIXELS = 100_000_000
"""The most pixels of a picture. resvg needs four bytes for each, and ends Python without them."""
MOST_ACROSS = 65_535
"""The most pixels on a side of a picture, as in other formats; resvg is slow beyond that."""

_ROOT = re.compile(r"\s*<svg\b[^<>]*>")
_SIZE = re.compile(r'\s(width|height)="(\d{1,9}(?:\.\d+)?)"')
EXTRA = "pip install 'dipsat[png]'"
_SAMPLE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">'
    '<text y="15" font-family="Helvetica, Arial, \'DejaVu Sans\', sans-serif">{}</text></svg>'
)


def png(svg: str, width: int | None = None, fonts: Sequence[str | Path] = ()) -> bytes:
    """Return a picture as the bytes of a PNG file, see `Svg.to_png`.

    `width` is in pixels (default: the width that the picture states); the height follows. `fonts`
    are files of fonts to use besides those of the system. Raises `PictureError` if resvg-py is
    missing (the extra `png`), if there is no font for the names, if the picture would have more
    than a hundred million pixels or more than 65,535 on a side, or if the text is not a picture.
    """
    _check_size(svg, width)
    files = tuple(str(file) for file in fonts)
    for file in files:
        if not Path(file).is_file():
            raise FileError(file, "no such font file")
    if not _writes(files):
        raise PictureError(
            "the picture would have no names, since no font is installed; install one, such as "
            "DejaVu Sans (`apt-get install fonts-dejavu-core`), or name a file of one with `fonts`"
        )
    return _drawn(svg, width, files)


def _check_size(svg: str, width: int | None) -> None:
    root = _ROOT.match(svg)
    stated = dict(_SIZE.findall(root[0])) if root else {}
    if stated.keys() != {"width", "height"}:
        raise PictureError(
            "not a picture of dipsat: the text does not begin with an <svg> that has a size"
        )
    across, down = float(stated["width"]), float(stated["height"])
    if width is not None and width > MOST_ACROSS:
        raise PictureError(f"a PNG of that width is too large; choose at most {MOST_ACROSS:,}")
    scale = 1 if width is None else width / max(across, 1)
    across, down = across * scale, down * scale
    if across * down > MOST_PIXELS or max(across, down) > MOST_ACROSS:
        size = f"{across:,.0f} by {down:,.0f}"
        raise PictureError(f"a PNG of {size} pixels is too large; choose a smaller width")


@lru_cache(maxsize=8)
def _writes(fonts: tuple[str, ...]) -> bool:
    """Whether texts are drawn: without a font, resvg silently leaves them out."""
    return _drawn(_SAMPLE.format("A"), None, fonts) != _drawn(_SAMPLE.format(""), None, fonts)


def _drawn(svg: str, width: int | None, fonts: tuple[str, ...]) -> bytes:
    try:
        import resvg_py
    except ImportError:
        raise PictureError(f"PNG needs the package resvg-py: {EXTRA}") from None
    try:
        found: bytes = resvg_py.svg_to_bytes(svg_string=svg, width=width, font_files=list(fonts))
    except ValueError as error:
        raise PictureError(f"the picture cannot be drawn: {error}") from None
    return found
