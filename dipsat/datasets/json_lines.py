"""Rows as JSON Lines, plain or compressed, one row at a time."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from io import BufferedReader
from typing import Any, BinaryIO, Protocol

from dipsat.datasets.columns import Row
from dipsat.datasets.uninterrupted import uninterrupted
from dipsat.documents import decode
from dipsat.errors import DocumentError, InputLimitError
from dipsat.formats.json_text import MAX_GAME_BYTES, parse_json
from dipsat.formats.unpacked import zstd
from dipsat.limits import BLANK_BYTES, GAME_BYTES

_AT_ONCE = 1 << 16  # bytes that are packed and written at once


class _Packer(Protocol):
    """What makes data smaller, as `zlib` and Zstandard have it."""

    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self) -> bytes: ...


class _Unpacked:
    def compress(self, data: bytes, /) -> bytes:
        return data

    def flush(self) -> bytes:
        return b""


def _packer(packing: str, shown: str) -> _Packer:
    if packing == ".gz":
        return zlib.compressobj(wbits=31)  # gzip, without the time, so that equal rows give
    if packing == ".zst":  # equal files
        found: _Packer = zstd(shown).ZstdCompressor()
        return found
    return _Unpacked()


class JsonLinesSink:
    """Writes rows to a stream, packed as `.gz` or `.zst`, or not at all."""

    def __init__(self, stream: BinaryIO, packing: str, shown: str) -> None:
        self._packer = _packer(packing, shown)
        self._stream = stream
        self._lines: list[str] = []
        self._size = self._written = 0

    @property
    def count(self) -> int:
        """The number of rows so far."""
        return self._written + len(self._lines)

    def add(self, row: Row) -> None:
        """Write a row, sooner or later. Raises `OSError`, `TypeError` and `ValueError`."""
        line = json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        self._lines.append(line)
        self._size += len(line)
        if self._size >= _AT_ONCE:
            self._flush()

    def finish(self) -> None:
        """Write the rest. Raises `OSError`."""
        with uninterrupted():
            self._flush()
            self._stream.write(self._packer.flush())

    def _flush(self) -> None:
        with uninterrupted():  # else a row could be half in the file
            data = whole_letters("\n".join([*self._lines, ""])).encode()
            self._stream.write(self._packer.compress(data))
            self._written += len(self._lines)
            self._lines, self._size = [], 0


def whole_letters(text: str) -> str:
    """A text whose halves of letters, which no file can have, are replaced by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def json_rows(stream: BufferedReader, shown: str) -> Iterator[dict[str, Any]]:
    """The rows of a stream of JSON Lines. Raises a `DipsatError` with the place."""
    blank = 0
    lines = iter(lambda: stream.readline(MAX_GAME_BYTES + 1), b"")
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_GAME_BYTES:
            problem = f"a line of more than {MAX_GAME_BYTES >> 20} MB"
            where = f"{shown}:{number}"
            raise InputLimitError(where, GAME_BYTES.what, len(line), MAX_GAME_BYTES, problem)
        text = decode(line, f"{shown}:{number}", MAX_GAME_BYTES)
        if not text.strip():
            blank += len(line)
            BLANK_BYTES.check(blank, f"{shown}:{number}")
            continue
        blank = 0
        row = parse_json(text, shown, number)
        if not isinstance(row, dict):
            raise DocumentError(shown, number, 1, 'a row is an object, such as {"phase": ...}')
        yield row
