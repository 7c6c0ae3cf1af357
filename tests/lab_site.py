"""The rule lab as a site whose engine is Python in the page, with its kept memory."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from dipsat.cli import main

PYODIDE = os.environ.get("DIPSAT_PYODIDE", "")
needs_pyodide = pytest.mark.skipif(
    not (PYODIDE and shutil.which("node")),
    reason="needs node, and DIPSAT_PYODIDE: a folder with Pyodide and wheels for it, as .ci/run "
    "makes it",
)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, written by the command, once for all processes of a run."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, made = shared / "lab-site", shared / "lab-site-made"
    try:
        made.parent.joinpath("lab-site-begun").mkdir()
    except FileExistsError:
        end = time.monotonic() + 300
        while not made.exists():
            assert time.monotonic() < end, "the site is not made"
            time.sleep(0.2)
        return folder
    done = CliRunner().invoke(main, ["lab", str(folder), "--pyodide", PYODIDE])
    made.touch()
    assert (done.exit_code, done.stderr) == (0, "")
    return folder
