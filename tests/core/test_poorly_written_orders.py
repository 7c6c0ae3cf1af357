"""Poorly written orders (DATC 4.E.2), and moves to places that do not exist (DATC 2.4, 4.E.1)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import parse_phase
from dipsat.cli import main
from dipsat.errors import (
    AmbiguousNameError,
    FileError,
    OrderSyntaxError,
    ProblemsError,
    UnknownNameError,
)
from dipsat.formats import check_faults
from dipsat.studies import GameReport, replay_files
from tests.core.test_choices_orders import WALKER, Case, choice, composed, found_in
from tests.exhaustive import exhaustive

# --- poorly written orders (2.4 4.E.2) ------------------------------------------------------------

READINGS = ["4.E.2-a", "4.E.2-b", "4.E.2-c", "4.E.2-d"]
RETREAT = {"FRANCE": {"A BUR": ["PAR", "PIC"], "A MAR": ["GAS"]}}


def judged(rules: str | dipsat.Profile, *texts: str, units: str = "A BUR") -> dipsat.Outcome:
    """The outcome of texts as orders for units of France."""
    position = dipsat.Position.from_units({"FRANCE": units.split(", ")})
    return dipsat.adjudicate(position, {"FRANCE": list(texts)}, rules)


def winter(power: str, *centers: str) -> dipsat.Position:
    """A winter in which a power has these centres and no units."""
    return dipsat.Position.from_units({}, phase="W1901A", centers={power: centers})


# Each row: the example, units, orders, the orders that are meant, the choices that read them, and
# the text that is unreadable under the others.
EXAMPLES: list[tuple[int, dict[str, list[str]], dict[str, list[str]], list[str], str, str]] = [
    (1, {"FRANCE": ["A BUR"]}, {"FRANCE": ["A Bur - Pir"]}, [], "", "A Bur - Pir"),
    (2, {"FRANCE": ["A BUR"]}, {"FRANCE": ["A Burgundy - Pariz"]}, ["A BUR - PAR"], "abcd", ""),
    (4, {"ENGLAND": ["A BRE"], "FRANCE": ["A BUR"]},
     {"ENGLAND": ["A Bre S A Bur - Par"], "FRANCE": ["A Bur - Pir"]}, [], "", "A Bur - Pir"),
    (5, {"RUSSIA": ["F RUM"]}, {"RUSSIA": ["F Rum - Bu."]}, ["F RUM - BUL/EC"], "bcd",
     "F Rum - Bu."),
    (6, {"TURKEY": ["A GRE", "A SER"]}, {"TURKEY": ["A Gre S A Ser - Bu.", "A Ser - Bul"]},
     ["A GRE S A SER - BUL", "A SER - BUL"], "bcd", "A Gre S A Ser - Bu."),
    (7, {"FRANCE": ["A PAR", "A PIC"]}, {"FRANCE": ["A Par S F Pir - Bre", "A Pir - Bre"]},
     ["A PAR S A PIC - BRE", "A PIC - BRE"], "cd", "A Pir - Bre"),
    (8, {"TURKEY": ["A GRE", "A SER"]}, {"TURKEY": ["A Ser - Bu", "A Gre S A Ser - Bu"]},
     ["A GRE S A SER - BUL", "A SER - BUL"], "d", "A Ser - Bu"),
]  # fmt: skip


@pytest.mark.parametrize("name", READINGS)
@pytest.mark.parametrize("row", EXAMPLES, ids=[f"example {row[0]}" for row in EXAMPLES])
def test_a_poorly_written_order_is_read_or_not_as_in_the_example(row: Any, name: str) -> None:
    """Example 1 says about an unclear order: "the army in Burgundy should hold"."""
    number, units, orders, meant, letters, unread = row
    outcome = dipsat.adjudicate(dipsat.Position.from_units(units), orders, choice(name))
    if name[-1] in letters:
        assert [order.order for order in outcome.orders] == meant
        return
    found = {order.submitted: order for order in outcome.orders}
    assert (found[unread].verdict, found[unread].reason.code) == ("illegal", "unreadable")
    if number == 1:  # it names what the order could mean
        assert found[unread].order == unread
        assert "A BUR - PAR" in found[unread].reason.text
        assert "A BUR - PIC" in found[unread].reason.text
    if number == 7:  # it is unclear too which army is meant
        assert found[unread].unit == ""
        assert outcome.units == {"FRANCE": ("A PAR", "A PIC")}
    else:
        assert found[unread].unit in [unit for owned in outcome.units.values() for unit in owned]


@pytest.mark.parametrize("row", EXAMPLES, ids=[f"example {row[0]}" for row in EXAMPLES])
def test_poorly_written_orders_are_errors_unless_a_choice_reads_them(row: Any) -> None:
    position = dipsat.Position.from_units(row[1])
    with pytest.raises((AmbiguousNameError, UnknownNameError)):
        dipsat.adjudicate(position, row[2])


@pytest.mark.parametrize("name", [None, *READINGS])
def test_unambiguous_orders_are_never_changed(name: str | None) -> None:
    """Example 3 (`Tyr` is not `Tri`), and example 9 (`Bud` is not `Bul`)."""
    rules = choice(name) if name else "datc"
    build = dipsat.adjudicate(winter("AUSTRIA", "TRI", "VIE"), {"AUSTRIA": ["Build F Tyr"]}, rules)
    move = judged(rules, "F Rum - Bud(ec)", units="F RUM")
    assert [order.verdict for order in (*build.orders, *move.orders)] == ["illegal"] * 2


def test_other_phases_are_read_by_what_is_possible_too() -> None:
    lost = {"FRANCE": {"A BUR": ["GAS", "PAR"]}}
    retreat = dipsat.Position.from_units({}, phase="S1901R", dislodged=lost)
    outcome = dipsat.adjudicate(retreat, {"FRANCE": ["A Bur R Pa"]}, choice("4.E.2-b"))
    assert outcome.units == {"FRANCE": ("A PAR",)}
    build = winter("RUSSIA", "SEV", "MOS")
    outcome = dipsat.adjudicate(build, {"RUSSIA": ["Build A Se"]}, choice("4.E.2-b"))
    assert outcome.units == {"RUSSIA": ("A SEV",)}


@pytest.mark.parametrize(
    "text",
    ["A Bur - Xyzzy", "A Bur whistles 'Dixie'", "A Bur loot and pillage", "Burgundy", "A Bur -"],
)
@pytest.mark.parametrize("name", READINGS)
def test_a_unit_with_a_meaningless_order_holds(text: str, name: str) -> None:
    """4.E.1 b: "I regard it as being ordered to hold, and it may be supported in place"."""
    order, support = judged(choice(name), text, "A Par S A Bur", units="A BUR, A PAR").orders
    assert (order.unit, order.reason.code, support.verdict) == ("A BUR", "unreadable", "given")


@pytest.mark.parametrize("text", ["", "?!", "an order", "A Oz - Par", "(", "A " * 400])
@pytest.mark.parametrize("name", READINGS)
def test_a_text_that_names_no_unit_is_void_and_says_so(text: str, name: str) -> None:
    outcome = judged(choice(name), text, "A Par - Pic", units="A BUR, A PAR")
    found = {order.submitted: order for order in outcome.orders}
    assert (found[text].unit, found[text].reason.code) == ("", "unreadable")
    assert outcome.units == {"FRANCE": ("A BUR", "A PIC")}
    assert outcome.to_dict()["orders"]


def test_an_unreadable_order_does_not_replace_a_readable_one() -> None:
    """The rulebook of 2000, quoted in 4.E.1: 'an "illegal" or ambiguous order ... is not
    followed'."""
    for texts in (["A Bur - Pir", "A Bur - Gas"], ["A Bur - Gas", "A Bur - Pir"]):
        assert judged(choice("4.E.2-b"), *texts).units == {"FRANCE": ("A GAS",)}


