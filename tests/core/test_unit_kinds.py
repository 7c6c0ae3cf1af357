"""Kinds of units that rules declare (`units`), and which carry which (`convoys`): the variants
wings and portage, and house rules."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.board import UnitKind, unit_kind
from dipsat.cli import main
from dipsat.errors import ArgumentError, DipsatError, DocumentError, OrderWriteError, PositionError
from dipsat.game import RulingStatus, Submission, civil_disorder, judge_orders, legal_orders
from dipsat.orders import write_order
from dipsat.rules import load_profile, parse_profile
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of

WINGS, PORTAGE = load_profile("wings"), load_profile("portage")
WING = WINGS.declared.units["wing"]


def wings(units: dict[str, list[str]], **more: object) -> dipsat.Position:
    return dipsat.Position.from_units(units, rules=WINGS, **more)  # type: ignore[arg-type]  # passed on


def results(units: dict[str, list[str]], rules: str = "wings") -> dict[str, str]:
    """Unit -> its verdict, and its fate; `units` maps a power to orders."""
    profile = load_profile(rules)
    reader = dipsat.Position.from_units({}, rules=profile).reader
    placed = {p: [reader.read(t).unit.text() for t in texts] for p, texts in units.items()}  # type: ignore[union-attr]  # all are orders of units
    position = dipsat.Position.from_units(placed, rules=profile)
    outcome = dipsat.adjudicate(position, units, profile)
    return {o.unit: f"{o.verdict} {o.fate}".strip() for o in outcome.orders}


# --- kinds of units -------------------------------------------------------------------------------


def test_a_kind_is_one_object_and_its_letter() -> None:
    assert UnitKind.ARMY == "A"
    assert f"{WING} {WING.word} {WING.plural} {WING.with_article}" == "W wing wings a wing"
    assert UnitKind.ARMY.plural == "armies"
    for other in (copy.deepcopy(WING), pickle.loads(pickle.dumps(WING))):  # our own
        assert other is WING
    assert unit_kind("W", "wing", ("army",)) != WING
    assert json.dumps([WING]) == '["W"]'


def test_a_wing_crosses_the_borders_of_armies_and_of_fleets() -> None:
    board = dipsat.load_map("standard")
    near = board.reach(WING, "BUL")
    assert near == {"CON", "GRE", "RUM", "SER", "AEG", "BLA"}
    assert board.reach(WING, "MAO") >= {"BRE", "GAS", "SPA", "POR", "NAF", "NAO", "ENG", "IRI"}
    assert board.reach(WING, "PAR") == board.army["PAR"]
    for code in board.provinces:  # a border can be crossed both ways
        assert all(code in board.reach(WING, other) for other in board.reach(WING, code))


def test_wings_go_everywhere_and_name_no_coast() -> None:
    position = wings({"France": ["W PAR", "wing ENG", "W Bul"]})
    assert [str(unit) for unit in position.units] == ["W BUL", "W ENG", "W PAR"]
    with pytest.raises(PositionError, match="a wing stands on no coast; write W BUL"):
        wings({"France": ["W BUL/SC"]})


def test_units_without_their_kind_are_read_where_one_is_possible() -> None:
    assert str(dipsat.Position.from_units({"France": ["PAR"]}).units[0]) == "A PAR"
    wanted = r"an army \(A\), a fleet \(F\) or a wing \(W\)"
    for place in ("PAR", "ENG", "BRE"):
        with pytest.raises(PositionError, match=wanted):
            wings({"France": [place]})
    assert str(wings({"France": ["SPA/SC"]}).units[0]) == "F SPA/SC"


def test_no_wing_without_rules_that_have_wings() -> None:
    with pytest.raises(DipsatError, match="W"):
        dipsat.Position.from_units({"France": ["W PAR"]})
    with pytest.raises(PositionError, match="there is no wing under these rules"):
        dipsat.adjudicate(wings({"France": ["W PAR"]}), {}, "datc")


def test_a_position_takes_the_rules_themselves_and_not_their_name() -> None:
    with pytest.raises(ArgumentError, match=r"the profile itself: dipsat.load_profile\('wings'\)"):
        dipsat.Position.from_units({"France": ["W PAR"]}, rules="wings")  # type: ignore[arg-type]  # the slip


def test_wings_move_support_and_are_supported_like_other_units() -> None:
    found = results(
        {
            "France": ["Wing Par - Bur", "A MAR S W PAR - BUR", "W ENG - NTH"],
            "Germany": ["A MUN - BUR", "F HEL S W ENG - NTH"],
            "England": ["F LON - NTH"],
        }
    )
    assert found == {
        "W PAR": "succeeds", "A MAR": "given", "W ENG": "succeeds", "A MUN": "fails",
        "F HEL": "given", "F LON": "fails",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("W PAR - LON", "the wing cannot reach LON"),
        ("W PAR S A MUN - RUH", "cannot move to RUH"),
        ("F ENG C W PIC - LON", "only armies are convoyed"),
        ("W PIC - WAL via convoy", "the wing cannot reach WAL"),
        ("W NTH C A NWY - YOR", "only fleets convoy"),
    ],
)
def test_orders_that_wings_cannot_carry_out_are_illegal(order: str, why: str) -> None:
    units = ["W PAR", "A MUN", "F ENG", "W PIC", "W NTH", "A NWY"]
    outcome = dipsat.adjudicate(wings({"France": units}), {"France": [order]}, WINGS)
    (found,) = (one for one in outcome.orders if one.submitted)
    assert found.verdict == "illegal"
    assert why in found.reason.text


# --- centres --------------------------------------------------------------------------------------


def autumn(units: dict[str, list[str]]) -> dipsat.Position:
    centers = {"France": ["PAR", "MAR", "BRE"], "Germany": ["MUN", "BER", "KIE"]}
    return wings(units, phase="F1901M", centers=centers)


def test_a_wing_takes_no_centre_but_blockades_it() -> None:
    units = {"France": ["W BUR", "A RUH"], "Germany": ["A TYR", "F KIE", "A BER"]}
    orders = {"France": ["W BUR - MUN", "A RUH - HOL"]}
    position = dipsat.adjudicate(autumn(units), orders, WINGS).next
    assert str(position.phase) == "W1901A"
    assert position.centers["GERMANY"] == ("BER", "KIE", "MUN")  # still owned
    assert position.centers["FRANCE"] == ("BRE", "HOL", "MAR", "PAR")  # an army takes one
    # Germany has three units, and two centres that count.
    outcome = dipsat.adjudicate(position, {"Germany": ["A TYR D"]}, WINGS)
    assert [str(u) for u in outcome.units_after if u.power == "GERMANY"] == ["A BER", "F KIE"]


def test_a_blockade_is_lifted_when_the_wing_leaves() -> None:
    units = {"France": ["W MUN"], "Germany": ["A TYR", "F KIE", "A BER"]}
    for order, due in (("W MUN H", True), ("W MUN - BUR", False)):
        after = dipsat.adjudicate(autumn(units), {"France": [order]}, WINGS).next
        germany = {unit: texts for unit, texts in game_orders(after).items() if "D" in texts[0]}
        assert bool(germany) == due


def game_orders(position: dipsat.Position) -> dict[str, list[str]]:
    found = legal_orders(position, WINGS.settings)
    return {
        unit: [write_order(order, position.map) for order in orders]
        for unit, orders in found.items()
    }


@pytest.mark.parametrize(
    ("phase", "winner"),
    [("W1905A", "FRANCE"), ("S1906M", "FRANCE"), ("F1906M", None), ("S1906R", None)],
)
def test_nobody_wins_in_the_middle_of_a_year_because_a_blockade_ends(
    phase: str, winner: str | None
) -> None:
    board = dipsat.load_map("standard")
    centers = {"France": list(board.centers[:18])}
    free = wings({"France": ["A PAR"]}, phase=phase, centers=centers)
    assert dipsat.Game(free, "wings").winner == winner
    units = {"France": ["A PAR"], "Germany": [f"W {board.centers[0]}"]}
    blockaded = wings(units, phase=phase, centers=centers)
    assert dipsat.Game(blockaded, "wings").winner is None
    standard = dipsat.Position.from_units({"France": ["A PAR"]}, phase=phase, centers=centers)
    assert dipsat.Game(standard, "datc").winner == "FRANCE"


def test_a_wing_does_not_blockade_its_own_powers_centre() -> None:
    after = dipsat.adjudicate(autumn({"Germany": ["W MUN", "F KIE", "A BER"]}), {}, WINGS).next
    assert "GERMANY" not in {unit.power for unit in after.units if str(unit) in game_orders(after)}


@pytest.mark.parametrize("order", ["Build Wing Paris", "W PAR B", "w par b"])
def test_wings_are_built_where_a_power_builds(order: str) -> None:
    position = wings({"France": ["A BUR"]}, phase="W1901A", centers={"France": ["PAR", "MAR"]})
    outcome = dipsat.adjudicate(position, {"France": [order]}, WINGS)
    assert [str(unit) for unit in outcome.units_after] == ["A BUR", "W PAR"]
    assert game_orders(position)["PAR"] == ["A PAR B", "W PAR B", "WAIVE"]
    assert game_orders(position)["MAR"] == ["A MAR B", "F MAR B", "W MAR B", "WAIVE"]


def test_a_build_inland_says_its_kind_where_several_are_possible() -> None:
    position = wings({"France": ["A BUR"]}, phase="W1901A", centers={"France": ["PAR", "MAR"]})
    (order,) = dipsat.adjudicate(position, {"France": ["Build Paris"]}, WINGS).orders
    assert (order.verdict, order.reason.code) == ("illegal", "kind_impossible")
    assert "a wing (W)" in order.reason.text


def test_in_civil_disorder_fleets_go_before_wings_and_armies_last() -> None:
    position = wings({"France": ["W LON", "A YOR", "F WAL"]}, phase="W1901A")
    settings = WINGS.settings
    gone = [
        str(one) for n in (1, 2, 3) for one in civil_disorder(position, "FRANCE", (), n, settings)
    ]
    assert gone == ["F WAL", "F WAL", "W LON", "F WAL", "W LON", "A YOR"]


def test_a_dislodged_wing_retreats_over_land_or_water() -> None:
    position = wings({"France": ["W BRE"], "England": ["F ENG", "A PIC"]})
    orders = {"England": ["F ENG - BRE", "A PIC S F ENG - BRE"]}
    lost = dipsat.adjudicate(position, orders, WINGS).next
    assert [one.retreats for one in lost.dislodged] == [("GAS", "MAO", "PAR")]
    after = dipsat.adjudicate(lost, {"France": ["W BRE R MAO"]}, WINGS)
    assert "W MAO" in map(str, after.units_after)


# --- files and notations --------------------------------------------------------------------------


def test_a_game_with_wings_is_saved_and_loaded(tmp_path: Path) -> None:
    game = dipsat.Game(wings({"France": ["W PAR", "A MAR"]}), "wings")
    game.submit({"France": ["W PAR - BUR"]}).advance()
    game.save(tmp_path / "game.json")
    assert dipsat.Game.load(tmp_path / "game.json").to_dict() == game.to_dict()


def test_daide_has_no_word_for_a_wing() -> None:
    position = wings({"France": ["W PAR"]})
    (hold, *_) = legal_orders(position, WINGS.settings)["W PAR"]
    with pytest.raises(OrderWriteError, match="no word for a wing"):
        write_order(hold, position.map, "daide", power="FRANCE")
    assert write_order(hold, position.map, "datc") == "W Paris Holds"


# --- who convoys whom -----------------------------------------------------------------------------


def test_an_army_carries_a_fleet_over_land() -> None:
    found = results({"Russia": ["F Nth - Den - BAL", "A DEN P F NTH-BAL"]}, "portage")
    assert found == {"F NTH": "succeeds", "A DEN": "available"}


@pytest.mark.parametrize(
    ("target", "carriers", "verdict"),
    [
        ("BAR", ("SEV", "MOS", "STP"), "succeeds"),
        ("BAR", ("SEV", "STP"), "invalid"),  # the army in Moscow holds
        ("STP/NC", ("SEV", "MOS"), "illegal"),  # Moscow has no water
    ],
)
def test_armies_carry_a_fleet_through_several_provinces(
    target: str, carriers: tuple[str, ...], verdict: str
) -> None:
    orders = [f"F BLA - {target}", *(f"A {p} portages F BLA - {target}" for p in carriers)]
    if target == "BAR" and "MOS" not in carriers:
        orders.append("A MOS H")
    assert results({"Russia": orders}, "portage")["F BLA"] == verdict


def test_the_last_army_must_be_at_the_water_of_the_coast_where_the_fleet_goes() -> None:
    """Marseilles is at the waters of Spain's south coast, Gascony at those of its north coast."""
    units = {"France": ["F LYO", "A MAR", "A GAS"]}
    position = dipsat.Position.from_units(units, rules=PORTAGE)
    # To the south coast, Marseilles alone is enough: Gascony is not needed.
    for coast, gascony in (("NC", "available"), ("SC", "illegal")):
        move = f"F LYO - SPA/{coast}"
        orders = [f"{move} via convoy", f"A MAR C {move}", f"A GAS C {move}"]
        outcome = dipsat.adjudicate(position, {"France": orders}, PORTAGE)
        assert outcome.order("F LYO").verdict == "succeeds"
        assert outcome.order("A GAS").verdict == gascony
        assert f"F SPA/{coast}" in map(str, outcome.units_after)


