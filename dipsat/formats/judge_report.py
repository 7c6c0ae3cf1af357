"""What the mails of judges say besides orders: dislodged units, owners, deadlines, press."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from dipsat.base import kept_on_first
from dipsat.board import Map, words_of
from dipsat.orders import after_mark

Going: TypeAlias = Callable[[str], object]
"""Whether a line, without the space before it, goes on with what stands above it."""

_UNIT = r"(?:army|fleet|wing)"
_ALONE = re.compile(
    r"the next phase\b.*|::\s.*|press\b[^:]*:.*"
    r"|[^:]+:\s*\d+ (?:supply )?cent(?:er|re)s?,.*\bunits?\b.*"
    r"|[^:]+:\s*\d+ (?:(?:unusable|unused) )?builds? pending\W*"
    r"|[^:]+:\s*\d+ (?:unusable|unused) builds? waived\W*",
    re.IGNORECASE,
)
_DEADLINE = re.compile(r"(?:(?:the|next|new)\s){0,2}deadlines?\b.*", re.IGNORECASE)
_KIND = re.compile(r"\b(?:a|f|army|fleet)\s+(\w+)", re.IGNORECASE)
_LOST = re.compile(rf"the \w+ {_UNIT} (?:in|over)\b.*", re.IGNORECASE)
_FATE = re.compile(r".*\b(?:can|may) retreat\b.*|.*\bwas destroyed\b.*", re.IGNORECASE)
_BOARD = re.compile(rf"[^:]+:\s*{_UNIT}\s+([^:>]+)", re.IGNORECASE)
_RETREATS = re.compile(r"\bcan retreat to\b", re.IGNORECASE)
_COAST = re.compile(r"\([^()]*\)")
_BREAK = re.compile(r",|\bor\b|\.$", re.IGNORECASE)
_END = re.compile(r"\s*end of (?:message|broadcast|press)\b", re.IGNORECASE)
_ENDS = {"destroyed", "no", "retreats", "valid", "was", "with"}
"""The words of a sentence on a unit that cannot retreat, which may stand in its second line."""
_NOBODY = {"neutral", "nobody", "unowned", "vacant"}
_ALL = {"all", "everybody", "everyone", "gm", "master", "world"}


class _Names:
    """What a line of a report may name."""

    def __init__(self, board: Map) -> None:
        self.powers = board.names.powers
        self.parts = {  # names are broken where a line is
            words[at:end]
            for words in board.names.provinces
            for at in range(len(words))
            for end in range(at + 1, len(words) + 1)
        }

    def is_list(self, text: str) -> bool:
        """Whether a text lists provinces."""
        items = [words_of(item) for item in _BREAK.split(_COAST.sub("", text))]
        return all(item in self.parts or _ENDS.issuperset(item) for item in items)

    def is_rest(self, line: str) -> bool:
        """Whether a line can be the rest of a list, and no heading."""
        return words_of(line) not in self.powers and self.is_list(line)

    def has_owner(self, line: str) -> bool:
        """Whether a line has the centres of a power: `Austria: Budapest, Vienna.`."""
        owner, _, owned = line.partition(":")
        is_owner = words_of(owner) in self.powers or owner.strip().casefold() in _NOBODY
        return is_owner and bool(owned.strip()) and self.is_list(owned)

    def has_unit(self, line: str) -> bool:
        """Whether a line has a unit: `Austria: Army Vienna can retreat to Bohemia.`."""
        found = _BOARD.fullmatch(line)
        return found is not None and self.is_list(_RETREATS.sub(",", found[1]))

    def is_alone(self, line: str) -> bool:
        """Whether a line says something by itself."""
        if _ALONE.fullmatch(line) or (_LOST.fullmatch(line) and _FATE.fullmatch(line)):
            return True
        if _DEADLINE.fullmatch(line):
            return not any(words_of(place) in self.parts for place in _KIND.findall(line))
        writer, to, readers = line.partition(":")[0].partition(" to ")
        known = words_of(writer) in self.powers
        return bool(to) and known and (words_of(readers) in self.powers or readers.lower() in _ALL)


_names = kept_on_first(16)(_Names)


def report_lines(lines: Sequence[str], board: Map) -> frozenset[int]:
    """The lines of a text (from 0) that are of a judge's report, or press, and have no order."""
    names = _names(board)
    begun: tuple[tuple[str, Going], ...] = (
        (r"the following units? (?:was|were) dislodged\b", _LOST.match),
        (r"(?:ownership of )?supply cent(?:er|re)s?(?: ownership)?\W*$", names.has_owner),
        (r"(?:starting position|status of the \w+ phase) for\b", names.has_unit),
        (
            r"(?:(?:private |broadcast )?message|broadcast|press)\b.* (?:from|to) [^:]*:$",
            _is_quoted,
        ),
    )
    headers = [(re.compile(form, re.IGNORECASE), going) for form, going in begun]
    ends = [at for at, line in enumerate(lines) if _END.match(line)]
    found = set[int]()
    going: Going | None = None
    is_open = False
    for at, line in enumerate(lines):
        body = line[after_mark(line, 0, len(line)) :].strip()
        if not body:
            is_open = False
            continue
        header = next((one for form, one in headers if form.match(body)), None)
        if header is not None:
            going, is_open = header, False
            end = next((end for end in ends if end > at), at) if header is _is_quoted else at
            found.update(range(at, end + 1))
        elif at in found:  # press, up to its end
            continue
        elif going is not None and going(line.strip() if going is _is_quoted else body):
            is_open = True
        elif names.is_alone(body):
            going, is_open = None, _LOST.match(body) is not None
        elif not (is_open and names.is_rest(body)):
            going, is_open = None, False
            continue
        found.add(at)
    return frozenset(found)


def _is_quoted(line: str) -> bool:
    return line.startswith(">")
