"""Lines and orders as people paste them from web sites, e-mails and results, made plain.

A line loses its comment, and what marks it as quoted or as an entry of a list. An order that the
reader refuses loses what a judge has noted beside it, and its prose: "The fleet at London moves to
the North Sea (bounced)".
"""

from __future__ import annotations

import re
from collections.abc import Collection

from dipsat.orders import verbs

_COMMENT = re.compile(r"#|//")
_MARK = re.compile(r"(?:[\s>*•‣◦·▪●+\ufeff\u200b]|[-–—](?=\s)|\(?\d{1,3}[.):])+")
_PARTING = re.compile(r";|,(?=\s*(?:a|f|army|fleet)\s+\w)", re.IGNORECASE)

_LONGEST = 300  # characters; the reader refuses longer orders
_NOTES = 4  # behind one order; judges write one, and people another
_NOTED = {
    "bounce", "bounced", "bounces", "cut", "destroyed", "disrupted", "dislodged", "fail", "failed",
    "fails", "failure", "illegal", "invalid", "moved", "no", "not", "nmr", "ok", "okay", "resolved",
    "standoff", "succeed", "succeeded", "succeeds", "success", "successful", "void",
}  # fmt: skip
"""Words that begin a judge's note, none of which an order needs."""
_OPENING = {")": "(", "]": "[", "}": "{"}
_WORD = re.compile(r"[^\W\d_]+")
_ASIDE = re.compile(r",\s*([^\W\d_]+)\b[^,]*$")
_LAST_WORD = re.compile(r"[-–—:=,.!>\s]*\b([^\W\d_]+)[\s.!,]*$")
_RULER = re.compile(r"[-–—=_*~+ \t]{2,}")  # drawn under a heading, or above a signature
_SIGNS = " \t\r.,;:!*_=✓✔✗✘❌✅"

_PROSE = tuple(
    (re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), plain)
    for pattern, plain in (
        (r"the|its|at|in|on", " "),
        (r"supports?\s+hold(?:\s+to|\s+of)?", "supports"),
        (
            r"(supports?|convoys?)\s+(?:move\s+)?to\s+(.+?)\s+from\s+(.+?)(?=$|\s+via|\s*\()",
            r"\1 \3 - \2",
        ),
        (r"(supports?|convoys?)\s+(?:move\s+)?(?:from|of)", r"\1"),
        (r"supports?\s+move", "supports"),
        (r"holds?\s+position|holding|no\s+move", "holds"),
        (r"(?:is\s+|be\s+)?disbanded", "disbands"),
        (r"into|goes|go|going|moving|marches|march|sails|sail|heads|attacks|attack|mv", "-"),
    )
)  # fmt: skip


def without_comment(line: str) -> str:
    """A line without the comment after `#` or `//`."""
    comment = _COMMENT.search(line)
    return line if comment is None else line[: comment.start()]


def parts_of(line: str) -> list[tuple[int, str]]:
    """The orders and headings in a line, each with its column (from 1), without comments, marks of
    quotations and lists, and commas at the end."""
    line = without_comment(line)
    found, start = [], 0
    for parting in (*_PARTING.finditer(line), None):
        end = len(line) if parting is None else parting.start()
        mark = _MARK.match(line, start, end)
        at = start if mark is None else mark.end()
        text = line[at:end].rstrip(" \t\r,;\u200b\ufeff")
        if text and not _RULER.fullmatch(text):
            found.append((at + 1, text))
        start = end + 1
    return found


def plain_order(text: str, kinds: Collection[str]) -> str:
    """The text of an order without notes and prose; `kinds` are the folded words for units."""
    if len(text) > _LONGEST:
        return text
    found = _without_notes(text)
    for pattern, plain in _PROSE:
        found = pattern.sub(plain, found)
    return " ".join(_without_brackets(found, kinds).split()) or text


def _without_notes(text: str) -> str:
    """An order without what a judge has noted behind it: `(bounced)`, `[no convoy]`, `FAILS`."""
    for _ in range(_NOTES):
        text = text.rstrip(_SIGNS)
        opening = text.rfind(_OPENING[text[-1]]) if text and text[-1] in _OPENING else -1
        if opening > 0:
            first = _WORD.search(text, opening)
            if first is None or first[0].casefold() not in _NOTED:
                return text
            text = text[:opening]
            continue
        last = next(filter(_is_note, (_LAST_WORD.search(text), _ASIDE.search(text))), None)
        if last is None:
            return text
        text = text[: last.start()]
    return text


def _is_note(found: re.Match[str] | None) -> bool:
    return found is not None and found.start() > 0 and found[1].casefold() in _NOTED


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
