"""Games as people and judges write them down: phase headings, power headings, orders.

    Map: standard

    Spring 1901 Movement

    England:
      F London - North Sea

The mails of e-mail judges (`Movement results for Spring of 1901`) are read, too, with a power
before every order, and so are pages of web sites, with a heading for each kind of orders. Such a
text holds only orders; judging them phase by phase gives the boards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain

from dipsat.base import PHASES, SHEET_LENGTH, FrozenDict, check_time, titled
from dipsat.board import Map
from dipsat.errors import DipsatError, FileError
from dipsat.formats.json_text import FilePlace, GatheredFaults
from dipsat.formats.judge_report import Results, results_in
from dipsat.formats.letter import Letter, letter_of
from dipsat.formats.line_meaning import SETTING
from dipsat.formats.mail import entries_of
from dipsat.formats.mail_text import plain_text
from dipsat.formats.saved_game import Notation, notation_of, read_map
from dipsat.formats.season import Season, heading, seasons_in
from dipsat.formats.text_sheet import Entry, orders_of
from dipsat.game import PhaseKind, PhaseName
from dipsat.orders import (
    NO_WORDS,
    Order,
    Words,
    reader_for,
    unit_alone,
    without_comment,
    write_order,
)


@dataclass(frozen=True, slots=True)
class Transcript:
    """The orders of a game, phase by phase. `rules` is None if the text names none. `skipped` says
    what was left out although it may be about orders, with its places; `results` has what a judge
    in the text says about the boards after phases."""

    board: Map
    map_name: str
    rules: str | None
    phases: tuple[tuple[PhaseName, Mapping[str, tuple[str, ...]]], ...]
    skipped: tuple[str, ...] = ()
    results: Mapping[PhaseName, Results] = field(default_factory=FrozenDict)


def phases_named(text: str, shown: str, map: Map | None = None) -> Iterator[PhaseName]:
    """The phases that a text has headings for. They may be in the language of the map, which the
    text may name; `shown` names the text."""
    named = _settings(text).get("map", "")
    if map is None and "+" in named:
        with suppress(DipsatError):
            map = read_map(named, FilePlace(shown))
    text = text if map is None else map.language.in_english(text)
    return (phase for line in text.splitlines() if (phase := heading(line)) is not None)


def has_seasons(text: str, shown: str) -> bool:
    """Whether a text has the moves of several seasons; with those of one, it may be a mail that
    also has the retreats after them."""
    found = (one for one in phases_named(text, shown) if one.kind is PhaseKind.MOVEMENT)
    first = next(found, None)
    return any(one != first for one in found)


def read_transcript(text: str, shown: str, map: Map | None = None) -> Transcript:
    """The game that a text states; `shown` names it in errors.

    Raises `FileError` for an unknown map and, with the line, for text above the first phase, for a
    phase with two headings, and for an order that cannot be read under the rules that the text
    names.
    """
    text, _, unread = plain_text(text, shown)
    named = _settings(text)
    board = map or read_map(named.get("map", "standard"), FilePlace(shown).at("map"))
    found = dict[PhaseName, list[Entry]]()
    headed, skipped = dict[PhaseName, int](), [*unread]
    results = dict[PhaseName, Results]()
    with notation_of(named.get("rules"), FilePlace(shown)) as notation:
        for phase, above, part in _parts(text, board, notation.words):
            place = f"{shown}:{above}"
            if phase in headed:
                problem = f"{phase} has a heading already, in line {headed[phase]}"
                raise FileError(place, f"{problem}; put its orders together")
            check_time()
            SHEET_LENGTH.check(len(part), place)
            letter = letter_of(part, shown, board, notation.words, phase, is_game=True, above=above)
            skipped += letter.doubtful
            if phase is None:
                _refuse_above(letter)
                continue
            headed[phase] = above
            found.setdefault(phase, [])
            entries = tuple(_entries(letter, board, notation, phase))
            for own, entry in entries:
                found.setdefault(own, []).append(entry)
            marks = {
                (one.power, one.text): letter.noted[at]
                for own, one in entries
                if own == phase and (at := one.place.rpartition(":")[0]) in letter.noted
            }
            if stated := results_in(letter.reported, board) or (marks and Results(None, None)):
                results[phase] = stated._replace(marks=marks)
            PHASES.check(len(found), place)
    phases = tuple((phase, orders_of(found[phase])) for phase in sorted(found))
    map_name = named.get("map", "standard")
    return Transcript(board, map_name, named.get("rules"), phases, tuple(skipped), results)


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


def _parts(text: str, board: Map, words: Words) -> Iterator[tuple[PhaseName | None, int, str]]:
    """The phases that headings name, each with the heading's line number and the text below it;
    None and 0 for the text above the first heading."""
    phase, above, lines = None, 0, list[str]()
    first_year = PhaseName.parse(board.first_phase).year
    for number, line in enumerate(text.splitlines(), 1):
        english = board.language.in_english(line)
        named = heading(english, words)
        if named is not None:
            yield phase, above, "\n".join(lines)
            dated = next(iter(seasons_in(english, first_year)[0]), Season.of(named))
            phase, above, lines = replace(named, year=dated.year or named.year), number, []
        else:
            lines.append(line)
    yield phase, above, "\n".join(lines)


def _refuse_above(letter: Letter) -> None:
    """Raise `FileError` for what may be an order, or a heading, above the first phase."""
    for number, line in enumerate(letter.text.splitlines(), 1):
        written = without_comment(line).strip()
        if written and SETTING.fullmatch(written) is None:
            problem = "text above the first phase; write 'Spring 1901 Movement' above it"
            raise FileError(letter.at(number), problem)


def _entries(
    letter: Letter, board: Map, notation: Notation, phase: PhaseName
) -> Iterator[tuple[PhaseName, Entry]]:
    """The orders below the heading of a phase, with the phases that they are for. Raises
    `FileError` for the first unreadable one. A unit alone has no order, except in a winter, when it
    is known what its power must do with it."""
    if not any(without_comment(line).strip() for line in letter.text.splitlines()):
        return
    words, faults = notation.words, GatheredFaults()
    reader = reader_for(board, words)

    def check(_: PhaseName, entry: Entry, order: Order | None) -> None:
        if order is None and unit_alone(board, entry.text, words) is None:
            notation.check(reader, entry.text, phase)

    entries = entries_of(letter, board, words, faults, phase, check, is_game=True)
    for own, entry in chain(entries, ((phase, Entry("", "")),)):
        for fault in faults.found:
            raise fault
        is_winter = own.kind is PhaseKind.ADJUSTMENT
        if entry.text and (is_winter or unit_alone(board, entry.text, words) is None):
            yield own, entry


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
