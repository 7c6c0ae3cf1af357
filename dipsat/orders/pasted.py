"""Lines and orders as people paste them from web sites, e-mails and results, made plain.

A line loses its comment, and what marks it as quoted or as an entry of a list. An order that the
reader refuses loses what a judge has noted beside it, and its prose: "The fleet at London moves to
the North Sea (bounced)".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from dipsat.orders import verbs

_COMMENT = re.compile(r"#|//")
_MARK = re.compile(r"(?:[\s>*•‣◦·▪●+\ufeff\u200b]|[-–—](?=\s)|\(?\d{1,3}[.):])+")
_PARTING = re.compile(r";[;,\s]*|,")
_UNIT = re.compile(r"\s*(?:a|f|army|fleet)\s+\w", re.IGNORECASE)  # after a comma that may part

_LONGEST = 300  # characters; the reader refuses longer orders
_COMMAS = 100  # between orders in one line; no power has more units
_NOTES = 4  # behind one order; judges write one, and people another
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
"""What follows `no` and `not` in a note."""
_MISSING = {
    "entered", "for", "given", "in", "order", "orders", "received", "sent", "submitted", "this",
    "turn", "were", "yet",
}  # fmt: skip
"""What follows `no` where a power has no orders."""
_IDLE = {"destroyed", "dislodged", "invalid", "illegal", "nmr", "no"}
"""Words that begin a note on a unit without an order."""
_OPENING = {")": "(", "]": "[", "}": "{"}
_WORD = re.compile(r"[^\W\d_]+")
_DASHES = "-–—=>"
_RULER = re.compile(r"[-–—=_*~+ \t]{2,}")  # drawn under a heading, or above a signature
_SIGNS = " \t\r.,;:!*_=✓✔✗✘❌✅"

_GOING = (
    "into", "goes", "go", "going", "moving", "marches", "march", "sails", "sail", "heads",
    "attacks", "attack", "mv",
)  # fmt: skip
SPOKEN_ACTIONS = frozenset((*_GOING, "holding", "disbanded"))
"""Words for actions in prose, besides those that orders have anyhow."""

_PROSE = tuple(
    (re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), plain)
    for pattern, plain in (
        (r"the|its|at|in|on", " "),
        (r"supports?\s+hold(?:\s+to|\s+of)?(?!.*(?:\s[-–—=]|>|\sto\b))", "supports"),
        (
            r"(supports?|convoys?)\s+(?:move\s+)?to\s+(.+?)\s+from\s+(.+?)(?=$|\s+via|\s*\()",
            r"\1 \3 - \2",
        ),
        (r"(supports?|convoys?)\s+(?:move\s+)?(?:from|of)", r"\1"),
        (r"supports?\s+move", "supports"),
        (r"holds?\s+position|holding|no\s+move", "holds"),
        (r"(?:is\s+|be\s+)?disbanded", "disbands"),
        ("|".join(_GOING), "-"),
    )
)  # fmt: skip


def without_comment(line: str) -> str:
    """A line without the comment after `#` or `//`."""
    comment = _COMMENT.search(line)
    return line if comment is None else line[: comment.start()]


def parts_of(line: str, is_order: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """The orders and headings in a line, each with its column (from 1), without comments, marks of
    quotations and lists, and commas at the end. `is_order` says whether a text is an order as it
    is: no comma in it parts anything."""
    line = without_comment(line)
    start = 0
    for parting in chain(_partings(line, is_order), (None,)):
        end = len(line) if parting is None else parting.start()
        at = after_mark(line, start, end)
        text = line[at:end].rstrip(" \t\r,;\u200b\ufeff")
        if text and not _RULER.fullmatch(text):
            yield at + 1, text
        if parting is not None:
            start = parting.end()


def after_mark(line: str, start: int, end: int) -> int:
    """Where a text in a line begins behind marks of quotations and lists."""
    mark = _MARK.match(line, start, end)
    return start if mark is None else mark.end()


def _partings(line: str, is_order: Callable[[str], bool]) -> Iterator[re.Match[str]]:
    """The semicolons and commas between the orders of a line."""
    waiting: list[re.Match[str]] = []
    start = 0
    for sign in chain(_PARTING.finditer(line), (None,)):
        if sign is not None and sign[0] == ",":
            waiting.append(sign)
            continue
        end = len(line) if sign is None else sign.start()
        text = line[after_mark(line, start, end) : end] if waiting else ""
        if text.strip(" \t,") and not is_order(text):
            yield from _parting_commas(line, start, end, waiting, is_order)
        waiting = []
        if sign is not None:
            yield sign
            start = sign.end()


def _parting_commas(
    line: str,
    start: int,
    end: int,
    commas: Sequence[re.Match[str]],
    is_order: Callable[[str], bool],
) -> Sequence[re.Match[str]]:
    """The commas that part orders: all, if orders stand between them (`Par - Bur, Mar H`), else
    those before a unit."""
    before_units = [comma for comma in commas if _UNIT.match(line, comma.end(), end)]
    if len(before_units) == len(commas) or len(commas) > _COMMAS:
        return before_units
    starts, ends = (start, *(c.end() for c in commas)), (*(c.start() for c in commas), end)
    texts = [line[after_mark(line, *ends_) : ends_[1]] for ends_ in zip(starts, ends, strict=True)]
    texts[0] = texts[0].rpartition(":")[2]  # a heading may stand before it
    return commas if all(is_order(text) for text in texts if text.strip()) else before_units


def says_nothing(text: str) -> bool:
    """Whether a text below a power says that there are no orders: `No orders received`, `NMR`."""
    first, *others = (*map(str.casefold, _WORD.findall(text[:_LONGEST])), "")
    others = others[:-1]
    if first == "no":
        return bool(others) and _MISSING.issuperset(others) and others[0] in ("order", "orders")
    return first in ("none", "nmr", "nothing") and not others


def plain_order(text: str, kinds: Collection[str]) -> str:
    """The text of an order without notes and prose; `kinds` are the folded words for units."""
    return text if len(text) > _LONGEST else _plain(text, frozenset(kinds))


@lru_cache(16)  # an order that nobody can read is looked at a dozen times in a row
def _plain(text: str, kinds: frozenset[str]) -> str:
    found = _without_notes(" ".join(text.split()), _NOTED)
    for pattern, plain in _PROSE:
        found = pattern.sub(plain, found)
    return " ".join(_without_brackets(found, kinds).split()) or text


def plain_unit(text: str, kinds: Collection[str]) -> str:
    """The text of a unit that stands alone, without notes and prose. Words that show that the unit
    had an order stay, as in `A Par, bounced in Bur`, so that it does not count as idle."""
    if len(text) > _LONGEST:
        return text
    one_line = " ".join(text.split())
    told = _without_notes(one_line, _NOTED) != _without_notes(one_line, _IDLE)
    return text if told else plain_order(text, kinds)


def _without_notes(text: str, noted: Collection[str]) -> str:
    """An order without what a judge has noted behind it: `(bounced)`, `[no convoy]`, `FAILS`.
    `noted` are the words that begin a note."""
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
        return at if _is_note(text[at:], noted) else 0
    at = len(text)
    while at and text[at - 1].isalpha():
        at -= 1
    before = text[:at].rstrip(f"{_DASHES}:,.! ")
    is_apart = not text[at - 1 : at].isalnum()
    is_named = text[at:].casefold() in _SPOKEN and before != text[:at].rstrip(":,.! ")
    if is_apart and not is_named and _is_note(text[at:], noted):
        return len(before)
    at = max(text.rfind(","), 0)
    return at if _is_note(text[at:], noted) else 0


def _is_note(text: str, noted: Collection[str]) -> bool:
    first, *others = (*map(str.casefold, _WORD.findall(text)), "")
    if first not in noted:
        return False
    others.remove("")
    if first in ("no", "not"):
        return bool(others) and _DENIED.issuperset(others)
    return first not in _SPOKEN or not others


def _without_brackets(text: str, kinds: Collection[str]) -> str:
    """An order without brackets around provinces, `A (Par) - Bur`, and around a supported order,
    `A Mar S (A Par - Bur)`; and without a verb before the unit: `Move A Par to Bur`."""
    words = text.split()
    if len(words) > 2 and words[0].casefold() in verbs.MOVE and words[1].casefold() in kinds:
        text = " ".join(words[1:])
    named = "|".join(map(re.escape, sorted(kinds)))
    text = re.sub(rf"\b({named})\s*\(([^()]+)\)", r"\1 \2", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(s|supports?)\s*\((.+)\)$", r"\1 \2", text, flags=re.IGNORECASE)
    return re.sub(rf"\b({named})\s+from\b", r"\1", text, flags=re.IGNORECASE)