@pytest.mark.parametrize(("carried", "verdict"), [(True, "succeeds"), (False, "invalid")])
def test_a_fleet_does_not_sail_to_a_coast_to_which_it_must_be_carried(
    carried: bool, verdict: str
) -> None:
    """It could sail to the south coast; the order need not say "via convoy"."""
    position = dipsat.Position.from_units({"France": ["F LYO", "A MAR", "A GAS"]}, rules=PORTAGE)
    orders = ["F LYO - SPA/NC", *(f"A {p} C F LYO - SPA/NC" for p in ("MAR", "GAS") if carried)]
    outcome = dipsat.adjudicate(position, {"France": orders}, PORTAGE)
    assert outcome.order("F LYO").verdict == verdict
    assert ("F SPA/NC" in map(str, outcome.units_after)) == carried


def test_a_carrier_at_the_other_coast_does_not_help_where_the_right_one_is_dislodged() -> None:
    orders = {
        "France": ["F LYO - SPA/NC via convoy", "A MAR C F LYO - SPA/NC", "A GAS C F LYO - SPA/NC"],
        "Germany": ["A BUR - GAS", "A PAR S A BUR - GAS"],
    }
    found = results(orders, "portage")
    assert found["F LYO"] == "fails"
    assert found["A MAR"] == "available"
    assert found["A GAS"].startswith("disrupted")


