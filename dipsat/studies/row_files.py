"""Writing rows into files, whole or not at all, and reading them back."""

from __future__ import annotations

import json
import signal
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import BufferedReader
from itertools import chain
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, BinaryIO, Protocol

from dipsat.base import (
    ROWS_RATIO,
    GrowingFile,
    counted,
    decode,
    open_file,
    unwritable,
)
from dipsat.errors import DocumentError, FileError
from dipsat.formats import (
    MAX_GAME_BYTES,
    PARQUET,
    packing_of,
    parquet_file,
    parse_json,
    pyarrow,
    unpacked,
    value_lines,
    zstd,
)
from dipsat.studies.row_kinds import Row, RowKind, Type, kind_of


@contextmanager
def uninterrupted() -> Iterator[None]:
    """A block during which Ctrl-C waits until the end. Threads other than the main one never get
    Ctrl-C, so nothing changes there, nor where the system has another handler."""
    usual = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(usual):
        yield
        return
    waiting: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: waiting.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if waiting:
            usual(*waiting[0])


# --- JSON Lines, plain or compressed --------------------------------------------------------------


class JsonLinesSink:
    """Writes rows to a stream, compressed as `.gz` or `.zst`, or not compressed."""

    def __init__(self, stream: BinaryIO, packing: str, shown: str) -> None:
        self._stream = stream
        self._packer: Any = None
        if packing == ".gz":  # without the time, so that equal rows give equal files
            self._packer = zlib.compressobj(wbits=31)
        elif packing == ".zst":
            self._packer = zstd(shown).ZstdCompressor()

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows. Raises `OSError`, `TypeError` and `ValueError`."""
        written = json.JSONEncoder(
            ensure_ascii=False, separators=(",", ":"), allow_nan=False
        ).encode
        data = whole_letters("".join(f"{written(row)}\n" for row in rows)).encode()
        self._stream.write(self._packer.compress(data) if self._packer else data)

    def finish(self) -> None:
        """Write the rest. Raises `OSError`."""
        if self._packer:
            self._stream.write(self._packer.flush())


def whole_letters(text: str) -> str:
    """The text with unpaired halves of letters, which no file can have, replaced by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def json_rows(stream: BufferedReader, shown: str) -> Iterator[dict[str, Any]]:
    """The rows of a stream of JSON Lines. Raises a `DipsatError` with the place."""
    for line in value_lines(stream, shown, what="line"):
        if isinstance(line, FileError):
            raise line
        number, data = line
        row = parse_json(decode(data, f"{shown}:{number}", MAX_GAME_BYTES), shown, number)
        if not isinstance(row, dict):
            raise DocumentError(shown, number, 1, 'a row is an object, such as {"phase": ...}')
        yield row


# --- Parquet, by pyarrow, which the extra `parquet` installs --------------------------------------


GROUP_ROWS = 100_000
"""The most rows in a group."""
GROUP_BYTES = 32 << 20
"""The approximate number of bytes of a group in memory."""
LEVELS = 30
"""The deepest nesting of lists and records."""


