"""The rooms of the house: who imports whom, what is loaded when, and what code may not name."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import dipsat

PACKAGE = Path(dipsat.__file__).parent
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))

# A room may import the rooms in its entry, and itself. `errors`, `files`, `documents` and so on lie
# under all of them; `formats` stands beside the way from game to proof, and no room on it uses it.
BASE = {
    "errors",
    "files",
    "limits_of_input",
    "brief",
    "documents",
    "document_kinds",
    "resources",
    "frozen",
    "grouped",
    "kept",
    "limits",
    "plain",
}
RULES = {*BASE, "board", "orders", "language", "terms", "game", "profiles"}
ADJUDICATION = {*RULES, "proof"}
MAY_IMPORT = {
    "errors": set[str](),
    "files": {"errors", "brief"},
    "limits_of_input": {"errors"},
    "documents": {"errors", "files", "limits", "limits_of_input"},
    "document_kinds": {"errors", "documents"},
    "resources": {"errors"},
    "brief": set[str](),
    "frozen": set[str](),
    "grouped": set[str](),
    "kept": set[str](),
    "plain": set[str](),
    "limits": {"errors", "brief", "files"},
    "limited": {"errors", "limits"},
    "lazy": {"errors"},
    "board": BASE,
    "orders": {*BASE, "board"},
    "language": {*BASE, "board"},
    "game": {*BASE, "board", "orders", "language", "terms"},
    "profiles": RULES - {"profiles"},
    "terms": set[str](),
    "equations": RULES,
    "solving": {*RULES, "equations"},
    "engines": {*RULES, "lazy", "equations", "solving"},
    "proof": {*RULES, "equations", "solving", "engines"},
    "openorders": {*ADJUDICATION, "equations", "solving"},
    "explanations": {*ADJUDICATION, "equations", "solving", "openorders"},
    "searches": {*ADJUDICATION, "equations", "solving", "openorders"},
    "theorems": {*ADJUDICATION, "equations", "solving", "openorders"},
    "formats": RULES,
    "datc": {*ADJUDICATION, "formats", "engines"},
    "processes": {"errors"},
    "scenarios": RULES,
    "replays": {*ADJUDICATION, "formats", "processes"},
    "crosschecks": {
        *ADJUDICATION, "equations", "engines", "formats", "processes", "scenarios", "datc",
    },
    "stresstests": {
        *ADJUDICATION, "equations", "solving", "scenarios", "crosschecks", "searches", "processes",
    },
    "play": {*ADJUDICATION, "formats"},
    "cli": {
        *ADJUDICATION,
        *{
            "__init__",
            "formats",
            "datc",
            "replays",
            "explanations",
            "searches",
            "engines",
            "crosschecks",
            "stresstests",
            "scenarios",
            "limited",
        },
    },
    "__init__": {
        *ADJUDICATION, "lazy", "engines", "play", "formats", "explanations", "searches", "datc",
        "scenarios", "replays", "crosschecks", "stresstests", "solving", "theorems", "limited",
    },
    "__main__": {"cli"},
}  # fmt: skip
OPENERS = {
    "open", "fdopen", "popen", "openpty", "mkfifo", "read_text", "read_bytes", "write_text",
    "write_bytes", "touch", "mkdir", "makedirs", "unlink", "remove", "rmdir", "rename", "replace",
    "link", "symlink", "symlink_to", "hardlink_to", "truncate", "chmod", "mkstemp", "mkdtemp",
    "NamedTemporaryFile", "TemporaryFile", "copyfile", "copy2", "rmtree", "GzipFile", "FileIO",
}  # fmt: skip
"""The names of what opens, writes, moves or deletes files in Python's library."""

OWN_OPENERS = {"read_bytes", "read_text", "write_text"}
"""Functions of dipsat with such a name, which use the room `files`."""

HEAVY = {
    "z3": ["solving/models.py", "solving/sat.py"],
    "networkx": ["crosschecks/causes.py", "engines/decision_graph.py", "solving/graph.py"],
    "pysat": ["solving/sat.py"],
}
"""Packages that take long to import or may be missing, and the modules that import them."""

MAX_LINES = 470
PLAIN = "England:\n A Lon - Wal\nFrance:\n A Par S A Mar - Bur\n A Mar - Bur\nGermany:\n A Bur H\n"
RING = "Turkey:\n F ANK - CON\n A CON - SMY\n A SMY - ANK\n"
PARADOX = """\
England:
 F London Supports F Wales - English Channel
 F Wales - English Channel
France:
 A Brest - London
 F English Channel Convoys A Brest - London
Germany:
 F North Sea Supports F Belgium - English Channel
 F Belgium - English Channel
"""
PHASES = {"plain": PLAIN, "ring": RING, "paradox": PARADOX}


def room(file: str) -> str:
    """The room of a file: its folder, or the module itself in the top folder."""
    first, _, rest = file.partition("/")
    return first if rest else first.removesuffix(".py")