def test_no_unit_carries_its_own_kind() -> None:
    units = {"Russia": ["F NTH", "A DEN", "A SWE", "F SKA"]}
    position = dipsat.Position.from_units(units, rules=PORTAGE)
    for order in ("A DEN C A SWE - KIE", "F SKA C F NTH - NWY"):
        outcome = dipsat.adjudicate(position, {"Russia": [order]}, PORTAGE)
        assert outcome.order(order[:5]).verdict == "illegal"


@exhaustive
@pytest.mark.parametrize("rules", [WINGS, PORTAGE], ids=["wings", "portage"])
@pytest.mark.parametrize(("seed", "count"), few_of([(0, 4), *((seed, 6) for seed in range(2))], 1))
def test_every_listed_order_is_legal_and_every_legal_order_is_listed(
    rules: dipsat.Profile, seed: int, count: int
) -> None:
    """Among all orders that could be written: every move, support and convoy on the board."""
    import random

    rng = random.Random(seed)
    kinds = rules.words.units
    board = dipsat.load_map("standard")
    region = ["DEN", "SWE", "NWY", "FIN", "STP", "KIE", "BAL", "NTH", "SKA", "BOT", "SPA", "MAO"]
    units = []
    for code in rng.sample(region, count):
        kind = rng.choice([k for k in kinds if k.stands_in(board.provinces[code].kind)])
        place = rng.choice(board.provinces[code].locations) if kind.has_coasts else code
        units.append(f"{kind} {place}")
    position = dipsat.Position.from_units({"Russia": units}, rules=rules)
    listed = {
        order for orders in legal_orders(position, rules.settings).values() for order in orders
    }
    reader, legal = position.reader, set()
    places = sorted(board.locations)
    for one in units:
        texts = [f"{one} H"]
        texts += [f"{one} - {place}{via}" for place in places for via in ("", " VIA")]
        for other in units:
            if other != one:
                texts.append(f"{one} S {other}")
                texts += [f"{one} {verb} {other} - {p}" for verb in "SC" for p in places]
        for text in texts:
            order = reader.read(text)
            (ruling,) = judge_orders(position, [Submission("RUSSIA", text, order)], rules.settings)
            if ruling.status is RulingStatus.LEGAL:
                legal.add(ruling.order)
    missing = legal - listed
    # A move possible only by convoy is listed as VIA, and a convoy to a coast with that coast.
    assert all(
        isinstance(one, dipsat.Convoy)
        or (isinstance(one, dipsat.Move) and not one.via and replace(one, via=True) in listed)
        for one in missing
    ), missing
    assert listed <= legal