def test_later_phases_ignore_an_unreadable_order() -> None:
    retreat = dipsat.Position.from_units({}, phase="S1901R", dislodged=RETREAT)
    orders = {"FRANCE": ["A Bur R Pir", "A Mar R Gasc"]}
    outcome = dipsat.adjudicate(retreat, orders, choice("4.E.2-b"))
    assert outcome.units == {"FRANCE": ("A GAS",)}
    assert [(order.unit, order.reason.code) for order in outcome.orders] == [
        ("A BUR", "unreadable"), ("A MAR", "ok"),
    ]  # fmt: skip
    orders = {"FRANCE": ["Build A Xyzzy", "Build A Pariz"]}
    outcome = dipsat.adjudicate(winter("FRANCE", "PAR", "MAR"), orders, choice("4.E.2-b"))
    assert outcome.units == {"FRANCE": ("A PAR",)}
    assert [(order.verdict, order.amended) for order in outcome.orders] == [
        ("illegal", ""), ("succeeds", "'Pariz' is read as Paris"),
    ]  # fmt: skip


def test_a_game_keeps_a_badly_written_order_as_what_it_means(tmp_path: Path) -> None:
    """A player can be asked what an unreadable order means, so the game refuses it."""
    game = dipsat.Game.new(rules="1971")
    game.submit("FRANCE", ["A Pariz - Burgundie", "A Mars - Spa"])
    assert game.orders == {"FRANCE": ("A PAR - BUR", "A MAR - SPA")}
    with pytest.raises(OrderSyntaxError, match="unknown province 'Xyzzy'"):
        game.submit("FRANCE", ["A Pariz - Xyzzy"])
    assert game.orders == {"FRANCE": ("A PAR - BUR", "A MAR - SPA")}
    game.save(tmp_path / "game.json")
    assert dipsat.Game.load(tmp_path / "game.json").orders == game.orders
    with pytest.raises(UnknownNameError, match="Pariz"):
        dipsat.Game.new().submit("FRANCE", ["A Pariz - Burgundie"])


