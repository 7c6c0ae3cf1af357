"""Kinds of orders that a profile declares: how they are read, when they are legal, what they do."""

from __future__ import annotations

import pytest

import dipsat
from dipsat.errors import DipsatError, ProblemsError, ProfileError
from dipsat.orders import read_form
from dipsat.rules import Profile, difference, parse_profile, whole_profile
from tests.exhaustive import exhaustive

TRUCE = """\
extends: datc
name: parley
orders:
  Truce(t):
    form: ["{unit} T {other: Unit}", "{unit} truce|truces with {other: Unit}"]
    legal: {of_two: t.unit != t.other}
    verdict: agreed
  Warning(w):
    form: "warn {place: Province}"
    legal:
      once: not any(v != w and v.power == w.power for v in Warning)
variables: {t: Truce, x: Truce, w: Warning, v: Warning}
decisions:
  agreed(t): any(x.unit == t.other and x.other == t.unit for x in Truce)
  # A warned province is not entered.
  path(m): >
    (not by_convoy(m) or route(m)) and not any(w.place == m.target for w in Warning)
    and all(not agreed(t) for t in Truce if any(u == t.unit for u in m.target.units))
reasons: {of_two: a unit has no truce with itself, once: a power warns once}
"""
UNITS = {"FRANCE": ["A PAR", "A BUR"], "GERMANY": ["A MUN", "A RUH"]}


@pytest.fixture(scope="module")
def rules() -> Profile:
    return parse_profile(TRUCE, "parley.yaml")


def outcome_of(
    rules: Profile, orders: dict[str, list[str]], presolve: bool = True
) -> dipsat.Outcome:
    return dipsat.adjudicate(dipsat.Position.from_units(UNITS), orders, rules, presolve=presolve)


def judged(rules: Profile, orders: dict[str, list[str]], presolve: bool = True) -> dict[str, str]:
    """Order as written -> its verdict, followed by its unit's fate."""
    found = outcome_of(rules, orders, presolve).orders
    return {one.submitted or one.unit: f"{one.verdict} {one.fate}".strip() for one in found}


ATTACK = {"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"], "FRANCE": ["A BUR T A MUN"]}


@pytest.mark.parametrize("text", ["A BUR T A MUN", "a bur truce with munich", "Bur T Mun"])
def test_order_is_read_in_all_its_forms(rules: Profile, text: str) -> None:
    found = outcome_of(rules, {"FRANCE": [text]}).order("A BUR")
    assert (found.verdict, found.order.split()[-1]) == ("fails", "MUN")


@pytest.mark.parametrize("presolve", [True, False])
def test_decision_of_the_kind_is_its_verdict(rules: Profile, presolve: bool) -> None:
    alone = judged(rules, ATTACK, presolve=presolve)
    assert alone["A BUR T A MUN"] == "fails dislodged"
    both = {**ATTACK, "GERMANY": ["A MUN T A BUR", "A RUH - BUR"], "FRANCE": [*ATTACK["FRANCE"]]}
    found = judged(rules, both, presolve=presolve)
    assert found["A BUR T A MUN"] == found["A MUN T A BUR"] == "succeeds"
    assert found["A RUH - BUR"] == "fails"


def test_a_power_may_order_beside_its_units(rules: Profile) -> None:
    orders = {"FRANCE": ["warn Burgundy", "A PAR - PIC"], "GERMANY": ["A MUN - BUR", "A RUH - HOL"]}
    found = judged(rules, orders)
    assert found["warn Burgundy"] == "succeeds"
    assert found["A MUN - BUR"] == "fails"
    assert found["A RUH - HOL"] == found["A PAR - PIC"] == "succeeds"


def test_orders_are_judged_while_all_of_them_are_there(rules: Profile) -> None:
    orders = {"FRANCE": ["warn Bur", "warn Pic", "A PAR - PIC"], "GERMANY": ["A MUN - BUR"]}
    position = dipsat.Position.from_units({**UNITS, "FRANCE": ["A PAR"]})
    outcome = dipsat.adjudicate(position, orders, rules)
    warned = [order for order in outcome.orders if not order.unit]
    assert {(order.verdict, order.reason.text) for order in warned} == {
        ("illegal", "a power warns once")
    }
    assert outcome.order("A PAR").verdict == outcome.order("A MUN").verdict == "succeeds"


SIGNAL = """\
extends: datc
name: signal
orders:
  Signal(g):
    form: "signal {to: Unit} from {place: Province}"
    legal:
      first: not any(h != g for h in Signal)
      own_centre: g.place.owner == g.power
      abroad: g.to.power != g.power and not some(g.to.moves)
variables: {g: Signal, h: Signal}
"""


