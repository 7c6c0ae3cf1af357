# ruff: noqa: E501  # the rule files of these tables are easier to read on one line
"""Powers that rules name, and relations between powers."""

from __future__ import annotations

from pathlib import Path

import pytest

import dipsat
from dipsat.engines import ENGINES
from dipsat.errors import DipsatError, MissingPowerError, NotMadeForError
from dipsat.rules import difference, parse_profile, whole_profile
from dipsat.searches.structure import beyond_the_theory

ALLIES = """\
name: allies
extends: datc
variables: {v: Power, w: Power}
relations:
  allied(v, w): {rows: [[England, France], [France, England]], properties: [symmetric]}
decisions:
  support(s):
    base: kept
    allies_only: s.power == s.supported.power or allied(s.power, s.supported.power)
"""


def rules(text: str, name: str = "mine.yaml") -> dipsat.Profile:
    """A profile that adds these entries to datc."""
    return parse_profile(f"name: mine\nextends: datc\n{text}\n", name)


def dislodged(profile: dipsat.Profile, by: str, power: str) -> bool:
    """Whether an attack on Belgium by a power that another supports succeeds, according to every
    engine that is made for the rules, and to Z3 without propagation."""
    units = {by: ["F NTH"], power: ["A PIC"], "GERMANY": ["A BEL"]}
    orders = {by: ["F NTH S A PIC - BEL"], power: ["A PIC - BEL"], "GERMANY": ["A BEL H"]}
    position = dipsat.Position.from_units(units)
    outcomes = [dipsat.adjudicate(position, orders, profile, presolve=one) for one in (True, False)]
    for engine in ENGINES:
        try:
            outcomes.append(dipsat.adjudicate(position, orders, profile, engine=engine))
        except NotMadeForError:
            continue
    found = {outcome.order("A BEL").fate == "dislodged" for outcome in outcomes}
    assert len(outcomes) > 3
    assert len(found) == 1
    assert dipsat.prove(position, orders, profile).verdict == "unique"
    return found.pop()


@pytest.mark.parametrize(
    ("by", "power", "given"),
    [("ENGLAND", "FRANCE", True), ("FRANCE", "ENGLAND", True), ("ENGLAND", "ITALY", False),
     ("RUSSIA", "FRANCE", False)],
)  # fmt: skip
def test_a_relation_between_powers_decides(by: str, power: str, given: bool) -> None:
    assert dislodged(parse_profile(ALLIES, "allies.yaml"), by, power) is given


@pytest.mark.parametrize("spelled", ["ENGLAND", "English"])
def test_a_power_is_compared_by_any_of_its_names(spelled: str) -> None:
    found = rules(f'decisions:\n  support(s): base and s.power != "{spelled}"')
    assert not dislodged(found, "ENGLAND", "FRANCE")
    assert dislodged(found, "RUSSIA", "FRANCE")
    assert found.declared.powers == ("ENGLAND",)


def test_legality_may_name_powers() -> None:
    found = rules('legal:\n  at_home(m): m.power != "Italy" or m.target.code != "TRI"')
    position = dipsat.Position.from_units({"ITALY": ["A VEN"], "AUSTRIA": ["A ALB"]})
    outcome = dipsat.adjudicate(
        position, {"ITALY": ["A VEN - TRI"], "AUSTRIA": ["A ALB - TRI"]}, found
    )
    assert [order.verdict for order in outcome.orders] == ["succeeds", "illegal"]


def test_an_empty_text_is_not_a_power() -> None:
    found = rules('legal:\n  neutral(m): m.target.owner == "" or not m.target.supply')
    position = dipsat.Position.from_units(
        {"FRANCE": ["A PAR", "A BUR"]}, centers={"GERMANY": ["MUN"]}
    )
    outcome = dipsat.adjudicate(position, {"FRANCE": ["A BUR - MUN", "A PAR - BRE"]}, found)
    assert [order.verdict for order in outcome.orders] == ["illegal", "succeeds"]
    assert found.declared.powers == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('define:\n  left(u): u.power == "eng"', "4:23: the map standard has no power 'eng'"),
        ('define:\n  left(u): u.power == "Turky"', "4:23: the map standard has no power 'Turky'; did you mean 'TURKEY'? (for the powers of another map, write map: NAME in this file)"),
        ('map: colonial\ndefine:\n  left(u): u.power == "Englund"', "5:23: the map colonial has no power 'Englund'; known: "),
        ("variables: {v: Power}\nrelations:\n  mine(v): [[Rome]]", "5:14: the map standard has no power 'Rome'; known: AUSTRIA, "),
        ("variables: {v: Power, w: Power}\nrelations:\n  x(v, w): {rows: [[Italy, Turkey]], properties: [symmetric]}", "5:20: relation 'x' should be symmetric, but [Turkey, Italy] is missing"),
        ("variables: {v: Power, w: Power}\nrelations:\n  x(v, w): {rows: [], properties: [reflexive]}", "but [AUSTRIA, AUSTRIA] is missing"),
        ("relations:\n  x(u): [[a]]", "4:3: a relation is between members of declared domains, or powers; u is a Unit"),
    ],
)  # fmt: skip
def test_a_power_that_the_map_lacks_is_refused_when_the_rules_are_loaded(
    text: str, problem: str
) -> None:
    with pytest.raises(DipsatError) as caught:
        rules(text)
    assert f"mine.yaml:{problem}" in str(caught.value) or problem in str(caught.value)


def test_powers_are_not_known_if_the_map_has_a_fault(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("name: bad\nprovinces: {}\n", encoding="utf-8")
    text = 'name: mine\nextends: datc\nmap: bad.yaml\nlegal:\n  x(m): m.power == "Nobody"\n'
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(DipsatError, match="the map of these rules has a fault"):
        dipsat.load_profile(tmp_path / "mine.yaml")


def test_rules_that_name_a_power_are_not_for_a_map_without_it() -> None:
    found = rules('decisions:\n  support(s): base and s.power != "England"')
    position = dipsat.Position.start("ancient_mediterranean")
    with pytest.raises(MissingPowerError) as caught:
        dipsat.adjudicate(position, {}, found)
    assert (caught.value.power, caught.value.rules) == ("ENGLAND", "mine")
    assert "which the map 'ancient_mediterranean' does not have; its powers: " in str(caught.value)


def test_rules_with_powers_are_shown_and_compared() -> None:
    found = parse_profile(ALLIES, "allies.yaml")
    shown = parse_profile(whole_profile(found), "shown.yaml")
    assert not difference(found, shown).changes
    other = parse_profile(ALLIES.replace("France", "Italy"), "allies.yaml")
    assert [change.section for change in difference(found, other).changes] == [
        "relations", "decisions",
    ]  # fmt: skip


def test_the_theory_of_any_board_does_not_read_equations_that_name_powers() -> None:
    named = rules('decisions:\n  support(s): base and s.power != "Italy"')
    assert "support" in beyond_the_theory(named)
