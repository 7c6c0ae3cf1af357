"""The rule lab as a static site: the page and the files of its engine."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

from dipsat.base import ANYWHERE, data_folder, read_named, run
from dipsat.errors import FileError

PAGE = (
    "index.html", "lab.css", "lab.js", "worker.js", "engine.json", "recipes.json", "licences.txt",
)  # fmt: skip
"""The files of the page; the sources of its scripts are in `lab/` of a checkout. `engine.json`
names the engine of the site; in the package, that is a server with addresses under `api/` beside
the page. `recipes.json` has the house rules of the cookbook (`tools/recipes.py`)."""
PYTHON = (
    "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip",
    "pyodide-lock.json",
)  # fmt: skip
"""The files of Pyodide that a page loads."""
_FOLDER = Path(__file__).parent / "page"
_MOST = 200_000_000  # bytes of one file: Z3 has 20 million
_SUFFIXES = (".py", ".pyi", ".html", ".css", ".js")
_LEFT_OUT = ("kernel/", "app/page/", "data/")
"""Files that no request needs, and the data, which are added separately."""
PACKED, MEMORY = "dipsat.pack", "memory.pack"
"""An archive with dipsat and PyYAML, and the memory of a Python process that has answered with
them. Because of the suffix, servers do not unpack them in transit."""
SOLVERS = {
    "sat": ("python_sat", r"pysat/[^/]*\.py|py(?:card|formula|solvers)\..*\.so"),
    "z3": ("z3_solver", r"z3/[^/]*\.py|z3/lib/libz3\.so"),
}
"""The solvers: the package of each, and a pattern for the files needed from its wheel. Each becomes
a separate archive, which the page loads when a request first needs it."""
_KEEPING = "remember.js"
_PATIENCE = 300.0  # seconds to save a memory, which takes 6 on an idle computer
_LICENCES = "engine_licences.txt"
_BAR = "-" * 60
_OF_PAGE = """\
The rule lab is part of dipsat (MIT licence, copyright 2026 the dipsat authors). Its page has code
of these packages:

"""
_OF_ENGINE = f"""\

{_BAR}

The engine in the page, which needs no server, has these parts besides:

"""


def page_files() -> dict[str, bytes]:
    """The files of the page, by name. The page sends requests (docs/web.md) to a server, by POST to
    `api/KIND` beside the page."""
    files = {name: _read(_FOLDER / name) for name in PAGE}
    files["licences.txt"] = _OF_PAGE.encode() + files["licences.txt"]
    files["index.html"] = _with_questions(files["index.html"].decode()).encode()
    return files


def _with_questions(page: str) -> str:
    """The page with every kind of question about open orders, and a plain field for each argument
    that has no field yet."""
    from dipsat.searches import QUESTIONS, arguments_of

    options, inputs = [], dict[str, str]()
    for kind in QUESTIONS:
        names = [one.name for one in arguments_of(kind)]
        text = f"{kind._command.capitalize()}: {kind._in_short}"
        members = " ".join([*names, "open"])
        options.append(f'<option value="{kind._command}" data-members="{members}">{text}</option>')
        for name in names:
            if f'data-of="{name}"' not in page:
                label = f'<label for="search-{name}">{name.capitalize()}</label>'
                control = f'<input id="search-{name}" autocomplete="off">'
                inputs[name] = f'<div class="field" data-of="{name}">{label} {control}</div>'
    page = page.replace("<!-- questions -->", "\n".join(options))
    return page.replace("<!-- arguments -->", "\n".join(inputs.values()))


def site_files(pyodide: str | Path) -> dict[str, bytes]:
    """The files of a site whose engine is Python in the page, by name.

    `pyodide` is a folder with the npm package `pyodide` in `node_modules`, and in `wheels` those of
    PyYAML and, if searches are wanted, of python-sat and Z3. Raises `FileError` if something is
    missing.
    """
    folder = Path(pyodide)
    files = {name: _read(folder / "node_modules" / "pyodide" / name) for name in PYTHON}
    yaml = _wheel(folder, "pyyaml")
    if yaml is None:
        problem = "has no wheel of pyyaml in `wheels`; docs/lab.md says how to fetch it"
        raise FileError(str(folder), problem)
    files[PACKED] = _packed({**_of_wheel(yaml, r".*\.py"), **_package()})
    sizes = {name: len(data) for name, data in files.items()}
    files |= page_files()
    files["licences.txt"] += _of_engine(yaml)
    solvers = {}
    for solver, (package, names) in SOLVERS.items():
        wheel, name = _wheel(folder, package), f"{solver}.pack"
        if wheel is not None:
            files[name] = _packed(_of_wheel(wheel, names))
            solvers[solver] = {"name": name, "bytes": len(files[name])}
    told = {
        "engine": "page",
        "version": sha256(b"".join(map(bytes, files.values()))).hexdigest()[:16],
        "packed": PACKED,
        "memory": None,
        "solvers": solvers,
        "sizes": sizes,
    }
    return {**files, "engine.json": json.dumps(told, indent=1).encode() + b"\n"}


def keep_memory(folder: str | Path) -> str:
    """Add the memory of a Python process that has answered to a site with an engine. The site then
    starts in a fraction of the time. Needs Node.

    Returns "" if it has been added, or else the reason why not.
    """
    node = shutil.which("node")
    if node is None:
        return "the command node is missing"
    code = _read(_FOLDER / _KEEPING).decode()
    command = (node, "--input-type=module", "-e", code, str(Path(folder).resolve()))
    try:
        done = run(command, _PATIENCE)
    except (OSError, ValueError) as error:
        return f"node cannot be started: {error}"
    if done.status is None:
        return f"node took more than {_PATIENCE:g} seconds"
    lines = [line for line in done.output.decode(errors="replace").splitlines() if "Error" in line]
    why = lines[0].strip() if lines else f"exit status {done.status}"
    return f"node failed: {why}" if done.status else ""


def ours() -> re.Pattern[str]:
    """A pattern for the names of a site's files, so that an older site can be replaced."""
    solvers = (f"{solver}.pack" for solver in SOLVERS)
    return re.compile("|".join(map(re.escape, (*PAGE, *PYTHON, PACKED, MEMORY, *solvers))))


