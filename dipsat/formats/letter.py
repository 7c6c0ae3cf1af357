"""Order sheets in e-mails: the head, the greeting and the signature around the orders, what judges
report besides, and the phases that the text names.

A line that may be an order or the heading of a power is never skipped, whatever is around it. There
are two exceptions: press, and, beside orders that are not quoted, quotations of an older mail
(below the name of another season or a line such as `Bob wrote:`). Everything that is skipped is
noted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from types import MappingProxyType

from dipsat.base import FrozenDict
from dipsat.board import Map, words_of
from dipsat.errors import AmbiguousNameError, FileError, UnknownNameError, shortened
from dipsat.formats.json_text import FilePlace
from dipsat.formats.judge_report import report_in
from dipsat.formats.line_meaning import (
    HEAD,
    KEYS_ABROAD,
    LONGEST,
    SENTENCE,
    Announced,
    LineReader,
    line_reader,
    says,
)
from dipsat.formats.players import addresses_in, sender_in
from dipsat.formats.quotation import is_attribution, is_forwarding, quoted_lines
from dipsat.formats.season import (
    Named,
    Season,
    agreed,
    heading,
    refuse_others,
    refuse_unknown_phase,
    seasons_in,
    seasons_in_subject,
)
from dipsat.game import PhaseKind, PhaseName
from dipsat.orders import (
    Words,
    after_mark,
    power_of_heading,
    says_nothing,
    without_comment,
    without_struck,
)

# --- rewriting ------------------------------------------------------------------------------------

# Text on the line of an order that is not part of the order.


_NOTE = "(*", "*)"  # around an e-mail judge's note on an order, such as (*bounce*)
_SMILEY = re.compile(r"(?<![^\s.!?,])[:;][-']?[()](?=[\s.!]|$)")
_NONE_PROCESSED = re.compile(r",\s*no orders? (?:processed|received)\b", re.IGNORECASE)
_TOGETHER = re.compile(r"\b(?:builds?|removes?|disbands?) [^;]*", re.IGNORECASE)
_AND = re.compile(r" (?:and|&) (?=(?:a|f|army|fleet) )", re.IGNORECASE)
_UNUSED = re.compile(
    r"\bdo not use (?:the )?build order\b|\bwaives? (?:the|my) \w+ (?:one|build)\b", re.IGNORECASE
)
_DESTROYED = re.compile(r"\bdestroy (?:the )?unit (?:at|in) ", re.IGNORECASE)


def _without_notes(line: str) -> str:
    """A line without any text between (* and *)."""
    opening, closing = _NOTE
    kept, at = [], 0
    while (start := line.find(opening, at)) >= 0:
        end = line.find(closing, start + len(opening))
        if end < 0:
            break
        kept.append(line[at:start])
        at = end + len(closing)
    return "".join((*kept, line[at:]))


def _with_commas(line: str) -> str:
    """A line with a comma in place of each `and` before a unit."""
    return _AND.sub(lambda one: " ,".ljust(len(one[0])), line)


def _note_in(line: str) -> str:
    """The text between (* and *) in a line."""
    opening, closing = _NOTE
    return line.partition(opening)[2].partition(closing)[0]


def _rewritten(line: str) -> str:
    """A line without a judge's notes, and with phrases of judges and web sites put as orders."""
    unnoted = _without_notes(line)
    line = line if unnoted == line else unnoted.rstrip(" .")
    line = _TOGETHER.sub(lambda one: _with_commas(one[0]), line).replace("` `", "`;`")
    line = _DESTROYED.sub("Remove ", _UNUSED.sub("Waive", line))
    unordered = _NONE_PROCESSED.search(line)
    if unordered is not None:
        is_lost = "disband" in line[unordered.end() :].casefold()
        return line[: unordered.start()].rstrip() + " DISBAND" * is_lost
    return line


# --- letter ---------------------------------------------------------------------------------------


_SUBJECTS = ("subject", "re")
_GREETING = {"dear", "greetings", "hallo", "hello", "hey", "hi", "salut"}
_BUILDS_NONE = ("no build", "no builds", "pass", "build nothing", "waive all builds")
_TIMES = {"afternoon", "day", "evening", "morning"}  # after `good` in a greeting
_PEOPLE = {"all", "everybody", "everyone", "folks", "gentlemen", "players"}
_CLOSING = {
    "best", "bests", "cheers", "ciao", "kind", "kindest", "love", "many", "regards",
    "respectfully", "sincerely", "thank", "thanks", "thx", "warm", "wishes", "yours",
}  # fmt: skip
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")  # around a remark
_AFTERWORD = re.compile(r"p\.?\s?s\b\.?\s*:?", re.IGNORECASE)
_LINK = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_AROUND_LINK = " \t<>()[]*-_|."
_RULES = ("--", "—")  # above a signature; readers of sheets skip all rules
_LONG = 8  # most words of a greeting or a closing
_SENTENCE_END = re.compile(r"[.!?]\s")
_COMMENT = "#/ \t*=-:"  # around the text of a comment