RULEBOOKS = ["1971", "1982", "2000", "2023"]


@pytest.mark.parametrize("rules", RULEBOOKS)
def test_the_rulebooks_follow_a_badly_written_order_with_one_meaning(rules: str) -> None:
    """4.E.2 of 1971 and 1982: "A badly written order, which nevertheless can have only one meaning,
    must be followed"; of 2000 and 2023: "A poorly written order that has only one meaning must be
    followed"."""
    outcome = judged(rules, "A Burgundy - Pariz", "A Gascony - Bar", units="A BUR, A GAS")
    assert [(order.order, order.amended) for order in outcome.orders] == [
        ("A BUR - PAR", "'Pariz' is read as Paris"), ("A GAS - BAR", ""),
    ]  # fmt: skip
    assert outcome.orders[1].verdict == "illegal"  # an exact name is never another one
    assert judged(rules, "A Bur - Pir").units == {"FRANCE": ("A BUR",)}


def test_a_sheet_without_units_is_judged_with_badly_written_orders() -> None:
    sheet = "France:\n  A Burgundy - Pariz\n  A Mun loot and pillage\n"
    phase = parse_phase(sheet, "orders.txt", rules="1971")
    outcome = dipsat.adjudicate(phase.position, phase.orders, "1971")
    check_faults(phase, outcome.rulings)
    assert outcome.units == {"FRANCE": ("A MUN", "A PAR")}
    with pytest.raises(ProblemsError, match=r"orders\.txt:2:3: unknown province 'Pariz'"):
        parse_phase(sheet, "orders.txt")
    with pytest.raises(FileError, match=r"orders\.txt:2:3: unknown province 'Brugandi'"):
        parse_phase("France:\n  A Brugandi - Par\n", "orders.txt", rules="1971")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("orders.txt", "Germany:\n A Mun - Tirolia\n"),
        ("orders.yaml", "orders: {GERMANY: [A Mun - Tirolia]}\n"),
        ("orders.yaml", "rules: datc\norders: {GERMANY: [A Mun - Tirolia]}\n"),
    ],
)
def test_set_reaches_the_reading_of_a_file(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["adjudicate", str(file), "--set", "poorly_written=spelling"])
    assert "'Tirolia' is read as Tyrolia" in done.output.replace("\n", " ")
    assert done.exit_code == 0


@pytest.mark.parametrize("rules", ["datc", "1971", "4.E.2-a", "4.E.2-d"])
def test_the_beginning_of_a_name_is_followed_and_reported(rules: str) -> None:
    """`Mars` is not a name on the map but begins one: a badly written order with one
    meaning (4.E.2)."""
    outcome = judged(rules, "A Bur - Mars", "A Gas S A Bur - Marse", units="A BUR, A GAS")
    assert [(order.order, order.amended) for order in outcome.orders] == [
        ("A BUR - MAR", "'Mars' is read as Marseilles"),
        ("A GAS S A BUR - MAR", "'Marse' is read as Marseilles"),
    ]  # fmt: skip
    assert judged(rules, "A Bur - Mar").orders[0].amended == ""


# --- places that are not on the map (2.4 4.E.1) ---------------------------------------------------


def walker(text: str, rules: str) -> str:
    """The result of the attack on Munich in Walker's example if the army there has this order."""
    orders = {**WALKER, "GERMANY": [text, "A Ruh S A Mun"]}
    case = Case("", orders, {}, {"GERMANY": ["A MUN", "A RUH"], "RUSSIA": ["A SIL", "A BOH"]})
    return found_in(case.outcome(dipsat.load_profile(rules)), ["A Sil - Mun"])["A Sil - Mun"]


