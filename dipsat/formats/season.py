"""The phases that a text names: in headings, and as players write them in mails."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from dipsat.board import Map, in_any_language, words_of
from dipsat.errors import AmbiguousNameError, FileError, did_you_mean, nearest_names
from dipsat.formats.json_text import FilePlace
from dipsat.game import SEASON_WORDS, SEASONS, PhaseKind, PhaseName, phase_letters
from dipsat.orders import NO_WORDS, Words, without_comment

# --- headings -------------------------------------------------------------------------------------

# Lines that name a phase, and nothing else: `Spring 1901 Movement`, `S1901M`, and those of e-mail
# judges (`Movement results for Spring of 1901`).


_RESULTS = re.compile(
    r"(movement|retreat|adjustment)s? (?:results|orders) for (\w+) of (\d{1,5})\b.*", re.IGNORECASE
)
_RESULTS_FOR = re.compile(r"results for (.+)", re.IGNORECASE)
_LINK = re.compile(r"\slarge map\b", re.IGNORECASE)  # beside a heading on a web page
PHASE = re.compile(r"^phase\s*:\s*", re.IGNORECASE)  # before the name of the phase
_LEAST, _MAX_HEADING = 3, 200  # characters: S1M is the shortest heading
_DIGIT = re.compile(r"\d")  # every heading has a year
_MARKS = "*_=~#-–— \t"  # around a heading


def heading(line: str, words: Words = NO_WORDS) -> PhaseName | None:
    """The phase that a line names as a heading, under rules with these words; None for other
    lines."""
    written = without_comment(line).strip(_MARKS)
    if not _LEAST <= len(written) <= _MAX_HEADING or _DIGIT.search(written) is None:
        return None
    written = PHASE.sub("", written, count=1)
    written = _LINK.sub("", written, count=1)
    results = _RESULTS.fullmatch(written)
    if results is not None:
        written = f"{results[2]} {results[3]} {results[1]}"
    elif (results := _RESULTS_FOR.fullmatch(written)) is not None:
        written = results[1]
    return PhaseName.find(written.rstrip(":"), words)


def refuse_unknown_phase(line: str, place: str, words: Words) -> None:
    """Raise `FileError` if a line has the season and year of a phase that does not exist, or says
    `Phase:` without one."""
    line = without_comment(line).strip()
    written = PHASE.sub("", line, count=1).rstrip(":")
    season, year, _ = phase_letters(written, words)
    word, _, rest = written.partition(" ")
    if not season and rest.strip()[:4].isdigit():
        for close in nearest_names(word.casefold(), SEASON_WORDS.values(), 1):
            meant = f"{close.capitalize()} {rest.strip()}"
            raise FileError(place, f"unknown phase {written!r}; {did_you_mean(repr(meant))}")
    if (season and year) or PHASE.match(line):
        with FilePlace(place):
            PhaseName.parse(written, words)


# --- seasons --------------------------------------------------------------------------------------

# The seasons that a text names, as players write them in mails: `Fall 1901`, `F1901M`, `fall '01`,
# `Spring 1902 Retreats`, and `my fall orders`, which leaves the year out.


_KINDS = {"m": "M", "d": "M", "r": "R", "a": "A", "b": "A", "x": "X", "e": "X"}
"""First letter of a word for a kind of phase -> the kind's letter. `orders` may be of any."""
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
        r"\b(?P<year>\d{4})[./-]?(?P<season>[sufw])(?P<kind>[mrxab]?)\b",
        r"\b(?P<year>\d{4}) (?P<season>[sufw])\b",
        rf"{_WORD}{_GAP}(?:turn|phase|season|(?P<kind>{_KIND}))\b",
        rf"\b(?P<kind>{_KIND}){_GAP}(?:for|of){_GAP}(?:the{_GAP})?{_WORD}",
        rf"\bfor{_GAP}(?:the{_GAP})?{_WORD}",
        rf"\b(?P<kind>{_KIND}){_GAP}(?:for|of|in){_GAP}(?P<year>\d{{4}})\b",
    )
)


KINDS = {
    **dict.fromkeys(("diplomacy", "movement", "movements", "move", "moves"), PhaseKind.MOVEMENT),
    **dict.fromkeys(("retreat", "retreats"), PhaseKind.RETREAT),
    **dict.fromkeys(
        ("adjustment", "adjustments", "build", "builds", "placement", "removals"),
        PhaseKind.ADJUSTMENT,
    ),
}
"""Words for a kind of orders in a heading -> the kind."""
_OF_KIND = {"M": "moves", "R": "retreats", "A": "builds"}