@dataclass(frozen=True, slots=True)
class Section:
    """The heading of a phase's orders, and its line (from 1)."""

    line: int
    season: Season
    text: str


@dataclass(frozen=True, slots=True)
class Sender:
    """The `From:` line of a mail (from 1), and the powers that its writer plays."""

    line: int
    powers: Sequence[str]
    text: str
    elsewhere: frozenset[str]
    """The powers whose players have other addresses."""

    @property
    def power(self) -> str:
        """The only power that the writer plays, "" if there are several or none."""
        return self.powers[0] if len(self.powers) == 1 else ""


@dataclass(frozen=True, slots=True)
class Letter:
    """An order sheet without the e-mail around it, and without the names of phases.

    `text` is the sheet, with each line in its place; `power` is the one that the subject names (""
    for none). `shown` names the file, and `above` is the number of lines before the text. `phase`
    is the phase of the orders above all `sections`: the one stated elsewhere, or else the one named
    in the text (at `place`, in lines that say `title`); None if there is none. `skipped` says what
    was left out, or taken from the lines around the orders. `doubtful` says which of that somebody
    should look at, since it may be about the orders. `revoking` has sentences that may take orders
    back, each with its place. `reported` has a judge's sentences on dislodged units and owners,
    `noted` its notes on orders, by the places of their lines.
    """

    shown: str
    above: int
    text: str
    skipped: tuple[str, ...] = ()
    power: str = ""
    phase: PhaseName | None = None
    place: str = ""
    title: str = ""
    sections: tuple[Section, ...] = ()
    senders: tuple[Sender, ...] = ()
    reported: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    revoking: tuple[tuple[str, str], ...] = ()
    noted: Mapping[str, str] = field(default_factory=FrozenDict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing but the names of senders is left."""
        headed = {one.line for one in self.senders}
        lines = enumerate(self.text.splitlines(), 1)
        return not any(line.strip() and at not in headed for at, line in lines)

    def at(self, line: int) -> str:
        """The place of a line (from 1)."""
        return f"{self.shown}:{self.above + line}"


DESPITE_SENDER = "to enter the orders all the same, delete the line 'From:'"
"""Advice for a game master who knows better."""


def other_sender(power: str, sender: Sender, place: str) -> FileError:
    """The error for a mail that names a power other than its sender's."""
    own = " and ".join(sender.powers)
    problem = f"names {power}, but the mail is from {own} ({shortened(sender.text)})"
    return FileError(place, f"{problem}; {DESPITE_SENDER}")


def letter_of(
    text: str,
    shown: str,
    board: Map,
    words: Words,
    stated: PhaseName | None = None,
    senders: Mapping[str, Sequence[str]] = MappingProxyType({}),
    is_game: bool = False,
    above: int = 0,
) -> Letter:
    """Separate an order sheet from the e-mail around it. `shown` names the file in messages;
    `words` are those of the rules. `stated` is the phase, if it is known from elsewhere. `senders`
    maps names and addresses to powers. A text that `is_game` is the part of a game for the stated
    phase, even if its prose names another; `above` lines come before it.

    Raises `FileError` for a phase that does not exist, for a season that contradicts another one in
    the text or is before the stated phase, and for a sender who does not play the power that the
    subject names.
    """
    text, struck = without_struck(text)
    parting = _Parting(text, shown, line_reader(board, words), stated, is_game, above)
    parting.known = {known.casefold(): powers for known, powers in senders.items()}
    for at in range(len(parting.lines)):
        with FilePlace(parting.place(at)):
            parting.read(at)
    left_out = tuple(
        f"{parting.place(at - 1)}: skipped what is struck out: {shortened(one)!r}"
        for at, one in struck
    )
    letter = parting.letter()
    doubtful = (*letter.doubtful, *left_out)
    return replace(letter, skipped=(*letter.skipped, *left_out), doubtful=doubtful)


class _Parting:
    """Separates a sheet from the e-mail around it, line by line."""

    def __init__(
        self,
        text: str,
        shown: str,
        reading: LineReader,
        stated: PhaseName | None,
        is_game: bool,
        above: int,
    ) -> None:
        self.reading = reading
        self.lines = text.splitlines()
        self.english = reading.board.language.in_english
        self.shown = shown
        self.first = PhaseName.parse(reading.board.first_phase)
        self.stated = stated
        self.is_game, self.above = is_game, above
        self.known: Mapping[str, Sequence[str]] = {}
        self.kept = list(self.lines)
        self.roles = [""] * len(self.lines)  # "kept", "skipped" or ""
        self.report = report_in(self.lines, reading.board)
        self.quoted = quoted_lines(self.lines)
        self.headings: dict[int, str] = {}  # line that is read as a heading -> what it names
        self.sections: list[Section] = []
        self.senders: list[Sender] = []
        self.exclaimed: list[str] = []
        self.said: list[int] = []  # skipped lines that say something
        self.doubtful = set[int]()  # those of them that may be about the orders
        self.noted: dict[str, str] = {}  # place -> a judge's note on the order in the line
        self.revoking: list[int] = []  # skipped lines that take orders back
        self.loose: list[int] = []  # lines below orders that are not orders; more orders may follow
        self.power, self.power_at = "", 0
        self.commented: tuple[int, str] | None = None  # a comment that only names a power
        self.headed: int | None = None  # the first line that only names a phase
        self.ordered: int | None = None  # the first line with an order
        self.named: list[Named] = []
        self.signed: list[Named] = []  # named in places that say little about orders
        self.is_signed, self.is_below, self.has_own_orders = False, False, False
        self.has_begun = False  # orders came before, or a line that says none
        self.in_head, self.is_cut = False, False

    def place(self, at: int) -> str:
        """The place of a line (from 0)."""
        return f"{self.shown}:{self.above + at + 1}"

    def read(self, at: int) -> None:
        """Keep a line, or skip it, and note what it names."""
        if self._says_no_order(at):
            self._skip(at)
            return
        self.in_head = False
        self._refuse_comment(at, self.lines[at])
        if self._is_plain(at, _body(self.lines[at])) or self._is_cut_off(at):
            return
        self.noted |= {self.place(at): note} if (note := _note_in(self.lines[at])) else {}
        self.lines[at] = self.kept[at] = self._in_words_of_orders(self.lines[at])
        english = self.english(self.lines[at])  # shows what the line is
        body = _body(english)
        self.is_signed = self.is_signed or body in _RULES
        if not words_of(body) or len(body) > LONGEST or body in _RULES:
            self.kept[at] = self.kept[at] if words_of(body) else ""
            self._remark(at)
            return
        phase = None if self.quoted[at] else heading(english, self.reading.words)
        if phase is not None:
            self._head(at, phase)
            return
        head = self._key(body)
        is_order = self.reading.is_order(body) and head in ("", *_SUBJECTS)
        if ":" in body and self._says_none(at, body):
            return
        if is_order and body[-1] != ":":
            self._order(at, body)
            return
        silent = self.reading.silent(body)
        announced = (
            None if head or body[-1] == "?" else self.reading.announced(body, self.is_signed)
        )
        if silent:
            self.kept[at] = "; ".join(f"{power}: NMR" for power in silent)
            self.has_begun = True
            self._heads(at)
        elif announced is not None:
            self._announce(at, announced, body)
        elif not head and body[-1] == ":" and self._leads_in(body):
            *_, last = _SENTENCE_END.split(body)
            if self.has_begun or self.reading.about_orders(last):
                self._name(at, seasons_in(last, self.first.year)[0], body)
            else:
                self._mention(at, last)
            self._doubt(at, body)
            self._skip(at)
        elif is_order:
            self._order(at, body)
        elif head:
            self._head_of_mail(at, head, body.partition(":")[2].strip())
        elif power := self.reading.with_player(body, not self.is_below):
            self.headings[at], self.kept[at] = power, f"{power}:"
            self._heads(at)
        else:
            self._other(at, body)

    def _says_no_order(self, at: int) -> bool:
        """Whether a line is a link, is part of a report, or continues the head of a mail."""
        line = self.lines[at]
        if at in self.report.press:
            self._press(at)
        return (
            at in self.report.lines
            or (self.in_head and line[:1] in (" ", "\t"))
            or _LINK.fullmatch(line.strip(_AROUND_LINK)) is not None
        )

    def _press(self, at: int) -> None:
        """Note a line of press that may be an order. Raises `FileError` for the heading of a power
        above one: the press may have ended before that."""
        body = _body(self.english(self.report.press[at]))
        named, _, after = body.partition(":")
        below = (after, *map(_body, () if after else self.lines[at + 1 : at + 3]))
        if self.reading.is_power(named) and any(map(self.reading.has_order, below)):
            problem = f"orders of {named.strip()} are in press, which ends further below"
            hint = "write 'End of press' above them, or delete them"
            raise FileError(self.place(at), f"{problem}; {hint}")
        if self.reading.has_order(body):
            self.said.append(at)
            self.doubtful.add(at)

    def _is_plain(self, at: int, body: str) -> bool:
        """Whether a line is plainly an order or a power, as most lines of a game are. If so, it is
        read."""
        if self.reading.is_plain_order(body):
            self._order(at, body)
        elif self.reading.is_power(body):
            self.is_signed = False
            self._heads(at)
        else:
            return False
        return True

    def _is_cut_off(self, at: int) -> bool:
        """Whether a line is below orders and `--`, where signatures are. If so, it is skipped,
        unless it is an order or more orders follow."""
        body = _body(self.lines[at])
        self.is_cut = self.is_cut or (body in _RULES and self.ordered is not None)
        if not self.is_cut or not words_of(body) or self.quoted[at] or HEAD.match(body):
            return False
        is_like_heading = "," not in body and self.reading.is_like_heading(body)
        if self.reading.has_order(body) or is_like_heading:
            return False
        self._doubt(at, body)
        self._skip(at)
        self.loose.append(at)
        return True

    def _leads_in(self, body: str) -> bool:
        """Whether a line is a sentence that names nothing but the power that sent it."""
        sender = self.senders[-1] if self.senders else None
        said = self.reading.without_power(body, sender.power) if sender else body
        return self.reading.is_prose(said)

    def _key(self, body: str) -> str:
        """The English name of a line in the head of a mail, "" for any other line, such as one with
        a shortened power: `De: A Kie - Den`."""
        head = HEAD.match(body)
        if head is None:
            return ""
        key = head[1].lower()
        if key in KEYS_ABROAD and (
            self._is_power(key) or self.reading.is_order(body[head.end() :].strip())
        ):
            return ""
        return KEYS_ABROAD.get(key, key)

    def _announce(self, at: int, announced: Announced, body: str) -> None:
        """Read a line as a heading, and skip one that says nothing."""
        self._name(at, announced.seasons, body)
        if not self.quoted[at] and self.reading.may_change(body):
            self.doubtful.add(at)
            self.said.append(at)
        names = [*filter(None, (announced.power,)), *map(str, filter(says, announced.seasons))]
        if names:
            self.headings[at] = " and ".join(dict.fromkeys(names))
            self.kept[at] = f"{announced.power}:" if announced.power else ""
            self._heads(at, bool(announced.power))
        else:
            self._skip(at)

    def _order(self, at: int, body: str) -> None:
        """Keep a line with orders."""
        for loose in self.loose if self._counts(at) else ():  # it may be an order, too
            self.kept[loose], self.roles[loose] = self.lines[loose], "kept"
        self.loose = self.loose if not self._counts(at) else []
        if self.commented is not None and not self.reading.is_heading(body):
            above_it, power = self.commented
            problem = f"{self.lines[above_it].strip()!r} is a comment, but orders are below it"
            hint = f"write '{power}:' if it is their heading"
            raise FileError(self.place(above_it), f"{problem}; {hint}")
        if afterword := _AFTERWORD.match(body):
            problem = f"the text after {afterword[0].strip()!r} may be an order"
            hint = "write it on a line of its own, or delete the line"
            raise FileError(self.place(at), f"{problem}; {hint}")
        above, colon, _ = body.partition(":")
        seasons = seasons_in(above, self.first.year)[0] if colon else []
        line = _SMILEY.sub(lambda one: " " * len(one[0]), _with_commas(self.lines[at]))
        announced = None
        if colon and not self._is_power(above):
            announced = self.reading.announced(_without_greeting(above))
        if announced is not None:
            start = line.index(":") + 1
            head = f"{announced.power}:" if announced.power else ""
            line, seasons = head.rjust(start) + line[start:], list(announced.seasons)
        self._name(at, seasons, above)
        start = self.reading.exclaimed(line)
        if start:
            self.exclaimed.append(f"{self.place(at)}: skipped {line[:start].strip()!r}")
        self.kept[at] = line[start:].rjust(len(line))
        if self.ordered is None:
            self.ordered = at
        self.has_begun = True
        self.has_own_orders |= not self.quoted[at]
        self._heads(at)
        self.is_signed = False

    def _in_words_of_orders(self, line: str) -> str:
        """A line in which other phrases for an order become words of orders."""
        line = _rewritten(line)
        if waived := self._waived(_body(line)):
            return waived
        return self.reading.with_own_condition(line) if "dislodged" in line else line

    def _is_winter(self) -> bool:
        """Whether this part of the text is about builds."""
        last = self.sections[-1].season if self.sections else Season("")
        kind = last.kind if says(last) else self.stated and self.stated.kind
        return kind is PhaseKind.ADJUSTMENT

    def _waived(self, body: str) -> str:
        """The waived builds of a player who builds nothing; "" for any other line."""
        said, is_winter = " ".join(words_of(body)), self._is_winter()
        is_early = self.is_below and not self.is_game and said != "pass"
        if said in _BUILDS_NONE and (is_winter or is_early):
            return "Waive all"
        if is_winter and not self.is_game and said in ("none", "nothing"):
            return "Waive all"
        return "Waive" if is_winter and said == "wait" else ""

    def _refuse_comment(self, at: int, line: str) -> None:
        """Note a comment after other text on a line, if it may be about the orders. Raises
        `FileError` if it is an order."""
        above = without_comment(line)
        comment = line[len(above) :].strip(_COMMENT) if above.strip() else ""
        if self.reading.has_order(comment):
            problem = f"{shortened(comment)!r} is a comment, since it follows // or #"
            raise FileError(self.place(at), f"{problem}; write each order on a line of its own")
        if comment and self.reading.may_change(comment):
            self.exclaimed.append(f"{self.place(at)}: skipped {comment!r}")

    def _is_power(self, above: str) -> bool:
        try:
            return bool(power_of_heading(above.strip(), True, self.reading.board))
        except AmbiguousNameError:
            return True
        except UnknownNameError:
            return False

    def _says_none(self, at: int, body: str) -> bool:
        """Whether a line says that there are no orders of some kind (`Retreats: none`). If so, it
        is kept for the power that it names, or skipped if it names none."""
        above, colon, after = body.partition(":")
        none = colon and (says_nothing(after) or after.split()[:1] == ["none"])
        announced = self.reading.announced(above) if none else None
        is_alone = words_of(after) in (("none",), ("nothing",))
        if is_alone and self._is_winter() and self.reading.is_power(above):
            announced = Announced(self.reading.named_in(above)[0], (Season(""),))
        if announced is None:
            return False
        if is_built := not self.is_game and words_of(after)[:1] in (("none",), ("nothing",)):
            kind = announced.seasons[0].kind
            is_built = kind is PhaseKind.ADJUSTMENT or (kind is None and self._is_winter())
            is_built &= "removals" not in words_of(above)
        if is_built and (announced.power or self.is_below):
            self._order(at, body)
            self.kept[at] = f"{announced.power}: Waive all" if announced.power else "Waive all"
        elif announced.power:
            self.kept[at] = f"{announced.power}: NMR"
            self._name(at, announced.seasons, above)
            self.has_begun = True
            self._heads(at)
        else:
            self._skip(at)
        return True

    def _head_of_mail(self, at: int, key: str, said: str) -> None:
        """Skip a line of the head of a mail, and note what a subject or a sender says."""
        self._skip(at)
        is_head = not self.has_begun or (at > 0 and HEAD.match(self.lines[at - 1]) is not None)
        self.in_head = True  # it may go on in the lines below
        if key == "from" and self.known:
            self._send(at, said)
        if key not in _SUBJECTS:
            return
        seasons, rest = seasons_in_subject(said, self.first.year)
        announced = self.reading.announced(said)
        power = announced.power if announced is not None else self.reading.named_in(rest)[0]
        sender = self.senders[-1] if self.senders and not self.quoted[at] else None
        if power and sender is not None and sender.powers and power not in sender.powers:
            raise other_sender(power, sender, self.place(at))
        if power and not self.power:
            self.power, self.power_at = power, at
        if "results" not in words_of(said):
            (self.named if is_head else self.signed).extend((at, one) for one in seasons)

    def _mention(self, at: int, body: str) -> None:
        """Note the seasons in a sentence, unless it is about results. If the phase is known, only
        those in sentences about the orders count. Raises `FileError` for a phase that cannot be
        read."""
        seasons = seasons_in(body, self.first.year, self.is_signed)[0]
        if "results" in words_of(body):
            return
        if self.is_game:
            self.signed.extend((at, one) for one in seasons)
            return
        is_phase = self.reading.is_like_phase(body)
        if is_phase and not (seasons or self.has_begun or self.is_signed or self.quoted[at]):
            hint = f"write its season and year, as in '{self.stated or self.first}'"
            problem = f"{shortened(body)!r} looks like a phase, but does not name one"
            raise FileError(self.place(at), f"{problem}; {hint}")
        about = self.reading.about_orders(body)
        if self.stated is None:
            is_near = self.reading.is_year
            seasons = [one for one in seasons if about or one.year is None or is_near(one.year)]
        elif not (is_phase or about):
            return
        is_heading = self.stated is None or (about == "here" and not self.has_begun)
        is_dating = self.quoted[at] or (is_heading and not self.is_signed)
        (self.named if is_dating else self.signed).extend((at, one) for one in seasons)

    def _other(self, at: int, body: str) -> None:
        """Keep a line that is or may be a heading, and skip text around the orders."""
        if words_of(body) == ("disbands",):
            self._disbands(at, body)
            return
        is_heading = self.reading.is_heading(body)
        afterword = None if is_heading else _AFTERWORD.match(body)
        if afterword is not None:
            body = body[afterword.end() :].strip() or "."
        begins = not is_heading and _is_signature(body)
        self.is_signed = self.is_signed or begins or afterword is not None
        may_date = not (self.has_begun or self.is_game or self.is_signed or self.quoted[at])
        if may_date and not self.reading.is_prose(body):
            refuse_unknown_phase(body, self.place(at), self.reading.words)
        if not is_heading:
            self._mention(at, body)
        if is_heading:
            self.is_signed = False
            self._name(at, seasons_in(body, self.first.year)[0], body)
            self._heads(at)
        elif self.is_below and says_nothing(body):
            self.kept[at] = "NMR"
            self._heads(at, False)
        elif begins or _is_around(body):
            self._skip(at)
        elif _BRACKETS.fullmatch(body) or self.reading.is_prose(body):
            self._doubt(at, body)
            self._skip(at)
        elif self.reading.is_far(body) or self._is_sender(body):
            self._doubt(at, body)
            self.loose += [at] * (self.ordered is not None and not self.is_signed)
            self._skip(at)
        else:
            self._heads(at, False)

    def _disbands(self, at: int, body: str) -> None:
        """Read a heading of disbands. Raises `FileError` outside a winter."""
        if not self._is_winter():
            problem = f"{body!r} may be about retreats or about builds"
            raise FileError(self.place(at), f"{problem}; write 'Retreats:' or 'Removals:'")
        self._name(at, (Season("", None, PhaseKind.ADJUSTMENT),), body)
        self.kept[at] = ""
        self._heads(at, False)

    def _is_sender(self, body: str) -> bool:
        """Whether a line below orders is the name of the player who sent them, even if a province
        has that name, too."""
        sender = self.senders[-1] if self.senders and self.ordered is not None else None
        return sender is not None and {*words_of(sender.text)}.issuperset(words_of(body))

    def _heads(self, at: int, is_heading: bool = True) -> None:
        """Note that a line stays, and that it or a line above it is the heading of orders."""
        self.is_below = self.is_below or is_heading
        self.commented = None
        self.roles[at] = "kept"

    def _doubt(self, at: int, body: str) -> None:
        """Note a sentence, and whether it may be about the orders (always, if there are none)."""
        count = sum(not word.isdigit() for word in words_of(body))
        is_sentence = count >= SENTENCE and not (self.is_signed or body[-1] == ":")
        is_own = not self.quoted[at]
        self.said += [at] * is_own
        if is_own and self.reading.revokes(body):
            self.revoking.append(at)
        elif is_own and (is_sentence or self.reading.may_change(body)):
            self.doubtful.add(at)

    def _skip(self, at: int) -> None:
        self.kept[at], self.roles[at] = "", "skipped"

    def _send(self, at: int, written: str) -> None:
        """Note who wrote the lines below: their orders are for that power. Raises `FileError` for
        another player's mail within a mail."""
        address, name = sender_in(written), " ".join(words_of(written.partition("<")[0]))
        names = {" ".join(words_of(known)): powers for known, powers in self.known.items()}
        with_address = {
            one for known, powers in self.known.items() if "@" in known for one in powers
        }
        powers = self.known.get(address.casefold())
        if powers is None:  # anybody may have the name of a player
            powers = [one for one in names.get(name, ()) if not (address and one in with_address)]
        sender = Sender(at + 1, powers, written, frozenset(with_address.difference(powers)))
        power = sender.power
        if self.quoted[at]:
            around = next((one for one in self.senders[-1:] if one.power not in ("", power)), None)
            if around and power and not self.lines[at].lstrip().startswith(">"):
                problem = f"a mail from {power} is inside one from {around.power}"
                hint = "save each mail in a file of its own, and delete what is only quoted"
                raise FileError(self.place(at), f"{problem}; {hint}")
            return
        self.loose, self.is_cut = [], False
        self.senders.append(sender)
        if power:
            self.kept[at] = f"{power}:"
            self.is_signed, self.is_below = False, True

    def _remark(self, at: int) -> None:
        """Note the season in a line that is a comment and names nothing else: `# Fall 1901`."""
        written = self.english(self.lines[at][:LONGEST])
        seasons, rest = seasons_in(written, self.first.year)
        if seasons and self.reading.named_in(rest)[1]:
            self.signed += ((at, season) for season in seasons)
        power = self.reading.board.names.powers.get(words_of(written))
        if power and written.strip(_COMMENT):
            self.commented = at, power

    def _head(self, at: int, phase: PhaseName) -> None:
        """Take the name of a phase from a line that has nothing else."""
        body = _body(self.english(self.lines[at]))
        if self.headed is None:
            self.headed = at
        self.kept[at], self.is_signed, self.commented = "", False, None
        season = next(iter(seasons_in(body, self.first.year)[0]), Season.of(phase))
        if season.phase is not None and season.phase.kind is not phase.kind:
            season = replace(season, kind=phase.kind)
        self._name(at, (season,), body)
        self.roles[at] = "kept"

    def _name(self, at: int, seasons: Sequence[Season], text: str) -> None:
        """Note the seasons that a heading of orders names. Above all orders they are those of the
        text; below, they begin a section."""
        for season in seasons:
            is_first = self.quoted[at] or not (self.has_begun or self.is_game)
            if is_first and season.letter:
                self.named.append((at, season))
            else:
                self.sections.append(Section(at + 1, season, text))

    def letter(self) -> Letter:
        """The letter that all lines make together. Raises `FileError` for seasons that contradict
        each other."""
        own = [one for one in self.named if self._counts(one[0]) and not self._is_listed(one[0])]
        quoted = [one for one in self.named if not self._counts(one[0])]
        naming = own or self._first_section()
        phase = self.stated
        if not self.is_game:
            phase = agreed(naming, self.place, self.stated, self.first) or phase
            refuse_others(self.signed, self.place, phase or self.first)
        elif phase is not None:
            self._refuse_passed(phase)
        older = self._leave_out(quoted, phase or self.first, phase is None)
        read = {
            at: f"{self.place(at)}: {shortened(_body(self.lines[at]))!r} is read as a heading of "
            f"{names}"
            for at, names in self.headings.items()
        }
        taken = {one.line - 1: [one.power] for one in self.senders if one.power}
        taken |= {self.power_at: [self.power]} if self.power else {}
        at = next((at for at, one in naming if one.phase is not None), 0)
        if self.stated is None and own and at not in (self.headed, *self.headings):
            taken.setdefault(at, []).append(str(phase))
        named = (
            f"{self.place(at)}: {' and '.join(names)}: taken from "
            f"{shortened(_body(self.lines[at]))!r}"
            for at, names in sorted(taken.items())
        )
        lines = (at for at, role in enumerate(self.roles) if role)
        blocks = ((role, list(ats)) for role, ats in groupby(lines, self.roles.__getitem__))
        what = "text around the orders"
        around = (self._skipped(ats, what) for role, ats in blocks if role == "skipped")
        skipped = (*around, *older, *read.values(), *named, *self.exclaimed)
        doubtful = (
            read.get(at, f"{self.place(at)}: skipped {shortened(_body(self.lines[at]))!r}")
            for at in self.said
            if (at in self.doubtful or self.ordered is None)
            and (at in read or self.roles[at] == "skipped")
        )
        is_quoted = self.ordered is not None and not self.has_own_orders
        whole = [f"{self.place(self.ordered or 0)}: the orders are in a quoted mail"]
        judged = () if self.is_game else tuple(self.noted.items())[:1]
        whole = whole * is_quoted + [
            f"{at}: results are not compared with the judge's notes, such as {shortened(one)!r}"
            for at, one in judged
        ]
        return Letter(
            self.shown, self.above, "\n".join(self.kept), skipped, self.power, phase,
            self.place(at), " ".join(_body(self.lines[of]) for of, _ in naming),
            tuple(one for one in self.sections if self._counts(one.line - 1)),
            tuple(self.senders), self.report.said,
            (*doubtful, *older, *self.exclaimed, *whole),
            tuple((self.place(at), _body(self.lines[at])) for at in self.revoking), self.noted,
        )  # fmt: skip

    def _is_listed(self, at: int) -> bool:
        """Whether a line in the head lists several seasons that headings name, too."""
        seasons = [one for of, one in self.named if of == at]
        if all(one.with_(seasons[0]) for one in seasons) or self._key(_body(self.lines[at])) == "":
            return False
        others = [one.season for one in self.sections]
        others += [one for of, one in self.named if of != at]
        return all(any(one.with_(other) for other in others if other.letter) for one in seasons)

    def _refuse_passed(self, phase: PhaseName) -> None:
        """Raise `FileError` for a sentence in a game that names a later phase, if there are orders
        below it."""
        ordered = [at for at, role in enumerate(self.roles) if role == "kept"]
        for at, season in self.signed:
            named = season.phase
            if named is None or season.fits(phase) or named.is_before(phase) or self.quoted[at]:
                continue
            if ordered and at < ordered[-1]:
                problem = f"names {named}, but the orders below it are of {phase}"
                hint = f"write '{named.title()}' on a line of its own, or delete this one"
                raise FileError(self.place(at), f"{problem}; {hint}")

    def _counts(self, at: int) -> bool:
        """Whether a line counts: a quoted one does not if there are orders that are not quoted."""
        return not (self.has_own_orders and self.quoted[at])

    def _first_section(self) -> list[Named]:
        """What the first section says about the phase of the text, if nothing else does."""
        first = next((one for one in self.sections if one.season.letter), None)
        if first is None or self.stated is not None:
            return []
        if self.ordered is not None and self.ordered < first.line - 1 and not self.is_game:
            problem = f"{first.text!r} is below orders; write the phase above them"
            raise FileError(self.place(first.line - 1), problem)
        return [(first.line - 1, first.season)]

    def _leave_out(self, quoted: Sequence[Named], phase: PhaseName, is_guessed: bool) -> list[str]:
        """Leave out an older mail if there are orders that are not quoted, and return a remark on
        that. Raises `FileError` if only the quotation says what phase the orders are for."""
        for at, season in quoted if is_guessed else ():
            if not season.fits(phase):
                problem = f"quotes {season}, but the orders do not say what phase they are for"
                raise FileError(self.place(at), problem).with_remedy("phase")
        older = [at for at, one in enumerate(self.quoted) if one and self.roles[at] == "kept"]
        if not (self.has_own_orders and older):
            return []
        self._blank(older)
        return [self._skipped(older, "an older mail")]

    def _blank(self, ats: Iterable[int]) -> None:
        for at in ats:
            self.kept[at] = ""
            self.headings.pop(at, "")

    def _skipped(self, ats: Sequence[int], what: str) -> str:
        """A sentence on lines that are skipped, which quotes the first and the last."""
        first, last = ats[0], ats[-1]
        place = (
            self.place(first) if first == last else f"{self.place(first)}-{self.above + last + 1}"
        )
        quoted = repr(shortened(_body(self.lines[first])))
        if len(ats) > 1:
            end = repr(shortened(_body(self.lines[last])))
            quoted += f" {'and' if len(ats) == 2 else 'to'} {end}"
        lines = "a line" if len(ats) == 1 else f"{len(ats)} lines"
        return f"{place}: skipped {lines} of {what}: {quoted}"


def _body(line: str) -> str:
    """A line without marks of quotations and lists, and without a comment."""
    line = without_comment(line)
    return line[after_mark(line, 0, len(line)) :].strip(" \t\r\u200b\ufeff")


def _without_greeting(body: str) -> str:
    """A text without the greeting before a comma: `Hi GM, my orders are`."""
    greeting, _, rest = body.partition(",")
    words = words_of(greeting)
    return rest if words and len(words) < SENTENCE and words[0] in _GREETING else body


def _is_around(body: str) -> bool:
    """Whether a line is from the head of an e-mail, a greeting, or the line above a quotation."""
    if HEAD.match(body) or addresses_in(body) or is_forwarding(body) or is_attribution(body):
        return True
    words = words_of(body)
    if not words or len(words) > _LONG:
        return False
    is_good = words[0] == "good" and words[1:2] and words[1] in _TIMES
    is_called = len(words) == 1 and words[0] in _PEOPLE
    return words[0] in _GREETING or bool(is_good) or is_called


def _is_signature(body: str) -> bool:
    """Whether a line begins a signature: `Cheers,`, `Best, Bob`, `Sent from my phone`."""
    words = words_of(body)
    return 0 < len(words) <= _LONG and (words[0] in _CLOSING or words[:2] == ("sent", "from"))