@pytest.mark.parametrize("rules", ["1971", "4.E.1-b+4.E.2-a", "4.E.1-b+4.E.2-d"])
@pytest.mark.parametrize(
    ("text", "is_move"),
    [
        ("A Mun - Mos", True), ("A Mun - Switzerland", True), ("A Mun - Mar", True),
        ('A Mun whistles "Dixie"', False), ("A Mun - Oz", False),
        ("A Mun loot and pillage", False), ("A Mun - Mars", False),
    ],
)  # fmt: skip
def test_an_order_to_a_space_on_the_board_is_a_move(text: str, is_move: bool, rules: str) -> None:
    """Rod Walker in 4.E.1 b: "an order to move to any space on the board, no matter how
    impossible, is an order to move ... A Mun-Mos, A Mun-Switzerland". Otherwise "I regard it as
    being ordered to hold, and it may be supported in place ... A Mun whistles "Dixie", A Mun-Oz, A
    Mun loot and pillage, A Mun-Mars (but not A Mun-Mar)".
    """
    assert walker(text, rules) == ("succeeds" if is_move else "fails")


@pytest.mark.parametrize(
    ("name", "verdict"),
    [("4.E.1-a", "succeeds"), ("4.E.1-b", "succeeds"), ("4.E.1-c", "fails"), ("4.E.1-d", "fails")],
)
@pytest.mark.parametrize("land", ["Switzerland", "Swi", "SWITZERLAND"])
def test_impassable_land_is_on_the_map_and_nobody_goes_there(
    land: str, name: str, verdict: str
) -> None:
    """4.E.1, about c and d: "the geography of the map is taken into account"."""
    assert walker(f"A Mun - {land}", name) == verdict
    (order,) = judged(choice(name), f"A Mun - {land}", units="A MUN").orders
    assert (order.verdict, order.reason.code) == ("illegal", "impassable")
    for text in (f"A {land} - Mun", f"A Mun - {land} - Bohemia -"):
        with pytest.raises((UnknownNameError, OrderSyntaxError)):
            judged(choice("4.E.1-b"), text, units="A MUN")


def test_a_move_to_a_place_off_the_map_is_an_order_under_one_choice_only() -> None:
    """Walker: `A Mun - Oz` is not an order to move; under choice a, and in the DPTG, it is one."""
    orders = {**WALKER, "GERMANY": ["A Mun - Oz", "A Ruh S A Mun"]}
    case = Case("", orders, {}, {"GERMANY": ["A MUN", "A RUH"], "RUSSIA": ["A SIL", "A BOH"]})
    assert found_in(case.outcome("4.E.1-a"), ["A Mun - Oz", "A Sil - Mun"]) == {
        "A Mun - Oz": "illegal", "A Sil - Mun": "succeeds",
    }  # fmt: skip
    for name in ("4.E.1-b", "4.E.1-c", "4.E.1-d"):
        with pytest.raises(UnknownNameError):
            case.outcome(name)
        assert walker("A Mun - Oz", f"{name}+4.E.2-a") == "fails"
    with pytest.raises(UnknownNameError):
        judged(choice("4.E.1-a"), "A Oz - Mun", units="A MUN")


def test_a_place_counts_as_off_the_map_only_if_it_is_not_a_misspelling() -> None:
    texts = ["A Bur - Pariz", "A Gas - Atlantis", "A Mun - Switzerland"]
    outcome = judged(composed("4.E.1-a", "4.E.2-d"), *texts, units="A BUR, A GAS, A MUN")
    assert [(order.order, order.verdict) for order in outcome.orders] == [
        ("A BUR - PAR", "succeeds"), ("A GAS - ATLANTIS", "illegal"),
        ("A MUN - SWITZERLAND", "illegal"),
    ]  # fmt: skip
    assert outcome.to_dict()["orders"]


# --- games in files -------------------------------------------------------------------------------

GAME = """\
Map: standard
Rules: {rules}

Spring 1901 Movement

France:
  A Paris - Burgundi
  A Mar loots
  I give up
Germany:
  A Mun - Switzerland

Fall 1901 Movement

France:
  A Burgundi - Bel
  F Bre loots
"""


