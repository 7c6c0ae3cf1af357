"""Builds the site: prepares its pages, runs the builder, and checks the result."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

from dipsat.app.site import keep_memory, site_files
from tools.docs_pictures import FOLDER as PICTURES_FOLDER, ONLY_LIGHT, PICTURES, text_of
from tools.site.check import problems
from tools.site.pages import ATLAS, DOCS, ROOT, is_data, site_pages

SETUP = DOCS / "site"
"""The configuration of the builder, the style sheet and the templates."""
_BUILDER = "zensical"
_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_MARK = "dipsat-site.txt"
"""The file that marks a folder as an older site, which may be replaced."""
_MAKER = '<span class="maker">dipsat</span>'
_WAY_BACK = '<a class="maker" style="color: inherit" href="../index.html">dipsat</a>'
_WITHOUT_ENGINE = """\
---
hide: [navigation, toc]
---

# The rule lab

This copy of the site was built without an engine, so the lab cannot run here. There are two ways to
open it:

- [`dipsat serve`](../serve.md) has the lab at `http://127.0.0.1:8125/`. If a link of the site has
  brought you here, append the part of its address that begins with `#` to this address: it holds
  the rules and the orders.
- `python -m tools.site DIR --pyodide FOLDER` builds the site with an engine that runs in your
  browser; [the page about the lab](../lab.md) says what is in FOLDER.
"""


class SiteError(Exception):
    """The site cannot be built; the message says why."""


def build(folder: Path, pyodide: Path | None = None, force: bool = False) -> str:
    """Build the site into a folder, and return why its lab starts slowly, or "" if it does not.

    With `pyodide`, a folder as for `dipsat lab --pyodide`, the lab runs in the page. With `force`,
    an older site in the folder is replaced. Raises `SiteError` with every broken link and
    everything that would be loaded from elsewhere.
    """
    if find_spec(_BUILDER) is None:
        raise SiteError(f"{_BUILDER} is missing; install it with: pip install -e '.[site]'")
    if folder.exists() and any(folder.iterdir()):
        if not (folder / _MARK).exists():
            raise SiteError(f"{folder} has files that are not a dipsat site; name another folder")
        if not force:
            raise SiteError(f"{folder} has a site already; --force replaces it")
    with tempfile.TemporaryDirectory() as made:
        prepared = Path(made)
        prepare(prepared, pyodide)
        built = run_builder(prepared)
        lacking = keep_memory(built / "lab") if pyodide is not None else ""
        (built / _MARK).write_text(_licences(), encoding="utf-8")
        if found := problems(built):
            raise SiteError("\n".join(found))
        if folder.exists():
            shutil.rmtree(folder)
        shutil.copytree(built, folder)
    return lacking


def prepare(folder: Path, pyodide: Path | None = None) -> None:
    """Write the builder's input into an empty folder: its configuration and the pages."""
    docs = folder / "docs"
    for name, text in site_pages().items():
        _write(docs / name, text)
    shutil.copytree(PICTURES_FOLDER, docs / "pictures")
    shutil.copytree(
        DOCS / "examples",
        docs / "examples",
        ignore=lambda _, names: {n for n in names if not n.endswith(".svg")},
    )
    for path in filter(is_data, sorted(ATLAS.rglob("*"))):
        _write(docs / path.relative_to(DOCS), path.read_text(encoding="utf-8"))
    for name in PICTURES.keys() - ONLY_LIGHT:
        _write(docs / "pictures" / name, text_of(name, dark=False))
        _write(docs / "pictures" / "dark" / name, text_of(name, dark=True))
    if pyodide is None:
        _write(docs / "lab" / "index.md", _WITHOUT_ENGINE)
    else:
        (docs / "lab").mkdir()
        for name, content in site_files(pyodide).items():
            (docs / "lab" / name).write_bytes(content)
        page = docs / "lab" / "index.html"
        page.write_text(_with_way_back(page.read_text(encoding="utf-8")), encoding="utf-8")
    shutil.copytree(SETUP / "templates", folder / "templates")
    shutil.copy(SETUP / "mkdocs.yml", folder)
    for name in ("style.css", "keyboard.js", "live.js", "mark.svg"):
        shutil.copy(SETUP / name, docs)
    if pyodide is None:
        _write(docs / "live.js", "")  # the page about the lab opens instead of the first page


def run_builder(folder: Path) -> Path:
    """Build a prepared folder, and return the folder of the site. Raises `SiteError` with the
    builder's output."""
    done = subprocess.run(
        [sys.executable, "-m", _BUILDER, "build", "--strict"],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        said = _COLOUR.sub("", done.stdout + done.stderr)
        raise SiteError(said.partition("Traceback ")[0].rstrip())
    return folder / "site"


def _with_way_back(page: str) -> str:
    """The lab's page with a link to the first page of the site."""
    if page.count(_MAKER) != 1:
        raise SiteError(f"the page of the lab should have {_MAKER} once")
    return page.replace(_MAKER, _WAY_BACK)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _licences() -> str:
    """The licences of the parts of the site; the lab has its own list."""
    own = (ROOT / "LICENSE").read_text(encoding="utf-8")
    theirs = [
        path.read_text(encoding="utf-8")
        for path in distribution(_BUILDER).files or ()
        if path.name.startswith("LICENSE")
    ]
    head = "The site of dipsat. Its pages are dipsat's, its scripts and styles those of Zensical."
    return "\n\n".join([head, own, *theirs])
