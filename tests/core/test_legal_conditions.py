"""Section `legal` of rule files: conditions on single orders, where fleets convoy, where powers
build."""

from __future__ import annotations

import random

import pytest

import dipsat
from dipsat.board.map import BUILD_RULES
from dipsat.errors import ProfileError
from dipsat.game import RulingStatus, Submission, adjustments, build_sites, judge_orders, powers_of
from dipsat.orders import reader_for
from dipsat.rules import Profile, difference, load_profile, parse_profile, whole_profile
from tests.exhaustive import exhaustive, parts_of
from tests.legal_texts import legal_order_texts
from tests.phases import adjudicate, position_of

HEAD = "name: own\nextends: datc\nvariables: {b: Build, w: Power}\n"
# Burgundy is entered only from Paris; only own armies are supported.
GATE = f"""\
{HEAD}legal:
  gate(m): m.target.code != "BUR" or m.origin.code == "PAR"
  own_only(s): s.power == s.supported.power
  no_far_convoys(c): c.target.code != "STP"
reasons:
  gate: the gate is shut
"""


def rules(text: str) -> Profile:
    """The profile of a text."""
    return parse_profile(text, "own.yaml")


def legal(text: str) -> Profile:
    """The standard rules with conditions on orders, and perhaps reasons."""
    return rules(f"{HEAD}legal:\n  {text}\n")


def winter(*centers: str) -> dipsat.Position:
    """A winter in which France owns some centres and has no units."""
    return dipsat.Position.from_units({}, phase="W1901A", centers={"FRANCE": centers})


def test_order_that_breaks_a_condition_is_illegal_and_its_unit_holds() -> None:
    orders = {
        "FRANCE": ["A MAR - BUR", "A PAR H"],
        "ITALY": ["A PIE - MAR", "A SPA S A PIE - MAR"],
    }
    found = adjudicate(orders, rules(GATE)).order("A MAR")
    assert (found.verdict, found.reason.code) == ("illegal", "gate")
    assert found.reason.text.startswith("the gate is shut; dislodged by A PIE")
    assert found.fate == "dislodged"
    assert adjudicate(orders, "datc").order("A MAR").verdict == "succeeds"


CLOSED = {
    "ENGLAND": ["A YOR - NWY", "F NTH C A YOR - NWY", "A LON S A YOR"],
    "FRANCE": ["A EDI - YOR", "A LVP S A EDI - YOR"],
}
"""A YOR - NWY is legal unless a condition closes Norway."""


def closed(name: str) -> Profile:
    """A profile with that condition under that name."""
    return rules(f"{HEAD}settings: {{legal: map}}\nlegal:\n  {name}(m): m.target.code != 'NWY'\n")


NAMES = pytest.mark.parametrize("name", ["shut", "unreachable", "no_such_unit"])


@pytest.mark.parametrize("engine", ["solver", "dip_eval"])
@NAMES
def test_every_engine_applies_a_condition_whatever_its_name(name: str, engine: str) -> None:
    """A unit whose order breaks it holds and can be supported to hold, even where orders count that
    would be possible if other units were there (DATC 2.4 4.E.1 c): no unit changes a condition."""
    outcome = adjudicate(CLOSED, closed(name), engine=engine)
    assert (outcome.order("A YOR").verdict, outcome.order("A YOR").fate) == ("illegal", "")
    assert outcome.order("A LON").verdict == "given"
    assert adjudicate(CLOSED, "datc", engine=engine).order("A YOR").verdict == "succeeds"


@pytest.mark.parametrize("engine", ["dpjudge", "dpjudge(missing_fleet=mark)"])
@NAMES
def test_dpjudge_marks_an_order_that_breaks_a_condition_void_whatever_its_name(
    name: str, engine: str
) -> None:
    """Hand, step 2: a move is void if its space is not "one to which the unit may legally move"; a
    unit with such an order "did not issue the matching order" of a support to hold."""
    outcome = adjudicate(CLOSED, closed(name), engine=engine)
    assert outcome.order("A YOR").marks == ("void", "dislodged")
    assert outcome.order("A LON").verdict == "invalid"
    assert adjudicate(CLOSED, "datc", engine=engine).order("A YOR").verdict == "succeeds"


def test_a_condition_without_a_reason_is_reported_by_its_name() -> None:
    outcome = adjudicate({"FRANCE": ["A MAR S A BUR"], "ITALY": ["A BUR H"]}, rules(GATE))
    assert outcome.order("A MAR").reason.text == "own only"


def test_support_and_convoy_of_an_illegal_move_are_impossible() -> None:
    shut = legal('shut(m): m.target.code != "BEL"\nreasons: {shut: it is shut}')
    orders = {
        "FRANCE": ["A PIC S A LON - BEL", "A BUR H"],
        "ENGLAND": ["A LON H", "F ENG C A LON - BEL"],
    }
    outcome = adjudicate(orders, shut)
    for unit in ("A PIC", "F ENG"):
        reason = outcome.order(unit).reason
        assert reason.code == "impossible_move"
        assert reason.text == "A LON cannot move to BEL: it is shut"


