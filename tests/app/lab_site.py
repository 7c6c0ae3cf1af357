"""The rule lab as a site whose engine is Python in the page, with its kept memory."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from dipsat.cli import main
from tests.made_once import made_once

PYODIDE = os.environ.get("DIPSAT_PYODIDE", "")
HAS_PYODIDE = bool(PYODIDE and shutil.which("node"))
needs_pyodide = pytest.mark.skipif(
    not HAS_PYODIDE,
    reason="needs node, and DIPSAT_PYODIDE: a folder with Pyodide and wheels for it, as .ci/run "
    "makes it",
)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, written by the command, once for all processes of a run."""
    return made_site(tmp_path_factory)


def made_site(factory: pytest.TempPathFactory) -> Path:
    """The same, for fixtures that need it only if there is an engine."""
    return made_once(factory, "lab-site", _write)


def _write(folder: Path) -> None:
    done = CliRunner().invoke(main, ["lab", str(folder), "--pyodide", PYODIDE])
    assert (done.exit_code, done.stderr) == (0, "")
