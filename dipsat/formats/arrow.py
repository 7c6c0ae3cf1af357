"""pyarrow, which reads and writes Parquet; the extra `parquet` installs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from typing import Any

from dipsat.errors import FileError

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
    """An open Parquet file, from which a block reads batches of rows. Whatever is wrong with the
    file is a `FileError`."""
    arrow = pyarrow(shown)
    if not stream.seekable():
        raise FileError(shown, "Parquet cannot be read from a pipe; save it in a file")
    try:
        with arrow.parquet.ParquetFile(stream, pre_buffer=False, buffer_size=_BUFFER) as file:
            yield file
    except (arrow.ArrowException, OSError, ValueError) as error:
        problem = str(error).partition("\n")[0] or type(error).__name__
        raise FileError(shown, f"the Parquet data cannot be read: {problem}") from None
