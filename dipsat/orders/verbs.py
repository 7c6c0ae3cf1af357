"""The words of orders in every notation: verbs, marks around orders, forms that rules add."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import chain
from typing import Protocol, TypeAlias

from dipsat.base import FORM_PARTS, brief
from dipsat.board import ARMIES_BY_FLEETS, STANDARD_KINDS, Carriage, UnitKind
from dipsat.errors import OrderSyntaxError, shortened
from dipsat.orders.order import Attributes, DeclaredOrder, UnitName

# --- forms ----------------------------------------------------------------------------------------

# Kinds of orders that rules declare, and their written forms.
#
# A form is a text such as `{unit} - TSR - {target: Province}`: words as they are typed
# (`X|exchange` for either), and fields in braces for units and provinces. `{unit}` is the ordered
# unit. A form without it is an order of a power, not of a unit.


FIELD_TYPES = ("Unit", "Province")
UNIT_FIELD = "unit"
EXTRA_SEASONS = {"summer": "U"}
"""The seasons in which rules may add a phase, each with the first letter of the phase's name."""

_PART = re.compile(r"\{([^{}]*)\}|([^\s{}]+)")
_FIELD = re.compile(r"\s*([A-Za-z_]\w*)\s*(?::\s*(\w+)\s*)?")
_WORD = re.compile(r"-|[^\W_]+(?:\|[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Word:
    """Alternative words, in lower case. Any of them is read; the first is written, spelled as in
    `shown`."""

    words: tuple[str, ...]
    shown: str


@dataclass(frozen=True, slots=True)
class Slot:
    """A field of an order, and whether it names a `Unit` or a `Province`."""

    name: str
    type: str


Form: TypeAlias = tuple[Word | Slot, ...]


@dataclass(frozen=True, slots=True)
class OrderKind:
    """A kind of order: its name and its forms. All of them are read, the first is written.

    If `line` names a line of the map, the ordered unit goes along that line to the field `target`.
    `season` is the letter of the season whose extra phase has such orders ("" for movement phases).
    """

    name: str
    forms: tuple[Form, ...]
    line: str = ""
    season: str = ""
    fields: tuple[Slot, ...] = field(init=False)

    def __post_init__(self) -> None:
        slots = (part for part in self.forms[0] if isinstance(part, Slot))
        fields = tuple(sorted((s for s in slots if s.name != UNIT_FIELD), key=lambda s: s.name))
        object.__setattr__(self, "fields", fields)

    @property
    def is_of_unit(self) -> bool:
        """Whether it is an order of a unit rather than of a power."""
        return any(isinstance(part, Slot) and part.name == UNIT_FIELD for part in self.forms[0])

    def written(self, order: DeclaredOrder) -> DeclaredOrder:
        """The same order with its text filled in."""
        named = {**dict(order.fields), UNIT_FIELD: order.unit}
        parts = (p.shown if isinstance(p, Word) else named[p.name] for p in self.forms[0])
        texts = (part.text() if isinstance(part, UnitName) else part for part in parts)
        return replace(order, text=" ".join(texts))


def read_form(text: str) -> Form:
    """The form that a text states.

    Raises `ValueError` that says what is wrong, and `InputLimitError` for a form with too many
    parts.
    """
    parts: list[Word | Slot] = []
    for match in _PART.finditer(text):
        FORM_PARTS.check(len(parts) + 1)
        parts.append(_word(match[2]) if match[1] is None else _slot(match[1]))
    if _PART.sub("", text).strip():
        raise ValueError("a brace is not closed")
    seen: set[str] = set()
    for part in parts:
        if isinstance(part, Slot) and part.name in seen:
            raise ValueError(f"{{{part.name}}} occurs twice")
        seen |= {part.name} if isinstance(part, Slot) else set()
    if not any(isinstance(part, Word) and part.shown != "-" for part in parts):
        raise ValueError("a form needs a word that distinguishes it from other orders")
    return tuple(parts)


def _word(text: str) -> Word:
    if not _WORD.fullmatch(text):
        problem = f"{shortened(text)!r} is not a word; write words, -, and fields in braces"
        raise ValueError(problem)
    words = text.split("|")
    FORM_PARTS.check(len(words))
    return Word(tuple(word.casefold() for word in words), words[0])


def _slot(text: str) -> Slot:
    match = _FIELD.fullmatch(text)
    if match is None:
        raise ValueError(f"{{{shortened(text)}}} is not a field; write {{name: Province}}")
    name, kind = match[1], match[2]
    if name == UNIT_FIELD and kind in (None, "Unit"):
        return Slot(name, "Unit")
    if kind not in FIELD_TYPES:
        raise ValueError(
            f"{{{shortened(text)}}} does not say what it is: {' or '.join(FIELD_TYPES)}"
        )
    return Slot(name, kind)


# --- words ----------------------------------------------------------------------------------------

# What rules add to the notation of orders.


@dataclass(frozen=True, slots=True)
class SwitchedOff:
    """A kind of orders that the rules have only with an option: `switch`, as typed."""

    kind: OrderKind
    switch: str

    @property
    def advice(self) -> str:
        """A sentence that says how to allow such orders."""
        return (
            f"there are {self.kind.name} orders if you add +{self.switch} to the name of the rules"
        )


@brief()
@dataclass(frozen=True, slots=True)
class Words:
    """What rules add to the notation of orders."""

    attributes: Attributes = ()
    """Attributes of units."""
    kinds: tuple[OrderKind, ...] = ()
    """Kinds of orders that the rules declare."""
    units: tuple[UnitKind, ...] = STANDARD_KINDS
    """The kinds of units."""
    carriages: tuple[Carriage, ...] = (ARMIES_BY_FLEETS,)
    """Which kinds can convoy which others."""
    switched_off: tuple[SwitchedOff, ...] = ()
    """The kinds of orders that an option of the rules would add."""

    def __hash__(self) -> int:  # needed for every text that is read
        return hash((self.attributes, self.kinds))

    @property
    def words(self) -> Words:
        """The object itself, so that words can be passed in place of rules."""
        return self

    @property
    def have_own_units(self) -> bool:
        """Whether there are units besides armies and fleets, or unusual convoys."""
        return (self.units, self.carriages) != (NO_WORDS.units, NO_WORDS.carriages)

    @property
    def phase_words(self) -> dict[str, str]:
        """Name of the phase for a declared kind of orders -> the letter of its season. The phase is
        called by the name of the kind or by the first words of its forms."""
        found: dict[str, str] = {}
        for kind in self.kinds:
            verbs = [next(part for part in form if isinstance(part, Word)) for form in kind.forms]
            named = (kind.name.casefold(), *(word for verb in verbs for word in verb.words))
            found |= dict.fromkeys(named, kind.season)
        return found

    @property
    def extra_seasons(self) -> frozenset[str]:
        """The seasons with a phase for orders that the rules declare."""
        return frozenset(kind.season for kind in self.kinds if kind.season)


class WithWords(Protocol):
    """Rules, such as a profile, that may add to the notation."""

    @property
    def words(self) -> Words:
        """What they add."""


NO_WORDS = Words()
"""The words of rules that add nothing."""


# --- verbs ----------------------------------------------------------------------------------------


_DASHES = "-–—\u2010\u2011\u2012\u2015\u2043\u2212\uff0d"  # hyphens and similar signs, typed for -
_HEADS = ">\uff1e\u203a»→⇒↦↠↣⇀⇢⇨⇾⟶⟹⟼⟾➔➙➛➜➝➞➟➠➡➢➣➤➾⮕►▶▷▸🠖🡒🡢🡪🡲🡺"
_ARROW = rf"[{_DASHES}=~]*[{_HEADS}]+|[{_DASHES}]+"
_TOKEN = rf"[^\W_]+(?:['’][^\W_]+)?['’]?|{_ARROW}|[()/]"
_UNSEEN = "\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff"  # such as the selectors of emoji
_NOISE = rf"[\s.,;:!_*`|\"“”„{_UNSEEN}]+"
_STEP = re.compile(rf"({_TOKEN})|{_NOISE}|(.)", re.DOTALL)
ARROW = re.compile(_ARROW)
"""Every dash and arrow that people type for -."""

HOLD = {"h", "hold", "holds", "stand", "stands"}
SUPPORT = {"s", "sup", "supp", "support", "supports"}
CONVOY = {"c", "convoy", "convoys"}
MOVE = {"move", "moves", "to"}
GOES, CARRIES = {"m", "mv"}, {"trans", "transport", "transports"}  # only where a verb is expected
VIA = {"via", "by"}
RETREAT = {"r", "retreat", "retreats"}
DISBAND = {"d", "disband", "disbands", "remove", "removes"}
BUILD = {"b", "build", "builds"}
WAIVE = {"waive", "waives", "waived", "decline", "declines"}
ACTIONS = frozenset(HOLD | SUPPORT | CONVOY | MOVE | VIA | RETREAT | DISBAND | BUILD | WAIVE)
"""All words for actions. Rules cannot redefine them."""


NO_NAMES = ACTIONS | {"the", "its", "at", "in", "on", "a", "an"}
"""Words that are never read as the shortened name of a place."""


@cache  # few rules have their own kinds
def kind_words(kinds: tuple[UnitKind, ...]) -> Mapping[str, UnitKind]:
    """Letter or word -> the kind of unit."""
    return {word.casefold(): kind for kind in kinds for word in (kind, kind.word)}


def meaning_of(word: str, words: Words) -> str:
    """The meaning of a folded word in orders under the rules, "" if it has none. A declaration
    cannot give a word another meaning."""
    if word in ACTIONS:
        return "an action"
    kind = kind_words(words.units).get(word)
    if kind is not None:
        return f"the unit kind {kind.word}"
    if word in of_convoys(words):
        return "a convoy"
    for declared in words.kinds:
        parts = (part for form in declared.forms for part in form)
        if any(word in part.words for part in parts if isinstance(part, Word)):
            return f"an order of the kind {declared.name}"
    return ""


@cache
def of_convoys(words: Words) -> set[str]:
    """The words for a convoy under the rules."""
    own = (verb.casefold() for carriage in words.carriages for verb in carriage.verbs)
    return {*CONVOY, *own}


@cache
def ends_of_names(words: Words) -> set[str]:
    """The words and signs of orders that end the name of a place, under the rules."""
    return {*HOLD, *SUPPORT, *of_convoys(words), *VIA, *MOVE, "-"}


def tokens_of(text: str, shown: str) -> list[str]:
    """The tokens of a text; every arrow and dash becomes "-". Raises `OrderSyntaxError`, with the
    text as it was typed."""
    return list(_tokens(text, shown))


@lru_cache(16)  # an unreadable text is tried in several ways in a row
def _tokens(text: str, shown: str) -> tuple[str, ...]:
    tokens: list[str] = []
    for typed, unexpected in _STEP.findall(text):
        if unexpected:
            raise OrderSyntaxError(shown, f"unexpected {unexpected!r}")
        if typed.isascii() and typed.isalnum():  # usually
            tokens.append(typed.lower())
        elif typed:
            token = typed.casefold().replace("’", "'").rstrip("'")  # Cecrops' Channel
            tokens.append("-" if ARROW.match(token) else token)
    return tuple(tokens)


def is_hyphenated(text: str, before: str, after: str) -> bool:
    """Whether the text joins two tokens with a hyphen and no spaces."""
    folded = text.casefold()
    return any(f"{before}{dash}{after}" in folded for dash in _DASHES)


def is_parted(text: str, before: str = "", after: str = "") -> bool:
    """Whether there is a comma or a semicolon between two tokens in the text."""
    between = rf"{re.escape(before)}[\s.]*[,;]\W*{re.escape(after)}"
    return bool(after) and re.search(between, text.casefold()) is not None


# --- pasted ---------------------------------------------------------------------------------------

# Plain text from lines and orders that people paste from web sites, e-mails and results.
#
# A line loses its comment and its list or quote markers. An order that the reader refuses loses a
# judge's notes and its prose: "The fleet at London moves to the North Sea (bounced)".


_COMMENT = re.compile(r"#(?!\d)|//")
_UNIT = r"(?:a|f|army|fleet)\.?\s+\w"
_BULLETS = "*•‣◦·▪●○◆◇■□▸▹►▶➤➢→⇒»✓✔✗☐☑❖★☆🔹🔸"
_MARK = re.compile(
    rf"(?:[\s>+{_BULLETS}{_UNSEEN}]|[-–—](?=\s)|\(?\d{{1,3}}[.):]|\[[ x✓✔]?\]"
    rf"|#\d{{1,3}}[.):]?(?=\s)|\(?(?:[a-z]|[ivx]+)[.)](?=\s*{_UNIT})|[.!/$]orders?\b:?|[-–—](?={_UNIT}))+",
    re.IGNORECASE,
)
_PARTING = re.compile(r";[;,\s]*|,|\.(?=\s)|(?<=\s)/(?=\s)")
_BEFORE_UNIT = re.compile(rf"\s*(?:(?:[-+]\s*)?{_UNIT}|waives?\b)", re.IGNORECASE)
"""The text after a comma that may separate orders."""
_SIGNED = re.compile(r"(?:\+\s*|[-–—])$")  # before a unit that is to be built, or disbanded

_LONGEST = 300  # characters; the reader refuses longer orders
_COMMAS = 100  # between orders in one line; no power has more units
_NOTES = 4  # after one order; judges write one, and people add another
_NOTED = {
    "bounce", "bounced", "bounces", "cut", "destroyed", "disrupted", "dislodged", "fail", "failed",
    "fails", "failure", "illegal", "invalid", "moved", "no", "not", "nmr", "ok", "okay", "resolved",
    "standoff", "succeed", "succeeded", "succeeds", "success", "successful", "void",
}  # fmt: skip
"""Words that begin a judge's note. No order needs any of them."""
_SPOKEN = {"moved", "no", "not", "ok", "okay"}
"""Those that also begin the rest of an order, or a name: `A Par, moved to Bur`, `A Fin - No`."""
_DENIED = {
    "adjacent", "allowed", "convoy", "effect", "legal", "move", "moved", "order", "ordered",
    "orders", "path", "possible", "received", "route", "success", "successful", "such", "support",
    "unit", "valid",
}  # fmt: skip
"""Words after `no` and `not` in a note."""
_LISTED = {
    "adjustment", "adjustments", "build", "builds", "move", "moves", "order", "orders", "retreat",
    "retreats",
}  # fmt: skip
_MISSING = _LISTED | {
    "again", "all", "are", "by", "cd", "civil", "deadline", "default", "disorder", "entered", "for",
    "from", "given", "hold", "holding", "holds", "in", "needed", "nmr", "no", "player", "received",
    "required", "season", "sent", "so", "stand", "submitted", "thanks", "the", "they", "this",
    "turn", "unit", "units", "were", "year", "yet",
}  # fmt: skip
"""Words after `no` where a power has no orders."""
_SILENT = {
    "absent", "cd", "defeated", "eliminated", "late", "missing", "nmr", "nmred", "nmrs", "none",
    "nothing", "pending", "waiting",
}  # fmt: skip
"""Words that say that a power has no orders."""
_BEGUN = {
    "not": {"received"},
    "has": {"not"},
    "i": {"have", "no"},
    "still": _SILENT,
    "civil": {"disorder"},
    "missed": {"deadline"},
    "did": {"not", "send", "submit"},
}
"""Other texts that say that there are no orders: first word -> words that may follow it."""
_IDLE = {"destroyed", "dislodged", "invalid", "illegal", "nmr", "no"}
"""Words that begin a note on a unit without an order."""
_OPENING = {")": "(", "]": "[", "}": "{"}
_PASTED_WORD = re.compile(r"[^\W\d_]+")
_PASTED_DASHES = "-–—=>"
_RULER = re.compile(r"[-–—=_*~+ \t]{2,}|```\w*")  # under a heading, or around code
_SIGNS = " \t\r.,;:!*_=`|+✓✔✗✘❌✅"
_HELP = re.compile(r"\W*(?:with\s+)?(?:s|supp?|support(?:s|ed)?)\s+(?:by|from|of)\b", re.IGNORECASE)
"""The beginning of a note that lists supports of an order: `(S by Mar)`."""
CONDITION = re.compile(
    r"\b(?:if|unless|when(?:ever)?|in\s+case|provided|as\s+long\s+as)\b", re.IGNORECASE
)
"""The beginning of a condition."""
REVOKING = {
    "cancel", "canceled", "cancelled", "deleted", "disregard", "forget", "ignore", "instead",
    "scrap", "scratch", "undo", "wait", "withdraw", "withdrawn",
}  # fmt: skip
"""Words in remarks that take an order back."""
CHANGING = REVOKING | {
    "alternatively", "change", "draft", "else", "except", "if", "maybe", "not", "old", "only", "or",
    "otherwise", "perhaps", "preliminary", "proposal", "proposed", "provided", "provisional",
    "tentative", "then", "unless", "until", "when", "whenever",
}  # fmt: skip
"""Words in remarks that may change an order or take it back."""
TAKING_BACK = REVOKING | {"don't", "never", "no", "not"}
"""Words at the beginning of a text that may take an order back."""
EVERYBODY = {
    "all", "else", "every", "everybody", "everyone", "everything", "my", "of", "other",
    "others", "please", "remaining", "rest", "the", "them", "unit", "units", "will",
}  # fmt: skip
"""Words that people use to order several units to hold: `All other units hold`."""
_STRUCK = re.compile(
    r"(?<!~)~~(?=[^\s~])(.{0,300}?[^\s~])~~(?!~)"
    r"|^[ \t]*~~[ \t]*\n(.{0,2000}?)\n[ \t]*~~[ \t]*$",
    re.DOTALL | re.MULTILINE,
)

_GOING = (
    "into", "goes", "go", "going", "moving", "marches", "march", "sails", "sail", "heads",
    "attacks", "attack", "mv",
)  # fmt: skip
_SAID = (
    *_GOING, "moves?", "supports?", "supporting", "holds?", "holding", "convoys?", "convoying",
    "retreats?", "retreating",
)  # fmt: skip
"""Verbs after an auxiliary: `is to hold`, `will support`."""
SPOKEN_ACTIONS = frozenset((*_GOING, *CARRIES, "holding", "disbanded", "otb"))
"""Words for actions in prose, besides those in ordinary orders."""

_OFF = re.compile(
    rf"\s*(?:(?:{_ARROW}|\b(?:to|r|retreats?)\b)\s*)?\b(?:otb|off(?:\s+of)?\s+(?:the\s+)?board)\b",
    re.IGNORECASE,
)

_PROSE = tuple(
    (re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), plain)
    for pattern, plain in (
        (r"the|its|at|in|on|an?(?=\s+(?:army|fleet)\b)", " "),
        (rf"(?:is|are|will|shall|must)\s+(?:to\s+)?(?=(?:{'|'.join(_SAID)})\b)", ""),
        (r"(support|convoy|retreat|build)ing", r"\1"),
        (r"s(?:upp?|upports?)?\s*[-/]\s*h(?:olds?)?(?:\s+to|\s+of)?", "supports"),
        (r"s(?:upp?|upports?)?\s*[-/]\s*m(?:oves?)?", "supports"),
        (r"supports?\s+hold(?:\s+to|\s+of)?(?!.*(?:\s[-–—=]|>|\sto\b))", "supports"),
        (
            r"(supports?|convoys?)\s+(?:move\s+)?to\s+(.+?)\s+from\s+(.+?)(?=$|\s+via|\s*\()",
            r"\1 \3 - \2",
        ),
        (r"(supports?|convoys?)\s+(?:move\s+)?(?:from|of)", r"\1"),
        (r"supports?\s+move", "supports"),
        (r"holds?\s+position|(?:to\s+)?holding|to\s+hold|no\s+move", "holds"),
        (r"(?:is\s+|be\s+)?disbanded", "disbands"),
        (r"destroys?(?=\s+(?:army|fleet|a|f)\b)", "removes"),
        (r"(?:please|pls|thanks|thank\s+you|thx)(?=\W*$)", " "),
        ("|".join(_GOING), "-"),
    )
)  # fmt: skip


