"""The pages for people whose program uses another judge: the programs on them run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.app.lab_site import PYODIDE, needs_pyodide
from tests.app.served import started
from tests.app.test_install import wheel as wheel
from tests.exhaustive import exhaustive
from tests.pages import assert_python_prints, blocks, page

NODE = shutil.which("node")
OVER_HTTP, WITHOUT_SERVER = blocks(page("docs/javascript.md"), "js")


LEARNING = pytest.param("reinforcement-learning", marks=pytest.mark.extra)


@pytest.mark.parametrize("name", ["language-models", LEARNING, "chat-bot"])
def test_programs_in_python_print_what_they_say(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "reinforcement-learning":
        pytest.importorskip("numpy", reason="the extra `environments` is not installed")
    monkeypatch.chdir(tmp_path)
    (code,) = blocks(page(f"docs/{name}.md"), "python")
    assert_python_prints(code)


def test_chat_bot_plays_a_phase_and_shows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = blocks(page("docs/chat-bot.md"), "python")
    bot: dict[str, object] = {}
    exec(compile(code, "bot.py", "exec"), bot)  # noqa: S102  # our own document
    answer = bot["answer"]
    assert callable(answer)
    assert answer(17, "!orders Italy: A Ven - Tyr;")[0] == "All legal."
    assert answer(17, "!orders Italy:")[0] == "All legal."
    reply, picture = answer(17, "!next")
    assert "A VEN H" in reply
    assert "A PAR - BUR" in reply
    assert picture.startswith(b"\x89PNG")
    assert "supported by A MAR" in answer(17, "!why A Mun")[0]
    assert "Fall 1901" in answer(17, "!board")[0]
    assert "Spring 1901" in answer(18, "!board")[0]
    assert "no results yet" in answer(18, "!why A Mun")[0]
    assert answer(17, "hello") == (bot["HELP"], None)


def assert_javascript_prints(code: str, folder: Path) -> None:
    """Check that Node prints what the comments of the code at the beginning of a line say."""
    assert NODE
    (folder / "program.mjs").write_text(code, encoding="utf-8")
    command = [NODE, "program.mjs"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    promised = [line[3:] for line in code.splitlines() if line.startswith("// ")]
    assert done.stdout.splitlines() == promised, done.stderr[-2000:]


@pytest.mark.extra
@pytest.mark.skipif(not NODE, reason="needs node")
def test_javascript_over_http_prints_what_it_says(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")
    with started(tmp_path / "log") as server:
        assert_javascript_prints(OVER_HTTP.replace("8125", str(server.port)), tmp_path)


@exhaustive
@needs_pyodide
def test_javascript_without_a_server_prints_what_it_says(wheel: Path, tmp_path: Path) -> None:
    (pyyaml,) = Path(PYODIDE, "wheels").glob("pyyaml-*")
    for one in (wheel, pyyaml):
        shutil.copy(one, tmp_path)
    (tmp_path / "node_modules").symlink_to(Path(PYODIDE, "node_modules"))
    assert_javascript_prints(WITHOUT_SERVER, tmp_path)
