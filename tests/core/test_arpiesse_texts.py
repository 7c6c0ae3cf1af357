"""Colors of units in texts: notations of builds, headings, and what to do without the rules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dipsat
from dipsat.errors import FileError, OrderSyntaxError, UnknownNameError
from dipsat.formats import parse_phase_text
from dipsat.formats.text_sheet import read_transcript
from dipsat.game import PhaseName
from dipsat.orders import reader_for, text_parse
from dipsat.orders.text_parse import rules_hint

SUMMER = "arpiesse+color_exchange=on"
RULES = dipsat.load_profile("arpiesse")
READER = reader_for(dipsat.load_map("standard"), RULES.words)

# --- builds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Build Silver A Ven", "Silver A Ven B", "Silver Build A VEN", "A VEN B silver",
        "silver builds army Venice", "Italian silver build A Ven", "A Ven builds, Silver",
        "Build A VEN silver", "Build army Venice SILVER",
    ],
)  # fmt: skip
def test_color_of_a_build_stands_before_the_unit_the_verb_or_at_the_end(text: str) -> None:
    """Section I: "Units that are built in Winter phases during the game can be of any color."."""
    order = READER.read(text)
    assert isinstance(order, dipsat.Build)
    assert dict(order.unit.attributes) == {"color": "silver"}


@pytest.mark.parametrize("text", ["Silver Build Red A VEN", "Silver A VEN B red"])
def test_build_of_two_colors_is_refused(text: str) -> None:
    with pytest.raises(OrderSyntaxError):
        READER.read(text)


def test_other_orders_have_no_color_behind_them() -> None:
    with pytest.raises(OrderSyntaxError, match="'silver' is left over at the end"):
        READER.read("A VEN - TRI silver")


# --- headings -------------------------------------------------------------------------------------

SHEET = """\
{heading}
Italy:
  Purple F Adr X A Tri
Austria:
  Silver A Tri X F Adr
"""


@pytest.mark.parametrize(
    "heading",
    ["Summer 1901 Exchange", "summer 1901 exchanges:", "Summer 1901", "U1901X", "Summer 1901 X"],
)
def test_order_sheet_of_a_summer_phase(heading: str) -> None:
    rules = dipsat.load_profile(SUMMER)
    phase = parse_phase_text(SHEET.format(heading=heading), "summer.txt", rules=rules)
    assert str(phase.position.phase) == "U1901X"
    outcome = dipsat.adjudicate(phase.position, phase.orders, rules)
    assert outcome.units == {"AUSTRIA": ("Purple A TRI",), "ITALY": ("Silver F ADR",)}


def test_phase_is_named_as_its_orders_only_under_their_rules() -> None:
    words = dipsat.load_profile(SUMMER).words
    assert str(PhaseName.parse("Summer 1901 Exchange", words)) == "U1901X"
    assert PhaseName.find("Fall 1901 Exchange", words) is None
    assert PhaseName.parse("U1901X").title(words) == "Summer 1901 Exchange"
    assert PhaseName.parse("F1901M").title(words) == "Fall 1901 Movement"
    with pytest.raises(UnknownNameError, match="only under rules that declare orders for it"):
        PhaseName.parse("Summer 1901 Exchange")
    with pytest.raises(FileError, match=r"s.txt:1: unknown phase 'Summer 1901 Exchange'"):
        parse_phase_text(SHEET.format(heading="Summer 1901 Exchange"), "s.txt", rules=RULES)


def test_option_that_adds_the_orders_of_a_phase_is_named() -> None:
    """Szykman, Arpiesse Diplomacy, XII: the exchange is optional, so the rules know it, but have it
    switched off."""
    advice = r"Exchange orders if you add \+color_exchange=on to the name"
    with pytest.raises(FileError, match=advice):
        parse_phase_text(SHEET.format(heading="Summer 1901 Exchange"), "s.txt", rules=RULES)
    with pytest.raises(OrderSyntaxError, match=advice):
        READER.read("Purple F Adr X A Tri")
    assert reader_for(READER.board, dipsat.load_profile(SUMMER).words).read("A Ven X A Rom")


def test_game_as_text_has_a_summer_phase() -> None:
    text = f"""\