# --- own rules ------------------------------------------------------------------------------------

AIRLIFT = """
name: airlift
extends: wings
convoys:
  wing: {carries: [army], aboard: any}
"""


@pytest.mark.parametrize(
    ("orders", "verdicts"),
    [
        (["A MAR - BOH", "W BUR C A MAR - BOH", "W MUN C A MAR - BOH"],
         ["succeeds", "available", "available"]),
        # Wings and fleets do not make one route.
        (["A YOR - KIE", "F NTH C A YOR - KIE", "W DEN C A YOR - KIE"], ["illegal"] * 3),
    ],
)  # fmt: skip
def test_a_declared_kind_can_carry(orders: list[str], verdicts: list[str]) -> None:
    rules = parse_profile(AIRLIFT, "airlift.yaml")
    position = dipsat.Position.from_units({"France": [text[:5] for text in orders]}, rules=rules)
    outcome = dipsat.adjudicate(position, {"France": orders}, rules)
    assert [outcome.order(text[:5]).verdict for text in orders] == verdicts


@pytest.mark.parametrize(
    ("units", "fault"),
    [
        ("army: {letter: W, borders: [army]}", "army is already a kind of unit"),
        ("wing: {letter: A, borders: [army]}", "A already stands for army"),
        ("wing: {letter: wing, borders: [army]}", "should be one capital letter"),
        ("wing: {letter: W, borders: [sky]}", "'sky' is not a border; known: army, fleet"),
        ("wing: {letter: W, borders: []}", "it crosses some borders"),
        ("wing: {letter: W}", "a kind of unit needs 'borders'"),
        ("wing: {letter: W, borders: [army]}, whale: {letter: W, borders: [fleet]}",
         "W already stands for wing"),
        ("wing: {letter: W, borders: [army, army]}", "army is listed twice"),
        ("build: {letter: W, borders: [army]}", "build already stands for an action in orders"),
    ],
)  # fmt: skip
def test_faulty_kinds_are_one_clear_error(units: str, fault: str) -> None:
    check_fault(f"units: {{{units}}}", fault)


