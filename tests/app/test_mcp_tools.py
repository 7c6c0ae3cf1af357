"""What the tools for language models answer, without a server."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest
import yaml

from dipsat.app.mcp_tools import LONGEST, TOOLS, answer, request_of
from dipsat.app.schema import members_of
from dipsat.base import Files, Limits, running
from dipsat.board import map_names
from tests.exhaustive import few_of


def said(tool: str, kept: str | None = None, /, **arguments: Any) -> str:
    """The text of an answer."""
    return str(asked(tool, kept, **arguments)["text"])


def asked(tool: str, kept: str | None = None, /, **arguments: Any) -> dict[str, Any]:
    """The answer to correct arguments."""
    found = answer(tool, {"arguments": arguments, "game": kept})
    assert "error" not in found, found["error"]
    assert len(found["text"]) < 2000
    return found


def error(tool: str, kept: str | None = None, /, **arguments: Any) -> str:
    """What is wrong with arguments."""
    with running(Limits(files=Files.none())):  # as in the workers of a server
        text = answer(tool, {"arguments": arguments, "game": kept})["error"]
    assert len(text) < 2000
    return str(text)


BOUNCE = "France: A PAR - BUR, A MAR S A PAR - BUR\nGermany: A MUN - BUR"


def test_every_argument_says_what_it_means() -> None:
    for name in TOOLS:
        schema = members_of(request_of(name))
        assert schema["description"].endswith(".")
        assert all(one["description"] for one in schema["properties"].values())
        assert not schema["additionalProperties"]


def test_verdicts_have_reasons_and_a_proof() -> None:
    lines = said("adjudicate", orders=BOUNCE).splitlines()
    assert "Proven unique" in lines[3]
    # Two against one: the supported army moves (DATC 6.D).
    assert lines[-1].startswith("Germany: A MUN - BUR fails: bounces off A PAR")
    assert any(line.startswith("France: A PAR - BUR succeeds") for line in lines)


def test_orders_may_be_a_text_or_an_object() -> None:
    listed = {"France": ["A PAR - BUR", "A MAR S A PAR - BUR"], "Germany": ["A MUN - BUR"]}
    assert said("adjudicate", orders=listed) == said("adjudicate", orders=BOUNCE)


def test_without_a_board_only_ordered_units_are_there_and_the_answer_says_so() -> None:
    assert said("adjudicate", orders=BOUNCE).startswith("No `board` was given")
    assert "19 more units" in said("adjudicate", board="standard", orders=BOUNCE)


def test_orders_are_checked_with_what_they_were_read_as() -> None:
    orders = "France: Paris to Burgundy, F BRE - LON, A PAR - BRUGUNDY"
    first, second, third = said("check_orders", board="standard", orders=orders).splitlines()
    assert "not entered" in first
    assert "did you mean" in first
    assert second.startswith("France: Paris to Burgundy is legal")
    assert "ILLEGAL: the fleet cannot reach LON" in third


def test_unreadable_orders_are_not_judged_as_if_they_were_not_there() -> None:
    assert "did you mean" in error("adjudicate", board="standard", orders="France: A PAR - BURX")
    assert "no unit stands in GAS" in error("what_if", orders=BOUNCE, changes="France: A GAS H")


def test_changed_orders_say_only_what_differs() -> None:
    found = said("what_if", board="standard", orders=BOUNCE, changes="France: A MAR - SPA")
    assert "A PAR - BUR succeeds" in found
    assert "A VIE" not in found
    assert "Standoff" in found  # one against one
    same = said("what_if", board="standard", orders=BOUNCE, changes="Italy: A ROM H")
    assert "Nothing" in same


def test_a_power_learns_what_it_can_change() -> None:
    orders = "France: A PAR - BUR, A MAR - SPA\nGermany: A MUN - BUR"
    found = said("why", board="standard", orders=orders, unit="Paris", change=True)
    assert "A MAR S A PAR - BUR instead of A MAR - SPA" in found


# Austria has two armies beside Galicia. Russia has one there at the start, and may have three.
@pytest.mark.parametrize(
    ("board", "verdict"),
    [
        ("standard", "IMPOSSIBLE Proven"),
        ("Austria: A VIE, A BUD\nRussia: A WAR, A UKR, A RUM", "F"),
    ],
)
def test_whether_austria_can_be_kept_out_of_galicia_is_proven(board: str, verdict: str) -> None:
    goal = "not stands(Galicia, Austria)"
    found = said("can_i_guarantee", board=board, power="Russia", goal=goal)
    assert found.startswith(verdict)
    assert "Proven" in found


def test_open_orders_are_those_of_the_powers_named() -> None:
    # Austria alone may support itself into Galicia; Russia alone cannot bring it there.
    asking = {"board": "standard", "goal": "stands(GAL, AUSTRIA)"}
    assert said("can_they", by="Austria", **asking).startswith("FOUND")
    assert said("can_they", by="Russia, Turkey", **asking).startswith("IMPOSSIBLE Proven")


def test_the_error_for_a_wrong_goal_says_how_goals_are_written() -> None:
    assert "`enters(GAL)`" in error("can_they", goal="keep Austria out")
    assert "did you mean" in error("can_they", goal="enters(GALX)")
    assert "`not stands(GAL, AUSTRIA)`" in error("can_they", goal="stands(GAL)")


@pytest.mark.parametrize("name", ["standard", "known_world_901"])
def test_a_board_is_read_again_as_it_is_shown(name: str) -> None:
    shown = said("board", board=name)
    assert said("board", board=shown) == shown


def test_a_game_goes_through_retreats_and_builds() -> None:
    begun = asked("new_game", board="Fall 1901 Movement\nFrance: A PAR, A MAR\nGermany: A BUR")
    entered = asked("submit", begun["game"], game="x", orders=BOUNCE.partition("\n")[0])
    assert entered["text"].endswith("Waiting for Germany.")
    after = asked("advance", entered["game"], game="x")
    assert "Dislodged: A BUR (Germany) by A PAR" in after["text"]
    shown = said("board", after["game"], board="x")
    assert yaml.safe_load(shown)["phase"] == "F1901R"
    assert said("board", board=shown) == shown
    assert "A BUR R RUH" in said("legal_orders", after["game"], board="x", of="A BUR")
    assert "dislodged" in said("why", after["game"], board="x", unit="A BUR")
    retreated = asked("submit", after["game"], game="x", orders="Germany: A BUR R RUH")["game"]
    winter = asked("advance", retreated, game="x")["game"]
    # What was played can be asked about until there are new orders.
    assert "A PAR - BUR succeeds" in said("adjudicate", winter, board="x")
    changed = said("what_if", winter, board="x", changes="France: A MAR H")
    assert changed.startswith("F1901M")
    assert "No longer: Dislodged: A BUR" in changed


def test_a_game_without_owners_says_at_once_what_its_winters_need() -> None:
    begun = asked("new_game", board="Fall 1901\nGermany: A MUN\nFrance: A BUR")
    assert "No winter can be played without the owners of ANK, BEL" in begun["text"]
    winter = asked("advance", begun["game"], game="x")["game"]
    shown = said("board", winter, board="x")
    assert said("board", board=shown) == shown
    asked("picture", board=shown)
    assert said("new_game", board=shown).startswith(shown)
    needed = error("adjudicate", board=shown)
    assert "state the centres of every power under `centers`" in needed
    assert "--" not in needed
    # With owners as the remark writes them, the winter is played: two units need two centres.
    example = re.findall("`centers: {AUSTRIA: (.*)}`", begun["text"])[0]
    owned = yaml.safe_load(shown) | {
        "centers": {"FRANCE": ["PAR"], "GERMANY": yaml.safe_load(example)}
    }
    del owned["unknown_centers"]
    played = said("advance", asked("new_game", board=yaml.safe_dump(owned))["game"], game="x")
    assert "Next phase: S1902M." in played


def test_a_won_game_takes_no_orders_and_ends() -> None:
    centers = (
        "BEL, BER, BRE, DEN, EDI, HOL, KIE, LON, LVP, MAR, MUN, NAP, PAR, POR, ROM, SPA, TUN, VEN"
    )
    board = f"phase: S1908M\ncenters: {{FRANCE: [{centers}]}}\nunits: {{FRANCE: [A PAR]}}\n"
    won = asked("new_game", board=board)["game"]
    said_so = "France has won with 18 centres; `new_game` begins another game"
    assert error("submit", won, game="x", orders="France: A PAR H") == said_so
    assert error("advance", won, game="x") == said_so
    assert error("board", board=f"{board}orders: {{FRANCE: [A PAR H]}}") == said_so


def test_retreats_are_waited_for_until_they_are_possible() -> None:
    board = """phase: F1901R
