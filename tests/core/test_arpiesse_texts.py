"""Colors of units in texts: notations of builds, headings, and what to do without the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

import dipsat
from dipsat.errors import FileError, OrderSyntaxError, UnknownNameError
from dipsat.formats import parse_phase_text
from dipsat.formats.transcript import read_transcript
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
def test_color_of_a_build_is_read_before_the_unit_or_the_verb_or_at_the_end(text: str) -> None:
    """Section I: "Units that are built in Winter phases during the game can be of any color."."""
    order = READER.read(text)
    assert isinstance(order, dipsat.Build)
    assert dict(order.unit.attributes) == {"color": "silver"}


@pytest.mark.parametrize(
    ("text", "said"),
    [("Silver Build Red A VEN", "says the color of the unit twice"),
     ("Silver A VEN B red", "says the color of the unit twice"),
     ("A VEN - TRI silver", "'silver' is left over at the end")],
)  # fmt: skip
def test_second_color_and_color_behind_another_order_are_refused(text: str, said: str) -> None:
    with pytest.raises(OrderSyntaxError, match=said):
        READER.read(text)


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


def test_phase_is_named_after_its_orders_only_under_rules_that_declare_them() -> None:
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
    """Szykman, Arpiesse Diplomacy, XII: the exchange is optional, so the rules know it, but it is
    switched off."""
    advice = r"Exchange orders if you add \+color_exchange=on to the name"
    with pytest.raises(FileError, match=advice):
        parse_phase_text(SHEET.format(heading="Summer 1901 Exchange"), "s.txt", rules=RULES)
    with pytest.raises(OrderSyntaxError, match=advice):
        READER.read("Purple F Adr X A Tri")
    assert reader_for(READER.board, dipsat.load_profile(SUMMER).words).read("A Ven X A Rom")


@pytest.mark.parametrize(
    ("rules", "phase", "chosen"),
    [(SUMMER, "Summer 1901 Exchange", {}), ("arpiesse", "U1901X", {"color_exchange": "on"})],
    ids=["in the name", "option set for the rules of the file"],
)
def test_rules_of_a_document_reach_the_reading_of_its_orders(
    rules: str, phase: str, chosen: dict[str, str]
) -> None:
    """Section XII, "Optional": the exchange of colors is there only if the option is chosen."""
    orders = "{Italy: [Purple F Adr X A Tri], Austria: [Silver A Tri X F Adr]}"
    text = f"rules: {rules}\nphase: {phase}\norders: {orders}\n"
    read = parse_phase_text(text, "summer.yaml", settings=chosen)
    assert read.rules is not None
    outcome = dipsat.adjudicate(read.position, read.orders, read.rules)
    assert outcome.units == {"AUSTRIA": ("Purple A TRI",), "ITALY": ("Silver F ADR",)}


# --- without the rules ----------------------------------------------------------------------------


HINT = "'red' is a color in arpiesse; choose the rules 'arpiesse'"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Red A VEN - TRI", f"unknown province 'Red' in 'Red A VEN - TRI'; {HINT}"),
        ("F Adr S red A Ven - Tri", f"unknown province 'red' in 'F Adr S red A Ven - Tri'; {HINT}"),
        ("Build Red A Ven", HINT), ("Red Build A Ven", HINT),
        ("A VEN B red", "left over at the end; 'red' is a color in arpiesse"),
        ("A Venise - TRI", "unknown province 'Venise' in 'A Venise - TRI'; this is French"),
    ],
)  # fmt: skip
def test_unknown_word_that_is_a_color_names_the_rules(text: str, said: str) -> None:
    with pytest.raises((UnknownNameError, OrderSyntaxError)) as caught:
        reader_for(dipsat.load_map("standard")).read(text)
    assert said in str(caught.value)
    assert ("color" in str(caught.value)) == ("Venise" not in text)


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


def test_words_of_variants_are_read_only_when_they_are_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    values = text_parse._values()
    assert text_parse._values() is values

    def noted() -> object:
        asked.append("values")
        return values

    monkeypatch.setattr(text_parse, "_values", noted)
    game = dipsat.Game.standard()
    game.submit("ITALY", ["A Ven - Tri"])
    game.advance()
    assert asked == []
    assert rules_hint("red")
    assert asked == ["values"]


def test_saved_text_heads_the_summer_phase_with_the_name_of_its_orders(tmp_path: Path) -> None:
    game = dipsat.Game.new(rules=SUMMER)
    game.advance()
    game.submit("ITALY", ["Red A Ven X Red A Rom", "Red A Rom X Red A Ven"])
    game.advance()
    file = tmp_path / "game.txt"
    game.save(file, "datc")
    text = file.read_text(encoding="utf-8")
    assert "\nSummer 1901 Exchange\n" in text
    read = read_transcript(text, str(file))
    assert [str(phase) for phase, _ in read.phases] == ["S1901M", "U1901X", "F1901M"][
        : len(read.phases)
    ]
    assert read.phases[1][1]["ITALY"] == ("Red A VEN X Red A ROM", "Red A ROM X Red A VEN")
