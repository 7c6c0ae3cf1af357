"""Unpacking gzip data without trusting them: what comes out is counted against what goes in."""

from __future__ import annotations

from gzip import BadGzipFile as BadGzipFile, GzipFile
from io import BufferedReader, RawIOBase
from typing import Any

from dipsat.limits_of_input import GAME_BYTES, UNPACKED_RATIO

_AT_ONCE = 1 << 16  # bytes


def unpacked(raw: BufferedReader, shown: str) -> BufferedReader:
    """A stream of what gzip data unpack to; `shown` names their file in errors.

    Reading raises `InputLimitError` where much more comes out than could be games.
    """
    return BufferedReader(_Unpacked(raw, shown), _AT_ONCE)


class _Packed(RawIOBase):
    """Counts the bytes that are read."""

    def __init__(self, raw: BufferedReader) -> None:
        self.raw = raw
        self.size = 0

    def read(self, count: int = -1) -> bytes:
        """The next bytes."""
        data = self.raw.read(count)
        self.size += len(data)
        return data


class _Unpacked(RawIOBase):
    """What gzip data unpack to."""

    def __init__(self, raw: BufferedReader, shown: str) -> None:
        self.shown = shown
        self.packed = _Packed(raw)
        self.stream = GzipFile(fileobj=self.packed, mode="rb")
        self.size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """The number of bytes put into `buffer`; small files are never too large."""
        data = self.stream.read1(len(buffer))
        self.size += len(data)
        if self.size > GAME_BYTES.most:
            UNPACKED_RATIO.check(self.size // self.packed.size, self.shown)
        buffer[: len(data)] = data
        return len(data)
