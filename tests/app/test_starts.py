"""The files that `dipsat rules new` and `dipsat maps new` write: each loads without remarks, and
can be tried and continued as its comments say."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import Result

import dipsat
from dipsat.base import data_folder, parse_yaml
from dipsat.board import check_map, load_map, map_names
from dipsat.rules import KINDS, difference, load_profile, parse_profile, remarks, shipped_names
from tests.app.commands import refused, run as run_command, write
from tests.core.crowds import boards_judged
from tests.exhaustive import few_of

TEMPLATES = data_folder("rules") / "templates"
ORDERS = re.compile(r"orders into a file ([\w.]+) \.\.\.\n#\n((?:#   .*\n)+)")
COMMAND = re.compile(r"^#   (dipsat .*?)(?:   .*)?$", re.MULTILINE)
ENTRY = re.compile(r"^ *# {3}(\w+\([\w, ]+\): .*|\w+: [\w ]+)$", re.MULTILINE)
OTHER = re.compile(r"^  #   ((?:base|false)\b.*?)(?: {3,}.*)?$", re.MULTILINE)
pytestmark = pytest.mark.usefixtures("in_an_empty_folder")
each_new = pytest.mark.parametrize("new", ["rules new", "maps new"])


def run(command: str) -> Result:
    program, *arguments = shlex.split(command)
    assert program == "dipsat"
    return run_command(*arguments)


def read(name: str = "mine.yaml") -> str:
    return Path(name).read_text(encoding="utf-8")


def started(kind: str, base: str = "datc") -> str:
    """The text of a new file of a kind; the orders in its comment are written to a file, too."""
    written = run(f"dipsat rules new mine.yaml --kind {kind} --extends '{base}' --force")
    assert written.exit_code == 0, written.output
    assert "mine.yaml is written" in written.stdout
    assert max(map(len, written.stdout.splitlines())) <= 100
    text = read()
    write_orders(text)
    return text


def write_orders(text: str) -> None:
    """Write the orders of a comment into the file that it names."""
    ((name, orders),) = ORDERS.findall(text)
    write(name, "\n".join(line.removeprefix("#   ") for line in orders.splitlines()))


def test_every_kind_has_a_template_and_every_template_a_kind() -> None:
    assert sorted(path.stem for path in TEMPLATES.glob("*.yaml")) == sorted(KINDS)


def test_templates_are_not_shipped_rules_but_load_by_themselves() -> None:
    assert not any("template" in name for name in shipped_names())
    assert not {path.stem for path in (TEMPLATES / "maps").iterdir()} & {*map_names()}
    for path in TEMPLATES.glob("*.yaml"):
        assert load_profile(path).name == path.stem
    for path in (TEMPLATES / "maps").glob("*.yaml"):
        assert load_map(path).name == path.stem


@pytest.mark.parametrize("base", few_of(["datc", "1982", "judges/base", "datc+4.A.2-2000"], 1))
@pytest.mark.parametrize("kind", KINDS)
def test_new_rules_load_without_remarks_and_change_something(kind: str, base: str) -> None:
    text = started(kind, base)
    profile = load_profile("mine.yaml")
    assert profile.name == "mine"
    assert remarks(profile) == ()
    assert difference(load_profile(base), profile).changes
    assert not re.search("BASE|FILE", text)
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("kind", KINDS)
def test_commands_of_their_comments_run_and_show_a_difference(kind: str) -> None:
    commands = COMMAND.findall(started(kind))
    assert [command.split()[1] for command in commands[-3:]] == ["rules", "rules", "datc"]
    tried, checked, compared = map(run, commands[:3])
    assert (checked.exit_code, compared.exit_code, tried.stderr) == (0, 1, "")
    assert tried.exit_code == KINDS[kind].is_compared
    assert not KINDS[kind].is_compared or "* " in tried.stdout
    assert run(f"{commands[3]} --json 6.A.1").exit_code in (0, 1)


def test_units_that_datc_does_not_know_behave_as_the_file_says() -> None:
    started("unit-kind")
    phase = dipsat.load_phase("orders.txt", rules=load_profile("mine.yaml"))
    outcome = dipsat.adjudicate(phase.position, phase.orders, "mine.yaml")
    assert outcome.order("G MUN").reason.text == "a garrison never moves"
    assert outcome.order("A SIL").fate == ""


@pytest.mark.parametrize("kind", few_of(KINDS, 4))
def test_every_entry_in_their_comments_may_take_the_place_of_a_comment(kind: str) -> None:
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


def test_new_map_can_be_tried_as_its_comments_say() -> None:
    assert run("dipsat maps new mine.yaml").exit_code == 0
    board, odd = check_map("mine.yaml")
    assert (board.name, odd) == ("mine", ())
    write_orders(read())
    for command in COMMAND.findall(read()):
        assert run(command).exit_code == 0, command
    phase = dipsat.load_phase("orders.txt", map="mine.yaml")
    outcome = dipsat.adjudicate(phase.position, phase.orders)
    assert {one.unit: one.verdict for one in outcome.orders} == {
        "A ALP": "succeeds", "F GUL": "given", "A BET": "fails", "F DEL": "succeeds",
    }  # fmt: skip
    game = dipsat.Game.new(rules=write("rules.yaml", "name: r\nmap: mine.yaml\nextends: datc\n"))
    assert sorted(map(str, game.position.units)) == ["A ALP", "A BET", "F DEL", "F GUL"]


@pytest.mark.parametrize("base", few_of([name for name in map_names() if name != "pure"], 1))
def test_new_map_that_changes_another_has_one_more_centre(base: str) -> None:
    assert run(f"dipsat maps new mine.yaml --extends {base}").exit_code == 0
    board, odd = check_map("mine.yaml")
    assert len(odd) == len(check_map(base)[1])
    assert len(board.centers) == len(load_map(base).centers) + 1
    for command in COMMAND.findall(read())[:2]:
        assert run(command).exit_code == (1 if odd and " check " in command else 0)
    other = re.sub(r"^#   ", "", read().partition("extends: ")[2], flags=re.MULTILINE)
    player = board.players[0]
    fewer = load_map(write("other.yaml", f"extends: {other}")).powers[player].start
    assert fewer == load_map(base).powers[player].start[:-1]


def test_new_files_extend_a_file_elsewhere() -> None:
    run("dipsat maps new mine.yaml")
    Path("folder").mkdir()
    said = refused("maps", "new", "folder/no.yaml", "--extends", "mine.yaml")
    assert "every province of mine is a supply centre" in said
    write("mine.yaml", read().replace("Hills, type: coast, supply: true", "Hills, type: coast"))
    write("base.yaml", "extends: datc\ndecisions:\n  support(s): not dislodge(s.unit)\n")
    for file, base in (("maps new folder/no.yaml", "mine"), ("rules new folder/r.yaml", "base")):
        assert run(f"dipsat {file} --extends {base}.yaml").exit_code == 0
        assert f"extends: ../{base}.yaml" in read(file.split()[2])
    assert load_map("folder/no.yaml").name == "no"
    changed = difference(load_profile("base.yaml"), load_profile("folder/r.yaml")).changes
    assert [change.name for change in changed] == ["support(s)", "foreign_support"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("maps new mine", "call it mine.yaml"),
        ("maps new mine.yaml --extends standrad", "did you mean standard"),
        ("maps new mine.yaml --extends pure", "supply centre already"),
        ("rules new mine", "call it mine.yaml"),
        ("rules new nowhere/mine.yaml", "nowhere/mine.yaml: cannot be written"),
        ("rules new mine.yaml --extends dact", "did you mean datc"),
        ("rules new mine.yaml --extends no.yaml", "no.yaml: cannot be read"),
        ("rules new mine.yaml --kind weather", f"choose from {', '.join(KINDS)}\n"),
    ],
)
def test_what_cannot_be_begun_is_refused(arguments: str, words: str) -> None:
    assert words in refused(*arguments.split())
    assert not Path("mine.yaml").exists()


@each_new
def test_nothing_is_overwritten_unless_forced(new: str) -> None:
    write("mine.yaml", "precious\n")
    said = "error: mine.yaml: already exists\nhint: --force writes there anyway\n"
    assert refused(*new.split(), "mine.yaml") == said
    assert read() == "precious\n"
    assert run(f"dipsat {new} mine.yaml --force").exit_code == 0
    assert "name: mine" in read()


@each_new
@pytest.mark.parametrize("name", ["no", "1982", "a: b", "[x", "ä", "'q'", "y"])
def test_new_file_may_have_any_name(name: str, new: str) -> None:
    file = Path(f"{name}.yaml")
    for extends in ("", "--extends standard --force") if new == "maps new" else ("",):
        assert run(f"dipsat {new} {shlex.quote(file.name)} {extends}").exit_code == 0
        loaded = load_map(file) if new == "maps new" else load_profile(file)
        assert loaded.name == name
    top = parse_yaml(read(file.name), "x").value
    assert top["name"].raw == name
