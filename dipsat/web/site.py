"""The rule lab as a static site: the page, and what its engine needs."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from dipsat.errors import FileError
from dipsat.files.named import ANYWHERE, read_named
from dipsat.resources import data_folder

PAGE = ("index.html", "lab.css", "lab.js", "worker.js", "engine.json", "licences.txt")
"""The files of the page; the sources of its scripts are in `lab/` of a checkout. `engine.json`
names the engine of the site; as shipped, that is a server with addresses under `api/` beside the
page."""
PYTHON = (
    "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip",
    "pyodide-lock.json",
)  # fmt: skip
"""The files of Pyodide that a page loads."""
_FOLDER = Path(__file__).parent / "page"
_MOST = 200_000_000  # bytes of one file: Z3 has 20 million
_SUFFIXES = (".py", ".html", ".css", ".js")
_ROOMS_LEFT_OUT = ("cli/", "kernel/", "web/page/", "data/")
"""What no request reaches, and the data, which are added from where they are."""
_DATE = (2000, 1, 1, 0, 0, 0)  # one date for all: the same files make the same package
_LICENCES = """\
The engine of this page is made of dipsat (MIT licence), PyYAML (MIT licence) and Z3 (MIT licence),
whose licences lie in their packages, Pyodide (Mozilla Public License 2.0, whose source is the npm
package `pyodide` of the version in pyodide-lock.json) and Python (PSF licence). The page itself has
code of these packages:

"""


def page_files() -> dict[str, bytes]:
    """The files of the page, by name. It asks a server: POST of a request (docs/web.md) to
    `api/KIND` beside the page."""
    files = {name: _read(_FOLDER / name) for name in PAGE}
    files["licences.txt"] = _LICENCES.encode() + files["licences.txt"]
    return files


def site_files(pyodide: str | Path) -> dict[str, bytes]:
    """The files of a site whose engine is Python in the page, by name.

    `pyodide` is a folder with the npm package `pyodide` in `node_modules`, and in `wheels` those of
    PyYAML and, if searches are wanted, of Z3. Raises `FileError` if something is missing.
    """
    folder = Path(pyodide)
    files = page_files()
    files |= {name: _read(folder / "node_modules" / "pyodide" / name) for name in PYTHON}
    yaml, z3 = _wheel(folder, "pyyaml"), _wheel(folder, "z3_solver", is_needed=False)
    assert yaml is not None
    files |= {path.name: _read(path) for path in (yaml, z3) if path is not None}
    files["dipsat.zip"] = _package()
    told = {
        "engine": "page",
        "packages": [yaml.name, "dipsat.zip"],
        "z3": None if z3 is None else z3.name,
        "version": sha256(b"".join(map(bytes, files.values()))).hexdigest()[:16],
    }
    return {**files, "engine.json": json.dumps(told, indent=1).encode() + b"\n"}


def ours() -> re.Pattern[str]:
    """What the names of a site's files look like, so that an older site can be replaced."""
    names = "|".join(map(re.escape, (*PAGE, *PYTHON, "dipsat.zip")))
    return re.compile(rf"(?:{names}|(?:pyyaml|z3_solver)-.*\.whl)")


def _read(path: Path) -> bytes:
    return read_named(ANYWHERE, path, _MOST)


def _wheel(folder: Path, name: str, is_needed: bool = True) -> Path | None:
    found = sorted((folder / "wheels").glob(f"{name}-*.whl"))
    if not found and is_needed:
        problem = f"has no wheel of {name} in `wheels`; docs/lab.md says how to fetch it"
        raise FileError(str(folder), problem)
    return found[-1] if found else None


def _package() -> bytes:
    """The package with its rules, maps and cases, as a wheel would install it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for name, path in _parts():
            made.writestr(zipfile.ZipInfo(name, _DATE), _read(path), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _parts() -> Iterator[tuple[str, Path]]:
    top = Path(__file__).parent.parent
    for path in sorted(top.rglob("*")):
        name = path.relative_to(top).as_posix()
        if path.suffix in _SUFFIXES and not name.startswith(_ROOMS_LEFT_OUT):
            yield f"dipsat/{name}", path
    for data in ("rules", "datc"):
        folder = data_folder(data)
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                yield f"dipsat/data/{data}/{path.relative_to(folder).as_posix()}", path