units: {ENGLAND: [F ENG], GERMANY: [A BUR]}
dislodged: {FRANCE: [A BUR, F ENG]}
retreats: {FRANCE: {A BUR: [PAR, GAS], F ENG: [MAO]}}"""
    begun = asked("new_game", board=board)["game"]
    orders = "France: F ENG - MAO, A BUR R MUN"
    found = asked("submit", begun, game="x", orders=orders)
    assert "A BUR R MUN is ILLEGAL" in found["text"]
    assert found["text"].endswith("Without an order: France A BUR.\nWaiting for France.")
    ordered = said("submit", found["game"], game="x", orders="France: A BUR R PAR")
    assert ordered.endswith("No orders are missing.")


def test_nothing_entered_is_an_error() -> None:
    begun = asked("new_game")["game"]
    assert "did you mean" in error("submit", begun, game="x", orders="France: A PAR - BURX")
    some = said("submit", begun, game="x", orders="France: A PAR - BURX, A MAR - SPA")
    assert "not entered" in some.splitlines()[0]
    lost = "units: {FRANCE: [A PAR]}\norders: {FRANCE: [A GAS H]}"
    assert "not entered: no unit stands in GAS" in error("board", board=lost)


def test_orders_of_units_without_a_type_need_a_board() -> None:
    orders = "France: Paris to Burgundy. Marseilles supports Paris to Burgundy."
    advice = "No `board` was given"
    assert advice in error("adjudicate", orders=orders)
    assert advice in error("what_if", orders=BOUNCE, changes="France: A GAS H")
    assert advice not in error("adjudicate", board="standard", orders="France: A GAS H")
    assert "A PAR - BUR succeeds" in said("adjudicate", board="standard", orders=orders)


@pytest.mark.parametrize("tool", ["submit", "advance"])
def test_unknown_games_are_refused(tool: str) -> None:
    orders = {"orders": BOUNCE} if tool == "submit" else {}
    assert "`new_game` starts one" in error(tool, game="1234", **orders)


def test_unknown_arguments_and_names_are_not_ignored() -> None:
    assert "known: board" in error("board", position="standard")
    assert "missing" in error("why", board="standard")
    assert "did you mean 'colonial'?" in error("board", board="colonal")
    assert "choose from" in error("board", board="k3x9")
    assert "'powers' in 'can_they'; known: goal, board" in error("can_they", goal="x", powers="x")
    assert "known: AUSTRIA, ENGLAND" in error("check_orders", orders="Spain: A MAD H")


@pytest.mark.parametrize(
    ("tool", "arguments", "names"),
    [
        ("new_game", {"rules": "nonsense"}, "choose from datc, rulebooks/1971"),
        ("new_game", {"rules": "standard"}, "standard is a map, which the argument `board` takes"),
        ("board", {"board": "map: nowhere\nunits: {}"}, "choose from 1898, 1900"),
        ("board", {"board": "Winter 1901\nFrance: Build A PAR"}, "in YAML as `board`"),
    ],
)
def test_no_error_sends_a_model_to_a_terminal(
    tool: str, arguments: dict[str, str], names: str
) -> None:
    said_so = error(tool, **arguments)
    assert names in said_so
    assert "`dipsat" not in said_so


@pytest.mark.parametrize(("of", "near"), [("nobody", ""), ("Frence", "; did you mean 'FRANCE'?")])
def test_what_is_neither_unit_nor_power_has_no_legal_orders(of: str, near: str) -> None:
    wanted = "`of` should be a unit (`A PAR`) or a power (`France`), not"
    assert error("legal_orders", of=of) == f"{wanted} {of!r}{near}"
    assert "'MAD' in 'A MAD'; did you mean MAR" in error("legal_orders", of="A MAD")


@pytest.mark.parametrize("name", ["rules/datc.yaml", "./docs/examples/channel.yaml"])
def test_no_tool_reads_a_file(name: str) -> None:
    refused = "only shipped names are allowed here"
    assert refused in error("board", board=name)
    assert refused in error("new_game", board="standard", rules=name)
    assert refused in error("board", board=f"map: {name}\nunits: {{FRANCE: [A PAR]}}")


@pytest.mark.parametrize("name", few_of(map_names(), 3))
def test_answers_are_short_on_every_map(name: str) -> None:
    power = re.findall(r"^  ([^:\n]+): \[", said("board", board=name), re.MULTILINE)[0]
    said("legal_orders", board=name, of=power)
    said("adjudicate", board=name)
    orders = "\n".join(f"{power}: A {at} - {at}" for at in "ABCDEFGHIJ" * 30)
    said("check_orders", board=name, orders=orders)


def test_an_answer_says_what_was_cut_and_how_to_ask_for_it() -> None:
    units = yaml.safe_load(said("board", board="known_world_901"))["units"]
    orders = {power: [f"{unit} H" for unit in own] for power, own in units.items()}
    found = asked("adjudicate", board="known_world_901", orders=orders)["text"]
    assert re.search(r"\([\d,]+ more characters are left out: ask with `power`\.\)$", found)
    assert len(found) <= LONGEST
    whole = said("adjudicate", board="known_world_901", orders=orders, power="INDIA")
    assert "left out" not in whole


@pytest.mark.parametrize("results", [False, True])
def test_a_picture_is_a_png_or_svg(results: bool) -> None:
    kind, data = asked("picture", board="standard", orders=BOUNCE, results=results)["picture"]
    begins = {"image/png": b"\x89PNG", "image/svg+xml": b"<svg "}[kind]
    assert base64.b64decode(data).startswith(begins)