ROOMS = {room(file) for file in FILES}


@cache
def tree(file: str) -> ast.Module:
    """The syntax tree of a file of the package."""
    return ast.parse((PACKAGE / file).read_text(encoding="utf-8"))


@cache
def imports(node: ast.AST) -> tuple[str, ...]:
    """Every module that is imported anywhere in a tree, and every name imported from it."""
    found: list[str] = []
    for part in ast.walk(node):
        if isinstance(part, ast.Import):
            found += (alias.name for alias in part.names)
        elif isinstance(part, ast.ImportFrom):
            assert part.level == 0
            assert part.module is not None
            found += (f"{part.module}.{alias.name}" for alias in part.names)
    return tuple(found)


def rooms_imported(file: str) -> set[str]:
    """The rooms of dipsat that a file imports, without its own."""
    found = set()
    for name in imports(tree(file)):
        package, _, rest = name.partition(".")
        if package == "dipsat":
            first = rest.partition(".")[0]
            found.add(first if first in ROOMS else "__init__")
    return found - {room(file)}


def run_python(code: str, *arguments: str, **variables: str) -> str:
    """What a fresh Python prints that runs `code`."""
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


def test_every_room_is_in_the_table() -> None:
    assert {room(file) for file in FILES} == MAY_IMPORT.keys()


def test_imports_between_rooms_run_one_way() -> None:
    over = {file: rooms_imported(file) - MAY_IMPORT[room(file)] for file in FILES}
    assert {file: rooms for file, rooms in over.items() if rooms} == {}


def circles(below: Mapping[str, set[str]]) -> list[str]:
    """What is in a circle, or above one, among things that lie above others."""
    left = dict(below)
    while lowest := [name for name, others in left.items() if not others & left.keys()]:
        left = {name: others for name, others in left.items() if name not in lowest}
    return sorted(left)


def test_the_table_of_rooms_has_no_circle() -> None:
    assert circles(MAY_IMPORT) == []


MODULES = {
    f"dipsat/{file}".removesuffix(".py").removesuffix("/__init__").replace("/", "."): file
    for file in FILES
}


def files_imported(file: str) -> set[str]:
    """The files of dipsat that a file imports, be it in a function, or for types alone."""
    found = set()
    for name in imports(tree(file)):
        module = name if name in MODULES else name.rpartition(".")[0]
        found |= {MODULES[module]} if module in MODULES else set()
    return found - {file}


def test_files_import_each_other_in_no_circle() -> None:
    assert circles({file: files_imported(file) for file in FILES}) == []


def test_circles_are_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]


def test_the_rooms_do_import_each_other_as_the_design_says() -> None:
    found = {name: set[str]() for name in MAY_IMPORT}
    for file in FILES:
        found[room(file)] |= rooms_imported(file)
    way = ["board", "orders", "game", "profiles", "equations", "solving", "proof"]
    for lower, upper in pairwise(way):
        assert lower in found[upper]
    assert "language" in found["game"] & found["profiles"] & found["equations"]
    assert {"datc", "proof", "formats"} <= found["cli"]
    assert [name for name, others in found.items() if "formats" in others] == [
        "datc", "replays", "crosschecks", "play", "cli", "__init__",
    ]  # fmt: skip


def test_only_the_adapter_of_the_solver_has_to_do_with_solving_among_the_engines() -> None:
    files = [file for file in FILES if room(file) == "engines"]
    assert [file for file in files if "solving" in rooms_imported(file)] == ["engines/solver.py"]


def opened_in(node: ast.AST) -> list[str]:
    """The calls in a tree by which files may be opened or written."""
    found = []
    for part in ast.walk(node):
        if not isinstance(part, ast.Call):
            continue
        function = part.func
        if isinstance(function, ast.Name):
            name = function.id
            is_one = name in OPENERS - OWN_OPENERS - {"replace"}  # replace: of dataclasses
        elif isinstance(function, ast.Attribute):
            name = function.attr
            on = getattr(function.value, "id", "")
            # `replace` is mostly a method of texts; that of `os` moves a file.
            is_one = name in OPENERS and (name not in {"replace", "remove"} or on == "os")
        else:
            continue
        if is_one:
            found.append(name)
    return found


def test_only_the_room_files_opens_and_writes_files() -> None:
    found = {file: opened_in(tree(file)) for file in FILES if room(file) != "files"}
    allowed = {"formats/unpacked.py": ["GzipFile"]}  # it unpacks a stream that is open
    assert {file: calls for file, calls in found.items() if calls} == allowed
    inner = {"files/reading.py", "files/writing.py"}
    assert inner == {file for file in FILES if room(file) == "files" and opened_in(tree(file))}


def test_what_opens_files_is_found() -> None:
    for source in (
        "open('a')", "Path('a').open()", "p.read_text()", "os.open(a, 0)", "os.replace(a, b)",
        "gzip.open(a)", "p.parent.mkdir()", "tempfile.mkstemp()", "io.open(a)",
    ):  # fmt: skip
        assert len(opened_in(ast.parse(source))) == 1
    assert opened_in(ast.parse("read_text(a); text.replace(a, b); replace(a, b=1)")) == []


