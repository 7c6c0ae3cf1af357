"""The text of mails as mail programs save them, and of pages."""

from __future__ import annotations

import quopri
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from html import unescape

from dipsat.base import SHEET_LENGTH
from dipsat.errors import FileError, shortened

_ENCODED = re.compile(
    r"^(?:content-type: *(?:multipart/|text/html)|content-transfer-encoding: *(?:base64|quoted)"
    r"|(?:subject|from):[^\n]*=\?)",
    re.IGNORECASE | re.MULTILINE,
)
_IN_HEAD = re.compile(r"[a-z-]+:", re.IGNORECASE)
_HEAD = 16_384  # characters in which the head of a mail ends
_FIELD = re.compile(r"^content-[a-z-]+:[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE)
_FIELD_LENGTH = 2_000  # characters of a line on what a part contains; they have 100
_PARTS = 500  # of a mail, with what else begins with two dashes
_PAGE = re.compile(
    r"\s*<(?:!doctype html|html|head|body|div|p|table|ul|br|span|pre)\b", re.IGNORECASE
)
_QUOTED_PRINTABLE = re.compile(r"=20\r?$|=C2=A0|=3D", re.MULTILINE)
_SPACES = str.maketrans(dict.fromkeys("\u00a0\u2007\u202f", " "))
_COUNTED = "lines are counted in that text"


def plain_text(text: str, shown: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The text that people read in a mail or on a page, remarks on that, and on attachments that
    are not read; any other text stays as it is. `shown` names the file.

    Raises `FileError` for a mail without a text, and `InputLimitError` for too long a page.
    """
    remarks: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    head, gap, _ = text[:_HEAD].replace("\r\n", "\n").partition("\n\n")
    if gap and _IN_HEAD.match(head) and _ENCODED.search(head):
        text, unread = _text_of_mail(_parsed(text, shown), shown)
        remarks = (f"{shown}: the text of an e-mail is read; {_COUNTED}",)
    elif _PAGE.match(text):
        text = _text_of_page(text, shown)
        remarks = (f"{shown}: the text of a page is read; {_COUNTED}",)
    elif _QUOTED_PRINTABLE.search(text):
        text = "\n".join(_decoded(text.splitlines()))
    return text.translate(_SPACES), remarks, unread


def _parsed(text: str, shown: str) -> Message:
    """The parts of a mail. Raises `FileError` for one that Python's parser may take hours for."""
    fields = (len(field[0]) for field in _FIELD.finditer(text))
    if text.count("\n--") <= _PARTS and max(fields, default=0) <= _FIELD_LENGTH:
        with suppress(RecursionError):
            return message_from_bytes(text.encode(errors="replace"))
    raise FileError(shown, "has more parts than e-mails have; save what it says as text")


def _text_of_mail(mail: Message, shown: str) -> tuple[str, tuple[str, ...]]:
    """The head and the text of a mail: its plain text, or else its page; and its attachments."""
    unread = list[str]()
    found = dict[str, str]()
    for part in mail.walk():
        name, kind = part.get_filename(), part.get_content_type()
        if part.is_multipart():
            continue
        if name is None and kind in ("text/plain", "text/html") and kind not in found:
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            found[kind] = _decoded_bytes(data, part.get_content_charset("utf-8"))
        elif name is not None or kind not in ("text/plain", "text/html"):
            unread.append(f"{shown}: an attachment is not read: {shortened(name or kind)!r}")
    if not found:
        raise FileError(shown, "is an e-mail without a text; save what it says as text")
    text = found.get("text/plain") or _text_of_page(found.get("text/html", ""), shown)
    head = [f"{key}: {_header(mail[key])}" for key in ("From", "Date", "Subject") if mail[key]]
    return "\n".join((*head, "", text)), tuple(unread)


def _decoded_bytes(data: bytes, charset: str) -> str:
    try:
        return data.decode(charset, "replace")
    except LookupError:  # an unknown charset
        return data.decode("utf-8", "replace")


def _header(value: object) -> str:
    """A line of a head, decoded, in one line."""
    text = str(value)[:_FIELD_LENGTH]
    with suppress(HeaderParseError, LookupError, UnicodeError):
        text = str(make_header(decode_header(text)))
    return " ".join(text.split())


def _decoded(lines: list[str]) -> Iterator[str]:
    """Lines in quoted-printable as they are read; an empty line takes the place of each that goes
    on with the one above it, so that lines keep their numbers."""
    parts = list[str]()
    for line in (*lines, ""):
        if line.endswith("=") and not line.endswith("=="):
            parts.append(line[:-1])
            continue
        yield quopri.decodestring("".join((*parts, line)).encode()).decode("utf-8", "replace")
        yield from [""] * len(parts)
        parts = []


# --- pages ----------------------------------------------------------------------------------------


_TAG = re.compile(r"<(/?)([a-z!?][a-z0-9]*+)([^<>]*)>", re.IGNORECASE)
_UNSEEN = re.compile(r"<(script|style|title)\b", re.IGNORECASE)
_BLOCKS = {
    "blockquote", "br", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li",
    "ol", "p", "pre", "table", "tr", "ul",
}  # fmt: skip
_STRUCK = {"del", "s", "strike"}


def _text_of_page(text: str, shown: str) -> str:
    """The lines of a page. What is quoted in it begins with >, and what is struck out stands
    between ~~. Python's own parser takes hours for some texts."""
    SHEET_LENGTH.check(len(text), shown)
    lines, at, quoted = [""], 0, 0
    struck = defaultdict[str, list[bool]](list)  # for each name of a tag, those that are open
    text = "".join(_seen(text))
    for tag in (*_TAG.finditer(text), None):
        said = unescape(text[at : len(text) if tag is None else tag.start()])
        lines[-1] += re.sub(r"\s+", " ", said if lines[-1] else said.lstrip())
        if tag is None:
            break
        at, name = tag.end(), tag[2].lower()
        is_struck = bool(tag[1] and struck[name]) and struck[name].pop()
        lines[-1] += "~~" * is_struck
        if name in _BLOCKS and lines[-1]:
            lines[-1] = "> " * quoted + lines[-1]
            lines.append("")
        if name == "blockquote":
            quoted = max(0, quoted + (-1 if tag[1] else 1))
        if not tag[1]:
            struck[name].append(name in _STRUCK or "line-through" in tag[3].lower())
            lines[-1] += "~~" * struck[name][-1]
        lines[-1] += " " if name in ("td", "th") and lines[-1] else ""
    return "\n".join(lines)


def _seen(text: str) -> Iterator[str]:
    """The parts of a page without its comments, scripts and styles."""
    first, *commented = text.split("<!--")
    for part in (first, *(one.partition("-->")[2] for one in commented)):
        start, *unseen = _UNSEEN.split(part)
        yield start
        for name, rest in zip(unseen[::2], unseen[1::2], strict=True):
            for seen in re.split(f"</{name}", rest, maxsplit=1, flags=re.IGNORECASE)[1:]:
                yield seen.partition(">")[2]
