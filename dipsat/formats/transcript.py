"""Games as people write them down: phase headings, power headings, orders.

    Map: standard

    Spring 1901 Movement

    England:
      F London - North Sea

The headings of e-mail judges (`Movement results for Spring of 1901`) are read, too, with a power
before every order. Such a text holds only orders; judging them phase by phase gives the boards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from dipsat.board.map import Map
from dipsat.errors import DipsatError, FileError, OrderSyntaxError
from dipsat.formats.json_text import FilePlace
from dipsat.formats.states import Notation, notation_of, read_map
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.limits import check_time
from dipsat.limits_of_input import PHASES
from dipsat.orders.order import Order
from dipsat.orders.pasted import without_comment
from dipsat.orders.reader import reader_for
from dipsat.orders.sheet import read_sheet
from dipsat.orders.words import NO_WORDS, Words
from dipsat.orders.writer import write_order
from dipsat.titles import titled

SETTING = re.compile(r"(map|rules)\s*:\s*(\S.*)", re.IGNORECASE)
"""The setting in a line, without comments and spaces at its ends."""
_RESULTS = re.compile(
    r"(movement|retreat|adjustment)s? results for (\w+) of (\d{1,5})\b.*", re.IGNORECASE
)
PHASE = re.compile(r"^phase\s*:\s*", re.IGNORECASE)  # before the name of the phase
_NOTE = "(*", "*)"  # around an e-mail judge's note on an order, such as (*bounce*)
_LEAST, _MAX_HEADING = 3, 200  # characters: S1M is the shortest heading
_DIGIT = re.compile(r"\d")  # of the year that every heading has


@dataclass(frozen=True, slots=True)
class Transcript:
    """The orders of a game, phase by phase. `rules` is None where the text names none."""

    board: Map
    map_name: str
    rules: str | None
    phases: tuple[tuple[PhaseName, Mapping[str, tuple[str, ...]]], ...]


def is_transcript(text: str) -> bool:
    """Whether a text has a phase heading."""
    return any(heading(line) is not None for line in text.splitlines())


def has_several_phases(text: str) -> bool:
    """Whether a text has more than one phase heading: with one, it may be an order sheet."""
    found = (line for line in text.splitlines() if heading(line) is not None)
    return len(list(islice(found, 2))) > 1


def read_transcript(text: str, shown: str, map: Map | None = None) -> Transcript:
    """The game that a text states; `shown` names it in errors.

    Raises `FileError` for an unknown map and, with the line, for text above the first phase and for
    an order that cannot be read under the rules that the text names.
    """
    named = _settings(text)
    board = map or read_map(named.get("map", "standard"), FilePlace(shown).at("map"))
    with notation_of(named.get("rules"), FilePlace(shown)) as notation:
        phases = tuple(
            (phase, _orders(board, notation, "\n".join(lines), shown, line))
            for phase, line, lines in _sections(text, shown, notation.words)
        )
    return Transcript(board, named.get("map", "standard"), named.get("rules"), phases)


def _settings(text: str) -> dict[str, str]:
    """The settings above the first phase: the map and the rules."""
    found = {}
    for line in text.splitlines():
        setting = SETTING.fullmatch(without_comment(line).strip())
        if setting is not None:
            found[setting[1].lower()] = setting[2]
        elif heading(line) is not None:
            break
    return found


def _sections(text: str, shown: str, words: Words) -> list[tuple[PhaseName, int, list[str]]]:
    """The phases with the line number of their headings, and the lines below these.

    Raises `FileError` for text above the first phase.
    """
    found: list[tuple[PhaseName, int, list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        phase = heading(line, words)
        written = without_comment(line).strip()
        if phase is not None:
            found.append((phase, number, []))
            PHASES.check(len(found), f"{shown}:{number}")
        elif found:
            found[-1][2].append(_without_notes(line))
        elif written and SETTING.fullmatch(written) is None:
            problem = "text above the first phase; write 'Spring 1901 Movement' above it"
            raise FileError(f"{shown}:{number}", problem)
    return found


def _without_notes(line: str) -> str:
    """A line without what stands between (* and *)."""
    opening, closing = _NOTE
    kept, at = [], 0
    while (start := line.find(opening, at)) >= 0:
        end = line.find(closing, start + len(opening))
        if end < 0:
            break
        kept.append(line[at:start])
        at = end + len(closing)
    return "".join((*kept, line[at:]))


def heading(line: str, words: Words = NO_WORDS) -> PhaseName | None:
    """The phase that a line names as a heading, under rules with these words; None for other
    lines."""
    written = without_comment(line).strip()
    if not _LEAST <= len(written) <= _MAX_HEADING or _DIGIT.search(written) is None:
        return None
    written = PHASE.sub("", written, count=1)
    results = _RESULTS.fullmatch(written)
    if results is not None:
        written = f"{results[2]} {results[3]} {results[1]}"
    return PhaseName.find(written.rstrip(":"), words)


def _orders(
    board: Map, notation: Notation, text: str, path: str, line: int
) -> dict[str, tuple[str, ...]]:
    """The orders below a phase heading in `line`."""
    check_time()
    found: dict[str, list[str]] = {}
    if not any(without_comment(one).strip() for one in text.splitlines()):
        return {}
    try:
        entries = read_sheet(text, board, path, line)
    except FileError:
        raise
    except OrderSyntaxError as error:
        raise FileError(f"{path}:{line + (error.line or 0)}", error.problem) from None
    except DipsatError as error:
        raise FileError(f"{path}:{line}", f"below this line: {error}") from None
    for entry in entries:
        try:
            notation.check(reader_for(board, notation.words), entry.text)
        except DipsatError as error:
            raise FileError(f"{path}:{line + entry.line}", str(error)) from None
        found.setdefault(entry.power, []).append(entry.text)
    return {power: tuple(orders) for power, orders in found.items()}


def write_transcript(
    board: Map,
    map_name: str,
    rules: str,
    phases: Sequence[tuple[PhaseName, Mapping[str, Sequence[Order]]]],
    notation: str = "datc",
    words: Words = NO_WORDS,
) -> str:
    """The text of a game in a notation of `dipsat.orders.NOTATIONS`; `read_transcript` reads it.
    `words` are those of the rules."""
    lines = [f"Map: {map_name}", f"Rules: {rules}"]
    for phase, orders in phases:
        lines += ["", phase.title(words)]
        for power, own in orders.items():
            if own:
                is_winter = phase.kind is PhaseKind.ADJUSTMENT
                written = [
                    write_order(order, board, notation, power=power, adjustment=is_winter)
                    for order in own
                ]
                lines += ["", f"{_title(board, power)}:", *(f"  {text}" for text in written)]
    return "\n".join(lines) + "\n"


def _title(board: Map, power: str) -> str:
    title = titled(power)
    return title if board.names.powers.get(tuple(title.casefold().split())) == power else power
