"""Order sheets in e-mails: the head, the greeting and the signature around the orders.

What may be an order, or a heading of the sheet, is never skipped: such a line stays, whatever
stands around it, and all that is skipped is noted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise

from dipsat.board.map import Map
from dipsat.board.names import words_of
from dipsat.errors import AmbiguousNameError, UnknownNameError, shortened
from dipsat.formats.transcript import SETTING, heading
from dipsat.game.phase_name import PhaseKind, PhaseName, phase_letters
from dipsat.limits import ENDLESS, Running
from dipsat.orders.daide import looks_like_daide
from dipsat.orders.forms import Word
from dipsat.orders.guesses import provinces_like
from dipsat.orders.pasted import SPOKEN_ACTIONS, after_mark, without_comment
from dipsat.orders.sheet import power_of_heading
from dipsat.orders.verbs import ACTIONS, BUILD, DISBAND, WAIVE, kind_words, of_convoys
from dipsat.orders.words import Words

_HEAD = re.compile(
    r"(from|to|cc|bcc|subject|re|date|sent|reply-to|in-reply-to|references|message-id|return-path"
    r"|delivered-to|received|mime-version|content-[a-z-]+|x-[a-z-]+|user-agent|importance)\s*:",
    re.IGNORECASE,
)
_SUBJECTS = ("subject", "re")
_ADDRESS = re.compile(r"[\w.]@[\w-]+\.\w")
_NAMED = re.compile(r"<[^<>\s@]*@[^<>\s]*>")  # an address, with the name of its owner before it
_FORWARDED = ("original message", "forwarded message", "weitergeleitete nachricht")
_GREETING = {"dear", "greetings", "hallo", "hello", "hey", "hi", "salut"}
_TIMES = {"afternoon", "day", "evening", "morning"}  # that people call good
_PEOPLE = {"all", "everybody", "everyone", "folks", "gentlemen", "players"}
_CLOSING = {
    "best", "bests", "cheers", "ciao", "kind", "kindest", "love", "many", "regards",
    "respectfully", "sincerely", "thank", "thanks", "thx", "warm", "wishes", "yours",
}  # fmt: skip
_ANNOUNCED = {"moves", "orders"}
_FILLERS = {
    *_ANNOUNCED, "a", "all", "and", "are", "below", "by", "diplomacy", "final", "follow",
    "following", "for", "fw", "fwd", "game", "here", "in", "my", "new", "of", "order", "our",
    "phase", "please", "re", "revised", "season", "sheet", "the", "these", "turn", "updated",
}  # fmt: skip
"""Words in a subject or an announcement that say nothing of whose orders follow."""

_RULES = ("--", "—")  # above a signature; readers of sheets skip all rules
_LONG = 8  # words of a greeting or a closing
_PROSE = 4  # words of the shortest sentence
_LONGEST = 2_000  # characters of a line that is looked at
_CLEAR = 5  # letters of a name that a misspelt one is compared with
_LIKE = 0.8  # how like the name of a power a word is that may be meant for it
_DASH = re.compile(r"[-–—\u2010\u2011\u2212=]+>?|[>→⇒]")


@dataclass(frozen=True, slots=True)
class Letter:
    """An order sheet without the e-mail around it.

    `text` has the sheet, with its lines in their places; `power` ("" for none) and `phase` are
    those that the subject names. `skipped` says what was left out, or taken from the subject.
    """

    text: str
    skipped: tuple[str, ...] = ()
    power: str = ""
    phase: PhaseName | None = None


def letter_of(text: str, shown: str, board: Map, words: Words, limits: Running = ENDLESS) -> Letter:
    """Part an order sheet from the e-mail around it; `shown` names the file in what is said,
    `words` are those of the rules, `limits` those of a running call."""
    reading = _Reading(board, words)
    lines = text.splitlines()
    kept, blocks, said = list(lines), _Blocks(shown), []
    power, phase, is_signed = "", None, False
    for at, line in enumerate(limits.each(lines)):
        body = _body(line)
        is_signed = is_signed or body in _RULES
        if not body or len(body) > _LONGEST or body in _RULES:
            continue
        if reading.is_of_sheet(body):
            is_signed = False
            blocks.end()
            continue
        named = reading.announced(body)
        if named:
            kept[at] = f"{named}:"
            said.append(f"{shown}:{at + 1}: {shortened(body)!r} is read as a heading of {named}")
            blocks.end()
            continue
        begins = _is_signature(body)
        is_signed = is_signed or begins
        is_around = begins or _is_around(body) or reading.is_prose(body)
        if not is_around and not (is_signed and reading.is_far(body)):
            blocks.end()
            continue
        blocks.add(at + 1, body)
        kept[at] = ""
        if (head := _HEAD.match(body)) and head[1].lower() in _SUBJECTS and not power and not phase:
            power, phase = reading.named_in(body[head.end() :])
            if power or phase:
                both = " and ".join(filter(None, (power, str(phase or ""))))
                said.append(f"{shown}:{at + 1}: {both}: taken from {shortened(body)!r}")
    return Letter("\n".join(kept), (*blocks.said(), *said), power, phase)


def _body(line: str) -> str:
    """A line without marks of quotations and lists, and without a comment."""
    line = without_comment(line)
    return line[after_mark(line, 0, len(line)) :].strip(" \t\r\u200b\ufeff")


class _Blocks:
    """The lines that are skipped, those together that follow each other."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self._blocks: list[list[tuple[int, str]]] = []
        self._is_open = False

    def add(self, line: int, body: str) -> None:
        if not self._is_open:
            self._blocks.append([])
        self._blocks[-1].append((line, body))
        self._is_open = True

    def end(self) -> None:
        self._is_open = False

    def said(self) -> Iterator[str]:
        """A sentence for each block, which quotes its first line and its last one."""
        for block in self._blocks:
            (first, begin), (last, end) = block[0], block[-1]
            quoted = f"{shortened(begin)!r}"
            if len(block) > 1:
                quoted += f" {'and' if len(block) == 2 else 'to'} {shortened(end)!r}"
            lines = "a line" if len(block) == 1 else f"{len(block)} lines"
            place = f"{first}" if first == last else f"{first}-{last}"
            yield f"{self._shown}:{place}: skipped {lines} of text around the orders: {quoted}"


