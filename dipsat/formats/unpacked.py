"""Unpacking gzip data without trusting them: what comes out is counted against what goes in."""

from __future__ import annotations

from gzip import BadGzipFile as BadGzipFile, GzipFile
from io import BufferedReader, RawIOBase
from typing import Any
from zlib import error

from dipsat.errors import DipsatError
from dipsat.limits_of_input import GAME_BYTES, UNPACKED_RATIO

_AT_ONCE = 1 << 16  # bytes that are kept ready
_PIECE = 1 << 13  # bytes that are unpacked at once; damage takes the piece in which it is with it


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
        self.fault: Exception | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """The number of bytes put into `buffer`: those before a fault, which the next call raises.
        Small files are never too large."""
        if self.fault is not None:
            raise self.fault
        end = 0
        try:
            while end < len(buffer):
                wanted = min(_PIECE, len(buffer) - end)
                data = self._piece(wanted)
                buffer[end : end + len(data)] = data
                end += len(data)
                if len(data) < wanted:  # more might have to be waited for
                    break
        except (EOFError, OSError, error, DipsatError) as fault:
            if not end:
                raise
            self.fault = fault
        return end

    def _piece(self, wanted: int) -> bytes:
        data = self.stream.read1(wanted)
        self.size += len(data)
        if self.size > GAME_BYTES.most:
            UNPACKED_RATIO.check(self.size // self.packed.size, self.shown)
        return data
