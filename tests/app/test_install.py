"""Installing dipsat: the wheel contains its rules and cases, and a checkout uses its own.

These tests build and install for some seconds and mostly wait, so they come first, and other tests
run beside them. They need the package index that pip is set up with.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import dipsat
from dipsat.base import data_folder
from dipsat.rules import shipped_names
from tests.checkout import ROOT, container_sources
from tests.exhaustive import exhaustive
from tests.kernel.kernel_agreement import needs_compiler
from tests.made_once import made_once

pytest_plugins = (__name__,)  # this module is its own plugin, for the hook below


RING = "Turkey:\n  F ANK - CON\n  A CON - SMY\n  A SMY - ANK\n"
PLACES = """
import json
import dipsat
from dipsat.base.file_reading import data_folder
print(json.dumps([dipsat.__file__, str(data_folder("rules")), str(data_folder("datc"))]))
"""
PACKAGES = "import sysconfig; print(sysconfig.get_path('purelib'), end='')"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of this file first."""
    items.sort(key=lambda item: item.path != Path(__file__))


def run(*command: str | Path, folder: Path) -> str:
    """What a command prints, run in `folder` and without the checkout in sight."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"PYTHONUTF8": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=environment, capture_output=True,
        encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def new_environment(folder: Path) -> Path:
    """Make an empty virtual environment, and return the folder of its commands."""
    run(sys.executable, "-m", "venv", "--without-pip", folder, folder=folder.parent)
    return scripts_of(folder)


def scripts_of(folder: Path) -> Path:
    """The folder of the commands of a virtual environment."""
    base = {"base": str(folder), "platbase": str(folder)}
    return Path(sysconfig.get_path("scripts", "venv", base))


def install(scripts: Path, *what: str | Path) -> None:
    """Install into a virtual environment, with what it depends on."""
    pip = (sys.executable, "-m", "pip", "--python", scripts / "python", "install", "--no-compile")
    run(*pip, *what, folder=scripts)


def installed_alone(folder: Path, *what: str | Path) -> Path:
    """Install with the dependencies of these tests, and return the folder of the commands."""
    scripts = new_environment(folder / "environment")
    install(scripts, "--no-deps", *what)
    own, tests = (Path(run(python, "-c", PACKAGES, folder=folder)) for python in (
        scripts / "python", sys.executable,
    ))  # fmt: skip
    (own / "tests.pth").write_text(f"{tests}\n", encoding="utf-8")
    return scripts


PIP_WHEEL = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the checkout, built from the files that the container's build receives."""

    def build(folder: Path) -> None:
        sources = folder.parent / f"{folder.name} sources"
        for name in container_sources():
            one, copy = ROOT / name, sources / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            if one.is_dir():
                shutil.copytree(one, copy, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(one, copy)
        run(*PIP_WHEEL, folder, sources, folder=folder.parent)

    (built,) = made_once(tmp_path_factory, "wheel", build).iterdir()
    return built


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of a virtual environment into which only the wheel was installed."""
    folder = made_once(
        tmp_path_factory, "environment", lambda one: install(new_environment(one), wheel)
    )
    return scripts_of(folder)


@exhaustive
def test_wheel_holds_the_package_with_its_data_and_nothing_else(wheel: Path) -> None:
    def files(folder: str) -> set[str]:
        found = {path for path in (ROOT / folder).rglob("*") if path.is_file()}
        return {one.relative_to(ROOT).as_posix() for one in found if "__pycache__" not in one.parts}

    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    code, data = files("dipsat"), {f"dipsat/data/{name}" for name in files("rules") | files("datc")}
    info = {name for name in names if name.startswith(f"dipsat-{dipsat.__version__}.dist-info/")}
    assert code
    assert data
    assert names == code | data | info


@exhaustive
def test_installed_wheel_has_all_that_it_needs(scripts: Path, tmp_path: Path) -> None:
    pip = (sys.executable, "-m", "pip", "--python", scripts / "python", "check")
    assert "No broken requirements found" in run(*pip, folder=tmp_path)
    assert run(scripts / "dipsat", "--version", folder=tmp_path).split()[-1] == dipsat.__version__
    rows = json.loads(run(scripts / "dipsat", "rules", "list", "--json", folder=tmp_path))
    assert {row["name"] for row in rows} == set(shipped_names())
    rows = json.loads(run(scripts / "dipsat", "datc", "--json", folder=tmp_path))
    assert len(rows) > 100
    assert [row["case"] for row in rows if not row["passed"]] == []


@exhaustive
@needs_compiler
def test_installed_package_compiles_the_shipped_rules(scripts: Path, tmp_path: Path) -> None:
    program = "import dipsat; print(dipsat.kernel.Batch(native=True).native)"
    assert run(scripts / "python", "-c", program, folder=tmp_path) == "True\n"


ANSWERS = """
import json
import dipsat
batch = dipsat.kernel.Batch()
position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
found = [dipsat.adjudicate(position, {"FRANCE": ["A PAR - BUR"]}) for _ in range(202)]
print(json.dumps([batch.native, batch.compiler, [one.is_compiled for one in found]]))
"""


@exhaustive
@needs_compiler
def test_a_wheel_may_bring_compiled_rules_along(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They need no compiler, and nothing else in the wheel is different."""
    with monkeypatch.context() as patch:
        patch.setenv("HATCH_BUILD_HOOK_ENABLE_CUSTOM", "1")
        run(*PIP_WHEEL, tmp_path / "wheels", ROOT, folder=tmp_path)
    (built,) = (tmp_path / "wheels").iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
    assert not built.name.endswith("-any.whl")
    names, more = (set(zipfile.ZipFile(one).namelist()) for one in (wheel, built))
    assert names < more
    assert {Path(name).parent for name in more - names} == {Path("dipsat/kernel/compiled")}
    scripts = installed_alone(tmp_path, built)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DIPSAT_CACHE", str(tmp_path / "cache"))
    answers = json.loads(run(scripts / "python", "-c", ANSWERS, folder=tmp_path))
    assert answers == [True, "", [False] * 200 + [True] * 2]


@exhaustive
def test_installed_command_and_module_adjudicate_a_file(scripts: Path, tmp_path: Path) -> None:
    (tmp_path / "orders.txt").write_text(RING, encoding="utf-8")
    arguments = ("adjudicate", "--json", "orders.txt")
    outcome = json.loads(run(scripts / "dipsat", *arguments, folder=tmp_path))
    assert [order["verdict"] for order in outcome["orders"]] == ["succeeds"] * 3
    module = run(scripts / "python", "-m", "dipsat", *arguments, folder=tmp_path)
    assert json.loads(module) == outcome


@exhaustive
def test_installed_rules_and_cases_come_from_inside_the_package(
    scripts: Path, tmp_path: Path
) -> None:
    for folder in ("rules", "datc"):  # in the current folder they do not count
        (tmp_path / folder).mkdir()
    package, *folders = json.loads(run(scripts / "python", "-c", PLACES, folder=tmp_path))
    assert Path(package).is_relative_to(scripts.parent)
    assert not Path(package).is_relative_to(ROOT)
    assert [Path(one).parent for one in folders] == [Path(package).parent / "data"] * 2


READS_SOURCES = "not test_every_relative_link_of_the_documents_leads_somewhere"


@exhaustive
@pytest.mark.parametrize(
    "tested", ["tests/compat", "tests/docs/test_docs.py", "tests/app/test_serve.py"]
)
def test_the_wheel_passes_the_tests_without_the_sources(
    tested: str, wheel: Path, tmp_path: Path
) -> None:
    """The stand-in for `diplomacy`, the examples of README and docs, and the server."""
    scripts = installed_alone(tmp_path, wheel)
    checkout = tmp_path / "checkout"
    left_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "tests", checkout / "tests", ignore=left_out)
    for one in ROOT.iterdir():
        if one.name not in ("dipsat", "tests", ".venv"):
            (checkout / one.name).symlink_to(one)
    pytest_alone = (scripts / "python", "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider")
    said = run(*pytest_alone, "-k", READS_SOURCES, tested, folder=checkout)
    assert " passed" in said


CHECKOUT_PLACES = [ROOT / "dipsat" / "__init__.py", ROOT / "rules", ROOT / "datc"]


def test_checkout_uses_its_own_rules_and_cases(tmp_path: Path) -> None:
    assert [data_folder("rules"), data_folder("datc")] == CHECKOUT_PLACES[1:]
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{PLACES}"
    places = json.loads(run(sys.executable, "-c", code, folder=tmp_path))
    assert list(map(Path, places)) == CHECKOUT_PLACES


@exhaustive
def test_editable_install_uses_the_rules_and_cases_of_the_checkout(tmp_path: Path) -> None:
    scripts = installed_alone(tmp_path, "--editable", ROOT)
    places = json.loads(run(scripts / "python", "-c", PLACES, folder=tmp_path))
    assert list(map(Path, places)) == CHECKOUT_PLACES
    assert "no problems" in run(scripts / "dipsat", "rules", "check", "datc", folder=tmp_path)
