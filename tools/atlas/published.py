"""Lines that people have published, and the atlas's results about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dipsat import searches
from dipsat.searches.line_finder import line_to_dict
from tools.atlas import record
from tools.atlas.answers import Answer
from tools.tables import table

FOLDER = record.FOLDER / "published"
PAGE = record.FOLDER / "published.md"
_POUCH = "https://diplom.org/Online/StalematesAtoY"


@dataclass(frozen=True, slots=True)
class Published:
    """A line as it was printed."""

    file: Path
    said: str
    """Who published it, and where."""
    source: str
    """Where the text can be read."""

    def held(self) -> searches.HoldResult:
        """What is proven about it."""
        return _held(self.file)


@cache
def _held(file: Path) -> searches.HoldResult:
    return searches.hold_line(file)


def _of(names: str, said: str, source: str) -> list[Published]:
    files = [FOLDER / f"{name}.yaml" for name in names.split()]
    numbers = [name.rpartition("-")[2] for name in names.split()]
    return [
        Published(file, f"{said}, position {number}", f"{_POUCH}/{source}")
        for file, number in zip(files, numbers, strict=True)
    ]


LINES = (
    Published(
        record.FOLDER.parent / "examples" / "line-south.yaml",
        "Conrad von Metzke 1966, in Rod Walker, *The Gamer's Guide to Diplomacy*, position 1",
        f"{_POUCH}/walker.htm",
    ),
    *_of(
        "beshera-1 beshera-2 beshera-3 beshera-4",
        "John Beshera, *Fundamental Stalemate Positions, III*",
        "staleIII.htm",
    ),
    *_of(
        "lipton-1 lipton-2 lipton-3",
        "Robert Bryan Lipton, *A Series of Progressive Southern Stalemate Positions*, part I",
        "southern-progressive.htm",
    ),
    *_of("verheiden-eastern-1", "Eric Verheiden, *Eastern Stalemate Positions*", "eastern.htm"),
    *_of(
        "verheiden-southern-2 verheiden-southern-3 verheiden-southern-4",
        "Eric Verheiden, *Minimal Southern Stalemate Positions*",
        "southern-min.htm",
    ),
)
"""The lines, with their sources: texts that the Diplomatic Pouch has collected."""


def asked_of(held: searches.HoldResult) -> dict[str, Any]:
    """The question for the fewest units that hold the centres of a line, and no others, against the
    same enemy."""
    plain = line_to_dict(held.line)
    limits = {"fleets_not_in": plain["fleets_not_in"]} if plain["fleets_not_in"] else {}
    return {"centres": plain["centres"], **limits}


def questions() -> Iterator[tuple[str, dict[str, Any]]]:
    """The questions about the published lines, each after the name of its line."""
    for one in LINES:
        yield one.file.stem, asked_of(one.held())


def table_of(answers: list[Answer]) -> Iterator[str]:
    """The table of the published lines."""
    rows = []
    for number, one in enumerate(LINES, 1):
        held = one.held()
        answered = next((a for a in answers if a["asked"] == asked_of(held)), None)
        link = f"[{one.file.stem}]({_path(one.file)})"
        units, centres = len(held.line.units), len(asked_of(held)["centres"])
        counts = (str(units), str(centres))
        said = f"{one.said} ([text]({one.source}))"
        rows.append((str(number), link, said, *counts, held.verdict, _fewest(answered, units)))
    heads = ("", "line", "published", "units", "centres", "as printed", "fewest for these centres")
    yield from table(heads, rows)


def broken() -> Iterator[str]:
    """The orders that break the lines that do not hold."""
    for one in LINES:
        held = one.held()
        if held.witness is not None:
            orders = "; ".join(held.witness.orders[held.line.enemy.powers[0]])
            fallen = ", ".join(held.witness.dislodged or held.witness.entered)
            yield f"- [{one.file.stem}]({_path(one.file)}): {orders}. {fallen} falls."


def _path(file: Path) -> str:
    return f"published/{file.name}" if file.parent == FOLDER else f"../examples/{file.name}"


def _fewest(answered: Answer | None, units: int) -> str:
    if answered is None:
        return ""
    if answered["fewest"] is None:
        return f"unknown, at least {answered['bound']}"
    slug = record.slug_of("standard", answered)
    link = f"[{answered['fewest']}](lines/{slug}.yaml)"
    if answered["verdict"] == "unknown":
        return f"at most {link}, at least {answered['bound']}"
    return f"{link}, as printed" if answered["fewest"] == units else link