@exhaustive
def test_listed_orders_of_powers_are_exactly_those_accepted_alone() -> None:
    rules = parse_profile(SIGNAL, "signal.yaml")
    centers = {"FRANCE": ["PAR", "BRE"], "TURKEY": ["CON"]}
    position = dipsat.Position.from_units(UNITS, centers=centers)
    legal = dipsat.Game(position, rules).all_legal_orders()
    listed = {power: own.get("", ()) for power, own in legal.items()}
    assert set(listed) == set(position.map.powers)
    units = [str(unit) for unit in position.units]
    for power, texts in listed.items():
        accepted = set()
        for unit in units:
            for place in position.map.provinces:
                text = f"signal {unit} from {place}"
                (told,) = (
                    one
                    for one in dipsat.adjudicate(position, {power: [text]}, rules).orders
                    if one.submitted
                )
                assert told.order == text
                accepted |= {text} if told.verdict != "illegal" else set()
        assert set(texts) == accepted
        assert len(texts) == len(accepted)
    assert {power: len(texts) for power, texts in listed.items() if texts} == {
        "FRANCE": 4, "TURKEY": 4,
    }  # fmt: skip


def test_orders_of_powers_are_listed_in_movement_phases_only(rules: Profile) -> None:
    for phase, count in (("S1901M", 75), ("W1901A", 0), ("S1901R", 0)):
        position = dipsat.Position.from_units(UNITS, phase=phase, unknown_centers=())
        game = dipsat.Game(position, rules)
        assert len(game.all_legal_orders()["FRANCE"].get("", ())) == count


@pytest.mark.parametrize(
    ("orders", "reason"),
    [
        (["A BUR T A WAR"], "WAR"), (["A BUR T A BUR"], "a unit has no truce with itself"),
        (["A BUR T A MUN", "A BUR - PIC"], ""),
    ],
)  # fmt: skip
def test_order_about_no_other_unit_or_beside_another_order_is_illegal(
    rules: Profile, orders: list[str], reason: str
) -> None:
    """Its unit holds, so it can be supported."""
    outcome = outcome_of(rules, {"FRANCE": [*orders, "A PAR S A BUR"], "GERMANY": ["A MUN - BUR"]})
    found = [order for order in outcome.orders if order.submitted in orders]
    assert {order.verdict for order in found} == {"illegal"}
    assert all(reason in order.reason.text for order in found)
    assert outcome.order("A PAR").verdict == "given"


def test_other_rules_do_not_know_the_order() -> None:
    with pytest.raises(DipsatError, match="A BUR T A MUN"):
        dipsat.adjudicate(dipsat.Position.from_units(UNITS), {"FRANCE": ["A BUR T A MUN"]})


def test_declared_orders_are_written_and_read_back(rules: Profile) -> None:
    again = parse_profile(whole_profile(rules), "again.yaml")
    assert again.declared == rules.declared
    assert difference(rules, again).changes == ()


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ("{unit} T {other}", "does not say what it is"),
        ("{unit} T {a: Unit} {a: Unit}", "twice"),
        ("{unit} - {target: Province}", "distinguishes it from other orders"),
        ("{unit} T {other: Unit", "brace"),
        ("{unit} § {other: Unit}", "not a word"),
        ("{unit} T {other: Move}", "Unit or Province"),
    ],
)
def test_faulty_form_is_reported(form: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read_form(form)


WRONG = {
    "no form": ("orders: {Truce(t): {verdict: a}}", "form"),
    "no verdict": ("orders: {Truce(t): {form: x, verdict: a}}", "no decision a over Truce"),
    "forms differ": ("orders: {T(t): {form: [x, 'y {a: Unit}']}}", "same fields"),
    "line alone": ("orders: {T(t): {form: x, line: l}}", "go together"),
    "line of nobody": ("orders: {T(t): {form: x, line: l, legs: L}}", "{unit} and {target"),
    "a type": ("orders: {Move(m): {form: x}}", "already a type"),
    "decision": ("orders: {T(t): {form: x, legal: {a: all(move(m) for m in Move)}}}", "use only"),
    "no fact": ("orders: {T(t): {form: x, legal: {a: t.unit == t.unit}}}", "no fact 'unit'"),
}


@pytest.mark.parametrize(("entry", "problem"), WRONG.values(), ids=WRONG)
def test_faulty_kind_is_one_error_with_place(entry: str, problem: str) -> None:
    kind = entry.partition("{")[2].partition("(")[0]
    variables = f"variables: {{t: {kind if kind != 'Move' else 'Unit'}}}\n"
    with pytest.raises(DipsatError) as caught:
        parse_profile(f"extends: datc\n{variables}{entry}\n", "wrong.yaml")
    problems = caught.value.problems if isinstance(caught.value, ProblemsError) else [caught.value]
    assert all(isinstance(one, ProfileError) for one in problems)
    assert problem in str(problems[-1])


def test_uses_of_a_faulty_declaration_are_not_reported_as_faults() -> None:
    text = """\
extends: datc
domains: {Size: [a, a]}
orders:
  Truce(t):
    form: "{unit} T {other}"
variables: {t: Truce, x: Truce, z: Size}
define:
  many(t): any(z == "a" for z in Size)
decisions:
  agreed(t): any(x.unit == t.unit for x in Truce)
  sized(m, z): true
"""
    with pytest.raises(ProblemsError) as caught:
        parse_profile(text, "truce.yaml")
    lines = [problem.line for problem in caught.value.problems if isinstance(problem, ProfileError)]
    assert lines == [2, 5]
