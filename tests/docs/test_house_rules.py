"""docs/house-rules.md, step by step: what it tells you to write and type, and what is printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import dipsat
from dipsat.rules import difference, load_profile, parse_profile
from tests.app.commands import run as run_command
from tests.checkout import ROOT
from tests.pages import assert_shows

PAGE = (ROOT / "docs" / "house-rules.md").read_text("utf-8")
BLOCK = re.compile(r"^```([\w-]+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`([\w-]+\.(?:yaml|txt))`:\n\n\Z")
pytestmark = pytest.mark.usefixtures("in_an_empty_folder")
SECTIONS = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:4]


def run(command: str) -> str:
    """What a command prints, on standard error too, without the spaces at the ends of lines."""
    result = run_command(*shlex.split(command.removeprefix("dipsat ")))
    return "\n".join(line.rstrip() for line in result.output.rstrip().splitlines())


def change_line(line: str) -> None:
    """Replace the line of loners.yaml that has the same key."""
    path = Path("loners.yaml")
    key = line.partition(":")[0]
    text, count = re.subn(rf"^{key}: s\..*$", line.rstrip(), path.read_text("utf-8"), flags=re.M)
    assert count == 1
    path.write_text(text, encoding="utf-8")


def follow(section: str) -> list[tuple[str, str, str]]:
    """(command, promised, printed) of every command of a section, after following the section."""
    found = []
    for match in BLOCK.finditer(section):
        kind, text = match[1], match[2]
        named = FILE.search(section[: match.start()])
        if kind == "console":
            command, _, promised = text.removeprefix("$ ").partition("\n")
            if command.startswith("dipsat rules check"):
                slip = Path("loners.yaml").read_text("utf-8").replace("s.unit.kind", "s.unt.kind")
                Path("loners.yaml").write_text(slip, encoding="utf-8")
            found.append((command, promised.rstrip(), run(command)))
        elif kind == "yaml-line":
            change_line(text)
        elif named is not None and not Path(named[1]).exists():
            Path(named[1]).write_text(text, encoding="utf-8")
    return found


@pytest.mark.parametrize("section", SECTIONS, ids=lambda text: text.partition("\n")[0])
def test_every_command_of_the_page_prints_what_it_says(section: str) -> None:
    steps = follow(section)
    assert len(steps) >= 2
    for _, promised, printed in steps:
        assert_shows(printed, promised)


def test_the_first_rule_is_what_rules_new_writes() -> None:
    run("dipsat rules new loners.yaml")
    (shown,) = (text for kind, text in BLOCK.findall(SECTIONS[0]) if kind == "yaml")
    written = load_profile("loners.yaml")
    promised = parse_profile(shown, "shown.yaml")
    assert difference(written, promised).changes == ()
    assert (written.name, written.title) == (promised.name, promised.title)
    lines = [line for line in Path("loners.yaml").read_text("utf-8").splitlines() if line]
    said = [line for line in lines if not line.lstrip().startswith("#")]
    assert said == [line for line in shown.splitlines() if line]


def test_all_three_rules_play_together() -> None:
    for section in SECTIONS:
        (text,) = (text for kind, text in BLOCK.findall(section) if kind == "yaml")
        name = text.partition("\n")[0].removeprefix("name: ")
        Path(f"{name}.yaml").write_text(text, encoding="utf-8")
    rules = load_profile("datc+loners.yaml+fortress.yaml+convoys-first.yaml")
    names = [rule.name for rule in rules.cycles]
    assert names == ["circular movement", "convoys first", "fallback"]
    changes = difference(load_profile("datc"), rules).changes
    changed = {change.name for change in changes if change.section == "decisions"}
    assert changed == {"support(s)", "hold_strength(p)"}
    game = dipsat.Game.standard(rules="datc+loners.yaml")
    assert game.advance().order("A PAR").verdict == "stands"
