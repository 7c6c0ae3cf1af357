"""Unpacking untrusted gzip and Zstandard data: the size of the output is checked against that of
the input."""

from __future__ import annotations

import sys
import zlib
from io import BufferedReader, RawIOBase
from typing import Any, Literal, TypeAlias

from dipsat.base import GAME_BYTES, PACKED_SURPLUS, UNPACKED_RATIO, InputLimit
from dipsat.errors import DipsatError, FileError

# --- Zstandard ------------------------------------------------------------------------------------

EXTRA = "pip install 'dipsat[zstd]'"


def zstd(shown: str) -> Any:
    """The Zstandard module of Python's library, or its backport. Raises `FileError` about the file
    `shown` if neither is there."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd as found
        else:
            from backports import zstd as found
    except ImportError:
        raise FileError(shown, f"Zstandard needs the package backports.zstd: {EXTRA}") from None
    return found


# --- unpacked -------------------------------------------------------------------------------------

Packing: TypeAlias = Literal["gzip", "Zstandard"]

_BEGINNINGS: dict[bytes, Packing] = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "Zstandard"}
"""The first bytes of packed data."""

_AT_ONCE = 1 << 16  # bytes kept ready
_PIECE = 1 << 13  # bytes unpacked at once; a piece with damaged bytes is lost as a whole


def packing_of(raw: BufferedReader) -> Packing | None:
    """How the data of a stream are packed, by their first bytes; None if they are not."""
    first = raw.peek(4)
    return next((kind for begin, kind in _BEGINNINGS.items() if first.startswith(begin)), None)


def unpacked(
    raw: BufferedReader, shown: str, packing: Packing, ratio: InputLimit = UNPACKED_RATIO
) -> BufferedReader:
    """A stream of the data unpacked; `shown` names their file in errors.

    Reading raises `InputLimitError` if the data unpack to far more than games could, or to less
    than their size, and `FileError` if they are damaged. Raises `FileError` if no module unpacks
    them.
    """
    return BufferedReader(_Unpacked(raw, shown, packing, ratio), _AT_ONCE)


class _Packed(RawIOBase):
    """Counts the bytes that are read. `surplus` is how many have not produced output yet."""

    def __init__(self, raw: BufferedReader, shown: str) -> None:
        self.raw = raw
        self.shown = shown
        self.size = self.surplus = 0

    def read(self, _: int = -1) -> bytes:
        """The next bytes: only a few, since unpacking copies the rest of them at the end of each
        member. Raises `InputLimitError` if they are headers and empty members for too long."""
        data = self.raw.read(_PIECE)
        self.size += len(data)
        self.surplus += len(data)
        PACKED_SURPLUS.check(self.surplus, self.shown)
        return data


class _Members:
    """Reads the members of gzip data one after the other. Their headers are left to zlib, since
    `gzip.GzipFile` calls Python for every byte of them, and for every zero between members."""

    def __init__(self, packed: _Packed) -> None:
        self.packed = packed
        self.ahead = b""
        self.member: Any = zlib.decompressobj(wbits=31)

    def read1(self, wanted: int) -> bytes:
        """The next bytes, b"" at the end. Raises `EOFError` or `zlib.error`."""
        while True:
            ahead = self.ahead or self.packed.read()
            if self.member.eof:
                if not ahead:
                    return b""
                self.ahead = ahead.lstrip(b"\0")
                if self.ahead:
                    self.member = zlib.decompressobj(wbits=31)
                continue
            data: bytes = self.member.decompress(ahead, wanted)
            self.ahead = self.member.unused_data or self.member.unconsumed_tail
            if data:
                return data
            if not ahead and not self.member.eof:
                raise EOFError("they end within a member")


class _Unpacked(RawIOBase):
    """A stream of unpacked data."""

    def __init__(
        self, raw: BufferedReader, shown: str, packing: Packing, ratio: InputLimit
    ) -> None:
        self.shown = shown
        self.packing = packing
        self.ratio = ratio
        self.module = zstd(shown) if packing == "Zstandard" else None
        self.faults: tuple[type[Exception], ...] = (EOFError, zlib.error)
        if self.module is not None:
            self.faults = (EOFError, self.module.ZstdError)
        self.fault: Exception | None = None
        self.packed = _Packed(raw, shown)
        self.size = 0
        module = self.module
        self.stream: Any = _Members(self.packed) if module is None else module.ZstdFile(self.packed)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer`, and return the number of bytes. If some precede a fault, the next call
        raises it. Small files are never too large."""
        if self.fault is not None:
            raise self.fault
        end = 0
        try:
            while end < len(buffer):
                wanted = min(_PIECE, len(buffer) - end)
                data = self._piece(wanted)
                buffer[end : end + len(data)] = data
                end += len(data)
                if len(data) < wanted:  # waiting for more might block
                    break
        except (OSError, DipsatError) as fault:
            if not end:
                raise
            self.fault = fault
        return end

    def _piece(self, wanted: int) -> bytes:
        try:
            data: bytes = self.stream.read1(wanted)
        except self.faults as fault:
            problem = f"the {self.packing} data are damaged or cut off: {fault}"
            raise FileError(self.shown, problem) from None
        self.size += len(data)
        self.packed.surplus = max(0, self.packed.surplus - len(data))
        if self.size > GAME_BYTES.most:
            self.ratio.check(self.size // self.packed.size, self.shown)
        return data
