"""`python -m bench.docs_pictures` draws the pictures of the README and the docs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import dipsat
from bench.contact_sheet import contact_sheet

_DOCS = Path(__file__).resolve().parent.parent / "docs"
FOLDER = _DOCS / "pictures"


def _outcome(name: str) -> dipsat.Outcome:
    phase = dipsat.load_phase(_DOCS / "examples" / name)
    return dipsat.adjudicate(phase.position, phase.orders)


def _board() -> str:
    return dipsat.svg.board(_outcome("fall-1902.yaml"), caption=True, legend=True, dark=None)


def _bounce() -> str:
    return dipsat.svg.explain(dipsat.explain(_outcome("bounce.txt"), "A PAR"))


def _paradox() -> str:
    return dipsat.svg.explain(dipsat.explain(_outcome("convoy-paradox.txt"), "A BRE"))


def _cycle() -> str:
    return dipsat.svg.cycle(_outcome("convoy-paradox.txt"))


def _line() -> str:
    return dipsat.svg.line(dipsat.hold_line(_DOCS / "examples" / "line-south.yaml"))


def _variant() -> str:
    return dipsat.svg.board(dipsat.Position.start("colonial"), caption=True, legend=True, dark=None)


def _own() -> str:
    board = dipsat.load_map(_DOCS / "examples" / "harbour.yaml")
    return dipsat.svg.board(dipsat.Position.start(board), caption=True, dark=None)


PICTURES: Mapping[str, Callable[[], str]] = {
    "board.svg": _board,
    "bounce.svg": _bounce,
    "paradox.svg": _paradox,
    "cycle.svg": _cycle,
    "line.svg": _line,
    "variant.svg": _variant,
    "own.svg": _own,
    "maps.svg": contact_sheet,
}
"""File -> the function that draws it."""


def text_of(name: str) -> str:
    """The text of the file, as it should be."""
    return f"{PICTURES[name]().rstrip()}\n"


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        (FOLDER / name).write_text(text_of(name), encoding="utf-8")
        print(f"docs/pictures/{name}")


if __name__ == "__main__":
    main()
