"""Pictures of reasons: what they show is what the documents and the rules say."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import dipsat
from dipsat.errors import QuestionError
from dipsat.proof.decision_cycles import decision_cycles_of
from tests.pages import ROOT, assert_python_prints, blocks, page

_SVG = "{http://www.w3.org/2000/svg}"
SIMPLE = """\
England:
 F LON S F WAL - ENG
 F WAL - ENG
France:
 A BRE - LON
 F ENG C A BRE - LON
"""
"""DATC 6.F.14: a paradox with two resolutions."""
RING = "Turkey:\n F ANK - CON\n A CON - SMY\n A SMY - ANK\n"
"""DATC 6.C.1: three units in a circle."""
PANDIN = (ROOT / "docs/examples/convoy-paradox.txt").read_text(encoding="utf-8")
"""DATC 6.F.16: a paradox without a resolution."""


def judged(text: str, rules: str = "datc") -> dipsat.Outcome:
    """The outcome of an order sheet."""
    profile = dipsat.load_profile(rules)
    phase = dipsat.parse_phase(text, "x.txt", profile.map or "standard")
    return dipsat.adjudicate(phase.position, phase.orders, profile)


def read(picture: str) -> ElementTree.Element:
    """A picture read back, with what all pictures must be."""
    found = ElementTree.fromstring(picture)
    assert found.tag == f"{_SVG}svg"
    assert "script" not in picture
    assert "href" not in picture
    assert "url(" not in picture
    return found


def of_class(found: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """The elements of a class."""
    return [one for one in found.iter() if name in one.get("class", "").split()]


def texts(found: ElementTree.Element) -> list[str]:
    """All texts that are seen."""
    return ["".join(one.itertext()) for one in found.iter(f"{_SVG}text")]


def values(found: ElementTree.Element) -> dict[str, dict[str, str]]:
    """Decision -> column -> the value shown."""
    return {
        one.attrib["data-name"]: {
            value.attrib["data-column"]: texts(value)[-1] for value in of_class(one, "value")
        }
        for one in of_class(found, "decision")
    }


# --- Decision cycles ------------------------------------------------------------------------------


def test_the_simple_paradox_has_its_two_resolutions_side_by_side() -> None:
    """As DATC 6.F.14 says: the convoy succeeds and the fleet stays, or the other way round."""
    found = read(dipsat.svg.cycle(judged(SIMPLE)))
    assert "A decision cycle with 2 resolutions" in texts(found)
    shown = values(found)
    convoy, attack = shown["convoy(F ENG C A BRE - LON)"], shown["move(F WAL - ENG)"]
    both = [(convoy[column], attack[column]) for column in ("1", "2")]
    assert sorted(both) == [("available", "fails"), ("disrupted", "succeeds")]
    assert (convoy["="], attack["="]) == ("disrupted", "succeeds")
    assert any("the rule 'Szykman' sets" in text for text in texts(found))


def test_a_paradox_without_a_resolution_shows_two_contradictions() -> None:
    """Pandin's paradox: if the convoy succeeds, its fleet is dislodged, and else it is not."""
    found = read(dipsat.svg.cycle(judged(PANDIN)))
    shown = values(found)
    assert [shown["convoy(F ENG C A BRE - LON)"][column] for column in "ab="] == [
        "available", "disrupted", "disrupted",
    ]  # fmt: skip
    assert [shown["dislodge(F ENG)"][column] for column in "ab="] == ["dislodged", "stays", "stays"]
    assert [shown["prevent_strength(F WAL - ENG)"][column] for column in "ab="] == ["1", "2", "2"]
    assert "A decision cycle without a resolution" in texts(found)


