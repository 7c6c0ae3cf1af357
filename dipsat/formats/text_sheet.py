"""An order sheet in plain text: what stands above the orders, and the orders with their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dipsat.board.map import Map
from dipsat.errors import FileError, OrderSyntaxError, nearest_names
from dipsat.formats.json_text import FilePlace, GatheredFaults
from dipsat.formats.named_units import Entry
from dipsat.formats.transcript import PHASE, SETTING
from dipsat.game.phase_name import SEASON_WORDS, PhaseKind, PhaseName, phase_letters
from dipsat.limits_of_input import SHEET_LENGTH
from dipsat.orders.pasted import without_comment
from dipsat.orders.sheet import scan_sheet
from dipsat.orders.words import Words


@dataclass(frozen=True, slots=True)
class SheetHead:
    """What a sheet names above its orders, "" for nothing, and the rest of its text. `lines` has
    the line of each setting."""

    map: str
    rules: str
    lines: dict[str, int]
    text: str


def head_of(text: str, shown: str) -> SheetHead:
    """The map and the rules that a sheet names, as games in text do (`Map: fleet_rome`). Raises
    `FileError` if it names one of them twice, and `InputLimitError` for too long a sheet."""
    SHEET_LENGTH.check(len(text), shown)
    found: dict[str, str] = {}
    places: dict[str, int] = {}
    lines = text.splitlines()
    for at, line in enumerate(lines):
        setting = SETTING.fullmatch(without_comment(line).strip())
        if setting is None:
            continue
        key = setting[1].lower()
        if key in found:
            raise FileError(f"{shown}:{at + 1}", f"the {key} stand in line {places[key]} already")
        found[key], places[key], lines[at] = setting[2].strip(), at + 1, ""
    return SheetHead(found.get("map", ""), found.get("rules", ""), places, "\n".join(lines))


def refuse_other_phase(found: PhaseName, stated: PhaseName, place: str) -> None:
    """Raise `FileError` if a file names another phase than the one that is stated."""
    if found != stated:
        raise FileError(place, f"names {found}, but the phase is {stated}")


def refuse_phase_of_sheet(phase: PhaseName, place: str) -> None:
    """Raise `FileError` for a phase of retreats or adjustments, which need more than a sheet
    says."""
    if phase.kind not in (PhaseKind.MOVEMENT, PhaseKind.EXTRA):
        problem = f"an order sheet cannot say what {phase} needs: state it in YAML, with "
        problem += "`centers`" if phase.kind is PhaseKind.ADJUSTMENT else "`dislodged`"
        problem += ", or give the position in a file of its own"
        raise FileError(place, problem).with_remedy("position")


def refuse_unknown_phase(line: str, place: str, words: Words) -> None:
    """Raise `FileError` if a line has the season and year of a phase that does not exist, is the
    name of a season alone, or says `Phase:` and none."""
    line = without_comment(line).strip()
    written = PHASE.sub("", line, count=1).rstrip(":")
    season, year, _ = phase_letters(written, words)
    if written.casefold() in SEASON_WORDS.values():
        raise FileError(place, f"the year is missing; write it, such as '{written} 1901'")
    word, _, rest = written.partition(" ")
    close = nearest_names(word.casefold(), SEASON_WORDS.values(), 1)
    if not season and close and rest.strip()[:4].isdigit():
        meant = f"{close[0].capitalize()} {rest.strip()}"
        raise FileError(place, f"unknown phase {written!r}; did you mean {meant!r}?")
    if (season and year) or PHASE.match(line):
        with FilePlace(place):
            PhaseName.parse(written, words)


def entries_of(
    text: str, board: Map, shown: str, faults: GatheredFaults, words: Words, power: str = ""
) -> Iterator[Entry]:
    """The orders of a sheet with their places; those above all headings are those of `power`.
    Headings that name no power, and orders above all
    headings, become `faults`. A lenient reader keeps only the latter: who wrote the orders below a
    misspelt heading must be known. Raises `FileError` for a sheet without orders."""
    found = 0
    headings = GatheredFaults()
    with FilePlace(shown):
        for line in scan_sheet(text, board, shown, power=power, words=words):
            place = f"{shown}:{line.line}:{line.column}"
            fault = line.fault
            if fault is None:
                found += 1
                yield place, line.power, line.text
            elif isinstance(fault, OrderSyntaxError):
                with faults, FilePlace(place):
                    raise OrderSyntaxError(fault.text, fault.problem)
            elif faults.lenient:
                with headings:
                    raise FileError(place, str(fault))
            else:
                with faults, FilePlace(place):
                    raise fault
    headings.raise_all()
    if faults.lenient and not found:
        raise faults.found[0]


def orders_of(entries: Iterable[Entry]) -> dict[str, tuple[str, ...]]:
    """Power -> its orders."""
    found: dict[str, list[str]] = {}
    for _, power, text in entries:
        found.setdefault(power, []).append(text)
    return {power: tuple(texts) for power, texts in found.items()}
