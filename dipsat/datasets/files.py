"""Writing rows into files, whole or not at all, and reading them back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

from dipsat.datasets.columns import Row, RowKind
from dipsat.datasets.json_lines import JsonLinesSink, json_rows
from dipsat.datasets.kinds import kind_of
from dipsat.datasets.parquet import ParquetSink, parquet_rows
from dipsat.datasets.uninterrupted import uninterrupted
from dipsat.errors import FileError
from dipsat.files.reading import open_file
from dipsat.files.writing import GrowingFile, unwritable
from dipsat.formats.parquet_games import PARQUET, pyarrow
from dipsat.formats.unpacked import packing_of, unpacked, zstd
from dipsat.limits import ROWS_RATIO
from dipsat.pages import counted

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet")
"""The ends of names of files of rows."""


class _Sink(Protocol):
    @property
    def count(self) -> int: ...

    def add(self, row: Row) -> None: ...

    def finish(self) -> None: ...


def suffix_of(path: str | Path) -> str:
    """The end of a name that says how rows are written, in small letters. Raises `FileError` for a
    name with another one."""
    name = Path(path).name.lower()
    for suffix in SUFFIXES:
        if name.endswith(suffix):
            return suffix
    *others, last = SUFFIXES
    problem = f"is no name for rows; it should end in {', '.join(others)} or {last}"
    raise FileError(str(path), problem)


def refuse_unwritable(path: str | Path) -> str:
    """The end of a name. Raises `FileError` for a name with an unknown one, or if the package that
    writes such files is missing."""
    suffix = suffix_of(path)
    if suffix == ".parquet":
        pyarrow(str(path))
    elif suffix == ".jsonl.zst":
        zstd(str(path))
    return suffix


def write_rows(rows: Iterable[Row], path: str | Path) -> int:
    """Write rows, such as those of `replay_rows`, into a file by the end of its name: `.jsonl`,
    `.jsonl.gz`, `.jsonl.zst` (with the extra `zstd`) or `.parquet` (with the extra `parquet`).
    Return their number.

    Rows are written as they come, with bounded memory. The file takes its place when it is whole;
    until then an older one stays. If the rows end in an error or in Ctrl-C, those before it are in
    a file of their own, such as `games.partial.parquet` instead of `games.parquet`, which a note at
    the error names. Any mappings of texts to plain values may be rows; the columns of a Parquet
    file are those of dipsat's own rows (docs/data.md), or else those that the first thousand rows
    show. Raises `FileError`.
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
        """What is kept of a file that is not written, and where."""
        suffix = refuse_unwritable(path)
        self._file = GrowingFile(path)
        self._sink: _Sink
        try:
            if suffix == ".parquet":
                self._sink = ParquetSink(self._file.stream, kind, self.shown)
            else:
                packing = suffix.removeprefix(".jsonl")
                self._sink = JsonLinesSink(self._file.stream, packing, self.shown)
        except BaseException:
            self._file.remove()
            raise
        self._partial = f"{Path(path).name[: -len(suffix)]}.partial{suffix}"
        self._is_broken = self._is_cut_short = self._is_ended = False

    @property
    def count(self) -> int:
        """The number of rows so far."""
        return self._sink.count

    def add(self, row: Row) -> None:
        """Add a row. Raises `FileError`."""
        with self._writing():
            self._sink.add(row)

    def add_all(self, rows: Iterable[Row]) -> None:
        """Add rows. Raises `FileError`."""
        for row in rows:
            self.add(row)

    def cut_short(self) -> None:
        """Say that rows are missing, so that the file will not take its place."""
        self._is_cut_short = True

    def finish(self) -> None:
        """Put the whole file in its place. Raises `FileError`."""
        if self._is_cut_short:
            self._keep()
            return
        self._end()

    def stop(self, error: BaseException) -> None:
        """Keep the rows before an error, as the disk permits, and note so at the error."""
        with suppress(Exception):  # the other error is what counts
            self._keep()
        if self.kept:
            error.add_note(self.kept)

    def _keep(self) -> None:
        """Put the rows so far beside the place of the file, if there are any."""
        if not self.count or self._is_broken or self._is_ended:
            return
        place = self._end(self._partial)
        rows = counted(self.count, "row")
        self.kept = f"{self.shown} is not written; {place} has the first {rows}"

    def _end(self, name: str = "") -> str:
        with uninterrupted(), self._writing():
            self._sink.finish()
            place = self._file.put_in_place(name)
            self._is_ended = True
        return place

    def remove(self) -> None:
        """Remove what is left of a file that has no place."""
        self._file.remove()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except KeyboardInterrupt:  # which is no fault of the file
            raise
        except OSError as error:
            self._is_broken = True
            raise unwritable(self.shown, error) from None
        except (TypeError, ValueError, ArithmeticError, RuntimeError) as error:
            self._is_broken = True
            problem = str(error).partition("\n")[0]
            raise FileError(self.shown, f"a row cannot be written: {problem}") from None
        except BaseException:
            self._is_broken = True
            raise


@contextmanager
def rows_file(path: str | Path, kind: RowKind | None) -> Iterator[RowsFile]:
    """A file of rows of a kind (None for any rows) to which rows are added; it takes its place at
    the end of the block, see `write_rows`. Raises `FileError`."""
    file = RowsFile(path, kind)
    try:
        yield file
        file.finish()
    except BaseException as stop:
        file.stop(stop)
        raise
    finally:
        file.remove()


def read_rows(path: str | Path) -> Iterator[dict[str, Any]]:
    """Return the rows of a file that `write_rows` has written, or another program, one after the
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