@dataclass(frozen=True, slots=True)
class Season:
    """What a text says about a phase: its season ("" if none is named), its year, and its kind."""

    letter: str
    year: int | None = None
    kind: PhaseKind | None = None

    def __str__(self) -> str:
        """The name of its phase; without a year, the word for the season or for the orders."""
        if self.year is not None:
            return str(self.phase or self.year)
        return SEASON_WORDS.get(self.letter) or _OF_KIND.get(self.kind or "", "orders")

    @staticmethod
    def of(phase: PhaseName) -> Season:
        """The season of a phase, with its kind."""
        return Season(phase.season, phase.year, phase.kind)

    @property
    def phase(self) -> PhaseName | None:
        """The phase, by default the one that takes most orders; None without a season or a year."""
        if self.year is None or not self.letter:
            return None
        default = {"W": PhaseKind.ADJUSTMENT, "U": PhaseKind.EXTRA}
        kind = self.kind or default.get(self.letter, PhaseKind.MOVEMENT)
        return PhaseName(self.letter, self.year, kind)

    def dated(self, year: int) -> PhaseName | None:
        """The phase in a year."""
        return replace(self, year=year).phase

    def fits(self, phase: PhaseName) -> bool:
        """Whether this may mean a phase."""
        return self.with_(Season.of(phase)) is not None

    def with_(self, other: Season) -> Season | None:
        """What both say together, None if they contradict each other."""
        letters = {self.letter, other.letter} - {""}
        years = {self.year, other.year} - {None}
        kinds = {self.kind, other.kind} - {None}
        if len(letters) > 1 or len(years) > 1 or len(kinds) > 1:
            return None
        return Season("".join(letters), next(iter(years), None), next(iter(kinds), None))

    def beside(self, phase: PhaseName) -> PhaseName | None:
        """The phase that this means beside orders of another phase: that phase if it fits, or else
        the retreats of its season or the builds of its year. None if the text has to say more."""
        if self.fits(phase):
            return phase
        if self.year is not None:
            return self.phase
        if self.letter == "W" or (not self.letter and self.kind is PhaseKind.ADJUSTMENT):
            return PhaseName("W", phase.year, PhaseKind.ADJUSTMENT)
        if not self.letter:
            return PhaseName.find(f"{phase.season}{phase.year}{self.kind}")
        found = Season(self.letter, phase.year, self.kind).phase
        return None if found is None or found.is_before(phase) else found

    def is_clear_beside(self, phase: PhaseName) -> bool:
        """Whether this means only one phase in a game that is in `phase`: without a year, it should
        be that phase, its retreats, or its winter."""
        if self.year is not None or self.fits(phase) or self.letter == phase.season:
            return True
        is_winter = self.letter == "W" or (self.letter, self.kind) == ("", PhaseKind.ADJUSTMENT)
        return is_winter and phase.season == "F"

    def follows(self, other: Season) -> bool:
        """Whether these are the retreats or builds of the same turn."""
        if len({self.year, other.year} - {None}) > 1:
            return False
        if self.kind is PhaseKind.RETREAT:
            return self.letter in ("", other.letter) and other.kind is not self.kind
        return self.letter == "W" and other.letter == "F"


def seasons_in(text: str, first_year: int, is_signed: bool = False) -> tuple[list[Season], str]:
    """The seasons that a text names, and the rest of the text. Years of two digits are of the
    century of `first_year`; in a signature, `S21` is a telephone number. Raises `UnknownNameError`
    for a phase that does not exist, such as `F1901A`."""
    found: list[Season] = []

    def take(match: re.Match[str]) -> str:
        groups = match.groupdict()
        word, digits = (groups.get("season") or "").lower(), groups.get("year") or ""
        year = _year(digits, first_year)
        if digits and (year is None or (is_signed and len(word + digits) < _CLEAR_SEASON)):
            return match[0]
        kind = (groups.get("kind") or groups.get("inner") or "")[:1].lower()
        word = "w" if (word, kind) == ("f", "b") else word  # as judges call W1901A
        is_name = kind and word == match[0][:1].lower() and match[0].isalnum()
        if is_name and len(digits) == len(str(year)):
            PhaseName.parse(match[0])
        found.append(_season(word, year, _KINDS.get(kind, "")))
        return " "

    for form in _FORMS:
        text = form.sub(take, text)
    return found, text


_CLEAR_SEASON = 4  # fewest characters of a season with its year


def _season(word: str, year: int | None, kind: str) -> Season:
    """The season of a word or letter. The builds of a fall are those of its winter; any other kind
    that the season does not have, as in `Winter 1901 moves`, is ignored."""
    letter = SEASONS.get(word, word.upper())
    if (letter, kind) == ("F", "A") and word != "f":
        letter = "W"
    if (letter, kind) == ("U", "R"):  # some judges' name for spring retreats
        letter = "S"
    known = kind and PhaseName.find(f"{letter or 'S'}1901{kind}") is not None
    return Season(letter, year, PhaseKind(kind) if known else None)


