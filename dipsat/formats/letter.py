"""Order sheets in e-mails: the head, the greeting and the signature around the orders, and the
phase that the text names.

What may be an order, or the heading of a power, is never skipped: such a line stays, whatever
stands around it. Only what is quoted from an older mail, below the name of another season or a line
such as `Bob wrote:`, is left out beside orders that are not quoted. All that is skipped is noted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import groupby, pairwise
from typing import TypeAlias

from dipsat.board import Map, words_of
from dipsat.errors import AmbiguousNameError, FileError, UnknownNameError, shortened
from dipsat.formats.json_text import FilePlace
from dipsat.formats.text_sheet import SETTING, heading, refuse_unknown_phase
from dipsat.game import SEASON_WORDS, SEASONS, PhaseKind, PhaseName, phase_letters
from dipsat.orders import (
    ACTIONS,
    ARROW,
    BUILD,
    DISBAND,
    SPOKEN_ACTIONS,
    WAIVE,
    Word,
    Words,
    after_mark,
    kind_words,
    notation_of,
    of_convoys,
    power_of_heading,
    provinces_like,
    without_comment,
    without_struck,
)

# --- seasons --------------------------------------------------------------------------------------

# The seasons that a text names, as players write them in mails: `Fall 1901`, `F1901M`, `fall '01`,
# `Spring 1902 Retreats`, and `my fall orders`, which leaves the year out.


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
        if digits and (year is None or (is_signed and len(word + digits) < _CLEAR_SEASON)):
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
_CLEAR_SEASON = 4  # characters of a season with its year


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


# --- letter ---------------------------------------------------------------------------------------


_HEAD = re.compile(
    r"(from|to|cc|bcc|subject|re|date|sent|reply-to|in-reply-to|references|message-id|return-path"
    r"|delivered-to|received|mime-version|content-[a-z-]+|x-[a-z-]+|user-agent|importance)\s*:",
    re.IGNORECASE,
)
_SUBJECTS = ("subject", "re")
_ADDRESS = re.compile(r"[\w.]@[\w-]+\.\w")
_NAMED = re.compile(r"<[^<>\s@]*@[^<>\s]*>")  # an address, with the name of its owner before it
_GREETING = {"dear", "greetings", "hallo", "hello", "hey", "hi", "salut"}
_TIMES = {"afternoon", "day", "evening", "morning"}  # that people call good
_PEOPLE = {"all", "everybody", "everyone", "folks", "gentlemen", "players"}
_CLOSING = {
    "best", "bests", "cheers", "ciao", "kind", "kindest", "love", "many", "regards",
    "respectfully", "sincerely", "thank", "thanks", "thx", "warm", "wishes", "yours",
}  # fmt: skip
_ANNOUNCED = {"moves", "orders"}
_FILLERS = {
    *_ANNOUNCED, "a", "adjustments", "all", "and", "are", "below", "builds", "by", "diplomacy",
    "final", "follow", "following", "for", "fw", "fwd", "game", "here", "in", "is", "my", "new",
    "of", "order", "our", "phase", "please", "re", "results", "retreats", "revised", "season",
    "sheet", "the", "these", "turn", "updated",
}  # fmt: skip
"""Words in a subject or an announcement that say nothing of whose orders follow."""

_RULES = ("--", "—")  # above a signature; readers of sheets skip all rules
_LONG = 8  # words of a greeting or a closing
_PROSE = 4  # words of the shortest sentence
_LONGEST = 2_000  # characters of a line that is looked at
_CLEAR = 5  # letters of a name that a misspelt one is compared with
_LIKE = 0.8  # how like the name of a power a word is that may be meant for it
_EMPTY = re.compile(r"\([^\w()]*\)")


@dataclass(frozen=True, slots=True)
class Letter:
    """An order sheet without the e-mail around it, and without the names of phases.

    `text` has the sheet, with its lines in their places; `power` ("" for none) is the one that the
    subject names, `phase` the one that is stated elsewhere, or else named in the text. `place` is
    where it is named. `skipped` says what was left out, or taken from the lines around the orders.
    """

    text: str
    skipped: tuple[str, ...] = ()
    power: str = ""
    phase: PhaseName | None = None
    place: str = ""


def letter_of(
    text: str, shown: str, board: Map, words: Words, stated: PhaseName | None = None
) -> Letter:
    """Part an order sheet from the e-mail around it; `shown` names the file in what is said,
    `words` are those of the rules. `stated` is the phase that is known from elsewhere.

    Raises `FileError` for a phase that does not exist or stands below orders, and for a season that
    contradicts another one in the text or the phase that the orders would be judged for.
    """
    text, struck = without_struck(text)
    parting = _Parting(text, shown, board, words, stated)
    for at in range(len(parting.lines)):
        with FilePlace(f"{shown}:{at + 1}"):
            parting.read(at)
    left_out = (
        f"{shown}:{at}: skipped what is struck out: {shortened(one)!r}" for at, one in struck
    )
    letter = parting.letter()
    return replace(letter, skipped=(*letter.skipped, *left_out))


class _Parting:
    """The parting of a sheet from the e-mail around it, line by line."""

    def __init__(
        self, text: str, shown: str, board: Map, words: Words, stated: PhaseName | None
    ) -> None:
        self.reading = _Reading(board, words)
        self.lines = text.splitlines()
        self.english = list(map(board.language.in_english, self.lines))  # says what a line is
        self.shown = shown
        self.first = PhaseName.parse(board.first_phase)
        self.stated = stated
        self.kept = list(self.lines)
        self.around: list[int] = []  # lines that are skipped, and -1 for those that are not
        self.quoted = quoted_lines(self.lines)
        self.has_own_orders = False
        self.headings: dict[int, str] = {}  # line that is read as a heading -> what it names
        self.headed: int | None = None  # the line that is the name of a phase, and nothing else
        self.power, self.power_at = "", 0
        self.named: list[Named] = []
        self.signed: list[Named] = []  # in a signature, which says little of the orders
        self.is_signed, self.is_below = False, False

    def read(self, at: int) -> None:
        """Keep a line, or skip it, and note what it names."""
        body = _body(self.english[at])
        self.is_signed = self.is_signed or body in _RULES
        if not body or len(body) > _LONGEST or body in _RULES:
            self._remark(at)
            return
        phase = None if self.quoted[at] else heading(self.english[at], self.reading.words)
        if phase is not None:
            self._head(at, phase)
            return
        seasons, rest = seasons_in(body, self.first.year, self.is_signed)
        announced = self.reading.announced(body, rest, bool(seasons))
        is_named = announced is not None and "(" in body  # `France (Fall 1901)` is like DAIDE
        is_named = is_named and not self.reading.is_order(_EMPTY.sub(" ", rest))
        if self.reading.is_order(body) and not is_named:
            above, colon, _ = body.partition(":")
            seasons = seasons_in(above, self.first.year)[0] if colon else []
            self.named += ((at, season) for season in seasons)
            self.has_own_orders |= not self.quoted[at]
            self.is_signed, self.is_below = False, True
            self.around.append(-1)
            return
        if announced is not None:
            names = filter(None, (announced, *map(str, seasons)))
            self.headings[at] = " and ".join(dict.fromkeys(names))
            self.kept[at] = f"{announced}:" if announced else ""
            self.named += ((at, season) for season in seasons)
            self.is_below = self.is_below or bool(announced)
            self.around.append(-1)
            return
        is_heading = self.reading.is_heading(body)
        begins = not is_heading and _is_signature(body)
        self.is_signed = self.is_signed or begins
        head = _HEAD.match(body)
        is_subject = head is not None and head[1].lower() in _SUBJECTS
        if is_subject or head is None:
            (self.signed if self.is_signed else self.named).extend((at, one) for one in seasons)
        is_around = begins or _is_around(body) or self.reading.is_prose(body)
        if is_heading or not (is_around or (self.is_signed and self.reading.is_far(body))):
            self.is_signed = self.is_signed and not is_heading
            self.is_below = self.is_below or is_heading
            self.around.append(-1)
            return
        self.around.append(at)
        self.kept[at] = ""
        if head is not None and is_subject and not self.power:
            self.power, self.power_at = self.reading.named_in(rest[head.end() :])[0], at

    def _remark(self, at: int) -> None:
        """Note the season in a line that is a comment and names nothing else: `# Fall 1901`."""
        seasons, rest = seasons_in(self.english[at][:_LONGEST], self.first.year)
        if seasons and self.reading.named_in(rest)[1]:
            self.signed += ((at, season) for season in seasons)

    def _head(self, at: int, phase: PhaseName) -> None:
        """Take the name of a phase from a line that has nothing else. Raises `FileError` if another
        such line, or an order, stands above it."""
        body = _body(self.lines[at])
        if self.headed is not None:
            problem = "is a second phase; `dipsat play` goes on with a game of several phases"
            raise FileError(f"{self.shown}:{at + 1}", f"{body!r} {problem}")
        if self.is_below:
            problem = f"{body!r} stands below orders; write the phase above them"
            raise FileError(f"{self.shown}:{at + 1}", problem)
        self.headed, self.kept[at], self.is_signed = at, "", False
        named = seasons_in(_body(self.english[at]), self.first.year)[0]
        for season in named[:1] or [Season.of(phase)]:
            is_usual = season.phase is None or season.phase.kind is phase.kind
            self.named.append((at, season if is_usual else replace(season, kind=phase.kind)))
        self.around.append(-1)

    def letter(self) -> Letter:
        """What all lines make together. Raises `FileError` for seasons that contradict each
        other."""
        if self.headed is None:
            found = (at for at, one in enumerate(self.kept) if without_comment(one).strip())
            at = next(found, 0)
            words = self.reading.words
            line = self.reading.board.language.in_english("".join(self.kept[at : at + 1]))
            refuse_unknown_phase(line, f"{self.shown}:{at + 1}", words)
        is_own = [not (self.has_own_orders and self.quoted[at]) for at, _ in self.named]
        own = [one for one, counts in zip(self.named, is_own, strict=True) if counts]
        quoted = [one for one, counts in zip(self.named, is_own, strict=True) if not counts]
        season = agreed(own, self.shown, self.stated, self.first)
        phase = self.stated or (None if season is None else season.phase)
        agreed(self.signed, self.shown, phase or self.first, self.first)
        older = self._leave_out(quoted, phase or self.first, season is None and not self.stated)
        read = (
            f"{self.shown}:{at + 1}: {shortened(_body(self.lines[at]))!r} is read as a heading of "
            f"{names}"
            for at, names in self.headings.items()
        )
        taken = {self.power_at: [self.power]} if self.power else {}
        at = next((at for at, one in own if one.phase is not None), 0)
        if self.stated is None and phase is not None and at not in (self.headed, *self.headings):
            taken.setdefault(at, []).append(str(phase))
        named = (
            f"{self.shown}:{at + 1}: {' and '.join(names)}: taken from "
            f"{shortened(_body(self.lines[at]))!r}"
            for at, names in sorted(taken.items())
        )
        blocks = (list(ats) for kept, ats in groupby(self.around, (-1).__eq__) if not kept)
        around = (self._skipped(ats, "text around the orders") for ats in blocks)
        skipped = (*around, *older, *read, *named)
        text = "\n".join(self.kept)
        return Letter(text, skipped, self.power, phase, f"{self.shown}:{at + 1}")

    def _leave_out(self, quoted: Sequence[Named], phase: PhaseName, is_guessed: bool) -> list[str]:
        """Leave out what an older mail says of other seasons, and all of it if it is answered with
        orders, and say so. Raises `FileError` if
        nothing but the quotation says what the orders are for."""
        found = []
        for season, ats in older_lines(self.lines, self.quoted, quoted, phase):
            if is_guessed:
                problem = f"quotes {season}, but the orders do not say what phase they are for"
                raise FileError(f"{self.shown}:{ats[0] + 1}", problem).with_remedy("phase")
            found.append(self._skipped(ats, f"an older mail, about {season}"))
        rest = [at for at in answered_lines(self.lines, self.quoted) if _body(self.kept[at])]
        if self.has_own_orders and rest:
            found.append(self._skipped(rest, "an older mail"))
        return found

    def _skipped(self, ats: Sequence[int], what: str) -> str:
        """Leave out lines, and give a sentence on them, which quotes the first and the last."""
        for at in ats:
            self.kept[at] = ""
            self.headings.pop(at, "")
        first, last = ats[0], ats[-1]
        quoted = repr(shortened(_body(self.lines[first])))
        if len(ats) > 1:
            end = repr(shortened(_body(self.lines[last])))
            quoted += f" {'and' if len(ats) == 2 else 'to'} {end}"
        lines = "a line" if len(ats) == 1 else f"{len(ats)} lines"
        place = f"{first + 1}" if first == last else f"{first + 1}-{last + 1}"
        return f"{self.shown}:{place}: skipped {lines} of {what}: {quoted}"


def _body(line: str) -> str:
    """A line without marks of quotations and lists, and without a comment."""
    line = without_comment(line)
    return line[after_mark(line, 0, len(line)) :].strip(" \t\r\u200b\ufeff")


def _is_around(body: str) -> bool:
    """Whether a line is of the head of an e-mail, a greeting, or what stands above a quotation."""
    if _HEAD.match(body) or _ADDRESS.search(body) or is_forwarding(body) or is_attribution(body):
        return True
    words = words_of(body)
    if not words or len(words) > _LONG:
        return False
    is_good = words[0] == "good" and words[1:2] and words[1] in _TIMES
    is_called = len(words) == 1 and words[0] in _PEOPLE
    return words[0] in _GREETING or bool(is_good) or is_called


def _is_signature(body: str) -> bool:
    """Whether a signature begins with a line: `Cheers,`, `Best, Bob`, `Sent from my phone`."""
    words = words_of(body)
    return 0 < len(words) <= _LONG and (words[0] in _CLOSING or words[:2] == ("sent", "from"))


class _Reading:
    """What the map and the rules let a line mean."""

    def __init__(self, board: Map, words: Words) -> None:
        self.board = board
        self.words = words
        self.kinds = kind_words(words.units)
        self.actions = {*ACTIONS, *SPOKEN_ACTIONS, *of_convoys(words)}
        self.declared = [
            [set(part.words) for part in form if isinstance(part, Word)]
            for kind in words.kinds
            for form in kind.forms
        ]
        self.powers = {word for named in board.names.powers for word in named}

    def is_order(self, body: str) -> bool:
        """Whether a line may be an order or a unit, or is a setting of a sheet."""
        return self._may_be_order(body) or SETTING.fullmatch(body) is not None

    def is_heading(self, body: str) -> bool:
        """Whether a line is a heading of a power, or begins with the name of a phase."""
        season, year, _ = phase_letters(body.rstrip(":"), self.words)
        if (season and year) or heading(body, self.words):
            return True
        named, colon, _ = body.partition(":")
        try:
            return bool(power_of_heading(named.strip(), bool(colon), self.board))
        except AmbiguousNameError:
            return True
        except UnknownNameError:
            return False

    def _may_be_order(self, body: str) -> bool:
        """Whether a line has the words of an order: an action and a place or a unit, an action that
        needs neither, or a unit."""
        body = _NAMED.sub(" ", body)
        words = words_of(body)
        is_in_own = notation_of(body[max(0, body.find("(")) :]) is not None
        if is_in_own or not WAIVE.isdisjoint(words):
            return True
        if any(all(not part.isdisjoint(words) for part in form) for form in self.declared):
            return True
        has_action = ARROW.search(body) is not None or not self.actions.isdisjoint(words)
        if has_action and len(words) > 1 and self._begins_order(words):
            return True
        places = set(self._places(words))
        if has_action and places:
            return True
        named = {at for at, word in enumerate(words) if word in self.kinds}
        is_spelt = any(len(words[at]) > 1 for at in named)  # `the army at Rome`
        return any(at - 1 in named for at in places) or bool(is_spelt and places)

    def _begins_order(self, words: Sequence[str]) -> bool:
        """Whether words begin as `A Par` and `Build A Par` do; `B` alone is an initial."""
        if words[0] in BUILD | DISBAND:
            return len(words[0]) > 1 or words[1] in self.kinds
        return words[0] in self.kinds

    def _places(self, words: Sequence[str]) -> Iterator[int]:
        """Where names of provinces begin, or what a name may be shortened to."""
        names = self.board.names
        for at in range(len(words)):
            for end in range(at + 1, min(at + names.longest, len(words)) + 1):
                if names.meant(" ".join(words[at:end])):
                    yield at
                    break

    def announced(self, body: str, rest: str, has_season: bool) -> str | None:
        """The power whose orders a line announces, as `My orders for France:` does; "" if it names
        nothing but a season, None if it is no announcement. `rest` is the line without seasons."""
        if _HEAD.match(body):
            return None
        power, is_plain = self.named_in(rest)
        is_about_orders = has_season or not _ANNOUNCED.isdisjoint(words_of(rest))
        return power if is_plain and is_about_orders and (power or has_season) else None

    def named_in(self, text: str) -> tuple[str, bool]:
        """The only power that a text names, "" for none, and whether the text has nothing besides
        that could mean anything; otherwise it names none."""
        text = re.sub(r"[\[(][^\])]*[\])]", " ", text[:_LONGEST])
        powers, others = set(), []
        words = tuple(word.removesuffix("'s") for word in words_of(text))
        at = 0
        while at < len(words):
            found = [
                (end, self.board.names.powers[words[at:end]])
                for end in range(at + 1, min(at + 4, len(words)) + 1)
                if words[at:end] in self.board.names.powers
            ]
            if found:
                at, power = found[-1]
                powers.add(power)
            else:
                others.append(words[at])
                at += 1
        is_plain = len(powers) < 2 and _FILLERS.issuperset(
            one for one in others if not one.isdigit()
        )
        return (next(iter(powers), "") if is_plain else ""), is_plain

    def is_prose(self, body: str) -> bool:
        """Whether a line is a sentence in which nothing is named."""
        words = words_of(body)
        if len(words) < _PROSE or words[0] in self.kinds:
            return False
        plain = [word for word in words if word not in _ANNOUNCED]
        if ARROW.search(body) or not self.actions.isdisjoint(plain):
            return False
        return not any(map(self._is_like_power, plain))

    def is_far(self, body: str) -> bool:
        """Whether a line of a signature is like no order and like no heading."""
        words = words_of(body)
        plain = [word for word in words if word not in _ANNOUNCED]
        if words[:1] and words[0] in self.kinds:
            return len(words) == 1
        if any(len(word) > 1 and word in self.actions for word in plain):
            return False
        if (len(words) <= 2 or plain != list(words)) and any(map(self._is_like_power, words)):
            return False
        return ARROW.search(body) is None or not self._is_like_places(words)

    def _is_like_places(self, words: Sequence[str]) -> bool:
        pairs = (" ".join(pair) for pair in pairwise(words))
        long = (one for one in (*words, *pairs) if len(one) >= _CLEAR)
        return any(provinces_like(self.board, one) for one in long)

    def _is_like_power(self, word: str) -> bool:
        return bool(get_close_matches(word.removesuffix("'s"), self.powers, 1, _LIKE))
