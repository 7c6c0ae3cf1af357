"""Writing the files of a proof, or of other findings, into a folder of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from dipsat.files.writing import write_folder

_OURS = re.compile(r"(?:whole|subgraph-\d+)\.(?:system|unique|resolution)\.smt2|\d+-\d+\.yaml")
"""The names of the files that dipsat writes into a folder: proofs and disagreements."""


def write_files(folder: str | Path, files: Mapping[str, str], force: bool = False) -> None:
    """Write files (name -> text) into a folder, which is created if it is missing.

    A folder that is not empty is refused, because files of another phase would seem to belong to
    these; with `force`, such files of an earlier command are deleted first, and all others stay.
    Raises `FileError`.
    """
    write_folder(folder, files, _OURS, force)
