"""The rule lab's site: what is in it, and what cannot get in."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import subprocess
import tarfile
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import Result

from dipsat.app.site import PAGE, PYTHON, page_files, site_files
from dipsat.errors import FileError
from tests.app.commands import run
from tests.checkout import ROOT
from tests.exhaustive import exhaustive

LAB = ROOT / "lab"
PANELS = [
    "Board", "Orders", "Why", "Verdicts", "Rules", "Compare", "Proof", "Recipes", "Cases", "Search",
    "Games",
]  # fmt: skip


class Tags(HTMLParser):
    """The elements of a page with their attributes, and the headings' texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        name = self.found[-1][1].get("id") if self.found else None
        if name:
            self.texts.setdefault(name, data)


TAGS = Tags(page_files()["index.html"].decode())


def lab(*arguments: str | Path) -> Result:
    return run("lab", *map(str, arguments))


@pytest.fixture
def pyodide(tmp_path: Path) -> Path:
    """A folder that looks like one with Pyodide and wheels."""
    folder = tmp_path / "pyodide"
    package, wheels = folder / "node_modules" / "pyodide", folder / "wheels"
    package.mkdir(parents=True)
    wheels.mkdir()
    for file in (package / name for name in PYTHON):
        file.write_text(file.name, encoding="utf-8")
    with zipfile.ZipFile(wheels / "pyyaml-6.0.3-x.whl", "w") as wheel:
        for name in ("yaml/__init__.py", "yaml/_yaml.cpython-314-x.so", "RECORD",
                     "pyyaml-6.0.3.dist-info/licenses/LICENSE"):  # fmt: skip
            wheel.writestr(name, name)
    return folder


