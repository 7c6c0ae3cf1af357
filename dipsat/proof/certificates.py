"""Writing the files of a proof, or of other findings, into a folder of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from dipsat.errors import FileError

_OURS = re.compile(r"(?:whole|subgraph-\d+)\.(?:system|unique|resolution)\.smt2|\d+-\d+\.yaml")
"""The names of the files that dipsat writes into a folder: proofs and disagreements."""


def write_files(folder: str | Path, files: Mapping[str, str], force: bool = False) -> None:
    """Write files (name -> text) into a folder, which is created if it is missing.

    A folder that is not empty is refused, because files of another phase would seem to belong to
    these; with `force`, such files of an earlier command are deleted first, and all others stay.
    Raises `FileError`.
    """
    path = Path(folder)
    try:
        encoded = {name: text.encode() for name, text in files.items()}
        path.mkdir(parents=True, exist_ok=True)
        there = sorted(child.name for child in path.iterdir())
        if there and not force:
            instead = "name another folder, or use force (--force)"
            problem = f"is not empty (it has {there[0]!r}); {instead}"
            raise FileError(str(folder), problem)
        for name in there:
            if _OURS.fullmatch(name):
                (path / name).unlink()
        for name, data in encoded.items():
            (path / name).write_bytes(data)
    except FileExistsError:
        raise FileError(str(folder), "is not a folder; name a folder for the files") from None
    except OSError as error:
        problem = f"cannot be written: {error.strerror or error}"
        raise FileError(str(error.filename or folder), problem) from None
    except ValueError as error:  # a zero character in the path, half a character in a text
        raise FileError(str(folder), f"cannot be written: {error}") from None