def without_struck(text: str) -> tuple[str, list[tuple[int, str]]]:
    """A text without the parts that chat servers show as struck out, and these parts, each with its
    line (from 1). The remaining lines keep their numbers."""
    struck = [
        (text.count("\n", 0, one.start(group)) + 1, one[group])
        for one in _STRUCK.finditer(text)
        if (group := one.lastindex or 0)
    ]
    return _STRUCK.sub(lambda one: "\n" * one[0].count("\n"), text), struck


def without_comment(line: str) -> str:
    """A line without the comment after `#` or `//`; `#1` is a number, not a comment."""
    comment = _COMMENT.search(line)
    return line if comment is None else line[: comment.start()]


def parts_of(line: str, is_order: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """The orders and headings in a line, each with its column (from 1), without comments, list and
    quote markers, and commas at the end. `is_order` says whether a text is an order as it stands;
    commas in such a text separate nothing."""
    line = without_comment(line)
    start = 0
    for parting in chain(_partings(line, is_order), (None,)):
        end = len(line) if parting is None else parting.start()
        at = after_mark(line, start, end)
        text = line[at:end].rstrip(" \t\r,;\u200b\ufeff")
        signed = _SIGNED.search(line, start, at)
        if signed is not None and not is_order(text):
            at = signed.start()
            text = line[at : at + len(text) + len(signed[0])]
        if text and not _RULER.fullmatch(text):
            yield at + 1, text
        if parting is not None:
            start = parting.end()


def after_mark(line: str, start: int, end: int) -> int:
    """Where a text in a line begins after list and quote markers."""
    mark = _MARK.match(line, start, end)
    return start if mark is None else mark.end()


def _partings(line: str, is_order: Callable[[str], bool]) -> Iterator[re.Match[str]]:
    """The semicolons, commas, full stops and slashes between the orders of a line. Text that begins
    with a condition is not split, because nobody would know how far the condition reaches."""
    waiting: list[re.Match[str]] = []
    start, marked = 0, after_mark(line, 0, len(line))
    for sign in chain(_PARTING.finditer(line), (None,)):
        if sign is not None and sign[0][0] != ";":
            if sign.start() >= marked:
                waiting.append(sign)
            continue
        end = len(line) if sign is None else sign.start()
        text = line[after_mark(line, start, end) : end] if waiting else ""
        if (
            text.strip(" \t,./")
            and not is_order(text)
            and not CONDITION.match(text.lstrip(" ([*_"))
        ):
            yield from _parting_commas(line, start, end, waiting, is_order)
        waiting = []
        if sign is not None:
            yield sign
            start, marked = sign.end(), after_mark(line, sign.end(), len(line))


def _parting_commas(
    line: str,
    start: int,
    end: int,
    commas: Sequence[re.Match[str]],
    is_order: Callable[[str], bool],
) -> Sequence[re.Match[str]]:
    """The commas that separate orders: all of them if every part is an order (`Par - Bur, Mar H`),
    else those before a unit."""
    before_units = [comma for comma in commas if _BEFORE_UNIT.match(line, comma.end(), end)]
    if len(before_units) == len(commas) or len(commas) > _COMMAS:
        return before_units
    starts, ends = (start, *(c.end() for c in commas)), (*(c.start() for c in commas), end)
    texts = [line[after_mark(line, *ends_) : ends_[1]] for ends_ in zip(starts, ends, strict=True)]
    texts[0] = texts[0].rpartition(":")[2]  # it may begin with a heading
    return commas if all(is_order(text) for text in texts if text.strip()) else before_units


def says_nothing(text: str) -> bool:
    """Whether a text below a power says that there are no orders: `No orders received`, `NMR`,
    `NMR (all units hold)`, `-`."""
    text = text[:_LONGEST].strip()
    if (at := remark_in(text)) and re.search(rf"\b{_UNIT}", text[at:], re.IGNORECASE) is None:
        text = text[:at]  # `NMR (again)`, but not `NMR (A Ven H)`
    first, *others = (*map(str.casefold, _PASTED_WORD.findall(text)), "")
    if not first:
        return not text.strip(f"{_DASHES} ") and bool(text.strip())
    others = others[:-1]
    if first == "no":
        is_begun = others[:1] and others[0] in _LISTED
    elif first in _BEGUN:
        is_begun = not _BEGUN[first].isdisjoint(others[:2])
    else:
        is_begun = first in _SILENT
    return bool(is_begun) and (_MISSING | _BEGUN.get(first, set())).issuperset(others)


def plain_order(text: str, kinds: Collection[str]) -> str:
    """The text of an order without notes and prose; `kinds` are the folded words for units."""
    return text if len(text) > _LONGEST else _plain(text, frozenset(kinds))


@lru_cache(16)  # an unreadable order is looked at a dozen times in a row
def _plain(text: str, kinds: frozenset[str]) -> str:
    found = _OFF.sub(" disbands", " ".join(text.split()))
    found = _without_notes(found[after_mark(found, 0, len(found)) :], _NOTED)
    for pattern, plain in _PROSE:
        found = pattern.sub(plain, found)
    return " ".join(_without_brackets(found, kinds).split()) or text


def remark_in(text: str) -> int:
    """Where the bracketed text at the end of a text begins, 0 if there is none."""
    return max(text.rfind(_OPENING[text[-1]]), 0) if text and text[-1] in _OPENING else 0


def sign_of(text: str) -> str:
    """The sign of a unit that is to be built, `+A Ber`, or disbanded, `-A Ber`; "" if there is
    none."""
    bare = text.strip(" \t.,;")
    if bare.startswith("+") or bare.endswith("+"):
        return "+"
    return "-" if bare[:1] in _DASHES and bare else ""


def plain_unit(text: str, kinds: Collection[str]) -> str:
    """The text of a unit without an order, without notes and prose. Words that show that the unit
    had an order are kept, as in `A Par, bounced in Bur`, so that it does not count as idle."""
    if len(text) > _LONGEST:
        return text
    one_line = " ".join(text.split())
    told = _without_notes(one_line, _NOTED) != _without_notes(one_line, _IDLE)
    return text if told else plain_order(text, kinds)


def _without_notes(text: str, noted: Collection[str]) -> str:
    """An order without a judge's notes at its end: `(bounced)`, `[no convoy]`, `FAILS`. `noted` are
    the words that begin a note."""
    for _ in range(_NOTES):
        text = text.rstrip(_SIGNS)
        at = _start_of_note(text, noted)
        if at <= 0:
            return text
        text = text[:at]
    return text


def _start_of_note(text: str, noted: Collection[str]) -> int:
    """Where the note at the end of a text begins, 0 if there is none."""
    if text and text[-1] in _OPENING:
        at = max(text.rfind(_OPENING[text[-1]]), 0)
        note = text[at:]
        helped = _HELP.match(note) and CHANGING.isdisjoint(
            map(str.casefold, _PASTED_WORD.findall(note))
        )
        return at if helped or _is_note(note, noted) else 0
    at = len(text)
    while at and text[at - 1].isalpha():
        at -= 1
    before = text[:at].rstrip(f"{_PASTED_DASHES}:,.! ")
    is_apart = not text[at - 1 : at].isalnum()
    is_named = text[at:].casefold() in _SPOKEN and before != text[:at].rstrip(":,.! ")
    if is_apart and not is_named and _is_note(text[at:], noted):
        return len(before)
    at = max(text.rfind(","), 0)
    return at if _is_note(text[at:], noted) else 0


def _is_note(text: str, noted: Collection[str]) -> bool:
    first, *others = (*map(str.casefold, _PASTED_WORD.findall(text)), "")
    if first not in noted:
        return False
    others.remove("")
    if first in ("no", "not"):
        return bool(others) and _DENIED.issuperset(others)
    return first not in _SPOKEN or not others


def _without_brackets(text: str, kinds: Collection[str]) -> str:
    """An order without brackets around provinces (`A (Par) - Bur`) or a supported order
    (`A Mar S (A Par - Bur)`) and without a verb before the unit (`Move A Par to Bur`)."""
    words = text.split()
    begins = len(words) > 2 and words[0].casefold() in MOVE
    if begins and (words[1].casefold() in kinds or " to " in text.casefold()):
        text = " ".join(words[1:])
    named = "|".join(map(re.escape, sorted(kinds)))
    text = re.sub(rf"\b({named})\s*\(([^()]+)\)", r"\1 \2", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(s|supports?)\s*\((.+)\)$", r"\1 \2", text, flags=re.IGNORECASE)
    return re.sub(rf"\b({named})\s+from\b", r"\1", text, flags=re.IGNORECASE)
