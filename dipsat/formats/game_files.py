"""Finding the games in a file without loading the file, and reading them in any format.

A file may hold one game or many: JSON Lines of saved games or of phases, one or several JSON
objects over many lines (also in a list), jDip cases, a dipsat game in YAML, or plain text; each may
be compressed with gzip or Zstandard. Parquet has games in rows. The contents of a game are read
later, perhaps in another process.

Input is counted as it is read, so that a small file cannot fill the memory: the bytes that packed
data unpack to, blank space, the bytes of each game, and the values in it."""

from __future__ import annotations

import json
import re
import sys
from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from io import BufferedReader, BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, Literal, NoReturn, cast

from dipsat.base import (
    BLANK_BYTES,
    GAME_BYTES,
    PHASES,
    TEXT_BYTES,
    UNLIMITED,
    Limits,
    decode,
    open_file,
    running,
)
from dipsat.board import Map
from dipsat.errors import DipsatError, DocumentError, FileError, InputLimitError, shortened
from dipsat.formats.compression import packing_of, unpacked
from dipsat.formats.game_kinds import HEADINGS, KINDS, kind_of
from dipsat.formats.json_text import MAX_GAME_BYTES, described, parse_json, refuse_many_values
from dipsat.formats.parquet_games import PARQUET, ParquetGames
from dipsat.formats.records import RecordedGame, Unread, leaving_out
from dipsat.formats.saved_game import read_phase_lines
from dipsat.formats.transcript import Transcript, has_seasons, phases_named

# --- texts ----------------------------------------------------------------------------------------

_CHUNK = 1 << 20
_SOURCE = re.compile(rb'"source"\s*:\s*("[^"\\]{0,1000}"|"(?:[^"\\]|\\.){0,1000}")')
_PHASE_LINE = b'"next_phase"'
_GAME_LINE = b'"phases"'
_GAME_KEY = _GAME_LINE[:-1]  # faster to search for, since its last byte is rare
_BLANK = b" \t\n\r\v\f\xef\xbb\xbf"  # blank space, and UTF-8's byte order mark
_BETWEEN, _BETWEEN_IN_LIST = re.compile(r"\s*"), re.compile(r"[\s,]*")  # two values
_UTF8 = getincrementaldecoder("utf-8")
# This only finds the ends of values; numbers are read, and refused, later.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)


@dataclass(frozen=True, slots=True)
class GameText:
    """The bytes of one game: `shown` names its file, `line` is where it begins (from 1).

    `kind` is "json" (one value), "phase lines" (JSON Lines of one game's phases) or "text";
    `number` is the place of a value in a list (from 1), 0 if it is in none; `offset` says how many
    bytes of the file had been read when the game was found.
    """

    shown: str
    line: int
    kind: Literal["json", "phase lines", "text"]
    data: bytes
    offset: int = 0
    number: int = 0


