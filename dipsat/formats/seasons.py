"""The seasons that a text names, as players write them in mails: `Fall 1901`, `F1901M`, `fall '01`,
`Spring 1902 Retreats`, and `my fall orders`, which leaves the year out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dipsat.errors import FileError
from dipsat.game.phase_name import SEASON_WORDS, SEASONS, PhaseKind, PhaseName

_KINDS = {"m": "M", "d": "M", "r": "R", "a": "A", "b": "A", "x": "X", "e": "X"}
"""What a word for a kind of phase begins with -> its letter. `orders` are of any kind."""
_WORD = rf"(?<![^\W_])(?P<season>{'|'.join(SEASONS)})(?![^\W_])"
_KIND = r"movements?|moves?|diplomacy|retreats?|adjustments?|builds?|extra|orders"
_GAP, _YEAR = r"[\W_]{1,3}", r"['’]?(?P<year>\d{1,5})"
_BETWEEN = rf"[\W_]{{0,3}}(?:(?:of|the|year|turn|phase|season|(?P<inner>{_KIND})){_GAP}){{0,3}}"
_AFTER = rf"(?:{_GAP}(?P<kind>{_KIND})\b)?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b(?P<kind>{_KIND}){_GAP}(?:(?:for|of|in){_GAP})?(?:the{_GAP})?{_WORD}{_BETWEEN}{_YEAR}\b",
        rf"{_WORD}{_BETWEEN}{_YEAR}\b{_AFTER}",
        rf"\b(?P<season>[sufw]){_YEAR}(?P<kind>[mrxab]?)\b",
        rf"\b(?P<season>[sufw])[ ./-](?P<year>\d{{4}})\b{_AFTER}",
        rf"(?:\b|['’])(?P<year>\d{{4}}|(?<=['’])\d\d){_GAP}{_WORD}{_AFTER}",
        r"\b(?P<year>\d{4})[ ./-]?(?P<season>[sufw])(?P<kind>[mrxab]?)\b",
        rf"{_WORD}{_GAP}(?:turn|phase|season|(?P<kind>{_KIND}))\b",
        rf"\b(?P<kind>{_KIND}){_GAP}(?:for|of){_GAP}(?:the{_GAP})?{_WORD}",
    )
)


@dataclass(frozen=True, slots=True)
class Season:
    """A season in a text; `year` and `kind` are None where the text does not say them."""

    letter: str
    year: int | None = None
    kind: PhaseKind | None = None

    def __str__(self) -> str:
        """The name of its phase, or the word for a season without a year."""
        if self.year is None:
            return SEASON_WORDS[self.letter]
        return str(self.phase)

    @staticmethod
    def of(phase: PhaseName) -> Season:
        """The season of a phase, with its kind."""
        return Season(phase.season, phase.year, phase.kind)

    @property
    def phase(self) -> PhaseName | None:
        """The phase, by default the one that takes most orders; None without a year."""
        if self.year is None:
            return None
        default = {"W": PhaseKind.ADJUSTMENT, "U": PhaseKind.EXTRA}
        kind = self.kind or default.get(self.letter, PhaseKind.MOVEMENT)
        return PhaseName(self.letter, self.year, kind)

    def fits(self, phase: PhaseName) -> bool:
        """Whether a phase may be meant."""
        return self.with_(Season.of(phase)) is not None

    def with_(self, other: Season) -> Season | None:
        """What both say together, None if they contradict each other."""
        years = {self.year, other.year} - {None}
        kinds = {self.kind, other.kind} - {None}
        if self.letter != other.letter or len(years) > 1 or len(kinds) > 1:
            return None
        return Season(self.letter, next(iter(years), None), next(iter(kinds), None))


def seasons_in(text: str, first_year: int, is_signed: bool = False) -> tuple[list[Season], str]:
    """The seasons that a text names, and the rest of the text. Years of two digits are of the
    century of `first_year`; in a signature, `S21` is a telephone. Raises `UnknownNameError` for a
    phase that does not exist, such as `F1901A`."""
    found: list[Season] = []

    def take(match: re.Match[str]) -> str:
        groups = match.groupdict()
        word, digits = groups["season"].lower(), groups.get("year") or ""
        year = _year(digits, first_year)
        if digits and (year is None or (is_signed and len(word + digits) < _CLEAR)):
            return match[0]
        kind = (groups.get("kind") or groups.get("inner") or "")[:1].lower()
        is_name = kind and len(word) == 1 and match[0].isalnum()
        if is_name and len(digits) == len(str(year)):
            PhaseName.parse(match[0])
        found.append(_season(word, year, _KINDS.get(kind, "")))
        return " "

    for form in _FORMS:
        text = form.sub(take, text)
    return found, text


_FORWARDED = ("original message", "forwarded message", "weitergeleitete nachricht")
_CLEAR = 4  # characters of a season with its year


def _season(word: str, year: int | None, kind: str) -> Season:
    """The season of a word or letter. The builds of a fall are those of its winter; any other kind
    that the season does not have, as in `Winter 1901 moves`, says nothing."""
    letter = SEASONS.get(word, word.upper())
    if (letter, kind) == ("F", "A") and word != "f":
        letter = "W"
    if (letter, kind) == ("U", "R"):  # as some judges call what follows the moves of spring
        letter = "S"
    known = kind and PhaseName.find(f"{letter}1901{kind}") is not None
    return Season(letter, year, PhaseKind(kind) if known else None)


def _year(digits: str, first_year: int) -> int | None:
    """A year, None for digits that are none: `Fall 3 armies back`."""
    is_short = len(digits) < min(len(str(first_year)), 4)
    if is_short and len(digits) != 2:
        return None
    return first_year // 100 * 100 + int(digits) if is_short else int(digits)


Named: TypeAlias = tuple[int, Season]
"""The line of a text (from 0) that names a season, and the season."""


def agreed(
    named: Sequence[Named], shown: str, stated: PhaseName | None, first: PhaseName
) -> Season | None:
    """What these lines say together, None if there are none. `stated` is the phase that is known
    from elsewhere; `first` is that of the map, which is meant where nothing names another.

    Raises `FileError` with the line of a contradiction.
    """
    known = None
    for at, season in named:
        both = season if known is None else known.with_(season)
        if stated is not None and not season.fits(stated):
            raise FileError(f"{shown}:{at + 1}", f"names {season}, but the phase is {stated}")
        if both is None:
            first_at = named[0][0]
            other = "it" if first_at == at else f"line {first_at + 1}"
            problem = f"names {season}, but {other} names {known}, too; keep one of them"
            raise FileError(f"{shown}:{at + 1}", problem)
        known = both
    if known is not None and stated is None and known.year is None and not known.fits(first):
        problem = f"names {known} without a year; write it, such as '{known} {first.year}'"
        raise FileError(f"{shown}:{named[0][0] + 1}", problem)
    return known


def quoted_lines(lines: Iterable[str]) -> list[bool]:
    """Whether each line is part of an older mail: marked as quoted, or below one that says so."""
    found, is_below = [], False
    for line in lines:
        found.append(is_below or line.lstrip().startswith(">"))
        is_below = is_below or is_forwarding(line)
    return found


def answered_lines(lines: Sequence[str], quoted: Sequence[bool]) -> Iterator[int]:
    """The quoted lines below one that says whose mail they quote."""
    is_answered = False
    for at, line in enumerate(lines):
        begins = is_attribution(line) or is_forwarding(line)
        is_answered = begins or (is_answered and (quoted[at] or not line.strip()))
        if is_answered and quoted[at] and not begins:
            yield at


def is_attribution(line: str) -> bool:
    """Whether a line says who wrote what is quoted below it: `On Monday, Bob wrote:`."""
    return line.rstrip().casefold().endswith(("wrote:", "schrieb:"))


def is_forwarding(line: str) -> bool:
    """Whether an older mail begins below a line."""
    return any(one in line.casefold() for one in _FORWARDED)


def older_lines(
    lines: Sequence[str], quoted: Sequence[bool], named: Sequence[Named], phase: PhaseName
) -> Iterator[tuple[Season, list[int]]]:
    """The quoted lines below the name of another season than that of the phase, down to the end of
    the quotation or the name of this season. `named` has the seasons in quoted lines."""
    by_line = dict(named)
    older: list[int] = []
    season = None
    for at, line in enumerate(lines):
        found = by_line.get(at)
        if season is not None and (found is not None or not quoted[at]) and line.strip():
            yield season, older
            season, older = None, []
        if found is not None and not found.fits(phase):
            season = found
        if season is not None and line.strip():
            older.append(at)
    if season is not None:
        yield season, older