Rules: {SUMMER}

Spring 1901 Movement
Italy: Red A Ven H

Summer 1901 Exchange
Italy: Red A Ven X Red A Rom
Italy: Red A Rom X Red A Ven
"""
    game = read_transcript(text, "game.txt")
    assert [str(phase) for phase, _ in game.phases] == ["S1901M", "U1901X"]
    assert game.phases[1][1]["ITALY"] == ("Red A Ven X Red A Rom", "Red A Rom X Red A Ven")


def test_document_names_its_phase_likewise() -> None:
    text = f"""\
rules: {SUMMER}
phase: Summer 1901 Exchange
orders: {{Italy: [Purple F Adr X A Tri], Austria: [Silver A Tri X F Adr]}}
"""
    assert str(parse_phase_text(text, "summer.yaml").position.phase) == "U1901X"


def test_option_set_for_the_rules_of_a_file_reaches_the_reading_of_its_orders() -> None:
    """Section XII, "Optional": the exchange of colors is there only if the option is chosen."""
    text = """\
rules: arpiesse
phase: U1901X
orders: {Italy: [Purple F Adr X A Tri], Austria: [Silver A Tri X F Adr]}
"""
    phase = parse_phase_text(text, "summer.yaml", settings={"color_exchange": "on"})
    assert phase.rules is not None
    outcome = dipsat.adjudicate(phase.position, phase.orders, phase.rules)
    assert outcome.units == {"AUSTRIA": ("Purple A TRI",), "ITALY": ("Silver F ADR",)}


# --- without the rules ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["Red A VEN - TRI", "F Adr S red A Ven - Tri", "Build Red A Ven", "Red Build A Ven"]
)
def test_unknown_word_that_is_a_color_names_the_rules(text: str) -> None:
    plain = reader_for(dipsat.load_map("standard"))
    with pytest.raises(UnknownNameError) as caught:
        plain.read(text)
    typed = "Red" if "Red" in text else "red"
    expected = f"unknown province {typed!r} in {text!r}; 'red' is a color in arpiesse"
    assert str(caught.value) == f"{expected}; choose the rules 'arpiesse'"


def test_color_behind_a_build_names_the_rules_too() -> None:
    plain = reader_for(dipsat.load_map("standard"))
    with pytest.raises(
        OrderSyntaxError, match="left over at the end; 'red' is a color in arpiesse"
    ):
        plain.read("A VEN B red")


def test_every_value_of_every_attribute_of_a_shipped_variant_is_known() -> None:
    found = set()
    for name in dipsat.variant_names():
        for attribute in dipsat.load_profile(name).declared.attributes.values():
            for value in attribute.values:
                found.add(value)
                assert rules_hint(value.upper()).startswith(f"'{value.upper()}' is a ")
                assert attribute.name in rules_hint(value)
    assert found >= {"red", "purple", "silver"}
    assert rules_hint("blue") == ""


def test_other_unknown_names_have_no_such_hint() -> None:
    plain = reader_for(dipsat.load_map("standard"))
    with pytest.raises(UnknownNameError, match=r"unknown province 'Venise'.*did you mean Venice"):
        plain.read("A Venise - TRI")


def test_words_of_variants_are_read_only_when_they_are_needed() -> None:
    code = """
import dipsat
from dipsat.orders import text_parse
game = dipsat.Game.standard()
game.submit("ITALY", ["A Ven - Tri"])
game.advance()
print(text_parse._values.cache_info().misses)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == "0"
    assert text_parse._values() is text_parse._values()


def test_saved_text_heads_the_summer_phase_with_the_name_of_its_orders(tmp_path: Path) -> None:
    game = dipsat.Game.new(rules=SUMMER)
    game.advance()
    file = tmp_path / "game.txt"
    game.save(file, "datc")
    text = file.read_text(encoding="utf-8")
    assert "\nSummer 1901 Exchange\n" in text
    read = read_transcript(text, str(file))
    assert [str(phase) for phase, _ in read.phases] == ["S1901M", "U1901X"]