@exhaustive
def test_game_as_text_follows_badly_written_orders(tmp_path: Path) -> None:
    """DATC 2.4, 4.E.2: "A badly written order, which nevertheless can have only one meaning, must
    be followed"; the unit of any other one holds."""
    file = tmp_path / "game.txt"
    file.write_text(GAME.format(rules="1971"), encoding="utf-8")
    game = dipsat.Game.load(file)
    first = game.history[0].outcome
    assert first.units["FRANCE"] == ("F BRE", "A BUR", "A MAR")
    assert first.order("A MAR").verdict == "illegal"
    assert game.orders["FRANCE"] == ("A BUR - BEL", "F Bre loots")
    for name in ("saved.json", "saved.yaml", "saved.jsonl", "saved.txt"):
        game.save(tmp_path / name)
        again = dipsat.Game.load(tmp_path / name)
        assert again.advance().units["FRANCE"] == ("A BEL", "F BRE", "A MAR"), name


def test_game_as_text_refuses_them_where_its_rules_do(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(GAME.format(rules="datc"), encoding="utf-8")
    with pytest.raises(FileError, match=r"game.txt:7:3: unknown province 'Burgundi'.*Burgundy"):
        dipsat.Game.load(file)


@exhaustive
def test_replay_follows_badly_written_orders(tmp_path: Path) -> None:
    phases: list[dict[str, Any]] = [
        {"phase": "S1901M", "units": {"FRANCE": ["A PAR", "A SPA"]},
         "orders": {"FRANCE": ["A Paris - Burgundi", "A Spa holds forever"]}},
        {"phase": "F1901M", "units": {"FRANCE": ["A BUR", "A SPA"]}},
    ]  # fmt: skip
    file = tmp_path / "game.json"
    game = {"format": "dipsat game", "version": 1, "rules": "1971", "phases": phases}
    file.write_text(json.dumps(game), encoding="utf-8")
    (report,) = replay_files([file])
    assert isinstance(report, GameReport)
    assert (report.agree, report.differ) == (1, ())
    file.write_text(json.dumps(game | {"rules": "datc"}), encoding="utf-8")
    (report,) = replay_files([file])
    assert isinstance(report, GameReport)
    assert "unknown province 'Burgundi'" in report.skipped[0].reason


def test_the_beginning_of_a_name_of_several_words_is_followed() -> None:
    reader = dipsat.reader_for(dipsat.load_map("standard"))
    assert reader.read("F Rom - Tyrrhenian Se") == reader.read("F ROM - TYS")
    assert reader.read("F Rom - Mid Atlan") == reader.read("F ROM - MAO")


@pytest.mark.parametrize(
    ("name", "order"), [("twentytwenty", "F RIO D"), ("unconstitutional", "F OLD B")]
)
def test_an_action_is_not_taken_for_the_beginning_of_a_name(name: str, order: str) -> None:
    """Rio de Janeiro, and Old Bahama Channel."""
    reader = dipsat.reader_for(dipsat.load_map(name))
    verb = {"D": "disbands", "B": "builds"}[order[-1]]
    assert reader.read(order) == reader.read(f"{order[:-1]}{verb}")


def test_an_empty_order_in_a_document_is_ignored() -> None:
    document = 'units: {ITALY: [F ROM]}\norders: {ITALY: ["", "  "]}\n'
    phase = parse_phase(document, "orders.yaml", rules="1971")
    (order,) = dipsat.adjudicate(phase.position, phase.orders, "1971").orders
    assert (order.order, order.verdict) == ("F ROM H", "stands")


def test_a_sheet_says_what_to_do_about_a_text_without_a_unit() -> None:
    with pytest.raises(FileError, match=r"orders.txt:3:1: .*state the units under `units:` in"):
        parse_phase("England:\n A Lon H\nHold everything\n", "orders.txt", rules="2023")


@pytest.mark.parametrize(("above", "line"), [("", 1), ("Spring 1901 Movement\n", 2)])
def test_an_unknown_heading_is_named_with_its_line(above: str, line: int) -> None:
    with pytest.raises(FileError, match=f"orders.txt:{line}:1: unknown power 'Narnia'"):
        parse_phase(f"{above}Narnia:\n A Lon H\n", "orders.txt")


@pytest.mark.parametrize("letter", "bcd")
def test_a_poorly_written_support_may_imply_a_move(letter: str) -> None:
    """4.E.2 and 4.E.3 together: each reading is judged with the order that it implies."""
    rules = f"choices/4.E.2-{letter}+choices/4.E.3-a"
    outcome = judged(rules, "A Par S A Mar - Bu.", units="A PAR, A MAR")
    assert outcome.order("A PAR").order == "A PAR S A MAR - BUR"
    assert outcome.order("A MAR").order == "A MAR - BUR"
