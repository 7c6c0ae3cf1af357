"""Traces of the recursive engines: the article's example, what is cut, data, and what has none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.errors import ContradictionError, EngineOptionError
from dipsat.outcomes import Call, EngineOutcome, Table, Trace
from dipsat.outcomes.trace import SMALL
from dipsat.studies import ENGINES, TRACED, random_board
from tests.checkout import ROOT
from tests.exhaustive import parts_of
from tests.pages import assert_command_prints, assert_python_prints, blocks, page
from tests.phases import adjudicate, sheet_of, troubled_orders
from tests.studies.test_algorithms import COAST, example
from tests.studies.test_simple_recursive import FIGURE_16

PAGE = page("docs/trace.md")

AEGEAN = str(ROOT / "docs" / "examples" / "aegean.txt")
AS_IN_THE_ARTICLE = "recursive_guess(single_cycles=no)"


RING_OF_FOUR = {
    "FRANCE": [
        "A PAR - BUR", "A BUR - MAR", "A MAR - GAS", "A GAS - PAR", "A BRE S A GAS - PAR",
    ],
}  # fmt: skip

# "The recursion was executed as follows"; where the article writes `(resolve(ION))`, it is
# `(for resolve(ION))` here as everywhere else.
RECURSION = """\
resolve(AEG)
   adjudicate(AEG)
      resolve(ALB)
         adjudicate(ALB)
         return SUCCEEDS (for adjudicate(ALB))
      return SUCCEEDS (for resolve(ALB))
      resolve(GRE)
         adjudicate(GRE)
            resolve(ION)
               adjudicate(ION)
                  resolve(AEG)
                  return FAILS (for resolve(AEG))
               return SUCCEEDS (for adjudicate(ION))
            return SUCCEEDS (for resolve(ION))
         return FAILS (for adjudicate(GRE))
      return FAILS (for resolve(GRE))
   return SUCCEEDS (for adjudicate(AEG))
"""

# The first two tables of the article, in its own sequence of orders.
UNWINDING = {
    "F AEG - ION": ("GUESSING", "FAILS"),
    "F GRE S F AEG - ION": ("GUESSING", "FAILS"),
    "F ALB S F AEG - ION": ("RESOLVED", "SUCCEEDS"),
    "A TUN - GRE": ("UNRESOLVED", "-"),
    "F ION C A TUN - GRE": ("GUESSING", "FAILS"),
}
BACK = {**UNWINDING, "F ION C A TUN - GRE": ("GUESSING", "SUCCEEDS")}


def traced(orders: Any, name: str, rules: str = "datc") -> Trace:
    """The trace of an engine on orders that name every unit."""
    found = adjudicate(orders, rules, engine=name, trace=True)
    assert isinstance(found, EngineOutcome)
    assert found.trace is not None
    return found.trace


def tables(trace: Trace) -> list[Table]:
    """The tables of a trace."""
    return [step for step in trace.steps if isinstance(step, Table)]


def rows(table: Table) -> dict[str, tuple[str, ...]]:
    """The rows of a table by order."""
    return {row[0]: row[1:] for row in table.rows}


# The article.


def test_recursion_is_that_of_the_article() -> None:
    lines = str(traced(FIGURE_16, AS_IN_THE_ARTICLE)).splitlines()
    recursion = [line for line in lines if line.lstrip().startswith(("resolve", "adj", "return"))]
    assert "\n".join(recursion).startswith(RECURSION)


def test_tables_are_those_of_the_article() -> None:
    before, back, again = tables(traced(FIGURE_16, AS_IN_THE_ARTICLE))
    assert before.columns == ("order", "state", "resolution")
    assert rows(before) == UNWINDING
    assert before.notes == {"dependency_list": ()}
    assert rows(back) == BACK
    assert back.notes == {"dependency_list": ("AEG", "ION", "GRE")}
    # "The Aegean Sea is set to GUESSING, but now with a SUCCEEDS resolution ... the function will
    # return again with a positive result, and the dependency list will contain the same orders."
    assert rows(again)["F AEG - ION"] == ("GUESSING", "SUCCEEDS")
    assert again.moment == "Back at AEG, guess SUCCEEDS, result SUCCEEDS."
    assert set(again.notes["dependency_list"]) == {"AEG", "ION", "GRE"}  # type: ignore[arg-type]


def test_table_before_the_unwinding_is_where_the_recursion_stops_descending() -> None:
    text = str(traced(FIGURE_16, AS_IN_THE_ARTICLE))
    head, _, rest = text.partition("\nAEG is being guessed: the recursion unwinds.")
    assert head.splitlines() == RECURSION.splitlines()[:11]
    assert "Dependency list: empty\n\n                  return FAILS (for resolve(AEG))" in rest


def test_tunis_is_left_alone_while_the_paradox_is_resolved() -> None:
    """The article says of the Aegean Sea that "the state of the Tunis convoy order remains
    untouched", and that the dislodge rule for a support of type E would bring it in."""
    trace = traced(FIGURE_16, AS_IN_THE_ARTICLE)
    calls = [step for step in trace.steps if isinstance(step, Call)]
    (second,) = (at for at, call in enumerate(calls) if call.order == "ALB" and not call.depth)
    assert "TUN" not in {call.order for call in calls[:second]}
    with_check = traced(FIGURE_16, "recursive_guess(single_cycles=no,skip_type_e=no)")
    calls = [step for step in with_check.steps if isinstance(step, Call)]
    assert any(call.order == "TUN" and call.depth for call in calls)


