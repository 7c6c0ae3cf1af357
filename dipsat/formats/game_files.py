"""Finding the games in a file without loading the file: one game at a time, whatever its size.

A file may hold one game or many: JSON Lines of saved games or of phases, one or several JSON
objects over many lines (also in a list), jDip cases, a dipsat game in YAML, or plain text; each may
be compressed with gzip. The contents of a game are read later, perhaps in another process.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import IO, Literal, cast

from dipsat.errors import DipsatError, DocumentError, FileError
from dipsat.files.reading import open_file
from dipsat.formats.json_text import MAX_GAME_BYTES

_CHUNK = 1 << 20
_SOURCE = re.compile(rb'"source"\s*:\s*("(?:[^"\\]|\\.)*")')
_PHASE_LINE = b'"next_phase"'
_GAME_LINE = b'"phases"'
_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
# Only the ends of values are looked for here; numbers are read, and refused, later.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)


@dataclass(frozen=True, slots=True)
class GameText:
    """The bytes of one game: `shown` names its file, `line` is where it begins (from 1).

    `kind` is "json" (one value), "phase lines" (JSON Lines of one game's phases) or "text";
    `offset` says how many bytes of the file had been read when the game was found.
    """

    shown: str
    line: int
    kind: Literal["json", "phase lines", "text"]
    data: bytes
    offset: int = 0


def game_texts(path: str | Path) -> Iterator[GameText | DipsatError]:
    """The games of a file (`-` is standard input), in their order there.

    A game that cannot be extracted comes as an error, and those after it follow if they can be
    found. Raises `FileError` if the file cannot be opened or is empty.
    """
    shown = str(path)
    found = False
    try:
        with _opened(path) as raw:
            compressed = raw.peek(2)[:2] == _GZIP
            stream = cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if compressed else raw
            for text in _texts(stream, shown):
                found = True
                offset = raw.tell() if raw.seekable() else 0
                yield replace(text, offset=offset) if isinstance(text, GameText) else text
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FileError(shown, f"the gzip data are damaged or cut off: {error}") from None
    except OSError as error:
        raise FileError(shown, f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a null character in the path
        raise FileError(shown, f"cannot be read: {error}") from None
    if not found:
        raise FileError(shown, "is empty; there is no game in it")


def _opened(path: str | Path) -> AbstractContextManager[BufferedReader]:
    if str(path) == "-":
        return nullcontext(cast(BufferedReader, sys.stdin.buffer))
    return open_file(path)


def _texts(stream: IO[bytes], shown: str) -> Iterator[GameText | DipsatError]:
    line = 1
    while (char := stream.read(1)) and (char.isspace() or char in _BOM):
        line += char == b"\n"
    if char == b"[":
        yield from _values(stream, shown, char, line)
        return
    head = char + stream.readline(MAX_GAME_BYTES)
    if char != b"{":
        if char:
            yield GameText(shown, 1, "text", _rest(stream, shown, head, line))
        return
    if _is_whole(head):
        yield from _grouped(_lines(stream, shown, [head], line))
        return
    second = stream.readline(MAX_GAME_BYTES)
    if second.startswith(b"{") and head.strip() != b"{":  # JSON Lines, the first one broken
        yield from _grouped(_lines(stream, shown, [head, second], line))
    else:
        yield from _values(stream, shown, head + second, line)


def _is_whole(data: bytes) -> bool:
    try:
        _DECODER.decode(data.decode())
    except (ValueError, RecursionError):
        return False
    return True


def _lines(
    stream: IO[bytes], shown: str, taken: list[bytes], number: int
) -> Iterator[GameText | FileError]:
    """The lines that are not blank, as JSON values; one that is too long comes as an error.

    `taken` are the lines already read, from line `number` on.
    """
    rest = iter(lambda: stream.readline(MAX_GAME_BYTES + 1), b"")
    for at, line in enumerate(chain(taken, rest), number):
        if len(line) > MAX_GAME_BYTES:
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_GAME_BYTES)
            yield _too_large(f"{shown}:{at}")
        elif not line.isspace():
            yield GameText(shown, at, "json", line.strip())


def _too_large(where: str) -> FileError:
    return FileError(where, f"a game of more than {MAX_GAME_BYTES >> 20} MB")


def _grouped(lines: Iterator[GameText | FileError]) -> Iterator[GameText | DipsatError]:
    """The lines, with those of one game's phases joined. Blank lines replace those left out, so
    that line numbers can be counted."""
    group: list[bytes] = []
    start, source, size = GameText("", 0, "json", b""), b"", 0
    skipping = b""  # a game that is too large
    for line in lines:
        own = _source(line) if isinstance(line, GameText) else b""
        if group and (own != source or not own):
            yield GameText(start.shown, start.line, "phase lines", b"\n".join(group))
            group = []
        if isinstance(line, FileError) or not own:
            yield line
            continue
        if own == skipping:
            continue
        skipping = b""
        if not group:
            start, source, size = line, own, 0
        size += len(line.data)
        if size > MAX_GAME_BYTES:
            yield _too_large(f"{start.shown}:{start.line}")
            group, skipping = [], own
            continue
        group += [b""] * (line.line - start.line - len(group))
        group.append(line.data)
    if group:
        yield GameText(start.shown, start.line, "phase lines", b"\n".join(group))


def _source(line: GameText) -> bytes:
    """The name of the game that a line is one phase of, b"" if the line is a whole game."""
    if _PHASE_LINE not in line.data or _GAME_LINE in line.data:
        return b""
    match = _SOURCE.search(line.data)
    return match[1] if match else b'""'


def _rest(stream: IO[bytes], shown: str, head: bytes, line: int) -> bytes:
    """All of the stream, with `head` in its place."""
    start = b"\n" * (line - 1) + head
    data = start + stream.read(MAX_GAME_BYTES + 1 - len(start))
    if len(data) > MAX_GAME_BYTES:
        raise _too_large(shown)
    return data


def _values(
    stream: IO[bytes], shown: str, head: bytes, line: int
) -> Iterator[GameText | DipsatError]:
    """JSON values that span several lines, also in a list: each as soon as it is complete."""
    buffer = _decoded(shown, head)
    in_list = buffer.startswith("[")
    at, ended, grow = int(in_list), False, _CHUNK
    counted = 0  # where in the buffer `line` is
    while True:
        while at < len(buffer) and (buffer[at].isspace() or (in_list and buffer[at] == ",")):
            at += 1
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
                yield GameText(shown, line, "json", buffer[at:end].encode())
                at, grow = end, _CHUNK
                continue
        if ended:
            if problem is not None or in_list:
                yield _broken(problem, buffer[at:], shown, line)
            return
        if len(buffer) - at > MAX_GAME_BYTES:
            yield _too_large(f"{shown}:{line}")
            return
        if isinstance(problem, RecursionError):
            yield _broken(problem, buffer[at:], shown, line)
            return
        chunk = stream.read(grow)
        ended, grow = not chunk, min(2 * grow, MAX_GAME_BYTES)
        buffer = buffer[at:] + _decoded(shown, chunk + _tail(stream, chunk))
        at = counted = 0


def _tail(stream: IO[bytes], chunk: bytes) -> bytes:
    """The rest of the line, so that no character is split."""
    return b"" if not chunk or chunk.endswith(b"\n") else stream.readline(MAX_GAME_BYTES)


def _decoded(shown: str, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise FileError(shown, "is not UTF-8; save it as UTF-8 text") from None


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
