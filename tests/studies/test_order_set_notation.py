"""Order sets of DIP_EVAL as people get them: notation, refusals, commands and the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dipsat.cli import main
from dipsat.errors import DipsatError, OrderFaultError, ProblemsError
from dipsat.outcomes import Convoy, Hold, Move, OrderedUnit, OrderSet, Support
from dipsat.studies import carry_out, read_order_set, to_text, transform
from tests.checkout import ROOT
from tests.pages import assert_command_prints, assert_python_prints, blocks, page

SECTION = page("docs/algorithms.md").partition("### The transformed order set")[2]
EXAMPLE = "docs/examples/transformed.txt"


def run(*arguments: str, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(main, arguments, input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def piece(text: str) -> OrderedUnit:
    power, kind, location = text.split()
    return OrderedUnit(power, kind, location)


# The notation.

WRITTEN = """\
ENGLAND:
  A LON - BEL VIA
  F NTH C A LON - BEL
FRANCE:
  A GAS - SPA (fails)
  F MAR S A GAS - SPA
HUNDRED DAYS:
  A SPA H
  A TUN - NAP VIA (fails)
  F POR S A SPA
  F WES - SPA/SC
Convoy borders:
  NTH: BEL, LON
"""
READ = OrderSet.of(
    [
        Move(piece("ENGLAND A LON"), "BEL", by_convoy=True),
        Convoy(piece("ENGLAND F NTH"), "LON", "BEL"),
        Move(piece("FRANCE A GAS"), "SPA", fails=True),
        Support(piece("FRANCE F MAR"), "GAS", "SPA"),
        Hold(OrderedUnit("HUNDRED DAYS", "A", "SPA")),
        Move(OrderedUnit("HUNDRED DAYS", "A", "TUN"), "NAP", by_convoy=True, fails=True),
        Support(OrderedUnit("HUNDRED DAYS", "F", "POR"), "SPA", "SPA"),
        Move(OrderedUnit("HUNDRED DAYS", "F", "WES"), "SPA/SC"),
    ],
    {"NTH": ["LON", "BEL", "NWG"]},
)


def test_each_kind_of_order_is_written_and_read_back() -> None:
    """I, 1 and 2: moves by convoy are distinguished from others, and failing moves from those that
    succeed."""
    assert to_text(READ) == WRITTEN
    assert read_order_set(WRITTEN) == READ


def test_blanks_comments_and_the_order_of_lines_do_not_matter() -> None:
    text = "Y:\n\n# a comment\nA  b   H # stays\nX:\n  F c S A b\n  A a - d\n"
    assert to_text(read_order_set(text)) == "X:\n  A a - d\n  F c S A b\nY:\n  A b H\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("X:\n A a\n", "line 2: cannot read the order 'A a': write it like A PAR H, "),
        ("X:\n A a - b (failed)\n", "line 2: cannot read the order 'A a - b (failed)'"),
        ("X:\n\n F a C A b\n", "'F a C A b': a convoy needs a destination"),
        ("A a H\n", "line 1: cannot read the order 'A a H': no power is named above it"),
        ("X:\n", "there are no orders in it"),
        ('{"orders": {"X": ["A a"]}}', "line 1: cannot read the order 'A a'"),
        ('{"orders": {"X": "A a H"}}', "order set:1:18: the entry of X should be a list"),
        ('{"borders": {}}', "order set:1:1: an order set needs `orders`"),
        ('{"orders": {}, "border": {}}', "unknown key 'border'; did you mean 'borders'"),
        ('{"orders": ', "malformed"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, said: str) -> None:
    with pytest.raises(DipsatError) as told:
        read_order_set(text)
    assert said in str(told.value)


# What cannot be an order set, or cannot be carried out.

UNMATCHED = [
    ("X:\n A a H\n A a - b\n", "two orders in a; keep one"),
    ("X:\n A a - a\n", "a move to the unit's own province; order it to hold"),
    ("X:\n A a S A b\n", "there is no unit in b"),
    ("X:\n A a S A a\n", "a unit cannot support itself; order it to hold"),
    ("X:\n A a S A b\n A b - c\n", "A b is ordered to move, not to hold"),
    ("X:\n A a S A b - c\n A b H\n", "A b is not ordered to move to c"),
    ("X:\n F a C A b - c\n A b - d VIA\n", "A b is not ordered to move to c"),
]
IMPOSSIBLE = [
    ("X:\n A a - c\n A b - c\n", "both would end up in c"),
    ("X:\n A a - b\n A b - a\n", "they swap places, and neither moves by convoy"),
    ("X:\n A a - b VIA\n F s C A a - b\n", "the fleets that convoy it make no route"),
    ("X:\n A a - b (fails)\n F s C A a - b\n", "A a does not move by convoy"),
    (
        "X:\n A a - b VIA\n F s C A a - b\n F t C A a - b\nY:\n F u - s\n"
        "Convoy borders:\n s: a, b\n t: a, b\n",
        "the fleet is dislodged by F u - s",
    ),
]


@pytest.mark.parametrize(("text", "problem"), UNMATCHED)
def test_orders_that_do_not_match_are_no_correct_set(text: str, problem: str) -> None:
    """I: the algorithm transforms "einen korrekten Befehlssatz"."""
    orders = read_order_set(text)
    for use in (transform, carry_out):
        with pytest.raises((OrderFaultError, ProblemsError), match=problem):
            use(orders)


@pytest.mark.parametrize(("text", "problem"), IMPOSSIBLE)
def test_a_set_that_cannot_be_carried_out_is_refused_but_can_be_transformed(
    text: str, problem: str
) -> None:
    orders = read_order_set(text)
    with pytest.raises(OrderFaultError, match=problem):
        carry_out(orders)
    carry_out(transform(orders))


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(ProblemsError) as told:
        carry_out(read_order_set("X:\n A a - c\n A b - c\n A d S A e\n"))
    assert len(told.value.problems) == 2


def test_units_that_exchange_places_by_convoy_can_be_carried_out() -> None:
    text = "X:\n A a - b VIA\n A b - a\n F s C A a - b\nConvoy borders:\n s: a, b\n"
    assert [str(unit) for unit in carry_out(read_order_set(text)).units] == ["A a", "A b", "F s"]


def test_a_field_that_is_entered_or_held_has_no_standoff() -> None:
    text = "X:\n A a - c (fails)\n A b - c\n A d - e (fails)\n A f - g (fails)\nY:\n A e H\n"
    assert carry_out(read_order_set(text)).contested == ("g",)


# Commands.


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_what_adjudicate_prints_is_carried_out(options: tuple[str, ...]) -> None:
    printed = run("adjudicate", EXAMPLE, "--engine", "dip_eval", "--transformed", *options).stdout
    whole = json.loads(run("adjudicate", EXAMPLE, "--engine", "dip_eval", "--json").stdout)
    board = json.loads(run("carry-out", "-", "--json", stdin=printed).stdout)
    assert board["units"] == {power: units for power, units in whole["units"].items() if units}
    assert board["contested"] == whole["contested"]
    lost = [{key: one[key] for key in ("power", "unit", "by")} for one in whole["dislodged"]]
    assert board["dislodged"] == sorted(lost, key=lambda one: (one["power"], one["unit"]))


@pytest.mark.parametrize("engine", ["solver", "dpjudge(safe_convoys=yes)"])
def test_other_engines_have_no_transformed_set(engine: str) -> None:
    result = run("adjudicate", EXAMPLE, "--engine", engine, "--transformed")
    assert result.exit_code == 2
    assert f"--transformed is for the engine dip_eval, not for {engine}" in result.stderr
    assert result.stdout == ""


def test_carry_out_says_what_cannot_be_carried_out(tmp_path: Path) -> None:
    file = tmp_path / "set.txt"
    file.write_text("X:\n A a - c\n A b - c\n", encoding="utf-8")
    result = run("carry-out", str(file))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "error: X: 'A a - c' and 'A b - c': both would end up in c\n"
    missing = run("carry-out", str(tmp_path / "none.txt"))
    assert missing.exit_code == 2
    assert "cannot be read" in missing.stderr


# The page.


@pytest.mark.parametrize("block", blocks(SECTION, "console"))
def test_commands_print_what_the_page_shows(block: str) -> None:
    assert_command_prints(block)


@pytest.mark.parametrize("code", blocks(SECTION, "python"))
def test_python_of_the_page_prints_what_it_says(code: str) -> None:
    assert_python_prints(code)