class ParquetSink:
    """Writes rows to a stream. Without a `kind`, rows have the columns of their first batch, and a
    row with any other column is a `ValueError`."""

    def __init__(self, stream: BinaryIO, kind: RowKind | None, shown: str) -> None:
        self._arrow = pyarrow(shown)
        self._stream = stream
        self._kind = kind
        self._schema = None if kind is None else _schema(self._arrow, kind)
        self._writer: Any = None
        self._batches: list[Any] = []

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows, now or later. Raises `OSError`, `TypeError` and `ValueError`."""
        try:
            table = self._table(rows)
        except UnicodeEncodeError:
            table = self._table(json.loads(whole_letters(json.dumps(rows, ensure_ascii=False))))
        self._schema = table.schema
        self._batches.append(table)
        size = sum(batch.nbytes for batch in self._batches)
        if size >= GROUP_BYTES or sum(map(len, self._batches)) >= GROUP_ROWS:
            self._group()

    def finish(self) -> None:
        """Write the rest. Raises what `write` raises."""
        if self._schema is None:
            self.write(())
        self._group()
        self._writer.close()

    def _table(self, rows: Sequence[Row]) -> Any:
        """The columns of rows. pyarrow would leave out members that it does not know."""
        names = dict.fromkeys(name for row in rows for name in row)
        if self._kind is None:
            _check_levels(rows)
            found = self._arrow.table({name: [row.get(name) for row in rows] for name in names})
            if self._schema is None:
                return found
            names = dict.fromkeys(_paths(found.schema))
        known = set(_paths(self._schema or ()))
        for name in names:
            if name not in known:
                raise ValueError(f"the column {name!r} is in no earlier row")
        return self._arrow.Table.from_pylist(rows, schema=self._schema)

    def _group(self) -> None:
        """Write the columns so far."""
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(
                self._stream, self._schema, compression="zstd"
            )
        if self._batches:
            self._writer.write_table(self._arrow.concat_tables(self._batches), GROUP_ROWS)
        self._batches = []


def _check_levels(value: Any, left: int = LEVELS + 2) -> None:
    """Raise `ValueError` if lists and records are nested too deeply for pyarrow to read back. Much
    deeper ones would crash the process."""
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, list | tuple):
        return
    if not left:
        raise ValueError(f"more than {LEVELS} lists and records are nested in each other")
    for part in value:
        _check_levels(part, left - 1)


def _paths(fields: Iterable[Any], begin: str = "") -> Iterator[str]:
    """The names of columns, and of the members of records in them."""
    for field in fields:
        yield f"{begin}{field.name}"
        type = field.type
        while hasattr(type, "value_type"):
            type = type.value_type
        if isinstance(type, Iterable):  # the members of a record
            yield from _paths(type, f"{begin}{field.name}.")


def _schema(arrow: Any, kind: RowKind) -> Any:
    fields = [
        arrow.field(one.name, _type(arrow, one.type), metadata={"comment": one.meaning})
        for one in kind.columns
    ]
    return arrow.schema(fields, metadata={"dipsat": kind.name})


def _type(arrow: Any, type: Type) -> Any:
    if isinstance(type, list):
        return arrow.list_(_type(arrow, type[0]))
    if isinstance(type, dict):
        return arrow.struct([arrow.field(name, _type(arrow, of)) for name, of in type.items()])
    return {"text": arrow.string, "integer": arrow.int64, "truth": arrow.bool_}[type]()


def parquet_rows(stream: BufferedReader, shown: str) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file. Raises `FileError`."""
    with parquet_file(stream, shown) as file:
        names = file.schema_arrow.names
        if len(set(names)) < len(names):
            raise ValueError("two columns have the same name")
        for batch in file.iter_batches(BATCH_ROWS):
            yield from batch.to_pylist()


# --- files ----------------------------------------------------------------------------------------


SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet")
"""The endings of the names of row files."""
BATCH_ROWS = 1_000
"""The number of rows written, or read, at a time."""


class _Sink(Protocol):
    def write(self, rows: Sequence[Row]) -> None: ...

    def finish(self) -> None: ...


def suffix_of(path: str | Path) -> str:
    """The ending of a name that says how rows are written, in lower case. Raises `FileError` for a
    name with another ending."""
    name = Path(path).name.lower()
    for suffix in SUFFIXES:
        if name.endswith(suffix):
            return suffix
    *others, last = SUFFIXES
    problem = f"is not a name for rows; it should end in {', '.join(others)} or {last}"
    raise FileError(str(path), problem)


def refuse_unwritable(path: str | Path) -> str:
    """The ending of a name. Raises `FileError` for a name with an unknown ending, or if the package
    that writes such files is missing."""
    suffix = suffix_of(path)
    if suffix == ".parquet":
        pyarrow(str(path))
    elif suffix == ".jsonl.zst":
        zstd(str(path))
    return suffix


def write_rows(rows: Iterable[Row], path: str | Path) -> int:
    """Write rows, such as those of `replay_rows`, into a file whose ending says the format:
    `.jsonl`, `.jsonl.gz`, `.jsonl.zst` (with the extra `zstd`) or `.parquet` (with the extra
    `parquet`). Return their number.

    Rows are written as they come, with bounded memory. The file is put in its place when it is
    complete; until then an older one stays. If an error or Ctrl-C ends the rows, those before it go
    into a separate file, such as `games.partial.parquet` instead of `games.parquet`, which a note
    on the error names. Any mappings of texts to plain values may be rows. The columns of a Parquet
    file are those of dipsat's own rows (docs/data.md), or else those of the first thousand rows.
    Raises `FileError`.
    """
    every = iter(rows)
    first = next(every, None)
    if first is None and suffix_of(path) == ".parquet":
        raise FileError(str(path), "is not written: without a row its columns are unknown")
    with rows_file(path, None if first is None else kind_of(first)) as file:
        file.add_all(every if first is None else chain((first,), every))
    return file.count


