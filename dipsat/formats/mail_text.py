"""The text of mails as mail programs save them, and of web pages."""

from __future__ import annotations

import quopri
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from html import unescape
from itertools import chain, groupby
from typing import NamedTuple

from dipsat.base import MAX_BYTES, SHEET_LENGTH, decode
from dipsat.errors import FileError, shortened

_ENCODED = re.compile(
    r"^(?:content-type:\s*(?:multipart/|text/html)|content-transfer-encoding:\s*(?:base64|quoted)"
    r"|(?:subject|from):[^\n]*=\?)",
    re.IGNORECASE | re.MULTILINE,
)
_IN_HEAD = re.compile(r"(?:>?from [^\n]*\n)?[a-z-]+:", re.IGNORECASE)
_OF_MAIL = re.compile(
    r"^(?:from|content-type|received|mime-version):", re.IGNORECASE | re.MULTILINE
)
_UNDECODED = re.compile("[\udc80-\udcff]")
"""Bytes that are not UTF-8, in a text."""
_FIELD = re.compile(r"^content-[a-z-]+:[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE)
_FIELD_LENGTH = 2_000  # characters of a header about a part's contents; real ones have 100
_PARTS = 500  # most parts of a mail, counting all lines that begin with two dashes
_QUOTED_PRINTABLE = re.compile(r"=20\r?$|=C2=A0|=3D", re.MULTILINE)
_SPACES = str.maketrans(dict.fromkeys("\u00a0\u2007\u202f", " "))
_COUNTED = "lines are counted in that text"


def decoded_mail(data: bytes, shown: str) -> str:
    """The text of a file, which may be a mail in any encoding: `plain_text` decodes what is
    not UTF-8. Raises what `decode` raises."""
    text = data[:MAX_BYTES].decode("utf-8-sig", "surrogateescape")
    is_whole = len(data) <= MAX_BYTES
    return text if is_whole and _is_encoded(text) else decode(data, shown)


def plain_text(text: str, shown: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The text that people see in a mail or on a page, remarks on that, and remarks on attachments
    that are not read. Any other text stays as it is. `shown` names the file.

    Raises `FileError` for a mail without a text, and `InputLimitError` for too long a page.
    """
    remarks: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    if _is_encoded(text):
        text, unread = _text_of_mail(text, shown)
        remarks = (f"{shown}: the text of an e-mail is read; {_COUNTED}",)
    elif _PAGE.match(text):
        text = _text_of_page(text, shown)
        remarks = (f"{shown}: the text of a page is read; {_COUNTED}",)
    elif _QUOTED_PRINTABLE.search(text):
        text = "\n".join(_decoded(text.splitlines()))
    return text.translate(_SPACES), remarks, unread


# --- mails ----------------------------------------------------------------------------------------


def _is_encoded(text: str) -> bool:
    """Whether a text is a mail that must be decoded to get the text that people see."""
    head, gap, _ = text.replace("\r\n", "\n").partition("\n\n")
    if not gap or not _IN_HEAD.match(head):
        return False
    return bool(_ENCODED.search(head) or (_UNDECODED.search(text) and _OF_MAIL.search(head)))


def _text_of_mail(text: str, shown: str) -> tuple[str, tuple[str, ...]]:
    """The head and the text of a mail, and remarks on its attachments. Raises `FileError` for a
    mail without a text, and for one that Python's parser cannot read or may take hours to read."""
    fields = (len(field[0]) for field in _FIELD.finditer(text))
    if text.count("\n--") <= _PARTS and max(fields, default=0) <= _FIELD_LENGTH:
        with suppress(LookupError, MessageError, RecursionError, ValueError):
            mail = message_from_bytes(text.encode(errors="surrogateescape"))
            texts, names = _read(mail, shown)
            if not texts:
                problem = "is an e-mail without a text; save what it says as text"
                raise FileError(shown, problem)
            keys = ("From", "Date", "Subject", "MIME-Version")
            known = {key.lower(): value for key, value in reversed(tuple(mail.raw_items()))}
            head = [f"{key}: {_header(known[key.lower()])}" for key in keys if key.lower() in known]
            unread = (f"{shown}: an attachment is not read: {shortened(one)!r}" for one in names)
            return "\n".join((*head, "", *texts)), tuple(unread)
    raise FileError(shown, "has more parts than e-mails have; save what it says as text")


def _read(part: Message, shown: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The texts of a part of a mail, and the names of its attachments. If a text comes in several
    forms, mail programs show the last, which is the page."""
    kind, name = part.get_content_type(), part.get_filename()
    if part.get_content_maintype() == "multipart" and part.is_multipart():
        parts = [_read(one, shown) for one in part.get_payload() if isinstance(one, Message)]
        if kind == "multipart/alternative":
            return next((one for one in reversed(parts) if any(map(str.strip, one[0]))), ((), ()))
        texts, names = zip(*parts, strict=True) if parts else ((), ())
        return tuple(chain(*texts)), tuple(chain(*names))
    is_attached = name is not None or part.get_content_disposition() == "attachment"
    data = part.get_payload(decode=True)
    if is_attached or kind not in ("text/plain", "text/html") or not isinstance(data, bytes):
        return (), (name or kind,)
    text = _decoded_bytes(data, part.get_content_charset("utf-8"))
    return (_text_of_page(text, shown) if kind == "text/html" else text,), ()


def _decoded_bytes(data: bytes, charset: str) -> str:
    with suppress(LookupError, ValueError):  # an unknown charset, or the wrong one
        return data.decode(charset)
    return data.decode("utf-8", "replace")


def _header(raw: str) -> str:
    """A header, decoded, on one line."""
    data = raw[:_FIELD_LENGTH].encode(errors="surrogateescape")
    text = data.decode("utf-8" if _UNDECODED.search(raw) is None else "latin-1")
    with suppress(LookupError, MessageError, ValueError):
        text = str(make_header(decode_header(text)))
    return " ".join(text.split())


def _decoded(lines: list[str]) -> Iterator[str]:
    """Decode lines in quoted-printable. A line that continues the one above it becomes an empty
    line, so that lines keep their numbers."""
    parts = list[str]()
    for line in (*lines, ""):
        if line.endswith("=") and not line.endswith("=="):
            parts.append(line[:-1])
            continue
        yield quopri.decodestring("".join((*parts, line)).encode()).decode("utf-8", "replace")
        yield from [""] * len(parts)
        parts = []


# --- pages ----------------------------------------------------------------------------------------


_TAG = re.compile(r"<(/?)([a-z!?][a-z0-9]*+)[^<>]*>", re.IGNORECASE)
_UNSEEN = re.compile(r"<(script|style|title)\b", re.IGNORECASE)
_BLOCKS = {
    "address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "div", "dl", "dt",
    "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
    "li", "main", "nav", "ol", "option", "p", "pre", "section", "table", "textarea", "tr", "ul",
}  # fmt: skip
_PAGE = re.compile(
    rf"\s*<(?:!doctype html|html|head|meta|body|span|font|b|{'|'.join(sorted(_BLOCKS))})\b",
    re.IGNORECASE,
)
_ALONE = {"!", "?", "br", "col", "hr", "img", "input", "link", "meta", "wbr"}  # without an end tag
_CELLS = {"td", "th"}
_ENDED = {"li", "p", *_CELLS}  # each is ended by the next of its kind
_STRUCK = {"del", "s", "strike"}
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_DEEPEST = 9  # marks of quotation before a line


class _Element(NamedTuple):
    """An element of a page that has begun, and how the text in it looks."""

    name: str = ""
    quoted: int = 0
    is_struck: bool = False
    is_hidden: bool = False
    is_as_typed: bool = False

    def inner(self, name: str, tag: str) -> _Element:
        """An element in this one, which begins with a tag."""
        return _Element(
            name,
            self.quoted + (name == "blockquote"),
            self.is_struck or name in _STRUCK or "line-through" in tag.lower(),
            self.is_hidden or _HIDDEN.search(tag) is not None,
            self.is_as_typed or name in ("pre", "textarea"),
        )


def _text_of_page(text: str, shown: str) -> str:
    """The lines of a page. Quoted lines begin with >, and text that is struck out is between ~~.
    Python's own parser takes hours for some pages."""
    text = "".join(_seen(text))
    SHEET_LENGTH.check(len(_TAG.sub("<", text)), shown)
    lines, runs = list[str](), list[tuple[_Element, str]]()
    for element, said in (*_runs(text), (_Element(), "\n")):
        first, *others = said.split("\n")
        runs.append((element, first))
        for one in others:
            lines.append(_line(runs))
            runs = [(element, one)]
    return "\n".join(filter(None, lines))


def _line(runs: list[tuple[_Element, str]]) -> str:
    """A line of a page, "" for a blank one."""
    quoted = max((one.quoted for one, said in runs if said.strip()), default=0)
    parts = list[str]()
    for is_struck, group in groupby(runs, lambda run: run[0].is_struck):
        said = "".join(one for _, one in group)
        core = said.strip()
        parts.append(said.replace(core, f"~~{core}~~") if core and is_struck else said)
    return "> " * min(quoted, _DEEPEST) + " ".join("".join(parts).split())


def _runs(text: str) -> Iterator[tuple[_Element, str]]:
    """The texts of a page between its tags, each with the element that it is in."""
    elements, begun, at = [_Element()], Counter[str](), 0
    for tag in (*_TAG.finditer(text), None):
        element = elements[-1]
        said = _unescaped(text[at : len(text) if tag is None else tag.start()])
        if not element.is_hidden:
            yield element, said if element.is_as_typed else said.replace("\n", " ")
        if tag is None:
            return
        at, name = tag.end(), tag[2].lower()
        if name in _BLOCKS or name in _CELLS:
            yield element, "\n" if name in _BLOCKS else " "
        if tag[1] or (name == element.name and name in _ENDED):
            while begun[name]:
                ended = elements.pop().name
                begun[ended] -= 1
                if ended == name:
                    break
        if not tag[1] and name not in _ALONE:
            elements.append(elements[-1].inner(name, tag[0]))
            begun[name] += 1


def _unescaped(text: str) -> str:
    try:
        return unescape(text)
    except ValueError:  # the number of a character has thousands of digits
        return text


def _seen(text: str) -> Iterator[str]:
    """The parts of a page without its comments, scripts and styles."""
    first, *commented = text.split("<!--")
    for part in (first, *(one.partition("-->")[2] for one in commented)):
        start, *unseen = _UNSEEN.split(part)
        yield start
        for name, rest in zip(unseen[::2], unseen[1::2], strict=True):
            for seen in re.split(f"</{name}", rest, maxsplit=1, flags=re.IGNORECASE)[1:]:
                yield seen.partition(">")[2]
