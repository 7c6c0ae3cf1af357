"""Find the shipped data: `rules/` and `datc/` of a checkout, or their copies in a wheel."""

from __future__ import annotations

from pathlib import Path

from dipsat.errors import FileError

_PACKAGE = Path(__file__).resolve().parent


def data_folder(name: str) -> Path:
    """The folder `name` ("rules" or "datc").

    A wheel carries the folders inside the package, a checkout beside it. Raises `FileError`
    if neither is there.
    """
    for parent in (_PACKAGE / "data", _PACKAGE.parent):
        folder = parent / name
        if folder.is_dir():
            return folder
    raise FileError(name, "the shipped folder is missing; install dipsat again")