def _year(digits: str, first_year: int) -> int | None:
    """A year; None for digits that are not one: `Fall 3 armies back`."""
    is_short = len(digits) < min(len(str(first_year)), 4)
    if is_short and len(digits) != 2:
        return None
    return first_year // 100 * 100 + int(digits) if is_short else int(digits)


def phase_named(
    typed: str, board: Map, words: Words = NO_WORDS, among: Iterable[PhaseName] = ()
) -> PhaseName:
    """The phase that people call `typed`: `Fall 1901`, `F1901`, `fall '01`, `Herbst 1901`. Without
    a year, it is the only phase of those in `among` that fits. Without a kind, it is the phase that
    takes most orders. Raises `UnknownNameError` or `AmbiguousNameError`."""
    first_year, known = PhaseName.parse(board.first_phase).year, tuple(among)
    for text in in_any_language(board, typed):
        exact = PhaseName.find(text, words)
        if exact is not None and len(str(exact.year)) >= len(str(first_year)):
            return exact
        seasons, rest = seasons_in(text, first_year)
        if not seasons and text.strip().casefold() in SEASONS:
            seasons, rest = [Season(SEASONS[text.strip().casefold()])], ""
        if len(seasons) != 1 or words_of(rest):
            continue
        (season,) = seasons
        if season.phase is not None:
            return season.phase
        fits = [one for one in known if season.fits(one) and season.dated(one.year) == one]
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise AmbiguousNameError("phase", typed, map(str, fits))
    return PhaseName.parse(typed, words)


def seasons_in_subject(text: str, first_year: int) -> tuple[list[Season], str]:
    """The seasons that a subject names, and the rest of the text. A word for a season, or for
    retreats or builds, is enough: `Fall Russia`, `Builds`."""
    seasons, rest = seasons_in(text, first_year)
    if not seasons:
        words = words_of(rest)
        seasons = [Season(SEASONS[one]) for one in words if one in SEASONS]
        kinds = {KINDS[one] for one in words if one in KINDS}
        has_moves = PhaseKind.MOVEMENT in kinds or "orders" in words
        if not seasons and len(kinds) == 1 and not has_moves:
            seasons = [Season("", None, *kinds)]
    return seasons, rest


# --- agreement ------------------------------------------------------------------------------------


Named: TypeAlias = tuple[int, Season]
"""The line of a text (from 0) that names a season, and the season."""


def agreed(
    named: Sequence[Named], place: Callable[[int], str], stated: PhaseName | None, first: PhaseName
) -> PhaseName | None:
    """The phase that these lines name together, None if there are none; the retreats and builds of
    its turn may be named beside it. `stated` is the phase known from elsewhere; instead of it, only
    a phase that `may_wait` may be named. `first` is the map's first phase, which is meant if none
    is named. `place` names a line in errors.

    Raises `FileError` with the line of a contradiction.
    """
    known: Season | None = None
    for at, season in named:
        both = season if known is None else known.with_(season)
        if known is not None and both is None:
            if not (season.follows(known) or known.follows(season)):
                first_at = named[0][0]
                other = "it" if first_at == at else f"line {first_at + 1}"
                problem = f"names {season}, but {other} names {known}, too; keep one of them"
                raise FileError(place(at), problem)
            both = known if season.follows(known) else season
        known = both
    if known is None:
        return None
    phase = known.beside(stated or first)
    if stated is not None and (
        phase is None or not may_wait(phase, stated) or not known.is_clear_beside(stated)
    ):
        refuse_others(named, place, stated)
    if stated is None and known.letter and known.year is None and phase != first:
        problem = f"names {known} without a year; write it, such as '{known} {first.year}'"
        raise FileError(place(named[0][0]), problem)
    return phase


def may_wait(phase: PhaseName, stated: PhaseName) -> bool:
    """Whether orders for a phase can be sent in the stated one: it is in this year or the next."""
    return not phase.is_before(stated) and phase.year <= stated.year + 1


def refuse_others(named: Sequence[Named], place: Callable[[int], str], phase: PhaseName) -> None:
    """Raise `FileError` with the line of the first season that does not fit the phase."""
    for at, season in named:
        if not season.fits(phase):
            raise other_phase(season, phase, place(at))


def other_phase(named: Season | PhaseName, phase: PhaseName, place: str) -> FileError:
    """The error for a text that is for a phase other than the one that is judged."""
    is_dated = isinstance(named, PhaseName) or named.year is not None
    hint = "" if is_dated else "; write the season and the year"
    return FileError(place, f"names {named}, but the phase is {phase}{hint}")
