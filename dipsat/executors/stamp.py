"""What a worker must be like to give the same results: the same dipsat, with the same rules."""

from __future__ import annotations

import os
import platform
from functools import cache
from hashlib import sha256
from pathlib import Path

from dipsat.files.reading import open_file
from dipsat.resources import data_folder
from dipsat.version import __version__

_PACKAGE = Path(__file__).resolve().parents[1]
_SUFFIXES = (".py", ".h", ".yaml", ".txt")


@cache
def own_stamp() -> str:
    """The version of this dipsat, and a digest of its code, shipped rules and cases."""
    digest = sha256()
    for folder in (_PACKAGE, data_folder("rules"), data_folder("datc")):
        for name, path in sorted(_files(folder).items()):
            with open_file(path) as opened:
                digest.update(f"{name}\0{sha256(opened.read()).hexdigest()}\0".encode())
    return f"{__version__} ({digest.hexdigest()[:12]})"


def _files(folder: Path) -> dict[str, Path]:
    """What counts in a folder, by its path there. Where the package carries rules and cases, these
    are looked at on their own."""
    inner = _PACKAGE / "data" if folder == _PACKAGE else None
    return {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*.*")
        if path.suffix in _SUFFIXES and not (inner and path.is_relative_to(inner))
    }


def place() -> str:
    """The name of this computer, and the number of this process."""
    return f"process {os.getpid()} on {platform.node() or 'this computer'}"
