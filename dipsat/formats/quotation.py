"""Which lines of a mail are quoted from an older one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from dipsat.formats.line_meaning import HEAD, KEYS_ABROAD

_FORWARDED = (
    "original message", "forwarded message", "begin forwarded message", "message d'origine",
    "message transféré", "début du message", "weitergeleitete nachricht", "ursprüngliche nachricht",
    "anfang der weitergeleiteten nachricht", "mensaje original", "messaggio originale",
    "oorspronkelijk bericht",
)  # fmt: skip
_DASHES = "-–—_=*>| \t"  # around these phrases
_WROTE = re.compile(
    r"\b(?:wrote|schrieb|schreef|[ée]crit|scritto|escribió|escribio|escreveu|skrev)\b",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[\s*|]*")  # before the words of a bold head
_OTHER_KEY = re.compile(r"[a-z]+-[a-z-]+:", re.IGNORECASE)
_WHEN_AND_TO = {"date", "sent", "to"}
_SENT = re.compile(r"(?:mime-version|content-[a-z-]+|received|message-id):", re.IGNORECASE)
"""The beginning of a line that only mail programs write."""
_BLOCK = 6  # most lines of a head
_MBOX = re.compile(r"From \S+ .*\d{4}\s*$")  # above each mail in an mbox file


def quoted_lines(lines: Sequence[str]) -> list[bool]:
    """Whether each line is part of an older mail: it begins with > or |, or is below the head of
    another mail, a line such as `Original Message` or, if the text after it has no >, a line such
    as `Bob wrote:`. In a mail saved as it was sent, a shorter head also begins an older mail;
    elsewhere it may be that of the next mail that somebody pasted."""
    found, is_below = [], False
    is_top, has_head = True, False  # in the head of the mail, or above it
    is_sent = False  # the mail is as a program saved it
    for at, line in enumerate(lines):
        if _MBOX.match(line):
            is_below, is_top, has_head, is_sent = False, True, False, False
        elif line.strip():
            goes_on = has_head and line[0] in " \t"
            is_top &= _key(line) != "" or _OTHER_KEY.match(line) is not None or goes_on
            has_head = is_top
            is_sent |= is_top and _SENT.match(line) is not None
        else:
            is_top &= not has_head
        is_below = is_below or (not is_top and is_head(lines, at, is_sent)) or _answers(lines, at)
        found.append(is_below or line.lstrip().startswith((">", "|")) or is_attribution(line))
        is_below = is_below or is_forwarding(line)
    return found


def is_head(lines: Sequence[str], at: int, is_short: bool = False) -> bool:
    """Whether a line begins the head of a mail: `From:`, with a date or a recipient in one of the
    next lines. If it may be short, any other line of a head, or an address, is enough."""
    if _key(lines[at]) != "from":
        return False
    keys = {_key(line) for line in takewhile(str.strip, lines[at + 1 : at + _BLOCK])}
    return not keys.isdisjoint(_WHEN_AND_TO) or (
        is_short and ("@" in lines[at] or bool(keys - {""}))
    )


def _key(line: str) -> str:
    """The English name of a line in the head of a mail, "" for any other line."""
    key = HEAD.match(_MARKS.sub("", line, count=1))
    return KEYS_ABROAD.get(key[1].lower(), key[1].lower()) if key else ""


def _answers(lines: Sequence[str], at: int) -> bool:
    """Whether a line says who wrote the text below it, which is quoted without marks."""
    if not is_attribution(lines[at]):
        return False
    below = next((one for one in lines[at + 1 : at + _BLOCK] if one.strip()), ">")
    return not below.lstrip().startswith(">")


def is_attribution(line: str) -> bool:
    """Whether a line says who wrote the quotation below it: `On Monday, Bob wrote:`."""
    return line.rstrip().endswith(":") and _WROTE.search(line) is not None


def is_forwarding(line: str) -> bool:
    """Whether an older mail begins below a line."""
    return line.strip(_DASHES).casefold().startswith(_FORWARDED)
