"""The rooms of dipsat: which imports which, what is loaded when, and what code may not name."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.rules import load_profile, variant_names
from dipsat.studies.engine_names import MODULES as ENGINE_MODULES
from tests.checkout import ROOT
from tests.formats.sheets import PARADOX
from tests.pages import page
from tests.sources import FILES, PACKAGE, found_in, source_of, text_of

LAYERS = (
    {"errors", "base"},
    {"board"},
    {"orders"},
    {"rules"},
    {"game"},
    {"equations"},
    {"solving"},
    {"outcomes"},
    {"searches", "formats", "kernel"},
    {"studies"},
    {"draw"},
    {"compat", "environments"},
    {"engines"},
    {"__init__", "app"},
    {"cli"},
    {"__main__"},
)
"""The rooms from the bottom to the top. A room imports rooms of lower layers only."""
TOGETHER = ({"errors", "base"}, {"__init__", "app"})
"""Rooms of one layer that import each other: the commands use the public face, which has one
function of theirs."""
LEVELS = {name: level for level, names in enumerate(LAYERS) for name in names}
OPENERS = {
    "open", "fdopen", "popen", "openpty", "mkfifo", "read_text", "read_bytes", "write_text",
    "write_bytes", "touch", "mkdir", "makedirs", "unlink", "remove", "rmdir", "rename", "replace",
    "link", "symlink", "symlink_to", "hardlink_to", "truncate", "chmod", "mkstemp", "mkdtemp",
    "NamedTemporaryFile", "TemporaryFile", "copyfile", "copy2", "rmtree", "GzipFile", "FileIO",
}  # fmt: skip
"""The names by which Python's library opens, writes, moves or deletes files."""

OWN_OPENERS = {"read_bytes", "read_text", "write_bytes", "write_text"}
"""Functions of dipsat that have such a name and leave opening to `base`."""

HEAVY = {
    "z3": ["solving/models.py"],
    "networkx": ["draw/planar.py", "studies/decision_graph.py", "studies/judges.py"],
    "pysat": ["solving/sat.py"],
    "pyarrow": ["formats/parquet_games.py"],
    "backports": ["formats/compression.py"],
}
"""Packages that take long to import or may be missing, and the modules that import them."""

MAX_LINES = 900
PLAIN = "England:\n A Lon - Wal\nFrance:\n A Par S A Mar - Bur\n A Mar - Bur\nGermany:\n A Bur H\n"
RING = "Turkey:\n F ANK - CON\n A CON - SMY\n A SMY - ANK\n"
ATTACKED = f"""\
{PARADOX}Germany:
 F North Sea Supports F Belgium - English Channel
 F Belgium - English Channel
"""
PHASES = {"plain": PLAIN, "ring": RING, "paradox": ATTACKED}


def room(file: str) -> str:
    """The room of a file: its folder, or the module itself in the top folder."""
    first, _, rest = file.partition("/")
    return first if rest else first.removesuffix(".py")


ROOMS = {room(file) for file in FILES}


def rooms_imported(file: str) -> set[str]:
    """The rooms of dipsat that a file imports, without its own."""
    found = set()
    for name in source_of(file).imports:
        package, _, rest = name.partition(".")
        if package == "dipsat":
            first = rest.partition(".")[0]
            found.add(first if first in ROOMS else "__init__")
    return found - {room(file)}