def test_profiles_know_nothing_of_the_game_but_what_they_choose_and_demand() -> None:
    names = {name for file in FILES if room(file) == "profiles" for name in imports(tree(file))}
    of_game = {name.rpartition(".")[0] for name in names if name.startswith("dipsat.game")}
    assert of_game == {"dipsat.game.settings", "dipsat.game.conditions"}


@pytest.mark.parametrize(("package", "files"), HEAVY.items())
def test_heavy_package_is_imported_in_its_modules_and_not_at_their_top(
    package: str, files: list[str]
) -> None:
    importers = [
        other
        for other in FILES
        if any(name.partition(".")[0] == package for name in imports(tree(other)))
    ]
    assert importers == files
    for body in (tree(file).body for file in files):
        outside = [part for part in body if not isinstance(part, ast.FunctionDef | ast.ClassDef)]
        for part in outside:
            assert all(name.partition(".")[0] != package for name in imports(part))


LOADED = """
import sys
import dipsat
loaded = [sorted({"z3", "networkx"} & sys.modules.keys())]
from dipsat.cli import main
main(["adjudicate", sys.argv[1], "--json", *sys.argv[2:]], standalone_mode=False)
loaded.append(sorted({"z3", "networkx"} & sys.modules.keys()))
print(loaded)
"""


@pytest.mark.parametrize(
    ("text", "options", "loaded"),
    [(PLAIN, (), []), (PLAIN, ("--no-presolve",), ["z3"]), (RING, (), ["networkx", "z3"])],
    ids=["plain", "plain without presolve", "ring"],
)
def test_heavy_packages_are_loaded_only_for_what_needs_them(
    text: str, options: tuple[str, ...], loaded: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "orders.txt"
    file.write_text(text, encoding="utf-8")
    last = run_python(LOADED, str(file), *options).splitlines()[-1]
    assert last == str([[], loaded])


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


def test_results_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom dipsat.cli import main\n"
        "for file in sys.argv[1:]:\n"
        "    main(['adjudicate', file, '--json'], standalone_mode=False)\n"
    )
    files = [tmp_path / f"{name}.txt" for name in PHASES]
    for file, text in zip(files, PHASES.values(), strict=True):
        file.write_text(text, encoding="utf-8")
    found = {run_python(code, *map(str, files), PYTHONHASHSEED=seed) for seed in ("0", "1")}
    assert len(found) == 1
    objects = found.pop().replace("}\n{", "},{")
    outcomes = json.loads(f"[{objects}]")
    for name, outcome in zip(PHASES, outcomes, strict=True):
        verdicts = {part["verdict"] for part in outcome["subgraphs"]}
        assert (verdicts == {"unique"}) == (name == "plain")


# Editions and authors of rules, and variants: what they say belongs in rules/*.yaml.
NAMES = re.compile(
    r"\b(?:19[5-9]\d|2023)\b|rulebook|avalon|hasbro|gibsons|szykman|pandin|dptg|all.?hold|arpiesse"
    r"|loeb|milan|chromatic|crowded|youngstown|colonial|machiavelli|circular",
    re.IGNORECASE,
)


def texts_of_code(node: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, text) of every name and every string of the code that is no docstring."""
    for part in ast.walk(node):
        for child in ast.iter_child_nodes(part):
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                child.value.value = None  # a docstring, or a text that stands under a name
        line = getattr(part, "lineno", 0)
        for field in ("id", "attr", "name", "arg", "asname", "module"):
            if isinstance(getattr(part, field, None), str):
                yield line, getattr(part, field)
        if isinstance(part, ast.Constant) and isinstance(part.value, str | int):
            yield line, str(part.value)


def forbidden(source: str) -> list[tuple[int, str]]:
    """What a Python source names that only rule files may."""
    return [(line, text) for line, text in texts_of_code(ast.parse(source)) if NAMES.search(text)]


def test_no_code_names_a_rulebook_or_a_variant() -> None:
    found = {file: forbidden((PACKAGE / file).read_text(encoding="utf-8")) for file in FILES}
    assert {file: names for file, names in found.items() if names} == {}


def test_names_of_rulebooks_are_found_in_code_but_not_in_comments() -> None:
    allowed = (
        '"""As in 1971."""\nA = 1  # Szykman\n\ndef f() -> None:\n    """Pandin."""\n    return'
    )
    assert forbidden(allowed) == []
    for source in ('x = "1971"', "x = 1982", "szykman = 1", "def f(pandin): ...", "x.szykman()"):
        assert len(forbidden(source)) == 1


def test_no_file_is_longer_than_470_lines() -> None:
    lines = {file: len((PACKAGE / file).read_text(encoding="utf-8").splitlines()) for file in FILES}
    assert {file: count for file, count in lines.items() if count > MAX_LINES} == {}
