"""`python -m tools.docs_pictures` draws the pictures of the README and the docs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import dipsat
from dipsat import searches
from tools.atlas import pages, record, trials
from tools.contact_sheet import contact_sheet
from tools.differences.record import read
from tools.lines_sheet import lines_sheet
from tools.split_picture import split_picture

_DOCS = Path(__file__).resolve().parent.parent / "docs"
FOLDER = _DOCS / "pictures"
_SPLITS = ("standard-split-17-17", "standard-split-15-15")


def _outcome(name: str) -> dipsat.Outcome:
    phase = dipsat.load_phase(_DOCS / "examples" / name)
    return dipsat.adjudicate(phase.position, phase.orders)


def _board(dark: bool | None) -> str:
    return dipsat.draw.board(_outcome("fall-1902.yaml"), caption=True, legend=True, dark=dark)


def _bounce(dark: bool | None) -> str:
    return dipsat.draw.explain(dipsat.explain(_outcome("bounce.txt"), "A PAR"), dark=bool(dark))


def _paradox(dark: bool | None) -> str:
    found = dipsat.explain(_outcome("convoy-paradox.txt"), "A BRE")
    return dipsat.draw.explain(found, dark=bool(dark))


def _dispute(dark: bool | None) -> str:
    (game,) = dipsat.load_games(_DOCS / "examples" / "site-game.json", check=False)
    found = dipsat.explain(game.history[0].outcome, "A DEN")
    return dipsat.draw.explain(found, dark=bool(dark))


def _cycle(dark: bool | None) -> str:
    return dipsat.draw.cycle(_outcome("convoy-paradox.txt"), dark=bool(dark))


def _line(dark: bool | None) -> str:
    found = searches.hold_line(_DOCS / "examples" / "line-south.yaml")
    return dipsat.draw.line(found, dark=bool(dark))


def _of_atlas(slug: str) -> Callable[[bool | None], str]:
    file = _DOCS / "atlas" / "lines" / f"{slug}.yaml"
    return lambda dark: dipsat.draw.line(searches.hold_line(file), dark=bool(dark))


def _lines(name: str) -> Callable[[bool | None], str]:
    """The first line in the atlas for each number of centres of a map."""

    def drawn(dark: bool | None) -> str:
        lines = {}
        for one in record.read(name)["sizes"]:
            for form in one["forms"][:1]:
                title = pages.said_of(one)
                lines[title] = trials.line_of(name, None, form, form["lines"][0])
        return lines_sheet(lines)

    return drawn


def _differing(one: str, other: str) -> Callable[[bool | None], str]:
    """The smallest board of the atlas on which two rule profiles differ."""

    def drawn(dark: bool | None) -> str:
        answers = (answer for answer in read().pairs if answer["in_full"])
        (board,) = (a["in_full"] for a in answers if (a["one"], a["other"]) == (one, other))
        position = dipsat.Position.from_dict(board["position"], "standard")
        found = dipsat.compare(position, board["orders"], [one, other])
        return dipsat.draw.compare(found, dark=bool(dark))

    return drawn


def _split(name: str) -> Callable[[bool | None], str]:
    """The board of two lines of the atlas."""

    def drawn(dark: bool | None) -> str:
        lines = _DOCS / "atlas" / "lines"
        files = (lines / f"{name}{which}.yaml" for which in ("", "-other"))
        return split_picture(*(searches.hold_line(file).line for file in files))

    return drawn


def _variant(dark: bool | None) -> str:
    return dipsat.draw.board(
        dipsat.Position.start("colonial"), caption=True, legend=True, dark=dark
    )


def _own(dark: bool | None) -> str:
    board = dipsat.load_map(_DOCS / "examples" / "harbour.yaml")
    return dipsat.draw.board(dipsat.Position.start(board), caption=True, dark=dark)


def _maps(dark: bool | None) -> str:
    return contact_sheet()


_WITH_LINES = [
    name for name in pages.maps() if any(one["forms"] for one in record.read(name)["sizes"])
]
"""The maps of the atlas with a line."""

PICTURES: Mapping[str, Callable[[bool | None], str]] = {
    "board.svg": _board,
    "bounce.svg": _bounce,
    "paradox.svg": _paradox,
    "dispute.svg": _dispute,
    "cycle.svg": _cycle,
    "line.svg": _line,
    "atlas-standard-3.svg": _of_atlas("standard-3"),
    "atlas-standard-5.svg": _of_atlas("standard-5"),
    "atlas-adjacent-convoy.svg": _differing("datc", "rulebooks/1982"),
    **{f"atlas-{name}.svg": _split(name) for name in _SPLITS},
    "variant.svg": _variant,
    "own.svg": _own,
    "maps.svg": _maps,
    **{f"atlas-{name}.svg": _lines(name) for name in _WITH_LINES},
}
"""File -> the function that draws it."""

ONLY_LIGHT = {
    "maps.svg",
    *(f"atlas-{name}.svg" for name in (*_SPLITS, *_WITH_LINES)),
}
"""The pictures that are never dark."""


def text_of(name: str, dark: bool | None = None) -> str:
    """The text that the file should have. The files in docs/pictures have boards that follow the
    viewer's preference (None), and other pictures that are light."""
    return f"{PICTURES[name](dark).rstrip()}\n"


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        (FOLDER / name).write_text(text_of(name), encoding="utf-8")
        print(f"docs/pictures/{name}")


if __name__ == "__main__":
    main()