def test_support_of_a_move_that_is_legal_only_by_convoy_is_possible() -> None:
    orders = {"FRANCE": ["A PIC S A HOL - BEL"], "ENGLAND": ["A HOL H", "F NTH H"]}
    by_sea = legal("sail(m): m.via or not m.by_land")
    assert adjudicate(orders, by_sea).order("A PIC").reason.code == "unmatched"
    by_nobody = legal('stay(m): m.origin.code != "HOL"')
    assert adjudicate(orders, by_nobody).order("A PIC").reason.code == "impossible_move"


def test_legal_orders_are_those_that_the_judge_takes() -> None:
    """Among all orders that the standard rules allow."""
    gate, removed = rules(GATE), 0
    for seed in range(2):
        rng = random.Random(seed)
        units = rng.sample(
            ["A PAR", "A MAR", "A GAS", "A MUN", "A RUH", "A PIC", "F ENG", "A WAL"], 6
        )
        position = dipsat.Position.from_units({"FRANCE": units[:3], "GERMANY": units[3:]})
        everything = legal_order_texts(position, load_profile("datc").settings)
        found = legal_order_texts(position, gate.settings)
        reader = reader_for(position.map)
        for unit, texts in everything.items():
            power = position.by_province[unit[2:5]].power
            for text in texts:
                submission = Submission(power, text, reader.read(text))
                (ruling,) = judge_orders(position, [submission], gate.settings)
                assert (ruling.status is RulingStatus.ILLEGAL) == (text not in found[unit]), text
                removed += ruling.status is RulingStatus.ILLEGAL
    assert removed > 20


