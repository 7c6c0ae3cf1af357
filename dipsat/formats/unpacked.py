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
_LARGE_PIECE = 1 << 16  # the same as long as nothing is damaged: with fewer calls


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
        self.raw = raw
        self.start = raw.tell() if raw.seekable() else None
        self.piece = _PIECE if self.start is None else _LARGE_PIECE
        self.fault: Exception | None = None
        self._open()

    def _open(self) -> None:
        self.packed = _Packed(self.raw)
        self.stream = GzipFile(fileobj=self.packed, mode="rb")
        self.size = 0

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
                wanted = min(self.piece, len(buffer) - end)
                data = self._next(wanted)
                buffer[end : end + len(data)] = data
                end += len(data)
                if len(data) < wanted:  # more might have to be waited for
                    break
        except (EOFError, OSError, error, DipsatError) as fault:
            if not end:
                raise
            self.fault = fault
        return end

    def _next(self, wanted: int) -> bytes:
        """The next bytes; where there is damage, in small pieces, from the start of the file to
        where it is."""
        try:
            return self._piece(wanted)
        except (EOFError, OSError, error):
            if self.start is None or self.piece == _PIECE:
                raise
        done, self.piece = self.size, _PIECE
        self.raw.seek(self.start)
        self._open()
        while self.size < done:
            if not self._piece(min(_PIECE, done - self.size)):
                raise EOFError("the file has become shorter")
        return self._piece(min(_PIECE, wanted))

    def _piece(self, wanted: int) -> bytes:
        data = self.stream.read1(wanted)
        self.size += len(data)
        if self.size > GAME_BYTES.most:
            UNPACKED_RATIO.check(self.size // self.packed.size, self.shown)
        return data
