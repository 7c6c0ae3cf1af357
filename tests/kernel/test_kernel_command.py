"""`dipsat kernel build`: what it prints, and what it leaves behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from dipsat.cli import main
from dipsat.kernel import library
from dipsat.kernel.library_cache import compilers
from tests.kernel.fake_compilers import ends, fake
from tests.kernel.kernel_agreement import QUICKLY, needs_compiler

RULES = "extends: datc\nname: mine\n"


@needs_compiler
def test_the_command_says_what_it_did_and_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIPSAT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(library, "_OPTIMISED", QUICKLY)
    (tmp_path / "mine.yaml").write_text(RULES, encoding="utf-8")
    command = ["kernel", "build", "--rules", str(tmp_path / "mine.yaml")]
    first, second = (CliRunner().invoke(main, command).stdout for _ in range(2))
    (path,) = (tmp_path / "cache").glob("*.so")
    compiler = " ".join(next(compilers()))
    assert first == f"mine on standard: compiled by {compiler}, and kept as {path}\n"
    assert second == f"mine on standard: found as {path}, compiled by {compiler}\n"


def test_the_error_of_a_map_in_place_of_rules_names_the_option() -> None:
    told = CliRunner().invoke(main, ["kernel", "build", "--rules", "youngstown"])
    assert "youngstown is a map, which the option --map" in told.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_the_compiler_ends_with_the_command(tmp_path: Path) -> None:
    (compiler,) = fake(tmp_path, f"echo $$ > {tmp_path}/new; mv {tmp_path}/new {tmp_path}/pid; "
                                 "exec sleep 600")  # fmt: skip
    own = {"CC": compiler, "DIPSAT_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "dipsat", "kernel", "build"]
    with subprocess.Popen(command, env={**os.environ, **own}, stderr=subprocess.PIPE) as process:
        while not (tmp_path / "pid").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        process.communicate()
    assert process.returncode != 0
    assert ends(int((tmp_path / "pid").read_text(encoding="utf-8")))