def test_retreats_are_offered_and_taken_only_where_they_are_legal() -> None:
    shore = legal('inland(r): r.target.kind == "land"\nreasons: {inland: too wet}')
    orders = {"FRANCE": ["A BUR H"], "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]}
    outcome = adjudicate(orders, shore)
    assert outcome.dislodged[0].retreats == ("PAR",)
    assert "BEL" in adjudicate(orders).dislodged[0].retreats
    # A position that comes from elsewhere may list more.
    position = dipsat.Position.from_units({}, phase="S1901R", dislodged={"FRANCE": ["A BUR"]})
    assert legal_order_texts(position, shore.settings) == {
        "A BUR": ("A BUR R MUN", "A BUR R PAR", "A BUR R RUH", "A BUR D"),
    }
    found = dipsat.adjudicate(position, {"FRANCE": ["A BUR R BEL"]}, shore).order("A BUR")
    assert (found.verdict, found.reason.code, found.reason.text) == ("illegal", "inland", "too wet")


def test_condition_on_builds_concerns_what_is_built_and_where() -> None:
    armies = legal(
        'no_fleets(b): b.kind == "army" or b.province.code == "BRE"\n'
        "reasons: {no_fleets: no shipyard}"
    )
    position = winter("BRE", "MAR", "PAR")
    listed = legal_order_texts(position, armies.settings)
    assert listed["MAR"] == ("A MAR B", "WAIVE")
    assert listed["BRE"] == ("A BRE B", "F BRE B", "WAIVE")
    outcome = dipsat.adjudicate(position, {"FRANCE": ["F MAR B", "F BRE B"]}, armies)
    verdicts = {order.submitted: (order.verdict, order.reason.text) for order in outcome.orders}
    assert verdicts["F MAR B"] == ("illegal", "no shipyard")
    assert verdicts["F BRE B"][0] == "succeeds"


BUILDS = {
    "home": "p.owner == w and home(p, w)",
    "any": "p.owner == w",
    "any-if-home-owned": "p.owner == w and any(q.owner == w and home(q, w) for q in Province)",
    "home-any": "p.owner == w and some(p.homes)",
}
"""The settings for where to build, as conditions."""


@exhaustive
@pytest.mark.parametrize("setting", BUILD_RULES)
@pytest.mark.parametrize("seeds", parts_of(range(30), 3))
def test_settings_for_builds_can_be_written_as_a_condition(seeds: range, setting: str) -> None:
    said = rules(
        f"{HEAD}define:\n  home(p, w): any(h == w for h in p.homes)\n"
        f"legal:\n  builds_in(w, p): {BUILDS[setting]}\n"
    )
    chosen, sites = load_profile("datc", settings={"build_where": setting}), 0
    board = dipsat.load_map("standard")
    for seed in seeds:
        rng = random.Random(seed)
        powers, owned = list(board.powers), dict[str, list[str]]()
        for center in board.centers:
            owned.setdefault(rng.choice(powers), []).append(center)
        units = {rng.choice(powers): [f"A {code}"] for code in rng.sample(board.centers, 4)}
        position = dipsat.Position.from_units(units, board, "W1901A", owned)
        for power in powers_of(position):
            expected = build_sites(position, power, chosen.settings)
            assert build_sites(position, power, said.settings) == expected
            assert adjustments(position, power, said.settings) == adjustments(
                position, power, chosen.settings
            )
            sites += len(expected)
    assert sites > len(seeds)


def test_a_place_where_nobody_builds_is_reported_with_the_reason() -> None:
    nowhere = legal('builds_in(w, p): p.code == "PAR"\nreasons: {builds_in: only in Paris}')
    orders = {"FRANCE": ["A BRE B", "A PAR B"]}
    outcome = dipsat.adjudicate(winter("BRE", "MAR"), orders, nowhere)
    texts = {order.submitted: (order.verdict, order.reason.text) for order in outcome.orders}
    assert texts["A BRE B"] == ("illegal", "only in Paris")
    assert texts["A PAR B"][0] == "succeeds"  # nobody owns it, and it is allowed nevertheless


def test_fleets_convoy_where_the_rules_say_and_nowhere_else() -> None:
    coast = legal('convoys_in(p): p.code == "DEN"\nreasons: {convoys_in: not here}')
    orders = {"GERMANY": ["A KIE - SWE VIA", "F DEN C A KIE - SWE"]}
    assert adjudicate(orders, coast).order("A KIE").verdict == "succeeds"
    assert adjudicate(orders).order("F DEN").reason.code == "not_at_sea"
    at_sea = adjudicate({"GERMANY": ["A KIE H", "F BAL C A KIE - SWE"]}, coast).order("F BAL")
    assert (at_sea.verdict, at_sea.reason.text) == ("illegal", "not here")
    listed = legal_order_texts(position_of(orders), coast.settings)
    assert "A KIE - SWE VIA" in listed["A KIE"]
    assert "F DEN C A KIE - SWE" in listed["F DEN"]
    assert not [t for t in listed["F DEN"] if " C " in t and t.endswith(("- DEN", "- KIE"))]


def test_a_fleet_never_convoys_to_or_from_its_own_province() -> None:
    """DATC 2.4 9.A, 9.B; even when the question is about another fleet."""
    profile = load_profile("coastal_convoys")
    position = dipsat.Position.from_units(
        {"GERMANY": ["A BER", "F DEN", "F SKA", "F SWE", "A FIN"]}, "convoyable_coast"
    )
    listed = legal_order_texts(position, profile.settings)
    assert "A BER - DEN VIA" not in listed["A BER"]
    assert "A BER - SWE VIA" in listed["A BER"]
    assert "F SKA C A BER - DEN" not in listed["F SKA"]
    assert "F SWE C A FIN - SWE" not in listed["F SWE"]
    assert "F SWE C A FIN - DEN" in listed["F SWE"]


def test_conditions_of_several_profiles_add_up() -> None:
    both = load_profile("loeb9")
    assert {"no_move_to_ice", "no_support_over_border"} <= set(both.legal)


def test_conditions_are_written_and_read_back() -> None:
    own = rules(GATE)
    again = parse_profile(whole_profile(own), "again.yaml")
    assert difference(own, again).changes == ()
    assert again.settings == own.settings
    other = rules(GATE.replace('"PAR"', '"MUN"'))
    assert [(c.section, c.name) for c in difference(own, other).changes] == [("legal", "gate(m)")]
    assert other.settings != own.settings


WRONG = {
    "other orders": ("legal: {gate(m): some(m.rivals)}", "the fact rivals is not known when"),
    "a decision": ("legal: {gate(m): move(m)}", "before anything is decided"),
    "a term with one": ("legal: {gate(m): vacated(m)}", "before anything is decided"),
    "all moves": ("legal: {gate(m): any(a.via for a in Move)}", "other objects of type Move"),
    "chain": (
        "legal: {gate(m): 'chain(m.origin, m.target, (true for u in Unit))'}",
        "rings and chains",
    ),
    "a slip in a place": ("legal:\n  capture(u, p): p.supply", "did you mean 'captures'?"),
    "no order": ("legal: {gate(p): p.supply}", "about one order: Move, Support"),
    "a decision's name": ("legal: {support(s): true}", "already means something else"),
    "a term's name": ("legal: {left(m): true}", "already means something else"),
    "place of an order": ("legal: {convoys_in(m): true}", "convoys_in is about a Province"),
    "place without power": ("legal: {builds_in(p): true}", "about a Power and a Province"),
    "what changes": ("legal: {convoys_in(p): some(p.units)}", "the fact units is not known"),
    "not a truth": ("legal: {gate(m): 1 + 1}", "expected true or false"),
    "unknown": ("legal: {gate(m): m.speed}", "no fact 'speed'"),
    "reason of nothing": ("legal: {gate(m): true}\nreasons: {gat: shut}", "did you mean 'gate'"),
    "no such map": ("map: standrad", "there is no map 'standrad'; did you mean 'standard'"),
}


@pytest.mark.parametrize(("text", "problem"), WRONG.values(), ids=WRONG)
def test_faulty_condition_is_one_error_with_place(text: str, problem: str) -> None:
    with pytest.raises(ProfileError) as caught:
        parse_profile(f"extends: datc\n{text}\n", "wrong.yaml")
    assert problem in str(caught.value)
    assert str(caught.value).startswith("wrong.yaml:")