def test_command_writes_the_page_and_leaves_a_folder_with_other_files_alone(tmp_path: Path) -> None:
    done = lab(tmp_path / "site")
    assert (done.exit_code, done.stderr) == (0, "")
    assert {file.name for file in (tmp_path / "site").iterdir()} == set(PAGE)
    told = json.loads((tmp_path / "site" / "engine.json").read_text(encoding="utf-8"))
    assert told == {"engine": "server", "api": "api/"}
    (tmp_path / "own.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "lab.js").write_text("older", encoding="utf-8")
    done = lab(tmp_path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "not empty" in done.stderr
    assert lab(tmp_path, "--force").exit_code == 0
    assert (tmp_path / "own.txt").read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "lab.js").read_bytes() == page_files()["lab.js"]


def test_page_refers_to_its_own_files_alone() -> None:
    named = [value for _, has in TAGS.found for key, value in has.items() if key in ("src", "href")]
    assert len(named) >= 3
    assert {name for name in named if name and name[0] != "#"} <= {*PAGE, "data:,"}
    for name in PAGE:
        text = page_files()[name].decode()
        assert not re.search(r"""(?:src|href|import|fetch|url)[=( ]*["'`]?(?:https?:)?//""", text)
    assert not re.search(r"url\(|@import", page_files()["lab.css"].decode())


def test_policy_allows_nothing_but_the_sites_files() -> None:
    (policy,) = (
        has["content"] for _, has in TAGS.found
        if has.get("http-equiv") == "Content-Security-Policy"
    )  # fmt: skip
    rules = dict(part.strip().split(" ", 1) for part in str(policy).split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert rules["connect-src"] == rules["worker-src"] == "'self'"
    scripts = [has for tag, has in TAGS.found if tag == "script"]
    assert [has["src"] for has in scripts] == ["lab.js"]
    assert not [key for _, has in TAGS.found for key in has if key.startswith("on")]


def test_no_answer_becomes_markup() -> None:
    sources = sorted((LAB / "src").glob("*.mjs"))
    assert len(sources) >= 7
    for source in sources:
        text = source.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b", text)
        assert len(text.splitlines()) < 470


def test_panels_are_named_by_their_headings() -> None:
    named = [has.get("aria-labelledby") for tag, has in TAGS.found if tag == "section"]
    assert [TAGS.texts[str(name)] for name in named] == PANELS
    labelled = {has["for"] for tag, has in TAGS.found if tag == "label"}
    fields = [has for tag, has in TAGS.found if tag in ("select", "input", "textarea")]
    assert labelled == {has["id"] for has in fields if not has.get("aria-label")}


def names_in(pack: bytes) -> list[str]:
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(pack))) as opened:
        return opened.getnames()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site with little of dipsat in it: packing everything takes most of a second."""
    monkeypatch.setattr("dipsat.app.site._package", lambda: {"dipsat/__init__.py": b""})


@exhaustive
def test_site_with_an_engine_has_all_it_needs(pyodide: Path) -> None:
    files = site_files(pyodide)
    told = json.loads(files["engine.json"])
    assert (told["engine"], told["solvers"]) == ("page", {})
    assert {told["packed"], *told["sizes"], *PYTHON, *PAGE} == files.keys()
    assert told["sizes"] == {name: len(files[name]) for name in (*PYTHON, told["packed"])}
    names = names_in(files[told["packed"]])
    shipped = {"dipsat/__init__.py", "dipsat/data/rules/datc.yaml", "dipsat/app/messages.py",
               "dipsat/data/rules/maps/standard.yaml", "yaml/__init__.py"}  # fmt: skip
    assert shipped <= set(names)
    assert not [name for name in names if re.search(r"/cli/|__pycache__|\.so$|RECORD", name)]
    assert max(len(name.rpartition("/")[2]) for name in names) < 100  # its reader's limit


@pytest.mark.usefixtures("small")
def test_solvers_are_packed_separately_without_files_that_nobody_needs(pyodide: Path) -> None:
    for name, file in (("z3_solver", "z3/z3.py"), ("python_sat", "pysat/solvers.py")):
        with zipfile.ZipFile(pyodide / "wheels" / f"{name}-1-x.whl", "w") as wheel:
            for content in (file, "z3/lib/libz3.so", "z3/lib/libz3.so.5", "pysolvers.cpython-x.so"):
                wheel.writestr(content, content)
    files = site_files(pyodide)
    assert files == site_files(pyodide)  # the same files make the same packs
    assert json.loads(files["engine.json"])["solvers"].keys() == {"z3", "sat"}
    assert names_in(files["z3.pack"]) == ["z3/z3.py", "z3/lib/libz3.so"]
    assert names_in(files["sat.pack"]) == ["pysat/solvers.py", "pysolvers.cpython-x.so"]


@pytest.mark.usefixtures("small")
def test_what_a_site_lacks_is_reported(tmp_path: Path, pyodide: Path) -> None:
    done = lab(tmp_path / "site", "--pyodide", pyodide)  # this is not Pyodide, so it cannot start
    assert done.exit_code == 0
    assert re.search(r"start slowly, without memory.pack: (node failed|.* is missing)", done.stderr)
    told = json.loads((tmp_path / "site" / "engine.json").read_text(encoding="utf-8"))
    assert told["memory"] is None
    wheel = pyodide / "wheels" / "pyyaml-6.0.3-x.whl"
    wheel.write_text("no wheel", encoding="utf-8")
    with pytest.raises(FileError, match=r"cannot be unpacked"):
        site_files(pyodide)
    wheel.unlink()
    with pytest.raises(FileError, match=r"no wheel of pyyaml"):
        site_files(pyodide)
    done = lab(tmp_path / "other", "--pyodide", tmp_path / "none")
    assert (done.exit_code, "none" in done.stderr) == (2, True)
    assert not (tmp_path / "other").exists()


def test_the_list_of_parts_names_each_package_of_the_page_with_its_licence() -> None:
    """The wheel has it (CycloneDX), and `npm run sbom` in lab/ writes it."""
    page = page_files()["licences.txt"].decode()
    listed = json.loads((LAB / "lab.cdx.json").read_text(encoding="utf-8"))["components"]
    said = re.findall(r"^(\S+) (\S+) \((.+)\)$", page, re.MULTILINE)
    assert said == sorted(
        (one["name"], one["version"], one["licenses"][0]["license"]["id"]) for one in listed
    )


@pytest.mark.usefixtures("small")
def test_licences_of_all_parts_are_there(pyodide: Path) -> None:
    page = page_files()["licences.txt"].decode()
    bundled = json.loads((LAB / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert [name for name in bundled if f"\n{name} " not in page] == []
    whole = site_files(pyodide)["licences.txt"].decode()
    assert whole.startswith(page)
    engine = whole[len(page) :]
    for text in (
        "Mozilla Public License Version 2.0", "10.4. Distributing Source Code Form",
        "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2", "CWI LICENSE AGREEMENT FOR PYTHON",
        "Apache License", "LLVM Exceptions", "Neither the name Facebook", "Julian R Seward",
        "Jean-loup Gailly", "Emscripten authors", "Rich Felker", "Stefan Krah", "Expat maintainers",
        "HACL* Contributors", "Daan Leijen", "Lucent Technologies", "Takuji Nishimura", "SQLite",
        "Z3:\nCopyright (c) Microsoft", "pyyaml-6.0.3", "XZ Utils", "Eric Wendelin", "Red Hat",
    ):  # fmt: skip
        assert text in engine, text


@exhaustive
@pytest.mark.skipif(not shutil.which("npm"), reason="needs npm")
def test_bundle_is_what_its_sources_make(tmp_path: Path) -> None:
    copy = shutil.copytree(LAB, tmp_path / "lab", ignore=shutil.ignore_patterns("node_modules"))
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples")  # the page has some
    for command in (
        ["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"],
        ["node", "build.mjs", str(tmp_path / "made")],
    ):
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
    made = {file.name: file.read_bytes() for file in (tmp_path / "made").iterdir()}
    shipped = {file.name: file.read_bytes() for file in (ROOT / "dipsat/app/page").iterdir()}
    by_hand = {"index.html", "lab.css", "engine.json", "recipes.json"}
    assert made == {name: data for name, data in shipped.items() if name not in by_hand}
    assert made.keys() | by_hand == shipped.keys()