def test_rule_for_a_cycle_is_shown_with_what_it_sets() -> None:
    ring = {"FRANCE": ["A PAR - BUR", "A BUR - GAS", "A GAS - PAR"]}
    for name in TRACED:
        text = str(traced(ring, name))
        assert "The rule 'circular movement' settles the cycle BUR, GAS, PAR:\n" in text
        assert "move(A PAR - BUR) SUCCEEDS" in text
    chosen = {"ITALY": ["Red A ROM - NAP", "Red A NAP - APU", "Red A APU - ROM"]}
    steps = traced(chosen, "recursive_guess", "arpiesse").to_dict()["steps"]
    (sets,) = (step["sets"] for step in steps if step["step"] == "rule")
    assert sets["move(Red A ROM - NAP)"] is True


def test_repeated_calls_are_folded_on_small_boards_too() -> None:
    trace = traced(RING_OF_FOUR, "recursive_guess")
    short, whole = trace.text(), trace.text(whole=True)
    assert "resolve(BUR) (3 times)\n" in short
    assert "times)" not in whole
    unfolded = []
    lines = iter(short.splitlines())
    for line in lines:
        call, _, count = line.partition(" (")
        if count.endswith(" times)"):
            unfolded += [call, next(lines)] * int(count.split()[0])
        else:
            unfolded.append(line)
    assert unfolded == whole.splitlines()


def test_line_about_a_rule_is_wrapped_between_decisions() -> None:
    text = traced(RING_OF_FOUR, "recursive_guess").text()
    said = text[text.index("The rule ") :].splitlines()
    assert len(said[0]) <= 80
    assert said[1].startswith("   ")
    rule = said[: said.index("return SUCCEEDS (for resolve(BUR))")]
    assert all(len(line) <= 80 for line in rule)
    assert all(line.endswith((",", ":", "SUCCEEDS", "FAILS")) for line in rule)


@pytest.mark.parametrize(
    ("name", "listed"),
    [("recursive_guess", ["LON", "ENG"]), (AS_IN_THE_ARTICLE, ["BEL", "ENG", "LON"])],
    ids=["the attack is not asked for", "asked for, the attack is on the list"],
)
def test_rule_names_the_attack_that_a_convoy_order_adjudicates_itself(
    name: str, listed: list[str]
) -> None:
    """DATC 3.0, 5.D: the convoy order asks for no attack on its fleet; see docs/trace.md."""
    paradox = str(ROOT / "docs" / "examples" / "convoy-paradox.txt")
    command = ["adjudicate", paradox, "--json", "--trace", "--engine", name]
    steps = json.loads(CliRunner().invoke(main, command).stdout)["trace"]["steps"]
    (rule,) = (step for step in steps if step["step"] == "rule")
    lists = [step["dependency_list"] for step in steps if step["step"] == "table"]
    assert lists[-1] == listed
    assert set(rule["cycle"]) == {"ENG", "BEL", "LON"}
    assert "the list is LON, ENG, and the cycle ENG, BEL, LON," in PAGE