def run_python(code: str, *arguments: str, **variables: str) -> str:
    """What a new Python process that runs `code` prints."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), **variables}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        env=environment,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_room_has_a_layer() -> None:
    assert LEVELS.keys() == ROOMS


def test_rooms_import_only_lower_layers() -> None:
    found = {
        (file, other)
        for file in FILES
        for other in rooms_imported(file)
        if LEVELS[other] >= LEVELS[room(file)] and {other, room(file)} not in TOGETHER
    }
    assert found == set()


def circles(below: Mapping[str, set[str]]) -> list[str]:
    """The names that are in a circle or above one; `below` has what each imports."""
    left = dict(below)
    while lowest := [name for name, others in left.items() if not others & left.keys()]:
        left = {name: others for name, others in left.items() if name not in lowest}
    return sorted(left)


MODULES = {
    f"dipsat/{file}".removesuffix(".py").removesuffix("/__init__").replace("/", "."): file
    for file in FILES
}


PUBLIC = ("compat", "draw", "environments", "kernel", "searches", "studies")
"""The rooms whose faces are public too."""


def face_of(package: str) -> Mapping[str, str]:
    """Each name in the face of a package, with the module that has it."""
    stub = (PACKAGE / package / "__init__.pyi").read_text(encoding="utf-8")
    names = found_in(stub).imports
    return {name.rpartition(".")[2]: name.rpartition(".")[0] for name in names}


FACES = {name: face_of(name) for name in sorted(ROOMS) if (PACKAGE / name).is_dir()}
IN_FACES = {
    f"dipsat.{package}.{name}": module
    for package, names in FACES.items()
    for name, module in names.items()
}


def files_imported(file: str) -> set[str]:
    """The files of dipsat that a file imports, also in functions and for types only."""
    found = set()
    for name in source_of(file).imports:
        module = name if name in MODULES else IN_FACES.get(name, name.rpartition(".")[0])
        found |= {MODULES[module]} if module in MODULES else set()
    return found


def test_every_room_is_entered_by_its_face() -> None:
    """An error is imported from `dipsat.errors`, which belongs to the base."""
    around = {
        (file, name)
        for file in FILES
        for name in source_of(file).imports
        if not file.endswith("__init__.py")  # they are the faces
        and name not in MODULES  # a public package as such: `from dipsat import draw`
        and (other := name.split(".")[1:2])
        and other[0] in FACES
        and {other[0], room(file)} not in TOGETHER
        and other[0] != room(file)
        and name not in IN_FACES
    }
    assert around == set()


def test_a_face_has_only_what_others_use() -> None:
    used = {
        name
        for file in FILES
        for name in source_of(file).imports
        if not name.startswith(f"dipsat.{room(file)}.")
    }
    public = {f"dipsat.{one}.{name}" for one in PUBLIC for name in getattr(dipsat, one).__all__}
    unused = IN_FACES.keys() - used - public
    assert unused == set()


def test_no_name_in_a_face_is_that_of_a_file_beside_it() -> None:
    """Python would take the module for it once that is loaded."""
    clashes = {
        f"{package}/{name}.py"
        for package, names in FACES.items()
        for name, module in names.items()
        if module != f"dipsat.{package}"
    }
    assert clashes & set(FILES) == set()


def test_files_do_not_import_each_other_in_circles() -> None:
    assert circles({file: files_imported(file) for file in FILES}) == []


def test_circles_are_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]


def test_among_the_engines_only_the_adapter_of_the_solver_imports_solving() -> None:
    files = [f"studies/{module}.py" for module in ENGINE_MODULES.values()]
    found = [file for file in files if "solving" in rooms_imported(file)]
    assert found == ["studies/solver_engine.py"]


def opened_in(calls: Iterable[tuple[str, str]]) -> list[str]:
    """The names of the calls by which files may be opened or written."""
    found = []
    for name, on in calls:
        if on:
            # `replace` is mostly a method of texts; that of `os` moves a file.
            is_one = name in OPENERS and (name not in {"replace", "remove"} or on == "os")
        else:
            is_one = name in OPENERS - OWN_OPENERS - {"replace"}  # replace: of dataclasses
        if is_one:
            found.append(name)
    return found


def test_only_three_files_open_and_write_files() -> None:
    found = {file: opened_in(source_of(file).calls) for file in FILES}
    opening = {"base/user_folder.py", "base/file_reading.py", "base/file_writing.py"}
    allowed = {
        "draw/game_pages.py": ["open"],  # bytes in memory
        "kernel/source.py": ["read_text"],  # of the package's own C
        "app/site.py": ["open"],  # an archive in memory
        "app/server_worker.py": ["fdopen"],  # the pipe to the server
    }
    assert all(found[file] for file in opening)
    others = {file: calls for file, calls in found.items() if calls and file not in opening}
    assert others == allowed


@pytest.mark.parametrize(
    "source",
    ["open('a')", "Path('a').open()", "p.read_text()", "os.replace(a, b)", "tempfile.mkstemp()"],
)
def test_what_opens_files_is_found(source: str) -> None:
    assert len(opened_in(found_in(source).calls)) == 1
    harmless = found_in("read_text(a); text.replace(a, b); replace(a, b=1)")
    assert opened_in(harmless.calls) == []


def test_tests_and_tools_do_not_import_the_benchmarks() -> None:
    imports = re.compile(r"^ *(?:from|import) bench\b", re.M)
    files = [file for room in ("tests", "tools") for file in (ROOT / room).rglob("*.py")]
    assert len(files) > 300
    assert [file.name for file in files if imports.search(file.read_text("utf-8"))] == []


@pytest.mark.parametrize(("package", "files"), HEAVY.items())
def test_heavy_package_is_imported_in_its_modules_and_not_at_their_top(
    package: str, files: list[str]
) -> None:
    importers = [
        other
        for other in FILES
        if any(name.partition(".")[0] == package for name in source_of(other).imports)
    ]
    assert importers == files
    at_top = [name for file in files for name in source_of(file).imports_at_top]
    assert package not in {name.partition(".")[0] for name in at_top}


LOADED = """
import json, sys
import dipsat
from dipsat.cli import main
def heavy():
    return sorted({"z3", "networkx"} & sys.modules.keys())
loaded = [heavy()]
plain, ring, paradox = sys.argv[1:]
for arguments in ((plain,), (ring,), (paradox,), (plain, "--no-presolve")):
    main(["adjudicate", *arguments, "--json"], standalone_mode=False)
    loaded.append(heavy())