def game_texts(path: str | Path) -> Generator[GameText | DipsatError, None, None]:
    """The games of a file (`-` is standard input), in their order there.

    For a game that cannot be extracted, an error is yielded; the games after it follow if they can
    be found. Raises `FileError` if the file cannot be opened or is empty.
    """
    shown = str(path)
    found = False
    try:
        with _opened(path) as raw:
            for text in _of_any(raw, shown):
                found = True
                offset = raw.tell() if raw.seekable() else 0
                yield replace(text, offset=offset) if isinstance(text, GameText) else text
    except OSError as error:
        raise FileError(shown, f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a null character in the path
        raise FileError(shown, f"cannot be read: {error}") from None
    if not found:
        raise FileError(shown, "is empty; there is no game in it")


def game_texts_in(text: str, shown: str) -> tuple[GameText | DipsatError, ...]:
    """The games of a text, like those that `game_texts` finds in a file; `shown` names the text.

    Raises `FileError` if there is none.
    """
    # JSON can state lone surrogates, which UTF-8 cannot encode: they are refused later.
    data = BytesIO(text.encode(errors="surrogatepass"))
    found = tuple(_texts(BufferedReader(data), shown))
    if not found:
        raise FileError(shown, "is empty; there is no game in it")
    return found


def _opened(path: str | Path) -> AbstractContextManager[BufferedReader]:
    if str(path) == "-":
        return nullcontext(cast(BufferedReader, sys.stdin.buffer))
    return open_file(path)


def _of_any(raw: BufferedReader, shown: str) -> Iterator[GameText | DipsatError]:
    if raw.peek(4).startswith(PARQUET):
        return _of_parquet(ParquetGames(raw, shown), shown)
    packing = packing_of(raw)
    return _texts(unpacked(raw, shown, packing) if packing else raw, shown)


def _of_parquet(games: ParquetGames, shown: str) -> Iterator[GameText | DipsatError]:
    """The games of Parquet data; row numbers take the place of line numbers."""
    if games.rows_are_values:
        yield from _grouped(games.lines(), shown)
        return
    for row, data in games.texts():
        where = f"{shown}, row {row}"
        if len(data) > MAX_GAME_BYTES:
            yield _too_large(where, len(data))
            continue
        try:
            for text in _texts(BufferedReader(BytesIO(data)), where):
                if isinstance(text, GameText) and text.kind != "text":
                    text = replace(text, shown=shown, line=row)
                yield text
        except DipsatError as error:
            yield error


def _texts(stream: BufferedReader, shown: str) -> Iterator[GameText | DipsatError]:
    line = 1 + _blank_lines(stream, shown)
    char = stream.read(1)
    if char == b"[":
        yield from _values(stream, shown, char, line)
        return
    head = char + stream.readline(MAX_GAME_BYTES)
    if char != b"{":
        if char:
            yield GameText(shown, 1, "text", _rest(stream, shown, head, line))
        return
    if len(head) > MAX_GAME_BYTES:
        yield _too_large(f"{shown}:{line}", len(head))
        return
    following = stream.peek(1)[:1]
    lines_follow = following == b"{" and head.strip() != b"{"  # JSON Lines, the first one broken
    if _is_whole(head) or lines_follow:
        yield from _grouped(value_lines(stream, shown, [head], line), shown)
    else:
        yield from _values(stream, shown, head, line)


def _blank_lines(stream: BufferedReader, shown: str) -> int:
    """Skip blank space at the beginning, and return the number of its line ends."""
    lines = size = 0
    while ahead := stream.peek():
        blank = stream.read(len(ahead) - len(ahead.lstrip(_BLANK)))
        lines, size = lines + blank.count(b"\n"), size + len(blank)
        BLANK_BYTES.check(size, shown)
        if len(blank) < len(ahead):
            break
    return lines


def _is_whole(data: bytes) -> bool:
    try:
        text = data.decode()
        refuse_many_values(text, "")
        _DECODER.decode(text)
    except InputLimitError:  # reported when the game is read
        return True
    except (ValueError, RecursionError):
        return False
    return True


def value_lines(
    stream: IO[bytes], shown: str, taken: Sequence[bytes] = (), number: int = 1, what: str = "game"
) -> Iterator[tuple[int, bytes] | FileError]:
    """Yield the lines that are not blank, with their numbers. For one that is too long, yield an
    error, which says `what` it is.

    `taken` are the lines already read, from line `number` on. Raises `InputLimitError` for too much
    blank space.
    """
    rest = iter(lambda: stream.readline(MAX_GAME_BYTES + 1), b"")
    blank = 0
    for at, line in enumerate(chain(taken, rest), number):
        data = line.rstrip()
        if not data:
            blank += len(line)
            BLANK_BYTES.check(blank, f"{shown}:{at}")
            continue
        blank = 0
        if len(line) > MAX_GAME_BYTES:
            size = len(line)
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_GAME_BYTES)
                size += len(line)
            yield _too_large(f"{shown}:{at}", size, what)
        else:
            yield at, data


def _too_large(where: str, size: int, what: str = "game") -> FileError:
    problem = f"a {what} of more than {MAX_GAME_BYTES >> 20} MB"
    return InputLimitError(where, GAME_BYTES.what, size, MAX_GAME_BYTES, problem)


def _grouped(
    lines: Iterator[tuple[int, bytes] | FileError], shown: str
) -> Iterator[GameText | DipsatError]:
    """The lines as JSON values, with the lines of one game's phases joined. Blank lines take the
    place of those left out, so that line numbers stay right."""
    group: list[bytes] = []
    start, source, size = 0, b"", 0
    skipping = b""  # the name of a game that is too large
    for line in lines:
        number, data = (0, b"") if isinstance(line, FileError) else line
        own = _source_of(data)
        if group and (own != source or not own):
            yield GameText(shown, start, "phase lines", b"\n".join(group))
            group = []
        if not own:
            yield line if isinstance(line, FileError) else GameText(shown, number, "json", data)
            continue
        if own == skipping:
            continue
        skipping = b""
        if not group:
            start, source, size = number, own, 0
        left_out = number - start - len(group)
        size += left_out + len(data)
        if size > MAX_GAME_BYTES:
            yield _too_large(f"{shown}:{start}", size)
            group, skipping = [], own
            continue
        group += [b""] * left_out
        group.append(data)
    if group:
        yield GameText(shown, start, "phase lines", b"\n".join(group))


def _source_of(line: bytes) -> bytes:
    """The name of the game that a line is one phase of, b"" if the line is a whole game."""
    if _PHASE_LINE not in line or (_GAME_KEY in line and _GAME_LINE in line):
        return b""
    match = _SOURCE.search(line)
    return b'""' if match is None else match[1]


