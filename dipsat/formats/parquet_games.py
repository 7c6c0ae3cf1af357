"""Recorded games in Parquet data, with pyarrow, which the extra `parquet` installs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BufferedReader
from typing import Any

from dipsat.base import GAME_BYTES, UNPACKED_RATIO
from dipsat.errors import FileError

# --- pyarrow --------------------------------------------------------------------------------------

EXTRA = "pip install 'dipsat[parquet]'"
PARQUET = b"PAR1"
"""The first bytes of a Parquet file."""
_BUFFER = 1 << 20  # bytes of a column that are read at once


def pyarrow(shown: str) -> Any:
    """The package. Raises `FileError` about the file `shown` if it is missing."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise FileError(shown, f"Parquet needs the package pyarrow: {EXTRA}") from None
    return pyarrow


@contextmanager
def parquet_file(stream: BufferedReader, shown: str) -> Iterator[Any]:
    """An open Parquet file, from which a block reads batches of rows. Any fault of the file is
    raised as a `FileError`."""
    arrow = pyarrow(shown)
    if not stream.seekable():
        raise FileError(shown, "Parquet cannot be read from a pipe; save it in a file")
    try:
        with arrow.parquet.ParquetFile(stream, pre_buffer=False, buffer_size=_BUFFER) as file:
            yield file
    except (arrow.ArrowException, OSError, ValueError) as error:
        problem = str(error).partition("\n")[0] or type(error).__name__
        raise FileError(shown, f"the Parquet data cannot be read: {problem}") from None


# --- games ----------------------------------------------------------------------------------------

# Games in Parquet: a column of texts with a game in each, or a column for each member of a game,
# as programs make them from JSON Lines.
#
# A small file can unpack to a lot: a text that is repeated, or empty columns. So only a few rows
# are read at once, and what they unpack to is compared with the size of the file.


_NAMES = ("game", "games", "json", "text", "content", "data")
"""Names of the column of games, if there are several columns of texts."""
_MEMBERS = frozenset({"phases", "next_phase"})
"""Columns that show that rows are games, or phases of games."""
_ROWS = 64  # rows read at once
_ROW_BYTES = 100  # added for each row, since even an empty one takes time
_TEXTS = 8  # texts read at once; they may be long


class ParquetGames:
    """The games of a Parquet file. Raises `FileError` if it cannot hold games."""

    def __init__(self, stream: BufferedReader, shown: str) -> None:
        self._stream = stream
        self._shown = shown
        self._arrow = pyarrow(shown)
        with parquet_file(stream, shown) as file:
            self._size = max(1, stream.seek(0, 2))
            schema = file.schema_arrow
            self.rows_are_values = not _MEMBERS.isdisjoint(schema.names)
            self._column = "" if self.rows_are_values else self._chosen(schema)

    def texts(self) -> Iterator[tuple[int, bytes]]:
        """The texts of the column of games, with the numbers of their rows (from 1); rows without
        one are left out. Raises `FileError` or `InputLimitError`."""
        number = size = 0
        binary = self._arrow.large_binary()
        with parquet_file(self._stream, self._shown) as file:
            for batch in file.iter_batches(_TEXTS, columns=[self._column]):
                for one in batch.column(0).cast(binary):
                    number += 1
                    text = one.as_py()
                    size = self._counted(size, text or b"")
                    if text:
                        yield number, text

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """The rows as lines of JSON, with their numbers. Members without a value are left out,
        since a column has one for every row. Raises `FileError` or `InputLimitError`."""
        number = size = 0
        with parquet_file(self._stream, self._shown) as file:
            kinds = {field.name: field.type for field in file.schema_arrow}
            for batch in file.iter_batches(_ROWS):
                for row in batch.to_pylist():
                    number += 1
                    value = {
                        name: self._plain(one, kinds[name])
                        for name, one in row.items()
                        if one is not None or name in _MEMBERS
                    }
                    line = json.dumps(value, ensure_ascii=False, default=str).encode()
                    size = self._counted(size, line)
                    yield number, line

    def _chosen(self, schema: Any) -> str:
        """The name of the column of games."""
        types = self._arrow.types
        kinds = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
        listed = [
            field.name
            for field in schema
            if any(is_one(getattr(field.type, "value_type", field.type)) for is_one in kinds)
            and not types.is_nested(field.type)
        ]
        for name in _NAMES if len(listed) > 1 else listed:
            if name in listed:
                return str(name)
        columns = ", ".join(schema.names[:20]) or "none"
        problem = f"no column of games; call it `game`, or have one column of texts (now {columns})"
        raise FileError(self._shown, problem)

    def _counted(self, size: int, data: bytes) -> int:
        """The bytes so far, with those of a row. Raises `InputLimitError`."""
        size += len(data) + _ROW_BYTES
        if size > GAME_BYTES.most:
            UNPACKED_RATIO.check(size // self._size, self._shown)
        return size

    def _plain(self, value: Any, kind: Any) -> Any:
        """A value of this type as in JSON: mappings as objects, without empty members."""
        types = self._arrow.types
        if value is None:
            return None
        if types.is_map(kind):
            return {key: self._plain(one, kind.item_type) for key, one in value if one is not None}
        if types.is_struct(kind) and isinstance(value, Mapping):
            return {
                field.name: self._plain(value[field.name], field.type)
                for field in kind
                if value[field.name] is not None
            }
        if types.is_list(kind) or types.is_large_list(kind):
            return [self._plain(one, kind.value_type) for one in value]
        return value
