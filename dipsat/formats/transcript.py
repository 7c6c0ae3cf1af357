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

from dipsat.board.map import Map
from dipsat.errors import DipsatError, FileError, OrderSyntaxError
from dipsat.formats.json_text import FilePlace
from dipsat.formats.states import Notation, notation_of, read_map
from dipsat.game.phase_name import SEASON_WORDS, PhaseKind, PhaseName, phase_letters
from dipsat.limits import ENDLESS, Running
from dipsat.limits_of_input import PHASES
from dipsat.orders.order import Order
from dipsat.orders.sheet import read_sheet
from dipsat.orders.words import NO_WORDS, Words
from dipsat.orders.writer import write_order

_SETTING = re.compile(r"(map|rules)\s*:\s*(\S.*)", re.IGNORECASE)  # of a line without its ends
_RESULTS = re.compile(
    r"(movement|retreat|adjustment)s? results for (\w+) of (\d{1,5})\b.*", re.IGNORECASE
)
_PHASE = re.compile(r"^phase\s*:\s*", re.IGNORECASE)  # before the name of the phase
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


def read_transcript(
    text: str, shown: str, map: Map | None = None, limits: Running = ENDLESS
) -> Transcript:
    """The game that a text states; `shown` names it in errors, `limits` are those of a running
    call.

    Raises `FileError` for an unknown map and, with the line, for text above the first phase and for
    an order that cannot be read under the rules that the text names.
    """
    named = _settings(text)
    board = map or read_map(named.get("map", "standard"), FilePlace(shown).at("map"), limits)
    with notation_of(named.get("rules"), FilePlace(shown), limits) as notation:
        phases = tuple(
            (phase, _orders(board, notation, "\n".join(lines), shown, line, limits))
            for phase, line, lines in _sections(text, shown, notation.words)
        )
    return Transcript(board, named.get("map", "standard"), named.get("rules"), phases)


def _settings(text: str) -> dict[str, str]:
    """The settings above the first phase: the map and the rules."""
    found = {}
    for line in text.splitlines():
        setting = _SETTING.fullmatch(line.partition("#")[0].strip())
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
        written = line.partition("#")[0].strip()
        if phase is not None:
            found.append((phase, number, []))
            PHASES.check(len(found), f"{shown}:{number}")
        elif found:
            found[-1][2].append(_without_notes(line))
        elif written and _SETTING.fullmatch(written) is None:
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
    written = line.partition("#")[0].strip()
    if not _LEAST <= len(written) <= _MAX_HEADING or _DIGIT.search(written) is None:
        return None
    written = _PHASE.sub("", written, count=1)
    results = _RESULTS.fullmatch(written)
    if results is not None:
        written = f"{results[2]} {results[3]} {results[1]}"
    return PhaseName.find(written.rstrip(":"), words)


def _orders(
    board: Map, notation: Notation, text: str, path: str, line: int, limits: Running
) -> dict[str, tuple[str, ...]]:
    """The orders below a phase heading in `line`."""
    limits.check()
    found: dict[str, list[str]] = {}
    if not re.sub(r"#.*", "", text).strip():
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
            notation.check(board, entry.text)
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
    title = power.title()
    return title if board.names.powers.get(tuple(title.casefold().split())) == power else power


def headed_sheet(
    text: str,
    shown: str,
    words: Words,
    of_any_kind: bool = False,
    stated: PhaseName | None = None,
) -> tuple[PhaseName | None, str]:
    """The phase above an order sheet, or the one that is `stated` elsewhere, None if there is none,
    and the sheet without it. Retreats and adjustments need more than a sheet says; it may be
    `of_any_kind` if that is stated elsewhere.

    Raises `FileError` for a phase that does not exist, that an order sheet cannot state, or that is
    not the only one.
    """
    phase = None
    lines = text.splitlines()
    for at, line in enumerate(lines):
        found = heading(line, words)
        if found is None:
            if phase is None and line.partition("#")[0].strip():
                _refuse_unknown_phase(line, f"{shown}:{at + 1}", words)
                break
            continue
        if phase is not None:
            problem = "is a second phase; `dipsat replay` judges a game of several phases"
            raise FileError(f"{shown}:{at + 1}", f"{line.strip()!r} {problem}")
        if stated is not None:
            refuse_other_phase(found, stated, f"{shown}:{at + 1}")
        _refuse_phase_of_sheet(found, f"{shown}:{at + 1}", of_any_kind)
        phase, lines[at] = found, ""
    if phase is None and stated is not None:
        _refuse_phase_of_sheet(stated, shown, of_any_kind)
    return phase or stated, "\n".join(lines)


def refuse_other_phase(found: PhaseName, stated: PhaseName, place: str) -> None:
    """Raise `FileError` if a file names another phase than the one that is stated."""
    if found != stated:
        problem = f"names {found}, but the phase is {stated} by the position or by --phase"
        raise FileError(place, problem)


def _refuse_phase_of_sheet(phase: PhaseName, place: str, of_any_kind: bool) -> None:
    if phase.kind not in (PhaseKind.MOVEMENT, PhaseKind.EXTRA) and not of_any_kind:
        problem = f"an order sheet cannot say what {phase} needs: state it in YAML, with "
        problem += "`centers`" if phase.kind is PhaseKind.ADJUSTMENT else "`dislodged`"
        problem += ", or name the file of the position with --position"
        raise FileError(place, problem)


def _refuse_unknown_phase(line: str, place: str, words: Words) -> None:
    """Raise `FileError` if a line has the season and year of a phase that does not exist, is the
    name of a season alone, or says `Phase:` and none."""
    line = line.partition("#")[0].strip()
    written = _PHASE.sub("", line, count=1).rstrip(":")
    season, year, _ = phase_letters(written, words)
    if written.casefold() in SEASON_WORDS.values():
        raise FileError(place, f"the year is missing; write it, such as '{written} 1901'")
    if (season and year) or _PHASE.match(line):
        with FilePlace(place):
            PhaseName.parse(written, words)