@pytest.mark.parametrize(
    ("convoys", "fault"),
    [
        ("wing: {carries: [army]}", "'wing' is not a kind of unit"),
        ("army: {over: land}", "'carries' lists what such a unit convoys"),
        ("army: {carries: [fleets]}", "did you mean 'fleet'?"),
        ("army: {carries: [fleet], over: air}", "'air' is not a way; known: water, land"),
        ("army: {carries: [fleet], in: [sea]}", "not a kind of province in which armies"),
        ("army: {carries: [fleet, fleet]}", "fleet is listed twice"),
        # Without this, A DEN S F NTH - BAL would be a support after all.
        ("army: {carries: [fleet], verbs: [s]}", "s already stands for an action in orders"),
    ],
)
def test_faulty_convoys_are_one_clear_error(convoys: str, fault: str) -> None:
    check_fault(f"convoys: {{{convoys}}}", fault)


def check_fault(section: str, fault: str) -> None:
    with pytest.raises(DocumentError) as found:
        parse_profile(f"name: x\nextends: datc\n{section}\n", "x.yaml")
    assert fault in str(found.value)
    assert "\n" not in str(found.value)


def test_a_kind_that_is_not_declared_is_never_the_kind_of_a_unit() -> None:
    text = "name: x\nextends: {}\nlegal:\n  nobody(m): m.unit.kind != 'wing'\n"
    parse_profile(text.format("wings"), "x.yaml")
    with pytest.raises(DocumentError, match="kind is never 'wing'"):
        parse_profile(text.format("datc"), "x.yaml")