def _read(path: Path) -> bytes:
    return read_named(ANYWHERE, path, _MOST)


def _wheel(folder: Path, package: str) -> Path | None:
    """The newest wheel of a package, if there is one."""
    found = sorted((folder / "wheels").glob(f"{package}-*.whl"))
    return found[-1] if found else None


def _of_wheel(path: Path, names: str) -> dict[str, bytes]:
    """The files of a wheel whose names match. Modules compiled for other systems are not wanted."""
    try:
        with zipfile.ZipFile(io.BytesIO(_read(path))) as wheel:
            found = filter(re.compile(names).fullmatch, wheel.namelist())
            return {name: wheel.read(name) for name in found}
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise FileError(str(path), f"cannot be unpacked: {error}") from None


def _of_engine(yaml: Path) -> bytes:
    """The licences of the parts of the engine."""
    parts = [_read(_FOLDER.parent / _LICENCES)]
    for name, text in _of_wheel(yaml, r".*\.dist-info/(?:.*/)?LICEN[CS]E[^/]*").items():
        package = name.partition(".dist-info")[0]
        parts.append(f"\n{_BAR}\n\n{package}\n\n".encode() + text)
    return _OF_ENGINE.encode() + b"".join(parts)


def _packed(files: dict[str, bytes]) -> bytes:
    """An archive of files. The same files always give the same archive."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as made:
        for name, data in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(data)
            made.addfile(about, io.BytesIO(data))
    return gzip.compress(packed.getvalue(), compresslevel=6, mtime=0)


def _package() -> dict[str, bytes]:
    """The package with its rules, maps and cases, as a wheel would install it."""
    top, found = Path(__file__).parent.parent, {}
    for path in sorted(top.rglob("*")):
        name = path.relative_to(top).as_posix()
        if path.suffix in _SUFFIXES and not name.startswith(_LEFT_OUT):
            found[f"dipsat/{name}"] = _read(path)
    for data in ("rules", "datc"):
        folder = data_folder(data)
        for path in filter(Path.is_file, sorted(folder.rglob("*"))):
            found[f"dipsat/data/{data}/{path.relative_to(folder).as_posix()}"] = _read(path)
    return found