def _rest(stream: IO[bytes], shown: str, head: bytes, line: int) -> bytes:
    """The whole stream, with `head` at its place in line `line`. Raises `InputLimitError`."""
    start = b"\n" * (line - 1) + head
    data = start + stream.read(max(0, TEXT_BYTES.most + 1 - len(start)))
    if len(data) > TEXT_BYTES.most:
        problem = f"a text of more than {TEXT_BYTES.most >> 20} MB"
        raise InputLimitError(shown, TEXT_BYTES.what, len(data), TEXT_BYTES.most, problem)
    return data


def _values(
    stream: IO[bytes], shown: str, head: bytes, line: int
) -> Iterator[GameText | DipsatError]:
    """Yield JSON values that span several lines or are in a list, each as soon as it is complete.
    Raises `InputLimitError` for too much blank space, or for too many values in one."""
    decoder = _UTF8()
    buffer = _decoded(decoder, shown, head)
    in_list = buffer.startswith("[")
    between = _BETWEEN_IN_LIST if in_list else _BETWEEN
    at, ended, grow = int(in_list), False, _CHUNK
    blank = counted = 0  # lines are counted up to here in the buffer
    number = 0
    while True:
        gap = between.match(buffer, at)
        assert gap is not None
        at, blank = gap.end(), blank + gap.end() - at
        BLANK_BYTES.check(blank, f"{shown}:{line}")
        if in_list and at < len(buffer) and buffer[at] == "]":
            return
        line, counted = line + buffer.count("\n", counted, at), at
        problem: Exception | None = None
        if at < len(buffer):
            try:
                _, end = _DECODER.raw_decode(buffer, at)
            except (ValueError, RecursionError) as error:
                problem = error
            else:
                number += in_list
                yield GameText(shown, line, "json", buffer[at:end].encode(), number=number)
                at, grow, blank = end, _CHUNK, 0
                continue
        if ended:
            if problem is not None or in_list:
                yield _broken(problem, buffer[at:], shown, line)
            return
        if len(buffer) - at > MAX_GAME_BYTES:
            yield _too_large(f"{shown}:{line}", len(buffer) - at)
            return
        if isinstance(problem, RecursionError):
            yield _broken(problem, buffer[at:], shown, line)
            return
        refuse_many_values(buffer[at:], shown, line)  # all of it belongs to one value
        chunk = stream.read(grow)
        ended, grow = not chunk, min(2 * grow, MAX_GAME_BYTES)
        buffer = buffer[at:] + _decoded(decoder, shown, chunk)
        at = counted = 0


def _decoded(decoder: IncrementalDecoder, shown: str, data: bytes) -> str:
    """The text of the next bytes; a character that is cut off is part of the next text."""
    try:
        return decoder.decode(data, final=not data)
    except UnicodeDecodeError:
        raise FileError(shown, "the text is not UTF-8; save it as UTF-8") from None


def _broken(problem: Exception | None, text: str, shown: str, line: int) -> DipsatError:
    """The error for a value that begins in `line` and is malformed somewhere in `text`."""
    if isinstance(problem, json.JSONDecodeError):
        try:  # again, from its own beginning, so that its lines are counted from there
            _DECODER.raw_decode(text)
        except json.JSONDecodeError as error:
            problem = error
        where = line + problem.lineno - 1
        return DocumentError(shown, where, problem.colno, f"malformed JSON: {problem.msg}")
    if problem is None:
        return DocumentError(shown, line, 1, "the list of games is cut off; a ] is missing")
    return DocumentError(shown, line, 1, "nested too deeply for a game")


# --- games ----------------------------------------------------------------------------------------


def read_games(
    path: str | Path, map: Map | None = None, limits: Limits = UNLIMITED
) -> Iterator[RecordedGame | Transcript]:
    """Yield the games of a file; the time limit is for each text in it. Raises a `DipsatError` at
    the first bad one."""
    for text in game_texts(path):
        if isinstance(text, DipsatError):
            raise text
        with running(limits):
            found = parse_games(text, map)
        yield from found