@pytest.mark.parametrize(
    ("name", "board"),
    [("colonial+wings", "colonial"), ("wings+chaos", "chaos"), ("wings+portage", "standard")],
)
def test_rules_laid_together_are_played_on_the_map_that_they_need(name: str, board: str) -> None:
    assert load_profile(name).map == board
    assert dipsat.Game.new(name).map_name == board
    rules = parse_profile(f"extends: [{name.replace('+', ', ')}]\nmap: standard\n", "x.yaml")
    assert rules.map == "standard"  # a file may say it itself


def test_a_kind_of_other_rules_with_the_same_name_is_refused() -> None:
    text = "name: low\nextends: datc\nunits: {wing: {letter: W, borders: [army]}}\n"
    low = parse_profile(text, "low.yaml")
    with pytest.raises(PositionError, match="a wing of other rules"):
        dipsat.adjudicate(wings({"France": ["W PAR"]}), {}, low)


def test_a_letter_that_stands_for_no_unit_is_reported() -> None:
    reader = dipsat.Position.from_units({}).reader
    with pytest.raises(DipsatError, match=r"no unit W under these rules, only an army \(A\) or a"):
        reader.read("W PAR - BUR")


@pytest.mark.parametrize(
    ("rule", "farthest"), [("home by kind", "F BLA"), ("home by own convoy", "F WES")]
)
def test_in_civil_disorder_by_convoy_a_fleet_that_is_carried_is_nearer(
    rule: str, farthest: str
) -> None:
    """By sea the Black Sea is five moves from Trieste, the Western Mediterranean four; the army in
    Bulgaria carries the fleet to Greece, from where it sails to Albania and Trieste."""
    rules = load_profile("portage", settings={"civil_disorder": rule})
    units = {"Austria": ["F BLA", "A BUL", "F WES"]}
    position = dipsat.Position.from_units(units, phase="W1901A", rules=rules)
    (gone,) = civil_disorder(position, "AUSTRIA", (), 1, rules.settings)
    assert str(gone) == farthest


def test_the_goal_owner_knows_who_takes_centres() -> None:
    units = {"France": ["W BUR", "A RUH"], "Germany": ["A TYR"]}
    for goal, verdict in (
        ("owner(MUN, FRANCE) and stands(MUN, FRANCE)", "found"),  # by the army
        ("owner(MUN, FRANCE) and not stands(BUR, FRANCE) and stays(RUH)", "impossible"),
        ("owner(MUN, GERMANY) and stands(MUN, FRANCE)", "found"),  # a wing changes no owner
    ):
        found = dipsat.search(autumn(units), dipsat.Achieve(goal), rules=WINGS, open="France")
        assert found.verdict == verdict, goal


def test_goals_are_refused_where_taking_depends_on_the_board() -> None:
    text = "name: x\nextends: datc\nlegal:\n  captures(u, p): all(x == u for x in p.units)\n"
    rules = parse_profile(text.replace("legal:", "variables: {x: Unit}\nlegal:"), "x.yaml")
    position = dipsat.Position.from_units({"France": ["A PAR"]})
    with pytest.raises(DocumentError, match="captures depends on the board"):
        dipsat.search(position, dipsat.Achieve("owner(BUR, FRANCE)"), rules=rules)


# --- questions and proofs -------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["wings", "portage"])
def test_nothing_is_proven_about_lines_under_rules_with_other_units(rules: str) -> None:
    line = ROOT / "docs" / "examples" / "line-south.yaml"
    found = CliRunner().invoke(main, ["search", "hold", str(line), "--rules", rules])
    assert found.exit_code == 3
    assert "under units: kinds or convoys of their own" in " ".join(found.output.split())


def test_searches_find_where_a_wing_can_fly() -> None:
    position = wings({"France": ["W PAR", "A MAR"], "Germany": ["A RUH"]})
    for goal, verdict in (("stands(BUR, FRANCE)", "found"), ("stands(LON, FRANCE)", "impossible")):
        found = dipsat.search(position, dipsat.Achieve(goal), rules=WINGS, open="all")
        assert found.verdict == verdict
