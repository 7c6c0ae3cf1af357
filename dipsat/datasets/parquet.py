"""Rows as Parquet, by pyarrow, which the extra `parquet` installs.

A file is written in groups of rows, and read in batches, so that only one of them is in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BufferedReader
from typing import Any, BinaryIO

from dipsat.datasets.columns import Column, ListOf, Plainly, Row, RowKind, Type
from dipsat.datasets.json_lines import whole_letters
from dipsat.datasets.uninterrupted import uninterrupted
from dipsat.formats.parquet_games import parquet_file, pyarrow

BATCH_ROWS = 1_000
"""Rows that become columns at once."""
GROUP_ROWS = 100_000
"""Rows of a group at most."""
GROUP_BYTES = 32 << 20
"""Bytes of a group in memory, more or less."""
LEVELS = 30
"""Lists and records in each other."""


class ParquetSink:
    """Writes rows to a stream. Rows of no `kind` have the columns that their first batch shows; a
    row with another one is a `ValueError`."""

    def __init__(self, stream: BinaryIO, kind: RowKind | None, shown: str) -> None:
        self._arrow = pyarrow(shown)
        self._stream = stream
        self._kind = kind
        self._schema = None if kind is None else _schema(self._arrow, kind)
        self._writer: Any = None
        self._written = 0
        self._rows: list[Row] = []
        self._batches: list[Any] = []

    @property
    def count(self) -> int:
        """The number of rows so far."""
        return self._written + len(self._rows)

    def add(self, row: Row) -> None:
        """Write a row, sooner or later. Raises `OSError`, `TypeError` and `ValueError`."""
        self._rows.append(row)
        if len(self._rows) >= BATCH_ROWS:
            with uninterrupted():  # else some could be there twice, or not at all
                self._batch()

    def finish(self) -> None:
        """Write the rest. Raises what `add` raises."""
        with uninterrupted():
            if self._rows or self._schema is None:
                self._batch()
            self._group()
            self._writer.close()

    def _batch(self) -> None:
        """Turn rows into columns."""
        rows, self._rows = self._rows, []
        self._written += len(rows)
        try:
            table = self._table(rows)
        except UnicodeEncodeError:
            table = self._table([_with_texts(row, whole_letters) for row in rows])
        self._schema = table.schema
        self._batches.append(table)
        size = sum(batch.nbytes for batch in self._batches)
        if size >= GROUP_BYTES or len(self._batches) * BATCH_ROWS >= GROUP_ROWS:
            self._group()

    def _table(self, rows: list[Row]) -> Any:
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
    """Raise `ValueError` for lists and records in each other that pyarrow could not read again, or
    that are so many that it ends the process."""
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, list | tuple):
        return
    if not left:
        raise ValueError(f"more than {LEVELS} lists and records are in each other")
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


def _with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """A plain value with all its texts changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {change(key): _with_texts(part, change) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_with_texts(part, change) for part in value]
    return value


def _schema(arrow: Any, kind: RowKind) -> Any:
    return arrow.schema(
        [_field(arrow, column) for column in kind.columns], metadata={"dipsat": kind.name}
    )


def _field(arrow: Any, column: Column) -> Any:
    about = {"comment": column.meaning} if column.meaning else None
    return arrow.field(column.name, _type(arrow, column.type), metadata=about)


def _type(arrow: Any, type: Type) -> Any:
    if isinstance(type, ListOf):
        return arrow.list_(_type(arrow, type.of))
    if isinstance(type, Plainly):
        plain = {Plainly.TEXT: arrow.string, Plainly.INTEGER: arrow.int64}
        return plain.get(type, arrow.bool_)()
    return arrow.struct([_field(arrow, member) for member in type.members])


def parquet_rows(stream: BufferedReader, shown: str) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file. Raises `FileError`."""
    with parquet_file(stream, shown) as file:
        names = file.schema_arrow.names
        if len(set(names)) < len(names):
            raise ValueError("two columns have the same name")
        for batch in file.iter_batches(BATCH_ROWS):
            yield from batch.to_pylist()