@pytest.mark.parametrize(
    "name", ["recursive_guess(ask_once)", "partial_information(multi_pass=orders)"]
)
def test_variations_without_a_trace_are_those_that_the_page_names(name: str) -> None:
    assert name.partition("=")[0].rstrip(")") in PAGE
    with pytest.raises(EngineOptionError, match="no trace"):
        traced(RING_OF_FOUR, name)


def test_partial_information_shows_its_own_administration() -> None:
    """DATC 3.0, 5.E: `visited`, `cycle`, `recursion_hits` and `uncertain`."""
    trace = traced(FIGURE_16, "partial_information")
    first, *_, back = tables(trace)
    assert first.columns == ("order", "visited", "in cycle", "resolution")
    assert rows(first)["F AEG - ION"] == ("yes", "no", "-")
    assert back.notes == {"cycle": ("AEG", "ION", "GRE"), "recursion_hits": 1, "uncertain": True}
    calls = [step for step in trace.steps if isinstance(step, Call)]
    assert {call.scenario for call in calls} == {"", "optimistic", "pessimistic"}
    assert all(bool(call.scenario) == bool(call.depth) for call in calls)
    assert "only the outermost `resolve`" in PAGE


# The trace changes nothing, and agrees with itself.


@pytest.mark.parametrize("name", [*TRACED, AS_IN_THE_ARTICLE])
@pytest.mark.parametrize("seeds", parts_of(range(40), 6))
def test_trace_changes_no_result_and_every_call_returns(seeds: range, name: str) -> None:
    for seed in seeds:
        orders = troubled_orders(seed)
        plain, found = adjudicate(orders, engine=name), adjudicate(orders, engine=name, trace=True)
        assert isinstance(found, EngineOutcome)
        assert found.trace is not None
        told = found.to_dict()
        trace = told.pop("trace")
        assert told == plain.to_dict()
        assert "trace" not in plain.to_dict()
        assert list(unmatched(trace["steps"])) == []
        assert trace == json.loads(json.dumps(trace))
        assert set(last_results(trace["steps"])) == set(trace["orders"])
    steps = traced(FIGURE_16, name).to_dict()["steps"]
    moves = {"AEG": True, "ALB": True, "GRE": True, "ION": False, "TUN": False}
    assert last_results(steps) == moves


