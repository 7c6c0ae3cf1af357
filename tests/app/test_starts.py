"""The files that `dipsat rules new` and `dipsat maps new` write: each loads without remarks, can be
tried as its comments say, and goes on as they say."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat.base import data_folder
from dipsat.board import check_map, load_map, map_names
from dipsat.cli import main
from dipsat.rules import KINDS, difference, load_profile, parse_profile, remarks, shipped_names
from tests.core.crowds import boards_judged
from tests.exhaustive import few_of

TEMPLATES = data_folder("rules") / "templates"
ORDERS = re.compile(r"orders into a file ([\w.]+) \.\.\.\n#\n((?:#   .*\n)+)")
COMMAND = re.compile(r"^#   (dipsat .*?)(?:   .*)?$", re.MULTILINE)
ENTRY = re.compile(r"^ *# {3}(\w+\([\w, ]+\): .*|\w+: [\w ]+)$", re.MULTILINE)
OTHER = re.compile(r"^  #   ((?:base|false)\b.*?)(?: {3,}.*)?$", re.MULTILINE)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(command: str) -> Result:
    program, *arguments = shlex.split(command)
    assert program == "dipsat"
    result = CliRunner().invoke(main, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def started(kind: str, base: str = "datc") -> str:
    """The text of a new file of a kind, in which the orders of its comment are then written."""
    written = run(f"dipsat rules new mine.yaml --kind {kind} --extends '{base}' --force")
    assert written.exit_code == 0, written.output
    assert max(map(len, written.stdout.splitlines())) <= 100
    text = Path("mine.yaml").read_text(encoding="utf-8")
    write_orders(text)
    return text


def write_orders(text: str) -> None:
    """Write the orders of a comment into the file that it names."""
    ((name, orders),) = ORDERS.findall(text)
    lines = (line.removeprefix("#   ") for line in orders.splitlines())
    Path(name).write_text("\n".join(lines), encoding="utf-8")


def test_every_kind_has_a_template_and_every_template_a_kind() -> None:
    assert sorted(path.stem for path in TEMPLATES.glob("*.yaml")) == sorted(KINDS)


def test_templates_are_no_shipped_rules_and_load_themselves() -> None:
    assert not any("template" in name for name in shipped_names())
    assert not {path.stem for path in (TEMPLATES / "maps").iterdir()} & {*map_names()}
    for path in TEMPLATES.glob("*.yaml"):
        assert load_profile(path).name == path.stem
    for path in (TEMPLATES / "maps").glob("*.yaml"):
        assert load_map(path).name == path.stem


@pytest.mark.parametrize("base", few_of(["datc", "1982", "judges/base", "datc+4.A.2-2000"], 2))
@pytest.mark.parametrize("kind", KINDS)
def test_new_file_loads_without_remarks_and_changes_something(kind: str, base: str) -> None:
    text = started(kind, base)
    profile = load_profile("mine.yaml")
    assert profile.name == "mine"
    assert remarks(profile) == ()
    assert difference(load_profile(base), profile).changes
    assert "BASE" not in text
    assert "FILE" not in text
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("kind", KINDS)
def test_commands_of_its_comment_run_and_show_a_difference(kind: str) -> None:
    commands = COMMAND.findall(started(kind))
    assert [command.split()[1] for command in commands[-3:]] == ["rules", "rules", "datc"]
    tried, checked, compared = map(run, commands[:3])
    assert checked.exit_code == 0
    assert compared.exit_code == 1
    if KINDS[kind].is_compared:
        assert tried.exit_code == 1
        assert "* " in tried.stdout
    else:
        assert tried.exit_code == 0
    assert tried.stderr == ""
    assert run(f"{commands[3]} --json 6.A.1").exit_code in (0, 1)


def test_units_that_datc_does_not_know_behave_as_the_file_says() -> None:
    started("unit-kind")
    phase = dipsat.load_phase("orders.txt", rules=load_profile("mine.yaml"))
    outcome = dipsat.adjudicate(phase.position, phase.orders, "mine.yaml")
    assert outcome.order("G MUN").reason.text == "a garrison never moves"
    assert outcome.order("A SIL").fate == ""


@pytest.mark.parametrize("kind", few_of(KINDS, 4))
def test_every_entry_in_its_comments_may_take_the_place_of_a_comment(kind: str) -> None:
    text = started(kind)
    body = text.partition("\nextends:")[2]
    entries = ENTRY.findall(body)
    for entry in entries:
        section = re.findall(r"^(\w+):$", body.partition(f"#   {entry}")[0], re.MULTILINE)[-1]
        other = text.replace(f"\n{section}:\n", f"\n{section}:\n  {entry}\n", 1)
        assert other != text
        profile = parse_profile(other, "other.yaml")
        assert remarks(profile) == ()
        assert difference(load_profile("mine.yaml"), profile).changes
        assert boards_judged(profile, 8) == 8
    for rule in OTHER.findall(body):
        other = re.sub(r"^(  \w+\(.*\): )base and .*$", rf"\1{rule}", text, count=1, flags=re.M)
        assert difference(load_profile("mine.yaml"), parse_profile(other, "other.yaml")).changes
    assert len(entries) >= 1 or kind in ("support", "cycle-rule")


def test_second_rule_for_cycles_may_take_the_place_of_its_comment() -> None:
    text = started("cycle-rule")
    other = re.sub(r"^  #   (- name|  when|  set)", r"  \1", text, flags=re.MULTILINE)
    names = [rule.name for rule in parse_profile(other, "other.yaml").cycles]
    assert names[:2] == ["circular movement", "convoys first"]


def test_unknown_kind_is_refused_with_those_that_there_are() -> None:
    refused = run("dipsat rules new mine.yaml --kind weather")
    assert refused.exit_code == 2
    assert f"choose from {', '.join(KINDS)}\n" in refused.stderr
    assert not Path("mine.yaml").exists()


# --- maps -----------------------------------------------------------------------------------------


def test_new_map_can_be_tried_as_its_comments_say() -> None:
    assert run("dipsat maps new mine.yaml").exit_code == 0
    text = Path("mine.yaml").read_text(encoding="utf-8")
    assert check_map("mine.yaml")[1] == ()
    assert load_map("mine.yaml").name == "mine"
    write_orders(text)
    for command in COMMAND.findall(text):
        assert run(command).exit_code == 0, command
    phase = dipsat.load_phase("orders.txt", map="mine.yaml")
    outcome = dipsat.adjudicate(phase.position, phase.orders)
    assert {one.unit: one.verdict for one in outcome.orders} == {
        "A ALP": "succeeds", "F GUL": "given", "A BET": "fails", "F DEL": "succeeds",
    }  # fmt: skip
    Path("rules.yaml").write_text("name: r\nmap: mine.yaml\nextends: datc\n", encoding="utf-8")
    game = dipsat.Game.new(rules="rules.yaml")
    assert sorted(map(str, game.position.units)) == ["A ALP", "A BET", "F DEL", "F GUL"]


@pytest.mark.parametrize("base", few_of([name for name in map_names() if name != "pure"], 1))
def test_new_map_that_changes_another_has_one_more_centre(base: str) -> None:
    assert run(f"dipsat maps new mine.yaml --extends {base}").exit_code == 0
    board, odd = check_map("mine.yaml")
    text = Path("mine.yaml").read_text(encoding="utf-8")
    assert len(odd) == len(check_map(base)[1])
    assert len(board.centers) == len(load_map(base).centers) + 1
    for command in COMMAND.findall(text)[:2]:
        assert run(command).exit_code == (1 if odd and " check " in command else 0)
    other = re.sub(r"^#   ", "", text.partition("extends: ")[2], flags=re.MULTILINE)
    Path("other.yaml").write_text(f"extends: {other}", encoding="utf-8")
    player = board.players[0]
    fewer = load_map("other.yaml").powers[player].start
    assert fewer == load_map(base).powers[player].start[:-1]


def test_new_map_extends_a_file_beside_it() -> None:
    run("dipsat maps new mine.yaml")
    Path("folder").mkdir()
    refused = run("dipsat maps new folder/no.yaml --extends mine.yaml")
    assert "every province of mine is a supply centre" in refused.stderr
    text = Path("mine.yaml").read_text(encoding="utf-8")
    Path("mine.yaml").write_text(
        text.replace("Hills, type: coast, supply: true", "Hills, type: coast")
    )
    assert run("dipsat maps new folder/no.yaml --extends mine.yaml").exit_code == 0
    assert "extends: ../mine.yaml" in Path("folder/no.yaml").read_text(encoding="utf-8")
    assert load_map("folder/no.yaml").name == "no"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("dipsat maps new mine", "call it mine.yaml"),
        ("dipsat maps new mine.yaml --extends standrad", "did you mean standard"),
        ("dipsat maps new mine.yaml --extends pure", "supply centre already"),
    ],
)
def test_map_that_cannot_be_begun_is_refused(command: str, words: str) -> None:
    refused = run(command)
    assert refused.exit_code == 2
    assert words in refused.stderr
    assert not Path("mine.yaml").exists()


def test_map_is_not_overwritten_unless_forced() -> None:
    Path("mine.yaml").write_text("precious\n", encoding="utf-8")
    assert "use `force` to overwrite" in run("dipsat maps new mine.yaml").stderr
    assert Path("mine.yaml").read_text(encoding="utf-8") == "precious\n"
    assert run("dipsat maps new mine.yaml --force").exit_code == 0


@pytest.mark.parametrize("name", ["no", "1982", "a: b", "[x", "ä", "'q'", "y"])
def test_map_may_have_any_file_name(name: str) -> None:
    for extends in ("", "--extends standard --force"):
        assert run(f"dipsat maps new {shlex.quote(f'{name}.yaml')} {extends}").exit_code == 0
        assert load_map(Path(f"{name}.yaml")).name == name