class RowsFile:
    """A file of rows that is being written."""

    def __init__(self, path: str | Path, kind: RowKind | None) -> None:
        self.shown = str(path)
        self.kept = ""
        """Says what is kept if the file is not written, and where."""
        suffix = refuse_unwritable(path)
        self.file = GrowingFile(path)
        self._sink: _Sink
        try:
            if suffix == ".parquet":
                self._sink = ParquetSink(self.file.stream, kind, self.shown)
            else:
                packing = suffix.removeprefix(".jsonl")
                self._sink = JsonLinesSink(self.file.stream, packing, self.shown)
        except BaseException:
            self.file.remove()
            raise
        self._partial = f"{Path(path).name[: -len(suffix)]}.partial{suffix}"
        self._rows: list[Row] = []
        self._written = 0
        self._is_broken = self.is_cut_short = self._is_ended = False

    @property
    def count(self) -> int:
        """The number of rows so far."""
        return self._written + len(self._rows)

    def add_all(self, rows: Iterable[Row]) -> None:
        """Add rows, which are written now or later. Raises `FileError`."""
        for row in rows:
            self._rows.append(row)
            if len(self._rows) >= BATCH_ROWS:
                self._write()

    def _write(self) -> None:
        with self._writing():
            some, self._rows = self._rows, []
            self._written += len(some)
            self._sink.write(some)

    def cut_short(self) -> None:
        """Note that rows are missing, so that the file is not put in its place."""
        self.is_cut_short = True

    def keep(self) -> None:
        """Put the rows so far, if there are any, beside the place of the file."""
        if self.count and not self._is_broken and not self._is_ended:
            rows, place = counted(self.count, "row"), self.end(self._partial)
            self.kept = f"{self.shown} is not written; {place} has the first {rows}"

    def end(self, name: str = "") -> str:
        """Put the whole file in its place, or under a name beside it. Raises `FileError`."""
        if self._rows:
            self._write()
        with self._writing():
            self._sink.finish()
            place = self.file.put_in_place(name)
            self._is_ended = True
        return place

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A block that Ctrl-C does not cut short, or a row could be there twice or in part."""
        try:
            with uninterrupted():
                yield
        except KeyboardInterrupt:  # not a fault of the file
            raise
        except BaseException as error:
            self._is_broken = True
            if isinstance(error, OSError):
                raise unwritable(self.shown, error) from None
            if isinstance(error, TypeError | ValueError | ArithmeticError | RuntimeError):
                problem = str(error).partition("\n")[0]
                raise FileError(self.shown, f"a row cannot be written: {problem}") from None
            raise


@contextmanager
def rows_file(path: str | Path, kind: RowKind | None) -> Iterator[RowsFile]:
    """A file of rows of a kind (None for any rows) to which rows are added. It is put in its place
    at the end of the block; see `write_rows`. Raises `FileError`."""
    file = RowsFile(path, kind)
    try:
        yield file
        if file.is_cut_short:
            file.keep()
        else:
            file.end()
    except BaseException as stop:
        with suppress(Exception):  # the original error is what counts
            file.keep()
        if file.kept:
            stop.add_note(file.kept)
        raise
    finally:
        file.file.remove()


def read_rows(path: str | Path) -> Iterator[dict[str, Any]]:
    """Return the rows of a file that `write_rows` or another program has written, one after the
    other: JSON Lines, plain or compressed, or Parquet, whatever its name.

    Raises `FileError` or `DocumentError` at the first fault.
    """
    shown = str(path)
    with open_file(path) as raw:
        try:
            if raw.peek(4)[:4] == PARQUET:
                yield from parquet_rows(raw, shown)
            else:
                packing = packing_of(raw)
                stream = unpacked(raw, shown, packing, ROWS_RATIO) if packing else raw
                yield from json_rows(stream, shown)
        except OSError as error:
            raise FileError(shown, f"cannot be read: {error.strerror or error}") from None