def unmatched(steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Returns that do not belong to the last open call, and calls that never return."""
    calls: list[dict[str, Any]] = []
    for step in steps:
        if step["step"] == "call":
            calls.append(step)
        elif step["step"] == "return":
            call = calls.pop()
            if any(call[key] != step[key] for key in ("function", "order", "depth")):
                yield step
    yield from calls


def last_results(steps: list[dict[str, Any]]) -> dict[str, bool]:
    """What the outermost call of resolve returned for each order."""
    outermost = (step for step in steps if step.get("depth") == 0 and step["step"] == "return")
    return {step["order"]: step["succeeds"] for step in outermost}


# What is cut.


def big(seed: int, name: str) -> Trace:
    """The trace of a random board of 27 units."""
    return traced(random_board(seed).orders, name)


@pytest.mark.parametrize("name", TRACED)
def test_big_board_has_a_line_for_each_order_that_no_cycle_concerns(name: str) -> None:
    for seed in range(4):
        trace = big(seed, name)
        short, whole = trace.text().splitlines(), trace.text(whole=True).splitlines()
        assert len(trace.orders) > SMALL
        assert len(short) < len(whole)
        assert short[-1].startswith("Cut: the steps of ")
        assert not whole[-1].startswith("Cut")
        for order in trace.orders:
            outermost = [line for line in short if line.startswith(f"resolve({order})")]
            assert len(outermost) == 1
            if tables(trace) == []:
                assert outermost[0].endswith(("no cycle", "resolved before"))


def test_big_board_without_cycles_is_as_long_as_it_has_orders() -> None:
    chain = COAST.split()[:14]
    moves = [f"F {place} - {aim}" for place, aim in pairwise(chain)]
    trace = traced({"ENGLAND": moves}, "recursive_guess")
    assert len(trace.text().splitlines()) == len(moves) + 1
    assert traced({"ENGLAND": moves[:SMALL]}, "recursive_guess").text().count("adjudicate(") == 16


def test_tables_of_a_big_board_have_the_orders_reached_and_count_the_others() -> None:
    ring = ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]
    others = ["A PAR H", "A MAR S A GAS", "A GAS S A PAR", "A PIC S A PAR", "A MUN - BER"]
    others += ["A VIE - BUD", "A ROM - NAP", "A MOS - SEV"]
    text = traced({"TURKEY": ring, "FRANCE": others}, "recursive_guess").text()
    table = text.partition("the recursion unwinds.\n\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split("  ")[0] for line in table[1:4]] == [
        "F ANK - CON", "A CON - SMY", "A SMY - ANK",
    ]  # fmt: skip
    assert table[4] == "... and 7 more that the recursion has not reached"


# The command, the page, and who has no trace.


@pytest.mark.parametrize("block", blocks(PAGE, "console"))
def test_commands_of_the_page_print_what_it_shows(
    block: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert_command_prints(block)


@pytest.mark.parametrize("code", blocks(PAGE, "python"))
def test_python_of_the_page_prints_what_it_says(code: str) -> None:
    assert_python_prints(code)


def test_json_has_the_whole_trace_in_the_shape_of_the_page() -> None:
    done = CliRunner().invoke(
        main, ["adjudicate", AEGEAN, "--engine", "recursive_guess", "--json", "--trace"]
    )
    printed = json.loads(done.stdout)
    assert printed["trace"] == traced(FIGURE_16, "recursive_guess").to_dict()
    assert printed["trace"]["orders"]["ION"] == "F ION C A TUN - GRE"
    shape = PAGE.partition("| `step` | keys |")[2]
    for step in printed["trace"]["steps"]:
        assert f"| `{step['step']}` |" in shape
        assert all(f"`{key}`" in shape for key in step if key != "step")


def test_full_trace_cuts_nothing(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(sheet_of(random_board(0).orders), encoding="utf-8")
    command = ["adjudicate", str(file), "--engine", "recursive_guess"]
    short = CliRunner().invoke(main, [*command, "--trace"]).stdout
    whole = CliRunner().invoke(main, [*command, "--full-trace"]).stdout
    assert "Cut: the steps" in short
    assert "Cut: the steps" not in whole
    assert whole.startswith(big(0, "recursive_guess").text(whole=True))


def test_engine_that_cannot_decide_shows_how_far_it_came(tmp_path: Path) -> None:
    orders = example("**Supports of type E**")
    with pytest.raises(ContradictionError) as caught:
        traced(orders, "recursive_guess(skip_type_e=no)")
    assert isinstance(caught.value.trace, Trace)
    with pytest.raises(ContradictionError) as caught:
        adjudicate(orders, engine="recursive_guess(skip_type_e=no)")
    assert caught.value.trace is None
    file = tmp_path / "wrong.txt"
    file.write_text(sheet_of(orders), encoding="utf-8")
    command = ["adjudicate", str(file), "--engine", "recursive_guess(skip_type_e=no)", "--trace"]
    shown = CliRunner().invoke(main, command)
    assert shown.exit_code == 2
    assert shown.stdout.startswith("resolve(BAR)\n")
    assert shown.stderr.startswith("error: the engine 'recursive_guess(skip_type_e=no)' cannot")


@pytest.mark.parametrize("name", [name for name in ENGINES if name not in TRACED])
def test_engine_without_a_trace_says_which_have_one(name: str) -> None:
    with pytest.raises(
        EngineOptionError, match="only recursive_guess and partial_information have"
    ):
        adjudicate(FIGURE_16, engine=name, trace=True)
    shown = CliRunner().invoke(main, ["adjudicate", AEGEAN, "--engine", name, "--trace"])
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert "only recursive_guess and partial_information have a trace" in shown.stderr


def test_retreats_have_no_trace() -> None:
    retreat = adjudicate({"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR"
    " H"]}).next  # fmt: skip
    with pytest.raises(
        EngineOptionError, match="only movement phases have a trace; S1901R is not one"
    ):
        dipsat.adjudicate(retreat, {}, engine="recursive_guess", trace=True)
