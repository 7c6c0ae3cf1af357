"""What judges' mails say besides orders: dislodged units, owners, deadlines, press."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from dipsat.base import FrozenDict, kept_on_first
from dipsat.board import Map, province_of, words_of
from dipsat.errors import PositionError
from dipsat.game import place_unit
from dipsat.orders import TEXT_FAULTS, Unit, after_mark, reader_for

Going: TypeAlias = Callable[[str], object]
"""Whether a line, without the space before it, continues the one above it."""

_UNIT = r"(?:army|fleet|wing)"
_ALONE = re.compile(
    r"the next phase\b.*|::\s.*|press\b[^:]*:.*"
    r"|[^:]+:\s*\d+ (?:supply )?cent(?:er|re)s?,.*\bunits?\b.*"
    r"|[^:]+:\s*\d+ (?:(?:unusable|unused) )?builds? pending\W*"
    r"|[^:]+:\s*\d+ (?:unusable|unused) builds? waived\W*",
    re.IGNORECASE,
)
_BEGUN_ALONE = re.compile(r"(?:the|next|new|deadlines?)\b", re.IGNORECASE)
_DEADLINE = re.compile(r"(?:(?:the|next|new)\s){0,2}deadlines?\b.*", re.IGNORECASE)
_KIND = re.compile(r"\b(?:a|f|army|fleet)\s+(\w+)", re.IGNORECASE)
_LOST = re.compile(rf"the \w+ {_UNIT} (?:in|over)\b.*", re.IGNORECASE)
_FATE = re.compile(r".*\b(?:can|may) retreat\b.*|.*\bwas destroyed\b.*", re.IGNORECASE)
_BOARD = re.compile(rf"[^:]+:\s*{_UNIT}\s+([^:>]+)", re.IGNORECASE)
_RETREATS = re.compile(r"\bcan retreat to\b", re.IGNORECASE)
_COAST = re.compile(r"\([^()]*\)")
_BREAK = re.compile(r",|\bor\b|\.$", re.IGNORECASE)
_END = re.compile(r"\s*end of (?:message|broadcast|press)\W*", re.IGNORECASE)
_BEFORE_PROSE = re.compile(r"the next phase\b|press\b[^:]*:", re.IGNORECASE)
_RETREAT = re.compile(
    rf"the (\w+) ({_UNIT}) (?:in|over) (?:the )?(.+) can retreat to (.+)", re.IGNORECASE
)
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_COUNT = re.compile(r"\d")
_ENDS = {"destroyed", "no", "retreats", "valid", "was", "with"}
"""Words of a sentence on a unit that cannot retreat, which may be on its second line."""
_NOBODY = {"neutral", "nobody", "unowned", "vacant"}
_ALL = {"all", "everybody", "everyone", "gm", "master", "world"}


class _Names:
    """The names that a line of a report may have in it."""

    def __init__(self, board: Map) -> None:
        self.powers = board.names.powers
        self.parts = {  # a name may be broken at the end of a line
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
        """Whether a line can be the rest of a list, and is not a heading."""
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
        """Whether a line says something without the lines around it."""
        if ":" not in line and not _BEGUN_ALONE.match(line):  # as most lines
            return False
        if _ALONE.fullmatch(line) or (_LOST.fullmatch(line) and _FATE.fullmatch(line)):
            return True
        if _DEADLINE.fullmatch(line):
            return not any(words_of(place) in self.parts for place in _KIND.findall(line))
        writer, to, readers = line.partition(":")[0].partition(" to ")
        known = words_of(writer) in self.powers
        return bool(to) and known and (words_of(readers) in self.powers or readers.lower() in _ALL)


_names = kept_on_first(16)(_Names)


class Report(NamedTuple):
    """The lines of a text (from 0) that belong to a judge's report or to press, the sentences on
    dislodged units and owners in them, and what people have written in press."""

    lines: frozenset[int]
    said: tuple[str, ...]
    press: Mapping[int, str]


def report_in(lines: Sequence[str], board: Map) -> Report:
    """What a judge reports in a text besides orders."""
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
    every = re.compile("|".join(form for form, _ in begun), re.IGNORECASE)
    ends = [at for at, line in enumerate(lines) if _END.fullmatch(line)]
    found, said, press = set[int](), list[str](), dict[int, str]()
    going: Going | None = None
    is_open = False
    for at, line in enumerate(lines):
        body = line[after_mark(line, 0, len(line)) :].strip()
        if not body or at in found:  # found: inside press
            is_open = False
            continue
        header = None
        if every.match(body):
            header = next((one for form, one in headers if form.match(body)), None)
        if header is not None:
            going, is_open = header, False
            if header is _is_quoted and (end := bisect_right(ends, at)) < len(ends):
                found.update(range(at, ends[end] + 1))
                press |= {one: lines[one] for one in range(at + 1, ends[end])}
        elif going is not None and going(line.strip() if going is _is_quoted else body):
            is_open = True
            said.append(body)
        elif names.is_alone(body):
            going, is_open = None, _LOST.match(body) is not None
            said.append(body)
            if before := _BEFORE_PROSE.match(body):
                press[at] = body[before.end() :]
        elif is_open and names.is_rest(body):
            said[-1] += f" {body}"
        else:
            going, is_open = None, False
            continue
        found.add(at)
    return Report(frozenset(found), tuple(said), press)


def _is_quoted(line: str) -> bool:
    return line.startswith(">")


# --- results --------------------------------------------------------------------------------------


class Results(NamedTuple):
    """What a judge says about the board after a phase: the dislodged units, with the locations to
    which each may retreat, and the centres of each power; None where it says nothing. `marks` has
    its notes on orders, by power and text; if there are any, orders without one succeeded."""

    dislodged: Mapping[Unit, tuple[str, ...]] | None
    centers: Mapping[str, tuple[str, ...]] | None
    marks: Mapping[tuple[str, str], str] = FrozenDict()


def results_in(said: Iterable[str], board: Map) -> Results | None:
    """The board that these sentences of a report state; None if they state none. A sentence that
    names something unknown is ignored."""
    reader, names = reader_for(board), board.names
    lost, centers = dict[Unit, tuple[str, ...]](), dict[str, tuple[str, ...]]()
    for sentence in said:
        with suppress(*TEXT_FAULTS, PositionError):
            retreat = _RETREAT.fullmatch(sentence)
            owner, colon, owned = sentence.partition(":")
            if retreat is not None:
                named = reader.read_unit(f"{retreat[1]} {retreat[2]} {retreat[3]}")
                kind = named.kind or ""
                places = _OR.split(retreat[4].rstrip("."))
                unit = place_unit(board, named.power or "", named, sentence)
                lost[unit] = tuple(reader.read_unit(f"{kind} {one}").location for one in places)
            elif colon and words_of(owner) in names.powers and not _COUNT.search(owned):
                found = (one for one in owned.rstrip(".").split(",") if one.strip())
                listed = sorted(province_of(reader.read_unit(one).location) for one in found)
                centers[names.power(owner.strip())] = tuple(listed)
    return Results(lost or None, centers or None) if lost or centers else None