def parse_games(
    text: GameText, map: Map | None = None, skip_faults: bool = False
) -> tuple[RecordedGame | Transcript, ...]:
    """The games that a text states: one, or the cases of a file of cases.

    `map` overrides the map that the text names. Raises `FileError` or `DocumentError` with the
    place of the fault. With `skip_faults`, a faulty phase or case is left out instead, and listed
    in `RecordedGame.unread` of its game.
    """
    try:
        content = _content(text)
    except FileError:
        if not any(pattern.search(text.data[:8]) for pattern, _ in _LOOKS[:_BINARY]):
            raise
        _refuse(text, text.shown)
    if text.kind == "phase lines":
        unread = Unread() if skip_faults else None
        return (_from_lines(content, text, map, unread),)
    value, where = content, text.shown
    if text.kind == "json":
        value = parse_json(content, text.shown, text.line)
        if text.number and text.line == 1:
            where = f"{text.shown}, number {text.number}"
        elif text.line > 1:
            where = f"{text.shown}:{text.line}"
    kind = kind_of(value)
    if kind is HEADINGS and next(phases_named(content, text.shown, map), None) is None:
        kind = None
    if kind is None:
        _refuse(text, where, "" if text.kind == "text" else f", but {_seen(value)}")
    return tuple(kind.read(value, where, map, skip_faults))


def _from_lines(
    content: str, text: GameText, map: Map | None, unread: Unread | None
) -> RecordedGame:
    """The game whose phases are on these lines. A line that is not JSON is reported first."""
    if unread is None or content.count("\n") >= PHASES.most:
        lines = list(_json_lines(content, text, unread))
        PHASES.check(len(lines), text.shown)
        return read_phase_lines(lines, text.shown, map, unread)
    # Line by line, so that the values of a game need not be in memory at once.
    broken = Unread()
    game = read_phase_lines(_json_lines(content, text, broken), text.shown, map, unread)
    return replace(game, unread=(*broken.phases, *game.unread)) if broken.phases else game


def _json_lines(content: str, text: GameText, unread: Unread | None) -> Iterator[tuple[int, Any]]:
    """The values of a text's lines with the numbers of the lines; faulty lines go to `unread`."""
    count = 0
    for number, line in enumerate(content.split("\n"), text.line):
        value = None
        if line:
            with leaving_out(unread, count, ""):
                value = parse_json(line, text.shown, number)
        if value is not None:
            count += 1
            yield number, value


def holds_games(text: GameText) -> bool:
    """Whether a text seems to state games, judged without reading all of it; if not, it may be an
    order file. Raises `FileError` for a text that is not UTF-8."""
    if text.kind == "phase lines":
        return True
    content = _content(text)
    if text.kind == "json":
        with suppress(DipsatError):
            return kind_of(parse_json(content, text.shown)) is not None
        return False
    return kind_of(content) is not HEADINGS or has_seasons(content, text.shown)


def _content(text: GameText) -> str:
    most = TEXT_BYTES.most if text.kind == "text" else MAX_GAME_BYTES
    return decode(text.data, text.shown, most)


_KEYS_SHOWN = 5  # for a value that is not a game
_LOOKS = (
    (re.compile(rb"\APK\x03\x04"), "a zip archive; unpack it first"),
    (re.compile(rb"\A%PDF"), "a PDF document; copy its text into a file"),
    (re.compile(rb"\A(?:\x89PNG|\xff\xd8\xff|GIF8)"), "a picture"),
    (
        re.compile(rb"\A[ \n]*<", re.MULTILINE),
        "a web page or other XML; copy its text into a file",
    ),
    (re.compile(rb"^provinces[ \t]*:", re.MULTILINE), "a map"),
    (re.compile(rb"^(?:decisions|extends|settings)[ \t]*:", re.MULTILINE), "rules, or a map"),
    (re.compile(rb"^units[ \t]*:", re.MULTILINE), "one phase; `dipsat adjudicate` reads it"),
    (
        re.compile(rb"^[ \t]*(?:A|F|Army|Fleet)[ \t]+[A-Za-z]", re.MULTILINE),
        "orders of one phase; write a heading above them, such as `Spring 1901 Movement`",
    ),
)
"""How a file that is not a game, or a line of it, begins, and what such a file looks like."""
_BINARY = 3  # the first of these, which are not texts


def _refuse(text: GameText, shown: str, seen: str = "") -> NoReturn:
    """Raise a `FileError` that says what a text without a game looks like."""
    if not seen:
        looks = (look for pattern, look in _LOOKS if pattern.search(text.data))
        seen = f"; it looks like {found}" if (found := next(looks, "")) else ""
    *others, last = (kind.looks for kind in KINDS if kind.looks)
    raise FileError(shown, f"contains no game{seen}; dipsat reads {', '.join(others)} and {last}")


def _seen(value: Any) -> str:
    """What a value that is not a game looks like, and what it lacks."""
    if not isinstance(value, dict) or not value:
        return "an empty object" if value == {} else described(value)
    keys = ", ".join(shortened(key) for key in islice(value, _KEYS_SHOWN))
    keys += " and others" if len(value) > _KEYS_SHOWN else ""
    is_phase = value.keys() & {"units", "orders"}
    hint = "; it may be one phase, and a game lists these" if is_phase else ""
    return f"an object without `phases`, with the keys {keys}{hint}"