@pytest.mark.parametrize(("text", "turns"), [(PANDIN, 1), (SIMPLE, 0)])
def test_an_odd_number_of_turns_has_no_resolution_and_an_even_one_has_two(
    text: str, turns: int
) -> None:
    found = read(dipsat.svg.cycle(judged(text)))
    boxes = of_class(found, "decision")
    arrows = of_class(found, "turns") + of_class(found, "depends")
    assert len(boxes) == len(arrows)  # one ring
    assert len(of_class(found, "turns")) % 2 == turns


def test_a_circular_movement_goes_round() -> None:
    found = read(dipsat.svg.cycle(judged(RING)))
    for move in ("F ANK - CON", "A CON - SMY", "A SMY - ANK"):
        shown = values(found)[f"move({move})"]
        assert {shown["1"], shown["2"]} == {"succeeds", "fails"}
        assert shown["="] == "succeeds"
    framed = [texts(one)[-1] for one in of_class(found, "framed")]
    assert framed == ["succeeds"] * 3


def test_a_proof_shows_the_same_cycle() -> None:
    phase = dipsat.parse_phase(PANDIN, "x.txt")
    proof = dipsat.prove(phase.position, phase.orders)
    assert dipsat.svg.cycle(proof) == dipsat.svg.cycle(judged(PANDIN))


def test_an_arrow_has_a_bar_where_the_rules_turn_a_value_round() -> None:
    (one,) = decision_cycles_of(judged(PANDIN))
    named = {decision.name: at for at, decision in enumerate(one.decisions)}
    signs = {(link.source, link.target): link.sign for link in one.dependences}
    convoy, path = named["convoy(F ENG C A BRE - LON)"], named["path(A BRE - LON)"]
    support, fleet = named["support(F LON S F WAL - ENG)"], named["dislodge(F ENG)"]
    assert (signs[convoy, path], signs[path, support], signs[fleet, convoy]) == (1, -1, -1)


def test_a_cycle_without_a_rule_is_drawn_too() -> None:
    rules = dipsat.parse_profile("extends: datc\ncycles: []\n", "bare.yaml")
    phase = dipsat.parse_phase(RING, "x.txt")
    found = read(dipsat.svg.cycle(dipsat.prove(phase.position, phase.orders, rules)))
    assert "The profile has no rule for this cycle." in texts(found)
    assert set(values(found)["move(A CON - SMY)"]) == {"1", "2"}


def test_many_decisions_are_a_table() -> None:
    orders = "F ANK - CON", "A CON - SMY", "A SMY - SYR", "A SYR - ARM", "A ARM - ANK"
    text = "Turkey:\n" + "".join(f" {order}\n" for order in orders)
    found = read(dipsat.svg.cycle(judged(text)))
    rows = of_class(found, "decision")
    assert len(rows) > 12
    assert not of_class(found, "depends")
    (row,) = (one for one in rows if one.get("data-name") == "move(A SYR - ARM)")
    assert sorted(texts(row)[-3:]) == ["fails", "succeeds", "succeeds"]


def test_without_a_cycle_there_is_nothing_to_draw() -> None:
    with pytest.raises(QuestionError, match="there is no decision cycle to draw"):
        dipsat.svg.cycle(judged("France:\n A PAR - BUR\n"))


def test_names_of_rules_are_escaped() -> None:
    name = "</text><script>alert(1)</script>&\x07"
    text = f"extends: datc\ncycles: [{{name: '{name}', when: true, set: {{move: true}}}}]\n"
    rules = dipsat.parse_profile(text.replace("\x07", ""), "bare.yaml")
    phase = dipsat.parse_phase(RING, "x.txt")
    found = ElementTree.fromstring(
        dipsat.svg.cycle(dipsat.adjudicate(phase.position, phase.orders, rules))
    )
    assert any("</text><script>alert(1)</script>&" in text for text in texts(found))
    assert not list(found.iter(f"{_SVG}script"))


# --- The page -----------------------------------------------------------------------------------


@pytest.mark.parametrize("code", blocks(page("docs/pictures.md"), "python"))
def test_the_examples_of_the_page_run(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert_python_prints(code)