def _is_around(body: str) -> bool:
    """Whether a line is of the head of an e-mail, a greeting, or what stands above a quotation."""
    if _HEAD.match(body) or _ADDRESS.search(body):
        return True
    folded = body.casefold()
    if folded.endswith(("wrote:", "schrieb:")) or any(one in folded for one in _FORWARDED):
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

    def is_of_sheet(self, body: str) -> bool:
        """Whether a line may be an order or a unit, or is a heading or a setting of a sheet."""
        if self._may_be_order(body) or SETTING.fullmatch(body) or heading(body, self.words):
            return True
        season, year, _ = phase_letters(body.rstrip(":"), self.words)
        return bool(season and year) or self._is_heading(body)

    def _is_heading(self, body: str) -> bool:
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
        if looks_like_daide(body[max(0, body.find("(")) :]) or not WAIVE.isdisjoint(words):
            return True
        if any(all(not part.isdisjoint(words) for part in form) for form in self.declared):
            return True
        has_action = _DASH.search(body) is not None or not self.actions.isdisjoint(words)
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

    def announced(self, body: str) -> str:
        """The power whose orders a line announces, as `My orders for France:` does; "" if none."""
        words = words_of(body)
        if len(body) > _LONGEST or _ANNOUNCED.isdisjoint(words) or _HEAD.match(body):
            return ""
        return self.named_in(body)[0]

    def named_in(self, text: str) -> tuple[str, PhaseName | None]:
        """The only power and the only movement phase that a text names, "" and None for none; both
        only if the text has nothing besides that could mean another one."""
        text = re.sub(r"[\[(][^\])]*[\])]", " ", text[:_LONGEST])
        rest, phases = _without_phases(text, self.words)
        powers, others = set(), []
        words = tuple(word.removesuffix("'s") for word in words_of(rest))
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
        if not _FILLERS.issuperset(one for one in others if not one.isdigit()):
            return "", None
        power = next(iter(powers)) if len(powers) == 1 else ""
        phase = next(iter(phases)) if len(phases) == 1 else None
        return power, phase if phase and phase.kind is PhaseKind.MOVEMENT else None

    def is_prose(self, body: str) -> bool:
        """Whether a line is a sentence in which nothing is named."""
        words = words_of(body)
        if len(words) < _PROSE or words[0] in self.kinds:
            return False
        plain = [word for word in words if word not in _ANNOUNCED]
        if _DASH.search(body) or not self.actions.isdisjoint(plain):
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
        return _DASH.search(body) is None or not self._is_like_places(words)

    def _is_like_places(self, words: Sequence[str]) -> bool:
        pairs = (" ".join(pair) for pair in pairwise(words))
        long = (one for one in (*words, *pairs) if len(one) >= _CLEAR)
        return any(provinces_like(self.board, one) for one in long)

    def _is_like_power(self, word: str) -> bool:
        return bool(get_close_matches(word.removesuffix("'s"), self.powers, 1, _LIKE))


def _without_phases(text: str, words: Words) -> tuple[str, Collection[PhaseName]]:
    """A text without the names of phases in it, such as `Spring 1901` and `F1902M`, and these."""
    typed, rest, at = text.replace(",", " , ").split(), [], 0
    found = set()
    while at < len(typed):
        for length in (3, 2, 1):
            name = " ".join(_cut(typed[at : at + length]))
            phase = PhaseName.find(name, words) if any(map(str.isdigit, name)) else None
            if phase is not None:
                found.add(phase)
                at += length
                break
        else:
            rest.append(typed[at])
            at += 1
    return " ".join(rest), found


def _cut(words: Iterable[str]) -> Iterator[str]:
    return (word.strip(".:;!") for word in words)
