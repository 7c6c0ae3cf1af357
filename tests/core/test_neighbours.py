"""Rules that ask for the neighbours of a province, in every reading of equations."""

from __future__ import annotations

from itertools import product

import pytest

import dipsat
from dipsat import Achieve
from dipsat.errors import ProfileError, QuestionError
from dipsat.kernel import Batch
from dipsat.rules import Profile, parse_profile
from dipsat.searches import AnyUnits, OpenPosition, structure_of
from dipsat.searches.structure import beyond_the_theory
from tests.exhaustive import exhaustive
from tests.kernel.kernel_agreement import adjudicate_only, agreed, needs_compiler, random_boards
from tests.legal_texts import legal_order_texts

DRAINED = """
  support(s): >
    base and not any(any(move(m) and m.power != s.power for m in q.departures)
                     for q in s.province.neighbours)
"""
"""A support does not count while a foreign unit leaves a province beside the supporting one."""


def rules(text: str) -> Profile:
    return parse_profile(f"name: own\nextends: datc\n{text}\n", "own.yaml")


@pytest.mark.parametrize(
    ("unit", "target", "centres"),
    [
        # From the map of the 2000 rulebook: the supply centres beside each province.
        ("A PAR", "BUR", {"PAR", "BEL", "MUN", "MAR"}),  # not beside PIC, RUH, GAS
        ("A RUH", "KIE", {"DEN", "HOL", "MUN", "BER"}),  # by water and by land
        ("A RUH", "HOL", {"BEL", "KIE"}),
        ("F AEG", "CON", {"BUL", "ANK", "SMY"}),  # on either coast of Bulgaria
        ("F MAO", "NAF", {"TUN"}),
    ],
)
def test_neighbours_border_by_land_or_water(unit: str, target: str, centres: set[str]) -> None:
    own = rules("decisions:\n  attack_strength(m): sum(1 for q in m.target.neighbours if q.supply)")
    position = dipsat.Position.from_units({"FRANCE": [unit]})
    decisions = dipsat.adjudicate(position, {"FRANCE": [f"{unit} - {target}"]}, own).decisions
    assert decisions[f"attack_strength({unit} - {target})"] == len(centres)


def test_no_builds_beside_an_enemy() -> None:
    own = rules(
        "variables: {b: Build}\nlegal:\n  apart(b): not any("
        "any(u.power != b.power for u in q.units) for q in b.province.neighbours)"
    )
    position = dipsat.Position.from_units(
        {"FRANCE": ["A SPA"], "GERMANY": ["A BUR"]},
        phase="W1901A",
        centers={"FRANCE": ["PAR", "MAR", "BRE"]},
    )
    orders = {"FRANCE": ["Build A PAR", "Build A BRE"]}
    built = {one.unit: one.verdict for one in dipsat.adjudicate(position, orders, own).orders}
    assert built["A PAR"] == "illegal"  # beside Burgundy
    assert built["A BRE"] != "illegal"


@exhaustive
@pytest.mark.parametrize("place", ["RUH", "PIC"])
def test_searches_with_open_orders_know_neighbours(place: str) -> None:
    """A goal is possible exactly if some order set reaches it. The Ruhr is entered from
    Belgium, beside the Picard support that Paris needs; Picardy itself cannot be."""
    units = {"FRANCE": ["A PAR", "A PIC"], "GERMANY": ["A BEL"], "ITALY": ["A BUR"]}
    position = dipsat.Position.from_units(units)
    fixed = {"ITALY": ["A BUR H"], "FRANCE": ["A PAR - BUR"]}
    found = {}
    for own in (dipsat.load_profile("datc"), rules(f"decisions:{DRAINED}")):
        legal = legal_order_texts(position, own.settings)
        outcomes = [
            dipsat.adjudicate(
                position, {**fixed, "FRANCE": ["A PAR - BUR", order], "GERMANY": [other]}, own
            )
            for order, other in product(legal["A PIC"], legal["A BEL"])
        ]
        reached = any(
            all(one.order(unit).verdict == "succeeds" for unit in ("A PAR", "A BEL"))
            and one.order("A BEL").order == f"A BEL - {place}"
            for one in outcomes
        )
        asked = dipsat.search(
            position, Achieve(f"enters(BUR) and enters({place})"), fixed, rules=own
        )
        assert (asked.verdict == "found") == reached
        found[own.name] = reached
    assert found == {"datc": place != "PIC", "own": False}


def test_questions_that_do_not_know_places_decline_neighbours() -> None:
    own = rules(f"decisions:{DRAINED}")
    anywhere = OpenPosition(dipsat.load_map("standard"), {"any": (AnyUnits(2),)})
    with pytest.raises(QuestionError, match="equations that use 'neighbours'"):
        dipsat.search(anywhere, Achieve("some(units)"), rules=own)
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    with pytest.raises(ProfileError, match="a goal cannot use neighbours"):
        dipsat.search(position, Achieve("some(PAR.neighbours)"))


@exhaustive
@needs_compiler
def test_compiled_rules_know_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    adjudicate_only(monkeypatch)
    inland = "legal:\n  ashore(m): m.via or not all(q.kind == 'sea' for q in m.target.neighbours)"
    own = rules(f"{inland}\ndecisions:{DRAINED}")
    batch = Batch(own, native=True)
    boards = random_boards(batch, range(8), 24)
    found = agreed(batch, boards)
    assert found.by_python == found.errors == 0
    usual = [dipsat.adjudicate(*board).to_dict() for board in boards]
    assert usual != [dipsat.adjudicate(*board, own).to_dict() for board in boards]


BESIDE = rules("decisions:\n  path(m): base and some(m.target.neighbours)")


def test_theorems_leave_neighbours_open() -> None:
    assert beyond_the_theory(BESIDE) == ()


@exhaustive
def test_a_condition_on_neighbours_costs_no_theorem() -> None:
    found, usual = (
        {name: lemma.verdict for name, lemma in structure_of(one).lemmas.items()}
        for one in (BESIDE, dipsat.load_profile("datc"))
    )
    assert found == usual