print(json.dumps(loaded))
"""


def objects_in(text: str) -> list[Any]:
    """The JSON objects and lists that follow each other in a text."""
    found, decoder = [], json.JSONDecoder()
    while text := text.lstrip():
        one, end = decoder.raw_decode(text)
        found.append(one)
        text = text[end:]
    return found


def test_help_and_version_load_no_rules_and_no_boards() -> None:
    """They would take half a second instead of a tenth."""
    code = (
        "import sys\nfrom dipsat.cli import main\n"
        "for option in ('--help', '--version'):\n"
        "    main([option], standalone_mode=False)\n"
        "found = {name for name in sys.modules if name.startswith('dipsat.')}\n"
        "rooms = {name.split('.')[1] for name in found}\n"
        "print(sorted(rooms & {'board', 'game', 'orders', 'proof', 'solving', 'equations'}))\n"
        "print('yaml' in sys.modules)\n"
    )
    assert run_python(code).splitlines()[-2:] == ["[]", "False"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The files of the phases."""
    folder = tmp_path_factory.mktemp("phases")
    for name, text in PHASES.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return [str(folder / f"{name}.txt") for name in PHASES]


OTHER_SEED = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"


@pytest.fixture(scope="module")
def printed(files: list[str]) -> list[Any]:
    """What a new process with another hash seed prints: an outcome for each phase, a second one of
    the first without propagation, and which heavy packages were loaded before and after each."""
    return objects_in(run_python(LOADED, *files, PYTHONHASHSEED=OTHER_SEED))


def test_heavy_packages_are_loaded_only_for_what_needs_them(printed: list[Any]) -> None:
    nothing, plain, ring, paradox, unpropagated = printed[-1]
    assert nothing == plain == []
    assert ring == paradox == unpropagated == ["z3"]


def test_results_do_not_depend_on_the_hash_seed(files: list[str], printed: list[Any]) -> None:
    outcomes = dict(zip(PHASES, printed[:3], strict=True))
    for name, file in zip(PHASES, files, strict=True):
        done = CliRunner().invoke(main, ["adjudicate", file, "--json"])
        assert json.loads(done.stdout) == outcomes[name]
        verdicts = {part["verdict"] for part in outcomes[name]["subgraphs"]}
        assert (verdicts == {"unique"}) == (name == "plain")


# Editions and authors of rules, and variants: what they say belongs in rules/*.yaml.
NAMES = re.compile(
    r"\b(?:19[5-9]\d|2023)\b|rulebook|avalon|hasbro|gibsons|szykman|pandin|dptg|all.?hold|arpiesse"
    r"|loeb|milan|chromatic|crowded|youngstown|colonial|machiavelli|circular",
    re.IGNORECASE,
)


def forbidden(texts: Mapping[str, int]) -> list[tuple[int, str]]:
    """(line, text) of each name or string in code that only rule files may have."""
    return [(line, text) for text, line in texts.items() if NAMES.search(text)]


def test_no_code_names_a_rulebook_or_a_variant_or_the_feature_of_one() -> None:
    names = set(variant_names())
    for name in variant_names():
        names |= set(load_profile(name).declared.features)
    for file in FILES:
        texts = source_of(file).texts
        assert forbidden(texts) == [], file
        assert texts.keys() & names == set(), file


def test_names_of_rulebooks_are_found_in_code_but_not_in_comments() -> None:
    allowed = '"""As in 1971."""\nA = 1  # Szykman\ndef f():\n    """Pandin."""\n'
    assert forbidden(found_in(allowed).texts) == []
    for source in ('x = "1971"', "x = 1982", "szykman = 1", "def f(pandin): ...", "x.szykman()"):
        assert len(forbidden(found_in(source).texts)) == 1


def test_no_file_is_longer_than_900_lines() -> None:
    lines = {file: len(text_of(file).splitlines()) for file in FILES}
    assert {file: count for file, count in lines.items() if count > MAX_LINES} == {}


def test_the_page_on_the_architecture_lists_existing_files_as_the_heart() -> None:
    text = page("docs/architecture.md")
    assert set(re.findall(r"`dipsat/([a-z_/]+\.py)`", text)) <= set(FILES)
    heart = text.partition("## The heart in reading order")[2].partition("## ")[0]
    listed = re.findall(r"^\| `dipsat/([a-z_/]+\.py)`", heart, re.MULTILINE)
    assert len(set(listed)) == len(listed) <= 27
    assert sum(len(text_of(file).splitlines()) for file in listed) <= 5_500  # one afternoon


def test_the_code_on_the_page_shows_what_it_says() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", page("docs/architecture.md"), re.M | re.DOTALL)
    exec(compile(code, "example.py", "exec"), {})  # noqa: S102  # our own document
    assert "assert" in code


def test_names_on_the_page_on_the_architecture_exist() -> None:
    spans = re.findall(r"`([A-Za-z_]\w*)(?:\.(\w+))?`", page("docs/architecture.md"))
    named = {name for pair in spans for name in pair if name}
    words = {word for file in FILES for word in re.findall(r"\w+", text_of(file))}
    assert named - ROOMS - words == set()
