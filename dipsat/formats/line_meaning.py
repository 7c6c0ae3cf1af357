"""What a line of a mail may mean on a map: an order, a heading, an announcement, or only prose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import pairwise
from typing import NamedTuple

from dipsat.base import kept_on_first
from dipsat.board import Map, province_of, words_of
from dipsat.errors import AmbiguousNameError, UnknownNameError
from dipsat.formats.season import KINDS, PHASE, Season, heading, seasons_in
from dipsat.game import SEASONS, PhaseKind, PhaseName, phase_letters
from dipsat.orders import (
    ACTIONS,
    ARROW,
    BUILD,
    CHANGING,
    DISBAND,
    REVOKING,
    SPOKEN_ACTIONS,
    TEXT_FAULTS,
    WAIVE,
    Disband,
    Retreat,
    Word,
    Words,
    kind_words,
    notation_of,
    of_convoys,
    power_of_heading,
    provinces_like,
    reader_for,
    says_nothing,
)

SETTING = re.compile(r"(map|rules)\s*:\s*(\S.*)", re.IGNORECASE)
"""The setting in a line, without comments and spaces at its ends."""
KEYS_ABROAD = {
    "von": "from", "de": "from", "da": "from", "an": "to", "à": "to", "para": "to",
    "betreff": "subject", "objet": "subject", "oggetto": "subject", "asunto": "subject",
    "aw": "re", "datum": "date", "data": "date", "fecha": "date", "gesendet": "sent",
    "envoyé": "sent", "inviato": "sent", "enviado": "sent",
}  # fmt: skip
"""What mail programs in other languages call lines of an e-mail's head -> the English name."""
HEAD = re.compile(
    rf"({'|'.join(KEYS_ABROAD)}"
    r"|from|to|cc|bcc|subject|re|date|sent|reply-to|in-reply-to|references|message-id|return-path"
    r"|delivered-to|received|mime-version|content-[a-z-]+|x-[a-z-]+|user-agent|importance)\s*:",
    re.IGNORECASE,
)
"""The beginning of a line in the head of an e-mail."""
_ABOUT = {*KINDS, "order", "orders"}
_PLAIN = {"and", "disbands", "for", "orders", "phase", "the", "unit"}
"""Words that a heading may have beside the name of a kind; others make it a sentence."""
_FILLERS = {
    *_ABOUT, *_PLAIN, "a", "all", "are", "as", "below", "by", "come", "comes", "final", "follow",
    "following", "follows", "from", "fw", "fwd", "game", "here", "in", "is", "my", "new", "of",
    "our", "please", "re", "results", "revised", "season", "sheet", "these", "this", "turn",
    "updated",
}  # fmt: skip
"""Words in a subject or an announcement that say nothing about whose orders follow."""
_MEANT_ALONE = {"hold", "holds", "holding", *DISBAND, "disbanded"} - {"d"}
"""Actions that a sentence may state without a place: `All other units hold`."""
_WITH = {"and", "by", "for", "from", "of", "the"}  # words beside powers that have sent nothing
_ANNOUNCED = {"moves", "orders"}
_UNREADY = {"draft", "tentative", "tentatively", "provisional", "provisionally"}
"""Words for orders that are not meant to be entered."""
_HERE = {"attached", "below", "enclosed", "find", "here", "these", "this"}
_SAID = {"are", "is", *_ANNOUNCED}  # beside those words where orders are dated
_LATER = {"depend", "depends", "later", "ll", "shall", "soon", "tomorrow", "will"}
"""Words in a sentence about orders that are not in the mail."""
_PART = re.compile(r"[.!?;:]|,(?!\s*['’]?\d)")  # ends a part of a sentence, but not `Fall, 1901`
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_YEARS = 30  # most years of a game
_FEW = 2  # most words beside fillers in a heading
SENTENCE = 4
"""The number of words of the shortest sentence."""
LONGEST = 2_000
"""The number of characters of a line that are looked at."""
_CLEAR = 5  # fewest letters of a word that may be a misspelt province
_SHORT = 3  # most letters of a word that is not compared with seasons
_KEY = re.compile(r"\w+:")  # as in YAML
_LIKE = 0.8  # how similar a word must be to a power or a season that it may mean
_NAMED = re.compile(r"<[^<>\s@]*@[^<>\s]*>")  # an address, with the name of its owner before it
_CLAUSE = re.compile(r"[.,;:!?·–—/→|]|\s-+\s")
_BRACKETS = re.compile(r"[\[\]()]")
_BRACKETED = re.compile(r"[\[(][^\[\]()]*[\])]")
_DISLODGED = re.compile(
    r"\bif (?:the |my )?([^,:;]{2,40}) is dislodged[,:]? ?([^;]+)", re.IGNORECASE
)
_ELSE = re.compile(r"\b(?:or )?else\b|,", re.IGNORECASE)  # between places of a retreat
_SIGNS = re.compile(r"[,;.#]|//")  # between orders
_EXCLAIMED = re.compile(r"[^!:]*!\s+")  # a sentence before an order
_SIGNED = re.compile(r"([^()\[\]]+)[(\[]([^()\[\]]+)[)\]]")  # a player and a power
_LONGEST_NAME = 40  # characters
_UNPLAIN = set(":;!*")  # signs for which a line needs a closer look
_ENDED = re.compile(r"([^,/]+)[,/]([^,/]+)")  # the same at the end of a mail
_PLAYER = re.compile(r"\s[-–—]\s")  # between a power and its player


class Announced(NamedTuple):
    """What a line announces: whose orders follow ("" if it does not say), and for which phase.
    There is at least one season, which may say nothing."""

    power: str
    seasons: tuple[Season, ...]


def says(season: Season) -> bool:
    """Whether a season says anything."""
    return bool(season.letter or season.kind)


class LineReader:
    """Finds out what a line can mean on a map with the words of rules."""

    def __init__(self, board: Map, words: Words) -> None:
        self.board = board
        self.words = words
        self.reader = reader_for(board, words)
        self.kinds = kind_words(words.units)
        self.actions = {*ACTIONS, *SPOKEN_ACTIONS, *of_convoys(words)}
        self.declared = [
            [set(part.words) for part in form if isinstance(part, Word)]
            for kind in words.kinds
            for form in kind.forms
        ]
        self.powers = {word for named in board.names.powers for word in named}
        self.first_year = PhaseName.parse(board.first_phase).year

    def is_order(self, body: str) -> bool:
        """Whether a line may be an order or a unit, or is a setting of a sheet."""
        return self._may_be_order(body) or SETTING.fullmatch(body) is not None

    def is_plain_order(self, body: str) -> bool:
        """Whether a line, read as it is, is an order that begins with its unit."""
        if not body or body.split(maxsplit=1)[0].casefold() not in self.kinds:
            return False
        if not _UNPLAIN.isdisjoint(body) or "dislodged" in body:
            return False
        with suppress(*TEXT_FAULTS):
            self.reader.read(body)
            return True
        return False

    def is_power(self, body: str) -> bool:
        """Whether a line is the name of a power, perhaps with a colon."""
        return len(body) <= _LONGEST_NAME and words_of(body) in self.board.names.powers

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
        above, bracket, own = body.partition("(")  # `France (Fall 1901)` is not DAIDE
        is_in_own = notation_of(own and bracket + own if above.strip()[-1:] in ":" else body)
        if is_in_own is not None or not WAIVE.isdisjoint(words):
            return True
        if any(all(not part.isdisjoint(words) for part in form) for form in self.declared):
            return True
        if _FILLERS.issuperset(words):
            return False
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

    def _names_places(self, words: Sequence[str]) -> bool:
        return next(self._places(words), None) is not None

    def _places(self, words: Sequence[str]) -> Iterator[int]:
        """The indexes of words where the name of a province, or a short form of it, begins."""
        names = self.board.names
        for at in range(len(words)):
            for end in range(at + 1, min(at + names.longest, len(words)) + 1):
                if names.meant(" ".join(words[at:end])):
                    yield at
                    break

    def announced(self, text: str, is_signed: bool = False) -> Announced | None:
        """What a line announces: whose orders follow, and for which phase; None for any other line.
        Clauses that say nothing else may come with others that name no power: `Russia S01, sorry
        about the spelling`."""
        if self.is_order(_BRACKETED.sub(" ", text)) and not self._is_marked(text):
            return None
        found = self._announced(text, is_signed, False)
        if found is not None:
            return found
        clauses = [one for one in _CLAUSE.split(_BRACKETS.sub(" , ", text)) if words_of(one)]
        plain = [one for one in clauses if self._is_plain(one)]
        others = [word for one in clauses if one not in plain for word in words_of(one)]
        if not plain or len(clauses) < 2 or any(map(self._is_like_power, others)):
            return None
        found = self._announced(" ".join(plain), is_signed, text.endswith(":"))
        is_clear = found is not None and found.power and says(found.seasons[0])
        return found if is_clear or text.endswith(":") or clauses[0] in plain else None

    def _is_marked(self, text: str) -> bool:
        """Whether a line that names places ends as a heading does, and is not an order."""
        words = {word for word in words_of(text) if len(word) > 1 and word not in KINDS}
        return text.endswith(":") and not ARROW.search(text) and ACTIONS.isdisjoint(words)

    def _announced(self, text: str, is_signed: bool, is_marked: bool) -> Announced | None:
        """What a text announces, if it says nothing else. If a colon marks it as a heading, a power
        is enough."""
        seasons, rest = seasons_in(text, self.first_year, is_signed)
        words = words_of(rest)
        bare = [word for word in words if word in SEASONS]
        is_about = bool(seasons) or not _ABOUT.isdisjoint(words)
        if not seasons and len(bare) == 1 and (is_about or len(words) == 1):  # `this spring`
            seasons, is_about = [Season(SEASONS[bare[0]])], True
            words = tuple(word for word in words if word != bare[0])
            rest = " ".join(words)
        power, is_plain = self.named_in(rest)
        if not is_plain or not (is_about or (power and is_marked)):
            return None
        of_kind = Season("", None, self._kind(words))
        return Announced(power, tuple(one.with_(of_kind) or one for one in seasons or (of_kind,)))

    def _is_plain(self, text: str) -> bool:
        return self.named_in(seasons_in(text, self.first_year)[1])[1]

    def _kind(self, words: Sequence[str]) -> PhaseKind | None:
        """The kind of orders in an announcement. A word for moves may mean retreats, too, so it
        counts only if there are no other words."""
        named = {KINDS[word] for word in words if word in KINDS}
        if len(named) != 1:
            return None
        others = {word for word in words if word not in KINDS} - _PLAIN - self.powers
        return None if named == {PhaseKind.MOVEMENT} and others else named.pop()

    def silent(self, body: str) -> list[str]:
        """The powers that have sent nothing, according to a line: `Turkey: NMR`, `No moves received
        from Turkey and Italy`."""
        for text in (body[:LONGEST], _BRACKETED.sub(" ", body[:LONGEST])):
            powers, others = self._parted(text)
            rest = " ".join(word for word in others if word not in _WITH)
            if powers and says_nothing(rest):
                return powers
        return []

    def with_player(self, body: str, is_first: bool) -> str:
        """The power of a heading that names its player after a dash (`ENGLAND - Bob`) or, if it is
        the first heading, before brackets (`Bob (England)`); "" for any other line."""
        signed = _SIGNED.fullmatch(body.rstrip(":"))
        if is_first and signed is not None and self._is_name(signed[1]):
            return self.board.names.powers.get(words_of(signed[2]), "")
        named, *players = _PLAYER.split(body.rstrip(":"), maxsplit=1)
        if not players or self._names_places(words_of(players[0])):
            return ""
        return self.board.names.powers.get(words_of(named), "")

    def _is_name(self, text: str) -> bool:
        """Whether a text is one or two words that name nothing on the map."""
        words = words_of(text)
        if not 0 < len(words) <= 2 or self._names_places(words):
            return False
        return not any(map(self._is_like_power, words))

    def named_in(self, text: str) -> tuple[str, bool]:
        """The only power that a text names, and whether nothing else in the text could mean
        anything. The power is "" if there is none, or if something else could."""
        text = text[:LONGEST]
        powers, others = self._parted(_BRACKETED.sub(" ", text))
        inside = (self.board.names.powers.get(words_of(one)) for one in _BRACKETED.findall(text))
        named = set(powers) or set(filter(None, inside))
        is_plain = len(named) < 2 and _FILLERS.issuperset(
            one for one in others if not one.isdigit()
        )
        return (next(iter(named), "") if is_plain else ""), is_plain

    def without_power(self, text: str, power: str) -> str:
        """A text without the names of a power; unchanged if it also names another one."""
        powers, others = self._parted(text)
        if set(powers) != {power}:
            return text
        return " ".join(others) + ":" * text.endswith(":")

    def _parted(self, text: str) -> tuple[list[str], list[str]]:
        """The powers that a text names, and its other words."""
        known, powers, others = self.board.names.powers, list[str](), list[str]()
        words = tuple(word.removesuffix("'s") for word in words_of(text))
        at = 0
        while at < len(words):
            ends = range(at + 1, min(at + 4, len(words)) + 1)
            end = next((end for end in reversed(ends) if words[at:end] in known), 0)
            if end:
                powers.append(known[words[at:end]])
            else:
                others.append(words[at])
            at = end or at + 1
        return powers, others

    def with_own_condition(self, line: str) -> str:
        """A line with a conditional retreat, rewritten so that it names its unit once: `If A Mun is
        dislodged: A Mun R Ruh`, `If Munich is dislodged: Ruh, Kie`. Any other condition stays, and
        is refused when orders are read."""
        found = _DISLODGED.search(line)
        if found is not None:
            places = " or ".join(filter(str.strip, _ELSE.split(found[2].rstrip(" ."))))
            for text in (found[2], f"{found[1]} R {places}"):
                with suppress(*TEXT_FAULTS):
                    order = self.reader.read(f"if dislodged {text}")
                    named = self.reader.read_unit(found[1])
                    if isinstance(order, Retreat | Disband) and province_of(
                        order.unit.location
                    ) == province_of(named.location):
                        start, end = found.start(), found.end() - len(text)
                        return f"{line[:start]}{'if dislodged '.ljust(end - start)}{text}"
        return line

    def exclaimed(self, line: str) -> int:
        """The index of an order after a sentence without one (`North coast! Build F StP`); 0 for
        any other line."""
        found = _EXCLAIMED.match(line)
        if found is None or ARROW.search(found[0]) or not self._may_be_order(line[found.end() :]):
            return 0
        is_order = not self.actions.isdisjoint(words_of(found[0]))
        return 0 if is_order else found.end()

    def is_prose(self, body: str) -> bool:
        """Whether a line is a sentence that names nothing. One that ends with a colon introduces
        the lines below it, and may have words of orders."""
        words = words_of(body)
        if len(words) < SENTENCE or words[0] in self.kinds:
            return False
        plain = [word for word in words if word not in _ANNOUNCED]
        if body.endswith(":"):
            is_order = self.is_order(body) and not self._is_marked(body)
        else:
            is_order = bool(ARROW.search(body)) or not self.actions.isdisjoint(plain)
        return not is_order and not any(map(self._is_like_power, plain))

    def is_far(self, body: str) -> bool:
        """Whether a line of a signature is unlike any order or heading."""
        words = words_of(body)
        plain = [word for word in words if word not in _ANNOUNCED]
        if words[:1] and words[0] in self.kinds:
            return len(words) == 1
        signed = _SIGNED.fullmatch(body) or _ENDED.fullmatch(body)
        if signed is not None and words_of(signed[2]) in self.board.names.powers:
            return self._is_name(signed[1])
        if PHASE.match(body) or _KEY.fullmatch(body):
            return False
        if any(map(_is_like_season, words)) and self.is_like_phase(body):
            return False
        if not _MEANT_ALONE.isdisjoint(plain):
            return False
        if len(words) <= 2 and self._names_places(words):
            return False
        if (len(words) <= 2 or plain != list(words)) and any(map(self._is_like_power, words)):
            return False
        return ARROW.search(body) is None or not self._is_like_places(words)

    def is_year(self, year: int) -> bool:
        """Whether a game on the map may reach a year."""
        return self.first_year - 1 <= year <= self.first_year + _YEARS

    def is_like_phase(self, body: str) -> bool:
        """Whether a line has a season or a year, and little else: `Herbst 1901`, `F1901D`, `Spring
        19O1`, `Bob F1901`."""
        seasons, rest = seasons_in(body, self.first_year)
        words = words_of(rest)
        others = {one for one in words if not one.isdigit()} - _FILLERS - self.powers - {"year"}
        if seasons:
            return len(others) <= 1
        if any(map(str.isdigit, body)) and any(map(_is_like_season, words)):
            return len(others) <= _FEW
        return len(others) == 1 and any(self.is_year(int(one)) for one in _YEAR.findall(body))

    def about_orders(self, body: str) -> str:
        """What the part of a sentence that names a season says: "here" if the orders are in this
        mail, "orders" if anything else about them; "" if they come later or are not mentioned."""
        for part in _PART.split(body) if _LATER.isdisjoint(words_of(body)) else ():
            words = set(words_of(part))
            is_here = not _HERE.isdisjoint(words)
            if (is_here or not _ANNOUNCED.isdisjoint(words)) and seasons_in(part, self.first_year)[
                0
            ]:
                is_said = is_here and not _SAID.isdisjoint(words) and "?" not in body
                return "here" if is_said else "orders"
        return ""

    def is_like_heading(self, body: str) -> bool:
        """Whether a line has at most two words, and one is like the name of a power."""
        words = words_of(body)
        return len(words) <= 2 and any(map(self._is_like_power, words))

    def has_order(self, text: str) -> bool:
        """Whether a text, or a part of it between signs, is an order as it is."""
        for part in dict.fromkeys((text, *_SIGNS.split(text))):
            with suppress(*TEXT_FAULTS):
                if part.strip():
                    self.reader.read(part)
                    return True
        return False

    def may_change(self, body: str) -> bool:
        """Whether a sentence names a place, or has a word that may change orders."""
        words = words_of(body)
        is_said = not CHANGING.isdisjoint(words) or not _MEANT_ALONE.isdisjoint(words)
        return is_said or self._names_places(words)

    def revokes(self, body: str) -> bool:
        """Whether a sentence names a place and takes an order back, or calls orders a draft."""
        words = words_of(body)
        if not _UNREADY.isdisjoint(words):
            return True
        return not REVOKING.isdisjoint(words) and self._names_places(words)

    def _is_like_places(self, words: Sequence[str]) -> bool:
        pairs = (" ".join(pair) for pair in pairwise(words))
        long = (one for one in (*words, *pairs) if len(one) >= _CLEAR)
        return any(provinces_like(self.board, one) for one in long)

    def _is_like_power(self, word: str) -> bool:
        return bool(get_close_matches(word.removesuffix("'s"), self.powers, 1, _LIKE))


@kept_on_first(16)
def line_reader(board: Map, words: Words) -> LineReader:
    """The reader of lines for a map and the words of rules."""
    return LineReader(board, words)


def _is_like_season(word: str) -> bool:
    return len(word) > _SHORT and bool(get_close_matches(word, SEASONS, 1, _LIKE))
